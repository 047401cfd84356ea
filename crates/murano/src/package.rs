//! Packages: their manifests and the files of their classes.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use foldhash::{HashMap, HashSet};
use indexmap::IndexMap;
use tosca_parse::ard::{self, Node};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::Id;
use tosca_parse::rules::{INVALID_WORD, MISSING_KEYNAME, YAML_SYNTAX};
use tosca_parse::source::{SharedText, Source, is_yaml_name, regular};
use tosca_parse_yaql::{Context, Result};

use crate::class::{Class, MetaSpec};
use crate::error::{Kind, fail};
use crate::language::rules::{INVALID_NAMESPACE, INVALID_STATEMENT};
use crate::language::{self, FOLDER, Listing, MANIFEST};
use crate::name::Namespaces;
use crate::source_file::{SourceFile, range};
use crate::version::{Requirement, Version};

/// The folder with the resources of a package.
const RESOURCES: &str = "Resources";

/// The properties of a package that its classes use.
#[derive(Debug)]
pub struct Origin {
    /// The number of the package in its runtime.
    pub index: usize,
    /// The name of the package.
    pub name: String,
    /// Its version.
    pub version: Version,
    /// Its format, such as 1.4.
    pub format: (u32, u32),
}

impl Origin {
    /// Returns whether functions have the semantics of YAQL 0.2.
    pub fn is_legacy(&self) -> bool {
        self.format < LEGACY_BEFORE
    }
}

/// The first format without the functions of YAQL 0.2.
pub(crate) const LEGACY_BEFORE: (u32, u32) = (1, 2);

/// A package.
pub struct Package {
    /// The properties that its classes use.
    pub origin: Rc<Origin>,
    /// The required packages, apart from the core library and itself.
    pub requires: IndexMap<String, Requirement>,
    /// The metadata that is attached to it.
    pub meta: Vec<MetaSpec>,
    files: Vec<File>,
    /// The index in `files` of each class's file.
    classes: IndexMap<String, usize>,
    /// Whether a manifest lists the classes.
    declared: bool,
    /// The classes that the manifest does not name, of the files that have been read.
    unlisted: RefCell<HashMap<String, Rc<Document>>>,
    pub(crate) resources: Option<Resources>,
    /// The loaded classes and the reasons why others can't be loaded.
    pub(crate) loaded: RefCell<HashMap<String, Result<Rc<Class>>>>,
    pub(crate) loading: RefCell<HashSet<String>>,
    pub(crate) context: OnceCell<Context>,
}

/// The source of a package that no runtime has loaded yet.
#[derive(Clone, Debug)]
pub struct PackageSource {
    name: String,
    version: Version,
    format: (u32, u32),
    requires: IndexMap<String, Requirement>,
    meta: Vec<MetaSpec>,
    files: Vec<LazyFile>,
    /// The number of the file that contains each class; `None` if all files must be read to find it.
    classes: Option<IndexMap<String, usize>>,
    resources: Option<Resources>,
}

/// The resources of a package.
#[derive(Clone, Debug)]
pub(crate) enum Resources {
    /// The folder that contains them.
    Folder(PathBuf),
    /// All files of a package that is in memory, by their paths.
    Memory(Arc<BTreeMap<String, String>>),
}

impl Resources {
    /// The maximum size of a resource, in bytes.
    const MAX_BYTES: u64 = 16 << 20;

    /// Reads a file in the folder or a subfolder.
    pub(crate) fn read(&self, name: &str) -> std::result::Result<Vec<u8>, String> {
        let outside = || "it is not in the folder of resources".to_owned();
        let failed = |error: std::io::Error| error.to_string();
        let is_normal = |part: Component<'_>| matches!(part, Component::Normal(_));
        if name.is_empty() || !Path::new(name).components().all(is_normal) {
            return Err(outside());
        }
        let folder = match self {
            Self::Folder(folder) => folder.canonicalize().map_err(failed)?,
            Self::Memory(files) => {
                let text = files.get(&format!("{RESOURCES}/{name}")).ok_or("it does not exist")?;
                return Ok(text.clone().into_bytes());
            }
        };
        let path = folder.join(name).canonicalize().map_err(failed)?;
        if !path.starts_with(&folder) {
            return Err(outside());
        }
        regular::read(&path, Self::MAX_BYTES).map_err(|error| error.to_string())
    }
}

