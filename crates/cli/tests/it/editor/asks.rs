//! Other requests of editors.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::client::{Editor, edits_of, modern, range};
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

/// Creates an editor with both files open.
fn editor() -> Editor {
    let mut editor = Editor::new(&modern());
    editor.open("types.yaml", TYPES);
    editor.open("service.yaml", SERVICE);
    editor
}

/// Returns the parameters of a request about the nth occurrence of a word.
pub(super) fn at(editor: &Editor, file: &str, text: &str, word: &str, number: usize) -> Value {
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
    assert_snapshot!(editor.seen);
}

/// Asks the server to rename the nth occurrence of a word; returns the number of edits in each file, or the reason why
/// there are none.
pub(super) fn renamed(
    editor: &mut Editor,
    (file, text): (&str, &str),
    (word, number): (&str, usize),
    name: &str,
) -> String {
    let mut params = at(editor, file, text, word, number);
    params["newName"] = json!(name);
    let id = editor.request("textDocument/rename", params);
    match editor.response(id).response_result {
        Ok(answer) => {
            let changes = answer["documentChanges"].as_array().unwrap().iter().map(|change| {
                let uri = change["textDocument"]["uri"].as_str().unwrap();
                format!("{} {}", editor.without_folder(uri), change["edits"].as_array().unwrap().len())
            });
            changes.collect::<Vec<_>>().join(", ")
        }
        Err(error) => editor.without_folder(&error.message),
    }
}

#[test]
fn names_that_can_not_be_changed_are_refused() {
    let mut editor = editor();
    let built_in = at(&editor, "types.yaml", TYPES, "integer", 0);
    assert_eq!(editor.refused("textDocument/prepareRename", built_in), "data type `integer` is built in");
    let nothing = at(&editor, "types.yaml", TYPES, "Two lines", 0);
    assert_eq!(editor.ask("textDocument/prepareRename", nothing), Value::Null);
    let types = ("types.yaml", TYPES);
    assert_eq!(renamed(&mut editor, types, ("integer", 0), "number"), "data type `integer` is built in");
    assert!(renamed(&mut editor, types, ("Base", 0), "a: b").starts_with("`a: b` is not a valid name: it must begin"));
    assert_eq!(
        renamed(&mut editor, types, ("Base", 0), "true"),
        "`true` is not a valid name: YAML does not read it as a string"
    );
    assert_eq!(renamed(&mut editor, types, ("Base", 0), "Base"), "`Base` is already the name");
    assert_eq!(renamed(&mut editor, types, ("Base", 0), "Basis"), "service.yaml 1, types.yaml 2");
}

#[test]
fn existing_names_are_refused() {
    let mut editor = editor();
    let (types, service) = (("types.yaml", TYPES), ("service.yaml", SERVICE));
    let mut refused = |file: (&str, &str), word: (&str, usize), name: &str, reason: &str| {
        let answer = renamed(&mut editor, file, word, name);
        assert!(answer.starts_with(&format!("`{}` can't be renamed to `{name}`: ", word.0)), "{answer}");
        assert!(answer.contains(reason), "{answer}");
    };
    refused(types, ("Base", 0), "Server", "node type `Server` is already known in");
    refused(service, ("web", 0), "db", "node template `db` is already known in");
    refused(types, ("owner", 0), "port", "node type `Server` already has property `port`");
    refused(types, ("port", 0), "owner", "node type `Base` already has property `owner`");
    assert_eq!(renamed(&mut editor, types, ("Base", 0), "owner"), "service.yaml 1, types.yaml 2");
}

