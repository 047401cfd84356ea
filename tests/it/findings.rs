//! What looked right and was not, or the other way round: a small case of each, so that it stays mended.

use tosca_parse::{Entry, Outcome, Parser, ParserBuilder, TOSCA};

use crate::support::check;

/// A template and the codes of its problems, in order.
type Case = (&'static str, &'static str, &'static [&'static str]);

/// Files by their names, and the codes of the problems of the first one.
type FileCase = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

const CASES: &[Case] = &[
    (
        "an input of an operation in a type may be a value alone",
        "tosca_definitions_version: tosca_2_0\ninterface_types: { I: { operations: { start: {} } } }\nnode_types:\n  Pump:\n    \
         properties: { rate: { type: integer } }\n    interfaces:\n      Run:\n        type: I\n        inputs: { from: { \
         $get_property: [ SELF, rate ] } }\n        operations: { start: { inputs: { speed: slow } } }\n",
        &[],
    ),
    (
        "a requirement is tried where the capability of its name has no such attribute",
        "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n    shop: { type: \
         tosca.nodes.WebServer, requirements: [ host: box ] }\n    box: { type: tosca.nodes.Compute }\n  outputs:\n    \
         where: { value: { get_attribute: [ shop, host, private_address ] } }\n",
        &[],
    ),
    (
        "an unknown version of 1.x is one problem",
        "tosca_definitions_version: tosca_simple_yaml_1_0_9\nnode_types:\n  Pump:\n    derived_from: tosca.nodes.Root\n    \
         properties: { rate: { type: integer, constraints: [ less_than: 9 ] } }\n",
        &["T1302"],
    ),
    (
        "an interface of a type that is neither inherited nor typed",
        "tosca_definitions_version: tosca_simple_yaml_1_2\nnode_types:\n  Pump: { derived_from: tosca.nodes.Root, interfaces: { \
         Standerd: { start: { description: go } } } }\n",
        &["T4006"],
    ),
    (
        "an operation of a type that its interface type does not have",
        "tosca_definitions_version: tosca_simple_yaml_1_2\nnode_types:\n  Pump: { derived_from: tosca.nodes.Root, interfaces: { \
         Standard: { type: tosca.interfaces.node.lifecycle.Standard, strat: { description: go } } } }\n",
        &["T5002"],
    ),
    (
        "paths in operations of types",
        "tosca_definitions_version: tosca_simple_yaml_1_2\nnode_types:\n  Pump:\n    derived_from: tosca.nodes.Root\n    interfaces:\n      \
         Standard:\n        start:\n          inputs:\n            a: { type: string, value: { get_property: [ SEFL, x ] } }\n            \
         b: { type: string, value: { get_artifact: [ SELF, plan ] } }\ntopology_template:\n  node_templates:\n    p: { type: Pump }\n",
        &["T5213", "T5213"],
    ),
    (
        "maps with integers for keys before 2.0",
        "tosca_definitions_version: tosca_simple_yaml_1_3\nnode_types:\n  Lift: { derived_from: tosca.nodes.Root, properties: { floors: \
         { type: map, key_schema: { type: integer }, entry_schema: { type: string } } } }\ntopology_template:\n  \
         node_templates:\n    l: { type: Lift, properties: { floors: { 0: lobby, 1: office } } }\n",
        &[],
    ),
    (
        "a pattern that is not run is said so before 2.0",
        "tosca_definitions_version: tosca_simple_yaml_1_3\ndata_types:\n  Name: { derived_from: string, constraints: [ pattern: \
         '(?=.*[0-9])[a-z0-9]+' ] }\n",
        &["T5221"],
    ),
    (
        "a pattern that is not run is said so",
        "tosca_definitions_version: tosca_2_0\nnode_types:\n  Pump: { properties: { name: { type: string, validation: { \
         $matches: [ $value, '(?=.*[0-9])[a-z0-9]+' ] } } } }\nservice_template:\n  node_templates:\n    p: { type: Pump, \
         properties: { name: none } }\n",
        &["T5221"],
    ),
    (
        "a property that an artifact needs, where another is misspelt",
        "tosca_definitions_version: tosca_2_0\nartifact_types: { Disk: { properties: { label: { type: string } } } }\nnode_types: { \
         Pump: {} }\nservice_template:\n  node_templates:\n    p: { type: Pump, artifacts: { d: { type: Disk, file: \
         'https://example.com/d', properties: { lable: x } } } }\n",
        &["T5106", "T5002"],
    ),
    (
        "types in mappings before 2.0",
        "tosca_definitions_version: tosca_simple_yaml_1_3\nnode_types:\n  Pump: { derived_from: tosca.nodes.Root, properties: { rate: { \
         type: integer } } }\ntopology_template:\n  inputs: { rate: { type: boolean } }\n  substitution_mappings: { node_type: \
         Pump, properties: { rate: [ rate ] } }\n",
        &["T5602"],
    ),
    (
        "a misspelt directive before 2.0",
        "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n    box: { type: tosca.nodes.Compute, \
         directives: [ selekt ] }\n",
        &["T1314"],
    ),
    (
        "the credential of a repository is a value like any other",
        "tosca_definitions_version: tosca_simple_yaml_1_1\nrepositories:\n  store: { url: 'https://example.com', credential: { \
         nothing: x } }\n",
        &["T5106", "T5001"],
    ),
    (
        "an operation that is null",
        "tosca_definitions_version: tosca_simple_yaml_1_2\ntopology_template:\n  node_templates:\n    box: { type: \
         tosca.nodes.Compute, interfaces: { Standard: { start: null } } }\n",
        &["T1206"],
    ),
    (
        "normative types that are declared anew, under the alias of the root",
        "tosca_definitions_version: tosca_simple_yaml_1_3\nnode_types:\n  tosca.nodes.Root: { derived_from: tosca.entity.Root }\n",
        &["T2003"],
    ),
    (
        "built-in types that are declared anew are still what they are",
        "tosca_definitions_version: tosca_simple_yaml_1_1\ndata_types:\n  boolean: { derived_from: tosca.datatypes.Root }\nnode_types:\n  \
         Pump: { derived_from: tosca.nodes.Root, properties: { on: { type: boolean, default: true } } }\n",
        &["T2005"],
    ),
    (
        "a function that is nowhere defined may be known to the orchestrator",
        "tosca_definitions_version: tosca_2_0\nnode_types:\n  Pump: { properties: { rate: { type: integer } } }\n\
         service_template:\n  node_templates:\n    p: { type: Pump, properties: { rate: { $our_own_rate: [ 4 ] } } }\n",
        &["T5220"],
    ),
    (
        "a function whose name is close to a known one",
        "tosca_definitions_version: tosca_2_0\nnode_types:\n  Pump: { properties: { rate: { type: string } } }\n\
         service_template:\n  node_templates:\n    p: { type: Pump, properties: { rate: { $conct: [ a, b ] } } }\n",
        &["T5201"],
    ),
    (
        "several nodes of one template",
        "tosca_definitions_version: tosca_simple_yaml_1_3\nnode_types:\n  Pump: { derived_from: tosca.nodes.Root, properties: { at: { \
         type: string } } }\ntopology_template:\n  inputs:\n    count: { type: integer }\n    places: { type: list, \
         entry_schema: { type: string } }\n  node_templates:\n    p:\n      type: Pump\n      occurrences: [ 0, 9 ]\n      \
         instance_count: { get_input: count }\n      properties: { at: { get_input: [ places, INDEX ] } }\n",
        &[],
    ),
    (
        "properties of a filter as a map",
        "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n    box:\n      type: \
         tosca.nodes.Compute\n      directives: [ select ]\n      node_filter: { capabilities: [ host: { properties: { \
         num_cpus: { equal: 4 } } } ] }\n",
        &["T1212"],
    ),
    (
        "`equals` in a condition",
        "tosca_definitions_version: tosca_simple_yaml_1_2\ntopology_template:\n  node_templates: { box: { type: tosca.nodes.Compute } \
         }\n  workflows:\n    w:\n      steps:\n        s: { target: box, filter: [ assert: [ public_address: [ equals: x \
         ] ] ], activities: [ call_operation: Standard.start ] }\n",
        &["T1314"],
    ),
];

