//! A server without threads.

use serde_json::{Value, json};
use tosca_parse::{Parser, TOSCA};
use tosca_parse_server::{LocalServer, Message, Overlay};

use super::client::{Plain, plain};

/// Sends a message; returns the messages of the server.
fn send(server: &mut LocalServer<'_>, message: Value) -> Vec<Value> {
    let message: Message = serde_json::from_value(message).unwrap();
    server.handle(message).into_iter().map(|answer| serde_json::to_value(answer).unwrap()).collect()
}

fn request(id: i32, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

fn server() -> LocalServer<'static> {
    let overlay = Overlay::default();
    let provider = std::sync::Arc::new(overlay.clone());
    let parser = Parser::builder(&TOSCA).directory("/").provider(provider).offline(true).build().unwrap();
    LocalServer::new(Box::new(Plain { parser }), overlay)
}

#[test]
fn answers_come_before_the_call_returns() {
    let mut server = server();
    let sent = send(&mut server, request(1, "initialize", json!({ "capabilities": plain() })));
    assert_eq!(sent[0]["result"]["capabilities"]["hoverProvider"], true, "{sent:?}");
    send(&mut server, notification("initialized", json!({})));
    let text = "tosca_definitions_version: tosca_2_0\nnode_types:\n  A: {}\n  B: { derived_from: C }\n";
    let document = json!({ "uri": "file:///a.yaml", "languageId": "yaml", "version": 1, "text": text });
    let sent = send(&mut server, notification("textDocument/didOpen", json!({ "textDocument": document })));
    assert_eq!(sent[0]["params"]["diagnostics"][0]["code"], "T2001", "{sent:?}");
    let changes = json!([{ "range": { "start": { "line": 3, "character": 21 }, "end": { "line": 3, "character": 22 } }, "text": "A" }]);
    let changed = json!({ "uri": "file:///a.yaml", "version": 2 });
    let params = json!({ "textDocument": changed, "contentChanges": changes });
    let sent = send(&mut server, notification("textDocument/didChange", params));
    assert_eq!(sent[0]["params"]["diagnostics"], json!([]), "{sent:?}");
    let at = json!({ "textDocument": { "uri": "file:///a.yaml" }, "position": { "line": 3, "character": 21 } });
    let sent = send(&mut server, request(2, "textDocument/hover", at.clone()));
    assert!(sent[0]["result"]["contents"].to_string().contains('A'), "{sent:?}");
    let sent = send(&mut server, request(3, "textDocument/completion", at));
    assert!(sent[0]["result"]["items"].as_array().is_some_and(|items| !items.is_empty()), "{sent:?}");
    assert_eq!(send(&mut server, request(4, "shutdown", Value::Null))[0]["result"], Value::Null);
    assert_eq!(send(&mut server, request(5, "shutdown", Value::Null))[0]["error"]["code"], -32600);
}

#[test]
fn the_first_request_initializes() {
    let mut server = server();
    let sent = send(&mut server, request(1, "textDocument/hover", json!({})));
    assert_eq!(sent[0]["error"]["code"], -32002);
    assert!(send(&mut server, notification("initialized", json!({}))).is_empty());
    let sent = send(&mut server, request(2, "initialize", json!({})));
    assert_eq!(sent[0]["result"]["serverInfo"]["name"], "plain");
}
