//! A cache of the results of earlier runs, in a folder that several processes may share.
//!
//! The result of a file is used again if everything that it depends on is the same: the key covers the program, the
//! arguments, the configuration and the name of the file; the result lists the files that were read or looked for. The
//! folder may contain anything, so a damaged or unknown result is ignored.
//!
//! The state of a file is compared first. Only if it differs, as after a fresh checkout, the content is read and hashed.
//! If it is the same, the result gets the new state.

mod stored;
mod walked;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use dashmap::DashMap;
use foldhash::HashMap;
use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

use self::stored::Stored;
pub(super) use self::walked::Walked;
use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::phase::Units;
use tosca_parse::source::observe::{Digest, Digests, Observer};
use tosca_parse::source::replace::Draft;
use tosca_parse::source::{Address, FileProvider, Provider, SharedText, Sources, Stamp, regular};

/// The number of files in the folder. Each holds the results of some of the entries.
const SHARDS: u64 = 64;
/// The maximum size of such a file, in bytes.
const MAX_SHARD: u64 = 64 << 20;
/// The number of days after which an unused result is removed.
const KEPT_DAYS: u64 = 30;
/// The maximum size of a text that is stored with a result, in bytes.
const MAX_TEXT: usize = 64 << 10;
/// The maximum size of an input, and of the files that are hashed together, in bytes and number.
const MAX_FILE: u64 = 256 << 20;
const MAX_FILES: usize = 20_000;

/// The cache of a run.
pub(super) struct ResultCache {
    folder: PathBuf,
    began: SystemTime,
    /// A key for each parser; `None` if its results are not cached.
    keys: Vec<Option<String>>,
    /// The files that were found in folders.
    walked: Option<Arc<Walked>>,
    digests: Digests,
    /// The current state of files, and their paths with links resolved. Many entries import the same files.
    states: DashMap<PathBuf, (Option<State>, Option<PathBuf>)>,
    /// Whether there are files at paths.
    existing: DashMap<PathBuf, bool>,
    /// The current digests of files and folders.
    contents: DashMap<PathBuf, Option<Digest>>,
    searched: DashMap<PathBuf, Option<Digest>>,
    /// The paths of folders with links resolved.
    folders: DashMap<PathBuf, PathBuf>,
    texts: DashMap<PathBuf, SharedText>,
    shards: Vec<OnceLock<Shard>>,
    new: Mutex<Vec<(String, Entry)>>,
    used: Mutex<BTreeSet<String>>,
    hits: AtomicUsize,
}

/// The results of some entries, by key.
#[derive(Default, Serialize, Deserialize)]
struct Shard(HashMap<String, Entry>);

/// The changes of a run to a shard.
#[derive(Default)]
struct ShardChange {
    new: Vec<(String, Entry)>,
    /// The keys of the results that were used.
    used: Vec<String>,
}

/// The result of a file, and everything that it depends on.
#[derive(Clone, Serialize, Deserialize)]
struct Entry {
    /// The day of the last use, since 1970.
    used: u64,
    read: Vec<ReadFile>,
    sought: Vec<(PathBuf, bool)>,
    searched: Vec<(PathBuf, Digest)>,
    result: Stored,
}

#[derive(Clone, Serialize, Deserialize)]
struct ReadFile {
    path: PathBuf,
    digest: Digest,
    /// The state of the file, if any later change would be visible in it.
    state: Option<State>,
    /// The path with links resolved, if it is different.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    real: Option<PathBuf>,
}

/// The size, the identity, and the times of the last changes of a file.
type State = (u64, (u64, u64), (u64, u64));

/// The part of a file that is the same as when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Same {
    /// The state, and so the content.
    State,
    /// The content, but not the state.
    Content,
}

/// A result from the cache. Its sources are numbered separately.
pub(super) struct Found {
    pub(super) name: String,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) sources: Sources,
    pub(super) remedy: Option<(&'static str, usize, usize)>,
}

