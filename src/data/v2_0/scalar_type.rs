//! Checks of the definitions of scalar types: numbers with units (2.0, 9.1.2.2).

use crate::ard::Kind;
use crate::data::judge::Judge;
use crate::data::schema::Schema;
use crate::data::typed::kind::DataKind;
use crate::data::typed::scalar::{Factor, Factors, MAX_UNITS, ScalarTable, as_datum};
use crate::diagnostic::{Help, Span};
use crate::entity::{AnyId, Id, NodeRef, Text};
use crate::grammar::types::DataType;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;
use crate::value::parse_number;
use bigdecimal::One;

/// The type of the number of a scalar, if the scalar type does not name one.
const DEFAULT_NUMBER: &str = "float";

/// Checks the definition of a scalar type.
pub(crate) fn check_scalar_type(data_type: &DataType, judge: &mut Judge<'_, '_>, id: Id<DataType>) {
    let any = id.any();
    let context = &mut *judge.context;
    let table = ScalarTable::of(context, data_type);
    if table.is_full() {
        report_size(context, data_type, any, &table);
        return;
    }
    check_derivation(context, id);
    let number_type = context.target_of(data_type.data_type);
    let kind = number_type.map(|number_type| DataKind::of(context, number_type));
    if let Some(reference) =
        data_type.data_type.filter(|_| !matches!(kind, None | Some(DataKind::Integer | DataKind::Float)))
    {
        let message = format!("the numbers of a scalar can't be of type `{}`", context.text(reference.name));
        let span = context.reference_span(reference);
        context
            .problem(&rules::SCALAR_NUMBER_TYPE, span, message)
            .help("`data_type` must be `integer`, `float` or a type that is derived from one of them");
        return;
    }
    if table.units.is_empty() {
        let node = context.header(any).and_then(|header| context.node(NodeRef { unit: any.unit, node: header.node }));
        let given = node.and_then(|node| node.find("units"));
        if given.is_some_and(|units| units.value.kind() != Kind::Map) {
            // The problem has been reported.
            return;
        }
        let message = format!("scalar type `{}` has no units", context.program.name(any));
        let span = context.program.name_span(any);
        context
            .problem(&rules::SCALAR_WITHOUT_UNITS, span, message)
            .help("add `units: { … }` with at least one unit with the multiplier 1");
        return;
    }
    let span_of = |context: &Context<'_>, keyname: &str| context.program.keyname_span(any, keyname);
    for factor in table.units.iter().chain(table.prefixes.iter()) {
        check_multiplier(judge, any, &factor, number_type);
    }
    let context = &mut *judge.context;
    for unit in table.units.iter().filter(|unit| unit.key.document().source() == any.unit) {
        let at = Some(unit.key.span());
        if unit.name.is_empty() {
            context.problem(&rules::INVALID_UNIT, at, "the name of a unit must not be empty").help("write a name");
        } else if unit.name.contains(char::is_whitespace) {
            let message = format!("`{}` can't be a unit: it contains spaces", unit.name);
            let help = format!("write `{}`, for example", unit.name.split_whitespace().collect::<Vec<_>>().join("_"));
            context.problem(&rules::INVALID_UNIT, at, message).help(help);
        }
    }
    let ones: Vec<&str> = table.units.iter().filter(is_one).map(|unit| unit.name).collect();
    if !table.prefixes.is_empty() && table.units.iter().nth(1).is_some() {
        let span = span_of(context, "prefixes");
        context
            .problem(&rules::PREFIXES_WITH_UNITS, span, "prefixes can only be used with exactly one unit")
            .help("list every combination of prefix and unit under `units`, or split the type");
    }
    if ones.is_empty() && table.units.iter().all(|unit| unit.multiplier().is_some()) {
        let span = span_of(context, "units");
        context
            .problem(&rules::NO_UNIT_OF_ONE, span, "no unit has the multiplier 1")
            .help("add the unit that the others are multiples of, with the multiplier 1");
    }
    check_canonical_unit(data_type, context, any, &table, &ones);
}

/// Reports that a type has too many units or prefixes, unless its parent has.
fn report_size(context: &mut Context<'_>, data_type: &DataType, id: AnyId, table: &ScalarTable<'_>) {
    let parent = context.target_of(data_type.derived_from).and_then(|id| context.get(id));
    if parent.is_some_and(|parent| ScalarTable::of(context, parent).is_full()) {
        return;
    }
    let keyname = if table.units.is_full() { "units" } else { "prefixes" };
    let name = context.program.name(id);
    let message = format!("`{name}` has {MAX_UNITS} {keyname} or more; those after the first {MAX_UNITS} are ignored");
    let span = context.program.keyname_span(id, keyname);
    context.problem(&rules::TOO_MANY_UNITS, span, message).help("split the type into several");
}

