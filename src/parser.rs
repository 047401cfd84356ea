//! The parser: the front door of the library.

use std::path::PathBuf;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Diagnostics, Levels, SourceId, Summary};
use crate::entity::Language;
use crate::phase::inheritance::Complete;
use crate::phase::read::Entry;
use crate::phase::{Program, hierarchy, inheritance, namespace, read, rendering};
use crate::session::{Options, Sessions};
use crate::source::{Address, AddressError, Provider, Sources};

/// Reads service templates and finds their problems.
///
/// A parser remembers what it has read: profiles that many templates import are read and compiled once, as long as the
/// parser [may remember](ParserBuilder::remembered_bytes) them. It can be cloned cheaply and used by many threads at a time. It never prints and never ends the process.
#[derive(Clone)]
pub struct Parser {
    sessions: Arc<Sessions>,
    pool: Option<Arc<rayon::ThreadPool>>,
    levels: Levels,
}

/// What came of parsing a service template: its problems, and what it describes.
#[derive(Debug)]
pub struct Outcome {
    /// The problems, in the order of the sources and of the places in them.
    pub diagnostics: Vec<Diagnostic>,
    /// The sources that have been read: the entry first, then what it imports.
    pub sources: Sources,
    /// What the phases found out.
    pub program: Program<Complete>,
}

impl Outcome {
    /// Whether there is no error.
    pub fn is_valid(&self) -> bool {
        self.summary().errors == 0
    }

    /// How many problems of which kind there are.
    pub fn summary(&self) -> Summary {
        Summary::of(&self.diagnostics)
    }

    /// The number of the entry's source.
    pub fn entry(&self) -> Option<SourceId> {
        self.program.list.first().map(|unit| unit.id)
    }
}

/// Says what a parser is to do before there is one.
#[derive(Default)]
pub struct ParserBuilder {
    options: Options,
    levels: Levels,
    threads: Option<usize>,
}

impl ParserBuilder {
    /// Where paths are relative to, and what is cut off names that are shown; the current directory by default.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.options.directory = Some(directory.into());
        self
    }

    /// Adds a folder or file in which profiles are looked for by name.
    #[must_use]
    pub fn profile_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.options.profile_paths.push(path.into());
        self
    }

    /// Adds something that sources are read from, before the file system and the network are asked.
    #[must_use]
    pub fn provider(mut self, provider: Arc<dyn Provider>) -> Self {
        self.options.providers.push(provider);
        self
    }

    /// The language of the templates; [TOSCA](crate::grammar::tosca::TOSCA) by default.
    #[must_use]
    pub fn language(mut self, language: &'static Language) -> Self {
        self.options.language = Some(language);
        self
    }

    /// How many bytes of text the parser may remember that its latest parsing had no use for; 256 MiB by default.
    ///
    /// A parser remembers what it has read, so that it need not read it again. When more than this is of no use any
    /// more (other templates have been parsed, or sources have changed), it forgets everything, and the next parsing
    /// reads and compiles what it imports anew. A source counts for at least 4 KiB; what the parser makes of a text
    /// takes up several times as much memory as the text itself.
    #[must_use]
    pub fn remembered_bytes(mut self, bytes: u64) -> Self {
        self.options.limits.remembered = bytes;
        self
    }

    /// How problems are treated.
    #[must_use]
    pub fn levels(mut self, levels: Levels) -> Self {
        self.levels = levels;
        self
    }

    /// The number of threads; by default those of rayon's global pool are used.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// The parser.
    ///
    /// Fails if threads are asked for that the system does not give.
    pub fn build(self) -> Result<Parser, rayon::ThreadPoolBuildError> {
        let pool = match self.threads {
            Some(threads) => Some(Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?)),
            None => None,
        };
        Ok(Parser { sessions: Arc::new(Sessions::new(self.options)), pool, levels: self.levels })
    }
}

impl Parser {
    /// A builder for parsers.
    pub fn builder() -> ParserBuilder {
        ParserBuilder::default()
    }

    /// Parses the service template at a path or URL.
    pub fn parse(&self, argument: &str) -> Result<Outcome, AddressError> {
        Ok(self.parse_entry(Entry::at(self.address(argument)?)))
    }

    /// The address that a path or URL stands for, relative to the directory of the parser.
    pub fn address(&self, argument: &str) -> Result<Address, AddressError> {
        Address::from_argument(argument, &self.sessions.latest().directory())
    }

    /// Parses a service template that may come with a text and with values for its inputs.
    pub fn parse_entry(&self, entry: Entry) -> Outcome {
        match &self.pool {
            Some(pool) => pool.install(|| self.run(entry)),
            None => self.run(entry),
        }
    }

    fn run(&self, entry: Entry) -> Outcome {
        let session = &self.sessions.latest();
        let mut diagnostics = Diagnostics::new();
        let program = read::load(session, entry);
        let units = program.units.clone();
        let sources: Sources = units.list.iter().map(|unit| unit.source.clone()).collect();
        for unit in &units.list {
            diagnostics.extend(unit.diagnostics.iter().cloned());
        }
        diagnostics.extend(program.stage.diagnostics.iter().cloned());
        let known = session.known(&program);
        let program = namespace::run(program, &known.each(|unit| unit.named.clone()));
        let program = hierarchy::run(program, &known.each(|unit| unit.placed.clone()));
        let program = inheritance::run(program, &known.each(|unit| unit.complete.clone()));
        let checked: Vec<Arc<Vec<Diagnostic>>> = units
            .list
            .iter()
            .zip(known.each(|unit| unit.checked.clone()))
            .map(|(unit, known)| match known {
                Some(known) => known,
                None if unit.document.is_complete() => Arc::new(rendering::check(&program, unit.id)),
                None => Arc::default(),
            })
            .collect();
        session.remember_compiled(&known, &program, &checked);
        let stage = &program.stage;
        diagnostics.extend(stage.placed.named.units.iter().flat_map(|unit| unit.diagnostics.iter().cloned()));
        diagnostics.extend(stage.placed.units.iter().flat_map(|unit| unit.diagnostics.iter().cloned()));
        diagnostics.extend(stage.units.iter().flat_map(|unit| unit.diagnostics.iter().cloned()));
        diagnostics.extend(checked.iter().flat_map(|checked| checked.iter().cloned()));
        if let Some(entry) = units.list.first().filter(|entry| entry.document.is_complete()) {
            diagnostics.extend(rendering::run(&program, entry.id));
        }
        self.sessions.settle(session, &units);
        let diagnostics = self.levels.apply(diagnostics.into_sorted(&sources));
        Outcome { diagnostics, sources, program }
    }
}

impl std::fmt::Debug for Parser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parser").field("levels", &self.levels).finish_non_exhaustive()
    }
}
