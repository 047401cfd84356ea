//! TOSCA: the OASIS standard for descriptions of cloud and network services.
//!
//! One struct for each concept of the language, for all versions of it: what differs between versions stands in the
//! annotations of the fields. Files first ([`mod@file`]), then [`types`], the [`definition`]s within types, and what makes
//! up a service ([`template`]). Section numbers are those of TOSCA 2.0 (Committee Specification Draft 07).

pub mod data;
pub mod definition;
pub mod file;
pub mod resolve;
pub mod section;
pub mod template;
pub mod types;
pub mod version;

mod normative;
mod scalar;

pub use scalar::{CountRange, Metadata, VersionText};

use crate::entity::{Language, Versions};
use crate::kinds;
use crate::phase::inheritance::first_parent;
use definition::{
    ArtifactDefinition, AttributeDefinition, CapabilityDefinition, FunctionDefinition, Implementation,
    InterfaceDefinition, NotificationDefinition, OperationDefinition, ParameterDefinition, PropertyDefinition,
    RelationshipDefinition, RequirementDefinition, SchemaDefinition, Signature,
};
use file::{File, Import, Repository};
use template::{
    Activity, CapabilityAssignment, GroupDefinition, InterfaceAssignment, NodeTemplate, NotificationAssignment,
    OperationAssignment, OperationCall, PolicyDefinition, RelationshipAssignment, RelationshipTemplate,
    RequirementAssignment, ServiceTemplate, SubstitutionMapping, Trigger, WorkflowCall, WorkflowDefinition,
    WorkflowStep,
};
use types::{ArtifactType, CapabilityType, DataType, GroupType, InterfaceType, NodeType, PolicyType, RelationshipType};

kinds! {
    static KINDS = [
        File, Repository, Import,
        ArtifactType, DataType, CapabilityType, InterfaceType, RelationshipType, NodeType, GroupType, PolicyType,
        PropertyDefinition, AttributeDefinition, ParameterDefinition, SchemaDefinition, CapabilityDefinition,
        RequirementDefinition, RelationshipDefinition, InterfaceDefinition, OperationDefinition, NotificationDefinition,
        Implementation, ArtifactDefinition, FunctionDefinition, Signature,
        ServiceTemplate, NodeTemplate, RelationshipTemplate, CapabilityAssignment, RequirementAssignment,
        RelationshipAssignment, InterfaceAssignment, OperationAssignment, NotificationAssignment, GroupDefinition,
        PolicyDefinition, Trigger, WorkflowDefinition, WorkflowStep, Activity, WorkflowCall, OperationCall,
        SubstitutionMapping,
    ];
}

/// TOSCA.
pub static TOSCA: Language = Language {
    name: "TOSCA",
    versions: version::VERSIONS,
    kinds: KINDS,
    sections: section::SECTIONS,
    root: <File as crate::entity::Entity>::KIND,
    services: &["topology_template", "service_template"],
    null_is_empty: Versions { since: version::V1_0, until: version::V1_3 },
    mixed: Versions { since: version::V1_0, until: version::V1_3 },
    import_loops: Versions { since: version::V2_0, until: version::V2_0 },
    yaml_1_1_booleans: Versions { since: version::V1_0, until: version::V1_3 },
    timestamp_tags: Versions { since: version::V1_0, until: version::V1_3 },
    profiles: normative::PROFILES,
    recognise: version::recognise,
    member_name: normative::member_name,
    implicit: normative::implicit,
    // A type has one parent, so there is nothing to choose.
    winner: first_parent,
};
