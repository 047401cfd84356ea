//! Collections of any kind.

use std::collections::VecDeque;

use foldhash::HashSet;

use super::Table;
use super::number::larger;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result, type_error, value_error};
use crate::function::Call;
use crate::iterate::Items;
use crate::lambda::Lambda;
use crate::operator;
use crate::syntax::Operator;
use crate::value::Value;

pub(super) const TABLE: Table = &[
    (".select(collection: Iterable, selector: Lambda)", select),
    (".map(collection: Iterable, selector: Lambda)", select),
    (".where(collection: Iterable, predicate: Lambda)", filter),
    (".filter(collection: Iterable, predicate: Lambda)", filter),
    (".selectMany(collection: Iterable, selector: Lambda)", select_many),
    (".take(collection: Iterable, count: int)", take),
    (".limit(collection: Iterable, count: int)", take),
    (".skip(collection: Iterable, count: int)", |call| {
        let (items, mut count) = (call.items(0), not_negative(call.number(1))?);
        let next = move || {
            while count > 0 {
                count -= 1;
                if items.next()?.is_none() {
                    return Ok(None);
                }
            }
            items.next()
        };
        Ok(call.lazily(next).into())
    }),
    (".takeWhile(collection: Iterable, predicate: Lambda)", |call| {
        let (items, predicate, mut ended) = (call.items(0), call.demanded_lambda(1)?, false);
        let next = move || match if ended { None } else { items.next()? } {
            Some(item) if holds(&predicate, &item)? => Ok(Some(item)),
            _ => {
                ended = true;
                Ok(None)
            }
        };
        Ok(call.lazily(next).into())
    }),
    (".skipWhile(collection: Iterable, predicate: Lambda)", |call| {
        let (items, predicate, mut begun) = (call.items(0), call.demanded_lambda(1)?, false);
        let next = move || loop {
            let item = items.next()?;
            match &item {
                Some(value) if !begun && holds(&predicate, value)? => {}
                _ => {
                    begun = true;
                    return Ok(item);
                }
            }
        };
        Ok(call.lazily(next).into())
    }),
    ("±append(collection: Iterable, *args: any)", |call| {
        let further = Items::computed(call.rest_values(), call.context.meter())?;
        Ok(chained(call, vec![call.items(0), further]).into())
    }),
    ("±concat(*collections: Iterable)", |call| {
        let collections = call.rest_values().iter().filter_map(|value| value.items(call.context)).collect();
        Ok(chained(call, collections).into())
    }),
    ("±distinct(collection: Iterable, keySelector: Lambda=null)", |call| {
        let (items, selector, mut seen) = (call.items(0), call.lambda(1), Seen::new(call.context));
        let next = move || {
            while let Some(item) = items.next()? {
                if seen.insert(selected(selector.as_ref(), &item)?)? {
                    return Ok(Some(item));
                }
            }
            Ok(None)
        };
        Ok(call.lazily(next).into())
    }),
    ("±enumerate(collection: Iterable, start: int?=0)", |call| {
        let (items, mut number) = (call.items(0), call.number(1));
        let next = move || {
            let item = items.next()?;
            number += 1;
            Ok(item.map(|item| Value::list(vec![Value::from(number - 1), item])))
        };
        Ok(call.lazily(next).into())
    }),
    (".zip(*collections: Iterable)", |call| {
        let collections = all_items(call);
        let next = move || {
            let row = collections.iter().map(Items::next).collect::<Result<Option<Vec<_>>>>()?;
            Ok(row.filter(|row| !row.is_empty()).map(Value::list))
        };
        Ok(call.lazily(next).into())
    }),
    (".zipLongest(*collections: Iterable, **kwargs: any)", |call| Ok(zip_longest(call))),
    (".join(collection1: Iterable, collection2: Iterable, predicate: Lambda, selector: Lambda)", join),
    (
        ".groupBy(collection: Iterable, keySelector: Lambda, valueSelector: Lambda=null, aggregator: Lambda=null)",
        |call| super::list::group(call),
    ),
    (".cycle(collection: Iterable)", |call| {
        let (items, mut seen, mut at) = (call.items(0), Vec::new(), None);
        let meter = call.context.meter().clone();
        let next = move || {
            if at.is_none()
                && let Some(item) = items.next()?
            {
                meter.keep(&item)?;
                seen.push(item.clone());
                return Ok(Some(item));
            }
            let index: usize = at.unwrap_or(0);
            at = Some(if index + 1 < seen.len() { index + 1 } else { 0 });
            Ok(seen.get(index).cloned())
        };
        Ok(call.lazily(next).into())
    }),
    (".memorize(collection: Iterable)", |call| Ok(Value::list(call.collected(0)?))),
    (".defaultIfEmpty(collection: Iterable, default: Iterable)", |call| {
        let items = call.items(0);
        let Some(first) = items.next()? else { return Ok(call.value(1)) };
        // A list stays a list, which counts negative positions from its end.
        if matches!(call.value(0), Value::List(_) | Value::Set(_)) {
            return Ok(call.value(0));
        }
        let mut first = Some(first);
        let next = move || match first.take() {
            Some(first) => Ok(Some(first)),
            None => items.next(),
        };
        Ok(call.lazily(next).into())
    }),
    (".flatten(collection: Iterable)", |call| Ok(flatten(call))),
    (".accumulate(collection: Iterable, selector: Lambda, seed: any=∅)", accumulate),
    (".aggregate(collection: Iterable, selector: Lambda, seed: any=∅)", aggregate),
    (".reduce(collection: Iterable, selector: Lambda, seed: any=∅)", aggregate),
    (".sum(collection: Iterable, initial: any=∅)", |call| {
        let context = call.context.clone();
        fold(call, "sum", call.optional_value(1), move |total, item| {
            let sum = operator::binary(&context, Operator::Plus, &total, &item)?;
            sum.ok_or_else(|| operator::misfit(Operator::Plus, &total, &item))
        })
    }),
    (".max(collection: Iterable, initial: any=∅)", |call| {
        fold(call, "max", call.optional_value(1), |best, item| larger(best, item, Operator::GreaterOrEqual))
    }),
    (".min(collection: Iterable, initial: any=∅)", |call| {
        fold(call, "min", call.optional_value(1), |best, item| larger(best, item, Operator::Less))
    }),
    (".first(collection: Iterable, default: any=∅)", |call| {
        call.items(0).next()?.or_else(|| call.optional_value(1)).ok_or_else(empty)
    }),
    (".last(collection: Iterable, default: any=∅)", |call| {
        let items = call.items(0);
        let mut last = None;
        while let Some(item) = items.next()? {
            last = Some(item);
        }
        last.or_else(|| call.optional_value(1)).ok_or_else(empty)
    }),
    (".single(collection: Iterable)", |call| {
        let items = call.items(0);
        match (items.next()?, items.next()?) {
            (Some(only), None) => Ok(only),
            _ => Err(empty()),
        }
    }),
    ("±any(collection: Iterable, predicate: Lambda=null)", |call| {
        let (items, predicate) = (call.items(0), call.lambda(1));
        while let Some(item) = items.next()? {
            if predicate.as_ref().map_or(Ok(true), |predicate| holds(predicate, &item))? {
                return Ok(true.into());
            }
        }
        Ok(false.into())
    }),
    ("±all(collection: Iterable, predicate: Lambda=null)", |call| {
        let (items, predicate) = (call.items(0), call.lambda(1));
        while let Some(item) = items.next()? {
            if !selected(predicate.as_ref(), &item)?.is_truthy() {
                return Ok(false.into());
            }
        }
        Ok(true.into())
    }),
    (".contains(collection: Iterable, value: any)", |call| {
        let value = call.value(1);
        Ok((position(call, |item| is_equal(call, item, &value))?.is_some()).into())
    }),
    (".indexOf(collection: Iterable, item: any)", |call| {
        let value = call.value(1);
        position(call, |item| is_equal(call, item, &value)).map(index)
    }),
    (".lastIndexOf(collection: Iterable, item: any)", |call| {
        let value = call.value(1);
        last_position(call, |item| is_equal(call, item, &value)).map(index)
    }),
    (".indexWhere(collection: Iterable, predicate: Lambda)", |call| {
        let predicate = call.demanded_lambda(1)?;
        position(call, |item| holds(&predicate, item)).map(index)
    }),
    (".lastIndexWhere(collection: Iterable, predicate: Lambda)", |call| {
        let predicate = call.demanded_lambda(1)?;
        last_position(call, |item| holds(&predicate, item)).map(index)
    }),
    (".count(collection: Iterable)", count),
    ("±len(collection: Iterator)", count),
    (".toList(collection: Iterable)", |call| Ok(Value::list(call.collected(0)?))),
    (".toDict(collection: Iterable, keySelector: Lambda, valueSelector: Lambda=null)", |call| {
        let (keys, values) = (call.demanded_lambda(1)?, call.lambda(2));
        let entry =
            |item: Value| Ok((keys.call([item.clone()])?.finalize(call.context)?, selected(values.as_ref(), &item)?));
        call.collected(0)?.into_iter().map(entry).collect::<Result<Vec<_>>>().map(Value::dict)
    }),
];

