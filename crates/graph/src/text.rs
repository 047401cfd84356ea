//! Strings of a diagram: short, single lines.

use tosca_parse_engine::diagnostic::is_secret;
use tosca_parse_engine::diagnostic::render::sanitize;

/// The maximum length of a string, in characters. Boxes are narrower.
pub const MAX_LENGTH: usize = 60;

/// Returns the last segment of a type name.
pub fn short(name: &str) -> &str {
    name.rsplit('.').next().filter(|last| !last.is_empty()).unwrap_or(name)
}

/// Returns a name with its multiplicity, unless the multiplicity is one.
pub(crate) fn times(name: &str, number: usize) -> String {
    if number == 1 { name.to_owned() } else { format!("{name} ×{number}") }
}

/// The maximum length of a full name, in characters.
const MAX_NAME: usize = 400;

/// Returns the first [`MAX_LENGTH`] characters of a string as one line, without control characters.
pub fn line(text: &str) -> String {
    shortened(text, MAX_LENGTH)
}

/// Returns a full name as one line, without control characters. It is not shown in boxes, so it can be longer than a
/// [line](fn@line).
pub fn name(text: &str) -> String {
    shortened(text, MAX_NAME)
}

fn shortened(text: &str, most: usize) -> String {
    let mut made = String::new();
    for character in text.chars().take(most + 1) {
        made.push(if is_blank(character) { ' ' } else { character });
    }
    if let Some((end, _)) = made.char_indices().nth(most) {
        made.truncate(end);
        made.push('…');
    }
    sanitize(&made).into_owned()
}

/// Returns whether a character is invisible or not allowed in XML.
fn is_blank(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// Returns a value in a row: one line, or dots if the name suggests a secret.
pub fn value(name: &str, value: &str) -> String {
    if is_secret(name) { "•••".to_owned() } else { line(value) }
}

/// Returns the end of a path, with at most two folders: boxes are narrow.
pub fn last_segments(path: &str) -> &str {
    path.rmatch_indices(['/', '\\']).nth(2).map_or(path, |(at, _)| &path[at + 1..])
}
