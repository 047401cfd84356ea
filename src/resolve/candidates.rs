//! The search for nodes that match a query.

use std::sync::Arc;

use foldhash::HashMap;
use rustc_hash::FxHashMap;

use super::index::{Index, capability_is_a};
use super::query::{CapabilityConstraint, RequirementQuery, TypeConstraints};
use crate::data::{
    CapabilityContext, Evaluator, NodeContext, PathContext, Probe, ProbeKey, RelationshipContext, ValueContext,
    Verdict, compare_with_filter, probe, signature, weight,
};
use crate::diagnostic::suggest::or_list;
use crate::entity::{AnyId, Entity, Id, NodeRef, References};
use crate::grammar::definition::CapabilityDefinition;
use crate::grammar::types::{CapabilityType, NodeType, RelationshipType};
use crate::grammar::version::V2_0;
use crate::phase::Context;

/// Nodes that match a query, in the order of the template.
#[derive(Debug, Default)]
pub(super) struct Shortlist {
    /// The nodes that match, each with the target capability of the relationship.
    pub(super) nodes: Vec<Candidate>,
    /// The nodes that may match, each with the unknown value on which this depends.
    pub(super) unknown: Vec<(usize, String)>,
    /// Whether some nodes have not been compared with the filters, because there were too many.
    pub(super) is_cut: bool,
}

/// A possible target node, and its capability.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) node: usize,
    pub(super) capability: Option<Id<CapabilityDefinition>>,
}

impl Shortlist {
    /// Returns the number of nodes that match a query of the given node. A node is never the target of its own
    /// relationship.
    pub(super) fn fitting(&self, source: usize) -> usize {
        let is_listed = self.nodes.binary_search_by_key(&source, |candidate| candidate.node).is_ok();
        self.nodes.len() - usize::from(is_listed)
    }

    /// Returns the number of nodes for which it is not known whether they match a query of the given node.
    pub(super) fn undecided(&self, source: usize) -> usize {
        self.unknown.iter().filter(|(node, _)| *node != source).count()
    }

    /// Returns the target capability of a node, if the node matches.
    pub(super) fn capability(&self, node: usize) -> Option<Id<CapabilityDefinition>> {
        let place = self.nodes.binary_search_by_key(&node, |candidate| candidate.node).ok()?;
        self.nodes[place].capability
    }
}

/// A search for the nodes that match, with a cache of the results that queries share.
pub(super) struct Candidates<'i, 'a> {
    pub(super) index: &'i Index<'a>,
    /// The nodes that match by type.
    by_types: FxHashMap<TypeConstraints, Arc<Shortlist>>,
    /// The nodes that match by type and match the filters.
    filtered: HashMap<(TypeConstraints, String), Arc<Shortlist>>,
    /// The nodes of a shortlist by the value of a property, and the nodes whose value can't be looked up, as indexes.
    probed: HashMap<(TypeConstraints, Probe), Arc<Probed>>,
    near: FxHashMap<TypeConstraints, NearMisses>,
    /// The weight of the filters of all comparisons so far.
    compared: usize,
}

/// The maximum weight of the filters that are compared with nodes in a service, once for each comparison. This takes about
/// half a second. Filters that require equality, or that several requirements share, never come close to the limit.
const MAX_COMPARED: usize = if cfg!(test) { 90_000 } else { 400_000 };

/// The number of nodes that are compared for a requirement even if the service exceeds the limit.
const ALWAYS_COMPARED: usize = 4;

/// A few nodes that almost match, and their total number.
type NearMisses = (Arc<[usize]>, usize);

#[derive(Default)]
struct Probed {
    by_value: HashMap<ProbeKey, Vec<usize>>,
    others: Vec<usize>,
}

impl<'i, 'a> Candidates<'i, 'a> {
    pub(super) fn new(index: &'i Index<'a>) -> Self {
        Self {
            index,
            by_types: FxHashMap::default(),
            filtered: HashMap::default(),
            probed: HashMap::default(),
            near: FxHashMap::default(),
            compared: 0,
        }
    }

