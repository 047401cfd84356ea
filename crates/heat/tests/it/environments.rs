//! Environments, registries, and resource types of a cloud.

use std::path::Path;

use tosca_parse_engine::{Entry, Outcome, Parser, ParserBuilder};
use tosca_parse_heat::HEAT;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let is_template =
            text.starts_with("parameters:\n") || text.starts_with("resources:") || text.starts_with("outputs:");
        let head = if is_template { "heat_template_version: 2021-04-16\n" } else { "" };
        std::fs::write(path, format!("{head}{text}")).unwrap();
    }
    folder
}

fn parse(folder: &Path, options: &[(&str, &str)], build: impl FnOnce(ParserBuilder) -> ParserBuilder) -> Outcome {
    let parser = build(Parser::builder(&HEAT).directory(folder)).build().unwrap();
    let address = |path: &str| parser.address(path).unwrap();
    let entry =
        options.iter().fold(Entry::at(address("main.yaml")), |entry, (name, path)| entry.option(*name, address(path)));
    parser.parse_entry(entry)
}

fn problems(outcome: &Outcome) -> Vec<String> {
    let place = |problem: &tosca_parse_engine::diagnostic::Diagnostic| {
        let source = outcome.sources.get(problem.span.source).unwrap();
        format!("{}:{}", source.name(), source.line_column(problem.span.start).line)
    };
    let problems = outcome.diagnostics.iter();
    problems.map(|problem| format!("{} {} {}", place(problem), problem.rule.code, problem.message)).collect()
}

/// Returns the problems in `main.yaml` with the given environments.
fn with(files: &[(&str, &str)], environments: &[&str]) -> Vec<String> {
    let folder = folder(files);
    let options: Vec<_> = environments.iter().map(|name| ("environment", *name)).collect();
    problems(&parse(folder.path(), &options, |builder| builder))
}

#[test]
fn parameters_get_their_values_from_environments() {
    let main =
        "parameters:\n  size: { type: number, constraints: [ { range: { max: 9 } } ] }\n  name: { type: string }\n";
    let files = |environment: &'static str| [("main.yaml", main), ("e.yaml", environment)];
    let check = |environment| with(&files(environment), &["e.yaml"]);
    assert_eq!(check("parameters: { size: 4, name: a }\n"), [""; 0]);
    assert_eq!(check("parameters: { size: 4 }\nparameter_defaults: { name: a, other: 1 }\n"), [""; 0]);
    assert_eq!(
        check("parameters: { size: 10, nam: a, \"OS::stack_id\": a }\n"),
        [
            "e.yaml:1 H4002 the value of parameter `size` is out of range: `10`",
            "e.yaml:1 H2001 the template has no parameter `nam`",
            "e.yaml:1 H2001 pseudo parameter `OS::stack_id` can't be set",
        ]
    );
    assert_eq!(with(&[("main.yaml", main)], &[]), [""; 0]);
    assert_eq!(check("parameters: { size: null, name: a }\n"), ["main.yaml:3 H4003 parameter `size` has no value"]);
    // The values may be in the part that can't be read.
    for unreadable in ["parameters: [ size ]\n", "parametrs: { size: 4, name: a }\n"] {
        assert!(!check(unreadable).iter().any(|problem| problem.contains("H4003")), "{:?}", check(unreadable));
    }
    assert_eq!(
        check(""),
        ["main.yaml:3 H4003 parameter `size` has no value", "main.yaml:4 H4003 parameter `name` has no value"]
    );
}

#[test]
fn conditions_depend_on_the_values() {
    let main = "parameters:\n  live: { type: boolean, default: true }\nconditions: { live: { get_param: live } }\nresources:\n  r: { type: OS::Heat::RandomString, condition: live }\noutputs: { o: { value: { get_resource: r } } }\n";
    assert_eq!(with(&[("main.yaml", main)], &[]), [""; 0]);
    let off = with(&[("main.yaml", main), ("off.yaml", "parameters: { live: off }\n")], &["off.yaml"]);
    assert_eq!(off, ["main.yaml:7 H2002 resource `r` does not exist, because its condition is false"]);
    let both =
        [("main.yaml", main), ("off.yaml", "parameters: { live: off }\n"), ("on.yaml", "parameters: { live: on }\n")];
    assert_eq!(with(&both, &["off.yaml", "on.yaml"]), [""; 0]);
    assert_eq!(with(&both, &["on.yaml", "off.yaml"]).len(), 1);
}

