//! What all contexts of an evaluation share: its limits, and what is spent of them.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::error::{Error, ErrorKind, Result};
use crate::value::Value;

/// How much an evaluation may cost. Whatever exceeds a limit is an error.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How many items may be taken from one collection.
    pub items: Option<usize>,
    /// How many bytes one value may take, by estimation.
    pub memory: Option<u64>,
    /// How many steps the evaluation may take all together: calls, also of what functions evaluate themselves, items of
    /// collections, and parts of what is large.
    pub steps: u64,
    /// How deeply calls may be nested.
    pub depth: u32,
    /// How long the evaluation may take all together.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { items: Some(1_000_000), memory: Some(64 << 20), steps: 5_000_000, depth: 500, time: None }
    }
}

impl Limits {
    /// Those of `MuranoPL`: 2 000 items, and 512 KiB for one value.
    pub fn murano() -> Self {
        Self { items: Some(2000), memory: Some(512 << 10), ..Self::default() }
    }
}

/// Which meaning functions and operators have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// That of YAQL 1.0 and later.
    #[default]
    Standard,
    /// That of packages of `MuranoPL` 1.0 and 1.1, which are written for YAQL 0.2: dictionaries are collections of their
    /// keys and have no missing ones, the index filters, and `=>` makes pairs.
    Legacy,
}

/// What is spent of the limits.
#[derive(Debug)]
pub struct Machine {
    limits: Limits,
    steps: Cell<u64>,
    depth: Cell<u32>,
    started: Cell<Instant>,
}

impl Machine {
    /// A machine that nothing has been spent of.
    pub fn new(limits: Limits) -> Self {
        Self { limits, steps: Cell::new(0), depth: Cell::new(0), started: Cell::new(Instant::now()) }
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Begins another evaluation, of which nothing has been spent.
    pub fn restart(&self) {
        self.steps.set(0);
        self.started.set(Instant::now());
    }

    /// How many steps have been taken.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Takes some steps.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Steps`] or [`ErrorKind::Time`] if that is too much.
    pub fn spend(&self, steps: u64) -> Result<()> {
        // The clock is not looked at each time.
        const OFTEN: u64 = 1024;
        let before = self.steps.get();
        self.steps.set(before.saturating_add(steps));
        if self.steps.get() > self.limits.steps {
            let message = format!("the evaluation takes more than {} steps", self.limits.steps);
            return Err(Error::new(ErrorKind::Steps, message));
        }
        match self.limits.time {
            Some(time) if before / OFTEN != self.steps.get() / OFTEN && self.started.get().elapsed() > time => {
                Err(Error::new(ErrorKind::Time, format!("the evaluation takes longer than {time:?}")))
            }
            _ => Ok(()),
        }
    }

    /// Does something one level deeper.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Depth`] if that is too deep.
    pub fn nested<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let depth = self.depth.get() + 1;
        if depth > self.limits.depth {
            let message = format!("calls are nested more than {} levels deep", self.limits.depth);
            return Err(Error::new(ErrorKind::Depth, message));
        }
        self.depth.set(depth);
        let result = grow(work);
        self.depth.set(depth - 1);
        result
    }

    /// Notes a value of so many bytes, which takes a step for every hundred or so of them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::MemoryQuota`] if that is too large, and as [`spend`](Self::spend).
    pub fn check_memory(&self, bytes: u64) -> Result<()> {
        const STEP: u64 = 128;
        match self.limits.memory {
            Some(limit) if bytes > limit => {
                let message = format!("the expression takes more than the {limit} bytes that one value may have");
                Err(Error::new(ErrorKind::MemoryQuota, message))
            }
            _ => self.spend(bytes / STEP),
        }
    }

    /// Refuses what nobody could go through.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Depth`] if too much is nested in the value, [`ErrorKind::MemoryQuota`] if it is too large with
    /// everything that is in it, counted each time.
    pub fn check_value(&self, value: &Value) -> Result<()> {
        let limit = match value {
            Value::Iterator(_) | Value::Context(_) | Value::Lambda(_) => MAX_LAZY_NESTING,
            _ => MAX_NESTING,
        };
        if value.depth() > limit {
            return Err(Error::new(ErrorKind::Depth, format!("values are nested more than {limit} levels deep")));
        }
        let most = self.limits.memory.map_or(MAX_WEIGHT, |memory| memory.saturating_mul(SHARES).min(MAX_WEIGHT));
        if value.weight() > most {
            let message = format!("a value takes more than {most} bytes with all that is in it");
            return Err(Error::new(ErrorKind::MemoryQuota, message));
        }
        Ok(())
    }

    /// Notes that values of so many bytes, with all that is in them, may be gone through.
    ///
    /// # Errors
    ///
    /// As [`spend`](Self::spend).
    pub(crate) fn look_through(&self, bytes: u64) -> Result<()> {
        const STEP: u64 = 128;
        self.spend(bytes / STEP)
    }

    /// Notes work on two integers of so many bits that takes as long as both together say.
    ///
    /// # Errors
    ///
    /// As [`check_memory`](Self::check_memory).
    pub(crate) fn check_product(&self, left: u64, right: u64) -> Result<()> {
        const DIGIT: u64 = 64;
        const STEP: u64 = 256;
        self.check_memory(left.saturating_add(right) / 8)?;
        self.spend((left / DIGIT).saturating_mul(right / DIGIT) / STEP)
    }
}

/// Does something with enough stack.
pub(crate) fn grow<T>(work: impl FnOnce() -> T) -> T {
    const RED_ZONE: usize = 128 << 10;
    const STACK: usize = 2 << 20;
    stacker::maybe_grow(RED_ZONE, STACK, work)
}

/// How deeply lists, dictionaries and sets may be nested.
const MAX_NESTING: u32 = 500;
/// How many bytes a value may take with all that is in it.
const MAX_WEIGHT: u64 = 256 << 20;
/// How many times that of what one value may take by itself.
const SHARES: u64 = 64;
/// How deeply contexts and iterators may hold on to one another.
const MAX_LAZY_NESTING: u32 = 10_000;
