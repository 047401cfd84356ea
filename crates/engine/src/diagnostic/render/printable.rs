//! Replaces characters that must not reach a terminal unchanged.
//!
//! Names, messages and source lines come from untrusted files. Control characters can move the cursor and change
//! colors; format characters can reverse the direction of text or be invisible. Either way, authors would see something
//! that is not in the file.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::diagnostic::mask_credentials;

/// Makes untrusted text safe for one line on a terminal or in a log or report: printable, without credentials, and not
/// a workflow command.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    // Most texts are names and words.
    let is_plain = |byte| matches!(byte, b' '..=b'~') && !matches!(byte, b':' | b'=' | b'#');
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let text = match mask_credentials(text) {
        Cow::Borrowed(text) => printable(text),
        Cow::Owned(text) => Cow::Owned(printable(&text).into_owned()),
    };
    if !is_command(&text) {
        return text;
    }
    let defused = |(at, character)| if gives_command(&text, at) { NUMBER } else { character };
    let text: String = text.char_indices().map(defused).collect();
    if !is_command(&text) {
        return Cow::Owned(text);
    }
    let start = text.len() - text.trim_start().len();
    Cow::Owned(format!("{}{PROPORTION}{}", &text[..start], &text[start + 2..]))
}

/// A character that looks like two colons.
const PROPORTION: char = '\u{2237}';

/// A character that looks like a number sign.
const NUMBER: char = '\u{ff03}';

/// The beginnings of commands that are recognized anywhere in a line: commands for Azure Pipelines, and the old
/// commands for GitHub's workflow runner, such as `##[add-mask]`.
const ANYWHERE: [&str; 2] = ["##vso[", "##["];

/// Returns whether GitHub's workflow runner or an Azure pipeline interprets a line as a command, such as `::error::`.
pub fn is_command(line: &str) -> bool {
    line.trim_start().starts_with("::") || ANYWHERE.iter().any(|start| line.contains(start))
}

/// Returns whether multi-line text can be written to a log unchanged: all characters are printable, and no line is a
/// command.
pub fn is_harmless(text: &str) -> bool {
    text.lines().all(|line| !is_command(line) && line.chars().all(|character| picture(character).is_none()))
}

/// The replacement for characters without a control picture.
const REPLACEMENT: char = '\u{fffd}';

const TAB: &str = "    ";

/// Makes text printable on one line: control characters become control pictures (`␊`, `␉`, `␛`), and invisible format
/// characters become a replacement character.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(|character| picture(character).is_none()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|character| picture(character).unwrap_or(character)).collect())
}

/// Escapes unprintable characters in JSON by number (`\u202e`), so that they are visible and the meaning is unchanged.
/// JSON's own syntax consists of printable characters. A number sign that begins a command is escaped in the same way.
pub fn escaped(json: &str) -> Cow<'_, str> {
    let is_bare = |character: char| character > '\x1f' && picture(character).is_some();
    if !json.contains(is_bare) && !ANYWHERE.iter().any(|start| json.contains(start)) {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len() + 16);
    for (at, character) in json.char_indices() {
        if is_bare(character) || gives_command(json, at) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(character);
        }
    }
    Cow::Owned(text)
}

/// Returns whether the byte at the given offset is the second byte of a command that is recognized anywhere in a line.
fn gives_command(text: &str, at: usize) -> bool {
    let start = at.checked_sub(1).and_then(|start| text.get(start..));
    start.is_some_and(|text| ANYWHERE.iter().any(|start| text.starts_with(start)))
}

/// Adds a part of a source line in printable form, with four spaces for each tab.
pub(super) fn push_code(out: &mut String, code: &str) {
    for (at, character) in code.char_indices() {
        match character {
            '\t' => out.push_str(TAB),
            '#' if gives_command(code, at) => out.push(NUMBER),
            _ => out.push(picture(character).unwrap_or(character)),
        }
    }
}

