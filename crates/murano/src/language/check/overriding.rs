//! Overriding methods: whether they accept the calls of the overridden ones.

use tosca_parse::entity::Id;
use tosca_parse::phase::{Context, DiagnosticExt as _};
use tosca_parse::symbol::Symbol;

use super::super::class::Class;
use super::super::member::{Argument, Method};
use super::super::rules;
use super::super::signature::Signature;
use crate::class::MethodUsage;

/// Checks that overriding methods accept the arguments of overridden ones, because callers may know only the ancestor.
pub(super) fn check(class: &Class, context: &mut Context<'_>, id: Id<Class>) {
    let Some(own) = context.program.raw_as(id) else { return };
    let parents: Vec<_> = class.extends.iter().filter_map(|parent| context.get(context.target(*parent)?)).collect();
    for (symbol, method_id) in own.methods.iter() {
        let name = context.text(symbol);
        // `.init` and `.destroy` don't override those of ancestors.
        let overridden = parents.iter().find_map(|parent| parent.methods.get(symbol));
        let Some(overridden) = overridden.filter(|_| !name.starts_with('.')) else { continue };
        let is_overriding = context.program.raw_as(method_id).is_some_and(is_of_objects)
            && context.get(overridden).is_some_and(is_of_objects);
        if !is_overriding {
            continue;
        }
        let [mine, theirs] = [method_id, overridden].map(|method| Signature::of(context, method));
        let (at, message) = match (surplus(&mine, &theirs), surplus(&theirs, &mine)) {
            (Some((argument, id)), _) => {
                let argument = context.text(argument);
                let message = format!(
                    "method `{name}` requires the argument `{argument}`, which the overridden method does not have"
                );
                (id, message)
            }
            (None, Some((argument, _))) => {
                let argument = context.text(argument);
                let message = format!(
                    "method `{name}` does not take the argument `{argument}`, which the overridden method requires"
                );
                let [at, related] = [method_id, overridden].map(|id| context.program.name_span(id.any()));
                context
                    .problem(&rules::INCOMPATIBLE_ARGUMENTS, at, message)
                    .related(related, "overridden method")
                    .help("declare the argument, or rename the method");
                continue;
            }
            (None, None) => continue,
        };
        let (at, related) = (context.program.name_span(at.any()), context.program.name_span(overridden.any()));
        context
            .problem(&rules::INCOMPATIBLE_ARGUMENTS, at, message)
            .related(related, "overridden method")
            .help("give the argument a default, or allow null");
    }
}

fn is_of_objects(method: &Method) -> bool {
    method.usage.is_none_or(|usage| matches!(usage.value, MethodUsage::Runtime | MethodUsage::Action))
}

/// Returns the first parameter that a method requires, but another method does not take.
fn surplus(requiring: &Signature, other: &Signature) -> Option<(Symbol, Id<Argument>)> {
    let takes_any = other.takes_more || other.takes_names;
    let missing = || requiring.missing(other.single.len(), |name| other.index(name).is_some());
    if takes_any { None } else { missing() }
}
