//! Completion of values other than functions and names, for editors.

use std::collections::BTreeSet;

use tosca_parse::ard::{Kind, Node};
use tosca_parse::entity::position_context::{EnclosingValue, PositionPart};
use tosca_parse::entity::{
    AnyId, CompletionProposal, CompletionRequest, CompletionResponse, Described as _, Enumerated as _, FieldKey,
    MemberNote, ProposalKind,
};
use tosca_parse::field_key;
use tosca_parse::phase::Program;
use tosca_parse::phase::inheritance::Complete;

use crate::TYPES;
use crate::check::{imported_by, is_path};
use crate::environment::RegistryEntry;
use crate::function::of_values;
use crate::grammar::{Resource, Template};
use crate::types::{AttributeDefinition, PropertyDefinition, PropertyType};

const PROPERTIES: FieldKey = field_key!(Resource.properties);
const TYPE: FieldKey = field_key!(Resource.r#type);

/// Returns the attributes of a resource in `get_attr`, the values that a property allows, and the types that can replace
/// a type.
pub(crate) fn complete_value(request: &CompletionRequest<'_>) -> CompletionResponse {
    let mut response = CompletionResponse::default();
    let is_replacement = request.position.innermost().entity.title == RegistryEntry::default().description().title;
    if let PositionPart::Value { field, path, key: Some(key), .. } = &request.position.part {
        if FieldKey::of(request.position.innermost().entity, field) == PROPERTIES {
            nested_properties(request, path, *key, &mut response);
        }
        return response;
    }
    response.files = match &request.position.part {
        PositionPart::Value { field, .. } => FieldKey::of(request.position.innermost().entity, field) == TYPE,
        _ => false,
    } || is_replacement;
    let path = match &request.position.part {
        PositionPart::Value { path, key: None, .. } => path,
        // A value in place of the entry.
        PositionPart::Keyname { .. } if is_replacement => &Vec::new(),
        _ => return response,
    };
    if is_replacement {
        let proposal = |name: &str| CompletionProposal::new(name, ProposalKind::Name).detail("resource type");
        response.proposals = types(request).into_iter().map(proposal).collect();
    } else if let Some(resource) = resource_before(request, path) {
        let names = attributes(request, resource).unwrap_or_default();
        response.target = path.last().and_then(|step| {
            let (_, id) = names.iter().find(|(name, _)| *name == step.node.text())?;
            Some(*id)
        });
        response.proposals = names
            .into_iter()
            .map(|(name, _)| CompletionProposal::new(name, ProposalKind::Name).detail("attribute"))
            .collect();
    } else if path.len() == 2 {
        let definition = request.value.and_then(|id| request.program.get(id.cast::<PropertyDefinition>()?));
        let values = definition.map(|definition| allowed(request, definition)).unwrap_or_default();
        response.proposals =
            values.into_iter().map(|value| CompletionProposal::new(value, ProposalKind::Value)).collect();
    }
    response
}

/// Returns the names of the resource types that are known at a position.
fn types<'r>(request: &CompletionRequest<'r>) -> BTreeSet<&'r str> {
    let program = request.program;
    let implicit = program.index(request.unit).and_then(|index| program.implicit.get(index)).into_iter().flatten();
    let implicit = implicit.filter_map(|index| program.list.get(*index)).map(|unit| unit.id);
    let visible = std::iter::once(request.unit).chain(implicit).flat_map(|unit| program.visible(unit, TYPES));
    visible.map(|(name, _)| name).filter(|name| !name.ends_with('*')).collect()
}

