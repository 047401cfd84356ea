//! The parts of a service (2.0, 6.9).

mod capability;
mod directive;
mod group;
mod interface;
mod node;
mod policy;
mod relationship;
mod requirement;
mod service;
mod substitution;
mod trigger;
mod workflow;

pub use capability::CapabilityAssignment;
pub use directive::{NodeDirectives, ScopeDirectives};
pub use group::GroupDefinition;
pub use interface::{InterfaceAssignment, NotificationAssignment, OperationAssignment};
pub use node::NodeTemplate;
pub use policy::PolicyDefinition;
pub use relationship::{RelationshipAssignment, RelationshipTemplate};
pub use requirement::{RequirementAssignment, TargetNode};
pub use service::ServiceTemplate;
pub use substitution::{
    AttributeMapping, CapabilityMapping, InterfaceMapping, MappedCapability, MappedInterface, OperationMapping,
    PropertyMapping, RequirementMapping, SubstitutionMapping,
};
pub use trigger::{EventFilter, Trigger, TriggerCondition, TriggerOperation};
pub(crate) use workflow::NODE_STATES;
pub use workflow::{Activity, OperationCall, Precondition, WorkflowCall, WorkflowDefinition, WorkflowStep};
