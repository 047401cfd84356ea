//! Schema definitions (2.0, 9.3).

use crate::data::{
    DataKind, Judge, Schema, Typed, ValueContext, check_condition, check_constraints, check_of_clause, remember_clause,
};
use crate::entity::{AnyId, Checked, Checks, Clauses, Id};
use crate::grammar::definition::SchemaDefinition;
use crate::grammar::version::V2_0;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for SchemaDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(check);
}

fn check(_: &SchemaDefinition, context: &mut Context<'_>, id: Id<SchemaDefinition>) {
    let any = id.any();
    let (Some(own), Some(complete)) = (context.program.raw_as(id), context.get(id)) else { return };
    check_type(complete, context, any);
    let schema = complete.schema(context, id);
    let clauses = if own.constraints.is_empty() { &own.validation } else { &own.constraints };
    check_schema(context, any, &schema, clauses);
}

/// Checks that a schema has a type (2.0, 9.3). A schema within a type can inherit it, so the check waits for
/// inheritance.
fn check_type(complete: &SchemaDefinition, context: &mut Context<'_>, id: AnyId) {
    let program = context.program;
    if complete.r#type.is_some()
        || context.version(id) < V2_0
        || !program.was_read(id)
        || !program.unit(id.unit).is_some_and(|unit| unit.document.is_complete())
        || program.owners(id).any(|owner| program.lineage(owner).is_some())
    {
        return;
    }
    let what = context.describe(id);
    let at = program.name_span(id);
    context
        .problem(&rules::MISSING_KEYNAME, at, format!("{what} lacks the mandatory keyname `type`"))
        .help("add `type: …`");
}

/// Checks the common parts of value definitions: that schemas of keys and entries are allowed, and that the conditions
/// on values can be evaluated.
pub(crate) fn check_schema<'a>(context: &mut Context<'a>, id: AnyId, schema: &Schema<'a>, own_clauses: &'a Clauses) {
    check_clauses(context, id, schema, own_clauses);
    let Some(data_type) = schema.data_type else { return };
    let kind = DataKind::of(context, data_type);
    let name = context.program.name(data_type.any());
    let version = context.version(id);
    if kind == DataKind::Scalar
        && context.program.lineage(data_type.any()).is_some_and(|lineage| lineage.parents().is_empty())
    {
        let at = context.program.keyname_span(id, "type");
        context
            .problem(&rules::ABSTRACT_SCALAR, at, format!("`{name}` is abstract: it has no units"))
            .help("use a type that is derived from `scalar`");
    }
    let is_collection = matches!(kind, DataKind::List | DataKind::Map);
    let span_of = |context: &Context<'_>, keyname: &str| context.program.keyname_span(id, keyname);
    if !is_collection && schema.entry_schema.is_some() {
        let at = span_of(context, "entry_schema");
        let message = format!("`entry_schema` is for lists and maps, but `{name}` is neither");
        context
            .problem(&rules::MISPLACED_KEYNAME, at, message)
            .help("remove `entry_schema`, or make the type `list` or `map`");
    }
    if kind != DataKind::Map && schema.key_schema.is_some() {
        let at = span_of(context, "key_schema");
        context
            .problem(&rules::MISPLACED_KEYNAME, at, format!("`key_schema` is for maps, but `{name}` is not one"))
            .help("remove `key_schema`, or make the type `map`");
    }
    let is_unversioned = || schema.entries(context).is_none() && !context.program.gives(id, "entry_schema");
    if is_collection && version >= V2_0 && is_unversioned() {
        // Decision A 14.
        let at = span_of(context, "type");
        let message = format!("a `{name}` needs an `entry_schema`");
        context.problem(&rules::MISSING_ENTRY_SCHEMA, at, message).help("add `entry_schema: string`, for example");
    }
    check_keys(context, schema);
}

/// Checks that the keys of a map are strings (decision A 47).
pub(crate) fn check_keys(context: &mut Context<'_>, schema: &Schema<'_>) {
    let Some(keys) = schema.key_schema else { return };
    let Some(data_type) = context.get(keys).and_then(|keys| context.target_of(keys.r#type)) else { return };
    // Up to 1.3, keys are strings by default.
    if DataKind::of(context, data_type) != DataKind::String && context.version(keys.any()) >= V2_0 {
        let name = context.program.name(data_type.any());
        let at = context.program.keyname_span(keys.any(), "type");
        context
            .problem(
                &rules::KEYS_NOT_STRINGS,
                at,
                format!("the keys of a map must be strings, but `{name}` is not derived from `string`"),
            )
            .help("use `string` or a type that is derived from it");
    }
}

/// Checks the clauses that values must fulfill.
pub(crate) fn check_clauses<'a>(context: &mut Context<'a>, id: AnyId, schema: &Schema<'a>, clauses: &'a Clauses) {
    for clause in clauses.iter() {
        let Some(node) = context.node(clause.0) else { continue };
        let version = context.version(id);
        let check = check_of_clause(context, schema, clause.0, version);
        if check.is_some_and(|check| context.has_passed(&check)) {
            continue;
        }
        let before = context.problems();
        if version >= V2_0 {
            let mut judge = Judge::new(context, ValueContext::of_clause(id, *schema));
            check_condition(&mut judge, node);
        } else {
            check_constraints(&mut Judge::new(context, ValueContext::of(id)), node, schema);
        }
        if let Some(check) = check.filter(|_| context.problems() == before) {
            remember_clause(context, check, clause.0);
        }
    }
}
