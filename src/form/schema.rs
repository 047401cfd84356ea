//! The JSON Schema of types and definitions.

use foldhash::{HashMap, HashSet};
use indexmap::IndexMap;
use serde_json::{Map, Value as Json, json};

use super::clause::{self, Values};
use crate::diagnostic::is_secret;
use crate::normal::{DataType, OverlayMap, Property, Schema, Service, State, ValueKind};

/// Returns the schema of all inputs of a service.
pub(super) fn of_inputs(service: &Service) -> Json {
    let mut types = Types::new(service);
    let mut schema = types.members(&service.inputs);
    // Forms are given to others, who don't know the folder.
    let title = format!("Inputs of {}", service.file.rsplit(['/', '\\']).next().unwrap_or_default());
    let mut whole = Map::from_iter([
        ("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema")),
        ("title".to_owned(), json!(title)),
    ]);
    if let Some(description) = &service.description {
        whole.insert("description".to_owned(), json!(description));
    }
    whole.append(&mut schema);
    let definitions = types.definitions();
    if !definitions.is_empty() {
        whole.insert("$defs".to_owned(), Json::Object(definitions));
    }
    Json::Object(whole)
}

/// The data types of a service; those that are used become definitions.
struct Types<'a> {
    /// All data types, by name and origin.
    known: IndexMap<(&'a str, Option<&'a str>), &'a DataType>,
    /// The keys of the used types, in order of their first use.
    asked: IndexMap<(&'a str, Option<&'a str>), String>,
    /// The names of their definitions.
    names: HashSet<String>,
    /// The number of types for each name without special characters.
    alike: HashMap<String, usize>,
}

impl<'a> Types<'a> {
    fn new(service: &'a Service) -> Self {
        let known = service.data_types.iter().filter_map(|data_type| {
            let own = data_type.types.first()?;
            Some(((&*own.name, own.origin.as_deref()), data_type))
        });
        Self { known: known.collect(), asked: IndexMap::new(), names: HashSet::default(), alike: HashMap::default() }
    }

    /// Returns the definitions of the used types and of the types that they use in turn.
    fn definitions(&mut self) -> Map<String, Json> {
        let mut definitions = Map::new();
        let mut next = 0;
        while let Some((key, name)) = self.asked.get_index(next).map(|(key, name)| (*key, name.clone())) {
            let schema = self.known.get(&key).copied().map_or_else(Map::new, |data_type| self.data_type(data_type));
            definitions.insert(name, Json::Object(schema));
            next += 1;
        }
        definitions
    }

    fn data_type(&mut self, data_type: &'a DataType) -> Map<String, Json> {
        let mut schema = match data_type.kind {
            ValueKind::Complex => self.members(&data_type.properties),
            ValueKind::Scalar => {
                let units = data_type.units.iter().flat_map(|units| units.multipliers.keys());
                of_scalar(units.map(|unit| &**unit), regex::escape)
            }
            kind => of_kind(kind),
        };
        self.entries(&mut schema, data_type.kind, data_type.key_schema.as_deref(), data_type.entry_schema.as_deref());
        let values = Values::new(data_type.kind, data_type.entry_schema.as_deref());
        clause::add(&mut schema, values, &data_type.validation);
        schema
    }

    /// Returns the schema of a map with the given members.
    fn members(&mut self, members: &'a OverlayMap<Property>) -> Map<String, Json> {
        let mut properties = Map::with_capacity(members.len());
        let mut required = Vec::new();
        for (name, member) in members {
            let mut schema = self.schema(&member.schema);
            // A default without a value has been removed because it is secret.
            let is_secret = is_secret(name) || member.state == State::Default && member.value.is_none();
            if is_secret && member.schema.kind == Some(ValueKind::String) {
                schema.insert("format".to_owned(), json!("password"));
                schema.insert("writeOnly".to_owned(), json!(true));
            } else if let Some(value) = member.value.as_ref().filter(|value| value.is_data()) {
                schema.insert("default".to_owned(), json!(value));
            }
            if member.schema.required && member.state == State::Unset {
                required.push(json!(name));
            }
            properties.insert(name.to_string(), Json::Object(schema));
        }
        // There may be tens of thousands of types, and a map that grows would take twice as much memory.
        let mut schema = Map::with_capacity(4);
        schema.extend(of_kind(ValueKind::Complex));
        schema.insert("properties".to_owned(), Json::Object(properties));
        if !required.is_empty() {
            schema.insert("required".to_owned(), Json::Array(required));
        }
        schema.insert("additionalProperties".to_owned(), json!(false));
        schema
    }

    fn schema(&mut self, definition: &'a Schema) -> Map<String, Json> {
        let kind = definition.kind;
        let mut schema = match self.reference(definition) {
            Some(name) => Map::from_iter([("$ref".to_owned(), json!(format!("#/$defs/{name}")))]),
            None => kind.map_or_else(Map::new, |kind| built_in(definition, kind)),
        };
        if let Some(description) = &definition.description {
            schema.insert("description".to_owned(), json!(description));
        }
        if let Some(kind) = kind {
            self.entries(&mut schema, kind, definition.key_schema.as_deref(), definition.entry_schema.as_deref());
            let entry = definition.entry_schema.as_deref();
            let entry = entry.or_else(|| self.data_type_of(definition)?.entry_schema.as_deref());
            clause::add(&mut schema, Values::new(kind, entry), &definition.validation);
        }
        schema
    }