/// Returns the number of bytes that [`push_code`] adds for the code before the given offset.
pub(super) fn code_len(code: &str, until: usize) -> usize {
    let length = |(at, character)| match character {
        '\t' => TAB.len(),
        '#' if gives_command(code, at) => NUMBER.len_utf8(),
        _ => picture(character).unwrap_or(character).len_utf8(),
    };
    code.char_indices().take_while(|(at, _)| *at < until).map(length).sum()
}

fn picture(character: char) -> Option<char> {
    match character {
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(character)),
        '\x7f' => Some('\u{2421}'),
        // C1 controls; soft hyphen; fillers; directional marks, embeddings, overrides and isolates; line and paragraph
        // separators; zero-width spaces and joiners; annotations; controls of shorthand and music; tags; noncharacters.
        // The joiners of scripts and emoji (U+200C, U+200D) and variation selectors are kept.
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e007f}'
        | '\u{fdd0}'..='\u{fdef}' => Some(REPLACEMENT),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_is_not_copied() {
        assert!(matches!(printable("größe 漢字 👩\u{200d}🚀 `a`"), Cow::Borrowed(_)));
    }

    #[test]
    fn no_line_is_a_command() {
        assert_eq!(sanitize("::error::a"), "∷error::a");
        assert_eq!(sanitize("a ##vso[task.complete]"), "a #＃vso[task.complete]");
        assert_eq!(sanitize("a ###[add-mask]##[b]"), "a ##＃[add-mask]#＃[b]");
        assert!(matches!(sanitize("## [a] ##"), Cow::Borrowed(_)));
        assert_eq!(sanitize(" \t::add-mask::a"), " ␉::add-mask::a");
        assert_eq!(sanitize("  ::stop-commands::a"), "  ∷stop-commands::a");
        assert!(matches!(sanitize("a::b"), Cow::Borrowed(_)));
        assert!(is_harmless("a: 1\nb: ::error::\n") && !is_harmless("a:\n  ::error::\n") && !is_harmless("\u{202e}"));
    }

    #[test]
    fn control_characters_have_pictures() {
        assert_eq!(printable("a\n\tb\r\0\u{7f}"), "a␊␉b␍␀␡");
        assert_eq!(printable("\u{1b}[31mred"), "␛[31mred");
        assert_eq!(printable("\u{9b}31m \u{202e}abc\u{2028}\u{feff}\u{fdd0}"), "�31m �abc���");
        assert_eq!(printable("a\u{115f}b\u{3164}c\u{ffa0}d\u{34f}"), "a�b�c�d�");
    }

    #[test]
    fn escaped_json_keeps_its_meaning() {
        let value = "größe 漢字 \u{202e}abc\u{e0001}\u{7f}\n";
        let json = serde_json::json!(value).to_string();
        assert_eq!(escaped(&json), r#""größe 漢字 \u202eabc\udb40\udc01\u007f\n""#);
        assert!(serde_json::from_str::<String>(&escaped(&json)).is_ok_and(|read| read == value));
        assert!(matches!(escaped("{\n  \"a\": 1\n}"), Cow::Borrowed(_)));
        assert_eq!(escaped("{\"a\": \"##vso[b] ##[c] ##\"}"), "{\"a\": \"#\\u0023vso[b] #\\u0023[c] ##\"}");
    }

    #[test]
    fn tabs_in_code_take_four_columns() {
        let mut line = String::from("|");
        push_code(&mut line, "\ta\t\u{8}漢");
        assert_eq!(line, "|    a    ␈漢");
        assert_eq!(code_len("\ta\t\u{8}漢", 9) + 1, line.len());
    }

    #[test]
    fn commands_in_code_are_shown_as_text() {
        let code = "a ##vso[b]";
        let mut line = String::new();
        push_code(&mut line, code);
        assert_eq!(line, "a #＃vso[b]");
        assert_eq!([2, 3, 4, code.len()].map(|until| code_len(code, until)), [2, 3, 6, line.len()]);
    }
}
