//! Environment variables: `env.NAME`.

use super::{ExprRef, Graph, ScopeId};
use crate::error::{Category, Error, Result};
use crate::evaluate::to_text;
use crate::source::Span;
use crate::syntax::{ExprKind, Tree};
use crate::value::{SECRET, Value};

/// A lookup of variables by name.
type Variables<'o> = Box<dyn Fn(&str) -> Option<String> + 'o>;

/// Access to environment variables.
#[derive(Default)]
pub(crate) enum Environment<'o> {
    /// `env` is a name like any other.
    #[default]
    Absent,
    Refused,
    Given(Variables<'o>),
}

impl<'o> Graph<'o> {
    pub(crate) fn set_environment(&mut self, environment: Environment<'o>) {
        self.loaded.environment = environment;
        for at in 0..self.loaded.trees.len() {
            let tree = self.tree(at as u32);
            self.note_environment(&tree);
        }
    }

    /// Records that a document may read secrets.
    pub(super) fn note_environment(&mut self, tree: &Tree) {
        self.loaded.has_secrets |= matches!(self.loaded.environment, Environment::Given(_))
            && tree.exprs.iter().any(|expr| matches!(expr.kind, ExprKind::Name(name) if name == self.words.env));
    }

    pub(crate) fn has_environment(&self) -> bool {
        !matches!(self.loaded.environment, Environment::Absent)
    }

    /// Returns whether an expression is the environment: the name `env`, unless the name has another meaning.
    pub(crate) fn is_environment(&mut self, expr: ExprRef, scope: ScopeId) -> Result<bool> {
        let tree = self.tree(expr.tree);
        let node = tree.expr(expr.expr);
        let is_named = matches!(node.kind, ExprKind::Name(name) if name == self.words.env);
        if !is_named || !self.has_environment() {
            return Ok(false);
        }
        node.evaluate();
        Ok(self.find(scope, self.words.env, node.span)?.is_none())
    }

    /// Returns the value of a variable whose name is computed.
    pub(crate) fn indexed_variable(&mut self, name: &Value, at: Span) -> Result<Value> {
        let text = to_text(name, at)?;
        let variable = self.variable(&text, at);
        variable.map_err(|error| if name.is_secret() { error.without(&|_| true) } else { error })
    }

    /// Returns the value of an environment variable, which is a secret.
    pub(crate) fn variable(&mut self, name: &str, at: Span) -> Result<Value> {
        if self.loaded.sources.get(at.source).remote {
            let message = "a remote document can't read environment variables";
            return Err(Error::new(Category::Denied, at, message));
        }
        let Environment::Given(variable) = &self.loaded.environment else {
            let message = "documents can't read environment variables here";
            return Err(Error::new(Category::Denied, at, message).help("set an input instead"));
        };
        let Some(text) = variable(name) else {
            let message = format!("there is no environment variable `{name}`");
            return Err(Error::new(Category::NoMatching, at, message)
                .help(format!("set the variable, or write `env.{name} else …`")));
        };
        self.make_text(text.len(), at)?;
        Ok(Value::text(&text, at, SECRET | self.labels_at(at.source)))
    }
}
