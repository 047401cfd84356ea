//! Text in XML.

use super::printable::shown;

/// Escapes a text for an attribute or between tags.
pub(super) fn escaped(text: &str) -> String {
    let text = shown(text);
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // The last two characters of the first plane can't be in XML, not even encoded.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}
