//! Following imports: every source once, all at the same time.
//!
//! Sources are read on the threads of rayon's pool: a job reads one source and spawns a job for each import as soon as
//! it has seen it. Reading from slow places (the network) would block a thread that has better things to do, so it
//! happens on threads of their own; when no other work is left, the loader waits for them.
//!
//! What comes first depends on the threads; what comes out does not: the units of the program are put in the order in
//! which they are met going through imports from the entry on.

use std::collections::VecDeque;
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
use crate::phase::{Link, Program, Unit, Units};
use crate::rules;
use crate::session::Session;
use crate::source::{Address, ImportTarget, Provider, ReadError, Source, candidates};

/// Where a program starts, and what is given to it.
#[derive(Clone, Debug)]
pub struct Entry {
    address: Address,
    text: Option<Vec<u8>>,
    inputs: Vec<Inputs>,
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
        Self { address, text: None, inputs: Vec::new() }
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

/// Reads an entry and everything it imports.
pub(crate) fn load(session: &Arc<Session>, mut entry: Entry) -> Program<Read> {
    let inputs = std::mem::take(&mut entry.inputs);
    let (sender, receiver) = mpsc::channel();
    let entry_identity = session.identity(&entry.address);
    let loading = Arc::new(Loading {
        session: session.clone(),
        directory: session.directory(),
        root: entry.address.directory(),
        entry: entry.address.clone(),
        outcomes: DashMap::default(),
        resolved: DashMap::default(),
        waiting: AtomicUsize::new(0),
        sender: Mutex::new(sender),
    });
    let mut ready = vec![Job::Entry(entry, entry_identity.clone())];
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
    loading.program(&entry_identity, inputs)
}

/// What is known while a program is loaded. Sources go by their identities.
struct Loading {
    session: Arc<Session>,
    directory: PathBuf,
    root: Address,
    entry: Address,
    outcomes: DashMap<Address, Outcome, FxBuildHasher>,
    /// The source that each import of each source leads to.
    resolved: DashMap<(Address, usize), Result<Address, Failure>, FxBuildHasher>,
    /// How many slow readings have not been taken up yet.
    waiting: AtomicUsize,
    sender: Mutex<mpsc::Sender<Fetched>>,
}

enum Outcome {
    Pending,
    Unit(Arc<Unit>),
    Failed(ReadError, Address),
}

/// Why an import leads nowhere.
struct Failure {
    message: String,
    help: Option<String>,
}

enum Job {
    Entry(Entry, Address),
    Import { importer: Address, identity: Address, number: usize, request: ImportRequest },
    Fetched(Fetched),
}

struct Fetched {
    address: Address,
    identity: Address,
    bytes: Result<Vec<u8>, ReadError>,
}

impl Loading {
    fn run<'s>(self: &'s Arc<Self>, job: Job, scope: &rayon::Scope<'s>) {
        match job {
            Job::Entry(entry, identity) => {
                self.outcomes.insert(identity.clone(), Outcome::Pending);
                let bytes = match entry.text {
                    Some(text) => Ok(text),
                    None => match self.session.provider(&entry.address) {
                        Some(provider) => provider.read(&entry.address, self.session.limits.bytes),
                        None => Err(ReadError::no_provider(&entry.address)),
                    },
                };
                self.take_up(Fetched { address: entry.address, identity, bytes }, true, scope);
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
                .map_err(|error| Failure { message: error.to_string(), help: error.help() })?,
        };
        let exists =
            |address: &&Address| self.session.provider(address).is_some_and(|provider| provider.exists(address));
        let address = match &candidates[..] {
            [only] => Some(only),
            several => several.iter().find(exists).or(several.first()),
        };
        match address {
            Some(address) => Ok((address.clone(), self.session.identity(address))),
            None => Err(Failure { message: "the import leads nowhere".to_owned(), help: None }),
        }
    }

    fn profile(&self, name: &str) -> Result<Address, Failure> {
        self.session.profile(name, &self.entry).ok_or_else(|| {
            let names = self.session.profile_names(&self.entry);
            let help = match nearest(name, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "put a file that says `profile: …` beside the entry file, or name its folder as a profile path"
                    .to_owned(),
            };
            Failure { message: format!("profile `{name}` is not known"), help: Some(help) }
        })
    }

    /// Reads a source unless another import has asked for it.
    fn read<'s>(self: &'s Arc<Self>, address: &Address, identity: &Address, scope: &rayon::Scope<'s>) {
        match self.outcomes.entry(identity.clone()) {
            MapEntry::Occupied(_) => return,
            MapEntry::Vacant(vacant) => drop(vacant.insert(Outcome::Pending)),
        }
        let fetched = |bytes| Fetched { address: address.clone(), identity: identity.clone(), bytes };
        let limit = self.session.limits.bytes;
        match self.session.provider(address) {
            None => self.take_up(fetched(Err(ReadError::no_provider(address))), false, scope),
            Some(provider) if provider.is_slow(address) => self.fetch(provider.clone(), address, identity),
            Some(provider) => self.take_up(fetched(provider.read(address, limit)), false, scope),
        }
    }

