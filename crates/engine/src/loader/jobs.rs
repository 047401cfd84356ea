//! What the loader has to do, and who does it.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::Arc;

use super::{Arrival, Importer, Loading, Sought};
use crate::entity::Language;
use crate::phase::read::{ImportRequest, Written};
use crate::source::{Address, Stamp};
use crate::threads;

/// Something to do.
pub(super) enum Job {
    Entry(Arrival),
    Import {
        source: Arc<Sought>,
        importer: Importer,
        number: usize,
        request: ImportRequest,
    },
    /// To read a source that an option names.
    Given {
        address: Address,
        source: Arc<Sought>,
        language: &'static Language,
    },
    Fetched(Arrival),
    Make {
        address: Address,
        source: Arc<Sought>,
        written: Box<Written>,
        language: Option<&'static Language>,
        stamp: Option<Stamp>,
    },
}

/// Where further jobs go.
pub(super) enum Jobs<'a, 's> {
    /// To other threads.
    Scope(&'a rayon::Scope<'s>),
    /// To the same thread.
    Queue(&'a Queue),
}

impl<'s> Jobs<'_, 's> {
    pub(super) fn add(&self, loading: &'s Arc<Loading>, job: Job) {
        match self {
            Self::Scope(scope) => scope.spawn(move |scope| loading.run(job, &Jobs::Scope(scope))),
            Self::Queue(queue) => queue.jobs.borrow_mut().push_back(job),
        }
    }

    /// Notes what a source looked like before it was read, if a unit is still to be made of it.
    pub(super) fn note_stamp(&self, of: &Sought, seen: Option<Stamp>) {
        let Self::Queue(queue) = self else { return };
        for job in queue.jobs.borrow_mut().iter_mut() {
            if let Job::Make { source, stamp, .. } = job
                && source.number == of.number
            {
                *stamp = seen;
            }
        }
    }
}

/// The jobs of one thread, as long as there is little to do.
pub(super) struct Queue {
    jobs: RefCell<VecDeque<Job>>,
    /// How many bytes may still be read.
    left: Cell<usize>,
    is_much: Cell<bool>,
}

impl Queue {
    pub(super) fn new(first: Job) -> Self {
        Self {
            jobs: RefCell::new(VecDeque::from([first])),
            left: Cell::new(threads::LITTLE),
            is_much: Cell::new(false),
        }
    }

    /// The next job, if there is still little to do.
    pub(super) fn next(&self) -> Option<Job> {
        if self.is_much() { None } else { self.jobs.borrow_mut().pop_front() }
    }

    pub(super) fn extend(&self, jobs: impl Iterator<Item = Job>) {
        self.jobs.borrow_mut().extend(jobs);
    }

    /// Whether there is more to do than one thread should.
    pub(super) fn is_much(&self) -> bool {
        self.is_much.get()
    }

    /// Whether another text of some bytes may be read on this thread.
    pub(super) fn takes(&self, bytes: usize) -> bool {
        self.left.get().checked_sub(bytes).inspect(|left| self.left.set(*left)).is_some()
    }

    /// Leaves a job, and all others, to other threads.
    pub(super) fn put_off(&self, job: Job) {
        self.is_much.set(true);
        self.jobs.borrow_mut().push_back(job);
    }

    pub(super) fn into_jobs(self) -> Vec<Job> {
        self.jobs.into_inner().into()
    }
}
