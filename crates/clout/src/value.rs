//! Coercible values and their `$meta`.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt::Write;

use foldhash::HashMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use tosca_parse::normal::{
    Call, DataType, Map as Named, Name, OverlayMap, Property, Scalar, Schema, Service, Source, Value as Data, ValueKind,
};

use crate::special;
use crate::types::type_name;

/// The maximum number of values in the validators of a vertex, which is in memory as a whole.
const MAX_OF_A_VERTEX: usize = 50_000;

/// The maximum number of values in all validators. Each value of a data type repeats those of the type.
const MAX_OF_ALL: usize = 1_000_000;

/// What values need to know about a service.
#[derive(Debug)]
pub(super) struct Values<'a> {
    /// The data types by name and origin.
    data_types: HashMap<(&'a str, Option<&'a str>), &'a DataType>,
    /// The numbers of values that the validators of the current vertex, and of all vertexes, can still have.
    room: Cell<[usize; 2]>,
}

/// A value that is converted: its place, and the facts about its parts.
struct Place<'p> {
    /// The numbers with units of the value, by JSON pointer.
    scalars: HashMap<&'p str, &'p Scalar>,
    /// The JSON pointer of the current part.
    pointer: String,
    source: Option<&'p Source>,
}

/// Parameters that are converted while they are serialized.
struct Parameters<'v> {
    values: &'v Values<'v>,
    parameters: &'v OverlayMap<Property>,
}

impl Serialize for Parameters<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.parameters.iter().map(|(name, property)| (name, self.values.property(property))))
    }
}

