//! Finds classes in the files that manifests list: those of the package itself, of the core library, and of the
//! required packages.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock};

use dashmap::DashMap;
use indexmap::IndexMap;
use tosca_parse::ard::Node;
use tosca_parse::entity::BuiltInProfile;
use tosca_parse::source::{Address, Finder, FinderContext, NameQuery, Search, SearchPaths};

use super::manifest::FOLDER;
use crate::core::NATIVE_CLASSES;
use crate::runtime::CORE;
use crate::source_file::SourceFile;
use crate::version::{Requirement, Version};

/// The prefix of package names. A class may have the name of its package.
pub(super) const PACKAGE: &str = "package ";

/// The prefix of class names whose packages are requested.
pub(super) const OWNER: &str = "package of ";

/// The name of the file that describes a package.
pub(crate) const MANIFEST: &str = "manifest.yaml";

/// The maximum size of a manifest, in bytes.
const BYTES: u64 = 1 << 20;

/// The maximum depth of folders and number of entries in a search for packages.
const REACH: (usize, usize) = (8, 20_000);

/// The classes of the core library, which come with the language.
pub static CORE_LIBRARY: &[BuiltInProfile] =
    &[BuiltInProfile { names: &[CORE], address: CORE_ADDRESS, text: crate::core::TEXT, packed: &[], published: None }];

const CORE_ADDRESS: &str = "builtin:/murano/io.murano.yaml";

/// The packages in the given folders, and those of the requesting sources.
pub struct Packages {
    context: FinderContext,
    shelves: SearchPaths<Shelf>,
    /// The packages below the paths of the context, read on first use.
    shelved: OnceLock<Vec<Arc<Known>>>,
    /// The package of each folder.
    folders: DashMap<Address, Option<Arc<Known>>>,
    core: LazyLock<Arc<Known>>,
}

/// The packages below a path.
struct Shelf {
    path: PathBuf,
    /// The manifests, and the number of directory entries that further searches may look at.
    manifests: OnceLock<(Vec<PathBuf>, usize)>,
    packages: OnceLock<Vec<Arc<Known>>>,
}

impl Search for Shelf {
    type Remaining = usize;

    const LIMIT: usize = REACH.1;

    fn search(&self, remaining: usize) -> usize {
        let found = self.manifests.get_or_init(|| {
            let (mut remaining, mut manifests) = (remaining, Vec::new());
            search(&self.path, REACH.0, &mut remaining, &mut manifests);
            (manifests, remaining)
        });
        found.1
    }
}

/// The content of a manifest.
struct Known {
    name: String,
    version: Version,
    manifest: Address,
    /// The file of each class.
    classes: IndexMap<String, Address>,
    requires: IndexMap<String, Requirement>,
}

impl Packages {
    /// Returns the packages below the folders of a context.
    pub fn of(context: &FinderContext) -> Self {
        Self {
            context: context.clone(),
            shelves: context.register("", |path| Shelf {
                path: path.to_owned(),
                manifests: OnceLock::new(),
                packages: OnceLock::new(),
            }),
            shelved: OnceLock::new(),
            folders: DashMap::new(),
            // Created on first use, so that parses of other languages don't pay for it.
            core: LazyLock::new(|| Arc::new(Known::core())),
        }
    }

    fn shelved(&self) -> &[Arc<Known>] {
        self.shelved.get_or_init(|| {
            let packages = self.shelves.searched().iter().flat_map(|shelf| {
                shelf.packages.get_or_init(|| {
                    let manifests = shelf.manifests.get().into_iter().flat_map(|(manifests, _)| manifests);
                    let addresses = manifests.map(|path| Address::from_path(path, Path::new("/")));
                    addresses.chain(in_archive(&shelf.path)).filter_map(|address| self.read(&address)).collect()
                })
            });
            packages.cloned().collect()
        })
    }

    fn read(&self, manifest: &Address) -> Option<Arc<Known>> {
        let bytes = self.context.read(manifest, BYTES).ok()?;
        Known::of(manifest, &String::from_utf8_lossy(&bytes)).map(Arc::new)
    }

    /// Returns the package that a source is in: the manifest is in the nearest folder above it that has one.
    fn own(&self, source: &Address) -> Option<Arc<Known>> {
        if source.to_string() == CORE_ADDRESS {
            return Some(self.core.clone());
        }
        let mut folder = source.directory();
        for _ in 0..REACH.0 {
            let found = match self.folders.get(&folder).map(|known| known.clone()) {
                Some(known) => known,
                None => {
                    let manifest = folder.join(MANIFEST).ok();
                    let package = manifest.filter(|at| self.context.exists(at)).and_then(|at| self.read(&at));
                    self.folders.insert(folder.clone(), package.clone());
                    package
                }
            };
            if found.is_some() {
                return found;
            }
            let above = folder.join("..").map(|above| above.as_directory()).ok().filter(|above| *above != folder)?;
            folder = above;
        }
        None
    }

