//! Compiled patterns and the cost of searches with them.

use std::cell::{OnceCell, RefCell};
use std::ops::Range;

use fancy_regex::{CompileError, RegexInput, RuntimeError};
use regex_automata::util::primitives::NonMaxUsize;
use regex_automata::{Input, meta};
use regex_syntax::ast::ErrorKind;
use regex_syntax::hir::Hir;
use tosca_parse_budget::pattern::Cost;
use tosca_parse_budget::{Exceeded, Resource};

use super::native::Variant;
use super::syntax::Tree;
use super::work::{self, Work};
use super::{Match, native, reach};
use crate::error::{Error, Result, regex_error};
use crate::meter::Meter;

/// The maximum size of a compiled pattern, in megabytes.
const MEGABYTES: u64 = 16;
/// The maximum size of a compiled pattern, in bytes.
pub(super) const MAX_SIZE: u64 = MEGABYTES << 20;
/// The maximum size of a table of states, in bytes.
const MAX_TABLE: usize = 256 << 10;

/// A compiled pattern. Those that need no backtracking have another engine, so that the cost of their searches doesn't
/// depend on the text.
pub(super) enum Program {
    Linear(Linear),
    Backtracking(Backtracking),
}

/// A pattern whose searches take time in proportion to the text.
pub(super) struct Linear {
    regex: meta::Regex,
    /// The group that is the whole match.
    whole: usize,
    /// The number of comparisons of a character.
    comparisons: u64,
    /// The maximum number of bytes that matter for whether there is a match at a position; `None` if any may.
    reach: Option<u64>,
}

/// A pattern with look-around, back-references or other parts that need backtracking.
pub(super) struct Backtracking {
    source: String,
    size: u64,
    work: Work,
    /// Whether the position at which the search begins matters.
    has_start: bool,
    /// The compiled patterns by the number of attempts that they may take, see [`attempts`].
    compiled: RefCell<Vec<fancy_regex::Regex>>,
    relaxed_source: String,
    /// The [relaxed](native::relaxed) pattern, if it can be compiled.
    relaxed: OnceCell<Option<Linear>>,
}

impl Program {
    /// Compiles a pattern.
    pub(super) fn new(meter: &Meter, tree: &Tree, variant: Variant) -> Result<Self> {
        let size = check_size(tree, variant)?;
        let (source, whole) = native::without_look(tree, variant);
        match regex_syntax::parse(&source) {
            Ok(hir) if !variant.is_counted => Linear::new(meter, &hir, size, whole).map(Self::Linear),
            // The other engine may search for it without backtracking, so that attempts would not limit the search.
            Err(regex_syntax::Error::Parse(error)) if matches!(error.kind(), ErrorKind::NestLimitExceeded(_)) => {
                Err(regex_error("is not supported: its groups are nested too deeply"))
            }
            _ => {
                let work = work::of(tree, variant);
                let source = native::translate(tree, variant);
                let program = Backtracking {
                    source,
                    size,
                    work,
                    has_start: variant.not_empty,
                    compiled: RefCell::default(),
                    // The parts of a pattern that is counted are too large for another engine.
                    relaxed_source: native::relaxed(tree, variant),
                    relaxed: if variant.is_counted { OnceCell::from(None) } else { OnceCell::new() },
                };
                program.compile(meter)?;
                Ok(Self::Backtracking(program))
            }
        }
    }

    /// Returns whether there is a match.
    pub(super) fn is_match(&self, meter: &Meter, text: &str) -> Result<bool> {
        match self {
            Self::Linear(linear) => {
                linear.spend_before(meter, text.len())?;
                let is_match = linear.regex.is_match(text);
                linear.spend_after(meter, text.len())?;
                Ok(is_match)
            }
            Self::Backtracking(program) => {
                let is_match = program.run(meter, text, 0, false, |regex, from| {
                    regex.is_match_input(RegexInput::new(text).from_pos(from)).map(|is_match| is_match.then_some(()))
                })?;
                let is_match = is_match.is_some();
                spend_passed(meter, text.len())?;
                Ok(is_match)
            }
        }
    }

