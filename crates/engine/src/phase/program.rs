//! Units and the program that they form.

use std::any::Any;
use std::sync::{Arc, Mutex, OnceLock};

use foldhash::{HashMap, HashSet};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use super::namespace::{Declaration, Naming};
use super::read::{ImportRequest, ReadGaps, ReferenceSite};
use crate::ard::{self, Document, Node, NodeId};
use crate::diagnostic::{Diagnostic, Diagnostics, MAX_PER_RULE, Secrets, SourceId, Span};
use crate::entity::{
    AnyId, Arenas, Described, Entity, EntityDescription, FieldDescription, Header, Id, Kind, Language, LanguageVersion,
    LocalId, ModelLimits, NodeRef, Precedence, Quirks, Reference, VersionWords,
};
use crate::rules;
use crate::source::{Address, Provider, ReadError, Source, candidates};
use crate::symbol::{Interner, Symbol};
use crate::syntax::{Bytes, SourceDependency};

/// The result of reading one source: entities that refer to raw data.
///
/// A unit depends only on the text and, if the source does not declare its version, on the version of the importer. It
/// is immutable and shared by all programs that contain it.
#[derive(Debug)]
pub struct Unit {
    /// The ID of the unit and of its source.
    pub id: SourceId,
    /// The source: its text and its name.
    pub source: Arc<Source>,
    /// The raw data.
    pub document: Document,
    /// The language in which the source is written.
    pub language: &'static Language,
    /// The version of the language.
    pub version: LanguageVersion,
    /// The entities.
    pub arenas: Arenas,
    /// The entity that represents the whole source.
    pub root: Option<AnyId>,
    /// The imports, in order.
    pub imports: Vec<ImportRequest>,
    /// Whether the unit is external data rather than a source in the language.
    pub is_data: bool,
    /// If the source does not declare its version, the version of the importing source, if there is one.
    pub borrowed: Option<Option<LanguageVersion>>,
    /// The problems that were found in the source by itself.
    pub diagnostics: Vec<Diagnostic>,
    /// The precedence of the unit's names, if other units import it implicitly.
    pub implicit: Option<Precedence>,
    /// The name of the option that specifies the source.
    pub option: Option<&'static str>,
    /// The index of the group of additional implicit units that the source requests.
    pub extension: Option<usize>,
    pub(crate) references: Vec<ReferenceSite>,
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) losses: ReadGaps,
    /// The values that may contain calls, in order, with the entities that contain them.
    pub(crate) values: Vec<(NodeId, LocalId)>,
    /// The scalars that are addresses of files, in order, with the entities that contain them.
    pub(crate) files: Vec<(NodeId, LocalId)>,
    /// The bytes from which the text was decoded.
    pub(crate) bytes: Bytes,
    /// The other sources that the document was assembled from.
    pub(crate) dependencies: Vec<SourceDependency>,
    /// A digest of the beginning, computed when copies are first searched for.
    pub(crate) beginning: OnceLock<u64>,
}

impl Unit {
    /// Returns the number of values that contain maps, and so may contain calls or complex values.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Returns the number of names that the unit declares in each section.
    pub fn declared_names(&self) -> Vec<usize> {
        let mut counts = vec![0; self.language.sections.len()];
        self.declarations.iter().for_each(|declaration| counts[usize::from(declaration.section.0)] += 1);
        counts
    }

    /// Returns all sources of the unit, starting with its main source.
    pub fn sources(&self) -> impl Iterator<Item = &Arc<Source>> {
        let others = self.dependencies.iter().filter_map(|dependency| dependency.include.as_ref().ok());
        std::iter::once(&self.source).chain(others.map(|other| &other.source))
    }

