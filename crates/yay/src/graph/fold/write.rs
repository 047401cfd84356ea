//! Data as Yay text.

use super::Folder;
use crate::data::Data;
use crate::syntax::quoted;
use crate::value::float_text;

/// The text before a value: a key with its colon, or a hyphen.
#[derive(Clone, Copy)]
pub(super) struct Head<'t> {
    pub(super) text: &'t str,
    pub(super) is_item: bool,
    /// Whether lines under the key would be merged with other layers, unlike the value of an expression.
    pub(super) merges: bool,
}

impl<'t> Head<'t> {
    pub(super) const ITEM: Head<'static> = Head { text: "-", is_item: true, merges: false };

    pub(super) fn key(text: &'t str) -> Self {
        Head { text, is_item: false, merges: false }
    }

    pub(super) fn case(text: &'t str) -> Self {
        Head { merges: true, ..Head::key(text) }
    }
}

/// Writes data as a document or as a part of one.
pub(super) fn write_data(folder: &mut Folder, data: &Data) {
    match data {
        Data::Map(entries) => {
            for (key, value) in entries {
                write_value(folder, Head::key(&format!("{key}:")), value);
            }
        }
        Data::List(items) => {
            for item in items {
                write_value(folder, Head::ITEM, item);
            }
        }
        // A stanza can't be a scalar, so the scalar becomes a comment.
        other => folder.line(&format!("# {}", literal(other))),
    }
}

/// Writes data after a key or a hyphen.
pub(super) fn write_value(folder: &mut Folder, Head { text: head, is_item, .. }: Head<'_>, data: &Data) {
    match data {
        Data::Map(entries) if entries.is_empty() => folder.line(&format!("{head} {{}}")),
        Data::List(items) if items.is_empty() => folder.line(&format!("{head} []")),
        Data::Map(entries) if entries.iter().all(|(key, value)| is_key(key) && can_be_lines(value)) => {
            if !is_item {
                folder.line(head);
            }
            let start = folder.text.len();
            folder.deeper(|folder| write_data(folder, data));
            if is_item {
                folder.put_hyphen(start);
            }
        }
        Data::List(items) if !is_item && items.iter().all(can_be_lines) => {
            folder.line(head);
            folder.deeper(|folder| write_data(folder, data));
        }
        Data::Map(_) | Data::List(_) => folder.line(&format!("{head} {{{{ {} }}}}", literal(data))),
        Data::Null => folder.line(&format!("{head} {{{{ none }}}}")),
        Data::Bool(truth) => folder.line(&format!("{head} {truth}")),
        Data::Int(number) => folder.line(&format!("{head} {number}")),
        Data::Float(number) => folder.line(&format!("{head} {}", float_text(*number))),
        Data::Text(text) => {
            let plain = crate::syntax::typed(text) == crate::syntax::Plain::Text && is_plain(text);
            let text = match (plain, text.contains(['"', '\n', '\r', '\t']) || text.contains("{{")) {
                (true, _) => text.clone(),
                (false, false) => format!("\"{text}\""),
                (false, true) => format!("{{{{ {} }}}}", literal(data)),
            };
            folder.line(&format!("{head} {text}"));
        }
    }
}

/// Returns whether data in a list or mapping can be written as lines: lists in lists can't.
fn can_be_lines(data: &Data) -> bool {
    match data {
        Data::Map(entries) => entries.iter().all(|(key, value)| is_key(key) && can_be_lines(value)),
        Data::List(items) => items.iter().all(|item| !matches!(item, Data::List(_)) && can_be_lines(item)),
        _ => true,
    }
}

fn is_key(key: &str) -> bool {
    !key.is_empty()
        && !key.starts_with(['-', '#', '%', '"'])
        && !key.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, ':' | '{' | '}'))
        && !crate::syntax::is_reserved(key)
}

/// Returns whether text can be written without quotes.
fn is_plain(text: &str) -> bool {
    let ends = |c: char| c == ' ' || c == '\t';
    !text.is_empty()
        && !text.starts_with(['"', '#', '{', '[', '>', '|'])
        && !text.starts_with(ends)
        && !text.ends_with(ends)
        && !text.ends_with(':')
        && !text.contains(['\n', '\r'])
        && ![": ", ":\t", " #", "\t#", "{{"].iter().any(|part| text.contains(part))
}

/// Returns data as an expression.
pub(super) fn literal(data: &Data) -> String {
    match data {
        Data::Null => "none".to_owned(),
        Data::Bool(truth) => truth.to_string(),
        Data::Int(i64::MIN) => "(-9223372036854775807 - 1)".to_owned(),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => float_text(*number),
        Data::Text(text) => quoted(text),
        Data::List(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Data::Map(entries) => {
            let entry =
                |(key, value): &(String, Data)| format!("{}: {}", literal(&Data::Text(key.clone())), literal(value));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}
