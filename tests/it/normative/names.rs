//! The names of normative types, and their precedence.

use tosca_parse::Outcome;
use tosca_parse::diagnostic::Severity;
use tosca_parse::entity::Section;
use tosca_parse::grammar::section::{
    ARTIFACT_TYPES, CAPABILITY_TYPES, DATA_TYPES, GROUP_TYPES, INTERFACE_TYPES, NODE_TYPES, POLICY_TYPES,
    RELATIONSHIP_TYPES,
};
use tosca_parse::source::{Address, MemoryProvider};
use tosca_parse::{Entry, Parser, TOSCA};

use super::{VERSIONS, head, parse, problems};

/// Returns the name and the source of the declaration that a name refers to in the entry.
fn meaning(outcome: &Outcome, section: Section, name: &str) -> String {
    let program = &outcome.program;
    match program.resolve(program.list[0].id, section, program.interner.intern(name)).id() {
        Some(id) => {
            let source = program.unit(id.unit).unwrap().source.name().rsplit('/').next().unwrap();
            format!("{} of {source}", program.name(id))
        }
        None => "nothing".to_owned(),
    }
}

#[test]
fn every_spelling_refers_to_the_same_type() {
    let spellings: [(Section, &str, &[&str]); 14] = [
        (NODE_TYPES, "tosca.nodes.Compute", &["tosca:Compute", "Compute"]),
        (CAPABILITY_TYPES, "tosca.capabilities.Compute", &["tosca:Compute", "Compute"]),
        (CAPABILITY_TYPES, "tosca.capabilities.Endpoint.Admin", &["tosca:Endpoint.Admin", "Endpoint.Admin"]),
        (
            NODE_TYPES,
            "tosca.nodes.Storage.BlockStorage",
            &["tosca:Storage.BlockStorage", "Storage.BlockStorage", "tosca:BlockStorage", "BlockStorage"],
        ),
        (NODE_TYPES, "tosca.nodes.network.Port", &["tosca:network.Port", "network.Port", "tosca:Port", "Port"]),
        (RELATIONSHIP_TYPES, "tosca.relationships.network.LinksTo", &["tosca:LinksTo", "network.LinksTo"]),
        (INTERFACE_TYPES, "tosca.interfaces.node.lifecycle.Standard", &["tosca:Standard", "Standard"]),
        (INTERFACE_TYPES, "tosca.interfaces.relationship.Configure", &["relationship.Configure", "Configure"]),
        (DATA_TYPES, "tosca.datatypes.network.PortInfo", &["tosca:PortInfo", "PortInfo", "network.PortInfo"]),
        (DATA_TYPES, "tosca.datatypes.json", &["tosca:json", "json"]),
        (ARTIFACT_TYPES, "tosca.artifacts.Implementation.Bash", &["Implementation.Bash", "tosca:Bash", "Bash"]),
        (ARTIFACT_TYPES, "tosca.artifacts.template", &["tosca:template", "template"]),
        (GROUP_TYPES, "tosca.groups.Root", &["tosca:Root", "Root"]),
        (POLICY_TYPES, "tosca.policies.Scaling", &["tosca:Scaling", "Scaling"]),
    ];
    let outcome = parse("1.3", "");
    for (section, full, others) in spellings {
        for name in others.iter().chain([&full]) {
            assert_eq!(meaning(&outcome, section, name), format!("{full} of profile.yaml"), "{name}");
        }
    }
    for name in ["string", "tosca:string"] {
        assert_eq!(meaning(&outcome, DATA_TYPES, name), "string of types.yaml");
    }
}

#[test]
fn names_belong_to_their_sections() {
    let outcome = parse("1.3", "");
    assert_eq!(meaning(&outcome, NODE_TYPES, "Endpoint"), "nothing");
    assert_eq!(meaning(&outcome, NODE_TYPES, "tosca.capabilities.Compute"), "nothing");
    assert_eq!(meaning(&outcome, CAPABILITY_TYPES, "tosca.nodes.Compute"), "nothing");
    assert_eq!(meaning(&outcome, NODE_TYPES, "nodes.Compute"), "nothing");
    assert_eq!(meaning(&parse("2.0", ""), NODE_TYPES, "tosca.nodes.Compute"), "nothing");
}

