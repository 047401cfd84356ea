//! Finds profiles by name.
//!
//! An import may name a profile and leave it to the parser to find the profile. No index file lists the names in a
//! folder, so folders are searched: first the folders that the user specifies, then the folder of the entry file,
//! because profiles may be next to the templates that use them. Only the beginning of each file is read, and each
//! folder is searched only once.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::OsStr;
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::path::{self, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use dashmap::DashMap;
use foldhash::fast::RandomState;
use walkdir::WalkDir;

#[cfg(feature = "archive")]
use super::Archives;
use super::{Address, Finder, FinderContext, NameQuery, Search, SearchPaths, Searches, observe, regular};
use head::ProfileHead;

#[cfg(feature = "archive")]
mod archived;
mod head;

/// The number of bytes at the beginning of a file that are searched for its name.
const HEAD: u64 = 64 << 10;
/// The size in bytes at which a file next to the entry file is no longer considered a profile.
const LARGE: u64 = 16 << 20;
/// The maximum depth of the subfolders to search.
const LEVELS: usize = 16;

/// What remains of the limit on a search.
#[derive(Clone, Copy)]
struct Remaining {
    /// The number of directory entries.
    entries: usize,
    /// The number of files to read.
    files: usize,
}

impl Remaining {
    /// The limit for all search paths of all searches, and for the folder of an entry file.
    const ALL: Self = Self { entries: 100_000, files: 10_000 };
}

/// The profiles that can be imported by name.
///
/// A file has a name if its outermost map contains the name under one of the keys in [`ProfileHeader`]. If several
/// files in one folder have the same name, files with a language version take precedence, then files with the usual
/// file name of profiles. Otherwise, the alphabetical order of the paths decides.
///
/// Folders are searched when a name is first looked up, and the result is cached, so later changes to the files have no
/// effect. A catalogue is cheap to clone; clones share the cache.
#[derive(Clone)]
pub struct Catalogue(Arc<Inner>);

/// The keys and the file name by which a [`Catalogue`] recognizes files in a language.
#[derive(Clone, Copy, Debug)]
pub struct ProfileHeader {
    /// The keys in the outermost map whose value is the name under which a file can be imported.
    pub names: &'static [&'static str],
    /// The key whose value is the file's language version. It distinguishes the files from those of other tools, which
    /// may have names too.
    pub version: &'static str,
    /// The usual file name of profiles. A file with this name is preferred if several files declare the same profile
    /// name.
    pub file: &'static str,
    /// Help for a name that no file declares.
    pub help: &'static str,
}

struct Inner {
    labels: &'static ProfileHeader,
    shelves: SearchPaths<Shelf>,
    #[cfg(feature = "archive")]
    archives: Option<Archives>,
    /// The indexes of entry files' folders and of the archives that contain entry files.
    folders: DashMap<Address, Arc<OnceLock<Arc<Index>>>, RandomState>,
}

/// A search path.
struct Shelf {
    path: PathBuf,
    labels: &'static ProfileHeader,
    #[cfg(feature = "archive")]
    archives: Option<Archives>,
    /// `None` if the path is not searched, because the paths before it have too many files.
    index: OnceLock<Option<Index>>,
}

/// A problem with a search path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueProblem {
    /// The path does not exist.
    #[error("the profile path `{}` does not exist", .0.display())]
    Missing(PathBuf),
    /// The path exists but can't be read.
    #[error("the profiles in `{}` can't be read", .0.display())]
    Unreadable(PathBuf),
    /// The path has not been searched, or only in part, because it and the paths before it have too many files.
    #[error("`{}` is not completely searched for profiles, because the profile paths have too many files", .0.display())]
    TooMany(PathBuf),
}

impl Catalogue {
    /// Creates a catalogue with search paths, in order of precedence. A path is a single file, or a folder that is
    /// searched with its subfolders, except for hidden files and folders. Relative paths start at the current
    /// directory.
    pub fn new(labels: &'static ProfileHeader, paths: Vec<PathBuf>) -> Self {
        let paths: Vec<PathBuf> = paths.into_iter().map(|path| path::absolute(&path).unwrap_or(path)).collect();
        Self(Arc::new(Inner::new(labels, Searches::default().register(&paths, "", |path| Shelf::new(labels, path)))))
    }

    /// Creates a catalogue with the search paths in a finder's context. It includes profiles in archives: in archives that
    /// are search paths, in archives in folders that are search paths, and in the archive that contains the entry file.
    pub fn of(labels: &'static ProfileHeader, context: &FinderContext) -> Self {
        let shelves = context.register(&format!("{labels:?}"), |path| Shelf {
            #[cfg(feature = "archive")]
            archives: Some(context.archives.clone()),
            ..Shelf::new(labels, path)
        });
        Self(Arc::new(Inner {
            #[cfg(feature = "archive")]
            archives: Some(context.archives.clone()),
            ..Inner::new(labels, shelves)
        }))
    }

