//! Zip archives.

use std::io::{self, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::members::{Kind, Members};
use super::storage::{Reader, Storage};
use super::{Content, Fault};
use crate::rules;

pub(super) type Zip = ZipArchive<Reader>;

/// Reads the table of contents of a zip archive.
pub(super) fn open(storage: &Storage, members: &mut Members<'_>) -> Result<Zip, Fault> {
    // The library allocates memory for all entries before it reports their number.
    members.check_number(claimed(storage).map_err(|error| Fault::of(&error))?).map_err(|it| Fault::Finding(*it))?;
    let zip = ZipArchive::new(storage.reader()).map_err(|error| fault(&error))?;
    for index in 0..zip.len() {
        let entry = zip.by_index_data(index).map_err(|error| fault(&error))?;
        let mode = entry.unix_mode().unwrap_or(0);
        let kind = match mode & 0o170_000 {
            0o120_000 => Kind::Special("a symbolic link"),
            0o020_000 | 0o060_000 => Kind::Special("a device"),
            0o010_000 | 0o140_000 => Kind::Special("a pipe or a socket"),
            _ if entry.is_dir() => Kind::Directory,
            _ => Kind::File {
                source: Content::Zip { index, is_encrypted: entry.encrypted() },
                is_executable: mode & 0o100 != 0,
            },
        };
        let name = entry.name().map_or_else(|_| entry.name_raw().to_vec(), |name| name.as_bytes().to_vec());
        members
            .add(&name, kind, entry.size(), entry.compressed_size(), storage.length())
            .map_err(|finding| Fault::Finding(*finding))?;
    }
    if zip.has_duplicate_names() {
        duplicates(storage, zip.central_directory_start(), members);
    }
    Ok(zip)
}

/// Returns the number of entries according to the record at the end of the archive; the largest number if there are
/// several candidates for the record.
fn claimed(storage: &Storage) -> io::Result<u64> {
    /// The size of the end record, before a comment of at most 64 KiB.
    const END: usize = 22;
    const SIGNATURE: &[u8] = b"PK\x05\x06";
    /// The size of the end record for large archives.
    const LARGE: u64 = 56;
    const LOCATOR: usize = 20;
    let length = storage.length();
    // The library searches slightly further than the maximum length of a comment.
    let start = length.saturating_sub((2 * END + LOCATOR + (1 << 16)) as u64);
    let mut tail = Vec::new();
    storage.part(start, length - start).read_to_end(&mut tail)?;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    let mut most = 0;
    for at in memchr::memmem::find_iter(&tail, SIGNATURE) {
        most = most.max(tail.get(at + 10..at + 12).map_or(0, number));
        let locator = at.checked_sub(LOCATOR).map(|start| &tail[start..at]);
        if let Some(locator) = locator.filter(|locator| locator.starts_with(b"PK\x06\x07")) {
            // If the archive has a prefix, the position in the locator is wrong. So the position right before the
            // locator is tried too.
            let before = (start + at as u64).saturating_sub(LOCATOR as u64 + LARGE);
            for place in [number(&locator[8..16]), before] {
                let mut large = Vec::new();
                storage.part(place, LARGE).read_to_end(&mut large)?;
                if large.starts_with(b"PK\x06\x06") {
                    most = most.max(large.get(32..40).map_or(0, number));
                }
            }
        }
    }
    Ok(most)
}

/// Scans the table again for duplicates, because the library keeps only one entry per name.
fn duplicates(storage: &Storage, start: u64, members: &mut Members<'_>) {
    const SIGNATURE: &[u8] = b"PK\x01\x02";
    let mut seen = std::collections::BTreeSet::new();
    let mut reader = storage.part(start, u64::MAX);
    let mut header = [0; 46];
    while reader.read_exact(&mut header).is_ok() && header.starts_with(SIGNATURE) {
        let length = |at: usize| u64::from(u16::from_le_bytes([header[at], header[at + 1]]));
        let mut name = Vec::new();
        let rest = length(30) + length(32);
        let read = (&mut reader).take(length(28)).read_to_end(&mut name);
        if read.is_err() || io::copy(&mut (&mut reader).take(rest), &mut io::sink()).is_err() {
            return;
        }
        if !seen.insert(name.clone()) {
            members.duplicate(&String::from_utf8_lossy(&name));
        }
    }
}

/// Reads the content of an entry.
pub(super) fn read<T>(
    zip: &Zip,
    storage: &Storage,
    index: usize,
    read: impl FnOnce(&mut dyn Read) -> Result<T, Fault>,
) -> Result<T, Fault> {
    // The clone shares the table and has its own position.
    let mut zip = zip.clone();
    let mut file = zip.by_index(index).map_err(|error| fault(&error))?;
    // Some tools use the names in the local headers rather than those in the table. If a name in a header differed from
    // the name in the table, such tools would see different files.
    let mut header = Vec::new();
    let length = LOCAL_HEADER + file.name_raw().len() as u64;
    storage.part(file.header_start(), length).read_to_end(&mut header).map_err(|error| Fault::of(&error))?;
    if header.get(LOCAL_HEADER as usize..) != Some(file.name_raw()) {
        return Err(Fault::Problem(
            &rules::DAMAGED_ARCHIVE,
            "the file has a different name in the archive's table of contents",
        ));
    }
    read(&mut file)
}

/// The length of the part of a local header that precedes the name.
const LOCAL_HEADER: u64 = 30;

fn fault(error: &ZipError) -> Fault {
    match error {
        ZipError::Io(error) => Fault::of(error),
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            Fault::Problem(&rules::UNSUPPORTED_ARCHIVE, "it is packed in an unsupported way")
        }
        _ => Fault::Problem(&rules::DAMAGED_ARCHIVE, "the archive is cut off or damaged"),
    }
}
