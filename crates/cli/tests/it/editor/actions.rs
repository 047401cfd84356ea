//! Code actions that add what is missing.

use serde_json::{Value, json};

use super::asks::{actions, at};
use super::client::{Editor, edits_of, modern};
use super::refactor::edited;

const HEAD: &str = "tosca_definitions_version: tosca_2_0
capability_types: { Host: {} }
relationship_types: { On: {} }
node_types:
  Shop:
    properties:
      name: { type: string }
      'a: b': { type: string }
      \"true\": { type: string }
    requirements:
      - host: { capability: Host, relationship: On, count_range: [ 3, 5 ] }
service_template:
  node_templates:
";

/// Returns the actions that add required members to a node template, each with its new text.
fn required(editor: &mut Editor, template: &str) -> Vec<String> {
    let text = format!("{HEAD}{template}");
    editor.open("shop.yaml", &text);
    let found = actions(editor, ("shop.yaml", &text), "one:", 0);
    found.into_iter().filter_map(|action| Some(action.strip_prefix("Add required ")?.to_owned())).collect()
}

#[test]
fn names_that_need_quotes_get_them() {
    let mut editor = Editor::new(&modern());
    let found =
        required(&mut editor, "    one:\n      type: Shop\n      requirements: [ host: a, host: b, host: c ]\n");
    let text = "\\n      properties:\\n        name:\\n        \\\"a: b\\\":\\n        \\\"true\\\":";
    assert_eq!(found, [format!("properties: `name`, `a: b`, `true` → \"{text}\"")]);
}

#[test]
fn empty_fields_are_filled() {
    let mut editor = Editor::new(&modern());
    let given = "      type: Shop\n      requirements: [ host: a, host: b, host: c ]\n";
    for (written, text) in [
        ("properties:", "\\n        name:"),
        ("properties: # why", "\\n        name:"),
        ("properties: {}", ":\\n        name:"),
        ("properties: {} # why", ": # why\\n        name:"),
        ("properties: ~", ":\\n        name:"),
    ] {
        let found = required(&mut editor, &format!("    one:\n{given}      {written}\n"));
        assert_eq!(found.len(), 1, "{written}: {found:?}");
        assert!(found[0].contains(&format!("→ \"{text}")), "{written}: {found:?}");
    }
    let found = required(&mut editor, &format!("    one:\n{given}      properties: {{ <<: {{}} }}\n"));
    assert_eq!(found, [""; 0]);
}

#[test]
fn members_are_added_between_brackets() {
    let mut editor = Editor::new(&modern());
    let properties = "properties: { name: , \"a: b\": , \"true\": }";
    let requirements = "requirements: [ { host: }, { host: }, { host: } ]";
    for (template, expected) in [
        ("{ type: Shop }", format!("{{ type: Shop, {properties} }} {{ type: Shop, {requirements} }}")),
        (
            "{ type: Shop, properties: , requirements: [ host: a, host: b, ] }",
            format!("{{ type: Shop, {properties} , requirements: [ host: a, host: b, ] }} ")
                + "{ type: Shop, properties: , requirements: [ host: a, host: b, { host: }, ] }",
        ),
        (
            "{ type: Shop, properties: {\n  \"a: b\": x, true: y # why\n}, requirements: [ host: a, host: b, host: c ]}",
            "{ type: Shop, properties: {\n  \"a: b\": x, true: y, name: # why\n}, requirements: [ host: a, host: b, host: c ]}"
                .to_owned(),
        ),
        (
            "{ properties: {}, \"type\":Shop, requirements: ~ }",
            format!("{{ {properties}, \"type\":Shop, requirements: ~ }} {{ properties: {{}}, \"type\":Shop, {requirements} }}"),
        ),
        (
            "{ type: Shop, requirements: [ host: a, host: b, host: c ], properties }",
            format!("{{ type: Shop, requirements: [ host: a, host: b, host: c ], {properties} }}"),
        ),
    ] {
        let text = format!("{HEAD}    one: {template}\n");
        editor.open("shop.yaml", &text);
        let mut params = at(&editor, "shop.yaml", &text, "one:", 0);
        let position = params["position"].take();
        params["range"] = json!({ "start": position, "end": position });
        params["context"] = json!({ "diagnostics": [], "only": ["quickfix"] });
        let found = editor.ask("textDocument/codeAction", params);
        let added = found.as_array().unwrap().iter().filter(|action| {
            action["title"].as_str().unwrap().starts_with("Add required")
        });
        let added = added.map(|action| edited(&text, &edits_of(&action["edit"])[&editor.uri("shop.yaml")]));
        let added: Vec<String> =
            added.map(|text| text[HEAD.len() + "    one: ".len()..].trim_end().to_owned()).collect();
        assert_eq!(added.join(" "), expected);
    }
}

