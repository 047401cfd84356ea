//! A budget of steps, bytes and stack.
//!
//! An evaluator spends from one [`Budget`] for everything that it does: steps for its work, and the bytes of each value
//! when it is created. So the limit on steps bounds the time of a whole evaluation and the limit on bytes bounds its
//! memory, regardless of its expressions. An evaluator that knows when a value is dropped gives the value's bytes back.
//!
//! ```
//! use tosca_parse_budget::{Budget, Limits, Resource};
//!
//! let budget = Budget::new(Limits { bytes: 1000, ..Limits::default() });
//! assert!(budget.bytes(900).is_ok());
//! let exceeded = budget.bytes(200).unwrap_err();
//! assert_eq!(exceeded.resource, Resource::Bytes);
//! assert_eq!(exceeded.to_string(), "the evaluation creates more than 1000 bytes of values");
//! ```

pub mod json;
pub mod pattern;

use std::cell::Cell;
use std::fmt;

/// The maximum cost of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of steps. A million steps take about a tenth of a second.
    pub steps: u64,
    /// The maximum total size of all values, in bytes.
    pub bytes: u64,
    /// The maximum number of bytes of additional stack, beyond the thread's own stack.
    pub stack: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 5_000_000, bytes: 32 << 20, stack: 48 << 20 }
    }
}

impl Limits {
    /// The number of additional steps for each byte of input.
    const STEPS_PER_BYTE: u64 = 8;
    /// The number of additional bytes of values for each byte of input.
    const BYTES_PER_BYTE: u64 = 16;

    /// Returns these limits, raised in proportion to an input of the given size in bytes.
    #[must_use]
    pub fn for_input(self, bytes: u64) -> Self {
        Self {
            steps: self.steps.saturating_add(bytes.saturating_mul(Self::STEPS_PER_BYTE)),
            bytes: self.bytes.saturating_add(bytes.saturating_mul(Self::BYTES_PER_BYTE)),
            stack: self.stack,
        }
    }
}

/// A resource that a budget limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    /// Steps, hence time.
    Steps,
    /// Bytes of values, hence memory.
    Bytes,
    /// Bytes of stack, hence the depth of nesting.
    Stack,
}

impl Resource {
    /// Returns the user-facing name of the limit.
    pub fn limit_name(self) -> &'static str {
        match self {
            Self::Steps => "eval-steps",
            Self::Bytes => "eval-bytes",
            Self::Stack => "eval-stack",
        }
    }
}

/// The error of an evaluation that costs more than its limits allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// The exhausted resource.
    pub resource: Resource,
    /// The limit on the resource.
    pub limit: u64,
}

impl Exceeded {
    /// Returns a suggestion for how to stay within the limit.
    pub fn help(&self) -> String {
        format!("compute less, or raise the limit: `--limit {}=…`", self.resource.limit_name())
    }
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = self.limit;
        match self.resource {
            Resource::Steps => write!(f, "the evaluation takes more than {limit} steps"),
            Resource::Bytes => write!(f, "the evaluation creates more than {limit} bytes of values"),
            Resource::Stack => {
                write!(f, "the evaluation is nested too deeply: it needs more than {limit} bytes of stack")
            }
        }
    }
}

impl std::error::Error for Exceeded {}

