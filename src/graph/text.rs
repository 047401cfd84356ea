//! Texts of a picture: short, and in one line.

use std::fmt::Write;

use crate::diagnostic::is_secret;
use crate::diagnostic::render::shown;
use crate::normal::{Types, Value};

/// Characters of a text that are looked at. Boxes are narrower.
const LENGTH: usize = 60;

/// What is shown of a type: the last part of its name, as long as no other type has the same.
pub(super) fn short(name: &str) -> &str {
    name.rsplit('.').next().filter(|last| !last.is_empty()).unwrap_or(name)
}

/// The full name of a type; nothing if it is not known.
pub(super) fn full(types: &Types) -> &str {
    types.first().map_or("", |of| &of.name)
}

/// A name, and how many there are of it if that is not one.
pub(super) fn times(name: &str, number: usize) -> String {
    if number == 1 { name.to_owned() } else { format!("{name} ×{number}") }
}

/// A text as one line without what can't be shown.
pub(super) fn line(text: &str) -> String {
    let mut made = String::new();
    for character in text.chars().take(LENGTH + 1) {
        made.push(if is_blank(character) { ' ' } else { character });
    }
    if let Some((end, _)) = made.char_indices().nth(LENGTH) {
        made.truncate(end);
        made.push('…');
    }
    shown(&made).into_owned()
}

/// Whether a character makes no mark, or is none that XML knows.
fn is_blank(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// A value in one line, if it is worth one.
pub(super) fn brief(name: &str, value: &Value) -> Option<String> {
    match value {
        Value::String(_) | Value::Integer(_) if is_secret(name) => Some("•••".to_owned()),
        Value::Map(_) => None,
        Value::List(items) if items.iter().any(|item| matches!(item, Value::Map(_) | Value::List(_))) => None,
        _ => {
            let mut made = String::new();
            write(&mut made, value);
            Some(line(&made))
        }
    }
}

/// Writes a value, as long as there is room.
fn write(made: &mut String, value: &Value) {
    // A character has at most four bytes, so that what is left out would not be seen.
    if made.len() > 4 * LENGTH {
        return;
    }
    match value {
        Value::String(text) => made.extend(text.chars().take(LENGTH + 1)),
        Value::List(items) => list(made, '[', items, ']'),
        Value::Call(call) => {
            made.push_str(&call.name);
            list(made, '(', &call.arguments, ')');
        }
        Value::Map(_) => made.push_str("{…}"),
        other => {
            let _ = write!(made, "{other}");
        }
    }
}

fn list(made: &mut String, open: char, items: &[Value], close: char) {
    made.push(open);
    for (index, item) in items.iter().enumerate().take(LENGTH) {
        if index > 0 {
            made.push_str(", ");
        }
        write(made, item);
    }
    made.push(close);
}

/// A text in XML, in an element or in quotes.
pub(super) fn xml(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => made.push_str("&amp;"),
            '<' => made.push_str("&lt;"),
            '>' => made.push_str("&gt;"),
            '"' => made.push_str("&quot;"),
            '\'' => made.push_str("&#39;"),
            // Lines of a hint.
            '\n' => made.push('\n'),
            blank if is_blank(blank) => made.push(' '),
            other => made.push(other),
        }
    }
    made
}
