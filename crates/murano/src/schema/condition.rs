//! JSON Schema keywords for the conditions of `check`.
//!
//! A schema may accept more than a condition, but never less: a part of a condition without a keyword is omitted.

use foldhash::HashSet;
use serde_json::{Map, Value as Json, json};
use tosca_parse_yaql::{Argument, Expr, Kind, Name, Node, Operator, Result, Value, ecma};

use super::reference::{flipped, is_data};
use super::{Maker, mentions_data, to_json};

/// A condition that a value must fulfill.
#[derive(Clone, PartialEq)]
pub(super) enum Condition {
    /// A condition on the value itself, or on the property at the end of a path of names.
    One { path: Vec<String>, schema: Map<String, Json> },
    /// Alternatives about different properties. All conditions of one of them must hold.
    Any(Vec<Vec<Condition>>),
}

/// The operand of a condition that refers to the value.
struct Subject {
    path: Vec<String>,
    /// Whether it is the length of the value.
    is_length: bool,
}

impl Maker<'_> {
    /// Returns the requirements of a condition on values of the given JSON types, at most one for each path.
    pub(super) fn conditions(&self, predicate: &Expr, types: Option<&Json>) -> Result<Vec<Condition>> {
        Ok(both(self.outcome(predicate, false, types)?, self.success(predicate, types)?))
    }

    /// Returns the requirements for a condition or its negation to be true, provided that its evaluation does not fail.
    fn outcome(&self, predicate: &Expr, is_negated: bool, types: Option<&Json>) -> Result<Vec<Condition>> {
        match &predicate.kind {
            _ if !mentions_data(predicate) => self.fixed(predicate, is_negated),
            Kind::Binary(operator @ (Operator::And | Operator::Or), left, right) => {
                let (left, right) = (self.outcome(left, is_negated, types)?, self.outcome(right, is_negated, types)?);
                let is_alternative = (*operator == Operator::And) == is_negated;
                Ok(if is_alternative { any(left, right) } else { both(left, right) })
            }
            Kind::Unary(Operator::Not, inner) => self.outcome(inner, !is_negated, types),
            Kind::Binary(Operator::In, part, value) if subject(part).is_none() => {
                self.contained(part, value, is_negated, types)
            }
            Kind::Binary(operator, left, right) => self.comparison(*operator, left, right, is_negated),
            Kind::Method { receiver, name, arguments, .. } if &**name == "matches" => match arguments.as_slice() {
                [Argument::Positional(pattern)] => self.compared(Operator::Matches, receiver, pattern, is_negated),
                _ => Ok(Vec::new()),
            },
            Kind::Method { receiver, name, arguments, .. } if matches!(&**name, "startsWith" | "endsWith") => {
                self.affixed(receiver, &**name == "startsWith", arguments, is_negated)
            }
            Kind::Call { name, arguments } if type_test(name).is_some() => {
                let [Argument::Positional(value)] = arguments.as_slice() else { return Ok(Vec::new()) };
                let schema = type_test(name).map(|ty| one("type", ty));
                let schema = if is_negated { schema.map(not) } else { schema };
                Ok(path(value).zip(schema).map(|(path, schema)| Condition::One { path, schema }).into_iter().collect())
            }
            _ => {
                let Some(Subject { path, is_length }) = subject(predicate) else { return Ok(Vec::new()) };
                let schema = match (is_length, is_negated) {
                    (false, true) => Some(falsy()),
                    (false, false) => Some(not(falsy())),
                    (true, true) => length(Operator::Equal, &0.into()),
                    (true, false) => length(Operator::NotEqual, &0.into()),
                };
                Ok(schema.map(|schema| Condition::One { path, schema }).into_iter().collect())
            }
        }
    }

    /// Returns the requirements for the evaluation of a condition not to fail. An operand of `and` and `or` must not fail
    /// if it is evaluated, that is unless an earlier operand decides.
    fn success(&self, predicate: &Expr, types: Option<&Json>) -> Result<Vec<Condition>> {
        match &predicate.kind {
            _ if !mentions_data(predicate) => Ok(Vec::new()),
            Kind::Unary(Operator::Not, inner) => self.success(inner, types),
            Kind::Binary(operator @ (Operator::And | Operator::Or), ..) => {
                let mut operands = Vec::new();
                collect_operands(*operator, predicate, &mut operands);
                let (mut all, mut known) = (Vec::new(), Vec::new());
                for (index, operand) in operands.iter().enumerate() {
                    let success = self.success(operand, types)?;
                    // The same requirement of an earlier operand is stricter.
                    if success.is_empty() || known.contains(&success) {
                        continue;
                    }
                    self.runtime.meter().spend(index as u64)?;
                    known.push(success.clone());
                    let mut alternatives = Vec::new();
                    for earlier in &operands[..index] {
                        alternatives.push(self.outcome(earlier, *operator == Operator::And, types)?);
                    }
                    alternatives.push(success);
                    all = both(all, alternatives.into_iter().reduce(any).unwrap_or_default());
                }
                Ok(all)
            }
            _ => {
                let is_covered = |domain: &Json| types.is_some_and(|types| covers(domain, types));
                let domain = self.domain(predicate)?.filter(|domain| !is_covered(domain));
                let condition = |domain| Condition::One { path: Vec::new(), schema: one("type", domain) };
                Ok(domain.map(condition).into_iter().collect())
            }
        }
    }

    /// Returns the JSON types of the values for which a comparison does not fail; `None` if it is not a comparison of the
    /// value itself, or accepts all types.
    fn domain(&self, node: &Expr) -> Result<Option<Json>> {
        let of_length = |node: &Expr| subject(node).is_some_and(|subject| subject.is_length && subject.path.is_empty());
        Ok(match &node.kind {
            Kind::Binary(_, length, _) | Kind::Binary(_, _, length) if of_length(length) => Some(json!(SIZED)),
            Kind::Binary(_, left, _) if matches!(&left.kind, Kind::Binary(Operator::Modulo, value, _) if is_data(value)) => {
                Some(json!(["number"]))
            }
            Kind::Binary(Operator::Matches | Operator::MatchesNot, value, _) if is_data(value) => {
                Some(json!(["string"]))
            }
            Kind::Binary(Operator::In, part, value) if is_data(value) => match self.constant(part)? {
                Some(Value::String(_)) => Some(json!(["string", "array"])),
                Some(_) => Some(json!(["array"])),
                None => None,
            },
            Kind::Binary(
                Operator::Greater | Operator::GreaterOrEqual | Operator::Less | Operator::LessOrEqual,
                left,
                right,
            ) => {
                let bound = match (is_data(left), is_data(right)) {
                    (true, false) => right,
                    (false, true) => left,
                    _ => return Ok(None),
                };
                // Null can be compared with everything.
                match self.constant(bound)? {
                    Some(Value::Integer(_) | Value::Float(_)) => Some(json!(["number", "null"])),
                    Some(Value::String(_)) => Some(json!(["string", "null"])),
                    _ => None,
                }
            }
            Kind::Method { receiver, name, .. } if matches!(&**name, "matches" | "startsWith" | "endsWith") => {
                is_data(receiver).then(|| json!(["string"]))
            }
            _ => of_length(node).then(|| json!(SIZED)),
        })
    }

    fn comparison(&self, operator: Operator, left: &Expr, right: &Expr, is_negated: bool) -> Result<Vec<Condition>> {
        if subject(left).is_some() {
            return self.compared(operator, left, right, is_negated);
        }
        if let Kind::Binary(Operator::Modulo, value, divisor) = &left.kind {
            return self.divided(operator, value, divisor, right, is_negated);
        }
        match operator {
            Operator::Equal | Operator::NotEqual => self.compared(operator, right, left, is_negated),
            _ => self.compared(flipped(operator), right, left, is_negated),
        }
    }

    fn compared(&self, operator: Operator, left: &Expr, right: &Expr, is_negated: bool) -> Result<Vec<Condition>> {
        let Some(Subject { path, is_length }) = subject(left) else { return Ok(Vec::new()) };
        let Some(value) = self.constant(right)? else { return Ok(Vec::new()) };
        let (operator, is_negated) = match inverse(operator).filter(|_| is_negated) {
            Some(inverse) => (inverse, false),
            None => (operator, is_negated),
        };
        let schema = if is_length { length(operator, &value) } else { compare(operator, &value) };
        let schema = if is_negated { schema.and_then(negated) } else { schema };
        Ok(schema.map(|schema| Condition::One { path, schema }).into_iter().collect())
    }

    /// Returns the requirement of a condition that does not depend on the value.
    fn fixed(&self, condition: &Expr, is_negated: bool) -> Result<Vec<Condition>> {
        let never = |value: Value| value.is_truthy() == is_negated;
        let schema = self.constant(condition)?.filter(|value| never(value.clone())).map(|_| not(Map::new()));
        Ok(schema.map(|schema| Condition::One { path: Vec::new(), schema }).into_iter().collect())
    }

    /// Returns the requirement that a text is part of a string, or that a value is an item of a list.
    fn contained(&self, part: &Expr, value: &Expr, is_negated: bool, types: Option<&Json>) -> Result<Vec<Condition>> {
        let (Some(path), Some(part)) = (path(value), self.constant(part)?) else { return Ok(Vec::new()) };
        let of_type = |ty: &str| one("type", ty);
        let string = part.as_str().map(|part| {
            let pattern = one("pattern", ecma::literal(part));
            of_type("string").into_iter().chain(if is_negated { not(pattern) } else { pattern }).collect()
        });
        // An item equals the value if not all items differ from it.
        let list = equal(&part).map(|values| {
            let differ = one("items", not(one("enum", values)));
            of_type("array").into_iter().chain(if is_negated { differ } else { not(differ) }).collect()
        });
        let can_be = |ty: &str| !path.is_empty() || types.is_none_or(|types| both_types(types, &ty.into()).is_some());
        let schema = match (string.filter(|_| can_be("string")), list) {
            (string, Some(list)) if can_be("array") => Some(match string {
                Some(string) => either(string, list),
                None => list,
            }),
            // Lists can have the item.
            (_, None) if can_be("array") => None,
            (string, _) => string,
        };
        Ok(schema.map(|schema| Condition::One { path, schema }).into_iter().collect())
    }

    /// Returns the requirement that a number is a multiple of another one.
    fn divided(
        &self,
        operator: Operator,
        value: &Expr,
        divisor: &Expr,
        rest: &Expr,
        is_negated: bool,
    ) -> Result<Vec<Condition>> {
        let is_multiple = match operator {
            Operator::Equal => !is_negated,
            Operator::NotEqual => is_negated,
            _ => return Ok(Vec::new()),
        };
        let divisor = self.constant(divisor)?.and_then(|divisor| divisor.as_i64()).filter(|divisor| *divisor != 0);
        let is_whole = self.constant(rest)?.is_some_and(|rest| numeric(&rest) == Some(0));
        let (Some(path), Some(divisor), true) = (path(value), divisor, is_whole) else { return Ok(Vec::new()) };
        let multiple = one("multipleOf", divisor.unsigned_abs());
        let mut schema = if is_multiple { multiple } else { not(multiple) };
        schema.insert("type".into(), "number".into());
        Ok(vec![Condition::One { path, schema }])
    }

    /// Returns the requirement that a string begins or ends with one of several strings.
    fn affixed(
        &self,
        subject: &Expr,
        at_start: bool,
        arguments: &[Argument],
        is_negated: bool,
    ) -> Result<Vec<Condition>> {
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
        let schema = matching(&pattern);
        let schema = if is_negated { negated(schema) } else { Some(schema) };
        Ok(schema.map(|schema| Condition::One { path, schema }).into_iter().collect())
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

/// Collects the operands of nested `and` or nested `or`, in the order in which they are evaluated.
fn collect_operands<'e>(operator: Operator, node: &'e Expr, operands: &mut Vec<&'e Expr>) {
    match &node.kind {
        Kind::Binary(other, left, right) if *other == operator => {
            collect_operands(operator, left, operands);
            collect_operands(operator, right, operands);
        }
        _ => operands.push(node),
    }
}

