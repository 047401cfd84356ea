//! Reads maps and lists in block style.

use super::token::{ScalarContext, begins_word};
use super::tree::Scalar;
use super::{Known, Lines, Unknown};
use crate::ard::document::{Kind, Style};

/// The expected content of the next line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// A value of the innermost map or list, or the whole document. If the value is missing, its position is `after`,
    /// the end of the colon or dash.
    Value { after: usize },
    /// A key, an item or a continuation of the plain scalar at the end of the previous line.
    More,
    /// A key or item.
    Further,
}

/// A token other than a plain word.
enum Token<'a> {
    Scalar(Scalar<'a>),
    Flow,
    Literal,
}

impl<'a> Lines<'a> {
    /// Reads the whole text.
    pub(super) fn whole(mut self) -> Known<Self> {
        let line = self.document_start()?;
        self.lines(line)?;
        Ok(self)
    }

    /// Reads all lines that belong to this reader, starting with the line at the given offset. Returns the start of the
    /// next line.
    pub(super) fn lines(&mut self, mut line: usize) -> Known<usize> {
        while let Some(start) = self.line_with_content(&mut line) {
            let indent = (start - line) as u32;
            if indent < self.floor {
                break;
            }
            if indent == 0 && self.is_marker(start) {
                return Err(Unknown);
            }
            line = self.line(start, indent)?;
        }
        Ok(line)
    }

    /// Completes the document at the end of the text.
    pub(super) fn end(&mut self) -> Known<()> {
        self.missing()?;
        while self.tree.top().is_some() {
            self.tree.close()?;
        }
        Ok(())
    }

    /// Skips a `---` at the beginning of the text and returns the start of the first line to read.
    pub(super) fn document_start(&mut self) -> Known<usize> {
        let mut line = 0;
        let start = self.line_with_content(&mut line).ok_or(Unknown)?;
        if start == line && self.bytes[start..].starts_with(b"---") {
            return Ok(self.rest(start + 3)?.0);
        }
        Ok(line)
    }

    /// Returns the start of the content of the first line, at or after `line`, that is neither empty nor a comment.
    /// Sets `line` to the start of that line.
    fn line_with_content(&mut self, line: &mut usize) -> Option<usize> {
        while *line < self.until {
            let start = self.skip_blanks(*line);
            *line = match self.at(start)? {
                b'\n' => start + 1,
                b'\r' => start + 2,
                b'#' => {
                    // A scalar can't continue below a comment.
                    if self.next == Next::More {
                        self.next = Next::Further;
                    }
                    self.comment(start)
                }
                _ => return Some(start),
            };
        }
        None
    }

    /// Returns whether the given line starts with a directive or a document marker.
    fn is_marker(&self, line: usize) -> bool {
        match self.bytes[line] {
            b'%' => true,
            b'-' => self.bytes[line..].starts_with(b"---"),
            b'.' => self.bytes[line..].starts_with(b"..."),
            _ => false,
        }
    }

    /// Reads a line that is neither empty nor a comment, and returns the start of the next line.
    fn line(&mut self, start: usize, indent: u32) -> Known<usize> {
        let is_item = self.is_dash(start);
        if self.goes_on(indent) {
            return self.go_on(start);
        }
        if self.is_value(indent, is_item) {
            return self.content(start, indent, true);
        }
        self.make_way(indent, is_item)?;
        self.content(start, indent, false)
    }

    /// Returns whether a line with the given indentation continues the scalar at the end of the previous line.
    pub(super) fn goes_on(&self, indent: u32) -> bool {
        self.next == Next::More && self.tree.top().is_some_and(|top| indent > top.indent)
    }

    /// Returns whether a line with the given indentation contains the expected value.
    pub(super) fn is_value(&self, indent: u32, is_item: bool) -> bool {
        matches!(self.next, Next::Value { .. }) && self.is_nested(indent, is_item)
    }

    /// Closes the maps and lists that end before a line with a key or item.
    pub(super) fn make_way(&mut self, indent: u32, is_item: bool) -> Known<()> {
        self.missing()?;
        self.close_deeper(indent, is_item)?;
        let top = self.tree.top().ok_or(Unknown)?;
        if top.indent == indent && is_item == (top.kind == Kind::List) { Ok(()) } else { Err(Unknown) }
    }