    fn data_type_of(&self, definition: &Schema) -> Option<&'a DataType> {
        let key = (definition.type_name.as_deref()?, definition.type_origin.as_deref());
        self.known.get(&key).copied()
    }

    /// Returns the name of the definition for a data type of the service.
    fn reference(&mut self, definition: &'a Schema) -> Option<String> {
        let key = (definition.type_name.as_deref()?, definition.type_origin.as_deref());
        self.known.get(&key)?;
        if let Some(name) = self.asked.get(&key) {
            return Some(name.clone());
        }
        // Types of different profiles may have the same name.
        let plain: String = key.0.chars().map(|char| if is_plain(char) { char } else { '_' }).collect();
        let mut name = plain.clone();
        let alike = self.alike.entry(plain.clone()).or_insert(0);
        *alike += 1;
        while !self.names.insert(name.clone()) {
            name = format!("{plain}_{alike}");
            *alike += 1;
        }
        self.asked.insert(key, name.clone());
        Some(name)
    }

    fn entries(
        &mut self,
        schema: &mut Map<String, Json>,
        kind: ValueKind,
        key: Option<&'a Schema>,
        entry: Option<&'a Schema>,
    ) {
        match kind {
            ValueKind::List => {
                if let Some(entry) = entry {
                    schema.insert("items".to_owned(), Json::Object(self.schema(entry)));
                }
            }
            ValueKind::Map => {
                if let Some(entry) = entry {
                    schema.insert("additionalProperties".to_owned(), Json::Object(self.schema(entry)));
                }
                // The keys of JSON are strings.
                if let Some(key) = key.filter(|key| key.kind == Some(ValueKind::String)) {
                    schema.insert("propertyNames".to_owned(), Json::Object(self.schema(key)));
                }
            }
            _ => {}
        }
    }
}

/// Returns whether a character needs no escape in a reference.
fn is_plain(char: char) -> bool {
    char.is_ascii_alphanumeric() || "-._".contains(char)
}

fn built_in(definition: &Schema, kind: ValueKind) -> Map<String, Json> {
    // The scalars of 1.x are part of the language, with the units of section 3.3.6 (1.3), which are case-insensitive.
    let units: &[&str] = match definition.type_name.as_deref() {
        Some("scalar-unit.size") => &["B", "kB", "KiB", "MB", "MiB", "GB", "GiB", "TB", "TiB"],
        Some("scalar-unit.time") => &["d", "h", "m", "s", "ms", "us", "ns"],
        Some("scalar-unit.frequency") => &["Hz", "kHz", "MHz", "GHz"],
        _ => return of_kind(kind),
    };
    of_scalar(units.iter().copied(), in_any_case)
}

fn of_kind(kind: ValueKind) -> Map<String, Json> {
    let schema = match kind {
        ValueKind::String => json!({ "type": "string" }),
        ValueKind::Integer => json!({ "type": "integer" }),
        ValueKind::Float => json!({ "type": "number" }),
        ValueKind::Boolean => json!({ "type": "boolean" }),
        ValueKind::Bytes => json!({ "type": "string", "contentEncoding": "base64" }),
        ValueKind::Nil => json!({ "type": "null" }),
        ValueKind::Timestamp => json!({
            "type": "string",
            "pattern": r"^\d{4}-\d\d?-\d\d?([Tt ].*)?$",
            "patternDescription": "a date such as 2026-11-27, with or without a time",
        }),
        // In 1.x, a version without quotes is a number.
        ValueKind::Version => json!({
            "type": ["string", "number"],
            "pattern": r"^\d+\.\d+(\.\d+(\.[A-Za-z0-9]+(-\d+)?)?)?$",
            "patternDescription": "a version such as 1.2 or 1.2.0.beta-3",
        }),
        ValueKind::Scalar => json!({
            "type": "string",
            "pattern": format!(r"^{NUMBER}\s*\S+$"),
            "patternDescription": "a number with a unit",
        }),
        ValueKind::Range => json!({
            "type": "array",
            "prefixItems": [{ "type": "integer" }, { "anyOf": [{ "type": "integer" }, { "const": "UNBOUNDED" }] }],
            "minItems": 2,
            "maxItems": 2,
        }),
        ValueKind::List => json!({ "type": "array" }),
        ValueKind::Map | ValueKind::Complex => json!({ "type": "object" }),
    };
    match schema {
        // A form has a map per input, and a map that has grown has capacity for four keywords.
        Json::Object(schema) => schema.into_iter().collect(),
        _ => Map::new(),
    }
}

/// A number before a unit.
const NUMBER: &str = r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?";

/// Returns the schema of numbers with one of the given units. `pattern` returns the regular expression for a unit.
fn of_scalar<'u>(units: impl Iterator<Item = &'u str>, pattern: fn(&str) -> String) -> Map<String, Json> {
    /// The maximum number of units in a description.
    const FEW: usize = 12;
    let units: Vec<&str> = units.collect();
    let mut schema = of_kind(ValueKind::Scalar);
    if !units.is_empty() {
        let patterns: Vec<String> = units.iter().map(|unit| pattern(unit)).collect();
        schema.insert("pattern".to_owned(), json!(format!(r"^{NUMBER}\s*({})$", patterns.join("|"))));
    }
    if (1..=FEW).contains(&units.len()) {
        let words = format!("a number with a unit ({})", units.join(", "));
        schema.insert("patternDescription".to_owned(), json!(words));
    }
    schema
}

/// Returns a case-insensitive regular expression for a word.
fn in_any_case(word: &str) -> String {
    word.chars().flat_map(|char| ['[', char.to_ascii_lowercase(), char.to_ascii_uppercase(), ']']).collect()
}
