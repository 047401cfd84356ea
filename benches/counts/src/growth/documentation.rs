//! Documentation of types.

use tosca_parse_doc::{Builder, Format, Limits};

use super::templates::{HEAD, parse};
use super::{Comparison, lines};

/// Generates a source with the given number of repetitions.
type Shape = fn(usize) -> String;

const SHAPES: &[(&str, usize, Shape)] = &[
    ("documented derivations", 60, |n| {
        let derived = |i: usize| {
            let parent = i.checked_sub(1).map(|parent| format!("derived_from: A{parent}, ")).unwrap_or_default();
            format!("  A{i}: {{ {parent}properties: {{ p{i}: {{ type: string }} }} }}")
        };
        format!("{HEAD}node_types:\n{}", lines(n, derived))
    }),
    ("documented users of a type", 60, |n| {
        let user = |i| format!("  A{i}: {{ properties: {{ p: {{ type: A }} }} }}");
        format!("{HEAD}data_types:\n  A: {{ derived_from: string }}\n{}", lines(n, user))
    }),
    ("documented types derived from one", 60, |n| {
        format!("{HEAD}data_types:\n  A: {{}}\n{}", lines(n, |i| format!("  A{i}: {{ derived_from: A }}")))
    }),
    ("documented members", 200, |n| {
        let member = |i| format!("      p{i}: {{ type: string, default: {i} }}");
        format!("{HEAD}data_types:\n  A:\n    properties:\n{}", lines(n, member))
    }),
];

pub(super) fn comparisons() -> impl Iterator<Item = Comparison> {
    SHAPES.iter().map(|(name, n, shape)| Comparison::growth(name, *n, |n| documented(&shape(n))))
}

/// Returns the length of all pages.
fn documented(text: &str) -> usize {
    let mut builder = Builder::new("types", Limits::default());
    builder.add(&parse(text).program);
    let documentation = builder.finish();
    let files = documentation.files(Format::Markdown);
    files.iter().map(|file| documentation.text(Format::Markdown, file).len()).sum()
}
