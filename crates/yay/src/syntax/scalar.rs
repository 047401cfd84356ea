//! Values on the line of their key: plain (VALUE), in quotes (QVALUE), with templates (CVALUE), and blocks of text.

use std::rc::Rc;

use super::block::Parser;
use super::line::Line;
use super::token::Mode;
use super::tree::{Ending, ExprId, ExprKind, Part, Plain, ValueId, ValueKind};
use crate::error::{Category, Error, Result};
use crate::source::Span;

/// Text and templates as they are read.
#[derive(Default)]
pub(super) struct Parts {
    list: Vec<Part>,
    text: String,
}

impl Parts {
    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.list.push(Part::Text(Rc::from(std::mem::take(&mut self.text))));
        }
    }

    fn push(&mut self, expr: ExprId) {
        self.flush();
        self.list.push(Part::Expr(expr));
    }

    fn is_empty(&self) -> bool {
        self.list.is_empty() && self.text.is_empty()
    }

    /// Returns the text, unless there is a template in it.
    fn into_value(mut self, ending: Ending) -> ValueKind {
        if self.list.is_empty() {
            return ValueKind::Text(Rc::from(self.text));
        }
        self.flush();
        match self.list.as_slice() {
            [Part::Expr(expr)] if ending == Ending::Kept => ValueKind::Template(*expr),
            _ => ValueKind::Parts(self.list, ending),
        }
    }
}

/// Parses plain text as a truth value, an integer, a float, or text.
pub(crate) fn typed(text: &str) -> Plain {
    match text {
        "true" | "True" | "TRUE" => return Plain::Bool(true),
        "false" | "False" | "FALSE" => return Plain::Bool(false),
        _ => {}
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that does not fit into 64 bits remains text: it can be displayed, but arithmetic with it fails. So
        // does an infinite float.
        return text.parse().map_or(Plain::Text, Plain::Int);
    }
    let number = if is_float(digits) { text.parse().ok() } else { None };
    number.filter(|number: &f64| number.is_finite()).map_or(Plain::Text, Plain::Float)
}

