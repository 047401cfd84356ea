//! Prints documentation of the command itself: rules, schemas, completions, the manual page.

use std::io;

use clap::CommandFactory;

use super::args::{Cli, Explain, Listed, Listing, Meant, Reference, Rules, Schema, SourceArgs};
use super::config;
use super::streams::Streams;
use super::validate::misused;
use super::{ExitStatus, columns};
use tosca_parse::diagnostic::suggest::nearest;
use tosca_parse::diagnostic::{Explanation, Level, RuleDocs, render, rule_url};
use tosca_parse::entity::{QuirkDescription, QuirkSet};
use tosca_parse::normal;
use tosca_parse::reference_docs::{self, EntityHelp};
use tosca_parse_config::{here, languages};

/// Explains rules.
pub(super) fn explain(explain: &Explain, streams: &mut Streams) -> io::Result<ExitStatus> {
    if explain.listed.format == Listing::Json {
        let rules = explain.rules.iter().flat_map(|meant| match meant {
            Meant::One(rule) => std::slice::from_ref(rule),
            Meant::Several(rules) => rules,
        });
        return json(&rules.map(|rule| ListedRule::of(rule, true)).collect::<Vec<_>>(), streams);
    }
    let color = explain.appearance.color.enabled(&io::stdout());
    for (index, meant) in explain.rules.iter().enumerate() {
        if index > 0 {
            writeln!(streams.out())?;
        }
        match meant {
            Meant::One(rule) => write!(streams.rendered_out(), "{}", Explanation::new(rule).color(color))?,
            Meant::Several(rules) => list(rules.iter(), color, streams)?,
        }
    }
    Ok(ExitStatus::Valid)
}

/// Shows the keynames of an entity or lists all entities.
pub(super) fn reference(asked: &Reference, streams: &mut Streams) -> io::Result<ExitStatus> {
    let language = languages().main();
    let all = reference_docs::entities(language, asked.version);
    if asked.entity.is_empty() {
        let width = all.iter().map(|entity| entity.title.len()).max().unwrap_or(0);
        for entity in all {
            writeln!(streams.out(), "{:width$}  {}", entity.title, reference_docs::summary(entity))?;
        }
        return Ok(ExitStatus::Valid);
    }
    let name = asked.entity.join(" ");
    let Some(entity) = reference_docs::find(language, asked.version, &name) else {
        let help = nearest(&name, all.iter().map(|entity| entity.title))
            .map_or_else(|| "`tosca-parse reference` lists them".to_owned(), |near| format!("did you mean `{near}`?"));
        let title = language.version_title(asked.version);
        return misused(streams, &format!("nothing in {title} is called `{name}`; {help}"));
    };
    let color = asked.appearance.color.enabled(&io::stdout());
    write!(streams.rendered_out(), "{}", EntityHelp::new(language, asked.version, entity).color(color))?;
    Ok(ExitStatus::Valid)
}

/// Lists all rules.
pub(super) fn rules(rules: &Rules, streams: &mut Streams) -> io::Result<ExitStatus> {
    let settings = config::of(&SourceArgs::default(), &here()).unwrap_or_default();
    let own: Vec<RuleDocs> = settings.custom_rules().into_iter().map(|own| own.explained.clone()).collect();
    let all = languages().rules().iter().chain(&own);
    if rules.listed.format == Listing::Json {
        return json(&all.map(|rule| ListedRule::of(rule, false)).collect::<Vec<_>>(), streams);
    }
    list(all, rules.appearance.color.enabled(&io::stdout()), streams)?;
    Ok(ExitStatus::Valid)
}

/// Lists rules, one per line.
fn list<'r>(rules: impl Iterator<Item = &'r RuleDocs> + Clone, color: bool, streams: &mut Streams) -> io::Result<()> {
    use tosca_parse::diagnostic::Severity;
    use tosca_parse::diagnostic::color::{CODE, ERROR, WARNING, paint};
    let width = columns::width(rules.clone().map(|explained| explained.rule.name));
    for RuleDocs { rule, .. } in rules {
        let style = if rule.level.severity() == Severity::Error { ERROR } else { WARNING };
        let (code, name) = (
            paint(if rule.has_code() { rule.code } else { "own  " }, style, color),
            paint(format!("{}{}", rule.name, columns::padding(rule.name, width)), CODE, color),
        );
        writeln!(streams.rendered_out(), "{code} {name} {:8} {}", level(rule.level), render::sanitize(rule.summary))?;
    }
    Ok(())
}

/// Returns the word for a level.
fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::StrictError => "strict",
        Level::Optional => "optional",
    }
}

/// A rule in JSON.
#[derive(serde::Serialize)]
struct ListedRule<'r> {
    /// `None` for custom rules.
    code: Option<&'static str>,
    name: &'static str,
    level: &'static str,
    summary: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// The explanation, in Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'r str>,
}

