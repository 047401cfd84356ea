//! Error messages: what is wrong, where, and what to do about it.

#![allow(clippy::unwrap_used)]

use tosca_parse_yay::{Config, Error, Memory};

/// Returns the only error of a document: its line and column, its message, and its advice.
fn only(text: &str) -> (String, String, String) {
    let mut config = Config::new(Memory::default().with("loop.yay", "include \"main.yay\"\n"));
    config.load("main.yay", text);
    let Err(error) = config.resolve() else { panic!("nothing is wrong with\n{text}") };
    let all: Vec<&Error> = error.each();
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    let place = config.sources().place(error.places()[0]);
    (
        format!("{}:{}", place.line, place.column),
        error.message().to_owned(),
        error.advice().unwrap_or_default().to_owned(),
    )
}

#[test]
fn mistakes_are_told_with_what_may_help() {
    let cases = [
        ("my key: 1\n", "1:3", "`my key` can't be a key: keys can't contain spaces", "begin the line with one word"),
        ("key:value\n", "1:10", "this is neither a key nor a directive", "write a space after the colon"),
        ("just text\n", "1:5", "this is neither a key nor a directive", "write a colon and a space after a key"),
        ("if: 1\n", "1:1", "`if` can't be a key here: it begins a directive", "rename the key, or write `- if: …`"),
        (
            "a: 1\n  b: 2\n",
            "2:1",
            "this line is indented deeper, but belongs to nothing",
            "only below a key without a value",
        ),
        (
            "a: >-\n  text\n",
            "2:1",
            "this line is indented deeper, but belongs to nothing",
            "`>-` does not begin a block of text",
        ),
        ("a: {{ 1 }\n", "1:9", "a template is not closed by one brace", "close it with `}}`"),
        ("a: {{ (1 + 2 }}\n", "1:14", "`}` can't close `(`", "close `(` with `)`"),
        ("a: {{ [1, 2) }}\n", "1:12", "`)` can't close `[`", "close `[` with `]`"),
        ("a: {{ 1 # x }}\n", "1:15", "the line ends before the template is closed", "`#` begins a comment"),
        ("a:\n  n{{ 1 }}: 2\n", "2:3", "a key can't contain a template", "create the whole mapping with an expression"),
        ("macro m:\n  a: 1\ncall m\n", "3:7", "`:` is expected here, not the end", "{{ name() }}"),
        ("web:\n  port: {{ base }}\n  base: 1\n", "2:12", "there is no `base` here", "`here.base`"),
        ("include \"none.yay\"\n", "1:1", "there is no document `none.yay` to include", "next to this one"),
        ("if a = 1:\n  b: 2\n", "1:6", "`:` is expected here, not `=`", "write `==` to compare values"),
        ("set x: 5\n", "1:6", "`=` is expected here, not `:`", "`set name = expression`"),
        ("x = 5\n", "1:2", "this is neither a key nor a directive", "`set name = expression`"),
        ("macro m(a):\n  b: 1\n", "1:8", "`:` is expected here, not `(`", "no parameter list"),
        ("{% if 1 %}\n", "1:1", "a directive must be on its own line, without braces", "indent its content below it"),
        ("include base.yay\n", "1:9", "there is no `base` here", "in quotes, unless it is computed"),
        ("select 'z':\n  prod:\n    a: 1\n  dev:\n    a: 2\n", "1:1", "the selection has no case `z`", "`prod`, `dev`"),
        ("sizes: 1\na: {{ size }}\n", "2:7", "there is no `size` here", "did you mean `sizes`?"),
    ];
    let mut wrong = Vec::new();
    for (text, place, message, help) in cases {
        let (at, said, advice) = only(text);
        if at != place || said != message || !advice.contains(help) {
            wrong.push(format!("{text}{at} {said} ({advice})\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn loops_of_values_are_told_in_full() {
    let mut config = Config::new(Memory::default());
    config.load("main.yay", "a: {{ b }}\nb: {{ c }}\nc: {{ a }}\n");
    let error = config.root().get("b").resolve().unwrap_err();
    let told = config.describe(&error);
    let lines = ["at main.yay:2:4", "through this value: main.yay:3:4", "through this value: main.yay:1:4"];
    assert!(lines.iter().all(|line| told.contains(line)), "{told}");
}