    /// Returns the nodes that match a query.
    pub(super) fn of(&mut self, context: &mut Context<'a>, demand: &RequirementQuery<'a>) -> Arc<Shortlist> {
        let base = self.by_types(context, &demand.asked);
        if demand.filters.is_empty() {
            return base;
        }
        let mut text = String::new();
        let mut is_told = true;
        for (at, position) in &demand.filters {
            let Some(filter) = context.node(*position) else { continue };
            text.push_str(&at.unit.0.to_string());
            let subject = self.relationship(context, demand, None);
            is_told &=
                signature(&mut Evaluator::of_values(context, ValueContext::about(*at, subject)), filter, &mut text);
        }
        if !is_told {
            return Arc::new(self.filter(context, demand, &base));
        }
        let key = (demand.asked, text);
        if let Some(known) = self.filtered.get(&key) {
            return known.clone();
        }
        let filtered = Arc::new(self.filter(context, demand, &base));
        self.filtered.insert(key, filtered.clone());
        filtered
    }

    /// Returns the nodes that match by type, and that relationships from within the service can reach.
    pub(super) fn by_types(&mut self, context: &Context<'a>, asked: &TypeConstraints) -> Arc<Shortlist> {
        if let Some(known) = self.by_types.get(asked) {
            return known.clone();
        }
        let mut nodes = Vec::new();
        for number in self.of_types(asked) {
            let of_type = &self.index.types[number];
            let Ok(capability) = capability_of_type(context, asked, of_type.id) else { continue };
            let reachable = of_type.nodes.iter().filter(|node| self.unreachable(context, **node, capability).is_none());
            nodes.extend(reachable.map(|node| Candidate { node: *node, capability }));
        }
        nodes.sort_unstable_by_key(|candidate| candidate.node);
        let shortlist = Arc::new(Shortlist { nodes, ..Shortlist::default() });
        self.by_types.insert(*asked, shortlist.clone());
        shortlist
    }

    /// Returns the indexes of types that may match, from the shortest list that contains all of them.
    pub(super) fn of_types(&self, asked: &TypeConstraints) -> Vec<usize> {
        let by_capability = match asked.capability {
            CapabilityConstraint::Type(capability_type) => Some(self.index.with_capability(capability_type)),
            CapabilityConstraint::Any | CapabilityConstraint::Name(_) => None,
        };
        let by_type = asked.node.map(|node_type| self.index.of_type(node_type));
        match (by_capability, by_type) {
            (Some(some), Some(others)) => if some.len() < others.len() { some } else { others }.to_vec(),
            (Some(only), None) | (None, Some(only)) => only.to_vec(),
            (None, None) => (0..self.index.types.len()).collect(),
        }
    }

    /// Returns the reason why no relationship from within the service can have a node as its target.
    fn unreachable(
        &self,
        context: &Context<'a>,
        node: usize,
        capability: Option<Id<CapabilityDefinition>>,
    ) -> Option<String> {
        let node = &self.index.nodes[node];
        if node.count == Some(0) {
            return Some("no node is created from it, because its `count` is 0".to_owned());
        }
        let name = context.header(capability?.any())?.name;
        let words = &context.get(node.template.capabilities.get(name)?)?.directives.words;
        let is_internal =
            |word: &crate::entity::Text| context.node(word.0).is_some_and(|word| word.text() == "internal");
        (!words.is_empty() && !words.iter().any(is_internal))
            .then(|| format!("its capability `{}` is only available to other services", context.text(name)))
    }

    /// Returns the nodes in `base` that also match the filters of a query.
    fn filter(&mut self, context: &mut Context<'a>, demand: &RequirementQuery<'a>, base: &Shortlist) -> Shortlist {
        let mut filtered = Shortlist::default();
        let probed = self.probe(context, demand, base);
        let chosen: Box<dyn Iterator<Item = usize>> = match probed {
            Some(places) => Box::new(places.into_iter()),
            None => Box::new(0..base.nodes.len()),
        };
        let filters = demand.filters.iter().filter_map(|(_, position)| context.node(*position));
        let weight: usize = filters.map(weight).sum();
        for (number, place) in chosen.enumerate() {
            if self.compared >= MAX_COMPARED && number >= ALWAYS_COMPARED {
                filtered.is_cut = true;
                break;
            }
            self.compared += weight;
            let candidate = base.nodes[place];
            match self.compare(context, demand, candidate) {
                Verdict::Fits => filtered.nodes.push(candidate),
                Verdict::Unknown(why) => filtered.unknown.push((candidate.node, why)),
                Verdict::Fails(_) => {}
            }
        }
        filtered
    }

