#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use tosca_parse::normal::{Options, Service};
use tosca_parse::{Entry, Parser, TOSCA};

use crate::special::{timestamp, version};
use crate::{Clout, text};

const SHOP: &str = include_str!("tests/shop.yaml");

fn service(text: &str, positions: bool) -> Service {
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("shop.yaml").unwrap(), text));
    assert!(outcome.is_valid(), "{:?}", outcome.diagnostics);
    Service::with(&outcome.program, Options { positions, ..Options::default() }).unwrap()
}

fn clout(text: &str) -> Value {
    serde_json::to_value(Clout::of(&service(text, false))).unwrap()
}

/// Asserts that edges lead to vertexes, and that coercible values have exactly one form.
fn check(clout: &Value) {
    assert_eq!(clout["version"], "1.0");
    let vertexes = clout["vertexes"].as_object().unwrap();
    for vertex in vertexes.values() {
        for edge in vertex["edgesOut"].as_array().unwrap() {
            let target = edge["targetID"].as_str().unwrap();
            assert!(vertexes.contains_key(target), "{target}");
        }
    }
    check_values(clout);
}

const FORMS: [&str; 4] = ["$primitive", "$list", "$map", "$functionCall"];

fn check_values(value: &Value) {
    match value {
        Value::Object(fields) => {
            if fields.contains_key("$key")
                || fields.contains_key("$meta")
                || FORMS.iter().any(|form| fields.contains_key(*form))
            {
                let count = FORMS.iter().filter(|form| fields.contains_key(**form)).count();
                assert_eq!(count, 1, "{value}");
            }
            fields.values().for_each(check_values);
        }
        Value::Array(items) => items.iter().for_each(check_values),
        _ => {}
    }
}

fn vertex<'c>(clout: &'c Value, kind: &str, name: &str) -> &'c Value {
    let mut vertexes = clout["vertexes"].as_object().unwrap().values();
    let is_wanted = |vertex: &&Value| {
        vertex["metadata"]["puccini"]["kind"] == kind && (name.is_empty() || vertex["properties"]["name"] == name)
    };
    vertexes.find(is_wanted).unwrap()
}

#[test]
fn a_service_is_a_graph() {
    let clout = clout(SHOP);
    check(&clout);
    insta::assert_snapshot!(serde_json::to_string_pretty(&clout).unwrap());
}

#[test]
fn repeated_validators_are_limited() {
    let values: Vec<String> = (0..2000).map(|number| number.to_string()).collect();
    let properties = |count: usize| {
        (0..count).map(|number| format!("p{number}: {{ type: T, default: 1 }}")).collect::<Vec<_>>().join(", ")
    };
    let text = |count| {
        format!(
            "
tosca_definitions_version: tosca_simple_yaml_1_3
data_types: {{ T: {{ derived_from: integer, constraints: [ valid_values: [ {} ] ] }} }}
node_types: {{ N: {{ properties: {{ {} }} }} }}
topology_template: {{ node_templates: {{ n: {{ type: N }}, o: {{ type: N }} }} }}
",
            values.join(", "),
            properties(count)
        )
    };
    let metas = |count| {
        let clout = clout(&text(count));
        let of = |name| vertex(&clout, "NodeTemplate", name)["properties"]["properties"].clone();
        let of_both = [of("n"), of("o")];
        let omitted = |properties: &Value| {
            properties.as_object().unwrap().values().filter(|value| value["$meta"]["validatorsOmitted"] == true).count()
        };
        of_both.map(|properties| omitted(&properties))
    };
    assert_eq!(metas(20), [0, 0]);
    // Each node has room for 24 lists of 2000 values.
    assert_eq!(metas(30), [6, 6]);
}

#[test]
fn ids_are_deterministic() {
    let service = service(SHOP, false);
    let write = || serde_json::to_string(&Clout::of(&service)).unwrap();
    assert_eq!(write(), write());
}

