//! Cases with the results of the reference. They are not part of the project: `TOSCA_PARSE_MURANO_CASES` names their
//! folder. Without it, they are in `conformance/murano` below the folder that `TOSCA_PARSE_SHARED` names.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use serde_json::{Value as Json, json};
use tosca_parse_murano::{
    Access, Arguments, Builder, ClassUsage, Namespaces, PackageSource, Requirement, Runtime, Style, TypeName, Version,
    category, failure, is_expression,
};
use tosca_parse_yaql::{Error, Value};

use crate::cases::{Tally, folder, read};
use crate::encode::{Ids, encode};

type Outcome = Result<Json, Error>;

/// Checks that the outcome is the expected one, unless the case is one of the [`DEVIATIONS`].
fn judge(id: &str, outcome: &Outcome, expected: &Json) -> Result<(), String> {
    judge_with(id, outcome, expected, &mut Ids::default())
}

fn judge_with(id: &str, outcome: &Outcome, expected: &Json, ids: &mut Ids) -> Result<(), String> {
    let agrees = match (outcome, expected.get("ok")) {
        (Ok(value), Some(expected)) => ids.same(value, expected),
        (Err(error), None) => fails_as(error, &expected["error"]),
        _ => false,
    };
    if agrees || DEVIATIONS.iter().any(|(deviation, _)| *deviation == id) {
        return Ok(());
    }
    let actual = match outcome {
        Ok(value) => value.to_string(),
        Err(error) => format!("{}: {error}", category(error)),
    };
    Err(format!("{actual} instead of {expected}"))
}

fn fails_as(error: &Error, expected: &Json) -> bool {
    let thrown = failure(error).and_then(|failure| failure.thrown.as_ref());
    if let Some(thrown) = thrown {
        let names = json!(thrown.names);
        return expected["category"] == "Thrown"
            && names == expected["names"]
            && expected.get("extra").is_none_or(|extra| encode(&thrown.extra) == *extra)
            && expected
                .get("message")
                .is_none_or(|message| encode(&thrown.message) == *message || thrown.message.is_null());
    }
    expected["category"] == category(error)
}

/// The differences from the reference, and their reasons.
const DEVIATIONS: &[(&str, &str)] = &[
    ("contract-116", "a list contract of bounds alone bounds a list of anything"),
    ("decl-21", "a property that is no map is malformed, rather than of a wrong type"),
    ("exec-075", "a negative index is that of an item from the end"),
    ("upstream-128", "keys of JSON are texts: the case can't say which of them were none"),
    ("upstream-235", "what is attached comes in the order of the classes, the nearest first"),
    ("upstream-238", "what is attached comes in the order of the classes, the nearest first"),
    ("model-28", "two objects with the same id are an error"),
    ("exec-209", "`find` gives the owner itself, which equals it"),
];

/// Runs the cases in a file, which a folder of cases may lack, and checks that the share `goal` of them passes.
fn run(kind: &'static str, file: &str, goal: f64, case: impl Fn(&Path, &Json) -> Vec<Result<(), String>>) {
    let Some(folder) = folder() else {
        eprintln!("skipped: neither TOSCA_PARSE_MURANO_CASES nor TOSCA_PARSE_SHARED names the cases");
        return;
    };
    let mut tally = Tally::new(kind);
    for json in read(&folder, file) {
        let id = json["id"].as_str().unwrap_or_default().to_owned();
        for result in case(&folder, &json) {
            tally.add(&id, result);
        }
    }
    tally.finish(goal);
}

fn shared(folder: &Path) -> Json {
    std::fs::read(folder.join("shared.json"))
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_default()
}

fn text(json: &Json) -> &str {
    json.as_str().unwrap_or_default()
}

fn id(case: &Json) -> &str {
    text(&case["id"])
}

