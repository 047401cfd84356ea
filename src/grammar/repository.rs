//! Repositories (2.0, 6.5).

use super::scalar::Metadata;
use super::version::{V1_3, V2_0};
use crate::Entity;
use crate::entity::{Text, Value};

/// A place from which files and artifacts are fetched.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "repository", spec = "6.5")]
pub struct Repository {
    /// The address of the repository.
    #[field(mandatory, short(scalar))]
    pub url: Option<Text>,
    /// What is in the repository.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// What the repository asks of those who fetch from it.
    #[field(until = V1_3, tolerated, value)]
    pub credential: Option<Value>,
}
