//! The relationships that target each capability of a model.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::{Name, Requirement, Service, Types};

/// The relationships of a model by their target capabilities, which are given as indexes of a node and its capability.
pub(super) struct Targets {
    relationships: FxHashMap<(usize, usize), Vec<(usize, usize)>>,
    /// The types of capabilities that open requirements may target.
    open: FxHashSet<Name>,
    /// Whether an open requirement may target any capability.
    is_any_open: bool,
}

impl Targets {
    fn of(service: &Service) -> Self {
        let mut targets = Self { relationships: FxHashMap::default(), open: FxHashSet::default(), is_any_open: false };
        for (source, node) in service.nodes.values().enumerate() {
            for (number, requirement) in node.requirements.iter().enumerate() {
                targets.add(service, (source, number), requirement);
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

    /// Returns the relationships that target a capability.
    pub(super) fn relationships(&self, capability: (usize, usize)) -> &[(usize, usize)] {
        self.relationships.get(&capability).map_or(&[], Vec::as_slice)
    }
}

/// The [`Targets`] of a model, which few paths need.
#[derive(Default)]
pub(super) struct LazyTargets(OnceLock<Targets>);

impl LazyTargets {
    pub(super) fn of(&self, service: &Service) -> &Targets {
        self.0.get_or_init(|| Targets::of(service))
    }
}
