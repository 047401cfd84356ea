//! Linked editing: names that are typed in several places at once.

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

#[test]
fn names_that_other_files_use_are_left_alone() {
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", TEXT);
    let head = "tosca_definitions_version: tosca_2_0\n";
    editor.open("b.yaml", &format!("{head}imports: [ a.yaml ]\nnode_types: {{ Shop: {{ derived_from: Server }} }}\n"));
    assert_eq!(linked(&mut editor, TEXT, "Server", 0), "");
    assert_eq!(linked(&mut editor, TEXT, "web", 0), "5:4-5:7 6:46-6:49");
    editor.replace("b.yaml", &format!("{head}node_types: {{ Server: {{}} }}\n"));
    assert_eq!(linked(&mut editor, TEXT, "Server", 0), "1:14-1:20 5:17-5:23", "another name");
    editor
        .replace("b.yaml", &format!("{head}imports: [ a.yaml ]\nnode_types: {{ Shop: {{ derived_from: Server }} }}\n"));
    assert_eq!(linked(&mut editor, TEXT, "Server", 0), "", "the text before the change would say otherwise");
}
