//! Tests of the results of reading valid sources.

use serde_json::json;

use super::{Kind, Options, Style, at, read_any, read_valid, read_with, slice, value};
use crate::ard::{Dialect, Documents, Schema, Tags, read};
use crate::diagnostic::SourceId;
use crate::symbol::Interner;

#[test]
fn block_and_flow_collections() {
    let document = read_valid("a: 1\nb:\n- x\n-   y: [z, {w: 0}]\n    v: ~\nc: {}\nd: []\n");
    assert_eq!(value(&document), json!({"a": 1, "b": ["x", {"y": ["z", {"w": 0}], "v": null}], "c": {}, "d": []}));
    assert_eq!(at(&document, &["b"]).style(), Style::Block);
    assert_eq!(at(&document, &["b", "1", "y"]).style(), Style::Flow);
    assert_eq!(document.len(), 19);
}

#[test]
fn json_is_yaml() {
    let text = r#"{"a": [1, -2.5e3, true, null, "x\n\u00e9\ud83d\ude00"], "b": {"": {}}}"#;
    let expected: serde_json::Value = serde_json::from_str(text).unwrap();
    assert_eq!(value(&read_valid(text)), expected);
}

#[test]
fn scalars_keep_their_text_and_style() {
    let document =
        read_valid("- False\n- 1.10\n- 'it''s'\n- \"a\\tb\"\n- |\n  l1\n   l2\n- >-\n  f1\n  f2\n- a\n  b\n-\n");
    let items: Vec<_> = document.root().unwrap().items().collect();
    let found: Vec<_> = items.iter().map(|item| (item.text(), item.kind(), item.style())).collect();
    assert_eq!(
        found,
        [
            ("False", Kind::Boolean, Style::Plain),
            ("1.10", Kind::Float, Style::Plain),
            ("it's", Kind::String, Style::SingleQuoted),
            ("a\tb", Kind::String, Style::DoubleQuoted),
            ("l1\n l2\n", Kind::String, Style::Literal),
            ("f1 f2", Kind::String, Style::Folded),
            ("a b", Kind::String, Style::Plain),
            ("", Kind::Null, Style::Plain),
        ]
    );
    assert_eq!(items[0].as_bool(), Some(false));
    assert_eq!(items[1].as_float(), Some(1.1));
    assert_eq!((items[1].as_integer(), items[1].as_bool()), (None, None));
    assert_eq!(items[2].as_float(), None);
}

#[test]
fn only_plain_scalars_are_typed() {
    let document = read_valid("[true, 'true', \"true\", 1, '1', ~, '~', '']");
    assert_eq!(value(&document), json!([true, "true", "true", 1, "1", null, "~", ""]));
    assert_eq!(value(&read_valid("- |-\n  1\n- >-\n  1\n")), json!(["1", "1"]));
}

#[test]
fn empty_text_is_a_document_without_root() {
    for text in ["", "\n", "# only a comment\n", "   \n"] {
        let document = read_valid(text);
        assert!(document.root().is_none() && document.is_empty(), "{text:?}");
    }
    for text in ["---", "--- ~", "---\n...\n"] {
        assert_eq!(read_valid(text).root().unwrap().kind(), Kind::Null, "{text:?}");
    }
}

#[test]
fn line_ends_of_all_kinds() {
    for text in ["a: 1\nb:\n  - c\n  - |\n    d\n", "a: 1\nb:\n  - c\n  - |\n    d"] {
        for ends in ["\n", "\r\n", "\r"] {
            let document = read_valid(&text.replace('\n', ends));
            assert_eq!(value(&document), json!({"a": 1, "b": ["c", "d\n"]}), "{text:?} {ends:?}");
        }
    }
}

#[test]
fn keys_need_not_be_strings() {
    let document = read_valid("1: a\ntrue: b\n~: c\n1.5: d\n[service, 2]: e\n{k: v}: f\n? - x\n: g\n");
    let keys: Vec<_> = document.root().unwrap().entries().map(|entry| entry.key.kind()).collect();
    let expected = [Kind::Integer, Kind::Boolean, Kind::Null, Kind::Float, Kind::List, Kind::Map, Kind::List];
    assert_eq!(keys, expected);
    assert_eq!(
        value(&document),
        json!({"1": "a", "true": "b", "~": "c", "1.5": "d", "[service, 2]": "e", "{k: v}": "f", "[x]": "g"})
    );
}

