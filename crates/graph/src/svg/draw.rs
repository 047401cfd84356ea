//! Drawing of a finished layout.

use std::fmt::Write;

use indexmap::IndexSet;

use super::layout::{Layout, Point, Rectangle, Route};
use super::measure::{Card, GAP, LABEL_LINE, LINE, Label, Line, LineRole, MARK, PADDING, Style, fitting, width};
use crate::{Edge, Graph, Group, Node};
use tosca_parse_engine::diagnostic::render::xml;

/// The styles. Programs that don't support `@media` show the colors for light backgrounds, on a light background.
const STYLE: &str = "\
text{font-family:'Helvetica Neue',Arial,'Segoe UI','DejaVu Sans',sans-serif;font-size:11px;fill:#0f172a}
.name{font-size:13px;font-weight:700}.strong{font-weight:700;fill:#475569}.pale{fill:#64748b}
.ground{fill:#f8fafc}.card{fill:#fff;stroke:#94a3b8}.head{fill:#e2e8f0}
.elsewhere{stroke-dasharray:5 4}.frame{fill:#64748b;fill-opacity:.07;stroke:#94a3b8;stroke-dasharray:2 3}
.dangling{fill:#b45309}.ring{fill:none;stroke:#d97706;stroke-width:1.5;stroke-dasharray:2.4 1.6}
.optional{stroke:#94a3b8}.patch{fill:#f8fafc;fill-opacity:.9}.line{fill:none;stroke-width:1.4}
.s0{stroke:#2563eb}.s1{stroke:#0d9488}.s2{stroke:#9333ea}.s3{stroke:#c2410c}.s4{stroke:#be185d}.s5{stroke:#4d7c0f}
.s6{stroke:#0369a1}.s7{stroke:#64748b}
.f0{fill:#2563eb}.f1{fill:#0d9488}.f2{fill:#9333ea}.f3{fill:#c2410c}.f4{fill:#be185d}.f5{fill:#4d7c0f}
.f6{fill:#0369a1}.f7{fill:#64748b}
@media (prefers-color-scheme:dark){
text{fill:#e2e8f0}.strong{fill:#cbd5e1}.pale{fill:#94a3b8}
.ground{fill:#0f172a}.card{fill:#1e293b;stroke:#64748b}.head{fill:#334155}
.frame{fill:#94a3b8;stroke:#64748b}.dangling{fill:#fbbf24}.ring{stroke:#f59e0b}.optional{stroke:#64748b}
.patch{fill:#0f172a}
.s0{stroke:#60a5fa}.s1{stroke:#2dd4bf}.s2{stroke:#c084fc}.s3{stroke:#fb923c}.s4{stroke:#f472b6}.s5{stroke:#a3e635}
.s6{stroke:#38bdf8}.s7{stroke:#94a3b8}
.f0{fill:#60a5fa}.f1{fill:#2dd4bf}.f2{fill:#c084fc}.f3{fill:#fb923c}.f4{fill:#f472b6}.f5{fill:#a3e635}
.f6{fill:#38bdf8}.f7{fill:#94a3b8}
}
";

/// The number of arrow colors. Further relationship types share the last color.
const COLORS: usize = 8;

/// The height of a line of the color legend.
const LEGEND: f64 = 22.0;

pub(super) struct Drawing<'a> {
    pub(super) graph: &'a Graph,
    pub(super) cards: &'a [Card],
    pub(super) labels: &'a [Option<Label>],
    pub(super) layout: &'a Layout,
}

impl Drawing<'_> {
    pub(super) fn write(&self) -> String {
        let Layout { width, height, .. } = *self.layout;
        let (colors, kinds) = self.colors();
        let is_unlabeled = |(edge, label): (&Edge, &Option<Label>)| label.is_none() && edge.has_label();
        let has_legend = self.graph.edges.iter().zip(self.labels).any(is_unlabeled);
        let legend = if has_legend { self.legend(&kinds) } else { (String::new(), 0.0, 0.0) };
        let (legend, legend_width, legend_height) = legend;
        let (width, height) = (width.max(legend_width), height + legend_height);
        let mut made = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             role=\"{role}\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n\
             <rect class=\"ground\" width=\"{w}\" height=\"{h}\" rx=\"10\"/>\n",
            w = number(width.ceil()),
            h = number(height.ceil()),
            title = xml(&self.graph.title),
            // The content of an image can't be reached by keyboard.
            role = if self.graph.nodes.iter().any(|node| node.link.is_some()) { "group" } else { "img" },
        );
        for (group, place) in self.graph.groups.iter().zip(&self.layout.groups) {
            draw_frame(&mut made, group, place);
        }
        for ((edge, route), color) in self.graph.edges.iter().zip(&self.layout.edges).zip(&colors) {
            let (from, to) = (&self.graph.nodes[edge.from].name, &self.graph.nodes[edge.to].name);
            let kind = if edge.full_kind.is_empty() { String::new() } else { format!(" ({})", edge.full_kind) };
            let title = if edge.has_label() { format!(": {}", edge.title()) } else { String::new() };
            let hint = format!("{from} → {to}{title}{kind}");
            arrow(&mut made, route, *color, &hint);
        }
        for ((node, card), place) in self.graph.nodes.iter().zip(self.cards).zip(&self.layout.nodes) {
            draw_card(&mut made, node, card, place);
        }
        // On top of everything else, so that they are readable.
        for (group, place) in self.graph.groups.iter().zip(&self.layout.groups) {
            draw_frame_name(&mut made, group, place);
        }
        for ((label, route), color) in self.labels.iter().zip(&self.layout.edges).zip(&colors) {
            if let (Some(label), Some(middle)) = (label, route.label) {
                draw_label(&mut made, label, middle, *color);
            }
        }
        if !legend.is_empty() {
            let _ = write!(made, "<g transform=\"translate(0 {})\">\n{legend}</g>\n", number(self.layout.height));
        }
        made.push_str("</svg>\n");
        made
    }

    /// Returns the color of every arrow and the relationship types in the order of colors.
    fn colors(&self) -> (Vec<usize>, Vec<&str>) {
        let mut kinds: IndexSet<&str> = IndexSet::new();
        let colors = self.graph.edges.iter().map(|edge| kinds.insert_full(&edge.kind).0.min(COLORS - 1)).collect();
        (colors, kinds.into_iter().collect())
    }

    /// Returns the color legend, with its size.
    fn legend(&self, kinds: &[&str]) -> (String, f64, f64) {
        let most = self.layout.width.max(600.0);
        let mut made = String::new();
        let (mut x, mut y, mut widest) = (24.0, 0.0, 0.0_f64);
        for (color, kind) in kinds.iter().enumerate().take(COLORS) {
            let text = match kind {
                _ if color == COLORS - 1 && kinds.len() > COLORS => "others",
                &"" => "no type",
                kind => kind,
            };
            let own = 34.0 + width(text, Style::Small) + 22.0;
            if x > 24.0 && x + own > most {
                (x, y) = (24.0, y + LEGEND);
            }
            let middle = y + 4.0;
            let _ = writeln!(
                made,
                "<path class=\"line s{color}\" d=\"M{} {m}h26\"/><text class=\"pale\" x=\"{}\" y=\"{}\">{}</text>",
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

fn draw_frame_name(made: &mut String, group: &Group, place: &Rectangle) {
    let (x, y) = (place.x - place.width / 2.0 + PADDING, place.y - place.height / 2.0);
    let room = place.width - 2.0 * PADDING;
    let name = fitting(&group.name, Style::Strong, room);
    let rest = room - GAP - width(&name, Style::Strong);
    let kind = if rest > 40.0 { fitting(&group.kind, Style::Small, rest) } else { String::new() };
    let words = width(&name, Style::Strong) + if kind.is_empty() { 0.0 } else { GAP + width(&kind, Style::Small) };
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

fn draw_card(made: &mut String, node: &Node, card: &Card, place: &Rectangle) {
    let (x, y) = (place.x - card.width / 2.0, place.y - card.height / 2.0);
    let class = if node.directive.is_some() { "card elsewhere" } else { "card" };
    let mut hint =
        if node.full_kind.is_empty() { node.name.clone() } else { format!("{}: {}", node.name, node.full_kind) };
    if !node.members.is_empty() {
        hint = format!("{hint}\n{}", node.members.join("\n"));
    }
    let (w, h, head) = (number(card.width), number(card.height), number(card.head));
    if let Some(link) = &node.link {
        let _ = write!(made, "<a href=\"{}\">", xml(link));
    }
    let _ = write!(made, "<g transform=\"translate({} {})\"><title>{}</title>", number(x), number(y), xml(&hint));
    if !node.members.is_empty() {
        // A stack of boxes.
        let _ = write!(made, "<rect class=\"card\" x=\"4\" y=\"4\" width=\"{w}\" height=\"{h}\" rx=\"7\"/>");
    }
    let _ = write!(made, "<rect class=\"{class}\" width=\"{w}\" height=\"{h}\" rx=\"7\"/>");
    // The head, with the upper corners of the box, and the lower ones if the box has no lines.
    let (edge, right) = (number(card.width - 7.0), number(card.width - 0.6));
    let lower = if card.lines.is_empty() {
        let (low, up) = (number(card.height - 0.6), number(card.height - 7.0));
        format!("V{up}Q{right} {low} {edge} {low}H7Q.6 {low} .6 {up}Z")
    } else {
        format!("V{head}H.6Z")
    };
    let _ = write!(made, "<path class=\"head\" d=\"M.6 7Q.6 .6 7 .6H{edge}Q{right} .6 {right} 7{lower}\"/>");
    let middle = number(card.width / 2.0);
    let base = if card.kind.is_empty() { 22.0 } else { 20.0 };
    let _ = write!(
        made,
        "<text class=\"name\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}",
        number(base),
        xml(&card.name)
    );
    if !card.number.is_empty() {
        let _ = write!(made, "<tspan class=\"strong\" font-size=\"11\" dx=\"6\">{}</tspan>", xml(&card.number));
    }
    made.push_str("</text>");
    if !card.kind.is_empty() {
        let _ = write!(
            made,
            "<text class=\"pale\" x=\"{middle}\" y=\"37\" text-anchor=\"middle\">{}</text>",
            xml(&card.kind)
        );
    }
    for (index, line) in card.lines.iter().enumerate() {
        draw_line(made, line, card.head + 18.0 + LINE * index as f64);
    }
    made.push_str(if node.link.is_some() { "</g></a>\n" } else { "</g>\n" });
}

fn draw_line(made: &mut String, line: &Line, y: f64) {
    let (pale, text) = (xml(&line.pale), xml(&line.text));
    let is_dangling = matches!(line.is, LineRole::Dangling | LineRole::Optional);
    if is_dangling {
        let class = if line.is == LineRole::Optional { "ring optional" } else { "ring" };
        let _ = write!(
            made,
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"4\"/>\
             <text x=\"{}\" y=\"{}\"><tspan class=\"{}\">{text}</tspan><tspan class=\"pale\" dx=\"5\">{pale}</tspan></text>",
            number(PADDING + 4.0),
            number(y - 4.0),
            number(PADDING + MARK),
            number(y),
            if line.is == LineRole::Optional { "pale" } else { "dangling" },
        );
    } else {
        let _ = write!(
            made,
            "<text x=\"{}\" y=\"{}\"><tspan class=\"pale\">{pale}</tspan><tspan dx=\"5\">{text}</tspan></text>",
            number(PADDING),
            number(y)
        );
    }
}

/// The corner radius of arrows.
const ROUND: f64 = 14.0;

fn arrow(made: &mut String, route: &Route, color: usize, hint: &str) {
    let [.., before, tip] = route.points[..] else { return };
    let (dx, dy) = (tip.0 - before.0, tip.1 - before.1);
    let length = dx.hypot(dy).max(0.01);
    let (ux, uy) = (dx / length, dy / length);
    // The line ends inside the arrowhead, so that it does not stick out at the tip.
    let end = (tip.0 - 6.0 * ux, tip.1 - 6.0 * uy);
    let mut points = route.points.clone();
    if let Some(last) = points.last_mut() {
        *last = end;
    }
    let side = |sign: f64| (tip.0 - 9.0 * ux - sign * 4.0 * uy, tip.1 - 9.0 * uy + sign * 4.0 * ux);
    let (left, right) = (side(1.0), side(-1.0));
    let _ = writeln!(
        made,
        "<g><title>{}</title><path class=\"line s{color}\" d=\"{}\"/><path class=\"f{color}\" d=\"M{}L{}L{}Z\"/></g>",
        xml(hint),
        if route.is_loop { rounded(&points) } else { curve(&points) },
        point(tip),
        point(left),
        point(right),
    );
}

/// Returns a curve through knots, vertical at each knot.
fn curve(points: &[Point]) -> String {
    let Some(first) = points.first() else { return String::new() };
    let mut made = format!("M{}", point(*first));
    for pair in points.windows(2) {
        let [from, to] = pair else { continue };
        if (from.0 - to.0).abs() < 0.1 {
            let _ = write!(made, "L{}", point(*to));
        } else {
            let middle = f64::midpoint(from.1, to.1);
            let _ = write!(made, "C{} {} {}", point((from.0, middle)), point((to.0, middle)), point(*to));
        }
    }
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

fn draw_label(made: &mut String, label: &Label, (x, y): Point, color: usize) {
    let _ = write!(
        made,
        "<g text-anchor=\"middle\"><rect class=\"patch\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>",
        number(x - label.width / 2.0),
        number(y - label.height / 2.0),
        number(label.width),
        number(label.height),
    );
    let (x, top) = (number(x), y - label.height / 2.0 + 2.0 + 10.0);
    let _ = write!(made, "<text x=\"{x}\" y=\"{}\">{}</text>", number(top), xml(&label.name));
    if !label.kind.is_empty() {
        let y = number(top + LABEL_LINE);
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
