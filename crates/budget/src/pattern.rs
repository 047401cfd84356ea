//! The cost of regular expressions, known before they are compiled.

use regex_syntax::hir::{Class, Hir, HirKind};

/// The cost of a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The number of its positions, with all repetitions of each: an upper bound on the comparisons per character.
    pub places: u64,
    /// The approximate number of states of the compiled pattern.
    pub states: u64,
}

impl Cost {
    /// The bytes of a state of a compiled pattern.
    pub const BYTES_PER_STATE: u64 = 32;

    /// Returns the cost of a parsed pattern.
    pub fn of(pattern: &Hir) -> Self {
        Self { places: total(pattern, &|_| 1), states: total(pattern, &ranges) }
    }

    /// Returns the cost of a pattern, or no cost if the text is not a pattern.
    pub fn of_text(text: &str) -> Self {
        regex_syntax::parse(text).map_or(Self { places: 0, states: 0 }, |pattern| Self::of(&pattern))
    }

    /// Returns the number of steps for compiling the pattern. Even small patterns take a few hundred.
    pub fn steps(self) -> u64 {
        const LEAST: u64 = 300;
        LEAST.saturating_add(self.states)
    }

    /// Returns the size of the compiled pattern and its search caches, in bytes.
    pub fn bytes(self) -> u64 {
        const LEAST: u64 = 16 << 10;
        LEAST.saturating_add(self.states.saturating_mul(Self::BYTES_PER_STATE))
    }

    /// Returns the number of steps for searching a text of the given length in bytes.
    pub fn search_steps(self, bytes: usize) -> u64 {
        const COMPARISONS: u64 = 128;
        self.places.saturating_mul(bytes as u64) / COMPARISONS
    }
}

/// Returns the number of positions of a pattern. `class` returns how many a class counts for.
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

/// Returns the ranges of a class, each of which takes separate states.
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
    fn repetitions_count() {
        let cost = |pattern| regex_syntax::parse(pattern).map(|pattern| Cost::of(&pattern)).ok();
        assert_eq!(cost("abc"), Some(Cost { places: 3, states: 3 }));
        assert_eq!(cost("(?:[a-cx-z]{2,5}|d)*"), Some(Cost { places: 6, states: 11 }));
        assert!(cost(r"(\w{100}){100}").is_some_and(|cost| cost.places == 10_000 && cost.states > 1_000_000));
    }
}