    /// Returns the indexes in a shortlist of the nodes that may match the filters of a query, if they can be looked up.
    fn probe(
        &mut self,
        context: &mut Context<'a>,
        demand: &RequirementQuery<'a>,
        base: &Shortlist,
    ) -> Option<Vec<usize>> {
        // A lookup is not worthwhile for a few nodes.
        if base.nodes.len() < 16 {
            return None;
        }
        let (probe, key) = demand.filters.iter().find_map(|(at, position)| {
            let filter = context.node(*position)?;
            let subject = self.relationship(context, demand, None);
            probe(&mut Evaluator::of_values(context, ValueContext::about(*at, subject)), filter)
        })?;
        let known = self.probed.get(&(demand.asked, probe.clone())).cloned();
        let probed = known.unwrap_or_else(|| {
            let mut probed = Probed::default();
            for (place, candidate) in base.nodes.iter().enumerate() {
                let (target, capability) = (self.index.here(candidate.node), self.capability_here(context, *candidate));
                let template = self.index.nodes[candidate.node].id.any();
                let mut evaluator = Evaluator::of_values(context, ValueContext::of(template));
                match probe.key(&mut evaluator, target, capability) {
                    Some(key) => probed.by_value.entry(key).or_default().push(place),
                    None => probed.others.push(place),
                }
            }
            let probed = Arc::new(probed);
            self.probed.insert((demand.asked, probe.clone()), probed.clone());
            probed
        });
        let equal = probed.by_value.get(&key).map_or(&[][..], |places| places);
        let mut places: Vec<usize> = equal.iter().chain(&probed.others).copied().collect();
        places.sort_unstable();
        Some(places)
    }

    /// Compares a node with the filters of a query.
    fn compare(&self, context: &mut Context<'a>, demand: &RequirementQuery<'a>, candidate: Candidate) -> Verdict {
        let subject = self.relationship(context, demand, Some(candidate));
        compare(context, &demand.filters, subject, self.index.here(candidate.node))
    }

    /// Returns the meaning of `SELF` in the filters of a query.
    fn relationship(
        &self,
        context: &Context<'a>,
        demand: &RequirementQuery<'a>,
        candidate: Option<Candidate>,
    ) -> PathContext {
        let source = self.index.here(demand.source);
        if context.version(demand.at) < V2_0 {
            return PathContext::Node(source);
        }
        PathContext::Relationship(RelationshipContext {
            relationship_type: demand.asked.relationship.and_then(AnyId::cast),
            source,
            target: candidate.map(|candidate| self.index.here(candidate.node)).unwrap_or_default(),
            capability: candidate.map(|candidate| self.capability_here(context, candidate)).unwrap_or_default(),
            ..RelationshipContext::default()
        })
    }

    /// Returns the capability of a candidate as far as it is known.
    pub(super) fn capability_here(&self, context: &Context<'a>, candidate: Candidate) -> CapabilityContext {
        capability_here(context, self.index, candidate)
    }

    /// Returns the first nodes that almost match: nodes with a capability of the required type, or else nodes of the
    /// required node type.
    pub(super) fn near(&mut self, asked: &TypeConstraints) -> NearMisses {
        /// The number of nodes to return, more than are ever explained.
        const MAX: usize = 32;
        if let Some(known) = self.near.get(asked) {
            return known.clone();
        }
        let with_capability = match asked.capability {
            CapabilityConstraint::Type(capability_type) => self.index.with_capability(capability_type),
            CapabilityConstraint::Any | CapabilityConstraint::Name(_) => &[],
        };
        let of_type = asked.node.map_or(&[][..], |node_type| self.index.of_type(node_type));
        let types = if with_capability.is_empty() { of_type } else { with_capability };
        let number = types.iter().map(|number| self.index.types[*number].nodes.len()).sum();
        // The nodes of a type are in order, so the first ones of each type suffice.
        let firsts = types.iter().flat_map(|number| self.index.types[*number].nodes.iter().take(MAX));
        let mut nodes: Vec<usize> = firsts.copied().collect();
        nodes.sort_unstable();
        nodes.truncate(MAX);
        let near: NearMisses = (nodes.into(), number);
        self.near.insert(*asked, near.clone());
        near
    }

