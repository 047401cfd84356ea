//! Reads lists, named entities, declarations and references.

use super::reader::{Reader, with_article};
use super::{ImportRequest, ReferenceSite};
use crate::ard::{Kind as NodeKind, Node};
use crate::entity::{AnyId, FieldDescription, Kind, LocalId, Lookup, Quirk, Reference, Section, Shape};
use crate::phase::DiagnosticBuilder;
use crate::phase::namespace::{Declaration, Naming};
use crate::rules;
use crate::source::ImportTarget;
use crate::symbol::Symbol;

impl Reader<'_> {
    /// Returns the name in a key. Reports a problem and returns `None` if the key is not a string or is empty.
    pub fn name(&mut self, key: Node<'_>) -> Option<Symbol> {
        match key.kind() {
            NodeKind::String if !key.text().is_empty() => {
                key.symbol().or_else(|| Some(self.interner.intern(key.text())))
            }
            NodeKind::String => {
                self.problem(&rules::INVALID_NAME, key, "a name must not be empty").help("write a name");
                None
            }
            _ => {
                let message = format!("a name must be a string, not {}", with_article(key));
                let problem = self.problem(&rules::INVALID_NAME, key, message);
                if !matches!(key.kind(), NodeKind::Map | NodeKind::List) && !key.text().is_empty() {
                    problem.help(format!("put it in quotes: \"{}\"", key.text()));
                }
                None
            }
        }
    }

    /// Returns the items of a list. Reports a problem and returns no items if the node is not a list.
    pub fn items<'n>(&mut self, node: Node<'n>, field: &'static FieldDescription) -> Vec<Node<'n>> {
        if node.kind() != NodeKind::List {
            if field.takes_one(self.version) {
                return vec![node];
            }
            let problem = self.wrong_kind(node, &field.title(self.version), "a list");
            match node.kind() {
                NodeKind::Map => problem.help("put a dash before each entry"),
                NodeKind::String => {
                    let problem = problem.help(format!("put brackets around the value: `[ {} ]`", node.text()));
                    super::form::brackets(node).into_iter().fold(problem, DiagnosticBuilder::edit)
                }
                _ => problem,
            };
        }
        node.items().collect()
    }

    /// Returns the names and values of named entities, which are in a map or in a list of maps with one entry each.
    pub fn named<'n>(
        &mut self,
        node: Node<'n>,
        field: &'static FieldDescription,
        kind: Kind,
    ) -> Vec<(Node<'n>, Node<'n>)> {
        let version = self.version;
        let what = || field.title(version);
        if !(field.sequenced || node.kind() == NodeKind::List && field.takes_list(self.version)) {
            if is_list_of_maps(node) && self.has(Quirk::LISTS_AS_MAPS) {
                return entries_of_items(node);
            }
            if node.kind() != NodeKind::Map {
                let problem = self.wrong_kind(node, &what(), "a map");
                if node.kind() == NodeKind::List {
                    let problem = problem.help("write `name: …` without the dash");
                    if is_list_of_maps(node) {
                        // `type: T` is an entity without a name, which has been reported, not one that is called `type`.
                        let is_named = |(key, value): &(Node<'n>, Node<'n>)| {
                            value.kind() == NodeKind::Map || !is_keyname(*key, field)
                        };
                        let named: Vec<_> = entries_of_items(node).into_iter().filter(is_named).collect();
                        if !named.is_empty() {
                            problem.help(Quirk::LISTS_AS_MAPS.help());
                        }
                        return named;
                    }
                }
            }
            return self.at_their_level(node, (field, kind));
        }
        if node.kind() != NodeKind::List {
            if node.kind() == NodeKind::Map
                && let Some(first) = self.missing_name(node, field)
            {
                return vec![(first, node)];
            }
            let message = format!("{} should be a list, not a map", what());
            let help = "put a dash before each name: `- name: …`";
            if node.kind() == NodeKind::Map && field.map_too.is_some_and(|versions| versions.contains(self.version)) {
                if !self.language.leniency.maps_are_lists.contains(self.version) {
                    let problem = self.problem(&rules::MAP_FOR_LIST, node, message).help(help);
                    super::form::dashes(node).into_iter().fold(problem, DiagnosticBuilder::edit);
                }
            } else {
                let problem = self.wrong_kind(node, &what(), "a list");
                if node.kind() == NodeKind::Map {
                    super::form::dashes(node).into_iter().fold(problem.help(help), DiagnosticBuilder::edit);
                }
            }
            return node.entries().filter(|entry| !entry.duplicate).map(|entry| (entry.key, entry.value)).collect();
        }
        let what = || format!("an entry of {}", what());
        let mut named = Vec::with_capacity(node.len());
        for item in node.items() {
            if item.kind() != NodeKind::Map {
                self.wrong_kind(item, &what(), "a map with one entry, `name: …`");
                continue;
            }
            // A single keyname after a named entry probably belongs to that entry, so it is not an entity without a
            // name.
            let follows_name = named.last().is_some_and(|(key, _): &(Node<'_>, _)| !self.is_nameless(key.id()));
            if !(follows_name && item.len() == 1)
                && let Some(first) = self.missing_name(item, field)
            {
                named.push((first, item));
                continue;
            }
            let misplaced = misplaced_keynames(item, field);
            match (item.entries().next(), misplaced.first()) {
                (Some(first), Some(key)) if item.len() == misplaced.len() + 1 => {
                    let help = format!("indent `{}` further, so that it is below `{}`", key.text(), first.key.text());
                    self.not_one_entry(item, &what(), &help);
                }
                _ if item.len() != 1 => {
                    self.not_one_entry(item, &what(), "start each entry with `- name:` and indent its content");
                }
                _ => {}
            }
            let is_misplaced = |key: Node<'_>| misplaced.iter().any(|other| other.id() == key.id());
            let entries = item.entries().filter(|entry| !is_misplaced(entry.key));
            named.extend(entries.map(|entry| (entry.key, entry.value)));
        }
        named
    }

    /// Reports a map that does not have exactly one entry, at the second entry if there is one.
    pub fn not_one_entry(&mut self, node: Node<'_>, what: &str, help: &str) {
        let message = format!("{what} must be a map with one entry, but has {}", node.len());
        let mut keys = node.entries().map(|entry| entry.key);
        match (keys.next(), keys.next()) {
            (Some(first), Some(second)) => {
                let problem = self.problem(&rules::NOT_ONE_ENTRY, second, message);
                problem.related_node(first.id(), "the first entry").help(help);
            }
            _ => {
                self.problem(&rules::NOT_ONE_ENTRY, node, message).help(help);
            }
        }
    }

    /// Declares an entity in a section of names, unless its name is missing.
    pub fn declare(&mut self, section: Section, name: Symbol, id: AnyId) {
        if self.header(id.local()).is_some_and(|header| self.is_nameless(header.key)) {
            return;
        }
        self.out.declarations.push(Declaration { section, name, id: id.local(), naming: Naming::Written });
    }

    /// Gives an entity the name at a node and declares it in a section, for entities that contain their own names.
    /// Reports a problem and returns `None` if the node is not a name.
    pub fn declare_itself(&mut self, section: Section, id: LocalId, node: Node<'_>) -> Option<Symbol> {
        let name = self.name(node)?;
        let name = self.qualified(section, node, name)?;
        self.out.arenas.rename(id, name, node.id());
        self.out.declarations.push(Declaration { section, name, id, naming: Naming::Written });
        Some(name)
    }

    /// Returns the full form of the name at a node.
    fn qualified(&mut self, section: Section, node: Node<'_>, name: Symbol) -> Option<Symbol> {
        let Some(qualify_name) = self.language.qualify_name else { return Some(name) };
        qualify_name(self, section, node).map(|name| self.interner.intern(&name))
    }

    /// Requests the source that declares a name, unless it has already been requested.
    fn find(&mut self, name: Symbol, node: Node<'_>) {
        let Some(entity) = self.owner.filter(|_| self.found.insert(name)) else { return };
        let target = Some(ImportTarget::Profile(self.interner.text(name).to_owned()));
        let import = ImportRequest { entity, node: node.id(), target, prefix: None, is_reference: true };
        (self.on_import)(self.version, &import);
        self.out.imports.push(import);
    }

    /// Reads a name that must be looked up. A value that is not a name is reported and becomes a reference without a
    /// target, which is not reported again; if the lookup is optional, there is no reference.
    pub fn reference<T>(&mut self, node: Node<'_>, field: &'static FieldDescription) -> Option<Reference<T>> {
        self.reference_in(node, field, field.lookup.as_ref())
    }

    /// Like `reference`, but with the given lookup instead of the field's.
    pub fn reference_in<T>(
        &mut self,
        node: Node<'_>,
        field: &'static FieldDescription,
        lookup: Option<&'static Lookup>,
    ) -> Option<Reference<T>> {
        let is_name = node.kind() == NodeKind::String && !node.text().is_empty();
        if node.kind() != NodeKind::String {
            self.wrong_kind(node, &field.title(self.version), "a name (a string)");
        } else if !is_name {
            self.problem(&rules::INVALID_NAME, node, format!("{} must not be empty", field.title(self.version)))
                .help("give the name, or remove the keyname");
        }
        let must_be_found = lookup.is_some_and(|lookup| !lookup.optional);
        if !is_name && !must_be_found {
            return None;
        }
        let name = if is_name { self.interner.intern(node.text()) } else { Symbol::EMPTY };
        let name = self.meant(name, node, lookup);
        self.refer(name, node, field, lookup)
    }

    /// Records a name in a value, so that it is looked up.
    pub(super) fn name_in_value(&mut self, node: Node<'_>, field: &'static FieldDescription, lookup: &'static Lookup) {
        let name = self.meant(self.interner.intern(node.text()), node, Some(lookup));
        let _: Option<Reference<()>> = self.refer(name, node, field, Some(lookup));
    }

    /// Records a name in the text of a node, in its full form, so that it is looked up.
    pub fn reference_within<T>(
        &mut self,
        name: &str,
        node: Node<'_>,
        field: &'static FieldDescription,
    ) -> Option<Reference<T>> {
        let name = self.interner.intern(name);
        let sections = field.lookup.as_ref().map_or(&[][..], |lookup| lookup.sections);
        if sections.iter().any(|section| self.language.sections[usize::from(section.0)].found) {
            self.find(name, node);
        }
        self.refer(name, node, field, field.lookup.as_ref())
    }

    fn refer<T>(
        &mut self,
        name: Symbol,
        node: Node<'_>,
        field: &'static FieldDescription,
        lookup: Option<&'static Lookup>,
    ) -> Option<Reference<T>> {
        let number = self.out.references.len() as u32;
        self.out.references.push(ReferenceSite { name, node: node.id(), field, lookup, owner: self.owner? });
        Some(Reference::new(self.unit(), number, name))
    }

    /// Returns the name to look up, in its full form, and requests its source if necessary.
    fn meant(&mut self, name: Symbol, node: Node<'_>, lookup: Option<&'static Lookup>) -> Symbol {
        let sections = lookup.map_or(&[][..], |lookup| lookup.sections);
        let Some(section) = sections.first().filter(|_| name != Symbol::EMPTY) else { return name };
        let name = self.qualified(*section, node, name).unwrap_or(Symbol::EMPTY);
        let is_found = |section: &Section| self.language.sections[usize::from(section.0)].found;
        if name != Symbol::EMPTY && sections.iter().any(is_found) {
            self.find(name, node);
        }
        name
    }
}

/// Returns the entries of the maps in a list.
fn entries_of_items(list: Node<'_>) -> Vec<(Node<'_>, Node<'_>)> {
    list.items().flat_map(Node::entries).map(|entry| (entry.key, entry.value)).collect()
}

/// Returns the misplaced keys in an entry of a list of named entities: the keys after the first one that are keynames
/// of such an entity in any version, so they belong below the name.
fn misplaced_keynames<'n>(item: Node<'n>, field: &'static FieldDescription) -> Vec<Node<'n>> {
    item.entries().skip(1).map(|entry| entry.key).filter(|key| is_keyname(*key, field)).collect()
}

/// Returns whether a key is a keyname of the named entities in a field, in any version.
fn is_keyname(key: Node<'_>, field: &FieldDescription) -> bool {
    let (Shape::Named(entity) | Shape::Sequence(entity)) = field.shape else { return false };
    let key = key.text();
    let mut keynames = entity().fields.iter().flat_map(|field| field.keynames);
    keynames.any(|keyname| keyname.is_written() && keyname.name == key)
}

/// Returns whether a node is a list of maps with one entry each or an empty list.
fn is_list_of_maps(node: Node<'_>) -> bool {
    node.kind() == NodeKind::List && node.items().all(|item| item.kind() == NodeKind::Map && item.len() == 1)
}
