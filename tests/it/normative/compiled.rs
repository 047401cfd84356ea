//! The compiled normative types, in the notation of the tables.

use std::collections::{BTreeMap, BTreeSet};

use tosca_parse::Outcome;
use tosca_parse::ard::{Kind, Node};
use tosca_parse::entity::{AnyId, Clauses, Entity, Id, Members, Reference, Text, Value};
use tosca_parse::grammar::CountRange;
use tosca_parse::grammar::definition::{
    AttributeDefinition, CapabilityDefinition, InterfaceDefinition, PropertyDefinition, RequirementDefinition,
    SchemaDefinition,
};
use tosca_parse::grammar::types::{
    ArtifactType, CapabilityType, DataType, GroupType, InterfaceType, NodeType, PolicyType, RelationshipType,
};
use tosca_parse::phase::Program;
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::namespace::ReferenceResolver;

/// Types by section and name, each with one line per fact.
pub(super) type Types = BTreeMap<(&'static str, String), BTreeSet<String>>;

/// Returns the types of the unit with the given name.
pub(super) fn types(outcome: &Outcome, unit: &str) -> Types {
    let program = &outcome.program;
    let unit = program.list.iter().find(|known| known.source.name() == unit).expect("the unit is among the others");
    let facts = Facts { program };
    unit.types().map(|id| ((facts.section(id), program.name(id).to_owned()), facts.of(id))).collect()
}

/// Returns the name of a type as in the tables: without `tosca` and the kind of types.
pub(super) fn short(name: &str) -> &str {
    let rest = name.strip_prefix("tosca.").and_then(|rest| rest.split_once('.'));
    rest.map_or(name, |(_, short)| short)
}

struct Facts<'a> {
    program: &'a Program<Complete>,
}