impl<'a> Values<'a> {
    pub(super) fn of(service: &'a Service) -> Self {
        let by_name = |data_type: &'a DataType| {
            let name = data_type.types.first()?;
            Some(((&*name.name, name.origin.as_deref()), data_type))
        };
        let data_types = service.data_types.iter().filter_map(by_name).collect();
        Self { data_types, room: Cell::default() }
    }

    /// Begins a Clout.
    pub(super) fn begin(&self) {
        self.room.set([MAX_OF_A_VERTEX, MAX_OF_ALL]);
    }

    /// Begins the next vertex.
    pub(super) fn begin_vertex(&self) {
        let [_, of_all] = self.room.get();
        self.room.set([MAX_OF_A_VERTEX.min(of_all), of_all]);
    }

    /// Returns whether there is room for the validators of a value.
    fn takes_room<'d>(&self, mut conditions: impl Iterator<Item = &'d Data>) -> bool {
        let [of_vertex, of_all] = self.room.get();
        let left = conditions.try_fold(of_vertex, |left, condition| left.checked_sub(size(condition)));
        if let Some(left) = left {
            self.room.set([left, of_all - (of_vertex - left)]);
        }
        left.is_some()
    }

    /// Returns the properties that have a value.
    pub(super) fn properties(&self, properties: &OverlayMap<Property>) -> Value {
        self.all(properties.iter().filter(|(_, property)| property.value.is_some()))
    }

    /// Returns all attributes or parameters. Those without a value are null.
    pub(super) fn parameters(&self, properties: &OverlayMap<Property>) -> Value {
        self.all(properties.iter())
    }

    /// Returns parameters like [`parameters`](Self::parameters), each of which is converted when it is serialized.
    pub(super) fn each_parameter<'v>(&'v self, parameters: &'v OverlayMap<Property>) -> impl Serialize + 'v {
        Parameters { values: self, parameters }
    }

    fn all<'p>(&self, properties: impl Iterator<Item = (&'p Name, &'p std::sync::Arc<Property>)>) -> Value {
        Value::Object(properties.map(|(name, property)| (name.to_string(), self.property(property))).collect())
    }

    fn property(&self, property: &Property) -> Value {
        let mut place = Place {
            scalars: property.scalars.iter().map(|scalar| (&*scalar.at, scalar)).collect(),
            pointer: String::new(),
            source: property.source.as_ref(),
        };
        let value = property.value.as_ref().unwrap_or(&Data::Null);
        let mut converted = self.coercible(value, Some(&property.schema), &mut place);
        let mut meta = self.meta(&property.schema, Some(value), place.source);
        if let Some(description) = &property.schema.description {
            meta.insert("description".to_owned(), json!(description));
        }
        if !property.schema.metadata.is_empty() {
            meta.insert("metadata".to_owned(), json!(property.schema.metadata));
        }
        if !meta.is_empty() {
            converted.insert("$meta".to_owned(), Value::Object(meta));
        }
        Value::Object(converted)
    }

    /// Returns a value of which no type is known.
    pub(super) fn untyped(&self, value: &Data) -> Value {
        self.literal(value, None)
    }

    pub(super) fn untyped_map(&self, values: &Named<Data>) -> Value {
        Value::Object(values.iter().map(|(name, value)| (name.to_string(), self.untyped(value))).collect())
    }

    fn literal(&self, value: &Data, source: Option<&Source>) -> Value {
        let mut place = Place { scalars: HashMap::default(), pointer: String::new(), source };
        Value::Object(self.coercible(value, None, &mut place))
    }

    fn coercible(&self, value: &Data, schema: Option<&Schema>, place: &mut Place<'_>) -> Map<String, Value> {
        let kind = schema.and_then(|schema| schema.kind);
        let (form, converted) = match value {
            Data::Call(call) => ("$functionCall", self.call(call, place.source)),
            Data::List(bounds) if kind == Some(ValueKind::Range) => match special::range(bounds) {
                Some(range) => ("$primitive", range),
                None => ("$list", self.list(bounds, schema, place)),
            },
            Data::List(items) => ("$list", self.list(items, schema, place)),
            Data::Map(entries) => ("$map", self.map(entries, schema, place)),
            Data::String(text) => ("$primitive", primitive(text, kind, place)),
            Data::Null => ("$primitive", Value::Null),
            Data::Boolean(value) => ("$primitive", json!(value)),
            Data::Integer(value) => ("$primitive", json!(value)),
            Data::Float(value) => ("$primitive", json!(value)),
        };
        Map::from_iter([(form.to_owned(), converted)])
    }

    fn list(&self, items: &[Data], schema: Option<&Schema>, place: &mut Place<'_>) -> Value {
        let entry = schema.and_then(|schema| self.entry_schema(schema));
        let mut item = |(index, item): (usize, &Data)| {
            let before = place.descend(index);
            let converted = self.coercible(item, entry, place);
            place.pointer.truncate(before);
            Value::Object(converted)
        };
        items.iter().enumerate().map(&mut item).collect()
    }

    fn map(&self, entries: &Named<Data>, schema: Option<&Schema>, place: &mut Place<'_>) -> Value {
        let entry = schema.and_then(|schema| self.entry_schema(schema));
        let members = schema.and_then(|schema| self.members(schema));
        let key_kind = schema.and_then(|schema| self.key_kind(schema));
        let mut item = |(key, value): (&Name, &Data)| {
            let before = place.descend(key.replace('~', "~0").replace('/', "~1"));
            let schema = match members {
                Some(members) => members.get(key).map(|member| &*member.schema),
                None => entry,
            };
            let mut converted = self.coercible(value, schema, place);
            place.pointer.truncate(before);
            converted.insert("$key".to_owned(), json!({ "$primitive": map_key(key, key_kind) }));
            Value::Object(converted)
        };
        entries.iter().map(&mut item).collect()
    }

    fn call(&self, call: &Call, source: Option<&Source>) -> Value {
        let arguments = call.arguments.iter().map(|argument| self.literal(argument, source)).collect();
        let name = match &call.origin {
            None => format!("tosca.function.{}", call.name),
            Some(_) => call.name.to_string(),
        };
        function_call(&name, arguments, source)
    }

    fn data_type(&self, schema: &Schema) -> Option<&'a DataType> {
        let name = schema.type_name.as_deref()?;
        self.data_types.get(&(name, schema.type_origin.as_deref())).copied()
    }

    fn entry_schema<'s>(&self, schema: &'s Schema) -> Option<&'s Schema>
    where
        'a: 's,
    {
        schema.entry_schema.as_deref().or_else(|| self.data_type(schema)?.entry_schema.as_deref())
    }

    fn key_kind(&self, schema: &Schema) -> Option<ValueKind> {
        let written = schema.key_schema.as_ref();
        written.or_else(|| self.data_type(schema)?.key_schema.as_ref())?.kind
    }

    /// Returns the members of complex values.
    fn members(&self, schema: &Schema) -> Option<&'a OverlayMap<Property>> {
        self.data_type(schema).filter(|of_type| of_type.kind == ValueKind::Complex).map(|of_type| &of_type.properties)
    }

    /// Returns the type of a value with its validators. The members of a complex value are included as far as they are
    /// given.
    fn meta(&self, schema: &Schema, value: Option<&Data>, source: Option<&Source>) -> Map<String, Value> {
        let mut meta = self.type_meta(schema, source);
        let data_type = self.data_type(schema);
        // A data type may contain itself, so only its direct entries are described.
        let of_entry = |written: Option<&Schema>, inherited: Option<&Schema>| match (written, inherited) {
            (Some(written), _) => Some(self.meta(written, None, source)),
            (None, Some(inherited)) => Some(self.type_meta(inherited, source)),
            (None, None) => None,
        };
        let inherited = data_type.and_then(|data_type| data_type.entry_schema.as_deref());
        let entry = of_entry(schema.entry_schema.as_deref(), inherited);
        let inherited = data_type.and_then(|data_type| data_type.key_schema.as_deref());
        let key = of_entry(schema.key_schema.as_deref(), inherited);
        let is_map = schema.kind == Some(ValueKind::Map);
        let name = if is_map { "value" } else { "element" };
        meta.extend(entry.map(|entry| (name.to_owned(), Value::Object(entry))));
        meta.extend(key.filter(|_| is_map).map(|key| ("key".to_owned(), Value::Object(key))));
        if let (Some(members), Some(Data::Map(entries))) = (self.members(schema), value) {
            let fields = entries.iter().filter_map(|(name, value)| {
                let member = members.get(name)?;
                let mut meta = self.meta(&member.schema, Some(value), source);
                if let Some(description) = &member.schema.description {
                    meta.insert("description".to_owned(), json!(description));
                }
                Some((name.to_string(), Value::Object(meta)))
            });
            meta.insert("fields".to_owned(), Value::Object(fields.collect()));
        }
        meta
    }

    fn type_meta(&self, schema: &Schema, source: Option<&Source>) -> Map<String, Value> {
        let mut meta = Map::new();
        if let Some(name) = &schema.type_name {
            meta.insert("type".to_owned(), json!(type_name(name, schema.type_origin.as_deref())));
        }
        let of_type = self.data_type(schema).map_or(&[][..], |data_type| &data_type.validation);
        let conditions = of_type.iter().chain(&schema.validation);
        if !self.takes_room(conditions.clone()) {
            meta.insert("validatorsOmitted".to_owned(), json!(true));
            return meta;
        }
        let validators: Vec<Value> = conditions.map(|condition| self.validator(condition, source)).collect();
        if !validators.is_empty() {
            meta.insert("validators".to_owned(), Value::Array(validators));
        }
        meta
    }

    /// Returns a condition as a function call that gets the value as an additional first argument. A condition in
    /// another form than `function(value, …)` remains an expression.
    fn validator(&self, condition: &Data, source: Option<&Source>) -> Value {
        let clause = clause(condition).map(|(name, arguments)| {
            let arguments = arguments.iter().map(|argument| self.literal(argument, source)).collect();
            json!({ "$functionCall": function_call(&format!("tosca.constraint.{name}"), arguments, source) })
        });
        clause.unwrap_or_else(|| self.literal(condition, source))
    }
}

