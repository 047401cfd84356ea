//! Conversion of model values to typed values and back.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::{DataType, Map, Name, Scalar, Schema, Value, ValueKind};
use super::evaluator::Evaluator;
use crate::data::{self, Datum, decode_base64, scalar_unit, timestamp};
use crate::grammar::version::{V1_3, V2_0};
use crate::value::{Number, Version, parse_number};

impl<'s> Evaluator<'s> {
    /// Converts a value to its type. Calls and values of a different type are unknown.
    pub(super) fn datum(&self, value: &Value, schema: Option<&Schema>) -> Datum {
        match (value, schema.and_then(|schema| schema.kind)) {
            (Value::Null, _) => Datum::Nil,
            (Value::Boolean(value), _) => Datum::Boolean(*value),
            (Value::Integer(value), _) => Datum::Integer(*value),
            (Value::Float(value), _) => Datum::Float(*value),
            (Value::String(text), kind) => self.text(text, kind, schema).unwrap_or(Datum::Unknown),
            (Value::List(items), kind) => {
                let entries = self.entries(schema);
                if kind == Some(ValueKind::Range) {
                    return range(items).unwrap_or(Datum::Unknown);
                }
                Datum::List(items.iter().map(|item| self.datum(item, entries)).collect())
            }
            (Value::Map(map), _) => {
                let entry =
                    |(key, value): (&Name, &Value)| (key.to_string(), self.datum(value, self.member(schema, key)));
                Datum::Map(map.iter().map(entry).collect())
            }
            (Value::Call(_), _) => Datum::Unknown,
        }
    }

    fn text(&self, text: &str, kind: Option<ValueKind>, schema: Option<&Schema>) -> Option<Datum> {
        Some(match kind {
            Some(ValueKind::Version) => Datum::Version(Box::new(Version::parse(text)?)),
            Some(ValueKind::Timestamp) => Datum::Timestamp(timestamp(text, if self.is_simple { V1_3 } else { V2_0 })?),
            Some(ValueKind::Bytes) => Datum::Bytes(decode_base64(text)?),
            Some(ValueKind::Float) => Datum::Float(match text {
                ".inf" => f64::INFINITY,
                "-.inf" => f64::NEG_INFINITY,
                _ => f64::NAN,
            }),
            Some(ValueKind::Scalar) => {
                let (number, _) = self.canonical(text, schema?)?;
                Datum::Scalar(Box::new(data::Scalar { data_type: None, number, text: text.to_owned() }))
            }
            _ => Datum::String(text.to_owned()),
        })
    }

