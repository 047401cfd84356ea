//! The files that may be changed.
//!
//! A template may import any file, and its author need not be the user of the command. Therefore changes stay inside
//! the project of each argument: the folder of its configuration, or else the folder that contains it.

use std::path::{Path, PathBuf};

use foldhash::HashSet;

/// The canonical paths of project folders and of files named as arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Project {
    folders: HashSet<PathBuf>,
    files: HashSet<PathBuf>,
}

impl Project {
    /// Adds the project of an argument, which may have a configuration.
    pub(crate) fn add(&mut self, argument: &Path, configuration: Option<&Path>) {
        let path = std::path::absolute(argument).unwrap_or_else(|_| argument.to_owned());
        let folder = match configuration.and_then(Path::parent) {
            Some(folder) => folder,
            None if path.is_dir() => &path,
            None => path.parent().unwrap_or(&path),
        };
        self.folders.extend(folder.canonicalize());
        // Naming a link also names its target.
        self.files.extend(path.canonicalize().ok().filter(|path| path.is_file()));
    }

    /// Returns whether a file belongs to the projects, with links resolved.
    pub(crate) fn has(&self, path: &Path) -> bool {
        let Ok(real) = path.canonicalize() else { return false };
        self.files.contains(&real) || real.ancestors().skip(1).any(|folder| self.folders.contains(folder))
    }
}