/// Returns whether a string has digits with a point or an exponent: not `nan`, `inf` or `1_000`.
fn is_float(text: &str) -> bool {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let sound = match mantissa.split_once('.') {
        Some((whole, part)) => (!whole.is_empty() || !part.is_empty()) && digits(whole) && digits(part),
        None => !mantissa.is_empty() && digits(mantissa),
    };
    let exponent_sound = exponent.is_none_or(|text| {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        !unsigned.is_empty() && digits(unsigned)
    });
    sound && exponent_sound
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

impl Parser<'_> {
    fn byte(&self, at: u32) -> Option<u8> {
        self.text.as_bytes().get(at as usize).copied()
    }

    pub(super) fn skip_blanks(&self, mut at: u32, end: u32) -> u32 {
        while at < end && self.byte(at).is_some_and(is_blank) {
            at += 1;
        }
        at
    }

    /// Returns the value that begins at a byte of the current line; `None` if there is none on this line. The value may
    /// continue on lines that are indented deeper than its parents.
    pub(super) fn scalar(&mut self, from: u32, line: Line, parents: [u32; 2]) -> Result<Option<ValueId>> {
        let at = self.skip_blanks(from, line.end);
        self.line += 1;
        if at == line.end || self.byte(at) == Some(b'#') {
            return Ok(None);
        }
        let text = &self.text[at as usize..line.end as usize];
        let bare = without_comment(text);
        let span = self.span(at, at + bare.len() as u32);
        let kind = match bare {
            "{}" => ValueKind::EmptyMap,
            "[]" => ValueKind::EmptyList,
            ">" | "|" | "|+" | "|-" => self.text_block(bare, parents)?,
            _ if text.starts_with('"') => self.quoted_value(at, line.end)?,
            _ => self.plain_value(at, line.end)?,
        };
        Ok(Some(self.tree.add_value(span, kind)))
    }

    fn plain_value(&mut self, at: u32, end: u32) -> Result<ValueKind> {
        let mut parts = Parts::default();
        self.plain(&mut parts, at, end)?;
        if parts.list.is_empty() {
            let text = std::mem::take(&mut parts.text);
            return Ok(ValueKind::Plain(typed(&text), Rc::from(text)));
        }
        Ok(parts.into_value(Ending::Kept))
    }

    /// Reads plain text with templates, up to a comment or the end of the line.
    fn plain(&mut self, parts: &mut Parts, start: u32, end: u32) -> Result<()> {
        let kept = parts.text.len();
        let mut at = start;
        while at < end {
            let rest = &self.text[at as usize..end as usize];
            let before = at.checked_sub(1).and_then(|before| self.byte(before));
            if rest.starts_with("{{") {
                at = self.template(parts, at)?;
            } else if rest.starts_with('#') && before.is_some_and(is_blank) {
                break;
            } else if rest.starts_with(':') && (rest.len() == 1 || is_blank(rest.as_bytes()[1])) {
                return Err(self.stray_colon(at));
            } else {
                at += take(parts, rest);
            }
        }
        let length = parts.text.trim_end_matches([' ', '\t']).len();
        parts.text.truncate(length.max(kept.min(parts.text.len())));
        Ok(())
    }

    fn stray_colon(&self, at: u32) -> Error {
        let message = "a value can't contain a colon before a space";
        Error::new(Category::Syntax, self.span(at, at + 1), message).help("put the value in double quotes")
    }

    fn quoted_value(&mut self, start: u32, end: u32) -> Result<ValueKind> {
        let mut parts = Parts::default();
        let mut at = start + 1;
        loop {
            let rest = &self.text[at as usize..end as usize];
            if rest.is_empty() {
                self.warn(self.span(start, end), "the quotes are not closed on this line");
                break;
            } else if rest.starts_with('"') {
                self.plain(&mut parts, at + 1, end)?;
                break;
            } else if rest.starts_with("{{") {
                at = self.template(&mut parts, at)?;
            } else {
                at += take(&mut parts, rest);
            }
        }
        Ok(parts.into_value(Ending::Kept))
    }

    /// Reads a template, from its braces on; returns the byte after it.
    fn template(&mut self, parts: &mut Parts, at: u32) -> Result<u32> {
        let (mut tokens, end) = self.tokens(at + 2, Mode::Template)?;
        let expr = self.expression_list(&mut tokens)?;
        tokens.expect_end()?;
        parts.push(expr);
        Ok(end)
    }

    /// Reads lines of text that are indented deeper than their parent.
    fn text_block(&mut self, head: &str, parents: [u32; 2]) -> Result<ValueKind> {
        let mut lines = self.block_lines(parents);
        if head != "|+" {
            let last = lines.iter().rposition(|(start, end)| start < end).map_or(0, |last| last + 1);
            lines.truncate(last);
        }
        let separator = if head == ">" { ' ' } else { '\n' };
        let mut parts = Parts::default();
        for (number, (start, end)) in lines.iter().enumerate() {
            if number > 0 {
                parts.text.push(separator);
            }
            self.raw(&mut parts, *start, *end)?;
        }
        if matches!(head, "|" | "|+") && !(lines.is_empty() && parts.is_empty()) {
            parts.text.push('\n');
        }
        if head != ">" {
            return Ok(text_or_parts(parts, Ending::Kept));
        }
        parts.text.truncate(parts.text.trim_end_matches(' ').len());
        Ok(text_or_parts(parts, Ending::Trimmed))
    }

    /// Returns the bytes of each line of a block, without its indentation.
    fn block_lines(&mut self, parents: [u32; 2]) -> Vec<(u32, u32)> {
        let first = self.lines[self.line..].iter().find(|line| !line.blank);
        // Text after a key in a list item is usually deeper than the key, but it is enough if it is deeper than the
        // hyphen.
        let Some(indent) = first.map(|line| line.indent).filter(|indent| parents.iter().any(|parent| indent > parent))
        else {
            return Vec::new();
        };
        let mut found = Vec::new();
        while let Some(line) = self.lines.get(self.line).filter(|line| line.blank || line.indent >= indent) {
            found.push(if line.blank { (line.end, line.end) } else { (line.start + indent, line.end) });
            self.line += 1;
        }
        found
    }

    /// Reads text without special characters except those of templates.
    fn raw(&mut self, parts: &mut Parts, start: u32, end: u32) -> Result<()> {
        let mut at = start;
        while at < end {
            let rest = &self.text[at as usize..end as usize];
            if rest.starts_with("{{") {
                at = self.template(parts, at)?;
            } else {
                at += take(parts, rest);
            }
        }
        Ok(())
    }

    /// Reads text with templates as the operand of a directive.
    pub(super) fn template_operand(&mut self, start: u32, end: u32) -> Result<ExprId> {
        let kind =
            if self.byte(start) == Some(b'"') { self.quoted_value(start, end)? } else { self.plain_value(start, end)? };
        let span = self.span(start, end);
        let value = self.tree.add_value(span, kind);
        Ok(self.tree.add_expr(span, ExprKind::Template(value)))
    }

    pub(super) fn span(&self, start: u32, end: u32) -> Span {
        Span { source: self.source, start, end }
    }
}

/// Returns the value of a block, which is always text, even if it is a single template.
fn text_or_parts(parts: Parts, ending: Ending) -> ValueKind {
    match parts.into_value(ending) {
        ValueKind::Template(expr) => ValueKind::Parts(vec![Part::Expr(expr)], ending),
        kind => kind,
    }
}

fn take(parts: &mut Parts, rest: &str) -> u32 {
    let c = rest.chars().next().unwrap_or(' ');
    parts.text.push(c);
    c.len_utf8() as u32
}

fn without_comment(text: &str) -> &str {
    let comment =
        text.bytes().enumerate().find(|(at, byte)| *byte == b'#' && *at > 0 && is_blank(text.as_bytes()[at - 1]));
    let text = comment.map_or(text, |(at, _)| &text[..at]);
    text.trim_end_matches([' ', '\t'])
}
