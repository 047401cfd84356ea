//! Following imports: every source once, all at the same time.
//!
//! Sources are read on the threads of rayon's pool: a job reads one source and spawns a job for each import as soon as
//! it has seen it. Reading from slow places (the network) would block a thread that has better things to do, so it
//! happens on threads of their own; when no other work is left, the loader waits for them.
//!
//! What comes first depends on the threads; what comes out does not: the units of the program are put in the order in
//! which they are met going through imports from the entry on.

mod budget;
mod copies;
mod entry;
mod loops;
mod order;
mod target;

pub use entry::Entry;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use dashmap::mapref::entry::Entry as MapEntry;
use dashmap::{DashMap, DashSet};
use rustc_hash::FxBuildHasher;

use crate::diagnostic::{Diagnostic, SourceId, Span};
use crate::entity::{Language, LanguageVersion};
use crate::phase::read::{ImportRequest, Read, Surroundings, Written, read_unit, unreadable};
use crate::phase::{Program, Unit};
use crate::session::Session;
use crate::source::{Address, Fetched, Finding, ImportTarget, Provider, ReadError, Source};
use crate::syntax::{Bytes, Ingredient, Input, Other, Others, Refusal};

use budget::Budget;
use entry::Watcher;

/// Reads an entry and everything it imports.
pub(crate) fn load(session: &Arc<Session>, mut entry: Entry) -> Program<Read> {
    let inputs = std::mem::take(&mut entry.inputs);
    let (sender, receiver) = mpsc::channel();
    let fetched = match entry.text.take() {
        Some(bytes) => Ok(Fetched::new(entry.address.clone(), bytes)),
        None => session.fetch(&entry.address),
    };
    let address = fetched.as_ref().map_or(&entry.address, |fetched| &fetched.address).clone();
    let bounds = fetched.as_ref().ok().and_then(|fetched| fetched.root.clone());
    let root = bounds.clone().unwrap_or_else(|| address.directory());
    let (asked, entry_identity) = (session.identity(&entry.address), session.identity(&address));
    let loading = Arc::new(Loading {
        session: session.clone(),
        directory: session.directory(),
        packed: bounds.as_ref().map(|root| session.identity(root)),
        bounds: bounds.or_else(|| session.sandbox.then(|| root.clone())).map(|root| session.identity(&root)),
        root,
        entry: address.clone(),
        entry_identity: entry_identity.clone(),
        importers: DashMap::default(),
        findings: DashMap::default(),
        fates: DashMap::default(),
        resolved: DashMap::default(),
        nowhere: DashSet::default(),
        waiting: AtomicUsize::new(0),
        budget: Budget::new(session.imports),
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
        loading.findings.insert(asked.clone(), provider.verify(&entry.address, &mut progress));
    }
    let entry = Arrival { language: None, address, identity: entry_identity.clone(), fetched };
    let mut ready = vec![Job::Entry(entry)];
    loop {
        let loading = &loading;
        rayon::scope(|scope| {
            for job in ready.drain(..) {
                scope.spawn(move |scope| loading.run(job, scope));
            }
        });
        if loading.waiting.load(Ordering::Acquire) == 0 {
            break;
        }
        let arrived = match loading.budget.left() {
            Some(left) => receiver.recv_timeout(left).map_err(|_| loading.budget.run_out_of_time()),
            None => receiver.recv().map_err(drop),
        };
        let Ok(fetched) = arrived.and_then(|fetched| if loading.budget.is_exceeded() { Err(()) } else { Ok(fetched) })
        else {
            break;
        };
        ready.push(Job::Fetched(fetched));
        ready.extend(receiver.try_iter().map(Job::Fetched));
    }
    loading.program(&asked, &entry_identity, inputs)
}

/// What is known while a program is loaded. Sources go by their identities.
struct Loading {
    session: Arc<Session>,
    directory: PathBuf,
    root: Address,
    entry: Address,
    entry_identity: Address,
    /// The earliest version of the sources that import a source, in which it is read if it does not say its own.
    importers: DashMap<Address, LanguageVersion, FxBuildHasher>,
    /// The root of the archive in which the entry is.
    packed: Option<Address>,
    /// What imports by path must not leave.
    bounds: Option<Address>,
    fates: DashMap<Address, Fate, FxBuildHasher>,
    /// What providers have found besides.
    findings: DashMap<Address, Vec<Finding>, FxBuildHasher>,
    /// The source that each import of each source leads to.
    resolved: DashMap<(Address, usize), Result<Address, Refusal>, FxBuildHasher>,
    /// The names that no source has been found for, which will be reported where they are looked up.
    nowhere: DashSet<(Address, usize), FxBuildHasher>,
    /// How many slow readings have not been taken up yet.
    waiting: AtomicUsize,
    sender: Mutex<mpsc::Sender<Arrival>>,
    budget: Budget,
}

/// What has become of an address.
enum Fate {
    Pending,
    Unit(Arc<Unit>),
    /// The address stands for a source that has another one.
    Elsewhere(Address),
    Failed(ReadError, Address),
}

enum Job {
    Entry(Arrival),
    Import { importer: Importer, number: usize, request: ImportRequest },
    Fetched(Arrival),
}

/// A source that imports.
#[derive(Clone)]
struct Importer {
    address: Address,
    identity: Address,
    language: &'static Language,
    version: LanguageVersion,
}

/// What has come of reading an address.
struct Arrival {
    /// The language of who has asked for it.
    language: Option<&'static Language>,
    address: Address,
    identity: Address,
    fetched: Result<Fetched, ReadError>,
}

impl Loading {
    fn run<'s>(self: &'s Arc<Self>, job: Job, scope: &rayon::Scope<'s>) {
        match job {
            Job::Entry(entry) => {
                self.fates.insert(entry.identity.clone(), Fate::Pending);
                self.take_up(entry, true, scope);
            }
            Job::Import { importer, number, request } => self.import(&importer, number, &request, scope),
            Job::Fetched(fetched) => {
                self.waiting.fetch_sub(1, Ordering::AcqRel);
                self.take_up(fetched, false, scope);
            }
        }
    }

    /// Finds out where an import leads, and reads what is there.
    fn import<'s>(
        self: &'s Arc<Self>,
        importer: &Importer,
        number: usize,
        request: &ImportRequest,
        scope: &rayon::Scope<'s>,
    ) {
        let key = (importer.identity.clone(), number);
        let target = match &request.target {
            None => return,
            Some(ImportTarget::Profile(name)) if request.is_reference => match self.find(importer, name) {
                Some(address) => Ok((address.clone(), self.session.identity(&address))),
                None => {
                    self.nowhere.insert(key);
                    return;
                }
            },
            Some(target) => self.resolve(importer, target),
        };
        if let Ok((address, target)) = &target {
            self.note_importer(target, importer.version);
            self.read(address, target, importer.language, scope);
        }
        self.resolved.insert(key, target.map(|(_, identity)| identity));
    }

    /// Reads a source unless another import has asked for it.
    fn read<'s>(
        self: &'s Arc<Self>,
        address: &Address,
        identity: &Address,
        language: &'static Language,
        scope: &rayon::Scope<'s>,
    ) {
        match self.fates.entry(identity.clone()) {
            MapEntry::Occupied(known) => {
                drop(known);
                self.read_again(address, identity, scope);
                return;
            }
            MapEntry::Vacant(vacant) => drop(vacant.insert(Fate::Pending)),
        }
        if !self.budget.admits(address) {
            return;
        }
        if let Some(provider) = self.session.provider(address).filter(|provider| provider.is_slow(address)) {
            self.fetch(provider.clone(), address, identity, language);
            return;
        }
        let stamp = self.session.stamp(address);
        if let Some(unit) = self.session.unchanged(identity, stamp, self.importer(identity))
            && std::ptr::eq(
                self.session.language_of(address, unit.source.text(), Some(language)).language,
                unit.language,
            )
        {
            if self.budget.takes(unit.source.text().len()) {
                self.take(address, identity, &unit, scope);
            }
            self.read_again(address, identity, scope);
            return;
        }
        let fetched = self.session.fetch_at_most(address, self.budget.most(self.session.limits.bytes));
        let language = Some(language);
        self.take_up(Arrival { language, address: address.clone(), identity: identity.clone(), fetched }, false, scope);
        if let Some(unit) = self.unit(identity) {
            self.session.remember_stamp(identity, stamp, &unit);
        }
    }

    /// Takes a unit that has been made before.
    fn take<'s>(
        self: &'s Arc<Self>,
        address: &Address,
        identity: &Address,
        unit: &Arc<Unit>,
        scope: &rayon::Scope<'s>,
    ) {
        let (address, identity) = (address.clone(), identity.clone());
        self.fates.insert(identity.clone(), Fate::Unit(unit.clone()));
        self.follow_all(&Importer { address, identity, language: unit.language, version: unit.version }, unit, scope);
    }

    /// Notes the version of a source that imports another one.
    fn note_importer(&self, identity: &Address, version: LanguageVersion) {
        let earliest = |known: &mut LanguageVersion| *known = version.min(*known);
        self.importers.entry(identity.clone()).and_modify(earliest).or_insert(version);
    }

    /// The earliest version of the sources that import a source, as far as they are known; nothing for the entry.
    fn importer(&self, identity: &Address) -> Option<LanguageVersion> {
        if *identity == self.entry_identity {
            return None;
        }
        self.importers.get(identity).map(|version| *version)
    }

    /// Reads a source that does not say its version as one of an earlier version, if it is imported by such a one.
    fn read_again<'s>(self: &'s Arc<Self>, address: &Address, identity: &Address, scope: &rayon::Scope<'s>) {
        let Some(unit) = self.unit(identity) else { return };
        let importer = self.importer(identity);
        if unit.borrowed.is_some_and(|known| known != importer) {
            let bytes = unit.source.text().as_bytes().to_vec();
            self.make((address, identity), bytes, Some(unit.language), scope);
        }
    }

    /// Reads on a thread of its own.
    fn fetch(
        self: &Arc<Self>,
        provider: Arc<dyn Provider>,
        address: &Address,
        identity: &Address,
        language: &'static Language,
    ) {
        self.waiting.fetch_add(1, Ordering::AcqRel);
        let Ok(sender) = self.sender.lock().map(|sender| sender.clone()) else { return };
        let (address, identity) = (address.clone(), identity.clone());
        let limit = self.budget.most(self.session.limits.bytes);
        self.session.run_slowly(move || {
            // Whatever the provider does, the loader must hear of it, or it would wait for ever.
            let reading = std::panic::AssertUnwindSafe(|| provider.fetch(&address, limit));
            let fetched = std::panic::catch_unwind(reading)
                .unwrap_or_else(|_| Err(ReadError::Io("its provider failed".to_owned())));
            let _ = sender.send(Arrival { language: Some(language), address, identity, fetched });
        });
    }

    /// Makes a unit of what has been read.
    fn take_up<'s>(self: &'s Arc<Self>, arrival: Arrival, is_entry: bool, scope: &rayon::Scope<'s>) {
        let Arrival { language, address: asked, mut identity, fetched } = arrival;
        let Fetched { address, bytes, findings, .. } = match fetched {
            Ok(fetched) if !is_entry && self.got_out(&identity, &fetched) => {
                let error = ReadError::Io("it has become a link to something outside".to_owned());
                self.fail(&asked, identity, error, is_entry);
                return;
            }
            Ok(fetched) if is_entry || self.budget.takes(fetched.bytes.len()) => fetched,
            Ok(_) => return,
            Err(error) => {
                self.fail(&asked, identity, error, is_entry);
                return;
            }
        };
        if !findings.is_empty() {
            self.findings.entry(identity.clone()).or_default().extend(findings);
        }
        if address != asked {
            let other = self.session.identity(&address);
            if other != identity {
                let asked_identity = std::mem::replace(&mut identity, other.clone());
                self.fates.insert(asked_identity.clone(), Fate::Elsewhere(other));
                if let Some(version) = self.importer(&asked_identity) {
                    self.note_importer(&identity, version);
                }
                match self.fates.entry(identity.clone()) {
                    MapEntry::Occupied(_) => return,
                    MapEntry::Vacant(vacant) => drop(vacant.insert(Fate::Pending)),
                }
            }
        }
        self.make((&address, &identity), bytes, language, scope);
        // Meanwhile others may have asked for it.
        self.read_again(&address, &identity, scope);
    }

    /// Makes a unit of bytes.
    fn make<'s>(
        self: &'s Arc<Self>,
        (address, identity): (&Address, &Address),
        bytes: Vec<u8>,
        language: Option<&'static Language>,
        scope: &rayon::Scope<'s>,
    ) {
        let session = &self.session;
        let version = self.importer(identity);
        let importer = |language: &'static Language, version| {
            let (address, identity) = (address.clone(), identity.clone());
            Importer { address, identity, language, version }
        };
        if let Some(unit) = session.remembered(identity, &bytes, version)
            && std::ptr::eq(session.language_of(address, unit.source.text(), language).language, unit.language)
        {
            self.take(address, identity, &unit, scope);
            return;
        }
        let written = self.written(address, bytes);
        let spoken = session.language_of(address, written.source.text(), language);
        let surroundings = session.surroundings_of(spoken, address, version);
        let written = self.with_document(written, address, &surroundings);
        let mut number = 0;
        let mut on_import = |version: LanguageVersion, request: &ImportRequest| {
            self.follow(&importer(spoken.language, version), number, request.clone(), scope);
            number += 1;
        };
        let unit = Arc::new(read_unit(&surroundings, written, None, &mut on_import));
        let unit = session.remember(identity, unit);
        self.fates.insert(identity.clone(), Fate::Unit(unit));
    }

    /// The text of some bytes.
    fn written(&self, address: &Address, bytes: Vec<u8>) -> Written {
        let id = self.session.next_source(bytes.len());
        let (text, problem) = crate::ard::decode(id, &bytes);
        let bytes = Bytes::of(&text, bytes);
        let source = Source::new(id, address.display_name(Some(&self.directory)), text);
        Written { source, bytes, diagnostics: problem.into_iter().collect(), document: None }
    }

    /// The same with the raw data, if a syntax of its own makes that.
    fn with_document(&self, mut written: Written, address: &Address, surroundings: &Surroundings<'_>) -> Written {
        let Some(syntax) = self.session.syntax_of(address, written.source.text()) else { return written };
        let reading = (surroundings.interner, surroundings.options);
        let is_cut = !written.diagnostics.is_empty();
        let library = Beside { loading: self, language: surroundings.language };
        let mut input = Input::new(&written.source, address, reading, is_cut, &library);
        let (document, problems) = syntax.read(&mut input);
        let ingredients = input.into_ingredients();
        written.diagnostics.extend(problems);
        written.document = Some((document, ingredients));
        written
    }

    /// Notes that a source can't be read.
    fn fail(&self, address: &Address, identity: Address, error: ReadError, is_entry: bool) {
        let mut error = error;
        let rest = match &mut error {
            ReadError::Found(findings) if !findings.is_empty() => findings.split_off(1),
            _ => Vec::new(),
        };
        if !rest.is_empty() {
            self.findings.entry(identity.clone()).or_default().extend(rest);
        }
        // It may have been found before, where everything was read.
        if let (ReadError::Found(first), Some(mut findings)) = (&error, self.findings.get_mut(&identity)) {
            findings.retain(|finding| !first.contains(finding));
        }
        let fate = if is_entry {
            let name = |address: &Address| address.display_name(Some(&self.directory));
            let version = LanguageVersion::LAST;
            let found = match &error {
                ReadError::Found(findings) => findings.first(),
                _ => None,
            };
            let mut unit = match found.map(|finding| &finding.place) {
                Some(place) => self.session.blank(name(&place.address), place.text.clone(), version),
                None => self.session.blank(name(address), Arc::from(""), version),
            };
            let problem = found.map_or_else(|| unreadable(unit.id, &error), |found| diagnostic(unit.id, found));
            unit.diagnostics.push(problem);
            Fate::Unit(Arc::new(unit))
        } else {
            Fate::Failed(error, address.clone())
        };
        self.fates.insert(identity, fate);
    }

    fn follow_all<'s>(self: &'s Arc<Self>, importer: &Importer, unit: &Unit, scope: &rayon::Scope<'s>) {
        for (number, request) in unit.imports.iter().enumerate() {
            self.follow(importer, number, request.clone(), scope);
        }
    }

    fn follow<'s>(
        self: &'s Arc<Self>,
        importer: &Importer,
        number: usize,
        request: ImportRequest,
        scope: &rayon::Scope<'s>,
    ) {
        let job = Job::Import { importer: importer.clone(), number, request };
        scope.spawn(move |scope| self.run(job, scope));
    }

    fn unit(&self, identity: &Address) -> Option<Arc<Unit>> {
        match &*self.fates.get(identity)? {
            Fate::Unit(unit) => Some(unit.clone()),
            Fate::Pending | Fate::Elsewhere(_) | Fate::Failed(..) => None,
        }
    }

    /// The identity of the source that an address stands for.
    fn elsewhere(&self, identity: &Address) -> Address {
        match self.fates.get(identity).as_deref() {
            Some(Fate::Elsewhere(other)) => other.clone(),
            _ => identity.clone(),
        }
    }
}

