//! What workflows do: their steps in order, and the operations and workflows that they call (2.0, 13.2).

use super::super::data::{Judge, Place, Subject, Typed, check_assertions, check_condition, check_mapping};
use super::super::definition::{InterfaceDefinition, ParameterDefinition};
use super::super::normative::interface_of_type;
use super::super::section::{GROUPS, NODE_TEMPLATES, WORKFLOWS};
use super::super::types::{NodeType, RelationshipType};
use super::super::version::V2_0;
use super::turn::check_steps;
use super::{
    Activity, GroupDefinition, NodeTemplate, OperationCall, PolicyDefinition, StepNames, WorkflowCall,
    WorkflowDefinition, WorkflowStep,
};
use crate::ard::{Entry, Kind, Node};
use crate::entity::{AnyId, Entity, Id, Position, Text, Value, Values};
use crate::phase::{Context, Explain};
use crate::rules;
use crate::symbol::Symbol;

pub(super) fn render(workflow: &WorkflowDefinition, context: &mut Context<'_>, id: AnyId) {
    if context.version(id) >= V2_0 {
        if let Some(node) = workflow.precondition.and_then(|Value(condition)| context.node(condition)) {
            check_condition(&mut Judge::new(context, Place::of(id)), node);
        }
        if let Some(outputs) = workflow.outputs.position.and_then(|position| context.node(position)) {
            for entry in outputs.entries() {
                check_mapping(context, id, Position { unit: id.unit, node: entry.value.id() }, None);
            }
        }
    } else if let Some(Value(preconditions)) = workflow.preconditions {
        check_preconditions(context, id, preconditions);
    }
    for (_, step) in workflow.steps.iter() {
        check_step(context, workflow, step);
    }
    check_steps(context, workflow);
}

fn check_step(context: &mut Context<'_>, workflow: &WorkflowDefinition, id: Id<WorkflowStep>) {
    let Some(step) = context.get(id) else { return };
    check_names(context, workflow, &step.on_success);
    check_names(context, workflow, &step.on_failure);
    let target = step.target.and_then(|target| context.any_target(target));
    let template = target.and_then(AnyId::cast::<NodeTemplate>);
    let mut called = template.map_or_else(Called::default, |template| Called::on_node(context, template));
    called.several = target.filter(|target| target.kind == GroupDefinition::KIND);
    if let Some(node) = step.target_relationship.and_then(|Text(position)| context.node(position)) {
        called = check_relationship(context, node, &called);
    }
    if let Some(filter) = step.filter {
        if context.version(id.any()) >= V2_0 {
            check_filter(context, id.any(), filter);
        } else if let Some(node) = context.node(filter.0) {
            check_simple(context, id.any(), node, called);
        }
    }
    for activity in &step.activities.items {
        check_activity(context, *activity, &called);
    }
}

/// What must be true before 2.0: a list of conditions about nodes, or about relationships of theirs.
fn check_preconditions(context: &mut Context<'_>, id: AnyId, preconditions: Position) {
    let Some(list) = context.node(preconditions) else { return };
    let entries: Vec<Node<'_>> = if list.kind() == Kind::List { list.items().collect() } else { vec![list] };
    for entry in entries {
        let Some(Entry { value: target, .. }) = entry.find("target") else {
            let message = "a precondition must be a map that has a `target`";
            context
                .problem(&rules::MISSING_KEYNAME, Some(entry.span()), message)
                .help("write the name of a node template or group: `target: …`");
            continue;
        };
        let symbol = context.intern(target.text());
        let found = context.resolve(id, NODE_TEMPLATES, symbol).id();
        if found.is_none() && context.resolve(id, GROUPS, symbol).id().is_none() {
            let visible = context.program.visible(id.unit, NODE_TEMPLATES);
            let names: Vec<&str> = visible.into_iter().map(|(name, _)| name).collect();
            let help = context.did_you_mean(target.text(), &names, "the node templates are");
            let message = format!("there is no node template or group `{}`", target.text());
            context.problem(&rules::UNKNOWN_NAME, Some(target.span()), message).help_if(help);
        }
        let template = found.and_then(AnyId::cast::<NodeTemplate>);
        let mut about = template.map_or_else(Called::default, |template| Called::on_node(context, template));
        if let Some(Entry { value, .. }) = entry.find("target_relationship") {
            about = check_relationship(context, value, &about);
        }
        if let Some(Entry { value, .. }) = entry.find("condition") {
            check_simple(context, id, value, about);
        }
    }
}

