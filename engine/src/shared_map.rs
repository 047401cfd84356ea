//! A map that shares its structure with the maps it was made from.
//!
//! A derived type has every member of its parent and a few of its own; a unit sees every name that its imports see
//! and declares a few itself. Copying the larger part again and again makes long chains of derivations and deep
//! import graphs quadratic in time and memory. A [`SharedMap`] is a persistent radix tree instead: adding an entry
//! copies one path, and merging two maps costs what differs between them, since subtrees that both have in common are
//! recognised by their address and not entered.
//!
//! Iteration is in the order of the keys. Keys are mostly numbers of symbols, which depend on thread timing: callers
//! that show entries must sort them by something of their own.

use std::sync::Arc;

/// A persistent map from numbers to values.
#[derive(Clone, Debug)]
pub(crate) struct SharedMap<V> {
    root: Option<Tree<V>>,
}

#[derive(Clone, Debug)]
enum Tree<V> {
    Leaf(u64, V),
    Branch(Arc<Branch<V>>),
}

/// The keys below a branch agree on all bits above `bit`; `prefix` holds these, with zeros below.
#[derive(Debug)]
struct Branch<V> {
    prefix: u64,
    bit: u32,
    len: usize,
    zero: Tree<V>,
    one: Tree<V>,
}

impl<V> Default for SharedMap<V> {
    fn default() -> Self {
        Self { root: None }
    }
}

impl<V> SharedMap<V> {
    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.root.as_ref().map_or(0, Tree::len)
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: u64) -> Option<&V> {
        self.root.as_ref()?.get(key)
    }

    /// Whether the key has a value.
    pub(crate) fn contains(&self, key: u64) -> bool {
        self.get(key).is_some()
    }

    /// The entries in the order of the keys.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &V)> {
        let mut stack: Vec<&Tree<V>> = self.root.iter().collect();
        std::iter::from_fn(move || {
            loop {
                match stack.pop()? {
                    Tree::Leaf(key, value) => return Some((*key, value)),
                    Tree::Branch(branch) => stack.extend([&branch.one, &branch.zero]),
                }
            }
        })
    }
}

impl<V: Clone + PartialEq> SharedMap<V> {
    /// A map of the given entries; of entries with equal keys, the first stays.
    pub(crate) fn from_entries(mut entries: Vec<(u64, V)>) -> Self {
        entries.sort_by_key(|(key, _)| *key);
        entries.dedup_by_key(|(key, _)| *key);
        Self { root: Tree::from_sorted(&entries) }
    }

    /// Sets the value of a key.
    pub(crate) fn insert(&mut self, key: u64, value: V) {
        let leaf = Tree::Leaf(key, value);
        self.root = Some(match self.root.take() {
            Some(tree) => tree.merge(&leaf, &mut |_, _, new| new.clone()),
            None => leaf,
        });
    }

    /// The entries whose keys another map does not have, without entering what both have in common.
    pub(crate) fn missing_in<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (u64, &'a V)> {
        self.pairs(other).filter(|(_, _, theirs)| theirs.is_none()).map(|(key, value, _)| (key, value))
    }

    /// The entries for whose keys another map has another value, with that value, without entering what both have in
    /// common.
    pub(crate) fn differing_from<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (u64, &'a V, &'a V)> {
        self.pairs(other).filter_map(|(key, value, other)| Some((key, value, other.filter(|other| *other != value)?)))
    }

    /// The entries with the values that another map has for their keys, but for those that lie in parts which both
    /// have in common.
    fn pairs<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (u64, &'a V, Option<&'a V>)> {
        let mut stack: Vec<(&Tree<V>, Option<&Tree<V>>)> =
            self.root.iter().map(|tree| (tree, other.root.as_ref())).collect();
        std::iter::from_fn(move || {
            loop {
                let (tree, other) = stack.pop()?;
                let other = other.and_then(|other| other.narrowed(tree));
                match (tree, other) {
                    (tree, Some(other)) if tree.is_same(other) => {}
                    (Tree::Leaf(key, value), other) => {
                        return Some((*key, value, other.and_then(|other| other.get(*key))));
                    }
                    (Tree::Branch(branch), other) => stack.extend([(&branch.one, other), (&branch.zero, other)]),
                }
            }
        })
    }

