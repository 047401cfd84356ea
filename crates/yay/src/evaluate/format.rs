//! Formatting: `%` on text, and values as Python writes them.

use std::fmt::Write;

use super::convert::{Number, number, to_int, to_number, wrong};
use crate::error::{Category, Error, Result};
use crate::graph::Graph;
use crate::source::Span;
use crate::value::{Kind, MASK, Value, derived, float_text};

/// The maximum depth of lists and mappings that are written as text.
const DEEPEST: usize = 1_000;
/// The maximum number of digits that an `f64` has after its decimal point; further ones are zeros.
const DIGITS: usize = 1_100;

/// A conversion such as `%-5.2f`.
#[derive(Default)]
struct Conversion {
    /// The key in parentheses.
    key: Option<String>,
    left: bool,
    zeros: bool,
    sign: Option<char>,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    kind: char,
    /// The labels of a width and precision that are arguments.
    labels: u64,
}

/// The values to format: the items of a list, the values of a mapping, or one value.
struct Arguments<'a> {
    all: &'a Value,
    items: Option<std::vec::IntoIter<Value>>,
    is_used: bool,
    /// Whether the format is a secret.
    is_secret: bool,
    user: Span,
    at: Span,
}

impl Arguments<'_> {
    fn error(&self, message: impl Into<String>) -> Error {
        Error::new(Category::Type, self.all.at, message).used(self.at)
    }

    fn next(&mut self) -> Result<Value> {
        let next = match &mut self.items {
            Some(items) => items.next(),
            None if self.is_used => None,
            None => Some(self.all.clone()),
        };
        self.is_used = true;
        next.ok_or_else(|| self.error("the format has more placeholders than there are values"))
    }
}

