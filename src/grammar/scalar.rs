//! Scalars and small values with a special meaning.

use crate::ard::{Kind, Node};
use crate::diagnostic::Help;
use crate::diagnostic::suggest::nearest;
use crate::entity::{Field, FieldDescription, Form, LanguageVersion, NodeRef, Scalar, Shape, Shaped, downcast};
use crate::grammar::version::V2_0;
use crate::phase::inheritance::{Completion, InheritedField, InheritingField};
use crate::phase::read::Reader;
use crate::rules;

/// The value of the keyname `version`, in the grammar of versions (2.0, 9.1.2.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionText(pub String);

impl Scalar for VersionText {
    const WHAT: &'static str = "version";
    const FORM: Form = Form::Pattern(r"^[0-9]+\.[0-9]+(\.[0-9]+(\.[^.\s-]+(-[0-9]+)?)?)?$");

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        match node.kind() {
            Kind::String => {}
            // Reported below: integers are not versions, even in quotes.
            Kind::Integer if reader.version() >= V2_0 => {}
            // `version: 1.0` is a float, but the intended version is clear. Decision A 57.
            Kind::Float | Kind::Integer => {
                let message = format!("`{}` is a number, not a version", node.text());
                reader.problem(&rules::UNQUOTED_VERSION, node, message).help(Help::quote(node.text()));
                return Some(Self(node.text().to_owned()));
            }
            _ => {
                reader.wrong_kind(node, "`version`", "a string");
                return None;
            }
        }
        if crate::value::Version::parse(node.text()).is_none() {
            let message = format!("`{}` is not a version", node.text());
            reader
                .problem(&rules::INVALID_VERSION, node, message)
                .help("a version is `major.minor`, `major.minor.fix`, `major.minor.fix.qualifier` or `major.minor.fix.qualifier-build`");
        }
        Some(Self(node.text().to_owned()))
    }
}

/// A positive number of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Positive(pub u64);

impl Scalar for Positive {
    const WHAT: &'static str = "positive integer";
    const FORM: Form = Form::Count;

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        let count = node.as_integer().and_then(|count| u64::try_from(count).ok()).filter(|count| *count > 0);
        if count.is_none() {
            let message = format!("`{}` is not a positive integer", node.text());
            reader.problem(&rules::WRONG_TYPE, node, message).help("write a positive integer, such as `1`");
        }
        count.map(Self)
    }
}

/// The keyname `count_range` (`occurrences` in 1.x): the possible number of relationships of a requirement (2.0, 8.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountRange {
    /// The lower bound.
    pub lower: u64,
    /// The upper bound; `None` for `UNBOUNDED`.
    pub upper: Option<u64>,
}

impl CountRange {
    /// Returns the default range of a requirement definition.
    pub fn default_of(version: LanguageVersion) -> Self {
        if version >= V2_0 { Self { lower: 0, upper: None } } else { Self { lower: 1, upper: Some(1) } }
    }

    /// Returns whether any count is in both ranges.
    pub fn overlaps(self, other: Self) -> bool {
        let reaches = |range: Self, lower: u64| range.upper.is_none_or(|upper| lower <= upper);
        reaches(self, other.lower) && reaches(other, self.lower)
    }
}

impl std::fmt::Display for CountRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.upper {
            Some(upper) => write!(f, "[{}, {upper}]", self.lower),
            None => write!(f, "[{}, UNBOUNDED]", self.lower),
        }
    }
}

impl CountRange {
    /// Parses a range in the notation of defaults in field descriptions: `[1, UNBOUNDED]`.
    fn parse(text: &str) -> Option<Self> {
        let (lower, upper) = text.strip_prefix('[')?.strip_suffix(']')?.split_once(", ")?;
        let upper = if upper == "UNBOUNDED" { None } else { Some(upper.parse().ok()?) };
        Some(Self { lower: lower.parse().ok()?, upper })
    }
}

