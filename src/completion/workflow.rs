//! The names in workflows: workflows, steps, requirements, operations and states.

use super::{member_names, type_of};
use crate::ard::Node;
use crate::check::NODE_STATES;
use crate::entity::{AnyId, CompletionProposal, CompletionRequest, CompletionResponse, ProposalKind};
use crate::grammar::section::NODE_TEMPLATES;
use crate::position_context::EnclosingEntity;

/// Completes the value of a field of an entity in a workflow; `word` is the present value.
pub(super) fn complete(
    request: &CompletionRequest<'_>,
    field: (&str, &str),
    word: Option<&str>,
    response: &mut CompletionResponse,
) {
    let program = request.program;
    let names = |names: Vec<String>| -> Vec<CompletionProposal> {
        names.into_iter().map(|name| CompletionProposal::new(name, ProposalKind::Name)).collect()
    };
    let workflow = |name: &str| program.child(service(request)?, "workflows", name);
    match field {
        ("WorkflowCall", "workflow") => {
            response.proposals = names(keys(request, "ServiceTemplate", "workflows"));
            response.target = word.and_then(workflow);
        }
        ("WorkflowStep", "on_success" | "on_failure") => {
            let own = enclosing(request, "WorkflowStep").map(EnclosingEntity::name);
            let mut steps = keys(request, "WorkflowDefinition", "steps");
            steps.retain(|step| Some(step.as_str()) != own);
            response.proposals = names(steps);
            let of_steps = enclosing(request, "WorkflowDefinition").and_then(|of_steps| workflow(of_steps.name()));
            response.target = of_steps.zip(word).and_then(|(id, word)| program.child(id, "steps", word));
        }
        ("WorkflowStep" | "Precondition", "target_relationship") => {
            let Some(node_type) = type_of_target(request, field.0) else { return };
            response.proposals =
                names(member_names(program, node_type, "requirements").into_iter().map(str::to_owned).collect());
            response.target = word.and_then(|word| program.child(node_type, "requirements", word));
        }
        ("OperationCall", "operation") => {
            let Some(node_type) = type_of_target(request, "WorkflowStep") else { return };
            let interfaces = program.children(node_type, "interfaces");
            let operations = interfaces.iter().flat_map(|id| {
                let operations = member_names(program, *id, "operations").into_iter();
                operations.map(|operation| format!("{}.{operation}", program.name(*id)))
            });
            response.proposals = names(operations.collect());
            response.target = word.and_then(|word| word.rsplit_once('.')).and_then(|(interface, operation)| {
                program.child(program.child(node_type, "interfaces", interface)?, "operations", operation)
            });
        }
        ("Activity", "set_state") => {
            response.proposals =
                NODE_STATES.iter().map(|state| CompletionProposal::new(*state, ProposalKind::Value)).collect();
        }
        _ => {}
    }
}

/// Returns the innermost entity of a kind around the position.
fn enclosing<'a>(request: &'a CompletionRequest<'_>, entity: &str) -> Option<&'a EnclosingEntity<'a>> {
    request.position.entities.iter().rev().find(|enclosing| enclosing.entity.name == entity)
}

/// Returns the keys of a map in an entity around the position.
fn keys(request: &CompletionRequest<'_>, entity: &str, ident: &str) -> Vec<String> {
    let map = enclosing(request, entity).and_then(|enclosing| enclosing.value(ident, request.version));
    map.into_iter().flat_map(Node::entries).map(|entry| entry.key.text().to_owned()).collect()
}

/// Returns the service of the file.
fn service(request: &CompletionRequest<'_>) -> Option<AnyId> {
    let root = request.program.unit(request.unit)?.root?;
    request.program.children(root, "service_template").first().copied()
}

/// Returns the type of the node template that a step or precondition applies to.
fn type_of_target(request: &CompletionRequest<'_>, entity: &str) -> Option<AnyId> {
    let (program, enclosing) = (request.program, enclosing(request, entity)?);
    let name = enclosing.value("target", request.version)?.text();
    let target = program.resolve(request.unit, NODE_TEMPLATES, program.interner.get(name)?).id()?;
    type_of(program, target.cast()?)
}
