//! Horizontal positions at which most arrows are straight.
//!
//! This is the method of Brandes and Köpf, "Fast and simple horizontal coordinate assignment" (2001). Every item is
//! aligned with its median neighbor if possible, and aligned items are moved to the left as far as possible. This is
//! done four times: from the top and from the bottom, to the left and to the right. The results are averaged. All four
//! keep the minimum distances, so their average does too.

use super::constraints::Room;
use super::grid::{Grid, Is};
use super::order::Order;

/// Returns the positions of all bodies.
pub(super) fn places(grid: &Grid, order: &Order, room: &Room) -> Vec<f64> {
    let is_blocked = blocked(grid, order);
    let mut four: Vec<Vec<f64>> = Vec::with_capacity(4);
    for from_top in [true, false] {
        for to_left in [true, false] {
            let lines = Lines::new(grid, order, &is_blocked, Way { from_top, to_left });
            four.push(lines.compact(room, to_left));
        }
    }
    // All four results are aligned with the narrowest one, at its left or right side.
    let bounds = |x: &[f64]| x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
    let sides: Vec<(f64, f64)> = four.iter().map(|x| bounds(x)).collect();
    let narrow = sides.iter().copied().min_by(|one, other| (one.1 - one.0).total_cmp(&(other.1 - other.0)));
    let (left, right) = narrow.unwrap_or_default();
    for (number, (x, side)) in four.iter_mut().zip(&sides).enumerate() {
        let shift = if number % 2 == 0 { left - side.0 } else { right - side.1 };
        x.iter_mut().for_each(|x| *x += shift);
    }
    let middle = |body: usize| {
        let mut own = [four[0][body], four[1][body], four[2][body], four[3][body]];
        own.sort_by(f64::total_cmp);
        f64::midpoint(own[1], own[2])
    };
    (0..grid.bodies).map(middle).collect()
}

/// Returns the priority of a segment: sides of frames must be straight, and long arrows should be.
fn class(grid: &Grid, segment: usize) -> usize {
    let segment = grid.segments[segment];
    match (grid.items[segment.upper].is, grid.items[segment.lower].is) {
        (one, _) if one.is_side() => 0,
        (Is::Line | Is::Label, Is::Line | Is::Label) => 1,
        _ => 2,
    }
}

/// Returns the segments that can't be straight because they cross a segment of higher priority.
fn blocked(grid: &Grid, order: &Order) -> Vec<bool> {
    let mut is_blocked = vec![false; grid.segments.len()];
    for (row, gap) in grid.gaps.iter().enumerate() {
        let ends = |segment: usize| {
            let segment = grid.segments[segment];
            (order.at[segment.upper], order.at[segment.lower])
        };
        let classes: Vec<usize> = gap.iter().map(|segment| class(grid, *segment)).collect();
        for strong in 0..2 {
            if !classes.contains(&strong) {
                continue;
            }
            // For each position in the upper row: how far to the right the segments before it lead, and how far to the
            // left those after it lead.
            let width = order.rows[row].len();
            let mut right = vec![None; width + 1];
            let mut left = vec![usize::MAX; width + 1];
            for (segment, _) in gap.iter().zip(&classes).filter(|(it, class)| **class == strong && !is_blocked[**it]) {
                let (upper, lower) = ends(*segment);
                right[upper + 1] = right[upper + 1].max(Some(lower));
                left[upper] = left[upper].min(lower);
            }
            for at in 0..width {
                right[at + 1] = right[at + 1].max(right[at]);
            }
            for at in (0..width).rev() {
                left[at] = left[at].min(left[at + 1]);
            }
            for (segment, _) in gap.iter().zip(&classes).filter(|(_, class)| **class > strong) {
                let (upper, lower) = ends(*segment);
                is_blocked[*segment] |= right[upper].is_some_and(|it| it > lower) || left[upper + 1] < lower;
            }
        }
    }
    is_blocked
}

/// The direction of a pass and the side to which lines are moved.
#[derive(Clone, Copy)]
struct Way {
    from_top: bool,
    to_left: bool,
}

