//! Plain mappings: one stanza and nothing under it.
//!
//! Most mappings are plain, and a loop may create a hundred thousand of them. A plain view has no layers to read, and
//! its members are adjacent.

use std::rc::Rc;

use super::view::{Content, How, Older, View};
use super::{BlockRef, Definition, Graph, GroupId, ScopeId, ThunkId, ThunkKind, ViewId, Written};
use crate::name::Name;
use crate::syntax::{BlockId, Entries, Entry, StanzaKind, Tree};

/// The only stanza of a view.
#[derive(Clone, Copy)]
pub(super) struct Plain {
    pub(super) group: GroupId,
    pub(super) stanza: u32,
    /// The value of the first key. The values of the other keys follow it.
    first: Option<ThunkId>,
}

impl Graph<'_> {
    /// Returns the mapping that a block defines over older layers.
    pub(super) fn view_of(&mut self, block: BlockRef, scope: ScopeId, older: Older) -> (ViewId, GroupId) {
        let syntax = self.loaded.trees[block.tree as usize].block(block.block);
        let (at, plain) = (syntax.span, syntax.plain);
        if let (Some(stanza), Older::Nothing) = (plain, older) {
            let view = ViewId(self.views.len() as u32);
            let group = self.add_group(block, scope, Some(view));
            self.views.push(View { at, content: Content::Plain(Plain { group, stanza, first: None }) });
            return (view, group);
        }
        let view = self.add_view(at, older);
        let group = self.add_group(block, scope, Some(view.id));
        let layer = self.layer_of(group);
        self.push_layer(view, layer);
        (view.id, group)
    }

    /// Returns the definitions of a key that are older than the given one.
    pub(super) fn older_of(&self, older: Option<(ViewId, Name, usize)>) -> Older {
        match older {
            Some((view, key, n)) if !self.has_no_older(view, key, n) => Older::Key(view, key, n),
            _ => Older::Nothing,
        }
    }

    fn plain_entries(&self, plain: Plain) -> Option<&Entries> {
        let block = self.group(plain.group).block;
        entries(&self.loaded.trees[block.tree as usize], block.block, plain.stanza)
    }

    pub(super) fn plain_keys(&self, plain: Plain) -> Rc<[Name]> {
        self.plain_entries(plain).map(|entries| entries.keys.clone()).unwrap_or_default()
    }

    pub(super) fn plain_definition(&self, plain: Plain, key: Name) -> Option<Definition> {
        let entries = self.plain_entries(plain)?;
        entries.position(key).map(|at| plain.definition(&entries.list[at as usize]))
    }

    pub(super) fn plain_member(&mut self, view: ViewId, plain: Plain, key: Name) -> Option<ThunkId> {
        let entry = self.plain_entries(plain)?.position(key)?;
        let first = match plain.first {
            Some(first) => first,
            None => self.plain_members(view, plain)?,
        };
        Some(ThunkId(first.0 + entry))
    }

    fn plain_members(&mut self, view: ViewId, plain: Plain) -> Option<ThunkId> {
        let block = self.group(plain.group).block;
        let tree = self.tree(block.tree);
        let first = ThunkId(self.thunks.len() as u32);
        for entry in &entries(&tree, block.block, plain.stanza)?.list {
            let definition = plain.definition(entry);
            self.add_thunk(ThunkKind::Member { view, key: entry.key, definition });
        }
        self.views[view.at()].content = Content::Plain(Plain { first: Some(first), ..plain });
        Some(first)
    }
}

impl Plain {
    fn definition(self, entry: &Entry) -> Definition {
        Definition::Written(Written { group: self.group, value: entry.value, how: How::Entry })
    }
}

fn entries(tree: &Tree, block: BlockId, stanza: u32) -> Option<&Entries> {
    match &tree.block(block).stanzas[stanza as usize].kind {
        StanzaKind::Map(entries) => Some(entries),
        _ => None,
    }
}
