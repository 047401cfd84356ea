//! Definitions of keys: their values and positions.

use super::{Definition, Graph, ScopeId, ThunkId, ThunkKind, ValueRef, Written};
use crate::source::Span;

impl Graph<'_> {
    pub(super) fn written_value(&self, written: Written) -> (ValueRef, ScopeId) {
        let group = self.group(written.group);
        (ValueRef { tree: group.block.tree, value: written.value }, group.scope)
    }

    /// Returns the position of the key of a lazy value.
    pub(crate) fn key_span(&self, thunk: ThunkId) -> Option<Span> {
        match self.thunks[thunk.at()].kind()? {
            ThunkKind::Member { definition: Definition::Written(written), .. } => {
                let value = self.written_value(*written).0;
                self.loaded.trees[value.tree as usize].value(value.value).key
            }
            ThunkKind::Member { definition: Definition::Thunk { thunk, .. }, .. }
            | ThunkKind::Labelled { thunk, .. } => self.key_span(*thunk),
            _ => None,
        }
    }

    pub(super) fn definition_span(&self, definition: Definition) -> Span {
        match definition {
            Definition::Thunk { thunk, .. } => self.thunk_span(thunk),
            Definition::Written(written) => self.value_span(self.written_value(written).0),
        }
    }

    pub(super) fn definition_scope(&self, definition: Definition) -> Option<ScopeId> {
        match definition {
            Definition::Thunk { thunk, .. } => self.thunk_scope(thunk),
            Definition::Written(written) => Some(self.group(written.group).scope),
        }
    }
}
