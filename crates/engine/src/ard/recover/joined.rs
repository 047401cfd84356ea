//! Repairs of lines that were joined because the line break between them was lost.

use super::candidates::{Candidate, content, depth, depths};
use crate::ard::quote::ticked;

/// The maximum number of places at which a line is divided.
const PLACES: usize = 3;

/// The maximum number of places that are considered, nearest to the error first.
const CLOSE: usize = 16;

/// The number of lines before and after a line in which its keys are looked for.
const NEAR: usize = 200;

/// Returns repairs that divide a line near the given column. A division is likely if the second part begins with an item
/// or with a key that also begins another line, or if the first part ends like a line; otherwise the value may contain a
/// colon.
pub(super) fn candidates(lines: &[&str], number: usize, column: usize, is_likely: bool) -> Vec<Candidate> {
    let line = lines[number];
    let mut places = places(line);
    let near = &lines[number.saturating_sub(NEAR)..lines.len().min(number + NEAR)];
    let is_key_elsewhere = |key: &str| near.iter().any(|other| is_key(content(other), key));
    places.sort_by_key(|place| place.abs_diff(column));
    places.truncate(CLOSE);
    places.retain(|place| {
        let (before, rest) = line.split_at(*place);
        let is_after_gap = before.ends_with("  ") || before.trim_end().ends_with(['}', ']']);
        let is_begun = rest.starts_with("- ") || rest.split_once(':').is_some_and(|(key, _)| is_key_elsewhere(key));
        (is_after_gap || is_begun || is_word(before) && rest.starts_with(char::is_lowercase)) == is_likely
    });
    let mut found = Vec::new();
    for place in places.into_iter().take(PLACES) {
        let head = line[..place].trim_end();
        let blanks = place - head.len();
        let own = line.len() - content(line).len();
        let inner = if head.ends_with(':') { own + 2 } else { own };
        // The line break may have been lost with the indentation or without it.
        let mut likely = vec![inner, own, depth(line)];
        if blanks > 1 {
            likely.insert(0, blanks);
        }
        likely.extend(depths(lines, number).into_iter().rev());
        let mut tried = Vec::new();
        for depth in likely {
            if tried.contains(&depth) {
                continue;
            }
            tried.push(depth);
            let second = line[place..].split_whitespace().take(2).collect::<Vec<_>>().join(" ");
            let help = format!("begin a new line before {} on line {}", ticked(&second), number + 1);
            let divided = format!("{head}\n{}{}", " ".repeat(depth), &line[place..]);
            let repaired = Candidate::line(number, divided, help);
            found.push(Candidate { divided_at: Some(place), ..repaired });
        }
    }
    found
}

/// Returns whether the first value in a text is a single word.
fn is_word(text: &str) -> bool {
    text.split_once(": ").is_some_and(|(_, value)| {
        let value = value.trim();
        !value.is_empty() && value.chars().all(|char| char.is_alphanumeric() || "_.:-".contains(char))
    })
}

/// Returns whether a text begins with a key.
fn is_key(text: &str, key: &str) -> bool {
    text.strip_prefix(key).is_some_and(|rest| rest.starts_with(':'))
}

/// Returns the columns at which a key or an item may begin, outside of brackets and quotes.
fn places(line: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let (mut open, mut quote, mut word) = (0_usize, None, None);
    let start = line.len() - content(line).len();
    for (at, char) in line.char_indices().skip_while(|(at, _)| *at < start) {
        let is_start = at > start && line[..at].ends_with([' ', '\t']);
        let rest = &line[at + char.len_utf8()..];
        let ends = rest.is_empty() || rest.starts_with([' ', '\t']);
        match char {
            _ if quote == Some(char) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' if line[..at].ends_with([' ', '[', '{', ',']) => quote = Some(char),
            '[' | '{' => open += 1,
            ']' | '}' => open = open.saturating_sub(1),
            '-' if open == 0 && is_start && rest.starts_with(' ') => found.push(at),
            ':' if open == 0 && ends => found.extend(word.take()),
            ' ' | '\t' => word = None,
            _ if open == 0 && is_start => word = Some(at),
            _ => {}
        }
        if open > 0 || quote.is_some() {
            word = None;
        }
    }
    // The key of an item belongs to its dash.
    let is_of_item = |place: &usize| line[..*place].trim_end().ends_with(" -");
    found.retain(|place| !is_of_item(place));
    found
}
