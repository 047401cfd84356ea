//! Properties of diagrams of arbitrary graphs.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::svg::{Scene, scene};
use super::*;

mod view;
mod writers;

/// Generates random nodes, frames and arrows; out-of-range numbers are adjusted to fit.
fn graphs() -> impl Strategy<Value = Graph> {
    let text = "[ -~]{0,40}|\\PC{0,12}";
    let node = (text, text, prop::option::of(0_usize..6), prop::collection::vec((text, text), 0..4), 0_usize..3);
    let edge = (0_usize..1000, 0_usize..1000, text, "[A-D]");
    let nodes = prop::collection::vec(node, 1..25);
    (nodes, prop::collection::vec(prop::option::of(0_usize..6), 0..5), prop::collection::vec(edge, 0..75)).prop_map(
        |(nodes, groups, edges)| {
            let number = nodes.len();
            let frames = groups.len();
            let dangling =
                OpenRequirement { name: "needs".to_owned(), asked: "<it>".to_owned(), is_optional: false, number: 2 };
            Graph {
                title: "a & b".to_owned(),
                nodes: nodes
                    .into_iter()
                    .map(|(name, kind, group, rows, missing)| Node {
                        full_kind: kind.clone(),
                        group: group.filter(|group| *group < frames),
                        dangling: vec![dangling.clone(); missing],
                        name: text::line(&name),
                        kind: text::line(&kind),
                        rows: rows.into_iter().map(|(one, other)| (text::line(&one), text::line(&other))).collect(),
                        ..Node::default()
                    })
                    .collect(),
                groups: groups
                    .into_iter()
                    .enumerate()
                    .map(|(index, parent)| Group {
                        name: format!("frame {index}"),
                        kind: "Frame".to_owned(),
                        full_kind: "Frame".to_owned(),
                        parent: parent.filter(|parent| *parent < index),
                    })
                    .collect(),
                edges: edges
                    .into_iter()
                    .map(|(from, to, name, kind)| {
                        let label =
                            EdgeLabel { name: text::line(&name), full_kind: kind.clone(), kind, ancestors: Vec::new() };
                        Edge::labeled(from % number, to % number, label)
                    })
                    .collect(),
                ..Graph::default()
            }
        },
    )
}

/// Returns boxes and labels that overlap.
fn overlaps(Scene { nested, cards, labels, layout }: &Scene) -> Vec<String> {
    let boxes = layout.nodes.iter().zip(cards).zip(&nested.frames).filter(|(_, frame)| frame.is_none());
    let boxes = boxes.map(|((place, card), _)| (place.x, place.y, card.width, card.height));
    let words = layout.edges.iter().zip(labels).filter_map(|(route, label)| {
        let ((x, y), label) = route.label.zip(label.as_ref())?;
        Some((x, y, label.width, label.height))
    });
    let all: Vec<(f64, f64, f64, f64)> = boxes.chain(words).collect();
    let mut found = Vec::new();
    for (index, one) in all.iter().enumerate() {
        let (left, top) = (one.0 - one.2 / 2.0, one.1 - one.3 / 2.0);
        if !(left >= 0.0 && top >= 0.0 && left + one.2 <= layout.width && top + one.3 <= layout.height) {
            found.push(format!("{one:?} is not in the picture"));
        }
        for other in &all[index + 1..] {
            let (dx, dy) = ((one.0 - other.0).abs(), (one.1 - other.1).abs());
            if dx < f64::midpoint(one.2, other.2) - 0.5 && dy < f64::midpoint(one.3, other.3) - 0.5 {
                found.push(format!("{one:?} and {other:?}"));
            }
        }
    }
    found
}

/// Returns whether a box or frame is directly or indirectly in a frame.
fn is_within(graph: &Graph, of: Option<usize>, frame: usize) -> bool {
    std::iter::successors(of, |inner| graph.groups[*inner].parent).any(|outer| outer == frame)
}

