//! Formatting of open documents. It needs no program, so it is immediate.

use serde_json::{Value, json};
use tosca_parse::entity::Language;
use tosca_parse::source::Source;
use tosca_parse_fmt::{Options, format_in, format_new_line, format_range};

use crate::place;
use crate::protocol::{Position, Range, TextEdit};

/// The part of the text to format.
pub(crate) enum Part {
    All,
    /// The lines of a range.
    Range(Range),
    /// The line before the one that has just been begun, and the indentation of this line.
    NewLine(Position),
}

impl Part {
    /// Returns the part that the parameters of a request specify.
    pub(crate) fn of(method: &str, params: &Value) -> Option<Self> {
        let read = |key: &str| params.get(key).cloned().unwrap_or_default();
        match method {
            "textDocument/formatting" => Some(Self::All),
            "textDocument/rangeFormatting" => serde_json::from_value(read("range")).ok().map(Self::Range),
            _ => serde_json::from_value(read("position")).ok().map(Self::NewLine),
        }
    }
}

/// Returns the edits that format part of a text; null if the text is invalid, which its diagnostics report anyway.
pub(crate) fn edits(source: &Source, part: &Part, language: Option<&Language>, options: &Options) -> Value {
    let text = source.text();
    let formatted = match part {
        Part::All => format_in(language, text, options),
        Part::Range(range) => {
            let offset = |position| place::offset(source, position) as usize;
            format_range(text, offset(range.start)..offset(range.end), options)
        }
        Part::NewLine(position) => format_new_line(text, place::offset(source, *position) as usize, options),
    };
    let Ok(formatted) = formatted else { return Value::Null };
    let edits = formatted.edits.into_iter().map(|(range, new_text)| TextEdit {
        range: place::range(source, range.start as u32, range.end as u32),
        new_text,
    });
    json!(edits.collect::<Vec<_>>())
}