fn value(json: &Json) -> Value {
    match json {
        Json::Object(entries) if entries.contains_key("@model") => value(&json["@model"]),
        // Contracts accept the ID of an object instead of the object.
        Json::Object(entries) if entries.contains_key("@obj") => value(&json["@obj"]),
        Json::Object(entries) if entries.contains_key("@dict") => {
            let rows = json["@dict"].as_array().cloned().unwrap_or_default();
            Value::dict(rows.iter().map(|row| (value(&row[0]), value(&row[1]))).collect::<Vec<_>>())
        }
        Json::Object(entries) => {
            Value::dict(entries.iter().map(|(key, item)| (Value::from(key.as_str()), value(item))).collect::<Vec<_>>())
        }
        Json::Array(items) => Value::list(items.iter().map(value).collect()),
        _ => Value::from(json),
    }
}

fn arguments(positional: &Json, named: &Json) -> Arguments {
    let positional = positional.as_array().map(|items| items.iter().map(value).collect()).unwrap_or_default();
    let named =
        named.as_object().map(|entries| entries.iter().map(|(key, item)| (key.as_str().into(), value(item))).collect());
    Arguments::new(positional, named.unwrap_or_default())
}

#[test]
fn names_are_resolved() {
    run("name", "public/names.json", 0.99, |_, case| {
        let entries = case["namespaces"].as_object().cloned().unwrap_or_default();
        let entries = entries.into_iter().map(|(prefix, namespace)| (prefix, text(&namespace).to_owned()));
        let outcome = Namespaces::new(entries).and_then(|namespaces| namespaces.resolve(text(&case["name"])));
        vec![judge(id(case), &outcome.map(Json::from), &case["expected"])]
    });
}

#[test]
fn expressions_are_distinguished_from_text() {
    run("detect", "public/detect.json", 0.99, |_, case| {
        let outcome = Ok(is_expression(text(&case["text"])).into());
        vec![judge(id(case), &outcome, &case["expected"])]
    });
}

#[test]
fn versions_are_read() {
    run("version", "public/versions.json", 0.99, |_, case| {
        let input = text(&case["input"]);
        let outcome = match text(&case["check"]) {
            "spec" => Requirement::parse(input).map(|requirement| {
                let mut conditions = requirement.conditions();
                conditions.sort();
                json!(conditions)
            }),
            "match" => Requirement::parse(input)
                .and_then(|requirement| Ok(requirement.allows(&Version::parse(text(&case["version"]))?).into())),
            "version" => Version::parse(input).map(|version| version.to_string().into()),
            _ => Ok(TypeName::parse(input).map_or(Json::Null, |name| {
                let default = |part: Option<String>, otherwise: &str| part.unwrap_or_else(|| otherwise.to_owned());
                json!([name.name, default(name.version, "DV"), default(name.package, "DP")])
            })),
        };
        let mut expected = case["expected"].clone();
        if let Some(conditions) =
            expected.get_mut("ok").and_then(Json::as_array_mut).filter(|_| case["check"] == "spec")
        {
            conditions.sort_by_key(|condition| text(condition).to_owned());
        }
        vec![judge(id(case), &outcome, &expected)]
    });
}

fn package(json: &Json) -> Result<PackageSource, Error> {
    let requires: Vec<_> = json["require"].as_object().into_iter().flatten().collect();
    let requires: Vec<_> = requires.into_iter().map(|(name, spec)| (name.clone(), text(spec).to_owned())).collect();
    PackageSource::from_text(text(&json["name"]), text(&json["format"]), &requires, text(&json["text"]))
}

#[test]
fn classes_are_declared() {
    run("declaration", "public/declarations.json", 0.99, |_, case| {
        let outcome = declare(case);
        vec![judge(id(case), &outcome, &case["expected"])]
    });
}

