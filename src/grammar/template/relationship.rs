//! Relationship templates (2.0, 7.4), and relationship assignments in requirements (2.0, 8.5).

use super::InterfaceAssignment;
use crate::Entity;
use crate::entity::{Members, Reference, Text, Values};
use crate::grammar::Metadata;
use crate::grammar::section::{RELATIONSHIP_TEMPLATES, RELATIONSHIP_TYPES};
use crate::grammar::types::RelationshipType;
use crate::grammar::version::{V1_1, V1_3, V2_0};

/// A relationship that requirements can name.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "relationship template", spec = "7.4")]
#[non_exhaustive]
pub struct RelationshipTemplate {
    /// The relationship type.
    #[field(definition, lookup(RELATIONSHIP_TYPES))]
    pub r#type: Option<Reference<RelationshipType>>,
    /// The description of the relationship.
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// The property values of the relationship: its desired state.
    #[field(assigns(title = "property"), value)]
    pub properties: Values,
    /// The initial attribute values of the relationship.
    #[field(assigns(title = "attribute", also = "properties"), value)]
    pub attributes: Values,
    /// The implementations that run when operations are called on the relationship.
    #[field(assigns(undeclared = warning))]
    pub interfaces: Members<InterfaceAssignment>,
    /// The relationship template that supplies every keyname not given here.
    #[field(copy, lookup(RELATIONSHIP_TEMPLATES))]
    pub copy: Option<Reference<RelationshipTemplate>>,
}

/// The relationship of a requirement assignment.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "relationship assignment", spec = "8.5.1")]
#[non_exhaustive]
pub struct RelationshipAssignment {
    /// The description of the relationship.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The relationship type; in the short form also the name of a relationship template.
    #[field(definition, short(scalar), lookup(RELATIONSHIP_TYPES, RELATIONSHIP_TEMPLATES))]
    pub r#type: Option<Reference<()>>,
    /// The property values of the relationship: its desired state.
    #[field(assigns(title = "property"), value)]
    pub properties: Values,
    /// The initial attribute values of the relationship.
    #[field(since = V1_3, assigns(title = "attribute", also = "properties"), value)]
    pub attributes: Values,
    /// The implementations that run when operations are called on the relationship.
    #[field(assigns(undeclared = warning))]
    pub interfaces: Members<InterfaceAssignment>,
}
