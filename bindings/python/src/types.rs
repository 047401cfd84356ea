//! The types of a program as data.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::iter::successors;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;
use tosca_parse::ard::{Kind, Node};
use tosca_parse::entity::{AnyId, Clauses, Entity, Id, Members, Reference, Text, Value as Located};
use tosca_parse::grammar::definition::{
    ArtifactDefinition, AttributeDefinition, CapabilityDefinition, Implementation, InterfaceDefinition,
    NotificationDefinition, OperationDefinition, ParameterDefinition, PropertyDefinition, RequirementDefinition,
    SchemaDefinition,
};
use tosca_parse::grammar::template::Trigger;
use tosca_parse::grammar::types::{
    ArtifactType, CapabilityType, DataType, GroupType, InterfaceType, NodeType, PolicyType, RelationshipType,
};
use tosca_parse::grammar::{CountRange, Metadata};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::{Context, Program};

/// The maximum size of the members and ancestors of all types, in bytes. Inherited members are repeated, so types that
/// are derived from each other in a long chain would have a size proportional to its square.
const MAX_SIZE: usize = 64 << 20;
/// The estimated size of a member without its strings, in bytes.
const MEMBER: usize = 256;
/// The estimated size of a string or value without its characters, in bytes.
const VALUE: usize = 64;

/// The types of a program, in the order of the sources.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Types {
    pub(crate) list: Vec<TypeDescription>,
    /// The index of the parent of each type.
    parents: Vec<Option<usize>>,
}

/// A type, with inherited members. Members that types of its kind can't have are omitted.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct TypeDescription {
    kind: String,
    pub(crate) name: String,
    /// The file that declares it.
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// The ancestors, nearest first.
    ancestors: Vec<String>,
    description: Option<String>,
    metadata: BTreeMap<String, Json>,
    /// Whether members and ancestors are omitted because of the size limit.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    incomplete: bool,
    properties: Vec<Value>,
    attributes: Vec<Value>,
    capabilities: Vec<Capability>,
    requirements: Vec<Requirement>,
    interfaces: Vec<Interface>,
    artifacts: Vec<Artifact>,
    valid_source_node_types: Vec<String>,
    valid_target_node_types: Vec<String>,
    valid_capability_types: Vec<String>,
    valid_relationship_types: Vec<String>,
    /// The types that the members of a group may have.
    members: Vec<String>,
    /// The types that the targets of a policy may have.
    targets: Vec<String>,
    triggers: Vec<PolicyTrigger>,
    mime_type: Option<String>,
    file_ext: Vec<String>,
    inputs: Vec<Value>,
    operations: Vec<Operation>,
    notifications: Vec<Operation>,
    /// The schema of the values of a data type.
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<Schema>,
}

/// The type of a value, and conditions in the notation of the source.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Schema {
    r#type: Option<String>,
    validation: Vec<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key_schema: Option<Box<Schema>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    entry_schema: Option<Box<Schema>>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Value {
    name: String,
    #[serde(flatten)]
    schema: Schema,
    required: bool,
    description: Option<String>,
    metadata: BTreeMap<String, Json>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    default: Option<Json>,
    /// The fixed value or, for an output, the value.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    value: Option<Json>,
}

/// Deserializes a value that is present, even if it is null.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

