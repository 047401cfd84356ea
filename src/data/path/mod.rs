//! Paths: where values stand, what `SELF` is there, and where steps lead.
//!
//! Nothing is reported here: what is wrong with a path is handed to whoever follows it.

pub(super) mod graph;
pub(super) mod input;
pub(super) mod member;
pub(super) mod modern;
pub(super) mod place;
mod simple;
pub(super) mod templates;
pub(super) mod walk;

use super::call::Call;
use super::typed::kind::DataKind;
use crate::ard::Node;
use crate::diagnostic::{Edit, Rule};
use crate::phase::Context;
use crate::rules;
use place::Place;

/// Who follows a path.
pub(crate) trait Follower<'a> {
    /// The program.
    fn context(&self) -> &Context<'a>;

    /// Where the path stands.
    fn place(&self) -> Place<'a>;

    /// What a call gives that stands for a step, as far as that is known.
    fn kind_of(&mut self, call: Call<'a>) -> Option<DataKind>;
}

/// Why a path can't be followed: the step, and what is wrong with it.
pub(crate) struct Lost<'a> {
    pub(super) rule: &'static Rule,
    pub(super) step: Node<'a>,
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// The change that settles it, where help alone does not tell.
    pub(super) edit: Option<Edit>,
}

impl<'a> Lost<'a> {
    /// A step that leads nowhere.
    pub(super) fn at(step: Node<'a>, message: impl Into<String>, help: Option<String>) -> Self {
        Self { rule: &rules::UNRESOLVED_PATH, step, message: message.into(), help, edit: None }
    }

    /// A step that is none.
    pub(super) fn no_step(step: Node<'a>, message: impl Into<String>, help: Option<&str>) -> Self {
        Self { rule: &rules::ARGUMENT_TYPE, step, message: message.into(), help: help.map(str::to_owned), edit: None }
    }

    /// What is wrong with a number that stands where an index must be.
    pub(super) fn bad_index(step: Node<'a>) -> Self {
        let help = "an index is a non-negative integer".to_owned();
        Self::at(step, format!("`{}` is not an index", step.text()), Some(help))
    }
}
