//! The schemas of value definitions.

use crate::data::{Schema, Typed};
use crate::entity::{AnyId, Id};
use crate::grammar::definition::{AttributeDefinition, ParameterDefinition, PropertyDefinition};
use crate::phase::Context;

/// Returns the schema of a value definition.
pub(super) fn schema<'a>(context: &Context<'a>, id: AnyId) -> Option<Schema<'a>> {
    fn of<'a, T: Typed>(context: &Context<'a>, id: AnyId) -> Option<Schema<'a>> {
        let id: Id<T> = id.cast()?;
        Some(context.get(id)?.schema(context, id))
    }
    of::<PropertyDefinition>(context, id)
        .or_else(|| of::<AttributeDefinition>(context, id))
        .or_else(|| of::<ParameterDefinition>(context, id))
}
