//! Storage of entities.

use std::any::Any;

use once_cell::race::OnceBox;

use super::{AnyId, AnyKind, ByKind, Described, Entity, EntityDescription, Header, Id, Kind, LocalId, Role, Shape};
use crate::ard::NodeId;
use crate::diagnostic::SourceId;
use crate::memory;
use crate::symbol::Symbol;

/// The entities of one kind in one unit, as they were read.
#[derive(Debug)]
pub struct Arena<E> {
    headers: Vec<Header>,
    entities: Vec<E>,
}

impl<E> Default for Arena<E> {
    fn default() -> Self {
        Self { headers: Vec::new(), entities: Vec::new() }
    }
}

/// An arena whose kind is erased.
trait AnyArena: Any + Send + Sync {
    fn len(&self) -> usize;
    fn shrink_to_fit(&mut self);
    fn header(&self, index: u32) -> Option<&Header>;
    fn header_mut(&mut self, index: u32) -> Option<&mut Header>;
    fn entity(&self, index: u32) -> Option<&dyn Described>;
}

impl<E: Entity> AnyArena for Arena<E> {
    fn len(&self) -> usize {
        self.entities.len()
    }

    fn shrink_to_fit(&mut self) {
        memory::shrink(&mut self.headers);
        memory::shrink(&mut self.entities);
    }

    fn header(&self, index: u32) -> Option<&Header> {
        self.headers.get(index as usize)
    }

    fn header_mut(&mut self, index: u32) -> Option<&mut Header> {
        self.headers.get_mut(index as usize)
    }

    fn entity(&self, index: u32) -> Option<&dyn Described> {
        self.entities.get(index as usize).map(|entity| entity as &dyn Described)
    }
}

/// The entities of one unit. An arena is created with the first entity of its kind, because a unit contains only a few
/// of the language's kinds.
#[derive(Default)]
pub struct Arenas {
    list: Vec<Box<dyn AnyArena>>,
    /// For each kind, the index of its arena in `list` plus one, or 0 if it has no arena.
    places: Vec<u16>,
}

impl std::fmt::Debug for Arenas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.list.iter().map(|arena| arena.len())).finish()
    }
}

impl Arenas {
    /// Returns the number of entities of the given kind.
    pub fn count(&self, kind: Kind) -> u32 {
        self.any(kind).map_or(0, |arena| arena.len() as u32)
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.list.iter_mut().for_each(|arena| arena.shrink_to_fit());
        self.list.shrink_to_fit();
        self.places.shrink_to_fit();
    }

    /// Returns the entities of the given kind.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (LocalId, &dyn Described)> {
        let arena = self.any(kind);
        (0..self.count(kind)).filter_map(move |index| Some((LocalId { kind, index }, arena?.entity(index)?)))
    }

    /// Renames an entity that is being read; `key` is the node with the new name.
    pub(crate) fn rename(&mut self, id: LocalId, name: Symbol, key: NodeId) {
        let arena = self.place(id.kind).and_then(|place| self.list.get_mut(place));
        if let Some(header) = arena.and_then(|arena| arena.header_mut(id.index)) {
            (header.name, header.key) = (name, key);
        }
    }

    /// Returns the header of an entity.
    pub fn header(&self, id: LocalId) -> Option<Header> {
        self.any(id.kind)?.header(id.index).copied()
    }

    /// Returns the name of an entity, from its header.
    pub(crate) fn name(&self, id: LocalId) -> Option<Symbol> {
        Some(self.any(id.kind)?.header(id.index)?.name)
    }

    /// Returns the owner of an entity, from its header.
    pub(crate) fn owner(&self, id: LocalId) -> Option<LocalId> {
        self.any(id.kind)?.header(id.index)?.owner
    }

    /// Returns the entity with the given identifier.
    pub fn entity(&self, id: LocalId) -> Option<&dyn Described> {
        self.any(id.kind)?.entity(id.index)
    }

    /// Returns the entity of type `E` with the given index.
    pub fn get<E: Entity>(&self, index: u32) -> Option<&E> {
        let arena = self.any(E::KIND)?;
        (arena as &dyn Any).downcast_ref::<Arena<E>>()?.entities.get(index as usize)
    }

    /// Reserves an index for an entity, so that its children can refer to it as their owner.
    pub(crate) fn reserve<E: Entity>(&mut self, header: Header) -> u32 {
        let Some(arena) = self.arena_mut::<E>() else { return 0 };
        arena.headers.push(header);
        arena.entities.push(E::default());
        arena.entities.len() as u32 - 1
    }

    /// Stores an entity at its reserved index.
    pub(crate) fn set<E: Entity>(&mut self, index: u32, entity: E) {
        if let Some(place) = self.arena_mut::<E>().and_then(|arena| arena.entities.get_mut(index as usize)) {
            *place = entity;
        }
    }

    fn place(&self, kind: Kind) -> Option<usize> {
        self.places.get(usize::from(kind.0))?.checked_sub(1).map(usize::from)
    }

    fn any(&self, kind: Kind) -> Option<&dyn AnyArena> {
        self.list.get(self.place(kind)?).map(|arena| &**arena)
    }

    fn arena_mut<E: Entity>(&mut self) -> Option<&mut Arena<E>> {
        let place = self.place(E::KIND).unwrap_or_else(|| {
            let kind = usize::from(E::KIND.0);
            if self.places.len() <= kind {
                self.places.resize(kind + 1, 0);
            }
            self.list.push(Box::new(Arena::<E>::default()));
            self.places[kind] = self.list.len() as u16;
            self.list.len() - 1
        });
        (self.list[place].as_mut() as &mut dyn Any).downcast_mut()
    }
}

