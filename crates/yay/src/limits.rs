//! How much a document may ask for. Documents may be the work of strangers.

/// Limits of an evaluation. What goes beyond them is reported, and is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How deeply syntax may be nested.
    pub syntax_depth: usize,
    /// How many calls, instances and includes may be inside each other.
    pub calls: usize,
    /// How many evaluations may wait for each other.
    pub depth: usize,
    /// How many evaluations there may be in all.
    pub steps: u64,
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
            steps: 100_000_000,
            list: 1_000_000,
            text: 16 << 20,
            includes: 100_000,
            bytes: 256 << 20,
        }
    }
}
