//! The built-in functions: their parameters and results (2.0, 10.2).

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::ard::Node;
use crate::data::typed::kind::DataKind;
use crate::diagnostic::suggest::nearest;
use crate::entity::{self, Functions, LanguageVersion, Lookup};
use crate::grammar::section::{INPUTS, NODE_TEMPLATES, NODE_TYPES, RELATIONSHIP_TEMPLATES};
use crate::grammar::version::V2_0;

/// A built-in function.
#[derive(Debug)]
pub struct Function {
    /// The name, without `$`.
    pub name: &'static str,
    /// The required parameters, in order.
    pub parameters: &'static [Parameter],
    /// The optional parameters that follow.
    pub optional: &'static [Parameter],
    /// The parameter that may follow any number of times.
    pub rest: Option<Parameter>,
    /// The type of the result.
    pub result: ReturnType,
    /// A description of the arguments for authors.
    pub usage: &'static str,
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// Anything.
    Any,
    /// A boolean.
    Boolean,
    /// A value of a type with an order.
    Comparable,
    /// A value that is compared with the first argument and has the same type.
    Like,
    /// A value that is combined with the first argument and has the same type.
    Same,
    /// A list of values that the first argument is compared with.
    Values,
    /// A value that the entries of the first argument are compared with.
    Entry,
    /// A list of values that the entries of the first argument are compared with.
    Entries,
    /// A value that the keys of the first argument are compared with.
    Key,
    /// A list of values that the keys of the first argument are compared with.
    Keys,
    /// A string.
    String,
    /// A list of strings.
    Strings,
    /// A list.
    List,
    /// A map.
    Map,
    /// A list or a map.
    Collection,
    /// A string or a list.
    StringOrList,
    /// A string, a list or a map.
    Measurable,
    /// An integer, a float or a scalar.
    Quantity,
    /// An integer or a float.
    Number,
    /// An integer or a scalar.
    IntegerOrScalar,
    /// An integer.
    Integer,
    /// A float.
    Float,
    /// The name of an input.
    Input,
    /// The start of a path: the name of a template, or a keyword such as `SELF`.
    Start,
    /// The name of a node type.
    NodeType,
    /// The name of a property at the end of a path, or a step of the path.
    Property,
    /// The name of an attribute or property at the end of a path, or a step of the path.
    Attribute,
    /// The name of a property of a capability at the end of a path, or a step of the path.
    Allocation,
    /// The name of an artifact at the end of a path, or a step of the path.
    Artifact,
}

/// The kind of member at the end of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathTarget {
    /// A property.
    Property,
    /// An attribute, or the property that it reflects.
    Attribute,
    /// A property of a capability that can be allocated.
    Allocation,
}

impl PathTarget {
    /// Returns the kind with an article.
    pub(crate) const fn with_article(self) -> &'static str {
        if matches!(self, Self::Attribute) { "an attribute" } else { "a property" }
    }

    /// Returns the kind without an article.
    pub(crate) const fn what(self) -> &'static str {
        if matches!(self, Self::Attribute) { "attribute" } else { "property" }
    }
}

/// The type of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnType {
    /// A value of this kind.
    Kind(DataKind),
    /// The type of the first argument.
    First,
    /// The type of a product, difference or sum of the arguments.
    Arithmetic,
    /// The type of a quotient.
    Quotient,
    /// The type of the value that the name or path leads to.
    Looked,
    /// The value under validation.
    Value,
}

impl Function {
    /// Returns whether the result depends on the representation graph (2.0, 10.2.1), so that no signature can describe
    /// it.
    pub fn is_about_the_graph(&self) -> bool {
        let looks = ["get_artifact", "node_index", "relationship_index"].contains(&self.name);
        looks || matches!(self.result, ReturnType::Looked | ReturnType::Value)
    }

    /// Returns the type of the parameter at the given index.
    pub fn parameter(&self, index: usize) -> Parameter {
        let given = self.parameters.iter().chain(self.optional).nth(index).copied();
        given.or(self.rest).unwrap_or(Parameter::Any)
    }

    /// Returns the type of the parameter at the given index, if no other argument is known.
    pub fn needed(&self, index: usize) -> Parameter {
        match self.parameter(index) {
            Parameter::Like | Parameter::Same => self.parameter(0),
            parameter => parameter,
        }
    }

