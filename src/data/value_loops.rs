//! Loops of values: properties and attributes whose functions lead back to them.
//!
//! Even if each value is valid and each call leads to an existing value, it may be impossible to compute any of the
//! values. So the calls of a service are followed from value to value. Values are followed rather than definitions,
//! because one part of a value may depend on another.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::call::function::PathTarget;
use super::call::{Call, Shape, shape};
use super::checks;
use super::evaluation::Evaluator;
use super::path::member::{Member, property};
use super::path::place::{CapabilityContext, NodeContext, PathContext, RelationshipContext, ValueContext};
use super::path::walk::lead;
use crate::ard::{Keys, Kind, Node};
use crate::diagnostic::{SourceId, Span};
use crate::entity::{AnyId, Entity as _, Id, Members, NodeRef, Values};
use crate::grammar::definition::{AttributeDefinition, CapabilityDefinition, PropertyDefinition};
use crate::grammar::template::{NodeTemplate, RelationshipTemplate, ServiceTemplate};
use crate::grammar::types::NodeType;
use crate::phase::{Check, Context, DiagnosticExt};
use crate::rules;
use crate::symbol::Symbol;

/// A value, with its owner: a default is a different value in every template.
#[derive(Clone, Copy)]
struct LocatedValue<'a> {
    node: Node<'a>,
    /// The entity where paths start. It distinguishes values at the same position in the source.
    at: AnyId,
    /// The meaning of `SELF`, if it does not follow from the position of the value. For example, a relationship
    /// template does not determine the nodes that it connects.
    subject: Option<PathContext>,
}

/// The identity of a value.
type Key = (NodeRef, AnyId, Option<Id<NodeTemplate>>);

impl<'a> LocatedValue<'a> {
    fn key(&self) -> Key {
        // Copied nodes share the assignments to their relationships.
        let source = match self.subject {
            Some(PathContext::Relationship(relationship)) => relationship.source.template,
            _ => None,
        };
        (NodeRef { unit: self.node.document().source(), node: self.node.id() }, self.at, source)
    }

    fn place(&self) -> ValueContext<'a> {
        self.subject.map_or(ValueContext::of(self.at), |subject| ValueContext::about(self.at, subject))
    }
}

/// A value on the current path, and the calls within it that have not been followed yet.
struct Step<'a> {
    located: LocatedValue<'a>,
    calls: Vec<(Span, LocatedValue<'a>)>,
    /// The call that was followed most recently.
    at: Option<Span>,
}

/// An owner of properties and attributes, with their definitions.
struct Owner<'a> {
    definition: AnyId,
    properties: &'a Members<PropertyDefinition>,
    attributes: &'a Members<AttributeDefinition>,
    /// The maps in which properties and attributes are assigned, nearest first.
    assigned_properties: Vec<Node<'a>>,
    assigned_attributes: Vec<Node<'a>>,
    at: AnyId,
    subject: Option<PathContext>,
}