#[test]
fn values_are_merged_by_strategies() {
    let main =
        "parameters:\n  text: { type: string, constraints: [ { length: { max: 2 } } ] }\n  live: { type: boolean }\n";
    let strategy = "parameter_merge_strategies: { text: merge, live: merge }\n";
    let one = format!("parameters: {{ text: ab, live: true }}\n{strategy}");
    let two = format!("parameters: {{ text: cde }}\n{strategy}");
    let files =
        [("main.yaml", main), ("one.yaml", &one), ("two.yaml", &two), ("other.yaml", "parameters: { text: a }\n")];
    assert_eq!(with(&files, &["one.yaml", "two.yaml"]), [""; 0]);
    let twice = format!("parameters: {{ live: false }}\n{strategy}");
    let files = [files[0], files[1], ("two.yaml", twice.as_str()), files[3]];
    assert_eq!(
        with(&files, &["one.yaml", "two.yaml"]),
        ["two.yaml:1 H4004 values of parameter `live` can't be merged"]
    );
    let different = ["other.yaml:1 H4004 environments merge parameter `text` in different ways"];
    assert_eq!(with(&files, &["one.yaml", "other.yaml"]), different);
    let unknown = "parameter_merge_strategies: { text: append }\nparameters: { text: a, live: true }\n";
    let found = with(&[("main.yaml", main), ("e.yaml", unknown)], &["e.yaml"]);
    assert!(found[0].starts_with("e.yaml:1 T1313"), "{found:?}");
}

const NESTED: &str = "parameters:\n  size: { type: number }\noutputs: { id: { value: 1 } }\n";

#[test]
fn types_are_replaced() {
    let main = "resources:\n  a: { type: My::Text, properties: { length: 4 } }\n";
    let check = |registry: &str, files: &[(&str, &str)]| {
        let environment = format!("resource_registry:\n  {registry}\n");
        with(&[&[("main.yaml", main), ("e.yaml", environment.as_str())], files].concat(), &["e.yaml"])
    };
    assert_eq!(check("My::Text: OS::Heat::RandomString", &[]), [""; 0]);
    assert_eq!(check("\"My::*\": OS::Heat::None", &[]), [""; 0]);
    assert_eq!(
        check("\"My::T*\": \"OS::Heat::T*\"", &[])[0].rsplit_once("type").unwrap().1,
        " `OS::Heat::Text`, which replaces `My::Text`, does not exist"
    );
    assert_eq!(check("{ My::Text: A, A: OS::Heat::RandomString }", &[]), [""; 0]);
    assert_eq!(
        check("{ My::Text: A, A: My::Text }", &[]),
        ["main.yaml:3 H3001 resource type `My::Text` is replaced in a loop"]
    );
    assert_eq!(
        check("\"My::*\": \"My::My::*\"", &[]),
        ["main.yaml:3 H3001 resource type `My::Text` is replaced in a loop"]
    );
    assert_eq!(check("resources: { a: { My::Text: OS::Heat::RandomString } }", &[]), [""; 0]);
    assert_eq!(check("resources: { b: { My::Text: OS::Heat::RandomString } }", &[]).len(), 1);
    assert_eq!(check("{ My::Text: 5 }", &[])[0].split(' ').nth(1), Some("T1205"));

    let nested = [("my/text.yaml", "parameters:\n  length: { type: number }\n")];
    assert_eq!(check("My::Text: my/text.yaml", &nested), [""; 0]);
    assert_eq!(check("{ base_url: my, My::Text: text.yaml }", &nested), [""; 0]);
    assert_eq!(check("{ base_url: null, My::Text: my/text.yaml }", &nested), [""; 0]);
    assert_eq!(check("{ base_url: '', My::Text: my/text.yaml }", &nested), [""; 0]);
    let found = check("{ base_url: [], My::Text: my/text.yaml }", &nested);
    assert!(found.len() == 1 && found[0].contains("T1205"), "{found:?}");
    assert_eq!(
        check("My::Text: my/text.yaml", &[("my/text.yaml", NESTED)]),
        ["main.yaml:3 H5002 required property `size` is missing", "main.yaml:3 H5001 there is no property `length`"]
    );
    assert_eq!(check("My::Text: my/none.yaml", &[])[0].split(' ').nth(1), Some("T1001"));
    let found = check("resources: { a: { hooks: [ pre-create, pre-delet ], restricted_actions: replace } }", &[]);
    assert!(found.contains(&"e.yaml:2 T1313 there is no hook `pre-delet`".to_owned()), "{found:?}");
}

#[test]
fn later_environments_win() {
    let main = "resources:\n  a: { type: My::Text, properties: { length: 4 } }\n";
    let text = "resource_registry: { My::Text: OS::Heat::RandomString }\n";
    let other = "resource_registry: { My::Text: OS::Heat::Value }\n";
    let none = "resource_registry: { My::Text: null }\n";
    let files = [("main.yaml", main), ("text.yaml", text), ("other.yaml", other), ("none.yaml", none)];
    assert_eq!(with(&files, &["other.yaml", "text.yaml"]), [""; 0]);
    assert_eq!(
        with(&files, &["text.yaml", "other.yaml"]),
        ["main.yaml:3 H5002 required property `value` is missing", "main.yaml:3 H5001 there is no property `length`"]
    );
    assert_eq!(with(&files, &["text.yaml", "none.yaml"]).len(), 1);
}

