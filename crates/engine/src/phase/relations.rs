//! Checks relations between keynames: keynames that exclude or require each other.
//!
//! A relation between written keynames is checked in phase 1, as soon as the entity has been read. A relation between
//! inherited values is checked when the entity is complete. It is checked only if the entity itself has one of the
//! keynames, because parents are checked as well.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::Context;
use super::context::DiagnosticExt as _;
use super::read::Reader;
use crate::ard::{Kind, Node};
use crate::diagnostic::suggest::{and_list, or_list};
use crate::entity::{
    AnyCheck, AnyId, AnyKind, Described, EntityDescription, FieldDescription, Keyname, LanguageVersion, LocalId,
    Relation, RelationKind,
};

impl Reader<'_> {
    /// Reports the relations between written keynames that an entity violates.
    pub(super) fn check_relations(&mut self, entity: &dyn Described, id: LocalId, node: Node<'_>) {
        let version = self.version();
        let null_is_empty = self.language().leniency.null_is_empty.contains(version);
        let written = Written { node, version, null_is_empty, is_complete: self.document().is_complete() };
        let mut reported = None;
        for relation in entity.description().relations.iter().filter(|relation| !relation.inherited) {
            let Some(broken) = written.broken(relation, entity, entity) else { continue };
            if reported.replace(relation.rule.code) == Some(relation.rule.code) {
                continue;
            }
            let title = self.title(entity.description(), id);
            let at = broken.at.or_else(|| Some(self.document().node(self.header(id)?.key))).unwrap_or(node);
            let problem = self.problem(relation.rule, at, format!("{title} {}", broken.message)).help(broken.help);
            if let Some(other) = broken.other {
                problem.related_node(other.id(), "the other keyname");
            }
        }
    }
}

/// Returns the check for relations between inherited values; `None` if the kind has no such relations.
pub(super) fn inherited(kind: &dyn AnyKind) -> Option<AnyCheck> {
    kind.description().relations.iter().any(|relation| relation.inherited).then_some(check_inherited)
}

fn check_inherited(context: &mut Context<'_>, id: AnyId) {
    let program = context.program;
    let (Some(own), Some(complete), Some(header)) = (program.raw(id), program.entity(id), context.header(id)) else {
        return;
    };
    let Some(unit) = program.unit(id.unit) else { return };
    let is_complete = unit.document.is_complete() && context.is_complete(id);
    let null_is_empty = unit.language.leniency.null_is_empty.contains(unit.version);
    let node = unit.document.node(header.node);
    let written = Written { node, version: unit.version, null_is_empty, is_complete };
    for relation in own.description().relations.iter().filter(|relation| relation.inherited) {
        let Some(broken) = written.broken(relation, own, complete) else { continue };
        let message = format!("{} {}", context.describe(id), broken.message);
        let at = broken.at.map(Node::span).or_else(|| program.name_span(id));
        context
            .problem(relation.rule, at, message)
            .related(broken.other.map(Node::span), "the other keyname")
            .help(broken.help);
    }
}

/// An entity as it is written in the source.
struct Written<'n> {
    node: Node<'n>,
    version: LanguageVersion,
    /// Whether null stands for an empty entity.
    null_is_empty: bool,
    /// Whether the whole source was read, so that a missing keyname is really missing.
    is_complete: bool,
}

/// A relation that an entity violates.
struct Broken<'n> {
    /// The key to point at; `None` if the problem is that a keyname is missing.
    at: Option<Node<'n>>,
    /// The key of the other keyname.
    other: Option<Node<'n>>,
    /// The message, without the title of the entity.
    message: String,
    help: Cow<'static, str>,
}

