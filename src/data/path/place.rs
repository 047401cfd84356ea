//! Where values stand, and what `SELF` means there.

use crate::data::capability::{choose_capability, target_capability};
use crate::data::schema::Schema;
use crate::entity::{AnyId, Entity, Id, Members};
use crate::grammar::definition::{
    AttributeDefinition, CapabilityDefinition, PropertyDefinition, RelationshipDefinition, RequirementDefinition,
};
use crate::grammar::template::{
    CapabilityAssignment, GroupDefinition, NodeTemplate, PolicyDefinition, RelationshipAssignment,
    RelationshipTemplate, RequirementAssignment, ServiceTemplate, SubstitutionMapping, WorkflowDefinition,
};
use crate::grammar::types::{CapabilityType, InterfaceType, NodeType, RelationshipType};
use crate::grammar::version::V2_0;
use crate::phase::Context;
use crate::symbol::Symbol;

/// Where a value stands.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The entity that holds the value.
    pub at: AnyId,
    /// For validation clauses: what the value under validation is like.
    pub value: Option<Schema<'a>>,
    /// Whether the value is a condition about nodes that are looked for, of which little is known.
    pub is_filter: bool,
    /// What `SELF` means, where that does not follow from the entity: for conditions about a certain candidate.
    pub subject: Option<Here>,
}

/// What `SELF` is, or where a path has led.
#[derive(Clone, Copy, Debug)]
pub enum Here<N = NodeHere, R = RelationshipHere, C = CapabilityHere> {
    /// It can't be known.
    Unknown,
    /// There is nothing that it could be.
    Nowhere,
    /// A node.
    Node(N),
    /// A relationship.
    Relationship(R),
    /// A capability.
    Capability(C),
}

/// A node, as far as it is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeHere {
    /// Its template.
    pub template: Option<Id<NodeTemplate>>,
    /// Its type.
    pub node_type: Option<Id<NodeType>>,
    /// Whether it may be of a derived type, since only a type says which node it is.
    pub may_be_derived: bool,
}

/// A relationship, as far as it is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct RelationshipHere {
    /// Its type.
    pub relationship_type: Option<Id<RelationshipType>>,
    /// What the requirement definition says of it.
    pub definition: Option<Id<RelationshipDefinition>>,
    /// The node where it starts.
    pub source: NodeHere,
    /// The node where it ends.
    pub target: NodeHere,
    /// The capability at which it ends.
    pub capability: CapabilityHere,
    /// What is assigned to it where it is required.
    pub assignment: Option<Id<RelationshipAssignment>>,
    /// Its template.
    pub template: Option<Id<RelationshipTemplate>>,
}

/// A capability, as far as it is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct CapabilityHere {
    /// Its type, for a capability of which no more is known.
    pub capability_type: Option<Id<CapabilityType>>,
    /// Its definition.
    pub definition: Option<Id<CapabilityDefinition>>,
    /// What is assigned to it.
    pub assignment: Option<Id<CapabilityAssignment>>,
    /// The node that has it.
    pub node: NodeHere,
}

impl<'a> Place<'a> {
    /// The place of values that an entity holds.
    pub const fn of(at: AnyId) -> Self {
        Self { at, value: None, is_filter: false, subject: None }
    }

    /// The place of clauses that values with a schema must fulfil.
    pub const fn of_clause(at: AnyId, schema: Schema<'a>) -> Self {
        Self { at, value: Some(schema), is_filter: false, subject: None }
    }

    /// The place of a condition about nodes that are looked for.
    pub const fn of_filter(at: AnyId) -> Self {
        Self { at, value: None, is_filter: true, subject: None }
    }

    /// The place of a value where it is known what `SELF` means.
    pub const fn about(at: AnyId, subject: Here) -> Self {
        Self { at, value: None, is_filter: true, subject: Some(subject) }
    }

    /// The entity and its owners, nearest first.
    fn entities(&self, context: &Context<'_>) -> Vec<AnyId> {
        std::iter::once(self.at).chain(context.program.owners(self.at)).collect()
    }

    /// Whether the place is in a service template, rather than in a type that any service may use.
    pub fn is_in_service(&self, context: &Context<'_>) -> bool {
        self.entities(context).into_iter().any(|id| id.kind == ServiceTemplate::KIND)
    }

    /// Whether the place is in a node type of which the same file has templates.
    pub fn has_templates(&self, context: &Context<'_>) -> bool {
        let is_template = |id: &AnyId| id.kind == NodeTemplate::KIND;
        let of_types = self.entities(context).into_iter().filter(|id| id.kind == NodeType::KIND);
        of_types.into_iter().any(|id| context.program.referrers(id).iter().any(is_template))
    }

