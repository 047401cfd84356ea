//! Literals, as far as they can be read without a schema.

use super::{Call, Shape, shape, unescape};
use crate::ard::{Kind, Node};
use crate::data::typed::datum::Datum;
use crate::entity::LanguageVersion;
use crate::phase::Context;

/// Returns the value of a literal without a known type. Parts that are calls are unknown.
pub(crate) fn plain(node: Node<'_>, version: LanguageVersion) -> Datum {
    match node.kind() {
        Kind::Null => Datum::Nil,
        Kind::Boolean => node.as_bool().map_or(Datum::Unknown, Datum::Boolean),
        Kind::Integer => integer(node).map_or(Datum::Unknown, Datum::Integer),
        Kind::Float => node.as_float().map_or(Datum::Unknown, Datum::Float),
        Kind::String => Datum::String(unescape(node.text(), version).to_owned()),
        Kind::List => Datum::List(node.items().map(|item| part(item, version)).collect()),
        Kind::Map => {
            let entries = node.entries().map(|entry| Some((key(entry.key, version)?, part(entry.value, version))));
            entries.collect::<Option<_>>().map_or(Datum::Unknown, Datum::Map)
        }
    }
}

fn part(node: Node<'_>, version: LanguageVersion) -> Datum {
    match Call::shape(node, version) {
        Shape::Literal => plain(node, version),
        _ => Datum::Unknown,
    }
}

/// Returns an integer literal, if it fits into 64 bits.
pub(crate) fn integer(node: Node<'_>) -> Option<i64> {
    i64::try_from(node.as_integer()?).ok()
}

/// Returns the key of a map entry; `None` if it is computed, so that the keys of the map are unknown.
pub(crate) fn key(node: Node<'_>, version: LanguageVersion) -> Option<String> {
    (!matches!(node.kind(), Kind::Map | Kind::List)).then(|| unescape(node.text(), version).to_owned())
}

/// A problem with a range.
pub(crate) enum RangeFault<'a> {
    /// Not a list.
    NoList,
    /// A list, but not of two bounds.
    Bounds,
    /// These bounds are computed or not integers.
    Unread(Vec<Node<'a>>),
    /// The lower bound is above the upper one.
    Reversed(i64, i64),
}

/// Reads a range: a list of two bounds (1.3, 3.3.3; decision B 3).
pub(crate) fn range<'a>(context: &Context<'a>, node: Node<'a>) -> Result<Datum, RangeFault<'a>> {
    let mut bounds = node.items();
    let (Some(lower), Some(upper), None) = (bounds.next(), bounds.next(), bounds.next()) else {
        return Err(if node.kind() == Kind::List { RangeFault::Bounds } else { RangeFault::NoList });
    };
    let is_open = upper.kind() == Kind::String && upper.text() == "UNBOUNDED";
    let bound = |node| if matches!(shape(context, node), Shape::Literal) { integer(node) } else { None };
    let bounds = (bound(lower), if is_open { Some(None) } else { bound(upper).map(Some) });
    let (Some(lower), Some(upper)) = bounds else {
        let unread = [(lower, bounds.0.is_none()), (upper, bounds.1.is_none())].into_iter();
        return Err(RangeFault::Unread(unread.filter(|(_, is_unread)| *is_unread).map(|(node, _)| node).collect()));
    };
    match upper {
        Some(upper) if lower > upper => Err(RangeFault::Reversed(lower, upper)),
        upper => Ok(Datum::Range { lower, upper }),
    }
}
