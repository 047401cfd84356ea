//! Linked editing: names that are typed in several places at once.

use serde_json::json;

use super::asks::at;
use super::client::{Editor, modern, range};

const TEXT: &str = "tosca_definitions_version: tosca_2_0
node_types: { Server: { properties: { size: { type: integer, required: false } } } }
service_template:
  inputs: { size: { type: integer } }
  node_templates:
    web: { type: Server, properties: { size: { $get_input: size } } }
  outputs: { id: { value: { $get_property: [ \"web\", size ] } } }
";

/// Returns the ranges that are edited together at the nth occurrence of a word.
fn linked(editor: &mut Editor, text: &str, word: &str, number: usize) -> String {
    let params = at(editor, "a.yaml", text, word, number);
    let answer = editor.ask("textDocument/linkedEditingRange", params);
    let ranges: Vec<String> = answer["ranges"].as_array().into_iter().flatten().map(range).collect();
    assert_eq!(answer["wordPattern"].is_string(), !ranges.is_empty());
    ranges.join(" ")
}

#[test]
fn names_of_one_file_are_edited_together() {
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", TEXT);
    assert_eq!(linked(&mut editor, TEXT, "web", 0), "5:4-5:7 6:46-6:49");
    assert_eq!(linked(&mut editor, TEXT, "web", 1), "5:4-5:7 6:46-6:49");
    assert_eq!(linked(&mut editor, TEXT, "size", 1), "3:12-3:16 5:59-5:63");
    assert_eq!(linked(&mut editor, TEXT, "Server", 0), "1:14-1:20 5:17-5:23");
    // Other words, names that are declared elsewhere, and names that occur once are not.
    for word in ["type", "integer", "id"] {
        assert_eq!(linked(&mut editor, TEXT, word, 0), "", "{word}");
    }
    let escaped = TEXT.replace("\"web\"", "\"w\\u0065b\"");
    editor.replace("a.yaml", &escaped);
    assert_eq!(linked(&mut editor, &escaped, "web", 0), "", "an occurrence has escapes");
    let broken = format!("{TEXT}      x: [ y\n");
    editor.replace("a.yaml", &broken);
    assert_eq!(linked(&mut editor, &broken, "web", 0), "", "there may be others");
}

/// Waits until a file is parsed.
fn wait(editor: &mut Editor, file: &str) {
    editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": editor.uri(file) } }));
}

#[test]
fn names_that_other_files_use_are_left_alone() {
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", TEXT);
    let head = "tosca_definitions_version: tosca_2_0\n";
    let using = format!("{head}imports: [ a.yaml ]\nnode_types: {{ Shop: {{ derived_from: Server }} }}\n");
    editor.open("b.yaml", &using);
    wait(&mut editor, "b.yaml");
    assert_eq!(linked(&mut editor, TEXT, "Server", 0), "");
    assert_eq!(linked(&mut editor, TEXT, "web", 0), "5:4-5:7 6:46-6:49");
    editor.replace("b.yaml", &format!("{head}node_types: {{ Server: {{}} }}\n"));
    wait(&mut editor, "b.yaml");
    assert_eq!(linked(&mut editor, TEXT, "Server", 0), "1:14-1:20 5:17-5:23", "another name");
    editor.replace("b.yaml", &using);
    wait(&mut editor, "b.yaml");
    assert_eq!(linked(&mut editor, TEXT, "Server", 0), "", "the text before the change would say otherwise");
}

/// A text that imports `gated.yaml`, which can't be read before the file `open` exists.
const IMPORTER: &str = "tosca_definitions_version: tosca_2_0
imports: [ a.yaml, gated.yaml ]
node_types: { Shop: { derived_from: Server } }
";

#[test]
fn names_are_edited_together_before_importers_are_parsed() {
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", TEXT);
    editor.write("gated.yaml", "tosca_definitions_version: tosca_2_0\n");
    editor.write("open", "");
    editor.open("b.yaml", IMPORTER);
    wait(&mut editor, "b.yaml");
    for file in ["open", "waiting"] {
        std::fs::remove_file(editor.path(file)).unwrap();
    }
    // The importer is parsed again, which takes long.
    let text = TEXT.replace("web", "webs");
    editor.write("gated.yaml", "tosca_definitions_version: tosca_2_0\nnode_types: { Gate: {} }\n");
    editor.replace("a.yaml", &text);
    assert_eq!(linked(&mut editor, &text, "webs", 0), "5:4-5:8 6:46-6:50");
    assert_eq!(linked(&mut editor, &text, "Server", 0), "", "the importer contains the word");
    // Nothing is known about a file that has changed itself.
    editor.replace("b.yaml", &IMPORTER.replace("Server", "Base"));
    assert_eq!(linked(&mut editor, &text, "webs", 0), "");
    editor.write("open", "");
    wait(&mut editor, "b.yaml");
    assert_eq!(linked(&mut editor, &text, "webs", 0), "5:4-5:8 6:46-6:50");
    assert_eq!(linked(&mut editor, &text, "Server", 0), "1:14-1:20 5:18-5:24");
}
