//! Reading raw data into entities, by their descriptions.

use rustc_hash::FxHashSet;

use super::ImportRequest;
use crate::ard::{Document, Entry, Kind as NodeKind, Node, NodeId};
use crate::diagnostic::suggest::{Suggestions, and_list, nearest};
use crate::diagnostic::{Diagnostic, Diagnostics, SourceId, Span};
use crate::entity::{
    AnyId, Arenas, Described, Entity, EntityDescription, FieldDescription, Header, Id, Keyname, Kind, KindVocabulary,
    Language, LanguageVersion, Local, Position, Quirk, Quirks, Reference, Section, Shape, Vocabulary,
};
use crate::phase::Problem;
use crate::phase::namespace::{Declaration, Naming};
use crate::rules;
use crate::source::ImportTarget;
use crate::symbol::{Interner, Symbol};

/// How many names of a source may be looked at to find those that were meant.
const LOOKS: usize = 50_000;

/// A name that must be looked up.
#[derive(Debug)]
pub(crate) struct ReferenceSite {
    pub(crate) name: Symbol,
    pub(crate) node: NodeId,
    pub(crate) field: &'static FieldDescription,
    pub(crate) owner: Local,
}

/// One source being read.
pub struct Reader<'a> {
    document: &'a Document,
    language: &'static Language,
    version: LanguageVersion,
    /// The kind of the whole source.
    root: Kind,
    quirks: Quirks,
    vocabulary: &'a Vocabulary,
    interner: &'a Interner,
    on_import: &'a mut dyn FnMut(LanguageVersion, &ImportRequest),
    suggestions: Suggestions,
    /// What is in force for the names that follow.
    scope: Option<NodeId>,
    /// The names whose sources have been asked for.
    found: FxHashSet<Symbol>,
    owner: Option<Local>,
    /// The keyname that is being read, and the node of its value.
    keyname: Option<(NodeId, NodeId)>,
    /// The last node that was something else than what must stand there.
    misfit: Option<NodeId>,
    /// A key of which all has been said.
    ignored: Option<NodeId>,
    /// Whether problems were reported already that would be reported now.
    is_silent: bool,
    pub(super) out: Read,
}

/// What is there but could not be read, which has been reported.
#[derive(Clone, Debug, Default)]
pub(crate) struct Losses {
    /// Entities of which a part is lost in which others would be.
    pub(crate) entities: Vec<Local>,
    /// The sections of names that are lost.
    pub(crate) sections: Vec<Section>,
    /// Whether imports are lost, so that any name may be missing.
    pub(crate) imports: bool,
}