#[test]
fn names_have_the_meaning_of_their_version() {
    assert_eq!(
        meaning(&parse("1.0", ""), NODE_TYPES, "tosca:BlockStorage"),
        "tosca.nodes.BlockStorage of profile.yaml"
    );
    assert_eq!(meaning(&parse("1.1", ""), NODE_TYPES, "Abstract.Compute"), "nothing");
    for version in VERSIONS {
        let declared = "tosca.capabilities.Container of profile.yaml";
        assert_eq!(meaning(&parse(version, ""), CAPABILITY_TYPES, "Container"), declared, "{version}");
    }
}

#[test]
fn typos_in_the_standard_are_reported() {
    let text = "\
node_types:
  Disk:
    derived_from: tosca.nodes.BlockStorage
    capabilities:
      door: tosca.capabilities.EndPoint
relationship_types:
  Knows:
    derived_from: tosca.entity.Root
";
    let expected = [
        "entry.yaml:4:19: warning[T2006]: node type `tosca.nodes.BlockStorage` is called `tosca.nodes.Storage.BlockStorage` in TOSCA 1.3",
        "entry.yaml:6:13: warning[T2006]: capability type `tosca.capabilities.EndPoint` is called `tosca.capabilities.Endpoint` in TOSCA 1.3",
        "entry.yaml:9:19: warning[T2006]: relationship type `tosca.entity.Root` is called `tosca.relationships.Root` in TOSCA 1.3",
    ];
    assert_eq!(problems("1.3", text), expected);
    let disk = "node_types:\n  Disk:\n    derived_from: tosca.nodes.BlockStorage\n";
    assert_eq!(problems("1.0", disk), [""; 0]);
}

#[test]
fn names_of_authors_take_precedence() {
    let outcome = parse(
        "1.3",
        "\
node_types:
  Compute:
    derived_from: tosca.nodes.Compute
  Server:
    derived_from: Compute
  tosca.nodes.DBMS:
    derived_from: SoftwareComponent
",
    );
    let [hidden] = &outcome.diagnostics[..] else { panic!("{:?}", outcome.diagnostics) };
    assert_eq!((hidden.rule.name, hidden.severity), ("shadowed-name", Severity::Warning));
    assert!(hidden.message.contains("`tosca.nodes.DBMS`"), "{}", hidden.message);
    assert_eq!(meaning(&outcome, NODE_TYPES, "Compute"), "Compute of entry.yaml");
    assert_eq!(meaning(&outcome, NODE_TYPES, "tosca:Compute"), "tosca.nodes.Compute of profile.yaml");
    assert_eq!(meaning(&outcome, NODE_TYPES, "tosca.nodes.Compute"), "tosca.nodes.Compute of profile.yaml");
    assert_eq!(meaning(&outcome, CAPABILITY_TYPES, "Compute"), "tosca.capabilities.Compute of profile.yaml");
    assert_eq!(meaning(&outcome, NODE_TYPES, "tosca.nodes.DBMS"), "tosca.nodes.DBMS of entry.yaml");
    // A short name also refers to the author's own type.
    assert_eq!(meaning(&outcome, NODE_TYPES, "DBMS"), "tosca.nodes.DBMS of entry.yaml");
}

#[test]
fn names_of_built_in_types_are_reserved() {
    let taken = problems("1.2", "data_types:\n  scalar-unit.size:\n    derived_from: string\n");
    assert_eq!(taken, ["entry.yaml:3:3: error[T2005]: `scalar-unit.size` is the name of a built-in data type"]);
    // There is no such type before 1.3.
    assert_eq!(problems("1.2", "data_types:\n  scalar-unit.bitrate:\n    derived_from: string\n"), [""; 0]);
}

