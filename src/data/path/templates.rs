//! The graph of templates and their types.

use rustc_hash::FxHashMap;

use super::graph::{Fault, Found, Graph, Numbered, Step, is_hosting_name, pick};
use super::input::kept_elsewhere;
use super::place::{CapabilityContext, NodeContext, PathContext, RelationshipContext, ValueContext};
use super::{PathError, StepEvaluator};
use crate::ard::{Kind, Node};
use crate::data::call::{Shape, shape, version};
use crate::data::typed::kind::DataKind;
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{Help, Rule};
use crate::entity::{AnyId, Id, Value};
use crate::grammar::section::{NODE_TEMPLATES, POLICY_TYPES, RELATIONSHIP_TEMPLATES};
use crate::grammar::template::{NodeTemplate, RelationshipTemplate, RequirementAssignment};
use crate::grammar::types::{NodeType, RelationshipType};
use crate::grammar::version::V2_0;
use crate::phase::Context;
use crate::phase::namespace::LookupResult;
use crate::phase::read::with_article;
use crate::rules;
use crate::symbol::Symbol;

impl<'a, F: StepEvaluator<'a>> Graph<'a> for F {
    type Step = Node<'a>;
    type Node = NodeContext;
    type Relationship = RelationshipContext;
    type Capability = CapabilityContext;
    type Error = PathError<'a>;

    fn read(&self, step: Node<'a>) -> Step<'a> {
        match (shape(self.context(), step), step.kind()) {
            (Shape::Literal, Kind::String) => Step::Name(step.text()),
            (Shape::Literal, Kind::Integer) => {
                Step::Index(step.as_integer().and_then(|index| usize::try_from(index).ok()))
            }
            (Shape::Literal, _) if !step.is_placeholder() => Step::Other,
            // A node that could not be read may be any step.
            (Shape::Call(_) | Shape::Malformed(_) | Shape::Literal, _) => Step::Call,
        }
    }

    fn is_simple(&self, head: Node<'a>) -> bool {
        version(self.context(), head) < V2_0
    }

    fn is_index(&mut self, call: Node<'a>) -> Option<bool> {
        match shape(self.context(), call) {
            Shape::Call(call) => self.kind_of(call).map(|kind| kind == DataKind::Integer),
            _ => Some(false),
        }
    }

    fn lost(&self, step: Node<'a>, fault: Fault<NodeContext>) -> PathError<'a> {
        lost(self.context(), &self.place(), step, fault)
    }

    fn here(&self) -> PathContext {
        self.place().here(self.context())
    }

    fn template(&self, name: &str) -> Found<PathContext> {
        let context = self.context();
        let place = self.place();
        let symbol = context.intern(name);
        let node = context.resolve(place.at, NODE_TEMPLATES, symbol);
        if let Some(id) = node.id().and_then(AnyId::cast::<NodeTemplate>) {
            return Found::Is(PathContext::Node(NodeContext::of_template(context, id)));
        }
        let relationship = context.resolve(place.at, RELATIONSHIP_TEMPLATES, symbol);
        if let Some(id) = relationship.id().and_then(AnyId::cast::<RelationshipTemplate>) {
            return Found::Is(PathContext::Relationship(RelationshipContext::of_template(context, id)));
        }
        let is_lost = [node, relationship].contains(&LookupResult::Unreadable);
        // Before 2.0, a type may name templates of the services that use it, which are unknown here.
        let is_elsewhere = || {
            // Some orchestrators let types read properties of policies by the names of the policy types.
            let is_policy = || context.resolve(place.at, POLICY_TYPES, symbol).id().is_some();
            (is_in_type_alone(context, &place) || !place.is_in_service(context) && is_policy())
                && context.version(place.at) < V2_0
                && nearest_keyword(name).is_none()
        };
        if is_lost || is_elsewhere() { Found::Unknown } else { Found::Missing }
    }

    fn count(&self, node: NodeContext) -> Option<u64> {
        number_of(self.context(), self.context().get(node.template?)?.count)
    }

    fn is_particular(&self, node: NodeContext) -> bool {
        node.template.is_some()
    }

    fn capability(&self, node: NodeContext, name: &str) -> Found<CapabilityContext> {
        let context = self.context();
        let symbol = context.program.interner.get(name);
        let Some(node_type) = of_type(context, node) else {
            return of_several(context, node, |node_type| Some(node_type.capabilities.get(symbol?)?.any()));
        };
        match symbol.and_then(|symbol| node_type.capabilities.get(symbol)) {
            Some(definition) => Found::Is(CapabilityContext::of_node(context, definition, node)),
            None => Found::Missing,
        }
    }

    fn relationship(&self, node: NodeContext, name: &str, index: Option<usize>) -> Found<RelationshipContext> {
        let context = self.context();
        let symbol = context.program.interner.get(name);
        let Some(node_type) = of_type(context, node) else {
            return of_several(context, node, |node_type| Some(node_type.requirements.get(symbol?)?.any()));
        };
        let Some((symbol, definition)) = symbol.and_then(|symbol| Some((symbol, node_type.requirements.get(symbol)?)))
        else {
            return Found::Missing;
        };
        let of_any = || Found::Is(RelationshipContext::of_definition(context, definition, node));
        let (Some(template), Some(index)) = (node.template, index) else { return of_any() };
        match assignment(context, template, symbol, index) {
            Found::Is(assignment) => Found::Is(RelationshipContext::of_assignment(context, assignment, node)),
            Found::Only(count) => {
                // There may be more relationships than assigned ones if the type requires more.
                let range = context.get(definition).and_then(|definition| definition.count_range);
                let least = range.map_or(0, |range| range.value.lower);
                if (index as u64) < least { of_any() } else { Found::Only(count.max(least)) }
            }
            Found::Missing | Found::Unknown => of_any(),
        }
    }

    fn relationships(&self, node: NodeContext) -> Found<Vec<(&'a str, RelationshipContext)>> {
        let context = self.context();
        let is_known = |id: &Id<NodeType>| context.program.is_known(id.any());
        let Some(node_type) = node.node_type.filter(is_known).and_then(|id| context.get(id)) else {
            return Found::Unknown;
        };
        let template = node.template.and_then(|template| context.get(template));
        let assigned = template.map_or(&[][..], |template| &template.requirements);
        // The first assignment of each requirement.
        let assigned: FxHashMap<Symbol, _> = assigned.iter().rev().map(|(name, id)| (*name, id)).collect();
        let relationship = |(name, definition)| {
            let relationship = match assigned.get(&name) {
                Some(id) => RelationshipContext::of_assignment(context, **id, node),
                None => RelationshipContext::of_definition(context, definition, node),
            };
            (context.text(name), relationship)
        };
        Found::Is(node_type.requirements.iter().map(relationship).collect())
    }

    fn is_hosting(&self, relationship: RelationshipContext) -> Option<bool> {
        is_hosting(self.context(), relationship.relationship_type?)
    }

    fn host(
        &self,
        node: NodeContext,
        find: impl FnOnce() -> Found<(&'a str, NodeContext)>,
    ) -> Found<(&'a str, NodeContext)> {
        let context = self.context();
        let Some(template) = node.template else { return find() };
        let symbol = |name| context.program.interner.get(name);
        let found = context
            .program
            .table("host", template.any(), || find().and_then(|(name, host)| Some((symbol(name)?, host))));
        found.and_then(|(name, host)| Some((context.text(name), host)))
    }

    fn is_untyped(&self, relationship: RelationshipContext) -> bool {
        let context = self.context();
        let of_definition = relationship.definition.and_then(|id| context.get(id)?.r#type);
        let of_assignment = relationship.assignment.and_then(|id| context.get(id)?.r#type);
        relationship.relationship_type.is_none() && of_definition.is_none() && of_assignment.is_none()
    }

    fn source(&self, relationship: RelationshipContext) -> Option<NodeContext> {
        Some(relationship.source)
    }

    fn target(&self, relationship: RelationshipContext) -> Option<NodeContext> {
        Some(relationship.target)
    }

    fn target_capability(&self, relationship: RelationshipContext) -> Option<CapabilityContext> {
        let capability = relationship.capability;
        (capability.capability_type.is_some() || capability.definition.is_some()).then_some(capability)
    }

    fn incoming(
        &self,
        target: NodeContext,
        capability: Option<CapabilityContext>,
        index: Option<usize>,
    ) -> Found<RelationshipContext> {
        // The relationships after the first one are only known when the service is deployed.
        let capability = capability.filter(|_| index == Some(0));
        let named = capability.and_then(|capability| RelationshipContext::ending_at(self.context(), capability));
        Found::Is(named.unwrap_or(RelationshipContext { target, ..RelationshipContext::default() }))
    }
}

/// Returns whether a place is in a type that is checked by itself, rather than for one of its templates.
fn is_in_type_alone(context: &Context<'_>, place: &ValueContext<'_>) -> bool {
    !place.is_in_service(context) && (place.subject.is_none() || place.is_filter)
}

/// Returns whether a relationship type or one of its ancestors means hosting, in any profile; `None` if its ancestors
/// are unknown.
pub(crate) fn is_hosting(context: &Context<'_>, id: Id<RelationshipType>) -> Option<bool> {
    /// The maximum number of ancestors to follow. It is low because there may be many relationships.
    const DEPTH: usize = 64;
    let program = context.program;
    let is_hosting = || program.ancestry(id.any()).take(DEPTH).any(|of_type| is_hosting_name(program.name(of_type)));
    program.is_known(id.any()).then(is_hosting)
}

fn of_type<'a>(context: &Context<'a>, node: NodeContext) -> Option<&'a NodeType> {
    context.get(node.node_type?)
}

/// Looks a member up in all possible types of a node whose type is not known: it is missing if none of them has it.
fn of_several<T>(context: &Context<'_>, node: NodeContext, member: impl Fn(&NodeType) -> Option<AnyId>) -> Found<T> {
    let types = node.types(context);
    let lacks = |id: &Id<NodeType>| context.get(*id).is_some_and(|node_type| member(node_type).is_none());
    if !types.is_empty() && types.iter().all(lacks) { Found::Missing } else { Found::Unknown }
}

/// Returns the message that a node lacks a member, such as a capability.
pub(super) fn lacks(context: &Context<'_>, node: NodeContext, what: &str, name: &str) -> String {
    match (node.node_type, node.end) {
        (None, Some(end)) => {
            let of = if end.is_source { "source" } else { "target" };
            format!("no valid {of} type of {} has {what} `{name}`", context.describe(end.of.any()))
        }
        (of_type, _) => {
            let of_type = of_type.map_or_else(String::new, |id| context.describe(id.any()));
            format!("{of_type} has no {what} `{name}`")
        }
    }
}

/// Returns the value of a count: one if it is missing; `None` if it is computed.
fn number_of(context: &Context<'_>, count: Option<Value>) -> Option<u64> {
    let Some(count) = count else { return Some(1) };
    u64::try_from(context.node(count.0)?.as_integer()?).ok()
}

/// Returns the assignment of a requirement that creates the relationship with the given index.
fn assignment(
    context: &Context<'_>,
    template: Id<NodeTemplate>,
    name: Symbol,
    index: usize,
) -> Found<Id<RequirementAssignment>> {
    /// The maximum number of assignments that are searched for each path. For more, there is a table.
    const FEW: usize = 16;
    let assigned = context.get(template).map_or(&[][..], |template| &template.requirements);
    let count = |id: Id<RequirementAssignment>| number_of(context, context.get(id)?.count);
    if assigned.len() <= FEW {
        let of_name = assigned.iter().filter(|(of, _)| *of == name);
        let mut of_name = of_name.map(|(_, id)| (*id, count(*id))).peekable();
        return if of_name.peek().is_some() { pick(of_name, index) } else { Found::Missing };
    }
    let table = context.program.table("assignments", template.any(), || {
        let mut table: FxHashMap<Symbol, Numbered<Id<RequirementAssignment>>> = FxHashMap::default();
        assigned.iter().for_each(|(name, id)| table.entry(*name).or_default().push(*id, count(*id)));
        table
    });
    table.get(&name).map_or(Found::Missing, |of_name| of_name.pick(index))
}

/// Returns the keyword for which a name is probably a typo. Such typos are reported even in types.
fn nearest_keyword(name: &str) -> Option<&'static str> {
    let is_word = name.chars().all(|char| char.is_ascii_uppercase());
    nearest(name, ["SELF", "SOURCE", "TARGET"]).filter(|_| is_word)
}

/// Returns the rule for a missing member of a node. If the node may have a derived type, that type may have the member.
pub(super) const fn rule_of_lost(node: NodeContext) -> &'static Rule {
    if node.may_be_derived { &rules::NEEDS_DERIVED_TYPE } else { &rules::UNRESOLVED_PATH }
}

