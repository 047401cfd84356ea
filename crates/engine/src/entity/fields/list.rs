//! Lists in fields: strings, values, references and unnamed entities.
//!
//! Nearly all lists are empty. With three words for each, the benchmark `requires` with 400 nodes takes 1.2 % more
//! instructions, and `wide` with 100 000 nodes takes 2.2 % more memory (2026-11-25).

use std::fmt;
use std::ops::Deref;

use triomphe::ThinArc;

/// The items in a field, which can be used like a slice.
///
/// It is as small as a pointer, because most fields are not given and thus have no items. Entities that inherit the items
/// share them, so a list of 4 000 types that 4 000 types inherit takes the memory of one.
#[derive(PartialEq, Eq)]
pub struct List<T>(Option<ThinArc<(), T>>);

const _: () = assert!(size_of::<List<u64>>() == size_of::<usize>(), "nearly all of them are empty");

impl<T> List<T> {
    /// Returns whether the field is given, even if it has no items.
    pub fn is_given(&self) -> bool {
        self.0.is_some()
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
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
        self.0.as_ref().map_or(&[], |items| &items.slice)
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
        let items: Vec<T> = items.into_iter().collect();
        Self(Some(ThinArc::from_header_and_iter((), items.into_iter())))
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::List;

    #[test]
    fn clones_share_their_items() {
        let list: List<u32> = [1, 2].into_iter().collect();
        let clone = list.clone();
        assert!(clone == list && clone.as_ptr() == list.as_ptr());
        let empty = List::<u32>::default();
        assert!(!empty.is_given() && empty.is_empty() && List::<u32>::from_iter([]).is_given());
    }
}
