//! Scalar types: numbers with units (2.0, 9.1.2.2).

use super::super::types::DataType;
use super::judge::Judge;
use super::{DataKind, Datum, Place, Schema};
use crate::ard::{Kind, Node};
use crate::diagnostic::Span;
use crate::entity::{AnyId, Clauses, Id, Position, Text};
use crate::phase::{Context, Explain};
use crate::rules;
use crate::value::{Number, parse_number};
use bigdecimal::One;

/// The type of the number of a scalar, if the scalar type does not name one.
const DEFAULT_NUMBER: &str = "float";

/// The units of a scalar type.
#[derive(Clone, Debug, Default)]
pub struct ScalarTable<'a> {
    /// The units and their multipliers, own ones first.
    pub units: Vec<Factor<'a>>,
    /// What can be put before the unit, and the multipliers.
    pub prefixes: Vec<Factor<'a>>,
}

/// A unit or prefix.
#[derive(Clone, Debug)]
pub struct Factor<'a> {
    /// The text.
    pub name: &'a str,
    /// What a number is multiplied by; nothing if that is not a number.
    pub multiplier: Option<Number>,
    /// Where the text stands.
    pub key: Node<'a>,
    /// Where the multiplier stands.
    pub node: Node<'a>,
}

impl<'a> ScalarTable<'a> {
    /// The units of a type.
    pub fn of(context: &Context<'a>, data_type: &DataType) -> Self {
        Self { units: factors(context, &data_type.units), prefixes: factors(context, &data_type.prefixes) }
    }

    /// What a number with a unit is multiplied by to get to the canonical unit; nothing if there is no such unit.
    pub fn multiplier(&self, unit: &str) -> Option<Number> {
        if self.prefixes.is_empty() {
            return self.units.iter().find(|known| known.name == unit)?.multiplier.clone();
        }
        self.units.iter().find_map(|known| {
            let prefix = unit.strip_suffix(known.name)?;
            let prefix = self.prefixes.iter().find(|known| known.name == prefix)?;
            Some(prefix.multiplier.clone()? * known.multiplier.clone()?)
        })
    }

    /// All units, with their prefixes.
    pub fn names(&self) -> Vec<String> {
        if self.prefixes.is_empty() {
            return self.units.iter().map(|unit| unit.name.to_owned()).collect();
        }
        let with_prefixes = |unit: &Factor<'_>| {
            self.prefixes.iter().map(|prefix| format!("{}{}", prefix.name, unit.name)).collect::<Vec<_>>()
        };
        self.units.iter().flat_map(with_prefixes).collect()
    }
}

fn factors<'a>(context: &Context<'a>, clauses: &Clauses) -> Vec<Factor<'a>> {
    let mut factors: Vec<Factor<'a>> = Vec::new();
    for map in clauses.items.iter().filter_map(|value| context.node(value.0)) {
        for entry in map.entries() {
            if !factors.iter().any(|known| known.name == entry.key.text()) {
                let is_number = matches!(entry.value.kind(), Kind::Integer | Kind::Float);
                let multiplier = is_number.then(|| parse_number(entry.value.text())).flatten();
                factors.push(Factor { name: entry.key.text(), multiplier, key: entry.key, node: entry.value });
            }
        }
    }
    factors
}

/// Reads a scalar, reporting what is wrong with it.
pub(super) fn read(judge: &mut Judge<'_, '_>, node: Node<'_>, data_type: Id<DataType>) -> Datum {
    let Some(definition) = judge.context.get(data_type) else { return Datum::Unknown };
    let type_name = judge.context.program.name(data_type.any());
    if node.kind() != Kind::String {
        judge.wrong_type(node, data_type, DataKind::Scalar);
        return Datum::Unknown;
    }
    let table = ScalarTable::of(judge.context, definition);
    let text = node.text().trim();
    let Some((number, unit)) = text.split_once(char::is_whitespace).map(|(number, unit)| (number, unit.trim())) else {
        let message = format!("`{text}` is not a number and a unit of type `{type_name}` with a blank between");
        let units = table.names();
        judge.problem(&rules::MALFORMED_VALUE, node, message).help(example(&units));
        return Datum::Unknown;
    };
    let Some(number) = parse_number(number) else {
        let message = format!("`{number}` is not a number");
        judge.problem(&rules::MALFORMED_VALUE, node, message).help(example(&table.names()));
        return Datum::Unknown;
    };
    let Some(multiplier) = table.multiplier(unit) else {
        // A type without sound units has been reported.
        if !table.units.is_empty() {
            let units = table.names();
            let message = format!("`{unit}` is not a unit of type `{type_name}`");
            let help = match judge.context.suggestions().nearest(unit, &units) {
                Some(near) => format!("did you mean `{near}`?"),
                None => example(&units),
            };
            judge.problem(&rules::UNKNOWN_UNIT, node, message).help(help);
        }
        return Datum::Unknown;
    };
    check_number(judge, node, &number, definition, type_name);
    if !fits(judge, &number, definition) {
        let message = format!("the number of `{text}` does not fit into 64 bits");
        judge.problem(&rules::INTEGER_OVERFLOW, node, message).help("write a smaller number, with a larger unit");
        return Datum::Unknown;
    }
    Datum::Scalar { data_type, number: number * multiplier, text: text.to_owned() }
}

