//! Tar archives, uncompressed or compressed with gzip.
//!
//! In an uncompressed archive, files are read in place. A gzip archive can be read only from its beginning, so its
//! small files are cached when it is opened. To read larger files, the start of the archive is decompressed once to a
//! temporary file. Files behind it are read in one pass if they are requested in their order.

use std::cell::Cell;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

use tar::{Entry, EntryType};

use super::super::gunzip::Gunzip;
use super::members::{Kind, Members};
use super::storage::Storage;
use super::{ArchiveLimits, Content, Fault};
use crate::rules;

/// The maximum size of a cached file, in bytes.
const KEPT_FILE: u64 = 4 << 20;
/// The maximum total size of all cached files, in bytes.
const KEPT: u64 = 64 << 20;
/// The maximum size of a decompressed archive in a temporary file, in bytes.
const SPILLED: u64 = 1 << 30;
/// The maximum size of an entry's headers, including its long name and extensions, in bytes.
const HEADERS: u64 = 1 << 20;

/// Reads the headers of an uncompressed archive.
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

/// Reads the headers of a gzip archive and caches its small files.
pub(super) fn open_gzip(storage: &Storage, members: &mut Members<'_>) -> Result<(), Fault> {
    let budget = Rc::new(Cell::new(HEADERS));
    let reader = unpacked(storage, members.limits);
    let mut archive = tar::Archive::new(Budgeted { reader, budget: budget.clone() });
    let mut kept = 0;
    let entries = archive.entries().map_err(|error| Fault::of(&error))?;
    for entry in entries {
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
            Content::Streamed { start: entry.raw_file_position() }
        };
        // The budget includes the unread content, which is read before the next header.
        budget.set(HEADERS.saturating_add(if matches!(source, Content::Kept(_)) { 0 } else { size }));
        let kind = kind(&mut entry, source);
        add(members, &entry, kind, storage)?;
    }
    budget.set(u64::MAX);
    // The checksum is at the end of the compressed data.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(|error| Fault::of(&error))?;
    Ok(())
}

/// Decompresses an archive to a temporary file; returns `None` if the file can't be created. A damaged or huge archive
/// is truncated.
pub(super) fn unpack(storage: &Storage, limits: &ArchiveLimits) -> Option<Storage> {
    let mut file = Storage::temporary().ok()?;
    // Any damage was reported when the archive was opened.
    let _ = io::copy(&mut unpacked(storage, limits).take(SPILLED), &mut file);
    Storage::file(file).ok()
}

/// The reader of files in a gzip archive that are too far from its beginning for the temporary file.
#[derive(Default)]
pub(super) struct Stream {
    reader: Option<Box<dyn Read + Send>>,
    /// The number of bytes that have been read.
    position: u64,
    /// The number of times that the archive has been read from its beginning.
    passes: u32,
}

impl Stream {
    /// The maximum number of times that an archive is read from its beginning.
    const MAX_PASSES: u32 = 3;

    /// Reads a file of `size` bytes at the given position in the decompressed archive. A file in front of the previous
    /// one is read from the beginning of the archive.
    pub(super) fn read<T>(
        &mut self,
        storage: &Storage,
        limits: &ArchiveLimits,
        start: u64,
        size: u64,
        read: impl FnOnce(&mut dyn Read) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        // After an error, the position is not known.
        let mut reader = match self.reader.take() {
            Some(reader) if self.position <= start => reader,
            _ if self.passes == Self::MAX_PASSES => {
                let what = "the archive is too large to read its files in this order; pack it as `.zip`";
                return Err(Fault::Problem(&rules::ARCHIVE_TOO_LARGE, what));
            }
            _ => {
                self.passes += 1;
                self.position = 0;
                Box::new(unpacked(storage, limits))
            }
        };
        let skipped = (&mut reader).take(start - self.position);
        io::copy(&mut { skipped }, &mut io::sink()).map_err(|error| Fault::of(&error))?;
        let result = read(&mut (&mut reader).take(size))?;
        self.position = start + size;
        self.reader = Some(reader);
        Ok(result)
    }
}

fn add<R: Read>(members: &mut Members<'_>, entry: &Entry<'_, R>, kind: Kind, storage: &Storage) -> Result<(), Fault> {
    // The packed size equals the size, because files are not compressed individually.
    let size = entry.size();
    let added = members.add(&entry.path_bytes(), kind, size, size.max(1), storage.length());
    added.map_err(|finding| Fault::Finding(*finding))
}

