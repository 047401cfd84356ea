//! `GraphML`, for graph editors and programs that analyze graphs.

use std::fmt::Write;

use super::Graph;
use super::label::{lines, plain};
use super::tree::{Item, Tree};
use tosca_parse_engine::diagnostic::render::xml;

/// The data of nodes and edges. `label` is the name by which yEd, Gephi and others find labels.
const KEYS: [(&str, &str); 9] = [
    ("node", "label"),
    ("node", "type"),
    ("node", "text"),
    ("node", "problems"),
    ("node", "location"),
    ("node", "link"),
    ("edge", "label"),
    ("edge", "type"),
    ("edge", "number"),
];

pub(super) fn write(graph: &Graph) -> String {
    let tree = Tree::of(graph);
    let mut made = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">
"
    .to_owned();
    for (of, name) in KEYS {
        let kind = if name == "number" { "int" } else { "string" };
        let _ = writeln!(made, "  <key id=\"{of}-{name}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>");
    }
    made.push_str("  <graph id=\"G\" edgedefault=\"directed\">\n");
    if !graph.title.is_empty() {
        let _ = writeln!(made, "    <desc>{}</desc>", xml(&graph.title));
    }
    content(graph, &tree, &tree.top, 2, &mut made);
    for (index, edge) in graph.edges.iter().enumerate() {
        let (from, to) = (edge.from, edge.to);
        let _ = writeln!(made, "    <edge id=\"e{index}\" source=\"n{from}\" target=\"n{to}\">");
        data(&mut made, 3, "edge-label", &edge.label.name);
        data(&mut made, 3, "edge-type", &edge.label.full_kind);
        data(&mut made, 3, "edge-number", &edge.number.to_string());
        made.push_str("    </edge>\n");
    }
    made.push_str("  </graph>\n</graphml>\n");
    made
}

/// Writes the content of a node, or everything outside of nodes. A group is a node too.
fn content(graph: &Graph, tree: &Tree, items: &[Item], depth: usize, made: &mut String) {
    let indent = "  ".repeat(depth);
    for item in items {
        let id = match *item {
            Item::Node(index) => format!("n{index}"),
            Item::Group(index) => format!("g{index}"),
        };
        let _ = writeln!(made, "{indent}<node id=\"{id}\">");
        match *item {
            Item::Node(index) => {
                let node = &graph.nodes[index];
                data(made, depth + 1, "node-label", &node.name);
                data(made, depth + 1, "node-type", &node.full_kind);
                let is_text = |line: &super::label::Line<'_>| {
                    !matches!(line, super::label::Line::Kind(_) | super::label::Line::Mark(_))
                };
                let text: Vec<String> = lines(node).iter().filter(|line| is_text(line)).map(plain).collect();
                data(made, depth + 1, "node-text", &text.join("\n"));
                let marks: Vec<String> = node.marks.iter().map(|mark| mark.text.clone()).collect();
                data(made, depth + 1, "node-problems", &marks.join("\n"));
                if let Some(location) = &node.location {
                    let text = format!("{}:{}:{}", location.file, location.line, location.column);
                    data(made, depth + 1, "node-location", &text);
                }
                data(made, depth + 1, "node-link", node.link.as_deref().unwrap_or_default());
            }
            Item::Group(index) => {
                data(made, depth + 1, "node-label", &graph.groups[index].name);
                data(made, depth + 1, "node-type", &graph.groups[index].full_kind);
            }
        }
        let inside = tree.inside(*item);
        if !inside.is_empty() {
            let _ = writeln!(made, "{indent}  <graph id=\"{id}:\" edgedefault=\"directed\">");
            content(graph, tree, inside, depth + 2, made);
            let _ = writeln!(made, "{indent}  </graph>");
        }
        let _ = writeln!(made, "{indent}</node>");
    }
}

fn data(made: &mut String, depth: usize, key: &str, text: &str) {
    if !text.is_empty() {
        let _ = writeln!(made, "{}<data key=\"{key}\">{}</data>", "  ".repeat(depth), xml(text));
    }
}
