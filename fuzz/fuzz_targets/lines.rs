//! The line reader and the YAML library give the same result for every source that the former accepts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tosca_parse::ard::{self, Document, Kind, Options};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::source::SharedText;
use tosca_parse::symbol::Interner;

fuzz_target!(|text: &str| {
    let (interner, options, text) = (Interner::new(), Options::default(), SharedText::from(text));
    let (found, problems) = ard::read(SourceId(0), text.clone(), &interner, &options);
    let (expected, expected_problems) = ard::read_by_library(SourceId(0), text, &interner, &options);
    assert_eq!(problems, expected_problems);
    assert_eq!(found.comments(), expected.comments());
    assert_eq!(found.is_complete(), expected.is_complete());
    assert_eq!(content(&found), content(&expected));
});

/// All observable properties of nodes.
fn content(document: &Document) -> Vec<String> {
    let entries = |node: ard::Node<'_>| {
        let ids = node.entries().map(|entry| (entry.key.id(), entry.value.id(), entry.merged, entry.duplicate));
        ids.collect::<Vec<_>>()
    };
    let describe = |node: ard::Node<'_>| {
        let items: Vec<_> = node.items().map(ard::Node::id).collect();
        let is_collection = matches!(node.kind(), Kind::Map | Kind::List);
        let symbol = if is_collection { None } else { node.symbol() };
        let (kind, style, span, text) = (node.kind(), node.style(), node.span(), node.text());
        let special = (node.tag(), node.has_anchor(), node.is_alias(), node.is_placeholder());
        format!("{kind:?} {style:?} {span:?} {text:?} {symbol:?} {special:?} {items:?} {:?}", entries(node))
    };
    document.nodes().map(describe).collect()
}