/// What reading a source gives.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) arenas: Arenas,
    pub(super) references: Vec<ReferenceSite>,
    pub(super) declarations: Vec<Declaration>,
    pub(super) imports: Vec<ImportRequest>,
    pub(super) diagnostics: Diagnostics,
    /// Keys that occur for the second time where that is less of a problem than usual, which has been reported.
    pub(super) repeated: Vec<NodeId>,
    pub(super) losses: Losses,
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
            root,
            quirks,
            vocabulary,
            interner,
            on_import,
            suggestions: Suggestions::new(LOOKS),
            scope: None,
            found: FxHashSet::default(),
            owner: None,
            keyname: None,
            misfit: None,
            ignored: None,
            is_silent: false,
            out: Read::default(),
        }
    }

    /// Says that a key has been reported.
    pub(super) fn ignore(&mut self, key: Option<NodeId>) {
        self.ignored = key;
    }

    /// The language of the source.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// The version of the language that the source is written in.
    pub fn version(&self) -> LanguageVersion {
        self.version
    }

    /// Whether something is let pass that the language does not allow.
    pub fn has(&self, quirk: Quirk) -> bool {
        self.quirks.has(quirk)
    }

    /// The raw data.
    pub fn document(&self) -> &'a Document {
        self.document
    }

    /// What the author may have meant.
    pub fn suggestions(&self) -> &Suggestions {
        &self.suggestions
    }

    /// The names.
    pub fn interner(&self) -> &'a Interner {
        self.interner
    }

    /// The number of the unit.
    pub fn unit(&self) -> SourceId {
        self.document.source()
    }

    /// Where a node is.
    pub fn position(&self, node: Node<'_>) -> Position {
        Position { unit: self.unit(), node: node.id() }
    }

    /// What is in force for the names that are read now, such as a map of prefixes: the node that was
    /// [noted](Self::enter_scope) last.
    pub fn scope(&self) -> Option<Node<'a>> {
        self.scope.map(|node| self.document.node(node))
    }

    /// Notes what is in force for the names that are read from now on, for the language's
    /// [`qualify`](crate::entity::Language::qualify).
    pub fn enter_scope(&mut self, node: Node<'_>) {
        self.scope = Some(node.id());
    }

    /// The header of an entity that has been read, or is being read.
    pub fn header(&self, id: Local) -> Option<Header> {
        self.out.arenas.header(id).copied()
    }

    /// An entity that has been read.
    pub fn entity_of<E: Entity>(&self, id: Id<E>) -> Option<&E> {
        self.out.arenas.get(id.index)
    }

    /// An entity of whatever kind that has been read.
    pub fn any_entity(&self, id: Local) -> Option<&dyn Described> {
        self.out.arenas.entity(id)
    }

    /// The entities of a type that have been read.
    pub fn entities<E: Entity>(&self) -> impl Iterator<Item = (Header, &E)> {
        let arenas = &self.out.arenas;
        (0..arenas.count(E::KIND))
            .filter_map(move |index| Some((*arenas.header(Local { kind: E::KIND, index })?, arenas.get(index)?)))
    }

    /// Reports a problem at a node, unless the node stands in for an alias that has been reported.
    pub fn problem(
        &mut self,
        rule: &'static crate::diagnostic::Rule,
        node: Node<'_>,
        message: impl Into<String>,
    ) -> Problem<'_> {
        if node.is_substitute() || self.is_silent {
            return Problem::unreported();
        }
        let diagnostic = Diagnostic::new(rule, node.span(), message);
        Problem::report(&mut self.out.diagnostics, diagnostic, Some(self.document))
    }

    /// Reports a problem at a place within a node, such as a part of a text that has a grammar of its own.
    pub fn problem_at(
        &mut self,
        rule: &'static crate::diagnostic::Rule,
        place: Span,
        message: impl Into<String>,
    ) -> Problem<'_> {
        if self.is_silent {
            return Problem::unreported();
        }
        Problem::report(&mut self.out.diagnostics, Diagnostic::new(rule, place, message), Some(self.document))
    }

    /// Reports a key that occurs for the second time by another rule than usual: where no value is lost that anybody
    /// needs.
    pub fn repeated_key(
        &mut self,
        rule: &'static crate::diagnostic::Rule,
        key: Node<'_>,
        message: String,
    ) -> Problem<'_> {
        self.out.repeated.push(key.id());
        self.problem(rule, key, message)
    }

    /// Reports that a node is not what is expected there: `what` must be `expected`.
    pub fn wrong_kind(&mut self, node: Node<'_>, what: &str, expected: &str) -> Problem<'_> {
        self.misfit = Some(node.id());
        if node.kind() == NodeKind::Null {
            let message = format!("{what} must be {expected}, but is empty");
            return self.problem(&rules::NULL_VALUE, node, message);
        }
        let message = format!("{what} must be {expected}, not {}", with_article(node));
        let is_scalar = !matches!(node.kind(), NodeKind::Map | NodeKind::List);
        let problem = self.problem(&rules::WRONG_KIND, node, message);
        if expected.contains("string") && is_scalar {
            return problem.help(format!("put it in quotes: \"{}\"", node.text()));
        }
        problem
    }

    /// The name that a key gives. Nothing, with a problem, if the key is not a string or is empty.
    pub fn name(&mut self, key: Node<'_>) -> Option<Symbol> {
        match key.kind() {
            NodeKind::String if !key.text().is_empty() => {
                key.symbol().or_else(|| Some(self.interner.intern(key.text())))
            }
            NodeKind::String => {
                self.problem(&rules::INVALID_NAME, key, "a name must not be empty").help("give it a name");
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

    /// The items of a list; none, with a problem, if the node is not a list.
    pub fn items<'n>(&mut self, node: Node<'n>, field: &'static FieldDescription) -> Vec<Node<'n>> {
        if node.kind() != NodeKind::List {
            if field.takes_one(self.version) {
                return vec![node];
            }
            let problem = self.wrong_kind(node, &format!("`{}`", field.keyname(self.version)), "a list");
            match node.kind() {
                NodeKind::Map => problem.help("put a dash before each entry"),
                NodeKind::String => problem.help(format!("put brackets around it: `[ {} ]`", node.text())),
                _ => problem,
            };
        }
        node.items().collect()
    }

    /// The names and values of named entities, whether they stand in a map or in a list of maps with one entry each.
    pub fn named<'n>(&mut self, node: Node<'n>, field: &'static FieldDescription) -> Vec<(Node<'n>, Node<'n>)> {
        let what = || format!("`{}`", field.keyname(self.version));
        if !field.sequenced {
            if is_list_of_maps(node) && self.has(Quirk::LISTS_AS_MAPS) {
                return entries_of_items(node);
            }
            if node.kind() != NodeKind::Map {
                let problem = self.wrong_kind(node, &what(), "a map");
                if node.kind() == NodeKind::List {
                    let problem = problem.help("write `name: …` without the dash");
                    if is_list_of_maps(node) {
                        problem.help(Quirk::LISTS_AS_MAPS.help());
                        return entries_of_items(node);
                    }
                }
            }
            // A key that is there for the second time has been reported, and stands for nothing.
            return node.entries().filter(|entry| !entry.duplicate).map(|entry| (entry.key, entry.value)).collect();
        }
        if node.kind() != NodeKind::List {
            let message = format!("{} must be a list, but the names are easily told in a map too", what());
            let help = "put a dash before each name: `- name: …`";
            if node.kind() == NodeKind::Map && field.map_too.is_some_and(|versions| versions.contains(self.version)) {
                if !self.language.leniency.maps_are_lists.contains(self.version) {
                    self.problem(&rules::MAP_FOR_LIST, node, message).help(help);
                }
            } else {
                let problem = self.wrong_kind(node, &what(), "a list");
                if node.kind() == NodeKind::Map {
                    problem.help(help);
                }
            }
            return node.entries().filter(|entry| !entry.duplicate).map(|entry| (entry.key, entry.value)).collect();
        }
        let what = format!("an entry of {}", what());
        let mut named = Vec::with_capacity(node.len());
        for item in node.items() {
            if item.kind() != NodeKind::Map {
                self.wrong_kind(item, &what, "a map with one entry, `name: …`");
                continue;
            }
            let misplaced = misplaced_keynames(item, field);
            match (item.entries().next(), misplaced.first()) {
                (Some(first), Some(key)) if item.len() == misplaced.len() + 1 => {
                    let help = format!("indent `{}` further, so that it is below `{}`", key.text(), first.key.text());
                    self.not_one_entry(item, &what, &help);
                }
                _ if item.len() != 1 => {
                    self.not_one_entry(item, &what, "start each entry with `- name:` and indent what belongs to it");
                }
                _ => {}
            }
            let is_misplaced = |key: Node<'_>| misplaced.iter().any(|other| other.id() == key.id());
            let entries = item.entries().filter(|entry| !is_misplaced(entry.key));
            named.extend(entries.map(|entry| (entry.key, entry.value)));
        }
        named
    }

    /// Reports a map that must have exactly one entry: at the second one if there is one.
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

    /// Declares an entity in a section of names.
    pub fn declare(&mut self, section: Section, name: Symbol, id: AnyId) {
        self.out.declarations.push(Declaration { section, name, id: id.local(), naming: Naming::Written });
    }

    /// Gives an entity the name that stands at a node, and declares it in a section: for entities that say their names
    /// themselves. Nothing, with a problem, if that is no name.
    pub fn declare_itself(&mut self, section: Section, id: Local, node: Node<'_>) -> Option<Symbol> {
        let name = self.name(node)?;
        let name = self.qualified(section, node, name)?;
        if let Some(header) = self.out.arenas.header_mut(id) {
            (header.name, header.key) = (name, node.id());
        }
        self.out.declarations.push(Declaration { section, name, id, naming: Naming::Written });
        Some(name)
    }

    /// The full form of a name that stands at a node.
    fn qualified(&mut self, section: Section, node: Node<'_>, name: Symbol) -> Option<Symbol> {
        let Some(qualify) = self.language.qualify else { return Some(name) };
        qualify(self, section, node).map(|name| self.interner.intern(&name))
    }

    /// Asks for the source of a name, unless it has been asked for.
    fn find(&mut self, name: Symbol, node: Node<'_>) {
        let Some(entity) = self.owner.filter(|_| self.found.insert(name)) else { return };
        let target = Some(ImportTarget::Profile(self.interner.text(name).to_owned()));
        let import = ImportRequest { entity, node: node.id(), target, prefix: None, is_reference: true };
        (self.on_import)(self.version, &import);
        self.out.imports.push(import);
    }

    /// Reads a name that must be looked up. What is not a name stands for something unknown, of which nothing more is
    /// said; where nothing has to be found, it is left out.
    pub fn reference<T>(&mut self, node: Node<'_>, field: &'static FieldDescription) -> Option<Reference<T>> {
        let is_name = node.kind() == NodeKind::String && !node.text().is_empty();
        if node.kind() != NodeKind::String {
            self.wrong_kind(node, &format!("`{}`", field.keyname(self.version)), "a name (a string)");
        } else if !is_name {
            self.problem(&rules::INVALID_NAME, node, format!("`{}` must not be empty", field.keyname(self.version)))
                .help("give the name, or leave the keyname out");
        }
        let must_be_found = field.lookup.as_ref().is_some_and(|lookup| !lookup.optional);
        if !is_name && !must_be_found {
            return None;
        }
        let name = if is_name { self.interner.intern(node.text()) } else { Symbol::EMPTY };
        let name = self.meant(name, node, field);
        self.refer(name, node, field)
    }

    /// Notes a name that stands within the text of a node, in its full form, so that it is looked up.
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
        self.refer(name, node, field)
    }

    fn refer<T>(&mut self, name: Symbol, node: Node<'_>, field: &'static FieldDescription) -> Option<Reference<T>> {
        let number = self.out.references.len() as u32;
        self.out.references.push(ReferenceSite { name, node: node.id(), field, owner: self.owner? });
        Some(Reference::new(self.unit(), number, name))
    }

    /// What a name stands for when it is looked up. Its source may have to be found.
    fn meant(&mut self, name: Symbol, node: Node<'_>, field: &'static FieldDescription) -> Symbol {
        let sections = field.lookup.as_ref().map_or(&[][..], |lookup| lookup.sections);
        let Some(section) = sections.first().filter(|_| name != Symbol::EMPTY) else { return name };
        let name = self.qualified(*section, node, name).unwrap_or(Symbol::EMPTY);
        let is_found = |section: &Section| self.language.sections[usize::from(section.0)].found;
        if name != Symbol::EMPTY && sections.iter().any(is_found) {
            self.find(name, node);
        }
        name
    }

    /// Reads an entity. `short` names the field that a short form stands for, if it is not the entity's own choice.
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
        let id = Local { kind: E::KIND, index };
        let outer = self.owner.replace(id);
        let mut entity = E::default();
        self.read_fields(&mut entity, id, node, short);
        entity.after_read(self, id);
        let import = entity.import(self, id);
        self.out.arenas.set(index, entity);
        self.owner = outer;
        if let Some(import) = import {
            (self.on_import)(self.version, &import);
            self.out.imports.push(import);
        }
        Id::at(self.unit(), index)
    }

    fn read_fields(&mut self, entity: &mut dyn Described, id: Local, node: Node<'_>, short: Option<&'static str>) {
        let description = entity.description();
        let vocabulary = self.vocabulary;
        let Some(vocabulary) = vocabulary.of(id.kind).filter(|_| !node.is_substitute()) else { return };
        let given = short.and_then(|ident| description.field(ident));
        let short = match given.filter(|(_, field)| field.exists_in(self.version)) {
            // What is chosen from outside is never a map, which would hide misspelt keynames.
            Some(chosen) => Some(chosen).filter(|_| node.kind() != NodeKind::Map),
            None => description.find(|field| {
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
                    NodeKind::String => format!("write `{}: {{}}` if there is nothing to say about it", key.text()),
                    _ => "write `{}` if there is nothing to say about it".to_owned(),
                };
                self.problem(&rules::NULL_VALUE, key, format!("{what} has no value")).help(help);
                self.out.losses.entities.push(id);
            }
            _ => {
                self.out.losses.entities.push(id);
                let what = self.title(description, id);
                let problem = self.wrong_kind(node, &what, "a map");
                if node.kind() == NodeKind::List && node.is_empty() {
                    problem.help(Quirk::LISTS_AS_MAPS.help());
                }
            }
        }
    }

    fn read_keynames(&mut self, entity: &mut dyn Described, id: Local, node: Node<'_>, vocabulary: &KindVocabulary) {
        let description = entity.description();
        for (early, field) in description.fields.iter().enumerate().filter(|(_, field)| field.early) {
            for entry in node.entries().filter(|entry| !entry.duplicate) {
                if let Some((index, keyname)) = self.find_keyname(vocabulary, entry.key)
                    && index == early
                {
                    self.read_keyname(entity, node, (index, field, keyname), entry);
                }
            }
        }
        let ignored = self.ignored;
        for entry in node.entries().filter(|entry| Some(entry.key.id()) != ignored) {
            match self.find_keyname(vocabulary, entry.key) {
                // What is given for the second time has been reported, and stands for nothing.
                found if entry.duplicate => {
                    found.into_iter().for_each(|(index, _)| self.lose_duplicate(id, &description.fields[index]));
                }
                Some((_, keyname)) if self.is_misspelt(description, keyname, entry.key) => {
                    self.read_unknown(entity, id, node, vocabulary, entry);
                }
                Some((index, keyname)) => {
                    let field = &description.fields[index];
                    if !field.early {
                        self.read_keyname(entity, node, (index, field, keyname), entry);
                    }
                }
                None => self.read_unknown(entity, id, node, vocabulary, entry),
            }
        }
    }

    /// Reports a key that is not a keyname, and reads the value as that of the keyname that was meant: what is wrong
    /// with the value is to be reported too, and what is named in it is to be known.
    fn read_unknown(
        &mut self,
        entity: &mut dyn Described,
        id: Local,
        node: Node<'_>,
        vocabulary: &KindVocabulary,
        entry: Entry<'_>,
    ) {
        let description = entity.description();
        let Some(index) = self.unknown_keyname(description, id, vocabulary, entry) else { return };
        let field = &description.fields[index];
        let is_meant = |keyname: &&Keyname| keyname.versions.contains(self.version) && keyname.name != Keyname::ANY;
        let Some(keyname) = field.keynames.iter().find(is_meant) else { return };
        let is_given = entity.field(index).is_set() || node.find(keyname.name).is_some();
        if !is_given && !field.early {
            self.read_keyname(entity, node, (index, field, keyname), entry);
        }
    }

    /// The field that a key stands for in this version.
    fn find_keyname(&self, vocabulary: &KindVocabulary, key: Node<'_>) -> Option<(usize, &'static Keyname)> {
        if key.kind() != NodeKind::String {
            return None;
        }
        let is_read = |(_, keyname): &(usize, &'static Keyname)| keyname.is_read_in(self.version);
        let in_version = |(_, keyname): &(usize, &'static Keyname)| keyname.versions.contains(self.version);
        let symbol = key.symbol()?;
        vocabulary
            .find(symbol)
            .find(in_version)
            .or_else(|| vocabulary.find(symbol).find(is_read))
            .or_else(|| vocabulary.find(symbol).find(|(_, keyname)| self.language.is_early(self.version, keyname)))
            .or_else(|| vocabulary.any().find(is_read))
    }

    /// Whether a key that would stand for any name where that is only put up with is rather a misspelt keyname.
    fn is_misspelt(&self, description: &EntityDescription, keyname: &Keyname, key: Node<'_>) -> bool {
        let is_put_up_with = keyname.name == Keyname::ANY && !keyname.versions.contains(self.version);
        is_put_up_with && nearest(key.text(), description.keynames(self.version)).is_some()
    }

    fn read_keyname(
        &mut self,
        entity: &mut dyn Described,
        node: Node<'_>,
        (index, field, keyname): (usize, &'static FieldDescription, &'static Keyname),
        Entry { key, value, .. }: Entry<'_>,
    ) {
        if !keyname.versions.contains(self.version) && keyname.name == Keyname::ANY {
            let named = field.keyname(self.version);
            let message = format!("`{}` stands beside `{named}`, not in it", key.text());
            self.problem(&rules::TOLERATED_KEYNAME, key, message).help(format!("move it to `{named}`"));
        } else if !keyname.versions.contains(self.version) {
            let message = format!("`{}` is not a keyname in {}", key.text(), self.language.version_title(self.version));
            let help = self.instead_of(field, keyname);
            self.problem(&rules::TOLERATED_KEYNAME, key, message).help(help);
        }
        let is_null_default = value.kind() == NodeKind::Null && self.language.defaults.contains(&keyname.name);
        if is_null_default && self.has(Quirk::NULL_DEFAULTS) {
            return;
        }
        if keyname.name == Keyname::ANY {
            entity.field_mut(index).read_entry(self, key, value, field);
        } else if value.is_substitute() {
            // What the value should have been is not known, and that has been reported.
        } else if field.keynames.len() > 1 && entity.field(index).is_set() {
            let mut others = field.keynames.iter().filter(|other| other.name != keyname.name);
            let Some(other) = others.find_map(|other| node.find(other.name)) else { return };
            let message = format!("`{}` means the same as `{}`, which is given too", key.text(), other.key.text());
            let help = format!("leave one of them out; the name in this version is `{}`", field.keyname(self.version));
            self.problem(&rules::KEYNAME_TWICE, key, message)
                .related_node(other.key.id(), "the other one is here")
                .help(help);
        } else if value.kind() == NodeKind::Null && !field.nullable {
            let is_absent = self.language.leniency.null_is_absent.contains(self.version);
            if !is_absent && !self.has(Quirk::NULL_SECTIONS) {
                let message = format!("`{}` has no value", keyname.name);
                self.problem(&rules::NULL_VALUE, key, message)
                    .help("give it a value, or leave the keyname out")
                    .help(Quirk::NULL_SECTIONS.help());
                self.lose(field);
                if matches!(field.shape, Shape::Reference) {
                    let was_silent = std::mem::replace(&mut self.is_silent, true);
                    entity.field_mut(index).read(self, value, field);
                    self.is_silent = was_silent;
                }
            }
        } else {
            self.keyname = Some((key.id(), value.id()));
            self.misfit = None;
            entity.field_mut(index).read(self, value, field);
            if self.misfit == Some(value.id()) {
                self.lose(field);
            }
        }
    }

    /// Notes that what a field of the entity that is being read should hold could not be read: names that are missed
    /// later may be in it.
    fn lose(&mut self, field: &'static FieldDescription) {
        match field.section {
            Some(section) => self.out.losses.sections.push(section),
            // What comes first and has no names brings those of others.
            None if field.early => self.out.losses.imports = true,
            None if field.holds_entities() => self.out.losses.entities.extend(self.owner),
            None => {}
        }
    }

    /// Notes that what a field is given for the second time is lost.
    fn lose_duplicate(&mut self, id: Local, field: &'static FieldDescription) {
        let has_parts = matches!(field.shape, Shape::Values | Shape::Named(_) | Shape::Sequence(_) | Shape::List(_));
        match field.section {
            Some(section) => self.out.losses.sections.push(section),
            None if id.kind == self.root => self.out.losses.imports |= has_parts,
            None if has_parts => self.out.losses.entities.push(id),
            None => {}
        }
    }

    /// Notes that a part of an entity is lost: what it lacks may be in that part.
    pub fn lose_part(&mut self, id: AnyId) {
        self.out.losses.entities.push(id.local());
    }

    /// Notes that names may be missing, since what would import them could not be read.
    pub fn lose_imports(&mut self) {
        self.out.losses.imports = true;
    }

    /// Reports a key that is not a keyname, and returns the field that was meant.
    fn unknown_keyname(
        &mut self,
        description: &'static EntityDescription,
        id: Local,
        vocabulary: &KindVocabulary,
        Entry { key, .. }: Entry<'_>,
    ) -> Option<usize> {
        let version = self.version;
        let title = self.language.version_title(version);
        let what = description.with_article();
        let other = key.symbol().filter(|_| key.kind() == NodeKind::String).and_then(|key| vocabulary.find(key).next());
        if let Some((index, keyname)) = other {
            let message = format!("`{}` is not a keyname of {what} in {title}", keyname.name);
            let help = self.instead_of(&description.fields[index], keyname);
            self.problem(&rules::UNSUPPORTED_KEYNAME, key, message).help(help);
            // What is only a value may mean something else under the other name.
            let field = &description.fields[index];
            return Some(index).filter(|_| field.exists_in(version) && field.holds_entities());
        }
        let is_root = id.kind == self.root;
        let is_vendors = self.is_of_vendor(id.kind, key);
        if is_root && self.has(Quirk::VENDOR_SECTIONS) || is_vendors && self.has(Quirk::VENDOR_KEYNAMES) {
            return None;
        }
        if key.kind() != NodeKind::String {
            let message = format!("a keyname must be a string, not {}", with_article(key));
            self.problem(self.language.unknown_keyname, key, message);
            return None;
        }
        let names: Vec<&str> = description.keynames(self.version).collect();
        let message = format!("`{}` is not a keyname of {}", key.text(), self.title(description, id));
        let near = nearest(key.text(), names.iter().copied()).filter(|_| !is_vendors);
        let help = match near {
            Some(name) => format!("did you mean `{name}`?"),
            None if names.is_empty() => format!("{what} has no keynames"),
            None => match Self::below(description, version) {
                Some(keyname) => format!("write it below `{keyname}`: `{keyname}: {{ {}: … }}`", key.text()),
                None => format!("{what} has the keynames {}", and_list(&names)),
            },
        };
        let quirk = Some(Quirk::VENDOR_SECTIONS.help()).filter(|_| is_root && near.is_none());
        let quirk = quirk.or_else(|| is_vendors.then(|| Quirk::VENDOR_KEYNAMES.help()));
        let problem = self.problem(self.language.unknown_keyname, key, message).help(help);
        if let Some(quirk) = quirk {
            problem.help(quirk);
        }
        let is_near = |keyname: &Keyname| near == Some(keyname.name) && keyname.versions.contains(version);
        description.find(|field| field.keynames.iter().any(is_near)).map(|(index, _)| index)
    }

    /// The keyname for what stands directly in the entity in other versions, without a keyname.
    fn below(description: &EntityDescription, version: LanguageVersion) -> Option<&'static str> {
        let stands_anywhere = |field: &FieldDescription| field.keynames.iter().any(|keyname| keyname.name == "*");
        let (_, field) = description.find(stands_anywhere)?;
        Some(field.keyname(version)).filter(|keyname| *keyname != "*" && field.exists_in(version))
    }

    /// Whether a key is a keyname that orchestrators have added.
    fn is_of_vendor(&self, kind: Kind, key: Node<'_>) -> bool {
        self.language.vendor_keynames.iter().any(|(of, keyname)| *of == kind && *keyname == key.text())
    }

    /// What to write instead of a keyname that the version of the source does not have.
    fn instead_of(&self, field: &FieldDescription, keyname: &Keyname) -> String {
        let (version, language) = (self.version, self.language);
        if field.exists_in(version) {
            format!("in {} it is written `{}`", language.version_title(version), field.keyname(version))
        } else if keyname.versions.since > version {
            format!("it exists since {}", language.version_title(keyname.versions.since))
        } else {
            format!("it exists up to {}; leave it out", language.version_title(keyname.versions.until))
        }
    }

    /// Whether a map is one of keynames, for an entity of which a map can also be a short form. A misspelt keyname
    /// must not turn a definition into a value, nor a keyname that a value happens to have turn it into a definition.
    fn has_keynames(
        &self,
        description: &EntityDescription,
        (kind, vocabulary): (Kind, &KindVocabulary),
        node: Node<'_>,
    ) -> bool {
        let mut known = 0;
        let mut unknown = Vec::new();
        for entry in node.entries() {
            match self.find_keyname(vocabulary, entry.key) {
                Some((index, _)) if description.fields[index].mandatory.is_some() => return true,
                Some(_) => known += 1,
                None if self.is_of_vendor(kind, entry.key) => {}
                None => unknown.push(entry.key),
            }
        }
        let is_misspelt = |key: &Node<'_>| {
            let names = description.fields.iter().flat_map(|field| field.keynames).map(|keyname| keyname.name);
            nearest(key.text(), names).is_some()
        };
        node.is_empty() || known > 0 && unknown.iter().all(is_misspelt)
    }

    /// Reports mandatory keynames that are missing; `short` is the field that a short form stood for.
    fn check_mandatory(&mut self, entity: &dyn Described, id: Local, node: Node<'_>, short: Option<usize>) {
        let description = entity.description();
        for (index, field) in description.fields.iter().enumerate() {
            let Some(mandatory) = field.mandatory else { continue };
            if mandatory.inheritable || !mandatory.versions.contains(self.version) || entity.field(index).is_set() {
                continue;
            }
            let keyname = field.keyname(self.version);
            // Under the name of another version it is given too.
            if field
                .keynames
                .iter()
                .any(|other| self.language.is_early(self.version, other) && node.find(other.name).is_some())
            {
                continue;
            }
            // A value that could not be read has been reported, and so has a misspelt keyname.
            let is_reported =
                node.find(keyname).is_some() || description.misspelt(node, keyname, self.version).is_some();
            if is_reported || short == Some(index) || !self.document.is_complete() {
                continue;
            }
            let message = format!("{} lacks the mandatory keyname `{keyname}`", self.title(description, id));
            let key = self.header(id).map_or(node, |header| self.document.node(header.key));
            self.problem(&rules::MISSING_KEYNAME, key, message).help(format!("add `{keyname}: …`"));
        }
    }

    /// What an entity is, for messages: "node type `Server`".
    pub fn title(&self, description: &EntityDescription, id: Local) -> String {
        match self.header(id) {
            Some(header) if header.name != Symbol::EMPTY => {
                format!("{} `{}`", description.title, self.interner.text(header.name))
            }
            _ => format!("the {}", description.title),
        }
    }
}

/// What a node is, for messages.
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

/// The entries of the maps in a list.
fn entries_of_items(list: Node<'_>) -> Vec<(Node<'_>, Node<'_>)> {
    list.items().flat_map(Node::entries).map(|entry| (entry.key, entry.value)).collect()
}

/// The keys after the first one of an entry in a list of named entities that are keynames of such an entity, in whatever
/// version: they belong below the name.
fn misplaced_keynames<'n>(item: Node<'n>, field: &'static FieldDescription) -> Vec<Node<'n>> {
    let (Shape::Named(entity) | Shape::Sequence(entity)) = field.shape else { return Vec::new() };
    let description = entity();
    let keynames = || description.fields.iter().flat_map(|field| field.keynames);
    let is_keyname = |key: &Node<'_>| keynames().any(|keyname| keyname.name == key.text());
    item.entries().skip(1).map(|entry| entry.key).filter(is_keyname).collect()
}

/// Whether a node is a list of maps with one entry each, or an empty list.
fn is_list_of_maps(node: Node<'_>) -> bool {
    node.kind() == NodeKind::List && node.items().all(|item| item.kind() == NodeKind::Map && item.len() == 1)
}
