//! The twelve most common mistakes of authors. Each is reported with a code, the position, the source line, and help
//! that names the fix.
//!
//! Each case is a realistic template with a single mistake. A snapshot contains the complete output; the test also
//! checks the essential parts.

mod syntax;
mod typical;

use insta::assert_snapshot;
use tosca_parse::diagnostic::Severity;
use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::{Parser, TOSCA};

/// A file of a template: its name and its text.
type File = (&'static str, &'static str);

/// The expected problem of a template.
struct Expected {
    /// The code of the rule.
    code: &'static str,
    /// The position: file, line and column.
    place: (&'static str, u32, u32),
    /// A part of the displayed source line.
    line: &'static str,
    /// A part of the help: the fix.
    help: &'static str,
}

/// Parses a template from files in a folder, and checks that the mistake is the only problem.
fn check(name: &str, files: &[File], expected: &Expected) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let parser = Parser::builder(&TOSCA).directory(folder.path()).build().unwrap();
    let outcome = parser.parse("service.yaml").unwrap();
    let shown = Terminal::new(&outcome.diagnostics, &outcome.sources).to_string();

    let [problem] = &outcome.diagnostics[..] else { panic!("{name}: not exactly one problem:\n{shown}") };
    // A loop of imports is harmless.
    let severity = if expected.code == "T1403" { Severity::Warning } else { Severity::Error };
    assert_eq!((problem.rule.code, problem.severity), (expected.code, severity), "{name}");
    assert_eq!(outcome.is_valid(), severity == Severity::Warning);
    let source = outcome.sources.get(problem.span.source).unwrap();
    let position = source.line_column(problem.span.start);
    assert_eq!((source.name(), position.line, position.column), expected.place, "{name}");
    assert!(problem.help.iter().any(|help| help.contains(expected.help)), "{name}: {:?}", problem.help);
    assert!(shown.contains(expected.line), "{name}: the source line is not shown:\n{shown}");
    assert_snapshot!(name, shown);
}

/// The types of a web shop; every mistake is a variation of it.
const TYPES: &str = r"tosca_definitions_version: tosca_2_0

capability_types:
  Endpoint:
    properties:
      protocol: { type: string, default: https }
  Hosting: {}

relationship_types:
  ConnectsTo:
    valid_capability_types: [ Endpoint ]
  HostedOn:
    valid_capability_types: [ Hosting ]

node_types:
  Server:
    properties:
      cpus:
        type: integer
        validation: { $greater_or_equal: [ $value, 1 ] }
      image: { type: string, default: debian-12 }
    capabilities:
      host: Hosting
  Database:
    properties:
      engine: { type: string }
    capabilities:
      sql: Endpoint
    requirements:
      - host: { capability: Hosting, node: Server, relationship: HostedOn, count_range: [ 1, 1 ] }
  Website:
    properties:
      domain: { type: string }
    requirements:
      - data: { capability: Endpoint, node: Database, relationship: ConnectsTo, count_range: [ 1, 2 ] }
";

/// Returns the service itself, with one line replaced by another.
fn service(line: &str, by: &str) -> String {
    const SERVICE: &str = r"tosca_definitions_version: tosca_2_0
description: a shop on the web
imports:
  - types.yaml

service_template:
  inputs:
    domain: { type: string, default: shop.example.com }
  node_templates:
    machine:
      type: Server
      properties:
        cpus: 4
    orders:
      type: Database
      properties:
        engine: postgresql
      requirements:
        - host: machine
    shop:
      type: Website
      properties:
        domain: { $get_input: domain }
      requirements:
        - data: orders
";
    assert_eq!(SERVICE.matches(line).count(), 1, "`{line}` must be there once");
    SERVICE.replace(line, by)
}

/// Checks the service with one line replaced.
fn check_line(name: &str, line: &str, by: &str, expected: &Expected) {
    let service: &'static str = service(line, by).leak();
    check(name, &[("service.yaml", service), ("types.yaml", TYPES)], expected);
}

#[test]
fn without_a_mistake_nothing_is_found() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("types.yaml"), TYPES).unwrap();
    std::fs::write(folder.path().join("service.yaml"), service("a shop", "a shop")).unwrap();
    let outcome = Parser::builder(&TOSCA).directory(folder.path()).build().unwrap().parse("service.yaml").unwrap();
    assert_eq!(outcome.diagnostics, []);
}