#[test]
fn keys_have_symbols() {
    let interner = Interner::new();
    let host = interner.intern("host");
    let text = "host: host\n'host ': 1\n\"p\\u006frt\": 2\n3: 4\n[x]: 5\n";
    let (document, _) = read(SourceId(0), text.into(), &interner, &Options::default());
    let root = document.root().unwrap();
    assert_eq!(root.get(host).unwrap().value.text(), "host");
    assert_eq!(root.get(interner.get("port").unwrap()).unwrap().value.text(), "2");
    assert_eq!(root.get(interner.intern("absent")).map(|entry| entry.key.text()), None);
    let symbols: Vec<_> = root.entries().map(|entry| entry.key.symbol().map(|symbol| interner.text(symbol))).collect();
    assert_eq!(symbols, [Some("host"), Some("host "), Some("port"), Some("3"), None]);
    assert!(root.entries().all(|entry| entry.value.symbol().is_none()));
}

#[test]
fn entries_and_items_are_counted() {
    let document = read_valid("a: {b: 1, c: 2}\nd: [1, 2, 3]\n");
    let root = document.root().unwrap();
    assert_eq!((root.len(), at(&document, &["a"]).len(), at(&document, &["d"]).len()), (2, 2, 3));
    let items = at(&document, &["d"]).items();
    assert_eq!(items.clone().count(), 3);
    assert_eq!(at(&document, &["a"]).items().count(), 0);
    assert_eq!(at(&document, &["d"]).entries().count(), 0);
    assert!(at(&document, &["a", "b"]).is_empty());
}

#[test]
fn nodes_are_numbered_in_order() {
    let document = read_valid("a: [b, c]\nd: e\n");
    let texts: Vec<_> = document.nodes().map(super::Node::text).collect();
    assert_eq!(texts, ["", "a", "", "b", "c", "d", "e"]);
    assert!(document.nodes().enumerate().all(|(number, node)| node.id().index() == number));
}

#[test]
fn core_tags_decide_the_kind() {
    use Kind::{Boolean, Float, Integer, List, Map, Null, String};
    let text = "[!!str 1, !!int '2', !!float 3, !!null '', !!bool 'true', ! 4, !!str, !!seq [], !!map {}, ! [5]]";
    let document = read_valid(text);
    let kinds: Vec<_> = document.root().unwrap().items().map(super::Node::kind).collect();
    assert_eq!(kinds, [String, Integer, Float, Null, Boolean, String, String, List, Map, List]);
    assert_eq!(value(&document), json!(["1", 2, 3.0, null, true, "4", "", [], {}, [5]]));
}

#[test]
fn tags_are_resolved() {
    let text = "%TAG !e! tag:example.com,2000:\n---\n[!!str a, !local b, !e!app c, !<tag:x> d, ! e, f]";
    let (document, problems) =
        read_with(text, &Options { dialect: Dialect { tags: Tags::Any, ..Dialect::CORE }, ..Options::default() });
    assert_eq!(problems, []);
    let tags: Vec<_> = document.root().unwrap().items().map(super::Node::tag).collect();
    let expected = ["tag:yaml.org,2002:str", "!local", "tag:example.com,2000:app", "tag:x", "!"];
    assert_eq!(tags[..5], expected.map(Some));
    assert_eq!(tags[5], None);
}

#[test]
fn other_tags_are_allowed_if_configured() {
    let options = Options { dialect: Dialect { tags: Tags::Any, ..Dialect::CORE }, ..Options::default() };
    let (document, problems) = read_with("a: !num 1\nb: !!set {x: }\nc: !!binary aGk=\n", &options);
    assert_eq!(problems, []);
    assert_eq!(value(&document), json!({"a": 1, "b": {"x": null}, "c": "aGk="}));
}

#[test]
fn large_integers_are_not_lost() {
    let document = read_valid("[9223372036854775807, 18446744073709551615, 170141183460469231731687303715884105728]");
    assert_eq!(
        serde_json::to_string(&document.root()).unwrap(),
        "[9223372036854775807,18446744073709551615,\"170141183460469231731687303715884105728\"]"
    );
    let large = read_valid("36893488147419103232");
    assert_eq!(large.root().unwrap().as_integer(), Some(1 << 65));
    assert_eq!(serde_json::to_string(&large.root()).unwrap(), "36893488147419103232");
}

