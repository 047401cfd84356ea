//! Finds cycles in a graph and describes them in messages.

use std::collections::VecDeque;

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::{Diagnostic, Rule, Span};

/// The maximum number of loops to report for one group. Further loops would hardly be caused by different mistakes.
const LOOPS: usize = 100;

/// The number of names that are shown at the start and at the end of a long cycle.
const SHOWN: usize = 8;

/// Returns loops in a strongly connected group: the shortest loop through the first node, then the shortest one through
/// the first node that is in no loop yet, and so on. Each loop starts with that node and does not repeat it at the end.
pub fn loops<N>(graph: &DiGraph<N, u32>, direction: Direction, group: &[NodeIndex]) -> Vec<Vec<NodeIndex>> {
    let members: FxHashSet<NodeIndex> = group.iter().copied().collect();
    let mut met: FxHashSet<NodeIndex> = FxHashSet::default();
    let mut loops = Vec::new();
    for first in group {
        if loops.len() < LOOPS && !met.contains(first) {
            let cycle = shortest(graph, direction, &members, *first);
            met.extend(&cycle);
            loops.push(cycle);
        }
    }
    loops
}

/// Returns the shortest path from a node in a group back to itself, found by a breadth-first search.
fn shortest<N>(
    graph: &DiGraph<N, u32>,
    direction: Direction,
    members: &FxHashSet<NodeIndex>,
    first: NodeIndex,
) -> Vec<NodeIndex> {
    let mut came_from: FxHashMap<NodeIndex, NodeIndex> = FxHashMap::default();
    let mut queue = VecDeque::from([first]);
    while let Some(node) = queue.pop_front() {
        // The graph returns the most recently added edge first.
        let mut next: Vec<NodeIndex> = graph.neighbors_directed(node, direction).collect();
        next.reverse();
        if next.contains(&first) {
            let mut cycle: Vec<NodeIndex> =
                std::iter::successors(Some(node), |node| came_from.get(node).copied()).collect();
            cycle.reverse();
            return cycle;
        }
        for next in next.into_iter().filter(|next| members.contains(next)) {
            came_from.entry(next).or_insert_with(|| {
                queue.push_back(next);
                node
            });
        }
    }
    vec![first]
}

/// Returns the names in a loop for a message, with the first one repeated at the end: `` `a` → `b` → `a` ``. The middle
/// of a long loop is omitted.
pub fn describe<'a>(length: usize, name: impl Fn(usize) -> &'a str) -> String {
    let quoted = |index: usize| format!("`{}`", name(index));
    let mut names: Vec<String> = if length <= 2 * SHOWN {
        (0..length).map(quoted).collect()
    } else {
        let left_out = format!("({} more)", length - 2 * SHOWN);
        (0..SHOWN).map(quoted).chain([left_out]).chain((length - SHOWN..length).map(quoted)).collect()
    };
    names.push(quoted(0));
    names.join(" → ")
}

/// Returns the positions at which each node in a loop refers to the next one. `place` converts the weight of an edge
/// and the node that contains the reference to a position.
pub fn places<'a, N: Copy>(
    graph: &'a DiGraph<N, u32>,
    direction: Direction,
    cycle: &'a [NodeIndex],
    place: impl Fn(u32, N) -> Option<Span> + 'a,
) -> impl Iterator<Item = Span> + 'a {
    let next = cycle.iter().skip(1).chain(cycle.first());
    cycle.iter().zip(next).filter_map(move |(node, next)| {
        let (from, to) = match direction {
            Direction::Outgoing => (*node, *next),
            Direction::Incoming => (*next, *node),
        };
        place(graph[graph.find_edge(from, to)?], graph[*node])
    })
}

/// Returns the problem that reports a loop, at the first of the positions that form the loop.
pub fn problem(rule: &'static Rule, message: String, mut places: impl Iterator<Item = Span>) -> Option<Diagnostic> {
    let mut diagnostic = Diagnostic::new(rule, places.next()?, message);
    for place in places.take(SHOWN) {
        diagnostic = diagnostic.with_related(place, "the loop continues here");
    }
    Some(diagnostic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(u32, u32)]) -> DiGraph<(), u32> {
        DiGraph::from_edges(edges.iter().map(|(from, to)| (*from, *to, 0)))
    }

    fn found(edges: &[(u32, u32)], direction: Direction, group: &[u32]) -> Vec<Vec<usize>> {
        let group: Vec<NodeIndex> = group.iter().map(|node| NodeIndex::new(*node as usize)).collect();
        let loops = loops(&graph(edges), direction, &group);
        loops.into_iter().map(|cycle| cycle.into_iter().map(NodeIndex::index).collect()).collect()
    }

    #[test]
    fn every_node_of_a_group_is_in_a_loop() {
        assert_eq!(found(&[(0, 0)], Direction::Outgoing, &[0]), [[0]]);
        let ring = [(0, 1), (1, 2), (2, 0)];
        assert_eq!(found(&ring, Direction::Outgoing, &[0, 1, 2]), [[0, 1, 2]]);
        assert_eq!(found(&ring, Direction::Incoming, &[0, 1, 2]), [[0, 2, 1]]);
        let eight = [(0, 1), (1, 0), (0, 2), (2, 3), (3, 0)];
        assert_eq!(found(&eight, Direction::Outgoing, &[0, 1, 2, 3]), [vec![0, 1], vec![2, 3, 0]]);
    }

    #[test]
    fn paths_that_leave_the_group_are_ignored() {
        assert_eq!(found(&[(0, 2), (0, 1), (1, 0)], Direction::Outgoing, &[0, 1]), [[0, 1]]);
    }

    #[test]
    fn long_chains_are_shortened() {
        let names: Vec<String> = (0..1000).map(|number| format!("n{number}")).collect();
        let text = |length| describe(length, |index| &names[index]);
        assert_eq!(text(1), "`n0` → `n0`");
        assert_eq!(text(2), "`n0` → `n1` → `n0`");
        assert_eq!(text(16).matches('→').count(), 16);
        assert!(text(1000).contains("`n7` → (984 more) → `n992` →"));
        assert!(text(1000).ends_with("`n999` → `n0`"));
    }
}
