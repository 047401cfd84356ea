//! Code actions that extract and rewrite.

use serde_json::{Value, json};

use super::asks::at;
use super::client::{Editor, edits_of, modern};

/// Returns the actions of a kind at the nth occurrence of a word.
fn found(editor: &mut Editor, text: &str, (word, number): (&str, usize), kind: &str) -> Vec<Value> {
    editor.open("a.yaml", text);
    let mut params = at(editor, "a.yaml", text, word, number);
    let position = params["position"].take();
    params["range"] = json!({ "start": position, "end": position });
    params["context"] = json!({ "diagnostics": [], "only": [kind] });
    let actions = editor.ask("textDocument/codeAction", params);
    actions.as_array().unwrap().clone()
}

fn titles(editor: &mut Editor, text: &str, word: (&str, usize)) -> Vec<String> {
    let found = found(editor, text, word, "refactor");
    found.iter().map(|action| action["title"].as_str().unwrap().to_owned()).collect()
}

/// Applies edits to a text.
pub(super) fn edited(text: &str, edits: &Value) -> String {
    let offset = |place: &Value| {
        let part = |part: &str| usize::try_from(place[part].as_u64().unwrap()).unwrap();
        let line: usize = text.split_inclusive('\n').take(part("line")).map(str::len).sum();
        let mut units = 0;
        let before = text[line..].chars().take_while(|letter| {
            units += letter.len_utf16();
            units <= part("character")
        });
        line + before.map(char::len_utf8).sum::<usize>()
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            (offset(&range["start"]), offset(&range["end"]), edit["newText"].as_str().unwrap())
        })
        .collect();
    edits.sort_unstable();
    let mut text = text.to_owned();
    edits.into_iter().rev().for_each(|(start, end, new)| text.replace_range(start..end, new));
    text
}

/// Applies the only action of a kind, and returns the text, which must still be valid.
fn applied(editor: &mut Editor, text: &str, word: (&str, usize), kind: &str) -> String {
    let found = found(editor, text, word, kind);
    assert_eq!(found.len(), 1, "{word:?} {found:?}");
    let text = edited(text, &edits_of(&found[0]["edit"])[&editor.uri("a.yaml")]);
    editor.replace("a.yaml", &text);
    let document = json!({ "textDocument": { "uri": editor.uri("a.yaml") } });
    assert_eq!(editor.ask("textDocument/diagnostic", document)["items"], json!([]), "{text}");
    text
}

const VALUES: &str = "tosca_definitions_version: tosca_2_0
data_types: { Address: { properties: { street: { type: string } } } }
node_types:
  Shop:
    properties:
      size: { type: integer, default: 1 }
      tags: { type: list, entry_schema: string, required: false }
      home: { type: Address, required: false }
