//! Relationship types (2.0, 7.3).

use crate::check::definition::attribute::check_reflected;
use crate::entity::{Checked, Checks, Entity as _, Id};
use crate::grammar::types::{NodeType, RelationshipType};
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for RelationshipType {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(check);
}

fn check(complete: &RelationshipType, context: &mut Context<'_>, id: Id<RelationshipType>) {
    if let Some(own) = context.program.raw_as(id) {
        let complete = (&complete.properties, &complete.attributes);
        check_reflected(context, (&own.properties, &own.attributes), complete);
        // Decision B 10.
        for reference in &own.valid_target_types {
            if context.any_target(*reference).is_some_and(|target| target.kind == NodeType::KIND) {
                let name = context.text(reference.name);
                let message = format!("`{name}` is a node type, where capability types are expected");
                let at = context.reference_span(*reference);
                context
                    .problem(&rules::NODE_TYPE_FOR_CAPABILITY, at, message)
                    .help("name the capability types that a relationship may target");
            }
        }
    }
}
