//! Groups, policies and workflows.

use serde::{Deserialize, Serialize};

use super::interface::{Implementation, Interface};
use super::property::{Property, Source, Types};
use crate::normal::parts::Parts;
use crate::normal::value::{Map, Name, Value};

/// Nodes to which policies apply in common.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Group {
    /// The group type and what it is derived from.
    pub types: Types,
    /// What the group is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that is not for the processor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// What is wanted of the group.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub properties: Parts<Property>,
    /// What the group is like to begin with.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub attributes: Parts<Property>,
    /// Until TOSCA 1.2: what can be called on the group.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub interfaces: Parts<Interface>,
    /// The node templates from which the members are made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Name>,
    /// The groups whose members are members too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Name>,
    /// Where the group stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// A rule that governs nodes and groups.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Policy {
    /// The policy type and what it is derived from.
    pub types: Types,
    /// What the policy is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that is not for the processor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// What the policy says.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub properties: Parts<Property>,
    /// The node templates that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Name>,
    /// The groups that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Name>,
    /// What it does when something happens: what its type says, and what it adds.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub triggers: Parts<Trigger>,
    /// Where the policy stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// What is done when something happens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Trigger {
    /// What the trigger is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that is not for the processor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// What happens: a notification, written `interface.notification`, or another event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<Name>,
    /// In TOSCA 1.x: when it may happen, as it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Value>,
    /// In TOSCA 1.x: where it happens, as it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_filter: Option<Value>,
    /// What must be true besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Value>,
    /// What is done, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub action: Vec<Activity>,
    /// In TOSCA 1.1 and 1.2, which have no activities there: the operation that is done or the name of the workflow
    /// that is run, as it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Value>,
    /// Where the trigger stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// Something that is done: a map with one key, which says what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(!into, !try_from))]
#[serde(rename_all = "snake_case", into = "super::activity::Written", try_from = "super::activity::Written")]
#[non_exhaustive]
pub enum Activity {
    /// A workflow that the processor provides is run.
    Delegate {
        /// Its name.
        workflow: Name,
        /// What it is given.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        inputs: Map<Value>,
    },
    /// The state of the node is set to this.
    SetState(Name),
    /// An operation is called.
    CallOperation {
        /// The name of the interface.
        interface: Name,
        /// The name of the operation.
        operation: Name,
        /// What it is given, instead of what the node says.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        inputs: Map<Value>,
    },
    /// Another workflow of the service is run as a part of this one.
    Inline {
        /// Its name.
        workflow: Name,
        /// What it is given.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        inputs: Map<Value>,
    },
}

/// A sequence of steps that can be run on the service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Workflow {
    /// What the workflow does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that is not for the processor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// What the workflow is given.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub inputs: Parts<Property>,
    /// What must be true before it is run. In TOSCA 1.x as it is written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preconditions: Vec<Value>,
    /// The steps. Those that no other names as its follower are where it begins.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub steps: Map<Step>,
    /// What runs it, instead of steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub implementation: Option<Implementation>,
    /// What it gives back, with the attributes in which that is stored.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub outputs: Parts<Property>,
    /// Where the workflow stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// A step of a workflow. Either `node` or `group` is there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Step {
    /// What the step does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that is not for the processor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The node template that the step works on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<Name>,
    /// The group that the step works on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<Name>,
    /// The requirement of the node whose relationships the step works on instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relationship: Option<Name>,
    /// In TOSCA 1.x: where operations are run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_host: Option<Name>,
    /// What must be true for the step to be taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filter: Vec<Value>,
    /// What is done, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub activities: Vec<Activity>,
    /// The steps that follow when all went well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on_success: Vec<Name>,
    /// The steps that follow when something went wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on_failure: Vec<Name>,
    /// Where the step stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}
