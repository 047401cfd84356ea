//! Quotes source text in messages.

/// Returns the text in back-quotes, on one line and truncated if it is long.
pub(super) fn ticked(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown = String::from("`");
    for (count, character) in text.chars().enumerate() {
        if count == LONGEST {
            shown.push('…');
            break;
        }
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown.push('`');
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_shown_on_one_line_and_truncated() {
        assert_eq!(ticked("größe"), "`größe`");
        assert_eq!(ticked("a\nb\0"), "`a\\nb\\u{0}`");
        assert_eq!(ticked(&"ü".repeat(61)), format!("`{}…`", "ü".repeat(60)));
        assert_eq!(ticked(&"x".repeat(60)), format!("`{}`", "x".repeat(60)));
    }
}
