//! Archives, which contain templates and all their files in one file.
//!
//! Archives are served by a provider: an archive and every file in it have addresses, so that the code that reads
//! templates need not know about archives. They are read in place rather than unpacked to the disk. Archives are
//! untrusted, so their tables of contents are validated; see [`ArchiveLimits`].
//!
//! ```
//! # extern crate tosca_parse_engine as tosca_parse;
//! use std::path::Path;
//! use tosca_parse::source::archive::Archive;
//! use tosca_parse::source::{Address, ArchiveLimits};
//!
//! let address = Address::from_path(Path::new("shop.zip"), Path::new("/"));
//! let error = Archive::from_bytes(&address, *b"no archive", &ArchiveLimits::default(), &[]).unwrap_err();
//! assert_eq!(error.rule().name, "damaged-archive");
//! ```

mod folder;
mod layout;
mod members;
pub mod pack;
mod storage;
mod tarred;
mod zipped;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use dashmap::DashMap;
use foldhash::fast::RandomState;

use super::gunzip::{ExpandsTooFar, MAX_RATIO};
use super::names::has_ending;
use super::{ARCHIVE, Address, FILE, FetchedSource, Provider, ReadError, SourceProblem, SourceRange, regular};
use crate::diagnostic::Rule;
use crate::rules;
use layout::Layouts;
use members::Members;
use storage::Storage;

pub(crate) use folder::Folders;
pub use layout::{ArchiveTree, EntryPoints, Layout, at_root};

/// The limits on the size of archives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// The maximum size of an archive that must be held in memory, such as a remote archive, in bytes. 256 MiB by
    /// default.
    pub bytes: u64,
    /// The maximum unpacked size of all files in an archive, in bytes. 8 GiB by default, because images may be packed
    /// with templates.
    pub total: u64,
    /// The maximum expansion ratio of a file or archive that unpacks to more than 16 MiB. 250 by default.
    pub ratio: u64,
    /// The maximum number of entries. 100 000 by default.
    pub entries: usize,
    /// The maximum number of segments in the path of an entry. 64 by default.
    pub depth: usize,
}

impl Default for ArchiveLimits {
    fn default() -> Self {
        Self { bytes: 256 << 20, total: 8 << 30, ratio: MAX_RATIO, entries: 100_000, depth: 64 }
    }
}

/// The provider of archives and the files in them, which reads from other providers.
///
/// Archives are recognized by name: `.zip`, `.tar`, `.tar.gz`, `.tgz`, and the extensions of the [layouts](Layout). The
/// address of an archive refers to the template in it, which [`Provider::fetch`] returns with its address in the
/// archive. Nested archives are not read.
///
/// The provider is cheap to clone; clones share the opened archives.
#[derive(Clone)]
pub struct Archives(Arc<Inner>);

struct Inner {
    beneath: Vec<Arc<dyn Provider>>,
    limits: ArchiveLimits,
    layouts: Layouts,
    opened: DashMap<Address, Arc<Mutex<Option<Opened>>>, RandomState>,
    /// The total size of the opened archives that are not in the file system, in bytes.
    in_memory: AtomicU64,
}

#[derive(Clone)]
struct Opened {
    archive: Arc<Archive>,
    /// The path of the opened archive with links resolved, if it is in the file system.
    real: Option<PathBuf>,
    /// The size and modification time, if the archive is in the file system.
    stamp: Option<(u64, Option<SystemTime>)>,
}

impl Archives {
    /// Creates a provider of archives with the given layouts, which reads from the given providers. For each archive,
    /// the first provider that serves its address is used.
    pub fn new(
        beneath: Vec<Arc<dyn Provider>>,
        limits: ArchiveLimits,
        layouts: impl IntoIterator<Item = &'static Layout>,
    ) -> Self {
        let layouts = Layouts(layouts.into_iter().collect());
        Self(Arc::new(Inner { beneath, limits, layouts, opened: DashMap::default(), in_memory: AtomicU64::new(0) }))
    }

