//! Regular expressions, which are not compiled again for each value that is compared with them.

use std::borrow::Cow;
use std::cell::RefCell;

use regex::{Error, Regex, RegexBuilder};
use rustc_hash::FxHashMap;

/// The size of the largest expression that is used, in bytes when it is compiled. `\w{1,255}` takes half of it.
const LARGEST: usize = 10 << 20;

/// How many expressions a thread keeps: services use few, and small ones.
const MOST_KEPT: usize = 32;

/// Expressions from this size on count for several.
const LARGE: usize = 1 << 20;
const WEIGHT_OF_LARGE: usize = 8;

/// The expressions that have been used lately, nothing for those that are not expressions.
#[derive(Default)]
struct Kept {
    expressions: FxHashMap<Box<str>, Option<Regex>>,
    weight: usize,
}

thread_local! {
    /// Each thread has its own, so that none waits for another.
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// Why an expression is not used.
pub(crate) enum Fault {
    /// It is not an expression, for this reason.
    Wrong(String),
    /// It may be one for other engines, but this one can't run it, for this reason.
    Unused(&'static str),
}

/// What other engines know besides, and this one takes for mistakes: atomic groups, comments and conditions, named
/// references, and letters with a meaning.
const ELSEWHERE: &[&str] =
    &["(?>", "(?#", "(?(", "(?|", "(?P=", "(?&", "\\Z", "\\G", "\\h", "\\H", "\\R", "\\K", "\\X"];

/// Why an expression is not used; nothing if it is. The standard does not say what a regular expression is: what the
/// library finds wrong is, but what it does not know may be all right elsewhere.
pub(crate) fn fault(pattern: &str) -> Option<Fault> {
    let reason = match compile(pattern) {
        Ok(_) => return None,
        Err(Error::CompiledTooBig(_)) => return Some(Fault::Unused("is too large")),
        Err(error) => error.to_string(),
    };
    let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
    let is_elsewhere = reason.contains("not supported") || ELSEWHERE.iter().any(|part| pattern.contains(part));
    Some(if is_elsewhere {
        Fault::Unused("looks around, refers back, or has other parts that are not run here")
    } else {
        Fault::Wrong(reason.to_owned())
    })
}

/// Compiles an expression.
pub(crate) fn compile(pattern: &str) -> Result<Regex, Error> {
    limited(pattern, LARGEST)
}

fn limited(pattern: &str, size: usize) -> Result<Regex, Error> {
    RegexBuilder::new(pattern).size_limit(size).dfa_size_limit(size).build()
}

/// Whether an expression matches a part of a text; nothing if it is not an expression that can be used.
pub(crate) fn is_match(pattern: &str, text: &str) -> Option<bool> {
    KEPT.with_borrow_mut(|kept| {
        if let Some(known) = kept.expressions.get(pattern) {
            return known.as_ref().map(|expression| expression.is_match(text));
        }
        let (compiled, weight) = match limited(pattern, LARGE) {
            Err(Error::CompiledTooBig(_)) => (compile(pattern).ok(), WEIGHT_OF_LARGE),
            compiled => (compiled.ok(), 1),
        };
        if kept.weight + weight > MOST_KEPT {
            *kept = Kept::default();
        }
        let result = compiled.as_ref().map(|expression| expression.is_match(text));
        kept.expressions.insert(pattern.into(), compiled);
        kept.weight += weight;
        result
    })
}

/// The expression that matches the texts that another one matches as a whole. An expression that is anchored at both ends
/// is left as it is.
pub(crate) fn whole(pattern: &str) -> Cow<'_, str> {
    let inner = pattern.strip_prefix('^').and_then(|inner| inner.strip_suffix('$'));
    // An anchor does not hold for all alternatives, may be optional or escaped, and flags may change its meaning.
    let is_anchored = inner.is_some_and(|inner| {
        let has_flags = inner.split("(?").skip(1).any(|group| !group.starts_with(':'));
        !has_flags && !inner.contains('|') && !inner.starts_with(['*', '+', '?', '{']) && !inner.ends_with('\\')
    });
    if is_anchored { Cow::Borrowed(pattern) } else { Cow::Owned(format!("^(?:{pattern})$")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_as_if_nothing_were_kept() {
        let large = r"\w{120}";
        assert!(matches!(limited(large, LARGE), Err(Error::CompiledTooBig(_))));
        assert!(compile(large).is_ok());
        let too_large = r"(\w{100}){100}";
        assert!(matches!(compile(too_large), Err(Error::CompiledTooBig(_))));
        let patterns = (0..3 * MOST_KEPT).map(|number| format!("^a{{{number}}}$"));
        for pattern in patterns.chain([large, too_large, "["].map(str::to_owned)).chain([whole("a|b").into_owned()]) {
            for _ in 0..2 {
                for text in ["", "a", "aaaaa", "ab"] {
                    let expected = compile(&pattern).ok().map(|expression| expression.is_match(text));
                    assert_eq!(is_match(&pattern, text), expected, "{pattern} {text}");
                }
            }
        }
        assert!(KEPT.with_borrow(|kept| kept.expressions.len()) <= MOST_KEPT);
    }

    #[test]
    fn whole_texts_are_matched() {
        let anchored = ["^$", "^a$", "^a+$", "^(?:a)+$", r"^a\d$"];
        let others =
            ["a", "", "a|ab", "^a|b$", "^(a|b)$", "^*a$", "^?a$", "^{0}a$", r"^a\$", "(?m)^a$", "^(?m)a$", "^a", "a$"];
        for pattern in anchored.into_iter().chain(others) {
            let matches = |pattern: &str, text| compile(pattern).map(|expression| expression.is_match(text)).ok();
            assert!(compile(pattern).is_ok(), "{pattern}");
            for text in ["", "a", "aa", "ab", "b", "ba", "xab", "a\nb", "b\na", "a$", "a$b", "a1", "ac", "aac", "c"] {
                let expected = matches(&format!("^(?:{pattern})$"), text);
                assert_eq!(matches(&whole(pattern), text), expected, "{pattern} {text:?}");
            }
        }
        let kept = |pattern: &&str| whole(pattern) == *pattern;
        assert!(anchored.iter().all(kept) && !others.iter().any(kept));
    }
}
