//! Shows the settings for a file and the configuration files that set them.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use clap::ValueEnum;
use clap::builder::PossibleValue;

use super::super::ExitStatus;
use super::super::args::SourceArgs;
use super::super::dirs::shown;
use super::super::streams::Streams;
use super::super::validate::misused;
use tosca_parse::diagnostic::Override;
use tosca_parse_config::{Layer, RuleSelector, Settings, Special, Trust};

/// Prints the settings for a file as YAML, each followed by its origin.
pub(crate) fn show(file: &Path, access: &SourceArgs, streams: &mut Streams) -> io::Result<ExitStatus> {
    let settings = match super::of(access, file) {
        Ok(settings) => settings,
        Err(message) => return misused(streams, &message),
    };
    let out = &mut streams.out();
    for message in settings.ignored() {
        writeln!(out, "# {message}")?;
    }
    if settings.layers().is_empty() {
        writeln!(out, "# no configuration")?;
    }
    let mut page = Page { out, settings: &settings };
    page.one("strict", |layer| layer.file().said_strict().map(|strict| strict.to_string()))?;
    page.section("rules", |layer| {
        let special = layer.overrides(file, |_| true).flat_map(Special::rules);
        layer.file().rules().iter().chain(special).map(|(which, wanted)| rule(which, *wanted)).collect()
    })?;
    page.section("custom_rules", |layer| {
        let own = layer.file().custom_rules().iter();
        own.map(|own| format!("  {}: {}", own.explained.rule.name, own.line())).collect()
    })?;
    page.section("quirks", |layer| {
        let special = layer.overrides(file, |_| true).flat_map(Special::quirks);
        layer.file().quirks().iter().chain(special).map(|quirk| format!("- {}", quirk.name())).collect()
    })?;
    page.section("versions", |layer| {
        layer.file().versions().map(|(word, version)| format!("  {word}: {version}")).collect()
    })?;
    page.section("functions", |layer| layer.file().functions().map(|name| format!("- {name}")).collect())?;
    page.section("profile_paths", |layer| {
        layer.file().profile_paths().filter_map(|path| layer.place(path)).map(|path| item(shown(&path))).collect()
    })?;
    page.section("import_paths", |layer| {
        layer.file().import_paths().filter_map(|path| layer.place(path)).map(|path| item(shown(&path))).collect()
    })?;
    page.section("map_url", |layer| {
        let mapped = layer.file().map_url().filter_map(|(url, path)| Some((url, layer.place(path)?)));
        mapped.map(|(url, path)| format!("  {url}: {}", shown(&path))).collect()
    })?;
    page.section("limits", |layer| {
        let limits = layer.file().limits().iter();
        let counting = limits.filter(|limit| layer.trust() == Trust::User || settings.bounds.has(limit));
        counting.map(|limit| format!("  {limit}")).collect()
    })?;
    page.section("inputs", |layer| {
        let special = layer.overrides(file, |_| true).filter_map(Special::inputs);
        let maps = layer.file().inputs().into_iter().chain(special);
        let lines = maps.flat_map(|map| {
            let map = map.as_object().cloned().unwrap_or_default();
            map.into_iter().map(|(name, value)| format!("  {name}: {value}"))
        });
        lines.collect()
    })?;
    page.section("options", |layer| {
        let special = layer.overrides(file, |_| true).flat_map(Special::options);
        let all = layer.file().options().iter().chain(special);
        let all = all.filter_map(|(option, value)| Some((option.name, layer.source(value)?)));
        let text = |value: &OsStr| match value.to_str() {
            Some(url) if url.contains("://") => url.to_owned(),
            _ => shown(Path::new(value)),
        };
        all.map(|(name, value)| format!("  {name}: {}", text(&value))).collect()
    })?;
    page.section("format", |layer| layer.file().format().map(|format| format.lines().collect()).unwrap_or_default())?;
    page.section("exclude", |layer| layer.file().exclude().iter().map(item).collect())?;
    let word = |value: Option<PossibleValue>| value.map(|value| value.get_name().to_owned());
    page.one("problem_format", |layer| word(layer.file().problem_format()?.to_possible_value()))?;
    page.one("fail_on", |layer| word(layer.file().fail_on()?.to_possible_value()))?;
    page.one("jobs", |layer| Some(layer.file().jobs()?.to_string()))?;
    page.one("cache_results", |layer| Some(shown(&layer.cache_results()?)))?;
    page.one("baseline", |layer| Some(shown(&layer.place(layer.file().baseline()?)?)))?;
    if settings.excludes(file) {
        writeln!(page.out, "# {} is excluded", file.display())?;
    }
    Ok(ExitStatus::Valid)
}

fn item(text: impl Display) -> String {
    format!("- {text}")
}

fn rule(which: &RuleSelector, wanted: Override) -> String {
    let word = match wanted {
        Override::Allow => "allow",
        Override::Warn => "warn",
        Override::Deny => "deny",
    };
    match which {
        RuleSelector::Lints => format!("  lints: {word}"),
        RuleSelector::Warnings => format!("  warnings: {word}"),
        RuleSelector::One(rule) => format!("  {}: {word}", rule.name),
        RuleSelector::Custom(name) => format!("  {name}: {word}"),
    }
}

/// An output that is written section by section.
struct Page<'a, W: Write> {
    out: &'a mut W,
    settings: &'a Settings,
}

impl<W: Write> Page<'_, W> {
    fn one(&mut self, keyname: &str, get: impl Fn(&Layer) -> Option<String>) -> io::Result<()> {
        let last = self.settings.nearest_first().find_map(|layer| Some((layer, get(layer)?)));
        let Some((layer, value)) = last else { return Ok(()) };
        writeln!(self.out, "{keyname}: {value}  # {}", layer.name())
    }

    fn section(&mut self, keyname: &str, lines: impl Fn(&Layer) -> Vec<String>) -> io::Result<()> {
        let mut is_first = true;
        for layer in self.settings.layers() {
            for line in lines(layer) {
                if std::mem::take(&mut is_first) {
                    writeln!(self.out, "{keyname}:")?;
                }
                writeln!(self.out, "{line}  # {}", layer.name())?;
            }
        }
        Ok(())
    }
}
