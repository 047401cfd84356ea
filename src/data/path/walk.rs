//! Traversal of paths from a node or relationship to others.

use super::graph::{Fault, Found, Graph, HereIn, Step, start};
use super::place::PathContext;
use super::simple::ways;

/// The target of a path.
pub(crate) struct Led<H> {
    /// The places, nearest first, with the number of steps that lead to each. The first that has the member is used.
    pub(crate) places: Vec<(H, usize)>,
    /// Whether the path leads to several places, so that the result is a list.
    pub(crate) is_all: bool,
}

/// Follows the steps of a path; `None` if their target is unknown.
pub(crate) fn lead<'t, G: Graph<'t>>(graph: &mut G, steps: &[G::Step]) -> Result<Option<Led<HereIn<'t, G>>>, G::Error> {
    match steps.first() {
        None => Ok(None),
        Some(head) if graph.is_simple(*head) => Ok(ways(graph, steps, false)?.map(|ways| {
            let places = ways.all.into_iter().map(|way| (way.here, way.taken)).collect();
            Led { places, is_all: false }
        })),
        Some(head) => {
            let mut walk = PathCursor { graph, steps, taken: 1, is_all: false };
            let led = walk.follow(*head)?;
            Ok(led.map(|here| Led { places: vec![(here, walk.taken)], is_all: walk.is_all }))
        }
    }
}

/// An index, as far as it is known.
#[derive(Clone, Copy)]
enum Index {
    /// No index, which means the first.
    First,
    /// A number.
    Number(usize),
    /// A computed index, or `ALL`.
    Unknown,
}

/// Whether a path continues from a capability to the relationships that target it.
#[derive(Clone, Copy)]
enum Incoming {
    None,
    At(Index),
}

/// The state of following a path of 2.0 (2.0, 10.3).
struct PathCursor<'g, 's, 't, G: Graph<'t>> {
    graph: &'g mut G,
    steps: &'s [G::Step],
    taken: usize,
    is_all: bool,
}

