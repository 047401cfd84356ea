//! What goes wrong when expressions are evaluated.

use crate::ard::Node;

/// Something that went wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure<'a> {
    /// The expression, or the part of it.
    pub(crate) node: Node<'a>,
    /// What is wrong with it.
    pub(crate) reason: Reason,
}

/// Why an expression gives no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// An integer is too large.
    Overflow,
    /// Something is divided by zero.
    DivisionByZero,
    /// There is no entry of that name, or with that index, in what is given.
    NoEntry,
    /// An argument is not what the function can be given.
    WrongArgument,
    /// It would take too long, or the value would be too large.
    TooMuch,
}
