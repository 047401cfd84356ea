//! The steps of paths in the arguments of functions.
//!
//! A path is followed by the names of its steps, as far as the templates and their types are known.

use super::members::named;
use super::schema::schema;
use crate::ard::{Kind, Node};
use crate::data::{
    CapabilityContext, NodeContext, Parameter, PathContext, RelationshipContext, Schema, ValueContext, is_hosting,
};
use crate::entity::{AnyId, CompletionRequest, Entity, LanguageVersion, Members};
use crate::grammar::definition::{
    AttributeDefinition, CapabilityDefinition, PropertyDefinition, RelationshipDefinition, RequirementDefinition,
};
use crate::grammar::section::{NODE_TEMPLATES, RELATIONSHIP_TEMPLATES};
use crate::grammar::template::RequirementAssignment;
use crate::grammar::types::{CapabilityType, NodeType, RelationshipType};
use crate::grammar::version::V2_0;
use crate::phase::Context;

/// The maximum number of nested hosts to follow.
const MAX_HOSTS: usize = 8;

/// Returns the words that a path can start with.
pub(super) fn starts(request: &CompletionRequest<'_>) -> &'static [&'static str] {
    match here(request, &Context::new(request.program, 0)) {
        PathContext::Nowhere => &[],
        _ if request.version >= V2_0 => &["SELF"],
        PathContext::Node(_) => &["SELF", "HOST"],
        PathContext::Capability(_) => &["SELF"],
        PathContext::Relationship(_) => &["SELF", "SOURCE", "TARGET"],
        PathContext::Unknown => &["SELF", "SOURCE", "TARGET", "HOST"],
    }
}

/// The names and the keywords that a step of a path can be.
#[derive(Default)]
pub(super) struct Steps<'p> {
    pub(super) names: Vec<(&'p str, AnyId)>,
    pub(super) keywords: Vec<&'static str>,
}

/// The place that the first steps of a path lead to.
#[derive(Clone, Copy)]
enum Place<'p> {
    Node(NodeContext),
    /// The capabilities of a node, whose names follow `CAPABILITY`.
    Capabilities(NodeContext),
    /// The requirements of a node, whose names follow `RELATIONSHIP`.
    Requirements(NodeContext),
    Capability(CapabilityContext),
    Relationship(RelationshipContext),
    Value(Schema<'p>),
}

/// Returns the possible next steps of a path to a member of the given kind; none if the place is unknown.
pub(super) fn next<'p>(request: &CompletionRequest<'p>, given: &[Node<'_>], member: Parameter) -> Steps<'p> {
    let context = Context::new(request.program, 0);
    let path = Path { context: &context, member, version: request.version };
    let Some((head, rest)) = given.split_first() else { return Steps::default() };
    let mut places = start(request, &context, *head);
    for (number, step) in rest.iter().enumerate() {
        places = places.into_iter().flat_map(|place| path.follow(place, *step, number == 0)).collect();
    }
    let mut steps = Steps::default();
    for place in places {
        let (names, keywords) = path.steps(place, rest.is_empty());
        for name in names {
            if !steps.names.iter().any(|(known, _)| *known == name.0) {
                steps.names.push(name);
            }
        }
        steps.keywords.extend(keywords.iter().filter(|word| !steps.keywords.contains(word)).collect::<Vec<_>>());
    }
    steps
}

/// Returns the possible starts of a path, nearest first.
fn start<'p>(request: &CompletionRequest<'p>, context: &Context<'p>, head: Node<'_>) -> Vec<Place<'p>> {
    let is_simple = request.version < V2_0;
    let place = match (head.text(), here(request, context)) {
        ("SELF", PathContext::Node(node)) => Some(Place::Node(node)),
        ("SELF", PathContext::Relationship(relationship)) => Some(Place::Relationship(relationship)),
        ("SOURCE", PathContext::Relationship(of)) if is_simple => Some(Place::Node(of.source)),
        ("TARGET", PathContext::Relationship(of)) if is_simple => Some(Place::Node(of.target)),
        ("HOST", PathContext::Node(node)) if is_simple => return hosts(context, node),
        ("SELF" | "SOURCE" | "TARGET" | "HOST", _) => None,
        (name, _) => template(request, context, name),
    };
    place.into_iter().collect()
}