impl<'a> Owner<'a> {
    fn of(context: &Context<'a>, here: &PathContext) -> Option<Self> {
        let maps = |list: &[Option<Values>]| {
            let positions = list.iter().flatten().flat_map(|values| values.positions());
            positions.filter_map(|position| context.node(position)).collect()
        };
        match here {
            PathContext::Node(node) => {
                let (template, of_type) = (context.get(node.template?)?, context.get(node.node_type?)?);
                Some(Self {
                    definition: node.node_type?.any(),
                    properties: &of_type.properties,
                    attributes: &of_type.attributes,
                    assigned_properties: maps(&[Some(template.properties)]),
                    assigned_attributes: maps(&[Some(template.attributes)]),
                    at: node.template?.any(),
                    subject: None,
                })
            }
            PathContext::Capability(capability) => {
                let definition = context.get(capability.definition?)?;
                let assignment = capability.assignment.and_then(|id| context.get(id));
                Some(Self {
                    definition: capability.definition?.any(),
                    properties: &definition.properties,
                    attributes: &definition.attributes,
                    assigned_properties: maps(&[assignment.map(|assignment| assignment.properties)]),
                    assigned_attributes: maps(&[assignment.map(|assignment| assignment.attributes)]),
                    // Copied nodes may share the assignments of the capability.
                    at: capability.node.template?.any(),
                    subject: None,
                })
            }
            PathContext::Relationship(relationship) => {
                let of_type = context.get(relationship.relationship_type?)?;
                let assignment = relationship.assignment.and_then(|id| context.get(id));
                let template = relationship.template.and_then(|id| context.get(id));
                Some(Self {
                    definition: relationship.relationship_type?.any(),
                    properties: &of_type.properties,
                    attributes: &of_type.attributes,
                    assigned_properties: maps(&[
                        assignment.map(|assignment| assignment.properties),
                        template.map(|template| template.properties),
                    ]),
                    assigned_attributes: maps(&[
                        assignment.map(|assignment| assignment.attributes),
                        template.map(|template| template.attributes),
                    ]),
                    at: relationship.assignment.map(Id::any).or(relationship.template.map(Id::any))?,
                    subject: Some(*here),
                })
            }
            PathContext::Unknown | PathContext::Nowhere => None,
        }
    }