    /// Returns the first match that begins at a position or after it.
    pub(super) fn find<'t>(&self, meter: &Meter, text: &'t str, from: usize) -> Result<Option<Match<'t>>> {
        match self {
            Self::Linear(linear) => linear.find(meter, text, from),
            Self::Backtracking(program) => program.find(meter, text, from, false),
        }
    }

    /// Returns the match that begins at a position.
    pub(super) fn find_at<'t>(&self, meter: &Meter, text: &'t str, at: usize) -> Result<Option<Match<'t>>> {
        match self {
            Self::Linear(linear) => {
                linear.find(meter, text, at).map(|found| found.filter(|next| next.whole().start == at))
            }
            Self::Backtracking(program) => program.find(meter, text, at, true),
        }
    }
}

impl Linear {
    fn new(meter: &Meter, hir: &Hir, size: u64, whole: usize) -> Result<Self> {
        spend_compiled(meter, size)?;
        let limits = meta::Config::new().nfa_size_limit(Some(2 * MAX_SIZE as usize)).dfa_size_limit(Some(MAX_TABLE));
        // The size is only an estimate.
        let regex = meta::Regex::builder().configure(limits).build_from_hir(hir).map_err(|_| too_large())?;
        Ok(Self { regex, whole, comparisons: Cost::of(hir).places, reach: reach::reach(hir) })
    }

    fn find<'t>(&self, meter: &Meter, text: &'t str, from: usize) -> Result<Option<Match<'t>>> {
        self.spend_before(meter, text.len() - from)?;
        let mut slots = vec![None; self.regex.group_info().slot_len()];
        let found = self.regex.search_slots(&Input::new(text).range(from..), &mut slots).map(|_| {
            let groups = slots.chunks_exact(2).skip(self.whole);
            let range = |slots: &[Option<NonMaxUsize>]| Some(slots[0]?.get()..slots[1]?.get());
            Match { text, groups: groups.map(range).collect() }
        });
        self.spend_after(meter, found.as_ref().map_or(text.len(), |found| found.whole().end) - from)?;
        Ok(found)
    }

    /// Charges the steps before a search, because it can't be stopped.
    fn spend_before(&self, meter: &Meter, length: usize) -> Result<()> {
        let bytes = self.reach.map_or(length, |reach| length.min(reach as usize));
        meter.spend(1 + Cost { places: self.comparisons, states: 0 }.search_steps(bytes))
    }

    /// Charges the steps for passing the text before the end of a match.
    fn spend_after(&self, meter: &Meter, length: usize) -> Result<()> {
        match self.reach {
            None => Ok(()),
            Some(_) => meter.spend(Cost { places: self.comparisons, states: 0 }.search_steps(length)),
        }
    }
}

/// Returns the maximum number of attempts of a search, each of which ends with backtracking: few at first, then more and
/// more.
fn attempts(tier: usize) -> u64 {
    const FIRST: u64 = 8;
    const FACTOR: u64 = 4;
    FIRST.saturating_mul(FACTOR.saturating_pow(tier as u32))
}

impl Backtracking {
    /// Compiles the pattern for the next number of attempts.
    fn compile(&self, meter: &Meter) -> Result<()> {
        let tier = self.compiled.borrow().len();
        spend_compiled(meter, self.size)?;
        let regex = fancy_regex::RegexBuilder::new(&self.source)
            .backtrack_limit(usize::try_from(attempts(tier)).unwrap_or(usize::MAX))
            .delegate_size_limit(2 * MAX_SIZE as usize)
            .delegate_dfa_size_limit(MAX_TABLE)
            .build();
        let regex = regex.map_err(|error| match error {
            // The size is only an estimate.
            fancy_regex::Error::CompileError(error) if matches!(*error, CompileError::InnerError(_)) => too_large(),
            error => regex_error(format!("is not supported: {error}")),
        })?;
        self.compiled.borrow_mut().push(regex);
        Ok(())
    }

