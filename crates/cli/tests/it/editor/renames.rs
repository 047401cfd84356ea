//! Renames whose edits are applied.

use serde_json::{Value, json};

use super::client::edits_of;
use super::desk::Desk;
use super::refactor::edited;

/// Returns the parameters of a request at the nth occurrence of a word.
fn at(desk: &Desk, file: &str, text: &str, (word, number): (&str, usize)) -> Value {
    let (start, _) = text.match_indices(word).nth(number).unwrap();
    let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let place =
        json!({ "line": text[..start].matches('\n').count(), "character": text[line..start].encode_utf16().count() });
    json!({ "textDocument": { "uri": desk.uri(file) }, "position": place })
}

/// Renames what the nth occurrence of a word refers to; returns the text of each changed file.
fn renamed(
    desk: &mut Desk,
    files: &[(&str, &str)],
    word: (&str, usize),
    new: &str,
) -> Result<Vec<(String, String)>, String> {
    let (file, text) = files[0];
    let mut params = at(desk, file, text, word);
    params["newName"] = new.into();
    let answer = desk.ask("textDocument/rename", params)?;
    let changed = edits_of(&answer).into_iter().map(|(uri, edits)| {
        let name = desk.name(&uri).to_owned();
        let (_, text) = files.iter().find(|(file, _)| *file == name).unwrap();
        (name, edited(text, &edits))
    });
    Ok(changed.collect())
}

/// Asserts that a rename in an only file replaces the word everywhere, and that the file remains as valid as before.
fn assert_renamed(file: &str, text: &str, (word, new): (&str, &str)) {
    let mut desk = Desk::new(&json!({}), &[]);
    desk.open(file, text);
    let codes = |desk: &Desk| desk.codes(file).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(codes(&desk), [""; 0], "{text}");
    let expected = vec![(file.to_owned(), text.replace(word, new))];
    for number in 0..text.matches(word).count() {
        let found = renamed(&mut desk, &[(file, text)], (word, number), new);
        assert_eq!(found.as_ref(), Ok(&expected), "occurrence {number} of {word}");
    }
    desk.replace(file, &expected[0].1);
    assert_eq!(codes(&desk), [""; 0], "{}", expected[0].1);
}

const TYPES: &str = "tosca_definitions_version: tosca_2_0
capability_types: { Feature: { attributes: { state: { type: string } } } }
relationship_types: { Uses: {} }
policy_types: { Rule: {} }
group_types: { Unit: {} }
interface_types: { Life: { operations: { start: {} } } }
node_types:
  Thing:
    properties: { size: { type: integer, default: 1 } }
    attributes: { state: { type: string } }
    capabilities: { feature: { type: Feature } }
    requirements: [ peer: { capability: Feature, relationship: Uses, count_range: [ 0, 5 ] } ]
    interfaces: { Life: { type: Life } }
";

const SERVICE: &str = "
service_template:
  inputs: { amount: { type: integer, default: 2 } }
  node_templates:
    store: { type: Thing, properties: { size: { $get_input: amount } } }
    web:
      type: Thing
      requirements: [ peer: store, peer: { node: store } ]
      properties: { size: { $get_property: [ store, size ] } }
  groups: { unit: { type: Unit, members: [ web, store ] } }
  policies: [ rule: { type: Rule, targets: [ store ] } ]
  workflows:
    deploy: { steps: { one: { target: store, activities: [ call_operation: Life.start ] } } }
  substitution_mappings:
    node_type: Thing
    properties: { size: amount }
    capabilities: { feature: [ store, feature ] }
  outputs:
    état: { value: { $concat: [ 'größe 😀', { $get_attribute: [ store, state ] } ] } }
    size: { value: { $get_input: amount } }
";

#[test]
fn all_uses_of_a_node_are_renamed() {
    let text = format!("{TYPES}{SERVICE}");
    assert_renamed("a.yaml", &text, ("store", "depôt"));
    assert_renamed("a.yaml", &text, ("amount", "number"));
    assert_renamed("a.yaml", &text.replace('\n', "\r\n"), ("store", "depot"));
    assert_renamed("a.yaml", &format!("\u{feff}{text}"), ("store", "depot"));
}

