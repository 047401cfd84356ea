//! The state that all contexts of an evaluation share: limits, budget, and compiled patterns.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use foldhash::HashMap;
use tosca_parse_budget::{self as budget, Budget, Exceeded, Resource};
use web_time::Instant;

use crate::error::{Error, ErrorKind, Result};
use crate::pattern::{Flags, Pattern};
use crate::value::{NestedCollection, Value};

/// The limits of an evaluation. Exceeding one is an error.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximum number of items that are taken from one collection.
    pub items: Option<usize>,
    /// The maximum estimated size of one value, in bytes.
    pub memory: Option<u64>,
    /// The maximum depth of calls.
    pub depth: u32,
    /// The maximum time of the evaluation.
    pub time: Option<Duration>,
    /// The budget of the evaluation as a whole.
    pub budget: budget::Limits,
}

impl Default for Limits {
    fn default() -> Self {
        let budget = budget::Limits::default();
        Self { items: Some(1_000_000), memory: Some(64 << 20), depth: 500, time: None, budget }
    }
}

impl Limits {
    /// Returns the limits of `MuranoPL`: 2 000 items and 512 KiB for one value.
    pub fn murano() -> Self {
        Self { items: Some(2000), memory: Some(512 << 10), ..Self::default() }
    }

    /// Sets the number of steps.
    #[must_use]
    pub fn with_steps(mut self, steps: u64) -> Self {
        self.budget.steps = steps;
        self
    }
}

/// The dialect of functions and operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The dialect of YAQL 1.0 and later.
    #[default]
    Standard,
    /// The dialect of YAQL 0.2, as used by packages in the formats 1.0 and 1.1 of `MuranoPL`: dictionaries are
    /// collections of their keys, a missing key is null, an index can be a filter, and `=>` creates pairs.
    Legacy,
}

/// Compiled patterns and the errors of those that can't be compiled.
type Patterns = HashMap<(Arc<str>, Flags), Result<Rc<Pattern>>>;

/// The meter of an evaluation: how much of its limits it has spent.
#[derive(Debug)]
pub struct Meter {
    limits: Limits,
    budget: Rc<Budget>,
    depth: Cell<u32>,
    started: Cell<Instant>,
    patterns: RefCell<Patterns>,
}

impl From<Exceeded> for Error {
    fn from(exceeded: Exceeded) -> Self {
        let kind = match exceeded.resource {
            Resource::Steps => ErrorKind::Steps,
            Resource::Bytes => ErrorKind::Bytes,
            Resource::Stack => ErrorKind::Depth,
        };
        Self::new(kind, exceeded.to_string()).with_hint(&exceeded.help())
    }
}

impl Meter {
    /// Creates a meter with nothing spent.
    pub fn new(limits: Limits) -> Self {
        let budget = Rc::new(Budget::new(limits.budget));
        let (depth, started, patterns) = (Cell::new(0), Cell::new(Instant::now()), RefCell::default());
        Self { limits, budget, depth, started, patterns }
    }

    /// Returns the limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the budget of the evaluation.
    pub fn budget(&self) -> &Rc<Budget> {
        &self.budget
    }

    /// Starts another evaluation with nothing spent.
    pub fn restart(&self) {
        self.budget.restart();
        self.patterns.take();
        self.started.set(Instant::now());
    }

    /// Returns the number of steps so far.
    pub fn steps(&self) -> u64 {
        self.budget.steps_taken()
    }

    /// Spends the given number of steps.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Steps`] or [`ErrorKind::Time`] if the limit is exceeded.
    pub fn spend(&self, steps: u64) -> Result<()> {
        // Reading the clock each time is slow.
        const OFTEN: u64 = 1024;
        let before = self.budget.steps_taken();
        self.budget.steps(steps)?;
        match self.limits.time {
            Some(time)
                if before / OFTEN != self.budget.steps_taken() / OFTEN && self.started.get().elapsed() > time =>
            {
                Err(Error::new(ErrorKind::Time, format!("the evaluation takes longer than {time:?}")))
            }
            _ => Ok(()),
        }
    }

    /// Charges steps in a place that can't fail. If the limit is exceeded, the next charge fails instead.
    pub(crate) fn note(&self, steps: u64) {
        let _ = self.budget.steps(steps);
    }

