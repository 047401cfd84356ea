//! Typed values.

use std::cmp::Ordering;
use std::fmt;

use super::kind::DataKind;
use crate::entity::Id;
use crate::grammar::types::DataType;
use crate::value::{Number, Timestamp, Version};
use foldhash::HashMap;

/// A value that has been converted to its type.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// A value that is not known before deployment, or that is invalid.
    Unknown,
    /// Null.
    Nil,
    /// A boolean.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
    /// A string.
    String(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A point in time.
    Timestamp(Timestamp),
    /// A version.
    Version(Box<Version>),
    /// A number with a unit.
    Scalar(Box<Scalar>),
    /// A range.
    Range {
        /// The lower bound.
        lower: i64,
        /// The upper bound; `None` if there is none.
        upper: Option<i64>,
    },
    /// A list.
    List(Vec<Datum>),
    /// A map, or a complex value.
    Map(Vec<(String, Datum)>),
}

/// A number with a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// The scalar type, if it is declared in a program.
    pub data_type: Option<Id<DataType>>,
    /// The number in the canonical unit.
    pub number: Number,
    /// The value in its original notation.
    pub text: String,
}

impl Datum {
    /// Returns whether all parts of the value are known.
    pub fn is_known(&self) -> bool {
        match self {
            Self::Unknown => false,
            Self::List(items) => items.iter().all(Self::is_known),
            Self::Map(entries) => entries.iter().all(|(_, value)| value.is_known()),
            _ => true,
        }
    }

    /// Returns whether a computed value can have the given kind. A string can be converted to types with a string
    /// notation.
    pub(crate) fn may_be(&self, kind: DataKind) -> bool {
        match self {
            Self::Unknown => true,
            Self::Nil => kind == DataKind::Nil,
            Self::Boolean(_) => kind == DataKind::Boolean,
            Self::Integer(_) => matches!(kind, DataKind::Integer | DataKind::Float),
            Self::Float(_) => kind == DataKind::Float,
            Self::String(_) => !matches!(
                kind,
                DataKind::Nil
                    | DataKind::Boolean
                    | DataKind::Integer
                    | DataKind::Float
                    | DataKind::List
                    | DataKind::Map
                    | DataKind::Complex
            ),
            Self::Bytes(_) => kind == DataKind::Bytes,
            Self::Timestamp(_) => kind == DataKind::Timestamp,
            Self::Version(_) => kind == DataKind::Version,
            Self::Scalar(_) => kind == DataKind::Scalar,
            Self::List(_) => kind == DataKind::List,
            Self::Map(_) => matches!(kind, DataKind::Map | DataKind::Complex),
            Self::Range { .. } => kind == DataKind::Range,
        }
    }

