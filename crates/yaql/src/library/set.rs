//! Sets.

use super::Table;
use crate::function::Call;
use crate::operator::difference;
use crate::value::{Set, Value};

pub(super) const TABLE: Table = &[
    ("set(*args: any)", |call| {
        let mut elements = Vec::new();
        for value in call.rest_values() {
            // An iterator stands for its items.
            let items = if matches!(value, Value::Iterator(_)) { value.items(call.context) } else { None };
            let Some(items) = items else {
                elements.push(value.finalize(call.context)?);
                continue;
            };
            while let Some(item) = items.next()? {
                elements.push(item.finalize(call.context)?);
            }
        }
        Ok(Value::set(elements))
    }),
    (".toSet(collection: Iterable)", |call| Ok(Value::set(call.collected(0)?))),
    (".union(left: set, right: set)", |call| Ok(Value::set(elements(call, 0).into_iter().chain(elements(call, 1))))),
    (".intersect(left: set, right: set)", |call| {
        let (left, right) = (elements(call, 0), elements(call, 1));
        Ok(Value::set(left.into_iter().filter(|element| right.contains(element))))
    }),
    (".difference(left: set, right: set)", |call| Ok(difference(&elements(call, 0), &elements(call, 1)))),
    (".symmetricDifference(left: set, right: set)", |call| {
        let (left, right) = (elements(call, 0), elements(call, 1));
        Ok(Value::set(left.symmetric_difference(&right).cloned()))
    }),
    (".add(set: set, *values: any)", |call| Ok(Value::set(elements(call, 0).into_iter().chain(call.rest_values())))),
    (".remove(set: set, *values: any)", |call| {
        Ok(difference(&elements(call, 0), &call.rest_values().into_iter().collect()))
    }),
    ("±len(set: set)", |call| Ok(Value::integer(elements(call, 0).len()))),
];

/// Returns the elements of a set or of a view that is one.
fn elements(call: &Call<'_>, index: usize) -> Set {
    match call.value(index) {
        Value::Set(elements) => elements.content().clone(),
        _ => call.collected(index).unwrap_or_default().into_iter().collect(),
    }
}