#[test]
fn lower_bounds_of_requirements_count() {
    let mut editor = Editor::new(&modern());
    let properties = "      properties: { name: a, 'a: b': c, \"true\": d }\n";
    let found = required(&mut editor, &format!("    one:\n      type: Shop\n{properties}"));
    let lines = "\\n        - host:".repeat(3);
    assert_eq!(found, [format!("requirements: `host`, `host`, `host` → \"\\n      requirements:{lines}\"")]);
    let some = "      requirements:\n        - host: a\n        - host: b\n";
    let found = required(&mut editor, &format!("    one:\n      type: Shop\n{properties}{some}"));
    assert_eq!(found, ["requirements: `host` → \"\\n        - host:\""]);
    let found = required(&mut editor, &format!("    one:\n      type: Shop\n{properties}{some}        - host: c\n"));
    assert_eq!(found, [""; 0]);
    // A hostile type can't demand any number of members.
    let hostile = HEAD.replace("[ 3, 5 ]", "[ 3000000000, UNBOUNDED ]");
    editor.open("hostile.yaml", &format!("{hostile}    one:\n      type: Shop\n{properties}"));
    let text = format!("{hostile}    one:\n      type: Shop\n{properties}");
    let found = actions(&mut editor, ("hostile.yaml", &text), "one:", 0);
    assert!(found.iter().all(|action| action.len() < 1000) && !found.is_empty(), "{found:?}");
}