/// Returns boxes and frames that are only partly in a frame, or inside or outside by mistake.
fn misplaced(graph: &Graph, Scene { layout, .. }: &Scene) -> Vec<String> {
    let boxes = layout.nodes.iter().zip(&graph.nodes).map(|(place, node)| (None, place, node.group));
    let frames = layout.groups.iter().zip(&graph.groups).enumerate();
    let all: Vec<_> = boxes.chain(frames.map(|(index, (place, group))| (Some(index), place, group.parent))).collect();
    let mut found = Vec::new();
    for (frame, around) in layout.groups.iter().enumerate() {
        for (own, place, home) in &all {
            // If frames are nested, only the outer one is checked.
            if own.is_some_and(|own| is_within(graph, Some(frame), own)) {
                continue;
            }
            let (dx, dy) = ((place.x - around.x).abs(), (place.y - around.y).abs());
            let is_in = dx < (around.width - place.width) / 2.0 && dy < (around.height - place.height) / 2.0;
            let is_out =
                dx > f64::midpoint(around.width, place.width) || dy > f64::midpoint(around.height, place.height);
            if !(if is_within(graph, *home, frame) { is_in } else { is_out }) {
                found.push(format!("{place:?} and frame {frame}, {around:?}"));
            }
        }
    }
    found
}

/// Returns the points where an arrow crosses a box or the label of another arrow. An arrow is straight between knots
/// that are above each other; other pieces run between rows.
fn crossings(Scene { cards, labels, layout, .. }: &Scene) -> Vec<String> {
    let mut found = Vec::new();
    let words: Vec<(usize, (f64, f64), f64, f64)> = layout
        .edges
        .iter()
        .zip(labels)
        .enumerate()
        .filter_map(|(edge, (route, label))| Some((edge, route.label?, label.as_ref()?.width, label.as_ref()?.height)))
        .collect();
    let boxes =
        layout.nodes.iter().zip(cards).map(|(place, card)| (usize::MAX, (place.x, place.y), card.width, card.height));
    let things: Vec<_> = boxes.chain(words).collect();
    for (edge, route) in layout.edges.iter().enumerate().filter(|(_, route)| !route.is_loop) {
        for pair in route.points.windows(2) {
            let (top, bottom) = (pair[0].1.min(pair[1].1) + 1.0, pair[0].1.max(pair[1].1) - 1.0);
            let (left, right) = (pair[0].0.min(pair[1].0), pair[0].0.max(pair[1].0));
            for (_, (x, y), width, height) in things.iter().filter(|(own, ..)| *own != edge) {
                let beside = x + width / 2.0 <= left || x - width / 2.0 >= right;
                let apart = y + height / 2.0 <= top || y - height / 2.0 >= bottom;
                if !beside && !apart && top < bottom {
                    found.push(format!("{pair:?} goes through what is at {x} {y}"));
                }
            }
        }
    }
    found
}

