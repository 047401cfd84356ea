//! Substitution mappings.

use serde_json::{Map, Value, json};
use tosca_parse::normal::{PropertyMapping, Substitution, Value as Data};

use crate::types::{type_name, types};
use crate::{Clout, Edge, Vertex, fields};

impl Clout<'_> {
    pub(super) fn substitution(&self, substitution: &Substitution) -> Vertex {
        let (mut inputs, mut outputs, mut properties) = (Map::new(), Map::new(), Map::new());
        let mut edges = Vec::new();
        for mapping in &substitution.capabilities {
            let target = mapping.target.as_ref();
            edges.extend(target.and_then(|target| {
                self.pointer("CapabilityPointer", &mapping.capability, &target.node, target.capability.as_deref())
            }));
        }
        for mapping in &substitution.requirements {
            edges.extend(mapping.targets.iter().filter_map(|target| {
                self.pointer("RequirementPointer", &mapping.requirement, &target.node, target.requirement.as_deref())
            }));
        }
        for (kind, mappings) in
            [("PropertyPointer", &substitution.properties), ("AttributePointer", &substitution.attributes)]
        {
            for mapping in mappings {
                let name = path(mapping);
                match (&mapping.input, &mapping.output, &mapping.value) {
                    (Some(input), _, _) => drop(inputs.insert(name, json!(input))),
                    (_, Some(output), _) => drop(outputs.insert(name, json!(output))),
                    (_, _, Some(value)) => match self.value_pointer(kind, &name, value) {
                        Some(edge) => edges.push(edge),
                        None => drop(properties.insert(name, self.values.untyped(value))),
                    },
                    _ => {}
                }
            }
        }
        for (interface, operations) in &substitution.interfaces {
            edges.extend(operations.iter().filter_map(|(operation, workflow)| {
                let properties = json!({ "name": interface, "operation": operation });
                Some(Edge::new("InterfacePointer", fields(properties), self.workflow_id(workflow)?))
            }));
        }
        let of_type = substitution.types.first();
        let mut all = fields(json!({
            "inputs": inputs,
            "properties": properties,
            "type": of_type.map(|name| type_name(&name.name, name.origin.as_deref())),
            "typeMetadata": {},
            "types": types(&substitution.types),
        }));
        if !outputs.is_empty() {
            all.insert("outputs".to_owned(), Value::Object(outputs));
        }
        all.extend(substitution.filter.as_ref().map(|filter| ("filter".to_owned(), self.values.untyped(filter))));
        Vertex::new("Substitution", all, edges)
    }

    fn pointer(&self, kind: &str, name: &str, node: &str, target: Option<&str>) -> Option<Edge> {
        let properties = fields(json!({ "name": name, "target": target.unwrap_or_default() }));
        Some(Edge::new(kind, properties, self.node_id(node)?))
    }

    /// Returns an edge to the property or attribute of a node, as in `[ node, property ]`.
    fn value_pointer(&self, kind: &str, name: &str, value: &Data) -> Option<Edge> {
        match value {
            Data::List(parts) => match &parts[..] {
                [Data::String(node), Data::String(target)] => self.pointer(kind, name, node, Some(target)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Returns the name of a property or, for one of a capability, its path.
fn path(mapping: &PropertyMapping) -> String {
    match &mapping.path[..] {
        [Data::String(name)] => name.to_string(),
        path => json!(path).to_string(),
    }
}
