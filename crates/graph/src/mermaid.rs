//! Diagrams for Mermaid, which many sites draw from code blocks in Markdown.

use std::fmt::Write;

use super::dot::wanted;
use super::{Graph, Node};

pub(super) fn write(graph: &Graph) -> String {
    let mut made = "flowchart TB\n".to_owned();
    frame(graph, None, 1, &mut made);
    for edge in &graph.edges {
        let (from, to, name, kind) = (edge.from, edge.to, escaped(&edge.title()), escaped(&edge.kind));
        let kind = if kind.is_empty() { kind } else { format!("<br/><i>{kind}</i>") };
        let label = format!("{name}{kind}");
        let label = if label.is_empty() { label } else { format!("|\"{label}\"|") };
        let _ = writeln!(made, "  n{from} -->{label} n{to}");
    }
    for (index, link) in graph.nodes.iter().enumerate().filter_map(|(index, node)| Some((index, node.link.as_ref()?))) {
        let _ = writeln!(made, "  click n{index} \"{}\"", link.replace('"', "%22"));
    }
    let of = |is: fn(&Node) -> bool| {
        let nodes = graph.nodes.iter().enumerate().filter(|(_, node)| is(node));
        nodes.map(|(index, _)| format!("n{index}")).collect::<Vec<_>>().join(",")
    };
    let classes = [
        ("elsewhere", "stroke-dasharray:5 4", of(|node| node.directive.is_some())),
        ("dangling", "stroke:#d97706,stroke-width:2px", of(|node| node.dangling.iter().any(|it| !it.is_optional))),
    ];
    for (class, style, nodes) in classes.iter().filter(|(.., nodes)| !nodes.is_empty()) {
        let _ = writeln!(made, "  classDef {class} {style}\n  class {nodes} {class}");
    }
    made
}

/// Writes the content of a frame or everything outside of frames.
fn frame(graph: &Graph, parent: Option<usize>, depth: usize, made: &mut String) {
    let indent = "  ".repeat(depth);
    for (index, node) in graph.nodes.iter().enumerate().filter(|(_, node)| node.group == parent) {
        let _ = writeln!(made, "{indent}n{index}[\"{}\"]", label(node));
    }
    for (index, group) in graph.groups.iter().enumerate().filter(|(_, group)| group.parent == parent) {
        let (name, kind) = (escaped(&group.name), escaped(&group.kind));
        let _ = writeln!(made, "{indent}subgraph g{index}[\"<b>{name}</b> {kind}\"]");
        frame(graph, Some(index), depth + 1, made);
        let _ = writeln!(made, "{indent}end");
    }
}

fn label(node: &Node) -> String {
    let mut made = format!("<b>{}</b>", escaped(&node.name));
    if let Some(number) = &node.number {
        let _ = write!(made, " {}", escaped(number));
    }
    let mut line = |text: &str| {
        let _ = write!(made, "<br/>{text}");
    };
    if let Some(directive) = &node.directive {
        line(&format!("<i>{}</i>", escaped(directive)));
    }
    if !node.kind.is_empty() {
        line(&format!("<i>{}</i>", escaped(&node.kind)));
    }
    for (name, value) in &node.rows {
        line(&format!("{}: {}", escaped(name), escaped(value)));
    }
    for group in &node.also_in {
        line(&format!("also in {}", escaped(group)));
    }
    for dangling in &node.dangling {
        let optional = if dangling.is_optional { " (optional)" } else { "" };
        line(&format!("◌ {} → {}{optional}", escaped(&dangling.title()), escaped(wanted(&dangling.asked))));
    }
    made
}

/// Escapes a string for quotes: characters that may have a meaning become numeric references.
fn escaped(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            ' ' | '.' | ',' | ':' | '-' | '_' | '/' => made.push(character),
            plain if plain.is_ascii_alphanumeric() => made.push(plain),
            special if special.is_ascii() => {
                let _ = write!(made, "#{};", u32::from(special));
            }
            other => made.push(other),
        }
    }
    made
}