/// The values that have already occurred.
pub(super) struct Seen {
    values: HashSet<Value>,
    context: Context,
}

impl Seen {
    pub(super) fn new(context: &Context) -> Self {
        Self { values: HashSet::default(), context: context.clone() }
    }

    /// Adds a value; returns whether it occurs for the first time.
    pub(super) fn insert(&mut self, value: Value) -> Result<bool> {
        self.context.meter().look_through(value.weight())?;
        self.context.meter().keep(&value)?;
        Ok(self.values.insert(value))
    }
}

fn is_equal(call: &Call<'_>, item: &Value, value: &Value) -> Result<bool> {
    call.context.meter().look_through(item.weight().min(value.weight()))?;
    Ok(item == value)
}

pub(super) fn empty() -> Error {
    Error::new(ErrorKind::EmptyCollection, "the collection has no such item")
}

pub(super) fn holds(predicate: &Lambda, item: &Value) -> Result<bool> {
    Ok(predicate.call([item.clone()])?.is_truthy())
}

/// Returns the result of the selector for an item; the item itself without a selector.
pub(super) fn selected(selector: Option<&Lambda>, item: &Value) -> Result<Value> {
    selector.map_or_else(|| Ok(item.clone()), |selector| selector.call([item.clone()]))
}

fn not_negative(number: i64) -> Result<usize> {
    usize::try_from(number).map_err(|_| value_error("the number of items must not be below zero"))
}

