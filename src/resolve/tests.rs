//! Tests of the limit on comparisons.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use super::{Resolution, resolve_entry};
use crate::rules;
use crate::{Entry, Outcome, Parser, TOSCA};

/// Resolves a service with as many applications as servers; the filter compares each pair.
fn resolve(number: usize, filter: &str) -> (Outcome, Option<Resolution>) {
    let mut text = String::from(
        "tosca_definitions_version: tosca_2_0
capability_types: { Host: {} }
relationship_types: { On: {} }
node_types:
  Server: { properties: { size: { type: integer } }, capabilities: { host: { type: Host } } }
  App:
    properties: { need: { type: integer } }
    requirements: [ host: { capability: Host, relationship: On, count_range: [ 1, 1 ] } ]
service_template:
  node_templates:
",
    );
    for size in 0..number {
        writeln!(text, "    s{size}: {{ type: Server, properties: {{ size: {size} }} }}").unwrap();
        writeln!(text, "    a{size}:\n      type: App\n      properties: {{ need: {size} }}").unwrap();
        writeln!(text, "      requirements: [ host: {{ node_filter: {filter} }} ]").unwrap();
    }
    let parser = Parser::builder(&TOSCA).build().unwrap();
    resolve_entry(&parser, Entry::text(parser.address("many.yaml").unwrap(), text))
}

/// A comparison that no node fulfills, and that can't be looked up.
const NEVER: &str = "{ $less_than: [ { $get_property: [ SELF, TARGET, size ] }, { $difference: [ -1, { $get_property: [ SELF, SOURCE, need ] } ] } ] }";

/// A comparison that half of all pairs fulfill.
const HALF: &str =
    "{ $greater_or_equal: [ { $get_property: [ SELF, TARGET, size ] }, { $get_property: [ SELF, SOURCE, need ] } ] }";

fn count(outcome: &Outcome, rule: &'static crate::diagnostic::Rule) -> usize {
    outcome.diagnostics.iter().filter(|problem| problem.rule.code == rule.code).count()
}

#[test]
fn few_are_all_compared() {
    let (outcome, _) = resolve(20, NEVER);
    assert_eq!(count(&outcome, &rules::UNFULFILLED_REQUIREMENT), 20);
    assert_eq!(count(&outcome, &rules::UNDECIDED_REQUIREMENT), 0);
}

#[test]
fn of_many_not_all_are_compared_which_is_reported() {
    // In tests, the limit is 10 000 comparisons with this filter.
    let (outcome, _) = resolve(150, NEVER);
    let (impossible, undecided) =
        (count(&outcome, &rules::UNFULFILLED_REQUIREMENT), count(&outcome, &rules::UNDECIDED_REQUIREMENT));
    assert_eq!(impossible + undecided, 150);
    assert!(impossible >= 60 && undecided >= 60, "{impossible} {undecided}");
    let found = outcome.diagnostics.iter().find(|problem| problem.rule.code == rules::UNDECIDED_REQUIREMENT.code);
    assert!(found.unwrap().message.contains("too many nodes"), "{found:?}");
}

#[test]
fn of_many_the_first_that_fits_is_still_chosen() {
    let (_, resolution) = resolve(150, &HALF.replace("SELF, SOURCE, need", "SELF, TARGET, size"));
    assert_eq!(resolution.unwrap().connections.len(), 150);
    let (outcome, resolution) = resolve(150, HALF);
    let connections = resolution.unwrap().connections.len();
    assert!(connections >= 60, "{connections}");
    assert_eq!(connections + count(&outcome, &rules::UNDECIDED_REQUIREMENT), 150);
}
