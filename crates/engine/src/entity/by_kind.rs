//! Tables indexed by the kind of entity.

use super::Kind;

/// Values for some of a language's kinds. There are dozens of kinds, and a large program has a thousand units, but a
/// unit contains only a few kinds, and the kinds that inherit have neighboring numbers. So the table spans only the
/// range from the first to the last kind that has a value.
#[derive(Debug)]
pub(crate) struct ByKind<T> {
    first: u8,
    list: Vec<T>,
}

impl<T> Default for ByKind<T> {
    fn default() -> Self {
        Self { first: 0, list: Vec::new() }
    }
}

impl<T> ByKind<T> {
    pub(crate) fn get(&self, kind: Kind) -> Option<&T> {
        self.list.get(usize::from(kind.0).wrapping_sub(self.first.into()))
    }

    pub(crate) fn get_mut(&mut self, kind: Kind) -> Option<&mut T> {
        self.list.get_mut(usize::from(kind.0).wrapping_sub(self.first.into()))
    }
}

/// Collects items, which must be in the order of their kinds.
impl<T: Default> FromIterator<(Kind, T)> for ByKind<T> {
    fn from_iter<I: IntoIterator<Item = (Kind, T)>>(items: I) -> Self {
        let mut table = Self::default();
        for (kind, item) in items {
            if table.list.is_empty() {
                table.first = kind.0;
            }
            table.list.resize_with(usize::from(kind.0.saturating_sub(table.first)), T::default);
            table.list.push(item);
        }
        table.list.shrink_to_fit();
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_keys_are_found() {
        let table: ByKind<u32> = [(Kind(7), 70), (Kind(8), 80), (Kind(11), 110)].into_iter().collect();
        let found: Vec<Option<u32>> = (0..=255).map(|kind| table.get(Kind(kind)).copied()).collect();
        let mut expected = vec![None; 256];
        (expected[7], expected[8], expected[9], expected[10], expected[11]) =
            (Some(70), Some(80), Some(0), Some(0), Some(110));
        assert_eq!(found, expected);
        let mut last: ByKind<u32> = [(Kind(255), 1)].into_iter().collect();
        *last.get_mut(Kind(255)).expect("it is there") = 2;
        assert_eq!((last.get(Kind(255)), last.get(Kind(0))), (Some(&2), None));
        assert_eq!(ByKind::<u32>::default().get(Kind(0)), None);
    }
}
