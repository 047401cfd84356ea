//! Horizontal compaction.
//!
//! If straight arrows had absolute priority, diagrams of hundreds of boxes would be mostly empty. So a diagram that is
//! too wide is squeezed; the order in every row stays the same.

use super::constraints::Room;
use super::grid::{Grid, Is};

/// The factor per step and the number of steps: small steps keep more arrows straight.
const LEAST: f64 = 0.7;
const ROUNDS: usize = 8;

/// Moves items horizontally.
pub(super) fn tighten(grid: &Grid, room: &Room, (height, shape): (f64, f64), x: &mut [f64]) {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|one, other| x[*one].total_cmp(&x[*other]).then(one.cmp(other)));
    let mut moving = Moving { room, x, order };
    moving.narrow(height, shape);
    moving.hug(grid);
    moving.straighten(grid);
}

struct Moving<'a> {
    room: &'a Room,
    x: &'a mut [f64],
    /// The bodies from left to right.
    order: Vec<usize>,
}

impl Moving<'_> {
    /// Squeezes the diagram horizontally until it fits its height. Straight arrows stay straight unless something is
    /// in the way.
    fn narrow(&mut self, height: f64, shape: f64) {
        let best = (shape * (height + 100.0)).max(1000.0);
        for _ in 0..ROUNDS {
            let ends = |(low, high): (f64, f64), it: &f64| (low.min(*it), high.max(*it));
            let (left, right) = self.x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), ends);
            let part = (best / (right - left).max(1.0)).max(LEAST);
            if part >= 0.98 {
                break;
            }
            let wanted: Vec<f64> = self.x.iter().map(|x| left + part * (x - left)).collect();
            self.settle(wanted);
        }
    }

    /// Makes frames as narrow as possible.
    fn hug(&mut self, grid: &Grid) {
        for _ in 0..2 {
            let mut wanted = self.x.to_vec();
            for frame in 0..grid.frames.len() {
                let [left, right] = grid.sides(frame);
                wanted[left] = self.room.most(self.x, left);
                wanted[right] = self.room.least(self.x, right);
            }
            self.settle(wanted);
        }
    }

    /// Moves every body toward its target position as far as the minimum distances allow. If two bodies are in each
    /// other's way, each yields by half. Clamping from the left and from the right both keep the distances, so their
    /// average does too.
    fn settle(&mut self, wanted: Vec<f64>) {
        let mut right = wanted.clone();
        for body in &self.order {
            right[*body] = right[*body].max(self.room.least(&right, *body));
        }
        let mut left = wanted;
        for body in self.order.iter().rev() {
            left[*body] = left[*body].min(self.room.most(&left, *body));
        }
        for (x, (left, right)) in self.x.iter_mut().zip(left.into_iter().zip(right)) {
            *x = f64::midpoint(left, right);
        }
    }

    /// Straightens arrows if there is space.
    fn straighten(&mut self, grid: &Grid) {
        for chain in &grid.chains {
            let mut run: Vec<usize> = Vec::new();
            let mut room = (f64::NEG_INFINITY, f64::INFINITY);
            for item in chain {
                let own = if grid.items[*item].is == Is::Box { None } else { Some(self.room(*item)) };
                let both = own.map(|own| (own.0.max(room.0), own.1.min(room.1))).filter(|both| both.0 <= both.1);
                match (both, own) {
                    (Some(both), _) => room = both,
                    (None, own) => {
                        self.align(&run, room);
                        run.clear();
                        // Aligning the run may have changed the space for this item.
                        room = own.map_or((f64::NEG_INFINITY, f64::INFINITY), |_| self.room(*item));
                    }
                }
                if own.is_some() {
                    run.push(*item);
                }
            }
            self.align(&run, room);
        }
    }

    /// Returns the range in which an item can move while the others stay.
    fn room(&self, body: usize) -> (f64, f64) {
        (self.room.least(self.x, body), self.room.most(self.x, body))
    }

    fn align(&mut self, run: &[usize], room: (f64, f64)) {
        if run.len() > 1 && room.0 <= room.1 {
            let middle = run.iter().map(|body| self.x[*body]).sum::<f64>() / run.len() as f64;
            run.iter().for_each(|body| self.x[*body] = middle.clamp(room.0, room.1));
        }
    }
}
