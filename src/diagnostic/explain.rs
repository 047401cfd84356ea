//! What a rule means, for a person at a terminal.

use std::fmt;

use unicode_width::UnicodeWidthStr;

use super::color::{CODE, ERROR, GOOD, STRONG, WARNING, paint};
use super::example::{Verdict, example_file};
use super::markdown::{Block, blocks};
use super::{Rule, Severity};

/// The explanation of a rule: what `explain CODE` prints.
///
/// Paragraphs and lists of the rule's text are broken to the width; examples are indented and say whether they are
/// wrong or right.
#[derive(Clone, Copy, Debug)]
pub struct Explanation<'a> {
    rule: &'a Rule,
    color: bool,
    width: usize,
}

impl<'a> Explanation<'a> {
    /// Explains a rule, without colour, and for 80 columns.
    pub fn new(rule: &'a Rule) -> Self {
        Self { rule, color: false, width: 80 }
    }

    /// Whether to use colour; see [`Color::enabled`](crate::diagnostic::Color::enabled).
    #[must_use]
    pub fn color(mut self, color: bool) -> Self {
        self.color = color;
        self
    }

    /// The number of columns for text, at least 40. Examples are not broken.
    #[must_use]
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(40);
        self
    }

    /// Writes the paragraph that has been collected, if any, after an empty line if there was one.
    fn flush(&self, paragraph: &mut String, gap: &mut bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if paragraph.is_empty() {
            return Ok(());
        }
        if std::mem::take(gap) {
            writeln!(f)?;
        }
        self.paragraph(paragraph, f)?;
        paragraph.clear();
        Ok(())
    }

    fn paragraph(&self, paragraph: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indent = marker_len(paragraph).unwrap_or(0);
        let mut column = 0;
        let mut in_code = false;
        for word in paragraph.split_whitespace() {
            let hidden = if self.color { word.matches('`').count() } else { 0 };
            let length = word.width() - hidden;
            if column > indent && column + 1 + length > self.width {
                write!(f, "\n{:indent$}", "")?;
                column = indent;
            } else if column > 0 {
                f.write_str(" ")?;
                column += 1;
            }
            column += length;
            // Colour replaces the back-ticks around code, which may go on over several words.
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

    fn fenced(&self, block: Block<'static>, body: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((verdict, file)) = example_file(block) {
            let name = if file.is_default() { String::new() } else { format!(" {}", file.name) };
            let style = match verdict {
                Verdict::Wrong => ERROR,
                Verdict::Right => GOOD,
            };
            writeln!(f, "{}{name}:\n", paint(verdict.as_str(), style, self.color))?;
        }
        for line in body.lines() {
            if line.is_empty() {
                writeln!(f)?;
            } else {
                writeln!(f, "    {line}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rule { code, name, level, summary, text } = self.rule;
        let style = match level.severity() {
            Severity::Error => ERROR,
            Severity::Warning => WARNING,
        };
        writeln!(f, "{} {name} ({})", paint(code, style, self.color), level.describe())?;
        writeln!(f, "{}", paint(summary, STRONG, self.color))?;

        let mut paragraph = String::new();
        let mut gap = true;
        for block in blocks(text) {
            match block {
                Block::Line(line) if line.trim().is_empty() => {
                    self.flush(&mut paragraph, &mut gap, f)?;
                    gap = true;
                }
                Block::Line(line) => {
                    if marker_len(line).is_some() {
                        self.flush(&mut paragraph, &mut gap, f)?;
                    }
                    paragraph.push_str(line);
                    paragraph.push('\n');
                }
                Block::Fenced { body, .. } => {
                    self.flush(&mut paragraph, &mut gap, f)?;
                    writeln!(f)?;
                    self.fenced(block, body, f)?;
                    gap = true;
                }
            }
        }
        self.flush(&mut paragraph, &mut gap, f)
    }
}

/// How long the marker of a list item is, with the space after it.
fn marker_len(line: &str) -> Option<usize> {
    let line = line.trim_start();
    let digits = line.len() - line.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let markers: &[&str] = if digits > 0 { &[". "] } else { &["- ", "* "] };
    let content = markers.iter().find_map(|marker| line[digits..].strip_prefix(marker))?;
    Some(line.len() - content.trim_start().len())
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::diagnostic::Level;

    static RULE: Rule = Rule {
        code: "T1",
        name: "misspelt-name",
        level: Level::StrictError,
        summary: "a name is misspelt",
        text: "A name that nobody knows means nothing, and what it should have said is missing; see `other \
               thing` and\n`name`.\n\nReasons:\n- the keyboard, which has far too many keys for anyone to find the \
               right one every time\n- the author\n\n10. `one` of many more reasons, which are listed somewhere else \
               and are far too long for a line\n\n```yaml wrong\nnaem: 1\n\nother: 2\n```\n\n```yaml wrong \
               lib.yaml\nnaem: 2\n```\n\nBetter:\n```yaml right\nname: 1\n```\n```\nno example\n```\n",
    };

    #[test]
    fn text_is_broken_and_examples_are_named() {
        assert_snapshot!(Explanation::new(&RULE).width(60).to_string());
    }

    #[test]
    fn colour_marks_levels_code_and_verdicts() {
        let text = Explanation::new(&RULE).color(true).to_string();
        assert_snapshot!(text.replace('\u{1b}', "␛"));
    }

    #[test]
    fn an_explanation_ends_with_one_line_break() {
        for text in ["", "To be written.", "To be written.\n\n\n", "```\n"] {
            let rule = Rule { text, ..RULE };
            let shown = Explanation::new(&rule).to_string();
            assert!(shown.starts_with("T1 misspelt-name (warning, error in strict mode)\na name is misspelt\n"));
            assert!(shown.ends_with('\n') && !shown.ends_with("\n\n\n"), "{shown:?}");
        }
    }

    #[test]
    fn markers_of_lists_are_recognised() {
        assert_eq!(marker_len("- a"), Some(2));
        assert_eq!(marker_len("  *  a"), Some(3));
        assert_eq!(marker_len("12. a"), Some(4));
        assert_eq!(marker_len("-a"), None);
        assert_eq!(marker_len("**bold**"), None);
        assert_eq!(marker_len("1.2 is a version"), None);
        assert_eq!(marker_len(""), None);
    }
}
