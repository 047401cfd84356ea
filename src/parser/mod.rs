//! The parser: the front door of the library.

mod course;
mod outcome;

use std::path::PathBuf;
use std::sync::Arc;

pub use course::Phase;
pub use outcome::{Outcome, PhaseTime, Progress, Stage};

use crate::ard;
use crate::diagnostic::Levels;
use crate::entity::{Language, Quirk};
use crate::phase::read::Entry;
use crate::session::{Options, Sessions};
#[cfg(feature = "archive")]
use crate::source::ArchiveLimits;
#[cfg(feature = "http")]
use crate::source::HttpOptions;
use crate::source::{Address, AddressError, CatalogueProblem, Mapped, Provider};
use course::Course;

/// Reads service templates and finds their problems.
///
/// A parser remembers what it has read: a profile that many templates import is read and compiled once, and again only
/// when its text has changed, as long as the parser [may remember](ParserBuilder::remembered_bytes) it. So one parser
/// should serve for as long as a program runs. It can be cloned cheaply (clones share what they remember) and used by
/// many threads at a time. It never prints and never ends the process.
///
/// ```
/// use tosca_parse::{Entry, Parser};
///
/// let parser = Parser::builder().build()?;
/// let text = "tosca_definitions_version: tosca_2_0\nservice_template: { node_templates: { web: { type: Sever } } }\n";
/// let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml")?, text));
/// assert!(!outcome.is_valid());
/// assert_eq!(outcome.diagnostics[0].rule.name, "unknown-name");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Parser {
    sessions: Arc<Sessions>,
    pool: Option<Arc<rayon::ThreadPool>>,
    levels: Levels,
}

/// Says what a parser is to do before there is one.
///
/// ```
/// use tosca_parse::Parser;
/// use tosca_parse::diagnostic::Levels;
///
/// let parser = Parser::builder().profile_path("/usr/share/tosca").levels(Levels::new().strict(true)).build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

    /// Lets something pass that the language does not allow. None is on by default.
    #[must_use]
    pub fn quirk(mut self, quirk: Quirk) -> Self {
        self.options.quirks = self.options.quirks.with(quirk);
        self
    }

    /// Lets a function be called that nothing defines, since whoever deploys the services has it. What it takes and gives
    /// is not known, so it fits everywhere. The name is that by which it is called, without `$`.
    #[must_use]
    pub fn function(mut self, name: impl Into<String>) -> Self {
        self.options.functions.push(name.into());
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

    /// What is refused because of its size: see [`Limits`](ard::Limits). They hold for each source.
    #[must_use]
    pub fn limits(mut self, limits: ard::Limits) -> Self {
        self.options.limits.bytes = limits.bytes;
        self.options.ard.limits = limits;
        self
    }

    /// How the network is used.
    #[cfg(feature = "http")]
    #[must_use]
    pub fn http(mut self, options: HttpOptions) -> Self {
        self.options.http = options;
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
        self.options.offline = offline;
        self
    }

    /// Whether what is imported by path must stay in the directory of the entry file, and what by URL is not imported
    /// at all. False by default. Profiles that are imported by name may be anywhere, and what they import in one of the
    /// [profile paths](Self::profile_path).
    ///
    /// What is in an archive never imports files from outside of it, sandbox or not.
    #[must_use]
    pub fn sandbox(mut self, sandbox: bool) -> Self {
        self.options.sandbox = sandbox;
        self
    }

    /// What is refused in archives because of its size.
    #[cfg(feature = "archive")]
    #[must_use]
    pub fn archive_limits(mut self, limits: ArchiveLimits) -> Self {
        self.options.archives = limits;
        self
    }

    /// The parser.
    ///
    /// # Errors
    ///
    /// The system does not give the threads that are asked for.
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
        let mut profiles = session.catalogue.names(None);
        let known: Vec<&str> = session.language.profiles.iter().flat_map(|profile| profile.names).copied().collect();
        for name in known {
            if !profiles.iter().any(|(other, _)| other == name) {
                let provider = session.provider_of_profile(name);
                profiles.extend(provider.map(|address| (name.to_owned(), address)));
            }
        }
        profiles.sort();
        (profiles, session.catalogue.problems())
    }

    /// Parses a service template that may come with a text and with values for its inputs.
    pub fn parse_entry(&self, entry: Entry) -> Outcome {
        let sessions = &self.sessions;
        self.install(|| Course::read(sessions, entry).name().place().complete().render().outcome(&self.levels))
    }

    /// Parses a service template and finds nodes of its own for the requirements that it leaves open: see
    /// [`resolve`](mod@crate::grammar::tosca::resolve). Requirements that no node fits are problems of the outcome, and
    /// so are those that several nodes fit.
    ///
    /// ```
    /// use tosca_parse::{Entry, Parser};
    ///
    /// let text = "
    /// tosca_definitions_version: tosca_2_0
    /// capability_types: { Host: {} }
    /// relationship_types: { HostedOn: {} }
    /// node_types:
    ///   Server: { capabilities: { host: Host } }
    ///   Shop:
    ///     requirements:
    ///     - host: { capability: Host, relationship: HostedOn, count_range: [ 1, 1 ] }
    /// service_template:
    ///   node_templates:
    ///     shop: { type: Shop }
    ///     server: { type: Server }
    /// ";
    /// let parser = Parser::builder().build()?;
    /// let outcome = parser.resolve_entry(Entry::text(parser.address("service.yaml")?, text));
    /// let resolution = outcome.resolution.as_ref().expect("the template is valid");
    /// assert_eq!(&*resolution.connections[0].target, "server");
    /// let service = outcome.service().expect("there is a service template");
    /// assert_eq!(service.nodes["shop"].requirements[0].target.as_ref().map(|target| &*target.node), Some("server"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resolve_entry(&self, entry: Entry) -> Outcome {
        let sessions = &self.sessions;
        self.install(|| Course::read(sessions, entry).name().place().complete().render().resolved(&self.levels))
    }

    /// Parses a service template as far as a phase, for those who want to see what the phase makes.
    pub fn parse_until(&self, entry: Entry, last: Phase) -> Progress {
        let (sessions, levels) = (&self.sessions, &self.levels);
        self.install(|| {
            let course = Course::read(sessions, entry);
            match last {
                Phase::Read => course.progress(levels, Stage::Read),
                Phase::Namespaces => course.name().progress(levels, Stage::Named),
                Phase::Hierarchies => course.name().place().progress(levels, Stage::Placed),
                Phase::Inheritance => course.name().place().complete().progress(levels, Stage::Complete),
                Phase::Rendering => course.name().place().complete().render().progress(levels, Stage::Complete),
            }
        })
    }

    fn install<T: Send>(&self, run: impl FnOnce() -> T + Send) -> T {
        match &self.pool {
            Some(pool) => pool.install(run),
            None => run(),
        }
    }
}

impl std::fmt::Debug for Parser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parser").field("levels", &self.levels).finish_non_exhaustive()
    }
}
