//! The signatures of custom functions (2.0, 10.4).

use crate::entity::Id;
use crate::grammar::definition::{FunctionDefinition, Signature};
use crate::grammar::section::FUNCTIONS;
use crate::grammar::template::ServiceTemplate;
use crate::phase::Context;

/// Returns the definition outside of the service template that a definition in the service template refines.
pub(crate) fn refined(context: &Context<'_>, id: Id<FunctionDefinition>) -> Option<Id<FunctionDefinition>> {
    let owner = context.program.owners(id.any()).next()?;
    owner.cast::<ServiceTemplate>()?;
    context.resolve(id.any(), FUNCTIONS, context.header(id.any())?.name).id()?.cast()
}

/// Returns all signatures of a function: those of the refined definition, then its additional ones.
pub(super) fn signatures(context: &Context<'_>, id: Id<FunctionDefinition>) -> Vec<Id<Signature>> {
    let own = context.get(id).map_or(&[][..], |function| &function.signatures);
    let refined = refined(context, id).and_then(|refined| context.get(refined));
    let refined = refined.map_or(&[][..], |function| &function.signatures);
    refined.iter().chain(own.iter().skip(refined.len())).copied().flatten().collect()
}
