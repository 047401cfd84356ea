//! Well-formed text with too much of something: nesting, length, or repetition.
//!
//! `cargo run -p counts -- growth` checks that the work is proportional to the length of the text.

use std::fmt::Write as _;

use super::{HEAD, codes, parse};

/// The number of repetitions.
const MANY: usize = 1_000_000;

/// The number of repetitions of problems, each of which is reported.
const PROBLEMS: usize = 20_000;

#[test]
fn deep_nesting() {
    for open in ["[", "{a: ", "- ", "? ", "[{", "[a: ", "{? [", "!!seq ["] {
        for start in [String::new(), format!("{HEAD}metadata:\n  a: "), format!("{HEAD}node_types:\n  ")] {
            let outcome = parse(start.clone() + &open.repeat(MANY));
            assert!(!outcome.is_valid(), "{start}{open}: {:?}", outcome.diagnostics);
        }
    }
    assert_eq!(codes(&parse(format!("{HEAD}metadata:\n  a: {}", "[".repeat(MANY)))), ["T1107"]);
    assert_eq!(codes(&parse(format!("{HEAD}metadata:\n  a: {}", "{a: ".repeat(MANY)))), ["T1107"]);
    assert_eq!(codes(&parse(format!("{HEAD}metadata:\n  a:\n    {}", "- ".repeat(MANY)))), ["T1107"]);
}

#[test]
fn deep_nesting_of_entities() {
    let n = 10_000;
    for (before, open, close) in [
        ("data_types:\n  A:\n    derived_from: list\n    entry_schema: ", "{ type: list, entry_schema: ", "}"),
        ("service_template:\n  outputs:\n    a:\n      value: ", "{ $not: [ ", "] }"),
        ("service_template:\n  outputs:\n    a:\n      value: ", "{ $concat: [ ", "] }"),
        ("data_types:\n  A:\n    derived_from: string\n    validation: ", "{ $and: [ ", "] }"),
        ("service_template:\n  outputs:\n    a: { type: json, value: ", "{ a: ", "}"),
    ] {
        for depth in [150, n] {
            let text = format!("{HEAD}{before}{}1{}", open.repeat(depth), close.repeat(depth));
            let outcome = parse(text);
            assert!(!outcome.is_valid(), "{before}{open}");
            if depth == n {
                assert!(codes(&outcome).contains(&"T1107"), "{open}: {:?}", outcome.diagnostics);
            }
        }
    }
}

#[test]
fn alias_bombs() {
    let level = |number: usize, value: &str| format!("  l{number}: &l{number} {value}\n");
    for (open, item, close) in [("[", "*", ""), ("{", "? *", " : 1"), ("{", "k{n}: *", ""), ("{", "<<: *", "")] {
        let mut text = format!("{HEAD}dsl_definitions:\n{}", level(0, "{ a: 1 }"));
        for number in 1..30 {
            let items: Vec<String> =
                (0..10).map(|n| item.replace("{n}", &n.to_string()) + &format!("l{}{close}", number - 1)).collect();
            let (items, end) = (items.join(", "), if open == "[" { "]" } else { "}" });
            text += &level(number, &format!("{open} {items} {end}"));
        }
        // The bomb is also used as the value of keynames with a meaning.
        text += "metadata:\n  a: *l29\nnode_types: *l29\n";
        let outcome = parse(text);
        assert!(!outcome.is_valid(), "{item}");
    }
}

#[test]
fn an_alias_bomb_is_named_in_its_message() {
    let mut text = format!("{HEAD}dsl_definitions:\n  l0: &l0 [ha]\n");
    for number in 1..30 {
        let items = vec![format!("*l{}", number - 1); 10].join(", ");
        writeln!(text, "  l{number}: &l{number} [{items}]").unwrap();
    }
    assert_eq!(codes(&parse(text)), ["T1108"]);
}

/// A bomb that is small enough to be allowed, in a position where each of its nodes is an entity.
#[test]
fn aliases_that_are_allowed_but_many() {
    let mut text = format!("{HEAD}dsl_definitions:\n  p: &p {{ type: string }}\n  all: &all\n");
    for number in 0..300 {
        writeln!(text, "    p{number}: *p").unwrap();
    }
    text += "node_types:\n";
    for number in 0..300 {
        writeln!(text, "  T{number}: {{ properties: *all }}").unwrap();
    }
    assert_eq!(parse(text).diagnostics, []);
}

