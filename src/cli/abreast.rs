//! Working on several things at a time, where what comes of them is needed in order.
//!
//! Small files are parsed faster than their parsing can be divided among threads, so whole files are. Results wait for
//! those before them, but only a few: what has been made of a file takes up much more memory than the file.

use std::io;
use std::sync::mpsc::sync_channel;
use std::thread;

/// How many results of one worker may wait.
const WAITING: usize = 2;

/// Works on things, `workers` at a time, and hands on what comes of them, in the order of the things.
///
/// # Errors
///
/// Those of `take`, which is not called again then.
pub(super) fn in_order<T: Send, R: Send>(
    things: Vec<T>,
    workers: usize,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> io::Result<()>,
) -> io::Result<()> {
    let workers = workers.min(things.len());
    if workers < 2 {
        return things.into_iter().try_for_each(|thing| take(work(thing)));
    }
    // Who gets what does not depend on who is faster, so the results of all need no sorting.
    let count = things.len();
    let mut shares: Vec<Vec<T>> = (0..workers).map(|_| Vec::new()).collect();
    for (number, thing) in things.into_iter().enumerate() {
        shares[number % workers].push(thing);
    }
    let work = &work;
    thread::scope(|scope| {
        let mut results = Vec::with_capacity(workers);
        for share in shares {
            let (sender, receiver) = sync_channel(WAITING);
            results.push(receiver);
            // Nobody takes results after an error.
            scope.spawn(move || share.into_iter().map(work).try_for_each(|result| sender.send(result)));
        }
        let taken = (0..count).map(|number| results[number % workers].recv());
        taken.flatten().try_for_each(take)
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
                assert!(ahead <= (WAITING + 2) * workers.max(1), "{ahead} are ahead");
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
            in_order((0..60).collect(), workers, work, take).expect("nothing fails");
            assert!(seen.into_iter().eq(0..60), "with {workers} workers");
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let mut taken = 0;
        let result = in_order(
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
