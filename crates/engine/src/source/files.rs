//! The file provider.
//!
//! An import can refer to any path in the file system, but only [regular files](regular) are read.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use super::regular::{self, Regular};
use super::{Address, FILE, FetchedSource, Provider, ReadError, Stamp};

/// The provider of `file` addresses.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileProvider;

impl Provider for FileProvider {
    fn serves(&self, address: &Address) -> bool {
        address.scheme() == FILE
    }

    /// Returns the address without symbolic links and in the spelling of the file system, for the part of the path that
    /// exists.
    fn identity(&self, address: &Address) -> Address {
        let canonical = address.to_path().and_then(|path| {
            path.ancestors().find_map(|there| {
                let missing = path.strip_prefix(there).ok()?;
                let real = fs::canonicalize(there).ok()?;
                // Joining an empty path would add a separator.
                Some(if missing.as_os_str().is_empty() { real } else { real.join(missing) })
            })
        });
        canonical.map_or_else(|| address.clone(), |path| Address::from_path(&path, Path::new("/")))
    }

    /// Returns the address of a file, which may be missing, in a directory whose own links are resolved; `None` for a
    /// link, which must be resolved too. On systems where names can have several spellings, the whole path must always be resolved.
    #[cfg(target_os = "linux")]
    fn identity_in(&self, directory: &Address, address: &Address) -> Option<Address> {
        let path = directory.to_path()?.join(address.to_path()?.file_name()?);
        let is_link = match fs::symlink_metadata(&path) {
            Ok(metadata) => metadata.file_type().is_symlink(),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        };
        (!is_link).then(|| Address::from_path(&path, Path::new("/")))
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        regular::read(&to_path(address)?, limit)
    }

    fn fetch(&self, address: &Address, limit: u64) -> Result<FetchedSource, ReadError> {
        let Regular { bytes, real, metadata } = regular::read_real(&to_path(address)?, limit)?;
        Ok(FetchedSource { real, stamp: stamp_of(&metadata), ..FetchedSource::new(address.clone(), bytes) })
    }

    fn stamp(&self, address: &Address) -> Option<Stamp> {
        stamp_of(&fs::metadata(address.to_path()?).ok().filter(Metadata::is_file)?)
    }

    fn exists(&self, address: &Address) -> bool {
        address.to_path().is_some_and(|path| path.is_file())
    }

    fn file(&self, address: &Address) -> Option<PathBuf> {
        to_path(address).ok()
    }

    fn list(&self, directory: &Address) -> Option<Vec<String>> {
        /// The maximum number of files that are listed.
        const MAX_FILES: usize = 100_000;
        let entries = fs::read_dir(to_path(directory).ok()?).ok()?.take(MAX_FILES + 1);
        let entries: Vec<_> = entries.filter_map(Result::ok).collect();
        let files = entries.iter().filter(|entry| entry.path().is_file());
        let names = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        (entries.len() <= MAX_FILES).then_some(names)
    }
}

/// Returns the stamp of a file. It includes the status change time, which changes even if the modification time is
/// reset to an earlier value.
#[cfg(unix)]
fn stamp_of(metadata: &Metadata) -> Option<Stamp> {
    use std::os::unix::fs::MetadataExt;
    use std::time::{Duration, UNIX_EPOCH};
    let (seconds, nanoseconds) = (u64::try_from(metadata.ctime()).ok()?, u64::try_from(metadata.ctime_nsec()).ok()?);
    let changed = Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds);
    Some(Stamp {
        bytes: metadata.len(),
        identity: (metadata.dev(), metadata.ino()),
        changed: (metadata.modified().ok()?, UNIX_EPOCH.checked_add(changed)?),
    })
}

#[cfg(not(unix))]
fn stamp_of(_: &Metadata) -> Option<Stamp> {
    None
}

fn to_path(address: &Address) -> Result<PathBuf, ReadError> {
    let path = address.to_path().ok_or_else(|| ReadError::no_provider(address))?;
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        return Err(ReadError::Io("its name contains a NUL character".to_owned()));
    }
    Ok(path)
}

#[cfg(test)]
mod tests;
