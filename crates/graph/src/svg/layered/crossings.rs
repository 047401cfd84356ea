//! The number of arrow crossings.

use super::grid::Grid;
use super::order::Order;

/// Returns the number of pairs of segments that cross, including the sides of frames.
pub(super) fn count(grid: &Grid, order: &Order) -> u64 {
    grid.gaps.iter().enumerate().map(|(row, gap)| between(grid, order, gap, grid.rows[row + 1].len())).sum()
}

/// Counts the crossings between two rows with a Fenwick tree: for each segment, the segments further left at the top
/// that are further right at the bottom.
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
