//! Selection and arrangement.

use super::*;
use crate::view::View;

/// Returns a graph of `web` on `front`, and `db` on `back`; `web` needs `db` and `disk`; `back` needs `disk`.
fn service() -> Graph {
    let node = |name: &str, kind: &str, ancestor: &str| Node {
        ancestors: vec![ancestor.to_owned()],
        location: Some(Location { file: "a b/service.yaml".to_owned(), line: 7, column: 5 }),
        ..Node::new(name, kind)
    };
    let edge = |from, to, name: &str, kind: &str| {
        let label = Edge::new(from, to, name, kind).label;
        let label = EdgeLabel { ancestors: vec!["my.Root".to_owned()], ..EdgeLabel::clone(&label) };
        Edge { is_hosting: name == "host", ..Edge::labeled(from, to, label) }
    };
    Graph {
        nodes: vec![
            node("web", "my.Web", "my.Software"),
            node("db", "my.Database", "my.Software"),
            node("front", "my.Server", "my.Root"),
            node("back", "my.Server", "my.Root"),
            node("disk", "my.Disk", "my.Root"),
        ],
        edges: vec![
            edge(0, 2, "host", "my.HostedOn"),
            edge(1, 3, "host", "my.HostedOn"),
            edge(0, 1, "data", "my.ConnectsTo"),
            edge(0, 4, "data", "my.ConnectsTo"),
            edge(3, 4, "storage", "my.AttachesTo"),
        ],
        ..Graph::new("service")
    }
}

fn viewed(view: &View) -> Graph {
    view.arranged(view.selected(service()).unwrap())
}

fn names(graph: &Graph) -> Vec<&str> {
    graph.nodes.iter().map(|node| &*node.name).collect()
}

fn only(name: &str) -> Filter {
    Filter { only: vec![name.to_owned()], ..Filter::default() }
}

fn hidden(name: &str) -> Filter {
    Filter { hidden: vec![name.to_owned()], ..Filter::default() }
}

#[test]
fn filters_match_long_names() {
    let long = format!("{}.Base", "org.example.".repeat(8));
    let mut graph = service();
    graph.nodes.push(Node::new("new", &long));
    let view = View { types: only(&long), ..View::default() };
    assert_eq!(names(&view.selected(graph).unwrap()), ["new"]);
}

#[test]
fn filters_match_types_and_their_ancestors() {
    let of = |types| viewed(&View { types, ..View::default() });
    assert_eq!(names(&of(only("Software"))), ["web", "db"]);
    assert_eq!(of(only("Software")).edges.len(), 1);
    assert_eq!(names(&of(hidden("my.S*"))), ["disk"]);
    assert_eq!(names(&of(only("Nothing"))), Vec::<&str>::new());
    let of = |relationships| viewed(&View { relationships, ..View::default() });
    assert_eq!(of(only("HostedOn")).edges.len(), 2);
    assert_eq!(of(hidden("data")).edges.len(), 3);
    assert_eq!(of(hidden("my.Root")).edges.len(), 0);
    assert_eq!(of(hidden("my.Root")).nodes.len(), 5);
}

#[test]
fn focus_keeps_the_nodes_around() {
    let of = |depth| viewed(&View { focus: vec!["front".to_owned()], depth, ..View::default() });
    assert_eq!(names(&of(0)), ["front"]);
    assert_eq!(of(0).nodes[0].notes, ["… 1 more node"]);
    assert_eq!(names(&of(1)), ["web", "front"]);
    assert_eq!(of(1).nodes[0].notes, ["… 2 more nodes"]);
    assert_eq!(names(&of(9)), ["web", "db", "front", "back", "disk"]);
    assert!(of(9).nodes.iter().all(|node| node.notes.is_empty()));
    let unknown = View { focus: vec!["wbe".to_owned()], ..View::default() }.selected(service()).unwrap_err();
    assert_eq!(unknown.to_string(), "the diagram has no node `wbe`");
}

#[test]
fn hosted_nodes_are_drawn_in_their_hosts() {
    let graph = viewed(&View { nest: true, ..View::default() });
    assert_eq!(graph.nodes.iter().map(|node| node.host).collect::<Vec<_>>(), [Some(2), Some(3), None, None, None]);
    assert_eq!(graph.edges.len(), 3);
    let made = scene(&graph);
    let place = |node: usize| match made.nested.frames[node] {
        Some(frame) => made.layout.groups[frame],
        None => made.layout.nodes[node],
    };
    let is_in = |inner: usize, outer: usize| {
        let (inner, outer) = (place(inner), place(outer));
        (inner.x - outer.x).abs() < (outer.width - inner.width) / 2.0
            && (inner.y - outer.y).abs() < (outer.height - inner.height) / 2.0
    };
    assert!(is_in(0, 2) && is_in(1, 3) && !is_in(4, 2) && !is_in(4, 3));
    // The arrow from the server to the disk starts at the border of the server.
    let start = made.layout.edges[2].head.as_ref().unwrap()[0];
    let back = place(3);
    let to_side = ((start.0 - back.x).abs() - back.width / 2.0).abs();
    let to_edge = ((start.1 - back.y).abs() - back.height / 2.0).abs();
    assert!(to_side < 0.1 || to_edge < 0.1, "{start:?} {back:?}");
}