    /// Returns whether there is an archive at an address, judging by the file name.
    pub fn is_archive(&self, address: &Address) -> bool {
        address.archive().is_none() && self.0.layouts.is_archive(address.file_name())
    }

    /// Opens an archive, or returns the already opened archive if it is unchanged.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no archive, or if its table of contents can't be read.
    pub fn open(&self, address: &Address) -> Result<Arc<Archive>, ReadError> {
        self.open_anew(address, false).map(|opened| opened.archive)
    }

    /// Returns the limits on archives.
    pub(crate) fn limits(&self) -> &ArchiveLimits {
        &self.0.limits
    }

    /// Closes all archives.
    pub(crate) fn forget(&self) {
        self.0.opened.clear();
        self.0.in_memory.store(0, Ordering::Relaxed);
    }

    /// Returns the total size of the opened archives that are kept in memory, in bytes.
    pub(crate) fn in_memory(&self) -> u64 {
        self.0.in_memory.load(Ordering::Relaxed)
    }

    fn beneath(&self, address: &Address) -> Result<&Arc<dyn Provider>, ReadError> {
        let found = self.0.beneath.iter().find(|provider| provider.serves(address));
        found.ok_or_else(|| ReadError::no_provider(address))
    }

    fn open_anew(&self, address: &Address, anew: bool) -> Result<Opened, ReadError> {
        let provider = self.beneath(address)?;
        // The map's lock is released before anything is read.
        let place = Arc::clone(&self.0.opened.entry(address.clone()).or_default());
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        let file = provider.file(address);
        let stamp = file.as_deref().and_then(|path| fs::metadata(path).ok());
        let stamp = stamp.map(|metadata| (metadata.len(), metadata.modified().ok()));
        if let Some(opened) = &*place
            && (stamp.is_some() && opened.stamp == stamp || stamp.is_none() && !anew)
        {
            return Ok(opened.clone());
        }
        let (storage, real) = match file.filter(|path| path.is_file()).map(|path| regular::open_real(&path)) {
            Some(Ok((file, real))) => (Storage::file(file).map_err(|error| ReadError::Io(error.to_string()))?, real),
            // If the file can't be opened, the provider's own error explains the reason better.
            _ => {
                let bytes = provider.read(address, self.0.limits.bytes)?;
                self.0.in_memory.fetch_add(bytes.len() as u64, Ordering::Relaxed);
                (Storage::Memory(bytes.into()), None)
            }
        };
        let archive = Arc::new(Archive::open(address, storage, &self.0.limits, &self.0.layouts)?);
        let opened = Opened { archive, real, stamp };
        *place = Some(opened.clone());
        Ok(opened)
    }

    /// Returns the archive at an address. An archive from a slow provider is returned only if it has been opened
    /// before, because it must not be fetched again for every query, least of all after a failure.
    fn at_hand(&self, address: &Address) -> Option<Arc<Archive>> {
        if !self.is_archive(address) {
            return None;
        }
        if !self.beneath(address).is_ok_and(|provider| provider.is_slow(address)) {
            return self.open(address).ok();
        }
        let place = Arc::clone(&*self.0.opened.get(address)?);
        let place = place.lock().unwrap_or_else(PoisonError::into_inner);
        place.as_ref().map(|opened| opened.archive.clone())
    }

    /// Reads a file in an archive. Also returns the path of the archive, if it is in the file system.
    fn read_member(&self, address: &Address, limit: u64) -> Result<(Vec<u8>, Option<PathBuf>), ReadError> {
        let (opened, path) = self.locate(address)?;
        if self.0.layouts.is_archive(&path) {
            let what = "it is a nested archive, which is not supported";
            return Err(ReadError::Refused(what.to_owned()));
        }
        Ok((opened.archive.read(&path, limit)?, opened.real))
    }

    /// Returns the archive that contains an address, and the path in the archive.
    fn locate(&self, address: &Address) -> Result<(Opened, String), ReadError> {
        let (Some(archive), Some(path)) = (address.archive(), address.path_in_archive()) else {
            return Err(ReadError::no_provider(address));
        };
        Ok((self.open_anew(archive, false)?, path))
    }
}

