//! The state that all parses of one parser share: names, sources and cached units.
//!
//! This state grows with every parse: a service that validates templates for months, or an editor that parses on every
//! keystroke, would fill the memory with data that is no longer needed. So no data is kept forever. The cache belongs
//! to a [`Session`], and the parser starts a new session when the current one contains too much data that the latest
//! parse did not use; see [`Sessions`]. Unlike removing single units, this also frees their names and all tables about
//! them, and it can't leave dangling references.

mod blocking_pool;
mod built_in;
mod compiled;
mod values;

pub(crate) use compiled::CachedUnits;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, RwLock};
use std::time::SystemTime;

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use foldhash::HashSet;
use foldhash::fast::RandomState;

use crate::ard;
use crate::diagnostic::{MAX_PER_RULE, SourceId};
use crate::entity::{ImplicitUnit, Language, LanguageVersion, ModelLimits, Quirk, Quirks, VersionWords, Vocabulary};
use crate::phase::inheritance::Complete;
use crate::phase::read::{DecodedSource, Read, ReadContext, blank_unit, data_unit, read_unit, unreadable};
use crate::phase::{Program, ResolvedImport, Unit, Units};
#[cfg(not(feature = "archive"))]
use crate::source::FileProvider;
use crate::source::observe::Observed;
use crate::source::{
    Address, BUILTIN, FetchedSource, Finder, FinderContext, Guarded, ImportLimits, ImportPaths, InputValues, NameQuery,
    Provider, ReadError, Searches, SharedText, Source, Stamp, is_yaml_name, observe,
};
#[cfg(feature = "archive")]
use crate::source::{ArchiveLimits, Archives, archive::Folders};
#[cfg(feature = "http")]
use crate::source::{HttpOptions, HttpProvider};
#[cfg(feature = "object-store")]
use crate::source::{ObjectStoreOptions, ObjectStoreProvider};
use crate::symbol::Interner;
use crate::syntax::{SourceDependency, Syntax};

use blocking_pool::BlockingPool;
use built_in::BuiltIn;

/// Limits on reading and caching.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The maximum size of a source, in bytes.
    pub(crate) bytes: u64,
    /// The maximum memory for unused cached data, in bytes.
    pub(crate) remembered: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: ard::Limits::default().bytes, remembered: 256 << 20 }
    }
}

/// The configuration of a parser.
#[derive(Clone)]
pub(crate) struct SessionConfig {
    pub(crate) languages: Vec<&'static Language>,
    pub(crate) syntaxes: Vec<Arc<dyn Syntax>>,
    pub(crate) quirks: Quirks,
    pub(crate) most_of_a_rule: usize,
    pub(crate) models: ModelLimits,
    pub(crate) words: Arc<VersionWords>,
    pub(crate) functions: Vec<String>,
    pub(crate) directory: Option<PathBuf>,
    pub(crate) profile_paths: Vec<PathBuf>,
    pub(crate) import_paths: Vec<PathBuf>,
    /// The searches that the parser shares with others.
    pub(crate) searches: Option<Searches>,
    pub(crate) providers: Vec<Arc<dyn Provider>>,
    pub(crate) limits: Limits,
    pub(crate) ard: ard::Limits,
    pub(crate) imports: ImportLimits,
    #[cfg(feature = "http")]
    pub(crate) http: HttpOptions,
    #[cfg(feature = "object-store")]
    pub(crate) objects: ObjectStoreOptions,
    pub(crate) offline: bool,
    pub(crate) sandbox: bool,
    #[cfg(feature = "archive")]
    pub(crate) archives: ArchiveLimits,
}

