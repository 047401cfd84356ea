//! Formats files.

use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::ExitStatus;
use super::args::{Fmt, Format, SourceArgs};
use super::config;
use super::dirs::shown;
use super::fix::{Project, show_diff};
use super::folder;
use super::ordered_parallel::{map_in_order, workers};
use super::report;
use super::streams::{Streams, is_colored};
use super::validate::misused;
use tosca_parse::ard::Limits;
use tosca_parse::diagnostic::{Diagnostic, SourceId};
use tosca_parse::source::replace::Draft;
use tosca_parse::source::{Source, Sources, regular};
use tosca_parse_config::{Settings, languages};
use tosca_parse_fmt::{Failure, Formatted, Keynames, Options, format_in, format_range};

/// A file to format.
struct Job {
    /// `None` for standard input.
    path: Option<PathBuf>,
    name: String,
    options: Arc<Options>,
    /// The reason why the file can't be replaced.
    refusal: Option<&'static str>,
    /// Whether the arguments name the file, rather than a folder that contains it.
    is_named: bool,
}

/// A file after formatting.
struct Done {
    job: Job,
    result: Result<Texts, Refusal>,
}

struct Texts {
    before: String,
    /// `None` if the file is formatted already.
    after: Option<String>,
}

/// The reason why a file is not formatted.
enum Refusal {
    /// The file is not valid YAML: its text and its problems.
    Invalid(String, Vec<Diagnostic>),
    /// The file can't be read.
    Unreadable(String),
    /// Anything else.
    Other(String),
}

/// Formats files or shows what would change.
pub(super) fn run(arguments: &Fmt, streams: &mut Streams) -> io::Result<ExitStatus> {
    let jobs = match jobs(arguments) {
        Ok(jobs) => jobs,
        Err(refusal) => return refusal.report(streams),
    };
    if arguments.range.is_some() && jobs.len() != 1 {
        return misused(streams, "`--range` is for a single file");
    }
    let workers = workers(arguments.jobs);
    let is_written = !arguments.check && !arguments.diff;
    let mut summary = Summary::default();
    map_in_order(
        jobs,
        workers,
        |job| work(job, arguments.range, is_written),
        |done| summary.add(done, arguments, streams),
    )?;
    summary.finish(arguments, streams)
}

/// Returns the files that the arguments name.
fn jobs(arguments: &Fmt) -> Result<Vec<Job>, super::Refusal> {
    let access =
        SourceArgs { config: arguments.config.clone(), no_config: arguments.no_config, ..SourceArgs::default() };
    let keynames = arguments.keynames.map(Into::into);
    let mut configurations = Configurations { access: &access, keynames, known: HashMap::default() };
    let mut jobs: Vec<Job> = Vec::new();
    let is_only = arguments.files.len() == 1;
    let files = arguments.files.iter().map(|file| folder::matching(file, is_only)).collect::<Result<Vec<_>, _>>()?;
    for file in &files.concat() {
        if file == "-" {
            if jobs.iter().any(|job| job.path.is_none()) {
                return Err("standard input can be read only once".to_owned().into());
            }
            let name = Path::new(&arguments.stdin_name);
            let (_, options) = configurations.of(name)?;
            jobs.push(Job { path: None, name: name.display().to_string(), options, refusal: None, is_named: true });
            continue;
        }
        let path = Path::new(file);
        let inside = if path.is_dir() { path.join("_") } else { path.to_owned() };
        let (settings, _) = configurations.of(&inside)?;
        let mut project = Project::default();
        project.add(path, settings.project());
        let found = if path.is_dir() {
            configurations.files(path)?
        } else if arguments.force_exclude && settings.excludes(path) {
            Vec::new()
        } else {
            vec![path.to_owned()]
        };
        for path in found {
            let (_, options) = configurations.of(&path)?;
            let is_inside = project.has(&path) || !path.exists();
            let refusal = (!is_inside).then_some("it is outside the project; name it to format it");
            jobs.push(Job {
                name: shown(&path),
                is_named: path.as_path() == Path::new(file),
                path: Some(path),
                options,
                refusal,
            });
        }
    }
    let mut seen = HashSet::default();
    jobs.retain(|job| {
        job.path.as_ref().is_none_or(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())))
    });
    Ok(jobs)
}

