//! The command with a custom language.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

const BOOK: &str = "\
kitchen: 2
stuffs:
  flour: {}
recipes:
  bread:
    ingredients:
      flour: { stuff: flour, optional: true }
dishes:
  breakfast:
    recipe: bred
";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kitchen"));
    command.current_dir(folder).args(arguments.split_whitespace()).stdin(Stdio::null());
    command.env("XDG_CONFIG_HOME", folder.join(".config")).env("XDG_CACHE_HOME", folder.join(".cache"));
    command
}

/// Returns the exit code and the whole output.
fn run(folder: &Path, arguments: &str) -> (i32, String) {
    let output = command(folder, arguments).output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (output.status.code().unwrap(), text)
}

#[test]
fn problems_are_reported_and_fixed() {
    let folder = folder(&[("book.yaml", BOOK)]);
    let (code, shown) = run(folder.path(), "book.yaml --format concise");
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("book.yaml:10:13") && shown.contains("there is no recipe `bred`"), "{shown}");

    let (code, shown) = run(folder.path(), "book.yaml --format sarif");
    assert!(code == 1 && shown.contains("\"ruleId\": \"T2001\""), "{shown}");

    let (code, shown) = run(folder.path(), "book.yaml --fix --unsafe-fixes");
    assert_eq!(code, 0, "{shown}");
    assert_eq!(std::fs::read_to_string(folder.path().join("book.yaml")).unwrap(), BOOK.replace("bred", "bread"));
    let (code, shown) = run(folder.path(), "book.yaml");
    assert!(code == 0 && shown.contains("valid kitchen 2"), "{shown}");
}

#[test]
fn folders_are_searched() {
    let folder = folder(&[("book.yaml", BOOK), ("other.yaml", "a: 1\n")]);
    let (code, shown) = run(folder.path(), ". --format concise");
    assert!(code == 1 && shown.contains("bred") && !shown.contains("other.yaml"), "{shown}");
}

#[test]
fn baselines_and_configurations_apply() {
    let folder = folder(&[("book.yaml", BOOK)]);
    let (code, shown) = run(folder.path(), "book.yaml --write-baseline=known.json");
    assert_eq!(code, 0, "{shown}");
    assert_eq!(run(folder.path(), "book.yaml --baseline=known.json").0, 0);
    std::fs::write(folder.path().join("tosca-parse.yaml"), "rules: { K4002: allow, unknown-name: warn }\n").unwrap();
    let (code, shown) = run(folder.path(), "book.yaml --format concise");
    assert!(code == 0 && shown.contains("warning[T2001]"), "{shown}");
}

#[test]
fn options_of_languages_are_arguments_and_settings() {
    let book = "kitchen: 2\ndishes: { lunch: { recipe: soup } }\n";
    let pantry = "kitchen: 2\nstuffs: { leek: {} }\nrecipes: { soup: { ingredients: { leek: { stuff: leek, optional: true } } } }\n";
    let folder = folder(&[("book.yaml", book), ("pantry.yaml", pantry)]);
    let (code, shown) = run(folder.path(), "book.yaml --format concise");
    assert!(code == 1 && shown.contains("there is no recipe `soup`"), "{shown}");
    for arguments in
        ["-p pantry.yaml book.yaml", "book.yaml --pantry=pantry.yaml", "validate --pantry pantry.yaml book.yaml"]
    {
        let (code, shown) = run(folder.path(), arguments);
        assert_eq!(code, 0, "{arguments}: {shown}");
    }
    let (code, shown) = run(folder.path(), "book.yaml --shelf none");
    assert!(code == 2 && shown.contains("there is no folder `none`"), "{shown}");
    let (_, shown) = run(folder.path(), "--help");
    assert!(
        shown.contains("-p, --pantry <FILE>") && shown.contains("Let all books use the names of a book"),
        "{shown}"
    );

    let configured = |text: &str| {
        std::fs::write(folder.path().join("tosca-parse.yaml"), text).unwrap();
        run(folder.path(), "book.yaml --format concise")
    };
    assert_eq!(configured("options: { pantry: pantry.yaml }\n").0, 0);
    assert_eq!(configured("options: { pantry: [ pantry.yaml ] }\n").0, 0);
    assert_eq!(configured("overrides: [ { files: [ book.yaml ], options: { pantry: pantry.yaml } } ]\n").0, 0);
    assert_eq!(configured("overrides: [ { files: [ other.yaml ], options: { pantry: pantry.yaml } } ]\n").0, 1);
    let (code, shown) = configured("options: { pantri: pantry.yaml }\n");
    assert!(code == 2 && shown.contains("did you mean `pantry`?"), "{shown}");

    std::fs::write(folder.path().join("tosca-parse.yaml"), "options: { pantry: ../pantry.yaml }\n").unwrap();
    let (_, shown) = run(folder.path(), "book.yaml --sandbox --format concise");
    assert!(shown.contains("pantry: `../pantry.yaml` is ignored"), "{shown}");
    let (_, shown) = run(folder.path(), "config show book.yaml");
    assert!(shown.contains("options:\n  pantry: "), "{shown}");
}

