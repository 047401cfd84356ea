//! Models, and input values.

use std::fmt::Write as _;

use insta::assert_snapshot;
use tosca_parse::normal::{Options, Service, State, Value};
use tosca_parse::{Parser, TOSCA};

use super::*;

fn service(folder: &Folder, arguments: &str) -> Service {
    let run = folder.run(&["valid.yaml --emit json ", arguments].concat());
    assert_eq!((run.code, &*run.err), (0, ""), "{arguments}");
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn a_model_is_written() {
    let folder = folder();
    let outcome = Parser::builder(&TOSCA).directory(folder.path()).build().unwrap().parse("valid.yaml").unwrap();
    let expected = Service::of(&outcome.program).unwrap();
    assert_eq!(service(&folder, ""), expected);
    let run = folder.run("--emit yaml valid.yaml");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert_eq!(serde_yaml::from_str::<Service>(&run.out).unwrap(), expected);
    assert_snapshot!(run.out);
    let with_places = Service::with(&outcome.program, Options { positions: true, ..Options::default() }).unwrap();
    assert_eq!(service(&folder, "--positions"), with_places);
}

#[test]
fn a_model_is_written_as_clout() {
    let folder = folder();
    let clout = |arguments: &str| -> serde_json::Value {
        let run = folder.run(arguments);
        assert_eq!(run.code, 0, "{}", run.err);
        serde_json::from_str(&run.out).unwrap()
    };
    let one = clout("valid.yaml --emit clout");
    assert_eq!((&one["version"], &one["metadata"]["tosca-parse"]["file"]), (&"1.0".into(), &"valid.yaml".into()));
    assert!(one["vertexes"]["node-0"]["properties"]["name"].is_string());
    assert_eq!(clout("valid.yaml valid.yaml --emit clout"), serde_json::json!([one, one]));
    // An invalid file, and a file without a service, have none.
    assert_eq!(folder.run("invalid.yaml --emit clout").out, "");
    folder.write("types.yaml", "tosca_definitions_version: tosca_2_0\n");
    let run = folder.run("types.yaml --emit clout");
    assert_eq!((run.code, &*run.out), (0, ""));
    assert!(run.err.ends_with("types.yaml has no service template, so there is no model to write\n"), "{}", run.err);
}

#[test]
fn json_is_compact_unless_indentation_is_requested() {
    let folder = folder();
    let outcome = Parser::builder(&TOSCA).directory(folder.path()).build().unwrap().parse("valid.yaml").unwrap();
    let expected = Service::of(&outcome.program).unwrap();
    assert_eq!(folder.run("valid.yaml --emit json").out, serde_json::to_string(&expected).unwrap() + "\n");
    let pretty = serde_json::to_string_pretty(&expected).unwrap() + "\n";
    assert_eq!(folder.run("valid.yaml --emit json --pretty").out, pretty);
    assert!(folder.run("valid.yaml --emit json --pretty --output out").is_quiet());
    assert_eq!(std::fs::read_to_string(folder.path().join("out")).unwrap(), pretty);
    assert_eq!(folder.run("valid.yaml --pretty").code, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn json_is_indented_on_a_terminal() {
    use std::fs::File;
    use std::io::Read;

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let folder = folder();
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let shown = |arguments: &str| {
        let name = ptsname(&terminal, Vec::new()).unwrap();
        let screen = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let mut child = folder.command(arguments).stdout(screen).spawn().unwrap();
        let mut out = Vec::new();
        // Reading fails as soon as the command has closed its side.
        let _ = File::from(terminal.try_clone().unwrap()).read_to_end(&mut out);
        assert!(child.wait().unwrap().success());
        String::from_utf8(out).unwrap().replace("\r\n", "\n")
    };
    assert_eq!(shown("valid.yaml --emit json"), folder.run("valid.yaml --emit json --pretty").out);
    assert_eq!(shown("valid.yaml --emit json --output out"), "");
    let out = std::fs::read_to_string(folder.path().join("out")).unwrap();
    assert_eq!(out, folder.run("valid.yaml --emit json").out);
}

#[test]
fn invisible_characters_are_escaped_in_json_of_any_length() {
    let folder = folder();
    let value = "grün \u{202e}\u{7f}".repeat(20_000);
    folder.write(
        "service.yaml",
        &format!(
            "tosca_definitions_version: tosca_2_0
service_template:
  metadata: {{ value: \"{}\" }}
  node_templates: {{}}
",
            value.replace('\u{7f}', "\\x7f")
        ),
    );
    for arguments in ["", " --pretty"] {
        let run = folder.run(&format!("service.yaml --emit json{arguments}"));
        let model: Service = serde_json::from_str(&run.out).unwrap();
        assert_eq!(model.metadata["value"].as_str(), Some(&*value));
        assert_eq!(run.out.matches("grün \\u202e\\u007f").count(), 20_000);
    }
}

#[test]
fn models_that_are_much_larger_than_their_source_are_written_as_json() {
    let folder = folder();
    let template = |properties: usize| {
        let mut text = "tosca_definitions_version: tosca_2_0\nnode_types:\n  A:\n    properties:\n".to_owned();
        (0..properties).for_each(|number| {
            let _ = writeln!(text, "      p{number}: {{ type: integer, default: {number} }}");
        });
        text += "service_template:\n  node_templates:\n";
        (0..2_000).for_each(|number| {
            let _ = writeln!(text, "    n{number}: {{ type: A }}");
        });
        text
    };
    folder.write("small.yaml", &template(10));
    folder.write("large.yaml", &template(100));
    let small = folder.run("small.yaml --emit yaml").out;
    assert!(small.contains("\n  n0:\n    types:\n"), "{small}");
    for arguments in ["--emit yaml", "--dump"] {
        let run = folder.run(&format!("large.yaml {arguments}"));
        let json = run.out.split_once("# The data is very large, so it is written as JSON").unwrap().1;
        let json = json.split_once('\n').unwrap().1;
        let model: Service = serde_json::from_str(json).unwrap();
        assert_eq!((run.code, model.nodes.len(), model.nodes["n7"].properties.len()), (0, 2_000, 100));
    }
}

#[test]
fn several_models_are_one_list() {
    let folder = folder();
    let run = folder.run("valid.yaml doubtful.yaml --emit yaml --quiet");
    assert_eq!((run.code, run.out.matches("---\n").count(), &*run.err), (0, 2, ""));
    let run = folder.run("valid.yaml doubtful.yaml --emit json --quiet");
    let files = |out: &str| -> Vec<String> {
        let models: Vec<Service> = serde_json::from_str(out).unwrap();
        models.iter().map(|model| model.file.to_string()).collect()
    };
    assert_eq!(files(&run.out), ["valid.yaml", "doubtful.yaml"]);
    // Files without a model are omitted from the list.
    assert_eq!(files(&folder.run("invalid.yaml valid.yaml --emit json --quiet").out), ["valid.yaml"]);
    assert_eq!(folder.run("invalid.yaml types.yaml --emit json --quiet").out, "[]\n");
}

#[test]
fn lines_are_compact_models() {
    let folder = folder();
    let run = folder.run("valid.yaml invalid.yaml doubtful.yaml --emit jsonl --pretty --quiet");
    assert_eq!(run.code, 1);
    let alone = |file: &str| folder.run(&format!("{file} --emit json --quiet")).out;
    assert_eq!(run.out, alone("valid.yaml") + &alone("doubtful.yaml"));
    assert_eq!(folder.run("valid.yaml --emit jsonl").out, alone("valid.yaml"));
    // A line separator in a value does not end the line.
    let text = "tosca_definitions_version: tosca_2_0\nservice_template: { description: \"a\\nb\\L\\Pc\", node_templates: {} }\n";
    std::fs::write(folder.path().join("lines.yaml"), text).unwrap();
    let run = folder.run("lines.yaml valid.yaml --emit jsonl");
    assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    assert!(run.out.starts_with(r#"{"model":1"#) && run.out.contains(r"a\nb"), "{}", run.out);
    // Without a model there is no line.
    assert_eq!(folder.run("invalid.yaml types.yaml --emit jsonl --quiet").out, "");
}

#[test]
fn what_was_asked_for_can_go_to_a_file() {
    let folder = folder();
    let written = |arguments: &str| {
        let run = folder.run(arguments);
        assert!(run.is_quiet(), "{}", run.all());
        std::fs::read_to_string(folder.path().join("out")).unwrap()
    };
    assert_eq!(written("valid.yaml --emit json -o out"), folder.run("valid.yaml --emit json").out);
    assert_eq!(
        written("invalid.yaml --format concise --output-file out"),
        folder.run("invalid.yaml --format concise").out
    );
    assert!(!written("valid.yaml --color always --output out").contains('\u{1b}'));
    // A template is never replaced by its own model.
    assert_eq!(folder.run("doubtful.yaml -q --emit json -o doubtful.yaml").code, 2);
    // The former argument for the output format does not become a file name.
    let run = folder.run("valid.yaml --output json");
    assert!(run.code == 2 && run.err.contains("use `--emit json`"), "{}", run.err);
    let run = folder.run("valid.yaml -o no/such/folder/out");
    assert!(run.code == 1 && run.err.contains("no/such/folder/out"), "{}", run.err);
}

#[test]
fn only_valid_services_have_models() {
    let folder = folder();
    let run = folder.run("invalid.yaml --emit json");
    assert_eq!((run.code, &*run.out), (1, ""));
    let run = folder.run("types.yaml --emit json");
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
    // `--input` wins in any order; of several values for one input, the last one wins.
    assert_eq!(port("--input port=3 --inputs inputs.yaml"), (Some(3), State::Assigned));
    assert_eq!(port("--input port=3 --input port=4"), (Some(4), State::Assigned));

    let owner = |argument: &str| {
        let run = Run::of(folder.command("valid.yaml --emit json --input").arg(argument));
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
        let code = if arguments.contains("missing") { 3 } else { 1 };
        assert_eq!((run.code, &*run.err), (code, ""), "{arguments}");
        all += &run.out;
    }
    assert_snapshot!(all);
}
