//! Evaluation of a model before deployment. Expected values are those of the standard, if it specifies them.

use std::fmt::Write as _;

use tosca_parse::budget::Limits;
use tosca_parse::normal::{Evaluation, Map, Options, Service, Value};
use tosca_parse::{Entry, Parser, TOSCA};

/// Returns the model of a text, not evaluated yet.
fn service(text: &str) -> Service {
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").unwrap(), text));
    let errors: Vec<_> = outcome.diagnostics.iter().map(|problem| &problem.message).collect();
    assert!(outcome.is_valid(), "{errors:?}");
    Service::with(&outcome.program, Options { positions: true, ..Options::default() }).unwrap()
}

fn evaluate(text: &str) -> Evaluation {
    service(text).evaluate(&Map::new())
}

/// Returns the value of an expression in a version, as JSON, or its problem.
fn result(version: &str, expression: &str) -> Result<String, String> {
    let text = format!(
        "tosca_definitions_version: {version}
{}: {{ inputs: {{ ips: {{ type: list, entry_schema: string, default: [ 9.12.1.10, 9.12.1.20 ] }}, one: {{ type: integer, default: 1 }} }}, node_templates: {{}}, outputs: {{ result: {{ value: {expression} }} }} }}
",
        if version == "tosca_2_0" { "service_template" } else { "topology_template" }
    );
    let evaluation = evaluate(&text);
    match evaluation.problems.first() {
        Some(problem) => Err(problem.message.clone()),
        None => Ok(evaluation.service.outputs["result"].value.as_ref().unwrap().to_string()),
    }
}

#[test]
fn each_function_returns_the_value_of_the_standard() {
    let cases = [
        // 10.2.2.1
        ("{ $and: [ true, true ] }", "true"),
        ("{ $and: [ true, false ] }", "false"),
        ("{ $or: [ false, false ] }", "false"),
        ("{ $or: [ false, true ] }", "true"),
        ("{ $not: [ true ] }", "false"),
        ("{ $xor: [ true, true ] }", "false"),
        ("{ $xor: [ true, false ] }", "true"),
        // 10.2.2.2
        ("{ $equal: [ a, a ] }", "true"),
        ("{ $equal: [ 1, 2 ] }", "false"),
        ("{ $greater_than: [ 2, 1 ] }", "true"),
        ("{ $greater_or_equal: [ 2, 2 ] }", "true"),
        ("{ $less_than: [ 2, 2 ] }", "false"),
        ("{ $less_or_equal: [ 1.5, 1.5 ] }", "true"),
        ("{ $valid_values: [ b, [ a, b ] ] }", "true"),
        ("{ $matches: [ abc, b ] }", "true"),
        ("{ $matches: [ abc, '^b$' ] }", "false"),
        // 10.2.2.3
        ("{ $has_suffix: [ abc, bc ] }", "true"),
        ("{ $has_suffix: [ [ 1, 2, 3 ], [ 2, 3 ] ] }", "true"),
        ("{ $has_prefix: [ abc, bc ] }", "false"),
        ("{ $has_prefix: [ [ 1, 2, 3 ], [ 1, 2 ] ] }", "true"),
        ("{ $contains: [ abcd, bc ] }", "true"),
        ("{ $contains: [ [ 1, 2, 3 ], [ 1, 3 ] ] }", "false"),
        ("{ $has_entry: [ { a: 1 }, 1 ] }", "true"),
        ("{ $has_key: [ { a: 1 }, a ] }", "true"),
        ("{ $has_all_entries: [ [ 1, 2, 3 ], [ 3, 1 ] ] }", "true"),
        ("{ $has_all_keys: [ { a: 1 }, [ a, b ] ] }", "false"),
        ("{ $has_any_entry: [ [ 1, 2 ], [ 2, 5 ] ] }", "true"),
        ("{ $has_any_key: [ { a: 1 }, [ a, b ] ] }", "true"),
        // 10.2.3
        ("{ $length: [ äöü ] }", "3"),
        ("{ $length: [ { a: 1, b: 2 } ] }", "2"),
        ("{ $concat: [ 'http://', host, ':', '80' ] }", "\"http://host:80\""),
        ("{ $concat: [ [ 1, 2 ], [ [ 3 ] ] ] }", "[1,2,[3]]"),
        ("{ $join: [ [ prefix, 1111, suffix ], _ ] }", "\"prefix_1111_suffix\""),
        ("{ $join: [ { $get_input: ips }, ',' ] }", "\"9.12.1.10,9.12.1.20\""),
        ("{ $join: [ [ a, b ] ] }", "\"ab\""),
        ("{ $token: [ '1.2.3.4:80', ':', 1 ] }", "\"80\""),
        // 10.2.4
        ("{ $union: [ [ 1, 2, 1 ], [ 2, 3 ] ] }", "[1,2,3]"),
        ("{ $intersection: [ [ 1, 2, 1, 3 ], [ 3, 1 ] ] }", "[1,3]"),
        // 10.2.5
        ("{ $sum: [ 1, 2, 3 ] }", "6"),
        ("{ $sum: [ 1, 2.5 ] }", "3.5"),
        ("{ $difference: [ 1, 3 ] }", "-2"),
        ("{ $product: [ 2, 3, 4 ] }", "24"),
        ("{ $product: [ 2, 1.5 ] }", "3.0"),
        ("{ $quotient: [ 3, 2 ] }", "1.5"),
        ("{ $remainder: [ 7, 4 ] }", "3"),
        ("{ $round: [ 3.5 ] }", "3"),
        ("{ $round: [ 3.53 ] }", "4"),
        ("{ $floor: [ -1.5 ] }", "-2"),
        ("{ $ceil: [ 1.2 ] }", "2"),
        // 10.2.1
        ("{ $get_input: [ ips, 0 ] }", "\"9.12.1.10\""),
    ];
    for (expression, expected) in cases {
        assert_eq!(result("tosca_2_0", expression).as_deref(), Ok(expected), "{expression}");
    }
}

