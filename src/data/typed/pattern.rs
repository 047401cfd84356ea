//! A cache of regular expressions, so that they are not compiled again for each value.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::{LazyLock, PoisonError, RwLock};

use regex::{Error, Regex, RegexBuilder};
use rustc_hash::{FxHashMap, FxHashSet};

use super::datum::Datum;
use crate::ard::{Document, Kind, Node, NodeId};
use crate::budget::pattern::Cost;

pub(crate) use super::dialect::Fault;
use super::dialect::{self, TOO_LARGE};

/// The maximum size of a compiled expression, in bytes. `\w{1,255}` takes half of it.
const LARGEST: usize = 10 << 20;

/// The maximum number of states of all expressions in a document, plus a number for each of its bytes.
const STATES: u64 = 500_000;
const STATES_PER_BYTE: u64 = 8;

/// The maximum number of states of all cached expressions. It is larger than the maximum for one document.
const KEPT_STATES: u64 = 2_000_000;

/// The recently used expressions; `None` for rejected ones.
#[derive(Default)]
struct Kept {
    expressions: FxHashMap<Box<str>, Option<Regex>>,
    states: u64,
}

impl Kept {
    fn insert(&mut self, pattern: &str, expression: Option<Regex>) {
        let states = if expression.is_some() { cost(pattern).states } else { 0 };
        if self.states.saturating_add(states) > KEPT_STATES {
            // Rejected expressions take no memory, but compiling them takes as long as compiling others.
            self.expressions.retain(|_, expression| expression.is_none());
            self.states = 0;
        }
        self.expressions.insert(pattern.into(), expression);
        self.states += states;
    }
}

/// The expressions that any thread has compiled, so that each is compiled only once.
static COMPILED: LazyLock<RwLock<Kept>> = LazyLock::new(RwLock::default);

thread_local! {
    /// The thread's own copies, so that threads don't wait for each other.
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// Returns the effort of matching a string.
pub(crate) fn effort(pattern: &Datum, text: &Datum) -> usize {
    let (Datum::String(pattern), Datum::String(text)) = (pattern, text) else { return 0 };
    let cost = cost(pattern);
    usize::try_from(cost.states.saturating_add(cost.search_steps(text.len()))).unwrap_or(usize::MAX)
}

/// The expressions in a document that are not run, because earlier expressions exhaust the limit.
struct Excess(FxHashSet<NodeId>);

impl Excess {
    fn of(document: &Document) -> Self {
        const KEYS: [&str; 3] = ["$matches", "matches", "pattern"];
        let maps = document.nodes().filter(|node| node.kind() == Kind::Map);
        let calls = maps.flat_map(Node::entries).filter(|entry| KEYS.contains(&entry.key.text()));
        let patterns = calls.filter_map(|call| match call.value.kind() {
            Kind::List => call.value.items().last(),
            _ => Some(call.value),
        });
        let mut left = STATES.saturating_add(document.text().len() as u64 * STATES_PER_BYTE);
        let mut known = FxHashMap::default();
        let mut excess = FxHashSet::default();
        for pattern in patterns.filter(|pattern| pattern.kind() == Kind::String) {
            let is_excess = *known.entry(pattern.text()).or_insert_with(|| {
                let states = cost(pattern.text()).states;
                let fits = states <= left;
                left -= if fits { states } else { 0 };
                !fits
            });
            if is_excess {
                excess.insert(pattern.id());
            }
        }
        Self(excess)
    }
}

/// Returns whether an expression is not run, because earlier expressions in the document exhaust the limit.
pub(crate) fn is_excess(pattern: Node<'_>) -> bool {
    pattern.document().memo(Excess::of).is_some_and(|excess| excess.0.contains(&pattern.id()))
}

/// Returns the reason why an expression is not run; `None` if it is run.
pub(crate) fn fault(pattern: Node<'_>) -> Option<Fault> {
    if is_excess(pattern) {
        return Some(Fault::Unused("is too large together with the expressions before it".to_owned()));
    }
    let pattern = pattern.text();
    if kept(pattern).is_some() { None } else { compile(pattern).err() }
}

/// Compiles an expression in any of the common dialects.
fn compile(pattern: &str) -> Result<Regex, Fault> {
    let text = dialect::translate(pattern)?.text;
    if Cost::of_text(&text).states.saturating_mul(Cost::BYTES_PER_STATE) > 2 * LARGEST as u64 {
        return Err(Fault::Unused(TOO_LARGE.to_owned()));
    }
    RegexBuilder::new(&text).size_limit(LARGEST).dfa_size_limit(LARGEST).build().map_err(|error| {
        let reason = match error {
            Error::CompiledTooBig(_) => TOO_LARGE,
            // The only remaining faults of a translation are unknown properties and numbers that are too large.
            error if error.to_string().contains("property") => "has an unsupported character property",
            _ => "is nested too deeply or repeats too much",
        };
        Fault::Unused(reason.to_owned())
    })
}

/// Returns the cost of an expression; zero if it is not compiled.
fn cost(pattern: &str) -> Cost {
    dialect::translate(pattern).map_or(Cost::default(), |translated| Cost::of_text(&translated.text))
}

/// Returns the compiled expression, from the cache if possible; `None` if it is rejected.
fn kept(pattern: &str) -> Option<Regex> {
    if let Some(known) = KEPT.with_borrow(|kept| kept.expressions.get(pattern).cloned()) {
        return known;
    }
    let compiled = COMPILED.read().unwrap_or_else(PoisonError::into_inner).expressions.get(pattern).cloned();
    let compiled = compiled.unwrap_or_else(|| {
        let mut all = COMPILED.write().unwrap_or_else(PoisonError::into_inner);
        let known = all.expressions.get(pattern).cloned();
        known.unwrap_or_else(|| {
            let compiled = compile(pattern).ok();
            all.insert(pattern, compiled.clone());
            compiled
        })
    });
    KEPT.with_borrow_mut(|kept| kept.insert(pattern, compiled.clone()));
    compiled
}

/// Returns whether an expression matches a substring of a string; `None` if the expression is rejected.
pub(crate) fn is_match(pattern: &str, text: &str) -> Option<bool> {
    kept(pattern).map(|expression| expression.is_match(text))
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
        assert!(KEPT.with_borrow(|kept| kept.states) <= KEPT_STATES);
        let kept = KEPT.with_borrow(|kept| kept.expressions.get(too_large).is_some_and(Option::is_none));
        assert!(kept, "rejected expressions are cached");
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
