//! Edits of a source that keep everything else: comments, empty lines, quotes, and the indentation of the rest.
//!
//! Replacements, insertions and deletions are recorded while the nodes of a document are traversed from the outside in,
//! and applied at the end. Lines can be shifted to the right or left as a whole; text that is inserted into them,
//! before or after the shift, moves with them.

use crate::ard::{Document, Entry, Kind, Node, Style};

/// The indentation of entries of a block relative to the parent.
pub(super) const STEP: usize = 2;

/// Edits of the text of a document.
pub(super) struct Patch<'d> {
    document: &'d Document,
    text: &'d str,
    /// The starts of the lines.
    starts: Vec<u32>,
    pieces: Vec<Piece>,
    shifts: Vec<Shift>,
}

/// A range of the text and its replacement.
#[derive(Debug)]
struct Piece {
    start: u32,
    end: u32,
    text: String,
    rank: Rank,
    /// The line that the piece moves with.
    line: usize,
    /// The number of earlier shifts, which move the piece. Later shifts only affect inner nodes.
    shifts: usize,
}

/// The order of edits at the same position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Whole lines.
    Lines,
    /// The indentation of a line.
    Indentation,
    /// Content of the line.
    Within,
}

/// Lines that are shifted.
#[derive(Clone, Copy, Debug)]
struct Shift {
    first: usize,
    last: usize,
    by: isize,
}

impl<'d> Patch<'d> {
    /// Creates an empty patch.
    pub(super) fn new(document: &'d Document) -> Self {
        let text = document.text();
        let breaks = text.bytes().zip(1..).filter(|(byte, _)| *byte == b'\n').map(|(_, next)| next);
        let starts = std::iter::once(0).chain(breaks).collect();
        Self { document, text, starts, pieces: Vec::new(), shifts: Vec::new() }
    }

