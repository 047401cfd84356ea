//! Recognizes maps that should contain named entities but describe a single entity whose name is missing.

use super::Unit;
use crate::ard::{Kind as NodeKind, NodeId};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::and_list;
use crate::entity::{EntityDescription, LocalId, Shape};
use crate::rules;

impl Unit {
    /// Returns the named members of a field if all their names are keynames of the member entity and all their values
    /// are in short notation. Most likely, these members describe one entity whose name is missing.
    pub fn keynames_as_names(&self, owner: LocalId, field: usize) -> Option<Vec<LocalId>> {
        let entity = self.arenas.entity(owner)?;
        let Shape::Named(member) = entity.description().fields[field].shape else { return None };
        let mut members = Vec::new();
        entity.field(field).visit_children(&mut |id| members.push(id.local()));
        let description = member();
        let is_keyname = |id: &LocalId| {
            self.arenas.header(*id).is_some_and(|header| {
                let (key, value) = (self.document.node(header.key), self.document.node(header.node));
                !matches!(value.kind(), NodeKind::Map | NodeKind::Null)
                    && description.has_keyname(self.version, key.text())
            })
        };
        (!members.is_empty() && members.iter().all(is_keyname)).then_some(members)
    }

    /// Returns whether a keyname is written in place of the name of its entity. This has been reported.
    pub fn is_nameless(&self, key: NodeId) -> bool {
        self.losses.nameless.contains(&key)
    }

    /// Returns whether a member is one of the members whose [names are keynames](Self::keynames_as_names). Such members
    /// have one common cause, which is reported at the first of them.
    pub fn lacks_name(&self, member: LocalId, report: impl FnOnce(Diagnostic)) -> bool {
        let Some((description, members)) = self.nameless(member) else { return false };
        if members.first() == Some(&member) {
            let nodes = members.iter().filter_map(|member| self.arenas.header(*member));
            let nodes: Vec<_> = nodes.map(|header| self.document.node(header.key)).collect();
            let names: Vec<&str> = nodes.iter().map(|node| node.text()).collect();
            let (message, help) = missing_name(description, &names);
            report(Diagnostic::new(&rules::INVALID_NAME, nodes[0].span(), message).with_help(help));
        }
        true
    }

    /// Returns the description of a member and the members that together with it describe one entity.
    fn nameless(&self, member: LocalId) -> Option<(&'static EntityDescription, Vec<LocalId>)> {
        let header = self.arenas.header(member)?;
        let name = self.document.node(header.key);
        let description = self.arenas.entity(member)?.description();
        description.keynames(self.version).find(|keyname| *keyname == name.text())?;
        let owner = header.owner?;
        let fields = self.arenas.entity(owner)?.description().fields.len();
        let mut members = (0..fields).filter_map(|field| self.keynames_as_names(owner, field));
        Some((description, members.find(|members| members.contains(&member))?))
    }
}

/// Returns the message and the help for an entity's keynames that are written in place of its name.
pub(super) fn missing_name(description: &EntityDescription, keynames: &[&str]) -> (String, String) {
    let (what, list) = (description.with_article(), and_list(keynames));
    let message = match keynames {
        [_] => format!("{what} has no name: {list} is one of its keynames"),
        _ => format!("{what} has no name: {list} are its keynames"),
    };
    let first = keynames.first().copied().unwrap_or_default();
    (message, format!("write a name above: `NAME: {{ {first}: … }}`"))
}
