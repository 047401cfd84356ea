//! Values as numbers, text and truth values.

use std::rc::Rc;

use crate::error::{Category, Error, Result};
use crate::graph::Graph;
use crate::source::Span;
use crate::syntax::{Plain, typed};
use crate::value::{Kind, Value, derived};

/// A number of either kind.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    #[expect(clippy::cast_precision_loss, reason = "the nearest number is what is wanted")]
    pub(crate) fn float(self) -> f64 {
        match self {
            Number::Int(number) => number as f64,
            Number::Float(number) => number,
        }
    }

    pub(crate) fn kind(self) -> Kind {
        match self {
            Number::Int(number) => Kind::Int(number, None),
            Number::Float(number) => Kind::Float(number, None),
        }
    }
}

/// Returns a value as a number. Text that looks like a number is converted.
pub(crate) fn number(value: &Value) -> Option<Number> {
    match &value.kind {
        Kind::Bool(truth, _) => Some(Number::Int(i64::from(*truth))),
        Kind::Int(number, _) => Some(Number::Int(*number)),
        Kind::Float(number, _) => Some(Number::Float(*number)),
        Kind::Text(text) => match typed(text.plain.trim()) {
            Plain::Int(number) => Some(Number::Int(number)),
            Plain::Float(number) => Some(Number::Float(number)),
            _ => None,
        },
        _ => None,
    }
}

/// Converts a value to a number.
pub(crate) fn to_number(value: &Value, user: Span) -> Result<Number> {
    number(value).ok_or_else(|| wrong(value, "a number", user))
}

/// Converts a value to an integer.
pub(crate) fn to_int(value: &Value, user: Span) -> Result<i64> {
    match to_number(value, user)? {
        Number::Int(number) => Ok(number),
        Number::Float(_) => Err(wrong(value, "an integer", user)),
    }
}

/// Converts a scalar to text.
pub(crate) fn to_text(value: &Value, user: Span) -> Result<Rc<str>> {
    value.as_text().ok_or_else(|| wrong(value, "text", user))
}

impl Graph<'_> {
    /// Returns the truth of a value and the labels of results that depend on it.
    pub(crate) fn truth(&mut self, value: &Value) -> Result<(bool, u64)> {
        let truth = self.is_true(value)?;
        Ok((truth, derived(self.all_labels(value)?)))
    }

    /// Returns the labels of a value and of the values that determined its keys or items, as far as they were read.
    pub(crate) fn all_labels(&mut self, value: &Value) -> Result<u64> {
        match value.kind {
            Kind::List(list) => Ok(value.labels | self.list_labels(list)),
            Kind::Map(view) => self.key_labels(value, view),
            _ => Ok(value.labels),
        }
    }

    /// Returns whether a value is true, as in Python: `None`, zero and empty values are false.
    pub(crate) fn is_true(&mut self, value: &Value) -> Result<bool> {
        Ok(match &value.kind {
            Kind::Null => false,
            Kind::Bool(truth, _) => *truth,
            Kind::Int(number, _) => *number != 0,
            Kind::Float(number, _) => *number != 0.0,
            Kind::Text(text) => !text.plain.is_empty(),
            Kind::List(list) => self.item(*list, 0)?.is_some(),
            Kind::Map(view) => !self.keys(*view)?.is_empty(),
            _ => true,
        })
    }
}

/// Returns the error for a value whose type is wrong for its use.
pub(crate) fn wrong(value: &Value, wanted: &str, user: Span) -> Error {
    Error::new(Category::Type, value.at, format!("{wanted} is expected, not {}", value.shown())).used(user)
}