/// Checks a condition in its form before 2.0.
fn check_simple<'a>(context: &mut Context<'a>, id: AnyId, condition: Node<'a>, about: Called) {
    let subject = match (about.relationship_type, about.node_type) {
        (Some(id), _) => Subject::relationship(context, id),
        (None, Some(id)) => Subject::node(context, id),
        (None, None) => None,
    };
    check_assertions(&mut Judge::new(context, Place::of_filter(id)), condition, subject);
}

/// A list of conditions; one condition will do (decision A 34).
fn check_filter(context: &mut Context<'_>, id: AnyId, Value(filter): Value) {
    let Some(node) = context.node(filter) else { return };
    let conditions: Vec<Node<'_>> = if node.kind() == Kind::List { node.items().collect() } else { vec![node] };
    for condition in conditions {
        check_condition(&mut Judge::new(context, Place::of(id)), condition);
    }
}

fn check_names(context: &mut Context<'_>, workflow: &WorkflowDefinition, names: &StepNames) {
    for Text(position) in &names.names {
        let Some(node) = context.node(*position) else { continue };
        let symbol = context.program.interner.get(node.text());
        if symbol.and_then(|symbol| workflow.steps.get(symbol)).is_none() {
            let steps = workflow.steps.iter().map(|(name, _)| context.text(name));
            let help = context.did_you_mean(node.text(), steps, "the steps are");
            let message = format!("the workflow has no step `{}`", node.text());
            context.problem(&rules::UNKNOWN_STEP, Some(node.span()), message).help_if(help);
        }
    }
}

/// What activities call operations on, as far as it is known.
#[derive(Clone, Copy, Default)]
struct Called {
    /// The type of the node.
    node_type: Option<Id<NodeType>>,
    relationship_type: Option<Id<RelationshipType>>,
    template: Option<Id<NodeTemplate>>,
    /// A group or policy, for the nodes that it is about.
    several: Option<AnyId>,
}