#[test]
fn uses_in_json_and_quotes_are_renamed() {
    let json = r#"{ "tosca_definitions_version": "tosca_2_0", "node_types": { "Größe😀": {} },
  "service_template": { "node_templates": {}, "inputs": { "count": { "type": "integer", "default": 1 } },
    "outputs": { "ä😀": { "value": { "$get_input": "count" } }, "b": { "value": { "$get_input": [ "count" ] } } } } }
"#;
    assert_renamed("a.json", json, ("count", "number"));
    let quoted = "tosca_definitions_version: tosca_2_0
service_template:
  node_templates: {}
  inputs: { \"count\": { type: integer, default: 1 } }
  outputs: { o: { value: { $sum: [ { $get_input: 'count' }, { $get_input: [ \"count\" ] } ] } } }
";
    assert_renamed(
        "a.yaml",
        &quoted.replace("$sum", "$concat").replace("type: integer, default: 1", "type: string"),
        ("count", "number"),
    );
}

#[test]
fn names_of_1_3_and_heat_are_renamed() {
    let simple = "tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs: { count: { type: integer, default: 1 } }
  node_templates:
    store: { type: tosca.nodes.Compute, capabilities: { host: { properties: { num_cpus: { get_input: count } } } } }
    web: { type: tosca.nodes.SoftwareComponent, requirements: [ { host: store } ] }
  groups: { unit: { type: tosca.groups.Root, members: [ web, store ] } }
  policies: [ { rule: { type: tosca.policies.Scaling, targets: [ store ] } } ]
  outputs: { o: { value: { get_attribute: [ store, tosca_name ] } } }
";
    assert_renamed("a.yaml", simple, ("store", "depot"));
    assert_renamed("a.yaml", simple, ("count", "number"));
    let heat = "heat_template_version: 2021-04-16
resources:
  store: { type: OS::Heat::RandomString }
  web: { type: OS::Heat::Value, depends_on: store, properties: { value: { get_attr: [ store, value ] } } }
outputs: { o: { value: { get_resource: store } } }
";
    assert_renamed("a.yaml", heat, ("store", "depot"));
}

#[test]
fn keywords_are_not_renamed() {
    let text = format!("{TYPES}{SERVICE}").replace("[ store, state ]", "[ SELF, state ]");
    let text = text.replace(
        "properties: { size: { $get_property: [ store, size ] } }",
        "properties: { size: { $get_property: [ SELF, size ] } }",
    );
    let mut desk = Desk::new(&json!({}), &[]);
    desk.open("a.yaml", &text);
    let mut refused = |word: (&str, usize), new: &str| renamed(&mut desk, &[("a.yaml", &text)], word, new).unwrap_err();
    assert_eq!(refused(("SELF", 0), "OTHER"), "there is no name to rename here");
    assert_eq!(refused(("store", 0), "SELF"), "`SELF` is a reserved word");
    assert!(refused(("store", 0), "web").contains("is already known"), "{}", refused(("store", 0), "web"));
}

#[test]
fn edits_have_the_form_that_the_editor_supports() {
    let files = [("types.yaml", TYPES)];
    let service = SERVICE.replacen('\n', "tosca_definitions_version: tosca_2_0\nimports: [ types.yaml ]\n", 1);
    for (capabilities, is_versioned) in [
        (json!({}), false),
        (json!({ "workspace": { "workspaceEdit": { "documentChanges": true } } }), true),
        (json!({ "general": { "positionEncodings": [ "utf-8", "utf-32", "utf-16" ] } }), false),
    ] {
        let mut desk = Desk::new(&capabilities, &files);
        desk.open("service.yaml", &service);
        let mut params = at(&desk, "service.yaml", &service, ("Thing", 0));
        params["newName"] = "Object".into();
        let answer = desk.ask("textDocument/rename", params).unwrap();
        if is_versioned {
            let versions: Vec<_> = answer["documentChanges"]
                .as_array()
                .unwrap()
                .iter()
                .map(|change| {
                    let document = &change["textDocument"];
                    (desk.name(document["uri"].as_str().unwrap()).to_owned(), document["version"].is_number())
                })
                .collect();
            // A file that is not open has no version.
            assert_eq!(versions, [("service.yaml".to_owned(), true), ("types.yaml".to_owned(), false)]);
            assert_eq!(answer["changes"], Value::Null);
        } else {
            assert_eq!(answer["changes"].as_object().unwrap().len(), 2);
            assert_eq!(answer["documentChanges"], Value::Null);
        }
        let changed = edits_of(&answer);
        let text = |file: &str, text: &str| edited(text, &changed[&desk.uri(file)]);
        assert_eq!(text("service.yaml", &service), service.replace("Thing", "Object"));
        assert_eq!(text("types.yaml", TYPES), TYPES.replace("Thing", "Object"));
    }
}

#[test]
fn classes_are_renamed_and_described_where_they_are_declared() {
    let manifest = "Format: 1.4\nType: Library\nFullName: com.example.net\nName: Net\nClasses:\n  com.example.net.Address: Address.yaml\n  com.example.net.Port: Port.yaml\n";
    let address = "Namespaces:\n  =: com.example.net\nName: Address\nProperties:\n  text: { Contract: $.string() }\n";
    let port = "Namespaces:\n  =: com.example.net\n  net: com.example.net\nName: Port\nExtends: net:Address\n";
    let files = [("Classes/Address.yaml", address), ("Classes/Port.yaml", port), ("manifest.yaml", manifest)];
    let mut desk = Desk::new(&json!({}), &files);
    desk.open("Classes/Address.yaml", address);
    let params = at(&desk, "Classes/Address.yaml", address, ("Address", 0));
    let hover = desk.ask("textDocument/hover", params.clone()).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("com.example.net.Address"), "{hover}");
    assert_eq!(desk.ask("textDocument/prepareRename", params).unwrap()["placeholder"], "Address");
    let changed = renamed(&mut desk, &files, ("Address", 0), "Location").unwrap();
    let expected: Vec<(String, String)> = [
        ("Classes/Address.yaml", address.replace("Address", "Location")),
        ("Classes/Port.yaml", port.replace("Address", "Location")),
        ("manifest.yaml", manifest.replace("net.Address", "net.Location")),
    ]
    .map(|(file, text)| (file.to_owned(), text))
    .to_vec();
    assert_eq!(changed, expected);
    assert!(
        renamed(&mut desk, &files, ("Address", 0), "a.Location").unwrap_err().contains("a namespace can't be changed")
    );
    // An expression is not a name that can be replaced.
    let port = port.to_owned() + "Properties:\n  other: { Contract: $.class(Address) }\n";
    desk.open("Classes/Port.yaml", &port);
    assert!(renamed(&mut desk, &files, ("Address", 0), "Location").unwrap_err().contains("in an expression"));
}

/// The class of an object in an expression may be unknown, so a member that an expression names keeps its name.
#[test]
fn members_in_expressions_are_not_renamed() {
    let manifest = "Format: 1.4\nType: Library\nFullName: t\nClasses:\n  t.A: A.yaml\n  t.B: B.yaml\n";
    let class = "Namespaces: { =: t }\nName: A\nProperties:\n  count: { Contract: $.int() }\n  size: { Contract: $.int() }\n  depth: { Contract: $.int() }\n";
    let user = "Namespaces: { =: t }\nName: B\nMethods:\n  m:\n    Arguments: { other: { Contract: $ } }\n    Body:\n      - Return: $other.count\n";
    let model = "'?': { type: t.A, id: a }\nsize: 1\n";
    let files =
        [("Classes/A.yaml", class), ("Classes/B.yaml", user), ("manifest.yaml", manifest), ("model.yaml", model)];
    let mut desk = Desk::new(&json!({}), &files);
    desk.open("Classes/A.yaml", class);
    let error = renamed(&mut desk, &files, ("count", 0), "total").unwrap_err();
    assert!(error.contains("B.yaml uses `count` in an expression"), "{error}");
    let error = renamed(&mut desk, &files, ("size", 0), "volume").unwrap_err();
    assert!(error.contains("model.yaml would have a new problem"), "{error}");
    let changed = renamed(&mut desk, &files, ("depth", 0), "height").unwrap();
    assert_eq!(changed, [("Classes/A.yaml".to_owned(), class.replace("depth", "height"))]);
    desk.open("Classes/B.yaml", user);
    for request in ["prepareRename", "rename"] {
        let mut params = at(&desk, "Classes/B.yaml", user, ("count", 0));
        params["newName"] = json!("total");
        let error = desk.ask(&format!("textDocument/{request}"), params).unwrap_err();
        assert!(error.contains("names in expressions can't be renamed"), "{request}: {error}");
    }
}

#[test]
fn classes_are_renamed_from_manifests_and_object_models() {
    let manifest = "Format: 1.4\nType: Library\nFullName: com.example.Shop\nClasses:\n  com.example.Shop: Shop.yaml\n  com.example.Door: Door.yaml\n";
    let shop =
        "Namespaces:\n  =: com.example\nName: Shop\nProperties:\n  door: { Contract: $.class(com.example.Door) }\n";
    let shop = shop.replace("$.class(com.example.Door)", "$");
    let door = "Namespaces:\n  =: com.example\nName: Door\nExtends: Shop\n";
    let model = "Objects:
  ?: { type: com.example.Shop/0.0.0@com.example.Shop, id: 1 }
  door: { ?: { type: \"com.example.Shop\", id: 2 } }
";
    let mut files = vec![
        ("manifest.yaml", manifest),
        ("Classes/Shop.yaml", &*shop),
        ("Classes/Door.yaml", door),
        ("model.yaml", model),
    ];
    let mut desk = Desk::new(&json!({}), &files);
    let store = |text: &str| text.replace("Shop", "Store");
    let expected = vec![
        ("Classes/Door.yaml".to_owned(), store(door)),
        ("Classes/Shop.yaml".to_owned(), store(&shop)),
        ("manifest.yaml".to_owned(), manifest.replace("Shop: Shop", "Store: Shop")),
        (
            "model.yaml".to_owned(),
            model
                .replace("type: com.example.Shop", "type: com.example.Store")
                .replace("\"com.example.Shop", "\"com.example.Store"),
        ),
    ];
    desk.open("manifest.yaml", manifest);
    let params = at(&desk, "manifest.yaml", manifest, ("com.example.Shop:", 0));
    assert_eq!(desk.ask("textDocument/prepareRename", params).unwrap()["placeholder"], "com.example.Shop");
    assert_eq!(renamed(&mut desk, &files, ("com.example.Shop:", 0), "com.example.Store"), Ok(expected.clone()));
    let refused = renamed(&mut desk, &files, ("com.example.Shop:", 0), "org.example.Shop").unwrap_err();
    assert!(refused.contains("a short form of `com.example.Shop`"), "{refused}");
    let refused = renamed(&mut desk, &files, ("com.example.Shop:", 0), "com.example.Door").unwrap_err();
    assert!(refused.contains("is already known") || refused.contains("already has"), "{refused}");
    desk.open("model.yaml", model);
    files.rotate_right(1);
    assert_eq!(renamed(&mut desk, &files, ("com.example.Shop", 0), "com.example.Store"), Ok(expected));
}

/// A service that maps members of its node type to those of a node template.
const MAPPED: &str = "tosca_definitions_version: tosca_2_0
capability_types: { Feature: {} }
relationship_types: { Uses: {} }
interface_types: { Life: { operations: { start: {} } } }
node_types:
  Shop:
    properties: { size: { type: integer } }
    attributes: { mode: { type: string } }
    capabilities: { door: Feature }
    requirements: [ stock: { capability: Feature, relationship: Uses, count_range: [ 0, 1 ] } ]
    interfaces: { life: { type: Life } }
  Inner:
    capabilities: { gate: Feature }
    requirements: [ goods: { capability: Feature, relationship: Uses, count_range: [ 0, 1 ] } ]
service_template:
  inputs: { wanted: { type: integer } }
  outputs: { known: { type: string, value: open } }
  node_templates: { one: { type: Inner } }
  substitution_mappings:
    node_type: Shop
    properties: { size: wanted }
    attributes: { mode: known }
    capabilities: { door: [ one, gate ] }
    requirements: [ stock: [ one, goods ] ]
    interfaces: { life: { start: begin } }
  workflows: { begin: { steps: { only: { target: one, activities: [ set_state: ready ] } } } }
";

#[test]
fn members_of_node_types_are_renamed_in_substitution_mappings() {
    for word in ["size", "mode", "door", "gate", "stock", "goods", "life", "start", "begin", "one"] {
        assert_renamed("mapped.yaml", MAPPED, (word, "renamed"));
    }
}

#[test]
fn members_are_renamed_in_lists_that_are_keys() {
    let text = MAPPED
        .replace(
            "capability_types: { Feature: {} }",
            "capability_types: { Feature: { properties: { width: { type: integer } } } }",
        )
        .replace("properties: { size: wanted }", "properties: { size: wanted, [ CAPABILITY, door, width ]: wanted }")
        .replace("requirements: [ stock: [ one, goods ] ]", "requirements: [ { [ stock, 1 ]: [ one, goods ] } ]")
        .replace(
            "node_templates: { one: { type: Inner } }",
            "node_templates: { one: { type: Inner, capabilities: { gate: { properties: { width: 1 } } } } }",
        );
    for word in ["stock", "door", "width", "goods"] {
        assert_renamed("mapped.yaml", &text, (word, "renamed"));
    }
}

#[test]
fn members_are_renamed_in_the_mappings_of_other_files() {
    let types =
        "tosca_definitions_version: tosca_2_0\nnode_types: { Shop: { properties: { size: { type: integer } } } }\n";
    let service = "tosca_definitions_version: tosca_2_0\nimports: [ types.yaml ]\nservice_template:\n  inputs: { wanted: { type: integer } }\n  substitution_mappings: { node_type: Shop, properties: { size: wanted } }\n";
    let mut desk = Desk::new(&json!({}), &[]);
    desk.open("types.yaml", types);
    desk.open("service.yaml", service);
    let files = [("types.yaml", types), ("service.yaml", service)];
    let mut found = renamed(&mut desk, &files, ("size", 0), "extent").unwrap();
    found.sort();
    let expected: Vec<(String, String)> =
        [files[1], files[0]].iter().map(|(file, text)| ((*file).to_owned(), text.replace("size", "extent"))).collect();
    assert_eq!(found, expected);
}

#[test]
fn custom_functions_are_renamed_in_calls() {
    assert_renamed(
        "service.yaml",
        "tosca_definitions_version: tosca_2_0
functions:
  shout: { signatures: [ { arguments: [ { type: string } ], result: { type: string }, implementation: a.py } ] }
node_types:
  Thing: { properties: { label: { type: string, default: { $shout: [ a ] } } } }
service_template:
  node_templates:
    thing: { type: Thing, properties: { label: { $shout: [ { \"$shout\": [ b ] } ] } } }
  outputs: { label: { value: { $concat: [ { $shout: [ c ] }, d ] } } }
",
        ("shout", "whisper"),
    );
}

#[test]
fn custom_functions_are_renamed_in_files_that_import_them() {
    let types = "tosca_definitions_version: tosca_2_0
functions:
  up: { signatures: [ { arguments: [ { type: string } ], result: { type: string }, implementation: up.py } ] }
  down: { signatures: [ { arguments: [ { type: string } ], result: { type: string }, implementation: up.py } ] }
";
    let service = "tosca_definitions_version: tosca_2_0
imports: [ types.yaml, { url: types.yaml, namespace: o } ]
service_template:
  outputs:
    one: { value: { $up: [ { \"$o:up\": [ { $down: [ up ] } ] } ] } }
";
    let files = [("service.yaml", service), ("types.yaml", types)];
    let mut desk = Desk::new(&json!({}), &files);
    desk.open("service.yaml", service);
    let expected = vec![
        ("service.yaml".to_owned(), service.replace("$up", "$rise").replace("o:up", "o:rise")),
        ("types.yaml".to_owned(), types.replace("  up:", "  rise:")),
    ];
    for word in ["$up", "$o:up"] {
        assert_eq!(renamed(&mut desk, &files, (word, 0), "rise").as_ref(), Ok(&expected), "{word}");
    }
    let refused = renamed(&mut desk, &files, ("$up", 0), "down").unwrap_err();
    assert!(refused.contains("already"), "{refused}");
}

const CALLS: &str = "tosca_definitions_version: tosca_2_0
interface_types: { Life: { operations: { start: { inputs: { delay: { type: integer, default: 1 } } } } } }
node_types:
  Thing:
    attributes: { place: { type: string } }
    interfaces: { life: { type: Life, operations: { start: { outputs: { there: [ SELF, place ] } } } } }
service_template:
  inputs: { label: { type: string, default: a } }
  node_templates:
    thing:
      type: Thing
      interfaces: { life: { operations: { start: { outputs: { where: [ SELF, place ] } } } } }
  workflows:
    first:
      inputs: { speed: { type: integer, default: 1 } }
      steps:
        only:
          target: thing
          activities: [ call_operation: { operation: life.start, inputs: { delay: { $get_input: speed } } } ]
    second:
      steps: { only: { target: thing, activities: [ inline: { workflow: first, inputs: { speed: 2 } } ] } }
";

#[test]
fn inputs_are_renamed_in_calls_and_attributes_in_mappings() {
    for word in ["delay", "speed", "place"] {
        assert_renamed("service.yaml", CALLS, (word, "other"));
    }
}

#[test]
fn targets_of_substitution_mappings_are_renamed() {
    let service = "tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  App:
    derived_from: tosca.nodes.Root
    properties: { title: { type: string } }
    requirements: [ link: { capability: tosca.capabilities.Node, occurrences: [ 0, 1 ] } ]
topology_template:
  inputs: { caption: { type: string, default: a } }
  node_templates:
    server: { type: App, properties: { title: { get_input: caption } } }
  substitution_mappings:
    node_type: App
    properties: { title: [ caption ] }
    requirements: { link: [ server, link ] }
";
    for word in ["caption", "server"] {
        assert_renamed("service.yaml", service, (word, "other"));
    }
}

#[test]
fn members_of_nested_templates_are_renamed() {
    let nested = "heat_template_version: 2018-08-31
parameters: { name: { type: string } }
resources: { net: { type: 'OS::Neutron::Net', properties: { name: { get_param: name } } } }
outputs: { id: { value: { get_resource: net } } }
";
    let main = "heat_template_version: 2018-08-31
resources:
  one: { type: nested.yaml, properties: { name: a } }
  many:
    type: OS::Heat::ResourceGroup
    properties: { count: 2, resource_def: { type: nested.yaml, properties: { name: b } } }
outputs: { id: { value: { get_attr: [ one, id ] } } }
";
    let files = [("nested.yaml", nested), ("main.yaml", main)];
    let mut desk = Desk::new(&json!({}), &files);
    desk.open("nested.yaml", nested);
    let new = vec![
        ("main.yaml".to_owned(), main.replace("name:", "label:")),
        (
            "nested.yaml".to_owned(),
            nested.replace("{ name: { type", "{ label: { type").replace("get_param: name", "get_param: label"),
        ),
    ];
    assert_eq!(renamed(&mut desk, &files, ("name", 0), "label"), Ok(new));
    let new = vec![
        ("main.yaml".to_owned(), main.replace("one, id", "one, number")),
        ("nested.yaml".to_owned(), nested.replace("{ id:", "{ number:")),
    ];
    assert_eq!(renamed(&mut desk, &files, ("id", 0), "number"), Ok(new));
}
