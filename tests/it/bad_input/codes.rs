//! Every rule of the first phase, with a text that breaks it in one place: checks the code and the displayed position.
//!
//! The examples in the explanations of the rules are tested elsewhere. The cases here are different, and have
//! positions.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{HEAD, parse, parse_files};
use tosca_parse::Outcome;
use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::rules::ALL;

/// A rule, a text, and the line and column of the problem.
type Case = (&'static str, &'static str, u32, u32);

/// Cases with a single text; the first line of a file is added if the text starts with a line break.
const CASES: &[Case] = &[
    ("T1601", "\nnode_types: {} # tosca-parse: ignore[T2001]", 2, 38),
    ("T1602", "\nnode_types: {} # tosca-parse: ignroe[T2001]", 2, 16),
    ("T1002", "\nimports: [ 'gopher://example.com/a.yaml' ]", 2, 12),
    ("T1005", "# nothing\n", 1, 1),
    ("T1101", "\ndsl_definitions: { a: [ 1, 2", 2, 23),
    ("T1101", "\nmetadata:\n\ta: b", 3, 1),
    ("T1102", "\nnode_types: { A: {}, B: {}, A: {} }", 2, 29),
    ("T1103", "\nmetadata: { a: &x 1, b: *y }", 2, 25),
    ("T1104", "\nmetadata: { a: &x [ *x ] }", 2, 21),
    ("T1105", "\n---\n---\n", 2, 1),
    ("T1106", "\nmetadata: { a: !!binary aGFoYQ== }", 2, 16),
    ("T1109", "\nmetadata: { <<: 1 }", 2, 17),
    ("T1201", "\nnode_types: { A: { derivedfrom: B }, B: {} }", 2, 20),
    ("T1201", "\nservice_template: { node_templates: {}, node_template: {} }", 2, 41),
    ("T1202", "\nnode_types: { A: {} }\ntopology_template: { node_templates: {} }", 3, 1),
    ("T1203", "\nnode_types: { A: { attributes: { a: { type: string, status: supported } } } }", 2, 53),
    ("T1204", "\nservice_template: { description: nothing else }", 2, 1),
    ("T1205", "\nnode_types: { A: { properties: [ a ] } }", 2, 32),
    ("T1205", "[ a ]", 1, 1),
    ("T1206", "\nnode_types: { A: { derived_from: } }", 2, 20),
    ("T1206", "\nrepositories:", 2, 1),
    ("T1207", "\nnode_types: { 1.5: {} }", 2, 15),
    ("T1207", "\nnode_types: { '': {} }", 2, 15),
    ("T1208", "\nservice_template: { node_templates: {}, policies: [ {} ] }", 2, 53),
    (
        "T1209",
        "\nservice_template: { node_templates: {}, policies: [ { a: { type: P } }, { a: { type: P } } ] }\npolicy_types: { P: {} }",
        2,
        75,
    ),
    ("T1210", "\nnode_types: { A: { properties: { a: { type: string, required: TRUE } } } }", 2, 63),
    (
        "T1211",
        "tosca_definitions_version: tosca_simple_yaml_1_3\nnode_types: { A: { derived_from: Root, artifacts: { a: { type: File, file: f, version: '1', artifact_version: '2' } } } }",
        2,
        93,
    ),
    (
        "T1212",
        "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template: { policies: { a: { type: tosca.policies.Scaling } } }",
        2,
        32,
    ),
    ("T1301", "node_types: {}", 1, 1),
    ("T1302", "tosca_definitions_version: tosca_3_0", 1, 28),
    ("T1303", "metadata: {}\ntosca_definitions_version: tosca_2_0", 2, 1),
    ("T1304", "\nprofile: a\nservice_template: { node_templates: {} }", 2, 1),
    ("T1305", "\ndsl_definitions: { a: text }", 2, 20),
    ("T1306", "\nimports: [ { namespace: a } ]", 2, 12),
    (
        "T1307",
        "\nservice_template: { node_templates: {}, workflows: { a: { steps: {}, implementation: a.sh } } }",
        2,
        70,
    ),
    (
        "T1308",
        "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  substitution_mappings:\n    \
         node_type: tosca.nodes.Compute\n    capabilities: { os: { mapping: [ a, os ], properties: {} } }\n  \
         node_templates: { a: { type: tosca.nodes.Compute } }",
        5,
        27,
    ),
    ("T1310", "\nnode_types: { A: { version: one } }", 2, 29),
    ("T1311", "\nnode_types: { A: { version: 2.1 } }", 2, 29),
    (
        "T1312",
        "\nnode_types: { A: { requirements: [ { a: { capability: C, relationship: R, count_range: [ -1, 2 ] } } ] } }\ncapability_types: { C: {} }\nrelationship_types: { R: {} }",
        2,
        90,
    ),
    (
        "T1313",
        "\nservice_template: { node_templates: { a: { type: A, directives: [ make ] } } }\nnode_types: { A: {} }",
        2,
        67,
    ),
    (
        "T1314",
        "\nservice_template: { node_templates: { a: { type: A, directives: [ substitutable ] } } }\nnode_types: { A: {} }",
        2,
        67,
    ),
    ("T1315", "\nrepositories: { a: 'http://[1' }", 2, 20),
    ("T1316", "tosca_definitions_version: tosca_simple_yaml_1_3\nmetadata: { a: b, a: c }", 2, 19),
    ("T1317", "tosca_definitions_version: tosca_simple_yaml_1_3\nnode_types: { A: {} }", 2, 15),
    ("T1401", "\nimports: [ '' ]", 2, 12),
    ("T1402", "\nimports: [ { profile: org.example } ]", 2, 23),
];

