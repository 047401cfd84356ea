//! Clauses that values must fulfill: their evaluation, and explanations of failures.

pub(super) mod constraint;
pub(super) mod explain;

use crate::ard::{Entry, Node};
use crate::entity::{EntityDescription, LanguageVersion};
use crate::grammar::version::V2_0;

/// Returns the entries of a list of maps with one entry each, or the entries of a map in place of such a list.
pub(super) fn named(node: Node<'_>) -> impl Iterator<Item = Entry<'_>> {
    node.entries().chain(node.items().flat_map(Node::entries))
}

/// Returns the help for a clause among the keynames of a definition.
pub(crate) fn misplaced_key(description: &EntityDescription, version: LanguageVersion, key: &str) -> Option<String> {
    let (_, field) = description.field("validation").filter(|(_, field)| field.exists_in(version))?;
    let keyname = field.keyname(version);
    let name = key.strip_prefix('$').filter(|_| version >= V2_0).unwrap_or(key);
    let is_clause = constraint::operators(version).any(|operator| operator.name == name);
    is_clause.then(|| {
        let clause =
            if version < V2_0 { format!("[ {name}: … ]") } else { format!("{{ ${name}: [ $value, … ] }}") };
        format!("write it below `{keyname}`: `{keyname}: {clause}`")
    })
}
