//! The requirements that a template leaves open.

use foldhash::HashSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::index::Index;
use super::resolution::Slot;
use crate::ard::{Kind, Node};
use crate::data::{Evaluator, NodeContext, RelationshipContext, ValueContext, computed_integer};
use crate::entity::{AnyId, Id, NodeRef, Reference, Value};
use crate::grammar::definition::RequirementDefinition;
use crate::grammar::template::{NodeTemplate, RequirementAssignment, ServiceTemplate, SubstitutionMapping};
use crate::grammar::types::NodeType;
use crate::member_limit::first_over_limit;
use crate::phase::Context;
use crate::relationships::{mandatory, missing_relationships};
use crate::symbol::Symbol;

/// A search for nodes that fulfill a requirement.
pub(super) struct RequirementQuery<'a> {
    /// The index of the node that has the requirement.
    pub(super) source: usize,
    pub(super) name: Symbol,
    pub(super) slot: Slot,
    pub(super) assignment: Option<&'a RequirementAssignment>,
    /// The conditions that only concern types.
    pub(super) asked: TypeConstraints,
    /// The conditions for the node, with the entities that contain them. The condition of the assignment comes first.
    pub(super) filters: Vec<(AnyId, NodeRef)>,
    /// The number of required relationships; `None` if it is not known.
    pub(super) count: Option<u64>,
    pub(super) optional: bool,
    /// The reason for skipping the search, if it is skipped.
    pub(super) skipped: Option<Skipped>,
    /// The entity at which problems are reported: the assignment, or else the node template.
    pub(super) at: AnyId,
}

/// The required types of nodes, capabilities and relationships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TypeConstraints {
    /// The type of the node that has the requirement.
    pub(super) source: AnyId,
    /// The required type of the node.
    pub(super) node: Option<AnyId>,
    pub(super) capability: CapabilityConstraint,
    /// The type of the relationship.
    pub(super) relationship: Option<AnyId>,
}

/// The required capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum CapabilityConstraint {
    /// Any capability.
    Any,
    /// A capability of a type.
    Type(AnyId),
    /// The capability with this name.
    Name(Symbol),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skipped {
    External,
    Mapped,
}

impl<'a> RequirementQuery<'a> {
    /// Returns all open requirements, in the order of the template.
    pub(super) fn all(
        context: &mut Context<'a>,
        id: Id<ServiceTemplate>,
        service: &ServiceTemplate,
        index: &Index<'a>,
    ) -> Vec<Self> {
        let mapped = mapped(context, service);
        let mut demands = Vec::new();
        let mut needs: FxHashMap<Id<NodeType>, Vec<(Symbol, Id<RequirementDefinition>)>> = FxHashMap::default();
        // Nodes beyond the size limit of models are not considered either.
        let room = first_over_limit(context, id).unwrap_or(usize::MAX);
        let with_room: FxHashSet<_> = service.node_templates.iter().take(room).map(|(_, id)| id).collect();
        for (source, node) in index.nodes.iter().enumerate() {
            // Everything else in a selected node is ignored (2.0, 7.2.1).
            if node.template.directives.only_selects() || node.count == Some(0) {
                continue;
            }
            let of_type = index.type_of(source);
            for (name, id) in &node.template.requirements {
                demands.extend(Self::assigned(context, index, source, *name, *id));
            }
            if !with_room.contains(&node.id) {
                continue;
            }
            let needs = needs.entry(of_type.id);
            let needs = needs.or_insert_with(|| mandatory(context, &of_type.node_type.requirements).collect());
            for (name, id) in needs {
                let missing = missing_relationships(context, node.id.any(), node.template, *name, *id);
                if missing > 0 {
                    demands.extend(Self::implied(context, of_type.id, source, *name, *id, missing, node.id));
                }
            }
        }
        for demand in &mut demands {
            let node = &index.nodes[demand.source];
            if mapped.contains(&(node.name, context.text(demand.name))) {
                demand.skipped = Some(Skipped::Mapped);
            }
        }
        demands
    }

    /// Returns whether the query allocates anything from the capability.
    pub(super) fn allocates(&self) -> bool {
        self.assignment.is_some_and(|assignment| assignment.allocation.position.is_some())
    }

    /// Returns the names of the allocated properties, as one string.
    pub(super) fn allocated(&self, context: &Context<'_>) -> String {
        let allocation = self.assignment.and_then(|assignment| context.node(assignment.allocation.position?));
        let names: Vec<&str> = allocation.iter().flat_map(|map| map.entries()).map(|entry| entry.key.text()).collect();
        names.join("\n")
    }

