//! The formats of text.

use super::*;
use crate::view::View;

/// Returns a graph with everything that formats treat specially: nesting, a frame, marks, a link, and a legend.
fn graph() -> Graph {
    let mut graph = Graph::new("a \"title\" & more");
    graph.groups.push(Group { name: "zone".into(), kind: "Zone".into(), full_kind: "my.Zone".into(), parent: None });
    let mark = Mark { severity: Severity::Error, text: "T2001 unknown <type>".to_owned() };
    let server =
        Node { group: Some(0), rows: vec![("size".into(), "${x} \"big\"".into())], ..Node::new("server", "my.Server") };
    graph.nodes = vec![
        Node { marks: vec![mark], directive: Some("select".into()), ..Node::new("web", "my.Web") },
        server,
        Node { link: Some("https://example.org/x".into()), ..Node::new("disk", "my.Disk") },
    ];
    graph.edges = vec![
        Edge { is_hosting: true, ..Edge::new(0, 1, "host", "HostedOn") },
        Edge::new(1, 2, "storage", "AttachesTo"),
        Edge::new(0, 2, "storage", "AttachesTo"),
        Edge::new(2, 0, "notify", ""),
    ];
    View { nest: true, legend: true, direction: Some(Direction::Right), ..View::default() }.arranged(graph)
}

#[test]
fn d2_has_containers_and_a_legend() {
    let text = graph().d2();
    assert!(text.starts_with("direction: right\nvars: {\n  d2-legend: {\n"), "{text}");
    assert!(text.contains("g0: \"zone Zone\" {\n"), "{text}");
    assert!(text.contains("  n1: \"server\\nmy.Server\\nsize: \\${x} \\\"big\\\"\" {\n"), "{text}");
    assert!(text.contains("    n0: \"web\\n(select)\\nmy.Web\\n✖ T2001 unknown <type>\" {\n"), "{text}");
    assert!(text.contains("style: { border-radius: 6; stroke-dash: 5; stroke: \"#dc2626\" }"), "{text}");
    assert!(text.contains("g0.n1 -> n2: { style.stroke: \"#2563eb\" }\n"), "{text}");
    assert!(text.contains("n2 -> g0.n1.n0: \"notify\"\n"), "{text}");
    assert!(text.contains("link: \"https://example.org/x\""), "{text}");
    assert_eq!(
        text.matches('{').count() - text.matches("${").count(),
        text.matches('}').count() - text.matches("${").count()
    );
}

#[test]
fn plantuml_has_containers_and_a_legend() {
    let text = graph().plantuml();
    assert!(text.starts_with("@startuml\ntitle a &#34;title&#34; &#38; more\nleft to right direction\n"), "{text}");
    assert!(text.contains("frame \"<b>zone</b> Zone\" as g0 {\n  rectangle \"<b>server</b>"), "{text}");
    assert!(text.contains(" as n0 #line:dc2626;line.dashed\n"), "{text}");
    assert!(text.contains("as n2 [[https://example.org/x]]\n"), "{text}");
    assert!(text.contains("n1 -[#2563eb]-> n2\n") && text.contains("n2 --> n0 : notify\n"), "{text}");
    assert!(text.contains("legend\n  <color:#2563eb>⟶</color> storage: AttachesTo\nendlegend\n@enduml\n"), "{text}");
    let up = Graph { direction: Direction::Up, ..graph() }.plantuml();
    assert!(!up.contains("left to right") && up.contains("n2 <-[#2563eb]- n1\n"), "{up}");
}

#[test]
fn graphml_has_nested_graphs_and_all_labels() {
    let text = graph().graphml();
    let document = roxmltree::Document::parse(&text).unwrap();
    let node = |id: &str| document.descendants().find(|node| node.attribute("id") == Some(id)).unwrap();
    let data = |id: &str, key: &str| {
        let mut all = node(id).children().filter(|child| child.attribute("key") == Some(key));
        all.next().and_then(|data| data.text()).unwrap_or_default().to_owned()
    };
    assert!(
        node("n0").ancestors().any(|outer| outer == node("n1")) && node("n1").ancestors().any(|it| it == node("g0"))
    );
    assert_eq!((&*data("n0", "node-label"), &*data("n0", "node-type")), ("web", "my.Web"));
    assert_eq!(data("n0", "node-problems"), "T2001 unknown <type>");
    assert_eq!((&*data("e0", "edge-label"), &*data("e0", "edge-type")), ("storage", "AttachesTo"));
    let declared: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("key"))
        .filter_map(|node| node.attribute("id"))
        .collect();
    let used = document.descendants().filter_map(|node| node.attribute("key"));
    assert!(used.into_iter().all(|key| declared.contains(&key)));
}

#[test]
fn dot_and_mermaid_have_containers_and_legends() {
    let dot = graph().dot();
    assert!(dot.contains("rankdir=LR;") && dot.contains("compound=true;"), "{dot}");
    assert!(dot.contains("subgraph cluster_n1 {") && dot.contains("ltail=cluster_n1"), "{dot}");
    assert!(dot.contains("<font color=\"#2563eb\">⟶</font>") && dot.contains("color=\"#dc2626\""), "{dot}");
    let mermaid = graph().mermaid();
    assert!(mermaid.starts_with("flowchart LR\n") && mermaid.contains("subgraph n1[\"<b>server</b>"), "{mermaid}");
    assert!(mermaid.contains("linkStyle 0,1 stroke:#2563eb") && mermaid.contains("class n0 error"), "{mermaid}");
}

#[test]
fn pages_contain_all_details() {
    let page = graph().html().unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("default-src 'none'"));
    for outside in ["src=\"", "@import", "url(", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("data-node=\"0\" tabindex=\"0\" role=\"button\""));
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    assert!(data.contains(r#""name":"web","type":"my.Web","#) && data.contains(r#""host":1"#), "{data}");
    assert!(data.contains(r#"["error","T2001 unknown \u003ctype\u003e"]"#), "{data}");
    // Text that looks like a placeholder or an end tag stays text.
    let mut hostile = graph();
    hostile.nodes[0].name = "{data}</script>/* script */".to_owned();
    let page = hostile.html().unwrap();
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(page.matches("'use strict';").count(), 1);
}

#[test]
fn containers_of_dot_have_links_and_outlines() {
    let mut graph = graph();
    graph.nodes[1].directive = Some("select".into());
    graph.nodes[1].link = Some("https://example.org/?q=a, b".into());
    let text = graph.dot();
    assert!(
        text.contains("style=\"rounded,dashed\"; color=\"#94a3b8\"; URL=\"https://example.org/?q=a, b\";"),
        "{text}"
    );
}
