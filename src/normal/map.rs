//! Names, and ordered maps of the model.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

use indexmap::IndexMap;
use indexmap::map::{IntoIter, Iter, IterMut, Keys, Values, ValuesMut};
use serde::{Deserialize, Serialize};

/// A string in the model. Strings are shared, because the same names occur repeatedly.
pub type Name = Arc<str>;

/// A map by name, in the order of the source. Order matters for comparisons.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Map<T>(IndexMap<Name, T>);

impl<T> Map<T> {
    /// Returns an empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns an empty map with capacity for the given number of entries.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self(IndexMap::with_capacity(capacity))
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value with the given name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.get(name)
    }

    /// Returns the value with the given name, for modification.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.0.get_mut(name)
    }

    /// Returns the entry at the given index.
    pub fn get_index(&self, index: usize) -> Option<(&Name, &T)> {
        self.0.get_index(index)
    }

    /// Returns the index of the given name.
    pub fn get_index_of(&self, name: &str) -> Option<usize> {
        self.0.get_index_of(name)
    }

    /// Returns whether there is a value with the given name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Sets the value of the given name and returns the previous value. A known name keeps its position.
    pub fn insert(&mut self, name: Name, value: T) -> Option<T> {
        self.0.insert(name, value)
    }

    /// Returns the value with the given name, for modification. Adds a default value if there is none.
    pub(super) fn get_or_default(&mut self, name: Name) -> &mut T
    where
        T: Default,
    {
        self.0.entry(name).or_default()
    }

    /// Returns the names.
    pub fn keys(&self) -> Keys<'_, Name, T> {
        self.0.keys()
    }

    /// Returns the values.
    pub fn values(&self) -> Values<'_, Name, T> {
        self.0.values()
    }

    /// Returns the values, for modification.
    pub fn values_mut(&mut self) -> ValuesMut<'_, Name, T> {
        self.0.values_mut()
    }

    /// Returns the names with their values.
    pub fn iter(&self) -> Iter<'_, Name, T> {
        self.0.iter()
    }

    /// Returns the names with their values, for modification.
    pub fn iter_mut(&mut self) -> IterMut<'_, Name, T> {
        self.0.iter_mut()
    }
}

impl<T> Default for Map<T> {
    fn default() -> Self {
        Self(IndexMap::new())
    }
}

impl<T> FromIterator<(Name, T)> for Map<T> {
    fn from_iter<I: IntoIterator<Item = (Name, T)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<T> Extend<(Name, T)> for Map<T> {
    fn extend<I: IntoIterator<Item = (Name, T)>>(&mut self, entries: I) {
        self.0.extend(entries);
    }
}

impl<T> IntoIterator for Map<T> {
    type Item = (Name, T);
    type IntoIter = IntoIter<Name, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Map<T> {
    type Item = (&'a Name, &'a T);
    type IntoIter = Iter<'a, Name, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T> Index<&str> for Map<T> {
    type Output = T;

    fn index(&self, name: &str) -> &T {
        &self.0[name]
    }
}

impl<T> Index<usize> for Map<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        &self.0[index]
    }
}

impl<T> IndexMut<usize> for Map<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.0[index]
    }
}

impl<'a, T> IntoIterator for &'a mut Map<T> {
    type Item = (&'a Name, &'a mut T);
    type IntoIter = IterMut<'a, Name, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
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
