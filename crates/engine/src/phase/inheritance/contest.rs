//! Which parent's member wins, where several parents have one of the same name.

use crate::diagnostic::Rule;
use crate::entity::{AnyId, FieldDescription};
use crate::phase::Program;
use crate::phase::hierarchy::Placed;
use crate::symbol::Symbol;

/// Different members of one name that an entity could take from several parents.
///
/// Whatever the language's rule says, the member must keep the contract of all of them.
#[derive(Clone, Copy)]
pub struct Contest<'a> {
    /// The program; its types have been put below their parents.
    pub program: &'a Program<Placed>,
    /// The entity that inherits: a type, or an entity within one.
    pub heir: AnyId,
    /// Its field that holds the members.
    pub field: &'a FieldDescription,
    /// The name of the members.
    pub name: Symbol,
    /// The members: at least two, in the order of the parents. One that several parents share is there once.
    pub candidates: &'a [Candidate],
}

/// A member that an entity could take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The parent that has it: a parent type of the heir, or what the heir refines in one.
    pub parent: AnyId,
    /// The member.
    pub member: AnyId,
    /// The type in which it stands: a parent type of the heir, or one that such is derived from.
    pub declared_in: AnyId,
}

/// How a contest ends.
#[derive(Clone, Copy, Debug)]
pub enum Winner {
    /// The candidate with this number wins; the others come after it in the order of the parents.
    Candidate(usize),
    /// Nobody wins: the language wants the heir to have a member of its own. A heir without one has the problem, and
    /// goes on with the first candidate.
    Nobody(&'static Rule),
}

/// The first value met wins: the member of the parent that is named first.
pub fn first_parent(_: &Contest<'_>) -> Winner {
    Winner::Candidate(0)
}

/// The member whose type is derived from the types of all others wins, since it refines or replaces them; if there is
/// none, the member of the parent that is named first.
///
/// That is what makes a diamond work: if `D` has the parents `B` and `C`, both derived from `A`, and only `C` changes
/// what `A` says, then `D` has it as `C` says.
pub fn most_derived(contest: &Contest<'_>) -> Winner {
    let beats = |one: &Candidate| {
        contest.candidates.iter().all(|other| contest.program.is_a(one.declared_in, other.declared_in))
    };
    Winner::Candidate(contest.candidates.iter().position(beats).unwrap_or(0))
}
