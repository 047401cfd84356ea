//! Definitions of functions (2.0, 10.4).

use crate::data::{FUNCTIONS, refined_function};
use crate::entity::{Checked, Checks, Id, NodeRef};
use crate::grammar::definition::{FunctionDefinition, Signature};
use crate::phase::inheritance::same_data;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for FunctionDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(check);
}

fn check(function: &FunctionDefinition, context: &mut Context<'_>, id: Id<FunctionDefinition>) {
    let (own, id) = (id, id.any());
    let name = context.program.name(id);
    if let Some(built_in) = FUNCTIONS.iter().find(|built_in| built_in.name == name) {
        let at = context.program.name_span(id);
        if built_in.is_about_the_graph() {
            context
                .problem(&rules::RESERVED_NAME, at, format!("`{name}` is the name of a built-in function"))
                .help("choose a different name");
        } else {
            // An example in the standard extends a built-in function (10.4).
            context
                .problem(&rules::EXTENDED_BUILT_IN, at, format!("`{name}` is also the name of a built-in function"))
                .help("choose a different name, so that it is clear which of the two is called");
        }
    }
    if name.contains('$') {
        let at = context.program.name_span(id);
        context
            .problem(&rules::INVALID_NAME, at, format!("`{name}` contains a `$`, so it can't be called"))
            .help(format!("call it `{}`", name.replace('$', "_").trim_matches('_')));
    }
    let refined = refined_function(context, own).and_then(|refined| context.get(refined));
    if let Some(refined) = refined {
        check_refinement(function, context, refined);
    }
    let Some(list) = function.signatures.list.and_then(|list| context.node(list)) else { return };
    if list.is_empty() && refined.is_none() {
        let at = context.program.keyname_span(id, "signatures");
        context
            .problem(&rules::NO_SIGNATURES, at, format!("function `{name}` has no signature"))
            .help("add at least one signature; `- {}` is a function without arguments that returns any value");
    }
    // An empty element keeps a signature that is already defined.
    let defined = refined.map_or(0, |refined| refined.signatures.len());
    let further = function.signatures.iter().zip(list.items()).skip(defined);
    for (_, item) in further.filter(|(signature, _)| signature.is_none()) {
        let message = format!("`{name}` has no existing signature that this empty item could keep");
        context.problem(&rules::NULL_VALUE, Some(item.span()), message);
    }
}

/// Checks that a service only changes the implementations of signatures or adds signatures (2.0, 10.4).
fn check_refinement(function: &FunctionDefinition, context: &mut Context<'_>, refined: &FunctionDefinition) {
    for pair in function.signatures.iter().zip(refined.signatures.iter()) {
        let (Some(own), Some(refined)) = pair else { continue };
        let node = |id: Id<Signature>| {
            let header = context.header(id.any())?;
            context.node(NodeRef { unit: id.unit, node: header.node })
        };
        let (Some(own), Some(refined)) = (node(*own), node(*refined)) else { continue };
        let changed = ["arguments", "optional_arguments", "variadic", "result"].into_iter().find_map(|keyname| {
            let own = own.find(keyname)?;
            let is_same = refined.find(keyname).is_some_and(|refined| same_data(own.value, refined.value));
            (!is_same).then_some(own.key)
        });
        if let Some(changed) = changed {
            let message = "only the implementation of an existing signature can be changed";
            context
                .problem(&rules::CHANGED_SIGNATURE, Some(changed.span()), message)
                .related(Some(refined.span()), "defined here")
                .help("remove everything but `implementation`, or add new signatures after the existing ones");
        }
    }
}