#[test]
fn functions_before_2_0_return_strings() {
    let cases = [
        ("{ concat: [ 'http://', { get_input: [ ips, 1 ] }, ':', 80 ] }", "\"http://9.12.1.20:80\""),
        ("{ join: [ [ prefix, 1111, suffix ], _ ] }", "\"prefix_1111_suffix\""),
        ("{ token: [ 'a-b-c', '-', 2 ] }", "\"c\""),
    ];
    for (expression, expected) in cases {
        assert_eq!(result("tosca_simple_yaml_1_3", expression).as_deref(), Ok(expected), "{expression}");
    }
}

#[test]
fn expressions_without_a_value_are_reported() {
    let cases = [
        ("{ $quotient: [ 1, { $difference: [ { $get_input: one }, 1 ] } ] }", "division by zero"),
        ("{ $get_input: [ ips, 2 ] }", "`get_input` leads to a value without index 2"),
        ("{ $token: [ a, { $get_input: [ ips, 0 ] }, 7 ] }", "`token` has no result for \"a\", \"9.12.1.10\", 7"),
        (
            "{ $sum: [ 9223372036854775807, { $get_input: one } ] }",
            "the result of `sum` does not fit into a 64-bit integer",
        ),
    ];
    for (expression, expected) in cases {
        assert_eq!(result("tosca_2_0", expression), Err(expected.to_owned()), "{expression}");
    }
}

#[test]
fn problems_have_positions() {
    let text = "
tosca_definitions_version: tosca_2_0
node_types: { A: { properties: { a: { type: float }, b: { type: float, default: 0.0 } } } }
service_template:
  node_templates:
    one:
      type: A
      properties:
        a: { $quotient: [ 1, { $get_property: [ SELF, b ] } ] }
";
    let problems = evaluate(text).problems;
    let [problem] = &problems[..] else { panic!("{problems:?}") };
    assert_eq!(problem.at, "/nodes/one/properties/a");
    assert_eq!(problem.source.as_ref().map(|source| (source.line, source.column)), Some((9, 12)));
}

#[test]
fn given_inputs_take_precedence_and_must_be_inputs() {
    let service = service(
        "tosca_definitions_version: tosca_2_0
service_template:
  inputs: { name: { type: string, default: nobody } }
  node_templates: {}
  outputs: { hello: { value: { $concat: [ 'Hello, ', { $get_input: name } ] } } }
",
    );
    let inputs: Map<Value> = [("name".into(), "world".into()), ("nam".into(), "x".into())].into_iter().collect();
    let evaluation = service.evaluate(&inputs);
    assert_eq!(evaluation.service.outputs["hello"].value, Some("Hello, world".into()));
    assert_eq!(evaluation.problems.len(), 1);
    assert_eq!(evaluation.problems[0].message, "there is no input `nam`");
    assert_eq!(service.evaluate(&Map::new()).service.outputs["hello"].value, Some("Hello, nobody".into()));
}

