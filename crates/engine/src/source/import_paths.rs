//! Folders in which imports are found by the names of their files.
//!
//! Packages import their libraries by paths or URLs that only the build knows, which lays the files beside each other.
//! Whoever has the libraries names their folder, and the last part of what is imported is enough to find them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use walkdir::WalkDir;

use super::Address;

/// More files than any library has; the rest of a folder is not looked at.
const MOST_FILES: usize = 100_000;

/// The folders, nearest first.
#[derive(Default)]
pub(crate) struct ImportPaths {
    folders: Vec<PathBuf>,
    /// The files by their names; of several of one name that which comes first.
    files: OnceLock<FxHashMap<String, Address>>,
}

impl fmt::Debug for ImportPaths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.folders).finish()
    }
}

impl ImportPaths {
    pub(crate) fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders, files: OnceLock::new() }
    }

    /// The file that is called like the last part of a path or URL.
    pub(crate) fn find(&self, url: &str, directory: &Path) -> Option<Address> {
        if self.folders.is_empty() {
            return None;
        }
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit('/').next().filter(|name| !name.is_empty())?;
        self.files.get_or_init(|| self.index(directory)).get(name).cloned()
    }

    /// Whether something is in one of the folders.
    pub(crate) fn has(&self, address: &Address, directory: &Path) -> bool {
        self.folders.iter().any(|folder| address.is_below(&Address::from_path(folder, directory)))
    }

    fn index(&self, directory: &Path) -> FxHashMap<String, Address> {
        let mut files = FxHashMap::default();
        for folder in &self.folders {
            // Names are sorted, and what lies higher comes first.
            let mut entries: Vec<_> = WalkDir::new(directory.join(folder))
                .sort_by_file_name()
                .into_iter()
                .filter_map(Result::ok)
                .filter(|entry| entry.file_type().is_file())
                .take(MOST_FILES)
                .collect();
            entries.sort_by_key(walkdir::DirEntry::depth);
            for entry in entries {
                if let Some(name) = entry.file_name().to_str() {
                    let address = || Address::from_path(entry.path(), directory);
                    files.entry(name.to_owned()).or_insert_with(address);
                }
            }
        }
        files
    }
}
