//! Forms: schemas that accept what the parser accepts, and pages that are filled in by a browser.

mod browser;
#[cfg(feature = "murano")]
mod builders;
#[cfg(feature = "murano")]
mod classes;
mod clauses;

use serde_json::{Value, json};
use tosca_parse::form::Form;
use tosca_parse::normal::{Options, Service};
use tosca_parse::{Entry, Parser, TOSCA};

const TEMPLATE: &str = "\
tosca_definitions_version: tosca_2_0
description: Everything </script> that a form can ask for
data_types:
  Port:
    derived_from: integer
    validation: { $and: [ { $greater_or_equal: [ $value, 1 ] }, { $less_or_equal: [ $value, 65535 ] } ] }
  Length: { derived_from: scalar, data_type: float, units: { m: 1, cm: 0.01 }, canonical_unit: m }
  Address:
    properties:
      host: { type: string, description: A name in the DNS, validation: { $matches: [ $value, '[a-z.]+' ] } }
      port: { type: Port, default: 443 }
      next: { type: Address, required: false }
service_template:
  inputs:
    name: { type: string, description: What it is called, validation: { $greater_or_equal: [ { $length: [ $value ] }, 3 ] } }
    size: { type: string, default: small, validation: { $valid_values: [ $value, [ small, large ] ] } }
    port: { type: Port, default: 80, validation: { $less_than: [ $value, 1024 ] } }
    ratio: { type: float, required: false, validation: { $or: [ { $equal: [ $value, 0.5 ] }, { $greater_than: [ $value, 1 ] } ] } }
    length: { type: Length }
    address: { type: Address }
    tags: { type: list, entry_schema: string, required: false }
    ports: { type: map, entry_schema: Port, required: false }
    debug: { type: boolean, default: false }
  node_templates: {}
";

const OLDER: &str = "\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs:
    cpus: { type: integer, constraints: [ in_range: [ 1, 4 ] ] }
    memory: { type: scalar-unit.size, default: 4 GB }
    user: { type: string, constraints: [ pattern: '[a-z]+', max_length: 8 ] }
    zones: { type: list, entry_schema: { type: string }, constraints: [ min_length: 1 ] }
    release: { type: version, required: false }
    big: { type: integer, required: false }
    toString: { type: string }
";

const SECRETS: &str = "\
tosca_definitions_version: tosca_2_0
data_types:
  Login: { properties: { user: { type: string, default: root }, token: { type: string } } }
service_template:
  inputs:
    db_password: { type: string, default: hunter2 }
    login: { type: Login }
    token_count: { type: integer, default: 3 }
  node_templates: {}
";

/// Returns a template: its text, or its path.
fn entry(parser: &Parser, template: &str) -> Entry {
    if !template.contains('\n') {
        return Entry::at(parser.address(template).unwrap());
    }
    Entry::text(parser.address("service.yaml").unwrap(), template)
}

fn form(template: &str) -> Form {
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let outcome = parser.parse_entry(entry(&parser, template));
    assert!(outcome.is_valid(), "{:?}", outcome.diagnostics);
    Form::of(&Service::of(&outcome.program).unwrap())
}

/// Returns whether the parser accepts values for inputs.
fn is_taken(template: &str, inputs: &Value) -> bool {
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let entry = entry(&parser, template).inputs("inputs", inputs.to_string());
    parser.parse_entry(entry).is_valid()
}

/// Replaces a part of a value at a JSON pointer.
fn with(value: &Value, pointer: &str, other: Value) -> Value {
    let mut value = value.clone();
    let (map, key) = pointer.rsplit_once('/').unwrap();
    let map = value.pointer_mut(map).unwrap().as_object_mut().unwrap();
    match other {
        Value::Null => drop(map.remove(key)),
        other => drop(map.insert(key.to_owned(), other)),
    }
    value
}

#[test]
fn types_with_similar_names_have_different_definitions() {
    let names = ["a b", "a_b", "a-b", "a+b", "a_b_2"];
    let quoted = |number: usize| format!("{:?}", names[number]);
    let types: String = (0..names.len())
        .map(|number| format!("  {}: {{ properties: {{ p{number}: {{ type: string }} }} }}\n", quoted(number)))
        .collect();
    let inputs: String =
        (0..names.len()).map(|number| format!("    i{number}: {{ type: {} }}\n", quoted(number))).collect();
    let head = "tosca_definitions_version: tosca_2_0";
    let form =
        form(&format!("{head}\ndata_types:\n{types}service_template:\n  inputs:\n{inputs}  node_templates: {{}}\n"));
    for number in 0..names.len() {
        let reference = form.schema["properties"][format!("i{number}")]["$ref"].as_str().unwrap();
        let definition = form.schema.pointer(reference.strip_prefix('#').unwrap()).unwrap();
        assert!(definition["properties"].get(format!("p{number}")).is_some(), "{reference}: {definition}");
    }
}

