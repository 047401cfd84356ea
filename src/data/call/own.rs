//! Lookup of the functions that a service, a file or an import defines (2.0, 10.4).

use super::Call;
use crate::diagnostic::SourceId;
use crate::entity::{AnyId, Entity as _, Id};
use crate::grammar::definition::FunctionDefinition;
use crate::grammar::section::{FUNCTIONS, SERVICE_FUNCTIONS};
use crate::phase::Context;
use crate::phase::namespace::LookupResult;

/// Returns the custom function with the name of the built-in function that is called. `at` is the entity that contains
/// the call.
pub(crate) fn extension(context: &Context<'_>, at: AnyId, call: Call<'_>) -> Option<Id<FunctionDefinition>> {
    // Calls to built-in functions are frequent, and custom functions are rare, especially those with the name of a
    // built-in one.
    if !context.program.has_any(FunctionDefinition::KIND) {
        return None;
    }
    let may_define = |unit: SourceId| {
        let unit = context.program.unit(unit);
        unit.is_some_and(|unit| unit.arenas.count(FunctionDefinition::KIND) > 0 || !unit.imports.is_empty())
    };
    if !may_define(call.node.document().source()) && !may_define(at.unit) {
        return None;
    }
    resolve(context, at, call).id()?.cast()
}

/// Looks up the called function among those that are not built in.
pub(crate) fn resolve(context: &Context<'_>, at: AnyId, call: Call<'_>) -> LookupResult {
    let symbol = context.intern(call.name);
    // A refinement in the service has all signatures of the refined function.
    let mut found = LookupResult::Unknown;
    for section in [SERVICE_FUNCTIONS, FUNCTIONS] {
        let resolution = context.program.resolve(call.node.document().source(), section, symbol);
        let resolution = match resolution {
            LookupResult::Unknown => context.resolve(at, section, symbol),
            found => found,
        };
        match resolution {
            LookupResult::Unknown => {}
            LookupResult::Unreadable if found == LookupResult::Unknown => found = resolution,
            LookupResult::Unreadable => {}
            resolution => return resolution,
        }
    }
    found
}
