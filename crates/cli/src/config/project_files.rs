//! The files of a project: those whose nearest configuration file is the project's, except excluded ones.
//!
//! The rules of a project also apply to imported files that belong to it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dashmap::DashMap;
use globset::GlobSet;

use super::{Settings, covers, project};

/// The files of a project.
#[derive(Clone, Debug, Default)]
pub(super) struct ProjectFiles(Arc<Files>);

#[derive(Debug, Default)]
struct Files {
    /// The configuration of the project. Without one, only files named on the command line belong to it.
    project: Option<PathBuf>,
    /// Patterns of excluded paths and the folders that they are relative to.
    excluded: Vec<(PathBuf, GlobSet)>,
    /// A cache, because every parse asks about the same files.
    known: DashMap<String, bool>,
}

impl ProjectFiles {
    /// Returns the files of the project that the settings belong to.
    pub(super) fn of(settings: &Settings) -> Self {
        let excluded = settings.layers.iter().map(|layer| (layer.folder.clone(), layer.exclude.clone()));
        Self(Arc::new(Files { project: settings.project.clone(), excluded: excluded.collect(), known: DashMap::new() }))
    }

    /// Returns whether a file, given by its displayed name, belongs to the project.
    pub(super) fn has(&self, name: &str) -> bool {
        let Files { project: own, excluded, known } = &*self.0;
        if let Some(is_own) = known.get(name) {
            return *is_own;
        }
        let path = Path::new(name);
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