/// Returns the meaning of `SELF`.
fn here(request: &CompletionRequest<'_>, context: &Context<'_>) -> PathContext {
    let entities = || request.entities.iter().rev().flatten();
    let known = entities().next().map(|id| ValueContext::of(*id).here(context));
    if let Some(PathContext::Relationship(_)) = known {
        return known.unwrap_or(PathContext::Unknown);
    }
    // The types in the current text may be newer than those in the program.
    let mut types = request.definitions.iter().rev().flatten();
    let of_type =
        types.find(|id| [NodeType::KIND, RelationshipType::KIND, RelationshipDefinition::KIND].contains(&id.kind));
    let node = match known {
        Some(PathContext::Node(node)) => node,
        _ => NodeContext::default(),
    };
    match of_type {
        Some(id) if id.kind == NodeType::KIND => PathContext::Node(NodeContext { node_type: id.cast(), ..node }),
        Some(id) => {
            let requirement = entities().find_map(|id| id.cast::<RequirementAssignment>());
            let of = match requirement {
                Some(requirement) => RelationshipContext::of_assignment(context, requirement, node),
                None => RelationshipContext { source: node, ..RelationshipContext::default() },
            };
            PathContext::Relationship(RelationshipContext {
                relationship_type: id.cast().or(of.relationship_type),
                ..of
            })
        }
        None => known.unwrap_or(PathContext::Unknown),
    }
}

fn template<'p>(request: &CompletionRequest<'p>, context: &Context<'p>, name: &str) -> Option<Place<'p>> {
    let symbol = context.program.interner.get(name)?;
    let find = |section| context.program.resolve(request.unit, section, symbol).id();
    let node = || Some(Place::Node(NodeContext::of_template(context, find(NODE_TEMPLATES)?.cast()?)));
    let relationship = || {
        let id = find(RELATIONSHIP_TEMPLATES)?.cast()?;
        Some(Place::Relationship(RelationshipContext::of_template(context, id)))
    };
    node().or_else(relationship)
}

/// Returns the hosts of a node, nearest first.
fn hosts<'p>(context: &Context<'p>, mut node: NodeContext) -> Vec<Place<'p>> {
    let mut hosts = Vec::new();
    while hosts.len() < MAX_HOSTS {
        let requirements = named_requirements(context, node);
        let mut all = requirements.into_iter().map(|(_, id)| relationship(context, node, id));
        let is_host = |of: &RelationshipContext| {
            of.relationship_type.and_then(|of_type| is_hosting(context, of_type)) == Some(true)
        };
        let Some(host) = all.find(is_host).map(|of| of.target).filter(|host| host.node_type.is_some()) else { break };
        hosts.push(Place::Node(host));
        node = host;
    }
    hosts
}

fn named_requirements<'p>(context: &Context<'p>, node: NodeContext) -> Vec<(&'p str, AnyId)> {
    of_type(context, node).map(|of| named(context.program, &of.requirements)).unwrap_or_default()
}

fn of_type<'p>(context: &Context<'p>, node: NodeContext) -> Option<&'p NodeType> {
    context.get(node.node_type?)
}

/// Returns the relationship for a requirement of a node.
fn relationship(context: &Context<'_>, node: NodeContext, definition: AnyId) -> RelationshipContext {
    let name = context.header(definition).map(|header| header.name);
    let template = node.template.and_then(|template| context.get(template));
    let assigned = template.and_then(|template| template.requirements.iter().find(|(of, _)| Some(*of) == name));
    match (assigned, definition.cast::<RequirementDefinition>()) {
        (Some((_, id)), _) => RelationshipContext::of_assignment(context, *id, node),
        (None, Some(id)) => RelationshipContext::of_definition(context, id, node),
        (None, None) => RelationshipContext { source: node, ..RelationshipContext::default() },
    }
}

/// A path to a member.
struct Path<'c, 'p> {
    context: &'c Context<'p>,
    member: Parameter,
    version: LanguageVersion,
}

