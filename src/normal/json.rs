//! Compact JSON of models that serializes shared parts once.
//!
//! Nodes share the members of their types: nearly all capabilities and interfaces, and the relationships of their
//! requirements. Each is serialized once, and its text is copied afterward: 50 000 nodes (shape `wide`) took 0.82 s of
//! CPU time instead of 1.09 s in TOSCA 1.3 (304 MB of JSON), and 0.72 s instead of 0.82 s in 2.0 (2026-11-27).

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::overlay_map::OverlayMap;
use super::{Artifact, Capability, Interface, Node, Property, Relationship, Requirement, Schema, TypeName};

/// The maximum size of all kept fragments, in bytes. Parts that don't fit are serialized each time.
const MAX_SIZE: usize = 16 << 20;

/// The JSON of shared parts, by address.
#[derive(Default)]
pub(super) struct Fragments {
    known: RefCell<FxHashMap<*const (), Known>>,
    size: Cell<usize>,
}

struct Known {
    text: Rc<RawValue>,
    /// The part, which is kept so that its address is not used again.
    _part: Box<dyn Any>,
}

impl Fragments {
    /// Returns the text of a part, if it is shared.
    fn of<T: ?Sized + Serialize + 'static>(&self, part: &Arc<T>) -> Option<Rc<RawValue>> {
        if Arc::strong_count(part) == 1 {
            return None;
        }
        let address = Arc::as_ptr(part).cast();
        if let Some(known) = self.known.borrow().get(&address) {
            return Some(known.text.clone());
        }
        if self.size.get() > MAX_SIZE {
            return None;
        }
        let text: Rc<RawValue> = serde_json::value::to_raw_value(part).ok()?.into();
        self.size.set(self.size.get() + text.get().len());
        let known = Known { text: text.clone(), _part: Box::new(part.clone()) };
        self.known.borrow_mut().insert(address, known);
        Some(text)
    }
}

/// A part of a model that may share parts with others.
pub(super) trait SharesParts: Serialize {
    /// Serializes it like its derived implementation, but with the fragments of shared parts. Only for JSON.
    fn serialize_with<S: Serializer>(&self, serializer: S, _: &Fragments) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
}

impl SharesParts for Artifact {}
impl SharesParts for Interface {}
impl SharesParts for Relationship {}
impl SharesParts for Schema {}
impl SharesParts for [TypeName] {}

impl<T: ?Sized + SharesParts + 'static> SharesParts for Arc<T> {
    fn serialize_with<S: Serializer>(&self, serializer: S, fragments: &Fragments) -> Result<S::Ok, S::Error> {
        match fragments.of(self) {
            Some(text) => text.serialize(serializer),
            None => (**self).serialize_with(serializer, fragments),
        }
    }
}

impl<T: SharesParts + 'static> SharesParts for OverlayMap<T> {
    fn serialize_with<S: Serializer>(&self, serializer: S, fragments: &Fragments) -> Result<S::Ok, S::Error> {
        match self.unchanged_base().and_then(|base| fragments.of(base)) {
            Some(text) => text.serialize(serializer),
            None => serializer.collect_map(self.iter().map(|(name, part)| (name, With(part, fragments)))),
        }
    }
}

impl SharesParts for Vec<Requirement> {
    fn serialize_with<S: Serializer>(&self, serializer: S, fragments: &Fragments) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(|requirement| With(requirement, fragments)))
    }
}

/// A part that is serialized with the fragments of shared parts.
pub(super) struct With<'p, T: ?Sized>(pub(super) &'p T, pub(super) &'p Fragments);

impl<T: ?Sized + SharesParts> Serialize for With<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_with(serializer, self.1)
    }
}

/// Serializes a struct like the derived implementation. Fields with a condition are only serialized if it is true.
macro_rules! serialize_struct {
    ($serializer:ident, $name:literal, $($field:ident: $value:expr $(, if $condition:expr)?;)*) => {{
        let mut made = $serializer.serialize_struct($name, [$(stringify!($field)),*].len())?;
        $(if true $(&& $condition)? {
            made.serialize_field(stringify!($field), $value)?;
        })*
        made.end()
    }};
}

impl SharesParts for Node {
    fn serialize_with<S: Serializer>(&self, serializer: S, fragments: &Fragments) -> Result<S::Ok, S::Error> {
        let Self {
            types,
            description,
            metadata,
            directives,
            count,
            node_filter,
            properties,
            attributes,
            capabilities,
            interfaces,
            artifacts,
            requirements,
            source,
        } = self;
        serialize_struct!(serializer, "Node",
            types: &With(types, fragments);
            description: description, if description.is_some();
            metadata: metadata, if !metadata.is_empty();
            directives: directives, if !directives.is_empty();
            count: count, if count.is_some();
            node_filter: node_filter, if node_filter.is_some();
            properties: &With(properties, fragments), if !properties.is_empty();
            attributes: &With(attributes, fragments), if !attributes.is_empty();
            capabilities: &With(capabilities, fragments), if !capabilities.is_empty();
            interfaces: &With(interfaces, fragments), if !interfaces.is_empty();
            artifacts: &With(artifacts, fragments), if !artifacts.is_empty();
            requirements: &With(requirements, fragments), if !requirements.is_empty();
            source: source, if source.is_some();
        )
    }
}

