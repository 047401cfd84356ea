//! The language server, started like an editor does: over standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use super::{Folder, root};

/// A timeout longer than any operation.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
struct Server {
    child: Arc<Mutex<Child>>,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(folder: &Folder, arguments: &str) -> Self {
        let mut server = Self::spawn(&mut folder.command(&format!("server {arguments}")));
        let folders = json!([{ "uri": uri(folder, ""), "name": "test" }]);
        server.send(
            json!({ "id": 1, "method": "initialize", "params": { "capabilities": {}, "workspaceFolders": folders } }),
        );
        assert_eq!(server.read()["result"]["serverInfo"]["name"], json!("tosca-parse"));
        server.send(json!({ "method": "initialized", "params": {} }));
        server
    }

    fn spawn(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let child = Arc::new(Mutex::new(child));
        let watched = Arc::downgrade(&child);
        // A silent server must not block the tests forever.
        std::thread::spawn(move || {
            std::thread::sleep(PATIENCE);
            watched.upgrade().map(|child| child.lock().unwrap().kill())
        });
        Self { child, input, output }
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has ended");
            if let Some(number) = line.strip_prefix("Content-Length: ") {
                length = number.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).unwrap();
        serde_json::from_slice(&text).unwrap()
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "yaml", "version": 1, "text": text });
        self.send(json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    }

    /// Returns the codes of the next published problems of a file.
    fn codes(&mut self, uri: &str) -> Vec<String> {
        loop {
            let message = self.read();
            if message["method"] == json!("textDocument/publishDiagnostics") && message["params"]["uri"] == json!(uri) {
                let problems = message["params"]["diagnostics"].as_array().unwrap().clone();
                return problems.iter().map(|problem| problem["code"].as_str().unwrap().to_owned()).collect();
            }
        }
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.send(json!({ "id": method, "method": method, "params": params }));
        loop {
            let mut message = self.read();
            if message["id"] == json!(method) {
                return message["result"].take();
            }
        }
    }

    fn end(mut self) {
        self.send(json!({ "id": 99, "method": "shutdown" }));
        while self.read()["id"] != json!(99) {}
        self.send(json!({ "method": "exit" }));
        drop(self.input.take());
        assert!(self.child.lock().unwrap().wait().unwrap().success());
    }
}

fn uri(folder: &Folder, file: &str) -> String {
    format!("file://{}", folder.path().join(file).display())
}

const SERVICE: &str = "tosca_definitions_version: tosca_2_0
node_types: { Server: { derived_from: Sever, lable: x } }
service_template: { node_templates: { web: { type: Server } } }
";

#[test]
fn entries_of_packed_folders_are_files() {
    let meta = "CSAR-Version: 2.0\nCreated-By: me\nEntry-Definitions: service.yaml\n";
    let service = "tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
artifact_types: { File: {} }
node_types: { Web: { derived_from: Server, artifacts: { boot: { type: File, file: boot.sh } } }, B: { derived_from: C } }
";
    let types = "tosca_definitions_version: tosca_2_0\nnode_types: { Server: {} }\n";
    let files = [("a/TOSCA.meta", meta), ("a/service.yaml", service), ("a/types.yaml", types), ("a/boot.sh", "")];
    let folder = Folder::new(&files);
    let mut server = Server::start(&folder, "");
    let service = uri(&folder, "a/service.yaml");
    assert_eq!(server.codes(&service), ["T2001"]);
    let file = json!({ "oldUri": uri(&folder, "a/boot.sh"), "newUri": uri(&folder, "a/scripts/boot.sh") });
    let edit = server.ask("workspace/willRenameFiles", &json!({ "files": [file] }));
    assert_eq!(edit["changes"][&service][0]["newText"], json!("scripts/boot.sh"), "{edit}");
    // The open text counts rather than the file.
    server.open(&service, "tosca_definitions_version: tosca_2_0\nnode_types: { Web: {} }\n");
    assert!((0..3).any(|_| server.codes(&service).is_empty()));
    let close = json!({ "textDocument": { "uri": service } });
    server.send(json!({ "method": "textDocument/didClose", "params": close }));
    let (text, types) = (types, uri(&folder, "a/types.yaml"));
    server.open(&types, text);
    let at = json!({
        "textDocument": { "uri": types }, "position": { "line": 1, "character": 15 }, "newName": "Host",
    });
    let edit = server.ask("textDocument/rename", &at);
    let files: Vec<&String> = edit["changes"].as_object().unwrap().keys().collect();
    assert_eq!(files, [&service, &types]);
    server.end();
}

