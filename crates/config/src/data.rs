//! External data in YAML or JSON. It is read by the YAML reader for templates, with the same limits and with positions.

use std::fmt;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, IntoDeserializer, Visitor};

use crate::{Error, Position};
use tosca_parse::ard::{self, Document, Kind, Node};
use tosca_parse::diagnostic::{Severity, SourceId};
use tosca_parse::source::Source;
use tosca_parse::symbol::Interner;

/// An error in data, with its position.
#[derive(Debug)]
pub struct Fault {
    message: String,
    at: Option<u32>,
    /// The keys and indices that lead to the error, innermost first.
    way: Vec<String>,
}

impl Fault {
    /// Returns the message without the position.
    pub fn message(&self) -> String {
        let way: String = self.way.iter().rev().map(String::as_str).collect();
        match way.trim_start_matches('.') {
            "" => self.message.clone(),
            way => format!("{way}: {}", self.message),
        }
    }

    /// Replaces the message.
    pub fn with_message(mut self, message: impl FnOnce(String) -> String) -> Self {
        self.message = message(self.message);
        self
    }

    fn at(mut self, node: Node<'_>) -> Self {
        self.at.get_or_insert(node.span().start);
        self
    }

    fn within(mut self, step: String) -> Self {
        self.way.push(step);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), at: None, way: Vec::new() }
    }
}

/// Parsed YAML or JSON data.
pub struct Data {
    source: Source,
    document: Document,
}

impl Data {
    /// The maximum number of nodes that aliases add to data.
    pub const ALIASES: u64 = 200_000;
    /// The maximum number of nodes that aliases add to a configuration.
    pub const ALIASES_OF_CONFIGURATION: u64 = 10_000;

    /// Parses the given text.
    ///
    /// # Errors
    ///
    /// Returns the first problem, with its position after the name, if the data is not valid YAML or exceeds a limit.
    pub fn read(name: &str, text: &str, aliases: u64) -> Result<Self, Error> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let source = Source::new(SourceId(0), name, text);
        let limits = ard::Limits { expansion: aliases, ..ard::Limits::default() };
        let options = ard::Options { limits, dialect: ard::Dialect::CORE, ..ard::Options::default() };
        let (document, problems) = ard::read(source.id(), source.text().clone(), &Interner::new(), &options);
        let data = Self { source, document };
        match problems.iter().find(|problem| problem.severity == Severity::Error) {
            Some(problem) => {
                let position = Some(data.position(problem.span.start));
                Err(Error::Invalid { file: name.to_owned(), position, message: problem.message.clone() })
            }
            None => Ok(data),
        }
    }

    /// Deserializes the data; returns `None` if it is empty.
    ///
    /// # Errors
    ///
    /// Returns an error if the data doesn't match the type.
    pub fn get<'d, T: Deserialize<'d>>(&'d self) -> Result<Option<T>, Fault> {
        match self.document.root() {
            Some(root) => Option::<T>::deserialize(Value(root)),
            None => Ok(None),
        }
    }

    /// Returns the text and the parsed data.
    pub fn into_parts(self) -> (Source, Document) {
        (self.source, self.document)
    }

    /// Returns the root node; `None` for an empty text.
    pub fn root(&self) -> Option<Node<'_>> {
        self.document.root()
    }

    /// Returns an error with the name and the position.
    pub fn complaint(&self, name: &str, fault: &Fault) -> Error {
        let position = fault.at.map(|at| self.position(at));
        Error::Invalid { file: name.to_owned(), position, message: fault.message() }
    }

    /// Returns the position of entry `key` in a map with the key `map`.
    pub fn position_of(&self, map: &str, key: &str) -> Option<Position> {
        let mut maps = self.document.nodes().filter_map(|node| node.find(map));
        let entry = maps.find_map(|entry| entry.value.find(key))?;
        Some(self.position(entry.key.span().start))
    }

    fn position(&self, at: u32) -> Position {
        let place = self.source.line_column(at);
        Position { line: place.line, column: place.column, offset: at }
    }
}

/// Returns a node as JSON.
///
/// # Errors
///
/// Returns an error if the node has a key that is not a scalar.
pub fn json(node: Node<'_>) -> Result<serde_json::Value, Fault> {
    Deserialize::deserialize(Value(node))
}

/// A deserializer for a node.
struct Value<'d>(Node<'d>);