    /// Returns the addresses of the search paths.
    fn addresses(&self) -> impl Iterator<Item = Address> {
        self.0.shelves.list().iter().map(|shelf| Address::from_path(&shelf.path, Path::new("/")))
    }

    /// Returns the address of the profile with the given name. It is looked up in the search paths, then in the archive
    /// that contains the entry file or, if there is none, in the entry file's folder, without subfolders.
    pub fn find(&self, name: &str, entry: &Address) -> Option<Address> {
        if let Some(found) = self.0.indices().find_map(|index| index.find(name)) {
            return Some(found);
        }
        if self.0.is_cut() {
            // What has been left out depends on the paths of other parsers.
            observe::note_unknown();
        }
        self.beside(entry)?.find(name)
    }

    /// Returns all names, sorted, with the addresses that [`Catalogue::find`] returns. Names next to the entry file are
    /// included only if an entry file is given.
    pub fn names(&self, entry: Option<&Address>) -> Vec<(String, Address)> {
        let mut names: BTreeMap<String, Address> = BTreeMap::new();
        let mut add = |index: &Index| {
            for (name, profile) in &index.profiles {
                names.entry(name.clone()).or_insert_with(|| profile.address.clone());
            }
        };
        self.0.indices().for_each(&mut add);
        if let Some(index) = entry.and_then(|entry| self.beside(entry)) {
            add(&index);
        }
        names.into_iter().collect()
    }

    /// Returns the problems with the search paths, in order.
    pub fn problems(&self) -> Vec<CatalogueProblem> {
        let mut problems = Vec::new();
        for shelf in self.0.shelves.searched() {
            let Some(index) = shelf.index.get().and_then(Option::as_ref) else {
                problems.push(CatalogueProblem::TooMany(shelf.path.clone()));
                break;
            };
            problems.extend(index.problem.clone());
            if index.is_cut() {
                break;
            }
        }
        problems
    }

    /// Returns the index of the folder or archive that contains an entry file.
    fn beside(&self, entry: &Address) -> Option<Arc<Index>> {
        let folder = match entry.archive() {
            Some(archive) => archive.clone(),
            None => entry.directory(),
        };
        let path = folder.to_path();
        if path.is_none() && entry.archive().is_none() {
            return None;
        }
        match &path {
            Some(path) if entry.archive().is_none() => observe::note_search(path),
            _ => observe::note_unknown(),
        }
        // The map's lock is released before the folder is searched.
        let index = Arc::clone(&self.0.folders.entry(folder.clone()).or_default());
        Some(Arc::clone(index.get_or_init(|| {
            Arc::new(match path {
                Some(path) if entry.archive().is_none() => self.0.index(&path),
                _ => self.0.index_of_archive(&folder),
            })
        })))
    }
}

impl Inner {
    fn new(labels: &'static ProfileHeader, shelves: SearchPaths<Shelf>) -> Self {
        Self {
            labels,
            shelves,
            #[cfg(feature = "archive")]
            archives: None,
            folders: DashMap::default(),
        }
    }

    /// Returns the indexes of the search paths.
    fn indices(&self) -> impl Iterator<Item = &Index> {
        self.shelves.searched().iter().filter_map(|shelf| shelf.index.get()?.as_ref())
    }

    /// Returns whether files in search paths have been left out.
    fn is_cut(&self) -> bool {
        self.shelves.searched().iter().any(|shelf| shelf.index.get().and_then(Option::as_ref).is_none_or(Index::is_cut))
    }

    /// Indexes a folder.
    fn index(&self, path: &Path) -> Index {
        Index::of(self.labels, path, (1, LARGE, Remaining::ALL), &mut |_, _| false)
    }

    fn index_of_archive(&self, archive: &Address) -> Index {
        #[cfg_attr(not(feature = "archive"), expect(unused_mut))]
        let mut index = Index::new(self.labels);
        #[cfg(feature = "archive")]
        index.add_archive(self.archives.as_ref(), archive);
        #[cfg(not(feature = "archive"))]
        let _ = archive;
        index
    }
}

