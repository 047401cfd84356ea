//! Positions within scalars: an expression is part of a YAML scalar, which may be quoted or folded.

use std::ops::Range;

/// Returns where a part of a scalar's value is in its source text, in bytes. If the part can't be found, for example
/// because of escapes in a quoted string, the range is the whole source text.
pub(crate) fn within(written: &str, text: &str, part: &Range<u32>) -> Range<u32> {
    find(written, text, part).unwrap_or(0..written.len() as u32)
}

fn find(written: &str, text: &str, part: &Range<u32>) -> Option<Range<u32>> {
    let content = content(written);
    let mut raw = written[content..].char_indices().peekable();
    let (mut start, mut end) = (None, None);
    for (at, character) in text.char_indices().chain([(text.len(), '\0')]) {
        // Folding only changes white space.
        while !character.is_whitespace() && raw.next_if(|(_, raw)| raw.is_whitespace() && *raw != character).is_some() {
        }
        let here = raw.peek().map_or(written.len(), |(offset, _)| content + offset) as u32;
        if at as u32 == part.start {
            start = Some(here);
        }
        if at as u32 == part.end {
            end = Some(here);
            break;
        }
        if character.is_whitespace() {
            raw.next_if(|(_, raw)| raw.is_whitespace())?;
        } else {
            raw.next_if(|(_, raw)| *raw == character)?;
        }
    }
    let (start, end) = (start?, end?);
    // White space before the end belongs to the next part.
    let trimmed = written.get(start as usize..end as usize)?.trim_end().len() as u32;
    Some(start..start + trimmed.max(u32::from(end > start)))
}

/// Returns the start of the content of a scalar.
fn content(written: &str) -> usize {
    match written.as_bytes().first() {
        Some(b'"' | b'\'') => 1,
        Some(b'|' | b'>') => written.find('\n').map_or(0, |end| end + 1),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::within;

    fn part<'w>(written: &'w str, text: &str, wanted: &str) -> &'w str {
        let start = text.find(wanted).unwrap_or_default() as u32;
        let place = within(written, text, &(start..start + wanted.len() as u32));
        &written[place.start as usize..place.end as usize]
    }

    #[test]
    fn parts_are_found_however_a_scalar_is_written() {
        assert_eq!(part("$.int() + 1", "$.int() + 1", "int"), "int");
        assert_eq!(part("\"$.int()\"", "$.int()", "int()"), "int()");
        assert_eq!(part("$.a +\n      $.bc", "$.a + $.bc", "bc"), "bc");
        assert_eq!(part("|\n  $.a\n  $.bc\n", "$.a\n$.bc\n", "$.bc"), "$.bc");
        assert_eq!(part("$.a +\n      $.bc", "$.a + $.bc", "$.a + $.bc"), "$.a +\n      $.bc");
    }

    #[test]
    fn where_escapes_hide_characters_all_is_meant() {
        assert_eq!(part("\"a\\tb.c\"", "a\tb.c", "c"), "\"a\\tb.c\"");
    }
}
