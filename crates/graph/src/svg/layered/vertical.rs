//! Vertical positions of rows and frames.

use super::grid::Grid;

/// The space between rows of boxes, and next to rows of labels, for the horizontal part of arrows.
const BOXES: f64 = 72.0;
const LABELS: f64 = 36.0;

/// The space around frames.
const FRAME: f64 = 20.0;

/// The height of the head of a frame from which arrows pass the head vertically, because it has more than a name; and
/// the space above it for their horizontal parts.
const TALL: f64 = 60.0;
const CHANNEL: f64 = 44.0;

/// The center of each row and half of its height.
pub(super) struct Heights {
    rows: Vec<(f64, f64)>,
    /// For each frame, the space above its first row (`heads`) and below its last row (`feet`), for itself and the
    /// frames in it.
    heads: Vec<f64>,
    feet: Vec<f64>,
    /// For each row, the top and the bottom of the space above the row in which arrows move sideways; `None` if they
    /// may use all space up to the previous row.
    channels: Vec<Option<(f64, f64)>>,
}

impl Heights {
    pub(super) fn new(grid: &Grid) -> Self {
        let mut halves = vec![0.0_f64; grid.rows.len()];
        grid.items.iter().for_each(|item| halves[item.row] = halves[item.row].max(item.height / 2.0));
        let mut heads: Vec<f64> = grid.frames.iter().map(|frame| frame.insets.before).collect();
        let mut feet: Vec<f64> = grid.frames.iter().map(|frame| frame.insets.after).collect();
        let mut most_heads = vec![0.0_f64; grid.rows.len()];
        let mut most_feet = most_heads.clone();
        for (index, frame) in grid.frames.iter().enumerate().rev() {
            if let Some(parent) = frame.parent {
                if grid.frames[parent].first == frame.first {
                    heads[parent] = heads[parent].max(heads[index] + grid.frames[parent].insets.before);
                }
                if grid.frames[parent].last == frame.last {
                    feet[parent] = feet[parent].max(feet[index] + grid.frames[parent].insets.after);
                }
            }
            most_heads[frame.first] = most_heads[frame.first].max(heads[index]);
            most_feet[frame.last] = most_feet[frame.last].max(feet[index]);
        }
        let mut channels = vec![None; halves.len()];
        let mut rows: Vec<(f64, f64)> = Vec::with_capacity(halves.len());
        let mut bottom = 0.0;
        for (row, half) in halves.into_iter().enumerate() {
            if row > 0 {
                let air = if grid.is_low[row - 1] || grid.is_low[row] { LABELS } else { BOXES };
                let frames = most_heads[row] + most_feet[row - 1];
                let is_tall = most_heads[row] > TALL || most_feet[row - 1] > TALL;
                let channel = if is_tall { CHANNEL } else { FRAME };
                let next = bottom + if frames > 0.0 { air.max(frames + channel) } else { air };
                if is_tall {
                    channels[row] = Some((bottom + most_feet[row - 1], next - most_heads[row]));
                }
                bottom = next;
            }
            rows.push((bottom + half, half));
            bottom += 2.0 * half;
        }
        Self { rows, heads, feet, channels }
    }

    pub(super) fn middle(&self, row: usize) -> f64 {
        self.rows[row].0
    }

    /// Returns the top and the bottom of a row.
    pub(super) fn row(&self, row: usize) -> (f64, f64) {
        let (middle, half) = self.rows[row];
        (middle - half, middle + half)
    }

    /// Returns the top and the bottom of the space above a row in which arrows move sideways.
    pub(super) fn channel(&self, row: usize) -> Option<(f64, f64)> {
        self.channels[row]
    }

    /// Returns the total height of all rows.
    pub(super) fn height(&self) -> f64 {
        self.rows.last().map_or(0.0, |(middle, half)| middle + half)
    }

    /// Returns the top and the bottom of a frame.
    pub(super) fn frame(&self, grid: &Grid, frame: usize) -> (f64, f64) {
        let (top, _) = self.row(grid.frames[frame].first);
        let (_, bottom) = self.row(grid.frames[frame].last);
        (top - self.heads[frame], bottom + self.feet[frame])
    }
}