/// The configurations of files, by folder.
struct Configurations<'a> {
    access: &'a SourceArgs,
    /// The order that the arguments set.
    keynames: Option<Keynames>,
    known: HashMap<PathBuf, (Rc<Settings>, Arc<Options>)>,
}

impl Configurations<'_> {
    fn of(&mut self, file: &Path) -> Result<(Rc<Settings>, Arc<Options>), String> {
        let folder = std::path::absolute(file).ok().and_then(|file| file.parent().map(Path::to_owned));
        let folder = folder.unwrap_or_default();
        if let Some(known) = self.known.get(&folder) {
            return Ok(known.clone());
        }
        let settings = Rc::new(config::of(self.access, file)?);
        let mut options = settings.formatting();
        options.keynames = self.keynames.unwrap_or(options.keynames);
        let found = (settings.clone(), Arc::new(options));
        self.known.insert(folder, found.clone());
        Ok(found)
    }

    /// Returns the templates in a folder.
    fn files(&mut self, folder: &Path) -> Result<Vec<PathBuf>, String> {
        let mut wrong = None;
        let found = folder::templates(folder, &mut |path| match self.of(path) {
            Ok((settings, _)) => settings.excludes(path),
            Err(message) => {
                wrong = Some(message);
                true
            }
        });
        wrong.map_or(Ok(found), Err)
    }
}

/// Formats a file and replaces it if `is_written` is set.
fn work(job: Job, lines: Option<(u32, u32)>, is_written: bool) -> Done {
    let result = read(job.path.as_deref()).and_then(|before| {
        let after = formatted(&before, &job, lines);
        let after = match after {
            Ok(changes) if changes.is_unchanged() => None,
            Ok(changes) => Some(changes.apply(&before)),
            // Only some Yay documents are YAML, too. The others are left out of folders.
            Err(Failure::Invalid(_)) if is_yay(&job.name) && !job.is_named => None,
            Err(Failure::Invalid(_)) if is_yay(&job.name) => return Err(Refusal::Other(YAY.to_owned())),
            Err(Failure::Invalid(problems)) => return Err(Refusal::Invalid(before, problems)),
            Err(failure @ Failure::Unsupported) => return Err(Refusal::Other(failure.to_string())),
        };
        if let (Some(path), Some(after), true) = (&job.path, &after, is_written) {
            if let Some(reason) = job.refusal {
                return Err(Refusal::Other(reason.to_owned()));
            }
            replace(path, &before, after).map_err(|error| Refusal::Other(error.to_string()))?;
        }
        Ok(Texts { before, after })
    });
    Done { job, result }
}

const YAY: &str = "it has the syntax of Yay, and only Yay documents that are also YAML can be formatted";

fn is_yay(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("yay"))
}

fn read(path: Option<&Path>) -> Result<String, Refusal> {
    let bytes = match path {
        Some(path) => regular::read(path, Limits::default().bytes).map_err(|error| error.to_string()),
        None => {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes).map_err(|error| error.to_string())
        }
    };
    let text = String::from_utf8(bytes.map_err(Refusal::Unreadable)?);
    text.map_err(|_| Refusal::Other("it is not UTF-8".to_owned()))
}

fn formatted(text: &str, job: &Job, lines: Option<(u32, u32)>) -> Result<Formatted, Failure> {
    match lines {
        Some(lines) => format_range(text, bytes(text, lines), &job.options),
        None => format_in(languages().of_plain_file(&job.name, text), text, &job.options),
    }
}

