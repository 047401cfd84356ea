//! A page with a diagram that can be explored: one HTML file that loads no other files.

use std::fmt::Write;

use super::label::{Line, lines, plain};
use super::{Graph, TooLarge, svg};
use tosca_parse_engine::diagnostic::Severity;
use tosca_parse_engine::diagnostic::render::xml;

pub(super) fn write(graph: &Graph) -> Result<String, TooLarge> {
    // The page is given to others, who don't know the folder.
    let title = graph.title.rsplit(['/', '\\']).next().filter(|name| !name.is_empty());
    let title = xml(title.unwrap_or("Diagram"));
    let mut page = String::new();
    let mut rest: &str = include_str!("page.html");
    for placeholder in ["{title}", "/* style */", "{heading}", "{diagram}", "{data}", "/* script */"] {
        let Some((before, after)) = rest.split_once(placeholder) else { continue };
        page.push_str(before);
        match placeholder {
            "/* style */" => page.push_str(include_str!("page.css")),
            // A diagram of thousands of arrows has many megabytes, so it isn't copied.
            "{diagram}" => svg::write(graph, true, &mut page)?,
            "{data}" => data(graph, &mut page),
            "/* script */" => page.push_str(include_str!("page.js")),
            _ => page.push_str(&title),
        }
        rest = after;
    }
    page.push_str(rest);
    Ok(page)
}

/// Writes the nodes and edges as JSON.
fn data(graph: &Graph, made: &mut String) {
    made.push_str("{\"nodes\":[");
    for (index, node) in graph.nodes.iter().enumerate() {
        made.push_str(if index == 0 { "{" } else { ",{" });
        let _ = write!(made, "\"name\":{},\"type\":{}", json(&node.name), json(&node.full_kind));
        let is_text = |line: &&Line<'_>| !matches!(line, Line::Kind(_) | Line::Mark(_));
        let lines: Vec<String> = lines(node).iter().filter(is_text).map(|line| json(&plain(line))).collect();
        let members = node.members.iter().map(|member| json(member));
        let marks = node.marks.iter().map(|mark| {
            let severity = if mark.severity == Severity::Error { "error" } else { "warning" };
            format!("[{},{}]", json(severity), json(&mark.text))
        });
        for (key, values) in [("lines", lines), ("members", members.collect()), ("problems", marks.collect())] {
            if !values.is_empty() {
                let _ = write!(made, ",\"{key}\":[{}]", values.join(","));
            }
        }
        if let Some(host) = node.host {
            let _ = write!(made, ",\"host\":{host}");
        }
        let group = node.group.map(|group| json(&graph.groups[group].name));
        let location = node.location.as_ref().map(|it| json(&format!("{}:{}:{}", it.file, it.line, it.column)));
        let link = node.link.as_ref().map(|link| json(link));
        for (key, value) in [("group", group), ("location", location), ("link", link)] {
            if let Some(value) = value {
                let _ = write!(made, ",\"{key}\":{value}");
            }
        }
        made.push('}');
    }
    made.push_str("],\"edges\":[");
    for (index, edge) in graph.edges.iter().enumerate() {
        made.push_str(if index == 0 { "[" } else { ",[" });
        let _ = write!(made, "{},{},{},{}]", edge.from, edge.to, json(&edge.title()), json(&edge.label.full_kind));
    }
    made.push_str("]}");
}

/// Writes a JSON string that doesn't end the script element that contains it.
fn json(text: &str) -> String {
    let mut made = "\"".to_owned();
    for character in text.chars() {
        match character {
            '"' | '\\' => made.extend(['\\', character]),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => _ = write!(made, "\\u{:04x}", u32::from(character)),
            control if control.is_control() => _ = write!(made, "\\u{:04x}", u32::from(control)),
            other => made.push(other),
        }
    }
    made.push('"');
    made
}
