//! Parts of models that depend only on types of built-in units, which are built once for all models of a parser.
//!
//! A small service whose nodes have normative types of TOSCA 1.x consists mostly of these parts.

use std::sync::Arc;

use super::builder::{Builder, NodeKind};
use super::shared::Shared;
use crate::entity::{AnyId, Id};
use crate::grammar::types::{DataType as TypeOfData, NodeType};
use crate::member_limit::is_bare_data_type;
use crate::normal::DataType;

/// The parts that belong to the types of a built-in unit.
///
/// Built-in units import only each other, so the parts are the same in all programs: they have no position, no name of
/// a user's file, and no more defaults than any model may have.
#[derive(Default)]
struct BuiltIn {
    kinds: Shared<Id<NodeType>, Part<Arc<NodeKind>>>,
    data_types: Shared<Id<TypeOfData>, Part<Option<DataType>>>,
}

/// A part, and the entities that it mentions.
#[derive(Clone)]
struct Part<T> {
    content: T,
    functions: Arc<[AnyId]>,
    data_types: Arc<[AnyId]>,
}

impl Builder<'_> {
    /// Returns the kind of a type.
    pub(super) fn kind_of(&self, id: Id<NodeType>) -> Arc<NodeKind> {
        match self.built_in(id.any()) {
            Some(parts) => self.part(&parts.kinds, id, |builder| Arc::new(builder.kind(id))),
            None => Arc::new(self.kind(id)),
        }
    }

    /// Returns the description of a data type.
    pub(super) fn data_type_of(&self, id: Id<TypeOfData>) -> Option<DataType> {
        let is_bare = is_bare_data_type(&self.context, self.first_data_type_over_limit, id.any());
        match self.built_in(id.any()).filter(|_| !is_bare) {
            Some(parts) => self.part(&parts.data_types, id, |builder| builder.data_type(id)),
            None => self.data_type(id),
        }
    }

    /// Returns the parts of a type's unit, if it is built in.
    fn built_in(&self, id: AnyId) -> Option<&BuiltIn> {
        let program = self.context.program;
        let is_built_in = program.unit(id.unit).is_some_and(|unit| unit.implicit.is_some());
        if is_built_in && !self.options.positions { program.attached(id.unit) } else { None }
    }

    /// Returns a part, which a separate builder builds on first use, so that the mentioned entities are known.
    fn part<I: Copy + Eq + std::hash::Hash, T: Clone>(
        &self,
        parts: &Shared<I, Part<T>>,
        id: I,
        build: impl FnOnce(&Self) -> T,
    ) -> T {
        let part = parts.get(id, || {
            let builder = self.separate();
            let content = build(&builder);
            Part {
                content,
                functions: builder.functions.after(0).into(),
                data_types: builder.data_types.after(0).into(),
            }
        });
        part.functions.iter().for_each(|id| self.functions.insert(*id));
        part.data_types.iter().for_each(|id| self.data_types.insert(*id));
        part.content
    }
}
