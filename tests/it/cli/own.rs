//! Rules that a project declares in its configuration.

use super::*;

const CONFIG: &str = "\
own_rules:
  node-has-owner:
    kind: node template
    type: Server
    condition: { $has_key: [ { $value: [ metadata ] }, owner ] }
    message: \"`{name}` does not say who owns it\"
    help: 'add `metadata: { owner: … }`'
    level: deny
  no-password:
    path: \"**/properties/{password,passwd}\"
    condition: false
    message: \"`{name}` should not be called so\"
  small-letters:
    kind: input
    condition: false
    message: never looked for
    level: allow
  input-name:
    kind: parameter definition
    path: \"service_template/inputs/*\"
    condition: { $matches: [ { $value: [ name ] }, '^[a-z]+(_[a-z]+)*$' ] }
    message: \"`{name}` is not in small letters\"
  few-cores:
    kind: node template
    condition: { $or: [ { $not: { $has_key: [ { $value: [ properties ] }, cores ] } }, { $less_than: [ { $value: [ properties, cores ] }, 9 ] } ] }
    message: \"`{name}` has too many cores\"
";

const SERVICE: &str = "\
tosca_definitions_version: tosca_2_0
node_types:
  Server: { properties: { cores: { type: integer, default: 1 }, password: { type: string, required: false } } }
  Large: { derived_from: Server }
  Other: {}
service_template:
  inputs:
    cores: { type: integer }
    maxCores: { type: integer }
  node_templates:
    one: { type: Server, metadata: { owner: me } }
    two: { type: Server, properties: { cores: 16 } }
    three: { type: Large, properties: { cores: { $get_input: cores } }, metadata: {} }
    # tosca-parse: ignore[node-has-owner] nobody's
    four: { type: Server }
    other: { type: Other }
";

fn project(config: &str) -> Folder {
    Folder::new(&[("tosca-parse.yaml", config), ("service.yaml", SERVICE)])
}

#[test]
fn what_does_not_fulfil_a_condition_is_reported() {
    // There is no kind `input`, which is what inputs are called elsewhere.
    let folder = project(&CONFIG.replace("kind: input\n", "kind: parameter definition\n"));
    let run = folder.run("service.yaml --format concise");
    assert_eq!(run.code, 1);
    insta::assert_snapshot!(run.out);
    let run = folder.run("service.yaml --format sarif");
    assert!(run.out.contains("\"ruleId\": \"node-has-owner\""), "{}", run.out);
    // What is imported is looked at when it is read itself.
    folder.write("entry.yaml", "tosca_definitions_version: tosca_2_0\nimports: [ service.yaml ]\n");
    let run = folder.run("entry.yaml");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert_eq!(folder.run("service.yaml --no-config").code, 0);
}

#[test]
fn rules_of_the_project_are_listed_and_explained() {
    let folder = project(&CONFIG.replace("kind: input\n", "kind: parameter definition\n"));
    let run = folder.run("rules");
    let own: Vec<&str> = run.out.lines().filter(|line| line.starts_with("own")).collect();
    insta::assert_snapshot!(own.join("\n"));
    let run = folder.run("explain node-has-owner");
    insta::assert_snapshot!(run.all());
    assert_eq!(folder.run("explain node-has-owners").code, 2);
    let run = folder.run("config show service.yaml");
    insta::assert_snapshot!(run.out);
}

#[test]
fn what_is_wrong_with_a_declaration_is_told() {
    let mut told = String::new();
    for (before, after) in [
        ("kind: node template\n    type", "kind: node templet\n    type"),
        ("$has_key: [ {", "$has_kye: [ {"),
        ("$has_key: [ {", "$get_property: [ {"),
        ("node-has-owner:", "Node_has_owner:"),
        ("node-has-owner:", "unknown-name:"),
        ("level: deny", "level: denied"),
        (
            "    condition: false\n    message: \"`{name}` should",
            "    condition: [ 1 ]\n    message: \"`{name}` should",
        ),
        ("    path: \"**/properties/{password,passwd}\"\n", ""),
        ("message: never", "mesage: never"),
    ] {
        let config = CONFIG.replace("kind: input\n", "kind: parameter definition\n");
        let folder = project(&config.replace(before, after));
        let run = folder.run("service.yaml");
        assert_eq!(run.code, 2, "{after}: {}", run.all());
        told.push_str(&run.err);
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_project_comes_before_the_user() {
    let folder =
        project("own_rules: { no-other: { kind: node template, type: Other, condition: false, message: mine } }\n");
    let user = "own_rules: { no-other: { kind: node template, condition: false, message: theirs }, no-file: { path: tosca_definitions_version, condition: false, message: nothing } }\n";
    folder.write(".config/tosca-parse/config.yaml", user);
    let run = folder.run("service.yaml --format concise --allow T1601");
    let lines: Vec<&str> = run.out.lines().collect();
    let expected = ["service.yaml:1:1: warning[no-file]: nothing", "service.yaml:16:5: warning[no-other]: mine"];
    assert_eq!(lines.len(), 3, "{}", run.out);
    assert!(expected.iter().all(|line| lines.contains(line)), "{}", run.out);
}
