//! Estimates the cost of regular expressions before they are compiled, keeps compiled ones, and finds successive matches.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use regex_syntax::hir::{Class, Hir, HirKind};

/// The maximum [weight](Cost::weight) of all different patterns in a program: 0.4 s and 80 MB.
pub const MAX_WEIGHT: u64 = 400_000;

/// The size of a compiled pattern and of its search caches, in bytes per unit of weight.
const BYTES_PER_WEIGHT: u64 = 120;

/// The cost of a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The number of positions in the pattern, each counted as often as it is repeated: an upper bound on the
    /// comparisons per character.
    pub places: u64,
    /// The approximate number of states in the compiled pattern.
    pub states: u64,
}

impl Cost {
    /// Returns the cost of the given parsed pattern.
    pub fn of(pattern: &Hir) -> Self {
        Self { places: total(pattern, &|_| 1), states: total(pattern, &ranges) }
    }

    /// Parses `text` and returns the cost of the pattern; no cost if it is not a valid pattern.
    pub fn of_text(text: &str) -> Self {
        regex_syntax::parse(text).map_or(Self { places: 0, states: 0 }, |pattern| Self::of(&pattern))
    }

    /// Returns the number of steps for compiling the pattern. Even a small pattern takes a few hundred.
    pub fn steps(self) -> u64 {
        const LEAST: u64 = 300;
        LEAST.saturating_add(self.states)
    }

    /// Returns the size of the compiled pattern and its search caches, in bytes.
    pub fn bytes(self) -> u64 {
        const LEAST: u64 = 16 << 10;
        const BYTES_PER_STATE: u64 = 32;
        LEAST.saturating_add(self.states.saturating_mul(BYTES_PER_STATE))
    }

    /// Returns the weight of the compiled pattern: the cost of compiling and keeping it, in units of about 1 µs and 120
    /// bytes.
    pub fn weight(self) -> u64 {
        const LEAST: u64 = 100;
        LEAST.saturating_add(self.states)
    }

    /// Returns the number of steps for searching text of the given length in bytes.
    pub fn search_steps(self, bytes: usize) -> u64 {
        const COMPARISONS: u64 = 128;
        self.places.saturating_mul(bytes as u64) / COMPARISONS
    }
}

/// Returns the weight of a pattern that may have parts that need backtracking, such as look-around. Then an engine compiles
/// the rest in several parts, each of at most `size` bytes.
pub fn weight_with_backtracking(text: &str, size: usize) -> u64 {
    if let Ok(pattern) = regex_syntax::parse(text) {
        return Cost::of(&pattern).weight();
    }
    // Backreferences, possessive quantifiers and groups that need backtracking separate the parts.
    let separators = text.bytes().filter(|byte| b"\\+?".contains(byte)).count() as u64;
    (separators + 1).saturating_mul(size as u64 / BYTES_PER_WEIGHT)
}

/// Recently used patterns in compiled form.
#[derive(Debug)]
pub struct RecentPatterns<T> {
    patterns: HashMap<Box<str>, Arc<T>>,
    weight: u64,
}

impl<T> Default for RecentPatterns<T> {
    fn default() -> Self {
        Self { patterns: HashMap::new(), weight: 0 }
    }
}

impl<T> RecentPatterns<T> {
    /// The maximum weight of all kept patterns: those of a program, as written and as they are run.
    const MAX: u64 = 2 * MAX_WEIGHT;

    /// Returns the compiled pattern.
    pub fn get(&self, text: &str) -> Option<Arc<T>> {
        self.patterns.get(text).cloned()
    }

    /// Keeps a compiled pattern. If the patterns become too large together, drops the others.
    pub fn insert(&mut self, text: &str, weight: u64, pattern: Arc<T>) {
        // The text is kept, too.
        let weight = weight.saturating_add(text.len() as u64 / BYTES_PER_WEIGHT + 1);
        self.weight = self.weight.saturating_add(weight);
        if self.weight > Self::MAX {
            self.patterns.clear();
            self.weight = weight;
        }
        self.patterns.insert(text.into(), pattern);
    }
}

/// Successive matches of a pattern in a text, as in Python: an empty match may follow another match, but not an empty one
/// at the same position.
#[derive(Clone, Debug)]
pub struct Matches<'t> {
    text: &'t str,
    from: usize,
    after_empty: bool,
}

