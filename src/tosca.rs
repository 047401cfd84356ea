//! The language: how the engine reads TOSCA.

#[cfg(feature = "archive")]
use crate::archive;
use crate::entity::{Entity as _, EntityDescription, Kind, Language, LanguageVersion, Leniency, Versions};
use crate::grammar::definition::{
    ArtifactDefinition, AttributeDefinition, CapabilityDefinition, InterfaceDefinition, NotificationDefinition,
    OperationDefinition, ParameterDefinition, PropertyDefinition, RequirementDefinition, SchemaDefinition,
};
use crate::grammar::template::{
    CapabilityAssignment, GroupDefinition, NodeTemplate, PolicyDefinition, RelationshipTemplate, RequirementAssignment,
    SubstitutionMapping, Trigger, WorkflowDefinition,
};
use crate::grammar::types::{
    ArtifactType, CapabilityType, DataType, GroupType, InterfaceType, NodeType, PolicyType, RelationshipType,
};
use crate::grammar::{KINDS, quirk, section, version};
use crate::source::{Catalogue, ProfileHeader};
use crate::{completion, data, lint, migrate, named_file, normative, recognize, resolve, spec};

/// Keynames that ONAP adds to policies and their types, and that its catalog adds to its types and templates.
const VENDOR_KEYNAMES: &[(&[Kind], &str)] = &[
    (&[PolicyType::KIND, PolicyDefinition::KIND, DataType::KIND], "type_version"),
    (&[PolicyType::KIND, PolicyDefinition::KIND, DataType::KIND], "name"),
    (&[PolicyDefinition::KIND], "version"),
    (TYPES, "annotations"),
    (TYPES, "typeVersion"),
    (TEMPLATES, "annotations"),
    (TEMPLATES, "typeVersion"),
    (DEFINITIONS, "annotations"),
];

const TYPES: &[Kind] = &[
    ArtifactType::KIND,
    CapabilityType::KIND,
    DataType::KIND,
    GroupType::KIND,
    InterfaceType::KIND,
    NodeType::KIND,
    PolicyType::KIND,
    RelationshipType::KIND,
];

const TEMPLATES: &[Kind] = &[
    ArtifactDefinition::KIND,
    CapabilityAssignment::KIND,
    GroupDefinition::KIND,
    NodeTemplate::KIND,
    PolicyDefinition::KIND,
    RelationshipTemplate::KIND,
    RequirementAssignment::KIND,
    SubstitutionMapping::KIND,
];

const DEFINITIONS: &[Kind] = &[
    AttributeDefinition::KIND,
    CapabilityDefinition::KIND,
    InterfaceDefinition::KIND,
    OperationDefinition::KIND,
    ParameterDefinition::KIND,
    PropertyDefinition::KIND,
    RequirementDefinition::KIND,
    SchemaDefinition::KIND,
];

/// The keynames for strings where some processors also allow functions.
const COMPUTED_KEYNAMES: &[(Kind, &str)] = &[(ArtifactDefinition::KIND, "file")];

/// The names of data types in other languages.
const SYNONYMS: &[(&str, &str)] = &[
    ("array", "list"),
    ("bool", "boolean"),
    ("char", "string"),
    ("date", "timestamp"),
    ("datetime", "timestamp"),
    ("decimal", "float"),
    ("dict", "map"),
    ("dictionary", "map"),
    ("double", "float"),
    ("hash", "map"),
    ("int", "integer"),
    ("int32", "integer"),
    ("int64", "integer"),
    ("long", "integer"),
    ("number", "float"),
    ("object", "map"),
    ("real", "float"),
    ("scalar-unit.bitrate", "Bitrate"),
    ("scalar-unit.frequency", "Frequency"),
    ("scalar-unit.size", "Size"),
    ("scalar-unit.time", "Time"),
    ("seq", "list"),
    ("str", "string"),
    ("text", "string"),
    ("uint", "integer"),
    ("url", "string"),
];

/// TOSCA.
pub static TOSCA: Language = Language {
    versions: version::VERSIONS,
    sections: section::SECTIONS,
    services: &["topology_template", "service_template"],
    leniency: Leniency {
        null_is_empty: SIMPLE,
        accept_newer_keynames: SIMPLE,
        yaml_1_1_booleans: SIMPLE,
        timestamp_tags: SIMPLE,
        ..Leniency::NONE
    },
    claims: |_, text| version::claims(text),
    finder: |library| Box::new(Catalogue::of(&LABELS, library)),
    profiles: normative::PROFILES,
    profile_import: Some(|profile| format!("{{ profile: {profile} }}")),
    detect: recognize::detect,
    quirks: quirk::QUIRKS,
    quirk_sets: quirk::SETS,
    vendor_keynames: VENDOR_KEYNAMES,
    synonyms: SYNONYMS,
    computed_keynames: COMPUTED_KEYNAMES,
    #[cfg(feature = "archive")]
    release: archive::release,
    spec_section: spec::section,
    defaults: &["default"],
    member_name: normative::member_name,
    implicit: normative::implicit,
    extensions: normative::EXTENSIONS,
    #[cfg(feature = "archive")]
    archives: &archive::LAYOUT,
    misplaced_key: |description, version, key| {
        misplaced_keyname(description, version, key).or_else(|| data::misplaced_clause(description, version, key))
    },
    check_undescribed: data::check_undescribed,
    named_file: named_file::named_file,
    functions: |version| Some(data::functions(version)),
    complete_value: completion::complete_value,
    describe_member: completion::describe_member,
    must_assign: completion::must_assign,
    routines: &[WorkflowDefinition::KIND, OperationDefinition::KIND, NotificationDefinition::KIND, Trigger::KIND],
    hints: resolve::hints,
    rules: crate::rules::TOSCA,
    lints: lint::LINTS,
    migrate: Some(migrate::migrate_all),
    ..Language::new("TOSCA", KINDS)
};

/// Returns the help for a keyname of the service template among those of the file.
fn misplaced_keyname(file: &EntityDescription, version: LanguageVersion, key: &str) -> Option<String> {
    let (_, service) = file.field("service_template")?;
    let keyname = service.keyname(version);
    let mut fields = service.shape.entity()?.fields.iter().filter(|field| field.exists_in(version));
    let is_of_service = fields.any(|field| field.keyname(version) == key);
    is_of_service.then(|| format!("write it below `{keyname}`: `{keyname}: {{ {key}: … }}`"))
}

/// The versions before 2.0.
const SIMPLE: Versions = Versions { since: version::V1_0, until: version::V1_3 };

/// The keynames that identify profiles (2.0, 6.8; `namespace` in 1.x, 3.10).
static LABELS: ProfileHeader = ProfileHeader {
    names: &["profile", "namespace"],
    version: version::KEYNAME,
    file: "profile.yaml",
    help: "put a file with `profile: …` next to the entry file, or name its folder: `--profile-path FOLDER`",
};