#[test]
fn hosts_that_contain_each_other_keep_an_arrow() {
    let mut graph = service();
    graph.edges.push(Edge { is_hosting: true, ..Edge::new(2, 0, "host", "") });
    graph.edges.push(Edge::new(0, 2, "logs", ""));
    let graph = View { nest: true, ..View::default() }.arranged(graph);
    assert_eq!((graph.nodes[0].host, graph.nodes[2].host), (Some(2), None));
    // Arrows between a node and its host are lines in the box of the node.
    assert_eq!(graph.nodes[0].notes, ["host ← front", "logs → front"]);
    let hosting = View { nest: true, hosting: vec!["AttachesTo".to_owned()], ..View::default() };
    let graph = hosting.arranged(service());
    assert_eq!((graph.nodes[0].host, graph.nodes[3].host), (None, Some(4)));
}

/// Returns a star with edges of the given names and types.
fn star(labels: impl IntoIterator<Item = (String, String)>) -> Graph {
    let mut graph = Graph::new("star");
    graph.nodes.push(Node::new("hub", ""));
    for (name, kind) in labels {
        graph.edges.push(Edge::new(0, graph.nodes.len(), &name, &kind));
        graph.nodes.push(Node::new(&format!("n{}", graph.nodes.len()), ""));
    }
    graph
}

#[test]
fn the_legend_has_the_most_frequent_labels() {
    let of = |number: usize| (format!("r{number}"), format!("T{number}"));
    let labels = (0..20).flat_map(|number| std::iter::repeat_n(of(number), if number >= 13 { 3 } else { 2 }));
    let view = View { legend: true, ..View::default() };
    let graph = view.arranged(star(labels));
    let texts: Vec<String> = graph.legend.iter().map(LegendEntry::text).collect();
    assert_eq!(texts, ["r13: T13", "r14: T14", "r15: T15", "r16: T16", "r17: T17", "r18: T18", "r19: T19"]);
    assert_eq!(graph.edges.iter().filter(|edge| edge.legend.is_none()).count(), 26);
}

#[test]
fn every_label_is_shown_or_has_a_color() {
    let view = View { legend: true, ..View::default() };
    // Two edges that are several relationships each.
    let mut graph = star([("dep".to_owned(), "R".to_owned()), ("dep".to_owned(), "R".to_owned())]);
    graph.edges.iter_mut().for_each(|edge| edge.number = 2);
    assert!(view.arranged(graph).svg().unwrap().contains("dep: R"));
    // With too many other labels, relationship types are colors.
    let shared = std::iter::repeat_n(("dep".to_owned(), "R".to_owned()), 2);
    let graph = view.arranged(star((0..70).map(|number| (format!("r{number}"), "S".to_owned())).chain(shared)));
    let svg = graph.svg().unwrap();
    let entries: Vec<&str> = [">S<", ">R<", ">dep: R<"].into_iter().filter(|text| svg.contains(text)).collect();
    assert_eq!(entries, [">S<", ">R<"]);
}

#[test]
fn shared_labels_are_in_the_legend() {
    let graph = viewed(&View { legend: true, ..View::default() });
    let texts: Vec<String> = graph.legend.iter().map(LegendEntry::text).collect();
    assert_eq!(texts, ["host: my.HostedOn", "data: my.ConnectsTo"]);
    assert_eq!(
        graph.edges.iter().map(|edge| edge.legend).collect::<Vec<_>>(),
        [Some(0), Some(0), Some(1), Some(1), None]
    );
    let svg = graph.svg().unwrap();
    assert_eq!(svg.matches(">host: my.HostedOn</text>").count(), 1);
    assert_eq!(svg.matches(">storage</text>").count(), 1);
    let plain = service().svg().unwrap();
    assert_eq!(plain.matches(">data</text>").count(), 2);
}

#[test]
fn links_are_encoded() {
    let links = Some("https://example.org/{file}#L{line}:{column}".to_owned());
    let graph = viewed(&View { links, ..View::default() });
    assert_eq!(graph.nodes[0].link.as_deref(), Some("https://example.org/a%20b/service.yaml#L7:5"));
    assert!(graph.svg().unwrap().contains("<a href=\"https://example.org/a%20b/service.yaml#L7:5\">"));
    assert!(!service().svg().unwrap().contains("<a "));
}

