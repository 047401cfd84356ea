//! The places of values, and the meaning of `SELF` there.

use crate::data::capability::{choose_capability, target_capability};
use crate::data::schema::Schema;
use crate::entity::{AnyId, Entity, Id, Members, Reference};
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

/// The place of a value.
#[derive(Clone, Copy, Debug)]
pub struct ValueContext<'a> {
    /// The entity that contains the value.
    pub at: AnyId,
    /// For validation clauses: the schema of the value under validation.
    pub value: Option<Schema<'a>>,
    /// Whether the value is a condition on nodes that have not been found yet, so little is known about them.
    pub is_filter: bool,
    /// The meaning of `SELF`, if it does not follow from the entity, as for conditions on a certain candidate.
    pub subject: Option<PathContext>,
}

/// The meaning of `SELF`, or the target of a path.
#[derive(Clone, Copy, Debug)]
pub enum PathContext<N = NodeContext, R = RelationshipContext, C = CapabilityContext> {
    /// The target is unknown.
    Unknown,
    /// There is no possible target.
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
pub struct NodeContext {
    /// The template of the node.
    pub template: Option<Id<NodeTemplate>>,
    /// The type of the node.
    pub node_type: Option<Id<NodeType>>,
    /// Whether the node may have a derived type, because only its type is known.
    pub may_be_derived: bool,
    /// The relationship type that lists the possible types, if there are several.
    pub end: Option<RelationshipEnd>,
}

/// An end of the relationships of a type.
#[derive(Clone, Copy, Debug)]
pub struct RelationshipEnd {
    /// The type.
    pub of: Id<RelationshipType>,
    /// Whether this is the source, rather than the target.
    pub is_source: bool,
}

impl RelationshipEnd {
    /// The maximum number of node types to look at.
    const MAX_TYPES: usize = 32;

    /// Returns the node types that the relationship type accepts here; empty if they are unknown.
    pub fn node_types(self, context: &Context<'_>) -> Vec<Id<NodeType>> {
        let Some(of_type) = context.get(self.of).filter(|_| context.is_complete(self.of.any())) else {
            return Vec::new();
        };
        let (sources, targets) = (&of_type.valid_source_node_types, &of_type.valid_target_node_types);
        let listed = if self.is_source { sources } else { targets };
        // Before 2.0, node types are tolerated among the capability types (decision B 10).
        let tolerated = if self.is_source || !targets.is_empty() { &[][..] } else { &of_type.valid_target_types };
        if listed.len().max(tolerated.len()) > Self::MAX_TYPES {
            return Vec::new();
        }
        let tolerated = tolerated.iter().map(|reference: &Reference<()>| context.any_target(*reference)?.cast());
        let types = listed.iter().map(|reference| context.target_of(Some(*reference))).chain(tolerated);
        let is_known = |types: &Vec<Id<NodeType>>| types.iter().all(|id| context.is_complete(id.any()));
        types.collect::<Option<Vec<_>>>().filter(is_known).unwrap_or_default()
    }
}

/// A relationship, as far as it is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct RelationshipContext {
    /// The type of the relationship.
    pub relationship_type: Option<Id<RelationshipType>>,
    /// The relationship definition in its requirement definition.
    pub definition: Option<Id<RelationshipDefinition>>,
    /// The source node.
    pub source: NodeContext,
    /// The target node.
    pub target: NodeContext,
    /// The target capability.
    pub capability: CapabilityContext,
    /// The relationship assignment in the requirement assignment.
    pub assignment: Option<Id<RelationshipAssignment>>,
    /// The template of the relationship.
    pub template: Option<Id<RelationshipTemplate>>,
}

/// A capability, as far as it is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct CapabilityContext {
    /// The type, if only the type is known.
    pub capability_type: Option<Id<CapabilityType>>,
    /// The definition of the capability.
    pub definition: Option<Id<CapabilityDefinition>>,
    /// The assignment.
    pub assignment: Option<Id<CapabilityAssignment>>,
    /// The node of the capability.
    pub node: NodeContext,
}

impl<'a> ValueContext<'a> {
    /// Returns the place of values in an entity.
    pub const fn of(at: AnyId) -> Self {
        Self { at, value: None, is_filter: false, subject: None }
    }

    /// Returns the place of clauses for values with a schema.
    pub const fn of_clause(at: AnyId, schema: Schema<'a>) -> Self {
        Self { at, value: Some(schema), is_filter: false, subject: None }
    }

    /// Returns the place of a condition on nodes that are still to be found.
    pub const fn of_filter(at: AnyId) -> Self {
        Self { at, value: None, is_filter: true, subject: None }
    }

    /// Returns the place of a value for which the meaning of `SELF` is known.
    pub const fn about(at: AnyId, subject: PathContext) -> Self {
        Self { at, value: None, is_filter: true, subject: Some(subject) }
    }