impl Called {
    /// The node that is made from a template.
    fn on_node(context: &Context<'_>, template: Id<NodeTemplate>) -> Self {
        let node_type = context.get(template).and_then(|template| context.target_of(template.r#type));
        Self { node_type, template: Some(template), ..Self::default() }
    }
}

fn check_relationship(context: &mut Context<'_>, node: Node<'_>, called: &Called) -> Called {
    if let Some(group) = called.several {
        let message = format!("`{}` is a group, and has no requirement `{}`", context.program.name(group), node.text());
        let defined = context.program.name_span(group);
        context
            .problem(&rules::UNKNOWN_REQUIREMENT, Some(node.span()), message)
            .related(defined, "this is the group")
            .help("name a node template as target");
        return Called::default();
    }
    let Some((id, node_type)) = called.node_type.and_then(|id| Some((id, context.get(id)?))) else {
        return Called::default();
    };
    let symbol = context.program.interner.get(node.text());
    let Some(requirement) = symbol.and_then(|symbol| node_type.requirements.get(symbol)) else {
        let names: Vec<&str> = node_type.requirements.iter().map(|(name, _)| context.text(name)).collect();
        let help = context.did_you_mean(node.text(), &names, "it has");
        let help = help.unwrap_or_else(|| "leave `target_relationship` out".to_owned());
        let message = format!("{} has no requirement `{}`", context.describe(id.any()), node.text());
        context.problem(&rules::UNKNOWN_REQUIREMENT, Some(node.span()), message).help(help);
        return Called::default();
    };
    let relationship = context.get(requirement).and_then(|requirement| context.get(requirement.relationship.0?));
    let relationship_type = relationship.and_then(|relationship| context.target_of(relationship.r#type));
    Called { relationship_type, ..Called::default() }
}

/// Checks what a trigger of a policy does.
pub(super) fn check_action(context: &mut Context<'_>, policy: AnyId, activities: &[Id<Activity>]) {
    let called = Called { several: Some(policy), ..Called::default() };
    for activity in activities {
        check_activity(context, *activity, &called);
    }
}

fn check_activity(context: &mut Context<'_>, id: Id<Activity>, called: &Called) {
    let Some(activity) = context.get(id) else { return };
    if let Some(inline) = activity.inline.0 {
        check_inline(context, inline);
    }
    if let Some(call) = activity.call_operation.0 {
        check_operation(context, call, called);
    }
}

fn check_inline(context: &mut Context<'_>, id: Id<WorkflowCall>) {
    let Some(call) = context.get(id) else { return };
    let Some(node) = call.workflow.and_then(|Text(position)| context.node(position)) else { return };
    let symbol = context.intern(node.text());
    let Some(target) = context.resolve(id.any(), WORKFLOWS, symbol).id().and_then(AnyId::cast::<WorkflowDefinition>)
    else {
        let visible = context.program.visible(id.unit, WORKFLOWS);
        let names: Vec<&str> = visible.into_iter().map(|(name, _)| name).collect();
        let help = context.did_you_mean(node.text(), &names, "the workflows are");
        let message = format!("there is no workflow `{}`", node.text());
        context.problem(&rules::UNKNOWN_WORKFLOW, Some(node.span()), message).help_if(help);
        return;
    };
    let Some(workflow) = context.get(target) else { return };
    let title = format!("workflow `{}`", node.text());
    let inputs: Vec<Id<ParameterDefinition>> = workflow.inputs.iter().map(|(_, id)| id).collect();
    check_inputs(context, id.any(), node, &call.inputs, &inputs, &[], &title);
}

/// Checks a call of an operation.
fn check_operation(context: &mut Context<'_>, id: Id<OperationCall>, called: &Called) {
    let Some(call) = context.get(id) else { return };
    let Some(node) = call.operation.and_then(|Text(position)| context.node(position)) else { return };
    let Some((interface_name, operation_name)) = node.text().rsplit_once('.') else {
        let message = format!("`{}` is not an operation", node.text());
        context.problem(&rules::UNKNOWN_OPERATION, Some(node.span()), message).help("write `interface.operation`");
        return;
    };
    let of_type = interface_of_type(interface_name).filter(|_| context.version(id.any()) < V2_0);
    let interface_name = of_type.unwrap_or(interface_name);
    let called = match called.several {
        Some(several) => find_called(context, several, node, (interface_name, operation_name)),
        None => *called,
    };
    let of_node = called.node_type.and_then(|id| Some((id.any(), &context.get(id)?.interfaces)));
    let of_relationship = called.relationship_type.and_then(|id| Some((id.any(), &context.get(id)?.interfaces)));
    let Some((owner, interfaces)) = of_node.or(of_relationship) else { return };
    let interface_symbol = context.program.interner.get(interface_name);
    let interface: Option<&InterfaceDefinition> =
        interface_symbol.and_then(|symbol| interfaces.get(symbol)).and_then(|id| context.get(id));
    let Some(interface) = interface else {
        if !context.is_complete(owner) {
            return;
        }
        let names: Vec<&str> = interfaces.iter().map(|(name, _)| context.text(name)).collect();
        let help = context.did_you_mean(interface_name, &names, "it has");
        let message = format!("{} has no interface `{interface_name}`", context.describe(owner));
        context.problem(&rules::UNKNOWN_OPERATION, Some(node.span()), message).help_if(help);
        return;
    };
    let operation_symbol = context.program.interner.get(operation_name);
    let operation = operation_symbol.and_then(|symbol| interface.operations.get(symbol)).and_then(|id| context.get(id));
    let Some(operation) = operation else {
        let definition = interface_symbol.and_then(|symbol| interfaces.get(symbol));
        if definition.is_some_and(|definition| !context.is_complete(definition.any())) {
            return;
        }
        let names: Vec<&str> = interface.operations.iter().map(|(name, _)| context.text(name)).collect();
        let help = context.did_you_mean(operation_name, &names, "it has");
        let message =
            format!("interface `{interface_name}` of {} has no operation `{operation_name}`", context.describe(owner));
        context.problem(&rules::UNKNOWN_OPERATION, Some(node.span()), message).help_if(help);
        return;
    };
    let inputs: Vec<Id<ParameterDefinition>> =
        interface.inputs.iter().chain(operation.inputs.iter()).map(|(_, id)| id).collect();
    let assigned = assigned_inputs(context, called.template, interface_symbol, operation_symbol);
    let title = format!("operation `{}`", node.text());
    check_inputs(context, id.any(), node, &call.inputs, &inputs, &assigned, &title);
}

/// An operation that is called on several nodes is called on those that have it: the first of them.
fn find_called(
    context: &mut Context<'_>,
    several: AnyId,
    call: Node<'_>,
    (interface, operation): (&str, &str),
) -> Called {
    let interner = &context.program.interner;
    let (interface, operation) = (interner.get(interface), interner.get(operation));
    let Some(templates) = templates_of(context, several).filter(|templates| !templates.is_empty()) else {
        return Called::default();
    };
    for template in templates {
        let called = Called::on_node(context, template);
        let Some(complete) = called.node_type.and_then(|id| context.get(id)) else { return Called::default() };
        let interface = interface.and_then(|name| complete.interfaces.get(name)).and_then(|id| context.get(id));
        if interface.zip(operation).is_some_and(|(interface, name)| interface.operations.get(name).is_some()) {
            return called;
        }
    }
    let (what, rule) = match several.kind {
        GroupDefinition::KIND => ("member", &rules::UNKNOWN_OPERATION),
        _ => ("target", &rules::UNKNOWN_TRIGGERED_OPERATION),
    };
    let message = format!("no {what} of {} has operation `{}`", context.describe(several), call.text());
    let defined = context.program.name_span(several);
    context
        .problem(rule, Some(call.span()), message)
        .related(defined, format!("the {what}s are listed here"))
        .help(format!("call an operation that the node type of a {what} has, written `interface.operation`"));
    Called::default()
}

/// The node templates that a group or policy is about, also by way of groups; nothing if not all are known.
fn templates_of(context: &Context<'_>, several: AnyId) -> Option<Vec<Id<NodeTemplate>>> {
    let mut templates = Vec::new();
    let mut owners = vec![several];
    let mut next = 0;
    while let Some(owner) = owners.get(next).copied() {
        next += 1;
        let references = match owner.cast::<GroupDefinition>() {
            Some(group) => &context.get(group)?.members.items,
            None => &context.get(owner.cast::<PolicyDefinition>()?)?.targets.items,
        };
        for reference in references {
            let target = context.any_target(*reference)?;
            match target.cast() {
                Some(template) => templates.push(template),
                None if owners.contains(&target) => {}
                None => owners.push(target),
            }
        }
    }
    Some(templates)
}

/// The inputs to which the node template assigns values.
fn assigned_inputs(
    context: &Context<'_>,
    template: Option<Id<NodeTemplate>>,
    interface: Option<Symbol>,
    operation: Option<Symbol>,
) -> Vec<Symbol> {
    let interface = template
        .and_then(|template| context.get(template)?.interfaces.get(interface?))
        .and_then(|interface| context.get(interface));
    let Some(interface) = interface else { return Vec::new() };
    let operation = operation.and_then(|name| interface.operations.get(name)).and_then(|id| context.get(id));
    let of_operation = operation.map(|operation| operation.inputs);
    [Some(interface.inputs), of_operation]
        .into_iter()
        .flatten()
        .filter_map(|inputs| context.node(inputs.position?))
        .flat_map(Node::entries)
        .filter_map(|entry| entry.key.symbol())
        .collect()
}

/// Compares what is given to an operation or workflow with what it takes.
fn check_inputs(
    context: &mut Context<'_>,
    at: AnyId,
    call: Node<'_>,
    given: &Values,
    inputs: &[Id<ParameterDefinition>],
    assigned: &[Symbol],
    title: &str,
) {
    let given: Vec<Entry<'_>> = given
        .position
        .and_then(|position| context.node(position))
        .map_or_else(Vec::new, |node| node.entries().collect());
    let name_of =
        |context: &Context<'_>, id: &Id<ParameterDefinition>| context.header(id.any()).map(|header| header.name);
    for entry in &given {
        let symbol = entry.key.symbol();
        let input = inputs.iter().find(|id| name_of(context, id) == symbol);
        let Some((id, definition)) = input.and_then(|id| Some((*id, context.get(*id)?))) else {
            let names: Vec<&str> = inputs.iter().map(|id| context.program.name(id.any())).collect();
            let help = context.did_you_mean(entry.key.text(), &names, "it takes");
            let message = format!("{title} has no input `{}`", entry.key.text());
            context.problem(&rules::UNDECLARED, Some(entry.key.span()), message).help_if(help);
            continue;
        };
        if let Some(Value(fixed)) = definition.value {
            let message = format!("input `{}` of {title} has a fixed value and can't be assigned", entry.key.text());
            let fixed = context.span(fixed);
            context
                .problem(&rules::FIXED_VALUE_ASSIGNED, Some(entry.key.span()), message)
                .related(fixed, "it is fixed here")
                .help("leave the assignment out");
            continue;
        }
        let schema = definition.schema(context, id);
        let mut judge = Judge::new(context, Place::of(at));
        judge.check(entry.value, &schema);
        if definition.is_required() {
            judge.check_is_certain(entry.value, &format!("input `{}` of {title}", entry.key.text()));
        }
    }
    for id in inputs {
        let (Some(definition), Some(name)) = (context.get(*id), name_of(context, id)) else { continue };
        let is_given = given.iter().any(|entry| entry.key.symbol() == Some(name)) || assigned.contains(&name);
        if definition.is_required() && !definition.has_value() && !is_given {
            let message = format!("{title} needs a value for input `{}`", context.text(name));
            let defined = context.program.name_span(id.any());
            let name = context.text(name);
            context
                .problem(&rules::MISSING_VALUE, Some(call.span()), message)
                .related(defined, "it is required here, and has no default")
                .help(format!("add `{name}: …` under `inputs`"));
        }
    }
}
