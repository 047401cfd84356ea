//! The list of long checks in `docs/checks.md`.

use std::collections::BTreeSet;

use syn::visit::Visit;
use syn::{Attribute, ImplItemFn, Item, ItemFn};

use super::modules;

/// The number of lines from which a function is in the list.
const MIN_LINES: usize = 21;

/// The names of the functions in a file, except those of its tests.
#[derive(Default)]
struct Functions(BTreeSet<String>);

impl<'ast> Visit<'ast> for Functions {
    fn visit_item(&mut self, item: &'ast Item) {
        if !matches!(item, Item::Mod(module) if modules::is_test(&module.attrs)) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.insert(&function.attrs, &function.sig);
        syn::visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.insert(&function.attrs, &function.sig);
        syn::visit::visit_impl_item_fn(self, function);
    }
}

impl Functions {
    fn insert(&mut self, attributes: &[Attribute], signature: &syn::Signature) {
        if !modules::is_test(attributes) {
            self.0.insert(signature.ident.to_string());
        }
    }
}

/// Returns the number of lines of the longest function with a name. In formatted code, a function ends with a brace at
/// the indentation of its first line.
fn lines_of(name: &str, text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let is_start = |line: &str| {
        let declared = line.split_once("fn ").and_then(|(_, rest)| rest.strip_prefix(name));
        declared.is_some_and(|rest| rest.starts_with(['(', '<']))
    };
    let length = |start: usize| {
        let indentation = lines[start].len() - lines[start].trim_start().len();
        let end = format!("{}}}", " ".repeat(indentation));
        let length = lines[start..].iter().position(|line| *line == end).map(|last| last + 1);
        if lines[start].ends_with('}') { 1 } else { length.unwrap() }
    };
    (0..lines.len()).filter(|start| is_start(lines[*start])).map(length).max().unwrap_or(0)
}

/// Returns the long functions below `src/check`, as `types/data::check`.
fn long_functions() -> BTreeSet<String> {
    let folder = super::root().join("src/check");
    let mut found = BTreeSet::new();
    for (path, text) in super::texts(&folder).into_iter().filter(|(path, _)| modules::is_source(path)) {
        let module = modules::module_name(path.strip_prefix(&folder).unwrap()).join("/");
        let mut functions = Functions::default();
        functions.visit_file(&syn::parse_file(&text).unwrap());
        let is_long = |name: &String| lines_of(name, &text) >= MIN_LINES;
        found.extend(functions.0.into_iter().filter(is_long).map(|name| format!("{module}::{name}")));
    }
    found
}

#[test]
fn long_checks_are_listed_with_reasons() {
    let page = std::fs::read_to_string(super::root().join("docs/checks.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let rows: Vec<(&str, &str)> = rows.collect();
    let listed: BTreeSet<String> = rows.iter().map(|(name, _)| (*name).to_owned()).collect();
    let found = long_functions();
    let missing = found.difference(&listed).map(|name| format!("add `{name}` with a reason, or shorten the function"));
    let superfluous =
        listed.difference(&found).map(|name| format!("remove `{name}`, which is short or does not exist"));
    let faults: Vec<String> = missing.chain(superfluous).collect();
    assert!(
        faults.is_empty(),
        "docs/checks.md lists the functions of src/check with at least {MIN_LINES} lines:\n{}",
        faults.join("\n")
    );
    assert_eq!(rows.len(), listed.len(), "a function is listed twice");
    let without: Vec<_> = rows.iter().filter(|(_, reason)| reason.trim_matches(['|', ' ']).is_empty()).collect();
    assert!(without.is_empty(), "without a reason: {without:?}");
}

#[test]
fn lines_of_functions_are_counted() {
    let text = "fn ab() {}\n\nimpl X {\n    fn a<T>(\n        x: T,\n    ) {\n        if x {\n        }\n    }\n}\n";
    assert_eq!((lines_of("a", text), lines_of("ab", text), lines_of("b", text)), (6, 1, 0));
}