    /// Returns the entity and its owners, nearest first.
    fn entities(&self, context: &Context<'_>) -> Vec<AnyId> {
        std::iter::once(self.at).chain(context.program.owners(self.at)).collect()
    }

    /// Returns whether the place is in a service template, rather than in a type that any service may use.
    pub fn is_in_service(&self, context: &Context<'_>) -> bool {
        self.entities(context).into_iter().any(|id| id.kind == ServiceTemplate::KIND)
    }

    /// Returns whether the place is in a type of nodes or relationships, and the same file has templates of this type.
    pub fn has_templates(&self, context: &Context<'_>) -> bool {
        let program = context.program;
        let is_node = |id: &AnyId| id.kind == NodeTemplate::KIND;
        let is_template = |id: &AnyId| match id.kind {
            NodeTemplate::KIND | RelationshipTemplate::KIND | RelationshipAssignment::KIND => true,
            RelationshipDefinition::KIND => program
                .owners(*id)
                .any(|owner| owner.kind == NodeType::KIND && program.referrers(owner).iter().any(is_node)),
            _ => false,
        };
        let is_type = |id: &AnyId| matches!(id.kind, NodeType::KIND | RelationshipType::KIND);
        let of_types = self.entities(context).into_iter().filter(is_type);
        of_types.into_iter().any(|id| program.referrers(id).iter().any(is_template))
    }

    /// Returns the workflow that contains the place.
    pub fn workflow(&self, context: &Context<'_>) -> Option<Id<WorkflowDefinition>> {
        self.entities(context).into_iter().find_map(AnyId::cast)
    }

    /// Returns the meaning of `SELF`.
    pub fn here(&self, context: &Context<'_>) -> PathContext {
        if let Some(subject) = self.subject {
            return subject;
        }
        // In a requirement, `SELF` is the relationship; before 2.0 only within the relationship itself.
        let is_modern = context.version(self.at) >= V2_0;
        let mut in_relationship = is_modern;
        for id in self.entities(context) {
            let owner = context.header(id).and_then(|header| header.owner).map(|owner| owner.of(id.unit));
            in_relationship |= matches!(id.kind, RelationshipAssignment::KIND | RelationshipDefinition::KIND);
            if let Some(id) = id.cast::<NodeTemplate>() {
                return PathContext::Node(NodeContext::of_template(context, id));
            } else if let Some(id) = id.cast::<NodeType>() {
                return PathContext::Node(NodeContext { node_type: known(context, id), ..NodeContext::default() });
            } else if let Some(id) = id.cast::<RelationshipTemplate>() {
                return PathContext::Relationship(RelationshipContext::of_template(context, id));
            } else if let Some(id) = id.cast::<RelationshipType>() {
                return PathContext::Relationship(RelationshipContext::of_type(context, id));
            } else if let Some(requirement) = id.cast::<RequirementAssignment>().filter(|_| in_relationship) {
                let source = owner.and_then(AnyId::cast).map(|node| NodeContext::of_template(context, node));
                let source = source.unwrap_or_default();
                return PathContext::Relationship(RelationshipContext::of_assignment(context, requirement, source));
            } else if let Some(requirement) = id.cast::<RequirementDefinition>().filter(|_| in_relationship) {
                let node_type = owner.and_then(AnyId::cast).and_then(|id| known(context, id));
                let source = NodeContext { node_type, ..NodeContext::default() };
                return PathContext::Relationship(RelationshipContext::of_definition(context, requirement, source));
            } else if let Some(id) = id.cast::<SubstitutionMapping>() {
                // The filter selects nodes that the service can substitute.
                let node_type = context.get(id).and_then(|mapping| context.target_of(mapping.node_type));
                return PathContext::Node(NodeContext { node_type, ..NodeContext::default() });
            } else if id.kind == ServiceTemplate::KIND || id.kind == InterfaceType::KIND && is_modern {
                return PathContext::Nowhere;
            } else if matches!(
                id.kind,
                InterfaceType::KIND | WorkflowDefinition::KIND | PolicyDefinition::KIND | GroupDefinition::KIND
            ) {
                return PathContext::Unknown;
            }
        }
        PathContext::Unknown
    }

    /// Returns whether the place may be in one of several nodes that one template creates.
    pub fn is_in_node(&self, context: &Context<'_>) -> bool {
        let is_node = |id: &AnyId| matches!(id.kind, NodeTemplate::KIND | NodeType::KIND);
        let is_other =
            |id: &AnyId| matches!(id.kind, ServiceTemplate::KIND | RelationshipType::KIND | RelationshipTemplate::KIND);
        self.entities(context).iter().find(|id| is_node(id) || is_other(id)).is_none_or(is_node)
            || self.workflow(context).is_some()
    }

