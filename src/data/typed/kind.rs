//! The kinds of built-in values (2.0, 9.1; 1.3, 3.3).

use crate::entity::Id;
use crate::grammar::types::DataType;
use crate::phase::Context;

/// The built-in type that a data type is ultimately derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataKind {
    /// `string`.
    String,
    /// `integer`.
    Integer,
    /// `float`.
    Float,
    /// `boolean`.
    Boolean,
    /// `bytes`.
    Bytes,
    /// `nil`.
    Nil,
    /// `timestamp`.
    Timestamp,
    /// `version`.
    Version,
    /// `scalar`.
    Scalar,
    /// One of the `scalar-unit` types of versions before 2.0.
    ScalarUnit,
    /// `range`, before 2.0.
    Range,
    /// `list`.
    List,
    /// `map`.
    Map,
    /// A type with properties, which is not built in.
    Complex,
}

/// Returns the kind of a built-in type by name.
fn built_in(name: &str) -> Option<DataKind> {
    Some(match name {
        "string" => DataKind::String,
        "integer" => DataKind::Integer,
        "float" => DataKind::Float,
        "boolean" => DataKind::Boolean,
        "bytes" => DataKind::Bytes,
        "nil" | "null" => DataKind::Nil,
        "timestamp" => DataKind::Timestamp,
        "version" => DataKind::Version,
        "scalar" => DataKind::Scalar,
        "range" => DataKind::Range,
        "scalar-unit.size" | "scalar-unit.time" | "scalar-unit.frequency" | "scalar-unit.bitrate" => {
            DataKind::ScalarUnit
        }
        "list" => DataKind::List,
        "map" => DataKind::Map,
        _ => return None,
    })
}

impl DataKind {
    /// Returns the kind of a type.
    pub fn of(context: &Context<'_>, data_type: Id<DataType>) -> Self {
        let program = context.program;
        let root = program.lineage(data_type.any()).map_or(data_type.any(), |lineage| lineage.root);
        let is_built_in = program.unit(root.unit).is_some_and(|unit| unit.implicit.is_some());
        built_in(program.name(root)).filter(|_| is_built_in).unwrap_or(Self::Complex)
    }

    /// Returns the built-in type of the kind, with an article.
    pub fn with_article(self) -> &'static str {
        match self {
            Self::String => "a string",
            Self::Integer => "an integer",
            Self::Float => "a float",
            Self::Boolean => "`true` or `false`",
            Self::Bytes => "bytes in Base64",
            Self::Nil => "null",
            Self::Timestamp => "a timestamp",
            Self::Version => "a version",
            Self::Scalar | Self::ScalarUnit => "a number with a unit",
            Self::Range => "a range",
            Self::List => "a list",
            Self::Map | Self::Complex => "a map",
        }
    }

    /// Returns whether a name is that of the built-in type of this kind.
    pub(crate) fn is_named(self, name: &str) -> bool {
        built_in(name) == Some(self)
    }

    /// Returns whether values of this kind have an order.
    pub fn is_comparable(self) -> bool {
        matches!(
            self,
            Self::String
                | Self::Integer
                | Self::Float
                | Self::Timestamp
                | Self::Version
                | Self::Scalar
                | Self::ScalarUnit
        )
    }
}