/// A class file, read on first use.
pub(crate) type LazyFile = Arc<LazyLock<SourceFile, Box<dyn FnOnce() -> SourceFile + Send>>>;

pub(crate) fn lazy(read: impl FnOnce() -> SourceFile + Send + 'static) -> LazyFile {
    Arc::new(LazyLock::new(Box::new(read)))
}

fn file(name: String, text: impl Into<SharedText>) -> LazyFile {
    let text = text.into();
    lazy(move || SourceFile::read(&name, text))
}

struct File {
    source: LazyFile,
    documents: OnceCell<Result<Documents>>,
}

/// The classes of a file.
#[derive(Clone, Default)]
struct Documents {
    named: IndexMap<String, Rc<Document>>,
    nameless: Vec<Rc<Document>>,
}

/// A class in a file.
pub(crate) struct Document {
    /// Its qualified name, if it has one.
    pub(crate) name: Option<String>,
    pub(crate) namespaces: Namespaces,
    pub(crate) source: SourceFile,
    pub(crate) class: Id<language::Class>,
}

impl PackageSource {
    /// Creates a package from the text of its classes.
    ///
    /// # Errors
    ///
    /// Returns an error for an invalid format or requirement.
    pub fn from_text(name: &str, format: &str, requires: &[(String, String)], text: &str) -> Result<Self> {
        let requirement = |(name, spec): &(String, String)| Ok((name.clone(), Requirement::parse(spec)?));
        let requires = requires.iter().map(requirement).collect::<Result<_>>()?;
        Ok(Self { requires, ..Self::of_file(name, format, text) })
    }

    /// Returns a package of one file, which requires no other.
    pub(crate) fn of_file(name: &str, format: &str, text: impl Into<SharedText>) -> Self {
        Self {
            name: name.to_owned(),
            version: Version::ZERO,
            format: parse_format(format),
            requires: IndexMap::new(),
            meta: Vec::new(),
            files: vec![file(name.to_owned(), text)],
            classes: None,
            resources: None,
        }
    }

    /// Sets the version of the package; 0.0.0 by default.
    #[must_use]
    pub fn with_version(mut self, version: Version) -> Self {
        self.version = version;
        self
    }

    /// Adds a file with classes that the manifest need not name.
    pub(crate) fn add_text(&mut self, names: &[&str], text: &str) {
        let Some(classes) = &mut self.classes else { return };
        let number = self.files.len();
        self.files.push(file(self.name.clone(), text));
        for name in names {
            classes.entry((*name).to_owned()).or_insert(number);
        }
    }

    /// Returns the name of the package.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the names of the classes in its readable files.
    pub(crate) fn class_names(&self) -> impl Iterator<Item = String> {
        let documents = self.files.iter().flat_map(|source| documents(source).unwrap_or_default());
        documents.filter_map(|document| document.name.clone())
    }

    /// Reads the package in a folder that contains a manifest.
    ///
    /// # Errors
    ///
    /// Returns an error for unreadable files or an invalid manifest.
    pub fn from_folder(folder: &Path) -> Result<Self> {
        let read = |path: &Path| -> Result<Source> {
            let text = regular::read_text(path, ard::Limits::default().bytes)
                .map_err(|error| fail(Kind::Yaml, format!("can't read `{}`: {error}", path.display())))?;
            let name = path.strip_prefix(".").unwrap_or(path).to_string_lossy();
            Ok(Source::new(SourceId(0), name, text).shown(is_yaml(path)))
        };
        let manifest = Self::checked_manifest(read(&folder.join(MANIFEST))?)?;
        let package = Self::of_manifest(&manifest, |_, path| {
            let source = read(&folder.join(FOLDER).join(path))?;
            Ok(Some(lazy(move || SourceFile::read_source(source))))
        })?;
        Self::named(package, &manifest, Resources::Folder(folder.join(RESOURCES)))
    }

