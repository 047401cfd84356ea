//! `patch`: JSON Patch (RFC 6902).

use tosca_parse_yaql::{Dict, Result, Value};

use crate::error::value_error;

/// Applies an operation, or several, to a value.
pub(super) fn patch(value: Value, operations: &Value) -> Result<Value> {
    match operations {
        Value::List(operations) => operations.iter().try_fold(value, |value, operation| apply(&value, operation)),
        operation => apply(&value, operation),
    }
}

fn apply(value: &Value, operation: &Value) -> Result<Value> {
    let text = |key: &str| operation.get(key).map(Value::to_python).unwrap_or_default();
    let path = steps(&text("path"));
    let new = || operation.get("value").cloned().unwrap_or(Value::Null);
    match text("op").as_str() {
        "add" => edit(value, &path, &Edit::Add(new())),
        "replace" => edit(value, &path, &Edit::Replace(new())),
        "remove" => edit(value, &path, &Edit::Remove),
        "copy" => edit(value, &path, &Edit::Add(at(value, &steps(&text("from")))?)),
        "move" => {
            let from = steps(&text("from"));
            let moved = at(value, &from)?;
            edit(&edit(value, &from, &Edit::Remove)?, &path, &Edit::Add(moved))
        }
        "test" if at(value, &path)? == new() => Ok(value.clone()),
        "test" => Err(value_error("the value is not the one that the patch tests for")),
        other => Err(value_error(format!("unknown operation {other} of a patch"))),
    }
}

enum Edit {
    Add(Value),
    Replace(Value),
    Remove,
}

fn steps(path: &str) -> Vec<String> {
    path.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect()
}

fn missing(step: &str) -> tosca_parse_yaql::Error {
    value_error(format!("the patch has a path that does not exist: there is no {step}"))
}

fn at(value: &Value, path: &[String]) -> Result<Value> {
    path.iter().try_fold(value.clone(), |value, step| {
        let found = match &value {
            Value::Dict(entries) => entries.get(&Value::from(step.as_str())).cloned(),
            Value::List(items) => step.parse::<usize>().ok().and_then(|index| items.get(index).cloned()),
            _ => None,
        };
        found.ok_or_else(|| missing(step))
    })
}

fn edit(value: &Value, path: &[String], change: &Edit) -> Result<Value> {
    let Some((step, rest)) = path.split_first() else {
        return Ok(match change {
            Edit::Add(new) | Edit::Replace(new) => new.clone(),
            Edit::Remove => Value::Null,
        });
    };
    match value {
        Value::Dict(entries) => edit_dict(entries, step, rest, change),
        Value::List(items) => edit_list(items, step, rest, change),
        _ => Err(missing(step)),
    }
}

fn edit_dict(entries: &Dict, step: &str, rest: &[String], change: &Edit) -> Result<Value> {
    let mut entries = entries.clone();
    let key = Value::from(step);
    let old = entries.get(&key).cloned();
    match (rest.is_empty(), change, old) {
        (true, Edit::Remove, Some(_)) => {
            entries.shift_remove(&key);
        }
        (true, Edit::Add(new), _) | (true, Edit::Replace(new), Some(_)) => {
            entries.insert(key, new.clone());
        }
        (false, _, Some(old)) => {
            entries.insert(key, edit(&old, rest, change)?);
        }
        (_, _, None) => return Err(missing(step)),
    }
    Ok(Value::dict(entries))
}

fn edit_list(items: &[Value], step: &str, rest: &[String], change: &Edit) -> Result<Value> {
    let mut items = items.to_vec();
    let index = if step == "-" { Some(items.len()) } else { step.parse().ok() };
    let index = index.filter(|index| *index <= items.len()).ok_or_else(|| missing(step))?;
    match (rest.is_empty(), change) {
        (true, Edit::Add(new)) => items.insert(index, new.clone()),
        _ if index == items.len() => return Err(missing(step)),
        (true, Edit::Replace(new)) => items[index] = new.clone(),
        (true, Edit::Remove) => {
            items.remove(index);
        }
        (false, _) => items[index] = edit(&items[index], rest, change)?,
    }
    Ok(Value::list(items))
}