#[test]
fn copied_and_selected_templates_need_nothing() {
    let mut editor = Editor::new(&modern());
    let whole = "    whole:
      type: Shop
      properties: { name: a, 'a: b': c, \"true\": d }
      requirements: [ host: a, host: b, host: c ]
";
    assert_eq!(required(&mut editor, &format!("    one:\n      copy: whole\n{whole}")), [""; 0]);
    let found = required(&mut editor, &format!("    one:\n      type: Shop\n      copy: whole\n{whole}"));
    assert_eq!(found, [""; 0]);
    let part = "    part:\n      type: Shop\n      properties: { name: a }\n      requirements: [ host: a ]\n";
    let found = required(&mut editor, &format!("    one:\n      type: Shop\n      copy: part\n{part}"));
    let titles: Vec<&str> = found.iter().map(|action| action.split(" →").next().unwrap()).collect();
    assert_eq!(titles, ["properties: `a: b`, `true`", "requirements: `host`, `host`"]);
    let found = required(&mut editor, "    one:\n      type: Shop\n      directives: [ select ]\n");
    assert_eq!(found, [""; 0]);
    let found = required(&mut editor, "    one:\n      type: Shop\n      directives: [ substitute ]\n");
    assert_eq!(found.len(), 2, "{found:?}");
}

/// Returns the imports that code actions and completion offer in a file for an unknown parent.
fn imports(editor: &mut Editor, file: &str, before: &str) -> Vec<String> {
    let text = format!("tosca_definitions_version: tosca_2_0\n{before}node_types:\n  A: {{ derived_from: Base }}\n");
    editor.open(file, &text);
    editor.ask("workspace/symbol", json!({ "query": "" }));
    let found = actions(editor, (file, &text), "Base", 0);
    let offered: Vec<String> = found.into_iter().filter(|action| action.starts_with("Import")).collect();
    let position = json!({ "line": 2 + before.matches('\n').count(), "character": 24 });
    let document = json!({ "textDocument": { "uri": editor.uri(file) }, "position": position });
    let list = editor.ask("textDocument/completion", document);
    let texts = list["items"].as_array().unwrap().iter().filter(|item| item["label"] == "Base");
    let texts: Vec<String> = texts.map(|item| item["additionalTextEdits"][0]["newText"].to_string()).collect();
    assert_eq!(offered.len(), texts.len(), "{offered:?} {texts:?}");
    assert!(offered.iter().all(|action| texts.iter().any(|text| action.ends_with(text))), "{offered:?} {texts:?}");
    offered
}

const BASE: &str = "tosca_definitions_version: tosca_2_0\nnode_types: { Base: {} }\n";

#[cfg(unix)]
#[test]
fn paths_of_imports_are_written_in_quotes_if_necessary() {
    for (name, written) in [
        ("types.yaml", "types.yaml"),
        ("my types.yaml", "my types.yaml"),
        ("a: b.yaml", "\\\"./a: b.yaml\\\""),
        ("a:b.yaml", "./a:b.yaml"),
        ("#1.yaml", "\\\"#1.yaml\\\""),
        ("a, b [1].yaml", "\\\"a, b [1].yaml\\\""),
        ("a\\b.yaml", "a\\\\b.yaml"),
        ("a%20b.yaml", "a%20b.yaml"),
    ] {
        let mut editor = Editor::with_files(&modern(), &[(name, BASE)]);
        let offered = imports(&mut editor, "new.yaml", "");
        let prefix = if name.starts_with("a:") { "./" } else { "" };
        assert_eq!(offered, [format!("Import `{prefix}{name}` → \"\\nimports:\\n- {written}\"")], "{name}");
        // The import works.
        let list = format!("imports:\n- {}\n", written.replace("\\\"", "\"").replace("\\\\", "\\"));
        let text = format!("tosca_definitions_version: tosca_2_0\n{list}node_types:\n  A: {{ derived_from: Base }}\n");
        editor.replace("new.yaml", &text);
        let document = json!({ "textDocument": { "uri": editor.uri("new.yaml") } });
        assert_eq!(editor.ask("textDocument/diagnostic", document)["items"], json!([]), "{name}");
        while editor.has_unread() {
            editor.next();
        }
    }
}

#[test]
fn imports_that_would_be_loops_are_not_offered() {
    let importing = |other: &str| BASE.replace("node_types", &format!("imports: [ {other} ]\nnode_types"));
    let files = [
        ("direct.yaml", importing("new.yaml")),
        ("indirect.yaml", importing("between.yaml")),
        ("between.yaml", "tosca_definitions_version: tosca_2_0\nimports: [ new.yaml ]\n".to_owned()),
        ("other.yaml", BASE.to_owned()),
        ("new.yaml", "tosca_definitions_version: tosca_2_0\n".to_owned()),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, &**text)).collect();
    let mut editor = Editor::with_files(&modern(), &files);
    let offered = imports(&mut editor, "new.yaml", "");
    assert_eq!(offered, ["Import `other.yaml` → \"\\nimports:\\n- other.yaml\""]);
}

/// Returns the text after applying the action with the given title at the nth occurrence of a word.
fn applied(editor: &mut Editor, text: &str, (word, number): (&str, usize), title: &str) -> String {
    editor.open("a.yaml", text);
    let mut params = at(editor, "a.yaml", text, word, number);
    let position = params["position"].take();
    params["range"] = json!({ "start": position, "end": position });
    params["context"] = json!({ "diagnostics": [] });
    let actions = editor.ask("textDocument/codeAction", params);
    let titles: Vec<&str> =
        actions.as_array().unwrap().iter().map(|action| action["title"].as_str().unwrap()).collect();
    let index = titles.iter().position(|known| *known == title).unwrap_or_else(|| panic!("{titles:?}"));
    let mut edits = edits_of(&actions[index]["edit"])[&editor.uri("a.yaml")].as_array().unwrap().clone();
    edits.sort_by_key(|edit| edit["range"]["start"]["line"].as_u64());
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for edit in edits.iter().rev() {
        let place = |of: &str, part: &str| usize::try_from(edit["range"][of][part].as_u64().unwrap()).unwrap();
        assert_eq!(place("start", "line"), place("end", "line"));
        lines[place("start", "line")]
            .replace_range(place("start", "character")..place("end", "character"), edit["newText"].as_str().unwrap());
    }
    lines.join("\n") + "\n"
}