/// Returns the JSON type that a function tests for.
fn type_test(name: &str) -> Option<&'static str> {
    Some(match name {
        "isString" => "string",
        "isInteger" => "integer",
        "isNumber" => "number",
        "isBoolean" => "boolean",
        "isList" => "array",
        "isDict" => "object",
        _ => return None,
    })
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

/// Returns the conditions of both lists.
fn both(mut left: Vec<Condition>, right: Vec<Condition>) -> Vec<Condition> {
    for condition in right {
        let known = match &condition {
            Condition::One { path, .. } => {
                left.iter_mut().find(|other| matches!(other, Condition::One { path: other, .. } if other == path))
            }
            Condition::Any(_) => None,
        };
        match (known, condition) {
            (Some(Condition::One { schema, .. }), Condition::One { schema: other, .. }) => merge(schema, other),
            (_, condition) => left.push(condition),
        }
    }
    left
}

/// Returns the condition that all conditions of either list hold.
fn any(mut left: Vec<Condition>, mut right: Vec<Condition>) -> Vec<Condition> {
    match (left.as_mut_slice(), right.as_mut_slice()) {
        ([], _) | (_, []) => Vec::new(),
        ([Condition::One { path, schema }], [Condition::One { path: other_path, schema: other }])
            if path == other_path =>
        {
            let schema = either(std::mem::take(schema), std::mem::take(other));
            vec![Condition::One { path: std::mem::take(path), schema }]
        }
        _ => {
            let alternatives = |mut conditions: Vec<Condition>| match conditions.as_mut_slice() {
                [Condition::Any(all)] => std::mem::take(all),
                _ => vec![conditions],
            };
            let mut all = alternatives(left);
            all.extend(alternatives(right));
            vec![Condition::Any(all)]
        }
    }
}