impl Provider for Archives {
    fn serves(&self, address: &Address) -> bool {
        address.scheme() == ARCHIVE || self.is_archive(address)
    }

    fn is_slow(&self, address: &Address) -> bool {
        let archive = address.archive().unwrap_or(address);
        let is_open = address.archive().is_some() && self.0.opened.contains_key(archive);
        !is_open && self.beneath(archive).is_ok_and(|provider| provider.is_slow(archive))
    }

    fn identity(&self, address: &Address) -> Address {
        let identity = |archive: &Address| {
            self.beneath(archive).map_or_else(|_| archive.clone(), |provider| provider.identity(archive))
        };
        match (address.archive(), address.path_in_archive()) {
            (Some(archive), Some(path)) => identity(archive).inside(&path),
            _ => identity(address),
        }
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        if address.archive().is_none() {
            return self.fetch(address, limit).map(|fetched| fetched.bytes);
        }
        self.read_member(address, limit).map(|(bytes, _)| bytes)
    }

    fn fetch(&self, address: &Address, limit: u64) -> Result<FetchedSource, ReadError> {
        if let Some(archive) = address.archive() {
            let root = Some(archive.inside(""));
            let (bytes, real) = self.read_member(address, limit)?;
            return Ok(FetchedSource { root, real, ..FetchedSource::new(address.clone(), bytes) });
        }
        let Opened { archive, real, .. } = self.open_anew(address, true)?;
        let mut findings = archive.findings().to_vec();
        let Some(entry) = &archive.start.entry else {
            findings.splice(..0, archive.start.reason.clone());
            return Err(ReadError::Found(findings));
        };
        let entry_address = address.inside(entry);
        match archive.read(entry, limit) {
            Ok(bytes) => {
                let root = Some(address.inside(""));
                Ok(FetchedSource { root, findings, real, ..FetchedSource::new(entry_address, bytes) })
            }
            Err(ReadError::Found(mut found)) => {
                found.append(&mut findings);
                Err(ReadError::Found(found))
            }
            Err(error) => Err(error),
        }
    }

    fn additional_templates(&self, address: &Address) -> Vec<Address> {
        let archive = self.at_hand(address);
        archive.iter().flat_map(|archive| &archive.start.others).map(|path| address.inside(path)).collect()
    }

    fn verify(&self, address: &Address, progress: &mut dyn FnMut(usize, usize)) -> Vec<SourceProblem> {
        self.at_hand(address).map(|archive| archive.verify(progress)).unwrap_or_default()
    }

    fn exists(&self, address: &Address) -> bool {
        if address.archive().is_some() {
            return self.locate(address).is_ok_and(|(opened, path)| opened.archive.members.contains_key(&path));
        }
        self.beneath(address).is_ok_and(|provider| provider.exists(address))
    }
}

impl fmt::Debug for Archives {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Archives").field(&self.0.limits).finish()
    }
}

/// The format of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Zip.
    Zip,
    /// Tar.
    Tar,
    /// Tar, compressed with gzip.
    TarGz,
}

impl Format {
    /// Returns the format of an archive with the given name.
    pub fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            _ if has_ending(name, &[".zip"]) => Self::Zip,
            _ if has_ending(name, &[".tar"]) => Self::Tar,
            _ if has_ending(name, &[".tar.gz", ".tgz"]) => Self::TarGz,
            _ => return None,
        })
    }

    /// Detects the format from the first bytes.
    fn of_bytes(start: &[u8]) -> Option<Self> {
        if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
            Some(Self::Zip)
        } else if start.starts_with(&[0x1f, 0x8b]) {
            Some(Self::TarGz)
        } else {
            // A tar archive without files consists only of zeros.
            let is_blank = start.len() >= 512 && start.iter().all(|byte| *byte == 0);
            (is_blank || start.get(257..262) == Some(b"ustar")).then_some(Self::Tar)
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Zip => "zip",
            Self::Tar => "tar",
            Self::TarGz => "tar.gz",
        })
    }
}

