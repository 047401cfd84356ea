//! Workspaces that change: folders, files and versions of documents.

use serde_json::{Value, json};

use super::client::{Editor, edits_of, modern};
use super::desk::Desk;
use super::refactor::edited;
use super::trials::CONTENT_MODIFIED;

const HEAD: &str = "tosca_definitions_version: tosca_2_0\n";

/// Returns the names of the symbols in the workspace, with their files.
fn symbols(desk: &mut Desk) -> Vec<String> {
    let found = desk.ask("workspace/symbol", json!({ "query": "" })).unwrap();
    let symbol = |symbol: &Value| {
        let file = desk.name(symbol["location"]["uri"].as_str().unwrap());
        format!("{file} {}", symbol["name"].as_str().unwrap())
    };
    let mut symbols: Vec<String> = found.as_array().unwrap().iter().map(symbol).collect();
    symbols.sort();
    symbols
}

fn change_folders(desk: &mut Desk, added: &[&str], removed: &[&str]) {
    let folders = |names: &[&str]| names.iter().map(|name| json!({ "uri": desk.uri(name), "name": name })).collect();
    let (added, removed): (Vec<Value>, Vec<Value>) = (folders(added), folders(removed));
    desk.notify("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": added, "removed": removed } }));
}

#[test]
fn folders_are_added_and_removed() {
    let types = format!("{HEAD}node_types: {{ Server: {{}} }}\n");
    let service = format!(
        "{HEAD}imports: [ ../two/types.yaml ]\nservice_template: {{ node_templates: {{ web: {{ type: Server }} }} }}\n"
    );
    let wrong = format!("{HEAD}node_types: {{ Other: {{ derived_from: Missing }} }}\n");
    let files = [
        ("one/service.yaml", &*service),
        ("two/types.yaml", &types),
        ("two/wrong.yaml", &wrong),
        ("three/a.yaml", &types),
    ];
    let mut desk = Desk::new(&json!({}), &files);
    change_folders(&mut desk, &["one", "two"], &[""]);
    let of_one = ["one/service.yaml web"];
    assert_eq!(symbols(&mut desk), [of_one[0], "two/types.yaml Server", "two/wrong.yaml Other"]);
    assert_eq!((desk.codes("two/wrong.yaml").len(), desk.codes("three/a.yaml").len()), (1, 0));
    desk.open("one/service.yaml", &service);
    let rename = |desk: &mut Desk| {
        let place = json!({ "line": 2, "character": service.lines().nth(2).unwrap().find("Server").unwrap() });
        let document = json!({ "uri": desk.uri("one/service.yaml") });
        desk.ask("textDocument/rename", json!({ "textDocument": document, "position": place, "newName": "Host" }))
    };
    assert_eq!(edits_of(&rename(&mut desk).unwrap()).len(), 2);
    // The file is still read, but it is no longer edited, and its problems disappear.
    change_folders(&mut desk, &[], &["two"]);
    assert_eq!(desk.codes("two/wrong.yaml"), [""; 0]);
    assert_eq!(desk.codes("one/service.yaml"), [""; 0]);
    assert!(rename(&mut desk).unwrap_err().contains("outside the workspace"));
    assert!(!symbols(&mut desk).iter().any(|symbol| symbol.contains("wrong.yaml")));
    change_folders(&mut desk, &["two"], &["one"]);
    assert_eq!(edits_of(&rename(&mut desk).unwrap()).len(), 2, "an open document is edited anywhere");
}

#[test]
fn importers_learn_that_a_file_is_deleted() {
    let importer = format!("{HEAD}imports: [ types.yaml ]\nnode_types: {{ A: {{ derived_from: Server }} }}\n");
    let indirect = format!("{HEAD}imports: [ closed.yaml ]\n");
    let types = format!("{HEAD}node_types: {{ Server: {{}} }}\n");
    let files =
        [("open.yaml", &*importer), ("closed.yaml", &importer), ("indirect.yaml", &indirect), ("types.yaml", &types)];
    let mut desk = Desk::new(&json!({}), &files);
    desk.open("open.yaml", &importer);
    let codes = |desk: &Desk| ["open.yaml", "closed.yaml", "indirect.yaml"].map(|file| desk.codes(file).join(" "));
    assert_eq!(codes(&desk), ["", "", ""]);
    std::fs::remove_file(desk.path("types.yaml")).unwrap();
    desk.report_change("types.yaml", 3);
    assert_eq!(codes(&desk), ["T1001", "T1001", ""]);
    assert!(!symbols(&mut desk).iter().any(|symbol| symbol.ends_with("Server")));
    // Another file appears in its place.
    std::fs::write(desk.path("types.yaml"), types.replace("Server", "Host")).unwrap();
    desk.report_change("types.yaml", 1);
    assert_eq!(codes(&desk), ["T2001", "T2001", ""]);
    std::fs::write(desk.path("types.yaml"), &types).unwrap();
    desk.report_change("types.yaml", 2);
    assert_eq!(codes(&desk), ["", "", ""]);
    // The open document counts, not the file.
    desk.open("types.yaml", &types);
    std::fs::remove_file(desk.path("types.yaml")).unwrap();
    desk.report_change("types.yaml", 3);
    assert_eq!(codes(&desk), ["", "", ""]);
    desk.close("types.yaml");
    assert_eq!(codes(&desk), ["T1001", "T1001", ""]);
}

