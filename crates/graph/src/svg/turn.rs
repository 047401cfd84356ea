//! The direction of a diagram. The layout is always from top to bottom, and the result is turned.

use super::layered::Insets;
use super::layout::{Point, Rectangle};
use crate::Direction;

impl Direction {
    /// Returns a width and a height before the diagram is turned.
    pub(super) fn size(self, (width, height): (f64, f64)) -> (f64, f64) {
        if self.is_horizontal() { (height, width) } else { (width, height) }
    }

    /// Returns insets before the diagram is turned.
    pub(super) fn insets(self, insets: Insets) -> Insets {
        let Insets { before: top, after: bottom, left, right } = insets;
        match self {
            Self::Down => insets,
            Self::Up => Insets { before: bottom, after: top, left, right },
            Self::Right => Insets { before: left, after: right, left: top, right: bottom },
            Self::Left => Insets { before: right, after: left, left: top, right: bottom },
        }
    }

    /// Turns a point in a layout of the given height.
    pub(super) fn point(self, (x, y): Point, height: f64) -> Point {
        match self {
            Self::Down => (x, y),
            Self::Up => (x, height - y),
            Self::Right => (y, x),
            Self::Left => (height - y, x),
        }
    }

    /// Turns a rectangle in a layout of the given height.
    pub(super) fn rectangle(self, of: Rectangle, height: f64) -> Rectangle {
        let (x, y) = self.point((of.x, of.y), height);
        let (width, height) = self.size((of.width, of.height));
        Rectangle { x, y, width, height }
    }
}
