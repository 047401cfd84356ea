//! The types of a program as data.

use serde::{Deserialize, Serialize};
use tosca_parse::entity::{AnyId, Entity, Id, Members, Reference, Text};
use tosca_parse::grammar::CountRange;
use tosca_parse::grammar::definition::{
    AttributeDefinition, CapabilityDefinition, PropertyDefinition, RequirementDefinition,
};
use tosca_parse::grammar::types::{
    ArtifactType, CapabilityType, DataType, GroupType, InterfaceType, NodeType, PolicyType, RelationshipType,
};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::{Context, Program};

/// A type, with inherited members.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct TypeDescription {
    kind: String,
    pub(crate) name: String,
    /// The file that declares it.
    file: String,
    /// The ancestors, nearest first.
    pub(crate) ancestors: Vec<String>,
    description: Option<String>,
    properties: Vec<Value>,
    attributes: Vec<Value>,
    capabilities: Vec<Capability>,
    requirements: Vec<Requirement>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Value {
    name: String,
    r#type: Option<String>,
    required: bool,
    description: Option<String>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Capability {
    name: String,
    r#type: Option<String>,
    description: Option<String>,
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

/// Returns the types that a program declares and imports, in the order of the sources.
pub(crate) fn types(program: &Program<Complete>) -> Vec<TypeDescription> {
    let context = Context::new(program, 0);
    program.list.iter().flat_map(|unit| unit.types()).filter_map(|id| describe(&context, id)).collect()
}

fn describe(context: &Context<'_>, id: AnyId) -> Option<TypeDescription> {
    let reader = Reader(context);
    let blank = |kind: &str, description| TypeDescription {
        kind: kind.to_owned(),
        name: context.program.name(id).to_owned(),
        file: context.program.unit(id.unit).map_or_else(String::new, |unit| unit.source.name().to_owned()),
        ancestors: context.program.ancestry(id).skip(1).map(|id| context.program.name(id).to_owned()).collect(),
        description: reader.text(description),
        properties: Vec::new(),
        attributes: Vec::new(),
        capabilities: Vec::new(),
        requirements: Vec::new(),
    };
    if let Some(ty) = reader.get::<NodeType>(id) {
        return Some(TypeDescription {
            properties: reader.properties(&ty.properties),
            attributes: reader.attributes(&ty.attributes),
            capabilities: reader.members(&ty.capabilities, Reader::capability),
            requirements: reader.members(&ty.requirements, |reader, name, requirement| {
                reader.requirement(name, requirement, CountRange::default_of(context.version(id)))
            }),
            ..blank("node type", ty.description)
        });
    }
    if let Some(ty) = reader.get::<RelationshipType>(id) {
        let (properties, attributes) = (reader.properties(&ty.properties), reader.attributes(&ty.attributes));
        return Some(TypeDescription { properties, attributes, ..blank("relationship type", ty.description) });
    }
    if let Some(ty) = reader.get::<CapabilityType>(id) {
        let (properties, attributes) = (reader.properties(&ty.properties), reader.attributes(&ty.attributes));
        return Some(TypeDescription { properties, attributes, ..blank("capability type", ty.description) });
    }
    if let Some(ty) = reader.get::<GroupType>(id) {
        let (properties, attributes) = (reader.properties(&ty.properties), reader.attributes(&ty.attributes));
        return Some(TypeDescription { properties, attributes, ..blank("group type", ty.description) });
    }
    if let Some(ty) = reader.get::<DataType>(id) {
        let properties = reader.properties(&ty.properties);
        return Some(TypeDescription { properties, ..blank("data type", ty.description) });
    }
    if let Some(ty) = reader.get::<ArtifactType>(id) {
        let properties = reader.properties(&ty.properties);
        return Some(TypeDescription { properties, ..blank("artifact type", ty.description) });
    }
    if let Some(ty) = reader.get::<PolicyType>(id) {
        let properties = reader.properties(&ty.properties);
        return Some(TypeDescription { properties, ..blank("policy type", ty.description) });
    }
    let ty = reader.get::<InterfaceType>(id)?;
    Some(blank("interface type", ty.description))
}

struct Reader<'c, 'p>(&'c Context<'p>);

impl<'p> Reader<'_, 'p> {
    fn get<E: Entity>(&self, id: AnyId) -> Option<&'p E> {
        self.0.get(id.cast::<E>()?)
    }

    fn text(&self, text: Option<Text>) -> Option<String> {
        Some(self.0.node(text?.0)?.text().to_owned())
    }

    /// Returns the name of the target or, if it is not a type, the name as written.
    fn target<T>(&self, reference: Option<Reference<T>>) -> Option<String> {
        let reference = reference?;
        let target = self.0.any_target(reference).map(|id| self.0.program.name(id));
        Some(target.unwrap_or_else(|| self.0.text(reference.name)).to_owned())
    }

    fn members<E: Entity, T>(&self, members: &Members<E>, make: impl Fn(&Self, String, &E) -> T) -> Vec<T> {
        let describe = |(name, id): (_, Id<E>)| Some(make(self, self.0.text(name).to_owned(), self.0.get(id)?));
        members.iter().filter_map(describe).collect()
    }

    fn properties(&self, members: &Members<PropertyDefinition>) -> Vec<Value> {
        self.members(members, |reader, name, property| Value {
            name,
            r#type: reader.target(property.r#type),
            required: property.is_required(),
            description: reader.text(property.description),
        })
    }

    fn attributes(&self, members: &Members<AttributeDefinition>) -> Vec<Value> {
        self.members(members, |reader, name, attribute| Value {
            name,
            r#type: reader.target(attribute.r#type),
            required: false,
            description: reader.text(attribute.description),
        })
    }

    fn capability(&self, name: String, capability: &CapabilityDefinition) -> Capability {
        let description = self.text(capability.description);
        Capability { name, r#type: self.target(capability.r#type), description }
    }

    fn requirement(&self, name: String, requirement: &RequirementDefinition, default: CountRange) -> Requirement {
        let relationship = requirement.relationship.and_then(|id| self.0.get(id));
        let CountRange { lower, upper } = requirement.count_range.as_ref().map_or(default, |range| range.value);
        Requirement {
            name,
            capability: self.target(requirement.capability),
            node: self.target(requirement.node),
            relationship: relationship.and_then(|relationship| self.target(relationship.r#type)),
            lower,
            upper,
            description: self.text(requirement.description),
        }
    }
}