impl Shelf {
    fn new(labels: &'static ProfileHeader, path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            labels,
            #[cfg(feature = "archive")]
            archives: None,
            index: OnceLock::new(),
        }
    }

    /// Adds the profiles in an archive. Returns whether there is an archive at the path.
    fn add_archive(&self, index: &mut Index, path: &Path) -> bool {
        #[cfg(feature = "archive")]
        return index.add_archive(self.archives.as_ref(), &Address::from_path(path, Path::new("/")));
        #[cfg(not(feature = "archive"))]
        {
            let _ = (&self.path, index, path);
            false
        }
    }
}

impl Search for Shelf {
    /// `None` if a path has too many files.
    type Remaining = Option<Remaining>;

    const LIMIT: Option<Remaining> = Some(Remaining::ALL);

    fn search(&self, remaining: Option<Remaining>) -> Option<Remaining> {
        let index = self.index.get_or_init(|| {
            let add_archive = &mut |index: &mut Index, path: &Path| self.add_archive(index, path);
            Some(Index::of(self.labels, &self.path, (LEVELS, u64::MAX, remaining?), add_archive))
        });
        index.as_ref().and_then(|index| index.remaining)
    }
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths = self.0.shelves.list().iter().map(|shelf| &shelf.path);
        f.debug_tuple("Catalogue").field(&paths.collect::<Vec<_>>()).finish()
    }
}

impl Finder for Catalogue {
    fn find(&self, query: &NameQuery<'_>) -> Option<Address> {
        Catalogue::find(self, query.name, query.entry)
    }

    fn help(&self, _: &NameQuery<'_>) -> Option<String> {
        if self.0.is_cut() {
            return Some(
                "name smaller folders for profiles: there are too many files to search all of them".to_owned(),
            );
        }
        Some(self.0.labels.help.to_owned())
    }

    fn names(&self, entry: Option<&Address>) -> Vec<(String, Address)> {
        Catalogue::names(self, entry)
    }

    fn search_paths(&self) -> Vec<Address> {
        self.addresses().collect()
    }

    fn is_observed(&self) -> bool {
        true
    }

    fn problems(&self) -> Vec<CatalogueProblem> {
        Catalogue::problems(self)
    }
}

/// The profiles below one search path.
struct Index {
    labels: &'static ProfileHeader,
    profiles: BTreeMap<String, Profile>,
    problem: Option<CatalogueProblem>,
    /// What remains for the search paths after this one; `None` if it has too many files.
    remaining: Option<Remaining>,
}

struct Profile {
    address: Address,
    rank: Rank,
}

/// The rank among files with the same profile name; the smallest rank is preferred.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// Files of other tools may have a `namespace` too.
    without_version: bool,
    by_another_name: bool,
}

impl Index {
    fn new(labels: &'static ProfileHeader) -> Self {
        Self { labels, profiles: BTreeMap::new(), problem: None, remaining: Some(Remaining::ALL) }
    }

    /// Searches a single file, or the files smaller than `large` bytes in a folder and its subfolders, down to `levels`
    /// levels.
    ///
    /// A path that `add_archive` accepts as an archive is not read as a file.
    fn of(
        labels: &'static ProfileHeader,
        path: &Path,
        (levels, large, most): (usize, u64, Remaining),
        add_archive: &mut dyn FnMut(&mut Self, &Path) -> bool,
    ) -> Self {
        let mut index = Self::new(labels);
        let mut buffer = Vec::new();
        let Remaining { mut entries, mut files } = most;
        // Entries are sorted, so that the result does not depend on the file system.
        let walk = WalkDir::new(path).follow_links(true).max_depth(levels).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.file_name())) {
            let has_room = entries > 0;
            entries = entries.saturating_sub(1);
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
            if !has_room || is_file && files == 0 {
                index.problem = Some(CatalogueProblem::TooMany(path.to_owned()));
                index.remaining = None;
                return index;
            }
            // The size requires access to the file, so it is checked only if it matters.
            if is_file && (large == u64::MAX || entry.metadata().is_ok_and(|metadata| metadata.len() < large)) {
                files -= 1;
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
        index.remaining = Some(Remaining { entries, files });
        index
    }

    /// Adds the names that a file declares. Files must be added in order.
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

    /// Adds the profiles in an archive. Returns whether there is an archive at the address.
    #[cfg(feature = "archive")]
    fn add_archive(&mut self, archives: Option<&Archives>, address: &Address) -> bool {
        let archives = archives.filter(|archives| archives.is_archive(address));
        archives.map(|archives| archived::add(self, archives, address)).is_some()
    }

    /// Returns whether files have been left out.
    fn is_cut(&self) -> bool {
        self.remaining.is_none()
    }

    fn find(&self, name: &str) -> Option<Address> {
        self.profiles.get(name).map(|profile| profile.address.clone())
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Reads the beginning of a file, up to the last complete line.
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
