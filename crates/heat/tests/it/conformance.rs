//! Verdicts and lines of the public cases, compared with those of the real engine.

use std::path::Path;

use serde_json::Value as Json;
use tosca_parse_engine::diagnostic::Severity;
use tosca_parse_engine::{Entry, Parser};
use tosca_parse_heat::HEAT;

/// The minimum share of lines that must agree, in percent.
const LEAST_LINES: usize = 95;

/// The cases whose verdicts differ, with the reasons.
const DIFFERENCES: &[(&str, &str)] = &[
    ("functions/get-param-path-missing.yaml", "disputable: another value of the parameter may have the path"),
    ("oddities/vstrict-attribute-not-there-yet.yaml", "disputable: attributes are unknown values, not null"),
    ("oddities/yaml-equals-sign.yaml", "disputable: the YAML reader accepts a lone equals sign"),
    ("oddities/yaql-attribute-not-there-yet.yaml", "disputable: attributes are unknown values, not null"),
    ("resources/prop-server-network-empty.yaml", "a rule in the code of the resource type, which data don't have"),
];

#[test]
fn public_cases_have_their_verdicts_and_lines() {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        println!("skipped: TOSCA_PARSE_SHARED is not set");
        return;
    };
    let folder = Path::new(&shared).join("conformance/hot");
    let cases: Vec<Json> = serde_json::from_str(&std::fs::read_to_string(folder.join("cases.json")).unwrap()).unwrap();
    let parser = Parser::builder(&HEAT).build().unwrap();
    let (mut all, mut agree, mut invalid, mut lines) = (0, 0, 0, 0);
    let mut unexpected = Vec::new();
    for case in &cases {
        all += 1;
        let file = case["file"].as_str().unwrap();
        let path = folder.join(file);
        let address = |path: &Path| parser.address(path.to_str().unwrap()).unwrap();
        let environments = case["environments"].as_array().into_iter().flatten();
        let environments = environments.map(|name| address(&path.with_file_name(name.as_str().unwrap())));
        let add = |entry: Entry, environment| entry.option("environment", environment);
        let outcome = parser.parse_entry(environments.fold(Entry::at(address(&path)), add));
        let errors: Vec<_> = outcome.diagnostics.iter().filter(|problem| problem.severity == Severity::Error).collect();
        let is_invalid = case["expect"] == "invalid";
        let places: Vec<_> = errors
            .iter()
            .map(|problem| {
                let source = outcome.sources.get(problem.span.source).unwrap();
                let line = source.text()[..problem.span.start as usize].matches('\n').count() + 1;
                let name = source.name().to_owned();
                (line as u64, name, format!("{line} {} {}", problem.rule.code, problem.message))
            })
            .collect();
        let told: Vec<_> = places.iter().map(|place| &place.2).collect();
        let is_known = DIFFERENCES.iter().any(|(known, _)| file.ends_with(known));
        if (errors.is_empty() == is_invalid) != is_known {
            unexpected.push(file);
        }
        if errors.is_empty() == is_invalid {
            println!("verdict {file}: expected {}, {} {told:?}", case["expect"], case["rule"]);
        } else {
            agree += 1;
        }
        let Some(line) = case["line"].as_u64().filter(|_| is_invalid) else { continue };
        invalid += 1;
        let source = case["line_in"].as_str().unwrap_or(file).rsplit('/').next().unwrap();
        if places.iter().any(|(found, address, _)| *found == line && address.ends_with(source)) {
            lines += 1;
        } else if !errors.is_empty() {
            println!("line {file}: expected {line} {source}, {} {told:?}", case["rule"]);
        }
    }
    println!("{agree} of {all} verdicts agree, {lines} of {invalid} lines");
    assert_eq!(unexpected, [""; 0], "verdicts differ from those expected");
    assert!(lines * 100 >= invalid * LEAST_LINES, "too few lines agree");
}
