//! Searches of folders that several parsers share.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The searches of folders for sources by name. Parsers that share them search the same folders once, and their
/// searches have a common limit.
///
/// A search gets what the earlier ones have left of the limit, in the order in which they were registered. So the
/// parsers must be built one after another, and the results don't depend on threads.
#[derive(Clone, Default)]
pub struct Searches(Arc<Mutex<Vec<Arc<dyn Any + Send + Sync>>>>);

impl Searches {
    /// Returns the registered search that `is_same` accepts. If there is none, registers a new one, which is created
    /// from the latest one of its type.
    pub fn get_or_register<S: Any + Send + Sync>(
        &self,
        is_same: impl Fn(&S) -> bool,
        new: impl FnOnce(Option<Arc<S>>) -> S,
    ) -> Arc<S> {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut latest = None;
        for search in list.iter().filter_map(|search| Arc::clone(search).downcast::<S>().ok()) {
            if is_same(&search) {
                return search;
            }
            latest = Some(search);
        }
        let search = Arc::new(new(latest));
        list.push(search.clone());
        search
    }
}

impl fmt::Debug for Searches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searches").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_search_is_registered_once() {
        let searches = Searches::default();
        let get = |name: &'static str| {
            type Search = (&'static str, Option<&'static str>);
            let new = |latest: Option<Arc<Search>>| (name, latest.map(|latest| latest.0));
            *searches.get_or_register(|known: &Search| known.0 == name, new)
        };
        assert_eq!(get("a"), ("a", None));
        assert_eq!(*searches.get_or_register(|_: &u8| true, |latest| u8::from(latest.is_some())), 0);
        assert_eq!(get("b"), ("b", Some("a")));
        assert_eq!(get("a"), ("a", None));
        assert_eq!(get("c"), ("c", Some("b")));
    }
}
