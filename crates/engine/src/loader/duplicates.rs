//! Detects several copies of the same source.
//!
//! A package may contain the files that it needs although one of them imports the same files from the URL at which they
//! are published. Then, the same types occur twice. Two files that differ only in spaces, comments and notation declare
//! the same types if their imports are also the same.

use std::hash::{BuildHasher as _, Hash, Hasher};
use std::sync::{Arc, LazyLock};

use foldhash::fast::RandomState;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::ard::Document;
use crate::parallel;
use crate::phase::{ResolvedImport, Unit};
use crate::symbol::Symbol;

/// The number of nodes in a unit that are compared first.
const LOOKED_AT: usize = 64;

/// Digests are kept in units, which several programs share.
static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// Returns, for each unit, the index of the first unit with the same content (its own index if it is not a copy);
/// `None` if there are no copies. The entry and units that import each other never count as copies.
pub(super) fn find(list: &[Arc<Unit>], links: &[Vec<ResolvedImport>]) -> Option<Vec<usize>> {
    // Only imported units can be copies, and with fewer than three units, at most one of them is imported.
    if list.len() < 3 {
        return None;
    }
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
    // For each unit, a unit that represents its set of copies.
    let mut class: Vec<usize> = (0..list.len()).collect();
    let mut known: FxHashMap<(usize, Imports), usize> = FxHashMap::default();
    // In this order, imported units come before their importers.
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

/// The imports of a unit: the index of the import, the prefix and the imported unit.
type Imports = Vec<(usize, Option<Symbol>, usize)>;

/// Returns, for each unit that may be a copy, the index of the first unit with the same content; `None` if no two units
/// have the same content.
fn alike(list: &[Arc<Unit>]) -> Option<Vec<Option<usize>>> {
    let candidates = || list.iter().enumerate().filter(|(_, unit)| may_be_copied(unit));
    // Different units rarely have the same length and beginning, so only a few are compared completely.
    let mut by_beginning: FxHashMap<u64, usize> = FxHashMap::default();
    let beginnings = parallel::map(list, |unit| *unit.beginning.get_or_init(|| digest(unit, LOOKED_AT)));
    candidates().for_each(|(index, _)| *by_beginning.entry(beginnings[index]).or_default() += 1);
    let mut by_content: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    let mut alike = vec![None; list.len()];
    let mut is_any = false;
    for (index, unit) in candidates() {
        alike[index] = Some(index);
        if by_beginning[&beginnings[index]] == 1 {
            continue;
        }
        let others = by_content.entry(digest(unit, usize::MAX)).or_default();
        match others.iter().copied().find(|other| has_same_content(&list[*other], unit)) {
            Some(other) => {
                is_any = true;
                alike[index] = Some(other);
            }
            None => others.push(index),
        }
    }
    is_any.then_some(alike)
}

fn may_be_copied(unit: &Unit) -> bool {
    unit.root.is_some() && !unit.is_data && unit.option.is_none() && unit.document.is_complete()
}

/// Returns a digest of the first `nodes` nodes in a unit.
fn digest(unit: &Unit, nodes: usize) -> u64 {
    let mut hasher = HASHER.build_hasher();
    (unit.version, unit.document.len()).hash(&mut hasher);
    for node in unit.document.nodes().take(nodes) {
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
