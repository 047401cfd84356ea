//! The members of types, by name.

use crate::ard::Node;
use crate::entity::{AnyId, CompletionRequest, Entity, Id, Members};
use crate::grammar::section::NODE_TEMPLATES;
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

/// Returns the type of the node that the first argument of a call names.
pub(super) fn node_type(request: &CompletionRequest<'_>, first: Option<Node<'_>>) -> Option<Id<NodeType>> {
    let program = request.program;
    let name = first?.text();
    if name == "SELF" {
        return request.definitions.iter().flatten().find_map(|id| id.cast());
    }
    let template = program.resolve(request.unit, NODE_TEMPLATES, program.interner.get(name)?).id()?.cast()?;
    type_of(program, template)
}
