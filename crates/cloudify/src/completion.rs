//! Completion of values, and the descriptions of members, for editors.

use tosca_parse::entity::position_context::PositionPart;
use tosca_parse::entity::{
    AnyId, CompletionProposal, CompletionRequest, CompletionResponse, FunctionCall, Id, MemberNote, Members,
    ProposalKind,
};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::{Context, Program};

use crate::check::value::needs_value;
use crate::function::FUNCTIONS;
use crate::grammar::{NODE_TEMPLATES, NodeTemplate, NodeType, PropertyDefinition, V1_5};

/// Describes a property: its type, and whether templates must assign it.
pub(crate) fn describe_member(program: &Program<Complete>, id: AnyId) -> MemberNote {
    let note = MemberNote::of_definition(program, id);
    let Some((id, definition)) = id.cast::<PropertyDefinition>().and_then(|id| Some((id, program.get(id)?))) else {
        return note;
    };
    let of_type = definition.r#type.and_then(|reference| reference.target(program)).map(Id::any);
    let type_name = of_type.map(|of_type| program.name(of_type).to_owned()).unwrap_or_default();
    let min_count = u64::from(needs_value(&Context::new(program, 0), id));
    MemberNote { type_name, of_type, min_count, ..note }
}

/// Returns the properties of the node that the first argument of `get_property` or `get_attribute` names.
pub(crate) fn complete_value(request: &CompletionRequest<'_>) -> CompletionResponse {
    let mut response = CompletionResponse::default();
    let PositionPart::Value { path, key: None, .. } = &request.position.part else { return response };
    let [.., call, list, item] = &path[..] else { return response };
    let called = FUNCTIONS.call(call.node).filter(|called| ["get_property", "get_attribute"].contains(&called.name));
    let is_name = called.and_then(FunctionCall::given).is_some_and(|given| given.id() == list.node.id());
    let Some(node) = list.node.items().next().filter(|_| is_name && item.index == Some(1)) else { return response };
    let program = request.program;
    let template = || {
        let id = program.resolve(request.unit, NODE_TEMPLATES, program.interner.get(node.text())?).id()?;
        program.get(id.cast::<NodeTemplate>()?)?.r#type?.target(program)
    };
    let of_type = match node.text() {
        "SELF" => request.definitions.iter().flatten().find_map(|id| id.cast()),
        _ => template(),
    };
    let Some(of_type) = of_type.and_then(|id| program.get::<NodeType>(id)) else { return response };
    let runtime = (request.version >= V1_5).then_some(&of_type.runtime_properties);
    let members = std::iter::once(&of_type.properties).chain(runtime).flat_map(Members::iter);
    let members: Vec<(&str, AnyId)> = members.map(|(name, id)| (program.text(name), id.any())).collect();
    response.target = members.iter().find(|(name, _)| *name == item.node.text()).map(|(_, id)| *id);
    response.proposals = members
        .into_iter()
        .map(|(name, id)| {
            CompletionProposal::new(name, ProposalKind::Name).detail(describe_member(program, id).to_string())
        })
        .collect();
    response.is_exclusive = !response.proposals.is_empty();
    response
}
