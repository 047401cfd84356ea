//! Checks that the output matches the JSON Schemas.

use std::fmt::Display;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};
use tosca_parse::diagnostic::render::{self, Document};
use tosca_parse::normal::{self, Map};
use tosca_parse::{Entry, Parser, TOSCA};

use super::{is_up_to_date, models};

/// The schema of models.
pub(crate) static MODEL: LazyLock<Validator> = LazyLock::new(|| validator(&normal::json_schema()));

/// The schema of problems.
static PROBLEMS: LazyLock<Validator> = LazyLock::new(|| validator(&render::json_schema()));

fn validator(schema: &Value) -> Validator {
    assert!(jsonschema::meta::is_valid(schema));
    jsonschema::validator_for(schema).unwrap()
}

pub(crate) fn assert_valid(validator: &Validator, value: &Value, what: &dyn Display) {
    let errors: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{what}: {errors:#?}");
}

#[test]
fn schemas_are_up_to_date() {
    for (file, schema) in [
        ("model.schema.json", normal::json_schema()),
        ("problems.schema.json", render::json_schema()),
        ("plan.schema.json", normal::plan_json_schema()),
        ("differences.schema.json", normal::differences_json_schema()),
        ("evaluation.schema.json", normal::evaluation_json_schema()),
        ("nested.schema.json", normal::nested_json_schema()),
    ] {
        is_up_to_date(file, &format!("{schema:#}\n"));
    }
}

#[test]
fn models_match_their_schema() {
    for positions in [false, true] {
        for (name, service) in models(positions) {
            assert_valid(&MODEL, &serde_json::to_value(&service).unwrap(), &name);
            let yaml = serde_yaml::to_string(&service).unwrap();
            assert_valid(&MODEL, &serde_yaml::from_str(&yaml).unwrap(), &name);
        }
    }
}

/// Checks that the schema rejects invalid models, because every model would match a schema that accepts anything.
#[test]
fn invalid_models_are_rejected() {
    let mut wrong = 0;
    for (name, service) in models(true) {
        let model = serde_json::to_value(&service).unwrap();
        let mut places = Vec::new();
        places_of(&model, &mut String::new(), &mut places);
        for (place, instead) in places {
            let mut other = model.clone();
            *other.pointer_mut(&place).unwrap() = instead;
            assert!(!MODEL.is_valid(&other), "{name}: anything may stand at {place}");
            wrong += 1;
        }
        for field in ["model", "language", "file"] {
            let mut other = model.clone();
            other.as_object_mut().unwrap().shift_remove(field);
            assert!(!MODEL.is_valid(&other), "{name} may be without {field}");
        }
    }
    assert!(wrong > 1000, "{wrong}");
}

/// Returns positions in a model, each with a value that is invalid there.
fn places_of(value: &Value, place: &mut String, places: &mut Vec<(String, Value)>) {
    let length = place.len();
    let is_in_mapping =
        place.starts_with("/substitution/capabilities/") || place.starts_with("/substitution/requirements/");
    match value {
        Value::Object(entries) => {
            for (key, entry) in entries {
                place.push('/');
                place.push_str(&key.replace('~', "~0").replace('/', "~1"));
                match &**key {
                    // Any data, where hardly anything is invalid.
                    "metadata" | "value" | "expression" | "validation" | "node_filter" | "count" | "occurrences"
                    | "path" | "mapping" | "inputs" | "condition" | "filter" | "preconditions" | "schedule"
                    | "target_filter" | "timeout" | "credential" | "index" | "operation" => {}
                    "properties" | "attributes" if is_in_mapping => {}
                    "state" | "kind" => places.push((place.clone(), json!("something"))),
                    "model" => places.push((place.clone(), json!(2))),
                    _ => {
                        places.push((place.clone(), Value::Null));
                        places_of(entry, place, places);
                    }
                }
                place.truncate(length);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                place.push('/');
                place.push_str(&index.to_string());
                places_of(item, place, places);
                place.truncate(length);
            }
        }
        _ => {}
    }
}

#[test]
fn calls_are_distinguished_from_data() {
    let service = |value: Value| {
        let property = json!({ "value": value, "state": "assigned", "schema": {} });
        json!({ "model": 1, "language": "TOSCA 2.0", "file": "a.yaml", "outputs": { "a": property } })
    };
    for right in [
        json!({ "$call": { "name": "concat", "arguments": [{ "$call": { "name": "value", "arguments": [] } }] } }),
        json!({ "$$call": 1, "": 2, "a": [{ "$$": null }] }),
    ] {
        assert_valid(&MODEL, &service(right.clone()), &right);
    }
    for wrong in [
        json!({ "$concat": [] }),
        json!({ "$call": [] }),
        json!({ "$call": { "name": "a", "arguments": [] }, "b": 1 }),
        json!({ "a": [{ "$": 1 }] }),
    ] {
        assert!(!MODEL.is_valid(&service(wrong.clone())), "{wrong}");
    }
}

#[test]
fn plans_and_differences_match_their_schemas() {
    let (plan, differences) = (validator(&normal::plan_json_schema()), validator(&normal::differences_json_schema()));
    let all: Vec<_> = models(true).collect();
    for ((name, service), (_, other)) in all.iter().zip(all.iter().skip(1)) {
        for made in [service.plan(), service.plan_from(other)] {
            assert_valid(&plan, &serde_json::to_value(made).unwrap(), name);
        }
        assert_valid(&differences, &serde_json::to_value(service.diff(other)).unwrap(), name);
    }
    assert!(!plan.is_valid(&json!({ "plan": 2, "file": "", "deployment": [], "undeployment": [] })));
    assert!(!differences.is_valid(&json!([{ "at": "", "kind": "moved" }])));
}

#[test]
fn evaluations_and_nested_services_match_their_schemas() {
    let (evaluation, nested) = (validator(&normal::evaluation_json_schema()), validator(&normal::nested_json_schema()));
    for (name, service) in models(true) {
        assert_valid(&evaluation, &serde_json::to_value(service.evaluate(&Map::new())).unwrap(), &name);
    }
    let mut example = serde_json::to_value(super::nested::example()).unwrap();
    assert_valid(&nested, &example, &"the nested services");
    assert!(example["db"].as_object_mut().unwrap().shift_remove("service").is_some() && !nested.is_valid(&example));
    assert!(!evaluation.is_valid(&json!({ "problems": [] })));
}

#[test]
fn documents_of_problems_match_their_schema() {
    let parser = Parser::builder(&TOSCA).build().unwrap();
    for text in ["", "a: 1\na: 2\n", "tosca_definitions_version: tosca_2_0\nnode_types: { A: { derived_from: B } }\n"] {
        let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").unwrap(), text));
        let document = Document::new(&outcome.diagnostics, &outcome.sources);
        assert_eq!(document.summary.errors > 0, !outcome.is_valid());
        let mut document = serde_json::to_value(document).unwrap();
        assert_valid(&PROBLEMS, &document, &text);
        document["version"] = json!(2);
        assert!(!PROBLEMS.is_valid(&document));
    }
}