    /// Returns whether two values are equal; `None` if that is unknown. Numbers are equal if they have the same numeric
    /// value, scalars if they have the same number in the canonical unit.
    pub fn equals(&self, other: &Self) -> Option<bool> {
        Some(match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => return None,
            (Self::List(mine), Self::List(theirs)) => {
                if mine.len() != theirs.len() {
                    return Some(false);
                }
                return all(mine.iter().zip(theirs).map(|(mine, theirs)| mine.equals(theirs)));
            }
            (Self::Map(mine), Self::Map(theirs)) => {
                const MAX_LINEAR: usize = 8;
                if mine.len() != theirs.len() {
                    return Some(false);
                }
                let by_key: HashMap<&str, &Self> = if theirs.len() > MAX_LINEAR {
                    theirs.iter().rev().map(|(key, value)| (&**key, value)).collect()
                } else {
                    HashMap::default()
                };
                let find = |key: &str| {
                    if by_key.is_empty() {
                        theirs.iter().find(|(other, _)| other == key).map(|(_, other)| other)
                    } else {
                        by_key.get(key).copied()
                    }
                };
                return all(mine.iter().map(|(key, value)| find(key).map_or(Some(false), |other| value.equals(other))));
            }
            (Self::Boolean(_) | Self::Nil | Self::Bytes(_) | Self::Range { .. }, _) => self == other,
            _ => self.compare(other)? == Ordering::Equal,
        })
    }

    /// Returns the order of two values of one type; `None` if they have no order, or if the order is unknown.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(mine), Self::Integer(theirs)) => Some(mine.cmp(theirs)),
            (Self::Float(mine), Self::Float(theirs)) => mine.partial_cmp(theirs),
            (Self::Integer(mine), Self::Float(theirs)) => compare_exactly(*mine, *theirs),
            (Self::Float(mine), Self::Integer(theirs)) => compare_exactly(*theirs, *mine).map(Ordering::reverse),
            (Self::String(mine), Self::String(theirs)) => Some(mine.cmp(theirs)),
            (Self::Timestamp(mine), Self::Timestamp(theirs)) => mine.partial_cmp(theirs),
            (Self::Version(mine), Self::Version(theirs)) => mine.partial_cmp(theirs),
            (Self::Scalar(mine), Self::Scalar(theirs)) => Some(mine.number.cmp(&theirs.number)),
            // A bare number is in the canonical unit.
            (Self::Scalar(mine), theirs) => Some(mine.number.cmp(&theirs.number()?)),
            (mine, Self::Scalar(theirs)) => Some(mine.number()?.cmp(&theirs.number)),
            _ => None,
        }
    }

    /// Returns the exact numeric value of an integer or a float.
    pub(crate) fn number(&self) -> Option<Number> {
        match self {
            Self::Integer(value) => Some(Number::from(*value)),
            Self::Float(value) => Number::try_from(*value).ok(),
            _ => None,
        }
    }

    /// Returns the kind of a computed value; `None` if it is unknown.
    pub(crate) fn kind(&self) -> Option<DataKind> {
        Some(match self {
            Self::Unknown => return None,
            Self::Nil => DataKind::Nil,
            Self::Boolean(_) => DataKind::Boolean,
            Self::Integer(_) => DataKind::Integer,
            Self::Float(_) => DataKind::Float,
            Self::String(_) => DataKind::String,
            Self::Bytes(_) => DataKind::Bytes,
            Self::Timestamp(_) => DataKind::Timestamp,
            Self::Version(_) => DataKind::Version,
            Self::Scalar(_) => DataKind::Scalar,
            Self::Range { .. } => DataKind::Range,
            Self::List(_) => DataKind::List,
            Self::Map(_) => DataKind::Map,
        })
    }

    /// Returns the approximate size of the written value, in bytes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::String(text) => 1 + text.len(),
            Self::Bytes(bytes) => 1 + bytes.len(),
            Self::List(items) => 1 + items.iter().map(Self::size).sum::<usize>(),
            Self::Map(entries) => 1 + entries.iter().map(|(key, value)| key.len() + value.size()).sum::<usize>(),
            _ => 1,
        }
    }

    /// Returns the kind of the value with an article, for messages.
    pub fn what(&self) -> &'static str {
        match self {
            Self::Unknown => "something unknown",
            Self::Nil => "null",
            Self::Boolean(_) => "a boolean",
            Self::Integer(_) => "an integer",
            Self::Float(_) => "a float",
            Self::String(_) => "a string",
            Self::Bytes(_) => "bytes",
            Self::Timestamp(_) => "a timestamp",
            Self::Version(_) => "a version",
            Self::Scalar(_) => "a scalar",
            Self::Range { .. } => "a range",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
        }
    }
}

/// Compares an integer with a float exactly, because converting the integer to a float could make them equal.
fn compare_exactly(integer: i64, float: f64) -> Option<Ordering> {
    match Number::try_from(float) {
        Ok(number) => Some(Number::from(integer).cmp(&number)),
        Err(_) if float.is_nan() => None,
        Err(_) => 0.0.partial_cmp(&float),
    }
}

/// Returns whether all conditions hold. A single condition that does not hold is decisive, even if others are unknown.
fn all(mut conditions: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = true;
    loop {
        match conditions.next() {
            Some(Some(false)) => return Some(false),
            Some(None) => known = false,
            Some(Some(true)) => {}
            None => return known.then_some(true),
        }
    }
}

/// Returns whether a list contains a value; `None` if that is unknown.
pub(crate) fn contains(list: &[Datum], value: &Datum) -> Option<bool> {
    any(list.iter().map(|item| item.equals(value)))
}

/// Returns whether any condition holds. A single condition that holds is decisive, even if others are unknown.
pub(crate) fn any(conditions: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = true;
    for condition in conditions {
        match condition {
            Some(true) => return Some(true),
            Some(false) => {}
            None => known = false,
        }
    }
    known.then_some(false)
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("…"),
            Self::Nil => f.write_str("null"),
            Self::Boolean(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::String(value) => write!(f, "{value:?}"),
            Self::Bytes(value) => write!(f, "{} bytes", value.len()),
            Self::Timestamp(value) => value.fmt(f),
            Self::Version(value) => value.fmt(f),
            Self::Scalar(scalar) => f.write_str(&scalar.text),
            Self::Range { lower, upper: Some(upper) } => write!(f, "[{lower}, {upper}]"),
            Self::Range { lower, upper: None } => write!(f, "[{lower}, UNBOUNDED]"),
            Self::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Self::Map(entries) => {
                f.write_str("{")?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    write!(f, "{}{key}: {value}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str("}")
            }
        }
    }
}
