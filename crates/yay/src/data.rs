//! Plain data: values without their positions.

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
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
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