impl Place<'_> {
    /// Moves to a part, and returns the length of the previous pointer.
    fn descend(&mut self, part: impl std::fmt::Display) -> usize {
        let before = self.pointer.len();
        // Without numbers with units, pointers are not needed.
        if !self.scalars.is_empty() {
            let _ = write!(self.pointer, "/{part}");
        }
        before
    }
}

/// Returns a string, or a value with parts that is written as one.
fn primitive(text: &str, kind: Option<ValueKind>, place: &Place<'_>) -> Value {
    let special = match kind {
        Some(ValueKind::Version) => special::version(text),
        Some(ValueKind::Timestamp) => special::timestamp(text),
        _ => place.scalars.get(&*place.pointer).and_then(|scalar| special::scalar(text, scalar)),
    };
    special.unwrap_or_else(|| json!(text))
}

/// Returns the key of a map. In the model, all keys are strings.
fn map_key(key: &str, kind: Option<ValueKind>) -> Value {
    let converted = match kind {
        Some(ValueKind::Integer) => key.parse::<i64>().ok().map(Value::from),
        Some(ValueKind::Float) => key.parse::<f64>().ok().map(Value::from),
        Some(ValueKind::Boolean) => key.parse::<bool>().ok().map(Value::from),
        _ => None,
    };
    converted.unwrap_or_else(|| json!(key))
}