/// A file in an archive.
#[derive(Clone, Debug)]
pub struct ArchiveEntry {
    /// The size in bytes, according to the archive.
    pub size: u64,
    /// The packed size in bytes; equal to `size` in formats that don't compress files individually.
    pub packed: u64,
    /// Whether the owner may execute the file.
    pub is_executable: bool,
    source: Content,
}

/// The location of a file's content.
#[derive(Clone, Debug)]
enum Content {
    Zip { index: usize, is_encrypted: bool },
    Part { start: u64 },
    Kept(Arc<[u8]>),
    Streamed { start: u64 },
}

impl Content {
    /// Returns the position in an archive that can be read only from its beginning.
    fn position(&self) -> u64 {
        if let Self::Streamed { start } = self { *start } else { 0 }
    }
}

/// An opened archive: its table of contents has been read, and its files are read on demand.
pub struct Archive {
    address: Address,
    format: Format,
    storage: Storage,
    zip: Option<zipped::Zip>,
    /// The decompressed archive, created when a file is requested that is not cached.
    unpacked: OnceLock<Option<Storage>>,
    /// The reader of files that are not in `unpacked`.
    stream: Mutex<tarred::Stream>,
    limits: ArchiveLimits,
    members: BTreeMap<String, ArchiveEntry>,
    start: EntryPoints,
    findings: Vec<SourceProblem>,
}

impl Archive {
    /// Opens an archive in memory.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not an archive or nothing can be read from it.
    pub fn from_bytes(
        address: &Address,
        bytes: impl Into<Arc<[u8]>>,
        limits: &ArchiveLimits,
        layouts: &[&'static Layout],
    ) -> Result<Self, ReadError> {
        Self::open(address, Storage::Memory(bytes.into()), limits, &Layouts(layouts.to_vec()))
    }

    fn open(address: &Address, storage: Storage, limits: &ArchiveLimits, layouts: &Layouts) -> Result<Self, ReadError> {
        let mut head = Vec::new();
        storage.part(0, 512).read_to_end(&mut head).map_err(|error| ReadError::Io(error.to_string()))?;
        // A zip archive may have a prefix, as self-extracting archives do.
        let named = layouts.format(address.file_name()).filter(|format| *format != Format::TarGz);
        let mut members = Members::new(address, limits);
        let Some(format) = Format::of_bytes(&head).or(named) else {
            return Err(ReadError::Found(vec![members.finding(&rules::DAMAGED_ARCHIVE, "it is not an archive")]));
        };
        let mut zip = None;
        let read = match format {
            Format::Zip => zipped::open(&storage, &mut members).map(|opened| zip = Some(opened)),
            Format::Tar => tarred::open(&storage, &mut members),
            Format::TarGz => tarred::open_gzip(&storage, &mut members),
        };
        let checked = members.check_folders().map_err(|finding| Fault::Finding(*finding));
        if let Err(fault) = checked.and(read) {
            let fault = fault.finding(address, Some(members.finding(&rules::DAMAGED_ARCHIVE, "")));
            // The entries before the damage in a tar archive can still be read. If a limit is exceeded, nothing is
            // read.
            let is_bounded = [&rules::ARCHIVE_BOMB, &rules::ARCHIVE_TOO_LARGE].iter().any(|rule| **rule == *fault.rule);
            members.findings.insert(0, fault);
            if members.list.is_empty() || is_bounded {
                return Err(ReadError::Found(members.finish().1));
            }
        }
        let (members, mut findings) = members.finish();
        let (address, limits) = (address.clone(), limits.clone());
        let mut archive = Self {
            address,
            format,
            storage,
            zip,
            unpacked: OnceLock::new(),
            stream: Mutex::default(),
            limits,
            members,
            start: EntryPoints::default(),
            findings: Vec::new(),
        };
        archive.start = layouts.start(&archive);
        findings.append(&mut archive.start.findings);
        archive.findings = findings;
        Ok(archive)
    }

    /// Returns the format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the files by path, in alphabetical order.
    pub fn members(&self) -> impl ExactSizeIterator<Item = (&str, &ArchiveEntry)> {
        self.members.iter().map(|(path, member)| (&**path, member))
    }

    /// Returns the files in the order in which they are read fastest.
    pub fn members_in_order(&self) -> impl ExactSizeIterator<Item = (&str, &ArchiveEntry)> {
        let mut members: Vec<_> = self.members().collect();
        members.sort_by_key(|(_, member)| member.source.position());
        members.into_iter()
    }

    /// Returns the size of a file.
    pub fn size(&self, path: &str) -> Option<u64> {
        self.members.get(path).map(|member| member.size)
    }

    /// Returns the path of the template.
    pub fn entry_definitions(&self) -> Option<&str> {
        self.start.entry.as_deref()
    }

    /// Returns the paths of the other templates.
    pub fn other_definitions(&self) -> &[String] {
        &self.start.others
    }

    /// Returns the reason why there is no template.
    pub fn reason(&self) -> Option<&SourceProblem> {
        self.start.reason.as_ref()
    }

    /// Returns the other problems with the archive.
    pub fn findings(&self) -> &[SourceProblem] {
        &self.findings
    }

    /// Reads a file of at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the file does not exist or can't be read.
    pub fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let member = self.members.get(path).ok_or_else(|| self.missing(path))?;
        if member.size > limit {
            return Err(ReadError::TooLarge { limit });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(member.size.min(1 << 20)).unwrap_or(0));
        self.copy(path, &mut bytes)?;
        Ok(bytes)
    }