/// Before 2.0, a value that is used as a string is converted to one, wherever it is.
#[test]
fn parts_of_values_are_converted_to_strings() {
    let text = "tosca_definitions_version: tosca_simple_yaml_1_3
data_types:
  Label: { properties: { text: { type: string } } }
node_types:
  A:
    derived_from: tosca.nodes.Root
    properties:
      list: { type: list, entry_schema: string }
      map: { type: map, entry_schema: string }
      label: { type: Label }
      numbers: { type: list, entry_schema: integer }
topology_template:
  inputs:
    number: { type: integer, default: 5 }
    numbers: { type: list, entry_schema: integer, default: [ 1, 2 ] }
  node_templates:
    a:
      type: A
      properties:
        list: [ a, { get_input: number } ]
        map: { key: { get_input: number } }
        label: { text: { get_input: number } }
        numbers: [ { get_input: number } ]
";
    let properties = evaluate(text).service.nodes["a"].properties.clone();
    let written = |name: &str| properties[name].value.as_ref().map(|value| serde_json::to_string(value).unwrap());
    assert_eq!(written("list").as_deref(), Some(r#"["a","5"]"#));
    assert_eq!(written("map").as_deref(), Some(r#"{"key":"5"}"#));
    assert_eq!(written("label").as_deref(), Some(r#"{"text":"5"}"#));
    assert_eq!(written("numbers").as_deref(), Some("[5]"));
}

/// A chain of values is followed to its end, however long it is, and from either end.
#[test]
fn chains_are_followed_to_their_ends() {
    const LENGTH: i64 = 3000;
    let mut text = String::from(
        "tosca_definitions_version: tosca_2_0
node_types: { A: { properties: { a: { type: integer } } } }
service_template:
  node_templates:
",
    );
    for number in 0..LENGTH {
        let value = format!("{{ $sum: [ 1, {{ $get_property: [ n{}, a ] }} ] }}", number + 1);
        let value = if number + 1 == LENGTH { "0".to_owned() } else { value };
        let _ = writeln!(text, "    n{number}: {{ type: A, properties: {{ a: {value} }} }}");
    }
    let evaluated = evaluate(&text).service;
    assert_eq!(evaluated.nodes["n0"].properties["a"].value, Some(Value::Integer(LENGTH - 1)));
}

/// Values that are each composed of two others would grow without limit.
#[test]
fn growth_without_limit_is_reported() {
    let mut text = String::from(
        "tosca_definitions_version: tosca_2_0
node_types: { A: { properties: { a: { type: string } } } }
service_template:
  node_templates:
    n0: { type: A, properties: { a: '0123456789' } }
",
    );
    for number in 1..60 {
        let before = format!("{{ $get_property: [ n{}, a ] }}", number - 1);
        let _ =
            writeln!(text, "    n{number}: {{ type: A, properties: {{ a: {{ $concat: [ {before}, {before} ] }} }} }}");
    }
    let evaluation = evaluate(&text);
    assert_eq!(evaluation.problems.len(), 1);
    assert_eq!(evaluation.problems[0].message, "the value takes too long to compute");
    assert!(!evaluation.service.nodes["n59"].properties["a"].value.as_ref().unwrap().is_data());
}

/// Values that depend on themselves are reported when templates are read; here they stay unevaluated.
#[test]
fn loops_stay_calls() {
    let text = "
tosca_definitions_version: tosca_2_0
node_types: { A: { properties: { a: { type: string }, b: { type: string } } } }
service_template:
  node_templates:
    one: { type: A, properties: { a: { $get_property: [ SELF, b ] }, b: { $get_property: [ SELF, a ] } } }
";
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").unwrap(), text));
    let service = Service::of(&outcome.program).unwrap();
    let evaluated = service.evaluate(&Map::new()).service;
    for (name, other) in [("a", "b"), ("b", "a")] {
        let [before, after] = [&service, &evaluated].map(|service| &service.nodes["one"].properties[name]);
        assert_eq!((&after.value, &after.expression), (&before.value, &None));
        assert_eq!(after.references[0].property.as_deref(), Some(other));
    }
}

/// Evaluating a model again changes nothing, even after it has been serialized.
#[test]
fn evaluation_is_idempotent() {
    for (name, service) in super::models(true) {
        let evaluated = service.evaluate(&Map::new()).service;
        let json = serde_json::to_string(&evaluated).unwrap();
        let again: Service = serde_json::from_str(&json).unwrap();
        assert_eq!(again.evaluate(&Map::new()).service, again, "{name}");
    }
}

#[test]
fn computed_parts_of_values_are_validated() {
    let text = "tosca_definitions_version: tosca_2_0
data_types:
  Size:
    properties: { width: { type: integer, validation: { $less_than: [ $value, 10 ] } } }
node_types:
  N:
    properties:
      list: { type: list, entry_schema: { type: integer, validation: { $less_than: [ $value, 20 ] } } }
      sizes: { type: map, entry_schema: Size }
service_template:
  inputs: { number: { type: integer } }
  node_templates:
    n:
      type: N
      properties:
        list: [ 1, { $get_input: number } ]
        sizes: { a: { width: { $get_input: number } } }
";
    let messages = |number: i64| {
        let inputs = Map::from_iter([("number".into(), Value::Integer(number))]);
        let problems = service(text).evaluate(&inputs).problems;
        problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>()
    };
    let unmet = "does not fulfill a validation clause";
    assert_eq!(messages(5), [""; 0]);
    assert_eq!(messages(15), [format!("15 {unmet}")]);
    assert_eq!(messages(25), [format!("25 {unmet}"), format!("25 {unmet}")]);
}

#[test]
fn paths_lead_back_from_a_capability_to_its_relationships() {
    let text = "tosca_definitions_version: tosca_2_0
capability_types: { Cap: { properties: { port: { type: integer, default: 1 } } }, Other: {} }
relationship_types: { Uses: { properties: { weight: { type: integer, default: 1 } } } }
node_types:
  Server: { properties: { name: { type: string, default: s } }, capabilities: { cap: { type: Cap } } }
  Client:
    properties: { name: { type: string } }
    requirements:
    - server: { capability: Cap, relationship: Uses, count_range: [ 0, UNBOUNDED ] }
    - other: { capability: Other, relationship: Uses, count_range: [ 0, 1 ] }
service_template:
  node_templates:
    server: { type: Server }
    idle: { type: Server }
    a: { type: Client, properties: { name: a }, requirements: [ server: server ] }
    b: { type: Client, properties: { name: b }, requirements: [ server: { node: server, relationship: { properties: { weight: 5 } } }, MORE ] }
  outputs: { result: { value: { $get_property: PATH } } }
";
    let result = |path: &str, more: &str| {
        let evaluation = evaluate(&text.replace("PATH", path).replace("MORE", more));
        evaluation.service.outputs["result"].value.as_ref().unwrap().to_string()
    };
    let cases = [
        ("[ server, CAPABILITY, cap, RELATIONSHIP, ALL, weight ]", "[1,5]"),
        ("[ server, CAPABILITY, cap, RELATIONSHIP, ALL, SOURCE, name ]", r#"["a","b"]"#),
        ("[ server, CAPABILITY, cap, RELATIONSHIP, 1, weight ]", "5"),
        ("[ server, CAPABILITY, cap, RELATIONSHIP, SOURCE, name ]", "\"a\""),
        ("[ a, RELATIONSHIP, server, 0, CAPABILITY, RELATIONSHIP, ALL, SOURCE, name ]", r#"["a","b"]"#),
    ];
    for (path, expected) in cases {
        assert_eq!(result(path, "server: idle"), expected, "{path}");
    }
    // A requirement without a target may still lead there.
    let open = result("[ server, CAPABILITY, cap, RELATIONSHIP, ALL, weight ]", "server: Server");
    assert!(open.contains("$call"), "{open}");
}

#[test]
fn values_in_substitution_mappings_are_evaluated() {
    let evaluation = evaluate(
        "tosca_definitions_version: tosca_simple_yaml_1_3
capability_types: { Host: { properties: { cpus: { type: integer } } } }
relationship_types: { Power: { attributes: { used: { type: integer } } } }
node_types:
  Site:
    properties: { size: { type: integer } }
    capabilities: { host: { type: Host } }
    requirements: [ power: { capability: Host, relationship: Power } ]
topology_template:
  inputs: { n: { type: integer, default: 2 } }
  substitution_mappings:
    node_type: Site
    properties: { size: { get_input: n } }
    capabilities: { host: { properties: { cpus: { get_input: n } } } }
    requirements: { power: { attributes: { used: { get_input: n } } } }
",
    );
    let substitution = serde_json::to_value(evaluation.service.substitution.unwrap()).unwrap();
    assert_eq!(substitution["properties"][0]["value"], 2);
    assert_eq!(substitution["capabilities"][0]["properties"]["cpus"], 2);
    assert_eq!(substitution["requirements"][0]["attributes"]["used"], 2);
}

#[test]
fn compiled_expressions_count_once_and_have_a_limit() {
    let text = |different: bool| {
        let mut outputs = String::new();
        for number in 0..12 {
            let number = if different { number } else { 0 };
            let key = outputs.len();
            writeln!(
                outputs,
                "    o{key}: {{ value: {{ $matches: [ x, {{ $concat: [ '^.{number}\\w{{1,100}}', '$$' ] }} ] }} }}"
            )
            .unwrap();
        }
        format!(
            "tosca_definitions_version: tosca_2_0\nservice_template:\n  node_templates: {{}}\n  outputs:\n{outputs}"
        )
    };
    assert!(evaluate(&text(false)).problems.is_empty());
    let problems = evaluate(&text(true)).problems;
    assert!(!problems.is_empty() && problems.len() < 12, "{problems:?}");
    assert_eq!(problems[0].message, "the regular expressions take too long to compile");
    assert!(problems.windows(2).all(|pair| pair[0].at != pair[1].at), "{problems:?}");
}

#[test]
fn copies_of_large_values_have_a_limit() {
    let text = |outputs: usize| {
        let items: Vec<String> = (0..2000).map(|number| format!("x{number}")).collect();
        let mut text = format!(
            "tosca_definitions_version: tosca_2_0\nservice_template:\n  node_templates: {{}}\n  inputs:\n    \
             list: {{ type: list, entry_schema: string, default: [ {} ] }}\n  outputs:\n",
            items.join(", ")
        );
        for number in 0..outputs {
            writeln!(text, "    o{number}: {{ value: {{ $get_input: list }} }}").unwrap();
            writeln!(text, "    p{number}: {{ value: {{ $get_input: [ list, {number} ] }} }}").unwrap();
        }
        text
    };
    let small = evaluate(&text(100));
    assert!(small.problems.is_empty(), "{:?}", small.problems);
    let large = evaluate(&text(1500));
    assert_eq!(large.problems[0].message, "the value takes too long to compute");
    let copied = large.service.outputs.values().filter(|output| matches!(output.value, Some(Value::List(_)))).count();
    assert!((100..1500).contains(&copied), "{copied}");
}

/// Copies of a string share memory, but each of them is written.
#[test]
fn copies_of_long_strings_have_a_limit() {
    const LENGTH: usize = 100_000;
    let text = |outputs: usize| {
        let mut text = format!(
            "tosca_definitions_version: tosca_2_0\nservice_template:\n  node_templates: {{}}\n  inputs:\n    \
             text: {{ type: string, default: {} }}\n  outputs:\n",
            "a".repeat(LENGTH)
        );
        (0..outputs).for_each(|number| writeln!(text, "    o{number}: {{ value: {{ $get_input: text }} }}").unwrap());
        text
    };
    let small = evaluate(&text(100));
    assert!(small.problems.is_empty(), "{:?}", small.problems);
    let large = evaluate(&text(1000));
    assert_eq!(large.problems[0].message, "the value takes too long to compute");
    let size = serde_json::to_string(&large.service).unwrap().len();
    assert!((100 * LENGTH..500 * LENGTH).contains(&size), "{size}");
    let most = |bytes| {
        let limits = Limits { bytes, ..Limits::default() };
        service(&text(100)).evaluate_within(limits, &Map::new(), &Map::new()).problems.len()
    };
    assert!(most(1 << 20) > 0 && most(64 << 20) == 0);
}
