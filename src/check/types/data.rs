//! Data types (2.0, 9.2), including scalar types (2.0, 9.1.2.2).

use crate::ard::Kind;
use crate::check::definition::schema::{check_clauses, check_keys};
use crate::data::{DataKind, Judge, Schema, ValueContext, check_scalar_type};
use crate::entity::{AnyId, Checked, Checks, Id, Precedence};
use crate::grammar::types::DataType;
use crate::grammar::version::V2_0;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for DataType {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(check);
}

fn check(_: &DataType, context: &mut Context<'_>, id: Id<DataType>) {
    let any = id.any();
    let (Some(own), Some(complete)) = (context.program.raw_as(id), context.get(id)) else { return };
    let is_built_in = context.program.unit(any.unit).is_some_and(|unit| unit.implicit == Some(Precedence::Reserved));
    // Types that are derived from themselves, or from an unknown type, have been reported.
    if is_built_in || !context.program.is_known(any) {
        return;
    }
    let schema = Schema::of_type(Some(id));
    check_clauses(context, any, &schema, &own.validation);
    let kind = DataKind::of(context, id);
    check_shape(own, complete, context, any, kind);
    check_keys(context, &Schema { key_schema: own.key_schema, ..schema });
    for (keyname, clauses) in [("units", &own.units), ("prefixes", &own.prefixes)] {
        for clause in clauses.iter() {
            if let Some(node) = context.node(clause.0).filter(|node| node.kind() != Kind::Map) {
                let message = format!("`{keyname}` must be a map of names to numbers");
                context.problem(&rules::WRONG_KIND, Some(node.span()), message);
            }
        }
    }
    if kind == DataKind::Scalar {
        check_scalar_type(complete, &mut Judge::new(context, ValueContext::of(any)), id);
    }
}

/// Checks that the keynames of a type suit its built-in root type.
fn check_shape(own: &DataType, complete: &DataType, context: &mut Context<'_>, id: AnyId, kind: DataKind) {
    let name = context.program.name(id);
    let is_collection = matches!(kind, DataKind::List | DataKind::Map);
    let mut misplaced = |keyname: &str, is_given: bool, belongs_to: &str| {
        if is_given {
            let at = context.program.keyname_span(id, keyname);
            let message = format!("`{keyname}` is only for data types that are derived from {belongs_to}");
            context
                .problem(&rules::MISPLACED_KEYNAME, at, message)
                .help(format!("remove `{keyname}`, or derive the type from {belongs_to}"));
        }
    };
    let is_scalar = kind == DataKind::Scalar;
    misplaced("entry_schema", own.entry_schema.is_some() && !is_collection, "`list` or `map`");
    misplaced("key_schema", own.key_schema.is_some() && kind != DataKind::Map, "`map`");
    misplaced("data_type", own.data_type.is_some() && !is_scalar, "`scalar`");
    misplaced("units", !own.units.is_empty() && !is_scalar, "`scalar`");
    misplaced("canonical_unit", own.canonical_unit.is_some() && !is_scalar, "`scalar`");
    misplaced("prefixes", !own.prefixes.is_empty() && !is_scalar, "`scalar`");
    if kind != DataKind::Complex && !own.properties.is_empty() {
        let at = context.program.keyname_span(id, "properties");
        let message = format!("data type `{name}` is derived from a built-in type, so it can't have properties");
        context.problem(&rules::PROPERTIES_ON_BUILT_IN, at, message).help("remove `derived_from` or `properties`");
    }
    if context.version(id) < V2_0 {
        return;
    }
    // The missing part may exist but be unreadable.
    if !context.is_complete(id) {
        return;
    }
    let is_empty = own.derived_from.is_none() && own.properties.is_empty();
    if kind == DataKind::Complex && is_empty {
        let at = context.program.name_span(id);
        context
            .problem(&rules::EMPTY_DATA_TYPE, at, format!("data type `{name}` has neither a parent nor properties"))
            .help("add `derived_from: …`, or at least one property");
    }
    if is_collection && complete.entry_schema.is_none() {
        let at = context.program.name_span(id);
        context
            .problem(&rules::COLLECTION_WITHOUT_ENTRIES, at, format!("data type `{name}` does not define its entries"))
            .help("add `entry_schema: string`, for example");
    }
}
