//! The parser: the front door of the library.

mod course;
mod ignore;
mod outcome;
mod uses;

use std::path::PathBuf;
use std::sync::Arc;

pub use course::Phase;
pub use outcome::{Outcome, PhaseTime, Progress, Stage};

use crate::ard;
use crate::diagnostic::{Diagnostic, Levels};
use crate::entity::{Language, Quirk};
use crate::loader::Entry;
use crate::phase::inheritance::Complete;
use crate::phase::read::Read;
use crate::phase::{Lint, Program};
use crate::session::{Sessions, Setup};
#[cfg(feature = "archive")]
use crate::source::ArchiveLimits;
#[cfg(feature = "http")]
use crate::source::HttpOptions;
use crate::source::{Address, AddressError, CatalogueProblem, ImportLimits, Mapped, Provider, ReadError};
use crate::syntax::Syntax;
use course::{Course, Start};

/// The stack of a thread of a parser's own: what data that is nested as deeply as may be needs, and some more.
const STACK: usize = 4 << 20;

/// Reads service templates and finds their problems.
///
/// A parser remembers what it has read: a profile that many templates import is read and compiled once, and again only
/// when its text has changed, as long as the parser [may remember](ParserBuilder::remembered_bytes) it. So one parser
/// should serve for as long as a program runs. It can be cloned cheaply (clones share what they remember) and used by
/// many threads at a time. It never prints and never ends the process.
#[derive(Clone)]
pub struct Parser {
    sessions: Arc<Sessions>,
    pool: Option<Arc<rayon::ThreadPool>>,
    levels: Arc<Levels>,
    lints: Arc<[Arc<dyn Lint>]>,
}

/// Says what a parser is to do before there is one.
pub struct ParserBuilder {
    setup: Setup,
    levels: Levels,
    lints: Vec<Arc<dyn Lint>>,
    threads: Option<usize>,
}