const UNKNOWN: &str = "tosca_definitions_version: tosca_2_0
capability_types: { Host: {} }
relationship_types: { On: {} }
node_types:
  Server:
    properties:
      size: { type: integer }
      tags: { type: list, entry_schema: string }
    requirements: [ host: { capability: Host, relationship: On, count_range: [ 0, 1 ] } ]
service_template:
  node_templates:
    web:
      type: Server
      properties:
        size: { $get_input: size }
        tags: { $get_input: [ tags ] }
      requirements: [ host: computer ]
";

/// Returns the titles of the actions that create what the first occurrence of a word names.
fn created_at(editor: &mut Editor, text: &str, word: &str) -> Vec<String> {
    editor.replace("a.yaml", text);
    let mut params = at(editor, "a.yaml", text, word, 0);
    let position = params["position"].take();
    params["range"] = json!({ "start": position, "end": position });
    params["context"] = json!({ "diagnostics": [] });
    let actions = editor.ask("textDocument/codeAction", params);
    let titles = actions.as_array().unwrap().iter().map(|action| action["title"].as_str().unwrap().to_owned());
    titles.filter(|title| title.starts_with("Create")).collect()
}

#[test]
fn unknown_names_are_created() {
    let mut editor = Editor::new(&modern());
    let created = applied(&mut editor, UNKNOWN, ("size }", 0), "Create input `size`");
    assert_eq!(created, format!("{UNKNOWN}  inputs:\n    size:\n      type: integer\n"));
    let created = applied(&mut editor, UNKNOWN, ("tags ]", 0), "Create input `tags`");
    assert_eq!(created, format!("{UNKNOWN}  inputs:\n    tags: {{}}\n"), "the type of a list has parameters");
    let created = applied(&mut editor, UNKNOWN, ("computer", 0), "Create node template `computer`");
    assert_eq!(created, format!("{UNKNOWN}    computer:\n      type:\n"));
    // The types that fit are offered.
    let typed =
        UNKNOWN.replace("node_types:\n", "node_types:\n  Machine: { capabilities: { host: { type: Host } } }\n");
    let created = applied(&mut editor, &typed, ("computer", 0), "Create node template `computer` of type `Machine`");
    assert_eq!(created, format!("{typed}    computer:\n      type: Machine\n"));
    assert_eq!(created_at(&mut editor, &typed, "computer").len(), 1);
    // Required members are inserted as completion does, in block style and in brackets.
    let machine = "  Machine:
    properties: { cpus: { type: integer }, name: { type: string, required: false } }
    capabilities: { host: { type: Host } }
    requirements: [ rack: { capability: Host, relationship: On, count_range: [ 1, 1 ] } ]
";
    let required = UNKNOWN.replace("node_types:\n", &format!("node_types:\n{machine}"));
    let created = applied(&mut editor, &required, ("computer", 0), "Create node template `computer` of type `Machine`");
    let members = "      properties:\n        cpus:\n      requirements:\n        - rack:\n";
    assert_eq!(created, format!("{required}    computer:\n      type: Machine\n{members}"));
    let many: Vec<String> = (0..9).map(|number| format!("  M{number}: {{ derived_from: Machine }}\n")).collect();
    let typed = typed.replace("node_types:\n", &format!("node_types:\n{}", many.concat()));
    let created = created_at(&mut editor, &typed, "computer");
    assert_eq!((created.len(), created.last().map(String::as_str)), (6, Some("Create node template `computer`")));
    // In an existing map: in block style, in brackets, and empty.
    let with =
        |inputs: &str| UNKNOWN.replace("service_template:\n", &format!("service_template:\n  inputs:{inputs}\n"));
    for (before, after) in [
        ("\n    a: { type: string }", "\n    a: { type: string }\n    size:\n      type: integer"),
        (" { a: { type: string } }", " { a: { type: string }, size: { type: integer } }"),
        (" {}", "\n    size:\n      type: integer"),
        ("", "\n    size:\n      type: integer"),
    ] {
        let created = applied(&mut editor, &with(before), ("size }", 0), "Create input `size`");
        assert_eq!(created, with(after));
        editor.replace("a.yaml", &created);
        let document = json!({ "textDocument": { "uri": editor.uri("a.yaml") } });
        let problems = editor.ask("textDocument/diagnostic", document)["items"].to_string();
        assert!(!problems.contains("no input `size`"), "{problems}");
    }
    let created =
        applied(&mut editor, &UNKNOWN.replace("type: Server", "type: Disk"), ("Disk", 0), "Create node type `Disk`");
    assert!(created.contains("count_range: [ 0, 1 ] } ]\n  Disk: {}\nservice_template"), "{created}");
    let text = UNKNOWN.replace("size: { $get_input: size }", "color: red");
    let title = "Create property definition `color` in node type `Server`";
    let created = applied(&mut editor, &text, ("color", 0), title);
    let added = "entry_schema: string }\n      color:\n        type: string\n    requirements";
    assert_eq!(created, text.replace("entry_schema: string }\n    requirements", added));
    // Names that are known or have a prefix are not created.
    for (text, word) in [(UNKNOWN.to_owned(), "Server\n"), (UNKNOWN.replace("type: Server", "type: p:Disk"), "p:Disk")]
    {
        editor.open("a.yaml", &text);
        let found = actions(&mut editor, ("a.yaml", &text), word, 0);
        assert!(!found.iter().any(|action| action.starts_with("Create")), "{found:?}");
    }
}

