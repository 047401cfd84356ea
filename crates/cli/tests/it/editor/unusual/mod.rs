//! Edits in unusual texts: each edit that is offered anywhere changes only the part that it is about.

mod texts;
mod trial;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::client::{edits_of, modern};
use super::desk::Desk;
use texts::{FILES, INDENTED, contexts};
use trial::{Facts, NEW_NAME, Trial, apply, diff, positions};

/// One of this number of positions is tried in each text.
const STEP: usize = 41;

/// One of this number of texts is tried.
const TEXTS: usize = 4;

/// The types that code actions import.
const OTHER: &str = "tosca_definitions_version: tosca_simple_yaml_1_3
node_types: { other.Disk: { derived_from: tosca.nodes.Root, properties: { size: { type: integer } } } }
";

const SEVER: &str = "tosca_definitions_version: tosca_2_0
node_types: { Sever: {} }
";

/// Returns the capabilities of an editor that creates files.
fn creating() -> Value {
    let mut capabilities = modern();
    capabilities["workspace"]["workspaceEdit"]["resourceOperations"] = json!(["create"]);
    capabilities
}

/// Returns how many of the positions and names are tried: one of this number.
fn step(default: usize) -> usize {
    std::env::var("TOSCA_PARSE_EVERY").map_or(default, |every| every.parse().unwrap())
}

#[test]
fn edits_change_only_their_subject() {
    let mut desk = Desk::new(&creating(), &[("other.yaml", OTHER), ("types.yaml", SEVER), ("boot.sh", "")]);
    let (mut counts, mut wrong) = (BTreeMap::<String, usize>::new(), Vec::new());
    let step = step(STEP);
    let texts = FILES.iter().flat_map(|(file, text)| contexts(text).into_iter().map(move |context| (*file, context)));
    let texts = texts.enumerate().step_by(if step < STEP { 1 } else { TEXTS });
    for (number, (file, (context, text))) in texts {
        desk.open(file, &text);
        let before = Facts::of(&desk, file, &text);
        let mut trial = Trial {
            desk: &mut desk,
            context: format!("{file}, {context}"),
            file,
            text: &text,
            before,
            seen: BTreeSet::new(),
            wrong: Vec::new(),
            counts: BTreeMap::new(),
        };
        trial.format("textDocument/formatting", json!({}), &json!({ "line": 0, "character": 0 }));
        // Each text begins at another position.
        for at in positions(&text).into_iter().skip(number * 7 % step).step_by(step) {
            trial.all(&at);
        }
        wrong.append(&mut trial.wrong);
        for (kind, count) in trial.counts {
            *counts.entry(kind).or_default() += count;
        }
        desk.close(file);
    }
    assert!(wrong.is_empty(), "{}\n{} are wrong", wrong.join("\n"), wrong.len());
    for kind in ["Create", "Ignore", "Write", "complete", "format", "linked", "rename"] {
        assert!(counts.get(kind).is_some_and(|count| *count > 1), "{kind}: {counts:?}");
    }
}

const TYPES: &str = "tosca_definitions_version: tosca_2_0
data_types: { Address: { properties: { street: { type: string } } } }
capability_types: { Host: {} }
relationship_types: { On: {} }
interface_types: { Life: { operations: { start: {} } } }
node_types:
  Server: # 😀
    properties: { size: { type: integer, default: 1 }, home: { type: Address, required: false } }
    attributes: { state: { type: string } }
    capabilities: { host: { type: Host } }
    requirements: [ db: { capability: Host, relationship: On, count_range: [ 0, 2 ] } ]
    interfaces: { Life: { type: Life } }
  my.Disk:
    derived_from: Server
    properties: { size: { type: integer }, extra: { type: string, required: false } }
";

