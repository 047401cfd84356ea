//! Definitions, implementations, hierarchies and hovers.

use serde_json::{Value, json};

use super::asks::at;
use super::client::{Editor, modern, range};

const SHOP: &str = "tosca_definitions_version: tosca_2_0
data_types:
  Address: { properties: { street: { type: string } } }
capability_types: { Host: {} }
relationship_types: { On: {} }
node_types:
  Server: { capabilities: { host: Host } }
  Shop:
    properties:
      home: { type: Address }
      branches: { type: list, entry_schema: { type: map, entry_schema: Address } }
    requirements:
      - host: { capability: Host, relationship: On }
      - next: { node: Shop, capability: Host, relationship: On }
service_template:
  inputs:
    where: { type: Address }
  node_templates:
    one:
      type: Shop
      properties:
        home: { street: x }
        branches: []
      requirements:
        - host: server
    server: { type: Server }
";

/// Returns the places in the answer to a request at the nth occurrence of a word.
fn places(editor: &mut Editor, method: &str, (file, text): (&str, &str), (word, number): (&str, usize)) -> String {
    let params = at(editor, file, text, word, number);
    let answer = editor.ask(&format!("textDocument/{method}"), params);
    let place = |place: &Value| format!("{} {}", place["uri"].as_str().unwrap(), range(&place["range"]));
    let places: Vec<String> = answer.as_array().into_iter().flatten().map(place).collect();
    editor.without_folder(&places.join(", "))
}

#[test]
fn members_have_type_definitions() {
    let mut editor = Editor::new(&modern());
    editor.open("shop.yaml", SHOP);
    let file = ("shop.yaml", SHOP);
    let address = "shop.yaml 2:2-2:9";
    for (word, expected) in [
        (("home", 0), address),
        (("home", 1), address),
        (("branches", 0), address),
        (("branches", 1), address),
        (("where", 0), address),
        (("- host", 0), "shop.yaml 3:20-3:24"),
        (("- host", 1), "shop.yaml 3:20-3:24"),
        (("host: Host }", 0), "shop.yaml 3:20-3:24"),
        (("one:", 0), "shop.yaml 7:2-7:6"),
        (("Shop", 1), "shop.yaml 7:2-7:6"),
        (("tosca_2_0", 0), ""),
    ] {
        let (text, number) = word;
        let inside = text.trim_start_matches("- ");
        let number = if inside == text {
            number
        } else {
            SHOP.match_indices(inside)
                .position(|(at, _)| SHOP[..at].ends_with("- ") && SHOP[..at].matches("- host").count() == number)
                .unwrap()
        };
        assert_eq!(places(&mut editor, "typeDefinition", file, (inside, number)), expected, "{text}");
    }
}

const OLD: &str = "tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  Own: { derived_from: tosca.nodes.Compute }
topology_template:
  node_templates:
    a: { type: Compute }
    b: { type: tosca:Compute }
    c: { type: tosca.nodes.Compute }
    d: { type: Own }
    e: { type: Storage.BlockStorage, properties: { size: 1 GB, name: x } }
    f: { type: tosca.nodes.Storage.BlockStorage, properties: { size: 1 GB, name: x } }
";

#[test]
fn aliases_of_types_are_the_types() {
    // One file is not open, so it is found by its words.
    let other =
        OLD.replace("tosca.nodes.Compute }\ntop", "Compute }\ntop").replace("Storage.BlockStorage", "BlockStorage");
    let mut editor = Editor::with_files(&modern(), &[("other.yaml", &other)]);
    editor.open("old.yaml", OLD);
    let file = ("old.yaml", OLD);
    for word in ["Compute }", "tosca:Compute", "tosca.nodes.Compute"] {
        let found = places(&mut editor, "implementation", file, (word, 0));
        assert_eq!(found.matches("old.yaml").count(), 3, "{word}: {found}");
        assert_eq!(found.matches("other.yaml").count(), 3, "{word}: {found}");
        let mut params = at(&editor, "old.yaml", OLD, word, 0);
        let highlights = editor.ask("textDocument/documentHighlight", params.clone());
        assert_eq!(highlights.as_array().map(Vec::len), Some(4), "{word}");
        params["context"] = json!({ "includeDeclaration": false });
        let references = editor.ask("textDocument/references", params);
        assert_eq!(references.as_array().map(Vec::len), Some(8), "{word}: {references}");
    }
    let found = places(&mut editor, "implementation", file, ("Storage.BlockStorage", 0));
    assert_eq!((found.matches("old.yaml").count(), found.matches("other.yaml").count()), (2, 2), "{found}");
    let built_in = at(&editor, "old.yaml", OLD, "Compute }", 1);
    assert_eq!(editor.refused("textDocument/prepareRename", built_in), "node type `tosca.nodes.Compute` is built in");
}

