//! Completion in unfinished text.

use insta::assert_snapshot;
use serde_json::json;

use super::asks::at;
use super::client::{Editor, modern, range};

const TYPES: &str = "tosca_definitions_version: tosca_2_0
description: What shops are made of
data_types:
  Address:
    properties:
      street: { type: string }
      city: { type: string, validation: { $valid_values: [ $value, [ Vienna, Graz ] ] } }
capability_types:
  Endpoint: { properties: { port: { type: integer } } }
  Storage: {}
relationship_types: { ConnectsTo: {} }
node_types:
  Base:
    description: What all have
    properties:
      owner: { type: string, default: ada, description: Who pays }
  Server:
    derived_from: Base
    properties:
      secure: { type: boolean }
      address: { type: Address }
    capabilities:
      endpoint: Endpoint
    requirements:
      - database: { capability: Storage, relationship: ConnectsTo }
  Database:
    derived_from: Base
    capabilities: { storage: Storage }
";

/// Records at most `most` proposals at the `|` of each ending of a text.
fn propose(editor: &mut Editor, start: &str, ends: &[&str], most: usize) {
    editor.write("types.yaml", TYPES);
    for (number, end) in ends.iter().enumerate() {
        let (before, after) = end.split_once('|').unwrap();
        let before = format!("{start}{before}");
        let line = before.matches('\n').count();
        let last = before.rsplit('\n').next().unwrap();
        let file = format!("{number}-{}.yaml", editor.seen.len());
        editor.open(&file, &format!("{before}{after}"));
        let items = editor.complete(&file, line, last.encode_utf16().count());
        editor.see(&end.replace('\n', "⏎"));
        for item in items.iter().take(most) {
            editor.see(&format!("    {item}"));
        }
        if items.len() > most {
            editor.see(&format!("    and {} more", items.len() - most));
        }
        editor.close(&file);
    }
}

#[test]
fn keynames_of_the_version_and_the_place() {
    let mut editor = Editor::new(&modern());
    let new = "tosca_definitions_version: tosca_2_0\n";
    let ends = [
        "ser|",
        "node_types:\n  Server:\n    de|",
        "node_types:\n  Server: { properties: { port: { type: integer, va|",
    ];
    propose(&mut editor, new, &ends, 8);
    let old = "tosca_definitions_version: tosca_simple_yaml_1_3\n";
    let ends = [
        "top|",
        "node_types:\n  Server:\n    derived_from: tosca.nodes.Root\n    |",
        "node_types:\n  Server:\n    properties:\n      port: { type: integer, con| }\n",
        "node_types:\n  Server:\n    |derived_from: tosca.nodes.Root\n",
    ];
    propose(&mut editor, old, &ends, 8);
    assert_snapshot!(editor.seen);
}

#[test]
fn what_a_type_has() {
    let mut editor = Editor::new(&modern());
    let start = "tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  inputs: { where: { type: string } }
  node_templates:
    db: { type: Database, properties: { owner: ada } }
    other: { type: Server }
    web:
      ";
    let ends = [
        "type: Ser|",
        "type: Server\n      properties:\n        |",
        "type: Server\n      properties:\n        ow|",
        "type: Server\n      properties:\n        secure: |",
        "type: Server\n      properties:\n        address:\n          |",
        "type: Server\n      properties:\n        address:\n          city: |",
        "type: Server\n      properties:\n        owner: { $get_input: wh|",
        "type: Server\n      properties:\n        owner: { $get_property: [ S|",
        "type: Server\n      properties:\n        owner: { $get_property: [ SELF, o| ] }",
        "type: Server\n      properties: { owner: $get_in|",
        "type: Server\n      capabilities:\n        |",
        "type: Server\n      capabilities: { endpoint: { properties: { |",
        "type: Server\n      requirements:\n      - da|",
        "type: Server\n      requirements:\n      - database: |",
        "type: Server\n      requirements:\n      - database: { node: |",
        "type: Server\n      requirements:\n      - database: { node: db, capability: |",
    ];
    propose(&mut editor, start, &ends, 4);
    assert_snapshot!(editor.seen);
}