#[test]
fn unused_and_deprecated_names_are_tagged() {
    let text = "tosca_definitions_version: tosca_2_0
node_types: { A: { properties: { b: { type: string, status: deprecated } } } }
service_template:
  inputs: { i: { type: string, default: x } }
  node_templates: { a: { type: A, properties: { b: c } } }
";
    let folder = Folder::new(&[("service.yaml", text)]);
    let mut server = Server::start(&folder, "--warn lints");
    server.open(&uri(&folder, "service.yaml"), text);
    let message = server.read();
    let problems = message["params"]["diagnostics"].as_array().unwrap();
    let tags: Vec<(&str, &Value)> =
        problems.iter().map(|problem| (problem["code"].as_str().unwrap(), &problem["tags"])).collect();
    assert!(tags.contains(&("T7001", &json!([1]))) && tags.contains(&("T7005", &json!([2]))), "{tags:?}");
    server.end();
}

#[test]
fn arguments_set_the_levels_of_rules() {
    let text = "tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  substitution_mappings: { node_type: tosca.nodes.DBMS, properties: { port: 5432 } }
";
    for (arguments, expected) in [
        ("", json!([["T5607", 2]])),
        ("--strict", json!([["T5607", 1]])),
        ("--allow T5607", json!([])),
        ("--deny warnings --warn value-for-mapping", json!([["T5607", 2]])),
    ] {
        let folder = Folder::new(&[("service.yaml", text)]);
        let mut server = Server::start(&folder, arguments);
        let uri = uri(&folder, "service.yaml");
        server.open(&uri, text);
        let problems = loop {
            let message = server.read();
            if message["method"] == json!("textDocument/publishDiagnostics") {
                break message["params"]["diagnostics"].as_array().unwrap().clone();
            }
        };
        let found: Vec<Value> = problems.iter().map(|problem| json!([problem["code"], problem["severity"]])).collect();
        assert_eq!(json!(found), expected, "{arguments}");
        server.end();
    }
    // A rule that neither the command nor a configuration declares is reported.
    let folder = Folder::new(&[("service.yaml", text)]);
    let mut server = Server::start(&folder, "--deny own-rule");
    server.open(&uri(&folder, "service.yaml"), text);
    let message = server.read();
    assert_eq!(message["method"], json!("window/showMessage"));
    assert!(message["params"]["message"].as_str().unwrap().contains("`own-rule`"), "{message}");
    server.end();
}

#[test]
fn the_configuration_of_the_project_holds() {
    let folder = Folder::new(&[("tosca-parse.yaml", "rules: { T1201: allow }\n"), ("service.yaml", SERVICE)]);
    let mut server = Server::start(&folder, "");
    let service = uri(&folder, "service.yaml");
    server.open(&service, SERVICE);
    assert_eq!(server.codes(&service), ["T2001"]);
    folder.write("tosca-parse.yaml", "rules: { T2001: allow }\n");
    let changed = json!({ "changes": [{ "uri": uri(&folder, "tosca-parse.yaml"), "type": 2 }] });
    server.send(json!({ "method": "workspace/didChangeWatchedFiles", "params": changed }));
    assert_eq!(server.codes(&service), ["T1201"]);
    server.end();
}

