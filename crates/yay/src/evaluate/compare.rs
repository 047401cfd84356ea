//! Chained comparisons.

use std::cmp::Ordering;

use super::convert::{Number, number, to_number, to_text, wrong};
use crate::error::{Category, Error, Result};
use crate::graph::{ExprRef, Graph, ListId, ScopeId};
use crate::source::Span;
use crate::syntax::{Comparison, ExprId};
use crate::value::{Kind, Value};

/// The maximum depth of compared lists and mappings.
const DEEPEST: usize = 1_000;

impl Graph<'_> {
    pub(super) fn chain(
        &mut self,
        first: ExprRef,
        chain: &[(Comparison, ExprId)],
        scope: ScopeId,
        at: Span,
    ) -> Result<Value> {
        let mut left = (self.eval(first, scope)?, self.expr_span(first));
        let mut labels = left.0.labels;
        for (operator, right) in chain {
            let right = ExprRef { tree: first.tree, expr: *right };
            let right = (self.eval(right, scope)?, self.expr_span(right));
            labels |= right.0.labels;
            if !self.compare(*operator, (&left.0, left.1), (&right.0, right.1), &mut labels)? {
                return Ok(Value::new(Kind::Bool(false, None), at, labels));
            }
            left = right;
        }
        Ok(Value::new(Kind::Bool(true, None), at, labels))
    }

    /// Returns the result of a comparison; the labels of everything that was compared are added to `labels`.
    fn compare(
        &mut self,
        operator: Comparison,
        left: (&Value, Span),
        right: (&Value, Span),
        labels: &mut u64,
    ) -> Result<bool> {
        match operator {
            Comparison::Equal => self.equal(left.0, right.0, labels, 0),
            Comparison::NotEqual => Ok(!self.equal(left.0, right.0, labels, 0)?),
            Comparison::Is => Ok(same_kind(left.0, right.0) && self.equal(left.0, right.0, labels, 0)?),
            Comparison::IsNot => Ok(!(same_kind(left.0, right.0) && self.equal(left.0, right.0, labels, 0)?)),
            Comparison::In => self.contains(right, left.0, labels),
            Comparison::NotIn => Ok(!self.contains(right, left.0, labels)?),
            Comparison::Less => Ok(self.order(left, right, labels)? == Some(Ordering::Less)),
            Comparison::LessEqual => Ok(self.order(left, right, labels)?.is_some_and(Ordering::is_le)),
            Comparison::Greater => Ok(self.order(left, right, labels)? == Some(Ordering::Greater)),
            Comparison::GreaterEqual => Ok(self.order(left, right, labels)?.is_some_and(Ordering::is_ge)),
        }
    }

    /// Compares strings by their characters, lists by the first items that differ, and everything else as numbers.
    pub(super) fn order(
        &mut self,
        left: (&Value, Span),
        right: (&Value, Span),
        labels: &mut u64,
    ) -> Result<Option<Ordering>> {
        *labels |= left.0.labels | right.0.labels;
        match (&left.0.kind, &right.0.kind) {
            (Kind::Text(a), Kind::Text(b)) => {
                self.look_through(a.plain.len().min(b.plain.len()) / 8, left.1)?;
                Ok(Some(a.plain.cmp(&b.plain)))
            }
            (Kind::List(a), Kind::List(b)) => self.order_lists((*a, left.1), (*b, right.1), labels),
            _ => Ok(order_numbers(to_number(left.0, left.1)?, to_number(right.0, right.1)?)),
        }
    }

    fn order_lists(
        &mut self,
        (left, user): (ListId, Span),
        (right, other_user): (ListId, Span),
        labels: &mut u64,
    ) -> Result<Option<Ordering>> {
        let mut at = 0;
        loop {
            let (a, b) = (self.item(left, at)?, self.item(right, at)?);
            *labels |= self.list_labels(left) | self.list_labels(right);
            let (Some(a), Some(b)) = (a, b) else { return Ok(Some(a.is_some().cmp(&b.is_some()))) };
            let (a, b) = (self.force(a)?, self.force(b)?);
            if !self.nested(user, |graph| graph.equal(&a, &b, labels, 0))? {
                return self.nested(user, |graph| graph.order((&a, user), (&b, other_user), labels));
            }
            at += 1;
        }
    }

    /// Returns whether two values are the same, without conversion: `1 == 1.0`, but not `1 == "1"`.
    pub(crate) fn equal(&mut self, left: &Value, right: &Value, labels: &mut u64, depth: usize) -> Result<bool> {
        *labels |= left.labels | right.labels;
        if depth > DEEPEST {
            let message = format!("values that are nested more than {DEEPEST} levels deep can't be compared");
            return Err(Error::new(Category::Limit, left.at, message));
        }
        match (&left.kind, &right.kind) {
            (Kind::Null, Kind::Null) => Ok(true),
            (Kind::Text(a), Kind::Text(b)) => {
                self.look_through(a.plain.len().min(b.plain.len()) / 8, left.at)?;
                Ok(a.plain == b.plain)
            }
            (Kind::List(a), Kind::List(b)) => {
                let (left, right) = (*a, *b);
                let (a, b) = (self.items(left)?, self.items(right)?);
                *labels |= self.list_labels(left) | self.list_labels(right);
                if a.len() != b.len() {
                    return Ok(false);
                }
                for (a, b) in a.into_iter().zip(b) {
                    let (a, b) = (self.force(a)?, self.force(b)?);
                    if !self.nested(a.at, |graph| graph.equal(&a, &b, labels, depth + 1))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Kind::Map(a), Kind::Map(b)) => {
                *labels |= self.key_labels(left, *a)? | self.key_labels(right, *b)?;
                let (keys, others) = (self.keys(*a)?, self.keys(*b)?);
                if keys.len() != others.len() {
                    return Ok(false);
                }
                for key in keys.iter() {
                    let (Some(a), Some(b)) = (self.member(*a, *key)?, self.member(*b, *key)?) else { return Ok(false) };
                    let (a, b) = (self.force(a)?, self.force(b)?);
                    if !self.nested(a.at, |graph| graph.equal(&a, &b, labels, depth + 1))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Kind::Macro(a), Kind::Macro(b)) | (Kind::Prototype(a), Kind::Prototype(b)) => Ok(a == b),
            (Kind::Text(_), _) | (_, Kind::Text(_)) => Ok(false),
            _ => Ok(match (number(left), number(right)) {
                (Some(a), Some(b)) => order_numbers(a, b) == Some(Ordering::Equal),
                _ => false,
            }),
        }
    }

    fn contains(&mut self, collection: (&Value, Span), element: &Value, labels: &mut u64) -> Result<bool> {
        match &collection.0.kind {
            Kind::List(list) => {
                let mut at = 0;
                while let Some(item) = self.item(*list, at)? {
                    let item = self.force(item)?;
                    self.step(collection.1)?;
                    if self.equal(&item, element, labels, 0)? {
                        return Ok(true);
                    }
                    at += 1;
                }
                *labels |= self.list_labels(*list);
                Ok(false)
            }
            Kind::Map(view) => {
                *labels |= self.key_labels(collection.0, *view)?;
                let Some(text) = element.as_text() else { return Ok(false) };
                let key = self.key_name(&text, collection.1)?;
                Ok(self.member(*view, key)?.is_some())
            }
            Kind::Text(text) => {
                let part = to_text(element, collection.1)?;
                self.look_through(text.plain.len() / 8, collection.1)?;
                Ok(text.plain.contains(&*part))
            }
            _ => Err(wrong(collection.0, "a list, a mapping or text", collection.1)),
        }
    }
}

fn same_kind(left: &Value, right: &Value) -> bool {
    std::mem::discriminant(&left.kind) == std::mem::discriminant(&right.kind)
}

fn order_numbers(a: Number, b: Number) -> Option<Ordering> {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => Some(a.cmp(&b)),
        _ => a.float().partial_cmp(&b.float()),
    }
}
