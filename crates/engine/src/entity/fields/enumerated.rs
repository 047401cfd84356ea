//! Enum values: scalars with a fixed list of values.

use super::super::{Scalar, Versions};

/// An allowed value of a keyname.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnumValue {
    /// The value in the source.
    pub name: &'static str,
    /// Its documentation, in Markdown.
    pub docs: &'static str,
    /// The versions that have the value.
    pub versions: Versions,
}

/// A scalar with a fixed list of values. The derive macro [`Enumerated`](macro@crate::Enumerated) implements it for an
/// enum.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::entity::{Located, Language, Enumerated as _};
/// use tosca_parse::{Entity, Entry, Parser, Enumerated};
///
/// /// A means of transport.
/// #[derive(Enumerated, Clone, Copy, Debug, PartialEq, Eq)]
/// #[enumerated(title = "way to go")]
/// enum Way {
///     /// On foot.
///     Walking,
///     /// By train.
///     #[value(name = "rail")]
///     Train,
/// }
///
/// /// A journey.
/// #[derive(Entity, Clone, Debug, Default)]
/// #[entity(title = "journey")]
/// struct Journey {
///     /// The means of transport.
///     by: Option<Located<Way>>,
/// }
///
/// tosca_parse::kinds! { static KINDS = [Journey]; }
/// static JOURNEYS: Language = Language::new("Journeys", KINDS);
///
/// let parser = Parser::builder(&JOURNEYS).build()?;
/// let outcome = parser.parse_entry(Entry::text(parser.address("today.yaml")?, "by: walkign"));
/// assert_eq!(outcome.diagnostics[0].message, "`walkign` is not a way to go");
/// assert_eq!(outcome.diagnostics[0].help, ["did you mean `walking`?"]);
/// assert_eq!(Way::Train.name(), "rail");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Enumerated: Scalar + Copy {
    /// The term for a value in messages, such as `status`.
    const TITLE: &'static str;
    /// Whether the values are case-insensitive.
    const ANY_CASE: bool;
    /// The allowed values.
    const VALUES: &'static [EnumValue];
    /// The enum variants, in the same order.
    const VARIANTS: &'static [Self];

    /// Returns the allowed value that a variant stands for.
    fn name(self) -> &'static str {
        let place = Self::VARIANTS.iter().position(|value| *value == self);
        place.map_or("", |place| Self::VALUES[place].name)
    }
}