#[test]
fn a_picture_and_what_is_built_in() {
    let text = "tosca_definitions_version: tosca_simple_yaml_1_3
topology_template: { node_templates: { web: { type: tosca.nodes.Root } } }
";
    let folder = Folder::new(&[]);
    let mut server = Server::start(&folder, "--no-config");
    let service = uri(&folder, "service.yaml");
    server.open(&service, text);
    assert_eq!(server.codes(&service), [""; 0]);
    let diagram = json!({ "command": "tosca-parse.diagram", "arguments": [service] });
    server.send(json!({ "id": 2, "method": "workspace/executeCommand", "params": diagram }));
    assert!(server.read()["result"]["svg"].as_str().unwrap().starts_with("<svg"));
    let plan = json!({ "command": "tosca-parse.plan", "arguments": [service] });
    let plan = server.ask("workspace/executeCommand", &plan);
    assert!(plan["text"].as_str().unwrap().contains("web"), "{plan}");
    let place = json!({ "textDocument": { "uri": service }, "position": { "line": 1, "character": 55 } });
    server.send(json!({ "id": 3, "method": "textDocument/definition", "params": place }));
    let answer = server.read();
    let copy = answer["result"][0]["uri"].as_str().unwrap().trim_start_matches("file://").to_owned();
    assert!(std::fs::read_to_string(&copy).unwrap().contains("tosca.nodes.Root:"), "{answer}");
    // A copy is shown but not validated.
    server.open(&format!("file://{copy}"), &std::fs::read_to_string(&copy).unwrap());
    server.end();
}

/// Returns the labels and details of the proposals at the `|` of a text, which becomes the content of a file.
fn proposals(server: &mut Server, uri: &str, text: &str) -> Vec<String> {
    let (before, after) = text.split_once('|').unwrap();
    let (line, last) = (before.matches('\n').count(), before.rsplit('\n').next().unwrap());
    server.open(uri, &format!("{before}{after}"));
    let position = json!({ "line": line, "character": last.len() });
    let found = server.ask("textDocument/completion", &json!({ "textDocument": { "uri": uri }, "position": position }));
    let shown = |item: &Value| match item["detail"].as_str() {
        Some(detail) => format!("{} ({detail})", item["label"].as_str().unwrap()),
        None => item["label"].as_str().unwrap().to_owned(),
    };
    found["items"].as_array().unwrap().iter().map(shown).collect()
}

#[test]
fn required_properties_come_first_in_each_language() {
    let folder = Folder::new(&[]);
    let mut server = Server::start(&folder, "--no-config");
    let file = uri(&folder, "heat.yaml");
    let heat =
        "heat_template_version: 2018-08-31\nresources:\n  a:\n    type: OS::Nova::Server\n    properties:\n      |";
    let found = proposals(&mut server, &file, heat);
    assert_eq!(found[0], "flavor (string, required)", "{found:?}");
    assert!(found.contains(&"image (string)".to_owned()), "{found:?}");
    let file = uri(&folder, "blueprint.yaml");
    let blueprint = "tosca_definitions_version: cloudify_dsl_1_3
imports: [ cloudify/types/types.yaml ]
data_types:
  Address: { properties: { street: { type: string }, number: { type: integer, default: 1 } } }
  Optional: { properties: { size: { type: integer, default: 1 } } }
node_types:
  Server:
    derived_from: cloudify.nodes.Root
    properties: { free: { default: 1 }, size: { type: integer }, address: { type: Address }, other: { type: Optional } }
node_templates:
  one: { type: Server, properties: { size: 1, address: { street: x } } }
  two:
    type: Server
    properties:
";
    let found = proposals(&mut server, &file, &format!("{blueprint}      |"));
    assert_eq!(found[..2], ["size (integer, required)", "address (Address, required)"], "{found:?}");
    assert!(found.contains(&"other (Optional)".to_owned()) && found.contains(&"free".to_owned()), "{found:?}");
    let found = proposals(&mut server, &file, &format!("{blueprint}      size: {{ get_property: [ one, si| ] }}"));
    assert_eq!(found, ["size (integer, required)"]);
    let found = proposals(&mut server, &file, &format!("{blueprint}      size: {{ get_property: [ none, si| ] }}"));
    assert!(!found.iter().any(|item| item.starts_with("size")), "{found:?}");
    server.end();
}

