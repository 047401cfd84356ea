//! A cache of responses on the disk.
//!
//! Each response is in a separate file, which is created atomically and whose name depends on the URL. So processes can
//! share the folder without synchronization. A cached response is never used without revalidating it with the server.
//! Failures of the cache are not errors, because reading only takes longer without it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use reqwest::header::{CACHE_CONTROL, ETAG, HeaderMap, HeaderName, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use serde::{Deserialize, Serialize};

use super::HttpOptions;
use crate::source::names::without_secrets;
use crate::source::{Address, regular};

/// The maximum size of a cached response, in bytes.
const LARGE: usize = 16 << 20;
/// The age at which unused responses are removed.
const OLD: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// The age at which a partially written file is assumed to be abandoned.
const GIVEN_UP: Duration = Duration::from_secs(60 * 60);
/// The time for which a file counts as recently used, so that not every use writes to the disk.
const RECENT: Duration = Duration::from_secs(60 * 60);
/// The number of new files after which the folder is pruned.
const OFTEN: u32 = 256;

/// The location of the cached response for one URL.
pub(super) struct Cache {
    folder: PathBuf,
    file: PathBuf,
    url: String,
    /// The maximum size of the folder, in bytes.
    bytes: u64,
}

/// A cached response.
pub(super) struct Kept {
    head: FirstLine,
    pub(super) body: Vec<u8>,
}

/// The metadata in the first line of a cache file.
#[derive(Serialize, Deserialize)]
struct FirstLine {
    /// The URL, because different URLs may have the same file name.
    url: String,
    length: usize,
    etag: Option<String>,
    last_modified: Option<String>,
}

impl Cache {
    /// Returns the location for an address; `None` if responses from it must not be cached.
    pub(super) fn of(options: &HttpOptions, address: &Address) -> Option<Self> {
        let (folder, url) = (options.cache.as_deref()?, address.url()?);
        if without_secrets(url) != url.as_str() {
            return None;
        }
        let file = folder.join(format!("{:032x}", hash(url.as_str())));
        Some(Self { folder: folder.to_owned(), file, url: url.as_str().to_owned(), bytes: options.cache_bytes })
    }

    /// Returns the cached response, if there is one of at most `limit` bytes.
    pub(super) fn get(&self, limit: u64) -> Option<Kept> {
        let mut bytes = regular::read(&self.file, self.bytes.min(limit).saturating_add(LARGE as u64)).ok()?;
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let head: FirstLine = serde_json::from_slice(&bytes[..end]).ok()?;
        bytes.drain(..=end);
        let is_sound = head.url == self.url && head.length == bytes.len() && bytes.len() as u64 <= limit;
        if !is_sound {
            return None;
        }
        self.touch();
        Some(Kept { head, body: bytes })
    }

    /// Sets the modification time of the file to mark it as used, because access times are not reliable.
    fn touch(&self) {
        let now = SystemTime::now();
        let changed = fs::metadata(&self.file).and_then(|metadata| metadata.modified());
        if changed.is_ok_and(|changed| now.duration_since(changed).is_ok_and(|age| age > RECENT)) {
            let file = fs::File::options().append(true).open(&self.file);
            // On failure, the file is only removed earlier than necessary.
            let _ = file.and_then(|file| file.set_modified(now));
        }
    }

    /// Caches a response if it is small enough and can be revalidated.
    pub(super) fn put(&self, headers: &HeaderMap, body: &[u8]) {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let (etag, last_modified) = (text(ETAG), text(LAST_MODIFIED));
        let is_private = text(CACHE_CONTROL).is_some_and(|value| value.to_ascii_lowercase().contains("no-store"));
        let is_large = body.len() > LARGE || body.len() as u64 > self.bytes;
        if is_large || is_private || etag.is_none() && last_modified.is_none() {
            return;
        }
        let head = FirstLine { url: self.url.clone(), length: body.len(), etag, last_modified };
        let Ok(head) = serde_json::to_string(&head) else { return };
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let part = self.folder.join(format!("part-{}-{number}", std::process::id()));
        let write = || {
            create_private(&self.folder)?;
            let mut file = fs::File::create_new(&part)?;
            writeln!(file, "{head}")?;
            file.write_all(body)?;
            drop(file);
            fs::rename(&part, &self.file)
        };
        if write().is_err() {
            // If the file was not even created, there is nothing to remove.
            let _ = fs::remove_file(&part);
        }
        if number.is_multiple_of(OFTEN) {
            prune(&self.folder, self.bytes, SystemTime::now());
        }
    }
}

/// Removes files that are too old and, if the folder is too large, the least recently used ones.
///
/// Other processes may read, write and prune at the same time. A file that a process has open can still be read to its
/// end. A response whose file was removed is fetched again. If a file was replaced in the meantime, the new file is
/// removed in the worst case, and its response is fetched again.
fn prune(folder: &Path, bytes: u64, now: SystemTime) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        let Ok(metadata) = entry.metadata() else { continue };
        let is_part = name.starts_with("part-");
        // Other files in the folder don't belong to the cache, so they are not removed.
        let is_kept = name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !metadata.is_file() || !is_part && !is_kept {
            continue;
        }
        // A file whose modification time is in the future counts as new.
        let age = metadata.modified().ok().and_then(|changed| now.duration_since(changed).ok()).unwrap_or_default();
        if age > if is_part { GIVEN_UP } else { OLD } {
            let _ = fs::remove_file(entry.path());
        } else if is_kept {
            files.push((age, metadata.len(), entry.path()));
        }
    }
    files.sort_unstable();
    let mut total = 0;
    for (_, length, path) in files {
        total += length;
        if total > bytes {
            let _ = fs::remove_file(path);
        }
    }
}

impl Kept {
    /// Returns the headers that ask the server whether the response is still valid.
    pub(super) fn validators(&self) -> Vec<(HeaderName, String)> {
        let validators = [(IF_NONE_MATCH, &self.head.etag), (IF_MODIFIED_SINCE, &self.head.last_modified)];
        validators.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))).collect()
    }
}

/// Creates the cache folder, which only the user can access.
fn create_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Returns the FNV-1a hash, which is the same in every version of the program.
fn hash(text: &str) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    text.bytes().fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn old_and_excess_files_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let write = |name: &str, age: Duration| {
            let file = fs::File::create(folder.path().join(name)).unwrap();
            file.set_len(100).unwrap();
            file.set_modified(now - age).unwrap();
        };
        let kept = |digit: &str| digit.repeat(32);
        let day = Duration::from_secs(24 * 60 * 60);
        for (digit, days) in [("a", 1), ("b", 50), ("c", 20), ("d", 91), ("e", 2)] {
            write(&kept(digit), day * days);
        }
        write("part-1-1", day);
        write("part-1-2", Duration::ZERO);
        write("part-1-3", Duration::ZERO);
        fs::File::open(folder.path().join("part-1-3")).unwrap().set_modified(now + day).unwrap();
        write("notes", day * 1000);
        let names = || {
            let entries = fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<_> = entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        prune(folder.path(), 1 << 20, now);
        let (a, b, c, e) = (kept("a"), kept("b"), kept("c"), kept("e"));
        assert_eq!(names(), [&*a, &b, &c, &e, "notes", "part-1-2", "part-1-3"]);
        prune(folder.path(), 250, now);
        assert_eq!(names(), [&*a, &e, "notes", "part-1-2", "part-1-3"]);
        prune(&folder.path().join("absent"), 0, now);
        prune(folder.path(), 0, now);
        assert_eq!(names(), ["notes", "part-1-2", "part-1-3"]);
    }
}
