//! How much a document may ask for. Documents may be the work of strangers.

use tosca_parse_engine::budget;

/// Limits of an evaluation. What goes beyond them is reported, and is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How deeply syntax may be nested.
    pub syntax_depth: usize,
    /// How many calls, instances and includes may be inside each other.
    pub calls: usize,
    /// How many evaluations may wait for each other.
    pub depth: usize,
    /// The budget of all evaluations together. Documents raise it in proportion to their size.
    pub budget: budget::Limits,
    /// How many items a list may have.
    pub list: usize,
    /// How many bytes a text may have.
    pub text: usize,
    /// How many documents may be read.
    pub includes: usize,
    /// How many bytes all documents together may have.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            syntax_depth: 256,
            calls: 500,
            depth: 60_000,
            budget: budget::Limits::default(),
            list: 1_000_000,
            text: 16 << 20,
            includes: 100_000,
            bytes: 256 << 20,
        }
    }
}

impl Limits {
    /// These limits with another number of steps.
    #[must_use]
    pub fn with_steps(mut self, steps: u64) -> Self {
        self.budget.steps = steps;
        self
    }
}
