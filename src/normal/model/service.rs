//! The service as a whole.

use foldhash::HashSet;
use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

use super::function::Function;
use super::node::{Node, Relationship};
use super::process::{Group, Policy, Workflow};
use super::property::{DataType, Property};
use super::substitution::Substitution;
use crate::normal::overlay_map::OverlayMap;
use crate::normal::{Map, Name, Value};

/// A complete service: readers need neither its source files nor any types.
///
/// Empty fields (null, an empty list or map, `false`) are omitted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Service {
    /// The version of the model format. Fields may be added within a version; none is removed, renamed or given a
    /// different meaning.
    #[cfg_attr(feature = "schema", schemars(extend("const" = crate::normal::VERSION)))]
    pub model: u32,
    /// The language and version of the entry file, such as `TOSCA 2.0`.
    pub language: Name,
    /// The entry file: a path or a URL.
    pub file: Name,
    /// The description of the service template or, without one, of the entry file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// The metadata of the entry file, overridden by the metadata of the service template.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The inputs of the service. In the state `assigned`, the value was given to the parser; calls to `get_input`
    /// remain calls nevertheless.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub inputs: OverlayMap<Property>,
    /// The outputs of the service.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub outputs: OverlayMap<Property>,
    /// The node templates.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub nodes: Map<Node>,
    /// The relationship templates. A requirement that uses a template contains all of it, so no lookup is needed.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub relationships: OverlayMap<Relationship>,
    /// The groups.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub groups: Map<Group>,
    /// The policies.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub policies: Map<Policy>,
    /// The workflows.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub workflows: Map<Workflow>,
    /// How the service can substitute a node of another service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substitution: Option<Substitution>,
    /// The functions that are called anywhere in the model and are not built in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<Function>,
    /// The data types that are named in schemas and are not built in, so that later values can be validated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data_types: Vec<DataType>,
}

impl Service {
    /// Returns the node templates that a policy applies to: its own, and the members of its groups and of the groups in
    /// them, each once. `None` if there is no such policy.
    ///
    /// ```
    /// use tosca_parse::normal::Service;
    /// use tosca_parse::{Entry, Parser, TOSCA};
    ///
    /// let parser = Parser::builder(&TOSCA).build()?;
    /// let text = "
    /// tosca_definitions_version: tosca_2_0
    /// node_types: { Server: {} }
    /// group_types: { Zone: {} }
    /// policy_types: { Limit: {} }
    /// service_template:
    ///   node_templates: { a: { type: Server }, b: { type: Server }, c: { type: Server } }
    ///   groups: { inner: { type: Zone, members: [ b ] }, outer: { type: Zone, members: [ inner, a ] } }
    ///   policies: [ limit: { type: Limit, targets: [ outer, b ] } ]
    /// ";
    /// let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml")?, text));
    /// let service = Service::of(&outcome.program).expect("there is a service template");
    /// let names: Vec<&str> = service.policy_targets("limit").unwrap_or_default().into_iter().map(|name| &**name).collect();
    /// assert_eq!(names, ["b", "a"]);
    /// assert_eq!(service.policy_targets("other"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn policy_targets(&self, policy: &str) -> Option<Vec<&Name>> {
        let policy = self.policies.get(policy)?;
        let (mut nodes, mut groups): (IndexSet<&Name>, HashSet<&Name>) = Default::default();
        nodes.extend(&policy.nodes);
        let mut waiting: Vec<&Name> = policy.groups.iter().rev().collect();
        while let Some(name) = waiting.pop() {
            let Some(group) = self.groups.get(name).filter(|_| groups.insert(name)) else { continue };
            nodes.extend(&group.nodes);
            waiting.extend(group.groups.iter().rev());
        }
        Some(nodes.into_iter().collect())
    }

    /// Returns a service without its nodes.
    pub(in crate::normal) fn frame(&self) -> Self {
        let Self {
            model,
            language,
            file,
            description,
            metadata,
            inputs,
            outputs,
            nodes: _,
            relationships,
            groups,
            policies,
            workflows,
            substitution,
            functions,
            data_types,
        } = self;
        Self {
            model: *model,
            language: language.clone(),
            file: file.clone(),
            description: description.clone(),
            metadata: metadata.clone(),
            inputs: inputs.clone(),
            outputs: outputs.clone(),
            nodes: Map::new(),
            relationships: relationships.clone(),
            groups: groups.clone(),
            policies: policies.clone(),
            workflows: workflows.clone(),
            substitution: substitution.clone(),
            functions: functions.clone(),
            data_types: data_types.clone(),
        }
    }
}
