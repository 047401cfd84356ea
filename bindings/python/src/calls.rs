//! Calls of Python functions that may block.
//!
//! When a program exits, Python before 3.14 ends every other thread that asks for the interpreter's lock. The process
//! aborts if the thread then has Rust code below the Python code. So such functions run on threads that Python starts,
//! and the calling thread waits for the result.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The threads of this process.
static THREADS: Mutex<Option<Threads>> = Mutex::new(None);

/// Threads that take their jobs from a queue.
struct Threads {
    /// The process that has started them. A forked process has no copies.
    process: u32,
    queue: Py<PyAny>,
    /// The number of threads without a job.
    idle: Arc<AtomicUsize>,
}

/// The receiver of a result.
#[pyclass(frozen)]
struct Done(Sender<PyResult<Py<PyAny>>>);

#[pymethods]
impl Done {
    fn __call__(&self, result: Py<PyAny>, error: Option<Bound<'_, PyAny>>) {
        let result = error.map_or(Ok(result), |error| Err(PyErr::from_value(error)));
        // The caller waits, unless the program exits.
        let _ = self.0.send(result);
    }
}

/// Calls a function on another thread, and waits for the result without the interpreter's lock.
pub(crate) fn call(function: &Bound<'_, PyAny>, arguments: Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
    let py = function.py();
    let module = py.import("tosca_parse._threads")?;
    let (queue, idle) = threads(py, &module)?;
    let (sender, received) = channel();
    let done = Bound::new(py, Done(sender))?;
    if idle.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |idle| idle.checked_sub(1)).is_err() {
        module.call_method1("start", (module.getattr("work")?, (&queue,)))?;
    }
    queue.call_method1(py, "put", ((function, arguments, done),))?;
    let result = py.detach(move || received.recv());
    idle.fetch_add(1, Ordering::Relaxed);
    result.unwrap_or_else(|_| Err(PyRuntimeError::new_err("the interpreter has ended")))
}

/// Returns the queue of the threads of this process, and the number of those without a job.
fn threads(py: Python<'_>, module: &Bound<'_, PyModule>) -> PyResult<(Py<PyAny>, Arc<AtomicUsize>)> {
    let process = std::process::id();
    let known = |threads: &Option<Threads>| {
        let known = threads.as_ref().filter(|threads| threads.process == process)?;
        Some((known.queue.clone_ref(py), known.idle.clone()))
    };
    if let Some(known) = known(&THREADS.lock().unwrap_or_else(PoisonError::into_inner)) {
        return Ok(known);
    }
    // Python code must not run while the mutex is locked, because another thread could wait for it with the
    // interpreter's lock.
    let queue = module.getattr("SimpleQueue")?.call0()?.unbind();
    let mut threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
    // Another thread may have created them in the meantime.
    if let Some(known) = known(&threads) {
        return Ok(known);
    }
    let idle = Arc::<AtomicUsize>::default();
    let of_parent = threads.replace(Threads { process, queue: queue.clone_ref(py), idle: idle.clone() });
    drop(threads);
    drop(of_parent);
    Ok((queue, idle))
}
