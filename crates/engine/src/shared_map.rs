//! A map that shares memory with the maps from which it was created.
//!
//! A derived type has every member of its parent and adds a few. A unit can use every name that its imports can use and
//! declares a few itself. If the inherited or imported part were copied each time, long derivation chains and deep
//! import graphs would take quadratic time and memory. A [`SharedMap`] is a persistent radix tree instead: adding an
//! entry copies one path, and merging two maps takes time in proportion to their differences, because common subtrees
//! are recognized by their address and not entered.
//!
//! Entries are iterated in the order of the keys. Keys are mostly symbol numbers, which depend on thread timing, so
//! callers that show entries must sort them by something else.

use std::cmp::Ordering;
use std::sync::Arc;

/// A persistent map from numbers to values.
#[derive(Clone, Debug)]
pub(crate) struct SharedMap<V> {
    root: Option<Tree<V>>,
}

type Entry<V> = (u64, V);

/// A short list of entries, or a branch. With lists, an entry takes little more space than its content. The structure
/// of a map depends only on its entries.
#[derive(Debug)]
enum Tree<V> {
    /// At most [`MAX_LIST`] entries, in the order of the keys.
    List(Arc<[Entry<V>]>),
    Branch(Arc<Branch<V>>),
}

/// The maximum number of entries in a list. Longer lists would take longer to copy when an entry is added.
const MAX_LIST: usize = 16;

/// A branch, below which all keys have the same bits above `bit`. `prefix` contains these bits, followed by zeros.
#[derive(Debug)]
struct Branch<V> {
    prefix: u64,
    bit: u32,
    len: u32,
    zero: Tree<V>,
    one: Tree<V>,
}

impl<V> Clone for Tree<V> {
    fn clone(&self) -> Self {
        match self {
            Self::List(list) => Self::List(list.clone()),
            Self::Branch(branch) => Self::Branch(branch.clone()),
        }
    }
}

impl<V> Default for SharedMap<V> {
    fn default() -> Self {
        Self { root: None }
    }
}

impl<V> SharedMap<V> {
    /// Returns the number of entries.
    pub(crate) fn len(&self) -> usize {
        self.root.as_ref().map_or(0, Tree::len)
    }

    /// Returns the value for a key.
    pub(crate) fn get(&self, key: u64) -> Option<&V> {
        self.root.as_ref()?.get(key)
    }

    /// Returns whether a key has a value.
    pub(crate) fn contains(&self, key: u64) -> bool {
        self.get(key).is_some()
    }

    /// Returns the entries in the order of the keys.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &V)> {
        let mut stack: Vec<&Tree<V>> = self.root.iter().collect();
        let lists = std::iter::from_fn(move || {
            loop {
                match stack.pop()? {
                    Tree::List(list) => return Some(list),
                    Tree::Branch(branch) => stack.extend([&branch.one, &branch.zero]),
                }
            }
        });
        lists.flat_map(|list| list.iter()).map(|(key, value)| (*key, value))
    }
}

impl<V: Clone + PartialEq> SharedMap<V> {
    /// Creates a map with the given entries. If several entries have the same key, the first one counts.
    pub(crate) fn from_entries(mut entries: Vec<Entry<V>>) -> Self {
        entries.sort_by_key(|(key, _)| *key);
        entries.dedup_by_key(|(key, _)| *key);
        Self { root: (!entries.is_empty()).then(|| Tree::from_sorted(&entries)) }
    }

    /// Sets the value for a key.
    pub(crate) fn insert(&mut self, key: u64, value: V) {
        if self.get(key) == Some(&value) {
            return;
        }
        self.root = Some(match self.root.take() {
            Some(Tree::List(list)) if list.len() < MAX_LIST => {
                let (before, rest) = list.split_at(list.partition_point(|(other, _)| *other < key));
                let after = match rest {
                    [(other, _), after @ ..] if *other == key => after,
                    _ => rest,
                };
                Tree::List(before.iter().cloned().chain([(key, value)]).chain(after.iter().cloned()).collect())
            }
            Some(tree) => tree.merge(&Tree::List(Arc::new([(key, value)])), &mut |_, _, new| new.clone()),
            None => Tree::List(Arc::new([(key, value)])),
        });
    }

    /// Returns the entries whose keys are not in `other`, without entering common subtrees.
    pub(crate) fn missing_in<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (u64, &'a V)> {
        self.pairs(other).filter(|(_, _, theirs)| theirs.is_none()).map(|(key, value, _)| (key, value))
    }

    /// Returns the entries whose keys have different values in `other`, together with those values, without entering
    /// common subtrees.
    pub(crate) fn differing_from<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (u64, &'a V, &'a V)> {
        self.pairs(other).filter_map(|(key, value, other)| Some((key, value, other.filter(|other| *other != value)?)))
    }

