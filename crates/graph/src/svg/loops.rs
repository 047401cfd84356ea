//! Arrows from a box to itself, at its right side.

use super::layout::{Point, Rectangle};

/// The distance of an arrow from its box.
const FAR: f64 = 30.0;

/// Returns the space next to a box that an arrow to itself needs.
pub(super) fn room(label: Option<(f64, f64)>) -> f64 {
    FAR + label.map_or(0.0, |(width, _)| width)
}

/// Returns the knots of one of several arrows and the center of its label.
pub(super) fn route(
    place: &Rectangle,
    index: usize,
    number: usize,
    label: Option<(f64, f64)>,
) -> (Vec<Point>, Option<Point>) {
    let Rectangle { x, y, width, height } = place;
    let step = height / number.max(1) as f64;
    let (right, middle) = (x + width / 2.0, y - height / 2.0 + step * (index as f64 + 0.5));
    let half = (step / 2.0).clamp(3.0, 10.0);
    let far = right + FAR - 6.0;
    let knots = vec![(right, middle - half), (far, middle - half), (far, middle + half), (right, middle + half)];
    (knots, label.map(|(width, _)| (right + FAR + width / 2.0, middle)))
}
