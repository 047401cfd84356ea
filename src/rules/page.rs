//! The page of all rules, which is `docs/rules.md` in the repository.

use super::ALL;
use crate::diagnostic::Rule;
use crate::diagnostic::example::{Verdict, example_file};
use crate::diagnostic::markdown::{Block, blocks};

/// What the phases do, in their order; the first digit of a code is the number of its phase.
const PHASES: [&str; 6] = ["reading", "names", "hierarchies", "inheritance", "rendering", "resolving"];

const INTRODUCTION: &str = "\
<!-- Made from src/rules by the tests, which fail when it is out of date. UPDATE_DOCS=1 cargo test renews it. -->

# Rules

Every kind of problem that `tosca-parse` reports. The first digit of a code is the phase that finds the problem; a
code never changes its meaning. Resolving is what `tosca-parse resolve` does after them. `tosca-parse explain CODE` shows the same text in a terminal.

An *error* makes the input invalid. A *warning* does not. A *warning, error in strict mode* is about the letter of the
standard: `--strict` makes it an error. `--allow`, `--warn` and `--deny` with a code or a name change a single rule.
";

/// The page of all rules in Markdown: tables by phase, then each rule with its text.
pub fn page() -> String {
    let tables = PHASES.iter().zip(b'1'..).map(|(phase, number)| table(phase, number));
    [INTRODUCTION.to_owned()].into_iter().chain(tables).chain(ALL.iter().copied().map(section)).collect()
}

fn table(phase: &str, number: u8) -> String {
    let rules = ALL.iter().filter(|rule| rule.code.as_bytes().get(1) == Some(&number));
    let rows: String = rules.map(|rule| row(rule)).collect();
    if rows.is_empty() {
        return rows;
    }
    let number = char::from(number);
    format!("\n## Phase {number}: {phase}\n\n| Code | Name | What is wrong | Level |\n|---|---|---|---|\n{rows}")
}

fn row(Rule { code, name, level, summary, .. }: &Rule) -> String {
    let anchor = format!("{}-{name}", code.to_lowercase());
    format!("| [{code}](#{anchor}) | `{name}` | {} | {} |\n", summary.replace('|', "\\|"), level.describe())
}

fn section(Rule { code, name, level, summary, text }: &Rule) -> String {
    let text: String = blocks(text.trim()).map(labelled).collect();
    format!("\n## {code} {name}\n\n*{}*: {summary}\n\n{text}", level.describe())
}

/// A piece of the text of a rule; an example with its verdict where readers see it, not in the info string.
fn labelled(block: Block<'static>) -> String {
    let (info, body) = match block {
        Block::Line(line) => return format!("{line}\n"),
        Block::Fenced { info, body } => (info, body),
    };
    let label = example_file(block).map(|(verdict, file)| {
        let verdict = if verdict == Verdict::Wrong { "Wrong" } else { "Right" };
        let name = if file.is_default() { String::new() } else { format!(", `{}`", file.name) };
        format!("*{verdict}{name}:*\n\n")
    });
    let label = label.unwrap_or_default();
    let language = info.split_whitespace().next().unwrap_or_default();
    let fence = fence_around(body);
    let end = if body.is_empty() || body.ends_with('\n') { "" } else { "\n" };
    format!("{label}{fence}{language}\n{body}{end}{fence}\n")
}

/// The shortest fence that no line of a text closes.
fn fence_around(body: &str) -> String {
    let longest = body.lines().map(|line| line.len() - line.trim_start_matches('`').len()).max().unwrap_or(0);
    "`".repeat((longest + 1).max(3))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::path::Path;

    use super::*;

    #[test]
    fn the_page_in_the_repository_is_current() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules.md");
        if std::env::var_os("UPDATE_DOCS").is_some_and(|value| value == "1") {
            std::fs::write(&path, page()).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == page(), "docs/rules.md is out of date; run the tests with UPDATE_DOCS=1 and commit it");
    }

    #[test]
    fn every_rule_is_in_a_table_and_has_a_section() {
        let page = page();
        for rule in ALL {
            let section = format!("\n## {} {}\n", rule.code, rule.name);
            let row = format!("| [{}](#{}-{}) |", rule.code, rule.code.to_lowercase(), rule.name);
            assert_eq!((page.matches(&section).count(), page.matches(&row).count()), (1, 1), "{}", rule.code);
        }
    }

    #[test]
    fn verdicts_stand_before_the_examples() {
        let labelled = |text: &'static str| blocks(text).map(labelled).collect::<String>();
        let text = "Why.\n```yaml wrong\na: 1\n```\n\n```yaml wrong lib.yaml\nb: 1\n```\n\n```yaml right\n```\n";
        let expected = "Why.\n*Wrong:*\n\n```yaml\na: 1\n```\n\n*Wrong, `lib.yaml`:*\n\n```yaml\nb: 1\n```\n\n*Right:*\n\n```yaml\n```\n";
        assert_eq!(labelled(text), expected);
    }

    #[test]
    fn fences_are_long_enough() {
        let labelled = |text: &'static str| blocks(text).map(labelled).collect::<String>();
        assert_eq!(labelled("````text\n```\n````"), "````text\n```\n````\n");
        assert_eq!(labelled("```\nopen"), "```\nopen\n```\n");
        assert_eq!(labelled("To be written.\n"), "To be written.\n");
    }
}
