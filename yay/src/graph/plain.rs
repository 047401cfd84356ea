//! Plain mappings: one stanza, and nothing under it.
//!
//! Most mappings are so, and there may be a hundred thousand of them, from a loop. A plain view has no layers to read, and
//! its members lie beside each other.

use super::view::{Older, View};
use super::{BlockRef, Definition, Graph, GroupId, ScopeId, ThunkId, ThunkKind, ViewId};
use crate::name::Name;
use crate::syntax::{Entries, StanzaKind};

/// The stanza that a view is made of, and nothing else.
#[derive(Clone, Copy)]
pub(super) struct Plain {
    pub(super) group: GroupId,
    pub(super) stanza: u32,
    /// The value of the first key; those of the others follow.
    first: Option<ThunkId>,
}

impl Graph<'_> {
    /// A mapping that is a block over what is older.
    pub(super) fn view_of(&mut self, block: BlockRef, scope: ScopeId, older: Older) -> (ViewId, GroupId) {
        let syntax = self.trees[block.tree as usize].block(block.block);
        let (at, plain) = (syntax.span, syntax.plain);
        if let (Some(stanza), Older::Nothing) = (plain, older) {
            self.views.push(View { at, plain: None, layered: None });
            let view = ViewId(self.views.len() as u32 - 1);
            let group = self.add_group(block, scope, Some(view));
            self.views[view.at()].plain = Some(Plain { group, stanza, first: None });
            return (view, group);
        }
        let view = self.add_view(at, Vec::new(), older);
        let group = self.add_group(block, scope, Some(view));
        let layer = self.layer_of(group);
        self.push_layer(view, layer);
        (view, group)
    }

    /// What is older than a definition of a key.
    pub(super) fn older_of(&self, older: Option<(ViewId, Name, usize)>) -> Older {
        match older {
            Some((view, key, n)) if self.views[view.at()].plain.is_none() => Older::Key(view, key, n),
            _ => Older::Nothing,
        }
    }

    pub(super) fn plain_entries(&self, plain: Plain) -> Option<&Entries> {
        let block = self.group(plain.group).block;
        match &self.trees[block.tree as usize].block(block.block).stanzas[plain.stanza as usize].kind {
            StanzaKind::Map(entries) => Some(entries),
            _ => None,
        }
    }

    pub(super) fn plain_member(&mut self, view: ViewId, plain: Plain, key: Name) -> Option<ThunkId> {
        let entries = self.plain_entries(plain)?;
        let entry = entries.position(key)?;
        if let Some(first) = plain.first {
            return Some(ThunkId(first.0 + entry));
        }
        let keys = entries.keys.clone();
        let first = ThunkId(self.thunks.len() as u32);
        for (at, key) in keys.iter().enumerate() {
            let definition = Definition::Entry(plain.group, plain.stanza, at as u32);
            self.add_thunk(ThunkKind::Member { view, key: *key, definition });
        }
        self.views[view.at()].plain = Some(Plain { first: Some(first), ..plain });
        Some(ThunkId(first.0 + entry))
    }
}