impl ParserBuilder {
    /// Where paths are relative to, and what is cut off names that are shown; the current directory by default.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.setup.directory = Some(directory.into());
        self
    }

    /// Adds a folder in which, and below which, imports by path or URL are found by the names of their files: those that
    /// lead to no file where they should, and those that lead to another computer.
    #[must_use]
    pub fn import_path(mut self, folder: impl Into<PathBuf>) -> Self {
        self.setup.import_paths.push(folder.into());
        self
    }

    /// Adds a folder or file in which profiles are looked for by name.
    #[must_use]
    pub fn profile_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.setup.profile_paths.push(path.into());
        self
    }

    /// Adds something that sources are read from, before the file system and the network are asked.
    #[must_use]
    pub fn provider(mut self, provider: Arc<dyn Provider>) -> Self {
        self.setup.providers.push(provider);
        self
    }

    /// Adds a language that sources may be written in, besides the first one: see [`Language::claims`].
    #[must_use]
    pub fn language(mut self, language: &'static Language) -> Self {
        self.setup.languages.push(language);
        self
    }

    /// Adds a way of writing sources down, besides YAML.
    #[must_use]
    pub fn syntax(mut self, syntax: Arc<dyn Syntax>) -> Self {
        self.setup.syntaxes.push(syntax);
        self
    }

    /// How many bytes of memory there may be for what the latest parsing had no use for; 256 MiB by default.
    ///
    /// A parser remembers what it has read, so that it need not read it again. When more than this is of no use any
    /// more (other templates have been parsed, or sources have changed), it forgets everything, and the next parsing
    /// reads and compiles what it imports anew. The memory is estimated: what is made of a source takes up 16 KiB, and
    /// eight times as much as its text.
    #[must_use]
    pub fn remembered_bytes(mut self, bytes: u64) -> Self {
        self.setup.limits.remembered = bytes;
        self
    }

    /// Lets something pass that the language does not allow. None is on by default.
    #[must_use]
    pub fn quirk(mut self, quirk: Quirk) -> Self {
        self.setup.quirks = self.setup.quirks.with(quirk);
        self
    }

    /// Reads files with a version of a vendor, such as `acme_dsl_1_0`, as files of a version of the language, which is given
    /// by its word too. A word that the language knows keeps its meaning.
    #[must_use]
    pub fn read_version(mut self, word: impl Into<String>, version: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.setup.words).declare(word, version);
        self
    }

    /// Reads files with an unknown version as files of a version that is given by its word.
    #[must_use]
    pub fn read_unknown_versions(mut self, version: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.setup.words).declare_others(version);
        self
    }

    /// Lets a function be called that nothing defines, since whoever deploys the services has it. What it takes and gives
    /// is not known, so it fits everywhere. The name is that by which it is called, without `$`.
    #[must_use]
    pub fn function(mut self, name: impl Into<String>) -> Self {
        self.setup.functions.push(name.into());
        self
    }

    /// Adds rules of one's own: something that is looked for in every program that is complete.
    #[must_use]
    pub fn lint(mut self, lint: impl Lint + 'static) -> Self {
        self.lints.push(Arc::new(lint));
        self
    }

    /// How problems are treated.
    #[must_use]
    pub fn levels(mut self, levels: Levels) -> Self {
        self.levels = levels;
        self
    }

    /// The number of threads, of which there are at most 16 for each core; by default those of rayon's global pool are used. Templates that make little work are
    /// parsed on the thread that asks for it, whatever the number is.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// What is refused because of its size: see [`Limits`](ard::Limits). They hold for each source.
    #[must_use]
    pub fn limits(mut self, limits: ard::Limits) -> Self {
        self.setup.limits.bytes = limits.bytes;
        self.setup.ard = limits;
        self
    }

    /// The maximum number of problems of one rule that are reported; 1000 by default. A program that changes texts to
    /// resolve problems needs all of them.
    #[must_use]
    pub fn problems_of_a_rule(mut self, most: usize) -> Self {
        self.setup.most_of_a_rule = most;
        self
    }

    /// How much may be imported in one parsing, directly or not.
    #[must_use]
    pub fn import_limits(mut self, limits: ImportLimits) -> Self {
        self.setup.imports = limits;
        self
    }

    /// How the network is used.
    #[cfg(feature = "http")]
    #[must_use]
    pub fn http(mut self, options: HttpOptions) -> Self {
        self.setup.http = options;
        self
    }

    /// Reads what is below a URL from a folder, and never from the network.
    #[must_use]
    pub fn map_url(self, prefix: &str, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        self.provider(Arc::new(Mapped::new(prefix, std::path::absolute(&folder).unwrap_or(folder))))
    }

    /// Whether the network is left alone: then addresses of the schemes `http` and `https` can't be read. False by
    /// default.
    #[must_use]
    pub fn offline(mut self, offline: bool) -> Self {
        self.setup.offline = offline;
        self
    }

    /// Whether what is imported by path must stay in the directory of the entry file, and what by URL is not imported
    /// at all. False by default. Profiles that are imported by name may be anywhere, and what they import in one of the
    /// [profile paths](Self::profile_path).
    ///
    /// What is in an archive never imports files from outside of it, sandbox or not.
    #[must_use]
    pub fn sandbox(mut self, sandbox: bool) -> Self {
        self.setup.sandbox = sandbox;
        self
    }

    /// What is refused in archives because of its size.
    #[cfg(feature = "archive")]
    #[must_use]
    pub fn archive_limits(mut self, limits: ArchiveLimits) -> Self {
        self.setup.archives = limits;
        self
    }

    /// The parser.
    ///
    /// # Errors
    ///
    /// The system does not give the threads that are asked for.
    pub fn build(self) -> Result<Parser, BuildError> {
        let pool = match self.threads {
            Some(threads) => {
                let most = MAX_THREADS_PER_CORE * std::thread::available_parallelism().map_or(1, usize::from);
                let threads = threads.min(most);
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
                Some(Arc::new(pool.map_err(BuildError)?))
            }
            None => None,
        };
        let mut levels = self.levels;
        levels.know(self.lints.iter().flat_map(|lint| lint.rules()));
        let (sessions, levels) = (Arc::new(Sessions::new(self.setup)), Arc::new(levels));
        Ok(Parser { sessions, pool, levels, lints: self.lints.into() })
    }
}

/// The maximum number of threads for each core. More of them only take time to start.
const MAX_THREADS_PER_CORE: usize = 16;