/// Returns the byte range of the given lines.
fn bytes(text: &str, (first, last): (u32, u32)) -> Range<usize> {
    let start = |line: u32| {
        let breaks = text.match_indices('\n').nth(line as usize - 1);
        breaks.map_or(text.len(), |(at, _)| at + 1)
    };
    let from = if first == 1 { 0 } else { start(first - 1) };
    from..start(last)
}

fn replace(path: &Path, before: &str, after: &str) -> io::Result<()> {
    let mut draft = Draft::new(path)?.expecting(before.as_bytes());
    draft.write_all(after.as_bytes())?;
    draft.replace()
}

/// The number of files for each result, and their problems.
#[derive(Default)]
struct Summary {
    changed: usize,
    unchanged: usize,
    refused: usize,
    unreadable: usize,
    problems: Vec<Diagnostic>,
    sources: Sources,
}

impl Summary {
    fn add(&mut self, Done { job, result }: Done, arguments: &Fmt, streams: &mut Streams) -> io::Result<()> {
        let texts = match result {
            Ok(texts) => texts,
            Err(Refusal::Invalid(text, problems)) => {
                self.refused += 1;
                let id = SourceId(self.sources.len() as u32);
                self.sources.add(Source::new(id, job.name, text));
                self.problems.extend(problems.into_iter().map(|mut problem| {
                    problem.renumber(|_| id);
                    problem
                }));
                return Ok(());
            }
            Err(Refusal::Unreadable(message)) => {
                self.unreadable += 1;
                return writeln!(streams.err(), "error: {}: not formatted: {message}", job.name);
            }
            Err(Refusal::Other(message)) => {
                self.refused += 1;
                return writeln!(streams.err(), "error: {}: not formatted: {message}", job.name);
            }
        };
        let is_piped = job.path.is_none() && !arguments.check && !arguments.diff;
        if is_piped {
            streams.rendered_out().write_all(texts.after.as_ref().unwrap_or(&texts.before).as_bytes())?;
        }
        let Some(after) = texts.after else {
            self.unchanged += 1;
            return Ok(());
        };
        self.changed += 1;
        if arguments.diff {
            show_diff(streams, &job.name, &texts.before, &after)?;
        } else if arguments.check {
            writeln!(streams.out(), "{}", job.name)?;
        }
        Ok(())
    }

    fn finish(self, arguments: &Fmt, streams: &mut Streams) -> io::Result<ExitStatus> {
        let is_trial = arguments.check || arguments.diff;
        let is_piped = arguments.files.iter().any(|file| file == "-");
        let is_for_people = arguments.report.format == Format::Full;
        if !(is_for_people && self.problems.is_empty()) {
            let is_taken = is_piped || is_trial;
            let color = is_colored(arguments.report.appearance.color, is_taken);
            let shape = report::shape(arguments.report.format, false, &self.problems, &self.sources, color);
            write!(streams.report(is_taken), "{shape}")?;
        }
        if !arguments.report.quiet && !is_piped {
            let files = |count: usize| format!("{count} file{}", if count == 1 { "" } else { "s" });
            let verb = if is_trial { "would be formatted" } else { "formatted" };
            let refused = self.refused + self.unreadable;
            let mut parts = vec![
                (self.changed, format!("{} {verb}", files(self.changed))),
                (self.unchanged, format!("{} unchanged", files(self.unchanged))),
                (refused, format!("{} can't be formatted", files(refused))),
            ];
            parts.retain(|(count, _)| *count > 0);
            let parts: Vec<String> = parts.into_iter().map(|(_, part)| part).collect();
            let line = if parts.is_empty() { "no files".to_owned() } else { parts.join(", ") };
            writeln!(streams.err(), "{line}")?;
        }
        let is_failure = self.refused > 0 || is_trial && self.changed > 0;
        let other = if self.unreadable > 0 { ExitStatus::Unavailable } else { ExitStatus::Valid };
        Ok(if is_failure { ExitStatus::Invalid } else { other })
    }
}
