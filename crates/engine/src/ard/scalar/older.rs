//! The types of YAML 1.1 (yaml.org/type), as most programs implement them.

use std::borrow::Cow;

use super::{Kind, digits_at_start, is_null, is_special_float, without_sign};

/// Returns the kind of an untagged plain scalar.
pub(super) fn resolve(text: &str) -> Kind {
    match text.as_bytes().first() {
        None => Kind::Null,
        Some(b'~' | b'n' | b'N') if is_null(text) => Kind::Null,
        Some(byte) if byte.is_ascii_alphabetic() && is_boolean(text) => Kind::Boolean,
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => number(text),
        Some(_) => Kind::String,
    }
}

fn is_boolean(text: &str) -> bool {
    const WORDS: [&str; 6] = ["true", "false", "yes", "no", "on", "off"];
    let spelt = |word: &&str| {
        let (first, rest) = text.split_at(1);
        text.eq_ignore_ascii_case(word)
            && (rest.bytes().all(|byte| byte.is_ascii_lowercase())
                || first.bytes().chain(rest.bytes()).all(|byte| byte.is_ascii_uppercase()))
    };
    WORDS.iter().any(spelt)
}

fn number(text: &str) -> Kind {
    if is_integer(text) {
        Kind::Integer
    } else if is_float(text) {
        Kind::Float
    } else {
        Kind::String
    }
}

/// Returns the digits of an integer, without its sign, and its base. The digits may be grouped.
fn based(text: &str) -> (&str, u32) {
    let digits = without_sign(text);
    if let Some(digits) = digits.strip_prefix("0b") {
        (digits, 2)
    } else if let Some(digits) = digits.strip_prefix("0x") {
        (digits, 16)
    } else {
        match digits.strip_prefix('0') {
            Some(octal) if !octal.is_empty() => (octal, 8),
            _ => (digits, 10),
        }
    }
}

fn is_integer(text: &str) -> bool {
    let (digits, base) = based(text);
    let is_grouped = |digits: &str| digits.chars().all(|digit| digit == '_' || digit.is_digit(base));
    match digits.split_once(':') {
        None => !digits.is_empty() && is_grouped(digits) && (base != 10 || !digits.starts_with('_')),
        Some((first, rest)) => {
            base == 10 && first.starts_with(|digit| ('1'..='9').contains(&digit)) && is_grouped(first) && is_sixty(rest)
        }
    }
}

/// Returns whether the text after the first colon consists of base-60 digits.
fn is_sixty(rest: &str) -> bool {
    rest.split(':').all(|part| match part.as_bytes() {
        [one] => one.is_ascii_digit(),
        [ten, one] => (b'0'..=b'5').contains(ten) && one.is_ascii_digit(),
        _ => false,
    })
}

fn is_float(text: &str) -> bool {
    if is_special_float(text) {
        return true;
    }
    let digits = without_sign(text);
    let Some((whole, rest)) = digits.split_once('.') else { return false };
    let is_whole = match whole.split_once(':') {
        Some((first, rest)) => is_digits(first) && is_sixty(rest),
        None => whole.is_empty() && digits.len() == text.len() || is_digits(whole),
    };
    let (fraction, exponent) = rest.split_once(['e', 'E']).map_or((rest, None), |(start, end)| (start, Some(end)));
    let is_fraction = fraction.bytes().all(|byte| byte == b'_' || byte.is_ascii_digit());
    let has_digits = !whole.is_empty() || fraction.starts_with(|digit: char| digit.is_ascii_digit());
    let is_exponent = exponent.is_none_or(|exponent| {
        let digits = without_sign(exponent);
        digits.len() < exponent.len() && !digits.is_empty() && digits_at_start(digits) == digits.len()
    });
    is_whole && is_fraction && has_digits && is_exponent
}

fn is_digits(text: &str) -> bool {
    text.starts_with(|digit: char| digit.is_ascii_digit())
        && text.bytes().all(|byte| byte == b'_' || byte.is_ascii_digit())
}

fn ungrouped(text: &str) -> Cow<'_, str> {
    if text.contains('_') { text.replace('_', "").into() } else { text.into() }
}

/// Returns the value of an integer; `None` if it is too large.
pub(super) fn integer(text: &str) -> Option<i128> {
    let (digits, base) = based(text);
    let digits = ungrouped(digits);
    let mut value: i128 = 0;
    for part in digits.split(':') {
        let part = if part.is_empty() { 0 } else { i128::from_str_radix(part, base).ok()? };
        value = value.checked_mul(60)?.checked_add(part)?;
    }
    Some(if text.starts_with('-') { -value } else { value })
}

/// Returns the value of an integer, rounded to a float.
fn whole(text: &str) -> f64 {
    let (digits, base) = based(text);
    let mut value = 0.0;
    for part in digits.split(':') {
        let digits = part.chars().filter_map(|digit| digit.to_digit(base));
        value = value * 60.0 + digits.fold(0.0, |value, digit| value * f64::from(base) + f64::from(digit));
    }
    if text.starts_with('-') { -value } else { value }
}

/// Returns the value of a float or integer.
pub(super) fn float(text: &str) -> Option<f64> {
    if is_integer(text) {
        return Some(whole(text));
    }
    if is_special_float(text) {
        return super::float(text);
    }
    let digits = ungrouped(without_sign(text));
    let mut value = 0.0;
    for part in digits.split(':') {
        value = value * 60.0 + part.parse::<f64>().ok()?;
    }
    Some(if text.starts_with('-') { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_spellings_of_booleans_are_read() {
        for text in ["yes", "No", "ON", "off", "true", "FALSE"] {
            assert_eq!(resolve(text), Kind::Boolean, "{text}");
        }
        for text in ["yEs", "y", "n", "oN", "tRUE", "yes!"] {
            assert_eq!(resolve(text), Kind::String, "{text}");
        }
    }

    #[test]
    fn integers_have_many_forms() {
        let cases = [
            ("0", 0),
            ("-12", -12),
            ("010", 8),
            ("0x1F", 31),
            ("0b101", 5),
            ("1_000", 1000),
            ("1:30", 90),
            ("-1:00:00", -3600),
            ("+7", 7),
        ];
        for (text, value) in cases {
            assert_eq!((resolve(text), integer(text)), (Kind::Integer, Some(value)), "{text}");
        }
        for text in ["08", "0o17", "1:60", "+", "-", "_1", "1:", "0x"] {
            assert_ne!(resolve(text), Kind::Integer, "{text}");
        }
    }

    #[test]
    fn floats_have_a_point() {
        let cases = [("1.5", 1.5), (".5", 0.5), ("1.", 1.0), ("-1.5e+3", -1500.0), ("1:30.5", 90.5), ("1_0.5", 10.5)];
        for (text, value) in cases {
            assert_eq!((resolve(text), float(text)), (Kind::Float, Some(value)), "{text}");
        }
        assert_eq!((resolve(".inf"), float("-.inf")), (Kind::Float, Some(f64::NEG_INFINITY)));
        for text in ["1e3", "1.5e3", ".", "10.0.0.1", "1.2.3", "-.5", "2014-05-01"] {
            assert_eq!(resolve(text), Kind::String, "{text}");
        }
    }
}
