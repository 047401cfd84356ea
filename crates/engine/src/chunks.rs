//! Long lists whose items stay where they are.
//!
//! A list that grows step by step is moved again and again, and one that is given room ahead has too much of it, or too
//! little. Each large one also lies in pages of its own, of which the last is hardly used. So what there may be hundreds of
//! thousands of lies in chunks.

use std::fmt;

use crate::trim::trim;

/// A list that is in one piece as long as it is short.
pub(crate) struct Chunks<T> {
    first: Vec<T>,
    /// Full ones of [`LONG`](Self::LONG) items each, and the last one.
    rest: Vec<Vec<T>>,
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self { first: Vec::new(), rest: Vec::new() }
    }
}

impl<T> Chunks<T> {
    /// How many items are in a chunk: as many as there is room for in the amount of memory that an allocator gives.
    const LONG: usize = match (32_usize << 10).checked_div(size_of::<T>()) {
        // An item that is larger is a chunk of its own.
        Some(0) => 1,
        Some(fitting) => fitting,
        // What has no size takes no memory, however many there are.
        None => 32 << 10,
    };

    /// Adds an item, and returns its number.
    #[inline]
    pub(crate) fn push(&mut self, item: T) -> usize {
        if self.first.len() < Self::LONG {
            self.first.push(item);
            return self.first.len() - 1;
        }
        self.push_further(item)
    }

    fn push_further(&mut self, item: T) -> usize {
        match self.rest.last_mut() {
            Some(last) if last.len() < Self::LONG => last.push(item),
            _ => {
                let mut chunk = Vec::with_capacity(Self::LONG);
                chunk.push(item);
                self.rest.push(chunk);
            }
        }
        self.len() - 1
    }

    #[inline]
    pub(crate) fn get(&self, number: usize) -> Option<&T> {
        match number.checked_sub(Self::LONG) {
            None => self.first.get(number),
            Some(number) => self.rest.get(number / Self::LONG)?.get(number % Self::LONG),
        }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, number: usize) -> Option<&mut T> {
        match number.checked_sub(Self::LONG) {
            None => self.first.get_mut(number),
            Some(number) => self.rest.get_mut(number / Self::LONG)?.get_mut(number % Self::LONG),
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.rest.last().map_or(self.first.len(), |last| self.rest.len() * Self::LONG + last.len())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.first.iter().chain(self.rest.iter().flatten())
    }

    /// Gives back memory that was set aside for more.
    pub(crate) fn trim(&mut self) {
        trim(&mut self.first);
    }
}

impl<T> Extend<T> for Chunks<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| _ = self.push(item));
    }
}

impl<T: fmt::Debug> fmt::Debug for Chunks<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Chunks;

    #[test]
    fn items_may_be_of_any_size() {
        fn fill<T: PartialEq + std::fmt::Debug + Copy>(item: T) {
            let mut chunks = Chunks::default();
            for number in 0..70_000 / size_of::<T>().max(1) + 3 {
                assert_eq!((chunks.len(), chunks.push(item), chunks.get(number)), (number, number, Some(&item)));
            }
        }
        fill(());
        fill([1_u8; 10_000]);
        fill([1_u8; 1000]);
        assert_eq!((Chunks::<[u8; 32 << 10]>::LONG, Chunks::<[u8; 40_000]>::LONG), (1, 1));
    }

    #[test]
    fn items_are_found_by_their_numbers() {
        let long = Chunks::<u64>::LONG;
        let mut chunks = Chunks::default();
        for number in 0..3 * long {
            assert_eq!((chunks.len(), chunks.get(number)), (number, None));
            assert_eq!(chunks.push(number as u64), number);
        }
        *chunks.get_mut(2 * long).expect("it is there") = 0;
        for number in [0, 1, long - 1, long, long + 1, 2 * long - 1, 3 * long - 1] {
            assert_eq!(chunks.get(number), Some(&(number as u64)));
        }
        chunks.trim();
        let expected = (0..3 * long as u64).map(|number| if number == 2 * long as u64 { 0 } else { number });
        assert!(chunks.iter().copied().eq(expected));
    }
}