#[test]
fn directions_turn_the_diagram() {
    let ends = |direction| {
        let graph = viewed(&View { direction: Some(direction), nest: true, ..View::default() });
        let scene = scene(&graph);
        assert_eq!(overlaps(&scene), Vec::<String>::new());
        let (web, disk) = (scene.layout.nodes[0], scene.layout.nodes[4]);
        (disk.x - web.x, disk.y - web.y)
    };
    assert!(ends(Direction::Down).1 > 0.0);
    assert!(ends(Direction::Up).1 < 0.0);
    assert!(ends(Direction::Right).0 > 0.0);
    assert!(ends(Direction::Left).0 < 0.0);
}

#[test]
fn themes_set_the_colors() {
    let of = |theme| viewed(&View { theme, ..View::default() }).svg().unwrap();
    assert!(of(Theme::Auto).contains("prefers-color-scheme:dark"));
    let (light, dark) = (of(Theme::Light), of(Theme::Dark));
    assert!(!light.contains("@media") && !dark.contains("@media"));
    assert!(light.contains(".ground{fill:#f8fafc}") && dark.contains(".ground{fill:#0f172a}"));
}

#[test]
fn long_chains_are_wrapped() {
    let ring = line_of(60, (0..60).map(|index| (index, (index + 1) % 60)));
    let wide = scene(&ring).layout;
    assert!(wide.width <= 1700.0 && wide.height < 1.5 * wide.width, "{} x {}", wide.width, wide.height);
    // A short one is not.
    let short = scene(&line_of(10, (1..10).map(|index| (index - 1, index)))).layout;
    assert!(short.width < 250.0, "{}", short.width);
}

#[test]
fn pairs_fit_a_page() {
    let mut pairs = line_of(120, (0..60).map(|index| (2 * index, 2 * index + 1)));
    pairs.edges.iter_mut().for_each(|edge| edge.is_hosting = true);
    let plain = scene(&pairs).layout;
    let nested = scene(&View { nest: true, ..View::default() }.arranged(pairs)).layout;
    for layout in [plain, nested] {
        assert!(layout.width <= 1600.0 && layout.height < 2500.0, "{} x {}", layout.width, layout.height);
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn any_view_of_any_graph_is_drawn(graph in graphs(), turn in 0_usize..4, hosting in "[A-D]") {
        let direction = Some([Direction::Down, Direction::Up, Direction::Right, Direction::Left][turn]);
        let view = View { nest: true, legend: true, hosting: vec![hosting], direction, ..View::default() };
        let graph = view.arranged(graph);
        let scene = scene(&graph);
        prop_assert_eq!(overlaps(&scene), Vec::<String>::new());
        for layout in scene.layout.nodes.iter().chain(&scene.layout.groups) {
            prop_assert!(layout.x.is_finite() && layout.y.is_finite());
        }
        roxmltree::Document::parse(&graph.svg().unwrap()).unwrap();
        roxmltree::Document::parse(&graph.graphml()).unwrap();
        for text in [graph.dot(), graph.mermaid(), graph.d2(), graph.plantuml(), graph.html().unwrap()] {
            prop_assert!(!text.is_empty());
        }
    }
}

struct Source(Graph);

impl ToGraph for Source {
    fn to_graph(&self, _: Options) -> Graph {
        self.0.clone()
    }
}

#[test]
fn types_have_the_same_color_in_all_views() {
    let mut source =
        star([("a", "A"), ("b", "B"), ("b", "B"), ("c", "B"), ("c", "B")].map(|(a, b)| (a.into(), b.into())));
    source.edges.push(Edge::new(1, 2, "untyped", ""));
    let lines = |view: &View| {
        let svg = Graph::viewed(&Source(source.clone()), Options::default(), view).unwrap().svg().unwrap();
        let classes = svg.split("class=\"line ").skip(1).filter_map(|rest| rest.split_once('"'));
        classes.map(|(class, _)| class.to_owned()).collect::<Vec<String>>()
    };
    assert_eq!(lines(&View::default()), ["s0", "s1", "s1", "s1", "s1", "s7"]);
    let only = Filter { only: vec!["B".to_owned()], ..Filter::default() };
    assert_eq!(lines(&View { relationships: only, ..View::default() }), ["s1"; 4]);
    // Dash patterns distinguish names of the same type, in the diagram and in the legend.
    let with_legend = lines(&View { legend: true, ..View::default() });
    assert_eq!(with_legend, ["s0", "s1", "s1", "s1 d1", "s1 d1", "s7", "s1", "s1 d1"]);
}

#[test]
fn names_have_colors_only_without_types() {
    let colors = |names: &[&str]| {
        let edges: Vec<Edge> = names.iter().map(|name| Edge::new(0, 1, name, "")).collect();
        crate::stroke::kinds(&edges)
    };
    assert_eq!(colors(&["a", "b", "a"]), ["a", "b"]);
    assert_eq!(colors(&["after", "", "after"]), [""; 0]);
    assert_eq!(colors(&["a", "b", "c", "d", "e", "f", "g", "h"]), [""; 0]);
}
