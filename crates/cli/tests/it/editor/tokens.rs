//! Semantic tokens: modifiers, ranges and deltas.

use serde_json::{Value, json};

use super::client::{Editor, modern};

const HEAD: &str = "tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  Base:
    derived_from: tosca.nodes.Root
    properties:
      old: { type: string, required: false, status: deprecated }
      new: { type: string, required: false }
  Shop: { derived_from: Base }
topology_template:
  node_templates:
";

/// Returns the tokens in a full answer: each word with its modifiers.
fn words(editor: &Editor, text: &str, data: &Value) -> Vec<String> {
    let legend = &editor.initialized["capabilities"]["semanticTokensProvider"]["legend"];
    let modifiers = legend["tokenModifiers"].as_array().unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (mut line, mut start) = (0, 0);
    let mut words = Vec::new();
    for token in numbers(data).chunks(5) {
        let [lines_on, columns, length, _, bits] = *token else { panic!("{token:?}") };
        (line, start) = (line + lines_on, if lines_on == 0 { start + columns } else { columns });
        let mut word = lines[line][start..start + length].to_owned();
        for (bit, modifier) in modifiers.iter().enumerate().filter(|(bit, _)| bits & (1 << bit) != 0) {
            assert!(bit < 4);
            word = format!("{word} {}", modifier.as_str().unwrap());
        }
        words.push(word);
    }
    words
}

fn numbers(data: &Value) -> Vec<usize> {
    data.as_array().unwrap().iter().map(|number| usize::try_from(number.as_u64().unwrap()).unwrap()).collect()
}

/// Returns the words with modifiers other than that of a declaration.
fn marked(editor: &mut Editor, text: &str) -> Vec<String> {
    editor.open("a.yaml", text);
    let document = json!({ "textDocument": { "uri": editor.uri("a.yaml") } });
    let answer = editor.ask("textDocument/semanticTokens/full", document);
    let words = words(editor, text, &answer["data"]);
    words.into_iter().filter(|word| word.contains(' ') && !word.ends_with(" declaration")).collect()
}

#[test]
fn modifiers_mark_deprecated_built_in_and_unresolved_names() {
    let mut editor = Editor::new(&modern());
    let template = "    a: { type: Shop, properties: { old: x, new: y } }\n    b: { type: tosca.nodes.Compute }\n";
    let found = marked(&mut editor, &format!("{HEAD}{template}"));
    let expected = [
        "tosca.nodes.Root defaultLibrary",
        "old declaration deprecated",
        "string defaultLibrary",
        "string defaultLibrary",
        "old deprecated",
        "tosca.nodes.Compute defaultLibrary",
    ];
    assert_eq!(found, expected);
    let template = "    a: { type: Shops, properties: { nwe: x } }\n    b: { type: Shop, properties: { nwe: x } }\n";
    let found = marked(&mut editor, &format!("{HEAD}{template}"));
    assert_eq!(found[found.len() - 2..], ["Shops unresolved", "nwe unresolved"], "{found:?}");
    // The members of a type are unknown if its parent is.
    let unknown = HEAD.replace("tosca.nodes.Root", "Unknown");
    let found = marked(&mut editor, &format!("{unknown}    b: {{ type: Shop, properties: {{ nwe: x }} }}\n"));
    assert_eq!(found.iter().filter(|word| word.ends_with("unresolved")).collect::<Vec<_>>(), ["Unknown unresolved"]);
    // Broken text has tokens, too.
    let found = marked(&mut editor, &format!("{HEAD}    b: {{ type: Shops, properties: [\n"));
    assert!(found.contains(&"Shops unresolved".to_owned()), "{found:?}");
}

#[test]
fn ranges_contain_a_part_of_the_tokens() {
    let mut editor = Editor::new(&modern());
    let text = format!("{HEAD}    a: {{ type: Shop }}\n");
    editor.open("a.yaml", &text);
    let document = json!({ "uri": editor.uri("a.yaml") });
    let mut part = |start: Value, end: Value| {
        let range = json!({ "start": start, "end": end });
        let params = json!({ "textDocument": document, "range": range });
        let answer = editor.ask("textDocument/semanticTokens/range", params);
        words(&editor, &text, &answer["data"]).join(", ")
    };
    let at = |line: u32, character: u32| json!({ "line": line, "character": character });
    assert_eq!(part(at(7, 0), at(8, 3)), "Shop declaration, derived_from, Base, topology_template");
    assert_eq!(part(at(10, 10), at(10, 12)), "type");
    assert_eq!(part(at(99, 0), at(99, 9)), "");
}

