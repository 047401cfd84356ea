//! The result: the relationships that fulfill the open requirements.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::entity::Id;
use crate::grammar::definition::CapabilityDefinition;
use crate::grammar::template::{NodeTemplate, RequirementAssignment};
use crate::symbol::Symbol;

/// The result for the requirements that a service template leaves open.
#[derive(Clone, Debug, Default)]
pub struct Resolution {
    /// The new relationships, in the order of the node templates and their requirements.
    pub connections: Vec<Connection>,
    /// The requirements that stay open, in the same order.
    pub open: Vec<UnresolvedRequirement>,
    pub(super) links: FxHashMap<(Id<NodeTemplate>, Slot), Vec<Link>>,
}

/// A relationship that fulfills a requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// The node template that has the requirement.
    pub node: Arc<str>,
    /// The name of the requirement.
    pub requirement: Arc<str>,
    /// The target node template.
    pub target: Arc<str>,
    /// The target capability of the relationship; `None` if the requirement does not specify one.
    pub capability: Option<Arc<str>>,
    /// The number of other node templates that also match.
    pub others: usize,
}

/// A requirement that stays open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnresolvedRequirement {
    /// The node template that has the requirement.
    pub node: Arc<str>,
    /// The name of the requirement.
    pub requirement: Arc<str>,
    /// The reason why it stays open.
    pub reason: OpenReason,
}

/// The reason why a requirement stays open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenReason {
    /// No node matches, which is reported as a problem.
    Impossible,
    /// No node matches, but the requirement is optional.
    Optional,
    /// Whether nodes match depends on values that are not known yet.
    Undecided,
    /// Only a node of another service may fulfill the requirement.
    External,
    /// The node that fulfills the requirement of the substituted node also fulfills this requirement.
    Mapped,
}

impl OpenReason {
    /// Returns a short description of the reason.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Impossible => "no node fits",
            Self::Optional => "no node fits, but it is optional",
            Self::Undecided => "depends on values that are not known yet",
            Self::External => "left to other services",
            Self::Mapped => "left to the substituted node",
        }
    }
}

/// A requirement of a node template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    /// A requirement that the node template assigns.
    Assigned(Id<RequirementAssignment>),
    /// A requirement of the node type that the node template does not assign often enough.
    Implied(Symbol),
}

/// The target of relationships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) node: Id<NodeTemplate>,
    pub(crate) capability: Option<Id<CapabilityDefinition>>,
    /// The number of relationships: several if several nodes are created from the template.
    pub(crate) count: u64,
}

impl Resolution {
    /// Returns whether no requirement stays open for lack of a matching node.
    pub fn is_possible(&self) -> bool {
        self.open.iter().all(|open| open.reason != OpenReason::Impossible)
    }

    /// Returns the targets that fulfill a requirement.
    pub(crate) fn links(&self, node: Id<NodeTemplate>, slot: Slot) -> &[Link] {
        self.links.get(&(node, slot)).map_or(&[], |links| links)
    }
}

/// The outcome for one query.
pub(super) struct Decision {
    /// The indexes of the chosen nodes, with the number of relationships to each.
    pub(super) taken: Vec<(usize, u64)>,
    /// The number of nodes that match but are not chosen.
    pub(super) others: usize,
    pub(super) open: Option<OpenReason>,
}
