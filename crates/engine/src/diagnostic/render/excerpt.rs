//! The source excerpts that illustrate a problem.
//!
//! For every problem, the library that draws the carets processes the whole text that it receives. So it receives as
//! little as possible: the lines with marks, cut if they are very long, and empty lines between them. Marks that are
//! too far apart for one excerpt get separate excerpts.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Snippet};
use unicode_width::UnicodeWidthChar;

use super::printable::{code_len, push_code, sanitize};
use crate::diagnostic::{MASK, Span, credential_ranges};
use crate::text::{LineColumn, Source};

/// The maximum distance between marks in one excerpt, in lines.
const NEAR: u32 = 500;

/// A position to mark, on the first line of its span.
pub(super) struct Mark<'a> {
    source: &'a Source,
    at: LineColumn,
    /// Offsets in the text.
    range: Range<usize>,
    /// The width in columns, at least one.
    width: usize,
    kind: AnnotationKind,
    label: Cow<'a, str>,
}

impl<'a> Mark<'a> {
    /// Creates the mark for the problem's own position, shortened to the given number of columns.
    pub(super) fn primary(source: &'a Source, span: Span, columns: usize) -> Self {
        Self::new(source, span, columns, AnnotationKind::Primary, "")
    }

    /// Creates the mark for a position that explains the problem.
    pub(super) fn context(source: &'a Source, span: Span, columns: usize, label: &'a str) -> Self {
        Self::new(source, span, columns, AnnotationKind::Context, label)
    }

    fn new(source: &'a Source, span: Span, columns: usize, kind: AnnotationKind, label: &'a str) -> Self {
        let at = source.line_column(span.start);
        let line = source.line_range(at.line);
        let start = source.floor(span.start).clamp(line.start, line.end);
        let end = source.floor(span.end).max(start);
        let marked = &source.text()[start..end.min(line.end)];
        let marked = if end > line.end { marked.trim_end() } else { marked };

        let (mut length, mut width) = (0, 0);
        for character in marked.chars() {
            let next = width + columns_of(character);
            if next > columns {
                break;
            }
            (length, width) = (length + character.len_utf8(), next);
        }
        Self { source, at, range: start..start + length, width: width.max(1), kind, label: sanitize(label) }
    }

    /// Returns the number of characters before the mark on its line.
    fn left(&self) -> usize {
        self.at.column as usize - 1
    }

    /// Returns an upper bound for the number of characters up to the end of the mark on its line.
    fn right(&self) -> usize {
        self.left() + self.width
    }
}

/// Returns an upper bound for the width of a character, in columns; a combining character counts as one.
fn columns_of(character: char) -> usize {
    if character == '\t' { 4 } else { character.width().unwrap_or(1).max(1) }
}

/// An excerpt: marks in one source that are close enough to be shown together.
pub(super) struct Picture<'a> {
    source: &'a Source,
    /// The position in the header: that of the problem if it is in the excerpt, otherwise that of the first mark.
    head: (AnnotationKind, LineColumn),
    marks: Vec<Mark<'a>>,
}

impl<'a> Picture<'a> {
    /// Distributes marks over as few excerpts as the width allows. The first mark is in the first excerpt.
    pub(super) fn arrange(marks: impl IntoIterator<Item = Mark<'a>>, columns: usize) -> Vec<Self> {
        let mut pictures: Vec<Self> = Vec::new();
        for mark in marks {
            match pictures.iter_mut().find(|picture| picture.has_room_for(&mark, columns)) {
                Some(picture) => picture.add(mark),
                None => pictures.push(Self { source: mark.source, head: (mark.kind, mark.at), marks: vec![mark] }),
            }
        }
        pictures
    }

    fn add(&mut self, mark: Mark<'a>) {
        self.head = self.head.min((mark.kind, mark.at));
        self.marks.push(mark);
    }

    fn has_room_for(&self, mark: &Mark, columns: usize) -> bool {
        let (mut first, mut last) = (mark.at.line, mark.at.line);
        let (mut left, mut right) = (mark.left(), mark.right());
        for known in &self.marks {
            (first, last) = (first.min(known.at.line), last.max(known.at.line));
            (left, right) = (left.min(known.left()), right.max(known.right()));
        }
        self.source.id() == mark.source.id() && last - first <= NEAR && right - left <= columns
    }

