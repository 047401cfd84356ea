//! The relationships that target each capability of a model, and that come from each requirement.

use std::cell::{OnceCell, RefCell};

use foldhash::{HashMap, HashSet};
use rustc_hash::FxHashMap;

use super::super::{Name, Requirement, Service, Types, Value};
use crate::data::{Found, Numbered};

/// The relationships of a model by their target capabilities, which are given as indexes of a node and its capability.
pub(super) struct Targets {
    relationships: FxHashMap<(usize, usize), Vec<(usize, usize)>>,
    /// The requirements of each node by name.
    named: HashMap<(usize, Name), Numbered<usize>>,
    /// The types of capabilities that open requirements may target.
    open: HashSet<Name>,
    /// Whether an open requirement may target any capability.
    is_any_open: bool,
}

impl Targets {
    fn of(service: &Service) -> Self {
        let mut targets = Self {
            relationships: FxHashMap::default(),
            named: HashMap::default(),
            open: HashSet::default(),
            is_any_open: false,
        };
        for (source, node) in service.nodes.values().enumerate() {
            for (number, requirement) in node.requirements.iter().enumerate() {
                targets.add(service, (source, number), requirement);
                let of_name = targets.named.entry((source, requirement.name.clone())).or_default();
                of_name.push(number, number_of(requirement.count.as_ref()));
            }
        }
        targets
    }

    fn add(&mut self, service: &Service, relationship: (usize, usize), requirement: &Requirement) {
        let target = requirement.target.as_ref().and_then(|target| {
            let node = service.nodes.get_index_of(&target.node)?;
            Some((node, service.nodes[node].capabilities.get_index_of(target.capability.as_deref()?)?))
        });
        let required = requirement.dangling.as_ref().and_then(|dangling| dangling.capability_types.first());
        match (target, required) {
            (Some(target), _) => self.relationships.entry(target).or_default().push(relationship),
            (None, Some(required)) if requirement.target.is_none() => {
                self.open.insert(required.name.clone());
            }
            (None, _) => self.is_any_open = true,
        }
    }

    /// Returns whether an open requirement may target a capability with these types.
    pub(super) fn is_open(&self, types: &Types) -> bool {
        self.is_any_open || types.iter().any(|of_type| self.open.contains(&of_type.name))
    }

    /// Returns the requirements of a node with a name; `None` if there are none.
    pub(super) fn named(&self, node: usize, name: &str) -> Option<&Numbered<usize>> {
        self.named.get(&(node, name.into()))
    }

    /// Returns the relationships that target a capability.
    pub(super) fn relationships(&self, capability: (usize, usize)) -> &[(usize, usize)] {
        self.relationships.get(&capability).map_or(&[], Vec::as_slice)
    }
}

/// Returns the value of a count: one if it is missing; `None` if it is computed.
pub(super) fn number_of(count: Option<&Value>) -> Option<u64> {
    count.map_or(Some(1), |count| u64::try_from(count.as_integer()?).ok())
}

/// The host of a node, and the index of the requirement for it.
type Host = Found<(usize, usize)>;

/// The [`Targets`] of a model, which few paths need, and the hosts of its nodes, as far as paths have needed them.
#[derive(Default)]
pub(super) struct LazyTargets {
    targets: OnceCell<Targets>,
    hosts: RefCell<FxHashMap<usize, Host>>,
}

impl LazyTargets {
    pub(super) fn of(&self, service: &Service) -> &Targets {
        self.targets.get_or_init(|| Targets::of(service))
    }

    /// Returns the host of a node, which `find` finds.
    pub(super) fn host(&self, node: usize, find: impl FnOnce() -> Host) -> Host {
        let known = self.hosts.borrow().get(&node).copied();
        known.unwrap_or_else(|| {
            let host = find();
            self.hosts.borrow_mut().insert(node, host);
            host
        })
    }
}
