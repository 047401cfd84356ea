//! Copies of one source, which are one.
//!
//! A package brings the files that it needs along, though one of them may also import them from where they are published,
//! so that the same types come twice. What differs in nothing but blanks, comments and the way that it is written
//! declares the same things, if what it imports is the same too.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHasher};

use crate::ard::Document;
use crate::phase::{Link, Unit};
use crate::symbol::Symbol;

/// For each unit the first one that it is a copy of, or itself. Nothing if there are no copies. The entry is no copy
/// of anything, and units that import each other are none.
pub(super) fn find(list: &[Arc<Unit>], links: &[Vec<Link>]) -> Option<Vec<usize>> {
    let contents = alike(list)?;
    let mut graph: DiGraph<(), (), usize> = DiGraph::with_capacity(list.len(), list.len());
    for _ in list {
        graph.add_node(());
    }
    for (importer, links) in links.iter().enumerate() {
        for link in links {
            graph.add_edge(importer.into(), link.unit.into(), ());
        }
    }
    // One of the units that are copies of each other stands for all.
    let mut class: Vec<usize> = (0..list.len()).collect();
    let mut known: FxHashMap<(usize, Imports), usize> = FxHashMap::default();
    // What is imported comes first.
    for group in kosaraju_scc(&graph) {
        let [unit] = group[..] else { continue };
        let unit = NodeIndex::index(unit);
        let Some(content) = contents[unit].filter(|_| unit != 0) else { continue };
        let imports = links[unit].iter().map(|link| (link.import, link.prefix, class[link.unit])).collect();
        class[unit] = *known.entry((content, imports)).or_insert(unit);
    }
    let mut first: Vec<usize> = (0..list.len()).collect();
    for (unit, class) in class.iter().enumerate() {
        first[*class] = first[*class].min(unit);
    }
    let firsts: Vec<usize> = class.iter().map(|class| first[*class]).collect();
    firsts.iter().enumerate().any(|(unit, first)| unit != *first).then_some(firsts)
}

/// What a unit imports: the number of the import, the prefix, and the unit.
type Imports = Vec<(usize, Option<Symbol>, usize)>;

/// For each unit that may be a copy the first one with the same content. Nothing if no two are the same.
fn alike(list: &[Arc<Unit>]) -> Option<Vec<Option<usize>>> {
    let mut by_content: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    let mut alike = vec![None; list.len()];
    let mut is_any = false;
    for (index, unit) in list.iter().enumerate().filter(|(_, unit)| may_be_copied(unit)) {
        let others = by_content.entry(digest(unit)).or_default();
        let other = others.iter().copied().find(|other| has_same_content(&list[*other], unit));
        is_any |= other.is_some();
        if other.is_none() {
            others.push(index);
        }
        alike[index] = Some(other.unwrap_or(index));
    }
    is_any.then_some(alike)
}

fn may_be_copied(unit: &Unit) -> bool {
    unit.root.is_some() && !unit.is_data && unit.document.is_complete()
}

fn digest(unit: &Unit) -> u64 {
    let mut hasher = FxHasher::default();
    unit.version.hash(&mut hasher);
    for node in unit.document.nodes() {
        node.kind().hash(&mut hasher);
        node.text().hash(&mut hasher);
    }
    hasher.finish()
}

fn has_same_content(one: &Unit, other: &Unit) -> bool {
    one.version == other.version && have_same_nodes(&one.document, &other.document)
}

fn have_same_nodes(one: &Document, other: &Document) -> bool {
    let is_same = |(one, other): (crate::ard::Node<'_>, crate::ard::Node<'_>)| {
        (one.kind(), one.text(), one.len(), one.tag()) == (other.kind(), other.text(), other.len(), other.tag())
    };
    one.len() == other.len() && one.nodes().zip(other.nodes()).all(is_same)
}