impl ResultCache {
    /// Opens the cache in a folder, with the keys of the parsers.
    pub(super) fn new(folder: PathBuf, keys: Vec<Option<String>>, walked: Option<Arc<Walked>>) -> Self {
        Self {
            folder,
            began: SystemTime::now(),
            keys,
            walked,
            digests: Digests::default(),
            states: DashMap::default(),
            existing: DashMap::default(),
            contents: DashMap::default(),
            searched: DashMap::default(),
            folders: DashMap::default(),
            texts: DashMap::default(),
            shards: (0..SHARDS).map(|_| OnceLock::new()).collect(),
            new: Mutex::default(),
            used: Mutex::default(),
            hits: AtomicUsize::new(0),
        }
    }

    /// Returns the key of an entry; `None` if its results are not cached.
    pub(super) fn key(&self, reader: usize, address: &Address) -> Option<String> {
        let key = self.keys.get(reader)?.as_ref()?;
        address.to_path()?;
        Some(hex(&format!("{key}\0{address}")))
    }

    /// Returns an observer for a parse.
    pub(super) fn observer(&self) -> Arc<Observer> {
        Arc::new(Observer::new(self.digests.clone()))
    }

    /// Returns the number of results that were found.
    pub(super) fn hits(&self) -> usize {
        self.hits.load(Ordering::Relaxed)
    }

    /// Returns the result with the given key if it still applies.
    pub(super) fn find(&self, key: &str) -> Option<Found> {
        let number = shard_of(key);
        let shard = self.shards[number].get_or_init(|| Shard::read(&self.folder, number));
        let entry = shard.0.get(key)?;
        let mut is_renewable = false;
        let mut is_same = |file| {
            let same = self.same(file);
            is_renewable |= same == Some(Same::Content);
            same.is_some()
        };
        let applies = entry.read.iter().all(&mut is_same)
            && entry.sought.iter().all(|(path, exists)| self.exists(path) == *exists)
            && entry.searched.iter().all(|(folder, digest)| self.folder_digest(folder) == Some(*digest));
        let found = applies.then(|| self.restore(entry)).flatten()?;
        self.hits.fetch_add(1, Ordering::Relaxed);
        if let Some(read) = is_renewable.then(|| self.renewed(&entry.read)).flatten() {
            lock(&self.new).push((key.to_owned(), Entry { used: today(), read, ..entry.clone() }));
        } else if entry.used != today() {
            lock(&self.used).insert(key.to_owned());
        }
        Some(found)
    }

    /// Returns files that have the same content, with their new states, so that the next run need not read them. `None`
    /// if no state is new.
    fn renewed(&self, read: &[ReadFile]) -> Option<Vec<ReadFile>> {
        let new_state = |file: &ReadFile| {
            // The state from before the content was read: a later change results in another one.
            let state = self.states.get(&file.path)?.0.filter(|state| file.state != Some(*state))?;
            let stamp = stamp(&file.path).filter(|stamp| stamp.is_settled(self.began))?;
            state_of(stamp).filter(|now| *now == state)
        };
        let states: Vec<Option<State>> = read.iter().map(new_state).collect();
        states.iter().any(Option::is_some).then(|| {
            let renewed =
                |(file, state): (&ReadFile, Option<State>)| ReadFile { state: state.or(file.state), ..file.clone() };
            read.iter().zip(states).map(renewed).collect()
        })
    }

