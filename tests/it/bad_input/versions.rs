//! Files with a missing or unknown version, and copies of files.

use tosca_parse::diagnostic::Severity;

use super::{codes, parse, parse_files};

/// The other mistake in the templates below, besides the version: a default that is not an integer.
const TYPES_1_X: &str = "node_types:
  Server:
    derived_from: tosca.nodes.Compute
    properties: { cores: { type: integer, default: many, constraints: [ greater_than: 1 ] } }
    requirements: [ store: { capability: tosca.capabilities.Attachment, occurrences: [ 0, UNBOUNDED ] } ]
";

#[test]
fn unknown_versions_of_1_x_are_read_as_the_closest_one() {
    // `namespace` exists since 1.2, and groups have interfaces up to 1.2.
    let text = |word: &str| {
        let groups = "group_types: { G: { derived_from: tosca.groups.Root, interfaces: {} } }\n";
        format!("tosca_definitions_version: {word}\n{TYPES_1_X}{groups}")
    };
    let of_1_2: &[&str] = &["T1302", "T5101"];
    let of_1_3: &[&str] = &["T1302", "T1202", "T5101"];
    for (word, expected) in [
        ("tosca_simple_yaml_1_0_0", of_1_2),
        ("tosca_simple_yaml_1_1_0", of_1_2),
        ("tosca_simple_yaml_1_2_5", of_1_2),
        ("tosca_simple_yaml_0_9", of_1_2),
        ("tosca_simple_profile_for_nfv_1_1", of_1_2),
        ("tosca_simple_yaml_1_4", of_1_3),
        ("tosca_simple_yaml_2_0", of_1_3),
        ("tosca_simple_yaml", of_1_3),
        ("tosca_1_3", of_1_3),
        ("1.3", of_1_3),
    ] {
        let mut found = codes(&parse(text(word)));
        found.sort_by_key(|code| expected.iter().position(|expected| expected == code));
        assert_eq!(found, expected, "{word}");
    }
    assert_eq!(codes(&parse(format!("tosca_definitions_version: tosca_3_0\n{TYPES_1_X}"))), ["T1302", "T5101"]);
    let service = "service_template: { node_templates: {} }\n";
    assert_eq!(codes(&parse(format!("tosca_definitions_version: tosca_simple_yaml_2_0\n{service}"))), ["T1302"]);
}

#[test]
fn versions_of_vendors_are_read_by_their_content() {
    // A capability of 2.0, a constraint of 1.x, and a group type that 1.3 rejects.
    let of_1_3 = "group_types: { G: { derived_from: tosca.groups.Root, interfaces: {} } }\n";
    let of_imports = "imports: [ { file: other.yaml } ]\ngroup_types: { G: { interfaces: {} } }\n";
    let of_occurrences = "node_types: { N: { requirements: [ r: { capability: C, occurrences: [ 1, 1 ] } ] } }\n\
                          capability_types: { C: {} }\ngroup_types: { G: { interfaces: {} } }\n";
    let of_sources = "capability_types: { C: { valid_source_types: [] } }\ngroup_types: { G: { interfaces: {} } }\n";
    let silent = "group_types: { G: { interfaces: {} } }\n";
    for word in ["alien_dsl_2_0_0", "tosca_simple_unfurl_1_0_0", "tosca_variability_1_0", "acme-dsl-2.0"] {
        for text in [of_1_3, of_imports, of_occurrences, of_sources, silent] {
            let outcome = parse(format!("tosca_definitions_version: {word}\n{text}"));
            let found = codes(&outcome);
            assert!(found.contains(&"T1302") && found.contains(&"T1202"), "{word} {text}: {found:?}");
            let help = outcome.diagnostics.iter().flat_map(|problem| &problem.help);
            let words = help.filter(|help| help.contains("tosca_simple_yaml_1_3") && !help.contains("1_2"));
            assert_eq!(words.count(), 1, "{word}");
        }
        let modern =
            "node_types: { N: { properties: { p: { type: integer, validation: { $equal: [ $value, 1 ] } } } } }\n";
        assert_eq!(codes(&parse(format!("tosca_definitions_version: {word}\n{modern}"))), ["T1302"], "{word}");
    }
}

