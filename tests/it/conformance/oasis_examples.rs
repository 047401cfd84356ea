//! Example templates by members of the technical committee.
//!
//! The examples of 2.0 import profiles by name that are published elsewhere. So they are read twice: alone, and with
//! minimal profiles from this repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use tosca_parse::diagnostic::Severity;
use tosca_parse::diagnostic::render::Concise;
use tosca_parse::normal::{Options, Service};
use tosca_parse::resolve::resolve_entry;
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

/// The examples of 2.0, with the problems that they have without the profiles that they import.
const ALONE: &[(&str, &[&str])] = &[
    ("kubernetes_clusters", &["7:14: error[T1402]: profile `community.tosca.abstract.platform:0.1` is unknown"]),
    ("online_boutique", &["4:14: error[T1402]: profile `community.tosca.abstract.application:0.1` is unknown"]),
    (
        "substitutions/microservice",
        &[
            "12:14: error[T1402]: profile `community.tosca.abstract.application:0.1` is unknown",
            "14:14: error[T1402]: profile `io.kubernetes:1.35` is unknown",
            "16:14: error[T1402]: profile `community.tosca.core:0.1` is unknown",
        ],
    ),
];

/// The problems that the examples of 2.0 still have with profiles, and the mistakes in the examples.
const WITH_PROFILES: &[(&str, &[&str], &str)] = &[(
    "substitutions/microservice",
    &["119:21: error[T5205]: `$concat` needs a string or a list here, not a `EnvVar`"],
    "the index after `RELATIONSHIP, endpoint` is missing, so that the path leads to the first of the relationships only \
     (2.0, 10.3) and gives one variable, not a list of them; `ALL` is meant",
)];

const CATALOGUE: &str = "it names a profile of a catalogue under `file`, where 1.3 wants the address of a file";
const SHORT_NAME: &str = "`short_name` is no keyname of the standard, not even of its draft for 1.0 (decision B 26)";
const LINKS: &str = "the profiles that it imports are not among the examples";

/// The errors of the examples of 1.x, by the codes of their rules, and the mistakes. All other examples have none.
const SIMPLE: &[(&str, &[&str], &str)] = &[
    (
        "TMForum_oda/diagrams/ODACoreCommerceManagement/DeclarativeWorkflows/ODACoreCommerceManagement.yaml",
        &["T1001", "T1205", "T1303", "T5502"],
        "the version does not come first, it names a profile of a catalogue under `file`, has requirements of node types \
         in a map, and workflows the steps of which follow each other in loops",
    ),
    ("TMForum_oda/diagrams/ODACoreCommerceManagement/ODACoreCommerceManagement.yaml", &["T1001"], CATALOGUE),
    ("TMForum_oda/profiles/com/sigscale/1.0/profile.yaml", &["T1001"], CATALOGUE),
    ("TMForum_oda/profiles/com/vodafone/1.0/profile.yaml", &["T1001"], CATALOGUE),
    ("TMForum_oda/profiles/org/oasis-open/non-normative/1.3/capability.yaml", &["T1201"], SHORT_NAME),
    ("TMForum_oda/profiles/org/oasis-open/non-normative/1.3/node.yaml", &["T1201"], SHORT_NAME),
    ("TMForum_oda/profiles/org/oasis-open/non-normative/1.3/profile.yaml", &["T1201"], SHORT_NAME),
    ("TMForum_oda/profiles/org/oasis-open/simple/1.3/artifact_types.yaml", &["T1201"], SHORT_NAME),
    ("TMForum_oda/profiles/org/oasis-open/simple/1.3/capability_types.yaml", &["T1201"], SHORT_NAME),
    ("TMForum_oda/profiles/org/oasis-open/simple/1.3/data_types.yaml", &["T1201"], SHORT_NAME),
    ("TMForum_oda/profiles/org/oasis-open/simple/1.3/node_types.yaml", &["T1201"], SHORT_NAME),
    ("TMForum_oda/profiles/org/oasis-open/simple/1.3/profile.yaml", &["T1201"], SHORT_NAME),
    ("TMForum_oda/profiles/org/oasis-open/simple/1.3/relationship_types.yaml", &["T1201"], SHORT_NAME),
    ("TMForum_oda/services/ODACoreCommerceManagement/ODACoreCommerceManagement.yaml", &["T1001"], CATALOGUE),
    ("TMForum_oda/services/ODAcomponent/ODAcomponent.yaml", &["T1001"], CATALOGUE),
    ("TMForum_oda/services/ODAcomponents_dependant/ODAcomponents_dependant.yaml", &["T1001"], CATALOGUE),
    ("turandot/hello-world/hello-world.yaml", &["T1001"], LINKS),
    ("turandot/telephony-network-service/asterisk-cnf/asterisk-cnf.yaml", &["T1001"], LINKS),
    ("turandot/telephony-network-service/asterisk-vnf/asterisk-vnf.yaml", &["T1001"], LINKS),
    ("turandot/telephony-network-service/simple-data-plane/simple-data-plane.yaml", &["T1001"], LINKS),
    ("turandot/telephony-network-service/telephony-network-service/telephony-network-service.yaml", &["T1001"], LINKS),
    ("tutorial/artifacts.yaml", &["T1204"], "an artifact has no `file`, which is mandatory"),
    (
        "tutorial/copy.yaml",
        &["T5106", "T5301"],
        "a copy must not be copied; and what a copy assigns replaces what is copied as a whole, so that properties within \
         it are missing",
    ),
    (
        "tutorial/requirements-and-capabilities.yaml",
        &["T5307"],
        "a requirement is assigned more often than the type allows",
    ),
];

