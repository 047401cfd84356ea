//! Numbers.

use num_bigint::BigInt;

use super::Table;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result, type_error, value_error};
use crate::function::Call;
use crate::integer::Integer;
use crate::operator::{compare, misfit};
use crate::syntax::Operator;
use crate::text::float;
use crate::value::Value;

pub(super) const TABLE: Table = &[
    ("abs(op: Number)", |call| {
        Ok(match call.value(0) {
            Value::Integer(number) if number.is_negative() => Value::Integer(number.negate()),
            Value::Float(number) => Value::Float(number.abs()),
            value => value,
        })
    }),
    ("sign(num: Number)", |call| {
        let number = call.value(0).as_float().unwrap_or(0.0);
        Ok(Value::from(i64::from(number > 0.0) - i64::from(number < 0.0)))
    }),
    ("int(value: any)", |call| to_integer(call.context, &call.value(0))),
    ("float(value: any)", |call| to_float(&call.value(0))),
    ("bool(value: any)", |call| Ok(call.value(0).is_truthy().into())),
    ("round(number: Number, ndigits: int=0)", |call| round(call, &call.value(0), call.number(1))),
    ("pow(a: Number, b: Number, c: Number?=null)", power),
    ("max(a: any, b: any)", |call| larger(call.value(0), call.value(1), Operator::GreaterOrEqual)),
    ("min(a: any, b: any)", |call| larger(call.value(0), call.value(1), Operator::Less)),
    ("hex(num: Number?)", |call| match call.value(0) {
        Value::Integer(number) if number.is_negative() => Ok(format!("-0x{}", number.negate().to_radix(16)).into()),
        Value::Integer(number) => Ok(format!("0x{}", number.to_radix(16)).into()),
        value => Err(type_error(format!("'{}' object cannot be interpreted as an integer", value.type_name()))),
    }),
    ("bitwiseAnd(left: int, right: int)", |call| bits(call, |left, right| left & right)),
    ("bitwiseOr(left: int, right: int)", |call| bits(call, |left, right| left | right)),
    ("bitwiseXor(left: int, right: int)", |call| bits(call, |left, right| left ^ right)),
    ("bitwiseNot(arg: int)", |call| bits_of(&(-1).into(), &call.whole(0), call, |left, right| left ^ right)),
    ("shiftBitsLeft(value: int, bitsNumber: int)", |call| shift(call, true)),
    ("shiftBitsRight(value: int, bitsNumber: int)", |call| shift(call, false)),
    ("random()", |_| Ok(Value::Float(fastrand::f64()))),
    ("random(from: any, to: any)", |call| match (call.value(0), call.value(1)) {
        (Value::Integer(from), Value::Integer(to)) => match (from.to_i64(), to.to_i64()) {
            (Some(from), Some(to)) if from <= to => Ok(Value::from(fastrand::i64(from..=to))),
            _ => Err(value_error("empty range for randrange()")),
        },
        (from, to) => {
            Err(type_error(format!("there are no random numbers from {} to {}", from.shown_repr(), to.shown_repr())))
        }
    }),
];

fn bits(call: &Call<'_>, combine: fn(&BigInt, &BigInt) -> BigInt) -> Result<Value> {
    bits_of(&call.whole(0), &call.whole(1), call, combine)
}

fn bits_of(left: &Integer, right: &Integer, call: &Call<'_>, combine: fn(&BigInt, &BigInt) -> BigInt) -> Result<Value> {
    left.bitwise(right, call.context.meter(), combine).map(Value::Integer)
}

fn shift(call: &Call<'_>, left: bool) -> Result<Value> {
    let (number, by) = (call.whole(0), call.number(1));
    let Ok(by) = u64::try_from(by) else {
        return Err(value_error("negative shift count"));
    };
    let shifted = if left { number.shift_left(by, call.context.meter())? } else { number.shift_right(by) };
    Ok(Value::Integer(shifted))
}