    /// Reads on a thread of its own.
    fn fetch(self: &Arc<Self>, provider: Arc<dyn Provider>, address: &Address, identity: &Address) {
        self.waiting.fetch_add(1, Ordering::AcqRel);
        let Ok(sender) = self.sender.lock().map(|sender| sender.clone()) else { return };
        let (address, identity) = (address.clone(), identity.clone());
        let limit = self.session.limits.bytes;
        self.session.run_slowly(move || {
            // Whatever the provider does, the loader must hear of it, or it would wait for ever.
            let reading = std::panic::AssertUnwindSafe(|| provider.read(&address, limit));
            let bytes = std::panic::catch_unwind(reading)
                .unwrap_or_else(|_| Err(ReadError::Io("its provider failed".to_owned())));
            let _ = sender.send(Fetched { address, identity, bytes });
        });
    }

    /// Makes a unit of what has been read.
    fn take_up<'s>(self: &'s Arc<Self>, fetched: Fetched, is_entry: bool, scope: &rayon::Scope<'s>) {
        let Fetched { address, identity, bytes } = fetched;
        let (bytes, mut failed) = match bytes {
            Ok(bytes) => (bytes, None),
            Err(error) if is_entry => (Vec::new(), Some(error)),
            Err(error) => {
                self.outcomes.insert(identity, Outcome::Failed(error, address));
                return;
            }
        };
        let session = &self.session;
        if let Some(unit) = session.remembered(&identity, &bytes).filter(|_| failed.is_none()) {
            self.outcomes.insert(identity.clone(), Outcome::Unit(unit.clone()));
            self.follow_all(&address, &identity, &unit, scope);
            return;
        }
        let id = session.next_source(bytes.len());
        let (text, problem) = crate::ard::decode(id, bytes);
        let mut diagnostics: Vec<Diagnostic> = problem.into_iter().collect();
        diagnostics.extend(failed.take().map(|error| unreadable(id, &error)));
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
        let bytes = match self.session.provider(&address) {
            Some(provider) => provider.read(&address, self.session.limits.bytes),
            None => Err(ReadError::no_provider(&address)),
        };
        self.session.read_data(address.display_name(Some(&self.directory)), bytes, version)
    }

    /// Puts the units in order.
    fn program(&self, entry: &Address, inputs: Vec<Inputs>) -> Program<Read> {
        let session = &self.session;
        let mut order: FxHashMap<Address, usize> = FxHashMap::default();
        let mut list: Vec<Arc<Unit>> = Vec::new();
        let mut links: Vec<Vec<Link>> = Vec::new();
        let mut read = Read::default();
        let mut queue = VecDeque::from([entry.clone()]);
        if let Some(unit) = self.unit(entry) {
            order.insert(entry.clone(), 0);
            list.push(unit);
        }
        while let Some(identity) = queue.pop_front() {
            let unit = list[links.len()].clone();
            let (mut of_unit, mut failed) = (Vec::new(), Vec::new());
            for (number, request) in unit.imports.iter().enumerate() {
                let target = self.resolved.get(&(identity.clone(), number));
                let target = target.as_deref();
                let found = match target {
                    Some(Ok(target)) => order.get(target).copied().or_else(|| {
                        let unit = self.unit(target)?;
                        order.insert(target.clone(), list.len());
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
        links.resize_with(list.len(), Vec::new);
        implicit.resize_with(list.len(), Vec::new);
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
        };
        read.diagnostics.extend(loops::report(&units));
        Program { units: Arc::new(units), stage: read }
    }

    fn unit(&self, identity: &Address) -> Option<Arc<Unit>> {
        match &*self.outcomes.get(identity)? {
            Outcome::Unit(unit) => Some(unit.clone()),
            Outcome::Pending | Outcome::Failed(..) => None,
        }
    }

    fn failure(
        &self,
        unit: &Unit,
        request: &ImportRequest,
        target: Option<&Result<Address, Failure>>,
    ) -> Option<Diagnostic> {
        let span = unit.document.node(request.node).span();
        let wanted = request.target.as_ref()?;
        Some(match target {
            Some(Err(failure)) => {
                let rule = match wanted {
                    ImportTarget::Profile(_) => &rules::UNKNOWN_PROFILE,
                    ImportTarget::Url { .. } => &rules::INVALID_IMPORT,
                };
                let diagnostic = Diagnostic::new(rule, span, failure.message.clone());
                match &failure.help {
                    Some(help) => diagnostic.with_help(help.clone()),
                    None => diagnostic,
                }
            }
            Some(Ok(target)) => match self.outcomes.get(target).as_deref() {
                Some(Outcome::Failed(error, address)) => {
                    let name = address.display_name(Some(&self.directory));
                    let message = format!("can't read `{name}`: {error}");
                    let mut diagnostic = Diagnostic::new(rule(error), span, message);
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

fn rule(error: &ReadError) -> &'static Rule {
    match error {
        ReadError::NotFound => &rules::NOT_FOUND,
        ReadError::TooLarge { .. } => &rules::SOURCE_TOO_LARGE,
        _ => &rules::UNREADABLE,
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
    Diagnostic::new(rule(error), Span { source, start: 0, end: 0 }, format!("can't read the file: {error}"))
}