    fn assigned(
        context: &mut Context<'a>,
        index: &Index<'a>,
        source: usize,
        name: Symbol,
        id: Id<RequirementAssignment>,
    ) -> Option<Self> {
        let assignment = context.get(id)?;
        let target = assignment.node.reference.and_then(|reference| context.any_target(reference));
        if target.is_some_and(|target| target.kind == <NodeTemplate as crate::entity::Entity>::KIND) {
            return None;
        }
        let of_type = index.type_of(source);
        let definition = of_type.node_type.requirements.get(name).and_then(|id| Some((id, context.get(id)?)));
        let here = RelationshipContext::of_assignment(context, id, index.here(source));
        let own_type: Option<Id<NodeType>> = target.and_then(AnyId::cast);
        let of_definition = definition.and_then(|(_, definition)| context.target_of(definition.node));
        let capability = assignment
            .capability
            .or_else(|| definition.and_then(|(_, definition)| definition.capability.map(Reference::erased)));
        let asked = TypeConstraints {
            source: of_type.id.any(),
            node: own_type.or(of_definition).map(Id::any),
            capability: wanted(context, capability)?,
            relationship: here.relationship_type.map(Id::any),
        };
        let count = match assignment.count {
            None => Some(1),
            Some(Value(count)) => {
                let place = ValueContext::of(index.nodes[source].id.any());
                computed_integer(&mut Evaluator::of_values(context, place), count)
            }
        };
        let words = &assignment.directives.words;
        let is_internal = |word: NodeRef| context.node(word).is_some_and(|word| word.text() == "internal");
        let is_external = !words.is_empty() && !words.iter().any(|word| is_internal(word.0));
        Some(Self {
            source,
            name,
            slot: Slot::Assigned(id),
            assignment: Some(assignment),
            asked,
            filters: filters(context, id, assignment, definition.map(|(id, _)| id)),
            count,
            optional: assignment.optional.as_ref().is_some_and(|optional| optional.value),
            skipped: is_external.then_some(Skipped::External),
            at: id.any(),
        })
    }

    fn implied(
        context: &Context<'a>,
        of_type: Id<NodeType>,
        source: usize,
        name: Symbol,
        id: Id<RequirementDefinition>,
        missing: u64,
        node: Id<NodeTemplate>,
    ) -> Option<Self> {
        let definition = context.get(id)?;
        let here = NodeContext { template: Some(node), node_type: Some(of_type), ..NodeContext::default() };
        let relationship = RelationshipContext::of_definition(context, id, here);
        Some(Self {
            source,
            name,
            slot: Slot::Implied(name),
            assignment: None,
            asked: TypeConstraints {
                source: of_type.any(),
                node: context.target_of(definition.node).map(Id::any),
                capability: wanted(context, definition.capability.map(Reference::erased))?,
                relationship: relationship.relationship_type.map(Id::any),
            },
            filters: filters_of(id, definition).collect(),
            count: Some(missing),
            optional: false,
            skipped: None,
            at: node.any(),
        })
    }
}

/// Returns the filters of an assignment and of the definition.
pub(super) fn filters(
    context: &Context<'_>,
    id: Id<RequirementAssignment>,
    assignment: &RequirementAssignment,
    definition: Option<Id<RequirementDefinition>>,
) -> Vec<(AnyId, NodeRef)> {
    let own = assignment.node_filter.iter().map(|Value(filter)| (id.any(), *filter));
    let definition = definition.and_then(|id| Some((id, context.get(id)?)));
    own.chain(definition.into_iter().flat_map(|(id, definition)| filters_of(id, definition))).collect()
}

fn filters_of(
    id: Id<RequirementDefinition>,
    definition: &RequirementDefinition,
) -> impl Iterator<Item = (AnyId, NodeRef)> {
    definition.node_filter.iter().map(move |Value(filter)| (id.any(), filter))
}

/// Returns the required capability; `None` if it is not known.
fn wanted(context: &Context<'_>, capability: Option<Reference<()>>) -> Option<CapabilityConstraint> {
    let Some(capability) = capability else { return Some(CapabilityConstraint::Any) };
    match context.any_target(capability) {
        Some(capability_type) => Some(CapabilityConstraint::Type(capability_type)),
        None if context.names_incomplete(capability) => None,
        None => Some(CapabilityConstraint::Name(capability.name)),
    }
}

/// Returns the requirements that represent requirements of the substituted node, each as the names of the node template
/// and the requirement.
fn mapped<'a>(context: &Context<'a>, service: &ServiceTemplate) -> HashSet<(&'a str, &'a str)> {
    let mut pairs = HashSet::default();
    let mapping = service.substitution_mappings.and_then(|id| context.get(id));
    let mappings = mapping.into_iter().flat_map(SubstitutionMapping::requirements);
    let targets = mappings.filter_map(|id| context.node(context.get(id)?.targets?.0));
    let mut waiting: Vec<Node<'a>> = targets.collect();
    while let Some(node) = waiting.pop() {
        match node.kind() {
            Kind::Map => waiting.extend(node.entries().map(|entry| entry.value)),
            Kind::List => {
                let items: Vec<Node<'a>> = node.items().collect();
                match items[..] {
                    [template, requirement]
                        if template.kind() == Kind::String && requirement.kind() == Kind::String =>
                    {
                        pairs.insert((template.text(), requirement.text()));
                    }
                    _ => waiting.extend(items),
                }
            }
            _ => {}
        }
    }
    pairs
}
