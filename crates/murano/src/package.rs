//! Packages: what their manifests say, and where their classes are.

use std::cell::{OnceCell, RefCell};
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use yaql::{Context, Result};

use crate::class::{Class, MetaSpec, meta};
use crate::failure::{Kind, fail};
use crate::name::Namespaces;
use crate::template::{Content, Template, read};
use crate::trace;
use crate::version::{Requirement, Version};

/// What classes know of the package that they are in.
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
    /// Whether functions mean what they did in YAQL 0.2.
    pub fn is_legacy(&self) -> bool {
        self.format < (1, 2)
    }
}

/// A package.
pub struct Package {
    /// What its classes know of it.
    pub origin: Rc<Origin>,
    /// Which packages it requires besides the core library and itself.
    pub requires: IndexMap<String, Requirement>,
    /// What is attached to it.
    pub meta: Vec<MetaSpec>,
    files: Vec<File>,
    /// The number of the file of each class.
    classes: IndexMap<String, usize>,
    /// Whether a manifest says so.
    declared: bool,
    pub(crate) loaded: RefCell<IndexMap<String, Rc<Class>>>,
    pub(crate) loading: RefCell<FxHashSet<String>>,
    pub(crate) context: OnceCell<Context>,
}

/// What a package is made of, before a runtime has it.
#[derive(Clone, Debug)]
pub struct PackageSource {
    name: String,
    version: Version,
    format: (u32, u32),
    requires: IndexMap<String, Requirement>,
    meta: Vec<MetaSpec>,
    files: Vec<Arc<CodeFile>>,
    /// The number of the file of each class; none if that is to be found out by reading all.
    classes: Option<IndexMap<String, usize>>,
}

/// A file of classes.
#[derive(Debug)]
pub struct CodeFile {
    /// What it is called where problems are told.
    pub name: String,
    /// What it says.
    pub text: String,
}

impl CodeFile {
    fn new(name: &str, text: &str) -> Arc<Self> {
        Arc::new(Self { name: name.to_owned(), text: text.to_owned() })
    }

    fn of(path: &Path, text: &str) -> Arc<Self> {
        Self::new(&path.strip_prefix(".").unwrap_or(path).to_string_lossy(), text)
    }
}

struct File {
    source: Arc<CodeFile>,
    documents: OnceCell<Result<Vec<Rc<Document>>>>,
}

/// A class in a file.
pub(crate) struct Document {
    /// Its qualified name, if it has one.
    pub(crate) name: Option<String>,
    pub(crate) file: Arc<CodeFile>,
    pub(crate) namespaces: Namespaces,
    pub(crate) template: Template,
}

impl PackageSource {
    /// A package of the text of its classes.
    ///
    /// # Errors
    ///
    /// What is wrong with the format or with what it requires.
    pub fn from_text(name: &str, format: &str, requires: &[(String, String)], text: &str) -> Result<Self> {
        let requirement = |(name, spec): &(String, String)| Ok((name.clone(), Requirement::parse(spec)?));
        Ok(Self {
            name: name.to_owned(),
            version: Version::parse("")?,
            format: parse_format(format),
            requires: requires.iter().map(requirement).collect::<Result<_>>()?,
            meta: Vec::new(),
            files: vec![CodeFile::new(name, text)],
            classes: None,
        })
    }

    /// The package in another version than 0.0.0.
    #[must_use]
    pub fn with_version(mut self, version: Version) -> Self {
        self.version = version;
        self
    }

    /// A package without classes.
    pub(crate) fn new(name: &str, format: &str, version: Option<&Version>) -> Self {
        Self {
            name: name.to_owned(),
            version: version.cloned().unwrap_or(Version::ZERO),
            format: parse_format(format),
            requires: IndexMap::new(),
            meta: Vec::new(),
            files: Vec::new(),
            classes: Some(IndexMap::new()),
        }
    }

    /// Attaches something to it.
    pub(crate) fn attach(&mut self, meta: Vec<MetaSpec>) {
        self.meta = meta;
    }

