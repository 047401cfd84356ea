//! Requirement assignments (2.0, 8.5).

use super::{RelationshipAssignment, ScopeDirectives};
use crate::Entity;
use crate::ard::{Kind, Node};
use crate::entity::{
    Child, Field, FieldDescription, Form, Given, Local, Position, Reference, Shape, Shaped, Text, Value, Values,
    downcast,
};
use crate::grammar::definition::NodeFilter;
use crate::grammar::section::{CAPABILITY_TYPES, NODE_TEMPLATES, NODE_TYPES};
use crate::grammar::version::{V1_3, V2_0};
use crate::grammar::{CountRange, Metadata};
use crate::phase::read::Reader;

/// What fulfils a requirement of a node.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "requirement assignment", spec = "8.5")]
pub struct RequirementAssignment {
    /// What the requirement is for.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The node at the other end: a node template, or a node type of which one is found.
    #[field(short(scalar, list), lookup(NODE_TEMPLATES, NODE_TYPES))]
    pub node: TargetNode,
    /// The capability at the other end: the name of one, or a capability type.
    #[field(lookup(CAPABILITY_TYPES, optional))]
    pub capability: Option<Reference<()>>,
    /// The type of the relationship and what is wanted of it, or the name of a relationship template.
    pub relationship: Child<RelationshipAssignment>,
    /// How much of the capability's properties the relationship takes.
    #[field(since = V2_0, value)]
    pub allocation: Values,
    /// How many relationships are made.
    #[field(since = V2_0, default = "1", value)]
    pub count: Option<Value>,
    /// What must be true of the node at the other end.
    #[field(read_as(NodeFilter, until = V1_3), value(since = V2_0))]
    pub node_filter: Option<Value>,
    /// Whether the node may be of this service, of another, or both.
    #[field(since = V2_0)]
    pub directives: ScopeDirectives,
    /// Whether the service is all right without the relationship.
    #[field(since = V2_0, default = "false")]
    pub optional: Option<Given<bool>>,
    /// How many relationships may be made.
    #[field(since = V1_3, until = V1_3)]
    pub occurrences: Option<Box<Given<CountRange>>>,
}

/// The node at the other end of a requirement: a name, or since 2.0 a list of a name and an index.
#[derive(Clone, Copy, Debug, Default)]
pub struct TargetNode {
    /// The name of a node template or node type.
    pub reference: Option<Reference<()>>,
    /// Which of the nodes that are made from the template.
    pub index: Option<Position>,
}

impl Shaped for TargetNode {
    const SHAPE: Shape = Shape::Reference;
    const ALSO: Option<Form> = Some(Form::List(&Form::Any));
}

impl Field for TargetNode {
    fn is_set(&self) -> bool {
        self.reference.is_some()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        let is_misfit = |requirement: &Local| {
            let is_short = reader.header(*requirement).is_some_and(|header| header.node == node.id());
            is_short && node.kind() != Kind::String
        };
        if let Some(requirement) = reader.owner().filter(is_misfit)
            && let Some(slip) = reader.slip(requirement)
        {
            reader.wrong_kind(node, "a requirement assignment", "a map, or a name").help(slip);
            return;
        }
        if node.kind() != Kind::List || reader.version() < V2_0 {
            self.reference = reader.reference(node, field);
            return;
        }
        let mut items = node.items();
        match (items.next(), items.next(), items.next()) {
            (Some(name), Some(index), None) => {
                self.reference = reader.reference(name, field);
                self.index = Some(reader.position(index));
            }
            _ => {
                reader.wrong_kind(node, "`node`", "a name, or a list of a name and an index");
            }
        }
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            *self = *other;
        }
    }

    fn visit_references(&self, visit: &mut dyn FnMut(Reference<()>)) {
        self.reference.iter().for_each(|reference| visit(*reference));
    }
}
