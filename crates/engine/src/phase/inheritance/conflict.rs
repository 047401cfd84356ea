//! The choice between members of the same name in several parents.

use crate::diagnostic::Rule;
use crate::entity::{AnyId, FieldDescription};
use crate::phase::Program;
use crate::phase::hierarchy::Derived;
use crate::symbol::Symbol;

/// Different members with the same name that an entity could inherit from several parents.
///
/// With any rule of the language, the member must keep the contract of all of them.
#[derive(Clone, Copy)]
pub struct MemberConflict<'a> {
    /// The program, with type hierarchies.
    pub program: &'a Program<Derived>,
    /// The entity that inherits: a type, or an entity in one.
    pub inheriting: AnyId,
    /// Its field that holds the members.
    pub field: &'a FieldDescription,
    /// The name of the members.
    pub name: Symbol,
    /// The members: at least two, in the order of the parents. A member that several parents share occurs once.
    pub candidates: &'a [Candidate],
}

/// A member that an entity could inherit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The parent that has it: a parent type of the inheriting entity, or the entity in a parent type that the
    /// inheriting entity refines.
    pub parent: AnyId,
    /// The member.
    pub member: AnyId,
    /// The type that declares it: a parent type of the inheriting entity, or an ancestor of one.
    pub declared_in: AnyId,
}

/// The resolution of a conflict.
#[derive(Clone, Copy, Debug)]
pub enum ConflictResolution {
    /// The candidate with this index wins; the others are merged after it in the order of the parents.
    Candidate(usize),
    /// No candidate wins: the language requires the inheriting entity to declare the member itself. If it does not,
    /// that is reported, and the first candidate is used.
    Unresolved(&'static Rule),
}

/// Chooses the first member found: that of the first parent.
pub fn first_parent(_: &MemberConflict<'_>) -> ConflictResolution {
    ConflictResolution::Candidate(0)
}

/// Chooses the member whose type is derived from the types of all others, because it refines or replaces them; if there
/// is none, the member of the first parent.
///
/// This makes diamonds work: if `D` has the parents `B` and `C`, both derived from `A`, and only `C` changes a member
/// of `A`, then `D` has that of `C`.
pub fn most_derived(conflict: &MemberConflict<'_>) -> ConflictResolution {
    let beats = |one: &Candidate| {
        conflict.candidates.iter().all(|other| conflict.program.is_a(one.declared_in, other.declared_in))
    };
    ConflictResolution::Candidate(conflict.candidates.iter().position(beats).unwrap_or(0))
}
