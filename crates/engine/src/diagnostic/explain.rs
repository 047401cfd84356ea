//! Prints the documentation of a rule on a terminal.

use std::fmt;

use super::color::{ERROR, GOOD, STRONG, WARNING, paint};
use super::example::{ExampleKind, example_file};
use super::markdown::{Block, blocks};
use super::prose::{Prose, marker_len};
use super::{Rule, RuleDocs, Severity};

/// The documentation of a rule, as printed by `explain CODE`.
///
/// Paragraphs and lists are wrapped to the given width. Examples are indented and marked as wrong or right.
#[derive(Clone, Copy, Debug)]
pub struct Explanation<'a> {
    rule: &'static Rule,
    text: &'a str,
    color: bool,
    width: usize,
}

impl<'a> Explanation<'a> {
    /// Creates the explanation of a rule, without color and with 80 columns.
    pub fn new(RuleDocs { rule, text }: &'a RuleDocs) -> Self {
        Self { rule, text, color: false, width: 80 }
    }

    /// Sets whether to use color; see [`Color::enabled`](crate::diagnostic::Color::enabled).
    #[must_use]
    pub fn color(mut self, color: bool) -> Self {
        self.color = color;
        self
    }

    /// Sets the number of columns for text, at least 40. Examples are not wrapped.
    #[must_use]
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(40);
        self
    }

    /// Writes the collected paragraph, if any, preceded by a blank line if there was one in the text.
    fn flush(&self, paragraph: &mut String, gap: &mut bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if paragraph.is_empty() {
            return Ok(());
        }
        if std::mem::take(gap) {
            writeln!(f)?;
        }
        Prose { color: self.color, width: self.width, indent: 0 }.paragraph(paragraph, f)?;
        paragraph.clear();
        Ok(())
    }

    fn fenced(&self, block: Block<'_>, body: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((verdict, file)) = example_file(block) {
            let name = if file.is_default() { String::new() } else { format!(" {}", file.name) };
            let style = match verdict {
                ExampleKind::Wrong => ERROR,
                ExampleKind::Right => GOOD,
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
        let Rule { code, name, level, summary } = self.rule;
        let style = match level.severity() {
            Severity::Error => ERROR,
            Severity::Warning => WARNING,
        };
        let name = if self.rule.has_code() { format!(" {name}") } else { String::new() };
        writeln!(f, "{}{name} ({})", paint(code, style, self.color), level.describe())?;
        writeln!(f, "{}", paint(summary, STRONG, self.color))?;

        let mut paragraph = String::new();
        let mut gap = true;
        for block in blocks(self.text) {
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

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use insta::assert_snapshot;

    use super::*;
    use crate::diagnostic::Level;

    static RULE: Rule =
        Rule { code: "T1", name: "misspelt-name", level: Level::StrictError, summary: "a name is misspelt" };
    static EXPLAINED: RuleDocs = RuleDocs {
        rule: &RULE,
        text: Cow::Borrowed(
            "A name that nobody knows means nothing, and what it should have said is missing; see `other \
               thing` and\n`name`.\n\nReasons:\n- the keyboard, which has far too many keys for anyone to find the \
               right one every time\n- the author\n\n10. `one` of many more reasons, which are listed somewhere else \
               and are far too long for a line\n\n```yaml wrong\nnaem: 1\n\nother: 2\n```\n\n```yaml wrong \
               lib.yaml\nnaem: 2\n```\n\nBetter:\n```yaml right\nname: 1\n```\n```\nno example\n```\n",
        ),
    };

    #[test]
    fn text_is_broken_and_examples_are_named() {
        assert_snapshot!(Explanation::new(&EXPLAINED).width(60).to_string());
    }

    #[test]
    fn colour_marks_levels_code_and_verdicts() {
        let text = Explanation::new(&EXPLAINED).color(true).to_string();
        assert_snapshot!(text.replace('\u{1b}', "␛"));
    }

    #[test]
    fn an_explanation_ends_with_one_line_break() {
        for text in ["", "To be written.", "To be written.\n\n\n", "```\n"] {
            let shown = Explanation::new(&RuleDocs { rule: &RULE, text: text.into() }).to_string();
            assert!(shown.starts_with("T1 misspelt-name (warning, error in strict mode)\na name is misspelt\n"));
            assert!(shown.ends_with('\n') && !shown.ends_with("\n\n\n"), "{shown:?}");
        }
    }
}
