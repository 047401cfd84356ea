//! Converts raw data to entities according to their descriptions. This module contains the state while a source is read
//! and reads the different forms of entities; `keynames` reads maps, and `names` reads names.

use rustc_hash::FxHashSet;
use thin_vec::ThinVec;

use super::{ImportRequest, ReferenceSite};
use crate::ard::{Document, Kind as NodeKind, Node, NodeId};
use crate::diagnostic::suggest::Suggestions;
use crate::diagnostic::{Diagnostic, Diagnostics, Help, SourceId, Span};
use crate::entity::{
    AnyId, Arenas, Described, Entity, EntityDescription, FieldDescription, Functions, Header, Id, Keyname, Kind,
    Language, LanguageVersion, LocalId, NodeRef, Quirk, Quirks, Section, Vocabulary,
};
use crate::phase::DiagnosticBuilder;
use crate::phase::namespace::Declaration;
use crate::rules;
use crate::symbol::{Interner, Symbol};

/// The maximum number of names per source that are compared for suggestions.
const SUGGESTION_BUDGET: usize = 50_000;

/// A source that is being read.
pub struct Reader<'a> {
    pub(super) document: &'a Document,
    pub(super) language: &'static Language,
    pub(super) version: LanguageVersion,
    /// The functions that can be called in values.
    pub(super) functions: Option<&'static Functions>,
    /// The kind of the root entity.
    pub(super) root: Kind,
    pub(super) quirks: Quirks,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) interner: &'a Interner,
    pub(super) on_import: &'a mut dyn FnMut(LanguageVersion, &ImportRequest),
    pub(super) suggestions: Suggestions,
    /// The scope of the names that are read from now on.
    pub(super) scope: Option<NodeId>,
    /// The names whose sources have been requested.
    pub(super) found: FxHashSet<Symbol>,
    pub(super) owner: Option<LocalId>,
    /// The nodes of the current keyname and of its value.
    pub(super) keyname: Option<(NodeId, NodeId)>,
    /// The most recent node that was reported to be of the wrong kind.
    pub(super) misfit: Option<NodeId>,
    /// The most recent value that a comma has truncated.
    pub(super) cut: Option<NodeId>,
    /// Keys that are actually the content of a different key; this has been reported.
    pub(super) claimed: FxHashSet<NodeId>,
    /// The values of entities some or all of whose content is at the wrong level; this has been reported.
    pub(super) incomplete: FxHashSet<NodeId>,
    /// A key that has been reported completely.
    pub(super) ignored: Option<NodeId>,
    /// Whether problems are suppressed because they have already been reported.
    pub(super) is_silent: bool,
    /// The names and indexes of the members in all fields that are being read, those of the innermost field last.
    pub(crate) gathered: Vec<(Symbol, u32)>,
    pub(super) out: Read,
}

/// The parts of a source that could not be read. This has been reported.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadGaps {
    /// Incomplete entities, which may have further members in the part that was lost.
    pub(crate) entities: ThinVec<LocalId>,
    /// The first keynames of entities without a name, which are written in place of the names.
    pub(crate) nameless: FxHashSet<NodeId>,
    /// The sections of names that have been lost.
    pub(crate) sections: ThinVec<Section>,
    /// Whether imports have been lost, so that any name may be missing.
    pub(crate) imports: bool,
}

