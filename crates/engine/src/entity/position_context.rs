//! The context of a position in a document: the entities, the field and the name around it.
//!
//! Reading maps a document to entities and keeps no reverse mapping, because only editors need one. For a single
//! position, [`PositionContext`] repeats the mapping with the same descriptions. So it needs no program and works on
//! invalid documents. The cost depends on the number of entries in the maps around the position.
//!
//! ```
//! # extern crate tosca_parse_engine as tosca_parse;
//! # use tosca_parse::Entity;
//! # use tosca_parse::entity::{LanguageVersion, Members, Text};
//! use tosca_parse::ard::{self, Options};
//! use tosca_parse::diagnostic::SourceId;
//! use tosca_parse::position_context::{PositionPart, PositionContext};
//! use tosca_parse::symbol::Interner;
//!
//! /// A list of errands.
//! #[derive(Entity, Clone, Debug, Default)]
//! #[entity(title = "list")]
//! struct List {
//!     /// The errands.
//!     errands: Members<Errand>,
//! }
//!
//! /// An errand.
//! #[derive(Entity, Clone, Debug, Default)]
//! #[entity(title = "errand")]
//! struct Errand {
//!     /// The place.
//!     place: Option<Text>,
//! }
//!
//! tosca_parse::kinds! { static KINDS = [List, Errand]; }
//!
//! let text = "errands: { letter: { place: post } }";
//! let (document, _) = ard::read(SourceId(0), text.into(), &Interner::new(), &Options::default());
//! let position = PositionContext::at(&document, KINDS[0].description(), LanguageVersion::FIRST, 29).expect("it is not empty");
//! let PositionPart::Value { field, path, .. } = position.part else { panic!("{:?}", position.part) };
//! assert_eq!((field.ident, path.len()), ("place", 1));
//! assert_eq!(position.entities.last().map(|enclosing| enclosing.name()), Some("letter"));
//! ```

use rustc_hash::FxHashMap;

use super::{EntityDescription, FieldDescription, Keyname, LanguageVersion, Shape};
use crate::ard::{Document, Entry, Kind, Layout, Node, NodeId, Style};
use crate::diagnostic::{Edit, Span};

/// The context of a position in a document, in terms of entity descriptions.
#[derive(Clone, Debug)]
pub struct PositionContext<'d> {
    /// The entities around the position, outermost first; never empty.
    pub entities: Vec<EnclosingEntity<'d>>,
    /// The part of the innermost entity that is at the position.
    pub part: PositionPart<'d>,
}

/// An entity around a position.
#[derive(Clone, Copy, Debug)]
pub struct EnclosingEntity<'d> {
    /// Its description.
    pub entity: &'static EntityDescription,
    /// Its node.
    pub node: Node<'d>,
    /// The key that contains the entity's name, if the enclosing entity gives it one.
    pub key: Option<Node<'d>>,
    /// The field of the enclosing entity that contains the entity.
    pub field: Option<&'static FieldDescription>,
}

/// The part of an entity at a position.
#[derive(Clone, Debug)]
pub enum PositionPart<'d> {
    /// A keyname or a position for one.
    Keyname {
        /// The key; `None` if there is no map of keynames yet.
        key: Option<Node<'d>>,
        /// The field; `None` if the key is not a keyname.
        field: Option<&'static FieldDescription>,
    },
    /// The name of an entity in a field or a position for one.
    Name {
        /// The field.
        field: &'static FieldDescription,
        /// The name; `None` if there is none yet. If the key is a list, this is one of its items.
        key: Option<Node<'d>>,
        /// The map or list item that contains the name.
        map: Node<'d>,
    },
    /// The value of a field or a position inside it.
    Value {
        /// The field.
        field: &'static FieldDescription,
        /// Whether the value is written in place of the entity, as a short form.
        is_short: bool,
        /// The value and the nested values around the position, outermost first: values in maps and items in lists.
        path: Vec<EnclosingValue<'d>>,
        /// The key at the position, if there is one in the innermost map.
        key: Option<Node<'d>>,
    },
}

