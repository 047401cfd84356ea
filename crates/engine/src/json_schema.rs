//! JSON Schemas for output that other programs read.
//!
//! With a schema, a program in any language can validate its input, and tools can generate types. The schema is
//! generated from the serialized types, so that both always agree.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

/// Returns the schema for the serialized form of a type, in draft 2020-12.
pub fn of<T: JsonSchema>() -> Value {
    tidy::<T>(SchemaSettings::draft2020_12().for_serialize())
}

/// Returns the schema for the input from which a type is deserialized, in draft 2020-12.
pub fn of_input<T: JsonSchema>() -> Value {
    tidy::<T>(SchemaSettings::draft2020_12().for_deserialize())
}

fn tidy<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let settings = settings.with_transform(Tidy);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    if let Some(Value::Object(definitions)) = schema.get_mut("$defs") {
        name_choices(definitions);
    }
    // The most frequently needed keys come first.
    let mut sorted = Map::new();
    for key in ["$schema", "title", "description"] {
        sorted.extend(schema.remove(key).map(|value| (key.to_owned(), value)));
    }
    sorted.extend(schema.ensure_object().iter().map(|(key, value)| (key.clone(), value.clone())));
    Value::Object(sorted)
}

/// Adapts a schema to the output that is actually written, which is narrower than what can be read.
#[derive(Clone)]
struct Tidy;

impl Transform for Tidy {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let Some(object) = schema.as_object_mut() else { return };
        if let Some(Value::String(text)) = object.get_mut("description") {
            *text = joined(text);
        }
        if let Some(Value::Object(properties)) = object.get_mut("properties") {
            properties.values_mut().for_each(without_null);
        }
        // If a field is omitted when it is empty, its default is obvious.
        object.remove("default");
    }
}

/// Moves the alternatives of a choice (`oneOf` or `anyOf`) that are objects with a single key to named definitions,
/// such as `SetStateActivity`, so that tools that generate types have names for them.
fn name_choices(definitions: &mut Map<String, Value>) {
    let known: Vec<String> = definitions.keys().cloned().collect();
    let mut named = Map::new();
    for (name, definition) in definitions.iter_mut() {
        for key in ["oneOf", "anyOf"] {
            let Some(Value::Array(choices)) = definition.get_mut(key) else { continue };
            for choice in choices {
                let own = only_key(choice).map(|key| format!("{}{name}", capitalised(key)));
                if let Some(own) = own.filter(|own| !known.contains(own)) {
                    let reference = json!({ "$ref": format!("#/$defs/{own}") });
                    named.insert(own, std::mem::replace(choice, reference));
                }
            }
        }
    }
    definitions.extend(named);
}

/// Returns the only key of an object schema; `None` if it has several or none.
fn only_key(schema: &Value) -> Option<&str> {
    schema.get("properties")?;
    match schema.get("required")?.as_array()?.as_slice() {
        [only] => only.as_str(),
        _ => None,
    }
}

/// Converts `set_state` to `SetState`.
fn capitalised(key: &str) -> String {
    let mut name = String::new();
    for word in key.split(|character: char| !character.is_alphanumeric()) {
        let mut characters = word.chars();
        name.extend(characters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(characters.as_str());
    }
    name
}

/// Joins the lines of each paragraph, because the line width of the source is irrelevant.
fn joined(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Excludes null from a field's type, because an optional field is omitted instead.
fn without_null(field: &mut Value) {
    let Some(field) = field.as_object_mut() else { return };
    if let Some(Value::Array(types)) = field.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = &mut types[..] {
            let only = only.take();
            field.insert("type".to_owned(), only);
        }
    }
    let Some(Value::Array(choices)) = field.get_mut("anyOf") else { return };
    choices.retain(|choice| choice.get("type").is_none_or(|name| name != "null"));
    if let [Value::Object(only)] = &mut choices[..] {
        let only = std::mem::take(only);
        field.remove("anyOf");
        field.extend(only);
    }
}
