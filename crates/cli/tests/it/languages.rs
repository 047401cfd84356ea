//! Models, plans, forms and differences of other languages than TOSCA.

use serde_json::{Value as Json, json};

use super::*;

const STACK: &str = "\
heat_template_version: 2021-04-16
parameters:
  length: { type: number, label: Length, default: 4, constraints: [ { range: { min: 1, max: 9 } } ] }
  secret: { type: string, hidden: true, default: hunter2 }
  names: { type: comma_delimited_list }
resources:
  first: { type: OS::Heat::RandomString, properties: { length: { get_param: length } } }
  second: { type: OS::Heat::Value, properties: { value: { get_attr: [ first, value ] } } }
";

pub(crate) const BLUEPRINT: &str = "\
tosca_definitions_version: cloudify_dsl_1_5
imports: [ cloudify/types/types.yaml ]
data_types: { point: { properties: { x: { type: integer }, y: { default: 2 } } } }
inputs:
  size: { type: integer, default: 5, constraints: [ in_range: [ 1, 9 ] ] }
  at: { type: point, display_label: Place }
node_templates:
  web:
    type: cloudify.nodes.WebServer
    properties: { port: { get_input: size } }
    relationships: [ { type: cloudify.relationships.contained_in, target: host } ]
  host: { type: cloudify.nodes.Compute }
";

fn folder() -> Folder {
    Folder::new(&[
        ("stack.yaml", STACK),
        ("values.yaml", "parameters: { length: 7, names: a }\n"),
        ("blueprint.yaml", BLUEPRINT),
        ("smaller.yaml", &BLUEPRINT.replace("default: 5", "default: 3")),
    ])
}

fn json_of(arguments: &str) -> Json {
    let run = folder().run(arguments);
    assert_eq!(run.code, 0, "{arguments}: {}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn models_of_languages_are_written() {
    let model = json_of("stack.yaml --emit json -e values.yaml");
    assert_eq!(model["parameters"]["length"]["value"], 7);
    assert_eq!(model["resources"]["second"]["depends_on"], json!(["first"]));
    assert!(!model.to_string().contains("hunter2"), "{model}");
    let plan = json_of("blueprint.yaml --emit json");
    assert_eq!(plan["nodes"]["web"]["host"], "host");
}

#[test]
fn plans_of_languages_have_stages() {
    for (file, first, second) in [("stack.yaml", "first", "second"), ("blueprint.yaml", "host", "web")] {
        let plan = json_of(&format!("plan {file} --format json"));
        let step = |stages: &str, number: usize| plan[stages][number]["steps"][0]["node"].clone();
        assert_eq!([step("deployment", 0), step("deployment", 1)], [first, second], "{plan}");
        assert_eq!([step("undeployment", 0), step("undeployment", 1)], [second, first], "{plan}");
        assert_eq!(plan["deployment"][1]["steps"][0]["after"], json!([first]));
    }
    let run = folder().run("plan stack.yaml --from stack.yaml");
    assert_eq!(run.code, 1);
    assert!(run.err.contains("changes are only planned between service templates"), "{}", run.err);
}

#[test]
fn forms_of_languages_ask_for_inputs() {
    let form = json_of("form stack.yaml");
    let parameters = &form["properties"]["parameters"];
    assert_eq!(parameters["required"], json!(["names"]));
    let length = json!({ "type": "number", "title": "Length", "default": 4, "minimum": 1, "maximum": 9 });
    assert_eq!(parameters["properties"]["length"], length);
    assert_eq!(parameters["properties"]["secret"], json!({ "type": "string", "writeOnly": true }));
    let form = json_of("form blueprint.yaml");
    assert_eq!(form["required"], json!(["at"]));
    assert_eq!(form["properties"]["size"], json!({ "type": "integer", "minimum": 1, "maximum": 9, "default": 5 }));
    assert_eq!(form["properties"]["at"], json!({ "$ref": "#/$defs/0", "title": "Place" }));
    assert_eq!(form["$defs"]["0"]["required"], json!(["x"]));
    let run = folder().run("form blueprint.yaml --format html");
    assert!(run.out.starts_with("<!doctype html>"), "{}", run.err);
}

#[test]
fn differences_of_languages_are_found_in_models() {
    let run = folder().run("diff blueprint.yaml smaller.yaml");
    assert_eq!((run.code, run.out.trim()), (0, "~ input `size`, default: 5 → 3"), "{}", run.err);
}

#[test]
fn contents_of_files_are_counted() {
    let run = folder().run("stack.yaml");
    assert_eq!(run.out.trim(), "stack.yaml: valid Heat 2021-04-16 file, 3 parameters, 2 resources");
}
