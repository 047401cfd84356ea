//! Evaluation of the nodes of expressions.

use crate::context::Context;
use crate::dispatch::{Actual, actuals, call};
use crate::error::{Error, ErrorKind, Result, index_error, key_error};
use crate::iterate::Items;
use crate::lambda::Lambda;
use crate::operator;
use crate::syntax::{Argument, Expr, Kind, Operator};
use crate::value::{Dict, Value};

/// Returns the value of an expression. Errors have the position of the innermost node that they come from.
pub(crate) fn evaluate(context: &Context, expression: &Expr) -> Result<Value> {
    let value = match &expression.kind {
        Kind::Constant(constant) => return Ok(Value::from(constant)),
        Kind::Word(text) => return Ok(Value::String(text.clone())),
        Kind::Variable(name) => return Ok(context.get(name)),
        _ => {
            let meter = context.meter();
            meter.spend(1).and_then(|()| meter.deeper(|| evaluate_nested(context, expression)))
        }
    };
    value.map_err(|error| error.at(&expression.span))
}

fn evaluate_nested(context: &Context, expression: &Expr) -> Result<Value> {
    match &expression.kind {
        Kind::Constant(constant) => Ok(Value::from(constant)),
        Kind::Word(text) => Ok(Value::String(text.clone())),
        Kind::Variable(name) => Ok(context.get(name)),
        Kind::Call { name, arguments } => call(context, name, None, &actuals(arguments)),
        Kind::Method { receiver, name, arguments, optional, .. } => {
            let receiver = evaluate(context, receiver)?;
            if *optional && receiver.is_null() {
                return Ok(Value::Null);
            }
            call_method(context, &receiver, name, &actuals(arguments))
        }
        Kind::Attribute { receiver, name, optional, .. } => {
            let receiver = evaluate(context, receiver)?;
            if *optional && receiver.is_null() {
                return Ok(Value::Null);
            }
            attribute(context, &receiver, name)
        }
        Kind::Index { collection, arguments } => index(context, collection, arguments),
        Kind::List(arguments) => list(context, arguments),
        Kind::Map(arguments) => map(context, arguments),
        Kind::Unary(operator, operand) => unary(context, *operator, operand),
        Kind::Binary(operator, left, right) => binary(context, *operator, left, right),
    }
}

/// Calls the host's method if it has one for the receiver, otherwise that of a library.
pub(crate) fn call_method(context: &Context, receiver: &Value, name: &str, actuals: &[Actual]) -> Result<Value> {
    if let Some(host) = context.host()
        && let Some(value) = host.call(context, receiver, name, actuals)?
    {
        return checked(context, value);
    }
    call(context, name, Some(receiver), actuals)
}

pub(crate) fn attribute(context: &Context, receiver: &Value, name: &str) -> Result<Value> {
    if let Value::Dict(_) = receiver {
        return match receiver.get(name) {
            Some(value) => Ok(value.clone()),
            None if context.is_legacy() => Ok(Value::Null),
            None => Err(unknown_key(&Value::string(name))),
        };
    }
    if let Some(host) = context.host()
        && let Some(value) = host.attribute(context, receiver, name)?
    {
        return Ok(value);
    }
    match receiver {
        Value::Timestamp(timestamp) => timestamp.attribute(name).ok_or_else(|| unknown_attribute(receiver, name)),
        Value::Span(span) => span.attribute(name).ok_or_else(|| unknown_attribute(receiver, name)),
        Value::List(_) | Value::Set(_) | Value::View(..) | Value::Iterator(_) => {
            let items = receiver.items(context).ok_or_else(|| unknown_attribute(receiver, name))?;
            let (context, name) = (context.clone(), name.to_owned());
            let attributes = move || match items.next()? {
                Some(item) => attribute(&context, &item, &name).map(Some),
                None => Ok(None),
            };
            Ok(Items::nested(receiver.depth(), attributes).into())
        }
        _ => Err(unknown_attribute(receiver, name)),
    }
}

fn unknown_attribute(receiver: &Value, name: &str) -> Error {
    Error::new(ErrorKind::NoFunction, format!("{} has no attribute `{name}`", receiver.described()))
}

fn unknown_key(key: &Value) -> Error {
    key_error(format!("the dictionary has no key {}", key.shown_repr()))
}

fn no_match(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::NoMatchingFunction, message)
}

/// Returns the error that a value has no items by index.
fn no_items(collection: &Value) -> Error {
    let help = match collection {
        Value::Set(_) | Value::View(..) | Value::Iterator(_) => "; make it a list with `toList()`",
        _ => "",
    };
    no_match(format!("{} can't be indexed{help}", collection.described()))
}

const INDEX_ARGUMENTS: &str = "an index is one value; for a dictionary, a default can follow";

fn index(context: &Context, collection: &Expr, arguments: &[Argument]) -> Result<Value> {
    let collection = evaluate(context, collection)?;
    let positional = |index: usize| match arguments.get(index) {
        Some(Argument::Positional(value)) => Some(value),
        _ => None,
    };
    let Some(first) = positional(0).filter(|_| {
        arguments.len() <= 2
            && arguments.len() == usize::from(positional(0).is_some()) + usize::from(positional(1).is_some())
    }) else {
        return Err(no_match(INDEX_ARGUMENTS));
    };
    if context.is_legacy() {
        return legacy_index(context, &collection, first, arguments.len());
    }
    let key = evaluate(context, first)?;
    match (&collection, positional(1)) {
        (Value::List(items), None) => match &key {
            Value::Integer(_) | Value::Boolean(_) => item(items, &key),
            _ => Err(no_match(format!("the index of a list is an integer, not {}", key.described()))),
        },
        (Value::Dict(entries), None) => entries.get(&key).cloned().ok_or_else(|| unknown_key(&key)),
        (Value::Dict(entries), Some(default)) => {
            let default = evaluate(context, default)?;
            Ok(entries.get(&key).cloned().unwrap_or(default))
        }
        (Value::List(_), Some(_)) => Err(no_match(INDEX_ARGUMENTS)),
        _ => Err(no_items(&collection)),
    }
}

