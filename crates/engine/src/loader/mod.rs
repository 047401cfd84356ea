//! Follows imports. Each source is read once, in parallel with others.
//!
//! A job reads one source and adds a job for each import as soon as it has read the import. At first, jobs run one
//! after the other on the calling thread; if there are too many, the remaining ones run on rayon's thread pool. Slow
//! reads (from the network) would block a thread of the pool, so they happen on separate threads; when there is no
//! other work, the loader waits for them.
//!
//! The order in which sources are read depends on the threads, but the result does not: the program's units are sorted
//! in the order of the imports, starting with the entry.

mod budget;
mod duplicates;
mod entry;
mod given;
mod jobs;
mod loops;
mod order;
mod published;
mod sources;
mod target;

pub use entry::Entry;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};

use foldhash::HashMap;

use crate::diagnostic::{Diagnostic, Help, SourceId, Span};
use crate::entity::{Language, LanguageVersion};
use crate::phase::read::{DecodedSource, ImportRequest, Read, ReadContext, read_unit, unreadable};
use crate::phase::{Program, Unit};
use crate::session::Session;
use crate::source::observe::{self, Observer, observed_by};
use crate::source::{
    Address, FILE, FetchedSource, ImportTarget, OptionValues, Provider, ReadError, SharedText, Source, SourceProblem,
    list_directory, network_source, on_behalf_of,
};
use crate::syntax::{Bytes, IncludeSources, IncludedSource, Input, InputError, SourceDependency};

use budget::Budget;
use entry::{Inputs, Watcher};
use given::OptionSource;
use jobs::{Job, Jobs, Queue};
use sources::{ImportResult, LoadState, RequestEffect, SourceState, Sources};

/// The loader of an entry and of everything that the entry imports.
pub(crate) struct Loader {
    loading: Arc<Loading>,
    /// The source that was requested as the entry.
    asked: Arc<SourceState>,
    inputs: Vec<Inputs>,
    /// The channel on which the results of slow reads arrive.
    arrivals: mpsc::Receiver<FetchResult>,
    queue: Queue,
}

impl Loader {
    /// Creates a loader and reads the text of the entry.
    pub(crate) fn new(session: &Arc<Session>, mut entry: Entry) -> Self {
        let inputs = std::mem::take(&mut entry.inputs);
        let options = std::mem::take(&mut entry.options);
        let (sender, arrivals) = mpsc::channel();
        let observer = entry.observer.take();
        observed_by(observer.as_ref(), || {
            Self::begin(session, entry, observer.clone(), (sender, arrivals), (inputs, options))
        })
    }

    fn begin(
        session: &Arc<Session>,
        mut entry: Entry,
        observer: Option<Arc<Observer>>,
        (sender, arrivals): (mpsc::Sender<FetchResult>, mpsc::Receiver<FetchResult>),
        (inputs, options): (Vec<Inputs>, OptionValues),
    ) -> Self {
        let fetched = match entry.text.take() {
            Some(bytes) => Ok(FetchedSource::new(entry.address.clone(), bytes)),
            None => session.fetch(&entry.address),
        };
        let address = fetched.as_ref().map_or(&entry.address, |fetched| &fetched.address).clone();
        let bounds = fetched.as_ref().ok().and_then(|fetched| fetched.root.clone());
        let root = bounds.clone().unwrap_or_else(|| address.directory());
        let sources = Sources::default();
        let real = fetched.as_ref().ok().and_then(|fetched| fetched.real.as_ref());
        let real = real.map(|path| Address::from_path(path, Path::new("/")));
        let source = |address: &Address| {
            // There are no links in the real path.
            let is_real = real.as_ref() == Some(address);
            let find = |provider: &dyn Provider| if is_real { address.clone() } else { provider.identity(address) };
            sources.of(&session.identity_or(address, find))
        };
        let (asked, source) = (source(&entry.address), source(&address));
        let loading = Arc::new(Loading {
            session: session.clone(),
            directory: session.directory(),
            packed: bounds.as_ref().map(|root| session.identity(root)),
            bounds: bounds.or_else(|| session.sandbox.then(|| root.clone())).map(|root| session.identity(&root)),
            root,
            entry: address.clone(),
            granted: given::folders(session, &options),
            options,
            given: OnceLock::new(),
            entry_source: source.clone(),
            shows_entry: entry.is_named,
            sources,
            directories: Locked::default(),
            waiting: AtomicUsize::new(0),
            has_failed: AtomicBool::new(false),
            profiles: AtomicUsize::new(0),
            budget: Budget::new(session.imports),
            observer,
            sender: Mutex::new(sender),
        });
        if entry.verifies
            && let Some(provider) = session.provider(&entry.address)
        {
            let mut progress = |done: usize, all: usize| {
                if let Some(Watcher(watcher)) = &entry.watcher {
                    watcher(done, all);
                }
            };
            asked.add_findings(provider.verify(&entry.address, &mut progress));
        }
        let entry = FetchResult { language: None, address, source, fetched };
        Self { loading, asked, inputs, arrivals, queue: Queue::new(Job::Entry(entry)) }
    }

