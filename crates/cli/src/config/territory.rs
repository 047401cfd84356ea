//! Which files are of a project: those whose nearest configuration it has, but for what it excludes.
//!
//! What a project demands of its templates it demands of the files that they import, too, if these are its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dashmap::DashMap;
use globset::GlobSet;

use super::{Settings, covers, project};

/// The files of a project.
#[derive(Clone, Debug, Default)]
pub(super) struct Territory(Arc<Files>);

#[derive(Debug, Default)]
struct Files {
    /// The configuration of the project. Who has none, has no other files than those that are named.
    project: Option<PathBuf>,
    /// Patterns of what is excluded, and the folders that they are relative to.
    excluded: Vec<(PathBuf, GlobSet)>,
    /// Every parsing asks the same again.
    known: DashMap<String, bool>,
}

impl Territory {
    /// The files of the project that settings are of.
    pub(super) fn of(settings: &Settings) -> Self {
        let excluded = settings.layers.iter().map(|layer| (layer.folder.clone(), layer.exclude.clone()));
        Self(Arc::new(Files { project: settings.project.clone(), excluded: excluded.collect(), known: DashMap::new() }))
    }

    /// Whether a file is one of them, by its name as it is shown.
    pub(super) fn has(&self, name: &str) -> bool {
        let Files { project: own, excluded, known } = &*self.0;
        if let Some(is_own) = known.get(name) {
            return *is_own;
        }
        let path = Path::new(name);
        // What is not there yet may be later, and what is no file, such as a URL, is of no project.
        if own.is_none() || !path.is_file() {
            return false;
        }
        let is_own = project(path) == *own && !excluded.iter().any(|(folder, globs)| covers(folder, globs, path));
        known.insert(name.to_owned(), is_own);
        is_own
    }
}
