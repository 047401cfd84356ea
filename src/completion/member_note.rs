//! Descriptions of members of types.

use super::schema::schema;
use crate::data::Schema;
use crate::entity::{AnyId, Id, MemberNote};
use crate::grammar::CountRange;
use crate::grammar::definition::{
    AttributeDefinition, ParameterDefinition, PropertyDefinition, RequirementDefinition, Status,
};
use crate::grammar::types::DataType;
use crate::phase::inheritance::Complete;
use crate::phase::namespace::ReferenceResolver as _;
use crate::phase::{Context, Program};

/// The maximum nesting of lists and maps in a type.
const MAX_NESTING: usize = 16;

/// Describes a property, a parameter, or another member of a type.
pub(crate) fn describe_member(program: &Program<Complete>, id: AnyId) -> MemberNote {
    let context = Context::new(program, 0);
    let mut note = MemberNote::of_definition(program, id);
    if let Some(schema) = schema(&context, id) {
        let entries = schema.entries(&context);
        note.type_name = match &entries {
            Some(entries) => format!("{} of {}", schema.type_name(&context), entries.type_name(&context)),
            None => schema.type_name(&context).to_owned(),
        };
        note.of_type = entries.and_then(|entries| innermost(&context, entries)).or(schema.data_type).map(Id::any);
    }
    let property = || context.get(id.cast::<PropertyDefinition>()?).map(PropertyDefinition::needs_value);
    let parameter = || context.get(id.cast::<ParameterDefinition>()?).map(|it| it.is_required() && !it.has_value());
    note.min_count = u64::from(property().or_else(parameter).unwrap_or(false));
    let of_property = || context.get(id.cast::<PropertyDefinition>()?)?.status.as_ref();
    let of_attribute = || context.get(id.cast::<AttributeDefinition>()?)?.status.as_ref();
    let of_parameter = || context.get(id.cast::<ParameterDefinition>()?)?.status.as_ref();
    let status = of_property().or_else(of_attribute).or_else(of_parameter);
    note.is_deprecated = status.is_some_and(|status| status.value == Status::Deprecated);
    if let Some(definition) = id.cast::<RequirementDefinition>().and_then(|id| context.get(id)) {
        let range = definition.count_range.as_ref().map(|range| range.value);
        note.min_count = range.unwrap_or_else(|| CountRange::default_of(context.version(id))).lower;
        let capability = definition.capability.and_then(|capability| program.target(capability.erased()));
        if let Some(target) = capability.or_else(|| Some(definition.node?.target(program)?.any())) {
            (note.type_name, note.of_type) = (program.name(target).to_owned(), Some(target));
        }
    }
    note
}

/// Returns the type of the innermost entries of lists and maps.
fn innermost<'a>(context: &Context<'a>, mut schema: Schema<'a>) -> Option<Id<DataType>> {
    // The entries of a type can have that same type, so the depth is limited.
    for _ in 0..MAX_NESTING {
        match schema.entries(context) {
            Some(entries) => schema = entries,
            None => break,
        }
    }
    schema.data_type
}
