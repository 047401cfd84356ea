//! Quirks: each lets pass what is an error without it, and what it lets pass names it.

#![allow(clippy::unwrap_used)]
#![allow(clippy::print_stderr)] // A test that is skipped has to say so.

use std::path::Path;

use tosca_parse::entity::{QUIRK_SETS, QUIRKS, Quirk};
use tosca_parse::{Outcome, Parser, ParserBuilder};

/// A quirk, and the files that need it; the first one is validated.
const CASES: &[(&str, &[(&str, &str)])] = &[
    (
        "numbers-as-strings",
        &[(
            "service.yaml",
            "tosca_definitions_version: tosca_simple_yaml_1_2
node_types:
  Function:
    derived_from: tosca.nodes.Root
    properties:
      release: { type: string, constraints: [ valid_values: [ '1.0' ] ] }
topology_template:
  node_templates:
    function: { type: Function, properties: { release: 1.0 } }
",
        )],
    ),
    (
        "lists-as-maps",
        &[(
            "service.yaml",
            "tosca_definitions_version: tosca_simple_yaml_1_2
topology_template:
  node_templates:
    server:
      type: tosca.nodes.Compute
      interfaces:
        Standard:
          start: []
      properties: {}
    store:
      type: tosca.nodes.Compute
      capabilities:
        - scalable: { properties: { min_instances: 1, max_instances: 2 } }
",
        )],
    ),
    (
        "null-sections",
        &[(
            "service.yaml",
            "tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs:
  node_templates: {}
  outputs:
",
        )],
    ),
    (
        "vendor-sections",
        &[(
            "service.yaml",
            "tosca_definitions_version: tosca_simple_yaml_1_1
annotation_types: { Owner: { properties: {} } }
topology_template: {}
",
        )],
    ),
    (
        "shared-names",
        &[
            (
                "service.yaml",
                "tosca_definitions_version: tosca_simple_yaml_1_2
imports: [ common.yaml, network.yaml ]
topology_template:
  node_templates:
    link: { type: Link, properties: { rate: { up: 1, down: 2 } } }
",
            ),
            (
                "common.yaml",
                "tosca_definitions_version: tosca_simple_yaml_1_2
data_types:
  Rate:
    derived_from: tosca.datatypes.Root
    properties: { up: { type: integer }, down: { type: integer } }
",
            ),
            (
                "network.yaml",
                "tosca_definitions_version: tosca_simple_yaml_1_2
node_types:
  Link:
    derived_from: tosca.nodes.Root
    properties: { rate: { type: Rate } }
",
            ),
        ],
    ),
    (
        "free-mappings",
        &[(
            "service.yaml",
            "tosca_definitions_version: tosca_simple_yaml_1_2
node_types:
  Function: { derived_from: tosca.nodes.Root }
topology_template:
  substitution_mappings:
    node_type: Function
    requirements:
      external_link: [ server, local_storage ]
  node_templates:
    server: { type: tosca.nodes.Compute }
",
        )],
    ),
    (
        "imported-services",
        &[
            (
                "service.yaml",
                "tosca_definitions_version: tosca_simple_yaml_1_2
imports: [ network.yaml ]
topology_template:
  node_templates:
    function: { type: Function }
",
            ),
            (
                "network.yaml",
                "tosca_definitions_version: tosca_simple_yaml_1_2
node_types:
  Function: { derived_from: tosca.nodes.Root }
topology_template:
  node_templates:
    network: { type: Network }
    link: { type: Function, propertys: {} }
",
            ),
        ],
    ),
];

fn parse(files: &[(&str, &str)], quirks: &[Quirk]) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let builder = Parser::builder().directory(folder.path()).threads(1);
    let parser = quirks.iter().fold(builder, |builder, quirk| builder.quirk(*quirk)).build().unwrap();
    parser.parse(files[0].0).unwrap()
}

fn messages(outcome: &Outcome) -> Vec<String> {
    outcome.diagnostics.iter().map(|problem| format!("{}: {}", problem.rule.name, problem.message)).collect()
}

#[test]
fn every_quirk_has_a_case() {
    for known in QUIRKS {
        assert!(CASES.iter().any(|(name, _)| *name == known.name), "no case for {}", known.name);
    }
}

#[test]
fn quirks_let_pass_what_is_wrong_without_them() {
    for (name, files) in CASES {
        let quirks = Quirk::find(name).unwrap();
        let outcome = parse(files, &[]);
        assert!(!outcome.is_valid(), "{name}: valid without the quirk");
        let outcome = parse(files, &quirks);
        assert_eq!(messages(&outcome), [""; 0], "{name}: not valid with the quirk");
    }
}

#[test]
fn problems_name_the_quirk_that_lets_them_pass() {
    for (name, files) in CASES {
        let named = format!("the quirk `{name}` lets this pass");
        for problem in parse(files, &[]).diagnostics {
            assert!(problem.help.contains(&named), "{name}: {}: {:?}", problem.message, problem.help);
        }
    }
}

#[test]
fn other_quirks_do_not_help() {
    for (name, files) in CASES {
        let others: Vec<Quirk> = QUIRKS.iter().filter(|known| known.name != *name).map(|known| known.quirk).collect();
        assert!(!parse(files, &others).is_valid(), "{name}: another quirk lets it pass");
    }
}

#[test]
fn sets_are_their_quirks() {
    for (set, quirks) in QUIRK_SETS {
        assert_eq!(Quirk::find(set).as_deref(), Some(*quirks), "{set}");
        for (name, files) in CASES {
            let is_in = quirks.iter().any(|quirk| quirk.name() == *name);
            assert_eq!(parse(files, quirks).is_valid(), is_in, "{set}: {name}");
        }
    }
}

/// Real descriptors of network functions. What is wrong in the others is wrong by the standard too: their version is
/// not the first keyname, a value breaks a constraint of the type that they import, and so on.
#[test]
fn descriptors_of_network_functions_are_accepted() {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("SKIPPED: TOSCA_PARSE_SHARED does not say where the conformance files are");
        return;
    };
    let folder = Path::new(&shared).join("conformance/simple-1.x/tacker");
    let builder = Parser::builder().directory(&folder).offline(true);
    let parser = Quirk::find("etsinfv").unwrap().into_iter().fold(builder, ParserBuilder::quirk);
    let parser = parser.build().unwrap();
    let (mut complete, mut valid) = (0, 0);
    for file in walkdir::WalkDir::new(&folder).sort_by_file_name().into_iter().map(Result::unwrap) {
        if file.path().extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let text = std::fs::read_to_string(file.path()).unwrap();
        if !text.lines().any(|line| line.starts_with("tosca_definitions_version:")) {
            continue;
        }
        let outcome = parser.parse(file.path().to_str().unwrap()).unwrap();
        // Most packages lack the types that they import.
        if outcome.diagnostics.iter().any(|problem| matches!(problem.rule.code, "T1001" | "T1002")) {
            continue;
        }
        complete += 1;
        valid += usize::from(outcome.is_valid());
    }
    eprintln!("{valid} of {complete} files whose imports are there are valid");
    assert!(complete >= 90 && valid >= 64, "{valid} of {complete}");
}
