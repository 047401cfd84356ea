//! Nodes, with their capabilities, requirements, interfaces and artifacts.

use serde_json::{Map, Value, json};
use tosca_parse::normal::{
    Artifact, Capability, Implementation, Interface, Name, Node, Operation, OverlayMap, Property, Relationship,
    Requirement, Value as Data,
};

use crate::types::{type_name, types};
use crate::{Clout, Edge, Vertex, fields, text};

impl Clout<'_> {
    pub(super) fn node(&self, name: &str, node: &Node) -> Vertex {
        let values = &self.values;
        // A requirement that the template omits says nothing, unless a node is needed or has been found.
        let is_shown =
            |requirement: &&Requirement| !requirement.implicit || !requirement.optional || requirement.target.is_some();
        let requirements: Vec<&Requirement> = node.requirements.iter().filter(is_shown).collect();
        let edges = requirements.iter().filter_map(|requirement| self.relationship_edge(requirement));
        let edges = edges.collect();
        let mut properties = fields(json!({
            "artifacts": named(&node.artifacts, |artifact| self.artifact(artifact)),
            "attributes": values.parameters(&node.attributes),
            "capabilities": named(&node.capabilities, |capability| self.capability(capability)),
            "description": text(node.description.as_ref()),
            "directives": node.directives,
            "interfaces": self.interfaces(&node.interfaces),
            "metadata": node.metadata,
            "name": name,
            "properties": values.properties(&node.properties),
            "requirements": requirements.iter().map(|requirement| self.requirement(requirement)).collect::<Value>(),
            "types": types(&node.types),
        }));
        properties.extend(node.count.as_ref().map(|count| ("count".to_owned(), values.untyped(count))));
        properties.extend(node.node_filter.as_ref().map(|filter| ("nodeFilter".to_owned(), values.untyped(filter))));
        Vertex::new("NodeTemplate", properties, edges)
    }

    fn capability(&self, capability: &Capability) -> Value {
        let bounds = match &capability.occurrences {
            Some(Data::List(bounds)) => &bounds[..],
            _ => &[],
        };
        json!({
            "attributes": self.values.parameters(&capability.attributes),
            "description": text(capability.description.as_ref()),
            "maxRelationshipCount": bound(bounds.get(1), -1),
            "minRelationshipCount": bound(bounds.first(), 0),
            "properties": self.values.properties(&capability.properties),
            "types": types(&capability.types),
        })
    }

    fn requirement(&self, requirement: &Requirement) -> Value {
        let dangling = requirement.dangling.as_ref();
        let target = requirement.target.as_ref();
        let name_of = |types: Option<&tosca_parse::normal::Types>| {
            let of_type = types.and_then(|types| types.first());
            of_type.map_or_else(String::new, |name| type_name(&name.name, name.origin.as_deref()).into_owned())
        };
        let capability = target.and_then(|target| target.capability.as_ref());
        let capability = capability.or_else(|| dangling?.capability.as_ref());
        let mut properties = json!({
            "capabilityName": text(capability),
            "capabilityPropertyValidators": {},
            "capabilityTypeName": name_of(dangling.map(|wanted| &wanted.capability_types)),
            "directives": requirement.directives,
            "name": requirement.name,
            "nodeTemplateName": text(target.map(|target| &target.node)),
            "nodeTemplatePropertyValidators": {},
            "nodeTypeName": name_of(dangling.map(|wanted| &wanted.node_types)),
            "optional": requirement.optional,
            "relationship": self.relationship(&requirement.relationship),
        });
        if let Some(properties) = properties.as_object_mut() {
            let values = &self.values;
            if let Some(source) = &requirement.source {
                let location = json!({ "url": source.file, "row": source.line, "column": source.column });
                properties.insert("location".to_owned(), location);
            }
            if !requirement.node_filter.is_empty() {
                let conditions = requirement.node_filter.iter().map(|condition| values.untyped(condition)).collect();
                properties.insert("nodeFilter".to_owned(), conditions);
            }
            properties.extend(requirement.count.as_ref().map(|count| ("count".to_owned(), values.untyped(count))));
        }
        properties
    }

    fn relationship(&self, relationship: &Relationship) -> Value {
        json!({
            "attributes": self.values.parameters(&relationship.attributes),
            "description": text(relationship.description.as_ref()),
            "interfaces": self.interfaces(&relationship.interfaces),
            "metadata": relationship.metadata,
            "properties": self.values.properties(&relationship.properties),
            "types": types(&relationship.types),
        })
    }

    fn relationship_edge(&self, requirement: &Requirement) -> Option<Edge> {
        let target = requirement.target.as_ref()?;
        let mut properties = fields(self.relationship(&requirement.relationship));
        properties.insert("capability".to_owned(), json!(text(target.capability.as_ref())));
        properties.insert("name".to_owned(), json!(requirement.name));
        properties.extend(target.index.as_ref().map(|index| ("index".to_owned(), self.values.untyped(index))));
        Some(Edge::new("Relationship", properties, self.node_id(&target.node)?))
    }

    pub(super) fn interfaces(&self, interfaces: &OverlayMap<Interface>) -> Value {
        named(interfaces, |interface| {
            json!({
                "description": text(interface.description.as_ref()),
                "inputs": self.values.parameters(&interface.inputs),
                "notifications": named(&interface.notifications, |notification| self.operation(notification)),
                "operations": named(&interface.operations, |operation| self.operation(operation)),
                "types": types(&interface.types),
            })
        })
    }

    fn operation(&self, operation: &Operation) -> Value {
        let mut properties = fields(implementation(operation.implementation.as_ref()));
        properties.insert("description".to_owned(), json!(text(operation.description.as_ref())));
        properties.insert("inputs".to_owned(), self.values.parameters(&operation.inputs));
        properties.insert("outputs".to_owned(), self.outputs(&operation.outputs));
        Value::Object(properties)
    }

    /// Returns the paths of the attributes that store outputs.
    pub(super) fn outputs(&self, outputs: &OverlayMap<Property>) -> Value {
        named(outputs, |output| {
            let path: Value = output.mapping.iter().map(|part| self.values.untyped(part)).collect();
            json!({ "$list": path })
        })
    }

    fn artifact(&self, artifact: &Artifact) -> Value {
        let file = text(artifact.file.as_ref());
        let credential = artifact.repository.as_ref().and_then(|repository| repository.credential.as_ref());
        json!({
            "checksum": text(artifact.checksum.as_ref()),
            "checksumAlgorithm": text(artifact.checksum_algorithm.as_ref()),
            "credential": credential.map(|credential| self.values.untyped(credential)),
            "description": text(artifact.description.as_ref()),
            "filename": file.rsplit('/').next(),
            "properties": self.values.properties(&artifact.properties),
            "sourcePath": source_path(artifact, file),
            "targetPath": text(artifact.deploy_path.as_ref()),
            "types": types(&artifact.types),
            "version": text(artifact.artifact_version.as_ref()),
        })
    }
}