impl<'d> Value<'d> {
    fn text(&self) -> Option<&'d str> {
        let is_text = matches!(self.0.kind(), Kind::String | Kind::Integer | Kind::Float | Kind::Boolean);
        is_text.then(|| self.0.text())
    }

    fn visit<V: Visitor<'d>>(&self, visitor: V) -> Result<V::Value, Fault> {
        let node = self.0;
        match node.kind() {
            Kind::Null => visitor.visit_unit(),
            Kind::Boolean => visitor.visit_bool(node.as_bool().unwrap_or_default()),
            Kind::Integer => match node.as_integer().map(|number| (i64::try_from(number), u64::try_from(number))) {
                Some((Ok(number), _)) if number < 0 => visitor.visit_i64(number),
                Some((_, Ok(number))) => visitor.visit_u64(number),
                _ => visitor.visit_f64(node.text().parse().unwrap_or(f64::NAN)),
            },
            Kind::Float => visitor.visit_f64(node.as_float().unwrap_or(f64::NAN)),
            Kind::String => visitor.visit_borrowed_str(node.text()),
            Kind::List => visitor.visit_seq(Items { items: node.items(), number: 0 }),
            Kind::Map => {
                let mut last = None;
                let entries = Entries { iter: node.entries(), value: None, last: &mut last };
                let visited = visitor.visit_map(entries);
                // If serde finds an error only after an entry has been read, such as a duplicate field, the error has
                // no position yet.
                visited.map_err(|fault| fault.at(last.unwrap_or(node)))
            }
        }
    }
}

impl<'d> Deserializer<'d> for Value<'d> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.visit(visitor).map_err(|fault| fault.at(self.0))
    }

    fn deserialize_str<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.text() {
            Some(text) => visitor.visit_borrowed_str(text).map_err(|fault: Fault| fault.at(self.0)),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.0.kind() == Kind::Null { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'d>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    /// Rejects lists, which serde would accept for a struct.
    fn deserialize_struct<V: Visitor<'d>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0.kind() {
            Kind::List => Err(<Fault as de::Error>::custom("expected a map, found a list").at(self.0)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'d>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let text = self.text().unwrap_or_default();
        visitor.visit_enum(text.into_deserializer()).map_err(|fault: Fault| fault.at(self.0))
    }

    serde::forward_to_deserialize_any! {
        <V: Visitor<'d>> bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple tuple_struct
        map ignored_any
    }
}

struct Items<'d> {
    items: ard::Items<'d>,
    number: usize,
}

impl<'d> de::SeqAccess<'d> for Items<'d> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'d>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let number = self.number;
        self.number += 1;
        seed.deserialize(Value(item)).map(Some).map_err(|fault| fault.within(format!("[{number}]")))
    }
}

struct Entries<'d, 'l> {
    iter: ard::Entries<'d>,
    value: Option<(Node<'d>, Node<'d>)>,
    last: &'l mut Option<Node<'d>>,
}

impl<'d> de::MapAccess<'d> for Entries<'d, '_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'d>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some(entry) = self.iter.find(|entry| !entry.duplicate) else { return Ok(None) };
        self.value = Some((entry.key, entry.value));
        *self.last = Some(entry.key);
        seed.deserialize(Value(entry.key)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'d>>(&mut self, seed: T) -> Result<T::Value, Fault> {
        let Some((key, value)) = self.value.take() else { return Err(de::Error::custom("there is no value")) };
        seed.deserialize(Value(value)).map_err(|fault| fault.within(format!(".{}", key.label())))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn json(text: &str) -> Result<serde_json::Value, String> {
        let data = Data::read("d", text, Data::ALIASES)?;
        let value = data.get().map_err(|fault| data.complaint("d", &fault))?;
        Ok(value.unwrap_or_default())
    }

    #[test]
    fn yaml_becomes_json() {
        assert_eq!(json("").unwrap(), serde_json::Value::Null);
        assert_eq!(
            json("[1, -2, 1.5, x, null, true, {a: 0x10}]").unwrap(),
            serde_json::json!([
                1, -2, 1.5, "x", null, true, { "a": 16 }
            ])
        );
        assert_eq!(json("a: &x [1]\nb: *x\n").unwrap(), serde_json::json!({ "a": [1], "b": [1] }));
        assert_eq!(json("a: 1\na: 2\n").unwrap_err().split(": ").next(), Some("d:2:1"));
        assert!(json("a: [").unwrap_err().starts_with("d:1:"));
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let data = Data::read("d", "a:\n- b: 1\n- b: x\n", 0).unwrap();
        let fault = data.get::<std::collections::BTreeMap<String, Vec<std::collections::BTreeMap<String, u8>>>>();
        let complaint = data.complaint("d", &fault.unwrap_err()).to_string();
        assert_eq!(complaint, "d:3:6: a[1].b: invalid type: string \"x\", expected u8");
    }

    #[test]
    fn aliases_are_bounded() {
        let text = format!("a: &a [{}]\nb: [{}]\n", "x,".repeat(1000), "*a,".repeat(1000));
        assert!(json(&text).unwrap_err().contains("d:"));
        assert!(json(&text.replace(&"*a,".repeat(1000), "*a")).is_ok());
    }
}
