//! The rows of the items that stand for their frames.

use super::Part;

/// Moves each port to the first row of its frame, or to the last one if its arrows only lead down, as far as its arrows
/// allow. So arrows end at the frame without passing its content, and ports take no rows of their own.
pub(super) fn lift(part: &Part, rows: &mut [usize]) {
    if !part.boxes.iter().any(|block| block.is_port) {
        return;
    }
    let mut ends: Vec<Vec<usize>> = vec![Vec::new(); part.boxes.len()];
    for arrow in &part.arrows {
        ends[arrow.from].push(arrow.to);
        ends[arrow.to].push(arrow.from);
    }
    let spans = spans(part, rows, false);
    for (port, block) in part.boxes.iter().enumerate().filter(|(_, block)| block.is_port) {
        let Some((first, last)) = block.frame.and_then(|frame| spans[frame]) else { continue };
        let above = ends[port].iter().map(|end| rows[*end]).filter(|row| *row < rows[port]).max();
        let below = ends[port].iter().map(|end| rows[*end]).filter(|row| *row > rows[port]).min();
        let least = above.map_or(first, |row| (row + 1).max(first));
        let most = below.map_or(last, |row| row.saturating_sub(1).min(last));
        if least <= most {
            rows[port] = if above.is_some() { least } else { most };
        }
    }
    let mut known = rows.to_vec();
    known.sort_unstable();
    known.dedup();
    rows.iter_mut().for_each(|row| *row = known.partition_point(|it| it < row));
}

/// Returns the first and the last row of each frame; `None` if it is empty. Ports count if `with_ports` is set.
pub(super) fn spans(part: &Part, rows: &[usize], with_ports: bool) -> Vec<Option<(usize, usize)>> {
    let mut spans: Vec<Option<(usize, usize)>> = vec![None; part.frames.len()];
    for (block, row) in part.boxes.iter().zip(rows).filter(|(block, _)| with_ports || !block.is_port) {
        for frame in std::iter::successors(block.frame, |frame| part.frames[*frame].parent) {
            let (first, last) = spans[frame].get_or_insert((*row, *row));
            (*first, *last) = ((*first).min(*row), (*last).max(*row));
        }
    }
    spans
}
