//! The JSON Schema of configurations.

use crate::file::{File, Indent, Limits, Mappings, Options, Quirks, Rules, Versions};
use crate::languages;
use tosca_parse::grammar::version;

/// Returns the JSON Schema of a configuration.
pub fn json_schema() -> serde_json::Value {
    tosca_parse::json_schema::of_input::<File>()
}

impl schemars::JsonSchema for Indent {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Indent".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "minimum": 2, "maximum": 9 })
    }
}

/// Implements the schema of a map whose keys come from a list and whose values have one type.
macro_rules! map_schema {
    ($type:ty, $name:literal, $keys:expr, $value:expr) => {
        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let keys: Option<serde_json::Value> = $keys;
                let mut schema = schemars::json_schema!({ "type": "object" });
                schema.insert("additionalProperties".to_owned(), $value);
                if let Some(keys) = keys {
                    schema.insert("propertyNames".to_owned(), keys);
                }
                schema
            }
        }
    };
}

/// Returns the codes and names of all rules.
fn rule_names() -> Vec<String> {
    let rules = languages().rules().iter().flat_map(|explained| [explained.rule.code, explained.rule.name]);
    rules.chain(["warnings", "lints"]).map(str::to_owned).collect()
}

map_schema!(
    Rules,
    "Rules",
    Some(serde_json::json!({ "anyOf": [{ "enum": rule_names() }, { "pattern": crate::custom_rules::NAME }] })),
    serde_json::json!({ "enum": ["allow", "warn", "deny"] })
);
map_schema!(Versions, "Versions", None, serde_json::json!({ "enum": version::words().collect::<Vec<_>>() }));
map_schema!(Mappings, "Mappings", None, serde_json::json!({ "type": "string" }));
map_schema!(
    Limits,
    "Limits",
    Some(serde_json::json!({ "enum": crate::limits().iter().map(|known| known.name).collect::<Vec<_>>() })),
    serde_json::json!({ "type": ["integer", "string"] })
);

impl schemars::JsonSchema for Options {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Options".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let properties: serde_json::Map<_, _> = languages()
            .options()
            .map(|option| {
                let path = serde_json::json!({ "type": "string" });
                let list = serde_json::json!({ "type": "array", "items": path });
                let value = if option.repeated { serde_json::json!({ "anyOf": [path, list] }) } else { path };
                (option.name.to_owned(), value)
            })
            .collect();
        schemars::json_schema!({ "type": "object", "properties": properties, "additionalProperties": false })
    }
}

impl schemars::JsonSchema for Quirks {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Quirks".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let names: Vec<&str> = languages().quirk_names().collect();
        schemars::json_schema!({ "type": "array", "items": { "enum": names } })
    }
}
