//! Checks that conditions for values have the same form in the model for all versions of templates.

use tosca_parse::normal::{Service, Value};
use tosca_parse::{Entry, Parser, TOSCA};

fn validation(text: &str) -> Vec<Value> {
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("memory:service.yaml").unwrap(), text));
    assert!(outcome.diagnostics.is_empty(), "{:#?}", outcome.diagnostics);
    let service = Service::of(&outcome.program).unwrap();
    service.inputs["it"].schema.validation.clone()
}

#[test]
fn constraint_clauses_are_calls() {
    // The type, the clause, and the equivalent condition.
    let clauses = [
        ("integer", "equal: 5", "$equal: [ $value, 5 ]"),
        ("integer", "greater_than: 5", "$greater_than: [ $value, 5 ]"),
        ("integer", "greater_or_equal: 5", "$greater_or_equal: [ $value, 5 ]"),
        ("integer", "less_than: 5", "$less_than: [ $value, 5 ]"),
        ("integer", "less_or_equal: 5", "$less_or_equal: [ $value, 5 ]"),
        (
            "integer",
            "in_range: [ 1, 5 ]",
            "$and: [ { $greater_or_equal: [ $value, 1 ] }, { $less_or_equal: [ $value, 5 ] } ]",
        ),
        ("integer", "in_range: [ 1, UNBOUNDED ]", "$greater_or_equal: [ $value, 1 ]"),
        ("string", "valid_values: [ a, b ]", "$valid_values: [ $value, [ a, b ] ]"),
        ("string", "length: 5", "$equal: [ { $length: [ $value ] }, 5 ]"),
        ("string", "min_length: 5", "$greater_or_equal: [ { $length: [ $value ] }, 5 ]"),
        ("string", "max_length: 5", "$less_or_equal: [ { $length: [ $value ] }, 5 ]"),
        ("string", "pattern: 'a*'", "$matches: [ $value, '^(?:a*)$' ]"),
        ("string", "pattern: '^a*$'", "$matches: [ $value, '^a*$' ]"),
    ];
    for (of_type, clause, condition) in clauses {
        let simple = validation(&format!(
            "tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs: {{ it: {{ type: {of_type}, constraints: [ {{ {clause} }} ] }} }}"
        ));
        let latest = validation(&format!(
            "tosca_definitions_version: tosca_2_0
service_template:
  inputs: {{ it: {{ type: {of_type}, validation: {{ {condition} }} }} }}
  node_templates: {{}}"
        ));
        // Clauses in a list must all be fulfilled, like the arguments of `$and`.
        let latest = match &latest[..] {
            [Value::Call(call)] if &*call.name == "and" => call.arguments.clone(),
            _ => latest,
        };
        assert_eq!(simple, latest, "{clause}");
    }
}
