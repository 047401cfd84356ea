//! Interface definitions (2.0, 11.2).

use super::super::scalar::Metadata;
use super::super::section::INTERFACE_TYPES;
use super::super::types::InterfaceType;
use super::super::version::{V1_2, V1_3, V2_0};
use super::{NotificationDefinition, OperationDefinition, ParameterDefinition};
use crate::Entity;
use crate::diagnostic::suggest::nearest;
use crate::entity::{Id, Members, Reference, Text};
use crate::phase::{Context, Explain};
use crate::rules;

/// What can be called on nodes or relationships of a type.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "interface definition", spec = "11.2", after_inheritance = check)]
pub struct InterfaceDefinition {
    /// The interface type.
    #[field(definition, lookup(INTERFACE_TYPES), mandatory(inheritable), inherit = narrow)]
    pub r#type: Option<Reference<InterfaceType>>,
    /// What the interface is for.
    #[field(inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// Inputs that all operations have: refined ones of the type, and new ones.
    #[field(inherit = refine)]
    pub inputs: Members<ParameterDefinition>,
    /// Refinements of the operations that the interface type defines.
    #[field(
        keyname("operations", since = V1_3),
        keyname("*", until = V1_2, tolerated = V1_3),
        inherit = refine,
        closed(since = V2_0)
    )]
    pub operations: Members<OperationDefinition>,
    /// Refinements of the notifications that the interface type defines.
    #[field(since = V1_3, inherit = refine, closed(since = V2_0))]
    pub notifications: Members<NotificationDefinition>,
}

/// Before 2.0 a type may add operations to those of the interface type, but one that is almost called like one of these
/// is rather misspelt.
fn check(complete: &InterfaceDefinition, context: &mut Context<'_>, id: Id<InterfaceDefinition>) {
    let any = id.any();
    let Some(own) = context.program.raw_as(id) else { return };
    let Some(of_type) = context.target_of(complete.r#type).filter(|_| context.version(any) < V2_0) else { return };
    let Some(interface_type) = context.get(of_type) else { return };
    let known: Vec<&str> = interface_type.operations.iter().map(|(name, _)| context.text(name)).collect();
    for (name, id) in own.operations.iter().filter(|(name, _)| interface_type.operations.get(*name).is_none()) {
        let text = context.text(name);
        let Some(near) = nearest(text, known.iter().copied()) else { continue };
        // A prefix or suffix is a name of one's own: `pre_create`.
        if text.contains(near) || near.contains(text) {
            continue;
        }
        let message = format!("{} has no operation `{text}`", context.describe(of_type.any()));
        let (at, defined) = (context.program.name_span(id.any()), context.program.name_span(of_type.any()));
        context
            .problem(&rules::UNDECLARED_TOLERATED, at, message)
            .help(format!("did you mean `{near}`?"))
            .related(defined, "defined here");
    }
}
