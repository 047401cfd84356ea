//! Regular expressions, which are not compiled again for each value that is compared with them.

use std::cell::RefCell;

use regex::{Error, Regex, RegexBuilder};
use rustc_hash::FxHashMap;

/// How many expressions a thread keeps, and of which size in bytes at most: services use few, and small ones.
const MOST_KEPT: usize = 32;
const LARGEST_KEPT: usize = 1 << 20;

thread_local! {
    /// The expressions that have been used lately, nothing for those that are not expressions. Each thread has its
    /// own, so that none waits for another.
    static KEPT: RefCell<FxHashMap<Box<str>, Option<Regex>>> = RefCell::default();
}

/// Compiles an expression.
pub(super) fn compile(pattern: &str) -> Result<Regex, Error> {
    Regex::new(pattern)
}

/// Whether an expression matches a part of a text; nothing if it is not an expression that can be used.
pub(super) fn is_match(pattern: &str, text: &str) -> Option<bool> {
    KEPT.with_borrow_mut(|kept| {
        if let Some(known) = kept.get(pattern) {
            return known.as_ref().map(|expression| expression.is_match(text));
        }
        let small = RegexBuilder::new(pattern).size_limit(LARGEST_KEPT).dfa_size_limit(LARGEST_KEPT).build();
        let compiled = match small {
            Err(Error::CompiledTooBig(_)) => return Some(compile(pattern).ok()?.is_match(text)),
            compiled => compiled.ok(),
        };
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        let result = compiled.as_ref().map(|expression| expression.is_match(text));
        kept.insert(pattern.into(), compiled);
        result
    })
}

/// The expression that matches the whole of what another one matches.
pub(super) fn whole(pattern: &str) -> String {
    format!("^(?:{pattern})$")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_as_if_nothing_were_kept() {
        let large = r"(\w{40}){40}";
        assert!(RegexBuilder::new(large).size_limit(LARGEST_KEPT).build().is_err(), "it is too large to be kept");
        let patterns = (0..3 * MOST_KEPT).map(|number| format!("^a{{{number}}}$"));
        for pattern in patterns.chain([large.to_owned(), "[".to_owned(), whole("a|b")]) {
            for _ in 0..2 {
                for text in ["", "a", "aaaaa", "ab"] {
                    let expected = Regex::new(&pattern).ok().map(|expression| expression.is_match(text));
                    assert_eq!(is_match(&pattern, text), expected, "{pattern} {text}");
                }
            }
        }
        assert!(KEPT.with_borrow(FxHashMap::len) <= MOST_KEPT);
    }
}