#[test]
fn declared_versions_are_silent() {
    let text = "tosca_definitions_version: alien_dsl_2_0_0\ngroup_types: { G: { interfaces: {} } }\n";
    let parse = |builder: tosca_parse::ParserBuilder| {
        let parser = builder.build().unwrap();
        let entry = tosca_parse::Entry::text(parser.address("service.yaml").unwrap(), text);
        codes(&parser.parse_entry(entry))
    };
    let builder = || tosca_parse::Parser::builder(&tosca_parse::TOSCA);
    assert!(parse(builder()).contains(&"T1302"));
    assert_eq!(parse(builder().read_version("alien_dsl_2_0_0", "tosca_simple_yaml_1_2")), ["T1317"]);
    assert_eq!(parse(builder().read_unknown_versions("tosca_simple_yaml_1_2")), ["T1317"]);
    let both = builder().read_unknown_versions("tosca_2_0").read_version("alien_dsl_2_0_0", "tosca_simple_yaml_1_2");
    assert_eq!(parse(both), ["T1317"]);
    let nfv = builder().read_version("alien_dsl_2_0_0", "tosca_simple_profile_for_nfv_1_0");
    let parser = nfv.build().unwrap();
    let text = "tosca_definitions_version: alien_dsl_2_0_0\n\
                node_types: { A: { derived_from: tosca.nodes.nfv.VDU } }\n";
    let entry = tosca_parse::Entry::text(parser.address("service.yaml").unwrap(), text);
    assert_eq!(codes(&parser.parse_entry(entry)), [""; 0], "with the types of the profile");
    assert!(parse(builder().read_version("other_dsl", "tosca_simple_yaml_1_2")).contains(&"T1302"));
}

#[test]
fn a_file_without_a_version_is_read_in_that_of_its_importer() {
    let mut types = TYPES_1_X.to_owned();
    for (version, expected) in
        [("tosca_simple_yaml_1_0", &["T1301", "T5101"][..]), ("tosca_simple_yaml_1_3", &["T1301", "T5101"])]
    {
        let service = format!("tosca_definitions_version: {version}\nimports: [ types.yaml ]\n");
        assert_eq!(codes(&parse_files(&[("service.yaml", &service), ("types.yaml", &types)])), expected);
    }
    // Features that only one version has determine the version.
    types = "node_types: { A: { properties: { p: { type: scalar-unit.size, constraints: [] } } } }\n".to_owned();
    let between = "imports: [ types.yaml ]\n";
    let service = "tosca_definitions_version: tosca_simple_yaml_1_2\nimports: [ between.yaml ]\n";
    let outcome = parse_files(&[("service.yaml", service), ("between.yaml", between), ("types.yaml", &types)]);
    assert_eq!(codes(&outcome), ["T1301", "T1317"]);
}

#[test]
fn the_earliest_importer_decides() {
    let types = "node_types: { A: { properties: { p: { type: integer, constraints: [] } } } }\n";
    let library = "tosca_definitions_version: tosca_simple_yaml_1_1\nimports: [ types.yaml ]\n";
    for imports in ["[ types.yaml, library.yaml ]", "[ library.yaml, types.yaml ]"] {
        let service = format!("tosca_definitions_version: tosca_2_0\nimports: {imports}\n");
        let files = [("service.yaml", &*service), ("library.yaml", library), ("types.yaml", types)];
        for _ in 0..5 {
            let outcome = parse_files(&files);
            assert_eq!(codes(&outcome), ["T1301", "T1317"], "{imports}: {:?}", outcome.diagnostics);
        }
    }
}

#[test]
fn a_misspelled_keyname_of_the_version_is_one_problem() {
    let text = format!("tosca_definition_version: tosca_simple_yaml_1_2\n{TYPES_1_X}");
    let outcome = parse(text);
    assert_eq!(codes(&outcome), ["T1301", "T5101"]);
    assert_eq!(outcome.diagnostics[0].help, ["did you mean `tosca_definitions_version`?"]);
}

