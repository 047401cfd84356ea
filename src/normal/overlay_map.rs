//! A map with a shared base, for members that most entities have in common.
//!
//! A node gets nearly all of its members from its type, and its template replaces only a few. If each node had separate
//! maps, copying them would take most of the time and memory of a model. So a node shares the maps of its type and
//! lists its own members separately.

use std::fmt::{self, Debug, Formatter};
use std::ops::Index;
use std::sync::Arc;

use indexmap::map;
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use thin_vec::ThinVec;

use super::{Map, Name};

/// The maximum number of replaced members. With more, the map is copied, because searching the list would take too long
/// and little would be shared anyway.
const MAX_OWN: usize = 16;

/// The maximum number of members for which comparing names is faster than hashing.
const MAX_LINEAR: usize = 8;

/// An ordered map like a [`Map`] of [`Arc`]s, with a shared base: a copy shares the whole base until the copy is
/// changed, and all but a few members afterward.
///
/// Two maps are equal if they have equal values under the same names, in any order.
pub struct OverlayMap<T> {
    /// The shared base; `None` for an empty map.
    common: Option<Arc<BaseMap<T>>>,
    /// The replaced members, with their indexes in the base, in order. A list of one pointer, because most maps replace
    /// none, and each node has five maps.
    own: ThinVec<(usize, Arc<T>)>,
}

/// The shared base.
pub(super) struct BaseMap<T>(Map<Arc<T>>);

impl<T> OverlayMap<T> {
    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.common.as_ref().map_or(0, |common| common.0.len())
    }

    /// Returns whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the member with the given name.
    pub fn get(&self, name: &str) -> Option<&Arc<T>> {
        Some(self.get_key_value(name)?.1)
    }

    /// Returns the member with the given name, and the name with the lifetime of the map.
    pub fn get_key_value(&self, name: &str) -> Option<(&Name, &Arc<T>)> {
        self.get_index(self.get_index_of(name)?)
    }

    /// Returns the member at the given index, with its name.
    pub fn get_index(&self, index: usize) -> Option<(&Name, &Arc<T>)> {
        let (name, common) = self.common.as_ref()?.0.get_index(index)?;
        match self.own.binary_search_by_key(&index, |(index, _)| *index) {
            Ok(own) => Some((name, &self.own[own].1)),
            Err(_) => Some((name, common)),
        }
    }

    /// Returns whether there is a member with the given name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.get_index_of(name).is_some()
    }

    /// Returns the member with the given name, for modification. [`Arc::make_mut`] copies it if it is shared.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Arc<T>> {
        let index = self.get_index_of(name)?;
        Some(self.at_mut(index))
    }

    /// Adds a member and returns the one that it replaces.
    pub fn insert(&mut self, name: Name, part: Arc<T>) -> Option<Arc<T>> {
        match self.get_mut(&name) {
            Some(known) => Some(std::mem::replace(known, part)),
            None => self.whole().insert(name, part),
        }
    }

    /// Returns the members with their names.
    pub fn iter(&self) -> PartsIter<'_, T> {
        let common = self.common.as_ref().map(|common| common.0.iter());
        PartsIter { common: common.unwrap_or_default(), own: &self.own, index: 0 }
    }

    /// Returns all members with their names, for modification. Afterward, the map shares nothing with others. See
    /// [`get_mut`](Self::get_mut).
    pub fn iter_mut(&mut self) -> map::IterMut<'_, Name, Arc<T>> {
        self.whole().iter_mut()
    }

    /// Returns the names.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Name> + DoubleEndedIterator {
        self.common.as_ref().map(|common| common.0.keys()).unwrap_or_default()
    }

    /// Returns the members without their names.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Arc<T>> {
        self.iter().map(|(_, part)| part)
    }

    /// Returns the index of the member with the given name.
    pub fn get_index_of(&self, name: &str) -> Option<usize> {
        let common = &self.common.as_ref()?.0;
        if common.len() > MAX_LINEAR {
            common.get_index_of(name)
        } else {
            common.keys().position(|known| **known == *name)
        }
    }

    /// Replaces the member at an existing index.
    pub(super) fn set(&mut self, index: usize, part: Arc<T>) {
        match self.own.binary_search_by_key(&index, |(index, _)| *index) {
            Ok(own) => self.own[own].1 = part,
            Err(own) if self.own.len() < MAX_OWN && !self.has_own_map() => self.own.insert(own, (index, part)),
            Err(_) => self.whole()[index] = part,
        }
    }

    /// Returns the member at an existing index, for modification.
    ///
    /// # Panics
    ///
    /// Panics if there is no member at the index.
    pub(super) fn at_mut(&mut self, index: usize) -> &mut Arc<T> {
        let own = match self.own.binary_search_by_key(&index, |(index, _)| *index) {
            Ok(own) => own,
            Err(own) if self.own.len() < MAX_OWN && !self.has_own_map() => {
                let Some(common) = self.get_index(index).map(|(_, common)| common.clone()) else {
                    panic!("there is no member at {index}")
                };
                self.own.insert(own, (index, common));
                own
            }
            Err(_) => return &mut self.whole()[index],
        };
        &mut self.own[own].1
    }

    /// Returns the member with the given name, for modification. Adds a default member if there is none.
    pub(super) fn get_or_default(&mut self, name: Name) -> &mut Arc<T>
    where
        T: Default,
    {
        match self.get_index_of(&name) {
            Some(index) => self.at_mut(index),
            None => self.whole().get_or_default(name),
        }
    }

    /// Calls a function with the members that satisfy a predicate, so that it can modify them. The function also gets
    /// their indexes.
    pub(super) fn change(&mut self, is_wanted: impl Fn(&T) -> bool, mut call: impl FnMut(usize, &Name, &mut Arc<T>)) {
        for index in 0..self.len() {
            let wanted = self.get_index(index).filter(|(_, part)| is_wanted(part));
            if let Some(name) = wanted.map(|(name, _)| name.clone()) {
                call(index, &name, self.at_mut(index));
            }
        }
    }

    /// Returns the base, if no member is replaced.
    pub(super) fn unchanged_base(&self) -> Option<&Arc<BaseMap<T>>> {
        self.common.as_ref().filter(|_| self.own.is_empty())
    }

    /// Returns whether the base is not shared, so that it can be changed.
    fn has_own_map(&self) -> bool {
        self.common.as_ref().is_some_and(|common| Arc::strong_count(common) == 1)
    }

    /// Returns the map of all members, which is copied first if it is shared.
    fn whole(&mut self) -> &mut Map<Arc<T>> {
        let BaseMap(map) = Arc::make_mut(self.common.get_or_insert_default());
        for (index, part) in self.own.drain(..) {
            map[index] = part;
        }
        map
    }
}

