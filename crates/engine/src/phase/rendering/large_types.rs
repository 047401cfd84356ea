//! A limit on the members of the types of templates.
//!
//! A type has the members of its ancestors without repeating them, and the templates of each type are matched with all of
//! them. Measured 2026-11-30: without this limit, 3,000 types that inherit 10,000 properties, and a template of each
//! type, took 8.5 s in a file of 0.5 MB.

use rustc_hash::{FxHashMap, FxHashSet};

use super::OfKinds;
use crate::diagnostic::Diagnostic;
use crate::entity::{AnyCheck, AnyId, AnyKind, EntityDescription, FieldDescription, Role, Shape};
use crate::phase::inheritance::Complete;
use crate::phase::{Context, DiagnosticExt as _, Program, Unit};
use crate::rules;

/// The maximum number of members of the types of all templates in a unit, in addition to one for each two bytes of the
/// unit.
const MEMBERS: usize = 250_000;

/// The number of members of types up to which they are counted one by one.
const COUNTED: usize = 200_000;

/// The types of the templates in a unit, and of everything else that is matched with a definition.
#[derive(Default)]
pub(super) struct TypesOfTemplates {
    /// The number of their members, including nested ones.
    pub(super) members: usize,
    /// The templates of types beyond the limit, which are matched only with the members that they assign.
    pub(super) beyond: FxHashSet<AnyId>,
    /// The report about these types.
    pub(super) problem: Option<Diagnostic>,
}

impl TypesOfTemplates {
    /// Finds the types of the entities for whose kinds `which` returns a check.
    pub(super) fn new(
        program: &Program<Complete>,
        unit: &Unit,
        which: impl Fn(&'static dyn AnyKind) -> Option<AnyCheck>,
    ) -> Self {
        let most = MEMBERS.saturating_add(unit.source.text().len() / 2);
        let mut context = Context::new(program, 0);
        let (mut counter, mut types) = (MemberCounter::new(program), Self::default());
        let mut are_beyond: FxHashMap<AnyId, bool> = FxHashMap::default();
        let is_matched = |kind: &'static dyn AnyKind| {
            let description = kind.description();
            description.fields.iter().any(|field| field.assigns.is_some())
                && description.find(|field| field.role == Role::Definition).is_some()
        };
        let matched = OfKinds::new(unit, |kind| which(kind).filter(|_| is_matched(kind)));
        for (_, id) in matched.some(0..matched.count) {
            let Some(definition) = context.definition(id) else { continue };
            let is_beyond = *are_beyond.entry(definition).or_insert_with(|| {
                if types.members <= most {
                    types.members = types.members.saturating_add(counter.of(definition));
                }
                types.members > most
            });
            if is_beyond {
                if types.beyond.is_empty() {
                    let name = context.describe(definition);
                    let message = format!("{name} and later types are checked only for what their templates assign");
                    let help = format!("derive them from smaller types: all of them may have {most} members");
                    context.problem(&rules::UNCHECKED_USES, program.name_span(definition), message).help(help);
                }
                types.beyond.insert(id);
            }
        }
        types.problem = context.into_diagnostics().pop();
        types
    }
}

/// Returns the number of members of all types in a unit. Stops at the first type beyond [`COUNTED`].
pub(super) fn members(program: &Program<Complete>, unit: &Unit) -> usize {
    let mut counter = MemberCounter::new(program);
    let mut sum: usize = 0;
    for id in unit.types() {
        if sum > COUNTED {
            break;
        }
        sum = sum.saturating_add(counter.of(id));
    }
    sum
}

/// The numbers of members of definitions.
struct MemberCounter<'p> {
    program: &'p Program<Complete>,
    known: FxHashMap<AnyId, usize>,
}

impl<'p> MemberCounter<'p> {
    fn new(program: &'p Program<Complete>) -> Self {
        Self { program, known: FxHashMap::default() }
    }

    /// Returns the number of named entities in a definition, including inherited and nested ones.
    fn of(&mut self, id: AnyId) -> usize {
        const MEMBERS: &str = "members";
        if let Some(count) = self.known.get(&id) {
            return *count;
        }
        // Imported types recur in many programs.
        let is_imported = self.program.index(id.unit) != Some(0);
        let noted = if is_imported { self.program.noted(MEMBERS, id) } else { None };
        let count = noted.unwrap_or_else(|| self.count(id));
        if is_imported && noted.is_none() {
            self.program.note(MEMBERS, id, count);
        }
        self.known.insert(id, count);
        count
    }

    fn count(&mut self, id: AnyId) -> usize {
        let Some(entity) = self.program.entity(id) else { return 0 };
        let (mut count, mut with_members) = (0_usize, Vec::new());
        for (index, field) in entity.description().fields.iter().enumerate() {
            match field.shape {
                Shape::Named(description) | Shape::Sequence(description) => {
                    count += entity.field(index).child_count();
                    if has_members(description()) {
                        entity.field(index).visit_children(&mut |child| with_members.push(child));
                    }
                }
                // A requirement has a relationship, which has members.
                Shape::One(description) if has_members(description()) => {
                    entity.field(index).visit_children(&mut |child| with_members.push(child));
                }
                _ => {}
            }
        }
        with_members.into_iter().fold(count, |sum, child| sum.saturating_add(self.of(child)))
    }
}

/// Returns whether entities of a kind can have members, directly or in a single child.
fn has_members(description: &EntityDescription) -> bool {
    let is_some = |field: &FieldDescription| matches!(field.shape, Shape::Named(_) | Shape::Sequence(_));
    description.fields.iter().any(|field| match field.shape {
        Shape::One(child) => child().fields.iter().any(is_some),
        _ => is_some(field),
    })
}
