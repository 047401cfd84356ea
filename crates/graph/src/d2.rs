//! Diagrams for D2.

use std::fmt::Write;

use super::label::{Line, lines, mark_color, plain};
use super::stroke::{PLAIN, Stroke, Strokes};
use super::tree::{Item, Tree};
use super::{Direction, Graph, Node};

/// The lengths of dashes, by dash pattern.
const DASHES: [usize; 4] = [0, 5, 2, 9];

pub(super) fn write(graph: &Graph) -> String {
    let tree = Tree::of(graph);
    let direction = match graph.direction {
        Direction::Down => "down",
        Direction::Up => "up",
        Direction::Right => "right",
        Direction::Left => "left",
    };
    let mut made = format!("direction: {direction}\n");
    let strokes = Strokes::of(graph);
    if !graph.legend.is_empty() {
        legend(graph, &strokes, &mut made);
    }
    let mut paths = vec![String::new(); graph.nodes.len()];
    content(graph, &tree, &tree.top, "", &mut paths, &mut made);
    for edge in graph.edges.iter().filter(|edge| !paths[edge.from].is_empty() && !paths[edge.to].is_empty()) {
        let _ = write!(made, "{} -> {}", paths[edge.from], paths[edge.to]);
        let (name, kind) = edge.drawn_label();
        let label: Vec<&str> = [&*name, kind].into_iter().filter(|text| !text.is_empty()).collect();
        if !label.is_empty() {
            let _ = write!(made, ": {}", quoted(&label.join("\n")));
        }
        if let Some(number) = edge.legend {
            let colon = if label.is_empty() { ":" } else { "" };
            let _ = write!(made, "{colon} {{ {} }}", line(strokes.entry(number)));
        }
        made.push('\n');
    }
    made
}

/// Writes the content of a container or everything outside of containers, and collects the paths of nodes.
fn content(graph: &Graph, tree: &Tree, items: &[Item], prefix: &str, paths: &mut [String], made: &mut String) {
    let indent = "  ".repeat(prefix.matches('.').count());
    for item in items {
        let (key, label) = match *item {
            Item::Node(index) => (format!("n{index}"), label(&graph.nodes[index])),
            Item::Group(index) => {
                let group = &graph.groups[index];
                (format!("g{index}"), format!("{} {}", group.name, group.kind).trim_end().to_owned())
            }
        };
        let path = format!("{prefix}{key}");
        let _ = writeln!(made, "{indent}{key}: {} {{", quoted(&label));
        match *item {
            Item::Node(index) => style(&graph.nodes[index], &indent, made),
            Item::Group(_) => {
                let _ = writeln!(made, "{indent}  style: {{ stroke-dash: 3; fill: transparent; stroke: \"{PLAIN}\" }}");
            }
        }
        content(graph, tree, tree.inside(*item), &format!("{path}."), paths, made);
        let _ = writeln!(made, "{indent}}}");
        if let Item::Node(index) = *item {
            paths[index] = path;
        }
    }
}

fn style(node: &Node, indent: &str, made: &mut String) {
    let mut styles = vec!["border-radius: 6".to_owned()];
    if node.directive.is_some() {
        styles.push("stroke-dash: 5".to_owned());
    }
    if !node.members.is_empty() {
        styles.push("multiple: true".to_owned());
    }
    styles.extend(mark_color(node).map(|color| format!("stroke: \"{color}\"")));
    let _ = writeln!(made, "{indent}  style: {{ {} }}", styles.join("; "));
    if let Some(link) = &node.link {
        let _ = writeln!(made, "{indent}  link: {}", quoted(link));
    }
    let hint = if node.full_kind == node.kind { String::new() } else { node.full_kind.clone() };
    if !hint.is_empty() {
        let _ = writeln!(made, "{indent}  tooltip: {}", quoted(&hint));
    }
}

/// Returns the style of an arrow.
fn line(stroke: Stroke) -> String {
    let color = stroke.hex();
    match DASHES[stroke.dash % DASHES.len()] {
        0 => format!("style.stroke: \"{color}\""),
        dash => format!("style.stroke: \"{color}\"; style.stroke-dash: {dash}"),
    }
}

/// Writes the legend, which D2 draws next to the diagram.
fn legend(graph: &Graph, strokes: &Strokes, made: &mut String) {
    made.push_str("vars: {\n  d2-legend: {\n");
    for (number, entry) in graph.legend.iter().enumerate() {
        let _ = writeln!(made, "    a{number}: {{ style.opacity: 0 }}\n    b{number}: {{ style.opacity: 0 }}");
        let text = quoted(&entry.text());
        let _ = writeln!(made, "    a{number} -> b{number}: {text} {{ {} }}", line(strokes.entry(number)));
    }
    made.push_str("  }\n}\n");
}

fn label(node: &Node) -> String {
    let mut made = node.name.clone();
    if let Some(number) = &node.number {
        let _ = write!(made, " {number}");
    }
    for line in lines(node) {
        let text = plain(&line);
        let _ = match line {
            Line::Directive(_) => write!(made, "\n({text})"),
            _ => write!(made, "\n{text}"),
        };
    }
    made
}

/// Quotes a string. D2 substitutes `${…}` in quotes too.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('$', "\\$").replace('\n', "\\n");
    format!("\"{text}\"")
}
