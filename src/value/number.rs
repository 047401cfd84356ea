//! Exact numbers.

use std::str::FromStr;

use bigdecimal::BigDecimal;
use bigdecimal::num_bigint::BigInt;

/// A number of any precision.
pub type Number = BigDecimal;

/// The maximum length of a number in characters, and the maximum exponent. Without a limit, a short string could denote
/// a number that fills the memory.
const LONGEST: usize = 4096;
const LARGEST_EXPONENT: i64 = 4096;

/// The maximum number of digits of a number that always fits into 64 bits.
const FEW_DIGITS: usize = 18;

/// Parses a number in any of the notations of YAML: decimal, `0x…`, `0o…`, with fraction and exponent. Returns `None`
/// if the text is not a finite number.
pub fn parse_number(text: &str) -> Option<Number> {
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    // Nearly all numbers are small integers: factors of units, bounds, sizes.
    if digits.len() <= FEW_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.parse::<i64>().ok().map(|integer| Number::from(sign * integer));
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = digits.strip_prefix(prefix) {
            let is_number = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
            let integer = BigInt::parse_bytes(digits.as_bytes(), radix).filter(|_| is_number)?;
            return Some(Number::from(integer * sign));
        }
    }
    let mut parts = digits.splitn(2, ['e', 'E']);
    let mantissa = parts.next()?;
    let is_mantissa = mantissa.bytes().any(|byte| byte.is_ascii_digit())
        && mantissa.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && mantissa.bytes().filter(|byte| *byte == b'.').count() <= 1;
    if !is_mantissa {
        return None;
    }
    if let Some(exponent) = parts.next() {
        let exponent: i64 = exponent.parse().ok()?;
        if exponent.abs() > LARGEST_EXPONENT {
            return None;
        }
    }
    let number = BigDecimal::from_str(digits).ok()?;
    Some(if sign < 0 { -number } else { number })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn reads_the_notations_of_yaml() {
        for (text, value) in [
            ("12", "12"),
            ("-0.5", "-0.5"),
            ("+1e3", "1000"),
            ("1.5E-2", "0.015"),
            (".5", "0.5"),
            ("5.", "5"),
            ("0x1F", "31"),
            ("-0o17", "-15"),
        ] {
            assert_eq!(parse_number(text), Some(Number::from_str(value).unwrap()), "{text}");
        }
        for text in
            ["", "-", "1,000", "1e", "e5", "0x", "0xG", "0x-1", "1.2.3", ".", ".inf", "nan", "1e999999999", "1 000"]
        {
            assert_eq!(parse_number(text), None, "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_the_same_however_long() {
        for text in ["0", "-0", "007", "-42", "999999999999999999", "-999999999999999999", "1000000000000000000"] {
            let (number, expected) = (parse_number(text).unwrap(), Number::from_str(text).unwrap());
            assert_eq!((&number, number.to_string()), (&expected, expected.to_string()), "{text}");
        }
    }

    #[test]
    fn does_not_round() {
        let product = parse_number("0.1").unwrap() * parse_number("3").unwrap();
        assert_eq!(product, parse_number("0.3").unwrap());
        assert!(parse_number("9223372036854775807").unwrap() < parse_number("9223372036854775808").unwrap());
    }
}
