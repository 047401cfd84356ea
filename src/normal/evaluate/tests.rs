//! Checks that paths lead to the same values in templates and in the model.

use std::fmt::Write as _;

use super::super::{Map, Service};
use super::EvaluationProblem;
use super::typed::value;
use crate::data::{Evaluator, ValueContext};
use crate::grammar::File;
use crate::phase::Context;
use crate::{Entry, Parser, TOSCA};

/// Paths in the node `me`, and their values; `None` if the value is not known before deployment.
const MODERN: &[(&str, Option<&str>)] = &[
    ("[ SELF, name ]", Some("me")),
    ("[ near, name ]", Some("near")),
    ("[ near, 0, name ]", Some("near")),
    ("[ many, ALL, name ]", None),
    ("[ SELF, RELATIONSHIP, host, TARGET, name ]", Some("near")),
    ("[ SELF, RELATIONSHIP, host, 0, TARGET, RELATIONSHIP, host, TARGET, name ]", Some("far")),
    ("[ SELF, RELATIONSHIP, host, CAPABILITY, label ]", Some("near-cap")),
    ("[ SELF, RELATIONSHIP, host, SOURCE, name ]", Some("me")),
    ("[ SELF, RELATIONSHIP, link, TARGET, name ]", Some("near")),
    // The first assignment creates two relationships.
    ("[ SELF, RELATIONSHIP, link, 1, TARGET, name ]", Some("near")),
    ("[ SELF, RELATIONSHIP, link, 2, TARGET, name ]", Some("far")),
    ("[ SELF, RELATIONSHIP, link, ALL, TARGET, name ]", None),
    ("[ SELF, RELATIONSHIP, none, ALL, TARGET, name ]", None),
    ("[ SELF, RELATIONSHIP, none, ALL, TARGET, RELATIONSHIP, host, ALL, TARGET, name ]", None),
    ("[ SELF, RELATIONSHIP, link, ALL, TARGET, RELATIONSHIP, host, ALL, TARGET, name ]", None),
    ("[ far, CAPABILITY, other, RELATIONSHIP, ALL, SOURCE, name ]", None),
    ("[ far, CAPABILITY, cap, RELATIONSHIP, ALL, SOURCE, name ]", None),
    ("[ elsewhere, RELATIONSHIP, host, ALL, TARGET, name ]", None),
    ("[ far, CAPABILITY, cap, label ]", Some("far-cap")),
    ("[ far, CAPABILITY, cap, RELATIONSHIP, 0, SOURCE, name ]", None),
    ("[ SELF, RELATIONSHIP, open, TARGET, name ]", None),
    ("[ elsewhere, name ]", None),
    ("[ SELF, parts, 1, key ]", Some("second")),
];

/// Paths to several values, which are only evaluated in a model.
const ALL: &[(&str, &[&str])] = &[
    ("[ many, ALL, name ]", &["many", "many"]),
    ("[ SELF, RELATIONSHIP, link, ALL, TARGET, name ]", &["near", "near", "far"]),
    ("[ SELF, RELATIONSHIP, none, ALL, TARGET, name ]", &[]),
    ("[ SELF, RELATIONSHIP, none, ALL, TARGET, RELATIONSHIP, host, ALL, TARGET, name ]", &[]),
    // `far` has no host.
    ("[ SELF, RELATIONSHIP, link, ALL, TARGET, RELATIONSHIP, host, ALL, TARGET, name ]", &["far", "far"]),
    ("[ far, CAPABILITY, other, RELATIONSHIP, ALL, SOURCE, name ]", &[]),
];

