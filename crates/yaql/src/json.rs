//! Conversion of values from and to JSON.

use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};

use crate::engine::Engine;
use crate::error::{Error, ErrorKind};
use crate::meter::{Dialect, Limits, MAX_NESTING};
use crate::text::float;
use crate::value::{Value, View};

/// Evaluates an expression with JSON as the value for `$`, and returns JSON text. The limits grow with the data.
///
/// ```
/// use tosca_parse_yaql::{Dialect, evaluate_json};
///
/// let data = serde_json::json!({ "ports": [80, 443] });
/// assert_eq!(evaluate_json("$.ports.sum()", Dialect::Standard, &data).unwrap(), "523");
/// ```
///
/// # Errors
///
/// Returns any parse or evaluation error, and an error for a value that JSON can't represent.
pub fn evaluate_json(expression: &str, dialect: Dialect, data: &serde_json::Value) -> Result<String, Error> {
    let data = Value::from_json(data)?;
    let mut limits = Limits::default();
    limits.budget = limits.budget.for_input(data.weight());
    Engine::new(dialect, limits).evaluate(expression, data)?.to_json()
}

/// Reads JSON text as data.
///
/// # Errors
///
/// Returns [`ErrorKind::Depth`] for text that is nested more than 127 levels deep, and [`ErrorKind::Value`] for invalid
/// text.
pub fn read_json(text: &str) -> Result<serde_json::Value, Error> {
    serde_json::from_str(text).map_err(|error| match error.to_string() {
        // The library has no type for this error.
        message if message.starts_with("recursion limit exceeded") => {
            Error::new(ErrorKind::Depth, "JSON text can't be nested more than 127 levels deep")
        }
        message => Error::new(ErrorKind::Value, message),
    })
}

impl Value {
    /// Returns JSON data as a value.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Depth`] if the data is nested more deeply than values may be. This is found without
    /// recursion.
    pub fn from_json(json: &serde_json::Value) -> Result<Self, Error> {
        let mut level = vec![json];
        for _ in 0..=MAX_NESTING {
            let inner = level.into_iter().flat_map(|value| -> Box<dyn Iterator<Item = &serde_json::Value>> {
                match value {
                    serde_json::Value::Array(items) => Box::new(items.iter()),
                    serde_json::Value::Object(entries) => Box::new(entries.values()),
                    _ => Box::new(std::iter::empty()),
                }
            });
            level = inner.collect();
            if level.is_empty() {
                return Ok(Self::from(json));
            }
        }
        Err(Error::new(ErrorKind::Depth, format!("values are nested more than {MAX_NESTING} levels deep")))
    }

    /// Returns JSON text. Integers can have any size.
    ///
    /// # Errors
    ///
    /// Returns an error for an iterator, whose items must be computed first.
    pub fn to_json(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|error| Error::new(ErrorKind::Value, error.to_string()))
    }
}

/// For data from outside, use [`Value::from_json`], which limits the depth.
impl From<&serde_json::Value> for Value {
    fn from(json: &serde_json::Value) -> Self {
        match json {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(truth) => Self::Boolean(*truth),
            serde_json::Value::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(number), _) => Self::from(number),
                (_, Some(number)) => Self::integer(num_bigint::BigInt::from(number)),
                _ => Self::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            serde_json::Value::String(text) => Self::from(text.as_str()),
            serde_json::Value::Array(items) => Self::list(items.iter().map(Self::from).collect()),
            serde_json::Value::Object(entries) => {
                Self::dict(entries.iter().map(|(key, value)| (Self::from(key.as_str()), Self::from(value))))
            }
        }
    }
}

/// Sets are written as lists, and keys as text. Values that data can't represent are written as text, too.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Boolean(truth) => serializer.serialize_bool(*truth),
            Self::Integer(number) => match (number.to_i64(), number.to_string().parse::<i128>()) {
                (Some(number), _) => serializer.serialize_i64(number),
                (_, Ok(number)) => serializer.serialize_i128(number),
                _ => serializer.serialize_str(&number.to_string()),
            },
            Self::Float(number) if number.is_finite() => serializer.serialize_f64(*number),
            Self::Float(number) => serializer.serialize_str(&float(*number)),
            Self::String(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items.iter()),
            Self::Set(elements) => serializer.collect_seq(elements.iter()),
            Self::View(View::Keys, entries) => serializer.collect_seq(entries.keys()),
            Self::View(View::Values, entries) => serializer.collect_seq(entries.values()),
            Self::View(View::Items, entries) => serializer.collect_seq(entries.iter()),
            Self::Dict(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries.iter() {
                    map.serialize_entry(&key.to_text(), value)?;
                }
                map.end()
            }
            Self::Iterator(_) => Err(S::Error::custom("the items of an iterator must be computed first")),
            _ => serializer.serialize_str(&self.to_python()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_text_is_an_error() {
        let text = |depth| "[".repeat(depth) + &"]".repeat(depth);
        assert!(read_json(&text(127)).is_ok());
        assert_eq!(read_json(&text(128)).map_err(|error| error.kind()), Err(ErrorKind::Depth));
        assert_eq!(read_json("[").map_err(|error| error.kind()), Err(ErrorKind::Value));
    }

    #[test]
    fn deep_data_is_an_error() {
        let nested = |depth| (0..depth).fold(serde_json::json!(1), |inner, _| serde_json::json!([inner]));
        assert!(evaluate_json("$", Dialect::Standard, &nested(MAX_NESTING)).is_ok());
        let error = evaluate_json("1", Dialect::Standard, &nested(MAX_NESTING + 1)).expect_err("the data is too deep");
        assert_eq!((error.kind(), error.message()), (ErrorKind::Depth, "values are nested more than 500 levels deep"));
    }
}
