//! Clout 1.0: a service as a graph, in the output format of Puccini.
//!
//! A Clout has a vertex for each node, group, policy and workflow, and edges for the relationships between them. Its
//! values are *coercible*: each is a map with exactly one of `$primitive`, `$list`, `$map` and `$functionCall`, and
//! with its type and validators in `$meta`. The kinds of vertexes and edges, and the names of their properties, are
//! those that programs for Puccini's output expect. `docs/clout.md` lists the differences.
//!
//! ```
//! use tosca_parse::normal::Service;
//! use tosca_parse::{Entry, Parser, TOSCA};
//! use tosca_parse_clout::Clout;
//!
//! let parser = Parser::builder(&TOSCA).build()?;
//! let text = "
//! tosca_definitions_version: tosca_simple_yaml_1_3
//! topology_template:
//!   node_templates:
//!     server: { type: tosca.nodes.Compute }
//! ";
//! let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml")?, text));
//! let service = Service::of(&outcome.program).expect("there is a service template");
//! let clout = serde_json::to_value(Clout::of(&service))?;
//! assert_eq!(clout["vertexes"]["node-0"]["properties"]["name"], "server");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod component;
mod process;
mod special;
mod substitution;
mod types;
mod value;

use std::fmt::Display;

use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use tosca_parse::normal::Service;

use value::Values;

/// The version of the format.
pub const VERSION: &str = "1.0";

/// A service as a graph.
///
/// The vertexes are built while they are serialized, one at a time, so the result is never in memory as a whole. Their
/// ids depend only on the order of the templates.
#[derive(Debug)]
pub struct Clout<'a> {
    service: &'a Service,
    values: Values<'a>,
}

impl<'a> Clout<'a> {
    /// Returns the graph of a service.
    pub fn of(service: &'a Service) -> Self {
        Self { service, values: Values::of(service) }
    }

    /// Calls a function with each vertex and its id.
    fn each_vertex<E>(&self, mut write: impl FnMut(&str, &Vertex) -> Result<(), E>) -> Result<(), E> {
        let service = self.service;
        let mut write = |id: &str, vertex: &Vertex| {
            self.values.begin_vertex();
            write(id, vertex)
        };
        for (index, (name, node)) in service.nodes.iter().enumerate() {
            write(&id("node", index), &self.node(name, node))?;
        }
        for (index, (name, group)) in service.groups.iter().enumerate() {
            write(&id("group", index), &self.group(name, group))?;
        }
        for (index, (name, policy)) in service.policies.iter().enumerate() {
            self.policy(&id("policy", index), name, policy, &mut write)?;
        }
        for (index, (name, workflow)) in service.workflows.iter().enumerate() {
            self.workflow(&id("workflow", index), name, workflow, &mut write)?;
        }
        service.substitution.iter().try_for_each(|mapped| write("substitution", &self.substitution(mapped)))
    }

    fn node_id(&self, name: &str) -> Option<String> {
        self.service.nodes.get_index_of(name).map(|index| id("node", index))
    }

    fn group_id(&self, name: &str) -> Option<String> {
        self.service.groups.get_index_of(name).map(|index| id("group", index))
    }

    fn workflow_id(&self, name: &str) -> Option<String> {
        self.service.workflows.get_index_of(name).map(|index| id("workflow", index))
    }
}

impl Serialize for Clout<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.values.begin();
        let mut clout = serializer.serialize_struct("Clout", 4)?;
        clout.serialize_field("version", VERSION)?;
        let program = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "language": self.service.language,
            "file": self.service.file,
        });
        clout.serialize_field("metadata", &json!({ "puccini": { "version": VERSION }, "tosca-parse": program }))?;
        clout.serialize_field("properties", &Properties { tosca: ServiceProperties(self) })?;
        clout.serialize_field("vertexes", &Vertexes(self))?;
        clout.end()
    }
}

/// The properties of the graph as a whole.
#[derive(Serialize)]
struct Properties<'c> {
    tosca: ServiceProperties<'c>,
}

struct ServiceProperties<'c>(&'c Clout<'c>);

impl Serialize for ServiceProperties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Clout { service, values } = self.0;
        let mut properties = serializer.serialize_struct("ServiceProperties", 4)?;
        properties.serialize_field("description", text(service.description.as_ref()))?;
        properties.serialize_field("inputs", &values.each_parameter(&service.inputs))?;
        properties.serialize_field("metadata", &service.metadata)?;
        properties.serialize_field("outputs", &values.each_parameter(&service.outputs))?;
        properties.end()
    }
}

struct Vertexes<'c>(&'c Clout<'c>);

impl Serialize for Vertexes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut vertexes = serializer.serialize_map(None)?;
        self.0.each_vertex(|id, vertex| vertexes.serialize_entry(id, vertex))?;
        vertexes.end()
    }
}

/// A vertex with its outgoing edges.
#[derive(Debug, Serialize)]
struct Vertex {
    metadata: Value,
    properties: Map<String, Value>,
    #[serde(rename = "edgesOut")]
    edges_out: Vec<Edge>,
}

#[derive(Debug, Serialize)]
struct Edge {
    metadata: Value,
    properties: Map<String, Value>,
    #[serde(rename = "targetID")]
    target_id: String,
}

impl Vertex {
    fn new(kind: &str, properties: Map<String, Value>, edges_out: Vec<Edge>) -> Self {
        Self { metadata: metadata(kind), properties, edges_out }
    }
}

impl Edge {
    fn new(kind: &str, properties: Map<String, Value>, target_id: String) -> Self {
        Self { metadata: metadata(kind), properties, target_id }
    }

    /// Returns an edge without properties.
    fn bare(kind: &str, target_id: String) -> Self {
        Self::new(kind, Map::new(), target_id)
    }
}

/// The metadata by which programs for Puccini's output select vertexes and edges.
fn metadata(kind: &str) -> Value {
    json!({ "puccini": { "version": VERSION, "kind": kind } })
}

fn id(kind: impl Display, index: usize) -> String {
    format!("{kind}-{index}")
}

/// Returns a text, which is empty if it is missing.
fn text(text: Option<&tosca_parse::normal::Name>) -> &str {
    text.map_or("", |text| text)
}

/// Returns the entries of a literal map.
fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests;
