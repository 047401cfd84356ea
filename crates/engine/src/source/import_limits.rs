//! Limits on the imports in one parse.

use std::time::Duration;

/// The limits on the imports in one parse. The template itself does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportLimits {
    /// The maximum number of imported sources.
    pub sources: usize,
    /// The maximum number of imported remote sources.
    pub remote: usize,
    /// The maximum total size of imported sources, in bytes.
    pub bytes: u64,
    /// The maximum time to wait for remote sources.
    pub time: Duration,
}

impl Default for ImportLimits {
    /// Returns the default limits: 20 000 sources, 500 remote sources, 512 MiB and one minute.
    fn default() -> Self {
        Self { sources: 20_000, remote: 500, bytes: 512 << 20, time: Duration::from_secs(60) }
    }
}
