//! Large inputs. If the work of a request grew faster than its input, the editor of these tests would time out.

use std::fmt::Write as _;

use serde_json::json;

use super::asks::{actions, at};
use super::client::{Editor, modern};

const HEAD: &str = "tosca_definitions_version: tosca_2_0\n";

fn references(editor: &mut Editor, text: &str, word: &str) -> usize {
    let mut params = at(editor, "a.yaml", text, word, 0);
    params["context"] = json!({ "includeDeclaration": true });
    editor.ask("textDocument/references", params).as_array().unwrap().len()
}

#[test]
fn refinements_in_a_long_chain_are_renamed() {
    const COUNT: usize = 700;
    let mut text = format!("{HEAD}node_types:\n  T0: {{ properties: {{ size: {{ type: integer }} }} }}\n");
    for number in 1..COUNT {
        let parent = number - 1;
        writeln!(text, "  T{number}: {{ derived_from: T{parent}, properties: {{ size: {{ default: 1 }} }} }}").unwrap();
    }
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", &text);
    assert_eq!(references(&mut editor, &text, "size"), COUNT);
    let mut params = at(&editor, "a.yaml", &text, "size", COUNT - 1);
    params["newName"] = json!("width");
    let answer = editor.ask("textDocument/rename", params);
    assert_eq!(answer["documentChanges"][0]["edits"].as_array().unwrap().len(), COUNT);
}

#[test]
fn users_of_a_type_are_found() {
    const COUNT: usize = 2500;
    let mut text = format!("{HEAD}node_types: {{ Server: {{ properties: {{ size: {{ type: integer }} }} }} }}\n");
    text.push_str("service_template:\n  node_templates:\n");
    for number in 0..COUNT {
        writeln!(text, "    n{number}: {{ type: Server, properties: {{ size: 1 }} }}").unwrap();
    }
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", &text);
    assert_eq!(references(&mut editor, &text, "Server"), COUNT + 1);
    assert_eq!(references(&mut editor, &text, "size"), COUNT + 1);
}

#[test]
fn nested_required_fields_do_not_multiply() {
    let mut text = format!("{HEAD}data_types:\n");
    for level in 0..6 {
        let of_type = if level == 5 { "string".to_owned() } else { format!("D{}", level + 1) };
        let fields: Vec<String> = (0..30).map(|number| format!("p{number}: {{ type: {of_type} }}")).collect();
        writeln!(text, "  D{level}: {{ properties: {{ {} }} }}", fields.join(", ")).unwrap();
    }
    text.push_str("node_types:\n");
    (0..50).for_each(|number| writeln!(text, "  N{number}: {{ properties: {{ v: {{ type: D0 }} }} }}").unwrap());
    text.push_str("service_template:\n  node_templates:\n    ");
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", &text);
    let line = text.matches('\n').count();
    let place = json!({ "line": line, "character": 4 });
    let params = json!({ "textDocument": { "uri": editor.uri("a.yaml") }, "position": place });
    let answer = editor.ask("textDocument/completion", params);
    let new = answer["items"].as_array().unwrap().iter().find(|item| item["label"] == "N0 …").unwrap().to_string();
    assert!(new.contains("p0:") && new.contains("${30}"), "{new}");
}

#[test]
fn many_members_are_completed_and_added() {
    const COUNT: usize = 3000;
    let mut text = format!("{HEAD}node_types:\n  Server:\n    properties:\n");
    let mut given = String::new();
    for number in 0..COUNT {
        writeln!(text, "      p{number}: {{ type: integer }}").unwrap();
        writeln!(given, "        p{number}: 1").unwrap();
    }
    let start = format!("{text}service_template:\n  node_templates:\n    n:\n      type: Server\n      properties:\n");
    let text = format!("{start}{given}        q: 1\n");
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", &text);
    let found = actions(&mut editor, ("a.yaml", &text), "n:\n", 0);
    assert!(!found.iter().any(|action| action.starts_with("Add required")), "{found:?}");
    let line = text.lines().count() - 1;
    assert_eq!(editor.complete("a.yaml", line, 8), [""; 0]);
    let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": line, "character": 0 } });
    let params = json!({ "textDocument": { "uri": editor.uri("a.yaml") }, "range": all });
    assert_eq!(editor.ask("textDocument/inlayHint", params), json!([]));
    editor.replace("a.yaml", &start);
    let found = actions(&mut editor, ("a.yaml", &start), "n:\n", 0);
    assert!(found.iter().any(|action| action.starts_with("Add required properties: `p0`")));
}