/// The vertical alignment: items that are in a line from row to row.
struct Lines {
    /// The line of every body.
    of: Vec<usize>,
    number: usize,
}

impl Lines {
    fn new(grid: &Grid, order: &Order, is_blocked: &[bool], way: Way) -> Self {
        let mut lines = Self { of: vec![usize::MAX; grid.bodies], number: 0 };
        let last = order.rows.len().saturating_sub(1);
        for step in 0..order.rows.len() {
            let row = &order.rows[if way.from_top { step } else { last - step }];
            // Lines don't cross: the next one must be aligned beyond this position of the previous row.
            let mut free = 0;
            for step in 0..row.len() {
                let item = row[if way.to_left { step } else { row.len() - 1 - step }];
                let body = grid.items[item].body;
                if let Some(at) = lines.align(grid, order, is_blocked, way, item, free) {
                    free = at + 1;
                } else if lines.of[body] == usize::MAX {
                    lines.of[body] = lines.number;
                    lines.number += 1;
                }
            }
        }
        lines
    }

    /// Aligns an item with its median neighbor; returns the position of that neighbor.
    fn align(
        &mut self,
        grid: &Grid,
        order: &Order,
        is_blocked: &[bool],
        way: Way,
        item: usize,
        free: usize,
    ) -> Option<usize> {
        let segments = if way.from_top { &grid.up[item] } else { &grid.down[item] };
        let mut ends: Vec<(usize, usize, usize)> = segments
            .iter()
            .map(|segment| {
                let it = grid.segments[*segment];
                let end = if way.from_top { it.upper } else { it.lower };
                let at = order.at[end];
                let width = order.rows[grid.items[end].row].len();
                (if way.to_left { at } else { width - 1 - at }, end, *segment)
            })
            .collect();
        ends.sort_unstable();
        let middles = ends.len().saturating_sub(1) / 2..=ends.len() / 2;
        for (at, end, segment) in ends.get(middles).unwrap_or(&ends) {
            if *at >= free && !is_blocked[*segment] {
                self.of[grid.items[item].body] = self.of[grid.items[*end].body];
                return Some(*at);
            }
        }
        None
    }

    /// Moves lines as far as possible to one side and then back to their neighbors.
    fn compact(&self, room: &Room, to_left: bool) -> Vec<f64> {
        // Moving to the right is moving to the left with the relations reversed.
        let (before, after) = if to_left { (&room.before, &room.after) } else { (&room.after, &room.before) };
        let mut bodies: Vec<Vec<usize>> = vec![Vec::new(); self.number];
        self.of.iter().enumerate().for_each(|(body, line)| bodies[*line].push(body));
        let own = |line: usize, distances: &[Vec<(usize, f64)>]| -> Vec<(usize, f64)> {
            bodies[line].iter().flat_map(|body| &distances[*body]).map(|(it, far)| (self.of[*it], *far)).collect()
        };
        let mut open: Vec<usize> = (0..self.number).map(|line| own(line, before).len()).collect();
        let mut ready: Vec<usize> = (0..self.number).filter(|line| open[*line] == 0).collect();
        let mut place = vec![0.0_f64; self.number];
        let mut next = 0;
        while let Some(line) = ready.get(next).copied() {
            next += 1;
            for (other, far) in own(line, after) {
                place[other] = place[other].max(place[line] + far);
                open[other] -= 1;
                if open[other] == 0 {
                    ready.push(other);
                }
            }
        }
        debug_assert_eq!(ready.len(), self.number, "the order of the lines has a cycle");
        for line in ready.into_iter().rev() {
            let most = own(line, after).iter().map(|(it, far)| place[*it] - far).fold(f64::INFINITY, f64::min);
            if most.is_finite() {
                place[line] = place[line].max(most);
            }
        }
        let sign = if to_left { 1.0 } else { -1.0 };
        self.of.iter().map(|line| sign * place[*line]).collect()
    }
}
