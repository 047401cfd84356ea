//! The definitions within types: what a thing of a type consists of.

mod artifact;
mod attribute;
mod capability;
mod filter;
mod function;
mod interface;
mod operation;
mod parameter;
mod property;
mod requirement;
mod schema;

pub use artifact::{ArtifactDefinition, Implementation};
pub use attribute::AttributeDefinition;
pub(super) use attribute::check_reflected;
pub use capability::CapabilityDefinition;
pub use filter::{AttributeCondition, CapabilityFilter, Condition, NodeFilter, PropertyFilter};
pub use function::{FunctionDefinition, Signature, Signatures};
pub use interface::InterfaceDefinition;
pub use operation::{NotificationDefinition, OperationDefinition};
pub use parameter::ParameterDefinition;
pub use property::{PropertyDefinition, Status};
pub use requirement::{RelationshipDefinition, RequirementDefinition};
pub(super) use requirement::{check_valid, check_valid_source, check_valid_target};
pub use schema::SchemaDefinition;
pub(super) use schema::{check_clauses, check_keys, check_schema};
