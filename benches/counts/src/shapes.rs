//! Templates of any size, each with much work for a different phase.

#![allow(clippy::format_push_string, reason = "these texts are made once")]

use std::fmt::{Result, Write};

/// The files of a template: paths and contents, the entry first.
pub(crate) type Files = Vec<(String, String)>;

/// Generates a shape of the given size.
pub(crate) type Make = fn(usize) -> Files;

/// All shapes but `wide`, by name.
pub(crate) const SHAPES: &[(&str, Make)] = &[
    ("types", types),
    ("imports", imports),
    ("requires", requires),
    ("hello-2.0", |_| entry(hello("tosca_2_0", "string"))),
    ("hello-1.3", |_| entry(hello("tosca_simple_yaml_1_3", "string"))),
];

pub(crate) fn entry(text: String) -> Files {
    vec![("service.yaml".to_owned(), text)]
}

/// Returns a nearly empty template, for the fixed cost of a parse.
fn hello(version: &str, data_type: &str) -> String {
    let section = if version == "tosca_2_0" { "service_template" } else { "topology_template" };
    format!(
        "tosca_definitions_version: {version}\n\n{section}:\n  inputs:\n    name:\n      type: {data_type}\n      \
         default: world\n  node_templates: {{}}\n"
    )
}

/// The number of types in a chain of derivations.
const CHAIN: usize = 10;

/// Chains of node types, each type with members of all kinds, some of them refined.
fn types(number: usize) -> Files {
    let mut text = "tosca_definitions_version: tosca_2_0\n\n".to_owned();
    text += "data_types:\n  Size:\n    derived_from: scalar\n    units: { MB: 1, GB: 1000 }\n\
             capability_types:\n  Endpoint:\n    properties:\n      port: { type: integer, default: 1 }\n\
             relationship_types:\n  Uses: {}\n\
             interface_types:\n  Standard:\n    operations:\n      create:\n        inputs:\n          \
             how: { type: string, default: fast }\n\
             node_types:\n";
    (0..number).try_for_each(|index| write_type(&mut text, index)).expect("writing to a string does not fail");
    entry(text)
}

fn write_type(text: &mut String, index: usize) -> Result {
    let (chain, level) = (index / CHAIN, index % CHAIN);
    writeln!(text, "  T{chain}.{level}:")?;
    if level > 0 {
        writeln!(text, "    derived_from: T{chain}.{}", level - 1)?;
    }
    write!(
        text,
        "    description: type {level} of chain {chain}\n\
         \x20   properties:\n\
         \x20     name{level}:\n\
         \x20       type: string\n\
         \x20       description: the name\n\
         \x20     size{level}:\n\
         \x20       type: integer\n\
         \x20       default: {level}\n\
         \x20       validation:\n\
         \x20         $and:\n\
         \x20         - $greater_or_equal: [ $value, 0 ]\n\
         \x20         - $less_or_equal: [ $value, 1000 ]\n\
         \x20     memory:\n\
         \x20       type: Size\n\
         \x20       default: {} GB\n\
         \x20   attributes:\n\
         \x20     state{level}: {{ type: string }}\n\
         \x20   capabilities:\n\
         \x20     main:\n\
         \x20       type: Endpoint\n\
         \x20       properties:\n\
         \x20         port: {{ type: integer, default: {} }}\n\
         \x20     other{level}: {{ type: Endpoint }}\n\
         \x20   requirements:\n\
         \x20   - peer{level}:\n\
         \x20       capability: Endpoint\n\
         \x20       relationship: Uses\n\
         \x20       count_range: [ 0, UNBOUNDED ]\n\
         \x20   interfaces:\n\
         \x20     standard:\n\
         \x20       type: Standard\n\
         \x20       operations:\n\
         \x20         create:\n\
         \x20           inputs:\n\
         \x20             extra{level}: {{ type: string, default: e{level} }}\n",
        level + 1,
        level + 2,
    )
}

/// Returns a template that imports files that declare ten types each and import the previous file.
fn imports(number: usize) -> Files {
    let libraries = number.div_ceil(CHAIN);
    let mut service = "tosca_definitions_version: tosca_2_0\n\nimports:\n".to_owned();
    let mut files = Files::new();
    for library in 0..libraries {
        service += &format!("- lib{library}.yaml\n");
        let before = library.checked_sub(1);
        let import = before.map_or_else(String::new, |before| format!("imports: [ lib{before}.yaml ]\n"));
        let mut text = format!("tosca_definitions_version: tosca_2_0\n{import}node_types:\n");
        for level in 0..CHAIN {
            text += &format!("  L{library}.T{level}:\n");
            match (level, before) {
                (0, Some(before)) => text += &format!("    derived_from: L{before}.T0\n"),
                (0, None) => {}
                _ => text += &format!("    derived_from: L{library}.T{}\n", level - 1),
            }
            text += &format!(
                "    properties:\n      p{level}:\n        type: integer\n        default: {level}\n        \
                 validation: {{ $greater_or_equal: [ $value, 0 ] }}\n"
            );
        }
        files.push((format!("lib{library}.yaml"), text));
    }
    service += "service_template:\n  node_templates:\n    last:\n";
    service += &format!("      type: L{}.T{}\n", libraries - 1, CHAIN - 1);
    files.insert(0, ("service.yaml".to_owned(), service));
    files
}

/// Returns a chain of small nodes: little to read, and one requirement per node to fulfill.
fn requires(number: usize) -> Files {
    let mut text = "tosca_definitions_version: tosca_2_0\n\n\
                    capability_types:\n  Feature: {}\n\
                    relationship_types:\n  DependsOn: {}\n\
                    node_types:\n  Node:\n    capabilities:\n      feature: { type: Feature }\n    requirements:\n    \
                    - next:\n        capability: Feature\n        node: Node\n        relationship: DependsOn\n        \
                    count_range: [ 0, 1 ]\n\
                    service_template:\n  node_templates:\n"
        .to_owned();
    for node in 0..number {
        text += &format!("    n{node}:\n      type: Node\n");
        if node > 0 {
            text += &format!("      requirements:\n      - next: n{}\n", node - 1);
        }
    }
    entry(text)
}
