//! Repositories (2.0, 6.5).

use super::scalar::Metadata;
use super::version::{V1_3, V2_0};
use crate::Entity;
use crate::entity::{Text, Value};

/// A repository from which files and artifacts are fetched.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "repository", spec = "6.5")]
#[non_exhaustive]
pub struct Repository {
    /// The address of the repository.
    #[field(mandatory, short(scalar), file)]
    pub url: Option<Text>,
    /// The description of the repository.
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The credential for access to the repository.
    #[field(until = V1_3, tolerated, value)]
    pub credential: Option<Value>,
}