    /// Reads a package whose files are in memory, by their paths in its folder, which are separated by `/`.
    ///
    /// # Errors
    ///
    /// Returns an error for missing files or an invalid manifest.
    pub fn from_files(files: impl IntoIterator<Item = (String, String)>) -> Result<Self> {
        let files: Arc<BTreeMap<String, String>> = Arc::new(files.into_iter().collect());
        let text = |path: &str| {
            files.get(path).cloned().ok_or_else(|| fail(Kind::Yaml, format!("the package has no file `{path}`")))
        };
        let source = Self::checked_manifest(Source::new(SourceId(0), MANIFEST, text(MANIFEST)?))?;
        let package = Self::of_manifest(&source, |_, path| {
            let path = format!("{FOLDER}/{path}");
            Ok(Some(file(path.clone(), text(&path)?)))
        })?;
        Self::named(package, &source, Resources::Memory(files.clone()))
    }

    /// Reads a manifest and checks what matters to the runtime. The type of a package only matters to publishers.
    fn checked_manifest(source: Source) -> Result<SourceFile> {
        let source = SourceFile::read_source(source);
        let concerns_type = [MISSING_KEYNAME.code, INVALID_WORD.code];
        source.check(&Namespaces::default(), |problem| !concerns_type.contains(&problem.rule.code))?;
        Ok(source)
    }

    /// Returns a package with its resources, or an error if it has no name.
    fn named(package: Option<Self>, manifest: &SourceFile, resources: Resources) -> Result<Self> {
        let package = package.map(|package| Self { resources: Some(resources), ..package });
        let whole = 0..manifest.unit().source.text().len() as u32;
        package.ok_or_else(|| manifest.at(whole, fail(Kind::Yaml, "the manifest has no `FullName`")))
    }

    /// Returns the package that a manifest describes; `None` if it has no name. `file` finds the files of classes.
    pub(crate) fn of_manifest(
        source: &SourceFile,
        mut file: impl FnMut(Id<Listing>, &str) -> Result<Option<LazyFile>>,
    ) -> Result<Option<Self>> {
        let Some((manifest, name)) = source.manifest() else { return Ok(None) };
        let (mut files, mut paths, mut classes) = (Vec::new(), HashMap::default(), IndexMap::new());
        for (class, listing, path) in manifest.files(source) {
            let Some(inside) = normal_path(path.text()) else {
                let message = format!("`{}` is not a path in the folder `{FOLDER}` of the package", path.text());
                return Err(source.at(range(path), fail(Kind::Yaml, message)));
            };
            let number = match paths.get(&inside) {
                Some(number) => *number,
                None => {
                    let found = file(listing, &inside).map_err(|error| source.at(range(path), error))?;
                    let Some(found) = found else { continue };
                    files.push(found);
                    paths.insert(inside, files.len() - 1);
                    files.len() - 1
                }
            };
            classes.insert(class.to_owned(), number);
        }
        Ok(Some(Self {
            name: name.to_owned(),
            version: manifest.package_version(),
            format: parse_format(manifest.format.and_then(|format| source.node(format.0)).map_or("", Node::text)),
            requires: manifest.requirements(source),
            meta: MetaSpec::all(source, &manifest.meta)?,
            files,
            classes: Some(classes),
            resources: None,
        }))
    }
}

/// Returns whether a file is in YAML, judging by its name, with links resolved.
fn is_yaml(path: &Path) -> bool {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    is_yaml_name(&real.file_name().unwrap_or_default().to_string_lossy())
}

/// Returns a path without `.` and `..`; `None` if it leads outside.
fn normal_path(path: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    (!path.starts_with('/') && !path.contains('\\') && !parts.is_empty()).then(|| parts.join("/"))
}

/// Returns the numbers of a format, such as 1.4.
pub(crate) fn parse_format(text: &str) -> (u32, u32) {
    let (major, minor) = text.rsplit('/').next().unwrap_or_default().split_once('.').unwrap_or(("1", "0"));
    (major.parse().unwrap_or(1), minor.parse().unwrap_or(0))
}

