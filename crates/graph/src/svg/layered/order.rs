//! The order in every row.
//!
//! It starts with the order in which a traversal along the arrows visits the items. Then, row by row, every item moves
//! to the middle of its neighbors in the row above, then to the middle of those in the row below, back and forth.
//! Neighbors in a row swap if that saves crossings. The order with the fewest crossings is kept.

use super::arrange::{Pull, arranged};
use super::grid::Grid;
use super::{crossings, swap};

/// The maximum number of sweeps without improvement, and in total.
const PATIENCE: usize = 6;
const MAX: usize = 40;

/// The approximate number of items to visit in total: large diagrams get fewer sweeps.
const WORK: usize = 1_500_000;

/// The order in every row and the position of every item in its row.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    pub(super) rows: Vec<Vec<usize>>,
    pub(super) at: Vec<usize>,
}

impl Order {
    fn new(grid: &Grid) -> Self {
        let mut order = Self { rows: vec![Vec::new(); grid.rows.len()], at: vec![0; grid.items.len()] };
        for (number, row) in grid.rows.iter().enumerate() {
            order.set(number, row.clone());
        }
        order
    }

    fn set(&mut self, number: usize, row: Vec<usize>) {
        for (at, item) in row.iter().enumerate() {
            self.at[*item] = at;
        }
        self.rows[number] = row;
    }
}

/// The way in which a traversal along arrows finds the first order.
#[derive(Clone, Copy, Debug)]
struct Walk {
    is_down: bool,
    is_up: bool,
    /// Whether items further to the right are visited first.
    is_mirrored: bool,
}

const DOWN: Walk = Walk { is_down: true, is_up: false, is_mirrored: false };
const UP: Walk = Walk { is_down: false, is_up: true, is_mirrored: false };
const BOTH: Walk = Walk { is_down: true, is_up: true, is_mirrored: false };

/// The traversals to try. None is the best for every diagram, so all are tried if that takes little time.
const WALKS: [Walk; 6] = [
    DOWN,
    UP,
    BOTH,
    Walk { is_mirrored: true, ..DOWN },
    Walk { is_mirrored: true, ..UP },
    Walk { is_mirrored: true, ..BOTH },
];

/// Finds an order in which few arrows cross.
pub(super) fn order(grid: &Grid) -> Order {
    let passes = WORK / (grid.segments.len() + grid.items.len()).max(1);
    let walks = if passes > MAX * WALKS.len() { &WALKS } else { &WALKS[..3] };
    let most = (passes / walks.len()).clamp(4, MAX);
    let mut best: Option<(u64, Order)> = None;
    for walk in walks {
        let (number, order) = improved(grid, first(grid, *walk), most);
        if best.as_ref().is_none_or(|(fewest, _)| number < *fewest) {
            best = Some((number, order));
        }
        if number == 0 {
            break;
        }
    }
    best.map(|(_, order)| order).unwrap_or_default()
}

/// Improves an order in at most `most` sweeps. Returns it with its number of crossings.
fn improved(grid: &Grid, mut order: Order, most: usize) -> (u64, Order) {
    let mut best = order.clone();
    let mut fewest = crossings::count(grid, &order);
    let mut waited = 0;
    for pass in 0..most {
        if waited == PATIENCE || fewest == 0 {
            break;
        }
        waited += 1;
        sweep(grid, &mut order, pass % 2 == 0, pass % 4 >= 2);
        let mut swapped = order.clone();
        swap::swap(grid, &mut swapped);
        let number = crossings::count(grid, &swapped);
        if number < fewest {
            (fewest, best, waited) = (number, swapped, 0);
        }
    }
    (fewest, best)
}