const SIMPLE: &[(&str, Option<&str>)] = &[
    ("[ SELF, name ]", Some("me")),
    ("[ near, name ]", Some("near")),
    ("[ SELF, host, name ]", Some("near")),
    ("[ near, cap, label ]", Some("near-cap")),
    ("[ SELF, host, label ]", Some("near-cap")),
    ("[ SELF, link, name ]", Some("near")),
    ("[ SELF, link, 0, name ]", Some("near")),
    ("[ SELF, link, 1, name ]", Some("far")),
    ("[ SELF, open, name ]", None),
    // A capability and a requirement share this name (decision B 36).
    ("[ SELF, both, label ]", Some("me-both")),
    ("[ SELF, both, name ]", Some("far")),
    ("[ HOST, name ]", Some("near")),
    ("[ HOST, only ]", Some("far")),
    ("[ HOST, cap, label ]", Some("near-cap")),
    ("[ HOST, other, label ]", Some("far-other")),
    // The nearest host with a match is used, whether the name is that of a capability or of a property.
    ("[ HOST, mixed, label ]", Some("near-mixed")),
    ("[ elsewhere, name ]", None),
    ("[ SELF, parts, 1, key ]", Some("second")),
];

/// Returns a template with a property of `me` for each path.
fn template(is_simple: bool, paths: &[(&str, Option<&str>)]) -> String {
    let (version, key, sign, list, service) = if is_simple {
        ("tosca_simple_yaml_1_3", "occurrences", "", "", "topology_template")
    } else {
        ("tosca_2_0", "count_range", "$", "count: 2, ", "service_template")
    };
    let hosted_on = if is_simple { "tosca.relationships.HostedOn" } else { "HostedOn" };
    let (own, container) =
        if is_simple { ("", "derived_from: tosca.capabilities.Container, ") } else { ("  HostedOn: {}\n", "") };
    let (mut defined, mut assigned) = (String::new(), String::new());
    for (number, (path, _)) in paths.iter().enumerate() {
        let of_type = if path.contains("ALL") { "list, entry_schema: { type: string }" } else { "string" };
        let _ = writeln!(defined, "      p{number}: {{ type: {of_type}, required: false }}");
        let _ = writeln!(assigned, "        p{number}: {{ {sign}get_property: {path} }}");
    }
    format!(
        "tosca_definitions_version: {version}
capability_types:
  Cap: {{ {container}properties: {{ label: {{ type: string, required: false }} }} }}
  Far: {{ properties: {{ label: {{ type: string, required: false }} }} }}
relationship_types:
{own}  On: {{ derived_from: {hosted_on} }}
  Link: {{}}
data_types: {{ Part: {{ properties: {{ key: {{ type: string }} }} }} }}
node_types:
  Far:
    properties:
      name: {{ type: string }}
      only: {{ type: string, required: false }}
      mixed: {{ type: map, entry_schema: {{ type: string }}, required: false }}
    capabilities: {{ cap: {{ type: Cap }}, other: {{ type: Far }} }}
  Near:
    properties: {{ name: {{ type: string }} }}
    capabilities: {{ cap: {{ type: Cap }}, mixed: {{ type: Far }} }}
    requirements: [ host: {{ capability: Cap, relationship: On }} ]
  Me:
    properties:
      name: {{ type: string }}
      parts: {{ type: list, entry_schema: {{ type: Part }}, required: false }}
{defined}    capabilities: {{ both: {{ type: Far }} }}
    requirements:
    - host: {{ capability: Cap, relationship: On }}
    - link: {{ capability: Cap, relationship: Link, {key}: [ 0, 5 ] }}
    - none: {{ capability: Cap, relationship: Link, {key}: [ 0, 5 ] }}
    - both: {{ capability: Cap, relationship: Link, {key}: [ 0, 1 ] }}
    - open: {{ capability: Cap, node: Far, relationship: Link, {key}: [ 0, 1 ] }}
{service}:
  node_templates:
    far:
      type: Far
      properties: {{ name: far, only: far, mixed: {{ label: far-mixed }} }}
      capabilities: {{ cap: {{ properties: {{ label: far-cap }} }}, other: {{ properties: {{ label: far-other }} }} }}
    near:
      type: Near
      properties: {{ name: near }}
      capabilities: {{ cap: {{ properties: {{ label: near-cap }} }}, mixed: {{ properties: {{ label: near-mixed }} }} }}
      requirements: [ host: far ]
    many: {{ type: Far, {list}properties: {{ name: many }} }}
    elsewhere: {{ type: Near, directives: [ select ], properties: {{ name: elsewhere }} }}
    me:
      type: Me
      properties:
        name: me
        parts: [ {{ key: first }}, {{ key: second }} ]
{assigned}      capabilities: {{ both: {{ properties: {{ label: me-both }} }} }}
      requirements:
      - host: near
      - link: {{ {list}node: near }}
      - link: far
      - both: far
      - open: {{ node: Far }}
"
    )
}

