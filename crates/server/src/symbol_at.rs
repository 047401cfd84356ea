//! The symbol at a position in a parsed text: a keyname or a name with its targets.

use rustc_hash::{FxHashMap, FxHashSet};
use tosca_parse::ard::{Kind, Node, NodeId};
use tosca_parse::diagnostic::Span;
use tosca_parse::entity::{AnyId, EntityDescription, FieldDescription, Reference, Shape};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::namespace::ReferenceResolver as _;
use tosca_parse::phase::{Program, ResolvedImport, Unit};
use tosca_parse::position_context::{PositionContext, PositionContexts, PositionPart};

use crate::enclosing::EnclosingEntities;

/// The symbol at a position.
#[derive(Debug)]
pub(crate) struct SymbolAt {
    /// The span of its key or value.
    pub(crate) span: Span,
    pub(crate) meaning: Meaning,
    /// The entity that the part before the last dot refers to, and the span of that part.
    qualifier: Option<(Span, AnyId)>,
    /// Whether it is a key.
    is_key: bool,
}

/// The meaning of a word.
#[derive(Debug)]
pub(crate) enum Meaning {
    /// A keyname of an entity.
    Keyname(&'static EntityDescription, &'static FieldDescription),
    /// A name: the entity that it declares, if any, and the entity that it refers to or refines.
    Name(Vec<AnyId>),
}

impl SymbolAt {
    /// Returns the symbol at the given offset in a unit.
    pub(crate) fn at(program: &Program<Complete>, unit: &Unit, offset: u32) -> Option<Self> {
        let is_here = |node: Node<'_>| {
            let span = node.span();
            span.source == unit.id && span.start <= offset && offset <= span.end
        };
        let mut references = unit.references().map(|(reference, node, ..)| (unit.document.node(node), reference));
        let here = references.find(|(node, _)| is_here(*node));
        let of_reference = here.and_then(|(node, reference)| Self::of_reference(program, node, reference));
        let symbol = of_reference.or_else(|| {
            let mut contexts = contexts(unit)?;
            let here = Self::of_position(program, unit, &contexts.at(offset)?, offset).filter(Self::has_target);
            here.or_else(|| {
                let uses = Uses::new(unit);
                uses.of(offset).find_map(|user| {
                    let context = contexts.at_use(unit.document.node(user), offset)?;
                    Self::of_position(program, unit, &context, offset).filter(Self::has_target)
                })
            })
        })?;
        match symbol.qualifier {
            Some((span, id)) if span.start <= offset && offset <= span.end => Self::name(span, vec![id]),
            _ => Some(symbol).filter(Self::has_target),
        }
    }

    /// Returns whether the symbol refers to an entity in a value, rather than declaring, assigning or refining it.
    pub(crate) fn is_mention(&self) -> bool {
        !self.is_key && matches!(self.meaning, Meaning::Name(_))
    }

    /// Returns the entities that the name refers to: first the entity that it declares, then the one that it refers to
    /// or refines, and so on.
    pub(crate) fn targets(&self, program: &Program<Complete>) -> Vec<AnyId> {
        let Meaning::Name(first) = &self.meaning else { return Vec::new() };
        let mut known: FxHashSet<AnyId> = first.iter().copied().collect();
        let mut targets = first.clone();
        while let Some(id) = targets.last().and_then(|id| refined(program, *id)).filter(|id| known.insert(*id)) {
            targets.push(id);
        }
        targets
    }

    fn name(span: Span, first: Vec<AnyId>) -> Option<Self> {
        let symbol = Self { span, meaning: Meaning::Name(first), qualifier: None, is_key: false };
        Some(symbol).filter(Self::has_target)
    }

    fn has_target(&self) -> bool {
        !matches!(&self.meaning, Meaning::Name(first) if first.is_empty())
    }

    fn key(self) -> Self {
        Self { is_key: true, ..self }
    }

    /// Returns the symbol of a reference, even if its position can't be reached through descriptions.
    fn of_reference(program: &Program<Complete>, node: Node<'_>, reference: Reference<()>) -> Option<Self> {
        Self::name(node.span(), program.target(reference).into_iter().collect())
    }

    fn of_position(
        program: &Program<Complete>,
        unit: &Unit,
        position: &PositionContext<'_>,
        offset: u32,
    ) -> Option<Self> {
        let node = position.node()?;
        let span = node.span();
        if span.source != unit.id || !(span.start <= offset && offset <= span.end) {
            return None;
        }
        let enclosing = || EnclosingEntities::new(program, unit.id, unit.version, &position.entities);
        match &position.part {
            PositionPart::Keyname { field, .. } => {
                let (entity, field) = (position.innermost().entity, (*field)?);
                Some(Self { span, meaning: Meaning::Keyname(entity, field), qualifier: None, is_key: true })
            }
            PositionPart::Name { field, .. } => {
                let enclosing = enclosing();
                let own = enclosing.own(program, field, node.text());
                let known = enclosing.member(program, field, node.text());
                let known =
                    known.or_else(|| enclosing.complete_value(program, (unit.id, unit.version), position).target);
                // An assignment names the member of the type; a refinement is a separate entity of the same kind.
                let is_of_kind = |own: AnyId| known.is_none_or(|known| known.kind == own.kind);
                let is_assigned = known.is_some() && (field.assigns.is_some() || !own.is_some_and(is_of_kind));
                let own = own.filter(|own| !is_assigned && known != Some(*own));
                let own = own.map(|own| listed(program, unit, own).unwrap_or(own));
                Self::name(span, own.into_iter().chain(known).collect()).map(Self::key)
            }
            PositionPart::Value { field, path, key: Some(key), .. }
                if matches!(field.shape, Shape::Values) && path.len() == 1 =>
            {
                let enclosing = enclosing();
                let member = enclosing
                    .member(program, field, key.text())
                    .or_else(|| enclosing.complete_value(program, (unit.id, unit.version), position).target);
                Self::name(span, member.into_iter().collect()).map(Self::key)
            }
            PositionPart::Value { key, .. } => {
                let response = enclosing().complete_value(program, (unit.id, unit.version), position);
                let qualifier = response.qualifier.and_then(|id| Some((before_dot(unit, span)?, id)));
                // A class of a language may declare its own name.
                let target = response.target.or_else(|| unit.entity_named_by(node.id()));
                let symbol = Self::name(span, target.into_iter().collect());
                let symbol = symbol.map(|symbol| Self { is_key: key.is_some(), ..symbol });
                let symbol = symbol.or_else(|| {
                    qualifier?;
                    Some(Self { span, meaning: Meaning::Name(Vec::new()), qualifier: None, is_key: false })
                })?;
                Some(Self { qualifier, ..symbol })
            }
        }
    }
}

