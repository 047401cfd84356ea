//! Folding of expressions.

use std::rc::Rc;

use super::Folder;
use super::write::literal;
use crate::data::Data;
use crate::error::{Category, Error, Result};
use crate::graph::{ExprRef, Graph, ScopeId, ScopeKind};
use crate::name::Name;
use crate::source::Span;
use crate::syntax::{ExprKind, Part, Tree, ValueKind, on_one_line};
use crate::value::{Kind, MASK, SECRET, Value, float_text};

/// The result of folding an expression.
pub(super) enum Rest {
    /// A value.
    Known(Value),
    /// The text of an expression that contains unknown names.
    Unknown(String, Form),
}

/// Whether an expression needs parentheses inside another expression.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Form {
    Atom,
    /// Operands on both sides of an operator, which need no parentheses on the left of the same operator.
    Chain(&'static str),
    Compound,
}

impl Graph<'_> {
    /// Folds an expression, either as a truth value or unconverted.
    pub(super) fn fold_expr(&mut self, folder: &mut Folder, expr: ExprRef, scope: ScopeId, truth: bool) -> Rest {
        let rest = self.nested(self.expr_span(expr), |graph| graph.fold_known(folder, expr, scope, truth));
        rest.unwrap_or_else(|error| {
            folder.record(error);
            Rest::Unknown(self.written_as(folder, expr), Form::Compound)
        })
    }

    /// Folds an expression, unless it has errors other than unknown names.
    fn fold_known(&mut self, folder: &mut Folder, expr: ExprRef, scope: ScopeId, truth: bool) -> Result<Rest> {
        if !self.unknown.contains(&(expr, scope)) {
            let whole = self.eval(expr, scope).and_then(|value| match value.kind {
                Kind::List(_) | Kind::Map(_) => match self.data_of(&value, false) {
                    Err(error) if error.each().iter().any(|error| error.is_unknown()) => Err(error),
                    _ => Ok(value),
                },
                _ => Ok(value),
            });
            match whole {
                Ok(value) => return Ok(Rest::Known(value)),
                Err(error) if !error.is_unknown() => return Err(error),
                Err(_) => {}
            }
        }
        Ok(self.fold_unknown(folder, expr, scope, truth))
    }

    /// Folds an expression that needs unknown names.
    fn fold_unknown(&mut self, folder: &mut Folder, expr: ExprRef, scope: ScopeId, truth: bool) -> Rest {
        let tree = self.tree(expr.tree);
        let within = |inner| ExprRef { tree: expr.tree, expr: inner };
        match &tree.expr(expr.expr).kind {
            ExprKind::Name(name) => {
                folder.names.insert(*name);
                folder.as_written |= self.is_of_loop(*name, scope);
                Rest::Unknown(self.text_of(*name).to_string(), Form::Atom)
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                let and = matches!(tree.expr(expr.expr).kind, ExprKind::And(..));
                self.fold_both(folder, (within(*left), within(*right)), and, scope, truth)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                match self.fold_expr(folder, within(*condition), scope, true) {
                    Rest::Known(value) => {
                        let branch = if self.is_true(&value).unwrap_or(false) { then } else { otherwise };
                        self.fold_expr(folder, within(*branch), scope, truth)
                    }
                    rest @ Rest::Unknown(..) => {
                        let mut made = [*then, *otherwise].map(|branch| {
                            let rest = folder.in_doubt(|folder| self.fold_expr(folder, within(branch), scope, false));
                            self.operand(folder, within(branch), rest)
                        });
                        let condition = self.operand(folder, within(*condition), rest);
                        made[0].extend([" if ", &condition, " else "]);
                        Rest::Unknown(made.concat(), Form::Compound)
                    }
                }
            }
            ExprKind::Else(left, right) if self.is_missing(within(*left), scope) => {
                self.fold_expr(folder, within(*right), scope, truth)
            }
            ExprKind::Comprehension(_) => Rest::Unknown(self.written_as(folder, expr), Form::Atom),
            _ => self.fold_operands(folder, &tree, expr, scope),
        }
    }

    /// Folds `and` and `or`: a known operand decides the result, or has no influence on it.
    fn fold_both(
        &mut self,
        folder: &mut Folder,
        (left, right): (ExprRef, ExprRef),
        and: bool,
        scope: ScopeId,
        truth: bool,
    ) -> Rest {
        let first = self.fold_expr(folder, left, scope, truth);
        if let Rest::Known(value) = &first {
            // The left operand is not the result; otherwise, the whole expression would be known.
            let is_neutral = self.is_true(value).unwrap_or(and) == and;
            return if is_neutral { self.fold_expr(folder, right, scope, truth) } else { first };
        }
        let second = folder.in_doubt(|folder| self.fold_expr(folder, right, scope, truth));
        if let (true, Rest::Known(value)) = (truth, &second) {
            let is_neutral = self.is_true(value).unwrap_or(!and) == and;
            return if is_neutral { first } else { second };
        }
        let word = if and { "and" } else { "or" };
        let mut made = self.left_operand(folder, left, first, word);
        made.extend([" ", word, " ", &self.operand(folder, right, second)]);
        Rest::Unknown(made, Form::Chain(word))
    }

    /// Returns the text of an expression in which known operands are replaced by their values.
    fn fold_operands(&mut self, folder: &mut Folder, tree: &Rc<Tree>, expr: ExprRef, scope: ScopeId) -> Rest {
        let within = |inner| ExprRef { tree: expr.tree, expr: inner };
        let kind = &tree.expr(expr.expr).kind;
        if let ExprKind::Template(value) = kind {
            let span = tree.value(*value).span;
            let is_hidden = folder.masked && self.labels_at(span.source) & SECRET != 0;
            if let ValueKind::Parts(parts, _) = &tree.value(*value).kind {
                return Rest::Unknown(self.fold_parts(folder, parts, (expr.tree, scope, is_hidden)), Form::Atom);
            }
        }
        let mut parts = Vec::new();
        for (n, inner) in kind.operands().into_iter().enumerate() {
            if let ExprKind::Spread(list) = tree.expr(inner).kind {
                let rest = self.fold_expr(folder, within(list), scope, false);
                parts.push(format!("*{}", self.operand(folder, within(list), rest)));
                continue;
            }
            let is_enclosed = match kind {
                ExprKind::List(_) | ExprKind::Set(_) => true,
                ExprKind::Index(..) | ExprKind::Call { .. } => n > 0,
                _ => false,
            };
            let is_default = n > 0 && matches!(kind, ExprKind::Else(..) | ExprKind::Compare(..));
            let rest = folder.in_doubt_if(is_default, |folder| self.fold_expr(folder, within(inner), scope, false));
            parts.push(match (rest, kind) {
                (Rest::Unknown(text, _), _) if is_enclosed => text,
                (rest, ExprKind::Binary(operator, ..)) if n == 0 => {
                    self.left_operand(folder, within(inner), rest, operator.text())
                }
                (rest, _) => self.operand(folder, within(inner), rest),
            });
        }
        let mut next = parts.into_iter();
        let mut part = || next.next().unwrap_or_default();
        match kind {
            ExprKind::Unary(operator, _) => Rest::Unknown(format!("{}{}", operator.text(), part()), Form::Compound),
            ExprKind::Binary(operator, ..) => {
                let mut made = part();
                made.extend([" ", operator.text(), " ", &part()]);
                Rest::Unknown(made, Form::Chain(operator.text()))
            }
            ExprKind::Else(..) => Rest::Unknown(format!("{} else {}", part(), part()), Form::Compound),
            ExprKind::Compare(_, chain) => {
                let mut made = part();
                for (operator, _) in chain {
                    made.extend([" ", operator.text(), " ", &part()]);
                }
                Rest::Unknown(made, Form::Compound)
            }
            ExprKind::Attribute(_, name) => {
                Rest::Unknown(format!("{}.{}", part(), self.loaded.names.text(*name)), Form::Atom)
            }
            ExprKind::Index(..) => Rest::Unknown(format!("{}[{}]", part(), part()), Form::Atom),
            ExprKind::Slice(_, bounds) => {
                let mut made = part() + "[";
                for (n, bound) in bounds.iter().enumerate().filter(|(n, bound)| *n < 2 || bound.is_some()) {
                    made.push_str(if n > 0 { ":" } else { "" });
                    made.push_str(&bound.map(|_| part()).unwrap_or_default());
                }
                Rest::Unknown(made + "]", Form::Atom)
            }
            ExprKind::List(items) => {
                Rest::Unknown(format!("[{}]", items.iter().map(|_| part()).collect::<Vec<_>>().join(", ")), Form::Atom)
            }
            ExprKind::Set(items) => Rest::Unknown(
                format!("{{{}}}", items.iter().map(|_| part()).collect::<Vec<_>>().join(", ")),
                Form::Atom,
            ),
            ExprKind::Dict(pairs) => {
                let entries = pairs.iter().map(|(key, _)| match key {
                    Some(_) => format!("{}: {}", part(), part()),
                    None => format!("**{}", part()),
                });
                Rest::Unknown(format!("{{{}}}", entries.collect::<Vec<_>>().join(", ")), Form::Atom)
            }
            ExprKind::Call { positional, keywords, spread, .. } => {
                let callee = part();
                let mut arguments: Vec<String> = positional.iter().map(|_| part()).collect();
                arguments
                    .extend(keywords.iter().map(|(name, _)| format!("{}={}", self.loaded.names.text(*name), part())));
                arguments.extend(spread.map(|_| format!("**{}", part())));
                Rest::Unknown(format!("{callee}({})", arguments.join(", ")), Form::Atom)
            }
            _ => Rest::Unknown(self.written_as(folder, expr), Form::Atom),
        }
    }

    /// Returns the text of a folded operand.
    fn operand(&mut self, folder: &mut Folder, expr: ExprRef, rest: Rest) -> String {
        match rest {
            Rest::Unknown(text, Form::Atom) => text,
            Rest::Unknown(text, _) => format!("({text})"),
            Rest::Known(value) => match self.literal_of(&value, folder.masked).filter(|_| !has_notation(&value)) {
                Some(text) if text.starts_with('-') => format!("({text})"),
                Some(text) => text,
                // Functions, macros and numbers such as 1.10 have no literal notation.
                None => self.written_as(folder, expr),
            },
        }
    }

    /// Returns the text of a folded operand on the left of an operator: `a - b - c` is `(a - b) - c`.
    fn left_operand(&mut self, folder: &mut Folder, expr: ExprRef, rest: Rest, operator: &'static str) -> String {
        match rest {
            Rest::Unknown(text, Form::Chain(same)) if same == operator && operator != "**" => text,
            rest => self.operand(folder, expr, rest),
        }
    }

    /// Returns a value as an expression.
    pub(super) fn literal_of(&mut self, value: &Value, masked: bool) -> Option<String> {
        self.data_of(value, masked).ok().map(|data| literal(&data))
    }

    /// Returns an expression as written.
    pub(super) fn written_as(&self, folder: &mut Folder, expr: ExprRef) -> String {
        let span = self.expr_span(expr);
        self.note_written(folder, expr.tree, span);
        let source = self.loaded.sources.get(span.source);
        if folder.masked && source.labels & SECRET != 0 {
            return literal(&Data::Text(MASK.to_owned()));
        }
        let Span { start, end, .. } = self.loaded.trees[expr.tree as usize].whole_span(expr.expr);
        on_one_line(&source.text, start, end)
    }

    /// Returns whether it is certain that a value does not exist.
    fn is_missing(&mut self, expr: ExprRef, scope: ScopeId) -> bool {
        let missing = |error: Error| error.category() == Category::NoMatching && !error.is_unknown();
        !self.unknown.contains(&(expr, scope)) && self.eval(expr, scope).err().is_some_and(missing)
    }

    /// Returns whether a loop gives a value to a name.
    fn is_of_loop(&self, name: Name, scope: ScopeId) -> bool {
        std::iter::successors(Some(scope), |scope| self.scopes[scope.at()].parent).any(|scope| {
            match &self.scopes[scope.at()].kind {
                ScopeKind::Bound(bound) => bound.iter().any(|(found, _)| *found == name),
                _ => false,
            }
        })
    }

    /// Records that a part of a source remains as written.
    pub(super) fn note_written(&self, folder: &mut Folder, tree: u32, span: Span) {
        // Expressions are in the order of their ends.
        let exprs = &self.loaded.trees[tree as usize].exprs;
        let first = exprs.partition_point(|expr| expr.span.end <= span.start);
        let inside = exprs[first..].iter().take_while(|expr| expr.span.end <= span.end);
        folder.names.extend(inside.filter_map(|expr| match expr.kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        }));
        folder.as_written = true;
    }

    /// Folds text with templates, some of which are unknown, to a call of `join`.
    pub(super) fn fold_parts(
        &mut self,
        folder: &mut Folder,
        parts: &[Part],
        (tree, scope, is_hidden): (u32, ScopeId, bool),
    ) -> String {
        let mut terms = Vec::new();
        let mut known = String::new();
        for part in parts {
            match part {
                Part::Text(_) if is_hidden => known.push_str(MASK),
                Part::Text(text) => known.push_str(text),
                Part::Expr(expr) => match self.fold_expr(folder, ExprRef { tree, expr: *expr }, scope, false) {
                    Rest::Unknown(text, _) => {
                        if !known.is_empty() {
                            terms.push(literal(&Data::Text(std::mem::take(&mut known))));
                        }
                        terms.push(text);
                    }
                    Rest::Known(value) => {
                        let text = if folder.masked { value.safe_text() } else { value.as_text() };
                        known.push_str(&text.unwrap_or_default());
                    }
                },
            }
        }
        if !known.is_empty() {
            terms.push(literal(&Data::Text(known)));
        }
        format!("join(\"\", [{}])", terms.join(", "))
    }
}

/// Returns whether a value is a number or truth value that is written in a different way than in an expression. As text,
/// it is as written.
pub(super) fn has_notation(value: &Value) -> bool {
    match &value.kind {
        Kind::Int(number, Some(written)) => **written != *number.to_string(),
        Kind::Float(number, Some(written)) => **written != *float_text(*number),
        Kind::Bool(truth, Some(written)) => **written != *if *truth { "True" } else { "False" },
        _ => false,
    }
}