    /// Reads on this thread, unless there is too much to read. Returns whether everything has been read.
    pub(crate) fn read_on_this_thread(&mut self) -> bool {
        loop {
            while let Some(job) = self.queue.next() {
                self.loading.run(job, &Jobs::Queue(&self.queue));
            }
            if self.queue.is_much() {
                return false;
            }
            match self.arrived() {
                Some(arrived) => self.queue.extend(arrived),
                None => {
                    let late = self.loading.rest();
                    if late.is_empty() {
                        return true;
                    }
                    self.queue.extend(late.into_iter());
                }
            }
        }
    }

    /// Reads the remaining sources on all threads of the current pool and creates the program.
    pub(crate) fn finish(mut self) -> Program<Read> {
        let mut ready = self.queue.into_jobs();
        while !ready.is_empty() {
            let loading = &self.loading;
            rayon::scope(|scope| {
                for job in ready.drain(..) {
                    scope.spawn(move |scope| loading.run(job, &Jobs::Scope(scope)));
                }
            });
            ready.extend(arrived(loading, &self.arrivals).into_iter().flatten());
            if ready.is_empty() {
                ready = loading.rest();
            }
        }
        let inputs = std::mem::take(&mut self.inputs);
        observed_by(self.loading.observer.as_ref(), || self.loading.program(&self.asked, inputs))
    }

    fn arrived(&self) -> Option<impl Iterator<Item = Job>> {
        arrived(&self.loading, &self.arrivals)
    }
}

/// Waits for the results of slow reads; returns `None` if there are none or no time is left.
fn arrived(loading: &Loading, arrivals: &mpsc::Receiver<FetchResult>) -> Option<impl Iterator<Item = Job>> {
    if loading.waiting.load(Ordering::Acquire) == 0 {
        return None;
    }
    let arrived = match loading.budget.left() {
        Some(left) => arrivals.recv_timeout(left).map_err(|_| loading.budget.run_out_of_time()),
        None => arrivals.recv().map_err(drop),
    };
    let first = arrived.ok().filter(|_| !loading.budget.is_exceeded())?;
    Some(std::iter::once(first).chain(arrivals.try_iter()).map(Job::Fetched))
}