    /// Adds a package that it requires, of whatever version if none is given.
    pub(crate) fn require(&mut self, name: &str, versions: Option<Requirement>) {
        let versions = versions.or_else(|| Requirement::parse("").ok());
        self.requires.extend(versions.map(|versions| (name.to_owned(), versions)));
    }

    /// Adds a class in a file that has been added, or in one that is added now.
    pub(crate) fn add_class(&mut self, class: &str, known: Option<usize>, name: &str, text: &str) -> usize {
        let file = known.unwrap_or_else(|| {
            self.files.push(CodeFile::new(name, text));
            self.files.len() - 1
        });
        self.classes.get_or_insert_default().insert(class.to_owned(), file);
        file
    }

    /// Adds a file with classes, besides those that the manifest names.
    pub(crate) fn add_text(&mut self, names: &[&str], text: &str) {
        let Some(classes) = &mut self.classes else { return };
        let file = self.files.len();
        self.files.push(CodeFile::new(&self.name, text));
        for name in names {
            classes.entry((*name).to_owned()).or_insert(file);
        }
    }

    /// The name of the package.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads a package in a folder, with the manifest in it.
    ///
    /// # Errors
    ///
    /// What can't be read, and what is wrong with the manifest.
    pub fn from_folder(folder: &Path) -> Result<Self> {
        let file = |path: &Path| {
            fs::read_to_string(path)
                .map_err(|error| fail(Kind::Yaml, format!("can't read `{}`: {error}", path.display())))
        };
        let path = folder.join("manifest.yaml");
        let source = CodeFile::of(&path, &file(&path)?);
        let wrong = |error| trace::in_file(&source, error);
        let manifest = read(&source.text).map_err(wrong)?;
        let manifest = manifest.first().ok_or_else(|| fail(Kind::Yaml, format!("`{}` is empty", source.name)))?;
        let at = |key: &str| manifest.get(key).map_or(0..0, |value| value.span.clone());
        let text = |key: &str| manifest.get(key).map(|value| value.raw_value().to_python());
        let name = text("FullName").ok_or_else(|| {
            let error = fail(Kind::Yaml, "the manifest has no `FullName`");
            wrong(error.at(&manifest.span))
        })?;
        let mut requires = IndexMap::new();
        for (name, versions) in manifest.get("Require").and_then(Template::as_map).unwrap_or_default() {
            let spec = if versions.is_null() { String::new() } else { versions.raw_value().to_python() };
            let spec = Requirement::parse(&spec).map_err(|error| wrong(error.at(&versions.span)))?;
            requires.insert(name.raw_value().to_python(), spec);
        }
        let (mut files, mut paths, mut classes) = (Vec::new(), IndexMap::<String, usize>::new(), IndexMap::new());
        for (class, place) in manifest.get("Classes").and_then(Template::as_map).unwrap_or_default() {
            let path = place.raw_value().to_python();
            let number = match paths.get(&path) {
                Some(number) => *number,
                None => {
                    let whole = folder.join("Classes").join(&path);
                    let text = file(&whole).map_err(|error| wrong(error.at(&place.span)))?;
                    files.push(CodeFile::of(&whole, &text));
                    paths.insert(path, files.len() - 1);
                    files.len() - 1
                }
            };
            classes.insert(class.raw_value().to_python(), number);
        }
        Ok(Self {
            name,
            version: Version::parse(&text("Version").unwrap_or_default())
                .map_err(|error| wrong(error.at(&at("Version"))))?,
            format: parse_format(&text("Format").unwrap_or_default()),
            requires,
            meta: meta(manifest.get("Meta")).map_err(|error| wrong(error.at(&at("Meta"))))?,
            files,
            classes: Some(classes),
        })
    }
}

fn parse_format(text: &str) -> (u32, u32) {
    let (major, minor) = text.rsplit('/').next().unwrap_or_default().split_once('.').unwrap_or(("1", "0"));
    (major.parse().unwrap_or(1), minor.parse().unwrap_or(0))
}