    /// Returns the reason why a node does not match; `None` if it matches, or if that is unknown.
    pub(super) fn refusal(
        &self,
        context: &mut Context<'a>,
        demand: &RequirementQuery<'a>,
        node: usize,
    ) -> Option<String> {
        if node == demand.source {
            return Some("it is the node itself".to_owned());
        }
        let capability = match capability_of_type(context, &demand.asked, self.index.type_of(node).id) {
            Ok(capability) => capability,
            Err(reason) => return Some(reason),
        };
        if let Some(reason) = self.unreachable(context, node, capability) {
            return Some(reason);
        }
        match self.compare(context, demand, Candidate { node, capability }) {
            Verdict::Fails(reason) => Some(reason),
            Verdict::Fits | Verdict::Unknown(_) => None,
        }
    }
}

/// Compares a node with filters.
pub(super) fn compare(
    context: &mut Context<'_>,
    filters: &[(AnyId, NodeRef)],
    subject: PathContext,
    target: NodeContext,
) -> Verdict {
    let mut unknown = None;
    for (at, position) in filters {
        let Some(filter) = context.node(*position) else { continue };
        let mut evaluator = Evaluator::of_values(context, ValueContext::about(*at, subject));
        match compare_with_filter(&mut evaluator, filter, target) {
            Verdict::Fits => {}
            fails @ Verdict::Fails(_) => return fails,
            found @ Verdict::Unknown(_) => unknown = unknown.or(Some(found)),
        }
    }
    unknown.unwrap_or(Verdict::Fits)
}

/// Returns the capability of a candidate as far as it is known.
pub(super) fn capability_here<'a>(context: &Context<'a>, index: &Index<'a>, candidate: Candidate) -> CapabilityContext {
    let Some(id) = candidate.capability else { return CapabilityContext::default() };
    CapabilityContext::of_node(context, id, index.here(candidate.node))
}

/// Returns the capability of a node type that can be the target of a relationship, or the reason why there is none.
fn capability_of_type(
    context: &Context<'_>,
    asked: &TypeConstraints,
    id: Id<NodeType>,
) -> Result<Option<Id<CapabilityDefinition>>, String> {
    let program = context.program;
    if let Some(wanted) = asked.node.filter(|wanted| !program.is_a(id.any(), *wanted)) {
        return Err(format!("it is of type `{}`, not `{}`", program.name(id.any()), program.name(wanted)));
    }
    let relationship = asked.relationship.and_then(AnyId::cast::<RelationshipType>).and_then(|id| context.get(id));
    if let Some(of_type) = relationship {
        let valid = [valid(context, &of_type.valid_target_node_types), valid_nodes(context, of_type)];
        for valid in valid.into_iter().flatten() {
            if !valid.iter().any(|valid| program.is_a(id.any(), *valid)) {
                let name = asked.relationship.map_or("", |id| program.name(id));
                return Err(format!("relationships of type `{name}` can only target {}", names(context, &valid)));
            }
        }
        if let Some(valid) = self::valid(context, &of_type.valid_source_node_types)
            && !valid.iter().any(|valid| program.is_a(asked.source, *valid))
        {
            let name = asked.relationship.map_or("", |id| program.name(id));
            return Err(format!("relationships of type `{name}` can only come from {}", names(context, &valid)));
        }
    }
    let Some(node_type) = context.get(id) else { return Ok(None) };
    let mut refused = None;
    for (name, capability) in node_type.capabilities.iter() {
        let is_wanted = match asked.capability {
            CapabilityConstraint::Any => return Ok(None),
            CapabilityConstraint::Type(wanted) => capability_is_a(context, capability, wanted),
            CapabilityConstraint::Name(wanted) => name == wanted,
        };
        if is_wanted {
            match invalid(context, asked, capability, relationship) {
                None => return Ok(Some(capability)),
                reason => refused = refused.or(reason),
            }
        }
    }
    match (refused, asked.capability) {
        (Some(reason), _) => Err(reason),
        (None, CapabilityConstraint::Any) => Ok(None),
        (None, CapabilityConstraint::Type(wanted)) => {
            Err(format!("it has no capability of type `{}`", program.name(wanted)))
        }
        (None, CapabilityConstraint::Name(wanted)) => Err(format!("it has no capability `{}`", context.text(wanted))),
    }
}

