//! Calls: compares arguments with the parameters of methods.

use std::ops::Range;

use tosca_parse::diagnostic::Span;
use tosca_parse::phase::{Context, DiagnosticExt as _};
use tosca_parse_yaql::{Argument, Expr, Kind};

use super::super::member::{Argument as Parameter, Method};
use super::super::rules;
use crate::class::ArgumentUsage;
use crate::template::{Content, Template};

/// A function that finds the position of a part of an expression.
pub(super) type Place<'p> = &'p dyn Fn(&Range<u32>) -> Span;

/// Compares the arguments of a call with the parameters of the method.
pub(super) fn check(
    context: &mut Context<'_>,
    (name, method): (&str, &Method),
    at: Span,
    (given, place): (&[Argument], Place<'_>),
) {
    let declared = &method.arguments;
    let usage = |id| {
        context
            .get::<Parameter>(id)
            .and_then(|argument| argument.usage)
            .map_or(ArgumentUsage::Standard, |usage| usage.value)
    };
    let single: Vec<&str> = declared
        .iter()
        .filter(|(_, id)| usage(*id) == ArgumentUsage::Standard)
        .map(|(name, _)| context.text(*name))
        .collect();
    let takes = |wanted| declared.iter().any(|(_, id)| usage(*id) == wanted);
    let (takes_more, takes_names) = (takes(ArgumentUsage::VarArgs), takes(ArgumentUsage::KwArgs));
    let by_position = given.iter().filter(|argument| !matches!(argument, Argument::Mapping(..))).count();
    let first = declared.first().and_then(|(_, id)| context.program.name_span(id.any()));
    if by_position > single.len() && !takes_more {
        let takes = match single.len() {
            0 => "no arguments".to_owned(),
            1 => "one argument".to_owned(),
            count => format!("{count} arguments"),
        };
        let message = format!("method `{name}` takes {takes}, but is called with {by_position}");
        context
            .problem(&rules::WRONG_ARGUMENTS, Some(at), message)
            .related(first, "declared here")
            .help("remove the surplus arguments");
    }
    let mut is_misnamed = false;
    for (number, argument) in given.iter().enumerate() {
        let Argument::Mapping(key, _) = argument else { continue };
        let Some(named) = key.as_text() else { continue };
        let position = single.iter().position(|known| **known == **named);
        let message = match position {
            Some(position) if position < by_position.min(number) => {
                format!("argument `{named}` of method `{name}` is given twice")
            }
            None if !takes_names => format!("method `{name}` has no argument `{named}`"),
            _ => continue,
        };
        is_misnamed |= position.is_none();
        let near = context.did_you_mean(named, single.iter(), "its arguments are").filter(|_| position.is_none());
        let help = near.unwrap_or_else(|| "remove the argument".into());
        context.problem(&rules::WRONG_ARGUMENTS, Some(place(&key.span)), message).help(help);
    }
    let missing = declared.iter().take(single.len()).enumerate().find(|(position, (named, id))| {
        let is_given = *position < by_position || given.iter().any(|argument| is_named(argument, context.text(*named)));
        !is_given
            && context
                .get(*id)
                .is_some_and(|argument| !argument.default.is_given() && is_demanded(argument.contract.template()))
    });
    // A missing property probably has a different name.
    if let Some((_, (named, id))) = missing.filter(|_| !is_misnamed) {
        let message = format!(
            "method `{name}` is called without its argument `{}`, which must not be null",
            context.text(*named)
        );
        let declared = context.program.name_span(id.any());
        context
            .problem(&rules::WRONG_ARGUMENTS, Some(at), message)
            .related(declared, "declared here")
            .help("add the argument");
    }
}

fn is_named(argument: &Argument, name: &str) -> bool {
    matches!(argument, Argument::Mapping(key, _) if key.as_text().is_some_and(|key| **key == *name))
}

/// Returns whether a contract refuses null.
pub(super) fn is_demanded(contract: Option<&Template>) -> bool {
    fn refuses(expr: &Expr) -> bool {
        match &expr.kind {
            Kind::Method { receiver, name, .. } => &**name == "notNull" || refuses(receiver),
            _ => false,
        }
    }
    matches!(contract.map(|contract| &contract.content), Some(Content::Yaql(expression)) if refuses(expression.root()))
}
