//! Minimum horizontal distances.

use super::grid::{Grid, Is};
use super::order::Order;

/// The space between items.
const BOXES: f64 = 32.0;
const BOX_AND_LINE: f64 = 18.0;
const LINES: f64 = 12.0;
const LABELS: f64 = 8.0;
const FRAME: f64 = 20.0;

/// The pairs of bodies in which one must be to the left of the other, and the minimum distance between their centers.
/// The relation has no cycles.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) before: Vec<Vec<(usize, f64)>>,
    pub(super) after: Vec<Vec<(usize, f64)>>,
}

impl Room {
    pub(super) fn new(grid: &Grid, order: &Order) -> Self {
        let none = vec![Vec::new(); grid.bodies];
        let mut room = Self { before: none.clone(), after: none };
        for pair in order.rows.iter().flat_map(|row| row.windows(2)) {
            let [one, other] = [grid.items[pair[0]], grid.items[pair[1]]];
            room.keep(one.body, other.body, one.width / 2.0 + air(grid, one.is, other.is) + other.width / 2.0);
        }
        for frame in 0..grid.frames.len() {
            let [left, right] = grid.sides(frame);
            room.keep(left, right, grid.frames[frame].least);
        }
        room
    }

    fn keep(&mut self, left: usize, right: usize, distance: f64) {
        self.before[right].push((left, distance));
        self.after[left].push((right, distance));
    }

    /// Returns the leftmost position of a body, given the positions of the bodies to its left.
    pub(super) fn least(&self, x: &[f64], body: usize) -> f64 {
        self.before[body].iter().map(|(it, far)| x[*it] + far).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns the rightmost position of a body, given the positions of the bodies to its right.
    pub(super) fn most(&self, x: &[f64], body: usize) -> f64 {
        self.after[body].iter().map(|(it, far)| x[*it] - far).fold(f64::INFINITY, f64::min)
    }
}

/// Returns the space between two items.
fn air(grid: &Grid, one: Is, other: Is) -> f64 {
    match (one, other) {
        (Is::Left(frame), _) => grid.frames[frame].insets.left,
        (_, Is::Right(frame)) => grid.frames[frame].insets.right,
        _ if one.is_side() || other.is_side() => FRAME,
        (Is::Box, Is::Box) => BOXES,
        (Is::Box, _) | (_, Is::Box) => BOX_AND_LINE,
        (Is::Line, Is::Line) => LINES,
        _ => LABELS,
    }
}