#[test]
fn comments_are_remembered() {
    let document = read_valid("# ä\na: 1 # b\n# c\nd: |  # e\n  # text\nf: '# g'\n#\n");
    let comments: Vec<_> =
        document.comments().iter().map(|place| &document.text()[place.start as usize..place.end as usize]).collect();
    assert_eq!(comments, ["# ä", "# b", "# c", "# e", "#"]);
}

#[test]
fn many_comments_above_a_value_are_allowed() {
    let text = format!("a:\n{}  b: 1\n", "  # comment\n".repeat(1000));
    assert_eq!(value(&read_valid(&text)), json!({"a": {"b": 1}}));
}

#[test]
fn byte_order_mark_is_not_part_of_the_text() {
    let document = read_valid("\u{FEFF}a: 1\n");
    assert_eq!(value(&document), json!({"a": 1}));
    assert_eq!(slice(&document, at(&document, &["a"]).span()), "1");
}

#[test]
fn the_document_describes_itself() {
    let document = read_valid("a: [1, {b: 2}]\n");
    assert_eq!(document.source(), SourceId(7));
    assert_eq!(document.text(), "a: [1, {b: 2}]\n");
    assert_eq!(format!("{document:?}"), "Document(SourceId(7), 7 nodes)");
    assert_eq!(format!("{:?}", document.root().unwrap()), "Node(0 Map 0..14 {a: [1, {b: 2}]})");
    assert_eq!(at(&document, &["a"]).label(), "[1, {b: 2}]");
}

#[test]
fn documents_can_be_shared_by_threads() {
    fn is_shareable<T: Send + Sync>(_: &T) -> bool {
        true
    }
    assert!(is_shareable(&read_valid("a: 1")));
}

#[test]
fn reading_continues_after_a_problem_that_is_not_syntax() {
    let (document, problems) = read_any("a: 1\na: 2\nb: *x\nc: !t 3\n");
    assert_eq!(
        problems.iter().map(|problem| problem.rule.name).collect::<Vec<_>>(),
        ["duplicate-key", "undefined-alias", "refused-tag"]
    );
    assert!(document.is_complete());
    assert_eq!(value(&document), json!({"a": 1, "b": null, "c": 3}));
}

#[test]
fn all_documents_are_a_list() {
    let options = Options { dialect: Dialect { documents: Documents::All, ..Dialect::CORE }, ..Options::default() };
    let shown = |text: &str| {
        let (document, problems) = read_with(text, &options);
        assert!(problems.is_empty(), "{problems:?}");
        document.root().map(|root| serde_json::to_string(&root).unwrap())
    };
    assert_eq!(shown("a: 1\n---\n---\nb: &x 2\nc: *x\n").as_deref(), Some(r#"[{"a":1},{"b":2,"c":2}]"#));
    assert_eq!(shown("- 1\n").as_deref(), Some("[[1]]"));
    assert_eq!(shown("# nothing\n---\n"), None);
    assert_eq!(shown(""), None);
    let (document, problems) = read_with("a: 1\n---\nb: [\n", &options);
    assert_eq!((problems.len(), document.is_complete()), (1, false));
    assert_eq!(document.root().unwrap().items().next().unwrap().find("a").unwrap().value.text(), "1");
}

#[test]
fn the_types_of_yaml_1_1_are_read_if_configured() {
    let options = Options { dialect: Dialect { schema: Schema::Yaml11, ..Dialect::CORE }, ..Options::default() };
    let (document, problems) = read_with("[ yes, off, 010, 1:30, 1.5, '1', 1e3 ]", &options);
    assert!(problems.is_empty());
    let root = document.root().unwrap();
    let kinds: Vec<Kind> = root.items().map(super::Node::kind).collect();
    let (boolean, integer) = (Kind::Boolean, Kind::Integer);
    assert_eq!(kinds, [boolean, boolean, integer, integer, Kind::Float, Kind::String, Kind::String]);
    assert_eq!(root.items().filter_map(super::Node::as_bool).collect::<Vec<_>>(), [true, false]);
    assert_eq!(root.items().filter_map(super::Node::as_integer).collect::<Vec<_>>(), [8, 90]);
}
