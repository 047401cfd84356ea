//! Operators.

use std::cmp::Ordering;

use crate::context::Context;
use crate::error::{Error, ErrorKind, Result, zero_division};
use crate::iterate::Items;
use crate::pattern::Flags;
use crate::syntax::Operator;
use crate::value::{Dict, Set, Value};

/// Returns the result of an operator in front of an operand; `None` if there is none for such a value.
pub(crate) fn unary(operator: Operator, value: &Value) -> Option<Result<Value>> {
    Some(Ok(match (operator, value) {
        (Operator::Not, _) => Value::Boolean(!value.is_truthy()),
        (Operator::Plus, Value::Integer(_) | Value::Float(_) | Value::Span(_)) => value.clone(),
        (Operator::Minus, Value::Integer(number)) => Value::Integer(number.negate()),
        (Operator::Minus, Value::Float(number)) => Value::Float(-number),
        (Operator::Minus, Value::Span(span)) => Value::Span(span.scaled(-1.0)?),
        _ => return None,
    }))
}

/// Returns the result of an operator between operands; `None` if there is none for such values.
pub(crate) fn binary(context: &Context, operator: Operator, left: &Value, right: &Value) -> Result<Option<Value>> {
    Ok(match operator {
        Operator::Plus => return add(context, left, right),
        Operator::Minus => return subtract(context, left, right),
        Operator::Times => return multiply(context, left, right),
        Operator::Over => return divide(context, left, right),
        Operator::Modulo => return modulo(context, left, right),
        Operator::Equal | Operator::NotEqual => {
            context.meter().look_through(left.weight().min(right.weight()))?;
            Some(Value::Boolean((left == right) == (operator == Operator::Equal)))
        }
        Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => {
            context.meter().look_through(left.weight().min(right.weight()))?;
            compare(operator, left, right).map(Value::Boolean)
        }
        Operator::In => is_in(context, left, right)?.map(Value::Boolean),
        Operator::Matches | Operator::MatchesNot => {
            matches(context, left, right)?.map(|found| Value::Boolean(found == (operator == Operator::Matches)))
        }
        Operator::Is => match context.host() {
            Some(host) => host.is_instance(context, left, right)?.map(Value::Boolean),
            None => None,
        },
        _ => None,
    })
}

/// Returns the error that an operator is not defined for its operands.
pub(crate) fn misfit(operator: Operator, left: &Value, right: &Value) -> Error {
    let (left, right) = (left.described(), right.described());
    let message = match operator {
        Operator::Plus => format!("can't add {right} to {left}"),
        Operator::Minus => format!("can't subtract {right} from {left}"),
        Operator::Times => format!("can't multiply {left} by {right}"),
        Operator::Over => format!("can't divide {left} by {right}"),
        Operator::Modulo => format!("can't take the remainder of {left} divided by {right}"),
        Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => {
            format!("can't compare {left} with {right}")
        }
        Operator::In => format!("can't look for {left} in {right}"),
        Operator::Matches | Operator::MatchesNot => format!("can't match {left} against {right}"),
        _ => format!("can't use `{}` between {left} and {right}", operator.as_str()),
    };
    Error::new(ErrorKind::NoMatchingFunction, message)
}

/// Returns the error that a prefix operator is not defined for its operand.
pub(crate) fn unary_misfit(operator: Operator, value: &Value) -> Error {
    let value = value.described();
    let message = match operator {
        Operator::Minus => format!("can't negate {value}"),
        _ => format!("can't use `{}` before {value}", operator.as_str()),
    };
    Error::new(ErrorKind::NoMatchingFunction, message)
}

