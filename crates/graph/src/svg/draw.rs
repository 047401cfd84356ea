//! Drawing of a finished layout.

use std::fmt::Write;

use indexmap::IndexMap;

use super::Scene;
use super::clip::{self, Cubic, cubic};
use super::layout::{Point, Rectangle, Route};
use super::measure::{Card, GAP, LABEL_LINE, LINE, Label, Line, LineRole, MARK, PADDING, Style, fitting, width};
use super::style;
use crate::label::{ERROR, mark_color};
use crate::stroke::{Stroke, Strokes};
use crate::{Edge, Graph, Group, Node};
use tosca_parse_engine::diagnostic::render::xml;

/// The height of a line of the legend.
const LEGEND: f64 = 22.0;

/// The length of an arrow in the text of a diagram, in bytes. Without it, the text of a diagram with thousands of arrows
/// would be moved while it grows.
const ARROW: usize = 400;

pub(super) struct Drawing<'a> {
    pub(super) scene: &'a Scene,
    /// Whether scripts find nodes by number, and boxes can be reached by keyboard.
    pub(super) is_interactive: bool,
}

/// Returns the class names of a line.
fn classes(stroke: Stroke) -> String {
    let dash = if stroke.dash == 0 { String::new() } else { format!(" d{}", stroke.dash) };
    format!("line s{}{dash}", stroke.color)
}