/// Describes a property or an attribute of a resource type.
pub(crate) fn describe_member(program: &Program<Complete>, id: AnyId) -> MemberNote {
    let note = MemberNote::of_definition(program, id);
    if let Some(property) = id.cast::<PropertyDefinition>().and_then(|id| program.get(id)) {
        let is_required = property.required.is_some_and(|required| required.value) && property.default.is_none();
        let type_name = property.r#type.map(|ty| ty.value.name().to_owned()).unwrap_or_default();
        return MemberNote {
            type_name,
            min_count: u64::from(is_required),
            is_deprecated: property.deprecated.is_some(),
            ..note
        };
    }
    let attribute = id.cast::<AttributeDefinition>().and_then(|id| program.get(id));
    let type_name = attribute.and_then(|attribute| attribute.r#type).map(|ty| ty.value.name().to_owned());
    MemberNote { type_name: type_name.unwrap_or(note.type_name.clone()), ..note }
}

/// Returns the name of the resource in a call of `get_attr`, if the position is in its attribute.
fn resource_before<'n>(request: &CompletionRequest<'_>, path: &[EnclosingValue<'n>]) -> Option<&'n str> {
    let [.., call, list, item] = path else { return None };
    let called = of_values(request.version)?.call(call.node).filter(|called| called.name == "get_attr")?;
    let is_attribute = called.given().is_some_and(|given| given.id() == list.node.id()) && item.index == Some(1);
    list.node.items().next().filter(|_| is_attribute).map(Node::text)
}

/// Proposes the parameters of a nested template, which are the properties of a resource or of the members of a group,
/// and finds the one that `key` names.
fn nested_properties(
    request: &CompletionRequest<'_>,
    path: &[EnclosingValue<'_>],
    key: Node<'_>,
    response: &mut CompletionResponse,
) {
    let (program, resource) = (request.program, request.position.innermost());
    let template = request.entities.last().copied().flatten().and_then(|id| {
        let mut nested = imported_by(program, program.index(request.unit)?);
        nested.find(|(entity, _)| *entity == id).map(|(_, nested)| nested.template)
    });
    // The properties of the members of a group are next to their type.
    let has_path = |map: Node<'_>| map.find("type").is_some_and(|entry| is_path(entry.value.text()));
    let map = match path {
        [map] if has_path(resource.node) => map,
        [.., around, map] if map.key.is_some_and(|key| key.text() == "properties") && has_path(around.node) => map,
        _ => return,
    };
    let parameters = template.into_iter().flat_map(|template| template.parameters.iter());
    let names: Vec<(&str, AnyId)> = parameters.map(|(name, id)| (program.text(name), id.any())).collect();
    response.target = names.iter().find(|(name, _)| *name == key.text()).map(|(_, id)| *id);
    let is_missing = |name: &str| name == key.text() || map.node.find(name).is_none();
    let missing = names.iter().filter(|(name, _)| is_missing(name));
    response.proposals = missing
        .map(|(name, _)| CompletionProposal {
            text: Some(format!("{name}: ")),
            ..CompletionProposal::new(*name, ProposalKind::Name).detail("parameter")
        })
        .collect();
}

/// Returns the attributes of a resource: those of its type, or the outputs of its template.
fn attributes<'r>(request: &CompletionRequest<'r>, resource: &str) -> Option<Vec<(&'r str, AnyId)>> {
    let program = request.program;
    let unit = program.unit(request.unit)?;
    let template = program.get(unit.root?.cast::<Template>()?)?;
    let id = template.resources.get(program.interner.get(resource)?)?;
    let known: &Resource = program.get(id)?;
    let ty = known.r#type?.target(program).and_then(|target| program.get(target));
    let names: Vec<_> = match ty {
        Some(ty) => ty.attributes.iter().map(|(name, id)| (name, id.any())).collect(),
        None => {
            let mut nested = imported_by(program, program.index(request.unit)?);
            let (_, nested) = nested.find(|(entity, _)| *entity == id.any())?;
            nested.template.outputs.iter().map(|(name, id)| (name, id.any())).collect()
        }
    };
    Some(names.into_iter().map(|(name, id)| (program.text(name), id)).collect())
}

fn allowed(request: &CompletionRequest<'_>, definition: &PropertyDefinition) -> Vec<String> {
    let program = request.program;
    if definition.r#type.is_some_and(|ty| ty.value == PropertyType::Boolean) {
        return vec!["true".to_owned(), "false".to_owned()];
    }
    let constraints = definition.constraints.iter().filter_map(|id| program.get(*id));
    let lists = constraints.filter_map(|constraint| program.node(constraint.allowed_values?.0));
    let values = lists.flat_map(Node::items).filter(|value| !matches!(value.kind(), Kind::Map | Kind::List));
    values.map(|value| value.text().to_owned()).collect()
}
