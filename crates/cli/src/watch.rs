//! Validating again whenever something changes: parsers are kept, so that only what has changed is read.
//!
//! Files are looked at from time to time. What systems offer to be told of changes knows nothing of network drives and
//! of folders that containers share.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use super::streams::Streams;

/// How long nothing is looked at.
const PAUSE: Duration = Duration::from_millis(200);

/// What files look like from outside, and the folders that they are in, where what is missing may come to be.
pub(super) struct Watched(BTreeMap<PathBuf, Option<Look>>);

type Look = (Option<SystemTime>, u64);

impl Watched {
    /// Files and folders, as they were when they were read, which began at a time. What is in an archive is watched with
    /// the archive.
    pub(super) fn new<'p>(paths: impl Iterator<Item = &'p Path>, began: SystemTime) -> Self {
        let now = SystemTime::now();
        // What has changed since then may have been read before it did.
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

    /// Waits until something has changed, and changes no more.
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

    /// Whether one of some files has changed.
    pub(super) fn has_changed(&self, paths: &BTreeSet<PathBuf>) -> bool {
        paths.iter().any(|path| self.0.get(path).is_some_and(|before| *before != look(path)))
    }

    /// Says that the command is waiting, below what it has found.
    pub(super) fn tell(&self, streams: &mut Streams) -> io::Result<()> {
        streams.finish()?;
        let files = self.0.iter().filter(|(path, _)| path.is_file()).count();
        let files = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
        writeln!(streams.err(), "watching {files}; Ctrl+C stops")?;
        streams.finish()
    }
}

/// Makes room for what has been found anew.
pub(super) fn clear(streams: &mut Streams) -> io::Result<()> {
    if io::stdout().is_terminal() {
        write!(streams.rendered_out(), "\x1b[H\x1b[2J\x1b[3J")
    } else {
        writeln!(streams.err())
    }
}

/// The file that holds a source.
fn on_disk(path: &Path) -> &Path {
    let archive = path.to_str().and_then(|name| name.split_once("!/")).map(|(archive, _)| Path::new(archive));
    archive.filter(|_| !path.exists()).unwrap_or(path)
}

fn look(path: &Path) -> Option<Look> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok(), metadata.len()))
}
