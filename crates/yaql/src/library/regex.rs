//! Regular expressions.

use std::rc::Rc;

use super::Table;
use crate::error::Result;
use crate::function::Call;
use crate::meter::{Gathered, Meter};
use crate::pattern::{Flags, Match, Pattern, escape_all, expand};
use crate::value::Value;

pub(super) const TABLE: Table = &[
    ("regex(pattern: String, ignoreCase: bool?=false, multiLine: bool?=false, dotAll: bool?=false)", |call| {
        let flags =
            Flags { ignore_case: call.flag(1), multi_line: call.flag(2), dot_all: call.flag(3), ..Flags::default() };
        call.context.meter().pattern(&call.text(0), flags).map(Value::Pattern)
    }),
    ("escapeRegex(string: String)", |call| {
        let text = call.text(0);
        call.context.meter().check_memory(2 * text.len() as u64)?;
        Ok(escape_all(&text).into())
    }),
    (".matches(regexp: Pattern, string: String)", |call| matches(call, 0, 1)),
    (".matches(string: String, regexp: String)", |call| matches(call, 1, 0)),
    (".search(regexp: Pattern, string: String, selector: Lambda=null)", |call| {
        let (pattern, text) = (pattern(call, 0)?, call.text(1));
        match pattern.first(call.context.meter(), &text)? {
            Some(next) => found(call, &pattern, &text, &next),
            None => Ok(Value::Null),
        }
    }),
    (".searchAll(regexp: Pattern, string: String, selector: Lambda=null)", |call| {
        let (pattern, text) = (pattern(call, 0)?, call.text(1));
        let all = pattern.all(call.context.meter(), &text, 0)?;
        let mut values = Gathered::new(call.context.meter());
        all.iter().try_for_each(|next| values.push(found(call, &pattern, &text, next)?))?;
        call.computed(values.items()?)
    }),
    (".split(regexp: Pattern, string: String, maxSplit: int=0)", |call| split(call, 0, 1)),
    (".split(string: String, regexp: Pattern, maxSplit: int=0)", |call| split(call, 1, 0)),
    (".replace(regexp: Pattern, string: String, repl: String, count: int=0)", |call| replace(call, 0, 1)),
    (".replace(string: String, regexp: Pattern, repl: String, count: int=0)", |call| replace(call, 1, 0)),
    (".replaceBy(regexp: Pattern, string: String, repl: Lambda, count: int=0)", |call| replace_by(call, 0, 1)),
    (".replaceBy(string: String, regexp: Pattern, repl: Lambda, count: int=0)", |call| replace_by(call, 1, 0)),
];

fn pattern(call: &Call<'_>, index: usize) -> Result<Rc<Pattern>> {
    match call.value(index) {
        Value::Pattern(pattern) => Ok(pattern),
        Value::String(text) => call.context.meter().pattern(&text, Flags::default()),
        _ => call.context.meter().pattern(&"".into(), Flags::default()),
    }
}

fn matches(call: &Call<'_>, by: usize, text: usize) -> Result<Value> {
    pattern(call, by)?.is_match(call.context.meter(), &call.text(text)).map(Value::from)
}

/// Returns the value of a match: its text or the result of the selector for its groups.
fn found(call: &Call<'_>, pattern: &Pattern, text: &str, found: &Match<'_>) -> Result<Value> {
    match call.lambda(2) {
        None => Ok(found.text().into()),
        Some(selector) => {
            counted(selector.context().meter(), text, found)?;
            let (positional, named) = pattern.groups(found);
            selector.call_with(positional, named)
        }
    }
}

/// Charges for counting the characters before each group.
fn counted(meter: &Meter, text: &str, found: &Match<'_>) -> Result<()> {
    const FAST: usize = 8;
    meter.look_through((text.len() * found.len() / FAST) as u64)
}

fn split(call: &Call<'_>, by: usize, text: usize) -> Result<Value> {
    let count = call.number(2);
    pattern(call, by)?.split(call.context.meter(), &call.text(text), count).map(Value::list)
}

fn replace(call: &Call<'_>, by: usize, text: usize) -> Result<Value> {
    let template = call.text(2);
    let count = call.number(3);
    let meter = call.context.meter();
    let pattern = pattern(call, by)?;
    let replaced = pattern.replace(meter, &call.text(text), count, |found| expand(&template, &pattern, found));
    replaced.map(Value::from)
}

fn replace_by(call: &Call<'_>, by: usize, text: usize) -> Result<Value> {
    let (pattern, text, replacement) = (pattern(call, by)?, call.text(text), call.demanded_lambda(2)?);
    let meter = call.context.meter();
    let replaced = pattern.replace(meter, &text, call.number(3), |found| {
        counted(meter, &text, found)?;
        let (positional, named) = pattern.groups(found);
        Ok(replacement.call_with(positional, named)?.to_text())
    });
    replaced.map(Value::from)
}
