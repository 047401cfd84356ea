//! The names in workflows: workflows, steps, requirements, operations and states.

use indexmap::{IndexMap, IndexSet};

use super::member_note::describe_member;
use super::members::{named, type_of};
use crate::ard::Node;
use crate::entity::{
    AnyId, CompletionProposal, CompletionRequest, CompletionResponse, Entity, FieldKey, Id, ProposalKind,
};
use crate::field_key;
use crate::grammar::File;
use crate::grammar::definition::{InterfaceDefinition, OperationDefinition};
use crate::grammar::section::{GROUPS, NODE_TEMPLATES, POLICIES};
use crate::grammar::template::NODE_STATES;
use crate::grammar::template::{
    Activity, OperationCall, PolicyDefinition, Precondition, ServiceTemplate, WorkflowCall, WorkflowDefinition,
    WorkflowStep,
};
use crate::grammar::types::NodeType;
use crate::phase::Context;
use crate::position_context::{EnclosingEntity, EnclosingValue};
use crate::relationships::templates_of;
use crate::symbol::Symbol;

const CALLED_WORKFLOW: FieldKey = field_key!(WorkflowCall.workflow);
const WORKFLOWS: FieldKey = field_key!(ServiceTemplate.workflows);
const STEPS: FieldKey = field_key!(WorkflowDefinition.steps);
const ON_SUCCESS: FieldKey = field_key!(WorkflowStep.on_success);
const ON_FAILURE: FieldKey = field_key!(WorkflowStep.on_failure);
const STEP_TARGET: FieldKey = field_key!(WorkflowStep.target);
const STEP_REQUIREMENT: FieldKey = field_key!(WorkflowStep.target_relationship);
const CONDITION_TARGET: FieldKey = field_key!(Precondition.target);
const CONDITION_REQUIREMENT: FieldKey = field_key!(Precondition.target_relationship);
const OPERATION: FieldKey = field_key!(OperationCall.operation);
const CALL_INPUTS: FieldKey = field_key!(OperationCall.inputs);
const WORKFLOW_INPUTS: FieldKey = field_key!(WorkflowCall.inputs);
const STATE: FieldKey = field_key!(Activity.set_state);

/// Completes the value of a field of an entity in a workflow; `word` is the present value.
pub(super) fn complete(
    request: &CompletionRequest<'_>,
    field: FieldKey,
    word: Option<&str>,
    response: &mut CompletionResponse,
) {
    let names: Vec<(String, Option<AnyId>)> = match field {
        CALLED_WORKFLOW => workflows(request),
        ON_SUCCESS | ON_FAILURE => steps(request),
        STEP_REQUIREMENT => requirements(target::<WorkflowStep>(request, STEP_TARGET), request),
        CONDITION_REQUIREMENT => requirements(target::<Precondition>(request, CONDITION_TARGET), request),
        OPERATION => {
            let called = called(request);
            let symbol = word.and_then(|word| request.program.interner.get(word.rsplit_once('.')?.0));
            let mut interfaces = called.iter().filter_map(|of| of.interfaces.get(symbol?));
            response.qualifier = interfaces.next().map(Id::any);
            operations(&called, request)
        }
        STATE => {
            let states = NODE_STATES.iter().map(|state| CompletionProposal::new(*state, ProposalKind::Value));
            return response.proposals = states.collect();
        }
        _ => return,
    };
    response.target = names.iter().find(|(name, _)| Some(name.as_str()) == word).and_then(|(_, id)| *id);
    response.proposals = names.into_iter().map(|(name, _)| CompletionProposal::new(name, ProposalKind::Name)).collect();
}

/// Completes the name of an input in a call to an operation or a workflow.
pub(super) fn inputs(
    request: &CompletionRequest<'_>,
    field: FieldKey,
    path: &[EnclosingValue<'_>],
    key: Option<Node<'_>>,
    response: &mut CompletionResponse,
) {
    let (program, call) = (request.program, request.position.innermost());
    let name = |field: FieldKey| call.value(field.ident(), request.version).map(Node::text);
    let [map] = path else { return };
    let inputs = match field {
        CALL_INPUTS => name(OPERATION).and_then(|name| {
            let id = operations(&called(request), request).into_iter().find(|(known, _)| known == name)?.1?;
            Some(&program.get(id.cast::<OperationDefinition>()?)?.inputs)
        }),
        WORKFLOW_INPUTS => name(CALLED_WORKFLOW).and_then(|name| Some(&workflow(request, name)?.inputs)),
        _ => return,
    };
    let names = inputs.map(|inputs| named(program, inputs)).unwrap_or_default();
    response.target = key.and_then(|key| names.iter().find(|(name, _)| *name == key.text()).map(|(_, id)| *id));
    let is_given = |name: &str| map.node.entries().any(|entry| entry.key.text() == name);
    let proposal = |(name, id): &(&str, AnyId)| CompletionProposal {
        text: Some(format!("{name}: ")),
        ..CompletionProposal::new(*name, ProposalKind::Name).detail(describe_member(program, *id).to_string())
    };
    let is_here = |name: &str| key.is_some_and(|key| key.text() == name);
    let missing = names.iter().filter(|(name, _)| is_here(name) || !is_given(name));
    response.proposals = missing.map(proposal).collect();
}

/// Returns the innermost entity of a kind around the position.
fn enclosing<'a, E: Entity>(request: &CompletionRequest<'a>) -> Option<&'a EnclosingEntity<'a>> {
    let description = E::default().description();
    request.position.entities.iter().rev().find(|enclosing| std::ptr::eq(enclosing.entity, description))
}

