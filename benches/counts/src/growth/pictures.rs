//! Services drawn as diagrams.

use std::fmt::Write as _;

use tosca_parse::graph::{Graph, Options};
use tosca_parse::normal::Service;

use super::templates::{HEAD, parse};
use super::{Comparison, lines};

/// The requirements of a box, as indexes: given the number of boxes and the index of this one.
type Arrows = fn(usize, usize) -> Vec<usize>;

/// Shapes by name, each with the number of boxes in the smaller diagram, and the number of boxes per frame.
const SHAPES: &[(&str, usize, usize, Arrows)] = &[
    ("all in a line", 50, 0, |_, i| i.checked_sub(1).into_iter().collect()),
    ("all in a ring", 50, 0, |n, i| vec![(i + 1) % n]),
    ("one that all need", 50, 0, |_, i| if i > 0 { vec![0] } else { Vec::new() }),
    ("one that needs all", 50, 0, |n, i| if i == 0 { (1..n).collect() } else { Vec::new() }),
    ("a tree", 50, 0, |_, i| i.checked_sub(1).map(|it| it / 3).into_iter().collect()),
    ("any others", 50, 0, |n, i| vec![(i * 7919 + 13) % n]),
    ("two long ways", 50, 0, |n, i| vec![(i + 1).min(n - 1), (i + n / 3).min(n - 1)]),
    ("everything by everything", 20, 0, |n, i| (0..n / 2).map(|it| n / 2 + it).filter(|_| i < n / 2).collect()),
    ("a frame", 50, usize::MAX, |_, _| Vec::new()),
    ("small frames", 50, 4, |_, _| Vec::new()),
    ("small frames with arrows between them", 50, 4, |n, i| vec![(i * 7919 + 13) % n]),
];

fn template(n: usize, in_frame: usize, arrows: Arrows) -> String {
    let nodes = lines(n, |i| {
        let targets = arrows(n, i).into_iter().filter(|target| *target != i);
        let needs: Vec<String> = targets.map(|target| format!("r: n{target:06}")).collect();
        format!("    n{i:06}: {{ type: A, requirements: [ {} ] }}", needs.join(", "))
    });
    let mut text = format!(
        "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\ngroup_types: {{ G: {{}} }}\n\
         node_types: {{ A: {{ capabilities: {{ c: C }}, requirements: [ r: {{ capability: C, relationship: R, count_range: [ 0, UNBOUNDED ] }} ] }} }}\n\
         service_template:\n  node_templates:\n{nodes}"
    );
    if in_frame > 0 {
        text.push_str("  groups:\n");
        for (index, first) in (0..n).step_by(in_frame.min(n)).enumerate() {
            let members: Vec<String> = (first..n).take(in_frame).map(|i| format!("n{i:06}")).collect();
            writeln!(text, "    g{index}: {{ type: G, members: [ {} ] }}", members.join(", "))
                .expect("writing to a string does not fail");
        }
    }
    text
}

fn graph(text: &str) -> Graph {
    let outcome = parse(text);
    assert!(outcome.is_valid(), "{:?}", outcome.diagnostics.first());
    Graph::of(&Service::of(&outcome.program).expect("the service is valid"), Options::default())
}

/// Returns a template with a row of groups, each of which contains the next one and the same node.
fn groups_in_groups(n: usize) -> String {
    let groups = lines(n, |i| {
        let inner = (i + 1 < n).then(|| format!(", g{}", i + 1)).unwrap_or_default();
        format!("    g{i}: {{ type: G, members: [ node{inner} ] }}")
    });
    format!(
        "{HEAD}group_types: {{ G: {{}} }}\nnode_types: {{ A: {{}} }}\n\
         service_template:\n  node_templates:\n    node: {{ type: A }}\n  groups:\n{groups}"
    )
}

pub(super) fn comparisons() -> impl Iterator<Item = Comparison> {
    let nested = Comparison::growth("groups in groups that are drawn", 1000, |n| {
        let graph = graph(&groups_in_groups(n));
        // Only the outer groups have frames.
        assert_eq!((graph.boxes(), graph.groups.len()), (1, 3));
        0
    });
    std::iter::once(nested).chain(SHAPES.iter().map(|(name, n, in_frame, arrows)| {
        let work = move |n| {
            let graph = graph(&template(n, *in_frame, *arrows));
            assert_eq!(graph.boxes(), n, "{name}");
            graph.svg().expect("the service is small enough");
            0
        };
        // Four times as many arrows cross up to ten times as many others.
        Comparison { most: 10.0, ..Comparison::growth(name, *n, work) }
    }))
}