    /// Returns whether arguments are compared with the first one.
    pub(crate) fn is_comparison(&self) -> bool {
        self.parameters.iter().any(|parameter| matches!(parameter, Parameter::Like | Parameter::Values))
    }

    /// Returns whether arguments are compared or combined with the first one, so that the arguments with known types
    /// determine the meaning of literals.
    pub fn is_relation(&self) -> bool {
        self.is_comparison() || self.parameters.iter().chain(&self.rest).any(|other| *other == Parameter::Same)
    }

    /// Returns whether the function computes numbers.
    pub(crate) fn is_arithmetic(&self) -> bool {
        matches!(self.parameter(0), Parameter::Quantity | Parameter::IntegerOrScalar | Parameter::Float)
    }

    /// Returns whether the function combines conditions.
    pub(crate) fn is_logic(&self) -> bool {
        self.parameter(0) == Parameter::Boolean
    }
}

/// The keywords of paths, which no name of a template replaces.
const PATH_KEYWORDS: [&str; 6] = ["SELF", "SOURCE", "TARGET", "HOST", "CAPABILITY", "RELATIONSHIP"];

impl Parameter {
    /// Returns the sections in which names are looked up. An unknown name is reported when the call is checked.
    const fn described(self) -> entity::Parameter {
        let sections: &[_] = match self {
            Self::Input => &[INPUTS],
            Self::Start => &[NODE_TEMPLATES, RELATIONSHIP_TEMPLATES],
            Self::NodeType => &[NODE_TYPES],
            _ => return entity::Parameter::Value,
        };
        let known: &[_] = if matches!(self, Self::Start) { &PATH_KEYWORDS } else { &[] };
        entity::Parameter::Name(Lookup { known, ..Lookup::of(sections).optional() })
    }

    /// Returns whether the parameter accepts values of the given kind.
    pub fn accepts(self, kind: DataKind) -> bool {
        use DataKind::{Boolean, Complex, Float, Integer, List, Map, Scalar, String};
        match self {
            Self::Any | Self::Like | Self::Same | Self::Entry | Self::Key => true,
            Self::Input | Self::Start | Self::NodeType => true,
            Self::Property | Self::Attribute | Self::Allocation | Self::Artifact => true,
            Self::Boolean => kind == Boolean,
            Self::Comparable => kind.is_comparable(),
            Self::String => kind == String,
            Self::List | Self::Strings | Self::Values | Self::Entries | Self::Keys => kind == List,
            Self::Map => matches!(kind, Map | Complex),
            Self::Collection => matches!(kind, List | Map | Complex),
            Self::StringOrList => matches!(kind, String | List),
            Self::Measurable => matches!(kind, String | List | Map | Complex | DataKind::Bytes),
            Self::Quantity => matches!(kind, Integer | Float | Scalar),
            Self::Number => matches!(kind, Integer | Float),
            Self::IntegerOrScalar => matches!(kind, Integer | Scalar),
            Self::Integer => kind == Integer,
            Self::Float => matches!(kind, Float | Integer),
        }
    }

    /// Returns the type with an article, for messages.
    pub fn with_article(self) -> &'static str {
        match self {
            Self::Any | Self::Like | Self::Same | Self::Entry | Self::Key => "any value",
            Self::Boolean => "a boolean",
            Self::Comparable => "a comparable value (an integer, float, string, timestamp, version or scalar)",
            Self::String => "a string",
            Self::Strings => "a list of strings",
            Self::List | Self::Values | Self::Entries | Self::Keys => "a list",
            Self::Map => "a map",
            Self::Collection => "a list or a map",
            Self::StringOrList => "a string or a list",
            Self::Measurable => "a string, a list or a map",
            Self::Quantity => "an integer, a float or a scalar",
            Self::Number => "an integer or a float",
            Self::IntegerOrScalar => "an integer or a scalar",
            Self::Integer => "an integer",
            Self::Float => "a float",
            Self::Input | Self::Start | Self::NodeType => "a name",
            Self::Property | Self::Attribute | Self::Allocation | Self::Artifact => "a name",
        }
    }
}

const BOOLEAN: ReturnType = ReturnType::Kind(DataKind::Boolean);
const INTEGER: ReturnType = ReturnType::Kind(DataKind::Integer);
const STRING: ReturnType = ReturnType::Kind(DataKind::String);

