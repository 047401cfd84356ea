//! Regression tests that need more than one file or a quirk. The others are in `tests/chapters/18-findings` and
//! `tests/simple/06-findings`.

use tosca_parse::{Entry, Outcome, Parser, ParserBuilder, TOSCA};

use crate::support::check;

/// Files by name, and the codes of the problems of the first one.
type FileCase = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

/// Cases of files that import each other; the first one is the entry.
const FILES: &[FileCase] = &[
    (
        "a loop of imports is a warning in all versions",
        &[
            (
                "one.yaml",
                r"tosca_definitions_version: tosca_simple_yaml_1_2
imports: [ two.yaml ]
node_types: { One: { derived_from: Two } }
",
            ),
            (
                "two.yaml",
                r"tosca_definitions_version: tosca_simple_yaml_1_2
imports: [ one.yaml ]
node_types: { Two: { derived_from: tosca.nodes.Root } }
",
            ),
        ],
        &["T1403"],
    ),
    (
        "a file without a version is read as its importer",
        &[
            (
                "one.yaml",
                r"tosca_definitions_version: tosca_simple_yaml_1_2
imports: [ two.yaml ]
",
            ),
            (
                "two.yaml",
                r"node_types:
  Pump: { derived_from: tosca.nodes.Root, properties: { rate: { type: integer, constraints: [ less_than: 9 ] } } }
",
            ),
        ],
        &["T1301"],
    ),
    (
        "copies of a file are one, whatever their comments",
        &[
            (
                "one.yaml",
                r"tosca_definitions_version: tosca_simple_yaml_1_2
imports: [ link.yaml, far/two.yaml ]
node_types: { Near: { derived_from: tosca.nodes.Root, capabilities: { l: { type: our.Link } } } }
",
            ),
            (
                "link.yaml",
                r"tosca_definitions_version: tosca_simple_yaml_1_2
capability_types:
  our.Link: { derived_from: tosca.capabilities.Root }
",
            ),
            (
                "far/two.yaml",
                r"tosca_definitions_version: tosca_simple_yaml_1_2
imports: [ link.yaml ]
node_types: { Far: { derived_from: tosca.nodes.Root, capabilities: { l: { type: our.Link } } } }
",
            ),
            (
                "far/link.yaml",
                r"# A copy.
tosca_definitions_version: tosca_simple_yaml_1_2
capability_types:
  our.Link: { derived_from: tosca.capabilities.Root }
",
            ),
        ],
        &[],
    ),
];

fn parse(builder: ParserBuilder, text: &str) -> Outcome {
    let parser = builder.build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").unwrap(), text));
    check(&outcome);
    outcome
}

fn codes(outcome: &Outcome) -> Vec<&'static str> {
    outcome.diagnostics.iter().map(|problem| problem.rule.code).collect()
}

#[test]
fn files_that_import_each_other() {
    for (what, files, expected) in FILES {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in *files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let parser = Parser::builder(&TOSCA).directory(folder.path()).build().unwrap();
        let outcome = parser.parse(files[0].0).unwrap();
        assert_eq!(codes(&outcome), *expected, "{what}");
    }
}

#[test]
fn quirks_only_accept_what_they_name() {
    let etsi = || TOSCA.quirks_of("etsinfv").unwrap().into_iter().fold(Parser::builder(&TOSCA), ParserBuilder::quirk);
    let mapping = r"tosca_definitions_version: tosca_simple_yaml_1_2
node_types: { V: { derived_from: tosca.nodes.Root } }
topology_template:
  substitution_mappings: { node_type: V, requirements: { out: [ box, depndency ] } }
  node_templates: { box: { type: tosca.nodes.Compute } }
";
    assert_eq!(codes(&parse(etsi(), mapping)), ["T5601"]);
    let targets = r"tosca_definitions_version: tosca_simple_yaml_1_2
capability_types: { our.Link: { derived_from: tosca.capabilities.Root } }
relationship_types:
  our.Links: { derived_from: tosca.relationships.DependsOn, valid_target_types: [ our.Link ] }
";
    assert_eq!(codes(&parse(etsi(), targets)), [""; 0]);
    assert_eq!(codes(&parse(Parser::builder(&TOSCA), targets)), ["T4003"]);
}
