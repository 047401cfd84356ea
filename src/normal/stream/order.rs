//! Texts that several threads make, and one writes in order.
//!
//! Nobody waits for all of the others, which takes time each time: as long as there are texts to make, threads make them,
//! and a few wait to be written. These few stay where they have been made, close to the threads, and their memory is used
//! again at once.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How many bytes may be in the making or wait to be written, for each thread, if more than one text for each is so short.
const MOST_BYTES: usize = 1 << 20;

/// How many texts may be so, for each thread.
const MOST: usize = 32;

/// Makes a text of each thing on the threads of the pool, and writes them in the order of the things. What stands before
/// them is written while some are made. A text is made where another one has been: `make` has to clear it.
///
/// # Errors
///
/// Those of the functions and of what is written to, to which nothing is written after that.
pub(super) fn write<T: Send>(
    out: &mut dyn Write,
    begin: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    things: impl Iterator<Item = T>,
    make: impl Fn(T, &mut Vec<u8>) -> io::Result<()> + Sync,
) -> io::Result<()> {
    let threads = rayon::current_num_threads();
    let (row, make) = (&Row::default(), &make);
    rayon::in_place_scope(|scope| {
        let (mut things, mut begin) = (things.enumerate(), Some(begin));
        let (mut open, mut longest, mut spare) = (0, 0, Vec::new());
        loop {
            // Of the first ones, nobody knows how long they get.
            let fitting = (MOST_BYTES * threads).checked_div(longest).unwrap_or(threads);
            let most = fitting.clamp(threads, MOST * threads);
            for (number, thing) in things.by_ref().take(most.saturating_sub(open)) {
                open += 1;
                let mut text = spare.pop().unwrap_or_default();
                scope.spawn(move |_| {
                    let mut place = Place { row, number, made: None };
                    place.made = Some(make(thing, &mut text).map(|()| text));
                });
            }
            begin.take().map_or(Ok(()), |begin| begin(out))?;
            if open == 0 {
                return Ok(());
            }
            // To wake somebody for each of them takes longer than to write it.
            for made in row.wait_for((most / 2).clamp(1, open)) {
                // Whoever panics says so when all have come to their end.
                let Some(text) = made.transpose()? else { return Ok(()) };
                out.write_all(&text)?;
                longest = longest.max(text.len());
                open -= 1;
                spare.push(text);
            }
        }
    })
}

/// What has been made and not been taken.
#[derive(Default)]
struct Row(Mutex<Made>, Condvar);

/// A text, or an error, or nothing if whoever made it has panicked.
type Text = Option<io::Result<Vec<u8>>>;

#[derive(Default)]
struct Made {
    /// From the first one on that has not been taken.
    texts: VecDeque<Option<Text>>,
    /// How many have been taken.
    taken: usize,
    /// How many of the others have been made.
    count: usize,
    /// How many somebody waits for.
    needed: usize,
}

impl Made {
    fn is_enough(&self) -> bool {
        self.count >= self.needed && matches!(self.texts.front(), Some(Some(_)))
    }
}

impl Row {
    fn made(&self) -> MutexGuard<'_, Made> {
        // Nobody panics while it is locked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, number: usize, text: Text) {
        let mut made = self.made();
        let place = number - made.taken;
        if made.texts.len() <= place {
            made.texts.resize_with(place + 1, || None);
        }
        made.texts[place] = Some(text);
        made.count += 1;
        if made.is_enough() {
            self.1.notify_one();
        }
    }

    /// The next ones, when so many have been made, of which no more may be needed than are being made.
    fn wait_for(&self, needed: usize) -> Vec<Text> {
        let mut made = self.made();
        made.needed = needed;
        while !made.is_enough() {
            if rayon::current_thread_index().is_none() {
                made = self.1.wait(made).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            // A thread of the pool makes some itself: there may be no other one.
            drop(made);
            if rayon::yield_now() != Some(rayon::Yield::Executed) {
                thread::yield_now();
            }
            made = self.made();
        }
        let mut next = Vec::with_capacity(made.count);
        while let Some(Some(text)) = made.texts.front_mut().map(Option::take) {
            made.texts.pop_front();
            next.push(text);
        }
        made.taken += next.len();
        made.count -= next.len();
        next
    }
}

