//! The tables of a comparison, as Markdown.

use std::fmt::Write;

use super::results::{Measurement, Results, Row};
use super::shapes::{SHAPES, VERSIONS};
use super::{Tool, tool};

/// The tasks that are compared: a title, the task of `tosca-parse`, and that of the peer.
const COMPARISONS: &[(&str, &str, &str)] = &[
    ("Validation", "validate", "tosca-parser"),
    ("Complete model", "model", "puccini"),
    ("Model with resolved requirements", "resolve", "puccini-resolve"),
    ("Validation, compared with reading the YAML alone", "validate", "pyyaml"),
];

/// Returns the section of the page that the measurements determine.
pub(crate) fn tables(results: &Results) -> String {
    let mut text = format!(
        "Measured on {}, on {}. {}\n\n| Tool | Version |\n|---|---|\n",
        results.fact("date"),
        results.fact("machine"),
        results.fact("remark"),
    );
    for (name, value) in &results.facts {
        if !["date", "machine", "remark"].contains(&&**name) {
            let _ = writeln!(text, "| {name} | {value} |");
        }
    }
    text += "\n| Shape | Content |\n|---|---|\n";
    for shape in SHAPES {
        let _ = writeln!(text, "| {} | {} |", shape.name, shape.description);
    }
    let mut failures = Vec::new();
    for (title, task, peer) in COMPARISONS {
        compare(&mut text, results, title, tool(task), tool(peer), &mut failures);
    }
    if !failures.is_empty() {
        text += "\n### Failures\n\n";
        for (index, reason) in failures.iter().enumerate() {
            let _ = writeln!(text, "{}. `{}`", index + 1, reason.replace('`', "'"));
        }
    }
    text
}

fn compare(text: &mut String, results: &Results, title: &str, one: &Tool, peer: &Tool, failures: &mut Vec<String>) {
    let _ = writeln!(
        text,
        "\n### {title}\n\n| TOSCA | Shape | Size | {} | {} | Ratio of times | Ratio of memory |\n|---|---|--:|--:|--:|--:|--:|",
        one.title, peer.title
    );
    for version in VERSIONS {
        for shape in SHAPES {
            let sizes = results.rows.iter().filter(|row| row.version == version.name && row.shape == shape.name);
            let mut sizes: Vec<usize> = sizes.map(|row| row.size).collect();
            sizes.sort_unstable();
            sizes.dedup();
            for size in sizes {
                let [Some(first), second] =
                    [one, peer].map(|tool| results.find(version.name, shape.name, size, tool.name))
                else {
                    continue;
                };
                let ratio = |value: fn(&Measurement) -> f64| {
                    let measured = |row: Option<&Row>| row.and_then(|row| row.outcome.as_ref().ok().map(value));
                    match (measured(Some(first)), measured(second)) {
                        (Some(first), Some(second)) => format!("{} ×", significant(second / first)),
                        _ => String::new(),
                    }
                };
                let _ = writeln!(
                    text,
                    "| {} | {} | {} | {} | {} | {} | {} |",
                    version.name,
                    shape.name,
                    grouped(size),
                    cell(Some(first), failures),
                    cell(second, failures),
                    ratio(|measurement| measurement.cpu),
                    ratio(|measurement| measurement.bytes),
                );
            }
        }
    }
}

/// Returns time and memory, or the failure: a limit, or the number of the reason.
fn cell(row: Option<&Row>, failures: &mut Vec<String>) -> String {
    match row.map(|row| &row.outcome) {
        None => "not run".to_owned(),
        Some(Ok(Measurement { cpu, bytes, .. })) => format!("{}, {}", time(*cpu), memory(*bytes)),
        Some(Err(reason)) if reason.starts_with("more than ") => reason.clone(),
        Some(Err(reason)) => {
            let index = failures.iter().position(|known| known == reason).unwrap_or_else(|| {
                failures.push(reason.clone());
                failures.len() - 1
            });
            format!("fails ({})", index + 1)
        }
    }
}

fn time(seconds: f64) -> String {
    if seconds < 1.0 { format!("{} ms", significant(seconds * 1e3)) } else { format!("{} s", significant(seconds)) }
}

fn memory(bytes: f64) -> String {
    if bytes < 1e9 { format!("{} MB", significant(bytes / 1e6)) } else { format!("{} GB", significant(bytes / 1e9)) }
}

/// Returns a number with two significant digits, or all digits before the decimal point.
pub(crate) fn significant(value: f64) -> String {
    if value < 0.995 {
        format!("{value:.2}")
    } else if value < 9.95 {
        format!("{value:.1}")
    } else {
        grouped(value.round() as usize)
    }
}

/// Returns a number with its digits in groups of three.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.123, 0.999, 4.44, 12.6].map(significant), ["0.12", "1.0", "4.4", "13"]);
        assert_eq!([1, 1_000, 1_234_567].map(grouped), ["1", "1\u{a0}000", "1\u{a0}234\u{a0}567"]);
    }

    #[test]
    fn failures_are_listed_once_and_limits_are_in_the_table() {
        let row = |version: &str, tool: &str, outcome| Row {
            version: version.to_owned(),
            shape: "wide".to_owned(),
            size: 100,
            tool: tool.to_owned(),
            turns: 3,
            outcome,
        };
        let measurement = |cpu| Ok(Measurement { elapsed: cpu, cpu, bytes: 2e7, nodes: 100, relationships: 0 });
        let results = Results {
            facts: Vec::new(),
            rows: vec![
                row("1.3", "validate", measurement(0.01)),
                row("1.3", "tosca-parser", measurement(0.5)),
                row("1.3", "model", measurement(0.02)),
                row("1.3", "puccini", Err("more than 60 s".to_owned())),
                row("2.0", "validate", measurement(0.01)),
                row("2.0", "tosca-parser", Err("unknown version".to_owned())),
            ],
        };
        let tables = tables(&results);
        assert!(tables.contains("| 1.3 | wide | 100 | 10 ms, 20 MB | 500 ms, 20 MB | 50 × | 1.0 × |"), "{tables}");
        assert!(tables.contains("| more than 60 s |  |  |"), "{tables}");
        assert!(tables.contains("| fails (1) |") && tables.contains("1. `unknown version`"), "{tables}");
    }
}
