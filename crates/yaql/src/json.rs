//! Conversion of values from and to JSON.

use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;
use tosca_parse_budget::json::{self, Part, Unreadable};

use crate::engine::Engine;
use crate::error::{Error, ErrorKind};
use crate::integer::Integer;
use crate::meter::{Dialect, Limits, MAX_NESTING};
use crate::text::float;
use crate::value::{Value, View};

/// Evaluates an expression with JSON text as the value for `$`, and returns JSON text. The limits grow with the data.
///
/// ```
/// use tosca_parse_yaql::{Dialect, evaluate_json};
///
/// let data = r#"{ "ports": [80, 443] }"#;
/// assert_eq!(evaluate_json("$.ports.sum()", Dialect::Standard, data).unwrap(), "523");
/// ```
///
/// # Errors
///
/// Returns any parse or evaluation error, and an error for a value that JSON can't represent.
pub fn evaluate_json(expression: &str, dialect: Dialect, data: &str) -> Result<String, Error> {
    let data = Value::read_json(data)?;
    let mut limits = Limits::default();
    limits.budget = limits.budget.for_input(data.weight());
    Engine::new(dialect, limits).evaluate(expression, data)?.to_json()
}

impl Value {
    /// Reads JSON text. Numbers without a point and an exponent are integers.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Depth`] if the data is nested more deeply than values may be, and [`ErrorKind::Value`] if an
    /// integer has too many digits or the text is not JSON.
    pub fn read_json(text: &str) -> Result<Self, Error> {
        let read = json::read(text, MAX_NESTING as usize, |part| {
            Some(match part {
                Part::Null => Self::Null,
                Part::Boolean(truth) => Self::Boolean(truth),
                Part::Integer(digits) => Self::Integer(Integer::parse(&digits)?),
                Part::Float(number) => Self::Float(number),
                Part::String(text) => Self::from(&*text),
                Part::List(items) => Self::list(items),
                Part::Map(entries) => Self::dict(entries.into_iter().map(|(key, value)| (Self::from(&*key), value))),
            })
        });
        read.map_err(|reason| match reason {
            Unreadable::Depth(_) => Error::new(ErrorKind::Depth, reason.to_string()),
            Unreadable::Integer => Error::new(
                ErrorKind::Value,
                format!("an integer has more than {} digits, which is the maximum", Integer::MAX_DIGITS),
            ),
            Unreadable::Syntax(_) => Error::new(ErrorKind::Value, reason.to_string()),
        })
    }

    /// Returns JSON text. Integers can have any size.
    ///
    /// # Errors
    ///
    /// Returns an error for an iterator, whose items must be computed first.
    pub fn to_json(&self) -> Result<String, Error> {
        serde_json::to_string(&self.as_json()).map_err(|error| Error::new(ErrorKind::Value, error.to_string()))
    }

    /// Returns the value as `serde_json` can write it, with integers of any size. Other formats limit integers to 128
    /// bits, and larger ones are written as text.
    pub fn as_json(&self) -> impl Serialize + '_ {
        Written::<true>(self)
    }
}

/// For data from outside, use [`Value::read_json`], which limits the depth and keeps the digits of large integers.
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
        Written::<false>(self).serialize(serializer)
    }
}

/// A value to be written; as JSON with integers of any size, if `JSON` is true.
struct Written<'v, const JSON: bool>(&'v Value);

impl<'v, const JSON: bool> Written<'v, JSON> {
    fn of(value: &'v Value) -> Self {
        Self(value)
    }

    fn integer<S: Serializer>(number: &Integer, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(number) = number.to_i64() {
            return serializer.serialize_i64(number);
        }
        let digits = number.to_string();
        match digits.parse() {
            Ok(number) => serializer.serialize_i128(number),
            Err(_) if JSON => RawValue::from_string(digits).map_err(S::Error::custom)?.serialize(serializer),
            Err(_) => serializer.serialize_str(&digits),
        }
    }
}

impl<const JSON: bool> Serialize for Written<'_, JSON> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Boolean(truth) => serializer.serialize_bool(*truth),
            Value::Integer(number) => Self::integer(number, serializer),
            Value::Float(number) if number.is_finite() => serializer.serialize_f64(*number),
            Value::Float(number) => serializer.serialize_str(&float(*number)),
            Value::String(text) => serializer.serialize_str(text),
            Value::List(items) => serializer.collect_seq(items.iter().map(Self::of)),
            Value::Set(elements) => serializer.collect_seq(elements.iter().map(Self::of)),
            Value::View(View::Keys, entries) => serializer.collect_seq(entries.keys().map(Self::of)),
            Value::View(View::Values, entries) => serializer.collect_seq(entries.values().map(Self::of)),
            Value::View(View::Items, entries) => {
                serializer.collect_seq(entries.iter().map(|(key, value)| (Self::of(key), Self::of(value))))
            }
            Value::Dict(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries.iter() {
                    map.serialize_entry(&key.to_text(), &Self::of(value))?;
                }
                map.end()
            }
            Value::Iterator(_) => Err(S::Error::custom("the items of an iterator must be computed first")),
            _ => serializer.serialize_str(&self.0.to_python()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_any_size_are_read_and_written() {
        let large = format!("[{0},-{0},18446744073709551616,[9007199254740993]]", "7".repeat(300));
        let evaluated = |expression| evaluate_json(expression, Dialect::Standard, &large).ok();
        assert_eq!(evaluated("$").as_deref(), Some(&*large));
        assert_eq!(evaluated("$[2] + 1").as_deref(), Some("18446744073709551617"));
        let error = Value::read_json(&"7".repeat(20_001)).expect_err("the integer is too large");
        assert_eq!(error.message(), "an integer has more than 20000 digits, which is the maximum");
        assert_eq!(serde_json::json!(Value::read_json("100000").ok()), serde_json::json!(100_000));
    }

    #[test]
    fn deep_data_is_an_error() {
        let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
        let levels = MAX_NESTING as usize;
        assert!(evaluate_json("$", Dialect::Standard, &nested(levels)).is_ok());
        let error = evaluate_json("1", Dialect::Standard, &nested(levels + 1)).expect_err("the data is too deep");
        assert_eq!((error.kind(), error.message()), (ErrorKind::Depth, "values are nested more than 500 levels deep"));
        assert_eq!(Value::read_json("[").map_err(|error| error.kind()).err(), Some(ErrorKind::Value));
    }
}
