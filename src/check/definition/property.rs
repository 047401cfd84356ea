//! Property definitions (2.0, 9.3).

use super::schema::check_schema;
use super::used::{check_between, check_used, report_fixed};
use crate::ard::Kind;
use crate::data::{Judge, Schema, Typed, ValueContext};
use crate::entity::{AnyId, Checked, Checks, Entity as _, Id, NodeRef, Quirk, Value};
use crate::grammar::definition::{CapabilityDefinition, PropertyDefinition};
use crate::grammar::quirk;
use crate::grammar::template::{GroupDefinition, RequirementAssignment};
use crate::grammar::version::V2_0;
use crate::phase::rendering::Assignment;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for PropertyDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(check).judge(judge);
}

fn check(property: &PropertyDefinition, context: &mut Context<'_>, id: Id<PropertyDefinition>) {
    let any = id.any();
    let Some(own) = context.program.raw_as(id) else { return };
    let Some(complete) = context.get(id) else { return };
    let schema = complete.schema(context, id);
    check_schema(context, any, &schema, &own.validation);
    if context.version(any) >= V2_0 {
        check_default(context, any, own.default, property.is_required());
        if property.r#type.is_some() {
            check_fixed(context, any, own.value, property.value);
        }
    } else {
        check_bare(own, property, context, any);
    }
    let mut judge = Judge::new(context, ValueContext::of(any));
    for Value(value) in own.default.iter().chain(&own.value) {
        judge.check_at(*value, &schema);
    }
    if own.default.is_none() && own.value.is_none() {
        check_inherited(own, complete, context, id);
    }
}

/// Checks that an inherited value satisfies the refinements too.
fn check_inherited<'a>(
    own: &PropertyDefinition,
    complete: &'a PropertyDefinition,
    context: &mut Context<'a>,
    id: Id<PropertyDefinition>,
) {
    let adds = !own.validation.is_empty() || own.r#type.is_some();
    let Some(Value(value)) = complete.given_value().filter(|_| adds) else { return };
    let Some(node) = context.node(value) else { return };
    let schema = complete.schema(context, id);
    // A type that is unrelated to the inherited one has been reported.
    let of_type = own.r#type.and_then(|of_type| context.reference_span(of_type));
    if of_type.is_some_and(|of_type| context.program.reports(&rules::NOT_NARROWER, of_type)) {
        return;
    }
    let mut judge = Judge::new(context, ValueContext::of(id.any()));
    // A value that is invalid in any case has been reported where it is written.
    let without = Schema { validation: None, ..schema };
    if judge.is_fit(node, &schema) || own.r#type.is_none() && !judge.is_fit(node, &without) {
        return;
    }
    let what = if complete.value.is_some() { "value" } else { "default" };
    let name = context.program.name(id.any());
    let message = format!("the inherited {what} of property `{name}` is no longer valid");
    let at = context.program.name_span(id.any());
    context
        .problem(&rules::VALIDATION_FAILED, at, message)
        .related(Some(node.span()), "inherited value")
        .help(format!("give the property a different {what}, or relax its validation"));
}

/// Reports a bare value in place of a refinement. Before 2.0 there is no short form, but examples in the standard use
/// one.
fn check_bare(own: &PropertyDefinition, complete: &PropertyDefinition, context: &mut Context<'_>, any: AnyId) {
    let Some(Value(value)) = own.default else { return };
    // Without a type, there is nothing to refine, which is reported separately.
    if complete.r#type.is_none() || context.header(any).is_none_or(|header| header.node != value.node) {
        return;
    }
    let message = format!("{} has only a value instead of a definition", context.describe(any));
    let at = context.span(value);
    context.problem(&rules::VALUE_FOR_DEFINITION, at, message).help("write `{ default: … }`");
}

/// Reports the default of a property that is not required. The property stays undefined, so the default has no effect
/// (2.0, 9.3; decision A 5).
pub(super) fn check_default(context: &mut Context<'_>, id: AnyId, default: Option<Value>, is_required: bool) {
    if default.is_some() && !is_required {
        let what = context.mention(id);
        let at = context.program.keyname_span(id, "default");
        context
            .problem(&rules::DEFAULT_NOT_REQUIRED, at, format!("{what} has a default but is not required"))
            .help("a property that is not required stays undefined; remove `default` or `required: false`");
    }
}

