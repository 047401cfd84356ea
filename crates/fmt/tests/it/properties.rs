//! Tests of properties that hold for any text.

use proptest::prelude::*;
use proptest::sample::select;

use tosca_parse_fmt::{Failure, Options, format, format_range};

/// Pieces of YAML from which documents are assembled.
const PIECES: &[&str] = &[
    "a",
    "b",
    "key: ",
    "k:",
    ": ",
    "- ",
    "-",
    "? ",
    "\n",
    "\n  ",
    "\n    ",
    "\n      ",
    "\n\n",
    "# c",
    " # c",
    " ",
    "  ",
    "[",
    "]",
    "{",
    "}",
    ",",
    ", ",
    "&x ",
    "*x ",
    "!t ",
    "!!str ",
    "'q'",
    "\"d\\n\"",
    "'",
    "\"",
    "|\n",
    ">-\n",
    "|+\n",
    "|2\n",
    "\t",
    "---",
    "\n---\n",
    "\n...\n",
    "%YAML 1.2\n",
    "\r\n",
    "é",
    "\n# fmt: off\n",
    "\n# fmt: on\n",
    " # fmt: skip\n",
    "<<: ",
];

/// A value, written in some style.
#[derive(Clone, Debug)]
enum Value {
    Scalar(&'static str),
    Text(&'static str, Vec<&'static str>),
    Map(Vec<(&'static str, Self)>, usize),
    List(Vec<Self>, usize),
    Flow(Vec<&'static str>, bool),
}

fn values() -> impl Strategy<Value = Value> {
    let scalars = vec!["1", "text", "two words", "'q'", "\"d\"", "", "~", "one\n~ two", "*a", "!t x", "'x\n\n~ y'"];
    let lines = vec!["one", "", "  two", "three # four", "- five"];
    let leaf = prop_oneof![
        select(scalars).prop_map(Value::Scalar),
        (select(vec!["|", ">", "|-", "|+", ">2"]), prop::collection::vec(select(lines), 1..4))
            .prop_map(|(header, lines)| Value::Text(header, lines)),
        (prop::collection::vec(select(vec!["a", "'b'", "[c]", "{d: e}", "f: g"]), 0..4), any::<bool>())
            .prop_map(|(items, is_long)| Value::Flow(items, is_long)),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let keys = select(vec!["a", "b", "c :", "'d'", "? e", "&f g"]);
        prop_oneof![
            (prop::collection::vec((keys, inner.clone()), 1..5), 1..6_usize).prop_map(|(map, by)| Value::Map(map, by)),
            (prop::collection::vec(inner, 1..5), 0..5_usize).prop_map(|(list, by)| Value::List(list, by)),
        ]
    })
}

/// Writes a value after a key or dash at the given column.
fn write(value: &Value, column: usize, text: &mut String) {
    let pad = |by: usize| " ".repeat(by);
    match value {
        Value::Scalar(scalar) => {
            text.push_str(&scalar.replace('~', &pad(column + 3)));
            text.push_str("  \n");
        }
        Value::Text(header, lines) => {
            text.push_str(header);
            text.push('\n');
            let by = if header.ends_with('2') { 2 } else { 3 };
            // The first line decides the indentation.
            for line in ["x"].iter().chain(lines) {
                text.push_str(&if line.is_empty() { String::new() } else { pad(column + by) + line });
                text.push('\n');
            }
        }
        Value::Flow(items, is_long) => {
            let separator = if *is_long { format!(" ,\n{}", pad(column + 1)) } else { ",".to_owned() };
            text.push_str(&format!("[{}]  # flow\n", items.join(&separator)));
        }
        Value::Map(entries, by) => {
            text.push_str("# map\n");
            let column = column + by;
            for (index, (key, value)) in entries.iter().enumerate() {
                let key = key.replace(['a', 'b', 'c', 'd', 'e', 'g'], &format!("k{index}"));
                let (key, colon) = match key.strip_suffix(" :") {
                    Some(key) => (key.to_owned(), " :"),
                    None => (key, ":"),
                };
                let colon = if key.starts_with('?') { format!("\n{}:", pad(column)) } else { colon.to_owned() };
                text.push_str(&format!("{}{key}{colon}  ", pad(column)));
                write(value, column, text);
            }
        }
        Value::List(items, by) => {
            text.push('\n');
            let column = column + by;
            for item in items {
                text.push_str(&format!("{}-   ", pad(column)));
                write(item, column, text);
                text.push_str(&format!("\n{}# item\n", pad(column)));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_values_are_formatted_once_and_for_all(value in values(), has_returns in any::<bool>()) {
        let mut text = String::from("x: &a 1\nroot: ");
        write(&value, 0, &mut text);
        if has_returns {
            text = text.replace('\n', "\r\n");
        }
        let once = match format(&text, &Options::default()) {
            Ok(once) => once.apply(&text),
            Err(Failure::Invalid(_)) => return Ok(()),
            Err(error) => return Err(TestCaseError::fail(format!("{error}:\n{text}"))),
        };
        let twice = format(&once, &Options::default());
        prop_assert!(twice.is_ok_and(|twice| twice.is_unchanged()), "not stable:\n{}\n{}", text, once);
    }

    #[test]
    fn any_text_is_stable_or_refused(pieces in prop::collection::vec(select(PIECES), 0..24), cut in 0..60_usize) {
        let text = pieces.concat();

        if let Ok(once) = format(&text, &Options::default()) {
            let once = once.apply(&text);
            let twice = format(&once, &Options::default());
            prop_assert!(twice.is_ok_and(|twice| twice.is_unchanged()), "not stable:\n{:?}\n{:?}", text, once);
        }
        let _ = format_range(&text, cut..cut + 20, &Options::default());
    }
}
