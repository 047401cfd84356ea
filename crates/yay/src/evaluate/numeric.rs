//! Functions of numbers.

use std::num::IntErrorKind::{self, InvalidDigit, NegOverflow, PosOverflow};

use super::arithmetic::too_large;
use super::convert::{Number, to_int, to_number, wrong};
use super::function::Argument;
use crate::error::{Category, Error, Result};
use crate::source::Span;
use crate::value::{Kind, Value};

/// The bound above which a float may be too large for an integer.
const LARGEST: f64 = 9.2e18;

pub(super) fn absolute((value, user): &Argument, at: Span) -> Result<Value> {
    let kind = match to_number(value, *user)? {
        Number::Int(number) => Kind::Int(number.checked_abs().ok_or_else(|| too_large(at))?, None),
        Number::Float(number) => Kind::Float(number.abs(), None),
    };
    Ok(Value::new(kind, at, 0))
}

/// Rounds halves to even, as in Python.
pub(super) fn round(arguments: &[Argument], at: Span) -> Result<Value> {
    let (value, user) = &arguments[0];
    let number = to_number(value, *user)?;
    let Some((digits, digits_user)) = arguments.get(1).filter(|(value, _)| !matches!(value.kind, Kind::Null)) else {
        let Number::Float(float) = number else { return Ok(Value::new(number.kind(), at, 0)) };
        let whole = float.round_ties_even();
        if whole.abs() >= LARGEST {
            return Err(too_large(at));
        }
        return Ok(Value::new(Kind::Int(whole as i64, None), at, 0));
    };
    let digits = to_int(digits, *digits_user)?.clamp(-400, 400) as i32;
    let float = match number {
        Number::Float(float) => float,
        Number::Int(number) => return Ok(Value::new(Kind::Int(rounded(number, digits, at)?, None), at, 0)),
    };
    let rounded = if digits >= 0 {
        format!("{float:.*}", digits.unsigned_abs() as usize).parse().unwrap_or(float)
    } else {
        let factor = 10f64.powi(-digits);
        if factor.is_finite() { (float / factor).round_ties_even() * factor } else { 0.0_f64.copysign(float) }
    };
    if !rounded.is_finite() {
        return Err(Error::new(Category::Type, at, "the result is too large: numbers are finite"));
    }
    Ok(Value::new(Kind::Float(rounded, None), at, 0))
}

/// Rounds an integer to a power of ten if the number of digits is negative.
fn rounded(number: i64, digits: i32, at: Span) -> Result<i64> {
    /// A larger power of ten is more than twice any integer.
    const MOST: u32 = 20;
    if digits >= 0 {
        return Ok(number);
    }
    let Some(unit) = Some(digits.unsigned_abs()).filter(|digits| *digits <= MOST).map(|digits| 10_i128.pow(digits))
    else {
        return Ok(0);
    };
    let (quotient, rest) = (i128::from(number).div_euclid(unit), i128::from(number).rem_euclid(unit));
    let is_up = 2 * rest > unit || 2 * rest == unit && quotient % 2 != 0;
    i64::try_from((quotient + i128::from(is_up)) * unit).map_err(|_| too_large(at))
}

/// Evaluates `pow(x, y, m)`: the remainder of a power.
pub(super) fn modular_power(arguments: &[Argument]) -> Result<i64> {
    let mut numbers = [0_i128; 3];
    for (number, (value, user)) in numbers.iter_mut().zip(arguments) {
        *number = i128::from(to_int(value, *user)?);
    }
    let [base, mut exponent, modulus] = numbers;
    if modulus == 0 {
        return Err(Error::new(Category::Type, arguments[2].1, "the third argument of `pow` can't be zero"));
    }
    let size = modulus.abs();
    let mut base = base.rem_euclid(size);
    if exponent < 0 {
        base = inverse(base, size)
            .ok_or_else(|| Error::new(Category::Type, arguments[0].1, "the number has no inverse for this modulus"))?;
        exponent = -exponent;
    }
    let mut power = 1 % size;
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power * base % size;
        }
        base = base * base % size;
        exponent /= 2;
    }
    // The result has the sign of the modulus.
    let power = if modulus < 0 && power > 0 { power + modulus } else { power };
    Ok(i64::try_from(power).unwrap_or_default())
}

/// Returns the number whose product with the given one is 1 for a modulus.
fn inverse(number: i128, modulus: i128) -> Option<i128> {
    let (mut old, mut new) = ((number, 1), (modulus, 0));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        (old, new) = (new, (old.0 - quotient * new.0, old.1 - quotient * new.1));
    }
    (old.0 == 1 || modulus == 1).then(|| old.1.rem_euclid(modulus))
}

/// Evaluates `int(x)` or `int(text, base)`.
pub(super) fn integer(arguments: &[Argument]) -> Result<i64> {
    let (value, user) = &arguments[0];
    if let Some((base, base_user)) = arguments.get(1) {
        let radix =
            u32::try_from(to_int(base, *base_user)?).ok().filter(|radix| *radix == 0 || (2..=36).contains(radix));
        let Some(radix) = radix else { return Err(wrong(base, "0 or a base from 2 to 36", *base_user)) };
        let number = if let Kind::Text(text) = &value.kind { parsed(&text.plain, radix) } else { Err(InvalidDigit) };
        return number.map_err(|error| match error {
            PosOverflow | NegOverflow => too_large(*user),
            _ => wrong(value, &format!("text with an integer in base {radix}"), *user),
        });
    }
    match to_number(value, *user)? {
        Number::Int(number) => Ok(number),
        Number::Float(float) if matches!(value.kind, Kind::Float(..)) && float.abs() < LARGEST => {
            Ok(float.trunc() as i64)
        }
        Number::Float(_) => Err(wrong(value, "an integer", *user)),
    }
}

/// Parses an integer as Python does: with a sign, a prefix that agrees with the base, and single underscores.
fn parsed(text: &str, base: u32) -> std::result::Result<i64, IntErrorKind> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let prefixes = [("0x", 16), ("0o", 8), ("0b", 2)];
    let prefixed = prefixes.iter().find_map(|(prefix, radix)| Some((lower.strip_prefix(prefix)?, *radix)));
    let (digits, radix) = match prefixed {
        Some((digits, radix)) if base == radix || base == 0 => (digits.strip_prefix('_').unwrap_or(digits), radix),
        _ if base == 0 => {
            let has_leading_zero = lower.starts_with('0') && lower.contains(|c| c != '0' && c != '_');
            (if has_leading_zero { "" } else { &*lower }, 10)
        }
        _ => (&*lower, base),
    };
    if digits.starts_with(['_', '+', '-']) || digits.ends_with('_') || digits.contains("__") {
        return Err(InvalidDigit);
    }
    let number = i64::from_str_radix(&format!("{sign}{}", digits.replace('_', "")), radix);
    number.map_err(|error| *error.kind())
}
