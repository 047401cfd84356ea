//! Vertical positions of rows and frames.

use super::grid::Grid;

/// The space between rows of boxes, and next to rows of labels, for the horizontal part of arrows.
const BOXES: f64 = 72.0;
const LABELS: f64 = 36.0;

/// The space that a frame needs above its content, for its name and the arrowheads below the name, and below its
/// content.
const HEAD: f64 = 36.0;
const FOOT: f64 = 16.0;

/// The space around frames.
const FRAME: f64 = 20.0;

/// The center of each row and half of its height.
pub(super) struct Heights {
    rows: Vec<(f64, f64)>,
    /// For each frame, the number of frames in it, including itself, that begin in its first row (`heads`) or end in
    /// its last row (`feet`).
    heads: Vec<usize>,
    feet: Vec<usize>,
}

impl Heights {
    pub(super) fn new(grid: &Grid) -> Self {
        let mut halves = vec![0.0_f64; grid.rows.len()];
        grid.items.iter().for_each(|item| halves[item.row] = halves[item.row].max(item.height / 2.0));
        let mut heads = vec![1; grid.frames.len()];
        let mut feet = heads.clone();
        let mut most_heads = vec![0; grid.rows.len()];
        let mut most_feet = most_heads.clone();
        for (index, frame) in grid.frames.iter().enumerate().rev() {
            if let Some(parent) = frame.parent {
                if grid.frames[parent].first == frame.first {
                    heads[parent] = heads[parent].max(heads[index] + 1);
                }
                if grid.frames[parent].last == frame.last {
                    feet[parent] = feet[parent].max(feet[index] + 1);
                }
            }
            most_heads[frame.first] = most_heads[frame.first].max(heads[index]);
            most_feet[frame.last] = most_feet[frame.last].max(feet[index]);
        }
        let mut rows: Vec<(f64, f64)> = Vec::with_capacity(halves.len());
        let mut bottom = 0.0;
        for (row, half) in halves.into_iter().enumerate() {
            if row > 0 {
                let air = if grid.is_low[row - 1] || grid.is_low[row] { LABELS } else { BOXES };
                let frames = HEAD * most_heads[row] as f64 + FOOT * most_feet[row - 1] as f64;
                bottom += if frames > 0.0 { air.max(frames + FRAME) } else { air };
            }
            rows.push((bottom + half, half));
            bottom += 2.0 * half;
        }
        Self { rows, heads, feet }
    }

    pub(super) fn middle(&self, row: usize) -> f64 {
        self.rows[row].0
    }

    /// Returns the top and the bottom of a row.
    pub(super) fn row(&self, row: usize) -> (f64, f64) {
        let (middle, half) = self.rows[row];
        (middle - half, middle + half)
    }

    /// Returns the total height of all rows.
    pub(super) fn height(&self) -> f64 {
        self.rows.last().map_or(0.0, |(middle, half)| middle + half)
    }

    /// Returns the top and the bottom of a frame.
    pub(super) fn frame(&self, grid: &Grid, frame: usize) -> (f64, f64) {
        let (top, _) = self.row(grid.frames[frame].first);
        let (_, bottom) = self.row(grid.frames[frame].last);
        (top - HEAD * self.heads[frame] as f64, bottom + FOOT * self.feet[frame] as f64)
    }
}
