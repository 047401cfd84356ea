//! Regular expressions, which are not compiled again for each value that is compared with them.

use std::borrow::Cow;
use std::cell::RefCell;

use regex::{Error, Regex, RegexBuilder};
use rustc_hash::FxHashMap;

pub(crate) use super::dialect::Fault;
use super::dialect::{self, TOO_LARGE};

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

/// Why an expression is not used; `None` if it is.
pub(crate) fn fault(pattern: &str) -> Option<Fault> {
    compile(pattern, LARGEST).err()
}

/// Compiles an expression in any of the common dialects, if it needs at most `size` bytes.
fn compile(pattern: &str, size: usize) -> Result<Regex, Fault> {
    let text = dialect::translate(pattern)?.text;
    RegexBuilder::new(&text).size_limit(size).dfa_size_limit(size).build().map_err(|error| {
        let reason = match error {
            Error::CompiledTooBig(_) => TOO_LARGE,
            // A translation has no other faults than names of properties, and numbers that are too large.
            error if error.to_string().contains("property") => "has a property of characters that is not known here",
            _ => "is nested too deeply, or repeats too much",
        };
        Fault::Unused(reason.to_owned())
    })
}

/// Whether an expression matches a part of a text; nothing if it is not an expression that can be used.
pub(crate) fn is_match(pattern: &str, text: &str) -> Option<bool> {
    KEPT.with_borrow_mut(|kept| {
        if let Some(known) = kept.expressions.get(pattern) {
            return known.as_ref().map(|expression| expression.is_match(text));
        }
        let (compiled, weight) = match compile(pattern, LARGE) {
            Err(Fault::Unused(reason)) if reason == TOO_LARGE => (compile(pattern, LARGEST).ok(), WEIGHT_OF_LARGE),
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
        !has_flags
            && !inner.contains('|')
            && !inner.contains("\\Q")
            && !inner.starts_with(['*', '+', '?', '{'])
            && !inner.ends_with('\\')
    });
    if is_anchored {
        return Cow::Borrowed(pattern);
    }
    let terminator = dialect::translate(pattern).map_or("", |translated| translated.terminator);
    Cow::Owned(format!("^(?:{pattern}{terminator})$"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_as_if_nothing_were_kept() {
        let large = r"\w{120}";
        let is_too_large = |fault| fault == Some(Fault::Unused(TOO_LARGE.to_owned()));
        assert!(is_too_large(compile(large, LARGE).err()));
        assert!(compile(large, LARGEST).is_ok());
        let too_large = r"(\w{100}){100}";
        assert!(is_too_large(fault(too_large)));
        let patterns = (0..3 * MOST_KEPT).map(|number| format!("^a{{{number}}}$"));
        for pattern in patterns.chain([large, too_large, "["].map(str::to_owned)).chain([whole("a|b").into_owned()]) {
            for _ in 0..2 {
                for text in ["", "a", "aaaaa", "ab"] {
                    let expected = compile(&pattern, LARGEST).ok().map(|expression| expression.is_match(text));
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
            let matches =
                |pattern: &str, text| compile(pattern, LARGEST).map(|expression| expression.is_match(text)).ok();
            assert_eq!(fault(pattern), None, "{pattern}");
            for text in ["", "a", "aa", "ab", "b", "ba", "xab", "a\nb", "b\na", "a$", "a$b", "a1", "ac", "aac", "c"] {
                let expected = matches(&format!("^(?:{pattern})$"), text);
                assert_eq!(matches(&whole(pattern), text), expected, "{pattern} {text:?}");
            }
        }
        let kept = |pattern: &&str| whole(pattern) == *pattern;
        assert!(anchored.iter().all(kept) && !others.iter().any(kept));
    }
}