#[derive(Clone, Serialize, Deserialize)]
struct Capability {
    name: String,
    r#type: Option<String>,
    description: Option<String>,
    properties: Vec<Value>,
    attributes: Vec<Value>,
    valid_source_node_types: Vec<String>,
    valid_relationship_types: Vec<String>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Requirement {
    name: String,
    capability: Option<String>,
    node: Option<String>,
    relationship: Option<String>,
    lower: u64,
    /// The upper bound; null if there is none.
    upper: Option<u64>,
    description: Option<String>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Interface {
    name: String,
    r#type: Option<String>,
    description: Option<String>,
    inputs: Vec<Value>,
    operations: Vec<Operation>,
    notifications: Vec<Operation>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Operation {
    name: String,
    description: Option<String>,
    inputs: Vec<Value>,
    outputs: Vec<Value>,
    /// The file or the name of the primary artifact.
    implementation: Option<String>,
    /// The files or the names of the other artifacts.
    dependencies: Vec<String>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Artifact {
    name: String,
    r#type: Option<String>,
    file: Option<String>,
    description: Option<String>,
}

#[derive(Clone, Serialize, Deserialize)]
struct PolicyTrigger {
    name: String,
    event: Option<String>,
    description: Option<String>,
}

impl Types {
    /// Returns the types that a program declares and imports.
    pub(crate) fn of(program: &Program<Complete>) -> Self {
        Self::within(program, MAX_SIZE)
    }

    fn within(program: &Program<Complete>, room: usize) -> Self {
        let context = Context::new(program, 0);
        let reader = Reader { context: &context, room: Cell::new(room) };
        let all = program.list.iter().flat_map(|unit| unit.types());
        let (ids, list): (Vec<AnyId>, Vec<_>) = all.filter_map(|id| Some((id, reader.described(id)?))).unzip();
        let indices: HashMap<AnyId, usize> = ids.iter().copied().zip(0..).collect();
        let parents = ids.iter().map(|id| indices.get(&program.ancestry(*id).nth(1)?).copied()).collect();
        Self { list, parents }
    }

    /// Returns whether a type with the given name is derived from another one.
    pub(crate) fn is_derived_from(&self, name: &str, ancestor: &str) -> bool {
        let mut named = (0..self.list.len()).filter(|index| self.list[*index].name == name);
        named.any(|index| self.has_ancestor(index, ancestor))
    }

    /// Returns the names of the types that are derived from a type, in order.
    pub(crate) fn derived_from(&self, ancestor: &str) -> Vec<&str> {
        let derived = (0..self.list.len()).filter(|index| self.has_ancestor(*index, ancestor));
        derived.map(|index| self.list[index].name.as_str()).collect()
    }

    fn has_ancestor(&self, index: usize, ancestor: &str) -> bool {
        let parent = |index: &usize| self.parents.get(*index).copied().flatten();
        let mut ancestors = successors(parent(&index), parent).take(self.list.len());
        ancestors.any(|index| self.list.get(index).is_some_and(|ty| ty.name == ancestor))
    }
}

struct Reader<'c, 'p> {
    context: &'c Context<'p>,
    /// The remaining size of members and ancestors, in bytes.
    room: Cell<usize>,
}

/// Describes a definition of a value.
macro_rules! value {
    ($reader:expr, $name:expr, $definition:expr, $required:expr, $value:expr) => {
        Value {
            name: $name,
            schema: $reader.schema(
                $definition.r#type,
                &$definition.validation,
                $definition.key_schema,
                $definition.entry_schema,
            ),
            required: $required,
            description: $reader.text($definition.description),
            metadata: $reader.metadata($definition.metadata),
            default: $reader.value($definition.default),
            value: $reader.value($value),
        }
    };
}

/// Describes an operation or a notification.
macro_rules! operation {
    ($reader:expr, $name:expr, $operation:expr) => {{
        let implementation = $operation.implementation.and_then(|id| $reader.context.get(id));
        Operation {
            name: $name,
            description: $reader.text($operation.description),
            inputs: $reader.parameters(&$operation.inputs),
            outputs: $reader.parameters(&$operation.outputs),
            implementation: implementation.and_then(|own: &Implementation| $reader.file(own.primary?)),
            dependencies: implementation
                .map_or_else(Vec::new, |own| own.dependencies.iter().filter_map(|id| $reader.file(*id)).collect()),
        }
    }};
}

impl<'p> Reader<'_, 'p> {
    /// Describes a type; `None` if it is not a type of TOSCA. Without room, its members and further ancestors are
    /// omitted.
    fn described(&self, id: AnyId) -> Option<TypeDescription> {
        let described = self.with_members(id, self.ancestors(id))?;
        if self.room.get() > 0 {
            return Some(described);
        }
        let TypeDescription { kind, name, file, version, ancestors, description, .. } = described;
        let ancestors = ancestors.into_iter().take(1).collect();
        let members = TypeDescription { incomplete: true, ..TypeDescription::default() };
        Some(TypeDescription { kind, name, file, version, ancestors, description, ..members })
    }

    fn with_members(&self, id: AnyId, ancestors: Vec<String>) -> Option<TypeDescription> {
        let unit = self.context.program.unit(id.unit);
        macro_rules! common {
            ($kind:literal, $ty:expr) => {
                TypeDescription {
                    kind: $kind.to_owned(),
                    name: self.context.program.name(id).to_owned(),
                    file: unit.map_or_else(String::new, |unit| unit.source.name().to_owned()),
                    version: $ty.version.as_ref().map(|version| version.value.0.clone()),
                    ancestors,
                    description: self.text($ty.description),
                    metadata: self.metadata($ty.metadata),
                    ..TypeDescription::default()
                }
            };
        }
        let default_count = CountRange::default_of(self.context.version(id));
        if let Some(ty) = self.get::<NodeType>(id) {
            return Some(TypeDescription {
                properties: self.properties(&ty.properties),
                attributes: self.attributes(&ty.attributes),
                capabilities: self.members(&ty.capabilities, Self::capability),
                requirements: self.requirements(&ty.requirements, default_count),
                interfaces: self.members(&ty.interfaces, Self::interface),
                artifacts: self.members(&ty.artifacts, Self::artifact),
                ..common!("node type", ty)
            });
        }
        if let Some(ty) = self.get::<RelationshipType>(id) {
            // Before 2.0, one list contains types of both kinds. An unknown type counts as a capability type.
            let (nodes, capabilities): (Vec<_>, Vec<_>) =
                ty.valid_target_types.iter().partition(|reference| self.is_of_node(**reference));
            return Some(TypeDescription {
                properties: self.properties(&ty.properties),
                attributes: self.attributes(&ty.attributes),
                interfaces: self.members(&ty.interfaces, Self::interface),
                valid_source_node_types: self.names(&ty.valid_source_node_types),
                valid_target_node_types: [self.names(&ty.valid_target_node_types), self.names(nodes)].concat(),
                valid_capability_types: [self.names(&ty.valid_capability_types), self.names(capabilities)].concat(),
                ..common!("relationship type", ty)
            });
        }
        if let Some(ty) = self.get::<CapabilityType>(id) {
            return Some(TypeDescription {
                properties: self.properties(&ty.properties),
                attributes: self.attributes(&ty.attributes),
                valid_source_node_types: self.names(&ty.valid_source_node_types),
                valid_relationship_types: self.names(&ty.valid_relationship_types),
                ..common!("capability type", ty)
            });
        }
        if let Some(ty) = self.get::<GroupType>(id) {
            return Some(TypeDescription {
                properties: self.properties(&ty.properties),
                attributes: self.attributes(&ty.attributes),
                capabilities: self.members(&ty.capabilities, Self::capability),
                requirements: self.requirements(&ty.requirements, default_count),
                interfaces: self.members(&ty.interfaces, Self::interface),
                members: self.names(&ty.members),
                ..common!("group type", ty)
            });
        }
        if let Some(ty) = self.get::<PolicyType>(id) {
            return Some(TypeDescription {
                properties: self.properties(&ty.properties),
                targets: self.names(&ty.targets),
                triggers: self.members(&ty.triggers, Self::trigger),
                ..common!("policy type", ty)
            });
        }
        if let Some(ty) = self.get::<ArtifactType>(id) {
            return Some(TypeDescription {
                properties: self.properties(&ty.properties),
                mime_type: self.text(ty.mime_type),
                file_ext: ty.file_ext.iter().filter_map(|extension| self.text(Some(*extension))).collect(),
                ..common!("artifact type", ty)
            });
        }
        if let Some(ty) = self.get::<DataType>(id) {
            return Some(TypeDescription {
                properties: self.properties(&ty.properties),
                schema: Some(self.schema(ty.data_type, &ty.validation, ty.key_schema, ty.entry_schema)),
                ..common!("data type", ty)
            });
        }
        let ty = self.get::<InterfaceType>(id)?;
        Some(TypeDescription {
            inputs: self.parameters(&ty.inputs),
            operations: self.operations(&ty.operations),
            notifications: self.notifications(&ty.notifications),
            ..common!("interface type", ty)
        })
    }

    fn get<E: Entity>(&self, id: AnyId) -> Option<&'p E> {
        self.context.get(id.cast::<E>()?)
    }

    /// Reduces the room, and returns whether there is still some.
    fn takes(&self, size: usize) -> bool {
        self.room.set(self.room.get().saturating_sub(size));
        self.room.get() > 0
    }

    fn owned(&self, text: &str) -> String {
        self.takes(VALUE + text.len());
        text.to_owned()
    }

    fn text(&self, text: Option<Text>) -> Option<String> {
        Some(self.owned(self.context.node(text?.0)?.text()))
    }

    /// Returns the names of the ancestors, nearest first. The first one is always there.
    fn ancestors(&self, id: AnyId) -> Vec<String> {
        let mut names = Vec::new();
        for ancestor in self.context.program.ancestry(id).skip(1) {
            names.push(self.owned(self.context.program.name(ancestor)));
            if self.room.get() == 0 {
                break;
            }
        }
        names
    }

    /// Returns the name of the target or, if it is not a type, the name as written.
    fn target<T>(&self, reference: Option<Reference<T>>) -> Option<String> {
        let reference = reference?;
        let target = self.context.any_target(reference).map(|id| self.context.program.name(id));
        Some(self.owned(target.unwrap_or_else(|| self.context.text(reference.name))))
    }

    fn names<'r, T: 'static>(&self, references: impl IntoIterator<Item = &'r Reference<T>>) -> Vec<String> {
        references.into_iter().filter_map(|reference| self.target(Some(*reference))).collect()
    }

    fn is_of_node(&self, reference: Reference<()>) -> bool {
        self.context.any_target(reference).is_some_and(|id| id.cast::<NodeType>().is_some())
    }

    fn members<E: Entity, T>(&self, members: &Members<E>, make: impl Fn(&Self, String, &'p E) -> T) -> Vec<T> {
        let with_room = members.iter().take_while(|_| self.takes(MEMBER));
        let describe = |(name, id): (_, Id<E>)| {
            let entity = self.context.get(id)?;
            Some(make(self, self.owned(self.context.text(name)), entity))
        };
        with_room.filter_map(describe).collect()
    }

    fn properties(&self, members: &Members<PropertyDefinition>) -> Vec<Value> {
        self.members(members, |reader, name, property| {
            value!(reader, name, property, property.is_required(), property.value)
        })
    }

    fn attributes(&self, members: &Members<AttributeDefinition>) -> Vec<Value> {
        self.members(members, |reader, name, attribute| value!(reader, name, attribute, false, None))
    }

    fn parameters(&self, members: &Members<ParameterDefinition>) -> Vec<Value> {
        self.members(members, |reader, name, parameter| {
            value!(reader, name, parameter, parameter.is_required(), parameter.value)
        })
    }

    fn capability(&self, name: String, capability: &CapabilityDefinition) -> Capability {
        Capability {
            name,
            r#type: self.target(capability.r#type),
            description: self.text(capability.description),
            properties: self.properties(&capability.properties),
            attributes: self.attributes(&capability.attributes),
            valid_source_node_types: self.names(&capability.valid_source_node_types),
            valid_relationship_types: self.names(&capability.valid_relationship_types),
        }
    }

    fn requirements(&self, members: &Members<RequirementDefinition>, default: CountRange) -> Vec<Requirement> {
        self.members(members, |reader, name, requirement| {
            let relationship = requirement.relationship.and_then(|id| reader.context.get(id));
            let CountRange { lower, upper } = requirement.count_range.as_ref().map_or(default, |range| range.value);
            Requirement {
                name,
                capability: reader.target(requirement.capability),
                node: reader.target(requirement.node),
                relationship: relationship.and_then(|relationship| reader.target(relationship.r#type)),
                lower,
                upper,
                description: reader.text(requirement.description),
            }
        })
    }

    fn interface(&self, name: String, interface: &InterfaceDefinition) -> Interface {
        Interface {
            name,
            r#type: self.target(interface.r#type),
            description: self.text(interface.description),
            inputs: self.parameters(&interface.inputs),
            operations: self.operations(&interface.operations),
            notifications: self.notifications(&interface.notifications),
        }
    }

    fn operations(&self, members: &Members<OperationDefinition>) -> Vec<Operation> {
        self.members(members, |reader, name, operation| operation!(reader, name, operation))
    }

    fn notifications(&self, members: &Members<NotificationDefinition>) -> Vec<Operation> {
        self.members(members, |reader, name, notification| operation!(reader, name, notification))
    }

    /// Returns the file of an artifact, or its name if it is defined elsewhere.
    fn file(&self, id: Id<ArtifactDefinition>) -> Option<String> {
        self.text(self.context.get(id)?.file)
    }

    fn artifact(&self, name: String, artifact: &ArtifactDefinition) -> Artifact {
        Artifact {
            name,
            r#type: self.target(artifact.r#type),
            file: self.text(artifact.file),
            description: self.text(artifact.description),
        }
    }

    fn trigger(&self, name: String, trigger: &Trigger) -> PolicyTrigger {
        PolicyTrigger { name, event: self.text(trigger.event), description: self.text(trigger.description) }
    }

    fn schema(
        &self,
        of_type: Option<Reference<DataType>>,
        validation: &Clauses,
        key_schema: Option<Id<SchemaDefinition>>,
        entry_schema: Option<Id<SchemaDefinition>>,
    ) -> Schema {
        let inner = |id: Option<Id<SchemaDefinition>>| {
            let schema = self.context.get(id?)?;
            let validation = if schema.validation.is_empty() { &schema.constraints } else { &schema.validation };
            Some(Box::new(self.schema(schema.r#type, validation, schema.key_schema, schema.entry_schema)))
        };
        Schema {
            r#type: self.target(of_type),
            validation: validation.iter().flat_map(|clause| self.conditions(clause)).collect(),
            key_schema: inner(key_schema),
            entry_schema: inner(entry_schema),
        }
    }

    /// Returns the constraints in a list, as in TOSCA 1.x, or a single condition.
    fn conditions(&self, clause: Located) -> Vec<Json> {
        match self.value(Some(clause)) {
            Some(Json::Array(constraints)) => constraints,
            condition => condition.into_iter().collect(),
        }
    }

    fn metadata(&self, metadata: Metadata) -> BTreeMap<String, Json> {
        let node = metadata.position.and_then(|position| self.context.node(position));
        let entries = node.into_iter().flat_map(Node::entries).filter(|entry| !entry.duplicate);
        entries.map(|entry| (entry.key.label().into_owned(), self.data(entry.value))).collect()
    }

    fn value(&self, value: Option<Located>) -> Option<Json> {
        Some(self.data(self.context.node(value?.0)?))
    }

    /// Returns data in the notation of the source.
    fn data(&self, node: Node<'p>) -> Json {
        if !self.takes(VALUE) {
            return Json::Null;
        }
        match node.kind() {
            Kind::Null => Json::Null,
            Kind::Boolean => node.as_bool().unwrap_or_default().into(),
            Kind::Integer => match node.as_integer().and_then(|integer| i64::try_from(integer).ok()) {
                Some(integer) => integer.into(),
                None => self.owned(node.text()).into(),
            },
            Kind::List => node.items().take_while(|_| self.room.get() > 0).map(|item| self.data(item)).collect(),
            Kind::Map => {
                let entries = node.entries().take_while(|_| self.room.get() > 0).filter(|entry| !entry.duplicate);
                Json::Object(entries.map(|entry| (self.owned(&entry.key.label()), self.data(entry.value))).collect())
            }
            Kind::Float => match node.as_float().and_then(serde_json::Number::from_f64) {
                Some(number) => Json::Number(number),
                None => self.owned(node.text()).into(),
            },
            Kind::String => self.owned(node.text()).into(),
        }
    }
}
