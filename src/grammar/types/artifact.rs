//! Artifact types (2.0, 12.1).

use crate::Entity;
use crate::entity::{Located, Members, Reference, Text, Texts};
use crate::grammar::definition::PropertyDefinition;
use crate::grammar::section::ARTIFACT_TYPES;
use crate::grammar::version::V1_1;
use crate::grammar::{Metadata, VersionText};

/// A type of files that nodes and relationships use for implementation or deployment.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "artifact type", spec = "12.1")]
#[non_exhaustive]
pub struct ArtifactType {
    /// The artifact type that this one is derived from.
    #[field(parent, lookup(ARTIFACT_TYPES))]
    pub derived_from: Option<Reference<ArtifactType>>,
    /// The version of the type.
    pub version: Option<Box<Located<VersionText>>>,
    /// Data that the processor ignores.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// The description of the type.
    pub description: Option<Text>,
    /// The media type of the files.
    #[field(inherit = overwrite)]
    pub mime_type: Option<Text>,
    /// The file name extensions.
    #[field(inherit = overwrite)]
    pub file_ext: Texts,
    /// The properties of an artifact.
    #[field(inherit = refine)]
    pub properties: Members<PropertyDefinition>,
}