impl<'a> Facts<'a> {
    fn section(&self, id: AnyId) -> &'static str {
        self.program.raw(id).unwrap().description().title
    }

    fn of(&self, id: AnyId) -> BTreeSet<String> {
        let mut facts = Vec::new();
        if let Some(parent) = self.program.lineage(id).unwrap().parents().first() {
            facts.push(format!("derived from {}", short(self.program.name(*parent))));
        }
        if let Some(own) = self.own::<DataType>(id) {
            facts.extend(self.properties(&own.properties));
            let constraints = self.constraints(&own.validation);
            facts.extend((!constraints.is_empty()).then(|| constraints.trim_start().to_owned()));
        }
        if let Some(own) = self.own::<ArtifactType>(id) {
            facts.extend(own.mime_type.map(|Text(at)| format!("mime {}", self.text(at))));
            facts.extend(own.file_ext.iter().map(|Text(at)| format!("ext {}", self.text(*at))));
            facts.extend(self.properties(&own.properties));
        }
        if let Some(own) = self.own::<InterfaceType>(id) {
            facts.extend(own.operations.iter().map(|(name, _)| format!("op {}", self.program.text(name))));
        }
        if let Some(own) = self.own::<CapabilityType>(id) {
            facts.extend(self.properties(&own.properties));
            facts.extend(self.attributes(&own.attributes));
            facts.extend(own.valid_source_node_types.iter().map(|of| format!("source {}", self.target(*of))));
        }
        if let Some(own) = self.own::<RelationshipType>(id) {
            facts.extend(self.properties(&own.properties));
            facts.extend(self.attributes(&own.attributes));
            facts.extend(self.interfaces(&own.interfaces));
            facts.extend(own.valid_target_types.iter().map(|of| format!("target {}", self.target(*of))));
            facts.extend(own.valid_capability_types.iter().map(|of| format!("target {}", self.target(*of))));
        }
        if let Some(own) = self.own::<NodeType>(id) {
            facts.extend(self.properties(&own.properties));
            facts.extend(self.attributes(&own.attributes));
            facts.extend(self.interfaces(&own.interfaces));
            facts.extend(own.capabilities.iter().map(|(_, id)| self.capability(id)));
            facts.extend(own.requirements.iter().map(|(_, id)| self.requirement(id)));
        }
        if let Some(own) = self.own::<GroupType>(id) {
            facts.extend(self.properties(&own.properties));
            facts.extend(self.attributes(&own.attributes));
            facts.extend(self.interfaces(&own.interfaces));
            facts.extend(own.members.iter().map(|of| format!("member {}", self.target(*of))));
        }
        if let Some(own) = self.own::<PolicyType>(id) {
            facts.extend(self.properties(&own.properties));
            facts.extend(own.targets.iter().map(|of| format!("target {}", self.target(*of))));
        }
        let count = facts.len();
        let facts: BTreeSet<String> = facts.into_iter().collect();
        assert_eq!(facts.len(), count, "a fact is there twice: {facts:?}");
        facts
    }

    /// Returns a type as it is written, without inherited parts.
    fn own<E: Entity>(&self, id: AnyId) -> Option<&'a E> {
        self.program.raw_as(id.cast::<E>()?)
    }

    fn properties(&self, members: &Members<PropertyDefinition>) -> Vec<String> {
        let property = |(_, id): (_, Id<PropertyDefinition>)| {
            let property = self.program.get(id).unwrap();
            let data_type = self.data_type(property.r#type, property.entry_schema);
            let optional = if property.is_required() { "" } else { "?" };
            let default = self.default(property.default);
            let constraints = self.constraints(&property.validation);
            format!("P {}: {data_type}{optional}{default}{constraints}", self.program.name(id.any()))
        };
        members.iter().map(property).collect()
    }

    fn attributes(&self, members: &Members<AttributeDefinition>) -> Vec<String> {
        let attribute = |(_, id): (_, Id<AttributeDefinition>)| {
            let attribute = self.program.get(id).unwrap();
            let data_type = self.data_type(attribute.r#type, attribute.entry_schema);
            format!("A {}: {data_type}{}", self.program.name(id.any()), self.default(attribute.default))
        };
        members.iter().map(attribute).collect()
    }

    fn interfaces(&self, members: &Members<InterfaceDefinition>) -> Vec<String> {
        let interface = |(_, id): (_, Id<InterfaceDefinition>)| {
            let of = self.program.get(id).unwrap().r#type.unwrap();
            format!("I {}: {}", self.program.name(id.any()), self.target(of))
        };
        members.iter().map(interface).collect()
    }

    fn capability(&self, id: Id<CapabilityDefinition>) -> String {
        let capability = self.program.get(id).unwrap();
        let mut fact = format!("C {}: {}", self.program.name(id.any()), self.target(capability.r#type.unwrap()));
        let sources: Vec<String> =
            capability.valid_source_node_types.iter().map(|of| self.target(*of).to_owned()).collect();
        if !sources.is_empty() {
            fact = format!("{fact} from {}", sources.join(", "));
        }
        fact + &occurrences(capability.occurrences.as_ref().map(|range| &range.value))
    }

    fn requirement(&self, id: Id<RequirementDefinition>) -> String {
        let requirement = self.program.get(id).unwrap();
        let mut fact = format!("R {}→{}", self.program.name(id.any()), self.target(requirement.capability.unwrap()));
        if let Some(node) = requirement.node {
            fact = format!("{fact} @{}", self.target(node));
        }
        if let Some(relationship) = requirement.relationship {
            let relationship_type = self.program.get(relationship).unwrap().r#type.unwrap();
            fact = format!("{fact} via {}", self.target(relationship_type));
        }
        fact + &occurrences(requirement.count_range.as_ref().map(|range| &range.value))
    }

    fn data_type(&self, of: Option<Reference<DataType>>, entries: Option<Id<SchemaDefinition>>) -> String {
        let name = self.target(of.unwrap());
        match entries {
            Some(entries) => format!("{name}<{}>", self.target(self.program.get(entries).unwrap().r#type.unwrap())),
            None => name.to_owned(),
        }
    }

    fn default(&self, default: Option<Value>) -> String {
        default.map_or_else(String::new, |Value(at)| format!("={}", json(self.program.node(at).unwrap())))
    }

    fn constraints(&self, clauses: &Clauses) -> String {
        let lists = clauses.iter().map(|Value(at)| self.program.node(at).unwrap());
        let clauses: Vec<String> = lists
            .flat_map(|list| match list.kind() {
                Kind::List => list.items().collect::<Vec<_>>(),
                _ => vec![list],
            })
            .flat_map(Node::entries)
            .map(|clause| {
                let operand = match clause.value.kind() {
                    Kind::String => clause.value.text().to_owned(),
                    _ => json(clause.value),
                };
                format!("{} {operand}", clause.key.text())
            })
            .collect();
        if clauses.is_empty() { String::new() } else { format!(" {{{}}}", clauses.join("; ")) }
    }

    fn target<T>(&self, reference: Reference<T>) -> &'a str {
        short(self.program.name(self.program.target(reference.erased()).expect("the name is known")))
    }

    fn text(&self, at: tosca_parse::entity::NodeRef) -> &'a str {
        self.program.node(at).unwrap().text()
    }
}

fn occurrences(range: Option<&CountRange>) -> String {
    range.map_or_else(String::new, |range| format!(" {}", range.to_string().replace(", ", ",")))
}

/// Formats a value as JSON, with a space after each comma.
fn json(node: Node<'_>) -> String {
    match node.kind() {
        Kind::List => format!("[{}]", node.items().map(json).collect::<Vec<_>>().join(", ")),
        Kind::Map => {
            let entries = node.entries().map(|entry| format!("{}: {}", entry.key.text(), json(entry.value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Kind::String => format!("{:?}", node.text()),
        _ => node.text().to_owned(),
    }
}
