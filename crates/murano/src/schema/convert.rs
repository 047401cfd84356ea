//! Conversions in contracts: the requirements of earlier functions apply to the unconverted value.

use serde_json::{Map, Value as Json, json};
use tosca_parse_yaql::Value;

use super::{Draft, Maker, condition, to_json};
use crate::contract::{self, Mode, Scope};
use crate::error::{Kind, is};
use crate::object::type_value;
use crate::template::Template;

/// Integers as text, as they are written.
pub(super) const INTEGER: &str = "^(?:0|-?[1-9][0-9]*)$";

/// Adds a conversion to a JSON type to a draft.
pub(super) fn convert(draft: &mut Draft, ty: &'static str, mode: Mode) {
    match (draft.converted.filter(|_| mode == Mode::Transform), ty) {
        (_, "muranoObject") => return,
        // Values that are not converted fulfill the requirements as they are.
        (None, _) => {
            let types = draft.schema.get("type");
            draft.is_contradictory |= types.is_some_and(|types| condition::both_types(types, &ty.into()).is_none());
            condition::merge(&mut draft.schema, Map::from_iter([("type".to_owned(), ty.into())]));
        }
        (Some(old), _) if old == ty => {}
        (Some(old), _) => {
            let values = draft.schema.get("enum").and_then(Json::as_array).cloned();
            draft.schema.retain(|key, _| key == "errorMessage");
            let values = values.and_then(|values| {
                let convert: fn(&Json) -> Option<Json> = match (old, ty) {
                    ("integer", "string") => as_text,
                    ("string", "integer") => as_integer,
                    _ => return None,
                };
                Some(values.iter().filter_map(convert).collect::<Vec<_>>())
            });
            // Conversions of booleans have few results.
            let values = values.or_else(|| match (old, ty) {
                ("boolean", "string") => Some(vec![json!("True"), Json::Null]),
                ("boolean", "integer") => Some(vec![json!(0), json!(1), Json::Null]),
                _ => None,
            });
            match values {
                Some(values) => drop(draft.schema.insert("enum".into(), values.into())),
                None if (old, ty) == ("integer", "string") => {
                    draft.schema.insert("pattern".into(), INTEGER.into());
                }
                None => {}
            }
        }
    }
    draft.converted = Some(ty);
}

fn as_text(value: &Json) -> Option<Json> {
    match value {
        Json::Null => Some(Json::Null),
        Json::Number(number) => Some(number.to_string().into()),
        _ => None,
    }
}

fn as_integer(value: &Json) -> Option<Json> {
    match value {
        Json::Null => Some(Json::Null),
        Json::String(text) => text.parse::<i64>().ok().filter(|number| number.to_string() == *text).map(Json::from),
        _ => None,
    }
}

/// The maximum number of values that are tried.
const MAX_TRIED: usize = 64;

impl Maker<'_> {
    /// Reduces a schema with few values to the values that the contract keeps.
    pub(super) fn retain_accepted(&self, schema: &mut Map<String, Json>, contract: &Template) {
        let takes_null =
            schema.get("type").and_then(Json::as_array).is_some_and(|types| types.contains(&"null".into()));
        let is_boolean = match schema.get("type") {
            Some(Json::Array(types)) => types.iter().all(|ty| ty == "boolean" || ty == "null"),
            Some(ty) => ty == "boolean",
            None => false,
        };
        let listed = schema.get("enum").and_then(Json::as_array);
        let values = match listed {
            Some(values) if values.len() <= MAX_TRIED => values.clone(),
            None if is_boolean && takes_null => vec![json!(true), json!(false), Json::Null],
            None if is_boolean => vec![json!(true), json!(false)],
            _ => return,
        };
        let accepted: Vec<_> = values.iter().filter(|value| self.keeps(contract, value)).cloned().collect();
        if accepted.len() == values.len() && !is_boolean {
            return;
        }
        if is_boolean {
            schema.retain(|key, _| matches!(key.as_str(), "type" | "enum" | "owned" | "errorMessage"));
        }
        if accepted.len() < values.len() {
            schema.insert("enum".into(), accepted.into());
            condition::replace_empty_lists(schema);
        }
    }

    fn keeps(&self, contract: &Template, value: &Json) -> bool {
        let this = type_value(&self.class);
        let applied =
            contract::apply(self.runtime, &self.class, &this, contract, Value::from(value), Scope::new(self.mode));
        match applied {
            Ok(kept) => {
                let kept = to_json(&kept);
                kept == *value || kept.is_number() && kept.as_f64() == value.as_f64()
            }
            // The condition needs an object.
            Err(error) => is(&error, Kind::NoProperty),
        }
    }
}
