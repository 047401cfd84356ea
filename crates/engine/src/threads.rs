//! Where work is done: on the threads of a pool, or on the thread that asks for it.
//!
//! To hand work to rayon's pool, and to wait for it, takes longer than to parse a small template. So a parsing begins on
//! the thread of who asks for it, and enters a pool only if there is much to do (see [`Parser`](crate::Parser)). Outside
//! of a pool, nothing is shared with other threads, and neither is little within one.

use rayon::prelude::*;

/// How many bytes of text are little to do, all together. One thread works on them for as long as it takes to wake others
/// several times.
pub(crate) const LITTLE: usize = 16 << 10;

/// Whether there are other threads to share work with.
pub(crate) fn are_many() -> bool {
    rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1
}

/// What becomes of each item, in their order.
pub(crate) fn map<I: Sync, T: Send>(items: &[I], each: impl Fn(&I) -> T + Sync + Send) -> Vec<T> {
    if items.len() < 2 || !are_many() { items.iter().map(each).collect() } else { items.par_iter().map(each).collect() }
}

/// What becomes of each item, which is not needed any more, in their order.
pub(crate) fn map_each<I: Send, T: Send>(items: Vec<I>, each: impl Fn(I) -> T + Sync + Send) -> Vec<T> {
    if items.len() < 2 || !are_many() {
        items.into_iter().map(each).collect()
    } else {
        items.into_par_iter().map(each).collect()
    }
}

/// What becomes of a share of the items for each thread, unless they are few, in their order.
pub(crate) fn map_shares<I: Sync, T: Send>(items: &[I], few: usize, each: impl Fn(&[I]) -> T + Sync + Send) -> Vec<T> {
    if items.len() <= few || !are_many() {
        return vec![each(items)];
    }
    items.par_chunks(items.len().div_ceil(rayon::current_num_threads()).max(few)).map(each).collect()
}