fn index(found: Option<usize>) -> Value {
    found.map_or_else(|| Value::from(-1_i64), Value::integer)
}

fn position(call: &Call<'_>, mut is: impl FnMut(&Value) -> Result<bool>) -> Result<Option<usize>> {
    let items = call.items(0);
    let mut at = 0;
    while let Some(item) = items.next()? {
        if is(&item)? {
            return Ok(Some(at));
        }
        at += 1;
    }
    Ok(None)
}

fn last_position(call: &Call<'_>, mut is: impl FnMut(&Value) -> Result<bool>) -> Result<Option<usize>> {
    let mut last = None;
    for (at, item) in call.collected(0)?.iter().enumerate() {
        if is(item)? {
            last = Some(at);
        }
    }
    Ok(last)
}

fn count(call: &mut Call<'_>) -> Result<Value> {
    let items = call.items(0);
    let mut count = 0_usize;
    while items.next()?.is_some() {
        count += 1;
    }
    Ok(Value::integer(count))
}

fn chained(call: &Call<'_>, collections: Vec<Items>) -> Items {
    let mut collections: VecDeque<_> = collections.into();
    call.lazily(move || {
        while let Some(items) = collections.front() {
            if let Some(item) = items.next()? {
                return Ok(Some(item));
            }
            collections.pop_front();
        }
        Ok(None)
    })
}

fn all_items(call: &Call<'_>) -> Vec<Items> {
    call.rest_values().iter().filter_map(|value| value.items(call.context)).collect()
}

pub(super) fn select(call: &mut Call<'_>) -> Result<Value> {
    let (items, selector) = (call.items(0), call.demanded_lambda(1)?);
    let next = move || match items.next()? {
        Some(item) => selector.call([item]).map(Some),
        None => Ok(None),
    };
    Ok(call.lazily(next).into())
}

pub(super) fn filter(call: &mut Call<'_>) -> Result<Value> {
    let (items, predicate) = (call.items(0), call.demanded_lambda(1)?);
    let next = move || {
        while let Some(item) = items.next()? {
            if holds(&predicate, &item)? {
                return Ok(Some(item));
            }
        }
        Ok(None)
    };
    Ok(call.lazily(next).into())
}

