//! Forms with a choice of classes, and forms of model builders.

use std::rc::Rc;

use serde_json::{Value as Json, json};
use tosca_parse::murano::{Class, PackageSource, Runtime, TypeName, builder_form, class_form};
use tosca_parse::yaql::Value;

use super::browser::Browser;

const CLASSES: &str = "\
Namespaces: {=: t, m: io.murano.metadata}
Name: House
Properties:
  doors: {Contract: [$.class(Door).notNull()]}
  owner: {Contract: $.class(Person)}
  main: {Contract: $.class(Door).notNull()}
Methods:
  small:
    Usage: Static
    Scope: Public
    Meta:
      - m:ModelBuilder:
      - m:Title: {text: A small house}
    Arguments:
      - model:
          Contract: $.template(House, excludeProperties => [main, doors]).notNull()
      - width: {Contract: $.int().notNull().check($ >= 60)}
      - color:
          Contract: $.string().check($ in [red, blue])
    Body:
      - $model.main: {'?': {type: t.Gate}, width: $width, color: $color}
      - Return: $model
---
Name: Door
Properties:
  width: {Contract: $.int().notNull()}
---
Name: Gate
Extends: Door
Properties:
  color: {Contract: $.string()}
---
Name: Person
";

fn runtime() -> (Rc<Runtime>, Rc<Class>) {
    let package = PackageSource::from_text("t", "1.4", &[], CLASSES).unwrap();
    let runtime = Runtime::builder().package(package).build().unwrap();
    let class = runtime.find_type(&TypeName::parse("t.House").unwrap()).unwrap();
    (runtime, class)
}

/// Returns whether the class accepts a model.
fn is_taken(model: &Json) -> bool {
    let (runtime, _) = runtime();
    runtime.load_object(&Value::from(model)).is_ok()
}

fn build(arguments: &Json) -> Result<Json, tosca_parse::yaql::Error> {
    let (runtime, class) = runtime();
    let named = arguments.as_object().unwrap().iter();
    let named = named.map(|(name, value)| (name.as_str().into(), Value::from(value))).collect();
    let model = runtime.build_model(&class, "small", None, named)?;
    Ok(serde_json::to_value(model).unwrap())
}

#[test]
fn classes_that_fit_are_a_choice() {
    let (runtime, class) = runtime();
    let schema = class_form(&runtime, &class).unwrap().schema;
    let choice = json!([{ "$ref": "#/$defs/t.Door" }, { "$ref": "#/$defs/t.Gate" }]);
    assert_eq!(schema["properties"]["main"], json!({ "title": "main", "anyOf": choice }));
    assert_eq!(schema["properties"]["doors"]["items"]["anyOf"], choice);
    assert_eq!(schema["properties"]["owner"]["$ref"], "#/$defs/t.Person");
    let validator = jsonschema::validator_for(&schema).unwrap();
    let house = |main: Json| json!({ "?": { "type": "t.House" }, "main": main });
    let gate = json!({ "?": { "type": "t.Gate" }, "width": 1, "color": "red" });
    assert!(validator.is_valid(&house(gate)));
    let door = json!({ "?": { "type": "t.Door" }, "width": 1, "color": "red" });
    assert!(!validator.is_valid(&house(door)), "a door has no color");
    assert!(!validator.is_valid(&house(json!({ "?": { "type": "t.Person" } }))));
}

#[test]
fn builders_have_forms() {
    let (runtime, class) = runtime();
    let form = builder_form(&runtime, &class, "small").unwrap();
    assert_eq!((&form.schema["title"], form.file), (&json!("A small house"), "arguments.yaml"));
    assert_eq!(form.schema["required"], json!(["width", "color"]), "null has no such color");
    assert!(jsonschema::meta::is_valid(&form.schema), "{}", form.schema);
    let problem = builder_form(&runtime, &class, "large").unwrap_err();
    assert_eq!(problem.message(), "class `t.House` has no action or model builder `large`");
    let model = build(&json!({ "width": 80, "color": "red" })).unwrap();
    assert_eq!(model["main"]["width"], 80);
    assert!(is_taken(&model), "{model}");
    assert!(build(&json!({ "width": 8 })).is_err() && build(&json!({ "height": 8 })).is_err());
}

#[test]
fn choices_and_builders_are_filled_in() {
    let Some(browser) = Browser::start() else { return };
    let (runtime, class) = runtime();
    browser.open(&class_form(&runtime, &class).unwrap().page());
    browser.click("#save");
    assert_eq!(browser.problem("main"), "Required");
    browser.choose("[data-name=main] .kind", "t.Gate");
    assert_eq!(browser.problem("width"), "Required");
    browser.fill("[data-name=main] [data-name=width] input", "wide");
    assert_eq!(browser.problem("width"), "Must be an integer");
    browser.fill("[data-name=main] [data-name=width] input", "200");
    browser.fill("[data-name=main] [data-name=color] input", "red");
    browser.click("[data-name=doors] .add");
    assert_ne!(browser.text("#status"), "All values are valid");
    browser.choose("[data-name=doors] .kind", "t.Door");
    browser.fill("[data-name=doors] [data-name=width] input", "90");
    assert_eq!(browser.text("#status"), "All values are valid");
    let model = browser.result();
    let expected = json!({
        "?": { "type": "t.House" },
        "doors": [{ "?": { "type": "t.Door" }, "width": 90 }],
        "main": { "?": { "type": "t.Gate" }, "width": 200, "color": "red" },
    });
    assert_eq!(model, expected);
    assert!(is_taken(&model));

    browser.open(&builder_form(&runtime, &class, "small").unwrap().page());
    assert_eq!(browser.text("h1"), "A small house");
    browser.fill("[data-name=width] input", "59");
    assert_eq!(browser.problem("width"), "Must be at least 60");
    browser.fill("[data-name=width] input", "60");
    browser.choose("[data-name=color] select", "blue");
    assert_eq!(browser.text("#status"), "All values are valid");
    let arguments = browser.result();
    assert_eq!(arguments, json!({ "width": 60, "color": "blue" }));
    assert!(is_taken(&build(&arguments).unwrap()));
}
