//! Finds values in flow lists and maps.

use std::ops::Range;

/// An open list, an open map or an open parenthesis within a scalar.
struct Open {
    is_text: bool,
    /// The start of the current value.
    value: usize,
}

/// Returns the value around the given column, if it is in a list or map on this line alone. Commas in parentheses don't
/// end the value, because the author meant a single value.
pub(super) fn value(line: &str, column: usize) -> Option<Range<usize>> {
    let column = (0..=column.min(line.len())).rev().find(|column| line.is_char_boundary(*column))?;
    let mut open: Vec<Open> = Vec::new();
    let mut quote = None;
    for (at, character) in line[..column].char_indices() {
        if quote.is_some() {
            quote = quote.filter(|quote| *quote != character);
            continue;
        }
        let is_text = open.last().is_some_and(|open| open.is_text);
        let next = at + character.len_utf8();
        match character {
            '{' | '[' => open.push(Open { is_text: false, value: next }),
            '(' => open.push(Open { is_text: true, value: next }),
            ')' if is_text => drop(open.pop()),
            '}' | ']' => while open.pop().is_some_and(|open| open.is_text) {},
            ',' if !is_text => open.iter_mut().last().into_iter().for_each(|open| open.value = next),
            ':' if !is_text && line[next..].starts_with(' ') => {
                open.iter_mut().last().into_iter().for_each(|open| open.value = next);
            }
            '"' | '\'' if open.last().is_some_and(|open| line[open.value..at].trim().is_empty()) => {
                quote = Some(character);
            }
            _ => {}
        }
    }
    let parentheses = open.iter().rev().take_while(|open| open.is_text).count();
    let start = open.iter().rev().nth(parentheses).filter(|_| quote.is_none())?.value;
    let end = column + end(&line[column..], parentheses)?;
    let text = line[start..end].trim();
    let start = start + line[start..end].len() - line[start..end].trim_start().len();
    (!text.is_empty() && !text.starts_with(['"', '\'', '{', '['])).then_some(start..start + text.len())
}

/// Returns the end of the value in `rest`, which begins inside the given number of open parentheses.
fn end(rest: &str, parentheses: usize) -> Option<usize> {
    let (mut left, mut brackets) = (parentheses, 0_usize);
    for (at, character) in rest.char_indices() {
        match character {
            '(' => left += 1,
            ')' => left = left.saturating_sub(1),
            '{' | '[' => brackets += 1,
            '}' | ']' if brackets > 0 => brackets -= 1,
            '}' | ']' => return Some(at),
            ',' if left == 0 && brackets == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn values_are_found_around_invalid_yaml() {
        for (line, found) in [
            ("a: { b: c «[d] }", Some("c [d]")),
            ("a: { b: f(x, y => «[z]), g: h }", Some("f(x, y => [z])")),
            ("a: [ 'b, c', d(e, f) g «{ h }, i ]", Some("d(e, f) g { h }")),
            ("a: { ü: (ä «[ö]) }", Some("(ä [ö])")),
            ("a: b «[c]", None),
            ("a: { b: c «[d],", Some("c [d]")),
            ("a: { b: c «[d]", None),
            ("a: { b: 'c «[d] }", None),
        ] {
            let column = line.find('«').unwrap_or_default();
            let line = line.replace('«', "");
            assert_eq!(value(&line, column).map(|range| &line[range]), found, "{line}");
        }
    }
}
