//! All items that take a position in a row: boxes, labels, passing arrows, and the sides of frames.

use super::ports;
use super::{Arrow, Insets, Part};

/// The kind of an item in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Is {
    Box,
    /// The point at which an arrow passes a row.
    Line,
    Label,
    /// A side of a frame; a frame has both sides in each of its rows.
    Left(usize),
    Right(usize),
}

impl Is {
    /// Returns whether the item is the side of a frame.
    pub(super) fn is_side(self) -> bool {
        matches!(self, Self::Left(_) | Self::Right(_))
    }
}

/// An item in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) is: Is,
    pub(super) row: usize,
    pub(super) width: f64,
    pub(super) height: f64,
    /// The index of its horizontal position. In all rows, the same side of a frame has the same position.
    pub(super) body: usize,
}

/// A piece of an arrow, or of the side of a frame, from one row to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) upper: usize,
    pub(super) lower: usize,
}

/// All items in rows and the segments between rows.
#[derive(Debug)]
pub(super) struct Grid {
    /// Boxes in order, then labels and passing points of arrows, then the sides of frames.
    pub(super) items: Vec<Item>,
    /// The items of each row; the content of a frame is between its sides.
    pub(super) rows: Vec<Vec<usize>>,
    pub(super) segments: Vec<Segment>,
    /// The segments from each row to the next.
    pub(super) gaps: Vec<Vec<usize>>,
    /// The segments that lead to an item from above, and those that lead downward from it.
    pub(super) up: Vec<Vec<usize>>,
    pub(super) down: Vec<Vec<usize>>,
    /// The items of each arrow, from its upper to its lower box.
    pub(super) chains: Vec<Vec<usize>>,
    pub(super) frames: Vec<Span>,
    /// The number of horizontal positions.
    pub(super) bodies: usize,
    /// Whether a row has no boxes.
    pub(super) is_low: Vec<bool>,
}

/// A frame and the rows that it spans.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) parent: Option<usize>,
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) least: f64,
    pub(super) insets: Insets,
    /// The body of its left side; the body of its right side follows.
    left: usize,
}

impl Grid {
    /// Builds the grid for the given rows of boxes. Every frame must have a box.
    pub(super) fn new(part: &Part, rows: &[usize]) -> Self {
        let levels = Levels::new(part, rows);
        let mut grid = Self {
            items: Vec::new(),
            rows: vec![Vec::new(); levels.used.len()],
            segments: Vec::new(),
            gaps: vec![Vec::new(); levels.used.len().saturating_sub(1)],
            up: Vec::new(),
            down: Vec::new(),
            chains: Vec::with_capacity(part.arrows.len()),
            frames: Vec::new(),
            bodies: 0,
            is_low: levels.used.iter().map(|level| levels.step == 2 && level % 2 == 1).collect(),
        };
        let mut homes: Vec<Option<usize>> = Vec::new();
        for (block, row) in part.boxes.iter().zip(rows) {
            grid.add(Is::Box, levels.row(row * levels.step), (block.full_width(), block.height.max(block.room)));
            homes.push(block.frame);
        }
        grid.frames = spans(part, &grid.items);
        for arrow in &part.arrows {
            grid.lead(part, arrow, &levels, rows, &mut homes);
        }
        grid.bodies = grid.items.len() + 2 * grid.frames.len();
        grid.enclose(&homes);
        grid
    }

    /// Returns the bodies of the sides of a frame.
    pub(super) fn sides(&self, frame: usize) -> [usize; 2] {
        [self.frames[frame].left, self.frames[frame].left + 1]
    }

    fn add(&mut self, is: Is, row: usize, (width, height): (f64, f64)) -> usize {
        let item = self.items.len();
        self.items.push(Item { is, row, width, height, body: item });
        self.up.push(Vec::new());
        self.down.push(Vec::new());
        item
    }

    fn connect(&mut self, upper: usize, lower: usize) {
        let segment = self.segments.len();
        self.segments.push(Segment { upper, lower });
        self.gaps[self.items[upper].row].push(segment);
        self.down[upper].push(segment);
        self.up[lower].push(segment);
    }

    /// Gives an arrow a position in every row that it passes. It stays in the frames of its upper box as long as they
    /// last, and enters those of its lower box as soon as they begin, so that it crosses no sides of frames.
    fn lead(&mut self, part: &Part, arrow: &Arrow, levels: &Levels, rows: &[usize], homes: &mut Vec<Option<usize>>) {
        let (upper, lower) =
            if rows[arrow.from] < rows[arrow.to] { (arrow.from, arrow.to) } else { (arrow.to, arrow.from) };
        let label_row = arrow.label.map(|_| levels.row(levels.of_label(part, arrow, rows)));
        let (above, below) = (frames_around(part, upper), frames_around(part, lower));
        let is_common = |frame: &&usize| above.contains(frame) && below.contains(frame);
        let common = above.iter().find(is_common).copied();
        let mut chain = vec![upper];
        for row in self.items[upper].row + 1..self.items[lower].row {
            let own = arrow.label.filter(|_| label_row == Some(row));
            let item = match own {
                Some(size) => self.add(Is::Label, row, size),
                None => self.add(Is::Line, row, (0.0, 0.0)),
            };
            let is_own = |frame: &&usize| !is_common(frame);
            let leaving = above.iter().filter(is_own).find(|frame| self.frames[**frame].last >= row);
            let entering = below.iter().filter(is_own).find(|frame| self.frames[**frame].first <= row);
            homes.push(leaving.or(entering).copied().or(common));
            chain.push(item);
        }
        chain.push(lower);
        for pair in chain.windows(2) {
            self.connect(pair[0], pair[1]);
        }
        self.chains.push(chain);
    }