    /// Returns the original text between two offsets.
    pub(super) fn slice(&self, start: u32, end: u32) -> &'d str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Returns a node as written.
    pub(super) fn written(&self, node: Node<'_>) -> &'d str {
        let span = node.span();
        self.slice(span.start, span.end)
    }

    fn line(&self, offset: u32) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    fn start_of(&self, line: usize) -> u32 {
        self.starts.get(line).copied().unwrap_or(self.text.len() as u32)
    }

    /// Returns the distance of an offset from the start of its line.
    pub(super) fn column(&self, offset: u32) -> usize {
        (offset - self.start_of(self.line(offset))) as usize
    }

    /// Returns whether there are only spaces before an offset on its line.
    fn is_first(&self, offset: u32) -> bool {
        self.slice(self.start_of(self.line(offset)), offset).bytes().all(|byte| byte == b' ')
    }

    /// Returns the last line of a node.
    fn last_line(&self, node: Node<'_>) -> usize {
        let span = node.span();
        let kept = self.written(node).trim_end_matches(['\n', '\r', ' ']).len() as u32;
        self.line((span.start + kept).saturating_sub(1).max(span.start))
    }

    /// Returns whether a node is on its own lines, without brackets or quotes around it.
    pub(super) fn is_block(node: Node<'_>) -> bool {
        !node.is_alias() && matches!(node.style(), Style::Block | Style::Literal | Style::Folded)
    }

    /// Returns the offset of the dash before an item of a block.
    pub(super) fn dash(&self, item: Node<'_>) -> Option<u32> {
        let before = self.text.get(..item.span().start as usize)?.trim_end_matches(' ');
        before.ends_with('-').then(|| before.len() as u32 - 1)
    }

    fn push(&mut self, start: u32, end: u32, text: String, rank: Rank, line: usize) {
        let shifts = self.shifts.len();
        self.pieces.push(Piece { start, end, text, rank, line, shifts });
    }

    /// Replaces the text between two offsets.
    pub(super) fn replace(&mut self, start: u32, end: u32, text: impl Into<String>) {
        self.push(start, end, text.into(), Rank::Within, self.line(start));
    }

    /// Inserts text at an offset.
    pub(super) fn insert(&mut self, at: u32, text: impl Into<String>) {
        self.replace(at, at, text);
    }

    /// Inserts lines before a line. The new lines are shifted with the line at the offset `with`.
    fn insert_lines(&mut self, line: usize, with: u32, text: &str) {
        let (at, moves) = (self.start_of(line), self.line(with));
        // The last line need not end with a line break.
        let is_open = at as usize == self.text.len() && !self.text.is_empty() && !self.text.ends_with('\n');
        let text = if is_open { format!("\n{text}") } else { format!("{text}\n") };
        self.push(at, at, text, Rank::Lines, moves);
    }

    fn shift(&mut self, first: usize, last: usize, by: isize) {
        if first <= last && by != 0 {
            self.shifts.push(Shift { first, last, by });
        }
    }

    /// Replaces a word, keeping its quotes.
    pub(super) fn rename(&mut self, node: Node<'_>, word: &str) {
        if node.is_alias() || node.text() == word {
            return;
        }
        let span = node.span();
        match node.style() {
            Style::Plain => self.replace(span.start, span.end, word),
            Style::SingleQuoted | Style::DoubleQuoted => self.replace(span.start + 1, span.end - 1, word),
            _ => {}
        }
    }

    /// Removes an entry from its map. A comment at the end of the line stays.
    pub(super) fn remove(&mut self, map: Node<'_>, entry: &Entry<'_>) {
        let own: Vec<Entry<'_>> = map.entries().filter(|entry| !entry.merged).collect();
        let Some(place) = own.iter().position(|own| own.key.id() == entry.key.id()) else { return };
        let (key, value) = (entry.key.span(), entry.value.span());
        let end = value.end.max(key.end + 1);
        let next = own.get(place + 1).map(|next| next.key.span().start);
        let is_in_block = Self::is_block(map);
        if is_in_block && self.is_first(key.start) && own.len() > 1 {
            let (first, last) = (self.line(key.start), self.last_line(entry.value).max(self.line(key.start)));
            let (start, after) = (self.start_of(first), self.start_of(last + 1));
            let rest = self.slice(end.min(after), after).trim();
            let is_comment = rest.starts_with('#');
            let kept = if is_comment { format!("{}{rest}\n", self.slice(start, key.start)) } else { String::new() };
            return self.replace(start, after, kept);
        }
        match (next, place.checked_sub(1).map(|before| own[before].value.span().end)) {
            (Some(next), _) => self.replace(key.start, next, ""),
            (None, Some(before)) if !is_in_block => self.replace(before, end, ""),
            _ => self.replace(key.start, end, if is_in_block { "{}" } else { "" }),
        }
    }

    /// Adds an entry to a map, after an existing entry or as the first.
    pub(super) fn add(&mut self, map: Node<'_>, behind: Option<&Entry<'_>>, entry: &str) {
        let own: Vec<Entry<'_>> = map.entries().filter(|entry| !entry.merged).collect();
        let span = map.span();
        let Some(first) = own.first() else {
            let blank = if self.slice(span.start.saturating_sub(1), span.start) == ":" { " " } else { "" };
            return self.replace(span.start, span.end, format!("{blank}{{ {entry} }}"));
        };
        if !Self::is_block(map) {
            return match behind {
                Some(behind) => self.insert(behind.value.span().end, format!(", {entry}")),
                None => self.insert(first.key.span().start, format!("{entry}, ")),
            };
        }
        let start = first.key.span().start;
        let indentation = " ".repeat(self.column(start));
        match behind {
            Some(behind) => {
                let line = self.last_line(behind.value).max(self.line(behind.key.span().start));
                self.insert_lines(line + 1, behind.key.span().start, &format!("{indentation}{entry}"));
            }
            None => self.insert(start, format!("{entry}\n{indentation}")),
        }
    }

    /// Inserts a key before consecutive entries, so that they become its value.
    pub(super) fn nest(&mut self, map: Node<'_>, entries: &[Entry<'_>], key: &str) {
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else { return };
        let start = first.key.span().start;
        if !Self::is_block(map) {
            self.insert(start, format!("{key}: {{ "));
            return self.insert(last.value.span().end.max(last.key.span().end + 1), " }");
        }
        let (line, end) = (self.line(start), self.last_line(last.value).max(self.line(last.key.span().start)));
        let indentation = " ".repeat(self.column(start));
        if self.is_first(start) {
            self.insert_lines(line, start, &format!("{indentation}{key}:"));
            self.shift(line, end, STEP.cast_signed());
        } else {
            self.insert(start, format!("{key}:\n{indentation}{}", " ".repeat(STEP)));
            self.shift(line + 1, end, STEP.cast_signed());
        }
    }

    /// Removes the key of the only entry of a map, so that its value replaces the map.
    pub(super) fn unnest(&mut self, entry: &Entry<'_>) {
        let (key, value) = (entry.key.span(), entry.value.span());
        self.replace(key.start, value.start, "");
        if Self::is_block(entry.value) {
            let by = self.column(value.start).cast_signed() - self.column(key.start).cast_signed();
            self.shift(self.line(value.start) + 1, self.last_line(entry.value), -by);
        }
    }

    /// Converts a map to a list of maps with one entry each.
    pub(super) fn list(&mut self, map: Node<'_>) {
        if map.is_alias() {
            return;
        }
        let span = map.span();
        if !Self::is_block(map) {
            self.replace(span.start, span.start + 1, "[");
            return self.replace(span.end - 1, span.end, "]");
        }
        for entry in map.entries().filter(|entry| !entry.merged) {
            let start = entry.key.span().start;
            self.insert(start, "- ");
            self.shift(self.line(start) + 1, self.last_line(entry.value), STEP.cast_signed());
        }
    }

