//! The types of scalars.
//!
//! The type of a plain scalar follows from its text alone. In the core schema (YAML 1.2, section 10.3.2), `yes` is a
//! string, `True` is a boolean, `0o17` is an integer, and `1e3` is a float. The types of YAML 1.1 are in [`older`].

mod older;

use super::Kind;

/// The schema that determines the types of scalars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schema {
    /// The core schema of YAML 1.2.
    #[default]
    Core,
    /// The types of YAML 1.1, as most programs implement them: `yes`, `no`, `on` and `off` are booleans too, `010` is
    /// an octal number, `1:30` is in base 60, and digits may be grouped (`1_000`). Dates are strings.
    Yaml11,
}

impl Schema {
    /// Returns the kind of an untagged plain scalar.
    pub(super) fn resolve(self, text: &str) -> Kind {
        match self {
            Self::Core => resolve(text),
            Self::Yaml11 => older::resolve(text),
        }
    }

    /// Returns whether `text` is a valid value for a scalar tagged as float: a float or an integer, but no octal or
    /// hexadecimal one in the core schema.
    pub(super) fn is_float(self, text: &str) -> bool {
        is_float(text) || self == Self::Yaml11 && matches!(older::resolve(text), Kind::Float | Kind::Integer)
    }

    /// Returns the value of an integer; `None` if it is too large.
    pub(super) fn integer(self, text: &str) -> Option<i128> {
        match self {
            Self::Core => integer(text),
            Self::Yaml11 => older::integer(text),
        }
    }

    /// Returns the value of a float or integer.
    pub(super) fn float(self, text: &str) -> Option<f64> {
        match self {
            Self::Core => float(text),
            Self::Yaml11 => older::float(text),
        }
    }
}

/// Returns the kind of an untagged plain scalar.
fn resolve(text: &str) -> Kind {
    // Nearly all scalars in real sources are words, whose first character excludes everything but a string.
    match text.as_bytes().first() {
        None => Kind::Null,
        Some(b'~' | b'n' | b'N') if is_null(text) => Kind::Null,
        Some(b't' | b'T' | b'f' | b'F') if is_boolean(text) => Kind::Boolean,
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => resolve_number(text),
        Some(_) => Kind::String,
    }
}

/// Returns whether the text is a float or a decimal integer.
fn is_float(text: &str) -> bool {
    is_decimal(text) || is_special_float(text)
}

fn is_null(text: &str) -> bool {
    matches!(text, "~" | "null" | "Null" | "NULL")
}

fn is_boolean(text: &str) -> bool {
    matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE")
}

fn resolve_number(text: &str) -> Kind {
    if is_integer(text) {
        Kind::Integer
    } else if is_float(text) {
        Kind::Float
    } else {
        Kind::String
    }
}

fn is_integer(text: &str) -> bool {
    let (digits, base) = based_digits(text).unwrap_or_else(|| (without_sign(text), 10));
    !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(base))
}

/// Returns the digits and the base of an octal or hexadecimal integer.
fn based_digits(text: &str) -> Option<(&str, u32)> {
    text.strip_prefix("0o").map(|digits| (digits, 8)).or_else(|| text.strip_prefix("0x").map(|digits| (digits, 16)))
}

