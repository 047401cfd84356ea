//! What one parsing may read. Imports are the only way in which a template makes others work: each may bring two more,
//! or never end.
//!
//! Whether there is too much does not depend on the order in which sources are read; which of them were read before that
//! was known does. So where there is too much, nothing is made of any of them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::source::{Address, ImportLimits};

/// What has been read so far.
pub(super) struct Budget {
    limits: ImportLimits,
    sources: AtomicUsize,
    remote: AtomicUsize,
    bytes: AtomicU64,
    deadline: Option<Instant>,
    exceeded: OnceLock<Exceeded>,
}

/// That too much would have to be read.
#[derive(Clone, Copy)]
enum Exceeded {
    Amount,
    Time,
}

impl Budget {
    pub(super) fn new(limits: ImportLimits) -> Self {
        let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
        Self {
            limits,
            sources: AtomicUsize::new(0),
            remote: AtomicUsize::new(0),
            bytes: AtomicU64::new(0),
            deadline: if has_clock { Instant::now().checked_add(limits.time) } else { None },
            exceeded: OnceLock::new(),
        }
    }

    /// Whether another source may be read.
    pub(super) fn admits(&self, address: &Address) -> bool {
        let count = |counter: &AtomicUsize, most: usize| counter.fetch_add(1, Ordering::Relaxed) < most;
        let is_admitted = count(&self.sources, self.limits.sources)
            && (!address.is_remote() || count(&self.remote, self.limits.remote));
        is_admitted || self.exceed(Exceeded::Amount)
    }

    /// How large a source may be at most, where one may have so many bytes.
    pub(super) fn most(&self, bytes: u64) -> u64 {
        bytes.min(self.limits.bytes)
    }

    /// Whether a source of some bytes may be used.
    pub(super) fn takes(&self, bytes: usize) -> bool {
        let before = self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        before.saturating_add(bytes as u64) <= self.limits.bytes || self.exceed(Exceeded::Amount)
    }

    /// How long something may still be waited for; nothing if that does not matter.
    pub(super) fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    pub(super) fn run_out_of_time(&self) {
        self.exceed(Exceeded::Time);
    }

    fn exceed(&self, what: Exceeded) -> bool {
        self.exceeded.get_or_init(|| what);
        false
    }

    pub(super) fn is_exceeded(&self) -> bool {
        self.exceeded.get().is_some()
    }

    /// What is said if there was too much: a message, and what can be done about it.
    pub(super) fn told(&self) -> Option<(String, &'static str)> {
        let ImportLimits { sources, remote, bytes, time } = self.limits;
        Some(match self.exceeded.get()? {
            Exceeded::Amount => (
                format!(
                    "what is imported, with what that imports, is more than may be read: {sources} sources, {remote} \
                     of them from the network, or {bytes} bytes"
                ),
                "if all of it is needed, raise a limit: `--limit import-sources=…`, `import-remote=…` or `import-size=…`",
            ),
            Exceeded::Time => (
                format!("reading what is imported took longer than {} s", time.as_secs()),
                "try again, or raise the limit: `--limit import-time=…`",
            ),
        })
    }
}