/// The limits of an evaluation and its cost so far.
#[derive(Debug)]
pub struct Budget {
    limits: Cell<Limits>,
    steps: Cell<u64>,
    bytes: Cell<u64>,
    stack: Cell<u64>,
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Budget {
    /// Creates an unspent budget.
    pub fn new(limits: Limits) -> Self {
        Self { limits: Cell::new(limits), steps: Cell::new(0), bytes: Cell::new(0), stack: Cell::new(0) }
    }

    /// Returns the limits.
    pub fn limits(&self) -> Limits {
        self.limits.get()
    }

    /// Raises the limits in proportion to `bytes` of additional input.
    pub fn add_input(&self, bytes: u64) {
        self.limits.set(self.limits.get().for_input(bytes));
    }

    /// Begins a new evaluation with the same limits.
    pub fn restart(&self) {
        self.steps.set(0);
        self.bytes.set(0);
    }

    /// Returns the number of steps taken so far.
    pub fn steps_taken(&self) -> u64 {
        self.steps.get()
    }

    /// Returns the number of bytes of all values created so far, minus the bytes given back.
    pub fn bytes_made(&self) -> u64 {
        self.bytes.get()
    }

    /// Returns the number of bytes of values that may still be created.
    pub fn bytes_left(&self) -> u64 {
        self.limits.get().bytes.saturating_sub(self.bytes.get())
    }

    /// Charges for the given number of steps.
    ///
    /// # Errors
    ///
    /// Returns an error if that is more than the limit.
    #[inline]
    pub fn steps(&self, steps: u64) -> Result<(), Exceeded> {
        spend(&self.steps, steps, self.limits.get().steps, Resource::Steps)
    }

    /// Charges for values with the given size in bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if that is more than the limit.
    #[inline]
    pub fn bytes(&self, bytes: u64) -> Result<(), Exceeded> {
        spend(&self.bytes, bytes, self.limits.get().bytes, Resource::Bytes)
    }

    /// Checks whether a limit has been exceeded by charges whose errors were ignored.
    ///
    /// # Errors
    ///
    /// Returns an error if the budget has been exceeded.
    pub fn check(&self) -> Result<(), Exceeded> {
        self.steps(0)?;
        self.bytes(0)
    }

    /// Gives back the bytes of a dropped value.
    pub fn give_back(&self, bytes: u64) {
        self.bytes.set(self.bytes.get().saturating_sub(bytes));
    }

    /// Checks whether values with the given size in bytes would stay within the limit.
    ///
    /// # Errors
    ///
    /// Returns an error if that is more than the limit.
    pub fn has_room(&self, bytes: u64) -> Result<(), Exceeded> {
        // A failed charge is kept, so that later charges fail too.
        if bytes > self.bytes_left() { self.bytes(bytes) } else { Ok(()) }
    }

    /// Runs `work` one level deeper, on additional stack if little is left.
    ///
    /// # Errors
    ///
    /// Returns an error if the additional stack would exceed the limit.
    pub fn deeper<T>(&self, work: impl FnOnce() -> T) -> Result<T, Exceeded> {
        const RED_ZONE: usize = 128 << 10;
        const SEGMENT: usize = 2 << 20;
        // Stack frames in unoptimized builds are several times as large.
        const COUNTED: u64 = SEGMENT as u64 / if cfg!(debug_assertions) { 8 } else { 1 };
        let Some(left) = stacker::remaining_stack() else { return self.deeper_on_fixed_stack(work) };
        if left >= RED_ZONE {
            return Ok(work());
        }
        let before = self.stack.get();
        self.stack.set(before + COUNTED);
        let limit = self.limits.get().stack;
        let result = if before + COUNTED > limit {
            Err(Exceeded { resource: Resource::Stack, limit })
        } else {
            Ok(stacker::grow(SEGMENT, work))
        };
        self.stack.set(before);
        result
    }

    /// Runs `work` one level deeper on a stack of unknown size that can't be extended. In WebAssembly, engines provide
    /// about a megabyte, and the program can't continue after an overflow.
    fn deeper_on_fixed_stack<T>(&self, work: impl FnOnce() -> T) -> Result<T, Exceeded> {
        const SIZE: u64 = 1 << 20;
        const LEVEL: u64 = 6 << 10;
        let before = self.stack.get();
        if before + LEVEL > SIZE {
            return Err(Exceeded { resource: Resource::Stack, limit: SIZE });
        }
        self.stack.set(before + LEVEL);
        let result = work();
        self.stack.set(before);
        Ok(result)
    }
}

fn spend(spent: &Cell<u64>, more: u64, limit: u64, resource: Resource) -> Result<(), Exceeded> {
    let total = spent.get().saturating_add(more);
    spent.set(total);
    if total > limit { Err(Exceeded { resource, limit }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_raises_the_limits() {
        let budget = Budget::new(Limits { steps: 10, bytes: 10, stack: 0 });
        assert_eq!(budget.steps(10), Ok(()));
        assert_eq!(budget.steps(1), Err(Exceeded { resource: Resource::Steps, limit: 10 }));
        budget.add_input(1);
        assert_eq!(budget.steps(7), Ok(()));
        assert!(budget.steps(1).is_err());
        assert_eq!(budget.has_room(26), Ok(()));
        assert!(budget.has_room(27).is_err());
        budget.restart();
        assert_eq!(budget.steps(18), Ok(()));
    }

    #[test]
    fn a_stack_that_cannot_grow_has_few_levels() {
        fn down(budget: &Budget, depth: u64) -> Result<u64, Exceeded> {
            if depth == 0 { Ok(0) } else { budget.deeper_on_fixed_stack(|| down(budget, depth - 1))? }
        }
        let budget = Budget::default();
        assert_eq!(down(&budget, 100), Ok(0));
        assert_eq!(down(&budget, 1000), Err(Exceeded { resource: Resource::Stack, limit: 1 << 20 }));
        assert_eq!(down(&budget, 100), Ok(0));
    }

    #[test]
    fn endless_recursion_ends() {
        fn down(budget: &Budget, depth: u64) -> Result<u64, Exceeded> {
            budget.deeper(|| down(budget, std::hint::black_box(depth + 1)))?.map(|depth| depth + 1)
        }
        let budget = Budget::new(Limits { stack: 4 << 20, ..Limits::default() });
        assert_eq!(down(&budget, 0).map_err(|exceeded| exceeded.resource), Err(Resource::Stack));
        assert_eq!(budget.deeper(|| 1), Ok(1));
    }
}
