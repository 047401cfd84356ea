//! Limits of evaluation, because documents may be hostile.

use tosca_parse_engine::budget;

/// Limits of an evaluation. Exceeding one is an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum depth of syntax.
    pub syntax_depth: usize,
    /// The maximum number of nested calls, instances and includes.
    pub calls: usize,
    /// The maximum depth of evaluations.
    pub depth: usize,
    /// The budget of all evaluations together. Documents raise it in proportion to their size.
    pub budget: budget::Limits,
    /// The maximum number of items of a list.
    pub list: usize,
    /// The maximum size of a string, in bytes.
    pub text: usize,
    /// The maximum number of documents.
    pub includes: usize,
    /// The maximum size of all documents together, in bytes.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            // The stack of WebAssembly can't grow.
            syntax_depth: if cfg!(target_family = "wasm") { 128 } else { 256 },
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
    /// Sets the number of steps.
    #[must_use]
    pub fn with_steps(mut self, steps: u64) -> Self {
        self.budget.steps = steps;
        self
    }
}
