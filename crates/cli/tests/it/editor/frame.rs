//! Opening, changing and closing files, and their problems.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::client::{Editor, edits_of, line, modern, plain, range};

const HEAD: &str = "tosca_definitions_version: tosca_2_0\n";

fn types(parent: &str) -> String {
    format!("{HEAD}node_types:\n  Server: {{ derived_from: {parent} }}\n")
}

const BASE: &str = "tosca_definitions_version: tosca_2_0\nnode_types: { Base: {} }\n";

#[test]
fn a_server_says_what_it_can_do() {
    let editor = Editor::new(&plain());
    let told = &editor.initialized["capabilities"];
    assert_eq!((&told["positionEncoding"], &told["textDocumentSync"]["change"]), (&json!("utf-16"), &json!(2)));
    assert_eq!(told.get("diagnosticProvider"), None, "it tells, so nobody needs to ask");
    let editor = Editor::new(&modern());
    assert_eq!(editor.initialized["capabilities"]["diagnosticProvider"]["interFileDependencies"], json!(true));
}

#[test]
fn problems_follow_the_text() {
    let mut editor = Editor::new(&plain());
    editor.open("service.yaml", &types("Sever"));
    editor.see_problems();
    let range = json!({ "start": { "line": 2, "character": 26 }, "end": { "line": 2, "character": 31 } });
    editor.change("service.yaml", json!([{ "range": range, "text": "Base" }]));
    editor.see_problems();
    let end = json!({ "start": { "line": 9, "character": 0 }, "end": { "line": 9, "character": 0 } });
    editor.change("service.yaml", json!([{ "range": end, "text": "  Base: {}\n" }]));
    editor.see_problems();
    editor.close("service.yaml");
    editor.see_problems();
    assert_snapshot!(editor.seen);
}

#[test]
fn characters_count_as_the_protocol_says() {
    let mut editor = Editor::new(&plain());
    editor.open("service.yaml", &format!("{HEAD}metadata: {{ 😀: ü }}\nnode_types: {{ 😀: {{ lable: x }} }}\n"));
    editor.see_problems();
    let range = json!({ "start": { "line": 2, "character": 20 }, "end": { "line": 2, "character": 28 } });
    editor.change("service.yaml", json!([{ "range": range, "text": "" }]));
    editor.see_problems();
    assert_snapshot!(editor.seen);
}

#[test]
fn byte_order_marks_are_characters() {
    let mut editor = Editor::new(&plain());
    editor.open("service.yaml", "\u{feff}{ tosca_definitions_version: tosca_2_0, descripton: x }\n");
    let (_, params) = editor.next();
    let place = range(&params["diagnostics"][0]["range"]);
    assert_eq!(place, "0:41-0:51");
    let wrong = json!({ "start": { "line": 0, "character": 41 }, "end": { "line": 0, "character": 51 } });
    let document = json!({ "uri": editor.uri("service.yaml") });
    let asked = json!({ "textDocument": document, "range": wrong, "context": { "diagnostics": [] } });
    let actions = editor.ask("textDocument/codeAction", asked);
    let edit = &edits_of(&actions[0]["edit"])[&editor.uri("service.yaml")][0];
    assert_eq!((range(&edit["range"]).as_str(), &edit["newText"]), ("0:41-0:51", &json!("description")), "{actions}");
    let style = json!({ "textDocument": document, "options": { "tabSize": 2, "insertSpaces": true } });
    assert_eq!(editor.ask("textDocument/formatting", style), json!([]));
    editor.change("service.yaml", json!([{ "range": wrong, "text": "description" }]));
    assert_eq!(editor.next().1["diagnostics"], json!([]));
}