    fn located(&self, node: Node<'a>) -> LocatedValue<'a> {
        LocatedValue { node, at: self.at, subject: self.subject }
    }

    /// Returns the value of a property or attribute: the assigned one, or else the default.
    fn value(&self, context: &Context<'a>, name: &str, sought: PathTarget) -> Option<LocatedValue<'a>> {
        let symbol = context.program.interner.get(name)?;
        let assigned = |maps: &[Node<'a>]| maps.iter().find_map(|map| map.get(symbol));
        let attribute = self.attributes.get(symbol).filter(|_| sought == PathTarget::Attribute);
        let property = || context.get(self.properties.get(symbol)?)?.given_value();
        let default = || match attribute.and_then(|id| context.get(id)?.default) {
            Some(default) => Some(default),
            None => property(),
        };
        let of_attribute = attribute.and_then(|_| assigned(&self.assigned_attributes));
        let own = of_attribute.or_else(|| assigned(&self.assigned_properties)).map(|entry| entry.value);
        Some(self.located(own.or_else(|| context.node(default()?.0))?))
    }

    /// Returns all values that may contain calls.
    fn values(&self, context: &Context<'a>, defaults: &mut Defaults) -> Vec<LocatedValue<'a>> {
        let maps = self.assigned_properties.iter().chain(&self.assigned_attributes);
        let assigned = maps.flat_map(|map| map.entries()).map(|entry| entry.value);
        let assigned: Vec<_> = assigned.filter(|node| defaults.may_call(context, *node)).collect();
        let defaults = defaults.of(context, self.definition, self.properties, self.attributes);
        let defaults = defaults.iter().filter_map(|position| context.node(*position));
        assigned.into_iter().chain(defaults).map(|node| self.located(node)).collect()
    }
}

/// The defaults that may contain calls. They are the same for all nodes of a type.
#[derive(Default)]
struct Defaults {
    /// The defaults, by the entity that has the definitions.
    values: FxHashMap<AnyId, Arc<[NodeRef]>>,
    /// The capabilities of each node type that have such defaults.
    capabilities: FxHashMap<Id<NodeType>, Arc<[NamedCapability]>>,
    /// The keys in each document that call `get_property` or `get_attribute`.
    calls: FxHashMap<SourceId, Keys>,
}

type NamedCapability = (Symbol, Id<CapabilityDefinition>);

impl Defaults {
    /// Caches which definitions have no such default.
    fn remember(self, context: &mut Context<'_>) {
        let values = self.values.into_iter().filter(|(_, found)| found.is_empty());
        let capabilities = self.capabilities.into_iter().filter(|(_, found)| found.is_empty());
        values.for_each(|(id, _)| context.remember(check_of(context, checks::DEFAULTS, id)));
        capabilities.for_each(|(id, _)| {
            context.remember(check_of(context, checks::DEFAULTS_OF_CAPABILITIES, id.any()));
        });
    }

    /// Returns whether a value may depend on another property or attribute.
    fn may_call(&mut self, context: &Context<'_>, node: Node<'_>) -> bool {
        let document = node.document();
        let keys = self.calls.entry(document.source()).or_insert_with(|| {
            document.keys_that(&context.program.interner, |key| {
                let name = key.strip_prefix('$').unwrap_or(key);
                name.starts_with("get_property") || name.starts_with("get_attribute")
            })
        });
        node.may_have(keys)
    }

    fn of(
        &mut self,
        context: &Context<'_>,
        definition: AnyId,
        properties: &Members<PropertyDefinition>,
        attributes: &Members<AttributeDefinition>,
    ) -> Arc<[NodeRef]> {
        if let Some(known) = self.values.get(&definition) {
            return known.clone();
        }
        if context.has_passed(&check_of(context, checks::DEFAULTS, definition)) {
            return Arc::default();
        }
        let of_properties = properties.iter().filter_map(|(_, id)| context.get(id)?.given_value());
        let of_attributes = attributes.iter().filter_map(|(_, id)| context.get(id)?.default);
        let values = of_properties.chain(of_attributes).map(|value| value.0);
        let may_call = |at: &NodeRef| context.node(*at).is_some_and(|node| self.may_call(context, node));
        let found: Arc<[_]> = values.filter(may_call).collect();
        self.values.insert(definition, found.clone());
        found
    }

    fn capabilities(&mut self, context: &Context<'_>, id: Id<NodeType>) -> Arc<[NamedCapability]> {
        if let Some(known) = self.capabilities.get(&id) {
            return known.clone();
        }
        if context.has_passed(&check_of(context, checks::DEFAULTS_OF_CAPABILITIES, id.any())) {
            return Arc::default();
        }
        let all = context.get(id).into_iter().flat_map(|of_type| of_type.capabilities.iter());
        let with_some = all.filter(|(_, id)| {
            let definition = context.get(*id);
            definition.is_some_and(|found| !self.of(context, id.any(), &found.properties, &found.attributes).is_empty())
        });
        let found: Arc<[_]> = with_some.collect();
        self.capabilities.insert(id, found.clone());
        found
    }
}

/// Returns the cache key of the check that an entity has no default that depends on another value.
fn check_of(context: &Context<'_>, number: u8, id: AnyId) -> Check {
    Check::new(number, context.version(id), id)
}

/// The maximum number of YAML nodes in the values to follow in a service, in addition to a number for each node of its
/// document. A default is a different value in each template, so a small file can have very many values.
const MAX_NODES: usize = 400_000;
const MORE_FOR_EACH_NODE: usize = 8;

/// The values that have been met.
struct MetValues {
    /// For each value, whether all its dependencies have been followed.
    values: FxHashMap<Key, bool>,
    /// The number of YAML nodes in them.
    nodes: usize,
    /// The number of nodes after which no further values are followed.
    most: usize,
}

impl MetValues {
    fn are_too_many(&self) -> bool {
        self.nodes > self.most
    }
}

/// Reports loops of values in a service, once per loop.
pub(crate) fn check(context: &mut Context<'_>, service: &ServiceTemplate, id: Id<ServiceTemplate>) {
    let nodes = context.program.unit(id.unit).map_or(0, |unit| unit.document.len());
    let most = MAX_NODES + MORE_FOR_EACH_NODE * nodes;
    let mut met = MetValues { values: FxHashMap::default(), nodes: 0, most };
    let mut defaults = Defaults::default();
    for (_, id) in service.node_templates.iter() {
        if looks_elsewhere(context, id, &mut defaults) {
            let owners = owners(context, id, &mut defaults);
            follow_values(context, id.any(), owners, &mut defaults, &mut met);
        }
    }
    for (_, id) in service.relationship_templates.iter() {
        let here = PathContext::Relationship(RelationshipContext::of_template(context, id));
        let owner = Owner::of(context, &here).into_iter().collect();
        follow_values(context, id.any(), owner, &mut defaults, &mut met);
    }
    context.count_repeated(met.nodes);
    defaults.remember(context);
}

/// Follows the values of a template with the given owners. Reports when the limit is exceeded.
fn follow_values<'a>(
    context: &mut Context<'a>,
    template: AnyId,
    owners: Vec<Owner<'a>>,
    defaults: &mut Defaults,
    met: &mut MetValues,
) {
    for owner in owners {
        if met.are_too_many() {
            return;
        }
        for start in owner.values(context, defaults) {
            follow(context, start, met);
            if met.are_too_many() {
                let at = context.program.name_span(template);
                let message = format!(
                    "values from here on are not checked for loops, because those before have more than {} YAML nodes",
                    met.most
                );
                context
                    .problem(&rules::UNCHECKED_USES, at, message)
                    .help("define fewer defaults with calls, or assign the values in the templates that need them");
                return;
            }
        }
    }
}

/// Returns whether values of a node may depend on other values, according to its template or its types. Nearly all
/// nodes have only literal values.
fn looks_elsewhere(context: &Context<'_>, id: Id<NodeTemplate>, defaults: &mut Defaults) -> bool {
    let Some(template) = context.get(id) else { return false };
    let written =
        context.header(id.any()).and_then(|header| context.node(NodeRef { unit: id.unit, node: header.node }));
    if template.copy.is_some() || written.is_none_or(|node| defaults.may_call(context, node)) {
        return true;
    }
    let Some((of_type, found)) = context.target_of(template.r#type).and_then(|id| Some((id, context.get(id)?))) else {
        return false;
    };
    let mut has_some =
        |definition, properties, attributes| !defaults.of(context, definition, properties, attributes).is_empty();
    has_some(of_type.any(), &found.properties, &found.attributes)
        || template.requirements.iter().any(|(_, id)| {
            let assigned = context.get(*id).and_then(|requirement| context.get(requirement.relationship?));
            let Some(assigned) = assigned else { return false };
            let is_template = assigned.r#type.and_then(|found| context.any_target(found)).is_some_and(is_template);
            let relationship = RelationshipContext::type_of_assignment(context, *id, Some(of_type));
            is_template
                || relationship
                    .and_then(|id| Some((id, context.get(id)?)))
                    .is_some_and(|(id, found)| has_some(id.any(), &found.properties, &found.attributes))
        })
        || !defaults.capabilities(context, of_type).is_empty()
}

fn is_template(id: AnyId) -> bool {
    id.kind == RelationshipTemplate::KIND
}

/// Returns a node with its capabilities and relationships, as far as their values may contain calls.
fn owners<'a>(context: &Context<'a>, id: Id<NodeTemplate>, defaults: &mut Defaults) -> Vec<Owner<'a>> {
    let node = NodeContext::of_template(context, id);
    let Some(template) = context.get(id) else { return Vec::new() };
    let of_type = node.node_type.and_then(|node_type| context.get(node_type));
    let mut capabilities: Vec<NamedCapability> =
        node.node_type.map_or_else(Vec::new, |of_type| defaults.capabilities(context, of_type).to_vec());
    for (name, _) in template.capabilities.iter() {
        let defined = of_type.and_then(|of_type| of_type.capabilities.get(name));
        if let Some(id) = defined.filter(|id| !capabilities.contains(&(name, *id))) {
            capabilities.push((name, id));
        }
    }
    let capabilities =
        capabilities.into_iter().map(|(_, id)| PathContext::Capability(CapabilityContext::of_node(context, id, node)));
    let requirements = template
        .requirements
        .iter()
        .filter(|(_, id)| context.get(*id).is_some_and(|assignment| assignment.relationship.is_some()));
    let relationships =
        requirements.map(|(_, id)| PathContext::Relationship(RelationshipContext::of_assignment(context, *id, node)));
    let all = std::iter::once(PathContext::Node(node)).chain(capabilities).chain(relationships);
    all.filter_map(|here| Owner::of(context, &here)).collect()
}

/// The maximum number of calls in a loop to show, besides the first.
const SHOWN: usize = 8;

fn follow<'a>(context: &mut Context<'a>, start: LocatedValue<'a>, met: &mut MetValues) {
    if met.values.contains_key(&start.key()) {
        return;
    }
    let mut way = vec![begin(context, start, met)];
    while let Some(step) = way.last_mut().filter(|_| !met.are_too_many()) {
        let Some((span, next)) = step.calls.pop() else {
            met.values.insert(step.located.key(), true);
            way.pop();
            continue;
        };
        step.at = Some(span);
        match met.values.get(&next.key()) {
            Some(true) => {}
            Some(false) => report(context, &way, next),
            None => way.push(begin(context, next, met)),
        }
    }
}