impl Drawing<'_> {
    fn graph(&self) -> &Graph {
        &self.scene.nested.graph
    }

    /// Appends the diagram to a text.
    pub(super) fn write(&self, made: &mut String) {
        let Scene { nested, cards, labels, layout } = self.scene;
        let graph = self.graph();
        let (strokes, entries) = self.strokes();
        let legend = if !graph.legend.is_empty() || self.lacks_labels() {
            self.legend(&entries)
        } else {
            (String::new(), 0.0, 0.0)
        };
        let (legend, legend_width, legend_height) = legend;
        let (width, height) = (layout.width.max(legend_width), layout.height + legend_height);
        made.reserve(ARROW * graph.edges.len());
        let _ = write!(
            made,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             role=\"{role}\">\n<title>{title}</title>\n<style>\n{style}</style>\n\
             <rect class=\"ground\" width=\"{w}\" height=\"{h}\" rx=\"10\"/>\n",
            w = number(width.ceil()),
            h = number(height.ceil()),
            title = xml(&graph.title),
            style = style::sheet(graph.theme),
            // The content of an image can't be reached by keyboard.
            role =
                if self.is_interactive || graph.nodes.iter().any(|node| node.link.is_some()) { "group" } else { "img" },
        );
        for ((group, node), place) in graph.groups.iter().zip(&nested.nodes).zip(&layout.groups) {
            match node {
                Some(node) => draw_host(made, &graph.nodes[*node], nested.heads[*node].as_ref(), place),
                None => draw_frame(made, group, place),
            }
        }
        for (index, (edge, route)) in graph.edges.iter().zip(&layout.edges).enumerate() {
            let (from, to) = (&graph.nodes[edge.from].name, &graph.nodes[edge.to].name);
            let kind =
                if edge.label.full_kind.is_empty() { String::new() } else { format!(" ({})", edge.label.full_kind) };
            let title = if edge.has_label() { format!(": {}", edge.title()) } else { String::new() };
            let hint = format!("{from} → {to}{title}{kind}");
            let data = if self.is_interactive { format!(" data-edge=\"{index}\"") } else { String::new() };
            let is_horizontal = graph.direction.is_horizontal();
            arrow(made, route, strokes[index], is_horizontal, &(hint, data));
        }
        let is_searched = layout.groups.len().saturating_mul(layout.edges.len()) <= MAX_SEARCHED;
        let routes: &[Route] = if is_searched { &layout.edges } else { &[] };
        // Arrows pass behind the text of nodes with others inside.
        for (node, place) in nested.nodes.iter().zip(&layout.groups) {
            if let Some((node, head)) = node.and_then(|node| Some((node, nested.heads[node].as_ref()?))) {
                let mut head = Card { width: place.width, ..head.clone() };
                let (left, top) = (place.x - place.width / 2.0, place.y - place.height / 2.0);
                let room = (left + PADDING, left + place.width - PADDING);
                let words = head.words();
                let wanted = place.x - words / 2.0;
                let band = (top, top + head.head);
                head.middle = free(routes, graph, room, band, (wanted, words)) + words / 2.0 - left;
                let lines = head.lines_width();
                let band = (top + head.head, top + head.height);
                head.left = free(routes, graph, room, band, (room.0, lines)) - left;
                self.card(made, node, &head, place);
            }
        }
        for (index, (card, place)) in cards.iter().zip(&layout.nodes).enumerate() {
            if nested.frames[index].is_none() {
                self.card(made, index, card, place);
            }
        }
        // On top of everything else, so that they are readable.
        for ((group, _), place) in
            graph.groups.iter().zip(&nested.nodes).zip(&layout.groups).filter(|((_, node), _)| node.is_none())
        {
            draw_frame_name(made, group, place, |room, band, words| free(routes, graph, room, band, words));
        }
        for (index, ((label, route), stroke)) in labels.iter().zip(&layout.edges).zip(&strokes).enumerate() {
            if let (Some(label), Some(middle)) = (label, route.label) {
                let data = if self.is_interactive { format!(" data-label=\"{index}\"") } else { String::new() };
                draw_label(made, label, middle, (stroke.color, &data));
            }
        }
        if !legend.is_empty() {
            let _ = write!(made, "<g transform=\"translate(0 {})\">\n{legend}</g>\n", number(layout.height));
        }
        made.push_str("</svg>\n");
    }

    /// Returns whether there are too many labels, so that none is drawn.
    fn lacks_labels(&self) -> bool {
        let is_missing =
            |(edge, label): (&Edge, &Option<Box<Label>>)| label.is_none() && edge.legend.is_none() && edge.has_label();
        self.graph().edges.iter().zip(&self.scene.labels).any(is_missing)
    }

    /// Returns the stroke of every arrow, and the entries of the legend. A graph without a legend, or with too many other
    /// labels, has one of relationship types.
    fn strokes(&self) -> (Vec<Stroke>, Vec<(Stroke, String)>) {
        let graph = self.graph();
        let strokes = Strokes::of(graph);
        if !graph.legend.is_empty() && !self.lacks_labels() {
            let entries = graph.legend.iter().enumerate();
            let entries = entries.map(|(index, entry)| (strokes.entry(index), entry.text())).collect();
            return (graph.edges.iter().map(|edge| strokes.edge(edge)).collect(), entries);
        }
        let mut entries: IndexMap<&str, Stroke> = IndexMap::new();
        for edge in &graph.edges {
            let key = strokes.key(&edge.label).unwrap_or("no type");
            entries.entry(key).or_insert_with(|| strokes.label(&edge.label));
        }
        let entries = entries.into_iter().map(|(key, stroke)| (stroke, key.to_owned())).collect();
        (graph.edges.iter().map(|edge| strokes.label(&edge.label)).collect(), entries)
    }

    /// Returns the legend, with its size.
    fn legend(&self, entries: &[(Stroke, String)]) -> (String, f64, f64) {
        let most = self.scene.layout.width.max(600.0);
        let mut made = String::new();
        let (mut x, mut y, mut widest) = (24.0, 0.0, 0.0_f64);
        for (stroke, text) in entries {
            let own = 34.0 + width(text, Style::Small) + 22.0;
            if x > 24.0 && x + own > most {
                (x, y) = (24.0, y + LEGEND);
            }
            let middle = y + 4.0;
            let _ = writeln!(
                made,
                "<path class=\"{}\" d=\"M{} {m}h26\"/><text class=\"pale\" x=\"{}\" y=\"{}\">{}</text>",
                classes(*stroke),
                number(x),
                number(x + 34.0),
                number(middle + 4.0),
                xml(text),
                m = number(middle),
            );
            x += own;
            widest = widest.max(x);
        }
        (made, widest, y + LEGEND + 4.0)
    }

    fn card(&self, made: &mut String, index: usize, card: &Card, place: &Rectangle) {
        let node = &self.graph().nodes[index];
        let attributes = if self.is_interactive {
            format!(" data-node=\"{index}\" tabindex=\"0\" role=\"button\"")
        } else {
            String::new()
        };
        draw_card(made, node, card, place, &attributes);
    }
}

