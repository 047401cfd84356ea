//! Sorting.

use std::cmp;
use std::rc::Rc;

use super::Table;
use crate::error::Result;
use crate::function::Call;
use crate::iterate::Items;
use crate::lambda::Lambda;
use crate::operator::{compare, misfit};
use crate::syntax::Operator;
use crate::value::{NestedCollection, Value};

pub(super) const TABLE: Table = &[
    (".orderBy(collection: Iterable, selector: Lambda)", |call| order(call, false)),
    (".orderByDescending(collection: Iterable, selector: Lambda)", |call| order(call, true)),
    (".thenBy(collection: OrderingIterable, selector: Lambda)", |call| refine(call, false)),
    (".thenByDescending(collection: OrderingIterable, selector: Lambda)", |call| refine(call, true)),
];

/// A sorted collection, whose items can be taken any number of times, and its original items and keys, for `thenBy`.
pub(crate) struct Ordering {
    sorted: Rc<NestedCollection<Vec<Value>>>,
    items: Rc<NestedCollection<Vec<Value>>>,
    keys: Vec<Key>,
}

impl Ordering {
    pub(crate) fn depth(&self) -> u32 {
        self.sorted.iter().map(Value::depth).max().unwrap_or(0)
    }

    pub(crate) fn get(&self, index: usize) -> Option<Value> {
        self.sorted.get(index).cloned()
    }
}

#[derive(Clone)]
struct Key {
    selector: Lambda,
    descending: bool,
}

fn order(call: &Call<'_>, descending: bool) -> Result<Value> {
    let selector = call.demanded_lambda(1)?;
    sorted(call, call.collected(0)?, vec![Key { selector, descending }])
}

fn refine(call: &Call<'_>, descending: bool) -> Result<Value> {
    let selector = call.demanded_lambda(1)?;
    let Value::Iterator(items) = call.value(0) else { return Ok(Value::Null) };
    let Some(ordering) = items.ordering else { return Ok(Value::Null) };
    let mut keys = ordering.keys.clone();
    keys.push(Key { selector, descending });
    sorted(call, ordering.items.to_vec(), keys)
}

fn sorted(call: &Call<'_>, items: Vec<Value>, keys: Vec<Key>) -> Result<Value> {
    if items.len() < 2 {
        let items = call.context.meter().kept(items)?;
        return Ok(Items::sorted(Ordering { sorted: items.clone(), items, keys }).into());
    }
    let mut rows = Vec::with_capacity(items.len());
    let mut weight = 0_u64;
    for item in &items {
        let values = keys.iter().map(|key| key.selector.call([item.clone()])).collect::<Result<Vec<_>>>()?;
        weight = values.iter().fold(weight, |weight, value| weight.saturating_add(value.weight()));
        values.iter().try_for_each(|value| call.context.meter().check_value(value))?;
        rows.push((values, item.clone()));
    }
    // Sorting compares each key about log₂(n) times.
    call.context.meter().look_through(weight.saturating_mul(u64::from(items.len().max(1).ilog2())))?;
    // Sorting can't be aborted, so the first failure is kept and returned at the end.
    let mut failure = None;
    rows.sort_by(|(left, _), (right, _)| {
        compare_rows(left, right, &keys).unwrap_or_else(|error| {
            failure.get_or_insert(error);
            cmp::Ordering::Equal
        })
    });
    match failure {
        Some(error) => Err(error),
        None => {
            let sorted = rows.into_iter().map(|(_, item)| item).collect();
            let meter = call.context.meter();
            Ok(Items::sorted(Ordering { sorted: meter.kept(sorted)?, items: meter.kept(items)?, keys }).into())
        }
    }
}

fn compare_rows(left: &[Value], right: &[Value], keys: &[Key]) -> Result<cmp::Ordering> {
    for ((left, right), key) in left.iter().zip(right).zip(keys) {
        let ordering = if holds(Operator::Less, left, right)? {
            cmp::Ordering::Less
        } else if holds(Operator::Greater, left, right)? {
            cmp::Ordering::Greater
        } else {
            continue;
        };
        return Ok(if key.descending { ordering.reverse() } else { ordering });
    }
    Ok(cmp::Ordering::Equal)
}

fn holds(operator: Operator, left: &Value, right: &Value) -> Result<bool> {
    compare(operator, left, right).ok_or_else(|| misfit(operator, left, right))
}
