//! The cases of the language description: values, errors, and positions of errors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use tosca_parse_yay::{Class, Config, Data, Error, Node, Params, Result};

use crate::folder::Folder;

/// Cases whose verdicts are peculiarities of the reference implementation, with the reasons.
const QUIRKS: &[(&str, &str)] = &[];

fn cases() -> Option<(PathBuf, Vec<Value>)> {
    let shared = || std::env::var_os("TOSCA_PARSE_SHARED").map(PathBuf::from);
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let folder = std::env::var_os("TOSCA_PARSE_YAY_CASES").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| shared().unwrap_or_else(beside).join("conformance/yay"));
    let text = std::fs::read_to_string(folder.join("cases.json")).ok()?;
    // The reference may return NaN or infinity, which JSON can't express.
    let text =
        ["NaN", "-Infinity", "Infinity"].iter().fold(text, |text, word| text.replace(&format!(": {word}"), ": null"));
    let cases = serde_json::from_str(&text).expect("cases.json is JSON");
    Some((folder, cases))
}

#[test]
fn cases_have_their_verdicts() {
    let Some((folder, cases)) = cases() else {
        println!("skipped: neither TOSCA_PARSE_YAY_CASES nor TOSCA_PARSE_SHARED names a folder with cases");
        return;
    };
    let mut levels: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut failures = Vec::new();
    for case in &cases {
        let count = levels.entry(text(case, "level").to_owned()).or_default();
        match run(&folder, case) {
            Ok(()) => count.0 += 1,
            Err(why) => {
                count.1 += 1;
                failures.push((text(case, "level").to_owned(), text(case, "id").to_owned(), why));
            }
        }
    }
    let failed = failures.len();
    println!("{} passed, {failed} failed", cases.len() - failed);
    for (level, id, why) in &failures {
        let quirk = QUIRKS.iter().find(|(quirk, _)| quirk == id).map_or("", |(_, reason)| reason);
        println!("{level} {id}: {why} {quirk}");
    }
    let (passed, missed) = levels.get("should").copied().unwrap_or_default();
    assert!(levels.get("must").is_none_or(|(_, failed)| *failed == 0), "a case that must pass fails");
    assert!(missed * 100 <= (passed + missed) * 3, "too few of the cases pass that should");
}

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_default()
}

/// A class that always has the same members.
struct Fixed(Data);

impl Class for Fixed {
    fn members(&self, _params: &mut Params<'_, '_>) -> Result<Data> {
        Ok(self.0.clone())
    }
}

fn run(folder: &Path, case: &Value) -> std::result::Result<(), String> {
    let folder = folder.join(text(case, "dir"));
    let config = configuration(&folder, case);
    let outcome = perform(&config, &case["op"]);
    compare(case, &config, outcome)
}

fn configuration(folder: &Path, case: &Value) -> Config<'static> {
    let mut config = Config::new(Folder(folder.to_owned()));
    let options = &case["options"];
    match options["searchpath"].as_array() {
        Some(path) => {
            for entry in path.iter().filter_map(Value::as_str) {
                config.search(&format!("{}/", entry.trim_end_matches('/')));
            }
        }
        None => {
            config.search("");
        }
    }
    if options["graph_searchpath"] == true {
        config.search_in_document();
        let path = options["searchpath"].as_array().cloned().unwrap_or_default();
        let path = Value::Array(path);
        config.add_data(&data(&serde_json::json!({"yay": {"searchpath": path}})));
    }
    for (name, members) in options["native_class"].as_object().into_iter().flatten() {
        config.class(name, Fixed(data(members)));
    }
    let loads = options["load"].as_array().cloned().unwrap_or_default();
    for load in loads.iter().filter(|load| !load["add"].is_null()) {
        config.add_data(&data(&load["add"]));
    }
    load_file(&mut config, folder, text(case, "entry"), &options["labels"]);
    for load in &loads {
        if let Some(file) = load["file"].as_str() {
            load_file(&mut config, folder, file, &load["labels"]);
        } else if !load["add_after"].is_null() {
            config.add_data(&data(&load["add_after"]));
        }
    }
    config
}

fn load_file(config: &mut Config<'_>, folder: &Path, file: &str, labels: &Value) {
    let labels: Vec<String> =
        labels.as_array().into_iter().flatten().filter_map(|label| label.as_str().map(str::to_owned)).collect();
    let text = std::fs::read(folder.join(file)).unwrap_or_default();
    let opened = tosca_parse_yay::LoadedDocument {
        name: file.to_owned(),
        address: file.to_owned(),
        text,
        labels,
        remote: false,
        hidden: false,
    };
    config.load_document(&opened);
}

/// Performs an operation and returns its result, which is null for `parse`.
fn perform(config: &Config<'_>, op: &Value) -> Result<Value> {
    let node = match text(op, "op") {
        "expr" => config.expression(text(op, "expr")),
        _ => walk(config.root(), &op["path"]),
    };
    let default = op.get("default");
    match text(op, "op") {
        "parse" => match config.root().get("anything").anchor() {
            Err(error) if error.category().name() == "SyntaxError" => Err(error),
            _ => Ok(Value::Null),
        },
        "anchor" => {
            let place = node.anchor()?;
            Ok(serde_json::json!({"file": &*place.source, "line": place.line}))
        }
        _ => converted(&node, op["as"].as_str().unwrap_or("resolve"), default),
    }
}