fn draw_frame(made: &mut String, group: &Group, place: &Rectangle) {
    let _ = writeln!(
        made,
        "<g><title>{}</title><rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"10\"/></g>",
        xml(&format!("{}: {}", group.name, group.full_kind)),
        number(place.x - place.width / 2.0),
        number(place.y - place.height / 2.0),
        number(place.width),
        number(place.height),
    );
}

/// `free` finds the place of the name.
fn draw_frame_name(
    made: &mut String,
    group: &Group,
    place: &Rectangle,
    free: impl Fn((f64, f64), (f64, f64), (f64, f64)) -> f64,
) {
    let (x, y) = (place.x - place.width / 2.0 + PADDING, place.y - place.height / 2.0);
    let room = place.width - 2.0 * PADDING;
    let name = fitting(&group.name, Style::Strong, room);
    let rest = room - GAP - width(&name, Style::Strong);
    let kind = if rest > 40.0 { fitting(&group.kind, Style::Small, rest) } else { String::new() };
    let words = width(&name, Style::Strong) + if kind.is_empty() { 0.0 } else { GAP + width(&kind, Style::Small) };
    let x = free((x, x + room), (y + 6.0, y + 23.0), (x, words));
    let _ = write!(
        made,
        "<rect class=\"patch\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"17\" rx=\"4\"/>\
         <text x=\"{}\" y=\"{}\"><tspan class=\"strong\">{}</tspan>",
        number(x - 4.0),
        number(y + 6.0),
        number(words + 8.0),
        number(x),
        number(y + 18.0),
        xml(&name),
    );
    if !kind.is_empty() {
        let _ = write!(made, "<tspan class=\"pale\" dx=\"5\">{}</tspan>", xml(&kind));
    }
    made.push_str("</text>\n");
}

/// Draws the ground of a node with others inside, below arrows and these.
fn draw_host(made: &mut String, node: &Node, head: Option<&Card>, place: &Rectangle) {
    let (x, y) = (place.x - place.width / 2.0, place.y - place.height / 2.0);
    let size = format!("width=\"{}\" height=\"{}\" rx=\"7\"", number(place.width), number(place.height));
    if !node.members.is_empty() {
        let _ = writeln!(made, "<rect class=\"card\" x=\"{}\" y=\"{}\" {size}/>", number(x + 4.0), number(y + 4.0));
    }
    for class in ["card", "host"] {
        let _ = writeln!(made, "<rect class=\"{class}\" x=\"{}\" y=\"{}\" {size}/>", number(x), number(y));
    }
    if let Some(head) = head {
        let shape = upper(place.width, head.head);
        let _ = writeln!(
            made,
            "<path class=\"head\" transform=\"translate({} {})\" d=\"{shape}H.6Z\"/>",
            number(x),
            number(y)
        );
    }
}

/// Returns the outline of the head of a box, with its upper corners, up to the lower right corner.
fn upper(width: f64, head: f64) -> String {
    let (edge, right) = (number(width - 7.0), number(width - 0.6));
    format!("M.6 7Q.6 .6 7 .6H{edge}Q{right} .6 {right} 7V{}", number(head))
}

