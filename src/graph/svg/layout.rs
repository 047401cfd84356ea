//! Where everything is.
//!
//! The library that does the work is given one part of the picture after the other: boxes that have to do with each
//! other, by arrows or by frames. In which rows their boxes are is settled before; it finds their order in the rows,
//! such that few arrows cross, and places for everything.

use dagre::graph::{Graph as Dagre, GraphOptions};
use dagre::layout::types::LabelPos;
use dagre::{EdgeLabel, LayoutOptions, NodeLabel, Ranker};

use super::measure::{self, Card, Label};
use super::pack::pack;
use super::rank::{self, Part};
use super::ring::{Seat, is_dense, seats, way};
use super::route::{Raw, Rows, routes};
use super::tighten::{Frame, Is, Thing, tighten};
use crate::graph::Graph;
use rustc_hash::FxHashMap;

/// Air around everything.
const MARGIN: f64 = 24.0;

/// How far an arrow from a box to itself goes away from it.
const LOOP: f64 = 30.0;

/// A rectangle by its middle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::graph) struct Rectangle {
    pub(in crate::graph) x: f64,
    pub(in crate::graph) y: f64,
    pub(in crate::graph) width: f64,
    pub(in crate::graph) height: f64,
}

/// A point of an arrow.
pub(in crate::graph) type Point = (f64, f64);

/// An arrow.
#[derive(Clone, Debug, Default)]
pub(in crate::graph) struct Route {
    /// Where it goes, from its beginning.
    pub(in crate::graph) points: Vec<Point>,
    /// Whether it ends where it begins.
    pub(in crate::graph) is_loop: bool,
    /// The middle of its label.
    pub(in crate::graph) label: Option<Point>,
}

/// Where everything is.
#[derive(Debug, Default)]
pub(in crate::graph) struct Layout {
    pub(in crate::graph) width: f64,
    pub(in crate::graph) height: f64,
    pub(in crate::graph) nodes: Vec<Rectangle>,
    pub(in crate::graph) groups: Vec<Rectangle>,
    pub(in crate::graph) edges: Vec<Route>,
}

/// Whether a part of a picture has so many arrows that there can be no frames in it.
pub(super) fn has_dense_part(graph: &Graph) -> bool {
    is_dense(0, graph.edges.len()) && parts(graph).iter().any(|part| is_dense(part.nodes.len(), part.edges.len()))
}

pub(super) fn layout(graph: &Graph, cards: &[Card], labels: &[Option<Label>]) -> Layout {
    let mut layout = Layout {
        nodes: vec![Rectangle::default(); graph.nodes.len()],
        groups: vec![Rectangle::default(); graph.groups.len()],
        edges: vec![Route::default(); graph.edges.len()],
        ..Layout::default()
    };
    let parts = parts(graph);
    let sizes: Vec<(f64, f64)> =
        parts.iter().map(|members| Work { graph, cards, labels, members: members.clone() }.run(&mut layout)).collect();
    let (places, (width, height)) = pack(&sizes);
    for (members, (x, y)) in parts.iter().zip(places) {
        let (x, y) = (x + MARGIN, y + MARGIN);
        let shift = |rectangle: &mut Rectangle| (rectangle.x, rectangle.y) = (rectangle.x + x, rectangle.y + y);
        members.nodes.iter().for_each(|node| shift(&mut layout.nodes[*node]));
        members.groups.iter().for_each(|group| shift(&mut layout.groups[*group]));
        for edge in &members.edges {
            let Route { points, label, .. } = &mut layout.edges[*edge];
            points.iter_mut().chain(label).for_each(|point| *point = (point.0 + x, point.1 + y));
        }
    }
    (layout.width, layout.height) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
    layout
}

/// What is laid out together.
#[derive(Clone, Debug, Default)]
struct Members {
    nodes: Vec<usize>,
    groups: Vec<usize>,
    edges: Vec<usize>,
}

/// The parts that have nothing to do with each other.
fn parts(graph: &Graph) -> Vec<Members> {
    let number = graph.nodes.len();
    let mut union = petgraph::unionfind::UnionFind::<usize>::new(number + graph.groups.len());
    for edge in &graph.edges {
        union.union(edge.from, edge.to);
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        node.group.iter().for_each(|group| _ = union.union(index, number + group));
    }
    for (index, group) in graph.groups.iter().enumerate() {
        group.parent.iter().for_each(|parent| _ = union.union(number + index, number + parent));
    }
    let mut parts: indexmap::IndexMap<usize, Members> = indexmap::IndexMap::new();
    for node in 0..number {
        parts.entry(union.find(node)).or_default().nodes.push(node);
    }
    for group in 0..graph.groups.len() {
        parts.entry(union.find(number + group)).or_default().groups.push(group);
    }
    for (index, edge) in graph.edges.iter().enumerate() {
        parts.entry(union.find(edge.from)).or_default().edges.push(index);
    }
    parts.into_values().collect()
}