    /// Returns the source and the position in the header.
    pub(super) fn place(&self) -> (&'a Source, LineColumn) {
        (self.source, self.head.1)
    }

    /// Converts the excerpt to the form that the library draws.
    pub(super) fn snippet(mut self, columns: usize) -> Snippet<'a, Annotation<'a>> {
        // The sort is stable, so labels for the same position keep their order in the problem.
        self.marks.sort_by_key(|mark| (mark.at, mark.kind));
        // The library shortens lines to the width and marks the omissions. For this, it needs slightly more text than
        // fits, but not megabytes.
        let spare = 2 * columns;
        let left = self.marks.iter().map(Mark::left).min().unwrap_or(0).saturating_sub(spare);
        let length = self.marks.iter().map(Mark::right).max().unwrap_or(0) + spare - left;

        let text: &str = self.source.text();
        let first_line = self.marks.first().map_or(1, |mark| mark.at.line);
        let mut next_line = first_line;
        let mut code = String::new();
        let mut annotations = Vec::with_capacity(self.marks.len());
        for marks in self.marks.chunk_by(|one, other| one.at.line == other.at.line) {
            let line = marks[0].at.line;
            if next_line > first_line && line - next_line == 1 {
                // A single line between two marked lines is shown; longer gaps are only indicated.
                let range = self.source.line_range(next_line);
                let start = self.source.floor((range.start + left).min(range.end) as u32);
                Shown::of(text, &range, start, ahead(&text[start..range.end], length)).push(&mut code);
            }
            code.extend((next_line..line).map(|_| '\n'));
            next_line = line + 1;

            let start = back(text, marks[0].range.start, marks[0].left() - left);
            let base = code.len();
            let range = self.source.line_range(line);
            let shown = Shown::of(text, &range, start, ahead(&text[start..range.end], length));
            shown.push(&mut code);
            code.push('\n');
            annotations.extend(marks.iter().map(|mark| {
                let from = base + shown.start(mark.range.start - start);
                let to = base + shown.end(mark.range.end - start);
                let label = (!mark.label.is_empty()).then(|| mark.label.clone());
                mark.kind.span(from..to).label(label)
            }));
        }
        Snippet::source(code).line_start(first_line as usize).annotations(annotations)
    }
}

/// A part of a line with masked credentials. The masks do not show the length of the credentials.
struct Shown<'a> {
    part: &'a str,
    masked: Vec<Range<usize>>,
}

impl<'a> Shown<'a> {
    /// Prepares `part`, which begins at `start` on the given line. A credential may begin before the part, but the
    /// search does not start at the beginning of the line, because lines may be very long.
    fn of(text: &str, line: &Range<usize>, start: usize, part: &'a str) -> Self {
        const BEFORE: usize = 256;
        const AFTER: usize = 64;
        let before = back(&text[line.start..start], start - line.start, BEFORE) + line.start;
        let end = start + part.len();
        let after = end + ahead(&text[end..line.end], AFTER).len();
        let inside = |range: Range<usize>| {
            let [from, to] = [range.start, range.end].map(|offset| (before + offset).clamp(start, end) - start);
            (from < to).then_some(from..to)
        };
        Self { part, masked: credential_ranges(&text[before..after]).into_iter().filter_map(inside).collect() }
    }

    fn push(&self, out: &mut String) {
        let mut end = 0;
        for range in &self.masked {
            push_code(out, &self.part[end..range.start]);
            out.push_str(MASK);
            end = range.end;
        }
        push_code(out, &self.part[end..]);
    }

    /// Returns the number of bytes before the given offset; an offset in a credential is that of its start.
    fn start(&self, offset: usize) -> usize {
        let (mut length, mut end) = (0, 0);
        for range in self.masked.iter().take_while(|range| range.start < offset) {
            length += code_len(&self.part[end..range.start], range.start - end);
            if offset < range.end {
                return length;
            }
            length += MASK.len();
            end = range.end;
        }
        length + code_len(&self.part[end..], offset - end)
    }

