//! The shapes that a value can have, as far as they are known without creating the stack.

use tosca_parse::ard::{Kind, Node};

/// A set of shapes of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shapes(u8);

impl Shapes {
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    pub(crate) const FLOAT: Self = Self(8);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const LIST: Self = Self(32);
    pub(crate) const MAP: Self = Self(64);
    pub(crate) const NUMBER: Self = Self::INTEGER.or(Self::FLOAT);
    pub(crate) const SCALAR: Self = Self::STRING.or(Self::NUMBER).or(Self::BOOLEAN).or(Self::NULL);
    pub(crate) const ANY: Self = Self::SCALAR.or(Self::LIST).or(Self::MAP);

    /// Returns the union of two sets.
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether two sets have a shape in common.
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the shape of a literal.
    pub(crate) fn of(node: Node<'_>) -> Self {
        match node.kind() {
            Kind::Null => Self::NULL,
            Kind::Boolean => Self::BOOLEAN,
            Kind::Integer => Self::INTEGER,
            Kind::Float => Self::FLOAT,
            Kind::String => Self::STRING,
            Kind::List => Self::LIST,
            Kind::Map => Self::MAP,
        }
    }

    /// Returns the shapes with an article, for messages.
    pub(crate) fn title(self) -> String {
        let names = [
            (Self::BOOLEAN, "a boolean"),
            (Self::INTEGER, "an integer"),
            (Self::FLOAT, "a float"),
            (Self::STRING, "a string"),
            (Self::LIST, "a list"),
            (Self::MAP, "a map"),
        ];
        let known: Vec<_> = names.iter().filter(|(shape, _)| self.meets(*shape)).map(|(_, name)| *name).collect();
        match known.split_last() {
            None => "null".to_owned(),
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
        }
    }
}
