//! What comes of a parsing.

use std::sync::Arc;
use std::time::Duration;

use super::Phase;
use crate::diagnostic::{Diagnostic, SourceId, Summary};
use crate::phase::hierarchy::Placed;
use crate::phase::inheritance::Complete;
use crate::phase::namespace::Named;
use crate::phase::read::Read;
use crate::phase::{Program, Units};
use crate::source::Sources;

/// What came of parsing a service template: its problems, and what it describes.
///
/// An outcome holds everything that it needs, and stays usable when the parser is gone. What it shares with other
/// outcomes of the parser (profiles, say) is shared in memory too.
#[derive(Debug)]
pub struct Outcome {
    /// The problems, in the order of the sources and of the places in them.
    pub diagnostics: Vec<Diagnostic>,
    /// The sources that have been read: the entry first, then what it imports.
    pub sources: Sources,
    /// What the phases found out.
    pub program: Program<Complete>,
    /// How long each phase took.
    pub times: Vec<PhaseTime>,
}

/// What has come of a parsing that was stopped after a phase.
#[derive(Debug)]
pub struct Progress {
    /// The problems so far, in the order of the sources and of the places in them.
    pub diagnostics: Vec<Diagnostic>,
    /// The sources that have been read: the entry first, then what it imports.
    pub sources: Sources,
    /// What the phases found out.
    pub stage: Stage,
    /// How long each phase took.
    pub times: Vec<PhaseTime>,
}

/// A program at the end of a phase.
#[derive(Debug)]
pub enum Stage {
    /// It has been read.
    Read(Program<Read>),
    /// Names have been looked up.
    Named(Program<Named>),
    /// Types have been put below their parents.
    Placed(Program<Placed>),
    /// Types have been completed, and templates perhaps rendered: that adds problems only.
    Complete(Program<Complete>),
}

/// How long a phase took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseTime {
    /// The phase.
    pub phase: Phase,
    /// The time; zero where there is no clock.
    pub duration: Duration,
}

impl Stage {
    /// The units of the program.
    pub fn units(&self) -> &Arc<Units> {
        match self {
            Self::Read(program) => &program.units,
            Self::Named(program) => &program.units,
            Self::Placed(program) => &program.units,
            Self::Complete(program) => &program.units,
        }
    }
}

impl Progress {
    /// Whether there is no error so far.
    pub fn is_valid(&self) -> bool {
        Summary::of(&self.diagnostics).errors == 0
    }
}

impl Outcome {
    /// Whether there is no error.
    pub fn is_valid(&self) -> bool {
        self.summary().errors == 0
    }

    /// How many problems of which kind there are.
    pub fn summary(&self) -> Summary {
        Summary::of(&self.diagnostics)
    }

    /// The number of the entry's source.
    pub fn entry(&self) -> Option<SourceId> {
        self.program.list.first().map(|unit| unit.id)
    }
}
