//! From text to expressions.

mod escape;
mod parse;
mod scan;
mod tree;

use std::fmt;
use std::sync::Arc;

pub use self::tree::{Argument, Constant, Expr, Kind, Name, Node, Operator};
use crate::error::Result;

/// The dialect of expressions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// The operators of YAQL.
    #[default]
    Standard,
    /// The dialect of `MuranoPL`, with `:` and `is`.
    Murano,
}

/// A parsed expression with its text. It can be shared between threads and evaluated any number of times.
#[derive(Clone)]
pub struct Expression {
    text: Arc<str>,
    root: Expr,
}

impl Expression {
    /// The maximum depth of an expression.
    pub const MAX_DEPTH: u32 = 200;

    /// Parses the given text.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Lexical`](crate::ErrorKind::Lexical) or [`ErrorKind::Grammar`](crate::ErrorKind::Grammar),
    /// with the position; [`ErrorKind::Depth`](crate::ErrorKind::Depth) if it is nested too deeply.
    ///
    /// ```
    /// # use tosca_parse_yaql::{Expression, Syntax};
    /// assert!(Expression::parse("$.a + 1", Syntax::Standard).is_ok());
    /// let error = Expression::parse("$.a +* 1", Syntax::Standard).unwrap_err();
    /// assert_eq!(error.span(), Some(5..6));
    /// ```
    pub fn parse(text: &str, syntax: Syntax) -> Result<Self> {
        let text: Arc<str> = text.into();
        let root = parse::parse(&text, syntax)?;
        Ok(Self { text, root })
    }

    /// Returns the expression as written.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the outermost node.
    pub fn root(&self) -> &Expr {
        &self.root
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expression({:?})", self.text)
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}
