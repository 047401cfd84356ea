//! Contracts for the keys of maps. Draft 4 of JSON Schema has no keyword for them but patterns.

use serde_json::{Map, Value as Json};
use tosca_parse_yaql::ecma;

use super::convert::INTEGER;

/// The form of the keys that a contract gets.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Form {
    /// Text, which the contract can convert.
    Convertible,
    /// Text.
    Text,
    /// Integers.
    Integer,
    /// Booleans.
    Boolean,
}

/// An assertion that never holds.
const NEVER: &str = r"[^\s\S]";

/// Returns a pattern for the names that violate the contract for keys, apart from names with contracts of their own;
/// `None` if all names fulfill it, or if no pattern can express it.
pub(super) fn refused<'n>(keys: &Json, form: Form, known: impl Iterator<Item = &'n String>) -> Option<String> {
    let accepted = accepted(keys.as_object()?, form).filter(|accepted| !accepted.is_empty())?;
    let known: Vec<String> = known.map(|name| ecma::literal(name)).collect();
    let known = if known.is_empty() { String::new() } else { format!("(?!(?:{})$)", known.join("|")) };
    Some(format!("^{known}(?!{accepted})"))
}

/// Returns an assertion that holds at the start of the names that fulfill a schema, as far as patterns can express it;
/// `None` if they can't express its type.
fn accepted(schema: &Map<String, Json>, form: Form) -> Option<String> {
    let mut assertion = of_type(schema, form)?;
    assertion.extend(schema.iter().filter_map(|(key, value)| keyword(schema, form, key, value)));
    Some(assertion)
}

/// Returns an assertion for the type of a schema.
fn of_type(schema: &Map<String, Json>, form: Form) -> Option<String> {
    let is_of = |names: &[&str]| match schema.get("type") {
        Some(Json::Array(types)) => types.iter().any(|ty| names.iter().any(|name| ty == name)),
        Some(ty) => names.iter().any(|name| ty == name),
        None => true,
    };
    let is_number = is_of(&["integer", "number"]);
    Some(match form {
        Form::Convertible if is_of(&["string"]) => String::new(),
        // Contracts for booleans accept any key.
        Form::Convertible if is_of(&["boolean"]) => return None,
        Form::Convertible if is_number => format!("(?={INTEGER})"),
        Form::Text if is_of(&["string"]) => String::new(),
        Form::Integer if is_number => String::new(),
        Form::Boolean if is_of(&["boolean"]) => return None,
        _ => NEVER.to_owned(),
    })
}

/// Returns the assertion for a keyword; `None` if there is none, or if another keyword includes it.
fn keyword(schema: &Map<String, Json>, form: Form, key: &str, value: &Json) -> Option<String> {
    match key {
        "enum" => {
            let names = value.as_array()?.iter().filter_map(|value| match value {
                Json::String(name) if form != Form::Integer => Some(ecma::literal(name)),
                Json::Number(number) if form != Form::Text => Some(number.to_string()),
                _ => None,
            });
            let names: Vec<_> = names.collect();
            Some(if names.is_empty() { NEVER.to_owned() } else { format!("(?=(?:{})$)", names.join("|")) })
        }
        // Of other values, only text has a length and parts.
        "pattern" | "minLength" | "maxLength" if form == Form::Integer => None,
        "pattern" => {
            let pattern = value.as_str()?;
            // In a longer pattern, references would have other numbers.
            let has_reference = pattern.as_bytes().windows(2).any(|pair| pair[0] == b'\\' && pair[1].is_ascii_digit());
            (!has_reference).then(|| format!(r"(?=[\s\S]*(?:{pattern}))"))
        }
        "minLength" | "maxLength" => {
            let bound = |key: &str| schema.get(key).and_then(Json::as_u64);
            let (least, most) = (bound("minLength"), bound("maxLength"));
            // One assertion is about both bounds.
            if key == "maxLength" && least.is_some() {
                return None;
            }
            let most = most.map(|most| most.to_string()).unwrap_or_default();
            Some(format!(r"(?=[\s\S]{{{},{most}}}$)", least.unwrap_or(0)))
        }
        "not" => {
            let inner = value.as_object()?;
            if inner.is_empty() {
                return Some(NEVER.to_owned());
            }
            Some(format!("(?!{})", exact(inner, form)?))
        }
        "anyOf" => {
            let all =
                value.as_array()?.iter().map(|part| exact(part.as_object()?, form)).collect::<Option<Vec<_>>>()?;
            Some(format!("(?:{})", all.join("|")))
        }
        "allOf" => {
            let all = value.as_array()?.iter().filter_map(|part| accepted(part.as_object()?, form));
            Some(all.collect())
        }
        _ => None,
    }
}

/// Like [`accepted`], but `None` unless the assertion expresses the whole schema.
fn exact(schema: &Map<String, Json>, form: Form) -> Option<String> {
    const KNOWN: [&str; 7] = ["type", "enum", "pattern", "minLength", "maxLength", "not", "anyOf"];
    if of_type(schema, form)? == NEVER {
        return Some(NEVER.to_owned());
    }
    let has_lengths = schema.contains_key("minLength") && schema.contains_key("maxLength");
    let is_written = |(key, value): (&String, &Json)| {
        KNOWN.contains(&key.as_str())
            && (key == "type" || key == "maxLength" && has_lengths || keyword(schema, form, key, value).is_some())
    };
    if schema.iter().all(is_written) { accepted(schema, form) } else { None }
}