/// Draws a box; a place that is taller than the card is that of a node with others inside.
fn draw_card(made: &mut String, node: &Node, card: &Card, place: &Rectangle, attributes: &str) {
    let (x, y) = (place.x - card.width / 2.0, place.y - place.height / 2.0);
    let is_host = place.height > card.height;
    let mut class = if node.directive.is_some() { "card elsewhere" } else { "card" }.to_owned();
    if let Some(color) = mark_color(node) {
        class.push_str(if color == ERROR { " mark with-error" } else { " mark with-warning" });
    }
    let mut hint =
        if node.full_kind.is_empty() { node.name.clone() } else { format!("{}: {}", node.name, node.full_kind) };
    if !node.members.is_empty() {
        hint = format!("{hint}\n{}", node.members.join("\n"));
    }
    for mark in &node.marks {
        hint = format!("{hint}\n{} {}", mark.sign(), mark.text);
    }
    let (w, h) = (number(card.width), number(place.height));
    // A page with details links from these, because elements that can be operated must not contain others.
    let link = node.link.as_ref().filter(|_| attributes.is_empty());
    if let Some(link) = link {
        let _ = write!(made, "<a href=\"{}\">", xml(link));
    }
    let _ = write!(
        made,
        "<g transform=\"translate({} {})\"{attributes}><title>{}</title>",
        number(x),
        number(y),
        xml(&hint)
    );
    if is_host {
        class.push_str(" border");
    } else if !node.members.is_empty() {
        // A stack of boxes.
        let _ = write!(made, "<rect class=\"card\" x=\"4\" y=\"4\" width=\"{w}\" height=\"{h}\" rx=\"7\"/>");
    }
    let _ = write!(made, "<rect class=\"{class}\" width=\"{w}\" height=\"{h}\" rx=\"7\"/>");
    if is_host {
        // The head is below the arrows; this one can be clicked.
        let _ = write!(made, "<path fill-opacity=\"0\" d=\"{}H.6Z\"/>", upper(card.width, card.head));
        draw_ground(made, card);
    } else if card.lines.is_empty() {
        let (edge, right, low) = (number(card.width - 7.0), number(card.width - 0.6), number(card.height - 0.6));
        let up = card.height - 7.0;
        let shape = format!("{}Q{right} {low} {edge} {low}H7Q.6 {low} .6 {}Z", upper(card.width, up), number(up));
        let _ = write!(made, "<path class=\"head\" d=\"{shape}\"/>");
    } else {
        let _ = write!(made, "<path class=\"head\" d=\"{}H.6Z\"/>", upper(card.width, card.head));
    }
    let middle = number(card.middle);
    let base = match (is_host, card.kind.is_empty()) {
        (true, _) => 19.0,
        (false, true) => 22.0,
        (false, false) => 20.0,
    };
    let _ = write!(
        made,
        "<text class=\"name\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}",
        number(base),
        xml(&card.name)
    );
    if !card.number.is_empty() {
        let _ = write!(made, "<tspan class=\"strong\" font-size=\"11\" dx=\"6\">{}</tspan>", xml(&card.number));
    }
    if is_host && !card.kind.is_empty() {
        let _ = write!(
            made,
            "<tspan class=\"pale\" font-size=\"11\" font-weight=\"400\" dx=\"6\">{}</tspan>",
            xml(&card.kind)
        );
    }
    made.push_str("</text>");
    if !is_host && !card.kind.is_empty() {
        let _ = write!(
            made,
            "<text class=\"pale\" x=\"{middle}\" y=\"37\" text-anchor=\"middle\">{}</text>",
            xml(&card.kind)
        );
    }
    if is_host && !card.lines.is_empty() {
        draw_patch(made, card);
    }
    for line in &card.lines {
        draw_line(made, line, card.left + line.left, card.head + 18.0 + LINE * line.row as f64);
    }
    made.push_str(if link.is_some() { "</g></a>\n" } else { "</g>\n" });
}

/// Draws the ground of the name and the type of a node with others inside, so that arrows don't strike them through.
fn draw_ground(made: &mut String, card: &Card) {
    let widest = card.words();
    let _ = write!(
        made,
        "<rect class=\"head\" x=\"{}\" y=\"4\" width=\"{}\" height=\"{}\" rx=\"4\"/>",
        number(card.middle - widest / 2.0 - 4.0),
        number(widest + 8.0),
        number(card.head - 6.0),
    );
}

/// Draws the ground of the lines of a node with others inside, so that arrows don't strike them through.
fn draw_patch(made: &mut String, card: &Card) {
    let _ = write!(
        made,
        "<rect class=\"patch\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>",
        number(card.left - 4.0),
        number(card.head + 5.0),
        number((card.lines_width() + 8.0).min(card.width - card.left - PADDING + 8.0)),
        number(LINE * card.rows as f64 + 2.0),
    );
}

