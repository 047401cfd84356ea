//! Reads maps and lists in flow style.

use super::token::ScalarContext;
use super::tree::Scalar;
use super::{Known, Lines, Unknown};
use crate::ard::document::{Kind, Style};

impl<'a> Lines<'a> {
    /// Reads the map or list whose opening bracket is at `open`, and returns the position after the closing bracket.
    /// The limit on open maps and lists bounds the recursion.
    pub(super) fn flow(&mut self, open: usize) -> Known<usize> {
        let is_map = self.bytes[open] == b'{';
        let (kind, bracket) = if is_map { (Kind::Map, b'}') } else { (Kind::List, b']') };
        let indent = self.tree.top().map_or(0, |top| top.indent);
        self.tree.open(kind, Style::Flow, open, indent)?;
        let mut place = self.flow_gap(open + 1)?;
        loop {
            if self.at(place) == Some(bracket) {
                self.tree.close_at(place + 1)?;
                return Ok(place + 1);
            }
            place = if is_map { self.flow_entry(place)? } else { self.flow_item(place)? };
            place = self.flow_gap(place)?;
            if self.at(place) == Some(b',') {
                place = self.flow_gap(place + 1)?;
            } else if self.at(place) != Some(bracket) {
                return Err(Unknown);
            }
        }
    }

    /// Skips white space and comments, and returns the next position.
    fn flow_gap(&mut self, from: usize) -> Known<usize> {
        let mut place = from;
        loop {
            match self.at(place) {
                Some(b' ' | b'\r') => place += 1,
                Some(b'\n') => {
                    place += 1;
                    // This may be a document marker or a directive.
                    if matches!(self.at(place), Some(b'-' | b'.' | b'%')) {
                        return Err(Unknown);
                    }
                }
                Some(b'#') if matches!(self.bytes[place - 1], b' ' | b'\n') => {
                    let (end, _) = self.line_end(place);
                    self.tree.comment(place..end);
                    place = end;
                }
                _ => return Ok(place),
            }
        }
    }

    /// Reads an entry of a map and returns its end.
    fn flow_entry(&mut self, start: usize) -> Known<usize> {
        let key = self.flow_scalar(start)?;
        let end = key.place.end;
        let colon = self.skip_blanks(end);
        self.key(&key, colon)?;
        if self.is_flow_colon(colon) {
            return self.flow_value_of_key(colon + 1);
        }
        // The key has no value.
        self.tree.missing(end);
        Ok(end)
    }

    fn flow_item(&mut self, start: usize) -> Known<usize> {
        if matches!(self.at(start), Some(b'[' | b'{')) {
            return self.flow(start);
        }
        let scalar = self.flow_scalar(start)?;
        let colon = self.skip_blanks(scalar.place.end);
        if !self.is_flow_colon(colon) {
            self.tree.value(&scalar);
            return Ok(scalar.place.end);
        }
        // A single pair in a list is a map without brackets.
        self.tree.open(Kind::Map, Style::Flow, start, 0)?;
        self.key(&scalar, colon)?;
        let end = self.flow_value_of_key(colon + 1)?;
        self.tree.close()?;
        Ok(end)
    }

    /// Reads a scalar that is on one line.
    fn flow_scalar(&self, start: usize) -> Known<Scalar<'a>> {
        match self.at(start).ok_or(Unknown)? {
            b'"' | b'\'' => self.quoted(start, None),
            _ => self.plain(start, ScalarContext::Flow),
        }
    }

    /// Returns whether there is a key's colon at `place`.
    fn is_flow_colon(&self, place: usize) -> bool {
        self.at(place) == Some(b':')
            && (self.is_gap(place + 1) || matches!(self.at(place + 1), Some(b',' | b']' | b'}')))
    }

    fn flow_value_of_key(&mut self, after: usize) -> Known<usize> {
        let start = self.flow_gap(after)?;
        match self.at(start) {
            Some(b',' | b']' | b'}') => {
                self.tree.missing(after);
                // Comments before this position have been read.
                Ok(start)
            }
            Some(b'[' | b'{') => self.flow(start),
            _ => {
                let scalar = self.flow_scalar(start)?;
                self.tree.value(&scalar);
                Ok(scalar.place.end)
            }
        }
    }
}
