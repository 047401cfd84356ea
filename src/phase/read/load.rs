//! Following imports: every source once, all at the same time.
//!
//! Sources are read on the threads of rayon's pool: a job reads one source and spawns a job for each import as soon as
//! it has seen it. Reading from slow places (the network) would block a thread that has better things to do, so it
//! happens on threads of their own; when no other work is left, the loader waits for them.
//!
//! What comes first depends on the threads; what comes out does not: the units of the program are put in the order in
//! which they are met going through imports from the entry on.

use std::collections::VecDeque;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use dashmap::DashMap;
use dashmap::mapref::entry::Entry as MapEntry;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::unit::read_unit;
use super::{ImportRequest, Read, loops};
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{Diagnostic, Rule, SourceId, Span};
use crate::entity::{LanguageVersion, Position};
use crate::phase::{Link, Neighbours, Program, Unit, Units};
use crate::rules;
use crate::session::Session;
use crate::source::{Address, Fetched, Finding, ImportTarget, Provider, ReadError, Source, candidates};

/// Where a program starts, and what is given to it.
#[derive(Clone, Debug)]
pub struct Entry {
    address: Address,
    text: Option<Vec<u8>>,
    inputs: Vec<Inputs>,
    verifies: bool,
    watcher: Option<Watcher>,
}

/// Somebody who wants to know how far the reading of an archive has got.
#[derive(Clone)]
struct Watcher(Arc<dyn Fn(usize, usize) + Send + Sync>);

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}

/// Values for inputs.
#[derive(Clone, Debug)]
enum Inputs {
    Text(String, Vec<u8>),
    At(Address),
}

impl Entry {
    /// The source at an address.
    pub fn at(address: Address) -> Self {
        Self { address, text: None, inputs: Vec::new(), verifies: false, watcher: None }
    }

    /// A text, as if it stood at an address.
    pub fn text(address: Address, text: impl Into<Vec<u8>>) -> Self {
        Self { text: Some(text.into()), ..Self::at(address) }
    }

    /// Gives values to the inputs of the service: a text in YAML that is a map of names to values, and the name that
    /// it goes by in problems. Of several texts, later ones win.
    #[must_use]
    pub fn inputs(mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        self.inputs.push(Inputs::Text(name.into(), text.into()));
        self
    }

    /// The same, from the source at an address.
    #[must_use]
    pub fn inputs_at(mut self, address: Address) -> Self {
        self.inputs.push(Inputs::At(address));
        self
    }
}

impl Entry {
    /// Whether to read all that belongs to the entry, used or not: every file of an archive. False by default.
    #[must_use]
    pub fn verify(mut self, verify: bool) -> Self {
        self.verifies = verify;
        self
    }

    /// Calls a function while all that belongs to the entry is read: with how many files have been read, and how many
    /// there are.
    #[must_use]
    pub fn watch(mut self, watcher: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        self.watcher = Some(Watcher(Arc::new(watcher)));
        self
    }

    /// Where it is.
    pub fn address(&self) -> &Address {
        &self.address
    }
}

