//! How arrows go.
//!
//! Boxes and labels lie in rows, and arrows have a place in every row that they cross. In a row they go straight down;
//! from side to side they go only between rows. So no arrow ever crosses a box or a label that is not its own.

use super::layout::{Point, Rectangle};

/// Air between arrows at the edge of a box, and from the corners of the box.
const SPACE: f64 = 12.0;
const CORNER: f64 = 14.0;

/// How far an arrow goes straight before its end, so that its head is straight too.
const STUB: f64 = 12.0;

/// An arrow, from its upper to its lower end.
pub(super) struct Raw {
    pub(super) upper: usize,
    pub(super) lower: usize,
    /// Its places in the rows between.
    pub(super) between: Vec<Point>,
}

/// The rows of a picture: the middle of each, and half of its height.
pub(super) struct Rows(Vec<(f64, f64)>);

impl Rows {
    pub(super) fn new(boxes: impl Iterator<Item = Rectangle>) -> Self {
        let mut rows = Self(Vec::new());
        boxes.for_each(|it| rows.add(it.y, it.height / 2.0));
        rows
    }

    /// Adds something that is in a row.
    pub(super) fn add(&mut self, y: f64, half: f64) {
        let at = self.place(y);
        match self.0.get_mut(at).filter(|(middle, _)| (*middle - y).abs() < 0.5) {
            Some((_, known)) => *known = known.max(half),
            None => self.0.insert(at, (y, half)),
        }
    }

    fn place(&self, y: f64) -> usize {
        self.0.partition_point(|(middle, _)| *middle < y - 0.5)
    }

    /// Half of the height of the row at a place; nothing if there is nothing in it.
    pub(super) fn half(&self, y: f64) -> Option<f64> {
        self.0.get(self.place(y)).filter(|(middle, _)| (middle - y).abs() < 0.5).map(|(_, half)| *half)
    }
}

/// The knots of each arrow, from its upper to its lower end. Between knots under each other it is straight, between
/// others it is a curve that begins and ends straight down.
///
pub(super) fn routes(boxes: &[Rectangle], rows: &Rows, arrows: &[Raw]) -> Vec<Vec<Point>> {
    let mut below: Vec<Vec<(f64, usize)>> = vec![Vec::new(); boxes.len()];
    let mut above = below.clone();
    for (index, arrow) in arrows.iter().enumerate() {
        let first = arrow.between.first().map_or(boxes[arrow.lower].x, |point| point.0);
        let last = arrow.between.last().map_or(boxes[arrow.upper].x, |point| point.0);
        below[arrow.upper].push((first, index));
        above[arrow.lower].push((last, index));
    }
    let mut starts = vec![0.0; arrows.len()];
    let mut ends = starts.clone();
    for (place, (mut below, mut above)) in boxes.iter().zip(below.into_iter().zip(above)) {
        spread(place, &mut below, &mut starts);
        spread(place, &mut above, &mut ends);
    }
    let knots = arrows.iter().zip(starts.into_iter().zip(ends)).map(|(arrow, (start, end))| {
        let (upper, lower) = (&boxes[arrow.upper], &boxes[arrow.lower]);
        let mut knots = vec![(start, upper.y + upper.height / 2.0)];
        knots.extend(rows.half(upper.y).map(|half| (start, upper.y + half + STUB / 2.0)));
        for (x, y) in &arrow.between {
            let half = rows.half(*y).unwrap_or(0.0);
            knots.extend([(*x, y - half), (*x, y + half)]);
        }
        knots.extend(rows.half(lower.y).map(|half| (end, lower.y - half - STUB)));
        knots.push((end, lower.y - lower.height / 2.0));
        knots.dedup();
        knots
    });
    knots.collect()
}

/// Finds places for arrows at an edge of a box, each as near as possible to where it goes.
fn spread(place: &Rectangle, arrows: &mut [(f64, usize)], places: &mut [f64]) {
    if arrows.is_empty() {
        return;
    }
    arrows.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let (left, right) = (place.x - place.width / 2.0 + CORNER, place.x + place.width / 2.0 - CORNER);
    let gaps = (arrows.len() - 1) as f64;
    let space = SPACE.min((right - left) / gaps.max(1.0));
    let mut least = left;
    for (rank, (wanted, arrow)) in arrows.iter().enumerate() {
        let most = right - space * (gaps - rank as f64);
        // What goes far to a side leaves nearer to the middle, so that it does not hug a corner.
        let x = wanted.clamp(left, right).max(least).min(most.max(left));
        places[*arrow] = x;
        least = x + space;
    }
}
