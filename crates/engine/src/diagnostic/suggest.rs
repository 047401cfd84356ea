//! "Did you mean": the name that an author probably wanted to write.
//!
//! Keynames, names of types and codes of rules are all guessed here, so that a guess is equally good everywhere.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Longer names are not compared by distance, whose cost grows with the square of the length.
const LONGEST: usize = 128;

/// Longer lists of what may be written are not shown.
const SHORT_LIST: usize = 12;

/// The candidate that is most like a misspelt name.
///
/// Candidates that differ only in case or in `-` and `_` come first. Of the others, as many characters may be wrong,
/// missing, superfluous or swapped as a third of the name is long, at least one, but never all of them. What both have
/// in common up to a `.`, `:` or `/` is not counted: `shop.types.Shelf` and `shop.types.Customer` are not alike. The
/// order of the candidates does not matter; the name itself is not suggested.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates = candidates.into_iter().filter(|candidate| *candidate != name);
    let ranked = candidates.filter_map(|candidate| {
        let (name, rest) = without_shared_beginning(name, candidate);
        let (alike, distance) = (alike(name, rest), distance(name, rest));
        (alike || distance.is_some()).then_some((Reverse(alike), distance.unwrap_or(usize::MAX), candidate))
    });
    ranked.min().map(|(_, _, candidate)| candidate)
}

/// Looks for what authors may have meant, within bounds.
///
/// Who misspells one name of thousands wants to be told which; but where each of thousands of names is unknown, looking
/// through all others for each of them would take longer than everything else, and nobody reads so many suggestions. So
/// every part of the work has a number of looks at candidates to spend. Threads must not look
/// at the same time with the same number, or what is suggested would depend on which of them came first.
#[derive(Debug)]
pub struct Suggestions {
    looks: AtomicUsize,
}

impl Suggestions {
    /// Suggestions that cost as many looks at a candidate at most.
    pub fn new(looks: usize) -> Self {
        Self { looks: AtomicUsize::new(looks) }
    }

    /// Whether all looks have been spent, so that candidates need not be put together.
    pub fn is_spent(&self) -> bool {
        self.looks.load(Ordering::Relaxed) == 0
    }

    /// Spends looks on finding the candidates.
    pub fn spend(&self, looks: usize) {
        self.looks.store(self.looks.load(Ordering::Relaxed).saturating_sub(looks), Ordering::Relaxed);
    }

    /// The [nearest] candidate. Nothing if there is none, or if all looks have been spent; the candidates are then not
    /// even listed.
    pub fn nearest<S: AsRef<str>>(&self, name: &str, candidates: impl IntoIterator<Item = S>) -> Option<S> {
        self.search(name, candidates, "").0
    }

    /// Help that names the nearest candidate, or else lists the candidates after `what`, if they are few.
    ///
    /// ```
    /// # extern crate tosca_parse_engine as tosca_parse;
    /// # use tosca_parse::diagnostic::suggest::Suggestions;
    /// let suggestions = Suggestions::new(1000);
    /// let help = |name| suggestions.help(name, ["type", "properties"], "it has");
    /// assert_eq!(help("porperties").as_deref(), Some("did you mean `properties`?"));
    /// assert_eq!(help("color").as_deref(), Some("it has `type` and `properties`"));
    /// assert_eq!(suggestions.help("color", [] as [&str; 0], "it has"), None);
    /// ```
    pub fn help<S: AsRef<str>>(
        &self,
        name: &str,
        candidates: impl IntoIterator<Item = S>,
        what: &str,
    ) -> Option<String> {
        self.search(name, candidates, what).1
    }

