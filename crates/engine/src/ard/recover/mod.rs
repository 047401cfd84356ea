//! Reads on after a syntax error.
//!
//! An indentation that fits nothing, or a colon that is missing, must not hide what else is wrong with a text. What the
//! author may have meant is tried out, line by line: of the changes that let the text be read on farthest, the first one
//! that leaves no key without the block below it is made, in a text of its own, so that all that follows is read as it stands. If nothing helps, the block at which
//! the text breaks is left out.
//!
//! All of this works on lines, whoever reads the text, and says for each error how the text was mended.

mod candidates;
mod flow;

use std::cmp::Reverse;
use std::ops::ControlFlow;

use self::candidates::{Candidate, candidates, empty_keys};
use super::event::{Content, Event, Sink, Stop};
use super::granit;

/// How many errors are mended in one text.
const MOST_REPAIRS: usize = 64;

/// How many bytes are read to find out what mends a text. A text that is larger is read to its first error.
const MOST_BYTES: usize = 64 << 20;

/// Mends a text, error by error.
pub(super) struct Recovery {
    depth: u32,
    repairs: usize,
    bytes: usize,
    /// The last line that has been mended.
    last_line: Option<usize>,
}

/// A mended text.
pub(super) struct Mended {
    pub(super) text: String,
    /// What has been changed.
    pub(super) help: Option<String>,
    /// Whether something has been left out.
    pub(super) is_shortened: bool,
    /// Whether the error is a consequence of the one before, which has been reported.
    pub(super) is_consequence: bool,
}

impl Recovery {
    pub(super) fn new(depth: u32) -> Self {
        Self { depth, repairs: MOST_REPAIRS, bytes: MOST_BYTES, last_line: None }
    }

    /// The text without the error at an offset; nothing if that can't be mended, or has been too often.
    pub(super) fn mend(&mut self, text: &str, at: usize) -> Option<Mended> {
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
            let mended = apply(&lines, &candidate);
            let Some(reached) = self.reach(&mended) else { break };
            // How a key without a value could be meant is anybody's guess, so a change that makes none is likelier.
            let empty = empty_keys(&mended, line);
            let merit = (reached, Reverse(empty));
            let is_better = best.as_ref().is_none_or(|(best, ..)| merit > *best);
            if reached > line && is_better {
                best = Some((merit, mended, candidate));
            }
            if reached == usize::MAX && empty == 0 {
                break;
            }
        }
        let (_, text, Candidate { help, is_shortened, .. }) = best?;
        let is_consequence = self.last_line.is_some_and(|last| line <= last + 1);
        self.last_line = Some(line);
        Some(Mended { text, help, is_shortened, is_consequence })
    }

    /// The line of the first error in a text; nothing if there is no time to find out.
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

/// Takes everything up to a second document, and keeps nothing.
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
