//! Finds positions that the YAML reader does not report exactly.

use std::ops::Range;

use super::{Builder, Turn};
use crate::ard::document::Style;
use crate::ard::event::Properties;
use crate::ard::indicator;

/// YAML's white space; other characters that look like it are ordinary characters.
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

impl Builder<'_> {
    /// Returns the position of a missing node: right after its tag and anchor, colon, dash or question mark.
    pub(super) fn place_of_missing(&self, reported: &Range<u32>, properties: Option<&Properties<'_>>) -> Range<u32> {
        let reported = reported.end;
        let turn = self.turn().filter(|_| properties.is_none());
        let place = match turn {
            None => reported,
            Some(Turn::Item) => self.item_start(reported),
            Some(Turn::Key) => {
                indicator::find(self.text, self.cursor..reported, b"?").map_or(reported, |found| found + 1)
            }
            // If there is no colon, as in `{a, b}`, the position is the end of the key.
            Some(Turn::Value) => {
                let until = reported + u32::from(self.is_colon(reported));
                indicator::find(self.text, self.cursor..until, b":").map_or(self.cursor, |found| found + 1)
            }
        };
        place..place
    }

    /// Returns the position of the first dash of a list.
    pub(super) fn start_of_block_list(&self, reported: &Range<u32>, properties: Option<&Properties<'_>>) -> u32 {
        let from = self.item_start(reported.start).max(properties_end(properties));
        let until = (reported.start + 1).min(self.text.len() as u32);
        indicator::find(self.text, from..until, b"-").unwrap_or(reported.start)
    }

    /// Returns the range of a block scalar, from `|` or `>` to the end of its last nonblank line.
    pub(super) fn place_of_block_scalar(
        &self,
        reported: &Range<u32>,
        properties: Option<&Properties<'_>>,
    ) -> Range<u32> {
        let from = self.cursor.max(properties_end(properties));
        let start = indicator::find(self.text, from..reported.end, b"|>").unwrap_or(reported.start);
        let until_end = &self.text[..reported.end as usize];
        let end = reported.start as usize + until_end[reported.start as usize..].trim_end_matches(BLANKS).len();
        let header = until_end[start as usize..]
            .trim_start_matches(['|', '>'])
            .trim_start_matches(|next: char| next.is_ascii_digit() || matches!(next, '+' | '-'));
        let header_end = until_end.len() - header.len();
        // An empty block scalar consists of its header.
        let is_empty = reported.start == start || end == reported.start as usize;
        start..if is_empty { header_end as u32 } else { end as u32 }
    }

    /// Returns whether the last key's colon is at the given position. A colon there could also belong to an enclosing
    /// map or begin a scalar.
    fn is_colon(&self, place: u32) -> bool {
        let Some(after) = self.text[place as usize..].strip_prefix(':') else { return false };
        let Some(frame) = self.frames.last() else { return false };
        let nodes = &self.document.nodes;
        if nodes.style(frame.node) == Style::Flow {
            return true;
        }
        let is_on_line_of_key = self.line_start(place) <= self.cursor;
        let is_below_start_of_map = self.column(place) == self.column(nodes.range(frame.node).start);
        (is_on_line_of_key || is_below_start_of_map) && (after.is_empty() || after.starts_with(BLANKS))
    }

    /// Returns the number of bytes before the given position on its line.
    fn column(&self, place: u32) -> u32 {
        place - self.line_start(place)
    }

    fn line_start(&self, place: u32) -> u32 {
        self.text[..place as usize].rfind(['\n', '\r']).map_or(0, |end| end as u32 + 1)
    }

    /// Returns whether the innermost map or list is of the given style.
    fn is_in(&self, style: Style) -> bool {
        self.frames.last().is_some_and(|frame| self.document.nodes.style(frame.node) == style)
    }

    /// Returns the earliest position at which the next item can start; after its dash if the innermost list has dashes.
    fn item_start(&self, until: u32) -> u32 {
        if self.turn() != Some(Turn::Item) || !self.is_in(Style::Block) {
            return self.cursor;
        }
        indicator::find(self.text, self.cursor..until, b"-").map_or(self.cursor, |found| found + 1)
    }

    /// Returns the position of an unclosed quote that causes a syntax error on a later line.
    pub(super) fn open_quote(&self, error: u32) -> Option<u32> {
        let before = self.text.get(self.cursor as usize..error as usize)?;
        let token = before.find(|next: char| !(BLANKS.contains(&next) || ":-?,[{".contains(next)))?;
        let quoted = before[token..].starts_with(['"', '\'']) && before[token..].contains('\n');
        quoted.then_some(self.cursor + token as u32)
    }

    /// Returns the position of a quote before a syntax error that is not closed anywhere in the rest of the source.
    pub(super) fn unclosed_quote(&self, error: u32) -> Option<u32> {
        let after = self.text.get(error as usize..)?.chars().next().map_or(0, char::len_utf8);
        let before = self.text.get(self.cursor as usize..error as usize + after)?;
        let starts_token = |at: usize| at == 0 || before[..at].ends_with([' ', '\t', '\n', '[', '{', ',']);
        let (at, quote) = before.match_indices(['"', '\'']).find(|(at, _)| starts_token(*at))?;
        let at = self.cursor as usize + at;
        (!self.text[at + 1..].contains(quote)).then_some(at as u32)
    }

    /// Returns the position of the innermost bracket that is opened but not closed before a syntax error.
    pub(super) fn open_bracket(&self, error: u32) -> Option<u32> {
        let (nodes, node) = (&self.document.nodes, self.frames.last()?.node);
        let start = nodes.range(node).start;
        let is_bracket = self.text[start as usize..].starts_with(['[', '{']);
        (nodes.style(node) == Style::Flow && is_bracket && start < error).then_some(start)
    }
}

fn properties_end(properties: Option<&Properties<'_>>) -> u32 {
    properties.map_or(0, |properties| {
        let tag = properties.tag.as_ref().map_or(0, |tag| tag.place.end);
        let anchor = properties.anchor.as_ref().map_or(0, |anchor| anchor.place.end);
        tag.max(anchor)
    })
}
