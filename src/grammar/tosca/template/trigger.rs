//! Triggers of policies (2.0, 16.5): an event, a condition, and what is done then.

use super::super::data::{Judge, Place, Schema, Subject, check_assertions, check_condition};
use super::super::scalar::Metadata;
use super::super::section::{DATA_TYPES, NODE_TEMPLATES, NODE_TYPES};
use super::super::types::{DataType, NodeType};
use super::super::version::{V1_2, V1_3, V2_0};
use super::course::check_action;
use super::{Activity, NodeTemplate, PolicyDefinition};
use crate::Entity;
use crate::ard::{Entry, Kind, Node};
use crate::entity::{AnyId, Children, Id, Position, Text, Value};
use crate::phase::read::with_article;
use crate::phase::{Context, Explain};
use crate::rules;

/// What is done when something happens.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "trigger", spec = "16.5", after_inheritance = check_trigger)]
pub struct Trigger {
    /// What the trigger is for.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// What happens: a notification, written `interface.notification`, or another event.
    #[field(keyname("event", since = V1_3), keyname("event_type", until = V1_2, tolerated = V1_3), mandatory)]
    pub event: Option<Text>,
    /// When it may happen.
    #[field(until = V1_3)]
    pub schedule: Option<Value>,
    /// Where it happens.
    #[field(until = V1_3)]
    pub target_filter: Option<Value>,
    /// What must be true besides.
    pub condition: Option<Value>,
    /// What is done.
    #[field(since = V1_3, mandatory)]
    pub action: Children<Activity>,
    /// What is done, before there were activities: an operation, or the name of a workflow.
    #[field(keyname("action", until = V1_2), mandatory)]
    pub operation: Option<Value>,
}

fn check_trigger(trigger: &Trigger, context: &mut Context<'_>, id: Id<Trigger>) {
    let id = id.any();
    if let Some(Value(condition)) = trigger.condition.filter(|_| context.version(id) >= V2_0)
        && let Some(node) = context.node(condition)
    {
        check_condition(&mut Judge::new(context, Place::of(id)), node);
    }
}

/// Checks what a trigger of a policy does to the targets of the policy.
pub(super) fn render(context: &mut Context<'_>, (owner, policy): (AnyId, &PolicyDefinition), id: Id<Trigger>) {
    let Some(trigger) = context.get(id) else { return };
    let filtered = trigger.target_filter.and_then(|Value(filter)| check_target_filter(context, id.any(), filter));
    if context.version(id.any()) < V2_0 {
        if let Some(node) = trigger.schedule.and_then(|Value(schedule)| context.node(schedule)) {
            check_as(context, id.any(), node, "tosca.datatypes.TimeInterval");
        }
        if let Some(node) = trigger.condition.and_then(|Value(condition)| context.node(condition)) {
            let node_type = filtered.map_or_else(|| only_target(context, policy), |filtered| filtered.node_type);
            let capability = filtered.and_then(|filtered| filtered.capability);
            let subject = match filtered {
                Some(Filtered { is_elsewhere: true, .. }) => None,
                _ => capability.or_else(|| Subject::node(context, node_type?)),
            };
            check_simple_condition(context, id.any(), node, subject);
        }
    }
    check_action(context, owner, &trigger.action.items);
}

/// The type of the only node that the policy is about.
fn only_target(context: &Context<'_>, policy: &PolicyDefinition) -> Option<Id<NodeType>> {
    let [target] = policy.targets.items[..] else { return None };
    let template = context.any_target(target).and_then(AnyId::cast::<NodeTemplate>)?;
    context.target_of(context.get(template)?.r#type)
}

/// A condition, or a map that has one as `constraint` beside how often and how long it must be true (decision B 18).
fn check_simple_condition<'a>(context: &mut Context<'a>, id: AnyId, node: Node<'a>, subject: Option<Subject<'a>>) {
    const KEYNAMES: &[&str] = &["constraint", "period", "evaluations", "method"];
    let is_long = node.entries().any(|entry| KEYNAMES.contains(&entry.key.text()));
    if !is_long {
        check_assertions(&mut Judge::new(context, Place::of_filter(id)), node, subject);
        return;
    }
    for Entry { key, value, .. } in node.entries() {
        match key.text() {
            "constraint" => check_assertions(&mut Judge::new(context, Place::of_filter(id)), value, subject),
            "period" => check_as(context, id, value, "scalar-unit.time"),
            "evaluations" => {
                if value.as_integer().is_none_or(|count| count < 1) {
                    let message = format!("`evaluations` must be a positive integer, not `{}`", value.text());
                    context
                        .problem(&rules::WRONG_TYPE, Some(value.span()), message)
                        .help("write how many times in a row the condition must be true, `1` or more");
                }
            }
            "method" => check_as(context, id, value, "string"),
            other => {
                let help = context.did_you_mean(other, KEYNAMES, "it has");
                let message = format!("`{other}` is not a keyname of the condition of a trigger");
                context.problem(&rules::UNKNOWN_KEYNAME, Some(key.span()), message).help_if(help);
            }
        }
    }
}

