//! JSON Schema keywords for the conditions of `check`.
//!
//! A schema may accept more than a condition, but never less: a part of a condition without a keyword is omitted.

use rustc_hash::FxHashSet;
use serde_json::{Map, Value as Json, json};
use tosca_parse_yaql::{Argument, Expr, Kind, Name, Node, Operator, Result, Value, ecma};

use super::reference::flipped;
use super::{Maker, to_json};

/// A condition on the value or on the property at the end of a path of names.
pub(super) struct Condition {
    pub(super) path: Vec<String>,
    pub(super) schema: Map<String, Json>,
}

/// The operand of a condition that refers to the value.
struct Subject {
    path: Vec<String>,
    /// Whether it is the length of the value.
    is_length: bool,
}

impl Maker<'_> {
    /// Returns the requirements of a condition, one for each path.
    pub(super) fn conditions(&self, predicate: &Expr) -> Result<Vec<Condition>> {
        match &predicate.kind {
            Kind::Binary(Operator::And, left, right) => {
                let mut all = self.conditions(left)?;
                for condition in self.conditions(right)? {
                    match all.iter_mut().find(|other| other.path == condition.path) {
                        Some(other) => merge(&mut other.schema, condition.schema),
                        None => all.push(condition),
                    }
                }
                Ok(all)
            }
            Kind::Binary(Operator::Or, left, right) => {
                let (mut left, mut right) = (self.conditions(left)?, self.conditions(right)?);
                Ok(match (left.pop(), right.pop()) {
                    (Some(one), Some(other)) if left.is_empty() && right.is_empty() && one.path == other.path => {
                        vec![Condition { path: one.path, schema: either(one.schema, other.schema) }]
                    }
                    _ => Vec::new(),
                })
            }
            Kind::Unary(Operator::Not, inner) => {
                let mut inner = self.conditions(inner)?;
                let last = inner.pop().filter(|_| inner.is_empty());
                let negated = last.and_then(|last| Some(Condition { path: last.path, schema: negated(last.schema)? }));
                Ok(negated.into_iter().collect())
            }
            Kind::Binary(operator, left, right) => self.comparison(*operator, left, right),
            Kind::Method { receiver, name, arguments, .. } if &**name == "matches" => match arguments.as_slice() {
                [Argument::Positional(pattern)] => self.compared(Operator::Matches, receiver, pattern),
                _ => Ok(Vec::new()),
            },
            Kind::Method { receiver, name, arguments, .. } if matches!(&**name, "startsWith" | "endsWith") => {
                self.affixed(receiver, &**name == "startsWith", arguments)
            }
            _ => Ok(Vec::new()),
        }
    }

    fn comparison(&self, operator: Operator, left: &Expr, right: &Expr) -> Result<Vec<Condition>> {
        if subject(left).is_some() {
            return self.compared(operator, left, right);
        }
        match operator {
            Operator::Equal | Operator::NotEqual => self.compared(operator, right, left),
            _ => self.compared(flipped(operator), right, left),
        }
    }

    fn compared(&self, operator: Operator, left: &Expr, right: &Expr) -> Result<Vec<Condition>> {
        let Some(Subject { path, is_length }) = subject(left) else { return Ok(Vec::new()) };
        let Some(value) = self.constant(right)? else { return Ok(Vec::new()) };
        let schema = if is_length { length(operator, &value) } else { compare(operator, &value) };
        Ok(schema.map(|schema| Condition { path, schema }).into_iter().collect())
    }

    /// Returns the requirement that a string begins or ends with one of several strings.
    fn affixed(&self, subject: &Expr, at_start: bool, arguments: &[Argument]) -> Result<Vec<Condition>> {
        let Some(path) = path(subject) else { return Ok(Vec::new()) };
        let mut affixes = Vec::new();
        for argument in arguments {
            let Argument::Positional(affix) = argument else { return Ok(Vec::new()) };
            match self.constant(affix)? {
                Some(Value::String(affix)) => affixes.push(ecma::literal(&affix)),
                _ => return Ok(Vec::new()),
            }
        }
        let any = match affixes.as_slice() {
            [] => return Ok(Vec::new()),
            [only] => only.clone(),
            _ => format!("(?:{})", affixes.join("|")),
        };
        let pattern = if at_start { format!("^{any}") } else { format!("{any}$") };
        Ok(vec![Condition { path, schema: matching(&pattern) }])
    }

    /// Returns the text of `check(condition, text)`, if it is constant.
    pub(super) fn explanation(&self, arguments: &[Argument]) -> Result<Option<String>> {
        let named = arguments.iter().find_map(|argument| match argument {
            Argument::Mapping(key, value) if key.as_text().is_some_and(|key| &**key == "msg") => Some(value),
            _ => None,
        });
        let text = match (arguments.get(1), named) {
            (Some(Argument::Positional(text)), _) | (_, Some(text)) => self.constant(text)?,
            _ => None,
        };
        Ok(text.and_then(|text| text.as_str().map(str::to_owned)))
    }
}

