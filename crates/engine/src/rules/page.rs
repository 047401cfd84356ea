//! A page that describes rules, such as `docs/rules.md` in the repository.

use crate::diagnostic::example::{ExampleKind, example_file};
use crate::diagnostic::markdown::{Block, blocks};
use crate::diagnostic::{Rule, RuleDocs};

/// Returns a Markdown page about rules: an introduction, tables of rules, then each rule with its explanation. Each
/// table is given as its title and the prefix that its codes share.
pub fn page(introduction: &str, tables: &[(&str, &str)], rules: &[RuleDocs]) -> String {
    let tables = tables.iter().map(|(title, codes)| table(title, codes, rules));
    [introduction.to_owned()].into_iter().chain(tables).chain(rules.iter().map(section)).collect()
}

fn table(title: &str, codes: &str, rules: &[RuleDocs]) -> String {
    let rules = rules.iter().map(|explained| explained.rule).filter(|rule| rule.code.starts_with(codes));
    let rows: String = rules.map(row).collect();
    if rows.is_empty() {
        return rows;
    }
    format!("\n## {title}\n\n| Code | Name | What is wrong | Level |\n|---|---|---|---|\n{rows}")
}

fn row(Rule { code, name, level, summary }: &Rule) -> String {
    let anchor = format!("{}-{name}", code.to_lowercase());
    format!("| [{code}](#{anchor}) | `{name}` | {} | {} |\n", summary.replace('|', "\\|"), level.describe())
}

fn section(RuleDocs { rule: Rule { code, name, level, summary }, text }: &RuleDocs) -> String {
    let text: String = blocks(text.trim()).map(labelled).collect();
    format!("\n## {code} {name}\n\n*{}*: {summary}\n\n{text}", level.describe())
}

/// Returns the given block of an explanation as Markdown. The verdict on an example is placed before the example rather
/// than in its info string.
fn labelled(block: Block<'_>) -> String {
    let (info, body) = match block {
        Block::Line(line) => return format!("{line}\n"),
        Block::Fenced { info, body } => (info, body),
    };
    let label = example_file(block).map(|(verdict, file)| {
        let verdict = if verdict == ExampleKind::Wrong { "Wrong" } else { "Right" };
        let name = if file.is_default() { String::new() } else { format!(", `{}`", file.name) };
        format!("*{verdict}{name}:*\n\n")
    });
    let label = label.unwrap_or_default();
    let language = info.split_whitespace().next().unwrap_or_default();
    let fence = fence_around(body);
    let end = if body.is_empty() || body.ends_with('\n') { "" } else { "\n" };
    format!("{label}{fence}{language}\n{body}{end}{fence}\n")
}

/// Returns the shortest fence that no line of `body` closes.
fn fence_around(body: &str) -> String {
    let longest = body.lines().map(|line| line.len() - line.trim_start_matches('`').len()).max().unwrap_or(0);
    "`".repeat((longest + 1).max(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_before_examples() {
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