    /// Returns the number of bytes before the given offset; an offset in a credential is that of its end.
    fn end(&self, offset: usize) -> usize {
        let credential = self.masked.iter().find(|range| range.start < offset && offset < range.end);
        self.start(credential.map_or(offset, |range| range.end))
    }
}

/// Returns the offset of the character that is the given number of characters before `offset`.
fn back(text: &str, offset: usize, characters: usize) -> usize {
    let mut before = text[..offset].char_indices().rev().map(|(start, _)| start);
    characters.checked_sub(1).map_or(offset, |index| before.nth(index).unwrap_or(0))
}

/// Returns the given number of characters at the start of `text`.
fn ahead(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::SourceId;

    fn source(text: &str) -> Source {
        Source::new(SourceId(0), "service.yaml", text)
    }

    fn span(start: u32, end: u32) -> Span {
        Span { source: SourceId(0), start, end }
    }

    fn marked(text: &str, start: u32, end: u32, columns: usize) -> String {
        let source = source(text);
        let mark = Mark::primary(&source, span(start, end), columns);
        text[mark.range].to_owned()
    }

    #[test]
    fn a_mark_covers_the_first_line_of_its_span() {
        assert_eq!(marked("a: 1\nb: 2\n", 0, 4, 80), "a: 1");
        assert_eq!(marked("a: 1  \r\nb: 2\n", 3, 12, 80), "1");
        assert_eq!(marked("a: 1\nb: 2\n", 4, 9, 80), "");
        assert_eq!(marked("a: 1\nb: 2\n", 5, 900, 80), "b: 2");
        assert_eq!(marked("a: 1\nb: 2\n", 9, 2, 80), "", "backwards");
    }

    #[test]
    fn a_mark_fits_into_the_columns() {
        assert_eq!(marked("abcdef", 1, 6, 3), "bcd");
        assert_eq!(marked("漢漢漢漢", 0, 12, 5), "漢漢");
        assert_eq!(marked("e\u{301}\u{301}\u{301}x", 0, 8, 3), "e\u{301}\u{301}");
    }

    #[test]
    fn masks_do_not_show_the_length_of_credentials() {
        let shown = |user: &str| {
            let line = format!("\ta: http://{user}@b/c");
            let mut out = String::new();
            let shown = Shown::of(&line, &(0..line.len()), 0, &line);
            shown.push(&mut out);
            let marked = |from: usize, to: usize| out[shown.start(from)..shown.end(to)].to_owned();
            let host = line.len() - "b/c".len();
            let marks = [marked(11, host - 1), marked(12, 13), marked(host, host + 1), marked(1, 2), marked(4, host)];
            (out, marks)
        };
        let (line, marks) = shown("ada:pw");
        assert_eq!(line, "    a: http://*****@b/c");
        assert_eq!(marks, ["*****", "*****", "b", "a", "http://*****@"]);
        assert_eq!(shown("ada:a-much-longer-password"), (line, marks));
    }

    #[test]
    fn distant_marks_have_separate_excerpts() {
        let lines = "x\n".repeat(2000);
        let other = Source::new(SourceId(1), "base.yaml", "x\n");
        let source = source(&lines);
        let mark = |line: u32| Mark::primary(&source, span(2 * line, 2 * line + 1), 80);
        let count = |marks: Vec<Mark>| Picture::arrange(marks, 80).len();
        assert_eq!(count(vec![mark(1), mark(NEAR), mark(0)]), 1);
        assert_eq!(count(vec![mark(1), mark(NEAR + 2), mark(3)]), 2);
        assert_eq!(count(vec![mark(1), Mark::primary(&other, span(0, 1), 80), mark(2)]), 2);
        let wide = self::source(&"x".repeat(500));
        let mark = |column| Mark::primary(&wide, span(column, column + 2), 80);
        assert_eq!(count(vec![mark(1), mark(78), mark(300)]), 2);
    }

    #[test]
    fn characters_are_counted_in_both_directions() {
        assert_eq!(back("aäb", 3, 0), 3);
        assert_eq!(back("aäb", 3, 1), 1);
        assert_eq!(back("aäb", 3, 2), 0);
        assert_eq!(back("aäb", 3, 9), 0);
        assert_eq!(ahead("aäb", 2), "aä");
        assert_eq!(ahead("aäb", 9), "aäb");
    }
}
