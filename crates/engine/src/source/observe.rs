//! Records the files on which the result of a parse depends.
//!
//! Only the loader and the checks of the files around a source access the file system. The loader sets the current
//! observer for each of its jobs, because jobs run on several threads. Whatever can't be observed, such as the network,
//! makes the record incomplete, so that nobody relies on it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use dashmap::DashMap;

use super::{Address, FetchedSource, Provider, ReadError, Stamp};

thread_local! {
    static CURRENT: RefCell<Option<Arc<Observer>>> = const { RefCell::new(None) };
}

/// The size and the hash of a file's content.
///
/// Contents are compared one to one, so 128 bits of `SipHash` suffice against accidents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Digest(u64, u64, u64);

impl Digest {
    /// Returns the digest of some content.
    pub fn of(bytes: &[u8]) -> Self {
        let hash = |seed: u8| {
            let mut hasher = DefaultHasher::new();
            hasher.write_u8(seed);
            hasher.write(bytes);
            hasher.finish()
        };
        Self(bytes.len() as u64, hash(0), hash(1))
    }
}

/// The hash in hexadecimal digits.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.1, self.2)
    }
}

/// The digests of all files that the parses of a run have read; `None` for a file that has changed during the run.
pub type Digests = Arc<DashMap<PathBuf, Option<Digest>>>;

/// The record of one parse.
#[derive(Debug, Default)]
pub struct Observer {
    digests: Digests,
    seen: Mutex<Observations>,
}

/// The files on which the result of a parse depends.
#[derive(Clone, Debug, Default)]
pub struct Observations {
    /// The files that were read.
    pub read: BTreeSet<PathBuf>,
    /// The paths at which a file was looked for, and whether there is one.
    pub sought: BTreeMap<PathBuf, bool>,
    /// The folders whose files were searched for names, without subfolders.
    pub searched: BTreeSet<PathBuf>,
    /// Whether the result also depends on something else.
    pub is_incomplete: bool,
}

impl Observer {
    /// Creates an observer that shares digests with the others of a run.
    pub fn new(digests: Digests) -> Self {
        Self { digests, seen: Mutex::default() }
    }

    /// Returns the record.
    pub fn observations(&self) -> Observations {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, add: impl FnOnce(&mut Observations)) {
        add(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn note_content(&self, path: PathBuf, bytes: &[u8]) {
        let digest = Digest::of(bytes);
        let mut known = self.digests.entry(path.clone()).or_insert(Some(digest));
        if *known != Some(digest) {
            *known = None;
        }
        drop(known);
        self.note(|seen| _ = seen.read.insert(path));
    }
}

/// Runs `work` and records its accesses to files.
pub(crate) fn observed_by<T>(observer: Option<&Arc<Observer>>, work: impl FnOnce() -> T) -> T {
    struct Restore(Option<Arc<Observer>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let Some(observer) = observer else { return work() };
    let _restore = Restore(CURRENT.replace(Some(observer.clone())));
    work()
}

fn with(note: impl FnOnce(&Observer)) {
    CURRENT.with_borrow(|observer| observer.as_deref().map(note));
}

/// Records that the result depends on something that is not recorded.
pub(crate) fn note_unknown() {
    with(|observer| observer.note(|seen| seen.is_incomplete = true));
}

/// Records that the files of a folder were searched for names.
pub(super) fn note_search(folder: &Path) {
    with(|observer| observer.note(|seen| _ = seen.searched.insert(folder.to_owned())));
}

/// Records the attempt to read a source.
pub(crate) fn note_fetch(address: &Address, fetched: &Result<FetchedSource, ReadError>) {
    with(|observer| match (address.to_path().filter(|_| address.archive().is_none()), fetched) {
        (Some(path), Ok(fetched)) if fetched.address == *address && fetched.root.is_none() => {
            observer.note_content(path, &fetched.bytes);
        }
        (Some(path), Err(ReadError::NotFound)) => observer.note(|seen| _ = seen.sought.insert(path, false)),
        _ if address.scheme() == super::BUILTIN => {}
        _ => observer.note(|seen| seen.is_incomplete = true),
    });
}

/// The provider of files, whose accesses are recorded.
pub(crate) struct Observed<P>(pub(crate) P);

impl<P: Provider> Provider for Observed<P> {
    fn serves(&self, address: &Address) -> bool {
        self.0.serves(address)
    }

    fn is_slow(&self, address: &Address) -> bool {
        self.0.is_slow(address)
    }

    fn identity(&self, address: &Address) -> Address {
        self.0.identity(address)
    }

    fn identity_in(&self, directory: &Address, address: &Address) -> Option<Address> {
        self.0.identity_in(directory, address)
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        note_unknown();
        self.0.read(address, limit)
    }

    fn fetch(&self, address: &Address, limit: u64) -> Result<FetchedSource, ReadError> {
        self.0.fetch(address, limit)
    }

    fn additional_templates(&self, address: &Address) -> Vec<Address> {
        self.0.additional_templates(address)
    }

    fn verify(&self, address: &Address, progress: &mut dyn FnMut(usize, usize)) -> Vec<super::SourceProblem> {
        note_unknown();
        self.0.verify(address, progress)
    }

    fn file(&self, address: &Address) -> Option<PathBuf> {
        self.0.file(address)
    }

    /// A stamp is requested to use a source that has been read before.
    fn stamp(&self, address: &Address) -> Option<Stamp> {
        with(|observer| {
            observer.note(|seen| match address.to_path() {
                Some(path) => _ = seen.read.insert(path),
                None => seen.is_incomplete = true,
            });
        });
        self.0.stamp(address)
    }

    fn exists(&self, address: &Address) -> bool {
        let exists = self.0.exists(address);
        with(|observer| {
            observer.note(|seen| match address.to_path() {
                Some(path) => _ = seen.sought.insert(path, exists),
                None => seen.is_incomplete = true,
            });
        });
        exists
    }

    fn list(&self, directory: &Address) -> Option<Vec<String>> {
        note_unknown();
        self.0.list(directory)
    }

    fn profile(&self, name: &str) -> Option<Address> {
        self.0.profile(name)
    }
}
