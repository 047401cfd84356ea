//! Boxes in rows, with arrows from row to row.
//!
//! This is Sugiyama's method. `rank` assigns a row to each box, and `clusters` moves boxes that share a frame with
//! others without being joined to them by arrows. `grid` gives arrows a position in every row that they pass. `order`
//! finds an order in each row with few crossings, `coordinates` finds positions at which most arrows are straight, and
//! `compact` compacts them. Frames stay in one piece throughout. The time of every step is about linear in the number
//! of positions.

mod arrange;
mod clusters;
mod compact;
mod constraints;
mod coordinates;
mod crossings;
mod grid;
mod order;
mod ports;
mod rank;
mod route;
mod swap;
mod vertical;

use super::layout::{Point, Rectangle};
use constraints::Room;
use grid::Grid;
use vertical::Heights;

/// A part to lay out. All numbers are indexes into these lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) boxes: Vec<Block>,
    /// The frames, outer ones before inner ones.
    pub(super) frames: Vec<Frame>,
    /// The arrows between different boxes.
    pub(super) arrows: Vec<Arrow>,
    /// The maximum width, relative to the height.
    pub(super) shape: f64,
    /// The row of each box, if the source of the diagram sets it.
    pub(super) rows: Option<Vec<usize>>,
}

/// A box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) width: f64,
    pub(super) height: f64,
    /// The space to keep free on its left and right.
    pub(super) beside: f64,
    /// The minimum height of its row.
    pub(super) room: f64,
    pub(super) frame: Option<usize>,
    /// Whether it represents its frame. Its arrows end at the border of the frame.
    pub(super) is_port: bool,
}

impl Block {
    /// Returns the width of the box, including the space at its sides.
    fn full_width(&self) -> f64 {
        self.width + 2.0 * self.beside
    }
}

/// A frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) parent: Option<usize>,
    /// The minimum width.
    pub(super) least: f64,
    pub(super) insets: Insets,
}

/// The space between the sides of a frame and its content. `before` is above it, `after` below.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Insets {
    pub(super) before: f64,
    pub(super) after: f64,
    pub(super) left: f64,
    pub(super) right: f64,
}

/// An arrow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrow {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The width and height of its label.
    pub(super) label: Option<(f64, f64)>,
}

/// The positions of everything in a part.
#[derive(Debug)]
pub(super) struct Places {
    /// The centers of boxes.
    pub(super) boxes: Vec<Point>,
    pub(super) frames: Vec<Rectangle>,
    /// The knots of arrows, from their sources, and the centers of their labels.
    pub(super) arrows: Vec<(Vec<Point>, Option<Point>)>,
}

impl Part {
    /// Puts an item into empty frames, so that every frame has a position.
    pub(super) fn fill_frames(&mut self) {
        let mut is_empty = vec![true; self.frames.len()];
        self.boxes.iter().filter_map(|block| block.frame).for_each(|frame| is_empty[frame] = false);
        self.frames.iter().filter_map(|frame| frame.parent).for_each(|frame| is_empty[frame] = false);
        for (frame, _) in is_empty.into_iter().enumerate().filter(|(_, is_empty)| *is_empty) {
            let block = Block { width: 0.0, height: EMPTY, beside: 0.0, room: 0.0, frame: Some(frame), is_port: false };
            self.boxes.push(block);
            self.rows.iter_mut().for_each(|rows| rows.push(0));
        }
    }
}

/// The height of the item in an empty frame.
const EMPTY: f64 = 20.0;

/// The maximum number of positions that arrows and the sides of frames may take in rows, in total and per box. More
/// would take too long and would be unreadable.
const MAX_PLACES: usize = 60_000;
const MAX_PLACES_EACH: usize = 60;

/// Returns the row of every box, from 0 at the top; `None` if arrows and frames take too many positions.
fn rows(part: &Part) -> Option<Vec<usize>> {
    let rows = match &part.rows {
        Some(rows) => rows.clone(),
        None => {
            let mut rows = rank::rows(part);
            clusters::join(part, &mut rows);
            ports::lift(part, &mut rows);
            rows
        }
    };
    let most = MAX_PLACES.max(MAX_PLACES_EACH * part.boxes.len());
    (grid::places(part, &rows) <= most).then_some(rows)
}

/// Returns whether a part can be laid out in rows.
pub(super) fn is_fit(part: &Part) -> bool {
    rows(part).is_some()
}

/// Lays out a part; `None` if arrows and frames take too many positions.
pub(super) fn layout(part: &Part) -> Option<Places> {
    let grid = Grid::new(part, &rows(part)?);
    let order = order::order(&grid);
    let room = Room::new(&grid, &order);
    let mut x = coordinates::places(&grid, &order, &room);
    let heights = Heights::new(&grid);
    compact::tighten(&grid, &room, (heights.height(), part.shape), &mut x);

    let frames = (0..part.frames.len()).map(|frame| {
        let [left, right] = grid.sides(frame).map(|side| x[side]);
        let (top, bottom) = heights.frame(&grid, frame);
        Rectangle {
            x: f64::midpoint(left, right),
            y: f64::midpoint(top, bottom),
            width: right - left,
            height: bottom - top,
        }
    });
    let label = |chain: &[usize]| {
        let label = chain.iter().find(|item| grid.items[**item].is == grid::Is::Label)?;
        Some((x[*label], heights.middle(grid.items[*label].row)))
    };
    let knots = route::routes(part, &grid, &heights, &x);
    let arrows = part.arrows.iter().zip(&grid.chains).zip(knots).map(|((arrow, chain), mut knots)| {
        if chain[0] != arrow.from {
            knots.reverse();
        }
        (knots, label(chain))
    });
    Some(Places {
        boxes: (0..part.boxes.len()).map(|it| (x[it], heights.middle(grid.items[it].row))).collect(),
        arrows: arrows.collect(),
        frames: frames.collect(),
    })
}