#[test]
fn names_of_imported_files_take_precedence_and_prefixes_reach_everything() {
    let memory = MemoryProvider::new();
    let put = |name: &str, version: &str, text: &str| {
        let address = Address::parse(&format!("memory:{name}")).unwrap();
        memory.insert(address.clone(), format!("{}{text}", head(version)));
        address
    };
    put("types.yaml", "1.3", "node_types:\n  Compute:\n    derived_from: tosca:Compute\n");
    put("older.yaml", "1.0", "");
    let entry = put(
        "entry.yaml",
        "1.3",
        "\
imports:
  - types.yaml
  - { file: types.yaml, namespace_prefix: my }
  - { file: types.yaml, namespace_prefix: tosca }
  - { file: older.yaml, namespace_prefix: old }
",
    );
    let parser = Parser::builder(&TOSCA).provider(std::sync::Arc::new(memory)).build().unwrap();
    let outcome = parser.parse_entry(Entry::at(entry));
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
    for name in ["Compute", "my:Compute", "tosca:Compute"] {
        assert_eq!(meaning(&outcome, NODE_TYPES, name), "Compute of types.yaml", "{name}");
    }
    // Names that such an import does not have keep their meaning.
    for name in ["tosca:DBMS", "my:DBMS", "my:tosca.nodes.DBMS", "my:tosca:DBMS", "tosca:tosca.nodes.DBMS"] {
        assert_eq!(meaning(&outcome, NODE_TYPES, name), "tosca.nodes.DBMS of profile.yaml", "{name}");
    }
    assert_eq!(meaning(&outcome, NODE_TYPES, "old:BlockStorage"), "tosca.nodes.BlockStorage of profile.yaml");
}

#[test]
fn unknown_names_are_compared_with_known_ones() {
    let help = |name: &str| {
        let outcome = parse("1.3", &format!("node_types:\n  Mine:\n    derived_from: {name}\n"));
        outcome.diagnostics[0].help.join("; ")
    };
    assert_eq!(help("tosca.nodes.Compte"), "did you mean `tosca.nodes.Compute`?");
    assert_eq!(help("Compte"), "did you mean `Compute`?");
    assert_eq!(help("tosca:Compte"), "did you mean `tosca:Compute`?");
    assert_eq!(help("tosca:Storage.BlokStorage"), "did you mean `tosca:Storage.BlockStorage`?");
    // Names whose use would be reported are not suggested.
    let quirk = "; to accept it, add `--quirk shared-names`";
    assert_eq!(help("tosca.entity.Rot"), format!("define it, or import a file or profile that defines it{quirk}"));
    assert_eq!(help("tosac:Compute"), format!("no import has the namespace `tosac`{quirk}"));
}

#[test]
fn normative_types_are_the_same_in_all_versions() {
    let memory = MemoryProvider::new();
    let put = |name: &str, version: &str, text: &str| {
        let address = Address::parse(&format!("memory:{name}")).unwrap();
        memory.insert(address.clone(), format!("{}{text}", head(version)));
        address
    };
    put(
        "types.yaml",
        "1.1",
        "\
node_types:
  OldServer: { derived_from: tosca.nodes.Compute }
  OldSoftware: { derived_from: tosca.nodes.SoftwareComponent }
",
    );
    let entry = put(
        "entry.yaml",
        "1.3",
        "\
imports: [ types.yaml ]
node_types:
  Software: { derived_from: tosca.nodes.SoftwareComponent }
topology_template:
  node_templates:
    old_server: { type: OldServer }
    server: { type: tosca.nodes.Compute }
    one: { type: Software, requirements: [ host: old_server ] }
    two: { type: OldSoftware, requirements: [ host: server ] }
    three: { type: OldSoftware, requirements: [ host: one ] }
",
    );
    let parser = Parser::builder(&TOSCA).provider(std::sync::Arc::new(memory)).build().unwrap();
    let outcome = parser.parse_entry(Entry::at(entry));
    // Only the last target is a server in neither version.
    let found: Vec<(&str, &str)> =
        outcome.diagnostics.iter().map(|problem| (problem.rule.name, &*problem.message)).collect();
    let message = "requirement `host` needs a node of type `tosca.nodes.Compute`, but `one` is of type `Software`";
    assert_eq!(found[0], ("wrong-target", message), "{found:?}");
    assert!(outcome.diagnostics.iter().all(|problem| problem.message.contains("`one`")), "{found:?}");
}