/// Returns the operator that holds if and only if another one doesn't.
fn inverse(operator: Operator) -> Option<Operator> {
    Some(match operator {
        Operator::Equal => Operator::NotEqual,
        Operator::NotEqual => Operator::Equal,
        Operator::Greater => Operator::LessOrEqual,
        Operator::GreaterOrEqual => Operator::Less,
        Operator::Less => Operator::GreaterOrEqual,
        Operator::LessOrEqual => Operator::Greater,
        Operator::Matches => Operator::MatchesNot,
        Operator::MatchesNot => Operator::Matches,
        _ => return None,
    })
}

/// Returns the schema of the values that count as false.
fn falsy() -> Map<String, Json> {
    one("enum", json!([null, false, 0, "", [], {}]))
}

fn compare(operator: Operator, value: &Value) -> Option<Map<String, Json>> {
    match operator {
        Operator::Equal => equal(value).map(|values| one("enum", values)),
        Operator::NotEqual => equal(value).map(|values| not(one("enum", values))),
        Operator::In => {
            let values = elements(value)?.into_iter().map(equal).collect::<Option<Vec<_>>>()?;
            Some(one("enum", values.into_iter().flatten().collect::<Vec<_>>()))
        }
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

fn elements(value: &Value) -> Option<Vec<&Value>> {
    match value {
        Value::List(items) => Some(items.iter().collect()),
        Value::Set(items) => Some(items.iter().collect()),
        _ => None,
    }
}

/// Returns the JSON values that equal a value: in expressions, true is 1 and false is 0.
pub(super) fn equal(value: &Value) -> Option<Vec<Json>> {
    let json = data(value)?;
    Some(match numeric(value) {
        Some(number @ (0 | 1)) => vec![number.into(), (number == 1).into()],
        _ if has_boolean(&json) => return None,
        _ => vec![json],
    })
}

/// Returns an integer, or a boolean or float that equals one.
fn numeric(value: &Value) -> Option<i64> {
    match value {
        Value::Boolean(boolean) => Some(i64::from(*boolean)),
        Value::Float(_) => {
            to_json(value).as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 1e15).map(|float| float as i64)
        }
        _ => value.as_i64(),
    }
}

/// Returns whether a list has items that equal booleans.
fn has_boolean(json: &Json) -> bool {
    match json {
        Json::Array(items) => items.iter().any(has_boolean),
        Json::Bool(_) => true,
        Json::Number(number) => matches!(number.as_f64(), Some(0.0 | 1.0)),
        _ => false,
    }
}

/// Removes the constants that a value of the given types equals only in another form: of true and 1, a boolean can only
/// be true.
pub(super) fn retain_constants(schema: &mut Map<String, Json>, types: &[Json]) {
    let has = |names: &[&str]| types.iter().any(|ty| names.iter().any(|name| ty == name));
    let (booleans, numbers) = (has(&["boolean"]), has(&["integer", "number"]));
    let is_other = |value: &Json, all: &[Json]| match value {
        Json::Bool(boolean) => !booleans && all.contains(&i64::from(*boolean).into()),
        Json::Number(number) => {
            !numbers && number.as_i64().is_some_and(|number| all.contains(&(number == 1).into()) && number < 2)
        }
        _ => false,
    };
    each_part(schema, &mut |part| {
        if let Some(Json::Array(values)) = part.get_mut("enum") {
            let all = values.clone();
            values.retain(|value| !is_other(value, &all));
        }
    });
}

/// Calls a function with a schema and the ones in it that restrict the same value.
fn each_part(schema: &mut Map<String, Json>, visit: &mut dyn FnMut(&mut Map<String, Json>)) {
    visit(schema);
    for key in ["not", "anyOf", "allOf"] {
        match schema.get_mut(key) {
            Some(Json::Object(part)) => each_part(part, visit),
            Some(Json::Array(parts)) => {
                parts.iter_mut().filter_map(Json::as_object_mut).for_each(|part| each_part(part, visit));
            }
            _ => {}
        }
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

/// The types of values that have a length.
const SIZED: [&str; 3] = ["string", "array", "object"];

/// The keywords for the minimum and maximum length of strings, lists and maps.
const LENGTHS: [(&str, &str); 3] =
    [("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties")];

fn length(operator: Operator, bound: &Value) -> Option<Map<String, Json>> {
    let range = |least: Option<i64>, most: Option<i64>| {
        let mut schema = Map::new();
        for (minimum, maximum) in LENGTHS {
            schema.extend(least.map(|least| (minimum.to_owned(), least.max(0).into())));
            schema.extend(most.map(|most| (maximum.to_owned(), most.max(0).into())));
        }
        // No length is negative.
        if most.is_some_and(|most| most < 0) {
            schema.insert("not".into(), json!({}));
        }
        schema
    };
    let exactly = |length: i64| range(Some(length), Some(length));
    let keywords = match operator {
        Operator::Greater => range(Some(bound.as_i64()?.checked_add(1)?), None),
        Operator::GreaterOrEqual => range(Some(bound.as_i64()?), None),
        Operator::Less => range(None, Some(bound.as_i64()?.checked_sub(1)?)),
        Operator::LessOrEqual => range(None, Some(bound.as_i64()?)),
        Operator::Equal => exactly(numeric(bound)?),
        Operator::NotEqual => match numeric(bound)? {
            0 => range(Some(1), None),
            length if length < 0 => Map::new(),
            length => not(exactly(length)),
        },
        Operator::In => {
            let lengths = elements(bound)?.into_iter().filter_map(numeric).filter(|length| *length >= 0);
            let mut lengths: Vec<i64> = lengths.collect();
            lengths.sort_unstable();
            lengths.dedup();
            match lengths.as_slice() {
                [] => not(Map::new()),
                [first, .., last] | [last @ first] if lengths.windows(2).all(|pair| pair[0] + 1 == pair[1]) => {
                    range(Some(*first), Some(*last))
                }
                _ => one("anyOf", lengths.into_iter().map(|length| exactly(length).into()).collect::<Vec<Json>>()),
            }
        }
        _ => return None,
    };
    let mut schema = one("type", json!(SIZED));
    schema.extend(keywords);
    Some(schema)
}

/// Removes the keywords for lengths of types that a schema does not have.
pub(super) fn retain_lengths(schema: &mut Map<String, Json>, types: &[Json]) {
    each_part(schema, &mut |part| {
        for (ty, (minimum, maximum)) in ["string", "array", "object"].into_iter().zip(LENGTHS) {
            if !types.iter().any(|other| other == ty) {
                part.shift_remove(minimum);
                part.shift_remove(maximum);
            }
        }
    });
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

/// Returns the schema of a negated condition that has one keyword besides the type. A condition on the type fails for
/// values of other types, and so does its negation.
fn negated(mut schema: Map<String, Json>) -> Option<Map<String, Json>> {
    let ty = schema.shift_remove("type");
    let rest = match schema.shift_remove("not") {
        Some(Json::Object(inner)) if schema.is_empty() => inner,
        None if ty.is_none() || schema.len() == 1 || is_exact_length(&schema) => not(schema),
        _ => return None,
    };
    Some(ty.map(|ty| ("type".to_owned(), ty)).into_iter().chain(rest).collect())
}

/// Returns whether a schema restricts nothing but lengths.
fn is_exact_length(schema: &Map<String, Json>) -> bool {
    schema.keys().all(|key| LENGTHS.iter().any(|(minimum, maximum)| key == minimum || key == maximum))
}

fn not(schema: Map<String, Json>) -> Map<String, Json> {
    one("not", schema)
}

fn either(first: Map<String, Json>, second: Map<String, Json>) -> Map<String, Json> {
    if values(&first).is_some() && values(&second).is_some() {
        let first = alternatives(first, "enum");
        let known: HashSet<Json> = first.iter().cloned().collect();
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
            "type" => {
                let types = both_types(old, &value);
                if types.is_none() {
                    schema.insert("not".into(), json!({}));
                    continue;
                }
                types
            }
            "required" => Some(union(old, &value)),
            key if key.starts_with("min") => larger(old, &value, true),
            key if key.starts_with("max") => larger(old, &value, false),
            "enum" => {
                let allowed: HashSet<&Json> = value.as_array().into_iter().flatten().collect();
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

/// Replaces lists of no values, which a schema can't have.
pub(super) fn replace_empty_lists(schema: &mut Map<String, Json>) {
    each_part(schema, &mut |part| {
        if part.get("enum").and_then(Json::as_array).is_some_and(Vec::is_empty) {
            part.shift_remove("enum");
            part.insert("not".into(), json!({}));
        }
    });
}

/// Restricts a complete schema to the values that fulfill another one, too.
pub(super) fn restrict(schema: &mut Map<String, Json>, other: Map<String, Json>) {
    const NESTED: [&str; 5] = ["properties", "additionalProperties", "patternProperties", "items", "additionalItems"];
    if other.iter().all(|(key, value)| schema.get(key) == Some(value)) {
        return;
    }
    let is_nested = |schema: &Map<String, Json>| NESTED.iter().any(|key| schema.contains_key(*key));
    if is_nested(schema) || is_nested(&other) {
        if let Json::Array(all) = schema.entry("allOf").or_insert_with(|| json!([])) {
            all.push(other.into());
        }
        return;
    }
    merge(schema, other);
    replace_empty_lists(schema);
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

/// Returns whether a list of types includes all types of a `type` keyword, apart from null, which contracts decide on.
fn covers(domain: &Json, types: &Json) -> bool {
    let is_included = |ty: &Json| {
        let has = |name: &str| domain.as_array().is_some_and(|domain| domain.iter().any(|other| other == name));
        ty.as_str().is_some_and(|ty| ty == "null" || has(ty) || ty == "integer" && has("number"))
    };
    match types {
        Json::Array(types) => types.iter().all(is_included),
        ty => is_included(ty),
    }
}

/// Returns the types that both of two `type` keywords allow; `None` if there are none. Integers are numbers.
pub(super) fn both_types(one: &Json, other: &Json) -> Option<Json> {
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
        // An object of a class has no JSON type.
        [] if one == "muranoObject" || other == "muranoObject" => Some(one.clone()),
        [] => None,
        [only] => Some(only.as_str().into()),
        _ => Some(both.into_iter().map(String::as_str).collect()),
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
