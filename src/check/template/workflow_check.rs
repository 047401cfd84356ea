//! Checks of workflows: the order of their steps, and the operations and workflows that they call (2.0, 13.2).

use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::workflow_loops::check_steps;
use crate::ard::{Entry, Kind, Node};
use crate::check::definition::artifact::check_host;
use crate::check::definition::used::report_fixed;
use crate::data::{
    Judge, NodeContext, RelationshipContext, Schema, Subject, Typed, ValueContext, check_assertions, check_condition,
    check_mapping,
};
use crate::entity::{AnyId, Entity, Id, Members, NodeRef, Reference, Text, Texts, Value, Values};
use crate::grammar::definition::{
    InterfaceDefinition, OperationDefinition, ParameterDefinition, RelationshipDefinition,
};
use crate::grammar::section::WORKFLOWS;
use crate::grammar::template::{
    Activity, GroupDefinition, InterfaceAssignment, NodeTemplate, OperationCall, Precondition, RelationshipAssignment,
    RelationshipTemplate, WorkflowCall, WorkflowDefinition, WorkflowStep,
};
use crate::grammar::types::{NodeType, RelationshipType};
use crate::grammar::version::V2_0;
use crate::normative::interface_of_type;
use crate::phase::{Context, DiagnosticExt};
use crate::relationships::templates_of;
use crate::rules;
use crate::symbol::Symbol;

pub(super) fn render(workflow: &WorkflowDefinition, context: &mut Context<'_>, id: Id<WorkflowDefinition>) {
    let id = id.any();
    if let Some(node) = workflow.precondition.and_then(|Value(condition)| context.node(condition)) {
        check_condition(&mut Judge::new(context, ValueContext::of(id)), node);
    }
    if let Some(outputs) = workflow.outputs.position.and_then(|position| context.node(position)) {
        for entry in outputs.entries() {
            let mapping = NodeRef { unit: id.unit, node: entry.value.id() };
            check_mapping(&mut Judge::new(context, ValueContext::of(id)), mapping, None);
        }
    }
    for precondition in &workflow.preconditions {
        check_precondition(context, *precondition);
    }
    let mut signatures = Signatures::default();
    for (_, step) in workflow.steps.iter() {
        check_step(context, workflow, step, &mut signatures);
    }
    check_steps(context, workflow);
}

fn check_step(
    context: &mut Context<'_>,
    workflow: &WorkflowDefinition,
    id: Id<WorkflowStep>,
    signatures: &mut Signatures,
) {
    let Some(step) = context.get(id) else { return };
    check_names(context, workflow, &step.on_success);
    check_names(context, workflow, &step.on_failure);
    let called = called(context, step.target, step.target_relationship);
    // For an operation on a relationship, the host is a keyword; otherwise, it is the name of a node template or node
    // type (1.3, 3.6.27).
    if let Some(host) = step.operation_host.filter(|_| step.target_relationship.is_some())
        && let Some(node) = context.node(host.0)
    {
        check_host(context, node, &["SOURCE", "TARGET"]);
    }
    if let Some(filter) = step.filter {
        if context.version(id.any()) >= V2_0 {
            check_filter(context, id.any(), filter);
        } else if let Some(node) = context.node(filter.0) {
            check_simple(context, id.any(), node, &called);
        }
    }
    for activity in &step.activities {
        check_activity(context, *activity, &called, signatures);
    }
}

fn check_precondition(context: &mut Context<'_>, id: Id<Precondition>) {
    let Some(precondition) = context.get(id) else { return };
    let about = called(context, precondition.target, precondition.target_relationship);
    if let Some(node) = precondition.condition.and_then(|Value(condition)| context.node(condition)) {
        check_simple(context, id.any(), node, &about);
    }
}

/// Returns the entity that a step or a condition applies to.
fn called(context: &mut Context<'_>, target: Option<Reference<()>>, relationship: Option<Text>) -> Called {
    let target = target.and_then(|target| context.any_target(target));
    let template = target.and_then(AnyId::cast::<NodeTemplate>);
    let mut called = template.map_or_else(Called::default, |template| Called::on_node(context, template));
    called.several = target.filter(|target| target.kind == GroupDefinition::KIND);
    match relationship.and_then(|Text(position)| context.node(position)) {
        Some(node) => check_relationship(context, node, &called),
        None => called,
    }
}

