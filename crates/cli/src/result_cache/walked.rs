//! The files of folders that are templates, as far as earlier runs have found out.
//!
//! Whether a file is a template depends only on its name and its content. So a file with the same state as in an earlier
//! run need not be opened, and its state is also the one that results are compared with.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use dashmap::DashMap;
use foldhash::HashMap;
use serde::{Deserialize, Serialize};

use super::{KEPT_DAYS, State, lock, program, replace, stamp, state_of, today};
use tosca_parse::source::regular;

/// The name of the file in the folder of results.
const NAME: &str = "templates.json";
/// The maximum size of the file, in bytes.
const MAX_SIZE: u64 = 256 << 20;

/// The files that a run has found in folders.
pub(in super::super) struct Walked {
    folder: PathBuf,
    began: SystemTime,
    /// The folder that paths are relative to.
    here: PathBuf,
    known: HashMap<PathBuf, Known>,
    new: Mutex<Vec<(PathBuf, Known)>>,
    /// The current states of the files, none of which is a link.
    states: DashMap<PathBuf, State>,
}

/// The contents of the file.
#[derive(Default, Serialize, Deserialize)]
struct Stored {
    /// The version of the program.
    program: String,
    files: HashMap<PathBuf, Known>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Known {
    state: State,
    is_template: bool,
    /// The day of the last change of this record, since 1970.
    since: u64,
}

impl Walked {
    /// Reads what earlier runs have found out. A file that is missing or damaged has no records.
    pub(in super::super) fn read(folder: &Path) -> Self {
        let stored = regular::read(&folder.join(NAME), MAX_SIZE).ok();
        let stored: Option<Stored> = stored.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let known = stored.filter(|stored| stored.program == program()).unwrap_or_default().files;
        Self {
            folder: folder.to_owned(),
            began: SystemTime::now(),
            here: std::env::current_dir().unwrap_or_default(),
            known,
            new: Mutex::default(),
            states: DashMap::default(),
        }
    }

    /// Returns whether a file, which is not a link, is a template. `look` reads it.
    pub(in super::super) fn is_template(&self, path: &Path, look: impl FnOnce() -> bool) -> bool {
        let path = self.here.join(path);
        // The state from before the file is read: a later change results in another one.
        let Some(stamp) = stamp(&path) else { return look() };
        let Some(state) = state_of(stamp) else { return look() };
        self.states.insert(path.clone(), state);
        if let Some(known) = self.known.get(&path).filter(|known| known.state == state) {
            return known.is_template;
        }
        let is_template = look();
        if stamp.is_settled(self.began) && path.to_str().is_some() {
            lock(&self.new).push((path, Known { state, is_template, since: today() }));
        }
        is_template
    }

    /// Returns the state of a file that was found in a folder.
    pub(super) fn state(&self, path: &Path) -> Option<State> {
        self.states.get(path).map(|state| *state)
    }

    /// Returns whether the run has found out something new.
    pub(super) fn has_new(&self) -> bool {
        !lock(&self.new).is_empty()
    }

    /// Writes the new records, and removes those of files that are gone.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be written.
    pub(super) fn save(&self) -> io::Result<()> {
        let new = std::mem::take(&mut *lock(&self.new));
        let today = today();
        let mut files = self.known.clone();
        // Other runs may be about other folders.
        files.retain(|path, known| {
            let is_recent = known.since <= today && today - known.since <= KEPT_DAYS;
            is_recent && (self.states.contains_key(path) || fs::symlink_metadata(path).is_ok())
        });
        files.extend(new);
        let bytes = serde_json::to_vec(&Stored { program: program(), files })?;
        if bytes.len() as u64 <= MAX_SIZE { replace(&self.folder.join(NAME), &bytes) } else { Ok(()) }
    }
}