    /// Adds the sides of frames and puts every item into its row.
    fn enclose(&mut self, homes: &[Option<usize>]) {
        // The direct content of each frame, by row.
        let mut direct: Vec<Vec<Vec<usize>>> =
            self.frames.iter().map(|frame| vec![Vec::new(); frame.last - frame.first + 1]).collect();
        for (item, home) in homes.iter().enumerate() {
            let row = self.items[item].row;
            match home {
                Some(frame) => direct[*frame][row - self.frames[*frame].first].push(item),
                None => self.rows[row].push(item),
            }
        }
        let mut next = self.items.len();
        for frame in &mut self.frames {
            frame.left = next;
            next += 2;
        }
        // Inner frames are complete before they are put into outer ones.
        for frame in (0..self.frames.len()).rev() {
            let Span { parent, first, last, left: body, .. } = self.frames[frame];
            let mut before = None;
            for (row, content) in (first..=last).zip(std::mem::take(&mut direct[frame])) {
                let left = self.add(Is::Left(frame), row, (0.0, 0.0));
                let right = self.add(Is::Right(frame), row, (0.0, 0.0));
                (self.items[left].body, self.items[right].body) = (body, body + 1);
                if let Some((above, beside)) = before.replace((left, right)) {
                    self.connect(above, left);
                    self.connect(beside, right);
                }
                let into = match parent {
                    Some(parent) => &mut direct[parent][row - self.frames[parent].first],
                    None => &mut self.rows[row],
                };
                into.push(left);
                into.extend(content);
                into.push(right);
            }
        }
    }
}

/// Returns the number of positions that arrows and the sides of frames take in rows.
pub(super) fn places(part: &Part, rows: &[usize]) -> usize {
    let passed: usize = part.arrows.iter().map(|arrow| rows[arrow.from].abs_diff(rows[arrow.to])).sum();
    let spans = ports::spans(part, rows, true);
    passed + spans.into_iter().flatten().map(|(first, last)| 2 * (last - first + 1)).sum::<usize>()
}

/// Returns the frames around a box, starting with the innermost.
fn frames_around(part: &Part, it: usize) -> Vec<usize> {
    std::iter::successors(part.boxes[it].frame, |frame| part.frames[*frame].parent).collect()
}

/// Returns the rows that frames span.
fn spans(part: &Part, boxes: &[Item]) -> Vec<Span> {
    let mut spans: Vec<Span> = part
        .frames
        .iter()
        .map(|frame| Span {
            parent: frame.parent,
            first: usize::MAX,
            last: 0,
            least: frame.least,
            insets: frame.insets,
            left: 0,
        })
        .collect();
    for (item, block) in boxes.iter().zip(&part.boxes) {
        for frame in std::iter::successors(block.frame, |frame| part.frames[*frame].parent) {
            let span = &mut spans[frame];
            (span.first, span.last) = (span.first.min(item.row), span.last.max(item.row));
        }
    }
    spans
}

/// The rows of boxes with rows for labels in between; empty rows are removed.
struct Levels {
    /// The number of levels per row of boxes.
    step: usize,
    used: Vec<usize>,
    /// The first and the last row of each frame.
    spans: Vec<Option<(usize, usize)>>,
}

impl Levels {
    fn new(part: &Part, rows: &[usize]) -> Self {
        let step = if part.arrows.iter().any(|arrow| arrow.label.is_some()) { 2 } else { 1 };
        let mut levels = Self { step, used: Vec::new(), spans: ports::spans(part, rows, true) };
        let labels = part.arrows.iter().filter(|arrow| arrow.label.is_some());
        let labels: Vec<usize> = labels.map(|arrow| levels.of_label(part, arrow, rows)).collect();
        levels.used = rows.iter().map(|row| row * step).chain(labels).collect();
        levels.used.sort_unstable();
        levels.used.dedup();
        levels
    }

    /// Returns the level of an arrow's label: halfway between its boxes, or the frames that they stand for.
    fn of_label(&self, part: &Part, arrow: &Arrow, rows: &[usize]) -> usize {
        let is_down = rows[arrow.from] < rows[arrow.to];
        let (upper, lower) = if is_down { (arrow.from, arrow.to) } else { (arrow.to, arrow.from) };
        let span = |it: usize| {
            let frame = part.boxes[it].frame.filter(|_| part.boxes[it].is_port);
            frame.and_then(|frame| self.spans[frame])
        };
        let top = span(upper).map(|(_, last)| last).filter(|last| *last < rows[lower]).unwrap_or(rows[upper]);
        let bottom = span(lower).map(|(first, _)| first).filter(|first| *first > top).unwrap_or(rows[lower]);
        self.step * (top + bottom) / 2
    }

    fn row(&self, level: usize) -> usize {
        self.used.partition_point(|used| *used < level)
    }
}
