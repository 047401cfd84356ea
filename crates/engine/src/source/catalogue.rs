//! Profiles by name.
//!
//! An import may name a profile and leave it to the parser to know where it is. No file says which names a folder
//! holds, so folders are searched: the ones that the user gives, then the one of the entry file, in which profiles
//! stand next to the templates that use them. Only the beginning of each file is read, and each folder once.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::OsStr;
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::path::{self, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;
use walkdir::WalkDir;

#[cfg(feature = "archive")]
use super::Archives;
use super::{Address, Finder, Library, Wanted, regular};
use head::ProfileHead;

#[cfg(feature = "archive")]
mod archived;
mod head;

/// How much of a file is searched for its name.
const HEAD: u64 = 64 << 10;
/// From this size on, a file beside the entry file is taken for anything but a profile.
const LARGE: u64 = 16 << 20;
/// How many files of one folder are read, and how many levels down.
const FILES: usize = 20_000;
const LEVELS: usize = 16;
/// How many names of one folder are looked at, files or not.
const ENTRIES: usize = 10 * FILES;

/// The profiles that can be imported by name.
///
/// A file belongs to a name if its outermost map says so under one of the keys that [`Labels`] names. If several files of
/// one folder do, the first is: one that says which version of the language it is written in, one that is called as
/// profiles are, the one whose path comes first in the alphabet.
///
/// Folders are searched when a name is first looked for, and what was found is remembered, so that later changes to
/// the files are not seen. Cheap to clone; clones share what they remember.
#[derive(Clone)]
pub struct Catalogue(Arc<Inner>);

/// By what a [`Catalogue`] knows the files of a language.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    /// The keys of the outermost map under which a file says by which name it can be imported.
    pub names: &'static [&'static str],
    /// The key under which it says which version of the language it is written in: other tools have names in their
    /// files too.
    pub version: &'static str,
    /// What the file of a profile is called, where several files have a name.
    pub file: &'static str,
    /// What to do about a name that no file has.
    pub help: &'static str,
}

struct Inner {
    labels: &'static Labels,
    places: Vec<Shelf>,
    #[cfg(feature = "archive")]
    archives: Option<Archives>,
    /// The folders of entry files, and the archives that they are in.
    folders: DashMap<Address, Arc<OnceLock<Arc<Index>>>, FxBuildHasher>,
}

struct Shelf {
    path: PathBuf,
    index: OnceLock<Index>,
}

/// What is wrong with a place that was to be searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueProblem {
    /// There is neither a file nor a folder.
    #[error("there is no file or folder `{}`, in which profiles should be", .0.display())]
    Missing(PathBuf),
    /// There is something, but it cannot be read.
    #[error("the profiles in `{}` cannot be read", .0.display())]
    Unreadable(PathBuf),
    /// A part of the folder has not been searched.
    #[error("the folder `{}` has too many files to search all of them for profiles", .0.display())]
    TooMany(PathBuf),
}

impl Catalogue {
    /// A catalogue of the given places, in the order in which they are searched: folders, with all that is below them
    /// but for hidden files and folders, and single files. A relative path starts at the current directory.
    pub fn new(labels: &'static Labels, paths: Vec<PathBuf>) -> Self {
        Self(Arc::new(Inner {
            labels,
            places: Shelf::list(paths),
            #[cfg(feature = "archive")]
            archives: None,
            folders: DashMap::default(),
        }))
    }

    /// The same, with the profiles that are in archives: those of archives that are given or are in a folder that is,
    /// and those of the archive in which the entry file is.
    #[cfg(feature = "archive")]
    pub fn with_archives(labels: &'static Labels, paths: Vec<PathBuf>, archives: Archives) -> Self {
        let archives = Some(archives);
        Self(Arc::new(Inner { labels, places: Shelf::list(paths), archives, folders: DashMap::default() }))
    }

    /// A catalogue of a library.
    pub fn of(labels: &'static Labels, library: &Library) -> Self {
        #[cfg(feature = "archive")]
        return Self::with_archives(labels, library.paths.clone(), library.archives.clone());
        #[cfg(not(feature = "archive"))]
        Self::new(labels, library.paths.clone())
    }