impl Package {
    pub(crate) fn new(index: usize, source: PackageSource) -> Self {
        let PackageSource { name, version, format, requires, meta, files, classes } = source;
        let files: Vec<File> = files.into_iter().map(|source| File { source, documents: OnceCell::new() }).collect();
        let named = |file: &File| -> Vec<String> {
            file.documents().unwrap_or_default().iter().filter_map(|document| document.name.clone()).collect()
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
            loaded: RefCell::default(),
            loading: RefCell::default(),
            context: OnceCell::new(),
        }
    }

    /// The names of its classes.
    pub fn class_names(&self) -> impl Iterator<Item = &str> {
        self.classes.keys().map(String::as_str)
    }

    /// The class of a name in a file that has been read, although the manifest does not name it.
    fn known(&self, name: &str) -> Option<Rc<Document>> {
        let read = self.files.iter().filter_map(|file| file.documents.get()?.as_ref().ok());
        let is_it = |document: &&Rc<Document>| document.name.as_deref() == Some(name);
        read.flatten().find(is_it).cloned()
    }

    /// The class of a name as it is written. Nothing if the package has none.
    pub(crate) fn document(&self, name: &str) -> Result<Option<Rc<Document>>> {
        let file = match self.classes.get(name) {
            Some(file) => &self.files[*file],
            // What can't be read has no names: the problem comes to light when something is asked for.
            None if self.declared => return Ok(self.known(name)),
            None => match self.files.iter().find(|file| file.documents().is_err()) {
                Some(file) if self.files.len() == 1 => file,
                _ => return Ok(None),
            },
        };
        let documents = file.documents()?;
        if let Some(document) = documents.iter().find(|document| document.name.as_deref() == Some(name)) {
            return Ok(Some(document.clone()));
        }
        let mut nameless = documents.iter().filter(|document| document.name.is_none());
        match (nameless.next(), nameless.next()) {
            (Some(document), None) => Ok(Some(document.clone())),
            (Some(_), Some(_)) => Err(fail(
                Kind::AmbiguousClass,
                format!("Unable to identify type {name} in package {}", self.origin.name),
            )),
            _ => Ok(None),
        }
    }
}

impl File {
    fn documents(&self) -> Result<Vec<Rc<Document>>> {
        self.documents.get_or_init(|| documents(&self.source)).clone()
    }
}

/// The names of the classes of a text, as far as it can be read.
pub(crate) fn class_names(text: &str) -> Vec<String> {
    documents(&CodeFile::new("", text))
        .unwrap_or_default()
        .iter()
        .filter_map(|document| document.name.clone())
        .collect()
}

/// The classes of a file. Namespaces stay in force until the next ones.
fn documents(file: &Arc<CodeFile>) -> Result<Vec<Rc<Document>>> {
    let mut namespaces = Namespaces::default();
    let mut documents = Vec::new();
    for template in read(&file.text).map_err(|error| trace::in_file(file, error))? {
        if let Some(entries) = template.get("Namespaces") {
            namespaces = self::namespaces(entries)?;
        }
        let keys = template.as_map().unwrap_or_default();
        if keys.iter().all(|(key, _)| key.as_str() == Some("Namespaces")) {
            continue;
        }
        let name = match template.get("Name").and_then(Template::raw_text) {
            Some(name) => Some(namespaces.resolve(name)?),
            None => None,
        };
        documents.push(Rc::new(Document { name, file: file.clone(), namespaces: namespaces.clone(), template }));
    }
    Ok(documents)
}

fn namespaces(template: &Template) -> Result<Namespaces> {
    let entries = template.as_map().unwrap_or_default().iter();
    Namespaces::new(entries.map(|(prefix, namespace)| {
        let namespace = match &namespace.content {
            Content::Null => String::new(),
            _ => namespace.raw_value().to_python(),
        };
        (prefix.raw_value().to_python(), namespace)
    }))
}
