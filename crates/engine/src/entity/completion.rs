//! Completion of values whose meaning only the language knows.
//!
//! Descriptions cover keynames, sections of names and allowed words. But only the language knows the meaning of values:
//! the functions, the targets of paths, and which candidates are suitable. Editors request this information with
//! [`Language::complete_value`](super::Language::complete_value).

use std::fmt;

use super::position_context::PositionContext;
use super::{AnyId, LanguageVersion};
use crate::diagnostic::SourceId;
use crate::phase::Program;
use crate::phase::inheritance::Complete;

/// A completion request.
#[derive(Clone, Copy, Debug)]
pub struct CompletionRequest<'a> {
    /// The program. The text may have changed since it was built.
    pub program: &'a Program<Complete>,
    /// The unit that is being edited, as it is in the program.
    pub unit: SourceId,
    /// The language version of the current text.
    pub version: LanguageVersion,
    /// The position in the current text.
    pub position: &'a PositionContext<'a>,
    /// Each entity around the position, outermost first, as it is in the program.
    pub entities: &'a [Option<AnyId>],
    /// The definition of each entity around the position.
    pub definitions: &'a [Option<AnyId>],
    /// The definition of the value around the position.
    pub value: Option<AnyId>,
}

/// The answer to a completion request.
#[derive(Default)]
pub struct CompletionResponse {
    /// The proposals.
    pub proposals: Vec<CompletionProposal>,
    /// Whether profile names are possible here.
    pub profiles: bool,
    /// Whether paths of files that can be imported are possible here.
    pub files: bool,
    /// The entity that the word at the position refers to.
    pub target: Option<AnyId>,
    /// The target of the part of the word before its last dot, if both parts are names.
    pub qualifier: Option<AnyId>,
    /// A filter for the entities that can be referred to here.
    pub fits: Option<Box<CandidateFilter>>,
    /// The type of the value at the position.
    pub value_type: ValueType,
    /// Whether nothing but the proposals is possible here.
    pub is_exclusive: bool,
}

/// The expected type of a value, which may be inside a larger value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueType {
    /// Any type, or it is not known which.
    #[default]
    Unknown,
    /// A declared type.
    Declared(AnyId),
    /// No single declared type, as for a list with a schema, or for a bound of a range.
    Undeclared,
}

/// A function that decides whether an entity is a suitable candidate.
pub type CandidateFilter = dyn Fn(&Program<Complete>, AnyId) -> bool;

/// A completion proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletionProposal {
    /// The label.
    pub label: String,
    /// The text to insert, if it differs from the label.
    pub text: Option<String>,
    /// The kind.
    pub kind: ProposalKind,
    /// A short detail.
    pub detail: String,
    /// The documentation, in Markdown.
    pub docs: String,
}

/// The kind of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProposalKind {
    /// A value, such as `true`.
    Value,
    /// A function.
    Function,
    /// The name of an entity.
    Name,
}

/// The facts about a member of a definition that editors show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberNote {
    /// The name of the member's type; empty if the type is unknown.
    pub type_name: String,
    /// The member's type; for a list or a map, the type of the entries.
    pub of_type: Option<AnyId>,
    /// The minimum number of assignments to the member.
    pub min_count: u64,
    /// Whether it is deprecated.
    pub is_deprecated: bool,
}

impl MemberNote {
    /// Returns the note for a member whose type is its definition.
    pub fn of_definition(program: &Program<Complete>, id: AnyId) -> Self {
        let of_type = program.definition(id);
        let type_name = of_type.map(|of_type| program.name(of_type).to_owned()).unwrap_or_default();
        Self { type_name, of_type, ..Self::default() }
    }

    /// Returns whether the member must be assigned.
    pub fn is_required(&self) -> bool {
        self.min_count > 0
    }
}

impl fmt::Display for MemberNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let required = match self.min_count {
            0 => String::new(),
            1 => "required".to_owned(),
            count => format!("{count} required"),
        };
        let parts = [self.type_name.as_str(), required.as_str()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        f.write_str(&parts.join(", "))
    }
}

impl CompletionProposal {
    /// Creates a proposal without detail and documentation.
    pub fn new(label: impl Into<String>, kind: ProposalKind) -> Self {
        Self { label: label.into(), text: None, kind, detail: String::new(), docs: String::new() }
    }

    /// Adds a detail.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }
}

impl fmt::Debug for CompletionResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompletionResponse").field("proposals", &self.proposals).finish_non_exhaustive()
    }
}