/// Returns the reason why a capability can't be the target of a relationship, considering the valid types.
fn invalid(
    context: &Context<'_>,
    asked: &TypeConstraints,
    id: Id<CapabilityDefinition>,
    relationship: Option<&RelationshipType>,
) -> Option<String> {
    let program = context.program;
    let capability = context.get(id)?;
    let name = program.name(id.any());
    // Before 2.0, capabilities that the definition of the requirement excludes only cause a warning at the definition
    // and are not excluded here.
    let wanted = match asked.capability {
        CapabilityConstraint::Type(wanted) if context.version(asked.source) < V2_0 => wanted.cast::<CapabilityType>(),
        _ => None,
    };
    let refuses = |id: Id<CapabilityType>| {
        let valid = context.get(id).and_then(|wanted| valid(context, &wanted.valid_source_node_types));
        valid.is_some_and(|valid| !valid.iter().any(|valid| program.is_a(asked.source, *valid)))
    };
    if let Some(valid) = valid(context, &capability.valid_source_node_types)
        && !valid.iter().any(|valid| program.is_a(asked.source, *valid))
        && !wanted.is_some_and(refuses)
    {
        return Some(format!("its capability `{name}` is only for relationships from {}", names(context, &valid)));
    }
    let relationship_type = asked.relationship?;
    if let Some(valid) = valid(context, &capability.valid_relationship_types)
        && !valid.iter().any(|valid| program.is_a(relationship_type, *valid))
    {
        return Some(format!("its capability `{name}` is only for relationships of type {}", names(context, &valid)));
    }
    let of_type = context.target_of(capability.r#type)?;
    let relationship = relationship?;
    let lists = [valid(context, &relationship.valid_capability_types), valid_capabilities(context, relationship)];
    let is_valid = |id: AnyId, valid: &[AnyId]| valid.iter().any(|valid| program.is_a(id, *valid));
    let is_wrong = |valid: &Vec<AnyId>| {
        !is_valid(of_type.any(), valid) && wanted.is_none_or(|wanted| is_valid(wanted.any(), valid))
    };
    let wrong = lists.into_iter().flatten().find(is_wrong);
    let wrong = wrong.map(|valid| names(context, &valid))?;
    let relationship = program.name(relationship_type);
    Some(format!("relationships of type `{relationship}` can only target capabilities of type {wrong}"))
}

/// Returns the types in a list; `None` if there is no list, or if some of the types are unknown.
fn valid<T>(context: &Context<'_>, list: &References<T>) -> Option<Vec<AnyId>> {
    if list.is_empty() {
        return None;
    }
    list.iter().map(|reference| context.any_target(*reference)).collect()
}

/// Returns the valid node types. Before 2.0, the same list contains node types and capability types.
fn valid_nodes(context: &Context<'_>, relationship: &RelationshipType) -> Option<Vec<AnyId>> {
    valid_of_kind::<NodeType>(context, relationship)
}

fn valid_capabilities(context: &Context<'_>, relationship: &RelationshipType) -> Option<Vec<AnyId>> {
    valid_of_kind::<CapabilityType>(context, relationship)
}

fn valid_of_kind<T: Entity>(context: &Context<'_>, relationship: &RelationshipType) -> Option<Vec<AnyId>> {
    let all = valid(context, &relationship.valid_target_types)?;
    let of_kind: Vec<AnyId> = all.into_iter().filter(|id| id.kind == T::KIND).collect();
    (!of_kind.is_empty()).then_some(of_kind)
}

fn names(context: &Context<'_>, types: &[AnyId]) -> String {
    let names: Vec<&str> = types.iter().take(4).map(|id| context.program.name(*id)).collect();
    or_list(&names)
}
