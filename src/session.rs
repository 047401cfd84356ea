//! What the parsings of one parser share: names, sources, and units that have been read or compiled before.

mod compiled;

pub(crate) use compiled::Known;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::time::Duration;

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

use crate::ard;
use crate::diagnostic::{Diagnostic, SourceId};
use crate::entity::{ImplicitUnit, Language, LanguageVersion, Vocabulary};
use crate::grammar::tosca::TOSCA;
use crate::phase::inheritance::Complete;
use crate::phase::read::{Read, Surroundings, data_unit, read_unit, unreadable};
use crate::phase::{Link, Program, Unit};
use crate::source::{Address, Catalogue, Files, Provider, ReadError, Source};
#[cfg(feature = "http")]
use crate::source::{Http, HttpOptions};
use crate::symbol::Interner;

/// Bounds on what is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The bytes of one source.
    pub(crate) bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 512 << 20 }
    }
}

/// What a parser is told before there is one.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) directory: Option<PathBuf>,
    pub(crate) profile_paths: Vec<PathBuf>,
    pub(crate) providers: Vec<Arc<dyn Provider>>,
    pub(crate) limits: Limits,
    pub(crate) ard: ard::Options,
    #[cfg(feature = "http")]
    pub(crate) http: HttpOptions,
    pub(crate) offline: bool,
}

/// The shared part of a parser.
pub(crate) struct Session {
    pub(crate) language: &'static Language,
    pub(crate) vocabulary: Arc<Vocabulary>,
    pub(crate) interner: Arc<Interner>,
    pub(crate) catalogue: Catalogue,
    pub(crate) limits: Limits,
    pub(crate) ard: ard::Options,
    pub(crate) slow: SlowThreads,
    directory: Option<PathBuf>,
    providers: Vec<Arc<dyn Provider>>,
    identities: DashMap<Address, Address, FxBuildHasher>,
    remembered: DashMap<Address, Arc<Unit>, FxBuildHasher>,
    compiled: compiled::Cache,
    implicit: Vec<OnceLock<Vec<Arc<Unit>>>>,
    next_source: AtomicU32,
}

impl Session {
    pub(crate) fn new(options: Options) -> Self {
        let language = &TOSCA;
        let interner = Arc::new(Interner::new());
        let mut providers = options.providers;
        providers.push(Arc::new(BuiltIn(language)));
        providers.push(Arc::new(Files));
        #[cfg(feature = "http")]
        if !options.offline {
            providers.push(Arc::new(Http::with_options(options.http)));
        }
        Self {
            language,
            vocabulary: Arc::new(Vocabulary::new(language, &interner)),
            interner,
            catalogue: Catalogue::new(options.profile_paths),
            limits: options.limits,
            ard: options.ard,
            slow: SlowThreads::default(),
            directory: options.directory,
            providers,
            identities: DashMap::default(),
            remembered: DashMap::default(),
            compiled: compiled::Cache::default(),
            implicit: language.versions.iter().map(|_| OnceLock::new()).collect(),
            next_source: AtomicU32::new(0),
        }
    }

    /// Where paths are relative to.
    pub(crate) fn directory(&self) -> PathBuf {
        self.directory.clone().or_else(|| std::env::current_dir().ok()).unwrap_or_default()
    }