/// The state while a program is loaded.
struct Loading {
    session: Arc<Session>,
    directory: PathBuf,
    root: Address,
    entry: Address,
    entry_source: Arc<SourceState>,
    /// Whether problems may quote the entry regardless of its content.
    shows_entry: bool,
    options: OptionValues,
    /// The folders that options specify. Imports from them are allowed even in a sandbox.
    granted: Vec<Address>,
    /// The sources that options specify, once the language of the entry is known.
    given: OnceLock<Vec<OptionSource>>,
    sources: Sources,
    /// The root of the archive that contains the entry, if there is one.
    packed: Option<Address>,
    /// The directory or archive that imports by path must not leave, if there is one.
    bounds: Option<Address>,
    /// The identities of directories, cached only for this parse, because a link may have a different target next time.
    directories: Locked<HashMap<Address, Address>>,
    /// The number of profile names with which unknown ones were compared.
    profiles: AtomicUsize,
    /// The number of slow reads whose results have not been processed yet.
    waiting: AtomicUsize,
    /// Whether an import has failed since failed imports were last processed.
    has_failed: AtomicBool,
    sender: Mutex<mpsc::Sender<FetchResult>>,
    budget: Budget,
    /// The recorder of accesses to files.
    observer: Option<Arc<Observer>>,
}

/// State to which several threads add data. Most parses add hardly anything.
#[derive(Default)]
struct Locked<T>(Mutex<T>);

impl<T> Locked<T> {
    fn lock(&self) -> MutexGuard<'_, T> {
        // Even a thread that panics leaves the value in a consistent state.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A source with imports.
#[derive(Clone)]
struct Importer {
    address: Address,
    language: &'static Language,
    version: LanguageVersion,
    /// The number of the import among those of the source.
    number: usize,
}

/// The result of reading an address.
struct FetchResult {
    /// The language of the importer.
    language: Option<&'static Language>,
    address: Address,
    source: Arc<SourceState>,
    fetched: Result<FetchedSource, ReadError>,
}

impl Loading {
    fn run<'s>(self: &'s Arc<Self>, job: Job, jobs: &Jobs<'_, 's>) {
        observed_by(self.observer.as_ref(), || self.run_observed(job, jobs));
    }