impl Scalar for CountRange {
    const WHAT: &'static str = "range of counts";
    const FORM: Form = Form::List(&Form::Either(&[Form::Count, Form::Constant("UNBOUNDED")]));

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        if node.kind() != Kind::List || node.len() != 2 {
            let count = node.as_integer().filter(|count| *count >= 0);
            let problem = reader.wrong_kind(node, "a range of counts", "a list of two integers, `[lower, upper]`");
            if let Some(count) = count {
                problem.help(Help::write(format!("[ {count}, {count} ]")));
            } else if node.kind() == Kind::String && node.text().starts_with('[') {
                problem.help(Help::unquote());
            }
            return None;
        }
        let bounds: Vec<_> = node.items().map(|item| bound(reader, item)).collect();
        let [Some(lower), Some(upper)] = bounds[..] else { return None };
        let range = match (lower, upper) {
            (Some(lower), upper) if upper.is_none_or(|upper| lower <= upper) => Self { lower, upper },
            (Some(lower), Some(upper)) => {
                reader
                    .problem(&rules::INVALID_COUNT_RANGE, node, "the lower bound is above the upper one")
                    .help(Help::did_you_mean(format!("[ {upper}, {lower} ]")));
                return None;
            }
            (None | Some(_), _) => {
                reader
                    .problem(&rules::INVALID_COUNT_RANGE, node, "the lower bound can't be `UNBOUNDED`")
                    .help("write `[ 0, UNBOUNDED ]` for any number");
                return None;
            }
        };
        Some(range)
    }

    fn within(&self, base: Option<&Self>, field: &FieldDescription) -> Result<(), String> {
        let Some(base) = base.copied().or_else(|| field.default.and_then(Self::parse)) else { return Ok(()) };
        let fits = self.lower >= base.lower
            && match (self.upper, base.upper) {
                (_, None) => true,
                (Some(upper), Some(base)) => upper <= base,
                (None, Some(_)) => false,
            };
        if fits { Ok(()) } else { Err(format!("{self} is not within {base}")) }
    }
}

/// Reads a bound of a range: `Some(None)` is `UNBOUNDED`.
#[allow(clippy::option_option, reason = "unreadable, unbounded and bounded are three different things")]
fn bound(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Option<u64>> {
    if node.kind() == Kind::String && node.text() == "UNBOUNDED" {
        return Some(None);
    }
    match node.as_integer().and_then(|integer| u64::try_from(integer).ok()) {
        Some(bound) => Some(Some(bound)),
        None => {
            let message = format!("`{}` is not a bound of a range", node.text());
            reader
                .problem(&rules::INVALID_COUNT_RANGE, node, message)
                .help(bound_help(node, "a bound is a non-negative integer; the upper one can also be `UNBOUNDED`"));
            None
        }
    }
}

/// Returns the help for an invalid bound of a range.
pub(crate) fn bound_help(node: Node<'_>, general: &str) -> Help {
    const UNBOUNDED: [&str; 9] = ["unbounded", "unlimited", "infinite", "infinity", "inf", ".inf", "any", "*", "-1"];
    let text = node.text();
    let is_number = text.parse::<u64>().is_ok() && node.kind() == Kind::String;
    match () {
        () if is_number => Help::unquote(),
        () if UNBOUNDED.contains(&&*text.to_ascii_lowercase()) => Help::write("UNBOUNDED"),
        () if nearest(text, ["UNBOUNDED"]).is_some() => Help::did_you_mean("UNBOUNDED"),
        () => general.into(),
    }
}

/// The keyname `metadata`: data that the processor ignores (2.0, 5.3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The map.
    pub position: Option<NodeRef>,
}

impl Shaped for Metadata {
    const SHAPE: Shape = Shape::Values;
}

impl Field for Metadata {
    fn is_set(&self) -> bool {
        self.position.is_some()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, _: &'static FieldDescription) {
        if node.kind() != Kind::Map {
            reader.wrong_kind(node, "`metadata`", "a map");
            return;
        }
        self.position = Some(reader.position(node));
        for entry in node.entries() {
            reader.name(entry.key);
            if entry.duplicate && reader.version() < V2_0 {
                let message = format!("metadata `{}` is given more than once", entry.key.text());
                reader
                    .repeated_key(&rules::REPEATED_METADATA, entry.key, message)
                    .help("remove one of the entries, or rename one");
            }
            // Decision A 4.
            let is_written = reader.version() >= V2_0 && !entry.value.text().is_empty();
            if entry.value.kind() == Kind::Null && !entry.value.is_placeholder() && !is_written {
                let message = format!("metadata `{}` has no value", entry.key.text());
                reader.problem(&rules::NULL_VALUE, entry.key, message).help("add a value, or remove the entry");
            }
            let is_text = matches!(entry.value.kind(), Kind::String | Kind::Integer | Kind::Float | Kind::Null);
            if !is_text && reader.version() < V2_0 {
                reader.wrong_kind(entry.value, &format!("metadata `{}`", entry.key.text()), "a string");
            }
        }
    }

    fn inherit(&mut self, _: &mut Completion<'_>, _: &InheritingField<'_>, sources: &[InheritedField<'_>]) {
        if self.position.is_none() {
            self.position = sources.iter().find_map(|source| downcast::<Self>(source.field)?.position);
        }
    }

    fn visit_data(&self, visit: &mut dyn FnMut(NodeRef)) {
        self.position.into_iter().for_each(visit);
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            *self = *other;
        }
    }
}