/// A parser can't be made.
#[derive(Debug, thiserror::Error)]
#[error("can't start the threads: {0}")]
pub struct BuildError(#[source] rayon::ThreadPoolBuildError);

impl Parser {
    /// A builder for parsers of a language.
    pub fn builder(language: &'static Language) -> ParserBuilder {
        ParserBuilder { setup: Setup::new(language), levels: Levels::default(), lints: Vec::new(), threads: None }
    }

    /// Parses the service template at a path or URL.
    ///
    /// # Errors
    ///
    /// The argument is empty, or is meant as a URL and is not a valid one. That there is nothing at the address is a
    /// problem in the outcome.
    pub fn parse(&self, argument: &str) -> Result<Outcome, AddressError> {
        Ok(self.parse_entry(Entry::at(self.address(argument)?)))
    }

    /// The address that a path or URL stands for, relative to the directory of the parser.
    ///
    /// # Errors
    ///
    /// The argument is empty, or is meant as a URL and is not a valid one.
    pub fn address(&self, argument: &str) -> Result<Address, AddressError> {
        Address::from_argument(argument, &self.sessions.latest().directory())
    }

    /// Whether a text is read as YAML, rather than by a [syntax](Syntax) of its own.
    pub fn is_yaml(&self, address: &Address, text: &str) -> bool {
        self.sessions.latest().syntax_of(address, text).is_none()
    }

    /// The further templates that belong to what is at an address: those that an archive has besides its main one. Of
    /// an archive on the network they are known when the archive has been parsed.
    pub fn further(&self, address: &Address) -> Vec<Address> {
        let session = self.sessions.latest();
        session.provider(address).map(|provider| provider.further(address)).unwrap_or_default()
    }

    /// The profiles that can be imported by their names, with their addresses, sorted by name: those in the profile
    /// paths and those that are built in; and what is wrong with the profile paths.
    pub fn profiles(&self) -> (Vec<(String, Address)>, Vec<CatalogueProblem>) {
        let session = self.sessions.latest();
        let finders = || session.spoken().iter().map(|spoken| &spoken.finder);
        let mut profiles: Vec<_> = finders().flat_map(|finder| finder.names(None)).collect();
        let built_in = session.spoken().iter().flat_map(|spoken| spoken.language.profiles);
        let known: Vec<&str> = built_in.flat_map(|profile| profile.names).copied().collect();
        for name in known {
            if !profiles.iter().any(|(other, _)| other == name) {
                let provider = session.provider_of_profile(name);
                profiles.extend(provider.map(|address| (name.to_owned(), address)));
            }
        }
        profiles.sort();
        (profiles, finders().flat_map(|finder| finder.problems()).collect())
    }

    /// The text of a profile, given by the name under which it is imported or by the address that problems show; none if
    /// there is no such profile. What comes with a language is found by its address too.
    ///
    /// # Errors
    ///
    /// The profile is known, but can't be read.
    pub fn profile_text(&self, name: &str) -> Result<Option<String>, ReadError> {
        let session = self.sessions.latest();
        if let Some(text) = session.spoken().iter().find_map(|spoken| spoken.language.built_in_text(name)) {
            return Ok(Some(text.to_owned()));
        }
        let known = self.profiles().0.into_iter().find(|(known, address)| known == name || address.to_string() == name);
        let Some((_, address)) = known else { return Ok(None) };
        let fetched = session.fetch(&address)?;
        Ok(Some(String::from_utf8_lossy(&fetched.bytes).into_owned()))
    }

    /// Parses a service template that may come with a text and with values for its inputs.
    pub fn parse_entry(&self, entry: Entry) -> Outcome {
        self.run(entry, |course| self.rendered(course).outcome(&self.levels))
    }

    /// Parses a template, and does something with what has come of it that may find further problems.
    pub fn parse_then<T: Send>(
        &self,
        entry: Entry,
        step: impl FnOnce(&Program<Complete>, &[Diagnostic]) -> (T, Vec<Diagnostic>) + Send,
    ) -> (Outcome, T) {
        self.run(entry, |course| self.rendered(course).then(&self.levels, step))
    }

    fn rendered<'s>(&'s self, read: Course<'s, Read>) -> Course<'s, Complete> {
        read.name().place().complete().render().lint(&self.lints, &self.levels)
    }

    /// Parses a service template as far as a phase, for those who want to see what the phase makes.
    pub fn parse_until(&self, entry: Entry, last: Phase) -> Progress {
        let levels = &self.levels;
        self.run(entry, |read| match last {
            Phase::Read => read.progress(levels, Stage::Read),
            Phase::Namespaces => read.name().progress(levels, Stage::Named),
            Phase::Hierarchies => read.name().place().progress(levels, Stage::Placed),
            Phase::Inheritance => read.name().place().complete().progress(levels, Stage::Complete),
            Phase::Rendering => self.rendered(read).progress(levels, Stage::Complete),
        })
    }

    /// A parser like this one that also has some quirks. It shares no cache with this one.
    #[must_use]
    pub fn with_quirks(&self, quirks: impl IntoIterator<Item = Quirk>) -> Self {
        Self { sessions: Arc::new(self.sessions.with_quirks(quirks)), ..self.clone() }
    }

    /// The number of threads that a parsing may use, if there is much to do.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or_else(rayon::current_num_threads, |pool| pool.current_num_threads())
    }

    /// Reads an entry with all that it imports, and does the rest: on this thread if that is little, otherwise in the
    /// pool, which is entered once, since changing threads takes longer than parsing a small file.
    fn run<'s, T: Send>(&'s self, entry: Entry, rest: impl FnOnce(Course<'s, Read>) -> T + Send) -> T {
        let mut start = Start::new(&self.sessions, entry);
        if !start.read_here() {
            return self.install(|| rest(start.finish()));
        }
        let course = start.finish();
        if course.is_little() { rest(course) } else { self.install(|| rest(course)) }
    }

    fn install<T: Send>(&self, run: impl FnOnce() -> T + Send) -> T {
        match &self.pool {
            Some(pool) => pool.install(run),
            None => rayon::scope(|_| run()),
        }
    }
}

impl std::fmt::Debug for Parser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parser").field("levels", &self.levels).finish_non_exhaustive()
    }
}
