//! The names in substitution mappings: members of the node type, and their targets.

use super::members::{named, type_of};
use crate::ard::{Kind, Node};
use crate::entity::{AnyId, CompletionProposal, CompletionRequest, CompletionResponse, FieldKey, ProposalKind};
use crate::field_key;
use crate::grammar::section::{INPUTS, NODE_TEMPLATES, NODE_TYPES, OUTPUTS};
use crate::grammar::template::{
    AttributeMapping, InterfaceMapping, MappedCapability, MappedInterface, PropertyMapping, RequirementMapping,
    SubstitutionMapping,
};
use crate::grammar::types::NodeType;
use crate::position_context::{EnclosingValue, PositionPart};

const NODE_TYPE: FieldKey = field_key!(SubstitutionMapping.node_type);
const PROPERTIES: FieldKey = field_key!(SubstitutionMapping.properties);
const ATTRIBUTES: FieldKey = field_key!(SubstitutionMapping.attributes);
const CAPABILITIES: FieldKey = field_key!(SubstitutionMapping.capabilities);
const REQUIREMENTS: FieldKey = field_key!(SubstitutionMapping.requirements);
const SIMPLE_REQUIREMENTS: FieldKey = field_key!(SubstitutionMapping.simple_requirements);
const INTERFACES: FieldKey = field_key!(SubstitutionMapping.interfaces);
const OPERATIONS: FieldKey = field_key!(InterfaceMapping.operations);
const CAPABILITY: FieldKey = field_key!(MappedCapability.capability);
const INTERFACE: FieldKey = field_key!(MappedInterface.interface);
const TARGETS: FieldKey = field_key!(RequirementMapping.targets);
const INPUT: FieldKey = field_key!(PropertyMapping.mapping);
const OUTPUT: FieldKey = field_key!(AttributeMapping.mapping);

/// Proposes the members of the node type, or of one of its interfaces, that a field can map, and finds the one that
/// `word` names.
pub(super) fn names(
    request: &CompletionRequest<'_>,
    field: FieldKey,
    word: Option<&str>,
    response: &mut CompletionResponse,
) {
    let (program, interface) = (request.program, request.position.innermost());
    // The mapping of an interface is in that of the node.
    let depth = if field == OPERATIONS { 2 } else { 1 };
    let Some(enclosing) = request.position.entities.iter().nth_back(depth - 1) else { return };
    let name = enclosing.value(NODE_TYPE.ident(), request.version).map(Node::text);
    let find = |name: &str| program.resolve(request.unit, NODE_TYPES, program.interner.get(name)?).id();
    let Some(of_type) = name.and_then(find).and_then(|id| program.get(id.cast::<NodeType>()?)) else { return };
    let list = list_key(request);
    let members = match field {
        _ if list.is_some() => {
            let Some((list, index)) = list else { return };
            let items: Vec<&str> = list.items().map(Node::text).collect();
            match (field, &items[..], index) {
                (REQUIREMENTS, ..) if index == 0 => named(program, &of_type.requirements),
                (PROPERTIES | ATTRIBUTES, ["RELATIONSHIP", ..], 1) => named(program, &of_type.requirements),
                (PROPERTIES | ATTRIBUTES, ["CAPABILITY", ..], 1) => named(program, &of_type.capabilities),
                (PROPERTIES | ATTRIBUTES, ["CAPABILITY", capability, ..], 2) => {
                    let symbol = program.interner.get(capability);
                    let capability = symbol.and_then(|symbol| program.get(of_type.capabilities.get(symbol)?));
                    let members = capability.map(|capability| match field {
                        PROPERTIES => named(program, &capability.properties),
                        _ => named(program, &capability.attributes),
                    });
                    members.unwrap_or_default()
                }
                _ => return,
            }
        }
        PROPERTIES => named(program, &of_type.properties),
        ATTRIBUTES => named(program, &of_type.attributes),
        CAPABILITIES => named(program, &of_type.capabilities),
        REQUIREMENTS | SIMPLE_REQUIREMENTS => named(program, &of_type.requirements),
        INTERFACES => named(program, &of_type.interfaces),
        OPERATIONS => {
            let symbol = program.interner.get(interface.name());
            let interface = symbol.and_then(|symbol| program.get(of_type.interfaces.get(symbol)?));
            interface.map(|interface| named(program, &interface.operations)).unwrap_or_default()
        }
        _ => return,
    };
    propose_members(&members, word, response);
}

/// Returns the list that contains the name at the position of a request and is a key, and the index of the name.
fn list_key<'r>(request: &CompletionRequest<'r>) -> Option<(Node<'r>, usize)> {
    let PositionPart::Name { key: Some(name), map, .. } = &request.position.part else { return None };
    let mut lists = map.entries().map(|entry| entry.key).filter(|key| key.kind() == Kind::List);
    lists.find_map(|list| Some((list, list.items().position(|item| item.id() == name.id())?)))
}

/// Proposes the targets of a mapping, and finds the one that the last step of the path names.
pub(super) fn complete(
    request: &CompletionRequest<'_>,
    field: FieldKey,
    path: &[EnclosingValue<'_>],
    response: &mut CompletionResponse,
) {
    let program = request.program;
    let node_type = |name: Option<Node<'_>>| {
        let symbol = program.interner.get(name?.text())?;
        let template = program.resolve(request.unit, NODE_TEMPLATES, symbol).id()?.cast()?;
        program.get(type_of(program, template)?)
    };
    let section = |section| {
        let visible = program.visible(request.unit, section).into_iter();
        Some(visible.filter(|(_, id)| id.unit == request.unit).collect::<Vec<_>>())
    };
    let tuple = request.position.innermost().node;
    let members: Vec<(&str, AnyId)> = match (field, path) {
        (CAPABILITY, _) => node_type(tuple.items().next()).map(|of| named(program, &of.capabilities)),
        (INTERFACE, _) => node_type(tuple.items().next()).map(|of| named(program, &of.interfaces)),
        (TARGETS, [.., list, last]) if last.index == Some(1) => {
            node_type(list.node.items().next()).map(|of| named(program, &of.requirements))
        }
        (TARGETS, _) => section(NODE_TEMPLATES),
        (INPUT, [_, _]) => section(INPUTS),
        (OUTPUT, [_, _]) => section(OUTPUTS),
        _ => return,
    }
    .unwrap_or_default();
    propose_members(&members, path.last().map(|step| step.node.text()), response);
}

fn propose_members(members: &[(&str, AnyId)], word: Option<&str>, response: &mut CompletionResponse) {
    let proposal = |(name, _): &(&str, AnyId)| CompletionProposal::new(*name, ProposalKind::Name);
    response.proposals = members.iter().map(proposal).collect();
    response.target = members.iter().find(|(name, _)| Some(*name) == word).map(|(_, id)| *id);
}
