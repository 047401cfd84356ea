//! How often arrows cross.

use super::grid::Grid;
use super::order::Order;

/// How many pairs of segments cross, sides of frames included.
pub(super) fn count(grid: &Grid, order: &Order) -> u64 {
    grid.gaps.iter().enumerate().map(|(row, gap)| between(grid, order, gap, grid.rows[row + 1].len())).sum()
}

/// The same between two rows: of all segments that are further to the left at the top, those that are further to the
/// right at the bottom. A tree of sums counts them.
fn between(grid: &Grid, order: &Order, gap: &[usize], width: usize) -> u64 {
    let mut ends: Vec<(usize, usize)> = gap
        .iter()
        .map(|segment| {
            let segment = grid.segments[*segment];
            (order.at[segment.upper], order.at[segment.lower])
        })
        .collect();
    ends.sort_unstable();
    let mut sums = vec![0_u64; width + 1];
    let mut crossings = 0;
    for (passed, (_, lower)) in ends.iter().enumerate() {
        let mut not_right = 0;
        let mut at = lower + 1;
        while at > 0 {
            not_right += sums[at];
            at &= at - 1;
        }
        crossings += passed as u64 - not_right;
        at = lower + 1;
        while at <= width {
            sums[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
    crossings
}