fn draw_line(made: &mut String, line: &Line, left: f64, y: f64) {
    let (pale, text) = (xml(&line.pale), xml(&line.text));
    if line.is.has_mark() {
        let (x, middle) = (number(left + 4.0), number(y - 4.0));
        let class = match line.is {
            LineRole::Error => "error",
            LineRole::Warning => "warning",
            LineRole::Optional => "pale",
            _ => "dangling",
        };
        let _ = match line.is {
            // A circle and a triangle, so that colors alone don't carry the severity.
            LineRole::Error => write!(made, "<circle class=\"error\" cx=\"{x}\" cy=\"{middle}\" r=\"4\"/>"),
            LineRole::Warning => write!(made, "<path class=\"warning\" d=\"M{x} {}l5 9h-10z\"/>", number(y - 8.5)),
            LineRole::Optional => {
                write!(made, "<circle class=\"ring optional\" cx=\"{x}\" cy=\"{middle}\" r=\"4\"/>")
            }
            _ => write!(made, "<circle class=\"ring\" cx=\"{x}\" cy=\"{middle}\" r=\"4\"/>"),
        };
        let _ = write!(
            made,
            "<text x=\"{}\" y=\"{}\"><tspan class=\"{class}\">{text}</tspan><tspan class=\"pale\" dx=\"5\">{pale}</tspan></text>",
            number(left + MARK),
            number(y),
        );
    } else {
        let _ = write!(
            made,
            "<text x=\"{}\" y=\"{}\"><tspan class=\"pale\">{pale}</tspan><tspan dx=\"5\">{text}</tspan></text>",
            number(left),
            number(y)
        );
    }
}

/// Returns the left side of words in a band of a frame, as close as possible to the wanted one, so that no arrow passes
/// behind the words; the wanted one if there is none. `room` is from left to right, `band` from top to bottom.
pub(super) fn free(
    routes: &[Route],
    graph: &Graph,
    room: (f64, f64),
    band: (f64, f64),
    (wanted, words): (f64, f64),
) -> f64 {
    let is_horizontal = graph.direction.is_horizontal();
    let mut spans: Vec<(f64, f64)> =
        routes.iter().filter_map(|route| clip::span(route, room, band, is_horizontal)).collect();
    spans.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (mut nearest, mut from) = (None, room.0);
    // The words may be in the gaps before each arrow and after the last one.
    for (left, right) in spans.into_iter().chain([(room.1 + BESIDE, room.1)]) {
        let until = left - BESIDE - words;
        if from <= until {
            let place = wanted.clamp(from, until);
            let distance = |place: f64| (place - wanted).abs();
            nearest = nearest.filter(|known| distance(*known) <= distance(place)).or(Some(place));
        }
        from = from.max(right + BESIDE);
    }
    nearest.unwrap_or(wanted)
}

/// The space between words and an arrow.
const BESIDE: f64 = 6.0;

/// The maximum number of frames times arrows for which free places are searched.
const MAX_SEARCHED: usize = 1_000_000;

/// The corner radius of arrows.
const ROUND: f64 = 14.0;