fn declare(case: &Json) -> Outcome {
    let mut builder = Runtime::builder();
    let packages = case["packages"].as_array().cloned().unwrap_or_default();
    for source in &packages {
        builder = builder.package(package(source)?);
    }
    let runtime = builder.build()?;
    let own = runtime.packages().iter().position(|package| package.origin.name == text(&packages[0]["name"]));
    let class = runtime.find_class(own.unwrap_or(0), text(&case["cls"]))?;
    runtime.check_meta(&class)?;
    let names = |classes: &[Rc<tosca_parse_murano::Class>]| {
        json!(classes.iter().map(|class| class.name.clone()).collect::<Vec<_>>())
    };
    let properties: serde_json::Map<_, _> =
        class.properties.iter().map(|(name, property)| (name.clone(), property.usage.as_str().into())).collect();
    let methods: serde_json::Map<_, _> = class
        .methods
        .iter()
        .map(|(name, method)| (name.clone(), json!({ "usage": method.usage.as_str(), "scope": method.scope })))
        .collect();
    Ok(json!({
        "name": class.name,
        "usage": if class.usage == ClassUsage::Class { "Class" } else { "Meta" },
        "parents": names(&class.parents),
        "ancestors": names(class.ancestors()),
        "properties": properties,
        "methods": methods,
    }))
}

#[test]
fn contracts_hold() {
    run("contract", "public/contracts.json", 0.99, |folder, case| {
        let shared = shared(folder);
        let ways = case["via"].as_array().cloned().unwrap_or_else(|| vec![case["via"].clone()]);
        let judge_way = |way: &Json| judge(id(case), &contract(&shared, case, way == "property"), &case["expected"]);
        ways.iter().map(judge_way).collect()
    });
}

fn contract(shared: &Json, case: &Json, as_property: bool) -> Outcome {
    let classes = format!("{}\n---\n{}", text(&shared["contract_library"]), text(&case["subject"]));
    let runtime =
        Runtime::builder().package(PackageSource::from_text("t", text(&case["format"]), &[], &classes)?).build()?;
    let class = if as_property { "t.Subject" } else { "t.Caller" };
    let mut model = serde_json::Map::new();
    model.insert("?".into(), json!({ "type": class, "id": "subj" }));
    model.extend(shared["contract_model_extra"].as_object().cloned().unwrap_or_default());
    let absent = case["absent"] == true;
    if as_property && !absent {
        model.insert("p".into(), case["value"].clone());
    }
    runtime.load_object(&value(&model.into()))?;
    let (method, arguments) = match (as_property, absent) {
        (true, _) => ("get", Arguments::default()),
        (false, true) => ("m", Arguments::default()),
        (false, false) => ("m", Arguments::new(vec![value(&case["value"])], Vec::new())),
    };
    runtime.call_object("subj", method, arguments, Access::Session).map(|value| encode(&value))
}

#[test]
fn expressions_have_objects() {
    run("yaql", "public/yaql.json", 0.98, |_, case| {
        if case["engine"] != "murano" {
            return Vec::new();
        }
        let formats = [("1.4", "expected"), ("1.3", "expected_mpl_1_3"), ("1.0", "expected_mpl_1_0")];
        let one = |(format, key): (&str, &str)| {
            let expected = case.get(key)?;
            Some(judge(id(case), &expression(case, format), expected).map_err(|reason| format!("({format}) {reason}")))
        };
        formats.into_iter().filter_map(one).collect()
    });
}

fn expression(case: &Json, format: &str) -> Outcome {
    let text_of_class = "Namespaces: {=: t}\nName: Root\n";
    let runtime = Runtime::builder().package(PackageSource::from_text("t", format, &[], text_of_class)?).build()?;
    runtime.load_object(&value(&json!({ "?": { "type": "t.Root", "id": "root" } })))?;
    runtime.evaluate("root", text(&case["expr"]), value(&case["data"])).map(|value| encode(&value))
}

/// Adds a function `trace`, and returns the list of the values that methods pass to it.
fn tracing(builder: Builder) -> (Builder, Rc<RefCell<Vec<Json>>>) {
    let traces = Rc::new(RefCell::new(Vec::new()));
    let sink = traces.clone();
    let builder = builder.function("trace(value: any)", move |call| {
        let value = call.value(0).finalize(call.context)?;
        sink.borrow_mut().push(encode(&value));
        Ok(value)
    });
    (builder, traces)
}