#[test]
fn rules_entities_and_schemas_are_described() {
    let folder = folder(&[]);
    let (code, shown) = run(folder.path(), "explain K4001");
    assert!(code == 0 && shown.contains("disputed"), "{shown}");
    let (code, shown) = run(folder.path(), "reference recipe");
    assert!(code == 0 && shown.contains("ingredients"), "{shown}");
    let (code, shown) = run(folder.path(), "reference recipe --in 1");
    assert_eq!(code, 0, "{shown}");
    let (code, shown) = run(folder.path(), "schema kitchen-2");
    assert!(code == 0 && shown.contains("\"dishes\""), "{shown}");
    let (code, shown) = run(folder.path(), "schema tosca-2.0");
    assert!(code == 0 && shown.contains("node_templates"), "{shown}");
}

#[test]
fn editors_are_served() {
    let folder = folder(&[("book.yaml", BOOK)]);
    let mut server = command(folder.path(), "server").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let uri = format!("file://{}/book.yaml", folder.path().display());
    let text = BOOK.replace('\n', "\\n");
    let mut input = server.stdin.take().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let mut send = |message: &str| write!(input, "Content-Length: {}\r\n\r\n{message}", message.len()).unwrap();
    send(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#);
    send(r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#);
    send(&format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{{"textDocument":{{"uri":"{uri}","languageId":"yaml","version":1,"text":"{text}"}}}}}}"#
    ));
    send(&format!(
        r#"{{"jsonrpc":"2.0","id":2,"method":"textDocument/documentSymbol","params":{{"textDocument":{{"uri":"{uri}"}}}}}}"#
    ));
    let mut answers = String::new();
    while !(answers.contains("publishDiagnostics") && answers.contains("\"id\":2")) {
        answers += &message(&mut output);
    }
    send(r#"{"jsonrpc":"2.0","id":3,"method":"shutdown"}"#);
    send(r#"{"jsonrpc":"2.0","method":"exit"}"#);
    assert!(server.wait().unwrap().success());
    assert!(answers.contains("there is no recipe `bred`"), "{answers}");
    assert!(answers.contains("breakfast"), "{answers}");
}

/// Editors find names in calls, although the language has no code for that.
#[test]
fn calls_are_known_to_editors() {
    let text = "\
kitchen: 2
stuffs: { salt: {} }
recipes:
  bread: { minutes: 40, ingredients: { salt: salt } }
  toast: { minutes: { $minutes_of: bread }, ingredients: { salt: { stuff: salt, spoons: { $most_of: salt } } } }
  other: { minutes: { $minutes_of: ' }
";
    let folder = folder(&[]);
    let mut server = command(folder.path(), "server").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let document = json!({ "uri": format!("file://{}/book.yaml", folder.path().display()) });
    let mut input = server.stdin.take().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let mut send = |message: Value| {
        let message = message.to_string();
        write!(input, "Content-Length: {}\r\n\r\n{message}", message.len()).unwrap();
    };
    let at = |word: &str, number: usize| {
        let (offset, _) = text.match_indices(word).nth(number).unwrap();
        let before = &text[..=offset];
        let character = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
        json!({ "line": before.matches('\n').count(), "character": character })
    };
    send(json!({ "id": 0, "method": "initialize", "params": { "capabilities": {} } }));
    send(json!({ "method": "initialized", "params": {} }));
    let mut opened = document.clone();
    for (name, value) in [("languageId", json!("yaml")), ("version", json!(1)), ("text", json!(text))] {
        opened[name] = value;
    }
    send(json!({ "method": "textDocument/didOpen", "params": { "textDocument": opened } }));
    let mut ask = |method: &str, position: Value, more: Value| {
        let mut params = json!({ "textDocument": document, "position": position });
        more.as_object().unwrap().iter().for_each(|(name, value)| params[name] = value.clone());
        send(json!({ "id": 1, "method": format!("textDocument/{method}"), "params": params }));
        loop {
            let answer: Value = serde_json::from_str(&message(&mut output)).unwrap();
            if answer["id"] == 1 {
                return answer["result"].clone();
            }
        }
    };

    let hover = ask("hover", at("salt", 5), json!({}));
    assert!(hover.to_string().contains("stuff `salt`"), "{hover}");
    let definition = ask("definition", at("bread", 1), json!({}));
    assert!(definition.to_string().contains("\"line\":3"), "{definition}");
    let renamed = ask("rename", at("salt", 0), json!({ "newName": "sea_salt" }));
    assert_eq!(renamed.to_string().matches("sea_salt").count(), 4, "{renamed}");
    let proposed = ask("completion", at("'", 0), json!({}));
    assert!(proposed.to_string().contains("toast"), "{proposed}");
    send(json!({ "id": 2, "method": "shutdown" }));
    send(json!({ "method": "exit" }));
    assert!(server.wait().unwrap().success());
}

/// Returns the next message of a server.
fn message(output: &mut impl BufRead) -> String {
    let mut header = String::new();
    output.read_line(&mut header).unwrap();
    let length = header.trim().strip_prefix("Content-Length: ").unwrap_or_else(|| panic!("{header:?}"));
    let mut message = vec![0; length.parse::<usize>().unwrap() + "\r\n".len()];
    output.read_exact(&mut message).unwrap();
    String::from_utf8(message).unwrap()
}