    /// Returns the description of the entity that represents the whole source.
    pub fn description(&self) -> Option<&'static EntityDescription> {
        self.root.map(|root| self.language.kinds[usize::from(root.kind.0)].description())
    }

    /// Returns whether both units were read from the same bytes.
    pub(crate) fn is_made_of_the_same(&self, other: &Self) -> bool {
        let (mine, theirs) = (&self.dependencies, &other.dependencies);
        self.bytes == other.bytes
            && self.source.text() == other.source.text()
            && mine.len() == theirs.len()
            && mine.iter().zip(theirs).all(|(mine, theirs)| mine.is_same(theirs))
    }

    /// Returns the types that the unit defines.
    pub fn types(&self) -> impl Iterator<Item = AnyId> {
        self.types_by_kind().flat_map(|(_, types)| types)
    }

    /// Returns the types that the unit defines, grouped by kind.
    pub(crate) fn types_by_kind(&self) -> impl Iterator<Item = (Kind, impl Iterator<Item = AnyId> + use<>)> {
        // Most kinds don't occur in a unit, and checking this is faster than checking whether they are types.
        let kinds = (0..self.language.kinds.len()).map(|kind| (Kind(kind as u8), self.arenas.count(Kind(kind as u8))));
        let of_types = kinds
            .filter(|(kind, count)| *count > 0 && self.language.kinds[usize::from(kind.0)].description().is_type());
        let unit = self.id;
        of_types.map(move |(kind, count)| (kind, (0..count).map(move |index| AnyId { unit, kind, index })))
    }

    /// Returns the references in the unit, each with the node that contains the name, the field that holds the
    /// reference, and the entity that has the field.
    pub fn references(&self) -> impl Iterator<Item = (Reference<()>, NodeId, &'static FieldDescription, AnyId)> {
        let numbered = self.references.iter().zip(0..);
        numbered.map(|(site, number)| {
            (Reference::new(self.id, number, site.name), site.node, site.field, site.owner.of(self.id))
        })
    }

    /// Returns the entity that was read from a node; the outermost one if there are several.
    pub fn entity_at(&self, node: NodeId) -> Option<AnyId> {
        let kinds = (0..self.language.kinds.len()).map(|kind| Kind(kind as u8));
        let all = kinds.flat_map(|kind| self.arenas.of_kind(kind));
        let here = all.filter(|(id, _)| self.arenas.header(*id).is_some_and(|header| header.node == node));
        let outermost = here.min_by_key(|(id, _)| self.with_owners(*id).count());
        outermost.map(|(id, _)| id.of(self.id))
    }

    /// Returns the entity that has declared its own name with the given value.
    pub fn entity_named_by(&self, node: NodeId) -> Option<AnyId> {
        let is_named = |id: LocalId| self.arenas.header(id).is_some_and(|header| header.key == node);
        let found = self.declarations.iter().find(|declaration| is_named(declaration.id))?;
        Some(found.id.of(self.id))
    }

    /// Returns an entity and its owners, nearest first.
    pub(crate) fn with_owners(&self, id: LocalId) -> impl Iterator<Item = LocalId> {
        std::iter::successors(Some(id), |id| self.arenas.owner(*id))
    }
}

/// A resolved import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedImport {
    /// The index of the imported unit in the program.
    pub unit: usize,
    /// The prefix of the imported names, if there is one.
    pub prefix: Option<Symbol>,
    /// The index of the import in the importing unit.
    pub import: usize,
}

/// The units of a program and their imports.
#[derive(Debug)]
pub struct Units {
    /// The units: first the entry, then the others in breadth-first order of the imports.
    pub list: Vec<Arc<Unit>>,
    /// The imports of each unit.
    pub links: Vec<Vec<ResolvedImport>>,
    /// The indexes of each unit's implicit units, nearest first.
    pub implicit: Vec<Vec<usize>>,
    /// The indexes of the units that options specify, in order.
    pub given: Vec<usize>,
    /// The interner of all names.
    pub interner: Arc<Interner>,
    /// The maps with values for the entry's inputs. Later maps take precedence.
    pub inputs: Vec<NodeRef>,
    /// The enabled quirks.
    pub quirks: Quirks,
    /// The work that following imports has caused, as a number of imported sources.
    pub(crate) import_cost: usize,
    /// The maximum number of problems to report per rule.
    pub(crate) most_of_a_rule: usize,
    /// The limits on models.
    pub model_limits: ModelLimits,
    /// The vendor-specific version identifiers that the user has declared.
    pub words: Arc<VersionWords>,
    /// The functions that may be called although they are not defined, because the orchestrator provides them.
    pub(crate) functions: Arc<HashSet<String>>,
    pub(crate) index: UnitIndex,
    pub(crate) occurring: PresentKinds,
    /// The files around each unit, if they are known.
    pub(crate) surroundings: Vec<Option<SiblingFiles>>,
    pub(crate) memo: OnceLock<Box<dyn Any + Send + Sync>>,
}

/// A map from the ID of each unit to its index in the list. Phases look up this index for every access.
#[derive(Debug)]
pub(crate) enum UnitIndex {
    /// A table indexed by the ID minus the lowest ID, if nearly all IDs between the lowest and the highest are used.
    Dense { lowest: u32, places: Box<[u32]> },
    /// A list of IDs, for so few units that searching it is not slower than a table.
    Few(Box<[u32]>),
    /// A hash map, for a parser that has read many other units.
    Sparse(FxHashMap<SourceId, usize>),
}

