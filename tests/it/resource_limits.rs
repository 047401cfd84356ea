//! Small inputs that are designed to exhaust memory or time.
//!
//! Exceeded limits are reported. The sizes are chosen so that the tests are fast, and so that a missing limit makes a
//! test take minutes rather than fail.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use crate::support::{check, codes};
use tosca_parse::ard::Limits;
use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::entity::ModelLimits;
use tosca_parse::graph::{Graph, Options};
use tosca_parse::normal::{Node, Service};
use tosca_parse::source::{Address, InputValues, MemoryProvider, Provider, ReadError};
use tosca_parse::{Entry, ImportLimits, Outcome, Parser, ParserBuilder, TOSCA};

const HEAD: &str = "tosca_definitions_version: tosca_2_0\n";

fn parse_by(parser: &Parser, text: impl Into<Vec<u8>>) -> Outcome {
    parser.parse_entry(Entry::text(parser.address("service.yaml").unwrap(), text))
}

fn parse(text: impl Into<Vec<u8>>) -> Outcome {
    let outcome = parse_by(&Parser::builder(&TOSCA).build().unwrap(), text);
    check(&outcome);
    outcome
}

/// Formats a line for each number.
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        writeln!(text, "{}", line(number)).unwrap();
        text
    })
}

/// A provider of files that import two others, at addresses that end in a number.
struct Endless {
    delay: Duration,
}

impl Provider for Endless {
    fn serves(&self, address: &Address) -> bool {
        address.scheme() == "endless"
    }
    fn is_slow(&self, _: &Address) -> bool {
        !self.delay.is_zero()
    }
    fn read(&self, address: &Address, _: u64) -> Result<Vec<u8>, ReadError> {
        std::thread::sleep(self.delay);
        let name = address.to_string();
        let number: u64 = name.rsplit('/').next().unwrap().trim_end_matches(".yaml").parse().unwrap();
        let (one, other) = (2 * number + 1, 2 * number + 2);
        // Each file also has a problem.
        Ok(format!("{HEAD}imports: [ {one}.yaml, {other}.yaml ]\nnode_type: {{}}\n").into_bytes())
    }
    fn exists(&self, _: &Address) -> bool {
        true
    }
}

fn limits(change: impl FnOnce(&mut ImportLimits)) -> ImportLimits {
    let mut limits = ImportLimits::default();
    change(&mut limits);
    limits
}

fn endless(delay: Duration, limits: ImportLimits) -> ParserBuilder {
    Parser::builder(&TOSCA).provider(Arc::new(Endless { delay })).import_limits(limits)
}

const IMPORTING: &str = "tosca_definitions_version: tosca_2_0
imports: [ 'endless://all/0.yaml' ]
node_types: { A: { derived_from: Declared.There }, B: { propertys: {} } }
";

#[test]
fn imports_without_end() {
    let sources = limits(|limits| limits.sources = 100);
    let bytes = limits(|limits| limits.bytes = 5000);
    let remote = limits(|limits| limits.remote = 20);
    let delay = Duration::from_micros(1);
    for (delay, limits) in [(Duration::ZERO, sources), (Duration::ZERO, bytes), (delay, remote)] {
        let shown: Vec<Vec<String>> = [1, 4]
            .into_iter()
            .map(|threads| {
                let parser = endless(delay, limits).threads(threads).build().unwrap();
                let outcome = parse_by(&parser, IMPORTING);
                check(&outcome);
                // Names that imports may declare are not reported as missing. The problems of imports that happen to
                // be read are not reported either.
                assert_eq!(codes(&outcome), ["T1201", "T1406"]);
                outcome.diagnostics.into_iter().map(|problem| problem.message).collect()
            })
            .collect();
        assert_eq!(shown[0], shown[1]);
    }
}

/// Returns the given number of blocks with syntax errors that take much work to repair.
fn broken(blocks: usize) -> String {
    let block = "  a:\n    b: { c: $.d(\n e => f)\n      - g: h ]\n";
    format!("{HEAD}metadata:\n  b: c\n{}", block.repeat(blocks))
}

#[test]
fn repairs_of_syntax_errors_have_a_limit() {
    let rest = "correct the errors up to here first: the rest of the source is not read";
    let of = |blocks: usize| {
        let outcome = parse(broken(blocks));
        let syntax: Vec<_> = outcome.diagnostics.iter().filter(|problem| problem.rule.code == "T1101").collect();
        let told: Vec<bool> = syntax.iter().map(|problem| problem.help.iter().any(|help| help == rest)).collect();
        (syntax.len(), told.iter().filter(|is_told| **is_told).count(), told.last() == Some(&true), outcome.import_cost)
    };
    let (errors, told, _, cost) = of(5);
    assert!(errors >= 5 && told == 0 && cost < 400, "{errors} errors, cost {cost}");
    for blocks in [100, 1000] {
        let (errors, told, is_last, cost) = of(blocks);
        let most = ((2 << 20) + 64 * broken(blocks).len()) / 512 + errors;
        assert!(errors >= 10 && told == 1 && is_last, "{blocks}: {errors} errors, {told}");
        assert!((most / 2..=most).contains(&cost), "{blocks}: {cost} of {most}");
    }
}

