//! Arrows that end at frames.

use super::layout::{Point, Rectangle, Route};

/// A cubic curve.
pub(super) type Cubic = [Point; 4];

/// The number of halvings that find the point where an arrow meets a frame.
const STEPS: usize = 24;

/// Removes the parts of an arrow inside the frames of its source and its target.
pub(super) fn clip(route: &mut Route, from: Option<&Rectangle>, to: Option<&Rectangle>, is_horizontal: bool) {
    if let Some(frame) = to {
        cut(route, frame, is_horizontal);
    }
    if let Some(frame) = from {
        reverse(route);
        cut(route, frame, is_horizontal);
        reverse(route);
    }
}

fn reverse(route: &mut Route) {
    route.points.reverse();
    std::mem::swap(&mut route.head, &mut route.tail);
    for curve in [&mut route.head, &mut route.tail].into_iter().flatten() {
        curve.reverse();
    }
}

/// Removes the end of an arrow inside a frame.
fn cut(route: &mut Route, frame: &Rectangle, is_horizontal: bool) {
    let is_in = |(x, y): Point| (x - frame.x).abs() <= frame.width / 2.0 && (y - frame.y).abs() <= frame.height / 2.0;
    // The first point of the end that is inside.
    let Some(outside) = route.points.iter().rposition(|point| !is_in(*point)) else { return };
    let Some([from, to]) = route.points.get(outside..outside + 2).and_then(|pair| <[Point; 2]>::try_from(pair).ok())
    else {
        return;
    };
    let curve = cubic(from, to, is_horizontal);
    let (mut least, mut most) = (0.0, 1.0);
    for _ in 0..STEPS {
        let middle = f64::midpoint(least, most);
        if is_in(at(&curve, middle)) { most = middle } else { least = middle }
    }
    route.points.truncate(outside + 1);
    route.tail = Some(Box::new(before(&curve, most)));
}

/// The number of straight pieces that represent a curve.
const PIECES: usize = 12;

/// Returns the leftmost and the rightmost place at which an arrow passes a band; `None` if it passes outside.
pub(super) fn span(route: &Route, room: (f64, f64), band: (f64, f64), is_horizontal: bool) -> Option<(f64, f64)> {
    let knots = route.points.windows(2).filter_map(|pair| Some(cubic(*pair.first()?, *pair.get(1)?, is_horizontal)));
    let ends = [&route.head, &route.tail].into_iter().flatten().map(|curve| **curve);
    let mut found: Option<(f64, f64)> = None;
    for curve in knots.chain(ends) {
        let [start, .., end] = curve;
        if start.1.max(end.1) < band.0 || start.1.min(end.1) > band.1 {
            continue;
        }
        if start.0.max(end.0) < room.0 || start.0.min(end.0) > room.1 {
            continue;
        }
        let points: Vec<Point> = (0..=PIECES).map(|it| at(&curve, it as f64 / PIECES as f64)).collect();
        for (one, other) in points.iter().zip(points.iter().skip(1)) {
            if one.1.max(other.1) >= band.0 && one.1.min(other.1) <= band.1 {
                let (least, most) = found.unwrap_or((f64::INFINITY, f64::NEG_INFINITY));
                found = Some((least.min(one.0).min(other.0), most.max(one.0).max(other.0)));
            }
        }
    }
    found
}

/// Returns the curve between two knots: it starts and ends in the direction of the diagram.
pub(super) fn cubic(from: Point, to: Point, is_horizontal: bool) -> Cubic {
    if is_horizontal {
        let middle = f64::midpoint(from.0, to.0);
        [from, (middle, from.1), (middle, to.1), to]
    } else {
        let middle = f64::midpoint(from.1, to.1);
        [from, (from.0, middle), (to.0, middle), to]
    }
}

fn mix(one: Point, other: Point, part: f64) -> Point {
    (one.0 + part * (other.0 - one.0), one.1 + part * (other.1 - one.1))
}

/// Returns the point at a part of a curve.
fn at(curve: &Cubic, part: f64) -> Point {
    before(curve, part)[3]
}

/// Returns the first part of a curve.
fn before([a, b, c, d]: &Cubic, part: f64) -> Cubic {
    let (ab, bc, cd) = (mix(*a, *b, part), mix(*b, *c, part), mix(*c, *d, part));
    let (abc, bcd) = (mix(ab, bc, part), mix(bc, cd, part));
    [*a, ab, abc, mix(abc, bcd, part)]
}