    /// Converts a value to a list of two items: a new item and the value.
    pub(super) fn prepend(&mut self, first: &str, node: Node<'_>) {
        let span = node.span();
        if !Self::is_block(node) {
            self.insert(span.start, format!("{}[ {first}, ", self.gap(span.start)));
            return self.insert(span.end, if span.start == span.end { "null ]" } else { " ]" });
        }
        let indentation = " ".repeat(self.column(span.start));
        self.insert(span.start, format!("- {first}\n{indentation}- "));
        self.shift(self.line(span.start) + 1, self.last_line(node), STEP.cast_signed());
    }

    /// Returns a space if a value is missing directly after the colon.
    fn gap(&self, at: u32) -> &'static str {
        if self.slice(at.saturating_sub(1), at) == ":" { " " } else { "" }
    }

    /// Turns the items of a list into arguments of a function or, if there is only one, replaces the list with that
    /// item.
    pub(super) fn join(&mut self, key: Node<'_>, list: Node<'_>, function: &str) {
        let span = list.span();
        let items: Vec<Node<'_>> = list.items().collect();
        if !Self::is_block(list) {
            if let [only] = items[..] {
                // A single pair may have no brackets.
                let has_brackets = self.written(only).starts_with('{');
                let (open, close) = if has_brackets { ("", "") } else { ("{ ", " }") };
                self.replace(span.start, only.span().start, open);
                return self.replace(only.span().end, span.end, close);
            }
            self.insert(span.start, format!("{{ {function}: "));
            return self.insert(span.end, " }");
        }
        if let [only] = items[..] {
            let Some(dash) = self.dash(only) else { return };
            let width = only.span().start - dash;
            if self.column(dash) > self.column(key.span().start) {
                self.replace(dash, only.span().start, "");
                self.shift(self.line(dash) + 1, self.last_line(only), -(width as usize).cast_signed());
            } else {
                self.replace(dash, only.span().start, " ".repeat(width as usize));
            }
            return;
        }
        let column = self.column(span.start);
        let line = self.line(span.start);
        if column > self.column(key.span().start) {
            self.insert_lines(line, span.start, &format!("{}{function}:", " ".repeat(column)));
        } else {
            self.insert_lines(line, span.start, &format!("{}{function}:", " ".repeat(column + STEP)));
            self.shift(line, self.last_line(list), STEP.cast_signed());
        }
    }

    /// Replaces consecutive items.
    pub(super) fn replace_items(&mut self, list: Node<'_>, items: &[Node<'_>], texts: &[String]) {
        let (Some(first), Some(last)) = (items.first(), items.last()) else { return };
        let separator = if Self::is_block(list) {
            let Some(dash) = self.dash(*first) else { return };
            format!("\n{}- ", " ".repeat(self.column(dash)))
        } else {
            ", ".to_owned()
        };
        self.replace(first.span().start, last.span().end, texts.join(&separator));
    }

    /// Replaces a value with clauses, each on a separate line if the value was on separate lines. Comments between the
    /// old clauses move to the top.
    pub(super) fn clauses(&mut self, key: Node<'_>, node: Node<'_>, function: &str, clauses: &[String]) {
        let span = node.span();
        let flow = match clauses {
            [only] => format!("{{ {only} }}"),
            _ => format!("{{ {function}: [ {{ {} }} ] }}", clauses.join(" }, { ")),
        };
        if !Self::is_block(node) {
            return self.replace(span.start, span.end, format!("{}{flow}", self.gap(span.start)));
        }
        // A list may have the indentation of its key, but a map may not.
        let column = self.column(span.start);
        let step = if column > self.column(key.span().start) { 0 } else { STEP };
        let indentation = " ".repeat(column + step);
        let mut lines: Vec<String> = Vec::new();
        for comment in self.document.comments().iter().filter(|it| span.start <= it.start && it.end <= span.end) {
            lines.push(self.slice(comment.start, comment.end).trim_end().to_owned());
        }
        match clauses {
            [only] => lines.push(only.clone()),
            _ => {
                lines.push(format!("{function}:"));
                lines.extend(clauses.iter().map(|clause| format!("  - {clause}")));
            }
        }
        let text = lines.join(&format!("\n{indentation}"));
        self.replace(span.start, span.end, format!("{}{text}", " ".repeat(step)));
    }

    /// Appends an item to a list.
    pub(super) fn add_item(&mut self, list: Node<'_>, item: &[&str]) {
        let span = list.span();
        let flow = format!("{{ {} }}", item.join(", "));
        match list.items().last() {
            None => self.replace(span.start, span.end, format!("{}[ {flow} ]", self.gap(span.start))),
            Some(last) if !Self::is_block(list) => self.insert(last.span().end, format!(", {flow}")),
            Some(_) => {
                let indentation = " ".repeat(self.column(span.start));
                let text = item.join(&format!("\n{indentation}  "));
                self.insert_lines(self.last_line(list) + 1, span.start, &format!("{indentation}- {text}"));
            }
        }
    }

    /// Inserts a section before an existing one and the comments above it.
    pub(super) fn add_section(&mut self, before: Node<'_>, text: &str) {
        let at = before.span().start;
        let line_text = |line: usize| self.slice(self.start_of(line), self.start_of(line + 1)).trim_end();
        let mut line = self.line(at);
        while line > 0 && line_text(line - 1).starts_with('#') {
            line -= 1;
        }
        let is_apart = line > 0 && line_text(line - 1).is_empty();
        self.insert_lines(line, at, &if is_apart { format!("{text}\n") } else { text.to_owned() });
    }

    /// Returns the distance by which the first `shifts` shifts move a line.
    fn moves(&self, line: usize, shifts: usize) -> isize {
        let shifts = self.shifts[..shifts].iter().filter(|shift| shift.first <= line && line <= shift.last);
        shifts.map(|shift| shift.by).sum()
    }

    /// Returns the edits, in order, without edits that are within others.
    pub(super) fn finish(mut self) -> Vec<(u32, u32, String)> {
        let mut pieces = std::mem::take(&mut self.pieces);
        for piece in pieces.iter_mut().filter(|piece| piece.text.contains('\n')) {
            let by = self.moves(piece.line, piece.shifts);
            piece.text = moved(&piece.text, by, piece.rank == Rank::Lines);
        }
        let removed: Vec<(u32, u32)> =
            pieces.iter().filter(|piece| piece.text.is_empty()).map(|piece| (piece.start, piece.end)).collect();
        let mut lines: Vec<usize> = self.shifts.iter().flat_map(|shift| shift.first..=shift.last).collect();
        lines.sort_unstable();
        lines.dedup();
        for line in lines {
            let (start, by) = (self.start_of(line), self.moves(line, self.shifts.len()));
            let text = self.slice(start, self.start_of(line + 1));
            let is_gone = removed.iter().any(|(from, to)| *from <= start && start < *to);
            if text.trim().is_empty() || by == 0 || is_gone {
                continue;
            }
            let (end, text) = match usize::try_from(by) {
                Ok(by) => (start, " ".repeat(by)),
                Err(_) => {
                    let blanks = text.len() - text.trim_start_matches(' ').len();
                    (start + blanks.min(by.unsigned_abs()) as u32, String::new())
                }
            };
            pieces.push(Piece { start, end, text, rank: Rank::Indentation, line, shifts: 0 });
        }
        pieces.sort_by_key(|piece| (piece.start, piece.end, piece.rank));
        let ending = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut made: Vec<(u32, u32, String)> = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let text = if ending == "\n" { piece.text } else { piece.text.replace('\n', ending) };
            match made.last_mut() {
                Some((_, end, _)) if piece.start < *end => {}
                // Insertions at the same position become one edit.
                Some((start, end, before)) if *start == piece.start && *end == piece.start => {
                    before.push_str(&text);
                    *end = piece.end;
                }
                _ => made.push((piece.start, piece.end, text)),
            }
        }
        made
    }
}

