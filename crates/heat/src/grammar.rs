//! The entities of templates.

use tosca_parse::entity::{
    Child, Children, LanguageVersion, Located, Members, Reference, References, Text, Texts, Value, Values,
};
use tosca_parse::{Entity, Enumerated};

use crate::function::{CONDITION, ONLY_FUNCTION};
use crate::rules::{NO_BOUNDS, ONE_CONSTRAINT};
use crate::types::ResourceType;
use crate::{CONDITIONS, PARAMETERS, RESOURCES, TYPES};

/// 2014-10-16.
pub const JUNO: LanguageVersion = LanguageVersion(1);
/// 2015-04-30.
pub const KILO: LanguageVersion = LanguageVersion(2);
/// 2015-10-15.
pub const LIBERTY: LanguageVersion = LanguageVersion(3);
/// 2016-04-08.
pub const MITAKA: LanguageVersion = LanguageVersion(4);
/// 2016-10-14.
pub const NEWTON: LanguageVersion = LanguageVersion(5);
/// 2017-02-24.
pub const OCATA: LanguageVersion = LanguageVersion(6);
/// 2017-09-01.
pub const PIKE: LanguageVersion = LanguageVersion(7);
/// 2018-03-02.
pub const QUEENS: LanguageVersion = LanguageVersion(8);
/// 2021-04-16.
pub const WALLABY: LanguageVersion = LanguageVersion(10);

/// A template.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "template")]
#[non_exhaustive]
pub struct Template {
    /// The version of the language.
    #[field(mandatory)]
    pub heat_template_version: Option<Text>,
    /// A description of the template.
    pub description: Option<Text>,
    /// Groups of parameters, for user interfaces.
    pub parameter_groups: Children<ParameterGroup>,
    /// The values that users give when they create a stack.
    #[field(section = PARAMETERS)]
    pub parameters: Members<Parameter>,
    /// Conditions, by name.
    #[field(section = CONDITIONS, since = NEWTON)]
    pub conditions: Members<Condition>,
    /// The resources of the stack.
    #[field(section = RESOURCES)]
    pub resources: Members<Resource>,
    /// The values that the stack returns.
    pub outputs: Members<Output>,
}

/// A group of parameters.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "parameter group")]
#[non_exhaustive]
pub struct ParameterGroup {
    /// The label of the group.
    pub label: Option<Text>,
    /// A description of the group.
    pub description: Option<Text>,
    /// The names of the parameters.
    #[field(mandatory, lookup(PARAMETERS))]
    pub parameters: References<Parameter>,
}

/// A parameter.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "parameter")]
#[non_exhaustive]
pub struct Parameter {
    /// The type of the value.
    #[field(mandatory)]
    pub r#type: Option<Located<ParameterType>>,
    /// The label, for user interfaces.
    pub label: Option<Text>,
    /// A description of the parameter.
    pub description: Option<Text>,
    /// The value if users give none.
    pub default: Option<Value>,
    /// Whether the value is hidden when the stack is shown.
    #[field(default = "false")]
    pub hidden: Option<Located<bool>>,
    /// Whether updates of the stack can't change the value.
    #[field(default = "false")]
    pub immutable: Option<Located<bool>>,
    /// Constraints on the value.
    pub constraints: Children<Constraint>,
    /// Tags of the parameter.
    #[field(since = QUEENS)]
    pub tags: Texts,
    /// A schema of the value, which has no effect.
    pub schema: Option<Value>,
}

/// The type of a parameter.
#[derive(Enumerated, Clone, Copy, Debug, PartialEq, Eq)]
#[enumerated(title = "parameter type")]
#[non_exhaustive]
pub enum ParameterType {
    /// A string.
    String,
    /// A number.
    Number,
    /// A list of strings.
    CommaDelimitedList,
    /// A map or a list.
    Json,
    /// A boolean.
    Boolean,
}

/// A constraint on a parameter.
#[derive(Entity, Clone, Debug, Default)]
#[entity(
    title = "constraint",
    one_of(modulo, range, length, allowed_values, allowed_pattern, custom_constraint, rule = ONE_CONSTRAINT)
)]
#[non_exhaustive]
pub struct Constraint {
    /// The text of the error if a value violates the constraint.
    pub description: Option<Text>,
    /// The step and the offset of a number.
    #[field(since = OCATA)]
    pub modulo: Child<Modulo>,
    /// The bounds of a number.
    pub range: Child<Bounds>,
    /// The bounds of the length.
    pub length: Child<Bounds>,
    /// All values that are allowed.
    pub allowed_values: Option<Value>,
    /// A regular expression that matches the value.
    pub allowed_pattern: Option<Text>,
    /// The name of a constraint that the service implements.
    pub custom_constraint: Option<Text>,
}

/// Bounds, which are inclusive.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "range", any_of(min, max, rule = NO_BOUNDS))]
#[non_exhaustive]
pub struct Bounds {
    /// The minimum.
    pub min: Option<Value>,
    /// The maximum.
    pub max: Option<Value>,
}

/// A step and an offset.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "modulo")]
#[non_exhaustive]
pub struct Modulo {
    /// The step.
    #[field(mandatory)]
    pub step: Option<Value>,
    /// The offset.
    #[field(mandatory)]
    pub offset: Option<Value>,
}

/// A condition: a boolean or a function.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "condition")]
#[non_exhaustive]
pub struct Condition {
    /// A boolean or a function with its arguments.
    #[field(keyname = "", mandatory, short(scalar, list, map), value, argument = ONLY_FUNCTION)]
    pub value: Option<Value>,
}

/// A resource.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "resource")]
#[non_exhaustive]
pub struct Resource {
    /// The name of the type or the path of a template.
    #[field(mandatory, definition, lookup(TYPES, optional))]
    pub r#type: Option<Reference<ResourceType>>,
    /// The values of the properties of the type.
    #[field(assigns(title = "property", undeclared = allowed), value)]
    pub properties: Values,
    /// Data for programs on the resource.
    #[field(value)]
    pub metadata: Option<Value>,
    /// The resources that are created before this one.
    #[field(one_too, lookup(RESOURCES))]
    pub depends_on: References<Resource>,
    /// The policy for updates of the resource.
    #[field(value)]
    pub update_policy: Option<Value>,
    /// The deletion policy: whether the resource is deleted, kept, or saved as a snapshot when it is removed from the
    /// stack.
    #[field(default = "Delete", value)]
    pub deletion_policy: Option<Value>,
    /// A description of the resource.
    pub description: Option<Text>,
    /// The identifier of an existing resource.
    #[field(since = NEWTON, value)]
    pub external_id: Option<Value>,
    /// The condition under which the resource is created.
    #[field(since = NEWTON, value, argument = CONDITION)]
    pub condition: Option<Value>,
}

/// An output.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "output")]
#[non_exhaustive]
pub struct Output {
    /// A description of the output.
    pub description: Option<Text>,
    /// The value.
    #[field(mandatory, value)]
    pub value: Option<Value>,
    /// The condition under which the output has its value; otherwise, the value is null.
    #[field(since = NEWTON, value, argument = CONDITION)]
    pub condition: Option<Value>,
}
