//! The rows of items that share a frame but are not joined by arrows.
//!
//! Arrows determine how far apart the rows of their ends are, so everything that they join moves together as a body.
//! Bodies in the same frame are put side by side, or below each other if the rows get too wide. So frames have few
//! rows, and no diagram is a hundred boxes wide. The bodies in a frame then form one body, which may share an outer
//! frame with other bodies.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Part, rank};
use foldhash::HashMap;
use rustc_hash::FxHashMap;

/// The maximum number of boxes without arrows in one row.
const MAX_COLUMNS: usize = 4;

/// Moves items that no arrows join, to keep frames small. Empty rows are removed.
pub(super) fn join(part: &Part, rows: &mut [usize]) {
    let mut bodies = Bodies::new(rows);
    for arrow in &part.arrows {
        bodies.join(arrow.from, arrow.to, bodies.rows[arrow.to] - bodies.rows[arrow.from]);
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); part.frames.len()];
    for (it, block) in part.boxes.iter().enumerate() {
        let frames = std::iter::successors(block.frame, |frame| part.frames[*frame].parent);
        frames.for_each(|frame| members[frame].push(it));
    }
    // Inner frames come first.
    for members in members.iter().rev() {
        fill(part, &mut bodies, members);
    }
    let places: Vec<i64> = (0..rows.len()).map(|it| bodies.row(it)).collect();
    let mut known = places.clone();
    known.sort_unstable();
    known.dedup();
    for (row, place) in rows.iter_mut().zip(places) {
        *row = known.partition_point(|it| *it < place);
    }
}

/// The bodies, as a union-find structure, and the rows of their boxes.
struct Bodies {
    rows: Vec<i64>,
    /// For each box, another box in its body and the offset of the box relative to it, in rows.
    next: Vec<(usize, i64)>,
    size: Vec<usize>,
}

impl Bodies {
    fn new(rows: &[usize]) -> Self {
        Self {
            rows: rows.iter().map(|row| i64::try_from(*row).unwrap_or_default()).collect(),
            next: (0..rows.len()).map(|it| (it, 0)).collect(),
            size: vec![1; rows.len()],
        }
    }

    /// Returns the representative of the body and the offset of this box relative to it.
    fn find(&mut self, it: usize) -> (usize, i64) {
        let mut way = Vec::new();
        let mut at = it;
        while self.next[at].0 != at {
            way.push(at);
            at = self.next[at].0;
        }
        let mut moved = 0;
        for step in way.into_iter().rev() {
            moved += self.next[step].1;
            self.next[step] = (at, moved);
        }
        (at, moved)
    }

    /// Returns the row of a box, with the offset in its body.
    fn row(&mut self, it: usize) -> i64 {
        let (_, moved) = self.find(it);
        self.rows[it] + moved
    }

    /// Joins the bodies of two boxes so that the second box is `distance` rows below the first.
    fn join(&mut self, one: usize, other: usize, distance: i64) {
        let moved = self.row(one) + distance - self.row(other);
        let ((one, _), (other, _)) = (self.find(one), self.find(other));
        if one == other {
            return;
        }
        if self.size[one] >= self.size[other] {
            self.next[other] = (one, moved);
            self.size[one] += self.size[other];
        } else {
            self.next[one] = (other, -moved);
            self.size[other] += self.size[one];
        }
    }
}

/// The part of a body that is in a frame.
struct Share {
    members: Vec<usize>,
    top: i64,
    bottom: i64,
    width: f64,
}

