//! Well-formed text with too much of something: levels, documents, keys.

use tosca_parse::TOSCA;
use tosca_parse_fmt::{Keynames, Options, format_in};

use super::templates::{HEAD, parse};
use super::{Comparison, size};

/// Generates a source with the given number of repetitions.
type Shape = fn(usize) -> String;

const SHAPES: &[(&str, usize, Shape)] = &[
    ("brackets", 20_000, |n| format!("{HEAD}metadata:\n  a: {}", "[".repeat(n))),
    ("braces", 10_000, |n| format!("{HEAD}metadata:\n  a: {}", "{a: ".repeat(n))),
    ("dashes", 10_000, |n| format!("{HEAD}metadata:\n  a:\n    {}", "- ".repeat(n))),
    ("explicit keys", 10_000, |n| format!("{HEAD}metadata:\n  a:\n    {}", "? ".repeat(n))),
    ("brackets in braces", 10_000, |n| format!("{HEAD}metadata:\n  a: {}", "{? [".repeat(n))),
    ("tagged lists", 10_000, |n| format!("{HEAD}metadata:\n  a: {}", "!!seq [".repeat(n))),
    ("nested clauses", 2_000, |n| {
        let (open, close) = ("{ $and: [ ".repeat(n), "] }".repeat(n));
        format!("{HEAD}data_types:\n  A:\n    derived_from: string\n    validation: {open}1{close}\n")
    }),
    ("a long key", 50_000, |n| format!("{HEAD}\"{}\": 1\n", "x".repeat(n))),
    ("a long name", 50_000, |n| format!("{HEAD}node_types: {{ A: {{ derived_from: {} }} }}\n", "x".repeat(n))),
    ("a name of many parts", 10_000, |n| {
        format!("{HEAD}node_types: {{ A: {{ derived_from: {}b }} }}\n", "a.".repeat(n))
    }),
    ("a long text", 100_000, |n| format!("{HEAD}description: {}\n", "x".repeat(n))),
    ("a long list in a line", 5_000, |n| format!("{HEAD}metadata: {{ a: [{}] }}\n", "1,".repeat(n))),
    ("imports of nothing", 2_000, |n| format!("{HEAD}imports:\n{}", "- \n".repeat(n))),
    ("unknown keynames of a file", 2_000, |n| super::lines(n, |i| format!("k{i}: v")) + HEAD),
    ("a keyname again and again", 2_000, |n| HEAD.to_owned() + &"description: a\n".repeat(n)),
    ("types of one name", 2_000, |n| format!("{HEAD}node_types:\n{}", "  A: {}\n".repeat(n))),
    ("entries of metadata", 2_000, |n| format!("{HEAD}metadata:\n{}", super::lines(n, |i| format!("  k{i}: v")))),
    ("documents", 10_000, |n| HEAD.to_owned() + &"---\n".repeat(n)),
    ("ends of documents", 10_000, |n| HEAD.to_owned() + &"...\n".repeat(n)),
    ("aliases of a list", 2_000, |n| {
        format!("{HEAD}dsl_definitions:\n  a: &a [ x, y ]\n{}", super::lines(n, |i| format!("  b{i}: *a")))
    }),
];

/// Sources to format.
const FORMATTED: &[(&str, usize, Shape)] = &[
    ("formatting a map in a line", 1_000, |n| {
        format!("{HEAD}metadata: {{ {} }}\n", super::lines(n, |i| format!("k{i}: v,")).replace('\n', " "))
    }),
    ("formatting entities in a line", 500, |n| {
        let entity = |i| format!("A{i}: {{ description: a, derived_from: B }},");
        format!("{HEAD}node_types: {{ {} }}\n", super::lines(n, entity).replace('\n', " "))
    }),
    ("formatting lines", 1_000, |n| {
        let entity = |i| format!("  A{i}:\n    # why\n    description: a\n    derived_from: B");
        format!("{HEAD}node_types:\n{}", super::lines(n, entity))
    }),
];

pub(super) fn comparisons() -> impl Iterator<Item = Comparison> {
    let read = SHAPES.iter().map(|(name, n, shape)| Comparison::growth(name, *n, |n| size(&parse(&shape(n)))));
    let formatted = FORMATTED.iter().map(|(name, n, shape)| Comparison::growth(name, *n, |n| formatted(&shape(n))));
    read.chain(formatted)
}

/// Returns the length of a text with its keynames in order.
fn formatted(text: &str) -> usize {
    let options = Options { keynames: Keynames::Standard, ..Options::default() };
    format_in(Some(&TOSCA), text, &options).map_or(0, |formatted| formatted.apply(text).len())
}
