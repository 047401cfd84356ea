//! The files of a project: those whose nearest configuration file is the project's, except excluded ones.
//!
//! The rules of a project also apply to imported files that belong to it.

use std::path::PathBuf;
use std::sync::Arc;

use dashmap::DashMap;
use globset::GlobSet;

use crate::settings::{covers, project};

/// The files of a project.
#[derive(Clone, Debug, Default)]
pub(super) struct ProjectFiles(Arc<Files>);

#[derive(Debug, Default)]
struct Files {
    /// The configuration of the project. Without one, only files named on the command line belong to it.
    project: Option<PathBuf>,
    /// The folder that names are relative to.
    directory: PathBuf,
    /// Patterns of excluded paths and the folders that they are relative to.
    excluded: Vec<(PathBuf, GlobSet)>,
    /// A cache, because every parse asks about the same files.
    known: DashMap<String, bool>,
}

impl ProjectFiles {
    /// Creates the files of a project without those that a pattern excludes. Each set of patterns is relative to a folder.
    pub(super) fn new(project: Option<PathBuf>, directory: PathBuf, excluded: Vec<(PathBuf, GlobSet)>) -> Self {
        Self(Arc::new(Files { project, directory, excluded, known: DashMap::new() }))
    }

    /// Returns whether a file, given by its displayed name, belongs to the project.
    pub(super) fn has(&self, name: &str) -> bool {
        let Files { project: own, directory, excluded, known } = &*self.0;
        if let Some(is_own) = known.get(name) {
            return *is_own;
        }
        let path = &directory.join(name);
        // Missing files may be created later, so they are not cached. Addresses that are not files, such as URLs,
        // belong to no project.
        if own.is_none() || !path.is_file() {
            return false;
        }
        let is_own = project(path) == *own && !excluded.iter().any(|(folder, globs)| covers(folder, globs, path));
        known.insert(name.to_owned(), is_own);
        is_own
    }
}