service_template:
  node_templates:
    one:
      type: Shop
      properties:
        size: 3 # all
        tags: [ a, 'b: c' ]
        home: { street: \"#1\" }
";

#[test]
fn values_become_inputs() {
    let mut editor = Editor::new(&modern());
    let extract = |editor: &mut Editor, text: &str, word| applied(editor, text, word, "refactor.extract");
    let expected = VALUES.replace("size: 3 #", "size: { $get_input: size } #");
    let inputs = "  inputs:\n    size:\n      type: integer\n      default: 3\n";
    assert_eq!(extract(&mut editor, VALUES, ("3 #", 0)), format!("{expected}{inputs}"));
    // The input for a part of a value has the type of that part.
    let expected = VALUES.replace("'b: c'", "{ $get_input: tags }");
    let inputs = "  inputs:\n    tags:\n      type: string\n      default: 'b: c'\n";
    assert_eq!(extract(&mut editor, VALUES, ("b: c", 0)), format!("{expected}{inputs}"));
    let street = extract(&mut editor, VALUES, ("\"#1\"", 0));
    assert!(street.ends_with("  inputs:\n    street:\n      type: string\n      default: \"#1\"\n"), "{street}");
    // The input gets an unused name.
    let with = VALUES.replace("service_template:\n", "service_template:\n  inputs: { size: { type: string } }\n");
    let text = extract(&mut editor, &with, ("3 #", 0));
    assert!(text.contains("{ type: string }, size_2: { type: integer, default: 3 } }"), "{text}");
    assert!(text.contains("{ $get_input: size_2 } # all"), "{text}");
    let old = "tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    a: { type: tosca.nodes.Compute, capabilities: { host: { properties: { num_cpus: 2 } } } }
";
    let text = extract(&mut editor, old, ("2 }", 0));
    assert!(text.contains("num_cpus: { get_input: num_cpus }"), "{text}");
    assert!(text.ends_with("    num_cpus:\n      type: integer\n      default: 2\n"), "{text}");
    // Nothing else can become an input.
    for (text, word) in [
        (VALUES.to_owned(), "Shop\n"),
        (VALUES.to_owned(), "integer"),
        (VALUES.to_owned(), "1 }"),
        (VALUES.to_owned(), "one:"),
        (VALUES.replace("3 #", "{ $get_input: size } #"), "size }"),
        (VALUES.replace("3 #", "&a 3 #"), "3 #"),
        (VALUES.replace("3 #", "|\n          x\n        #"), "x\n"),
        (with.replace("type: string }", "type: string, default: d }"), "d }"),
    ] {
        let number = usize::from(word == "Shop\n");
        let number = if text.matches(word).count() > number { number } else { 0 };
        assert!(found(&mut editor, &text, (word, number), "refactor.extract").is_empty(), "{word}");
    }
}

const PARTS: &str = "tosca_definitions_version: tosca_2_0
data_types:
  Port: { derived_from: integer }
  Visit:
    properties:
      release: { type: version, required: false }
      ports: { type: list, entry_schema: Port, required: false }
node_types:
  Shop:
    properties:
      tags: { type: list, entry_schema: string, required: false }
      visits: { type: map, entry_schema: Visit, required: false }
service_template:
  node_templates:
    one:
      type: Shop
      properties:
        tags: [ a, b-c ]
        visits:
          first:
            release: 1.0.3
            ports: [ 80 ]
";

#[test]
fn parts_of_values_become_inputs_of_their_types() {
    let mut editor = Editor::new(&modern());
    for (word, call, name, of_type, value) in [
        ("b-c", "{ $get_input: tags }", "tags", "string", "b-c"),
        ("1.0.3", "{ $get_input: release }", "release", "version", "1.0.3"),
        ("80", "{ $get_input: ports }", "ports", "Port", "80"),
    ] {
        let expected = PARTS.replace(word, call);
        let inputs = format!("  inputs:\n    {name}:\n      type: {of_type}\n      default: {value}\n");
        let text = applied(&mut editor, PARTS, (word, 0), "refactor.extract");
        assert_eq!(text, format!("{expected}{inputs}"), "{word}");
    }
    // A value without a definition becomes a string.
    let old = "tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  tosca.nodes.Small:
    properties: { component_version: { type: string }, ports: { type: range, default: [ 1, UNBOUNDED ] } }
topology_template:
  substitution_mappings:
    node_type: tosca.nodes.Small
    properties: { component_version: \"1.0\" }
  node_templates:
    small: { type: tosca.nodes.Small, properties: { component_version: x, ports: [ 7, UNBOUNDED ] } }
    a:
      type: tosca.nodes.Compute
      interfaces:
        Standard: { operations: { create: { implementation: a.sh, inputs: { users: [ ada ] } } } }
";
    let text = applied(
        &mut editor,
        &old.replace("\"1.0\"", "[ v ]")
            .replace("topology_template:\n", "topology_template:\n  inputs: { v: { type: string } }\n"),
        ("ada", 0),
        "refactor.extract",
    );
    assert!(text.contains("{ users: [ { get_input: users } ] }"), "{text}");
    assert!(text.contains("users: { type: string, default: ada } }"), "{text}");
    // The values of a mapping are constants, and a word of a range is not a string.
    for (word, number, is_offered) in [("\"1.0\"", 0, false), ("UNB", 1, false), ("7", 0, true)] {
        let found = found(&mut editor, old, (word, number), "refactor.extract");
        assert_eq!(!found.is_empty(), is_offered, "{word}");
    }
}

const NOTATIONS: &str = "tosca_definitions_version: tosca_2_0
capability_types: { Host: {} }
relationship_types: { On: {} }
interface_types: { Life: { operations: { start: {} } } }
node_types:
  Server: { capabilities: { host: Host } }
  Shop:
    capabilities:
      more:
        type: Host # that
    requirements:
      - host: { capability: Host, relationship: On }
      - other: { capability: Host, relationship: On, count_range: [ 0, 1 ] }
    interfaces: { life: { type: Life } }
service_template:
  node_templates:
    server: { type: Server }
    shop:
      type: Shop
      requirements:
        - host: server
        - other:
            node: server
      interfaces:
        life: { operations: { start: \"a, b.sh\" } }
";

#[test]
fn notations_are_converted() {
    let mut editor = Editor::new(&modern());
    let rewrite = |editor: &mut Editor, text: &str, word| applied(editor, text, word, "refactor.rewrite");
    for (word, short, long, back) in [
        ("host: server", "host: server", "host: { node: server }", "host: { node"),
        ("server\n", "host: server", "host: { node: server }", "node: server }"),
        ("host: Host", "host: Host }", "host: { type: Host } }", "type: Host"),
        ("start: \"", "\"a, b.sh\"", "{ implementation: \"a, b.sh\" }", "start: { impl"),
    ] {
        let changed = NOTATIONS.replace(short, long);
        assert_eq!(rewrite(&mut editor, NOTATIONS, (word, 0)), changed, "{word}");
        assert_eq!(rewrite(&mut editor, &changed, (back, 0)), NOTATIONS, "{back}");
    }
    let other = NOTATIONS.replace("other:\n            node: server", "other: server");
    assert_eq!(rewrite(&mut editor, NOTATIONS, ("node: server", 0)), other);
    assert_eq!(rewrite(&mut editor, NOTATIONS, ("other:", 1)), other);
    let more = NOTATIONS.replace("more:\n        type: Host # that", "more: Host # that");
    assert_eq!(rewrite(&mut editor, NOTATIONS, ("more:", 0)), more);
    let nested = NOTATIONS.replace("\"a, b.sh\"", "{ implementation: \"a, b.sh\" }");
    let expected = nested.replace("\"a, b.sh\"", "{ primary: \"a, b.sh\" }");
    assert_eq!(rewrite(&mut editor, &nested, ("a, b", 0)), expected);
    // Nothing is lost.
    for (text, word, number) in [
        (NOTATIONS.to_owned(), "capability: Host", 0),
        (NOTATIONS.to_owned(), "Shop:", 0),
        (NOTATIONS.replace("other:\n", "other: # why\n"), "node: server", 0),
        (NOTATIONS.replace("other:\n", "other:\n            # This one:\n"), "node: server", 0),
        (NOTATIONS.replace("other:\n", "other: &other\n"), "node: server", 0),
        (NOTATIONS.replace("host: server", "host: &host server"), "server\n", 0),
        (NOTATIONS.replace("node: server", "capability: host"), "capability: host", 0),
    ] {
        assert_eq!(titles(&mut editor, &text, (word, number)), [""; 0], "{word} {number}");
    }
}

const TYPES: &str = "tosca_definitions_version: tosca_2_0
imports: [ base.yaml ]
description: All types
capability_types:
  Host: {}
  # Those that
  # are stored.
  Store:
    derived_from: Base

node_types:
  Disk: # a disk
    capabilities:
      store: Store

  # A shop.
  Shop: { derived_from: Disk }
service_template:
  node_templates: { shop: { type: Shop } }
";

/// Moves the type at the nth occurrence of a word, and returns the new file and the changed text.
fn moved(editor: &mut Editor, text: &str, word: (&str, usize)) -> Option<(String, String, String)> {
    let found = found(editor, text, word, "refactor.extract");
    let action = found.iter().find(|action| action["title"].as_str().unwrap().starts_with("Move"))?;
    let changes = &action["edit"]["documentChanges"];
    assert_eq!(changes[0]["kind"], "create");
    assert_eq!(changes[0]["uri"], changes[1]["textDocument"]["uri"]);
    let uri = changes[0]["uri"].as_str().unwrap();
    assert!(action["title"].as_str().unwrap().ends_with(&format!("to `{}`", editor.without_folder(uri))), "{action}");
    let new = edited("", &changes[1]["edits"]);
    Some((editor.without_folder(uri), new, edited(text, &changes[2]["edits"])))
}

#[test]
fn types_move_to_files() {
    let mut capabilities = modern();
    capabilities["workspace"]["workspaceEdit"]["resourceOperations"] = json!(["create", "rename"]);
    let base = "tosca_definitions_version: tosca_2_0\ncapability_types: { Base: {} }\n";
    let mut editor = Editor::with_files(&capabilities, &[("base.yaml", base), ("store.yaml", "a: b\n")]);
    let (file, new, left) = moved(&mut editor, TYPES, ("Store:", 0)).unwrap();
    let head = "tosca_definitions_version: tosca_2_0\nimports: [ base.yaml ]\n";
    let store = "  # Those that\n  # are stored.\n  Store:\n    derived_from: Base\n";
    assert_eq!(file, "store_2.yaml");
    assert_eq!(new, format!("{head}\ncapability_types:\n{store}"));
    assert_eq!(left, TYPES.replace(store, "").replace("[ base.yaml ]", "[ base.yaml, store_2.yaml ]"));
    // Needed types move, too, and empty sections go.
    let (file, new, left) = moved(&mut editor, TYPES, ("Shop:", 0)).unwrap();
    let nodes =
        "  Disk: # a disk\n    capabilities:\n      store: Store\n  # A shop.\n  Shop: { derived_from: Disk }\n";
    assert_eq!(new, format!("{head}\ncapability_types:\n{store}\nnode_types:\n{nodes}"));
    assert!(!left.contains("node_types") && left.contains("  Host: {}\n\nservice_template"), "{left}");
    // Both files are valid.
    editor.write(&file, &new);
    editor.replace("a.yaml", &left);
    editor.open(&file, &new);
    for file in ["a.yaml", &file] {
        let document = json!({ "textDocument": { "uri": editor.uri(file) } });
        assert_eq!(editor.ask("textDocument/diagnostic", document)["items"], json!([]), "{file}");
    }
    while editor.has_unread() {
        editor.next();
    }
    // Other names, types in brackets and types with anchors stay.
    for (text, word) in [
        (TYPES.to_owned(), "shop:"),
        (TYPES.to_owned(), "derived_from"),
        (TYPES.replace("  Disk: # a disk", "  Disk: &disk"), "Disk:"),
        (TYPES.replace("  Disk: # a disk", "  Disk: &disk"), "Shop:"),
        (TYPES.replace("capability_types:\n  Host: {}", "capability_types: { Other: {} }\nx:\n  Host: {}"), "Other"),
        (format!("{TYPES}      x: [ y\n"), "Store:"),
    ] {
        assert_eq!(moved(&mut editor, &text, (word, 0)), None, "{word}");
    }
    let mut old = Editor::new(&modern());
    assert_eq!(moved(&mut old, TYPES, ("Store:", 0)), None, "the editor can't create files");
}

#[test]
fn types_that_depend_on_the_file_stay() {
    const FUNCTION: &str = "functions: { up: { signatures: [ { implementation: { primary: up.py } } ] } }\n";
    let mut capabilities = modern();
    capabilities["workspace"]["workspaceEdit"]["resourceOperations"] = json!(["create", "rename"]);
    let mut editor = Editor::with_files(&capabilities, &[("base.yaml", "tosca_definitions_version: tosca_2_0\n")]);
    let call = "  Disk:\n    properties: { name: { type: string, default: { $up: [ x ] } } }\n";
    let with_call = TYPES.replace("  Disk: # a disk\n", call);
    for (text, word, is_moved) in [
        // A function of the file is unknown elsewhere, but a function of the processor is not.
        (with_call.clone(), "Disk:", true),
        (format!("{with_call}{FUNCTION}"), "Disk:", false),
        (format!("{with_call}{FUNCTION}"), "Shop:", false),
        (format!("{with_call}{FUNCTION}"), "Host:", true),
        // The imports are copied without the anchor.
        (
            TYPES.replace("[ base.yaml ]", "[ *base ]").replace("imports", "metadata: { x: &base base.yaml }\nimports"),
            "Host:",
            false,
        ),
        (TYPES.replace("imports: [", "? imports\n: ["), "Host:", false),
        (TYPES.replace("capability_types:\n", "? capability_types\n:\n"), "Host:", false),
    ] {
        assert_eq!(moved(&mut editor, &text, (word, 0)).is_some(), is_moved, "{word} {text}");
    }
}

#[test]
fn types_move_out_of_any_layout() {
    let mut capabilities = modern();
    capabilities["workspace"]["workspaceEdit"]["resourceOperations"] = json!(["create", "rename"]);
    let mut editor = Editor::new(&capabilities);
    // The last line of a text is not a comment on the next type.
    let text = "tosca_definitions_version: tosca_2_0
node_types:
  Disk:
    description: |
      A disk
      # 1
  Shop: {}
";
    let (_, new, left) = moved(&mut editor, text, ("Shop:", 0)).unwrap();
    assert_eq!(new, "tosca_definitions_version: tosca_2_0\n\nnode_types:\n  Shop: {}\n");
    assert!(left.ends_with("      A disk\n      # 1\n"), "{left}");
    // There may be no value yet.
    let text = "tosca_definitions_version: tosca_2_0\nimports:\nnode_types:\n  Shop: {}\n  Disk: {}\n";
    let (_, new, left) = moved(&mut editor, text, ("Shop:", 0)).unwrap();
    assert_eq!(new, "tosca_definitions_version: tosca_2_0\n\nnode_types:\n  Shop: {}\n");
    assert!(left.contains("imports:\n- shop.yaml\nnode_types:\n  Disk: {}\n"), "{left}");
    // All keynames may be indented.
    let text = "  tosca_definitions_version: tosca_2_0
  node_types:
    Shop: {}
  service_template:
    node_templates: { shop: { type: Shop } }
";
    let (_, _, left) = moved(&mut editor, text, ("Shop:", 0)).unwrap();
    let imports = "  tosca_definitions_version: tosca_2_0\n  imports:\n  - shop.yaml\n";
    assert_eq!(left, format!("{imports}{}", &text[text.find("  service").unwrap()..]));
}
