//! Paragraphs for a terminal, wrapped and with colored code.

use std::fmt;

use unicode_width::UnicodeWidthStr;

use super::color::{CODE, paint};

/// The layout of paragraphs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prose {
    /// Whether code is colored instead of enclosed in back-quotes.
    pub(crate) color: bool,
    /// The total width, in columns.
    pub(crate) width: usize,
    /// The indentation, in columns.
    pub(crate) indent: usize,
}

impl Prose {
    /// Writes a paragraph. The continuation lines of a list item are aligned with its text.
    pub(crate) fn paragraph(self, paragraph: &str, f: &mut dyn fmt::Write) -> fmt::Result {
        let left = self.indent;
        let indent = left + marker_len(paragraph).unwrap_or(0);
        write!(f, "{:left$}", "")?;
        let (mut column, mut is_first) = (left, true);
        let mut in_code = false;
        for word in paragraph.split_whitespace() {
            let hidden = if self.color { word.matches('`').count() } else { 0 };
            let length = word.width() - hidden;
            if column > indent && column + 1 + length > self.width {
                write!(f, "\n{:indent$}", "")?;
                column = indent;
            } else if !is_first {
                f.write_str(" ")?;
                column += 1;
            }
            (column, is_first) = (column + length, false);
            // Color replaces the back-quotes around code, which may consist of several words.
            for (index, piece) in word.split('`').enumerate() {
                if index > 0 {
                    in_code = !in_code;
                    if !self.color {
                        f.write_str("`")?;
                    }
                }
                if !piece.is_empty() {
                    f.write_str(&paint(piece, CODE, self.color && in_code))?;
                }
            }
        }
        writeln!(f)
    }
}

/// Returns the length of a list item's marker, including the space after it; `None` if the line does not begin a list
/// item.
pub(crate) fn marker_len(line: &str) -> Option<usize> {
    let line = line.trim_start();
    let digits = line.len() - line.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let markers: &[&str] = if digits > 0 { &[". "] } else { &["- ", "* "] };
    let content = markers.iter().find_map(|marker| line[digits..].strip_prefix(marker))?;
    Some(line.len() - content.trim_start().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_markers_are_recognized() {
        assert_eq!(marker_len("- a"), Some(2));
        assert_eq!(marker_len("  *  a"), Some(3));
        assert_eq!(marker_len("12. a"), Some(4));
        assert_eq!(marker_len("-a"), None);
        assert_eq!(marker_len("**bold**"), None);
        assert_eq!(marker_len("1.2 is a version"), None);
        assert_eq!(marker_len(""), None);
    }

    #[test]
    fn lines_are_indented_and_fill_the_width() {
        let mut text = String::new();
        Prose { color: false, width: 12, indent: 2 }.paragraph("one two three four", &mut text).ok();
        assert_eq!(text, "  one two\n  three four\n");
    }
}