#[test]
fn unknown_type() {
    let expected = Expected {
        code: "T2001",
        place: ("service.yaml", 15, 13),
        line: "15 |       type: DataBase",
        help: "did you mean `Database`?",
    };
    check_line("unknown_type", "      type: Database", "      type: DataBase", &expected);
}

#[test]
fn misspelt_keyname() {
    let expected = Expected {
        code: "T1201",
        place: ("service.yaml", 18, 7),
        line: "18 |       requirments:",
        help: "did you mean `requirements`?",
    };
    let (line, by) = ("      requirements:\n        - host", "      requirments:\n        - host");
    check_line("misspelt_keyname", line, by, &expected);
}

#[test]
fn missing_property() {
    let expected = Expected {
        code: "T5106",
        place: ("service.yaml", 14, 5),
        line: "14 |     orders:",
        help: "add `engine: …` under `properties`",
    };
    check_line("missing_property", "      properties:\n        engine: postgresql\n", "", &expected);
}

#[test]
fn wrong_type() {
    let expected = Expected {
        code: "T5101",
        place: ("service.yaml", 13, 15),
        line: "13 |         cpus: \"4\"",
        help: "leave the quotes out",
    };
    check_line("wrong_type", "cpus: 4", "cpus: \"4\"", &expected);
}

#[test]
fn violated_constraint() {
    let expected = Expected {
        code: "T5108",
        place: ("service.yaml", 13, 15),
        line: "13 |         cpus: 0",
        help: "`$greater_or_equal: [ 0, 1 ]` is not true",
    };
    check_line("violated_constraint", "cpus: 4", "cpus: 0", &expected);
}

#[test]
fn unknown_capability() {
    let expected = Expected {
        code: "T5001",
        place: ("service.yaml", 15, 9),
        line: "15 |         hosting:",
        help: "it has `host`",
    };
    let by = "cpus: 4\n      capabilities:\n        hosting: {}";
    check_line("unknown_capability", "cpus: 4", by, &expected);
}

#[test]
fn undefined_input() {
    let expected = Expected {
        code: "T5211",
        place: ("service.yaml", 23, 31),
        line: "23 |         domain: { $get_input: domian }",
        help: "did you mean `domain`?",
    };
    check_line("undefined_input", "$get_input: domain", "$get_input: domian", &expected);
}

#[test]
fn circular_derivation() {
    let expected = Expected {
        code: "T3001",
        place: ("types.yaml", 25, 19),
        line: "25 |     derived_from: SqlDatabase",
        help: "derive one of these types from a different type, or from none",
    };
    let by = "  Database:\n    derived_from: SqlDatabase\n";
    let (line, more) =
        ("  Database:\n", "  SqlDatabase:\n    derived_from: RelationalDatabase\n  RelationalDatabase:\n");
    let types = TYPES.replace(line, by) + more + "    derived_from: Database\n";
    // The templates of these types are not reported, because the members of the types are not known.
    let files = [("service.yaml", &*service("a shop", "a shop").leak()), ("types.yaml", types.leak())];
    check("circular_derivation", &files, &expected);
}

#[test]
fn circular_import() {
    let expected = Expected {
        code: "T1403",
        place: ("types.yaml", 3, 5),
        line: "3 |   - service.yaml",
        help: "move the shared declarations to a file that all of them import",
    };
    let files = [
        ("service.yaml", "tosca_definitions_version: tosca_simple_yaml_1_3\nimports:\n  - types.yaml\n"),
        ("types.yaml", "tosca_definitions_version: tosca_simple_yaml_1_3\nimports:\n  - service.yaml\n"),
    ];
    check("circular_import", &files, &expected);
}

#[test]
fn duplicate_key() {
    let expected =
        Expected { code: "T1102", place: ("service.yaml", 14, 9), line: "14 |         cpus: 8", help: "remove" };
    check_line("duplicate_key", "cpus: 4", "cpus: 4\n        cpus: 8", &expected);
}

#[test]
fn bad_version() {
    let expected = Expected {
        code: "T1302",
        place: ("service.yaml", 1, 28),
        line: "1 | tosca_definitions_version: tosca_2.0",
        help: "did you mean `tosca_2_0`?",
    };
    check_line("bad_version", "tosca_2_0", "tosca_2.0", &expected);
}

#[test]
fn missing_target() {
    let expected = Expected {
        code: "T2001",
        place: ("service.yaml", 25, 17),
        line: "25 |         - data: order",
        help: "did you mean `orders`?",
    };
    check_line("missing_target", "- data: orders", "- data: order", &expected);
}
