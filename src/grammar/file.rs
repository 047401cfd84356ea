//! Files (2.0, chapter 6).

use super::definition::FunctionDefinition;
use super::scalar::Metadata;
use super::section::{
    ARTIFACT_TYPES, CAPABILITY_TYPES, DATA_TYPES, FUNCTIONS, GROUP_TYPES, INTERFACE_TYPES, NODE_TYPES, POLICY_TYPES,
    RELATIONSHIP_TYPES, REPOSITORIES,
};
use super::template::ServiceTemplate;
use super::types::{
    ArtifactType, CapabilityType, DataType, GroupType, InterfaceType, NodeType, PolicyType, RelationshipType,
};
use super::version::{V1_2, V1_3, V2_0};
use super::{Import, Repository};
use crate::ard::{Kind, Node};
use crate::entity::{Child, Children, Field, FieldDescription, Form, Members, Shape, Shaped, Text, Value, downcast};
use crate::phase::read::Reader;
use crate::rules::PROFILE_WITH_SERVICE;
use crate::{Entity, rules};

/// A file with type definitions, a service template, or both.
#[derive(Entity, Clone, Debug, Default)]
#[entity(
    title = "TOSCA file",
    spec = "6.1",
    at_most_one(
        profile,
        service_template,
        rule = PROFILE_WITH_SERVICE,
        help = "move the types to a separate file and import it here",
        since = V2_0
    )
)]
#[non_exhaustive]
pub struct File {
    /// The TOSCA version of the file, which must be the first keyname.
    pub tosca_definitions_version: Option<Value>,
    /// The description of the file.
    pub description: Option<Text>,
    /// Data that the processor ignores.
    pub metadata: Metadata,
    /// Scratch space for YAML anchors.
    pub dsl_definitions: DslDefinitions,
    /// The repositories from which files and artifacts are fetched.
    #[field(early, section = REPOSITORIES)]
    pub repositories: Members<Repository>,
    /// The name under which other files can import this one.
    #[field(keyname("namespace", since = V1_2, until = V1_3), keyname("profile", since = V2_0))]
    pub profile: Option<Text>,
    /// The files and profiles whose names this file uses.
    #[field(early)]
    pub imports: Children<Import>,
    /// The artifact types that the file defines.
    #[field(section = ARTIFACT_TYPES)]
    pub artifact_types: Members<ArtifactType>,
    /// The data types that the file defines.
    #[field(section = DATA_TYPES)]
    pub data_types: Members<DataType>,
    /// The capability types that the file defines.
    #[field(section = CAPABILITY_TYPES)]
    pub capability_types: Members<CapabilityType>,
    /// The interface types that the file defines.
    #[field(section = INTERFACE_TYPES)]
    pub interface_types: Members<InterfaceType>,
    /// The relationship types that the file defines.
    #[field(section = RELATIONSHIP_TYPES)]
    pub relationship_types: Members<RelationshipType>,
    /// The node types that the file defines.
    #[field(section = NODE_TYPES)]
    pub node_types: Members<NodeType>,
    /// The group types that the file defines.
    #[field(section = GROUP_TYPES)]
    pub group_types: Members<GroupType>,
    /// The policy types that the file defines.
    #[field(section = POLICY_TYPES)]
    pub policy_types: Members<PolicyType>,
    /// The functions that the file defines.
    #[field(section = FUNCTIONS, since = V2_0)]
    pub functions: Members<FunctionDefinition>,
    /// The service.
    #[field(keyname("topology_template", until = V1_3), keyname("service_template", since = V2_0))]
    pub service_template: Child<ServiceTemplate>,
}

/// The keyname `dsl_definitions`: data that only serves as the target of YAML aliases (2.0, 6.3).
#[derive(Clone, Copy, Debug, Default)]
pub struct DslDefinitions {
    given: bool,
}

impl Shaped for DslDefinitions {
    const SHAPE: Shape = Shape::Values;
    // Before 2.0, scratch space may have any form.
    const ALSO: Option<Form> = Some(Form::Any);
    const NULLABLE: bool = true;
}

impl Field for DslDefinitions {
    fn is_set(&self) -> bool {
        self.given
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, _: &'static FieldDescription) {
        self.given = true;
        if reader.version() < V2_0 {
            // Any form is allowed.
            return;
        }
        if node.kind() != Kind::Map {
            reader.wrong_kind(node, "`dsl_definitions`", "a map");
            return;
        }
        for entry in node.entries() {
            reader.name(entry.key);
            // An entry that is neither structured nor anchored has no possible use. Decision A 42.
            let is_structured = matches!(entry.value.kind(), Kind::Map | Kind::List);
            if !is_structured && !entry.value.has_anchor() && !entry.value.is_placeholder() {
                let message = format!("`{}` is neither a map nor a list and has no anchor", entry.key.text());
                reader
                    .problem(&rules::POINTLESS_DSL_DEFINITION, entry.key, message)
                    .help(format!("add an anchor: `{}: &name …`", entry.key.text()));
            }
        }
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            *self = *other;
        }
    }
}