/// A number in the canonical unit of a type, as it would be written.
pub(super) fn canonical(context: &Context<'_>, data_type: Id<DataType>, number: &Number) -> String {
    let table = context.get(data_type).map(|definition| ScalarTable::of(context, definition)).unwrap_or_default();
    let is_one = |unit: &String| table.multiplier(unit).is_some_and(|multiplier| multiplier.is_one());
    let unit = table.names().into_iter().find(is_one).unwrap_or_default();
    format!("{} {unit}", number.normalized().to_plain_string())
}

fn example(units: &[String]) -> String {
    let listed: Vec<&str> = units.iter().take(12).map(String::as_str).collect();
    match listed[..] {
        [] => "write a number, a blank and a unit".to_owned(),
        [only] => format!("write a number, a blank and the unit `{only}`"),
        _ => format!("write a number, a blank and one of the units {}", crate::diagnostic::suggest::or_list(&listed)),
    }
}

/// The number itself must be one of the type that the scalar type names for it.
fn check_number(judge: &mut Judge<'_, '_>, node: Node<'_>, number: &Number, definition: &DataType, type_name: &str) {
    let Some(number_type) = judge.context.target_of(definition.data_type) else { return };
    if DataKind::of(judge.context, number_type) == DataKind::Integer && !number.is_integer() {
        let message = format!("the number of a `{type_name}` must be an integer");
        judge.problem(&rules::WRONG_TYPE, node, message).help("write a whole number, with a smaller unit if need be");
        return;
    }
    let datum = as_datum(number, DataKind::of(judge.context, number_type));
    judge.validate(node, &datum, &Schema::of_type(Some(number_type)));
}

/// Whether a number as it is written is one that the type of the numbers of a scalar type has room for: it has 64 bits.
/// What it is in the canonical unit is computed exactly, and may be larger.
fn fits(judge: &Judge<'_, '_>, number: &Number, definition: &DataType) -> bool {
    use bigdecimal::ToPrimitive;
    let number_type = judge.context.target_of(definition.data_type);
    match number_type.map(|number_type| DataKind::of(judge.context, number_type)) {
        // That a number must be whole is another matter.
        Some(DataKind::Integer) => !number.is_integer() || number.to_i64().is_some(),
        _ => number.to_f64().is_some_and(f64::is_finite),
    }
}

/// A number as a value of a kind of numbers.
fn as_datum(number: &Number, kind: DataKind) -> Datum {
    use bigdecimal::ToPrimitive;
    match kind {
        DataKind::Integer => number.to_i64().map_or(Datum::Unknown, Datum::Integer),
        _ => number.to_f64().map_or(Datum::Unknown, Datum::Float),
    }
}

/// Checks the tables of a scalar type.
pub(crate) fn check_scalar_type(data_type: &DataType, context: &mut Context<'_>, id: Id<DataType>) {
    let any = id.any();
    check_derivation(context, id);
    let table = ScalarTable::of(context, data_type);
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
        let node = context.header(any).and_then(|header| context.node(Position { unit: any.unit, node: header.node }));
        let given = node.and_then(|node| node.find("units"));
        if given.is_some_and(|units| units.value.kind() != Kind::Map) {
            // That has been reported.
            return;
        }
        let message = format!("scalar type `{}` has no units", context.program.name(any));
        let span = context.program.name_span(any);
        context
            .problem(&rules::SCALAR_WITHOUT_UNITS, span, message)
            .help("add `units: { … }` with at least one unit that has the multiplier 1");
        return;
    }
    let span_of = |context: &Context<'_>, keyname: &str| context.program.keyname_span(any, keyname);
    for factor in table.units.iter().chain(&table.prefixes) {
        check_multiplier(context, any, factor, number_type);
    }
    for unit in table.units.iter().filter(|unit| unit.key.document().source() == any.unit) {
        let at = Some(unit.key.span());
        if unit.name.is_empty() {
            context.problem(&rules::INVALID_UNIT, at, "the name of a unit must not be empty").help("give it a name");
        } else if unit.name.contains(char::is_whitespace) {
            let message = format!("`{}` can't be a unit, since it has blanks in it", unit.name);
            let help = format!("write for example `{}`", unit.name.split_whitespace().collect::<Vec<_>>().join("_"));
            context.problem(&rules::INVALID_UNIT, at, message).help(help);
        }
    }
    let ones: Vec<&str> = table.units.iter().filter(|unit| is_one(unit)).map(|unit| unit.name).collect();
    if !table.prefixes.is_empty() {
        if table.units.len() > 1 {
            let span = span_of(context, "prefixes");
            context
                .problem(&rules::PREFIXES_WITH_UNITS, span, "prefixes can only be used with exactly one unit")
                .help("list every unit with its prefixes under `units`, or split the type");
        }
        if !table.prefixes.iter().any(is_one) {
            let span = span_of(context, "prefixes");
            context
                .problem(&rules::NO_UNIT_OF_ONE, span, "no prefix has the multiplier 1")
                .help("add `\"\": 1`, so that the unit can be used without a prefix");
        }
    }
    if ones.is_empty() && table.units.iter().all(|unit| unit.multiplier.is_some()) {
        let span = span_of(context, "units");
        context
            .problem(&rules::NO_UNIT_OF_ONE, span, "no unit has the multiplier 1")
            .help("add the unit that the others are multiples of, with the multiplier 1");
    }
    check_canonical_unit(data_type, context, any, &table, &ones);
}

