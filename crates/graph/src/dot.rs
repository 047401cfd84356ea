//! Diagrams for Graphviz.

use std::fmt::Write;

use super::{Graph, Node};
use tosca_parse_engine::diagnostic::render::xml;

/// The settings of a diagram, with colors that are visible on light and dark backgrounds.
const START: &str = "  rankdir=TB; bgcolor=transparent; fontname=\"Helvetica\"; fontsize=11; fontcolor=\"#64748b\";
  node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", color=\"#94a3b8\", fontname=\"Helvetica\", \
fontsize=11, fontcolor=\"#0f172a\", margin=\"0.15,0.1\"];
  edge [color=\"#64748b\", fontname=\"Helvetica\", fontsize=10, fontcolor=\"#64748b\", arrowsize=0.8];
";

pub(super) fn write(graph: &Graph) -> String {
    let mut made = format!("digraph {} {{\n{START}", quoted(&graph.title));
    frame(graph, None, 1, &mut made);
    for edge in &graph.edges {
        let (from, to, name) = (edge.from, edge.to, html(&edge.title()));
        let kind = if edge.kind.is_empty() { String::new() } else { format!("<br/><i>{}</i>", html(&edge.kind)) };
        let _ = writeln!(made, "  n{from} -> n{to} [label=<{name}{kind}>];");
    }
    made.push_str("}\n");
    made
}

/// Writes the content of a frame or everything outside of frames.
fn frame(graph: &Graph, parent: Option<usize>, depth: usize, made: &mut String) {
    let indent = "  ".repeat(depth);
    for (index, node) in graph.nodes.iter().enumerate().filter(|(_, node)| node.group == parent) {
        let style = if node.directive.is_some() { ", style=\"rounded,filled,dashed\"" } else { "" };
        let _ = writeln!(made, "{indent}n{index} [label=<{}>{style}];", label(node));
    }
    for (index, group) in graph.groups.iter().enumerate().filter(|(_, group)| group.parent == parent) {
        let _ = writeln!(made, "{indent}subgraph cluster_{index} {{");
        let _ = writeln!(
            made,
            "{indent}  label=<<b>{}</b> {}>; labeljust=l; style=\"rounded\"; color=\"#94a3b8\";",
            html(&group.name),
            html(&group.kind)
        );
        frame(graph, Some(index), depth + 1, made);
        let _ = writeln!(made, "{indent}}}");
    }
}

fn label(node: &Node) -> String {
    let mut made = format!("<b>{}</b>", html(&node.name));
    if let Some(number) = &node.number {
        let _ = write!(made, " {}", html(number));
    }
    let mut line = |text: &str, color: &str| {
        let _ = write!(made, "<br/><font color=\"{color}\">{text}</font>");
    };
    if let Some(directive) = &node.directive {
        line(&format!("<i>{}</i>", html(directive)), "#64748b");
    }
    if !node.kind.is_empty() {
        line(&html(&node.kind), "#64748b");
    }
    for (name, value) in &node.rows {
        line(&format!("{}: {}", html(name), html(value)), "#0f172a");
    }
    for group in &node.also_in {
        line(&format!("also in {}", html(group)), "#64748b");
    }
    for dangling in &node.dangling {
        let color = if dangling.is_optional { "#64748b" } else { "#b45309" };
        line(&format!("◌ {} → {}", html(&dangling.title()), html(wanted(&dangling.asked))), color);
    }
    made
}

/// Returns the target that a requirement names, or a question mark if it names none.
pub(super) fn wanted(asked: &str) -> &str {
    if asked.is_empty() { "?" } else { asked }
}

/// Escapes a string for Graphviz's HTML-like labels, where no element may be empty.
fn html(text: &str) -> String {
    if text.is_empty() { "&#160;".to_owned() } else { xml(text).replace('\\', "&#92;") }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