/// Returns the item of a list, counting from the end if the index is negative.
fn item(items: &[Value], index: &Value) -> Result<Value> {
    let out_of_range = || {
        let index = index.shown_repr();
        index_error(format!("index {index} is out of range: the length of the list is {}", items.len()))
    };
    let index = match index {
        Value::Boolean(truth) => i64::from(*truth),
        _ => index.as_i64().unwrap_or(i64::MAX),
    };
    let distance = usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX);
    let at = if index < 0 { items.len().checked_sub(distance) } else { Some(distance) };
    let found = at.and_then(|at| items.get(at));
    found.cloned().ok_or_else(out_of_range)
}

/// Evaluates an index in YAQL 0.2: the index is a condition, unless it is a number and the collection is a list.
fn legacy_index(context: &Context, collection: &Value, condition: &Expr, arguments: usize) -> Result<Value> {
    if arguments != 1 {
        return Err(no_match(INDEX_ARGUMENTS));
    }
    if let Value::List(items) = collection
        && let Ok(index @ Value::Integer(_)) = evaluate(context, condition)
    {
        return item(items, &index);
    }
    let Some(items) = collection.items(context) else {
        return Err(no_items(collection));
    };
    let condition = Lambda::new(condition.clone(), context.clone());
    let depth = collection.depth().max(context.depth());
    let filtered = move || {
        while let Some(item) = items.next()? {
            if condition.call([item.clone()])?.is_truthy() {
                return Ok(Some(item));
            }
        }
        Ok(None)
    };
    Ok(Items::nested(depth, filtered).into())
}

fn list(context: &Context, arguments: &[Argument]) -> Result<Value> {
    let mut items = Vec::with_capacity(arguments.len());
    for argument in arguments {
        match argument {
            Argument::Positional(value) => items.push(evaluate(context, value)?),
            Argument::Mapping(key, value) if context.is_legacy() => items.push(pair(context, key, value)?),
            Argument::Mapping(..) | Argument::Omitted => {
                return Err(no_match("`[…]` contains values, not `key => value`"));
            }
        }
    }
    checked(context, Value::list(items))
}

fn pair(context: &Context, key: &Expr, value: &Expr) -> Result<Value> {
    Ok(Value::list(vec![evaluate(context, key)?, evaluate(context, value)?]))
}

fn map(context: &Context, arguments: &[Argument]) -> Result<Value> {
    let mut entries = Dict::default();
    for argument in arguments {
        let Argument::Mapping(key, value) = argument else {
            return Err(no_match("`{…}` contains `key => value`"));
        };
        let key = context.evaluate(key)?;
        entries.insert(key, evaluate(context, value)?);
    }
    checked(context, Value::dict(entries))
}

fn checked(context: &Context, value: Value) -> Result<Value> {
    context.meter().check_value(&value).map(|()| value)
}

fn unary(context: &Context, operator: Operator, operand: &Expr) -> Result<Value> {
    if operator == Operator::Colon {
        let name = match &operand.kind {
            Kind::Word(name) => named_type(context, None, name)?,
            _ => None,
        };
        return name.ok_or_else(|| Error::new(ErrorKind::NoMatchingFunction, "`:` needs the name of a type"));
    }
    let value = evaluate(context, operand)?;
    operator::unary(operator, &value).unwrap_or_else(|| Err(operator::unary_misfit(operator, &value)))
}

fn named_type(context: &Context, prefix: Option<&str>, name: &str) -> Result<Option<Value>> {
    context.host().map_or(Ok(None), |host| host.named_type(context, prefix, name))
}

fn binary(context: &Context, operator: Operator, left: &Expr, right: &Expr) -> Result<Value> {
    match operator {
        Operator::And | Operator::Or => {
            let value = evaluate(context, left)?;
            if value.is_truthy() == (operator == Operator::And) { evaluate(context, right) } else { Ok(value) }
        }
        Operator::Arrow => match evaluate(context, left)? {
            Value::Context(inner) => inner.child().evaluate_lazily(right),
            other => {
                let message = format!("`->` needs a context on its left, not {}", other.described());
                Err(Error::new(ErrorKind::NoMatchingFunction, message))
            }
        },
        Operator::Colon => {
            let found = match (&left.kind, &right.kind) {
                (Kind::Word(prefix), Kind::Word(name)) => named_type(context, Some(prefix), name)?,
                _ => None,
            };
            let message = || Error::new(ErrorKind::NoMatchingFunction, "`:` needs the name of a type on its right");
            found.ok_or_else(message)
        }
        Operator::Dot | Operator::OptionalDot => {
            let left = evaluate(context, left)?;
            if operator == Operator::OptionalDot && left.is_null() {
                return Ok(Value::Null);
            }
            let message = format!("`{}` needs a name or a call on its right", operator.as_str());
            Err(Error::new(ErrorKind::NoMatchingFunction, message))
        }
        _ => {
            let (left, right) = (evaluate(context, left)?, evaluate(context, right)?);
            let value = operator::binary(context, operator, &left, &right)?;
            let value = value.ok_or_else(|| operator::misfit(operator, &left, &right))?;
            checked(context, value)
        }
    }
}
