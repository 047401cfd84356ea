//! Working on several things at a time, where what comes of them is needed in order.
//!
//! Small files are parsed faster than their parsing can be divided among threads, so whole files are. Results wait for
//! those before them, but only a few: what has been made of a file takes up much more memory than the file. To hand on
//! one by one what is small and quickly made would take as long as to make it, so that goes in handfuls.

use std::io;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

/// How many handfuls of one worker may wait.
const WAITING: usize = 2;

/// How many results there are in a handful at most, and what these weigh without the last.
const HANDFUL: usize = 16;
const HEAVY: usize = 256 << 10;

/// How long a handful may be in the making without the last result: somebody may be waiting for it.
const LONG: Duration = Duration::from_millis(20);

/// Works on things, `workers` at a time, and hands on what comes of them, in the order of the things. What the results
/// weigh together decides how many of them wait to be taken.
///
/// # Errors
///
/// Those of `take`, which is not called again then.
pub(super) fn in_order<T: Send, R: Send>(
    things: Vec<T>,
    workers: usize,
    work: impl Fn(T) -> R + Sync,
    weigh: impl Fn(&R) -> usize + Sync,
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
    let (work, weigh) = (&work, &weigh);
    thread::scope(|scope| {
        let mut results = Vec::with_capacity(workers);
        for share in shares {
            let (sender, receiver) = sync_channel(WAITING);
            results.push((receiver, Vec::new().into_iter()));
            scope.spawn(move || {
                let (mut handful, mut weight, mut began) = (Vec::new(), 0, Instant::now());
                for thing in share {
                    let result = work(thing);
                    weight += weigh(&result);
                    handful.push(result);
                    if handful.len() == HANDFUL || weight >= HEAVY || began.elapsed() >= LONG {
                        // Nobody takes results after an error.
                        if sender.send(std::mem::take(&mut handful)).is_err() {
                            return;
                        }
                        (weight, began) = (0, Instant::now());
                    }
                }
                let _ = sender.send(handful);
            });
        }
        let taken = (0..count).map(|number| {
            let (receiver, handful) = &mut results[number % workers];
            handful.next().or_else(|| {
                *handful = receiver.recv().ok()?.into_iter();
                handful.next()
            })
        });
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
        for (workers, weight) in [0, 1, 2, 3, 7].into_iter().flat_map(|workers| [(workers, 0), (workers, HEAVY)]) {
            let most = if weight == 0 { HANDFUL } else { 1 };
            let (begun, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let mut seen = Vec::new();
            let work = |number: usize| {
                let ahead = begun.fetch_add(1, Ordering::SeqCst).saturating_sub(taken.load(Ordering::SeqCst));
                assert!(ahead <= (WAITING + 2) * most * workers.max(1), "{ahead} are ahead");
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
            in_order((0..200).collect(), workers, work, |_| weight, take).expect("nothing fails");
            assert!(seen.into_iter().eq(0..200), "with {workers} workers");
        }
    }

    #[test]
    fn what_takes_long_is_handed_on_at_once() {
        let (begun, mut most) = (AtomicUsize::new(0), 0);
        let mut taken = 0;
        let work = |_| {
            begun.fetch_add(1, Ordering::SeqCst);
            thread::sleep(LONG);
        };
        let take = |()| {
            taken += 1;
            most = most.max(begun.load(Ordering::SeqCst).saturating_sub(taken));
            Ok(())
        };
        in_order((0..HANDFUL).collect(), 2, work, |()| 0, take).expect("nothing fails");
        assert!(most <= (WAITING + 2) * 2, "{most} have been waiting");
    }

    #[test]
    fn an_error_ends_the_work() {
        let mut taken = 0;
        let result = in_order(
            (0..10_000).collect(),
            3,
            |number: u32| number,
            |_| 0,
            |_| {
                taken += 1;
                if taken == 4 { Err(io::Error::other("full")) } else { Ok(()) }
            },
        );
        assert_eq!((result.expect_err("the fourth fails").to_string(), taken), ("full".to_owned(), 4));
    }
}