fn kind<R: Read>(entry: &mut Entry<'_, R>, source: Content) -> Kind {
    // Extensions are requested only for files, because those of other entries could be large and would be read
    // completely.
    let is_file = matches!(entry.header().entry_type(), EntryType::Regular | EntryType::Continuous);
    let size = entry.size().to_string();
    for extension in is_file.then(|| entry.pax_extensions().ok().flatten()).into_iter().flatten().flatten().flatten() {
        // A sparse file's content begins with a map of its parts, so it can't be read as is.
        if extension.key_bytes().starts_with(b"GNU.sparse.") {
            return Kind::Unsupported("a sparse file");
        }
        // The library ignores sizes that are not valid, and other tools may not.
        if extension.key_bytes() == b"size" && extension.value_bytes() != size.as_bytes() {
            return Kind::Unsupported("a file with an invalid size");
        }
    }
    match entry.header().entry_type() {
        // In old archives, only a trailing slash marks a directory.
        EntryType::Regular if entry.path_bytes().ends_with(b"/") => Kind::Directory,
        EntryType::Regular | EntryType::Continuous => {
            Kind::File { source, is_executable: entry.header().mode().is_ok_and(|mode| mode & 0o100 != 0) }
        }
        EntryType::Directory => Kind::Directory,
        EntryType::XGlobalHeader if renames_entries(entry) => Kind::Unsupported("a header that renames other entries"),
        EntryType::XGlobalHeader => Kind::Directory,
        EntryType::Symlink => Kind::Special("a symbolic link"),
        EntryType::Link => Kind::Special("a hard link"),
        EntryType::Char | EntryType::Block => Kind::Special("a device"),
        EntryType::Fifo => Kind::Special("a pipe"),
        EntryType::GNUSparse => Kind::Unsupported("a sparse file"),
        _ => Kind::Unsupported("of an unknown kind"),
    }
}

/// Returns whether a global header has names or sizes for the entries behind it. The library ignores them, and other
/// tools do not.
fn renames_entries<R: Read>(entry: &mut Entry<'_, R>) -> bool {
    if entry.size() > HEADERS {
        return true;
    }
    let mut extensions = entry.pax_extensions().ok().flatten().into_iter().flatten();
    extensions.any(|it| it.is_ok_and(|it| matches!(it.key_bytes(), b"path" | b"linkpath" | b"size")))
}

/// Converts an error while reading a header to a fault. The library reports errors in headers in the same way as errors
/// of the underlying reader.
fn headers(error: &io::Error) -> Fault {
    match Fault::of(error) {
        Fault::Problem(rule, _) if rule.code == rules::UNREADABLE.code => {
            Fault::Problem(&rules::DAMAGED_ARCHIVE, "the archive is cut off or damaged")
        }
        fault => fault,
    }
}

/// Returns a reader that decompresses the archive.
fn unpacked(storage: &Storage, limits: &ArchiveLimits) -> impl Read + use<> {
    Bounded { reader: Gunzip::new(storage.reader(), limits.ratio), unpacked: 0, total: limits.total }
}

/// A reader that limits the number of bytes that the library reads. The library reads whole headers into memory, and
/// some headers, such as those with long names, can have any size.
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

/// A reader that fails when the decompressed data becomes too large.
struct Bounded<R> {
    reader: R,
    unpacked: u64,
    total: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.unpacked += read as u64;
        // Headers and the padding between files count too.
        if self.unpacked / 2 > self.total {
            return Err(io::Error::other(Fault::Problem(
                &rules::ARCHIVE_TOO_LARGE,
                "the archive unpacks to more than allowed",
            )));
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::io::Write;

    use super::*;

    #[test]
    fn distant_files_are_read_in_few_passes() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(b"one two three").unwrap();
        let storage = Storage::Memory(packed.finish().unwrap().into());
        let limits = ArchiveLimits::default();
        let mut stream = Stream::default();
        let mut text = |start, size| {
            let mut text = String::new();
            let to_end = |from: &mut dyn Read| from.read_to_string(&mut text).map_err(|error| Fault::of(&error));
            stream.read(&storage, &limits, start, size, to_end).map(|_| ()).map_err(|fault| fault.to_string())?;
            Ok::<_, String>((text, stream.passes))
        };
        let pass = |text: &str, number| Ok((text.to_owned(), number));
        assert_eq!(text(0, 3), pass("one", 1));
        assert_eq!(text(8, 5), pass("three", 1));
        assert_eq!(text(4, 3), pass("two", 2));
        assert_eq!(text(8, 5), pass("three", 2));
        assert_eq!(text(0, 3), pass("one", 3));
        assert_eq!(text(4, 3), pass("two", 3));
        let message = "the archive is too large to read its files in this order; pack it as `.zip`";
        assert_eq!(text(0, 3), Err(message.to_owned()));
    }
}
