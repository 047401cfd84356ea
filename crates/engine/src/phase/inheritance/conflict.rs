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
    pub heir: AnyId,
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
    /// The parent that has it: a parent type of the heir, or what the heir refines in one.
    pub parent: AnyId,
    /// The member.
    pub member: AnyId,
    /// The type that declares it: a parent type of the heir, or an ancestor of one.
    pub declared_in: AnyId,
}

/// The result of a contest.
#[derive(Clone, Copy, Debug)]
pub enum Winner {
    /// The candidate with this index wins; the others are merged after it in the order of the parents.
    Candidate(usize),
    /// No candidate wins: the language requires that the heir declares the member itself. If it does not, that is
    /// reported, and the first candidate is used.
    Nobody(&'static Rule),
}

/// Lets the first member found win: that of the first parent.
pub fn first_parent(_: &MemberConflict<'_>) -> Winner {
    Winner::Candidate(0)
}

/// Lets the member win whose type is derived from the types of all others, because it refines or replaces them; if
/// there is none, the member of the first parent.
///
/// This makes diamonds work: if `D` has the parents `B` and `C`, both derived from `A`, and only `C` changes a member
/// of `A`, then `D` has that of `C`.
pub fn most_derived(contest: &MemberConflict<'_>) -> Winner {
    let beats = |one: &Candidate| {
        contest.candidates.iter().all(|other| contest.program.is_a(one.declared_in, other.declared_in))
    };
    Winner::Candidate(contest.candidates.iter().position(beats).unwrap_or(0))
}
