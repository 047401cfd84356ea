//! What the parsings of one parser share: names, sources, and units that have been read or compiled before.
//!
//! All of it grows with what is parsed: a service that validates templates for months, or an editor that parses with
//! every key that is hit, would fill the memory with what nobody needs any more. So nothing is kept for ever. What is
//! remembered is the matter of a [`Session`], and the parser begins a new one when the old one has taken up too much
//! that the latest parsing had no use for, see [`Sessions`]. Unlike throwing single units out, that also gets rid of
//! their names and of all tables that are about them, and nothing can point at what is not there any more.

mod built_in;
mod compiled;
mod slow;

pub(crate) use compiled::Known;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, RwLock};

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use rustc_hash::FxBuildHasher;

use crate::ard;
use crate::diagnostic::{Diagnostic, SourceId};
use crate::entity::{ImplicitUnit, Language, LanguageVersion, Quirk, Quirks, Vocabulary};
use crate::grammar::tosca::TOSCA;
use crate::phase::inheritance::Complete;
use crate::phase::read::{Read, Surroundings, blank_unit, data_unit, read_unit, unreadable};
use crate::phase::{Link, Program, Unit, Units};
use crate::source::{Address, BUILTIN, Catalogue, Fetched, Files, Provider, ReadError, Source};
#[cfg(feature = "archive")]
use crate::source::{ArchiveLimits, Archives};
#[cfg(feature = "http")]
use crate::source::{Http, HttpOptions};
use crate::symbol::Interner;

use built_in::BuiltIn;
use slow::SlowThreads;

/// Bounds on what is read and kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The bytes of one source.
    pub(crate) bytes: u64,
    /// The bytes of sources that are remembered without being in use.
    pub(crate) remembered: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: ard::Limits::default().bytes, remembered: 256 << 20 }
    }
}

/// What a parser is told before there is one.
#[derive(Clone, Default)]
pub(crate) struct Options {
    pub(crate) language: Option<&'static Language>,
    pub(crate) quirks: Quirks,
    pub(crate) functions: Vec<String>,
    pub(crate) directory: Option<PathBuf>,
    pub(crate) profile_paths: Vec<PathBuf>,
    pub(crate) providers: Vec<Arc<dyn Provider>>,
    pub(crate) limits: Limits,
    pub(crate) ard: ard::Options,
    #[cfg(feature = "http")]
    pub(crate) http: HttpOptions,
    pub(crate) offline: bool,
    pub(crate) sandbox: bool,
    #[cfg(feature = "archive")]
    pub(crate) archives: ArchiveLimits,
}

/// The sessions of a parser, one after the other.
pub(crate) struct Sessions {
    options: Options,
    shared: Arc<Shared>,
    latest: RwLock<Arc<Session>>,
}

/// What all sessions of a parser have in common.
struct Shared {
    providers: Vec<Arc<dyn Provider>>,
    #[cfg(feature = "archive")]
    archives: Archives,
    slow: SlowThreads,
    next_source: AtomicU32,
}

impl Sessions {
    pub(crate) fn new(options: Options) -> Self {
        let mut providers = options.providers.clone();
        providers.push(Arc::new(BuiltIn(options.language.unwrap_or(&TOSCA))));
        providers.push(Arc::new(Files));
        #[cfg(feature = "http")]
        if !options.offline {
            providers.push(Arc::new(Http::with_options(options.http.clone())));
        }
        #[cfg(feature = "archive")]
        let archives = Archives::new(providers.clone(), options.archives.clone());
        #[cfg(feature = "archive")]
        providers.insert(0, Arc::new(archives.clone()));
        let shared = Arc::new(Shared {
            providers,
            #[cfg(feature = "archive")]
            archives,
            slow: SlowThreads::default(),
            next_source: AtomicU32::new(0),
        });
        let latest = RwLock::new(Arc::new(Session::new(&options, shared.clone())));
        Self { options, shared, latest }
    }

    /// The session for a parsing, which keeps it to its end.
    pub(crate) fn latest(&self) -> Arc<Session> {
        match self.latest.read() {
            Ok(latest) => latest.clone(),
            // Whoever panicked has not changed it.
            Err(poisoned) => poisoned.into_inner().clone(),
        }
    }

    /// Begins a new session if the one of a parsing that has ended has taken up too much besides what that used.
    pub(crate) fn settle(&self, session: &Arc<Session>, used: &Units) {
        let used: u64 = used.list.iter().map(|unit| weight(unit.source.text().len())).sum();
        let taken_up = session.taken_up.load(Ordering::Relaxed);
        if taken_up.saturating_sub(used) <= self.options.limits.remembered {
            return;
        }
        let mut latest = match self.latest.write() {
            Ok(latest) => latest,
            Err(poisoned) => poisoned.into_inner(),
        };
        if Arc::ptr_eq(&latest, session) {
            *latest = Arc::new(Session::new(&self.options, self.shared.clone()));
            #[cfg(feature = "archive")]
            self.shared.archives.forget();
        }
    }
}