/// Joins everything in a frame into one body.
fn fill(part: &Part, bodies: &mut Bodies, members: &[usize]) {
    let mut shares: Vec<Share> = Vec::new();
    let mut alone = Vec::new();
    let mut known: FxHashMap<usize, usize> = FxHashMap::default();
    for it in members {
        let (body, _) = bodies.find(*it);
        if bodies.size[body] == 1 {
            alone.push(*it);
            continue;
        }
        let place = *known.entry(body).or_insert(shares.len());
        let row = bodies.row(*it);
        if place == shares.len() {
            shares.push(Share { members: Vec::new(), top: row, bottom: row, width: 0.0 });
        }
        let share = &mut shares[place];
        (share.top, share.bottom) = (share.top.min(row), share.bottom.max(row));
        share.members.push(*it);
    }
    let widest = rank::widest(part, members.iter().copied());
    // The target row of each box, counted within the frame.
    let mut wanted: Vec<(usize, i64)> = Vec::with_capacity(members.len());
    let mut widths = shelve(part, bodies, &mut shares, widest, &mut wanted);
    spread(part, &alone, widest, &mut widths, &mut wanted);
    if let Some((anchor, first)) = wanted.first().copied() {
        wanted.iter().for_each(|(it, row)| bodies.join(anchor, *it, row - first));
    }
}

/// Puts bodies side by side, with their tops in the same row, or below each other if that gets too wide. Returns the
/// widths of the rows.
fn shelve(
    part: &Part,
    bodies: &mut Bodies,
    shares: &mut [Share],
    widest: f64,
    wanted: &mut Vec<(usize, i64)>,
) -> Vec<f64> {
    let mut widths: Vec<f64> = Vec::new();
    for share in shares.iter_mut() {
        let mut own: HashMap<i64, f64> = HashMap::default();
        for it in &share.members {
            let width = own.entry(bodies.row(*it)).or_default();
            *width += part.boxes[*it].full_width() + 40.0;
            share.width = share.width.max(*width);
        }
    }
    // The tallest shares come first, so that little space remains below the others.
    shares.sort_by_key(|share| (Reverse(share.bottom - share.top), share.members[0]));
    let (mut shelf, mut used) = (0, 0.0);
    for share in shares {
        if used > 0.0 && used + share.width > widest {
            (shelf, used) = (widths.len(), 0.0);
        }
        used += share.width;
        let height = usize::try_from(share.bottom - share.top).unwrap_or(0) + 1;
        widths.resize(widths.len().max(shelf + height), 0.0);
        let move_by = i64::try_from(shelf).unwrap_or(0) - share.top;
        for it in &share.members {
            let row = bodies.row(*it) + move_by;
            widths[usize::try_from(row).unwrap_or(0)] += part.boxes[*it].full_width() + 40.0;
        }
        wanted.push((share.members[0], bodies.row(share.members[0]) + move_by));
    }
    widths
}

/// Puts boxes without arrows into the narrowest rows, or below them if all rows are wide already. If there is nothing
/// else, they form a grid.
fn spread(part: &Part, alone: &[usize], widest: f64, widths: &mut Vec<f64>, wanted: &mut Vec<(usize, i64)>) {
    if widths.is_empty() {
        let columns = if alone.len() > MAX_COLUMNS { (alone.len() as f64).sqrt().ceil() as usize } else { MAX_COLUMNS };
        let place = |(at, it): (usize, &usize)| (*it, i64::try_from(at / columns).unwrap_or(0));
        wanted.extend(alone.iter().enumerate().map(place));
        return;
    }
    let mut free: BinaryHeap<Reverse<(u64, usize)>> =
        widths.iter().enumerate().map(|(row, width)| Reverse((*width as u64, row))).collect();
    let mut rows = Vec::with_capacity(alone.len());
    for it in alone {
        let own = part.boxes[*it].full_width() as u64 + 40;
        let Some(Reverse((width, row))) = free.pop() else { break };
        let (taken, row) = if width > 0 && (width + own) as f64 > widest {
            free.push(Reverse((width, row)));
            widths.push(0.0);
            (0, widths.len() - 1)
        } else {
            (width, row)
        };
        free.push(Reverse((taken + own, row)));
        rows.push(i64::try_from(row).unwrap_or(0));
    }
    // Boxes are read from left to right, row by row.
    rows.sort_unstable();
    wanted.extend(alone.iter().copied().zip(rows));
}
