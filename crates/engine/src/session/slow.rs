//! Threads for what may take long.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Threads for readings that may take long: a few, started when needed, gone when idle.
#[derive(Clone, Default)]
pub(crate) struct SlowThreads(Arc<(Mutex<Queue>, Condvar)>);

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Box<dyn FnOnce() + Send>>,
    threads: usize,
    idle: usize,
}

impl SlowThreads {
    /// More would not be polite to a server.
    const MOST: usize = 16;
    const IDLE: Duration = Duration::from_secs(2);

    /// Runs a job on one of the threads.
    pub(crate) fn run(&self, job: impl FnOnce() + Send + 'static) {
        let (queue, signal) = &*self.0;
        let Ok(mut state) = queue.lock() else { return job() };
        state.jobs.push_back(Box::new(job));
        if state.idle < state.jobs.len() && state.threads < Self::MOST {
            state.threads += 1;
            let threads = self.clone();
            drop(state);
            if std::thread::Builder::new().name("tosca-parse source".to_owned()).spawn(move || threads.work()).is_err()
            {
                // Without any thread, what is queued is done here.
                self.work();
            }
        } else {
            signal.notify_one();
        }
    }

    fn work(&self) {
        let (queue, signal) = &*self.0;
        loop {
            let Ok(mut state) = queue.lock() else { return };
            let job = match state.jobs.pop_front() {
                Some(job) => {
                    // Held on to while the job runs, the lock would let only one run at a time.
                    drop(state);
                    job
                }
                None => {
                    state.idle += 1;
                    let Ok((mut state, timeout)) = signal.wait_timeout(state, Self::IDLE) else { return };
                    state.idle -= 1;
                    match state.jobs.pop_front() {
                        Some(job) => job,
                        None if timeout.timed_out() => {
                            state.threads -= 1;
                            return;
                        }
                        None => continue,
                    }
                }
            };
            job();
        }
    }
}