impl<'r> ListedRule<'r> {
    fn of(RuleDocs { rule, text }: &'r RuleDocs, has_text: bool) -> Self {
        Self {
            code: rule.has_code().then_some(rule.code),
            name: rule.name,
            level: level(rule.level),
            summary: rule.summary,
            url: rule_url(rule),
            text: has_text.then_some(text),
        }
    }
}

/// Writes a list in JSON.
pub(super) fn json(list: &impl serde::Serialize, streams: &mut Streams) -> io::Result<ExitStatus> {
    let text = serde_json::to_string_pretty(list).map_err(io::Error::other)?;
    writeln!(streams.rendered_out(), "{}", render::escaped(&text))?;
    Ok(ExitStatus::Valid)
}

/// Lists all quirks and sets of quirks.
pub(super) fn quirks(listed: Listed, streams: &mut Streams) -> io::Result<ExitStatus> {
    if listed.format == Listing::Json {
        return json(&quirks_in_json(), streams);
    }
    let width = languages().quirk_names().map(str::len).max().unwrap_or(0);
    for QuirkDescription { quirk, summary, needed_by } in languages().iter().flat_map(|language| language.quirks) {
        let name = quirk.name();
        writeln!(streams.out(), "{name:width$}  accepts {summary}")?;
        writeln!(streams.out(), "{:width$}  needed by {needed_by}", "")?;
    }
    for QuirkSet { name, quirks, .. } in languages().iter().flat_map(|language| language.quirk_sets) {
        let names: Vec<&str> = quirks.iter().map(|quirk| quirk.name()).collect();
        writeln!(streams.out(), "{name:width$}  {}", names.join(", "))?;
    }
    Ok(ExitStatus::Valid)
}

/// Returns all quirks and sets of quirks in JSON.
fn quirks_in_json() -> serde_json::Value {
    let one = |description: &QuirkDescription| {
        let QuirkDescription { quirk, summary, needed_by } = description;
        serde_json::json!({ "name": quirk.name(), "summary": summary, "needed_by": needed_by })
    };
    let set = |set: &QuirkSet| {
        let quirks: Vec<&str> = set.quirks.iter().map(|quirk| quirk.name()).collect();
        serde_json::json!({ "name": set.name, "quirks": quirks })
    };
    let quirks: Vec<_> = languages().iter().flat_map(|language| language.quirks).map(one).collect();
    let sets: Vec<_> = languages().iter().flat_map(|language| language.quirk_sets).map(set).collect();
    serde_json::json!({ "quirks": quirks, "sets": sets })
}

/// Writes a JSON Schema.
pub(super) fn schema(of: Schema, streams: &mut Streams) -> io::Result<ExitStatus> {
    let schema = match of {
        Schema::Model => normal::json_schema(),
        Schema::Problems => render::json_schema(),
        Schema::Plan => normal::plan_json_schema(),
        Schema::Differences => normal::differences_json_schema(),
        Schema::Evaluation => normal::evaluation_json_schema(),
        Schema::Nested => normal::nested_json_schema(),
        Schema::Templates(language, version) => reference_docs::json_schema(language, version),
        Schema::Config => tosca_parse_config::json_schema(),
    };
    writeln!(streams.out(), "{schema:#}")?;
    Ok(ExitStatus::Valid)
}

/// Writes the manual page of the program or of the given command.
pub(super) fn man(words: &[String], streams: &mut Streams) -> io::Result<ExitStatus> {
    let mut command = Cli::command();
    // This gives subcommands their full names.
    command.build();
    for word in words {
        let Some(found) = command.find_subcommand(word) else {
            let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
            let near = nearest(word, names.iter().copied());
            let help = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return misused(streams, &format!("there is no command `{word}`{help}"));
        };
        command = found.clone();
    }
    clap_mangen::Man::new(command).render(&mut streams.rendered_out())?;
    Ok(ExitStatus::Valid)
}

/// Prints the version, optionally with the languages and the platform.
pub(super) fn version(is_verbose: bool, streams: &mut Streams) -> io::Result<ExitStatus> {
    write!(streams.out(), "{}", Cli::command().render_version())?;
    if is_verbose {
        for language in languages().iter() {
            let number = |title: &'static str| title.trim_start_matches(language.name).trim_start();
            let numbers: Vec<&str> = language.versions.iter().map(|version| number(version.title)).collect();
            writeln!(streams.out(), "{}", format!("{} {}", language.name, numbers.join(", ")).trim_end())?;
        }
        writeln!(streams.out(), "{} {}", std::env::consts::OS, std::env::consts::ARCH)?;
    }
    Ok(ExitStatus::Valid)
}