    /// The units of a program that have been compiled before.
    pub(crate) fn known(&self, program: &Program<Read>) -> Known {
        self.compiled.known(program)
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
        self.providers.iter().find(|provider| provider.serves(address))
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

    /// A number that no source has yet.
    pub(crate) fn next_source(&self) -> SourceId {
        SourceId(self.next_source.fetch_add(1, Ordering::Relaxed))
    }

    /// The unit that was made of the same bytes before.
    pub(crate) fn remembered(&self, identity: &Address, bytes: &[u8]) -> Option<Arc<Unit>> {
        let unit = self.remembered.get(identity)?;
        (unit.source.text().as_bytes() == bytes).then(|| unit.clone())
    }

    /// Keeps a unit for later.
    pub(crate) fn remember(&self, identity: &Address, unit: &Arc<Unit>) {
        self.remembered.insert(identity.clone(), unit.clone());
    }

    /// The source of a profile: from the catalogue, from a provider, or built in.
    pub(crate) fn profile(&self, name: &str, entry: &Address) -> Option<Address> {
        self.catalogue.find(name, entry).or_else(|| self.providers.iter().find_map(|provider| provider.profile(name)))
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
        for index in 0..list.len() {
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
        for units in of_version.into_iter().flatten() {
            implicit.extend((0..units.len()).map(|number| units[number + 1..].to_vec()));
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
        let id = self.next_source();
        let (bytes, failed) = match bytes {
            Ok(bytes) => (bytes, None),
            Err(error) => (Vec::new(), Some(unreadable(id, &error))),
        };
        let (text, problem) = ard::decode(id, bytes);
        let problems = failed.into_iter().chain(problem).collect();
        data_unit(&self.surroundings(), Source::new(id, name, text), version, problems)
    }

    pub(crate) fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            language: self.language,
            vocabulary: &self.vocabulary,
            interner: &self.interner,
            options: &self.ard,
        }
    }

    fn implicit_unit(&self, unit: &ImplicitUnit) -> Arc<Unit> {
        let source = Source::new(self.next_source(), unit.name, unit.text);
        Arc::new(read_unit(&self.surroundings(), source, Some(unit), Vec::new(), &mut |_| {}))
    }
}

/// Serves the profiles that are built into a language.
pub(crate) struct BuiltIn(pub(crate) &'static Language);

impl Provider for BuiltIn {
    fn serves(&self, address: &Address) -> bool {
        address.scheme() == "builtin"
    }

    fn identity(&self, address: &Address) -> Address {
        address.clone()
    }

    fn read(&self, address: &Address, _: u64) -> Result<Vec<u8>, ReadError> {
        let text =
            self.0.profiles.iter().find(|profile| profile.address == address.to_string()).map(|profile| profile.text);
        text.map(|text| text.as_bytes().to_vec()).ok_or(ReadError::NotFound)
    }

    fn exists(&self, address: &Address) -> bool {
        self.0.profiles.iter().any(|profile| profile.address == address.to_string())
    }

    fn profile(&self, name: &str) -> Option<Address> {
        let profile = self.0.profiles.iter().find(|profile| profile.names.contains(&name))?;
        Address::parse(profile.address).ok()
    }
}

/// Threads for readings that may take long: a few, started when needed, gone when idle.
#[derive(Clone, Default)]
pub(crate) struct SlowThreads(Arc<(Mutex<Queue>, Condvar)>);

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Box<dyn FnOnce() + Send>>,
    threads: usize,
    idle: usize,
}

impl SlowThreads {
    /// More would not be polite to a server.
    const MOST: usize = 16;
    const IDLE: Duration = Duration::from_secs(2);

    /// Runs a job on one of the threads.
    pub(crate) fn run(&self, job: impl FnOnce() + Send + 'static) {
        let (queue, signal) = &*self.0;
        let Ok(mut state) = queue.lock() else { return job() };
        state.jobs.push_back(Box::new(job));
        if state.idle < state.jobs.len() && state.threads < Self::MOST {
            state.threads += 1;
            let threads = self.clone();
            drop(state);
            if std::thread::Builder::new().name("tosca-parse source".to_owned()).spawn(move || threads.work()).is_err()
            {
                // Without any thread, what is queued is done here.
                self.work();
            }
        } else {
            signal.notify_one();
        }
    }

    fn work(&self) {
        let (queue, signal) = &*self.0;
        loop {
            let Ok(mut state) = queue.lock() else { return };
            let job = match state.jobs.pop_front() {
                Some(job) => {
                    drop(state);
                    job
                }
                None => {
                    state.idle += 1;
                    let Ok((mut state, timeout)) = signal.wait_timeout(state, Self::IDLE) else { return };
                    state.idle -= 1;
                    match state.jobs.pop_front() {
                        Some(job) => job,
                        None if timeout.timed_out() => {
                            state.threads -= 1;
                            return;
                        }
                        None => continue,
                    }
                }
            };
            job();
        }
    }
}
