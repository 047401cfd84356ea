//! In which row a box is.
//!
//! Arrows point down, as far as they can. The usual way to find rows puts everything that needs the same thing side by
//! side, which makes pictures that are a hundred boxes wide. Here a row that gets too wide becomes several.

use super::measure::Card;

/// What is laid out together: boxes by their numbers, and arrows between them.
pub(super) struct Part<'a> {
    pub(super) cards: Vec<&'a Card>,
    /// From and to; none of them to itself.
    pub(super) arrows: Vec<(usize, usize)>,
}

/// The row of every box, from 0 at the bottom. The ends of an arrow are never in the same row.
pub(super) fn rows(part: &Part) -> Vec<usize> {
    let number = part.cards.len();
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); number];
    part.arrows.iter().for_each(|(from, to)| out[*from].push(*to));
    let order = order(&out);

    // Without arrows that close a loop; what is left goes from a later to an earlier place.
    let mut place = vec![0; number];
    order.iter().enumerate().for_each(|(at, node)| place[*node] = at);
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); number];
    let mut below = above.clone();
    for (from, to) in &part.arrows {
        let (upper, lower) = if place[*from] > place[*to] { (*from, *to) } else { (*to, *from) };
        above[lower].push(upper);
        below[upper].push(lower);
    }
    let mut rows = vec![0_usize; number];
    for node in &order {
        rows[*node] = below[*node].iter().map(|lower| rows[*lower] + 1).max().unwrap_or(0);
    }
    // What is used more than it uses is nearer to those above.
    for node in order.iter().rev() {
        if above[*node].len() > below[*node].len() {
            rows[*node] = above[*node].iter().map(|upper| rows[*upper]).min().map_or(0, |row| row.saturating_sub(1));
        }
    }
    fold(part, &below, &rows)
}

/// An order in which everything comes after what it needs, as far as that is possible.
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

/// Makes several rows of those that are too wide.
fn fold(part: &Part, below: &[Vec<usize>], rows: &[usize]) -> Vec<usize> {
    let area: f64 = part.cards.iter().map(|card| (card.width + 40.0) * (card.height + 70.0)).sum();
    let widest = (1.6 * area.sqrt()).max(1100.0);
    let last = rows.iter().copied().max().unwrap_or(0);
    let mut base = 0;
    let mut folded = vec![0; rows.len()];
    for row in 0..=last {
        let mut nodes: Vec<usize> = (0..rows.len()).filter(|node| rows[*node] == row).collect();
        let width: f64 = nodes.iter().map(|node| part.cards[*node].width + 40.0).sum();
        let parts = ((width / widest).ceil() as usize).max(1);
        // What needs the same is above each other then.
        nodes.sort_by_key(|node| (below[*node].first().copied(), *node));
        for (at, node) in nodes.iter().enumerate() {
            folded[*node] = base + at % parts;
        }
        base += parts;
    }
    folded
}
