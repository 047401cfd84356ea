//! The configurations of projects, and a parser for each of them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tosca_parse::diagnostic::{Severity, render as json, rule_url};
use tosca_parse::entity::Quirk;
use tosca_parse::source::regular;
use tosca_parse::{BuildError, Entry, ParserBuilder, rules};
use tosca_parse_config::{self as config, Error, LARGEST, Settings, UserFile};

/// The maximum number of projects whose parsers are kept.
const MAX_PROJECTS: usize = 32;

/// The configurations that apply.
#[derive(Clone, Debug, Default)]
pub(crate) enum Choice {
    /// None.
    #[default]
    Absent,
    /// For each file, the nearest one in its folder and its parents.
    Projects,
    /// A file that the program names.
    Named(PathBuf),
}

/// A parser, and the one on whose threads it runs.
#[derive(Clone)]
pub(crate) struct Reader {
    parser: tosca_parse::Parser,
    threads: Option<tosca_parse::Parser>,
}

impl Reader {
    /// Creates a reader that runs on its own threads.
    pub(crate) fn new(parser: tosca_parse::Parser) -> Self {
        Self { parser, threads: None }
    }

    /// Calls a function with the parser.
    pub(crate) fn run<T: Send>(&self, run: impl FnOnce(&tosca_parse::Parser) -> T + Send) -> T {
        match &self.threads {
            Some(threads) => threads.install(|| run(&self.parser)),
            None => run(&self.parser),
        }
    }
}

/// An error that keeps a template from being parsed.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// A configuration is unreadable or invalid.
    Configuration(Error),
    /// A value in a configuration is invalid for a template.
    Value(String),
    /// The system can't create the threads.
    Threads(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Configuration(error) => error.fmt(f),
            Self::Value(message) | Self::Threads(message) => f.write_str(message),
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Configuration(error)
    }
}

impl From<BuildError> for Fault {
    fn from(error: BuildError) -> Self {
        Self::Threads(error.to_string())
    }
}

/// Returns the error of a configuration as a problem of the configuration.
pub(crate) fn problem(error: &Error) -> json::Problem<'_> {
    let rule = &rules::UNREADABLE;
    let start = error.position().map_or(json::Point { line: 1, column: 1, offset: 0 }, |position| json::Point {
        line: position.line,
        column: position.column,
        offset: position.offset,
    });
    json::Problem {
        code: rule.code.into(),
        name: rule.name.into(),
        url: rule_url(rule),
        severity: Severity::Error,
        message: format!("can't read the configuration: {}", error.message()).into(),
        file: error.file().into(),
        start,
        end: start,
        related: Vec::new(),
        help: Vec::new(),
        edits: Vec::new(),
    }
}

/// Configures a parser for the settings and the quirks of a file.
type Build = Box<dyn Fn(&Settings, &[Quirk]) -> ParserBuilder + Send + Sync>;

/// The parsers of the projects, created on first use. They read changed configurations again.
pub(crate) struct Projects {
    choice: Choice,
    is_sandboxed: bool,
    /// The folder that paths are relative to.
    directory: PathBuf,
    /// The parser for files without a configuration. All parsers run on its threads.
    base: tosca_parse::Parser,
    has_threads: bool,
    build: Build,
    /// The projects, the latest one last.
    known: Mutex<Vec<Project>>,
    /// The messages about ignored settings that the program has not received yet.
    ignored: Mutex<Vec<String>>,
}

/// The maximum number of parsers of a project, which differ in their quirks.
const MAX_PARSERS: usize = 8;

/// A configuration and its parsers.
struct Project {
    path: PathBuf,
    text: Vec<u8>,
    settings: Arc<Settings>,
    /// The parsers by their quirks, which depend on the file.
    parsers: Vec<(Vec<Quirk>, tosca_parse::Parser)>,
}