#[test]
fn names_and_files_in_imports() {
    let mut editor = Editor::new(&modern());
    editor.write("other.json", "{}");
    editor.write("notes.txt", "");
    std::fs::create_dir(editor.path("lib")).unwrap();
    editor.write("lib/base.yaml", "");
    let start = "tosca_definitions_version: tosca_2_0\nimports:\n";
    propose(&mut editor, start, &["- |", "- lib/|", "- url: ty|", "- { profile: org.oasis|"], 9);
    let own = "imports:\n- url: types.yaml\n  namespace: shop\nnode_types:\n  Shop: { derived_from: Ba|";
    propose(&mut editor, "tosca_definitions_version: tosca_2_0\n", &[own], 9);
    assert_snapshot!(editor.seen);
}

#[test]
fn words_and_versions() {
    let mut editor = Editor::new(&modern());
    let start = "tosca_definitions_version: tosca_simple_yaml_1_3\nnode_types:\n  Server:\n    ";
    let ends = [
        "derived_from: tosca.nodes.Comp|",
        "derived_from: Compu|",
        "properties: { port: { type: int|",
        "properties: { port: { type: integer, status: |",
        "properties: { port: { type: integer, required: | } }",
    ];
    propose(&mut editor, start, &ends, 6);
    propose(&mut editor, "", &["tosca_definitions_version: tosca_|\n"], 9);
    assert_snapshot!(editor.seen);
}

#[test]
fn nothing_in_comments_and_in_yaml_of_others() {
    let mut editor = Editor::new(&modern());
    propose(&mut editor, "tosca_definitions_version: tosca_2_0", &[" # see|\n"], 6);
    propose(&mut editor, "", &["ki|\n"], 6);
    assert_snapshot!(editor.seen);
}

#[test]
fn types_that_are_not_imported_yet() {
    let mut editor = Editor::new(&modern());
    editor.open("types.yaml", TYPES);
    let head = "tosca_definitions_version: tosca_2_0\n";
    let end = "node_types:\n  Shop: { derived_from: Ba";
    std::fs::create_dir(editor.path("lib")).unwrap();
    let starts = ["", "imports: [ a.yaml ]\n", "imports: []\n", "imports:\n  - a.yaml # for A\n", "imports:\n"];
    for (number, imports) in starts.iter().enumerate() {
        let file = format!("lib/{number}.yaml");
        let text = format!("{head}{imports}{end}");
        editor.open(&file, &text);
        // The index of other files is complete when there is nothing left to parse.
        editor.ask("workspace/symbol", json!({ "query": "" }));
        let position = json!({ "line": text.matches('\n').count(), "character": 26 });
        let document = json!({ "textDocument": { "uri": editor.uri(&file) }, "position": position });
        let list = editor.ask("textDocument/completion", document);
        editor.see(&format!("== {imports:?}"));
        for item in list["items"].as_array().unwrap() {
            let edit = &item["additionalTextEdits"][0];
            editor.see(&format!(
                "{} ({}) {} {}",
                item["label"],
                item["detail"],
                range(&edit["range"]),
                edit["newText"]
            ));
        }
    }
    assert_snapshot!(editor.seen);
}

#[test]
fn required_members_are_inserted_together() {
    let mut editor = Editor::new(&modern());
    editor.write("types.yaml", TYPES);
    let text = "tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  node_templates:
    web:
      type: Server
      pro";
    editor.open("web.yaml", text);
    let found = editor.complete("web.yaml", 6, 9);
    let block = "properties … → \"properties:\\n        secure: ${1}\\n        address:\\n          street: ${2}\\n          city: ${3}\" (required: secure, address)";
    assert!(found.iter().any(|item| item == block), "{found:?}");
    editor.replace("web.yaml", &format!("{text}perties:\n        "));
    let found = editor.complete("web.yaml", 7, 8);
    let expected = [
        "secure → \"secure: \" (boolean, required)",
        "address → \"address: \" (Address, required)",
        "address … → \"address:\\n          street: ${1}\\n          city: ${2}\" (Address, required; its required fields: street, city)",
        "owner → \"owner: \" (string)",
    ];
    assert_eq!(found, expected);
    // An editor that does not support snippets gets none.
    let mut editor = Editor::new(&super::client::plain());
    editor.write("types.yaml", TYPES);
    editor.open("web.yaml", text);
    let found = editor.complete("web.yaml", 6, 9);
    assert!(!found.iter().any(|item| item.contains('…')), "{found:?}");
    editor.see_problems();
}

