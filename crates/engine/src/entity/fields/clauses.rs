//! Conditions of types and definitions, which add up along a hierarchy.

use std::fmt;
use std::iter::successors;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::super::{Field, FieldDescription, NodeRef, Shape, Shaped, downcast};
use super::Value;
use super::scalar::copy;
use crate::ard::Node;
use crate::phase::inheritance::{Completion, InheritedField, InheritingField};
use crate::phase::read::Reader;

/// Conditions that must all hold, nearest first: a derived type adds its own condition to the inherited ones.
///
/// The inherited conditions are shared with the parent: a chain of types takes memory in proportion to its length.
#[derive(Clone, Default)]
pub struct Clauses(Option<Arc<Clause>>);

struct Clause {
    value: Value,
    inherited: Clauses,
}

impl Clauses {
    /// Returns whether there are no conditions.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the number of conditions, in time proportional to it.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Returns the conditions, nearest first.
    pub fn iter(&self) -> impl Iterator<Item = Value> {
        successors(self.0.as_deref(), |clause| clause.inherited.0.as_deref()).map(|clause| clause.value)
    }

    /// Returns the condition if there is exactly one.
    pub fn single(&self) -> Option<Value> {
        self.0.as_deref().filter(|clause| clause.inherited.is_empty()).map(|clause| clause.value)
    }

    /// Returns `values`, followed by `inherited`.
    fn nearer(values: impl Iterator<Item = Value>, inherited: Self) -> Self {
        let values: Vec<Value> = values.collect();
        values.into_iter().rfold(inherited, |inherited, value| Self(Some(Arc::new(Clause { value, inherited }))))
    }
}

/// Dropped one by one, because a chain may be too long for recursion.
impl Drop for Clauses {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(clause) = next.and_then(Arc::into_inner) {
            next = { clause }.inherited.0.take();
        }
    }
}

impl fmt::Debug for Clauses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Shaped for Clauses {
    const SHAPE: Shape = Shape::Value;
}

impl Field for Clauses {
    fn is_set(&self) -> bool {
        !self.is_empty()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        // The source contains only one value; further values are inherited.
        *self = Self::nearer(std::iter::once(Value(reader.position(node))), std::mem::take(self));
        reader.read_calls(node, field);
        reader.read_as(node, field);
    }

    fn inherit(&mut self, _: &mut Completion<'_>, _: &InheritingField<'_>, sources: &[InheritedField<'_>]) {
        let mut sources = sources.iter().filter_map(|source| downcast::<Self>(source.field));
        // Nobody else has a condition at the position of this entity's own.
        if let Some(nearest) = sources.find(|clauses| !clauses.is_empty()) {
            *self = Self::nearer(self.iter(), nearest.clone());
        }
        for further in sources.filter(|clauses| !clauses.is_empty()) {
            let known: FxHashSet<Value> = self.iter().collect();
            let missing = Self::nearer(further.iter().filter(|value| !known.contains(value)), Self::default());
            *self = Self::nearer(self.iter(), missing);
        }
    }

    fn visit_data(&self, visit: &mut dyn FnMut(NodeRef)) {
        self.iter().for_each(|clause| visit(clause.0));
    }

    fn copy_from(&mut self, other: &dyn Field) {
        copy(self, other);
    }
}
