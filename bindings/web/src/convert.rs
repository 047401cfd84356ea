//! Conversion from and to JavaScript values, as JSON.

use std::fmt;

use js_sys::{BigInt, Function, JSON, JsString, RangeError, Reflect};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// The reason why a JavaScript value can't be written as JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NotJson {
    /// It is nested too deeply for the stack.
    TooDeep,
    /// It contains itself, or it is not data.
    Other,
}

impl fmt::Display for NotJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooDeep => "the value is nested too deeply",
            Self::Other => "the value can't be written as JSON: it is not data, or it contains itself",
        })
    }
}

impl std::error::Error for NotJson {}

impl From<NotJson> for JsValue {
    fn from(reason: NotJson) -> Self {
        JsError::from(reason).into()
    }
}

/// Converts a JavaScript value to JSON text; `undefined` and `null` become `None`.
pub(crate) fn to_json(value: &JsValue) -> Result<Option<String>, NotJson> {
    if value.is_undefined() || value.is_null() {
        return Ok(None);
    }
    let text = match JSON::stringify(value) {
        Ok(text) => text.as_string(),
        Err(error) if error.is_instance_of::<RangeError>() => return Err(NotJson::TooDeep),
        // `JSON.stringify` refuses integers of type `bigint`.
        Err(_) => with_big_integers(value),
    };
    text.map(Some).ok_or(NotJson::Other)
}

/// Converts a JavaScript value to JSON text, with digits for `bigint`. They are first written as strings that begin
/// with a mark.
fn with_big_integers(value: &JsValue) -> Option<String> {
    let without = stringify(value, |_| JsValue::NULL)?;
    let mark = unused_mark(&without);
    let marked = stringify(value, |digits| format!("{mark}{digits}").into())?;
    let mut text = String::with_capacity(marked.len());
    let start = format!("\"{mark}");
    let mut parts = marked.split(&start);
    text.push_str(parts.next()?);
    for part in parts {
        let (digits, rest) = part.split_once('"')?;
        text.extend([digits, rest]);
    }
    Some(text)
}

/// Converts a JavaScript value to JSON text. `replace` gets the digits of each `bigint`.
fn stringify(value: &JsValue, mut replace: impl FnMut(String) -> JsValue) -> Option<String> {
    let mut replace = |_: JsValue, value: JsValue| match value.dyn_into::<BigInt>() {
        Ok(number) => replace(number.to_string(10).map(String::from).unwrap_or_default()),
        Err(value) => value,
    };
    let replacer = ScopedClosure::<dyn FnMut(JsValue, JsValue) -> JsValue>::borrow_mut(&mut replace);
    let replacer = replacer.as_ref().unchecked_ref();
    JSON::stringify_with_replacer(value, replacer).ok()?.as_string()
}

/// Returns a string that the text does not contain.
fn unused_mark(text: &str) -> String {
    // A character for private use.
    const MARK: char = '\u{e000}';
    let mut mark = MARK.to_string();
    while text.contains(&mark) {
        mark.push(MARK);
    }
    mark
}

/// Converts a serializable value to plain JavaScript data.
pub(crate) fn from_json(value: &impl Serialize) -> Result<JsValue, JsError> {
    JSON::parse(&serde_json::to_string(value)?).map_err(|_| not_json())
}

/// Converts JSON text to JavaScript data. Integers that a number can't represent exactly become `bigint`.
pub(crate) fn parse(text: &str) -> Result<JsValue, JsError> {
    let Some((text, mark)) = mark_large_integers(text) else { return JSON::parse(text).map_err(|_| not_json()) };
    let mut revive = |_: JsValue, value: JsValue| {
        let text = value.as_string();
        let number = text.as_deref().and_then(|text| BigInt::new(&text.strip_prefix(&mark)?.into()).ok());
        number.map_or(value, JsValue::from)
    };
    let reviver = ScopedClosure::<dyn FnMut(JsValue, JsValue) -> JsValue>::borrow_mut(&mut revive);
    let parse = Reflect::get(&js_sys::global(), &"JSON".into()).and_then(|json| Reflect::get(&json, &"parse".into()));
    let parse = parse.ok().and_then(|parse| parse.dyn_into::<Function>().ok()).ok_or_else(not_json)?;
    parse.call2(&JsValue::NULL, &JsString::from(text), reviver.as_ref()).map_err(|_| not_json())
}

fn not_json() -> JsError {
    JsError::new("the result is not JSON")
}

/// Replaces integers that a number can't represent exactly with strings that begin with a mark; returns the text and
/// the mark. Returns `None` if there are no such integers.
fn mark_large_integers(text: &str) -> Option<(String, String)> {
    /// `Number.MAX_SAFE_INTEGER`.
    const SAFE: u64 = (1 << 53) - 1;
    /// The number of its digits.
    const DIGITS: usize = 16;
    let is_candidate = |run: &[u8]| run.len() >= DIGITS && run[0].is_ascii_digit();
    let has_candidate = text.as_bytes().chunk_by(|a, b| a.is_ascii_digit() && b.is_ascii_digit()).any(is_candidate);
    if !has_candidate {
        return None;
    }
    let mark = unused_mark(text);
    let mut marked = String::new();
    let mut rest = text;
    // Outside of strings, numbers are the only tokens with digits.
    while let Some(at) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        let (before, token) = rest.split_at(at);
        let end = if token.starts_with('"') { string_end(token) } else { number_end(token) };
        let (token, after) = token.split_at(end);
        let digits = token.strip_prefix('-').unwrap_or(token);
        let is_integer = digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_integer && digits.parse().map_or(true, |number: u64| number > SAFE) {
            marked.extend([before, "\"", &mark, token, "\""]);
        } else {
            marked.extend([before, token]);
        }
        rest = after;
    }
    marked.push_str(rest);
    (marked.len() > text.len()).then_some((marked, mark))
}

/// Returns the length of the string at the start of the text, with its quotes.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |end| end + 2)
}

/// Returns the length of the number at the start of the text.
fn number_end(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// Creates an exception with a name, a message and properties.
pub(crate) fn exception<'n>(
    name: &str,
    message: &str,
    properties: impl IntoIterator<Item = (&'n str, JsValue)>,
) -> JsValue {
    let made = js_sys::Error::new(message);
    made.set_name(name);
    for (name, value) in properties {
        // Setting a property of a new object can't fail.
        drop(Reflect::set(&made, &name.into(), &value));
    }
    made.into()
}
