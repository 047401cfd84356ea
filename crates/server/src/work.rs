//! The background thread that parses.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, unbounded};
use tosca_parse::source::Address;
use tosca_parse::{Entry, Parser};

use crate::parsed::Parsed;

/// A file to parse.
pub(crate) struct Job {
    pub(crate) file: Address,
    pub(crate) parser: Parser,
    pub(crate) entry: Entry,
}

/// A parsed file; `None` if the parser has failed.
pub(crate) struct Done {
    pub(crate) file: Address,
    pub(crate) parsed: Option<Parsed>,
}

/// Starts the thread. It ends when all senders of jobs are gone.
pub(crate) fn start() -> std::io::Result<(Sender<Job>, Receiver<Done>)> {
    let (jobs, todo) = unbounded::<Job>();
    let (results, done) = unbounded();
    let work = move || {
        for Job { file, parser, entry } in todo {
            let start = Instant::now();
            // A parser does not panic. If it did, the editor would lose its server without an explanation.
            let outcome = catch_unwind(AssertUnwindSafe(|| parser.parse_entry(entry))).ok();
            let parsed = outcome.map(|outcome| Parsed::new(&file, &parser, outcome, start.elapsed()));
            if results.send(Done { file, parsed }).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().name("parsing".to_owned()).spawn(work)?;
    Ok((jobs, done))
}