#[test]
fn problems_of_examples_of_1_x_are_mistakes() {
    let Some(folder) = super::folder("oasis-examples") else { return };
    let folder = folder.join("1.3");
    let parser = Parser::builder(&TOSCA).directory(&folder).offline(true).build().unwrap();
    let mut found: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let examples = examples(&folder, "tosca_definitions_version: tosca_simple");
    assert!(examples.len() > 50, "only {} examples", examples.len());
    for path in &examples {
        let outcome = parser.parse(path.to_str().unwrap()).unwrap();
        let errors = outcome.diagnostics.iter().filter(|problem| problem.severity == Severity::Error);
        let codes: BTreeSet<&str> = errors.map(|problem| problem.rule.code).collect();
        if !codes.is_empty() {
            let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
            found.insert(name, codes.into_iter().collect());
        }
    }
    let known: BTreeMap<String, Vec<&str>> =
        SIMPLE.iter().map(|(name, codes, _)| ((*name).to_owned(), codes.to_vec())).collect();
    assert_eq!(found, known);
}

#[test]
fn examples_only_lack_their_profiles() {
    let Some(folder) = super::folder("oasis-examples") else { return };
    let parser = Parser::builder(&TOSCA).directory(&folder).offline(true).build().unwrap();
    let examples = examples(&folder, "tosca_definitions_version: tosca_2_0");
    let expected: Vec<PathBuf> = ALONE.iter().map(|(name, _)| folder.join(name).join("main.yaml")).collect();
    assert_eq!(examples, expected, "the examples of TOSCA 2.0");
    for (name, problems) in ALONE {
        assert_eq!(lines(&parse(&parser, &folder, name)), *problems, "{name}");
    }
}

#[test]
fn examples_with_their_profiles_only_have_their_own_problems() {
    let Some(folder) = super::folder("oasis-examples") else { return };
    let profiles = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/profiles");
    let parser = Parser::builder(&TOSCA).directory(&folder).profile_path(profiles).offline(true).build().unwrap();
    let known: BTreeMap<&str, &[&str]> = WITH_PROFILES.iter().map(|(name, problems, _)| (*name, *problems)).collect();
    for (name, _) in ALONE {
        let outcome = parse(&parser, &folder, name);
        assert_eq!(lines(&outcome), known.get(name).copied().unwrap_or_default(), "{name}");
        let service = Service::of(&outcome.program).unwrap();
        assert!(!service.nodes.is_empty(), "{name}");
    }
}

/// Checks that the dependencies of a node are deployed before it, and that it waits for nothing else, so that no stage
/// could be omitted.
#[test]
fn plans_are_in_order_and_minimal() {
    let Some(folder) = super::folder("oasis-examples") else { return };
    let profiles = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/profiles");
    let parser = Parser::builder(&TOSCA).directory(&folder).profile_path(profiles).offline(true).build().unwrap();
    let (mut plans, mut links, mut stages) = (0, 0, 0);
    for file in examples(&folder, "node_templates:") {
        let entry = Entry::at(parser.address(file.to_str().unwrap()).unwrap());
        let (outcome, resolution) = resolve_entry(&parser, entry);
        let options = Options { resolution: resolution.as_ref(), ..Options::default() };
        let Some((service, _)) = Service::evaluated(&outcome.program, options) else { continue };
        let plan = service.plan();
        let name = file.display();
        let level: BTreeMap<&str, usize> = plan
            .deployment
            .iter()
            .enumerate()
            .flat_map(|(level, stage)| stage.steps.iter().map(move |step| (&*step.node, level)))
            .collect();
        assert_eq!(level.len(), service.nodes.len(), "{name}: every node is in one stage");
        let is_looped = |a: &str, b: &str| {
            plan.loops.iter().any(|nodes| [a, b].iter().all(|node| nodes.iter().any(|other| **other == **node)))
        };
        for step in plan.deployment.iter().flat_map(|stage| &stage.steps) {
            let node = &service.nodes[&*step.node];
            let targets: BTreeSet<&str> =
                node.requirements.iter().filter_map(|requirement| Some(&*requirement.target.as_ref()?.node)).collect();
            for target in targets.iter().filter(|target| **target != &*step.node && !is_looped(target, &step.node)) {
                assert!(step.after.iter().any(|other| **other == **target), "{name}: {} needs {target}", step.node);
                links += 1;
            }
            let has_attributes = serde_json::to_string(node).unwrap().contains("get_attribute");
            assert!(
                has_attributes || step.after.iter().all(|other| targets.contains(&**other)),
                "{name}: {}",
                step.node
            );
            let others = step.after.iter().filter(|other| !is_looped(other, &step.node));
            let first = others.map(|other| level[&**other] + 1).max().unwrap_or(0);
            let own = level[&*step.node];
            assert!(own == first || own > first && is_looped(&step.node, &step.node), "{name}: {}", step.node);
        }
        plans += usize::from(service.nodes.len() > 1);
        stages = stages.max(plan.deployment.len());
    }
    eprintln!("{plans} plans of several nodes, {links} links, up to {stages} stages");
    assert!(plans > 20 && links > 50 && stages > 3, "{plans} plans, {links} links, {stages} stages");
}

fn parse(parser: &Parser, folder: &Path, name: &str) -> Outcome {
    parser.parse(folder.join(name).join("main.yaml").to_str().unwrap()).unwrap()
}

/// Returns the problems of the entry, one per line without the name of the file.
fn lines(outcome: &Outcome) -> Vec<String> {
    let shown = Concise::new(&outcome.diagnostics, &outcome.sources).to_string();
    shown.lines().map(|line| line.split_once("main.yaml:").map_or(line, |(_, rest)| rest).to_owned()).collect()
}

/// Returns the files below a folder that contain a text, in order.
fn examples(folder: &Path, content: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
                && fs::read_to_string(&path).unwrap().contains(content)
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