impl<T> Clone for OverlayMap<T> {
    fn clone(&self) -> Self {
        Self { common: self.common.clone(), own: self.own.clone() }
    }
}

impl<T> Clone for BaseMap<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for OverlayMap<T> {
    fn default() -> Self {
        Self { common: None, own: ThinVec::new() }
    }
}

impl<T> Default for BaseMap<T> {
    fn default() -> Self {
        Self(Map::default())
    }
}

impl<T: Debug> Debug for OverlayMap<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<T: PartialEq> PartialEq for OverlayMap<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(name, part)| other.get(name) == Some(part))
    }
}

impl<T> Index<&str> for OverlayMap<T> {
    type Output = Arc<T>;

    /// Returns the member with the given name.
    ///
    /// # Panics
    ///
    /// Panics if there is no member with the name.
    fn index(&self, name: &str) -> &Arc<T> {
        let Some(part) = self.get(name) else { panic!("there is no member with the name `{name}`") };
        part
    }
}

impl<T> From<Map<Arc<T>>> for OverlayMap<T> {
    fn from(map: Map<Arc<T>>) -> Self {
        Self { common: (!map.is_empty()).then(|| Arc::new(BaseMap(map))), own: ThinVec::new() }
    }
}

impl<T> FromIterator<(Name, Arc<T>)> for OverlayMap<T> {
    fn from_iter<I: IntoIterator<Item = (Name, Arc<T>)>>(parts: I) -> Self {
        parts.into_iter().collect::<Map<_>>().into()
    }
}

impl<T> Extend<(Name, Arc<T>)> for OverlayMap<T> {
    fn extend<I: IntoIterator<Item = (Name, Arc<T>)>>(&mut self, parts: I) {
        for (name, part) in parts {
            self.insert(name, part);
        }
    }
}

