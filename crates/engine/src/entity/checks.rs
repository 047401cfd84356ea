//! Checks that annotations can't express, and their registration for the phases.
//!
//! An annotated struct describes only what authors write. All further checks are in an implementation of [`Checked`]
//! for the struct, in a module above it. Declarations never mention their checks, so they can be compiled, read and
//! used without the checks.
//!
//! [`kinds!`](crate::kinds) finds the implementation automatically, so it can't be forgotten. A kind without checks
//! needs no code, and reading an entity of such a kind calls nothing.

use std::fmt;
use std::marker::PhantomData;

use super::{AnyId, Entity, Id, LocalId};
use crate::phase::Context;
use crate::phase::read::{ImportRequest, Reader};
use crate::phase::rendering::Assignment;

/// A kind of entity with checks that its annotations can't express.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::Entity;
/// use tosca_parse::entity::{Checked, Checks, LocalId, Text};
/// use tosca_parse::phase::read::Reader;
///
/// // The declaration:
///
/// /// A letter.
/// #[derive(Entity, Clone, Debug, Default)]
/// #[entity(title = "letter")]
/// pub struct Letter {
///     /// The addressee.
///     pub to: Option<Text>,
/// }
/// tosca_parse::kinds! { static KINDS = [Letter]; }
///
/// // Its checks, in a module above:
///
/// impl Checked for Letter {
///     const CHECKS: Checks<Self> = Checks::NEW.after_read(has_addressee);
/// }
///
/// fn has_addressee(letter: &Letter, reader: &mut Reader<'_>, id: LocalId) {
///     // …
/// }
/// # assert!(KINDS[0].after_inheritance().is_none());
/// ```
///
/// The compiler rejects a check that does not exist or has the wrong signature, and a second check for the same point
/// in time. It reports a check that is never registered as dead code.
///
/// ```compile_fail
/// # extern crate tosca_parse_engine as tosca_parse;
/// # use tosca_parse::entity::{Checks, LocalId};
/// # use tosca_parse::phase::read::Reader;
/// # struct Letter;
/// fn has_addressee(_: &Letter, _: &mut Reader<'_>, _: LocalId) {}
/// const TWICE: Checks<Letter> = Checks::NEW.after_read(has_addressee).after_read(has_addressee);
/// # let _ = TWICE;
/// ```
pub trait Checked: Entity {
    /// The check functions, one for each point in time.
    const CHECKS: Checks<Self>;
}

type Import<E> = fn(&E, &mut Reader<'_>, LocalId) -> Option<ImportRequest>;
type WhileRead<E> = fn(&E, &mut Reader<'_>, LocalId);
type InProgram<E> = fn(&E, &mut Context<'_>, Id<E>);
type Judge<E> = fn(&E, &mut Context<'_>, Id<E>, &Assignment);

/// A check of an entity whose type is erased.
pub type AnyCheck = fn(&mut Context<'_>, AnyId);

/// The checks of a kind of entity, one for each point in time.
#[must_use]
pub struct Checks<E> {
    pub(crate) import: Option<Import<E>>,
    pub(crate) after_read: Option<WhileRead<E>>,
    pub(crate) after_inheritance: Option<InProgram<E>>,
    pub(crate) render: Option<InProgram<E>>,
    pub(crate) judge: Option<Judge<E>>,
}

impl<E> Checks<E> {
    /// No checks.
    pub const NEW: Self = Self { import: None, after_read: None, after_inheritance: None, render: None, judge: None };

    /// Makes the kind an import: the function returns the import to load, as soon as the entity has been read.
    pub const fn import(self, ask: Import<E>) -> Self {
        assert!(self.import.is_none(), "`import` is already set");
        Self { import: Some(ask), ..self }
    }

    /// Adds a check right after the entity and its children have been read. References are not resolved yet.
    pub const fn after_read(self, check: WhileRead<E>) -> Self {
        assert!(self.after_read.is_none(), "`after_read` is already set");
        Self { after_read: Some(check), ..self }
    }

    /// Adds a check after phase 4, when all types are complete. It runs once per unit, regardless of which units import
    /// that unit.
    pub const fn after_inheritance(self, check: InProgram<E>) -> Self {
        assert!(self.after_inheritance.is_none(), "`after_inheritance` is already set");
        Self { after_inheritance: Some(check), ..self }
    }

    /// Makes the kind a template: the function renders an entity, that is, applies its type and checks what annotations
    /// can't express. It runs only for templates in the entry.
    pub const fn render(self, render: InProgram<E>) -> Self {
        assert!(self.render.is_none(), "`render` is already set");
        Self { render: Some(render), ..self }
    }

    /// Makes the kind a definition of values: the function checks an assigned or missing value.
    ///
    /// The result for a missing value is cached, so it must be the same for all owners and all templates of the same
    /// kind and version, unless the function calls [`Context::depends_on_template`].
    pub const fn judge(self, judge: Judge<E>) -> Self {
        assert!(self.judge.is_none(), "`judge` is already set");
        Self { judge: Some(judge), ..self }
    }
}

impl<E> fmt::Debug for Checks<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Checks")
    }
}

/// Helps [`kinds!`](crate::kinds) to find the checks of a kind. `FOUND` is an inherent constant if the kind is
/// [`Checked`], which Rust prefers to the constant in the trait [`Unchecked`].
#[doc(hidden)]
#[derive(Debug)]
pub struct ChecksOf<E>(PhantomData<fn() -> E>);

impl<E: Checked> ChecksOf<E> {
    pub const FOUND: Checks<E> = <E as Checked>::CHECKS;
}

#[doc(hidden)]
pub trait Unchecked {
    type Entity;
    const FOUND: Checks<Self::Entity> = Checks::NEW;
}

impl<E> Unchecked for ChecksOf<E> {
    type Entity = E;
}

/// Calls a check with the entity that has the given identifier.
fn call<E: Entity>(check: Option<InProgram<E>>, context: &mut Context<'_>, id: AnyId) {
    if let (Some(check), Some(id)) = (check, id.cast::<E>())
        && let Some(entity) = context.get(id)
    {
        check(entity, context, id);
    }
}

pub(super) fn after_inheritance<E: Entity>() -> Option<AnyCheck> {
    <E as Entity>::CHECKS
        .after_inheritance
        .map(|_| (|context, id| call::<E>(<E as Entity>::CHECKS.after_inheritance, context, id)) as AnyCheck)
}

pub(super) fn render<E: Entity>() -> Option<AnyCheck> {
    <E as Entity>::CHECKS
        .render
        .map(|_| (|context, id| call::<E>(<E as Entity>::CHECKS.render, context, id)) as AnyCheck)
}

pub(super) fn judge<E: Entity>(context: &mut Context<'_>, id: AnyId, assignment: &Assignment) {
    if let (Some(judge), Some(id)) = (<E as Entity>::CHECKS.judge, id.cast::<E>())
        && let Some(entity) = context.get(id)
    {
        judge(entity, context, id, assignment);
    }
}
