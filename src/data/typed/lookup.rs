//! Lookup of values in lists without comparing each item.

use std::hash::{BuildHasher as _, Hash, Hasher};
use std::sync::LazyLock;

use bigdecimal::num_bigint::BigInt;
use foldhash::HashSet;
use foldhash::fast::RandomState;
use indexmap::{Equivalent, IndexSet};

use super::datum::{Datum, contains};
use crate::value::Number;

/// The values of a list. Values of different types are different.
#[derive(Default)]
pub(super) struct Lookup<'d> {
    values: HashSet<Comparable<'d>>,
}

impl<'d> Lookup<'d> {
    /// Adds a value and returns whether it is new. A value that does not equal itself, such as NaN, always is. It is not
    /// kept, because all of them have the same hash.
    pub(super) fn insert(&mut self, value: &'d Datum) -> bool {
        value.equals(value) != Some(true) || self.values.insert(Comparable(value))
    }

    pub(super) fn contains(&self, value: &Datum) -> bool {
        self.values.contains(&Comparable(value))
    }
}

impl<'d> FromIterator<&'d Datum> for Lookup<'d> {
    fn from_iter<I: IntoIterator<Item = &'d Datum>>(values: I) -> Self {
        let mut lookup = Self::default();
        values.into_iter().for_each(|value| _ = lookup.insert(value));
        lookup
    }
}

/// The values of a list that is compared with many values.
pub(crate) enum ValueTable {
    /// Values of a family.
    Hashed(IndexSet<OwnedValue, RandomState>, Family),
    /// Other values, each of which is compared.
    Listed(Vec<Datum>),
}

impl ValueTable {
    /// Hashes values if it is always known whether two of them are equal.
    pub(crate) fn new(values: Vec<Datum>) -> Self {
        let family = values.first().and_then(Family::of);
        match family.filter(|_| values.iter().all(|value| Family::of(value) == family)) {
            Some(family) => Self::Hashed(values.into_iter().map(OwnedValue).collect(), family),
            None => Self::Listed(values),
        }
    }

    /// Returns whether the list contains a value of the same type; `None` if that is unknown.
    pub(crate) fn contains(&self, value: &Datum) -> Option<bool> {
        match self {
            Self::Hashed(values, family) => {
                (Family::of(value) == Some(*family)).then(|| values.contains(&Comparable(value)))
            }
            Self::Listed(values) => contains(values, value),
        }
    }

    /// Returns whether all values are known.
    pub(crate) fn is_known(&self) -> bool {
        match self {
            Self::Hashed(..) => true,
            Self::Listed(values) => values.iter().all(Datum::is_known),
        }
    }
}

/// Types of values, any two of which are equal or not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Boolean,
    Number,
    String,
    Bytes,
    Timestamp,
}

impl Family {
    fn of(value: &Datum) -> Option<Self> {
        match value {
            Datum::Boolean(_) => Some(Self::Boolean),
            Datum::Integer(_) | Datum::Scalar(_) => Some(Self::Number),
            Datum::Float(value) if !value.is_nan() => Some(Self::Number),
            Datum::String(_) => Some(Self::String),
            Datum::Bytes(_) => Some(Self::Bytes),
            Datum::Timestamp(_) => Some(Self::Timestamp),
            _ => None,
        }
    }
}

/// A value that the table owns.
pub(crate) struct OwnedValue(Datum);

impl PartialEq for OwnedValue {
    fn eq(&self, other: &Self) -> bool {
        Comparable(&self.0) == Comparable(&other.0)
    }
}

impl Eq for OwnedValue {}

impl Hash for OwnedValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Comparable(&self.0).hash(state);
    }
}

impl Equivalent<OwnedValue> for Comparable<'_> {
    fn equivalent(&self, value: &OwnedValue) -> bool {
        *self == Comparable(&value.0)
    }
}

/// A value that equals others only if that is known.
struct Comparable<'d>(&'d Datum);

impl PartialEq for Comparable<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(other.0) == Some(true)
    }
}

impl Eq for Comparable<'_> {}

impl Hash for Comparable<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(self.0, state);
    }
}

/// Returns whether all values of two lists have the same simple type, so that the equality of any two of them is known.
pub(super) fn are_alike(list: &[Datum], others: &[Datum]) -> bool {
    let all = || list.iter().chain(others);
    all().all(|value| matches!(value, Datum::String(_))) || all().all(|value| matches!(value, Datum::Integer(_)))
}

