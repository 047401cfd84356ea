//! Identifiers of entities and nodes: small values that can be copied.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::num::NonZeroU32;

use crate::ard::NodeId;
use crate::diagnostic::SourceId;

/// A version of a language. Versions are numbered in order of publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LanguageVersion(pub u8);

impl LanguageVersion {
    /// A version that is earlier than or equal to every version.
    pub const FIRST: Self = Self(0);
    /// A version that is later than or equal to every version.
    pub const LAST: Self = Self(u8::MAX);
}

/// A kind of entity in a language: its number in the language's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(pub u8);

/// A node in a unit's raw data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeRef {
    /// The unit.
    pub unit: SourceId,
    /// The node.
    pub node: NodeId,
}

/// An entity of any kind, within its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId {
    /// The kind.
    pub kind: Kind,
    /// The index among the entities of the kind.
    pub index: u32,
}

impl LocalId {
    /// Returns the identifier of the entity in the given unit.
    pub const fn of(self, unit: SourceId) -> AnyId {
        AnyId { unit, kind: self.kind, index: self.index }
    }
}

/// An entity of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AnyId {
    /// The unit that contains it.
    pub unit: SourceId,
    /// The kind.
    pub kind: Kind,
    /// The index among the unit's entities of the kind.
    pub index: u32,
}

impl AnyId {
    /// Returns the entity without its unit.
    pub const fn local(self) -> LocalId {
        LocalId { kind: self.kind, index: self.index }
    }

    /// Returns the identifier with type `E`; `None` if the entity is of a different kind.
    pub fn cast<E: super::Entity>(self) -> Option<Id<E>> {
        (self.kind == E::KIND).then(|| Id::new(self.unit, self.index))
    }

    /// Returns a key that is unique among the entities of one kind.
    pub const fn key(self) -> u64 {
        (self.unit.0 as u64) << 32 | self.index as u64
    }
}

/// An optional [`AnyId`] that is as small as an `AnyId`, for tables with an entry for each entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MaybeId {
    unit: SourceId,
    /// The index plus one.
    number: Option<NonZeroU32>,
    kind: Kind,
}

const _: () = assert!(size_of::<MaybeId>() == size_of::<AnyId>());

impl MaybeId {
    pub(crate) const NONE: Self = Self { unit: SourceId(0), number: None, kind: Kind(0) };

    pub(crate) fn get(self) -> Option<AnyId> {
        let Self { unit, number, kind } = self;
        number.map(|number| AnyId { unit, kind, index: number.get() - 1 })
    }
}

impl From<Option<AnyId>> for MaybeId {
    fn from(id: Option<AnyId>) -> Self {
        id.map_or(Self::NONE, |AnyId { unit, kind, index }| {
            let number = NonZeroU32::MIN.saturating_add(index);
            Self { unit, number: Some(number), kind }
        })
    }
}

/// An entity of type `E`.
pub struct Id<E> {
    /// The unit that contains it.
    pub unit: SourceId,
    /// The index plus one, so that an `Option<Id<E>>` is as small as an `Id<E>`.
    number: NonZeroU32,
    entity: PhantomData<fn() -> E>,
}

impl<E> Id<E> {
    pub(crate) const fn new(unit: SourceId, index: u32) -> Self {
        Self { unit, number: NonZeroU32::MIN.saturating_add(index), entity: PhantomData }
    }

    /// Returns the index among the unit's entities of the kind.
    pub const fn index(self) -> u32 {
        self.number.get() - 1
    }
}

impl<E: super::Entity> Id<E> {
    /// Returns the entity without its type.
    pub const fn any(self) -> AnyId {
        AnyId { unit: self.unit, kind: E::KIND, index: self.index() }
    }
}

impl<E> Clone for Id<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Id<E> {}

impl<E> PartialEq for Id<E> {
    fn eq(&self, other: &Self) -> bool {
        self.unit == other.unit && self.number == other.number
    }
}

impl<E> Eq for Id<E> {}

impl<E> Hash for Id<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.unit.hash(state);
        self.number.hash(state);
    }
}

impl<E> fmt::Debug for Id<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.unit.0, self.index())
    }
}
