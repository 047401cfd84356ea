//! Validation clauses (TOSCA 2.0, 10.3) as keywords of JSON Schema.
//!
//! A clause that JSON Schema can't express is left out, so that a form accepts what the parser may then refuse, and
//! never the reverse.

use serde_json::{Map, Value as Json, json};

use crate::normal::{Call, Value, ValueKind};

/// Adds to a schema what clauses demand.
pub(super) fn add(schema: &mut Map<String, Json>, kind: ValueKind, clauses: &[Value]) {
    for clause in clauses {
        merge(schema, of_condition(clause, kind));
    }
}

/// Puts keywords together. Where both schemas have a keyword, both must hold.
fn merge(schema: &mut Map<String, Json>, keywords: Option<Map<String, Json>>) {
    let Some(keywords) = keywords else { return };
    if keywords.keys().any(|keyword| schema.contains_key(keyword)) {
        let all = schema.entry("allOf").or_insert_with(|| json!([]));
        if let Json::Array(all) = all {
            all.push(Json::Object(keywords));
        }
    } else {
        schema.extend(keywords);
    }
}

fn keyword(name: &str, value: impl Into<Json>) -> Map<String, Json> {
    Map::from_iter([(name.to_owned(), value.into())])
}

/// What a condition demands; nothing if that can't be said, and so much the less of what it is part of.
fn of_call(call: &Call, kind: ValueKind) -> Option<Map<String, Json>> {
    let parts = || call.arguments.iter().map(|part| of_condition(part, kind));
    let any = |name: &str| {
        let parts: Option<Vec<_>> = parts().map(|part| part.map(Json::Object)).collect();
        Some(keyword(name, parts?))
    };
    match &*call.name {
        // Of what must all hold, a part is better than nothing.
        "and" => {
            let mut all = Map::new();
            parts().for_each(|part| merge(&mut all, part));
            return Some(all);
        }
        "or" => return any("anyOf"),
        "xor" => return any("oneOf"),
        _ => {}
    }
    let [subject, argument] = &call.arguments[..] else { return None };
    match subject {
        Value::Call(subject) if is_value(subject) => of_constraint(&call.name, argument, kind),
        Value::Call(subject) if &*subject.name == "length" => {
            let is_whole =
                subject.arguments.iter().all(|argument| matches!(argument, Value::Call(call) if is_value(call)));
            is_whole.then(|| of_length(&call.name, argument.as_integer()?, kind)).flatten()
        }
        _ => None,
    }
}

fn of_condition(condition: &Value, kind: ValueKind) -> Option<Map<String, Json>> {
    match condition {
        Value::Call(call) => of_call(call, kind),
        _ => None,
    }
}

/// `$value` without a path.
fn is_value(call: &Call) -> bool {
    &*call.name == "value" && call.arguments.is_empty()
}

/// A comparison of the value with something that is known.
fn of_constraint(name: &str, argument: &Value, kind: ValueKind) -> Option<Map<String, Json>> {
    if !argument.is_data() {
        return None;
    }
    let is_number = matches!(kind, ValueKind::Integer | ValueKind::Float);
    let number = || match argument {
        Value::Integer(_) | Value::Float(_) if is_number => Some(json!(argument)),
        _ => None,
    };
    // `4 GB` and `4096 MB` are equal, but not to JSON Schema.
    let is_exact = kind != ValueKind::Scalar;
    match name {
        "equal" if is_exact => Some(keyword("const", json!(argument))),
        "valid_values" if is_exact => matches!(argument, Value::List(_)).then(|| keyword("enum", json!(argument))),
        "greater_than" => Some(keyword("exclusiveMinimum", number()?)),
        "greater_or_equal" => Some(keyword("minimum", number()?)),
        "less_than" => Some(keyword("exclusiveMaximum", number()?)),
        "less_or_equal" => Some(keyword("maximum", number()?)),
        "matches" => Some(keyword("pattern", format!("^(?:{})$", argument.as_str()?))),
        _ => None,
    }
}

/// A comparison of the length with a number.
fn of_length(comparison: &str, length: i64, kind: ValueKind) -> Option<Map<String, Json>> {
    let (least, most) = match kind {
        ValueKind::String => ("minLength", "maxLength"),
        ValueKind::List => ("minItems", "maxItems"),
        ValueKind::Map | ValueKind::Complex => ("minProperties", "maxProperties"),
        _ => return None,
    };
    let bound = |length: i64| u64::try_from(length).ok();
    match comparison {
        "equal" => {
            let length = bound(length)?;
            Some(Map::from_iter([(least.to_owned(), json!(length)), (most.to_owned(), json!(length))]))
        }
        "greater_than" => Some(keyword(least, bound(length.checked_add(1)?)?)),
        "greater_or_equal" => Some(keyword(least, bound(length)?)),
        "less_than" => Some(keyword(most, bound(length.checked_sub(1)?)?)),
        "less_or_equal" => Some(keyword(most, bound(length)?)),
        _ => None,
    }
}
