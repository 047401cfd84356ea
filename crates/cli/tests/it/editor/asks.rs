//! Other requests of editors.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::client::{Editor, modern, range};
use crate::yay_templates::{derived, has_no_secrets};

const TYPES: &str = "tosca_definitions_version: tosca_2_0
node_types:
  Base:
    description: What all have
    properties:
      owner: { type: string, default: ada, description: Who pays }
  Server:
    derived_from: Base
    properties:
      port: { type: integer, default: 80 }
    # Two lines
    # about this
    capabilities: { endpoint: { type: Endpoint } }
capability_types: { Endpoint: {} }
";

const SERVICE: &str = "tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  inputs: { who: { type: string } }
  node_templates:
    web:
      type: Server
      properties:
        owner: { $get_input: who }
    db: { type: Base, properties: { owner: { $get_property: [ web, owner ] } } }
";

/// An editor with both files open.
fn editor() -> Editor {
    let mut editor = Editor::new(&modern());
    editor.open("types.yaml", TYPES);
    editor.open("service.yaml", SERVICE);
    editor
}

/// The parameters of a request about the nth occurrence of a word.
fn at(editor: &Editor, file: &str, text: &str, word: &str, number: usize) -> Value {
    let (offset, _) = text.match_indices(word).nth(number).unwrap();
    let before = &text[..=offset];
    let line = before.matches('\n').count();
    let character = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    json!({ "textDocument": { "uri": editor.uri(file) }, "position": { "line": line, "character": character } })
}

fn see_places(editor: &mut Editor, what: &str, answer: &Value) {
    editor.see(what);
    for place in answer.as_array().into_iter().flatten() {
        let line = format!("    {} {}", place["uri"].as_str().unwrap(), range(&place["range"]));
        editor.see(&line);
    }
}

const PLACES: &[(&str, usize)] =
    &[("Server", 0), ("owner", 0), ("who", 1), ("web", 1), ("owner", 2), ("types.yaml", 0), ("properties", 0)];

#[test]
fn definitions_across_files() {
    let mut editor = editor();
    for (word, number) in PLACES {
        let params = at(&editor, "service.yaml", SERVICE, word, *number);
        let answer = editor.ask("textDocument/definition", params);
        see_places(&mut editor, &format!("{word} {number}"), &answer);
    }
    assert_snapshot!(editor.seen);
}

#[test]
fn hovering() {
    let mut editor = editor();
    for (word, number) in PLACES {
        let params = at(&editor, "service.yaml", SERVICE, word, *number);
        let answer = editor.ask("textDocument/hover", params);
        let text = answer["contents"]["value"].as_str().unwrap_or("nothing").to_owned();
        editor.see(&format!("== {word} {number}\n{text}"));
    }
    assert_snapshot!(editor.seen);
}

#[test]
fn references_in_all_files() {
    let mut editor = editor();
    for (word, number) in [("Base", 0), ("owner", 0), ("Endpoint", 0)] {
        let mut params = at(&editor, "types.yaml", TYPES, word, number);
        params["context"] = json!({ "includeDeclaration": true });
        let answer = editor.ask("textDocument/references", params);
        see_places(&mut editor, word, &answer);
    }
    for (word, number) in [("web", 0), ("who", 0)] {
        let mut params = at(&editor, "service.yaml", SERVICE, word, number);
        params["context"] = json!({ "includeDeclaration": false });
        let answer = editor.ask("textDocument/references", params);
        see_places(&mut editor, word, &answer);
    }
    assert_snapshot!(editor.seen);
}

#[test]
fn another_name() {
    let mut editor = editor();
    let params = at(&editor, "types.yaml", TYPES, "owner", 0);
    let prepared = editor.ask("textDocument/prepareRename", params.clone());
    editor.see(&prepared.to_string());
    let mut params = params;
    params["newName"] = json!("payer");
    let answer = editor.ask("textDocument/rename", params);
    for change in answer["documentChanges"].as_array().unwrap() {
        let document = &change["textDocument"];
        editor.see(&format!("{} {}", document["uri"].as_str().unwrap(), document["version"]));
        for edit in change["edits"].as_array().unwrap() {
            editor.see(&format!("    {} {}", range(&edit["range"]), edit["newText"]));
        }
    }
    // Built-in types can't be renamed, and not every string is a valid name.
    let built_in = at(&editor, "types.yaml", TYPES, "integer", 0);
    assert_eq!(editor.ask("textDocument/prepareRename", built_in), Value::Null);
    let mut params = at(&editor, "types.yaml", TYPES, "Base", 0);
    params["newName"] = json!("a: b");
    assert_eq!(editor.ask("textDocument/rename", params), Value::Null);
    assert_snapshot!(editor.seen);
}

