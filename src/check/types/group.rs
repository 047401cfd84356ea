//! Group types (2.0, 16.1).

use crate::check::definition::attribute::check_reflected;
use crate::entity::{Checked, Checks, Id};
use crate::grammar::types::GroupType;
use crate::phase::Context;

impl Checked for GroupType {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(check);
}

fn check(complete: &GroupType, context: &mut Context<'_>, id: Id<GroupType>) {
    if let Some(own) = context.program.raw_as(id) {
        let complete = (&complete.properties, &complete.attributes);
        check_reflected(context, (&own.properties, &own.attributes), complete);
    }
}
