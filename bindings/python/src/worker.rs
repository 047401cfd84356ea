//! Threads for state that can't be shared.

use std::sync::mpsc::{Sender, channel};

use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

type Job<T> = Box<dyn FnOnce(&mut T) + Send>;

/// A thread that owns a value, so that any thread of the program can use it. It ends with the worker.
pub(crate) struct Worker<T> {
    jobs: Sender<Job<T>>,
    process: u32,
}

impl<T: 'static> Worker<T> {
    /// Starts a thread that creates the value.
    pub(crate) fn start(make: impl FnOnce() -> T + Send + 'static) -> PyResult<Self> {
        let (jobs, queue) = channel::<Job<T>>();
        let run = move || {
            let mut value = make();
            for job in queue {
                job(&mut value);
            }
        };
        let thread = std::thread::Builder::new().name("tosca-parse".to_owned());
        thread.spawn(run).map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(Self { jobs, process: std::process::id() })
    }

    /// Calls a function with the value, and waits for the result without the interpreter's lock.
    pub(crate) fn run<R: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut T) -> R + Send + 'static,
    ) -> PyResult<R> {
        // A forked process has no copy of the thread.
        if std::process::id() != self.process {
            return Err(PyRuntimeError::new_err("this object was created before the process was forked"));
        }
        py.detach(|| {
            let (result, received) = channel();
            let job = Box::new(move |value: &mut T| drop(result.send(work(value))));
            self.jobs.send(job).ok()?;
            received.recv().ok()
        })
        .ok_or_else(|| PyRuntimeError::new_err("the evaluation failed unexpectedly; this object can no longer be used"))
    }
}
