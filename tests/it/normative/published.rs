//! Copies of the type libraries of ETSI, and the profile for NFV.

use tosca_parse::diagnostic::render::Concise;
use tosca_parse::entity::Language;
use tosca_parse::source::{Address, MemoryProvider};
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

use super::packed::read_each_time;

const SITE: &str = "https://forge.etsi.org/rep/nfv/SOL001/raw";

fn address(name: &str) -> Address {
    Address::parse(&format!("memory:/{name}")).unwrap()
}

/// Parses the first of several files, offline and in a sandbox.
fn parse(files: &[(&str, String)]) -> Outcome {
    let memory = MemoryProvider::new();
    for (name, text) in files {
        memory.insert(address(name), text.clone());
    }
    let parser =
        Parser::builder(&TOSCA).provider(std::sync::Arc::new(memory)).offline(true).sandbox(true).build().unwrap();
    parser.parse_entry(Entry::at(address(files[0].0)))
}

fn shown(outcome: &Outcome) -> Vec<String> {
    let shown = Concise::new(&outcome.diagnostics, &outcome.sources).to_string();
    shown.lines().map(|line| line.trim_start_matches("memory:/").to_owned()).collect()
}

fn errors(outcome: &Outcome) -> Vec<String> {
    shown(outcome).into_iter().filter(|line| line.contains("error[")).collect()
}

/// Returns a file of 1.2 with some imports.
fn file(imports: &[&str], rest: &str) -> String {
    let list = imports.iter().map(|import| format!("  - {import}\n")).collect::<Vec<_>>().concat();
    format!("tosca_definitions_version: tosca_simple_yaml_1_2\nimports:\n{list}{rest}")
}

/// Returns the addresses of the built-in copies for imports, without their folder.
fn copies(imports: &[&str]) -> Vec<String> {
    let outcome = parse(&[("entry.yaml", file(imports, ""))]);
    assert_eq!(errors(&outcome), [""; 0], "{imports:?}");
    copies_of(&outcome)
}

fn copies_of(outcome: &Outcome) -> Vec<String> {
    let names = outcome.program.list.iter().map(|unit| unit.source.name());
    let names = names.filter_map(|name| name.strip_prefix("builtin:/etsi/sol001/"));
    let mut names: Vec<String> =
        names.map(|name| name.replace("etsi_nfv_sol001_", "").replace("_types.yaml", "")).collect();
    names.sort();
    names
}

#[test]
fn copies_have_no_problems() {
    for language in [&TOSCA, read_each_time()] {
        let published = language.profiles.iter().filter(|profile| profile.published.is_some());
        for profile in published {
            let parser = Parser::builder(language).build().unwrap();
            let outcome = parser.parse_entry(Entry::text(Address::parse(profile.address).unwrap(), profile.text));
            assert_eq!(shown(&outcome), [""; 0], "{}", profile.address);
        }
        for word in ["tosca_simple_profile_for_nfv_1_0", "tosca_simple_profile_for_nfv_1_0_0"] {
            assert_eq!(shown(&of_profile(language, word, "")), [""; 0], "{word}");
        }
    }
}

fn of_profile(language: &'static Language, word: &str, text: &str) -> Outcome {
    let parser = Parser::builder(language).build().unwrap();
    let text = format!("tosca_definitions_version: {word}\n{text}");
    parser.parse_entry(Entry::text(address("entry.yaml"), text))
}

#[test]
fn version_words_bring_the_profile() {
    let text = "topology_template:\n  node_templates:\n    vdu: { type: tosca.nodes.nfv.VDU }\n    \
                link: { type: tosca.nodes.nfv.VL.ELAN, properties: { vendor: v } }\n    \
                port:\n      type: tosca.nodes.nfv.CP\n      requirements: [ { virtualLink: link }, { virtualBinding: vdu } ]\n    \
                edge: { type: tosca.nodes.mec.VDU }\n    short: { type: VDU }\n";
    for word in ["tosca_simple_profile_for_nfv_1_0", "tosca_simple_profile_for_nfv_1_0_0"] {
        assert_eq!(shown(&of_profile(&TOSCA, word, text)), [""; 0], "{word}");
        let mistaken = text.replace("vendor: v", "vender: v");
        let problems = shown(&of_profile(&TOSCA, word, &mistaken));
        assert!(problems[0].contains("`vender`"), "{problems:?}");
    }
    let without = shown(&of_profile(&TOSCA, "tosca_simple_yaml_1_2", text));
    assert!(without.iter().any(|problem| problem.contains("tosca.nodes.nfv.VDU")), "{without:?}");
}