    /// Returns whether the place may be in one of several relationships that one requirement creates.
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

/// Returns the requirement assignments that name a node template or relationship template.
fn requirements_that_name(context: &Context<'_>, template: AnyId) -> impl Iterator<Item = Id<RequirementAssignment>> {
    let users = context.program.referrers(template).iter();
    users.filter_map(|user| std::iter::once(*user).chain(context.program.owners(*user)).find_map(AnyId::cast))
}

/// Returns a type, unless its inherited members are unknown.
fn known<T: Entity>(context: &Context<'_>, id: Id<T>) -> Option<Id<T>> {
    context.program.is_known(id.any()).then_some(id)
}

impl NodeContext {
    /// Returns the node of a template.
    pub fn of_template(context: &Context<'_>, id: Id<NodeTemplate>) -> Self {
        let node_type = context.get(id).and_then(|template| context.target_of(template.r#type));
        Self { template: Some(id), node_type, ..Self::default() }
    }

    /// Returns a node of the given type or of a type derived from it.
    fn of_type(node_type: Option<Id<NodeType>>) -> Self {
        Self { node_type, may_be_derived: true, ..Self::default() }
    }

    /// Returns a node at an end of a relationship.
    fn at_end(context: &Context<'_>, end: RelationshipEnd) -> Self {
        match end.node_types(context)[..] {
            [] => Self::default(),
            [node_type] => Self::of_type(Some(node_type)),
            _ => Self { end: Some(end), ..Self::of_type(None) },
        }
    }

    /// Returns the possible types of the node, without those derived from them; empty if they are unknown.
    pub fn types(self, context: &Context<'_>) -> Vec<Id<NodeType>> {
        match (self.node_type, self.end) {
            (Some(node_type), _) => vec![node_type],
            (None, Some(end)) => end.node_types(context),
            (None, None) => Vec::new(),
        }
    }

    /// Returns the node that a requirement assignment names, or any node of the named type.
    fn named(context: &Context<'_>, assignment: &RequirementAssignment) -> Option<Self> {
        let target = assignment.node.reference.and_then(|reference| context.any_target(reference))?;
        match target.cast::<NodeTemplate>() {
            Some(template) => Some(Self::of_template(context, template)),
            None => Some(Self::of_type(Some(target.cast()?))),
        }
    }
}

impl CapabilityContext {
    /// Returns a capability that a node type defines, with the node's assignments to it.
    pub fn of_node(context: &Context<'_>, definition: Id<CapabilityDefinition>, node: NodeContext) -> Self {
        let name = context.header(definition.any()).map(|header| header.name);
        let template = node.template.and_then(|template| context.get(template));
        let assignment = template.zip(name).and_then(|(template, name)| template.capabilities.get(name));
        Self { capability_type: None, definition: Some(definition), assignment, node }
    }
}

impl RelationshipContext {
    /// Returns any relationship of a type.
    fn of_type(context: &Context<'_>, id: Id<RelationshipType>) -> Self {
        let Some(id) = known(context, id) else { return Self::default() };
        Self {
            relationship_type: Some(id),
            source: NodeContext::at_end(context, RelationshipEnd { of: id, is_source: true }),
            target: NodeContext::at_end(context, RelationshipEnd { of: id, is_source: false }),
            ..Self::default()
        }
    }

    /// Returns the relationship of a template. Its source and target are known if exactly one requirement names the
    /// template.
    pub fn of_template(context: &Context<'_>, id: Id<RelationshipTemplate>) -> Self {
        let relationship_type = context.get(id).and_then(|template| context.target_of(template.r#type));
        let mut requirements = requirements_that_name(context, id.any());
        let here = match requirements.next() {
            Some(requirement) if requirements.all(|other| other == requirement) => Self::of_own(context, requirement),
            _ => relationship_type.map(|id| Self::of_type(context, id)).unwrap_or_default(),
        };
        Self { relationship_type, template: Some(id), ..here }
    }

    /// Returns the relationship that targets a capability of a node, if exactly one requirement names the node.
    pub fn ending_at(context: &Context<'_>, capability: CapabilityContext) -> Option<Self> {
        /// The maximum number of requirements to search.
        const MAX: usize = 16;
        let requirements = requirements_that_name(context, capability.node.template?.any());
        let requirements: Vec<Id<RequirementAssignment>> = requirements.take(MAX + 1).collect();
        let here = requirements.iter().filter(|_| requirements.len() <= MAX).map(|id| Self::of_own(context, *id));
        let mut ending = here
            .filter(|here| here.capability.definition.is_none() || here.capability.definition == capability.definition);
        let here = ending.next().filter(|here| here.capability.definition.is_some() && ending.next().is_none())?;
        // More relationships may target the capability when the service is deployed, so the source template is
        // uncertain.
        Some(Self { source: NodeContext { template: None, ..here.source }, ..here })
    }

    /// Returns the relationship for a requirement assignment, with the node template that contains the assignment as
    /// the source.
    fn of_own(context: &Context<'_>, id: Id<RequirementAssignment>) -> Self {
        let source = context.program.owners(id.any()).find_map(AnyId::cast);
        let source = source.map(|node| NodeContext::of_template(context, node)).unwrap_or_default();
        Self::of_assignment(context, id, source)
    }

    /// Returns the definition of a property.
    pub fn property(&self, context: &Context<'_>, name: Symbol) -> Option<Id<PropertyDefinition>> {
        self.member(context, name, |of_type| &of_type.properties, |definition| &definition.properties)
    }

    /// Returns the definition of an attribute.
    pub fn attribute(&self, context: &Context<'_>, name: Symbol) -> Option<Id<AttributeDefinition>> {
        self.member(context, name, |of_type| &of_type.attributes, |definition| &definition.attributes)
    }

    /// Returns the definition of a member: from the requirement definition if that refines an inherited member of the
    /// relationship's type, else from the type.
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

    /// Returns the relationship for a requirement that a node type defines.
    pub fn of_definition(context: &Context<'_>, id: Id<RequirementDefinition>, source: NodeContext) -> Self {
        let Some(requirement) = context.get(id) else { return Self { source, ..Self::default() } };
        let relationship = requirement.relationship.and_then(|id| context.get(id));
        let node_type = context.target_of(requirement.node);
        let target = NodeContext::of_type(node_type);
        Self {
            relationship_type: relationship.and_then(|relationship| context.target_of(relationship.r#type)),
            definition: requirement.relationship,
            source,
            target,
            capability: CapabilityContext {
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

    /// Returns the type of the relationship for a requirement assignment in a template of the given node type.
    pub fn type_of_assignment(
        context: &Context<'_>,
        id: Id<RequirementAssignment>,
        node_type: Option<Id<NodeType>>,
    ) -> Option<Id<RelationshipType>> {
        let assigned = || {
            let target = context.any_target(context.get(context.get(id)?.relationship?)?.r#type?)?;
            let of_template = |id: Id<RelationshipTemplate>| context.target_of(context.get(id)?.r#type);
            target.cast().or_else(|| of_template(target.cast()?))
        };
        let defined = || {
            let name = context.header(id.any())?.name;
            let definition = context.get(node_type?)?.requirements.get(name)?;
            context.target_of(context.get(context.get(definition)?.relationship?)?.r#type)
        };
        assigned().or_else(defined)
    }

    /// Returns the target capability of a requirement assignment in a node template.
    pub fn capability_of_assignment(
        context: &Context<'_>,
        id: Id<RequirementAssignment>,
        source: Id<NodeTemplate>,
    ) -> Option<Id<CapabilityDefinition>> {
        let node_type = NodeContext::of_template(context, source).node_type?;
        let definition = context.get(node_type)?.requirements.get(context.header(id.any())?.name)?;
        Self::capability_asked(context, context.get(id)?, context.get(definition)?)
    }

    /// Returns the target capability of a requirement assignment with a definition.
    pub fn capability_asked(
        context: &Context<'_>,
        assignment: &RequirementAssignment,
        definition: &RequirementDefinition,
    ) -> Option<Id<CapabilityDefinition>> {
        let target = match NodeContext::named(context, assignment) {
            Some(named) => named.node_type,
            None => context.target_of(definition.node),
        };
        let wanted = definition.capability?.erased();
        choose_capability(context, assignment.capability.unwrap_or(wanted), target?)
    }

    /// Returns the relationship for a requirement assignment of the given source node.
    pub fn of_assignment(context: &Context<'_>, id: Id<RequirementAssignment>, source: NodeContext) -> Self {
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
        here.target = NodeContext::named(context, assignment).unwrap_or(here.target);
        let relationship = assignment.relationship.and_then(|id| context.get(id)).and_then(|assigned| assigned.r#type);
        here.assignment = assignment.relationship;
        if let Some(target) = relationship.and_then(|reference| context.any_target(reference)) {
            here.template = target.cast();
            let of_template = || context.target_of(context.get(here.template?)?.r#type);
            here.relationship_type = target.cast().or_else(of_template).or(here.relationship_type);
        }
        let capability_type = here.capability.capability_type;
        let ends = (here.source.node_type, here.target.node_type);
        here.capability = match target_capability(context, id, ends) {
            Some(definition) => {
                CapabilityContext { capability_type, ..CapabilityContext::of_node(context, definition, here.target) }
            }
            None => CapabilityContext { capability_type, node: here.target, ..CapabilityContext::default() },
        };
        here
    }
}