struct Work<'a> {
    graph: &'a Graph,
    cards: &'a [Card],
    labels: &'a [Option<Label>],
    members: Members,
}

impl Work<'_> {
    /// Lays out a part from the point 0, 0; its size is returned.
    fn run(&self, layout: &mut Layout) -> (f64, f64) {
        if let ([node], [], []) = (&self.members.nodes[..], &self.members.groups[..], &self.members.edges[..]) {
            let Card { width, height, .. } = self.cards[*node];
            layout.nodes[*node] = Rectangle { x: width / 2.0, y: height / 2.0, width, height };
            return (width, height);
        }
        if is_dense(self.members.nodes.len(), self.members.edges.len()) {
            return self.around(layout);
        }
        let mut dagre = self.dagre();
        // Frames have edges of their own, for which the rows are not enough.
        let is_simple = self.members.groups.is_empty() || self.members.nodes.len() > 120;
        let options = LayoutOptions {
            nodesep: 36.0,
            edgesep: 14.0,
            ranksep: 72.0,
            ranker: if is_simple { Ranker::TightTree } else { Ranker::NetworkSimplex },
            ..LayoutOptions::default()
        };
        dagre::layout(&mut dagre, Some(options));
        self.read(&dagre, layout)
    }

    /// Lays out a part with very many arrows.
    fn around(&self, layout: &mut Layout) -> (f64, f64) {
        let sizes: Vec<(f64, f64)> = self
            .members
            .nodes
            .iter()
            .map(|node| (self.cards[*node].width + 2.0 * self.loop_room(*node), self.cards[*node].height))
            .collect();
        let seats: FxHashMap<usize, Seat> = self.members.nodes.iter().copied().zip(seats(&sizes)).collect();
        for node in &self.members.nodes {
            layout.nodes[*node] = Rectangle { width: self.cards[*node].width, ..seats[node].place };
        }
        for edge in self.members.edges.iter().filter(|edge| !self.is_loop(**edge)) {
            let (from, to) = (self.graph.edges[*edge].from, self.graph.edges[*edge].to);
            layout.edges[*edge].points = way(&seats[&from], &seats[&to]);
        }
        self.loops(layout);
        let bounds = self.bounds(layout);
        self.move_to_origin(&bounds, layout);
        (bounds.right - bounds.left, bounds.bottom - bounds.top)
    }

    fn dagre(&self) -> Dagre<NodeLabel, EdgeLabel> {
        let is_compound = !self.members.groups.is_empty();
        let options = GraphOptions { directed: true, multigraph: true, compound: is_compound };
        let mut dagre = Dagre::with_options(options);
        for group in &self.members.groups {
            dagre.set_node(group_name(*group), Some(NodeLabel::default()));
        }
        for group in &self.members.groups {
            if let Some(parent) = self.graph.groups[*group].parent {
                dagre.set_parent(&group_name(*group), Some(&group_name(parent)));
            }
        }
        for node in &self.members.nodes {
            let Card { width, height, .. } = self.cards[*node];
            dagre.set_node(node.to_string(), Some(NodeLabel { width, height, ..NodeLabel::default() }));
            if let Some(group) = self.graph.nodes[*node].group {
                dagre.set_parent(&node.to_string(), Some(&group_name(group)));
            }
        }
        let rows = self.rows();
        for edge in self.members.edges.iter().filter(|edge| !self.is_loop(**edge)) {
            let (from, to) = (self.graph.edges[*edge].from, self.graph.edges[*edge].to);
            let (upper, lower) = if rows(from) >= rows(to) { (from, to) } else { (to, from) };
            let minlen = i32::try_from(rows(upper) - rows(lower)).unwrap_or(1).max(1);
            let (width, height) = self.labels[*edge].as_ref().map_or((0.0, 0.0), |label| (label.width, label.height));
            let label = EdgeLabel { minlen, width, height, labelpos: LabelPos::Center, ..EdgeLabel::default() };
            dagre.set_edge(
                upper.to_string().as_str(),
                lower.to_string().as_str(),
                Some(label),
                Some(&edge.to_string()),
            );
        }
        for (upper, lower) in self.invisible(&rows) {
            let label = EdgeLabel { weight: 0, labelpos: LabelPos::Center, ..EdgeLabel::default() };
            dagre.set_edge(upper.to_string().as_str(), lower.to_string().as_str(), Some(label), Some("-"));
        }
        dagre
    }

    /// The row of each node.
    fn rows(&self) -> impl Fn(usize) -> usize + use<> {
        let places: rustc_hash::FxHashMap<usize, usize> =
            self.members.nodes.iter().enumerate().map(|(place, node)| (*node, place)).collect();
        let arrows = self.members.edges.iter().map(|edge| &self.graph.edges[*edge]);
        let part = Part {
            cards: self.members.nodes.iter().map(|node| &self.cards[*node]).collect(),
            arrows: arrows
                .filter(|edge| edge.from != edge.to)
                .map(|edge| (places[&edge.from], places[&edge.to]))
                .collect(),
        };
        let rows = rank::rows(&part);
        move |node| rows[places[&node]]
    }

    /// Arrows that nobody sees: they arrange what is in a frame and has no arrow in lines and columns.
    fn invisible(&self, _rows: &impl Fn(usize) -> usize) -> Vec<(usize, usize)> {
        let mut has_arrow = rustc_hash::FxHashSet::default();
        for edge in &self.members.edges {
            has_arrow.extend([self.graph.edges[*edge].from, self.graph.edges[*edge].to]);
        }
        let mut frames: indexmap::IndexMap<usize, Vec<usize>> = indexmap::IndexMap::new();
        for node in self.members.nodes.iter().filter(|node| !has_arrow.contains(*node)) {
            if let Some(group) = self.graph.nodes[*node].group {
                frames.entry(group).or_default().push(*node);
            }
        }
        let mut arrows = Vec::new();
        for nodes in frames.values().filter(|nodes| nodes.len() > 4) {
            let columns = (nodes.len() as f64).sqrt().ceil() as usize;
            arrows.extend(nodes.iter().zip(&nodes[columns..]).map(|(upper, lower)| (*upper, *lower)));
        }
        arrows
    }

    /// Reads where everything is.
    fn read(&self, dagre: &Dagre<NodeLabel, EdgeLabel>, layout: &mut Layout) -> (f64, f64) {
        let rectangle = |name: &str| {
            dagre.node(name).map_or_else(Rectangle::default, |node| Rectangle {
                x: node.x.unwrap_or_default(),
                y: node.y.unwrap_or_default(),
                width: node.width,
                height: node.height,
            })
        };
        let mut things = Vec::new();
        let mut thing_of: FxHashMap<usize, usize> = FxHashMap::default();
        for node in &self.members.nodes {
            let place = rectangle(&node.to_string());
            thing_of.insert(*node, things.len());
            let width = place.width + 2.0 * self.loop_room(*node);
            things.push(Thing { is: Is::Box, x: place.x, y: place.y, width });
            layout.nodes[*node] = place;
        }
        let mut rows = Rows::new(self.members.nodes.iter().map(|node| layout.nodes[*node]));
        let mut found = Vec::new();
        for edge in self.members.edges.iter().filter(|edge| !self.is_loop(**edge)) {
            let (from, to) = (self.graph.edges[*edge].from, self.graph.edges[*edge].to);
            let name = edge.to_string();
            let there = dagre.edge(&from.to_string(), &to.to_string(), Some(&name)).map(|it| (it, from, to));
            let back = || dagre.edge(&to.to_string(), &from.to_string(), Some(&name)).map(|it| (it, to, from));
            let Some(arrow) = there.or_else(back) else { continue };
            if let (Some(y), Some(label)) = (arrow.0.y, &self.labels[*edge]) {
                rows.add(y, label.height / 2.0);
            }
            found.push((*edge, arrow));
        }
        let mut raw = Vec::new();
        let mut chains = Vec::new();
        for (edge, (found, upper, lower)) in found {
            // The ends are at the boxes, where arrows are given places of their own.
            let between = found.points.get(1..found.points.len().saturating_sub(1)).unwrap_or_default();
            let mut chain = vec![thing_of[&upper]];
            // Where nothing is, nothing needs to be avoided.
            for point in between.iter().filter(|point| rows.half(point.y).is_some()) {
                let own = self.labels[edge].as_ref().filter(|_| found.y == Some(point.y));
                let (is, width) = own.map_or((Is::Line, 0.0), |label| (Is::Label, label.width));
                chain.push(things.len());
                things.push(Thing { is, x: point.x, y: point.y, width });
            }
            chain.push(thing_of[&lower]);
            chains.push(chain);
            raw.push((edge, Raw { upper, lower, between: Vec::new() }));
        }
        let place_of: FxHashMap<usize, usize> =
            self.members.groups.iter().enumerate().map(|(place, group)| (*group, place)).collect();
        let mut frames: Vec<Frame> = self
            .members
            .groups
            .iter()
            .map(|group| Frame {
                place: rectangle(&group_name(*group)),
                parent: self.graph.groups[*group].parent.map(|parent| place_of[&parent]),
                least: measure::frame(&self.graph.groups[*group]),
            })
            .collect();
        tighten(&mut things, &mut frames, &chains);

        for node in &self.members.nodes {
            layout.nodes[*node].x = things[thing_of[node]].x;
        }
        for (group, frame) in self.members.groups.iter().zip(frames) {
            layout.groups[*group] = frame.place;
        }
        for ((edge, raw), chain) in raw.iter_mut().zip(&chains) {
            for thing in &chain[1..chain.len() - 1] {
                let Thing { is, x, y, .. } = things[*thing];
                raw.between.push((x, y));
                if is == Is::Label {
                    layout.edges[*edge].label = Some((x, y));
                }
            }
        }
        let (edges, raw): (Vec<usize>, Vec<Raw>) = raw.into_iter().unzip();
        for (edge, (raw, mut knots)) in edges.into_iter().zip(raw.iter().zip(routes(&layout.nodes, &rows, &raw))) {
            if raw.upper != self.graph.edges[edge].from {
                knots.reverse();
            }
            layout.edges[edge].points = knots;
        }
        self.loops(layout);
        let bounds = self.bounds(layout);
        self.move_to_origin(&bounds, layout);
        (bounds.right - bounds.left, bounds.bottom - bounds.top)
    }

    fn is_loop(&self, edge: usize) -> bool {
        self.graph.edges[edge].from == self.graph.edges[edge].to
    }

    /// The arrows from a box to itself.
    fn loops_of(&self, node: usize) -> impl Iterator<Item = usize> {
        self.members
            .edges
            .iter()
            .copied()
            .filter(move |edge| self.is_loop(*edge) && self.graph.edges[*edge].from == node)
    }

    /// The room beside a box for its arrows to itself.
    fn loop_room(&self, node: usize) -> f64 {
        let rooms = self.loops_of(node).map(|edge| LOOP + self.labels[edge].as_ref().map_or(0.0, |label| label.width));
        rooms.fold(0.0, f64::max)
    }

    /// Draws arrows from boxes to themselves, at their right sides.
    fn loops(&self, layout: &mut Layout) {
        for node in &self.members.nodes {
            let edges: Vec<usize> = self.loops_of(*node).collect();
            let Rectangle { x, y, width, height } = layout.nodes[*node];
            let step = height / edges.len().max(1) as f64;
            for (index, edge) in edges.into_iter().enumerate() {
                let (right, middle) = (x + width / 2.0, y - height / 2.0 + step * (index as f64 + 0.5));
                let half = (step / 2.0).clamp(3.0, 10.0);
                let far = right + LOOP - 6.0;
                layout.edges[edge].points =
                    vec![(right, middle - half), (far, middle - half), (far, middle + half), (right, middle + half)];
                layout.edges[edge].is_loop = true;
                layout.edges[edge].label =
                    self.labels[edge].as_ref().map(|label| (right + LOOP + label.width / 2.0, middle));
            }
        }
    }

    fn bounds(&self, layout: &Layout) -> Bounds {
        let mut bounds = Bounds::default();
        self.members.nodes.iter().for_each(|node| bounds.add(&layout.nodes[*node]));
        self.members.groups.iter().for_each(|group| bounds.add(&layout.groups[*group]));
        for edge in &self.members.edges {
            let Route { points, label, .. } = &layout.edges[*edge];
            for (x, y) in points {
                bounds.add(&Rectangle { x: *x, y: *y, width: 4.0, height: 4.0 });
            }
            if let (Some((x, y)), Some(label)) = (*label, &self.labels[*edge]) {
                bounds.add(&Rectangle { x, y, width: label.width, height: label.height });
            }
        }
        bounds
    }

    fn move_to_origin(&self, bounds: &Bounds, layout: &mut Layout) {
        let shift = |point: &mut Point| *point = (point.0 - bounds.left, point.1 - bounds.top);
        let shift_rectangle = |it: &mut Rectangle| (it.x, it.y) = (it.x - bounds.left, it.y - bounds.top);
        self.members.nodes.iter().for_each(|node| shift_rectangle(&mut layout.nodes[*node]));
        self.members.groups.iter().for_each(|group| shift_rectangle(&mut layout.groups[*group]));
        for edge in &self.members.edges {
            let Route { points, label, .. } = &mut layout.edges[*edge];
            points.iter_mut().chain(label).for_each(shift);
        }
    }
}

fn group_name(group: usize) -> String {
    format!("g{group}")
}

/// What everything fits in.
struct Bounds {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { left: f64::INFINITY, right: f64::NEG_INFINITY, top: f64::INFINITY, bottom: f64::NEG_INFINITY }
    }
}

impl Bounds {
    fn add(&mut self, rectangle: &Rectangle) {
        let Rectangle { x, y, width, height } = rectangle;
        self.left = self.left.min(x - width / 2.0);
        self.right = self.right.max(x + width / 2.0);
        self.top = self.top.min(y - height / 2.0);
        self.bottom = self.bottom.max(y + height / 2.0);
    }
}