#[test]
fn repairs_of_imported_files_have_a_limit() {
    let outcome = |files: usize, threads: usize| {
        let memory = MemoryProvider::new();
        let address = |file: usize| format!("memory:/f{file}.yaml");
        (0..files).for_each(|file| memory.insert(Address::parse(&address(file)).unwrap(), broken(100)));
        let imports: Vec<String> = (0..files).map(address).collect();
        let parser = Parser::builder(&TOSCA).provider(Arc::new(memory)).threads(threads).build().unwrap();
        let outcome = parse_by(&parser, format!("{HEAD}imports: [ {} ]\n", imports.join(", ")));
        let messages = outcome.diagnostics.iter().map(|problem| (problem.rule.code, problem.message.clone()));
        messages.collect::<Vec<_>>()
    };
    let problems = outcome(10, 1);
    let count = |code: &str| problems.iter().filter(|problem| problem.0 == code).count();
    assert!(count("T1101") >= 100 && count("T1406") == 0, "{problems:?}");
    for threads in [1, 4] {
        let problems = outcome(40, threads);
        let message = "the imported files have too many syntax errors to read all of them".to_owned();
        assert_eq!(problems, [("T1406", message)]);
    }
}

#[test]
fn imports_that_take_too_long() {
    let limits = limits(|limits| limits.time = Duration::from_millis(100));
    let parser = endless(Duration::from_millis(30), limits).build().unwrap();
    let outcome = parse_by(&parser, IMPORTING);
    assert_eq!(codes(&outcome), ["T1201", "T1406"]);
}

/// A provider that panics on every call.
struct Broken;

impl Provider for Broken {
    fn serves(&self, address: &Address) -> bool {
        address.scheme() == "broken"
    }
    fn is_slow(&self, address: &Address) -> bool {
        address.to_string().contains("slow")
    }
    fn read(&self, _: &Address, _: u64) -> Result<Vec<u8>, ReadError> {
        panic!("this provider is broken")
    }
    fn exists(&self, _: &Address) -> bool {
        panic!("so it is")
    }
    fn identity(&self, _: &Address) -> Address {
        panic!("in all its parts")
    }
}

#[test]
fn a_provider_that_panics() {
    let parser = Parser::builder(&TOSCA).provider(Arc::new(Broken)).build().unwrap();
    for address in ["broken://all/a.yaml", "broken://all/slow.yaml"] {
        let outcome = parse_by(&parser, format!("{HEAD}imports: [ '{address}' ]\n"));
        check(&outcome);
        assert_eq!(codes(&outcome), ["T1002"], "{address}");
        assert_eq!(codes(&parser.parse(address).unwrap()), ["T1002"], "{address}");
    }
}

#[test]
fn problems_without_end() {
    let properties = lines(60, |index| format!("      p{index}: {{ type: string }}"));
    let nodes = lines(60, |index| format!("    n{index}: {{ type: N, attributes: {{ a: 1 }} }}"));
    let text =
        format!("{HEAD}node_types:\n  N:\n    properties:\n{properties}service_template:\n  node_templates:\n{nodes}");
    let first = parse(text.clone());
    let number = |code: &str| first.diagnostics.iter().filter(|problem| problem.rule.code == code).count();
    // 3600 values are missing. The problems of other rules are complete.
    assert_eq!((number("T5106"), number("T5801"), number("T5001")), (1000, 1, 60));
    for threads in [1, 3] {
        let outcome = parse_by(&Parser::builder(&TOSCA).threads(threads).build().unwrap(), text.clone());
        let messages = |outcome: &Outcome| -> Vec<String> {
            outcome.diagnostics.iter().map(|problem| problem.message.clone()).collect()
        };
        assert_eq!(messages(&outcome), messages(&first));
    }
    let unknown = parse(format!("{HEAD}{}", lines(3000, |index| format!("unknown_{index}: 1"))));
    assert_eq!(codes(&unknown), ["T1201", "T5801"]);
    assert_eq!(unknown.diagnostics.len(), 1001);
}

/// Returns a chain of types, each with a property of the previous type.
fn chain(count: usize, rest: &str) -> String {
    let types = lines(count, |index| format!("  t{}: {{ properties: {{ p: {{ type: t{index} }} }} }}", index + 1));
    format!("{HEAD}data_types:\n  t0: {{ properties: {{ p: {{ {rest} }} }} }}\n{types}")
}

#[test]
fn data_types_in_a_chain() {
    assert_eq!(codes(&parse(chain(1500, "type: string"))), Vec::<&str>::new());
    let outcome = parse(chain(1500, "type: t1500"));
    assert_eq!(codes(&outcome), ["T4107"]);
    assert_eq!(outcome.diagnostics.len(), 1, "types that need each other are one problem");
    assert_eq!(codes(&parse(chain(1500, "type: t1500, required: false"))), Vec::<&str>::new());
}

