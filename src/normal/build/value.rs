//! Conversion of raw data to values.

use std::fmt::Write;

use super::super::{Call, Map, Name, Scalar, Units, Value};
use super::builder::{Builder, Expected, plain};
use crate::ard::{Kind, Node};
use crate::data::{self, CallShape, DataKind, FUNCTIONS as BUILT_IN, Schema, Typed, scalar_unit};
use crate::entity::{AnyId, Id};
use crate::grammar::definition::PropertyDefinition;
use crate::grammar::section::{FUNCTIONS, SERVICE_FUNCTIONS};
use crate::member_limit;
use crate::value::parse_number;

/// Converts data without calls and escapes.
pub(super) fn literal(node: Node<'_>) -> Value {
    match node.kind() {
        Kind::List => Value::List(node.items().map(literal).collect()),
        Kind::Map => Value::Map(Box::new(
            node.entries()
                .filter(|entry| !entry.duplicate)
                .map(|entry| (entry.key.label().into(), literal(entry.value)))
                .collect(),
        )),
        _ => scalar(node, node.text()),
    }
}

/// Converts a scalar without a type.
fn scalar(node: Node<'_>, text: &str) -> Value {
    match node.kind() {
        Kind::Null => Value::Null,
        Kind::Boolean => Value::Boolean(node.as_bool().unwrap_or_default()),
        Kind::Integer => match node.as_integer().and_then(|integer| i64::try_from(integer).ok()) {
            Some(integer) => Value::Integer(integer),
            None => Value::from(text),
        },
        Kind::Float => match node.as_float() {
            Some(float) if float.is_finite() => Value::Float(float),
            Some(float) if float.is_nan() => Value::from(".nan"),
            Some(float) if float < 0.0 => Value::from("-.inf"),
            _ => Value::from(".inf"),
        },
        Kind::String | Kind::List | Kind::Map => Value::from(text),
    }
}

impl<'a> Builder<'a> {
    /// Converts a value without a type.
    pub(super) fn value(&self, node: Node<'a>) -> Value {
        Walk::new(self).value(node, None)
    }

    /// Converts a value and also returns the numbers with units in it.
    pub(super) fn value_of(&self, node: Node<'a>, expected: Option<&Expected<'a>>) -> (Value, Vec<Scalar>) {
        let mut walk = Walk::new(self);
        let value = walk.value(node, expected);
        (value, walk.scalars)
    }

    /// Returns the expected type of a definition's values.
    pub(super) fn expected<D: Typed>(&self, id: Id<D>) -> Option<Expected<'a>> {
        self.expected.get(id.any(), || {
            let schema = self.get(id)?.schema(&self.context, id);
            Some(Expected { schema, kind: schema.kind(&self.context) })
        })
    }

    /// Returns the function that a call refers to, if it is not built in.
    fn function_called(&self, name: &str, node: Node<'a>) -> Option<AnyId> {
        if BUILT_IN.iter().any(|built_in| built_in.name == name && built_in.is_about_the_graph()) {
            return None;
        }
        let program = self.context.program;
        let symbol = program.interner.get(name)?;
        let entry = program.list.first()?.id;
        let sections = [(node.document().source(), FUNCTIONS), (entry, FUNCTIONS), (entry, SERVICE_FUNCTIONS)];
        let id = sections.into_iter().find_map(|(unit, section)| program.resolve(unit, section, symbol).id())?;
        self.functions.insert(id);
        Some(id)
    }
}

/// A value being converted.
struct Walk<'b, 'a> {
    builder: &'b Builder<'a>,
    /// The path to the current position, as a JSON pointer.
    pointer: String,
    scalars: Vec<Scalar>,
    /// The definitions whose defaults are being added.
    filling: Vec<Id<PropertyDefinition>>,
    /// The number of members in the defaults that were added.
    filled: usize,
}

impl<'b, 'a> Walk<'b, 'a> {
    fn new(builder: &'b Builder<'a>) -> Self {
        Self { builder, pointer: String::new(), scalars: Vec::new(), filling: Vec::new(), filled: 0 }
    }