#[test]
fn new_templates_are_inserted_with_their_required_members() {
    let mut editor = Editor::new(&modern());
    let types = TYPES.replace("ConnectsTo }\n", "ConnectsTo, count_range: [ 1, 1 ] }\n");
    editor.write("types.yaml", &types);
    let text = "tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  node_templates:
    ";
    let found = proposals(&mut editor, &format!("{text}|"));
    let server = "Server … → \"${1:server}:\\n      type: Server\\n      properties:\\n        secure: ${2}\\n        address:\\n          street: ${3}\\n          city: ${4}\\n      requirements:\\n        - database: ${5}\" (new node template, required: secure, address, database)";
    assert!(found.iter().any(|item| item == server), "{found:?}");
    let base = "Base … → \"${1:base}:\\n      type: Base\" (new node template)";
    assert!(found.iter().any(|item| item == base), "{found:?}");
    // A name that has been typed is kept, and the type can be chosen.
    let found = proposals(&mut editor, &format!("{text}web|"));
    assert_eq!(found, ["web … → \"web:\\n      type: ${1|Base,Database,Server|}\" (new node template)"]);
    // In brackets, they are in one line.
    for end in ["{ |", "{ | }", "{\n      |\n    }", "{ a: { type: Base },\n      |\n    }"] {
        let found = proposals(&mut editor, &format!("{} {end}", text.trim_end()));
        let address = "address: { street: ${3}, city: ${4} }";
        let server = format!(
            "Server … → \"${{1:server}}: {{ type: Server, properties: {{ secure: ${{2}}, {address} }}, requirements: [ {{ database: ${{5}} }} ] }}\" (new node template, required: secure, address, database)"
        );
        assert!(found.contains(&server), "{end} {found:?}");
    }
    let found = proposals(&mut editor, &format!("{} {{ a: {{ type: Server, prop| }} }}", text.trim_end()));
    let block = "properties … → \"properties: { secure: ${1}, address: { street: ${2}, city: ${3} } }\" (required: secure, address)";
    assert_eq!(found, [block, "properties → \"properties: \""]);
    // They need support for snippets.
    let mut editor = Editor::new(&super::client::plain());
    editor.write("types.yaml", TYPES);
    let found = proposals(&mut editor, &format!("{text}|"));
    assert_eq!(found, [""; 0]);
    editor.see_problems();
}

/// Returns the proposals at the `|` of a text.
fn proposals(editor: &mut Editor, text: &str) -> Vec<String> {
    let (before, after) = text.split_once('|').unwrap();
    let (line, last) = (before.matches('\n').count(), before.rsplit('\n').next().unwrap());
    editor.open("service.yaml", &format!("{before}{after}"));
    editor.complete("service.yaml", line, last.encode_utf16().count())
}

const QUOTED: &str = "tosca_definitions_version: tosca_2_0
node_types:
  'a: b':
    properties:
      'c: d': { type: string }
      '# $e': { type: string, required: false, validation: { $valid_values: [ $value, [ '1', 'x: y', z ] ] } }
    requirements:
    - '[h]': { capability: Host, relationship: On, count_range: [ 2, 2 ] }
capability_types: { Host: {} }
relationship_types: { On: {} }
service_template:
  node_templates:
    n:
";

#[test]
fn proposed_names_are_quoted_if_necessary() {
    let mut editor = Editor::new(&modern());
    let mut propose = |end: &str| proposals(&mut editor, &format!("{QUOTED}      {end}"));
    assert_eq!(propose("type: a|"), ["a: b → \"\\\"a: b\\\"\""]);
    let found = propose("type: 'a: b'\n      properties:\n        |");
    assert_eq!(found, ["c: d → \"\\\"c: d\\\": \" (string, required)", "# $e → \"\\\"# $e\\\": \" (string)"]);
    let found = propose("type: 'a: b'\n      properties:\n        'c|");
    assert_eq!(found, ["c: d → \"'c: d': \" (string, required)"]);
    // Quotes are replaced with the name, whether they are closed or not.
    for end in ["'c|': x", "{ 'c|': x }"] {
        let found = propose(&format!("type: 'a: b'\n      properties: {end}"));
        let expected = if end.starts_with('{') { ["c: d → \"'c: d'\" (string, required)"].as_slice() } else { &[] };
        assert_eq!(found, expected, "{end}");
    }
    for end in ["{ \"c|", "{ \"c|\" }", "{ \"c|, '# $e': x }"] {
        let found = propose(&format!("type: 'a: b'\n      properties: {end}"));
        assert_eq!(found, ["c: d → \"\\\"c: d\\\": \" (string, required)"], "{end}");
    }
    let found = propose("type: 'a: b'\n      pro|");
    let block = "properties … → \"properties:\\n        \\\"c: d\\\": ${1}\" (required: c: d)";
    assert!(found.iter().any(|item| item == block), "{found:?}");
    let found = propose("type: 'a: b'\n      requ|");
    let block = "requirements … → \"requirements:\\n        - \\\"[h]\\\": ${1}\\n        - \\\"[h]\\\": ${2}\" (required: [h], [h])";
    assert!(found.iter().any(|item| item == block), "{found:?}");
    let found = propose("type: 'a: b'\n      properties: { '# $e': |");
    assert_eq!(found[..3], ["1 → \"\\\"1\\\"\"", "x: y → \"\\\"x: y\\\"\"", "z"]);
}

