//! Finds the name that an author probably intended, for "did you mean" help.
//!
//! All suggestions for keynames, type names and rule codes come from this module, so that they are consistent.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Help;

/// The maximum length of a name that is compared by edit distance, because the cost grows with the square of the
/// length.
const LONGEST: usize = 128;

/// The maximum number of allowed names that help lists.
const SHORT_LIST: usize = 12;

/// Returns the candidate that is most similar to a misspelled name.
///
/// Candidates that differ only in case or in `-` and `_` take precedence. In other candidates, up to a third of the
/// characters (or one, but never all) may be wrong, missing, superfluous or swapped. A common prefix that ends with
/// `.`, `:` or `/` is ignored: `shop.types.Shelf` and `shop.types.Customer` are not similar. The order of the
/// candidates does not matter; the name itself is never suggested.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates = candidates.into_iter().filter(|candidate| *candidate != name);
    let ranked = candidates.filter_map(|candidate| {
        let (name, rest) = without_shared_beginning(name, candidate);
        let (alike, distance) = (alike(name, rest), distance(name, rest));
        (alike || distance.is_some()).then_some((Reverse(alike), distance.unwrap_or(usize::MAX), candidate))
    });
    ranked.min().map(|(_, _, candidate)| candidate)
}

/// A bounded search for similar names.
///
/// A suggestion is useful for one misspelled name among thousands. But if thousands of names are unknown, comparing
/// each of them with all others would take longer than the rest of the run, for suggestions that are never read. So
/// every part of the work has its own budget of comparisons. Threads must not share a budget; otherwise, the
/// suggestions would depend on which thread is first.
#[derive(Debug)]
pub struct Suggestions {
    budget: usize,
    looks: AtomicUsize,
}

impl Suggestions {
    /// Creates a search with a budget of comparisons.
    pub fn new(looks: usize) -> Self {
        Self { budget: looks, looks: AtomicUsize::new(looks) }
    }

    /// Returns the number of comparisons so far.
    pub(crate) fn spent(&self) -> usize {
        self.budget - self.looks.load(Ordering::Relaxed)
    }

    /// Returns whether the budget is used up, so that candidates need not be collected.
    pub fn is_spent(&self) -> bool {
        self.looks.load(Ordering::Relaxed) == 0
    }

    /// Returns whether the budget suffices for this number of comparisons, so that candidates are worth collecting.
    pub(crate) fn has_room_for(&self, candidates: usize) -> bool {
        self.looks.load(Ordering::Relaxed) >= candidates
    }

    /// Reduces the budget by the cost of collecting candidates.
    pub fn spend(&self, looks: usize) {
        self.looks.store(self.looks.load(Ordering::Relaxed).saturating_sub(looks), Ordering::Relaxed);
    }

    /// Returns the [nearest] candidate; `None` if there is none or the budget is used up. In the latter case, the
    /// candidates are not even iterated.
    pub fn nearest<S: AsRef<str>>(&self, name: &str, candidates: impl IntoIterator<Item = S>) -> Option<S> {
        self.search(name, candidates, "").0
    }

    /// Returns help that names the nearest candidate or, if there is none, lists the candidates after `what`, provided
    /// that there are only a few.
    ///
    /// ```
    /// # extern crate tosca_parse_engine as tosca_parse;
    /// # use tosca_parse::diagnostic::suggest::Suggestions;
    /// let suggestions = Suggestions::new(1000);
    /// let help = |name| suggestions.help(name, ["type", "properties"], "it has").map(|help| help.to_string());
    /// assert_eq!(help("porperties").as_deref(), Some("did you mean `properties`?"));
    /// assert_eq!(help("color").as_deref(), Some("it has `type` and `properties`"));
    /// assert_eq!(suggestions.help("color", [] as [&str; 0], "it has"), None);
    /// ```
    pub fn help<S: AsRef<str>>(&self, name: &str, candidates: impl IntoIterator<Item = S>, what: &str) -> Option<Help> {
        self.search(name, candidates, what).1
    }

    /// Returns the [nearest](Self::nearest) candidate together with the [help](Self::help).
    pub fn search<S: AsRef<str>>(
        &self,
        name: &str,
        candidates: impl IntoIterator<Item = S>,
        what: &str,
    ) -> (Option<S>, Option<Help>) {
        let looks = self.looks.load(Ordering::Relaxed);
        if looks == 0 {
            return (None, None);
        }
        let mut left = looks;
        let afford = |candidate: &S| {
            let rest = left.checked_sub(cost(name, candidate.as_ref()));
            left = rest.unwrap_or(0);
            rest.is_some()
        };
        let mut candidates: Vec<S> = candidates.into_iter().take_while(afford).collect();
        self.looks.store(left, Ordering::Relaxed);
        let names: Vec<&str> = candidates.iter().map(AsRef::as_ref).collect();
        let near = nearest(name, names.iter().copied());
        match near.and_then(|near| names.iter().position(|name| *name == near)) {
            Some(place) => {
                let help = Help::did_you_mean(names[place]);
                (Some(candidates.swap_remove(place)), Some(help))
            }
            None if names.is_empty() || names.len() > SHORT_LIST => (None, None),
            None => {
                let again = |(place, name): &(usize, &&str)| names[..*place].contains(*name);
                let once: Vec<&str> =
                    names.iter().enumerate().filter(|name| !again(name)).map(|(_, name)| *name).collect();
                (None, Some(format!("{what} {}", and_list(&once)).into()))
            }
        }
    }
}