#[test]
fn items_of_a_hierarchy_survive_edits() {
    let mut editor = Editor::new(&modern());
    let text = "tosca_definitions_version: tosca_2_0\nnode_types:\n  A: {}\n  B: { derived_from: A }\n  C: { derived_from: B }\n";
    editor.open("types.yaml", text);
    let params = at(&editor, "types.yaml", text, "B", 0);
    let item = editor.ask("textDocument/prepareTypeHierarchy", params)[0].clone();
    let names = |items: &Value| -> Vec<String> {
        items.as_array().into_iter().flatten().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    };
    let moved = text.replace("node_types:\n", "description: some text before\nnode_types:\n  Z: {}\n");
    editor.replace("types.yaml", &moved);
    let parents = editor.ask("typeHierarchy/supertypes", json!({ "item": item }));
    assert_eq!(names(&parents), ["A"]);
    let children = editor.ask("typeHierarchy/subtypes", json!({ "item": item }));
    assert_eq!(names(&children), ["C"]);
    // A type that no longer exists has neither.
    editor.replace("types.yaml", &moved.replace('B', "D"));
    assert_eq!(names(&editor.ask("typeHierarchy/supertypes", json!({ "item": item }))), [""; 0]);
    assert_eq!(names(&editor.ask("typeHierarchy/subtypes", json!({ "item": item }))), [""; 0]);
}

#[test]
fn markup_of_authors_stays_within_its_part_of_a_hover() {
    let mut editor = Editor::new(&modern());
    std::fs::create_dir(editor.path("a (1)")).unwrap();
    let types = "tosca_definitions_version: tosca_2_0
node_types:
  Base: {}
  'a`b':
    derived_from: Base
    description: |
      For example:
      ```yaml
      a: b
    properties: { 'c`': { type: string } }
";
    editor.write("a (1)/types.yaml", types);
    let text = "tosca_definitions_version: tosca_2_0
imports: [ a (1)/types.yaml ]
service_template:
  node_templates:
    n: { type: 'a`b', properties: { 'c`': x } }
    m:
      type: Base
      description: |
        ```
        x
";
    editor.open("service.yaml", text);
    let mut hover = |word: &str, number: usize| {
        let params = at(&editor, "service.yaml", text, word, number);
        let answer = editor.ask("textDocument/hover", params);
        editor.without_folder(answer["contents"]["value"].as_str().unwrap_or("nothing"))
    };
    let shown = hover("a`b", 0);
    assert!(shown.starts_with("node type `` a`b ``\n\nFor example:\n```yaml\na: b\n```\n\n"), "{shown}");
    assert!(shown.contains("derived from [`Base`](a%20%281%29/types.yaml#L3)"), "{shown}");
    assert!(shown.contains("- `` c` ``: `string`, required"), "{shown}");
    let shown = hover("m:", 0);
    assert!(shown.contains("````yaml\nm:\n") && shown.ends_with("x\n````"), "{shown}");
    assert!(hover("types.yaml", 0).starts_with("import of [a (1)/types.yaml](a%20%281%29/types.yaml)"));
}