/// Checks that a property with a fixed value is not refined further (2.0, 9.3).
pub(super) fn check_fixed(context: &mut Context<'_>, id: AnyId, own: Option<Value>, complete: Option<Value>) {
    let Some(Value(fixed)) = complete.filter(|_| own.is_none()) else { return };
    let keynames = ["required", "default", "validation", "key_schema", "entry_schema"];
    let Some(keyname) = keynames.into_iter().find(|keyname| context.program.gives(id, keyname)) else { return };
    let what = context.mention(id);
    let at = context.program.keyname_span(id, keyname);
    let fixed = context.span(fixed);
    context
        .problem(&rules::CHANGED_FIXED, at, format!("{what} has a fixed value, so it can't be refined"))
        .related(fixed, "fixed here")
        .help("remove the refinement");
}

/// Checks a value that is assigned to the property, or its absence (2.0, 9.4).
fn judge(
    property: &PropertyDefinition,
    context: &mut Context<'_>,
    id: Id<PropertyDefinition>,
    assignment: &Assignment,
) {
    let any = id.any();
    let name = context.program.name(any);
    match (assignment.value, property.value) {
        // A value without a type refines nothing, which has been reported.
        (Some(_), Some(_)) if property.r#type.is_none() => {}
        (Some(_), Some(Value(fixed))) if !assignment.is_reflected => {
            let at = assignment.key.and_then(|key| context.span(key));
            report_fixed(context, &format!("property `{name}`"), at, fixed);
        }
        (Some(value), _) => {
            let Some(complete) = context.get(id) else { return };
            let schema = complete.schema(context, id);
            Judge::new(context, ValueContext::of(assignment.owner)).check_at(value, &schema);
            check_between(context, Value(value), &schema, assignment);
        }
        (None, _) if assignment.is_checked && property.needs_value() => {
            let quirk = quirk_of_missing(context, name, assignment);
            if quirk.is_some_and(|quirk| context.program.quirks.has(quirk)) {
                return;
            }
            let owner = context.describe(assignment.owner);
            let message = format!("{owner} needs a value for property `{name}`{}", of_capability(context, assignment));
            let at = context.program.name_span(assignment.owner);
            let defined = context.program.name_span(any);
            let help = how_to_give(context, name, assignment);
            context
                .problem(&rules::MISSING_VALUE, at, message)
                .related(defined, "required here, without a default")
                .help(help)
                .help_if(quirk.map(Quirk::help));
        }
        (None, _) => {
            check_used(context, id, property.given_value(), assignment);
        }
    }
}

/// Returns the quirk that accepts a property without a value.
fn quirk_of_missing(context: &Context<'_>, name: &str, assignment: &Assignment) -> Option<Quirk> {
    let is_of_capability = assignment.definition.is_some_and(|id| id.kind == CapabilityDefinition::KIND);
    let is_of_group = assignment.owner.kind == GroupDefinition::KIND;
    if context.version(assignment.owner) >= V2_0 {
        None
    } else if is_of_capability {
        Some(quirk::UNASSIGNED_CAPABILITIES)
    } else {
        (is_of_group && name == "description").then_some(quirk::GROUP_DESCRIPTIONS)
    }
}

/// Returns help on how to assign a missing property in the template or assignment that lacks it.
fn how_to_give(context: &Context<'_>, name: &str, assignment: &Assignment) -> String {
    let owner = assignment.owner;
    if let Some(capability) = capability(assignment).filter(|_| owner == assignment.template) {
        let capability = context.program.name(capability.any());
        return format!("add `capabilities: {{ {capability}: {{ properties: {{ {name}: … }} }} }}`");
    }
    if owner.kind != RequirementAssignment::KIND {
        return format!("add `{name}: …` under `properties`");
    }
    let value = context.header(owner).map(|header| NodeRef { unit: owner.unit, node: header.node });
    match value.and_then(|value| context.node(value)) {
        Some(target) if target.kind() == Kind::String => format!(
            "write `{}: {{ node: {}, relationship: {{ properties: {{ {name}: … }} }} }}`",
            context.program.name(owner),
            target.text()
        ),
        _ => format!("add `relationship: {{ properties: {{ {name}: … }} }}` to the requirement"),
    }
}

/// Returns a phrase with the capability that a missing property belongs to, if the template does not mention the
/// capability.
fn of_capability(context: &Context<'_>, assignment: &Assignment) -> String {
    let is_mentioned = assignment.owner != assignment.template;
    capability(assignment)
        .filter(|_| !is_mentioned)
        .map_or_else(String::new, |id| format!(" of capability `{}`", context.program.name(id.any())))
}

fn capability(assignment: &Assignment) -> Option<Id<CapabilityDefinition>> {
    assignment.definition.and_then(AnyId::cast::<CapabilityDefinition>)
}
