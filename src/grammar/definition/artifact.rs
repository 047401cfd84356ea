//! Artifact definitions (2.0, 12.2), and implementations, which are made of them (2.0, 11.8).

use crate::Entity;
use crate::ard::{Kind, Node};
use crate::entity::{Child, Children, Given, Reference, Scalar, Text, Value, Values};
use crate::grammar::Metadata;
use crate::grammar::Repository;
use crate::grammar::section::{ARTIFACT_TYPES, REPOSITORIES};
use crate::grammar::types::ArtifactType;
use crate::grammar::version::{V1_2, V1_3, V2_0};
use crate::phase::read::Reader;
use crate::rules::CHECKSUM_WITHOUT_ALGORITHM;

/// A file that comes with a node.
#[derive(Entity, Clone, Debug, Default)]
#[entity(
    title = "artifact definition",
    spec = "12.2",
    needs(checksum, checksum_algorithm, inherited, rule = CHECKSUM_WITHOUT_ALGORITHM)
)]
pub struct ArtifactDefinition {
    /// The artifact type.
    #[field(definition, lookup(ARTIFACT_TYPES))]
    pub r#type: Option<Reference<ArtifactType>>,
    /// The address of the file.
    #[field(short(scalar), mandatory)]
    pub file: Option<Text>,
    /// The repository in which the file is.
    #[field(lookup(REPOSITORIES))]
    pub repository: Option<Reference<Repository>>,
    /// What the artifact is for.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// Where the file is to be put.
    #[field(until = V1_3)]
    pub deploy_path: Option<Text>,
    /// The version of the artifact.
    #[field(keyname("artifact_version", since = V1_3), keyname("version", until = V1_3, tolerated))]
    pub artifact_version: Option<Box<Given<Word>>>,
    /// What the file can be checked with.
    #[field(since = V1_3)]
    pub checksum: Option<Box<Given<Word>>>,
    /// How the checksum is computed.
    #[field(since = V1_3)]
    pub checksum_algorithm: Option<Text>,
    /// What the artifact says about itself besides.
    #[field(since = V1_3, assigns(undeclared = warning, title = "property"), value)]
    pub properties: Values,
}

/// A text that looks like a number now and then: `1.0`, `20241121`.
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

/// What is run, or what sends notifications.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "implementation", spec = "11.8")]
pub struct Implementation {
    /// What the implementation does.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The artifact that is run: the name of one, or a file, or a definition in place.
    #[field(short(scalar))]
    pub primary: Child<ArtifactDefinition>,
    /// What the primary artifact needs.
    pub dependencies: Children<ArtifactDefinition>,
    /// How many seconds it may take.
    #[field(since = V1_2, until = V1_3, value)]
    pub timeout: Option<Value>,
    /// Where it is run.
    #[field(since = V1_2, until = V1_3)]
    pub operation_host: Option<Text>,
}
