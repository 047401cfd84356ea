//! Templates whose open requirements are fulfilled: the connections, the requirements that stay open, and the
//! problems.
//!
//! Every `.yaml` file of `tests/resolve` is resolved, and compared with a snapshot of the same name.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::normal::{Options, Service};
use tosca_parse::resolve::{Connection, Resolution, UnresolvedRequirement, resolve_entry};
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/resolve")
}

fn resolve(file: &str, threads: usize) -> (Outcome, Option<Resolution>) {
    let parser = Parser::builder(&TOSCA).directory(folder()).threads(threads).build().unwrap();
    resolve_entry(&parser, Entry::at(parser.address(file).unwrap()))
}

/// Returns the result of resolving, in readable form.
fn shown((outcome, resolution): &(Outcome, Option<Resolution>)) -> String {
    let mut text = String::new();
    match resolution {
        None => writeln!(text, "not resolved").unwrap(),
        Some(resolution) => {
            for Connection { node, requirement, target, capability, others } in &resolution.connections {
                let capability = capability.as_deref().unwrap_or("(none)");
                writeln!(text, "{node}.{requirement} -> {target}.{capability}, others: {others}").unwrap();
            }
            for UnresolvedRequirement { node, requirement, reason } in &resolution.open {
                writeln!(text, "{node}.{requirement} open: {reason:?}").unwrap();
            }
        }
    }
    write!(text, "\n{}", Terminal::new(&outcome.diagnostics, &outcome.sources)).unwrap();
    text
}

#[test]
fn templates_are_resolved_as_before() {
    let mut files: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    files.sort_unstable();
    assert!(files.len() > 15, "there are only {} templates", files.len());
    for file in files {
        let outcome = resolve(&file, 1);
        assert_snapshot!(file.trim_end_matches(".yaml"), shown(&outcome));
        assert_eq!(shown(&resolve(&file, 4)), shown(&outcome), "{file}: threads must not matter");
    }
}

#[test]
fn models_have_the_requirements_fulfilled() {
    let (outcome, resolution) = resolve("counts.yaml", 1);
    let options = Options { resolution: resolution.as_ref(), ..Options::default() };
    let service = Service::with(&outcome.program, options).unwrap();
    let of_node = |name: &str| {
        let requirements = &service.nodes[name].requirements;
        let shown = requirements.iter().map(|requirement| {
            let target = requirement.target.as_ref().map(|target| target.node.to_string());
            assert_eq!(target.is_some(), requirement.resolved, "{name}");
            assert_ne!(target.is_some(), requirement.dangling.is_some(), "{name}");
            let count = requirement.count.as_ref().map_or(1, |count| count.as_integer().unwrap());
            (requirement.name.to_string(), target, count)
        });
        shown.collect::<Vec<_>>()
    };
    let end = |name: &str, target: Option<&str>, count| (name.to_owned(), target.map(str::to_owned), count);
    assert_eq!(of_node("at-least-two"), [end("host", Some("one"), 1), end("host", Some("two"), 1)]);
    assert_eq!(of_node("three"), [end("host", Some("one"), 1), end("host", Some("two"), 2)]);
    assert_eq!(of_node("too-many"), [end("host", Some("one"), 1), end("host", Some("two"), 2), end("host", None, 1)]);
    assert_eq!(of_node("optional").last().unwrap(), &end("data", None, 1));
}

#[test]
fn without_resolving_requirements_stay_open() {
    let parser = Parser::builder(&TOSCA).directory(folder()).build().unwrap();
    let outcome = parser.parse("unique.yaml").unwrap();
    let requirements = &Service::of(&outcome.program).unwrap().nodes["shop"].requirements;
    assert!(requirements.iter().all(|requirement| requirement.dangling.is_some() && !requirement.resolved));
}