#[test]
fn a_file_that_is_not_a_template_is_one_problem() {
    for text in [
        "apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [ { name: a, image: b } ] }\n",
        "heat_template_version: 2018-08-31\ndescription: A stack\nresources: { a: { type: OS::Nova::Server } }\n",
        "version: '3'\nservices: { web: { image: nginx } }\n",
        "{ \"name\": \"web\", \"dependencies\": {} }\n",
        "tosca_definitions_version: cloudify_dsl_1_3\nplugins: {}\nnode_types: { A: { derived_from: cloudify.nodes.Root } }\n",
    ] {
        let outcome = parse(text);
        assert_eq!(outcome.diagnostics.len(), 1, "{text}: {:?}", outcome.diagnostics);
        assert_eq!(outcome.diagnostics[0].severity, Severity::Error);
        // The importer can't know what the file should have declared.
        let service = "tosca_definitions_version: tosca_simple_yaml_1_3\nimports: [ other.yaml ]\n\
                       node_types: { A: { derived_from: Unknown } }\n";
        assert_eq!(parse_files(&[("service.yaml", service), ("other.yaml", text)]).diagnostics.len(), 1, "{text}");
    }
}

#[test]
fn help_names_the_version_to_write() {
    let help = |text: &str| parse(text).diagnostics[0].help[0].clone();
    assert!(help("topology_template: {}\n").ends_with("`tosca_definitions_version: tosca_simple_yaml_1_3`"));
    assert!(help(TYPES_1_X).ends_with("`tosca_definitions_version: tosca_simple_yaml_1_3`"));
    assert!(help("service_template: {}\n").ends_with("`tosca_definitions_version: tosca_2_0`"));
}

/// The same file of types with other spaces, comments and quotes, and a different one.
const COPIES: [&str; 3] = [
    "tosca_definitions_version: tosca_simple_yaml_1_2\ncapability_types:\n  Link: { derived_from: tosca.capabilities.Root }\n",
    "# A copy\ntosca_definitions_version: tosca_simple_yaml_1_2\n\ncapability_types:\n    Link:   # the link\n      derived_from: \"tosca.capabilities.Root\"\n",
    "tosca_definitions_version: tosca_simple_yaml_1_2\ncapability_types:\n  Link: { derived_from: tosca.capabilities.Node }\n",
];

#[test]
fn copies_of_a_file_are_one() {
    let service = "tosca_definitions_version: tosca_simple_yaml_1_2
imports: [ common.yaml, server.yaml ]
node_types:
  Client: { derived_from: tosca.nodes.Root, requirements: [ link: { capability: Link } ] }
topology_template:
  node_templates:
    client: { type: Client, requirements: [ link: server ] }
    server: { type: Server }
";
    let server = "tosca_definitions_version: tosca_simple_yaml_1_2
imports: [ copy.yaml ]
node_types:
  Server: { derived_from: tosca.nodes.Root, capabilities: { link: { type: Link } } }
";
    for (copy, expected) in [(COPIES[0], &[][..]), (COPIES[1], &[]), (COPIES[2], &["T2002", "T5304"])] {
        let files =
            [("service.yaml", service), ("server.yaml", server), ("common.yaml", COPIES[0]), ("copy.yaml", copy)];
        assert_eq!(codes(&parse_files(&files)), expected, "{copy}");
    }
}

#[test]
fn copies_that_import_different_files_are_different() {
    let service = "tosca_definitions_version: tosca_simple_yaml_1_2\nimports: [ a/types.yaml, b/types.yaml ]\n\
                   node_types: { N: { derived_from: M } }\n";
    let types = "tosca_definitions_version: tosca_simple_yaml_1_2\nimports: [ base.yaml ]\nnode_types: { M: { derived_from: Base } }\n";
    let base = |of: &str| {
        let properties = "properties: { p: { type: integer, default: 1 } }";
        format!(
            "tosca_definitions_version: tosca_simple_yaml_1_2\nnode_types: {{ Base: {{ derived_from: {of}, {properties} }} }}\n"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let codes_with = |second: &str| {
        for (name, text) in [("a", base("tosca.nodes.Root")), ("b", base(second))] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
            std::fs::write(folder.path().join(name).join("types.yaml"), types).unwrap();
            std::fs::write(folder.path().join(name).join("base.yaml"), text).unwrap();
        }
        std::fs::write(folder.path().join("service.yaml"), service).unwrap();
        codes(&super::parse_at(folder.path(), "service.yaml"))
    };
    assert_eq!(codes_with("tosca.nodes.Root"), [""; 0]);
    assert_eq!(codes_with("tosca.nodes.Compute"), ["T2002"]);
}
