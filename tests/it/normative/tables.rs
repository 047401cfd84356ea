//! The normative types of 1.x compared with the tables of facts, in both directions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::{env, fs};

use super::compiled::{self, Types, short};
use super::{VERSIONS, parse};

/// A difference between a profile and the tables, with the reason.
struct Deviation {
    versions: &'static [&'static str],
    name: &'static str,
    /// The text in the table.
    table: &'static str,
    /// The text in the profile.
    profile: &'static str,
    #[allow(dead_code, reason = "for those who read this")]
    reason: &'static str,
}

const DEVIATIONS: &[Deviation] = &[
    Deviation {
        versions: &["1.0", "1.1", "1.2", "1.3"],
        name: "tosca.artifacts.Deployment.Image.VM",
        table: "derived from Deployment",
        profile: "derived from Deployment.Image",
        reason: "so say the committee's own profile and openstack; it is a deployment that way, too",
    },
    Deviation {
        versions: &["1.2", "1.3"],
        name: "tosca.nodes.Abstract.Storage",
        table: "",
        profile: "derived from Root",
        reason: "so says the committee's own profile; storage would lose its lifecycle between 1.1 and 1.2",
    },
    Deviation {
        versions: &["1.2", "1.3"],
        name: "tosca.nodes.Container.Runtime",
        table: "C host: Container from Container.Application",
        profile: "C host: Compute from Container.Application",
        reason: "container applications ask for `Compute`, which is a `Container`; by the table none could be hosted",
    },
    Deviation {
        versions: &["1.1", "1.2", "1.3"],
        name: "tosca.nodes.Container.Application",
        table: "R storage→Storage",
        profile: "R storage→Storage [0,UNBOUNDED]",
        reason: "the choice that the tables make for where the sources of 1.3 disagree: lenient",
    },
    Deviation {
        versions: &["1.3"],
        name: "tosca.nodes.Storage.BlockStorage",
        table: "",
        profile: "A volume_id: string",
        reason: "the choice that the tables make for where the sources of 1.3 disagree: with the attribute",
    },
];

/// Types that the tables only mention in sentences: their versions and parents.
const MENTIONED: &[(&str, &str, &[&str])] =
    &[("tosca.datatypes.json", "string", &["1.2", "1.3"]), ("tosca.datatypes.xml", "string", &["1.2", "1.3"])];

#[test]
fn profiles_are_like_the_tables() {
    let Some(shared) = env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!(
            "skipped: the tables of normative types, as TOSCA_PARSE_SHARED does not name the folder that has them"
        );
        return;
    };
    let path = PathBuf::from(shared).join("spec/tosca-1.x-entities.md");
    let tables = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut differences = Vec::new();
    let counts: Vec<usize> = VERSIONS
        .iter()
        .map(|version| {
            let mut expected = expected(&tables, version);
            differences.extend(deviate(&mut expected, version));
            let outcome = parse(version, "");
            let found = compiled::types(&outcome, &format!("builtin:/tosca/simple/{version}/profile.yaml"));
            differences.extend(compare(version, &expected, &found));
            expected.len()
        })
        .collect();
    assert!(differences.is_empty(), "\n{}", differences.join("\n"));
    // The numbers in the tables: 14 node types, 12 capability types and so on in 1.0.
    assert_eq!(counts, [14 + 12 + 8 + 3 + 6 + 8 + 1 + 5, 14 + 15 + 8 + 3 + 7 + 8 + 1 + 5, 63 + 2, 64 + 2]);
}

