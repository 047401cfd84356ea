//! Artifact definitions (2.0, 12.2), and the implementations that use them (2.0, 11.8).

use crate::Entity;
use crate::ard::{Kind, Node};
use crate::entity::{Child, Children, Located, Reference, Scalar, Text, Value, Values};
use crate::grammar::Metadata;
use crate::grammar::Repository;
use crate::grammar::section::{ARTIFACT_TYPES, REPOSITORIES};
use crate::grammar::types::ArtifactType;
use crate::grammar::version::{V1_2, V1_3, V2_0};
use crate::phase::read::Reader;
use crate::rules::CHECKSUM_WITHOUT_ALGORITHM;

/// An artifact: a file that belongs to a node.
#[derive(Entity, Clone, Debug, Default)]
#[entity(
    title = "artifact definition",
    spec = "12.2",
    needs(checksum, checksum_algorithm, inherited, rule = CHECKSUM_WITHOUT_ALGORITHM)
)]
#[non_exhaustive]
pub struct ArtifactDefinition {
    /// The artifact type.
    #[field(definition, lookup(ARTIFACT_TYPES))]
    pub r#type: Option<Reference<ArtifactType>>,
    /// The address of the file.
    #[field(short(scalar), mandatory, file)]
    pub file: Option<Text>,
    /// The repository that contains the file.
    #[field(lookup(REPOSITORIES))]
    pub repository: Option<Reference<Repository>>,
    /// The description of the artifact.
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The path on the target to which the file is deployed.
    #[field(until = V1_3)]
    pub deploy_path: Option<Text>,
    /// The version of the artifact.
    #[field(keyname("artifact_version", since = V1_3), keyname("version", until = V1_3, tolerated))]
    pub artifact_version: Option<Box<Located<Word>>>,
    /// The checksum of the file.
    #[field(since = V1_3)]
    pub checksum: Option<Box<Located<Word>>>,
    /// The algorithm of the checksum.
    #[field(since = V1_3)]
    pub checksum_algorithm: Option<Text>,
    /// The property values of the artifact.
    #[field(since = V1_3, assigns(undeclared = warning, title = "property"), value)]
    pub properties: Values,
}

/// A string that may look like a number: `1.0`, `20241121`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word(pub String);

impl Scalar for Word {
    const WHAT: &'static str = "string";

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        match node.kind() {
            Kind::Map | Kind::List | Kind::Null => {
                reader.wrong_kind(node, "the value", "a string");
                None
            }
            _ => Some(Self(node.text().to_owned())),
        }
    }
}

/// An implementation of an operation, a notification, a workflow or a function.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "implementation", spec = "11.8")]
#[non_exhaustive]
pub struct Implementation {
    /// The description of the implementation.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The artifact that is run: its name, a file, or an inline definition.
    #[field(short(scalar))]
    pub primary: Child<ArtifactDefinition>,
    /// The artifacts that the primary artifact depends on.
    pub dependencies: Children<ArtifactDefinition>,
    /// The timeout in seconds.
    #[field(since = V1_2, until = V1_3, value)]
    pub timeout: Option<Value>,
    /// The host on which the implementation runs.
    #[field(since = V1_2, until = V1_3)]
    pub operation_host: Option<Text>,
}
