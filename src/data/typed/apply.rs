//! Functions on values: comparisons and computation with strings, lists and maps (2.0, 10.2.2 to 10.2.4).

use std::cmp::Ordering;

use super::arithmetic::{Computed, ScalarType, arithmetic, combine};
use super::datum::{Datum, any, contains};
use super::lookup::{Lookup, are_alike};
use super::pattern;
use crate::value::Number;

/// Computes a function. `written` writes a number in the canonical unit of a scalar type.
pub(crate) fn compute(name: &str, arguments: &[Datum], written: impl Fn(ScalarType, &Number) -> String) -> Computed {
    match apply(name, arguments) {
        Datum::Unknown => arithmetic(name, arguments, written),
        datum => Computed::Value(datum),
    }
}

/// Computes a function without arithmetic.
pub(crate) fn apply(name: &str, arguments: &[Datum]) -> Datum {
    let truth = |condition: Option<bool>| condition.map_or(Datum::Unknown, Datum::Boolean);
    let order = |fits: fn(Ordering) -> bool| match arguments {
        // A missing value is neither less nor greater than any other.
        [Datum::Nil, b] | [b, Datum::Nil] if *b != Datum::Unknown => Datum::Boolean(false),
        [a, b] => truth(a.compare(b).map(fits)),
        _ => Datum::Unknown,
    };
    match (name, arguments) {
        // A single argument may be decisive, whatever the others are.
        ("and" | "or", conditions) => {
            let decides = name == "or";
            let decided = any(conditions.iter().map(|condition| match condition {
                Datum::Boolean(condition) => Some(*condition == decides),
                _ => None,
            }));
            truth(decided.map(|decided| decided == decides))
        }
        ("not", [Datum::Boolean(value)]) => Datum::Boolean(!value),
        ("xor", [Datum::Boolean(a), Datum::Boolean(b)]) => Datum::Boolean(a != b),
        ("equal", [a, b]) => truth(a.equals(b)),
        ("greater_than", _) => order(Ordering::is_gt),
        ("greater_or_equal", _) => order(Ordering::is_ge),
        ("less_than", _) => order(Ordering::is_lt),
        ("less_or_equal", _) => order(Ordering::is_le),
        ("valid_values", [value, Datum::List(list)]) => truth(contains(list, value)),
        ("has_entry", [Datum::List(list), value]) => truth(contains(list, value)),
        ("has_entry", [Datum::Map(map), value]) => truth(contains(&values(map), value)),
        ("has_all_entries", [Datum::List(list), Datum::List(wanted)]) => truth(contains_all(list, wanted)),
        ("has_all_entries", [Datum::Map(map), Datum::List(wanted)]) => truth(contains_all(&values(map), wanted)),
        ("has_any_entry", [Datum::List(list), Datum::List(wanted)]) => truth(contains_any(list, wanted)),
        ("has_any_entry", [Datum::Map(map), Datum::List(wanted)]) => truth(contains_any(&values(map), wanted)),
        ("has_key", [Datum::Map(map), key]) => truth(contains(&keys(map), key)),
        ("has_all_keys", [Datum::Map(map), Datum::List(wanted)]) => truth(contains_all(&keys(map), wanted)),
        ("has_any_key", [Datum::Map(map), Datum::List(wanted)]) => truth(contains_any(&keys(map), wanted)),
        ("has_prefix", [Datum::String(text), Datum::String(part)]) => Datum::Boolean(text.starts_with(part)),
        ("has_suffix", [Datum::String(text), Datum::String(part)]) => Datum::Boolean(text.ends_with(part)),
        ("contains", [Datum::String(text), Datum::String(part)]) => Datum::Boolean(text.contains(part)),
        ("has_prefix", [Datum::List(list), Datum::List(part)]) => truth(starts_with(list, part)),
        ("has_suffix", [Datum::List(list), Datum::List(part)]) => {
            truth(list.len().checked_sub(part.len()).map_or(Some(false), |start| starts_with(&list[start..], part)))
        }
        ("contains", [Datum::List(list), Datum::List(part)]) => {
            truth(any((0..=list.len()).map(|start| starts_with(&list[start..], part))))
        }
        ("matches", [Datum::String(text), Datum::String(pattern)]) => truth(pattern::is_match(pattern, text)),
        ("length", [value]) => length(value),
        ("concat", parts) => concat(parts),
        ("union" | "intersection", lists) => combine(name, lists),
        ("join", [Datum::List(parts)]) => join(parts, ""),
        ("join", [Datum::List(parts), Datum::String(delimiter)]) => join(parts, delimiter),
        ("token", [Datum::String(text), Datum::String(separators), Datum::Integer(index)]) => {
            let parts = text.split(|letter| separators.contains(letter));
            let part = usize::try_from(*index).ok().and_then(|index| parts.into_iter().nth(index));
            part.map_or(Datum::Unknown, |part| Datum::String(part.to_owned()))
        }
        _ => Datum::Unknown,
    }
}

