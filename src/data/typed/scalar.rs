//! Values of declared scalar types: numbers with units (2.0, 9.1.2.2).

use super::datum::{Datum, Scalar};
use super::kind::DataKind;
use crate::ard::{Kind, Node};
use crate::entity::{Clauses, Id};
use crate::grammar::types::DataType;
use crate::phase::Context;
use crate::value::{Number, parse_number};
use bigdecimal::{One, ToPrimitive};
use foldhash::HashSet;

/// The maximum number of units of a scalar type, and of its prefixes.
pub(crate) const MAX_UNITS: usize = 1000;

/// The units of a scalar type.
#[derive(Clone, Debug, Default)]
pub struct ScalarTable<'a> {
    /// The units and their multipliers.
    pub units: Factors<'a>,
    /// The prefixes of units, with their multipliers.
    pub prefixes: Factors<'a>,
}

/// Units or prefixes, up to a maximum of 1000. Those that the type itself declares come first.
#[derive(Clone, Debug, Default)]
pub struct Factors<'a>(Vec<Node<'a>>);

/// A unit or prefix.
#[derive(Clone, Debug)]
pub struct Factor<'a> {
    /// The name.
    pub name: &'a str,
    /// The node of the name.
    pub key: Node<'a>,
    /// The node of the multiplier.
    pub node: Node<'a>,
}

impl Factor<'_> {
    /// Returns the multiplier; `None` if it is not a number. It is parsed on demand, because a value needs only one of
    /// the many units of a type.
    pub fn multiplier(&self) -> Option<Number> {
        let is_number = matches!(self.node.kind(), Kind::Integer | Kind::Float);
        is_number.then(|| parse_number(self.node.text())).flatten()
    }
}

impl<'a> Factors<'a> {
    /// Returns the factors in a list of maps.
    pub(crate) fn of(context: &Context<'a>, clauses: &Clauses) -> Self {
        Self(clauses.iter().filter_map(|value| context.node(value.0)).take(MAX_UNITS).collect())
    }

    fn entries(&self) -> impl Iterator<Item = Factor<'a>> {
        let entries = self.0.iter().flat_map(|map| map.entries()).take(MAX_UNITS);
        entries.map(|entry| Factor { name: entry.key.text(), key: entry.key, node: entry.value })
    }

    /// Returns the factors, each name once.
    pub fn iter(&self) -> impl Iterator<Item = Factor<'a>> {
        let mut names = HashSet::default();
        self.entries().filter(move |factor| names.insert(factor.name))
    }

    /// Returns the factor with the given name.
    pub fn get(&self, name: &str) -> Option<Factor<'a>> {
        self.entries().find(|factor| factor.name == name)
    }

    /// Returns whether there are no factors.
    pub fn is_empty(&self) -> bool {
        self.entries().next().is_none()
    }

    /// Returns whether the type may have more factors.
    pub(crate) fn is_full(&self) -> bool {
        self.entries().nth(MAX_UNITS - 1).is_some()
    }
}

impl<'a> ScalarTable<'a> {
    /// Returns the units of a type.
    pub fn of(context: &Context<'a>, data_type: &DataType) -> Self {
        Self { units: Factors::of(context, &data_type.units), prefixes: Factors::of(context, &data_type.prefixes) }
    }

    /// Returns the multiplier that converts a unit to the canonical unit; `None` if there is no such unit.
    pub fn multiplier(&self, unit: &str) -> Option<Number> {
        if self.prefixes.is_empty() {
            return self.units.get(unit)?.multiplier();
        }
        self.units.iter().find_map(|known| {
            let prefix = self.prefixes.get(unit.strip_suffix(known.name)?)?;
            Some(prefix.multiplier()? * known.multiplier()?)
        })
    }

    /// Returns the units, with their prefixes, up to a maximum of 1000.
    pub fn names(&self) -> Vec<String> {
        self.prefixed().map(|unit| unit.name()).collect()
    }

    /// Returns the units, with their prefixes, and their multipliers: each unit once, up to a maximum of 1000.
    pub(crate) fn multipliers(&self) -> impl Iterator<Item = (String, Number)> {
        let mut names = HashSet::default();
        let multipliers = self.prefixed().filter_map(|unit| Some((unit.name(), unit.multiplier()?)));
        multipliers.filter(move |(name, _)| names.insert(name.clone()))
    }