    /// The addresses of the places that are searched.
    fn addresses(&self) -> impl Iterator<Item = Address> {
        self.0.places.iter().map(|place| Address::from_path(&place.path, Path::new("/")))
    }

    /// The address of the profile with a name: from the places of this catalogue, or else from the folder of the
    /// entry file, without the folders below it, or from the archive that the entry file is in.
    pub fn find(&self, name: &str, entry: &Address) -> Option<Address> {
        let given = self.indices().find_map(|index| index.find(name));
        given.or_else(|| self.beside(entry)?.find(name))
    }

    /// All names with the addresses that [`Catalogue::find`] gives, sorted by name; those beside the entry file only
    /// if there is one.
    pub fn names(&self, entry: Option<&Address>) -> Vec<(String, Address)> {
        let mut names: BTreeMap<String, Address> = BTreeMap::new();
        let mut add = |index: &Index| {
            for (name, profile) in &index.profiles {
                names.entry(name.clone()).or_insert_with(|| profile.address.clone());
            }
        };
        self.indices().for_each(&mut add);
        if let Some(index) = entry.and_then(|entry| self.beside(entry)) {
            add(&index);
        }
        names.into_iter().collect()
    }

    /// What is wrong with the places of this catalogue, in their order.
    pub fn problems(&self) -> Vec<CatalogueProblem> {
        self.indices().filter_map(|index| index.problem.clone()).collect()
    }

    fn indices(&self) -> impl Iterator<Item = &Index> {
        self.0.places.iter().map(|place| place.index.get_or_init(|| self.index(&place.path, LEVELS, u64::MAX)))
    }

    /// The index of the folder of an entry file.
    fn beside(&self, entry: &Address) -> Option<Arc<Index>> {
        let folder = match entry.archive() {
            Some(archive) => archive.clone(),
            None => entry.directory(),
        };
        let path = folder.to_path();
        if path.is_none() && entry.archive().is_none() {
            return None;
        }
        // The guard of the map is dropped before the folder is searched.
        let index = Arc::clone(&self.0.folders.entry(folder.clone()).or_default());
        Some(Arc::clone(index.get_or_init(|| {
            Arc::new(match path {
                Some(path) if entry.archive().is_none() => self.index(&path, 1, LARGE),
                _ => self.index_of_archive(&folder),
            })
        })))
    }

    /// What there is in a folder or file.
    fn index(&self, path: &Path, levels: usize, large: u64) -> Index {
        Index::of(self.0.labels, path, levels, large, &mut |index, path| {
            // Archives beside an entry file are other templates, more often than not large ones.
            large == u64::MAX && self.add_archive(index, &Address::from_path(path, Path::new("/")))
        })
    }

    fn index_of_archive(&self, archive: &Address) -> Index {
        let mut index = Index::new(self.0.labels);
        self.add_archive(&mut index, archive);
        index
    }

    /// Notes the profiles of an archive; whether there is one at the address.
    fn add_archive(&self, index: &mut Index, address: &Address) -> bool {
        #[cfg(feature = "archive")]
        if let Some(archives) = self.0.archives.as_ref().filter(|archives| archives.is_archive(address)) {
            archived::add(index, archives, address);
            return true;
        }
        let _ = (&self.0.places, index, address);
        false
    }
}

impl Shelf {
    fn list(paths: Vec<PathBuf>) -> Vec<Self> {
        let place = |path: PathBuf| Self { path: path::absolute(&path).unwrap_or(path), index: OnceLock::new() };
        paths.into_iter().map(place).collect()
    }
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths = self.0.places.iter().map(|place| &place.path);
        f.debug_tuple("Catalogue").field(&paths.collect::<Vec<_>>()).finish()
    }
}

impl Finder for Catalogue {
    fn find(&self, wanted: &Wanted<'_>) -> Option<Address> {
        Catalogue::find(self, wanted.name, wanted.entry)
    }

    fn help(&self, _: &Wanted<'_>) -> Option<String> {
        Some(self.0.labels.help.to_owned())
    }

