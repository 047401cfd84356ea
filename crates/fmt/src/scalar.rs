//! The text of scalars.

use super::lex::{self, is_blank, lines};
use super::{Options, Quotes};

/// A literal or folded scalar in a source.
pub(crate) struct Block {
    /// The offset of its end, without its last line break.
    pub(crate) end: usize,
    /// The column of its lines; `usize::MAX` if it has no text.
    pub(crate) column: usize,
}

/// The header of a block scalar, which is the line before its text: `|2-`.
struct Header<'t> {
    sign: char,
    indentation: Option<usize>,
    chomping: Option<char>,
    /// The rest of the line: whitespace and a comment.
    rest: &'t str,
}

impl<'t> Header<'t> {
    fn read(line: &'t str) -> Self {
        let mut header = Self { sign: '|', indentation: None, chomping: None, rest: "" };
        let end = line.find([' ', '\t', '#']).unwrap_or(line.len());
        for sign in line[..end].chars() {
            match sign {
                '|' | '>' => header.sign = sign,
                '+' | '-' => header.chomping = Some(sign),
                _ => header.indentation = sign.to_digit(10).map(|digit| digit as usize),
            }
        }
        header.rest = &line[end..];
        header
    }
}

impl Block {
    /// Reads the scalar at the given offset. `parent` is the column of the map or list that it is in, if any.
    pub(crate) fn read(text: &str, start: usize, parent: Option<usize>) -> Self {
        let mut lines = lines(&text[start..]);
        let (first, line_break) = lines.next().unwrap_or_default();
        let header = Header::read(first);
        let keeps = header.chomping == Some('+');
        let mut column = header.indentation.map(|indentation| parent.unwrap_or(0) + indentation);
        let mut end = start + first.len();
        let mut at = end + line_break.len();
        // Blank lines count only if more text follows or if they are kept.
        let mut before_break = end;
        for (line, line_break) in lines {
            let spaces = line.bytes().take_while(|byte| *byte == b' ').count();
            let is_blank_line = line.len() == spaces;
            if !is_blank_line {
                let least = *column.get_or_insert(spaces);
                let is_outside = parent.is_some_and(|parent| spaces <= parent);
                let is_end = spaces < least || is_outside || spaces == 0 && lex::is_marker(line);
                if is_end {
                    break;
                }
            }
            let has_text = column.is_some_and(|column| line.len() > column);
            if has_text {
                end = at + line.len();
            } else if keeps && !(line.is_empty() && line_break.is_empty()) {
                before_break = at + line.len();
            }
            at += line.len() + line_break.len();
        }
        if keeps {
            end = end.max(before_break);
        }
        Self { end, column: column.unwrap_or(usize::MAX) }
    }
}

/// Returns the lines of a block scalar, with the line breaks of the source. Its text moves from the column `from` to
/// the column `to`; `indentation` is the difference between `to` and the column of the enclosing map or list.
pub(crate) fn block(text: &str, from: usize, to: usize, indentation: usize) -> Vec<(String, &str)> {
    let mut list = Vec::new();
    for (index, (line, line_break)) in lines(text).enumerate() {
        if index == 0 {
            let header = Header::read(line);
            let mut shown = String::from(header.sign);
            if header.indentation.is_some() {
                shown.push_str(&indentation.to_string());
            }
            shown.extend(header.chomping);
            let rest = header.rest.trim_matches(|blank: char| blank.is_ascii_whitespace());
            if !rest.is_empty() {
                shown.push(' ');
                shown.push_str(rest);
            }
            list.push((shown, line_break));
            continue;
        }
        let content = line.get(from..).unwrap_or_default();
        // At the end of a text, a line of spaces has no line break, so without its spaces it would not be a line.
        let is_last = line_break.is_empty() && index > 0;
        let shown = if content.is_empty() && is_last {
            line.to_owned()
        } else if content.is_empty() {
            String::new()
        } else {
            " ".repeat(to) + content
        };
        list.push((shown, line_break));
    }
    list
}

/// Returns whether adding a line break to the last line of a block scalar changes its text.
pub(crate) fn lacks_break(block: &str) -> bool {
    let mut lines = lines(block);
    let header = Header::read(lines.next().unwrap_or_default().0);
    header.chomping != Some('-') && lines.next().is_some()
}

/// Returns the lines of a scalar that is not a block scalar, with the line breaks of the source.
pub(crate) fn flow<'t>(text: &'t str, inner: usize, options: &Options) -> Vec<(String, &'t str)> {
    let is_double = text.starts_with('"');
    let requoted = requote(text, options.quotes);
    let breaks: Vec<&str> = lines(text).map(|(_, line_break)| line_break).collect();
    let count = breaks.len();
    let list = lines(&requoted).zip(breaks).enumerate().map(|(index, ((line, _), line_break))| {
        let line = if index == 0 { line } else { line.trim_start_matches([' ', '\t']) };
        // A backslash may make the next space or tab, or the line break, part of the text.
        let ends_in_escape = || is_double && line.trim_end_matches([' ', '\t']).ends_with('\\');
        let line = if index + 1 == count || ends_in_escape() { line } else { line.trim_end_matches([' ', '\t']) };
        let shown = if index == 0 || line.is_empty() { line.to_owned() } else { " ".repeat(inner) + line };
        (shown, line_break)
    });
    list.collect()
}

/// Returns a scalar in the given quotes, or unchanged if something in it would have to be escaped.
fn requote(text: &str, quotes: Quotes) -> std::borrow::Cow<'_, str> {
    let between = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    match quotes {
        Quotes::Double => {
            if let Some(content) = between('\'').filter(|content| !content.contains(['"', '\\'])) {
                return format!("\"{}\"", content.replace("''", "'")).into();
            }
        }
        Quotes::Single => {
            if let Some(content) = between('"').filter(|content| !content.contains(['\'', '\\'])) {
                return format!("'{content}'").into();
            }
        }
        Quotes::Keep => {}
    }
    text.into()
}

/// Returns a line that is not formatted but moved by `delta` columns.
pub(crate) fn moved(line: &str, delta: isize) -> String {
    if delta >= 0 {
        let is_empty = line.bytes().all(is_blank);
        return if is_empty { line.to_owned() } else { " ".repeat(delta.unsigned_abs()) + line };
    }
    let spaces = line.bytes().take_while(|byte| *byte == b' ').count();
    line[spaces.min(delta.unsigned_abs())..].to_owned()
}
