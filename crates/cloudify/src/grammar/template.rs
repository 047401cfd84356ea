//! Node templates, groups and scaling policies.

use tosca_parse::Entity;
use tosca_parse::entity::{Child, Children, Located, Members, Reference, References, Text, Value, Values};

use super::{
    Delay, Executor, GROUPS, NODE_TEMPLATES, NODE_TYPES, NodeType, POLICY_TRIGGERS, POLICY_TYPES, PolicyTrigger,
    PolicyType, RELATIONSHIPS, RelationshipType, Retries, V1_1, V1_3,
};

/// A node template.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "node template")]
#[non_exhaustive]
pub struct NodeTemplate {
    /// The type of the node. A template that extends an imported one may omit the type.
    #[field(definition, lookup(NODE_TYPES))]
    pub r#type: Option<Reference<NodeType>>,
    /// The values of the properties of the type.
    #[field(assigns(title = "property"), value)]
    pub properties: Values,
    /// The relationships to other nodes.
    pub relationships: Children<Relationship>,
    /// The operations, by interface, which override those of the type.
    pub interfaces: Members<TemplateInterface>,
    /// The number of instances.
    pub instances: Child<Instances>,
    /// The capabilities.
    #[field(since = V1_3)]
    pub capabilities: Child<NodeCapabilities>,
}

/// A relationship of a node template.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "relationship")]
#[non_exhaustive]
pub struct Relationship {
    /// The type of the relationship.
    #[field(mandatory, definition, lookup(RELATIONSHIPS))]
    pub r#type: Option<Reference<RelationshipType>>,
    /// The other node template.
    #[field(mandatory, lookup(NODE_TEMPLATES))]
    pub target: Option<Reference<NodeTemplate>>,
    /// The values of the properties of the type.
    #[field(assigns(title = "property"), value)]
    pub properties: Values,
    /// The operations that run on the source, by interface.
    pub source_interfaces: Members<TemplateInterface>,
    /// The operations that run on the target, by interface.
    pub target_interfaces: Members<TemplateInterface>,
}

/// An interface of a template.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "interface assignment")]
#[non_exhaustive]
pub struct TemplateInterface {
    /// The operations.
    #[field(keyname = "*")]
    pub operations: Members<Operation>,
}

/// An operation of a template.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "operation assignment")]
#[non_exhaustive]
pub struct Operation {
    /// The implementation: `PLUGIN.TASK`, or the path, URL or text of a script.
    #[field(file, short(scalar))]
    pub implementation: Option<Text>,
    /// The values of the inputs.
    #[field(value)]
    pub inputs: Values,
    /// The place where the operation runs.
    pub executor: Option<Located<Executor>>,
    /// The number of times that a failed operation is repeated; -1 means without limit.
    #[field(since = V1_1)]
    pub max_retries: Option<Located<Retries>>,
    /// The time between attempts, in seconds.
    #[field(since = V1_1)]
    pub retry_interval: Option<Located<Delay>>,
    /// The maximum duration, in seconds.
    pub timeout: Option<Located<Delay>>,
    /// Whether the operation is repeated after a timeout.
    pub timeout_recoverable: Option<Located<bool>>,
}

/// The number of instances of a node.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "instances")]
#[non_exhaustive]
pub struct Instances {
    /// The number of instances.
    #[field(default = "1")]
    pub deploy: Option<Value>,
}

/// The capabilities of a node.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "node capabilities")]
#[non_exhaustive]
pub struct NodeCapabilities {
    /// The number of instances and its bounds.
    pub scalable: Child<Scalable>,
}

/// The capability of a node to have several instances.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "scalable capability")]
#[non_exhaustive]
pub struct Scalable {
    /// The number of instances and its bounds.
    pub properties: Child<ScalingProperties>,
}

/// A number of instances and its bounds.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "scaling properties")]
#[non_exhaustive]
pub struct ScalingProperties {
    /// The initial number of instances.
    #[field(default = "1", value)]
    pub default_instances: Option<Value>,
    /// The minimum.
    #[field(default = "0", value)]
    pub min_instances: Option<Value>,
    /// The maximum; -1 or `UNBOUNDED` means without limit.
    #[field(default = "UNBOUNDED", value)]
    pub max_instances: Option<Value>,
}

/// A group of nodes.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "group")]
#[non_exhaustive]
pub struct Group {
    /// The members: node templates and groups.
    #[field(mandatory, lookup(NODE_TEMPLATES, GROUPS))]
    pub members: References<()>,
    /// The policies of the group.
    pub policies: Members<GroupPolicy>,
}

/// A policy of a group.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "group policy")]
#[non_exhaustive]
pub struct GroupPolicy {
    /// The type of the policy.
    #[field(mandatory, definition, lookup(POLICY_TYPES))]
    pub r#type: Option<Reference<PolicyType>>,
    /// The values of the properties of the type.
    #[field(assigns(title = "property"), value)]
    pub properties: Values,
    /// The triggers of the policy.
    pub triggers: Members<GroupTrigger>,
}

/// A trigger of a policy.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "trigger")]
#[non_exhaustive]
pub struct GroupTrigger {
    /// The type of the trigger.
    #[field(mandatory, definition, lookup(POLICY_TRIGGERS))]
    pub r#type: Option<Reference<PolicyTrigger>>,
    /// The values of the parameters of the type.
    #[field(assigns(title = "parameter"), value)]
    pub parameters: Values,
}

/// A scaling policy.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "scaling policy")]
#[non_exhaustive]
pub struct ScalingPolicy {
    /// The type, which is `cloudify.policies.scaling`.
    #[field(mandatory)]
    pub r#type: Option<Text>,
    /// The number of instances of the groups and its bounds.
    pub properties: Child<ScalingProperties>,
    /// The groups.
    #[field(mandatory, lookup(GROUPS))]
    pub targets: References<Group>,
}