fn lost<'a>(
    context: &Context<'a>,
    place: &ValueContext<'a>,
    step: Node<'a>,
    fault: Fault<NodeContext>,
) -> PathError<'a> {
    let text = step.text();
    let is_simple = version(context, step) < V2_0;
    let a_template = || Some("write `SELF`, or the name of a node template".into());
    match fault {
        Fault::NotAnIndex => PathError::bad_index(step),
        Fault::NotAName => {
            let message = format!("a step of a path must be a name, not {}", with_article(step));
            PathError::at(step, message, Some("write `SELF` or the name of a node template, for example".into()))
        }
        Fault::NotHere => {
            let message = format!("`{text}` has no meaning outside of nodes and relationships");
            PathError::at(step, message, Some("write the name of a node template".into()))
        }
        Fault::NotFirst => {
            let help = match text {
                "HOST" => {
                    "write `SELF, RELATIONSHIP, host, TARGET`, where `host` is the name of the requirement".into()
                }
                end => Help::write(format!("SELF, {end}")),
            };
            PathError::at(step, format!("`{text}` can't be the first step of a path in TOSCA 2.0"), Some(help))
        }
        Fault::NotInRelationship => {
            PathError::at(step, format!("`{text}` has a meaning only in relationships"), a_template())
        }
        Fault::NoTemplate if !is_in_type_alone(context, place) => {
            let there_are = if is_simple { "there are" } else { "a path can start with" };
            let help = known_heads(context, place, text, there_are);
            PathError::at(step, format!("there is no node template or relationship template `{text}`"), help)
        }
        Fault::NoTemplate => match nearest_keyword(text).filter(|_| is_simple) {
            Some(keyword) => {
                let help = Help::did_you_mean(keyword);
                PathError::at(step, format!("`{text}` has no meaning in a type"), Some(help))
            }
            // The templates of the services that use a type are unknown.
            None => {
                let message = format!("`{text}` is not a step that a path in a type can start with");
                PathError::at(step, message, Some("a path in a type starts with `SELF`".into()))
            }
        },
        Fault::NoHost(node) => {
            let of_type = node.node_type.map_or_else(String::new, |id| context.describe(id.any()));
            let message = format!("`HOST` leads nowhere: {of_type} has no requirement for a host");
            PathError::at(step, message, a_template())
        }
        Fault::NoRequirement(node) => {
            let types = node.types(context).into_iter().filter_map(|id| context.get(id));
            let names = types.flat_map(|of_type| of_type.requirements.iter());
            let help = context.did_you_mean(text, names.map(|(name, _)| context.text(name)), "it has");
            let message = lacks(context, node, "requirement", text);
            PathError { rule: rule_of_lost(node), ..PathError::at(step, message, help) }
        }
        Fault::NoCapability(node) => {
            let types = node.types(context).into_iter().filter_map(|id| context.get(id));
            let names = types.flat_map(|of_type| of_type.capabilities.iter());
            let help = context.did_you_mean(text, names.map(|(name, _)| context.text(name)), "it has");
            let message = lacks(context, node, "capability", text);
            PathError { rule: rule_of_lost(node), ..PathError::at(step, message, help) }
        }
        Fault::Astray(here) => PathError::at(step, format!("`{text}` leads nowhere from {here}"), None),
        Fault::Only(count, what) => {
            let (made, help) = match count {
                0 => ("none is created".to_owned(), None),
                1 => ("only one is created".to_owned(), Some("remove the index, or write `0`".into())),
                _ => {
                    (format!("only {count} are created"), Some(format!("the last one has index {}", count - 1).into()))
                }
            };
            PathError::at(step, format!("there is no {what} with index {text}, because {made}"), help)
        }
    }
}

/// Returns the help for a path whose first step is not the name of a template.
fn known_heads(context: &Context<'_>, place: &ValueContext<'_>, name: &str, there_are: &str) -> Option<Help> {
    kept_elsewhere(context, name, |service| &service.node_templates).or_else(|| {
        let visible = |section| context.program.visible(place.at.unit, section).into_iter().map(|(name, _)| name);
        let names = [NODE_TEMPLATES, RELATIONSHIP_TEMPLATES].into_iter().flat_map(visible);
        let own = (!matches!(place.here(context), PathContext::Nowhere)).then_some("SELF");
        context.did_you_mean(name, own.into_iter().chain(names), there_are)
    })
}
