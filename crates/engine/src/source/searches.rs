//! Searches of paths that several parsers share.

use std::any::{Any, TypeId};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use foldhash::HashMap;

/// A search of a path, which is made once.
pub trait Search: Any + Send + Sync {
    /// What remains of the limit on all searches of this type.
    type Remaining: Copy;

    /// The limit on all searches of this type.
    const LIMIT: Self::Remaining;

    /// Searches the path within the given limit, unless it has been searched, and returns what remains.
    fn search(&self, remaining: Self::Remaining) -> Self::Remaining;
}

/// The searches of paths for sources by name. Parsers that share them search each path once, and their searches have a
/// common limit.
///
/// A search gets what the searches of earlier registered paths have left of the limit, and makes them first. Build the
/// parsers one after another, so that the results don't depend on threads. Registered paths are kept until the last
/// parser is dropped.
#[derive(Clone, Default)]
pub struct Searches(Arc<Mutex<Registry>>);

#[derive(Default)]
struct Registry {
    list: Vec<Arc<dyn Any + Send + Sync>>,
    /// The indexes of searches by type, path, and the settings that they depend on.
    known: HashMap<(TypeId, PathBuf, String), usize>,
}

/// The searches of a parser's paths, which are made on first use.
pub struct SearchPaths<S> {
    list: Vec<Arc<S>>,
    /// The number of registered searches up to the last one in the list.
    end: usize,
    searches: Searches,
    are_searched: OnceLock<()>,
}

impl Searches {
    /// Registers paths, in order of precedence, unless they are registered. `settings` are those on which the results
    /// depend.
    pub fn register<S: Search>(&self, paths: &[PathBuf], settings: &str, new: impl Fn(&Path) -> S) -> SearchPaths<S> {
        let mut registry = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Registry { list, known } = &mut *registry;
        let (mut found, mut end) = (Vec::with_capacity(paths.len()), 0);
        for path in paths {
            let number = *known.entry((TypeId::of::<S>(), path.clone(), settings.to_owned())).or_insert_with(|| {
                list.push(Arc::new(new(path)));
                list.len() - 1
            });
            end = end.max(number + 1);
            found.extend(Arc::clone(&list[number]).downcast());
        }
        SearchPaths { list: found, end, searches: self.clone(), are_searched: OnceLock::new() }
    }
}

impl<S: Search> SearchPaths<S> {
    /// Returns the searches without making them.
    pub fn list(&self) -> &[Arc<S>] {
        &self.list
    }

    /// Makes the searches and returns them.
    pub fn searched(&self) -> &[Arc<S>] {
        self.are_searched.get_or_init(|| {
            let registered = self.searches.0.lock().unwrap_or_else(PoisonError::into_inner).list[..self.end].to_vec();
            let searches = registered.into_iter().filter_map(|search| search.downcast::<S>().ok());
            searches.fold(S::LIMIT, |remaining, search| search.search(remaining));
        });
        &self.list
    }
}

impl fmt::Debug for Searches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searches").finish_non_exhaustive()
    }
}

impl<S> fmt::Debug for SearchPaths<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchPaths").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search that takes one from the limit.
    struct One(OnceLock<usize>);

    impl Search for One {
        type Remaining = usize;
        const LIMIT: usize = 10;

        fn search(&self, remaining: usize) -> usize {
            self.0.get_or_init(|| remaining) - 1
        }
    }

    #[test]
    fn paths_are_searched_once_in_the_order_of_their_registration() {
        let searches = Searches::default();
        let register = |paths: &[&str], settings| {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            searches.register(&paths, settings, |_| One(OnceLock::new()))
        };
        let limits = |paths: &SearchPaths<One>| -> Vec<Option<usize>> {
            paths.list().iter().map(|search| search.0.get().copied()).collect()
        };
        let first = register(&["a", "b"], "");
        let second = register(&["c", "a"], "");
        let third = register(&["d", "a"], "other");
        assert_eq!(limits(&first), [None, None]);
        second.searched();
        assert_eq!(limits(&first), [Some(10), Some(9)]);
        assert_eq!(limits(&second), [Some(8), Some(10)]);
        assert_eq!(limits(&third), [None, None]);
        third.searched();
        assert_eq!(limits(&third), [Some(7), Some(6)]);
    }
}
