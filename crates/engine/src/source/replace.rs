//! Replaces the user's files without losing any content.
//!
//! A disk may be full, the process may be killed, and an editor may save the same file at the same time. So new content
//! is written to a [`Draft`] next to the file. When the draft is complete, it is renamed to replace the file, provided
//! that the file has not changed since it was read. The name of a draft can't be predicted, and a draft is never
//! written through a link.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// New content for a file, which is written to a separate file next to it until [`replace`](Draft::replace) is called.
///
/// Dropping a draft leaves the file unchanged.
#[derive(Debug)]
pub struct Draft {
    target: PathBuf,
    /// `None` if the target is not a regular file, in which case it is written directly.
    part: Option<Part>,
    writer: BufWriter<File>,
    expected: Expected,
    is_executable: bool,
    is_synced: bool,
}

/// The condition under which a file is replaced.
#[derive(Debug)]
enum Expected {
    Anything,
    Nothing,
    Content(Vec<u8>),
}

/// A file that is removed when it is dropped, unless it has been renamed.
#[derive(Debug)]
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        // After a rename, there is nothing to remove.
        let _ = fs::remove_file(&self.0);
    }
}

impl Draft {
    /// Creates a draft with new content for a path. If there is a link at the path, the link is kept, and the file that
    /// it leads to is replaced.
    ///
    /// # Errors
    ///
    /// Returns an error if the path is a folder or a link without a target, or if no file can be created next to it.
    pub fn new(path: &Path) -> io::Result<Self> {
        let named = |error: io::Error| at(path, &error);
        let path = &std::path::absolute(path).map_err(named)?;
        match fs::symlink_metadata(path) {
            Ok(link) if link.is_symlink() && !is_device(path) => {
                Self::at(fs::canonicalize(path).map_err(named)?).map_err(named)
            }
            _ => Self::at(path.clone()).map_err(named),
        }
    }

    /// Creates a draft with new content for a path. If there is a link at the path, the link is replaced, and the file
    /// that it leads to is kept.
    ///
    /// # Errors
    ///
    /// Returns an error if the path is a folder or if no file can be created next to it.
    pub fn in_place_of_link(path: &Path) -> io::Result<Self> {
        let named = |error: io::Error| at(path, &error);
        Self::at(std::path::absolute(path).map_err(named)?).map_err(named)
    }

    fn at(target: PathBuf) -> io::Result<Self> {
        let known = fs::symlink_metadata(&target).ok();
        let is_special =
            is_device(&target) || known.as_ref().is_some_and(|known| !known.is_file() && !known.is_symlink());
        if is_special {
            let writer = BufWriter::new(OpenOptions::new().write(true).open(&target)?);
            return Ok(Self::with(target, None, writer));
        }
        let (part, file) = create_beside(&target, known.is_none())?;
        Ok(Self::with(target, Some(part), BufWriter::new(file)))
    }

    fn with(target: PathBuf, part: Option<Part>, writer: BufWriter<File>) -> Self {
        Self { target, part, writer, expected: Expected::Anything, is_executable: false, is_synced: true }
    }

    /// Makes the replacement fail if the file no longer has the given content.
    #[must_use]
    pub fn expecting(mut self, content: impl Into<Vec<u8>>) -> Self {
        self.expected = Expected::Content(content.into());
        self
    }

    /// Makes the replacement fail if the file already exists.
    #[must_use]
    pub fn expecting_no_file(mut self) -> Self {
        self.expected = Expected::Nothing;
        self
    }

    /// Returns the path of the file to be replaced; for a link that is kept, the path of its target.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Sets whether a new file is executable. The mode of an existing file is kept.
    #[must_use]
    pub fn executable(mut self, is_executable: bool) -> Self {
        self.is_executable = is_executable;
        self
    }

    /// Replaces the file before its content is on the disk. Waiting for the disk can take 10 ms per file, which is not
    /// worth it for many files that can be generated again.
    #[must_use]
    pub fn without_sync(mut self) -> Self {
        self.is_synced = false;
        self
    }

    /// Replaces or creates the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the content can't be written or the file does not have the expected content. In this case,
    /// the file is left as it is.
    pub fn replace(self) -> io::Result<()> {
        replace_all(vec![self])
    }

    /// Writes the whole draft to the disk and gives it the mode and owner of the file.
    fn settle(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        let file = self.writer.get_ref();
        if self.part.is_none() {
            return Ok(());
        }
        match fs::symlink_metadata(&self.target).ok().filter(Metadata::is_file) {
            Some(known) => keep_mode_and_owner(file, &known)?,
            None if self.is_executable => make_executable(file)?,
            None => {}
        }
        if self.is_synced { file.sync_all() } else { Ok(()) }
    }

    /// # Errors
    ///
    /// Returns an error if the file no longer has the expected content.
    fn check(&self) -> io::Result<()> {
        let expected = match &self.expected {
            Expected::Anything => return Ok(()),
            Expected::Nothing if fs::symlink_metadata(&self.target).is_ok() => {
                return Err(ErrorKind::AlreadyExists.into());
            }
            Expected::Nothing => return Ok(()),
            Expected::Content(content) => content,
        };
        let mut content = Vec::with_capacity(expected.len());
        // One additional byte is read to detect that the file has grown.
        File::open(&self.target)?.take(expected.len() as u64 + 1).read_to_end(&mut content)?;
        if content == *expected { Ok(()) } else { Err(io::Error::other("the file has changed in the meantime")) }
    }
}

