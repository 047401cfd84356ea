//! A parallel map that yields results in input order.
//!
//! A small file is parsed faster than its work could be split, so each thread takes whole files. Only a few results are
//! buffered, because a parsed file takes much more memory than its text.

use std::io;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::mpsc::sync_channel;
use std::thread;

/// The maximum number of buffered results per worker.
const MAX_WAITING: usize = 8;

/// Returns the given number of threads or, without one, the number of cores.
pub(super) fn workers(jobs: Option<u16>) -> usize {
    jobs.map_or_else(|| thread::available_parallelism().map_or(1, NonZero::get), usize::from)
}

/// Applies `work` to `things` on `workers` threads and passes the results to `take` in input order.
///
/// # Errors
///
/// Returns the first error of `take`, which is not called again after it.
pub(super) fn map_in_order<T: Send, R: Send>(
    things: Vec<T>,
    workers: usize,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> io::Result<()>,
) -> io::Result<()> {
    let (count, workers) = (things.len(), workers.min(things.len()));
    if workers < 2 {
        return things.into_iter().try_for_each(|thing| take(work(thing)));
    }
    let (places, results) = sync_channel(MAX_WAITING * workers);
    let queue = Mutex::new((things.into_iter(), places));
    // Takes the next item and, under the same lock, its place in the order of results.
    let next = || {
        let mut queue = queue.lock().ok()?;
        let thing = queue.0.next()?;
        let (sender, receiver) = sync_channel(1);
        // Sending fails if `take` has returned an error and `results` is gone.
        queue.1.send(receiver).ok()?;
        Some((thing, sender))
    };
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((thing, result)) = next() {
                    let _ = result.send(work(thing));
                }
            });
        }
        // Receiving fails only if a worker has panicked; the scope propagates the panic.
        results.into_iter().take(count).map_while(|result| result.recv().ok()).try_for_each(take)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_order_and_few_wait() {
        for workers in [0, 1, 2, 3, 7] {
            let (begun, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let mut seen = Vec::new();
            let work = |number: usize| {
                let ahead = begun.fetch_add(1, Ordering::SeqCst).saturating_sub(taken.load(Ordering::SeqCst));
                assert!(ahead <= (MAX_WAITING + 2) * workers.max(1), "{ahead} are ahead");
                if number.is_multiple_of(5) {
                    thread::sleep(Duration::from_millis(1));
                }
                number
            };
            let take = |number| {
                taken.fetch_add(1, Ordering::SeqCst);
                seen.push(number);
                Ok(())
            };
            map_in_order((0..200).collect(), workers, work, take).expect("nothing fails");
            assert!(seen.into_iter().eq(0..200), "with {workers} workers");
        }
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_ends_the_work() {
        let work = |number: u32| assert_ne!(number, 40, "on purpose");
        let _ = map_in_order((0..100).collect(), 2, work, |()| Ok(()));
    }

    #[test]
    fn an_error_ends_the_work() {
        let mut taken = 0;
        let result = map_in_order(
            (0..10_000).collect(),
            3,
            |number: u32| number,
            |_| {
                taken += 1;
                if taken == 4 { Err(io::Error::other("full")) } else { Ok(()) }
            },
        );
        assert_eq!((result.expect_err("the fourth fails").to_string(), taken), ("full".to_owned(), 4));
    }
}
