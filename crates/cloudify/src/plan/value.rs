//! Values of a plan. They refer to the source instead of copying it, because nodes repeat the values of their types.

use std::rc::Rc;

use foldhash::fast::RandomState;
use indexmap::IndexMap;
use serde::ser::{Serialize, SerializeMap, Serializer};
use tosca_parse::ard::{Kind, Node};

use super::full_name;
use crate::function::call;

/// Values by name.
pub(super) type Values<'p> = IndexMap<&'p str, Value<'p>, RandomState>;

/// A value.
pub(super) enum Value<'p> {
    /// A value that a file contains, and the namespace of the file.
    Written(Node<'p>, Rc<str>),
    /// A number.
    Number(i32),
    /// A string.
    Text(&'p str),
    /// A value of a data type, merged with its defaults.
    Fields(Values<'p>),
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Written(node, prefix) => Written::new(*node, prefix).serialize(serializer),
            Self::Number(number) => serializer.serialize_i32(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Fields(fields) => serializer.collect_map(fields),
        }
    }
}

/// A value as it is written, except that names in functions get the namespace of the file.
#[derive(Clone, Copy)]
pub(super) struct Written<'v> {
    node: Node<'v>,
    prefix: &'v str,
    role: Role,
}

/// The meaning of a value.
#[derive(Clone, Copy)]
enum Role {
    /// Any value.
    Value,
    /// A name in the blueprint, unless it is one of the given words.
    Name(&'static [&'static str]),
    /// The argument of a function, which is, or begins with, a name.
    Argument(&'static [&'static str]),
}

impl<'v> Written<'v> {
    pub(super) fn new(node: Node<'v>, prefix: &'v str) -> Self {
        Self { node, prefix, role: Role::Value }
    }

    fn part(self, node: Node<'v>, role: Role) -> Self {
        Self { node, role, ..self }
    }
}

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { node, prefix, role } = *self;
        match role {
            Role::Argument(words) if node.kind() == Kind::List => {
                let roles = std::iter::once(Role::Name(words)).chain(std::iter::repeat(Role::Value));
                return serializer.collect_seq(node.items().zip(roles).map(|(item, role)| self.part(item, role)));
            }
            Role::Name(words) | Role::Argument(words)
                if node.kind() == Kind::String && !words.contains(&node.text()) =>
            {
                return serializer.serialize_str(&full_name(prefix, node.text()));
            }
            _ => {}
        }
        if !prefix.is_empty()
            && let Some(call) = call(node)
        {
            let role = match call.function.name {
                "get_input" => Role::Argument(&[]),
                "get_property" | "get_attribute" => Role::Argument(&["SELF", "SOURCE", "TARGET"]),
                _ => Role::Value,
            };
            let mut map = serializer.serialize_map(Some(1 + usize::from(call.r#type.is_some())))?;
            map.serialize_entry(call.function.name, &self.part(call.argument, role))?;
            if let Some(ty) = call.r#type {
                map.serialize_entry("type", &self.part(ty, Role::Value))?;
            }
            return map.end();
        }
        match node.kind() {
            Kind::Null => serializer.serialize_unit(),
            Kind::Boolean => match node.as_bool() {
                Some(boolean) => serializer.serialize_bool(boolean),
                None => serializer.serialize_unit(),
            },
            Kind::Integer | Kind::Float => {
                let integer = node.as_integer().filter(|_| node.kind() == Kind::Integer);
                match (integer.and_then(|integer| i64::try_from(integer).ok()), node.as_float()) {
                    (Some(integer), _) => serializer.serialize_i64(integer),
                    (None, Some(float)) if float.is_finite() => serializer.serialize_f64(float),
                    _ => serializer.serialize_unit(),
                }
            }
            Kind::String => serializer.serialize_str(node.text()),
            Kind::List => serializer.collect_seq(node.items().map(|item| self.part(item, Role::Value))),
            Kind::Map => {
                let entries = node.entries().filter(|entry| !entry.duplicate);
                serializer.collect_map(entries.map(|entry| (entry.key.text(), self.part(entry.value, Role::Value))))
            }
        }
    }
}
