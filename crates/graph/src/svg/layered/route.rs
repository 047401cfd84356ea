//! Routing of arrows.
//!
//! Boxes and labels are in rows, and arrows have a position in every row that they cross. Within a row they are
//! vertical; they move sideways only between rows. So no arrow ever crosses a box or the label of another arrow.

use super::Part;
use super::grid::Grid;
use super::vertical::Heights;
use crate::svg::layout::Point;

/// The space between arrows at the edge of a box, and to its corners.
const SPACE: f64 = 12.0;
const CORNER: f64 = 14.0;

/// The length of the straight end of an arrow, so that its head is straight too.
const STUB: f64 = 12.0;

/// Returns the knots of each arrow, from its upper to its lower end. Between knots that are directly above each
/// other, the arrow is straight; between others, it is a curve that starts and ends vertically.
pub(super) fn routes(part: &Part, grid: &Grid, heights: &Heights, x: &[f64]) -> Vec<Vec<Point>> {
    let mut below: Vec<Vec<(f64, usize)>> = vec![Vec::new(); part.boxes.len()];
    let mut above = below.clone();
    for (arrow, chain) in grid.chains.iter().enumerate() {
        if let [upper, .., lower] = chain[..] {
            below[upper].push((x[chain[1]], arrow));
            above[lower].push((x[chain[chain.len() - 2]], arrow));
        }
    }
    let mut starts = vec![0.0; grid.chains.len()];
    let mut ends = starts.clone();
    for (it, (mut below, mut above)) in below.into_iter().zip(above).enumerate() {
        let half = part.boxes[it].width / 2.0;
        let edge = (x[it] - half + CORNER, x[it] + half - CORNER);
        spread(edge, &mut below, &mut starts);
        spread(edge, &mut above, &mut ends);
    }
    let knots = grid.chains.iter().zip(starts.into_iter().zip(ends)).map(|(chain, (start, end))| {
        let [upper, between @ .., lower] = &chain[..] else { return Vec::new() };
        let middle = |it: usize| heights.middle(grid.items[it].row);
        let row = |it: usize| heights.row(grid.items[it].row);
        let mut knots = vec![(start, middle(*upper) + part.boxes[*upper].height / 2.0)];
        knots.push((start, row(*upper).1 + STUB / 2.0));
        for it in between {
            let (top, bottom) = row(*it);
            sidestep(&mut knots, x[*it], heights.channel(grid.items[*it].row));
            knots.extend([(x[*it], top), (x[*it], bottom)]);
        }
        sidestep(&mut knots, end, heights.channel(grid.items[*lower].row));
        knots.push((end, row(*lower).0 - STUB));
        knots.push((end, middle(*lower) - part.boxes[*lower].height / 2.0));
        without_needless(&knots)
    });
    knots.collect()
}

/// Moves an arrow sideways within a channel.
fn sidestep(knots: &mut Vec<Point>, x: f64, channel: Option<(f64, f64)>) {
    if let Some((top, bottom)) = channel
        && let Some(last) = knots.last().copied()
    {
        knots.push((last.0, top.max(last.1)));
        knots.push((x, bottom));
    }
}

/// Removes knots between two others on the same vertical line.
fn without_needless(knots: &[Point]) -> Vec<Point> {
    let mut needed: Vec<Point> = Vec::with_capacity(knots.len());
    for knot in knots {
        if let [.., before, last] = needed[..]
            && (before.0 - knot.0).abs() < 0.01
            && (last.0 - knot.0).abs() < 0.01
        {
            needed.pop();
        }
        needed.push(*knot);
    }
    needed
}

/// Finds positions for arrows at an edge of a box, each as close as possible to its direction.
fn spread((left, right): (f64, f64), arrows: &mut [(f64, usize)], places: &mut [f64]) {
    if arrows.is_empty() {
        return;
    }
    arrows.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let gaps = (arrows.len() - 1) as f64;
    let space = SPACE.min((right - left) / gaps.max(1.0));
    let mut least = left;
    for (rank, (wanted, arrow)) in arrows.iter().enumerate() {
        let most = right - space * (gaps - rank as f64);
        // Arrows that go far to a side leave closer to the middle, so that they don't hug a corner.
        let x = wanted.clamp(left, right).max(least).min(most.max(left));
        places[*arrow] = x;
        least = x + space;
    }
}
