//! The background thread that parses.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use rustc_hash::FxHashSet;
use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::source::Address;
use tosca_parse::{Entry, Parser};
use web_time::Instant;

use crate::index::{Name, Record, stamp};
use crate::parsed::Parsed;
use crate::protocol::Client;
use crate::references::{Found, Search};

/// A file to parse.
pub(crate) struct Job {
    pub(crate) file: Address,
    pub(crate) parser: Parser,
    pub(crate) entry: Entry,
    /// The problems that the parser does not find.
    pub(crate) problems: Vec<Diagnostic>,
    /// Whether the program is kept.
    pub(crate) is_kept: bool,
    /// The names of all entries.
    pub(crate) entries: Arc<FxHashSet<Name>>,
    /// The searches in the program, by number.
    pub(crate) searches: Vec<(u64, Arc<Search>)>,
}

/// A parsed file.
pub(crate) struct ParseResult {
    pub(crate) file: Address,
    /// `None` if the parser has failed.
    pub(crate) result: Option<Analysis>,
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

/// Starts the thread. It ends when all senders of jobs are gone.
pub(crate) fn start(client: Client, name: &'static str) -> std::io::Result<(Sender<Job>, Receiver<ParseResult>)> {
    let (jobs, todo) = unbounded::<Job>();
    let (results, done) = unbounded();
    let work = move || {
        for job in todo {
            let file = job.file.clone();
            // A parser should not panic, but if it does, the editor must not lose its server without an explanation.
            let result = catch_unwind(AssertUnwindSafe(|| analyze(job, client, name))).ok();
            if results.send(ParseResult { file, result }).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().name("parsing".to_owned()).spawn(work)?;
    Ok((jobs, done))
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
    let mut record = Record::of(&parsed, &job.entries, client, name);
    record.stamp = stamp;
    record.misses |= depends_on_others;
    Analysis { record, parsed: job.is_kept.then_some(parsed), took, found }
}
