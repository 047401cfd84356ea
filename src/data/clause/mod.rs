//! Clauses that values must fulfill: their evaluation, and explanations of failures.

pub(super) mod constraint;
pub(super) mod explain;

use constraint::Operand;

use crate::ard::{Entry, Node};
use crate::entity::{EntityDescription, LanguageVersion};
use crate::grammar::version::V2_0;

/// Returns the entries of a list of maps with one entry each, or the entries of a map in place of such a list.
pub(super) fn named(node: Node<'_>) -> impl Iterator<Item = Entry<'_>> {
    node.entries().chain(node.items().flat_map(Node::entries))
}

/// Returns the help for a clause among the keynames of a definition.
pub(crate) fn misplaced_clause(description: &EntityDescription, version: LanguageVersion, key: &str) -> Option<String> {
    let fields = ["validation", "constraints"];
    let (_, field) =
        fields.into_iter().filter_map(|ident| description.field(ident)).find(|(_, field)| field.exists_in(version))?;
    let keyname = field.keyname(version);
    if version < V2_0 {
        let is_clause = constraint::operators(version).any(|operator| operator.name == key);
        return is_clause.then(|| format!("write it below `{keyname}`: `{keyname}: [ {key}: … ]`"));
    }
    // Authors also use the words of 1.x. Some have different names in 2.0.
    let name = key.strip_prefix('$').unwrap_or(key);
    let operator =
        constraint::OPERATORS.iter().find(|operator| operator.name == name || operator.functions == [name])?;
    let value = if operator.operand == Operand::Length { "{ $length: [ $value ] }" } else { "$value" };
    let call = |function: &&str| format!("{{ ${function}: [ {value}, … ] }}");
    let calls: Vec<String> = operator.functions.iter().map(call).collect();
    let clause = match &calls[..] {
        [] => return None,
        [call] => call.clone(),
        calls => format!("{{ $and: [ {} ] }}", calls.join(", ")),
    };
    Some(format!("write it below `{keyname}`: `{keyname}: {clause}`"))
}