#[test]
fn a_huge_key_and_a_huge_value() {
    let huge = "x".repeat(MANY);
    for text in [
        format!("{HEAD}\"{huge}\": 1\n"),
        format!("{HEAD}? {huge}\n: 1\n"),
        format!("{HEAD}node_types:\n  ? {huge}\n  : {{ derived_from: {huge}y }}\n"),
        format!("{HEAD}metadata: {{ ? [{huge}, {huge}] : 1 }}\n"),
        format!("{HEAD}{huge}"),
        format!("tosca_definitions_version: {huge}\n"),
        format!("{HEAD}imports: [ {huge} ]\n"),
        format!("{HEAD}imports: [ {{ profile: {huge} }} ]\n"),
    ] {
        let outcome = parse(text.clone());
        assert!(!outcome.is_valid(), "{}", &text[..80]);
    }
    let valid = format!("{HEAD}description: {huge}\nmetadata: {{ a: \"{huge}\" }}\n");
    assert_eq!(parse(valid).diagnostics, []);
}

#[test]
fn a_map_with_very_many_entries() {
    let entries = |count, line: fn(usize) -> String| (0..count).map(line).collect::<String>();
    let valid = format!("{HEAD}metadata:\n{}", entries(MANY / 4, |number| format!("  k{number}: v\n")));
    assert_eq!(parse(valid).diagnostics, []);
    let unknown = format!("{HEAD}{}", entries(PROBLEMS, |number| format!("k{number}: v\n")));
    let outcome = parse(unknown);
    assert_eq!(codes(&outcome), ["T1201", "T5801"]);
}

#[test]
fn a_list_with_a_million_items() {
    assert!(!parse(format!("{HEAD}imports:\n{}", "- \n".repeat(PROBLEMS))).is_valid());
    let list = format!("{HEAD}metadata: {{ a: [{}] }}\n", "1,".repeat(MANY));
    assert_eq!(parse(list).diagnostics, []);
}

#[test]
fn many_documents() {
    for text in ["---\n", "--- a\n", "...\n", "a: 1\n---\n", "--- [\n"] {
        let outcome = parse(HEAD.to_owned() + &text.repeat(MANY));
        assert_eq!(outcome.is_valid(), text == "...\n", "{text}: {:?}", outcome.diagnostics.first());
    }
    assert_eq!(codes(&parse(HEAD.to_owned() + &"---\na: 1\n".repeat(MANY))), ["T1105"]);
}

#[test]
fn duplicate_keys() {
    let text = HEAD.to_owned() + &"description: a\n".repeat(PROBLEMS);
    assert_eq!(codes(&parse(text)), ["T1102", "T5801"]);
    let types = format!("{HEAD}node_types:\n{}", "  A: {}\n".repeat(PROBLEMS));
    assert_eq!(codes(&parse(types)), ["T1102", "T5801"]);
}

#[test]
fn a_root_that_is_not_a_map() {
    for text in ["[]", "- a\n- b\n", "text", "1", "\"quoted\"", "true", "~", "!!null", "2026-11-21", "[[[]]]", "*a"] {
        let outcome = parse(text);
        assert!(!outcome.is_valid(), "{text}: {:?}", outcome.diagnostics);
    }
}

#[test]
fn every_value_has_the_wrong_kind() {
    let values =
        ["~", "1", "1.5", "true", "text", "''", "[]", "{}", "[[]]", "{a: }", "[~]", "{~: ~}", "{[]: []}", "{$f: 1}"];
    let lines = super::bytes::SERVICE.lines().filter(|line| line.contains(':'));
    for (number, line) in lines.enumerate() {
        // Each line gets only every third value, so that the test is fast enough.
        for value in values.iter().skip(number % 3).step_by(3) {
            let (key, _) = line.split_once(':').unwrap();
            let text = super::bytes::SERVICE.replacen(line, &format!("{key}: {value}"), 1);
            // The content of the key may no longer be valid there, so it is also removed.
            let depth = line.len() - line.trim_start().len();
            let (before, after) = text.split_at(text.find(&format!("{key}: {value}")).unwrap());
            let mut after = after.lines();
            let first = after.next().unwrap();
            let is_deeper = |line: &&str| line.trim().is_empty() || line.len() - line.trim_start().len() > depth;
            let rest: String = after.skip_while(is_deeper).fold(String::new(), |text, line| text + line + "\n");
            parse(format!("{before}{first}\n{rest}"));
        }
    }
}