/// Hashes a value so that equal values have the same hash.
fn hash(value: &Datum, hasher: &mut impl Hasher) {
    match value {
        Datum::Boolean(value) => value.hash(hasher),
        // Numbers of different types can be equal. Floats would have the same hash for many long numbers.
        Datum::Integer(_) | Datum::Float(_) => value.number().as_ref().map(exact).hash(hasher),
        Datum::Scalar(scalar) => Some(exact(&scalar.number)).hash(hasher),
        Datum::String(text) => text.hash(hasher),
        Datum::Bytes(bytes) => bytes.hash(hasher),
        Datum::List(items) => items.iter().for_each(|item| hash(item, hasher)),
        Datum::Map(entries) => {
            static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::default);
            let entry = |(key, value): &(String, Datum)| HASHER.hash_one((key, Comparable(value)));
            entries.iter().map(entry).fold(0, u64::wrapping_add).hash(hasher);
        }
        Datum::Range { lower, upper } => (lower, upper).hash(hasher),
        // The form of a timestamp, and whether a zero is written in a version, make no difference.
        Datum::Timestamp(timestamp) => timestamp.to_string().hash(hasher),
        Datum::Version(version) => {
            (version.major, version.minor, version.fix.unwrap_or_default(), &version.qualifier).hash(hasher);
        }
        Datum::Unknown | Datum::Nil => {}
    }
}

fn exact(number: &Number) -> (BigInt, i64) {
    number.normalized().into_bigint_and_scale()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::datum::Scalar;
    use super::*;
    use crate::value::{Timestamp, Version, parse_number};

    #[test]
    fn values_of_one_type_differ_in_their_hashes() {
        let hasher = RandomState::default();
        let hash_of = |value: Datum| hasher.hash_one(Comparable(&value));
        let version = |text| Datum::Version(Box::new(Version::parse(text).unwrap()));
        let timestamp = |text| Datum::Timestamp(Timestamp::parse(text).unwrap());
        let scalar = |text| {
            let number = parse_number(text).unwrap();
            Datum::Scalar(Box::new(Scalar { data_type: None, text: text.to_owned(), number }))
        };
        for [one, other] in [
            ["1.0", "1.1"].map(version),
            ["1.0.0.a", "1.0.0.b"].map(version),
            ["2020-01-01T00:00:00Z", "2020-01-01T00:00:01Z"].map(timestamp),
            ["1.00000000000000000001", "1.00000000000000000002"].map(scalar),
            [i64::MAX, i64::MAX - 1].map(Datum::Integer),
        ] {
            assert_ne!(hash_of(one), hash_of(other));
        }
        assert_eq!(hash_of(version("1.0")), hash_of(version("1.0.0")));
        assert_eq!(hash_of(scalar("3.50")), hash_of(Datum::Float(3.5)));
        assert_eq!(hash_of(Datum::Float(-0.0)), hash_of(Datum::Integer(0)));
    }

    #[test]
    fn values_that_do_not_equal_themselves_are_not_kept() {
        let list = [Datum::Float(f64::NAN), Datum::List(vec![Datum::Float(f64::NAN)])];
        let mut lookup = Lookup::default();
        assert!(list.iter().chain(&list).all(|value| lookup.insert(value)));
        assert!(lookup.values.is_empty());
    }

    #[test]
    fn equal_values_are_found() {
        let map = |entries: &[(&str, i64)]| {
            Datum::Map(entries.iter().map(|(key, value)| ((*key).to_owned(), Datum::Integer(*value))).collect())
        };
        let list = [Datum::Integer(2), Datum::String("a".to_owned()), map(&[("a", 1), ("b", 2)]), Datum::Nil];
        let lookup: Lookup<'_> = list.iter().collect();
        for value in [Datum::Float(2.0), Datum::String("a".to_owned()), map(&[("b", 2), ("a", 1)]), Datum::Nil] {
            assert!(lookup.contains(&value), "{value}");
        }
        for value in [Datum::Integer(3), Datum::String("2".to_owned()), map(&[("a", 1), ("b", 3)])] {
            assert!(!lookup.contains(&value), "{value}");
        }
    }
}