/// Slots for the completed entities of one unit. Each slot is set once, by the task that completes the entity.
#[derive(Default)]
pub struct Slots {
    kinds: ByKind<Option<Box<dyn AnySlots>>>,
}

impl std::fmt::Debug for Slots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Slots")
    }
}

/// Slots whose kind is erased.
pub trait AnySlots: Any + Send + Sync {
    /// Returns the completed entity, if any.
    fn entity(&self, index: u32) -> Option<&dyn Described>;
}

/// The entities are boxed, because most slots remain empty: most entities inherit nothing and are used as they were
/// read.
struct SlotsOf<E>(Vec<OnceBox<E>>);

impl<E: Entity> AnySlots for SlotsOf<E> {
    fn entity(&self, index: u32) -> Option<&dyn Described> {
        self.0.get(index as usize)?.get().map(|entity| entity as &dyn Described)
    }
}

/// Creates slots for `count` entities of type `E`.
pub(crate) fn slots<E: Entity>(count: u32) -> Box<dyn AnySlots> {
    Box::new(SlotsOf::<E>((0..count).map(|_| OnceBox::new()).collect()))
}

impl Slots {
    /// Creates slots for all entities of kinds that can inherit and, with `has_copies`, of kinds that are merged with
    /// copied members.
    pub(crate) fn new(arenas: &Arenas, kinds: &[&dyn AnyKind], has_copies: bool) -> Self {
        let copied = if has_copies { laid_over(kinds) } else { Vec::new() };
        let is_copied = |any: &dyn AnyKind| copied.iter().any(|other| std::ptr::eq(*other, any.description()));
        let kinds = kinds
            .iter()
            .zip(0..)
            .filter_map(|(any, kind)| {
                let count = arenas.count(Kind(kind));
                let is_needed = count > 0 && (any.inherits() || is_copied(*any));
                is_needed.then(|| (Kind(kind), Some(any.new_slots(count))))
            })
            .collect();
        Self { kinds }
    }

    /// Returns the completed entity, if it has been completed.
    pub fn entity(&self, id: LocalId) -> Option<&dyn Described> {
        self.kinds.get(id.kind)?.as_ref()?.entity(id.index)
    }

    /// Returns the completed entity of type `E`, if it has been completed.
    pub fn get<E: Entity>(&self, index: u32) -> Option<&E> {
        self.slot::<E>(index)?.get()
    }

    /// Stores a completed entity, unless the slot is already set.
    pub(crate) fn set<E: Entity>(&self, index: u32, entity: E) {
        if let Some(slot) = self.slot::<E>(index) {
            let _ = slot.set(Box::new(entity));
        }
    }

    fn slot<E: Entity>(&self, index: u32) -> Option<&OnceBox<E>> {
        let slots = self.kinds.get(E::KIND)?.as_deref()?;
        (slots as &dyn Any).downcast_ref::<SlotsOf<E>>()?.0.get(index as usize)
    }
}

/// Returns the kinds that are merged with copied members of the same name: the kinds of the members of entities that
/// can copy, and of their members in turn.
fn laid_over(kinds: &[&dyn AnyKind]) -> Vec<&'static EntityDescription> {
    let mut all: Vec<&EntityDescription> = kinds.iter().map(|kind| kind.description()).collect();
    all.retain(|kind| kind.find(|field| field.role == Role::Copy).is_some());
    let mut next = 0;
    while let Some(kind) = all.get(next) {
        let named = kind.fields.iter().filter(|field| matches!(field.shape, Shape::Named(_)));
        for member in named.filter_map(|field| field.shape.entity()).collect::<Vec<_>>() {
            if !all.iter().any(|other| std::ptr::eq(*other, member)) {
                all.push(member);
            }
        }
        next += 1;
    }
    all
}

impl<E: Entity> Id<E> {
    /// Returns the typed identifier of the entity at `index` in a unit.
    pub(crate) const fn at(unit: SourceId, index: u32) -> Self {
        Self::new(unit, index)
    }
}

impl AnyId {
    /// Returns the identifier of the entity `local` in a unit.
    pub const fn new(unit: SourceId, local: LocalId) -> Self {
        local.of(unit)
    }
}
