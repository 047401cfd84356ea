//! The result of a parse.

use std::sync::Arc;
use std::time::Duration;

use super::Phase;
use crate::diagnostic::{Diagnostic, SourceId, Summary};
use crate::phase::hierarchy::Derived;
use crate::phase::inheritance::Complete;
use crate::phase::namespace::Named;
use crate::phase::read::Read;
use crate::phase::{Program, Units};
use crate::source::Sources;

/// The result of parsing a service template: its problems and its content.
///
/// An outcome is self-contained and can be used after the parser has been dropped. Data that several outcomes of a
/// parser have in common, such as profiles, is shared in memory.
#[derive(Debug)]
pub struct Outcome {
    /// The problems, sorted by source and position.
    pub diagnostics: Vec<Diagnostic>,
    /// The sources that have been read: first the entry, then its imports.
    pub sources: Sources,
    /// The result of the phases.
    pub program: Program<Complete>,
    /// The duration of each phase.
    pub times: Vec<PhaseTime>,
    /// The work that the size of the entry does not limit, as a number of imported sources. Besides the imports, it
    /// includes problems, suggestions, evaluations, and what is checked again in imported sources. A program that parses
    /// many templates can limit the sum.
    pub import_cost: usize,
}

/// The result of a parse that was stopped after a phase.
#[derive(Debug)]
pub struct Progress {
    /// The problems found so far, sorted by source and position.
    pub diagnostics: Vec<Diagnostic>,
    /// The sources that have been read: first the entry, then its imports.
    pub sources: Sources,
    /// The result of the phases.
    pub stage: Stage,
    /// The duration of each phase.
    pub times: Vec<PhaseTime>,
    /// The work that the size of the entry does not limit, as a number of imported sources. Besides the imports, it
    /// includes problems, suggestions, evaluations, and what is checked again in imported sources. A program that parses
    /// many templates can limit the sum.
    pub import_cost: usize,
}

/// A program after a phase.
#[derive(Debug)]
pub enum Stage {
    /// The sources have been read.
    Read(Program<Read>),
    /// Names have been resolved.
    Named(Program<Named>),
    /// The ancestors of types are known.
    Derived(Program<Derived>),
    /// Types have been completed. Templates may have been rendered, which only adds problems.
    Complete(Program<Complete>),
}

/// The duration of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseTime {
    /// The phase.
    pub phase: Phase,
    /// The duration; zero if there is no clock.
    pub duration: Duration,
}

impl Stage {
    /// Returns the units of the program.
    pub fn units(&self) -> &Arc<Units> {
        match self {
            Self::Read(program) => &program.units,
            Self::Named(program) => &program.units,
            Self::Derived(program) => &program.units,
            Self::Complete(program) => &program.units,
        }
    }
}

impl Progress {
    /// Returns whether there are no errors so far.
    pub fn is_valid(&self) -> bool {
        Summary::of(&self.diagnostics).errors == 0
    }
}

impl Outcome {
    /// Returns whether there are no errors.
    pub fn is_valid(&self) -> bool {
        self.summary().errors == 0
    }

    /// Counts the problems by severity.
    pub fn summary(&self) -> Summary {
        Summary::of(&self.diagnostics)
    }

    /// Returns the ID of the entry's source.
    pub fn entry(&self) -> Option<SourceId> {
        self.program.list.first().map(|unit| unit.id)
    }
}
