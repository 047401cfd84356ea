//! Diagrams for Graphviz.

use std::fmt::Write;

use super::label::{Line, WARNING, lines, mark_color, wanted};
use super::stroke::{ARROWS, PLAIN, Stroke, Strokes};
use super::tree::{Item, Tree};
use super::{Direction, Graph, Node};
use tosca_parse_engine::diagnostic::render::xml;

/// The settings of a diagram, with colors that are visible on light and dark backgrounds.
const START: &str = "bgcolor=transparent; fontname=\"Helvetica\"; fontsize=11; fontcolor=\"#64748b\";
  node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", color=\"#94a3b8\", fontname=\"Helvetica\", \
fontsize=11, fontcolor=\"#0f172a\", margin=\"0.15,0.1\"];
  edge [color=\"#64748b\", fontname=\"Helvetica\", fontsize=10, fontcolor=\"#64748b\", arrowsize=0.8];
";

/// The styles of lines, by dash pattern.
const STYLES: [&str; 4] = ["", "dashed", "dotted", "bold"];

pub(super) fn write(graph: &Graph) -> String {
    let tree = Tree::of(graph);
    let direction = match graph.direction {
        Direction::Down => "TB",
        Direction::Up => "BT",
        Direction::Right => "LR",
        Direction::Left => "RL",
    };
    let mut made = format!("digraph {} {{\n  rankdir={direction}; {START}", quoted(&graph.title));
    let is_container = |node: usize| !tree.inside(Item::Node(node)).is_empty();
    if (0..graph.nodes.len()).any(is_container) {
        // Arrows may end at frames.
        made.push_str("  compound=true;\n");
    }
    content(graph, &tree, &tree.top, 1, &mut made);
    let strokes = Strokes::of(graph);
    for edge in &graph.edges {
        let (from, to) = (edge.from, edge.to);
        let (name, kind) = edge.drawn_label();
        let kind = if kind.is_empty() { String::new() } else { format!("<br/><i>{}</i>", html(kind)) };
        let color = edge.legend.map(|entry| color(strokes.entry(entry)));
        let ends = [("ltail", from), ("lhead", to)].into_iter().filter(|(_, node)| is_container(*node));
        let ends = ends.fold(String::new(), |ends, (key, node)| ends + &format!(", {key}=cluster_n{node}"));
        let color = color.unwrap_or_default();
        let _ = writeln!(made, "  n{from} -> n{to} [label=<{}{kind}>{color}{ends}];", html(&name));
    }
    legend(graph, &strokes, &mut made);
    made.push_str("}\n");
    made
}

/// Writes the content of a frame or everything outside of frames.
fn content(graph: &Graph, tree: &Tree, items: &[Item], depth: usize, made: &mut String) {
    let indent = "  ".repeat(depth);
    for item in items {
        let inside = tree.inside(*item);
        match *item {
            Item::Node(index) if inside.is_empty() => {
                let node = &graph.nodes[index];
                let style = if node.directive.is_some() { ", style=\"rounded,filled,dashed\"" } else { "" };
                let color = mark_color(node).map(|color| format!(", color=\"{color}\"")).unwrap_or_default();
                let _ = writeln!(made, "{indent}n{index} [label=<{}>{style}{color}{}];", label(node), link(node));
            }
            Item::Node(index) => {
                let node = &graph.nodes[index];
                let color = mark_color(node).unwrap_or("#94a3b8");
                let style = if node.directive.is_some() { "rounded,dashed" } else { "rounded" };
                let url = node.link.as_ref().map(|link| format!("; URL={}", quoted(link))).unwrap_or_default();
                let _ = writeln!(made, "{indent}subgraph cluster_n{index} {{");
                let _ = writeln!(
                    made,
                    "{indent}  label=<{}>; labeljust=l; style=\"{style}\"; color=\"{color}\"{url};",
                    label(node)
                );
                // Arrows to a frame need a node in it.
                let _ = writeln!(made, "{indent}  n{index} [shape=point, style=invis, width=0, height=0, label=\"\"];");
                content(graph, tree, inside, depth + 1, made);
                let _ = writeln!(made, "{indent}}}");
            }
            Item::Group(index) => {
                let group = &graph.groups[index];
                let _ = writeln!(made, "{indent}subgraph cluster_{index} {{");
                let _ = writeln!(
                    made,
                    "{indent}  label=<<b>{}</b> {}>; labeljust=l; style=\"rounded\"; color=\"#94a3b8\";",
                    html(&group.name),
                    html(&group.kind)
                );
                content(graph, tree, inside, depth + 1, made);
                let _ = writeln!(made, "{indent}}}");
            }
        }
    }
}

/// Returns the attributes of an arrow.
fn color(stroke: Stroke) -> String {
    let style = match STYLES[stroke.dash % STYLES.len()] {
        "" => String::new(),
        style => format!(", style={style}"),
    };
    format!(", color=\"{}\"{style}", stroke.hex())
}

/// Writes the legend as a table in a box of its own.
fn legend(graph: &Graph, strokes: &Strokes, made: &mut String) {
    if graph.legend.is_empty() {
        return;
    }
    made.push_str("  legend [shape=plain, style=\"\", label=<<table border=\"0\" cellspacing=\"0\">");
    for (number, entry) in graph.legend.iter().enumerate() {
        let stroke = strokes.entry(number);
        let (color, arrow) = (stroke.hex(), ARROWS[stroke.dash % ARROWS.len()]);
        let text = html(&entry.text());
        let _ = write!(made, "<tr><td><font color=\"{color}\">{arrow}</font></td><td align=\"left\">{text}</td></tr>");
    }
    made.push_str("</table>>];\n");
}

fn link(node: &Node) -> String {
    node.link.as_ref().map(|link| format!(", URL={}", quoted(link))).unwrap_or_default()
}

fn label(node: &Node) -> String {
    let mut made = format!("<b>{}</b>", html(&node.name));
    if let Some(number) = &node.number {
        let _ = write!(made, " {}", html(number));
    }
    for line in lines(node) {
        let (text, color) = match line {
            Line::Directive(text) => (format!("<i>{}</i>", html(text)), PLAIN),
            Line::Kind(text) => (html(text), PLAIN),
            Line::Row(name, value) => (format!("{}: {}", html(name), html(value)), "#0f172a"),
            Line::Note(note) => (html(&note), PLAIN),
            Line::Open(open) => {
                let text = format!("◌ {} → {}", html(&open.title()), html(wanted(&open.asked)));
                (text, if open.is_optional { PLAIN } else { WARNING })
            }
            Line::Mark(mark) => (format!("{} {}", mark.sign(), html(&mark.text)), mark_color(node).unwrap_or(WARNING)),
        };
        let _ = write!(made, "<br/><font color=\"{color}\">{text}</font>");
    }
    made
}

/// Escapes a string for Graphviz's HTML-like labels, where no element may be empty.
fn html(text: &str) -> String {
    if text.is_empty() { "&#160;".to_owned() } else { xml(text).replace('\\', "&#92;") }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
