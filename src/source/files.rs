//! Files.
//!
//! An import can name anything that the file system has a name for. A pipe would be waited for without end, and a
//! device such as `/dev/zero` never ends; so what is not a file is refused before it is opened.

use std::fs::{self, File, FileType};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::provider::read_limited;
use super::{Address, FILE, Provider, ReadError};
#[cfg(feature = "archive")]
use super::{Fetched, archive::Folder};

/// The provider of `file` addresses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

impl Provider for Files {
    fn serves(&self, address: &Address) -> bool {
        address.scheme() == FILE
    }

    /// The address without symbolic links, in the spelling of the file system, as far as there is something on the way
    /// to it.
    fn identity(&self, address: &Address) -> Address {
        let canonical = address.to_path().and_then(|path| {
            path.ancestors().find_map(|there| {
                let missing = path.strip_prefix(there).ok()?;
                let real = fs::canonicalize(there).ok()?;
                // Joining nothing would add a separator.
                Some(if missing.as_os_str().is_empty() { real } else { real.join(missing) })
            })
        });
        canonical.map_or_else(|| address.clone(), |path| Address::from_path(&path, Path::new("/")))
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        let path = to_path(address)?;
        let open = || {
            if let Some(what) = not_a_file(fs::metadata(&path)?.file_type()) {
                return Ok(Err(ReadError::NotAFile { what }));
            }
            let file = File::open(&path)?;
            // Another look, at what has been opened: it may have been replaced in between.
            let metadata = file.metadata()?;
            if let Some(what) = not_a_file(metadata.file_type()) {
                return Ok(Err(ReadError::NotAFile { what }));
            }
            if metadata.len() > limit {
                return Ok(Err(ReadError::TooLarge { limit }));
            }
            read_limited(file, limit, metadata.len())
        };
        open().unwrap_or_else(|error| Err(explain(&error)))
    }

    fn exists(&self, address: &Address) -> bool {
        address.to_path().is_some_and(|path| path.is_file())
    }

    /// A folder with a `TOSCA.meta` is an archive that has not been packed.
    #[cfg(feature = "archive")]
    fn fetch(&self, address: &Address, limit: u64) -> Result<Fetched, ReadError> {
        match self.read(address, limit) {
            Ok(bytes) => Ok(Fetched { address: address.clone(), bytes, root: None, findings: Vec::new() }),
            Err(error @ ReadError::NotAFile { .. }) => match Folder::at(address) {
                Some(folder) => folder.fetch(limit),
                None => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    #[cfg(feature = "archive")]
    fn further(&self, address: &Address) -> Vec<Address> {
        Folder::at(address).map(|folder| folder.others().collect()).unwrap_or_default()
    }

    fn file(&self, address: &Address) -> Option<PathBuf> {
        to_path(address).ok()
    }
}

fn to_path(address: &Address) -> Result<PathBuf, ReadError> {
    let path = address.to_path().ok_or_else(|| ReadError::no_provider(address))?;
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        return Err(ReadError::Io("its name contains a NUL character".to_owned()));
    }
    Ok(path)
}

/// What is no regular file, in words.
fn not_a_file(kind: FileType) -> Option<&'static str> {
    if kind.is_file() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a named pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
        if kind.is_char_device() || kind.is_block_device() {
            return Some("a device");
        }
    }
    Some(if kind.is_dir() { "a directory" } else { "something else" })
}

fn explain(error: &io::Error) -> ReadError {
    match error.kind() {
        // A file in the place of a directory: there is nothing below it.
        ErrorKind::NotFound | ErrorKind::NotADirectory => ReadError::NotFound,
        ErrorKind::PermissionDenied => ReadError::Denied,
        ErrorKind::InvalidFilename => ReadError::Io("its name is longer than the file system allows".to_owned()),
        _ => ReadError::Io(cause(error)),
    }
}

/// The words of the operating system, without the number of the error and in lower case.
fn cause(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split_once(" (os error").map_or(text.as_str(), |(text, _)| text);
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

#[cfg(test)]
mod tests;
