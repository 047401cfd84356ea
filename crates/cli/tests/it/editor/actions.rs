//! Code actions that add what is missing.

use serde_json::json;

use super::asks::actions;
use super::client::{Editor, modern};

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

/// The text of a node template, and the titles and new texts of its actions that add required members.
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
        ("properties: ~", ":\\n        name:"),
    ] {
        let found = required(&mut editor, &format!("    one:\n{given}      {written}\n"));
        assert_eq!(found.len(), 1, "{written}: {found:?}");
        assert!(found[0].contains(&format!("→ \"{text}")), "{written}: {found:?}");
    }
    let found = required(&mut editor, &format!("    one:\n{given}      properties: {{ name: x }}\n"));
    assert_eq!(found, [""; 0], "lines don't fit in brackets");
    let found = required(&mut editor, &format!("    one:\n{given}      properties: {{ <<: {{}} }}\n"));
    assert_eq!(found, [""; 0]);
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
    // The number is not that of a hostile type.
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

/// The imports that are offered in a file for an unknown parent, by action and by completion, when the workspace has
/// other files.
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
