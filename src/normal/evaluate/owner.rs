//! The places of values in a model.

use super::super::Name;
use crate::data;

/// A place in a model: the index of a node, and the index of its requirement or capability, if any.
pub(super) type Here = data::PathContext<usize, (usize, usize), (usize, usize)>;

/// An owner of properties: the index of a node, and the index of its capability or requirement, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Owner {
    /// The inputs of the service.
    Inputs,
    /// A node.
    Node(usize),
    /// The attributes of a node.
    Attributes(usize),
    /// A capability of a node.
    Capability(usize, usize),
    /// The relationship of a requirement of a node.
    Relationship(usize, usize),
}

impl Owner {
    pub(super) fn of(here: Here) -> Option<Self> {
        match here {
            Here::Node(node) => Some(Self::Node(node)),
            Here::Capability((node, capability)) => Some(Self::Capability(node, capability)),
            Here::Relationship((node, requirement)) => Some(Self::Relationship(node, requirement)),
            Here::Unknown | Here::Nowhere => None,
        }
    }

    /// Returns the place of the owner's values. In the values of a capability, `SELF` is its node.
    pub(super) fn place(self) -> Standing {
        match self {
            Self::Inputs => Standing::Service,
            Self::Node(node) | Self::Attributes(node) | Self::Capability(node, _) => Standing::Node(node),
            Self::Relationship(node, requirement) => Standing::Relationship(node, requirement),
        }
    }
}

/// The owner and the name of a property.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PropertyId {
    pub(super) owner: Owner,
    pub(super) name: Name,
}

/// The place of a value, which determines the meaning of `SELF`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// In a node.
    Node(usize),
    /// In a relationship.
    Relationship(usize, usize),
    /// In a relationship template, which any relationship can use.
    Template,
    /// In the service itself.
    Service,
    /// In a workflow, whose inputs are unknown.
    Workflow(usize),
}

/// Returns a JSON pointer (RFC 6901).
pub(crate) fn pointer<'p>(steps: impl IntoIterator<Item = &'p str>) -> String {
    let mut pointer = String::new();
    for step in steps {
        pointer.push('/');
        pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
    }
    pointer
}
