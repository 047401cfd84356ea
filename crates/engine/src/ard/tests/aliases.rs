//! Tests of anchors, aliases and merges.

use serde_json::json;

use super::{Kind, Style, at, check_places, read_any, read_valid, read_wrong, slice, value};

#[test]
fn an_alias_shows_the_anchored_node() {
    let document = read_valid("a: &x {b: [1, two]}\nc: *x\nd: &y 'text'\ne: *y\n");
    let (anchored, alias) = (at(&document, &["a"]), at(&document, &["c"]));
    assert!(anchored.has_anchor() && !anchored.is_alias());
    assert!(alias.is_alias() && !alias.has_anchor());
    assert_ne!(alias.id(), anchored.id());
    assert_eq!((alias.kind(), alias.style(), alias.len()), (Kind::Map, Style::Flow, 1));
    assert_eq!(at(&document, &["c", "b", "1"]).id(), at(&document, &["a", "b", "1"]).id());
    assert_eq!(at(&document, &["e"]).text(), "text");
    assert_eq!(at(&document, &["e"]).style(), Style::SingleQuoted);
    assert_eq!(value(&document)["c"], value(&document)["a"]);
}

#[test]
fn the_last_anchor_of_a_name_counts() {
    let document = read_valid("- &x 1\n- *x\n- &x 2\n- *x\n- &y [&y 3, *y]\n- *y\n");
    assert_eq!(value(&document), json!([1, 1, 2, 2, [3, 3], 3]));
}

#[test]
fn aliases_can_be_keys() {
    let document = read_valid("- &k name\n- &l [1]\n- {*k : a, *l : b}\n");
    assert_eq!(document.root().unwrap().items().nth(2).unwrap().find("name").unwrap().value.text(), "a");
}

#[test]
fn tags_are_those_of_the_anchored_node() {
    let document = read_valid("- &x !!str 1\n- *x\n");
    assert_eq!(at(&document, &["1"]).tag(), Some("tag:yaml.org,2002:str"));
    assert_eq!(at(&document, &["1"]).kind(), Kind::String);
}

#[test]
fn undefined_aliases_are_reported_with_a_similar_name() {
    let (document, problem) = read_wrong("a: &defaults 1\nb: &other 2\nc: *default\nd: 3\n");
    assert_eq!(problem.rule.name, "undefined-alias");
    assert_eq!(problem.message, "the alias `*default` has no anchor before it");
    assert_eq!(slice(&document, problem.span), "*default");
    assert_eq!(problem.help, ["did you mean `*defaults`?"]);
    assert_eq!(slice(&document, problem.related[0].span), "&defaults");
    assert!(at(&document, &["c"]).is_placeholder());
    assert_eq!(value(&document), json!({"a": 1, "b": 2, "c": null, "d": 3}));
    assert_eq!(at(&document, &["c"]).text(), "");
}

#[test]
fn anchors_after_an_alias_do_not_count() {
    let (_, problem) = read_wrong("a: *x\nb: &x 1\n");
    assert_eq!(problem.rule.name, "undefined-alias");
    assert_eq!(problem.help, ["put an anchor (`&name`) before the intended node, further up in this file"]);
}

#[test]
fn an_alias_cannot_be_inside_its_anchor() {
    let (document, problem) = read_wrong("a: &x\n  b: [*x]\nc: *x\n");
    assert_eq!(problem.rule.name, "recursive-alias");
    assert_eq!(slice(&document, problem.span), "*x");
    assert_eq!(slice(&document, problem.related[0].span), "&x");
    assert_eq!(value(&document), json!({"a": {"b": [null]}, "c": {"b": [null]}}));
}