/// Where a text goes when it has been made, or when whoever makes it has panicked: somebody waits for it.
struct Place<'r> {
    row: &'r Row,
    number: usize,
    made: Text,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.row.put(self.number, self.made.take());
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    fn pool(threads: usize) -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started")
    }

    /// What is written to, which calls a function with each text.
    struct Reader<F>(F);

    impl<F: FnMut(&[u8]) -> io::Result<()>> Write for Reader<F> {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            (self.0)(text).map(|()| text.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// As [`write`], asked by a thread of a pool or by another one.
    fn write_by<T: Send>(
        threads: Option<usize>,
        things: impl Iterator<Item = T> + Send,
        make: impl Fn(T, &mut Vec<u8>) -> io::Result<()> + Sync + Send,
        read: impl FnMut(&[u8]) -> io::Result<()> + Send,
    ) -> io::Result<()> {
        let mut reader = Reader(read);
        let write = || write(&mut reader, |_| Ok(()), things, make);
        match threads {
            Some(threads) => pool(threads).install(write),
            None => write(),
        }
    }

    #[test]
    fn texts_come_in_order_and_few_wait() {
        for by in [Some(1), Some(2), Some(5), None] {
            let threads = by.unwrap_or_else(rayon::current_num_threads);
            for length in [10, MOST_BYTES / 3, MOST_BYTES * 2] {
                let most = threads * (MOST_BYTES / length).clamp(1, MOST);
                let (begun, written) = (AtomicUsize::new(0), AtomicUsize::new(0));
                let make = |number: usize, text: &mut Vec<u8>| {
                    let open = begun.fetch_add(1, Ordering::SeqCst) + 1 - written.load(Ordering::SeqCst);
                    assert!(open <= most, "{open} are open, and {most} may be");
                    if number.is_multiple_of(7) {
                        thread::sleep(Duration::from_micros(300));
                    }
                    text.clear();
                    text.resize(length, number as u8);
                    Ok(())
                };
                let read = |text: &[u8]| {
                    let number = written.fetch_add(1, Ordering::SeqCst);
                    assert_eq!(
                        (text.len(), text.first(), text.last()),
                        (length, Some(&(number as u8)), Some(&(number as u8)))
                    );
                    Ok(())
                };
                let count = if length == 10 { 1000 } else { 40 };
                write_by(by, 0..count, make, read).expect("nothing fails");
                assert_eq!(written.into_inner(), count);
            }
        }
    }

    #[test]
    fn an_error_ends_it() {
        for by in [Some(1), Some(2), None] {
            let mut written = 0;
            let make = |number, text: &mut Vec<u8>| {
                *text = vec![1];
                if number == 400 { Err(io::Error::other("no text")) } else { Ok(()) }
            };
            let read = |_: &[u8]| {
                written += 1;
                Ok(())
            };
            let failed = write_by(by, 0..10_000, make, read).expect_err("one can't be made");
            assert_eq!((failed.to_string().as_str(), written), ("no text", 400));
            let make = |_, text: &mut Vec<u8>| {
                *text = vec![1];
                Ok(())
            };
            let failed = write_by(by, 0..10_000, make, |_| Err(io::Error::other("full"))).expect_err("it is full");
            assert_eq!(failed.to_string(), "full");
        }
        let begin = |_: &mut dyn Write| Err(io::Error::other("closed"));
        let failed = write(&mut io::sink(), begin, 0..3, |_, _| Ok(())).expect_err("it can't begin");
        assert_eq!(failed.to_string(), "closed");
    }

    #[test]
    fn threads_of_a_pool_write_several_things_at_once() {
        use rayon::prelude::*;

        for threads in [1, 2, 5] {
            let whole = |service: usize| {
                let mut whole = Vec::new();
                let make = |number: usize, text: &mut Vec<u8>| {
                    *text = vec![(service + number) as u8; 3];
                    Ok(())
                };
                write(&mut whole, |_| Ok(()), 0..20, make).map(|()| whole)
            };
            let written: io::Result<Vec<Vec<u8>>> =
                pool(threads).install(|| (0..5000).into_par_iter().map(whole).collect());
            for (service, whole) in written.expect("nothing fails").into_iter().enumerate() {
                assert!(whole.into_iter().eq((0..60).map(|at| (service + at / 3) as u8)), "service {service}");
            }
        }
    }

    #[test]
    fn a_panic_is_handed_on() {
        for by in [Some(1), Some(2), None] {
            let make = |number, _: &mut Vec<u8>| {
                assert_ne!(number, 40, "on purpose");
                Ok(())
            };
            let write = || write_by(by, 0..100, make, |_| Ok(()));
            assert!(catch_unwind(AssertUnwindSafe(write)).is_err());
        }
    }
}
