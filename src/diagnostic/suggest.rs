//! "Did you mean": the name that an author probably wanted to write.
//!
//! Keynames, names of types and codes of rules are all guessed here, so that a guess is equally good everywhere.

use std::cmp::Reverse;

/// Longer names are not compared by distance, whose cost grows with the square of the length.
const LONGEST: usize = 128;

/// Longer lists of what may be written are not shown.
const SHORT_LIST: usize = 8;

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

/// The help for a name that is not known: the nearest candidate, or all of them if they are few.
///
/// ```
/// # use tosca_parse::diagnostic::suggest::help;
/// assert_eq!(help("porperties", ["type", "properties"]).as_deref(), Some("did you mean `properties`?"));
/// assert_eq!(help("color", ["type", "properties"]).as_deref(), Some("known here are `properties` and `type`"));
/// assert_eq!(help("color", []), None);
/// ```
pub fn help<'a, I>(name: &str, candidates: I) -> Option<String>
where
    I: IntoIterator<Item = &'a str>,
    I::IntoIter: Clone,
{
    let candidates = candidates.into_iter();
    if let Some(nearest) = nearest(name, candidates.clone()) {
        return Some(format!("did you mean `{nearest}`?"));
    }
    let mut few: Vec<&str> = candidates.take(SHORT_LIST + 1).collect();
    few.sort_unstable();
    few.dedup();
    match few.as_slice() {
        [] => None,
        [only] => Some(format!("only `{only}` is known here")),
        all if all.len() > SHORT_LIST => None,
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|candidate| format!("`{candidate}`")).collect();
            Some(format!("known here are {} and `{last}`", first.join(", ")))
        }
    }
}

/// Two names without what they have in common up to a separator of qualified names.
fn without_shared_beginning<'n, 'c>(name: &'n str, candidate: &'c str) -> (&'n str, &'c str) {
    let shared = name.bytes().zip(candidate.bytes()).take_while(|(one, other)| one == other).count();
    let separator = name.as_bytes()[..shared].iter().rposition(|byte| b".:/".contains(byte));
    let start = separator.map_or(0, |separator| separator + 1);
    (&name[start..], &candidate[start..])
}

/// Whether two names differ at most in case and in their dashes.
fn alike(one: &str, other: &str) -> bool {
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
    Some(strsim::damerau_levenshtein(name, candidate)).filter(|distance| *distance <= bound)
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
