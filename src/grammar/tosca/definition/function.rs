//! Definitions of functions (2.0, 10.4).

use super::super::scalar::Metadata;
use super::super::section::FUNCTIONS;
use super::super::template::ServiceTemplate;
use super::{Implementation, SchemaDefinition};
use crate::Entity;
use crate::entity::{AnyId, Child, Children, Given, Id, Text};
use crate::phase::{Context, Explain};
use crate::rules;

/// A function that values can be computed with.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "function definition", spec = "10.4", after_inheritance = check)]
pub struct FunctionDefinition {
    /// The forms in which the function can be called; the first that fits is used.
    #[field(mandatory)]
    pub signatures: Children<Signature>,
    /// What the function computes.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    pub metadata: Metadata,
}

/// A form in which a function can be called.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "signature", spec = "10.4")]
pub struct Signature {
    /// What must be given, in order.
    pub arguments: Children<SchemaDefinition>,
    /// What may be given after that, in order.
    pub optional_arguments: Children<SchemaDefinition>,
    /// Whether the last argument may be repeated.
    #[field(default = "false")]
    pub variadic: Option<Given<bool>>,
    /// What the function gives back; anything if it is not given.
    pub result: Child<SchemaDefinition>,
    /// What computes it.
    pub implementation: Child<Implementation>,
}

fn check(function: &FunctionDefinition, context: &mut Context<'_>, id: AnyId) {
    let name = context.program.name(id);
    if super::super::data::FUNCTIONS.iter().any(|built_in| built_in.name == name) {
        let at = context.program.name_span(id);
        context
            .problem(&rules::RESERVED_NAME, at, format!("`{name}` is the name of a built-in function"))
            .help("give it another name");
    }
    let is_refinement =
        context.program.owners(id).next().is_some_and(|owner| owner.cast::<ServiceTemplate>().is_some());
    let header = context.header(id).map(|header| header.name);
    let refined = header.filter(|_| is_refinement).and_then(|name| context.resolve(id, FUNCTIONS, name).id());
    match refined.and_then(AnyId::cast::<FunctionDefinition>) {
        Some(refined) => check_refinement(function, context, refined),
        None if function.signatures.is_empty() && function.signatures_given() => {
            let at = context.program.keyname_span(id, "signatures");
            context
                .problem(&rules::NO_SIGNATURES, at, format!("function `{name}` has no signature"))
                .help("add at least one; `- {}` is a function without arguments that gives back anything");
        }
        None => {}
    }
}

impl FunctionDefinition {
    fn signatures_given(&self) -> bool {
        crate::entity::Field::is_set(&self.signatures)
    }
}

/// Within a service, only the implementation of a signature can be changed, and signatures added (2.0, 10.4).
fn check_refinement(function: &FunctionDefinition, context: &mut Context<'_>, refined: Id<FunctionDefinition>) {
    let Some(refined) = context.get(refined) else { return };
    for (own_id, refined_id) in function.signatures.items.iter().zip(&refined.signatures.items) {
        let Some(own) = context.get(*own_id) else { continue };
        let says_more = !own.arguments.is_empty()
            || !own.optional_arguments.is_empty()
            || own.variadic.is_some()
            || own.result.0.is_some();
        if says_more {
            let at = context.program.name_span(own_id.any());
            let refined = context.program.name_span(refined_id.any());
            context
                .problem(
                    &rules::CHANGED_SIGNATURE,
                    at,
                    "of a signature that is defined already, only the implementation can be changed",
                )
                .related(refined, "it is defined here")
                .help("leave everything but `implementation` out, or put new signatures after those that are defined");
        }
    }
}