#[test]
fn test_files_are_served() {
    let valid = "cases:\n  one: { inputs: { a: 1 }, problems: [ T1201 ] }\n";
    let files =
        [("shop.yaml", SERVICE), ("shop_test.yaml", valid), ("gone_test.yaml", valid), ("b_test.yaml", "a: b\n")];
    let folder = Folder::new(&files);
    let mut server = Server::start(&folder, "--no-config");
    let [shop, gone, other] = ["shop_test.yaml", "gone_test.yaml", "b_test.yaml"].map(|file| uri(&folder, file));
    assert_eq!(server.codes(&gone), ["X1001"]);
    server.open(&shop, valid);
    assert_eq!(server.codes(&shop), [""; 0]);
    let wrong = "cases:\n  one: { input: 1, problems: [ T9999 ], model: { a: 1 } }\n  two: { template: x.yaml }\n";
    let change = json!({ "textDocument": { "uri": shop, "version": 2 }, "contentChanges": [{ "text": wrong }] });
    server.send(json!({ "method": "textDocument/didChange", "params": change }));
    let mut codes = server.codes(&shop);
    codes.sort();
    assert_eq!(codes, ["T1201", "T1205", "X1001", "X1002", "X1003"]);
    let at = |line: u32, character: u32| json!({ "textDocument": { "uri": shop }, "position": { "line": line, "character": character } });
    let hover = server.ask("textDocument/hover", &at(1, 20));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("errors and warnings"), "{hover}");
    let labels = |list: &Value| -> Vec<String> {
        let items = list["items"].as_array().unwrap().iter();
        items.map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    };
    let codes = labels(&server.ask("textDocument/completion", &at(1, 32)));
    assert!(codes.contains(&"T1201".to_owned()), "{codes:?}");
    let keynames = labels(&server.ask("textDocument/completion", &at(1, 10)));
    assert_eq!(keynames[0], "inputs");
    let templates = labels(&server.ask("textDocument/completion", &at(2, 19)));
    assert!(templates.contains(&"shop.yaml".to_owned()), "{templates:?}");
    // The template may come later, and other YAML is left alone.
    folder.write("gone.yaml", SERVICE);
    let created = json!({ "changes": [{ "uri": uri(&folder, "gone.yaml"), "type": 1 }] });
    server.send(json!({ "method": "workspace/didChangeWatchedFiles", "params": created }));
    assert_eq!(server.codes(&gone), [""; 0]);
    server.open(&other, "a: b\n");
    let symbols = server.ask("textDocument/documentSymbol", &json!({ "textDocument": { "uri": other } }));
    assert!(symbols.as_array().is_none_or(Vec::is_empty), "{symbols}");
    server.end();
}

