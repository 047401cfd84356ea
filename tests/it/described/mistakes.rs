//! Mistakes in every field that is described as having values must be reported there.

use serde_json::{Value as Json, json};
use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::entity::{FieldDescription, LanguageVersion};
use tosca_parse::grammar::version::V2_0;
use tosca_parse::source::Address;
use tosca_parse::{Entry, Parser, TOSCA};

use super::{VERSIONS, shown, template, ways};

/// The name of a mistake, the value that contains it, and the codes that report it.
type Mistake = (&'static str, Json, &'static [&'static str]);

/// Returns the mistakes to look for in a version. In types, these are only mistakes that don't depend on a service: a
/// type can be used with other inputs and, before 2.0, with other node templates.
fn mistakes(version: LanguageVersion, is_in_service: bool) -> Vec<Mistake> {
    let call = |function: &str, arguments: Json| {
        let name = if version >= V2_0 { format!("${function}") } else { function.to_owned() };
        json!({ name: arguments })
    };
    let mut mistakes: Vec<Mistake> = vec![
        ("an unknown function", call("get_inputt", json!(["T"])), &["T5201", "T5101"]),
        ("a missing argument", call("get_property", json!(["SELF"])), &["T5204"]),
    ];
    if is_in_service || version >= V2_0 {
        let path = call("get_property", json!(["nowhere", "p"]));
        mistakes.push(("a path to nothing", path, &["T5213", "T5214"]));
    }
    if is_in_service {
        mistakes.push(("an unknown input", call("get_input", json!("nowhere")), &["T5211", "T5212"]));
    }
    mistakes
}

#[test]
fn mistakes_in_values_are_reported_once_in_every_field() {
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let address = Address::parse("memory:template.yaml").unwrap();
    let (mut number, mut wrong) = (0, Vec::new());
    for version in VERSIONS {
        let has_value = |field: &FieldDescription| field.value.is_some_and(|versions| versions.contains(version.1));
        for way in ways(version.1, |_| true, has_value) {
            let is_in_service = way[0].field.ident == "service_template";
            for (what, value, codes) in mistakes(version.1, is_in_service) {
                number += 1;
                let (text, written) = (template(version, &way, &value).to_string(), value.to_string());
                let start = text.find(&written).unwrap();
                let place = start..start + written.len();
                let outcome = parser.parse_entry(Entry::text(address.clone(), text.as_str()));
                let is_there = |problem: &&Diagnostic| place.contains(&(problem.span.start as usize));
                let found: Vec<_> = outcome.diagnostics.iter().filter(is_there).collect();
                let of_mistake = found.iter().filter(|problem| codes.contains(&problem.rule.code)).count();
                if of_mistake != 1 {
                    let found: Vec<_> = found.iter().map(|problem| (problem.rule.code, &problem.message)).collect();
                    wrong.push(format!("{}: {what} in {}: {found:?}\n{text}", version.0, shown(&way)));
                }
            }
        }
    }
    assert!(number > 1000, "there are few fields with values: {number}");
    assert!(wrong.is_empty(), "{} are not reported once:\n{}", wrong.len(), wrong.join("\n"));
}
