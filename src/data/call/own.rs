//! Finding the functions that a service, a file or an import defines (2.0, 10.4).

use super::Call;
use crate::diagnostic::SourceId;
use crate::entity::{AnyId, Entity as _, Id};
use crate::grammar::definition::FunctionDefinition;
use crate::grammar::section::{FUNCTIONS, SERVICE_FUNCTIONS};
use crate::phase::Context;
use crate::phase::namespace::Resolved;

/// The function of one's own that has the name of a built-in one which is called. `at` is the entity in which the call
/// stands.
pub(crate) fn extension(context: &Context<'_>, at: AnyId, call: Call<'_>) -> Option<Id<FunctionDefinition>> {
    // Built-in functions are called often, and seldom is there any other one, let alone one of the name.
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

/// What a name stands for among the functions that are not built in.
pub(crate) fn resolve(context: &Context<'_>, at: AnyId, call: Call<'_>) -> Resolved {
    let symbol = context.intern(call.name);
    // A refinement within the service has all signatures of what it refines.
    let mut found = Resolved::Unknown;
    for section in [SERVICE_FUNCTIONS, FUNCTIONS] {
        let resolution = context.program.resolve(call.node.document().source(), section, symbol);
        let resolution = match resolution {
            Resolved::Unknown => context.resolve(at, section, symbol),
            found => found,
        };
        match resolution {
            Resolved::Unknown => {}
            Resolved::Unreadable if found == Resolved::Unknown => found = resolution,
            Resolved::Unreadable => {}
            resolution => return resolution,
        }
    }
    found
}
