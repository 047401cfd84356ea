//! The types of the model. Every field is documented; `docs/normal-model.md` is generated from these doc comments.

mod activity;
mod function;
mod interface;
mod node;
mod process;
mod property;
mod service;
mod substitution;

pub use function::{Function, Signature};
pub use interface::{Artifact, Implementation, Interface, Operation, Repository};
pub use node::{Capability, Node, Relationship, Requirement, Target, TargetConstraints};
pub use process::{Activity, Group, OperationCall, Policy, Step, Trigger, Workflow, WorkflowCall};
pub use property::{
    CallReference, DataType, Property, Scalar, Schema, Source, State, TypeName, Types, Units, ValueKind,
};
pub use service::Service;
pub use substitution::{
    CapabilityMapping, MappedInterface, MappedRequirement, PropertyMapping, RequirementMapping, Substitution,
};