impl Graph<'_> {
    /// Returns the format with its `%` placeholders replaced by values.
    pub(super) fn formatted(
        &mut self,
        format: &str,
        left: (&Value, Span),
        right: (&Value, Span),
        at: Span,
    ) -> Result<Value> {
        if format == "%s" && matches!(right.0.kind, Kind::Text(_)) {
            let error = Error::new(Category::Type, left.1, "`%s` alone does not format text");
            return Err(error.help("leave out `'%s' %`: the text on the right stays the same"));
        }
        let items = match right.0.kind {
            Kind::List(list) => {
                let list = self.list_of(right.0, list);
                let items = self.items(list)?;
                let values: Result<Vec<Value>> = items.into_iter().map(|item| self.force(item)).collect();
                Some(values?.into_iter())
            }
            _ => None,
        };
        let mut arguments =
            Arguments { all: right.0, items, is_used: false, is_secret: left.0.is_secret(), user: right.1, at };
        let mut labels = left.0.labels | right.0.labels;
        let mut made = String::new();
        let mut rest = format;
        while let Some((before, after)) = rest.split_once('%') {
            made.push_str(before);
            rest = after;
            let mut conversion = Conversion::default();
            rest = Self::conversion(rest, &mut conversion, &mut arguments)?;
            labels |= conversion.labels;
            if conversion.kind == '%' {
                made.push('%');
                continue;
            }
            let value = match &conversion.key {
                Some(key) => self.named(key, derived(left.0.labels), &arguments)?,
                None => arguments.next()?,
            };
            arguments.is_used = true;
            labels |= self.all_labels(&value)?;
            self.check_length(conversion.width.max(conversion.precision.unwrap_or(0)), at)?;
            let text = self.converted(&conversion, &value, &mut labels, &arguments)?;
            made.push_str(&text);
            self.check_length(made.len(), at)?;
        }
        made.push_str(rest);
        let is_left = match &mut arguments.items {
            Some(items) => items.next().is_some(),
            None => !arguments.is_used && !matches!(right.0.kind, Kind::Map(_)),
        };
        if is_left {
            return Err(arguments.error("the format has fewer placeholders than there are values"));
        }
        self.make_text(made.len(), at)?;
        Ok(Value::text(&made, at, derived(labels)))
    }

    /// Returns the value of a key in parentheses, given the labels of the format.
    fn named(&mut self, key: &str, labels: u64, arguments: &Arguments<'_>) -> Result<Value> {
        let Kind::Map(view) = arguments.all.kind else {
            return Err(wrong(arguments.all, "a mapping", arguments.user));
        };
        let view = self.mapping_of(arguments.all, view)?;
        let name = self.key_name(key, arguments.at)?;
        match self.member(view, name)? {
            Some(thunk) => self.force(thunk),
            None => Err(self.no_key(view, (name, labels), arguments.all, arguments.at)),
        }
    }

    /// Reads a conversion after its `%`. Returns the rest of the format.
    fn conversion<'t>(text: &'t str, made: &mut Conversion, arguments: &mut Arguments<'_>) -> Result<&'t str> {
        let mut rest = text;
        if let Some(key) = text.strip_prefix('(') {
            let mut depth = 1;
            let end = key.find(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth == 0
            });
            let Some(end) = end else { return Err(arguments.error("a key in the format is not closed")) };
            made.key = Some(key[..end].to_owned());
            rest = &key[end + 1..];
        }
        loop {
            match rest.chars().next() {
                Some('-') => made.left = true,
                Some('0') => made.zeros = true,
                Some('+') => made.sign = Some('+'),
                Some(' ') => made.sign = made.sign.or(Some(' ')),
                Some('#') => made.alternate = true,
                _ => break,
            }
            rest = &rest[1..];
        }
        let (width, after) = count(rest, arguments, &mut made.labels)?;
        if let Some(width) = width {
            made.left |= width < 0;
            made.width = usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX);
        }
        rest = after;
        if let Some(after) = rest.strip_prefix('.') {
            let (precision, after) = count(after, arguments, &mut made.labels)?;
            made.precision = Some(usize::try_from(precision.unwrap_or(0)).unwrap_or(0));
            rest = after;
        }
        rest = rest.strip_prefix(['h', 'l', 'L']).unwrap_or(rest);
        let Some(kind) = rest.chars().next() else {
            return Err(arguments.error("the format ends within a placeholder"));
        };
        if !"diuoxXeEfFgGcrsa%".contains(kind) {
            let shown = if arguments.is_secret { MASK } else { &text[..text.len() - rest.len() + kind.len_utf8()] };
            return Err(arguments.error(format!("unknown conversion `%{shown}` in a format")));
        }
        made.kind = kind;
        Ok(&rest[kind.len_utf8()..])
    }

    fn converted(
        &mut self,
        this: &Conversion,
        value: &Value,
        labels: &mut u64,
        arguments: &Arguments<'_>,
    ) -> Result<String> {
        let user = arguments.user;
        let text = match this.kind {
            's' | 'r' | 'a' => {
                let text = if this.kind == 's' {
                    self.as_string(value, labels, arguments.at)?
                } else {
                    let text = self.representation(value, labels, arguments.at)?;
                    if this.kind == 'a' { ascii(&text) } else { text }
                };
                let text = match this.precision {
                    Some(most) => text.chars().take(most).collect(),
                    None => text,
                };
                return Ok(this.padded(text));
            }
            'c' => {
                let character = match (&value.kind, number(value)) {
                    (Kind::Text(text), _) if text.plain.chars().count() == 1 => text.plain.to_string(),
                    (Kind::Int(code, _), _) => match u32::try_from(*code).ok().and_then(char::from_u32) {
                        Some(character) => character.to_string(),
                        None => return Err(wrong(value, "the number of a character", user)),
                    },
                    _ => return Err(wrong(value, "one character", user)),
                };
                return Ok(this.padded(character));
            }
            'd' | 'i' | 'u' => {
                let whole = match to_number(value, user)? {
                    Number::Int(number) => i128::from(number),
                    Number::Float(float) if float.is_finite() && float.abs() < 1e38 => float.trunc() as i128,
                    Number::Float(_) => return Err(wrong(value, "an integer", user)),
                };
                (whole < 0, "", digits(this, whole.unsigned_abs().to_string()))
            }
            'o' | 'x' | 'X' => {
                let whole = to_int(value, user)?;
                let size = whole.unsigned_abs();
                let (prefix, text) = match this.kind {
                    'o' => ("0o", format!("{size:o}")),
                    'x' => ("0x", format!("{size:x}")),
                    _ => ("0X", format!("{size:X}")),
                };
                (whole < 0, if this.alternate { prefix } else { "" }, digits(this, text))
            }
            _ => {
                let float = to_number(value, user)?.float();
                let is_negative = float.is_sign_negative() && !float.is_nan();
                (is_negative, "", this.float(float.abs()))
            }
        };
        Ok(this.number(text))
    }

    /// Returns a value as text, as Python's `str` does.
    pub(super) fn as_string(&mut self, value: &Value, labels: &mut u64, at: Span) -> Result<String> {
        match value.as_text() {
            Some(text) => Ok(text.to_string()),
            None => self.representation(value, labels, at),
        }
    }

    /// Returns a value as text, as Python's `repr` does.
    pub(super) fn representation(&mut self, value: &Value, labels: &mut u64, at: Span) -> Result<String> {
        let mut made = String::new();
        self.represent(value, &mut made, labels, at, 0)?;
        Ok(made)
    }

    fn represent(&mut self, value: &Value, made: &mut String, labels: &mut u64, at: Span, depth: usize) -> Result<()> {
        *labels |= value.labels;
        if depth > DEEPEST {
            let message = format!("values that are nested more than {DEEPEST} levels deep can't be written as text");
            return Err(Error::new(Category::Limit, value.at, message));
        }
        match &value.kind {
            Kind::Text(text) => quote(&text.plain, made),
            Kind::Int(number, _) => made.push_str(&number.to_string()),
            Kind::Float(number, _) => made.push_str(&float_text(*number)),
            Kind::Bool(truth, _) => made.push_str(if *truth { "True" } else { "False" }),
            Kind::Null => made.push_str("None"),
            Kind::List(list) => {
                made.push('[');
                for (n, item) in self.items(*list)?.into_iter().enumerate() {
                    made.push_str(if n > 0 { ", " } else { "" });
                    let item = self.force(item)?;
                    self.nested(at, |graph| graph.represent(&item, made, labels, at, depth + 1))?;
                }
                *labels |= self.list_labels(*list);
                made.push(']');
            }
            Kind::Map(view) => {
                *labels |= self.key_labels(value, *view)?;
                made.push('{');
                for (n, key) in self.keys(*view)?.iter().enumerate() {
                    let Some(member) = self.member(*view, *key)? else { continue };
                    made.push_str(if n > 0 { ", " } else { "" });
                    quote(&self.text_of(*key), made);
                    made.push_str(": ");
                    let member = self.force(member)?;
                    self.nested(at, |graph| graph.represent(&member, made, labels, at, depth + 1))?;
                }
                made.push('}');
            }
            _ => return Err(wrong(value, "text", at)),
        }
        self.check_length(made.len(), at)
    }
}

