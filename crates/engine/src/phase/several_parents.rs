//! A limit on the ancestors and members that types inherit from their second and further parents.
//!
//! A type shares the ancestors and members of its first parent, but has to merge those of the others with them.
//! Measured 2026-11-30: without this limit, 3,000 types, each with the same two parents of 3,000 members, took 21 s and
//! 950 MB in a file of 0.6 MB.
//!
//! Which type would exceed the limit depends on the order in which threads process types. So if the limit is exceeded,
//! the types are derived again, and each inherits only from its first parent.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::hierarchy::{Derived, references};
use super::{Program, Units};
use crate::diagnostic::Diagnostic;
use crate::entity::Role;
use crate::rules;

/// The maximum number of ancestors and members to merge, in addition to one for each byte of the sources.
const MERGED: usize = 500_000;

/// The number of ancestors and members of further parents that have been merged with those of the first.
#[derive(Debug)]
pub(super) struct MergeCounter {
    merged: AtomicUsize,
    most: usize,
}

impl MergeCounter {
    /// Creates a counter for types in the given units. `known` is the number in units whose results are known.
    pub(super) fn new(units: &Units, known: usize) -> Self {
        Self { merged: known.into(), most: most(units) }
    }

    pub(super) fn add(&self, count: usize) {
        if count > 0 {
            self.merged.fetch_add(count, Ordering::Relaxed);
        }
    }

    /// Returns whether the limit is exceeded, so that the results will not be used.
    pub(super) fn is_exceeded(&self) -> bool {
        self.merged.load(Ordering::Relaxed) > self.most
    }
}

fn most(units: &Units) -> usize {
    units.list.iter().fold(MERGED, |most, unit| most.saturating_add(unit.source.text().len()))
}

/// Reports, if types are derived only from their first parents, that the limit is exceeded.
pub(super) fn problem(program: &Program<Derived>) -> Option<Diagnostic> {
    if !program.stage.has_only_first_parents {
        return None;
    }
    let units = &program.units;
    let is_affected = |id: &_| references(units, *id, Role::Parent).len() > 1;
    let id = units.list.iter().flat_map(|unit| unit.types()).find(is_affected)?;
    let message = "the types inherit too much from several parents: each inherits only from its first parent";
    let help = format!(
        "derive them from smaller types: further parents may add {} ancestors and members altogether",
        most(units)
    );
    Some(Diagnostic::new(&rules::LARGE_PARENTS, units.name_span(id)?, message).with_help(help))
}