/// Units and prefixes may be added to inherited ones; everything else must stay as it is (2.0, 9.1.2.2). That a value
/// which the parent gives stays is a matter of inheritance; here is what the parent leaves to its default.
fn check_derivation(context: &mut Context<'_>, id: Id<DataType>) {
    let Some(own) = context.program.raw_as(id) else { return };
    let Some((parent_id, parent)) = context.target_of(own.derived_from).and_then(|id| Some((id, context.get(id)?)))
    else {
        return;
    };
    // What is derived from `scalar` itself says everything for the first time.
    if context.program.lineage(parent_id.any()).is_none_or(|lineage| lineage.parents.is_empty()) {
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
        let message = format!("`canonical_unit` can't be added to what scalar type `{name}` says");
        changed.push((context.span(canonical), message, context.program.name_span(parent_id.any())));
    }
    for (own, inherited) in [(&own.units, &inherited.units), (&own.prefixes, &inherited.prefixes)] {
        for factor in factors(context, own) {
            let base = inherited.iter().find(|base| base.name == factor.name);
            if let Some(base) = base.filter(|base| base.multiplier != factor.multiplier) {
                let message = format!("the multiplier of `{}` is inherited and can't be changed", factor.name);
                changed.push((Some(factor.node.span()), message, Some(base.node.span())));
            }
        }
    }
    for (at, message, related) in changed {
        context
            .problem(&rules::CHANGED_FIXED, at, message)
            .related(related, "it is fixed here")
            .help("leave it out, or derive the type from another one");
    }
}

fn is_one(factor: &Factor<'_>) -> bool {
    factor.multiplier.as_ref().is_some_and(One::is_one)
}

fn check_multiplier(context: &mut Context<'_>, id: AnyId, factor: &Factor<'_>, number_type: Option<Id<DataType>>) {
    // What is inherited has been checked where it was given.
    if factor.node.document().source() != id.unit {
        return;
    }
    let Some(multiplier) = &factor.multiplier else {
        let message = format!("the multiplier of `{}` must be a number", factor.name);
        let problem = context.problem(&rules::INVALID_MULTIPLIER, Some(factor.node.span()), message);
        if factor.node.kind() == Kind::String && parse_number(factor.node.text()).is_some() {
            problem.help("leave the quotes out");
        }
        return;
    };
    let Some(number_type) = number_type else { return };
    let kind = DataKind::of(context, number_type);
    if kind == DataKind::Integer && !multiplier.is_integer() {
        let message = format!("the multiplier of `{}` must be an integer, since `data_type` is one", factor.name);
        context
            .problem(&rules::INVALID_MULTIPLIER, Some(factor.node.span()), message)
            .help("write `data_type: float`, or give the smallest unit the multiplier 1");
        return;
    }
    let mut judge = Judge::new(context, Place::of(id));
    judge.validate(factor.node, &as_datum(multiplier, kind), &Schema::of_type(Some(number_type)));
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
                "{} have the multiplier 1, so `canonical_unit` must say which of them is meant",
                crate::diagnostic::suggest::and_list(ones)
            );
            let span = context.program.keyname_span(id, "units");
            context
                .problem(&rules::NO_CANONICAL_UNIT, span, message)
                .help(format!("add `canonical_unit: {}`", ones[0]));
        }
        return;
    };
    let Position { unit, .. } = canonical.0;
    let Some(node) = context.node(canonical.0).filter(|_| unit == id.unit) else { return };
    let names = table.names();
    match table.multiplier(node.text()) {
        None => {
            let message = format!("`{}` is not a unit of the type", node.text());
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let help = context.did_you_mean(node.text(), &names, "the units are");
            context.problem(&rules::INVALID_CANONICAL_UNIT, Some(node.span()), message).help_if(help);
        }
        Some(multiplier) if !multiplier.is_one() => {
            let message = format!(
                "the multiplier of the canonical unit must be 1, but that of `{}` is {multiplier}",
                node.text()
            );
            let help = match ones {
                [] => "give it the multiplier 1, and adapt the others".to_owned(),
                [one, ..] => format!("name `{one}`, which has the multiplier 1, or adapt the multipliers"),
            };
            context.problem(&rules::INVALID_CANONICAL_UNIT, Some(node.span()), message).help(help);
        }
        Some(_) => {}
    }
}
