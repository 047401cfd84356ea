//! Answers that are kept on the disk.
//!
//! Each is a file of its own that comes into being at once, under a name that depends on the URL, so that processes can
//! share the folder without knowing of each other. What is kept is never used without asking the server whether it is
//! still the same. Nothing here is an error: without the cache, everything is only slower.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use reqwest::header::{CACHE_CONTROL, ETAG, HeaderMap, HeaderName, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use serde::{Deserialize, Serialize};

use crate::source::Address;
use crate::source::names::without_secrets;

/// More than this is not kept.
const LARGE: usize = 16 << 20;

/// The place of the answer to one URL.
pub(super) struct Cache {
    folder: PathBuf,
    file: PathBuf,
    url: String,
}

/// An answer that has been kept.
pub(super) struct Kept {
    head: Head,
    pub(super) body: Vec<u8>,
}

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct Head {
    /// Different URLs may have the same name of a file.
    url: String,
    length: usize,
    etag: Option<String>,
    last_modified: Option<String>,
}

impl Cache {
    /// The place for an address; none if nothing is to be kept of it.
    pub(super) fn of(folder: Option<&Path>, address: &Address) -> Option<Self> {
        let (folder, url) = (folder?, address.url()?);
        if without_secrets(url) != url.as_str() {
            return None;
        }
        let file = folder.join(format!("{:032x}", hash(url.as_str())));
        Some(Self { folder: folder.to_owned(), file, url: url.as_str().to_owned() })
    }

    /// What has been kept.
    pub(super) fn get(&self, limit: u64) -> Option<Kept> {
        let mut bytes = fs::read(&self.file).ok()?;
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let head: Head = serde_json::from_slice(&bytes[..end]).ok()?;
        bytes.drain(..=end);
        let is_sound = head.url == self.url && head.length == bytes.len() && bytes.len() as u64 <= limit;
        is_sound.then_some(Kept { head, body: bytes })
    }

    /// Keeps an answer, if the server can be asked whether it has changed.
    pub(super) fn put(&self, headers: &HeaderMap, body: &[u8]) {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let (etag, last_modified) = (text(ETAG), text(LAST_MODIFIED));
        let is_private = text(CACHE_CONTROL).is_some_and(|value| value.to_ascii_lowercase().contains("no-store"));
        if body.len() > LARGE || is_private || etag.is_none() && last_modified.is_none() {
            return;
        }
        let head = Head { url: self.url.clone(), length: body.len(), etag, last_modified };
        let Ok(head) = serde_json::to_string(&head) else { return };
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let part = self.folder.join(format!("part-{}-{number}", std::process::id()));
        let write = || {
            create_private(&self.folder)?;
            let mut file = fs::File::create(&part)?;
            writeln!(file, "{head}")?;
            file.write_all(body)?;
            drop(file);
            fs::rename(&part, &self.file)
        };
        if write().is_err() {
            // If it was not even created, there is nothing to remove.
            let _ = fs::remove_file(&part);
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