#[test]
fn classes_of_packages_are_read_too() {
    let examples = root().join("examples/murano");
    let files = ["db/manifest.yaml", "db/Classes/Database.yaml", "db/Classes/Postgres.yaml"];
    let net = ["net/manifest.yaml", "net/Classes/Address.yaml", "net/Classes/Cost.yaml"];
    let folder = Folder::new(&[]);
    for file in files.iter().chain(&net) {
        folder.write(file, &std::fs::read_to_string(examples.join(file)).unwrap());
    }
    let mut server = Server::start(&folder, "--no-config");
    let class = uri(&folder, "db/Classes/Postgres.yaml");
    let text = std::fs::read_to_string(examples.join("db/Classes/Postgres.yaml")).unwrap();
    server.open(&class, &text);
    assert_eq!(server.codes(&class), [""; 0]);
    let text = text.replacen("Methods:", "Methos:", 1);
    let change = json!({ "textDocument": { "uri": class, "version": 2 }, "contentChanges": [{ "text": text }] });
    server.send(json!({ "method": "textDocument/didChange", "params": change }));
    assert_eq!(server.codes(&class), ["M1106"]);
    let at = |word: &str| {
        let before = &text[..text.find(word).unwrap()];
        let (line, character) = (before.matches('\n').count(), before.len() - before.rfind('\n').unwrap() - 1);
        json!({ "textDocument": { "uri": class }, "position": { "line": line, "character": character } })
    };
    let document = json!({ "textDocument": { "uri": class } });
    let symbols = server.ask("textDocument/documentSymbol", &document);
    assert_eq!(symbols[0]["name"], "com.example.db.Postgres");
    let definition = server.ask("textDocument/definition", &at("Database"));
    assert_eq!(definition[0]["uri"], json!(uri(&folder, "db/Classes/Database.yaml")));
    let hover = server.ask("textDocument/hover", &at("Database"));
    let about = hover["contents"]["value"].as_str().unwrap();
    assert!(
        about.starts_with("class `com.example.db.Database`\n\nderived from [`io.murano.Application`](file:"),
        "{about}"
    );
    let completion = server.ask("textDocument/completion", &at("Methos"));
    assert!(completion["items"].as_array().unwrap().iter().any(|item| item["label"] == "Methods"), "{completion}");
    assert!(!server.ask("textDocument/foldingRange", &document).as_array().unwrap().is_empty());
    // The name of a class is part of an expression, which is a reason to refuse a rename, but the new name is valid.
    let mut rename = at("Database");
    rename["newName"] = json!("Store");
    server.send(json!({ "id": 77, "method": "textDocument/rename", "params": rename }));
    let answer = loop {
        let message = server.read();
        if message["id"] == 77 {
            break message;
        }
    };
    let reason = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(reason.contains("in an expression"), "{answer}");
    // Files that only resemble a class or a manifest are neither.
    for (file, text) in [
        ("other.yaml", "Name: x\nProperties: { a: { Contract: $.int( } }\n"),
        ("k8s/manifest.yaml", "apiVersion: v1\nkind: Pod\nName: x\nProperties: 1\n"),
        ("k8s/Classes/pod.yaml", "Name: x\nProperties: 1\n"),
    ] {
        folder.write(file, text);
        let other = uri(&folder, file);
        server.open(&other, text);
        let symbols = server.ask("textDocument/documentSymbol", &json!({ "textDocument": { "uri": other } }));
        assert!(symbols.as_array().is_none_or(Vec::is_empty), "{symbols}");
    }
    server.end();
}

#[test]
fn who_hangs_up_ends_it() {
    let folder = Folder::new(&[]);
    let mut server = Server::start(&folder, "");
    drop(server.input.take());
    assert_eq!(server.child.lock().unwrap().wait().unwrap().code(), Some(1));
}

