//! The parser: the entry point of the library.

mod ignore;
mod outcome;
mod pipeline;
mod provenance;

use std::path::PathBuf;
use std::sync::Arc;

pub use outcome::{Outcome, PhaseTime, Progress, Stage};
pub use pipeline::Phase;

use crate::ard;
use crate::diagnostic::{Diagnostic, Levels};
use crate::entity::{Language, ModelLimits, Quirk};
use crate::loader::Entry;
use crate::phase::inheritance::Complete;
use crate::phase::read::Read;
use crate::phase::{Lint, Program};
use crate::session::{SessionConfig, Sessions};
#[cfg(feature = "archive")]
use crate::source::ArchiveLimits;
#[cfg(feature = "http")]
use crate::source::HttpOptions;
#[cfg(feature = "object-store")]
use crate::source::ObjectStoreOptions;
use crate::source::{
    Address, AddressError, CatalogueProblem, ImportLimits, MappedProvider, Provider, ReadError, Searches,
};
use crate::syntax::Syntax;
use pipeline::{Pipeline, Start};

/// The stack size of threads that a parser creates, in bytes: more than enough for the deepest allowed nesting of data.
const STACK: usize = 4 << 20;

/// Reads service templates and reports their problems.
///
/// A parser caches sources: a profile that many templates import is read and compiled only once, and again only if its
/// text has changed or the [cache](ParserBuilder::remembered_bytes) was dropped. So one parser should be used for the
/// lifetime of a process. It can be cloned cheaply (clones share their cache) and used by many threads at the same
/// time. It never prints and never ends the process.
#[derive(Clone)]
pub struct Parser {
    sessions: Arc<Sessions>,
    pool: Option<Arc<rayon::ThreadPool>>,
    levels: Arc<Levels>,
    lints: Arc<[Arc<dyn Lint>]>,
}

/// Configures a parser.
pub struct ParserBuilder {
    setup: SessionConfig,
    levels: Levels,
    lints: Vec<Arc<dyn Lint>>,
    threads: Option<usize>,
}

