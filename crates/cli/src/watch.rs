//! Validates again after changes. Parsers are kept, so only changed files are read.
//!
//! Files are polled, because change notifications of operating systems don't cover network drives and folders shared
//! with containers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use super::streams::Streams;

/// The polling interval.
const PAUSE: Duration = Duration::from_millis(200);

/// The metadata of files, and of their folders because missing files may be created there.
pub(super) struct Watched(BTreeMap<PathBuf, Option<Look>>);

type Look = (Option<SystemTime>, u64);

impl Watched {
    /// Records files and folders as they were when reading began. Files in an archive are watched through the archive.
    pub(super) fn new<'p>(paths: impl Iterator<Item = &'p Path>, began: SystemTime) -> Self {
        let now = SystemTime::now();
        // Files that have changed since reading began may have been read before the change.
        let look = |path: &Path| look(path).filter(|(changed, _)| !changed.is_some_and(|at| began <= at && at <= now));
        let mut watched = BTreeMap::new();
        for path in paths.map(on_disk) {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            for path in [path, folder] {
                watched.entry(path.to_owned()).or_insert_with(|| look(path));
            }
        }
        Self(watched)
    }

    /// Waits until something has changed and the changes have stopped.
    pub(super) fn wait(&self) {
        let mut before = self.0.clone();
        loop {
            thread::sleep(PAUSE);
            let now = before.keys().map(|path| (path.clone(), look(path))).collect();
            if now != self.0 && now == before {
                return;
            }
            before = now;
        }
    }

    /// Returns whether one of the given files has changed.
    pub(super) fn has_changed(&self, paths: &BTreeSet<PathBuf>) -> bool {
        paths.iter().any(|path| self.0.get(path).is_some_and(|before| *before != look(path)))
    }

    /// Prints, below the output, that the command is waiting for changes.
    pub(super) fn report(&self, streams: &mut Streams) -> io::Result<()> {
        streams.finish()?;
        let files = self.0.iter().filter(|(path, _)| path.is_file()).count();
        let files = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
        writeln!(streams.err(), "watching {files}; press Ctrl+C to stop")?;
        streams.finish()
    }
}

/// Clears the screen for new output.
pub(super) fn clear(streams: &mut Streams) -> io::Result<()> {
    if io::stdout().is_terminal() {
        write!(streams.rendered_out(), "\x1b[H\x1b[2J\x1b[3J")
    } else {
        writeln!(streams.err())
    }
}

/// Returns the file on disk that contains a source: for an archive entry, the archive.
fn on_disk(path: &Path) -> &Path {
    let archive = path.to_str().and_then(|name| name.split_once("!/")).map(|(archive, _)| Path::new(archive));
    archive.filter(|_| !path.exists()).unwrap_or(path)
}

fn look(path: &Path) -> Option<Look> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok(), metadata.len()))
}