/// Reads an entry and everything it imports.
pub(crate) fn load(session: &Arc<Session>, mut entry: Entry) -> Program<Read> {
    let inputs = std::mem::take(&mut entry.inputs);
    let (sender, receiver) = mpsc::channel();
    let fetched = match entry.text.take() {
        Some(bytes) => Ok(Fetched { address: entry.address.clone(), bytes, root: None, findings: Vec::new() }),
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
        findings: DashMap::default(),
        outcomes: DashMap::default(),
        resolved: DashMap::default(),
        waiting: AtomicUsize::new(0),
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
    let entry = Arrival { address, identity: entry_identity.clone(), fetched };
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
        let Ok(fetched) = receiver.recv() else { break };
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
    /// The root of the archive in which the entry is.
    packed: Option<Address>,
    /// What imports by path must not leave.
    bounds: Option<Address>,
    outcomes: DashMap<Address, Outcome, FxBuildHasher>,
    /// What providers have found besides.
    findings: DashMap<Address, Vec<Finding>, FxBuildHasher>,
    /// The source that each import of each source leads to.
    resolved: DashMap<(Address, usize), Result<Address, Failure>, FxBuildHasher>,
    /// How many slow readings have not been taken up yet.
    waiting: AtomicUsize,
    sender: Mutex<mpsc::Sender<Arrival>>,
}

enum Outcome {
    Pending,
    Unit(Arc<Unit>),
    /// The address stands for a source that has another one.
    Elsewhere(Address),
    Failed(ReadError, Address),
}

/// Why an import leads nowhere.
struct Failure {
    rule: &'static Rule,
    message: String,
    help: Option<String>,
}

enum Job {
    Entry(Arrival),
    Import { importer: Address, identity: Address, number: usize, request: ImportRequest },
    Fetched(Arrival),
}

/// What has come of reading an address.
struct Arrival {
    address: Address,
    identity: Address,
    fetched: Result<Fetched, ReadError>,
}

impl Loading {
    fn run<'s>(self: &'s Arc<Self>, job: Job, scope: &rayon::Scope<'s>) {
        match job {
            Job::Entry(entry) => {
                self.outcomes.insert(entry.identity.clone(), Outcome::Pending);
                self.take_up(entry, true, scope);
            }
            Job::Import { importer, identity, number, request } => {
                let Some(target) = &request.target else { return };
                let target = self.resolve(&importer, target);
                if let Ok((address, target)) = &target {
                    self.read(address, target, scope);
                }
                self.resolved.insert((identity, number), target.map(|(_, identity)| identity));
            }
            Job::Fetched(fetched) => {
                self.waiting.fetch_sub(1, Ordering::AcqRel);
                self.take_up(fetched, false, scope);
            }
        }
    }

    /// The address that an import leads to, and its identity.
    fn resolve(&self, importer: &Address, target: &ImportTarget) -> Result<(Address, Address), Failure> {
        let candidates = match target {
            ImportTarget::Profile(name) => vec![self.profile(name)?],
            ImportTarget::Url { url, repository } => candidates(importer, &self.root, url, repository.as_deref())
                .map_err(|error| Failure {
                    rule: &rules::INVALID_IMPORT,
                    message: error.to_string(),
                    help: error.help(),
                })?,
        };
        let mut outside = None;
        let mut first = None;
        for address in &candidates {
            let identity = self.session.identity(address);
            if matches!(target, ImportTarget::Url { .. }) && self.is_outside(&identity) {
                outside = outside.or(Some(address));
                continue;
            }
            let provider = self.session.provider(address);
            if candidates.len() == 1 || provider.is_some_and(|provider| provider.exists(address)) {
                return Ok((address.clone(), identity));
            }
            first = first.or(Some((address.clone(), identity)));
        }
        match (first, outside) {
            (_, Some(address)) => {
                let name = address.display_name(Some(&self.directory));
                Err(Failure {
                    rule: &rules::IMPORT_OUTSIDE,
                    message: format!("`{name}` is outside of what the template may import from"),
                    help: Some(self.inside()),
                })
            }
            (Some(first), None) => Ok(first),
            (None, None) => Err(Failure {
                rule: &rules::INVALID_IMPORT,
                message: "the import leads nowhere".to_owned(),
                help: None,
            }),
        }
    }

    /// Whether an import by path must not lead to a source.
    fn is_outside(&self, identity: &Address) -> bool {
        let Some(bounds) = &self.bounds else { return false };
        if !self.session.sandbox && identity.is_remote() {
            return false;
        }
        !identity.is_below(bounds) && !self.session.is_granted(identity)
    }

    /// What to do about an import that leads outside.
    fn inside(&self) -> String {
        let root = self.root.display_name(Some(&self.directory));
        format!("put the file into `{root}`, or import it as a profile")
    }

    fn profile(&self, name: &str) -> Result<Address, Failure> {
        self.session.profile(name, &self.entry).ok_or_else(|| {
            let names = self.session.profile_names(&self.entry);
            // The version follows after a colon. Another one of the same profile is likelier than another profile.
            let stem = |name: &str| name.rsplit_once(':').map_or(name, |(stem, _)| stem).to_owned();
            let other_version = names.iter().map(String::as_str).find(|known| stem(known) == stem(name));
            let help = match other_version.or_else(|| nearest(name, names.iter().map(String::as_str))) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "put a file that says `profile: …` beside the entry file, or name its folder as a profile path"
                    .to_owned(),
            };
            let message = format!("profile `{name}` is not known");
            Failure { rule: &rules::UNKNOWN_PROFILE, message, help: Some(help) }
        })
    }

    /// Reads a source unless another import has asked for it.
    fn read<'s>(self: &'s Arc<Self>, address: &Address, identity: &Address, scope: &rayon::Scope<'s>) {
        match self.outcomes.entry(identity.clone()) {
            MapEntry::Occupied(_) => return,
            MapEntry::Vacant(vacant) => drop(vacant.insert(Outcome::Pending)),
        }
        if let Some(provider) = self.session.provider(address).filter(|provider| provider.is_slow(address)) {
            self.fetch(provider.clone(), address, identity);
            return;
        }
        let fetched = self.session.fetch(address);
        self.take_up(Arrival { address: address.clone(), identity: identity.clone(), fetched }, false, scope);
    }

    /// Reads on a thread of its own.
    fn fetch(self: &Arc<Self>, provider: Arc<dyn Provider>, address: &Address, identity: &Address) {
        self.waiting.fetch_add(1, Ordering::AcqRel);
        let Ok(sender) = self.sender.lock().map(|sender| sender.clone()) else { return };
        let (address, identity) = (address.clone(), identity.clone());
        let limit = self.session.limits.bytes;
        self.session.run_slowly(move || {
            // Whatever the provider does, the loader must hear of it, or it would wait for ever.
            let reading = std::panic::AssertUnwindSafe(|| provider.fetch(&address, limit));
            let fetched = std::panic::catch_unwind(reading)
                .unwrap_or_else(|_| Err(ReadError::Io("its provider failed".to_owned())));
            let _ = sender.send(Arrival { address, identity, fetched });
        });
    }

    /// Makes a unit of what has been read.
    fn take_up<'s>(self: &'s Arc<Self>, arrival: Arrival, is_entry: bool, scope: &rayon::Scope<'s>) {
        let Arrival { address: asked, mut identity, fetched } = arrival;
        let Fetched { address, bytes, findings, .. } = match fetched {
            Ok(fetched) => fetched,
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
                self.outcomes.insert(std::mem::replace(&mut identity, other.clone()), Outcome::Elsewhere(other));
                match self.outcomes.entry(identity.clone()) {
                    MapEntry::Occupied(_) => return,
                    MapEntry::Vacant(vacant) => drop(vacant.insert(Outcome::Pending)),
                }
            }
        }
        let session = &self.session;
        if let Some(unit) = session.remembered(&identity, &bytes) {
            self.outcomes.insert(identity.clone(), Outcome::Unit(unit.clone()));
            self.follow_all(&address, &identity, &unit, scope);
            return;
        }
        let id = session.next_source(bytes.len());
        let (text, problem) = crate::ard::decode(id, bytes);
        let diagnostics: Vec<Diagnostic> = problem.into_iter().collect();
        let source = Source::new(id, address.display_name(Some(&self.directory)), text);
        let surroundings = session.surroundings_of(&address);
        let mut number = 0;
        let mut on_import = |request: &ImportRequest| {
            self.follow(&address, &identity, number, request.clone(), scope);
            number += 1;
        };
        let unit = Arc::new(read_unit(&surroundings, source, None, diagnostics, &mut on_import));
        let unit = session.remember(&identity, unit);
        self.outcomes.insert(identity, Outcome::Unit(unit));
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
        let outcome = if is_entry {
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
            Outcome::Unit(Arc::new(unit))
        } else {
            Outcome::Failed(error, address.clone())
        };
        self.outcomes.insert(identity, outcome);
    }

    fn follow_all<'s>(
        self: &'s Arc<Self>,
        address: &Address,
        identity: &Address,
        unit: &Unit,
        scope: &rayon::Scope<'s>,
    ) {
        for (number, request) in unit.imports.iter().enumerate() {
            self.follow(address, identity, number, request.clone(), scope);
        }
    }

    fn follow<'s>(
        self: &'s Arc<Self>,
        address: &Address,
        identity: &Address,
        number: usize,
        request: ImportRequest,
        scope: &rayon::Scope<'s>,
    ) {
        let job = Job::Import { importer: address.clone(), identity: identity.clone(), number, request };
        scope.spawn(move |scope| self.run(job, scope));
    }

    /// Reads values for inputs.
    fn read_inputs(&self, inputs: Inputs, version: LanguageVersion) -> Unit {
        let address = match inputs {
            Inputs::Text(name, text) => return self.session.read_data(name, Ok(text), version),
            Inputs::At(address) => address,
        };
        let bytes = self.session.fetch(&address).map(|fetched| fetched.bytes);
        self.session.read_data(address.display_name(Some(&self.directory)), bytes, version)
    }

    /// Puts the units in order.
    fn program(&self, asked: &Address, entry: &Address, inputs: Vec<Inputs>) -> Program<Read> {
        let session = &self.session;
        let mut order: FxHashMap<Address, usize> = FxHashMap::default();
        let mut list: Vec<Arc<Unit>> = Vec::new();
        let mut surroundings = Vec::new();
        let mut links: Vec<Vec<Link>> = Vec::new();
        let mut read = Read::default();
        let mut queue = VecDeque::from([entry.clone()]);
        let mut findings = self.take_findings(asked);
        findings.extend(self.take_findings(entry));
        if let Some(unit) = self.unit(entry) {
            order.insert(entry.clone(), 0);
            surroundings.push(self.surroundings(entry));
            list.push(unit);
        }
        while let Some(identity) = queue.pop_front() {
            let unit = list[links.len()].clone();
            let (mut of_unit, mut failed) = (Vec::new(), Vec::new());
            for (number, request) in unit.imports.iter().enumerate() {
                let target = self.resolved.get(&(identity.clone(), number));
                let target = target.as_deref();
                if let Some(Ok(target)) = target {
                    findings.extend(self.take_findings(target));
                }
                let elsewhere = target.and_then(|target| target.as_ref().ok()).map(|target| self.elsewhere(target));
                let found = match &elsewhere {
                    Some(target) => order.get(target).copied().or_else(|| {
                        let unit = self.unit(target)?;
                        order.insert(target.clone(), list.len());
                        surroundings.push(self.surroundings(target));
                        list.push(unit);
                        queue.push_back(target.clone());
                        Some(list.len() - 1)
                    }),
                    _ => None,
                };
                match found {
                    Some(found) => of_unit.push(Link { unit: found, prefix: request.prefix, import: number }),
                    None => {
                        failed.push(number);
                        read.diagnostics.extend(self.failure(&unit, request, target));
                    }
                }
            }
            links.push(of_unit);
            read.failed_imports.push(failed);
        }
        let mut implicit = session.add_implicit(&mut list, &mut links);
        let version = list.first().map_or(LanguageVersion::LAST, |unit| unit.version);
        let inputs: Vec<Position> = inputs
            .into_iter()
            .filter_map(|inputs| {
                let unit = Arc::new(self.read_inputs(inputs, version));
                let root = unit.document.root().map(|root| Position { unit: unit.id, node: root.id() });
                list.push(unit);
                root
            })
            .collect();
        self.add_findings(&findings, version, &mut list);
        links.resize_with(list.len(), Vec::new);
        implicit.resize_with(list.len(), Vec::new);
        surroundings.resize(list.len(), None);
        read.failed_imports.resize_with(list.len(), Vec::new);
        let index = list.iter().enumerate().map(|(index, unit)| (unit.id, index)).collect();
        let units = Units {
            list,
            links,
            implicit,
            interner: session.interner.clone(),
            inputs,
            quirks: session.quirks,
            functions: session.functions.clone(),
            index,
            surroundings,
        };
        read.diagnostics.extend(loops::report(&units));
        Program { units: Arc::new(units), stage: read }
    }

    /// What surrounds a source, if it is in an archive, or in a folder that is treated as one.
    fn surroundings(&self, identity: &Address) -> Option<Neighbours> {
        let own = identity.archive().map(|archive| archive.inside(""));
        let root = own.or_else(|| self.packed.clone().filter(|root| identity.is_below(root)))?;
        let provider = self.session.provider(identity)?.clone();
        Some(Neighbours { unit: identity.clone(), root, provider })
    }

    fn unit(&self, identity: &Address) -> Option<Arc<Unit>> {
        match &*self.outcomes.get(identity)? {
            Outcome::Unit(unit) => Some(unit.clone()),
            Outcome::Pending | Outcome::Elsewhere(_) | Outcome::Failed(..) => None,
        }
    }

    /// The identity of the source that an address stands for.
    fn elsewhere(&self, identity: &Address) -> Address {
        match self.outcomes.get(identity).as_deref() {
            Some(Outcome::Elsewhere(other)) => other.clone(),
            _ => identity.clone(),
        }
    }

    fn take_findings(&self, identity: &Address) -> Vec<Finding> {
        self.findings.remove(identity).map(|(_, findings)| findings).unwrap_or_default()
    }

    /// Adds the sources in which providers have found something.
    fn add_findings(&self, findings: &[Finding], version: LanguageVersion, list: &mut Vec<Arc<Unit>>) {
        let mut units: Vec<(Address, Unit)> = Vec::new();
        for (number, finding) in findings.iter().enumerate() {
            if findings[..number].contains(finding) {
                continue;
            }
            let place = &finding.place;
            let index = units.iter().position(|(address, _)| *address == place.address).unwrap_or_else(|| {
                let name = place.address.display_name(Some(&self.directory));
                units.push((place.address.clone(), self.session.blank(name, place.text.clone(), version)));
                units.len() - 1
            });
            let unit = &mut units[index].1;
            unit.diagnostics.push(diagnostic(unit.id, finding));
        }
        list.extend(units.into_iter().map(|(_, unit)| Arc::new(unit)));
    }

    fn failure(
        &self,
        unit: &Unit,
        request: &ImportRequest,
        target: Option<&Result<Address, Failure>>,
    ) -> Option<Diagnostic> {
        let span = unit.document.node(request.node).span();
        request.target.as_ref()?;
        Some(match target {
            Some(Err(failure)) => {
                let diagnostic = Diagnostic::new(failure.rule, span, failure.message.clone());
                match &failure.help {
                    Some(help) => diagnostic.with_help(help.clone()),
                    None => diagnostic,
                }
            }
            Some(Ok(target)) => match self.outcomes.get(target).as_deref() {
                Some(Outcome::Failed(error, address)) => {
                    let name = address.display_name(Some(&self.directory));
                    let message = format!("can't read `{name}`: {error}");
                    let mut diagnostic = Diagnostic::new(error.rule(), span, message);
                    if let Some(help) = error.help() {
                        diagnostic = diagnostic.with_help(help);
                    }
                    if let Some(help) = request.target.as_ref().and_then(|target| remedy(error, target)) {
                        diagnostic = diagnostic.with_help(help);
                    }
                    diagnostic.with_help("until it can be read, names that it may declare are not reported")
                }
                _ => Diagnostic::new(&rules::INVALID_IMPORT, span, "the import could not be read"),
            },
            None => Diagnostic::new(&rules::INVALID_IMPORT, span, "the import could not be followed"),
        })
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

/// What the author of an import can do about a source that can't be read.
fn remedy(error: &ReadError, target: &ImportTarget) -> Option<&'static str> {
    let ImportTarget::Url { url, repository } = target else { return None };
    let is_relative = repository.is_none() && !url.starts_with('/') && Address::parse(url).is_err();
    match error {
        ReadError::NotFound if is_relative => {
            Some("correct the path, which is relative to the file that imports, or add the file")
        }
        ReadError::NotFound => Some("correct the address, or add the file"),
        ReadError::NotAFile { what: "a directory" } => Some("name a file in it"),
        _ => None,
    }
}

/// A source that was asked for and can't be read.
pub(crate) fn unreadable(source: SourceId, error: &ReadError) -> Diagnostic {
    let start = Span { source, start: 0, end: 0 };
    let diagnostic = Diagnostic::new(error.rule(), start, format!("can't read the file: {error}"));
    match error.help() {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}