    fn missing(&self, path: &str) -> ReadError {
        let below = format!("{}/", path.trim_end_matches('/'));
        let mut from_below = self.members.range(below.clone()..);
        let is_folder = path.is_empty() || from_below.next().is_some_and(|(member, _)| member.starts_with(&below));
        if is_folder { ReadError::NotAFile { what: "a directory" } } else { ReadError::NotFound }
    }

    /// Reads all files and returns the problems with those that can't be read.
    ///
    /// `progress` is called with the number of files that have been read and the total number of files.
    pub fn verify(&self, progress: &mut dyn FnMut(usize, usize)) -> Vec<SourceProblem> {
        let mut findings = BTreeMap::new();
        for (number, (path, _)) in self.members_in_order().enumerate() {
            progress(number, self.members.len());
            let found = match self.copy(path, &mut io::sink()) {
                Ok(()) => continue,
                Err(ReadError::Found(found)) => found,
                Err(error) => vec![SourceProblem {
                    rule: error.rule(),
                    message: format!("the file can't be read: {error}"),
                    help: None,
                    place: SourceRange::whole(&self.address.inside(path)),
                }],
            };
            findings.insert(path, found);
        }
        findings.into_values().flatten().collect()
    }

    /// Writes the content of a file to `to`: as many bytes as the archive declares, or fewer on failure.
    ///
    /// # Errors
    ///
    /// Returns an error if the file does not exist or can't be read, or if writing fails.
    pub fn copy(&self, path: &str, to: &mut dyn Write) -> Result<(), ReadError> {
        let member = self.members.get(path).ok_or_else(|| self.missing(path))?;
        let mut copy = |from: &mut dyn Read| copy(from, member.size, to);
        let copied = match &member.source {
            Content::Zip { is_encrypted: true, .. } => {
                Err(Fault::Problem(&rules::ENCRYPTED_ENTRY, "the file is encrypted"))
            }
            Content::Zip { index, .. } => match &self.zip {
                Some(zip) => zipped::read(zip, &self.storage, *index, copy),
                None => Err(Fault::Problem(&rules::DAMAGED_ARCHIVE, "the archive has no table of contents")),
            },
            Content::Part { start } => copy(&mut self.storage.part(*start, member.size)),
            Content::Kept(bytes) => copy(&mut &bytes[..]),
            Content::Streamed { start } => {
                let unpacked = self.unpacked.get_or_init(|| tarred::unpack(&self.storage, &self.limits));
                match unpacked.as_ref().filter(|storage| start.saturating_add(member.size) <= storage.length()) {
                    Some(storage) => copy(&mut storage.part(*start, member.size)),
                    None => {
                        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
                        stream.read(&self.storage, &self.limits, *start, member.size, copy)
                    }
                }
            }
        };
        copied.map_err(|fault| ReadError::Found(vec![fault.finding(&self.address.inside(path), None)]))
    }
}