/// Returns the files of an implementation. Artifacts of the node are given by name.
pub(super) fn implementation(implementation: Option<&Implementation>) -> Value {
    let Some(implementation) = implementation else {
        return json!({ "implementation": "", "dependencies": [], "timeout": -1 });
    };
    let name = |artifact: &Artifact| json!(text(artifact.name.as_ref().or(artifact.file.as_ref())));
    let mut properties = json!({
        "implementation": implementation.primary.as_deref().map_or_else(|| json!(""), name),
        "dependencies": implementation.dependencies.iter().map(|artifact| name(artifact)).collect::<Value>(),
        "timeout": implementation.timeout.as_ref().map_or_else(|| json!(-1), |timeout| json!(timeout)),
    });
    if let (Some(host), Some(properties)) = (&implementation.operation_host, properties.as_object_mut()) {
        properties.insert("host".to_owned(), json!(host));
    }
    properties
}

/// Returns the address of a file in a repository or, without one, next to the file that names it.
fn source_path(artifact: &Artifact, file: &str) -> String {
    let is_absolute = file.starts_with('/') || file.contains("://");
    let folder = match &artifact.repository {
        Some(repository) => repository.url.as_deref().map_or("", |url| url.trim_end_matches('/')),
        None => artifact.base.rsplit_once('/').map_or("", |(folder, _)| folder),
    };
    if is_absolute || folder.is_empty() { file.to_owned() } else { format!("{folder}/{file}") }
}

/// Returns a bound of `occurrences`.
fn bound(bound: Option<&Data>, default: i64) -> i64 {
    match bound {
        Some(Data::Integer(number)) => *number,
        Some(_) => -1,
        None => default,
    }
}

/// Returns the entries of a map, converted.
fn named<T>(entries: &OverlayMap<T>, convert: impl Fn(&T) -> Value) -> Value {
    let entry = |(name, entry): (&Name, &std::sync::Arc<T>)| (name.to_string(), convert(entry));
    Value::Object(entries.iter().map(entry).collect::<Map<String, Value>>())
}