    /// The [nearest](Self::nearest) candidate together with the [help](Self::help).
    pub fn search<S: AsRef<str>>(
        &self,
        name: &str,
        candidates: impl IntoIterator<Item = S>,
        what: &str,
    ) -> (Option<S>, Option<String>) {
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
                let help = format!("did you mean `{}`?", names[place]);
                (Some(candidates.swap_remove(place)), Some(help))
            }
            None if names.is_empty() || names.len() > SHORT_LIST => (None, None),
            None => {
                let again = |(place, name): &(usize, &&str)| names[..*place].contains(*name);
                let once: Vec<&str> =
                    names.iter().enumerate().filter(|name| !again(name)).map(|(_, name)| *name).collect();
                (None, Some(format!("{what} {}", and_list(&once))))
            }
        }
    }
}

/// The looks that comparing two names takes: one for names of usual length, as letters are compared with letters.
fn cost(name: &str, candidate: &str) -> usize {
    const LETTERS: usize = 1024;
    1 + name.len().min(LONGEST) * candidate.len().min(LONGEST) / LETTERS
}

/// Names in back-ticks as a part of a sentence: "`a`, `b` and `c`".
pub fn and_list(names: &[&str]) -> String {
    sentence(names, "and")
}

/// Names in back-ticks as a part of a sentence: "`a`, `b` or `c`".
pub fn or_list(names: &[&str]) -> String {
    sentence(names, "or")
}

fn sentence(names: &[&str], conjunction: &str) -> String {
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} {conjunction} `{last}`", quoted(first)),
        _ => quoted(names),
    }
}

/// Two names without what they have in common up to a separator of qualified names.
fn without_shared_beginning<'n, 'c>(name: &'n str, candidate: &'c str) -> (&'n str, &'c str) {
    let shared = name.bytes().zip(candidate.bytes()).take_while(|(one, other)| one == other).count();
    let separator = name.as_bytes()[..shared].iter().rposition(|byte| b".:/".contains(byte));
    let start = separator.map_or(0, |separator| separator + 1);
    (&name[start..], &candidate[start..])
}

/// Whether two names differ at most in case and in their dashes, or one is the plural of the other: `policy` and
/// `policies`.
fn alike(one: &str, other: &str) -> bool {
    let is_plural =
        |one: &str, many: &str| one.strip_suffix('y').is_some_and(|stem| many.strip_suffix("ies") == Some(stem));
    if is_plural(one, other) || is_plural(other, one) {
        return true;
    }
    let plain = |character: char| if character == '-' { '_' } else { character };
    let one = one.chars().flat_map(char::to_lowercase).map(plain);
    one.eq(other.chars().flat_map(char::to_lowercase).map(plain))
}

/// How many slips of the pen lie between a name and a candidate, unless they are too many.
fn distance(name: &str, candidate: &str) -> Option<usize> {
    let (wanted, offered) = (Shape::of(name), Shape::of(candidate));
    let bound = (wanted.length / 3).max(1).min(wanted.length.saturating_sub(1));
    if wanted.length > LONGEST || wanted.distance_at_least(&offered) > bound {
        return None;
    }
    Some(strsim::osa_distance(name, candidate)).filter(|distance| *distance <= bound)
}

/// What is known of a name before its characters are compared one by one.
///
/// Ten thousand nodes of a type whose import was forgotten are compared with all types there are; a look at the shape
/// settles nearly all of these comparisons.
struct Shape {
    /// Number of characters.
    length: usize,
    /// A bit for each character that occurs; several characters share a bit.
    characters: u64,
}

impl Shape {
    fn of(name: &str) -> Self {
        name.chars().fold(Self { length: 0, characters: 0 }, |shape, character| Self {
            length: shape.length + 1,
            characters: shape.characters | 1 << (u32::from(character) % 64),
        })
    }

    /// A lower bound of the distance: every character that only one of both has must be edited.
    fn distance_at_least(&self, other: &Self) -> usize {
        let superfluous = (self.characters & !other.characters).count_ones() as usize;
        let missing = (other.characters & !self.characters).count_ones() as usize;
        self.length.abs_diff(other.length).max(superfluous).max(missing)
    }
}

#[cfg(test)]
mod tests;
