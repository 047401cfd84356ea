//! Opens only regular files.
//!
//! Reading a pipe could block forever, and a device such as `/dev/zero` never ends. A path may change between a check
//! and opening the file, so the opened file is checked, and opening never blocks.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::ReadError;
use super::provider::read_limited;

/// Opens a regular file.
///
/// # Errors
///
/// Returns an error if there is no file at the path, if it is not a regular file, or if it can't be opened.
pub fn open(path: &Path) -> Result<(File, Metadata), ReadError> {
    let attempt = || {
        // Opening a device may already have an effect.
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

/// Like [`open`], but also returns the path of the opened file with links resolved, if the system knows it.
///
/// # Errors
///
/// Returns an error for the same reasons as [`open`].
#[cfg(feature = "archive")]
pub(super) fn open_real(path: &Path) -> Result<(File, Option<PathBuf>), ReadError> {
    let (file, _) = open(path)?;
    let real = real_path(&file, path);
    Ok((file, real))
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
///
/// Returns an error if the file can't be opened or read, or if it is larger.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    read_real(path, limit).map(|read| read.bytes)
}

/// Reads a regular file of at most `limit` bytes of UTF-8.
///
/// # Errors
///
/// Returns an error for the same reasons as [`read`], or if the file is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, ReadError> {
    String::from_utf8(read(path, limit)?).map_err(|_| ReadError::Io("it is not UTF-8 text".to_owned()))
}

/// A regular file that has been read.
pub(super) struct Regular {
    /// The content.
    pub(super) bytes: Vec<u8>,
    /// The path with links resolved, if the system knows it.
    pub(super) real: Option<PathBuf>,
    /// The metadata from before the read.
    pub(super) metadata: Metadata,
}

/// Like [`read`], but returns additional information about the file.
///
/// # Errors
///
/// Returns an error for the same reasons as [`read`].
pub(super) fn read_real(path: &Path, limit: u64) -> Result<Regular, ReadError> {
    let (file, metadata) = open(path)?;
    if metadata.len() > limit {
        return Err(ReadError::TooLarge { limit });
    }
    let real = real_path(&file, path);
    let bytes = read_limited(file, limit, metadata.len()).unwrap_or_else(|error| Err(explain(&error)))?;
    Ok(Regular { bytes, real, metadata })
}

/// Returns the real path of an opened file.
#[cfg(target_os = "linux")]
fn real_path(file: &File, _: &Path) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()
}

/// Returns the real path of an opened file, derived from its name because the system does not provide it.
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

/// Returns what the file is, with an article; `None` for a regular file.
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
        // A path below a file does not exist.
        ErrorKind::NotFound | ErrorKind::NotADirectory => ReadError::NotFound,
        ErrorKind::PermissionDenied => ReadError::Denied,
        ErrorKind::InvalidFilename => ReadError::Io("its name is longer than the file system allows".to_owned()),
        // Reading such a file, for example `/proc/kmsg`, would block.
        ErrorKind::WouldBlock => ReadError::NotAFile { what: "a stream" },
        _ => ReadError::Io(cause(error)),
    }
}

/// Returns the operating system's message, beginning in lower case and without the error number.
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
    fn reading_never_blocks() {
        assert_eq!(read(Path::new("/dev/zero"), 10), Err(ReadError::NotAFile { what: "a device" }));
        // Only root may read this file, and for root, reading would never end.
        assert!(read(Path::new("/proc/kmsg"), 16 << 20).is_err());
    }
}
