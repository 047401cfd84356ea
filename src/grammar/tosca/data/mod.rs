//! What values mean: types, functions, validation (2.0, chapters 9 and 10).
//!
//! A value stays raw data until something needs to know what it means. What it should mean is said by a [`Schema`],
//! which every definition of a value has. [`Judge`] compares the two; where a value is a call of a function,
//! `expression` finds out what can be known of its result without running anything.

mod arguments;
mod arithmetic;
mod call;
mod condition;
mod constraint;
mod custom;
mod datum;
mod evaluate;
mod expression;
mod filter;
mod function;
mod judge;
mod loops;
mod path;
mod pattern;
mod place;
mod probe;
mod property;
mod scalar;
pub(crate) mod scalar_unit;
mod simple;
mod walk;

pub(crate) use call::unescape;
pub use call::{Call, Shape as CallShape};
pub use datum::Datum;
pub use function::{FUNCTIONS, Function};
pub use judge::Judge;
pub(super) use judge::check_count;
pub use place::{CapabilityHere, Here, NodeHere, Place, RelationshipHere};
pub use scalar::ScalarTable;

pub(super) use condition::{Subject, check as check_assertions};
pub(super) use constraint::check as check_constraints;
pub(super) use expression::check_condition;
pub(super) use filter::{
    Verdict, check as check_filter, check_of_derived as check_filter_of_derived, compare as compare_with_filter,
};
pub(super) use loops::check as check_loops;
pub(super) use path::check_mapping;
pub(super) use probe::{Probe, ProbeKey, probe, signature};
pub(super) use property::{Amount, amounts, computed_integer};
pub(super) use scalar::check_scalar_type;

use super::definition::{AttributeDefinition, ParameterDefinition, PropertyDefinition, SchemaDefinition};
use super::types::DataType;
use crate::entity::{AnyId, Clauses, Entity, Id};
use crate::phase::Context;

/// What a value must be like.
#[derive(Clone, Copy, Debug)]
pub struct Schema<'a> {
    /// Its type; nothing if that is not known.
    pub data_type: Option<Id<DataType>>,
    /// What must be true of it, besides what its type demands.
    pub validation: Option<&'a Clauses>,
    /// What the keys of a map must be like.
    pub key_schema: Option<Id<SchemaDefinition>>,
    /// What the entries of a list or map must be like.
    pub entry_schema: Option<Id<SchemaDefinition>>,
    /// The definition that says so.
    pub definition: Option<AnyId>,
}

impl Schema<'_> {
    /// The schema of values of a type.
    pub const fn of_type(data_type: Option<Id<DataType>>) -> Self {
        Self { data_type, validation: None, key_schema: None, entry_schema: None, definition: None }
    }
}

/// A definition of a value.
pub trait Typed: Entity {
    /// What the value must be like.
    fn schema<'a>(&'a self, context: &Context<'_>, id: Id<Self>) -> Schema<'a>;
}

macro_rules! typed {
    ($($definition:ty),*) => {
        $(impl Typed for $definition {
            fn schema<'a>(&'a self, context: &Context<'_>, id: Id<Self>) -> Schema<'a> {
                Schema {
                    data_type: context.target_of(self.r#type),
                    validation: Some(&self.validation),
                    key_schema: self.key_schema.0,
                    entry_schema: self.entry_schema.0,
                    definition: Some(id.any()),
                }
            }
        })*
    };
}

typed!(PropertyDefinition, AttributeDefinition, ParameterDefinition);

/// The built-in type that a type is derived from in the end.
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
    /// None: the type has properties instead.
    Complex,
}

const BUILT_IN: &[(&str, DataKind)] = &[
    ("string", DataKind::String),
    ("integer", DataKind::Integer),
    ("float", DataKind::Float),
    ("boolean", DataKind::Boolean),
    ("bytes", DataKind::Bytes),
    ("nil", DataKind::Nil),
    ("timestamp", DataKind::Timestamp),
    ("version", DataKind::Version),
    ("scalar", DataKind::Scalar),
    ("null", DataKind::Nil),
    ("range", DataKind::Range),
    ("scalar-unit.size", DataKind::ScalarUnit),
    ("scalar-unit.time", DataKind::ScalarUnit),
    ("scalar-unit.frequency", DataKind::ScalarUnit),
    ("scalar-unit.bitrate", DataKind::ScalarUnit),
    ("list", DataKind::List),
    ("map", DataKind::Map),
];

