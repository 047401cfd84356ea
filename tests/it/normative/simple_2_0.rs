//! The Simple Profile for TOSCA 2.0 compared with that of 1.3: the complete list of differences.

use std::collections::{BTreeMap, BTreeSet};

use super::compiled::{self, Types};
use super::{parse, problems};

/// Facts that only 1.3 has (`-`) and that only 2.0 has (`+`).
const DIFFERENCES: &[&str] = &[
    // In 2.0, scalars are normal types, and a data type without a parent must have properties.
    "+ data type Bitrate",
    "+ data type Frequency",
    "+ data type Size",
    "+ data type Time",
    "- data type Root",
    "- data type Credential: derived from Root",
    "- data type NetworkInfo: derived from Root",
    "- data type PortInfo: derived from Root",
    "- data type PortSpec: derived from Root",
    "- data type TimeInterval: derived from Root",
    // There are no ranges in 2.0.
    "+ data type PortSpec: P source_range: list<PortDef>?",
    "+ data type PortSpec: P target_range: list<PortDef>?",
    "- data type PortSpec: P source_range: range?",
    "- data type PortSpec: P target_range: range?",
    // Files in 2.0 use this operation.
    "+ interface type Standard: op modify",
    // Files in 2.0 omit this property.
    "+ node type Abstract.Storage: P name: string?",
    "- node type Abstract.Storage: P name: string",
    // Every property is also an attribute.
    "- node type Network: A segmentation_id: string",
    "- node type Port: A ip_address: string",
    "- node type Storage.BlockStorage: A volume_id: string",
    "- relationship type AttachesTo: A device: string",
    // Only 1.x has counts for capabilities.
    "+ node type LoadBalancer: C client: Endpoint.Public",
    "- node type LoadBalancer: C client: Endpoint.Public [0,UNBOUNDED]",
    // Requirements must specify their relationships in 2.0.
    "+ node type Container.Application: R network→Network via Root [1,1]",
    "+ node type Container.Application: R storage→Storage via Root [0,UNBOUNDED]",
    "- node type Container.Application: R network→Network [1,1]",
    "- node type Container.Application: R storage→Storage [0,UNBOUNDED]",
];

#[test]
fn the_profile_for_2_0_differs_from_that_of_1_3_as_listed() {
    let of_1_3 = compiled::types(&parse("1.3", ""), "builtin:/tosca/simple/1.3/profile.yaml");
    let import = parse("2.0", "imports: [ { profile: 'org.oasis-open.simple:2.0' } ]");
    let of_2_0 = flat(&compiled::types(&import, "builtin:/tosca/simple/2.0/profile.yaml"), without_constraints);
    let of_1_3 = flat(&of_1_3, as_in_2_0);
    let gone = of_1_3.difference(&of_2_0).map(|fact| format!("- {fact}"));
    let new = of_2_0.difference(&of_1_3).map(|fact| format!("+ {fact}"));
    // A type that only one version has is one difference, whatever its contents are.
    let types: BTreeSet<String> = [&of_1_3, &of_2_0].map(of_types).concat().into_iter().collect();
    let both: BTreeSet<String> =
        types.iter().filter(|name| of_1_3.contains(*name) && of_2_0.contains(*name)).cloned().collect();
    let found: BTreeSet<String> = gone
        .chain(new)
        .filter(|difference| difference[2..].split_once(": ").is_none_or(|(name, _)| both.contains(name)))
        .collect();
    let expected: BTreeSet<String> = DIFFERENCES.iter().map(|difference| (*difference).to_owned()).collect();
    assert_eq!(
        (found.difference(&expected).collect::<Vec<_>>(), expected.difference(&found).collect::<Vec<_>>()),
        (Vec::new(), Vec::new()),
        "unexpected differences on the left, missing ones on the right"
    );
}

fn of_types(facts: &BTreeSet<String>) -> Vec<String> {
    facts.iter().filter(|fact| !fact.contains(": ")).cloned().collect()
}

/// Returns all facts of all types in one set, and the types themselves.
fn flat(types: &Types, change: fn(&str) -> String) -> BTreeSet<String> {
    let mut flat = BTreeSet::new();
    for ((section, name), facts) in types {
        let name = as_in_2_0(compiled::short(name));
        flat.insert(format!("{section} {name}"));
        flat.extend(facts.iter().map(|fact| format!("{section} {name}: {}", change(fact))));
    }
    flat
}

/// Removes the constraints from a fact, because the two versions write them differently.
fn without_constraints(fact: &str) -> String {
    let (fact, constraints) = fact.split_once('{').unwrap_or((fact, ""));
    if constraints.is_empty() || fact.starts_with("P ") { fact.trim_end().to_owned() } else { "constraints".to_owned() }
}

/// Returns a fact of 1.3 with the names of 2.0, and with the implications of 1.3.
fn as_in_2_0(fact: &str) -> String {
    let scalars = BTreeMap::from([("scalar-unit.size", "Size"), ("scalar-unit.frequency", "Frequency")]);
    let mut fact = without_constraints(fact);
    for (old, new) in scalars {
        fact = fact.replace(old, new);
    }
    for small in ["network.", "node.lifecycle.", "relationship."] {
        fact = fact.replace(small, "");
    }
    // In 2.0, properties with a default are not optional.
    fact = fact.replace("?=", "=");
    if fact.starts_with("R ") && !fact.contains('[') {
        fact += " [1,1]";
    }
    fact
}

#[test]
fn a_service_is_checked_against_the_profile() {
    let text = "\
imports:
  - profile: org.oasis-open.simple:2.0
    namespace: tosca
node_types:
  Recorder:
    derived_from: tosca:Root
    properties:
      rate: { type: tosca:Bitrate }
      period: { type: tosca:Time }
service_template:
  node_templates:
    recorder:
      type: Recorder
      properties: { rate: 1.5 MiBps, period: 0.5 d }
    disk:
      type: tosca:Storage.BlockStorage
      properties: { size: 20 GiB }
    server:
      type: tosca:Compute
      capabilities:
        host:
          properties: { num_cpus: 4, cpu_frequency: 2.4 GHz, mem_size: 1.5 GiB }
      requirements:
        - local_storage:
            node: disk
            relationship: { type: tosca:AttachesTo, properties: { location: /data } }
    database:
      type: tosca:DBMS
      requirements:
        - host: server
";
    assert_eq!(problems("2.0", text), [""; 0]);
    let rules = |text: &str| -> Vec<&str> {
        parse("2.0", text).diagnostics.iter().map(|diagnostic| diagnostic.rule.name).collect()
    };
    assert_eq!(rules(&text.replace("num_cpus: 4", "num_cpus: 0")), ["validation-failed"]);
    assert_eq!(rules(&text.replace("1.5 GiB", "-1 GiB")), ["validation-failed"]);
    assert_eq!(rules(&text.replace("20 GiB", "20 Gib")), ["unknown-unit"]);
    assert_eq!(rules(&text.replace("/data", "''")), ["validation-failed"]);
    assert_eq!(rules(&text.replace("node: disk", "node: database")), ["wrong-target"]);
}
