//! The attributes that store the outputs of operations, notifications and workflows.

use super::path;
use crate::ard::{Kind, Node};
use crate::data::Parameter;
use crate::entity::{AnyId, CompletionProposal, CompletionRequest, CompletionResponse, FieldKey, ProposalKind};
use crate::field_key;
use crate::grammar::definition::ParameterDefinition;
use crate::grammar::section::NODE_TEMPLATES;
use crate::grammar::template::{NotificationAssignment, OperationAssignment, WorkflowDefinition};
use crate::position_context::EnclosingValue;

/// The fields that contain attribute mappings, and the number of steps to a mapping.
const FIELDS: [(FieldKey, usize); 4] = [
    (field_key!(OperationAssignment.outputs), 1),
    (field_key!(NotificationAssignment.outputs), 1),
    (field_key!(WorkflowDefinition.outputs), 1),
    (field_key!(ParameterDefinition.mapping), 0),
];

/// Proposes the next step of a mapping, and finds the entity that the step at the position names.
pub(super) fn complete(
    request: &CompletionRequest<'_>,
    field: FieldKey,
    path: &[EnclosingValue<'_>],
    is_key: bool,
    response: &mut CompletionResponse,
) {
    let Some((_, start)) = FIELDS.iter().find(|(known, _)| *known == field).filter(|_| !is_key) else { return };
    let [list, step] = path.get(*start..).unwrap_or_default() else { return };
    let Some(index) = step.index.filter(|_| list.node.kind() == Kind::List) else { return };
    let given: Vec<Node<'_>> = list.node.items().take(index).collect();
    let program = request.program;
    let (names, keywords): (Vec<(&str, AnyId)>, Vec<&str>) = if given.is_empty() {
        let templates = program.visible(request.unit, NODE_TEMPLATES).into_iter();
        (templates.filter(|(_, id)| id.unit == request.unit).collect(), path::starts(request).to_vec())
    } else {
        let steps = path::next(request, &given, Parameter::Attribute);
        (steps.names, steps.keywords)
    };
    response.target = names.iter().find(|(name, _)| *name == step.node.text()).map(|(_, id)| *id);
    let names = names.into_iter().map(|(name, _)| CompletionProposal::new(name, ProposalKind::Name));
    let keywords = keywords.into_iter().map(|word| CompletionProposal::new(word, ProposalKind::Value));
    response.proposals = names.chain(keywords).collect();
}
