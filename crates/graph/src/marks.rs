//! Problems at nodes.

use foldhash::HashMap;
use rustc_hash::FxHashMap;
use tosca_parse_engine::ard::{Kind, Node};
use tosca_parse_engine::diagnostic::{Diagnostic, SourceId};
use tosca_parse_engine::phase::Units;

use crate::{Graph, Mark, Options, ToGraph, text};

/// A source of diagrams whose nodes show the problems in them, without secrets. Nodes without a location show none.
#[derive(Clone, Copy, Debug)]
pub struct Marked<'a, S> {
    /// The source.
    pub source: &'a S,
    /// The files that declare the nodes.
    pub units: &'a Units,
    /// The problems.
    pub problems: &'a [Diagnostic],
}

impl<S: ToGraph> ToGraph for Marked<'_, S> {
    fn to_graph(&self, options: Options) -> Graph {
        let mut graph = self.source.to_graph(options);
        if !self.problems.is_empty() {
            self.mark(&mut graph);
        }
        graph.masked(&self.units.secrets())
    }
}

impl<S> Marked<'_, S> {
    fn mark(&self, graph: &mut Graph) {
        let spans = self.spans(graph);
        for problem in self.problems {
            let at = problem.span.start;
            let around = spans.get(&problem.span.source).into_iter().flatten();
            let around = around.filter(|(start, end, _)| *start <= at && at <= *end);
            if let Some((.., node)) = around.min_by_key(|(start, end, _)| end - start) {
                let text = text::line(&format!("{} {}", problem.rule.code, problem.message));
                graph.nodes[*node].marks.push(Mark { severity: problem.severity, text });
            }
        }
    }

    /// Returns the start and the end of each node, by source.
    fn spans(&self, graph: &Graph) -> FxHashMap<SourceId, Vec<(u32, u32, usize)>> {
        let locations = graph.nodes.iter().enumerate().filter_map(|(index, node)| {
            let location = node.location.as_ref()?;
            Some(((&*location.file, location.line, location.column), index))
        });
        let locations: HashMap<(&str, u32, u32), usize> = locations.collect();
        let mut spans: FxHashMap<SourceId, Vec<(u32, u32, usize)>> = FxHashMap::default();
        for unit in self.units.list.iter().filter(|unit| unit.implicit.is_none()) {
            let name = unit.source.name();
            for entry in unit.document.nodes().filter(|node| node.kind() == Kind::Map).flat_map(Node::entries) {
                let key = entry.key.span();
                let position = unit.source.line_column(key.start);
                if let Some(node) = locations.get(&(name, position.line, position.column)) {
                    spans.entry(key.source).or_default().push((key.start, entry.value.span().end, *node));
                }
            }
        }
        spans
    }
}
