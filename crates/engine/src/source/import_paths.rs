//! Finds imports in folders by file name.
//!
//! Packages import their libraries by paths or URLs that are only valid after a build has put the files next to each
//! other. If the user specifies the folder of the libraries, the file name at the end of an import is sufficient to
//! find the file.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use foldhash::HashMap;
use walkdir::WalkDir;

use super::{Address, Search, SearchPaths, Searches, observe};

/// The maximum number of files and folders in all folders, which real libraries don't reach. Further files are ignored.
const MAX_ENTRIES: usize = 50_000;

/// The folders, in order of precedence.
#[derive(Debug)]
pub(crate) struct ImportPaths(SearchPaths<Folder>);

/// A folder and its files.
struct Folder {
    path: PathBuf,
    files: OnceLock<Files>,
    /// The files by the names and versions that they declare.
    releases: OnceLock<HashMap<(String, String), Address>>,
}

/// The files of a folder.
#[derive(Default)]
struct Files {
    list: Vec<Address>,
    /// The files by name; the first one if several have the same name.
    by_name: HashMap<String, Address>,
    /// Whether files have been ignored.
    is_cut: bool,
    /// The number of files and folders that further folders may have.
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

impl ImportPaths {
    /// Registers the folders. Relative paths start at the given directory.
    pub(crate) fn new(folders: &[PathBuf], directory: &Path, searches: &Searches) -> Self {
        let folders: Vec<PathBuf> = folders.iter().map(|folder| directory.join(folder)).collect();
        Self(searches.register(&folders, "", |path| Folder {
            path: path.to_owned(),
            files: OnceLock::new(),
            releases: OnceLock::new(),
        }))
    }

    /// Returns the file whose name is the last segment of the given path or URL.
    pub(crate) fn find(&self, url: &str) -> Option<Address> {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit('/').next().filter(|name| !name.is_empty())?;
        let found = self.searched().find_map(|(_, files)| files.by_name.get(name).cloned());
        if found.is_none() && self.are_cut() {
            // It depends on the folders of other parsers.
            observe::note_unknown();
        }
        found
    }

    /// Returns whether there are more files than can be found.
    pub(crate) fn are_cut(&self) -> bool {
        self.searched().any(|(_, files)| files.is_cut)
    }

    /// Returns the file that declares the name and version in `url`. `of` determines the name and version of a file.
    pub(crate) fn find_release(&self, url: &str, of: impl Fn(&Address) -> Option<(String, String)>) -> Option<Address> {
        let (name, version) = release(url)?;
        let wanted = (name.to_owned(), version.to_owned());
        self.searched().find_map(|(folder, files)| {
            let releases = folder.releases.get_or_init(|| {
                let mut releases = HashMap::default();
                for address in &files.list {
                    if let Some(release) = of(address) {
                        releases.entry(release).or_insert_with(|| address.clone());
                    }
                }
                releases
            });
            releases.get(&wanted).cloned()
        })
    }

    /// Returns whether an address is in one of the folders.
    pub(crate) fn has(&self, address: &Address) -> bool {
        self.0.list().iter().any(|folder| address.is_below(&Address::from_path(&folder.path, Path::new("/"))))
    }

    /// Returns the folders with their files.
    fn searched(&self) -> impl Iterator<Item = (&Folder, &Files)> {
        self.0.searched().iter().filter_map(|folder| Some((&**folder, folder.files.get()?)))
    }
}

impl Search for Folder {
    type Remaining = usize;

    const LIMIT: usize = MAX_ENTRIES;

    fn search(&self, remaining: usize) -> usize {
        self.files.get_or_init(|| Files::of(&self.path, remaining)).remaining
    }
}

impl Files {
    /// Indexes the first files of a folder.
    fn of(folder: &Path, mut remaining: usize) -> Self {
        let mut files = Self::default();
        // Files are sorted by name, and files in outer folders come first.
        let mut found = Vec::new();
        for entry in WalkDir::new(folder).sort_by_file_name().into_iter().filter_map(Result::ok) {
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
                let address = Address::from_path(entry.path(), Path::new("/"));
                files.list.push(address.clone());
                files.by_name.entry(name.to_owned()).or_insert(address);
            }
        }
        Self { remaining, ..files }
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
        let found = |most: usize| {
            let searches = Searches::default();
            // Other parsers have used up the rest.
            searches.register(&["others".into()], "", |path| Folder {
                path: path.to_owned(),
                files: Files { remaining: most, ..Files::default() }.into(),
                releases: OnceLock::new(),
            });
            let paths = ImportPaths::new(&["a".into(), "b".into()], folder.path(), &searches);
            let names = ["four.yaml", "one.yaml", "three.yaml", "two.yaml"];
            (names.map(|name| paths.find(&format!("x/{name}")).is_some()), paths.are_cut())
        };
        assert_eq!(found(7), ([true, true, true, true], false));
        assert_eq!(found(6), ([true, true, false, true], true));
        assert_eq!(found(3), ([false, false, false, true], true));
        assert_eq!(found(0), ([false, false, false, false], true));
    }
}
