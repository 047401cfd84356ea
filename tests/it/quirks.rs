//! Quirks: each accepts something that is otherwise an error, and the error names the quirk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tosca_parse::diagnostic::Severity;
use tosca_parse::entity::{Quirk, QuirkSet};
use tosca_parse::{Outcome, Parser, ParserBuilder, TOSCA};

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
        "shared-names",
        &[(
            "library.yaml",
            "tosca_definitions_version: tosca_simple_yaml_1_2
node_types:
  Link:
    derived_from: tosca.nodes.Root
    properties: { rate: { type: tosca.datatypes.nfv.LinkBitrateRequirements } }
",
        )],
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
    (
        "late-version",
        &[(
            "service.yaml",
            "description: Written by a program
topology_template:
  node_templates:
    server: { type: tosca.nodes.Compute }
tosca_definitions_version: tosca_simple_yaml_1_2
",
        )],
    ),
    (
        "patch-versions",
        &[(
            "service.yaml",
            "tosca_definitions_version: tosca_simple_yaml_1_1_0
topology_template:
  node_templates:
    server: { type: tosca.nodes.Compute }
",
        )],
    ),
    (
        "declared-built-ins",
        &[(
            "service.yaml",
            "tosca_definitions_version: tosca_simple_yaml_1_0
data_types:
  string: { derived_from: tosca.datatypes.Root }
  integer: { derived_from: tosca.datatypes.Root }
node_types:
  Server:
    derived_from: tosca.nodes.Root
    properties:
      name: { type: string, default: server }
      cores: { type: integer, default: 3 }
",
        )],
    ),
    (
        "wider-lists",
        &[(
            "service.yaml",
            "tosca_definitions_version: tosca_simple_yaml_1_2
capability_types:
  Linkable: { derived_from: tosca.capabilities.Root }
relationship_types:
  LinksTo: { derived_from: tosca.relationships.DependsOn, valid_target_types: [ Linkable ] }
",
        )],
    ),
    (
        "unassigned-capabilities",
        &[(
            "service.yaml",
            "tosca_definitions_version: tosca_simple_yaml_1_2
capability_types:
  Size: { derived_from: tosca.capabilities.Root, properties: { memory: { type: scalar-unit.size } } }
node_types:
  Machine: { derived_from: tosca.nodes.Root, capabilities: { size: { type: Size } } }
topology_template:
  node_templates:
    first: { type: Machine }
    second: { type: Machine, capabilities: { size: { properties: {} } } }
",
        )],
    ),
    (
        "group-descriptions",
        &[(
            "service.yaml",
            "tosca_definitions_version: tosca_simple_yaml_1_2
group_types:
  Placement: { derived_from: tosca.groups.Root, properties: { description: { type: string } } }
topology_template:
  node_templates:
    server: { type: tosca.nodes.Compute }
  groups:
    near: { type: Placement, members: [ server ] }
",
        )],
    ),
    (
        "unprefixed-names",
        &[
            (
                "service.yaml",
                "tosca_definitions_version: tosca_simple_yaml_1_3
imports: [ { file: types.yaml, namespace_prefix: shop } ]
topology_template:
  node_templates:
    shelf: { type: Shelf }
",
            ),
            (
                "types.yaml",
                "tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  Shelf: { derived_from: tosca.nodes.Root }
",
            ),
        ],
    ),
    (
        "null-defaults",
        &[(
            "service.yaml",
            "tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  Server:
    derived_from: tosca.nodes.Root
    properties:
      zone: { type: string, required: false, default: null }
      cores: { type: integer, required: false, default: }
topology_template:
  inputs: { name: { type: string, default: null } }
  node_templates:
    server: { type: Server }
",
        )],
    ),
    (
        "vendor-keynames",
        &[(
            "service.yaml",
            "tosca_definitions_version: tosca_simple_yaml_1_1
policy_types:
  Guard: { derived_from: tosca.policies.Root, type_version: 1.0.0, name: Guard }
topology_template:
  inputs: { zone: { type: string, annotations: { source: { type: Catalogue } } } }
  policies:
    - guard: { type: Guard, type_version: 1.0.0, version: 1.0.0, name: guard, typeVersion: 1.0.0 }
  groups: { all: { type: tosca.groups.Root, typeVersion: 1.0.0, members: [] } }
  substitution_mappings: { node_type: Server, typeVersion: 1.0.0, annotations: {} }
node_types:
  Server:
    derived_from: tosca.nodes.Root
    annotations: { source: { type: Catalogue } }
    typeVersion: 1.0.0
    attributes: { address: { type: string, annotations: { source: { type: Catalogue } } } }
",
        )],
    ),
    (
        "computed-strings",
        &[(
            "service.yaml",
            "tosca_definitions_version: tosca_simple_yaml_1_0
topology_template:
  inputs: { image: { type: string } }
  node_templates:
    app:
      type: tosca.nodes.Container.Application
      artifacts: { image: { type: tosca.artifacts.Deployment.Image, file: { get_input: image } } }
      requirements: [ host: runtime ]
    runtime: { type: tosca.nodes.Container.Runtime, requirements: [ host: server ] }
    server: { type: tosca.nodes.Compute }
",
        )],
    ),
];

