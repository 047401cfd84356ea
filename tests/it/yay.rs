//! Computed templates, which are read like others, with problems where the author can fix them.

#![allow(clippy::print_stdout, reason = "a test that is skipped has to say so")]

use std::path::Path;
use std::sync::Arc;

use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::normal::Service;
use tosca_parse::yay::host::{self, Yay};
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

fn parse(folder: &Path, files: &[(&str, &str)]) -> Outcome {
    for (name, text) in files {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let parser = Parser::builder(&TOSCA).syntax(Arc::new(Yay::default())).build().unwrap();
    parser.parse(folder.join(files[0].0).to_str().unwrap()).unwrap()
}

fn codes(text: &str) -> Vec<&'static str> {
    let folder = tempfile::tempdir().unwrap();
    parse(folder.path(), &[("service.yay", text)]).diagnostics.iter().map(|problem| problem.rule.code).collect()
}

/// A cluster of nodes from a loop.
const CLUSTER: &str = "\
tosca_definitions_version: tosca_2_0
node_types:
  Server:
    properties:
      port:
        type: integer
      name:
        type: string
service_template:
  node_templates:
    include \"nodes.yay\"
";

#[test]
fn a_template_is_read_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let nodes = "macro server:\n  type: Server\n  properties:\n    port: {{ port }}\n    name: {{ name }}\n\
                 web:\n  call server:\n    port: 80\n    name: web\n";
    let outcome = parse(folder.path(), &[("service.yay", CLUSTER), ("nodes.yay", nodes)]);
    assert_eq!(outcome.diagnostics.len(), 0, "{}", Terminal::new(&outcome.diagnostics, &outcome.sources));
}

#[test]
fn includes_may_come_before_the_version() {
    let folder = tempfile::tempdir().unwrap();
    let codes = |text: &str| {
        let outcome = parse(folder.path(), &[("service.yay", text), ("nodes.yay", "node_types:\n  Server: {}\n")]);
        outcome.diagnostics.iter().map(|problem| problem.rule.code).collect::<Vec<_>>()
    };
    assert_eq!(codes("include \"nodes.yay\"\ntosca_definitions_version: tosca_2_0\n"), [""; 0]);
    assert_eq!(codes("description: late\ntosca_definitions_version: tosca_2_0\n"), ["T1303"]);
}

#[test]
fn a_mistake_shows_its_definition_and_its_use() {
    let folder = tempfile::tempdir().unwrap();
    let nodes = "set wrong = \"eighty\"\nweb:\n  type: Server\n  properties:\n    port: {{ wrong }}\n    name: web\n";
    let outcome = parse(folder.path(), &[("service.yay", CLUSTER), ("nodes.yay", nodes)]);
    let shown = Terminal::new(&outcome.diagnostics, &outcome.sources).to_string();
    assert_eq!(outcome.diagnostics.len(), 1, "{shown}");
    assert!(shown.contains("nodes.yay:1:13") && shown.contains("5 |     port: {{ wrong }}"), "{shown}");
}

#[test]
fn provenance_of_values_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let nodes = "macro server:\n  type: Server\n  properties:\n    port: {{ port }}\n    name: web\n\
                 web:\n  call server:\n    port: eighty\n";
    let outcome = parse(folder.path(), &[("service.yay", CLUSTER), ("nodes.yay", nodes)]);
    let told: Vec<String> = outcome.diagnostics[0]
        .related
        .iter()
        .map(|related| {
            let source = outcome.sources.get(related.span.source).unwrap();
            let line = source.text()[..related.span.start as usize].matches('\n').count() + 1;
            format!("{} {line}: {}", source.name().rsplit('/').next().unwrap(), related.message)
        })
        .collect();
    let wanted = [
        "service.yay 5: defined here",
        "nodes.yay 4: used here",
        "nodes.yay 7: called here",
        "service.yay 11: included here",
    ];
    assert_eq!((outcome.diagnostics.len(), told), (1, wanted.map(str::to_owned).to_vec()));
}

#[test]
fn inputs_are_names_of_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let text = "\
set size = 1
tosca_definitions_version: tosca_2_0
node_types:
  Server:
    properties:
      number:
        type: integer
service_template:
  inputs:
    region:
      type: string
  node_templates:
    for_: {}
    set nodes = [i for i in range(size)]
    n{{ x }}:
      type: Server
";
    let text = text.replace("    for_: {}\n", "").replace("    n{{ x }}:\n", "    one:\n");
    let text = text + "      properties:\n        number: {{ len(nodes) if region == 'eu' else 0 }}\n";
    std::fs::write(folder.path().join("service.yay"), text).unwrap();
    let syntax = host::inputs("{size: 3, region: eu}")
        .into_iter()
        .fold(Yay::default(), |syntax, (name, value)| syntax.input(name, value));
    let parser = Parser::builder(&TOSCA).syntax(Arc::new(syntax)).directory(folder.path()).build().unwrap();
    let entry = Entry::at(parser.address("service.yay").unwrap()).inputs("given", "{size: 3, region: eu}");
    let outcome = parser.parse_entry(entry);
    assert_eq!(outcome.diagnostics.len(), 0, "{}", Terminal::new(&outcome.diagnostics, &outcome.sources));
    let service = Service::of(&outcome.program).unwrap();
    let number = service.nodes["one"].properties["number"].value.as_ref().unwrap();
    assert_eq!((number.as_integer(), service.inputs.len()), (Some(3), 1));
    // A name that neither the document nor the service declares is a mistake.
    let entry = Entry::at(parser.address("service.yay").unwrap()).inputs("given", "{sise: 3, region: eu}");
    let codes: Vec<_> = parser.parse_entry(entry).diagnostics.iter().map(|problem| problem.rule.code).collect();
    assert_eq!(codes, ["T5211"]);
}

#[test]
fn every_kind_of_problem() {
    let head = "tosca_definitions_version: tosca_2_0\n";
    let code = |text: &str| codes(&format!("{head}{text}"));
    assert_eq!(code("a b\n"), ["Y1001"]);
    assert_eq!(code("if 0\n  a: 1\n"), ["Y1002"]);
    assert_eq!(code("include \"none.yay\"\n"), ["Y1003"]);
    assert_eq!(code("macro m:\n  a:\n    call m:\n      b: 1\nmetadata: {{ m() }}\n"), ["Y1004"]);
    assert_eq!(code("description: {{ descriptoin }}\n"), ["Y2001"]);
    assert_eq!(code("description: {{ - \"x\" }}\n"), ["Y3001"]);
    assert_eq!(code("description: {{ 1 / 0 }}\n"), ["Y3002"]);
    assert_eq!(code("description: {{ description }}x\n"), ["Y4001"]);
    assert_eq!(code("set x = 1\nif not (metadata else 0):\n  metadata:\n    a: b\n"), ["Y4002"]);
}
