//! The stages and steps of a plan.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::difference::Difference;
use crate::normal::{Implementation, Map, Name, Source, Types, Value};

/// The version of the form of a [`Plan`] as it is written.
pub const PLAN_VERSION: u32 = 1;

/// In which order nodes are deployed and undeployed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Plan {
    /// The version of this form.
    #[cfg_attr(feature = "schema", schemars(extend("const" = PLAN_VERSION)))]
    pub plan: u32,
    /// The entry file of the service.
    pub file: Name,
    /// For a changed template: what is undeployed first. What is replaced is both here and in `deployment`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removal: Vec<Stage>,
    /// The stages of deployment. For a changed template, nodes that stay as they are are left out.
    pub deployment: Vec<Stage>,
    /// The stages in which everything is undeployed again.
    pub undeployment: Vec<Stage>,
    /// Nodes that need each other, so that there is no order among them; they are in one stage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<Vec<Name>>,
}

/// Steps that can be taken in parallel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Stage {
    /// The steps, in the order of the template.
    pub steps: Vec<Step>,
}

/// What is done with a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Step {
    /// The name of the node template.
    pub node: Name,
    /// What is done.
    pub action: Action,
    /// The node type and what it is derived from.
    pub types: Types,
    /// For a node that is not created: `select` or `substitute`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directive: Option<Name>,
    /// How many nodes are made from the template: an integer or a call. One if it is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Value>,
    /// The nodes whose steps must be complete before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Name>,
    /// The operations that are called, in order. Those that nothing implements are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<Called>,
    /// For a node that is changed or replaced: what is different.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
    /// Where the node template stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// What is done with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Action {
    /// It is deployed.
    Add,
    /// It stays, and is changed.
    Change,
    /// It is undeployed, and deployed anew: its type is another one, or what it runs on.
    Replace,
    /// It is undeployed.
    Remove,
}

/// A call of an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Called {
    /// The node for which it is called.
    pub node: Name,
    /// For an operation of a relationship: which one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relationship: Option<Related>,
    /// The name of the interface.
    pub interface: Name,
    /// The name of the operation.
    pub operation: Name,
    /// What is run.
    pub implementation: Arc<Implementation>,
    /// What it is given. Values that are not known before deployment are calls.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub inputs: Map<Value>,
}

/// A relationship.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Related {
    /// The node where it starts.
    pub source: Name,
    /// The requirement that it fulfils.
    pub requirement: Name,
    /// The node where it ends.
    pub target: Name,
}
