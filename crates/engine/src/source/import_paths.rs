//! Finds imports in folders by file name.
//!
//! Packages import their libraries by paths or URLs that are only valid after a build has put the files next to each
//! other. If the user specifies the folder of the libraries, the file name at the end of an import is sufficient to
//! find the file.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use foldhash::HashMap;
use walkdir::WalkDir;

use super::{Address, Searches};

/// The maximum number of files and folders in the folders of all searches, which real libraries don't reach. Further
/// files are ignored.
const MAX_ENTRIES: usize = 50_000;

/// The folders, in order of precedence.
#[derive(Default)]
pub(crate) struct ImportPaths {
    folders: Vec<PathBuf>,
    /// The search before this one, which counts towards the limit.
    before: Option<Arc<Self>>,
    files: OnceLock<Files>,
    /// The files by the names and versions that they declare.
    releases: OnceLock<HashMap<(String, String), Address>>,
}

/// The files of all folders.
#[derive(Default)]
struct Files {
    list: Vec<Address>,
    /// The files by name; the first one if several have the same name.
    by_name: HashMap<String, Address>,
    /// Whether files have been ignored.
    is_cut: bool,
    /// The number of files and folders that the next search may look at.
    remaining: usize,
}

/// Splits an import of the form `name:version`; returns `None` if it has a different form.
pub(crate) fn release(url: &str) -> Option<(&str, &str)> {
    let (name, version) = url.split_once(':')?;
    let is_part = |part: &str, first: fn(&char) -> bool| {
        part.chars().next().is_some_and(|letter| first(&letter))
            && part.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_'))
    };
    (is_part(name, char::is_ascii_alphabetic) && is_part(version, char::is_ascii_digit)).then_some((name, version))
}

impl fmt::Debug for ImportPaths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.folders).finish()
    }
}

impl ImportPaths {
    pub(crate) fn of(folders: &[PathBuf], searches: &Searches) -> Arc<Self> {
        if folders.is_empty() {
            return Arc::default();
        }
        let new = |before| Self { folders: folders.to_vec(), before, ..Self::default() };
        searches.get_or_register(|known: &Self| known.folders == folders, new)
    }

    /// Returns the file whose name is the last segment of the given path or URL.
    pub(crate) fn find(&self, url: &str, directory: &Path) -> Option<Address> {
        if self.folders.is_empty() {
            return None;
        }
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit('/').next().filter(|name| !name.is_empty())?;
        self.files(directory).by_name.get(name).cloned()
    }

    /// Returns whether there are more files than can be found. `directory` is the same as for [`find`](Self::find).
    pub(crate) fn are_cut(&self, directory: &Path) -> bool {
        !self.folders.is_empty() && self.files(directory).is_cut
    }

    /// Returns the file that declares the name and version in `url`. `of` determines the name and version of a file.
    pub(crate) fn find_release(
        &self,
        url: &str,
        directory: &Path,
        of: impl Fn(&Address) -> Option<(String, String)>,
    ) -> Option<Address> {
        let (name, version) = release(url).filter(|_| !self.folders.is_empty())?;
        let releases = self.releases.get_or_init(|| {
            let mut releases = HashMap::default();
            for address in &self.files(directory).list {
                if let Some(release) = of(address) {
                    releases.entry(release).or_insert_with(|| address.clone());
                }
            }
            releases
        });
        releases.get(&(name.to_owned(), version.to_owned())).cloned()
    }

    fn files(&self, directory: &Path) -> &Files {
        self.files.get_or_init(|| {
            let remaining = self.before.as_ref().map_or(MAX_ENTRIES, |before| before.files(directory).remaining);
            self.index(directory, remaining)
        })
    }

    /// Returns whether an address is in one of the folders.
    pub(crate) fn has(&self, address: &Address, directory: &Path) -> bool {
        self.folders.iter().any(|folder| address.is_below(&Address::from_path(folder, directory)))
    }

    /// Indexes the first files of all folders.
    fn index(&self, directory: &Path, mut remaining: usize) -> Files {
        let mut files = Files::default();
        for folder in &self.folders {
            // Files are sorted by name, and files in outer folders come first.
            let mut found = Vec::new();
            for entry in WalkDir::new(directory.join(folder)).sort_by_file_name().into_iter().filter_map(Result::ok) {
                if remaining == 0 {
                    files.is_cut = true;
                    break;
                }
                remaining -= 1;
                if entry.file_type().is_file() {
                    found.push(entry);
                }
            }
            found.sort_by_key(walkdir::DirEntry::depth);
            for entry in found {
                if let Some(name) = entry.file_name().to_str() {
                    let address = Address::from_path(entry.path(), directory);
                    files.list.push(address.clone());
                    files.by_name.entry(name.to_owned()).or_insert(address);
                }
            }
        }
        Files { remaining, ..files }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use super::*;

    #[test]
    fn import_paths_have_a_common_limit() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["a/one.yaml", "a/in/two.yaml", "b/three.yaml", "b/four.yaml"] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let searches = Searches::default();
        let paths = ImportPaths::of(&["a".into(), "b".into()], &searches);
        let index = |most: usize| {
            let files = paths.index(folder.path(), most);
            let mut names: Vec<String> = files.by_name.into_keys().collect();
            names.sort();
            (names.join(" "), files.is_cut)
        };
        assert_eq!(index(7), ("four.yaml one.yaml three.yaml two.yaml".to_owned(), false));
        assert_eq!(index(6), ("four.yaml one.yaml two.yaml".to_owned(), true));
        assert_eq!(index(3), ("two.yaml".to_owned(), true));

        let others = ImportPaths::of(&["b".into()], &searches);
        assert_eq!(others.files(folder.path()).remaining, MAX_ENTRIES - 7 - 3);
        let same = ImportPaths::of(&["a".into(), "b".into()], &searches);
        assert_eq!(same.files(folder.path()).remaining, MAX_ENTRIES - 7);
    }
}