impl SharesParts for Requirement {
    fn serialize_with<S: Serializer>(&self, serializer: S, fragments: &Fragments) -> Result<S::Ok, S::Error> {
        let Self {
            name,
            description,
            metadata,
            implicit,
            target,
            resolved,
            dangling,
            node_filter,
            relationship,
            count,
            occurrences,
            optional,
            directives,
            allocation,
            source,
        } = self;
        serialize_struct!(serializer, "Requirement",
            name: name;
            description: description, if description.is_some();
            metadata: metadata, if !metadata.is_empty();
            implicit: implicit, if *implicit;
            target: target, if target.is_some();
            resolved: resolved, if *resolved;
            dangling: dangling, if dangling.is_some();
            node_filter: node_filter, if !node_filter.is_empty();
            relationship: &With(relationship, fragments);
            count: count, if count.is_some();
            occurrences: occurrences, if occurrences.is_some();
            optional: optional, if *optional;
            directives: directives, if !directives.is_empty();
            allocation: allocation, if !allocation.is_empty();
            source: source, if source.is_some();
        )
    }
}

impl SharesParts for Capability {
    fn serialize_with<S: Serializer>(&self, serializer: S, fragments: &Fragments) -> Result<S::Ok, S::Error> {
        let Self {
            types,
            description,
            metadata,
            properties,
            attributes,
            directives,
            occurrences,
            valid_source_node_types,
            valid_relationship_types,
            source,
        } = self;
        serialize_struct!(serializer, "Capability",
            types: &With(types, fragments);
            description: description, if description.is_some();
            metadata: metadata, if !metadata.is_empty();
            properties: &With(properties, fragments), if !properties.is_empty();
            attributes: &With(attributes, fragments), if !attributes.is_empty();
            directives: directives, if !directives.is_empty();
            occurrences: occurrences, if occurrences.is_some();
            valid_source_node_types: valid_source_node_types, if !valid_source_node_types.is_empty();
            valid_relationship_types: valid_relationship_types, if !valid_relationship_types.is_empty();
            source: source, if source.is_some();
        )
    }
}

impl SharesParts for Property {
    fn serialize_with<S: Serializer>(&self, serializer: S, fragments: &Fragments) -> Result<S::Ok, S::Error> {
        let Self { value, expression, state, schema, scalars, references, mapping, source } = self;
        serialize_struct!(serializer, "Property",
            value: value, if value.is_some();
            expression: expression, if expression.is_some();
            state: state;
            schema: &With(schema, fragments);
            scalars: scalars, if !scalars.is_empty();
            references: references, if !references.is_empty();
            mapping: mapping, if !mapping.is_empty();
            source: source, if source.is_some();
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::{Name, Value};

    #[test]
    fn only_shared_parts_are_kept() {
        let relationship: Arc<Relationship> = Arc::default();
        let requirement = |name: &str| Requirement {
            name: name.into(),
            relationship: relationship.clone(),
            ..Requirement::default()
        };
        let property = |value: bool| Arc::new(Property { value: Some(Value::Boolean(value)), ..Property::default() });
        let properties: OverlayMap<Property> =
            [(Name::from("a"), property(true)), ("b".into(), property(false))].into_iter().collect();
        let mut other = properties.clone();
        other.insert("a".into(), property(false));
        let nodes = [properties, other].map(|properties| Node {
            types: [TypeName { name: "T".into(), origin: None, version: None }].into(),
            properties,
            requirements: vec![requirement("x"), requirement("y")],
            ..Node::default()
        });
        let fragments = Fragments::default();
        for node in &nodes {
            let json = serde_json::to_string(&With(node, &fragments)).unwrap_or_default();
            assert_eq!(Ok(json), serde_json::to_string(node).map_err(|error| error.to_string()));
        }
        let mut known: Vec<String> = fragments.known.borrow().values().map(|known| known.text.to_string()).collect();
        known.sort_unstable();
        let [a, b] = [true, false].map(|value| format!(r#"{{"value":{value},"state":"unset","schema":{{}}}}"#));
        // The schemas of the three properties, the base of both nodes, its second property, and the relationship.
        assert_eq!(known.last(), Some(&r#"{"types":[]}"#.to_owned()));
        assert!(known.contains(&format!(r#"{{"a":{a},"b":{b}}}"#)), "{known:?}");
        assert!(!known.iter().any(|text| text.contains(r#""T""#)), "{known:?}");
    }

    #[test]
    fn kept_fragments_are_bounded() {
        let fragments = Fragments::default();
        let text: Name = "x".repeat(MAX_SIZE).into();
        let types = |name: &Name| -> [Arc<[TypeName]>; 2] {
            let types: Arc<[TypeName]> = [TypeName { name: name.clone(), origin: None, version: None }].into();
            [types.clone(), types]
        };
        let (large, small) = (types(&text), types(&"y".into()));
        assert!(fragments.of(&large[0]).is_some() && fragments.of(&small[0]).is_none());
        assert!(fragments.of(&large[1]).is_some(), "a known text is still used");
    }
}
