//! Functions on lists and those that split collections.

use super::collection::{holds, selected};
use super::{Table, count_or};
use crate::error::{ErrorKind, Result, value_error};
use crate::function::Call;
use crate::lambda::Lambda;
use crate::meter::Gathered;
use crate::value::Value;

pub(super) const TABLE: Table = &[
    ("list(*args: any)", |call| {
        let mut list = Gathered::new(call.context.meter());
        call.rest_values().into_iter().try_for_each(|value| expand(call, &mut list, value))?;
        list.value()
    }),
    ("±len(sequence: Sequence)", |call| Ok(Value::integer(call.value(0).as_list().map_or(0, <[_]>::len)))),
    (".reverse(collection: Iterable)", |call| {
        let mut list = call.collected(0)?;
        list.reverse();
        call.computed(list)
    }),
    (".insert(collection: Sequence, position: int, value: any)", |call| {
        let (mut list, position) = (call.collected(0)?, call.number(1));
        let length = list.len();
        let from_end = || length.saturating_sub(usize::try_from(position.unsigned_abs()).unwrap_or(usize::MAX));
        let at = usize::try_from(position).map_or_else(|_| from_end(), |position| position.min(length));
        list.insert(at, call.value(2));
        Ok(Value::list(list))
    }),
    (".insert(collection: Iterable, position: int, value: any)", |call| {
        let value = call.value(2);
        let mut list = call.collected(0)?;
        if let Ok(position) = usize::try_from(call.number(1)) {
            list.insert(position.min(list.len()), value);
        }
        call.computed(list)
    }),
    (".insertMany(collection: Iterable, position: int, values: Iterable)", |call| {
        let values = call.collected(2)?;
        let mut list = call.collected(0)?;
        let at = usize::try_from(call.number(1)).map_or(0, |position| position.min(list.len()));
        list.splice(at..at, values);
        call.computed(list)
    }),
    (".delete(collection: Iterable, position: int, count: int=1)", |call| spliced(call, call.number(2), Vec::new())),
    (".replace(collection: Iterable, position: int, value: any, count: int=1)", |call| {
        let value = call.value(2);
        spliced(call, call.number(3), vec![value])
    }),
    (".replaceMany(collection: Iterable, position: int, values: Iterable, count: int=1)", |call| {
        let values = call.collected(2)?;
        spliced(call, call.number(3), values)
    }),
    (".slice(collection: Iterable, length: int)", |call| {
        let length = count_or(call.number(1), 0);
        if length == 0 {
            return Err(value_error("the length of slices must be above zero"));
        }
        let items = call.collected(0)?;
        call.context.meter().check_parts(items.len() / length + items.len())?;
        let mut slices = Gathered::new(call.context.meter());
        items.chunks(length).try_for_each(|chunk| slices.push(Value::list(chunk.to_vec())))?;
        call.computed(slices.items()?)
    }),
    (".splitWhere(collection: Iterable, predicate: Lambda)", |call| {
        let predicate = call.demanded_lambda(1)?;
        let (mut parts, mut part) = (Gathered::new(call.context.meter()), Vec::new());
        for item in call.collected(0)? {
            if holds(&predicate, &item)? {
                parts.push(Value::list(std::mem::take(&mut part)))?;
            } else {
                part.push(item);
            }
        }
        if !part.is_empty() {
            parts.push(Value::list(part))?;
        }
        call.computed(parts.items()?)
    }),
    (".sliceWhere(collection: Iterable, predicate: Lambda)", |call| {
        let predicate = call.demanded_lambda(1)?;
        let mut parts = Gathered::new(call.context.meter());
        let (mut last, mut part) = (None, Vec::new());
        for item in call.collected(0)? {
            let key = predicate.call([item.clone()])?;
            call.context.meter().look_through(key.weight())?;
            let key = Some(key);
            if key != last && !part.is_empty() {
                parts.push(Value::list(std::mem::take(&mut part)))?;
            }
            part.push(item);
            last = key;
        }
        if !part.is_empty() {
            parts.push(Value::list(part))?;
        }
        call.computed(parts.items()?)
    }),
    (".splitAt(collection: Iterable, index: int)", |call| {
        let (list, index) = (call.collected(0)?, call.number(1));
        let from_end = || list.len().saturating_sub(usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX));
        let at = usize::try_from(index).map_or_else(|_| from_end(), |index| index.min(list.len()));
        let (head, tail) = list.split_at(at);
        Ok(Value::list(vec![Value::list(head.to_vec()), Value::list(tail.to_vec())]))
    }),
];