#[test]
fn methods_run() {
    run("exec", "public/exec.json", 0.97, |folder, case| {
        let shared = shared(folder);
        let (builder, traces) = tracing(Runtime::builder());
        let outcome = exec(&shared, case, builder);
        let mut ids = Ids::default();
        let mut result = judge_with(id(case), &outcome, &case["expected"], &mut ids);
        if let (Ok(()), Some(expected)) = (&result, case["traces"].as_array()) {
            let (mut actual, mut expected) = (traces.borrow().clone(), expected.clone());
            if case["traces_unordered"] == true {
                actual.sort_by_key(Json::to_string);
                expected.sort_by_key(Json::to_string);
            }
            if !ids.same(&actual.clone().into(), &expected.clone().into()) {
                result = Err(format!("traces {actual:?} instead of {expected:?}"));
            }
        }
        vec![result]
    });
}

fn exec(shared: &Json, case: &Json, mut builder: Builder) -> Outcome {
    for name in case["packages"].as_array().into_iter().flatten() {
        let source = if name.is_string() { &shared["exec_packages"][text(name)] } else { name };
        builder = builder.package(package(source)?);
    }
    let runtime = builder.build()?;
    runtime.load(&Value::dict([("Objects".into(), value(&case["model"]))]))?;
    let call = &case["call"];
    call_method(&runtime, call).map(|value| encode(&value))
}

fn call_method(runtime: &Rc<Runtime>, call: &Json) -> Result<Value, Error> {
    let access = if call["mode"] == "action" { Access::Action } else { Access::Session };
    let (target, method) = (text(&call["target"]), text(&call["method"]));
    let arguments = arguments(&call["args"], &call["kwargs"]);
    if runtime.object(target).is_some() {
        return runtime.call_object(target, method, arguments, access);
    }
    let name = TypeName::parse(target).unwrap();
    let class = runtime.find_type(&name)?;
    runtime.call_class(&class, method, arguments, access)
}

#[test]
fn schemas_are_made() {
    run("schema", "public/schema.json", 0.99, |folder, case| {
        vec![judge(id(case), &schema(&shared(folder), case), &case["expected"])]
    });
}

fn schema(shared: &Json, case: &Json) -> Outcome {
    let package = PackageSource::from_text("t", "1.4", &[], text(&shared["schema_text"]))?;
    let runtime = Runtime::builder().package(package).build()?;
    let class = runtime.find_type(&TypeName::parse(text(&case["cls"])).unwrap())?;
    let only: Vec<String> = match &case["method"] {
        Json::String(name) if !name.is_empty() => vec![name.clone()],
        Json::Array(names) => names.iter().map(|name| text(name).to_owned()).collect(),
        _ => Vec::new(),
    };
    runtime.schemas(&class, &only, Style::Reference)
}

#[test]
fn models_are_loaded_and_saved() {
    run("model", "public/model.json", 1.0, |folder, case| {
        vec![judge(id(case), &model(&shared(folder), case), &case["expected"])]
    });
}

fn model(shared: &Json, case: &Json) -> Outcome {
    let package = PackageSource::from_text("t", "1.4", &[], text(&shared["model_text"]))?;
    let mut builder = Runtime::builder().package(package);
    for (class, values) in case["configs"].as_object().into_iter().flatten() {
        builder = builder.class_config(class, value(values));
    }
    let runtime = builder.build()?;
    let attributes = case.get("attributes").map_or_else(|| json!([]), Json::clone);
    let root = runtime.load(&value(&json!({ "Objects": case["model"], "Attributes": attributes })))?;
    for call in case["calls_before"].as_array().into_iter().flatten() {
        runtime.call_object(text(&call[0]), text(&call[1]), arguments(&call[2], &Json::Null), Access::Session)?;
    }
    runtime.save(root.as_ref()).map(|value| encode(&value))
}

fn core(folder: &Path) -> Result<PackageSource, Error> {
    PackageSource::from_folder(&folder.join("packages/openstack-archive/murano/meta/io.murano"))
}

