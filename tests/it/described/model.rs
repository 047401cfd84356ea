//! Everything that a service template contains must be in its model.

use serde_json::{Value as Json, json};
use tosca_parse::diagnostic::Secrets;
use tosca_parse::entity::{FieldDescription, Form, Shape};
use tosca_parse::grammar::version::V2_0;
use tosca_parse::normal::Service;
use tosca_parse::source::Address;
use tosca_parse::{Entry, Parser, TOSCA};

use super::{VERSIONS, shown, template, ways};

/// A value that occurs nowhere else, for each shape of a field that can be recognized in the model.
fn mark(shape: Shape) -> Option<Json> {
    match shape {
        Shape::Scalar(_, Form::Count) => Some(json!(8_675_309)),
        Shape::Scalar(_, Form::Any | Form::String) | Shape::Value | Shape::Values => Some(json!("marker")),
        Shape::Scalar(_, Form::Either(forms)) if forms.contains(&Form::String) => Some(json!("marker")),
        _ => None,
    }
}

#[test]
fn no_field_of_a_service_template_is_missing_in_the_model() {
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let address = Address::parse("memory:template.yaml").unwrap();
    let (mut number, mut missing, mut leaked) = (0, Vec::new(), Vec::new());
    for version in VERSIONS {
        let is_in_service = |field: &FieldDescription| ["service_template", "functions"].contains(&field.ident);
        for way in ways(version.1, is_in_service, |field| mark(field.shape).is_some()) {
            number += 1;
            let mark = mark(way.last().unwrap().field.shape).unwrap();
            let mut template = template(version, &way, &mark);
            if version.1 >= V2_0 {
                // Only functions that are called are in a model.
                template["service_template"]["outputs"]["call"] = json!({ "value": { "$T": [] } });
            }
            let outcome = parser.parse_entry(Entry::text(address.clone(), template.to_string()));
            let service = Service::of(&outcome.program).unwrap();
            let mark = mark.to_string();
            let mark = mark.trim_matches('"');
            let is_there = |service: &Service| serde_json::to_string(service).unwrap().contains(mark);
            if !is_there(&service) {
                let found: Vec<_> = outcome.diagnostics.iter().map(|problem| &problem.message).collect();
                missing.push(format!("{}: {}\n{template}\n{found:?}", version.0, shown(&way)));
            }
            // Names of members are not masked.
            let is_name = ["capability", "interface", "targets"].contains(&way.last().unwrap().field.ident);
            if !is_name && is_there(&service.masked(&Secrets::of([mark].into_iter()))) {
                leaked.push(format!("{}: {}", version.0, shown(&way)));
            }
        }
    }
    assert!(number > 350, "there are few fields: {number}");
    assert!(leaked.is_empty(), "{} of {number} are not masked:\n{}", leaked.len(), leaked.join("\n"));
    assert!(missing.is_empty(), "{} of {number} are missing:\n{}", missing.len(), missing.join("\n"));
}