/// Returns the order in which a traversal along the arrows visits the items.
fn first(grid: &Grid, walk: Walk) -> Order {
    let mut order = Order::new(grid);
    let mut met = vec![usize::MAX; grid.items.len()];
    let mut next = 0;
    let mut starts: Vec<usize> = grid.rows.iter().flatten().copied().collect();
    starts.retain(|item| !grid.items[*item].is.is_side());
    let row = |item: &usize| grid.items[*item].row;
    starts.sort_by_key(|item| if walk.is_down { row(item) } else { grid.rows.len() - row(item) });
    if walk.is_mirrored {
        starts.chunk_by_mut(|one, other| row(one) == row(other)).for_each(<[usize]>::reverse);
    }
    for start in starts {
        let mut open = vec![start];
        while let Some(item) = open.pop() {
            if met[item] != usize::MAX {
                continue;
            }
            met[item] = next;
            next += 1;
            let begin = open.len();
            if walk.is_up {
                open.extend(grid.up[item].iter().map(|segment| grid.segments[*segment].upper));
            }
            if walk.is_down {
                open.extend(grid.down[item].iter().map(|segment| grid.segments[*segment].lower));
            }
            // A stack: the last item is visited first.
            if !walk.is_mirrored {
                open[begin..].reverse();
            }
        }
    }
    let place = |item: usize| Pull { to: met[item] as f64, weight: 1.0 };
    let pull = |item: usize| if grid.items[item].is.is_side() { Pull { to: 0.0, weight: 0.0 } } else { place(item) };
    let ranks = ranks(grid, &pull);
    for number in 0..grid.rows.len() {
        let pulls: Vec<Pull> = order.rows[number].iter().map(|item| pull(*item)).collect();
        let row = arranged(grid, &order.rows[number], &pulls, &ranks, false);
        order.set(number, row);
    }
    order
}

/// Returns the order of frames, by the pulls of their content.
fn ranks(grid: &Grid, pull: &impl Fn(usize) -> Pull) -> Vec<usize> {
    let mut sums = vec![Pull { to: 0.0, weight: 0.0 }; grid.frames.len()];
    if sums.is_empty() {
        return Vec::new();
    }
    for row in &grid.rows {
        let mut around = Vec::new();
        for item in row {
            match grid.items[*item].is {
                super::grid::Is::Left(frame) => around.push(frame),
                super::grid::Is::Right(_) => _ = around.pop(),
                _ => {
                    let Pull { to, weight } = pull(*item);
                    for frame in &around {
                        sums[*frame].to += to * weight;
                        sums[*frame].weight += weight;
                    }
                }
            }
        }
    }
    let mut frames: Vec<usize> = (0..sums.len()).collect();
    let middle = |frame: usize| sums[frame].to / sums[frame].weight.max(1.0);
    frames.sort_by(|one, other| middle(*one).total_cmp(&middle(*other)));
    let mut ranks = vec![0; frames.len()];
    frames.into_iter().enumerate().for_each(|(rank, frame)| ranks[frame] = rank);
    ranks
}

/// Sweeps over all rows, down or up.
fn sweep(grid: &Grid, order: &mut Order, is_down: bool, is_reversed: bool) {
    let part_of = |item: usize, order: &Order| {
        let row = grid.items[item].row;
        (order.at[item] as f64 + 0.5) / order.rows[row].len() as f64
    };
    // Frames move halfway to the items that are connected with their content.
    let ranks = ranks(grid, &|item| {
        let ends = grid.up[item].iter().map(|it| grid.segments[*it].upper);
        let ends = ends.chain(grid.down[item].iter().map(|it| grid.segments[*it].lower));
        let (sum, number) = ends.fold((0.0, 0.0), |(sum, number), it| (sum + part_of(it, order), number + 1.0));
        let own = part_of(item, order);
        Pull { to: if number > 0.0 { f64::midpoint(own, sum / number) } else { own }, weight: 1.0 }
    });
    let last = order.rows.len().saturating_sub(1);
    for step in 0..last {
        let (fixed, number) = if is_down { (step, step + 1) } else { (last - step, last - step - 1) };
        let scale = order.rows[fixed].len() as f64 / order.rows[number].len().max(1) as f64;
        let pull = |item: &usize| {
            let segments = if is_down { &grid.up[*item] } else { &grid.down[*item] };
            let sum: usize = segments
                .iter()
                .map(|it| {
                    let segment = grid.segments[*it];
                    order.at[if is_down { segment.upper } else { segment.lower }]
                })
                .sum();
            if segments.is_empty() {
                // Nothing pulls at it, so it stays about where it is.
                let weight = if grid.items[*item].is.is_side() { 0.0 } else { 0.01 };
                return Pull { to: order.at[*item] as f64 * scale, weight };
            }
            Pull { to: sum as f64 / segments.len() as f64, weight: segments.len() as f64 }
        };
        let pulls: Vec<Pull> = order.rows[number].iter().map(pull).collect();
        let row = arranged(grid, &order.rows[number], &pulls, &ranks, is_reversed);
        order.set(number, row);
    }
}
