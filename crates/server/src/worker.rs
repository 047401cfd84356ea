//! The background threads that parse.
//!
//! One thread parses the files that the user waits for. The other files of the workspace are small and many, so each of
//! the other threads parses whole files, and pauses while the first thread is busy.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use foldhash::HashSet;
use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::source::Address;
use tosca_parse::{Entry, Parser};
use web_time::Instant;

use crate::index::{Name, Record, stamp};
use crate::parsed::Parsed;
use crate::protocol::Client;
use crate::references::{Found, Search};
use crate::trial::PreparedTrial;

/// A file to parse.
pub(crate) struct Job {
    /// The number of jobs before it.
    pub(crate) number: u64,
    pub(crate) file: Address,
    pub(crate) parser: Parser,
    pub(crate) entry: Entry,
    /// The problems that the parser does not find.
    pub(crate) problems: Vec<Diagnostic>,
    /// Whether the program is kept.
    pub(crate) is_kept: bool,
    /// Whether the file is open in the editor.
    pub(crate) is_open: bool,
    /// The names of all entries.
    pub(crate) entries: Arc<HashSet<Name>>,
    /// The searches in the program, by number.
    pub(crate) searches: Vec<(u64, Arc<Search>)>,
}

/// A file that a thread has finished with.
pub(crate) struct ParseResult {
    /// The number of its job.
    pub(crate) number: u64,
    pub(crate) file: Address,
    pub(crate) result: Parse,
}

/// The result of a job.
pub(crate) enum Parse {
    Done(Box<Analysis>),
    /// The parser has failed.
    Failed,
    /// The file has not been parsed, because an urgent one had to be parsed.
    Skipped,
}

/// The result for a file.
pub(crate) struct Analysis {
    pub(crate) record: Record,
    /// The program, if it is kept.
    pub(crate) parsed: Option<Parsed>,
    pub(crate) took: Duration,
    /// The results of searches, by number.
    pub(crate) found: Vec<(u64, Vec<Found>)>,
}

/// The result of a trial.
pub(crate) struct TrialResult {
    /// The number of the trial.
    pub(crate) number: u64,
    /// The new problem, if there is one; an error if the parser has failed.
    pub(crate) problem: Result<Option<String>, String>,
}

/// The receivers of results.
pub(crate) struct Results {
    pub(crate) parses: Receiver<ParseResult>,
    pub(crate) trials: Receiver<TrialResult>,
}

/// The maximum number of threads for files that are not urgent. Each needs memory for a program.
const MAX_THREADS: usize = 16;

/// The maximum number of files per thread that are not urgent and have been started. Results are taken in order, so a
/// large file must not leave the other threads without work.
const MAX_STARTED: usize = 8;

/// The threads. They end when the senders of their jobs are gone.
pub(crate) struct Workers {
    urgent: Sender<Job>,
    others: Sender<Job>,
    /// The trials; `None` without threads.
    trials: Option<Sender<PreparedTrial>>,
    /// Whether files that are not urgent have to wait.
    is_paused: Arc<AtomicBool>,
    threads: usize,
}

impl Workers {
    /// Starts the threads, and returns the receivers of their results.
    pub(crate) fn start(client: Client, name: &'static str) -> std::io::Result<(Self, Results)> {
        let (results, done) = unbounded();
        let (urgent, todo) = unbounded();
        spawn(todo, results.clone(), Arc::default(), (client, name))?;
        let (others, todo) = unbounded();
        let is_paused = Arc::<AtomicBool>::default();
        let threads = thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
        for _ in 0..threads {
            spawn(todo.clone(), results.clone(), is_paused.clone(), (client, name))?;
        }
        let (trials, results) = spawn_trials()?;
        let results = Results { parses: done, trials: results };
        Ok((Self { urgent, others, trials: Some(trials), is_paused, threads }, results))
    }

    /// Returns workers that only pass their jobs on to a receiver.
    pub(crate) fn without_threads() -> (Self, Receiver<Job>) {
        let (jobs, todo) = unbounded();
        let workers = Self { urgent: jobs.clone(), others: jobs, trials: None, is_paused: Arc::default(), threads: 1 };
        (workers, todo)
    }

    /// Parses a file that the user waits for.
    pub(crate) fn parse_now(&self, job: Job) {
        let _ = self.urgent.send(job);
    }

    /// Parses a file when a thread is free.
    pub(crate) fn parse_later(&self, job: Job) {
        let _ = self.others.send(job);
    }

    /// Runs a trial; returns it if there are no threads.
    pub(crate) fn run_trial(&self, trial: PreparedTrial) -> Option<PreparedTrial> {
        let Some(trials) = &self.trials else { return Some(trial) };
        let _ = trials.send(trial);
        None
    }

    /// Sets whether files that are not urgent are skipped.
    pub(crate) fn pause(&self, is_paused: bool) {
        self.is_paused.store(is_paused, Ordering::Relaxed);
    }

    /// Returns the number of files that are not urgent and may be started.
    pub(crate) fn capacity(&self) -> usize {
        self.threads * MAX_STARTED
    }
}

/// Starts the thread for trials.
fn spawn_trials() -> std::io::Result<(Sender<PreparedTrial>, Receiver<TrialResult>)> {
    let (trials, todo) = unbounded::<PreparedTrial>();
    let (results, done) = unbounded();
    let work = move || {
        for trial in todo {
            let number = trial.number;
            let problem = catch_unwind(AssertUnwindSafe(|| trial.new_problem()));
            let problem = problem.map_err(|_| "the parser has failed".to_owned());
            if results.send(TrialResult { number, problem }).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().name("trials".to_owned()).spawn(work)?;
    Ok((trials, done))
}

fn spawn(
    todo: Receiver<Job>,
    results: Sender<ParseResult>,
    is_paused: Arc<AtomicBool>,
    (client, name): (Client, &'static str),
) -> std::io::Result<()> {
    let work = move || {
        for job in todo {
            let (number, file) = (job.number, job.file.clone());
            let result = if is_paused.load(Ordering::Relaxed) {
                Parse::Skipped
            } else {
                // A parser should not panic. If it does, the editor must not lose its server without an explanation.
                let analysis = catch_unwind(AssertUnwindSafe(|| analyze(job, client, name)));
                analysis.map_or(Parse::Failed, |analysis| Parse::Done(Box::new(analysis)))
            };
            if results.send(ParseResult { number, file, result }).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().name("parsing".to_owned()).spawn(work).map(|_| ())
}

/// Parses a file and collects the results.
pub(crate) fn analyze(job: Job, client: Client, name: &str) -> Analysis {
    let stamp = stamp(&job.file);
    let start = Instant::now();
    // What the host finds may depend on files that the parser does not read.
    let depends_on_others = !job.problems.is_empty();
    let mut outcome = job.parser.parse_entry(job.entry);
    let took = start.elapsed();
    if let Some(source) = outcome.program.list.first().map(|unit| unit.id) {
        outcome.diagnostics.extend(job.problems.into_iter().map(|mut problem| {
            problem.span.source = source;
            problem
        }));
    }
    let parsed = Parsed::new(&job.file, &job.parser, outcome);
    let search = |(number, search): (u64, Arc<Search>)| (number, search.of_program(&parsed, &job.entries));
    let found = job.searches.into_iter().map(search).collect();
    let mut record = Record::of(&parsed, &job.entries, job.is_open, (client, name));
    record.stamp = stamp;
    record.misses |= depends_on_others;
    Analysis { record, parsed: job.is_kept.then_some(parsed), took, found }
}
