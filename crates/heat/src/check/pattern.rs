//! Regular expressions, which values must match from the start to the end.

use std::cell::RefCell;
use std::sync::Arc;

use fancy_regex::{Regex, RegexBuilder};
use tosca_parse::ard::Node;
use tosca_parse::budget::pattern::{RecentPatterns, weight_with_backtracking};
use tosca_parse::phase::{Context, ExcessPatterns};

/// The maximum number of backtracking steps when a value is matched against a pattern.
const MAX_STEPS: usize = 10_000;

/// The maximum size of a part of a compiled pattern, in bytes.
const MAX_SIZE: usize = 1 << 20;

/// A compiled pattern; `None` if it can't be run. The error is the reason why it is invalid.
type Compiled = Result<Option<Regex>, String>;

thread_local! {
    static RECENT: RefCell<RecentPatterns<Compiled>> = RefCell::default();
}

/// Returns whether a pattern is not run, because earlier patterns in the program exhaust the limit.
pub(super) fn is_excess(context: &Context<'_>, pattern: Node<'_>) -> bool {
    ExcessPatterns::in_units(context.program, &["allowed_pattern"], weight).is_some_and(|excess| excess.has(pattern))
}

/// Returns the reason why a pattern is invalid, if it is.
pub(super) fn fault(pattern: &str) -> Option<String> {
    compiled(pattern).as_ref().as_ref().err().cloned()
}

/// Returns whether the first match from the start ends at the end of the text. The service matches in the same way.
/// Returns `None` if the pattern can't be run or takes too long.
pub(super) fn matches_start(pattern: &str, text: &str) -> Option<bool> {
    let compiled = compiled(pattern);
    let pattern = compiled.as_ref().as_ref().ok()?.as_ref()?;
    Some(pattern.find(text).ok()?.is_some_and(|found| found.end() == text.len()))
}

fn weight(pattern: &str) -> u64 {
    weight_with_backtracking(pattern, MAX_SIZE)
}

fn compiled(pattern: &str) -> Arc<Compiled> {
    if let Some(recent) = RECENT.with_borrow(|recent| recent.get(pattern)) {
        return recent;
    }
    let mut builder = RegexBuilder::new(&format!("\\A(?:{pattern})"));
    let compiled = Arc::new(match builder.backtrack_limit(MAX_STEPS).delegate_size_limit(MAX_SIZE).build() {
        Ok(compiled) => Ok(Some(compiled)),
        // The fault of the pattern itself has the right position.
        Err(_) => match Regex::new(pattern) {
            Ok(_) => Ok(None),
            Err(fault) => Err(fault.to_string().lines().next().unwrap_or_default().to_owned()),
        },
    });
    RECENT.with_borrow_mut(|recent| recent.insert(pattern, weight(pattern), Arc::clone(&compiled)));
    compiled
}
