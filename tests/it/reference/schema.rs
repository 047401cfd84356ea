//! Checks that everything that is read without an error is valid in the JSON Schemas of templates, and that misspelled
//! keynames are not.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::{Diagnostic, Severity};
use tosca_parse::entity::LanguageVersion;
use tosca_parse::{Entry, Parser, Phase, Stage, TOSCA, reference_docs};

use super::versions;
use crate::support::is_up_to_date;

fn validators() -> Vec<Validator> {
    let schema = |(version, _): (LanguageVersion, String)| reference_docs::json_schema(&TOSCA, version);
    versions().map(schema).map(|schema| jsonschema::validator_for(&schema).unwrap()).collect()
}

/// Converts a node to JSON. Keys that are not strings are converted to strings.
fn json(node: Node<'_>) -> Value {
    match node.kind() {
        Kind::Null => Value::Null,
        Kind::Boolean => node.as_bool().into(),
        Kind::Integer => node.as_integer().and_then(|number| i64::try_from(number).ok()).unwrap_or_default().into(),
        Kind::Float => node.as_float().into(),
        Kind::String => node.text().into(),
        Kind::List => node.items().map(json).collect(),
        Kind::Map => {
            let entry = |entry: tosca_parse::ard::Entry<'_>| match json(entry.key) {
                Value::String(key) => (key, json(entry.value)),
                key => (key.to_string(), json(entry.value)),
            };
            Value::Object(node.entries().map(entry).collect::<Map<_, _>>())
        }
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if ["yaml", "yml"].iter().any(|known| path.extension() == Some(OsStr::new(known))) {
            found.push(path);
        }
    }
}

#[test]
fn schemas_are_up_to_date() {
    for (version, name) in versions() {
        let schema = reference_docs::json_schema(&TOSCA, version);
        assert!(jsonschema::meta::is_valid(&schema), "{name}");
        is_up_to_date(&format!("{name}.schema.json"), &format!("{schema:#}\n"));
    }
}

/// Returns the number of files in a folder that are read without an error, and the objections of the schemas.
fn refused(folder: &Path) -> (usize, Vec<String>) {
    let (validators, mut all) = (validators(), Vec::new());
    files(folder, &mut all);
    let builder = Parser::builder(&TOSCA);
    #[cfg(feature = "http")]
    let builder = builder.offline(true);
    let parser = builder.build().unwrap();
    let check = |path: &PathBuf| {
        let entry = Entry::text(parser.address(path.to_str()?).ok()?, std::fs::read(path).ok()?);
        let progress = parser.parse_until(entry, Phase::Read);
        let is_error = |problem: &Diagnostic| problem.severity == Severity::Error;
        let Stage::Read(program) = &progress.stage else { return None };
        let unit = program.units.list.first().filter(|_| !progress.diagnostics.iter().any(is_error))?;
        let (value, validator) = (json(unit.document.root()?), &validators[usize::from(unit.version.0)]);
        if validator.is_valid(&value) {
            return Some(Vec::new());
        }
        let errors = validator.iter_errors(&value);
        Some(errors.map(|error| format!("{}: {}: {error}", path.display(), error.instance_path())).collect())
    };
    let reasons: Vec<Option<Vec<String>>> = all.par_iter().map(check).collect();
    (reasons.iter().flatten().count(), reasons.into_iter().flatten().flatten().collect())
}

#[test]
fn valid_examples_match_the_schemas() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut valid = 0;
    for folder in ["examples/templates", "tests/model", "tests/chapters", "tests/simple"] {
        let (count, reasons) = refused(&root.join(folder));
        assert!(reasons.is_empty(), "{reasons:#?}");
        valid += count;
    }
    assert!(valid > 60, "{valid}");
}

/// Checks a third-party suite, if it exists.
fn check_suite(name: &str) {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("skipped: the suite {name}, as TOSCA_PARSE_SHARED does not name the folder that holds it");
        return;
    };
    let (count, reasons) = refused(&Path::new(&shared).join("conformance").join(name));
    assert!(reasons.is_empty(), "{count} in {name}: {reasons:#?}");
    assert!(count > 20, "{count} in {name}");
}

#[test]
fn valid_files_of_oasis_match_the_schemas() {
    check_suite("oasis-2.0");
    check_suite("oasis-examples");
}

#[test]
fn valid_files_of_1_x_match_the_schemas() {
    check_suite("simple-1.0");
    check_suite("simple-1.x");
}

#[test]
fn valid_files_of_aria_match_the_schemas() {
    check_suite("aria");
    check_suite("spec-2.0");
}

#[test]
fn misspelled_keynames_are_invalid() {
    for (validator, (_, name)) in validators().iter().zip(versions()) {
        let service = if name == "tosca-2.0" { "service_template" } else { "topology_template" };
        let template =
            |keyname: &str| json!({ service: { "node_templates": { "server": { "type": "Server", keyname: {} } } } });
        assert!(validator.is_valid(&template("capabilities")), "{name}");
        assert!(!validator.is_valid(&template("capabilites")), "{name}");
        assert!(!validator.is_valid(&json!({ "repositories": { "images": { "description": "no address" } } })));
        assert!(!validator.is_valid(&json!({ "node_types": { "Server": { "derived_from": [] } } })));
        let port = json!({ "type": "integer", "tpye": "integer" });
        assert!(!validator.is_valid(&json!({ "node_types": { "Server": { "attributes": { "port": port } } } })));
        assert!(!validator.is_valid(&json!({ "node_types": { "Server": { "requirements": { "host": {} } } } })));
    }
}