fn add(context: &Context, left: &Value, right: &Value) -> Result<Option<Value>> {
    Ok(Some(match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => Value::Integer(left.add(right, context.meter())?),
        (Value::String(left), Value::String(right)) => {
            context.meter().check_memory((left.len() + right.len()) as u64)?;
            Value::String([&**left, &**right].concat().into())
        }
        (Value::Dict(left), Value::Dict(right)) if !context.is_legacy() => {
            context.meter().spend((left.len() + right.len()) as u64)?;
            Value::dict(left.iter().chain(right.iter()).map(|(key, value)| (key.clone(), value.clone())))
        }
        (Value::Set(left), Value::Set(right)) => {
            context.meter().spend((left.len() + right.len()) as u64)?;
            Value::set(left.iter().chain(right.iter()).cloned())
        }
        (Value::Timestamp(timestamp), Value::Span(span)) | (Value::Span(span), Value::Timestamp(timestamp)) => {
            Value::Timestamp(timestamp.plus(span.microseconds)?)
        }
        (Value::Span(left), Value::Span(right)) => Value::Span(left.plus(*right)?),
        (Value::List(left), Value::List(right)) => {
            context.meter().check_memory((left.len() + right.len()) as u64 * 8)?;
            Value::list(left.iter().chain(right.iter()).cloned().collect())
        }
        _ => match (left.as_float(), right.as_float()) {
            (Some(left), Some(right)) => Value::Float(left + right),
            _ => return Ok(chain(context, left, right)),
        },
    }))
}

/// Concatenates two collections.
fn chain(context: &Context, left: &Value, right: &Value) -> Option<Value> {
    let depth = left.depth().max(right.depth());
    let (left, right) = (left.items(context)?, right.items(context)?);
    let next = move || match left.next()? {
        Some(item) => Ok(Some(item)),
        None => right.next(),
    };
    Some(Items::nested(depth, next).into())
}

fn subtract(context: &Context, left: &Value, right: &Value) -> Result<Option<Value>> {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => {
            left.subtract(right, context.meter()).map(Value::Integer).map(Some)
        }
        (Value::Set(ours), Value::Set(theirs)) => {
            context.meter().look_through(left.weight())?;
            Ok(Some(difference(ours, theirs)))
        }
        _ => Ok(subtract_others(left, right)),
    }
}

fn subtract_others(left: &Value, right: &Value) -> Option<Value> {
    Some(match (left, right) {
        (Value::Timestamp(left), Value::Timestamp(right)) => Value::Span(left.since(*right)),
        (Value::Timestamp(timestamp), Value::Span(span)) => Value::Timestamp(timestamp.plus(-span.microseconds).ok()?),
        (Value::Span(left), Value::Span(right)) => Value::Span(left.plus(right.scaled(-1.0)?).ok()?),
        _ => Value::Float(left.as_float()? - right.as_float()?),
    })
}

pub(crate) fn difference(left: &Set, right: &Set) -> Value {
    Value::set(left.iter().filter(|element| !right.contains(*element)).cloned())
}

fn multiply(context: &Context, left: &Value, right: &Value) -> Result<Option<Value>> {
    Ok(Some(match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => Value::Integer(left.multiply(right, context.meter())?),
        (Value::String(text), Value::Integer(count)) | (Value::Integer(count), Value::String(text)) => {
            Value::string(text.repeat(times(context, text.len(), count.saturated())?))
        }
        (Value::List(items), Value::Integer(count)) | (Value::Integer(count), Value::List(items)) => {
            let times = times(context, items.len() * Value::SIZE as usize, count.saturated())?;
            Value::list(std::iter::repeat_n(items.iter(), times).flatten().cloned().collect())
        }
        (Value::Span(span), number) | (number, Value::Span(span)) => {
            return Ok(number.as_float().and_then(|factor| span.scaled(factor)).map(Value::Span));
        }
        _ => match (left.as_float(), right.as_float()) {
            (Some(left), Some(right)) => Value::Float(left * right),
            _ => return Ok(None),
        },
    }))
}

/// Returns the number of repetitions of a value of a given size, if the result is not too large.
fn times(context: &Context, size: usize, count: i64) -> Result<usize> {
    let count = u64::try_from(count).unwrap_or(0);
    context.meter().check_memory((size as u64).saturating_mul(count))?;
    Ok(if size == 0 { 0 } else { usize::try_from(count).unwrap_or(0) })
}

