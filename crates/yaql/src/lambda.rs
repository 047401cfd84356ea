//! Expressions that are evaluated later.

use std::sync::Arc;

use crate::context::Context;
use crate::error::Result;
use crate::syntax::{Expr, Name};
use crate::value::Value;

/// An expression with the context that it was written in.
#[derive(Clone, Debug)]
pub struct Lambda {
    expression: Expr,
    context: Context,
}

impl Lambda {
    /// Creates a lambda that evaluates the expression in children of the context.
    pub fn new(expression: Expr, context: Context) -> Self {
        Self { expression, context }
    }

    /// Returns the expression.
    pub fn expression(&self) -> &Expr {
        &self.expression
    }

    /// Returns the context that the expression was written in.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Evaluates the expression in its context, without arguments.
    ///
    /// # Errors
    ///
    /// Returns the errors of the evaluation.
    pub fn evaluate(&self) -> Result<Value> {
        self.context.evaluate_lazily(&self.expression)
    }

    /// Evaluates the expression with the given arguments as `$`, `$2` and so on.
    ///
    /// # Errors
    ///
    /// Returns the errors of the evaluation.
    pub fn call<const N: usize>(&self, arguments: [Value; N]) -> Result<Value> {
        self.call_with(arguments, [])
    }

    /// Evaluates the expression with positional and named variables.
    ///
    /// # Errors
    ///
    /// Returns the errors of the evaluation.
    pub fn call_with(
        &self,
        arguments: impl IntoIterator<Item = Value>,
        named: impl IntoIterator<Item = (Arc<str>, Value)>,
    ) -> Result<Value> {
        // A call creates a context for its arguments.
        const STEPS: u64 = 4;
        self.context.meter().spend(STEPS)?;
        let context = self.context.child();
        for (number, value) in (1..).zip(arguments) {
            context.set(Name::Position(number), value);
        }
        for (name, value) in named {
            context.set(Name::Named(name), value);
        }
        context.evaluate_lazily(&self.expression)
    }
}