const USER: &str = "\u{feff}tosca_definitions_version: tosca_2_0\r
imports:\r
- types.yaml\r
- { url: types.yaml, namespace: p }\r
node_types:\r
  Shop: { derived_from: p:my.Disk, properties: { '😀 x': { type: string, default: a }, other: { type: \"p:Address\", required: false } } }\r
service_template:\r
  inputs: { n: { type: integer, default: 2 }, size: { type: integer, default: 3 } }\r
  node_templates:\r
    web: { type: Server, properties: { size: { $get_input: n }, home: { street: 'é' } }, interfaces: { Life: { operations: { start: a.sh } } } }\r
    '😀': { type: \"p:Server\", requirements: [ { db: web }, db: { node: web, capability: host } ] }\r
    shop: { type: Shop, properties: { size: { $get_property: [ web, size ] }, extra: { $get_property: [ SELF, '😀 x' ] } }, requirements: [ db: [ \"😀\", host ] ] }\r
    dup: { type: Server, properties: { size: { $get_property: [ \"web\", CAPABILITY, host ] } } }\r
  groups: {}\r
  outputs: { o: { value: { $get_attribute: [ 'web', state ] } }, web: { value: { $concat: [ web, { $get_input: [ size ] } ] } } }\r
";

const THIRD: &str = "tosca_definitions_version: tosca_2_0
imports: [ { url: a.yaml, namespace: q } ]
node_types: { Server: { derived_from: q:Shop }, Web: { derived_from: 'q:p:Server' } }
service_template: { node_templates: { web: { type: Server, properties: { size: 1 } } } }
";

const NAMES: &[&str] = &[NEW_NAME, "Server", "size", "web", "state", "SELF", "host", "my.Disk", "extra", "integer"];

#[test]
fn renames_in_several_files_cause_no_problems() {
    let files = [("types.yaml", TYPES), ("a.yaml", USER), ("b.yaml", THIRD)];
    let mut desk = Desk::new(&modern(), &files);
    for (file, text) in files {
        desk.open(file, text);
    }
    let facts = |desk: &Desk, texts: &BTreeMap<String, String>| -> Vec<Facts> {
        texts.iter().for_each(|(name, text)| std::fs::write(desk.path(name), text).unwrap());
        texts.iter().map(|(name, text)| Facts::of(desk, name, text)).collect()
    };
    let original = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let original: BTreeMap<String, String> = original.into_iter().collect();
    let before = facts(&desk, &original);
    let (mut seen, mut several, mut refused) = (BTreeSet::new(), 0, 0);
    let places = files.iter().flat_map(|(file, text)| positions(text).into_iter().map(|at| (*file, at)));
    let names = places.flat_map(|(file, at)| NAMES.iter().map(move |name| (file, at.clone(), *name)));
    for (file, at, new_name) in names.step_by(step(61)) {
        let params = json!({ "textDocument": { "uri": desk.uri(file) }, "position": at, "newName": new_name });
        let Ok(edit) = desk.ask("textDocument/rename", params) else {
            refused += 1;
            continue;
        };
        let changes = edit["documentChanges"].as_array().unwrap();
        if !seen.insert(edit.to_string()) {
            continue;
        }
        several += usize::from(changes.len() > 1);
        let mut texts = original.clone();
        for change in changes {
            let name = desk.name(change["textDocument"]["uri"].as_str().unwrap()).to_owned();
            let text = apply(&texts[&name], &change["edits"]).unwrap();
            texts.insert(name, text);
        }
        for (after, before) in facts(&desk, &texts).iter().zip(&before) {
            let shown = texts.iter().map(|(name, text)| diff(&original[name], text)).collect::<String>();
            assert_eq!(after.codes, before.codes, "{file} {at} {new_name}: {:?}\n{shown}", after.messages);
        }
    }
    assert!(several > 5 && refused > 5, "{several} {refused}");
}

/// Returns the actions at the first occurrence of a word in a document, by title.
fn actions(desk: &mut Desk, file: &str, text: &str, word: &str) -> BTreeMap<String, Value> {
    let before = &text[..text.find(word).unwrap()];
    let line = before.matches('\n').count();
    let at = json!({ "line": line, "character": before.rsplit('\n').next().unwrap().encode_utf16().count() });
    let document = json!({ "uri": desk.uri(file) });
    let context = json!({ "diagnostics": [] });
    let params = json!({ "textDocument": document, "range": { "start": at, "end": at }, "context": context });
    let actions = desk.ask("textDocument/codeAction", params).unwrap();
    let actions = actions.as_array().unwrap().iter();
    actions.map(|action| (action["title"].as_str().unwrap().to_owned(), action["edit"].clone())).collect()
}

#[test]
fn only_files_that_can_be_edited_are_changed() {
    let elsewhere = tempfile::TempDir::new().unwrap();
    let types = "tosca_definitions_version: tosca_2_0\nnode_types: { Server: {} }\n";
    std::fs::write(elsewhere.path().join("types.yaml"), types).unwrap();
    let text = |path: &str| {
        let template = "service_template: { node_templates: { a: { type: Server, properties: { size: 1 } } } }";
        format!("tosca_definitions_version: tosca_2_0\nimports: [ \"{path}\" ]\n{template}\n")
    };
    let title = "Create property definition `size` in node type `Server`";
    let mut desk = Desk::new(&modern(), &[("my types@1.yaml", types)]);
    let outside = text(&elsewhere.path().join("types.yaml").display().to_string());
    desk.open("a.yaml", &outside);
    assert!(!actions(&mut desk, "a.yaml", &outside, "size").contains_key(title));
    // The document of another file has the URI that the editor has sent.
    let inside = text("my types@1.yaml");
    desk.open("b.yaml", &inside);
    let plain = desk.uri("my%20types@1.yaml");
    let sent = desk.uri("my%20types%401.yaml");
    let uris = |desk: &mut Desk| {
        let changes = edits_of(&actions(desk, "b.yaml", &inside, "size")[title]);
        changes.keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(uris(&mut desk), [plain]);
    desk.open("my%20types%401.yaml", types);
    assert_eq!(uris(&mut desk), [sent]);
}

#[test]
fn a_moved_type_keeps_its_line_ends_and_replaces_no_document() {
    let text = "tosca_definitions_version: tosca_2_0\r\nnode_types:\r\n  A: {}\r\n  B:\r\n    description: b\r\n";
    let mut desk = Desk::new(&creating(), &[]);
    desk.open("a.yaml", text);
    desk.open("b.yaml", "tosca_definitions_version: tosca_2_0\n");
    let found = actions(&mut desk, "a.yaml", text, "B:");
    let changes = found["Move `B` to `b_2.yaml`"]["documentChanges"].as_array().unwrap().clone();
    let new = "tosca_definitions_version: tosca_2_0\r\n\r\nnode_types:\r\n  B:\r\n    description: b\r\n";
    assert_eq!(changes[1]["edits"][0]["newText"], new);
}

#[test]
fn comments_are_not_added_within_scalars_and_json() {
    let is_offered = |file: &str, text: &str| {
        let mut desk = Desk::new(&modern(), &[]);
        desk.open(file, text);
        actions(&mut desk, file, text, "lable").contains_key("Ignore T1201 on this line")
    };
    let head = "tosca_definitions_version: tosca_2_0\nnode_types:\n";
    for (end, expected) in [
        ("  A: { lable: \"x\" }\n", true),
        ("  A: { lable: \"x\n      y\" }\n", false),
        ("  A:\n    lable: x\n      y\n", false),
        ("  A:\n    lable: |-\n      y\n", false),
        ("  A:\n    lable: 'x'\n", true),
    ] {
        assert_eq!(is_offered("a.yaml", &format!("{head}{end}")), expected, "{end}");
    }
    let json = "{\n\"tosca_definitions_version\": \"tosca_2_0\",\n\"node_types\": { \"A\": { \"lable\": 1 } }\n}\n";
    assert!(is_offered("a.yaml", json) && !is_offered("a.json", json));
}

#[test]
fn imports_on_the_line_of_the_cursor_are_extended() {
    let text = "{tosca_definitions_version: tosca_2_0, node_types: {B: {derived_from: Sev}}, imports: [a.yaml]}";
    let mut desk = Desk::new(&modern(), &[("types.yaml", SEVER)]);
    desk.open("b.yaml", text);
    let document = json!({ "uri": desk.uri("b.yaml") });
    let at = json!({ "line": 0, "character": text.find("Sev").unwrap() + 3 });
    let list = desk.ask("textDocument/completion", json!({ "textDocument": document, "position": at })).unwrap();
    let item = list["items"].as_array().unwrap().iter().find(|item| item["label"] == "Sever").unwrap().clone();
    let edits = json!([item["textEdit"], item["additionalTextEdits"][0]]);
    assert_eq!(apply(text, &edits).unwrap(), text.replace("Sev", "Sever").replace("a.yaml", "a.yaml, types.yaml"));
}

/// Returns the texts after a rename at the first occurrence of a word, or the reason why it is refused.
fn renamed(word: &str, new_name: &str) -> Result<BTreeMap<String, String>, String> {
    let files = BTreeMap::from([("types.yaml", TYPES), ("a.yaml", USER), ("b.yaml", THIRD)]);
    let mut desk = Desk::new(&modern(), &files.clone().into_iter().collect::<Vec<_>>());
    desk.open("types.yaml", TYPES);
    let before = &TYPES[..TYPES.find(word).unwrap()];
    let character = before.rsplit('\n').next().unwrap().encode_utf16().count();
    let at = json!({ "line": before.matches('\n').count(), "character": character });
    let document = json!({ "uri": desk.uri("types.yaml") });
    let params = json!({ "textDocument": document, "position": at, "newName": new_name });
    let edit = desk.ask("textDocument/rename", params)?;
    let changes = edit["documentChanges"].as_array().unwrap().iter();
    let changed = changes.map(|change| {
        let name = desk.name(change["textDocument"]["uri"].as_str().unwrap());
        (name.to_owned(), apply(files[name], &change["edits"]).unwrap())
    });
    Ok(changed.collect())
}

#[test]
fn keys_of_values_are_renamed_with_the_properties_of_their_types() {
    let changed = renamed("street", NEW_NAME).unwrap();
    assert_eq!(changed.keys().collect::<Vec<_>>(), ["a.yaml", "types.yaml"]);
    assert_eq!(changed["a.yaml"], USER.replace("street", NEW_NAME));
}

#[test]
fn keys_of_values_in_blueprints_are_renamed() {
    let types = "tosca_definitions_version: cloudify_dsl_1_3
data_types:
  Street: { properties: { name: { type: string } } }
  Address: { properties: { street: { type: Street } } }
node_types: { Shop: { properties: { home: { type: Address } } } }
";
    let text = "tosca_definitions_version: cloudify_dsl_1_3
imports: [ types.yaml ]
node_templates:
  a: { type: Shop, properties: { home: { street: { name: x } } } }
outputs: { o: { value: { get_property: [ a, home, street, name ] } } }
";
    let mut desk = Desk::new(&modern(), &[("types.yaml", types), ("a.yaml", text)]);
    desk.open("types.yaml", types);
    for (word, line) in [("street", 3), ("name", 2)] {
        let at = json!({ "line": line, "character": types.lines().nth(line).unwrap().find(word).unwrap() });
        let document = json!({ "uri": desk.uri("types.yaml") });
        let params = json!({ "textDocument": document, "position": at, "newName": NEW_NAME });
        let edit = desk.ask("textDocument/rename", params).unwrap();
        let changed = apply(text, &edit["documentChanges"][0]["edits"]).unwrap();
        assert_eq!(changed, text.replace(word, NEW_NAME));
    }
}

#[test]
fn renames_that_cause_problems_in_another_file_are_refused() {
    let reason = renamed("size", "state").unwrap_err();
    assert!(reason.contains("would have a new problem: attribute `state` has type `string`"), "{reason}");
    assert_eq!(renamed("state", "condition").unwrap().len(), 2);
}

#[test]
fn names_are_imported_into_an_empty_list_with_indentation() {
    let mut desk = Desk::new(&modern(), &[("types.yaml", SEVER)]);
    desk.open("a.yaml", INDENTED);
    let found = actions(&mut desk, "a.yaml", INDENTED, "Sever");
    let edits = &edits_of(&found["Import `types.yaml`"])[&desk.uri("a.yaml")];
    assert_eq!(apply(INDENTED, edits).unwrap(), INDENTED.replace("imports:\n", "imports:\n  - types.yaml\n"));
}

#[test]
fn nothing_is_proposed_within_scalars_of_several_lines() {
    let mut desk = Desk::new(&modern(), &[]);
    let mut propose = |text: &str| {
        let text = format!("tosca_definitions_version: tosca_2_0\nnode_types:\n  Ser: {{}}\n  A: {text}\n");
        let (before, after) = text.split_once('|').unwrap();
        desk.open("a.yaml", &format!("{before}{after}"));
        let at = json!({ "line": before.matches('\n').count(), "character": before.len() - before.rfind('\n').unwrap() - 1 });
        let document = json!({ "uri": desk.uri("a.yaml") });
        let list = desk.ask("textDocument/completion", json!({ "textDocument": document, "position": at })).unwrap();
        list["items"].as_array().unwrap().len()
    };
    for text in
        ["{ derived_from: \"Se|r\\\n    ver\" }", "{ derived_from: \"x\n    Se|r\" }", "{ derived_from: x\n    Se|r }"]
    {
        assert_eq!(propose(text), 0, "{text}");
    }
    for text in ["{ derived_from: \"Se|", "{ derived_from: \"Se|r\" }"] {
        assert_eq!(propose(text), 1, "{text}");
    }
}
