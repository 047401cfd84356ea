//! Constraint clauses before 2.0.

use super::schema::schema;
use crate::ard::Kind;
use crate::data::{OPERATORS, Operand};
use crate::entity::{CompletionProposal, CompletionRequest, CompletionResponse, FieldKey, ProposalKind};
use crate::field_key;
use crate::grammar::definition::{ParameterDefinition, PropertyDefinition, SchemaDefinition};
use crate::grammar::types::DataType;
use crate::grammar::version::V2_0;
use crate::phase::Context;
use crate::position_context::EnclosingValue;

const FIELDS: [FieldKey; 4] = [
    field_key!(DataType.validation),
    field_key!(PropertyDefinition.validation),
    field_key!(ParameterDefinition.validation),
    field_key!(SchemaDefinition.constraints),
];

/// Proposes the names of clauses at the end of a path in a list of clauses.
pub(super) fn complete(
    request: &CompletionRequest<'_>,
    field: FieldKey,
    path: &[EnclosingValue<'_>],
    response: &mut CompletionResponse,
) {
    let is_name = match path {
        [] | [_] => true,
        [list, clause] => list.node.kind() == Kind::List && clause.index.is_some(),
        _ => false,
    };
    if request.version >= V2_0 || !FIELDS.contains(&field) || !is_name {
        return;
    }
    let context = Context::new(request.program, 0);
    let kind = request.value.and_then(|id| schema(&context, id)?.kind(&context));
    let suits = |operand: Operand| kind.is_none_or(|kind| operand.accepts(kind, request.version));
    let operators = OPERATORS.iter().filter(|operator| operator.since <= request.version && suits(operator.operand));
    response.proposals = operators
        .map(|operator| {
            let (operand, is_list) = match operator.operand {
                Operand::Value | Operand::Ordered => ("a value", false),
                Operand::Bounds => ("a lower and an upper bound", true),
                Operand::Values => ("a list of values", true),
                Operand::Length => ("an integer", false),
                Operand::Pattern => ("a regular expression", false),
                Operand::Schema => ("a schema", false),
            };
            let text = format!("{}: {}", operator.name, if is_list { "[  ]" } else { "" });
            let proposal = CompletionProposal::new(operator.name, ProposalKind::Function);
            CompletionProposal { text: Some(text), ..proposal.detail(format!("takes {operand}")) }
        })
        .collect();
    response.is_exclusive = true;
}
