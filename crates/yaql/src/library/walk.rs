//! Generators of collections.

use std::collections::VecDeque;

use super::Table;
use super::collection::{Seen, holds, selected};
use crate::error::{Result, value_error};
use crate::function::Call;
use crate::iterate::Items;
use crate::value::Value;

pub(super) const TABLE: Table = &[
    ("range(stop: int)", |call| Ok(range(0, Some(call.number(0)), 1).into())),
    ("range(start: int, stop: int, step: int=1)", |call| match call.number(2) {
        0 => Err(value_error("range() arg 3 must not be zero")),
        step => Ok(range(call.number(0), Some(call.number(1)), step).into()),
    }),
    ("sequence(start: int=0, step: int=1)", |call| Ok(range(call.number(0), None, call.number(1)).into())),
    (".repeat(value: any, times: int=-1)", |call| {
        let (value, mut left) = (call.value(0), call.number(1));
        let next = move || {
            left = (left - 1).max(-1);
            Ok((left >= 0).then(|| value.clone()))
        };
        let endless = call.number(1) < 0;
        let value = call.value(0);
        Ok(if endless { call.lazily(move || Ok(Some(value.clone()))) } else { call.lazily(next) }.into())
    }),
    (
        "generate(initial: any, predicate: Lambda, producer: Lambda, selector: Lambda=null, decycle: bool=false)",
        |call| {
            let (predicate, producer, selector) = (call.demanded_lambda(1)?, call.demanded_lambda(2)?, call.lambda(3));
            let mut seen = call.flag(4).then(|| Seen::new(call.context));
            let (mut current, mut begun) = (call.value(0), false);
            let next = move || {
                if std::mem::replace(&mut begun, true) {
                    current = producer.call([current.clone()])?;
                }
                producer.context().meter().check_value(&current)?;
                let is_new = |seen: &mut Seen| seen.insert(current.clone());
                if !holds(&predicate, &current)? || !seen.as_mut().map_or(Ok(true), is_new)? {
                    begun = false;
                    return Ok(None);
                }
                selected(selector.as_ref(), &current).map(Some)
            };
            Ok(call.lazily(ending(next)).into())
        },
    ),
    (
        "generateMany(initial: any, producer: Lambda, selector: Lambda=null, decycle: bool=false, depthFirst: bool=false)",
        generate_many,
    ),
];

/// Returns a function that always returns `None` once it has returned `None`.
fn ending(
    mut next: impl FnMut() -> Result<Option<Value>> + 'static,
) -> impl FnMut() -> Result<Option<Value>> + 'static {
    let mut ended = false;
    move || {
        let item = if ended { None } else { next()? };
        ended = item.is_none();
        Ok(item)
    }
}

/// Returns the numbers from the start up to, but not including, the end.
pub(super) fn range(start: i64, stop: Option<i64>, step: i64) -> Items {
    let mut next = Some(start);
    Items::new(move || {
        let within = |number: &i64| stop.is_none_or(|stop| if step > 0 { *number < stop } else { *number > stop });
        let Some(number) = next.filter(within) else { return Ok(None) };
        next = number.checked_add(step);
        Ok(Some(Value::from(number)))
    })
}

fn generate_many(call: &mut Call<'_>) -> Result<Value> {
    let (producer, selector, depth_first) = (call.demanded_lambda(1)?, call.lambda(2), call.flag(4));
    let mut seen = call.flag(3).then(|| Seen::new(call.context));
    let (mut queue, context) = (VecDeque::from([call.value(0)]), call.context.clone());
    let next = move || {
        while let Some(current) = queue.pop_front() {
            context.meter().spend(1)?;
            if !seen.as_mut().map_or(Ok(true), |seen| seen.insert(current.clone()))? {
                continue;
            }
            let produced = producer.call([current.clone()])?;
            let children = match produced.items(&context) {
                Some(items) => crate::function::collect(&context, &items)?,
                None => {
                    return Err(crate::error::type_error(format!("'{}' object is not iterable", produced.type_name())));
                }
            };
            children.iter().try_for_each(|child| context.meter().keep(child))?;
            if depth_first {
                children.into_iter().rev().for_each(|child| queue.push_front(child));
            } else {
                queue.extend(children);
            }
            context.meter().check_memory(queue.len() as u64 * 8)?;
            return selected(selector.as_ref(), &current).map(Some);
        }
        Ok(None)
    };
    Ok(call.lazily(next).into())
}