#[test]
fn who_imports_a_text_is_told() {
    let mut editor = Editor::new(&plain());
    editor.write("base.yaml", BASE);
    editor.open("service.yaml", &types("Base").replace("node_types", "imports: [ base.yaml ]\nnode_types"));
    editor.see_problems();
    // The open text is used, not the file.
    editor.open("base.yaml", &BASE.replace("Base", "Basis"));
    editor.see_problems();
    editor.see_problems();
    editor.replace("base.yaml", BASE);
    editor.see_problems();
    editor.close("base.yaml");
    // A file that is not open has problems too.
    editor.write("base.yaml", &BASE.replace("{}", "{ lable: x }"));
    let uri = editor.uri("base.yaml");
    editor.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 2 }] }));
    editor.see_problems();
    editor.close("service.yaml");
    editor.see_problems();
    assert_snapshot!(editor.seen);
}

#[test]
fn what_is_imported_may_come_later() {
    let mut editor = Editor::new(&plain());
    editor.open("service.yaml", &types("Base").replace("node_types", "imports: [ base.yaml ]\nnode_types"));
    editor.see_problems();
    editor.write("base.yaml", BASE);
    let uri = editor.uri("base.yaml");
    editor.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 1 }] }));
    editor.see_problems();
    assert_snapshot!(editor.seen);
}

#[test]
fn other_yaml_is_left_alone() {
    let mut editor = Editor::new(&plain());
    editor.open("pod.yaml", "apiVersion: v1\nkind: Pod\nkind: Pod\n");
    editor.is_quiet();
    editor.replace("pod.yaml", &types("Sever"));
    editor.see_problems();
    editor.replace("pod.yaml", "kind: Pod\n");
    editor.see_problems();
    let uri = editor.uri("pod.yaml");
    let report = editor.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(report["items"], json!([]));
    assert_snapshot!(editor.seen);
}

#[test]
fn editors_may_ask_for_problems() {
    let mut editor = Editor::new(&modern());
    editor.write("base.yaml", &BASE.replace("{}", "{ lable: x }"));
    editor.open("service.yaml", &types("Sever").replace("node_types", "imports: [ base.yaml ]\nnode_types"));
    let uri = editor.uri("service.yaml");
    let report = editor.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(report["items"].as_array().unwrap().len(), 1, "{report}");
    let related = &report["relatedDocuments"][editor.uri("base.yaml")]["items"][0];
    editor.see(&line(related));
    // The editor has no reason to ask again about an unchanged text.
    editor.open("base.yaml", &BASE.replace("Base", "Server"));
    assert_eq!(editor.next().0, "workspace/diagnostic/refresh");
    let report = editor.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } }));
    editor.see(&report["items"].as_array().unwrap().iter().map(line).collect::<String>());
    assert_snapshot!(editor.seen);
}

#[test]
fn a_wrong_configuration_is_told_once() {
    let mut editor = Editor::new(&plain());
    editor.open("misconfigured.yaml", &types("Sever"));
    let (method, params) = editor.next();
    assert_eq!((method.as_str(), &params["message"]), ("window/showMessage", &json!("the configuration is wrong")));
    editor.replace("misconfigured.yaml", &types("Server"));
    editor.is_quiet();
}

#[test]
fn what_is_no_request_is_refused() {
    let mut editor = Editor::new(&plain());
    let id = editor.request("textDocument/dance", json!({}));
    assert_eq!(editor.response(id).response_result.unwrap_err().code, -32601);
    let id = editor.request("textDocument/diagnostic", json!({ "textDocument": 1 }));
    assert_eq!(editor.response(id).response_result.unwrap_err().code, -32602);
    editor.notify("textDocument/didOpen", json!({ "textDocument": 1 }));
    editor.notify("textDocument/didOpen", json!({
        "textDocument": { "uri": "git:/service.yaml", "languageId": "yaml", "version": 1, "text": "tosca_definitions_version: x" }
    }));
    editor.is_quiet();
}