#[test]
fn arguments_after_a_comma_are_the_next_ones() {
    let text = "tosca_definitions_version: tosca_2_0
node_types:
  Server:
    properties: { size: { type: integer }, name: { type: string } }
service_template:
  node_templates:
    web: { type: Server, properties: { size: 1, name: x } }
    n:
      type: Server
      properties:
        size: ";
    let mut editor = Editor::new(&modern());
    let mut propose = |end: &str| proposals(&mut editor, &format!("{text}{end}"));
    let names = ["size", "name"];
    assert_eq!(propose("{ $get_property: [ web, | ] }\n"), names);
    assert_eq!(propose("{ $get_property: [ web, |\n"), names);
    assert_eq!(propose("{ $get_property: [ web,| ] }\n"), names);
    assert_eq!(propose("{ $get_property: [ web,\n          |\n        ] }\n"), names);
    let found = propose("\n          $get_property:\n            - web\n            - |\n");
    assert_eq!(found[..2], names, "before functions");
    assert!(propose("{ $get_property: [ | ] }\n").contains(&"SELF".to_owned()));
}

const WORKFLOWS: &str = "tosca_definitions_version: tosca_2_0
interface_types: { Life: { operations: { start: {}, stop: {} } } }
capability_types: { Host: {} }
relationship_types: { On: {} }
node_types:
  Server:
    interfaces: { Standard: { type: Life } }
    requirements: [ host: { capability: Host, relationship: On } ]
service_template:
  node_templates:
    web: { type: Server }
  workflows:
    halt: { steps: { first: { target: web, activities: [ set_state: stopping ] } } }
    deploy:
      steps:
        before: { target: web, activities: [ inline: halt ] }
        here:
          target: web
          ";

#[test]
fn names_in_workflows_are_proposed_and_found() {
    let mut editor = Editor::new(&modern());
    let mut propose = |end: &str| proposals(&mut editor, &format!("{WORKFLOWS}{end}"));
    assert_eq!(propose("activities:\n            - call_operation: |\n"), ["Standard.start", "Standard.stop"]);
    assert_eq!(propose("activities: [ call_operation: St| ]\n"), ["Standard.start", "Standard.stop"]);
    assert_eq!(propose("activities:\n            - call_operation: { operation: stop| }\n"), ["Standard.stop"]);
    assert_eq!(propose("activities:\n            - inline: |\n"), ["halt", "deploy"]);
    assert_eq!(propose("activities:\n            - delegate: ha|\n"), ["halt"]);
    assert_eq!(propose("activities:\n            - set_state: conf|\n"), ["configuring", "configured"]);
    assert_eq!(propose("on_success: |\n"), ["before"]);
    assert_eq!(propose("on_failure: [ before, b| ]\n"), ["before"]);
    assert_eq!(propose("target_relationship: |\n"), ["host"]);
    let text = format!("{WORKFLOWS}activities: [ call_operation: Standard.start, inline: halt ]\n");
    editor.open("service.yaml", &text);
    for (word, number, place) in [("Standard", 1, "6:18-6:26"), ("start", 1, "1:41-1:46"), ("halt", 2, "12:4-12:8")] {
        let params = at(&editor, "service.yaml", &text, word, number);
        let found = editor.ask("textDocument/definition", params);
        assert_eq!(found.as_array().map(|found| range(&found[0]["range"])).as_deref(), Some(place), "{word}");
    }
    // Paths that end with a name are renamed, too.
    let mut params = at(&editor, "service.yaml", &text, "start", 0);
    params["newName"] = json!("begin");
    let answer = editor.ask("textDocument/rename", params);
    assert_eq!(answer["documentChanges"][0]["edits"].as_array().map(Vec::len), Some(2), "{answer}");
}