fn check(is_simple: bool, paths: &[(&str, Option<&str>)]) {
    let parser = Parser::builder(&TOSCA).build().expect("it is there");
    let text = template(is_simple, paths);
    let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").expect("it is there"), text));
    assert!(outcome.is_valid(), "{:?}", outcome.diagnostics);
    let program = &outcome.program;
    let evaluated = Service::of(program).expect("it is there").evaluate(&Map::new()).service;
    let context = Context::new(program, 0);
    let file =
        program.list[0].root.expect("it is there").cast::<File>().and_then(|id| context.get(id)).expect("it is there");
    let service = context.get(file.service_template.expect("it is there")).expect("it is there");
    let me = service.node_templates.get(context.intern("me")).expect("it is there");
    let assigned = context
        .node(context.get(me).expect("it is there").properties.position.expect("it is there"))
        .expect("it is there");
    for (number, (path, expected)) in paths.iter().enumerate() {
        let name = format!("p{number}");
        let node = assigned.find(&name).expect("it is there").value;
        let of_templates = value(Evaluator::of_values(&context, ValueContext::of(me.any())).evaluate(node, None));
        let of_model = evaluated.nodes["me"].properties[&*name].value.clone().filter(super::Value::is_data);
        let expected = expected.map(super::Value::from);
        assert_eq!(of_templates, expected, "{path}, through templates");
        let all = ALL.iter().find(|(of, _)| of == path).map(|(_, values)| values.iter().map(|value| (*value).into()));
        let expected = all.map(|values| super::Value::List(values.collect())).or(expected);
        assert_eq!(of_model, expected, "{path}, through the model");
    }
}

#[test]
fn templates_and_models_agree_on_paths() {
    check(false, MODERN);
}

#[test]
fn templates_and_models_agree_on_paths_before_2_0() {
    check(true, SIMPLE);
}

#[test]
fn many_paths_over_many_relationships_end() {
    const NUMBER: usize = 300;
    let path = "$get_property: [ n, RELATIONSHIP, link, ALL, TARGET, name ]";
    let (mut targets, mut nodes, mut outputs) = (String::new(), String::new(), String::new());
    for number in 0..NUMBER {
        let _ = writeln!(targets, "      - link: m{number}");
        let _ = writeln!(nodes, "    m{number}: {{ type: T }}");
        let _ = writeln!(outputs, "    o{number}: {{ value: {{ {path} }} }}");
    }
    let text = format!(
        "tosca_definitions_version: tosca_2_0
capability_types: {{ C: {{}} }}
relationship_types: {{ R: {{}} }}
node_types:
  T:
    properties: {{ name: {{ type: string, default: a }} }}
    capabilities: {{ c: C }}
    requirements: [ link: {{ capability: C, relationship: R, count_range: [ 0, UNBOUNDED ] }} ]
service_template:
  node_templates:
    n:
      type: T
      requirements:
{targets}{nodes}  outputs:
{outputs}"
    );
    let problems = problems(text);
    assert!(problems.iter().any(|problem| problem.message.contains("takes too long")), "{problems:?}");
}

#[test]
fn long_paths_end() {
    let steps = "RELATIONSHIP, link, ALL, TARGET, ".repeat(2000);
    let text = format!(
        "tosca_definitions_version: tosca_2_0
capability_types: {{ C: {{}} }}
relationship_types: {{ R: {{}} }}
node_types:
  T:
    properties: {{ name: {{ type: string, default: a }} }}
    capabilities: {{ c: C }}
    requirements: [ link: {{ capability: C, relationship: R }} ]
service_template:
  node_templates:
    n: {{ type: T, requirements: [ link: n ] }}
  outputs:
    o: {{ value: {{ $get_property: [ n, {steps}name ] }} }}"
    );
    let problems = problems(text);
    // Each step copies the path.
    assert!(problems.iter().any(|problem| problem.message.contains("takes too long")), "{problems:?}");
}