#[test]
fn types_of_a_file_take_precedence_over_the_profile() {
    let types = "node_types:\n  tosca.nodes.nfv.VNF: { derived_from: tosca.nodes.Root, properties: { a: string } }\n\
                 topology_template:\n  node_templates:\n    vnf: { type: tosca.nodes.nfv.VNF, properties: { a: b } }\n";
    let types = types.replace("{ a: string }", "{ a: { type: string } }");
    assert_eq!(errors(&of_profile(&TOSCA, "tosca_simple_profile_for_nfv_1_0", &types)), [""; 0]);
    let text = format!(
        "tosca_definitions_version: tosca_simple_profile_for_nfv_1_0\nimports: [ {SITE}/v2.6.1/etsi_nfv_sol001_vnfd_types.yaml ]\n\
         node_types:\n  VNF1: {{ derived_from: tosca.nodes.nfv.VNF, properties: {{ vnfm_info: {{ type: list, entry_schema: {{ type: string }} }} }} }}\n"
    );
    assert_eq!(errors(&parse(&[("entry.yaml", text)])), [""; 0]);
}

#[test]
fn urls_and_names_refer_to_copies() {
    let url = |version: &str, name: &str| format!("{SITE}/{version}/{name}");
    let vnfd = "etsi_nfv_sol001_vnfd_types.yaml";
    for (imports, expected) in [
        (vec![vnfd.to_owned()], vec!["2.6.1/common", "2.6.1/vnfd"]),
        (vec![format!("./{vnfd}")], vec!["2.6.1/common", "2.6.1/vnfd"]),
        (vec![url("v2.7.1", vnfd)], vec!["2.7.1/common", "2.7.1/vnfd"]),
        (
            vec![url("v3.3.1", vnfd).replace("SOL001", "sol001").replace("/raw/", "/-/raw/")],
            vec!["3.3.1/common", "3.3.1/vnfd"],
        ),
        (vec!["etsi_nfv_sol001_vnfd_2_7_1_types.yaml".to_owned()], vec!["2.7.1/common", "2.7.1/vnfd"]),
        // The other imports determine the version.
        (vec![vnfd.to_owned(), url("v2.7.1", "etsi_nfv_sol001_common_types.yaml")], vec!["2.7.1/common", "2.7.1/vnfd"]),
        (
            vec![vnfd.to_owned(), "etsi_nfv_sol001_nsd_types.yaml".to_owned()],
            vec!["3.3.1/common", "3.3.1/nsd", "3.3.1/pnfd", "3.3.1/vnfd"],
        ),
    ] {
        let imports: Vec<&str> = imports.iter().map(String::as_str).collect();
        assert_eq!(copies(&imports), expected, "{imports:?}");
    }
}

#[test]
fn the_entry_determines_the_version_of_its_imports() {
    let entry = format!("{SITE}/v2.7.1/etsi_nfv_sol001_common_types.yaml");
    let files = [
        ("entry.yaml", file(&["types.yaml", &entry], "")),
        ("types.yaml", file(&["etsi_nfv_sol001_vnfd_types.yaml"], "")),
    ];
    let outcome = parse(&files);
    assert_eq!(copies_of(&outcome), ["2.7.1/common", "2.7.1/vnfd"]);
    assert_eq!(
        shown(&outcome),
        [
            "entry.yaml:4:5: warning[T1407]: `https://forge.etsi.org/rep/nfv/SOL001/raw/v2.7.1/\
             etsi_nfv_sol001_common_types.yaml` can't be read; the built-in version 2.7.1 of the file is used",
            "types.yaml:3:5: warning[T1407]: `etsi_nfv_sol001_vnfd_types.yaml` can't be read; the built-in version 2.7.1 \
             of the file is used",
        ]
    );
}

#[test]
fn files_of_the_template_take_precedence_over_copies() {
    let common = "tosca_definitions_version: tosca_simple_yaml_1_2\ncapability_types:\n  \
                  tosca.capabilities.nfv.VirtualLinkable: { derived_from: tosca.capabilities.Node }\n";
    let own = ("etsi_nfv_sol001_common_types.yaml", common.to_owned());
    let outcome = parse(&[("entry.yaml", file(&[own.0], "")), own.clone()]);
    assert_eq!((shown(&outcome), copies_of(&outcome)), (vec![], vec![]));
    // The same is true for another import that requests a copy, and for copies that import the file.
    let url = format!("{SITE}/v2.6.1/{}", own.0);
    let files = [("entry.yaml", file(&[own.0, "types.yaml"], "")), ("types.yaml", file(&[&url], "")), own.clone()];
    let outcome = parse(&files);
    let replaced = format!(
        "types.yaml:3:5: warning[T1407]: `{url}` can't be read; `memory:/{}` is used, which has the same name",
        own.0
    );
    assert_eq!((shown(&outcome), copies_of(&outcome)), (vec![replaced], vec![]));
    let outcome = parse(&[("entry.yaml", file(&[own.0, "etsi_nfv_sol001_vnfd_types.yaml"], "")), own]);
    assert_eq!(copies_of(&outcome), ["2.6.1/vnfd"]);
}

