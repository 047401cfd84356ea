//! Rules for choosing between members of the same name in several parents.

use crate::diagnostic::Rule;
use crate::entity::{AnyId, FieldDescription};
use crate::phase::Program;
use crate::phase::hierarchy::Derived;
use crate::symbol::Symbol;

/// Different members with the same name that an entity could inherit from several parents.
///
/// Regardless of the language's rule, the resulting member must comply with the contract of every candidate.
#[derive(Clone, Copy)]
pub struct MemberConflict<'a> {
    /// The program, with type hierarchies.
    pub program: &'a Program<Derived>,
    /// The entity that inherits: a type, or an entity in a type.
    pub inheriting: AnyId,
    /// The field of the inheriting entity that holds the members.
    pub field: &'a FieldDescription,
    /// The name of the members.
    pub name: Symbol,
    /// The members: at least two, in the order of the parents. A member that several parents share occurs once.
    pub candidates: &'a [Candidate],
}

/// A member that an entity could inherit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The parent that has the member: a parent type of the inheriting entity, or the entity in a parent type that the
    /// inheriting entity refines.
    pub parent: AnyId,
    /// The member.
    pub member: AnyId,
    /// The type that declares the member: a parent type of the inheriting entity, or an ancestor of such a type.
    pub declared_in: AnyId,
}

/// The resolution of a conflict.
#[derive(Clone, Copy, Debug)]
pub enum ConflictResolution {
    /// The candidate with this index wins. The others are merged after it, in the order of the parents.
    Candidate(usize),
    /// No candidate wins, because the language requires the inheriting entity to declare the member itself. If it does
    /// not, this is reported, and the first candidate is used.
    Unresolved(&'static Rule),
}

/// Chooses the member of the first parent that has one.
pub fn first_parent(_: &MemberConflict<'_>) -> ConflictResolution {
    ConflictResolution::Candidate(0)
}

/// Chooses the member whose declaring type is derived from those of all other candidates, because it refines or
/// replaces them. If there is none, chooses the member of the first parent.
///
/// This makes diamonds work: if `D` has the parents `B` and `C`, both derived from `A`, and only `C` changes a member
/// of `A`, then `D` inherits that of `C`.
pub fn most_derived(conflict: &MemberConflict<'_>) -> ConflictResolution {
    let beats = |one: &Candidate| {
        conflict.candidates.iter().all(|other| conflict.program.is_a(one.declared_in, other.declared_in))
    };
    ConflictResolution::Candidate(conflict.candidates.iter().position(beats).unwrap_or(0))
}