#[test]
fn merges_add_missing_keys() {
    let document = read_valid("base: &base {a: 1, b: 2}\nmap:\n  b: 3\n  <<: *base\n  c: 4\n");
    check_places(&document);
    let map = at(&document, &["map"]);
    let entries: Vec<_> = map.entries().map(|entry| (entry.key.text(), entry.value.text(), entry.merged)).collect();
    assert_eq!(entries, [("b", "3", false), ("c", "4", false), ("a", "1", true)]);
    assert_eq!(map.len(), 3);
    assert!(map.find("<<").is_none());
    assert_eq!(map.find("a").unwrap().value.id(), at(&document, &["base", "a"]).id());
}

#[test]
fn the_first_of_several_merged_maps_takes_precedence() {
    let document = read_valid("- &a {x: 1, y: 1}\n- &b {y: 2, z: 2}\n- <<: [*a, *b, {z: 3, w: 3}]\n");
    assert_eq!(value(&document)[2], json!({"x": 1, "y": 1, "z": 2, "w": 3}));
}

#[test]
fn merges_of_merges() {
    let document = read_valid("- &a {x: 1, y: 1}\n- &b {<<: *a, y: 2, z: 2}\n- &c {z: 3, <<: *b}\n- *c\n");
    assert_eq!(value(&document)[2], json!({"z": 3, "y": 2, "x": 1}));
    assert_eq!(value(&document)[3], value(&document)[2]);
    assert_eq!(at(&document, &["3"]).len(), 3);
    let nested = read_valid("<<: {<<: {a: 1, b: 1}, b: 2}\nc: 3\n");
    assert_eq!(value(&nested), json!({"c": 3, "b": 2, "a": 1}));
}

#[test]
fn merged_keys_are_compared_as_nodes() {
    let document = read_valid("- &a {1: int, '1': text, [k]: list}\n- {0x1: own, <<: *a}\n");
    let map = at(&document, &["1"]);
    let values: Vec<_> = map.entries().map(|entry| entry.value.text()).collect();
    assert_eq!(values, ["own", "text", "list"]);
}

#[test]
fn a_quoted_merge_key_is_an_ordinary_key() {
    let document = read_valid("'<<': 1\n\"a\": 2\n");
    assert_eq!(value(&document), json!({"<<": 1, "a": 2}));
    assert_eq!(value(&read_valid("!!str <<: 1")), json!({"<<": 1}));
    assert_eq!(value(&read_valid("[<<, {a: <<}]")), json!(["<<", {"a": "<<"}]));
}

#[test]
fn a_merge_holds_maps() {
    for (text, wrong) in [
        ("<<: 1\na: 2", "1"),
        ("<<:\na: 2", ""),
        ("<<: [{b: 1}, [x]]\na: 2", "[x]"),
        ("x: &x text\n<<: *x\na: 2", "*x"),
        ("x: &x [y, z]\n<<: *x\na: 2", "*x"),
    ] {
        let (document, problem) = read_wrong(text);
        assert_eq!(problem.rule.name, "invalid-merge", "{text}");
        assert_eq!(slice(&document, problem.span), wrong, "{text}");
        assert_eq!(at(&document, &["a"]).text(), "2");
        assert!(document.root().unwrap().find("<<").is_none());
    }
    let (_, problem) = read_wrong("<<: *nowhere\na: 2");
    assert_eq!(problem.rule.name, "undefined-alias");
}

#[test]
fn a_second_merge_key_is_a_duplicate_but_has_effect() {
    let (document, problem) = read_wrong("a: {x: 1, <<: {y: 1}, '<<': 0, <<: {y: 2, z: 2}}");
    assert_eq!(problem.rule.name, "duplicate-key");
    assert_eq!(problem.help.len(), 1);
    assert_eq!(value(&document)["a"], json!({"x": 1, "<<": 0, "y": 1, "z": 2}));
}

#[test]
fn merging_a_map_into_itself_is_recursive() {
    let (document, problems) = read_any("a: &a\n  b: 1\n  <<: *a\n");
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].rule.name, "recursive-alias");
    assert_eq!(value(&document), json!({"a": {"b": 1}}));
}