/// Returns the types of a version according to the tables.
fn expected(tables: &str, version: &str) -> Types {
    let tables = tables.split_once("## 4. Normative types").expect("there is a chapter of normative types").1;
    let mut types = Types::new();
    let mut changes = Vec::new();
    let mut section = "";
    for line in tables.lines() {
        if let Some(title) = line.strip_prefix("#### ") {
            let sections = ["node", "capability", "relationship", "interface", "data", "artifact", "group", "policy"];
            let known = sections.iter().find(|section| title.to_lowercase().starts_with(&format!("{section} types")));
            section = known.copied().unwrap_or(if title.starts_with("Changes") { "changes" } else { "" });
            continue;
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        match (&cells[..], section) {
            ([name, old_and_new, old, new], "changes") if name.starts_with("tosca.") => {
                changes.push((*name, *old_and_new, *old, *new));
            }
            ([name, parent, contents, versions], of)
                if name.starts_with("tosca.") && of != "changes" && !of.is_empty() =>
            {
                let versions = versions.split(';').next().unwrap_or_default();
                if versions == "all" || versions.split(", ").any(|known| known == version) {
                    let mut facts: BTreeSet<String> = facts(contents).into_iter().collect();
                    facts.extend((*parent != "–").then(|| format!("derived from {}", short(parent))));
                    types.insert((title(of), (*name).to_owned()), facts);
                }
            }
            _ => {}
        }
    }
    assert!(changes.len() > 15, "there is a table of changes");
    // The tables contain the latest form of each type; reverting changes results in the older ones.
    changes.sort_by_key(|(_, from, ..)| std::cmp::Reverse(from.to_owned()));
    for (name, from, old, new) in changes {
        if from.split('→').next().is_some_and(|last| version <= last) {
            // A type that does not exist in the older version has no changes to revert.
            let Some((_, facts_of_type)) = types.iter_mut().find(|((_, known), _)| known == name) else { continue };
            for fact in facts(new) {
                assert!(facts_of_type.remove(&fact), "{name}, {from}: {fact} is not there: {facts_of_type:?}");
            }
            facts_of_type.extend(facts(old));
        }
    }
    for (name, parent, versions) in MENTIONED {
        if versions.contains(&version) {
            types.insert((title("data"), (*name).to_owned()), BTreeSet::from([format!("derived from {parent}")]));
        }
    }
    types
}

fn title(section: &str) -> &'static str {
    let titles = BTreeMap::from([
        ("node", "node type"),
        ("capability", "capability type"),
        ("relationship", "relationship type"),
        ("interface", "interface type"),
        ("data", "data type"),
        ("artifact", "artifact type"),
        ("group", "group type"),
        ("policy", "policy type"),
    ]);
    titles[section]
}

/// Returns the facts of a cell: `P: name: string?, size: integer; C: host: Compute`.
fn facts(cell: &str) -> Vec<String> {
    let mut facts = Vec::new();
    for part in split(cell, ';').into_iter().filter(|part| *part != "–") {
        let (kind, rest) = part.split_once(": ").unwrap_or(("", part));
        let items = || split(rest, ',').into_iter();
        match kind {
            "P" => facts.extend(items().map(|item| format!("P {}", normal(item)))),
            "A" | "C" | "R" | "I" => facts.extend(items().map(|item| format!("{kind} {item}"))),
            "ops" => facts.extend(items().map(|item| format!("op {item}"))),
            "valid_target_types" => facts.extend(items().map(|item| format!("target {item}"))),
            "" if rest.starts_with("mime ") || rest.starts_with("ext ") || rest.starts_with('{') => {
                facts.push(rest.to_owned());
            }
            "" => facts.push(format!("derived from {rest}")),
            // The table of changes has properties without a letter.
            _ => facts.push(format!("P {}", normal(part))),
        }
    }
    facts
}

/// Normalizes a property to its form in YAML.
fn normal(property: &str) -> String {
    property.replace("{equal True}", "{equal true}")
}

/// Splits a text at separators outside of brackets.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (index, character) in text.char_indices() {
        match character {
            '[' | '{' | '<' => depth += 1,
            ']' | '}' | '>' => depth -= 1,
            _ if character == separator && depth == 0 => {
                parts.push(text[start..index].trim());
                start = index + character.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// Applies the known deviations to the expected types, and returns those that don't apply.
fn deviate(expected: &mut Types, version: &str) -> Vec<String> {
    let mut unfit = Vec::new();
    for deviation in DEVIATIONS.iter().filter(|deviation| deviation.versions.contains(&version)) {
        let facts = expected.iter_mut().find(|((_, name), _)| name == deviation.name).map(|(_, facts)| facts);
        let Some(facts) = facts else {
            unfit.push(format!("{version}: there is no {} to deviate from", deviation.name));
            continue;
        };
        if !deviation.table.is_empty() && !facts.remove(deviation.table) {
            unfit.push(format!("{version}: {} does not say {}", deviation.name, deviation.table));
        }
        if !facts.insert(deviation.profile.to_owned()) {
            unfit.push(format!("{version}: {} says {} already", deviation.name, deviation.profile));
        }
    }
    unfit
}

/// Returns the facts that only one side has.
fn compare(version: &str, expected: &Types, found: &Types) -> Vec<String> {
    let mut differences = Vec::new();
    let names: BTreeSet<_> = expected.keys().chain(found.keys()).collect();
    for key @ (section, name) in names {
        let (Some(expected), Some(found)) = (expected.get(key), found.get(key)) else {
            let side = if found.contains_key(key) { "profile" } else { "tables" };
            differences.push(format!("{version}: {section} {name} is in the {side} only"));
            continue;
        };
        let only = |facts: &BTreeSet<String>, others: &BTreeSet<String>, side| {
            let facts = facts.difference(others);
            facts.map(|fact| format!("{version}: {name}, {side} only: {fact}")).collect::<Vec<_>>()
        };
        differences.extend(only(expected, found, "tables"));
        differences.extend(only(found, expected, "profile"));
    }
    differences
}