impl Package {
    pub(crate) fn new(index: usize, source: PackageSource) -> Self {
        let PackageSource { name, version, format, requires, meta, files, classes, resources } = source;
        let files: Vec<File> = files.into_iter().map(|source| File { source, documents: OnceCell::new() }).collect();
        let named = |file: &File| -> Vec<String> {
            file.documents().map_or_else(|_| Vec::new(), |documents| documents.named.keys().cloned().collect())
        };
        let found = || {
            let names = |(number, file)| named(file).into_iter().map(move |name| (name, number));
            files.iter().enumerate().flat_map(names).collect()
        };
        let declared = classes.is_some();
        let classes = classes.unwrap_or_else(found);
        Self {
            origin: Rc::new(Origin { index, name, version, format }),
            requires,
            meta,
            files,
            classes,
            declared,
            unlisted: RefCell::default(),
            resources,
            loaded: RefCell::default(),
            loading: RefCell::default(),
            context: OnceCell::new(),
        }
    }

    /// Returns the names of its classes.
    pub fn class_names(&self) -> impl Iterator<Item = &str> {
        self.classes.keys().map(String::as_str)
    }

    /// Returns the class with the given name, as written; `None` if the package has none.
    pub(crate) fn document(&self, name: &str) -> Result<Option<Rc<Document>>> {
        let file = match self.classes.get(name) {
            Some(file) => &self.files[*file],
            // Unreadable files have no names: the problem is reported when one of their classes is requested.
            None if self.declared => return Ok(self.unlisted.borrow().get(name).cloned()),
            None => match self.files.iter().find(|file| file.documents().is_err()) {
                Some(file) if self.files.len() == 1 => file,
                _ => return Ok(None),
            },
        };
        let is_new = file.documents.get().is_none();
        let documents = file.documents()?;
        if is_new {
            let unlisted = documents.named.iter().filter(|(name, _)| !self.classes.contains_key(*name));
            let unlisted = unlisted.map(|(name, document)| (name.clone(), document.clone()));
            self.unlisted.borrow_mut().extend(unlisted);
        }
        if let Some(document) = documents.named.get(name) {
            return Ok(Some(document.clone()));
        }
        match documents.nameless.as_slice() {
            [document] => Ok(Some(document.clone())),
            [] => Ok(None),
            _ => Err(fail(
                Kind::AmbiguousClass,
                format!("Unable to identify type {name} in package {}", self.origin.name),
            )),
        }
    }
}

impl File {
    fn documents(&self) -> Result<&Documents> {
        let read = || {
            let mut all = Documents::default();
            for document in documents(&self.source)? {
                match document.name.clone() {
                    Some(name) => drop(all.named.entry(name).or_insert(document)),
                    None => all.nameless.push(document),
                }
            }
            Ok(all)
        };
        self.documents.get_or_init(read).as_ref().map_err(Clone::clone)
    }
}

/// Returns the classes of a file. Namespaces stay in force until the next ones.
pub(crate) fn documents(source: &SourceFile) -> Result<Vec<Rc<Document>>> {
    let is_whole = source.unit().document.is_complete();
    // Code that error recovery has changed must not run.
    let concerns_all = [YAML_SYNTAX.code, INVALID_NAMESPACE.code];
    source.check(&Namespaces::default(), |problem| !is_whole || concerns_all.contains(&problem.rule.code))?;
    let mut namespaces = Namespaces::default();
    let mut documents = Vec::new();
    for (class, declared) in source.classes() {
        if let Some(prefixes) = &declared.namespaces {
            namespaces = prefixes.value.0.clone();
        }
        let name = declared.name.map(|_| source.name(class.any()).to_owned());
        let document = Document { name, namespaces: namespaces.clone(), source: source.clone(), class };
        // Namespaces affect other classes, and a class with an invalid name is never looked up.
        if !declared.is_declared() || document.name.as_deref() == Some("") {
            document.check()?;
        }
        if declared.is_declared() {
            documents.push(Rc::new(document));
        }
    }
    Ok(documents)
}

impl Document {
    /// Checks the class and returns its first error. Those in statements have other kinds and are found when they are
    /// parsed.
    pub(crate) fn check(&self) -> Result<()> {
        let node = self.source.header(self.class.any()).map(|header| self.source.unit().document.node(header.node));
        let part = node.map_or(0..0, range);
        self.source.check(&self.namespaces, |problem| {
            part.contains(&problem.span.start) && problem.rule.code != INVALID_STATEMENT.code
        })
    }
}