#[test]
fn names_in_files_that_are_not_open_are_changed() {
    const USE: &str = "imports: [ types.yaml ]\nservice_template: { node_templates: { n: { type: Server } } }\n";
    let head = "tosca_definitions_version: tosca_2_0\n";
    let users: Vec<(String, String)> =
        (0..20).map(|number| (format!("u{number:02}.yaml"), format!("{head}{USE}"))).collect();
    let mut files: Vec<(&str, &str)> = users.iter().map(|(name, text)| (&**name, &**text)).collect();
    files.push(("types.yaml", TYPES));
    let mut editor = Editor::with_files(&modern(), &files);
    editor.open("types.yaml", TYPES);
    let types = ("types.yaml", TYPES);
    let mut params = at(&editor, "types.yaml", TYPES, "Server", 0);
    params["context"] = json!({ "includeDeclaration": false });
    assert_eq!(editor.ask("textDocument/references", params).as_array().unwrap().len(), 20);
    let answer = renamed(&mut editor, types, ("Server", 0), "Host");
    assert_eq!(answer.split(", ").count(), 21, "{answer}");
    // A file has changed since it was read, and another one is new.
    editor.write("u00.yaml", &format!("{head}{}", USE.replace("n: { type: Server }", "Host: { type: Server }")));
    editor.write("v.yaml", &format!("{head}{}", USE.replace("n:", "m: { type: Server }, n:")));
    let answer = renamed(&mut editor, types, ("Server", 0), "Host");
    assert!(answer.contains("v.yaml 2") && answer.split(", ").count() == 22, "{answer}");
    // A name is compared only with names in the same section, which a node type in another file is.
    editor.write("u01.yaml", &format!("{head}{USE}node_types: {{ Host: {{}} }}\n"));
    let answer = renamed(&mut editor, types, ("Server", 0), "Host");
    assert!(answer.contains("node type `Host` is already known in") && answer.ends_with("u01.yaml"), "{answer}");
    // A part that can't be read may contain the name.
    editor.write("u01.yaml", &format!("{head}{USE}"));
    editor.write("u02.yaml", &format!("{head}{USE}  broken: [ Server\n"));
    let answer = renamed(&mut editor, types, ("Server", 0), "Host");
    assert!(answer.ends_with("u02.yaml contains `Server` and is not valid YAML"), "{answer}");
    editor.write("u02.yaml", &format!("{head}imports: [ types.yaml, gone.yaml ]\nnode_types: {{ A: {{ derived_from: Server }}, B: {{ derived_from: Disk }} }}\n"));
    let answer = renamed(&mut editor, types, ("Server", 0), "Host");
    assert!(answer.contains("u02.yaml 1"), "{answer}");
}

#[test]
fn occurrences_are_highlighted() {
    let mut editor = editor();
    let params = at(&editor, "types.yaml", TYPES, "Base", 1);
    let places = editor.ask("textDocument/documentHighlight", params);
    let shown: Vec<String> = places
        .as_array()
        .unwrap()
        .iter()
        .map(|place| format!("{} {}", range(&place["range"]), place["kind"]))
        .collect();
    assert_eq!(shown, ["2:2-2:6 3", "7:18-7:22 2"]);
    let nothing = at(&editor, "types.yaml", TYPES, "Two lines", 0);
    assert_eq!(editor.ask("textDocument/documentHighlight", nothing), Value::Null);
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
        let edits: Vec<Value> =
            edits_of(&action["edit"]).values().flat_map(|edits| edits.as_array().unwrap().clone()).collect();
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
        editor.ask("workspace/executeCommand", json!({ "command": "tosca-parse.diagram", "arguments": [uri] }));
    assert_eq!(answer, json!({ "message": "there is nothing to draw" }), "the host of these tests draws nothing");
    let id = editor.request("workspace/executeCommand", json!({ "command": "dance" }));
    assert!(editor.response(id).response_result.is_err());
}

#[test]
fn requests_can_be_cancelled() {
    let mut editor = editor();
    // The request has either been answered already or is canceled.
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
    editor.open("ordered.yaml", "tosca_definitions_version: tosca_2_0\nmetadata: {}\ndescription: shop\n");
    let uri = editor.uri("ordered.yaml");
    let edits = editor.ask("textDocument/formatting", json!({ "textDocument": { "uri": uri }, "options": {} }));
    assert_eq!(range(&edits[0]["range"]), "1:0-3:0");
    assert_eq!(edits[0]["newText"], "description: shop\nmetadata: {}\n");
}

const SHOP: &str = "tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
capability_types: { Host: {} }
relationship_types: { On: {} }
node_types:
  Shop:
    derived_from: Base
    properties:
      name: { type: string }
      tags: { type: list, entry_schema: string, required: false }
    requirements:
      - host: { capability: Host, relationship: On, count_range: [ 1, 1 ] }
service_template:
  node_templates:
    one:
      type: Shop
      properties:
        tags: [ { $concat: [ a, b ] } ]
      requirements:
        - host: computer
    computer: { type: Server }
";

fn shop() -> Editor {
    let mut editor = editor();
    editor.open("shop.yaml", SHOP);
    editor
}

fn hover(editor: &mut Editor, word: &str, number: usize) -> String {
    let params = at(editor, "shop.yaml", SHOP, word, number);
    let answer = editor.ask("textDocument/hover", params);
    editor.without_folder(answer["contents"]["value"].as_str().unwrap_or("nothing"))
}

#[test]
fn types_show_their_members() {
    let mut editor = shop();
    let shown = hover(&mut editor, "Shop", 1);
    assert!(shown.contains("derived from [`Base`](types.yaml#L3)"), "{shown}");
    assert!(shown.contains("- `name`: `string`, required"), "{shown}");
    assert!(shown.contains("- `tags`: `list of string`"), "{shown}");
    assert!(shown.contains("- `owner`: `string`, from [`Base`](types.yaml#L3)"), "{shown}");
    assert!(shown.contains("**requirements**\n\n- `host`: `Host`, required"), "{shown}");
}

