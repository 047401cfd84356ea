//! Lookup of values in lists without comparing each item.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::datum::Datum;

/// The values of a list. Values of different types are different.
#[derive(Default)]
pub(super) struct Lookup<'d> {
    by_hash: FxHashMap<u64, Vec<&'d Datum>>,
}

impl<'d> Lookup<'d> {
    /// Adds a value and returns whether it is new.
    pub(super) fn insert(&mut self, value: &'d Datum) -> bool {
        let alike = self.by_hash.entry(hash_of(value)).or_default();
        let is_new = !alike.iter().any(|other| other.equals(value) == Some(true));
        if is_new {
            alike.push(value);
        }
        is_new
    }

    pub(super) fn contains(&self, value: &Datum) -> bool {
        let alike = self.by_hash.get(&hash_of(value));
        alike.is_some_and(|alike| alike.iter().any(|other| other.equals(value) == Some(true)))
    }
}

impl<'d> FromIterator<&'d Datum> for Lookup<'d> {
    fn from_iter<I: IntoIterator<Item = &'d Datum>>(values: I) -> Self {
        let mut lookup = Self::default();
        values.into_iter().for_each(|value| _ = lookup.insert(value));
        lookup
    }
}

/// Returns whether all values of two lists have the same simple type, so that the equality of any two of them is known.
pub(super) fn are_alike(list: &[Datum], others: &[Datum]) -> bool {
    let all = || list.iter().chain(others);
    all().all(|value| matches!(value, Datum::String(_))) || all().all(|value| matches!(value, Datum::Integer(_)))
}

/// Returns a hash that is the same for equal values.
fn hash_of(value: &Datum) -> u64 {
    let mut hasher = FxHasher::default();
    hash(value, &mut hasher);
    hasher.finish()
}

fn hash(value: &Datum, hasher: &mut FxHasher) {
    match value {
        Datum::Boolean(value) => value.hash(hasher),
        // An integer and a float can be equal, so both are hashed as floats.
        #[expect(clippy::cast_precision_loss, reason = "equal numbers have the same nearest float")]
        Datum::Integer(value) => hash_float(*value as f64, hasher),
        Datum::Float(value) => hash_float(*value, hasher),
        Datum::Scalar(scalar) => hash_float(scalar.number.to_plain_string().parse().unwrap_or(0.0), hasher),
        Datum::String(text) => text.hash(hasher),
        Datum::Bytes(bytes) => bytes.hash(hasher),
        Datum::List(items) => items.iter().for_each(|item| hash(item, hasher)),
        Datum::Map(entries) => {
            let entry = |(key, value): &(String, Datum)| {
                let mut hasher = FxHasher::default();
                key.hash(&mut hasher);
                hash(value, &mut hasher);
                hasher.finish()
            };
            entries.iter().map(entry).fold(0, u64::wrapping_add).hash(hasher);
        }
        Datum::Range { lower, upper } => (lower, upper).hash(hasher),
        Datum::Unknown | Datum::Nil | Datum::Timestamp(_) | Datum::Version(_) => {}
    }
}

fn hash_float(value: f64, hasher: &mut FxHasher) {
    // 0.0 and −0.0 are equal.
    (value + 0.0).to_bits().hash(hasher);
}

#[cfg(test)]
mod tests {
    use super::*;

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