/// Returns the signature at the `|` of a text, with brackets around the argument.
fn signature(editor: &mut Editor, text: &str) -> Option<String> {
    let (before, after) = text.split_once('|').unwrap();
    let (line, last) = (before.matches('\n').count(), before.rsplit('\n').next().unwrap());
    editor.open("service.yaml", &format!("{before}{after}"));
    let position = json!({ "line": line, "character": last.encode_utf16().count() });
    let params = json!({ "textDocument": { "uri": editor.uri("service.yaml") }, "position": position });
    let help = editor.ask("textDocument/signatureHelp", params);
    let label = help["signatures"][0]["label"].as_str()?.to_owned();
    let active = usize::try_from(help["activeParameter"].as_u64()?).unwrap();
    let Some(part) = help["signatures"][0]["parameters"][active]["label"].as_str() else { return Some(label) };
    Some(label.replace(part, &format!("[{part}]")))
}

#[test]
fn functions_have_signatures() {
    let text = "tosca_definitions_version: tosca_2_0
node_types:
  Server: { properties: { size: { type: integer } } }
service_template:
  node_templates:
    web:
      type: Server
      properties:
        size: ";
    let mut editor = Editor::new(&modern());
    let mut signature = |end: &str| signature(&mut editor, &format!("{text}{end}"));
    let property = |part: &str| {
        let whole = "$get_property: a path, the name of a property, and names or indexes within its value";
        Some(whole.replace(part, &format!("[{part}]")))
    };
    assert_eq!(signature("{ $get_property: [ |"), property("a path"));
    assert_eq!(signature("{ $get_property: [ SE| ] }"), property("a path"));
    assert_eq!(signature("{ $get_property: [ SELF, |"), property("the name of a property"));
    assert_eq!(signature("{ $get_property: [ SELF, size, |, 3 ] }"), property("names or indexes within its value"));
    assert_eq!(
        signature("{ $get_property: [ SELF, size, 1, 2, 3, | ] }"),
        property("names or indexes within its value")
    );
    assert_eq!(
        signature("\n          $get_property:\n            - SELF\n            - |"),
        property("the name of a property")
    );
    let outer = signature("{ $token: [ { $concat: [ a, b ] }, | ] }").unwrap();
    assert_eq!(outer, "$token: a string, [the characters that separate its parts], and the index of a part");
    assert_eq!(signature("{ $token: [ { $concat: [ a, | ] } ] }").unwrap(), "$concat: [strings or lists]");
    assert_eq!(signature("{ $difference: [ 1, | ] }").unwrap(), "$difference: [two integers, floats or scalars]");
    assert_eq!(signature("{ $floor: [ 1, | ] }").unwrap(), "$floor: a float", "there is no second argument");
    assert_eq!(signature("{ $join: [ [ a ], | ] }").unwrap(), "$join: a list of strings, and [optionally a delimiter]");
    assert_eq!(signature("|"), None);
    assert_eq!(signature("{ $unknown: [ | ] }"), None);
}

