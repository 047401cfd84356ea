//! Anchors and aliases.

use std::ops::Range;

use foldhash::HashMap;

use super::{Builder, Turn, too_deep, weight};
use crate::ard::document::{Kind, NodeId, Style};
use crate::ard::event::Properties;
use crate::ard::node_store::{NO_KEY, NewNode, flag};
use crate::ard::quote::ticked;
use crate::diagnostic::suggest::Suggestions;
use crate::diagnostic::{Diagnostic, Span};
use crate::rules;

/// The maximum number of anchors that are compared with the names of unknown aliases.
const SUGGESTION_BUDGET: usize = 10_000;

/// The anchors that have been read so far.
pub(super) struct Anchors<'a> {
    declared: Vec<Anchor<'a>>,
    /// The last anchor with each name.
    by_name: HashMap<&'a str, usize>,
    suggestions: Suggestions,
}

#[derive(Clone)]
struct Anchor<'a> {
    name: &'a str,
    place: Range<u32>,
    node: NodeId,
    /// The size of the node, once it is complete.
    extent: Option<Extent>,
}

/// The size that an alias for a node adds to the tree.
#[derive(Clone, Copy)]
struct Extent {
    /// The weight of the node and all nodes in it, with aliases expanded.
    weight: u64,
    /// The nesting depth of maps and lists in the node, with aliases expanded.
    height: u32,
}

/// The target of an alias.
#[derive(Clone, Copy)]
struct Target {
    node: NodeId,
    extent: Extent,
}

impl<'a> Anchors<'a> {
    pub(super) fn new() -> Self {
        Self { declared: Vec::new(), by_name: HashMap::default(), suggestions: Suggestions::new(SUGGESTION_BUDGET) }
    }

    /// Removes all anchors, because they apply to one YAML document.
    pub(super) fn clear(&mut self) {
        self.declared.clear();
        self.by_name.clear();
    }

    /// Registers the anchor of a node, if it has one, and returns its index.
    pub(super) fn declare(&mut self, properties: Option<&Properties<'a>>, node: NodeId) -> Option<usize> {
        let anchor = properties?.anchor.as_ref()?;
        let number = self.declared.len();
        self.declared.push(Anchor { name: anchor.name, place: anchor.place.clone(), node, extent: None });
        self.by_name.insert(anchor.name, number);
        Some(number)
    }

    /// Stores the size of an anchored node when it is complete.
    pub(super) fn complete(&mut self, number: usize, weight: u64, height: u32) {
        if let Some(anchor) = self.declared.get_mut(number) {
            anchor.extent = Some(Extent { weight, height });
        }
    }

    fn find(&self, name: &str) -> Option<Anchor<'a>> {
        self.by_name.get(name).map(|number| self.declared[*number].clone())
    }

    /// Returns the anchor that was probably meant by an alias with the given unknown name.
    fn similar(&self, name: &str) -> Option<&Anchor<'a>> {
        let nearest = self.suggestions.nearest(name, self.declared.iter().rev().map(|anchor| anchor.name))?;
        self.by_name.get(nearest).map(|number| &self.declared[*number])
    }
}

impl Builder<'_> {
    /// Adds a node for an alias: a reference to its target, or null if the alias is rejected.
    pub(super) fn alias(&mut self, name: &str, place: Range<u32>) {
        let (start, end) = (place.start, place.end);
        let target = self.resolve(name, place);
        // Other aliases can also multiply the null that replaces a rejected alias.
        self.weight += target.map_or(weight(""), |target| target.extent.weight);
        let (node, height) = match target {
            Some(Target { node, extent }) => {
                let nodes = &self.document.nodes;
                let is_key = self.turn() == Some(Turn::Key) && !nodes.is_collection(node);
                let key = if is_key { self.keys.number(self.document.node(node).text()) } else { NO_KEY };
                (self.document.nodes.alias_of(node, (start, end), key), extent.height)
            }
            None => {
                let nothing = self.document.unescaped.push("");
                let node = NewNode::scalar(Kind::Null, Style::Plain, (start, end), NO_KEY);
                (node.unescaped(nothing).marked(flag::SUBSTITUTE), 0)
            }
        };
        let node = self.push(node, None);
        self.cursor = end;
        self.child(node, end, height);
    }

    /// Returns the target of an alias; `None` if the alias is rejected.
    fn resolve(&mut self, name: &str, place: Range<u32>) -> Option<Target> {
        let span = self.document.span(place);
        let Some(anchor) = self.anchors.find(name) else {
            let message = format!("the alias {} has no anchor before it", ticked(&format!("*{name}")));
            let mut diagnostic = Diagnostic::new(&rules::UNDEFINED_ALIAS, span, message);
            if let Some(similar) = self.anchors.similar(name) {
                let similar_span = self.document.span(similar.place.clone());
                diagnostic = diagnostic
                    .with_related(similar_span, "a similar anchor")
                    .with_help(format!("did you mean {}?", ticked(&format!("*{}", similar.name))));
            } else {
                diagnostic =
                    diagnostic.with_help("put an anchor (`&name`) before the intended node, further up in this file");
            }
            self.report(diagnostic);
            return None;
        };
        let anchor_span = self.document.span(anchor.place);
        let Some(extent) = anchor.extent else {
            let message = format!("the alias {} is inside the node that it refers to", ticked(&format!("*{name}")));
            self.report(
                Diagnostic::new(&rules::RECURSIVE_ALIAS, span, message)
                    .with_related(anchor_span, "the anchor")
                    .with_help("refer to a node that does not contain the alias"),
            );
            return None;
        };
        if self.frames.len() as u32 + extent.height > self.depth() {
            self.report(too_deep(span, self.depth()).with_related(anchor_span, "the anchor"));
            return None;
        }
        // One is subtracted because the node replaces the alias.
        if !self.charge(extent.weight - 1) {
            self.report_expansion(span);
            return None;
        }
        Some(Target { node: anchor.node, extent })
    }

    /// Counts weight that is added to the tree. If this would exceed the limit, returns false without counting it.
    pub(super) fn charge(&mut self, weight: u64) -> bool {
        let added = self.added.saturating_add(weight);
        let fits = added <= self.options.limits.expansion;
        if fits {
            self.added = added;
        }
        fits
    }

    /// Reports the alias or merge that exceeds the limit, but only the first, because later ones have the same cause.
    pub(super) fn report_expansion(&mut self, span: Span) {
        if !self.expansion_reported {
            self.expansion_reported = true;
            let limit = self.options.limits.expansion;
            let message = format!("aliases and merge keys expand to more than {limit} additional nodes");
            self.diagnostics.push(
                Diagnostic::new(&rules::ALIAS_EXPANSION, span, message)
                    .with_help("write the content out, or refer to smaller anchors"),
            );
        }
    }
}
