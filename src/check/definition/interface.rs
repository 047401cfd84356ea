//! Interface definitions (2.0, 11.2).

use crate::diagnostic::suggest::{nearest, or_list};
use crate::entity::{Checked, Checks, Id};
use crate::grammar::definition::InterfaceDefinition;
use crate::grammar::version::V2_0;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for InterfaceDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(check);
}

/// Reports a new operation whose name is probably a misspelling of an existing one. Before 2.0, a type may add
/// operations to those of the interface type.
fn check(complete: &InterfaceDefinition, context: &mut Context<'_>, id: Id<InterfaceDefinition>) {
    let any = id.any();
    let Some(own) = context.program.raw_as(id) else { return };
    let Some(of_type) = context.target_of(complete.r#type).filter(|_| context.version(any) < V2_0) else { return };
    let Some(interface_type) = context.get(of_type) else { return };
    let known: Vec<&str> = interface_type.operations.iter().map(|(name, _)| context.text(name)).collect();
    for (name, id) in own.operations.iter().filter(|(name, _)| interface_type.operations.get(*name).is_none()) {
        let text = context.text(name);
        // A name with a prefix or suffix, such as `pre_create`, is not a misspelling, but a missing prefix is:
        // `configure_target` instead of `pre_configure_target`.
        let lacks_part = |known: &&&str| known.split_once('_').is_some_and(|(_, rest)| rest == text);
        let near = nearest(text, known.iter().copied()).filter(|near| !text.contains(near) && !near.contains(text));
        let longer: Vec<&str> = known.iter().filter(lacks_part).copied().collect();
        let meant = match near {
            Some(near) => format!("`{near}`"),
            None if longer.is_empty() => continue,
            None => or_list(&longer),
        };
        let message = format!("{} has no operation `{text}`", context.describe(of_type.any()));
        let (at, defined) = (context.program.name_span(id.any()), context.program.name_span(of_type.any()));
        context
            .problem(&rules::UNDECLARED_TOLERATED, at, message)
            .help(format!("did you mean {meant}?"))
            .related(defined, "defined here");
    }
}
