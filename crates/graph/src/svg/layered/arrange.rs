//! The order in one row: every item as close as possible to its pull, and frames in one piece.
//!
//! Frames that are next to each other in several rows need the same order in each of them, or they would not be
//! rectangles. So there is one order of all frames, and every row keeps it.

use super::grid::{Grid, Is};

/// The position to which an item is pulled and the strength of the pull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pull {
    pub(super) to: f64,
    pub(super) weight: f64,
}

/// Sorts a row. The pull of a frame's side counts as a pull of the frame. Items with the same pull keep their order, or
/// reverse it if `is_reversed` is set.
pub(super) fn arranged(grid: &Grid, row: &[usize], pulls: &[Pull], ranks: &[usize], is_reversed: bool) -> Vec<usize> {
    let mut open = vec![Content::default()];
    for (item, pull) in row.iter().zip(pulls) {
        match grid.items[*item].is {
            Is::Left(_) => {
                let mut content = Content { left: Some(*item), ..Content::default() };
                content.sum(*pull);
                open.push(content);
            }
            Is::Right(frame) => {
                let Some(mut inner) = open.pop() else { continue };
                inner.sum(*pull);
                let Content { left, sum, weight, .. } = inner;
                let mut items: Vec<usize> = left.into_iter().collect();
                inner.write(ranks, is_reversed, &mut items);
                items.push(*item);
                let pull = Pull { to: sum / weight.max(f64::MIN_POSITIVE), weight };
                if let Some(outer) = open.last_mut() {
                    outer.add(Entry { pull, is: Member::Frame(frame, items) });
                }
            }
            _ => {
                if let Some(outer) = open.last_mut() {
                    outer.add(Entry { pull: *pull, is: Member::Item(*item) });
                }
            }
        }
    }
    let mut sorted = Vec::with_capacity(row.len());
    for content in open {
        content.write(ranks, is_reversed, &mut sorted);
    }
    sorted
}

/// The content of a frame or of a row outside of frames.
#[derive(Default)]
struct Content {
    left: Option<usize>,
    entries: Vec<Entry>,
    sum: f64,
    weight: f64,
}

struct Entry {
    pull: Pull,
    is: Member,
}

enum Member {
    Item(usize),
    /// A frame with its content and its sides.
    Frame(usize, Vec<usize>),
}

impl Entry {
    fn rank(&self, ranks: &[usize]) -> Option<usize> {
        match self.is {
            Member::Item(_) => None,
            Member::Frame(frame, _) => Some(ranks[frame]),
        }
    }
}

impl Content {
    fn sum(&mut self, pull: Pull) {
        self.sum += pull.to * pull.weight;
        self.weight += pull.weight;
    }

    fn add(&mut self, entry: Entry) {
        self.sum(entry.pull);
        self.entries.push(entry);
    }

    fn write(mut self, ranks: &[usize], is_reversed: bool, into: &mut Vec<usize>) {
        self.agree(ranks);
        if is_reversed {
            self.entries.reverse();
        }
        self.entries.sort_by(|one, other| one.pull.to.total_cmp(&other.pull.to));
        // Frames with the same pull may be in any order here.
        let mut frames: Vec<(usize, Vec<usize>)> = Vec::new();
        for entry in &mut self.entries {
            if let Member::Frame(frame, items) = &mut entry.is {
                frames.push((ranks[*frame], std::mem::take(items)));
            }
        }
        frames.sort_unstable_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        for entry in self.entries {
            match entry.is {
                Member::Item(item) => into.push(item),
                Member::Frame(..) => into.extend(frames.pop().map(|(_, items)| items).into_iter().flatten()),
            }
        }
    }

    /// Makes the pulls of frames agree with their order: frames that are pulled past each other get the same position.
    fn agree(&mut self, ranks: &[usize]) {
        let mut frames: Vec<usize> =
            (0..self.entries.len()).filter(|it| self.entries[*it].rank(ranks).is_some()).collect();
        frames.sort_by_key(|it| self.entries[*it].rank(ranks));
        // The common pull of a run of frames and the length of the run.
        let mut agreed: Vec<(Pull, usize)> = Vec::with_capacity(frames.len());
        for it in &frames {
            let mut last = (self.entries[*it].pull, 1);
            while let Some((before, number)) = agreed.pop_if(|(before, _)| before.to >= last.0.to) {
                let weight = before.weight + last.0.weight;
                let to = if weight > 0.0 {
                    (before.to * before.weight + last.0.to * last.0.weight) / weight
                } else {
                    f64::midpoint(before.to, last.0.to)
                };
                last = (Pull { to, weight }, number + last.1);
            }
            agreed.push(last);
        }
        let places = agreed.into_iter().flat_map(|(pull, number)| std::iter::repeat_n(pull.to, number));
        for (it, to) in frames.iter().zip(places) {
            self.entries[*it].pull.to = to;
        }
    }
}