    fn prefixed(&self) -> impl Iterator<Item = PrefixedUnit<'a>> {
        let prefixes: Vec<_> = self.prefixes.iter().map(Some).collect();
        let prefixes = if prefixes.is_empty() { vec![None] } else { prefixes };
        let of_unit = move |unit: Factor<'a>| {
            prefixes.clone().into_iter().map(move |prefix| PrefixedUnit { prefix, unit: unit.clone() })
        };
        self.units.iter().flat_map(of_unit).take(MAX_UNITS)
    }

    /// Returns whether the type may have more units or prefixes.
    pub(crate) fn is_full(&self) -> bool {
        self.units.is_full() || self.prefixes.is_full()
    }
}

/// A unit with a prefix, if its type has prefixes.
struct PrefixedUnit<'a> {
    prefix: Option<Factor<'a>>,
    unit: Factor<'a>,
}

impl PrefixedUnit<'_> {
    fn name(&self) -> String {
        let prefix = self.prefix.as_ref().map_or("", |prefix| prefix.name);
        format!("{prefix}{}", self.unit.name)
    }

    fn multiplier(&self) -> Option<Number> {
        let unit = self.unit.multiplier()?;
        match &self.prefix {
            Some(prefix) => Some(prefix.multiplier()? * unit),
            None => Some(unit),
        }
    }
}

/// A parsed scalar.
pub(crate) struct Written<'n> {
    /// The number before the unit.
    pub(crate) number: Number,
    /// The multiplier that converts the number to the canonical unit.
    pub(crate) multiplier: Number,
    /// The whole text.
    pub(crate) text: &'n str,
}

/// The reason why a value is not a scalar of a type.
pub(crate) enum ScalarFault<'n> {
    /// Not a string.
    NoText,
    /// There is no space between a number and a unit.
    NoUnit(&'n str),
    /// The part before the space is not a number.
    NoNumber(&'n str),
    /// The type has no such unit.
    UnknownUnit(&'n str),
}

/// Parses a scalar.
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
    /// Returns the value, in the canonical unit.
    pub(crate) fn datum(self, data_type: Id<DataType>) -> Datum {
        let (number, text) = (self.number * self.multiplier, self.text.to_owned());
        Datum::Scalar(Box::new(Scalar { data_type: Some(data_type), number, text }))
    }
}

/// Converts a scalar to its type. The result is unknown if the scalar is invalid.
pub(crate) fn understand(context: &Context<'_>, node: Node<'_>, data_type: Id<DataType>) -> Datum {
    let Some(definition) = context.get(data_type) else { return Datum::Unknown };
    match read(node, &ScalarTable::of(context, definition)) {
        Ok(written) if fits(context, &written.number, definition) => written.datum(data_type),
        _ => Datum::Unknown,
    }
}

/// Writes a number in the canonical unit of a type.
pub(crate) fn canonical(context: &Context<'_>, data_type: Id<DataType>, number: &Number) -> String {
    let table = context.get(data_type).map(|definition| ScalarTable::of(context, definition)).unwrap_or_default();
    let unit = table.multipliers().find(|(_, multiplier)| multiplier.is_one()).map(|(unit, _)| unit);
    let unit = unit.or_else(|| table.units.iter().next().map(|unit| unit.name.to_owned())).unwrap_or_default();
    format!("{} {unit}", number.normalized().to_plain_string())
}

/// Returns whether the number fits into the number type of a scalar type, which has 64 bits. The number in the
/// canonical unit is computed exactly and may be larger.
pub(crate) fn fits(context: &Context<'_>, number: &Number, definition: &DataType) -> bool {
    let number_type = context.target_of(definition.data_type);
    match number_type.map(|number_type| DataKind::of(context, number_type)) {
        // A fraction is reported elsewhere.
        Some(DataKind::Integer) => !number.is_integer() || number.to_i64().is_some(),
        _ => number.to_f64().is_some_and(f64::is_finite),
    }
}

/// Converts a number to a value of the given kind.
pub(crate) fn as_datum(number: &Number, kind: DataKind) -> Datum {
    match kind {
        DataKind::Integer => number.to_i64().map_or(Datum::Unknown, Datum::Integer),
        _ => number.to_f64().map_or(Datum::Unknown, Datum::Float),
    }
}
