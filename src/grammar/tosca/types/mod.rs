//! The eight kinds of types (2.0, 6.4.3).

mod artifact;
mod capability;
mod data;
mod endless;
mod group;
mod interface;
mod large;
mod node;
mod policy;
mod relationship;

pub use artifact::ArtifactType;
pub use capability::CapabilityType;
pub use data::DataType;
pub(super) use endless::check_endless;
pub use group::GroupType;
pub use interface::InterfaceType;
pub use large::MOST_DEFAULT_MEMBERS;
pub(super) use large::check_large;
pub use node::NodeType;
pub use policy::PolicyType;
pub use relationship::RelationshipType;
