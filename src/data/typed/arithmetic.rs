//! Computation with numbers, scalars and sets (2.0, 10.2.4 and 10.2.5).

use super::datum::{Datum, Scalar};
use super::lookup::Lookup;
use crate::entity::Id;
use crate::grammar::types::DataType;
use crate::value::Number;
use bigdecimal::Zero;

/// A scalar type, if it is declared in a program.
pub(super) type ScalarType = Option<Id<DataType>>;

/// The result of a computation.
pub(crate) enum Computed {
    /// A value, which is unknown if the function can't be computed for these arguments.
    Value(Datum),
    /// An integer that is too large.
    Overflow,
    /// Nothing, because the divisor is zero.
    DivisionByZero,
}

/// Computes a function of numbers. `written` writes a number in the canonical unit of a scalar type.
pub(super) fn arithmetic(name: &str, arguments: &[Datum], written: impl Fn(ScalarType, &Number) -> String) -> Computed {
    let is_zero = |divisor: &Datum| divisor.number().is_some_and(|divisor| divisor.is_zero());
    match (name, arguments) {
        ("round" | "floor" | "ceil", _) => to_integer(name, arguments),
        ("quotient" | "remainder", [number, divisor]) if number.is_known() && is_zero(divisor) => {
            Computed::DivisionByZero
        }
        _ => integers(name, arguments).unwrap_or_else(|| {
            let result = scalars(name, arguments, written).or_else(|| floats(name, arguments));
            Computed::Value(result.unwrap_or(Datum::Unknown))
        }),
    }
}

/// Returns the integer result for arguments that are all integers; `None` for other arguments.
fn integers(name: &str, arguments: &[Datum]) -> Option<Computed> {
    let numbers: Vec<i64> = arguments.iter().map(Datum::as_integer).collect::<Option<_>>()?;
    let result = match (name, &numbers[..]) {
        ("sum", numbers) => numbers.iter().try_fold(0_i64, |sum, number| sum.checked_add(*number)),
        ("difference", [a, b]) => a.checked_sub(*b),
        ("product", numbers) if numbers.contains(&0) => Some(0),
        ("product", numbers) => numbers.iter().try_fold(1_i64, |product, number| product.checked_mul(*number)),
        // The standard does not define the remainder of negative numbers.
        ("remainder", [a, b]) if *a >= 0 && *b > 0 => Some(a % b),
        _ => return None,
    };
    Some(result.map_or(Computed::Overflow, |result| Computed::Value(Datum::Integer(result))))
}

fn floats(name: &str, arguments: &[Datum]) -> Option<Datum> {
    let numbers: Vec<f64> = arguments.iter().map(Datum::as_float).collect::<Option<_>>()?;
    match (name, &numbers[..]) {
        ("sum", numbers) => Some(numbers.iter().sum()),
        ("difference", [a, b]) => Some(a - b),
        ("product", numbers) => Some(numbers.iter().product()),
        ("quotient", [a, b]) => Some(a / b),
        _ => None,
    }
    .map(Datum::Float)
}

fn scalars(name: &str, arguments: &[Datum], written: impl Fn(ScalarType, &Number) -> String) -> Option<Datum> {
    let (data_type, first) = arguments.first()?.as_scalar()?;
    let of_type = |datum: &Datum| datum.as_scalar().filter(|(other, _)| *other == data_type).map(|(_, number)| number);
    let number = match (name, arguments) {
        ("sum", _) => arguments.iter().map(of_type).sum::<Option<Number>>()?,
        ("difference", [_, other]) => first - of_type(other)?,
        ("product", [_, factor]) => first * factor.number()?,
        ("quotient", [_, divisor]) => first / divisor.number()?,
        ("remainder", [_, divisor]) => {
            let divisor = divisor.number().filter(|divisor| *divisor > Number::zero())?;
            if first < Number::zero() {
                return None;
            }
            first % divisor
        }
        _ => return None,
    };
    Some(Datum::Scalar(Box::new(Scalar { data_type, text: written(data_type, &number), number })))
}

#[allow(clippy::cast_possible_truncation, reason = "the range is checked before")]
fn to_integer(name: &str, arguments: &[Datum]) -> Computed {
    let number = match arguments {
        [Datum::Integer(number)] => return Computed::Value(Datum::Integer(*number)),
        [Datum::Float(number)] if number.is_finite() => *number,
        _ => return Computed::Value(Datum::Unknown),
    };
    let whole = match name {
        "floor" => number.floor(),
        "ceil" => number.ceil(),
        // A number halfway between two integers is rounded down.
        _ if number - number.floor() > 0.5 => number.ceil(),
        _ => number.floor(),
    };
    // 2⁶³ is the first float above all integers, and −2⁶³ is the least integer.
    let limit = 2_f64.powi(63);
    if whole >= -limit && whole < limit { Computed::Value(Datum::Integer(whole as i64)) } else { Computed::Overflow }
}

/// Returns the union or intersection of lists, with each entry once, in the order of first occurrence.
pub(crate) fn combine(name: &str, lists: &[Datum]) -> Datum {
    let lists: Option<Vec<&[Datum]>> = lists.iter().map(Datum::as_list).collect();
    let Some(lists) = lists else { return Datum::Unknown };
    let all = || lists.iter().copied().flatten();
    // It is unknown whether an unknown value equals another entry.
    if all().count() > 1 && !all().all(Datum::is_known) {
        return Datum::Unknown;
    }
    let (first, others) = lists.split_first().map_or((&[][..], &[][..]), |(first, others)| (*first, others));
    let mut result = Lookup::default();
    let found: Vec<Datum> = if name == "union" {
        all().filter(|item| result.insert(item)).cloned().collect()
    } else {
        let others: Vec<Lookup<'_>> = others.iter().map(|other| other.iter().collect()).collect();
        let is_in_all = |item: &&Datum| others.iter().all(|other| other.contains(item));
        first.iter().filter(is_in_all).filter(|item| result.insert(item)).cloned().collect()
    };
    Datum::List(found)
}

impl Datum {
    fn as_integer(&self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(*number),
            _ => None,
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "computing with an integer and a float is inexact by nature")]
    fn as_float(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }

    fn as_scalar(&self) -> Option<(ScalarType, Number)> {
        match self {
            Self::Scalar(scalar) => Some((scalar.data_type, scalar.number.clone())),
            _ => None,
        }
    }

    fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }
}
