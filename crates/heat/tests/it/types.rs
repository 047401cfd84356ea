//! The built-in resource types agree with the facts that they are generated from.

use std::path::Path;

use serde_json::{Map, Value as Json, json};

/// The name and the text of the library that comes with the language.
const LIBRARY: (&str, &str) =
    (concat!(env!("CARGO_MANIFEST_DIR"), "/normative/types.yaml"), include_str!("../../normative/types.yaml"));

/// `cargo xtask renew types` writes the library.
#[test]
fn built_in_types_agree_with_the_facts() {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        println!("skipped: TOSCA_PARSE_SHARED is not set");
        return;
    };
    let facts = std::fs::read_to_string(Path::new(&shared).join("spec/hot/resources.json")).unwrap();
    let facts: Json = serde_json::from_str(&facts).unwrap();
    let lines = facts["types"].as_object().unwrap().iter().map(|(name, ty)| format!("  {name:?}: {}\n", of_type(ty)));
    let head =
        "# The resource types of OpenStack Heat, in the format of `openstack orchestration resource type show`.\n";
    let text = format!("{head}resource_types:\n{}", lines.collect::<String>());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(LIBRARY.0, &text).unwrap();
        return;
    }
    assert!(text == LIBRARY.1, "`normative/types.yaml` differs from the facts; run `cargo xtask renew types`");
}

fn of_type(facts: &Json) -> Json {
    let mut ty = Map::new();
    let mut add = |name: &str, value: Json| {
        if value.as_object().is_none_or(|map| !map.is_empty()) && value != Json::Bool(false) {
            ty.insert(name.to_owned(), value);
        }
    };
    let support = &facts["support"][0];
    if support["status"] != "SUPPORTED" {
        add("support_status", support.clone());
    }
    add("properties", each(&facts["properties"], of_property));
    add("attributes", each(&facts["attributes"], |attribute| json!(attribute["type"].as_str().unwrap_or("any"))));
    add("update_policy", each(&facts["update_policy"], of_property));
    add("any_attribute", json!(facts["any_attribute"] == true));
    add("any_property", json!(facts["placeholder"] == true));
    add("snapshot", json!(facts["snapshot_on_delete"] == true));
    let replaced = facts["translation"].as_array().into_iter().flatten().filter_map(|rule| {
        let (path, older) = (rule["path"].as_array()?, rule["value_path"].as_array()?);
        let is_top = rule["rule"] == "replace" && path.len() == 1 && older.len() == 1;
        is_top.then(|| (older[0].as_str().unwrap_or_default().to_owned(), path[0].clone()))
    });
    add("renamed", Json::Object(replaced.collect()));
    Json::Object(ty)
}

fn each(facts: &Json, of: fn(&Json) -> Json) -> Json {
    let entries = facts.as_object().into_iter().flatten();
    Json::Object(entries.map(|(name, fact)| (name.clone(), of(fact))).collect())
}

/// Returns a property, or only its type if nothing else is known.
fn of_property(facts: &Json) -> Json {
    let mut property = Map::new();
    property.insert("type".to_owned(), facts["type"].clone());
    let mut add = |name: &str, value: Json| property.insert(name.to_owned(), value);
    if facts["required"] == true {
        add("required", json!(true));
    }
    let constraints: Vec<Json> = facts["constraints"].as_array().into_iter().flatten().map(of_constraint).collect();
    if !constraints.is_empty() {
        add("constraints", json!(constraints));
    }
    if facts["items"].is_object() {
        add("schema", json!({ "*": of_property(&facts["items"]) }));
    } else if facts["keys"].is_object() {
        add("schema", each(&facts["keys"], of_property));
    }
    if facts["implemented"] == false {
        add("refused", json!(true));
    }
    let support = &facts["support"][0];
    if support["version"].is_string() && support["status"] != "SUPPORTED" {
        add("deprecated", support["version"].clone());
    }
    if property.len() == 1 { facts["type"].clone() } else { Json::Object(property) }
}

fn of_constraint(facts: &Json) -> Json {
    match facts["kind"].as_str().unwrap() {
        "allowed_values" => json!({ "allowed_values": facts["values"] }),
        "allowed_pattern" => json!({ "allowed_pattern": facts["pattern"] }),
        "custom" => json!({ "custom_constraint": facts["name"] }),
        kind => {
            let bounds = ["min", "max"].into_iter().filter(|bound| !facts[*bound].is_null());
            let bounds: Map<_, _> = bounds.map(|bound| (bound.to_owned(), facts[bound].clone())).collect();
            json!({ kind: bounds })
        }
    }
}
