//! Yay documents.

use std::fmt::Write as _;
use std::sync::Arc;

use tosca_parse::yay::host::Yay;
use tosca_parse::yay::{Config, Memory};
use tosca_parse::{Entry, Parser, TOSCA};

use super::Comparison;

/// Generates a document of many items: its text, the documents that it may include, and layers over it.
type Shape = fn(usize) -> (String, Memory, Vec<String>);

/// Shapes by name, each with the number of items of the smaller document.
const SHAPES: &[(&str, usize, Shape)] = &[
    ("loops", 5000, |count| {
        (format!("a:\n  for i in range({count}):\n    - n{{{{ i }}}}\n"), Memory::default(), Vec::new())
    }),
    ("includes", 500, |count| {
        let mut text = String::new();
        let mut documents = Memory::default();
        for at in 0..count {
            let _ = writeln!(text, "include \"{at}.yay\"");
            let refers = if at == 0 { "0".to_owned() } else { format!("{{{{ k{} }}}}", at / 2) };
            documents = documents.with(&format!("{at}.yay"), &format!("k{at}: {refers}\n"));
        }
        (text, documents, Vec::new())
    }),
    ("layers", 500, |count| {
        let layers = (0..count).map(|at| format!("k{at}: {at}\nm:\n  n{at}: 1\nextend l:\n  - {at}\n")).collect();
        ("a: 1\n".to_owned(), Memory::default(), layers)
    }),
    ("chains of names", 500, |count| {
        let mut text = String::new();
        for at in 0..count {
            let _ = writeln!(text, "a{at}: {{{{ a{} + 1 }}}}", at + 1);
        }
        let _ = writeln!(text, "a{count}: 0");
        (text, Memory::default(), Vec::new())
    }),
    ("computed includes", 500, |count| {
        let mut text = "base: dir\n".to_owned();
        let mut documents = Memory::default();
        for at in 0..count {
            let _ = writeln!(text, "include base + \"/{at}.yay\"");
            documents = documents.with(&format!("dir/{at}.yay"), &format!("k{at}: 1\n"));
        }
        (text, documents, Vec::new())
    }),
    ("calls", 500, |count| {
        let mut text = "macro server:\n  a:\n    b: {{ i }}\n    c: 1\n  d: 2\n".to_owned();
        for at in 0..count {
            let _ = writeln!(text, "n{at}:\n  call server:\n    i: {at}");
        }
        (text, Memory::default(), Vec::new())
    }),
    ("instances", 500, |count| {
        let mut text = "prototype Server:\n  a:\n    b: {{ self.i }}\n    c: 1\n  d: 2\n".to_owned();
        for at in 0..count {
            let _ = writeln!(text, "new Server as n{at}:\n  i: {at}");
        }
        (text, Memory::default(), Vec::new())
    }),
    ("keys that are computed", 500, |count| {
        (format!("a: {{{{ {{'k': i for i in range({count})}} }}}}\n"), Memory::default(), Vec::new())
    }),
];

fn evaluate(shape: Shape, count: usize) {
    let (text, documents, layers) = shape(count);
    let mut config = Config::new(documents);
    config.load("main.yay", &text);
    for layer in &layers {
        config.load("layer.yay", layer);
    }
    config.resolve().unwrap_or_else(|error| panic!("{}", config.describe(&error)));
}

pub(super) fn comparisons() -> impl Iterator<Item = Comparison> {
    SHAPES.iter().map(|(name, n, shape)| {
        Comparison::growth(name, *n, |count| {
            evaluate(*shape, count);
            0
        })
    })
}

/// A node; `NUMBER` is replaced.
const NODE: &str = "\
type: Server
capabilities:
  host:
    properties:
      cpus: 2
      memory: NUMBER
  os:
    properties:
      architecture: x86_64
      kind: linux
      version: v12.NUMBER
";

const TYPES: &str = "\
tosca_definitions_version: tosca_2_0
capability_types:
  Host:
    properties:
      cpus:
        type: integer
      memory:
        type: integer
  System:
    properties:
      architecture:
        type: string
      kind:
        type: string
      version:
        type: string
node_types:
  Server:
    capabilities:
      host: Host
      os: System
service_template:
  node_templates:
";

fn indented(text: &str, by: usize) -> String {
    text.split_inclusive('\n').flat_map(|line| [" ".repeat(by), line.to_owned()]).collect()
}

/// Returns the same service, written out and generated in other ways: the name and the text of each.
fn services(count: usize) -> Vec<(&'static str, String)> {
    let node = |number: &str, by| indented(&NODE.replace("NUMBER", number), by);
    let each = |entry: &dyn Fn(usize) -> String| TYPES.to_owned() + &(0..count).map(entry).collect::<String>();
    let mapping = |made: &str| {
        let value = format!(" {{{{ {{\"n\" + i: {made} for i in range({count})}} }}}}\n");
        TYPES.trim_end().to_owned() + &value
    };
    let listed = node("{{ i }}", 4).replacen("    ", "  - ", 1);
    let all = format!("macro all:\n  for i in range({count}):\n{}set servers = all()\n", indented(&listed, 2));
    vec![
        ("service.yaml", each(&|at| format!("    n{at}:\n{}", node(&at.to_string(), 6)))),
        ("loop.yay", all + &mapping("servers[i]")),
        ("macro.yay", format!("macro server:\n{}{}", node("{{ i }}", 2), mapping("server(i=i)"))),
        (
            "call.yay",
            format!("macro server:\n{}", node("{{ i }}", 2))
                + &each(&|at| format!("    n{at}:\n      call server:\n        i: {at}\n")),
        ),
        (
            "new.yay",
            format!("prototype Server:\n{}", node("{{ self.metadata.i }}", 2))
                + &each(&|at| format!("    new Server as n{at}:\n      metadata:\n        i: {at}\n")),
        ),
    ]
}

fn parse(name: &str, text: String) {
    let parser =
        Parser::builder(&TOSCA).syntax(Arc::new(Yay::default())).threads(1).build().expect("there is a thread");
    let outcome = parser.parse_entry(Entry::text(parser.address(name).expect("the path is valid"), text));
    assert!(outcome.diagnostics.is_empty(), "{name}: {:?}", outcome.diagnostics.first());
}

/// Compares each way of generating the nodes of a service with writing them out.
pub(super) fn ways() -> impl Iterator<Item = Comparison> {
    const NODES: usize = 100;
    let work = |way: usize| -> super::Work {
        Box::new(move || {
            let (name, text) = services(NODES).swap_remove(way);
            parse(name, text);
            0
        })
    };
    (1..services(1).len()).map(move |way| Comparison {
        name: format!("nodes of {}", services(1)[way].0),
        work: [work(0), work(way)],
        most: 3.0,
    })
}
