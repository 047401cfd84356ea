//! Serialization of nodes with serde.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::document::Kind;
use super::node::Node;

/// Serializes the value of the node with the type for its [`Kind`]. Aliases and merges are resolved, keys are
/// serialized as text (see [`Node::label`]), and if several entries have the same key, only the first one is
/// serialized.
///
/// Integers of more than 128 bits are serialized as strings, because hardly any format supports them. Formats with a
/// smaller integer type reject values that don't fit. Infinite floats and NaN become null in JSON.
impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.kind() {
            Kind::Null => serializer.serialize_unit(),
            Kind::Boolean => serializer.serialize_bool(self.as_bool().unwrap_or_default()),
            Kind::Integer => serialize_integer(*self, serializer),
            Kind::Float => serializer.serialize_f64(self.as_float().unwrap_or(f64::NAN)),
            Kind::String => serializer.serialize_str(self.text()),
            Kind::List => serializer.collect_seq(self.items()),
            Kind::Map => {
                let entries = self.entries().filter(|entry| !entry.duplicate);
                let mut map = serializer.serialize_map(Some(entries.clone().count()))?;
                for entry in entries {
                    map.serialize_entry(&*entry.key.label(), &entry.value)?;
                }
                map.end()
            }
        }
    }
}

/// Serializes an integer with the smallest type that fits its value, because many formats have no 128-bit integers.
fn serialize_integer<S: Serializer>(node: Node<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    let Some(value) = node.as_integer() else {
        return serializer.serialize_str(node.text());
    };
    if let Ok(value) = i64::try_from(value) {
        serializer.serialize_i64(value)
    } else if let Ok(value) = u64::try_from(value) {
        serializer.serialize_u64(value)
    } else {
        serializer.serialize_i128(value)
    }
}
