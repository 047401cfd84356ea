//! Lazy evaluation of expressions, with the meaning that they have in Python.

mod arithmetic;
mod call;
mod collection;
mod compare;
mod convert;
mod format;
mod function;
mod numeric;
mod subscript;

use crate::error::{Category, Error, Result};
use crate::graph::{BlockRef, ExprRef, Graph, ScopeId, ValueRef};
use crate::source::Span;
use crate::syntax::{ExprKind, Literal, Tree, Unary};
use crate::value::{Kind, Text, Value};

use call::Parts;

pub(crate) use convert::{Number, number, to_text, wrong};
pub(crate) use function::{Function, Pattern};

impl Graph<'_> {
    /// Evaluates an expression in a scope.
    pub(crate) fn eval(&mut self, expr: ExprRef, scope: ScopeId) -> Result<Value> {
        let tree = self.tree(expr.tree);
        let node = tree.expr(expr.expr);
        if let ExprKind::Literal(literal) = &node.kind {
            return Ok(self.literal(literal, node.span));
        }
        self.nested(node.span, |graph| graph.eval_node(&tree, expr, scope)).map_err(|error| {
            self.note_unknown(&error, expr, scope);
            match error.steps() {
                [] => error.trail(self.trail(scope)),
                _ => error,
            }
        })
    }

    fn literal(&self, literal: &Literal, at: Span) -> Value {
        let kind = match literal {
            Literal::Int(number) => Kind::Int(*number, None),
            Literal::Float(number) => Kind::Float(*number, None),
            Literal::Text(text) => Kind::Text(Text { plain: text.clone(), safe: None, absent: false }),
        };
        Value::new(kind, at, self.labels_at(at.source))
    }

    fn eval_node(&mut self, tree: &Tree, expr: ExprRef, scope: ScopeId) -> Result<Value> {
        let node = tree.expr(expr.expr);
        let at = node.span;
        let own = self.labels_at(at.source);
        let within = |expr_id| ExprRef { tree: expr.tree, expr: expr_id };
        match &node.kind {
            ExprKind::Literal(literal) => Ok(self.literal(literal, at)),
            ExprKind::Name(name) => {
                node.evaluate();
                self.name(*name, scope, at).map(|value| value.labeled(own))
            }
            ExprKind::List(items) => {
                let list = self.display(tree, expr.tree, items, scope, at)?;
                Ok(Value::new(Kind::List(list), at, own))
            }
            ExprKind::Dict(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| (key.map(within), within(*value))).collect();
                self.dict(pairs, scope, at)
            }
            ExprKind::Set(items) => {
                let list = self.display(tree, expr.tree, items, scope, at)?;
                let items = self.items(list)?;
                let labels = self.list_labels(list);
                Ok(self.distinct(items, at)?.labeled(labels))
            }
            ExprKind::Spread(operand) => self.eval(within(*operand), scope),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension, expr, scope, at),
            ExprKind::Unsupported(what) => Err(Error::new(Category::Type, at, format!("{what} is not a value"))),
            ExprKind::Attribute(inner, name) if self.is_environment(within(*inner), scope)? => {
                let name = self.text_of(*name);
                self.variable(&name, at)
            }
            ExprKind::Index(inner, index) if self.is_environment(within(*inner), scope)? => {
                let index = self.eval(within(*index), scope)?;
                self.indexed_variable(&index, at)
            }
            ExprKind::Attribute(inner, name) => {
                let value = self.eval(within(*inner), scope)?;
                self.attribute(&value, *name, at, self.expr_span(within(*inner)))
            }
            ExprKind::Index(inner, index) => {
                let value = self.eval(within(*inner), scope)?;
                let index = self.eval(within(*index), scope)?;
                self.index(&value, &index, at)
            }
            ExprKind::Slice(inner, bounds) => {
                let value = self.eval(within(*inner), scope)?;
                let mut evaluated = [None, None, None];
                for (bound, place) in bounds.iter().zip(&mut evaluated) {
                    *place = bound.map(|bound| self.eval(within(bound), scope)).transpose()?;
                }
                self.slice(&value, &evaluated, at)
            }
            ExprKind::Call { callee, positional, keywords, spread } => {
                let parts = Parts { callee: *callee, positional, keywords, spread: *spread };
                self.call_value(tree, expr.tree, &parts, scope, at)
            }
            ExprKind::Unary(operator, operand) => {
                let value = self.eval(within(*operand), scope)?;
                self.unary(*operator, &value, at, self.expr_span(within(*operand)))
            }
            ExprKind::Binary(operator, left, right) => {
                let (left_value, right_value) = (self.eval(within(*left), scope)?, self.eval(within(*right), scope)?);
                let spans = (self.expr_span(within(*left)), self.expr_span(within(*right)));
                self.binary(*operator, (&left_value, spans.0), (&right_value, spans.1), at)
            }
            ExprKind::Compare(first, chain) => self.chain(within(*first), chain, scope, at),
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                let and = matches!(node.kind, ExprKind::And(..));
                let value = self.eval(within(*left), scope)?;
                let (is_true, labels) = self.truth(&value)?;
                if is_true != and {
                    return Ok(value);
                }
                Ok(self.eval(within(*right), scope)?.labeled(labels))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let value = self.eval(within(*condition), scope)?;
                let (is_true, labels) = self.truth(&value)?;
                let branch = if is_true { then } else { otherwise };
                Ok(self.eval(within(*branch), scope)?.labeled(labels))
            }
            ExprKind::Else(left, right) => match self.eval(within(*left), scope) {
                Err(error) if error.category() == Category::NoMatching && !self.is_unknown(&error) => {
                    Ok(self.eval(within(*right), scope)?.labeled(error.labels()))
                }
                result => result,
            },
            ExprKind::Template(value) => self.value(ValueRef { tree: expr.tree, value: *value }, scope, None),
        }
    }

    fn name(&mut self, name: crate::name::Name, scope: ScopeId, at: Span) -> Result<Value> {
        use crate::graph::Found;
        match self.find(scope, name, at)? {
            Some(Found::Value(value)) => Ok(value),
            Some(Found::Thunk(thunk)) => self.force(thunk),
            None => {
                if name == self.words.env && self.has_environment() {
                    let error = Error::new(Category::Type, at, "`env` can only be used as `env.NAME`");
                    return Err(error.help("write the name of an environment variable"));
                }
                let text = self.text_of(name);
                let message = format!("there is no `{text}` here");
                let error = Error::new(Category::NoMatching, at, message).of_unknown_name();
                Err(self.suggest_name(error, &text, scope))
            }
        }
    }

    /// Adds a suggestion to an error, unless too many have been made.
    fn suggest_name(&mut self, error: Error, text: &str, scope: ScopeId) -> Error {
        if self.loaded.suggestions.is_spent() {
            return error;
        }
        if self.is_key_around(scope, text) {
            return error.help(format!("write `here.{text}` for the key of the enclosing mapping"));
        }
        let names = self.names_at(scope);
        self.loaded.suggestions.add(error, text, names.iter().map(|name| &**name))
    }

    fn unary(&mut self, operator: Unary, value: &Value, at: Span, user: Span) -> Result<Value> {
        if operator == Unary::Not {
            let (is_true, labels) = self.truth(value)?;
            return Ok(Value::new(Kind::Bool(!is_true, None), at, labels));
        }
        Ok(Value::new(arithmetic::sign(operator, value, at, user)?, at, value.labels))
    }

    /// Evaluates the body of a macro in the scope of its arguments.
    pub(crate) fn call_block(&mut self, body: BlockRef, scope: ScopeId) -> Result<Value> {
        self.block_value(body, scope, None)
    }
}