    /// Returns whether a line with the given indentation is nested in the innermost map or list, as a value.
    fn is_nested(&self, indent: u32, is_item: bool) -> bool {
        self.tree.top().is_none_or(|top| {
            // The dashes of a list may be in the same column as its key.
            indent > top.indent || indent == top.indent && is_item && top.kind == Kind::Map
        })
    }

    fn close_deeper(&mut self, indent: u32, is_item: bool) -> Known<()> {
        while let Some(top) = self.tree.top() {
            let is_over = top.indent > indent || top.indent == indent && top.kind == Kind::List && !is_item;
            if !is_over {
                break;
            }
            self.tree.close()?;
        }
        Ok(())
    }

    /// Adds a null if the value after a colon or dash is missing.
    fn missing(&mut self) -> Known<()> {
        if let Next::Value { after } = self.next {
            // An empty document is left to the library.
            self.tree.top().ok_or(Unknown)?;
            self.tree.missing(after);
        }
        Ok(())
    }

    /// Reads a line from its first character on: dashes, a key, a value. If `is_awaited`, the line contains the
    /// expected value; otherwise, a key or item of the innermost map or list.
    fn content(&mut self, start: usize, indent: u32, mut is_awaited: bool) -> Known<usize> {
        let line = start - indent as usize;
        let mut start = start;
        while self.is_dash(start) {
            if is_awaited {
                self.tree.open(Kind::List, Style::Block, start, (start - line) as u32)?;
            }
            let after = start + 1;
            if let Some(next) = self.line_after(after) {
                return Ok(next);
            }
            start = self.skip_blanks(after);
            is_awaited = true;
        }
        let map = is_awaited.then(|| (start - line) as u32);
        if !begins_word(self.bytes[start]) {
            return self.particular(start, map);
        }
        let end = self.plain_end(start + 1)?;
        let colon = self.skip_blanks(end);
        if self.is_colon(colon) {
            self.begin_map(start, map)?;
            check_length_of_key(start, colon)?;
            self.tree.word_as_key(start, &self.text[start..end])?;
            return self.value_of_key(colon + 1);
        }
        self.check_awaited(map)?;
        self.tree.word(start, &self.text[start..end]);
        self.end_of_value(end, Next::More)
    }

    /// If `map` is given, opens a map with its keys in that column; the first key is at `start`.
    #[inline]
    fn begin_map(&mut self, start: usize, map: Option<u32>) -> Known<()> {
        map.map_or(Ok(()), |column| self.tree.open(Kind::Map, Style::Block, start, column))
    }

    /// Reads a token that begins with a possible indicator.
    fn particular(&mut self, start: usize, map: Option<u32>) -> Known<usize> {
        match self.token(start)? {
            Token::Scalar(scalar) => {
                let colon = self.skip_blanks(scalar.place.end);
                if self.is_colon(colon) {
                    self.begin_map(start, map)?;
                    self.key(&scalar, colon)?;
                    return self.value_of_key(colon + 1);
                }
                self.check_awaited(map)?;
                self.scalar(&scalar)
            }
            // A flow collection may be the whole document.
            Token::Flow if map.is_some() => self.flow_on_line(start),
            Token::Flow => Err(Unknown),
            Token::Literal => {
                self.check_awaited(map)?;
                self.literal_below(start)
            }
        }
    }

    /// Checks that a value is expected and is not the whole document, which is left to the library.
    #[inline]
    fn check_awaited(&self, map: Option<u32>) -> Known<()> {
        if map.is_some() && self.tree.top().is_some() { Ok(()) } else { Err(Unknown) }
    }

    /// Adds a key that is followed by a colon.
    pub(super) fn key(&mut self, key: &Scalar<'_>, colon: usize) -> Known<()> {
        check_length_of_key(key.place.start, colon)?;
        if key.style != Style::Plain && self.bytes[key.place.clone()].contains(&b'\n') {
            return Err(Unknown);
        }
        self.tree.key(key)
    }