    /// Adds the entries of another map. For keys that both have with different values, `choose` gets the key, this
    /// map's value and the other's, and returns the one to keep; it is not called for equal values.
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
            Tree::Leaf(..) => 1,
            Tree::Branch(branch) => branch.len,
        }
    }

    fn get(&self, key: u64) -> Option<&V> {
        let mut tree = self;
        loop {
            match tree {
                Tree::Leaf(leaf, value) => return (*leaf == key).then_some(value),
                Tree::Branch(branch) => {
                    if !branch.covers(key) {
                        return None;
                    }
                    tree = branch.side(key);
                }
            }
        }
    }

    /// The smallest part of the tree that holds every key that it has in common with another tree.
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

    /// Whether two trees are known to be equal without looking into them.
    fn is_same(&self, other: &Self) -> bool
    where
        V: PartialEq,
    {
        match (self, other) {
            (Tree::Leaf(key, value), Tree::Leaf(other_key, other_value)) => key == other_key && value == other_value,
            (Tree::Branch(branch), Tree::Branch(other)) => Arc::ptr_eq(branch, other),
            _ => false,
        }
    }

    /// Any key below the tree, and the bit at which it branches (none for a leaf).
    fn place(&self) -> (u64, Option<u32>) {
        match self {
            Tree::Leaf(key, _) => (*key, None),
            Tree::Branch(branch) => (branch.prefix, Some(branch.bit)),
        }
    }

    /// The tree of two trees without keys in common, the keys of which differ at `bit` at the highest.
    fn join(self, other: Self, bit: u32, key: u64) -> Self {
        let len = self.len() + other.len();
        let (zero, one) = if key >> bit & 1 == 0 { (self, other) } else { (other, self) };
        Tree::Branch(Arc::new(Branch { prefix: prefix(key, bit), bit, len, zero, one }))
    }
}

impl<V: Clone + PartialEq> Tree<V> {
    fn from_sorted(entries: &[(u64, V)]) -> Option<Self> {
        match entries {
            [] => None,
            [(key, value)] => Some(Tree::Leaf(*key, value.clone())),
            [(first, _), .., (last, _)] => {
                let bit = highest_difference(*first, *last)?;
                let middle = entries.partition_point(|(key, _)| key >> bit & 1 == 0);
                let (zero, one) = entries.split_at(middle);
                Some(Self::from_sorted(zero)?.join(Self::from_sorted(one)?, bit, *first))
            }
        }
    }

    fn merge(self, other: &Self, choose: &mut dyn FnMut(u64, &V, &V) -> V) -> Self {
        if self.is_same(other) {
            return self;
        }
        let (key, bit) = self.place();
        let (other_key, other_bit) = other.place();
        let Some(difference) = highest_difference_above(key, other_key, bit, other_bit) else {
            return self.merge_overlapping(other, choose);
        };
        self.join(other.clone(), difference, key)
    }

    /// Merges two trees of which one may hold keys of the other.
    fn merge_overlapping(self, other: &Self, choose: &mut dyn FnMut(u64, &V, &V) -> V) -> Self {
        match (&self, other) {
            (Tree::Leaf(key, mine), Tree::Leaf(_, theirs)) => Tree::Leaf(*key, choose(*key, mine, theirs)),
            (Tree::Branch(mine), Tree::Branch(theirs)) if mine.bit == theirs.bit => {
                let zero = mine.zero.clone().merge(&theirs.zero, choose);
                let one = mine.one.clone().merge(&theirs.one, choose);
                // One of the two operands is kept where it is the result, so that later merges recognise it.
                if zero.is_same(&mine.zero) && one.is_same(&mine.one) {
                    self
                } else if zero.is_same(&theirs.zero) && one.is_same(&theirs.one) {
                    other.clone()
                } else {
                    zero.join(one, mine.bit, mine.prefix)
                }
            }
            (Tree::Branch(mine), _) if other.place().1.is_none_or(|bit| bit < mine.bit) => {
                mine.with_side(other.place().0, |side| side.merge(other, choose)).unwrap_or(self)
            }
            (_, Tree::Branch(theirs)) => {
                theirs.with_side(self.place().0, |side| self.merge(&side, choose)).unwrap_or_else(|| other.clone())
            }
            (Tree::Branch(_), Tree::Leaf(..)) => self,
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

impl<V: Clone + PartialEq> Branch<V> {
    /// The branch with the side of `key` changed; nothing if the change changes nothing.
    fn with_side(&self, key: u64, change: impl FnOnce(Tree<V>) -> Tree<V>) -> Option<Tree<V>> {
        let old = self.side(key);
        let new = change(old.clone());
        if new.is_same(old) {
            return None;
        }
        let side_is_zero = key >> self.bit & 1 == 0;
        let (zero, one) = if side_is_zero { (new, self.one.clone()) } else { (self.zero.clone(), new) };
        Some(zero.join(one, self.bit, self.prefix))
    }
}

/// The bits of a key above `bit`.
fn prefix(key: u64, bit: u32) -> u64 {
    key & !(u64::MAX >> (63 - bit))
}

fn highest_difference(a: u64, b: u64) -> Option<u32> {
    (a ^ b).checked_ilog2()
}

/// The highest bit in which two trees' keys differ, if it lies above the bits at which the trees branch.
fn highest_difference_above(a: u64, b: u64, a_bit: Option<u32>, b_bit: Option<u32>) -> Option<u32> {
    highest_difference(a, b).filter(|bit| a_bit.is_none_or(|a| *bit > a) && b_bit.is_none_or(|b| *bit > b))
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
    fn merging_maps_of_one_origin_looks_only_at_what_differs() {
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
    fn finds_what_another_map_lacks() {
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
    fn finds_what_another_map_has_differently() {
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