impl UnitIndex {
    /// The maximum size of the table: a number of entries per unit, plus a constant. A table avoids hashing.
    const PLACES: (usize, usize) = (16, 4096);

    /// The maximum number of units for which the list is searched.
    const MAX_LINEAR: usize = 8;

    /// The entry for an ID that no unit has.
    const NONE: u32 = u32::MAX;

    pub(crate) fn of(units: &[Arc<Unit>]) -> Self {
        let numbers = || units.iter().map(|unit| unit.id.0);
        let lowest = numbers().min().unwrap_or_default();
        let places = numbers().max().map_or(0, |highest| (highest - lowest) as usize + 1);
        let (each, always) = Self::PLACES;
        if units.len() <= Self::MAX_LINEAR && places > each * units.len() {
            return Self::Few(numbers().collect());
        }
        if places > always.max(each * units.len()) {
            return Self::Sparse(units.iter().enumerate().map(|(place, unit)| (unit.id, place)).collect());
        }
        let mut dense = vec![Self::NONE; places].into_boxed_slice();
        for (place, number) in numbers().enumerate() {
            dense[(number - lowest) as usize] = place as u32;
        }
        Self::Dense { lowest, places: dense }
    }

    #[inline]
    fn get(&self, id: SourceId) -> Option<usize> {
        match self {
            Self::Dense { lowest, places } => {
                let place = *places.get(id.0.wrapping_sub(*lowest) as usize)?;
                (place != Self::NONE).then_some(place as usize)
            }
            _ => self.look_for(id),
        }
    }

    /// Returns the index of a unit by searching, if there is no table.
    fn look_for(&self, id: SourceId) -> Option<usize> {
        match self {
            Self::Dense { .. } => None,
            Self::Few(numbers) => numbers.iter().position(|number| *number == id.0),
            Self::Sparse(places) => places.get(&id).copied(),
        }
    }
}

/// The kinds of entities that occur in any unit.
#[derive(Debug, Default)]
pub(crate) struct PresentKinds(Vec<bool>);

impl PresentKinds {
    pub(crate) fn of(units: &[Arc<Unit>]) -> Self {
        let kinds = units.iter().map(|unit| unit.language.kinds.len()).max().unwrap_or_default();
        let occurs = |kind: usize| units.iter().any(|unit| unit.arenas.count(Kind(kind as u8)) > 0);
        Self((0..kinds).map(occurs).collect())
    }
}

/// The files around a unit.
#[derive(Clone)]
pub struct SiblingFiles {
    pub(crate) unit: Address,
    /// The root of the archive or the folder of the entry.
    pub(crate) root: Address,
    /// Whether all files are known, as in an archive. Elsewhere, files may be added later.
    pub(crate) are_all: bool,
    pub(crate) provider: Arc<dyn Provider>,
    /// The cached results of [`has`](Self::has), because thousands of templates may refer to the same file.
    pub(crate) known: Arc<Mutex<HashMap<String, Option<bool>>>>,
}

impl SiblingFiles {
    /// Returns whether there is a file or folder at the given path, which is relative to the unit, or to the root if it
    /// starts with a slash; `None` if this is unknown or `path` is not a valid path.
    pub fn has(&self, path: &str) -> Option<bool> {
        let known = self.known.lock().ok().and_then(|known| known.get(path).copied());
        known.unwrap_or_else(|| {
            let found = self.look_for(path);
            if let Ok(mut known) = self.known.lock() {
                known.insert(path.to_owned(), found);
            }
            found
        })
    }

    fn look_for(&self, path: &str) -> Option<bool> {
        // Text in memory may have the name of a missing file, so that its neighbors are unknown.
        if !self.are_all && !self.provider.exists(&self.unit) {
            return None;
        }
        let mut local = self.local(path).into_iter().peekable();
        local.peek()?;
        Some(local.any(|address| self.exists(&address)))
    }

    fn exists(&self, address: &Address) -> bool {
        self.provider.serves(address)
            && (self.provider.exists(address)
                || matches!(self.provider.read(address, 0), Err(ReadError::NotAFile { .. })))
    }

    /// Returns the file or folder at the given path, like [`has`](Self::has).
    pub fn find(&self, path: &str) -> Option<Address> {
        self.local(path).into_iter().find(|address| self.exists(address))
    }

    /// Returns the root of the archive, or the folder of the entry.
    pub fn root(&self) -> &Address {
        &self.root
    }

