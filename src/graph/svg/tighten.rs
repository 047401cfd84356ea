//! How far apart things are.
//!
//! The library keeps long arrows straight at any price, which makes pictures of hundreds of boxes mostly empty. What it
//! finds is good where there is room. So here the order in every row stays, and a picture that is too wide is squeezed.

use std::collections::HashMap;

use super::layout::Rectangle;

/// Air between things.
const BOXES: f64 = 32.0;
const BOX_AND_LINE: f64 = 18.0;
const LINES: f64 = 12.0;
const LABELS: f64 = 8.0;
const FRAME: f64 = 20.0;

/// How wide a picture should be at most, compared with its height.
const SHAPE: f64 = 1.6;

/// How much it is squeezed at once, and how often: little by little, so that more stays straight.
const LEAST: f64 = 0.7;
const ROUNDS: usize = 8;

/// What a thing in a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Is {
    Box,
    /// A place at which an arrow passes.
    Line,
    Label,
}

/// A thing in a row.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    pub(super) is: Is,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
}

/// A frame, with what it is in, and the width that it must have.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) place: Rectangle,
    pub(super) parent: Option<usize>,
    pub(super) least: f64,
}

/// Moves things and frames from side to side. A chain is what an arrow passes: things from row to row.
pub(super) fn tighten(things: &mut [Thing], frames: &mut [Frame], chains: &[Vec<usize>]) {
    let mut moving = Moving::new(things, frames);
    moving.constrain(things, frames);
    moving.order();
    moving.narrow(things, frames.len());
    moving.straighten(things, chains);
    for (thing, x) in things.iter_mut().zip(&moving.x) {
        thing.x = *x;
    }
    for (index, frame) in frames.iter_mut().enumerate() {
        let [left, right] = [moving.left(index), moving.left(index) + 1].map(|edge| moving.x[edge]);
        frame.place.x = f64::midpoint(left, right);
        frame.place.width = right - left;
    }
}

/// Places of things, and then of the left and right edges of frames.
struct Moving {
    things: usize,
    x: Vec<f64>,
    /// What must be to the left, and how far away.
    before: Vec<Vec<(usize, f64)>>,
    after: Vec<Vec<(usize, f64)>>,
    /// From left to right.
    order: Vec<usize>,
}

impl Moving {
    fn new(things: &[Thing], frames: &[Frame]) -> Self {
        let edges = frames.iter().flat_map(|frame| {
            let half = frame.place.width / 2.0;
            [frame.place.x - half, frame.place.x + half]
        });
        let x: Vec<f64> = things.iter().map(|thing| thing.x).chain(edges).collect();
        let none = vec![Vec::new(); x.len()];
        Self { things: things.len(), before: none.clone(), after: none, order: Vec::new(), x }
    }

    /// The left edge of a frame; the right one follows.
    fn left(&self, frame: usize) -> usize {
        self.things + 2 * frame
    }

    /// One thing stays to the left of another. The library has seen to it already; what it has not stays as it is, so
    /// that there are no loops.
    fn keep(&mut self, left: usize, right: usize, distance: f64) {
        if (self.x[left], left) < (self.x[right], right) {
            self.before[right].push((left, distance));
            self.after[left].push((right, distance));
        }
    }

    fn constrain(&mut self, things: &[Thing], frames: &[Frame]) {
        for (index, frame) in frames.iter().enumerate() {
            self.keep(self.left(index), self.left(index) + 1, frame.least);
        }
        let mut rows: Vec<usize> = (0..things.len()).collect();
        rows.sort_by(|one, other| things[*one].y.total_cmp(&things[*other].y));
        for row in rows.chunk_by(|one, other| (things[*one].y - things[*other].y).abs() < 0.5) {
            let y = row.first().map_or(0.0, |first| things[*first].y);
            self.row(things, frames, row, y);
        }
    }

    /// What is beside each other in a row stays so, in every frame for itself.
    fn row(&mut self, things: &[Thing], frames: &[Frame], row: &[usize], y: f64) {
        // By the frame that they are in: things and frames with their left and right ends, and what they are.
        let mut contents: HashMap<Option<usize>, Vec<Part>> = HashMap::new();
        for thing in row {
            let is_around = |frame: &&usize| contains(&frames[**frame].place, things[*thing].x, y);
            let indices: Vec<usize> = (0..frames.len()).collect();
            // Inner frames come after outer ones.
            let home = indices.iter().rev().find(is_around).copied();
            let half = things[*thing].width / 2.0;
            let part = Part { at: things[*thing].x, left: *thing, right: *thing, half, is: Some(things[*thing].is) };
            contents.entry(home).or_default().push(part);
        }
        for (index, frame) in frames.iter().enumerate() {
            if (y - frame.place.y).abs() <= frame.place.height / 2.0 {
                let left = self.left(index);
                let part = Part { at: frame.place.x, left, right: left + 1, half: 0.0, is: None };
                contents.entry(frame.parent).or_default().push(part);
            }
        }
        let mut homes: Vec<Option<usize>> = contents.keys().copied().collect();
        homes.sort_unstable();
        for home in homes {
            let Some(mut parts) = contents.remove(&home) else { continue };
            parts.sort_by(|one, other| one.at.total_cmp(&other.at).then(one.left.cmp(&other.left)));
            for pair in parts.windows(2) {
                let [one, other] = pair else { continue };
                self.keep(one.right, other.left, one.half + air(one.is, other.is) + other.half);
            }
            if let (Some(frame), Some(first), Some(last)) = (home, parts.first(), parts.last()) {
                let left = self.left(frame);
                self.keep(left, first.left, FRAME + first.half);
                self.keep(last.right, left + 1, last.half + FRAME);
            }
        }
    }

