//! The functions that values can call, as far as the engine needs to know them. `check::call` checks their arguments.

use tosca_parse::ard::{Kind, Node};
use tosca_parse::entity::{Function, Functions, Lookup, Parameter};

use crate::grammar::{INPUTS, NODE_TEMPLATES};

/// The name of an input.
const INPUT: Parameter = Parameter::Name(Lookup::of(&[INPUTS]));

/// The name of a node template, or a word such as `SELF`.
const NODE: Parameter = Parameter::Name(Lookup::of(&[NODE_TEMPLATES]).optional());

/// The key that a call may have besides the name of the function: the type of the result.
const TYPE: &str = "type";

pub(crate) static FUNCTIONS: Functions = Functions {
    prefix: "",
    list: &[
        function("concat", "the strings to join", &[]),
        function("get_attribute", "a node template, an attribute, and keys or indices", &[NODE]),
        function("get_attributes_dict", "a node template and attributes", &[NODE]),
        function("get_attributes_list", "a node template, an attribute, and keys or indices", &[NODE]),
        function("get_capability", "a deployment, a capability, and keys or indices", &[]),
        function("get_consumers", "`ids`, `names` or `count`", &[]),
        function("get_environment_capability", "a capability, and keys or indices", &[]),
        function("get_group_capability", "a deployment group, and a capability or a list of them", &[]),
        function("get_input", "the name of an input, and keys or indices", &[INPUT]),
        function("get_label", "a key, or a key and an index", &[]),
        function("get_property", "a node template, a property, and keys or indices", &[NODE]),
        function("get_secret", "the name of a secret, and keys or indices", &[]),
        function("get_sys", "`tenant` or `deployment`, and a property", &[]),
        function("merge", "the maps to merge", &[]),
        function("string_find", "a string and the part to find", &[]),
        function("string_lower", "a string", &[]),
        function("string_replace", "a string, the part to replace, its replacement, and a count", &[]),
        function("string_split", "a string, a separator, and an index", &[]),
        function("string_upper", "a string", &[]),
    ],
    unknown: None,
    wrong_arguments: None,
};

const fn function(name: &'static str, usage: &'static str, parameters: &'static [Parameter]) -> Function {
    Function { name, usage, parameters, required: 0, rest: Some(Parameter::Value) }
}

/// A call of a function.
#[derive(Clone, Copy)]
pub(crate) struct Call<'n> {
    pub(crate) function: &'static Function,
    /// The map.
    pub(crate) node: Node<'n>,
    pub(crate) argument: Node<'n>,
    /// The expected type of the result.
    pub(crate) r#type: Option<Node<'n>>,
}

/// Interprets a node as a call: a map with the name of a function as a key, and at most a type as another key.
pub(crate) fn call(node: Node<'_>) -> Option<Call<'_>> {
    if node.kind() != Kind::Map || !(1..=2).contains(&node.len()) {
        return None;
    }
    let (mut found, mut r#type) = (None, None);
    for entry in node.entries() {
        if entry.key.kind() != Kind::String {
            return None;
        }
        match FUNCTIONS.find(entry.key.text()) {
            Some(function) if found.is_none() => found = Some((function, entry.value)),
            _ if entry.key.text() == TYPE && r#type.is_none() => r#type = Some(entry.value),
            _ => return None,
        }
    }
    let (function, argument) = found?;
    Some(Call { function, node, argument, r#type })
}

/// Returns whether a value is or contains a call.
pub(crate) fn has_call(node: Node<'_>) -> bool {
    call(node).is_some() || node.items().any(has_call) || node.entries().any(|entry| has_call(entry.value))
}
