//! Neighbours in a row that swap their places, where fewer arrows cross then.

use super::grid::Grid;
use super::order::Order;

/// How often all rows are passed.
const ROUNDS: usize = 6;

pub(super) fn swap(grid: &Grid, order: &mut Order) {
    // Only what is near to what has been swapped may have changed.
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

/// Passes a row; whether something has been swapped.
fn pass(grid: &Grid, order: &mut Order, row: usize) -> bool {
    let mut has_swapped = false;
    let (mut ends, mut next) = (Ends::default(), Ends::default());
    if let Some(first) = order.rows[row].first() {
        ends.read(grid, order, *first);
    }
    for at in 1..order.rows[row].len() {
        let [one, other] = [order.rows[row][at - 1], order.rows[row][at]];
        next.read(grid, order, other);
        // Sides of frames stay between what is in a frame and what is not.
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

/// Where the segments of an item lead, in the rows above and below.
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

    /// How often the segments of an item cross those of another one to its right.
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