fn divide(context: &Context, left: &Value, right: &Value) -> Result<Option<Value>> {
    const BY_ZERO: &str = "integer division or modulo by zero";
    Ok(Some(match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => {
            let quotient = left.divide(right, context.meter())?;
            Value::Integer(quotient.ok_or_else(|| zero_division(BY_ZERO))?)
        }
        (Value::Span(_), Value::Span(right)) if right.microseconds == 0 => return Err(zero_division(BY_ZERO)),
        (Value::Span(left), Value::Span(right)) => Value::Float(left.in_microseconds() / right.in_microseconds()),
        (Value::Span(span), number) => match number.as_float() {
            Some(0.0) => return Err(zero_division(BY_ZERO)),
            number => return Ok(number.and_then(|number| span.scaled(1.0 / number)).map(Value::Span)),
        },
        _ => match (left.as_float(), right.as_float()) {
            (Some(_), Some(0.0)) => return Err(zero_division("float division by zero")),
            (Some(left), Some(right)) => Value::Float(left / right),
            _ => return Ok(None),
        },
    }))
}

fn modulo(context: &Context, left: &Value, right: &Value) -> Result<Option<Value>> {
    if let (Value::Integer(left), Value::Integer(right)) = (left, right) {
        let remainder = left.modulo(right, context.meter())?;
        let remainder = remainder.ok_or_else(|| zero_division("integer modulo by zero"))?;
        return Ok(Some(Value::Integer(remainder)));
    }
    match (left.as_float(), right.as_float()) {
        (Some(_), Some(0.0)) => Err(zero_division("float modulo")),
        (Some(left), Some(right)) => {
            let remainder = left % right;
            let other_sign = (remainder < 0.0) != (right < 0.0);
            let remainder = match remainder {
                0.0 => 0.0_f64.copysign(right),
                _ if other_sign => remainder + right,
                _ => remainder,
            };
            Ok(Some(Value::Float(remainder)))
        }
        _ => Ok(None),
    }
}

/// Compares values. Null is below everything else; other values must have the same kind.
pub(crate) fn compare(operator: Operator, left: &Value, right: &Value) -> Option<bool> {
    let is_number = |value: &Value| matches!(value, Value::Integer(_) | Value::Float(_));
    let ordering = match (left, right) {
        (Value::Null, Value::Null) => Some(Ordering::Equal),
        (Value::Null, _) => Some(Ordering::Less),
        (_, Value::Null) => Some(Ordering::Greater),
        (Value::String(left), Value::String(right)) => Some(left.chars().cmp(right.chars())),
        (Value::Timestamp(left), Value::Timestamp(right)) => Some(left.instant().cmp(&right.instant())),
        (Value::Span(left), Value::Span(right)) => Some(left.microseconds.cmp(&right.microseconds)),
        (Value::Set(left), Value::Set(right)) => match (left.is_subset(right), right.is_subset(left)) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        },
        _ if is_number(left) && is_number(right) => left.compare_numbers(right),
        _ => return None,
    };
    Some(ordering.is_some_and(|ordering| match operator {
        Operator::Less => ordering.is_lt(),
        Operator::LessOrEqual => ordering.is_le(),
        Operator::Greater => ordering.is_gt(),
        _ => ordering.is_ge(),
    }))
}

fn is_in(context: &Context, left: &Value, right: &Value) -> Result<Option<bool>> {
    match (left, right) {
        (Value::String(part), Value::String(text)) => {
            context.meter().look_through(text.len() as u64)?;
            Ok(Some(text.contains(&**part)))
        }
        (_, Value::Set(elements)) => Ok(Some(elements.contains(left))),
        (_, Value::Dict(entries)) if context.is_legacy() => Ok(Some(contains_key(entries, left))),
        _ => match right.items(context) {
            Some(items) => {
                while let Some(item) = items.next()? {
                    context.meter().look_through(item.weight().min(left.weight()))?;
                    if item == *left {
                        return Ok(Some(true));
                    }
                }
                Ok(Some(false))
            }
            None => Ok(None),
        },
    }
}

fn contains_key(entries: &Dict, key: &Value) -> bool {
    entries.contains_key(key)
}

fn matches(context: &Context, text: &Value, pattern: &Value) -> Result<Option<bool>> {
    let meter = context.meter();
    match (text, pattern) {
        (Value::String(text), Value::Pattern(pattern)) => pattern.is_match(meter, text).map(Some),
        (Value::String(text), Value::String(pattern)) => {
            meter.pattern(pattern, Flags::default())?.is_match(meter, text).map(Some)
        }
        _ => Ok(None),
    }
}
