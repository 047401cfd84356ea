//! The size of text.
//!
//! The font is only known when the diagram is shown. So the widest likely font, `DejaVu Sans`, determines the size;
//! other fonts leave a little more space.

use unicode_width::UnicodeWidthChar;

use crate::label::{MAX_MARKS, more_marks};
use crate::text::{WORD_END, is_word};
use crate::{Group, Mark, Node};

/// The widths of the characters from space to tilde, in hundredths of the font size.
#[rustfmt::skip]
const REGULAR: [u8; 95] = [
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84,
    84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61,
    69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59,
    82, 59, 59, 52, 64, 34, 64, 84,
];

/// The widths in bold.
#[rustfmt::skip]
const BOLD: [u8; 95] = [
    35, 46, 52, 84, 70, 100, 87, 31, 46, 46, 52, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 40, 40, 84,
    84, 84, 58, 100, 77, 76, 73, 83, 68, 68, 82, 84, 37, 37, 77, 64, 100, 84, 85, 73, 85, 77, 72, 68, 81, 77, 110, 77,
    72, 73, 46, 37, 46, 84, 50, 50, 67, 72, 59, 72, 68, 44, 72, 71, 34, 34, 67, 34, 104, 71, 69, 72, 72, 49, 60, 48, 71,
    65, 92, 65, 65, 58, 71, 37, 71, 84,
];

/// The style of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// The name of a box.
    Name,
    /// Everything else.
    Small,
    /// Emphasized text.
    Strong,
}

impl Style {
    /// Returns the size of the font, in pixels.
    pub(super) fn size(self) -> f64 {
        if self == Self::Name { 13.0 } else { 11.0 }
    }
}

/// Returns the width of a string, in pixels.
pub(super) fn width(text: &str, style: Style) -> f64 {
    let table = if style == Style::Small { &REGULAR } else { &BOLD };
    let hundredths: u32 = text
        .chars()
        .map(|character| match u32::from(character).checked_sub(32) {
            Some(index) if index < 95 => u32::from(table[index as usize]),
            _ => match character.width().unwrap_or(1) {
                0 => 0,
                1 => 80,
                _ => 110,
            },
        })
        .sum();
    f64::from(hundredths) * style.size() / 100.0
}

/// Shortens a string to a width. Text loses its end, and a word its middle.
pub(super) fn fitting(text: &str, style: Style, most: f64) -> String {
    if width(text, style) <= most {
        return text.to_owned();
    }
    let rest = most - width("…", style);
    let end = if is_word(text) { first(text.chars().rev(), style, rest / WORD_END as f64) } else { String::new() };
    let start = first(text.chars(), style, rest - width(&end, style));
    start.trim_end().chars().chain(['…']).chain(end.chars().rev()).collect()
}

/// Returns the first characters that have a width together.
fn first(characters: impl Iterator<Item = char>, style: Style, most: f64) -> String {
    let mut made = String::new();
    for character in characters {
        made.push(character);
        if width(&made, style) > most {
            made.pop();
            break;
        }
    }
    made
}

/// The maximum width of the lines in a box.
const MAX: f64 = 210.0;

/// The space between the border of a box and its content.
pub(super) const PADDING: f64 = 12.0;

/// The height of a line in the body of a box.
pub(super) const LINE: f64 = 16.0;

/// The content of a box, with its size.
#[derive(Clone, Debug)]
pub(crate) struct Card {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// The height of the part with the name and the type.
    pub(crate) head: f64,
    pub(crate) name: String,
    pub(crate) number: String,
    pub(crate) kind: String,
    pub(crate) lines: Vec<Line>,
    /// The number of rows that the lines take.
    pub(crate) rows: usize,
    /// The center of the name, and the left side of the lines.
    pub(crate) middle: f64,
    pub(crate) left: f64,
}

impl Card {
    /// Returns the width of the words in the head of a node with others inside, which are side by side.
    pub(super) fn words(&self) -> f64 {
        let number = if self.number.is_empty() { 0.0 } else { GAP + 2.0 + width(&self.number, Style::Strong) };
        let kind = if self.kind.is_empty() { 0.0 } else { GAP + 2.0 + width(&self.kind, Style::Small) };
        width(&self.name, Style::Name) + number + kind
    }

    /// Returns the width of the lines.
    pub(super) fn lines_width(&self) -> f64 {
        self.lines.iter().map(|line| line.left + line.width()).fold(0.0, f64::max)
    }
}

/// A line below the head of a box: a pale part and a normal one.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) is: LineRole,
    pub(crate) pale: String,
    pub(crate) text: String,
    /// Its row, and its distance from the left side of the lines.
    pub(crate) row: usize,
    pub(crate) left: f64,
}

impl Line {
    fn new(is: LineRole, pale: String, text: String) -> Self {
        Self { is, pale, text, row: 0, left: 0.0 }
    }

    fn width(&self) -> f64 {
        let mark = if self.is.has_mark() { MARK } else { 0.0 };
        mark + width(&self.pale, Style::Small) + GAP + width(&self.text, Style::Small)
    }
}

/// The role of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineRole {
    Property,
    Note,
    Dangling,
    /// An open requirement that may stay open.
    Optional,
    Error,
    Warning,
}

impl LineRole {
    /// Returns whether there is a mark in front of the line.
    pub(super) fn has_mark(self) -> bool {
        !matches!(self, Self::Property | Self::Note)
    }

    fn of(mark: &Mark) -> Self {
        if mark.sign() == '✖' { Self::Error } else { Self::Warning }
    }
}

