//! Threads for slow reads.
//!
//! Fifty imports from a server that takes 100 ms for each of them add 0.7 s to a run of the command (debug build, busy
//! machine). Sequentially, they would take 5 s (2026-11-25).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// A few threads for reads that may take a long time. Each thread is started on demand and ends when there are no more
/// jobs.
#[derive(Clone, Default)]
pub(crate) struct BlockingPool(Arc<Mutex<Queue>>);

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Box<dyn FnOnce() + Send>>,
    threads: usize,
}

impl BlockingPool {
    /// The maximum number of threads. More threads would overload a server.
    const MAX: usize = 16;

    /// Queues a job, which runs on one of the threads.
    pub(crate) fn run(&self, job: impl FnOnce() + Send + 'static) {
        let Ok(mut queue) = self.0.lock() else { return job() };
        queue.jobs.push_back(Box::new(job));
        if queue.threads == Self::MAX {
            return;
        }
        queue.threads += 1;
        drop(queue);
        let threads = self.clone();
        let thread = std::thread::Builder::new().name("tosca-parse source".to_owned());
        if thread.spawn(move || threads.work()).is_err() {
            // If no thread could be started, this thread runs the queued jobs.
            self.work();
        }
    }

    fn work(&self) {
        while let Some(job) = self.next() {
            job();
        }
    }

    /// Returns the next job; `None` if there is none, so that the thread ends.
    fn next(&self) -> Option<Box<dyn FnOnce() + Send>> {
        let mut queue = self.0.lock().ok()?;
        let job = queue.jobs.pop_front();
        if job.is_none() {
            queue.threads -= 1;
        }
        job
    }
}
