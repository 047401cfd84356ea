//! Manifests: names, classes, and required packages.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use tosca_parse::ard::{Kind as NodeKind, Node};
use tosca_parse::entity::position_context::PositionPart;
use tosca_parse::entity::{
    AnyId, Children, CompletionRequest, CompletionResponse, FieldKey, Id, LocalId, Located, Members, Scalar, Text,
    Value, Values,
};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::read::Reader;
use tosca_parse::phase::{Context, NamedFile, Program, Units};
use tosca_parse::{Entity, Enumerated, field_key};

use super::attachment::Attachments;
use super::{CLASSES, rules};
use crate::package::{PackageSource, lazy};
use crate::source_file::SourceFile;
use crate::version::{Requirement, Version};

/// A manifest as a file.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "file of a manifest")]
#[non_exhaustive]
pub struct ManifestFile {
    /// The manifest.
    #[field(short(list))]
    pub manifests: Children<Manifest>,
}

/// A package and its contents.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "manifest")]
#[non_exhaustive]
pub struct Manifest {
    /// The format of the package, such as `1.4`: it determines the meaning of functions.
    #[field(keyname = "Format", default = "1.0")]
    pub format: Option<Value>,
    /// Whether the package is an application or a library.
    #[field(keyname = "Type", mandatory)]
    pub package_type: Option<Located<PackageType>>,
    /// The name that other packages use to require it.
    #[field(keyname = "FullName", mandatory)]
    pub full_name: Option<Located<PackageName>>,
    /// Its version.
    #[field(keyname = "Version", default = "0.0.0")]
    pub version: Option<Located<Version>>,
    /// The file of each class, relative to the folder `Classes`.
    #[field(keyname = "Classes")]
    pub classes: Members<Listing>,
    /// The required packages.
    #[field(keyname = "Require")]
    pub requires: Members<Required>,
    /// The metadata that is attached to it.
    #[field(keyname = "Meta", lookup(CLASSES))]
    pub meta: Attachments,
    /// The display name.
    #[field(keyname = "Name")]
    pub name: Option<Value>,
    /// The description.
    #[field(keyname = "Description")]
    pub description: Option<Value>,
    /// The author.
    #[field(keyname = "Author")]
    pub author: Option<Value>,
    /// Search terms.
    #[field(keyname = "Tags")]
    pub tags: Option<Value>,
    /// The file that contains its form, relative to the folder `UI`.
    #[field(keyname = "UI", file)]
    pub ui: Option<Text>,
    /// The file that contains its logo.
    #[field(keyname = "Logo", file)]
    pub logo: Option<Text>,
    /// The supplier.
    #[field(keyname = "Supplier")]
    pub supplier: Values,
}

/// The type of a package.
#[derive(Enumerated, Clone, Copy, Debug, PartialEq, Eq)]
#[enumerated(title = "type of a package")]
#[non_exhaustive]
pub enum PackageType {
    /// An application that users deploy.
    #[value(name = "Application")]
    Application,
    /// A library for other packages.
    #[value(name = "Library")]
    Library,
}

/// The name of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageName(pub String);

impl Scalar for PackageName {
    const WHAT: &'static str = "the name of a package";

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        let text = node.text();
        let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "._".contains(c));
        if node.kind() != NodeKind::String || !is_name(text) {
            reader
                .problem(&rules::INVALID_MANIFEST, node, format!("`{text}` is not a valid package name"))
                .help("write words separated by dots, such as `com.example.Shop`");
            return None;
        }
        Some(Self(text.to_owned()))
    }
}

impl Scalar for Version {
    const WHAT: &'static str = "a version";

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        Self::parse(node.text())
            .map_err(|_| {
                let message = format!("`{}` is not a version", node.text());
                reader
                    .problem(&rules::INVALID_MANIFEST, node, message)
                    .help("write up to three numbers, such as `1.2.0`");
            })
            .ok()
    }
}