#[test]
fn keynames_show_what_can_be_assigned() {
    let mut editor = Editor::new(&modern());
    editor.open("shop.yaml", SHOP);
    let mut hover = |number: usize| {
        let params = at(&editor, "shop.yaml", SHOP, "properties", number);
        let answer = editor.ask("textDocument/hover", params);
        answer["contents"]["value"].as_str().unwrap_or("nothing").to_owned()
    };
    let shown = hover(2);
    let list = "**node type `Shop`**\n\n- `home`: `Address`, required\n- `branches`: `list of map`, required";
    assert!(shown.ends_with(list), "{shown}");
    assert!(!hover(1).contains("`home`"), "the type itself");
}

#[test]
fn selections_grow() {
    let text = "tosca_definitions_version: tosca_2_0\nmetadata:\n  a: 'b c'\n  d: [ e, f ]\n";
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", text);
    let mut selections = |line: usize, character: usize| {
        let positions = [json!({ "line": line, "character": character })];
        let params = json!({ "textDocument": { "uri": editor.uri("a.yaml") }, "positions": positions });
        let answer = editor.ask("textDocument/selectionRange", params);
        let mut next = &answer[0];
        let mut ranges = Vec::new();
        while next.is_object() {
            ranges.push(range(&next["range"]));
            next = &next["parent"];
        }
        ranges.join(" ")
    };
    assert_eq!(selections(2, 6), "2:6-2:9 2:5-2:10 2:2-2:10 2:2-3:13 1:0-3:13 0:0-3:13 0:0-4:0");
    assert_eq!(selections(2, 2), "2:2-2:3 2:2-2:10 2:2-3:13 1:0-3:13 0:0-3:13 0:0-4:0");
    assert_eq!(selections(3, 11), "3:10-3:11 3:5-3:13 3:2-3:13 2:2-3:13 1:0-3:13 0:0-3:13 0:0-4:0");
    assert_eq!(selections(4, 0), "0:0-4:0");
    editor.replace("a.yaml", "");
}

#[test]
fn imports_follow_moved_files() {
    let head = "tosca_definitions_version: tosca_2_0\n";
    let files = [
        ("types.yaml", format!("{head}imports: [ base.yaml, \"./more.yaml\" ]\n")),
        ("base.yaml", format!("{head}node_types: {{ Base: {{}} }}\n")),
        ("more.yaml", head.to_owned()),
        (
            "user.yaml",
            format!("{head}imports:\n- types.yaml\n- {{ url: 'base.yaml' }}\n- profile: org.oasis-open.simple:2.0\n"),
        ),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, &**text)).collect();
    let mut editor = Editor::with_files(&modern(), &files);
    let mut moved = |old: &str, new: &str| {
        let file = json!({ "oldUri": editor.uri(old), "newUri": editor.uri(new) });
        let answer = editor.ask("workspace/willRenameFiles", json!({ "files": [file] }));
        let changes = answer["documentChanges"].as_array().unwrap().iter().flat_map(|change| {
            let uri = change["textDocument"]["uri"].as_str().unwrap().to_owned();
            let edits = change["edits"].as_array().unwrap().iter();
            edits.map(move |edit| format!("{uri} {} {}", range(&edit["range"]), edit["newText"])).collect::<Vec<_>>()
        });
        editor.without_folder(&changes.collect::<Vec<_>>().join("\n"))
    };
    assert_eq!(
        moved("types.yaml", "lib/new types.yaml"),
        "types.yaml 1:11-1:20 \"../base.yaml\"\ntypes.yaml 1:22-1:35 \"\\\"../more.yaml\\\"\"\nuser.yaml 2:2-2:12 \"lib/new types.yaml\""
    );
    assert_eq!(
        moved("base.yaml", "a: b.yaml"),
        "types.yaml 1:11-1:20 \"\\\"./a: b.yaml\\\"\"\nuser.yaml 3:9-3:20 \"'./a: b.yaml'\""
    );
    assert_eq!(moved("", "elsewhere/"), "", "all files stay together");
    assert_eq!(moved("other.yaml", "base.yaml"), "");
}