fn begin<'a>(context: &mut Context<'a>, located: LocatedValue<'a>, met: &mut MetValues) -> Step<'a> {
    met.values.insert(located.key(), false);
    let mut evaluator = Evaluator::new(context, located.place());
    let mut calls = Vec::new();
    let mut waiting = vec![located.node];
    while let Some(node) = waiting.pop() {
        met.nodes += 1;
        if let Shape::Call(call) = shape(evaluator.context, node) {
            let found = target(&mut evaluator, call);
            calls.extend(found.map(|found| (node.span(), found)));
        }
        match node.kind() {
            Kind::Map => waiting.extend(node.entries().map(|entry| entry.value)),
            Kind::List => waiting.extend(node.items()),
            _ => {}
        }
    }
    Step { located, calls, at: None }
}

fn report<'a>(context: &mut Context<'a>, way: &[Step<'a>], first: LocatedValue<'a>) {
    let start = way.iter().position(|step| step.located.key() == first.key()).unwrap_or_default();
    let mut calls = way[start..].iter().filter_map(|step| step.at);
    let at = calls.next();
    let mut problem = context.problem(&rules::VALUE_LOOP, at, "the value depends on itself");
    for call in calls.take(SHOWN) {
        problem = problem.related(Some(call), "through this call");
    }
    problem.help("replace one of the calls with a literal value");
}