    /// Returns the local addresses that a path may refer to.
    fn local(&self, path: &str) -> Vec<Address> {
        let candidates = candidates(&self.unit, &self.root, path, None).unwrap_or_default();
        candidates.into_iter().filter(|address| !address.is_remote()).collect()
    }

    /// Returns the addresses on which the results of [`has`](Self::has) so far depend.
    fn requested(&self) -> Vec<Address> {
        let Ok(known) = self.known.lock() else { return Vec::new() };
        let paths = known.iter().filter(|(_, found)| found.is_some()).map(|(path, _)| path);
        paths.flat_map(|path| self.local(path)).collect()
    }

    /// Returns the addresses of each lookup so far, and whether one of them exists.
    fn sought(&self) -> Vec<(Vec<Address>, bool)> {
        let Ok(known) = self.known.lock() else { return Vec::new() };
        known.iter().filter_map(|(path, found)| Some((self.local(path), (*found)?))).collect()
    }

    /// Returns whether all files are known, as in an archive.
    pub fn are_all(&self) -> bool {
        self.are_all
    }

    /// Converts a path relative to the root to a path relative to the unit.
    pub fn from_root(&self, path: &str) -> String {
        let (unit, root) = (self.unit.to_string(), self.root.as_directory().to_string());
        let below = unit.strip_prefix(&root).unwrap_or_default();
        format!("{}{path}", "../".repeat(below.matches('/').count()))
    }
}

impl std::fmt::Debug for SiblingFiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SiblingFiles").field(&self.unit).finish()
    }
}

impl Units {
    /// An entry of this size in bytes has one import that does not count.
    const BYTES_OF_A_FREE_IMPORT: usize = 16;

    /// Returns the part of the [cost of imports](crate::Outcome::import_cost) that is in proportion to the size of the
    /// entry, so that a program that limits the sum need not count it.
    pub fn free_imports(&self) -> usize {
        self.list.first().map_or(0, |entry| Self::free_imports_of(entry.source.text().len()))
    }

    /// Returns [`free_imports`](Self::free_imports) for an entry of the given size in bytes.
    pub const fn free_imports_of(bytes: usize) -> usize {
        bytes / Self::BYTES_OF_A_FREE_IMPORT
    }

    /// Keeps as many problems of each rule and severity as a parse reports, and adds a problem about the others.
    pub fn bounded(&self, problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
        Diagnostics::bound(problems, &rules::TOO_MANY_PROBLEMS, self.most_of_a_rule)
    }

    /// Creates the units of a program that consists of a single unit.
    pub(crate) fn of_one(unit: Unit, interner: Arc<Interner>) -> Self {
        let list = vec![Arc::new(unit)];
        let (index, occurring) = (UnitIndex::of(&list), PresentKinds::of(&list));
        Self {
            list,
            links: vec![Vec::new()],
            implicit: vec![Vec::new()],
            given: Vec::new(),
            interner,
            inputs: Vec::new(),
            quirks: Quirks::default(),
            import_cost: 0,
            most_of_a_rule: MAX_PER_RULE,
            model_limits: ModelLimits::default(),
            words: Arc::default(),
            functions: Arc::default(),
            index,
            occurring,
            surroundings: vec![None],
            memo: OnceLock::new(),
        }
    }

    /// Returns a value that the language computes from the units on first use. Only one value can be stored; returns
    /// `None` if it has a different type.
    pub fn memo<T: Any + Send + Sync>(&self, make: impl FnOnce(&Self) -> T) -> Option<&T> {
        self.memo.get_or_init(|| Box::new(make(self))).downcast_ref()
    }

