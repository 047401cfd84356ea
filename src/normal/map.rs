//! Names, and ordered maps of the model.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use indexmap::IndexMap;
use indexmap::map::{IntoIter, Iter, IterMut, Keys, Values, ValuesMut};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A string in the model. Strings are shared, because the same names occur repeatedly.
pub type Name = Arc<str>;

/// A map by name, in the order of the source.
///
/// Two maps are equal if they have equal values under the same names, in any order. An empty map takes one pointer,
/// because most maps of a model are empty.
#[derive(Clone)]
pub struct Map<T>(Option<Box<IndexMap<Name, T>>>);

impl<T> Map<T> {
    /// Returns an empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns an empty map with capacity for the given number of entries.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self((capacity > 0).then(|| Box::new(IndexMap::with_capacity(capacity))))
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |map| map.len())
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value with the given name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.as_ref()?.get(name)
    }

    /// Returns the value with the given name, for modification.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.0.as_mut()?.get_mut(name)
    }

    /// Returns the entry at the given index.
    pub fn get_index(&self, index: usize) -> Option<(&Name, &T)> {
        self.0.as_ref()?.get_index(index)
    }

    /// Returns the index of the given name.
    pub fn get_index_of(&self, name: &str) -> Option<usize> {
        self.0.as_ref()?.get_index_of(name)
    }

    /// Returns whether there is a value with the given name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Sets the value of the given name and returns the previous value. A known name keeps its position.
    pub fn insert(&mut self, name: Name, value: T) -> Option<T> {
        self.map().insert(name, value)
    }

    /// Returns the value with the given name, for modification. Adds a default value if there is none.
    pub(super) fn get_or_default(&mut self, name: Name) -> &mut T
    where
        T: Default,
    {
        self.map().entry(name).or_default()
    }

    fn of(map: IndexMap<Name, T>) -> Self {
        Self((!map.is_empty()).then(|| Box::new(map)))
    }

    fn map(&mut self) -> &mut IndexMap<Name, T> {
        self.0.get_or_insert_default()
    }

    /// Returns the names.
    pub fn keys(&self) -> Keys<'_, Name, T> {
        self.0.as_ref().map(|map| map.keys()).unwrap_or_default()
    }

    /// Returns the values.
    pub fn values(&self) -> Values<'_, Name, T> {
        self.0.as_ref().map(|map| map.values()).unwrap_or_default()
    }

    /// Returns the values, for modification.
    pub fn values_mut(&mut self) -> ValuesMut<'_, Name, T> {
        self.0.as_mut().map(|map| map.values_mut()).unwrap_or_default()
    }

    /// Returns the names with their values.
    pub fn iter(&self) -> Iter<'_, Name, T> {
        self.0.as_ref().map(|map| map.iter()).unwrap_or_default()
    }

    /// Returns the names with their values, for modification.
    pub fn iter_mut(&mut self) -> IterMut<'_, Name, T> {
        self.0.as_mut().map(|map| map.iter_mut()).unwrap_or_default()
    }
}

impl<T: fmt::Debug> fmt::Debug for Map<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<T: PartialEq> PartialEq for Map<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(name, value)| other.get(name) == Some(value))
    }
}

impl<T: Eq> Eq for Map<T> {}

impl<T: Serialize> Serialize for Map<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Map<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IndexMap::deserialize(deserializer).map(Self::of)
    }
}

impl<T> Default for Map<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> FromIterator<(Name, T)> for Map<T> {
    fn from_iter<I: IntoIterator<Item = (Name, T)>>(entries: I) -> Self {
        Self::of(IndexMap::from_iter(entries))
    }
}

impl<T> Extend<(Name, T)> for Map<T> {
    fn extend<I: IntoIterator<Item = (Name, T)>>(&mut self, entries: I) {
        let mut entries = entries.into_iter().peekable();
        if entries.peek().is_some() {
            self.map().extend(entries);
        }
    }
}

impl<T> IntoIterator for Map<T> {
    type Item = (Name, T);
    type IntoIter = IntoIter<Name, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.map(|map| map.into_iter()).unwrap_or_default()
    }
}

impl<'a, T> IntoIterator for &'a Map<T> {
    type Item = (&'a Name, &'a T);
    type IntoIter = Iter<'a, Name, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.as_ref().map(|map| map.iter()).unwrap_or_default()
    }
}

impl<T> Index<&str> for Map<T> {
    type Output = T;

    fn index(&self, name: &str) -> &T {
        let Some(value) = self.get(name) else { panic!("there is no value with the name `{name}`") };
        value
    }
}

impl<T> Index<usize> for Map<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        let Some((_, value)) = self.get_index(index) else { panic!("there is no value at {index}") };
        value
    }
}

impl<T> IndexMut<usize> for Map<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.map()[index]
    }
}

impl<'a, T> IntoIterator for &'a mut Map<T> {
    type Item = (&'a Name, &'a mut T);
    type IntoIter = IterMut<'a, Name, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.as_mut().map(|map| map.iter_mut()).unwrap_or_default()
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Map<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        IndexMap::<Name, T>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        IndexMap::<Name, T>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_maps_take_one_pointer_and_are_equal() {
        assert_eq!(size_of::<Map<String>>(), size_of::<usize>());
        let mut map: Map<u8> = Map::new();
        assert_eq!((map.keys().len(), map.values_mut().len(), map.clone().into_iter().len()), (0, 0, 0));
        assert_eq!(map, Map::with_capacity(3));
        map.extend([]);
        assert_eq!((map.insert("a".into(), 1), map.insert("a".into(), 2)), (None, Some(1)));
        assert_ne!(map, Map::new());
        let mut other: Map<u8> = [("b".into(), 3), ("a".into(), 2)].into_iter().collect();
        map.extend([("b".into(), 3)]);
        assert_eq!(map, other);
        *other.get_or_default("a".into()) += 1;
        assert_ne!(map, other);
        assert_eq!(serde_json::to_string(&other).ok().as_deref(), Some(r#"{"b":3,"a":3}"#));
    }
}