macro_rules! functions {
    ($($name:literal ($($parameter:ident),*) $([$($optional:ident),*])? $(* $rest:ident)? -> $result:expr, $usage:literal;)*) => {
        /// The built-in functions.
        pub static FUNCTIONS: &[Function] = &[$(Function {
            name: $name,
            parameters: &[$(Parameter::$parameter),*],
            optional: &[$($(Parameter::$optional),*)?],
            rest: functions!(@rest $($rest)?),
            result: $result,
            usage: $usage,
        }),*];

        /// The built-in functions of 2.0, as described to the phases.
        static CALLED_2_0: &[entity::Function] = &[$(entity::Function {
            name: $name,
            usage: $usage,
            parameters: &[$(Parameter::$parameter.described(),)* $($(Parameter::$optional.described()),*)?],
            required: <[Parameter]>::len(&[$(Parameter::$parameter),*]),
            rest: functions!(@described $($rest)?),
        }),*];
    };
    (@described $rest:ident) => { Some(Parameter::$rest.described()) };
    (@described) => { None };
    (@rest $rest:ident) => { Some(Parameter::$rest) };
    (@rest) => { None };
}

functions! {
    "get_input" (Input) * Any -> ReturnType::Looked, "the name of an input, and names or indexes within its value";
    "get_property" (Start, Property) * Any -> ReturnType::Looked, "a path, the name of a property, and names or indexes within its value";
    "get_attribute" (Start, Attribute) * Any -> ReturnType::Looked, "a path, the name of an attribute, and names or indexes within its value";
    "get_artifact" (Start, Artifact) * Any -> STRING, "a path and the name of an artifact";
    "value" () * Any -> ReturnType::Value, "nothing, or names or indexes within the value under validation";
    "node_index" () -> INTEGER, "nothing";
    "relationship_index" () -> INTEGER, "nothing";
    "available_allocation" (Start, Allocation) * Any -> ReturnType::Looked, "a path to a capability and the name of a property";
    "and" (Boolean) * Boolean -> BOOLEAN, "two or more booleans";
    "or" (Boolean) * Boolean -> BOOLEAN, "two or more booleans";
    "not" (Boolean) -> BOOLEAN, "one boolean";
    "xor" (Boolean, Boolean) -> BOOLEAN, "two booleans";
    "equal" (Any, Like) -> BOOLEAN, "two values of one type";
    "greater_than" (Comparable, Like) -> BOOLEAN, "two values of one type";
    "greater_or_equal" (Comparable, Like) -> BOOLEAN, "two values of one type";
    "less_than" (Comparable, Like) -> BOOLEAN, "two values of one type";
    "less_or_equal" (Comparable, Like) -> BOOLEAN, "two values of one type";
    "valid_values" (Any, Values) -> BOOLEAN, "a value and a list of values";
    "matches" (String, String) -> BOOLEAN, "a string and a regular expression";
    "has_suffix" (StringOrList, Same) -> BOOLEAN, "two strings or two lists";
    "has_prefix" (StringOrList, Same) -> BOOLEAN, "two strings or two lists";
    "contains" (StringOrList, Same) -> BOOLEAN, "two strings or two lists";
    "has_entry" (Collection, Entry) -> BOOLEAN, "a list or map and a value";
    "has_key" (Map, Key) -> BOOLEAN, "a map and a key";
    "has_all_entries" (Collection, Entries) -> BOOLEAN, "a list or map and a list of values";
    "has_any_entry" (Collection, Entries) -> BOOLEAN, "a list or map and a list of values";
    "has_all_keys" (Map, Keys) -> BOOLEAN, "a map and a list of keys";
    "has_any_key" (Map, Keys) -> BOOLEAN, "a map and a list of keys";
    "length" (Measurable) -> INTEGER, "a string, a list or a map";
    "concat" (StringOrList) * Same -> ReturnType::First, "strings or lists";
    "join" (Strings) [String] -> STRING, "a list of strings, and optionally a delimiter";
    "token" (String, String, Integer) -> STRING, "a string, the characters that separate its parts, and the index of a part";
    "union" (List) * Same -> ReturnType::First, "lists";
    "intersection" (List) * Same -> ReturnType::First, "lists";
    "sum" (Quantity) * Same -> ReturnType::Arithmetic, "integers, floats or scalars";
    "difference" (Quantity, Same) -> ReturnType::Arithmetic, "two integers, floats or scalars";
    "product" (Quantity, Number) * Number -> ReturnType::Arithmetic, "a scalar and a number, or numbers";
    "quotient" (Quantity, Number) -> ReturnType::Quotient, "an integer, float or scalar, and a number";
    "remainder" (IntegerOrScalar, Integer) -> ReturnType::First, "an integer or scalar, and an integer";
    "round" (Float) -> INTEGER, "a float";
    "floor" (Float) -> INTEGER, "a float";
    "ceil" (Float) -> INTEGER, "a float";
}