fn select_many(call: &mut Call<'_>) -> Result<Value> {
    let (items, selector, context) = (call.items(0), call.demanded_lambda(1)?, call.context.clone());
    let mut inner: Option<Items> = None;
    let next = move || loop {
        if let Some(item) = inner.as_ref().map_or(Ok(None), Items::next)? {
            return Ok(Some(item));
        }
        inner = None;
        let Some(item) = items.next()? else { return Ok(None) };
        let many = selector.call([item])?;
        match many.items(&context) {
            Some(items) => inner = Some(items),
            None => return Ok(Some(many)),
        }
    };
    Ok(call.lazily(next).into())
}

fn take(call: &mut Call<'_>) -> Result<Value> {
    let (items, mut count) = (call.items(0), not_negative(call.number(1))?);
    let next = move || {
        if count == 0 {
            return Ok(None);
        }
        count -= 1;
        items.next()
    };
    Ok(call.lazily(next).into())
}

fn zip_longest(call: &Call<'_>) -> Value {
    let collections = all_items(call);
    let default =
        call.named.iter().find(|(name, _)| **name == *"default").map_or(Value::Null, |(_, value)| value.clone());
    let next = move || {
        let row = collections.iter().map(Items::next).collect::<Result<Vec<_>>>()?;
        let some = row.iter().any(Option::is_some);
        Ok(some.then(|| Value::list(row.into_iter().map(|item| item.unwrap_or_else(|| default.clone())).collect())))
    };
    call.lazily(next).into()
}

fn join(call: &mut Call<'_>) -> Result<Value> {
    let (left, right) = (call.items(0), call.context.meter().kept(call.collected(1)?)?);
    let (predicate, selector) = (call.demanded_lambda(2)?, call.demanded_lambda(3)?);
    let mut current: Option<(Value, usize)> = None;
    let next = move || loop {
        let (ours, at) = match current.take() {
            Some((ours, at)) if at < right.len() => (ours, at),
            _ => match left.next()? {
                Some(ours) if !right.is_empty() => (ours, 0),
                Some(_) => continue,
                None => return Ok(None),
            },
        };
        let theirs = right[at].clone();
        current = Some((ours.clone(), at + 1));
        predicate.context().meter().spend(1)?;
        if predicate.call([ours.clone(), theirs.clone()])?.is_truthy() {
            return selector.call([ours, theirs]).map(Some);
        }
    };
    Ok(call.lazily(next).into())
}

/// Flattens collections in collections, except strings and dictionaries.
pub(super) fn flatten(call: &Call<'_>) -> Value {
    let (mut stack, context) = (vec![call.items(0)], call.context.clone());
    let next = move || {
        while let Some(items) = stack.last() {
            context.meter().spend(1)?;
            match items.next()? {
                None => {
                    stack.pop();
                }
                Some(item) if matches!(item, Value::Dict(_)) => return Ok(Some(item)),
                Some(item) => match item.items(&context) {
                    Some(inner) => stack.push(inner),
                    None => return Ok(Some(item)),
                },
            }
        }
        Ok(None)
    };
    call.lazily(next).into()
}

fn without_initial(name: &str) -> Error {
    type_error(format!("{name}() of empty sequence with no initial value"))
}

/// Combines each item with the result for the items before it.
fn fold(
    call: &Call<'_>,
    name: &str,
    seed: Option<Value>,
    mut combine: impl FnMut(Value, Value) -> Result<Value>,
) -> Result<Value> {
    let items = call.items(0);
    let mut total = match seed {
        Some(seed) => seed,
        None => items.next()?.ok_or_else(|| without_initial(name))?,
    };
    while let Some(item) = items.next()? {
        total = combine(total, item)?;
        call.context.meter().check_value(&total)?;
    }
    Ok(total)
}

fn aggregate(call: &mut Call<'_>) -> Result<Value> {
    let selector = call.demanded_lambda(1)?;
    fold(call, "reduce", call.optional_value(2), |total, item| selector.call([total, item]))
}

fn accumulate(call: &mut Call<'_>) -> Result<Value> {
    let (items, selector, mut seed) = (call.items(0), call.demanded_lambda(1)?, call.optional_value(2));
    let mut total: Option<Value> = None;
    let next = move || {
        let next = match (total.take(), seed.take()) {
            (Some(total), _) => match items.next()? {
                Some(item) => selector.call([total, item])?,
                None => return Ok(None),
            },
            (None, Some(seed)) => seed,
            (None, None) => items.next()?.ok_or_else(|| without_initial("accumulate"))?,
        };
        selector.context().meter().check_value(&next)?;
        total = Some(next.clone());
        Ok(Some(next))
    };
    Ok(call.lazily(next).into())
}
