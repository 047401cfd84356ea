//! The lines in the box of a node, for writers of text.

use crate::{Mark, Node, OpenRequirement};

/// The colors of problems.
pub(crate) const ERROR: &str = "#dc2626";
pub(crate) const WARNING: &str = "#b45309";

/// The maximum number of problems shown per node.
pub(crate) const MAX_MARKS: usize = 3;

/// A line below the name.
#[derive(Clone, Debug)]
pub(crate) enum Line<'a> {
    Directive(&'a str),
    Kind(&'a str),
    Row(&'a str, &'a str),
    Note(String),
    Open(&'a OpenRequirement),
    Mark(&'a Mark),
}

/// Returns the lines below the name of a node.
pub(crate) fn lines(node: &Node) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = node.directive.iter().map(|directive| Line::Directive(directive)).collect();
    if !node.kind.is_empty() {
        lines.push(Line::Kind(&node.kind));
    }
    lines.extend(node.rows.iter().map(|(name, value)| Line::Row(name, value)));
    lines.extend(node.also_in.iter().map(|group| Line::Note(format!("also in {group}"))));
    lines.extend(node.notes.iter().cloned().map(Line::Note));
    lines.extend(node.dangling.iter().map(Line::Open));
    lines.extend(node.marks.iter().take(MAX_MARKS).map(Line::Mark));
    lines.extend(more_marks(node).map(Line::Note));
    lines
}

/// Returns a line for the problems that are not shown.
pub(crate) fn more_marks(node: &Node) -> Option<String> {
    let more = node.marks.len().saturating_sub(MAX_MARKS);
    (more > 0).then(|| format!("… {more} more problems"))
}

/// Returns a line as plain text.
pub(crate) fn plain(line: &Line<'_>) -> String {
    match line {
        Line::Directive(text) | Line::Kind(text) => (*text).to_owned(),
        Line::Row(name, value) => format!("{name}: {value}"),
        Line::Note(note) => note.clone(),
        Line::Open(open) => {
            let optional = if open.is_optional { " (optional)" } else { "" };
            format!("◌ {} → {}{optional}", open.title(), wanted(&open.asked))
        }
        Line::Mark(mark) => format!("{} {}", mark.sign(), mark.text),
    }
}

/// Returns the target that a requirement names, or a question mark if it names none.
pub(crate) fn wanted(asked: &str) -> &str {
    if asked.is_empty() { "?" } else { asked }
}

/// Returns the color of the severest problem of a node.
pub(crate) fn mark_color(node: &Node) -> Option<&'static str> {
    let is_error = |mark: &Mark| mark.sign() == '✖';
    if node.marks.iter().any(is_error) { Some(ERROR) } else { node.marks.first().map(|_| WARNING) }
}
