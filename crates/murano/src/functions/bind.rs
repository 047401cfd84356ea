//! `bind`: replaces keys in strings with their values.

use tosca_parse_yaql::{Dict, Error, ErrorKind, Result, Value};

/// Replaces every string that begins with `$` in a value, including those in lists and dictionaries.
pub(super) fn bind(value: &Value, bindings: &Dict) -> Result<Value> {
    Ok(match value {
        Value::String(text) => match text.strip_prefix('$') {
            Some(template) => bound(template, bindings)?,
            None => value.clone(),
        },
        Value::List(items) => Value::list(items.iter().map(|item| bind(item, bindings)).collect::<Result<_>>()?),
        Value::Dict(entries) => {
            let entry = |(key, value): (&Value, &Value)| Ok((bind(key, bindings)?, bind(value, bindings)?));
            Value::dict(entries.iter().map(entry).collect::<Result<Vec<_>>>()?)
        }
        _ => value.clone(),
    })
}

fn lookup<'b>(key: &str, bindings: &'b Dict) -> Result<&'b Value> {
    let unknown = || Error::new(ErrorKind::Key, Value::from(key).repr());
    bindings.get(&Value::from(key)).ok_or_else(unknown)
}

/// Returns a string with its keys replaced. Keys in braces are replaced by text. A template without braces is a single
/// key, which is replaced by its value.
fn bound(template: &str, bindings: &Dict) -> Result<Value> {
    if !template.contains('{') {
        return lookup(template, bindings).cloned();
    }
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((key, after)) = after.split_once('}') else {
            text.push('{');
            rest = after;
            continue;
        };
        text.push_str(&lookup(key, bindings)?.to_python());
        rest = after;
    }
    text.push_str(rest);
    Ok(text.into())
}