#[test]
fn files_that_are_not_open_are_looked_at() {
    let base = BASE.to_owned();
    let service = types("Base").replace("node_types", "imports: [ base.yaml ]\nnode_types");
    let mut editor = Editor::with_files(&plain(), &[("base.yaml", &base), ("service.yaml", &service)]);
    // The change affects a file that is not open.
    editor.open("base.yaml", BASE);
    editor.see_problems();
    editor.replace("base.yaml", &BASE.replace("Base", "Basis"));
    editor.see_problems();
    std::fs::remove_file(editor.path("service.yaml")).unwrap();
    let uri = editor.uri("service.yaml");
    editor.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 3 }] }));
    editor.see_problems();
    assert_snapshot!(editor.seen);
}

#[test]
fn reading_many_files_is_reported() {
    let mut capabilities = modern();
    capabilities["window"] = json!({ "workDoneProgress": true });
    let mut editor = Editor::new(&capabilities);
    std::fs::create_dir(editor.path("more")).unwrap();
    for number in 0..60 {
        editor.write(&format!("more/t{number}.yaml"), &format!("{HEAD}node_types: {{ T{number}: {{}} }}\n"));
    }
    let folder = json!({ "uri": editor.uri("more"), "name": "more" });
    let change = json!({ "event": { "added": [folder], "removed": [] } });
    editor.notify("workspace/didChangeWorkspaceFolders", change.clone());
    let is_asked = |editor: &mut Editor, token: &str| {
        let (method, params) = editor.next();
        assert_eq!((&*method, &params["token"]), ("window/workDoneProgress/create", &json!(token)));
    };
    is_asked(&mut editor, "tosca-parse/workspace/1");
    editor.agree(1);
    let mut kinds = Vec::new();
    while kinds.last().is_none_or(|kind| kind != "end") {
        let (method, params) = editor.next();
        assert_eq!(method, "$/progress");
        kinds.push(params["value"]["kind"].as_str().unwrap().to_owned());
    }
    assert_eq!((&*kinds[0], kinds.iter().filter(|kind| *kind == "report").count() > 2), ("begin", true));
    // A removed folder is no longer known.
    let removal = json!({ "event": { "added": [], "removed": change["event"]["added"] } });
    editor.notify("workspace/didChangeWorkspaceFolders", removal);
    assert_eq!(editor.ask("workspace/symbol", json!({ "query": "T5" })), Value::Null);
    // A token is used once. Without the consent of the editor, there is no progress.
    editor.notify("workspace/didChangeWorkspaceFolders", change);
    is_asked(&mut editor, "tosca-parse/workspace/2");
    assert!(editor.ask("workspace/symbol", json!({ "query": "T5" })).as_array().is_some_and(|found| found.len() > 1));
}

#[test]
fn a_completion_after_another_text_waits_for_its_program() {
    let mut editor = Editor::new(&plain());
    editor.open("service.yaml", &types("Server"));
    editor.see_problems();
    let text = format!("{HEAD}node_types:\n  Shop: {{}}\n  Sale: {{ derived_from: Sh }}\n");
    editor.replace("service.yaml", &text);
    assert_eq!(editor.complete("service.yaml", 3, 26), ["Shop"]);
    editor.see_problems();
}

