//! Numbers with units, of the scalar types that types define (2.0, 9.1.2.2).

use super::datum::Datum;
use super::kind::DataKind;
use crate::ard::{Kind, Node};
use crate::entity::{Clauses, Id};
use crate::grammar::types::DataType;
use crate::phase::Context;
use crate::value::{Number, parse_number};
use bigdecimal::{One, ToPrimitive};

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
    /// Where the text stands.
    pub key: Node<'a>,
    /// Where the multiplier stands.
    pub node: Node<'a>,
}

impl Factor<'_> {
    /// What a number is multiplied by; nothing if that is not a number. Of the many units that a type has, a value needs
    /// one.
    pub fn multiplier(&self) -> Option<Number> {
        let is_number = matches!(self.node.kind(), Kind::Integer | Kind::Float);
        is_number.then(|| parse_number(self.node.text())).flatten()
    }
}

impl<'a> ScalarTable<'a> {
    /// The units of a type.
    pub fn of(context: &Context<'a>, data_type: &DataType) -> Self {
        Self { units: factors(context, &data_type.units), prefixes: factors(context, &data_type.prefixes) }
    }

    /// What a number with a unit is multiplied by to get to the canonical unit; nothing if there is no such unit.
    pub fn multiplier(&self, unit: &str) -> Option<Number> {
        if self.prefixes.is_empty() {
            return self.units.iter().find(|known| known.name == unit)?.multiplier();
        }
        self.units.iter().find_map(|known| {
            let prefix = unit.strip_suffix(known.name)?;
            let prefix = self.prefixes.iter().find(|known| known.name == prefix)?;
            Some(prefix.multiplier()? * known.multiplier()?)
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

/// The units or prefixes that a list of maps names, each once.
pub(crate) fn factors<'a>(context: &Context<'a>, clauses: &Clauses) -> Vec<Factor<'a>> {
    let mut factors: Vec<Factor<'a>> = Vec::new();
    for map in clauses.items.iter().filter_map(|value| context.node(value.0)) {
        for entry in map.entries() {
            if !factors.iter().any(|known| known.name == entry.key.text()) {
                factors.push(Factor { name: entry.key.text(), key: entry.key, node: entry.value });
            }
        }
    }
    factors
}

/// A scalar as it is written.
pub(crate) struct Written<'n> {
    /// The number before the unit.
    pub(crate) number: Number,
    /// What it is multiplied by to get to the canonical unit.
    pub(crate) multiplier: Number,
    /// The whole text.
    pub(crate) text: &'n str,
}

/// Why something is not a scalar of a type.
pub(crate) enum ScalarFault<'n> {
    /// It is no text.
    NoText,
    /// There is no blank between a number and a unit.
    NoUnit(&'n str),
    /// What stands before the blank is no number.
    NoNumber(&'n str),
    /// The type has no such unit.
    UnknownUnit(&'n str),
}

/// Takes a scalar apart.
pub(crate) fn read<'n>(node: Node<'n>, table: &ScalarTable<'_>) -> Result<Written<'n>, ScalarFault<'n>> {
    if node.kind() != Kind::String {
        return Err(ScalarFault::NoText);
    }
    let text = node.text().trim();
    let (number, unit) = text.split_once(char::is_whitespace).ok_or(ScalarFault::NoUnit(text))?;
    let unit = unit.trim();
    let number = parse_number(number).ok_or(ScalarFault::NoNumber(number))?;
    let multiplier = table.multiplier(unit).ok_or(ScalarFault::UnknownUnit(unit))?;
    Ok(Written { number, multiplier, text })
}

impl Written<'_> {
    /// The value, in the canonical unit.
    pub(crate) fn datum(self, data_type: Id<DataType>) -> Datum {
        Datum::Scalar { data_type: Some(data_type), number: self.number * self.multiplier, text: self.text.to_owned() }
    }
}

/// A scalar of a type; unknown if it is not one.
pub(crate) fn understand(context: &Context<'_>, node: Node<'_>, data_type: Id<DataType>) -> Datum {
    let Some(definition) = context.get(data_type) else { return Datum::Unknown };
    match read(node, &ScalarTable::of(context, definition)) {
        Ok(written) if fits(context, &written.number, definition) => written.datum(data_type),
        _ => Datum::Unknown,
    }
}

/// A number in the canonical unit of a type, as it would be written.
pub(crate) fn canonical(context: &Context<'_>, data_type: Id<DataType>, number: &Number) -> String {
    let table = context.get(data_type).map(|definition| ScalarTable::of(context, definition)).unwrap_or_default();
    let is_one = |unit: &String| table.multiplier(unit).is_some_and(|multiplier| multiplier.is_one());
    let unit = table.names().into_iter().find(is_one);
    let unit = unit.or_else(|| table.units.first().map(|unit| unit.name.to_owned())).unwrap_or_default();
    format!("{} {unit}", number.normalized().to_plain_string())
}

/// Whether a number as it is written is one that the type of the numbers of a scalar type has room for: it has 64 bits.
/// What it is in the canonical unit is computed exactly, and may be larger.
pub(crate) fn fits(context: &Context<'_>, number: &Number, definition: &DataType) -> bool {
    let number_type = context.target_of(definition.data_type);
    match number_type.map(|number_type| DataKind::of(context, number_type)) {
        // That a number must be whole is another matter.
        Some(DataKind::Integer) => !number.is_integer() || number.to_i64().is_some(),
        _ => number.to_f64().is_some_and(f64::is_finite),
    }
}

/// A number as a value of a kind of numbers.
pub(crate) fn as_datum(number: &Number, kind: DataKind) -> Datum {
    match kind {
        DataKind::Integer => number.to_i64().map_or(Datum::Unknown, Datum::Integer),
        _ => number.to_f64().map_or(Datum::Unknown, Datum::Float),
    }
}