/// Rules that need more than one text, or a generated one; they are covered by the tests below, or by other files.
const MADE: &[&str] = &["T1001", "T1003", "T1004", "T1107", "T1108", "T1403", "T1405", "T1406", "T1407"];

/// The tests of problems with archives.
const ARCHIVES: &[&str] = &[include_str!("../archives/hostile.rs"), include_str!("../archives/meta.rs")];

/// Returns the problems of an outcome, with their lines and columns.
fn places(outcome: &Outcome) -> Vec<(&'static str, u32, u32)> {
    let place = |problem: &Diagnostic| {
        let source = outcome.sources.get(problem.span.source).unwrap();
        let place = source.line_column(problem.span.start);
        (problem.rule.code, place.line, place.column)
    };
    outcome.diagnostics.iter().map(place).collect()
}

fn whole(text: &str) -> String {
    match text.strip_prefix('\n') {
        Some(rest) => format!("{HEAD}{rest}"),
        None => text.to_owned(),
    }
}

#[test]
fn rules_that_one_text_can_break() {
    let mut failures = String::new();
    for (code, text, line, column) in CASES {
        let found = places(&parse(whole(text)));
        if found != [(*code, *line, *column)] {
            writeln!(failures, "{code} at {line}:{column}, but found {found:?}: {text:?}").unwrap();
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn limits() {
    assert_eq!(
        places(&parse(format!("{HEAD}metadata: {{ a: {}{} }}", "[".repeat(300), "]".repeat(300)))),
        [("T1107", 2, 214)]
    );
    let levels = (1..9).fold("  l0: &l0 [ a ]\n".to_owned(), |text, level| {
        let aliases = vec![format!("*l{}", level - 1); 10].join(", ");
        text + &format!("  l{level}: &l{level} [ {aliases} ]\n")
    });
    assert_eq!(places(&parse(format!("{HEAD}dsl_definitions:\n{levels}"))), [("T1108", 9, 13)]);
}

#[test]
fn a_file_that_is_not_there() {
    let outcome = parse_files(&[("service.yaml", &format!("{HEAD}imports: [ service.yml, missing/types.yaml ]\n"))]);
    assert_eq!(places(&outcome), [("T1001", 2, 12), ("T1001", 2, 25)]);
}

#[test]
fn loops_of_imports() {
    let file =
        |version: &str, imported: &str| format!("tosca_definitions_version: {version}\nimports: [ {imported} ]\n");
    for version in ["tosca_simple_yaml_1_0", "tosca_simple_yaml_1_3", "tosca_2_0"] {
        let (service, types) = (file(version, "types.yaml"), file(version, "service.yaml"));
        let outcome = parse_files(&[("service.yaml", &service), ("types.yaml", &types)]);
        assert_eq!(places(&outcome), [("T1403", 2, 12)]);
        assert_eq!(outcome.sources.get(outcome.diagnostics[0].span.source).unwrap().name(), "types.yaml");
    }
}

#[test]
fn every_rule_of_the_first_phase_is_here() {
    let all: BTreeSet<&str> =
        ALL.iter().map(|explained| explained.rule.code).filter(|code| code.starts_with("T1")).collect();
    let of_archives: BTreeSet<&str> = all.iter().copied().filter(|code| code.starts_with("T15")).collect();
    let here: BTreeSet<&str> = CASES.iter().map(|(code, ..)| *code).chain(MADE.iter().copied()).collect();
    assert_eq!(all.difference(&of_archives).copied().collect::<BTreeSet<_>>(), here);
    for code in of_archives {
        assert!(ARCHIVES.iter().any(|text| text.contains(code)), "no test of archives has {code}");
    }
}