fn parse(files: &[(&str, &str)], quirks: &[Quirk]) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let builder = Parser::builder(&TOSCA).directory(folder.path()).threads(1);
    let parser = quirks.iter().fold(builder, |builder, quirk| builder.quirk(*quirk)).build().unwrap();
    parser.parse(files[0].0).unwrap()
}

fn messages(outcome: &Outcome) -> Vec<String> {
    outcome.diagnostics.iter().map(|problem| format!("{}: {}", problem.rule.name, problem.message)).collect()
}

#[test]
fn every_quirk_has_a_case() {
    for known in TOSCA.quirks {
        assert!(CASES.iter().any(|(name, _)| *name == known.quirk.name()), "no case for {}", known.quirk.name());
    }
}

#[test]
fn quirks_accept_errors() {
    for (name, files) in CASES {
        let quirks = TOSCA.quirks_of(name).unwrap();
        let outcome = parse(files, &[]);
        assert!(!outcome.is_valid(), "{name}: valid without the quirk");
        let outcome = parse(files, &quirks);
        assert_eq!(messages(&outcome), [""; 0], "{name}: not valid with the quirk");
    }
}

#[test]
fn an_empty_list_of_imports_hides_no_unknown_name() {
    let text = "tosca_definitions_version: tosca_2_0\nimports:\nnode_types: { A: { derived_from: B } }\n";
    let outcome = parse(&[("a.yaml", text)], &[Quirk::NULL_SECTIONS]);
    assert_eq!(messages(&outcome), ["unknown-name: there is no node type `B`"]);
}

#[test]
fn problems_name_the_quirk_that_accepts_them() {
    for (name, files) in CASES {
        let named = format!("to accept it, add `--quirk {name}`");
        for problem in parse(files, &[]).diagnostics {
            assert!(problem.help.contains(&named), "{name}: {}: {:?}", problem.message, problem.help);
        }
    }
}

#[test]
fn other_quirks_do_not_help() {
    for (name, files) in CASES {
        let others: Vec<Quirk> =
            TOSCA.quirks.iter().filter(|known| known.quirk.name() != *name).map(|known| known.quirk).collect();
        assert!(!parse(files, &others).is_valid(), "{name}: another quirk lets it pass");
    }
}

#[test]
fn sets_are_their_quirks() {
    for QuirkSet { name: set, quirks, .. } in TOSCA.quirk_sets {
        assert_eq!(TOSCA.quirks_of(set).as_deref(), Some(*quirks), "{set}");
        for (name, files) in CASES {
            let is_in = quirks.iter().any(|quirk| quirk.name() == *name);
            assert_eq!(parse(files, quirks).is_valid(), is_in, "{set}: {name}");
        }
    }
}

/// Checks that all real descriptors of network functions are accepted, except those that are listed with their
/// mistakes, which no dialect allows.
#[test]
fn descriptors_of_network_functions_are_accepted() {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("skipped: TOSCA_PARSE_SHARED does not say where the conformance files are");
        return;
    };
    let folder = Path::new(&shared).join("conformance/simple-1.x/tacker");
    let builder = Parser::builder(&TOSCA).directory(&folder).offline(true);
    let parser = TOSCA.quirks_of("etsinfv").unwrap().into_iter().fold(builder, ParserBuilder::quirk);
    let parser = parser.build().unwrap();
    let mut complete = 0;
    let mut refused = BTreeMap::new();
    for file in walkdir::WalkDir::new(&folder).sort_by_file_name().into_iter().map(Result::unwrap) {
        if file.path().extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let text = std::fs::read_to_string(file.path()).unwrap();
        if !text.lines().any(|line| line.starts_with("tosca_definitions_version:")) {
            continue;
        }
        let outcome = parser.parse(file.path().to_str().unwrap()).unwrap();
        // Some packages lack types that they import.
        if outcome.diagnostics.iter().any(|problem| matches!(problem.rule.code, "T1001" | "T1002")) {
            continue;
        }
        complete += 1;
        if !outcome.is_valid() {
            let errors = outcome.diagnostics.iter().filter(|problem| problem.severity == Severity::Error);
            let codes: BTreeSet<&str> = errors.map(|problem| problem.rule.code).collect();
            let name = file.path().strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
            refused.insert(name, codes.into_iter().collect::<Vec<_>>().join(" "));
        }
    }
    eprintln!("{} of {complete} files whose imports are there are valid", complete - refused.len());
    assert!(complete >= 330, "{complete}");
    let known = FAULTS.iter().flat_map(|(_, codes, files)| files.iter().map(|file| ((*file).into(), (*codes).into())));
    assert_eq!(refused, known.collect::<BTreeMap<String, String>>());
}

