//! Trials of renames, which take long if there are many files.

use serde_json::{Value, json};

use super::asks::at;
use super::client::{Editor, edits_of, modern};

/// A text that imports `gated.yaml`, which can't be read before the file `open` exists.
const TEXT: &str = "tosca_definitions_version: tosca_2_0
imports: [ gated.yaml ]
node_types: { Server: {}, Shop: { derived_from: Server } }
";

/// A text with another use of the name.
const USER: &str = "tosca_definitions_version: tosca_2_0
imports: [ a.yaml ]
node_types: { Web: { derived_from: Server } }
";

/// The error code of a canceled request.
const CANCELED: i32 = -32800;

/// The error code of a request about a text that has changed.
pub(super) const CONTENT_MODIFIED: i32 = -32801;

/// Starts a rename, and waits until its trial has begun.
fn rename() -> (Editor, i32) {
    let mut editor = Editor::new(&modern());
    editor.write("gated.yaml", "tosca_definitions_version: tosca_2_0\n");
    editor.write("open", "");
    editor.open("a.yaml", TEXT);
    let mut params = at(&editor, "a.yaml", TEXT, "Server", 0);
    params["newName"] = json!("Host");
    // All files are indexed before the gate is closed.
    editor.ask("textDocument/rename", params.clone());
    for file in ["open", "waiting"] {
        std::fs::remove_file(editor.path(file)).unwrap();
    }
    let request = editor.request("textDocument/rename", params);
    editor.wait_for_gate();
    (editor, request)
}

/// Returns the number of edits in each file.
fn edits(editor: &mut Editor, request: i32) -> Vec<(String, usize)> {
    let answer = editor.response(request).response_result.unwrap();
    let count = |(uri, edits): (String, Value)| (editor.without_folder(&uri), edits.as_array().unwrap().len());
    edits_of(&answer).into_iter().map(count).collect()
}

/// Waits until the server has received all notifications.
fn wait(editor: &mut Editor, file: &str) {
    // Formatting only needs the text.
    let params = json!({ "textDocument": { "uri": editor.uri(file) }, "options": {} });
    assert!(editor.ask("textDocument/formatting", params).is_array());
}

fn error_code(editor: &mut Editor, request: i32) -> i32 {
    editor.response(request).response_result.unwrap_err().code
}

#[test]
fn requests_are_answered_during_a_trial() {
    let (mut editor, request) = rename();
    let params = at(&editor, "a.yaml", TEXT, "Shop", 0);
    let hover = editor.ask("textDocument/hover", params);
    assert!(hover["contents"].to_string().contains("Shop"), "{hover}");
    editor.write("open", "");
    assert_eq!(edits(&mut editor, request), [("a.yaml".to_owned(), 2)]);
}

#[test]
fn trials_can_be_canceled() {
    let (mut editor, request) = rename();
    editor.notify("$/cancelRequest", json!({ "id": request }));
    assert_eq!(error_code(&mut editor, request), CANCELED);
    let mut params = at(&editor, "a.yaml", TEXT, "Shop", 0);
    params["newName"] = json!("Store");
    let next = editor.request("textDocument/rename", params);
    editor.write("open", "");
    assert_eq!(edits(&mut editor, next), [("a.yaml".to_owned(), 1)]);
}

#[test]
fn renames_in_a_changed_document_are_refused() {
    let (mut editor, request) = rename();
    editor.replace("a.yaml", &TEXT.replace("Server: {}, ", "Server: {},\n  "));
    wait(&mut editor, "a.yaml");
    editor.write("open", "");
    assert_eq!(error_code(&mut editor, request), CONTENT_MODIFIED);
}

#[test]
fn renames_start_again_if_another_file_changes() {
    let (mut editor, request) = rename();
    editor.open("b.yaml", USER);
    wait(&mut editor, "b.yaml");
    editor.write("open", "");
    assert_eq!(edits(&mut editor, request), [("a.yaml".to_owned(), 2), ("b.yaml".to_owned(), 1)]);
}