/// The space for the mark in front of an open requirement.
pub(super) const MARK: f64 = 14.0;

/// The space between the two parts of a line.
pub(super) const GAP: f64 = 5.0;

pub(super) fn card(node: &Node) -> Card {
    let number_most = (MAX - width(&node.name, Style::Name)).max(MAX / 2.0) - GAP - 2.0;
    let number = fitting(node.number.as_deref().unwrap_or_default(), Style::Strong, number_most);
    let number_room = if number.is_empty() { 0.0 } else { width(&number, Style::Strong) + GAP + 2.0 };
    let name = fitting(&node.name, Style::Name, MAX - number_room);
    let kind = match &node.directive {
        Some(directive) if node.kind.is_empty() => format!("({directive})"),
        Some(directive) => format!("{} ({directive})", node.kind),
        None => node.kind.clone(),
    };
    let kind = fitting(&kind, Style::Small, MAX);
    let mut lines = Vec::new();
    for (name, value) in &node.rows {
        let pale = fitting(name, Style::Small, 0.6 * MAX);
        let text = fitting(value, Style::Small, MAX - GAP - width(&pale, Style::Small));
        lines.push(Line::new(LineRole::Property, pale, text));
    }
    for group in &node.also_in {
        let text = fitting(group, Style::Small, MAX - GAP - width("also in", Style::Small));
        lines.push(Line::new(LineRole::Note, "also in".to_owned(), text));
    }
    for note in &node.notes {
        lines.push(Line::new(LineRole::Note, fitting(note, Style::Small, MAX), String::new()));
    }
    for dangling in &node.dangling {
        let text = fitting(&dangling.title(), Style::Small, 0.6 * MAX - MARK);
        let room = MAX - MARK - GAP - width(&text, Style::Small);
        let pale = fitting(&format!("→ {}", crate::label::wanted(&dangling.asked)), Style::Small, room);
        let is = if dangling.is_optional { LineRole::Optional } else { LineRole::Dangling };
        lines.push(Line::new(is, pale, text));
    }
    for mark in node.marks.iter().take(MAX_MARKS) {
        let text = fitting(&mark.text, Style::Small, MAX - MARK);
        lines.push(Line::new(LineRole::of(mark), String::new(), text));
    }
    if let Some(more) = more_marks(node) {
        lines.push(Line::new(LineRole::Note, more, String::new()));
    }
    let mut widest = (width(&name, Style::Name) + number_room).max(width(&kind, Style::Small));
    for (row, line) in lines.iter_mut().enumerate() {
        line.row = row;
        widest = widest.max(line.width());
    }
    let head = if kind.is_empty() { 34.0 } else { 48.0 };
    let full = (widest + 2.0 * PADDING).max(MIN_WIDTH).ceil();
    let rows = lines.len();
    let (middle, left) = (full / 2.0, PADDING);
    Card { width: full, height: head + body(rows), head, name, number, kind, lines, rows, middle, left }
}

/// The minimum width of a box.
const MIN_WIDTH: f64 = 110.0;

/// Returns the height of the part of a box with lines.
fn body(rows: usize) -> f64 {
    if rows == 0 { 0.0 } else { LINE * rows as f64 + 12.0 }
}

/// The height of the head of a node with others inside, with its name and its type side by side.
const HOST_HEAD: f64 = 28.0;

/// The maximum width of the words in this head, and the space between lines in the same row.
const HOST_WIDTH: f64 = 280.0;
const LINE_GAP: f64 = 12.0;

/// Measures the head of a node with others inside. It is lower than a box, because a row of the diagram gets taller by
/// the heads of all frames that start in it: words and lines are side by side as far as they fit.
pub(super) fn host(node: &Node) -> Card {
    let mut made = card(node);
    let rest = HOST_WIDTH - made.words() + width(&made.kind, Style::Small);
    made.kind = fitting(&made.kind, Style::Small, rest.max(HOST_WIDTH / 4.0));
    let (mut row, mut at) = (0, 0.0);
    for line in &mut made.lines {
        let own = line.width();
        if at > 0.0 && at + own > HOST_WIDTH {
            (row, at) = (row + 1, 0.0);
        }
        (line.row, line.left) = (row, at);
        at += own + LINE_GAP;
    }
    made.rows = if made.lines.is_empty() { 0 } else { row + 1 };
    made.head = HOST_HEAD;
    made.height = HOST_HEAD + body(made.rows);
    made.width = (made.words().max(made.lines_width()) + 2.0 * PADDING).max(MIN_WIDTH).ceil();
    made.middle = made.width / 2.0;
    made
}

/// The label of an arrow.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) name: String,
    pub(crate) kind: String,
}

/// The height of a line in an arrow label.
pub(super) const LABEL_LINE: f64 = 13.0;

pub(super) fn label(name: &str, kind: &str) -> Label {
    let name = fitting(name, Style::Small, 0.7 * MAX);
    let kind = fitting(kind, Style::Small, 0.7 * MAX);
    let widest = width(&name, Style::Small).max(width(&kind, Style::Small));
    let lines = if name.is_empty() || kind.is_empty() { 1.0 } else { 2.0 };
    Label { width: (widest + 8.0).ceil(), height: lines * LABEL_LINE + 4.0, name, kind }
}

/// Returns the minimum width of a frame, so that its name fits.
pub(super) fn frame(group: &Group) -> f64 {
    let words = width(&group.name, Style::Strong) + GAP + width(&group.kind, Style::Small);
    words.min(MAX) + 2.0 * PADDING
}
