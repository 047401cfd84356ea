//! Frames of nodes with others inside.

#![allow(clippy::unwrap_used, clippy::float_cmp)]

use super::layout::Route;
use super::{draw, measure, scene};
use crate::view::View;
use crate::{Edge, Graph, Group, Node};

/// Returns a zone with a server, whose application five clients need.
fn zone() -> Graph {
    let mut graph = Graph::new("");
    let (name, kind) = ("zone".to_owned(), "Zone".to_owned());
    graph.groups.push(Group { name, full_kind: kind.clone(), kind, parent: None });
    graph.nodes = ["web", "server", "a", "b", "c", "d", "e"].map(|name| Node::new(name, "Kind")).into();
    graph.nodes[1].group = Some(0);
    graph.nodes[1].rows = vec![("cores".to_owned(), "4".to_owned()), ("memory".to_owned(), "8 GiB".to_owned())];
    graph.edges = vec![Edge { is_hosting: true, ..Edge::new(0, 1, "host", "") }];
    graph.edges.extend((2..7).map(|client| Edge::new(client, 0, "", "")));
    View { nest: true, ..View::default() }.arranged(graph)
}

#[test]
fn words_are_beside_arrows() {
    let down = |x: f64, top: f64| Route { points: vec![(x, top), (x, top + 100.0)], ..Route::default() };
    let place = |routes: &[Route]| draw::free(routes, &Graph::new(""), (0.0, 200.0), (10.0, 30.0), (0.0, 50.0));
    assert_eq!(place(&[]), 0.0);
    // The closest free place, and the wanted place if there is none.
    assert!((56.0..=60.0).contains(&place(&[down(50.0, 0.0)])));
    assert_eq!(place(&[down(40.0, 0.0), down(90.0, 0.0), down(140.0, 0.0), down(180.0, 0.0)]), 0.0);
    // Arrows above and below the words don't matter.
    assert_eq!(place(&[down(40.0, 40.0), down(40.0, -120.0)]), 0.0);
}

#[test]
fn heads_of_hosts_are_low() {
    let made = scene(&zone());
    let head = made.nested.heads[1].as_ref().unwrap();
    let mut plain = zone().nodes[1].clone();
    plain.host = None;
    assert_eq!((head.rows, head.lines.len()), (1, 2));
    assert!(head.lines[1].left > head.lines[0].left);
    assert!(head.height <= measure::card(&plain).height - 36.0);
    // Lines that don't fit are in several rows.
    plain.rows = (0..8).map(|it| (format!("property {it}"), "value".to_owned())).collect();
    let head = measure::host(&plain);
    assert!(head.rows > 1 && head.rows < 8 && head.lines_width() < 300.0, "{head:?}");
}
