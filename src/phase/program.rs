//! Units, and the program that they form.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::namespace::{Declaration, Naming};
use super::read::{ImportRequest, Losses, ReferenceSite};
use crate::ard::{Document, Kind, Node, NodeId};
use crate::diagnostic::{Diagnostic, SourceId, Span};
use crate::entity::{
    AnyId, Arenas, Described, Entity, Header, Id, Language, LanguageVersion, Local, Position, Precedence, Quirks,
    Reference,
};
use crate::source::{Address, Provider, ReadError, Source, candidates};
use crate::symbol::{Interner, Symbol};

/// What the reading phase made of one source: entities that point at raw data.
///
/// It depends on the text alone. It is never changed and is shared by every program that has it.
#[derive(Debug)]
pub struct Unit {
    /// Its number, and that of its source.
    pub id: SourceId,
    /// The text and its name.
    pub source: Arc<Source>,
    /// The raw data.
    pub document: Document,
    /// The language it is written in.
    pub language: &'static Language,
    /// The version of the language.
    pub version: LanguageVersion,
    /// The entities.
    pub arenas: Arenas,
    /// The entity that the whole source is.
    pub root: Option<AnyId>,
    /// What it imports, in order.
    pub imports: Vec<ImportRequest>,
    /// Whether it is data that is given from outside, rather than something in the language.
    pub is_data: bool,
    /// The problems found while it was read.
    pub diagnostics: Vec<Diagnostic>,
    /// How its names stand to those of others, if every unit of its version imports it without saying so.
    pub implicit: Option<Precedence>,
    pub(crate) references: Vec<ReferenceSite>,
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) losses: Losses,
}

impl Unit {
    /// The types that the unit defines.
    pub fn types(&self) -> impl Iterator<Item = AnyId> {
        self.language
            .types()
            .flat_map(move |kind| (0..self.arenas.count(kind)).map(move |index| AnyId { unit: self.id, kind, index }))
    }

    /// An entity and its owners, nearest first.
    pub(crate) fn with_owners(&self, id: Local) -> impl Iterator<Item = Local> {
        std::iter::successors(Some(id), |id| self.arenas.header(*id)?.owner)
    }
}

/// A resolved import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The number of the imported unit among the units of the program.
    pub unit: usize,
    /// The prefix that its names get.
    pub prefix: Option<Symbol>,
    /// The number of the import among those of the importing unit.
    pub import: usize,
}

/// The units of a program and how they import each other.
#[derive(Debug)]
pub struct Units {
    /// The units: the entry first, then the others as they are met going through imports in order, level by level.
    pub list: Vec<Arc<Unit>>,
    /// What each unit imports.
    pub links: Vec<Vec<Link>>,
    /// The implicit units of each unit, nearest first.
    pub implicit: Vec<Vec<usize>>,
    /// The names.
    pub interner: Arc<Interner>,
    /// The values that are given to the inputs of the entry: maps, of which later ones win.
    pub inputs: Vec<Position>,
    /// What is let pass that the language does not allow.
    pub quirks: Quirks,
    /// The functions that may be called although nothing defines them: whoever deploys the service has them.
    pub functions: Arc<[String]>,
    pub(crate) index: FxHashMap<SourceId, usize>,
    /// What surrounds each unit, as far as it is known.
    pub(crate) surroundings: Vec<Option<Neighbours>>,
}

/// The files among which a unit stands, where these are all that there are: those of an archive.
#[derive(Clone)]
pub struct Neighbours {
    pub(crate) unit: Address,
    /// The root of the archive.
    pub(crate) root: Address,
    pub(crate) provider: Arc<dyn Provider>,
}

impl Neighbours {
    /// Whether there is a file or folder at a path, which is relative to the unit, or with a slash before it to the
    /// root. Nothing for what is no path.
    pub fn has(&self, path: &str) -> Option<bool> {
        let candidates = candidates(&self.unit, &self.root, path, None).ok()?;
        let mut local = candidates.iter().filter(|address| !address.is_remote()).peekable();
        local.peek()?;
        Some(local.any(|address| {
            self.provider.serves(address)
                && (self.provider.exists(address)
                    || matches!(self.provider.read(address, 0), Err(ReadError::NotAFile { .. })))
        }))
    }

    /// How a path that starts at the root is to be written in the unit.
    pub fn from_root(&self, path: &str) -> String {
        let (unit, root) = (self.unit.to_string(), self.root.as_directory().to_string());
        let below = unit.strip_prefix(&root).unwrap_or_default();
        format!("{}{path}", "../".repeat(below.matches('/').count()))
    }
}

impl std::fmt::Debug for Neighbours {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Neighbours").field(&self.unit).finish()
    }
}

impl Units {
    /// The files among which a unit stands, if they are known.
    pub fn surroundings(&self, id: SourceId) -> Option<&Neighbours> {
        self.surroundings.get(self.index(id)?)?.as_ref()
    }

    /// The unit with the given number.
    pub fn unit(&self, id: SourceId) -> Option<&Unit> {
        self.index.get(&id).map(|index| &*self.list[*index])
    }

    /// The place of a unit in the list.
    pub fn index(&self, id: SourceId) -> Option<usize> {
        self.index.get(&id).copied()
    }