/// Parses a number in a format, or `*`, which takes it from the arguments and adds its labels.
fn count<'t>(text: &'t str, arguments: &mut Arguments<'_>, labels: &mut u64) -> Result<(Option<i64>, &'t str)> {
    if let Some(rest) = text.strip_prefix('*') {
        let value = arguments.next()?;
        *labels |= value.labels;
        let user = arguments.user;
        return Ok((Some(to_int(&value, user)?), rest));
    }
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    if length == 0 {
        return Ok((None, text));
    }
    let number = text[..length].parse().map_err(|_| arguments.error("a width in the format is too large"))?;
    Ok((Some(number), &text[length..]))
}

/// Returns digits with leading zeros up to the precision.
fn digits(this: &Conversion, text: String) -> String {
    let missing = this.precision.unwrap_or(0).saturating_sub(text.len());
    if missing == 0 { text } else { format!("{}{text}", "0".repeat(missing)) }
}

impl Conversion {
    /// Returns the text, padded with spaces to the width.
    fn padded(&self, text: String) -> String {
        let missing = self.width.saturating_sub(text.chars().count());
        match (missing, self.left) {
            (0, _) => text,
            (_, true) => format!("{text}{}", " ".repeat(missing)),
            (_, false) => format!("{}{text}", " ".repeat(missing)),
        }
    }

