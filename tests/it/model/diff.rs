//! Checks that differences are about meaning: comments, empty lines, and other folders cause none.

use std::path::Path;

use proptest::prelude::*;
use tosca_parse::normal::{Options, Service};
use tosca_parse::{Parser, TOSCA};

/// Inserts comments and empty lines in positions that depend on a number.
fn commented(text: &str, mut seed: u64) -> String {
    let mut result = String::from("# A comment.\n\n");
    // The indentation of a block scalar or of a multi-line string, in which nothing can be inserted.
    let mut block: Option<usize> = None;
    for line in text.lines() {
        let indentation = line.len() - line.trim_start().len();
        if block.is_some_and(|outer| !line.trim().is_empty() && indentation <= outer) {
            block = None;
        }
        let is_start = line.trim_start().starts_with(|first: char| first.is_alphanumeric() || first == '-');
        if block.is_none() && is_start {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            match seed >> 61 {
                0 => result.extend([&*" ".repeat(indentation), "# A comment.\n"]),
                1 => result.push('\n'),
                _ => {}
            }
        }
        let content = line.split(" #").next().unwrap_or_default().trim_end();
        if ["|", ">", "|-", ">-", "|+", ">+"].iter().any(|mark| content.ends_with(mark)) {
            block = Some(indentation);
        }
        result.push_str(line);
        result.push('\n');
    }
    result
}

fn copy(from: &Path, to: &Path, change: &dyn Fn(&str) -> String) {
    for entry in walkdir::WalkDir::new(from).into_iter().map(Result::unwrap) {
        let path = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(path).unwrap();
        } else if path.extension().is_some_and(|ending| ending == "yaml") {
            std::fs::write(path, change(&std::fs::read_to_string(entry.path()).unwrap())).unwrap();
        } else {
            std::fs::copy(entry.path(), path).unwrap();
        }
    }
}

/// Returns the model of a template, with positions; `None` if it is not valid.
fn service(parser: &Parser, file: &str) -> Option<Service> {
    let outcome = parser.parse(file).unwrap();
    let options = Options { positions: true, ..Options::default() };
    outcome.is_valid().then(|| Service::with(&outcome.program, options)).flatten()
}

/// Files with every kind of entity that has positions in a model, and imports above, below and next to the entry.
const FILES: &[(&str, &str)] = &[
    (
        "shop/main/service.yaml",
        "tosca_definitions_version: tosca_2_0
imports: [ ../lib/types.yaml, parts/data.yaml ]
functions:
  double:
    signatures:
    - arguments: [ { type: integer }, { type: Login } ]
      result: { type: integer }
      implementation: double.sh
service_template:
  inputs: { size: { type: integer, default: 2, validation: { $less_than: [ $value, 9 ] } } }
  node_templates:
    app:
      type: App
      properties: { login: { user: ada, source: { file: a, line: '1' } } }
      requirements: [ host: server ]
    server: { type: Server }
  groups: { all: { type: Group, members: [ app, server ] } }
  policies:
  - keep: { type: Policy, targets: [ app ], triggers: { go: { event: start, action: [ call_operation: Standard.create ] } } }
  workflows:
    deploy: { steps: { one: { target: app, activities: [ set_state: started ] } } }
  outputs: { user: { value: { $get_property: [ app, login, user ] } } }
",
    ),
    (
        "shop/main/parts/data.yaml",
        "tosca_definitions_version: tosca_2_0
data_types:
  Login:
    properties:
      user: { type: string }
      source: { type: map, entry_schema: string, required: false }
      old: { type: Name, required: false }
  Name: { properties: { first: { type: string, required: false } } }
",
    ),
    (
        "shop/lib/types.yaml",
        "tosca_definitions_version: tosca_2_0
imports: [ ../main/parts/data.yaml ]
capability_types: { Host: {} }
relationship_types: { HostedOn: {} }
interface_types: { Standard: { operations: { create: {} } } }
artifact_types: { Script: { file_ext: [ sh ] } }
group_types: { Group: {} }
policy_types: { Policy: {} }
node_types:
  Server: { capabilities: { host: Host } }
  App:
    properties: { login: { type: Login } }
    attributes: { state: { type: string } }
    requirements: [ host: { capability: Host, relationship: HostedOn } ]
    artifacts: { install: { type: Script, file: install.sh } }
    interfaces: { Standard: { type: Standard, operations: { create: install.sh } } }
",
    ),
];