/// The result of reading a source.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) arenas: Arenas,
    pub(super) references: Vec<ReferenceSite>,
    pub(super) declarations: Vec<Declaration>,
    pub(super) imports: Vec<ImportRequest>,
    pub(super) diagnostics: Diagnostics,
    /// Duplicate keys that have been reported with a different rule.
    pub(super) repeated: Vec<NodeId>,
    pub(super) losses: ReadGaps,
    pub(super) values: Vec<(NodeId, LocalId)>,
    pub(super) files: Vec<(NodeId, LocalId)>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        document: &'a Document,
        (language, version, quirks): (&'static Language, LanguageVersion, Quirks),
        root: Kind,
        (vocabulary, interner): (&'a Vocabulary, &'a Interner),
        on_import: &'a mut dyn FnMut(LanguageVersion, &ImportRequest),
    ) -> Self {
        Self {
            document,
            language,
            version,
            functions: (language.functions)(version),
            root,
            quirks,
            vocabulary,
            interner,
            on_import,
            suggestions: Suggestions::new(SUGGESTION_BUDGET),
            scope: None,
            found: FxHashSet::default(),
            owner: None,
            keyname: None,
            misfit: None,
            cut: None,
            claimed: FxHashSet::default(),
            incomplete: FxHashSet::default(),
            ignored: None,
            is_silent: false,
            gathered: Vec::new(),
            out: Read::default(),
        }
    }

    /// Records the key that has been reported completely.
    pub(super) fn ignore(&mut self, key: Option<NodeId>) {
        self.ignored = key;
    }

    /// Returns the language of the source.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// Returns the version of the language in which the source is written.
    pub fn version(&self) -> LanguageVersion {
        self.version
    }

    /// Returns whether a quirk is enabled.
    pub fn has(&self, quirk: Quirk) -> bool {
        self.quirks.has(quirk)
    }

    /// Returns the raw data.
    pub fn document(&self) -> &'a Document {
        self.document
    }

    /// Returns the search for similar names, with its remaining budget.
    pub fn suggestions(&self) -> &Suggestions {
        &self.suggestions
    }

    /// Returns the interner for names.
    pub fn interner(&self) -> &'a Interner {
        self.interner
    }

    /// Returns the ID of the unit.
    pub fn unit(&self) -> SourceId {
        self.document.source()
    }

    /// Returns the position of a node.
    pub fn position(&self, node: Node<'_>) -> NodeRef {
        NodeRef { unit: self.unit(), node: node.id() }
    }

    /// Returns the current scope of names, such as a map of prefixes: the node that was last passed to
    /// [`enter_scope`](Self::enter_scope).
    pub fn scope(&self) -> Option<Node<'a>> {
        self.scope.map(|node| self.document.node(node))
    }

    /// Sets the scope of the names that are read from now on, for the language's
    /// [`qualify_name`](crate::entity::Language::qualify_name).
    pub fn enter_scope(&mut self, node: Node<'_>) {
        self.scope = Some(node.id());
    }

    /// Returns the header of an entity that has been read or is being read.
    pub fn header(&self, id: LocalId) -> Option<Header> {
        self.out.arenas.header(id)
    }

    /// Returns an entity that has been read.
    pub fn entity_of<E: Entity>(&self, id: Id<E>) -> Option<&E> {
        self.out.arenas.get(id.index())
    }

    /// Returns an entity of any kind that has been read.
    pub fn any_entity(&self, id: LocalId) -> Option<&dyn Described> {
        self.out.arenas.entity(id)
    }

    /// Returns the entities of type `E` that have been read so far.
    pub fn entities<E: Entity>(&self) -> impl Iterator<Item = (Header, &E)> {
        let arenas = &self.out.arenas;
        (0..arenas.count(E::KIND))
            .filter_map(move |index| Some((arenas.header(LocalId { kind: E::KIND, index })?, arenas.get(index)?)))
    }

    /// Reports a problem at a node, unless the node is a placeholder for an alias that has been reported.
    pub fn problem(
        &mut self,
        rule: &'static crate::diagnostic::Rule,
        node: Node<'_>,
        message: impl Into<String>,
    ) -> DiagnosticBuilder<'_> {
        if node.is_placeholder() || self.is_silent {
            return DiagnosticBuilder::unreported();
        }
        let diagnostic = node.problem(rule, message);
        DiagnosticBuilder::report(&mut self.out.diagnostics, diagnostic, Some(self.document))
    }

    /// Reports a problem at a span inside a node, such as part of a string that has its own grammar.
    pub fn problem_at(
        &mut self,
        rule: &'static crate::diagnostic::Rule,
        place: Span,
        message: impl Into<String>,
    ) -> DiagnosticBuilder<'_> {
        if self.is_silent {
            return DiagnosticBuilder::unreported();
        }
        DiagnosticBuilder::report(&mut self.out.diagnostics, Diagnostic::new(rule, place, message), Some(self.document))
    }

    /// Reports a duplicate key with the given rule instead of [`DUPLICATE_KEY`](crate::rules::DUPLICATE_KEY), for
    /// duplicates that lose no value that matters.
    pub fn repeated_key(
        &mut self,
        rule: &'static crate::diagnostic::Rule,
        key: Node<'_>,
        message: String,
    ) -> DiagnosticBuilder<'_> {
        self.out.repeated.push(key.id());
        self.problem(rule, key, message)
    }

    /// Records that a comma has ended a value too early, which has been reported. The following keys without a value
    /// are the rest of that value rather than unknown keynames.
    pub fn mark_truncated(&mut self, node: Node<'_>) {
        self.cut = Some(node.id());
    }

    /// Returns whether a node may be a function call, for a field in which a quirk allows calls.
    pub(crate) fn is_computed(&self, node: Node<'_>, field: &FieldDescription) -> bool {
        let is_one = node.kind() == NodeKind::Map && node.len() == 1;
        let Some(owner) = self.owner.filter(|_| is_one) else { return false };
        let mut keynames = self.language.computed_keynames.iter().filter(|(kind, _)| *kind == owner.kind);
        keynames.any(|(_, name)| field.keynames.iter().any(|keyname| keyname.name == *name))
    }

    /// Reports that a node is of the wrong kind: `what` must be `expected`.
    pub fn wrong_kind(&mut self, node: Node<'_>, what: &str, expected: &str) -> DiagnosticBuilder<'_> {
        self.misfit = Some(node.id());
        if node.kind() == NodeKind::Null {
            let message = format!("{what} must be {expected}, but is empty");
            return self.problem(&rules::NULL_VALUE, node, message);
        }
        let message = format!("{what} must be {expected}, not {}", with_article(node));
        let is_scalar = !matches!(node.kind(), NodeKind::Map | NodeKind::List);
        let problem = self.problem(&rules::WRONG_KIND, node, message);
        if expected.contains("string") && is_scalar {
            return problem.help(Help::quote(node.text()));
        }
        problem
    }

    /// Reads an entity. `short` is the name of the field that a short form sets, if the caller rather than the entity
    /// determines it.
    pub fn entity<E: Entity>(
        &mut self,
        name: Option<(Symbol, Node<'_>)>,
        node: Node<'_>,
        short: Option<&'static str>,
    ) -> Id<E> {
        let keyname = self.keyname.filter(|(_, value)| *value == node.id()).map_or(node.id(), |(key, _)| key);
        let header = Header {
            name: name.map_or(Symbol::EMPTY, |(name, _)| name),
            key: name.map_or(keyname, |(_, key)| key.id()),
            node: node.id(),
            owner: self.owner,
        };
        let index = self.out.arenas.reserve::<E>(header);
        let id = LocalId { kind: E::KIND, index };
        let outer = self.owner.replace(id);
        let mut entity = E::default();
        self.read_fields(&mut entity, id, node, short);
        self.check_relations(&entity, id, node);
        if let Some(check) = E::CHECKS.after_read {
            check(&entity, self, id);
        }
        let import = E::CHECKS.import.and_then(|ask| ask(&entity, self, id));
        self.out.arenas.set(index, entity);
        self.owner = outer;
        if let Some(import) = import {
            (self.on_import)(self.version, &import);
            self.out.imports.push(import);
        }
        Id::at(self.unit(), index)
    }

    fn read_fields(&mut self, entity: &mut dyn Described, id: LocalId, node: Node<'_>, short: Option<&'static str>) {
        let description = entity.description();
        if self.is_incomplete(node.id()) {
            self.out.losses.entities.push(id);
            if node.kind() == NodeKind::Null {
                return;
            }
        }
        let vocabulary = self.vocabulary;
        let Some(vocabulary) = vocabulary.of(id.kind, self.interner).filter(|_| !node.is_placeholder()) else { return };
        let given = short.and_then(|ident| description.field(ident));
        let short = match given {
            // A short form that the caller determines is never a map, because that would hide misspelled keynames.
            Some(_) if node.kind() == NodeKind::Map => None,
            Some((_, field)) if field.exists_in(self.version) => given,
            _ => description.find(|field| {
                let stands_for = match node.kind() {
                    NodeKind::Map => field.short.map,
                    NodeKind::List => field.short.list,
                    NodeKind::Null => false,
                    _ => field.short.scalar,
                };
                stands_for && field.exists_in(self.version)
            }),
        };
        match (node.kind(), short) {
            (NodeKind::List, _) if description.tuple => self.read_items(entity, id, node),
            (NodeKind::Map, None) if !description.is_map(self.version) => self.wrong_form(description, id, node),
            (NodeKind::Map, short)
                if short.is_none() || self.has_keynames(description, (id.kind, vocabulary), node) =>
            {
                self.read_keynames(entity, id, node, vocabulary);
                self.check_mandatory(entity, id, node, None);
            }
            (_, Some((index, field))) if node.kind() != NodeKind::Null => {
                entity.field_mut(index).read(self, node, field);
                self.check_mandatory(entity, id, node, Some(index));
            }
            (NodeKind::Null, _) if self.language.leniency.null_is_empty.contains(self.version) => {
                self.check_mandatory(entity, id, node, None);
            }
            (NodeKind::List, None) if node.is_empty() && self.has(Quirk::LISTS_AS_MAPS) => {
                self.check_mandatory(entity, id, node, None);
            }
            (NodeKind::Null, _) => {
                let what = self.title(description, id);
                let key = self.header(id).map_or(node, |header| self.document.node(header.key));
                let help = match key.kind() {
                    NodeKind::String => format!("write `{}: {{}}` if it has no content", key.text()),
                    _ => "write `{}` if it has no content".to_owned(),
                };
                self.problem(&rules::NULL_VALUE, key, format!("{what} has no value")).help(help);
                self.out.losses.entities.push(id);
            }
            _ => self.wrong_form(description, id, node),
        }
    }

    /// Reports that an entity can't be written in the form of the given node.
    fn wrong_form(&mut self, description: &'static EntityDescription, id: LocalId, node: Node<'_>) {
        self.out.losses.entities.push(id);
        let what = self.title(description, id);
        let is_map = description.is_map(self.version);
        let expected = if is_map { "a map".to_owned() } else { description.forms(self.version) };
        let slip = self.slip(id).or_else(|| self.one_level_up(description, id, node));
        let problem = self.wrong_kind(node, &what, &expected);
        if let Some(slip) = slip {
            problem.help(slip);
        } else if is_map && node.kind() == NodeKind::List && node.is_empty() {
            problem.help(Quirk::LISTS_AS_MAPS.help());
        }
    }

    /// Returns help for a scalar in place of an entity, if it may be an entry of such an entity, in short notation.
    fn one_level_up(&self, description: &EntityDescription, id: LocalId, node: Node<'_>) -> Option<String> {
        let (content, inner) = description.any_content()?;
        inner.find(|field| field.short.scalar && field.exists_in(self.version))?;
        let key = self.document.node(self.header(id)?.key);
        let is_one = !matches!(node.kind(), NodeKind::Map | NodeKind::List | NodeKind::Null) && key.id() != node.id();
        let example = is_one.then(|| self.around(content, key))?;
        Some(format!("if it is one of the {}, write a name above: {example}", content.words()))
    }

    /// Records a scalar that is the address of a file.
    pub(crate) fn record_file(&mut self, node: Node<'_>) {
        self.out.files.extend(self.owner.map(|owner| (node.id(), owner)));
    }

    /// Returns the entity whose fields are being read.
    pub fn owner(&self) -> Option<LocalId> {
        self.owner
    }

    /// Returns help for a list item that has the name of a keyname: a superfluous dash turns a keyname into an item.
    pub fn slip(&self, id: LocalId) -> Option<String> {
        let description = self.language.kinds[usize::from(id.kind.0)].description();
        let header = self.header(id).filter(|header| header.name != Symbol::EMPTY)?;
        let name = self.interner.text(header.name);
        let is_keyname = |keyname: &Keyname| keyname.name == name && keyname.is_written();
        let is_known = description.fields.iter().flat_map(|field| field.keynames).any(is_keyname);
        let title = description.title;
        is_known.then(|| {
            format!(
                "if this is meant to be the keyname `{name}` of the {title} above, remove the dash and indent the line"
            )
        })
    }

    /// Reads an entity that is written as a list of its fields.
    fn read_items(&mut self, entity: &mut dyn Described, id: LocalId, node: Node<'_>) {
        let description = entity.description();
        let fields: Vec<_> = description.items(self.version).collect();
        let needed = fields.iter().filter(|(_, field)| field.is_mandatory(self.version)).count();
        if !(needed..=fields.len()).contains(&node.len()) {
            self.out.losses.entities.push(id);
            self.misfit = Some(node.id());
            let expected = description.forms(self.version);
            let message = format!("{} must be {expected}, but has {}", self.title(description, id), node.len());
            self.problem(&rules::WRONG_KIND, node, message);
            return;
        }
        for ((index, field), item) in fields.into_iter().zip(node.items()).filter(|(_, item)| !item.is_placeholder()) {
            entity.field_mut(index).read(self, item, field);
        }
    }

    /// Also reads a value as an entity, if its field requires this.
    pub(crate) fn read_as(&mut self, node: Node<'_>, field: &'static FieldDescription) {
        if let Some(read_as) = field.read_as.filter(|read_as| read_as.versions.contains(self.version)) {
            (read_as.read)(self, node);
        }
    }

    /// Records that part of an entity is lost. Missing members may be in that part.
    pub fn mark_incomplete(&mut self, id: AnyId) {
        self.out.losses.entities.push(id.local());
    }

    /// Records that names may be missing, because imports could not be read.
    pub fn mark_imports_missing(&mut self) {
        self.out.losses.imports = true;
    }

    /// Describes an entity, for messages: "node type `Server`".
    pub fn title(&self, description: &EntityDescription, id: LocalId) -> String {
        match self.header(id) {
            Some(header) if header.name != Symbol::EMPTY => {
                format!("{} `{}`", description.title, self.interner.text(header.name))
            }
            _ => format!("the {}", description.title),
        }
    }
}

/// Describes a node, for messages.
pub fn with_article(node: Node<'_>) -> &'static str {
    match node.kind() {
        NodeKind::Null => "null",
        NodeKind::Boolean => "a boolean",
        NodeKind::Integer => "an integer",
        NodeKind::Float => "a float",
        NodeKind::String => "a string",
        NodeKind::Map => "a map",
        NodeKind::List => "a list",
    }
}
