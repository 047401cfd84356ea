//! Calls of macros and functions.

use crate::error::{Category, Error, Result, Step};
use crate::graph::{ExprRef, Graph, ScopeId, ScopeKind, ThunkKind};
use crate::name::Name;
use crate::source::Span;
use crate::syntax::ExprId;
use crate::value::{Kind, Value};

/// The parts of a call: what is called, and with what.
type Parts<'a> = (ExprId, &'a [ExprId], &'a [(Name, ExprId)]);

impl Graph<'_> {
    pub(super) fn call_value(&mut self, expr: ExprRef, parts: Parts<'_>, scope: ScopeId, at: Span) -> Result<Value> {
        let (callee, positional, keywords) = parts;
        let within = |inner| ExprRef { tree: expr.tree, expr: inner };
        let called = self.eval(within(callee), scope)?;
        match called.kind {
            Kind::Macro(body) => {
                self.check_calls(scope, at)?;
                if !positional.is_empty() {
                    let message = "a macro takes its arguments by name";
                    return Err(Error::new(Category::Type, at, message).help("write `name=value`"));
                }
                let bound: Vec<_> = keywords
                    .iter()
                    .map(|(name, value)| (*name, self.add_thunk(ThunkKind::Expr(within(*value), scope))))
                    .collect();
                let step = Step { what: "called here:", at };
                let inner = self.add_scope(scope, ScopeKind::Arguments(bound, None), Some(step));
                self.call_block(body, inner)
            }
            Kind::Function(function) => {
                if let Some((name, _)) = keywords.first() {
                    let message = format!(
                        "the function has no argument `{}`; arguments have no names here",
                        self.names.text(*name)
                    );
                    return Err(Error::new(Category::Type, at, message));
                }
                let mut arguments = Vec::new();
                for argument in positional {
                    arguments.push((self.eval(within(*argument), scope)?, self.expr_span(within(*argument))));
                }
                self.apply_function(function, &arguments, at)
            }
            _ => {
                let message = format!("{} can't be called", called.what());
                Err(Error::new(Category::Type, self.expr_span(within(callee)), message).used(called.at))
            }
        }
    }
}
