//! Definitions of keys: their values, and where they are written.

use super::{Definition, Graph, GroupId, ScopeId, ThunkKind, ValueRef};
use crate::source::Span;
use crate::syntax::{Entry, StanzaKind};

impl Graph<'_> {
    pub(super) fn entry_value(&self, definition: Definition) -> (ValueRef, ScopeId) {
        let (group, value) = match definition {
            Definition::Entry(group, stanza, entry) => (group, self.entry(group, stanza, entry).value),
            Definition::Extend(group, stanza) | Definition::New(group, stanza) => {
                (group, self.entry(group, stanza, 0).value)
            }
            Definition::Thunk(_) => unreachable!("what is known already has no entry"),
        };
        let group = self.group(group);
        (ValueRef { tree: group.block.tree, value }, group.scope)
    }

    fn entry(&self, group: GroupId, stanza: u32, entry: u32) -> &Entry {
        let block = self.group(group).block;
        match &self.trees[block.tree as usize].block(block.block).stanzas[stanza as usize].kind {
            StanzaKind::Map(entries) => &entries.list[entry as usize],
            StanzaKind::Extend(entry) | StanzaKind::NewAs { entry, .. } => entry,
            _ => unreachable!("only stanzas with entries define keys"),
        }
    }

    /// Where the key of a definition is written.
    pub(crate) fn key_span(&self, definition: Definition) -> Option<Span> {
        match definition {
            Definition::Entry(group, stanza, entry) => Some(self.entry(group, stanza, entry).key_span),
            Definition::Extend(group, stanza) | Definition::New(group, stanza) => {
                Some(self.entry(group, stanza, 0).key_span)
            }
            Definition::Thunk(thunk) => match &self.thunks[thunk.at()].kind {
                ThunkKind::Member { definition, .. } => self.key_span(*definition),
                _ => None,
            },
        }
    }

    pub(super) fn definition_span(&self, definition: Definition) -> Span {
        match definition {
            Definition::Thunk(thunk) => self.thunk_span(&self.thunks[thunk.at()].kind),
            _ => self.value_span(self.entry_value(definition).0),
        }
    }

    pub(super) fn definition_scope(&self, definition: Definition) -> Option<ScopeId> {
        match definition {
            Definition::Thunk(thunk) => self.thunk_scope(thunk),
            _ => Some(self.entry_value(definition).1),
        }
    }
}
