//! Imports (2.0, 6.8).

use super::Repository;
use super::scalar::Metadata;
use super::section::REPOSITORIES;
use super::version::{V1_3, V2_0};
use crate::ard::Node;
use crate::diagnostic::Help;
use crate::diagnostic::suggest::nearest;
use crate::entity::{AnyId, Described, Field, FieldDescription, Id, Reference, Shape, Shaped, Text, downcast};
use crate::phase::read::Reader;
use crate::rules::URL_XOR_PROFILE;
use crate::{Entity, rules};

/// An import of a file or a profile.
#[derive(Entity, Clone, Debug, Default)]
#[entity(
    title = "import",
    spec = "6.8.1",
    one_of(profile, url, rule = URL_XOR_PROFILE, since = V2_0),
    at_most_one(
        repository,
        profile,
        rule = URL_XOR_PROFILE,
        help = "remove `repository`: a profile is found by its name",
        since = V2_0
    )
)]
#[non_exhaustive]
pub struct Import {
    /// The address of the file, relative to this file or to the repository.
    #[field(keyname("file", until = V1_3), keyname("url", since = V2_0), short(scalar), file)]
    pub url: Option<Text>,
    /// The import itself, if it has a name: `- name: file` (decision B 5).
    #[field(keyname("*", until = V1_3))]
    pub named: NamedImport,
    /// The name of the profile.
    #[field(since = V2_0)]
    pub profile: Option<Text>,
    /// The repository that contains the file. It must be declared in this file, because the imported file can't declare
    /// the repository in which it is found.
    #[field(lookup(REPOSITORIES, optional))]
    pub repository: Option<Reference<Repository>>,
    /// The prefix of the imported names in this file.
    #[field(keyname("namespace_prefix", until = V1_3), keyname("namespace", since = V2_0))]
    pub namespace: Option<Text>,
    /// The URI of the namespace of the imported names.
    #[field(until = V1_3)]
    pub namespace_uri: Option<Text>,
    /// The description of the import.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
}

/// The keynames of imports before 2.0.
pub(crate) const IMPORT_KEYNAMES: [&str; 4] = ["file", "repository", "namespace_prefix", "namespace_uri"];

/// An import with a name. The name has no meaning.
#[derive(Clone, Copy, Debug, Default)]
pub struct NamedImport(Option<Id<Import>>);

impl Shaped for NamedImport {
    const SHAPE: Shape = Shape::One(|| Import::default().description());
}

impl Field for NamedImport {
    fn is_set(&self) -> bool {
        self.0.is_some()
    }

    fn read(&mut self, _: &mut Reader<'_>, _: Node<'_>, _: &'static FieldDescription) {}

    fn read_entry(
        &mut self,
        reader: &mut Reader<'_>,
        key: Node<'_>,
        value: Node<'_>,
        field: &'static FieldDescription,
    ) {
        if let Some(near) = nearest(key.text(), IMPORT_KEYNAMES) {
            reader
                .problem(&rules::UNKNOWN_KEYNAME, key, format!("`{}` is not a keyname of an import", key.text()))
                .help(Help::did_you_mean(near));
            return;
        }
        if self.0.is_some() {
            reader
                .problem(&rules::NOT_ONE_ENTRY, key, "an import with a name can't contain a second one")
                .help("put a dash before each import");
            return;
        }
        let Some(name) = reader.name(key) else { return };
        self.0 = Some(reader.entity(Some((name, key)), value, field.members_short));
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            *self = *other;
        }
    }

    fn visit_children(&self, visit: &mut dyn FnMut(AnyId)) {
        self.0.iter().for_each(|id| visit(id.any()));
    }
}