impl<'t, G: Graph<'t>> PathCursor<'_, '_, 't, G> {
    fn follow(&mut self, head: G::Step) -> Result<Option<HereIn<'t, G>>, G::Error> {
        let Some(mut here) = start(self.graph, head)? else { return Ok(None) };
        if let (PathContext::Node(node), false) = (here, matches!(self.graph.read(head), Step::Name("SELF"))) {
            match self.index()? {
                None => return Ok(None),
                Some(Index::Number(number)) => match self.graph.count(node) {
                    Some(count) if number as u64 >= count => return Err(self.only(count, "node")),
                    _ => {}
                },
                Some(Index::First | Index::Unknown) => {}
            }
        }
        while let Some((step, keyword)) = self.keyword() {
            self.taken += 1;
            match self.step(here, step, keyword)? {
                Some(next) => here = next,
                None => return Ok(None),
            }
        }
        Ok(Some(here))
    }

    /// Returns the next step, if it is a keyword of paths.
    fn keyword(&self) -> Option<(G::Step, &'t str)> {
        let step = *self.steps.get(self.taken)?;
        // The last argument is the name of the member, even if it looks like a keyword.
        let Step::Name(name) = self.graph.read(step) else { return None };
        let is_keyword = matches!(name, "RELATIONSHIP" | "CAPABILITY" | "SOURCE" | "TARGET");
        (is_keyword && self.taken + 1 < self.steps.len()).then_some((step, name))
    }

    /// Takes an index, if there is one; `None` if it is unknown whether there is one.
    fn index(&mut self) -> Result<Option<Index>, G::Error> {
        let Some(step) = self.steps.get(self.taken).copied() else { return Ok(Some(Index::First)) };
        let index = match self.graph.read(step) {
            // The last argument is the name of the member and may be computed too.
            Step::Call if self.taken + 1 < self.steps.len() => match self.graph.is_index(step) {
                None => return Ok(None),
                Some(false) => return Ok(Some(Index::First)),
                Some(true) => Index::Unknown,
            },
            Step::Name("ALL") => {
                self.is_all = true;
                Index::Unknown
            }
            Step::Index(Some(index)) => Index::Number(index),
            Step::Index(None) => return Err(self.graph.lost(step, Fault::NotAnIndex)),
            Step::Name(_) | Step::Call | Step::Other => return Ok(Some(Index::First)),
        };
        self.taken += 1;
        Ok(Some(index))
    }

    /// Returns the error for the index that has just been taken, which is out of range.
    fn only(&self, count: u64, what: &'static str) -> G::Error {
        self.graph.lost(self.steps[self.taken - 1], Fault::Only(count, what))
    }

    /// Takes a step; `None` if its target is unknown.
    fn step(&mut self, here: HereIn<'t, G>, step: G::Step, keyword: &str) -> Result<Option<HereIn<'t, G>>, G::Error> {
        let node = |node: Option<G::Node>| Some(node.map_or(PathContext::Unknown, PathContext::Node));
        Ok(match (here, keyword) {
            (PathContext::Node(node), "RELATIONSHIP") => self.relationship(node)?,
            (PathContext::Node(node), "CAPABILITY") => self.capability(node)?,
            (PathContext::Relationship(relationship), "SOURCE") => node(self.graph.source(relationship)),
            (PathContext::Relationship(relationship), "TARGET") => node(self.graph.target(relationship)),
            (PathContext::Relationship(relationship), "CAPABILITY") => {
                let incoming = self.incoming()?;
                let capability = self.graph.target_capability(relationship);
                self.at_capability(self.graph.target(relationship), capability, incoming)?
            }
            (PathContext::Unknown, "RELATIONSHIP" | "CAPABILITY") => {
                // Whether a name follows depends on the kind of place.
                if self.taken + 1 < self.steps.len() {
                    self.taken += 1;
                }
                self.index()?.map(|_| PathContext::Unknown)
            }
            (PathContext::Unknown | PathContext::Nowhere, _) => Some(PathContext::Unknown),
            (PathContext::Node(_), _) => return Err(self.graph.lost(step, Fault::Astray("a node"))),
            (PathContext::Relationship(_), _) => return Err(self.graph.lost(step, Fault::Astray("a relationship"))),
            (PathContext::Capability(_), _) => return Err(self.graph.lost(step, Fault::Astray("a capability"))),
        })
    }

    /// Takes a name; `None` if it is computed, or if there is none.
    fn name(&mut self) -> Result<Option<(G::Step, &'t str)>, G::Error> {
        let Some(step) = self.steps.get(self.taken).copied() else { return Ok(None) };
        self.taken += 1;
        match self.graph.read(step) {
            Step::Name(name) => Ok(Some((step, name))),
            Step::Call => Ok(None),
            Step::Index(_) | Step::Other => Err(self.graph.lost(step, Fault::NotAName)),
        }
    }

    fn relationship(&mut self, node: G::Node) -> Result<Option<HereIn<'t, G>>, G::Error> {
        let Some((step, name)) = self.name()? else { return Ok(None) };
        let Some(index) = self.index()? else { return Ok(None) };
        let number = match index {
            Index::First => Some(0),
            Index::Number(number) => Some(number),
            Index::Unknown => None,
        };
        match (self.graph.relationship(node, name, number), index) {
            (Found::Is(relationship), _) => Ok(Some(PathContext::Relationship(relationship))),
            (Found::Missing, _) => Err(self.graph.lost(step, Fault::NoRequirement(node))),
            (Found::Only(count), Index::Number(_)) => Err(self.only(count, "relationship")),
            (Found::Only(_) | Found::Unknown, _) => Ok(Some(PathContext::Unknown)),
        }
    }

    fn capability(&mut self, node: G::Node) -> Result<Option<HereIn<'t, G>>, G::Error> {
        let Some((step, name)) = self.name()? else { return Ok(None) };
        let capability = match self.graph.capability(node, name) {
            Found::Is(capability) => Some(capability),
            Found::Missing => return Err(self.graph.lost(step, Fault::NoCapability(node))),
            Found::Only(_) | Found::Unknown => None,
        };
        let incoming = self.incoming()?;
        self.at_capability(Some(node), capability, incoming)
    }

    /// Takes `RELATIONSHIP` and an index after a capability: the relationships that target it. `None` if the number of
    /// steps is unknown.
    fn incoming(&mut self) -> Result<Option<Incoming>, G::Error> {
        if self.keyword().is_none_or(|(_, keyword)| keyword != "RELATIONSHIP") {
            return Ok(Some(Incoming::None));
        }
        self.taken += 1;
        Ok(self.index()?.map(Incoming::At))
    }

    /// Continues at a capability, or at a relationship that targets it.
    fn at_capability(
        &self,
        target: Option<G::Node>,
        capability: Option<G::Capability>,
        incoming: Option<Incoming>,
    ) -> Result<Option<HereIn<'t, G>>, G::Error> {
        let index = match incoming {
            None => return Ok(None),
            Some(Incoming::None) => return Ok(Some(capability.map_or(PathContext::Unknown, PathContext::Capability))),
            Some(Incoming::At(index)) => index,
        };
        let number = match index {
            Index::First => Some(0),
            Index::Number(number) => Some(number),
            Index::Unknown => None,
        };
        match (target.map(|target| self.graph.incoming(target, capability, number)), index) {
            (Some(Found::Is(relationship)), _) => Ok(Some(PathContext::Relationship(relationship))),
            (Some(Found::Only(count)), Index::Number(_)) => Err(self.only(count, "relationship")),
            _ => Ok(Some(PathContext::Unknown)),
        }
    }
}
