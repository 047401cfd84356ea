//! Paths: the places of values, the meaning of `SELF`, and the targets of steps.
//!
//! This module reports nothing: errors in a path are returned to the caller.

pub(super) mod graph;
pub(super) mod input;
pub(super) mod member;
pub(super) mod place;
mod simple;
pub(super) mod templates;
pub(super) mod to_v2_0;
pub(super) mod walk;

use super::call::Call;
use super::typed::kind::DataKind;
use crate::ard::Node;
use crate::diagnostic::{Edit, Help, Rule};
use crate::phase::Context;
use crate::rules;
use place::ValueContext;

/// The context in which a path is followed.
pub(crate) trait StepEvaluator<'a> {
    /// Returns the program.
    fn context(&self) -> &Context<'a>;

    /// Returns the place of the path.
    fn place(&self) -> ValueContext<'a>;

    /// Returns the kind of the result of a call that is a step, if it is known.
    fn kind_of(&mut self, call: Call<'a>) -> Option<DataKind>;
}

/// The step at which a path can't be followed, and the reason.
pub(crate) struct PathError<'a> {
    pub(super) rule: &'static Rule,
    pub(super) step: Node<'a>,
    pub(super) message: String,
    pub(super) help: Option<Help>,
    /// The fix, if help alone is not enough.
    pub(super) edit: Option<Edit>,
}

impl<'a> PathError<'a> {
    /// Creates the error for a step that leads nowhere.
    pub(super) fn at(step: Node<'a>, message: impl Into<String>, help: Option<Help>) -> Self {
        Self { rule: &rules::UNRESOLVED_PATH, step, message: message.into(), help, edit: None }
    }

    /// Creates the error for a node that can't be a step.
    pub(super) fn no_step(step: Node<'a>, message: impl Into<String>, help: Option<&str>) -> Self {
        Self { rule: &rules::ARGUMENT_TYPE, step, message: message.into(), help: help.map(Help::from), edit: None }
    }

    /// Creates the error for a number that is not an index.
    pub(super) fn bad_index(step: Node<'a>) -> Self {
        Self::at(step, format!("`{}` is not an index", step.text()), Some("an index is a non-negative integer".into()))
    }
}
