//! Value definitions and assigned values.

use std::sync::Arc;

use super::super::{Map, OverlayMap, Property, Schema, State, Value};
use super::builder::{Builder, Expected, is_primitive, kind};
use crate::ard::{Kind, Node};
use crate::data::Typed;
use crate::entity::{Clauses, Id, Members, Text, Value as Located, Values};
use crate::grammar::Metadata;
use crate::grammar::definition::{AttributeDefinition, ParameterDefinition, PropertyDefinition, SchemaDefinition};
use crate::symbol::Symbol;

/// The parts of a value definition besides its schema.
pub(super) trait Defines {
    /// Returns the fixed value, if there is one.
    fn fixed(&self) -> Option<Located> {
        None
    }
    /// Returns the default.
    fn default_value(&self) -> Option<Located>;
    /// Returns whether a value is required.
    fn is_needed(&self) -> bool {
        false
    }
    /// Returns the attribute that stores the value.
    fn mapped_to(&self) -> Option<Located> {
        None
    }
    /// Returns the description and metadata of the definition, if any.
    fn purpose(&self) -> (Option<Text>, Metadata) {
        Default::default()
    }
}

impl Defines for PropertyDefinition {
    fn fixed(&self) -> Option<Located> {
        self.value
    }
    fn default_value(&self) -> Option<Located> {
        self.default
    }
    fn is_needed(&self) -> bool {
        self.is_required()
    }
}

impl Defines for AttributeDefinition {
    fn default_value(&self) -> Option<Located> {
        self.default
    }
}

impl Defines for ParameterDefinition {
    fn fixed(&self) -> Option<Located> {
        self.value
    }
    fn default_value(&self) -> Option<Located> {
        self.default
    }
    fn is_needed(&self) -> bool {
        self.is_required()
    }
    fn mapped_to(&self) -> Option<Located> {
        self.mapping
    }
    fn purpose(&self) -> (Option<Text>, Metadata) {
        (self.description, self.metadata)
    }
}

impl<'a> Builder<'a> {
    /// Returns a definition with its own value, if any.
    pub(super) fn defined<D: Defines + Typed>(&self, id: Id<D>) -> Property {
        let (Some(definition), Some(expected)) = (self.get(id), self.expected(id)) else { return Property::default() };
        let (given, state) = match (definition.fixed(), definition.default_value()) {
            (Some(value), _) => (Some(value), State::Fixed),
            (None, Some(value)) => (Some(value), State::Default),
            (None, None) => (None, State::Unset),
        };
        let mut property = Property { state, source: self.source(id.any()), ..Property::default() };
        property.schema = Arc::new(self.schema(&expected, definition.is_needed(), definition.purpose()));
        if let Some(node) = given.and_then(|value| self.data(Some(value.0))) {
            let (value, scalars) = self.value_of(node, Some(&expected));
            (property.value, property.scalars) = (Some(value), scalars);
        }
        if let Some(mapping) = definition.mapped_to().and_then(|mapping| self.data(Some(mapping.0))) {
            property.mapping = self.path(mapping);
        }
        property
    }

    /// Returns outputs, which are parameters whose definitions contain the values.
    pub(super) fn outputs(&self, members: &Members<ParameterDefinition>) -> OverlayMap<Property> {
        self.named(members, |id| {
            let mut output = self.defined(id);
            if output.state == State::Fixed {
                output.state = State::Assigned;
            }
            Arc::make_mut(&mut output.schema).required = false;
            Arc::new(output)
        })
    }

    /// Returns the schema of a value.
    pub(super) fn schema(
        &self,
        Expected { schema, kind: data_kind }: &Expected<'a>,
        required: bool,
        purpose: (Option<Text>, Metadata),
    ) -> Schema {
        let inline = |id: Option<Id<SchemaDefinition>>| id.map(|id| self.inline_schema(id));
        let mut made = Schema {
            required,
            description: self.text(purpose.0),
            metadata: self.metadata(purpose.1),
            validation: schema.validation.map_or_else(Vec::new, |clauses| self.validation(clauses, *data_kind)),
            key_schema: inline(schema.key_schema),
            entry_schema: inline(schema.entry_schema),
            ..Schema::default()
        };
        if let Some(data_type) = schema.data_type {
            made.type_name = Some(self.name_of(data_type.any()));
            made.type_origin = self.origin(data_type.any());
            made.kind = data_kind.map(kind);
            if !is_primitive(self, data_type.any()) {
                self.data_types.insert(data_type.any());
            }
        }
        made
    }