/// Adds a value to a list, or the items of an iterator or view, including those of iterators in it. Sorted collections
/// are values.
fn expand(call: &Call<'_>, list: &mut Gathered, value: Value) -> Result<()> {
    let is_expanded = match &value {
        Value::Iterator(items) => items.ordering.is_none(),
        value => matches!(value, Value::View(..)),
    };
    let Some(items) = value.items(call.context).filter(|_| is_expanded) else { return list.push(value) };
    while let Some(item) = items.next()? {
        call.context.meter().deeper(|| expand(call, list, item))?;
    }
    Ok(())
}

/// Replaces the given number of items starting at a position, or all remaining items if the number is negative. A
/// negative position is before the first item.
fn spliced(call: &Call<'_>, count: i64, values: Vec<Value>) -> Result<Value> {
    let mut list = call.collected(0)?;
    let position = call.number(1);
    let place = |at: i64| usize::try_from(at.max(0)).unwrap_or(usize::MAX).min(list.len());
    let start = place(position);
    let end = if count < 0 { list.len() } else { place(position.saturating_add(count)) };
    if start < end {
        list.splice(start..end, values);
    }
    call.computed(list)
}

pub(super) fn group(call: &Call<'_>) -> Result<Value> {
    let (key_of, value_of, aggregator) = (call.demanded_lambda(1)?, call.lambda(2), call.lambda(3));
    let mut groups = indexmap::IndexMap::<Value, Vec<Value>, foldhash::fast::RandomState>::default();
    for item in call.collected(0)? {
        let key = key_of.call([item.clone()])?.finalize(call.context)?;
        call.context.meter().look_through(key.weight())?;
        call.context.meter().keep(&key)?;
        call.context.meter().keep(&item)?;
        groups.entry(key).or_default().push(selected(value_of.as_ref(), &item)?);
    }
    let (aggregate, mut pairs) = (Aggregate(aggregator), Gathered::new(call.context.meter()));
    for (key, items) in groups {
        pairs.push(aggregate.apply(key, Value::list(items))?)?;
    }
    call.computed(pairs.items()?)
}

/// The aggregator of `groupBy`, which is applied to the items of a group. In older expressions, it is applied to the
/// pair of key and items, and returns a pair.
struct Aggregate(Option<Lambda>);

impl Aggregate {
    fn apply(&self, key: Value, items: Value) -> Result<Value> {
        let Some(aggregator) = &self.0 else {
            return Ok(Value::list(vec![key, items]));
        };
        let finalize = |value: Value| value.finalize(aggregator.context());
        match aggregator.call([items.clone()]).and_then(finalize) {
            Ok(value) => Ok(Value::list(vec![key, value])),
            Err(error) if is_misfit(error.kind()) => {
                let pair = Value::list(vec![key, items]);
                let result = aggregator.call([pair]).and_then(finalize);
                result.ok().filter(|result| result.as_list().is_some_and(|pair| pair.len() == 2)).ok_or(error)
            }
            Err(error) => Err(error),
        }
    }
}

/// Returns whether a function does not accept its arguments.
fn is_misfit(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::NoMatchingFunction
            | ErrorKind::NoMatchingMethod
            | ErrorKind::NoFunction
            | ErrorKind::NoMethod
            | ErrorKind::Index
    )
}
