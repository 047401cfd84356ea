//! The type of a call's result, as far as it is known without evaluation.

use crate::data::schema::Schema;
use crate::data::typed::kind::DataKind;
use crate::phase::Context;

/// The type of a call's result, as far as it is known without evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StaticResult<'a> {
    /// Nothing.
    Nothing,
    /// The kind.
    Kind(DataKind),
    /// The schema.
    Schema(Schema<'a>),
    /// A list of values with this schema.
    ListOf(Schema<'a>),
}

impl<'a> StaticResult<'a> {
    pub(crate) fn kind(&self, context: &Context<'_>) -> Option<DataKind> {
        match self {
            Self::Nothing => None,
            Self::Kind(kind) => Some(*kind),
            Self::Schema(schema) => schema.kind(context),
            Self::ListOf(_) => Some(DataKind::List),
        }
    }

    /// Returns the result with an article, for messages.
    pub(crate) fn phrase(&self, context: &Context<'a>) -> Option<String> {
        match self {
            Self::Schema(schema) => schema.phrase(context),
            Self::ListOf(schema) => Some(format!("a list of `{}`", schema.type_name(context))),
            _ => Some(self.kind(context)?.with_article().to_owned()),
        }
    }

    /// Returns the known type of the entries of a list or map.
    pub(crate) fn entries(&self, context: &Context<'a>) -> Option<Self> {
        match self {
            Self::Nothing | Self::Kind(_) => None,
            Self::Schema(schema) => schema.entries(context).map(Self::Schema),
            Self::ListOf(schema) => Some(Self::Schema(*schema)),
        }
    }
}