impl ParserBuilder {
    /// Sets the directory to which paths are relative and which displayed names omit; the current directory by default.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.setup.directory = Some(directory.into());
        self
    }

    /// Adds a folder with copies of imported files. If the target of an import by path or URL is missing or on the
    /// network, it is looked up by its file name in this folder and its subfolders.
    #[must_use]
    pub fn import_path(mut self, folder: impl Into<PathBuf>) -> Self {
        self.setup.import_paths.push(folder.into());
        self
    }

    /// Adds a folder or file in which profiles that are imported by name are looked up.
    #[must_use]
    pub fn profile_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.setup.profile_paths.push(path.into());
        self
    }

    /// Shares the searches of these folders with other parsers, and their limits. Later changes to the folders have no
    /// effect then. By default, the folders are searched again whenever the cache is dropped.
    #[must_use]
    pub fn searches(mut self, searches: Searches) -> Self {
        self.setup.searches = Some(searches);
        self
    }

    /// Adds a provider of sources, which takes precedence over the file system and the network.
    #[must_use]
    pub fn provider(mut self, provider: Arc<dyn Provider>) -> Self {
        self.setup.providers.push(provider);
        self
    }

    /// Adds a language in which sources may be written, in addition to the parser's first language; see
    /// [`Language::claims`].
    #[must_use]
    pub fn language(mut self, language: &'static Language) -> Self {
        self.setup.languages.push(language);
        self
    }

    /// Adds a syntax for sources, in addition to YAML.
    #[must_use]
    pub fn syntax(mut self, syntax: Arc<dyn Syntax>) -> Self {
        self.setup.syntaxes.push(syntax);
        self
    }

    /// Sets the maximum memory for cached data that the latest parse did not use, in bytes; 256 MiB by default.
    ///
    /// A parser caches sources and compiled units. When the unused data exceeds this limit (because different templates
    /// have been parsed, or sources have changed), the whole cache is dropped, and the next parse reads and compiles
    /// its imports again. The memory is estimated: each source counts as 16 KiB plus eight times the size of its text.
    #[must_use]
    pub fn remembered_bytes(mut self, bytes: u64) -> Self {
        self.setup.limits.remembered = bytes;
        self
    }

    /// Enables a quirk, which accepts a deviation from the language. No quirk is enabled by default.
    #[must_use]
    pub fn quirk(mut self, quirk: Quirk) -> Self {
        self.setup.quirks = self.setup.quirks.with(quirk);
        self
    }

    /// Reads files that declare the vendor-specific version `word`, such as `acme_dsl_1_0`, as if they declared
    /// `version`, which is an identifier of the language. Identifiers that the language itself defines keep their
    /// meaning.
    #[must_use]
    pub fn read_version(mut self, word: impl Into<String>, version: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.setup.words).declare(word, version);
        self
    }

    /// Reads files that declare an unknown version as if they declared `version`.
    #[must_use]
    pub fn read_unknown_versions(mut self, version: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.setup.words).declare_others(version);
        self
    }

    /// Allows calls to an undefined function that the orchestrator provides. Its arguments and result are unknown, so
    /// they are not checked. The name is given without `$`.
    #[must_use]
    pub fn function(mut self, name: impl Into<String>) -> Self {
        self.setup.functions.push(name.into());
        self
    }

    /// Adds a custom check with its own rules, which runs on every complete program.
    #[must_use]
    pub fn lint(mut self, lint: impl Lint + 'static) -> Self {
        self.lints.push(Arc::new(lint));
        self
    }

    /// Sets the levels of problems.
    #[must_use]
    pub fn levels(mut self, levels: Levels) -> Self {
        self.levels = levels;
        self
    }

    /// Sets the number of threads, at most 16 per core. By default, the threads of rayon's global pool are used.
    /// Templates that cause little work are always parsed on the calling thread.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Sets the limits on the size of each source; see [`Limits`](ard::Limits).
    #[must_use]
    pub fn limits(mut self, limits: ard::Limits) -> Self {
        self.setup.limits.bytes = limits.bytes;
        self.setup.ard = limits;
        self
    }

    /// Sets the maximum number of problems to report for one rule; 1000 by default. If necessary, this raises the
    /// maximum number for one text, too. A program that fixes problems should raise it, because it needs all of them.
    #[must_use]
    pub fn problems_of_a_rule(mut self, most: usize) -> Self {
        self.setup.most_of_a_rule = most;
        self
    }

    /// Sets the limits on direct and indirect imports in a parse.
    #[must_use]
    pub fn import_limits(mut self, limits: ImportLimits) -> Self {
        self.setup.imports = limits;
        self
    }

    /// Sets the limits on models.
    #[must_use]
    pub fn model_limits(mut self, limits: ModelLimits) -> Self {
        self.setup.models = limits;
        self
    }

    /// Sets the options for using the network.
    #[cfg(feature = "http")]
    #[must_use]
    pub fn http(mut self, options: HttpOptions) -> Self {
        self.setup.http = options;
        self
    }

    /// Sets the options for object stores. Timeouts, retries and the restriction of private addresses are those of
    /// [`http`](Self::http).
    #[cfg(feature = "object-store")]
    #[must_use]
    pub fn object_stores(mut self, options: ObjectStoreOptions) -> Self {
        self.setup.objects = options;
        self
    }

    /// Makes the parser read everything below the URL `prefix` from a folder instead of the network.
    #[must_use]
    pub fn map_url(self, prefix: &str, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        self.provider(Arc::new(MappedProvider::new(prefix, std::path::absolute(&folder).unwrap_or(folder))))
    }

    /// Sets whether the network is disabled, so that web servers and object stores can't be read. False by default.
    #[must_use]
    pub fn offline(mut self, offline: bool) -> Self {
        self.setup.offline = offline;
        self
    }

    /// Sets whether imports by path or URL are restricted to the directory of the entry file, the [profile
    /// paths](Self::profile_path) and the [import paths](Self::import_path), so that nothing is imported from the
    /// network. False by default. Profiles that are imported by name may be anywhere, but their own imports are
    /// restricted in the same way.
    ///
    /// Even without a sandbox, files in an archive can import files outside it only from these paths or from the
    /// network.
    #[must_use]
    pub fn sandbox(mut self, sandbox: bool) -> Self {
        self.setup.sandbox = sandbox;
        self
    }

    /// Sets the limits on the size of archives.
    #[cfg(feature = "archive")]
    #[must_use]
    pub fn archive_limits(mut self, limits: ArchiveLimits) -> Self {
        self.setup.archives = limits;
        self
    }

    /// Builds the parser.
    ///
    /// # Errors
    ///
    /// Returns an error if the system can't create the requested threads.
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

/// The maximum number of threads per core. Starting more threads would only take time.
const MAX_THREADS_PER_CORE: usize = 16;

