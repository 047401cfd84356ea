//! Swaps neighbors in a row if that saves crossings.

use super::grid::Grid;
use super::order::Order;

/// The maximum number of passes over all rows.
const ROUNDS: usize = 6;

pub(super) fn swap(grid: &Grid, order: &mut Order) {
    // Only rows next to a changed one can improve.
    let mut is_open = vec![true; order.rows.len()];
    for _ in 0..ROUNDS {
        let mut has_swapped = vec![false; order.rows.len()];
        for row in 0..order.rows.len() {
            let near = row.saturating_sub(1)..(row + 2).min(order.rows.len());
            if is_open[near.clone()].contains(&true) || has_swapped[near].contains(&true) {
                has_swapped[row] = pass(grid, order, row);
            }
        }
        if !has_swapped.contains(&true) {
            break;
        }
        is_open = has_swapped;
    }
}

/// Passes over a row; returns whether anything was swapped.
fn pass(grid: &Grid, order: &mut Order, row: usize) -> bool {
    let mut has_swapped = false;
    let (mut ends, mut next) = (Ends::default(), Ends::default());
    if let Some(first) = order.rows[row].first() {
        ends.read(grid, order, *first);
    }
    for at in 1..order.rows[row].len() {
        let [one, other] = [order.rows[row][at - 1], order.rows[row][at]];
        next.read(grid, order, other);
        // Sides of frames are never swapped, so the content of a frame stays inside.
        let is_free = !grid.items[one].is.is_side() && !grid.items[other].is.is_side();
        if is_free && next.crossings(&ends) < ends.crossings(&next) {
            order.rows[row].swap(at - 1, at);
            (order.at[one], order.at[other]) = (at, at - 1);
            has_swapped = true;
        } else {
            std::mem::swap(&mut ends, &mut next);
        }
    }
    has_swapped
}

/// The ends of the segments of an item, in the rows above and below.
#[derive(Default)]
struct Ends([Vec<usize>; 2]);

impl Ends {
    fn read(&mut self, grid: &Grid, order: &Order, item: usize) {
        let Self([up, down]) = self;
        up.clear();
        up.extend(grid.up[item].iter().map(|it| order.at[grid.segments[*it].upper]));
        up.sort_unstable();
        down.clear();
        down.extend(grid.down[item].iter().map(|it| order.at[grid.segments[*it].lower]));
        down.sort_unstable();
    }

    /// Returns the number of crossings between the segments of an item and those of another to its right.
    fn crossings(&self, right: &Self) -> usize {
        let pairs = self.0.iter().zip(&right.0).map(|(one, other)| {
            let mut smaller = 0;
            let mut crossings = 0;
            for end in one {
                while other.get(smaller).is_some_and(|it| it < end) {
                    smaller += 1;
                }
                crossings += smaller;
            }
            crossings
        });
        pairs.sum()
    }
}
