//! TOSCA: the OASIS standard for descriptions of cloud and network services.
//!
//! One struct for each concept of the language, for all versions of it: what differs between versions stands in the
//! annotations of the fields. Files first ([`mod@file`]), then [`types`], the [`definition`]s within types, and what makes
//! up a service ([`template`]). Section numbers are those of TOSCA 2.0 (Committee Specification Draft 07).

mod advice;
#[cfg(feature = "archive")]
pub mod archive;
mod checks;
pub mod convention;
pub mod data;
pub mod definition;
pub mod file;
pub mod migrate;
pub mod quirk;
pub mod resolve;
pub mod section;
mod spec;
pub mod template;
pub mod types;
pub mod version;

mod lint;
mod normative;
mod scalar;

pub use scalar::{CountRange, Metadata, VersionText};

use crate::entity::{Entity as _, Kind, Language, Leniency, Versions};
use crate::kinds;
use crate::source::{Catalogue, Labels};
use definition::{
    ArtifactDefinition, AttributeCondition, AttributeDefinition, CapabilityDefinition, CapabilityFilter, Condition,
    FunctionDefinition, Implementation, InterfaceDefinition, NodeFilter, NotificationDefinition, OperationDefinition,
    ParameterDefinition, PropertyDefinition, PropertyFilter, RelationshipDefinition, RequirementDefinition,
    SchemaDefinition, Signature,
};
use file::{File, Import, Repository};
use template::{
    Activity, AttributeMapping, CapabilityAssignment, CapabilityMapping, EventFilter, GroupDefinition,
    InterfaceAssignment, InterfaceMapping, MappedCapability, MappedInterface, NodeTemplate, NotificationAssignment,
    OperationAssignment, OperationCall, OperationMapping, PolicyDefinition, Precondition, PropertyMapping,
    RelationshipAssignment, RelationshipTemplate, RequirementAssignment, RequirementMapping, ServiceTemplate,
    SubstitutionMapping, Trigger, TriggerCondition, WorkflowCall, WorkflowDefinition, WorkflowStep,
};
use types::{ArtifactType, CapabilityType, DataType, GroupType, InterfaceType, NodeType, PolicyType, RelationshipType};

kinds! {
    static KINDS = [
        File, Repository, Import,
        ArtifactType, DataType, CapabilityType, InterfaceType, RelationshipType, NodeType, GroupType, PolicyType,
        PropertyDefinition, AttributeDefinition, ParameterDefinition, SchemaDefinition, CapabilityDefinition,
        RequirementDefinition, RelationshipDefinition, InterfaceDefinition, OperationDefinition, NotificationDefinition,
        Implementation, ArtifactDefinition, FunctionDefinition, Signature,
        NodeFilter, CapabilityFilter, PropertyFilter, Condition, AttributeCondition,
        ServiceTemplate, NodeTemplate, RelationshipTemplate, CapabilityAssignment, RequirementAssignment,
        RelationshipAssignment, InterfaceAssignment, OperationAssignment, NotificationAssignment, GroupDefinition,
        PolicyDefinition, Trigger, EventFilter, TriggerCondition, WorkflowDefinition, Precondition, WorkflowStep, Activity, WorkflowCall, OperationCall,
        SubstitutionMapping, PropertyMapping, AttributeMapping, CapabilityMapping, MappedCapability, RequirementMapping,
        InterfaceMapping, MappedInterface, OperationMapping,
    ];
}

/// What ONAP adds to policies and their types, and its catalogue to what is designed in it.
const VENDOR_KEYNAMES: &[(Kind, &str)] = &[
    (PolicyType::KIND, "type_version"),
    (PolicyType::KIND, "name"),
    (PolicyDefinition::KIND, "type_version"),
    (PolicyDefinition::KIND, "version"),
    (PolicyDefinition::KIND, "name"),
    (DataType::KIND, "type_version"),
    (DataType::KIND, "name"),
    (ParameterDefinition::KIND, "annotations"),
    (PropertyDefinition::KIND, "annotations"),
    (PolicyDefinition::KIND, "annotations"),
    (PolicyType::KIND, "annotations"),
    (NodeTemplate::KIND, "annotations"),
    (AttributeDefinition::KIND, "annotations"),
    (CapabilityDefinition::KIND, "annotations"),
    (RequirementDefinition::KIND, "annotations"),
    (NodeType::KIND, "annotations"),
    (CapabilityType::KIND, "annotations"),
    (RelationshipType::KIND, "annotations"),
    (DataType::KIND, "annotations"),
    (GroupType::KIND, "annotations"),
    (GroupDefinition::KIND, "annotations"),
    (NodeType::KIND, "typeVersion"),
    (CapabilityType::KIND, "typeVersion"),
    (DataType::KIND, "typeVersion"),
    (PolicyType::KIND, "typeVersion"),
    (PolicyDefinition::KIND, "typeVersion"),
    (NodeTemplate::KIND, "typeVersion"),
];

/// The keynames for strings that processors let functions give.
const COMPUTED_KEYNAMES: &[(Kind, &str)] = &[(ArtifactDefinition::KIND, "file")];

/// TOSCA.
pub static TOSCA: Language = Language {
    versions: version::VERSIONS,
    sections: section::SECTIONS,
    services: &["topology_template", "service_template"],
    leniency: Leniency {
        null_is_empty: SIMPLE,
        mixed: SIMPLE,
        yaml_1_1_booleans: SIMPLE,
        timestamp_tags: SIMPLE,
        ..Leniency::NONE
    },
    claims: |_, text| text.contains(version::KEYNAME),
    finder: |library| Box::new(Catalogue::of(&LABELS, library)),
    profiles: normative::PROFILES,
    profile_import: Some(|profile| format!("{{ profile: {profile} }}")),
    recognise: version::recognise,
    quirks: quirk::QUIRKS,
    quirk_sets: quirk::SETS,
    vendor_keynames: VENDOR_KEYNAMES,
    computed_keynames: COMPUTED_KEYNAMES,
    release: archive::release,
    spec_section: spec::section,
    defaults: &["default"],
    member_name: normative::member_name,
    implicit: normative::implicit,
    #[cfg(feature = "archive")]
    archives: &archive::LAYOUT,
    advise: advice::advise,
    hints: resolve::hints,
    rules: &[crate::rules::ADDITIONS, crate::rules::EXPLAINED],
    lints: lint::LINTS,
    ..Language::new("TOSCA", KINDS)
};

/// The versions before 2.0.
const SIMPLE: Versions = Versions { since: version::V1_0, until: version::V1_3 };

/// How profiles are known (2.0, 6.8; before it, 3.10 has `namespace`).
static LABELS: Labels = Labels {
    names: &["profile", "namespace"],
    version: version::KEYNAME,
    file: "profile.yaml",
    help: "put a file that says `profile: …` beside the entry file, or name its folder as a profile path",
};
