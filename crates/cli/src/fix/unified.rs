//! Changes of a file as a unified diff.

use std::io::{self, Write};
use std::ops::Range;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput};

use crate::streams::Streams;

/// The number of unchanged lines around a change.
const CONTEXT: u32 = 3;

/// Shows the changes of a file on standard output, and warns if programs may be unable to apply them.
pub(crate) fn show_diff(streams: &mut Streams, name: &str, before: &str, after: &str) -> io::Result<()> {
    write_diff(&mut streams.out(), name, before, after)?;
    if before != after && [before, after].into_iter().any(has_unusual_break) {
        writeln!(
            streams.err(),
            "warning: {name}: the file has line breaks that are not LF or CRLF, so `patch` and `git apply` may reject \
             the diff"
        )?;
    }
    Ok(())
}

/// Returns whether a text has line breaks of YAML that other programs treat differently.
fn has_unusual_break(text: &str) -> bool {
    let is_alone = |(at, _): (usize, &str)| !text[at + 1..].starts_with('\n');
    text.contains('\u{85}') || text.match_indices('\r').any(is_alone)
}

/// Writes the changes of a file; nothing if there are none.
fn write_diff(out: &mut dyn Write, name: &str, before: &str, after: &str) -> io::Result<()> {
    let lines = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &lines);
    diff.postprocess_lines(&lines);
    let [old, new] = [&lines.before, &lines.after]
        .map(|tokens| tokens.iter().map(|token| lines.interner[*token]).collect::<Vec<_>>());
    let changes: Vec<Hunk> = diff.hunks().collect();
    if !changes.is_empty() {
        let name = header(name);
        writeln!(out, "--- {name}\n+++ {name}")?;
    }
    for near in changes.chunk_by(|one, next| next.before.start - one.before.end <= 2 * CONTEXT) {
        write_hunk(out, &old, &new, near)?;
    }
    Ok(())
}

/// Returns the name of a file as `git` and `patch` read it: a tab ends a name with spaces, and a name with other special
/// characters has quotes.
fn header(name: &str) -> String {
    let is_special = |letter: char| letter.is_control() || letter == '"' || letter == '\\';
    if name.contains(is_special) {
        let mut quoted = String::from('"');
        for letter in name.chars() {
            match letter {
                '"' | '\\' => quoted.extend(['\\', letter]),
                _ if is_special(letter) => {
                    let mut bytes = [0; 4];
                    let bytes = letter.encode_utf8(&mut bytes).bytes();
                    quoted.extend(bytes.map(|byte| format!("\\{byte:03o}")));
                }
                _ => quoted.push(letter),
            }
        }
        return quoted + "\"";
    }
    if name.contains(' ') { format!("{name}\t") } else { name.to_owned() }
}

/// Writes changes that are near each other.
fn write_hunk(out: &mut dyn Write, old: &[&str], new: &[&str], changes: &[Hunk]) -> io::Result<()> {
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return Ok(()) };
    let before = CONTEXT.min(first.before.start);
    let after = CONTEXT.min(old.len() as u32 - last.before.end);
    let extent = |start: u32, end: u32| start - before..end + after;
    let removed = extent(first.before.start, last.before.end);
    let added = extent(first.after.start, last.after.end);
    writeln!(out, "@@ -{} +{} @@", position(&removed), position(&added))?;
    let mut next = removed.start;
    for change in changes {
        write_lines(out, ' ', old, next..change.before.start)?;
        write_lines(out, '-', old, change.before.clone())?;
        write_lines(out, '+', new, change.after.clone())?;
        next = change.before.end;
    }
    write_lines(out, ' ', old, next..removed.end)
}

/// Returns the first line and the number of lines.
fn position(lines: &Range<u32>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

fn write_lines(out: &mut dyn Write, sign: char, lines: &[&str], range: Range<u32>) -> io::Result<()> {
    for line in &lines[range.start as usize..range.end as usize] {
        write!(out, "{sign}{line}")?;
        if !line.ends_with('\n') {
            writeln!(out, "\n\\ No newline at end of file")?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{has_unusual_break, write_diff};

    fn diff(before: &str, after: &str) -> String {
        let mut out = Vec::new();
        write_diff(&mut out, "f", before, after).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Applies a diff as `patch` does.
    fn patched(before: &str, diff: &str) -> String {
        let lines: Vec<&str> = before.split_inclusive('\n').collect();
        let (mut text, mut next) = (String::new(), 0);
        let mut shown = diff.lines().skip(2).peekable();
        while let Some(line) = shown.next() {
            if let Some(header) = line.strip_prefix("@@ -") {
                let (start, count) = header.split_once(' ').unwrap().0.split_once(',').unwrap_or((header, "1"));
                let start: usize = start.split(' ').next().unwrap().parse().unwrap();
                let first = if count == "0" { start } else { start - 1 };
                text.extend(lines[next..first].iter().copied());
                next = first;
                continue;
            }
            let (sign, content) = line.split_at(1);
            let end = if shown.peek().is_some_and(|line| line.starts_with('\\')) { "" } else { "\n" };
            if sign == " " || sign == "-" {
                assert_eq!(lines[next], format!("{content}{end}"));
                next += 1;
            }
            if sign == " " || sign == "+" {
                text.extend([content, end]);
            }
            if end.is_empty() {
                shown.next();
            }
        }
        text.extend(lines[next..].iter().copied());
        text
    }

    #[test]
    fn changes_are_shown_with_their_context() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9";
        assert_eq!(diff(before, before), "");
        assert_eq!(
            diff(before, &before.replace('5', "five")),
            "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        );
        assert_eq!(
            diff(before, &before.replace('9', "9\n")),
            "--- f\n+++ f\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n\\ No newline at end of file\n+9\n"
        );
        assert_eq!(diff("", "a\n"), "--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n");
    }

    /// Returns all texts of up to five lines, with and without a line break at the end.
    fn texts() -> impl Iterator<Item = String> {
        (0..6_u32).flat_map(|count| (0..1 << count).map(move |bits: u32| (count, bits))).flat_map(|(count, bits)| {
            let text: String = (0..count).map(|line| if bits >> line & 1 == 0 { "a\n" } else { "b\n" }).collect();
            let unfinished = text.trim_end().to_owned();
            [text, unfinished]
        })
    }

    #[test]
    fn a_diff_leads_to_the_changed_text() {
        for before in texts() {
            for after in texts() {
                assert_eq!(patched(&before, &diff(&before, &after)), after, "{before:?}");
            }
        }
        let long = (0..60).map(|line| line.to_string()).collect::<Vec<_>>().join("\n") + "\n";
        let changed = long.replace("7\n", "seven\n").replace("30\n", "").replace("40\n", "x\ny\n");
        assert_eq!(patched(&long, &diff(&long, &changed)), changed);
    }

    #[test]
    fn unusual_line_breaks_are_found() {
        for (text, is_unusual) in
            [("a\n", false), ("a\r\nb\r\n", false), ("a\rb\n", true), ("a\r", true), ("a\u{85}b\n", true), ("", false)]
        {
            assert_eq!(has_unusual_break(text), is_unusual, "{text:?}");
        }
    }
}