/// A search for the next match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// A search for the first match that begins at a position or after it.
    From(usize),
    /// A search for a match that begins at a position and isn't empty. An engine may skip it if it always prefers such a
    /// match to an empty one.
    NotEmptyAt(usize),
}

impl<'t> Matches<'t> {
    /// Creates an iteration over the matches in a text.
    pub fn new(text: &'t str) -> Self {
        Self { text, from: 0, after_empty: false }
    }

    /// Returns the next match. The given closure returns a match and its range.
    ///
    /// # Errors
    ///
    /// Returns the errors of the closure.
    pub fn next<T, E>(
        &mut self,
        mut find: impl FnMut(Search) -> Result<Option<(T, Range<usize>)>, E>,
    ) -> Result<Option<T>, E> {
        let mut next = None;
        if self.after_empty {
            next = find(Search::NotEmptyAt(self.from))?;
            if next.is_none() {
                let Some(skipped) = self.text[self.from..].chars().next() else { return Ok(None) };
                self.from += skipped.len_utf8();
                self.after_empty = false;
            }
        }
        if next.is_none() {
            next = find(Search::From(self.from))?;
        }
        Ok(next.map(|(found, range)| {
            self.after_empty = range.is_empty();
            self.from = range.end;
            found
        }))
    }
}

/// Returns the number of positions in a pattern, where a character class counts as many as `class` returns.
fn total(pattern: &Hir, class: &dyn Fn(&Class) -> u64) -> u64 {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Class(characters) => class(characters),
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Capture(capture) => total(&capture.sub, class),
        HirKind::Repetition(repetition) => {
            let times = repetition.max.map_or(u64::from(repetition.min) + 1, u64::from);
            total(&repetition.sub, class).saturating_mul(times.max(1))
        }
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().map(|part| total(part, class)).fold(0, u64::saturating_add)
        }
    }
}

/// Returns the number of ranges in a character class, each of which takes separate states.
fn ranges(class: &Class) -> u64 {
    match class {
        Class::Unicode(class) => class.ranges().len().max(1) as u64,
        Class::Bytes(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_patterns_are_dropped_before_they_take_too_much_memory() {
        let mut recent = RecentPatterns::default();
        for number in 0..100 {
            recent.insert(&number.to_string(), MAX_WEIGHT / 10, Arc::new(number));
            assert!(recent.weight <= RecentPatterns::<u32>::MAX);
            assert!(recent.patterns.len() <= 20);
        }
        assert_eq!(recent.get("99").as_deref(), Some(&99));
        assert_eq!(recent.get("0"), None);
    }

    #[test]
    fn patterns_with_look_around_weigh_as_much_as_their_parts_may() {
        assert_eq!(weight_with_backtracking("abc", 1 << 20), 103);
        let one = weight_with_backtracking("(?!a)b", 1 << 20);
        assert_eq!(one, 2 * ((1 << 20) / 120));
        assert!(weight_with_backtracking(r"(?!a)b(?!c)\1", 1 << 20) > one);
    }

    #[test]
    fn repetitions_count() {
        let cost = |pattern| regex_syntax::parse(pattern).map(|pattern| Cost::of(&pattern)).ok();
        assert_eq!(cost("abc"), Some(Cost { places: 3, states: 3 }));
        assert_eq!(cost("(?:[a-cx-z]{2,5}|d)*"), Some(Cost { places: 6, states: 11 }));
        assert!(cost(r"(\w{100}){100}").is_some_and(|cost| cost.places == 10_000 && cost.states > 1_000_000));
    }

    #[test]
    fn empty_matches_follow_others() {
        // The pattern `a*`.
        let text = "éaab";
        let find = |search| match search {
            Search::NotEmptyAt(_) => Ok::<_, ()>(None),
            Search::From(from) => {
                let length = text[from..].bytes().take_while(|next| *next == b'a').count();
                Ok(Some((from..from + length, from..from + length)))
            }
        };
        let mut matches = Matches::new(text);
        let found: Vec<_> = std::iter::from_fn(|| matches.next(find).ok().flatten()).collect();
        assert_eq!(found, [0..0, 2..4, 4..4, 5..5]);
        let mut none = Matches::new(text);
        assert_eq!(none.next(|_| Ok::<Option<((), _)>, ()>(None)), Ok(None));
        assert_eq!(none.next(|_| Err::<Option<((), _)>, _>("failed")), Err("failed"));
    }
}