/// The error if a parser can't be created.
#[derive(Debug, thiserror::Error)]
#[error("can't start the threads: {0}")]
pub struct BuildError(#[source] rayon::ThreadPoolBuildError);

impl Parser {
    /// Returns a builder for parsers of a language.
    pub fn builder(language: &'static Language) -> ParserBuilder {
        ParserBuilder {
            setup: SessionConfig::new(language),
            levels: Levels::default(),
            lints: Vec::new(),
            threads: None,
        }
    }

    /// Parses the service template at a path or URL.
    ///
    /// # Errors
    ///
    /// Returns an error if the argument is empty or an invalid URL. If there is nothing at the address, the outcome
    /// contains a problem instead.
    pub fn parse(&self, argument: &str) -> Result<Outcome, AddressError> {
        Ok(self.parse_entry(Entry::at(self.address(argument)?)))
    }

    /// Converts a path or URL to an address, relative to the directory of the parser.
    ///
    /// # Errors
    ///
    /// Returns an error if the argument is empty or an invalid URL.
    pub fn address(&self, argument: &str) -> Result<Address, AddressError> {
        Address::from_argument(argument, &self.sessions.latest().directory())
    }

    /// Returns whether a source with the given address and text is read as YAML rather than in a different
    /// [syntax](Syntax).
    pub fn is_yaml(&self, address: &Address, text: &str) -> bool {
        self.sessions.latest().syntax_of(address, text).is_none()
    }

    /// Returns the addresses of the templates in an archive besides the main one. For an archive on the network, they
    /// are known only after the archive has been parsed.
    pub fn additional_templates(&self, address: &Address) -> Vec<Address> {
        let session = self.sessions.latest();
        session.provider(address).map(|provider| provider.additional_templates(address)).unwrap_or_default()
    }

    /// Returns the profiles that can be imported by name (those in the profile paths and the built-in ones) with their
    /// addresses, sorted by name, and the problems found in the profile paths.
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

    /// Returns the text of a profile, given by its import name or by the address that problems show; `None` if there is
    /// no such profile. Other built-in sources of a language can be found by their addresses too.
    ///
    /// # Errors
    ///
    /// Returns an error if the profile is known but can't be read.
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

    /// Parses an entry, which may also specify its text and values for its inputs.
    pub fn parse_entry(&self, entry: Entry) -> Outcome {
        self.run(entry, |course| self.rendered(course).outcome(&self.levels))
    }

    /// Parses a template and runs an additional step on the result, which may report further problems.
    pub fn parse_then<T: Send>(
        &self,
        entry: Entry,
        step: impl FnOnce(&Program<Complete>, &[Diagnostic]) -> (T, Vec<Diagnostic>) + Send,
    ) -> (Outcome, T) {
        self.run(entry, |course| self.rendered(course).then(&self.levels, step))
    }

    fn rendered<'s>(&'s self, read: Pipeline<'s, Read>) -> Pipeline<'s, Complete> {
        read.name().place().complete().render().lint(&self.lints, &self.levels)
    }

    /// Parses a service template up to and including the given phase, to inspect the result of that phase.
    pub fn parse_until(&self, entry: Entry, last: Phase) -> Progress {
        let levels = &self.levels;
        self.run(entry, |read| match last {
            Phase::Read => read.progress(levels, Stage::Read),
            Phase::Namespaces => read.name().progress(levels, Stage::Named),
            Phase::Hierarchies => read.name().place().progress(levels, Stage::Derived),
            Phase::Inheritance => read.name().place().complete().progress(levels, Stage::Complete),
            Phase::Rendering => self.rendered(read).progress(levels, Stage::Complete),
        })
    }

    /// Returns a parser with the same settings and additional quirks. It does not share this parser's cache.
    #[must_use]
    pub fn with_quirks(&self, quirks: impl IntoIterator<Item = Quirk>) -> Self {
        Self { sessions: Arc::new(self.sessions.with_quirks(quirks)), ..self.clone() }
    }

    /// Returns a parser with the same settings that does not use the network, and with an additional provider of sources,
    /// which takes precedence over all others. It does not share this parser's cache.
    #[must_use]
    pub fn offline_with(&self, provider: Arc<dyn Provider>) -> Self {
        Self { sessions: Arc::new(self.sessions.offline_with(provider)), ..self.clone() }
    }

    /// Returns whether a parser is a clone of this one, so that they share their settings and their cache.
    pub fn is_clone_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.sessions, &other.sessions)
    }

    /// Returns the number of threads that a parse may use if there is much work.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or_else(rayon::current_num_threads, |pool| pool.current_num_threads())
    }

    /// Reads an entry and its imports, then runs `rest`. If there is little work, everything runs on this thread;
    /// otherwise, the pool is entered, but only once, because switching threads takes longer than parsing a small file.
    fn run<'s, T: Send>(&'s self, entry: Entry, rest: impl FnOnce(Pipeline<'s, Read>) -> T + Send) -> T {
        let mut start = Start::new(&self.sessions, entry);
        if !start.read_on_this_thread() {
            return self.install(|| rest(start.finish()));
        }
        let course = start.finish();
        if course.is_small() { rest(course) } else { self.install(|| rest(course)) }
    }

    /// Runs a function on a thread of the parser, so that parallel iterators in it use the threads of the parser.
    pub fn install<T: Send>(&self, run: impl FnOnce() -> T + Send) -> T {
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