/// Checks that a derived type adds units and prefixes and changes nothing else (2.0, 9.1.2.2). Inheritance ensures this
/// for keynames that the parent has; this function checks the keynames that the parent leaves at their defaults.
fn check_derivation(context: &mut Context<'_>, id: Id<DataType>) {
    let Some(own) = context.program.raw_as(id) else { return };
    let Some((parent_id, parent)) = context.target_of(own.derived_from).and_then(|id| Some((id, context.get(id)?)))
    else {
        return;
    };
    // A type that is derived directly from `scalar` has nothing to inherit.
    if context.program.lineage(parent_id.any()).is_none_or(|lineage| lineage.parents().is_empty()) {
        return;
    }
    let name = context.program.name(parent_id.any());
    let mut changed: Vec<(Option<Span>, String, Option<Span>)> = Vec::new();
    if let (Some(number), None) = (own.data_type, parent.data_type)
        && context.text(number.name) != DEFAULT_NUMBER
    {
        let message =
            format!("the numbers of scalar type `{name}` are of type `{DEFAULT_NUMBER}`, which can't be changed");
        changed.push((context.reference_span(number), message, context.program.name_span(parent_id.any())));
    }
    let inherited = ScalarTable::of(context, parent);
    if let (Some(Text(canonical)), None) = (own.canonical_unit, parent.canonical_unit) {
        let message = format!("`canonical_unit` can't be added to scalar type `{name}`");
        changed.push((context.span(canonical), message, context.program.name_span(parent_id.any())));
    }
    for (own, inherited) in [(&own.units, &inherited.units), (&own.prefixes, &inherited.prefixes)] {
        for factor in Factors::of(context, own).iter() {
            if let Some(base) = inherited.get(factor.name).filter(|base| base.multiplier() != factor.multiplier()) {
                let message = format!("the multiplier of `{}` is inherited and can't be changed", factor.name);
                changed.push((Some(factor.node.span()), message, Some(base.node.span())));
            }
        }
    }
    for (at, message, related) in changed {
        context
            .problem(&rules::CHANGED_FIXED, at, message)
            .related(related, "fixed here")
            .help("remove the change, or derive the type from a different one");
    }
}

fn is_one(factor: &Factor<'_>) -> bool {
    factor.multiplier().is_some_and(|multiplier| multiplier.is_one())
}

fn check_multiplier(judge: &mut Judge<'_, '_>, id: AnyId, factor: &Factor<'_>, number_type: Option<Id<DataType>>) {
    let context = &mut *judge.context;
    // Inherited units have been checked at their definition.
    if factor.node.document().source() != id.unit {
        return;
    }
    let Some(multiplier) = factor.multiplier() else {
        let message = format!("the multiplier of `{}` must be a number", factor.name);
        let problem = context.problem(&rules::INVALID_MULTIPLIER, Some(factor.node.span()), message);
        if factor.node.kind() == Kind::String && parse_number(factor.node.text()).is_some() {
            problem.help(Help::unquote());
        }
        return;
    };
    let Some(number_type) = number_type else { return };
    let kind = DataKind::of(context, number_type);
    if kind == DataKind::Integer && !multiplier.is_integer() {
        let message =
            format!("the multiplier of `{}` must be an integer, because `data_type` is an integer type", factor.name);
        context
            .problem(&rules::INVALID_MULTIPLIER, Some(factor.node.span()), message)
            .help("write `data_type: float`, or give the smallest unit the multiplier 1");
        return;
    }
    judge.validate(factor.node, &as_datum(&multiplier, kind), &Schema::of_type(Some(number_type)));
}

fn check_canonical_unit(
    data_type: &DataType,
    context: &mut Context<'_>,
    id: AnyId,
    table: &ScalarTable<'_>,
    ones: &[&str],
) {
    let Some(canonical) = data_type.canonical_unit else {
        if ones.len() > 1 {
            let message = format!(
                "{} have the multiplier 1, so `canonical_unit` must name one of them",
                crate::diagnostic::suggest::and_list(ones)
            );
            let span = context.program.keyname_span(id, "units");
            context
                .problem(&rules::NO_CANONICAL_UNIT, span, message)
                .help(format!("add `canonical_unit: {}`", ones[0]));
        }
        return;
    };
    let NodeRef { unit, .. } = canonical.0;
    let Some(node) = context.node(canonical.0).filter(|_| unit == id.unit) else { return };
    let names = table.names();
    // The unit without a prefix is sufficient, even if values need a prefix because none of the prefixes is empty.
    if table.units.get(node.text()).is_some_and(|unit| is_one(&unit)) {
        return;
    }
    match table.multiplier(node.text()) {
        Some(multiplier) if !table.prefixes.is_empty() => {
            let message = format!("the canonical unit `{}` has a prefix and the multiplier {multiplier}", node.text());
            let unit = table.units.iter().next().map_or("", |unit| unit.name);
            context
                .problem(&rules::PREFIXED_CANONICAL_UNIT, Some(node.span()), message)
                .help(format!("remove `canonical_unit`, or name the unit without a prefix, `{unit}`"));
        }
        None => {
            let message = format!("`{}` is not a unit of the type", node.text());
            let names = names.iter().map(String::as_str);
            let help = context.did_you_mean(node.text(), names, "the units are");
            context.problem(&rules::INVALID_CANONICAL_UNIT, Some(node.span()), message).help_if(help);
        }
        Some(multiplier) if !multiplier.is_one() => {
            let message = format!(
                "the multiplier of the canonical unit must be 1, but that of `{}` is {multiplier}",
                node.text()
            );
            let help = match ones {
                [] => "give the unit the multiplier 1, and adjust the other units".to_owned(),
                [one, ..] => format!("name `{one}`, which has the multiplier 1, or adjust the multipliers"),
            };
            context.problem(&rules::INVALID_CANONICAL_UNIT, Some(node.span()), message).help(help);
        }
        Some(_) => {}
    }
}
