//! Interface types (2.0, 11.1).

use crate::entity::{AnyId, Checked, Checks, Id, Members};
use crate::grammar::definition::ParameterDefinition;
use crate::grammar::types::InterfaceType;
use crate::grammar::version::V1_3;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for InterfaceType {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(check);
}

/// Checks that nothing in an interface type is bound to a node, because there is no node yet (2.0, 11.1 and 11.4; 1.0,
/// 3.6.4).
fn check(_: &InterfaceType, context: &mut Context<'_>, id: Id<InterfaceType>) {
    let Some(own) = context.program.raw_as(id) else { return };
    for (_, id) in own.operations.iter() {
        let Some(operation) = context.program.raw_as(id) else { continue };
        check_unbound(context, id.any(), operation.implementation.map(Id::any), &operation.outputs);
    }
    for (_, id) in own.notifications.iter() {
        let Some(notification) = context.program.raw_as(id) else { continue };
        check_unbound(context, id.any(), notification.implementation.map(Id::any), &notification.outputs);
    }
}

fn check_unbound(
    context: &mut Context<'_>,
    id: AnyId,
    implementation: Option<AnyId>,
    outputs: &Members<ParameterDefinition>,
) {
    if let Some(implementation) = implementation {
        let at = context.program.name_span(implementation);
        let message =
            format!("{} is in an interface type, where it can't have an implementation", context.describe(id));
        // Real templates of 1.3 have implementations here, while the committee's tests for 1.0 reject them.
        let is_tolerated = context.version(id) == V1_3;
        let rule = if is_tolerated { &rules::BOUND_INTERFACE_TYPE_TOLERATED } else { &rules::BOUND_INTERFACE_TYPE };
        context
            .problem(rule, at, message)
            .help("give the implementation in the node type or relationship type that has the interface");
    }
    for (_, output) in outputs.iter() {
        let mapping = context.program.raw_as(output).and_then(|output| output.mapping);
        if let Some(mapping) = mapping {
            let at = context.span(mapping.0);
            let message = format!(
                "{} is in an interface type, where it can't be mapped to an attribute",
                context.describe(output.any())
            );
            context
                .problem(&rules::BOUND_INTERFACE_TYPE, at, message)
                .help("map the output in the node type or relationship type that has the interface");
        }
    }
}