/// Parses `$`, `$.name.name`, or the length of one of these.
fn subject(node: &Node) -> Option<Subject> {
    let length_of = |value: &Node| path(value).map(|path| Subject { path, is_length: true });
    match &node.kind {
        Kind::Call { name, arguments } if &**name == "len" => match arguments.as_slice() {
            [Argument::Positional(value)] => length_of(value),
            _ => None,
        },
        Kind::Method { receiver, name, arguments, .. } if &**name == "len" && arguments.is_empty() => {
            length_of(receiver)
        }
        _ => path(node).map(|path| Subject { path, is_length: false }),
    }
}

fn path(node: &Node) -> Option<Vec<String>> {
    match &node.kind {
        Kind::Variable(Name::Position(1)) => Some(Vec::new()),
        Kind::Attribute { receiver, name, .. } => {
            let mut path = path(receiver)?;
            path.push(name.as_ref().to_owned());
            Some(path)
        }
        _ => None,
    }
}

fn one(key: &str, value: impl Into<Json>) -> Map<String, Json> {
    Map::from_iter([(key.to_owned(), value.into())])
}

fn compare(operator: Operator, value: &Value) -> Option<Map<String, Json>> {
    match operator {
        Operator::Equal => data(value).map(|value| one("enum", json!([value]))),
        Operator::NotEqual => data(value).map(|value| not(one("enum", json!([value])))),
        Operator::In => match value {
            Value::List(items) => items.iter().map(data).collect::<Option<Vec<_>>>().map(|items| one("enum", items)),
            Value::Set(items) => items.iter().map(data).collect::<Option<Vec<_>>>().map(|items| one("enum", items)),
            _ => None,
        },
        Operator::Matches => value.as_str().and_then(ecma::translate).map(|pattern| matching(&pattern)),
        Operator::MatchesNot => compare(Operator::Matches, value).and_then(negated),
        Operator::Greater | Operator::GreaterOrEqual => bound(value, "minimum", operator == Operator::Greater),
        // Null is less than every number.
        Operator::Less | Operator::LessOrEqual => {
            let mut schema = bound(value, "maximum", operator == Operator::Less)?;
            schema.insert("type".into(), json!(["number", "null"]));
            Some(schema)
        }
        _ => None,
    }
}

fn bound(value: &Value, key: &str, is_exclusive: bool) -> Option<Map<String, Json>> {
    let (Value::Integer(_) | Value::Float(_)) = value else { return None };
    let exclusive = if key == "minimum" { "exclusiveMinimum" } else { "exclusiveMaximum" };
    Some(Map::from_iter([
        ("type".to_owned(), json!("number")),
        (key.to_owned(), to_json(value)),
        (exclusive.to_owned(), is_exclusive.into()),
    ]))
}

/// The keywords for the minimum and maximum length of strings, lists and maps.
const LENGTHS: [(&str, &str); 3] =
    [("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties")];

fn length(operator: Operator, bound: &Value) -> Option<Map<String, Json>> {
    let bound = bound.as_i64()?;
    let (least, most) = match operator {
        Operator::Greater => (Some(bound.checked_add(1)?), None),
        Operator::GreaterOrEqual => (Some(bound), None),
        Operator::Less => (None, Some(bound.checked_sub(1)?)),
        Operator::LessOrEqual => (None, Some(bound)),
        Operator::Equal => (Some(bound), Some(bound)),
        Operator::NotEqual if bound == 0 => (Some(1), None),
        _ => return None,
    };
    let mut schema = one("type", json!(["string", "array", "object"]));
    for (minimum, maximum) in LENGTHS {
        schema.extend(least.map(|least| (minimum.to_owned(), least.max(0).into())));
        schema.extend(most.map(|most| (maximum.to_owned(), most.max(0).into())));
    }
    // No length is negative.
    if most.is_some_and(|most| most < 0) {
        schema.insert("enum".into(), json!([]));
    }
    Some(schema)
}

