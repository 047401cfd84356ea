//! Writes problems in the requested format to the requested output.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use super::args::{Format, Validate};
use super::languages::languages;
use super::output;
use super::streams::Streams;
use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::diagnostic::color::links;
use tosca_parse::diagnostic::render::{
    Azure, Checkstyle, Concise, Document, GitHub, GitLab, JUnit, JsonLines, RdJson, Sarif, SonarQube, Statistics,
    Terminal, escaped,
};
use tosca_parse::source::Sources;

/// Checks that the report arguments are compatible.
pub(super) fn check(validate: &Validate) -> Result<(), &'static str> {
    let is_table = matches!(validate.format, Format::Full | Format::Concise | Format::Json);
    if validate.statistics && !is_table {
        return Err("`--statistics` is a table, or a list with `--format json`");
    }
    if validate.watch && validate.files.iter().any(|file| file == "-") {
        return Err("`--watch` needs files: standard input can be read only once");
    }
    if validate.output_file.is_some() && validate.output_file == validate.output {
        return Err("`--output` and `--output-file` can't be the same file");
    }
    Ok(())
}

/// Writes problems to the named file, or else to a stream: standard error if standard output is used for requested
/// output.
pub(super) fn write(
    validate: &Validate,
    problems: &[Diagnostic],
    sources: &Sources,
    is_taken: bool,
    streams: &mut Streams,
) -> io::Result<()> {
    let is_for_people = validate.format == Format::Full && !validate.statistics;
    if let Some(path) = &validate.output_file {
        let text = shape(validate.format, validate.statistics, problems, sources, false).to_string();
        return output::write(path, &text);
    }
    if is_for_people && problems.is_empty() {
        return Ok(());
    }
    let color = validate.appearance.color.enabled(&io::stderr());
    let stream = if is_for_people { streams.rendered_err() } else { streams.report(is_taken) };
    write!(stream, "{}", shape(validate.format, validate.statistics, problems, sources, color))
}

/// Returns the name under which the command was invoked.
fn command_name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let program = std::env::args_os().next().unwrap_or_default();
        let name = Path::new(&program).file_stem().and_then(OsStr::to_str);
        name.filter(|name| !name.is_empty()).unwrap_or("tosca-parse").to_owned()
    })
}

/// Returns the output format.
pub(super) fn shape<'a>(
    format: Format,
    with_statistics: bool,
    problems: &'a [Diagnostic],
    sources: &'a Sources,
    color: bool,
) -> Box<dyn Display + 'a> {
    match format {
        Format::Json if with_statistics => Box::new(Json(Statistics::of(problems))),
        Format::Full | Format::Concise if with_statistics => Box::new(Statistics::of(problems)),
        Format::Full => {
            Box::new(Terminal::new(problems, sources).color(color).links(color && links()).command(command_name()))
        }
        Format::Concise => Box::new(Concise::new(problems, sources)),
        Format::Json => Box::new(Document::new(problems, sources)),
        Format::Jsonl => Box::new(JsonLines::new(problems, sources)),
        Format::Sarif => Box::new(Sarif::new(problems, sources).explained(languages().rules())),
        Format::Github => Box::new(GitHub::new(problems, sources)),
        Format::Gitlab => Box::new(GitLab::new(problems, sources)),
        Format::Checkstyle => Box::new(Checkstyle::new(problems, sources)),
        Format::Azure => Box::new(Azure::new(problems, sources)),
        Format::Rdjson => Box::new(RdJson::new(problems, sources)),
        Format::Sonarqube => Box::new(SonarQube::new(problems, sources)),
        Format::Junit => Box::new(JUnit::new(problems, sources)),
    }
}

/// A table that is written as a JSON list.
struct Json(Statistics);

impl Display for Json {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = serde_json::to_string_pretty(&self.0).map_err(|_| std::fmt::Error)?;
        writeln!(f, "{}", escaped(&text))
    }
}