    fn value(&mut self, node: Node<'a>, expected: Option<&Expected<'a>>) -> Value {
        let may_mean_more = match node.kind() {
            Kind::Map => true,
            Kind::String => node.text().starts_with('$'),
            _ => false,
        };
        let unit = || self.builder.context.program.unit(node.document().source());
        let unit = if may_mean_more { unit() } else { None };
        let version = unit.filter(|unit| !unit.is_data).map(|unit| unit.version);
        if let Some(version) = version
            && let CallShape::Call(call) = data::Call::shape(node, version)
        {
            return self.call(call);
        }
        let text = |node: Node<'a>| match version {
            Some(version) => data::unescape(node.text(), version),
            None => node.text(),
        };
        match node.kind() {
            Kind::List => self.list(node, expected),
            Kind::Map => self.map(node, expected, text),
            // `1.10` is a version with two components, even though YAML reads it as a float.
            Kind::Integer | Kind::Float
                if expected.is_some_and(|expected| expected.kind == Some(DataKind::Version)) =>
            {
                Value::from(node.text())
            }
            Kind::String => {
                if expected.is_some_and(|expected| expected.kind == Some(DataKind::Boolean))
                    && let Some(unit) = self.builder.context.program.unit(node.document().source())
                    && let Some(value) = data::boolean_1_1(node, unit.version)
                {
                    return Value::Boolean(value);
                }
                self.note_scalar(node, expected);
                Value::from(text(node))
            }
            _ => scalar(node, node.text()),
        }
    }

    fn call(&mut self, call: data::Call<'a>) -> Value {
        let function = self.builder.function_called(call.name, call.node);
        let name: Name = match function {
            Some(id) => self.builder.name_of(id),
            None => call.name.into(),
        };
        let arguments = call.arguments().into_iter().map(|argument| self.builder.value(argument)).collect();
        Value::Call(Box::new(Call { name, origin: function.and_then(|id| self.builder.origin(id)), arguments }))
    }

    /// Returns the expected type of entries.
    fn entries(&self, schema: &Schema<'a>) -> Option<Expected<'a>> {
        self.builder.expected(schema.entry_definition(&self.builder.context)?)
    }

    fn list(&mut self, node: Node<'a>, expected: Option<&Expected<'a>>) -> Value {
        let entries = expected.and_then(|expected| self.entries(&expected.schema));
        let is_way = entries.as_ref().is_some_and(Expected::may_have_scalars);
        let items = node.items().enumerate().map(|(index, item)| {
            let length = self.pointer.len();
            if is_way {
                // Writing to a string does not fail.
                let _ = write!(self.pointer, "/{index}");
            }
            let value = self.value(item, entries.as_ref());
            self.pointer.truncate(length);
            value
        });
        Value::List(items.collect())
    }

    fn map(&mut self, node: Node<'a>, expected: Option<&Expected<'a>>, text: impl Fn(Node<'a>) -> &'a str) -> Value {
        let of_kind = |kind| expected.filter(|expected| expected.kind == Some(kind)).map(|expected| &expected.schema);
        let entries = of_kind(DataKind::Map).and_then(|schema| self.entries(schema));
        let complex = of_kind(DataKind::Complex);
        let mut map = Map::with_capacity(node.len());
        for entry in node.entries().filter(|entry| !entry.duplicate) {
            let name: Name = match entry.key.kind() {
                Kind::String => text(entry.key).into(),
                _ => entry.key.label().into(),
            };
            let member = match complex {
                Some(schema) => {
                    let definition = schema.member_definition(&self.builder.context, &name);
                    definition.and_then(|definition| self.builder.expected(definition))
                }
                None => entries,
            };
            let value = self.member(&name, entry.value, member.as_ref());
            map.insert(name, value);
        }
        if let Some(schema) = complex {
            self.fill(&mut map, schema);
        }
        Value::Map(Box::new(map))
    }

    fn member(&mut self, name: &str, node: Node<'a>, expected: Option<&Expected<'a>>) -> Value {
        let length = self.pointer.len();
        if expected.is_some_and(Expected::may_have_scalars) {
            self.pointer.push('/');
            for character in name.chars() {
                match character {
                    '~' => self.pointer.push_str("~0"),
                    '/' => self.pointer.push_str("~1"),
                    other => self.pointer.push(other),
                }
            }
        }
        let value = self.value(node, expected);
        self.pointer.truncate(length);
        value
    }

    /// Adds missing members that have a default.
    fn fill(&mut self, map: &mut Map<Value>, schema: &Schema<'a>) {
        let builder = self.builder;
        let Some(data_type) = schema.data_type.and_then(|id| builder.get(id)) else { return };
        for (symbol, id) in data_type.properties.iter() {
            let name = builder.context.text(symbol);
            let default = builder.get(id).and_then(|definition| definition.value.or(definition.default));
            let default = default.filter(|_| !map.contains_key(name) && !self.filling.contains(&id));
            let Some(default) = builder.data(default.map(|value| value.0)) else { continue };
            let size = 1 + member_limit::size(default, builder.most_filled);
            if self.filled + size > builder.most_filled {
                return;
            }
            self.filled += size;
            self.filling.push(id);
            let expected = builder.expected(id);
            let value = self.member(name, default, expected.as_ref());
            self.filling.pop();
            map.insert(builder.name(symbol), value);
        }
    }

    fn note_scalar(&mut self, node: Node<'a>, expected: Option<&Expected<'a>>) {
        let Some(Expected { schema, kind: Some(kind @ (DataKind::Scalar | DataKind::ScalarUnit)) }) = expected else {
            return;
        };
        let Some(data_type) = schema.data_type else { return };
        let Some(units) = self.builder.units(data_type) else { return };
        let number = match kind {
            DataKind::Scalar => canonical(node.text(), &units),
            _ => scalar_unit::canonical(&self.builder.context, data_type, node.text()).map(|number| plain(&number)),
        };
        if let Some(number) = number {
            self.scalars.push(Scalar { at: self.pointer.clone(), number, unit: units.canonical.clone() });
        }
    }
}

/// Converts a number with a unit to the canonical unit.
fn canonical(text: &str, units: &Units) -> Option<String> {
    let (number, unit) = text.trim().split_once(char::is_whitespace)?;
    let multiplier = units.multipliers.get(unit.trim())?;
    // Nearly all numbers are integers, which are multiplied much faster.
    let whole = number.parse::<i64>().ok().zip(multiplier.parse().ok());
    if let Some(product) = whole.and_then(|(number, multiplier): (i64, i64)| number.checked_mul(multiplier)) {
        return Some(product.to_string());
    }
    Some(plain(&(parse_number(number)? * parse_number(multiplier)?)))
}