/// Copies a file, which must have exactly the declared number of bytes.
fn copy(from: &mut dyn Read, size: u64, to: &mut dyn Write) -> Result<(), Fault> {
    let copied = io::copy(&mut from.take(size.saturating_add(1)), to).map_err(|error| Fault::of(&error))?;
    match copied.cmp(&size) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Less => Err(Fault::Problem(&rules::DAMAGED_ARCHIVE, "the file is cut off")),
        std::cmp::Ordering::Greater => {
            Err(Fault::Problem(&rules::DAMAGED_ARCHIVE, "the file is longer than the archive says"))
        }
    }
}

impl ArchiveTree for Archive {
    fn has(&self, path: &str) -> bool {
        self.members.contains_key(path)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        /// The maximum size of a file to read, in bytes: far above the usual size of archive descriptions and
        /// templates.
        const LIMIT: u64 = 64 << 20;
        Archive::read(self, path, LIMIT)
    }

    fn paths(&self) -> Vec<String> {
        self.members.keys().cloned().collect()
    }

    fn address(&self, path: &str) -> Address {
        self.address.inside(path)
    }

    fn whole(&self) -> Address {
        self.address.clone()
    }
}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Archive({}, {}, {} files)", self.address, self.format, self.members.len())
    }
}

/// The reason why an archive or an entry can't be read.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{1}")]
    Problem(&'static Rule, &'static str),
    #[error("{}", .0.message)]
    Finding(SourceProblem),
}

impl Fault {
    fn of(error: &io::Error) -> Self {
        if let Some(Self::Problem(rule, text)) = error.get_ref().and_then(|inner| inner.downcast_ref::<Self>()) {
            return Self::Problem(rule, text);
        }
        if ExpandsTooFar::is_cause_of(error) {
            return Self::Problem(&rules::ARCHIVE_BOMB, "the archive unpacks to far more than its own size");
        }
        let text = error.to_string();
        match error.kind() {
            // Both libraries report a wrong checksum only in the text of the error.
            _ if text.to_ascii_lowercase().contains("checksum") && !text.contains("header") => {
                Self::Problem(&rules::WRONG_CHECKSUM, "its checksum does not match")
            }
            ErrorKind::Unsupported => Self::Problem(&rules::UNSUPPORTED_ARCHIVE, "it is packed in an unsupported way"),
            ErrorKind::UnexpectedEof => Self::Problem(&rules::DAMAGED_ARCHIVE, "the archive is cut off"),
            ErrorKind::InvalidData | ErrorKind::InvalidInput => {
                Self::Problem(&rules::DAMAGED_ARCHIVE, "the archive is damaged")
            }
            _ => Self::Problem(&rules::UNREADABLE, "the archive can't be read"),
        }
    }

    /// Converts the fault to a problem at an address.
    fn finding(self, address: &Address, model: Option<SourceProblem>) -> SourceProblem {
        match self {
            Self::Finding(finding) => finding,
            Self::Problem(rule, message) => {
                let help = match rule.code {
                    "T1503" => "pack the archive without a password",
                    "T1508" | "T1509" => "raise the limit if the archive is trusted",
                    "T1510" => "pack the archive with a method that every tool supports: deflate, or no compression",
                    _ => "download or pack the archive again",
                };
                let place = model.map_or_else(|| SourceRange::whole(address), |model| model.place);
                SourceProblem { rule, message: message.to_owned(), help: Some(help.into()), place }
            }
        }
    }
}

/// Returns whether an address is in the file system.
fn is_file(address: &Address) -> bool {
    address.scheme() == FILE
}
