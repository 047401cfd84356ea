//! Comments that switch formatting off and on.

use std::ops::Range;

use tosca_parse_engine::ard::Document;

use super::lex::line_start;

/// The comments that turn formatting off and on.
pub(crate) struct Switches {
    /// The offset of each comment and whether it turns formatting off.
    list: Vec<(usize, bool)>,
    /// The offsets of the lines that are not formatted.
    skipped: Vec<usize>,
}

impl Switches {
    pub(crate) fn new(document: &Document) -> Self {
        let text = document.text();
        let mut switches = Self { list: Vec::new(), skipped: Vec::new() };
        for comment in document.comments() {
            let (start, end) = (comment.start as usize, comment.end as usize);
            let line = line_start(text, start);
            let is_own_line = text[line..start].trim().is_empty();
            match (text[start..end].trim_matches(['#', ' ', '\t']), is_own_line) {
                ("fmt: off", true) => switches.list.push((start, true)),
                ("fmt: on", true) => switches.list.push((start, false)),
                ("fmt: skip", false) => switches.skipped.push(line),
                _ => {}
            }
        }
        switches
    }

    /// Returns whether the last of the comments in the given range turns formatting off; `None` if there is none.
    pub(crate) fn last_in(&self, range: Range<usize>) -> Option<bool> {
        let end = self.list.partition_point(|(start, _)| *start < range.end);
        let (start, is_off) = *self.list[..end].last()?;
        (start >= range.start).then_some(is_off)
    }

    /// Returns whether the line that begins at the given offset is not formatted.
    pub(crate) fn skips(&self, line: usize) -> bool {
        self.skipped.binary_search(&line).is_ok()
    }
}
