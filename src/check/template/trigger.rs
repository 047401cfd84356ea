//! Triggers of policies (2.0, 16.5): an event, a condition, and an action.

use super::workflow_check::{check_action, check_inputs};
use crate::data::{Judge, Schema, Subject, ValueContext, check_assertions, check_condition};
use crate::diagnostic::Help;
use crate::entity::{AnyId, Checked, Checks, Entity as _, Id, Members, NodeRef, Reference, Text, Value};
use crate::grammar::section::{DATA_TYPES, NODE_TEMPLATES, NODE_TYPES};
use crate::grammar::template::{
    EventFilter, NodeTemplate, PolicyDefinition, Trigger, TriggerCondition, TriggerOperation,
};
use crate::grammar::types::{DataType, NodeType, PolicyType};
use crate::phase::rendering::RenderedEntity;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for Trigger {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(check_trigger);
}

fn check_trigger(trigger: &Trigger, context: &mut Context<'_>, id: Id<Trigger>) {
    if let Some(node) = trigger.condition.and_then(|Value(condition)| context.node(condition)) {
        check_condition(&mut Judge::new(context, ValueContext::of(id.any())), node);
    }
    let is_in_type = context.program.owners(id.any()).next().is_some_and(|owner| owner.kind == PolicyType::KIND);
    if is_in_type {
        // Only policies of the type have targets.
        if let Some(condition) = trigger.assertions {
            check_assertions_of(context, condition, None);
        }
        check_inputs(context, &trigger.action);
    }
}

impl Checked for TriggerOperation {
    const CHECKS: Checks<Self> = Checks::NEW.render(render_operation);
}

/// Checks the inputs of the operation, which have no definitions.
fn render_operation(_: &TriggerOperation, context: &mut Context<'_>, id: Id<TriggerOperation>) {
    context.apply::<TriggerOperation>(&RenderedEntity::of(id.any(), None));
}

/// Checks the action of a trigger on the targets of the policy.
pub(super) fn render(context: &mut Context<'_>, (owner, policy): (AnyId, &PolicyDefinition), id: Id<Trigger>) {
    let Some(trigger) = context.get(id) else { return };
    let filtered = trigger.target_filter.and_then(|filter| check_event_filter(context, filter));
    if let Some(Value(schedule)) = trigger.schedule {
        check_as(context, id.any(), schedule, "tosca.datatypes.TimeInterval");
    }
    if let Some(id) = trigger.assertions {
        let subject = match filtered {
            Some(Filtered { is_elsewhere: true, .. }) => None,
            Some(Filtered { capability: Some(capability), .. }) => Some(capability),
            Some(Filtered { node_type, .. }) => node_type.and_then(|id| Subject::node(context, id)),
            None => only_target(context, policy).and_then(|id| Subject::node(context, id)),
        };
        check_assertions_of(context, id, subject);
    }
    check_action(context, owner, &trigger.action);
}

/// Returns the type of the policy's target, if there is only one target.
fn only_target(context: &Context<'_>, policy: &PolicyDefinition) -> Option<Id<NodeType>> {
    let [target] = policy.targets[..] else { return None };
    let template = context.any_target(target).and_then(AnyId::cast::<NodeTemplate>)?;
    context.target_of(context.get(template)?.r#type)
}

fn check_assertions_of<'a>(context: &mut Context<'a>, id: Id<TriggerCondition>, subject: Option<Subject<'a>>) {
    let Some(condition) = context.get(id) else { return };
    let id = id.any();
    if let Some(node) = condition.constraint.and_then(|Value(constraint)| context.node(constraint)) {
        check_assertions(&mut Judge::new(context, ValueContext::of_filter(id)), node, subject);
    }
    if let Some(Value(period)) = condition.period {
        check_as(context, id, period, "scalar-unit.time");
    }
}