fn walk<'o>(mut node: Node<'o>, path: &Value) -> Node<'o> {
    for step in path.as_array().into_iter().flatten() {
        node = match step.as_str() {
            Some(key) => node.get(key),
            None => node.index(step.as_i64().unwrap_or_default()),
        };
    }
    node
}

fn converted(node: &Node<'_>, kind: &str, default: Option<&Value>) -> Result<Value> {
    let number = |default: &Value| default.as_f64().unwrap_or_default();
    Ok(match (kind, default) {
        ("as_int", None) => node.as_int()?.into(),
        ("as_int", Some(default)) => node.as_int_or(default.as_i64().unwrap_or_default())?.into(),
        ("as_float", None) => node.as_float()?.into(),
        ("as_float", Some(default)) => node.as_float_or(number(default))?.into(),
        ("as_number", None) => json(&node.as_number()?),
        ("as_number", Some(default)) => json(&node.as_number_or(data(default))?),
        ("as_bool", None) => node.as_bool()?.into(),
        ("as_bool", Some(default)) => node.as_bool_or(default == true)?.into(),
        ("as_string", None) => node.as_string()?.into(),
        ("as_string", Some(default)) => node.as_string_or(default.as_str().unwrap_or_default().to_owned())?.into(),
        ("as_safe_string", None) => node.as_safe_string()?.into(),
        ("as_safe_string", Some(default)) => {
            node.as_safe_string_or(default.as_str().unwrap_or_default().to_owned())?.into()
        }
        ("as_list" | "as_iterable", None) => json(&Data::List(node.as_list()?)),
        ("as_dict", None) => json(&Data::Map(node.as_dict()?)),
        ("as_list" | "as_iterable" | "as_dict", Some(default)) => match node.resolve() {
            Err(error) if error.category().name() == "NoMatching" => default.clone(),
            result => json(&result?),
        },
        ("keys", _) => node.keys()?.into(),
        ("get_labels", _) => node.labels()?.into(),
        ("resolve", _) => json(&node.resolve()?),
        (other, _) => panic!("an unknown conversion: {other}"),
    })
}

fn compare(case: &Value, config: &Config<'_>, outcome: Result<Value>) -> std::result::Result<(), String> {
    let expected = &case["expect"];
    match outcome {
        Ok(found) => {
            if let Some(wanted) = expected.get("value") {
                let same = sorted(&found) == sorted(wanted);
                return if same { Ok(()) } else { Err(format!("{found} instead of {wanted}")) };
            }
            if let Some(anchor) = expected.get("anchor") {
                let same = found["file"] == anchor["file"] && found["line"] == anchor["line"];
                return if same { Ok(()) } else { Err(format!("{found} instead of {anchor}")) };
            }
            if expected.get("parse").is_some() { Ok(()) } else { Err(format!("{found} instead of {expected}")) }
        }
        Err(error) => compare_error(case, config, &error),
    }
}

fn compare_error(case: &Value, config: &Config<'_>, error: &Error) -> std::result::Result<(), String> {
    let expected = &case["expect"];
    let name = error.category().name();
    let alternatives = expected["error_any"].as_array();
    let any = alternatives.is_some_and(|any| any.iter().any(|wanted| wanted == name));
    if expected["error"] != name && !any {
        return Err(format!("{} instead of {expected}", config.describe(error)));
    }
    let sources = config.sources();
    let places: Vec<(String, usize)> =
        error.places().iter().map(|at| sources.place(*at)).map(|at| (at.source.to_string(), at.line)).collect();
    let wanted: Vec<(String, usize)> = case["at"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|at| (text(at, "file").to_owned(), at["line"].as_u64().unwrap_or_default() as usize))
        .filter(|(file, _)| file != "<unknown>")
        .collect();
    let first_differs = wanted.first().is_some_and(|first| places.first() != Some(first));
    if any && expected["error"] != name || alternatives.is_some() && first_differs {
        return Ok(());
    }
    if first_differs || wanted.iter().any(|at| !places.contains(at)) {
        return Err(format!("{name} at {places:?} instead of {wanted:?}: {error}"));
    }
    Ok(())
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(entries) => {
            let entries: BTreeMap<_, _> = entries.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            Value::Object(entries.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

fn data(value: &Value) -> Data {
    match value {
        Value::Null => Data::Null,
        Value::Bool(truth) => Data::Bool(*truth),
        Value::Number(number) => {
            number.as_i64().map_or_else(|| Data::Float(number.as_f64().unwrap_or_default()), Data::Int)
        }
        Value::String(text) => Data::Text(text.clone()),
        Value::Array(items) => Data::List(items.iter().map(data).collect()),
        Value::Object(entries) => Data::Map(entries.iter().map(|(key, value)| (key.clone(), data(value))).collect()),
    }
}

pub(crate) fn json(data: &Data) -> Value {
    match data {
        Data::Null => Value::Null,
        Data::Bool(truth) => (*truth).into(),
        Data::Int(number) => (*number).into(),
        Data::Float(number) => (*number).into(),
        Data::Text(text) => text.clone().into(),
        Data::List(items) => items.iter().map(json).collect(),
        Data::Map(entries) => {
            Value::Object(entries.iter().map(|(key, value)| (key.clone(), json(value))).collect::<Map<_, _>>())
        }
    }
}
