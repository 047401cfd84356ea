//! Repairs of lists and maps in brackets: missing commas and wrong closing brackets.

use super::candidates::Candidate;
use crate::ard::quote::ticked;

/// Returns the repairs for an error at the given column of a line.
pub(super) fn candidates(lines: &[&str], number: usize, column: usize) -> Vec<Candidate> {
    let line = lines[number];
    let column = (0..=column.min(line.len())).rev().find(|column| line.is_char_boundary(*column)).unwrap_or_default();
    let open = open(&line[..column]);
    let mut found = wrong_bracket(number, line);
    // An entry of a map begins with a key.
    let is_entry = open.last() != Some(&'{') || line[column..].starts_with(':');
    if is_entry && (!open.is_empty() || is_continued(lines, number)) {
        found.extend(comma(number, line, column));
    }
    found
}

/// Returns the brackets that are open at the end of a text, outside of quotes.
fn open(text: &str) -> Vec<char> {
    let (mut open, mut quote) = (Vec::new(), None);
    let mut before = ' ';
    for char in text.chars() {
        match (quote, char) {
            (Some(end), _) if end == char => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if " [{,".contains(before) => quote = Some(char),
            (None, '[' | '{') => open.push(char),
            (None, ']' | '}') => drop(open.pop()),
            _ => {}
        }
        before = char;
    }
    open
}

/// Returns whether a line above opens brackets that may continue on the line.
fn is_continued(lines: &[&str], number: usize) -> bool {
    lines[..number].iter().rev().find(|line| !line.trim().is_empty()).is_some_and(|line| line.trim_end().ends_with(','))
}

/// Returns repairs for the first bracket on a line that closes one of the other kind.
fn wrong_bracket(number: usize, line: &str) -> Vec<Candidate> {
    let Some((column, wrong, opening)) = mismatch(line) else { return Vec::new() };
    let right = if opening == '[' { ']' } else { '}' };
    let (before, after) = (&line[..column], &line[column + 1..]);
    let instead = format!("close `{opening}` on line {} with `{right}`, not with `{wrong}`", number + 1);
    let first = format!("close `{opening}` with `{right}` before `{wrong}` on line {}", number + 1);
    let message = format!("`{opening}` is closed by `{wrong}`");
    [(format!("{before}{right}{after}"), instead), (format!("{before}{right}{wrong}{after}"), first)]
        .map(|(line, help)| Candidate::line(number, line, help).about(number, column..column + 1, message.clone()))
        .into()
}

/// Returns the column of the first bracket that closes one of the other kind, and both brackets.
fn mismatch(line: &str) -> Option<(usize, char, char)> {
    let (mut open, mut quote) = (Vec::new(), None);
    for (at, char) in line.char_indices() {
        match (quote, char) {
            (Some(end), _) if end == char => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if line[..at].ends_with([' ', '[', '{', ',']) => quote = Some(char),
            (None, '[' | '{') => open.push(char),
            (None, ']' | '}') => match (open.pop()?, char) {
                ('[', ']') | ('{', '}') => {}
                (opening, _) => return Some((at, char, opening)),
            },
            _ => {}
        }
    }
    None
}

/// Returns repairs that separate two entries by a comma.
fn comma(number: usize, line: &str, column: usize) -> Option<Candidate> {
    let (before, rest) = line.split_at(column);
    // The error is noticed at the colon after the second entry's key, or where the second entry begins.
    let start = if rest.starts_with(':') { before.rfind([' ', '\t'])? + 1 } else { column };
    let first = line[..start].trim_end();
    if first.is_empty() || first.ends_with(['[', '{', ',', ':']) || line[start..].is_empty() {
        return None;
    }
    let second = line[start..].split([',', '}', ']', ' ']).next().unwrap_or_default();
    let help = format!("put `,` before {} on line {}", ticked(second.trim_end_matches(':')), number + 1);
    let repaired = Candidate::line(number, format!("{first}, {}", &line[start..]), help);
    // Text after a string may also belong to it.
    let bracket = first.find(['[', '{']).filter(|_| !rest.starts_with(':'));
    Some(match bracket {
        Some(bracket) => repaired.unclear(number, bracket..line.len()),
        None => repaired,
    })
}
