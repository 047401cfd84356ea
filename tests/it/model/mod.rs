//! The normal model: the results for templates, field by field.
//!
//! Each template is about one part of the model, and its whole model is kept in a snapshot, so that all consequences
//! of a change are visible. The description of the model is read from its source. It is used to generate the pages in
//! `docs`, and determines the contents of the snapshots: every documented field, and no other, occurs in one of them.

mod closed;
mod description;
mod diff;
mod evaluation;
mod nested;
mod page;
mod plan;
#[cfg(feature = "schema")]
mod schema;
mod shape;
mod validation;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use rayon::prelude::*;
use tosca_parse::diagnostic::Secrets;
use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::graph::{self, Graph, ToGraph};
use tosca_parse::normal::{Map, Options, Service, ServiceStream};
use tosca_parse::resolve::{Resolution, resolve_entry};
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

use crate::support::is_up_to_date;
use description::Description;

/// The templates, each with values for inputs.
const TEMPLATES: &[(&str, &str)] = &[
    ("artifacts", ""),
    ("capabilities", ""),
    ("copies", ""),
    ("evaluated", ""),
    ("functions", ""),
    ("groups-and-policies", ""),
    ("interfaces", ""),
    ("requirements", ""),
    ("resolved", ""),
    ("simple-1.1", ""),
    ("simple-1.3", ""),
    ("substitution", ""),
    ("values", "{ name: somebody, given: 5 }"),
    ("workflows", ""),
];

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Parses a valid template.
fn parse(parser: &Parser, name: &str, inputs: &str) -> (Outcome, Option<Resolution>) {
    let mut entry = Entry::at(parser.address(&format!("{name}.yaml")).unwrap());
    if !inputs.is_empty() {
        entry = entry.inputs("inputs", inputs);
    }
    let (outcome, resolution) =
        if name == "resolved" { resolve_entry(parser, entry) } else { (parser.parse_entry(entry), None) };
    assert!(outcome.is_valid(), "{}", Terminal::new(&outcome.diagnostics, &outcome.sources));
    (outcome, resolution)
}

/// Returns the models of all templates.
fn models(positions: bool) -> impl Iterator<Item = (&'static str, Service)> {
    let parser = Parser::builder(&TOSCA).directory(folder("tests/model/templates")).build().unwrap();
    TEMPLATES.iter().map(move |(name, inputs)| {
        let (outcome, resolution) = parse(&parser, name, inputs);
        let options = Options { resolution: resolution.as_ref(), positions, ..Options::default() };
        let service = Service::with(&outcome.program, options).unwrap();
        let is_evaluated = *name == "evaluated";
        (*name, if is_evaluated { service.evaluate(&Map::new()).service } else { service })
    })
}

#[test]
fn every_template_is_listed() {
    let files = std::fs::read_dir(folder("tests/model/templates")).unwrap();
    let names = files.map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned());
    let listed = TEMPLATES.iter().map(|(name, _)| (*name).to_owned()).chain(["functions-imported".to_owned()]);
    assert_eq!(names.collect::<BTreeSet<_>>(), listed.collect::<BTreeSet<_>>());
}

#[test]
fn models_are_as_they_were() {
    for (name, service) in models(false) {
        assert_snapshot!(name, serde_json::to_string_pretty(&service).unwrap());
    }
}

#[test]
fn positions_are_included_on_request() {
    let (_, service) = models(true).find(|(name, _)| *name == "capabilities").unwrap();
    assert_snapshot!("capabilities-with-places", serde_json::to_string_pretty(&service).unwrap());
}

#[test]
fn models_can_be_written_and_read() {
    for positions in [false, true] {
        for (name, service) in models(positions) {
            let json = serde_json::to_string(&service).unwrap();
            assert_eq!(serde_json::from_str::<Service>(&json).unwrap(), service, "{name} in JSON");
            let yaml = serde_yaml::to_string(&service).unwrap();
            assert_eq!(serde_yaml::from_str::<Service>(&yaml).unwrap(), service, "{name} in YAML");
            // Unlike the other formats, RON distinguishes structs from maps, and values from optional values.
            let ron = ron::to_string(&service).unwrap();
            assert_eq!(ron::from_str::<Service>(&ron).unwrap(), service, "{name} in RON");
        }
    }
}