    /// Runs a closure one level deeper.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Depth`] if the limit is exceeded.
    pub fn nested<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let depth = self.depth.get() + 1;
        if depth > self.limits.depth {
            let message = format!("calls are nested more than {} levels deep", self.limits.depth);
            return Err(Error::new(ErrorKind::Depth, message));
        }
        self.depth.set(depth);
        let result = self.deeper(work);
        self.depth.set(depth - 1);
        result
    }

    /// Runs a closure that evaluates an expression or otherwise may recurse.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Depth`] if it needs too much stack.
    pub fn deeper<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.budget.deeper(work)?
    }

    /// Charges the steps of creating a value of the given number of bytes, before it is created.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::MemoryQuota`] if the value is too large, and the errors of [`spend`](Self::spend).
    pub fn check_memory(&self, bytes: u64) -> Result<()> {
        self.fits(bytes)?;
        self.look_through(bytes)
    }

    /// Checks whether one value may have the given number of bytes.
    pub(crate) fn fits(&self, bytes: u64) -> Result<()> {
        if let Some(limit) = self.limits.memory.filter(|limit| bytes > *limit) {
            let message = format!("the expression takes more than the {limit} bytes that one value may have");
            return Err(Error::new(ErrorKind::MemoryQuota, message));
        }
        Ok(self.budget.has_room(bytes)?)
    }

    /// Charges a collection of items that each take memory, before it is created.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`check_memory`](Self::check_memory).
    pub(crate) fn check_parts(&self, count: usize) -> Result<()> {
        const PART: u64 = 32;
        /// The number of bytes that an item counts as in the size of its list.
        const ITEM: u64 = 8;
        self.budget.has_room((count as u64).saturating_mul(Value::SIZE + PART))?;
        self.check_memory((count as u64).saturating_mul(ITEM))
    }

    /// Charges the new parts of a value that has been created and rejects values that are too deep or too large.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Depth`] if the value is nested too deeply, [`ErrorKind::MemoryQuota`] if it is too large
    /// with all its content, where shared content counts each time, and [`ErrorKind::Bytes`] if there are too many
    /// values.
    pub fn check_value(&self, value: &Value) -> Result<()> {
        let limit = match value {
            Value::Iterator(_) | Value::Context(_) | Value::Lambda(_) => MAX_LAZY_NESTING,
            _ => MAX_NESTING,
        };
        if value.depth() > limit {
            return Err(Error::new(ErrorKind::Depth, format!("values are nested more than {limit} levels deep")));
        }
        let budget = self.budget.limits().bytes;
        let most = self.limits.memory.map_or(budget, |memory| memory.saturating_mul(SHARES).min(budget));
        if value.weight() > most {
            let message = format!("a value takes more than {most} bytes with all its content");
            return Err(Error::new(ErrorKind::MemoryQuota, message));
        }
        self.take(value)
    }

    /// Charges the parts of a value that are new since the last charge.
    pub(crate) fn take(&self, value: &Value) -> Result<()> {
        match value.new_bytes() {
            0 => Ok(()),
            bytes => {
                self.budget.bytes(bytes)?;
                self.spend(bytes / BYTES_PER_STEP)?;
                value.charge(&self.budget, bytes);
                value.each_part(|part| if part.has_parts() { self.deeper(|| self.take(part)) } else { self.take(part) })
            }
        }
    }

    /// Returns a list that an iterator keeps, after charging it with its items.
    pub(crate) fn kept(&self, items: Vec<Value>) -> Result<Rc<NestedCollection<Vec<Value>>>> {
        let list = NestedCollection::list(items);
        self.take(&Value::List(list.clone()))?;
        Ok(list)
    }

    /// Charges a value that an iterator keeps.
    pub(crate) fn keep(&self, value: &Value) -> Result<()> {
        self.take(value)?;
        Ok(self.budget.bytes(Value::SIZE)?)
    }

    /// Charges the steps of visiting values of the given number of bytes, with all their content.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`spend`](Self::spend).
    pub(crate) fn look_through(&self, bytes: u64) -> Result<()> {
        const STEP: u64 = 128;
        self.spend(bytes / STEP)
    }

    /// Returns a compiled regular expression. Each one is compiled only once.
    pub(crate) fn pattern(&self, text: &Arc<str>, flags: Flags) -> Result<Rc<Pattern>> {
        let key = (text.clone(), flags);
        if let Some(known) = self.patterns.borrow().get(&key) {
            self.spend(1)?;
            return known.clone();
        }
        let compiled = Pattern::new(self, text, flags).map(Rc::new);
        // A failure for lack of steps may be cached: there will be no more steps.
        self.patterns.borrow_mut().insert(key, compiled.clone());
        compiled
    }
}

/// The number of bytes of new values per step.
const BYTES_PER_STEP: u64 = 64;

/// The items of an unfinished list, which are charged before it is a value.
pub(crate) struct Gathered<'m> {
    meter: &'m Meter,
    items: Vec<Value>,
    bytes: u64,
}

impl<'m> Gathered<'m> {
    pub(crate) fn new(meter: &'m Meter) -> Self {
        Self { meter, items: Vec::new(), bytes: 0 }
    }

    pub(crate) fn push(&mut self, item: Value) -> Result<()> {
        match &item {
            Value::List(_) | Value::Dict(_) | Value::Set(_) => self.meter.take(&item)?,
            item => self.bytes += item.new_bytes(),
        }
        self.bytes += Value::SIZE;
        self.meter.budget.has_room(self.bytes)?;
        self.items.push(item);
        Ok(())
    }

    /// Returns the items, unless they are too many for one value.
    pub(crate) fn items(self) -> Result<Vec<Value>> {
        self.meter.check_memory(self.items.len() as u64 * 8)?;
        Ok(self.items)
    }

    pub(crate) fn value(self) -> Result<Value> {
        let meter = self.meter;
        let list = Value::list(self.items()?);
        meter.check_value(&list)?;
        Ok(list)
    }
}

/// Runs something that can't fail if there is enough stack: dropping and comparing values, whose depth is bounded.
pub(crate) fn grow<T>(work: impl FnOnce() -> T) -> T {
    const RED_ZONE: usize = 128 << 10;
    const STACK: usize = 2 << 20;
    // In WebAssembly, only a part of the stack can be replaced.
    if cfg!(target_family = "wasm") { work() } else { stacker::maybe_grow(RED_ZONE, STACK, work) }
}

/// The maximum depth of lists, dictionaries and sets.
pub(crate) const MAX_NESTING: u32 = 500;
/// The maximum size of a value whose shared content counts each time, as a multiple of the limit for one value.
const SHARES: u64 = 64;
/// The maximum depth of contexts and iterators that keep each other alive. They are dropped recursively, and the stack of
/// WebAssembly can't grow.
const MAX_LAZY_NESTING: u32 = if cfg!(target_family = "wasm") { 300 } else { 10_000 };