/// A class of a package.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "class of a package")]
#[non_exhaustive]
pub struct Listing {
    /// The file that contains the class, relative to the folder `Classes`.
    #[field(mandatory, short(scalar))]
    pub file: Option<Text>,
}

/// The folder with the forms of a package.
const FORMS: &str = "UI";

const FORM: FieldKey = field_key!(Manifest.ui);

/// Returns the file that a scalar in a manifest names.
pub(crate) fn named_file(context: &Context<'_>, owner: AnyId, node: Node<'_>) -> Option<NamedFile> {
    let manifest = context.get(owner.cast::<Manifest>()?)?;
    let is_form = manifest.ui.is_some_and(|ui| ui.0.node == node.id());
    let path = node.text();
    Some(NamedFile::at(if is_form { format!("{FORMS}/{path}") } else { path.to_owned() }))
}

/// Returns the possible values at a position. Forms are not next to the manifest, so no files are proposed for them.
pub(crate) fn complete_value(request: &CompletionRequest<'_>) -> CompletionResponse {
    let is_form = match &request.position.part {
        PositionPart::Value { field, .. } => FieldKey::of(request.position.innermost().entity, field) == FORM,
        _ => false,
    };
    CompletionResponse { is_exclusive: is_form, ..CompletionResponse::default() }
}

/// The folder with the classes of a package.
pub(crate) const FOLDER: &str = "Classes";

/// A required package.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "required package")]
#[non_exhaustive]
pub struct Required {
    /// The accepted versions.
    #[field(keyname = "version", short(scalar), default = "0")]
    pub versions: Option<Located<Requirement>>,
}

impl Scalar for Requirement {
    const WHAT: &'static str = "a range of versions";

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        Self::parse(node.text())
            .map_err(|_| {
                let message = format!("`{}` is not a range of versions", node.text());
                reader
                    .problem(&rules::INVALID_MANIFEST, node, message)
                    .help("write one or more version conditions, such as `>=1.2, <2`");
            })
            .ok()
    }
}

/// Returns the packages whose manifests are in a program, with the units of their classes.
pub fn packages(program: &Program<Complete>) -> Vec<PackageSource> {
    let package = |number| {
        let source = SourceFile::of(&program.units, number);
        let imports = &source.unit().imports;
        let links = program.links[number].iter().map(|link| (imports[link.import].entity, link.unit));
        let files: FxHashMap<LocalId, usize> = links.collect();
        let file = |listing: Id<Listing>| {
            let source = SourceFile::of(&program.units, *files.get(&listing.any().local())?);
            Some(lazy(move || source))
        };
        PackageSource::of_manifest(&source, |listing, _| Ok(file(listing))).ok().flatten()
    };
    (0..program.list.len()).filter_map(package).collect()
}

impl Manifest {
    /// Returns the name of the package.
    pub fn package_name(&self) -> Option<&str> {
        self.full_name.as_ref().map(|name| name.value.0.as_str())
    }

    /// Returns the version of the package.
    pub(crate) fn package_version(&self) -> Version {
        self.version.as_ref().map_or(Version::ZERO, |version| version.value.clone())
    }

    /// Returns the names and files of the classes.
    pub(crate) fn files<'a>(&self, units: &'a Units) -> impl Iterator<Item = (&'a str, Id<Listing>, Node<'a>)> {
        let file = |id| units.node(units.raw_as::<Listing>(id)?.file?.0);
        self.classes.iter().filter_map(move |(name, id)| Some((units.text(name), id, file(id)?)))
    }

    /// Returns the required packages and their versions.
    pub(crate) fn requirements(&self, units: &Units) -> IndexMap<String, Requirement> {
        let versions = |id| match &units.raw_as::<Required>(id)?.versions {
            Some(versions) => Some(versions.value.clone()),
            None => Requirement::parse("").ok(),
        };
        self.requires.iter().filter_map(|(name, id)| Some((units.text(name).to_owned(), versions(id)?))).collect()
    }
}