/// Mistakes in descriptors, the rules that report them, and the files.
const FAULTS: &[(&str, &str, &[&str])] = &[
    (
        "a flavor uses types of a file that only its importer imports",
        "T2001",
        &[
            "samples/tests/etc/samples/etsi/nfv/multi_flavour_deployment/Definitions/helloworld3_df_simple.yaml",
            "samples/tests/etc/samples/etsi/nfv/multi_flavour_deployment_invalid/Definitions/helloworld3_df_simple.yaml",
        ],
    ),
    (
        "a value that the constraints of the type refuse",
        "T5108",
        &[
            "samples/tests/etc/samples/etsi/nfv/sample_vnf_package_csar_with_short_notation/Definitions/helloworld3_top.vnfd.yaml",
            "samples/tests/etc/samples/etsi/nfv/test_cnf/Definitions/helloworld3_df_vdumap.yaml",
        ],
    ),
    (
        "two policies of one name",
        "T1209",
        &[
            "samples/tests/etc/samples/etsi/nfv/test_inst_terminate_vnf_with_vnflcmnoop/Definitions/helloworld3_df_simple.yaml",
            "samples/tests/etc/samples/etsi/nfv/vnflcm1/Definitions/helloworld3_df_simple.yaml",
            "samples/tests/etc/samples/etsi/nfv/vnflcm2/Definitions/helloworld3_df_simple.yaml",
        ],
    ),
    (
        "a mapping to a node that does not exist",
        "T5601",
        &[
            "samples/tests/functional/sol_v2_common/userdata_standard_with_non_boot_volume/contents/Definitions/v2_sample7_df_simple.yaml",
        ],
    ),
    (
        "the capability `virtual_compute`, of which each node has one, has no values for mandatory properties",
        "T5106",
        &[
            "tacker/tests/unit/vnfm/infra_drivers/openstack/data/etsi_nfv/tosca_generate_hot_from_tosca_parser_error.yaml",
        ],
    ),
    (
        "three mappings name nodes that are called otherwise below",
        "T5601",
        &[
            "samples/free5gc/vnf/change_ext_conn/Definitions/sample_free5gc_df_simple.yaml",
            "samples/free5gc/vnf/sample_free5gc_vnf_package/Definitions/sample_free5gc_df_simple.yaml",
        ],
    ),
    (
        "a mapping on the right-hand side names what is not there",
        "T5601",
        &["samples/practical_vnf_package/Definitions/df_scalable.yaml"],
    ),
    (
        "an algorithm is called `sha512`, which must be `sha-512`",
        "T5108",
        &[
            "tacker/tests/unit/vnfm/infra_drivers/openstack/data/etsi_nfv/tosca_vnfd_affinity.yaml",
            "tacker/tests/unit/vnfm/infra_drivers/openstack/data/etsi_nfv/tosca_vnfd_group_member.yaml",
        ],
    ),
    (
        "data types, policy types and others are all declared as node types",
        "T1201 T2001",
        &[
            "samples/tests/etc/samples/etsi/nfv/sample_vnf_package_csar_in_single_manifest_false_name/VNF.yaml",
            "samples/tests/etc/samples/etsi/nfv/sample_vnf_package_csar_manifest/VNF.yaml",
            "samples/tests/etc/samples/etsi/nfv/sample_vnfpkg_no_meta_single_vnfd/vnfd_helloworld_single.yaml",
            "samples/tests/etc/samples/etsi/nfv/test_csar_utils_data/sample_vnfpkg_no_meta_single_vnfd/vnfd_helloworld_single.yaml",
            "samples/tests/etc/samples/etsi/nfv/vnfpkgm3/vnfd_helloworld_single.yaml",
        ],
    ),
    (
        "a service that imports nothing uses types that are not its own",
        "T2001",
        &["samples/tests/etc/samples/etsi/nfv/test_heal_grant_unit/sample_vnfd.yaml"],
    ),
    (
        "the default of `provider` is not the one value that its constraint allows",
        "T5108",
        &[
            "samples/tests/etc/samples/sample_vnf_package_csar_in_meta_and_manifest/Definitions/sample_vnfd_df_complex_int.yaml",
            "samples/tests/etc/samples/sample_vnf_package_csar_in_meta_and_manifest/Definitions/sample_vnfd_df_simple_int.yaml",
            "samples/tests/etc/samples/sample_vnf_package_csar_in_meta_and_manifest/Definitions/sample_vnfd_top.yaml",
            "samples/tests/etc/samples/sample_vnf_package_csar_in_meta_and_manifest/Definitions/sample_vnfd_types.yaml",
        ],
    ),
];