#[test]
fn upstream_calls_give_what_they_gave() {
    // The calls of a test are consecutive, and share a session.
    let session: RefCell<Option<(String, Rc<Runtime>)>> = RefCell::default();
    run("upstream", "upstream/calls.public.json", 0.95, |folder, case| {
        let test = text(&case["test"]);
        let known = session.borrow().clone().filter(|(other, _)| case["seq"] != 1 && other == test);
        let runtime = match known {
            Some((_, runtime)) => Ok(runtime),
            None => upstream(folder, case),
        };
        *session.borrow_mut() = runtime.as_ref().ok().map(|runtime| (test.to_owned(), runtime.clone()));
        let outcome = runtime.and_then(|runtime| call_method(&runtime, case)).map(|value| encode(&value));
        if case["flags"].as_array().is_some_and(|flags| !flags.is_empty()) {
            return Vec::new();
        }
        vec![judge(id(case), &outcome, &case["expected"])]
    });
}

fn upstream(folder: &Path, case: &Json) -> Result<Rc<Runtime>, Error> {
    let mut classes = String::new();
    let folder_of_classes = std::fs::read_dir(folder.join("upstream/meta")).unwrap();
    let mut files: Vec<_> = folder_of_classes.flatten().map(|entry| entry.path()).collect();
    files.sort();
    for file in files {
        // Namespaces apply until the next ones, so every file begins with empty ones.
        classes.push_str("---\nNamespaces: {}\n---\n");
        classes.push_str(&std::fs::read_to_string(file).unwrap());
        classes.push('\n');
    }
    let package = PackageSource::from_text("tests", text(&case["format"]), &[], &classes)?;
    let (builder, _) = tracing(Runtime::builder());
    let mut builder = builder.package(package).package(core(folder)?);
    for (class, values) in case["configs"].as_object().into_iter().flatten() {
        builder = builder.class_config(class, value(values));
    }
    let runtime = builder.build()?;
    let model = &case["model"];
    let model = if model.get("Objects").is_some() { model.clone() } else { json!({ "Objects": model }) };
    runtime.load(&value(&model))?;
    Ok(runtime)
}

#[test]
fn real_models_are_rendered() {
    run("realworld-model", "realworld/models.public.json", 1.0, |folder, case| {
        vec![judge(id(case), &real_model(folder, case), &case["expected"])]
    });
}

fn real_model(folder: &Path, case: &Json) -> Outcome {
    let counter = std::cell::Cell::new(0);
    let mut builder = Runtime::builder()
        .function("randomName()", move |_| {
            counter.set(counter.get() + 1);
            Ok(format!("rnd{}", counter.get()).into())
        })
        .config(|group, setting| match setting.unwrap_or(group) {
            "home_region" => "RegionOne".into(),
            "port" => Value::from(5672_i64),
            "ssl" | "insecure" => false.into(),
            _ => setting.map_or_else(|| format!("cfg-{group}"), |setting| format!("cfg-{group}-{setting}")).into(),
        });
    for package in case["packages"].as_array().into_iter().flatten() {
        let path = text(package).replacen(':', "/", 1);
        builder = builder.package(PackageSource::from_folder(&folder.join("packages").join(path))?);
    }
    let runtime = builder.build()?;
    let root = runtime.load(&Value::dict([("Objects".into(), value(&case["model"]))]))?;
    runtime.save(root.as_ref()).map(|value| encode(&value))
}

#[test]
fn application_tests_pass() {
    run("apptest", "realworld/apptests.json", 1.0, |folder, case| {
        let outcome = application_test(folder, case).map(|()| json!("pass"));
        vec![judge(id(case), &outcome, &json!({ "ok": case["expected"] }))]
    });
}

fn application_test(folder: &Path, case: &Json) -> Result<(), Error> {
    let meta = folder.join("packages/openstack-archive/murano/meta");
    let package = PackageSource::from_folder(&meta.join(text(&case["package"])))?;
    let runtime = Runtime::builder().package(core(folder)?).package(package).build()?;
    let model = json!({ "?": { "type": case["cls"], "id": "test" } });
    runtime.load_object(&value(&model))?;
    for method in ["setUp", text(&case["method"]), "tearDown"] {
        match runtime.call_object("test", method, Arguments::default(), Access::Session) {
            Err(error) if method != text(&case["method"]) && category(&error) == "NoMethod" => {}
            result => drop(result?),
        }
    }
    Ok(())
}
