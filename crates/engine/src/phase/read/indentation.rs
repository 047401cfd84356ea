//! Recognizes content that is at the wrong level because of missing indentation.
//!
//! YAML reads a key that is not indented below its section as a sibling of the section. Each such mistake is reported
//! once, at the key that has no content or is at the wrong level. The content is not reported again.

use super::reader::Reader;
use crate::ard::{Entry, Kind as NodeKind, Layout, Node, NodeId, Style};
use crate::diagnostic::suggest::{and_list, nearest};
use crate::diagnostic::{Edit, Safety};
use crate::entity::{EntityDescription, FieldDescription, Keyname, Kind, KindVocabulary, Shape, ShortForms};
use crate::phase::DiagnosticBuilder;
use crate::phase::missing_name::missing_name;
use crate::rules;

/// The maximum number of keys that are named in a message. Further keys are only counted.
const NAMED: usize = 3;

impl Reader<'_> {
    /// Returns the entries after a keyname without a value that are probably its content: all entries up to the next
    /// keyname.
    pub(super) fn unindented<'n>(
        &self,
        description: &EntityDescription,
        vocabulary: &KindVocabulary,
        (node, key): (Node<'n>, Node<'n>),
        field: &FieldDescription,
    ) -> Vec<Entry<'n>> {
        let names: Vec<&str> = description.keynames(self.version).collect();
        let content = match field.shape {
            Shape::One(entity) => Some(entity()),
            Shape::Values | Shape::Named(_) | Shape::Sequence(_) => None,
            _ => return Vec::new(),
        };
        let is_content = |entry: &Entry<'n>| {
            let key = entry.key.text();
            let found = self.find_keyname(vocabulary, entry.key);
            let is_any_of_field = |(index, keyname): (usize, &Keyname)| {
                keyname.name == Keyname::ANY && std::ptr::eq(field, &raw const description.fields[index])
            };
            let is_own = found.is_some_and(|found| !is_any_of_field(found))
                || entry.key.symbol().is_some_and(|key| vocabulary.find(key).next().is_some())
                || self.owner.is_some_and(|owner| self.is_of_vendor(owner.kind, entry.key));
            let is_inner = |content: &EntityDescription| content.has_keyname(self.version, key);
            !is_own && content.map_or_else(|| nearest(key, names.iter().copied()).is_none(), is_inner)
        };
        following(node, key).take_while(is_content).collect()
    }

    /// Returns whether entries are so similar to the content of a field that they must be it, even if the field may be
    /// empty.
    pub(super) fn is_content(&self, content: &[Entry<'_>], field: &FieldDescription) -> bool {
        let is_named = |entity: &EntityDescription| {
            content.iter().all(|entry| !entry.value.is_empty() && self.may_be(entity, entry.value))
        };
        match field.shape {
            Shape::Values => true,
            Shape::Named(entity) => is_named(entity()),
            _ => false,
        }
    }

    /// Reports a key without a value whose content follows at the level of the key.
    pub(super) fn not_indented(&mut self, what: &str, key: Node<'_>, content: &[Entry<'_>]) {
        let Some(first) = content.first() else { return };
        let list = listed(content);
        let verb = if content.len() == 1 { "is" } else { "are" };
        let message = format!("{what} has no value: {list} {verb} not indented below it");
        let help = format!("indent {list} below `{}`", key.text());
        let edits = indentation(content, 2);
        let problem =
            self.problem(&rules::NULL_VALUE, key, message).related_node(first.key.id(), "content starts here");
        edits.into_iter().fold(problem.help(help), DiagnosticBuilder::edit);
        self.claimed.extend(content.iter().map(|entry| entry.key.id()));
    }

    /// Reports the names in a map of named entities that are keynames of such entities, and returns all other names
    /// with their values.
    pub(super) fn at_their_level<'n>(
        &mut self,
        node: Node<'n>,
        (field, kind): (&'static FieldDescription, Kind),
    ) -> Vec<(Node<'n>, Node<'n>)> {
        let (all, version) = (self.vocabulary, self.version);
        let vocabulary = all.of(kind, self.interner);
        let is_keyname =
            |key: Node<'_>| vocabulary.zip(key.symbol()).is_some_and(|(vocabulary, key)| vocabulary.has(key, version));
        let has_keynames = node.entries().any(|entry| is_keyname(entry.key));
        if has_keynames && let Some(first) = self.missing_name(node, field) {
            return vec![(first, node)];
        }
        if vocabulary.is_some_and(|vocabulary| vocabulary.any().next().is_some()) {
            self.missing_owner(node, field);
        }
        let is_block = node.kind() == NodeKind::Map && node.style() != Style::Flow;
        let Some(description) = field.shape.entity().filter(|_| has_keynames && is_block) else {
            let entries = node.entries().filter(|entry| !entry.duplicate);
            return entries.map(|entry| (entry.key, entry.value)).collect();
        };
        let entries: Vec<Entry<'n>> = node.entries().collect();
        let mut named: Vec<(Node<'n>, Node<'n>)> = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().copied().enumerate() {
            let may_be_misplaced = is_keyname(entry.key);
            if may_be_misplaced && self.claimed.contains(&entry.key.id()) {
                continue;
            }
            match named.last().copied().filter(|_| may_be_misplaced) {
                Some((name, value))
                    if value.kind() == NodeKind::Null
                        && !value.is_placeholder()
                        && !self.may_be(description, entry.value) =>
                {
                    let following = entries[index..].iter().copied().filter(|entry| !entry.merged);
                    let content: Vec<Entry<'n>> = following.take_while(|entry| is_keyname(entry.key)).collect();
                    self.not_indented(&format!("{} `{}`", description.title, name.text()), name, &content);
                    let repeated = content.iter().filter(|entry| entry.duplicate).map(|entry| entry.key.id());
                    self.out.repeated.extend(repeated);
                    self.incomplete.insert(value.id());
                }
                // A duplicate key has been reported.
                _ if entry.duplicate => {}
                Some((name, value))
                    if value.kind() == NodeKind::Map
                        && value.find(entry.key.text()).is_none()
                        && !self.may_be(description, entry.value) =>
                {
                    self.outdented(description, (name, value), entry);
                }
                _ => named.push((entry.key, entry.value)),
            }
        }
        named
    }

    /// Reports an entity that is written in place of a map of named entities, and returns its first keyname.
    pub(super) fn missing_name<'n>(&mut self, node: Node<'n>, field: &'static FieldDescription) -> Option<Node<'n>> {
        let description = field.shape.entity().filter(|description| self.is_entity(description, node))?;
        let keys = || node.entries().filter(|entry| !entry.merged && !entry.duplicate).map(|entry| entry.key);
        let first = keys().next()?;
        let (message, help) = missing_name(description, &keys().map(Node::text).collect::<Vec<_>>());
        self.problem(&rules::INVALID_NAME, first, message).help(help);
        self.out.losses.nameless.insert(first.id());
        self.lose(field);
        Some(first)
    }

    /// Reports the entries of a map of named entities that belong into one of these entities, such as an operation
    /// among interfaces.
    fn missing_owner(&mut self, node: Node<'_>, field: &'static FieldDescription) {
        let Some(description) = field.shape.entity() else { return };
        let Some((content, inner)) = description.any_content() else { return };
        let Some((_, short)) = inner.find(|field| field.short.scalar && field.exists_in(self.version)) else { return };
        let is_inner = |entry: &Entry<'_>| {
            let keys = || entry.value.entries().map(|entry| entry.key.text());
            let is_keyname = |key: &str| inner.has_keyname(self.version, key);
            keys().any(|key| key == short.keyname(self.version)) && keys().all(is_keyname)
        };
        let found: Vec<Entry<'_>> = node.entries().filter(|entry| !entry.merged && is_inner(entry)).collect();
        let Some(first) = found.first() else { return };
        let verb = if found.len() == 1 { "is one" } else { "are some" };
        let (what, keys) = (description.with_article(), listed(&found));
        let message = format!("{what} has no name: {keys} {verb} of its {}", content.words());
        let help = format!("write a name above: {}", self.around(content, first.key));
        self.problem(&rules::INVALID_NAME, first.key, message).help(help);
        self.out.losses.nameless.extend(found.iter().map(|entry| entry.key.id()));
        self.incomplete.extend(found.iter().map(|entry| entry.value.id()));
    }

    /// Returns the notation for an entry of a field in an entity whose name is missing.
    pub(super) fn around(&self, content: &FieldDescription, key: Node<'_>) -> String {
        match content.keyname(self.version) {
            Keyname::ANY => format!("`NAME: {{ {}: … }}`", key.text()),
            keyname => format!("`NAME: {{ {keyname}: {{ {}: … }} }}`", key.text()),
        }
    }

    /// Returns whether a keyname is written in place of the name of its entity. This has been reported.
    pub(crate) fn is_nameless(&self, key: NodeId) -> bool {
        self.out.losses.nameless.contains(&key)
    }

    /// Returns whether a map that should contain named entities is an entity itself: all its keys are keynames, and
    /// either the first key can't be a name, or one is the keyname that a short form omits and no value is in long
    /// notation, or one contains entries that may also be written without it.
    fn is_entity(&self, description: &EntityDescription, node: Node<'_>) -> bool {
        let entries = || node.entries().filter(|entry| !entry.merged);
        let is_keyname = |key: &str| description.has_keyname(self.version, key);
        let Some(first) = entries().next().filter(|_| entries().all(|entry| is_keyname(entry.key.text()))) else {
            return false;
        };
        let is_empty = first.value.kind() == NodeKind::Null || first.value.is_placeholder();
        if is_empty || self.claimed.contains(&first.key.id()) {
            return false;
        }
        let is_long = |value: Node<'_>| {
            value.kind() == NodeKind::Map
                && (value.is_empty() || value.entries().any(|entry| is_keyname(entry.key.text())))
        };
        let is_abbreviated = |key: &str| {
            let is_it =
                |field: &FieldDescription| field.short != ShortForms::default() && field.keyname(self.version) == key;
            description.find(is_it).is_some()
        };
        let is_around = |entry: &Entry<'_>| {
            let holds = |field: &FieldDescription| {
                field.keyname(self.version) == entry.key.text()
                    && field.keynames.iter().any(|keyname| keyname.name == Keyname::ANY)
            };
            let has_entries = entry.value.kind() == NodeKind::Map && !entry.value.is_empty();
            has_entries && !is_long(entry.value) && description.find(holds).is_some()
        };
        !self.may_be(description, first.value)
            || entries().any(|entry| is_around(&entry))
            || entries().all(|entry| !is_long(entry.value))
                && entries().any(|entry| is_abbreviated(entry.key.text()) && self.may_be(description, entry.value))
    }

    /// Reports a keyname that is at the level of entity names.
    fn outdented(&mut self, description: &EntityDescription, (name, value): (Node<'_>, Node<'_>), entry: Entry<'_>) {
        self.incomplete.insert(value.id());
        // The level may be the result of recovery from a syntax error, which has been reported.
        if self.document.is_recovered() {
            return;
        }
        let (keyname, owner) = (entry.key.text(), name.text());
        let message = format!("`{keyname}` is a keyname of {}, not the name of one", description.with_article());
        let help = format!("indent `{keyname}` so that it belongs to `{owner}`");
        let layout = Layout::around(entry.key);
        let column = |node: Node<'_>| Some(layout?.before(node.span().start).chars().count());
        let first = value.entries().next().filter(|_| value.style() != Style::Flow);
        let further = first.and_then(|first| column(first.key)?.checked_sub(column(entry.key)?));
        let edits = further.map(|blanks| indentation(&[entry], blanks)).unwrap_or_default();
        let problem = self.problem(&rules::INVALID_NAME, entry.key, message);
        let problem = problem.related_node(name.id(), format!("the {}", description.title)).help(help);
        edits.into_iter().fold(problem, DiagnosticBuilder::edit);
    }

    /// Returns whether a value may be an entity, judging by its keys.
    fn may_be(&self, description: &EntityDescription, value: Node<'_>) -> bool {
        let has_short = |is: fn(&FieldDescription) -> bool| {
            description.find(|field| is(field) && field.exists_in(self.version)).is_some()
        };
        match value.kind() {
            NodeKind::Null => false,
            NodeKind::List => description.tuple || has_short(|field| field.short.list),
            NodeKind::Map => {
                let has_any = has_short(|field| field.keynames.iter().any(|keyname| keyname.name == "*"));
                let is_known = |key: &str| {
                    let names = || description.keynames(self.version);
                    names().any(|name| name == key) || nearest(key, names()).is_some()
                };
                value.is_empty()
                    || has_any
                    || has_short(|field| field.short.map)
                    || value.entries().any(|entry| is_known(entry.key.text()))
            }
            _ => has_short(|field| field.short.scalar),
        }
    }

    /// Returns whether some or all of an entity's content is at the wrong level. This has been reported.
    pub fn is_incomplete(&self, node: NodeId) -> bool {
        !self.incomplete.is_empty() && self.incomplete.contains(&node)
    }
}