/// Returns the value that a call refers to, if it is known.
fn target<'a>(evaluator: &mut Evaluator<'_, 'a>, call: Call<'a>) -> Option<LocatedValue<'a>> {
    let sought = match call.name {
        "get_property" => PathTarget::Property,
        "get_attribute" => PathTarget::Attribute,
        _ => return None,
    };
    let arguments = call.arguments();
    if arguments.len() < 2 {
        return None;
    }
    let context = evaluator.context;
    let led = lead(evaluator, &arguments).ok().flatten().filter(|led| !led.is_all)?;
    let member = |(here, steps): (PathContext, usize)| {
        let name = arguments.get(steps)?.text();
        match property(context, &here, name, sought) {
            Member::Missing { .. } => None,
            Member::Unknowable => Some(None),
            Member::Found(_) => Some(Some((here, steps, name))),
        }
    };
    let (here, steps, name) = led.places.into_iter().find_map(member)??;
    let mut located = Owner::of(context, &here)?.value(context, name, sought)?;
    for step in &arguments[steps + 1..] {
        if matches!(shape(context, located.node), Shape::Call(_)) {
            break;
        }
        located.node = match (located.node.kind(), step.as_integer()) {
            (Kind::List, Some(index)) => located.node.items().nth(usize::try_from(index).ok()?)?,
            (Kind::Map, _) => located.node.find(step.text())?.value,
            _ => return None,
        };
    }
    Some(located)
}
