//! What the command tells about itself: rules, schemas, completions, the manual page.

use std::io;

use clap::CommandFactory;
use clap_complete::Shell;

use super::Verdict;
use super::args::{Cli, Explain, Rules, Schema};
use super::streams::Streams;
use crate::diagnostic::{Explanation, render};
use crate::entity::{QUIRK_SETS, QUIRKS, QuirkDescription};
use crate::{normal, rules};

/// Explains rules, one after the other.
pub(super) fn explain(explain: &Explain, streams: &mut Streams) -> io::Result<Verdict> {
    let color = explain.appearance.color.enabled(&io::stdout());
    for (index, rule) in explain.rules.iter().enumerate() {
        if index > 0 {
            writeln!(streams.out())?;
        }
        write!(streams.out(), "{}", Explanation::new(rule).color(color))?;
    }
    Ok(Verdict::Valid)
}

/// Lists all rules, one in a line.
pub(super) fn rules(rules: &Rules, streams: &mut Streams) -> io::Result<Verdict> {
    use crate::diagnostic::color::{CODE, ERROR, WARNING, paint};
    use crate::diagnostic::{Level, Severity};
    let color = rules.appearance.color.enabled(&io::stdout());
    let width = rules::ALL.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    for rule in rules::ALL {
        let style = if rule.level.severity() == Severity::Error { ERROR } else { WARNING };
        let level = match rule.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::StrictError => "strict",
        };
        let (code, name) = (paint(rule.code, style, color), paint(format!("{:width$}", rule.name), CODE, color));
        writeln!(streams.out(), "{code} {name} {level:7} {}", rule.summary)?;
    }
    Ok(Verdict::Valid)
}

/// Lists all quirks, and the sets of them.
pub(super) fn quirks(streams: &mut Streams) -> io::Result<Verdict> {
    let names = QUIRKS.iter().map(|known| known.name).chain(QUIRK_SETS.iter().map(|(set, _)| *set));
    let width = names.map(str::len).max().unwrap_or(0);
    for QuirkDescription { name, summary, needed_by, .. } in QUIRKS {
        writeln!(streams.out(), "{name:width$}  lets pass {summary}")?;
        writeln!(streams.out(), "{:width$}  needed by {needed_by}", "")?;
    }
    for (name, quirks) in QUIRK_SETS {
        let names: Vec<&str> = quirks.iter().map(|quirk| quirk.name()).collect();
        writeln!(streams.out(), "{name:width$}  {}", names.join(", "))?;
    }
    Ok(Verdict::Valid)
}

/// Writes a JSON Schema.
pub(super) fn schema(of: Schema, streams: &mut Streams) -> io::Result<Verdict> {
    let schema = match of {
        Schema::Model => normal::json_schema(),
        Schema::Problems => render::json_schema(),
    };
    writeln!(streams.out(), "{schema:#}")?;
    Ok(Verdict::Valid)
}

/// Writes a script for a shell.
pub(super) fn completions(shell: Shell, streams: &mut Streams) -> io::Result<Verdict> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tosca-parse", &mut script);
    streams.out().write_all(&script)?;
    Ok(Verdict::Valid)
}

/// Writes the manual page.
pub(super) fn man(streams: &mut Streams) -> io::Result<Verdict> {
    clap_mangen::Man::new(Cli::command()).render(&mut streams.out())?;
    Ok(Verdict::Valid)
}