    pub(super) fn data_type(&self, schema: &Schema) -> Option<&'s DataType> {
        self.data_types.get(&(schema.type_name.as_deref()?, schema.type_origin.as_deref())).copied()
    }

    /// Returns the schema of the entries of a list or map.
    pub(super) fn entries<'t>(&self, schema: Option<&'t Schema>) -> Option<&'t Schema>
    where
        's: 't,
    {
        let schema = schema?;
        schema.entry_schema.as_deref().or_else(|| self.data_type(schema)?.entry_schema.as_deref())
    }

    /// Returns the schema of a member of a complex value, or of an entry of a map.
    pub(super) fn member<'t>(&self, schema: Option<&'t Schema>, name: &str) -> Option<&'t Schema>
    where
        's: 't,
    {
        match schema?.kind {
            Some(ValueKind::Complex) => self.data_type(schema?)?.properties.get(name).map(|member| &*member.schema),
            _ => self.entries(schema),
        }
    }

    /// Returns the schema of the part of a value that steps lead to.
    pub(super) fn schema_within(&self, schema: &Arc<Schema>, steps: &[Value]) -> Option<Arc<Schema>> {
        let mut schema = schema.clone();
        for step in steps {
            let part = match step {
                Value::String(name) if schema.kind == Some(ValueKind::Complex) => {
                    self.data_type(&schema)?.properties.get(name)?.schema.clone()
                }
                _ => {
                    let own = schema.entry_schema.clone();
                    own.or_else(|| self.data_type(&schema)?.entry_schema.clone())?
                }
            };
            schema = part;
        }
        Some(schema)
    }

    /// Converts a number with a unit to the canonical unit and returns both.
    pub(super) fn canonical(&self, text: &str, schema: &Schema) -> Option<(Number, Name)> {
        if let Some(units) = self.data_type(schema).and_then(|data_type| data_type.units.as_ref())
            && !self.is_simple
        {
            let (number, unit) = text.trim().split_once(char::is_whitespace)?;
            let multiplier = parse_number(units.multipliers.get(unit.trim())?)?;
            return Some((parse_number(number)? * multiplier, units.canonical.clone()));
        }
        let root = self.data_type(schema).and_then(|data_type| data_type.types.last()).map(|root| &root.name);
        let (number, unit) = scalar_unit::canonical_of(root.or(schema.type_name.as_ref())?, text)?;
        Some((number, unit.into()))
    }

    /// Returns the unit of computed scalars of a type.
    pub(super) fn canonical_unit(&self, schema: &Schema) -> Option<Name> {
        Some(self.data_type(schema)?.units.as_ref()?.canonical.clone())
    }

    /// Returns the numbers with units in a value.
    pub(super) fn scalars(&self, value: &Value, schema: &Schema) -> Vec<Scalar> {
        let mut scalars = Vec::new();
        self.note_scalars(value, Some(schema), &mut String::new(), &mut scalars);
        scalars
    }

    fn note_scalars(&self, value: &Value, schema: Option<&Schema>, at: &mut String, scalars: &mut Vec<Scalar>) {
        let Some(schema) = schema else { return };
        let length = at.len();
        match value {
            Value::String(text) if schema.kind == Some(ValueKind::Scalar) => {
                let Some((number, unit)) = self.canonical(text, schema) else { return };
                scalars.push(Scalar { at: at.clone(), number: number.normalized().to_plain_string(), unit });
            }
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    at.push_str(&super::owner::pointer([&*index.to_string()]));
                    self.note_scalars(item, self.entries(Some(schema)), at, scalars);
                    at.truncate(length);
                }
            }
            Value::Map(entries) => {
                for (key, value) in entries.iter() {
                    at.push_str(&super::owner::pointer([&**key]));
                    self.note_scalars(value, self.member(Some(schema), key), at, scalars);
                    at.truncate(length);
                }
            }
            _ => {}
        }
    }
}

fn range(bounds: &[Value]) -> Option<Datum> {
    let [lower, upper] = bounds else { return None };
    Some(Datum::Range { lower: lower.as_integer()?, upper: upper.as_integer() })
}

/// Converts a typed value to a model value; `None` if a part of it is unknown.
pub(super) fn value(datum: Datum) -> Option<Value> {
    Some(match datum {
        Datum::Unknown => return None,
        Datum::Nil => Value::Null,
        Datum::Boolean(value) => Value::Boolean(value),
        Datum::Integer(value) => Value::Integer(value),
        Datum::Float(value) if value.is_finite() => Value::Float(value),
        Datum::Float(value) if value.is_nan() => Value::from(".nan"),
        Datum::Float(value) => Value::from(if value < 0.0 { "-.inf" } else { ".inf" }),
        Datum::String(text) => Value::from(text.as_str()),
        Datum::Bytes(bytes) => Value::from(STANDARD.encode(bytes).as_str()),
        Datum::Timestamp(timestamp) => Value::from(timestamp.to_string().as_str()),
        Datum::Version(version) => Value::from(version.to_string().as_str()),
        Datum::Scalar(scalar) => Value::from(scalar.text.as_str()),
        Datum::Range { lower, upper } => {
            let upper = upper.map_or_else(|| Value::from("UNBOUNDED"), Value::Integer);
            Value::List(vec![Value::Integer(lower), upper])
        }
        Datum::List(items) => Value::List(items.into_iter().map(value).collect::<Option<_>>()?),
        Datum::Map(entries) => {
            let mut map = Map::with_capacity(entries.len());
            for (key, datum) in entries {
                map.insert(key.into(), value(datum)?);
            }
            Value::Map(Box::new(map))
        }
    })
}

/// Returns the string form of a value, as used before 2.0 if a string is expected.
pub(super) fn as_text(datum: Datum) -> Datum {
    match datum {
        Datum::Integer(_) | Datum::Float(_) | Datum::Boolean(_) => Datum::String(datum.to_string()),
        Datum::Scalar(scalar) => Datum::String(scalar.text),
        Datum::Version(version) => Datum::String(version.to_string()),
        Datum::Timestamp(timestamp) => Datum::String(timestamp.to_string()),
        datum => datum,
    }
}