/// A value around a position.
#[derive(Clone, Copy, Debug)]
pub struct EnclosingValue<'d> {
    /// The key, if the value is in a map.
    pub key: Option<Node<'d>>,
    /// The index, if the value is in a list.
    pub index: Option<usize>,
    /// The value.
    pub node: Node<'d>,
}

impl<'d> EnclosingEntity<'d> {
    /// Returns the name in the enclosing entity; empty if there is none.
    pub fn name(&self) -> &'d str {
        self.key.map_or("", Node::text)
    }

    /// Returns the value of a field in a version.
    pub fn value(&self, ident: &str, version: LanguageVersion) -> Option<Node<'d>> {
        let (_, field) = self.entity.field(ident)?;
        let keynames = field.keynames.iter().filter(|keyname| keyname.is_read_in(version));
        keynames.filter_map(|keyname| self.node.find(keyname.name)).map(|entry| entry.value).next()
    }
}

impl<'d> PositionContext<'d> {
    /// Returns the context of the given offset in a document whose root entity is described by `root`; `None` if the
    /// document is empty.
    pub fn at(
        document: &'d Document,
        root: &'static EntityDescription,
        version: LanguageVersion,
        offset: u32,
    ) -> Option<Self> {
        PositionContexts::new(document, root, version).at(offset)
    }

    /// Returns the innermost entity around the position.
    pub fn innermost(&self) -> &EnclosingEntity<'d> {
        &self.entities[self.entities.len() - 1]
    }

    /// Returns the node at the position, if it is a key or a scalar value.
    pub fn node(&self) -> Option<Node<'d>> {
        match &self.part {
            PositionPart::Keyname { key, .. } | PositionPart::Name { key, .. } => *key,
            PositionPart::Value { key: Some(key), .. } => Some(*key),
            PositionPart::Value { path, .. } => path.last().map(|step| step.node),
        }
    }
}

/// The contexts of several positions in a document. The entries of each map around the positions are collected only
/// once.
#[derive(Debug)]
pub struct PositionContexts<'d> {
    document: &'d Document,
    root: &'static EntityDescription,
    version: LanguageVersion,
    entries: FxHashMap<NodeId, Vec<Entry<'d>>>,
    items: FxHashMap<NodeId, Vec<Node<'d>>>,
}

impl<'d> PositionContexts<'d> {
    /// Creates the contexts for a document whose root entity is described by `root`.
    pub fn new(document: &'d Document, root: &'static EntityDescription, version: LanguageVersion) -> Self {
        Self { document, root, version, entries: FxHashMap::default(), items: FxHashMap::default() }
    }

    /// Returns the context of the given offset; `None` if the document is empty.
    pub fn at(&mut self, offset: u32) -> Option<PositionContext<'d>> {
        self.walk(offset, None)
    }

    /// Returns the context that the given offset has in a node whose content, or a part of it, is written elsewhere: an
    /// alias, or a map with merged entries. Returns `None` if that content does not include the offset.
    pub fn at_use(&mut self, user: Node<'d>, offset: u32) -> Option<PositionContext<'d>> {
        self.walk(user.span().start, Some((user.id(), offset)))
    }

    fn walk(&mut self, offset: u32, user: Option<(NodeId, u32)>) -> Option<PositionContext<'d>> {
        let (node, entity, version) = (self.document.root()?, self.root, self.version);
        let mut walk = Walk { version, offset, user, entities: Vec::new(), contexts: self };
        let part = walk.entity(EnclosingEntity { entity, node, key: None, field: None });
        walk.user.is_none().then_some(PositionContext { entities: walk.entities, part })
    }

    /// Returns the last entry in a map whose key starts at or before the given offset.
    fn entry(&mut self, map: Node<'d>, offset: u32) -> Option<Entry<'d>> {
        let written = || map.entries().filter(|entry| !entry.merged).collect();
        let entries = self.entries.entry(map.id()).or_insert_with(written);
        let after = entries.partition_point(|entry| entry.key.span().start <= offset);
        entries.get(after.checked_sub(1)?).copied()
    }

    /// Returns the last item in a list that starts at or before the given offset, and its index.
    fn item(&mut self, list: Node<'d>, offset: u32) -> Option<(usize, Node<'d>)> {
        let items = self.items.entry(list.id()).or_insert_with(|| list.items().collect());
        let index = items.partition_point(|item| item.span().start <= offset).checked_sub(1)?;
        Some((index, *items.get(index)?))
    }
}

