//! Writes problems in the requested format to the requested output.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::OnceLock;

use super::args::{Format, Validate};
use super::output;
use super::streams::{Streams, is_colored};
use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::diagnostic::color::links;
use tosca_parse::diagnostic::render::{
    Azure, Checkstyle, Concise, Document, GitHub, GitLab, JUnit, JsonLines, RdJson, Sarif, SonarQube, Statistics,
    Terminal, escaped, sanitize,
};
use tosca_parse::source::Sources;
use tosca_parse_config::languages;

/// Checks that the report arguments are compatible.
pub(super) fn check(validate: &Validate) -> Result<(), &'static str> {
    let is_table = matches!(validate.format, Format::Full | Format::Concise | Format::Json);
    if validate.statistics && !is_table {
        return Err("`--statistics` is a table, or a list with `--format json`");
    }
    if validate.max_same.is_some() && (validate.format != Format::Full || validate.statistics) {
        return Err("`--max-same` needs the format `full`: other formats have all problems");
    }
    if validate.format.is_table() {
        if validate.watch {
            return Err("`--watch` shows problems, so it can't be used with `--format parquet`");
        }
        let is_taken = validate.emit.is_some() || validate.dump;
        if validate.problem_file().is_none() && (is_taken || io::stdout().is_terminal()) {
            return Err("`--format parquet` needs a file: name it with `-o FILE`");
        }
    }
    if validate.watch && validate.files.iter().any(|file| file == "-") {
        return Err("`--watch` needs files: standard input can be read only once");
    }
    let is_changed = validate.fix || validate.unsafe_fixes || validate.add_ignore.is_some();
    let is_taken = validate.dump || validate.emit.is_some() && validate.output.is_none();
    if is_changed && is_taken && validate.files.iter().any(|file| file == "-") {
        return Err(
            "the changed text of standard input is written to standard output: write the model with `--output`",
        );
    }
    if validate.output_file.is_some() && validate.output_file == validate.output {
        return Err("`--output` and `--output-file` can't be the same file");
    }
    Ok(())
}

/// The maximum number of equal problems that are shown in a run over folders.
const MAX_SAME: usize = 3;

/// Facts about a run that its report depends on.
pub(super) struct Facts<'a> {
    pub(super) has_folders: bool,
    /// Whether standard output carries a result.
    pub(super) is_taken: bool,
    /// Lines about files, which are shown before the last line.
    pub(super) remarks: &'a [String],
}

/// Writes problems to the named file, or else to a stream.
pub(super) fn write(
    validate: &Validate,
    problems: &[Diagnostic],
    sources: &Sources,
    facts: &Facts<'_>,
    streams: &mut Streams,
) -> io::Result<()> {
    if validate.format.is_table() {
        return Ok(());
    }
    let color = validate.output_file.is_none() && is_colored(validate.appearance.color, facts.is_taken);
    let is_for_people = validate.format == Format::Full && !validate.statistics;
    let max_same = validate.max_same.unwrap_or(if facts.has_folders { MAX_SAME } else { 0 });
    let shape: Box<dyn Display> = if is_for_people {
        let remarks = if validate.output_file.is_none() { facts.remarks } else { &[] };
        let terminal = terminal(problems, sources, color).remarks(remarks);
        Box::new(if max_same == 0 { terminal } else { terminal.max_same(max_same) })
    } else {
        shape(validate.format, validate.statistics, problems, sources, color)
    };
    if let Some(path) = &validate.output_file {
        output::write(path, shape.to_string())?;
    } else if !is_for_people {
        write!(streams.report(facts.is_taken), "{shape}")?;
    } else if !problems.is_empty() {
        return write!(streams.report(facts.is_taken), "{shape}");
    }
    let stream = streams.report(facts.is_taken || !is_for_people);
    facts.remarks.iter().try_for_each(|line| writeln!(stream, "{}", sanitize(line)))
}

/// Returns the output for users at a terminal.
fn terminal<'a>(problems: &'a [Diagnostic], sources: &'a Sources, color: bool) -> Terminal<'a> {
    Terminal::new(problems, sources).color(color).links(color && links()).command(command_name())
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
        Format::Full => Box::new(terminal(problems, sources, color)),
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
        // A table is not text: `problem_table` writes it.
        #[cfg(feature = "tables")]
        Format::Parquet => Box::new(""),
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