impl<'n> Written<'n> {
    /// Returns how an entity violates a relation, if it does. `own` is the entity as written; `complete` includes
    /// inherited values.
    fn broken(&self, relation: &Relation, own: &dyn Described, complete: &dyn Described) -> Option<Broken<'n>> {
        if !relation.versions.contains(self.version) {
            return None;
        }
        let description = own.description();
        let fields = relation.fields.iter().map(|index| (*index, &description.fields[*index]));
        let fields: SmallVec<[_; 4]> = fields.filter(|(_, field)| self.keyname(field).is_some()).collect();
        let is_given = |entity: &dyn Described, (index, field): (usize, &FieldDescription)| {
            entity.field(index).is_set() || self.key(field).is_some()
        };
        let keynames = |fields: &[&FieldDescription]| -> Vec<&str> {
            fields.iter().map(|field| field.keyname(self.version)).collect()
        };
        let count = fields.iter().filter(|field| is_given(complete, **field)).count();
        let may_be_broken = match relation.kind {
            RelationKind::OneOf => count != 1,
            RelationKind::AnyOf => count == 0,
            RelationKind::AtMostOne => count > 1,
            RelationKind::Needs => 0 < count && count < fields.len(),
        };
        if !may_be_broken {
            return None;
        }
        let (given, mut missing): (Vec<_>, Vec<_>) = fields.iter().partition(|field| is_given(complete, **field));
        missing.sort_by_key(|(index, _)| *index);
        let names =
            |fields: Vec<(usize, &'static FieldDescription)>| fields.into_iter().map(|(_, field)| field).collect();
        let is_own = fields.iter().any(|field| is_given(own, *field));
        let (given, missing): (Vec<_>, Vec<_>) = (names(given), names(missing));
        let is_misspelt = || {
            let keynames = missing.iter().map(|field| field.keyname(self.version));
            let mut keynames = keynames.map(|keyname| description.misspelt(self.node, keyname, self.version));
            keynames.any(|key| key.is_some()) || missing.iter().any(|field| self.other_key(field))
        };
        let help = |general: String| relation.help.map_or(Cow::Owned(general), Cow::Borrowed);
        let is_null = self.node.kind() == Kind::Null && !self.node.is_placeholder() && self.null_is_empty;
        let may_lack = || (self.node.kind() == Kind::Map || is_null) && self.is_complete && !is_misspelt();
        // A keyname that is unknown or from another version has been reported.
        let is_replaced = || {
            let mut fields = relation.fields.iter().map(|index| &description.fields[*index]);
            fields.any(|field| self.other_key(field)) || self.has_unknown(description)
        };
        match (relation.kind, &given[..]) {
            (RelationKind::OneOf | RelationKind::AnyOf, []) if may_lack() && !is_replaced() => Some(Broken {
                at: None,
                other: None,
                message: format!("needs {}", or_list(&keynames(&missing))),
                help: help(format!("add {}", or_list(&keynames(&missing)))),
            }),
            (RelationKind::OneOf | RelationKind::AtMostOne, [first, second, ..]) if is_own => Some(Broken {
                at: self.key(first).or_else(|| self.key(second)),
                other: self.key(first).and(self.key(second)),
                message: format!("can't have both {}", and_list(&keynames(&given))),
                help: help("remove one of these keynames".to_owned()),
            }),
            (RelationKind::Needs, [first, ..])
                if is_own && !missing.is_empty() && first.ident == fields[0].1.ident && may_lack() =>
            {
                Some(Broken {
                    at: self.key(first),
                    other: None,
                    message: format!("has {} without {}", and_list(&keynames(&[first])), and_list(&keynames(&missing))),
                    help: help(format!("add `{}: …`", missing[0].keyname(self.version))),
                })
            }
            _ => None,
        }
    }

    /// Returns the keyname of a field in this version, if it has one that can be written.
    fn keyname(&self, field: &FieldDescription) -> Option<&'static str> {
        Some(field.keyname(self.version)).filter(|keyname| *keyname != Keyname::NONE && field.exists_in(self.version))
    }

    /// Returns the key that sets a field.
    fn key(&self, field: &FieldDescription) -> Option<Node<'n>> {
        self.node.find(self.keyname(field)?).map(|entry| entry.key)
    }

    /// Returns whether there is a key that no version of the language has.
    fn has_unknown(&self, description: &EntityDescription) -> bool {
        let keynames = || description.fields.iter().flat_map(|field| field.keynames);
        let is_known = |key: &str| keynames().any(|keyname| keyname.name == key || keyname.name == Keyname::ANY);
        self.node.entries().any(|entry| !is_known(entry.key.text()))
    }

    /// Returns whether a field is set by any of its keynames, including those of other versions.
    fn other_key(&self, field: &FieldDescription) -> bool {
        field.keynames.iter().any(|keyname| self.node.find(keyname.name).is_some())
    }
}