/// Replaces several files: either all of them or none.
///
/// Every draft is complete on the disk before the first file is replaced, except for those
/// [without sync](Draft::without_sync). If a file can't be replaced, the old content
/// of the files before it is restored. If the process is killed between two replacements, some files have the new
/// content and others the old content, but no file is ever incomplete.
///
/// # Errors
///
/// Returns the first error; the old content of all files has then been restored. If restoring a file fails, returns an
/// error that says where its old content is.
pub fn replace_all(mut drafts: Vec<Draft>) -> io::Result<()> {
    for draft in &mut drafts {
        draft.settle().map_err(|error| at(&draft.target, &error))?;
    }
    let is_alone = drafts.len() == 1;
    let is_synced = drafts.iter().any(|draft| draft.is_synced);
    let mut replaced: Vec<(PathBuf, Option<Part>)> = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let Draft { target, part, .. } = &draft;
        let Some(part) = part else { continue };
        let attempt = || {
            draft.check()?;
            // If there is only one file, its old content is never needed again.
            let backup = if is_alone { None } else { backup(target)? };
            draft.check()?;
            fs::rename(&part.0, target)?;
            Ok(backup)
        };
        match attempt() {
            Ok(backup) => replaced.push((target.clone(), backup)),
            Err(error) => {
                let error = at(target, &error);
                undo(replaced)?;
                return Err(error);
            }
        }
    }
    let folders = replaced.iter().filter_map(|(target, _)| target.parent());
    for folder in folders.filter(|_| is_synced) {
        // Not every file system supports this, and the content is already on the disk.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// Restores the old content of files.
fn undo(replaced: Vec<(PathBuf, Option<Part>)>) -> io::Result<()> {
    for (target, backup) in replaced.into_iter().rev() {
        let Some(backup) = backup else {
            fs::remove_file(&target).map_err(|error| at(&target, &error))?;
            continue;
        };
        if let Err(error) = fs::rename(&backup.0, &target) {
            let kept = backup.0.clone();
            // The backup is the only copy, so it must not be removed.
            std::mem::forget(backup);
            let message = format!("{}: {error}; its old content is in {}", target.display(), kept.display());
            return Err(io::Error::new(error.kind(), message));
        }
    }
    Ok(())
}

/// Saves the old content under a different name; returns `None` if there is no file yet.
fn backup(target: &Path) -> io::Result<Option<Part>> {
    for _ in 0..ATTEMPTS {
        let name = name_beside(target);
        match fs::hard_link(target, &name) {
            Ok(()) => return Ok(Some(Part(name))),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            // On file systems without hard links, the content is copied.
            Err(_) => break,
        }
    }
    let (part, mut copy) = create_beside(target, false)?;
    let mut file = File::open(target)?;
    io::copy(&mut file, &mut copy)?;
    keep_mode_and_owner(&copy, &file.metadata()?)?;
    copy.sync_all()?;
    Ok(Some(part))
}

/// The maximum number of names to try. A second attempt is hardly ever needed.
const ATTEMPTS: usize = 16;

/// Creates a file next to `target`, under a name that an attacker can't predict.
///
/// If the file is to replace an existing one, no other user can read it until it gets the mode of that file.
fn create_beside(target: &Path, is_new: bool) -> io::Result<(Part, File)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    restrict(&mut options, is_new);
    let mut attempts = 0;
    loop {
        let name = name_beside(target);
        match options.open(&name) {
            Ok(file) => return Ok((Part(name), file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && attempts < ATTEMPTS => attempts += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Returns a hidden name, so that neither searches for templates nor packed archives include the file.
fn name_beside(target: &Path) -> PathBuf {
    // The keys of the hasher are random.
    let random = RandomState::new().build_hasher().finish();
    let mut name = OsString::from(".");
    // A long name with the suffix could be too long.
    let known = target.file_name().unwrap_or_default();
    name.push(if known.len() > 200 { "draft".as_ref() } else { known });
    name.push(format!(".{random:016x}"));
    target.with_file_name(name)
}

/// Returns whether a path is a special file of the system, such as `/dev/stdout`, which may refer to a file that the
/// shell has opened.
fn is_device(path: &Path) -> bool {
    let is_of_system = path.starts_with("/dev") && !path.starts_with("/dev/shm") || path.starts_with("/proc");
    cfg!(unix) && is_of_system && fs::metadata(path).is_ok_and(|known| !known.is_dir())
}

fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(unix)]
fn restrict(options: &mut OpenOptions, is_new: bool) {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(if is_new { 0o666 } else { 0o600 }).custom_flags(libc::O_NOFOLLOW);
}

#[cfg(not(unix))]
fn restrict(_: &mut OpenOptions, _: bool) {}

#[cfg(unix)]
fn keep_mode_and_owner(file: &File, known: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let new = file.metadata()?;
    let mut mode = known.mode() & 0o7777;
    if (new.uid(), new.gid()) != (known.uid(), known.gid())
        && fchown(file, Some(known.uid()), Some(known.gid())).is_err()
    {
        // Only root can change the owner of a file. If the group can't be kept, the new group must not get the
        // permissions of the old one.
        mode &= 0o777;
        if new.gid() != known.gid() && fchown(file, None, Some(known.gid())).is_err() {
            mode &= 0o707 | (mode & 0o7) << 3;
        }
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_mode_and_owner(file: &File, known: &Metadata) -> io::Result<()> {
    file.set_permissions(known.permissions())
}

/// Makes a new file executable for every user who may read it.
#[cfg(unix)]
fn make_executable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let mode = file.metadata()?.mode() & 0o777;
    file.set_permissions(fs::Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

#[cfg(not(unix))]
fn make_executable(_: &File) -> io::Result<()> {
    Ok(())
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Seek for Draft {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.writer.seek(position)
    }
}

#[cfg(test)]
mod tests;
