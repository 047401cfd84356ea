//! The scalar-unit types of versions before 2.0: built-in numbers with units (1.3, 3.3.6).
//!
//! Unlike in 2.0, the space between number and unit is optional, and units are case-insensitive, except where case
//! distinguishes bits from bytes.

use super::datum::{Datum, Scalar};
use crate::ard::{Kind, Node};
use crate::entity::Id;
use crate::grammar::types::DataType;
use crate::phase::Context;
use crate::value::{Number, parse_number};

/// The units of a built-in type, with the multipliers that convert them to the canonical unit.
struct Units {
    type_name: &'static str,
    is_case_sensitive: bool,
    factors: &'static [(&'static str, &'static str)],
}

const UNITS: &[Units] = &[
    Units {
        type_name: "scalar-unit.size",
        is_case_sensitive: false,
        factors: &[
            ("B", "1"),
            ("kB", "1000"),
            ("KiB", "1024"),
            ("MB", "1000000"),
            ("MiB", "1048576"),
            ("GB", "1000000000"),
            ("GiB", "1073741824"),
            ("TB", "1000000000000"),
            ("TiB", "1099511627776"),
        ],
    },
    Units {
        type_name: "scalar-unit.time",
        is_case_sensitive: false,
        factors: &[
            ("d", "86400"),
            ("h", "3600"),
            ("m", "60"),
            ("s", "1"),
            ("ms", "0.001"),
            ("us", "0.000001"),
            ("ns", "0.000000001"),
        ],
    },
    Units {
        type_name: "scalar-unit.frequency",
        is_case_sensitive: false,
        factors: &[("Hz", "1"), ("kHz", "1000"), ("MHz", "1000000"), ("GHz", "1000000000")],
    },
    Units {
        type_name: "scalar-unit.bitrate",
        is_case_sensitive: true,
        factors: &[
            ("bps", "1"),
            ("Kbps", "1000"),
            ("Kibps", "1024"),
            ("Mbps", "1000000"),
            ("Mibps", "1048576"),
            ("Gbps", "1000000000"),
            ("Gibps", "1073741824"),
            ("Tbps", "1000000000000"),
            ("Tibps", "1099511627776"),
            ("Bps", "8"),
            ("KBps", "8000"),
            ("KiBps", "8192"),
            ("MBps", "8000000"),
            ("MiBps", "8388608"),
            ("GBps", "8000000000"),
            ("GiBps", "8589934592"),
            ("TBps", "8000000000000"),
            ("TiBps", "8796093022208"),
        ],
    },
];

impl Units {
    fn of(context: &Context<'_>, data_type: Id<DataType>) -> Option<&'static Self> {
        let program = context.program;
        let root = program.lineage(data_type.any()).map_or(data_type.any(), |lineage| lineage.root);
        let name = program.name(root);
        UNITS.iter().find(|units| units.type_name == name)
    }

    fn multiplier(&self, unit: &str) -> Option<Number> {
        let is_it = |known: &str| if self.is_case_sensitive { known == unit } else { known.eq_ignore_ascii_case(unit) };
        let (_, multiplier) = self.factors.iter().find(|(known, _)| is_it(known))?;
        parse_number(multiplier)
    }
}

/// Returns the end of the number at the start of a string. It may have an exponent: `1.5e3 kHz`.
fn number_end(text: &str) -> usize {
    let digits = |from: usize| {
        let is_part = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | '+' | '-' | '_');
        text[from..].find(|letter| !is_part(letter)).map_or(text.len(), |end| from + end)
    };
    let end = digits(0);
    if text[end..].starts_with(['e', 'E']) {
        let after = digits(end + 1);
        if after > end + 1 {
            return after;
        }
    }
    end
}

/// Splits a string into number and unit.
fn split(text: &str) -> (&str, &str) {
    let (number, unit) = text.split_at(number_end(text));
    (number, unit.trim_start())
}

/// Returns the units of a built-in type or one of its descendants, with their multipliers. The canonical unit has the
/// multiplier 1.
pub(crate) fn units(context: &Context<'_>, data_type: Id<DataType>) -> Option<&'static [(&'static str, &'static str)]> {
    Some(Units::of(context, data_type)?.factors)
}

/// Converts a value of a built-in type, given by name, to the canonical unit, and returns that unit; `None` if the
/// value is invalid.
pub(crate) fn canonical_of(type_name: &str, text: &str) -> Option<(Number, &'static str)> {
    let units = UNITS.iter().find(|units| units.type_name == type_name)?;
    let (number, unit) = split(text.trim());
    let (canonical, _) = units.factors.iter().find(|(_, multiplier)| *multiplier == "1")?;
    Some((parse_number(number)? * units.multiplier(unit)?, canonical))
}

/// Converts a value to the canonical unit; `None` if the value is invalid.
pub(crate) fn canonical(context: &Context<'_>, data_type: Id<DataType>, text: &str) -> Option<Number> {
    let (number, unit) = split(text.trim());
    Some(parse_number(number)? * Units::of(context, data_type)?.multiplier(unit)?)
}

/// The reason why a value is not of a scalar-unit type.
pub(crate) enum UnitFault<'n> {
    /// Not a string.
    NoText,
    /// The type has no units.
    NoUnits,
    /// Not a number with one of these units.
    NoAmount(&'static [(&'static str, &'static str)]),
    /// The unit is none of these units.
    UnknownUnit(&'n str, &'static [(&'static str, &'static str)]),
    /// A negative amount.
    Negative,
}

/// Reads a value of a scalar-unit type.
pub(crate) fn read<'n>(context: &Context<'_>, node: Node<'n>, data_type: Id<DataType>) -> Result<Datum, UnitFault<'n>> {
    let units = Units::of(context, data_type).ok_or(UnitFault::NoUnits)?;
    if node.kind() != Kind::String {
        return Err(UnitFault::NoText);
    }
    let text = node.text().trim();
    let (number, unit) = split(text);
    let number = parse_number(number).filter(|_| !unit.is_empty()).ok_or(UnitFault::NoAmount(units.factors))?;
    let multiplier = units.multiplier(unit).ok_or(UnitFault::UnknownUnit(unit, units.factors))?;
    if number.sign() == bigdecimal::num_bigint::Sign::Minus {
        return Err(UnitFault::Negative);
    }
    let (number, text) = (number * multiplier, text.to_owned());
    Ok(Datum::Scalar(Box::new(Scalar { data_type: Some(data_type), number, text })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(type_name: &str, unit: &str) -> Option<String> {
        let units = UNITS.iter().find(|units| units.type_name == type_name)?;
        units.multiplier(unit).map(|number| number.normalized().to_plain_string())
    }

    #[test]
    fn case_matters_for_bits_and_bytes_only() {
        assert_eq!(canonical("scalar-unit.size", "gib").as_deref(), Some("1073741824"));
        assert_eq!(canonical("scalar-unit.frequency", "ghz").as_deref(), Some("1000000000"));
        assert_eq!(canonical("scalar-unit.time", "MS").as_deref(), Some("0.001"));
        assert_eq!(canonical("scalar-unit.bitrate", "MBps").as_deref(), Some("8000000"));
        assert_eq!(canonical("scalar-unit.bitrate", "Mbps").as_deref(), Some("1000000"));
        assert_eq!(canonical("scalar-unit.bitrate", "mbps"), None);
    }

    #[test]
    fn every_multiplier_is_a_number() {
        for units in UNITS {
            for (name, _) in units.factors {
                assert!(units.multiplier(name).is_some(), "{}: {name}", units.type_name);
            }
        }
    }
}
