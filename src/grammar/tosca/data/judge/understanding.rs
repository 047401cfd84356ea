//! Making data of values, to compute with.

use super::super::call::{Call, Shape, unescape};
use super::super::{DataKind, Datum, Place, Schema, Typed, evaluate, scalar, scalar_unit};
use super::{Judge, MOST_FILLED};
use crate::ard::{Kind, Node, Style};
use crate::entity::{Id, LanguageVersion};
use crate::grammar::tosca::types::DataType;
use crate::grammar::tosca::version::V2_0;
use crate::phase::Explain;
use crate::rules;
use crate::value::{Timestamp, Version};

impl<'a> Judge<'_, 'a> {
    /// A value as one of its type; parts that are calls, or not what they should be, are unknown.
    pub(in super::super) fn understand(&mut self, node: Node<'a>, schema: &Schema<'a>) -> Datum {
        self.silently(|judge| {
            if judge.filling.is_empty() {
                judge.to_fill = MOST_FILLED;
            }
            judge.understand_silently(node, schema)
        })
    }

    /// Whether something is a boolean. How YAML 1.1 spelt them is put up with where templates are as old.
    pub(super) fn check_boolean(&mut self, node: Node<'a>) -> bool {
        if let Some(value) = boolean_1_1(node, self.version(node)) {
            let message = format!("`{}` is a boolean in YAML 1.1 only", node.text());
            self.problem(&rules::BOOLEAN_SPELLING, node, message).help(format!("write `{value}`"));
            return true;
        }
        node.kind() == Kind::Boolean && self.is_spelt_right(node)
    }

    fn understand_silently(&mut self, node: Node<'a>, schema: &Schema<'a>) -> Datum {
        let version = self.version(node);
        if !matches!(self.shape(node), Shape::Literal) {
            return evaluate::evaluate(self, node, &evaluate::Environment { value: None }, Some(schema));
        }
        let known = |datum: Option<Datum>| datum.unwrap_or(Datum::Unknown);
        let Some(data_type) = schema.data_type else { return plain(node, version) };
        match DataKind::of(self.context, data_type) {
            DataKind::String => {
                let is_string = node.kind() == Kind::String || self.is_written_as_string(node);
                known(is_string.then(|| Datum::String(unescape(node.text(), version).to_owned())))
            }
            DataKind::Integer => {
                known(node.as_integer().and_then(|integer| i64::try_from(integer).ok()).map(Datum::Integer))
            }
            DataKind::Float => known(node.as_float().map(Datum::Float)),
            DataKind::Boolean => known(node.as_bool().or_else(|| boolean_1_1(node, version)).map(Datum::Boolean)),
            DataKind::Bytes => known(decode_base64(node.text()).map(Datum::Bytes)),
            DataKind::Nil => known((node.kind() == Kind::Null).then_some(Datum::Nil)),
            DataKind::Timestamp => known(timestamp(node.text(), version).map(Datum::Timestamp)),
            DataKind::Version => known(Version::parse(node.text()).map(Datum::Version)),
            DataKind::Scalar => scalar::read(self, node, data_type),
            DataKind::ScalarUnit => scalar_unit::read(self, node, data_type),
            DataKind::Range => self.read_range(node, data_type, schema),
            DataKind::List => {
                let entries = schema.entries(self.context).unwrap_or(Schema::of_type(None));
                known(
                    (node.kind() == Kind::List).then(|| {
                        Datum::List(node.items().map(|item| self.understand_silently(item, &entries)).collect())
                    }),
                )
            }
            DataKind::Map => {
                let entries = schema.entries(self.context).unwrap_or(Schema::of_type(None));
                self.understand_entries(node, |_, _| entries)
            }
            DataKind::Complex => {
                let schema = *schema;
                let given = self.understand_entries(node, move |judge, name| {
                    schema.member(judge.context, name).unwrap_or(Schema::of_type(None))
                });
                match given {
                    Datum::Map(entries) => self.filled(entries, data_type),
                    given => given,
                }
            }
        }
    }

    /// A value of a complex type, with what it gets from defaults since it is not given.
    fn filled(&mut self, mut entries: Vec<(String, Datum)>, data_type: Id<DataType>) -> Datum {
        let Some(definition) = self.context.get(data_type) else { return Datum::Map(entries) };
        for (name, id) in definition.properties.iter() {
            let name = self.context.text(name);
            let Some(property) = self.context.get(id) else { continue };
            let default = property.given_value().and_then(|default| self.context.node(default.0));
            let Some(default) = default.filter(|_| !entries.iter().any(|(given, _)| given == name)) else { continue };
            let is_endless = self.filling.contains(&id) || self.to_fill == 0;
            let datum = if is_endless {
                Datum::Unknown
            } else {
                self.to_fill -= 1;
                self.filling.push(id);
                let place = std::mem::replace(&mut self.place, Place::of(id.any()));
                let schema = property.schema(self.context, id);
                let datum = self.understand_silently(default, &schema);
                self.place = place;
                self.filling.pop();
                datum
            };
            entries.push((name.to_owned(), datum));
        }
        Datum::Map(entries)
    }

    fn understand_entries(&mut self, node: Node<'a>, schema: impl Fn(&Self, &str) -> Schema<'a>) -> Datum {
        if node.kind() != Kind::Map {
            return Datum::Unknown;
        }
        let version = self.version(node);
        let entries = node.entries().map(|entry| {
            let schema = schema(self, entry.key.text());
            Some((key(entry.key, version)?, self.understand_silently(entry.value, &schema)))
        });
        entries.collect::<Option<_>>().map_or(Datum::Unknown, Datum::Map)
    }
}

