//! The row of each box.
//!
//! Arrows point down as far as possible. The usual way to assign rows puts all boxes with the same target side by side,
//! which makes diagrams a hundred boxes wide. Here, a row that gets too wide becomes several rows.

use super::Part;

/// Returns the row of every box, from 0 at the top. The ends of an arrow are never in the same row.
pub(super) fn rows(part: &Part) -> Vec<usize> {
    let number = part.boxes.len();
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); number];
    part.arrows.iter().for_each(|arrow| out[arrow.from].push(arrow.to));
    let order = order(&out);

    // Arrows that close a loop are left out; the others go from a later to an earlier position.
    let mut place = vec![0; number];
    order.iter().enumerate().for_each(|(at, node)| place[*node] = at);
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); number];
    let mut below = above.clone();
    for arrow in &part.arrows {
        let (from, to) = (arrow.from, arrow.to);
        let (upper, lower) = if place[from] > place[to] { (from, to) } else { (to, from) };
        above[lower].push(upper);
        below[upper].push(lower);
    }
    // For now, rows are counted from 0 at the bottom.
    let mut rows = vec![0_usize; number];
    for node in &order {
        rows[*node] = below[*node].iter().map(|lower| rows[*lower] + 1).max().unwrap_or(0);
    }
    // A box with more incoming than outgoing arrows is moved closer to the boxes above it.
    for node in order.iter().rev() {
        if above[*node].len() > below[*node].len() {
            rows[*node] = above[*node].iter().map(|upper| rows[*upper]).min().map_or(0, |row| row.saturating_sub(1));
        }
    }
    let has_arrow: Vec<bool> = above.iter().zip(&below).map(|(up, down)| !up.is_empty() || !down.is_empty()).collect();
    let mut rows = fold(part, &below, &has_arrow, &rows);
    let last = rows.iter().copied().max().unwrap_or(0);
    rows.iter_mut().for_each(|row| *row = last - *row);
    wrap(part, rows)
}

/// The space that a box takes in its row and to the next row.
const BESIDE: f64 = 40.0;
const BELOW: f64 = 90.0;

/// The height above which a diagram is wrapped if it is narrow.
const TALL: f64 = 2400.0;

/// The number of legs to try if arrows would get flat.
const TRIES: usize = 4;

/// Wraps a tall and narrow diagram, such as a long chain, into legs next to each other: one leads down, the next one
/// up, and so on. So neighboring rows stay neighbors, but arrows point up in every second leg.
fn wrap(part: &Part, rows: Vec<usize>) -> Vec<usize> {
    let number = rows.iter().max().map_or(0, |last| last + 1);
    let mut sizes = vec![(0.0_f64, 0.0_f64); number];
    for (block, row) in part.boxes.iter().zip(&rows) {
        let (width, height) = &mut sizes[*row];
        *width += block.full_width() + BESIDE;
        *height = height.max(block.height + BELOW);
    }
    let width = sizes.iter().map(|(width, _)| *width).fold(1.0, f64::max);
    let height: f64 = sizes.iter().map(|(_, height)| *height).sum();
    if height < TALL || height < 4.0 * width {
        return rows;
    }
    let legs = (part.shape * height / width).sqrt().max(1.0);
    let leg = (number as f64 / legs).ceil() as usize;
    for leg in (leg..leg + TRIES).filter(|leg| *leg > 0) {
        let wave = |row: usize| (row % (2 * leg)).min(2 * leg - row % (2 * leg));
        if part.arrows.iter().all(|arrow| wave(rows[arrow.from]) != wave(rows[arrow.to])) {
            return rows.into_iter().map(wave).collect();
        }
    }
    rows
}

/// Returns a topological order, dependencies first, as far as loops allow.
fn order(out: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(out.len());
    let mut is_known = vec![false; out.len()];
    for start in 0..out.len() {
        if std::mem::replace(&mut is_known[start], true) {
            continue;
        }
        let mut open = vec![(start, 0)];
        while let Some((node, next)) = open.last_mut() {
            match out[*node].get(*next) {
                Some(target) => {
                    *next += 1;
                    if !std::mem::replace(&mut is_known[*target], true) {
                        open.push((*target, 0));
                    }
                }
                None => {
                    order.push(*node);
                    open.pop();
                }
            }
        }
    }
    order
}

/// Returns the maximum width of a row of these boxes.
pub(super) fn widest(part: &Part, boxes: impl Iterator<Item = usize>) -> f64 {
    let area: f64 = boxes.map(|it| (part.boxes[it].full_width() + 40.0) * (part.boxes[it].height + 70.0)).sum();
    (1.6 * area.sqrt()).max(1100.0)
}

/// Splits rows that are too wide. Boxes without arrows have no row yet, so they don't count.
fn fold(part: &Part, below: &[Vec<usize>], has_arrow: &[bool], rows: &[usize]) -> Vec<usize> {
    let widest = widest(part, (0..rows.len()).filter(|node| has_arrow[*node]));
    let mut by_row: Vec<Vec<usize>> = Vec::new();
    for (node, row) in rows.iter().enumerate().filter(|(node, _)| has_arrow[*node]) {
        by_row.resize_with(by_row.len().max(row + 1), Vec::new);
        by_row[*row].push(node);
    }
    let mut base = 0;
    let mut folded = vec![0; rows.len()];
    for mut nodes in by_row {
        let width: f64 = nodes.iter().map(|node| part.boxes[*node].full_width() + 40.0).sum();
        let parts = ((width / widest).ceil() as usize).max(1);
        // Boxes with the same target are placed above each other.
        nodes.sort_by_key(|node| (below[*node].first().copied(), *node));
        for (at, node) in nodes.iter().enumerate() {
            folded[*node] = base + at % parts;
        }
        base += parts;
    }
    folded
}