fn arrow(made: &mut String, route: &Route, stroke: Stroke, is_horizontal: bool, (hint, data): &(String, String)) {
    let mut points = route.points.clone();
    let mut tail = route.tail.as_deref().copied();
    let head = route.head.as_deref().copied();
    let ends = match (&tail, &points[..]) {
        (Some([.., before, tip]), _) => Some((*before, *tip)),
        (None, [.., before, tip]) => Some((*before, *tip)),
        (None, [tip]) => head.map(|[_, _, before, _]| (before, *tip)),
        _ => None,
    };
    let Some((before, tip)) = ends else { return };
    let (dx, dy) = (tip.0 - before.0, tip.1 - before.1);
    let length = dx.hypot(dy).max(0.01);
    let (ux, uy) = (dx / length, dy / length);
    // The line ends inside the arrowhead, so that it does not stick out at the tip.
    let end = (tip.0 - 6.0 * ux, tip.1 - 6.0 * uy);
    match (&mut tail, points.last_mut()) {
        (Some([.., last]), _) => *last = end,
        (None, Some(last)) => *last = end,
        (None, None) => {}
    }
    let side = |sign: f64| (tip.0 - 9.0 * ux - sign * 4.0 * uy, tip.1 - 9.0 * uy + sign * 4.0 * ux);
    let (left, right) = (side(1.0), side(-1.0));
    let _ = writeln!(
        made,
        "<g{data}><title>{}</title><path class=\"{}\" d=\"{}\"/><path class=\"f{}\" d=\"M{}L{}L{}Z\"/></g>",
        xml(hint),
        classes(stroke),
        if route.is_loop { rounded(&points) } else { curve(&points, (head, tail), is_horizontal) },
        stroke.color,
        point(tip),
        point(left),
        point(right),
    );
}

/// Returns a curve through knots, in the direction of the diagram at each knot.
fn curve(points: &[Point], (head, tail): (Option<Cubic>, Option<Cubic>), is_horizontal: bool) -> String {
    let start = head.map(|[start, ..]| start).or(points.first().copied());
    let Some(start) = start else { return String::new() };
    let mut made = format!("M{}", point(start));
    let bend = |made: &mut String, [_, one, other, to]: Cubic| {
        let _ = write!(made, "C{} {} {}", point(one), point(other), point(to));
    };
    head.into_iter().for_each(|head| bend(&mut made, head));
    for pair in points.windows(2) {
        let [from, to] = pair else { continue };
        let is_straight = if is_horizontal { (from.1 - to.1).abs() < 0.1 } else { (from.0 - to.0).abs() < 0.1 };
        if is_straight {
            let _ = write!(made, "L{}", point(*to));
        } else {
            bend(&mut made, cubic(*from, *to, is_horizontal));
        }
    }
    tail.into_iter().for_each(|tail| bend(&mut made, tail));
    made
}

/// Returns a line through points, with rounded corners.
fn rounded(points: &[Point]) -> String {
    let Some(first) = points.first() else { return String::new() };
    let mut made = format!("M{}", point(*first));
    for corner in points.windows(3) {
        let [before, at, after] = corner else { continue };
        let towards = |other: &Point| {
            let (dx, dy) = (other.0 - at.0, other.1 - at.1);
            let length = dx.hypot(dy).max(0.01);
            let part = (ROUND.min(length / 2.0)) / length;
            (at.0 + part * dx, at.1 + part * dy)
        };
        let _ = write!(made, "L{}Q{} {}", point(towards(before)), point(*at), point(towards(after)));
    }
    if let Some(last) = points.last() {
        let _ = write!(made, "L{}", point(*last));
    }
    made
}

fn draw_label(made: &mut String, label: &Label, (x, y): Point, (color, data): (usize, &str)) {
    let _ = write!(
        made,
        "<g text-anchor=\"middle\"{data}><rect class=\"patch\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>",
        number(x - label.width / 2.0),
        number(y - label.height / 2.0),
        number(label.width),
        number(label.height),
    );
    let (x, mut baseline) = (number(x), y - label.height / 2.0 + 2.0 + 10.0);
    if !label.name.is_empty() {
        let _ = write!(made, "<text x=\"{x}\" y=\"{}\">{}</text>", number(baseline), xml(&label.name));
        baseline += LABEL_LINE;
    }
    if !label.kind.is_empty() {
        let y = number(baseline);
        let _ = write!(made, "<text class=\"f{color}\" x=\"{x}\" y=\"{y}\">{}</text>", xml(&label.kind));
    }
    made.push_str("</g>\n");
}

fn point((x, y): Point) -> String {
    format!("{} {}", number(x), number(y))
}

/// Returns a number with at most one decimal.
fn number(number: f64) -> String {
    let tenths = (number * 10.0).round() / 10.0;
    // Avoids a negative zero.
    format!("{}", tenths + 0.0)
}
