//! The grammar of TOSCA: files, types, definitions and templates, with one struct per concept for all versions.
//!
//! Annotations of the fields describe how each keyname is read, looked up, inherited and rendered, and in which
//! versions it exists. The order is that of the standard: the [`File`], [`types`], the [`definition`]s in types, and
//! the parts of a service ([`template`]). Section numbers are those of TOSCA 2.0 (Committee Specification Draft 07).
//!
//! This module checks only what annotations can express and does not depend on any check: see `check`.

mod condition;
pub mod definition;
mod file;
mod import;
pub mod quirk;
mod repository;
mod scalar;
pub mod section;
pub mod template;
pub mod types;
pub mod version;

pub(crate) use condition::CONDITION;
pub use file::{DslDefinitions, File};
pub(crate) use import::IMPORT_KEYNAMES;
pub use import::{Import, NamedImport};
pub use repository::Repository;
pub(crate) use scalar::bound_help;
pub use scalar::{CountRange, Metadata, Positive, VersionText};

use crate::kinds;

use definition::{
    ArtifactDefinition, AttributeCondition, AttributeDefinition, CapabilityDefinition, CapabilityFilter, Condition,
    FunctionDefinition, Implementation, InterfaceDefinition, NodeFilter, NotificationDefinition, OperationDefinition,
    ParameterDefinition, PropertyDefinition, PropertyFilter, RelationshipDefinition, RequirementDefinition,
    SchemaDefinition, Signature,
};
use template::{
    Activity, AttributeMapping, CapabilityAssignment, CapabilityMapping, EventFilter, GroupDefinition,
    InterfaceAssignment, InterfaceMapping, MappedCapability, MappedInterface, NodeTemplate, NotificationAssignment,
    OperationAssignment, OperationCall, OperationMapping, PolicyDefinition, Precondition, PropertyMapping,
    RelationshipAssignment, RelationshipTemplate, RequirementAssignment, RequirementMapping, ServiceTemplate,
    SubstitutionMapping, Trigger, TriggerCondition, TriggerOperation, WorkflowCall, WorkflowDefinition, WorkflowStep,
};
use types::{ArtifactType, CapabilityType, DataType, GroupType, InterfaceType, NodeType, PolicyType, RelationshipType};

kinds! {
    pub(crate) static KINDS = [
        File, Repository, Import,
        ArtifactType, DataType, CapabilityType, InterfaceType, RelationshipType, NodeType, GroupType, PolicyType,
        PropertyDefinition, AttributeDefinition, ParameterDefinition, SchemaDefinition, CapabilityDefinition,
        RequirementDefinition, RelationshipDefinition, InterfaceDefinition, OperationDefinition, NotificationDefinition,
        Implementation, ArtifactDefinition, FunctionDefinition, Signature,
        NodeFilter, CapabilityFilter, PropertyFilter, Condition, AttributeCondition,
        ServiceTemplate, NodeTemplate, RelationshipTemplate, CapabilityAssignment, RequirementAssignment,
        RelationshipAssignment, InterfaceAssignment, OperationAssignment, NotificationAssignment, GroupDefinition,
        PolicyDefinition, Trigger, EventFilter, TriggerCondition, TriggerOperation, WorkflowDefinition, Precondition, WorkflowStep, Activity, WorkflowCall, OperationCall,
        SubstitutionMapping, PropertyMapping, AttributeMapping, CapabilityMapping, MappedCapability, RequirementMapping,
        InterfaceMapping, MappedInterface, OperationMapping,
    ];
}