#[test]
fn a_limited_number_of_unknown_names_is_created() {
    let mut editor = Editor::new(&modern());
    let mut created = |number: usize| {
        let types: Vec<String> =
            (0..number).map(|number| format!("  T{number}: {{ derived_from: X{number} }}\n")).collect();
        let text = format!("tosca_definitions_version: tosca_2_0\nnode_types:\n{}", types.concat());
        editor.open("a.yaml", &text);
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": number + 2, "character": 0 } });
        let document = json!({ "uri": editor.uri("a.yaml") });
        let params = json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } });
        let actions = editor.ask("textDocument/codeAction", params);
        let actions = actions.as_array().unwrap().iter();
        actions.filter(|action| action["title"].as_str().unwrap().starts_with("Create")).count()
    };
    assert_eq!((created(100), created(300)), (100, 100));
}

#[test]
fn all_problems_of_a_rule_are_fixed() {
    let mut editor = Editor::new(&modern());
    let text = "tosca_definitions_version: tosca_2_0
node_types:
  A: { descripton: x }
  B: { descripton: x, derived_fom: A }
";
    let title = "Fix all `unknown-keyname` in this file (3)";
    let fixed = applied(&mut editor, text, ("descripton", 0), title);
    assert_eq!(fixed.matches("description: x").count(), 2, "{fixed}");
    assert!(fixed.contains("derived_from: A"), "{fixed}");
    let mut kinds = |only: Value| {
        let range = json!({ "start": { "line": 2, "character": 8 }, "end": { "line": 2, "character": 8 } });
        let document = json!({ "uri": editor.uri("a.yaml") });
        let context = json!({ "diagnostics": [], "only": only });
        let params = json!({ "textDocument": document, "range": range, "context": context });
        let actions = editor.ask("textDocument/codeAction", params);
        let kinds = actions.as_array().unwrap().iter().map(|action| action["kind"].as_str().unwrap().to_owned());
        kinds.collect::<std::collections::BTreeSet<String>>().into_iter().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(kinds(json!(["quickfix"])), "quickfix");
    assert_eq!(kinds(json!(["source"])), "source.fixAll");
    assert_eq!(kinds(json!(["quickfix", "source.fixAll"])), "quickfix source.fixAll");
    assert_eq!(kinds(json!(["refactor", "source.fixAllThings"])), "");
    let one = text.replace("  B: { descripton: x, derived_fom: A }\n", "");
    editor.replace("a.yaml", &one);
    let found = actions(&mut editor, ("a.yaml", &one), "descripton", 0);
    assert!(!found.iter().any(|action| action.starts_with("Fix all")), "{found:?}");
    let found = actions(&mut editor, ("a.yaml", &one), "node_types", 0);
    assert!(!found.iter().any(|action| action.starts_with("Fix all")), "{found:?}");
}

#[test]
fn syntax_errors_are_not_ignored() {
    let mut editor = Editor::new(&modern());
    let text = "tosca_definitions_version: tosca_2_0\ndescription: Portal: the front end\nmetadta: {}\n";
    let ignoring = |editor: &mut Editor, word: &str| {
        editor.open("a.yaml", text);
        let found = actions(editor, ("a.yaml", text), word, 0);
        found.into_iter().filter(|title| title.starts_with("Ignore")).collect::<Vec<_>>()
    };
    // The comment would become a part of the string.
    assert_eq!(ignoring(&mut editor, ": the front"), [""; 0]);
    assert_eq!(ignoring(&mut editor, "metadta").len(), 1);
}

#[test]
fn problems_on_a_line_are_ignored_once() {
    let mut editor = Editor::new(&modern());
    let text = "tosca_definitions_version: tosca_2_0\nnode_types: { A: { lable: x, lible: y } }\n";
    editor.open("a.yaml", text);
    let line = json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": 40 } });
    let document = json!({ "uri": editor.uri("a.yaml") });
    let asked = json!({ "textDocument": document, "range": line, "context": { "diagnostics": [] } });
    let found = editor.ask("textDocument/codeAction", asked);
    let ignoring =
        found.as_array().unwrap().iter().filter(|action| action["title"] == json!("Ignore T1201 on this line"));
    let counts: Vec<usize> = ignoring.map(|action| action["diagnostics"].as_array().unwrap().len()).collect();
    assert_eq!(counts, [2], "{found}");
}

/// Returns the results of all quick fixes at a word of a JSON document, with their titles.
fn fixed_json(text: &str, word: &str) -> Vec<(String, String)> {
    let mut editor = Editor::new(&modern());
    editor.open("a.json", text);
    let mut params = at(&editor, "a.json", text, word, 0);
    let position = params["position"].take();
    params["range"] = json!({ "start": position, "end": position });
    params["context"] = json!({ "diagnostics": [] });
    let found = editor.ask("textDocument/codeAction", params);
    let result = |action: &Value| {
        assert!(action["edit"]["documentChanges"][0]["textDocument"]["version"].is_number(), "{action}");
        let title = action["title"].as_str().unwrap().to_owned();
        (title, edited(text, &edits_of(&action["edit"])[&editor.uri("a.json")]))
    };
    found.as_array().unwrap().iter().map(result).collect()
}

#[test]
fn documents_in_json_stay_json() {
    let start = "{\"tosca_definitions_version\": \"tosca_2_0\", \"node_types\": {\"T\": {\"properties\": \
                 {\"a\": {\"type\": \"string\"}}}}, \"service_template\": {\"node_templates\": {\"n\": ";
    for (template, word, title) in [
        ("{\"type\": \"T\"}", "n\": {\"type\": \"T\"", "Add required properties: `a`"),
        ("{\"type\": \"T\", \"properties\": {}}", "n\": {\"type\": \"T\"", "Add required properties: `a`"),
        ("{\"type\": \"T\", \"properties\": {\"a\": {\"$get_input\": \"i\"}}}", "i\"}", "Create input `i`"),
        ("{\"type\": \"T\", \"properties\": {\"a\": \"x\"}}", "x\"", "Extract to input `a`"),
    ] {
        let text = format!("{start}{template}}}}}}}");
        let found = fixed_json(&text, word);
        let results = found.iter().filter(|(known, _)| known == title);
        assert_eq!(results.count(), 1, "{template}: {found:?}");
        for (title, text) in found {
            let read: Result<Value, _> = serde_json::from_str(&text);
            assert!(read.is_ok(), "{title}: {text}");
        }
    }
}

#[test]
fn keywords_of_paths_are_not_created() {
    let mut editor = Editor::new(&modern());
    for (name, is_offered) in [("SELF", false), ("TARGET", false), ("other", true)] {
        let text = format!(
            "tosca_definitions_version: tosca_2_0\nnode_types: {{ T: {{ properties: {{ a: {{ type: string }} }} }} }}\n\
             service_template:\n  node_templates:\n    n: {{ type: T, properties: {{ a: {{ $get_property: [ {name}, b ] }} }} }}\n"
        );
        editor.open("a.yaml", &text);
        let found = actions(&mut editor, ("a.yaml", &text), &format!("{name}, b"), 0);
        let title = format!("Create node template `{name}`");
        assert_eq!(found.iter().any(|action| action.starts_with(&title)), is_offered, "{found:?}");
    }
}