/// Evaluates a valid template.
fn problems(text: String) -> Vec<EvaluationProblem> {
    let parser = Parser::builder(&TOSCA).build().expect("it is there");
    let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").expect("it is there"), text));
    assert!(outcome.is_valid(), "{:?}", outcome.diagnostics);
    Service::of(&outcome.program).expect("it is there").evaluate(&Map::new()).problems
}

/// Returns the references of a value, as JSON without its position if the value is a call.
fn references(text: &str, node: &str, name: &str) -> Vec<String> {
    let parser = Parser::builder(&TOSCA).build().expect("it is there");
    let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").expect("it is there"), text));
    assert!(outcome.is_valid(), "{:?}", outcome.diagnostics);
    let service = Service::of(&outcome.program).expect("it is there");
    assert!(service.nodes[node].properties[name].references.is_empty());
    let evaluated = service.evaluate(&Map::new()).service;
    let property = &evaluated.nodes[node].properties[name];
    assert_eq!(property.expression, None, "a call with a reference is not a result");
    let json = |reference| serde_json::to_string(reference).expect("it is data").replace("\"at\":\"\",", "");
    property.references.iter().map(json).collect()
}

#[test]
fn remaining_calls_have_references() {
    let simple = |value: &str| {
        format!(
            "tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  App: {{ derived_from: tosca.nodes.SoftwareComponent, properties: {{ p: {{ type: string }} }} }}
topology_template:
  inputs: {{ port: {{ type: string }} }}
  node_templates:
    vm: {{ type: tosca.nodes.Compute }}
    app: {{ type: App, properties: {{ p: {value} }}, requirements: [ host: vm ] }}
"
        )
    };
    for (value, expected) in [
        ("{ get_attribute: [ HOST, private_address ] }", r#"{"node":"vm","attribute":"private_address"}"#),
        ("{ get_attribute: [ SELF, tosca_id ] }", r#"{"node":"app","attribute":"tosca_id"}"#),
        ("{ get_input: port }", r#"{"input":"port"}"#),
        (
            "{ concat: [ 'http://', { get_attribute: [ vm, public_address ] } ] }",
            r#"{"at":"/$call/arguments/1","node":"vm","attribute":"public_address"}"#,
        ),
        ("{ get_attribute: [ SELF, host, private_address ] }", r#"{"node":"vm","attribute":"private_address"}"#),
    ] {
        assert_eq!(references(&simple(value), "app", "p"), [expected], "{value}");
    }
    assert!(references(&simple("{ get_operation_output: [ SELF, Standard, configure, x ] }"), "app", "p").is_empty());

    let modern = |path: &str| {
        format!(
            "tosca_definitions_version: tosca_2_0
capability_types: {{ C: {{ attributes: {{ ip: {{ type: string }} }} }} }}
relationship_types: {{ R: {{ attributes: {{ load: {{ type: list, entry_schema: string }} }} }} }}
node_types:
  T:
    properties: {{ p: {{ type: string, required: false }} }}
    capabilities: {{ c: C }}
    requirements: [ link: {{ capability: C, relationship: R, count_range: [ 0, UNBOUNDED ] }} ]
service_template:
  node_templates:
    far: {{ type: T }}
    me: {{ type: T, properties: {{ p: {{ $get_attribute: {path} }} }}, requirements: [ link: far, link: far ] }}
"
        )
    };
    for (path, expected) in [
        (
            "[ SELF, RELATIONSHIP, link, 1, TARGET, CAPABILITY, c, ip ]",
            &[r#"{"node":"far","capability":"c","attribute":"ip"}"#][..],
        ),
        (
            "[ SELF, RELATIONSHIP, link, 1, load, 0 ]",
            &[r#"{"node":"me","requirement":1,"attribute":"load","path":[0]}"#],
        ),
    ] {
        assert_eq!(references(&modern(path), "me", "p"), expected, "{path}");
    }
}
