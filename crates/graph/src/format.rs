//! The formats of diagrams.

use std::str::FromStr;

use crate::{Graph, TooLarge};

/// A format of diagrams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// An SVG image.
    #[default]
    Svg,
    /// An HTML page with zoom, search, and the details of nodes.
    Html,
    /// The language of Graphviz.
    Dot,
    /// A Mermaid flowchart.
    Mermaid,
    /// A D2 diagram.
    D2,
    /// A `PlantUML` deployment diagram.
    PlantUml,
    /// `GraphML`.
    GraphMl,
}

impl Format {
    /// The formats with their names.
    pub const NAMES: &'static [(&'static str, Self)] = &[
        ("svg", Self::Svg),
        ("html", Self::Html),
        ("dot", Self::Dot),
        ("mermaid", Self::Mermaid),
        ("d2", Self::D2),
        ("plantuml", Self::PlantUml),
        ("graphml", Self::GraphMl),
    ];
}

/// The error for the name of a format that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no format `{0}`: use {names}", names = names())]
pub struct UnknownFormat(pub String);

fn names() -> String {
    let names: Vec<String> = Format::NAMES.iter().map(|(name, _)| format!("`{name}`")).collect();
    match &names[..] {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        _ => names.concat(),
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, format)| *format).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

impl Graph {
    /// Writes the graph in a format.
    ///
    /// # Errors
    ///
    /// Returns an error if the graph is laid out here and has too many boxes: see [`svg`](Self::svg).
    pub fn written(&self, format: Format) -> Result<String, TooLarge> {
        match format {
            Format::Svg => self.svg(),
            Format::Html => self.html(),
            Format::Dot => Ok(self.dot()),
            Format::Mermaid => Ok(self.mermaid()),
            Format::D2 => Ok(self.d2()),
            Format::PlantUml => Ok(self.plantuml()),
            Format::GraphMl => Ok(self.graphml()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_names() {
        let graph = Graph::new("g");
        let starts = ["<svg", "<!doctype html>", "digraph", "flowchart", "", "@startuml", "<?xml"];
        for ((name, format), start) in Format::NAMES.iter().zip(starts) {
            assert_eq!(name.parse(), Ok(*format));
            assert!(graph.written(*format).is_ok_and(|text| text.contains(start)), "{name}");
        }
        let error = "png".parse::<Format>().map_err(|error| error.to_string());
        let expected = "there is no format `png`: use `svg`, `html`, `dot`, `mermaid`, `d2`, `plantuml` or `graphml`";
        assert_eq!(error, Err(expected.to_owned()));
    }
}
