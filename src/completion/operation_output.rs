//! The arguments of `get_operation_output` before 2.0: an entity, an interface, an operation and an output.

use super::members::{named, node_type};
use crate::ard::Node;
use crate::entity::{CompletionProposal, CompletionRequest, CompletionResponse, ProposalKind};
use crate::grammar::version::V2_0;
use crate::position_context::EnclosingValue;

const FUNCTION: &str = "get_operation_output";

/// Completes the interface or the operation in a call.
pub(super) fn complete(
    request: &CompletionRequest<'_>,
    path: &[EnclosingValue<'_>],
    response: &mut CompletionResponse,
) -> Option<()> {
    let program = request.program;
    let number = path.iter().rposition(|step| step.key.is_some()).filter(|_| request.version < V2_0)?;
    let call = path[number];
    let is_call = call.key.is_some_and(|key| key.text() == FUNCTION);
    path.get(number.checked_sub(1)?).filter(|map| is_call && map.node.len() == 1)?;
    let argument = path.get(number + 1)?;
    let of_type = program.get(node_type(request, call.node.items().next())?)?;
    let names = match argument.index? {
        1 => named(program, &of_type.interfaces),
        2 => {
            let interface = call.node.items().nth(1).map(Node::text).and_then(|name| program.interner.get(name))?;
            named(program, &program.get(of_type.interfaces.get(interface)?)?.operations)
        }
        _ => return None,
    };
    response.target = names.iter().find(|(name, _)| *name == argument.node.text()).map(|(_, id)| *id);
    response.proposals = names.into_iter().map(|(name, _)| CompletionProposal::new(name, ProposalKind::Name)).collect();
    Some(())
}