/// Returns the keys of a map in an entity around the position.
fn keys<'a, E: Entity>(request: &CompletionRequest<'a>, field: FieldKey) -> impl Iterator<Item = &'a str> {
    let map = enclosing::<E>(request).and_then(|enclosing| enclosing.value(field.ident(), request.version));
    map.into_iter().flat_map(Node::entries).map(|entry| entry.key.text())
}

/// Returns the workflow with the given name in the file.
fn workflow<'a>(request: &CompletionRequest<'a>, name: &str) -> Option<&'a WorkflowDefinition> {
    let service = service(request)?;
    request.program.get(service.workflows.get(request.program.interner.get(name)?)?)
}

fn service<'a>(request: &CompletionRequest<'a>) -> Option<&'a ServiceTemplate> {
    let file = request.program.get(request.program.unit(request.unit)?.root?.cast::<File>()?)?;
    request.program.get(file.service_template?)
}

fn workflows(request: &CompletionRequest<'_>) -> Vec<(String, Option<AnyId>)> {
    let service = service(request);
    let id = |name: &str| Some(service?.workflows.get(request.program.interner.get(name)?)?.any());
    keys::<ServiceTemplate>(request, WORKFLOWS).map(|name| (name.to_owned(), id(name))).collect()
}

fn steps(request: &CompletionRequest<'_>) -> Vec<(String, Option<AnyId>)> {
    let own = enclosing::<WorkflowStep>(request).map(EnclosingEntity::name);
    let known = enclosing::<WorkflowDefinition>(request).and_then(|of| workflow(request, of.name()));
    let id = |name: &str| Some(known?.steps.get(request.program.interner.get(name)?)?.any());
    let others = keys::<WorkflowDefinition>(request, STEPS).filter(|name| Some(*name) != own);
    others.map(|name| (name.to_owned(), id(name))).collect()
}

/// Returns the type of the node template that a step or precondition applies to.
fn target<'a, E: Entity>(request: &CompletionRequest<'a>, field: FieldKey) -> Option<&'a NodeType> {
    let program = request.program;
    let name = enclosing::<E>(request)?.value(field.ident(), request.version)?.text();
    let target = program.resolve(request.unit, NODE_TEMPLATES, program.interner.get(name)?).id()?;
    program.get(type_of(program, target.cast()?)?)
}

fn requirements(of: Option<&NodeType>, request: &CompletionRequest<'_>) -> Vec<(String, Option<AnyId>)> {
    let all = of.into_iter().flat_map(|of| named(request.program, &of.requirements));
    all.map(|(name, id)| (name.to_owned(), Some(id))).collect()
}

/// Returns the types of the nodes on which a step or a trigger calls an operation: those of a node template, of the
/// members of a group, or of the targets of a policy.
fn called<'a>(request: &CompletionRequest<'a>) -> Vec<&'a NodeType> {
    let program = request.program;
    let find = |section, name: &str| program.resolve(request.unit, section, program.interner.get(name)?).id();
    let target = match enclosing::<WorkflowStep>(request) {
        Some(step) => step.value(STEP_TARGET.ident(), request.version).and_then(|target| {
            let name = target.text();
            find(NODE_TEMPLATES, name).or_else(|| find(GROUPS, name))
        }),
        None => enclosing::<PolicyDefinition>(request).and_then(|policy| find(POLICIES, policy.name())),
    };
    let Some(target) = target else { return Vec::new() };
    let templates = match target.cast() {
        Some(template) => vec![template],
        None => templates_of(&Context::new(program, 0), target).unwrap_or_default(),
    };
    let types: IndexSet<Id<NodeType>> = templates.into_iter().filter_map(|id| type_of(program, id)).collect();
    types.into_iter().filter_map(|id| program.get(id)).collect()
}

/// Returns the operations of some types, each name once.
fn operations(types: &[&NodeType], request: &CompletionRequest<'_>) -> Vec<(String, Option<AnyId>)> {
    let program = request.program;
    let interfaces = types.iter().flat_map(|of| of.interfaces.iter());
    let of_interface = |(interface, id): (Symbol, Id<InterfaceDefinition>)| {
        let operations = program.get(id).map(|interface| named(program, &interface.operations)).unwrap_or_default();
        let interface = program.text(interface);
        operations.into_iter().map(move |(name, id)| (format!("{interface}.{name}"), Some(id)))
    };
    let mut operations: IndexMap<String, Option<AnyId>> = IndexMap::new();
    for (name, id) in interfaces.flat_map(of_interface) {
        operations.entry(name).or_insert(id);
    }
    operations.into_iter().collect()
}