    /// The workflow in which the place is.
    pub fn workflow(&self, context: &Context<'_>) -> Option<Id<WorkflowDefinition>> {
        self.entities(context).into_iter().find_map(AnyId::cast)
    }

    /// What `SELF` means.
    pub fn here(&self, context: &Context<'_>) -> Here {
        if let Some(subject) = self.subject {
            return subject;
        }
        // In a requirement, `SELF` is the relationship; before 2.0 it was so only within the relationship itself.
        let is_modern = context.version(self.at) >= V2_0;
        let mut in_relationship = is_modern;
        for id in self.entities(context) {
            let owner = context.header(id).and_then(|header| header.owner).map(|owner| owner.of(id.unit));
            in_relationship |= matches!(id.kind, RelationshipAssignment::KIND | RelationshipDefinition::KIND);
            if let Some(id) = id.cast::<NodeTemplate>() {
                return Here::Node(NodeHere::of_template(context, id));
            } else if let Some(id) = id.cast::<NodeType>() {
                return Here::Node(NodeHere { node_type: known(context, id), ..NodeHere::default() });
            } else if let Some(id) = id.cast::<RelationshipTemplate>() {
                return Here::Relationship(RelationshipHere::of_template(context, id));
            } else if let Some(id) = id.cast::<RelationshipType>() {
                let relationship_type = known(context, id);
                return Here::Relationship(RelationshipHere { relationship_type, ..RelationshipHere::default() });
            } else if let Some(requirement) = id.cast::<RequirementAssignment>().filter(|_| in_relationship) {
                let source = owner.and_then(AnyId::cast).map(|node| NodeHere::of_template(context, node));
                let source = source.unwrap_or_default();
                return Here::Relationship(RelationshipHere::of_assignment(context, requirement, source));
            } else if let Some(requirement) = id.cast::<RequirementDefinition>().filter(|_| in_relationship) {
                let node_type = owner.and_then(AnyId::cast).and_then(|id| known(context, id));
                let source = NodeHere { node_type, ..NodeHere::default() };
                return Here::Relationship(RelationshipHere::of_definition(context, requirement, source));
            } else if let Some(id) = id.cast::<SubstitutionMapping>() {
                // What is looked for is a node that the service can stand for.
                let node_type = context.get(id).and_then(|mapping| context.target_of(mapping.node_type));
                return Here::Node(NodeHere { node_type, ..NodeHere::default() });
            } else if id.kind == ServiceTemplate::KIND || id.kind == InterfaceType::KIND && is_modern {
                return Here::Nowhere;
            } else if matches!(
                id.kind,
                InterfaceType::KIND | WorkflowDefinition::KIND | PolicyDefinition::KIND | GroupDefinition::KIND
            ) {
                return Here::Unknown;
            }
        }
        Here::Unknown
    }

    /// Whether there can be a node of which several are made from one template.
    pub fn is_in_node(&self, context: &Context<'_>) -> bool {
        let is_node = |id: &AnyId| matches!(id.kind, NodeTemplate::KIND | NodeType::KIND);
        let is_other =
            |id: &AnyId| matches!(id.kind, ServiceTemplate::KIND | RelationshipType::KIND | RelationshipTemplate::KIND);
        self.entities(context).iter().find(|id| is_node(id) || is_other(id)).is_none_or(is_node)
            || self.workflow(context).is_some()
    }

    /// Whether there can be a relationship of which several are made for one requirement.
    pub fn is_in_relationship(&self, context: &Context<'_>) -> bool {
        let is_relationship = |id: &AnyId| {
            matches!(
                id.kind,
                RequirementAssignment::KIND
                    | RequirementDefinition::KIND
                    | RelationshipType::KIND
                    | RelationshipTemplate::KIND
            )
        };
        let is_other = |id: &AnyId| matches!(id.kind, ServiceTemplate::KIND | NodeType::KIND | NodeTemplate::KIND);
        self.entities(context).iter().find(|id| is_relationship(id) || is_other(id)).is_none_or(is_relationship)
            || self.workflow(context).is_some()
    }
}

/// The requirements that name a template, or a template for their relationships.
fn requirements_that_name(context: &Context<'_>, template: AnyId) -> impl Iterator<Item = Id<RequirementAssignment>> {
    let users = context.program.referrers(template).iter();
    users.filter_map(|user| std::iter::once(*user).chain(context.program.owners(*user)).find_map(AnyId::cast))
}

