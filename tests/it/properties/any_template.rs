//! Random templates of words of the language, which result in an outcome, whatever they mean.

use std::fmt::Write as _;
use tosca_parse::normal::Service;

use proptest::prelude::*;
use serde_json::{Map, Value};

use super::{cases, parse};

const VERSIONS: &[&str] = &[
    "tosca_2_0",
    "tosca_simple_yaml_1_3",
    "tosca_simple_yaml_1_2",
    "tosca_simple_yaml_1_1",
    "tosca_simple_yaml_1_0",
    "tosca_3_0",
];

/// Keynames, functions, and the names `a` to `d`, which therefore often refer to each other.
const KEYS: &[&str] = &[
    "activities",
    "allocation",
    "arguments",
    "artifact_types",
    "artifacts",
    "attributes",
    "call_operation",
    "capabilities",
    "capability",
    "capability_types",
    "condition",
    "constraints",
    "copy",
    "count",
    "count_range",
    "data_types",
    "default",
    "definition",
    "dependencies",
    "derived_from",
    "description",
    "directives",
    "dsl_definitions",
    "entry_schema",
    "event",
    "external_schema",
    "file",
    "functions",
    "group_types",
    "groups",
    "host",
    "implementation",
    "imports",
    "inline",
    "inputs",
    "interface_types",
    "interfaces",
    "key_schema",
    "members",
    "metadata",
    "namespace",
    "node",
    "node_filter",
    "node_templates",
    "node_type",
    "node_types",
    "notifications",
    "occurrences",
    "on_failure",
    "on_success",
    "operation_host",
    "operations",
    "optional_arguments",
    "outputs",
    "parameters",
    "policies",
    "policy_types",
    "prefixes",
    "primary",
    "profile",
    "properties",
    "relationship",
    "relationship_templates",
    "relationship_types",
    "repositories",
    "required",
    "requirements",
    "result",
    "service_template",
    "set_state",
    "signatures",
    "status",
    "steps",
    "substitution_mappings",
    "target",
    "target_filter",
    "targets",
    "topology_template",
    "triggers",
    "type",
    "units",
    "url",
    "valid_source_types",
    "valid_target_types",
    "validation",
    "value",
    "variadic",
    "version",
    "workflows",
    "delegate",
    "schedule",
    "$get_property",
    "$get_attribute",
    "$get_input",
    "$concat",
    "$and",
    "$equal",
    "$value",
    "$length",
    "$sum",
    "$token",
    "$union",
    "$a",
    "$$escaped",
    "get_property",
    "get_input",
    "concat",
    "equal",
    "in_range",
    "pattern",
    "a",
    "b",
    "c",
    "d",
    "<<",
];

const WORDS: &[&str] = &[
    "a",
    "b",
    "c",
    "d",
    "a:b",
    "SELF",
    "SOURCE",
    "TARGET",
    "HOST",
    "RELATIONSHIP",
    "CAPABILITY",
    "ALL",
    "UNBOUNDED",
    "string",
    "integer",
    "float",
    "boolean",
    "list",
    "map",
    "scalar",
    "timestamp",
    "version",
    "bytes",
    "nil",
    "range",
    "scalar-unit.size",
    "tosca.nodes.Root",
    "tosca:Compute",
    "Compute",
    "Root",
    "select",
    "substitute",
    "create",
    "1.0",
    "4 GB",
    "2026-11-21",
    "$get_input",
    "$value",
    "",
    "missing.yaml",
    "service.yaml",
];

fn words(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::sample::select(words).prop_map(str::to_owned)
}

fn tree() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        8 => words(WORDS).prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => (-2..4_i64).prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
    ];
    scalar.prop_recursive(8, 120, 6, |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            3 => map(words(KEYS), inner),
        ]
    })
}

fn map(keys: impl Strategy<Value = String>, values: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec((keys, values), 0..6).prop_map(|entries| Value::from(Map::from_iter(entries)))
}

/// Returns a map of a few names to anything.
fn named(values: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    map(words(&["a", "b", "c", "d"]), values)
}

/// Returns a file in which many entities are in valid positions, so that later phases have something to do.
fn file() -> impl Strategy<Value = Value> {
    let sections = &[
        "node_types",
        "data_types",
        "capability_types",
        "relationship_types",
        "interface_types",
        "artifact_types",
        "group_types",
        "policy_types",
        "functions",
    ];
    let member = map(words(KEYS), named(tree())).boxed();
    let types = prop::collection::vec((words(sections), named(member.clone())), 0..4);
    let parts = prop::sample::select(vec!["node_templates", "inputs", "outputs", "groups", "workflows", "policies"]);
    let service = prop::collection::vec((parts.prop_map(str::to_owned), named(member)), 0..4);
    (types, service, prop::option::of((words(KEYS), tree()))).prop_map(|(types, service, more)| {
        let mut file = Map::from_iter(types);
        let service = Value::from(Map::from_iter(service));
        file.insert("service_template".to_owned(), service.clone());
        file.insert("topology_template".to_owned(), service);
        file.extend(more);
        Value::from(file)
    })
}

fn in_version(version: &str, file: &Value) -> String {
    let mut text = format!("tosca_definitions_version: {version}\n");
    for (key, value) in file.as_object().into_iter().flatten() {
        // JSON is YAML, and one line per keyname keeps failures readable.
        writeln!(text, "{}: {value}", Value::from(key.as_str())).unwrap();
    }
    text
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn files_that_look_like_templates((version, file) in (prop::sample::select(VERSIONS), file())) {
        parse(in_version(version, &file));
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn files_of_known_words((version, file) in (prop::sample::select(VERSIONS), map(words(KEYS), tree()))) {
        parse(in_version(version, &file));
    }

    #[test]
    fn the_same_file_has_the_same_outcome(file in file()) {
        let text = in_version("tosca_2_0", &file);
        let (one, other) = (parse(text.clone()), parse(text));
        let told = |outcome: &tosca_parse::Outcome| -> Vec<(u32, u32, String)> {
            let problems = outcome.diagnostics.iter();
            problems.map(|problem| (problem.span.start, problem.span.end, problem.message.clone())).collect()
        };
        prop_assert_eq!(told(&one), told(&other));
        prop_assert_eq!(serde_json::to_value(Service::of(&one.program)).unwrap(), serde_json::to_value(Service::of(&other.program)).unwrap());
    }
}
