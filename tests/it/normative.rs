//! The built-in units of TOSCA: their types and the names of the types.
//!
//! Tables with the types of 1.x are not part of this repository. The environment variable `TOSCA_PARSE_SHARED` names a
//! folder that contains them as `spec/tosca-1.x-entities.md`; without the variable, the comparison is skipped with a
//! message.

mod compiled;
mod names;
mod packed;
mod published;
mod simple_2_0;
mod tables;

use tosca_parse::diagnostic::render::Concise;
use tosca_parse::entity::Language;
use tosca_parse::source::Address;
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

/// The versions that have normative types, in order.
const VERSIONS: [&str; 4] = ["1.0", "1.1", "1.2", "1.3"];

/// Returns the first line of a file in a version.
fn head(version: &str) -> String {
    match version {
        "2.0" => "tosca_definitions_version: tosca_2_0\n".to_owned(),
        _ => format!("tosca_definitions_version: tosca_simple_yaml_{}\n", version.replace('.', "_")),
    }
}

/// Parses a text in a version.
fn parse(version: &str, text: &str) -> Outcome {
    parse_as(&TOSCA, version, text)
}

fn parse_as(language: &'static Language, version: &str, text: &str) -> Outcome {
    let parser = Parser::builder(language).build().unwrap();
    let address = Address::parse("memory:entry.yaml").unwrap();
    parser.parse_entry(Entry::text(address, format!("{}{text}", head(version))))
}

/// Returns the problems of a text in a version, one per line.
fn problems(version: &str, text: &str) -> Vec<String> {
    shown(&parse(version, text))
}

fn shown(outcome: &Outcome) -> Vec<String> {
    let shown = Concise::new(&outcome.diagnostics, &outcome.sources).to_string();
    shown.lines().map(|line| line.trim_start_matches("memory:/").to_owned()).collect()
}

#[test]
fn built_in_units_have_no_problems() {
    for language in [&TOSCA, packed::read_each_time()] {
        let problems = |version, text: &str| shown(&parse_as(language, version, text));
        for version in VERSIONS.into_iter().chain(["2.0"]) {
            assert_eq!(problems(version, ""), [""; 0], "{version}");
        }
        for name in ["org.oasis-open.simple:2.0", "org.oasis-open.tosca.simple:2.0"] {
            assert_eq!(problems("2.0", &format!("imports: [ {{ profile: '{name}' }} ]")), [""; 0], "{name}");
        }
    }
}