#[test]
fn inputs_that_the_service_does_not_have() {
    let unknown = |count: usize| {
        let entry = Entry::text(
            Address::parse("memory:/service.yaml").unwrap(),
            format!("{HEAD}service_template: {{ node_templates: {{}} }}\n"),
        );
        let outcome = Parser::builder(&TOSCA)
            .build()
            .unwrap()
            .parse_entry(entry.inputs("inputs", lines(count, |index| format!("i{index}: 1"))));
        outcome.diagnostics.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(unknown(20).last().unwrap(), "the service has no input `i19`");
    let most = unknown(25);
    assert_eq!(most.len(), 20);
    assert_eq!(most.last().unwrap(), "the service has no input `i19`, nor 5 others that are given");
}

#[test]
fn files_share_the_values_of_inputs() {
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let values = InputValues::new("config.yaml", values_text());
    let unit = |name: &str, values: &InputValues| {
        let text = format!(
            "{HEAD}service_template: {{ inputs: {{ i: {{ type: integer }} }}, node_templates: {{}} }}\n# {name}\n"
        );
        let entry = Entry::text(Address::parse(&format!("memory:/{name}.yaml")).unwrap(), text);
        let outcome = parser.parse_entry(entry.input_values(values.clone()));
        let problems = outcome.diagnostics.iter().map(|problem| (problem.rule.code, problem.span.start));
        let problems: Vec<_> = problems.collect();
        (outcome.program.list.iter().find(|unit| unit.is_data).unwrap().clone(), problems)
    };
    let (first, problems) = unit("one", &values.at([3]));
    assert_eq!(problems, [("T5211", 11)]);
    let (second, problems) = unit("two", &values.at([3, 21]));
    assert_eq!(problems, [("T5211", 11), ("T5101", 26), ("T5211", 29)]);
    assert!(Arc::ptr_eq(&first, &second));
    // Without offsets, the whole text is the map.
    let (third, problems) = unit("three", &values);
    assert_eq!(problems, [("T5211", 0), ("T5211", 18)]);
    let (fourth, _) = unit("four", &InputValues::new("config.yaml", values_text()));
    assert!(Arc::ptr_eq(&third, &fourth) && !Arc::ptr_eq(&first, &third));
}

fn values_text() -> &'static [u8] {
    b"a: { i: 1, j: 2 }\nb: { i: x, k: 3 }\n"
}

#[test]
fn units_of_a_scalar_type() {
    let with_units = |count: usize, derived: &str| {
        let units = lines(count, |index| format!("      u{index}: {}", index + 1));
        parse(format!(
            "{HEAD}data_types:\n  S:\n    derived_from: scalar\n    units:\n{units}\
             \x20 D: {{ derived_from: S{derived} }}\n\
             node_types: {{ N: {{ properties: {{ d: {{ type: D }} }} }} }}\nservice_template:\n  \
             node_templates: {{ n: {{ type: N, properties: {{ d: 1 u{} }} }} }}\n",
            count - 1
        ))
    };
    assert_eq!(codes(&with_units(999, "")), Vec::<&str>::new());
    let outcome = with_units(1001, ", units: { v: 2 }");
    assert_eq!(codes(&outcome), ["T4136"]);
    assert_eq!(outcome.diagnostics.len(), 1, "types and values that follow are not reported");
}

#[test]
fn defaults_that_double() {
    let types = lines(30, |index| {
        let property = format!("{{ type: t{index}, default: {{}} }}");
        format!("  t{}: {{ properties: {{ p: {property}, q: {property} }} }}", index + 1)
    });
    let nodes = lines(20, |index| format!("    n{index}: {{ type: N, properties: {{ q: {{}} }} }}"));
    let outcome = parse(format!(
        "{HEAD}data_types:\n  t0: {{ properties: {{ p: {{ type: string, default: x }} }} }}\n{types}\
         node_types: {{ N: {{ properties: {{ q: {{ type: t30, default: {{}} }} }} }} }}\nservice_template:\n  node_templates:\n{nodes}"
    ));
    assert_eq!(codes(&outcome), ["T4135"]);
    assert_eq!(outcome.diagnostics.len(), 1, "it is told where it begins");
    let model = serde_json::to_string(&Service::of(&outcome.program)).unwrap();
    assert!(model.len() < 5_000_000, "{}", model.len());
}

#[test]
fn values_with_a_few_defaults_are_complete() {
    let properties = lines(40, |index| format!("      p{index}: {{ type: integer, default: {index} }}"));
    let outcome = parse(format!(
        "{HEAD}data_types:\n  T:\n    properties:\n{properties}node_types: {{ N: {{ properties: {{ t: {{ type: T }} }} }} }}\n\
         service_template: {{ node_templates: {{ n: {{ type: N, properties: {{ t: {{}} }} }} }} }}\n"
    ));
    let model = serde_json::to_value(Service::of(&outcome.program)).unwrap();
    assert_eq!(model["nodes"]["n"]["properties"]["t"]["value"].as_object().unwrap().len(), 40, "{model:#}");
}

#[test]
fn long_strings_and_lists_count_as_several_defaults() {
    let parse_with = |default: &str| {
        let inputs = lines(500, |index| format!("    i{index}: {{ type: T, default: {{}} }}"));
        parse(format!(
            "{HEAD}data_types:\n  T: {{ properties: {{ p: {default} }} }}\nservice_template:\n  node_templates: {{}}\n  \
             inputs:\n{inputs}"
        ))
    };
    let of_string = |length: usize| format!("{{ type: string, default: {} }}", "x".repeat(length));
    let of_list =
        |items: usize| format!("{{ type: list, entry_schema: integer, default: [ {} ] }}", "1, ".repeat(items));
    for (default, is_complete) in
        [(of_string(20_000), true), (of_string(65_000), false), (of_list(300), true), (of_list(1_001), false)]
    {
        let outcome = parse_with(&default);
        assert_eq!(codes(&outcome), if is_complete { &[][..] } else { &["T4135"] });
        let model = serde_json::to_value(Service::of(&outcome.program)).unwrap();
        let filled = model["inputs"]["i499"]["value"].as_object().unwrap();
        assert_eq!(filled.contains_key("p"), is_complete, "{}", default.len());
    }
}

/// Returns a template with a list of values, each of which must be in the same list, in both notations.
fn valid_values(entry_type: &str, values: &[String]) -> [String; 2] {
    let listed = values.join(", ");
    let new = format!("validation: {{ $valid_values: [ $value, [ {listed} ] ] }}");
    conditional(entry_type, values, &new, &format!("constraints: [ valid_values: [ {listed} ] ]"))
}