#[test]
fn functions_versions_and_imports_have_hovers() {
    let mut editor = shop();
    assert!(hover(&mut editor, "$concat", 0).starts_with("function `$concat`\n\nTakes "));
    assert_eq!(hover(&mut editor, "tosca_2_0", 0), "`tosca_2_0`\n\nTOSCA 2.0");
    let import = hover(&mut editor, "types.yaml", 0);
    assert_eq!(import, "import of [types.yaml](types.yaml)\n\ndeclares 1 capability type, 2 node types");
    assert_eq!(hover(&mut editor, "a, b", 0), "nothing");
}

#[test]
fn types_templates_and_declarations_are_found() {
    let mut editor = shop();
    let mut places = |method: &str, (file, text): (&str, &str), word: &str, number: usize| {
        let params = at(&editor, file, text, word, number);
        let answer = editor.ask(&format!("textDocument/{method}"), params);
        let place = |place: &Value| format!("{} {}", place["uri"].as_str().unwrap(), range(&place["range"]));
        let places: Vec<String> = answer.as_array().into_iter().flatten().map(place).collect();
        editor.without_folder(&places.join(", "))
    };
    let shop = ("shop.yaml", SHOP);
    assert_eq!(places("definition", shop, "host", 1), "shop.yaml 11:8-11:12", "the requirement of the type");
    assert_eq!(places("typeDefinition", shop, "computer", 1), "types.yaml 6:2-6:8");
    assert_eq!(places("typeDefinition", shop, "$concat", 0), "");
    assert_eq!(
        places("implementation", ("types.yaml", TYPES), "Server", 0),
        "service.yaml 5:4-5:7, shop.yaml 20:4-20:12"
    );
    assert_eq!(places("implementation", shop, "computer", 1), "");
    assert_eq!(places("declaration", ("types.yaml", TYPES), "owner", 0), "types.yaml 5:6-5:11");
}

#[test]
fn types_have_a_hierarchy() {
    let mut editor = shop();
    let params = at(&editor, "shop.yaml", SHOP, "Shop", 0);
    let items = editor.ask("textDocument/prepareTypeHierarchy", params);
    assert_eq!((&items[0]["name"], &items[0]["detail"]), (&json!("Shop"), &json!("node type")));
    let parents = editor.ask("typeHierarchy/supertypes", json!({ "item": items[0] }));
    assert_eq!((parents.as_array().unwrap().len(), &parents[0]["name"]), (1, &json!("Base")));
    let children = editor.ask("typeHierarchy/subtypes", json!({ "item": parents[0] }));
    let names: Vec<&Value> = children.as_array().unwrap().iter().map(|item| &item["name"]).collect();
    assert_eq!(names, [&json!("Shop"), &json!("Server")]);
    assert_eq!(editor.ask("typeHierarchy/supertypes", json!({ "item": parents[0] })), json!([]));
    let nothing = at(&editor, "shop.yaml", SHOP, "$concat", 0);
    assert_eq!(editor.ask("textDocument/prepareTypeHierarchy", nothing), Value::Null);
    let mut unknown = items[0].clone();
    unknown["data"]["kind"] = json!(255);
    assert_eq!(editor.ask("typeHierarchy/supertypes", json!({ "item": unknown })), json!([]));
    unknown["data"].take();
    for method in ["typeHierarchy/supertypes", "typeHierarchy/subtypes"] {
        assert_eq!(editor.ask(method, json!({ "item": unknown })), Value::Null);
    }
}

/// Returns the titles of the code actions at a word, each with its new text.
pub(super) fn actions(editor: &mut Editor, (file, text): (&str, &str), word: &str, number: usize) -> Vec<String> {
    let mut params = at(editor, file, text, word, number);
    let position = params["position"].take();
    params["range"] = json!({ "start": position, "end": position });
    params["context"] = json!({ "diagnostics": [], "only": ["quickfix", "source"] });
    let actions = editor.ask("textDocument/codeAction", params);
    let edits = |action: &Value| {
        edits_of(&action["edit"])
            .values()
            .map(|edit| edit[0]["newText"].as_str().unwrap().to_owned())
            .collect::<String>()
    };
    let shown = |action: &Value| format!("{} → {:?}", action["title"].as_str().unwrap(), edits(action));
    actions.as_array().unwrap().iter().map(shown).collect()
}

