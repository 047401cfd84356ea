//! The lines around a syntax error.

use super::candidates::{Candidate, depth, is_blank};

/// The number of lines before the error that are in a window.
const BEFORE: usize = 60;

/// The number of lines after the error that are in a window.
const AFTER: usize = 100;

/// A part of a text in which repairs are tried.
pub(super) struct Window<'a> {
    lines: &'a [&'a str],
    /// The indexes of the lines above the window that enclose it or determine how it is read.
    enclosing: Vec<usize>,
    start: usize,
    end: usize,
}

impl<'a> Window<'a> {
    /// Returns a window of the whole text.
    pub(super) fn whole(lines: &'a [&'a str]) -> Self {
        Self { lines, enclosing: Vec::new(), start: 0, end: lines.len() }
    }

    /// Returns the window around the given line; `None` if it would be the whole text.
    pub(super) fn around(lines: &'a [&'a str], line: usize) -> Option<Self> {
        let start = line.saturating_sub(BEFORE);
        let end = lines.len().min(line + AFTER);
        (end - start < lines.len()).then(|| Self { lines, enclosing: outside(lines, start), start, end })
    }

    /// Returns the position of a line of the text in the window.
    pub(super) fn position(&self, line: usize) -> usize {
        self.enclosing.len() + line - self.start
    }

    /// Returns the index of the line of the text that has the given position in the window.
    pub(super) fn number(&self, position: usize) -> usize {
        match self.enclosing.get(position) {
            Some(line) => *line,
            None => self.start + position - self.enclosing.len(),
        }
    }

    /// Returns the text of the window.
    pub(super) fn text(&self) -> String {
        joined(self.numbers().map(|number| self.lines[number]))
    }

    /// Returns the text of the window after the given repair.
    pub(super) fn apply(&self, candidate: &Candidate) -> String {
        let mut replaced = candidate.lines.iter().peekable();
        let line = |number: usize| {
            while replaced.next_if(|(other, _)| *other < number).is_some() {}
            let own = if candidate.omitted.contains(&number) { "" } else { self.lines[number] };
            replaced.next_if(|(other, _)| *other == number).map_or(own, |(_, line)| line.as_str())
        };
        joined(self.numbers().map(line))
    }

    fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.enclosing.iter().copied().chain(self.start..self.end)
    }
}

/// Joins lines. The text may have so many that even a list of them would be large.
fn joined<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    text.pop();
    text
}

/// The number of lines at the start of a text that may determine how the rest is read, such as its version.
const HEAD: usize = 60;

/// Returns the indexes of the lines that enclose the lines from `start` on, and of the top-level keys with a plain value
/// at the start of the text.
fn outside(lines: &[&str], start: usize) -> Vec<usize> {
    let mut found = enclosing(lines, start);
    let is_top = |line: &str| depth(line) == 0 && !line.starts_with(['-', '#', '%', '}', ']']);
    let written: Vec<usize> = (0..start.min(HEAD)).filter(|number| !is_blank(lines[*number])).collect();
    let is_pair = |pair: &&[usize]| {
        let (line, next) = (lines[pair[0]], lines[pair[1]]);
        let value = line.split_once(": ").map(|(_, value)| value.trim_start());
        is_top(line) && is_top(next) && value.is_some_and(|value| value.starts_with(char::is_alphanumeric))
    };
    found.extend(written.windows(2).filter(is_pair).map(|pair| pair[0]));
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the indexes of the lines that enclose the lines from `start` on, judged by their indentation.
fn enclosing(lines: &[&str], start: usize) -> Vec<usize> {
    let is_item = |line: &str| line.trim_start().starts_with("- ");
    let Some(mut inner) = lines[start..].iter().find(|line| !is_blank(line)) else { return Vec::new() };
    let mut found = Vec::new();
    for (number, line) in lines[..start].iter().enumerate().rev().filter(|(_, line)| !is_blank(line)) {
        // The items of a list may have the same indentation as its key.
        let is_key_of_list = is_item(inner) && !is_item(line) && depth(line) == depth(inner);
        if depth(line) < depth(inner) || is_key_of_list {
            found.push(number);
            inner = line;
        }
    }
    found.reverse();
    found
}