/// Removes the keywords for lengths of types that a schema does not have.
pub(super) fn retain_lengths(schema: &mut Map<String, Json>, types: &[Json]) {
    for (ty, (minimum, maximum)) in ["string", "array", "object"].into_iter().zip(LENGTHS) {
        if !types.iter().any(|other| other == ty) {
            schema.shift_remove(minimum);
            schema.shift_remove(maximum);
        }
    }
}

/// Returns a value as JSON; `None` if it is or contains anything other than scalars and lists.
fn data(value: &Value) -> Option<Json> {
    match value {
        Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => {
            Some(to_json(value))
        }
        Value::List(items) => items.iter().map(data).collect::<Option<Vec<_>>>().map(Json::from),
        _ => None,
    }
}

/// Returns the values of a schema that only lists the allowed values.
fn values(schema: &Map<String, Json>) -> Option<&Vec<Json>> {
    schema.get("enum").filter(|_| schema.len() == 1)?.as_array()
}

/// Returns the schema of strings that match a pattern.
fn matching(pattern: &str) -> Map<String, Json> {
    Map::from_iter([("type".to_owned(), json!("string")), ("pattern".to_owned(), json!(pattern))])
}

/// Returns the schema of a negated condition; `None` if the schema does not express the condition exactly. A condition
/// with a pattern fails for all values but strings, and so does its negation.
fn negated(mut schema: Map<String, Json>) -> Option<Map<String, Json>> {
    if values(&schema).is_some() {
        return Some(not(schema));
    }
    if schema.len() != 2 || schema.shift_remove("type")? != "string" {
        return None;
    }
    let rest = match schema.shift_remove("not") {
        Some(Json::Object(pattern)) => pattern,
        _ if schema.contains_key("pattern") => not(schema),
        _ => return None,
    };
    Some(std::iter::once(("type".to_owned(), json!("string"))).chain(rest).collect())
}

fn not(schema: Map<String, Json>) -> Map<String, Json> {
    one("not", schema)
}

fn either(first: Map<String, Json>, second: Map<String, Json>) -> Map<String, Json> {
    if values(&first).is_some() && values(&second).is_some() {
        let first = alternatives(first, "enum");
        let known: FxHashSet<Json> = first.iter().cloned().collect();
        let new = alternatives(second, "enum").into_iter().filter(|value| !known.contains(value));
        return one("enum", first.into_iter().chain(new).collect::<Vec<_>>());
    }
    let mut all = alternatives(first, "anyOf");
    all.extend(alternatives(second, "anyOf"));
    one("anyOf", all)
}

/// Returns the list of a schema that has no other keyword, or else the schema itself.
fn alternatives(mut schema: Map<String, Json>, key: &str) -> Vec<Json> {
    let is_only = schema.len() == 1;
    match schema.get_mut(key) {
        Some(Json::Array(all)) if is_only => std::mem::take(all),
        _ => vec![schema.into()],
    }
}

/// Adds the keywords of one schema to another, so that both hold.
pub(super) fn merge(schema: &mut Map<String, Json>, other: Map<String, Json>) {
    let bounds = [("minimum", "exclusiveMinimum", true), ("maximum", "exclusiveMaximum", false)];
    let mut other = other;
    for (key, exclusive, is_least) in bounds {
        let Some(new) = other.remove(key) else { continue };
        let is_exclusive = other.remove(exclusive);
        let old = schema.get(key).and_then(Json::as_f64);
        let tighter = match (old, new.as_f64()) {
            (Some(old), Some(new)) if (old - new).abs() > f64::EPSILON => (new > old) == is_least,
            (Some(_), _) => is_exclusive == Some(Json::Bool(true)),
            (None, _) => true,
        };
        if tighter {
            schema.insert(key.into(), new);
            schema.insert(exclusive.into(), is_exclusive.unwrap_or(Json::Bool(false)));
        }
    }
    for (key, value) in other {
        let Some(old) = schema.get(&key) else {
            schema.insert(key, value);
            continue;
        };
        let merged = match key.as_str() {
            "type" => Some(both_types(old, &value)),
            "required" => Some(union(old, &value)),
            key if key.starts_with("min") => larger(old, &value, true),
            key if key.starts_with("max") => larger(old, &value, false),
            "enum" => {
                let allowed: FxHashSet<&Json> = value.as_array().into_iter().flatten().collect();
                Some(old.as_array().into_iter().flatten().filter(|item| allowed.contains(item)).cloned().collect())
            }
            _ if *old == value => Some(value.clone()),
            _ => None,
        };
        match merged {
            Some(merged) => drop(schema.insert(key, merged)),
            None => {
                if let Json::Array(all) = schema.entry("allOf").or_insert_with(|| json!([])) {
                    all.push(Map::from_iter([(key, value)]).into());
                }
            }
        }
    }
}

