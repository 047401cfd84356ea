//! Archives of the format tar, as they are or in gzip.
//!
//! In a plain archive, files are read where they stand. One in gzip can only be read from its beginning on, so that
//! the small files in it are kept when it is opened; for the others it is unpacked once, to a temporary file.

use std::cell::Cell;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;
use tar::{Entry, EntryType};

use super::members::{Kind, Members, is_bomb};
use super::storage::Storage;
use super::{ArchiveLimits, Content, Fault};
use crate::rules;

/// Up to which size files are kept, and how much of them altogether.
const KEPT_FILE: u64 = 4 << 20;
const KEPT: u64 = 64 << 20;
/// How much of an archive is unpacked to a temporary file.
const SPILLED: u64 = 1 << 30;
/// How many bytes the headers of one entry may have, with its long name and whatever else there is to say of it.
const HEADERS: u64 = 1 << 20;

/// Reads the headers of a plain archive.
pub(super) fn open(storage: &Storage, members: &mut Members<'_>) -> Result<(), Fault> {
    let budget = Rc::new(Cell::new(HEADERS));
    let mut archive = tar::Archive::new(Budgeted { reader: storage.reader(), budget: budget.clone() });
    let entries = archive.entries_with_seek().map_err(|error| Fault::of(&error))?;
    for entry in entries {
        budget.set(HEADERS);
        let mut entry = entry.map_err(|error| headers(&error))?;
        let start = entry.raw_file_position();
        let kind = kind(&mut entry, Content::Part { start });
        let is_file = matches!(kind, Kind::File { .. });
        add(members, &entry, kind, storage)?;
        if is_file && start.saturating_add(entry.size()) > storage.length() {
            return Err(Fault::Problem(&rules::DAMAGED_ARCHIVE, "the archive is cut off"));
        }
    }
    Ok(())
}

/// Reads an archive in gzip.
pub(super) fn open_gzip(storage: &Storage, members: &mut Members<'_>) -> Result<(), Fault> {
    let budget = Rc::new(Cell::new(HEADERS));
    let reader = unpacked(storage, members.limits);
    let mut archive = tar::Archive::new(Budgeted { reader, budget: budget.clone() });
    let mut kept = 0;
    let entries = archive.entries().map_err(|error| Fault::of(&error))?;
    for (number, entry) in entries.enumerate() {
        let mut entry = entry.map_err(|error| headers(&error))?;
        let size = entry.size();
        let source = if size <= KEPT_FILE && kept + size <= KEPT && entry.header().entry_type().is_file() {
            let mut bytes = Vec::with_capacity(size as usize);
            budget.set(u64::MAX);
            entry.read_to_end(&mut bytes).map_err(|error| Fault::of(&error))?;
            if (bytes.len() as u64) < size {
                return Err(Fault::Problem(&rules::DAMAGED_ARCHIVE, "the archive is cut off"));
            }
            kept += size;
            Content::Kept(bytes.into())
        } else {
            Content::Streamed { number, start: entry.raw_file_position() }
        };
        // What has not been read of the content is read before the next header.
        budget.set(HEADERS.saturating_add(if matches!(source, Content::Kept(_)) { 0 } else { size }));
        let kind = kind(&mut entry, source);
        add(members, &entry, kind, storage)?;
    }
    budget.set(u64::MAX);
    // Only at the end of what is packed stands its checksum.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(|error| Fault::of(&error))?;
    Ok(())
}

/// The archive without gzip, in a temporary file; nothing if there can be none. Only the beginning of a damaged or huge one.
pub(super) fn unpack(storage: &Storage, limits: &ArchiveLimits) -> Option<Storage> {
    let mut file = Storage::temporary().ok()?;
    // Damage was reported when the archive was opened.
    let _ = io::copy(&mut unpacked(storage, limits).take(SPILLED), &mut file);
    Storage::file(file).ok()
}

/// Lets something read the content of an entry of an archive in gzip, from the beginning of the archive.
pub(super) fn read_streamed<T>(
    storage: &Storage,
    limits: &ArchiveLimits,
    number: usize,
    read: impl FnOnce(&mut dyn Read) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let mut archive = tar::Archive::new(unpacked(storage, limits));
    let mut entries = archive.entries().map_err(|error| Fault::of(&error))?;
    match entries.nth(number) {
        Some(entry) => read(&mut entry.map_err(|error| headers(&error))?),
        None => Err(Fault::Problem(&rules::DAMAGED_ARCHIVE, "the archive has changed while it was read")),
    }
}

