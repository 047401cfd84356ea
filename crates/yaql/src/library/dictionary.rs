//! Dictionaries.

use super::Table;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result, type_error, value_error};
use crate::function::{Call, collect};
use crate::lambda::Lambda;
use crate::value::{Dict, Set, Value, View};

pub(super) const TABLE: Table = &[
    ("dict(*args: MappingRule)", |call| mappings(Dict::default(), call)),
    ("dict(items: Iterable)", |call| pairs(call.context, call.collected(0)?)),
    (".get(dict: dict, key: any, default: any=null)", |call| {
        Ok(call.dict(0).get(&call.value(1)).cloned().unwrap_or_else(|| call.value(2)))
    }),
    (".set(dict: dict, key: any, value: any)", |call| {
        let mut entries = call.dict(0).content().clone();
        entries.insert(call.value(1), call.value(2));
        Ok(Value::from(entries))
    }),
    (".set(dict: dict, replacements: dict)", |call| {
        let mut entries = call.dict(0).content().clone();
        entries.extend(call.dict(1).content().clone());
        Ok(Value::from(entries))
    }),
    (".set(dict: dict, *args: MappingRule)", |call| mappings(call.dict(0).content().clone(), call)),
    (".keys(dict: dict)", |call| Ok(Value::View(View::Keys, call.dict(0)))),
    (".values(dict: dict)", |call| Ok(Value::View(View::Values, call.dict(0)))),
    (".items(dict: dict)", |call| Ok(Value::View(View::Items, call.dict(0)))),
    (".containsKey(dict: dict, key: any)", |call| Ok(call.dict(0).contains_key(&call.value(1)).into())),
    (".containsValue(dict: dict, value: any)", |call| {
        let value = call.value(1);
        Ok(call.dict(0).values().any(|other| *other == value).into())
    }),
    (".delete(dict: dict, *keys: any)", |call| Ok(without(call, call.rest_values()))),
    (".deleteAll(dict: dict, keys: Iterable)", |call| Ok(without(call, call.collected(1)?))),
    (
        ".mergeWith(dict: dict, another: dict, listMerger: Lambda=null, itemMerger: Lambda=null, maxLevels: int=0)",
        |call| {
            let merger = Merger { context: call.context, lists: call.lambda(2), items: call.lambda(3) };
            merger.dicts(&call.dict(0), &call.dict(1), call.number(4)).map(Value::from)
        },
    ),
    ("±len(dict: dict)", |call| Ok(Value::integer(call.dict(0).len()))),
];

fn mappings(mut entries: Dict, call: &Call<'_>) -> Result<Value> {
    for (key, value) in call.rest_mappings() {
        let (key, value) = (key.evaluate()?.finalize(call.context)?, value.evaluate()?);
        call.context.meter().look_through(key.weight())?;
        entries.insert(key, value);
    }
    Ok(Value::from(entries))
}

/// Creates a dictionary from pairs, which are lists of two values.
pub(super) fn pairs(context: &Context, items: Vec<Value>) -> Result<Value> {
    let pair = |item: Value| {
        let Some(parts) = item.items(context) else {
            return Err(type_error(format!(
                "cannot convert dictionary update sequence element {} to a pair",
                item.shown_repr()
            )));
        };
        let parts = collect(context, &parts)?;
        let length = parts.len();
        <[Value; 2]>::try_from(parts).map(<(Value, Value)>::from).map_err(|_| {
            let message = format!("dictionary update sequence element has length {length}; 2 is required");
            if length == 0 { Error::new(ErrorKind::EmptyCollection, message) } else { value_error(message) }
        })
    };
    items.into_iter().map(pair).collect::<Result<Vec<_>>>().map(Value::dict)
}

fn without(call: &Call<'_>, keys: Vec<Value>) -> Value {
    let keys: Set = keys.into_iter().collect();
    let kept = call.dict(0).content().clone().into_iter().filter(|(key, _)| !keys.contains(key));
    Value::dict(kept)
}

struct Merger<'m> {
    context: &'m Context,
    lists: Option<Lambda>,
    items: Option<Lambda>,
}

impl Merger<'_> {
    /// Merges two dictionaries. At the last level, dictionaries and lists are treated like other items; 0 means that
    /// there is no last level.
    fn dicts(&self, left: &Dict, right: &Dict, levels: i64) -> Result<Dict> {
        let mut merged = left.clone();
        for (key, theirs) in right {
            self.context.meter().spend(1)?;
            let value = match left.get(key) {
                None => theirs.clone(),
                Some(ours) => self.context.meter().deeper(|| self.values(ours, theirs, levels))?,
            };
            merged.insert(key.clone(), value);
        }
        Ok(merged)
    }

    fn values(&self, ours: &Value, theirs: &Value, levels: i64) -> Result<Value> {
        match (ours, theirs) {
            (Value::Dict(ours), Value::Dict(theirs)) if levels != 1 => {
                self.dicts(ours, theirs, (levels - 1).max(0)).map(Value::from)
            }
            (Value::List(left), Value::List(right)) if levels != 1 => match &self.lists {
                Some(lambda) => lambda.call([ours.clone(), theirs.clone()])?.finalize(self.context),
                None => {
                    let distinct: crate::value::Set = left.iter().chain(right.iter()).cloned().collect();
                    Ok(Value::list(distinct.into_iter().collect()))
                }
            },
            (_, Value::Dict(_) | Value::List(_)) if levels != 1 => {
                let (theirs, ours) = (theirs.described(), ours.described());
                Err(type_error(format!("can't merge {theirs} into {ours}")))
            }
            _ => match &self.items {
                Some(lambda) => lambda.call([ours.clone(), theirs.clone()]),
                None => Ok(theirs.clone()),
            },
        }
    }
}