/// Reads a timestamp: before 2.0 in the forms of YAML 1.1 too.
pub(super) fn timestamp(text: &str, version: LanguageVersion) -> Option<Timestamp> {
    if version < V2_0 { Timestamp::parse_yaml(text) } else { Timestamp::parse(text) }
}

/// A literal of which no type is known.
pub(in super::super) fn plain(node: Node<'_>, version: LanguageVersion) -> Datum {
    match node.kind() {
        Kind::Null => Datum::Nil,
        Kind::Boolean => node.as_bool().map_or(Datum::Unknown, Datum::Boolean),
        Kind::Integer => {
            node.as_integer().and_then(|integer| i64::try_from(integer).ok()).map_or(Datum::Unknown, Datum::Integer)
        }
        Kind::Float => node.as_float().map_or(Datum::Unknown, Datum::Float),
        Kind::String => Datum::String(unescape(node.text(), version).to_owned()),
        Kind::List => Datum::List(
            node.items()
                .map(|item| match Call::shape(item, version) {
                    Shape::Literal => plain(item, version),
                    _ => Datum::Unknown,
                })
                .collect(),
        ),
        Kind::Map => {
            let entries = node.entries().map(|entry| {
                let value = match Call::shape(entry.value, version) {
                    Shape::Literal => plain(entry.value, version),
                    _ => Datum::Unknown,
                };
                Some((key(entry.key, version)?, value))
            });
            entries.collect::<Option<_>>().map_or(Datum::Unknown, Datum::Map)
        }
    }
}

/// The key of an entry of a map; nothing if it is computed, so that it is not known which entries there are.
fn key(node: Node<'_>, version: LanguageVersion) -> Option<String> {
    (!matches!(node.kind(), Kind::Map | Kind::List)).then(|| unescape(node.text(), version).to_owned())
}

/// The bytes that a text stands for in Base64 (RFC 2045: line breaks do not count).
pub(super) fn decode_base64(text: &str) -> Option<Vec<u8>> {
    use base64::Engine;
    let text: String = text.chars().filter(|letter| !matches!(letter, '\r' | '\n' | ' ' | '\t')).collect();
    base64::engine::general_purpose::STANDARD.decode(text).ok()
}

/// A boolean in the spelling of YAML 1.1, without quotes, which was the YAML of versions before 2.0.
fn boolean_1_1(node: Node<'_>, version: LanguageVersion) -> Option<bool> {
    if version >= V2_0 || node.kind() != Kind::String || node.style() != Style::Plain {
        return None;
    }
    match node.text().to_ascii_lowercase().as_str() {
        "yes" | "on" => Some(true),
        "no" | "off" => Some(false),
        _ => None,
    }
}