    fn order(&mut self) {
        self.order = (0..self.x.len()).collect();
        self.order.sort_by(|one, other| self.x[*one].total_cmp(&self.x[*other]).then(one.cmp(other)));
    }

    /// Squeezes everything from the sides, as much as the picture is too wide for its height. What was straight stays
    /// so, unless something is in its way.
    fn narrow(&mut self, things: &[Thing], frames: usize) {
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)))
        };
        let (top, bottom) = ends(&mut things.iter().map(|thing| thing.y));
        let best = (SHAPE * (bottom - top + 200.0)).max(1000.0);
        for _ in 0..ROUNDS {
            let (left, right) = ends(&mut self.x.iter().copied());
            let part = (best / (right - left).max(1.0)).max(LEAST);
            if part >= 0.98 {
                break;
            }
            let wanted: Vec<f64> = self.x.iter().map(|x| left + part * (x - left)).collect();
            self.settle(&wanted);
        }
        for _ in 0..2 {
            // A frame is as narrow as it can be.
            let mut wanted = self.x.clone();
            for frame in 0..frames {
                let left = self.left(frame);
                let first = self.after[left].iter().map(|(it, far)| self.x[*it] - far);
                let last = self.before[left + 1].iter().map(|(it, far)| self.x[*it] + far);
                wanted[left] = first.fold(f64::INFINITY, f64::min);
                wanted[left + 1] = last.fold(f64::NEG_INFINITY, f64::max);
            }
            self.settle(&wanted);
        }
    }

    /// Moves everything to where it is wanted, as far as what must be kept allows: what is in the way moves half to the
    /// left and half to the right. Both ways alone keep what must be kept, so their middle does too.
    fn settle(&mut self, wanted: &[f64]) {
        let mut right = wanted.to_vec();
        for thing in &self.order {
            let least = self.before[*thing].iter().map(|(it, far)| right[*it] + far).fold(f64::NEG_INFINITY, f64::max);
            right[*thing] = right[*thing].max(least);
        }
        let mut left = wanted.to_vec();
        for thing in self.order.iter().rev() {
            let most = self.after[*thing].iter().map(|(it, far)| left[*it] - far).fold(f64::INFINITY, f64::min);
            left[*thing] = left[*thing].min(most);
        }
        for (x, (left, right)) in self.x.iter_mut().zip(left.into_iter().zip(right)) {
            *x = f64::midpoint(left, right);
        }
    }

    /// Makes arrows straight where there is room.
    fn straighten(&mut self, things: &[Thing], chains: &[Vec<usize>]) {
        for chain in chains {
            let mut run: Vec<usize> = Vec::new();
            let mut room = (f64::NEG_INFINITY, f64::INFINITY);
            for thing in chain {
                let own = if things[*thing].is == Is::Box { None } else { Some(self.room(*thing)) };
                let both = own.map(|own| (own.0.max(room.0), own.1.min(room.1))).filter(|both| both.0 <= both.1);
                match (both, own) {
                    (Some(both), _) => room = both,
                    (None, own) => {
                        self.align(&run, room);
                        run.clear();
                        // What has been aligned may have left more or less room for this one.
                        room = own.map_or((f64::NEG_INFINITY, f64::INFINITY), |_| self.room(*thing));
                    }
                }
                if own.is_some() {
                    run.push(*thing);
                }
            }
            self.align(&run, room);
        }
    }

    /// Where a thing may be while nothing else moves.
    fn room(&self, thing: usize) -> (f64, f64) {
        let least = self.before[thing].iter().map(|(it, far)| self.x[*it] + far).fold(f64::NEG_INFINITY, f64::max);
        let most = self.after[thing].iter().map(|(it, far)| self.x[*it] - far).fold(f64::INFINITY, f64::min);
        (least, most)
    }

    fn align(&mut self, run: &[usize], room: (f64, f64)) {
        if run.len() > 1 && room.0 <= room.1 {
            let middle = run.iter().map(|thing| self.x[*thing]).sum::<f64>() / run.len() as f64;
            run.iter().for_each(|thing| self.x[*thing] = middle.clamp(room.0, room.1));
        }
    }
}

/// Something in a row of a frame: a thing, or another frame.
struct Part {
    at: f64,
    /// What is moved at its left, and at its right.
    left: usize,
    right: usize,
    half: f64,
    is: Option<Is>,
}

fn contains(frame: &Rectangle, x: f64, y: f64) -> bool {
    (x - frame.x).abs() <= frame.width / 2.0 && (y - frame.y).abs() <= frame.height / 2.0
}

/// Air between two parts.
fn air(one: Option<Is>, other: Option<Is>) -> f64 {
    match (one, other) {
        (None, _) | (_, None) => FRAME,
        (Some(Is::Box), Some(Is::Box)) => BOXES,
        (Some(Is::Box), _) | (_, Some(Is::Box)) => BOX_AND_LINE,
        (Some(Is::Line), Some(Is::Line)) => LINES,
        _ => LABELS,
    }
}
