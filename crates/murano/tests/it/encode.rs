//! The notation of values in the cases, and comparison of such values.

use std::collections::HashMap;

use serde_json::{Map, Value as Json, json};
use tosca_parse_murano::{class_of, object_of};
use tosca_parse_yaql::Value;

/// Converts a value to JSON. Objects are written with their properties.
pub(crate) fn encode(value: &Value) -> Json {
    encode_within(value, &mut Vec::new())
}

fn encode_within(value: &Value, open: &mut Vec<String>) -> Json {
    if let Some(object) = object_of(value) {
        if open.contains(&object.id) {
            return json!({ "@ref": object.id });
        }
        open.push(object.id.clone());
        let mut map = Map::new();
        map.insert("@class".into(), object.class.name.as_str().into());
        map.insert("@id".into(), object.id.as_str().into());
        map.insert("@owner".into(), object.owner().map_or(Json::Null, |owner| owner.id.as_str().into()));
        if !object.name().is_null() {
            map.insert("@name".into(), encode_within(&object.name(), open));
        }
        for (name, value) in object.properties() {
            map.insert(name, encode_within(&value, open));
        }
        open.pop();
        return map.into();
    }
    if let Some(class) = class_of(value) {
        return json!({ "@type": class.name });
    }
    match value {
        Value::List(items) => items.iter().map(|item| encode_within(item, open)).collect(),
        Value::Set(elements) => {
            let mut items: Vec<Json> = elements.iter().map(|item| encode_within(item, open)).collect();
            items.sort_by_key(Json::to_string);
            items.into()
        }
        Value::Dict(entries)
            if entries.keys().all(|key| matches!(key, Value::String(_)) || class_of(key).is_some()) =>
        {
            let key = |key: &Value| match class_of(key) {
                Some(class) => format!("@type:{}", class.name),
                None => key.to_python(),
            };
            let entry = |(name, value): (&Value, &Value)| (key(name), encode_within(value, open));
            entries.iter().map(entry).collect::<Map<_, _>>().into()
        }
        Value::Dict(entries) => {
            let rows: Vec<Json> = entries
                .iter()
                .map(|(key, value)| json!([encode_within(key, open), encode_within(value, open)]))
                .collect();
            json!({ "@dict": rows })
        }
        Value::Integer(number) if number.to_i64().is_none() => number.to_string().into(),
        _ => serde_json::to_value(value).unwrap_or_else(|_| json!({ "@repr": value.type_name() })),
    }
}

/// The generated IDs that correspond to those in the cases.
#[derive(Default)]
pub(crate) struct Ids(HashMap<String, String>);

impl Ids {
    /// Returns whether a value is the expected one, except for generated IDs and the order of keys.
    pub(crate) fn same(&mut self, actual: &Json, expected: &Json) -> bool {
        match (actual, expected) {
            (Json::Object(actual), Json::Object(expected)) => {
                if expected.contains_key("@repr") {
                    return true;
                }
                actual.len() == expected.len()
                    && expected.iter().all(|(key, expected)| {
                        let value = actual.get(key).or_else(|| {
                            let suffix =
                                key.starts_with("@gen").then(|| key.split_once('_').map_or("", |(_, rest)| rest));
                            suffix.and_then(|suffix| {
                                actual.iter().find(|(key, _)| key.ends_with(suffix)).map(|(_, value)| value)
                            })
                        });
                        value.is_some_and(|value| self.same(value, expected))
                    })
            }
            (Json::Array(actual), Json::Array(expected)) => {
                actual.len() == expected.len()
                    && actual.iter().zip(expected).all(|(actual, expected)| self.same(actual, expected))
            }
            (Json::String(actual), Json::String(expected)) => actual == expected || self.same_id(actual, expected),
            (Json::Number(actual), Json::Number(expected)) => {
                actual == expected
                    || (!actual.is_f64() && expected.as_f64() == actual.as_f64() && expected.as_i64().is_none())
            }
            (Json::String(actual), Json::Number(expected)) => {
                expected.as_i64().is_none() && actual.parse() == Ok(expected.as_f64().unwrap_or(0.0))
            }
            _ => actual == expected,
        }
    }

    fn same_id(&mut self, actual: &str, expected: &str) -> bool {
        let generated = actual.len() == 32 && actual.bytes().all(|byte| byte.is_ascii_hexdigit());
        generated
            && expected.starts_with("@gen")
            && self.0.entry(expected.to_owned()).or_insert_with(|| actual.to_owned()) == actual
    }
}
