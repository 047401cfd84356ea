//! Classes that expressions name.

use tosca_parse::diagnostic::Help;
use tosca_parse::phase::{Context, DiagnosticExt as _};

use super::super::code::Code;
use super::super::{CLASSES, rules};
use crate::core;

/// Reports unknown classes. The runtime only finds them when it evaluates the expression.
pub(super) fn check(code: &Code, context: &mut Context<'_>) {
    for named in code.types() {
        let name = context.text(named.class.name);
        let is_known = named.class.target(context.program).is_some();
        if is_known || context.program.is_open(named.class.unit) {
            if named.lacks_quotes {
                let message =
                    format!("the name of class `{name}` lacks quotes, so it is read as properties of a string");
                let help = Help::write(format!("'{name}'"));
                context.problem(&rules::UNKNOWN_PROPERTY, Some(named.span), message).help(help);
            }
            continue;
        }
        let help = similar(context, name);
        context.problem(&rules::UNKNOWN_TYPE, Some(named.span), format!("there is no class `{name}`")).help(help);
    }
}

/// Returns the class with the most similar name, among all known classes.
pub(super) fn similar(context: &Context<'_>, name: &str) -> Help {
    let units = context.program.list.iter();
    let names = units.flat_map(|unit| context.program.visible(unit.id, CLASSES)).map(|(name, _)| name);
    // Only the classes that are named are read, but all those of the core library can be meant.
    match context.suggestions().nearest(name, names.chain(core::names())) {
        Some(near) => Help::did_you_mean(near),
        None => "correct the name, or require the package that has the class".into(),
    }
}
