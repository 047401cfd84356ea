//! Values as text, in the spelling of Python, which existing expressions rely on.

use std::fmt::Write;

use crate::value::{Value, View};

/// The maximum depth of written values. Deeper ones are omitted.
const MAX_DEPTH: u32 = 100;

impl Value {
    /// Formats the value like YAQL's `str()`: `null`, `true` and `false` in lower case, strings without quotes.
    pub fn to_text(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Boolean(true) => "true".to_owned(),
            Self::Boolean(false) => "false".to_owned(),
            _ => self.to_python(),
        }
    }

    /// Formats the value like Python's `str`: `None`, `True` and `False`, strings without quotes.
    pub fn to_python(&self) -> String {
        match self {
            Self::String(text) => text.as_ref().to_owned(),
            Self::Timestamp(timestamp) => timestamp.to_string(),
            Self::Span(span) => span.to_string(),
            _ => self.repr(),
        }
    }

    /// Formats the value like Python's `repr`: strings in quotes.
    pub fn repr(&self) -> String {
        let mut text = Text { out: String::new(), most: usize::MAX };
        self.write_repr(&mut text, MAX_DEPTH);
        text.out
    }

    /// Formats the value like [`to_python`](Self::to_python), shortened for messages.
    pub fn shown(&self) -> String {
        match self {
            Self::String(text) => shortened(text),
            Self::Timestamp(_) | Self::Span(_) => self.to_python(),
            _ => self.shown_repr(),
        }
    }

    /// Formats the value like [`repr`](Self::repr), shortened for messages.
    pub fn shown_repr(&self) -> String {
        let mut text = Text { out: String::new(), most: SHOWN };
        self.write_repr(&mut text, MAX_DEPTH);
        shortened(&text.out)
    }

    fn write_repr(&self, out: &mut Text, depth: u32) {
        if out.is_full() {
            return;
        }
        let Some(depth) = depth.checked_sub(1) else {
            out.push_str("...");
            return;
        };
        // Writing to a string can't fail.
        let _ = match self {
            Self::Null => out.write_str("None"),
            Self::Boolean(true) => out.write_str("True"),
            Self::Boolean(false) => out.write_str("False"),
            Self::Integer(number) => write!(out, "{number}"),
            Self::Float(number) => out.write_str(&float(*number)),
            Self::String(text) => {
                quote(out, text);
                Ok(())
            }
            Self::List(items) => {
                let close = if items.len() == 1 { ",)" } else { ")" };
                write_all(out, "(", items.iter(), close, depth);
                Ok(())
            }
            Self::Set(elements) => {
                write_all(out, "{", elements.iter(), "}", depth);
                Ok(())
            }
            Self::Dict(entries) => {
                out.push('{');
                for (number, (key, value)) in entries.iter().enumerate() {
                    if out.is_full() {
                        break;
                    }
                    out.push_str(if number == 0 { "" } else { ", " });
                    key.write_repr(out, depth);
                    out.push_str(": ");
                    value.write_repr(out, depth);
                }
                out.write_str("}")
            }
            Self::View(View::Values, entries) => {
                write_all(out, "[", entries.values(), "]", depth);
                Ok(())
            }
            Self::View(_, entries) => {
                write_all(out, "[", entries.keys(), "]", depth);
                Ok(())
            }
            Self::Pattern(pattern) => write!(out, "regex({})", Value::string(pattern.text()).repr()),
            Self::Timestamp(timestamp) => write!(out, "{timestamp}"),
            Self::Span(span) => write!(out, "{span}"),
            Self::Object(object) => out.write_str(&object.describe()),
            Self::Iterator(_) | Self::Context(_) | Self::Lambda(_) => write!(out, "<{}>", self.type_name()),
        };
    }
}

/// The maximum number of bytes of a value that messages show.
const SHOWN: usize = 1000;

fn shortened(text: &str) -> String {
    match text.char_indices().find(|(at, _)| *at >= SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Text that is cut off at a maximum length.
struct Text {
    out: String,
    most: usize,
}

impl Text {
    fn is_full(&self) -> bool {
        self.out.len() > self.most
    }
}

impl std::ops::Deref for Text {
    type Target = String;

    fn deref(&self) -> &String {
        &self.out
    }
}

impl std::ops::DerefMut for Text {
    fn deref_mut(&mut self) -> &mut String {
        &mut self.out
    }
}

fn write_all<'v>(out: &mut Text, open: &str, values: impl Iterator<Item = &'v Value>, close: &str, depth: u32) {
    out.push_str(open);
    for (number, value) in values.enumerate() {
        if out.is_full() {
            break;
        }
        out.push_str(if number == 0 { "" } else { ", " });
        value.write_repr(out, depth);
    }
    out.push_str(close);
}

fn quote(out: &mut Text, text: &str) {
    let mark = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(mark);
    for character in text.chars() {
        if out.is_full() {
            break;
        }
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == mark => out.extend(['\\', mark]),
            _ if character.is_control() => {
                let _ = write!(out, "\\x{:02x}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push(mark);
}

/// Returns the shortest digits that stand for the float, with an exponent for very large and very small ones.
pub(crate) fn float(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match exponent.parse::<i32>() {
        Ok(exponent) if number != 0.0 && !(-4..16).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
        _ => format!("{number:?}"),
    }
}