impl Projects {
    pub(crate) fn new(
        choice: Choice,
        is_sandboxed: bool,
        directory: PathBuf,
        threads: Option<usize>,
        build: Build,
    ) -> Result<Self, Fault> {
        let builder = build(&Settings::default(), &[]);
        let base = threads.into_iter().fold(builder, ParserBuilder::threads).build()?;
        let has_threads = threads.is_some();
        let (known, ignored) = (Mutex::default(), Mutex::default());
        let projects = Self { choice, is_sandboxed, directory, base, has_threads, build, known, ignored };
        // A mistake in a file that the program names is reported at once.
        if let Choice::Named(path) = &projects.choice {
            projects.read(path)?;
        }
        Ok(projects)
    }

    /// Returns the parser for files without a configuration.
    pub(crate) fn base(&self) -> &tosca_parse::Parser {
        &self.base
    }

    /// Returns the settings that apply in the directory of the parser.
    pub(crate) fn here(&self) -> Result<Arc<Settings>, Error> {
        let Some(path) = self.configuration(&self.directory.join("_")) else { return Ok(Arc::default()) };
        self.read(&path)
    }

    /// Returns the reader for an entry, and the entry with the values of its configuration.
    pub(crate) fn entry(&self, entry: Entry) -> Result<(Reader, Entry), Fault> {
        // Files of the network have the configuration of the directory, as in the command.
        let file = entry.address().to_path().unwrap_or_else(|| self.directory.join("_"));
        let Some(path) = self.configuration(&file) else { return Ok((Reader::new(self.base.clone()), entry)) };
        let settings = self.read(&path)?;
        let entry = settings.apply(entry, &file, &self.directory).map_err(Fault::Value)?;
        let parser = self.parser(&path, &settings, settings.quirks(&file))?;
        Ok((Reader { parser, threads: self.has_threads.then(|| self.base.clone()) }, entry))
    }

    /// Returns the messages about ignored settings since the last call.
    pub(crate) fn take_ignored(&self) -> Vec<String> {
        std::mem::take(&mut *self.ignored.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn configuration(&self, file: &Path) -> Option<PathBuf> {
        match &self.choice {
            Choice::Absent => None,
            Choice::Projects => config::project(file),
            Choice::Named(path) => Some(path.clone()),
        }
    }

    /// Returns the settings of a configuration, which is read again if its text has changed.
    fn read(&self, path: &Path) -> Result<Arc<Settings>, Error> {
        let text = regular::read(path, LARGEST).unwrap_or_default();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = known.iter().position(|project| project.path == path) {
            let project = known.remove(index);
            if project.text == text {
                let settings = project.settings.clone();
                known.push(project);
                return Ok(settings);
            }
        }
        let directory = Some(self.directory.clone());
        let mut arguments =
            config::Arguments { directory, is_sandboxed: self.is_sandboxed, ..config::Arguments::default() };
        let settings = if let Choice::Named(named) = &self.choice {
            arguments.user = UserFile::Named(named.clone());
            Settings::read(&arguments, None)
        } else {
            Settings::read(&arguments, Some(path))
        };
        let settings = Arc::new(settings?);
        let mut ignored = self.ignored.lock().unwrap_or_else(PoisonError::into_inner);
        ignored.extend(settings.ignored().iter().cloned());
        if known.len() == MAX_PROJECTS {
            known.remove(0);
        }
        known.push(Project { path: path.to_owned(), text, settings: settings.clone(), parsers: Vec::new() });
        Ok(settings)
    }

    /// Returns the parser for settings and quirks.
    fn parser(&self, path: &Path, settings: &Arc<Settings>, quirks: Vec<Quirk>) -> Result<tosca_parse::Parser, Fault> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // The configuration may have been read again in the meantime.
        let project = known.iter_mut().find(|project| project.path == path && Arc::ptr_eq(&project.settings, settings));
        let Some(project) = project else { return Ok((self.build)(settings, &quirks).build()?) };
        if let Some((_, parser)) = project.parsers.iter().find(|(known, _)| *known == quirks) {
            return Ok(parser.clone());
        }
        let parser = (self.build)(settings, &quirks).build()?;
        if project.parsers.len() == MAX_PARSERS {
            project.parsers.remove(0);
        }
        project.parsers.push((quirks, parser.clone()));
        Ok(parser)
    }
}