    /// Adds the result of a parse, unless it depends on something that was not observed.
    pub(super) fn add(
        &self,
        key: String,
        observer: &Observer,
        units: &Units,
        result: (&str, &[Diagnostic], &Sources),
        remedy: Option<(&'static str, usize, usize)>,
    ) {
        if let Some(entry) = self.entry(observer, units, result, remedy) {
            lock(&self.new).push((key, entry));
        }
    }

    fn entry(
        &self,
        observer: &Observer,
        units: &Units,
        (name, diagnostics, sources): (&str, &[Diagnostic], &Sources),
        remedy: Option<(&'static str, usize, usize)>,
    ) -> Option<Entry> {
        let seen = observer.observations();
        if seen.is_incomplete || diagnostics.iter().any(Diagnostic::is_unavailable) {
            return None;
        }
        let mut sought = seen.sought;
        for (addresses, exists) in units.sought_files() {
            let paths = addresses.iter().map(Address::to_path).collect::<Option<Vec<PathBuf>>>()?;
            let now: Vec<bool> = paths.iter().map(|path| path.exists()).collect();
            if now.contains(&true) != exists {
                return None;
            }
            sought.extend(paths.into_iter().zip(now));
        }
        let read = seen.read.into_iter().map(|path| {
            let digest = (*self.digests.get(&path)?)?;
            let state = stamp(&path).filter(|stamp| stamp.is_settled(self.began)).and_then(state_of);
            let real = Some(self.real(&path)?).filter(|real| *real != path);
            Some(ReadFile { digest, state, real, path: valid(path)? })
        });
        let read = read.collect::<Option<Vec<ReadFile>>>()?;
        let sought = sought.into_iter().map(|(path, exists)| Some((valid(path)?, exists)));
        let sought = sought.collect::<Option<Vec<_>>>()?;
        let searched = seen.searched.into_iter().map(|folder| {
            let digest = self.folder_digest(&folder)?;
            Some((valid(folder)?, digest))
        });
        let searched = searched.collect::<Option<Vec<_>>>()?;
        let result = self.store(name, diagnostics, sources, remedy, &read)?;
        Some(Entry { used: today(), read, sought, searched, result })
    }

    /// Returns how a file is known to have the same content as when it was read; `None` if it has not.
    fn same(&self, file: &ReadFile) -> Option<Same> {
        let same = |(state, real): &(Option<State>, Option<PathBuf>)| {
            real.as_ref().filter(|real| *real == file.real.as_ref().unwrap_or(&file.path))?;
            if file.state.is_some() && *state == file.state {
                return Some(Same::State);
            }
            (self.content(&file.path) == Some(file.digest)).then_some(Same::Content)
        };
        if let Some(known) = self.states.get(&file.path) {
            return same(&known);
        }
        // The state of a file that was found in a folder is already known, and that it is not a link.
        let current = match self.walked.as_ref().and_then(|walked| walked.state(&file.path)) {
            Some(state) => (Some(state), self.real_in_folder(&file.path)),
            None => (stamp(&file.path).and_then(state_of), self.real(&file.path)),
        };
        let result = same(&current);
        self.states.insert(file.path.clone(), current);
        result
    }

    fn exists(&self, path: &Path) -> bool {
        if let Some(known) = self.existing.get(path) {
            return *known;
        }
        let exists = path.exists();
        self.existing.insert(path.to_owned(), exists);
        exists
    }

    /// Returns a path with links resolved. Most files are in the same few folders.
    fn real(&self, path: &Path) -> Option<PathBuf> {
        if path.symlink_metadata().ok()?.is_symlink() { path.canonicalize().ok() } else { self.real_in_folder(path) }
    }

    /// Returns the path of a file that is not a link, with links resolved.
    fn real_in_folder(&self, path: &Path) -> Option<PathBuf> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return path.canonicalize().ok() };
        // On other systems, the same file may have names in different case.
        if !cfg!(target_os = "linux") {
            return path.canonicalize().ok();
        }
        if let Some(known) = self.folders.get(folder) {
            return Some(known.join(name));
        }
        let real = folder.canonicalize().ok()?;
        self.folders.insert(folder.to_owned(), real.clone());
        Some(real.join(name))
    }

    /// Returns the digest of a file's current content.
    fn content(&self, path: &Path) -> Option<Digest> {
        if let Some(known) = self.contents.get(path) {
            return *known;
        }
        let digest = regular::read(path, MAX_FILE).ok().map(|bytes| Digest::of(&bytes));
        self.contents.insert(path.to_owned(), digest);
        digest
    }

    /// Returns the digest of the names and contents of the files in a folder, without subfolders.
    fn folder_digest(&self, folder: &Path) -> Option<Digest> {
        if let Some(known) = self.searched.get(folder) {
            return *known;
        }
        let digest = self.files_digest(folder, 1);
        self.searched.insert(folder.to_owned(), digest);
        digest
    }

    fn files_digest(&self, folder: &Path, levels: usize) -> Option<Digest> {
        let mut all = String::new();
        let walk = WalkDir::new(folder).follow_links(true).max_depth(levels).sort_by_file_name();
        for (number, entry) in walk.into_iter().enumerate() {
            let Ok(entry) = entry else {
                all.push_str("?\n");
                continue;
            };
            if number > MAX_FILES {
                return None;
            }
            let digest = entry.file_type().is_file().then(|| self.content(entry.path()));
            let _ = writeln!(all, "{}\0{digest:?}", entry.path().to_str()?);
        }
        Some(Digest::of(all.as_bytes()))
    }

