//! What a language knows of what could be written at a place, beyond what descriptions say.
//!
//! Descriptions know keynames, sections of names and words. What a value means only its language knows: which functions
//! there are, where a path can lead, which target fits. An editor asks it with [`Language::advise`](super::Language::advise).

use std::fmt;

use super::spot::Spot;
use super::{AnyId, LanguageVersion};
use crate::diagnostic::SourceId;
use crate::phase::Program;
use crate::phase::inheritance::Complete;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// What is known of the program. The text may have changed since.
    pub program: &'a Program<Complete>,
    /// The unit that the text was when the program was made.
    pub unit: SourceId,
    /// The version that the text is written in now.
    pub version: LanguageVersion,
    /// The place, in the text as it is now.
    pub spot: &'a Spot<'a>,
    /// For each of the entities around the place: what defines it.
    pub definitions: &'a [Option<AnyId>],
    /// What defines the value around the place.
    pub value: Option<AnyId>,
}

/// What the language says.
#[derive(Default)]
pub struct Advice {
    /// What could be written.
    pub proposals: Vec<Proposal>,
    /// Whether the name of a file could be.
    pub files: bool,
    /// Whether the name of a profile could be.
    pub profiles: bool,
    /// What the word that stands at the place stands for.
    pub target: Option<AnyId>,
    /// Of several things that could be named, which ones fit.
    pub fits: Option<Box<Fits>>,
}

/// Says whether something fits.
pub type Fits = dyn Fn(&Program<Complete>, AnyId) -> bool;

/// Something that could be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// What it is called.
    pub label: String,
    /// What is written, if that is more.
    pub text: Option<String>,
    /// What it is.
    pub sort: Sort,
    /// A few words about it.
    pub detail: String,
    /// What there is to know, in Markdown.
    pub docs: String,
}

/// What something is that could be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A value, such as `true`.
    Value,
    /// A function.
    Function,
    /// A name of something that is defined elsewhere.
    Name,
}

impl Proposal {
    /// Something of which there is nothing to say but what it is called.
    pub fn new(label: impl Into<String>, sort: Sort) -> Self {
        Self { label: label.into(), text: None, sort, detail: String::new(), docs: String::new() }
    }

    /// The same, with a few words about it.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }
}

impl fmt::Debug for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Advice").field("proposals", &self.proposals).finish_non_exhaustive()
    }
}