#[test]
fn templates_in_place_of_types_fit_them() {
    let main = "resources:\n  a: { type: OS::Heat::RandomString }\n";
    let registry = "resource_registry: { OS::Heat::RandomString: text.yaml }\n";
    let check = |text: &str| with(&[("main.yaml", main), ("e.yaml", registry), ("text.yaml", text)], &["e.yaml"]);
    assert_eq!(
        check("parameters:\n  length: { type: number, default: 3 }\noutputs: { value: { value: x } }\n"),
        [""; 0]
    );
    let found = check("parameters:\n  length: { type: string, default: a }\n  more: { type: string }\n");
    let starts = [
        "H4005 the template in place of `OS::Heat::RandomString` has a parameter `length` whose type differs from that of the property",
        "H4005 the template in place of `OS::Heat::RandomString` requires `more`",
        "H4005 the template in place of `OS::Heat::RandomString` lacks the output `value`",
        "H5002 required property `more` is missing",
    ];
    assert_eq!(found.len(), starts.len(), "{found:?}");
    starts.iter().for_each(|start| assert!(found.iter().any(|found| found.contains(start)), "{found:?}"));
}

#[test]
fn defaults_of_environments_reach_nested_templates() {
    let files = [
        ("main.yaml", "resources:\n  a: { type: nested.yaml }\n"),
        ("nested.yaml", NESTED),
        ("e.yaml", "parameter_defaults: { size: 1 }\n"),
    ];
    assert_eq!(with(&files, &[]), ["main.yaml:3 H5002 required property `size` is missing"]);
    assert_eq!(with(&files, &["e.yaml"]), [""; 0]);
}

#[test]
fn templates_that_use_themselves_are_one_problem() {
    let itself = "resources:\n  a: { type: main.yaml }\n";
    assert_eq!(
        with(&[("main.yaml", itself)], &[]),
        ["main.yaml:3 H3001 template `main.yaml` depends on itself: `main.yaml` → `main.yaml`"]
    );
    let main = "resources:\n  a: { type: My::Own }\n";
    let found = with(&[("main.yaml", main), ("e.yaml", "resource_registry: { My::Own: main.yaml }\n")], &["e.yaml"]);
    assert_eq!(found, ["main.yaml:3 H3001 template `main.yaml` depends on itself: `main.yaml` → `main.yaml`"]);
}

#[test]
fn types_of_a_cloud_are_added() {
    let shown = "attributes:\n  show: { description: Everything, type: map }\n  code: { type: string }\nproperties:\n  size:\n    constraints: [ { range: { min: 1, max: 4 } } ]\n    default: 1\n    description: The size.\n    immutable: false\n    required: true\n    type: integer\n    update_allowed: false\n  tags: { type: list, required: false, schema: { \"*\": { type: string } } }\nresource_type: Acme::Lamp\nsupport_status: { message: null, previous_status: null, status: SUPPORTED, version: null }\n";
    let json = "{\"resource_type\": \"Acme::Plug\", \"properties\": {\"live\": {\"type\": \"boolean\", \"required\": true}}, \"attributes\": {}}\n";
    let check = |main: &str| {
        let folder = folder(&[("main.yaml", main), ("lamp.yaml", shown), ("plug.json", json)]);
        let options = [("resource-types", "lamp.yaml"), ("resource-types", "plug.json")];
        problems(&parse(folder.path(), &options, |builder| builder))
    };
    assert_eq!(
        check(
            "resources:\n  a: { type: Acme::Lamp, properties: { size: 4, tags: [ a ] } }\n  b: { type: Acme::Plug, properties: { live: true } }\noutputs: { o: { value: { get_attr: [ a, code ] } } }\n"
        ),
        [""; 0]
    );
    assert_eq!(
        check(
            "resources:\n  a: { type: Acme::Lamp, properties: { size: 5, tags: [ [] ] } }\n  b: { type: Acme::Plug }\noutputs: { o: { value: { get_attr: [ a, cod ] } } }\n"
        ),
        [
            "main.yaml:3 H5003 property `size` is out of range: `5`",
            "main.yaml:3 H5003 property `tags` must be a boolean, an integer or a string, not a list",
            "main.yaml:4 H5002 required property `live` is missing",
            "main.yaml:5 H2004 resource `a` has no attribute `cod`",
        ]
    );
    assert_eq!(
        check("resources:\n  a: { type: Acme::Lam }\n")[0],
        "main.yaml:3 H2005 there is no resource type `Acme::Lam`"
    );
}

