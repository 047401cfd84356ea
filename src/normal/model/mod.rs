//! What a model consists of. Every field is documented; `docs/normal-model.md` is made from this documentation.

mod activity;
mod interface;
mod node;
mod process;
mod service;
mod substitution;

pub use interface::{Artifact, Implementation, Interface, Operation, Repository};
pub use node::{Asked, Capability, Node, Relationship, Requirement, Target};
pub use process::{Activity, Group, Policy, Step, Trigger, Workflow};
pub use service::{
    DataType, Function, Property, Scalar, Schema, Service, Signature, Source, State, TypeName, Types, Units, ValueKind,
};
pub use substitution::{CapabilityMapping, MappedRequirement, PropertyMapping, RequirementMapping, Substitution};

/// Whether a switch that is off by default is off, so that it need not be written down.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_off(switch: &bool) -> bool {
    !switch
}

/// A value that is there, even if it is null.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<super::Value>, D::Error> {
    serde::Deserialize::deserialize(deserializer).map(Some)
}