/// Returns the type that an entry in a list of types and their files stands for.
fn listed(program: &Program<Complete>, unit: &Unit, entry: AnyId) -> Option<AnyId> {
    let mut links = program.links.get(program.index(unit.id)?)?.iter();
    let is_its =
        |link: &&ResolvedImport| unit.imports.get(link.import).is_some_and(|import| import.entity == entry.local());
    let source = program.list.get(links.find(is_its)?.unit)?;
    let name = program.name(entry);
    source.types().find(|id| program.name(*id) == name)
}

/// The maximum number of uses of anchored content in a file that are considered.
const MAX_USES: usize = 1000;

/// The nodes of a document whose content, or a part of it, is written elsewhere: aliases of collections, and maps with
/// merged entries. Keys in `dsl_definitions`, for example, only have a meaning where they are used.
#[derive(Debug)]
struct Uses(Vec<(u32, u32, NodeId)>);

impl Uses {
    fn new(unit: &Unit) -> Self {
        let mut known: FxHashMap<NodeId, (u32, u32)> = FxHashMap::default();
        let nodes = unit.document.nodes().filter(|node| matches!(node.kind(), Kind::Map | Kind::List));
        let used = nodes.filter_map(|node| {
            let content = || {
                let entries = node.entries().filter(|entry| entry.merged || node.is_alias());
                entries.flat_map(|entry| [entry.key, entry.value]).chain(node.items().filter(|_| node.is_alias()))
            };
            let first = content().next()?.id();
            let range = || {
                content().fold((u32::MAX, 0), |(start, end), node| {
                    let span = node.span();
                    (start.min(span.start), end.max(span.end))
                })
            };
            // Aliases of the same node have the same content.
            let (start, end) = if node.is_alias() { *known.entry(first).or_insert_with(range) } else { range() };
            Some((start, end, node.id()))
        });
        Self(used.take(MAX_USES).collect())
    }

    /// Returns the nodes whose content may include an offset.
    fn of(&self, offset: u32) -> impl Iterator<Item = NodeId> + '_ {
        self.0.iter().filter(move |(start, end, _)| (*start..=*end).contains(&offset)).map(|(.., node)| *node)
    }
}

/// The symbols of a unit, for searches.
pub(crate) struct Symbols<'p> {
    program: &'p Program<Complete>,
    unit: &'p Unit,
    references: FxHashMap<NodeId, Reference<()>>,
    contexts: Option<PositionContexts<'p>>,
    /// The uses of anchored content; `None` if they have not been needed yet.
    uses: Option<Uses>,
    /// Whether an entity is one of the targets of the search or refines one, as far as is known.
    searched: FxHashMap<AnyId, bool>,
}

