//! Models, and values for inputs.

use insta::assert_snapshot;
use tosca_parse::Parser;
use tosca_parse::normal::{Options, Service, State, Value};

use super::*;

fn service(folder: &Folder, arguments: &str) -> Service {
    let run = folder.run(&["valid.yaml --output json ", arguments].concat());
    assert_eq!((run.code, &*run.err), (0, ""), "{arguments}");
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn a_model_is_written() {
    let folder = folder();
    let outcome = Parser::builder().directory(folder.path()).build().unwrap().parse("valid.yaml").unwrap();
    let expected = outcome.service().unwrap();
    assert_eq!(service(&folder, ""), expected);
    let run = folder.run("-o yaml valid.yaml");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert_eq!(serde_yaml::from_str::<Service>(&run.out).unwrap(), expected);
    assert_snapshot!(run.out);
    let with_places = outcome.service_with(Options { positions: true }).unwrap();
    assert_eq!(service(&folder, "--positions"), with_places);
}

#[test]
fn several_models_are_several_documents() {
    let folder = folder();
    let run = folder.run("valid.yaml doubtful.yaml --output yaml --quiet");
    assert_eq!((run.code, run.out.matches("---\n").count(), &*run.err), (0, 2, ""));
    let run = folder.run("valid.yaml doubtful.yaml --output json --quiet");
    let models = serde_json::Deserializer::from_str(&run.out).into_iter::<Service>();
    let files: Vec<String> = models.map(|model| model.unwrap().file.to_string()).collect();
    assert_eq!(files, ["valid.yaml", "doubtful.yaml"]);
}

#[test]
fn only_valid_services_have_models() {
    let folder = folder();
    let run = folder.run("invalid.yaml --output json");
    assert_eq!((run.code, &*run.out), (1, ""));
    let run = folder.run("types.yaml --output json");
    assert_eq!((run.code, &*run.out), (0, ""));
    assert_eq!(run.err, "types.yaml has no service template, so there is no model to write\n");
}

#[test]
fn inputs_are_given_one_by_one_or_in_files() {
    let folder = folder();
    folder.write("inputs.yaml", "port: 1\nowner: somebody\n");
    folder.write("inputs.json", r#"{ "port": 2 }"#);
    let port = |arguments: &str| {
        let input = service(&folder, arguments).inputs["port"].clone();
        (input.value.as_ref().and_then(Value::as_integer), input.state)
    };
    assert_eq!(port(""), (Some(80), State::Default));
    assert_eq!(port("--input port=8080"), (Some(8080), State::Assigned));
    assert_eq!(port("--inputs inputs.yaml"), (Some(1), State::Assigned));
    assert_eq!(port("--inputs inputs.yaml --inputs inputs.json"), (Some(2), State::Assigned));
    // Those of the command line win, wherever they stand; of several for one input, the last does.
    assert_eq!(port("--input port=3 --inputs inputs.yaml"), (Some(3), State::Assigned));
    assert_eq!(port("--input port=3 --input port=4"), (Some(4), State::Assigned));

    let owner = |argument: &str| {
        let run = Run::of(folder.command("valid.yaml --output json --input").arg(argument));
        let service: Service = serde_json::from_str(&run.out).unwrap();
        service.inputs["owner"].value.clone()
    };
    assert_eq!(owner("owner="), Some("".into()));
    assert_eq!(owner("owner=\"80\""), Some("80".into()));
    assert_eq!(owner("owner=Ada = Countess"), Some("Ada = Countess".into()));
}

#[test]
fn wrong_inputs_are_problems() {
    let folder = folder();
    folder.write("inputs.yaml", "port: many\n");
    folder.write("list.yaml", "[ port ]\n");
    let cases = [
        "--input port=many",
        "--input prot=80",
        "--input port=[",
        "--inputs inputs.yaml",
        "--inputs list.yaml",
        "--inputs missing.yaml",
    ];
    let mut all = String::new();
    for arguments in cases {
        let run = folder.run(&["valid.yaml --format concise ", arguments].concat());
        assert_eq!((run.code, &*run.out), (1, ""), "{arguments}");
        all += &run.err;
    }
    assert_snapshot!(all);
}
