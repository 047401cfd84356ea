//! Contracts for the keys of maps. Draft 4 of JSON Schema has no keyword for them but patterns.

use serde_json::{Map, Value as Json};
use tosca_parse_yaql::ecma;

use super::convert::INTEGER;

/// Returns a pattern for the names that violate the contract for keys, apart from names with contracts of their own;
/// `None` if all names fulfill it, or if no pattern can express it.
pub(super) fn refused<'n>(keys: &Json, known: impl Iterator<Item = &'n String>) -> Option<String> {
    let accepted = accepted(keys.as_object()?)?;
    let known: Vec<String> = known.map(|name| ecma::literal(name)).collect();
    let known = if known.is_empty() { String::new() } else { format!("(?!(?:{})$)", known.join("|")) };
    Some(format!("^{known}(?!{accepted})"))
}

/// Returns an assertion that holds at the start of the names that fulfill a schema, as far as patterns can express it.
fn accepted(schema: &Map<String, Json>) -> Option<String> {
    let is_of = |name: &str| match schema.get("type") {
        Some(Json::Array(types)) => types.iter().any(|ty| ty == name),
        Some(ty) => ty == name,
        None => true,
    };
    let mut parts = Vec::new();
    if !is_of("string") {
        // Contracts for booleans accept any key.
        if is_of("boolean") {
            return None;
        }
        // Keys are text, which contracts for integers convert.
        parts.push(if is_of("integer") { format!("(?={INTEGER})") } else { r"[^\s\S]".to_owned() });
    }
    parts.extend(schema.iter().filter_map(|(key, value)| keyword(schema, key, value)));
    (!parts.is_empty()).then(|| parts.concat())
}

/// Returns the assertion for a keyword; `None` if there is none, or if another keyword includes it.
fn keyword(schema: &Map<String, Json>, key: &str, value: &Json) -> Option<String> {
    match key {
        "enum" => {
            let names = value.as_array()?.iter().filter_map(|value| match value {
                Json::String(name) => Some(ecma::literal(name)),
                Json::Number(number) => Some(number.to_string()),
                _ => None,
            });
            Some(format!("(?=(?:{})$)", names.collect::<Vec<_>>().join("|")))
        }
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
                return Some(r"[^\s\S]".to_owned());
            }
            Some(format!("(?!{})", exact(inner)?))
        }
        "anyOf" => {
            let all = value.as_array()?.iter().map(|part| exact(part.as_object()?)).collect::<Option<Vec<_>>>()?;
            Some(format!("(?:{})", all.join("|")))
        }
        "allOf" => {
            let all = value.as_array()?.iter().filter_map(|part| accepted(part.as_object()?));
            Some(all.collect())
        }
        _ => None,
    }
}

/// Like [`accepted`], but `None` unless the assertion expresses the whole schema.
fn exact(schema: &Map<String, Json>) -> Option<String> {
    const KNOWN: [&str; 5] = ["type", "enum", "pattern", "minLength", "maxLength"];
    let has_lengths = schema.contains_key("minLength") && schema.contains_key("maxLength");
    let is_written = |(key, value): (&String, &Json)| {
        KNOWN.contains(&key.as_str())
            && (key == "type" || key == "maxLength" && has_lengths || keyword(schema, key, value).is_some())
    };
    if schema.iter().all(is_written) { accepted(schema) } else { None }
}