/// Checks that every string fits its box.
fn texts_fit(svg: &str) {
    let document = roxmltree::Document::parse(svg).unwrap();
    assert!(document.descendants().any(|node| node.has_tag_name("title")));
    for node in document.descendants().filter(|node| node.has_tag_name("path")) {
        assert!(!node.attribute("d").unwrap().contains("NaN") && !node.attribute("d").unwrap().contains("inf"));
    }
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 60, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(32))]

    #[test]
    fn boxes_labels_and_frames_do_not_overlap(graph in graphs()) {
        let scene = scene(&graph);
        prop_assert_eq!(overlaps(&scene), Vec::<String>::new());
        prop_assert_eq!(crossings(&scene), Vec::<String>::new());
        prop_assert_eq!(misplaced(&graph, &scene), Vec::<String>::new());
        let svg = graph.svg().unwrap();
        texts_fit(&svg);
        prop_assert_eq!(&svg, &graph.svg().unwrap());
    }

    #[test]
    fn collapsed_graphs_can_be_drawn(graph in graphs()) {
        for (groups, types) in [(true, false), (false, true), (true, true)] {
            let mut graph = graph.clone();
            if groups {
                collapse::groups(&mut graph, 3);
            }
            if types {
                collapse::types(&mut graph);
            }
            prop_assert!(graph.edges.iter().all(|edge| edge.from < graph.nodes.len() && edge.to < graph.nodes.len()));
            let scene = scene(&graph);
            prop_assert_eq!(overlaps(&scene), Vec::<String>::new());
            texts_fit(&graph.svg().unwrap());
        }
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn any_text_is_escaped(name in "\\PC{0,30}|[ -~]{0,30}|[\\x00-\\x7f]{1,10}") {
        let node = Node { name: text::line(&name), kind: "K".to_owned(), ..Node::default() };
        let shown = node.name.clone();
        let graph = Graph { title: text::line(&name), nodes: vec![node], ..Graph::default() };

        let svg = graph.svg().unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let hint = document.descendants().find(|node| node.has_tag_name("g")).unwrap().first_child().unwrap();
        prop_assert_eq!(hint.text().unwrap_or_default().split(": K").next().unwrap(), shown.split(": K").next().unwrap());

        let dot = graph.dot();
        let line = dot.lines().find(|line| line.starts_with("  n0 [label=<")).unwrap();
        let label = line.strip_prefix("  n0 [label=<").unwrap().strip_suffix(">];").unwrap();
        let document = format!("<label>{label}</label>");
        let document = roxmltree::Document::parse(&document).unwrap();
        let bold = document.descendants().find(|node| node.has_tag_name("b")).unwrap();
        let expected = if shown.is_empty() { "\u{a0}" } else { &*shown };
        prop_assert_eq!(bold.text().unwrap(), expected);

        let mermaid = graph.mermaid();
        let line = mermaid.lines().find(|line| line.starts_with("  n0[\"")).unwrap();
        let label = line.strip_prefix("  n0[\"<b>").unwrap().strip_suffix("</b><br/><i>K</i>\"]").unwrap();
        prop_assert!(!label.contains(['"', '<', '>', '&', '`', '%', '{', '[']), "{}", label);
        prop_assert_eq!(decoded(label), shown);
    }
}

/// Decodes Mermaid's numeric character references.
fn decoded(label: &str) -> String {
    let mut made = String::new();
    let mut rest = label;
    while let Some((before, after)) = rest.split_once('#') {
        made += before;
        let (code, after) = after.split_once(';').unwrap();
        made.push(char::from_u32(code.parse().unwrap()).unwrap());
        rest = after;
    }
    made + rest
}

fn line_of(number: usize, edges: impl Iterator<Item = (usize, usize)>) -> Graph {
    let node = |index: usize| Node { name: format!("node {index}"), ..Node::default() };
    let edge = |(from, to)| Edge::new(from, to, "next", "Next");
    Graph {
        title: "line".to_owned(),
        nodes: (0..number).map(node).collect(),
        edges: edges.map(edge).collect(),
        ..Graph::default()
    }
}

#[test]
fn large_diagrams_are_drawn_or_rejected() {
    // The deepest diagram possible.
    let line = line_of(MAX_BOXES, (1..MAX_BOXES).map(|index| (index - 1, index)));
    assert!(line.svg().is_ok());
    let many = line_of(MAX_BOXES + 1, std::iter::empty());
    assert_eq!(many.svg(), Err(TooLarge { boxes: MAX_BOXES + 1 }));
    assert!(many.dot().contains(&format!("n{MAX_BOXES} ")));
}

#[test]
fn boxes_with_a_common_target_share_several_rows() {
    let star = line_of(101, (1..=100).map(|index| (index, 0)));
    let scene = scene(&star);
    assert!(scene.layout.width < 4.0 * scene.layout.height, "{} x {}", scene.layout.width, scene.layout.height);
}

#[test]
fn a_tree_has_no_crossings() {
    let tree = line_of(60, (1..60).map(|index| (index, (index - 1) / 3)));
    let scene = scene(&tree);
    // If two arrows cross, each is to the left of the other somewhere.
    let knots = |edge: usize| scene.layout.edges[edge].points.iter();
    for one in 0..59 {
        for other in one + 1..59 {
            let at = |edge: usize, y: f64| knots(edge).find(|knot| (knot.1 - y).abs() < 0.1).map(|knot| knot.0);
            let sides = knots(one).filter_map(|knot| Some(knot.0 < at(other, knot.1)?));
            let sides: Vec<bool> = sides.collect();
            assert!(sides.windows(2).all(|pair| pair[0] == pair[1]), "{one} and {other}: {sides:?}");
        }
    }
}

