//! Tests of properties that hold for any text.

use std::fmt::Write;

use proptest::prelude::*;
use serde_json::{Map, Number, Value};

use super::{check_places, is_as_written, read_any, value};
use crate::ard::decode;
use crate::diagnostic::SourceId;

/// Generates arbitrary trees of maps, lists and scalars.
fn tree() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_filter_map("finite", |float| Number::from_f64(float).map(Value::from)),
        text().prop_map(Value::from),
    ];
    scalar.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(text(), inner, 0..6).prop_map(|map| Value::from(Map::from_iter(map))),
        ]
    })
}

/// Generates arbitrary strings that YAML can represent, often ones that look like other types.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{1,8}",
        prop::sample::select(vec![
            "", "~", "true", "1", "1.5", "- a", "a: b", "#", "<<", "[", "'", "a\nb", " x ", "\t", "?"
        ])
        .prop_map(String::from),
        "[ -~\u{e4}\u{20ac}\u{1f600}\n]{0,20}",
    ]
}

/// Writes a tree as block YAML, indented below a parent with the given indentation.
fn to_yaml(value: &Value, indent: usize, yaml: &mut String) {
    let blanks = " ".repeat(indent);
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                write!(yaml, "\n{blanks}? {}\n{blanks}:", Value::from(key.as_str())).unwrap();
                to_yaml(value, indent + 2, yaml);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                write!(yaml, "\n{blanks}-").unwrap();
                to_yaml(item, indent + 1, yaml);
            }
        }
        Value::String(text) if is_block_text(text) => {
            yaml.push_str(" |-");
            for line in text.split('\n') {
                write!(yaml, "\n {blanks}{line}").unwrap();
            }
        }
        Value::String(text) if !text.contains('\n') => write!(yaml, " '{}'", text.replace('\'', "''")).unwrap(),
        other => write!(yaml, " {other}").unwrap(),
    }
}

fn is_block_text(text: &str) -> bool {
    text.contains('\n')
        && text.lines().all(|line| line.starts_with(|next: char| next.is_alphanumeric()))
        && !text.ends_with('\n')
}

/// Generates random sequences of tokens that have a meaning in YAML.
fn soup() -> impl Strategy<Value = String> {
    let pieces = vec![
        "a",
        "b",
        "'c'",
        "\"d\"",
        "1",
        ":",
        ": ",
        "- ",
        "-",
        "? ",
        ", ",
        "[",
        "]",
        "{",
        "}",
        "\n",
        "\n  ",
        "\n    ",
        "\t",
        " ",
        "&x ",
        "*x",
        "*y ",
        "<<: ",
        "!!str ",
        "!t ",
        "|",
        ">",
        "|2-\n",
        "# c",
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "\r\n",
        "ä",
        "\u{FEFF}",
        "\u{85}",
        "\0",
        "~",
        "'",
        "\"",
        "\\",
        "null",
        "@",
        "`",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..40).prop_map(|pieces| pieces.concat())
}

fn check_any(text: &str) {
    let (document, problems) = read_any(text);
    check_places(&document);
    assert!(document.is_complete() || !problems.is_empty());
    let syntax =
        problems.iter().filter(|problem| ["yaml-syntax", "nesting-too-deep"].contains(&problem.rule.name)).count();
    // A document can go on after a marker in its middle.
    let has_marker = problems.iter().any(|problem| problem.rule.name == "several-documents");
    assert!(is_as_written(&document) == (syntax == 0) || syntax == 0 && has_marker, "{text:?}");
    for problem in &problems {
        for span in problem.related.iter().map(|related| related.span).chain([problem.span]) {
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "{text:?}: {problem:?}");
        }
        assert!(!problem.message.is_empty() && !problem.message.contains('\n'));
    }
    assert!(problems.is_sorted_by_key(|problem| problem.span.start));
    for node in document.nodes() {
        assert_eq!(node.len(), node.entries().count() + node.items().count());
        assert!(node.entries().all(|entry| entry.key.symbol().is_none() || node.find(entry.key.text()).is_some()));
    }
    serde_json::to_string(&document.root()).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_ends_without_panic(text in any::<String>()) {
        check_any(&text);
    }

    #[test]
    fn any_pieces_of_yaml_end_without_panic(text in soup()) {
        check_any(&text);
    }

    #[test]
    fn any_bytes_end_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let (text, problem) = decode(SourceId(0), bytes);
        prop_assert!(problem.is_none_or(|problem| problem.span.end as usize == text.len()));
        check_any(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_tree_written_as_json_reads_back_equal(tree in tree()) {
        for text in [tree.to_string(), serde_json::to_string_pretty(&tree).unwrap()] {
            let (document, problems) = read_any(&text);
            prop_assert_eq!(problems, []);
            check_places(&document);
            prop_assert_eq!(&value(&document), &tree);
        }
    }

    #[test]
    fn a_tree_written_as_yaml_reads_back_equal(tree in tree()) {
        let mut yaml = String::from("---");
        to_yaml(&tree, 0, &mut yaml);
        let (document, problems) = read_any(&yaml);
        prop_assert_eq!(problems, [], "{}", yaml);
        check_places(&document);
        prop_assert_eq!(&value(&document), &tree, "{}", yaml);
    }
}
