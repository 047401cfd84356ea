//! The members of types, by name.

use crate::entity::{AnyId, Entity, Id, Members};
use crate::grammar::template::NodeTemplate;
use crate::grammar::types::NodeType;
use crate::phase::Program;
use crate::phase::inheritance::Complete;

/// Returns the given members with their names.
pub(super) fn named<'p, E: Entity>(program: &'p Program<Complete>, members: &Members<E>) -> Vec<(&'p str, AnyId)> {
    members.iter().map(|(name, id)| (program.interner.text(name), id.any())).collect()
}

/// Returns the type of a node template.
pub(super) fn type_of(program: &Program<Complete>, template: Id<NodeTemplate>) -> Option<Id<NodeType>> {
    program.get(template)?.r#type?.target(program)
}