/// Shifts text with several lines. The first line starts at the position of the insertion, unless the text consists of
/// whole lines.
fn moved(text: &str, by: isize, is_whole: bool) -> String {
    let blanks = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let lines = text.split('\n').enumerate().map(|(number, line)| match usize::try_from(by) {
        _ if line.is_empty() || number == 0 && !is_whole => line.to_owned(),
        Ok(by) => format!("{}{line}", " ".repeat(by)),
        Err(_) => line[blanks(line).min(by.unsigned_abs())..].to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Formats a scalar for use in brackets: quoted, if necessary. A string that starts with a dollar sign is not a call.
pub(super) fn inline(patch: &Patch<'_>, node: Node<'_>) -> String {
    let (text, is_text) = (node.text(), node.kind() == Kind::String);
    let escaped = if is_text && text.starts_with('$') { "$" } else { "" };
    if node.is_alias() {
        return patch.written(node).to_owned();
    }
    match node.style() {
        Style::Plain if node.kind() == Kind::Null => "null".to_owned(),
        Style::Plain if is_text && (text.contains([',', '[', ']', '{', '}', '\n']) || text.contains(": ")) => {
            quoted(&format!("{escaped}{text}"))
        }
        Style::Plain => format!("{escaped}{text}"),
        Style::SingleQuoted | Style::DoubleQuoted => {
            let written = patch.written(node);
            format!("{}{escaped}{}", &written[..1], &written[1..])
        }
        _ => serde_json::Value::from(format!("{escaped}{text}")).to_string(),
    }
}

/// Puts text in single quotes.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
