//! Tasks for contributors.
//!
//! ```sh
//! cargo xtask renew [NAME…]   # regenerates derived files
//! cargo xtask ci [STEP…]      # runs the checks that every change must pass, or some of them
//! cargo xtask bench …         # compares `tosca-parse` with other tools
//! ```
//!
//! Without names, `renew` and `ci` run everything; `--list` lists the names.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a command")]

mod api;
mod bench;
mod ci;
mod parallel;
mod process;
mod renew;
mod skipped;

use std::process::ExitCode;

use process::Outcome;

/// A task by name.
type Task = (&'static str, fn() -> Outcome);

fn main() -> ExitCode {
    if let Some(code) = api::rustdoc() {
        return code;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> = arguments.iter().skip(1).map(String::as_str).collect();
    let result = match arguments.first().map(String::as_str) {
        Some("ci") => ci::run(&names),
        Some("renew") => renew::run(&names),
        Some("bench") => bench::run(&names),
        _ => Err(
            "usage: cargo xtask ci [STEP…], cargo xtask renew [NAME…], cargo xtask bench compare; `--list` lists the names"
                .to_owned(),
        ),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the tasks with the given names or all of them.
///
/// # Errors
///
/// Returns an error if there is no task with one of the names.
fn chosen(tasks: &[Task], names: &[&str]) -> Result<Vec<Task>, String> {
    if names.is_empty() {
        return Ok(tasks.to_vec());
    }
    let find = |name: &&str| {
        let known = || tasks.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        tasks
            .iter()
            .find(|(task, _)| task == name)
            .copied()
            .ok_or_else(|| format!("there is no task `{name}`; the tasks are {}", known()))
    };
    names.iter().map(find).collect()
}