#[test]
fn boxes_in_a_frame_share_several_rows() {
    let mut many = line_of(100, std::iter::empty());
    let group = |parent| Group { name: "frame".to_owned(), kind: "Frame".to_owned(), full_kind: String::new(), parent };
    many.groups = std::iter::once(None).chain((0..25).map(|_| Some(0))).map(group).collect();
    for (index, node) in many.nodes.iter_mut().enumerate() {
        node.group = Some(if index < 50 { 0 } else { 1 + index / 2 - 25 });
    }
    let scene = scene(&many);
    assert_eq!(overlaps(&scene), Vec::<String>::new());
    assert_eq!(misplaced(&many, &scene), Vec::<String>::new());
    let (width, height) = (scene.layout.width, scene.layout.height);
    assert!(width < 2.5 * height && height < 2.5 * width, "{width} x {height}");
}

#[test]
fn too_long_arrows_use_the_ring_layout() {
    // One path leads through all boxes. The other arrows would cross most of the rows.
    let long = line_of(MAX_BOXES, (1..MAX_BOXES).map(|index| (index - 1, index)).chain((0..500).map(|it| (it, 900))));
    let scene = scene(&long);
    assert_eq!(scene.layout.edges.iter().filter(|route| route.points.len() == 4).count(), long.edges.len());
    assert!(scene.layout.width > scene.layout.height / 2.0);
}

#[test]
fn empty_graph_is_drawn() {
    let nothing = line_of(0, std::iter::empty());
    roxmltree::Document::parse(&nothing.svg().unwrap()).unwrap();
    assert_eq!(nothing.mermaid(), "flowchart TB\n");
}

#[test]
fn long_names_keep_their_end() {
    let name = |number| format!("a_server_with_a_very_long_name_that_nobody_has_ever_shortened_number_{number}");
    let shown = text::line(&name(1));
    assert_eq!(shown, "a_server_with_a_very_long_name_that_nobo…r_shortened_number_1");
    assert_eq!(text::line("short"), "short");
    let sentence = text::line(&name(1).replace('_', " "));
    assert_eq!(sentence, "a server with a very long name that nobody has ever shortene…");

    let mut graph = Graph::new("");
    graph.nodes = [1, 2].map(|number| Node::new(&name(number), &sentence)).into();
    let svg = graph.svg().unwrap();
    let boxes: Vec<&str> = svg.lines().filter_map(|line| line.split("class=\"name\"").nth(1)).collect();
    assert!(boxes.len() == 2 && boxes[0].contains("umber_1<") && boxes[1].contains("umber_2<"), "{boxes:?}");
    assert!(svg.contains("…</text>") && !svg.contains("shortene…</text>"), "{svg}");
    texts_fit(&svg);
}

#[test]
fn arrows_are_visible_on_the_heads_of_hosts() {
    let mut graph = Graph::new("");
    graph.nodes = ["web", "server", "client"].map(|name| Node::new(name, "")).into();
    graph.edges = vec![Edge { is_hosting: true, ..Edge::new(0, 1, "host", "") }, Edge::new(2, 0, "peer", "")];
    let svg = crate::view::View { nest: true, ..Default::default() }.arranged(graph).svg().unwrap();
    let at = |text: &str| svg.find(text).unwrap_or_else(|| panic!("{text}: {svg}"));
    assert!(at("class=\"head\" transform") < at("class=\"line"), "{svg}");
    // The name has a ground of its own, and the whole head can be clicked.
    assert!(at("class=\"line") < at("fill-opacity=\"0\"") && at("fill-opacity=\"0\"") < at(">server</text>"), "{svg}");
    let ground = svg[at("fill-opacity=\"0\"")..].find("<rect class=\"head\"").unwrap();
    assert!(at("fill-opacity=\"0\"") + ground < at(">server</text>"), "{svg}");
}