/// Returns a template with a list of values, which have a condition, in both notations.
fn conditional(entry_type: &str, values: &[String], new: &str, old: &str) -> [String; 2] {
    let clause = |text: &str| format!("{{ type: {entry_type}, {text} }}");
    let node = format!("n: {{ type: N, properties: {{ p: [ {} ] }} }}", values.join(", "));
    let types = |parent: &str, schema: &str| {
        format!("node_types: {{ N: {{{parent} properties: {{ p: {{ type: list, entry_schema: {schema} }} }} }} }}")
    };
    let new = types("", &clause(new));
    let old = types(" derived_from: tosca.nodes.Root,", &clause(old));
    [
        format!("tosca_definitions_version: tosca_2_0\n{new}\nservice_template: {{ node_templates: {{ {node} }} }}\n"),
        format!(
            "tosca_definitions_version: tosca_simple_yaml_1_3\n{old}\ntopology_template: {{ node_templates: {{ {node} }} }}\n"
        ),
    ]
}

#[test]
fn values_that_are_compared_with_long_lists() {
    for (of_type, value) in [
        ("string", ["s", ""]),
        ("integer", ["", ""]),
        ("float", ["0.", "1"]),
        ("timestamp", ["2020-01-01T00:00:00.", "Z"]),
        ("scalar-unit.size", ["", " GB"]),
    ] {
        let [before, after] = value;
        let values: Vec<String> = (1000..2200).map(|number| format!("{before}{number}{after}")).collect();
        let [new, old] = valid_values(of_type, &values);
        if of_type != "scalar-unit.size" {
            assert_eq!(codes(&parse(new.clone())), [""; 0], "{of_type}");
            let wrong = new.replacen(&format!("[ {}, ", values[0]), "[ ", 1);
            assert_eq!(codes(&parse(wrong)), ["T5108"], "{of_type}");
        }
        assert_eq!(codes(&parse(old.clone())), [""; 0], "{of_type}");
        let wrong = old.replacen(&format!("[ {}, ", values[0]), "[ ", 1);
        assert_eq!(codes(&parse(wrong)), ["T5108"], "{of_type}");
    }
    // These values can't be hashed. Before 2.0, lists have no valid values.
    for (of_type, value, notations) in [("version", ["'1.", "'"], 2), ("list, entry_schema: string", ["[a", "]"], 1)] {
        let [before, after] = value;
        let values: Vec<String> = (1000..2200).map(|number| format!("{before}{number}{after}")).collect();
        for text in &valid_values(of_type, &values)[..notations] {
            assert_eq!(codes(&parse(text.clone())), [""; 0], "{of_type}");
            let wrong = text.replacen(&format!("[ {}, ", values[0]), "[ ", 1);
            assert_eq!(codes(&parse(wrong)), ["T5108"], "{of_type}");
        }
    }
}

#[test]
fn values_that_are_compared_with_large_conditions() {
    let values: Vec<String> = (0..1200).map(|number| number.to_string()).collect();
    let condition = |parts: usize| {
        let new = "{ $greater_or_equal: [ $value, 0 ] }, ".repeat(parts);
        (format!("validation: {{ $and: [ {new} ] }}"), "greater_or_equal: 0, ".repeat(parts))
    };
    let with = |parts: usize| {
        let (new, old) = condition(parts);
        conditional("integer", &values, &new, &format!("constraints: [ {old} ]"))
    };
    for text in with(1200) {
        assert_eq!(codes(&parse(text)), ["T5803"], "it is reported once");
    }
    for text in with(100) {
        assert_eq!(codes(&parse(text)), [""; 0]);
    }
    let nodes = |number: usize| {
        let nodes = lines(number, |index| format!("    n{index}: {{ type: N, properties: {{ p: {index} }} }}"));
        let (condition, _) = condition(400);
        parse(format!(
            "{HEAD}node_types: {{ N: {{ properties: {{ p: {{ type: integer, {condition} }} }} }} }}\n\
             service_template:\n  node_templates:\n{nodes}"
        ))
    };
    assert_eq!(codes(&nodes(200)), [""; 0]);
    let unchecked = |problem: &&Diagnostic| problem.rule.code == "T5803";
    assert_eq!(nodes(1100).diagnostics.iter().filter(unchecked).count(), 1, "it is reported once, at the type");
}

#[test]
fn nodes_that_inherit_very_much_of_their_type() {
    let (nodes, properties) = (600, 3_000);
    let properties = lines(properties, |index| format!("      p{index}: {{ type: string, required: false }}"));
    let nodes = lines(nodes, |index| format!("    n{index}: {{ type: N, properties: {{ p1: x }} }}"));
    let text =
        format!("{HEAD}node_types:\n  N:\n    properties:\n{properties}service_template:\n  node_templates:\n{nodes}");
    let mut limits = ModelLimits::default();
    limits.values *= 10;
    let parser = Parser::builder(&TOSCA).model_limits(limits).build().unwrap();
    assert!(parse_by(&parser, text.clone()).diagnostics.is_empty());
    let outcome = parse_by(&Parser::builder(&TOSCA).build().unwrap(), text);
    assert_eq!(codes(&outcome), ["T5802"]);
    let service = Service::of(&outcome.program).unwrap();
    let counts = ["n0", "n200", "n599"].map(|name| service.nodes[name].properties.len());
    assert_eq!(counts, [3_000, 3_000, 1]);
}