impl<'p> Path<'_, 'p> {
    /// Returns the places that a step leads to; `is_second` if it follows the start of the path.
    fn follow(&self, place: Place<'p>, step: Node<'_>, is_second: bool) -> Vec<Place<'p>> {
        let (context, name, is_simple) = (self.context, step.text(), self.version < V2_0);
        let is_index = step.kind() == Kind::Integer || name == "ALL" && !is_simple;
        let found = match place {
            Place::Node(_) | Place::Relationship(_) | Place::Capability(_) if is_index => Some(place),
            Place::Node(node) if name == "CAPABILITY" && !is_simple => Some(Place::Capabilities(node)),
            Place::Node(node) if name == "RELATIONSHIP" && !is_simple => Some(Place::Requirements(node)),
            Place::Node(node) if is_simple && is_second => return self.second(node, name),
            Place::Relationship(of) if name == "SOURCE" && !is_simple => Some(Place::Node(of.source)),
            Place::Relationship(of) if name == "TARGET" && !is_simple => Some(Place::Node(of.target)),
            Place::Relationship(of) if name == "CAPABILITY" && !is_simple => Some(Place::Capability(of.capability)),
            Place::Capabilities(node) => self.capability(node, name),
            Place::Requirements(node) => self.requirement(node, name).map(Place::Relationship),
            Place::Value(schema) => schema.member(context, name).or_else(|| schema.entries(context)).map(Place::Value),
            Place::Node(_) | Place::Relationship(_) | Place::Capability(_) => self.value(place, name),
        };
        found.into_iter().collect()
    }

    /// Returns the places that the second step of a path before 2.0 leads to: a value, a capability, or the other end
    /// of a requirement.
    fn second(&self, node: NodeContext, name: &str) -> Vec<Place<'p>> {
        let of = self.requirement(node, name);
        let places = [
            self.value(Place::Node(node), name),
            self.capability(node, name),
            of.map(|of| Place::Capability(of.capability)),
            of.map(|of| Place::Node(of.target)),
            of.map(Place::Relationship),
        ];
        places.into_iter().flatten().collect()
    }

    fn capability(&self, node: NodeContext, name: &str) -> Option<Place<'p>> {
        let symbol = self.context.program.interner.get(name)?;
        let definition = of_type(self.context, node)?.capabilities.get(symbol)?;
        Some(Place::Capability(CapabilityContext::of_node(self.context, definition, node)))
    }

    fn requirement(&self, node: NodeContext, name: &str) -> Option<RelationshipContext> {
        let symbol = self.context.program.interner.get(name)?;
        let definition = of_type(self.context, node)?.requirements.get(symbol)?;
        Some(relationship(self.context, node, definition.any()))
    }

    fn value(&self, place: Place<'p>, name: &str) -> Option<Place<'p>> {
        let (_, id) = self.members(place).into_iter().find(|(known, _)| *known == name)?;
        schema(self.context, id).map(Place::Value)
    }

    /// Returns the possible steps from a place; `is_second` if they follow the start of the path.
    fn steps(&self, place: Place<'p>, is_second: bool) -> (Vec<(&'p str, AnyId)>, Vec<&'static str>) {
        let program = self.context.program;
        let is_simple = self.version < V2_0;
        let (mut names, mut keywords) = (self.members(place), Vec::new());
        match place {
            Place::Node(node) => {
                let Some(of) = of_type(self.context, node) else { return (names, keywords) };
                if is_simple && is_second && self.member != Parameter::Artifact {
                    names.extend(named(program, &of.capabilities));
                    names.extend(named(program, &of.requirements));
                } else if !is_simple {
                    keywords.extend((!of.requirements.is_empty()).then_some("RELATIONSHIP"));
                    keywords.extend((!of.capabilities.is_empty()).then_some("CAPABILITY"));
                }
            }
            Place::Relationship(_) if !is_simple => keywords.extend(["SOURCE", "TARGET", "CAPABILITY"]),
            _ => {}
        }
        (names, keywords)
    }

    /// Returns the members that the path can end with, or continue with for a value.
    fn members(&self, place: Place<'p>) -> Vec<(&'p str, AnyId)> {
        let (context, program) = (self.context, self.context.program);
        match place {
            Place::Node(node) => of_type(context, node).map_or_else(Vec::new, |of| match self.member {
                Parameter::Artifact => named(program, &of.artifacts),
                _ => self.values(&of.properties, &of.attributes),
            }),
            Place::Capabilities(node) => {
                of_type(context, node).map_or_else(Vec::new, |of| named(program, &of.capabilities))
            }
            Place::Requirements(node) => named_requirements(context, node),
            _ if self.member == Parameter::Artifact => Vec::new(),
            Place::Capability(of) => self.of_capability(of),
            Place::Relationship(of) => {
                let of_type = of.relationship_type.and_then(|id| context.get::<RelationshipType>(id));
                of_type.map_or_else(Vec::new, |of| self.values(&of.properties, &of.attributes))
            }
            Place::Value(schema) => {
                let data_type = schema.data_type.and_then(|id| program.get(id));
                data_type.map(|of| named(program, &of.properties)).unwrap_or_default()
            }
        }
    }

    fn of_capability(&self, of: CapabilityContext) -> Vec<(&'p str, AnyId)> {
        let definition = of.definition.and_then(|id| self.context.get::<CapabilityDefinition>(id));
        let of_type = of.capability_type.and_then(|id| self.context.get::<CapabilityType>(id));
        match (definition, of_type) {
            (Some(of), _) => self.values(&of.properties, &of.attributes),
            (None, Some(of)) => self.values(&of.properties, &of.attributes),
            (None, None) => Vec::new(),
        }
    }

    /// Returns the properties, and the attributes if they can be named, too.
    fn values(
        &self,
        properties: &Members<PropertyDefinition>,
        attributes: &Members<AttributeDefinition>,
    ) -> Vec<(&'p str, AnyId)> {
        let program = self.context.program;
        let has_attributes = self.member == Parameter::Attribute;
        let attributes = if has_attributes { named(program, attributes) } else { Vec::new() };
        [attributes, named(program, properties)].concat()
    }
}
