//! Checks that any valid name is found, with and without the prefix of an import.

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::Value;
use tosca_parse::normal::Service;
use tosca_parse::{Parser, TOSCA};

use super::{cases, codes, parse};

/// Returns a name without special characters: no `:`, and no `$` at its start.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[A-Za-z_][A-Za-z0-9_.-]{0,12}",
        1 => "[äöü日本😀 a-z'\"#&*!|>%@`{}\\[\\],?-]{1,8}",
        1 => prop::sample::select(vec!["true", "null", "1", "1.5", "~", "on", "<<", "=", "2026-11-21", "0x1F", "SELF"])
            .prop_map(str::to_owned),
    ]
}

/// Quotes a name so that it is valid in any YAML.
fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_type_is_found_by_its_name(name in name()) {
        let name = quoted(&format!("T{name}"));
        let outcome = parse(format!(
            "tosca_definitions_version: tosca_2_0\n\
             node_types: {{ {name}: {{ properties: {{ {name}: {{ type: {name} }} }} }} }}\n\
             data_types: {{ {name}: {{ derived_from: string }} }}\n\
             service_template: {{ node_templates: {{ {name}: {{ type: {name}, properties: {{ {name}: a }} }} }} }}\n"
        ));
        prop_assert_eq!(&outcome.diagnostics, &[]);
        prop_assert_eq!(Service::of(&outcome.program).unwrap().nodes.len(), 1);
    }

    #[test]
    fn another_name_is_not_found((name, other) in (name(), name())) {
        prop_assume!(name != other);
        let (name, other) = (quoted(&format!("T{name}")), quoted(&format!("T{other}")));
        let outcome = parse(format!(
            "tosca_definitions_version: tosca_2_0\n\
             node_types: {{ {name}: {{}} }}\n\
             service_template: {{ node_templates: {{ a: {{ type: {other} }} }} }}\n"
        ));
        prop_assert_eq!(codes(&outcome), ["T2001"]);
    }
}

proptest! {
    #![proptest_config(cases(50))]

    #[test]
    fn prefixes_of_imports_add_up(
        (name, prefixes) in (name(), prop::collection::vec("[a-z][a-z0-9_-]{0,6}", 1..5)),
    ) {
        // Each file imports the next one with a prefix; the last one has the type.
        let folder = tempfile::tempdir().unwrap();
        let name = format!("T{name}");
        for number in 0..=prefixes.len() {
            let mut text = "tosca_definitions_version: tosca_2_0\n".to_owned();
            if let Some(prefix) = prefixes.get(number) {
                writeln!(text, "imports: [ {{ url: f{}.yaml, namespace: '{prefix}' }} ]", number + 1).unwrap();
                let long = quoted(&format!("{}:{name}", prefixes[number..].join(":")));
                writeln!(text, "node_types: {{ Own{number}: {{ derived_from: {long} }} }}").unwrap();
            } else {
                writeln!(text, "node_types: {{ {}: {{}} }}", quoted(&name)).unwrap();
            }
            std::fs::write(folder.path().join(format!("f{number}.yaml")), text).unwrap();
        }
        let outcome = Parser::builder(&TOSCA).directory(folder.path()).build().unwrap().parse("f0.yaml").unwrap();
        prop_assert_eq!(&outcome.diagnostics, &[]);
        let names: Vec<&str> = outcome.sources.iter().map(|source| source.name()).collect();
        for number in 0..=prefixes.len() {
            let file = format!("f{number}.yaml");
            prop_assert_eq!(names.iter().filter(|name| name.ends_with(&file)).count(), 1, "{:?}", names);
        }
    }
}