impl SessionConfig {
    pub(crate) fn new(language: &'static Language) -> Self {
        Self {
            languages: vec![language],
            syntaxes: Vec::new(),
            quirks: Quirks::default(),
            most_of_a_rule: MAX_PER_RULE,
            models: ModelLimits::default(),
            words: Arc::default(),
            functions: Vec::new(),
            directory: None,
            profile_paths: Vec::new(),
            import_paths: Vec::new(),
            searches: None,
            providers: Vec::new(),
            limits: Limits::default(),
            ard: ard::Limits::default(),
            imports: ImportLimits::default(),
            #[cfg(feature = "http")]
            http: HttpOptions::default(),
            #[cfg(feature = "object-store")]
            objects: ObjectStoreOptions::default(),
            offline: false,
            sandbox: false,
            #[cfg(feature = "archive")]
            archives: ArchiveLimits::default(),
        }
    }
}

/// The sessions of a parser, of which one is current at any time.
pub(crate) struct Sessions {
    setup: SessionConfig,
    shared: Arc<Shared>,
    latest: RwLock<Arc<Session>>,
}

/// The state that all sessions of a parser share.
struct Shared {
    providers: Vec<Arc<dyn Provider>>,
    #[cfg(feature = "archive")]
    archives: Archives,
    slow: BlockingPool,
    next_source: AtomicU32,
}

impl Sessions {
    pub(crate) fn new(setup: SessionConfig) -> Self {
        let guarded =
            |provider: &Arc<dyn Provider>| -> Arc<dyn Provider> { Arc::new(Observed(Guarded(provider.clone()))) };
        let mut providers: Vec<Arc<dyn Provider>> = setup.providers.iter().map(guarded).collect();
        providers.push(Arc::new(BuiltIn(setup.languages.clone())));
        #[cfg(feature = "archive")]
        let layouts = || setup.languages.iter().map(|language| language.archives);
        #[cfg(feature = "archive")]
        providers.push(Arc::new(Observed(Folders::new(layouts()))));
        #[cfg(not(feature = "archive"))]
        providers.push(Arc::new(Observed(FileProvider)));
        #[cfg(feature = "http")]
        if !setup.offline {
            providers.push(Arc::new(HttpProvider::with_options(setup.http.clone())));
            #[cfg(feature = "object-store")]
            providers.push(Arc::new(ObjectStoreProvider::new(setup.http.clone(), setup.objects.clone())));
        }
        #[cfg(feature = "archive")]
        let archives = Archives::new(providers.clone(), setup.archives.clone(), layouts());
        #[cfg(feature = "archive")]
        providers.insert(0, Arc::new(archives.clone()));
        let shared = Arc::new(Shared {
            providers,
            #[cfg(feature = "archive")]
            archives,
            slow: BlockingPool::default(),
            next_source: AtomicU32::new(0),
        });
        let latest = RwLock::new(Arc::new(Session::new(&setup, shared.clone())));
        Self { setup, shared, latest }
    }

    /// Creates new sessions with the same setup and additional quirks.
    pub(crate) fn with_quirks(&self, quirks: impl IntoIterator<Item = Quirk>) -> Self {
        let quirks = quirks.into_iter().fold(self.setup.quirks, Quirks::with);
        Self::new(SessionConfig { quirks, ..self.setup.clone() })
    }

    /// Creates new sessions with the same setup, but without the network, and with an additional provider, which takes
    /// precedence.
    pub(crate) fn offline_with(&self, provider: Arc<dyn Provider>) -> Self {
        let providers = std::iter::once(provider).chain(self.setup.providers.iter().cloned()).collect();
        Self::new(SessionConfig { providers, offline: true, ..self.setup.clone() })
    }

    /// Returns the current session, for a parse that holds it until the parse ends.
    pub(crate) fn latest(&self) -> Arc<Session> {
        match self.latest.read() {
            Ok(latest) => latest.clone(),
            // A thread that panicked has not changed the value.
            Err(poisoned) => poisoned.into_inner().clone(),
        }
    }