/// Compares a value with a type that comes with TOSCA.
fn check_as<'a>(context: &mut Context<'a>, id: AnyId, node: Node<'a>, name: &str) {
    let symbol = context.intern(name);
    if let Some(data_type) = context.resolve(id, DATA_TYPES, symbol).id().and_then(AnyId::cast::<DataType>) {
        Judge::new(context, Place::of(id)).check(node, &Schema::of_type(Some(data_type)));
    }
}

/// Where a trigger waits for its event.
#[derive(Clone, Copy)]
struct Filtered<'a> {
    node_type: Option<Id<NodeType>>,
    /// The capability of the node.
    capability: Option<Subject<'a>>,
    /// Whether it is the capability of another node.
    is_elsewhere: bool,
}

/// Checks where an event happens: at a node, or at a capability of it, or of the node at the end of a requirement.
fn check_target_filter<'a>(context: &mut Context<'a>, id: AnyId, filter: Position) -> Option<Filtered<'a>> {
    const KEYNAMES: &[&str] = &["node", "requirement", "capability"];
    let filter = context.node(filter)?;
    if filter.kind() != Kind::Map {
        let message = format!("`target_filter` must be a map, not {}", with_article(filter));
        context.problem(&rules::WRONG_KIND, Some(filter.span()), message).help("write `{ node: … }`");
        return None;
    }
    for Entry { key, .. } in filter.entries().filter(|entry| !KEYNAMES.contains(&entry.key.text())) {
        let help = context.did_you_mean(key.text(), KEYNAMES, "it has");
        let message = format!("`{}` is not a keyname of `target_filter`", key.text());
        context.problem(&rules::UNKNOWN_KEYNAME, Some(key.span()), message).help_if(help);
    }
    if filter.find("node").is_none() {
        let message = "`target_filter` lacks the mandatory keyname `node`";
        context.problem(&rules::MISSING_KEYNAME, Some(filter.span()), message).help("add `node: …`");
    }
    let (requirement, capability) = (filter.find("requirement"), filter.find("capability"));
    let name = filter.find("node")?.value;
    let symbol = context.intern(name.text());
    let template = context.resolve(id, NODE_TEMPLATES, symbol).id().and_then(AnyId::cast::<NodeTemplate>);
    let node_type = match template {
        Some(template) => context.target_of(context.get(template)?.r#type),
        None => context.resolve(id, NODE_TYPES, symbol).id().and_then(AnyId::cast::<NodeType>),
    };
    if template.is_none() && node_type.is_none() && !context.program.may_lack_names(id.unit) {
        let visible = context.program.visible(id.unit, NODE_TEMPLATES);
        let names = visible.into_iter().map(|(name, _)| name);
        let help = context.did_you_mean(name.text(), names, "the node templates are");
        let message = format!("there is no node template or node type `{}`", name.text());
        context.problem(&rules::UNKNOWN_NAME, Some(name.span()), message).help_if(help);
    }
    let mut filtered =
        Filtered { node_type, capability: None, is_elsewhere: requirement.is_some() && capability.is_some() };
    let Some(node_type) = node_type.filter(|id| context.program.is_known(id.any())) else { return Some(filtered) };
    let of_type = context.get(node_type)?;
    let describes = context.describe(node_type.any());
    if let Some(Entry { value, .. }) = requirement {
        let symbol = context.program.interner.get(value.text());
        if symbol.and_then(|symbol| of_type.requirements.get(symbol)).is_none() {
            let names = of_type.requirements.iter().map(|(name, _)| context.text(name));
            let help = context.did_you_mean(value.text(), names, "it has");
            let message = format!("{describes} has no requirement `{}`", value.text());
            context.problem(&rules::UNKNOWN_REQUIREMENT, Some(value.span()), message).help_if(help);
        }
    }
    if let Some(Entry { value, .. }) = capability.filter(|_| requirement.is_none()) {
        let symbol = context.program.interner.get(value.text());
        if let Some(found) = symbol.and_then(|symbol| of_type.capabilities.get(symbol)) {
            filtered.capability = Subject::capability(context, found);
            filtered.is_elsewhere = filtered.capability.is_none();
        } else {
            let names = of_type.capabilities.iter().map(|(name, _)| context.text(name));
            let help = context.did_you_mean(value.text(), names, "it has");
            let message = format!("{describes} has no capability `{}`", value.text());
            context.problem(&rules::UNKNOWN_NAME, Some(value.span()), message).help_if(help);
            filtered.is_elsewhere = true;
        }
    }
    Some(filtered)
}
