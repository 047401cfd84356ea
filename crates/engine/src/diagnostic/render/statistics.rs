//! The number of problems per rule.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::diagnostic::{Diagnostic, Severity};

/// The number of problems per rule, most frequent first. It is displayed as a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Statistics {
    /// A row for each combination of rule and severity that occurs.
    pub counts: Vec<Count>,
}

/// A row of [`Statistics`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The number of problems.
    pub count: usize,
    /// The code of the rule.
    pub code: &'static str,
    /// The name of the rule.
    pub name: &'static str,
    /// The severity.
    pub severity: Severity,
    /// The summary of the rule.
    pub summary: &'static str,
}

impl Statistics {
    /// Counts problems.
    pub fn of(diagnostics: &[Diagnostic]) -> Self {
        let mut counts: BTreeMap<(&str, Severity), Count> = BTreeMap::new();
        for Diagnostic { rule, severity, .. } in diagnostics {
            let (code, name, summary) = (rule.code, rule.name, rule.summary);
            let row = Count { count: 0, code, name, severity: *severity, summary };
            counts.entry((code, *severity)).or_insert(row).count += 1;
        }
        let mut counts: Vec<Count> = counts.into_values().collect();
        counts.sort_by_key(|row| std::cmp::Reverse(row.count));
        Self { counts }
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.counts.first().map_or(0, |row| row.count.to_string().len());
        let title =
            |row: &Count| if row.code == row.name { row.name.to_owned() } else { format!("{} {}", row.code, row.name) };
        let width = self.counts.iter().map(|row| title(row).len()).max().unwrap_or(0);
        for row in &self.counts {
            let Count { count, severity, summary, .. } = row;
            let (title, severity) = (title(row), severity.to_string());
            writeln!(f, "{count:digits$}  {title:width$}  {severity:7}  {summary}")?;
        }
        Ok(())
    }
}