    /// Returns the schema of keys, entries, arguments or results.
    pub(super) fn inline_schema(&self, id: Id<SchemaDefinition>) -> Arc<Schema> {
        let purpose = self.get(id).map(|schema| (schema.description, schema.metadata)).unwrap_or_default();
        self.expected(id).map(|expected| Arc::new(self.schema(&expected, false, purpose))).unwrap_or_default()
    }

    pub(super) fn clauses(&self, clauses: &Clauses) -> Vec<Value> {
        clauses.iter().filter_map(|clause| self.data(Some(clause.0))).map(|node| self.value(node)).collect()
    }

    /// Returns a list of steps, or a single step.
    pub(super) fn path(&self, node: Node<'a>) -> Vec<Value> {
        match node.kind() {
            Kind::List => node.items().map(|step| self.value(step)).collect(),
            _ => vec![self.value(node)],
        }
    }

    /// Returns an assigned value.
    pub(super) fn assigned(&self, node: Node<'a>, expected: Option<&Expected<'a>>, schema: Arc<Schema>) -> Property {
        let (value, scalars) = self.value_of(node, expected);
        Property {
            value: Some(value),
            expression: None,
            state: State::Assigned,
            schema,
            scalars,
            references: Vec::new(),
            mapping: Vec::new(),
            source: self.source_at(node.span()),
        }
    }

    /// Applies assignments. Values without a definition come last, with an empty schema.
    pub(super) fn assign<D: Typed>(
        &self,
        properties: &mut OverlayMap<Property>,
        values: Values,
        definitions: Option<&Members<D>>,
    ) {
        self.assign_among(properties, values, &|name| self.expected(definitions?.get(name)?));
    }

    /// Applies assignments to members that several lists of definitions declare.
    pub(super) fn assign_among(
        &self,
        properties: &mut OverlayMap<Property>,
        values: Values,
        expected: &dyn Fn(Symbol) -> Option<Expected<'a>>,
    ) {
        let maps = values.positions().rev().filter_map(|map| self.data(Some(map)));
        for entry in maps.flat_map(Node::entries).filter(|entry| !entry.duplicate) {
            let name = entry.key.label();
            let expected = entry.key.symbol().and_then(expected);
            let index = properties.get_index_of(&name);
            let defined =
                index.and_then(|index| properties.get_index(index)).map(|(_, defined)| defined.schema.clone());
            let schema = defined.unwrap_or_else(|| match &expected {
                Some(expected) => Arc::new(self.schema(expected, false, Default::default())),
                None => Arc::default(),
            });
            let property = Arc::new(self.assigned(entry.value, expected.as_ref(), schema));
            match index {
                Some(index) => properties.set(index, property),
                None => _ = properties.insert(name.into(), property),
            }
        }
    }

    /// Returns values without definitions.
    pub(super) fn values(&self, values: Values) -> Map<Value> {
        let Some(node) = self.data(values.position) else { return Map::new() };
        let entries = node.entries().filter(|entry| !entry.duplicate);
        entries.map(|entry| (entry.key.label().into(), self.value(entry.value))).collect()
    }

    /// Applies the assigned mappings of outputs to attributes.
    pub(super) fn map_outputs(&self, outputs: &mut OverlayMap<Property>, mappings: Values) {
        let Some(node) = self.data(mappings.position) else { return };
        for entry in node.entries().filter(|entry| !entry.duplicate) {
            let output = Arc::make_mut(outputs.get_or_default(entry.key.label().into()));
            output.mapping = self.path(entry.value);
            output.source = self.source_at(entry.value.span());
        }
    }
}