    /// What the implicit units of other versions declare by the name of something that an implicit unit declares.
    pub(crate) fn counterparts(&self, id: AnyId) -> impl Iterator<Item = AnyId> {
        let own = self.unit(id.unit).filter(|unit| unit.implicit.is_some());
        // Implicit units come after all others.
        let implicit = self.list.iter().rev().take_while(|unit| unit.implicit.is_some());
        let others = own.into_iter().flat_map(move |own| {
            implicit.clone().filter(|unit| unit.version != own.version && std::ptr::eq(unit.language, own.language))
        });
        others.filter_map(move |unit| {
            let name = self.header(id)?.name;
            let is_same = |declaration: &&Declaration| {
                declaration.naming == Naming::Written && declaration.name == name && declaration.id.kind == id.kind
            };
            Some(unit.declarations.iter().find(is_same)?.id.of(unit.id))
        })
    }

    /// The header of an entity.
    pub fn header(&self, id: AnyId) -> Option<&Header> {
        self.unit(id.unit)?.arenas.header(id.local())
    }

    /// An entity as it was read.
    pub fn raw(&self, id: AnyId) -> Option<&dyn Described> {
        self.unit(id.unit)?.arenas.entity(id.local())
    }

    /// An entity of known type as it was read.
    pub fn raw_as<E: Entity>(&self, id: Id<E>) -> Option<&E> {
        self.unit(id.unit)?.arenas.get(id.index)
    }

    /// The raw data at a position.
    pub fn node(&self, position: Position) -> Option<Node<'_>> {
        Some(self.unit(position.unit)?.document.node(position.node))
    }

    /// The value that is given to an input of the entry, with its key.
    pub fn given_input(&self, name: &str) -> Option<(Node<'_>, Node<'_>)> {
        let maps = self.inputs.iter().rev().filter_map(|position| self.node(*position));
        let name = self.interner.get(name)?;
        maps.filter_map(|map| map.get(name)).map(|entry| (entry.key, entry.value)).next()
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.interner.text(symbol)
    }

    /// The name of an entity; empty if it has none.
    pub fn name(&self, id: AnyId) -> &str {
        self.header(id).map_or("", |header| self.text(header.name))
    }

    /// The place of an entity's name, or of the entity if it has none.
    pub fn name_span(&self, id: AnyId) -> Option<Span> {
        let unit = self.unit(id.unit)?;
        Some(unit.document.node(unit.arenas.header(id.local())?.key).span())
    }

    /// The place of a keyname that an entity gives, or of the entity if it does not give it.
    pub fn keyname_span(&self, id: AnyId, keyname: &str) -> Option<Span> {
        let unit = self.unit(id.unit)?;
        let header = unit.arenas.header(id.local())?;
        match unit.document.node(header.node).find(keyname) {
            Some(entry) => Some(entry.key.span()),
            None => self.name_span(id),
        }
    }

    /// The place of a reference.
    pub fn reference_span(&self, reference: Reference<()>) -> Option<Span> {
        self.site_span(reference.unit, reference.number)
    }

    /// The place of the reference with a number.
    pub(crate) fn site_span(&self, unit: SourceId, number: u32) -> Option<Span> {
        let unit = self.unit(unit)?;
        Some(unit.document.node(unit.references.get(number as usize)?.node).span())
    }

    /// Where an entity stands, for sorting: in the order of the units, and then of the source.
    pub(crate) fn place(&self, id: AnyId) -> (Option<usize>, Option<NodeId>) {
        (self.index(id.unit), self.header(id).map(|header| header.key))
    }

    /// The entity that holds a reference.
    pub(crate) fn reference_owner(&self, reference: Reference<()>) -> Option<AnyId> {
        let unit = self.unit(reference.unit)?;
        Some(unit.references.get(reference.number as usize)?.owner.of(unit.id))
    }

    /// What an entity is, for messages: "node type `Server`".
    pub fn describe(&self, id: AnyId) -> String {
        let title =
            self.unit(id.unit).map_or("entity", |unit| unit.language.kinds[usize::from(id.kind.0)].description().title);
        match self.name(id) {
            "" => format!("the {title}"),
            name => format!("{title} `{name}`"),
        }
    }

    /// Whether an entity gives a keyname, with whatever value.
    pub fn gives(&self, id: AnyId, keyname: &str) -> bool {
        let node = self.unit(id.unit).zip(self.header(id)).map(|(unit, header)| unit.document.node(header.node));
        node.is_some_and(|node| node.find(keyname).is_some())
    }

    /// Whether an entity could be read. If what stands in its place is something else, that has been reported.
    pub fn was_read(&self, id: AnyId) -> bool {
        let (Some(unit), Some(header), Some(entity)) = (self.unit(id.unit), self.header(id), self.raw(id)) else {
            return false;
        };
        let node = unit.document.node(header.node);
        let is_empty_map = node.kind() == Kind::Null && unit.language.null_is_empty.contains(unit.version);
        let fields = entity.description().fields.iter().enumerate();
        node.kind() == Kind::Map
            || is_empty_map && !node.is_substitute()
            || fields.into_iter().any(|(index, _)| entity.field(index).is_set())
    }

    /// The owners of an entity, nearest first.
    pub fn owners(&self, id: AnyId) -> impl Iterator<Item = AnyId> {
        let unit = self.unit(id.unit);
        unit.into_iter().flat_map(move |unit| unit.with_owners(id.local()).skip(1)).map(move |owner| owner.of(id.unit))
    }
}

/// Units, and what phases found out about them: `S` says which phases have run.
#[derive(Debug)]
pub struct Program<S> {
    /// The units.
    pub units: Arc<Units>,
    /// What is known.
    pub stage: S,
}

impl<S> std::ops::Deref for Program<S> {
    type Target = Units;

    fn deref(&self) -> &Units {
        &self.units
    }
}
