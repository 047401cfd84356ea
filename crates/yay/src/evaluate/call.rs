//! Calls of macros and functions.

use super::convert::wrong;
use crate::error::{Category, Error, Result, Step};
use crate::graph::{ExprRef, Graph, ScopeId, ScopeKind, ThunkKind};
use crate::name::Name;
use crate::source::Span;
use crate::syntax::{ExprId, ExprKind, Tree};
use crate::value::{Kind, Value};

/// The parts of a call.
pub(super) struct Parts<'a> {
    pub(super) callee: ExprId,
    pub(super) positional: &'a [ExprId],
    pub(super) keywords: &'a [(Name, ExprId)],
    /// A mapping of further arguments.
    pub(super) spread: Option<ExprId>,
}

impl Graph<'_> {
    pub(super) fn call_value(
        &mut self,
        tree: &Tree,
        number: u32,
        parts: &Parts<'_>,
        scope: ScopeId,
        at: Span,
    ) -> Result<Value> {
        let within = |expr| ExprRef { tree: number, expr };
        let called = self.eval(within(parts.callee), scope)?;
        match called.kind {
            Kind::Macro(body) => {
                self.check_calls(scope, at)?;
                if !parts.positional.is_empty() {
                    let message = "a macro takes its arguments by name";
                    return Err(Error::new(Category::Type, at, message).help("write `name=value`"));
                }
                let keywords = parts.keywords.iter();
                let bound: Vec<_> = keywords
                    .map(|(name, value)| (*name, self.add_thunk(ThunkKind::Expr(within(*value), scope))))
                    .collect();
                let mut more = None;
                if let Some(spread) = parts.spread {
                    let value = self.eval(within(spread), scope)?;
                    let Kind::Map(view) = value.kind else {
                        return Err(wrong(&value, "a mapping", self.expr_span(within(spread))));
                    };
                    more = Some(self.mapping_of(&value, view)?);
                }
                let step = Step { what: "called here:", at };
                let inner = self.add_scope(scope, ScopeKind::Arguments(bound, more), Some(step));
                self.call_block(body, inner)
            }
            Kind::Function(function) => {
                if let Some((name, _)) = parts.keywords.first() {
                    let message = format!(
                        "the function has no argument `{}`; it takes arguments by position",
                        self.loaded.names.text(*name)
                    );
                    return Err(Error::new(Category::Type, at, message));
                }
                if let Some(spread) = parts.spread {
                    let message = "a function takes its arguments by position";
                    return Err(Error::new(Category::Type, self.expr_span(within(spread)), message));
                }
                let mut arguments = Vec::new();
                for argument in parts.positional {
                    let span = tree.expr(*argument).span;
                    let value = self.eval(within(*argument), scope)?;
                    if !matches!(tree.expr(*argument).kind, ExprKind::Spread(_)) {
                        arguments.push((value, span));
                        continue;
                    }
                    let list = self.iterable(&value, span)?;
                    for item in self.items(list)? {
                        arguments.push((self.force(item)?, span));
                    }
                }
                self.apply_function(function, &arguments, at)
            }
            _ => {
                let message = format!("{} can't be called", called.what());
                Err(Error::new(Category::Type, self.expr_span(within(parts.callee)), message).used(called.at))
            }
        }
    }
}