fn without_sign(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

/// Returns whether `text` matches `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
fn is_decimal(text: &str) -> bool {
    let rest = without_sign(text);
    let whole = digits_at_start(rest);
    let mut rest = &rest[whole..];
    let mut fraction = 0;
    if let Some(after_point) = rest.strip_prefix('.') {
        fraction = digits_at_start(after_point);
        rest = &after_point[fraction..];
    }
    if whole == 0 && fraction == 0 {
        return false;
    }
    match rest.strip_prefix(['e', 'E']) {
        Some(exponent) => {
            let exponent = without_sign(exponent);
            !exponent.is_empty() && digits_at_start(exponent) == exponent.len()
        }
        None => rest.is_empty(),
    }
}

fn digits_at_start(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn is_special_float(text: &str) -> bool {
    matches!(text, ".nan" | ".NaN" | ".NAN") || matches!(without_sign(text), ".inf" | ".Inf" | ".INF")
}

/// Returns the value of a boolean.
pub(super) fn boolean(text: &str) -> bool {
    // YAML 1.1 also has `yes` and `on`.
    text.starts_with(['t', 'T', 'y', 'Y']) || text.eq_ignore_ascii_case("on")
}

/// Returns the value of an integer; `None` if it is too large.
fn integer(text: &str) -> Option<i128> {
    match based_digits(text) {
        Some((digits, base)) => i128::from_str_radix(digits, base).ok(),
        None => text.parse().ok(),
    }
}

/// Returns the value of a float or integer.
fn float(text: &str) -> Option<f64> {
    if let Some((digits, base)) = based_digits(text) {
        // The value is computed digit by digit, so that integers of any length have one.
        return Some(
            digits
                .chars()
                .filter_map(|digit| digit.to_digit(base))
                .fold(0.0, |value, digit| value * f64::from(base) + f64::from(digit)),
        );
    }
    match without_sign(text) {
        ".nan" | ".NaN" | ".NAN" => Some(f64::NAN),
        ".inf" | ".Inf" | ".INF" => Some(if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY }),
        _ => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_core_schema_types_plain_scalars() {
        let cases = [
            (Kind::Null, &["", "~", "null", "Null", "NULL"][..]),
            (Kind::Boolean, &["true", "True", "TRUE", "false", "False", "FALSE"]),
            (Kind::Integer, &["0", "-1", "+12", "007", "0o17", "0xBeef", "99999999999999999999999999999999999999999"]),
            (
                Kind::Float,
                &["1.", ".5", "-.5", "+1.5", "1e3", "1.5E-3", "0.", ".inf", "-.Inf", "+.INF", ".nan", ".NAN"],
            ),
            (
                Kind::String,
                &[
                    "yes", "no", "on", "tRUE", "nULL", "0b1", "-0o7", "+0x1", "0o8", "0xg", "0x", "0o", "1_000",
                    "12:30", "1e", "1e+", ".", "-", "+", "..5", "1.2.3", "1.2e3.4", "-.nan", "inf", "NaN", ".iNF",
                    "1 ", "١",
                ],
            ),
        ];
        for (kind, texts) in cases {
            for text in texts {
                assert_eq!(resolve(text), kind, "{text}");
            }
        }
    }

    #[test]
    fn integers_have_values() {
        assert_eq!(integer("-12"), Some(-12));
        assert_eq!(integer("+7"), Some(7));
        assert_eq!(integer("0o17"), Some(15));
        assert_eq!(integer("0xFf"), Some(255));
        assert_eq!(integer(&i128::MIN.to_string()), Some(i128::MIN));
        assert_eq!(integer("170141183460469231731687303715884105728"), None);
    }

    #[test]
    fn floats_have_values() {
        let cases =
            [("1.", 1.0), (".5", 0.5), ("-1.5e2", -150.0), ("+.5", 0.5), ("12", 12.0), ("0x10", 16.0), ("0o10", 8.0)];
        for (text, value) in cases {
            assert!((float(text).unwrap() - value).abs() < f64::EPSILON, "{text}");
        }
        assert_eq!(float("-.INF"), Some(f64::NEG_INFINITY));
        assert_eq!(float("+.inf"), Some(f64::INFINITY));
        assert!(float(".NaN").unwrap().is_nan());
        assert!(float("1e999").unwrap().is_infinite());
        assert!((float("0xffffffffffffffffffffffffffffffffff").unwrap() / 8.7e40 - 1.0).abs() < 0.01);
    }

    #[test]
    fn only_decimal_text_may_be_tagged_as_float() {
        assert!(is_float("1") && is_float("1.5") && is_float(".inf"));
        assert!(!is_float("0x1") && !is_float("one"));
    }
}
