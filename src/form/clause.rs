//! Validation clauses (TOSCA 2.0, 10.3) as keywords of JSON Schema.
//!
//! A form accepts every value that the parser accepts. It also accepts values that the parser rejects because of a
//! clause without keywords.

use serde_json::{Map, Value as Json, json};

use crate::normal::{Schema, Value, ValueKind};

/// The values that clauses restrict.
#[derive(Clone, Copy)]
pub(super) struct Values {
    kind: ValueKind,
    /// Whether values are equal only if they are written in the same way. This is not the case for scalars: `4 GB` and
    /// `4096 MB` are equal.
    is_exact: bool,
}

impl Values {
    pub(super) fn new(kind: ValueKind, entry: Option<&Schema>) -> Self {
        Self { kind, is_exact: is_exact(kind, entry) }
    }
}

fn is_exact(kind: ValueKind, entry: Option<&Schema>) -> bool {
    use ValueKind::{Boolean, Float, Integer, List, Map, Nil, Range, String};
    match kind {
        String | Integer | Float | Boolean | Nil | Range => true,
        List | Map => {
            entry.is_some_and(|entry| entry.kind.is_some_and(|kind| is_exact(kind, entry.entry_schema.as_deref())))
        }
        _ => false,
    }
}

/// Adds the conditions of clauses to a schema.
pub(super) fn add(schema: &mut Map<String, Json>, values: Values, clauses: &[Value]) {
    for clause in clauses {
        merge(schema, of_condition(clause, values, Precision::AtLeast));
    }
}

/// The required precision of keywords.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    /// The keywords must accept the same values as the condition.
    Exactly,
    /// The keywords may also accept other values.
    AtLeast,
}

/// Merges keywords. If both schemas have a keyword, both must be fulfilled.
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

/// Returns the keywords for a condition; `None` if there are none.
fn of_condition(condition: &Value, values: Values, precision: Precision) -> Option<Map<String, Json>> {
    let Value::Call(call) = condition else { return None };
    let parts = |precision| call.arguments.iter().map(move |part| of_condition(part, values, precision));
    let any = |name: &str, precision| {
        let parts: Option<Vec<_>> = parts(precision).map(|part| part.map(Json::Object)).collect();
        Some(keyword(name, parts?))
    };
    match &*call.name {
        // Even if only some of the conditions have keywords, the keywords are useful.
        "and" => {
            let mut all = Map::new();
            for part in parts(precision) {
                if part.is_none() && precision == Precision::Exactly {
                    return None;
                }
                merge(&mut all, part);
            }
            return Some(all);
        }
        "or" => return any("anyOf", precision),
        // If the keywords for one condition accepted too many values, `oneOf` would reject valid ones.
        "xor" => return any("oneOf", Precision::Exactly),
        _ => {}
    }
    let [Value::Call(subject), argument] = &call.arguments[..] else { return None };
    match (&*subject.name, &subject.arguments[..]) {
        ("value", []) => of_constraint(&call.name, argument, values),
        // `$length` of a part of the value is a different condition.
        ("length", [Value::Call(of)]) if &*of.name == "value" && of.arguments.is_empty() => {
            of_length(&call.name, argument.as_integer()?, values.kind)
        }
        _ => None,
    }
}

/// Returns the keywords for a comparison of the value with known data.
fn of_constraint(name: &str, argument: &Value, values: Values) -> Option<Map<String, Json>> {
    if !argument.is_data() {
        return None;
    }
    let Values { kind, is_exact } = values;
    let is_number = matches!(kind, ValueKind::Integer | ValueKind::Float);
    let number = || match argument {
        Value::Integer(_) | Value::Float(_) if is_number => Some(json!(argument)),
        _ => None,
    };
    match name {
        "equal" if is_exact => Some(keyword("const", json!(argument))),
        "valid_values" if is_exact => matches!(argument, Value::List(_)).then(|| keyword("enum", json!(argument))),
        "greater_than" => Some(keyword("exclusiveMinimum", number()?)),
        "greater_or_equal" => Some(keyword("minimum", number()?)),
        "less_than" => Some(keyword("exclusiveMaximum", number()?)),
        "less_or_equal" => Some(keyword("maximum", number()?)),
        "matches" => Some(keyword("pattern", argument.as_str()?)),
        _ => None,
    }
}

/// Returns the keywords for a comparison of the length with a number.
fn of_length(comparison: &str, length: i64, kind: ValueKind) -> Option<Map<String, Json>> {
    let (least, most) = match kind {
        ValueKind::String => ("minLength", "maxLength"),
        ValueKind::List => ("minItems", "maxItems"),
        ValueKind::Map => ("minProperties", "maxProperties"),
        // Missing members of a complex value may have defaults, which also count.
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