/// Returns the entity's field that a key refers to in a version, and its keyname.
pub fn field_of_key(
    entity: &'static EntityDescription,
    version: LanguageVersion,
    key: &str,
) -> Option<(&'static FieldDescription, &'static Keyname)> {
    let keynames = || entity.fields.iter().flat_map(|field| field.keynames.iter().map(move |keyname| (field, keyname)));
    let named = |name: &str, is_there: &dyn Fn(&Keyname) -> bool| {
        keynames().find(|(_, keyname)| keyname.name == name && is_there(keyname))
    };
    named(key, &|keyname| keyname.versions.contains(version))
        .or_else(|| named(key, &|keyname| keyname.is_read_in(version)))
        .or_else(|| named(Keyname::ANY, &|keyname| keyname.is_read_in(version)))
}

/// Returns whether a key is a keyname of the entity, rather than a name, in a version.
pub(super) fn is_keyname(entity: &'static EntityDescription, version: LanguageVersion, key: &str) -> bool {
    field_of_key(entity, version, key).is_some_and(|(_, keyname)| keyname.name != Keyname::ANY)
}

/// Returns the field of a root entity that contains the imports: an early field with a list of entities that have a
/// scalar short form.
pub fn imports(root: &'static EntityDescription) -> Option<&'static FieldDescription> {
    let is_list = |field: &FieldDescription| {
        let entity = if let Shape::List(entity) = field.shape { Some(entity()) } else { None };
        field.early && entity.is_some_and(|entity| entity.fields.iter().any(|field| field.short.scalar))
    };
    root.find(is_list).map(|(_, field)| field)
}

/// Returns the edit that adds an item to the list of [imports] in a document; `None` if there is no place for
/// the item or the list is not YAML in the document's own source.
pub fn import(
    document: &Document,
    root: &'static EntityDescription,
    version: LanguageVersion,
    item: &str,
) -> Option<Edit> {
    let keyname = imports(root)?.keyname(version);
    let node = document.root()?;
    let layout = Layout::around(node)?;
    let is_flow = node.style() == Style::Flow;
    let Some(entry) = node.find(keyname) else {
        let first = node.entries().next().filter(|first| !first.merged)?;
        let end = first.value.span().end;
        return Some(if is_flow {
            // The document may be JSON.
            let quote = if first.key.style() == Style::DoubleQuoted { "\"" } else { "" };
            layout.insert(end, format!(", {quote}{keyname}{quote}: [ {item} ]"))
        } else {
            let newline = layout.line_break(end);
            let before = layout.before(first.key.span().start);
            let indentation = if before.trim().is_empty() { before } else { "" };
            layout.insert_below(end, &format!("{indentation}{keyname}:{newline}{indentation}- {item}"))
        });
    };
    let list = entry.value;
    let layout = Layout::around(list)?;
    let Span { start, end, .. } = list.span();
    let last = list.items().last().filter(|last| last.written().is_some());
    match (list.kind(), list.style(), last) {
        (Kind::List, Style::Flow, Some(last)) => Some(layout.insert(last.span().end, format!(", {item}"))),
        (Kind::List, Style::Flow, None) => Some(layout.insert(start + 1, format!(" {item} "))),
        (Kind::List, _, Some(last)) => {
            Some(layout.insert_below(last.span().end, &format!("{}- {item}", layout.indentation(start))))
        }
        (Kind::Null, ..) if start < end => Some(layout.replace(start, end, format!("[ {item} ]"))),
        (Kind::Null, ..) if is_flow => Some(layout.insert(start, format!(" [ {item} ]"))),
        (Kind::Null, ..) => {
            let rest = layout.after(start).trim_start();
            let is_free = rest.is_empty() || rest.starts_with('#');
            let before = layout.before(entry.key.span().start);
            let indentation = if before.trim().is_empty() { before } else { "" };
            is_free.then(|| layout.insert_below(start, &format!("{indentation}- {item}")))
        }
        _ => None,
    }
}

/// The state of the search for a position.
struct Walk<'d, 'c> {
    version: LanguageVersion,
    offset: u32,
    /// The node whose content is written elsewhere, and the offset of the position in that content.
    user: Option<(NodeId, u32)>,
    entities: Vec<EnclosingEntity<'d>>,
    contexts: &'c mut PositionContexts<'d>,
}

/// The part of a map that is at a position.
enum Entered<'d> {
    Key(Node<'d>),
    Value(Entry<'d>),
    /// Before the first key or in an empty map.
    Nothing,
}

impl<'d> Walk<'d, '_> {
    fn is_in(&self, node: Node<'_>) -> bool {
        let span = node.span();
        span.start <= self.offset && self.offset <= span.end
    }

    /// Finds the part of the map that is at the position. A value extends to the next key, because text that is typed
    /// there belongs to the value.
    fn enter(&mut self, map: Node<'d>) -> Entered<'d> {
        let before = if self.continues_in(map) {
            map.entries().find(|entry| self.is_in(entry.key) || self.is_in(entry.value))
        } else if map.is_alias() {
            // Its target is written elsewhere.
            None
        } else {
            self.contexts.entry(map, self.offset)
        };
        match before {
            Some(entry) if self.is_in(entry.key) => Entered::Key(entry.key),
            Some(entry) => Entered::Value(entry),
            None => Entered::Nothing,
        }
    }

    /// Returns whether the position is in the content of a node that is written elsewhere.
    fn continues_in(&mut self, node: Node<'_>) -> bool {
        let user = self.user.take_if(|(user, _)| *user == node.id());
        user.map(|(_, offset)| self.offset = offset).is_some()
    }

    fn item(&mut self, list: Node<'d>) -> Option<(usize, Node<'d>)> {
        if self.continues_in(list) {
            return list.items().enumerate().find(|(_, item)| self.is_in(*item));
        }
        if list.is_alias() { None } else { self.contexts.item(list, self.offset) }
    }

    fn entity(&mut self, enclosing: EnclosingEntity<'d>) -> PositionPart<'d> {
        self.entities.push(enclosing);
        let (entity, node, version) = (enclosing.entity, enclosing.node, self.version);
        let short = |has: fn(&FieldDescription) -> bool| {
            entity.find(|field| has(field) && field.exists_in(version)).map(|(_, field)| field)
        };
        let given = || entity.field(enclosing.field?.members_short?).map(|(_, field)| field);
        let short = match node.kind() {
            Kind::Map if self.has_keynames(entity, node) => None,
            Kind::Map => short(|field| field.short.map),
            Kind::List => given().or_else(|| short(|field| field.short.list)),
            Kind::Null => None,
            _ => given().or_else(|| short(|field| field.short.scalar)),
        };
        if let (Kind::List, true) = (node.kind(), entity.tuple) {
            let found = self.item(node).and_then(|(index, item)| Some((entity.items(version).nth(index)?.1, item)));
            return match found {
                Some((field, item)) => self.field(field, None, item, false),
                None => PositionPart::Keyname { key: None, field: None },
            };
        }
        if let Some(field) = short {
            return self.field(field, None, node, true);
        }
        match self.enter(node) {
            Entered::Key(key) => {
                let found = field_of_key(entity, version, key.text());
                match found {
                    Some((field, keyname)) if keyname.name == Keyname::ANY => {
                        PositionPart::Name { field, key: Some(key), map: node }
                    }
                    found => PositionPart::Keyname { key: Some(key), field: found.map(|(field, _)| field) },
                }
            }
            Entered::Value(entry) => match field_of_key(entity, version, entry.key.text()) {
                Some((field, keyname)) if keyname.name == Keyname::ANY => self.member(field, entry),
                Some((field, _)) => self.field(field, Some(entry.key), entry.value, false),
                None => PositionPart::Keyname { key: None, field: None },
            },
            Entered::Nothing => PositionPart::Keyname { key: None, field: None },
        }
    }

    /// Returns whether a map is probably a map of keynames, even if it is still incomplete.
    fn has_keynames(&self, entity: &'static EntityDescription, node: Node<'_>) -> bool {
        let has_keyname = || node.entries().any(|entry| is_keyname(entity, self.version, entry.key.text()));
        entity.is_map(self.version) && (node.len() <= 1 || has_keyname())
    }

    fn member(&mut self, field: &'static FieldDescription, entry: Entry<'d>) -> PositionPart<'d> {
        match field.entity(self.version) {
            Some(entity) => {
                self.entity(EnclosingEntity { entity, node: entry.value, key: Some(entry.key), field: Some(field) })
            }
            None => self.value(field, Some(entry.key), entry.value, false),
        }
    }

    fn field(
        &mut self,
        field: &'static FieldDescription,
        key: Option<Node<'d>>,
        node: Node<'d>,
        is_short: bool,
    ) -> PositionPart<'d> {
        let Some(entity) = field.entity(self.version) else { return self.value(field, key, node, is_short) };
        match (field.shape, node.kind()) {
            (Shape::List(_), Kind::List) => match self.item(node) {
                Some((_, node)) => self.entity(EnclosingEntity { entity, node, key: None, field: Some(field) }),
                None => self.value(field, key, node, is_short),
            },
            (Shape::Named(_) | Shape::Sequence(_), Kind::Map) => self.named(field, node),
            (Shape::Named(_) | Shape::Sequence(_), Kind::List) => match self.item(node) {
                Some((_, item)) => self.named(field, item),
                None => PositionPart::Name { field, key: None, map: node },
            },
            (Shape::Named(_) | Shape::Sequence(_), _) => {
                let key = Some(node).filter(|node| node.kind() != Kind::Null);
                PositionPart::Name { field, key, map: node }
            }
            (Shape::List(_), _) => self.value(field, key, node, is_short),
            _ => self.entity(EnclosingEntity { entity, node, key: None, field: Some(field) }),
        }
    }

    fn named(&mut self, field: &'static FieldDescription, map: Node<'d>) -> PositionPart<'d> {
        if map.kind() != Kind::Map {
            let key = Some(map).filter(|map| map.kind() == Kind::String);
            return PositionPart::Name { field, key, map };
        }
        match self.enter(map) {
            Entered::Key(key) => {
                // A name can be an item of a list in place of a key.
                let item = if field.list_keys && key.kind() == Kind::List { self.item(key) } else { None };
                PositionPart::Name { field, key: Some(item.map_or(key, |(_, item)| item)), map }
            }
            Entered::Value(entry) => self.member(field, entry),
            Entered::Nothing => PositionPart::Name { field, key: None, map },
        }
    }

    fn value(
        &mut self,
        field: &'static FieldDescription,
        key: Option<Node<'d>>,
        node: Node<'d>,
        is_short: bool,
    ) -> PositionPart<'d> {
        let mut path = vec![EnclosingValue { key, index: None, node }];
        loop {
            let node = path[path.len() - 1].node;
            match node.kind() {
                Kind::Map => match self.enter(node) {
                    Entered::Key(key) => return PositionPart::Value { field, is_short, path, key: Some(key) },
                    Entered::Value(entry) => {
                        path.push(EnclosingValue { key: Some(entry.key), index: None, node: entry.value });
                    }
                    Entered::Nothing => break,
                },
                Kind::List => match self.item(node) {
                    Some((index, node)) => path.push(EnclosingValue { key: None, index: Some(index), node }),
                    None => break,
                },
                _ => break,
            }
        }
        PositionPart::Value { field, is_short, path, key: None }
    }
}