#[test]
fn models_that_are_created_while_they_are_written_are_the_same() {
    let parser = Parser::builder(&TOSCA).directory(folder("tests/model/templates")).build().unwrap();
    for (name, inputs) in TEMPLATES {
        let (outcome, resolution) = parse(&parser, name, inputs);
        let options = Options { resolution: resolution.as_ref(), positions: true, ..Options::default() };
        let whole = Service::with(&outcome.program, options).unwrap();
        let stream = Service::stream(&outcome.program, options).unwrap();
        let dot = |source: &dyn Fn(graph::Options) -> Graph| source(graph::Options::default()).dot();
        assert_eq!(dot(&|options| stream.to_graph(options)), dot(&|options| whole.to_graph(options)), "{name}");
        assert_eq!(serde_json::to_string(&stream).unwrap(), serde_json::to_string(&whole).unwrap(), "{name}");
        assert_eq!(compact(&stream), serde_json::to_string(&whole).unwrap(), "{name}");
        assert_eq!(serde_yaml::to_string(&stream).unwrap(), serde_yaml::to_string(&whole).unwrap(), "{name}");
        assert_eq!(ron::to_string(&stream).unwrap(), ron::to_string(&whole).unwrap(), "{name}");
        let secrets = || Secrets::of(["1024", "web"].into_iter());
        let (stream, whole) = (stream.masked(secrets()), whole.masked(&secrets()));
        assert_eq!(serde_json::to_string(&stream).unwrap(), serde_json::to_string(&whole).unwrap(), "{name}");
        assert_eq!(compact(&stream), serde_json::to_string(&whole).unwrap(), "{name}");
        assert_eq!(dot(&|options| stream.to_graph(options)), dot(&|options| whole.to_graph(options)), "{name}");
    }
}

