//! The definitions within types.

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

pub use artifact::{ArtifactDefinition, Implementation, Word};
pub use attribute::AttributeDefinition;
pub use capability::CapabilityDefinition;
pub use filter::{AttributeCondition, CapabilityFilter, Condition, NodeFilter, PropertyFilter};
pub use function::{FunctionDefinition, Signature, Signatures};
pub use interface::InterfaceDefinition;
pub use operation::{NotificationDefinition, OperationDefinition};
pub use parameter::ParameterDefinition;
pub use property::{PropertyDefinition, Status};
pub use requirement::{RelationshipDefinition, RequirementDefinition};
pub use schema::SchemaDefinition;
