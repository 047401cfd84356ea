//! Forms for objects of `MuranoPL` classes, and their schemas.

#![allow(clippy::print_stdout, reason = "a test that is skipped has to say so")]

use std::path::PathBuf;
use std::rc::Rc;

use serde_json::{Value as Json, json};
use tosca_parse::murano::{Class, PackageSource, Runtime, Style, TypeName, class_form};
use tosca_parse::yaql::Value;

use super::browser::Browser;

const CLASSES: &str = "\
Namespaces: {=: t, m: io.murano.metadata, f: io.murano.metadata.forms}
Name: Server
Meta:
  - m:Title: {text: A server}
  - f:Section: {name: net, title: Network, index: 1}
Properties:
  note: {Contract: $.string()}
  name:
    Contract: $.string().notNull().check(len($) > 2)
    Meta: {m:Description: {text: What it is called}}
  port:
    Contract: $.int().notNull().check($ > 0 and $ < 65536)
    Default: 80
    Meta: {f:Position: {section: net, index: 1}}
  level:
    Contract: $.string().notNull().check($ in list(low, high))
    Default: low
  disk: {Contract: $.class(Disk).notNull()}
  backup: {Contract: $.class(Disk)}
  tags: {Contract: [$.string().notNull()]}
  password: {Contract: $.string(), Default: hunter2}
  secret: {Contract: $.int(), Default: 7, Meta: {f:Hidden: }}
  peer: {Contract: $.class(Server).notOwned()}
---
Name: Disk
Properties:
  size: {Contract: $.int().notNull().check($ >= 1)}
";

fn runtime() -> (Rc<Runtime>, Rc<Class>) {
    let package = PackageSource::from_text("t", "1.4", &[], CLASSES).unwrap();
    let runtime = Runtime::builder().package(package).build().unwrap();
    let class = runtime.find_type(&TypeName::parse("t.Server").unwrap()).unwrap();
    (runtime, class)
}

#[test]
fn classes_have_forms() {
    let (runtime, class) = runtime();
    let form = class_form(&runtime, &class).unwrap();
    let names: Vec<&str> = form.schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["?", "port", "note", "name", "level", "disk", "backup", "tags", "password", "secret", "peer"]);
    assert_eq!(form.schema["required"], json!(["?", "name", "disk"]));
    let port = json!({
        "type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 65536, "default": 80, "title": "port",
        "section": "Network",
    });
    assert_eq!(form.schema["properties"]["port"], port);
    let password = json!({ "type": "string", "format": "password", "writeOnly": true, "title": "password" });
    assert_eq!(form.schema["properties"]["password"], password);
    assert_eq!(form.schema["properties"]["disk"]["$ref"], "#/$defs/t.Disk");
    assert_eq!(form.schema["properties"]["peer"]["type"], "string");
    assert_eq!(form.schema["$defs"]["t.Disk"]["required"], json!(["?", "size"]));
    assert!(jsonschema::meta::is_valid(&form.schema), "{}", form.schema);
    let page = form.page();
    assert!(page.contains("Save model.yaml") && page.contains("A server"));
}

/// Returns whether the class accepts a model.
fn is_taken(model: &Json) -> bool {
    let (runtime, _) = runtime();
    runtime.load_object(&Value::from(model)).is_ok()
}

#[test]
fn objects_are_filled_in() {
    let Some(browser) = Browser::start() else { return };
    let (runtime, class) = runtime();
    browser.open(&class_form(&runtime, &class).unwrap().page());
    browser.click("#save");
    assert_eq!(browser.problem("name"), "Required");
    browser.fill("[data-name=name] input", "ab");
    assert_eq!(browser.problem("name"), "Must have at least 3 characters");
    browser.fill("[data-name=name] input", "web");
    browser.fill("[data-name=port] input", "65536");
    assert_eq!(browser.problem("port"), "Must be less than 65536");
    browser.fill("[data-name=port] input", "8080");
    browser.fill("[data-name=disk] [data-name=size] input", "ten");
    assert_eq!(browser.problem("size"), "Must be an integer");
    browser.fill("[data-name=disk] [data-name=size] input", "10");
    browser.choose("[data-name=level] select", "high");
    browser.click("[data-name=tags] .add");
    browser.fill("[data-name=tags] input", "new");
    assert_eq!(browser.text("#status"), "All values are valid");
    assert_eq!(browser.text("form h2"), "Network");
    let model = browser.result();
    let expected = json!({
        "?": { "type": "t.Server" }, "port": 8080, "name": "web", "level": "high",
        "disk": { "?": { "type": "t.Disk" }, "size": 10 }, "tags": ["new"],
    });
    assert_eq!(model, expected);
    assert!(is_taken(&model));
    assert!(!is_taken(&json!({ "?": { "type": "t.Server" }, "name": "web" })));
}

