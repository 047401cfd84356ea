//! Data types whose defaults make values large. If two properties have defaults of a type that again has two such
//! properties, and so on, the number of members grows exponentially with the size of the source.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ard::Kind;
use crate::entity::Id;
use crate::grammar::types::DataType;
use crate::member_limit::{MAX_DEFAULT_MEMBERS, size};
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

/// Reports the types of a file whose values get too many members by default, unless one of their parts has been
/// reported.
pub(crate) fn check_large(context: &mut Context<'_>, types: &[Id<DataType>]) {
    let sizes = sizes(context, types);
    for id in types.iter().filter(|id| is_large(&sizes, **id)) {
        if parts(context, *id).0.iter().any(|part| is_large(&sizes, *part)) {
            continue;
        }
        let at = context.program.name_span(id.any());
        let name = context.program.name(id.any());
        let message = format!(
            "a value of data type `{name}` gets more than {MAX_DEFAULT_MEMBERS} members from defaults; models omit the rest"
        );
        context
            .problem(&rules::LARGE_DEFAULT, at, message)
            .help("remove the defaults of properties whose types have defaults themselves");
    }
}

fn is_large(sizes: &FxHashMap<Id<DataType>, usize>, id: Id<DataType>) -> bool {
    sizes.get(&id).is_some_and(|size| *size > MAX_DEFAULT_MEMBERS)
}

/// Returns the number of members with defaults in a value, for each type and its parts. Counting stops above the limit.
fn sizes(context: &Context<'_>, types: &[Id<DataType>]) -> FxHashMap<Id<DataType>, usize> {
    let mut sizes: FxHashMap<Id<DataType>, usize> = FxHashMap::default();
    let mut open: FxHashSet<Id<DataType>> = FxHashSet::default();
    let mut stack = types.to_vec();
    while let Some(id) = stack.last().copied() {
        if sizes.contains_key(&id) {
            stack.pop();
            continue;
        }
        let (made_of, own) = parts(context, id);
        // If types contain each other, a model stops before it would repeat itself.
        if open.insert(id) {
            let further = made_of.iter().filter(|part| !sizes.contains_key(*part) && !open.contains(*part));
            stack.extend(further);
            continue;
        }
        stack.pop();
        let size = made_of.iter().filter_map(|part| sizes.get(part)).fold(own, |sum, size| sum.saturating_add(*size));
        sizes.insert(id, size.min(MAX_DEFAULT_MEMBERS + 1));
    }
    sizes
}

/// Returns the types of members whose defaults a value also contains, and the number of members in its own defaults.
fn parts(context: &Context<'_>, id: Id<DataType>) -> (Vec<Id<DataType>>, usize) {
    let Some(own) = context.program.raw_as(id) else { return (Vec::new(), 0) };
    let mut made_of: Vec<Id<DataType>> = context.target_of(own.derived_from).into_iter().collect();
    let mut number = 0;
    for definition in own.properties.iter().filter_map(|(_, id)| context.get(id)) {
        let Some(value) = definition.given_value().and_then(|value| context.node(value.0)) else { continue };
        number += 1 + size(value, MAX_DEFAULT_MEMBERS);
        if value.kind() == Kind::Map {
            made_of.extend(context.target_of(definition.r#type));
        }
    }
    (made_of, number)
}