/// Returns the kind of member whose value a function returns.
pub(crate) fn path_target(name: &str) -> Option<PathTarget> {
    match find(name)?.parameter(1) {
        Parameter::Property => Some(PathTarget::Property),
        Parameter::Attribute => Some(PathTarget::Attribute),
        Parameter::Allocation => Some(PathTarget::Allocation),
        _ => None,
    }
}

/// Returns the built-in function with the given name.
pub(crate) fn find(name: &str) -> Option<&'static Function> {
    static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Function>> =
        LazyLock::new(|| FUNCTIONS.iter().rev().map(|function| (function.name, function)).collect());
    BY_NAME.get(name).copied()
}

macro_rules! simple_functions {
    ($($name:literal ($least:expr, $most:expr) $first:ident, $usage:literal;)*) => {
        /// The functions of 1.x.
        pub const SIMPLE: &[&str] = &[$($name),*];

        /// The functions of 1.x: the name, the minimum and maximum number of arguments, and their description.
        pub(crate) const SIMPLE_SIGNATURES: &[(&str, usize, usize, &str)] = &[$(($name, $least, $most, $usage)),*];

        /// The functions of 1.x, as described to the phases.
        static CALLED_1_X: &[entity::Function] = &[$(entity::Function {
            name: $name,
            usage: $usage,
            parameters: &[Parameter::$first.described()],
            required: $least,
            rest: if $most > 1 { Some(entity::Parameter::Value) } else { None },
        }),*];
    };
}

simple_functions! {
    "get_input" (1, usize::MAX) Input, "the name of an input, and names or indexes within its value";
    "get_property" (2, usize::MAX) Start, "an entity, optionally a requirement or capability, and the name of a property";
    "get_attribute" (2, usize::MAX) Start, "an entity, optionally a requirement or capability, and the name of an attribute";
    "get_operation_output" (4, 4) Start, "an entity, an interface, an operation and the name of an output";
    "get_nodes_of_type" (1, 1) NodeType, "the name of a node type";
    "get_artifact" (2, 4) Start, "an entity, the name of an artifact, and optionally its location";
    "concat" (1, usize::MAX) Any, "strings";
    "token" (3, 3) Any, "a string, the characters that separate its parts, and the index of a part";
    "join" (1, 2) Any, "a list of strings, and optionally a delimiter";
}

/// Returns the functions of the given version, as described to the phases. Wrong calls are reported when values are
/// checked.
pub(crate) fn of_version(version: LanguageVersion) -> &'static Functions {
    static OF_1_X: Functions = Functions { prefix: "", list: CALLED_1_X, unknown: None, wrong_arguments: None };
    static OF_2_0: Functions = Functions { prefix: "$", list: CALLED_2_0, unknown: None, wrong_arguments: None };
    if version >= V2_0 { &OF_2_0 } else { &OF_1_X }
}

/// Returns whether a map with this key as its only entry is a call in 1.x.
pub(crate) fn is_reserved_in_1_x(key: &str) -> bool {
    SIMPLE.contains(&key)
}

/// Returns the functions of the given version whose names are unlikely to be used as keys of ordinary maps.
pub(crate) fn distinct(version: LanguageVersion) -> Vec<&'static str> {
    let is_distinct = |name: &&str| name.contains('_') || *name == "concat";
    if version >= V2_0 {
        FUNCTIONS.iter().map(|function| function.name).filter(is_distinct).collect()
    } else {
        SIMPLE.iter().copied().filter(is_distinct).collect()
    }
}

/// Returns the function, as written in templates, that a map with one entry was probably meant to call: a function of a
/// different version, or one with a similar name.
pub(crate) fn likely(node: Node<'_>, version: LanguageVersion) -> Option<String> {
    let key = node.entries().next().filter(|_| node.len() == 1)?.key;
    let name = key.text().trim_start_matches('$');
    let all = distinct(version);
    let exact = all.contains(&name).then_some(name);
    let known = exact.or_else(|| nearest(name, all))?;
    Some(if version >= V2_0 { format!("${known}") } else { known.to_owned() })
}