    fn names(&self, entry: Option<&Address>) -> Vec<(String, Address)> {
        Catalogue::names(self, entry)
    }

    fn places(&self) -> Vec<Address> {
        self.addresses().collect()
    }

    fn problems(&self) -> Vec<CatalogueProblem> {
        Catalogue::problems(self)
    }
}

/// The profiles of one place.
struct Index {
    labels: &'static Labels,
    profiles: BTreeMap<String, Profile>,
    problem: Option<CatalogueProblem>,
}

struct Profile {
    address: Address,
    rank: Rank,
}

/// What makes one file the better choice of two with the same name; the smallest is the best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// Other tools have a `namespace` in their files too.
    without_version: bool,
    by_another_name: bool,
}

impl Index {
    fn new(labels: &'static Labels) -> Self {
        Self { labels, profiles: BTreeMap::new(), problem: None }
    }

    /// Searches the files below `large` bytes in a folder and `levels` - 1 levels of folders in it, or a file.
    ///
    /// What `add_archive` takes for an archive and adds is not read as a file.
    fn of(
        labels: &'static Labels,
        path: &Path,
        levels: usize,
        large: u64,
        add_archive: &mut dyn FnMut(&mut Self, &Path) -> bool,
    ) -> Self {
        let mut index = Self::new(labels);
        let mut buffer = Vec::new();
        let (mut entries, mut files) = (0, 0);
        // Sorted, so that the same files are found whatever the file system begins with.
        let walk = WalkDir::new(path).follow_links(true).max_depth(levels).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.file_name())) {
            entries += 1;
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) if error.depth() == 0 => {
                    let missing = error.io_error().is_some_and(|error| error.kind() == ErrorKind::NotFound);
                    let problem = if missing { CatalogueProblem::Missing } else { CatalogueProblem::Unreadable };
                    index.problem = Some(problem(path.to_owned()));
                    break;
                }
                Err(_) => continue,
            };
            let is_file = entry.file_type().is_file();
            if entry.depth() == 0 && !is_file && !entry.file_type().is_dir() {
                index.problem = Some(CatalogueProblem::Unreadable(path.to_owned()));
            }
            if entries > ENTRIES || is_file && files == FILES {
                index.problem = Some(CatalogueProblem::TooMany(path.to_owned()));
                break;
            }
            // The size costs a look at the file, so it is asked for only where it matters.
            if is_file && (large == u64::MAX || entry.metadata().is_ok_and(|metadata| metadata.len() < large)) {
                files += 1;
                if add_archive(&mut index, entry.path()) {
                    continue;
                }
                if read_head(entry.path(), &mut buffer).is_ok() {
                    index.add(entry.path(), &buffer);
                } else if entry.depth() == 0 {
                    index.problem = Some(CatalogueProblem::Unreadable(path.to_owned()));
                }
            }
        }
        index
    }

    /// Notes the names of a file that comes after those noted before.
    fn add(&mut self, path: &Path, head: &[u8]) {
        let by_another_name = path.file_name() != Some(OsStr::new(self.labels.file));
        self.add_head(|| Address::from_path(path, Path::new("/")), by_another_name, head);
    }

    fn add_head(&mut self, address: impl Fn() -> Address, by_another_name: bool, head: &[u8]) {
        let head = ProfileHead::of(self.labels, head);
        let rank = Rank { without_version: !head.has_version, by_another_name };
        for name in head.names {
            let profile = || Profile { address: address(), rank };
            match self.profiles.entry(name) {
                Entry::Vacant(entry) => drop(entry.insert(profile())),
                Entry::Occupied(mut entry) if rank < entry.get().rank => drop(entry.insert(profile())),
                Entry::Occupied(_) => {}
            }
        }
    }

    fn find(&self, name: &str) -> Option<Address> {
        self.profiles.get(name).map(|profile| profile.address.clone())
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Reads the beginning of a file, as far as it consists of whole lines.
fn read_head(path: &Path, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.clear();
    let (file, _) = regular::open(path).map_err(io::Error::other)?;
    file.take(HEAD).read_to_end(buffer)?;
    if buffer.len() as u64 == HEAD {
        let end = buffer.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        buffer.truncate(end);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
