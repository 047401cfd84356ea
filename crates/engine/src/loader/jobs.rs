//! The jobs of the loader and the threads on which they run.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::Arc;

use super::{FetchResult, Importer, Loading, SourceState};
use crate::entity::Language;
use crate::parallel;
use crate::phase::read::{DecodedSource, ImportRequest};
use crate::source::{Address, Stamp};

/// A unit of work.
pub(super) enum Job {
    Entry(FetchResult),
    Import {
        source: Arc<SourceState>,
        importer: Importer,
        number: usize,
        request: ImportRequest,
    },
    /// Reads a source that an option specifies.
    OptionSource {
        address: Address,
        source: Arc<SourceState>,
        language: &'static Language,
    },
    Fetched(FetchResult),
    Make {
        address: Address,
        source: Arc<SourceState>,
        written: Box<DecodedSource>,
        language: Option<&'static Language>,
        stamp: Option<Stamp>,
    },
}

/// The destination for further jobs.
pub(super) enum Jobs<'a, 's> {
    /// The jobs run on the threads of a pool.
    Scope(&'a rayon::Scope<'s>),
    /// The jobs run on the same thread.
    Queue(&'a Queue),
}

impl<'s> Jobs<'_, 's> {
    pub(super) fn add(&self, loading: &'s Arc<Loading>, job: Job) {
        match self {
            Self::Scope(scope) => scope.spawn(move |scope| loading.run(job, &Jobs::Scope(scope))),
            Self::Queue(queue) => queue.jobs.borrow_mut().push_back(job),
        }
    }

    /// Records the stamp that a source had before it was read, if the job that creates its unit is still in the queue.
    pub(super) fn note_stamp(&self, of: &SourceState, seen: Option<Stamp>) {
        let Self::Queue(queue) = self else { return };
        // No job is added after one that is put off.
        if let Some(Job::Make { source, stamp, .. }) = queue.jobs.borrow_mut().back_mut()
            && source.number == of.number
        {
            *stamp = seen;
        }
    }
}

/// The jobs that one thread runs by itself, until there is too much work for it.
pub(super) struct Queue {
    jobs: RefCell<VecDeque<Job>>,
    /// The number of bytes that may still be read.
    left: Cell<usize>,
    is_much: Cell<bool>,
}

impl Queue {
    pub(super) fn new(first: Job) -> Self {
        Self {
            jobs: RefCell::new(VecDeque::from([first])),
            left: Cell::new(parallel::SEQUENTIAL_BYTES),
            is_much: Cell::new(false),
        }
    }

    /// Returns the next job; `None` if there is none or there is too much work for one thread.
    pub(super) fn next(&self) -> Option<Job> {
        if self.is_much() { None } else { self.jobs.borrow_mut().pop_front() }
    }

    pub(super) fn extend(&self, jobs: impl Iterator<Item = Job>) {
        self.jobs.borrow_mut().extend(jobs);
    }

    /// Returns whether there is too much work for one thread.
    pub(super) fn is_much(&self) -> bool {
        self.is_much.get()
    }

    /// Returns whether a source of the given size may still be read on this thread.
    pub(super) fn takes(&self, bytes: usize) -> bool {
        self.left.get().checked_sub(bytes).inspect(|left| self.left.set(*left)).is_some()
    }

    /// Leaves the given job and all other jobs to other threads.
    pub(super) fn put_off(&self, job: Job) {
        self.is_much.set(true);
        self.jobs.borrow_mut().push_back(job);
    }

    pub(super) fn into_jobs(self) -> Vec<Job> {
        self.jobs.into_inner().into()
    }
}