fn add<R: Read>(members: &mut Members<'_>, entry: &Entry<'_, R>, kind: Kind, storage: &Storage) -> Result<(), Fault> {
    // Nothing is packed by itself.
    let size = entry.size();
    let added = members.add(&entry.path_bytes(), kind, size, size.max(1), storage.length());
    added.map_err(|finding| Fault::Finding(*finding))
}

fn kind<R: Read>(entry: &mut Entry<'_, R>, source: Content) -> Kind {
    // What stands there is not the file, but where its parts belong and then these. Of what is itself a list of
    // extensions, all would be read.
    let is_file = matches!(entry.header().entry_type(), EntryType::Regular | EntryType::Continuous);
    let extensions = if is_file { entry.pax_extensions().ok().flatten() } else { None };
    if extensions.is_some_and(|mut all| all.any(|it| it.is_ok_and(|it| it.key_bytes().starts_with(b"GNU.sparse.")))) {
        return Kind::Unsupported("a file with holes");
    }
    match entry.header().entry_type() {
        // Archives of old mark directories only by a slash at the end.
        EntryType::Regular if entry.path_bytes().ends_with(b"/") => Kind::Directory,
        EntryType::Regular | EntryType::Continuous => {
            Kind::File { source, is_executable: entry.header().mode().is_ok_and(|mode| mode & 0o100 != 0) }
        }
        EntryType::Directory | EntryType::XGlobalHeader => Kind::Directory,
        EntryType::Symlink => Kind::Special("a symbolic link"),
        EntryType::Link => Kind::Special("a hard link"),
        EntryType::Char | EntryType::Block => Kind::Special("a device"),
        EntryType::Fifo => Kind::Special("a pipe"),
        EntryType::GNUSparse => Kind::Unsupported("a file with holes"),
        _ => Kind::Unsupported("of an unknown kind"),
    }
}

/// What went wrong with a header. The library reports what is wrong in it in the same way as what is wrong below it.
fn headers(error: &io::Error) -> Fault {
    match Fault::of(error) {
        Fault::Problem(rule, _) if rule.code == rules::UNREADABLE.code => {
            Fault::Problem(&rules::DAMAGED_ARCHIVE, "the archive is cut off or damaged")
        }
        fault => fault,
    }
}

/// The archive without gzip.
fn unpacked(storage: &Storage, limits: &ArchiveLimits) -> impl Read + use<> {
    let packed = Rc::new(Cell::new(0));
    let reader = Counted { reader: storage.reader(), count: packed.clone() };
    Bounded { reader: MultiGzDecoder::new(reader), packed, unpacked: 0, total: limits.total, ratio: limits.ratio }
}

/// Lets the library read as much as a budget says. It takes whole headers into memory, some of which can have any size, as
/// those with long names have.
struct Budgeted<R> {
    reader: R,
    budget: Rc<Cell<u64>>,
}

impl<R: Read> Read for Budgeted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        let Some(rest) = self.budget.get().checked_sub(read as u64) else {
            let fault = Fault::Problem(&rules::ARCHIVE_TOO_LARGE, "the headers of an entry are larger than allowed");
            return Err(io::Error::other(fault));
        };
        self.budget.set(rest);
        Ok(read)
    }
}

impl<R: Seek> Seek for Budgeted<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.reader.seek(to)
    }
}

struct Counted<R> {
    reader: R,
    count: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.count.set(self.count.get() + read as u64);
        Ok(read)
    }
}

/// Fails when too much comes out of too little.
struct Bounded<R> {
    reader: R,
    packed: Rc<Cell<u64>>,
    unpacked: u64,
    total: u64,
    ratio: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.unpacked += read as u64;
        if is_bomb(self.unpacked, self.packed.get(), self.ratio) {
            return Err(io::Error::other(Fault::Problem(
                &rules::ARCHIVE_BOMB,
                "the archive unpacks to far more than its own size",
            )));
        }
        // Headers and the space between files count too.
        if self.unpacked / 2 > self.total {
            return Err(io::Error::other(Fault::Problem(
                &rules::ARCHIVE_TOO_LARGE,
                "the archive unpacks to more than allowed",
            )));
        }
        Ok(read)
    }
}