#[test]
fn negated_conditions_and_their_texts_are_shown() {
    let text = "\
Namespaces: {=: t}
Name: Shop
Properties:
  code: {Contract: \"$.string().notNull().check($ !~ '^x')\"}
  name: {Contract: \"$.string().notNull().check($ != root and len($) < 9, 'choose another name')\"}
  host: {Contract: \"$.string().notNull().check($.endsWith('.example.com', '.org'))\"}
";
    let text = text.replace(": \"$", ": !yaql \"$");
    let package = PackageSource::from_text("t", "1.4", &[], &text).unwrap();
    let runtime = Runtime::builder().package(package).build().unwrap();
    let class = runtime.find_type(&TypeName::parse("t.Shop").unwrap()).unwrap();
    let form = class_form(&runtime, &class).unwrap();
    assert!(jsonschema::meta::is_valid(&form.schema), "{}", form.schema);
    let Some(browser) = Browser::start() else { return };
    browser.open(&form.page());
    browser.click("#save");
    for (name, wrong, problem, right) in [
        ("code", "xyz", "Must not be matching ^x", "ab"),
        ("name", "root", "choose another name", "web"),
        ("name", "much too long", "choose another name", "web"),
        ("host", "example.net", "Must match (?:\\.example\\.com|\\.org)$", "a.org"),
    ] {
        let field = format!("[data-name={name}] input");
        browser.fill(&field, wrong);
        assert_eq!(browser.problem(name), problem);
        browser.fill(&field, right);
        assert_eq!(browser.problem(name), "");
    }
    assert_eq!(browser.text("#status"), "All values are valid");
}

/// Replaces objects of classes, which are not a type of JSON, by their form in models.
fn plain(schema: &mut Json) {
    match schema {
        Json::Object(members) => {
            if let Some(of) = members.get_mut("type") {
                let types: Vec<Json> = match of.take() {
                    Json::Array(types) => types,
                    one => vec![one],
                };
                let is_object = |one: &Json| *one == "muranoObject";
                let others = types.iter().filter(|one| !is_object(one)).cloned();
                let own = types.iter().filter(|one| is_object(one)).flat_map(|_| [json!("object"), json!("string")]);
                *of = others.chain(own).collect();
            }
            members.values_mut().for_each(plain);
        }
        Json::Array(items) => items.iter_mut().for_each(plain),
        _ => {}
    }
}

/// Returns the folder of the cases and packages, which are not part of the project.
fn shared() -> Option<PathBuf> {
    let folder = std::env::var_os("TOSCA_PARSE_SHARED").map(|shared| PathBuf::from(shared).join("conformance/murano"));
    folder.filter(|folder| folder.is_dir())
}

#[test]
fn schemas_are_json_schema() {
    let mut sources = vec![PackageSource::from_text("t", "1.4", &[], CLASSES).unwrap()];
    match shared() {
        None => println!("skipped: there are no packages but the built-in ones"),
        Some(folder) => {
            let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
            let manifests = entries.filter(|entry| entry.file_name() == "manifest.yaml");
            sources.extend(manifests.filter_map(|entry| PackageSource::from_folder(entry.path().parent()?).ok()));
        }
    }
    let mut builder = Runtime::builder();
    for source in sources {
        builder = builder.package(source);
    }
    let runtime = builder.build().unwrap();
    let mut checked = 0;
    for package in runtime.packages() {
        for name in package.class_names() {
            runtime.meter().restart();
            // Classes that can't be loaded have no schema.
            let Ok(class) = runtime.find_class(package.origin.index, name) else { continue };
            let Ok(mut schemas) = runtime.schemas(&class, &[], Style::Correct) else { continue };
            for (method, schema) in schemas.as_object_mut().into_iter().flatten() {
                plain(schema);
                assert!(jsonschema::draft4::meta::is_valid(schema), "{name} {method}: {schema}");
                checked += 1;
            }
        }
    }
    println!("{checked} schemas");
    assert!(checked > 10);
}

/// Values that the schemas of classes reject in models that Murano loads, and the reasons.
const REFUSED: &[(&str, &str)] = &[
    ("('name' was unexpected)", "the class has no such property: the value is ignored"),
    ("\"yes\" is not of types \"null\", \"boolean\"", "contracts convert texts, which a form never writes"),
    ("\"0\" is not of types \"null\", \"integer\"", "contracts convert texts, which a form never writes"),
    ("\"10\" is not of type \"integer\"", "contracts convert texts, which a form never writes"),
];

/// Returns the objects of a model, each without its inner objects.
fn parts<'m>(data: &'m Json, found: &mut Vec<&'m Json>) {
    if data.get("?").is_some_and(Json::is_object) {
        found.push(data);
    }
    match data {
        Json::Object(members) => members.values().for_each(|member| parts(member, found)),
        Json::Array(items) => items.iter().for_each(|item| parts(item, found)),
        _ => {}
    }
}

/// Checks the parts of real models that can be loaded, as written by their authors.
#[test]
fn schemas_accept_real_models() {
    let Some(folder) = shared() else {
        println!("skipped: TOSCA_PARSE_SHARED does not name the folder with the models");
        return;
    };
    let cases = std::fs::read(folder.join("realworld/models.public.json")).unwrap();
    let cases: Vec<Json> = serde_json::from_slice(&cases).unwrap();
    let (mut accepted, mut all, mut refused) = (0, 0, Vec::new());
    for case in cases.iter().filter(|case| case["expected"].get("ok").is_some()) {
        let mut builder = Runtime::builder();
        for package in case["packages"].as_array().unwrap() {
            let path = package.as_str().unwrap().replacen(':', "/", 1);
            builder = builder.package(PackageSource::from_folder(&folder.join("packages").join(path)).unwrap());
        }
        let runtime = builder.build().unwrap();
        let mut objects = Vec::new();
        parts(&case["model"], &mut objects);
        for object in objects {
            runtime.meter().restart();
            let class = TypeName::parse(object["?"]["type"].as_str().unwrap()).unwrap();
            let class = runtime.find_type(&class).unwrap();
            let mut schema = runtime.schemas(&class, &[String::new()], Style::Correct).unwrap()[""].take();
            plain(&mut schema);
            let mut properties = object.clone();
            properties.as_object_mut().unwrap().remove("?");
            let validator = jsonschema::draft4::new(&schema).unwrap();
            let problems: Vec<String> = validator.iter_errors(&properties).map(|error| error.to_string()).collect();
            let unexpected =
                problems.iter().filter(|problem| !REFUSED.iter().any(|(known, _)| problem.contains(known)));
            refused.extend(unexpected.map(|problem| format!("{} {}: {problem}", case["name"], class.name)));
            all += 1;
            accepted += usize::from(problems.is_empty());
        }
    }
    println!("{accepted} of {all} parts are accepted");
    assert_eq!(refused, [""; 0]);
    assert!(accepted * 2 > all, "{accepted} of {all}");
}

/// Checks that the output of Murano for real models is valid in all fields of the schemas, because contracts have
/// converted it.
#[test]
fn schemas_accept_real_models_as_they_are_saved() {
    let Some(folder) = shared() else {
        println!("skipped: TOSCA_PARSE_SHARED does not name the folder with the models");
        return;
    };
    let cases = std::fs::read(folder.join("realworld/models.public.json")).unwrap();
    let cases: Vec<Json> = serde_json::from_slice(&cases).unwrap();
    let (mut all, mut refused) = (0, Vec::new());
    for case in cases.iter().filter(|case| case["expected"].get("ok").is_some()) {
        let mut builder = Runtime::builder();
        for package in case["packages"].as_array().unwrap() {
            let path = package.as_str().unwrap().replacen(':', "/", 1);
            builder = builder.package(PackageSource::from_folder(&folder.join("packages").join(path)).unwrap());
        }
        let runtime = builder.build().unwrap();
        let mut objects = Vec::new();
        parts(&case["expected"]["ok"]["Objects"], &mut objects);
        for object in objects {
            runtime.meter().restart();
            let class = TypeName::parse(object["?"]["type"].as_str().unwrap()).unwrap();
            let class = runtime.find_type(&class).unwrap();
            let mut schema = runtime.schemas(&class, &[String::new()], Style::Correct).unwrap()[""].take();
            plain(&mut schema);
            let mut properties = object.clone();
            // Properties that only code can set are not part of the form.
            properties.as_object_mut().unwrap().retain(|name, _| schema["properties"].get(name).is_some());
            let validator = jsonschema::draft4::new(&schema).unwrap();
            let problems = validator.iter_errors(&properties);
            refused.extend(problems.map(|problem| format!("{} {}: {problem}", case["name"], class.name)));
            all += 1;
        }
    }
    println!("{all} parts");
    assert_eq!(refused, [""; 0]);
    assert!(all > 20, "{all}");
}
