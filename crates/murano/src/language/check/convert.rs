//! The other way to call a function: as a method or not.

use tosca_parse::diagnostic::Help;
use tosca_parse_yaql::{Argument, Expr, Expression, Kind};

use super::functions::Functions;

/// Returns the help to call a method as one: `abc.toUpper()` instead of `toUpper(abc)`.
pub(super) fn to_method(functions: &Functions, expression: &Expression, call: &Expr) -> Option<Help> {
    let Kind::Call { name, arguments } = &call.kind else { return None };
    if !functions.is_current(name, true) {
        return None;
    }
    let (first, rest) = match arguments.as_slice() {
        [Argument::Positional(first), rest @ ..] => (Some(first), rest),
        _ => (None, &[][..]),
    };
    let receiver = first.and_then(|first| receiver(expression, first)).unwrap_or_else(|| "$".to_owned());
    let rest = text_of(expression, rest).filter(|_| functions.misfit(name, true, rest).is_none());
    Some(Help::write(format!("{receiver}.{name}({})", rest.unwrap_or("…"))))
}

/// Returns the help to call a function as one: `str($x)` instead of `$x.str()`.
pub(super) fn to_function(functions: &Functions, expression: &Expression, call: &Expr) -> Option<Help> {
    let Kind::Method { receiver, name, arguments, optional: false, .. } = &call.kind else { return None };
    if !functions.is_current(name, false) {
        return None;
    }
    let receiver = slice(expression, receiver.span.start, receiver.span.end)?;
    let separator = if arguments.is_empty() { "" } else { ", " };
    let rest = text_of(expression, arguments).unwrap_or("…");
    Some(Help::write(format!("{name}({receiver}{separator}{rest})")))
}

/// Returns the text of an argument as a receiver.
fn receiver(expression: &Expression, argument: &Expr) -> Option<String> {
    let text = slice(expression, argument.span.start, argument.span.end)?;
    Some(match argument.kind {
        Kind::Binary(..) | Kind::Unary(..) => format!("({text})"),
        _ => text.to_owned(),
    })
}

/// Returns the text of arguments; `None` if they are not written one after another.
fn text_of<'e>(expression: &'e Expression, arguments: &[Argument]) -> Option<&'e str> {
    if arguments.iter().any(|argument| matches!(argument, Argument::Omitted)) {
        return None;
    }
    let spans = || arguments.iter().flat_map(Argument::parts).map(|part| &part.span);
    match (spans().map(|span| span.start).min(), spans().map(|span| span.end).max()) {
        (Some(start), Some(end)) => slice(expression, start, end),
        _ => Some(""),
    }
}

/// Returns a part of an expression, unless its parentheses are not balanced, because those around it are not part of it.
fn slice(expression: &Expression, start: u32, end: u32) -> Option<&str> {
    let text = expression.text().get(start as usize..end as usize)?;
    let count = |character| text.matches(character).count();
    (count('(') == count(')')).then_some(text)
}
