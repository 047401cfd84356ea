//! Merges: `<<: *base`.
//!
//! The entries that a merge adds to a map are computed once, when the map is complete, and stored as references to the
//! keys and values of the merged maps.

use std::ops::Range;

use super::Builder;
use super::keys::{Identity, OpenKey, SeenKeys};
use crate::ard::document::{Kind, NodeId};
use crate::ard::node::Node;
use crate::ard::node_store::flag;
use crate::diagnostic::Diagnostic;
use crate::rules;

impl Builder<'_> {
    /// Resolves the merges of a map whose other keys have been registered.
    pub(super) fn merge(&mut self, met: &mut SeenKeys, keys: Range<usize>) {
        let start = self.document.merged.len();
        for index in keys {
            let key = self.open_keys[index];
            if matches!(key.identity, Identity::Merge) {
                for source in self.merge_sources(key.node) {
                    self.merge_from(met, source, key.node);
                }
            }
        }
        let end = self.document.merged.len();
        if start < end {
            self.document.nodes.mark(met.map(), flag::MERGED);
            let ranges = self.document.merged_of.get_or_insert_default();
            ranges.insert(met.map(), start as u32..end as u32);
        }
    }

    /// Returns the maps in the value of a merge key.
    fn merge_sources(&mut self, key: NodeId) -> Vec<NodeId> {
        let value = self.document.node(self.document.nodes.after(key));
        let held: Vec<Node<'_>> = if value.kind() == Kind::List { value.items().collect() } else { vec![value] };
        let (maps, others): (Vec<_>, Vec<_>) = held.into_iter().partition(|node| node.kind() == Kind::Map);
        let maps = maps.into_iter().map(Node::id).collect();
        let others = others.into_iter().filter(|other| !other.is_placeholder());
        let mut wrong: Vec<_> = others
            .map(|other| {
                let message = format!(
                    "the value of a merge key must be a map or a list of maps, not {}",
                    described(other.kind())
                );
                // If the list is an alias, its items are at a different position, so the problem is reported at the
                // alias.
                let place = if value.is_alias() { value } else { other };
                Diagnostic::new(&rules::INVALID_MERGE, place.span(), message)
                    .with_help("give the key a map, usually an alias; put the key in quotes if it should not merge")
            })
            .collect();
        wrong.dedup_by_key(|diagnostic| diagnostic.span);
        for diagnostic in wrong {
            self.report(diagnostic);
        }
        maps
    }

    /// Adds those entries of `source` whose keys are new to the map.
    fn merge_from(&mut self, met: &mut SeenKeys, source: NodeId, key: NodeId) {
        let entries = self.document.node(source).entries();
        let entries: Vec<_> = entries.map(|entry| (entry.key.id(), entry.value.id())).collect();
        for (merged_key, value) in entries {
            let open_key = OpenKey::new(merged_key, &self.document);
            if self.meet(met, open_key).is_some() {
                continue;
            }
            if !self.charge(2) {
                self.report_expansion(self.document.node(key).span());
                return;
            }
            self.document.merged.push((merged_key, value));
        }
    }
}

fn described(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "nothing",
        Kind::Boolean => "a boolean",
        Kind::Integer => "an integer",
        Kind::Float => "a float",
        Kind::String => "a string",
        Kind::Map => "a map",
        Kind::List => "a list",
    }
}
