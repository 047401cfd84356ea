//! Prints documentation of the command itself: rules, schemas, completions, the manual page.

use std::io;

use clap::CommandFactory;
use clap_complete::Shell;

use super::Verdict;
use super::args::{Access, Cli, Explain, Reference, Rules, Schema};
use super::config;
use super::languages::languages;
use super::streams::Streams;
use super::validate::misused;
use tosca_parse::diagnostic::suggest::nearest;
use tosca_parse::diagnostic::{Explained, Explanation, render};
use tosca_parse::entity::{QuirkDescription, QuirkSet};
use tosca_parse::handbook::{self, EntityHelp};
use tosca_parse::normal;

/// Explains rules.
pub(super) fn explain(explain: &Explain, streams: &mut Streams) -> io::Result<Verdict> {
    let color = explain.appearance.color.enabled(&io::stdout());
    for (index, rule) in explain.rules.iter().enumerate() {
        if index > 0 {
            writeln!(streams.out())?;
        }
        write!(streams.rendered_out(), "{}", Explanation::new(rule).color(color))?;
    }
    Ok(Verdict::Valid)
}

/// Shows the keynames of an entity, or lists all entities.
pub(super) fn reference(asked: &Reference, streams: &mut Streams) -> io::Result<Verdict> {
    let language = languages().main();
    let all = handbook::entities(language, asked.version);
    if asked.entity.is_empty() {
        let width = all.iter().map(|entity| entity.title.len()).max().unwrap_or(0);
        for entity in all {
            writeln!(streams.out(), "{:width$}  {}", entity.title, handbook::summary(entity))?;
        }
        return Ok(Verdict::Valid);
    }
    let name = asked.entity.join(" ");
    let Some(entity) = handbook::find(language, asked.version, &name) else {
        let help = nearest(&name, all.iter().map(|entity| entity.title))
            .map_or_else(|| "`tosca-parse reference` lists them".to_owned(), |near| format!("did you mean `{near}`?"));
        let title = language.version_title(asked.version);
        return misused(streams, &format!("nothing in {title} is called `{name}`; {help}"));
    };
    let color = asked.appearance.color.enabled(&io::stdout());
    write!(streams.rendered_out(), "{}", EntityHelp::new(language, asked.version, entity).color(color))?;
    Ok(Verdict::Valid)
}

/// Lists all rules, one per line.
pub(super) fn rules(rules: &Rules, streams: &mut Streams) -> io::Result<Verdict> {
    use tosca_parse::diagnostic::color::{CODE, ERROR, WARNING, paint};
    use tosca_parse::diagnostic::{Level, Severity};
    let color = rules.appearance.color.enabled(&io::stdout());
    let settings = config::Settings::of(&Access::default(), &config::here()).unwrap_or_default();
    let own: Vec<Explained> = settings.own_rules().into_iter().map(|own| own.explained.clone()).collect();
    let width = languages().rules().iter().map(|explained| explained.rule.name.len()).max().unwrap_or(0);
    for Explained { rule, .. } in languages().rules().iter().chain(&own) {
        let style = if rule.level.severity() == Severity::Error { ERROR } else { WARNING };
        let level = match rule.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::StrictError => "strict",
            Level::Optional => "optional",
        };
        let (code, name) = (
            paint(if rule.code == rule.name { "own  " } else { rule.code }, style, color),
            paint(format!("{:width$}", rule.name), CODE, color),
        );
        writeln!(streams.rendered_out(), "{code} {name} {level:7} {}", render::shown(rule.summary))?;
    }
    Ok(Verdict::Valid)
}

/// Lists all quirks and sets of quirks.
pub(super) fn quirks(streams: &mut Streams) -> io::Result<Verdict> {
    let width = languages().quirk_names().map(str::len).max().unwrap_or(0);
    for QuirkDescription { quirk, summary, needed_by } in languages().iter().flat_map(|language| language.quirks) {
        let name = quirk.name();
        writeln!(streams.out(), "{name:width$}  lets pass {summary}")?;
        writeln!(streams.out(), "{:width$}  needed by {needed_by}", "")?;
    }
    for QuirkSet { name, quirks, .. } in languages().iter().flat_map(|language| language.quirk_sets) {
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
        Schema::Plan => normal::plan_json_schema(),
        Schema::Differences => normal::differences_json_schema(),
        Schema::Templates(language, version) => handbook::json_schema(language, version),
        Schema::Config => config::json_schema(),
    };
    writeln!(streams.out(), "{schema:#}")?;
    Ok(Verdict::Valid)
}

/// Writes a shell completion script.
pub(super) fn completions(shell: Shell, streams: &mut Streams) -> io::Result<Verdict> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tosca-parse", &mut script);
    streams.rendered_out().write_all(&script)?;
    Ok(Verdict::Valid)
}

/// Writes the manual page.
pub(super) fn man(streams: &mut Streams) -> io::Result<Verdict> {
    clap_mangen::Man::new(Cli::command()).render(&mut streams.rendered_out())?;
    Ok(Verdict::Valid)
}

/// Prints the version.
pub(super) fn version(streams: &mut Streams) -> io::Result<Verdict> {
    write!(streams.out(), "{}", Cli::command().render_version())?;
    Ok(Verdict::Valid)
}