#[test]
fn edits_are_for_the_version_that_they_name() {
    let text = format!("{HEAD}node_types: {{ Server: {{}}, B: {{ derived_from: Server }} }}\n");
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", &text);
    let at = text.lines().nth(1).unwrap().find("Server").unwrap();
    let params = json!({
        "textDocument": { "uri": editor.uri("a.yaml") },
        "position": { "line": 1, "character": at + 2 },
        "newName": "Host",
    });
    // The text changes while the request is being answered.
    let request = editor.request("textDocument/rename", params);
    let newer = text.replace("B: {", "B: { description: 'x',").replace("derived_from: Server", "derived_from: Server ");
    editor.replace("a.yaml", &newer);
    match editor.response(request).response_result {
        Ok(answer) => {
            assert_eq!(answer["documentChanges"][0]["textDocument"]["version"], json!(1));
            let edits = &edits_of(&answer)[&editor.uri("a.yaml")];
            assert_eq!(edited(&text, edits), text.replace("Server", "Host"));
        }
        // The position may have another meaning in the new text.
        Err(error) => assert_eq!(error.code, CONTENT_MODIFIED, "{error:?}"),
    }
    // A change with an older version has been sent, so it counts.
    let document = json!({ "uri": editor.uri("a.yaml"), "version": 1 });
    editor.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [{ "text": text }] }));
    let params = json!({ "textDocument": { "uri": editor.uri("a.yaml") } });
    let symbols = editor.ask("textDocument/documentSymbol", params);
    assert!(!symbols.to_string().contains("'x'"), "{symbols}");
    // A change to a document that is not open has no effect.
    let document = json!({ "uri": editor.uri("b.yaml"), "version": 7 });
    editor
        .notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [{ "text": "a: [" }] }));
    let params = json!({ "textDocument": { "uri": editor.uri("b.yaml") } });
    assert_eq!(editor.ask("textDocument/documentSymbol", params), Value::Null);
}

#[test]
fn reports_are_never_null() {
    let mut editor = Editor::new(&modern());
    for file in ["notes.yaml", "misconfigured.yaml", "missing.yaml"] {
        if file != "missing.yaml" {
            editor.open(file, if file == "notes.yaml" { "a: b\n" } else { HEAD });
        }
        let params = json!({ "textDocument": { "uri": editor.uri(file) } });
        let report = editor.ask("textDocument/diagnostic", params);
        assert_eq!(report, json!({ "kind": "full", "items": [] }), "{file}");
    }
    assert_eq!(editor.next().0, "window/showMessage");
    let report = editor.ask("workspace/diagnostic", json!({ "previousResultIds": [] }));
    assert_eq!(report["items"], json!([]));
}

#[test]
fn folders_outside_the_workspace_are_not_searched() {
    let types = |name: &str| format!("{HEAD}node_types: {{ {name}: {{}} }}\n");
    let files = [("in/a.yaml", &*types("Inner")), ("out/b.yaml", &types("Outer"))];
    let mut desk = Desk::new(&json!({}), &files);
    change_folders(&mut desk, &["in"], &[""]);
    for folder in ["out", ""] {
        desk.report_change(folder, 1);
        assert_eq!(symbols(&mut desk), ["in/a.yaml Inner"], "{folder}");
    }
    // The folder around the workspace has been replaced, for example.
    std::fs::write(desk.path("in/c.yaml"), types("New")).unwrap();
    desk.report_change("", 2);
    assert_eq!(symbols(&mut desk), ["in/a.yaml Inner", "in/c.yaml New"]);
}

#[test]
fn files_are_left_out_if_the_others_import_too_much() {
    let importer = format!("{HEAD}imports: [ ../types.yaml ]\nservice_template: {{ node_templates: {{}} }}\n");
    let types: Vec<String> = (0..40).map(|number| format!("  N{number}: {{ derived_from: Missing }}\n")).collect();
    let types = format!("{HEAD}node_types:\n{}", types.concat());
    let files = [("a/1.yaml", &*importer), ("a/2.yaml", &importer), ("a/3.yaml", &importer), ("types.yaml", &types)];
    let mut desk = Desk::limited(&json!({}), &files, 0);
    let codes = |desk: &Desk| ["a/1.yaml", "a/2.yaml", "a/3.yaml"].map(|file| desk.codes(file).concat());
    assert_eq!(codes(&desk), ["", "T1406", "T1406"]);
    let messages = desk.sent.iter().filter(|sent| sent["method"] == "window/showMessage").count();
    assert_eq!(messages, 1, "{:?}", desk.sent);
    let rename = |desk: &mut Desk| {
        let document = json!({ "uri": desk.uri("types.yaml") });
        let place = json!({ "line": 2, "character": 2 });
        desk.ask("textDocument/rename", json!({ "textDocument": document, "position": place, "newName": "Host" }))
    };
    desk.open("types.yaml", &types);
    assert!(rename(&mut desk).unwrap_err().contains("a/2.yaml can't be read: the imports of other files exceed"));

    // An open file is always checked.
    desk.open("a/3.yaml", &importer);
    assert_eq!(codes(&desk), ["", "T1406", ""]);
    desk.replace("types.yaml", &format!("{HEAD}node_types:\n  N0: {{}}\n"));
    assert_eq!(codes(&desk), ["", "", ""]);
    assert_eq!(edits_of(&rename(&mut desk).unwrap()).len(), 1);
}
