//! Numbers with units, and their problems.

use super::core::Judge;
use crate::ard::{Kind, Node};
use crate::data::schema::Schema;
use crate::data::typed::datum::Datum;
use crate::data::typed::kind::DataKind;
use crate::data::typed::scalar;
use crate::data::typed::scalar::{ScalarFault, ScalarTable, as_datum, fits};
use crate::data::typed::scalar_unit;
use crate::data::typed::scalar_unit::UnitFault;
use crate::diagnostic::Help;
use crate::diagnostic::suggest::{nearest, or_list};
use crate::entity::Id;
use crate::grammar::types::DataType;
use crate::phase::DiagnosticExt;
use crate::rules;
use crate::value::{Number, parse_number};

/// Reads a scalar and reports its problems.
pub(crate) fn read(judge: &mut Judge<'_, '_>, node: Node<'_>, data_type: Id<DataType>) -> Datum {
    let Some(definition) = judge.context.get(data_type) else { return Datum::Unknown };
    let table = ScalarTable::of(judge.context, definition);
    let written = match scalar::read(node, &table) {
        Ok(written) => written,
        Err(fault) => {
            report(judge, node, data_type, &table, &fault);
            return Datum::Unknown;
        }
    };
    check_number(judge, node, &written.number, definition, data_type);
    if !fits(judge.context, &written.number, definition) {
        let message = format!("the number of `{}` does not fit into a 64-bit integer", written.text);
        judge.problem(&rules::INTEGER_OVERFLOW, node, message).help("write a smaller number, with a larger unit");
        return Datum::Unknown;
    }
    written.datum(data_type)
}

fn report(
    judge: &mut Judge<'_, '_>,
    node: Node<'_>,
    data_type: Id<DataType>,
    table: &ScalarTable<'_>,
    fault: &ScalarFault<'_>,
) {
    let type_name = judge.context.program.name(data_type.any());
    let (rule, message, help) = match fault {
        ScalarFault::NoText if is_number(node) => {
            let message = format!("`{}` has no unit, but values of type `{type_name}` need one", node.text());
            (&rules::WRONG_TYPE, message, example(&table.names()))
        }
        ScalarFault::NoText => return judge.wrong_type(node, data_type, DataKind::Scalar),
        ScalarFault::NoUnit(text) => {
            let message = format!("`{text}` is not a number and a unit of type `{type_name}` separated by a space");
            (&rules::MALFORMED_VALUE, message, example(&table.names()))
        }
        ScalarFault::NoNumber(number) => {
            (&rules::MALFORMED_VALUE, format!("`{number}` is not a number"), example(&table.names()))
        }
        // A type without valid units, or with too many, has been reported.
        ScalarFault::UnknownUnit(_) if table.units.is_empty() || table.is_full() => return,
        ScalarFault::UnknownUnit(unit) => {
            let units = table.names();
            let help = match judge.context.suggestions().nearest(unit, &units) {
                Some(near) => Help::did_you_mean(near),
                None => example(&units),
            };
            (&rules::UNKNOWN_UNIT, format!("`{unit}` is not a unit of type `{type_name}`"), help)
        }
    };
    let help = respelt(node.text(), &table.names()).map_or(help, Help::write);
    judge.problem(rule, node, message).help(help);
}

/// Returns the corrected spelling, if only a space is missing or the case of letters differs.
fn respelt(text: &str, units: &[String]) -> Option<String> {
    let text = text.trim();
    let number = text.trim_end_matches(char::is_alphabetic);
    let unit = &text[number.len()..];
    let number = number.trim_end();
    parse_number(number)?;
    let mut fitting = units.iter().filter(|known| known.eq_ignore_ascii_case(unit));
    let exact = units.iter().find(|known| *known == unit);
    let unit = exact.or_else(|| fitting.next().filter(|_| fitting.next().is_none()))?;
    Some(format!("{number} {unit}"))
}

fn example(units: &[String]) -> Help {
    let listed: Vec<&str> = units.iter().take(12).map(String::as_str).collect();
    match listed[..] {
        [] => "write a number, a space and a unit".into(),
        [only] => format!("write a number, a space and the unit `{only}`").into(),
        _ => format!("write a number, a space and one of the units {}", or_list(&listed)).into(),
    }
}

/// Checks that the number has the `data_type` of the scalar type.
fn check_number(
    judge: &mut Judge<'_, '_>,
    node: Node<'_>,
    number: &Number,
    definition: &DataType,
    data_type: Id<DataType>,
) {
    let Some(number_type) = judge.context.target_of(definition.data_type) else { return };
    if DataKind::of(judge.context, number_type) == DataKind::Integer && !number.is_integer() {
        let type_name = judge.context.program.name(data_type.any());
        let message = format!("the number of a `{type_name}` must be an integer");
        judge.problem(&rules::WRONG_TYPE, node, message).help("write a whole number, with a smaller unit if necessary");
        return;
    }
    let datum = as_datum(number, DataKind::of(judge.context, number_type));
    judge.validate(node, &datum, &Schema::of_type(Some(number_type)));
}

/// Reads a value of a scalar-unit type and reports its problems.
pub(crate) fn read_unit(judge: &mut Judge<'_, '_>, node: Node<'_>, data_type: Id<DataType>) -> Datum {
    let fault = match scalar_unit::read(judge.context, node, data_type) {
        Ok(datum) => return datum,
        Err(fault) => fault,
    };
    let type_name = judge.context.program.name(data_type.any());
    let text = node.text().trim();
    let (rule, message, help) = match fault {
        UnitFault::NoText => match scalar_unit::units(judge.context, data_type).filter(|_| is_number(node)) {
            Some(units) => {
                let message = format!("`{text}` has no unit, but values of type `{type_name}` need one");
                (&rules::WRONG_TYPE, message, units_help(units))
            }
            None => {
                judge.wrong_type(node, data_type, DataKind::ScalarUnit);
                return Datum::Unknown;
            }
        },
        UnitFault::NoUnits => return Datum::Unknown,
        UnitFault::NoAmount(units) => {
            let message = format!("`{text}` is not a number and a unit of type `{type_name}`");
            (&rules::MALFORMED_VALUE, message, units_help(units))
        }
        UnitFault::UnknownUnit(unit, units) => {
            let help = match nearest(unit, units.iter().map(|(name, _)| *name)) {
                Some(near) => Help::did_you_mean(near),
                None => units_help(units),
            };
            (&rules::UNKNOWN_UNIT, format!("`{unit}` is not a unit of type `{type_name}`"), help)
        }
        UnitFault::Negative => {
            let message = format!("`{text}` is negative, but an amount can't be");
            (&rules::MALFORMED_VALUE, message, "write a non-negative number".into())
        }
    };
    judge.problem(rule, node, message).help(help);
    Datum::Unknown
}

fn is_number(node: Node<'_>) -> bool {
    matches!(node.kind(), Kind::Integer | Kind::Float)
}

fn units_help(units: &[(&str, &str)]) -> Help {
    let names: Vec<&str> = units.iter().map(|(name, _)| *name).take(9).collect();
    format!("write a number and one of the units {}", or_list(&names)).into()
}