impl<'a, T> IntoIterator for &'a OverlayMap<T> {
    type Item = (&'a Name, &'a Arc<T>);
    type IntoIter = PartsIter<'a, T>;

    fn into_iter(self) -> PartsIter<'a, T> {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut OverlayMap<T> {
    type Item = (&'a Name, &'a mut Arc<T>);
    type IntoIter = map::IterMut<'a, Name, Arc<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T> IntoIterator for OverlayMap<T> {
    type Item = (Name, Arc<T>);
    type IntoIter = map::IntoIter<Name, Arc<T>>;

    fn into_iter(mut self) -> Self::IntoIter {
        std::mem::take(self.whole()).into_iter()
    }
}

/// An iterator over the members of an [`OverlayMap`] with their names, in order.
pub struct PartsIter<'a, T> {
    common: map::Iter<'a, Name, Arc<T>>,
    /// The remaining replaced members.
    own: &'a [(usize, Arc<T>)],
    /// The index of the next member.
    index: usize,
}

impl<'a, T> Iterator for PartsIter<'a, T> {
    type Item = (&'a Name, &'a Arc<T>);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, common) = self.common.next()?;
        let index = self.index;
        self.index += 1;
        match self.own {
            [(at, own), rest @ ..] if *at == index => {
                self.own = rest;
                Some((name, own))
            }
            _ => Some((name, common)),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.common.size_hint()
    }
}

impl<T> ExactSizeIterator for PartsIter<'_, T> {}

impl<T> Debug for PartsIter<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartsIter").field("left", &self.common.len()).finish_non_exhaustive()
    }
}

impl<T: Serialize> Serialize for OverlayMap<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl<T: Serialize> Serialize for BaseMap<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OverlayMap<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Map::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for OverlayMap<T> {
    fn inline_schema() -> bool {
        <Map<Arc<T>>>::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        <Map<Arc<T>>>::schema_name()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        <Map<Arc<T>>>::schema_id()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <Map<Arc<T>>>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(parts: impl IntoIterator<Item = (usize, u64)>) -> OverlayMap<u64> {
        parts.into_iter().map(|(name, part)| (name.to_string().into(), Arc::new(part))).collect()
    }

    proptest::proptest! {
        #[test]
        fn copies_behave_like_maps(
            size in 0_usize..40,
            changes in proptest::collection::vec((0_usize..50, 0_u64..9, 0_u8..4), 0..60),
            is_shared: bool,
        ) {
            let shared = named((0..size).map(|name| (name, 0)));
            let mut parts = if is_shared { shared.clone() } else { named((0..size).map(|name| (name, 0))) };
            let mut map: Map<Arc<u64>> = shared.iter().map(|(name, part)| (name.clone(), part.clone())).collect();
            for (name, part, way) in changes {
                let name: Name = name.to_string().into();
                match way {
                    0 => assert_eq!(parts.insert(name.clone(), Arc::new(part)), map.insert(name, Arc::new(part))),
                    1 => {
                        *parts.get_or_default(name.clone()) = Arc::new(part);
                        map.insert(name, Arc::new(part));
                    }
                    2 => {
                        let changed = parts.get_mut(&name).map(|known| *Arc::make_mut(known) += part);
                        assert_eq!(changed, map.get_mut(&name).map(|known| *Arc::make_mut(known) += part));
                    }
                    _ => if let Some(index) = parts.get_index_of(&name) {
                        parts.set(index, Arc::new(part));
                        map[index] = Arc::new(part);
                    }
                }
                assert!(parts.own.len() <= MAX_OWN);
            }
            assert!(parts.iter().eq(map.iter()));
            assert!(parts.keys().eq(map.keys()) && parts.values().eq(map.values()));
            assert_eq!((parts.len(), parts.is_empty()), (map.len(), map.is_empty()));
            assert_eq!(serde_json::to_string(&parts).ok(), serde_json::to_string(&map).ok());
            assert_eq!(&parts, &OverlayMap::from(map.clone()));
            parts.change(|part| part % 2 == 1, |index, name, part| {
                assert_eq!(map.get_index_of(name), Some(index));
                *Arc::make_mut(part) += 1;
            });
            map.values_mut().for_each(|part| *Arc::make_mut(part) += **part % 2);
            assert!(parts.iter().eq(map.iter()));
            assert!(shared.values().all(|part| **part == 0) && shared.len() == size);
        }
    }
}
