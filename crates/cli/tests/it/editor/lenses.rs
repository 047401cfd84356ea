//! Code lenses.

use serde_json::{Value, json};

use super::client::{Editor, modern, range};

const TYPES: &str = "tosca_definitions_version: tosca_2_0
data_types:
  Address: {}
node_types:
  Base: { properties: { home: { type: Address, required: false } } }
  Server: { derived_from: Base }
  Unused: {}
";

const SERVICE: &str = "tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
node_types: { Server: {} }
service_template:
  node_templates:
    web: { type: Base }
    db: { type: Base }
";

/// Returns the lenses of a file with their titles.
fn lenses(editor: &mut Editor, file: &str) -> Vec<String> {
    let document = json!({ "textDocument": { "uri": editor.uri(file) } });
    let lenses = editor.ask("textDocument/codeLens", document);
    let lenses = lenses.as_array().unwrap().iter().map(|lens| {
        let lens = if lens["command"].is_null() { editor.ask("codeLens/resolve", lens.clone()) } else { lens.clone() };
        format!("{} {}", range(&lens["range"]), lens["command"]["title"].as_str().unwrap())
    });
    lenses.collect()
}

#[test]
fn lenses_count_the_uses_of_types_in_all_files() {
    let head = "tosca_definitions_version: tosca_2_0\nimports: [ types.yaml ]\n";
    let other = format!("{head}service_template: {{ node_templates: {{ a: {{ type: Base }} }} }}\n");
    let files = [("types.yaml", TYPES), ("service.yaml", SERVICE), ("other.yaml", &other)];
    let mut capabilities = modern();
    capabilities["workspace"].as_object_mut().unwrap().remove("diagnostics");
    let mut editor = Editor::with_files(&capabilities, &files);
    editor.open("types.yaml", TYPES);
    let mut expected = vec![
        "2:2-2:9 1 property definition uses this type",
        "4:2-4:6 3 node templates, 1 derived node type use this type",
        "5:2-5:8 nothing uses this type",
        "6:2-6:8 nothing uses this type",
    ];
    assert_eq!(lenses(&mut editor, "types.yaml"), expected);
    editor.open("service.yaml", &SERVICE.replace("type: Base", "type: Unused"));
    expected[1] = "4:2-4:6 1 node template, 1 derived node type use this type";
    expected[3] = "6:2-6:8 2 node templates use this type";
    assert_eq!(lenses(&mut editor, "types.yaml"), expected);
    // Not all uses in broken text are known.
    editor.replace("service.yaml", &format!("{SERVICE}      x: [ y\n"));
    let found = lenses(&mut editor, "types.yaml");
    assert!(found[1].contains(" at least ") && found[1].contains(" node templates, 1 derived"), "{found:?}");
    // The uses are listed.
    let at = json!({ "line": 4, "character": 3 });
    let command = json!({ "command": "tosca-parse.uses", "arguments": [editor.uri("types.yaml"), at] });
    let uses = editor.ask("workspace/executeCommand", command);
    let uses = uses.as_array().unwrap().iter().map(|place| place["uri"].as_str().unwrap());
    let mut uses: Vec<String> = uses.map(|uri| editor.without_folder(uri)).collect();
    uses.sort();
    assert_eq!(uses, ["other.yaml", "service.yaml", "service.yaml", "types.yaml"]);
    let command = json!({ "command": "tosca-parse.uses", "arguments": [editor.uri("types.yaml")] });
    assert_eq!(editor.refused("workspace/executeCommand", command), "the second argument must be a position");
    let command = json!({ "command": "tosca-parse.plan", "arguments": [] });
    assert_eq!(editor.refused("workspace/executeCommand", command), "the first argument must be the URI of a file");
    editor.replace("types.yaml", "a: [");
    let document = json!({ "textDocument": { "uri": editor.uri("types.yaml") } });
    assert_eq!(editor.ask("textDocument/codeLens", document), Value::Null);
}

#[test]
fn services_have_a_diagram_and_a_plan() {
    let mut editor = Editor::new(&modern());
    editor.open("service.yaml", &SERVICE.replace("imports: [ types.yaml ]\n", ""));
    assert_eq!(
        lenses(&mut editor, "service.yaml"),
        ["2:0-2:16 Show diagram", "2:0-2:16 Show plan", "1:14-1:20 nothing uses this type"]
    );
    editor.open("types.yaml", TYPES);
    assert!(lenses(&mut editor, "types.yaml").iter().all(|lens| lens.ends_with("this type")));
    // If there is nothing to draw or plan, the answer says so.
    for (command, reason) in [("diagram", "there is nothing to draw"), ("plan", "there is nothing to plan")] {
        let params = json!({ "command": format!("tosca-parse.{command}"), "arguments": [editor.uri("service.yaml")] });
        assert_eq!(editor.ask("workspace/executeCommand", params)["message"], json!(reason));
    }
}

#[test]
fn lenses_are_refreshed_when_other_files_change() {
    let mut capabilities = modern();
    capabilities["workspace"].as_object_mut().unwrap().remove("diagnostics");
    capabilities["workspace"]["codeLens"] = json!({ "refreshSupport": true });
    let mut editor = Editor::with_files(&capabilities, &[("types.yaml", TYPES), ("service.yaml", SERVICE)]);
    assert_eq!(editor.next().0, "workspace/codeLens/refresh");
    editor.open("service.yaml", SERVICE);
    editor.open("types.yaml", TYPES);
    lenses(&mut editor, "types.yaml");
    editor.is_quiet();
    editor.replace("service.yaml", &SERVICE.replace("db: { type: Base }", "db: { type: Unused }"));
    assert_eq!(editor.next().0, "workspace/codeLens/refresh");
}