#[test]
fn untitled_documents_are_read_in_the_folder() {
    let mut editor = Editor::with_files(&plain(), &[("base.yaml", BASE)]);
    editor.open("base.yaml", BASE);
    editor.see_problems();
    let text = format!(
        "{HEAD}imports: [ base.yaml ]\nnode_types: {{ Shop: {{ derived_from: Base }}, Sale: {{ derived_from: Shp }} }}\n"
    );
    let document = json!({ "uri": "untitled:Untitled-1" });
    let open = |editor: &mut Editor, text: &str| {
        let opened = json!({ "uri": document["uri"], "languageId": "yaml", "version": 1, "text": text });
        editor.notify("textDocument/didOpen", json!({ "textDocument": opened }));
    };
    open(&mut editor, &text);
    let (method, params) = editor.next();
    assert_eq!((method.as_str(), &params["uri"]), ("textDocument/publishDiagnostics", &document["uri"]));
    assert_eq!(params["diagnostics"][0]["code"], json!("T2001"), "{params}");
    // The name is renamed in a file of the folder, too.
    let at = json!({ "textDocument": document, "position": { "line": 2, "character": 37 }, "newName": "Basis" });
    let changes = editor.ask("textDocument/rename", at)["changes"].take();
    assert_eq!(changes["untitled:Untitled-1"].as_array().map(Vec::len), Some(1), "{changes}");
    assert_eq!(changes[editor.uri("base.yaml")].as_array().map(Vec::len), Some(1), "{changes}");
    let at = json!({
        "textDocument": document,
        "position": { "line": 2, "character": 14 },
        "context": { "includeDeclaration": true },
    });
    let found = editor.ask("textDocument/references", at.clone());
    assert_eq!(found[0]["uri"], document["uri"], "{found}");
    // Other files can't import it.
    editor.open("other.yaml", &format!("{HEAD}node_types: {{ A: {{ derived_from: Shop }} }}\n"));
    editor.see_problems();
    assert_eq!(editor.complete("other.yaml", 1, 40), [""; 0]);
    editor.notify("textDocument/didClose", json!({ "textDocument": document }));
    let (_, params) = editor.next();
    assert_eq!((&params["uri"], &params["diagnostics"]), (&document["uri"], &json!([])));
    assert_eq!(editor.ask("textDocument/references", at), Value::Null);
}

#[test]
fn the_problems_of_all_files_are_pulled() {
    let mut capabilities = modern();
    capabilities["workspace"].as_object_mut().unwrap().remove("diagnostics");
    let files = [("base.yaml", BASE), ("wrong.yaml", &types("Sever"))];
    let mut editor = Editor::with_files(&capabilities, &files);
    assert_eq!(editor.initialized["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"], json!(true));
    let reports = |editor: &mut Editor, known: &Value| {
        let answer = editor.ask("workspace/diagnostic", json!({ "previousResultIds": known }));
        answer["items"].as_array().unwrap().clone()
    };
    let found = reports(&mut editor, &json!([]));
    assert_eq!((found.len(), &found[0]["uri"]), (1, &json!(editor.uri("wrong.yaml"))), "{found:?}");
    assert_eq!((&found[0]["kind"], &found[0]["items"][0]["code"]), (&json!("full"), &json!("T2001")));
    let known = json!([{ "uri": found[0]["uri"], "value": found[0]["resultId"] }]);
    assert!(reports(&mut editor, &known).is_empty());
    // Files that have no problems any more are reported, too.
    editor.open("wrong.yaml", &types("Server").replace("{ derived_from: Server }", "{}"));
    let found = reports(&mut editor, &known);
    assert_eq!((found.len(), &found[0]["items"]), (1, &json!([])), "{found:?}");
}

#[test]
fn a_document_does_not_wait_for_other_files() {
    let files = [("a.yaml", BASE), ("gated.yaml", BASE), ("shop.yaml", &types("Sever")), ("z.yaml", BASE)];
    let mut editor = Editor::unread(&plain(), &files);
    let symbols = editor.request("workspace/symbol", json!({ "query": "Base" }));
    editor.wait_for_gate();
    // All files have been started, and the result of the gated one would be stored first.
    editor.open("shop.yaml", &types("Sever"));
    let (method, params) = editor.next();
    assert_eq!((&*method, &params["uri"]), ("textDocument/publishDiagnostics", &json!(editor.uri("shop.yaml"))));
    assert_eq!(params["diagnostics"][0]["code"], json!("T2001"), "{params}");
    editor.replace("shop.yaml", &types("Server").replace("{ derived_from: Server }", "{}"));
    assert_eq!(editor.next().1["diagnostics"], json!([]));
    editor.write("open", "");
    let symbols = editor.response(symbols).response_result.unwrap();
    assert_eq!(symbols.as_array().map(Vec::len), Some(3), "{symbols}");
}