/// Returns the effort of comparing each item of one list with each item of the other; 0 if this is unnecessary.
pub(crate) fn comparisons(name: &str, arguments: &[Datum]) -> usize {
    const AT_ONCE: usize = 8;
    let length = |value: &Datum| match value {
        Datum::List(items) => items.len(),
        Datum::Map(entries) => entries.len(),
        _ => 0,
    };
    match (name, arguments) {
        ("has_all_entries" | "has_any_entry", [Datum::List(list), Datum::List(wanted)]) if are_alike(list, wanted) => 0,
        ("has_all_entries" | "has_any_entry" | "contains", [list, wanted]) => {
            length(list).saturating_mul(length(wanted)) / AT_ONCE
        }
        _ => 0,
    }
}

fn values(map: &[(String, Datum)]) -> Vec<Datum> {
    map.iter().map(|(_, value)| value.clone()).collect()
}

fn keys(map: &[(String, Datum)]) -> Vec<Datum> {
    map.iter().map(|(key, _)| Datum::String(key.clone())).collect()
}

fn contains_all(list: &[Datum], wanted: &[Datum]) -> Option<bool> {
    if are_alike(list, wanted) {
        let list: Lookup<'_> = list.iter().collect();
        return Some(wanted.iter().all(|value| list.contains(value)));
    }
    any(wanted.iter().map(|value| contains(list, value).map(|found| !found))).map(|lacks| !lacks)
}

fn contains_any(list: &[Datum], wanted: &[Datum]) -> Option<bool> {
    if are_alike(list, wanted) {
        let list: Lookup<'_> = list.iter().collect();
        return Some(wanted.iter().any(|value| list.contains(value)));
    }
    any(wanted.iter().map(|value| contains(list, value)))
}

fn starts_with(list: &[Datum], part: &[Datum]) -> Option<bool> {
    if list.len() < part.len() {
        return Some(false);
    }
    any(list.iter().zip(part).map(|(item, wanted)| item.equals(wanted).map(|equal| !equal))).map(|differs| !differs)
}

fn length(value: &Datum) -> Datum {
    let length = match value {
        Datum::String(text) => text.chars().count(),
        Datum::Bytes(bytes) => bytes.len(),
        Datum::List(items) => items.len(),
        Datum::Map(entries) => entries.len(),
        _ => return Datum::Unknown,
    };
    i64::try_from(length).map_or(Datum::Unknown, Datum::Integer)
}

fn concat(parts: &[Datum]) -> Datum {
    if parts.iter().all(|part| matches!(part, Datum::String(_))) {
        return join(parts, "");
    }
    let lists: Option<Vec<&[Datum]>> = parts
        .iter()
        .map(|part| match part {
            Datum::List(list) => Some(&list[..]),
            _ => None,
        })
        .collect();
    lists.map_or(Datum::Unknown, |lists| Datum::List(lists.concat()))
}

fn join(parts: &[Datum], delimiter: &str) -> Datum {
    let parts: Option<Vec<&str>> = parts
        .iter()
        .map(|part| match part {
            Datum::String(text) => Some(&text[..]),
            _ => None,
        })
        .collect();
    parts.map_or(Datum::Unknown, |parts| Datum::String(parts.join(delimiter)))
}
