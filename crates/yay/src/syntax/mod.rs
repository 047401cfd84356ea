//! From text to syntax: lines, the tokens of expressions, and a parser with one token of lookahead.
//!
//! The syntax of a file is kept in flat lists whose indexes serve as references, so that neither deep nesting nor
//! sharing is expensive. It is never changed and never copied: evaluation works on pairs of syntax and scope.

mod block;
mod directive;
mod expression;
mod line;
mod primary;
mod scalar;
mod token;
mod tree;

pub(crate) use block::{parse, parse_expression};
pub(crate) use expression::is_reserved;
pub(crate) use scalar::typed;
pub(crate) use token::{on_one_line, quoted};
pub(crate) use tree::*;