    /// Reads the rest of the line after a key's colon.
    #[inline]
    fn value_of_key(&mut self, after: usize) -> Known<usize> {
        if let Some(next) = self.line_after(after) {
            return Ok(next);
        }
        let start = self.skip_blanks(after);
        if begins_word(self.bytes[start]) {
            let end = self.plain_end(start + 1)?;
            self.tree.word(start, &self.text[start..end]);
            return self.end_of_value(end, Next::More);
        }
        match self.token(start)? {
            Token::Scalar(scalar) => self.scalar(&scalar),
            Token::Flow => self.flow_on_line(start),
            Token::Literal => self.literal_below(start),
        }
    }

    /// If at most a comment follows on this line, expects a value and returns the start of the next line.
    #[inline]
    fn line_after(&mut self, after: usize) -> Option<usize> {
        let next = self.skip_blanks(after);
        let line = match self.at(next) {
            None => next,
            Some(b'\n') => next + 1,
            Some(b'\r') => next + 2,
            Some(b'#') => self.comment(next),
            Some(_) => return None,
        };
        self.next = Next::Value { after };
        Some(line)
    }

    fn scalar(&mut self, scalar: &Scalar<'_>) -> Known<usize> {
        self.tree.value(scalar);
        let next = if scalar.style == Style::Plain { Next::More } else { Next::Further };
        self.end_of_value(scalar.place.end, next)
    }

    fn flow_on_line(&mut self, start: usize) -> Known<usize> {
        let end = self.flow(start)?;
        self.end_of_value(end, Next::Further)
    }

    fn literal_below(&mut self, start: usize) -> Known<usize> {
        self.next = Next::Further;
        self.literal(start)
    }

    fn token(&mut self, start: usize) -> Known<Token<'a>> {
        match self.bytes[start] {
            b'[' | b'{' => Ok(Token::Flow),
            b'|' | b'>' => Ok(Token::Literal),
            b'"' | b'\'' => {
                let indent = self.tree.top().map_or(0, |top| top.indent);
                Ok(Token::Scalar(self.quoted(start, Some(indent))?))
            }
            _ => Ok(Token::Scalar(self.plain(start, ScalarContext::Block)?)),
        }
    }

    /// Ends a line on which at most a comment follows the value. Sets the expected content of the next line and returns
    /// its start.
    #[inline]
    fn end_of_value(&mut self, end: usize, next: Next) -> Known<usize> {
        let (line, has_comment) = self.rest(end)?;
        self.next = if has_comment { Next::Further } else { next };
        Ok(line)
    }

    /// Reads the continuation lines of a plain scalar whose first line was considered complete.
    fn go_on(&mut self, start: usize) -> Known<usize> {
        let indent = self.tree.top().ok_or(Unknown)?.indent;
        let place = self.tree.last_place();
        let mut text = self.text[place.clone()].to_owned();
        let (mut start, mut end) = (start, place.end);
        loop {
            self.fold(&mut text, end, start);
            if self.is_colon(start) || self.at(start) == Some(b'\t') {
                return Err(Unknown);
            }
            end = self.plain_end(start + 1)?;
            text.push_str(&self.text[start..end]);
            let (line, has_comment) = self.rest(end)?;
            let further = if has_comment { None } else { self.further_line(line, indent) };
            let Some(further) = further else {
                let place = place.start..end;
                self.tree.replace_last(&Scalar { place, style: Style::Plain, text: text.into() });
                self.next = Next::Further;
                return Ok(line);
            };
            start = further;
        }
    }

    /// Returns the start of the content of the next nonblank line if that line is indented by more than `indent`.
    fn further_line(&self, mut line: usize, indent: u32) -> Option<usize> {
        loop {
            let start = self.skip_blanks(line);
            line = match self.at(start)? {
                b'\n' => start + 1,
                b'\r' => start + 2,
                b'#' => return None,
                _ => return (start - line > indent as usize).then_some(start),
            };
        }
    }
}

/// Checks the length of a key: the library rejects keys of more than 1024 characters.
#[inline]
fn check_length_of_key(start: usize, colon: usize) -> Known<()> {
    const LONGEST: usize = 1000;
    if colon - start > LONGEST { Err(Unknown) } else { Ok(()) }
}
