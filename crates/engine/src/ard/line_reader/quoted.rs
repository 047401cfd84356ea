//! Reads quoted scalars.

use std::borrow::Cow;

use super::tree::Scalar;
use super::{Known, Lines, Unknown};
use crate::ard::document::Style;

impl<'a> Lines<'a> {
    /// Reads the quoted scalar that begins at `start`. It may continue on further lines if they are indented by more
    /// than `indent`; with `None`, it must end on its line.
    pub(super) fn quoted(&self, start: usize, indent: Option<u32>) -> Known<Scalar<'a>> {
        let quote = self.bytes[start];
        let found = self.quote_end(start + 1, quote)?;
        let (place, content) = (start..found.end, start + 1..found.end - 1);
        let style = if quote == b'"' { Style::DoubleQuoted } else { Style::SingleQuoted };
        if !found.has_escapes && !found.has_lines {
            return Ok(Scalar { place, style, text: Cow::Borrowed(&self.text[content]) });
        }
        let mut text = String::with_capacity(content.len());
        if found.has_lines {
            let Some(indent) = indent else { return Err(Unknown) };
            self.quoted_lines(content.start, content.end, indent as usize, style, &mut text)?;
        } else {
            unescape(&self.text[content], style, &mut text)?;
        }
        Ok(Scalar { place, style, text: Cow::Owned(text) })
    }

    fn quote_end(&self, from: usize, quote: u8) -> Known<Found> {
        let mut found = Found { end: from, has_escapes: false, has_lines: false };
        loop {
            let byte = self.at(found.end).ok_or(Unknown)?;
            found.end += 1;
            if byte == quote {
                if quote == b'"' || self.at(found.end) != Some(quote) {
                    return Ok(found);
                }
                found.has_escapes = true;
                found.end += 1;
            } else if byte == b'\\' && quote == b'"' {
                found.has_escapes = true;
                found.end += 1;
            } else if byte == b'\n' {
                found.has_lines = true;
            }
        }
    }

    /// Joins the lines of a quoted scalar, ignoring spaces around line ends.
    fn quoted_lines(&self, start: usize, end: usize, indent: usize, style: Style, text: &mut String) -> Known<()> {
        let (mut line, mut last) = (start, start);
        loop {
            let (line_end, next) = self.line_end(line);
            let is_last = line_end >= end;
            let content_start = if line == start { start } else { self.skip_blanks(line) };
            let content_end = if is_last { end } else { content_start + trimmed(&self.bytes[content_start..line_end]) };
            if content_start < content_end || is_last {
                if line > start && content_start - line <= indent {
                    return Err(Unknown);
                }
                if line > start {
                    self.fold(text, last, content_start);
                }
                let content = &self.text[content_start..content_end];
                // An escaped space or line end has a special meaning.
                if content.starts_with('\t') || content.ends_with(['\t', '\\']) {
                    return Err(Unknown);
                }
                unescape(content, style, text)?;
                last = content_end;
            } else if line == start {
                last = start;
            }
            if is_last {
                return Ok(());
            }
            line = next;
        }
    }
}

/// The result of scanning a quoted scalar.
struct Found {
    /// The position after the closing quote.
    end: usize,
    has_escapes: bool,
    has_lines: bool,
}

/// Returns the length of the line without trailing spaces.
fn trimmed(line: &[u8]) -> usize {
    line.iter().rposition(|byte| *byte != b' ').map_or(0, |last| last + 1)
}

/// Appends the value of `raw`, a piece of a quoted scalar.
fn unescape(raw: &str, style: Style, text: &mut String) -> Known<()> {
    if style == Style::SingleQuoted {
        text.push_str(&raw.replace("''", "'"));
        return Ok(());
    }
    let mut parts = raw.split('\\');
    text.push_str(parts.next().unwrap_or_default());
    while let Some(part) = parts.next() {
        // There are two backslashes; the second one does not begin an escape.
        let Some(name) = part.chars().next() else {
            text.push('\\');
            text.push_str(parts.next().ok_or(Unknown)?);
            continue;
        };
        let (character, length) = escape(name, &part[name.len_utf8()..])?;
        text.push(character);
        text.push_str(&part[name.len_utf8() + length..]);
    }
    Ok(())
}

/// Returns the character that an escape stands for, and the number of digits in the escape.
fn escape(name: char, rest: &str) -> Known<(char, usize)> {
    let character = match name {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '"' => '"',
        '/' => '/',
        ' ' => ' ',
        '0' => '\0',
        'e' => '\u{1B}',
        'x' => return code(rest, 2),
        'u' => return code(rest, 4),
        'U' => return code(rest, 8),
        _ => return Err(Unknown),
    };
    Ok((character, 0))
}

fn code(rest: &str, digits: usize) -> Known<(char, usize)> {
    let number = rest.get(..digits).filter(|number| number.bytes().all(|digit| digit.is_ascii_hexdigit()));
    let code = number.and_then(|number| u32::from_str_radix(number, 16).ok());
    code.and_then(char::from_u32).map(|character| (character, digits)).ok_or(Unknown)
}
