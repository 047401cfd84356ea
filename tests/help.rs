//! What problems say is to be done, where the likeliest slip is another one than the rule is about.

#![allow(clippy::unwrap_used)]

use tosca_parse::{Entry, Parser};

const PORT: &str = "node_types: { Server: { properties: { port: { type: integer } } } }";

/// The help of the only problem of a template.
fn help(text: &str) -> String {
    let parser = Parser::builder().build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").unwrap(), text));
    let [problem] = &outcome.diagnostics[..] else { panic!("{text}\n{:?}", outcome.diagnostics) };
    problem.help.join("; ")
}

fn of_2_0(rest: &str) -> String {
    help(&format!("tosca_definitions_version: tosca_2_0\n{rest}\n"))
}

fn of_1_3(rest: &str) -> String {
    help(&format!("tosca_definitions_version: tosca_simple_yaml_1_3\n{rest}\n"))
}

#[test]
fn calls_that_are_written_as_in_another_version() {
    let service = |keyname: &str, value: &str| {
        format!(
            "{}\n{keyname}:\n  inputs: {{ port: {{ type: integer }} }}\n  node_templates:\n    server: {{ type: Server, properties: {{ port: {value} }} }}",
            PORT.replace("Server: {", "Server: { derived_from: ROOT,")
        )
    };
    let new = |value| of_2_0(&service("service_template", value).replace(" derived_from: ROOT,", ""));
    assert_eq!(new("{ get_input: port }"), "did you mean the function `$get_input`?");
    assert_eq!(new("{ get_inputs: port }"), "did you mean the function `$get_input`?");
    assert_eq!(new("{ value: 80 }"), "", "a plain word is no slip");
    let old = |value| of_1_3(&service("topology_template", value).replace("ROOT", "tosca.nodes.Root"));
    assert_eq!(old("{ $get_input: port }"), "did you mean the function `get_input`?");
    assert_eq!(old("{ get_inputs: port }"), "did you mean the function `get_input`?");
}

#[test]
fn types_where_definitions_are_due() {
    assert_eq!(of_2_0("node_types: { A: { properties: { port: integer } } }"), "write `port: { type: integer }`");
    assert_eq!(
        of_2_0("service_template: { inputs: { port: integer }, node_templates: {} }"),
        "write `{ type: integer }`"
    );
    assert_eq!(
        of_2_0("node_types: { A: { properties: { port: { typ: integer } } } }"),
        "add `type: …`; there is nothing that it could be inherited from; did you mean `type` where it says `typ`?"
    );
}

#[test]
fn profiles_that_are_there_in_another_version() {
    assert_eq!(
        of_2_0("imports: [ { profile: org.oasis-open.simple:2.1 } ]"),
        "did you mean `org.oasis-open.simple:2.0`?"
    );
}