/// Returns the cost of comparing two names: 1 for most pairs, and more if they are long or each pair of letters must be
/// compared.
fn cost(name: &str, candidate: &str) -> usize {
    const BYTES: usize = 128;
    const PAIRS: usize = 64;
    let length = name.len() + candidate.len();
    let (name, candidate) = without_shared_beginning(name, candidate);
    let pairs = compared(name, candidate).map_or(0, |compared| compared.name.len() * compared.candidate.len());
    1 + length / BYTES + pairs / PAIRS
}

/// Joins names in back-quotes: "`a`, `b` and `c`".
pub fn and_list(names: &[&str]) -> String {
    sentence(names, "and")
}

/// The maximum number of names that a sentence lists.
const MAX_LISTED: usize = 20;

/// Joins names in back-quotes: "`a`, `b` or `c`". Of many names, only the first are listed.
pub fn or_list(names: &[&str]) -> String {
    sentence(names, "or")
}

fn sentence(names: &[&str], conjunction: &str) -> String {
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match names {
        [first @ .., _] if names.len() > MAX_LISTED => {
            let rest = first.len() - MAX_LISTED + 2;
            format!("{} {conjunction} {rest} others", quoted(&first[..MAX_LISTED - 1]))
        }
        [first @ .., last] if !first.is_empty() => format!("{} {conjunction} `{last}`", quoted(first)),
        _ => quoted(names),
    }
}

/// Returns both names without their common prefix, up to and including the last separator in it.
fn without_shared_beginning<'n, 'c>(name: &'n str, candidate: &'c str) -> (&'n str, &'c str) {
    let shared = name.bytes().zip(candidate.bytes()).take_while(|(one, other)| one == other).count();
    let separator = name.as_bytes()[..shared].iter().rposition(|byte| b".:/".contains(byte));
    let start = separator.map_or(0, |separator| separator + 1);
    (&name[start..], &candidate[start..])
}

/// Returns whether two names differ at most in case, dashes and underscores, or one is the plural of the other, such as
/// `policy` and `policies`.
fn alike(one: &str, other: &str) -> bool {
    let is_plural =
        |one: &str, many: &str| one.strip_suffix('y').is_some_and(|stem| many.strip_suffix("ies") == Some(stem));
    if is_plural(one, other) || is_plural(other, one) {
        return true;
    }
    if one.is_ascii() && other.is_ascii() {
        let plain = |byte: u8| if byte == b'-' { b'_' } else { byte.to_ascii_lowercase() };
        return one.len() == other.len() && one.bytes().map(plain).eq(other.bytes().map(plain));
    }
    let plain = |character: char| if character == '-' { '_' } else { character };
    let shared: usize =
        one.chars().zip(other.chars()).take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum();
    let one = one[shared..].chars().flat_map(char::to_lowercase).map(plain);
    one.eq(other[shared..].chars().flat_map(char::to_lowercase).map(plain))
}

/// Returns the edit distance between a name and a candidate; `None` if it is too large.
fn distance(name: &str, candidate: &str) -> Option<usize> {
    let Compared { name, candidate, bound } = compared(name, candidate)?;
    Some(strsim::osa_distance(name, candidate)).filter(|distance| *distance <= bound)
}

/// The parts in which two names differ, and the maximum of their edit distance.
struct Compared<'n, 'c> {
    name: &'n str,
    candidate: &'c str,
    bound: usize,
}

/// Returns the parts of two names that differ; `None` if they certainly differ too much.
fn compared<'n, 'c>(name: &'n str, candidate: &'c str) -> Option<Compared<'n, 'c>> {
    let (wanted, offered) = (Shape::of(name), Shape::of(candidate));
    let bound = (wanted.length / 3).max(1).min(wanted.length.saturating_sub(1));
    if wanted.length > LONGEST || wanted.distance_at_least(&offered) > bound {
        return None;
    }
    let shared = |(one, other): &(char, char)| one == other;
    let start: usize = name.chars().zip(candidate.chars()).take_while(shared).map(|(one, _)| one.len_utf8()).sum();
    let (name, candidate) = (&name[start..], &candidate[start..]);
    let ends = name.chars().rev().zip(candidate.chars().rev());
    let end: usize = ends.take_while(shared).map(|(one, _)| one.len_utf8()).sum();
    Some(Compared { name: &name[..name.len() - end], candidate: &candidate[..candidate.len() - end], bound })
}

/// A summary of a name, which makes most comparisons of characters unnecessary.
///
/// If an import is missing, ten thousand nodes may have an unknown type that is compared with all known types. The
/// summary is sufficient for nearly all of these comparisons.
struct Shape {
    /// The number of characters.
    length: usize,
    /// A bit set of the characters that occur; several characters may share a bit.
    characters: u64,
}

impl Shape {
    fn of(name: &str) -> Self {
        name.chars().fold(Self { length: 0, characters: 0 }, |shape, character| Self {
            length: shape.length + 1,
            characters: shape.characters | 1 << (u32::from(character) % 64),
        })
    }

    /// Returns a lower bound on the distance: every character that occurs in only one of the names must be edited.
    fn distance_at_least(&self, other: &Self) -> usize {
        let superfluous = (self.characters & !other.characters).count_ones() as usize;
        let missing = (other.characters & !self.characters).count_ones() as usize;
        self.length.abs_diff(other.length).max(superfluous).max(missing)
    }
}

#[cfg(test)]
mod tests;