    /// Starts a new session if the session of a finished parse contains too much data that the parse did not use.
    pub(crate) fn settle(&self, session: &Arc<Session>, used: &Units) {
        let used: u64 = used.list.iter().map(|unit| weight(unit.source.text().len())).sum();
        let taken_up = session.taken_up.load(Ordering::Relaxed);
        #[cfg(feature = "archive")]
        let taken_up = taken_up + self.shared.archives.in_memory();
        if taken_up.saturating_sub(used) <= self.setup.limits.remembered {
            return;
        }
        let mut latest = match self.latest.write() {
            Ok(latest) => latest,
            Err(poisoned) => poisoned.into_inner(),
        };
        if Arc::ptr_eq(&latest, session) {
            *latest = Arc::new(Session::new(&self.setup, self.shared.clone()));
            #[cfg(feature = "archive")]
            self.shared.archives.forget();
        }
    }
}

fn directory_or_current(directory: Option<&PathBuf>) -> PathBuf {
    directory.cloned().or_else(|| std::env::current_dir().ok()).unwrap_or_default()
}

/// Returns the estimated memory for a source of the given size. Even the smallest source has its own tables, and the
/// results are several times as large as the text.
fn weight(bytes: usize) -> u64 {
    const LEAST: u64 = 16 << 10;
    const TIMES: u64 = 8;
    LEAST + TIMES * bytes as u64
}

/// The estimated memory for the results of a unit that has been compiled again, in bytes.
const KEY: u64 = 1 << 10;

/// A language with its prepared tables.
pub(crate) struct LoadedLanguage {
    pub(crate) language: &'static Language,
    vocabulary: Vocabulary,
    pub(crate) finder: Box<dyn Finder>,
    ard: ard::Options,
    /// The options for reading built-in sources, which are not subject to the limits that protect against untrusted
    /// input.
    built_in: ard::Options,
    implicit: Vec<OnceLock<Vec<Arc<Unit>>>>,
    extensions: Vec<OnceLock<Vec<Arc<Unit>>>>,
}