    /// Searches from a position, at first with few attempts. So a search that is easy for most texts is charged only a
    /// little.
    fn run<T>(
        &self,
        meter: &Meter,
        text: &str,
        mut from: usize,
        anchored: bool,
        search: impl Fn(&fancy_regex::Regex, usize) -> fancy_regex::Result<Option<T>>,
    ) -> Result<Option<T>> {
        let (mut tier, mut is_checked) = (0, false);
        // The steps are exhausted before the attempts.
        loop {
            let steps = |from: usize| self.work.steps(attempts(tier), (text.len() - from) as u64);
            // The check passes the text once, so it is worthwhile before many attempts.
            if !is_checked && steps(from) > (text.len() - from) as u64 + self.size {
                is_checked = true;
                match self.relaxed_start(meter, text, from)? {
                    None => return Ok(None),
                    Some(start) if anchored && start > from => return Ok(None),
                    Some(start) => from = start,
                }
            }
            meter.spend(steps(from))?;
            if tier == self.compiled.borrow().len() {
                self.compile(meter)?;
            }
            match search(&self.compiled.borrow()[tier], from) {
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

    /// Returns the first position from the given one at which there may be a match; `None` if there is no match.
    fn relaxed_start(&self, meter: &Meter, text: &str, from: usize) -> Result<Option<usize>> {
        if self.relaxed.get().is_none() {
            let linear = match regex_syntax::parse(&self.relaxed_source) {
                Ok(hir) => match Linear::new(meter, &hir, self.size, 0) {
                    Err(error) if error.kind() == crate::ErrorKind::Regex => None,
                    linear => Some(linear?),
                },
                Err(_) => None,
            };
            let _ = self.relaxed.set(linear);
        }
        let Some(Some(relaxed)) = self.relaxed.get() else { return Ok(Some(from)) };
        let start = relaxed.find(meter, text, from)?.map(|found| found.whole().start);
        Ok(start.map(|start| if self.has_start { from } else { start }))
    }

    /// Returns the first match that begins at a position or, unless it is `anchored`, after it.
    fn find<'t>(&self, meter: &Meter, text: &'t str, from: usize, anchored: bool) -> Result<Option<Match<'t>>> {
        let found = self.run(meter, text, from, anchored, |regex, from| {
            regex.captures_input(RegexInput::new(text).from_pos(from).anchored(anchored))
        })?;
        let found = found.map(|captures| {
            let range = |group: Option<fancy_regex::Match<'_>>| -> Option<Range<usize>> { Some(group?.range()) };
            Match { text, groups: captures.iter().map(range).collect() }
        });
        let end = match &found {
            Some(found) => found.whole().end,
            None if anchored => from,
            None => text.len(),
        };
        spend_passed(meter, end - from)?;
        Ok(found)
    }
}

/// Charges for compiling a pattern.
fn spend_compiled(meter: &Meter, size: u64) -> Result<()> {
    /// The number of bytes that are compiled in a step.
    const COMPILED: u64 = 8;
    /// The number of bytes and steps that even a small pattern takes.
    const LEAST: (u64, u64) = (16 << 10, 300);
    meter.spend(LEAST.1 + size / COMPILED)?;
    Ok(meter.budget().bytes(LEAST.0 + size)?)
}

/// Charges for text that a search with backtracking passes.
fn spend_passed(meter: &Meter, length: usize) -> Result<()> {
    /// The number of bytes that are passed in a step.
    const PASSED: u64 = 4;
    meter.spend(length as u64 / PASSED)
}

/// Returns the size of a compiled pattern.
///
/// # Errors
///
/// Returns an error if it is too large.
pub(super) fn check_size(tree: &Tree, variant: Variant) -> Result<u64> {
    let size = reach::size(&tree.root, variant);
    if size > MAX_SIZE { Err(too_large()) } else { Ok(size) }
}

fn too_large() -> Error {
    regex_error(format!("is too large: with all its repetitions, it takes more than {MEGABYTES} MB"))
}
