//! Answers that are kept on the disk.
//!
//! Each is a file of its own that comes into being at once, under a name that depends on the URL, so that processes can
//! share the folder without knowing of each other. What is kept is never used without asking the server whether it is
//! still the same. Nothing here is an error: without the cache, everything is only slower.

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

/// More than this is not kept.
const LARGE: usize = 16 << 20;
/// What has not been of use for so long is thrown away.
const OLD: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// When a file that a process has begun to write was certainly given up by it.
const GIVEN_UP: Duration = Duration::from_secs(60 * 60);
/// How long a file counts as just used, so that not every use writes to the disk.
const RECENT: Duration = Duration::from_secs(60 * 60);
/// After how many new files the folder is looked through again.
const OFTEN: u32 = 256;

/// The place of the answer to one URL.
pub(super) struct Cache {
    folder: PathBuf,
    file: PathBuf,
    url: String,
    /// How many bytes the folder may have.
    bytes: u64,
}

/// An answer that has been kept.
pub(super) struct Kept {
    head: FirstLine,
    pub(super) body: Vec<u8>,
}

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct FirstLine {
    /// Different URLs may have the same name of a file.
    url: String,
    length: usize,
    etag: Option<String>,
    last_modified: Option<String>,
}

impl Cache {
    /// The place for an address; none if nothing is to be kept of it.
    pub(super) fn of(options: &HttpOptions, address: &Address) -> Option<Self> {
        let (folder, url) = (options.cache.as_deref()?, address.url()?);
        if without_secrets(url) != url.as_str() {
            return None;
        }
        let file = folder.join(format!("{:032x}", hash(url.as_str())));
        Some(Self { folder: folder.to_owned(), file, url: url.as_str().to_owned(), bytes: options.cache_bytes })
    }

    /// What has been kept.
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

    /// Notes that the file has been of use. Its time of change says so, since that of reading is not kept everywhere.
    fn touch(&self) {
        let now = SystemTime::now();
        let changed = fs::metadata(&self.file).and_then(|metadata| metadata.modified());
        if changed.is_ok_and(|changed| now.duration_since(changed).is_ok_and(|age| age > RECENT)) {
            let file = fs::File::options().append(true).open(&self.file);
            // Then it is thrown away earlier than it need be.
            let _ = file.and_then(|file| file.set_modified(now));
        }
    }

    /// Keeps an answer, if the server can be asked whether it has changed.
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
            // If it was not even created, there is nothing to remove.
            let _ = fs::remove_file(&part);
        }
        if number.is_multiple_of(OFTEN) {
            prune(&self.folder, self.bytes, SystemTime::now());
        }
    }
}

/// Throws away what is too old, and what has not been of use for longest if there is too much.
///
/// Other processes may read, write and prune at the same time. A file that is open can still be read to its end, one
/// that is gone is got again, and one that was replaced after it was looked at is lost for no more than that.
fn prune(folder: &Path, bytes: u64, now: SystemTime) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        let Ok(metadata) = entry.metadata() else { continue };
        let is_part = name.starts_with("part-");
        // Whatever else somebody has put there is not ours to remove.
        let is_kept = name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !metadata.is_file() || !is_part && !is_kept {
            continue;
        }
        // What comes from the future is as new as can be.
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
    /// What asks the server whether the answer is still the same.
    pub(super) fn validators(&self) -> Vec<(HeaderName, String)> {
        let validators = [(IF_NONE_MATCH, &self.head.etag), (IF_MODIFIED_SINCE, &self.head.last_modified)];
        validators.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))).collect()
    }
}

/// What others have been reading is nobody else's business.
fn create_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// FNV-1a, which is the same in every version of the program.
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
    fn what_is_old_or_too_much_goes() {
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