/// A file in which many templates inherit many members of a type, and a function that counts the members of one of
/// them in the model. Without shared structure, the model would take too long to create.
type MuchOfATypes = (&'static str, String, fn(&Service, usize) -> usize);

/// The number of templates, and of members of a type, in these files.
const MANY: usize = 400;

/// Parses with a limit on models that is a twentieth of the default.
fn parse_with_small_model(text: String) -> Outcome {
    let mut limits = ModelLimits::default();
    limits.values /= 20;
    let outcome = parse_by(&Parser::builder(&TOSCA).model_limits(limits).build().unwrap(), text);
    check(&outcome);
    outcome
}

/// Returns a file for each kind of entity that inherits members of a type.
fn much_of_types() -> Vec<MuchOfATypes> {
    let properties = lines(MANY, |index| format!("        p{index}: {{ type: string, default: x }},"));
    let service = |types: &str, templates: &str| {
        format!("{HEAD}{types}service_template:\n{templates}")
            .replace("PROPERTIES", &format!("{{\n{properties}        }}"))
    };
    let nodes = |node: &str| format!("  node_templates:\n{}", lines(MANY, |index| format!("    n{index}: {node}")));
    let links = "capability_types: { C: {} }\nrelationship_types: { R: { properties: PROPERTIES } }\nnode_types:\n  \
        S: { capabilities: { c: C } }\n  N: { requirements: [ r: { capability: C, relationship: R, RANGE } ] }\n";
    let (open, needed) = (links.replace("RANGE", ""), links.replace("RANGE", "count_range: [ 1, 1 ]"));
    let chain = lines(MANY, |index| match index {
        0 => "  T0: {}".to_owned(),
        _ => format!("  T{index}: {{ derived_from: T{} }}", index - 1),
    });
    let long = "x".repeat(100_000);
    let assigned = "{ r: { node: s, relationship: { type: R, properties: { p1: y } } } }, ".repeat(MANY);
    let each = |line: &str| lines(MANY, |index| line.replace('#', &index.to_string()));
    vec![
        (
            "capabilities",
            service(
                "capability_types: { C: { properties: PROPERTIES } }\nnode_types: { N: { capabilities: { c: C } } }\n",
                &nodes("{ type: N }"),
            ),
            |service, at| service.nodes[&*format!("n{at}")].capabilities.len(),
        ),
        (
            "operations",
            service(
                "interface_types: { I: { operations: { o: { inputs: PROPERTIES } } } }\nnode_types: { N: { interfaces: { i: { type: I } } } }\n",
                &nodes("{ type: N }"),
            ),
            |service, at| service.nodes[&*format!("n{at}")].interfaces.len(),
        ),
        (
            "artifacts that are assigned",
            service(
                "artifact_types: { F: { properties: PROPERTIES } }\nnode_types: { N: {} }\n",
                &nodes("{ type: N, artifacts: { a: { type: F, file: x } } }"),
            ),
            |service, at| service.nodes[&*format!("n{at}")].artifacts["a"].properties.len(),
        ),
        (
            "artifacts with a known extension",
            service(
                "artifact_types: { F: { file_ext: [ sh ], properties: PROPERTIES } }\nnode_types: { N: {} }\n",
                &nodes("{ type: N, artifacts: { a: { file: x.sh } } }"),
            ),
            |service, at| service.nodes[&*format!("n{at}")].artifacts["a"].properties.len(),
        ),
        (
            "artifacts of operations",
            service(
                "artifact_types: { F: { properties: PROPERTIES } }\ninterface_types: { I: { operations: { o: {} } } }\n\
                 node_types: { N: { interfaces: { i: { type: I } } } }\n",
                &nodes(
                    "{ type: N, interfaces: { i: { operations: { o: { implementation: { primary: { type: F, file: x } } } } } } }",
                ),
            ),
            |service, at| implemented(&service.nodes[&*format!("n{at}")]),
        ),
        (
            "artifacts that operations name",
            service(
                &format!(
                    "artifact_types: {{ F: {{ properties: {{ p: {{ type: string, default: x }} }} }} }}\nnode_types:\n  \
                     N:\n    artifacts: {{ a: {{ type: F, file: x }} }}\n    interfaces: {{ i: {{ type: I, operations: {{\n{}    }} }} }}\n\
                     interface_types: {{ I: {{ operations: {{\n{}}} }} }}\n",
                    each("        o#: { implementation: a },"),
                    each("        o#: {},")
                ),
                &nodes("{ type: N }"),
            ),
            |service, at| implemented(&service.nodes[&*format!("n{at}")]),
        ),
        (
            "relationships that are assigned",
            service(
                &open,
                &format!(
                    "{}    s: {{ type: S }}\n    m: {{ type: N, requirements: [ {assigned} ] }}\n",
                    nodes("{ type: N, requirements: [ r: s ] }")
                ),
            ),
            |service, at| service.nodes[&*format!("n{at}")].requirements[0].relationship.properties.len(),
        ),
        ("relationships that a type needs", service(&needed, &nodes("{ type: N }")), |service, at| {
            service.nodes[&*format!("n{at}")].requirements.len()
        }),
        (
            "relationship templates",
            service(
                &open,
                &format!(
                    "  node_templates: {{ s: {{ type: S }} }}\n  relationship_templates:\n{}",
                    each("    t#: { type: R }")
                ),
            ),
            |_, at| usize::from(at == 0),
        ),
        (
            "groups",
            service(
                "group_types: { G: { properties: PROPERTIES } }\n",
                &format!("  node_templates: {{}}\n  groups:\n{}", each("    g#: { type: G }")),
            ),
            |service, at| service.groups[&*format!("g{at}")].properties.len(),
        ),
        (
            "policies",
            service(
                "policy_types: { P: { properties: PROPERTIES } }\n",
                &format!("  node_templates: {{}}\n  policies:\n{}", each("  - p#: { type: P }")),
            ),
            |_, at| usize::from(at == 0),
        ),
        (
            "names of types",
            service(&format!("node_types:\n{chain}"), &nodes(&format!("{{ type: T{} }}", MANY - 1))),
            |service, at| service.nodes[&*format!("n{at}")].types.len() - 1,
        ),
        (
            "texts",
            service(
                &format!("node_types: {{ N: {{ properties: {{ p: {{ type: string, default: {long} }} }} }} }}\n"),
                &nodes("{ type: N }"),
            ),
            |service, at| service.nodes[&*format!("n{at}")].properties.len(),
        ),
    ]
}

/// Returns the number of properties of the artifacts that implement the operations of a node.
fn implemented(node: &Node) -> usize {
    let operations = node.interfaces.values().flat_map(|interface| interface.operations.values());
    let artifacts = operations.filter_map(|operation| operation.implementation.as_ref()?.primary.as_ref());
    artifacts.map(|artifact| artifact.properties.len()).sum()
}

#[test]
fn data_types_inherit_up_to_a_limit() {
    let types = lines(MANY, |index| match index {
        0 => format!(
            "  t0: {{ properties: {{\n{} }} }}",
            lines(MANY, |index| format!("      p{index}: {{ type: string }},"))
        ),
        _ => format!("  t{index}: {{ derived_from: t{} }}", index - 1),
    });
    let outcome = parse_with_small_model(format!(
        "{HEAD}data_types:\n{types}node_types: {{ N: {{ properties: {{ q: {{ type: t{}, required: false }} }} }} }}\n\
         service_template: {{ node_templates: {{ n: {{ type: N }} }} }}\n",
        MANY - 1
    ));
    assert_eq!(codes(&outcome), ["T5802"]);
    let service = Service::of(&outcome.program).unwrap();
    let last = service.data_types.last().unwrap();
    assert_eq!((last.types.len(), last.properties.len()), (1, 0), "there is no room for the last one");
}

#[test]
fn copies_are_as_large_as_what_they_copy() {
    let given = lines(MANY, |index| format!("        p{index}: y,"));
    let types = format!(
        "node_types: {{ N: {{ properties: {{\n{}        }} }} }}\n",
        given.replace(": y", ": { type: string }")
    );
    let copies = lines(MANY, |index| format!("    n{index}: {{ copy: o }}"));
    let original = format!("    o: {{ type: N, properties: {{\n{given}        }} }}\n");
    let text = format!("{HEAD}{types}service_template:\n  node_templates:\n{copies}{original}");
    let outcome = parse_with_small_model(text);
    assert_eq!(codes(&outcome), ["T5802"]);
}

#[test]
fn templates_inherit_from_their_types_up_to_a_limit() {
    for (what, text, members) in much_of_types() {
        let outcome = parse_with_small_model(text);
        assert_eq!(codes(&outcome), ["T5802"], "{what}: it is told once where it begins");
        if ["relationship templates", "policies"].contains(&what) {
            continue;
        }
        let service = Service::of(&outcome.program).unwrap();
        let (first, last) = (members(&service, 0), members(&service, MANY - 1));
        assert!(first > 0, "{what}: there is room for the first one");
        assert_eq!(last, 0, "{what}: there is no room for the last one");
    }
}

/// Returns nodes that all need each other.
fn dense(nodes: usize) -> String {
    let templates = lines(nodes, |index| {
        let needs: Vec<String> = (0..nodes).map(|other| format!("{{ r: n{other} }}")).collect();
        format!("    n{index}: {{ type: N, requirements: [ {} ] }}", needs.join(", "))
    });
    format!(
        "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\ngroup_types: {{ G: {{}} }}\n\
         node_types: {{ N: {{ capabilities: {{ c: C }}, requirements: [ r: {{ capability: C, relationship: R, count_range: [ 0, UNBOUNDED ] }} ] }} }}\n\
         service_template:\n  groups: {{ g: {{ type: G, members: [ n0, n1 ] }} }}\n  node_templates:\n{templates}"
    )
}

#[test]
fn diagrams_of_nodes_that_all_need_each_other() {
    let outcome = parse(dense(24));
    assert!(outcome.is_valid());
    let service = Service::of(&outcome.program).unwrap();
    let svg = Graph::of(&service, Options::default()).svg().unwrap();
    assert!(svg.matches("<path").count() >= 24 * 24, "every arrow is drawn");
    assert!(svg.contains("n23"));
}

#[test]
fn a_small_stack_is_enough() {
    const DEEP: usize = 450;
    let nested = format!("{}x{}", "{ $concat: [ a, ".repeat(DEEP / 2), " ] }".repeat(DEEP / 2));
    let text = format!(
        "{HEAD}node_types: {{ N: {{ properties: {{ q: {{ type: string, default: {nested} }} }} }} }}\n\
         service_template: {{ node_templates: {{ n: {{ type: N }} }} }}\n"
    );
    let wrapped = |open: &str, inner: &str, close: &str| {
        let count = DEEP / (open.matches('{').count() + open.matches('[').count());
        format!("{}{inner}{}", open.repeat(count), close.repeat(count))
    };
    let schema = wrapped("{ type: list, entry_schema: ", "string", " }");
    let of_schema = |version: &str| {
        format!("tosca_definitions_version: {version}\ndata_types: {{ D: {{ properties: {{ p: {schema} }} }} }}\n")
    };
    let of_condition = |condition: &str| {
        format!(
            "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates: {{ n: {{ type: tosca.nodes.Root }} }}\n  workflows: {{ w: {{ preconditions: [ {{ target: n, condition: [ {condition} ] }} ] }} }}\n"
        )
    };
    let state = "state: [ { equal: a } ]";
    let of_validation =
        |clause: &str| format!("{HEAD}data_types: {{ D: {{ derived_from: string, validation: {clause} }} }}\n");
    let texts = [
        text,
        of_schema("tosca_2_0"),
        of_schema("tosca_simple_yaml_1_3"),
        of_condition(&wrapped("{ not: [ ", state, " ] }")),
        of_condition(&wrapped("{ not: ", &format!("{{ {state} }}"), " }")),
        of_condition(&wrapped("{ and: [ ", state, " ] }")),
        of_validation(&wrapped("{ $not: [ ", "{ $equal: [ $value, a ] }", " ] }")),
    ];
    let limits = Limits { depth: 500, ..Limits::default() };
    let parser = Parser::builder(&TOSCA).limits(limits).build().unwrap();
    let parse = move || {
        for text in texts {
            let outcome = parse_by(&parser, text);
            assert!(outcome.is_valid(), "{:?}", outcome.diagnostics.first());
        }
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(parse).unwrap().join().unwrap();
}

#[test]
fn a_parser_drops_unused_data() {
    let parser = Parser::builder(&TOSCA).remembered_bytes(1 << 20).build().unwrap();
    for number in 0..200 {
        let address = parser.address(&format!("service_{number}.yaml")).unwrap();
        let text = format!(
            "{HEAD}node_types: {{ Type_{number}: {{}} }}\nservice_template: {{ node_templates: {{ a: {{ type: Type_{number} }} }} }}\n"
        );
        let outcome = parser.parse_entry(Entry::text(address, text));
        assert!(outcome.is_valid());
        // Each source counts as much more than the size of its text, so the limit does not suffice for all of them.
        let knows_first = outcome.program.interner.get("Type_0").is_some();
        assert!(if knows_first { number < 100 } else { number > 20 }, "{number}");
    }
}

#[test]
fn values_and_triggers_that_are_checked_for_every_template() {
    let (a_few, many) = (10, 150);
    let values = |count| {
        let calls = lines(count, |index| {
            format!(
                "      p{index}: {{ type: string, default: {{ $get_property: [ SELF, RELATIONSHIP, up, TARGET, x ] }} }}"
            )
        });
        let nodes = lines(count, |index| format!("    n{index}: {{ type: N, requirements: [ up: m ] }}"));
        format!(
            "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\nnode_types:\n  \
             M: {{ capabilities: {{ c: C }}, properties: {{ x: {{ type: string, default: a }} }} }}\n  N:\n    \
             requirements: [ up: {{ capability: C, relationship: R }} ]\n    properties:\n{calls}\
             service_template:\n  node_templates:\n    m: {{ type: M }}\n{nodes}"
        )
    };
    let triggers = |count| {
        let triggers = lines(count, |index| {
            format!("      t{index}: {{ event: e, condition: {{ $equal: [ 1, 1 ] }}, action: [ inline: w ] }}")
        });
        let policies = lines(count, |index| format!("    - p{index}: {{ type: P, targets: [ n ] }}"));
        format!(
            "{HEAD}node_types: {{ N: {{}} }}\npolicy_types:\n  P:\n    triggers:\n{triggers}service_template:\n  \
             node_templates: {{ n: {{ type: N }} }}\n  workflows: {{ w: {{ steps: {{}} }} }}\n  policies:\n{policies}"
        )
    };
    let clauses = |count| {
        let clauses = lines(count, |index| {
            let clause = "$less_or_equal: [ $value, { $get_property: [ SELF, most ] } ]";
            format!("      p{index}: {{ type: integer, default: 1, validation: {{ {clause} }} }}")
        });
        let nodes = lines(count, |index| format!("    n{index}: {{ type: N }}"));
        format!(
            "{HEAD}node_types:\n  N:\n    properties:\n      most: {{ type: integer, default: 1 }}\n{clauses}\
             service_template:\n  node_templates:\n{nodes}"
        )
    };
    for text in [&values as &dyn Fn(usize) -> String, &triggers, &clauses] {
        assert_eq!(codes(&parse(text(a_few))), [""; 0]);
        let outcome = parse(text(many));
        assert_eq!(codes(&outcome), ["T5803"], "it is reported once");
    }
    let of_loops = parse(values(400)).diagnostics.into_iter().filter(|problem| problem.message.contains("loops"));
    assert_eq!(of_loops.count(), 1, "the search for loops has an end");
}

/// A default is a different value in each template, so all its calls are followed again.
#[test]
fn values_with_many_calls_are_searched_for_loops_up_to_a_limit() {
    let text = |calls: usize, nodes: usize| {
        let calls = "{ $get_property: [ SELF, q ] }, ".repeat(calls);
        let nodes = lines(nodes, |index| format!("    n{index}: {{ type: N }}"));
        format!(
            "{HEAD}node_types:\n  N:\n    properties:\n      q: {{ type: string, default: a }}\n      \
             p: {{ type: list, entry_schema: string, default: [ {calls} ] }}\n\
             service_template:\n  node_templates:\n{nodes}"
        )
    };
    let of_loops = |outcome: Outcome| {
        outcome.diagnostics.iter().filter(|problem| problem.message.contains("not checked for loops")).count()
    };
    assert_eq!(of_loops(parse(text(100, 300))), 0);
    assert_eq!(of_loops(parse(text(1_000, 300))), 1);

    let calls = "{ $get_property: [ SELF, q ] }, ".repeat(1_000);
    let of_type = |templates: &str| {
        format!(
            "{HEAD}relationship_types:\n  R:\n    properties:\n      q: {{ type: string, default: a }}\n      \
             p: {{ type: list, entry_schema: string, default: [ {calls} ] }}\ncapability_types: {{ C: {{}} }}\n\
             node_types:\n  S: {{ capabilities: {{ c: C }} }}\n  \
             N: {{ requirements: [ r: {{ capability: C, relationship: R, count_range: [ 0, UNBOUNDED ] }} ] }}\n\
             service_template:\n  {templates}"
        )
    };
    let templates = lines(300, |index| format!("    t{index}: {{ type: R }}"));
    let templates = format!("node_templates: {{ s: {{ type: S }} }}\n  relationship_templates:\n{templates}");
    assert_eq!(of_loops(parse(of_type(&templates))), 1, "relationship templates");
    let assigned = "{ r: { node: s, relationship: { type: R, properties: { q: b } } } }, ".repeat(300);
    let nodes = format!("node_templates: {{ s: {{ type: S }}, n: {{ type: N, requirements: [ {assigned} ] }} }}\n");
    assert_eq!(of_loops(parse(of_type(&nodes))), 1, "relationships of one node");
}

/// Beyond the limit, templates are checked for what they assign.
#[test]
fn types_of_templates_have_a_limit_on_their_members() {
    let text = |types: usize| {
        let properties = lines(2_000, |index| format!("      p{index}: {{ type: integer, required: false }}"));
        let derived = lines(types, |index| format!("  T{index}: {{ derived_from: T }}"));
        let nodes = lines(types, |index| format!("    n{index}: {{ type: T{index}, properties: {{ r: 1 }} }}"));
        format!(
            "{HEAD}node_types:\n  T:\n    properties:\n      r: {{ type: integer }}\n{properties}{derived}\
             service_template:\n  node_templates:\n{nodes}    \
             first: {{ type: T0 }}\n    last: {{ type: T{}, properties: {{ p7: a, z: 1 }} }}\n",
            types - 1
        )
    };
    let problems = |types| {
        let problems = parse(text(types)).diagnostics;
        let message = |problem: &Diagnostic| format!("{}: {}", problem.rule.code, problem.message);
        problems.iter().map(message).collect::<Vec<_>>()
    };
    let (first, wrong) = (
        "T5106: node template `first` needs a value for property `r`",
        "T5101: property `p7` must be an integer, not a string",
    );
    let missing = "T5106: node template `last` needs a value for property `r`";
    assert_eq!(problems(100), [first, missing, wrong, "T5001: node type `T99` has no property `z`"]);
    let limit = "T5803: node type `T153` and later types are checked only for what their templates assign";
    assert_eq!(problems(250), [limit, first, wrong, "T5001: node type `T249` has no property `z`"]);
}

/// Paths in defaults of imported types are followed for each template only if there are few templates.
#[test]
fn paths_of_imported_types_are_not_followed_for_many_templates() {
    let types = format!(
        "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\nnode_types:\n  \
         T: {{ capabilities: {{ c: C }} }}\n  S:\n    properties:\n      \
         p: {{ type: string, default: {{ $get_property: [ SELF, RELATIONSHIP, r, TARGET, q ] }} }}\n    \
         requirements: [ r: {{ capability: C, relationship: R }} ]\n"
    );
    let memory = MemoryProvider::new();
    memory.insert(Address::parse("memory:/types.yaml").unwrap(), types);
    let parser = Parser::builder(&TOSCA).provider(Arc::new(memory)).build().unwrap();
    let problems = |count| {
        let nodes = lines(count, |index| format!("    n{index}: {{ type: S, requirements: [ r: t ] }}"));
        let text = format!(
            "{HEAD}imports: [ 'memory:/types.yaml' ]\nservice_template:\n  node_templates:\n    t: {{ type: T }}\n{nodes}"
        );
        parse_by(&parser, text).diagnostics.iter().filter(|problem| problem.rule.code == "T5213").count()
    };
    assert_eq!((problems(10), problems(1_000)), (10, 0));
}

/// Of two clauses on one value, the first is too much work, but doesn't hide the second.
#[test]
fn a_clause_that_is_too_much_work_hides_no_other() {
    let text = |count: usize| {
        format!(
            "{HEAD}data_types:\n  D: {{ derived_from: integer, validation: {{ $greater_than: [ $value, 5 ] }} }}\n\
             node_types:\n  N:\n    properties:\n      \
             text: {{ type: string }}\n      p:\n        type: D\n        validation:\n          \
             $less_than: [ $value, {{ $length: [ {{ $get_property: [ SELF, text ] }} ] }} ]\n\
             service_template:\n  node_templates:\n    n: {{ type: N, properties: {{ p: 1, text: {} }} }}\n",
            "a".repeat(count)
        )
    };
    assert_eq!(codes(&parse(text(10))), ["T5108"]);
    let outcome = parse(text(12_000));
    assert_eq!(codes(&outcome), ["T5108", "T5803"]);
    let unmet = outcome.diagnostics.iter().find(|problem| problem.rule.code == "T5108");
    assert!(unmet.is_some_and(|problem| problem.message.ends_with("does not fulfill a validation clause")));
}
