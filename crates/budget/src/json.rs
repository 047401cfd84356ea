//! Data from outside as JSON text: integers of any size, and a limited depth.

use std::borrow::Cow;
use std::fmt;

use json_event_parser::{JsonEvent, SliceJsonParser};

/// A part of the data, to be converted to a value of an evaluator.
#[derive(Debug)]
pub enum Part<'t, T> {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean(bool),
    /// The digits of an integer.
    Integer(Cow<'t, str>),
    /// A number with a fraction or an exponent.
    Float(f64),
    /// Text.
    String(Cow<'t, str>),
    /// The items of a list.
    List(Vec<T>),
    /// The entries of an object, in order.
    Map(Vec<(Cow<'t, str>, T)>),
}

/// The reason why data can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Lists and objects are nested more than the given number of levels deep.
    Depth(usize),
    /// An integer is too large for the evaluator.
    Integer,
    /// The text is not JSON. The reason is given as a sentence.
    Syntax(String),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(levels) => write!(f, "values are nested more than {levels} levels deep"),
            Self::Integer => f.write_str("an integer is too large"),
            Self::Syntax(reason) => write!(f, "the data is not JSON: {reason}"),
        }
    }
}

impl std::error::Error for Unreadable {}

/// A list or object that has not ended.
enum Open<'t, T> {
    List(Vec<T>),
    Map(Vec<(Cow<'t, str>, T)>, Cow<'t, str>),
}

/// Reads JSON text without recursion. `convert` converts each part after the parts in it, and returns `None` for an
/// integer that is too large.
///
/// # Errors
///
/// Returns an error if the text is not JSON, an integer is too large, or lists and objects are nested more than `depth`
/// levels deep.
pub fn read<'t, T>(
    text: &'t str,
    depth: usize,
    mut convert: impl FnMut(Part<'t, T>) -> Option<T>,
) -> Result<T, Unreadable> {
    let mut parser = SliceJsonParser::new(text.as_bytes());
    let mut around: Vec<Open<'t, T>> = Vec::new();
    let mut whole = None;
    loop {
        let part = match parser.parse_next().map_err(|error| Unreadable::Syntax(error.message().to_owned()))? {
            JsonEvent::StartArray | JsonEvent::StartObject if around.len() == depth => {
                return Err(Unreadable::Depth(depth));
            }
            JsonEvent::StartArray => {
                around.push(Open::List(Vec::new()));
                continue;
            }
            JsonEvent::StartObject => {
                around.push(Open::Map(Vec::new(), Cow::Borrowed("")));
                continue;
            }
            JsonEvent::ObjectKey(found) => {
                if let Some(Open::Map(_, key)) = around.last_mut() {
                    *key = found;
                }
                continue;
            }
            JsonEvent::EndArray | JsonEvent::EndObject => match around.pop() {
                Some(Open::List(items)) => Part::List(items),
                Some(Open::Map(entries, _)) => Part::Map(entries),
                None => continue,
            },
            JsonEvent::Null => Part::Null,
            JsonEvent::Boolean(truth) => Part::Boolean(truth),
            JsonEvent::String(text) => Part::String(text),
            JsonEvent::Number(text) if text.contains(['.', 'e', 'E']) => {
                let number = text.parse().ok().filter(|number: &f64| number.is_finite());
                Part::Float(number.ok_or_else(|| Unreadable::Syntax("a number is out of range".to_owned()))?)
            }
            JsonEvent::Number(digits) => Part::Integer(digits),
            JsonEvent::Eof => break,
        };
        let value = convert(part).ok_or(Unreadable::Integer)?;
        match around.last_mut() {
            Some(Open::List(items)) => items.push(value),
            Some(Open::Map(entries, key)) => entries.push((std::mem::take(key), value)),
            None => whole = Some(value),
        }
    }
    whole.ok_or_else(|| Unreadable::Syntax("there is no value".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Result<String, Unreadable> {
        read(text, 3, |part| match part {
            Part::Integer(digits) if digits.len() > 30 => None,
            Part::List(items) => Some(format!("[{}]", items.join(","))),
            Part::Map(entries) => {
                let entries = entries.iter().map(|(key, value)| format!("{key}={value};"));
                Some(entries.collect::<Vec<_>>().concat())
            }
            Part::Integer(digits) => Some(format!("i{digits}")),
            Part::Float(number) => Some(format!("f{number}")),
            Part::String(text) => Some(format!("s{text}")),
            Part::Boolean(truth) => Some(truth.to_string()),
            Part::Null => Some("null".to_owned()),
        })
    }

    #[test]
    fn parts_are_converted_from_the_inside_to_the_outside() {
        let text = r#"{"a": [1, -2.5, 1e3, 100000000000000000000], "b\u00e9": {"c": null}, "d": [true, "x\ny"]}"#;
        assert_eq!(shown(text).as_deref(), Ok("a=[i1,f-2.5,f1000,i100000000000000000000];bé=c=null;;d=[true,sx\ny];"));
        assert_eq!(shown(" [] ").as_deref(), Ok("[]"));
    }

    #[test]
    fn what_is_unreadable_is_an_error() {
        assert_eq!(shown("[[[]]]").as_deref(), Ok("[[[]]]"));
        assert_eq!(shown("[[[{}]]]"), Err(Unreadable::Depth(3)));
        assert_eq!(shown(&"[".repeat(1_000_000)), Err(Unreadable::Depth(3)));
        assert_eq!(shown(&"1".repeat(31)), Err(Unreadable::Integer));
        for text in ["", "[", "[1,]", "{\"a\"}", "1 2", "nul", "01", "1e999", "\"\\ud800\""] {
            assert!(matches!(shown(text), Err(Unreadable::Syntax(_))), "{text}");
        }
    }
}