/// What a source may read besides, for a syntax that makes its data of several.
struct Beside<'a> {
    loading: &'a Loading,
    language: &'static Language,
}

impl Others for Beside<'_> {
    fn resolve(&self, importer: &Address, reference: &str) -> Result<Address, Refusal> {
        let (address, identity) = (importer.clone(), importer.clone());
        let target = ImportTarget::Url { url: reference.to_owned(), repository: None };
        let importer = Importer { address, identity, language: self.language, version: LanguageVersion::LAST };
        self.loading.resolve(&importer, &target).map(|(address, _)| address)
    }

    fn read(&self, address: &Address) -> Ingredient {
        let fetched = match self.loading.session.fetch(address) {
            Ok(fetched) => fetched,
            Err(error) => {
                let name = address.display_name(Some(&self.loading.directory));
                let message = format!("can't read `{name}`: {error}");
                let refusal = Refusal { rule: error.rule(), message, help: error.help().map(str::to_owned) };
                return Ingredient::new(address.clone(), Err(refusal), None);
            }
        };
        let Written { source, bytes, diagnostics, .. } = self.loading.written(&fetched.address, fetched.bytes);
        let other = match diagnostics.into_iter().next() {
            None => Ok(Arc::new(Other { source: Arc::new(source), address: fetched.address })),
            Some(problem) => {
                let message = format!("`{}` can't be read: {}", source.name(), problem.message);
                Err(Refusal { rule: problem.rule, message, help: problem.help.into_iter().next() })
            }
        };
        Ingredient::new(address.clone(), other, Some(bytes))
    }
}

/// What a provider has found, as a problem of the source in which it is.
fn diagnostic(source: SourceId, finding: &Finding) -> Diagnostic {
    let (start, end) = finding.place.range;
    let diagnostic = Diagnostic::new(finding.rule, Span { source, start, end }, finding.message.clone());
    match &finding.help {
        Some(help) => diagnostic.with_help(help.clone()),
        None => diagnostic,
    }
}