    fn run_observed<'s>(self: &'s Arc<Self>, job: Job, jobs: &Jobs<'_, 's>) {
        match job {
            Job::Entry(entry) => {
                entry.source.set_fate(LoadState::Pending);
                self.take_up(entry, true, jobs);
            }
            Job::Import { source, importer, number, request } => {
                let led = self.import(&importer, &request, jobs);
                source.note_import(number, led);
            }
            Job::OptionSource { address, source, language } => self.read(&address, &source, language, None, jobs),
            Job::Fetched(fetched) => {
                self.waiting.fetch_sub(1, Ordering::AcqRel);
                self.take_up(fetched, false, jobs);
            }
            Job::Make { address, source, written, language, stamp } => {
                self.make_of((&address, &source), *written, language, jobs);
                if let Some(unit) = source.unit() {
                    self.session.remember_stamp(&source.identity, stamp, &unit);
                }
                self.read_again(&address, &source, jobs);
            }
        }
    }

    /// Resolves an import and reads its source.
    fn import<'s>(
        self: &'s Arc<Self>,
        importer: &Importer,
        request: &ImportRequest,
        jobs: &Jobs<'_, 's>,
    ) -> ImportResult {
        let target = match &request.target {
            None => return ImportResult::Open,
            // No import is used any more.
            Some(_) if self.budget.is_exceeded() => return ImportResult::Open,
            Some(_) if self.is_put_off(importer, request) => return ImportResult::Open,
            Some(ImportTarget::Profile(name)) if request.is_reference => match self.find(importer, name) {
                Some(address) => Ok((address.clone(), self.identity(&address))),
                None => return ImportResult::Unfound,
            },
            Some(target) => on_behalf_of(network_source(&importer.address), || self.resolve(importer, target)),
        };
        match target {
            Ok((address, identity)) => {
                let source = self.sources.of(&identity);
                source.note_importer(importer.version);
                let behalf = network_source(&importer.address);
                self.read(&address, &source, importer.language, behalf, jobs);
                ImportResult::To(source.number)
            }
            Err(refusal) => {
                self.has_failed.store(true, Ordering::Release);
                ImportResult::Refused(refusal.into())
            }
        }
    }

    /// Reads a source unless it has been requested by a different import.
    fn read<'s>(
        self: &'s Arc<Self>,
        address: &Address,
        source: &Arc<SourceState>,
        language: &'static Language,
        behalf: Option<Address>,
        jobs: &Jobs<'_, 's>,
    ) {
        match source.ask(behalf.as_ref().map(Address::top)) {
            RequestEffect::First if !self.budget.admits(address) => return,
            RequestEffect::First => {}
            // The source may be readable for this importer although it was not for others.
            RequestEffect::Again => {}
            RequestEffect::Already => {
                self.read_again(address, source, jobs);
                return;
            }
        }
        if let Some(provider) = self.session.provider(address).filter(|provider| provider.is_slow(address)) {
            self.fetch(provider.clone(), address, source, (language, behalf));
            return;
        }
        let identity = &source.identity;
        let stamp = self.session.stamp(address, identity);
        if let Some(unit) = self.session.unchanged(identity, stamp, (self.importer(source), source.option()))
            && unit.source.is_shown() == self.session.is_template(identity, unit.source.text())
            && self.session.has_same_language(address, &unit, Some(language))
        {
            if self.budget.takes(unit.source.text().len()) {
                self.take(address, source, &unit, jobs);
            }
            self.read_again(address, source, jobs);
            return;
        }
        let most = self.budget.most(self.session.limits.bytes);
        let fetched = on_behalf_of(behalf, || self.session.fetch_at_most(address, most));
        let stamp = fetched.as_ref().ok().and_then(|fetched| fetched.stamp).or(stamp);
        let language = Some(language);
        self.take_up(FetchResult { language, address: address.clone(), source: source.clone(), fetched }, false, jobs);
        match source.unit() {
            Some(unit) => self.session.remember_stamp(identity, stamp, &unit),
            None => jobs.note_stamp(source, stamp),
        }
    }

    /// Returns the identity of a source. It is determined from that of the directory if possible, because most sources
    /// are in the same few directories.
    fn identity(&self, address: &Address) -> Address {
        let find = |provider: &dyn Provider| self.identity_in_directory(provider, address);
        self.session.identity_or(address, |provider| find(provider).unwrap_or_else(|| provider.identity(address)))
    }

    fn identity_in_directory(&self, provider: &dyn Provider, address: &Address) -> Option<Address> {
        let directory =
            Some(address.directory()).filter(|directory| address.scheme() == FILE && directory != address)?;
        let known = self.directories.lock().get(&directory).cloned();
        let known = known.or_else(|| {
            let identity = self.session.provider(&directory)?.identity(&directory);
            self.directories.lock().insert(directory, identity.clone());
            Some(identity)
        })?;
        provider.identity_in(&known, address)
    }

    /// Uses an existing unit.
    fn take<'s>(
        self: &'s Arc<Self>,
        address: &Address,
        source: &Arc<SourceState>,
        unit: &Arc<Unit>,
        jobs: &Jobs<'_, 's>,
    ) {
        self.count_repairs(source, unit);
        source.set_fate(LoadState::Unit(unit.clone()));
        let importer = Importer { address: address.clone(), language: unit.language, version: unit.version, number: 0 };
        for (number, request) in unit.imports.iter().enumerate() {
            self.follow(source, &importer, number, request.clone(), jobs);
        }
    }

    /// Counts the bytes that were read to repair an imported source. One that is read again, because of another importer,
    /// counts once.
    fn count_repairs(&self, source: &SourceState, unit: &Unit) {
        if source.number != self.entry_source.number && source.unit().is_none() {
            self.budget.count_repairs(unit.document.repair_bytes);
        }
    }

    /// Returns the earliest version of the known importers of a source; `None` for the entry.
    fn importer(&self, source: &SourceState) -> Option<LanguageVersion> {
        if source.number == self.entry_source.number { None } else { source.state().importer }
    }

    /// Reads a source again if it does not declare its version and an importer with an earlier version has been found:
    /// the earliest version of an importer applies to the source.
    fn read_again<'s>(self: &'s Arc<Self>, address: &Address, source: &Arc<SourceState>, jobs: &Jobs<'_, 's>) {
        let Some(unit) = source.unit() else { return };
        let importer = self.importer(source);
        if unit.borrowed.is_some_and(|known| known != importer) {
            let bytes = unit.source.text().as_bytes().to_vec();
            self.make((address, source), bytes, Some(unit.language), jobs);
        }
    }

    /// Reads a source on a separate thread.
    fn fetch(
        self: &Arc<Self>,
        provider: Arc<dyn Provider>,
        address: &Address,
        source: &Arc<SourceState>,
        (language, behalf): (&'static Language, Option<Address>),
    ) {
        observe::note_unknown();
        self.waiting.fetch_add(1, Ordering::AcqRel);
        let Ok(sender) = self.sender.lock().map(|sender| sender.clone()) else { return };
        let (address, source) = (address.clone(), source.clone());
        let limit = self.budget.most(self.session.limits.bytes);
        self.session.run_slowly(move || {
            // The loader must get a result even if the provider panics; otherwise it would wait forever.
            let reading = std::panic::AssertUnwindSafe(|| on_behalf_of(behalf, || provider.fetch(&address, limit)));
            let fetched = std::panic::catch_unwind(reading)
                .unwrap_or_else(|_| Err(ReadError::Io("its provider failed".to_owned())));
            let _ = sender.send(FetchResult { language: Some(language), address, source, fetched });
        });
    }

    /// Creates a unit from the result of a read.
    fn take_up<'s>(self: &'s Arc<Self>, arrival: FetchResult, is_entry: bool, jobs: &Jobs<'_, 's>) {
        let FetchResult { language, address: asked, mut source, fetched } = arrival;
        let FetchedSource { address, bytes, findings, .. } = match fetched {
            Ok(fetched) if !is_entry && self.got_out(&source.identity, &fetched) => {
                let error = ReadError::Io("it has become a link to a file outside".to_owned());
                self.fail(&asked, &source, error, is_entry);
                return;
            }
            Ok(fetched) if is_entry || self.budget.takes(fetched.bytes.len()) => fetched,
            Ok(_) => return,
            Err(error) => {
                if error.depends_on_importer()
                    && let (Some(language), Ok(behalf)) = (language, source.next_importer())
                    && let Some(provider) = self.session.provider(&asked)
                {
                    self.fetch(provider.clone(), &asked, &source, (language, behalf));
                    return;
                }
                self.fail(&asked, &source, error, is_entry);
                return;
            }
        };
        source.add_findings(findings);
        if address != asked {
            let other = self.sources.of(&self.identity(&address));
            if other.number != source.number {
                source.set_fate(LoadState::Elsewhere(other.number));
                if let Some(version) = self.importer(&source) {
                    other.note_importer(version);
                }
                if let Some(option) = source.option() {
                    other.give(option);
                }
                if !other.is_new() {
                    return;
                }
                source = other;
            }
        }
        self.make((&address, &source), bytes, language, jobs);
        // Other importers may have requested the source in the meantime.
        self.read_again(&address, &source, jobs);
    }

    /// Creates a unit from bytes.
    fn make<'s>(
        self: &'s Arc<Self>,
        (address, source): (&Address, &Arc<SourceState>),
        bytes: Vec<u8>,
        language: Option<&'static Language>,
        jobs: &Jobs<'_, 's>,
    ) {
        let session = &self.session;
        let version = self.importer(source);
        let is_entry = source.number == self.entry_source.number;
        let is_shown = |text: &str| is_entry && self.shows_entry || session.is_template(&source.identity, text);
        if let Some(unit) = session.remembered(&source.identity, &bytes, (version, source.option()))
            && unit.source.is_shown() == is_shown(unit.source.text())
            && session.has_same_language(address, &unit, language)
        {
            self.take(address, source, &unit, jobs);
            return;
        }
        let mut written = self.written(address, bytes);
        let is_shown = is_shown(written.source.text());
        written.source = written.source.shown(is_shown);
        self.make_of((address, source), written, language, jobs);
    }

    /// Creates a unit from decoded text.
    fn make_of<'s>(
        self: &'s Arc<Self>,
        (address, source): (&Address, &Arc<SourceState>),
        mut written: DecodedSource,
        language: Option<&'static Language>,
        jobs: &Jobs<'_, 's>,
    ) {
        if source.number != self.entry_source.number && self.budget.is_exceeded() {
            return;
        }
        let session = &self.session;
        let version = self.importer(source);
        let spoken = session.language_of(address, written.source.text(), language);
        let option = source.option();
        let surroundings = ReadContext { option, ..session.surroundings_of(spoken, address, version) };
        if let Jobs::Queue(queue) = jobs {
            let text = written.source.text();
            let is_little = (surroundings.packed(text).is_some() || queue.takes(text.len()))
                && session.syntax_of(address, written.source.text()).is_none()
                && written.read_document(&surroundings).is_shallow();
            if !is_little {
                let (address, source) = (address.clone(), source.clone());
                queue.put_off(Job::Make { address, source, written: Box::new(written), language, stamp: None });
                return;
            }
        }
        let written = self.with_document(written, address, &surroundings);
        let mut number = 0;
        let mut on_import = |version: LanguageVersion, request: &ImportRequest| {
            let importer = Importer { address: address.clone(), language: spoken.language, version, number: 0 };
            self.follow(source, &importer, number, request.clone(), jobs);
            number += 1;
        };
        let unit = Arc::new(read_unit(&surroundings, written, None, &mut on_import));
        self.count_repairs(source, &unit);
        source.set_fate(LoadState::Unit(session.remember(&source.identity, unit)));
    }

    /// Decodes bytes to text.
    fn written(&self, address: &Address, bytes: Vec<u8>) -> DecodedSource {
        let id = self.session.next_source(bytes.len());
        let (text, others, problem) = crate::ard::decode_keeping(id, bytes);
        let bytes = others.map_or(Bytes::Text, |others| Bytes::Others(others.into()));
        let source = Source::new(id, address.display_name(Some(&self.directory)), text);
        DecodedSource { source, bytes, diagnostics: problem.into_iter().collect(), document: None }
    }

    /// Adds the raw data to decoded text, if the source has a syntax other than YAML.
    fn with_document(
        &self,
        mut written: DecodedSource,
        address: &Address,
        surroundings: &ReadContext<'_>,
    ) -> DecodedSource {
        if written.document.is_some() {
            return written;
        }
        let Some(syntax) = self.session.syntax_of(address, written.source.text()) else { return written };
        let reading = (surroundings.interner, surroundings.options);
        let is_cut = !written.diagnostics.is_empty();
        let library =
            AuxiliarySources { loading: self, language: surroundings.language, document: network_source(address) };
        let mut input = Input::new(&written.source, address, reading, is_cut, &library);
        let (document, problems) = syntax.read(&mut input);
        let dependencies = input.into_dependencies();
        written.diagnostics.extend(problems);
        written.document = Some((document, dependencies));
        written
    }

    /// Records that a source can't be read.
    fn fail(&self, address: &Address, source: &SourceState, error: ReadError, is_entry: bool) {
        self.has_failed.store(true, Ordering::Release);
        let mut error = error;
        let rest = match &mut error {
            ReadError::Found(findings) if !findings.is_empty() => findings.split_off(1),
            _ => Vec::new(),
        };
        source.add_findings(rest);
        // The problem may have been found before, when the whole archive was verified.
        if let ReadError::Found(first) = &error {
            source.state().findings.retain(|finding| !first.contains(finding));
        }
        let fate = if is_entry || source.option().is_some() {
            let name = |address: &Address| address.display_name(Some(&self.directory));
            let version = LanguageVersion::LAST;
            let found = match &error {
                ReadError::Found(findings) => findings.first(),
                _ => None,
            };
            let mut unit = match found.map(|finding| &finding.place) {
                Some(place) => self.session.blank(name(&place.address), place.text.clone(), version),
                None => self.session.blank(name(address), SharedText::default(), version),
            };
            let problem = found.map_or_else(|| unreadable(unit.id, &error), |found| diagnostic(unit.id, found));
            unit.diagnostics.push(problem);
            LoadState::Unit(Arc::new(unit))
        } else {
            LoadState::Failed(error, address.clone())
        };
        source.set_fate(fate);
    }

    fn follow<'s>(
        self: &'s Arc<Self>,
        source: &Arc<SourceState>,
        importer: &Importer,
        number: usize,
        request: ImportRequest,
        jobs: &Jobs<'_, 's>,
    ) {
        let importer = Importer { number, ..importer.clone() };
        jobs.add(self, Job::Import { source: source.clone(), importer, number, request });
    }
}

