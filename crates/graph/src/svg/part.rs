//! Lays out one part of a diagram, in rows or around a ring.

use super::circular::{RingSlot, is_dense, route, slots};
use super::layered::{self, Arrow, Block, Frame, Part};
use super::layout::{Layout, Point, Rectangle, Route, Sizes};
use super::loops;
use super::nested::Nested;
use super::parts::Members;
use crate::Graph;
use rustc_hash::FxHashMap;

/// The maximum width of a part, relative to its height, before it is turned.
const SHAPE: f64 = 1.6;
const TURNED_SHAPE: f64 = 0.8;

/// A part, with the measured sizes of the whole diagram.
pub(super) struct Work<'a> {
    pub(super) nested: &'a Nested,
    pub(super) sizes: &'a Sizes,
    pub(super) members: &'a Members,
}

impl Work<'_> {
    fn graph(&self) -> &Graph {
        &self.nested.graph
    }

    /// Returns whether the graph is too large for rows and thus for frames.
    pub(super) fn is_dense(&self) -> bool {
        let Members { nodes, edges, loops, .. } = self.members;
        is_dense(nodes.len(), edges.len() + loops.len()) || !layered::is_fit(&self.part(&self.rooms()))
    }

    /// Lays out a part with its origin at 0, 0; returns its size.
    pub(super) fn run(&self, layout: &mut Layout) -> (f64, f64) {
        let rooms = self.rooms();
        let is_dense = is_dense(self.members.nodes.len(), self.members.edges.len() + self.members.loops.len());
        let places = if is_dense { None } else { layered::layout(&self.part(&rooms)) };
        match places {
            Some(places) => self.take(places, layout),
            None => self.around(&rooms, layout),
        }
        self.loops(layout);
        let bounds = self.bounds(layout);
        self.move_to_origin(&bounds, layout);
        (bounds.right - bounds.left, bounds.bottom - bounds.top)
    }

    /// Returns the space that each box of the part needs at its sides for arrows to itself.
    fn rooms(&self) -> Vec<f64> {
        let mut rooms: FxHashMap<usize, f64> = FxHashMap::default();
        for edge in &self.members.loops {
            let room = rooms.entry(self.graph().edges[*edge].from).or_default();
            *room = room.max(loops::room(self.sizes.labels[*edge]));
        }
        self.members.nodes.iter().map(|node| rooms.get(node).copied().unwrap_or_default()).collect()
    }

    /// Returns the part with its own indexes.
    fn part(&self, rooms: &[f64]) -> Part {
        let place_of = |list: &[usize]| -> FxHashMap<usize, usize> {
            list.iter().enumerate().map(|(place, index)| (*index, place)).collect()
        };
        let (node_places, group_places) = (place_of(&self.members.nodes), place_of(&self.members.groups));
        let graph = self.graph();
        let block = |(node, beside): (&usize, &f64)| {
            let (width, height) = self.sizes.boxes[*node];
            let frame = graph.nodes[*node].group.map(|group| group_places[&group]);
            let is_port = self.nested.frames[*node].is_some();
            Block { width, height, beside: *beside, room: 0.0, frame, is_port }
        };
        let frame = |group: &usize| {
            let parent = graph.groups[*group].parent.map(|parent| group_places[&parent]);
            Frame { parent, least: self.sizes.frames[*group].0, insets: self.sizes.insets[*group] }
        };
        let arrow = |edge: &usize| {
            let label = self.sizes.labels[*edge];
            let edge = &graph.edges[*edge];
            Arrow { from: node_places[&edge.from], to: node_places[&edge.to], label }
        };
        let mut part = Part {
            boxes: self.members.nodes.iter().zip(rooms).map(block).collect(),
            frames: self.members.groups.iter().map(frame).collect(),
            arrows: self.members.edges.iter().map(arrow).collect(),
            shape: if graph.direction.is_horizontal() { TURNED_SHAPE } else { SHAPE },
            rows: self.members.nodes.iter().map(|node| graph.nodes[*node].row).collect(),
        };
        // An arrow never connects boxes in the same row.
        let is_flat = |rows: &Vec<usize>| part.arrows.iter().any(|arrow| rows[arrow.from] == rows[arrow.to]);
        if part.rows.as_ref().is_some_and(is_flat) {
            part.rows = None;
        }
        part.fill_frames();
        // A box is large enough for the head of its frame.
        for (number, group) in self.members.groups.iter().enumerate() {
            let Frame { insets, .. } = part.frames[number];
            let least = self.sizes.frames[*group].1 - insets.before - insets.after;
            if let Some(block) = part.boxes.iter_mut().find(|block| block.frame == Some(number)) {
                block.room = block.room.max(least);
            }
        }
        part
    }

    /// Copies the positions into the layout of the diagram.
    fn take(&self, places: layered::Places, layout: &mut Layout) {
        for (node, (x, y)) in self.members.nodes.iter().zip(places.boxes) {
            let (width, height) = self.sizes.boxes[*node];
            layout.nodes[*node] = Rectangle { x, y, width, height };
        }
        for (group, place) in self.members.groups.iter().zip(places.frames) {
            layout.groups[*group] = place;
        }
        for (edge, (points, label)) in self.members.edges.iter().zip(places.arrows) {
            layout.edges[*edge] = Route { points, label, ..Route::default() };
        }
    }

    /// Lays out a part with many arrows around a ring.
    fn around(&self, rooms: &[f64], layout: &mut Layout) {
        let size = |(node, room): (&usize, &f64)| {
            let (width, height) = self.sizes.boxes[*node];
            (width + 2.0 * room, height)
        };
        let sizes: Vec<(f64, f64)> = self.members.nodes.iter().zip(rooms).map(size).collect();
        let slots: FxHashMap<usize, RingSlot> = self.members.nodes.iter().copied().zip(slots(&sizes)).collect();
        for node in &self.members.nodes {
            layout.nodes[*node] = Rectangle { width: self.sizes.boxes[*node].0, ..slots[node].place };
        }
        for edge in &self.members.edges {
            let (from, to) = (self.graph().edges[*edge].from, self.graph().edges[*edge].to);
            layout.edges[*edge].points = route(&slots[&from], &slots[&to]);
        }
    }

    /// Routes arrows from boxes to themselves.
    fn loops(&self, layout: &mut Layout) {
        let mut number: FxHashMap<usize, usize> = FxHashMap::default();
        for edge in &self.members.loops {
            *number.entry(self.graph().edges[*edge].from).or_default() += 1;
        }
        let mut drawn: FxHashMap<usize, usize> = FxHashMap::default();
        for edge in &self.members.loops {
            let node = self.graph().edges[*edge].from;
            let index = drawn.entry(node).or_default();
            let (points, label) = loops::route(&layout.nodes[node], *index, number[&node], self.sizes.labels[*edge]);
            layout.edges[*edge] = Route { points, label, is_loop: true, ..Route::default() };
            *index += 1;
        }
    }

    fn edges(&self) -> impl Iterator<Item = usize> {
        self.members.edges.iter().chain(&self.members.loops).copied()
    }

    fn bounds(&self, layout: &Layout) -> Bounds {
        let mut bounds = Bounds::default();
        self.members.nodes.iter().for_each(|node| bounds.add(&layout.nodes[*node]));
        self.members.groups.iter().for_each(|group| bounds.add(&layout.groups[*group]));
        for edge in self.edges() {
            let Route { points, label, .. } = &layout.edges[edge];
            for (x, y) in points {
                bounds.add(&Rectangle { x: *x, y: *y, width: 4.0, height: 4.0 });
            }
            if let (Some((x, y)), Some((width, height))) = (*label, self.sizes.labels[edge]) {
                bounds.add(&Rectangle { x, y, width, height });
            }
        }
        bounds
    }

    fn move_to_origin(&self, bounds: &Bounds, layout: &mut Layout) {
        let shift = |point: &mut Point| *point = (point.0 - bounds.left, point.1 - bounds.top);
        let shift_rectangle = |it: &mut Rectangle| (it.x, it.y) = (it.x - bounds.left, it.y - bounds.top);
        self.members.nodes.iter().for_each(|node| shift_rectangle(&mut layout.nodes[*node]));
        self.members.groups.iter().for_each(|group| shift_rectangle(&mut layout.groups[*group]));
        for edge in self.edges() {
            let Route { points, label, .. } = &mut layout.edges[edge];
            points.iter_mut().chain(label).for_each(shift);
        }
    }
}

/// The bounding box.
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