impl<'p> Symbols<'p> {
    /// Prepares the symbols of a unit for a search for the given entities.
    pub(crate) fn new(program: &'p Program<Complete>, unit: &'p Unit, ids: &FxHashSet<AnyId>) -> Self {
        let mut references = FxHashMap::default();
        for (reference, node, ..) in unit.references() {
            references.entry(node).or_insert(reference);
        }
        let searched = ids.iter().map(|id| (*id, true)).collect();
        Self { program, unit, references, contexts: contexts(unit), uses: None, searched }
    }

    /// Returns whether a symbol is a name of one of the targets of the search.
    pub(crate) fn is_searched(&mut self, symbol: &SymbolAt) -> bool {
        let Meaning::Name(first) = &symbol.meaning else { return false };
        first.iter().any(|id| self.leads_to_searched(*id))
    }

    /// Returns the span of the part before the last dot, if it is a name of one of the entities.
    pub(crate) fn searched_qualifier(&mut self, symbol: &SymbolAt) -> Option<Span> {
        symbol.qualifier.filter(|(_, id)| self.leads_to_searched(*id)).map(|(span, _)| span)
    }

    /// Returns the symbol of a node.
    pub(crate) fn of_node(&mut self, node: Node<'_>) -> Option<SymbolAt> {
        let reference = self.references.get(&node.id());
        if let Some(symbol) = reference.and_then(|reference| SymbolAt::of_reference(self.program, node, *reference)) {
            return Some(symbol);
        }
        let start = node.span().start;
        let position = self.contexts.as_mut()?.at(start)?;
        let is_it = |symbol: &SymbolAt| symbol.span == node.span();
        let symbol = SymbolAt::of_position(self.program, self.unit, &position, start).filter(is_it);
        symbol.or_else(|| {
            let uses = self.uses.get_or_insert_with(|| Uses::new(self.unit)).of(start).collect::<Vec<_>>();
            let mut symbols = Vec::new();
            for user in uses {
                let context = self.contexts.as_mut()?.at_use(self.unit.document.node(user), start);
                let symbol = context.and_then(|at| SymbolAt::of_position(self.program, self.unit, &at, start));
                let Some(symbol) = symbol.filter(is_it) else { continue };
                if self.is_searched(&symbol) {
                    return Some(symbol);
                }
                symbols.push(symbol);
            }
            symbols.into_iter().next()
        })
    }

    /// Returns whether an entity is one of the targets of the search or refines one.
    fn leads_to_searched(&mut self, id: AnyId) -> bool {
        let (mut path, mut next) = (Vec::new(), Some(id));
        let mut leads = false;
        while let Some(id) = next {
            if let Some(known) = self.searched.get(&id) {
                leads = *known;
                break;
            }
            // The result counts as false until the end of the path is known. If the path is a loop, it remains false.
            self.searched.insert(id, false);
            path.push(id);
            next = refined(self.program, id);
        }
        if leads {
            self.searched.extend(path.into_iter().map(|id| (id, true)));
        }
        leads
    }
}

/// Returns the span of the part of a name before its last dot, without quotes.
fn before_dot(unit: &Unit, span: Span) -> Option<Span> {
    let written = unit.source.text().get(span.start as usize..span.end as usize)?;
    let start = written.len() - written.trim_start_matches(['"', '\'']).len();
    let end = written.rfind('.').filter(|end| start < *end)?;
    Some(Span { start: span.start + start as u32, end: span.start + end as u32, ..span })
}

fn contexts(unit: &Unit) -> Option<PositionContexts<'_>> {
    Some(PositionContexts::new(&unit.document, unit.description()?, unit.version))
}

/// Returns the definition that a definition within a type refines: the one of the same name in a parent of the type, or
/// in what a definition around it refines or has as its type.
fn refined(program: &Program<Complete>, id: AnyId) -> Option<AnyId> {
    let owner = program.owners(id).next()?;
    let (name, entity) = (program.name(id), program.raw(owner)?);
    let symbol = program.interner.get(name)?;
    let mut fields = entity.description().fields.iter().enumerate();
    let (_, field) = fields.find(|(index, _)| entity.field(*index).member(symbol) == Some(id))?;
    let sources: Vec<AnyId> = match program.lineage(owner) {
        Some(lineage) => lineage.parents().to_vec(),
        None if program.owners(owner).any(|outer| program.lineage(outer).is_some()) => {
            refined(program, owner).into_iter().chain(program.definition(owner)).collect()
        }
        None => return None,
    };
    sources.into_iter().find_map(|source| program.child(source, field.ident, name))
}