/// A type, unless what it inherits can't be known.
fn known<T: Entity>(context: &Context<'_>, id: Id<T>) -> Option<Id<T>> {
    context.program.is_known(id.any()).then_some(id)
}

impl NodeHere {
    /// The node that is made from a template.
    pub fn of_template(context: &Context<'_>, id: Id<NodeTemplate>) -> Self {
        let node_type = context.get(id).and_then(|template| context.target_of(template.r#type));
        Self { template: Some(id), node_type, may_be_derived: false }
    }

    /// A node of a type, or of one that is derived from it.
    fn of_type(node_type: Option<Id<NodeType>>) -> Self {
        Self { template: None, node_type, may_be_derived: true }
    }

    /// The node that a requirement assignment names, or any of the type that it names.
    fn named(context: &Context<'_>, assignment: &RequirementAssignment) -> Option<Self> {
        let target = assignment.node.reference.and_then(|reference| context.any_target(reference))?;
        match target.cast::<NodeTemplate>() {
            Some(template) => Some(Self::of_template(context, template)),
            None => Some(Self::of_type(Some(target.cast()?))),
        }
    }
}

impl CapabilityHere {
    /// A capability that a node type defines, and what a node assigns to it.
    pub fn of_node(context: &Context<'_>, definition: Id<CapabilityDefinition>, node: NodeHere) -> Self {
        let name = context.header(definition.any()).map(|header| header.name);
        let template = node.template.and_then(|template| context.get(template));
        let assignment = template.zip(name).and_then(|(template, name)| template.capabilities.get(name));
        Self { capability_type: None, definition: Some(definition), assignment, node }
    }
}

impl RelationshipHere {
    /// A relationship that is made as a template says. Its ends are known if one requirement names the template.
    pub fn of_template(context: &Context<'_>, id: Id<RelationshipTemplate>) -> Self {
        let relationship_type = context.get(id).and_then(|template| context.target_of(template.r#type));
        let mut requirements = requirements_that_name(context, id.any());
        let here = match requirements.next() {
            Some(requirement) if requirements.all(|other| other == requirement) => Self::of_own(context, requirement),
            _ => Self::default(),
        };
        Self { relationship_type, template: Some(id), ..here }
    }

    /// The relationship that ends at a capability of a node, if one requirement names the node.
    pub fn ending_at(context: &Context<'_>, capability: CapabilityHere) -> Option<Self> {
        /// A node that more requirements name than these would have to be looked at very often.
        const MOST: usize = 16;
        let requirements = requirements_that_name(context, capability.node.template?.any());
        let requirements: Vec<Id<RequirementAssignment>> = requirements.take(MOST + 1).collect();
        let here = requirements.iter().filter(|_| requirements.len() <= MOST).map(|id| Self::of_own(context, *id));
        let mut ending = here
            .filter(|here| here.capability.definition.is_none() || here.capability.definition == capability.definition);
        let here = ending.next().filter(|here| here.capability.definition.is_some() && ending.next().is_none())?;
        // Others may end there when the service is deployed, so it is not certain which node the source is.
        Some(Self { source: NodeHere { template: None, ..here.source }, ..here })
    }

    /// The relationship of a requirement that a node template of the program assigns.
    fn of_own(context: &Context<'_>, id: Id<RequirementAssignment>) -> Self {
        let source = context.program.owners(id.any()).find_map(AnyId::cast);
        let source = source.map(|node| NodeHere::of_template(context, node)).unwrap_or_default();
        Self::of_assignment(context, id, source)
    }

    /// The definition of a property.
    pub fn property(&self, context: &Context<'_>, name: Symbol) -> Option<Id<PropertyDefinition>> {
        self.member(context, name, |of_type| &of_type.properties, |definition| &definition.properties)
    }

    /// The definition of an attribute.
    pub fn attribute(&self, context: &Context<'_>, name: Symbol) -> Option<Id<AttributeDefinition>> {
        self.member(context, name, |of_type| &of_type.attributes, |definition| &definition.attributes)
    }

    /// What defines a member: the requirement definition if it refines what the type of the relationship has from the
    /// type that the definition names, else the type.
    fn member<E: Entity>(
        &self,
        context: &Context<'_>,
        name: Symbol,
        of_type: fn(&RelationshipType) -> &Members<E>,
        of_definition: fn(&RelationshipDefinition) -> &Members<E>,
    ) -> Option<Id<E>> {
        let in_type = |id| of_type(context.get(id)?).get(name);
        let own = self.relationship_type.and_then(in_type);
        let Some(definition) = self.definition.and_then(|id| context.get(id)) else { return own };
        let base = context.target_of(definition.r#type).and_then(in_type);
        if own == base { of_definition(definition).get(name).or(own) } else { own }
    }

    /// The relationship of a requirement that a node type defines.
    pub fn of_definition(context: &Context<'_>, id: Id<RequirementDefinition>, source: NodeHere) -> Self {
        let Some(requirement) = context.get(id) else { return Self { source, ..Self::default() } };
        let relationship = requirement.relationship.0.and_then(|id| context.get(id));
        let node_type = context.target_of(requirement.node);
        let target = NodeHere::of_type(node_type);
        Self {
            relationship_type: relationship.and_then(|relationship| context.target_of(relationship.r#type)),
            definition: requirement.relationship.0,
            source,
            target,
            capability: CapabilityHere {
                capability_type: context.target_of(requirement.capability),
                definition: requirement
                    .capability
                    .and_then(|wanted| choose_capability(context, wanted.erased(), node_type?)),
                assignment: None,
                node: target,
            },
            ..Self::default()
        }
    }

    /// The type of the relationship of a requirement that a node of a type assigns.
    pub fn type_of_assignment(
        context: &Context<'_>,
        id: Id<RequirementAssignment>,
        node_type: Option<Id<NodeType>>,
    ) -> Option<Id<RelationshipType>> {
        let assigned = || {
            let target = context.any_target(context.get(context.get(id)?.relationship.0?)?.r#type?)?;
            let of_template = |id: Id<RelationshipTemplate>| context.target_of(context.get(id)?.r#type);
            target.cast().or_else(|| of_template(target.cast()?))
        };
        let defined = || {
            let name = context.header(id.any())?.name;
            let definition = context.get(node_type?)?.requirements.get(name)?;
            context.target_of(context.get(context.get(definition)?.relationship.0?)?.r#type)
        };
        assigned().or_else(defined)
    }

    /// The capability at which the relationship of a requirement ends that a node template assigns.
    pub fn capability_of_assignment(
        context: &Context<'_>,
        id: Id<RequirementAssignment>,
        source: Id<NodeTemplate>,
    ) -> Option<Id<CapabilityDefinition>> {
        let node_type = NodeHere::of_template(context, source).node_type?;
        let definition = context.get(node_type)?.requirements.get(context.header(id.any())?.name)?;
        Self::capability_asked(context, context.get(id)?, context.get(definition)?)
    }

    /// The same, given what defines the requirement.
    pub fn capability_asked(
        context: &Context<'_>,
        assignment: &RequirementAssignment,
        definition: &RequirementDefinition,
    ) -> Option<Id<CapabilityDefinition>> {
        let target = match NodeHere::named(context, assignment) {
            Some(named) => named.node_type,
            None => context.target_of(definition.node),
        };
        let wanted = definition.capability?.erased();
        choose_capability(context, assignment.capability.unwrap_or(wanted), target?)
    }

    /// The relationship of a requirement that a node template assigns.
    pub fn of_assignment(context: &Context<'_>, id: Id<RequirementAssignment>, source: NodeHere) -> Self {
        let program = context.program;
        let name = program.header(id.any()).map(|header| header.name);
        let definition = source
            .node_type
            .and_then(|node_type| context.get(node_type))
            .and_then(|node_type| node_type.requirements.get(name?));
        let mut here = match definition {
            Some(definition) => Self::of_definition(context, definition, source),
            None => Self { source, ..Self::default() },
        };
        let Some(assignment) = context.get(id) else { return here };
        here.target = NodeHere::named(context, assignment).unwrap_or(here.target);
        let relationship =
            assignment.relationship.0.and_then(|id| context.get(id)).and_then(|assigned| assigned.r#type);
        here.assignment = assignment.relationship.0;
        if let Some(target) = relationship.and_then(|reference| context.any_target(reference)) {
            here.template = target.cast();
            let of_template = || context.target_of(context.get(here.template?)?.r#type);
            here.relationship_type = target.cast().or_else(of_template).or(here.relationship_type);
        }
        let capability_type = here.capability.capability_type;
        let ends = (here.source.node_type, here.target.node_type);
        here.capability = match target_capability(context, id, ends) {
            Some(definition) => {
                CapabilityHere { capability_type, ..CapabilityHere::of_node(context, definition, here.target) }
            }
            None => CapabilityHere { capability_type, node: here.target, ..CapabilityHere::default() },
        };
        here
    }
}