    /// Returns the entries, each with the value that `other` has for its key, except for entries in common subtrees.
    fn pairs<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (u64, &'a V, Option<&'a V>)> {
        let mut stack: Vec<(&Tree<V>, Option<&Tree<V>>)> =
            self.root.iter().map(|tree| (tree, other.root.as_ref())).collect();
        let lists = std::iter::from_fn(move || {
            loop {
                let (tree, other) = stack.pop()?;
                let other = other.and_then(|other| other.narrowed(tree));
                match (tree, other) {
                    (tree, Some(other)) if tree.is_same(other) => {}
                    (Tree::List(list), other) => return Some((list, other)),
                    (Tree::Branch(branch), other) => stack.extend([(&branch.one, other), (&branch.zero, other)]),
                }
            }
        });
        lists.flat_map(|(list, other)| {
            list.iter().map(move |(key, value)| (*key, value, other.and_then(|other| other.get(*key))))
        })
    }

    /// Adds the entries of `other`. If both maps have different values for a key, `choose` receives the key, this map's
    /// value and the other map's value, and returns the value to keep. It is not called for equal values.
    pub(crate) fn merge(&mut self, other: &Self, choose: &mut dyn FnMut(u64, &V, &V) -> V) {
        self.root = match (self.root.take(), &other.root) {
            (Some(mine), Some(theirs)) => Some(mine.merge(theirs, choose)),
            (mine, theirs) => mine.or_else(|| theirs.clone()),
        };
    }
}

impl<V> Tree<V> {
    fn len(&self) -> usize {
        match self {
            Tree::List(list) => list.len(),
            Tree::Branch(branch) => branch.len as usize,
        }
    }

    fn get(&self, key: u64) -> Option<&V> {
        let mut tree = self;
        loop {
            match tree {
                Tree::List(list) => {
                    let found = list.binary_search_by_key(&key, |(key, _)| *key).ok()?;
                    return Some(&list[found].1);
                }
                Tree::Branch(branch) => {
                    if !branch.covers(key) {
                        return None;
                    }
                    tree = branch.side(key);
                }
            }
        }
    }

    /// Returns the smallest subtree that contains every key that is also in `other`.
    fn narrowed(&self, other: &Self) -> Option<&Self> {
        let (key, bit) = other.place();
        let mut tree = self;
        while let Tree::Branch(branch) = tree {
            if bit.is_some_and(|bit| bit >= branch.bit) {
                return Some(tree);
            }
            if !branch.covers(key) {
                return None;
            }
            tree = branch.side(key);
        }
        Some(tree)
    }

    /// Returns whether two trees are known to be equal without comparing their contents.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Tree::List(list), Tree::List(other)) => Arc::ptr_eq(list, other),
            (Tree::Branch(branch), Tree::Branch(other)) => Arc::ptr_eq(branch, other),
            _ => false,
        }
    }

    /// Returns an arbitrary key in the tree and the highest bit in which its keys differ (`None` if there is only one
    /// key).
    fn place(&self) -> (u64, Option<u32>) {
        match self {
            Tree::List(list) => match &**list {
                [] => (0, None),
                [(first, _), ..] => (*first, list.last().and_then(|(last, _)| highest_difference(*first, *last))),
            },
            Tree::Branch(branch) => (branch.prefix, Some(branch.bit)),
        }
    }
}

impl<V: Clone + PartialEq> Tree<V> {
    fn from_sorted(entries: &[Entry<V>]) -> Self {
        let bit =
            entries.first().zip(entries.last()).and_then(|((first, _), (last, _))| highest_difference(*first, *last));
        match bit {
            Some(bit) if entries.len() > MAX_LIST => {
                let (zero, one) = split(entries, bit);
                Self::from_sorted(zero).join(Self::from_sorted(one), bit)
            }
            _ => Tree::List(entries.into()),
        }
    }

    /// Joins two trees, where all keys in the first are smaller than those in the second. `bit` is the highest bit in
    /// which keys differ.
    fn join(self, other: Self, bit: u32) -> Self {
        if let (Tree::List(zero), Tree::List(one)) = (&self, &other)
            && zero.len() + one.len() <= MAX_LIST
        {
            return Tree::List(zero.iter().chain(&**one).cloned().collect());
        }
        let (prefix, len) = (prefix(self.place().0, bit), (self.len() + other.len()) as u32);
        Tree::Branch(Arc::new(Branch { prefix, bit, len, zero: self, one: other }))
    }

    /// Splits a tree into the keys without and with the given bit. One half is empty if the keys do not differ in this
    /// bit.
    fn halves(&self, bit: u32) -> (Option<Self>, Option<Self>) {
        let of = |entries: &[Entry<V>]| (!entries.is_empty()).then(|| Tree::List(entries.into()));
        match self {
            Tree::Branch(branch) if branch.bit == bit => (Some(branch.zero.clone()), Some(branch.one.clone())),
            Tree::List(list) if self.place().1 == Some(bit) => {
                let (zero, one) = split(list, bit);
                (of(zero), of(one))
            }
            _ if self.place().0 >> bit & 1 == 0 => (Some(self.clone()), None),
            _ => (None, Some(self.clone())),
        }
    }

