//! Standalone expressions.

use std::rc::Rc;

use crate::context::Context;
use crate::error::Result;
use crate::function::Library;
use crate::library;
use crate::meter::{Dialect, Limits, Meter};
use crate::syntax::{Expression, Syntax};
use crate::value::Value;

/// An evaluator for standalone expressions, which are not embedded in a different language.
pub struct Engine {
    library: Rc<Library>,
    formatting: Rc<Library>,
    legacy: Option<Rc<Library>>,
    limits: Limits,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new(Dialect::Standard, Limits::default())
    }
}

impl Engine {
    /// Creates an engine for a dialect, with limits for each evaluation.
    pub fn new(dialect: Dialect, limits: Limits) -> Self {
        let legacy = (dialect == Dialect::Legacy).then(library::legacy);
        Self { library: library::standard(), formatting: library::formatting(), legacy, limits }
    }

    /// Creates a context with the functions of the dialect and a value for `$`.
    pub fn context(&self, data: Value) -> Context {
        let dialect = if self.legacy.is_some() { Dialect::Legacy } else { Dialect::Standard };
        let meter = Rc::new(Meter::new(self.limits.clone()));
        let mut context = Context::new(meter, dialect, self.library.clone()).with_library(self.formatting.clone());
        if let Some(legacy) = &self.legacy {
            context = context.with_library(legacy.clone());
        }
        context.set_data(data);
        context
    }

    /// Evaluates the expression in the given text, with a value for `$`.
    ///
    /// # Errors
    ///
    /// Returns any parse or evaluation error, with its position in the expression.
    pub fn evaluate(&self, text: &str, data: Value) -> Result<Value> {
        let expression = Expression::parse(text, Syntax::Standard)?;
        self.context(data).evaluate(expression.root())
    }
}
