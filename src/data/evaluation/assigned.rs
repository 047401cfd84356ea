//! The origin of property values: templates, or else the definitions of their types.

use crate::ard::Node;
use crate::data::call::function::PathTarget;
use crate::data::path::member::{Member, property};
use crate::data::path::place::{CapabilityContext, NodeContext, PathContext, RelationshipContext, ValueContext};
use crate::data::schema::Schema;
use crate::entity::{AnyId, Id, Value, Values};
use crate::grammar::definition::PropertyDefinition;
use crate::grammar::template::{CapabilityAssignment, RelationshipAssignment, RelationshipTemplate};
use crate::grammar::types::NodeType;
use crate::phase::Context;
use crate::symbol::Symbol;

/// The origin of the value of a property.
pub(crate) enum Assigned<'a> {
    /// The YAML node with the value, and the context of the value.
    At(Node<'a>, Box<ValueContext<'a>>),
    /// The property has no value.
    Nothing,
    /// The value is not known yet.
    Unknown,
}

/// A property: its definition, and the map in which it may be assigned.
struct Defined<'a> {
    definition: &'a PropertyDefinition,
    assigned: Values,
    /// The map of a relationship template that a requirement adds values to.
    of_template: Values,
    /// The entity that contains the values: the template, or else the type.
    at: AnyId,
    /// Whether the values will be those of a node that is still unknown.
    is_another: bool,
}

/// Returns the origin of the value of a property, and its schema; `None` if there is no such property.
pub(crate) fn find<'a>(context: &Context<'a>, here: &PathContext, name: &str) -> Option<(Assigned<'a>, Schema<'a>)> {
    let schema = match property(context, here, name, PathTarget::Property) {
        Member::Found(schema) => schema,
        Member::Missing { .. } => return None,
        Member::Unknowable => return Some((Assigned::Unknown, Schema::of_type(None))),
    };
    let Some(found) = defined(context, here, name).filter(|found| !found.is_another) else {
        return Some((Assigned::Unknown, schema));
    };
    let maps = found.assigned.positions().chain(found.of_template.positions());
    let assigned = maps.into_iter().find_map(|map| context.node(map)?.find(name)).map(|entry| entry.value);
    let of_definition = || {
        let value = found.definition.value.or(found.definition.default);
        value.and_then(|Value(position)| context.node(position))
    };
    let Some(node) = assigned.or_else(of_definition) else { return Some((Assigned::Nothing, schema)) };
    // In the values of a capability, `SELF` is its node.
    let subject = match here {
        PathContext::Capability(CapabilityContext { node: NodeContext { template: None, .. }, .. }) => {
            PathContext::Unknown
        }
        PathContext::Capability(capability) => PathContext::Node(capability.node),
        here => *here,
    };
    Some((Assigned::At(node, Box::new(ValueContext::about(found.at, subject))), schema))
}

fn defined<'a>(context: &Context<'a>, here: &PathContext, name: &str) -> Option<Defined<'a>> {
    let symbol = context.program.interner.get(name)?;
    match here {
        PathContext::Node(NodeContext { template, node_type, .. }) => {
            let id = (*template)?;
            let template = context.get(id)?;
            let of_type: &NodeType = context.get((*node_type)?)?;
            Some(Defined {
                definition: context.get(of_type.properties.get(symbol)?)?,
                assigned: template.properties,
                of_template: Values::default(),
                at: id.any(),
                is_another: template.directives.selects(),
            })
        }
        PathContext::Capability(CapabilityContext { definition, assignment, .. }) => {
            let definition = context.get((*definition)?)?;
            let assigned: Option<&CapabilityAssignment> = assignment.and_then(|id| context.get(id));
            let property = definition.properties.get(symbol)?;
            Some(Defined {
                definition: context.get(property)?,
                assigned: assigned.map(|assigned| assigned.properties).unwrap_or_default(),
                of_template: Values::default(),
                at: assignment.map_or(property.any(), Id::any),
                is_another: false,
            })
        }
        PathContext::Relationship(relationship) => of_relationship(context, relationship, symbol),
        PathContext::Unknown | PathContext::Nowhere => None,
    }
}

/// Returns a property of the relationship of a requirement assignment or of a relationship template.
fn of_relationship<'a>(context: &Context<'a>, relationship: &RelationshipContext, name: Symbol) -> Option<Defined<'a>> {
    let RelationshipContext { template, assignment, source, .. } = *relationship;
    let property = relationship.property(context, name)?;
    let of_assignment: Option<&RelationshipAssignment> = assignment.and_then(|id| context.get(id));
    let of_template: Option<&RelationshipTemplate> = template.and_then(|id| context.get(id));
    // In a type, or if the source is uncertain, the values may be those of another relationship.
    let at = match (source.template, assignment) {
        (Some(source), assignment) => assignment.map(Id::any).or(template.map(Id::any)).unwrap_or(source.any()),
        (None, None) => template?.any(),
        (None, Some(_)) => return None,
    };
    Some(Defined {
        definition: context.get(property)?,
        assigned: of_assignment.map(|assigned| assigned.properties).unwrap_or_default(),
        of_template: of_template.map(|template| template.properties).unwrap_or_default(),
        at,
        is_another: false,
    })
}