/// Returns the number that a value stands for; zero for null.
pub(super) fn to_integer(context: &Context, value: &Value) -> Result<Value> {
    /// The cost of parsing grows with the square of the number of digits; one step pays for this much of that square.
    const SQUARE: u64 = 1 << 17;
    if let Value::String(text) = value {
        let digits = text.len().min(Integer::MAX_DIGITS) as u64;
        context.meter().spend(digits * digits / SQUARE)?;
    }
    Ok(Value::Integer(match value {
        Value::Null => Integer::from(0),
        Value::Boolean(truth) => Integer::from(i64::from(*truth)),
        Value::Integer(number) => number.clone(),
        Value::Float(number) => Integer::truncated(*number)
            .ok_or_else(|| value_error(format!("cannot convert float {} to integer", float(*number))))?,
        Value::String(text) => Integer::parse(text.trim())
            .ok_or_else(|| value_error(format!("invalid literal for int() with base 10: {}", value.shown_repr())))?,
        _ => {
            return Err(type_error(format!(
                "int() argument must be a string or a number, not '{}'",
                value.type_name()
            )));
        }
    }))
}

fn to_float(value: &Value) -> Result<Value> {
    Ok(Value::Float(match value {
        Value::Null => 0.0,
        Value::Boolean(truth) => f64::from(u8::from(*truth)),
        Value::Integer(number) => number.to_f64(),
        Value::Float(number) => *number,
        Value::String(text) => text
            .trim()
            .parse()
            .map_err(|_| value_error(format!("could not convert string to float: {}", value.shown_repr())))?,
        _ => {
            return Err(type_error(format!(
                "float() argument must be a string or a number, not '{}'",
                value.type_name()
            )));
        }
    }))
}

/// Rounds to a number of digits after the point, or before the point if negative; halves to even.
fn round(call: &Call<'_>, value: &Value, digits: i64) -> Result<Value> {
    let digits = i32::try_from(digits.clamp(-400, 400)).unwrap_or(0);
    Ok(match value {
        Value::Integer(number) if digits < 0 => {
            Value::Integer(number.rounded(digits.unsigned_abs(), call.context.meter())?)
        }
        Value::Float(number) if digits >= 0 => {
            // Formatting rounds the exact value of the float, as Python does.
            let places = digits.unsigned_abs() as usize;
            Value::Float(format!("{number:.places$}").parse().unwrap_or(*number))
        }
        Value::Float(number) => {
            let scale = 10_f64.powi(-digits);
            Value::Float((number / scale).round_ties_even() * scale)
        }
        _ => value.clone(),
    })
}

fn power(call: &mut Call<'_>) -> Result<Value> {
    let meter = call.context.meter();
    match (call.value(0), call.value(1), call.value(2)) {
        (Value::Integer(base), Value::Integer(exponent), Value::Integer(modulus)) => {
            base.power(&exponent, Some(&modulus), meter).map(Value::Integer)
        }
        (Value::Integer(base), Value::Integer(exponent), Value::Null) if !exponent.is_negative() => {
            base.power(&exponent, None, meter).map(Value::Integer)
        }
        (base, exponent, Value::Null) => {
            let (base, exponent) = (base.as_float().unwrap_or(0.0), exponent.as_float().unwrap_or(0.0));
            if base == 0.0 && exponent < 0.0 {
                return Err(Error::new(ErrorKind::ZeroDivision, "0.0 cannot be raised to a negative power"));
            }
            Ok(Value::Float(base.powf(exponent)))
        }
        _ => Err(type_error("pow() 3rd argument not allowed unless all arguments are integers")),
    }
}

/// Returns the left value if the operator holds between it and the right one, otherwise the right one.
pub(super) fn larger(left: Value, right: Value, operator: Operator) -> Result<Value> {
    match compare(operator, &left, &right) {
        Some(true) => Ok(left),
        Some(false) => Ok(right),
        None => Err(misfit(operator, &left, &right)),
    }
}
