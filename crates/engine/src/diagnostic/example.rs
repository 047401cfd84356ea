//! Extracts the examples from the documentation of rules.

use super::RuleDocs;
use super::markdown::{Block, blocks};

/// The default file name of an example.
const DEFAULT_FILE: &str = "service.yaml";

/// A wrong or right example for a rule: one or more files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example<'a> {
    /// Whether the rule reports a problem in the example.
    pub verdict: ExampleKind,
    /// The files, in the order in which they are documented.
    pub files: Vec<ExampleFile<'a>>,
}

/// The kind of an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExampleKind {
    /// The rule reports a problem.
    Wrong,
    /// The rule reports no problem.
    Right,
}

impl ExampleKind {
    /// Returns `wrong` or `right`, as in info strings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wrong => "wrong",
            Self::Right => "right",
        }
    }
}

/// A file in an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExampleFile<'a> {
    /// The name by which other files in the example import the file; `service.yaml` is the entry file.
    pub name: &'a str,
    /// The whole text.
    pub text: &'a str,
}

impl ExampleFile<'_> {
    /// Returns whether the file has the default name, which need not be shown.
    pub(crate) fn is_default(&self) -> bool {
        self.name == DEFAULT_FILE
    }
}

impl RuleDocs {
    /// Returns the examples in the documentation of the rule, in order.
    ///
    /// The files are the fenced blocks whose info string is `yaml wrong` or `yaml right`, followed by the file's name
    /// unless it is `service.yaml`. Consecutive blocks of the same kind form one example until a name is repeated.
    pub fn examples(&self) -> Vec<Example<'_>> {
        let mut examples: Vec<Example<'_>> = Vec::new();
        for block in blocks(&self.text) {
            let Some((verdict, file)) = example_file(block) else { continue };
            match examples.last_mut() {
                Some(last) if last.verdict == verdict && last.files.iter().all(|known| known.name != file.name) => {
                    last.files.push(file);
                }
                _ => examples.push(Example { verdict, files: vec![file] }),
            }
        }
        examples
    }
}

/// Returns the file in a fenced block, if it belongs to an example.
pub(crate) fn example_file(block: Block<'_>) -> Option<(ExampleKind, ExampleFile<'_>)> {
    let Block::Fenced { info, body } = block else { return None };
    let mut words = info.split_whitespace();
    if words.next() != Some("yaml") {
        return None;
    }
    let verdict = words.next()?;
    let verdict = [ExampleKind::Wrong, ExampleKind::Right].into_iter().find(|known| known.as_str() == verdict)?;
    Some((verdict, ExampleFile { name: words.next().unwrap_or(DEFAULT_FILE), text: body }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Level, Rule};

    fn examples(text: &'static str) -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
        static RULE: Rule = Rule { code: "T1", name: "rule", level: Level::Error, summary: "" };
        let rule: &RuleDocs = Box::leak(Box::new(RuleDocs { rule: &RULE, text: text.into() }));
        let files = |example: Example<'static>| example.files.iter().map(|file| (file.name, file.text)).collect();
        rule.examples().into_iter().map(|example| (example.verdict.as_str(), files(example))).collect()
    }

    #[test]
    fn a_text_without_examples_has_none() {
        assert_eq!(examples("To be written.\n"), []);
        assert_eq!(examples("```yaml\na: 1\n```\n```\n```\n```text wrong\n```\n```yaml bad\n```"), []);
    }

    #[test]
    fn wrong_and_right_examples_are_separate() {
        let text = "Why.\n\n```yaml wrong\na: 1\n```\n\nBetter:\n\n```yaml right\na: 2\n```\n";
        let expected = [("wrong", vec![("service.yaml", "a: 1\n")]), ("right", vec![("service.yaml", "a: 2\n")])];
        assert_eq!(examples(text), expected);
    }

    #[test]
    fn an_example_has_several_files_until_a_name_recurs() {
        let text = "```yaml wrong\n1\n```\n```yaml wrong lib.yaml\n2\n```\n```yaml wrong\n3\n```\n";
        let expected =
            [("wrong", vec![("service.yaml", "1\n"), ("lib.yaml", "2\n")]), ("wrong", vec![("service.yaml", "3\n")])];
        assert_eq!(examples(text), expected);
    }
}
