//! Compiled patterns and the cost of searches with them.

use std::cell::RefCell;

use fancy_regex::{Captures, CompileError, Regex, RegexBuilder, RegexInput, RuntimeError};
use tosca_parse_budget::pattern::Cost;
use tosca_parse_budget::{Exceeded, Resource};

use super::reach;
use super::syntax::Tree;
use crate::error::{Error, Result, regex_error};
use crate::meter::Meter;

/// The maximum size of a compiled pattern, in megabytes.
const MEGABYTES: u64 = 16;

/// A pattern for the engine.
pub(super) struct Program {
    source: String,
    effort: Effort,
    size: u64,
    /// The compiled patterns by the number of attempts that they may take, see [`attempts`].
    compiled: RefCell<Vec<Regex>>,
}

/// The cost of a search.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// The number of comparisons of a character.
    comparisons: u64,
    /// The maximum number of bytes that matter for whether there is a match at a position; `None` if any may.
    reach: Option<u64>,
    /// Whether a search tries the same characters repeatedly, because the pattern has look-around or back-references.
    backtracks: bool,
}

impl Effort {
    /// Returns the number of steps that are charged before a search, because it can't be stopped.
    fn steps_before(self, attempts: u64, length: usize) -> u64 {
        /// The number of bytes that one attempt compares in a step.
        const SCANNED: u64 = 256;
        let length = length as u64;
        let bytes = self.reach.map_or(length, |reach| reach.min(length));
        if self.backtracks {
            attempts.saturating_mul(1 + bytes.saturating_mul(self.comparisons) / SCANNED)
        } else {
            1 + Cost { places: self.comparisons, states: 0 }.search_steps(bytes as usize)
        }
    }

    /// Returns the number of steps for passing the text before the end of a match.
    fn steps_after(self, length: usize) -> u64 {
        /// The number of bytes that are passed in a step.
        const PASSED: usize = 4;
        match self {
            Self { backtracks: true, .. } => (length / PASSED) as u64,
            Self { reach: None, .. } => 0,
            Self { comparisons, .. } => Cost { places: comparisons, states: 0 }.search_steps(length),
        }
    }
}

/// Returns the maximum number of backtracking steps of a search: few at first, then more and more.
fn attempts(tier: usize) -> u64 {
    const FIRST: u64 = 8;
    const FACTOR: u64 = 16;
    FIRST.saturating_mul(FACTOR.saturating_pow(tier as u32))
}

impl Program {
    /// Compiles a pattern that has been translated from a tree.
    ///
    /// `is_linear` is true if the engine does not backtrack although the pattern has look-around.
    pub(super) fn new(meter: &Meter, tree: &Tree, source: String, size: u64, is_linear: bool) -> Result<Self> {
        check_size(size)?;
        let effort = Effort::of(tree, &source, is_linear);
        let program = Self { source, effort, size, compiled: RefCell::default() };
        program.compile(meter)?;
        Ok(program)
    }

    /// Compiles the pattern for the next number of attempts.
    fn compile(&self, meter: &Meter) -> Result<()> {
        /// The number of bytes that are compiled in a step.
        const COMPILED: u64 = 8;
        /// The number of bytes and steps that even a small pattern takes.
        const LEAST: (u64, u64) = (16 << 10, 300);
        const CACHE: usize = 256 << 10;
        let tier = self.compiled.borrow().len();
        meter.spend(LEAST.1 + self.size / COMPILED)?;
        meter.budget().bytes(LEAST.0 + self.size)?;
        let regex = RegexBuilder::new(&self.source)
            .backtrack_limit(usize::try_from(attempts(tier)).unwrap_or(usize::MAX))
            .delegate_size_limit(2 * (MEGABYTES << 20) as usize)
            .delegate_dfa_size_limit(CACHE)
            .build();
        let regex = regex.map_err(|error| match error {
            // The size is only an estimate.
            fancy_regex::Error::CompileError(error) if matches!(*error, CompileError::InnerError(_)) => too_large(),
            error => regex_error(format!("is not supported: {error}")),
        })?;
        self.compiled.borrow_mut().push(regex);
        Ok(())
    }

    /// Searches in text of a length, at first with few attempts. So a search that is easy for most texts is charged only
    /// a little.
    fn run<T>(&self, meter: &Meter, length: usize, search: impl Fn(&Regex) -> fancy_regex::Result<T>) -> Result<T> {
        let mut tier = 0;
        // The steps are exhausted before the attempts.
        loop {
            meter.spend(self.effort.steps_before(attempts(tier), length))?;
            if tier == self.compiled.borrow().len() {
                self.compile(meter)?;
            }
            match search(&self.compiled.borrow()[tier]) {
                Ok(result) => return Ok(result),
                Err(fancy_regex::Error::RuntimeError(RuntimeError::BacktrackLimitExceeded)) => {}
                Err(fancy_regex::Error::RuntimeError(RuntimeError::StackOverflow)) => {
                    let limit = meter.budget().limits().bytes;
                    return Err(Exceeded { resource: Resource::Bytes, limit }.into());
                }
                Err(error) => return Err(regex_error(format!("matching failed: {error}"))),
            }
            tier += 1;
        }
    }

    /// Returns whether there is a match.
    pub(super) fn is_match(&self, meter: &Meter, text: &str) -> Result<bool> {
        let is_match = self.run(meter, text.len(), |regex| regex.is_match(text))?;
        meter.spend(self.effort.steps_after(text.len()))?;
        Ok(is_match)
    }

    /// Returns the first match that begins at a position or, unless it is `anchored`, after it.
    pub(super) fn find<'t>(
        &self,
        meter: &Meter,
        text: &'t str,
        from: usize,
        anchored: bool,
    ) -> Result<Option<Captures<'t, str>>> {
        let input = || RegexInput::new(text).from_pos(from).anchored(anchored);
        let found = self.run(meter, text.len() - from, |regex| regex.captures_input(input()))?;
        let end = match found.as_ref().and_then(|captures| captures.get(0)) {
            Some(whole) => whole.end(),
            None if anchored => from,
            None => text.len(),
        };
        meter.spend(self.effort.steps_after(end - from))?;
        Ok(found)
    }
}

impl Effort {
    fn of(tree: &Tree, source: &str, is_linear: bool) -> Self {
        let hir = regex_syntax::parse(source);
        let backtracks = hir.is_err() && !is_linear;
        let comparisons = hir.map_or_else(|_| reach::repetitions(&tree.root), |hir| Cost::of(&hir).places);
        Self { comparisons, reach: reach::reach(tree, backtracks), backtracks }
    }
}

/// Checks that a compiled pattern is not too large.
///
/// # Errors
///
/// Returns an error if it is.
pub(super) fn check_size(size: u64) -> Result<()> {
    if size > MEGABYTES << 20 { Err(too_large()) } else { Ok(()) }
}

fn too_large() -> Error {
    regex_error(format!("is too large: with all its repetitions, it takes more than {MEGABYTES} MB"))
}
