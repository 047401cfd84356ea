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

/// Returns a string as one line of about [`MAX_LENGTH`] characters, without control characters. Longer text loses its
/// end, and a longer word its middle.
pub fn line(text: &str) -> String {
    shortened(text, MAX_LENGTH)
}

/// Returns a full name as one line, without control characters. It is not shown in boxes, so it can be longer than a
/// [line](fn@line).
pub fn name(text: &str) -> String {
    shortened(text, MAX_NAME)
}

fn shortened(text: &str, most: usize) -> String {
    let visible = |character| if is_blank(character) { ' ' } else { character };
    let mut made: String = text.chars().take(most + 1).map(visible).collect();
    if made.chars().count() > most {
        let end: String = text.chars().rev().take(most / WORD_END).map(visible).collect();
        let is_word = is_word(&made) && is_word(&end);
        let start = if is_word { most - most / WORD_END } else { most };
        made = made.chars().take(start).chain(['…']).collect();
        if is_word {
            made.extend(end.chars().rev());
        }
    }
    sanitize(&made).into_owned()
}

/// The part of a shortened word that is its end, as a divisor. The names of similar things often differ only there.
pub(crate) const WORD_END: usize = 3;

/// Returns whether a string is a single word, such as a name or a path.
pub(crate) fn is_word(text: &str) -> bool {
    !text.contains(' ')
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
