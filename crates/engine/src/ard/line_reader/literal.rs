//! Reads block scalars, which begin with `|` or `>`.

use super::tree::Scalar;
use super::{Known, Lines, Unknown};
use crate::ard::document::Style;

/// The treatment of trailing line ends in a block scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Clip,
    Strip,
    Keep,
}

/// The value of a block scalar.
struct Body {
    text: String,
    /// The end of the last nonblank line, without trailing spaces.
    end: usize,
    /// The start of the next line.
    next: usize,
}

impl Lines<'_> {
    /// Reads the block scalar whose `|` or `>` is at `start`, and returns the start of the line after the scalar.
    pub(super) fn literal(&mut self, start: usize) -> Known<usize> {
        let style = if self.bytes[start] == b'|' { Style::Literal } else { Style::Folded };
        let (chomping, header_end) = match self.at(start + 1) {
            Some(b'-') => (Chomping::Strip, start + 2),
            Some(b'+') => (Chomping::Keep, start + 2),
            _ => (Chomping::Clip, start + 1),
        };
        let (first, _) = self.rest(header_end)?;
        let parent = self.tree.top().ok_or(Unknown)?.indent as usize;
        let indent = self.indent_of_literal(first, parent)?;
        let body = self.body(first, indent, style, chomping)?;
        self.tree.value(&Scalar { place: start..body.end, style, text: body.text.into() });
        Ok(body.next)
    }

    /// Returns the indentation of the first nonblank line.
    fn indent_of_literal(&self, first: usize, parent: usize) -> Known<usize> {
        let (mut line, mut widest_blank) = (first, 0);
        loop {
            let start = self.skip_blanks(line);
            let indent = start - line;
            line = match self.at(start) {
                Some(b'\n') => start + 1,
                Some(b'\r') => start + 2,
                None | Some(b'\t') => return Err(Unknown),
                Some(_) if indent > parent && indent >= widest_blank => return Ok(indent),
                Some(_) => return Err(Unknown),
            };
            widest_blank = widest_blank.max(indent);
        }
    }

    fn body(&self, first: usize, indent: usize, style: Style, chomping: Chomping) -> Known<Body> {
        let mut body = Body { text: String::new(), end: first, next: first };
        // The number of line ends since the last line with content.
        let mut breaks = 0;
        let mut before = None;
        while body.next < self.bytes.len() {
            let line = body.next;
            let start = self.skip_blanks(line);
            let (end, next) = self.line_end(start);
            let is_blank = start == end && start - line <= indent;
            if !is_blank && start - line < indent {
                if self.bytes[start] == b'\t' {
                    return Err(Unknown);
                }
                break;
            }
            if !is_blank {
                let content = &self.text[line + indent..end];
                let is_more = content.starts_with([' ', '\t']);
                join(&mut body.text, breaks, style, before, is_more);
                body.text.push_str(content);
                before = Some(is_more);
                if let Some(last) = content.bytes().rposition(|byte| !matches!(byte, b' ' | b'\t')) {
                    body.end = line + indent + last + 1;
                }
                breaks = 0;
            }
            breaks += 1;
            body.next = next;
        }
        match chomping {
            Chomping::Strip => {}
            Chomping::Clip => body.text.push('\n'),
            // The case of a last line without a line end is left to the library.
            Chomping::Keep if body.next == self.bytes.len() && !self.bytes.ends_with(b"\n") => return Err(Unknown),
            Chomping::Keep => (0..breaks).for_each(|_| body.text.push('\n')),
        }
        Ok(body)
    }
}

/// Appends the line ends before the next line, folded if the style requires it.
fn join(text: &mut String, breaks: usize, style: Style, before: Option<bool>, is_more: bool) {
    let Some(was_more) = before else {
        (0..breaks).for_each(|_| text.push('\n'));
        return;
    };
    // The line ends around lines with additional indentation are not folded.
    let kept = if style == Style::Literal || was_more || is_more { breaks } else { breaks - 1 };
    if kept == 0 {
        text.push(' ');
    } else {
        (0..kept).for_each(|_| text.push('\n'));
    }
}
