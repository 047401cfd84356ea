//! The eight kinds of types (2.0, 6.4.3).

mod artifact;
mod capability;
mod data;
mod group;
mod interface;
mod node;
mod policy;
mod relationship;

pub use artifact::ArtifactType;
pub use capability::CapabilityType;
pub use data::DataType;
pub use group::GroupType;
pub use interface::InterfaceType;
pub use node::NodeType;
pub use policy::PolicyType;
pub use relationship::RelationshipType;
