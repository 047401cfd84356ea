//! Lists in fields: strings, values, references and unnamed entities.
//!
//! Nearly all lists are empty. With `Vec` in place of `ThinVec`, here and in clauses, the benchmark `requires` with 400
//! nodes takes 1.2 % more instructions, and `wide` with 100 000 nodes takes 2.2 % more memory (2026-11-25).

use std::fmt;
use std::ops::Deref;

use thin_vec::ThinVec;

/// The items in a field, which can be used like a slice.
///
/// It is as small as a pointer, because most fields are not given and thus have no items.
#[derive(Clone, PartialEq, Eq)]
pub struct List<T>(Option<ThinVec<T>>);

const _: () = assert!(size_of::<List<u64>>() == size_of::<usize>(), "nearly all of them are empty");

impl<T> List<T> {
    /// Returns whether the field is given, even if it has no items.
    pub fn is_given(&self) -> bool {
        self.0.is_some()
    }

    /// Marks the field as given and reserves capacity for `room` additional items.
    pub(crate) fn give(&mut self, room: usize) -> &mut ThinVec<T> {
        let items = self.0.get_or_insert_default();
        items.reserve_exact(room);
        items
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Collects items into a field that counts as given, even without items.
impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(Some(items.into_iter().collect()))
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
