//! Diagrams for `PlantUML`.

use std::fmt::Write;

use super::label::{Line, WARNING, lines, mark_color, plain};
use super::stroke::{ARROWS, PLAIN, Stroke, Strokes};
use super::tree::{Item, Tree};
use super::{Direction, Graph, Node};

/// The style of boxes, with colors that are visible on light and dark backgrounds.
const START: &str = "skinparam backgroundColor transparent
skinparam roundCorner 12
skinparam defaultFontName Helvetica
skinparam ArrowColor #64748b
skinparam ArrowFontColor #64748b
skinparam rectangle {
  BackgroundColor #ffffff
  BorderColor #94a3b8
  FontColor #0f172a
}
";

/// The styles of lines, by dash pattern.
const STYLES: [&str; 4] = ["", ",dashed", ",dotted", ",bold"];

pub(super) fn write(graph: &Graph) -> String {
    let tree = Tree::of(graph);
    let mut made = "@startuml\n".to_owned();
    if !graph.title.is_empty() {
        let _ = writeln!(made, "title {}", escaped(&graph.title));
    }
    if graph.direction.is_horizontal() {
        made.push_str("left to right direction\n");
    }
    made.push_str(START);
    content(graph, &tree, &tree.top, 0, &mut made);
    let strokes = Strokes::of(graph);
    // PlantUML has no upward and leftward layout, so these arrows are written from their targets.
    let is_reversed = matches!(graph.direction, Direction::Up | Direction::Left);
    for edge in &graph.edges {
        let color = edge.legend.map(|entry| line(strokes.entry(entry))).unwrap_or_default();
        let _ = if is_reversed {
            write!(made, "n{} <-{color}- n{}", edge.to, edge.from)
        } else {
            write!(made, "n{} -{color}-> n{}", edge.from, edge.to)
        };
        let (name, kind) = edge.drawn_label();
        let kind = if kind.is_empty() { String::new() } else { format!("<i>{}</i>", escaped(kind)) };
        let label: Vec<String> = [escaped(&name), kind].into_iter().filter(|text| !text.is_empty()).collect();
        if !label.is_empty() {
            let _ = write!(made, " : {}", label.join("\\n"));
        }
        made.push('\n');
    }
    if !graph.legend.is_empty() {
        made.push_str("legend\n");
        for (number, entry) in graph.legend.iter().enumerate() {
            let stroke = strokes.entry(number);
            let (color, arrow) = (stroke.hex(), ARROWS[stroke.dash % ARROWS.len()]);
            let _ = writeln!(made, "  <color:{color}>{arrow}</color> {}", escaped(&entry.text()));
        }
        made.push_str("endlegend\n");
    }
    made.push_str("@enduml\n");
    made
}

/// Returns the style of an arrow.
fn line(stroke: Stroke) -> String {
    format!("[{}{}]", stroke.hex(), STYLES[stroke.dash % STYLES.len()])
}

/// Writes the content of a frame or everything outside of frames.
fn content(graph: &Graph, tree: &Tree, items: &[Item], depth: usize, made: &mut String) {
    let indent = "  ".repeat(depth);
    for item in items {
        let inside = tree.inside(*item);
        match *item {
            Item::Node(index) => {
                let node = &graph.nodes[index];
                let _ = write!(made, "{indent}rectangle \"{}\" as n{index}", label(node));
                if let Some(link) = &node.link {
                    let _ = write!(made, " [[{}]]", link.replace([' ', '[', ']', '{', '}', '"'], ""));
                }
                let mut style = Vec::new();
                style.extend(mark_color(node).map(|color| format!("line:{}", color.trim_start_matches('#'))));
                style.extend(node.directive.as_ref().map(|_| "line.dashed".to_owned()));
                if !style.is_empty() {
                    let _ = write!(made, " #{}", style.join(";"));
                }
            }
            Item::Group(index) => {
                let group = &graph.groups[index];
                let (name, kind) = (escaped(&group.name), escaped(&group.kind));
                let _ = write!(made, "{indent}frame \"<b>{name}</b> {kind}\" as g{index}");
            }
        }
        if inside.is_empty() {
            made.push('\n');
            continue;
        }
        made.push_str(" {\n");
        content(graph, tree, inside, depth + 1, made);
        let _ = writeln!(made, "{indent}}}");
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
            Line::Directive(_) | Line::Kind(_) | Line::Note(_) => {
                write!(made, "\\n<color:{PLAIN}>{text}</color>")
            }
            Line::Row(..) => write!(made, "\\n{text}"),
            Line::Open(open) => {
                let color = if open.is_optional { PLAIN } else { WARNING };
                write!(made, "\\n<color:{color}>{text}</color>")
            }
            Line::Mark(_) => {
                write!(made, "\\n<color:{}>{text}</color>", mark_color(node).unwrap_or(WARNING))
            }
        };
    }
    made
}

/// Escapes a string: characters that may have a meaning become references by their code points.
fn escaped(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut before = ' ';
    for character in text.chars() {
        let is_plain = match character {
            // Doubled, they are markup.
            '.' | '-' | '_' | '/' => character != before,
            ' ' | ',' | ':' => true,
            other => other.is_ascii_alphanumeric() || !other.is_ascii(),
        };
        if is_plain {
            made.push(character);
        } else {
            let _ = write!(made, "&#{};", u32::from(character));
        }
        before = character;
    }
    made
}