/// What a text of some bytes counts for. Even the smallest source has tables of its own.
fn weight(bytes: usize) -> u64 {
    const LEAST: u64 = 4 << 10;
    LEAST + bytes as u64
}

#[cfg(feature = "archive")]
fn catalogue(options: &Options, shared: &Shared) -> Catalogue {
    Catalogue::with_archives(options.profile_paths.clone(), shared.archives.clone())
}

#[cfg(not(feature = "archive"))]
fn catalogue(options: &Options, _: &Shared) -> Catalogue {
    Catalogue::new(options.profile_paths.clone())
}

/// What is remembered between parsings.
pub(crate) struct Session {
    pub(crate) language: &'static Language,
    pub(crate) vocabulary: Arc<Vocabulary>,
    pub(crate) interner: Arc<Interner>,
    pub(crate) catalogue: Catalogue,
    pub(crate) limits: Limits,
    pub(crate) quirks: Quirks,
    /// The functions that may be called although nothing defines them.
    pub(crate) functions: Arc<[String]>,
    /// Whether imports by path must stay in the folder of the entry.
    pub(crate) sandbox: bool,
    ard: ard::Options,
    /// For what comes with the library, to which limits that protect from strangers do not apply.
    built_in: ard::Options,
    directory: Option<PathBuf>,
    shared: Arc<Shared>,
    identities: DashMap<Address, Address, FxBuildHasher>,
    remembered: DashMap<Address, Arc<Unit>, FxBuildHasher>,
    compiled: compiled::Cache,
    implicit: Vec<OnceLock<Vec<Arc<Unit>>>>,
    /// What all texts so far count for; see [`weight`].
    taken_up: AtomicU64,
}

impl Session {
    fn new(options: &Options, shared: Arc<Shared>) -> Self {
        let language = options.language.unwrap_or(&TOSCA);
        let interner = Arc::new(Interner::new());
        Self {
            language,
            vocabulary: Arc::new(Vocabulary::new(language, &interner)),
            interner,
            catalogue: catalogue(options, &shared),
            sandbox: options.sandbox,
            limits: options.limits,
            quirks: options.quirks,
            functions: options.functions.as_slice().into(),
            ard: options.ard.clone(),
            built_in: ard::Options::default(),
            directory: options.directory.clone(),
            shared,
            identities: DashMap::default(),
            remembered: DashMap::default(),
            compiled: compiled::Cache::default(),
            implicit: language.versions.iter().map(|_| OnceLock::new()).collect(),
            taken_up: AtomicU64::new(0),
        }
    }

    /// Runs something that may take long on a thread of its own.
    pub(crate) fn run_slowly(&self, job: impl FnOnce() + Send + 'static) {
        self.shared.slow.run(job);
    }

    /// Where paths are relative to.
    pub(crate) fn directory(&self) -> PathBuf {
        self.directory.clone().or_else(|| std::env::current_dir().ok()).unwrap_or_default()
    }

    /// The units of a program that have been compiled before.
    pub(crate) fn known(&self, program: &Program<Read>) -> Known {
        let known = self.compiled.known(program);
        // What a unit means then depends on who imports it.
        if self.quirks.has(Quirk::SharedNames) { known.forgotten() } else { known }
    }

    /// Keeps the units that have been compiled.
    pub(crate) fn remember_compiled(
        &self,
        known: &Known,
        program: &Program<Complete>,
        checked: &[Arc<Vec<Diagnostic>>],
    ) {
        self.compiled.remember(known, program, checked);
    }

    /// The provider that serves an address.
    pub(crate) fn provider(&self, address: &Address) -> Option<&Arc<dyn Provider>> {
        self.shared.providers.iter().find(|provider| provider.serves(address))
    }

    /// The identity of a source: the same for all addresses that lead to it.
    pub(crate) fn identity(&self, address: &Address) -> Address {
        if let Some(identity) = self.identities.get(address) {
            return identity.clone();
        }
        let identity = self.provider(address).map_or_else(|| address.clone(), |provider| provider.identity(address));
        self.identities.insert(address.clone(), identity.clone());
        identity
    }

    /// Reads what an address stands for.
    pub(crate) fn fetch(&self, address: &Address) -> Result<Fetched, ReadError> {
        match self.provider(address) {
            Some(provider) => provider.fetch(address, self.limits.bytes),
            None => Err(ReadError::no_provider(address)),
        }
    }

    /// Whether an address is in one of the places in which the user has profiles, or is built in.
    pub(crate) fn is_granted(&self, address: &Address) -> bool {
        address.scheme() == BUILTIN
            || self.catalogue.places().any(|place| {
                let (place, archive) = (self.identity(&place), address.archive());
                let is_in = |address: &Address| *address == place || address.is_below(&place);
                is_in(address) || archive.is_some_and(is_in)
            })
    }

    /// A number that no source has yet, for a text of some bytes.
    pub(crate) fn next_source(&self, bytes: usize) -> SourceId {
        self.taken_up.fetch_add(weight(bytes), Ordering::Relaxed);
        SourceId(self.shared.next_source.fetch_add(1, Ordering::Relaxed))
    }

