//! The nodes of a service, by their types and capabilities.

use rustc_hash::FxHashMap;

use crate::data::{Evaluator, NodeContext, ValueContext, computed_integer};
use crate::entity::{AnyId, Id, Value};
use crate::grammar::definition::CapabilityDefinition;
use crate::grammar::template::{NodeTemplate, ServiceTemplate};
use crate::grammar::types::NodeType;
use crate::phase::Context;
use crate::phase::hierarchy::Lineage;

/// The nodes of a service and their types.
pub(super) struct Index<'a> {
    /// The nodes of known types, in the order of their templates.
    pub(super) nodes: Vec<IndexedNode<'a>>,
    /// The types of nodes, in the order of their first nodes.
    pub(super) types: Vec<IndexedType<'a>>,
    by_capability: FxHashMap<AnyId, Vec<usize>>,
    by_type: FxHashMap<AnyId, Vec<usize>>,
    numbers: FxHashMap<AnyId, usize>,
}

pub(super) struct IndexedNode<'a> {
    pub(super) id: Id<NodeTemplate>,
    pub(super) name: &'a str,
    pub(super) template: &'a NodeTemplate,
    /// The index of the node's type.
    pub(super) of_type: usize,
    /// The number of nodes that are created from the template; `None` if it is not known.
    pub(super) count: Option<u64>,
}

pub(super) struct IndexedType<'a> {
    pub(super) id: Id<NodeType>,
    pub(super) node_type: &'a NodeType,
    /// The nodes of the type, in order.
    pub(super) nodes: Vec<usize>,
}

impl<'a> Index<'a> {
    pub(super) fn of(context: &mut Context<'a>, service: &ServiceTemplate) -> Self {
        let mut index = Self {
            nodes: Vec::with_capacity(service.node_templates.len()),
            types: Vec::new(),
            by_capability: FxHashMap::default(),
            by_type: FxHashMap::default(),
            numbers: FxHashMap::default(),
        };
        let mut types: FxHashMap<AnyId, usize> = FxHashMap::default();
        for (name, id) in service.node_templates.iter() {
            let Some(template) = context.get(id) else { continue };
            let Some(type_id) = NodeContext::of_template(context, id).node_type else { continue };
            let Some(node_type) = context.get(type_id) else { continue };
            let of_type = *types.entry(type_id.any()).or_insert_with(|| {
                index.types.push(IndexedType { id: type_id, node_type, nodes: Vec::new() });
                index.types.len() - 1
            });
            let count = match template.count {
                None => Some(1),
                Some(Value(count)) => {
                    computed_integer(&mut Evaluator::of_values(context, ValueContext::of(id.any())), count)
                }
            };
            index.types[of_type].nodes.push(index.nodes.len());
            index.numbers.insert(id.any(), index.nodes.len());
            index.nodes.push(IndexedNode { id, name: context.text(name), template, of_type, count });
        }
        for number in 0..index.types.len() {
            index.add_type(context, number);
        }
        index
    }

    fn add_type(&mut self, context: &Context<'a>, number: usize) {
        let IndexedType { id, node_type, .. } = self.types[number];
        for base in bases(context, id.any()) {
            self.by_type.entry(base).or_default().push(number);
        }
        for (_, capability) in node_type.capabilities.iter() {
            let of_type = context.get(capability).and_then(|capability| context.target_of(capability.r#type));
            for base in of_type.iter().flat_map(|of_type| bases(context, of_type.any())) {
                let numbers = self.by_capability.entry(base).or_default();
                // A type may have several capabilities of the same type.
                if numbers.last() != Some(&number) {
                    numbers.push(number);
                }
            }
        }
    }

    /// Returns the index of a node.
    pub(super) fn number(&self, id: Id<NodeTemplate>) -> Option<usize> {
        self.numbers.get(&id.any()).copied()
    }

    /// Returns the indexes of the node types that have a capability of the given type.
    pub(super) fn with_capability(&self, capability_type: AnyId) -> &[usize] {
        self.by_capability.get(&capability_type).map_or(&[], |numbers| numbers)
    }

    /// Returns the indexes of the given type and of the types derived from it.
    pub(super) fn of_type(&self, node_type: AnyId) -> &[usize] {
        self.by_type.get(&node_type).map_or(&[], |numbers| numbers)
    }

    /// Returns the context of a node for an evaluation.
    pub(super) fn here(&self, number: usize) -> NodeContext {
        let node = &self.nodes[number];
        NodeContext { template: Some(node.id), node_type: Some(self.types[node.of_type].id), ..NodeContext::default() }
    }

    /// Returns the type of a node.
    pub(super) fn type_of(&self, number: usize) -> &IndexedType<'a> {
        &self.types[self.nodes[number].of_type]
    }
}

/// Returns a type and its ancestors.
fn bases(context: &Context<'_>, id: AnyId) -> Vec<AnyId> {
    let mut bases = vec![id];
    let mut next = 0;
    while let Some(id) = bases.get(next).copied() {
        next += 1;
        for parent in context.program.lineage(id).into_iter().flat_map(Lineage::parents) {
            // An ancestor may be reached by several paths, because a type may have several parents.
            if !bases.contains(parent) {
                bases.push(*parent);
            }
        }
    }
    bases
}

/// Returns whether the type of a capability definition is known to be the type `base` or derived from it.
pub(super) fn capability_is_a(context: &Context<'_>, id: Id<CapabilityDefinition>, base: AnyId) -> bool {
    let of_type = context.get(id).and_then(|capability| context.target_of(capability.r#type));
    of_type.is_some_and(|of_type| context.program.is_a(of_type.any(), base))
}
