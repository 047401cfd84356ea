//! Strings for types and values.

use std::fmt::Write;

use tosca_parse_graph::Location;
use tosca_parse_graph::text::{self, MAX_LENGTH, line, value as value_text};

use crate::diagnostic::is_secret;
use crate::normal::{Source, Types, Value};

/// Returns the full name of a type; empty if it is unknown.
pub(super) fn full(types: &Types) -> &str {
    types.first().map_or("", |of| &of.name)
}

/// Returns the full name of a type, as one line.
pub(super) fn full_name(types: &Types) -> String {
    text::name(full(types))
}

/// The maximum number of ancestors that filters apply to.
const MAX_ANCESTORS: usize = 64;

/// Returns the full names of the nearest types that a type is derived from.
pub(super) fn ancestors(types: &Types) -> Vec<String> {
    types.iter().skip(1).take(MAX_ANCESTORS).map(|of| text::name(&of.name)).collect()
}

pub(super) fn location(source: &Source) -> Location {
    Location { file: source.file.to_string(), line: source.line, column: source.column }
}

/// Formats a value on one line, if it is useful.
pub(super) fn brief(name: &str, value: &Value) -> Option<String> {
    match value {
        Value::String(_) | Value::Integer(_) if is_secret(name) => Some(value_text(name, "")),
        Value::Map(_) => None,
        Value::List(items) if items.iter().any(|item| matches!(item, Value::Map(_) | Value::List(_))) => None,
        _ => {
            let mut made = String::new();
            write(&mut made, value);
            Some(line(&made))
        }
    }
}

/// Writes a value, up to a limit.
fn write(made: &mut String, value: &Value) {
    // A character has at most four bytes, so the omitted part would not be visible.
    if made.len() > 4 * MAX_LENGTH {
        return;
    }
    match value {
        Value::String(text) => made.extend(text.chars().take(MAX_LENGTH + 1)),
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
    for (index, item) in items.iter().enumerate().take(MAX_LENGTH) {
        if index > 0 {
            made.push_str(", ");
        }
        write(made, item);
    }
    made.push(close);
}