impl LoadedLanguage {
    fn new(language: &'static Language, limits: &ard::Limits, context: &FinderContext) -> Self {
        let dialect = language.yaml;
        Self {
            language,
            vocabulary: Vocabulary::new(language),
            finder: (language.finder)(context),
            ard: ard::Options { limits: limits.clone(), dialect, ..ard::Options::default() },
            built_in: ard::Options { dialect, ..ard::Options::default() },
            implicit: (0..language.versions.len().max(1)).map(|_| OnceLock::new()).collect(),
            extensions: language.extensions.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// Returns the names of all known profiles of the language.
    pub(crate) fn profile_names(&self, entry: &Address) -> Vec<String> {
        let found = self.finder.names(Some(entry)).into_iter().map(|(name, _)| name);
        let built_in = self.language.profiles.iter().flat_map(|profile| profile.names).map(|name| (*name).to_owned());
        let mut names: Vec<String> = found.chain(built_in).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// The properties of a unit that determine its implicit units.
#[derive(Clone, Copy)]
struct Implied {
    language: &'static Language,
    version: LanguageVersion,
    extension: Option<usize>,
}

impl Implied {
    fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self.language, other.language)
            && self.extension == other.extension
            && (self.version == other.version || self.extension.is_some())
    }
}

/// A cache that several parses share.
pub(crate) struct Session {
    pub(crate) interner: Arc<Interner>,
    /// The languages in which sources can be written; never empty.
    spoken: Vec<LoadedLanguage>,
    syntaxes: Vec<Arc<dyn Syntax>>,
    pub(crate) limits: Limits,
    pub(crate) imports: ImportLimits,
    pub(crate) quirks: Quirks,
    pub(crate) most_of_a_rule: usize,
    pub(crate) models: ModelLimits,
    pub(crate) words: Arc<VersionWords>,
    /// The functions that may be called although they are not defined.
    pub(crate) functions: Arc<HashSet<String>>,
    /// Whether imports by path must stay in the folder of the entry.
    pub(crate) sandbox: bool,
    import_paths: ImportPaths,
    directory: Option<PathBuf>,
    shared: Arc<Shared>,
    identities: DashMap<Address, Address, RandomState>,
    remembered: DashMap<Address, Arc<Unit>, RandomState>,
    /// The stamps that sources had when they were read, and the IDs of their units.
    stamps: DashMap<Address, (Stamp, SourceId), RandomState>,
    /// The languages that claim units: the address for which this was determined, and the language's index.
    claimed: DashMap<SourceId, (Address, Option<usize>), RandomState>,
    compiled: compiled::Cache,
    values: values::Cache,
    /// The total weight of all sources so far; see [`weight`].
    taken_up: AtomicU64,
}

impl Session {
    fn new(setup: &SessionConfig, shared: Arc<Shared>) -> Self {
        let interner = Arc::new(Interner::new());
        let context = FinderContext {
            paths: setup.profile_paths.clone(),
            providers: shared.providers.clone(),
            #[cfg(feature = "archive")]
            archives: shared.archives.clone(),
            searches: setup.searches.clone().unwrap_or_default(),
        };
        let ard = ard::Limits { problems: setup.ard.problems.max(setup.most_of_a_rule), ..setup.ard.clone() };
        let directory = directory_or_current(setup.directory.as_ref());
        let spoken = |language: &&'static Language| LoadedLanguage::new(language, &ard, &context);
        Self {
            spoken: setup.languages.iter().map(spoken).collect(),
            syntaxes: setup.syntaxes.clone(),
            interner,
            sandbox: setup.sandbox,
            limits: setup.limits,
            imports: setup.imports,
            quirks: setup.quirks,
            most_of_a_rule: setup.most_of_a_rule,
            models: setup.models,
            words: setup.words.clone(),
            functions: Arc::new(setup.functions.iter().cloned().collect()),
            import_paths: ImportPaths::new(&setup.import_paths, &directory, &context.searches),
            directory: setup.directory.clone(),
            shared,
            identities: DashMap::default(),
            remembered: DashMap::default(),
            stamps: DashMap::default(),
            claimed: DashMap::default(),
            compiled: compiled::Cache::default(),
            values: values::Cache::default(),
            taken_up: AtomicU64::new(0),
        }
    }

    /// Returns the languages in which sources can be written, with their prepared tables. The first language is the
    /// default.
    pub(crate) fn spoken(&self) -> &[LoadedLanguage] {
        &self.spoken
    }

    /// Returns the language of a source, given the language of its importer. The entry has no importer.
    pub(crate) fn language_of(
        &self,
        address: &Address,
        text: &str,
        importer: Option<&'static Language>,
    ) -> &LoadedLanguage {
        self.claimed_or(self.claimed(address, text), importer)
    }

    /// Returns whether the [language](Self::language_of) of a cached unit is still the same for an address. Languages
    /// search the whole text, so it is determined once.
    pub(crate) fn has_same_language(
        &self,
        address: &Address,
        unit: &Unit,
        importer: Option<&'static Language>,
    ) -> bool {
        let known = self.claimed.get(&unit.id).filter(|known| known.0 == *address).map(|known| known.1);
        let claimed = known.unwrap_or_else(|| {
            let claimed = self.claimed(address, unit.source.text());
            self.claimed.insert(unit.id, (address.clone(), claimed));
            claimed
        });
        std::ptr::eq(self.claimed_or(claimed, importer).language, unit.language)
    }

    /// Returns the index of the language that claims a source.
    fn claimed(&self, address: &Address, text: &str) -> Option<usize> {
        if self.spoken.len() < 2 {
            return None;
        }
        let name = address.to_string();
        self.spoken.iter().position(|spoken| (spoken.language.claims)(&name, text))
    }

    fn claimed_or(&self, claimed: Option<usize>, importer: Option<&'static Language>) -> &LoadedLanguage {
        let claimed = claimed.map(|index| &self.spoken[index]);
        claimed.unwrap_or_else(|| importer.map_or(&self.spoken[0], |language| self.knowing(language)))
    }

    /// Returns the prepared tables of a language.
    pub(crate) fn knowing(&self, language: &'static Language) -> &LoadedLanguage {
        self.spoken.iter().find(|spoken| std::ptr::eq(spoken.language, language)).unwrap_or(&self.spoken[0])
    }

    /// Returns the syntax of a source, if it is not YAML.
    pub(crate) fn syntax_of(&self, address: &Address, text: &str) -> Option<&Arc<dyn Syntax>> {
        let found = self.syntaxes.iter().find(|syntax| syntax.claims(address, text));
        if found.is_some() {
            // Other syntaxes can read files and variables by themselves.
            observe::note_unknown();
        }
        found
    }

    /// Returns whether a source is a template, judging by its content or by its file name, with links resolved.
    pub(crate) fn is_template(&self, identity: &Address, text: &str) -> bool {
        let name = identity.file_name().to_ascii_lowercase();
        is_yaml_name(&name)
            || self.syntax_of(identity, text).is_some()
            || self.spoken.iter().any(|spoken| (spoken.language.claims)(&name, text))
    }

    /// Runs a job that may take a long time, on a separate thread.
    pub(crate) fn run_slowly(&self, job: impl FnOnce() + Send + 'static) {
        self.shared.slow.run(job);
    }

    /// Returns the directory to which paths are relative.
    pub(crate) fn directory(&self) -> PathBuf {
        directory_or_current(self.directory.as_ref())
    }

    /// Returns the cached results for the units of a program.
    pub(crate) fn known(&self, program: &Program<Read>) -> CachedUnits {
        let known = self.compiled.known(program);
        // With shared names or merging, the meaning of a unit depends on its importers.
        let is_merged = program.list.first().is_some_and(|entry| entry.language.merging.is_some());
        if self.quirks.has(Quirk::SHARED_NAMES) || is_merged { known.forgotten() } else { known }
    }

    /// Caches the compiled units.
    pub(crate) fn remember_compiled(&self, known: &CachedUnits, program: &Program<Complete>) {
        let again = self.compiled.remember(known, program);
        self.taken_up.fetch_add(KEY * again as u64, Ordering::Relaxed);
    }

    pub(crate) fn providers(&self) -> &[Arc<dyn Provider>] {
        &self.shared.providers
    }

    /// Returns the provider that serves an address.
    pub(crate) fn provider(&self, address: &Address) -> Option<&Arc<dyn Provider>> {
        let found = self.shared.providers.iter().find(|provider| provider.serves(address));
        if found.is_some() && (address.archive().is_some() || address.is_remote()) {
            observe::note_unknown();
        }
        found
    }

    /// Returns the identity of a source: the same for all addresses that refer to it.
    pub(crate) fn identity(&self, address: &Address) -> Address {
        self.identity_or(address, |provider| provider.identity(address))
    }

    /// Returns the identity of a source; computes it with `find` if it is not cached.
    pub(crate) fn identity_or(&self, address: &Address, find: impl FnOnce(&dyn Provider) -> Address) -> Address {
        if let Some(identity) = self.identities.get(address) {
            return identity.clone();
        }
        let identity = self.provider(address).map_or_else(|| address.clone(), |provider| find(&**provider));
        self.identities.insert(address.clone(), identity.clone());
        identity
    }

    /// Reads the source at an address.
    pub(crate) fn fetch(&self, address: &Address) -> Result<FetchedSource, ReadError> {
        self.fetch_at_most(address, self.limits.bytes)
    }

    /// Reads the source at an address, which may have at most `bytes` bytes.
    pub(crate) fn fetch_at_most(&self, address: &Address, bytes: u64) -> Result<FetchedSource, ReadError> {
        match self.provider(address) {
            Some(provider) => {
                let mut fetched = provider.fetch(address, bytes);
                if let Ok(found) = &mut fetched
                    && found.address != *address
                    && found.address.archive().is_none()
                {
                    self.prefer(&**provider, found, bytes);
                }
                observe::note_fetch(address, &fetched);
                fetched
            }
            None => Err(ReadError::no_provider(address)),
        }
    }

    /// Takes the content of a template that was read for its folder from a provider with higher precedence, if there is
    /// one: the template may be open in an editor.
    fn prefer(&self, read_by: &dyn Provider, found: &mut FetchedSource, bytes: u64) {
        let of_file = self.provider(&found.address).filter(|other| !std::ptr::addr_eq(&raw const ***other, read_by));
        if let Some(content) = of_file.and_then(|other| other.read(&found.address, bytes).ok()) {
            found.bytes = content;
        }
    }

    /// Returns the file in the import paths that matches an import by path or URL.
    pub(crate) fn in_import_paths(&self, url: &str) -> Option<Address> {
        let release = |address: &Address| self.release(address);
        self.import_paths.find_release(url, release).or_else(|| self.import_paths.find(url))
    }

    /// Returns whether the import paths have more files than can be searched.
    pub(crate) fn import_paths_are_cut(&self) -> bool {
        self.import_paths.are_cut()
    }

    /// Returns the name and the version that the template or archive at an address declares for itself.
    fn release(&self, address: &Address) -> Option<(String, String)> {
        let name = address.file_name();
        #[cfg(feature = "archive")]
        let is_archive = self.shared.archives.is_archive(address);
        #[cfg(not(feature = "archive"))]
        let is_archive = false;
        if !is_archive && ![".yaml", ".yml"].iter().any(|ending| name.ends_with(ending)) {
            return None;
        }
        let fetched = self.fetch(address).ok()?;
        let text = String::from_utf8_lossy(&fetched.bytes);
        self.spoken.iter().find_map(|spoken| (spoken.language.release)(&text))
    }

    /// Returns whether an address is built in or in one of the folders that the user has specified for profiles,
    /// imports or includes.
    pub(crate) fn is_granted(&self, address: &Address) -> bool {
        address.scheme() == BUILTIN
            || self.import_paths.has(address)
            || self.syntaxes.iter().flat_map(|syntax| syntax.granted()).any(|folder| {
                let folder = self.identity(folder);
                address.is_below(&folder)
            })
            || self.spoken.iter().flat_map(|spoken| spoken.finder.search_paths()).any(|place| {
                let (place, archive) = (self.identity(&place), address.archive());
                let is_in = |address: &Address| *address == place || address.is_below(&place);
                is_in(address) || archive.is_some_and(is_in)
            })
    }

    /// Returns a new ID for a source of the given size.
    pub(crate) fn next_source(&self, bytes: usize) -> SourceId {
        self.taken_up.fetch_add(weight(bytes), Ordering::Relaxed);
        SourceId(self.shared.next_source.fetch_add(1, Ordering::Relaxed))
    }

    /// Returns the current stamp of the source at an address, if it has been read before.
    pub(crate) fn stamp(&self, address: &Address, identity: &Address) -> Option<Stamp> {
        if self.remembered.contains_key(identity) { self.provider(address)?.stamp(address) } else { None }
    }

    /// Returns the cached unit of a source, if the source has not changed since it was read.
    pub(crate) fn unchanged(
        &self,
        identity: &Address,
        stamp: Option<Stamp>,
        (importer, option): (Option<LanguageVersion>, Option<&str>),
    ) -> Option<Arc<Unit>> {
        let unit = self.remembered.get(identity).filter(|unit| unit.option == option)?.clone();
        let known = self.stamps.get(identity).is_some_and(|known| Some(known.0) == stamp && known.1 == unit.id);
        let is_for_importer = unit.borrowed.is_none_or(|known| known == importer);
        (known && is_for_importer && unit.dependencies.is_empty()).then_some(unit)
    }

    /// Caches the stamp that a source had before it was read, if any later change would result in a different stamp.
    pub(crate) fn remember_stamp(&self, identity: &Address, stamp: Option<Stamp>, unit: &Unit) {
        if let Some(stamp) = stamp.filter(|stamp| stamp.is_settled(SystemTime::now())) {
            self.stamps.insert(identity.clone(), (stamp, unit.id));
        }
    }

    /// Returns the unit that was created from the same bytes before, if the other sources of its document are also
    /// unchanged.
    pub(crate) fn remembered(
        &self,
        identity: &Address,
        bytes: &[u8],
        (importer, option): (Option<LanguageVersion>, Option<&str>),
    ) -> Option<Arc<Unit>> {
        let unit = self.remembered.get(identity).filter(|unit| unit.option == option)?.clone();
        if unit.borrowed.is_some_and(|known| known != importer) {
            return None;
        }
        let is_same = |other: &SourceDependency| {
            let now = self.fetch(&other.address);
            other.is_still(now.as_ref().ok().map(|fetched| &fetched.bytes[..]))
        };
        (unit.bytes.are(unit.source.text(), bytes) && unit.dependencies.iter().all(is_same)).then_some(unit)
    }

    /// Caches a unit. If a different parse has created a unit from the same bytes in the meantime, returns that unit.
    pub(crate) fn remember(&self, identity: &Address, unit: Arc<Unit>) -> Arc<Unit> {
        match self.remembered.entry(identity.clone()) {
            Entry::Occupied(mut other) => {
                let (known, new) = (other.get(), &unit);
                // Files without a version are read in the language of their importer.
                let is_read_alike = std::ptr::eq(known.language, new.language)
                    && known.borrowed == new.borrowed
                    && known.option == new.option;
                if !known.is_made_of_the_same(new) || !is_read_alike {
                    other.insert(unit.clone());
                    return unit;
                }
                other.get().clone()
            }
            Entry::Vacant(vacant) => vacant.insert(unit).clone(),
        }
    }

    /// Finds the source for a name in a language: with the language's finder, in a provider or among the built-in
    /// sources.
    pub(crate) fn find(&self, spoken: &LoadedLanguage, query: &NameQuery<'_>) -> Option<Address> {
        if !spoken.finder.is_observed() {
            observe::note_unknown();
        }
        spoken.finder.find(query).or_else(|| self.provider_of_profile(query.name))
    }

    /// Returns the source of a profile that a provider serves or that is built in.
    pub(crate) fn provider_of_profile(&self, name: &str) -> Option<Address> {
        self.shared.providers.iter().find_map(|provider| provider.profile(name))
    }

    /// Adds the implicit units of all versions and extensions that occur, and returns the implicit units of each unit,
    /// nearest first.
    pub(crate) fn add_implicit(
        &self,
        list: &mut Vec<Arc<Unit>>,
        links: &mut Vec<Vec<ResolvedImport>>,
    ) -> Vec<Vec<usize>> {
        let mut groups: Vec<(Implied, Vec<usize>)> = Vec::new();
        let mut implicit: Vec<Vec<usize>> = Vec::with_capacity(list.len());
        for index in 0..list.len() {
            let unit = &list[index];
            let implied = Implied { language: unit.language, version: unit.version, extension: unit.extension };
            let mut units = self.group(implied, list, &mut groups);
            if implied.extension.is_some() {
                units.extend(self.group(Implied { extension: None, ..implied }, list, &mut groups));
            }
            implicit.push(units);
        }
        // An implicit unit can use the names in the following units of its group, and in no others.
        while implicit.len() < list.len() {
            let index = implicit.len();
            let found = groups.iter().find_map(|(implied, units)| {
                let place = units.iter().position(|unit| *unit == index)?;
                Some((*implied, units[place + 1..].to_vec()))
            });
            let Some((implied, mut after)) = found else { break };
            if implied.extension.is_some() {
                let version = list[index].version;
                after.extend(self.group(Implied { version, extension: None, ..implied }, list, &mut groups));
            }
            implicit.push(after);
        }
        links.resize_with(list.len(), Vec::new);
        implicit
    }

    /// Returns the indexes of the implicit units of a version or an extension, adding the units to the list if
    /// necessary.
    fn group(
        &self,
        implied: Implied,
        list: &mut Vec<Arc<Unit>>,
        groups: &mut Vec<(Implied, Vec<usize>)>,
    ) -> Vec<usize> {
        if let Some((_, units)) = groups.iter().find(|(known, _)| known.is(&implied)) {
            return units.clone();
        }
        let first = list.len();
        list.extend(self.implicit_units(implied).iter().cloned());
        let units: Vec<usize> = (first..list.len()).collect();
        groups.push((implied, units.clone()));
        units
    }

    fn implicit_units(&self, implied: Implied) -> &[Arc<Unit>] {
        let Implied { language, version, extension } = implied;
        let spoken = self.knowing(language);
        let (place, units) = match extension {
            Some(extension) => (spoken.extensions.get(extension), language.extensions.get(extension).copied()),
            None => (spoken.implicit.get(usize::from(version.0)), Some((language.implicit)(version))),
        };
        let Some(place) = place else { return &[] };
        let units = || units.into_iter().flatten().map(|unit| self.implicit_unit(spoken, unit));
        place.get_or_init(|| units().collect())
    }

    /// Reads values of inputs, which no language describes. They are cached, because the files of a run mostly have the
    /// same ones.
    pub(crate) fn read_values(&self, values: &InputValues, version: LanguageVersion) -> Arc<Unit> {
        self.values.unit(values, version, || {
            let id = self.next_source(values.text.len());
            let (text, problem) = ard::decode(id, &*values.text);
            let source = Source::new(id, &*values.name, text);
            let mut unit = data_unit(&self.usual(), source, version, problem.into_iter().collect());
            if values.maps.is_some() {
                unit.diagnostics.clear();
            }
            unit
        })
    }

    /// Creates a unit for values of inputs that can't be read.
    pub(crate) fn unreadable_values(&self, name: String, error: &ReadError, version: LanguageVersion) -> Unit {
        let mut unit = self.blank(name, SharedText::default(), version);
        unit.diagnostics.push(unreadable(unit.id, error));
        unit
    }

    /// Creates a unit that exists only to report problems with a source.
    pub(crate) fn blank(&self, name: String, text: SharedText, version: LanguageVersion) -> Unit {
        let source = Source::new(self.next_source(text.len()), name, text);
        blank_unit(&self.usual(), source, version)
    }

    /// Returns the context for reading the source at an address.
    pub(crate) fn surroundings_of<'a>(
        &'a self,
        spoken: &'a LoadedLanguage,
        address: &Address,
        importer: Option<LanguageVersion>,
    ) -> ReadContext<'a> {
        if address.scheme() != BUILTIN {
            return ReadContext { importer, ..self.surroundings(spoken, &spoken.ard) };
        }
        let name = address.to_string();
        let profile = spoken.language.profiles.iter().find(|profile| profile.address == name);
        let ahead = profile.map(|profile| (profile.text, profile.packed));
        ReadContext { ahead, importer, ..self.surroundings(spoken, &spoken.built_in) }
    }

    fn usual(&self) -> ReadContext<'_> {
        self.surroundings(&self.spoken[0], &self.spoken[0].ard)
    }

    fn surroundings<'a>(&'a self, spoken: &'a LoadedLanguage, options: &'a ard::Options) -> ReadContext<'a> {
        ReadContext {
            language: spoken.language,
            vocabulary: &spoken.vocabulary,
            interner: &self.interner,
            options,
            ahead: None,
            quirks: self.quirks,
            most_of_a_rule: self.most_of_a_rule,
            words: &self.words,
            importer: None,
            option: None,
        }
    }

    fn implicit_unit(&self, spoken: &LoadedLanguage, unit: &ImplicitUnit) -> Arc<Unit> {
        let source = Source::new(self.next_source(unit.text.len()), unit.name, unit.text);
        let written = DecodedSource::yaml(source);
        let ahead = Some((unit.text, unit.packed));
        let surroundings = ReadContext { ahead, ..self.surroundings(spoken, &spoken.built_in) };
        Arc::new(read_unit(&surroundings, written, Some(unit), &mut |_, _| {}))
    }
}