/// Access to auxiliary sources, for a syntax that creates its data from several sources.
struct AuxiliarySources<'a> {
    loading: &'a Loading,
    language: &'static Language,
    /// The address of the including source, if it is on the network.
    document: Option<Address>,
}

impl IncludeSources for AuxiliarySources<'_> {
    fn resolve(&self, importer: &Address, reference: &str) -> Result<Address, InputError> {
        let target = ImportTarget::Url { url: reference.to_owned(), repository: None };
        let (address, version) = (importer.clone(), LanguageVersion::LAST);
        let importer = Importer { address, language: self.language, version, number: 0 };
        let behalf = network_source(&importer.address).or_else(|| self.document.clone());
        on_behalf_of(behalf, || self.loading.resolve(&importer, &target)).map(|(address, _)| address)
    }

    fn read(&self, address: &Address) -> SourceDependency {
        let fetch = || self.loading.session.fetch(address);
        let fetched = match on_behalf_of(self.document.clone(), fetch) {
            Ok(fetched) => fetched,
            Err(error) => {
                let name = address.display_name(Some(&self.loading.directory));
                let message = format!("can't read `{name}`: {error}");
                let refusal = InputError { rule: error.rule(), message, help: error.help().map(Help::from) };
                return SourceDependency::new(address.clone(), Err(refusal), None);
            }
        };
        let DecodedSource { source, bytes, diagnostics, .. } = self.loading.written(&fetched.address, fetched.bytes);
        let is_shown = self.loading.session.is_template(&self.loading.identity(&fetched.address), source.text());
        let source = source.shown(is_shown);
        let other = match diagnostics.into_iter().next() {
            None => Ok(Arc::new(IncludedSource { source: Arc::new(source), address: fetched.address })),
            Some(problem) => {
                let message = format!("`{}` can't be read: {}", source.name(), problem.message);
                Err(InputError { rule: problem.rule, message, help: problem.help.into_iter().next().map(Help::from) })
            }
        };
        SourceDependency::new(address.clone(), other, Some(bytes))
    }

    fn list(&self, directory: &Address) -> Option<Vec<String>> {
        list_directory(self.loading.session.providers(), directory)
    }
}

/// Converts a provider's finding to a problem in its source.
fn diagnostic(source: SourceId, finding: &SourceProblem) -> Diagnostic {
    let (start, end) = finding.place.range;
    let diagnostic = Diagnostic::new(finding.rule, Span { source, start, end }, finding.message.clone());
    match &finding.help {
        Some(help) => diagnostic.with_help(help.clone()),
        None => diagnostic,
    }
}
