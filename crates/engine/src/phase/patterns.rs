//! A common limit on all regular expressions that are written in a program.

use foldhash::HashMap;
use rustc_hash::FxHashSet;

use super::Units;
use crate::ard::{Document, Kind, Node, NodeId};
use crate::budget::pattern::MAX_WEIGHT;
use crate::entity::NodeRef;

/// The regular expressions in a program that are too large together with the expressions before them.
///
/// Each file may have a large expression, and so may a file that imports a thousand others. The limit applies to the
/// different expressions in all of them, so each can be compiled once and then kept.
#[derive(Debug)]
pub struct ExcessPatterns {
    excess: FxHashSet<NodeRef>,
    weight_of_entry: u64,
}

/// The expressions in a document, in order.
struct Written(Vec<NodeId>);

impl ExcessPatterns {
    /// Returns the excess expressions of a program. Expressions are the strings with one of the given keys, and those at
    /// the end of a list with such a key. `weight` returns the [weight](crate::budget::pattern::Cost::weight) of an
    /// expression. Returns `None` if the language keeps something else with its [units](Units::memo) or
    /// [documents](Document::memo).
    pub fn in_units<'u>(
        units: &'u Units,
        keys: &'static [&'static str],
        weight: impl Fn(&str) -> u64,
    ) -> Option<&'u Self> {
        units.memo(|units| Self::find(units, keys, weight))
    }

    fn find(units: &Units, keys: &[&str], weight: impl Fn(&str) -> u64) -> Self {
        let (mut left, mut known, mut excess) = (MAX_WEIGHT, HashMap::default(), FxHashSet::default());
        let mut weight_of_entry = 0;
        for (number, unit) in units.list.iter().enumerate() {
            let written = unit.document.memo(|document| Written::of(document, keys));
            for node in written.into_iter().flat_map(|written| &written.0) {
                let is_excess = *known.entry(unit.document.node(*node).text()).or_insert_with_key(|pattern| {
                    let weight = weight(pattern);
                    let fits = weight <= left;
                    left -= if fits { weight } else { 0 };
                    !fits
                });
                if is_excess {
                    excess.insert(NodeRef { unit: unit.id, node: *node });
                }
            }
            if number == 0 {
                weight_of_entry = MAX_WEIGHT - left;
            }
        }
        Self { excess, weight_of_entry }
    }

    /// Returns the [weight](crate::budget::pattern::Cost::weight) of the entry's expressions that are not in excess; zero if
    /// no expression is used.
    pub(crate) fn weight_of_entry(units: &Units) -> u64 {
        units.known_memo::<Self>().map_or(0, |patterns| patterns.weight_of_entry)
    }

    /// Returns whether an expression is in excess.
    pub fn has(&self, pattern: Node<'_>) -> bool {
        self.excess.contains(&NodeRef { unit: pattern.document().source(), node: pattern.id() })
    }
}

impl Written {
    fn of(document: &Document, keys: &[&str]) -> Self {
        let maps = document.nodes().filter(|node| node.kind() == Kind::Map);
        let calls = maps.flat_map(Node::entries).filter(|entry| keys.contains(&entry.key.text()));
        let patterns = calls.filter_map(|call| match call.value.kind() {
            Kind::List => call.value.items().last(),
            _ => Some(call.value),
        });
        Self(patterns.filter(|pattern| pattern.kind() == Kind::String).map(Node::id).collect())
    }
}
