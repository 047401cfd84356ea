//! Changes of source text: fixes, formatting, and migration to later versions.

use pyo3::prelude::*;
use tosca_parse::diagnostic::edit::{AppliedEdits, apply};
use tosca_parse::diagnostic::{Edit, SourceId};
use tosca_parse_fmt::{Lists, Options, Quotes};

use crate::config::Fault;
use crate::diagnostic::Diagnostic;
use crate::error::{config_error, error};

/// The maximum number of times that a text is parsed again after fixes.
const MAX_PASSES: usize = 10;

fn entry_source(outcome: &tosca_parse::Outcome) -> Option<SourceId> {
    outcome.program.list.first().map(|unit| unit.id)
}

/// Applies the fixes of problems to a text until none are left.
pub(crate) fn fixed(
    parse: impl Fn(&str) -> Result<tosca_parse::Outcome, Fault>,
    mut text: String,
    with_unsafe: bool,
) -> Result<String, Fault> {
    for _ in 0..MAX_PASSES {
        let outcome = parse(&text)?;
        let Some(source) = entry_source(&outcome) else { break };
        let mut taken = AppliedEdits::default();
        let edits: Vec<&Edit> = outcome
            .diagnostics
            .iter()
            .filter(|problem| !problem.edits.is_empty() && (with_unsafe || problem.is_fixable()))
            .filter(|problem| problem.edits.iter().all(|edit| edit.span.source == source))
            .filter(|problem| taken.take(&problem.edits))
            .flat_map(|problem| &problem.edits)
            .collect();
        let changed = apply(&text, edits);
        if changed == text {
            break;
        }
        text = changed;
    }
    Ok(text)
}

/// Returns the migrated text, and the features without a counterpart in the later version: one of the language, as
/// declared or by its number, or else the latest.
pub(crate) fn migrated(
    outcome: &tosca_parse::Outcome,
    text: &str,
    to: Option<&str>,
) -> PyResult<(String, Vec<Diagnostic>)> {
    let language = outcome.program.language();
    let found = language.and_then(|language| {
        let version = to.map_or_else(|| language.latest_version(), |to| language.version_of(to));
        Some((language.migrate?, version?))
    });
    let (migrate, version) = found.ok_or_else(|| match (language, to) {
        (Some(language), Some(to)) => config_error(format!("can't migrate {} to version `{to}`", language.name)),
        (Some(language), None) => config_error(format!("files in {} can't be migrated", language.name)),
        (None, _) => config_error("there is nothing to migrate".to_owned()),
    })?;
    let migration = migrate(&[&outcome.program], version).pop().unwrap_or_default();
    let source = entry_source(outcome);
    let own = migration.edits.iter().filter(|edit| Some(edit.span.source) == source);
    Ok((apply(text, own), Diagnostic::of_problems(&migration.problems, &outcome.sources)))
}

/// Formats a text.
#[pyfunction]
#[pyo3(signature = (text, *, indent = 2, quotes = "double", lists = "indented", bracket_spacing = true))]
pub(crate) fn format_text(
    py: Python<'_>,
    text: &str,
    indent: u8,
    quotes: &str,
    lists: &str,
    bracket_spacing: bool,
) -> PyResult<String> {
    let quotes = match quotes {
        "double" => Quotes::Double,
        "single" => Quotes::Single,
        "keep" => Quotes::Keep,
        _ => return Err(config_error(format!("unknown style of quotes `{quotes}`: use `double`, `single` or `keep`"))),
    };
    let lists = match lists {
        "indented" => Lists::Indented,
        "flush" => Lists::Flush,
        _ => return Err(config_error(format!("unknown style of lists `{lists}`: use `indented` or `flush`"))),
    };
    let options = Options { indent, quotes, lists, bracket_spacing, ..Options::default() };
    let formatted = py.detach(|| tosca_parse_fmt::format(text, &options).map(|formatted| formatted.apply(text)));
    formatted.map_err(|failure| error(py, "YamlError", failure))
}
