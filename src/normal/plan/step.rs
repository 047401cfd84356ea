//! The stages and steps of a plan.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::difference::Difference;
use crate::normal::{Implementation, Map, Name, Source, Types, Value};

/// The version of the format of a serialized [`Plan`].
pub const PLAN_VERSION: u32 = 1;

/// The order in which nodes are deployed and undeployed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Plan {
    /// The version of the plan format.
    #[cfg_attr(feature = "schema", schemars(extend("const" = PLAN_VERSION)))]
    pub plan: u32,
    /// The entry file of the service.
    pub file: Name,
    /// For a changed template: the stages that are undeployed first. Replaced nodes are both here and in `deployment`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removal: Vec<Stage>,
    /// The stages of deployment. For a changed template, unchanged nodes are omitted.
    pub deployment: Vec<Stage>,
    /// The stages of the later undeployment of the whole service.
    pub undeployment: Vec<Stage>,
    /// Nodes that depend on each other and so have no order. They share a stage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<Vec<Name>>,
}

/// Steps that can run in parallel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Stage {
    /// The steps, in the order of the template.
    pub steps: Vec<Step>,
}

/// The action for one node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Step {
    /// The name of the node template.
    pub node: Name,
    /// The action.
    pub action: Action,
    /// The node type and its ancestors.
    pub types: Types,
    /// For a node that is not created: `select` or `substitute`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directive: Option<Name>,
    /// The number of nodes that are created from the template: an integer or a call. One if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Value>,
    /// The nodes whose steps must be complete before this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Name>,
    /// The operations that are called, in order. Operations without an implementation are omitted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<PlannedCall>,
    /// For a changed or replaced node: the differences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
    /// The position of the node template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// The action for a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Action {
    /// The node is deployed.
    Add,
    /// The node is kept and changed.
    Change,
    /// The node is undeployed and deployed again, because its type or its host differs.
    Replace,
    /// The node is undeployed.
    Remove,
}

/// A call to an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PlannedCall {
    /// The node on which the operation is called.
    pub node: Name,
    /// For an operation of a relationship: the relationship.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relationship: Option<Related>,
    /// The name of the interface.
    pub interface: Name,
    /// The name of the operation.
    pub operation: Name,
    /// The implementation.
    pub implementation: Arc<Implementation>,
    /// The inputs. Values that are not known before deployment are calls.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub inputs: Map<Value>,
}

/// A relationship.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Related {
    /// The source node.
    pub source: Name,
    /// The requirement that the relationship fulfills.
    pub requirement: Name,
    /// The target node.
    pub target: Name,
}
