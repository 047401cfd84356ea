//! A cache of regular expressions, so that they are not compiled again for each value.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};

use regex::{Error, Regex, RegexBuilder};

use super::datum::Datum;
use crate::ard::Node;
use crate::budget::pattern::{Cost, MAX_WEIGHT, RecentPatterns};
use crate::phase::{ExcessPatterns, Units};

pub(crate) use super::dialect::Fault;
use super::dialect::{self, TOO_LARGE};

/// The maximum size of a compiled expression, in bytes. `\w{1,160}` takes most of it.
const LARGEST: usize = 10 << 20;

/// A regular expression in any of the common dialects.
struct Expression {
    translated: Result<String, Fault>,
    cost: Cost,
    compiled: OnceLock<Result<Regex, Fault>>,
}

impl Expression {
    fn new(pattern: &str) -> Self {
        let translated = dialect::translate(pattern).map(|translated| translated.text);
        let cost = translated.as_ref().map_or(Cost::default(), |text| Cost::of_text(text));
        if cost.states > MAX_WEIGHT {
            return Self { translated: Err(too_large()), cost: Cost::default(), compiled: OnceLock::new() };
        }
        Self { translated, cost, compiled: OnceLock::new() }
    }

    /// Returns the weight of the compiled expression.
    fn weight(&self) -> u64 {
        if self.translated.is_ok() { self.cost.weight() } else { 1 }
    }

    /// Returns the compiled expression. It is compiled on first use.
    fn compiled(&self) -> Result<&Regex, &Fault> {
        self.compiled.get_or_init(|| self.compile()).as_ref()
    }

    fn compile(&self) -> Result<Regex, Fault> {
        let text = self.translated.as_ref().map_err(Fault::clone)?;
        RegexBuilder::new(text).size_limit(LARGEST).dfa_size_limit(LARGEST).build().map_err(|error| match error {
            Error::CompiledTooBig(_) => too_large(),
            // The only remaining faults of a translation are unknown properties and numbers that are too large.
            error if error.to_string().contains("property") => {
                Fault::Unused("has an unsupported character property".to_owned())
            }
            _ => Fault::Unused("is nested too deeply or repeats too much".to_owned()),
        })
    }
}

fn too_large() -> Fault {
    Fault::Unused(TOO_LARGE.to_owned())
}

/// The expressions that any thread has used, so that each is compiled only once.
static RECENT: LazyLock<RwLock<RecentPatterns<Expression>>> = LazyLock::new(RwLock::default);

thread_local! {
    /// The expressions that the thread has used, so that threads don't wait for each other.
    static RECENT_HERE: RefCell<RecentPatterns<Expression>> = RefCell::default();
}

/// Returns an expression, from the cache if possible.
fn expression(pattern: &str) -> Arc<Expression> {
    if let Some(recent) = RECENT_HERE.with_borrow(|recent| recent.get(pattern)) {
        return recent;
    }
    let recent = RECENT.read().unwrap_or_else(PoisonError::into_inner).get(pattern);
    let expression = recent.unwrap_or_else(|| {
        let expression = Arc::new(Expression::new(pattern));
        let mut recent = RECENT.write().unwrap_or_else(PoisonError::into_inner);
        recent.get(pattern).unwrap_or_else(|| {
            recent.insert(pattern, expression.weight(), Arc::clone(&expression));
            expression
        })
    });
    RECENT_HERE.with_borrow_mut(|recent| recent.insert(pattern, expression.weight(), Arc::clone(&expression)));
    expression
}

/// Returns the effort of matching a string.
pub(crate) fn effort(pattern: &Datum, text: &Datum) -> usize {
    let (Datum::String(pattern), Datum::String(text)) = (pattern, text) else { return 0 };
    let cost = expression(pattern).cost;
    usize::try_from(cost.search_steps(text.len())).unwrap_or(usize::MAX)
}

/// Returns the effort of compiling an expression, such that [`MAX_WEIGHT`] takes about 32 million.
pub(crate) fn effort_of_compiling(pattern: &Datum) -> u64 {
    const EFFORT: u64 = 80;
    let Datum::String(pattern) = pattern else { return 0 };
    expression(pattern).weight().saturating_mul(EFFORT)
}

/// Returns whether an expression is not run, because earlier expressions in the program exhaust the limit.
pub(crate) fn is_excess(units: &Units, pattern: Node<'_>) -> bool {
    const KEYS: &[&str] = &["$matches", "matches", "pattern"];
    ExcessPatterns::in_units(units, KEYS, |pattern| expression(pattern).weight())
        .is_some_and(|excess| excess.has(pattern))
}

/// Returns the reason why an expression is not run; `None` if it is run. `run` is the expression that is run in its place.
pub(crate) fn fault(units: &Units, pattern: Node<'_>, run: &str) -> Option<Fault> {
    if is_excess(units, pattern) {
        return Some(Fault::Unused("is too large together with the expressions before it".to_owned()));
    }
    let written = expression(pattern.text()).translated.as_ref().err().cloned();
    written.or_else(|| expression(run).compiled().err().cloned())
}

/// Returns whether an expression matches a substring of a string; `None` if the expression is rejected.
pub(crate) fn is_match(pattern: &str, text: &str) -> Option<bool> {
    expression(pattern).compiled().ok().map(|expression| expression.is_match(text))
}

/// Returns the expression that matches exactly the strings that the given expression matches as a whole. An expression
/// that is anchored at both ends is unchanged.
pub(crate) fn whole(pattern: &str) -> Cow<'_, str> {
    let inner = pattern.strip_prefix('^').and_then(|inner| inner.strip_suffix('$'));
    // An anchor may apply to only one alternative, or be optional or escaped, and flags may change its meaning.
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

    fn compile(pattern: &str) -> Result<Regex, Fault> {
        Expression::new(pattern).compile()
    }

    #[test]
    fn caching_does_not_change_results() {
        let large = r"\w{120}";
        assert!(compile(large).is_ok());
        let too_large = r"(\w{100}){100}";
        assert_eq!(compile(too_large).err(), Some(Fault::Unused(TOO_LARGE.to_owned())));
        let patterns = (0..100).map(|number| format!("^a{{{number}}}$"));
        for pattern in patterns.chain([large, too_large, "["].map(str::to_owned)).chain([whole("a|b").into_owned()]) {
            for _ in 0..2 {
                for text in ["", "a", "aaaaa", "ab"] {
                    let expected = compile(&pattern).ok().map(|expression| expression.is_match(text));
                    assert_eq!(is_match(&pattern, text), expected, "{pattern} {text}");
                }
            }
        }
        let is_recent = RECENT_HERE.with_borrow(|recent| recent.get(too_large).is_some());
        assert!(is_recent, "rejected expressions are cached");
    }

    #[test]
    fn whole_strings_are_matched() {
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
