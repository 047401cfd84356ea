//! Layout of parts with too many arrows for rows: boxes around a ring, arrows across it.
//!
//! Every box is outside the ring, in its own sector, and its arrows start and end inside. So no arrow meets another
//! box, however many there are, and routing is simple.

use std::f64::consts::TAU;

use super::layout::{Point, Rectangle};

/// The maximum number of arrows in rows is the larger of a fixed number and a number per box.
const MAX_ARROWS: usize = 250;
const MAX_ARROWS_PER_BOX: usize = 3;

/// The space between boxes.
const GAP: f64 = 28.0;

/// The distance from the boxes at which arrows turn toward each other.
const INSIDE: f64 = 18.0;

/// Returns whether there are too many arrows for rows.
pub(super) fn is_dense(boxes: usize, arrows: usize) -> bool {
    arrows > MAX_ARROWS.max(MAX_ARROWS_PER_BOX * boxes)
}

/// The position of a box at the ring and the points where its arrows leave the box and turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct RingSlot {
    pub(super) place: Rectangle,
    pub(super) door: Point,
    pub(super) turn: Point,
}

/// Returns positions for boxes of the given widths and heights, around the point 0, 0.
pub(super) fn slots(sizes: &[(f64, f64)]) -> Vec<RingSlot> {
    let rooms: Vec<f64> = sizes.iter().map(|(width, height)| width.hypot(*height) + GAP).collect();
    let around: f64 = rooms.iter().sum();
    let radius = around / TAU;
    let mut passed = 0.0;
    let mut slots = Vec::with_capacity(sizes.len());
    for ((width, height), room) in sizes.iter().copied().zip(&rooms) {
        let angle = (passed + room / 2.0) / around * TAU;
        passed += room;
        let (x, y) = (angle.sin(), -angle.cos());
        // The distance that the box reaches toward the center of the ring, at any angle.
        let reach = f64::midpoint(width * x.abs(), height * y.abs());
        let far = radius + reach;
        let place = Rectangle { x: far * x, y: far * y, width, height };
        // The point at which the line from the center of the box to the center of the ring leaves the box.
        let half = if width * y.abs() > height * x.abs() { height / (2.0 * y.abs()) } else { width / (2.0 * x.abs()) };
        let at = |distance: f64| (distance * x, distance * y);
        slots.push(RingSlot { place, door: at(far - half), turn: at((radius - INSIDE).max(0.0)) });
    }
    slots
}

/// Returns the points of an arrow from one box to another.
pub(super) fn route(from: &RingSlot, to: &RingSlot) -> Vec<Point> {
    vec![from.door, from.turn, to.turn, to.door]
}
