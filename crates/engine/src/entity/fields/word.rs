//! Words: scalars of which there is a list.

use super::super::{Scalar, Versions};

/// A word that can be the value of a keyname.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// How it is written.
    pub name: &'static str,
    /// What it means, in Markdown.
    pub docs: &'static str,
    /// The versions that have it.
    pub versions: Versions,
}

/// A scalar that is one of some words. [`Words`](macro@crate::Words) derives it from an enum.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::entity::{Given, Language, Words as _};
/// use tosca_parse::{Entity, Entry, Parser, Words};
///
/// /// How somebody goes somewhere.
/// #[derive(Words, Clone, Copy, Debug, PartialEq, Eq)]
/// #[words(title = "way to go")]
/// enum Way {
///     /// On foot.
///     Walking,
///     /// By train.
///     #[word(name = "rail")]
///     Train,
/// }
///
/// /// A way from here to there.
/// #[derive(Entity, Clone, Debug, Default)]
/// #[entity(title = "journey")]
/// struct Journey {
///     /// How one gets there.
///     by: Option<Given<Way>>,
/// }
///
/// tosca_parse::kinds! { static KINDS = [Journey]; }
/// static JOURNEYS: Language = Language::new("Journeys", KINDS);
///
/// let parser = Parser::builder(&JOURNEYS).build()?;
/// let outcome = parser.parse_entry(Entry::text(parser.address("today.yaml")?, "by: walkign"));
/// assert_eq!(outcome.diagnostics[0].message, "`walkign` is not a way to go");
/// assert_eq!(outcome.diagnostics[0].help, ["did you mean `walking`?"]);
/// assert_eq!(Way::Train.word(), "rail");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Words: Scalar + Copy {
    /// What authors call such a word, such as `status`.
    const TITLE: &'static str;
    /// Whether the words may be written in capitals.
    const ANY_CASE: bool;
    /// The words.
    const WORDS: &'static [Word];
    /// What they stand for, in the same order.
    const VALUES: &'static [Self];

    /// The name of the word that stands for the value.
    fn word(self) -> &'static str {
        let place = Self::VALUES.iter().position(|value| *value == self);
        place.map_or("", |place| Self::WORDS[place].name)
    }
}