#[test]
fn outlines_and_symbols() {
    fn see(editor: &mut Editor, symbol: &Value, depth: usize) {
        let indent = "  ".repeat(depth);
        let line = format!(
            "{indent}{} ({}) {}",
            symbol["name"].as_str().unwrap(),
            symbol["detail"].as_str().unwrap(),
            range(&symbol["range"])
        );
        editor.see_indented(&line);
        for child in symbol["children"].as_array().into_iter().flatten() {
            see(editor, child, depth + 1);
        }
    }
    let mut editor = editor();
    let uri = editor.uri("service.yaml");
    let outline = editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    for symbol in outline.as_array().unwrap() {
        see(&mut editor, symbol, 0);
    }
    let found = editor.ask("workspace/symbol", json!({ "query": "se" }));
    for symbol in found.as_array().unwrap() {
        let place = symbol["location"]["uri"].as_str().unwrap().to_owned();
        editor.see(&format!("{} in {place}", symbol["name"]));
    }
    assert_snapshot!(editor.seen);
}

#[test]
fn links_folds_words_and_hints() {
    let mut editor = editor();
    let uri = editor.uri("service.yaml");
    let document = json!({ "textDocument": { "uri": uri } });
    let links = editor.ask("textDocument/documentLink", document.clone());
    editor.see(&links.to_string());
    let tokens = editor.ask("textDocument/semanticTokens/full", document.clone());
    let numbers: Vec<u64> = tokens["data"].as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect();
    for token in numbers.chunks(5).take(12) {
        editor.see(&format!("{token:?}"));
    }
    let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = editor.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": all }));
    for hint in hints.as_array().unwrap() {
        editor.see(&format!("{}:{} {}", hint["position"]["line"], hint["position"]["character"], hint["label"]));
    }
    let uri = editor.uri("types.yaml");
    let folds = editor.ask("textDocument/foldingRange", json!({ "textDocument": { "uri": uri } }));
    for fold in folds.as_array().unwrap() {
        editor.see(&format!("{}-{} {}", fold["startLine"], fold["endLine"], fold["kind"]));
    }
    assert_snapshot!(editor.seen);
}

#[test]
fn open_requirements_say_what_fulfils_them() {
    const TEXT: &str = "tosca_definitions_version: tosca_2_0
capability_types: { Host: {}, Store: {} }
relationship_types: { On: {} }
node_types:
  Server: { capabilities: { host: Host } }
  Disk: { capabilities: { store: Store } }
  Shop:
    requirements:
    - host: { capability: Host, relationship: On, count_range: [ 1, 1 ] }
    - data: { capability: Store, relationship: On, count_range: [ 1, 2 ] }
service_template:
  node_templates:
    shop:
      type: Shop
      requirements:
      - data: disk
      - data: Disk
    disk: { type: Disk }
    other: { type: Disk }
    server: { type: Server }
";
    let mut editor = Editor::new(&modern());
    editor.open("shop.yaml", TEXT);
    let mut hints = |lines: (u32, u32), text: &str| {
        let range = json!({ "start": { "line": lines.0, "character": 0 }, "end": { "line": lines.1, "character": 0 } });
        editor.replace("shop.yaml", text);
        let params = json!({ "textDocument": { "uri": editor.uri("shop.yaml") }, "range": range });
        let hints = editor.ask("textDocument/inlayHint", params);
        let shown = |hint: &Value| format!("{} {}", hint["position"]["line"], hint["label"].as_str().unwrap());
        hints.as_array().unwrap().iter().map(shown).collect::<Vec<_>>()
    };
    assert_eq!(hints((0, 99), TEXT), ["12 host → server", "16 → other"]);
    assert_eq!(hints((13, 99), &TEXT.replace("data: Disk", "data: other")), [""; 0]);
    assert_eq!(hints((0, 14), TEXT), ["12 host → server"]);
    // Invalid parts get no hints, because their meaning is unknown.
    assert_eq!(hints((0, 99), &TEXT.replace("type: Shop", "type: Shob")), [""; 0]);
}