#[test]
fn arguments_name_parts_of_values() {
    let text = "tosca_definitions_version: tosca_2_0
data_types: { Address: { properties: { street: { type: string } } } }
capability_types: { Host: { properties: { cpus: { type: integer } }, attributes: { load: { type: float } } } }
node_types:
  Server:
    properties: { homes: { type: list, entry_schema: Address } }
    capabilities: { host: Host }
service_template:
  node_templates:
    web: { type: Server }
  outputs:
    o: { value: ";
    let mut editor = Editor::new(&modern());
    let mut propose = |end: &str| proposals(&mut editor, &format!("{text}{end}"));
    assert_eq!(propose("{ $get_property: [ web, homes, 0, | ] } }\n"), ["street"]);
    assert_eq!(propose("{ $get_property: [ web, CAPABILITY, | ] } }\n"), ["host"]);
    assert_eq!(propose("{ $get_property: [ web, CAPABILITY, host, | ] } }\n"), ["cpus"]);
    assert_eq!(propose("{ $get_attribute: [ web, CAPABILITY, host, | ] } }\n"), ["load", "cpus"]);
    assert_eq!(propose("{ $get_property: [ web, C| ] } }\n"), ["CAPABILITY"]);
    assert!(!propose("{ $get_property: [ web, nothing, | ] } }\n").contains(&"homes".to_owned()));
    let old = "tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates: { web: { type: tosca.nodes.Compute } }
  outputs:
    o: { value: { get_property: [ web, host, num| ] } }
";
    assert_eq!(proposals(&mut Editor::new(&modern()), old), ["num_cpus"]);
}

const NETWORK: &str = "capability_types: { Host: { properties: { cpus: { type: integer } } } }
relationship_types:
  On: { derived_from: HostedOn, properties: { port: { type: integer } } }
  HostedOn: {}
node_types:
  Machine:
    properties: { size: { type: integer } }
    capabilities: { room: { type: Host } }
  Server:
    properties: { name: { type: string } }
    requirements:
      - place: { capability: Host, node: Machine, relationship: { type: On } }
";

#[test]
fn paths_lead_through_relationships() {
    let mut editor = Editor::new(&modern());
    let mut propose = |end: &str| {
        let text = format!(
            "tosca_definitions_version: tosca_2_0\n{NETWORK}service_template:\n  node_templates:\n    box: {{ type: Machine, properties: {{ size: 1 }} }}\n    web:\n      type: Server\n      requirements: [ place: box ]\n      properties:\n        name: {{ $get_property: [ {end} ] }}\n"
        );
        proposals(&mut editor, &text)
    };
    assert_eq!(propose("SELF, |"), ["name", "RELATIONSHIP"]);
    assert_eq!(propose("SELF, RELATIONSHIP, |"), ["place"]);
    assert_eq!(propose("SELF, RELATIONSHIP, place, |"), ["port", "SOURCE", "TARGET", "CAPABILITY"]);
    assert_eq!(propose("SELF, RELATIONSHIP, place, 0, TARGET, |"), ["size", "CAPABILITY"]);
    assert_eq!(propose("SELF, RELATIONSHIP, place, CAPABILITY, |"), ["cpus"]);
    assert_eq!(propose("SELF, RELATIONSHIP, place, SOURCE, |"), ["name", "RELATIONSHIP"]);
    assert_eq!(propose("SELF, RELATIONSHIP, place, TARGET, CAPABILITY, room, |"), ["cpus"]);
    assert!(!propose("SELF, RELATIONSHIP, nothing, |").contains(&"port".to_owned()));
}

#[test]
fn short_paths_lead_to_the_other_end() {
    let mut editor = Editor::new(&modern());
    let mut propose = |place: &str, end: &str| {
        let text = format!(
            "tosca_definitions_version: tosca_simple_yaml_1_3\n{NETWORK}topology_template:\n  node_templates:\n    box: {{ type: Machine, properties: {{ size: 1 }} }}\n    web:\n      type: Server\n{place}{{ get_property: [ {end} ] }}\n"
        );
        proposals(&mut editor, &text)
    };
    let own = "      requirements: [ place: box ]\n      properties:\n        name: ";
    assert_eq!(propose(own, "SELF, |"), ["name", "place"]);
    assert_eq!(propose(own, "SELF, place, |"), ["cpus", "size", "port"]);
    assert_eq!(propose(own, "HOST, |"), ["size", "room"]);
    let other = "      requirements:\n      - place:\n          node: box\n          relationship:\n            type: On\n            properties:\n              port: ";
    assert_eq!(propose(other, "SELF, |"), ["port"]);
    assert_eq!(propose(other, "TARGET, |"), ["size", "room"]);
    assert_eq!(propose(other, "SOURCE, |"), ["name", "place"]);
    assert!(!propose(own, "TARGET, |").contains(&"size".to_owned()));
}

#[test]
fn constraints_are_proposed() {
    let propose = |of_type: &str, end: &str| {
        let text = format!(
            "tosca_definitions_version: tosca_simple_yaml_1_3\nnode_types:\n  A:\n    properties:\n      b:\n        type: {of_type}\n        constraints:{end}\n"
        );
        proposals(&mut Editor::new(&modern()), &text)
    };
    let found = propose("integer", "\n        - |");
    assert_eq!(
        found[..2],
        ["equal → \"equal: \" (takes a value)", "greater_than → \"greater_than: \" (takes a value)"]
    );
    assert_eq!(found.len(), 7, "{found:?}");
    assert_eq!(propose("string", "\n        - min|"), ["min_length → \"min_length: \" (takes an integer)"]);
    assert_eq!(propose("integer", " [ in_r| ]"), ["in_range → \"in_range: [  ]\" (takes a lower and an upper bound)"]);
}

#[test]
fn mappings_are_proposed() {
    let types = "capability_types: { Host: {} }
relationship_types: { On: {} }
interface_types: { Life: { operations: { start: {} } } }
node_types:
  Server:
    properties: { size: { type: integer, required: false } }
    capabilities: { host: Host }
    requirements: [ disk: { capability: Host, relationship: On } ]
    interfaces: { life: { type: Life } }
";
    let mut editor = Editor::new(&modern());
    let mut propose = |version: &str, service: &str, end: &str| {
        let text = format!(
            "tosca_definitions_version: {version}\n{types}{service}:\n  node_templates: {{ web: {{ type: Server }} }}\n  substitution_mappings:\n    node_type: Server\n{end}\n"
        );
        proposals(&mut editor, &text)
    };
    for (end, expected) in [
        ("    properties:\n      |", "size"),
        ("    capabilities:\n      |", "host"),
        ("    capabilities:\n      host: [ w| ]", "web"),
        ("    capabilities:\n      host: [ web, | ]", "host"),
        ("    requirements:\n      - |", "disk"),
        ("    requirements:\n      - disk: [ web, | ]", "disk"),
        ("    interfaces:\n      |", "life"),
    ] {
        let found = propose("tosca_2_0", "service_template", end);
        assert!(found.iter().all(|item| item.split(' ').next() == Some(expected)), "{end} {found:?}");
        assert!(!found.is_empty(), "{end}");
    }
    let found = propose("tosca_simple_yaml_1_3", "topology_template", "    capabilities:\n      host: [ web, h| ]");
    assert_eq!(found, ["host"]);
}

#[test]
fn documentation_is_sent_on_request() {
    let text = "tosca_definitions_version: tosca_2_0\nnode_types: { A: { description: Of all } }\nservice_template: { node_templates: { a: { type: A } } }\n";
    for resolves in [false, true] {
        let mut capabilities = modern();
        if resolves {
            capabilities["textDocument"]["completion"]["completionItem"]["resolveSupport"] =
                json!({ "properties": ["documentation"] });
        }
        let mut editor = Editor::new(&capabilities);
        editor.open("a.yaml", text);
        let params = at(&editor, "a.yaml", text, "A }", 0);
        let item = editor.ask("textDocument/completion", params.clone())["items"][0].take();
        assert_eq!(item["documentation"].is_null(), resolves, "{item}");
        let resolved = editor.ask("completionItem/resolve", item.clone());
        assert!(resolved["documentation"]["value"].as_str().unwrap().contains("Of all"), "{resolved}");
        // An item of an earlier list is not resolved.
        editor.ask("textDocument/completion", params);
        assert_eq!(editor.ask("completionItem/resolve", item.clone()), item);
    }
}

#[test]
fn lists_that_are_cut_are_incomplete() {
    let mut editor = Editor::new(&modern());
    let types =
        |number: usize| (0..number).map(|number| format!("  Type{number}: {{}}\n")).collect::<Vec<_>>().concat();
    for (number, is_cut) in [(50, false), (51, true)] {
        let head = format!("tosca_definitions_version: tosca_2_0\nnode_types:\n{}", types(number));
        let text = format!("{head}service_template:\n  node_templates:\n    \n# end\n");
        let file = format!("{number}.yaml");
        editor.open(&file, &text);
        let position = json!({ "line": number + 4, "character": 4 });
        let document = json!({ "uri": editor.uri(&file) });
        let list = editor.ask("textDocument/completion", json!({ "textDocument": document, "position": position }));
        assert_eq!(list["isIncomplete"], json!(is_cut), "{number}");
        assert_eq!(list["items"].as_array().map(Vec::len), Some(50));
    }
}

#[test]
fn new_templates_have_names_of_their_own() {
    let mut editor = Editor::new(&modern());
    let head = "tosca_definitions_version: tosca_2_0\nnode_types: { a.Server: {}, \"We: ird\": {} }\nservice_template:\n  node_templates:\n";
    for (given, expected) in [
        ("", ["${1:server}:", "${1:\"we: ird\"}:"]),
        ("    server: { type: a.Server }\n", ["${1:server2}:", "${1:\"we: ird\"}:"]),
        (
            "    server: { type: a.Server }\n    server2: { type: a.Server }\n    'we: ird': { type: a.Server }\n",
            ["${1:server3}:", "${1:\"we: ird2\"}:"],
        ),
    ] {
        let file = format!("{}.yaml", given.len());
        editor.open(&file, &format!("{head}{given}    \n# end\n"));
        let position = json!({ "line": 4 + given.matches('\n').count(), "character": 4 });
        let document = json!({ "uri": editor.uri(&file) });
        let list = editor.ask("textDocument/completion", json!({ "textDocument": document, "position": position }));
        let texts = list["items"].as_array().unwrap().iter().map(|item| item["textEdit"]["newText"].as_str().unwrap());
        let keys: Vec<&str> = texts.map(|text| text.lines().next().unwrap()).collect();
        let is_there = |expected: &&str| keys.contains(expected);
        assert!(keys.len() == 2 && expected.iter().all(is_there), "{keys:?}");
    }
}

#[test]
fn keywords_of_paths_depend_on_the_place() {
    let mut editor = Editor::new(&modern());
    let head = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n    web: { type: tosca.nodes.Root }\n";
    for (end, expected) in [
        ("  outputs: { o: { value: { get_attribute: [ |, id ] } } }\n", vec!["web"]),
        (
            "    b: { type: tosca.nodes.Root, attributes: { x: { get_attribute: [ |, id ] } } }\n",
            vec!["HOST", "SELF", "b", "web"],
        ),
    ] {
        let text = format!("{head}{}", end.replace('|', ""));
        let file = format!("{}.yaml", end.len());
        editor.open(&file, &text);
        let items = editor.complete(&file, 4, end.find('|').unwrap());
        let words = items.iter().map(|item| item.split(' ').next().unwrap());
        let mut names: Vec<&str> =
            words.filter(|word| ["SELF", "SOURCE", "TARGET", "HOST", "web", "b"].contains(word)).collect();
        names.sort_unstable();
        assert_eq!(names, expected, "{items:?}");
    }
}

/// Returns the text that a proposal inserts at the `|` of a text; `None` if it is not made.
fn inserted(editor: &mut Editor, file: &str, text: &str, label: &str) -> Option<String> {
    let (before, after) = text.split_once('|').unwrap();
    editor.open(file, &format!("{before}{after}"));
    let line = before.matches('\n').count();
    let character = before.rsplit('\n').next().unwrap().len();
    let params = json!({
        "textDocument": { "uri": editor.uri(file) },
        "position": { "line": line, "character": character },
    });
    let list = editor.ask("textDocument/completion", params);
    let found = list["items"].as_array().unwrap().iter().find(|item| item["label"] == label)?;
    Some(found["textEdit"]["newText"].as_str().unwrap().to_owned())
}

#[test]
fn requirements_are_proposed_between_brackets() {
    let mut editor = Editor::new(&modern());
    editor.write("types.yaml", TYPES);
    let start = "tosca_definitions_version: tosca_2_0\nimports: [ types.yaml ]\nservice_template:\n  node_templates:\n";
    for (number, (list, expected)) in [
        ("[ | ]", "database: "),
        ("[ da| ]", "database: "),
        ("[ { | } ]", "database: "),
        ("[ database: a, | ]", "database: "),
        ("[ { |: a } ]", "database"),
    ]
    .into_iter()
    .enumerate()
    {
        let text = format!("{start}    n: {{ type: Server, requirements: {list} }}\n");
        let found = inserted(&mut editor, &format!("{number}.yaml"), &text, "database");
        assert_eq!(found.as_deref(), Some(expected), "{list}");
    }
}

#[test]
fn proposals_in_json_are_json() {
    let mut editor = Editor::new(&modern());
    editor.write("types.yaml", TYPES);
    let start = "{\"tosca_definitions_version\": \"tosca_2_0\", \"imports\": [\"types.yaml\"], \
                 \"service_template\": {\"node_templates\": {\"n\": ";
    for (number, (template, label, expected)) in [
        ("{|}", "type", "\"type\": "),
        ("{\"type\": |}", "Server", "\"Server\""),
        ("{\"type\": \"Server\", \"properties\": {|}}", "secure", "\"secure\": "),
        ("{\"type\": \"Server\", \"requirements\": [|]}", "database", "{ \"database\": \"\" }"),
        ("{\"type\": \"Server\", \"properties\": {\"owner\": |}}", "$get_input", "{ \"$get_input\": \"\" }"),
        ("{\"type\": \"Server\", \"properties\": {\"secure\": |}}", "true", "true"),
    ]
    .into_iter()
    .enumerate()
    {
        let text = format!("{start}{template}}}}}}}");
        let found = inserted(&mut editor, &format!("{number}.json"), &text, label);
        assert_eq!(found.as_deref(), Some(expected), "{template}");
    }
}