impl DataKind {
    /// The kind of a type.
    pub fn of(context: &Context<'_>, data_type: Id<DataType>) -> Self {
        let program = context.program;
        let root = program.lineage(data_type.any()).map_or(data_type.any(), |lineage| lineage.root);
        let is_built_in = program.unit(root.unit).is_some_and(|unit| unit.implicit.is_some());
        let name = program.name(root);
        BUILT_IN.iter().find(|(built_in, _)| is_built_in && *built_in == name).map_or(Self::Complex, |(_, kind)| *kind)
    }

    /// The built-in type of the kind, with an article.
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

    /// Whether a name is that of the built-in type of the kind.
    pub(super) fn is_named(self, name: &str) -> bool {
        BUILT_IN.contains(&(name, self))
    }

    /// Whether values of the kind are in an order.
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

impl<'a> Schema<'a> {
    /// The kind of the values; nothing if the type is not known.
    pub fn kind(&self, context: &Context<'_>) -> Option<DataKind> {
        Some(DataKind::of(context, self.data_type?))
    }

    /// Whether a value with another schema can be one with this schema, as far as types tell: a value of the one type
    /// may also be one of the other, an integer will do as a float, and the same goes for the entries of lists and
    /// maps.
    pub fn may_hold(&self, context: &Context<'a>, other: &Schema<'a>) -> bool {
        let (Some(mine), Some(theirs)) = (self.data_type, other.data_type) else { return true };
        let are_related =
            || context.program.is_a(mine.any(), theirs.any()) || context.program.is_a(theirs.any(), mine.any());
        match (DataKind::of(context, mine), DataKind::of(context, theirs)) {
            (DataKind::Float, DataKind::Integer) => true,
            (DataKind::Complex, DataKind::Complex)
            | (DataKind::Scalar, DataKind::Scalar)
            | (DataKind::ScalarUnit, DataKind::ScalarUnit) => are_related(),
            (DataKind::List, DataKind::List) | (DataKind::Map, DataKind::Map) => {
                match (self.entries(context), other.entries(context)) {
                    (Some(mine), Some(theirs)) => mine.may_hold(context, &theirs),
                    _ => true,
                }
            }
            (mine, theirs) => mine == theirs,
        }
    }

    /// What the entries of a list or map must be like: by the definition, or else by the type.
    pub fn entries(&self, context: &Context<'a>) -> Option<Schema<'a>> {
        let of_type = || context.get(self.data_type?)?.entry_schema.0;
        let id = self.entry_schema.or_else(of_type)?;
        Some(context.get(id)?.schema(context, id))
    }

    /// What the keys of a map must be like: by the definition, or else by the type.
    pub fn keys(&self, context: &Context<'a>) -> Option<Schema<'a>> {
        let of_type = || context.get(self.data_type?)?.key_schema.0;
        let id = self.key_schema.or_else(of_type)?;
        Some(context.get(id)?.schema(context, id))
    }

    /// What a member of a complex value must be like.
    pub fn member(&self, context: &Context<'a>, name: &str) -> Option<Schema<'a>> {
        let id = context.get(self.data_type?)?.properties.get(context.program.interner.get(name)?)?;
        Some(context.get(id)?.schema(context, id))
    }

    /// What the value is called in messages: "property `port`".
    pub fn title(&self, context: &Context<'_>) -> String {
        match self.definition {
            Some(id) if !context.program.name(id).is_empty() => context.describe(id).replacen(" definition", "", 1),
            _ => "the value".to_owned(),
        }
    }

    /// What a value is, with an article: "a string", "a list of `string`", "a `Credential`".
    pub fn phrase(&self, context: &Context<'a>) -> Option<String> {
        let kind = self.kind(context)?;
        Some(match self.entries(context).filter(|_| kind == DataKind::List) {
            Some(entries) => format!("a list of `{}`", entries.type_name(context)),
            None if kind.is_named(self.type_name(context)) => kind.with_article().to_owned(),
            None => format!("a `{}`", self.type_name(context)),
        })
    }

    /// The name of the type.
    pub fn type_name(&self, context: &Context<'a>) -> &'a str {
        self.data_type.map_or("", |data_type| context.program.name(data_type.any()))
    }
}