/// Returns a model as compact JSON.
fn compact(stream: &ServiceStream<'_>) -> String {
    let mut text = Vec::new();
    stream.write_json(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn streams_of_any_number_of_nodes_are_the_same() {
    let nodes = |count: usize| -> String {
        let node = |number| {
            let value = match number % 3 {
                0 => "{ a: [ [ [ { b: {} } ], [] ] ], \"nodes\": null }".to_owned(),
                1 => "[ \"\\n  \\\"nodes\\\": null\", ü ]".to_owned(),
                _ => format!("{}1{}", "[ ".repeat(50), " ]".repeat(50)),
            };
            format!("    n{number}: {{ type: Node, metadata: {{ \"nodes\": 1 }}, properties: {{ value: {value} }} }}\n")
        };
        (0..count).map(node).collect()
    };
    for count in [0, 1, 16, 17, 1100] {
        let text = format!(
            "tosca_definitions_version: tosca_2_0
description: \"\\n  \\\"nodes\\\": null\"
metadata: {{ \"nodes\": null }}
data_types: {{ Any: {{}} }}
node_types:
  Node:
    properties: {{ value: {{ type: Any, required: false }} }}
service_template:
  metadata: {{ \"nodes\": null }}
  node_templates:{}
{}",
            if count == 0 { " {}" } else { "" },
            nodes(count)
        );
        let parser = Parser::builder(&TOSCA).threads(2).build().unwrap();
        let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").unwrap(), text));
        let stream = Service::stream(&outcome.program, Options::default()).unwrap();
        let whole = Service::of(&outcome.program).unwrap();
        assert_eq!((whole.nodes.len(), stream.node_count()), (count, count));
        assert_eq!(
            serde_json::to_string_pretty(&stream).unwrap(),
            serde_json::to_string_pretty(&whole).unwrap(),
            "{count} nodes"
        );
        assert_eq!(compact(&stream), serde_json::to_string(&whole).unwrap(), "{count} nodes");
    }
}

/// The parts of models that belong to built-in types are built once per parser.
#[test]
fn models_do_not_depend_on_earlier_ones() {
    let parser =
        |threads| Parser::builder(&TOSCA).directory(folder("tests/model/templates")).threads(threads).build().unwrap();
    let write = |parser: &Parser, (name, inputs): &(&str, &str)| {
        serde_json::to_string(&Service::of(&parse(parser, name, inputs).0.program).unwrap()).unwrap()
    };
    let expected: Vec<String> = TEMPLATES.iter().map(|template| write(&parser(1), template)).collect();
    let shared = parser(2);
    for _ in 0..2 {
        // A later template uses types that an earlier one has used, and others.
        let found: Vec<String> = TEMPLATES.iter().rev().map(|template| write(&shared, template)).collect();
        assert!(found.iter().rev().eq(&expected));
    }
}

#[test]
fn models_do_not_depend_on_threads() {
    let write = |threads: usize| -> Vec<String> {
        let parser =
            Parser::builder(&TOSCA).directory(folder("tests/model/templates")).threads(threads).build().unwrap();
        let outcomes = TEMPLATES.iter().map(|(name, inputs)| parse(&parser, name, inputs));
        outcomes.map(|(outcome, _)| serde_json::to_string(&Service::of(&outcome.program).unwrap()).unwrap()).collect()
    };
    let expected = write(1);
    assert_eq!(write(4), expected);
    assert_eq!(write(4), expected);
}

#[test]
fn every_field_is_documented_and_shown() {
    let description = Description::of_model();
    let mut seen = BTreeSet::new();
    for (name, service) in models(true) {
        let json = serde_json::to_value(&service).unwrap();
        let surprises = shape::compare(&description, &json, &mut seen);
        assert!(surprises.is_empty(), "{name}: {surprises:#?}");
    }
    let missing: Vec<String> = description.fields().into_iter().filter(|field| !seen.contains(field)).collect();
    assert!(missing.is_empty(), "no template shows {missing:#?}");
}

#[test]
fn names_refer_to_something_in_the_model() {
    for (name, service) in models(false) {
        assert_eq!(closed::loose_ends(&service), [""; 0], "{name}");
    }
}

/// The model of any file, right or wrong, matches the description and can be read again.
#[test]
fn models_of_third_party_files_match_the_description() {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        #[allow(clippy::print_stderr, reason = "a test that is skipped has to say so")]
        {
            eprintln!("skipped: models of other people's files, as TOSCA_PARSE_SHARED does not name their folder");
        }
        return;
    };
    let description = Description::of_model();
    let parser = Parser::builder(&TOSCA).offline(true).build().unwrap();
    let entries = walkdir::WalkDir::new(Path::new(&shared).join("conformance"))
        .sort_by_file_name()
        .into_iter()
        .map(Result::unwrap);
    let paths = entries.map(walkdir::DirEntry::into_path).filter(|path| is_yaml(path));
    let files: Vec<PathBuf> = paths.step_by(3).collect();
    let models: Vec<bool> = files
        .par_iter()
        .map(|file| {
            let outcome = parser.parse(file.to_str().unwrap()).unwrap();
            let Some(service) = Service::of(&outcome.program) else { return false };
            let json = serde_json::to_value(&service).unwrap();
            let surprises = shape::compare(&description, &json, &mut BTreeSet::new());
            assert!(surprises.is_empty(), "{}: {surprises:#?}", file.display());
            #[cfg(feature = "schema")]
            schema::assert_valid(&schema::MODEL, &json, &file.display());
            // With positions, all parts are built for this model.
            let options = Options { positions: true, ..Options::default() };
            let mut with_positions = serde_json::to_value(Service::with(&outcome.program, options).unwrap()).unwrap();
            remove_positions(&mut with_positions);
            assert!(with_positions == json, "{} differs with positions", file.display());
            let again: Service = serde_json::from_value(json).unwrap();
            assert!(again == service, "{} changes when it is written and read", file.display());
            if outcome.is_valid() {
                assert_eq!(closed::loose_ends(&service), [""; 0], "{}", file.display());
            }
            true
        })
        .collect();
    assert!(models.into_iter().filter(|has_model| *has_model).count() > 400);
}

fn remove_positions(json: &mut serde_json::Value) {
    match json {
        serde_json::Value::Object(members) => {
            members.retain(|name, member| {
                name != "source" || !["file", "line", "column"].iter().all(|part| member.get(part).is_some())
            });
            members.values_mut().for_each(remove_positions);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(remove_positions),
        _ => {}
    }
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
}

#[test]
fn pages_are_up_to_date() {
    page::pages().into_iter().for_each(|(file, text)| is_up_to_date(file, &text));
}