fn function_call(name: &str, arguments: Value, source: Option<&Source>) -> Value {
    let mut call = Map::from_iter([("name".to_owned(), json!(name)), ("arguments".to_owned(), arguments)]);
    if let Some(source) = source {
        call.insert("url".to_owned(), json!(source.file));
        call.insert("row".to_owned(), json!(source.line));
        call.insert("column".to_owned(), json!(source.column));
    }
    Value::Object(call)
}

/// Returns the constraint clause that a condition expresses: its name and its arguments after the value.
fn clause(condition: &Data) -> Option<(&str, Cow<'_, [Data]>)> {
    let call = built_in(condition)?;
    let (subject, arguments) = call.arguments.split_first()?;
    let subject = built_in(subject)?;
    match (&*call.name, arguments) {
        (name @ ("equal" | "greater_than" | "greater_or_equal" | "less_than" | "less_or_equal"), [argument])
            if argument.is_data() =>
        {
            let of_length = match name {
                "equal" => Some("length"),
                "greater_or_equal" => Some("min_length"),
                "less_or_equal" => Some("max_length"),
                _ => None,
            };
            match &*subject.name {
                "value" if subject.arguments.is_empty() => Some((name, Cow::Borrowed(arguments))),
                "length" if is_value(subject.arguments.first()?) => Some((of_length?, Cow::Borrowed(arguments))),
                _ => None,
            }
        }
        ("valid_values", [Data::List(values)]) if is_value(call.arguments.first()?) => {
            Some(("valid_values", Cow::Borrowed(values)))
        }
        // A pattern must match the whole value.
        ("matches", [Data::String(text)]) if is_value(call.arguments.first()?) => {
            let pattern = text.strip_prefix("^(?:")?.strip_suffix(")$")?;
            Some(("pattern", Cow::Owned(vec![pattern.into()])))
        }
        _ => None,
    }
}

/// Returns the number of values in a condition.
fn size(condition: &Data) -> usize {
    1 + match condition {
        Data::Call(call) => call.arguments.iter().map(size).sum(),
        Data::List(items) => items.iter().map(size).sum(),
        Data::Map(entries) => entries.values().map(size).sum(),
        _ => 0,
    }
}

fn is_value(value: &Data) -> bool {
    built_in(value).is_some_and(|call| &*call.name == "value" && call.arguments.is_empty())
}

fn built_in(value: &Data) -> Option<&Call> {
    match value {
        Data::Call(call) if call.origin.is_none() => Some(call),
        _ => None,
    }
}