    /// Returns a number: its sign, its prefix and its digits.
    fn number(&self, (is_negative, prefix, text): (bool, &str, String)) -> String {
        let sign = match (is_negative, self.sign) {
            (true, _) => "-".to_owned(),
            (false, Some(sign)) => sign.to_string(),
            (false, None) => String::new(),
        };
        let missing = self.width.saturating_sub(sign.len() + prefix.len() + text.len());
        if self.zeros && !self.left && missing > 0 {
            return format!("{sign}{prefix}{}{text}", "0".repeat(missing));
        }
        self.padded(format!("{sign}{prefix}{text}"))
    }

    /// Returns the digits of a floating-point number, which must not be negative.
    fn float(&self, float: f64) -> String {
        let is_upper = self.kind.is_ascii_uppercase();
        let text = if float.is_finite() {
            let precision = self.precision.unwrap_or(6);
            match self.kind.to_ascii_lowercase() {
                'f' => fixed(float, precision, self.alternate),
                'e' => scientific(float, precision, self.alternate),
                _ => general(float, precision.max(1), self.alternate),
            }
        } else {
            if float.is_nan() { "nan" } else { "inf" }.to_owned()
        };
        if is_upper { text.to_uppercase() } else { text }
    }
}

fn fixed(float: f64, precision: usize, point: bool) -> String {
    let exact = precision.min(DIGITS);
    let mut text = format!("{float:.exact$}");
    text.push_str(&"0".repeat(precision - exact));
    if precision == 0 && point {
        text.push('.');
    }
    text
}

fn scientific(float: f64, precision: usize, point: bool) -> String {
    let exact = precision.min(DIGITS);
    let text = format!("{float:.exact$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    let zeros = "0".repeat(precision - exact);
    let point = if precision == 0 && point { "." } else { "" };
    format!("{mantissa}{zeros}{point}e{sign}{digits:0>2}")
}

/// Returns the number in decimal or scientific notation, depending on its exponent, as `%g` does.
fn general(float: f64, precision: usize, keep: bool) -> String {
    let exact = (precision - 1).min(DIGITS);
    let shown = format!("{float:.exact$e}");
    let exponent: i64 = shown.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let places = i64::try_from(precision).unwrap_or(i64::MAX);
    if exponent < -4 || exponent >= places {
        let text = scientific(float, precision - 1, keep);
        let (mantissa, rest) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{rest}", if keep { mantissa } else { trimmed(mantissa) });
    }
    let text = fixed(float, usize::try_from(places - 1 - exponent).unwrap_or(0), keep);
    if keep { text } else { trimmed(&text).to_owned() }
}

/// Returns a number without the zeros at the end of a fraction.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Writes text in quotes, with escapes for characters that can't be printed.
fn quote(text: &str, made: &mut String) {
    let delimiter = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    made.push(delimiter);
    for c in text.chars() {
        match c {
            '\\' => made.push_str("\\\\"),
            '\n' => made.push_str("\\n"),
            '\r' => made.push_str("\\r"),
            '\t' => made.push_str("\\t"),
            _ if c == delimiter => made.extend(['\\', c]),
            _ if is_printable(c) => made.push(c),
            _ => escape(c, made),
        }
    }
    made.push(delimiter);
}

fn is_printable(c: char) -> bool {
    c == '"' || c == '\'' || c.escape_debug().count() == 1
}

fn escape(c: char, made: &mut String) {
    let code = u32::from(c);
    // Writing to a string never fails.
    let _ = match code {
        0..=0xff => write!(made, "\\x{code:02x}"),
        0x100..=0xffff => write!(made, "\\u{code:04x}"),
        _ => write!(made, "\\U{code:08x}"),
    };
}

/// Returns text in which everything that is not ASCII is escaped.
fn ascii(text: &str) -> String {
    let mut made = String::new();
    for c in text.chars() {
        if c.is_ascii() {
            made.push(c);
        } else {
            escape(c, &mut made);
        }
    }
    made
}
