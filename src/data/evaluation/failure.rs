//! Failures of evaluation.

use crate::ard::Node;

/// The failure of an evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure<'a> {
    /// The expression, or a part of it.
    pub(crate) node: Node<'a>,
    /// The reason.
    pub(crate) reason: Reason,
}

/// The reason why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// An integer is too large.
    Overflow,
    /// The divisor is zero.
    DivisionByZero,
    /// There is no entry with this name or index.
    NoEntry,
    /// An argument is not accepted by the function.
    WrongArgument,
    /// The computation would take too long, or the value would be too large.
    TooMuch,
}
