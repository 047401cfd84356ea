//! Completion of values, and the descriptions of members, for editors.

use tosca_parse::ard::Node;
use tosca_parse::entity::position_context::{EnclosingValue, PositionPart};
use tosca_parse::entity::{
    AnyId, CompletionProposal, CompletionRequest, CompletionResponse, FunctionCall, Id, MemberNote, Members,
    ProposalKind,
};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::{Context, Program};

use crate::check::value::needs_value;
use crate::function::FUNCTIONS;
use crate::grammar::{DataType, NODE_TEMPLATES, NodeTemplate, NodeType, PropertyDefinition, V1_5};

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

/// Returns the properties that the second and later arguments of `get_property` or `get_attribute` can name, or the
/// property of a data type that a key within a value names.
pub(crate) fn complete_value(request: &CompletionRequest<'_>) -> CompletionResponse {
    let mut response = CompletionResponse::default();
    let PositionPart::Value { path, key, .. } = &request.position.part else { return response };
    if let Some(key) = key {
        response.target = nested(request, path, key.text());
        return response;
    }
    let [.., call, list, item] = &path[..] else { return response };
    let called = FUNCTIONS.call(call.node).filter(|called| ["get_property", "get_attribute"].contains(&called.name));
    let is_name = called.and_then(FunctionCall::given).is_some_and(|given| given.id() == list.node.id());
    let mut given = list.node.items();
    let Some((node, index)) = given.next().zip(item.index).filter(|(_, index)| is_name && *index > 0) else {
        return response;
    };
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
    let of_node = std::iter::once(&of_type.properties).chain(runtime).flat_map(Members::iter);
    let of_node: Vec<(&str, Id<PropertyDefinition>)> = of_node.map(|(name, id)| (program.text(name), id)).collect();
    let members = given.take(index - 1).fold(of_node, |members, step| match find(&members, step.text()) {
        Some(id) => properties(program, id),
        None => Vec::new(),
    });
    response.target = find(&members, item.node.text()).map(Id::any);
    response.proposals = members
        .into_iter()
        .map(|(name, id)| {
            let detail = describe_member(program, id.any()).to_string();
            CompletionProposal::new(name, ProposalKind::Name).detail(detail)
        })
        .collect();
    response.is_exclusive = !response.proposals.is_empty();
    response
}

/// Returns the property that a key within the value of another one names.
fn nested(request: &CompletionRequest<'_>, path: &[EnclosingValue<'_>], key: &str) -> Option<AnyId> {
    let program = request.program;
    // The first step is the map of all values.
    let steps = path.get(2..)?.iter().map(|step| step.key.map(Node::text)).chain([Some(key)]);
    let whole = request.value?.cast::<PropertyDefinition>()?;
    let mut steps = steps.into_iter();
    steps.try_fold(whole, |id, step| find(&properties(program, id), step?)).map(Id::any)
}

/// Returns the properties of the data type of a property.
fn properties(program: &Program<Complete>, id: Id<PropertyDefinition>) -> Vec<(&str, Id<PropertyDefinition>)> {
    let of_type = program.get(id).and_then(|definition| definition.r#type?.target(program));
    let of_type = of_type.and_then(|id| program.get::<DataType>(id));
    of_type
        .into_iter()
        .flat_map(|of_type| of_type.properties.iter())
        .map(|(name, id)| (program.text(name), id))
        .collect()
}

fn find(members: &[(&str, Id<PropertyDefinition>)], name: &str) -> Option<Id<PropertyDefinition>> {
    members.iter().find(|(known, _)| *known == name).map(|(_, id)| *id)
}