#[test]
fn a_change_of_the_configuration_changes_the_files() {
    let types = |name: &str| format!("tosca_definitions_version: tosca_2_0\nnode_types: {{ {name}: {{}} }}\n");
    let folder = Folder::new(&[]);
    for (file, name) in [("old/a.yaml", "TypeOld"), ("gone.yaml", "TypeGone"), ("sub/b.yaml", "TypeSub")] {
        folder.write(file, &types(name));
    }
    let mut server = Server::start(&folder, "");
    let known = |server: &mut Server| {
        let symbols = server.ask("workspace/symbol", &json!({ "query": "Type" }));
        let mut names: Vec<String> =
            symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    let change = |server: &mut Server, files: &[(&str, u8)]| {
        let changes: Vec<Value> =
            files.iter().map(|(file, kind)| json!({ "uri": uri(&folder, file), "type": kind })).collect();
        server.send(json!({ "method": "workspace/didChangeWatchedFiles", "params": { "changes": changes } }));
    };
    assert_eq!(known(&mut server), ["TypeGone", "TypeOld", "TypeSub"]);
    // Other files change at the same time.
    folder.write("tosca-parse.yaml", "exclude: [ \"old/**\" ]\n");
    folder.write("new.yaml", &types("TypeNew"));
    std::fs::remove_file(folder.path().join("gone.yaml")).unwrap();
    change(&mut server, &[("tosca-parse.yaml", 1), ("new.yaml", 1), ("gone.yaml", 3)]);
    assert_eq!(known(&mut server), ["TypeNew", "TypeSub"]);
    std::fs::remove_file(folder.path().join("tosca-parse.yaml")).unwrap();
    change(&mut server, &[("tosca-parse.yaml", 3)]);
    assert_eq!(known(&mut server), ["TypeNew", "TypeOld", "TypeSub"]);
    // A folder within another is removed from the workspace.
    let within = json!([{ "uri": uri(&folder, "sub"), "name": "sub" }]);
    for event in [json!({ "added": within, "removed": [] }), json!({ "added": [], "removed": within })] {
        server.send(json!({ "method": "workspace/didChangeWorkspaceFolders", "params": { "event": event } }));
        assert_eq!(known(&mut server), ["TypeNew", "TypeOld", "TypeSub"]);
    }
    server.end();
}

#[test]
fn files_belong_to_the_workspace_whenever_they_are_found() {
    let types = |name: &str| format!("tosca_definitions_version: tosca_2_0\nnode_types: {{ {name}: {{}} }}\n");
    let folder = Folder::new(&[("tosca-parse.yaml", "exclude: [ \"old/**\" ]\n")]);
    for (file, name) in [("a.tosca", "TypeTosca"), ("a.hot", "TypeHot"), ("old/a.yaml", "TypeOld")] {
        folder.write(file, &types(name));
    }
    let mut server = Server::start(&folder, "");
    let known = |server: &mut Server| {
        let symbols = server.ask("workspace/symbol", &json!({ "query": "Type" }));
        let symbols = symbols.as_array().into_iter().flatten();
        let mut names: Vec<String> = symbols.map(|symbol| symbol["name"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names.join(" ")
    };
    let change = |server: &mut Server, file: &str, kind: u8| {
        let changes = json!({ "changes": [{ "uri": uri(&folder, file), "type": kind }] });
        server.send(json!({ "method": "workspace/didChangeWatchedFiles", "params": changes }));
    };
    assert_eq!(known(&mut server), "TypeHot TypeTosca");
    // An excluded file is an entry only while it is open.
    folder.write("old/b.yaml", &types("TypeNew"));
    change(&mut server, "old/b.yaml", 1);
    assert_eq!(known(&mut server), "TypeHot TypeTosca");
    let old = uri(&folder, "old/a.yaml");
    server.open(&old, &types("TypeOld"));
    assert_eq!(known(&mut server), "TypeHot TypeOld TypeTosca");
    server.send(json!({ "method": "textDocument/didClose", "params": { "textDocument": { "uri": old } } }));
    assert_eq!(known(&mut server), "TypeHot TypeTosca");
    // The encoding does not matter.
    let wide: Vec<u8> = types("TypeWide").encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(folder.path().join("wide.yaml"), [vec![0xff, 0xfe], wide].concat()).unwrap();
    change(&mut server, "wide.yaml", 1);
    assert_eq!(known(&mut server), "TypeHot TypeTosca TypeWide");
    // A file that becomes ordinary YAML has no problems any more.
    let wrong = uri(&folder, "wrong.yaml");
    folder.write("wrong.yaml", SERVICE);
    change(&mut server, "wrong.yaml", 1);
    assert_eq!(server.codes(&wrong), ["T2001", "T1201"]);
    folder.write("wrong.yaml", "a: b\n");
    change(&mut server, "wrong.yaml", 2);
    assert_eq!(server.codes(&wrong), [""; 0]);
    // The description of an archive makes its folder one entry.
    folder.write("pack/a.yaml", &types("TypeFirst"));
    folder.write("pack/b.yaml", &types("TypeOther"));
    for file in ["pack/a.yaml", "pack/b.yaml"] {
        change(&mut server, file, 1);
    }
    assert_eq!(known(&mut server), "TypeFirst TypeHot TypeOther TypeTosca TypeWide");
    let meta = "pack/TOSCA-Metadata/TOSCA.meta";
    folder.write(meta, "CSAR-Version: 2.0\nCreated-By: test\nEntry-Definitions: a.yaml\n");
    change(&mut server, meta, 1);
    assert_eq!(known(&mut server), "TypeFirst TypeHot TypeTosca TypeWide");
    std::fs::remove_file(folder.path().join(meta)).unwrap();
    change(&mut server, meta, 3);
    assert_eq!(known(&mut server), "TypeFirst TypeHot TypeOther TypeTosca TypeWide");
    // The content of a manifest makes its folder a package, even while the manifest is open.
    let manifest = "pack/manifest.yaml";
    folder.write(manifest, "kind: Service\n");
    change(&mut server, manifest, 1);
    assert_eq!(known(&mut server), "TypeFirst TypeHot TypeOther TypeTosca TypeWide");
    folder.write(manifest, "FullName: t\nClasses: {}\n");
    change(&mut server, manifest, 2);
    assert_eq!(known(&mut server), "TypeHot TypeTosca TypeWide");
    server.open(&uri(&folder, manifest), "FullName: t\nClasses: {}\n");
    folder.write(manifest, "kind: Service\n");
    change(&mut server, manifest, 2);
    assert_eq!(known(&mut server), "TypeFirst TypeHot TypeOther TypeTosca TypeWide");
    server.end();
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_never_followed() {
    let (folder, other) = (Folder::new(&[("a.yaml", SERVICE)]), Folder::new(&[("b.yaml", SERVICE)]));
    std::os::unix::fs::symlink(other.path(), folder.path().join("link")).unwrap();
    let mut server = Server::start(&folder, "");
    let linked = uri(&folder, "link/b.yaml");
    server.open(&linked, SERVICE);
    assert_eq!(server.codes(&linked), ["T2001", "T1201"]);
    server.send(json!({ "method": "textDocument/didClose", "params": { "textDocument": { "uri": linked } } }));
    assert_eq!(server.codes(&linked), [""; 0]);
    server.end();
}

#[test]
fn malformed_messages_are_survived() {
    let folder = Folder::new(&[]);
    let mut server = Server::start(&folder, "--no-config");
    for bad in ["hello\r\n\r\n", "Content-Length: 5\r\n\r\n{\"a\":", "Content-Length: 99999999999999999999\r\n\r\n"] {
        server.input.as_mut().unwrap().write_all(bad.as_bytes()).unwrap();
        let answer = server.read();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32700)), "{bad}");
    }
    let service = uri(&folder, "service.yaml");
    server.open(&service, SERVICE);
    assert_eq!(server.codes(&service), ["T2001", "T1201"]);
    server.end();
}

#[test]
fn unexpected_messages_around_initialize_are_survived() {
    let folder = Folder::new(&[]);
    let mut server = Server::spawn(&mut folder.command("server --no-config"));
    server.send(json!({ "id": 7, "result": null }));
    server.send(json!({ "method": "initialized", "params": {} }));
    server.send(json!({ "id": 8, "method": "textDocument/hover", "params": {} }));
    assert_eq!(server.read()["error"]["code"], json!(-32002));
    server.send(json!({ "id": 9.5, "method": "initialize", "params": { "capabilities": {} } }));
    assert_eq!(server.read()["error"]["code"], json!(-32600));
    server.send(json!({ "id": 10, "method": "initialize", "params": { "capabilities": {} } }));
    assert_eq!(server.read()["result"]["serverInfo"]["name"], json!("tosca-parse"));
    server.send(json!({ "id": 7, "result": null }));
    let service = uri(&folder, "service.yaml");
    server.open(&service, SERVICE);
    server.send(json!({ "method": "initialized", "params": {} }));
    assert_eq!(server.codes(&service), ["T2001", "T1201"]);
    server.end();
}

#[test]
fn pending_requests_are_answered_at_shutdown() {
    let folder = Folder::new(&[]);
    let mut server = Server::start(&folder, "--no-config");
    let service = uri(&folder, "service.yaml");
    server.open(&service, SERVICE);
    let params = json!({ "textDocument": { "uri": service }, "position": { "line": 1, "character": 14 } });
    for id in 100..120 {
        server.send(json!({ "id": id, "method": "textDocument/hover", "params": params }));
    }
    server.send(json!({ "id": 99, "method": "shutdown" }));
    let mut answered = Vec::new();
    loop {
        let message = server.read();
        match message["id"].as_i64() {
            Some(99) => break,
            Some(id) => answered.push(id),
            None => {}
        }
    }
    answered.sort_unstable();
    assert_eq!(answered, (100..120).collect::<Vec<i64>>());
    server.send(json!({ "method": "exit" }));
}

#[test]
fn paths_in_configurations_follow_moved_files() {
    let configuration = "# Paths are relative to this file.
profile_paths: [ lib/profiles, ./lib/more/, ~/lib, 'https://example.com/lib' ]
import_paths: [ other ]
map_url: { https://example.com/: \"lib/mirror\" }
baseline: lib/known.json
cache_results: lib/cache
options: { environment: [ lib/env.yaml, https://example.com/env.yaml ] }
inputs: { folder: lib/profiles }
exclude: [ c.yaml, old/a.yaml, \"/old/b.yaml\", old/*, 'old/[c].yaml' ]
overrides:
  - files: [ lib ]
    options: { environment: 'lib/env.yaml' }
";
    let folder = Folder::new(&[
        ("service.yaml", SERVICE),
        ("tosca-parse.yaml", configuration),
        ("sub/.tosca-parse.yaml", "baseline: ../lib/known.json\nprofile_paths: [ own ]\n"),
        ("invalid/tosca-parse.yaml", "baseline: [ lib\n"),
    ]);
    let mut server = Server::start(&folder, "");
    let mut moved = |old: &str, new: &str| {
        let files = json!([{ "oldUri": uri(&folder, old), "newUri": uri(&folder, new) }]);
        let answer = server.ask("workspace/willRenameFiles", &json!({ "files": files }));
        let mut lines = Vec::new();
        for (file, edits) in answer["changes"].as_object().unwrap() {
            for edit in edits.as_array().unwrap() {
                let (start, text) = (&edit["range"]["start"], edit["newText"].as_str().unwrap());
                let file = file.strip_prefix(&uri(&folder, "")).unwrap();
                lines.push(format!("{file} {}:{} {text}", start["line"], start["character"]));
            }
        }
        lines
    };
    assert_eq!(
        moved("lib", "new lib/a"),
        [
            "sub/.tosca-parse.yaml 0:10 ../new lib/a/known.json",
            "tosca-parse.yaml 1:17 new lib/a/profiles",
            "tosca-parse.yaml 1:31 ./new lib/a/more/",
            "tosca-parse.yaml 3:33 \"new lib/a/mirror\"",
            "tosca-parse.yaml 4:10 new lib/a/known.json",
            "tosca-parse.yaml 5:15 new lib/a/cache",
            "tosca-parse.yaml 6:26 new lib/a/env.yaml",
            "tosca-parse.yaml 11:28 'new lib/a/env.yaml'",
        ]
    );
    assert_eq!(moved("old/a.yaml", "a.yaml"), ["tosca-parse.yaml 8:19 /a.yaml"]);
    assert_eq!(moved("old/a.yaml", "new/a.yaml"), ["tosca-parse.yaml 8:19 new/a.yaml"]);
    assert_eq!(moved("old", "new"), ["tosca-parse.yaml 8:19 new/a.yaml", "tosca-parse.yaml 8:31 \"/new/b.yaml\""]);
    // No pattern leads out of the folder, and the others are not paths.
    assert_eq!(moved("old/a.yaml", "../a.yaml"), [""; 0]);
    assert_eq!(moved("old/a.yaml", "new/[a].yaml"), [""; 0]);
    assert_eq!(moved("c.yaml", "new/c.yaml"), [""; 0]);
    // A configuration that moves still names the files that stay.
    assert_eq!(moved("sub", "deep/er/sub"), ["sub/.tosca-parse.yaml 0:10 ../../../lib/known.json"]);
    assert_eq!(moved("elsewhere", "lib/elsewhere"), [""; 0]);
    server.end();
}
