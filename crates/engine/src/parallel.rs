//! Helpers that run work in parallel on the threads of a pool, or on the calling thread.
//!
//! Handing work to rayon's pool and waiting for it takes longer than parsing a small template. So a parse starts on the
//! calling thread and enters a pool only if there is much work (see [`Parser`](crate::Parser)). Outside a pool, no work
//! is shared with other threads; within a pool, small amounts of work are not shared either.

use rayon::prelude::*;

/// The total source size, in bytes, up to which one thread does all the work, because waking other threads several
/// times would take as long.
pub(crate) const SEQUENTIAL_BYTES: usize = 16 << 10;

/// Returns whether there are other threads to share work with.
pub(crate) fn is_parallel() -> bool {
    rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1
}

/// Applies `each` to each item and returns the results in order.
pub(crate) fn map<I: Sync, T: Send>(items: &[I], each: impl Fn(&I) -> T + Sync + Send) -> Vec<T> {
    if items.len() < 2 || !is_parallel() {
        items.iter().map(each).collect()
    } else {
        items.par_iter().map(each).collect()
    }
}

/// Applies `each` to each item by value and returns the results in order.
pub(crate) fn map_owned<I: Send, T: Send>(items: Vec<I>, each: impl Fn(I) -> T + Sync + Send) -> Vec<T> {
    if items.len() < 2 || !is_parallel() {
        items.into_iter().map(each).collect()
    } else {
        items.into_par_iter().map(each).collect()
    }
}

/// Applies `each` to one chunk of the items per thread and returns the results in order. Up to `few` items are not
/// split.
pub(crate) fn map_chunks<I: Sync, T: Send>(items: &[I], few: usize, each: impl Fn(&[I]) -> T + Sync + Send) -> Vec<T> {
    if items.len() <= few || !is_parallel() {
        return vec![each(items)];
    }
    items.par_chunks(items.len().div_ceil(rayon::current_num_threads()).max(few)).map(each).collect()
}