    fn merge(self, other: &Self, choose: &mut dyn FnMut(u64, &V, &V) -> V) -> Self {
        if self.is_same(other) {
            return self;
        }
        if let (Tree::List(mine), Tree::List(theirs)) = (&self, other) {
            return Self::merge_lists(mine, theirs, choose);
        }
        let ((key, bit), (other_key, other_bit)) = (self.place(), other.place());
        // There is such a bit, because one of the trees is a branch.
        let highest = highest_difference(key, other_key).max(bit).max(other_bit).unwrap_or_default();
        let (mine, theirs) = (self.halves(highest), other.halves(highest));
        let mut half = |mine: &Option<Self>, theirs: &Option<Self>| match (mine, theirs) {
            (Some(mine), Some(theirs)) => Some(mine.clone().merge(theirs, choose)),
            (mine, theirs) => mine.clone().or_else(|| theirs.clone()),
        };
        let (zero, one) = (half(&mine.0, &theirs.0), half(&mine.1, &theirs.1));
        let is_same = |one: &Option<Self>, other: &Option<Self>| match (one, other) {
            (Some(one), Some(other)) => one.is_same(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        // If one of the operands equals the result, that operand is returned, so that later merges recognize the common
        // subtree.
        if is_same(&zero, &mine.0) && is_same(&one, &mine.1) {
            return self;
        }
        if is_same(&zero, &theirs.0) && is_same(&one, &theirs.1) {
            return other.clone();
        }
        match (zero, one) {
            (Some(zero), Some(one)) => zero.join(one, highest),
            (zero, one) => zero.or(one).unwrap_or(self),
        }
    }

    fn merge_lists(mine: &Arc<[Entry<V>]>, theirs: &Arc<[Entry<V>]>, choose: &mut dyn FnMut(u64, &V, &V) -> V) -> Self {
        let mut merged: Vec<Entry<V>> = Vec::with_capacity(mine.len() + theirs.len());
        let (mut left, mut right): (&[_], &[_]) = (mine, theirs);
        let (mut is_mine, mut is_theirs) = (true, true);
        loop {
            let order = match (left, right) {
                ([(key, _), ..], [(other, _), ..]) => key.cmp(other),
                ([_, ..], []) => Ordering::Less,
                ([], [_, ..]) => Ordering::Greater,
                ([], []) => break,
            };
            is_mine &= order.is_le();
            is_theirs &= order.is_ge();
            let entry = match order {
                Ordering::Less => left[0].clone(),
                Ordering::Greater => right[0].clone(),
                Ordering::Equal if left[0].1 == right[0].1 => left[0].clone(),
                Ordering::Equal => {
                    let chosen = choose(left[0].0, &left[0].1, &right[0].1);
                    is_mine &= chosen == left[0].1;
                    is_theirs &= chosen == right[0].1;
                    (left[0].0, chosen)
                }
            };
            merged.push(entry);
            left = &left[usize::from(order.is_le())..];
            right = &right[usize::from(order.is_ge())..];
        }
        match (is_mine, is_theirs) {
            (true, _) => Tree::List(mine.clone()),
            (_, true) => Tree::List(theirs.clone()),
            _ => Self::from_sorted(&merged),
        }
    }
}

impl<V> Branch<V> {
    fn covers(&self, key: u64) -> bool {
        prefix(key, self.bit) == self.prefix
    }

    fn side(&self, key: u64) -> &Tree<V> {
        if key >> self.bit & 1 == 0 { &self.zero } else { &self.one }
    }
}

/// Splits sorted entries into the entries without and with the given bit.
fn split<V>(entries: &[Entry<V>], bit: u32) -> (&[Entry<V>], &[Entry<V>]) {
    entries.split_at(entries.partition_point(|(key, _)| key >> bit & 1 == 0))
}

/// Returns the bits of a key above `bit`, followed by zeros.
fn prefix(key: u64, bit: u32) -> u64 {
    key & !(u64::MAX >> (63 - bit))
}

/// Returns the highest bit in which two keys differ.
fn highest_difference(a: u64, b: u64) -> Option<u32> {
    (a ^ b).checked_ilog2()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn numbers(seed: u64, count: usize) -> Vec<u64> {
        let mut state = seed;
        (0..count)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state >> 33 & 0xff | (state >> 13 & 3) << 40
            })
            .collect()
    }