/// Returns the names that are in either of two lists.
fn union(one: &Json, other: &Json) -> Json {
    let mut all: Vec<Json> = one.as_array().cloned().unwrap_or_default();
    let new = other.as_array().into_iter().flatten().filter(|name| !all.contains(name)).cloned();
    let new: Vec<Json> = new.collect();
    all.extend(new);
    all.into()
}

fn larger(one: &Json, other: &Json, is_least: bool) -> Option<Json> {
    let (first, second) = (one.as_i64()?, other.as_i64()?);
    Some(if (first > second) == is_least { first } else { second }.into())
}

/// Returns the types that both of two `type` keywords allow. Integers are numbers.
fn both_types(one: &Json, other: &Json) -> Json {
    let list = |json: &Json| -> Vec<String> {
        match json {
            Json::Array(types) => types.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
            _ => json.as_str().map(str::to_owned).into_iter().collect(),
        }
    };
    let (first, second) = (list(one), list(other));
    let allowed = |ty: &String, others: &[String]| {
        others.contains(ty) || ty == "integer" && others.iter().any(|other| other == "number")
    };
    let mut both: Vec<&String> = first.iter().filter(|ty| allowed(ty, &second)).collect();
    both.extend(second.iter().filter(|ty| allowed(ty, &first) && !first.contains(ty)));
    match both.as_slice() {
        // Without a common type, either no value matches, or the value is an object of a class, which has no JSON type.
        [] => one.clone(),
        [only] => only.as_str().into(),
        _ => both.into_iter().map(String::as_str).collect(),
    }
}

/// Returns the schema for the end of a path of properties, which are mandatory as far as given.
pub(super) fn nested(path: &[String], schema: Map<String, Json>, mandatory: &[bool]) -> Map<String, Json> {
    path.iter().enumerate().rev().fold(schema, |schema, (depth, name)| {
        let mut outer = one("properties", one(name, schema));
        if mandatory.get(depth).copied().unwrap_or_default() {
            outer.insert("required".into(), json!([name]));
        }
        outer
    })
}

/// Returns whether a schema accepts null.
pub(super) fn takes_null(schema: &Map<String, Json>) -> bool {
    let takes = |schema: &Json| schema.as_object().is_none_or(takes_null);
    schema.iter().all(|(key, value)| match (key.as_str(), value) {
        ("type", Json::Array(types)) => types.iter().any(|ty| ty == "null"),
        ("type", ty) => ty == "null",
        ("enum", Json::Array(values)) => values.contains(&Json::Null),
        ("not", schema) => !takes(schema),
        ("anyOf", Json::Array(all)) => all.iter().any(takes),
        ("allOf", Json::Array(all)) => all.iter().all(takes),
        _ => true,
    })
}

/// Adds a nested schema to another one, property by property.
pub(super) fn merge_nested(schema: &mut Map<String, Json>, other: Map<String, Json>) {
    for (key, value) in other {
        match (key.as_str(), schema.get_mut(&key), value) {
            ("properties", Some(Json::Object(old)), Json::Object(new)) => {
                for (name, value) in new {
                    match (old.get_mut(&name), value) {
                        (Some(Json::Object(old)), Json::Object(new)) => merge_nested(old, new),
                        (_, value) => drop(old.insert(name, value)),
                    }
                }
            }
            (_, _, value) => merge(schema, one(&key, value)),
        }
    }
}
