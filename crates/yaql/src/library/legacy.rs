//! Differences of YAQL 0.2, which packages of `MuranoPL` 1.0 and 1.1 rely on.

use super::Table;
use super::collection::{filter, flatten, select};
use super::dictionary::pairs;
use super::number::to_integer;
use crate::dispatch::{Actual, call as call_function};
use crate::error::{Result, type_error};
use crate::function::{Call, collect};
use crate::lambda::Lambda;
use crate::value::Value;

/// The functions. Those that the standard dialect has only as functions or only as methods call the standard ones.
pub(super) const TABLE: Table = &[
    ("±get(dict: dict, key: any, default: any=null)", |call| {
        Ok(call.dict(0).get(&call.value(1)).cloned().unwrap_or_else(|| call.value(2)))
    }),
    ("±list(*args: any)", list),
    (".bool(value: any)", |call| Ok(call.value(0).is_truthy().into())),
    (".int(value: any)", |call| to_integer(call.context, &call.value(0))),
    (".float(value: any)", |call| function_of_first(call, "float")),
    ("select(collection: Iterable, selector: Lambda)", select),
    ("where(collection: Iterable, predicate: Lambda)", filter),
    ("flatten(collection: Iterable)", |call| Ok(flatten(call))),
    ("join(separator: String, sequence: Iterable)", |call| super::string::join(call, 1, 0)),
    ("join(sequence: Iterable, separator: String)", |call| super::string::join(call, 0, 1)),
    ("sum(collection: Iterable, initial: any=∅)", method),
    ("takeWhile(collection: Iterable, predicate: Lambda)", |call| {
        let (items, predicate, mut ended) = (call.items(0), call.demanded_lambda(1)?, false);
        let next = move || match if ended { None } else { items.next()? } {
            Some(item) if super::collection::holds(&predicate, &item)? => Ok(Some(item)),
            _ => {
                ended = true;
                Ok(None)
            }
        };
        Ok(call.lazily(next).into())
    }),
    ("toLower(string: String)", method),
    ("toUpper(string: String)", method),
    ("trim(string: String, chars: String?=null)", method),
    ("split(string: String, separator: String?=null, maxSplits: int=-1)", method),
    ("startsWith(string: String, *prefixes: String)", method),
    ("endsWith(string: String, *suffixes: String)", method),
    ("matches(string: String, regexp: String)", method),
    ("replace(string: String, old: String, new: String, count: int=-1)", method),
    ("replace(string: String, replacements: dict, count: int=-1)", method),
    ("±substr(string: String, start: int, length: int=-1)", |call| {
        let actuals = positional(call);
        let (receiver, rest) = receiver_and_rest(&actuals);
        call_function(call.context, "substring", receiver, rest)
    }),
    ("±firstOrDefault(collection: Iterable, default: any=null)", |call| {
        Ok(call.items(0).next()?.unwrap_or_else(|| call.value(1)))
    }),
    ("±range(start: int, stop: int?=null)", |call| {
        let stop = if call.value(1).is_null() { None } else { Some(call.number(1)) };
        Ok(super::walk::range(call.number(0), stop, 1).into())
    }),
    ("±switch(value: any, *conditions: MappingRule)", |call| switch(&call.value(0), &call.rest_mappings())),
    ("switch(*conditions: MappingRule)", |call| {
        // The first pair is the value, because `=>` is an operator like any other.
        let mappings = call.rest_mappings();
        let Some(((key, value), conditions)) = mappings.split_first() else { return Ok(Value::Null) };
        switch(&Value::list(vec![key.evaluate()?, value.evaluate()?]), conditions)
    }),
    ("dict(*args: MappingRule)", |call| {
        let pair = |(key, value): (Lambda, Lambda)| Ok(Value::list(vec![key.evaluate()?, value.evaluate()?]));
        let mut items: Vec<Value> = call.rest_mappings().into_iter().map(pair).collect::<Result<_>>()?;
        items.extend(call.rest_values());
        legacy_dict(call, items)
    }),
    ("dict(*args: Iterable)", |call| legacy_dict(call, call.rest_values())),
    ("±toDict(collection: Iterable, keySelector: Lambda, valueSelector: Lambda=null)", |call| {
        let (keys, values) = (call.demanded_lambda(1)?, call.lambda(2));
        let entry =
            |item: Value| Ok((keys.call([item.clone()])?, super::collection::selected(values.as_ref(), &item)?));
        call.collected(0)?.into_iter().map(entry).collect::<Result<Vec<_>>>().map(Value::dict)
    }),
    ("tuple(*args: any)", |call| Ok(Value::list(call.rest_values()))),
    ("±toList(collection: Iterable)", |call| call.computed(call.collected(0)?)),
    (".as(value: any, *mappings: MappingRule)", |call| {
        let context = call.context.child();
        let value = call.value(0);
        context.set_data(value.clone());
        for (selector, name) in call.rest_mappings() {
            let name = name.evaluate()?.to_text();
            context.set_named(name, selector.call([value.clone()])?);
        }
        Ok(Value::Context(context))
    }),
];

/// Calls the standard method of the same name, with the first argument as the receiver.
fn method(call: &mut Call<'_>) -> Result<Value> {
    let actuals = positional(call);
    let (receiver, rest) = receiver_and_rest(&actuals);
    call_function(call.context, call.name, receiver, rest)
}

fn positional(call: &Call<'_>) -> Vec<Actual> {
    let value = |argument: &crate::function::BoundArgument| match argument {
        crate::function::BoundArgument::Value(value) => Some(Actual::Value(value.clone())),
        _ => None,
    };
    call.fixed.iter().chain(&call.rest).filter_map(value).collect()
}

fn receiver_and_rest(actuals: &[Actual]) -> (Option<&Value>, &[Actual]) {
    match actuals.split_first() {
        Some((Actual::Value(receiver), rest)) => (Some(receiver), rest),
        _ => (None, actuals),
    }
}

fn list(call: &mut Call<'_>) -> Result<Value> {
    let mut list = Vec::new();
    for value in call.rest_values() {
        match &value {
            Value::Iterator(_) | Value::View(..) => {
                list.extend(value.items(call.context).map_or(Ok(Vec::new()), |items| collect(call.context, &items))?);
            }
            _ => list.push(value),
        }
    }
    Ok(Value::list(list))
}

fn function_of_first(call: &Call<'_>, name: &str) -> Result<Value> {
    call_function(call.context, name, None, &positional(call))
}

/// Returns the result of the first condition that holds for the value. In conditions, `$` is the value.
fn switch(value: &Value, conditions: &[(Lambda, Lambda)]) -> Result<Value> {
    for (condition, result) in conditions {
        // In YAQL 0.2, `=>` is an operator like any other: both sides are evaluated.
        let holds = condition.call([value.clone()])?.is_truthy();
        let result = result.call([value.clone()])?;
        if holds {
            return Ok(result);
        }
    }
    Ok(Value::Null)
}

/// Returns a dictionary; each argument is a pair.
fn legacy_dict(call: &Call<'_>, items: Vec<Value>) -> Result<Value> {
    for item in &items {
        let first = item.items(call.context).map_or(Ok(None), |items| items.next())?;
        if matches!(first, Some(Value::List(_) | Value::Dict(_))) {
            return Err(type_error("unhashable type: 'list'"));
        }
    }
    pairs(call.context, items)
}
