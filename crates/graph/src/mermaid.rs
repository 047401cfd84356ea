//! Diagrams for Mermaid, which many sites draw from code blocks in Markdown.

use std::fmt::Write;

use super::label::{ERROR, Line, WARNING, lines, mark_color, plain};
use super::stroke::{ARROWS, Strokes};
use super::tree::{Item, Tree};
use super::{Direction, Graph, Node};

/// The styles of lines, by dash pattern.
const DASHES: [&str; 4] = ["", ",stroke-dasharray:7 4", ",stroke-dasharray:2 3", ",stroke-width:3px"];

pub(super) fn write(graph: &Graph) -> String {
    let tree = Tree::of(graph);
    let direction = match graph.direction {
        Direction::Down => "TB",
        Direction::Up => "BT",
        Direction::Right => "LR",
        Direction::Left => "RL",
    };
    let mut made = format!("flowchart {direction}\n");
    content(graph, &tree, &tree.top, 1, &mut made);
    for edge in &graph.edges {
        let (name, kind) = edge.drawn_label();
        let (from, to, name, kind) = (edge.from, edge.to, escaped(&name), escaped(kind));
        let kind = if kind.is_empty() { kind } else { format!("<br/><i>{kind}</i>") };
        let label = format!("{name}{kind}");
        let label = if label.is_empty() { label } else { format!("|\"{label}\"|") };
        let _ = writeln!(made, "  n{from} -->{label} n{to}");
    }
    legend(graph, &Strokes::of(graph), &mut made);
    for (index, link) in graph.nodes.iter().enumerate().filter_map(|(index, node)| Some((index, node.link.as_ref()?))) {
        let _ = writeln!(made, "  click n{index} \"{}\"", link.replace('"', "%22"));
    }
    let of = |is: &dyn Fn(&Node) -> bool| {
        let nodes = graph.nodes.iter().enumerate().filter(|(_, node)| is(node));
        nodes.map(|(index, _)| format!("n{index}")).collect::<Vec<_>>().join(",")
    };
    let classes = [
        ("elsewhere", "stroke-dasharray:5 4", of(&|node| node.directive.is_some())),
        ("dangling", "stroke:#d97706,stroke-width:2px", of(&|node| node.dangling.iter().any(|it| !it.is_optional))),
        ("warning", "stroke:#b45309,stroke-width:2px", of(&|node| mark_color(node) == Some(WARNING))),
        ("error", "stroke:#dc2626,stroke-width:2px", of(&|node| mark_color(node) == Some(ERROR))),
    ];
    for (class, style, nodes) in classes.iter().filter(|(.., nodes)| !nodes.is_empty()) {
        let _ = writeln!(made, "  classDef {class} {style}\n  class {nodes} {class}");
    }
    made
}

/// Writes the content of a frame or everything outside of frames.
fn content(graph: &Graph, tree: &Tree, items: &[Item], depth: usize, made: &mut String) {
    let indent = "  ".repeat(depth);
    for item in items {
        let inside = tree.inside(*item);
        match *item {
            Item::Node(index) if inside.is_empty() => {
                let _ = writeln!(made, "{indent}n{index}[\"{}\"]", label(&graph.nodes[index]));
                continue;
            }
            Item::Node(index) => {
                let _ = writeln!(made, "{indent}subgraph n{index}[\"{}\"]", label(&graph.nodes[index]));
            }
            Item::Group(index) => {
                let group = &graph.groups[index];
                let (name, kind) = (escaped(&group.name), escaped(&group.kind));
                let _ = writeln!(made, "{indent}subgraph g{index}[\"<b>{name}</b> {kind}\"]");
            }
        }
        content(graph, tree, inside, depth + 1, made);
        let _ = writeln!(made, "{indent}end");
    }
}

/// Writes the legend as a frame, and gives arrows the colors in it.
fn legend(graph: &Graph, strokes: &Strokes, made: &mut String) {
    if graph.legend.is_empty() {
        return;
    }
    made.push_str("  subgraph legend[\" \"]\n");
    for (number, entry) in graph.legend.iter().enumerate() {
        let stroke = strokes.entry(number);
        let (color, arrow) = (stroke.hex(), ARROWS[stroke.dash % ARROWS.len()]);
        let _ = writeln!(
            made,
            "    l{number}[\"{arrow} {}\"]\n    style l{number} stroke:{color},color:{color}",
            escaped(&entry.text())
        );
    }
    made.push_str("  end\n");
    for number in 0..graph.legend.len() {
        let of_entry = |(_, edge): &(usize, &crate::Edge)| edge.legend == Some(number);
        let edges: Vec<String> =
            graph.edges.iter().enumerate().filter(of_entry).map(|(index, _)| index.to_string()).collect();
        if !edges.is_empty() {
            let stroke = strokes.entry(number);
            let dash = DASHES[stroke.dash % DASHES.len()];
            let _ = writeln!(made, "  linkStyle {} stroke:{}{dash}", edges.join(","), stroke.hex());
        }
    }
}

fn label(node: &Node) -> String {
    let mut made = format!("<b>{}</b>", escaped(&node.name));
    if let Some(number) = &node.number {
        let _ = write!(made, " {}", escaped(number));
    }
    for line in lines(node) {
        let text = escaped(&plain(&line));
        let _ = match line {
            Line::Directive(_) | Line::Kind(_) => write!(made, "<br/><i>{text}</i>"),
            _ => write!(made, "<br/>{text}"),
        };
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