/// Returns the entries after the one with the given key.
fn following<'n>(node: Node<'n>, key: Node<'n>) -> impl Iterator<Item = Entry<'n>> {
    node.entries().skip_while(move |entry| entry.key.id() != key.id()).skip(1).filter(|entry| !entry.merged)
}

/// Lists the keys; if there are many, lists the first ones and the number of the others.
fn listed(content: &[Entry<'_>]) -> String {
    let keys: Vec<&str> = content.iter().take(NAMED).map(|entry| entry.key.text()).collect();
    match content.len().checked_sub(NAMED) {
        None | Some(0) => and_list(&keys),
        Some(more) => {
            let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
            format!("{} and {more} more", keys.join(", "))
        }
    }
}

/// Returns the edits that indent entries further, if they are on lines of their own.
fn indentation(content: &[Entry<'_>], blanks: usize) -> Vec<Edit> {
    let (Some(first), Some(last)) = (content.first(), content.last()) else { return Vec::new() };
    let Some(layout) = Layout::around(first.key) else { return Vec::new() };
    let text = first.key.document().text();
    let (from, to) = (first.key.span().start, last.value.span().end.max(last.key.span().end));
    if !layout.before(from).trim().is_empty() || last.value.written().is_none() {
        return Vec::new();
    }
    let start = from - layout.before(from).len() as u32;
    let Some(lines) = text.get(start as usize..to as usize) else { return Vec::new() };
    let mut at = start;
    let mut edits = Vec::new();
    for line in lines.split_inclusive('\n') {
        if !line.trim().is_empty() {
            edits.push(Edit { safety: Safety::Safe, ..layout.insert(at, " ".repeat(blanks)) });
        }
        at += line.len() as u32;
    }
    edits
}
