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
}

/// A line below the head of a box: a pale part and a normal one.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) is: LineRole,
    pub(crate) pale: String,
    pub(crate) text: String,
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
        lines.push(Line { is: LineRole::Property, pale, text });
    }
    for group in &node.also_in {
        let text = fitting(group, Style::Small, MAX - GAP - width("also in", Style::Small));
        lines.push(Line { is: LineRole::Note, pale: "also in".to_owned(), text });
    }
    for note in &node.notes {
        lines.push(Line { is: LineRole::Note, pale: fitting(note, Style::Small, MAX), text: String::new() });
    }
    for dangling in &node.dangling {
        let text = fitting(&dangling.title(), Style::Small, 0.6 * MAX - MARK);
        let room = MAX - MARK - GAP - width(&text, Style::Small);
        let pale = fitting(&format!("→ {}", crate::label::wanted(&dangling.asked)), Style::Small, room);
        let is = if dangling.is_optional { LineRole::Optional } else { LineRole::Dangling };
        lines.push(Line { is, pale, text });
    }
    for mark in node.marks.iter().take(MAX_MARKS) {
        let text = fitting(&mark.text, Style::Small, MAX - MARK);
        lines.push(Line { is: LineRole::of(mark), pale: String::new(), text });
    }
    if let Some(more) = more_marks(node) {
        lines.push(Line { is: LineRole::Note, pale: more, text: String::new() });
    }
    let mut widest = (width(&name, Style::Name) + number_room).max(width(&kind, Style::Small));
    for line in &lines {
        let mark = if line.is.has_mark() { MARK } else { 0.0 };
        widest = widest.max(mark + width(&line.pale, Style::Small) + GAP + width(&line.text, Style::Small));
    }
    let head = if kind.is_empty() { 34.0 } else { 48.0 };
    let body = if lines.is_empty() { 0.0 } else { LINE * lines.len() as f64 + 12.0 };
    Card { width: (widest + 2.0 * PADDING).max(110.0).ceil(), height: head + body, head, name, number, kind, lines }
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