/// Checks a value against the built-in type with the given name.
fn check_as(context: &mut Context<'_>, id: AnyId, value: NodeRef, name: &str) {
    let symbol = context.intern(name);
    let data_type = context.resolve(id, DATA_TYPES, symbol).id().and_then(AnyId::cast::<DataType>);
    if let Some((data_type, node)) = data_type.zip(context.node(value)) {
        Judge::new(context, ValueContext::of(id)).check(node, &Schema::of_type(Some(data_type)));
    }
}

/// The entity on which a trigger expects its event.
#[derive(Clone, Copy)]
struct Filtered<'a> {
    node_type: Option<Id<NodeType>>,
    /// The capability of the node.
    capability: Option<Subject<'a>>,
    /// Whether the event occurs on another node, or on a member that the node does not have.
    is_elsewhere: bool,
}

fn check_event_filter<'a>(context: &mut Context<'a>, id: Id<EventFilter>) -> Option<Filtered<'a>> {
    let filter = context.get(id)?;
    let node_type = node_type_of(context, id.any(), filter.node?);
    let mut filtered = Filtered { node_type, capability: None, is_elsewhere: filter.requirement.is_some() };
    let Some(node_type) = node_type.filter(|id| context.program.is_known(id.any())) else { return Some(filtered) };
    let of_type = context.get(node_type)?;
    if let Some(name) = filter.requirement {
        check_member(context, node_type, name, "requirement", &of_type.requirements);
    } else if let Some(name) = filter.capability {
        let found = check_member(context, node_type, name, "capability", &of_type.capabilities);
        filtered.capability = found.and_then(|id| Subject::capability(context, id));
        filtered.is_elsewhere = filtered.capability.is_none();
    }
    Some(filtered)
}

/// Returns the type of the node that a filter names. The name is looked up only here, because policy types name
/// templates of future services.
fn node_type_of(context: &mut Context<'_>, id: AnyId, reference: Reference<()>) -> Option<Id<NodeType>> {
    let Some(found) = context.any_target(reference) else {
        if !context.program.may_lack_names(id.unit) {
            let name = context.text(reference.name);
            let help = similar_node(context, id, name);
            let message = format!("there is no node template or node type `{name}`");
            let at = context.reference_span(reference);
            context.problem(&rules::UNKNOWN_NAME, at, message).help_if(help);
        }
        return None;
    };
    match found.cast::<NodeTemplate>() {
        Some(template) => context.target_of(context.get(template)?.r#type),
        None => found.cast(),
    }
}

/// Returns help for an unknown name of a node.
fn similar_node(context: &Context<'_>, id: AnyId, name: &str) -> Option<Help> {
    context.suggest(id.unit, &[NODE_TEMPLATES, NODE_TYPES], name).or_else(|| {
        // Collecting the names takes long, too.
        let is_spent = context.suggestions().is_spent();
        let names = if is_spent { Vec::new() } else { context.program.visible(id.unit, NODE_TEMPLATES) };
        context.did_you_mean(name, names.into_iter().map(|(name, _)| name), "the node templates are")
    })
}

/// Checks that a name in a filter is a member of the node type.
fn check_member<E: crate::entity::Entity>(
    context: &mut Context<'_>,
    of_type: Id<NodeType>,
    Text(name): Text,
    what: &str,
    members: &Members<E>,
) -> Option<Id<E>> {
    let node = context.node(name)?;
    let found = context.program.interner.get(node.text()).and_then(|symbol| members.get(symbol));
    if found.is_none() {
        let names = members.iter().map(|(name, _)| context.text(name));
        let help = context.did_you_mean(node.text(), names, "it has");
        let message = format!("{} has no {what} `{}`", context.describe(of_type.any()), node.text());
        let rule = if what == "requirement" { &rules::UNKNOWN_REQUIREMENT } else { &rules::UNKNOWN_NAME };
        context.problem(rule, Some(node.span()), message).help_if(help);
    }
    found
}