#[test]
fn changes_that_settle_problems() {
    let mut editor = editor();
    let broken = TYPES.replace("derived_from: Base", "derived_fom: Base");
    editor.open("broken.yaml", &broken);
    let mut params = at(&editor, "broken.yaml", &broken, "derived_fom", 0);
    let position = params["position"].take();
    params["range"] = json!({ "start": position, "end": position });
    params["context"] = json!({ "diagnostics": [] });
    let actions = editor.ask("textDocument/codeAction", params);
    for action in actions.as_array().unwrap() {
        let title = format!("{} ({}) {}", action["title"], action["kind"], action["isPreferred"]);
        editor.see(&title);
        let edits: Vec<Value> = action["edit"]["changes"]
            .as_object()
            .unwrap()
            .values()
            .flat_map(|edits| edits.as_array().unwrap().clone())
            .collect();
        for edit in edits {
            editor.see(&format!("    {} {}", range(&edit["range"]), edit["newText"]));
        }
    }
    assert_snapshot!(editor.seen);
}

#[test]
fn a_picture_by_a_command() {
    let mut editor = editor();
    let uri = editor.uri("service.yaml");
    let answer =
        editor.ask("workspace/executeCommand", json!({ "command": "tosca-parse.picture", "arguments": [uri] }));
    assert_eq!(answer, json!({ "message": "there is nothing to be drawn" }), "the host of these tests draws nothing");
    let id = editor.request("workspace/executeCommand", json!({ "command": "dance" }));
    assert!(editor.response(id).response_result.is_err());
}

#[test]
fn requests_can_be_cancelled() {
    let mut editor = editor();
    // The request has either been answered already or is cancelled.
    let params = at(&editor, "service.yaml", SERVICE, "Server", 0);
    editor.replace("service.yaml", SERVICE);
    let id = editor.request("textDocument/hover", params);
    editor.notify("$/cancelRequest", json!({ "id": id }));
    match editor.response(id).response_result {
        Ok(answer) => assert!(answer["contents"].is_object()),
        Err(error) => assert_eq!(error.code, -32800),
    }
}

#[test]
fn texts_are_formatted() {
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", "tosca_definitions_version: tosca_2_0\nmetadata:\n    a:   'b'\n    c:   [1]\n");
    let uri = editor.uri("a.yaml");
    let edits = editor.ask("textDocument/formatting", json!({ "textDocument": { "uri": uri }, "options": {} }));
    let shown: Vec<String> =
        edits.as_array().unwrap().iter().map(|edit| format!("{} {}", range(&edit["range"]), edit["newText"])).collect();
    assert_eq!(shown.join("\n"), "2:0-2:12 \"  a: \\\"b\\\"\"\n3:0-3:12 \"  c: [ 1 ]\"");
    let part = json!({ "start": { "line": 3, "character": 2 }, "end": { "line": 3, "character": 3 } });
    let params = json!({ "textDocument": { "uri": uri }, "range": part, "options": {} });
    let edits = editor.ask("textDocument/rangeFormatting", params);
    assert_eq!(edits[0]["newText"], "    c: [ 1 ]");
    assert_eq!(edits.as_array().unwrap().len(), 1);
    let params =
        json!({ "textDocument": { "uri": uri }, "position": { "line": 3, "character": 0 }, "ch": "\n", "options": {} });
    let edits = editor.ask("textDocument/onTypeFormatting", params);
    assert_eq!(edits[0]["newText"], "    a: \"b\"");
    editor.replace("a.yaml", "a: [1\n");
    let edits = editor.ask("textDocument/formatting", json!({ "textDocument": { "uri": uri }, "options": {} }));
    assert!(edits.is_null(), "{edits}");
}

#[test]
fn derived_secrets_are_not_in_hovers() {
    let text = derived();
    let mut editor = Editor::new(&modern());
    editor.open("service.yay", &text);
    let uri = editor.uri("service.yay");
    let mut masked = 0;
    for (line, _) in text.lines().enumerate().filter(|(_, line)| line.starts_with("      type: T")) {
        let at = json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": 13 } });
        let answer = editor.ask("textDocument/hover", at).to_string();
        has_no_secrets("hover", &answer);
        masked += usize::from(answer.contains("*****"));
    }
    assert!(masked > 100, "{masked} hovers have a secret");
}