    #[test]
    fn behaves_like_an_ordered_map() {
        for seed in 0..50 {
            let keys = numbers(seed, 200);
            let mut map = SharedMap::default();
            let mut model = BTreeMap::new();
            for (value, key) in keys.iter().enumerate() {
                map.insert(*key, value);
                model.insert(*key, value);
                assert_eq!(map.len(), model.len());
            }
            assert!(map.iter().map(|(key, value)| (key, *value)).eq(model.iter().map(|(k, v)| (*k, *v))));
            assert!((0..300).all(|key| map.get(key) == model.get(&key)));
            let bulk = SharedMap::from_entries(model.iter().map(|(k, v)| (*k, *v)).collect());
            assert!(bulk.iter().eq(map.iter()));
            assert_eq!(bulk.len(), map.len());
            assert_eq!(format!("{bulk:?}"), format!("{map:?}"), "it is put together in the same way, too");
        }
    }

    #[test]
    fn merging_is_the_union_with_the_chosen_values() {
        for seed in 0..50 {
            let (left, right) = (numbers(seed, 60), numbers(seed + 1000, 60));
            let mut map = SharedMap::from_entries(left.iter().map(|key| (*key, 'l')).collect());
            let other = SharedMap::from_entries(right.iter().map(|key| (*key, 'r')).collect());
            let mut conflicts = Vec::new();
            map.merge(&other, &mut |key, _, _| {
                conflicts.push(key);
                'b'
            });
            for key in left.iter().chain(&right) {
                let expected = match (left.contains(key), right.contains(key)) {
                    (true, true) => 'b',
                    (true, false) => 'l',
                    _ => 'r',
                };
                assert_eq!(map.get(*key), Some(&expected));
            }
            assert!(conflicts.iter().all(|key| left.contains(key) && right.contains(key)));
        }
    }

    #[test]
    fn merging_maps_of_one_origin_only_enters_differences() {
        let base = SharedMap::from_entries((0..10_000).map(|key| (key, 0)).collect());
        let (mut a, mut b) = (base.clone(), base.clone());
        a.insert(17, 1);
        b.insert(17, 2);
        b.insert(20_000, 2);
        let mut asked = 0;
        a.merge(&b, &mut |_, mine, _| {
            asked += 1;
            *mine
        });
        assert_eq!(asked, 1);
        assert_eq!((a.len(), a.get(17), a.get(20_000)), (10_001, Some(&1), Some(&2)));

        let before = a.clone();
        a.merge(&base, &mut |_, mine, _| *mine);
        let (Some(Tree::Branch(before)), Some(Tree::Branch(after))) = (before.root, a.root) else {
            panic!("both maps have many entries");
        };
        assert!(Arc::ptr_eq(&before, &after), "a merge that adds nothing keeps the map");
    }

    #[test]
    fn finds_entries_missing_in_another_map() {
        for seed in 0..50 {
            let (left, right) = (numbers(seed, 60), numbers(seed + 1000, 60));
            let mine = SharedMap::from_entries(left.iter().map(|key| (*key, ())).collect());
            let other = SharedMap::from_entries(right.iter().map(|key| (*key, ())).collect());
            let missing: Vec<u64> = mine.missing_in(&other).map(|(key, ())| key).collect();
            let expected: Vec<u64> = mine.iter().map(|(key, ())| key).filter(|key| !other.contains(*key)).collect();
            assert_eq!(missing, expected);
            let mut grown = mine.clone();
            grown.insert(1 << 50, ());
            assert_eq!(grown.missing_in(&mine).count(), 1);
            assert_eq!(mine.missing_in(&grown).count(), 0);
        }
    }

    #[test]
    fn finds_entries_that_differ_in_another_map() {
        for seed in 0..50 {
            let base = SharedMap::from_entries(numbers(seed, 60).into_iter().map(|key| (key, 0)).collect());
            let (mut one, mut other) = (base.clone(), base.clone());
            for key in numbers(seed + 1000, 40) {
                one.insert(key, 1);
            }
            for key in numbers(seed + 2000, 40) {
                other.insert(key, 2);
            }
            let differing: Vec<(u64, i32, i32)> =
                one.differing_from(&other).map(|(key, one, other)| (key, *one, *other)).collect();
            let expected = one.iter().filter_map(|(key, one)| Some((key, *one, *other.get(key)?)));
            assert_eq!(differing, expected.filter(|(_, one, other)| one != other).collect::<Vec<_>>());
            assert_eq!(base.differing_from(&base.clone()).count(), 0);
        }
    }

    #[test]
    fn keys_may_use_all_bits() {
        let mut map = SharedMap::default();
        for key in [0, u64::MAX, 1 << 63, 1, u64::MAX >> 1] {
            map.insert(key, key);
        }
        assert_eq!(map.len(), 5);
        assert_eq!(map.get(u64::MAX), Some(&u64::MAX));
        assert_eq!(map.get(2), None);
    }
}