#[test]
fn environments_obey_sandbox_and_limits() {
    let main = "resources:\n  a: { type: My::Text }\noutputs: { o: { value: { get_file: ../none.txt } } }\n";
    let files = [
        ("in/main.yaml", main),
        ("e.yaml", "resource_registry: { My::Text: out/text.yaml }\n"),
        ("in/e.yaml", "resource_registry: { My::Text: text.yaml }\n"),
        ("out/text.yaml", "outputs: {}\n"),
        ("in/text.yaml", "outputs: {}\n"),
    ];
    let folder = folder(&files);
    let run = |environment: &str, build: fn(ParserBuilder) -> ParserBuilder| {
        let options = [("environment", environment)];
        problems(&parse(&folder.path().join("in"), &options, build))
    };
    let codes = |found: &[String]| {
        found.iter().map(|problem| problem.split(' ').nth(1).unwrap().to_owned()).collect::<Vec<_>>()
    };
    // Without a sandbox, the file that `get_file` names is looked up, and templates are read from anywhere.
    assert_eq!(codes(&run("../e.yaml", |builder| builder)), ["H6001"]);
    // In a sandbox, nothing outside the folder is read or looked up, except the environment itself.
    assert_eq!(codes(&run("../e.yaml", |builder| builder.sandbox(true))), ["T1405"]);
    assert_eq!(codes(&run("e.yaml", |builder| builder.sandbox(true))), [""; 0]);
    // The environment and its imports count toward the limits.
    let limited = |builder: ParserBuilder| {
        let mut limits = tosca_parse_engine::ImportLimits::default();
        limits.sources = 1;
        builder.import_limits(limits)
    };
    assert_eq!(codes(&run("e.yaml", limited))[0], "T1406");
    let offline = run("https://example.com/e.yaml", |builder| builder.offline(true));
    assert!(!offline.is_empty());
}

#[test]
fn nested_templates_obey_sandbox_and_network() {
    let check = |path: &str, build: fn(ParserBuilder) -> ParserBuilder| {
        let main = format!("resources:\n  a: {{ type: {path} }}\n");
        let folder = folder(&[("in/main.yaml", &main), ("out/text.yaml", "outputs: {}\n")]);
        problems(&parse(&folder.path().join("in"), &[], build))
    };
    assert_eq!(check("../out/text.yaml", |builder| builder), [""; 0]);
    assert!(check("../out/text.yaml", |builder| builder.sandbox(true))[0].contains("T1405"));
    assert!(!check("https://example.com/text.yaml", |builder| builder.offline(true)).is_empty());
    assert!(check("https://example.com/text.yaml", |builder| builder.sandbox(true))[0].contains("T1405"));
}

/// Two thousand resources of a template with two thousand required parameters.
#[test]
fn missing_parameters_of_nested_templates_stay_linear() {
    use std::fmt::Write as _;
    let (mut main, mut nested) = ("resources:\n".to_owned(), "parameters:\n".to_owned());
    for number in 0..2_000 {
        writeln!(main, "  r{number}: {{ type: nested.yaml }}").unwrap();
        writeln!(nested, "  p{number}: {{ type: string }}").unwrap();
    }
    let found = with(&[("main.yaml", &main), ("nested.yaml", &nested)], &[]);
    assert!(found.len() <= 1_001, "{}", found.len());
    assert!(found[0].ends_with("required properties `p0`, `p1`, `p2` and others are missing"), "{}", found[0]);
}

#[test]
fn overridden_values_are_not_checked() {
    let main = "parameters:\n  size: { type: number }\n  name: { type: string }\n";
    let check = |later| {
        let first = "parameters: { size: a, name: b }\n";
        with(&[("main.yaml", main), ("a.yaml", first), ("b.yaml", later)], &["a.yaml", "b.yaml"])
    };
    assert_eq!(check("parameters: { size: 4 }\n"), [""; 0]);
    assert_eq!(
        check("parameters: { size: null }\n"),
        ["a.yaml:1 H4002 the value of parameter `size` must be a number"]
    );
    assert_eq!(
        check("parameters: { size: [ 1 ] }\n"),
        ["b.yaml:1 H4002 the value of parameter `size` must be a number"]
    );
}

#[test]
fn types_in_chains_are_known() {
    let chain = |ty: &str| {
        let main = format!(
            "resources:\n  a: {{ type: OS::Heat::ResourceChain, properties: {{ resources: [ {ty}, My::Type ] }} }}\n"
        );
        with(&[("main.yaml", &main), ("e.yaml", "resource_registry: { My::Type: OS::Heat::None }\n")], &["e.yaml"])
    };
    assert_eq!(chain("OS::Heat::None"), [""; 0]);
    assert_eq!(chain("OS::Heat::Non"), ["main.yaml:3 H2005 there is no resource type `OS::Heat::Non`"]);
}