/// Checks a condition in the form before 2.0.
fn check_simple<'a>(context: &mut Context<'a>, id: AnyId, condition: Node<'a>, about: &Called) {
    let relationship = about.relationships.first().and_then(|relationship| relationship.relationship_type);
    let subject = match (relationship, about.node_type) {
        (Some(id), _) => Subject::relationship(context, id),
        (None, Some(id)) => Subject::node(context, id),
        (None, None) => None,
    };
    check_assertions(&mut Judge::new(context, ValueContext::of_filter(id)), condition, subject);
}

/// Checks a list of conditions, or a single one (decision A 34).
fn check_filter(context: &mut Context<'_>, id: AnyId, Value(filter): Value) {
    let Some(node) = context.node(filter) else { return };
    let conditions: Vec<Node<'_>> = if node.kind() == Kind::List { node.items().collect() } else { vec![node] };
    for condition in conditions {
        check_condition(&mut Judge::new(context, ValueContext::of(id)), condition);
    }
}

fn check_names(context: &mut Context<'_>, workflow: &WorkflowDefinition, names: &Texts) {
    for Text(position) in names {
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

/// The entity on which activities call operations, as far as it is known.
#[derive(Clone, Default)]
struct Called {
    /// The type of the node.
    node_type: Option<Id<NodeType>>,
    /// The relationships of a requirement: the assigned ones, or else the one in the type's definition.
    relationships: Vec<RelationshipContext>,
    template: Option<Id<NodeTemplate>>,
    /// A group or policy, which represents the nodes that it applies to.
    several: Option<AnyId>,
}

impl Called {
    /// Returns the node of a template.
    fn on_node(context: &Context<'_>, template: Id<NodeTemplate>) -> Self {
        let node_type = context.get(template).and_then(|template| context.target_of(template.r#type));
        Self { node_type, template: Some(template), ..Self::default() }
    }
}

fn check_relationship(context: &mut Context<'_>, node: Node<'_>, called: &Called) -> Called {
    if let Some(group) = called.several {
        let message = format!("`{}` is a group and has no requirement `{}`", context.program.name(group), node.text());
        let defined = context.program.name_span(group);
        context
            .problem(&rules::UNKNOWN_REQUIREMENT, Some(node.span()), message)
            .related(defined, "group")
            .help("name a node template as target");
        return Called::default();
    }
    let Some((id, node_type)) = called.node_type.and_then(|id| Some((id, context.get(id)?))) else {
        return Called::default();
    };
    let symbol = context.program.interner.get(node.text());
    let Some(requirement) = symbol.and_then(|symbol| node_type.requirements.get(symbol)) else {
        let names = node_type.requirements.iter().map(|(name, _)| context.text(name));
        let help = context.did_you_mean(node.text(), names, "it has");
        let help = help.unwrap_or_else(|| "remove `target_relationship`".into());
        let message = format!("{} has no requirement `{}`", context.describe(id.any()), node.text());
        context.problem(&rules::UNKNOWN_REQUIREMENT, Some(node.span()), message).help(help);
        return Called::default();
    };
    let node = NodeContext { template: called.template, node_type: called.node_type, ..NodeContext::default() };
    let template = called.template.and_then(|template| context.get(template));
    let assigned = template.map_or(&[][..], |template| &template.requirements);
    let of_name = assigned.iter().filter(|(name, _)| Some(*name) == symbol);
    let mut relationships: Vec<_> =
        of_name.map(|(_, id)| RelationshipContext::of_assignment(context, *id, node)).collect();
    if relationships.is_empty() {
        relationships.push(RelationshipContext::of_definition(context, requirement, node));
    }
    Called { relationships, ..Called::default() }
}

/// Checks the action of a policy trigger.
pub(super) fn check_action(context: &mut Context<'_>, policy: AnyId, activities: &[Id<Activity>]) {
    let called = Called { several: Some(policy), ..Called::default() };
    let mut signatures = Signatures::default();
    for activity in activities {
        check_activity(context, *activity, &called, &mut signatures);
    }
}

fn check_activity(context: &mut Context<'_>, id: Id<Activity>, called: &Called, signatures: &mut Signatures) {
    let Some(activity) = context.get(id) else { return };
    if let Some(inline) = activity.inline {
        check_inline(context, inline, signatures);
    }
    if let Some(call) = activity.call_operation {
        check_operation(context, call, called, signatures);
    }
    // The inputs of a delegated workflow have no definitions.
    if let Some((id, call)) = activity.delegate.and_then(|id| Some((id, context.get(id)?))) {
        check_undefined(context, id.any(), &call.inputs);
    }
}

/// Checks the inputs of activities in a type, where their definitions are unknown.
pub(super) fn check_inputs(context: &mut Context<'_>, activities: &[Id<Activity>]) {
    for id in activities {
        let Some(activity) = context.get(*id) else { continue };
        for id in [activity.delegate, activity.inline].into_iter().flatten() {
            if let Some(call) = context.get(id) {
                check_undefined(context, id.any(), &call.inputs);
            }
        }
        if let Some((id, call)) = activity.call_operation.and_then(|id| Some((id, context.get(id)?))) {
            check_undefined(context, id.any(), &call.inputs);
        }
    }
}

/// Checks inputs without definitions.
fn check_undefined(context: &mut Context<'_>, at: AnyId, inputs: &Values) {
    let Some(inputs) = inputs.position.and_then(|position| context.node(position)) else { return };
    for entry in inputs.entries() {
        Judge::new(context, ValueContext::of(at)).check(entry.value, &Schema::of_type(None));
    }
}

fn check_inline(context: &mut Context<'_>, id: Id<WorkflowCall>, signatures: &mut Signatures) {
    let Some(call) = context.get(id) else { return };
    let Some(node) = call.workflow.and_then(|Text(position)| context.node(position)) else { return };
    let symbol = context.intern(node.text());
    let Some(target) = context.resolve(id.any(), WORKFLOWS, symbol).id().and_then(AnyId::cast::<WorkflowDefinition>)
    else {
        let visible = context.program.visible(id.unit, WORKFLOWS);
        let names = visible.into_iter().map(|(name, _)| name);
        let help = context.did_you_mean(node.text(), names, "the workflows are");
        let message = format!("there is no workflow `{}`", node.text());
        context.problem(&rules::UNKNOWN_WORKFLOW, Some(node.span()), message).help_if(help);
        return check_undefined(context, id.any(), &call.inputs);
    };
    let Some(workflow) = context.get(target) else { return };
    let title = format!("workflow `{}`", node.text());
    let signature = signatures
        .entry((vec![target.any()], None))
        .or_insert_with(|| Rc::new(Signature::new(context, workflow.inputs.iter().collect(), FxHashSet::default())));
    check_given(context, id.any(), node, &call.inputs, signature, &title);
}

/// Checks a call to an operation.
fn check_operation(context: &mut Context<'_>, id: Id<OperationCall>, called: &Called, signatures: &mut Signatures) {
    let Some(call) = context.get(id) else { return };
    let Some(node) = call.operation.and_then(|Text(position)| context.node(position)) else { return };
    let Some(signature) = signature_of(context, id, node, called, signatures) else {
        return check_undefined(context, id.any(), &call.inputs);
    };
    let title = format!("operation `{}`", node.text());
    check_given(context, id.any(), node, &call.inputs, &signature, &title);
}

/// Returns the inputs of a called operation; `None` if the operation is unknown. Reports an operation that does not
/// exist.
fn signature_of(
    context: &mut Context<'_>,
    id: Id<OperationCall>,
    node: Node<'_>,
    called: &Called,
    signatures: &mut Signatures,
) -> Option<Rc<Signature>> {
    let Some((interface_name, operation_name)) = node.text().rsplit_once('.') else {
        let message = format!("`{}` is not an operation", node.text());
        context.problem(&rules::UNKNOWN_OPERATION, Some(node.span()), message).help("write `interface.operation`");
        return None;
    };
    let of_type = interface_of_type(interface_name).filter(|_| context.version(id.any()) < V2_0);
    let interface_name = of_type.unwrap_or(interface_name);
    let called = match called.several {
        Some(several) => find_called(context, several, node, (interface_name, operation_name)),
        None => called.clone(),
    };
    let interner = &context.program.interner;
    let symbols = (interner.get(interface_name), interner.get(operation_name));
    let callee = Callee::of(context, &called, symbols)?;
    let owner = callee.owner;
    let interfaces: Vec<Id<InterfaceDefinition>> = callee.interfaces(symbols.0);
    if interfaces.is_empty() {
        if !context.is_complete(owner) {
            return None;
        }
        let names: Vec<&str> =
            callee.defined.iter().flat_map(|defined| defined.iter()).map(|(name, _)| context.text(name)).collect();
        let help = context.did_you_mean(interface_name, &names, "it has");
        let message = format!("{} has no interface `{interface_name}`", context.describe(owner));
        context.problem(&rules::UNKNOWN_OPERATION, Some(node.span()), message).help_if(help);
        return None;
    }
    let defined: Vec<&InterfaceDefinition> = interfaces.iter().filter_map(|id| context.get(*id)).collect();
    let operations: Vec<&OperationDefinition> =
        defined.iter().filter_map(|interface| context.get(interface.operations.get(symbols.1?)?)).collect();
    if operations.is_empty() {
        if interfaces.iter().any(|interface| !context.is_complete(interface.any())) {
            return None;
        }
        let names =
            defined.iter().flat_map(|interface| interface.operations.iter()).map(|(name, _)| context.text(name));
        let help = context.did_you_mean(operation_name, names, "it has");
        let message =
            format!("interface `{interface_name}` of {} has no operation `{operation_name}`", context.describe(owner));
        context.problem(&rules::UNKNOWN_OPERATION, Some(node.span()), message).help_if(help);
        return None;
    }
    let assigned = callee.assigned.iter().filter_map(|assigned| assigned.get(symbols.0?)).map(Id::any);
    let key = (interfaces.iter().copied().map(Id::any).chain(assigned).collect(), symbols.1);
    let signature = signatures.entry(key).or_insert_with(|| {
        let of_interface = defined.iter().flat_map(|interface| interface.inputs.iter());
        let inputs = of_interface.chain(operations.iter().flat_map(|operation| operation.inputs.iter()));
        let inputs = inputs_by_name(context, inputs);
        let assigned = assigned_inputs(context, &callee.assigned, symbols);
        Rc::new(Signature::new(context, inputs, assigned))
    });
    Some(signature.clone())
}

/// The inputs of an operation or a workflow, in order.
type Inputs = IndexMap<Symbol, Id<ParameterDefinition>, FxBuildHasher>;

/// The signatures that a workflow has used so far. The key is the called workflow, or the definitions and assignments
/// of the interface with the name of the operation. They are cached because there can be many calls with many inputs
/// each.
type Signatures = FxHashMap<(Vec<AnyId>, Option<Symbol>), Rc<Signature>>;

/// The inputs of an operation or a workflow, and which of them a call must assign.
struct Signature {
    inputs: Inputs,
    /// The inputs to which a template assigns values.
    assigned: FxHashSet<Symbol>,
    /// The inputs to which a call must assign values.
    missing: Vec<(Symbol, Id<ParameterDefinition>)>,
}

impl Signature {
    fn new(context: &Context<'_>, inputs: Inputs, assigned: FxHashSet<Symbol>) -> Self {
        let is_missing = |(name, id): &(Symbol, Id<ParameterDefinition>)| {
            let is_needed = |definition: &ParameterDefinition| definition.is_required() && !definition.has_value();
            !assigned.contains(name) && context.get(*id).is_some_and(is_needed)
        };
        let missing = inputs.iter().map(|(name, id)| (*name, *id)).filter(is_missing).collect();
        Self { inputs, assigned, missing }
    }
}

/// The entity on which an operation is called.
struct Callee<'a> {
    /// The type of the node or relationship, used in messages.
    owner: AnyId,
    /// The defined interfaces, nearest first: a requirement definition may refine those of a type.
    defined: Vec<&'a Members<InterfaceDefinition>>,
    /// The assigned interfaces.
    assigned: Vec<&'a Members<InterfaceAssignment>>,
}

impl<'a> Callee<'a> {
    /// Returns the node, or the first relationship that has the operation.
    fn of(
        context: &Context<'a>,
        called: &Called,
        (interface, operation): (Option<Symbol>, Option<Symbol>),
    ) -> Option<Self> {
        if let Some((id, node_type)) = called.node_type.and_then(|id| Some((id, context.get(id)?))) {
            let template: Option<&NodeTemplate> = called.template.and_then(|template| context.get(template));
            let assigned = template.map(|template| &template.interfaces).into_iter().collect();
            return Some(Self { owner: id.any(), defined: vec![&node_type.interfaces], assigned });
        }
        let mut callees: Vec<Self> = called
            .relationships
            .iter()
            .filter_map(|relationship| Self::of_relationship(context, relationship))
            .collect();
        let has_operation = |callee: &Self| {
            let of_name = callee.interfaces(interface).into_iter().filter_map(|id| context.get(id));
            operation.is_some_and(|name| of_name.into_iter().any(|interface| interface.operations.get(name).is_some()))
        };
        let number = callees.iter().position(has_operation).unwrap_or_default();
        (number < callees.len()).then(|| callees.swap_remove(number))
    }

    fn of_relationship(context: &Context<'a>, relationship: &RelationshipContext) -> Option<Self> {
        let id = relationship.relationship_type?;
        let of_type: &RelationshipType = context.get(id)?;
        let definition: Option<&RelationshipDefinition> = relationship.definition.and_then(|id| context.get(id));
        let template: Option<&RelationshipTemplate> = relationship.template.and_then(|id| context.get(id));
        let assignment: Option<&RelationshipAssignment> = relationship.assignment.and_then(|id| context.get(id));
        let of_definition = definition.map(|definition| &definition.interfaces);
        let of_template = template.map(|template| &template.interfaces);
        Some(Self {
            owner: id.any(),
            defined: of_definition.into_iter().chain([&of_type.interfaces]).collect(),
            assigned: assignment.map(|assignment| &assignment.interfaces).into_iter().chain(of_template).collect(),
        })
    }

    /// Returns the definitions of an interface.
    fn interfaces(&self, name: Option<Symbol>) -> Vec<Id<InterfaceDefinition>> {
        let Some(name) = name else { return Vec::new() };
        let mut found: Vec<_> = self.defined.iter().filter_map(|defined| defined.get(name)).collect();
        found.dedup();
        found
    }
}

/// Returns one definition per input; if there are several, one with a value.
fn inputs_by_name(context: &Context<'_>, all: impl Iterator<Item = (Symbol, Id<ParameterDefinition>)>) -> Inputs {
    let mut inputs = Inputs::default();
    let has_value = |id| context.get::<ParameterDefinition>(id).is_some_and(ParameterDefinition::has_value);
    for (name, id) in all {
        let known = inputs.entry(name).or_insert(id);
        if !has_value(*known) && has_value(id) {
            *known = id;
        }
    }
    inputs
}

/// Returns the first node that has the operation, because an operation on several nodes is called on those that have
/// it.
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

/// Returns the inputs to which a template assigns values. They need not be declared: an input that an assignment
/// introduces belongs to the operation too (2.0, 11.3 and 11.5).
fn assigned_inputs(
    context: &Context<'_>,
    assigned: &[&Members<InterfaceAssignment>],
    (interface, operation): (Option<Symbol>, Option<Symbol>),
) -> FxHashSet<Symbol> {
    let of_name = assigned.iter().filter_map(|assigned| context.get(assigned.get(interface?)?));
    let inputs = of_name.flat_map(|interface| {
        let operation = operation.and_then(|name| context.get(interface.operations.get(name)?));
        [Some(interface.inputs), operation.map(|operation| operation.inputs)]
    });
    let maps = inputs.flatten().filter_map(|inputs| context.node(inputs.position?));
    maps.flat_map(Node::entries).filter_map(|entry| entry.key.symbol()).collect()
}

/// Compares the inputs of a call with the inputs of the operation or workflow.
fn check_given(
    context: &mut Context<'_>,
    at: AnyId,
    call: Node<'_>,
    given: &Values,
    signature: &Signature,
    title: &str,
) {
    let inputs = &signature.inputs;
    let given: Vec<Entry<'_>> = given
        .position
        .and_then(|position| context.node(position))
        .map_or_else(Vec::new, |node| node.entries().collect());
    for entry in &given {
        let symbol = entry.key.symbol();
        let input = symbol.and_then(|symbol| inputs.get(&symbol));
        let Some((id, definition)) = input.and_then(|id| Some((*id, context.get(*id)?))) else {
            if !symbol.is_some_and(|symbol| signature.assigned.contains(&symbol)) {
                let names = inputs.keys().map(|name| context.text(*name));
                let help = context.did_you_mean(entry.key.text(), names, "it takes");
                let message = format!("{title} has no input `{}`", entry.key.text());
                context.problem(&rules::UNDECLARED, Some(entry.key.span()), message).help_if(help);
            }
            Judge::new(context, ValueContext::of(at)).check(entry.value, &Schema::of_type(None));
            continue;
        };
        if let Some(Value(fixed)) = definition.value {
            let what = format!("input `{}` of {title}", entry.key.text());
            report_fixed(context, &what, Some(entry.key.span()), fixed);
            Judge::new(context, ValueContext::of(at)).check(entry.value, &Schema::of_type(None));
            continue;
        }
        let schema = definition.schema(context, id);
        let mut judge = Judge::new(context, ValueContext::of(at));
        judge.check(entry.value, &schema);
        if definition.is_required() {
            judge.check_is_certain(entry.value, &format!("input `{}` of {title}", entry.key.text()));
        }
    }
    let is_given: FxHashSet<Symbol> = given.iter().filter_map(|entry| entry.key.symbol()).collect();
    for (name, id) in signature.missing.iter().filter(|(name, _)| !is_given.contains(name)) {
        if !context.has_room_for_missing() {
            break;
        }
        let name = context.text(*name);
        let message = format!("{title} needs a value for input `{name}`");
        let defined = context.program.name_span(id.any());
        context
            .problem(&rules::MISSING_VALUE, Some(call.span()), message)
            .related(defined, "required here, without a default")
            .help(format!("add `{name}: …` under `inputs`"));
    }
}