    /// Returns the latest package with the given name whose version fulfills a requirement.
    fn best(&self, name: &str, requirement: &Requirement) -> Option<&Arc<Known>> {
        let fits = |known: &&Arc<Known>| known.name == name && requirement.allows(&known.version);
        self.shelved().iter().filter(fits).max_by(|left, right| left.version.cmp(&right.version))
    }

    /// Returns the core library: one of the packages, or the built-in one.
    fn core(&self) -> &Arc<Known> {
        Requirement::parse("*").ok().and_then(|any| self.best(CORE, &any)).unwrap_or(&self.core)
    }

    /// Returns the packages in which a source may look for classes, in order.
    fn visible(&self, own: Option<&Arc<Known>>) -> Vec<Arc<Known>> {
        let mut visible: Vec<Arc<Known>> = own.into_iter().chain([self.core()]).cloned().collect();
        match own {
            Some(own) => {
                let required = own.requires.iter().filter_map(|(name, requirement)| self.best(name, requirement));
                visible.extend(required.cloned());
            }
            None => {
                let mut all = self.shelved().to_vec();
                all.sort_by(|left, right| right.version.cmp(&left.version));
                visible.extend(all);
            }
        }
        visible
    }
}

impl Finder for Packages {
    fn find(&self, query: &NameQuery<'_>) -> Option<Address> {
        let own = self.own(query.importer);
        if let Some(class) = query.name.strip_prefix(OWNER) {
            let packages = self.visible(None).into_iter().chain(own);
            let owner = packages.into_iter().find(|package| package.classes.contains_key(class))?;
            return Some(owner.manifest.clone()).filter(|manifest| *manifest != self.core.manifest);
        }
        let home = own.clone();
        // A file that is next to a package but not part of it may name any class.
        let own = own.filter(|own| own.has(query.importer));
        if let Some(name) = query.name.strip_prefix(PACKAGE) {
            let any = Requirement::parse("*").ok()?;
            let requirement = own.as_ref().and_then(|own| own.requires.get(name)).unwrap_or(&any);
            let own = own.as_ref().filter(|own| own.name == name);
            return own.or_else(|| self.best(name, requirement)).map(|known| known.manifest.clone());
        }
        let visible = self.visible(own.as_ref());
        let found = visible.iter().chain(&home).find_map(|package| package.classes.get(query.name).cloned());
        // Some classes of the core library have no file.
        found.or_else(|| NATIVE_CLASSES.contains(&query.name).then(|| self.core.manifest.clone()))
    }

    fn names(&self, _: Option<&Address>) -> Vec<(String, Address)> {
        let mut names: Vec<_> =
            self.shelved().iter().map(|known| (known.name.clone(), known.manifest.clone())).collect();
        names.sort();
        names
    }
}

impl Known {
    /// Returns the readable content of a manifest.
    fn of(manifest: &Address, text: &str) -> Option<Self> {
        let source = SourceFile::read("", text);
        let (declared, name) = source.manifest()?;
        let file = |path: Node<'_>| manifest.join(&format!("{FOLDER}/{}", path.text())).ok();
        let files = declared.files(&source);
        Some(Self {
            name: name.to_owned(),
            version: declared.package_version(),
            manifest: manifest.clone(),
            classes: files.filter_map(|(class, _, path)| Some((class.to_owned(), file(path)?))).collect(),
            requires: declared.requirements(&source),
        })
    }

    /// Returns whether a source is a part of the package, rather than a model in the same folder.
    fn has(&self, source: &Address) -> bool {
        let is_class = |address: &Address| address == source;
        *source == self.manifest || self.classes.values().any(is_class) || source.to_string().contains("/Classes/")
    }

    fn core() -> Self {
        let address =
            Address::parse(CORE_ADDRESS).unwrap_or_else(|_| Address::from_path(Path::new(CORE), Path::new("/")));
        let classes = crate::core::LIBRARY.class_names().map(|name| (name, address.clone())).collect();
        Self { name: CORE.to_owned(), version: Version::ZERO, manifest: address, classes, requires: IndexMap::new() }
    }
}

/// Returns the manifest in an archive.
fn in_archive(path: &Path) -> Option<Address> {
    let is_zip = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip"));
    (is_zip && path.is_file()).then(|| Address::from_path(path, Path::new("/")).inside(MANIFEST))
}

/// Adds the manifests in a folder and its subfolders. A folder inside a package is not a package.
fn search(folder: &Path, depth: usize, left: &mut usize, manifests: &mut Vec<PathBuf>) {
    let manifest = folder.join(MANIFEST);
    if manifest.is_file() {
        manifests.push(manifest);
        return;
    }
    let Some(depth) = depth.checked_sub(1) else { return };
    let mut folders: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .take_while(|_| left.checked_sub(1).map(|rest| *left = rest).is_some())
        .map(|entry| entry.path())
        .filter(|path| path.is_dir() && !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")))
        .collect();
    folders.sort();
    folders.iter().for_each(|folder| search(folder, depth, left, manifests));
}