#[test]
fn forms_need_no_nodes() {
    let nodes = "node_templates: { a: { type: T, properties: { p: { x: 1 } } } }\n";
    let types = "node_types: { T: { properties: { p: { type: Unused } } } }\nservice_template:\n";
    let data = "data_types:\n  Unused: { properties: { x: { type: integer } } }\n";
    let text = TEMPLATE.replace("node_templates: {}\n", nodes);
    let text = text.replace("service_template:\n", types).replace("data_types:\n", data);
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").unwrap(), text));
    assert!(outcome.is_valid(), "{:?}", outcome.diagnostics);
    let whole = Service::of(&outcome.program).unwrap();
    let part = Service::without_nodes(&outcome.program, Options::default()).unwrap();
    assert_eq!((whole.nodes.len(), part.nodes.len()), (1, 0));
    assert_eq!((&part.inputs, &part.file), (&whole.inputs, &whole.file));
    let names = |service: &Service| -> Vec<String> {
        service.data_types.iter().map(|data_type| data_type.types[0].name.to_string()).collect()
    };
    assert_eq!(names(&part), ["Port", "Length", "Address"]);
    assert!(names(&whole).contains(&"Unused".to_owned()));
    assert!(!Form::of(&part).page().contains("Unused"));
}

#[test]
fn a_schema_accepts_what_the_parser_accepts() {
    let right = json!({ "name": "shop", "length": "5 cm", "address": { "host": "example.org" } });
    let form = form(TEMPLATE);
    assert!(jsonschema::meta::is_valid(&form.schema));
    let validator = jsonschema::validator_for(&form.schema).unwrap();
    for (pointer, other, expected) in [
        ("/name", json!("shop"), true),
        ("/name", json!("a"), false),
        ("/name", json!(null), false),
        ("/nane", json!("shop"), false),
        ("/size", json!("large"), true),
        ("/size", json!("huge"), false),
        ("/port", json!(1023), true),
        ("/port", json!(1024), false),
        ("/port", json!(0), false),
        ("/port", json!("80"), false),
        ("/ratio", json!(0.5), true),
        ("/ratio", json!(1.5), true),
        ("/ratio", json!(0.7), false),
        ("/length", json!("2.5 m"), true),
        ("/length", json!("2.5 km"), false),
        ("/length", json!(null), false),
        ("/address/host", json!("EXAMPLE"), false),
        ("/address/host", json!(null), false),
        ("/address/port", json!(8080), true),
        ("/address/port", json!(80800), false),
        ("/address/next", json!({ "host": "other.org" }), true),
        ("/address/next", json!({ "port": 1 }), false),
        ("/address/nest", json!({ "host": "other.org" }), false),
        ("/tags", json!(["a", "b"]), true),
        ("/tags", json!(["a", 1]), false),
        ("/ports", json!({ "http": 80 }), true),
        ("/ports", json!({ "http": 0 }), false),
        ("/debug", json!(true), true),
        ("/debug", json!("true"), false),
    ] {
        let inputs = with(&right, pointer, other);
        assert_eq!(validator.is_valid(&inputs), expected, "{inputs}");
        // A missing value may be added later, so it is not an error for the parser.
        let is_complete = ["name", "length"].iter().all(|name| inputs.get(name).is_some());
        assert!(!is_complete || is_taken(TEMPLATE, &inputs) == expected, "{inputs}");
    }
}

#[test]
fn constraints_of_1_3_are_keywords_too() {
    let right = json!({ "cpus": 2, "user": "root", "zones": ["a"], "toString": "a" });
    let form = form(OLDER);
    assert!(jsonschema::meta::is_valid(&form.schema));
    let validator = jsonschema::validator_for(&form.schema).unwrap();
    for (pointer, other, expected) in [
        ("/cpus", json!(4), true),
        ("/cpus", json!(5), false),
        ("/memory", json!("512 MiB"), true),
        ("/memory", json!(".5 gb"), true),
        ("/memory", json!("512 Hz"), false),
        ("/user", json!("administrator"), false),
        ("/user", json!("r2"), false),
        ("/zones", json!([]), false),
        ("/release", json!(1.5), true),
        ("/release", json!("1.5.2"), true),
        ("/release", json!("one"), false),
        ("/toString", json!(1), false),
    ] {
        let inputs = with(&right, pointer, other);
        assert_eq!(validator.is_valid(&inputs), expected, "{inputs}");
        assert_eq!(is_taken(OLDER, &inputs), expected, "{inputs}");
    }
}

#[test]
fn a_page_is_self_contained() {
    let page = form(TEMPLATE).page();
    assert!(!page.contains("http://") && !page.replace("https://json-schema.org", "").contains("https://"));
    assert!(page.contains(r"Everything \u003c/script> that"));
    assert!(page.contains("default-src 'none'"));
    for placeholder in ["/* style */", "/* script */", "{title}", "{schema}"] {
        assert!(!page.contains(placeholder), "{placeholder}");
    }
}

#[test]
fn schemas_of_public_services_are_json_schemas() {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("skipped: TOSCA_PARSE_SHARED does not name the folder with the examples");
        return;
    };
    let folder = std::path::Path::new(&shared).join("conformance/oasis-examples");
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let mut found = 0;
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten() {
        if entry.path().extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let outcome = parser.parse(&entry.path().to_string_lossy()).unwrap();
        if let Some(service) = Service::of(&outcome.program).filter(|service| !service.inputs.is_empty()) {
            assert!(jsonschema::meta::is_valid(&Form::of(&service).schema), "{}", entry.path().display());
            found += 1;
        }
    }
    assert!(found > 5, "{found}");
}
