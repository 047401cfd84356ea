//! Plain data: values without their positions.

use tosca_parse_engine::budget::json::{self, Part, Unreadable};

use crate::error::{Category, Error, Result};
use crate::source::Span;

/// A fully evaluated value.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// `None`.
    Null,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Data>),
    /// A mapping, with its entries in order.
    Map(Vec<(String, Data)>),
}

impl Data {
    /// The maximum depth of data from outside.
    const MAX_DEPTH: usize = 500;

    /// Reads JSON text.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not JSON, an integer has more than 64 bits, or the data is nested more than 500
    /// levels deep.
    pub fn read_json(text: &str) -> Result<Self> {
        let read = json::read(text, Self::MAX_DEPTH, |part| {
            Some(match part {
                Part::Null => Data::Null,
                Part::Boolean(truth) => Data::Bool(truth),
                Part::Integer(digits) => Data::Int(digits.parse().ok()?),
                Part::Float(number) => Data::Float(number),
                Part::String(text) => Data::Text(text.into_owned()),
                Part::List(items) => Data::List(items),
                Part::Map(entries) => {
                    Data::Map(entries.into_iter().map(|(key, value)| (key.into_owned(), value)).collect())
                }
            })
        });
        read.map_err(|reason| {
            let error = |category, message: &str| Error::new(category, Span::NOWHERE, message);
            match &reason {
                Unreadable::Depth(_) => error(Category::Limit, &reason.to_string()),
                Unreadable::Integer => error(Category::Limit, "an integer has more than 64 bits"),
                Unreadable::Syntax(_) => error(Category::Syntax, &reason.to_string()),
            }
        })
    }

    /// Returns the value of a key, if this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Data> {
        match self {
            Data::Map(entries) => entries.iter().find(|(found, _)| found == key).map(|(_, value)| value),
            _ => None,
        }
    }
}

impl From<&str> for Data {
    fn from(text: &str) -> Self {
        Data::Text(text.to_owned())
    }
}

impl From<i64> for Data {
    fn from(number: i64) -> Self {
        Data::Int(number)
    }
}

impl From<bool> for Data {
    fn from(truth: bool) -> Self {
        Data::Bool(truth)
    }
}

/// Integers beyond 64 bits become text.
impl From<serde_json::Value> for Data {
    fn from(value: serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Data::Null,
            Value::Bool(truth) => Data::Bool(truth),
            Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(number), _) => Data::Int(number),
                (None, Some(float)) if number.is_f64() => Data::Float(float),
                _ => Data::Text(number.to_string()),
            },
            Value::String(text) => Data::Text(text),
            Value::Array(items) => Data::List(items.into_iter().map(Data::from).collect()),
            Value::Object(entries) => {
                Data::Map(entries.into_iter().map(|(key, value)| (key, Data::from(value))).collect())
            }
        }
    }
}

impl serde::Serialize for Data {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Data::Null => serializer.serialize_unit(),
            Data::Bool(truth) => serializer.serialize_bool(*truth),
            Data::Int(number) => serializer.serialize_i64(*number),
            Data::Float(number) => serializer.serialize_f64(*number),
            Data::Text(text) => serializer.serialize_str(text),
            Data::List(items) => serializer.collect_seq(items),
            Data::Map(entries) => serializer.collect_map(entries.iter().map(|(key, value)| (key, value))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_read_within_limits() {
        let read = |text: &str| Data::read_json(text).map_err(|error| (error.category(), error.message().to_owned()));
        let list = Data::List(vec![Data::Int(i64::MIN), Data::Float(1.5), Data::Null]);
        assert_eq!(read("[-9223372036854775808, 1.5, null]"), Ok(list));
        assert_eq!(read("9223372036854775808"), Err((Category::Limit, "an integer has more than 64 bits".to_owned())));
        let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
        assert!(read(&nested(500)).is_ok());
        assert_eq!(read(&nested(501)).map_err(|(category, _)| category), Err(Category::Limit));
        assert_eq!(read("{").map_err(|(category, _)| category), Err(Category::Syntax));
    }
}