    /// The unit that was made of the same bytes before.
    pub(crate) fn remembered(&self, identity: &Address, bytes: &[u8]) -> Option<Arc<Unit>> {
        let unit = self.remembered.get(identity)?;
        (unit.source.text().as_bytes() == bytes).then(|| unit.clone())
    }

    /// Keeps a unit for later. If another parsing has made one of the same text meanwhile, that one is to be used.
    pub(crate) fn remember(&self, identity: &Address, unit: Arc<Unit>) -> Arc<Unit> {
        match self.remembered.entry(identity.clone()) {
            Entry::Occupied(mut other) => {
                if other.get().source.text() != unit.source.text() {
                    other.insert(unit.clone());
                    return unit;
                }
                other.get().clone()
            }
            Entry::Vacant(vacant) => vacant.insert(unit).clone(),
        }
    }

    /// The source of a profile: from the catalogue, from a provider, or built in.
    pub(crate) fn profile(&self, name: &str, entry: &Address) -> Option<Address> {
        self.catalogue.find(name, entry).or_else(|| self.provider_of_profile(name))
    }

    /// The source of a profile that a provider has, or that is built in.
    pub(crate) fn provider_of_profile(&self, name: &str) -> Option<Address> {
        self.shared.providers.iter().find_map(|provider| provider.profile(name))
    }

    /// The names of all profiles that are known.
    pub(crate) fn profile_names(&self, entry: &Address) -> Vec<String> {
        let found = self.catalogue.names(Some(entry)).into_iter().map(|(name, _)| name);
        let built_in = self.language.profiles.iter().flat_map(|profile| profile.names).map(|name| (*name).to_owned());
        let mut names: Vec<String> = found.chain(built_in).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Adds the implicit units of all versions that occur, and says which of them each unit has, nearest first.
    pub(crate) fn add_implicit(&self, list: &mut Vec<Arc<Unit>>, links: &mut Vec<Vec<Link>>) -> Vec<Vec<usize>> {
        let mut of_version: Vec<Option<Vec<usize>>> = vec![None; self.language.versions.len()];
        let mut implicit = Vec::with_capacity(list.len());
        let explicit = list.len();
        for index in 0..explicit {
            let version = list[index].version;
            let Some(known) = of_version.get_mut(usize::from(version.0)) else {
                implicit.push(Vec::new());
                continue;
            };
            let units = known.get_or_insert_with(|| {
                let units = self.implicit_units(version);
                let first = list.len();
                list.extend(units.iter().cloned());
                (first..list.len()).collect()
            });
            implicit.push(units.clone());
        }
        // An implicit unit sees those that come after it.
        for index in explicit..list.len() {
            let units = of_version.iter().flatten().find(|units| units.contains(&index));
            let after = units.into_iter().flatten().copied().filter(|other| *other > index);
            implicit.push(after.collect());
        }
        links.resize_with(list.len(), Vec::new);
        implicit
    }

    fn implicit_units(&self, version: LanguageVersion) -> &[Arc<Unit>] {
        let Some(place) = self.implicit.get(usize::from(version.0)) else { return &[] };
        place.get_or_init(|| (self.language.implicit)(version).iter().map(|unit| self.implicit_unit(unit)).collect())
    }

    /// Reads data that no language describes.
    pub(crate) fn read_data(&self, name: String, bytes: Result<Vec<u8>, ReadError>, version: LanguageVersion) -> Unit {
        let id = self.next_source(bytes.as_ref().map_or(0, Vec::len));
        let (bytes, failed) = match bytes {
            Ok(bytes) => (bytes, None),
            Err(error) => (Vec::new(), Some(unreadable(id, &error))),
        };
        let (text, problem) = ard::decode(id, bytes);
        let problems = failed.into_iter().chain(problem).collect();
        data_unit(&self.surroundings(&self.ard), Source::new(id, name, text), version, problems)
    }

    /// A source that is there only so that problems can stand in it.
    pub(crate) fn blank(&self, name: String, text: Arc<str>, version: LanguageVersion) -> Unit {
        let source = Source::new(self.next_source(text.len()), name, text);
        blank_unit(&self.surroundings(&self.ard), source, version)
    }

    /// What reading the source at an address needs besides the text.
    pub(crate) fn surroundings_of(&self, address: &Address) -> Surroundings<'_> {
        self.surroundings(if address.scheme() == BUILTIN { &self.built_in } else { &self.ard })
    }

    fn surroundings<'a>(&'a self, options: &'a ard::Options) -> Surroundings<'a> {
        Surroundings {
            language: self.language,
            vocabulary: &self.vocabulary,
            interner: &self.interner,
            options,
            quirks: self.quirks,
        }
    }

    fn implicit_unit(&self, unit: &ImplicitUnit) -> Arc<Unit> {
        let source = Source::new(self.next_source(unit.text.len()), unit.name, unit.text);
        Arc::new(read_unit(&self.surroundings(&self.built_in), source, Some(unit), Vec::new(), &mut |_| {}))
    }
}
