//! Groups, policies and workflows.

use serde::{Deserialize, Serialize};

use super::interface::{Implementation, Interface};
use super::property::{Property, Source, Types};
use crate::normal::overlay_map::OverlayMap;
use crate::normal::{Map, Name, Value};

/// A group of nodes. Policies can apply to all of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Group {
    /// The group type and its ancestors.
    pub types: Types,
    /// The description of the group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The properties of the group.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub properties: OverlayMap<Property>,
    /// The attributes of the group, with their initial values.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub attributes: OverlayMap<Property>,
    /// Until TOSCA 1.2: the interfaces of the group.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub interfaces: OverlayMap<Interface>,
    /// The node templates whose nodes are members.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Name>,
    /// The groups whose members are members too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Name>,
    /// The position of the group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// A policy that governs nodes and groups.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Policy {
    /// The policy type and its ancestors.
    pub types: Types,
    /// The description of the policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The properties of the policy.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub properties: OverlayMap<Property>,
    /// The node templates that the policy applies to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Name>,
    /// The groups that the policy applies to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Name>,
    /// The triggers of the policy: those of its type, and those that it adds.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub triggers: OverlayMap<Trigger>,
    /// The position of the policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// A trigger: actions in response to an event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Trigger {
    /// The description of the trigger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The event: a notification, written `interface.notification`, or another event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<Name>,
    /// In TOSCA 1.x: the period during which the event may occur, as written in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Value>,
    /// In TOSCA 1.x: the entity on which the event occurs, as written in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_filter: Option<Value>,
    /// A condition that must hold for the action to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Value>,
    /// The activities, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub action: Vec<Activity>,
    /// In TOSCA 1.1 and 1.2, where triggers have no activities: the operation or the name of the workflow to run, as
    /// written in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Value>,
    /// The position of the trigger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// An activity: a map with one key, its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(!into, !try_from))]
#[serde(rename_all = "snake_case", into = "super::activity::Written", try_from = "super::activity::Written")]
#[non_exhaustive]
pub enum Activity {
    /// Runs a workflow that the processor provides.
    Delegate(WorkflowCall),
    /// Sets the state of the node.
    SetState(Name),
    /// Calls an operation.
    CallOperation(OperationCall),
    /// Runs another workflow of the service as part of this one.
    Inline(WorkflowCall),
}

impl Activity {
    /// Returns the inputs of the workflow or operation; `None` if the activity calls neither.
    pub fn inputs(&self) -> Option<&Map<Value>> {
        match self {
            Self::Delegate(call) | Self::Inline(call) => Some(&call.inputs),
            Self::CallOperation(call) => Some(&call.inputs),
            Self::SetState(_) => None,
        }
    }

    pub(in crate::normal) fn inputs_mut(&mut self) -> Option<&mut Map<Value>> {
        match self {
            Self::Delegate(call) | Self::Inline(call) => Some(&mut call.inputs),
            Self::CallOperation(call) => Some(&mut call.inputs),
            Self::SetState(_) => None,
        }
    }
}

/// A call of a workflow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct WorkflowCall {
    /// The name of the workflow.
    pub workflow: Name,
    /// The description of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The inputs.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub inputs: Map<Value>,
}

/// A call of an operation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct OperationCall {
    /// The name of the interface.
    pub interface: Name,
    /// The name of the operation.
    pub operation: Name,
    /// The description of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The inputs, which replace those of the node.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub inputs: Map<Value>,
}

/// A workflow: a sequence of steps that can be run on the service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Workflow {
    /// The description of the workflow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The inputs of the workflow.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub inputs: OverlayMap<Property>,
    /// The conditions that must hold before the workflow runs. In TOSCA 1.x, they are given as written in the source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preconditions: Vec<Value>,
    /// The steps. The workflow starts with the steps that no other step names as a successor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub steps: Map<Step>,
    /// The implementation that runs the workflow, in place of steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub implementation: Option<Implementation>,
    /// The outputs, with the attributes that store them.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub outputs: OverlayMap<Property>,
    /// The position of the workflow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// A step of a workflow. Exactly one of `node` and `group` is set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Step {
    /// The description of the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The node template that the step applies to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<Name>,
    /// The group that the step applies to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<Name>,
    /// The requirement of the node; the step applies to its relationships instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relationship: Option<Name>,
    /// In TOSCA 1.x: the host on which operations run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_host: Option<Name>,
    /// The conditions that must hold for the step to run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filter: Vec<Value>,
    /// The activities, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub activities: Vec<Activity>,
    /// The steps that follow on success.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on_success: Vec<Name>,
    /// The steps that follow on failure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on_failure: Vec<Name>,
    /// The position of the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}
