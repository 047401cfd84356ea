//! Searches in all files of the workspace.
//!
//! A search parses the files that may contain the name, and keeps only its results. It starts again if anything changes
//! in the meantime.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lsp_server::{ErrorCode, RequestId, Response};
use serde_json::Value;

use super::{Pending, Server};
use crate::handlers::{Finish, Reply};
use crate::index::Name;
use crate::references::{Found, Goal, Search};
use crate::trial::{self, Trial};
use crate::worker::TrialResult;

/// A search that is not finished.
pub(super) struct Running {
    pub(super) pending: Pending,
    pub(super) search: Arc<Search>,
    /// The files that have not been searched yet.
    pub(super) todo: BTreeSet<Name>,
    /// The results, by file.
    found: BTreeMap<String, Found>,
    /// Whether the search is for a rename that is already refused, so that the other files don't matter.
    is_refused: bool,
    /// The total size of the texts after a rename, in bytes.
    renamed_bytes: usize,
    finish: Finish,
}

/// A request that waits for the result of a trial.
pub(super) struct RunningTrial {
    pub(super) pending: Pending,
    /// The answer if there is no new problem.
    answer: Value,
    is_canceled: Arc<AtomicBool>,
}

impl RunningTrial {
    /// Stops the trial, and returns the request.
    pub(super) fn stop(self) -> Pending {
        self.is_canceled.store(true, Ordering::Relaxed);
        self.pending
    }
}

impl Server<'_> {
    /// Sends a reply or starts the search that it needs.
    pub(super) fn reply(&mut self, pending: Pending, reply: Reply) {
        match reply {
            Reply::Answer(answer) => self.respond(Response::new_ok(pending.id, answer)),
            Reply::Refusal(message) => self.refuse(pending.id, ErrorCode::RequestFailed, &message),
            Reply::Outdated => {
                self.refuse(pending.id, ErrorCode::ContentModified, "the document has changed since the request");
            }
            Reply::Search(search, finish) => self.begin_search(pending, search, finish),
            Reply::Trial(trial, answer) => self.begin_trial(pending, trial, answer),
        }
    }

    fn begin_trial(&mut self, pending: Pending, trial: Trial, answer: Value) {
        let is_canceled = Arc::<AtomicBool>::default();
        self.searched += 1;
        let number = self.searched;
        let trial = trial.prepare(number, (self.host.as_mut(), &self.files), is_canceled.clone());
        self.trials.insert(number, RunningTrial { pending, answer, is_canceled });
        if let Some(trial) = self.workers.run_trial(trial) {
            self.finish_trial(TrialResult { number, problem: Ok(trial.new_problem()) });
        }
    }

    /// Answers the request that waits for a trial, if nothing has changed in the meantime.
    pub(super) fn finish_trial(&mut self, TrialResult { number, problem }: TrialResult) {
        let Some(RunningTrial { pending, answer, .. }) = self.trials.remove(&number) else { return };
        let id = pending.id;
        match problem {
            Ok(None) => self.respond(Response::new_ok(id, answer)),
            Ok(Some(problem)) => self.refuse(id, ErrorCode::RequestFailed, &problem),
            Err(failure) => self.refuse(id, ErrorCode::InternalError, &failure),
        }
    }

    fn begin_search(&mut self, pending: Pending, search: Search, finish: Finish) {
        let (search, entries) = (Arc::new(search), self.entries());
        let may_match = search.filter();
        let mut running = Running {
            pending,
            search: search.clone(),
            todo: BTreeSet::new(),
            found: BTreeMap::new(),
            is_refused: false,
            renamed_bytes: 0,
            finish,
        };
        for (name, file) in self.files.iter() {
            if !file.record.as_ref().is_none_or(&may_match) {
                continue;
            }
            match &file.parsed {
                Some(parsed) => running.add(running.search.of_program(parsed, &entries)),
                None if file.record.as_ref().is_some_and(|record| record.is_left_out) && file.due.is_none() => {
                    running.add(vec![unread(name, "the imports of other files exceed the limit")]);
                }
                None => {
                    running.todo.insert(name.clone());
                }
            }
        }
        // Results of an earlier search may still arrive, so numbers are not reused.
        self.searched += 1;
        self.searches.insert(self.searched, running);
        self.finish_searches();
    }

    /// Adds the results of searches in a file.
    pub(super) fn note_found(&mut self, name: &str, found: Vec<(u64, Vec<Found>)>) {
        for (number, found) in found {
            if let Some(running) = self.searches.get_mut(&number) {
                running.todo.remove(name);
                running.add(found);
            }
        }
        self.finish_searches();
    }

    /// Notes that a file can't be searched.
    pub(super) fn search_has_failed(&mut self, name: &str, message: &str) {
        for running in self.searches.values_mut().filter(|running| running.todo.contains(name)) {
            running.todo.remove(name);
            running.add(vec![unread(name, message)]);
        }
        self.finish_searches();
    }

    fn finish_searches(&mut self) {
        let is_done = |running: &Running| running.todo.is_empty() || running.is_refused;
        while let Some(number) = self.searches.iter().find(|(_, running)| is_done(running)).map(|(number, _)| *number) {
            let Some(running) = self.searches.remove(&number) else { return };
            let reply = (running.finish)(self, running.found.into_values().collect());
            self.reply(running.pending, reply);
        }
    }

    /// Starts all searches again, also those whose results are on trial, because something has changed.
    pub(super) fn restart_searches(&mut self) {
        let pending = self.stop_searches();
        self.pending.extend(pending);
    }

    /// Stops the search or the trial for a request, and returns the request.
    pub(super) fn stop_search(&mut self, id: &RequestId) -> Option<Pending> {
        let search = self.searches.iter().find(|(_, running)| running.pending.id == *id).map(|(number, _)| *number);
        let search = search.and_then(|number| self.searches.remove(&number)).map(|running| running.pending);
        search.or_else(|| {
            let trial = self.trials.iter().find(|(_, running)| running.pending.id == *id).map(|(number, _)| *number);
            trial.and_then(|number| self.trials.remove(&number)).map(RunningTrial::stop)
        })
    }

    /// Stops all searches and trials, and returns their requests.
    pub(super) fn stop_searches(&mut self) -> Vec<Pending> {
        let running = std::mem::take(&mut self.searches).into_values().map(|running| running.pending);
        let trials = std::mem::take(&mut self.trials).into_values().map(RunningTrial::stop);
        running.chain(trials).collect()
    }
}

/// Returns the result for a file that can't be searched.
fn unread(name: &str, message: &str) -> Found {
    let obstacle = Some(format!("{name} can't be read: {message}"));
    Found { obstacle, ..Found::nothing(name.to_owned()) }
}

impl Running {
    /// Adds results. Sources that several entries read are searched more than once, so a file may already have some.
    fn add(&mut self, found: Vec<Found>) {
        for mut one in found {
            // One reason is enough to refuse a rename.
            self.is_refused |= one.obstacle.is_some() && matches!(self.search.goal, Goal::Rename { .. });
            match self.found.get_mut(&one.file) {
                Some(known) => known.obstacle = known.obstacle.take().or(one.obstacle),
                None => {
                    self.renamed_bytes += one.renamed.as_ref().map_or(0, String::len);
                    if self.renamed_bytes > trial::MAX_BYTES {
                        one.renamed = None;
                    }
                    self.found.insert(one.file.clone(), one);
                }
            }
        }
    }
}
