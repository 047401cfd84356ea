//! Overriding methods: whether they accept the calls of the overridden ones.

use foldhash::HashSet;
use tosca_parse::entity::Id;
use tosca_parse::phase::{Context, DiagnosticExt as _};

use super::super::class::Class;
use super::super::member::{Argument, Method};
use super::super::rules;
use super::call::is_demanded;
use crate::class::{ArgumentUsage, MethodUsage};

/// The parameters of a method, which of them are required, and whether it accepts others.
struct AcceptedArguments<'a> {
    single: Vec<(&'a str, Id<Argument>, bool)>,
    names: HashSet<&'a str>,
    takes_more: bool,
}

/// Checks that overriding methods accept the arguments of overridden ones, because callers may know only the ancestor.
pub(super) fn check(class: &Class, context: &mut Context<'_>, id: Id<Class>) {
    let Some(own) = context.program.raw_as(id) else { return };
    let parents: Vec<_> = class.extends.iter().filter_map(|parent| context.get(context.target(*parent)?)).collect();
    for (symbol, method_id) in own.methods.iter() {
        let name = context.text(symbol);
        let overridden = parents.iter().find_map(|parent| parent.methods.get(symbol));
        let methods = context.program.raw_as(method_id).zip(overridden.and_then(|id| context.get(id)));
        // `.init` and `.destroy` don't override those of ancestors.
        let Some((mine, theirs)) = methods.filter(|_| !name.starts_with('.')) else { continue };
        if !is_of_objects(mine) || !is_of_objects(theirs) {
            continue;
        }
        let (mine, theirs) = (AcceptedArguments::of(context, mine), AcceptedArguments::of(context, theirs));
        let demanded = mine.single.iter().enumerate().find(|(place, (name, _, is_demanded))| {
            *is_demanded && *place >= theirs.single.len() && !theirs.has(name) && !theirs.takes_more
        });
        let lost = theirs.single.iter().enumerate().find(|(place, (name, _, is_demanded))| {
            *is_demanded && *place >= mine.single.len() && !mine.has(name) && !mine.takes_more
        });
        let (at, message) = match (demanded, lost) {
            (Some((_, (argument, id, _))), _) => (
                *id,
                format!(
                    "method `{name}` requires the argument `{argument}`, which the overridden method does not have"
                ),
            ),
            (None, Some((_, (argument, ..)))) => {
                let message = format!(
                    "method `{name}` does not take the argument `{argument}`, which the overridden method requires"
                );
                let (at, related) = (context.program.name_span(method_id.any()), overridden);
                let related = related.and_then(|id| context.program.name_span(id.any()));
                context
                    .problem(&rules::INCOMPATIBLE_ARGUMENTS, at, message)
                    .related(related, "overridden method")
                    .help("declare the argument, or rename the method");
                continue;
            }
            _ => continue,
        };
        let (at, related) = (context.program.name_span(at.any()), overridden);
        let related = related.and_then(|id| context.program.name_span(id.any()));
        context
            .problem(&rules::INCOMPATIBLE_ARGUMENTS, at, message)
            .related(related, "overridden method")
            .help("give the argument a default, or allow null");
    }
}

fn is_of_objects(method: &Method) -> bool {
    method.usage.is_none_or(|usage| matches!(usage.value, MethodUsage::Runtime | MethodUsage::Action))
}

impl<'a> AcceptedArguments<'a> {
    fn of(context: &Context<'a>, method: &Method) -> Self {
        let mut taken = Self { single: Vec::new(), names: HashSet::default(), takes_more: false };
        for (name, id) in &method.arguments {
            let Some(argument) = context.program.raw_as::<Argument>(*id) else { continue };
            if argument.usage.is_some_and(|usage| usage.value != ArgumentUsage::Standard) {
                taken.takes_more = true;
                continue;
            }
            let is_demanded = !argument.default.is_given() && is_demanded(argument.contract.template());
            taken.names.insert(context.text(*name));
            taken.single.push((context.text(*name), *id, is_demanded));
        }
        taken
    }

    fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}
