//! Templates that members of the technical committee have written as examples.
//!
//! They import profiles by name that are published elsewhere. So they are read twice: alone, and with profiles of our
//! own that have what the examples need of those.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tosca_parse::diagnostic::render::Concise;
use tosca_parse::{Outcome, Parser};

/// The examples of 2.0, with the problems that they have without the profiles that they import.
const ALONE: &[(&str, &[&str])] = &[
    ("kubernetes_clusters", &["7:14: T1402 profile `community.tosca.abstract.platform:0.1` is not known"]),
    ("online_boutique", &["4:14: T1402 profile `community.tosca.abstract.application:0.1` is not known"]),
    (
        "substitutions/microservice",
        &[
            "12:14: T1402 profile `community.tosca.abstract.application:0.1` is not known",
            "14:14: T1402 profile `io.kubernetes:1.35` is not known",
            "16:14: T1402 profile `community.tosca.core:0.1` is not known",
        ],
    ),
];

/// The problems that they have even so, with what is wrong in the example.
const WITH_PROFILES: &[(&str, &[&str], &str)] = &[(
    "substitutions/microservice",
    &["119:21: T5205 `$concat` needs a string or a list here, not a `EnvVar`"],
    "the index after `RELATIONSHIP, endpoint` is missing, so that the path leads to the first of the relationships only \
     (2.0, 10.3) and gives one variable, not a list of them; `ALL` is meant",
)];

#[test]
fn examples_alone_lack_nothing_but_their_profiles() {
    let Some(folder) = super::folder("oasis-examples") else { return };
    let parser = Parser::builder().directory(&folder).offline(true).build().unwrap();
    let examples = examples(&folder);
    let expected: Vec<PathBuf> = ALONE.iter().map(|(name, _)| folder.join(name).join("main.yaml")).collect();
    assert_eq!(examples, expected, "the examples of TOSCA 2.0");
    for (name, problems) in ALONE {
        assert_eq!(lines(&parse(&parser, &folder, name)), *problems, "{name}");
    }
}

#[test]
fn examples_with_their_profiles_have_no_other_problems_than_their_own() {
    let Some(folder) = super::folder("oasis-examples") else { return };
    let profiles = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/profiles");
    let parser = Parser::builder().directory(&folder).profile_path(profiles).offline(true).build().unwrap();
    let known: BTreeMap<&str, &[&str]> = WITH_PROFILES.iter().map(|(name, problems, _)| (*name, *problems)).collect();
    for (name, _) in ALONE {
        let outcome = parse(&parser, &folder, name);
        assert_eq!(lines(&outcome), known.get(name).copied().unwrap_or_default(), "{name}");
        let service = outcome.service().unwrap();
        assert!(!service.nodes.is_empty(), "{name}");
    }
}

fn parse(parser: &Parser, folder: &Path, name: &str) -> Outcome {
    parser.parse(folder.join(name).join("main.yaml").to_str().unwrap()).unwrap()
}

/// The problems of the entry, each in a line without the name of the file.
fn lines(outcome: &Outcome) -> Vec<String> {
    let shown = Concise::new(&outcome.diagnostics, &outcome.sources).to_string();
    shown.lines().map(|line| line.split_once("main.yaml:").map_or(line, |(_, rest)| rest).to_owned()).collect()
}

/// The files below a folder that are TOSCA 2.0, in order.
fn examples(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
                && fs::read_to_string(&path).unwrap().contains("tosca_definitions_version: tosca_2_0")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