/// Cases of files that import each other; the first one is the entry.
const FILES: &[FileCase] = &[
    (
        "a loop of imports is a warning in all versions",
        &[
            (
                "one.yaml",
                "tosca_definitions_version: tosca_simple_yaml_1_2\nimports: [ two.yaml ]\nnode_types: { One: { \
                 derived_from: Two } }\n",
            ),
            (
                "two.yaml",
                "tosca_definitions_version: tosca_simple_yaml_1_2\nimports: [ one.yaml ]\nnode_types: { Two: { \
                 derived_from: tosca.nodes.Root } }\n",
            ),
        ],
        &["T1403"],
    ),
    (
        "a file without a version is read as its importer",
        &[
            ("one.yaml", "tosca_definitions_version: tosca_simple_yaml_1_2\nimports: [ two.yaml ]\n"),
            (
                "two.yaml",
                "node_types:\n  Pump: { derived_from: tosca.nodes.Root, properties: { rate: { type: integer, \
                 constraints: [ less_than: 9 ] } } }\n",
            ),
        ],
        &["T1301"],
    ),
    (
        "copies of a file are one, whatever their comments",
        &[
            (
                "one.yaml",
                "tosca_definitions_version: tosca_simple_yaml_1_2\nimports: [ link.yaml, far/two.yaml ]\nnode_types: { \
                 Near: { derived_from: tosca.nodes.Root, capabilities: { l: { type: our.Link } } } }\n",
            ),
            (
                "link.yaml",
                "tosca_definitions_version: tosca_simple_yaml_1_2\ncapability_types:\n  our.Link: { derived_from: \
                 tosca.capabilities.Root }\n",
            ),
            (
                "far/two.yaml",
                "tosca_definitions_version: tosca_simple_yaml_1_2\nimports: [ link.yaml ]\nnode_types: { Far: { \
                 derived_from: tosca.nodes.Root, capabilities: { l: { type: our.Link } } } }\n",
            ),
            (
                "far/link.yaml",
                "# A copy.\ntosca_definitions_version: tosca_simple_yaml_1_2\ncapability_types:\n  our.Link: { \
                 derived_from: tosca.capabilities.Root }\n",
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
fn each_stays_mended() {
    let mut wrong = Vec::new();
    for (what, text, expected) in CASES {
        let found = codes(&parse(Parser::builder(&TOSCA), text));
        if found != *expected {
            wrong.push(format!("{what}: {found:?} instead of {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
fn quirks_let_no_more_pass_than_they_say() {
    let etsi = || TOSCA.quirks_of("etsinfv").unwrap().into_iter().fold(Parser::builder(&TOSCA), ParserBuilder::quirk);
    let mapping = "tosca_definitions_version: tosca_simple_yaml_1_2\nnode_types: { V: { derived_from: tosca.nodes.Root } }\n\
                   topology_template:\n  substitution_mappings: { node_type: V, requirements: { out: [ box, depndency ] } }\n  \
                   node_templates: { box: { type: tosca.nodes.Compute } }\n";
    assert_eq!(codes(&parse(etsi(), mapping)), ["T5601"]);
    let targets = "tosca_definitions_version: tosca_simple_yaml_1_2\ncapability_types: { our.Link: { derived_from: \
                   tosca.capabilities.Root } }\nrelationship_types:\n  our.Links: { derived_from: \
                   tosca.relationships.DependsOn, valid_target_types: [ our.Link ] }\n";
    assert_eq!(codes(&parse(etsi(), targets)), [""; 0]);
    assert_eq!(codes(&parse(Parser::builder(&TOSCA), targets)), ["T4003"]);
}
