//! Regular files, and nothing else that the file system has a name for.
//!
//! A pipe would be waited for without end, and a device such as `/dev/zero` never ends. What a path leads to may change
//! between a look and the opening, so what counts is what has been opened, and opening never waits.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::ReadError;
use super::provider::read_limited;

/// Opens a regular file.
///
/// # Errors
///
/// There is none at the path, it is something else, or it can't be opened.
pub fn open(path: &Path) -> Result<(File, Metadata), ReadError> {
    let attempt = || {
        // Opening a device may already set something off.
        if let Some(what) = not_a_file(fs::metadata(path)?.file_type()) {
            return Ok(Err(ReadError::NotAFile { what }));
        }
        let mut options = OpenOptions::new();
        without_waiting(&mut options);
        let file = options.read(true).open(path)?;
        let metadata = file.metadata()?;
        Ok(match not_a_file(metadata.file_type()) {
            Some(what) => Err(ReadError::NotAFile { what }),
            None => Ok((file, metadata)),
        })
    };
    attempt().unwrap_or_else(|error| Err(explain(&error)))
}

/// The same, with the path of what has been opened, without links, if the system can tell.
///
/// # Errors
///
/// As for [`open`].
#[cfg(feature = "archive")]
pub(super) fn open_real(path: &Path) -> Result<(File, Option<PathBuf>), ReadError> {
    let (file, _) = open(path)?;
    let real = real_path(&file, path);
    Ok((file, real))
}

/// Reads a regular file of at most so many bytes.
///
/// # Errors
///
/// It can't be opened or read, or is larger.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    read_real(path, limit).map(|read| read.bytes)
}

/// A regular file that has been read.
pub(super) struct Regular {
    /// All of it.
    pub(super) bytes: Vec<u8>,
    /// Its path without links, if the system can tell.
    pub(super) real: Option<PathBuf>,
    /// What is known of it, from before it was read.
    pub(super) metadata: Metadata,
}

/// The same, with what else there is to know of what has been read.
///
/// # Errors
///
/// As for [`read`].
pub(super) fn read_real(path: &Path, limit: u64) -> Result<Regular, ReadError> {
    let (file, metadata) = open(path)?;
    if metadata.len() > limit {
        return Err(ReadError::TooLarge { limit });
    }
    let real = real_path(&file, path);
    let bytes = read_limited(file, limit, metadata.len()).unwrap_or_else(|error| Err(explain(&error)))?;
    Ok(Regular { bytes, real, metadata })
}

/// Where a file that has been opened really is.
#[cfg(target_os = "linux")]
fn real_path(file: &File, _: &Path) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()
}

/// Where a file that has been opened really is, as far as can be told from its name.
#[cfg(not(target_os = "linux"))]
fn real_path(_: &File, path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

#[cfg(unix)]
fn without_waiting(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(libc::O_NONBLOCK);
}

#[cfg(not(unix))]
fn without_waiting(_: &mut OpenOptions) {}

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
        // What looks like a file but has to be waited for, such as `/proc/kmsg`.
        ErrorKind::WouldBlock => ReadError::NotAFile { what: "a stream" },
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
mod tests {
    use super::*;

    #[test]
    fn errors_are_explained() {
        assert_eq!(explain(&ErrorKind::PermissionDenied.into()), ReadError::Denied);
        assert_eq!(explain(&ErrorKind::NotADirectory.into()), ReadError::NotFound);
        assert_eq!(explain(&ErrorKind::WouldBlock.into()), ReadError::NotAFile { what: "a stream" });
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_is_waited_for() {
        assert_eq!(read(Path::new("/dev/zero"), 10), Err(ReadError::NotAFile { what: "a device" }));
        // For anybody but root it is denied; for root it would never end.
        assert!(read(Path::new("/proc/kmsg"), 16 << 20).is_err());
    }
}