    /// Returns the value of [`memo`](Self::memo) if it has been computed.
    pub(crate) fn known_memo<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.memo.get()?.downcast_ref()
    }

    /// Returns the units in groups whose members import each other, considering only the imports for which `counts`
    /// returns true. Imported units come before their importers.
    pub(crate) fn groups(&self, counts: impl Fn(&ResolvedImport) -> bool) -> Vec<Vec<usize>> {
        let count = self.list.len();
        if self.links.iter().flatten().next().is_none() {
            return (0..count).map(|unit| vec![unit]).collect();
        }
        let mut graph: DiGraph<(), (), usize> = DiGraph::with_capacity(count, count);
        for _ in 0..count {
            graph.add_node(());
        }
        for (importer, links) in self.links.iter().enumerate() {
            for link in links.iter().filter(|link| counts(link)) {
                graph.add_edge(importer.into(), link.unit.into(), ());
            }
        }
        let groups = kosaraju_scc(&graph).into_iter();
        groups.map(|group| group.into_iter().map(NodeIndex::index).collect()).collect()
    }

    /// Returns the files around a unit, if they are known.
    pub fn surroundings(&self, id: SourceId) -> Option<&SiblingFiles> {
        self.surroundings.get(self.index(id)?)?.as_ref()
    }

    /// Returns the addresses, sorted, of the files and folders around the units whose existence the program depends on.
    /// Nothing else about them matters, and they need not exist.
    pub fn requested_files(&self) -> Vec<Address> {
        let mut all: Vec<Address> = self.surroundings.iter().flatten().flat_map(SiblingFiles::requested).collect();
        all.sort();
        all.dedup();
        all
    }

    /// Returns the files and folders that checks have looked for: the alternatives of each lookup, and whether one of
    /// them exists.
    pub fn sought_files(&self) -> Vec<(Vec<Address>, bool)> {
        self.surroundings.iter().flatten().flat_map(SiblingFiles::sought).collect()
    }

    /// Returns the secrets in all documents.
    pub fn secrets(&self) -> Secrets<'_> {
        Secrets::of(self.list.iter().flat_map(|unit| unit.document.secrets()))
    }

    /// Returns the language of the entry.
    pub fn language(&self) -> Option<&'static Language> {
        self.list.first().map(|unit| unit.language)
    }

    /// Returns the unit with the given ID.
    #[inline]
    pub fn unit(&self, id: SourceId) -> Option<&Unit> {
        self.index.get(id).map(|index| &*self.list[index])
    }

    /// Returns whether any unit contains an entity of the given kind. If not, there is no need to search for such
    /// entities.
    pub fn has_any(&self, kind: Kind) -> bool {
        self.occurring.0.get(usize::from(kind.0)).copied().unwrap_or_default()
    }

    /// Returns the index of a unit in the list.
    #[inline]
    pub fn index(&self, id: SourceId) -> Option<usize> {
        self.index.get(id)
    }

    /// Returns the entities with the same name and section in the implicit units of other versions, for an entity in an
    /// implicit unit.
    pub(crate) fn counterparts(&self, id: AnyId) -> impl Iterator<Item = AnyId> {
        let own = self.unit(id.unit).filter(|unit| unit.implicit.is_some());
        // Implicit units are at the end of the list.
        let implicit = self.list.iter().rev().take_while(|unit| unit.implicit.is_some());
        let others = own.into_iter().flat_map(move |own| {
            implicit.clone().filter(|unit| unit.version != own.version && std::ptr::eq(unit.language, own.language))
        });
        others.filter_map(move |unit| {
            let name = self.symbol(id)?;
            let is_same = |declaration: &&Declaration| {
                declaration.naming == Naming::Written && declaration.name == name && declaration.id.kind == id.kind
            };
            Some(unit.declarations.iter().find(is_same)?.id.of(unit.id))
        })
    }

    /// Returns the header of an entity.
    pub fn header(&self, id: AnyId) -> Option<Header> {
        self.unit(id.unit)?.arenas.header(id.local())
    }

    /// Returns an entity as it was read.
    pub fn raw(&self, id: AnyId) -> Option<&dyn Described> {
        self.unit(id.unit)?.arenas.entity(id.local())
    }

    /// Returns an entity of type `E` as it was read.
    pub fn raw_as<E: Entity>(&self, id: Id<E>) -> Option<&E> {
        self.unit(id.unit)?.arenas.get(id.index())
    }

    /// Returns the raw data at a position.
    pub fn node(&self, position: NodeRef) -> Option<Node<'_>> {
        Some(self.unit(position.unit)?.document.node(position.node))
    }

    /// Returns whether a function may be called although it is not defined, because the orchestrator provides it.
    pub fn allows_function(&self, name: &str) -> bool {
        self.functions.contains(name)
    }

    /// Returns the key and the value that are given for an input of the entry.
    pub fn given_input(&self, name: &str) -> Option<(Node<'_>, Node<'_>)> {
        let maps = self.inputs.iter().rev().filter_map(|position| self.node(*position));
        let name = self.interner.get(name)?;
        maps.filter_map(|map| map.get(name)).map(|entry| (entry.key, entry.value)).next()
    }

    /// Returns the text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.interner.text(symbol)
    }

    /// Returns the name of an entity; [`Symbol::EMPTY`] if it has none.
    pub(crate) fn symbol(&self, id: AnyId) -> Option<Symbol> {
        self.unit(id.unit)?.arenas.name(id.local())
    }

    /// Returns the name of an entity; empty if it has none.
    pub fn name(&self, id: AnyId) -> &str {
        self.symbol(id).map_or("", |name| self.text(name))
    }

    /// Returns the span of an entity's name; of the entity itself if it has no name.
    pub fn name_span(&self, id: AnyId) -> Option<Span> {
        let unit = self.unit(id.unit)?;
        Some(unit.document.node(unit.arenas.header(id.local())?.key).span())
    }

    /// Returns the span of the given keyname in an entity; the span of the entity's name if the keyname is not given.
    pub fn keyname_span(&self, id: AnyId, keyname: &str) -> Option<Span> {
        let unit = self.unit(id.unit)?;
        let header = unit.arenas.header(id.local())?;
        match unit.document.node(header.node).find(keyname) {
            Some(entry) => Some(entry.key.span()),
            None => self.name_span(id),
        }
    }

    /// Returns the span of a reference.
    pub fn reference_span(&self, reference: Reference<()>) -> Option<Span> {
        self.site_span(reference.unit, reference.number)
    }

    /// Returns the span of the reference at the given index.
    pub(crate) fn site_span(&self, unit: SourceId, number: u32) -> Option<Span> {
        let unit = self.unit(unit)?;
        Some(unit.document.node(unit.references.get(number as usize)?.node).span())
    }

    /// Returns a sort key for an entity, which sorts by unit and then by position in the source.
    pub(crate) fn place(&self, id: AnyId) -> (Option<usize>, Option<NodeId>) {
        (self.index(id.unit), self.header(id).map(|header| header.key))
    }

    /// Returns the entity that holds a reference.
    pub fn reference_owner(&self, reference: Reference<()>) -> Option<AnyId> {
        let unit = self.unit(reference.unit)?;
        Some(unit.references.get(reference.number as usize)?.owner.of(unit.id))
    }

    /// Describes an entity, for messages: "node type `Server`".
    pub fn describe(&self, id: AnyId) -> String {
        self.called(id, self.description(id).map_or("entity", |description| description.title))
    }

    /// Returns a short description of an entity, with the term that authors use ("property" rather than "property
    /// definition") and the name.
    pub fn mention(&self, id: AnyId) -> String {
        self.called(id, self.description(id).map_or("entity", EntityDescription::noun))
    }

    fn called(&self, id: AnyId, title: &str) -> String {
        match self.name(id) {
            "" => format!("the {title}"),
            name => format!("{title} `{name}`"),
        }
    }

    pub(crate) fn description(&self, id: AnyId) -> Option<&'static EntityDescription> {
        Some(self.unit(id.unit)?.language.kinds[usize::from(id.kind.0)].description())
    }

    /// Returns whether the given keyname is written in an entity, with any value.
    pub fn gives(&self, id: AnyId, keyname: &str) -> bool {
        let node = self.unit(id.unit).zip(self.header(id)).map(|(unit, header)| unit.document.node(header.node));
        node.is_some_and(|node| node.find(keyname).is_some())
    }

    /// Returns whether an entity could be read. If not, its invalid value has been reported.
    pub fn was_read(&self, id: AnyId) -> bool {
        let (Some(unit), Some(header), Some(entity)) = (self.unit(id.unit), self.header(id), self.raw(id)) else {
            return false;
        };
        let node = unit.document.node(header.node);
        let is_empty_map =
            node.kind() == ard::Kind::Null && unit.language.leniency.null_is_empty.contains(unit.version);
        let fields = entity.description().fields.iter().enumerate();
        node.kind() == ard::Kind::Map
            || is_empty_map && !node.is_placeholder()
            || fields.into_iter().any(|(index, _)| entity.field(index).is_set())
    }

    /// Returns the owners of an entity, nearest first.
    pub fn owners(&self, id: AnyId) -> impl Iterator<Item = AnyId> {
        let unit = self.unit(id.unit);
        unit.into_iter().flat_map(move |unit| unit.with_owners(id.local()).skip(1)).map(move |owner| owner.of(id.unit))
    }
}

/// The units of a program and the results of the phases. The type `S` shows which phases have run.
#[derive(Debug)]
pub struct Program<S> {
    /// The units.
    pub units: Arc<Units>,
    /// The results.
    pub stage: S,
}

impl<S> std::ops::Deref for Program<S> {
    type Target = Units;

    fn deref(&self) -> &Units {
        &self.units
    }
}
