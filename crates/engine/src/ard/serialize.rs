//! Nodes as values of any format that serde knows.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::document::Kind;
use super::node::Node;

/// Writes the value of the node: typed by its [`Kind`], aliases and merges resolved, keys as text (see
/// [`Node::label`]), the first of several entries with the same key.
///
/// Integers that no format can be relied on to hold are written as text: those of more than 128 bits. Formats with
/// smaller integers refuse what does not fit; floats that are not finite are null in JSON.
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

/// In the smallest type that holds the value, as many formats know no 128 bits.
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