    /// Writes the new results and removes old ones.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder can't be written.
    pub(super) fn save(self) -> io::Result<()> {
        let new = self.new.into_inner().unwrap_or_else(PoisonError::into_inner);
        let used = self.used.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut changes: BTreeMap<usize, ShardChange> = BTreeMap::new();
        for (key, entry) in new {
            changes.entry(shard_of(&key)).or_default().new.push((key, entry));
        }
        for key in used {
            changes.entry(shard_of(&key)).or_default().used.push(key);
        }
        let walked = self.walked.filter(|walked| walked.has_new());
        if changes.is_empty() && walked.is_none() {
            return Ok(());
        }
        fs::create_dir_all(&self.folder)?;
        let ignore = self.folder.join(".gitignore");
        if !ignore.exists() {
            replace(&ignore, b"*\n")?;
        }
        if let Some(walked) = walked {
            walked.save()?;
        }
        let today = today();
        for (number, ShardChange { new, used }) in changes {
            // Another process may have written in the meantime.
            let mut shard = Shard::read(&self.folder, number);
            for key in used {
                if let Some(entry) = shard.0.get_mut(&key) {
                    entry.used = today;
                }
            }
            shard.0.extend(new);
            shard.0.retain(|_, entry| entry.used <= today && today - entry.used <= KEPT_DAYS);
            let mut bytes = serde_json::to_vec(&shard)?;
            if bytes.len() as u64 > MAX_SHARD {
                shard.0.retain(|_, entry| entry.used == today);
                bytes = serde_json::to_vec(&shard)?;
            }
            if bytes.len() as u64 <= MAX_SHARD {
                replace(&place_of(&self.folder, number), &bytes)?;
            }
        }
        Ok(())
    }
}

impl Shard {
    /// Reads a file of the cache. One that is missing or damaged has no results.
    fn read(folder: &Path, number: usize) -> Self {
        let bytes = regular::read(&place_of(folder, number), MAX_SHARD);
        bytes.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }
}

/// Replaces a file of the cache, but never the target of a link.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = Draft::in_place_of_link(path)?;
    draft.write_all(bytes)?;
    draft.replace()
}

/// Returns a key for the results of a parser: a hash of everything that they depend on, apart from files that are read
/// or looked for. Returns `None` if it can't be determined.
pub(super) fn key_of(settings: &str, configurations: &[PathBuf], folders: &[PathBuf]) -> Option<String> {
    let here = std::env::current_dir().ok()?;
    let mut all = format!("{}\0{}\0{settings}\0", program(), here.to_str()?);
    for path in configurations {
        let bytes = regular::read(path, MAX_FILE).ok()?;
        let _ = write!(all, "{}\0{}\0", path.to_str()?, Digest::of(&bytes));
    }
    let cache = ResultCache::new(PathBuf::new(), Vec::new(), None);
    for folder in folders {
        let digest = cache.files_digest(folder, usize::MAX)?;
        let _ = write!(all, "{}\0{digest}\0", folder.to_str()?);
    }
    Some(hex(&all))
}

/// Returns the version of the program. Builds during development differ in size.
fn program() -> String {
    let size = std::env::current_exe().and_then(fs::metadata).map_or(0, |program| program.len());
    format!("{}\0{size}", env!("CARGO_PKG_VERSION"))
}

fn lock<T>(value: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a path if it can be stored.
fn valid(path: PathBuf) -> Option<PathBuf> {
    path.to_str().is_some().then_some(path)
}

fn stamp(path: &Path) -> Option<Stamp> {
    FileProvider.stamp(&Address::from_path(path, Path::new("/")))
}

fn state_of(stamp: Stamp) -> Option<State> {
    let time = |time: SystemTime| u64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_nanos()).ok();
    Some((stamp.bytes, stamp.identity, (time(stamp.changed.0)?, time(stamp.changed.1)?)))
}

fn today() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400)
}

fn hex(text: &str) -> String {
    Digest::of(text.as_bytes()).to_string()
}

fn shard_of(key: &str) -> usize {
    usize::from_str_radix(key.get(..2).unwrap_or("0"), 16).unwrap_or(0) % SHARDS as usize
}

fn place_of(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{number:02x}.json"))
}
