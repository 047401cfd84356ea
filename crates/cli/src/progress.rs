//! Progress display for users at a terminal.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// The time before a bar appears. For shorter work it would only flicker.
const DELAY: Duration = Duration::from_millis(300);

/// A progress bar on standard error, if that is a terminal. It is removed on drop.
pub(super) struct Progress {
    what: &'static str,
    start: Instant,
    is_shown: bool,
    bar: Mutex<Option<ProgressBar>>,
}

impl Progress {
    /// Returns a bar that counts items. `what` is their name in the plural.
    pub(super) fn new(what: &'static str, is_wanted: bool) -> Self {
        let is_shown = is_wanted && io::stderr().is_terminal();
        Self { what, start: Instant::now(), is_shown, bar: Mutex::new(None) }
    }

    /// Shows the number of finished items.
    pub(super) fn show(&self, done: usize, all: usize) {
        if !self.is_shown || self.start.elapsed() < DELAY {
            return;
        }
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        let bar = bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos} of {len} {msg}, {eta} left");
            let bar = ProgressBar::new(all as u64).with_message(self.what);
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get_mut().unwrap_or_else(PoisonError::into_inner) {
            bar.finish_and_clear();
        }
    }
}