#[test]
fn required_members_are_added() {
    let mut editor = shop();
    let wanted = "Add required properties: `name` → \"\\n        name:\"";
    for word in ["one:", "type: Shop"] {
        let found = actions(&mut editor, ("shop.yaml", SHOP), word, 0);
        assert!(found.iter().any(|action| action == wanted), "{found:?}");
        assert!(!found.iter().any(|action| action.contains("requirements")), "it has a host: {found:?}");
    }
    let found = actions(&mut editor, ("shop.yaml", SHOP), "node_templates", 0);
    assert!(!found.iter().any(|action| action.starts_with("Add required")), "{found:?}");
    let bare = SHOP.replace("      properties:\n        tags: [ { $concat: [ a, b ] } ]\n", "");
    editor.replace("shop.yaml", &bare);
    let found = actions(&mut editor, ("shop.yaml", &bare), "type: Shop", 0);
    let wanted = "Add required properties: `name` → \"\\n      properties:\\n        name:\"";
    assert!(found.iter().any(|action| action == wanted), "{found:?}");
    let flow = SHOP.replace("tags: [ { $concat: [ a, b ] } ]", "{ tags: [] }");
    editor.replace("shop.yaml", &flow);
    let found = actions(&mut editor, ("shop.yaml", &flow), "type: Shop", 0);
    assert!(found.iter().any(|action| action == "Add required properties: `name` → \", name:\""), "{found:?}");
}

#[test]
fn files_that_declare_a_name_are_imported() {
    let mut editor = shop();
    let text = "tosca_definitions_version: tosca_2_0\nnode_types: { A: { derived_from: Server }, B: { derived_from: Sever } }\n";
    editor.open("new.yaml", text);
    // The names of other files are known when there is nothing left to parse.
    editor.ask("workspace/symbol", json!({ "query": "" }));
    let found = actions(&mut editor, ("new.yaml", text), "Server", 0);
    assert!(found.iter().any(|action| action.starts_with("Import `types.yaml`")), "{found:?}");
    let found = actions(&mut editor, ("new.yaml", text), "Sever", 0);
    assert!(!found.iter().any(|action| action.starts_with("Import")), "{found:?}");
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

#[test]
fn secret_names_are_not_in_symbols_lenses_hierarchies_and_completions() {
    let text = "\
tosca_definitions_version: tosca_2_0
set k = env.CARGO_MANIFEST_DIR[:0] + 'top' + 'secret'
node_types: {{ {k: {'properties': {k: {'type': 'string'}}}, 'Other': {'derived_from': k}} }}
service_template:
  inputs: {{ {k: {'type': 'string'}} }}
  node_templates: {{ {k: {'type': k}, 'plain': {'type': 'Other'}} }}
  workflows: {{ {k: {'steps': {k: {'target': k, 'activities': [{'inline': k}]}}}} }}
";
    let importing = "\
tosca_definitions_version: tosca_2_0
imports: [ types.yay ]
service_template:
  node_templates:
    a: { type: O }
";
    let mut editor = Editor::new(&modern());
    editor.open("types.yay", text);
    editor.open("service.yaml", importing);
    let document = |editor: &Editor, name: &str| json!({ "textDocument": { "uri": editor.uri(name) } });
    for method in ["textDocument/documentSymbol", "textDocument/codeLens"] {
        let params = document(&editor, "types.yay");
        let answer = editor.ask(method, params);
        assert!(answer.as_array().is_some_and(|items| !items.is_empty()), "{method}: {answer}");
        has_no_secrets(method, &answer.to_string());
        for lens in answer.as_array().into_iter().flatten().filter(|lens| lens["data"].is_object()) {
            has_no_secrets("codeLens/resolve", &editor.ask("codeLens/resolve", lens.clone()).to_string());
        }
    }
    let all = editor.ask("workspace/symbol", json!({ "query": "" })).to_string();
    assert!(all.contains("\"Other\""), "{all}");
    has_no_secrets("workspace/symbol", &all);
    for (line, row) in text.lines().enumerate() {
        for character in row.match_indices('k').map(|(at, _)| at).chain(row.match_indices("Other").map(|(at, _)| at)) {
            let mut at = document(&editor, "types.yay");
            at["position"] = json!({ "line": line, "character": character });
            for (method, related) in [
                ("textDocument/prepareTypeHierarchy", ["typeHierarchy/supertypes", "typeHierarchy/subtypes"]),
                ("textDocument/prepareCallHierarchy", ["callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"]),
            ] {
                let items = editor.ask(method, at.clone());
                has_no_secrets(method, &items.to_string());
                for (item, related) in
                    items.as_array().into_iter().flatten().flat_map(|item| related.map(|r| (item, r)))
                {
                    has_no_secrets(related, &editor.ask(related, json!({ "item": item })).to_string());
                }
            }
        }
    }
    let mut at = document(&editor, "service.yaml");
    at["position"] = json!({ "line": 4, "character": 16 });
    let found = editor.ask("textDocument/completion", at).to_string();
    assert!(found.contains("\"Other\""), "{found}");
    has_no_secrets("textDocument/completion", &found);
}
