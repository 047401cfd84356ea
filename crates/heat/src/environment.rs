//! The entities of environments: values of parameters and replacements of types.

use tosca_parse::entity::{Child, Children, Located, Members, Text, Texts, Value, Values};
use tosca_parse::{Entity, Enumerated};

use crate::TYPES;

/// An environment.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "environment")]
#[non_exhaustive]
pub struct Environment {
    /// Values of the parameters of the template.
    pub parameters: Values,
    /// Values in place of the defaults of parameters, in nested templates too.
    pub parameter_defaults: Values,
    /// Types that replace other types.
    pub resource_registry: Child<Registry>,
    /// The strategies for merging values from several environments, by parameter; `default` applies to all other
    /// parameters.
    pub parameter_merge_strategies: Members<Strategy>,
    /// Receivers of the events of the stack.
    pub event_sinks: Children<EventSink>,
    /// The names of parameters whose values are encrypted.
    pub encrypted_param_names: Texts,
}

/// Types that replace other types.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "resource registry")]
#[non_exhaustive]
pub struct Registry {
    /// The folder or URL that paths of templates are relative to.
    pub base_url: Option<Text>,
    /// Entries for single resources, by the name of the resource.
    pub resources: Members<RegistryEntry>,
    /// The types that are replaced, by name or by a pattern that ends in an asterisk.
    #[field(keyname = "*", section = TYPES)]
    pub types: Members<RegistryEntry>,
}

/// The type that replaces a different type, or the entries for a resource.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "registry entry")]
#[non_exhaustive]
pub struct RegistryEntry {
    /// The name of a type or the path of a template.
    #[field(keyname = "", short(scalar))]
    pub replacement: Option<Text>,
    /// The points at which the resource waits for the user.
    #[field(one_too)]
    pub hooks: Texts,
    /// The actions that the resource refuses.
    #[field(one_too)]
    pub restricted_actions: Texts,
    /// Types that are replaced for the resource, and entries for the resources of its nested template.
    #[field(keyname = "*")]
    pub entries: Members<RegistryEntry>,
}

/// The strategy for merging the values that several environments give to a parameter.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "merge strategy")]
#[non_exhaustive]
pub struct Strategy {
    /// The name of the strategy.
    #[field(keyname = "", mandatory, short(scalar))]
    pub strategy: Option<Located<MergeStrategy>>,
}

/// A strategy for merging values.
#[derive(Enumerated, Clone, Copy, Debug, PartialEq, Eq)]
#[enumerated(title = "merge strategy")]
#[non_exhaustive]
pub enum MergeStrategy {
    /// The last value counts.
    Overwrite,
    /// Strings and lists are joined, and maps are merged at their top level.
    Merge,
    /// Strings and lists are joined, and maps are merged at all levels.
    DeepMerge,
}

/// A receiver of events.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "event sink")]
#[non_exhaustive]
pub struct EventSink {
    /// The kind of receiver.
    #[field(mandatory)]
    pub r#type: Option<Located<SinkType>>,
    /// The name of the queue.
    pub target: Option<Text>,
    /// The time for which events are kept, in seconds.
    pub ttl: Option<Value>,
}

/// The kind of a receiver of events.
#[derive(Enumerated, Clone, Copy, Debug, PartialEq, Eq)]
#[enumerated(title = "event sink type")]
#[non_exhaustive]
pub enum SinkType {
    /// A Zaqar queue.
    #[value(name = "zaqar-queue")]
    ZaqarQueue,
}