#[test]
fn other_files_and_versions_are_not_replaced() {
    for import in [
        &format!("{SITE}/v2.5.1/etsi_nfv_sol001_vnfd_types.yaml"),
        &format!("{SITE}/v2.6.1/etsi_nfv_sol001_nsd_types.yaml"),
        "https://example.org/v2.6.1/etsi_nfv_sol001_vnfd_types.yaml",
        "etsi_nfv_sol001_vnfd_types.yml",
        "etsi_nfv_sol001_vnf_types.yaml",
    ] {
        let outcome = parse(&[("entry.yaml", file(&[import], ""))]);
        assert_eq!(errors(&outcome).len(), 1, "{import}: {:?}", shown(&outcome));
    }
}

/// Templates that use one file each, valid and with one mistake.
#[test]
fn templates_use_the_types_of_copies() {
    const CP: &str = "properties: { layer_protocols: [ ipv4 ] }";
    let vnfd = "node_types:\n  acme.Vnf:\n    derived_from: tosca.nodes.nfv.VNF\ntopology_template:\n  node_templates:\n    \
                vdu:\n      type: tosca.nodes.nfv.Vdu.Compute\n      properties:\n        name: a\n        description: b\n        \
                vdu_profile: { min_number_of_instances: 1, max_number_of_instances: 2 }\n      capabilities:\n        \
                virtual_compute:\n          properties:\n            virtual_cpu: { num_virtual_cpu: 2 }\n            \
                virtual_memory: { virtual_mem_size: 4 GB }\n    port:\n      type: tosca.nodes.nfv.VduCp\n      \
                properties: { layer_protocols: [ ipv4 ] }\n      requirements: [ { virtual_binding: vdu } ]\n";
    let cp = format!("topology_template:\n  node_templates:\n    cp: {{ type: tosca.nodes.nfv.Cp, {CP} }}\n");
    let ns = "topology_template:\n  node_templates:\n    ns:\n      type: tosca.nodes.nfv.NS\n      properties:\n        \
              { descriptor_id: a, designer: b, version: c, name: d, invariant_id: e, flavour_id: f }\n";
    let pnf = "topology_template:\n  node_templates:\n    pnf:\n      type: tosca.nodes.nfv.PNF\n      properties:\n        \
               { descriptor_id: a, function_description: b, provider: c, version: d, descriptor_invariant_id: e, name: f }\n";
    let mistakes = [
        ("common", &*cp, "[ ipv4 ]", "[ ipv5 ]", "ipv5"),
        ("vnfd", vnfd, "num_virtual_cpu: 2", "num_virtual_cpus: 2", "`num_virtual_cpus`"),
        ("nsd", ns, "designer: b, ", "", "`designer`"),
        ("pnfd", pnf, "provider: c", "provider: [ c ]", "`provider`"),
    ];
    let mut tried = 0;
    for profile in TOSCA.profiles {
        let Some(published) = profile.published else { continue };
        let part = published.name.trim_start_matches("etsi_nfv_sol001_").trim_end_matches("_types.yaml");
        let (_, text, right, wrong, named) = mistakes.iter().find(|(of, ..)| *of == part).unwrap();
        let import = format!("{SITE}/v{}/{}", published.version, published.name);
        let outcome = parse(&[("entry.yaml", file(&[&import], text))]);
        assert_eq!(errors(&outcome), [""; 0], "{import}");
        let outcome = parse(&[("entry.yaml", file(&[&import], &text.replace(right, wrong)))]);
        let found = errors(&outcome);
        assert!(!found.is_empty() && found[0].contains(named), "{import}: {found:?}");
        tried += 1;
    }
    assert_eq!(tried, 8);
}

#[test]
fn sets_of_quirks_are_proposed_for_marked_files() {
    let import = format!("{SITE}/v2.6.1/etsi_nfv_sol001_vnfd_types.yaml");
    let text = "topology_template:\n  inputs:\n  node_templates:\n    a: { type: tosca.nodes.Root }\n";
    let proposed = |text: String| {
        let outcome = parse(&[("entry.yaml", text)]);
        assert!(!errors(&outcome).is_empty());
        TOSCA.quirk_set_for(&outcome.diagnostics, &outcome.sources).map(|set| set.name)
    };
    assert_eq!(proposed(file(&[&import], text)), Some("etsinfv"));
    assert_eq!(proposed(format!("tosca_definitions_version: tosca_simple_yaml_1_2\n{text}")), None);
    // No quirk accepts an unknown type.
    let unknown = "topology_template: { node_templates: { a: { type: acme.A } } }";
    assert_eq!(proposed(file(&[&import], unknown)), None);
}