#[test]
fn many_files_are_read_before_a_rename() {
    const COUNT: usize = 400;
    let types = format!("{HEAD}node_types: {{ Server: {{}} }}\n");
    let user =
        format!("{HEAD}imports: [ types.yaml ]\nservice_template: {{ node_templates: {{ a: {{ type: Server }} }} }}\n");
    let names: Vec<String> = (0..COUNT).map(|number| format!("t{number:03}.yaml")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, &*user)).collect();
    files.push(("types.yaml", &types));
    let mut editor = Editor::unread(&modern(), &files);
    editor.open("t000.yaml", &user);
    let mut params = at(&editor, "t000.yaml", &user, "Server", 0);
    params["newName"] = json!("Machine");
    let rename = editor.request("textDocument/rename", params.clone());
    // The answer to a later request about the open document does not wait for the other files.
    let hover = editor.ask("textDocument/hover", params.clone());
    assert!(hover["contents"]["value"].as_str().unwrap().contains("Server"), "{hover}");
    let changes = editor.response(rename).response_result.unwrap();
    let uris: Vec<&str> = changes["documentChanges"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|of| of["textDocument"]["uri"].as_str())
        .collect();
    assert!(uris.len() == COUNT + 1 && uris.is_sorted(), "{}", uris.len());
    // A change while files are read leads to a complete answer, too.
    editor.replace("t000.yaml", &user.replace("a: {", "b: {"));
    let symbols = editor.ask("workspace/symbol", json!({ "query": "b" }));
    assert_eq!(symbols.as_array().unwrap().iter().filter(|symbol| symbol["name"] == "b").count(), 1, "{symbols}");
    let answer = editor.ask("textDocument/rename", params);
    assert_eq!(answer["documentChanges"].as_array().unwrap().len(), COUNT + 1);
}

#[test]
fn files_of_one_line_have_symbols_and_tokens() {
    const COUNT: usize = 2000;
    let templates: Vec<String> = (0..COUNT).map(|number| format!("n{number}: {{ type: S, description: ü }}")).collect();
    let text = format!(
        "{{ tosca_definitions_version: tosca_2_0, node_types: {{ S: {{}} }}, service_template: {{ node_templates: {{ {} }} }} }}",
        templates.join(", ")
    );
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", &text);
    let document = json!({ "textDocument": { "uri": editor.uri("a.yaml") } });
    let symbols = editor.ask("textDocument/documentSymbol", document.clone());
    let of_service = symbols
        .as_array()
        .unwrap()
        .iter()
        .find(|symbol| symbol["children"].as_array().is_some_and(|all| all.len() == COUNT));
    assert!(of_service.is_some() || symbols.to_string().contains("n1999"));
    let tokens = editor.ask("textDocument/semanticTokens/full", document);
    assert!(tokens["data"].as_array().unwrap().len() > 15 * COUNT);
    assert_eq!(references(&mut editor, &text, "S:"), COUNT + 1);
}

#[test]
fn many_types_move_together() {
    const COUNT: usize = 2_000;
    let mut text = format!("{HEAD}node_types:\n  T0: {{}}\n");
    for number in 1..COUNT {
        writeln!(text, "  T{number}: {{ derived_from: T{} }}", number - 1).unwrap();
    }
    let mut capabilities = modern();
    capabilities["workspace"]["workspaceEdit"]["resourceOperations"] = json!(["create"]);
    let mut editor = Editor::new(&capabilities);
    editor.open("a.yaml", &text);
    let mut params = at(&editor, "a.yaml", &text, "T1999:", 0);
    params["range"] = json!({ "start": params["position"], "end": params["position"] });
    params["context"] = json!({ "diagnostics": [], "only": ["refactor.extract"] });
    let found = editor.ask("textDocument/codeAction", params);
    assert_eq!(found[0]["title"], "Move `T1999` with 1999 other types to `t1999.yaml`");
}
