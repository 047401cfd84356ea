//! How much one parsing may read besides its template.

use std::time::Duration;

/// Bounds on what is read in one parsing, besides the template itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportLimits {
    /// How many sources are imported.
    pub sources: usize,
    /// How many of them come from the network.
    pub remote: usize,
    /// How many bytes they have together.
    pub bytes: u64,
    /// How long is waited for what comes from the network.
    pub time: Duration,
}

impl Default for ImportLimits {
    /// Twenty thousand sources, 500 of them from the network; 512 MiB; a minute.
    fn default() -> Self {
        Self { sources: 20_000, remote: 500, bytes: 512 << 20, time: Duration::from_secs(60) }
    }
}
