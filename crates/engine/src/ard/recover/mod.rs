//! Error recovery: reads on after a syntax error.
//!
//! A wrong indentation or a missing colon must not hide the other problems in a source. Several repairs are tried for
//! each error. Among the repairs with which the reader gets farthest, the first one that leaves the fewest keys without
//! a value is applied to a copy of the text, so that everything after it is read normally. If no repair helps, the
//! block with the error is omitted.
//!
//! Recovery works on lines, independently of the reader, and describes the repair of each error.

mod candidates;
mod flow;

use std::cmp::Reverse;
use std::ops::ControlFlow;

use self::candidates::{Candidate, candidates, empty_keys};
use super::event::{Content, Event, Sink, Stop};
use super::granit;

/// The maximum number of repairs in one source.
const MAX_REPAIRS: usize = 64;

/// The maximum number of bytes that are read to find repairs. A larger source is only read up to its first error.
const MAX_BYTES: usize = 32 << 20;

/// The state while a source is repaired, error by error.
pub(super) struct Recovery {
    depth: u32,
    repairs: usize,
    bytes: usize,
    /// The last repaired line.
    last_line: Option<usize>,
}

/// A repaired text.
pub(super) struct RecoveredText {
    pub(super) text: String,
    /// A description of the repair.
    pub(super) help: Option<String>,
    /// Whether content has been omitted.
    pub(super) is_shortened: bool,
    /// Whether the error is a consequence of the previous one, which has been reported.
    pub(super) is_consequence: bool,
}

impl Recovery {
    pub(super) fn new(depth: u32) -> Self {
        Self { depth, repairs: MAX_REPAIRS, bytes: MAX_BYTES, last_line: None }
    }

    /// Repairs the error at the given offset; returns `None` if that is impossible or too many repairs have been made.
    pub(super) fn repair(&mut self, text: &str, at: usize) -> Option<RecoveredText> {
        self.repairs = self.repairs.checked_sub(1)?;
        let lines: Vec<&str> = text.split('\n').collect();
        let at = at.min(text.len());
        let line = memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count();
        let column = at - memchr::memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |end| end + 1);
        let mut best: Option<((usize, Reverse<usize>), String, Candidate)> = None;
        for candidate in candidates(&lines, line, column) {
            if best.is_some() && candidate.is_shortened {
                break;
            }
            let recovered = apply(&lines, &candidate);
            let Some(reached) = self.reach(&recovered) else { break };
            // It is unclear what a key without a value means, so a repair that creates no such key is more likely to be
            // right.
            let empty = empty_keys(&recovered, line);
            let merit = (reached, Reverse(empty));
            let is_better = best.as_ref().is_none_or(|(best, ..)| merit > *best);
            if reached > line && is_better {
                best = Some((merit, recovered, candidate));
            }
            if reached == usize::MAX && empty == 0 {
                break;
            }
        }
        let (_, text, Candidate { help, is_shortened, .. }) = best?;
        let is_consequence = self.last_line.is_some_and(|last| line <= last + 1);
        self.last_line = Some(line);
        Some(RecoveredText { text, help, is_shortened, is_consequence })
    }

    /// Returns the line of the first error in `text`; `None` if too many bytes have been read already.
    fn reach(&mut self, text: &str) -> Option<usize> {
        self.bytes = self.bytes.checked_sub(text.len())?;
        Some(match granit::read(text, self.depth, &mut Trial::default()) {
            Err(Stop::Syntax(error)) => {
                let at = (error.place.start as usize).min(text.len());
                memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count()
            }
            Ok(()) | Err(Stop::TooDeep(_)) => usize::MAX,
        })
    }
}

fn apply(lines: &[&str], candidate: &Candidate) -> String {
    let mut lines = lines.to_vec();
    for (number, line) in &candidate.lines {
        lines[*number] = line;
    }
    lines.join("\n")
}

/// A sink that ignores all events and stops at a second document.
#[derive(Default)]
struct Trial {
    has_started: bool,
}

impl<'a> Sink<'a> for Trial {
    fn take(&mut self, event: Event<'a>) -> ControlFlow<()> {
        let is_start = matches!(event.content, Content::DocumentStart { .. });
        if is_start && std::mem::replace(&mut self.has_started, true) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