#[test]
fn calls_have_positions_on_request() {
    let clout = serde_json::to_value(Clout::of(&service(SHOP, true))).unwrap();
    check(&clout);
    let call = &vertex(&clout, "NodeTemplate", "app")["properties"]["properties"]["port"]["$functionCall"];
    assert_eq!(call["name"], "tosca.function.get_input");
    assert!(call["row"].is_u64() && call["url"].as_str().unwrap().ends_with("shop.yaml"), "{call}");
}

#[test]
fn later_versions_have_the_same_form() {
    let clout = clout(
        "
tosca_definitions_version: tosca_2_0
data_types:
  Tree: { properties: { name: { type: string, validation: { $matches: [ $value, 'a|b' ] } }, sub: { type: list, entry_schema: Tree, required: false } } }
capability_types:
  Port: {}
relationship_types:
  Uses: {}
node_types:
  Server:
    properties:
      tree: { type: Tree }
      size: { type: integer, validation: { $greater_or_equal: [ $value, 1 ] } }
      other: { type: integer, default: 3 }
    capabilities: { port: Port }
    requirements:
    - uses: { capability: Port, relationship: Uses, count_range: [ 0, UNBOUNDED ] }
service_template:
  node_templates:
    a: { type: Server, properties: { tree: { name: a, sub: [ { name: b } ] }, size: { $get_property: [ SELF, other ] } } }
    b: { type: Server, count: 2, properties: { tree: { name: a }, size: 2 }, requirements: [ uses: { node: [ a, 0 ] } ] }
"
        .trim_start(),
    );
    check(&clout);
    let tree = &vertex(&clout, "NodeTemplate", "a")["properties"]["properties"]["tree"];
    assert_eq!(tree["$map"][1]["$list"][0]["$map"][0]["$primitive"], "b");
    assert_eq!(tree["$meta"]["fields"]["sub"]["element"], json!({ "type": "Tree" }));
    // A constraint clause `pattern` must match the whole value, so a search remains an expression.
    let validator = &tree["$meta"]["fields"]["name"]["validators"][0]["$functionCall"];
    assert_eq!(validator["name"], "tosca.function.matches");
    let size = &vertex(&clout, "NodeTemplate", "b")["properties"]["properties"]["size"]["$meta"]["validators"];
    assert_eq!(size[0]["$functionCall"]["name"], "tosca.constraint.greater_or_equal");
    let edge = &vertex(&clout, "NodeTemplate", "b")["edgesOut"][0];
    assert_eq!((&edge["targetID"], &edge["properties"]["index"]), (&json!("node-0"), &json!({ "$primitive": 0 })));
}

#[test]
fn types_of_one_name_are_distinct() {
    let mut service = service(SHOP, false);
    let types = service.nodes["app"].types.to_vec();
    let mut same = types[0].clone();
    same.origin = Some("other.yaml".into());
    service.nodes.get_mut("app").unwrap().types = vec![types[0].clone(), same].into();
    let clout = serde_json::to_value(Clout::of(&service)).unwrap();
    let types = &vertex(&clout, "NodeTemplate", "app")["properties"]["types"];
    assert_eq!(types["App"]["parent"], "other.yaml::App");
    assert_eq!(types["other.yaml::App"], json!({ "version": "1.2.3" }));
}

#[test]
fn versions_and_timestamps_have_parts() {
    let parts = version("1.2.3.beta-4").unwrap();
    assert_eq!((&parts["fix"], &parts["qualifier"], &parts["build"]), (&json!(3), &json!("beta"), &json!(4)));
    assert_eq!(version("1.2").unwrap()["fix"], 0);
    assert_eq!(version("one"), None);
    let day = 1_577_836_800_000_000_000_i64;
    for (written, number) in [
        ("2020-01-01", day),
        ("2020-01-01T00:00:00Z", day),
        ("2020-01-01 01:30:00.5 +1:30", day + 500_000_000),
        ("2019-12-31t19:00:00-05:00", day),
    ] {
        assert_eq!(timestamp(written).unwrap()["$number"], number, "{written}");
    }
    assert_eq!(timestamp("2020-13-01"), None);
    assert_eq!(timestamp("soon"), None);
    assert_eq!(text(None), "");
}
