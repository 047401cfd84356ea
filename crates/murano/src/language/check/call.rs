//! Calls: compares arguments with the parameters of methods.

use std::ops::Range;

use foldhash::HashSet;
use tosca_parse::diagnostic::Span;
use tosca_parse::entity::Id;
use tosca_parse::phase::{Context, DiagnosticExt as _};
use tosca_parse::symbol::Symbol;
use tosca_parse_yaql::{Argument, Kind};

use super::super::class::Class;
use super::super::heritage::{Heritage, initializers};
use super::super::member::Method;
use super::super::model::{never_read, sentence};
use super::super::rules;
use super::super::signature::Signature;
use super::contract::broken_by_text;
use super::functions::{Functions, Misfit};

/// A function that finds the position of a part of an expression.
pub(super) type Place<'p> = &'p dyn Fn(&Range<u32>) -> Span;

/// Compares the arguments of a call with the parameters of the method.
pub(super) fn check(
    context: &mut Context<'_>,
    (name, method): (&str, Id<Method>),
    at: Span,
    (given, place): (&[Argument], Place<'_>),
) {
    let signature = Signature::of(context, method);
    let by_position = given.iter().filter(|argument| !matches!(argument, Argument::Mapping(..))).count();
    if by_position > signature.single.len() && !signature.takes_more {
        let takes = match signature.single.len() {
            0 => "no arguments".to_owned(),
            1 => "one argument".to_owned(),
            count => format!("{count} arguments"),
        };
        let message = format!("method `{name}` takes {takes}, but is called with {by_position}");
        let first = context.get(method).and_then(|method| method.arguments.first());
        let first = first.and_then(|(_, id)| context.program.name_span(id.any()));
        context
            .problem(&rules::WRONG_ARGUMENTS, Some(at), message)
            .related(first, "declared here")
            .help("remove the surplus arguments");
    }
    let symbol_of = |name: &str| context.program.interner.get(name);
    let named: HashSet<Symbol> = given.iter().filter_map(name_of).filter_map(symbol_of).collect();
    let mut is_misnamed = false;
    for (number, argument) in given.iter().enumerate() {
        let Argument::Mapping(key, _) = argument else { continue };
        let Some(named) = key.as_text() else { continue };
        let index = context.program.interner.get(named).and_then(|name| signature.index(name));
        let message = match index {
            Some(index) if index < by_position.min(number) => {
                format!("argument `{named}` of method `{name}` is given twice")
            }
            None if !signature.takes_names => format!("method `{name}` has no argument `{named}`"),
            _ => continue,
        };
        is_misnamed |= index.is_none();
        let known = signature.single.iter().map(|name| context.text(*name));
        let near = context.did_you_mean(named, known, "its arguments are").filter(|_| index.is_none());
        let help = near.unwrap_or_else(|| "remove the argument".into());
        context.problem(&rules::WRONG_ARGUMENTS, Some(place(&key.span)), message).help(help);
    }
    // A missing property probably has a different name.
    let missing = signature.missing(by_position, |name| named.contains(&name)).filter(|_| !is_misnamed);
    if let Some((named, id)) = missing {
        let message =
            format!("method `{name}` is called without its argument `{}`, which must not be null", context.text(named));
        let declared = context.program.name_span(id.any());
        context
            .problem(&rules::WRONG_ARGUMENTS, Some(at), message)
            .related(declared, "declared here")
            .help("add the argument");
    }
}

/// Compares the arguments of a call with the parameters of the functions of that name.
pub(super) fn function(
    context: &mut Context<'_>,
    functions: &Functions,
    (name, at, is_method): (&str, Span, bool),
    (given, place): (&[Argument], Place<'_>),
) {
    let what = if is_method { "method" } else { "function" };
    match functions.misfit(name, is_method, given) {
        None => {}
        Some(Misfit::Unknown(number, known)) => {
            let Some(Argument::Mapping(key, _)) = given.get(number) else { return };
            let named = key.as_text().map(|text| &**text).unwrap_or_default();
            let help = context.did_you_mean(named, known, "its arguments are");
            let message = format!("{what} `{name}` has no argument `{named}`");
            context
                .problem(&rules::WRONG_ARGUMENTS, Some(place(&key.span)), message)
                .help(help.unwrap_or_else(|| "remove the argument".into()));
        }
        Some(Misfit::Number(least, most)) => {
            let takes = match (least, most) {
                (0, 0) => "no arguments".to_owned(),
                (1, 1) => "one argument".to_owned(),
                (1, usize::MAX) => "at least one argument".to_owned(),
                (_, usize::MAX) => format!("at least {least} arguments"),
                _ if least == most => format!("{least} arguments"),
                _ => format!("{least} to {most} arguments"),
            };
            let message = format!("{what} `{name}` takes {takes}, but is called with {}", given.len());
            let help = match given.len() {
                count if count > most => "remove the surplus arguments",
                count if count < least => "add the missing arguments",
                _ => "give each argument once",
            };
            context.problem(&rules::WRONG_ARGUMENTS, Some(at), message).help(help);
        }
    }
}

/// Reports properties in `new(class, property => value)` that the class does not have.
pub(super) fn new(context: &mut Context<'_>, class: Id<Class>, (given, place): (&[Argument], Place<'_>)) {
    /// The arguments of `new` itself, and the name that objects of all classes may have.
    const OWN: [&str; 4] = ["extra", "name", "name_", "owner"];
    // Initializers that are not written in the language have any arguments.
    let is_whole = context.is_complete(class.any())
        && !context.program.is_open(class.unit)
        && !Heritage::of(context, class).is_native;
    let Some(declared) = context.get(class).filter(|_| is_whole) else { return };
    let properties = match given.get(1) {
        Some(Argument::Positional(properties)) => match &properties.kind {
            Kind::Map(entries) => entries.as_slice(),
            _ => &[],
        },
        _ => &[],
    };
    let Some(initializers) = initializers(context, class, properties.len() + given.len()) else { return };
    for property in properties.iter().chain(given) {
        let Argument::Mapping(key, value) = property else { continue };
        let Some(name) = key.as_text().filter(|name| !OWN.contains(&&***name)) else { continue };
        let symbol = context.program.interner.get(name);
        if symbol.is_some_and(|name| initializers.iter().any(|init| init.has(name))) {
            continue;
        }
        let property = symbol.and_then(|name| declared.properties.get(name));
        if let Some(property) = property {
            if let Some(property) = context.get(property) {
                never_read(property, name, place(&key.span), context);
                let contract = property.contract.template().filter(|_| property.is_input());
                if let Some(reason) = contract.and_then(|contract| broken_by_text(contract, value)) {
                    let declared = property.contract.position().and_then(|position| context.span(position));
                    let message = format!("the value of `{name}` violates its contract: {}", sentence(&reason));
                    context
                        .problem(&rules::WRONG_ARGUMENTS, Some(place(&value.span)), message)
                        .related(declared, "violated contract")
                        .help("write a value that the contract allows");
                }
            }
            continue;
        }
        let known = declared.properties.iter().map(|(name, _)| context.text(name));
        let help = context.did_you_mean(name, known, "its properties are");
        let message = format!("{} has no property `{name}`: the value is ignored", context.describe(class.any()));
        context.problem(&rules::IGNORED_PROPERTY, Some(place(&key.span)), message).help_if(help);
    }
}

fn name_of(argument: &Argument) -> Option<&str> {
    match argument {
        Argument::Mapping(key, _) => key.as_text().map(|name| &**name),
        _ => None,
    }
}
