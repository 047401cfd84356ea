//! Values of the model: data, and calls to functions that only an orchestrator can run.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::map::{Map, Name};

/// The key of a serialized call.
const CALL: &str = "$call";

/// A value: data, a function call, or data that contains calls.
///
/// Data is serialized as in JSON. A call is a map with the single key `$call`:
///
/// ```json
/// { "$call": { "name": "get_input", "arguments": ["port"] } }
/// ```
///
/// Data can't be mistaken for a call: keys of data that begin with a dollar sign get a second one (`$call` becomes
/// `$$call`), and strings are never calls, so `$` has no meaning in them. A string that is escaped as `$$text` in
/// TOSCA is therefore `$text` here.
///
/// ```
/// use tosca_parse::normal::Value;
///
/// let value: Value = serde_json::from_str(r#"{ "$call": { "name": "concat", "arguments": ["$", "$a"] } }"#)?;
/// let Value::Call(call) = &value else { panic!("it is a call") };
/// assert_eq!(&*call.name, "concat");
/// assert_eq!(call.arguments, [Value::from("$"), Value::from("$a")]);
/// assert!(!value.is_data());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// Null.
    #[default]
    Null,
    /// A boolean.
    Boolean(bool),
    /// An integer. An integer that does not fit into 64 bits is a string.
    Integer(i64),
    /// A finite float. Infinity and not-a-number are the strings `.inf`, `-.inf` and `.nan`.
    Float(f64),
    /// A string.
    String(Name),
    /// A list.
    List(Vec<Value>),
    /// A map, or a complex value.
    Map(Box<Map<Value>>),
    /// A function call.
    Call(Box<Call>),
}

/// A function call.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Call {
    /// The name of the function, without `$` and without the prefix of an import.
    pub name: Name,
    /// The profile, or else the file, that defines the function. Missing for a built-in function; all other functions
    /// are listed in the `functions` of the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Name>,
    /// The arguments, in order. A single argument that is not a list becomes a list of one.
    #[serde(default)]
    pub arguments: Vec<Value>,
}

impl Value {
    /// Returns whether the value contains no call.
    pub fn is_data(&self) -> bool {
        match self {
            Self::Call(_) => false,
            Self::List(items) => items.iter().all(Self::is_data),
            Self::Map(entries) => entries.values().all(Self::is_data),
            _ => true,
        }
    }

    /// Returns the text if the value is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number if the value is an integer.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Self::Integer(integer) => Some(*integer),
            _ => None,
        }
    }

    /// Returns a member of a map.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Self::Map(entries) => entries.get(key),
            _ => None,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl From<Name> for Value {
    fn from(text: Name) -> Self {
        Self::String(text)
    }
}

/// Writes the value as JSON, on one line.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Boolean(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::String(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries.iter() {
                    if key.starts_with('$') {
                        map.serialize_entry(&format!("${key}"), value)?;
                    } else {
                        map.serialize_entry(key, value)?;
                    }
                }
                map.end()
            }
            Self::Call(call) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry(CALL, call)?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("data or a call")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Boolean(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or_else(|_| Value::from(value.to_string().as_str()), Value::Integer))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut entries = Map::new();
        while let Some(key) = access.next_key::<Name>()? {
            if &*key == CALL {
                let call = Value::Call(access.next_value()?);
                return match access.next_key::<Name>()? {
                    None if entries.is_empty() => Ok(call),
                    _ => Err(A::Error::custom("a call is a map with the single key `$call`")),
                };
            }
            let key = match key.strip_prefix('$') {
                Some(rest) if rest.starts_with('$') => rest.into(),
                Some(_) => {
                    return Err(A::Error::custom(format!("`{key}` is not a call; a literal key is written `${key}`")));
                }
                None => key,
            };
            entries.insert(key, access.next_value()?);
        }
        Ok(Value::Map(Box::new(entries)))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Value {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Value".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let (value, call) = (generator.subschema_for::<Self>(), generator.subschema_for::<Call>());
        schemars::json_schema!({
            "description": "Data, a function call, or data with calls in it. A call is a map with the single key \
                `$call`; keys of data that begin with a dollar sign get a second one.",
            "anyOf": [
                { "type": ["null", "boolean", "number", "string"] },
                { "type": "array", "items": value },
                { "type": "object", "properties": { CALL: call }, "required": [CALL], "additionalProperties": false },
                {
                    "type": "object",
                    "propertyNames": { "pattern": r"^($|[^$]|\$\$)" },
                    "additionalProperties": value,
                },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn calls_and_data_are_distinct() {
        let mut data = Map::new();
        for key in ["$call", "$$call", "$", "plain"] {
            data.insert(key.into(), Value::Integer(1));
        }
        let data = Value::Map(Box::new(data));
        assert_eq!(data.to_string(), r#"{"$$call":1,"$$$call":1,"$$":1,"plain":1}"#);
        let call = Call { name: "f".into(), origin: None, arguments: vec![data.clone(), Value::Null] };
        let call = Value::Call(Box::new(call));
        assert_eq!(
            call.to_string(),
            r#"{"$call":{"name":"f","arguments":[{"$$call":1,"$$$call":1,"$$":1,"plain":1},null]}}"#
        );
        for value in [data, call] {
            assert_eq!(serde_json::from_str::<Value>(&value.to_string()).unwrap(), value);
            assert_eq!(serde_yaml::from_str::<Value>(&serde_yaml::to_string(&value).unwrap()).unwrap(), value);
        }
    }

    #[test]
    fn keys_with_one_dollar_sign_are_rejected() {
        for text in [r#"{"$f":1}"#, r#"{"a":1,"$call":{"name":"f"}}"#, r#"{"$call":{"name":"f"},"a":1}"#] {
            assert!(serde_json::from_str::<Value>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_are_exact() {
        let text = r#"[9223372036854775807,-9223372036854775808,0.1,1.0,"9223372036854775808"]"#;
        assert_eq!(serde_json::from_str::<Value>(text).unwrap().to_string(), text);
        assert_eq!(serde_json::from_str::<Value>("18446744073709551615").unwrap(), "18446744073709551615".into());
        assert_eq!(size_of::<Value>(), 24);
    }
}