#[test]
fn deltas_contain_what_has_changed() {
    let mut editor = Editor::new(&modern());
    let text = format!("{HEAD}    a: {{ type: Shop }}\n    b: {{ type: Shop }}\n");
    editor.open("a.yaml", &text);
    let document = json!({ "uri": editor.uri("a.yaml") });
    let full = editor.ask("textDocument/semanticTokens/full", json!({ "textDocument": document }));
    let mut tokens = numbers(&full["data"]);
    let mut last = full["resultId"].clone();
    let delta = |editor: &mut Editor, text: &str, last: &mut Value| {
        editor.replace("a.yaml", text);
        let params = json!({ "textDocument": document, "previousResultId": last });
        let answer = editor.ask("textDocument/semanticTokens/full/delta", params);
        *last = answer["resultId"].clone();
        answer
    };
    for (text, size) in [
        (text.replace("a: { type: Shop }", "a: { type: Shop, properties: { new: x } }"), 15),
        (text.replace("    a:", "    longer:"), 20),
        (text.clone(), 20),
        (text.clone(), 0),
        (HEAD.to_owned(), 0),
        (text.replace("node_types", "node_type"), 0),
    ] {
        let answer = delta(&mut editor, &text, &mut last);
        for edit in answer["edits"].as_array().unwrap() {
            let part = |part: &str| usize::try_from(edit[part].as_u64().unwrap()).unwrap();
            let data = numbers(&edit["data"]);
            assert!(size == 0 || data.len() <= size, "{text}: {edit}");
            tokens.splice(part("start")..part("start") + part("deleteCount"), data);
        }
        let full = editor.ask("textDocument/semanticTokens/full", json!({ "textDocument": document }));
        assert_eq!(tokens, numbers(&full["data"]), "{text}");
        last = full["resultId"].clone();
    }
    // A result that the server does not have any more is replaced as a whole.
    let answer = delta(&mut editor, &text, &mut json!("1"));
    assert!(answer["edits"].is_null() && !numbers(&answer["data"]).is_empty(), "{answer}");
    editor.close("a.yaml");
    editor.open("a.yaml", &text);
    let answer = delta(&mut editor, &text, &mut last);
    assert!(answer["edits"].is_null(), "{answer}");
}

#[test]
fn a_change_of_an_imported_file_refreshes_tokens_and_hints() {
    let mut capabilities = modern();
    capabilities["workspace"] = json!({
        "semanticTokens": { "refreshSupport": true },
        "inlayHint": { "refreshSupport": true },
    });
    let types = "tosca_definitions_version: tosca_2_0\nnode_types: { Shop: {} }\n";
    let mut editor = Editor::with_files(&capabilities, &[("types.yaml", types)]);
    editor.open("types.yaml", types);
    let text =
        "tosca_definitions_version: tosca_2_0\nimports: [ types.yaml ]\nnode_types: { A: { derived_from: Shop } }\n";
    editor.open("a.yaml", text);
    let request = json!({ "textDocument": { "uri": editor.uri("a.yaml") } });
    let unresolved = |editor: &mut Editor| {
        let answer = editor.ask("textDocument/semanticTokens/full", request.clone());
        words(editor, text, &answer["data"]).contains(&"Shop unresolved".to_owned())
    };
    assert!(!unresolved(&mut editor));
    // A change of the document itself refreshes nothing.
    editor.replace("a.yaml", text);
    assert!(!unresolved(&mut editor) && !editor.has_unread());
    editor.replace("types.yaml", &types.replace("Shop", "Sale"));
    let methods = [editor.next().0, editor.next().0];
    assert_eq!(methods, ["workspace/semanticTokens/refresh", "workspace/inlayHint/refresh"]);
    assert!(unresolved(&mut editor));
}