fn write(root: &Path, change: &dyn Fn(&str) -> String) {
    for (name, text) in FILES {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, change(text)).unwrap();
    }
}

proptest! {
    #![proptest_config(crate::properties::cases(24))]

    #[test]
    fn comments_and_folders_are_no_difference(seed: u64, folder in "[a-z]{1,3}(/[a-z]{1,3}){0,2}") {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), &str::to_owned);
        write(&root.path().join(&folder), &|text| commented(text, seed));
        let parser = Parser::builder(&TOSCA).directory(root.path()).threads(1).build().unwrap();
        let old = service(&parser, "shop/main/service.yaml").unwrap();
        let new = service(&parser, &format!("{folder}/shop/main/service.yaml")).unwrap();
        prop_assert_eq!(new.diff(&old), []);
        prop_assert_eq!(old.diff(&new), []);
        let plan = new.plan_from(&old);
        prop_assert!(plan.removal.is_empty() && plan.deployment.is_empty(), "{}", plan);
    }
}

#[test]
fn commented_examples_have_no_difference() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/templates");
    let root = tempfile::tempdir().unwrap();
    copy(&examples, &root.path().join("a"), &str::to_owned);
    copy(&examples, &root.path().join("other/b"), &|text| commented(text, 7));
    let parser = Parser::builder(&TOSCA).directory(root.path()).offline(true).threads(1).build().unwrap();
    let mut compared = 0;
    for entry in walkdir::WalkDir::new(&examples).into_iter().map(Result::unwrap) {
        let name = entry.path().strip_prefix(&examples).unwrap().to_str().unwrap();
        if entry.path().extension().is_none_or(|ending| ending != "yaml") {
            continue;
        }
        let Some(old) = service(&parser, &format!("a/{name}")) else { continue };
        let new = service(&parser, &format!("other/b/{name}")).unwrap();
        assert_eq!(new.diff(&old), [], "{name}");
        compared += 1;
    }
    assert!(compared >= 5, "{compared}");
}

#[test]
fn value_in_a_member_called_source_is_a_difference() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &str::to_owned);
    write(&root.path().join("new"), &|text| text.replace("line: '1'", "line: '2'"));
    let parser = Parser::builder(&TOSCA).directory(root.path()).threads(1).build().unwrap();
    let old = service(&parser, "shop/main/service.yaml").unwrap();
    let new = service(&parser, "new/shop/main/service.yaml").unwrap();
    let differences: Vec<String> = new.diff(&old).iter().map(ToString::to_string).collect();
    let [difference] = &differences[..] else { panic!("{differences:#?}") };
    assert!(difference.starts_with("~ node `app`, property `login`, `source`, `line`: \"1\" → \"2\""), "{difference}");
}

#[test]
fn a_computed_value_and_its_parts_are_one_difference() {
    let text = "tosca_definitions_version: tosca_2_0
data_types: { Login: { properties: { user: { type: string }, port: { type: integer, default: 80 } } } }
node_types: { App: { properties: { login: { type: Login } } } }
service_template:
  inputs: { user: { type: string, default: ada } }
  node_templates: { app: { type: App, properties: { login: { user: { $get_input: user } } } } }
";
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let model = |text: String| {
        let entry = tosca_parse::Entry::text(parser.address("service.yaml").unwrap(), text);
        let program = parser.parse_entry(entry).program;
        Service::evaluated(&program, Options::default()).unwrap().0
    };
    let old = model(text.to_owned());
    let places = |new: &Service| -> Vec<String> {
        let of_node = new.diff(&old).into_iter().map(|difference| difference.at);
        of_node.filter(|at| at.starts_with("/nodes/")).collect()
    };
    assert_eq!(places(&model(text.replace("80", "81"))), ["/nodes/app/properties/login/value/port"]);
    // The expression differs in another way than its value.
    let other = places(&model(text.replace("$get_input: user", "$concat: [ a, d, a ]")));
    assert_eq!(other, ["/nodes/app/properties/login/expression/user"]);
}
