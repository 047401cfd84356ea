//! Counts the instructions of each phase for six shapes of templates, and compares them with the recorded counts.
//!
//! Times depend on the load of the computer; instruction counts hardly do, so a change of 3 % is visible. This program
//! counts its own instructions with `valgrind --tool=cachegrind`: once per shape and phase, without the later phases.
//! The count of a phase is the difference to the phases before it.
//!
//! `counts` compares, `counts --record` records new counts, `counts run SHAPE PHASES` does the work to be counted.
//! There are two records, for release and for debug builds. Debug builds take less time, so every change is compared with
//! that record.
//!
//! `counts growth [NAME…]` checks that work does not grow faster than its input; see [`growth`].

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]
#![allow(
    clippy::format_push_string,
    clippy::cast_precision_loss,
    reason = "what is told here is short, and is rounded"
)]

mod growth;
mod shapes;
#[path = "../../wide/mod.rs"]
mod wide;

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use growth::Comparison;
use shapes::{Files, SHAPES, entry};
use tosca_parse::source::{Address, MemoryProvider};
use tosca_parse::{Entry, Parser, Phase, TOSCA};

/// The number of nodes or types in a shape. Code that is hardly optimized takes ten times as many instructions.
const SIZE: usize = if cfg!(debug_assertions) { 100 } else { 400 };

/// The maximum increase of a phase, in percent.
const MAX: f64 = 3.0;

/// An increase of a phase that is always allowed, in percent of the whole, because small phases don't matter. Threads
/// that wait for each other take instructions too, which has more effect in the small shapes of debug builds.
const NOISE: f64 = if cfg!(debug_assertions) { 1.0 } else { 0.5 };

/// The number of times that a small piece of work is counted to find the median.
const REPETITIONS: usize = 5;

/// The file with the recorded counts.
const RECORD: &str = if cfg!(debug_assertions) {
    concat!(env!("CARGO_MANIFEST_DIR"), "/recorded-debug.txt")
} else {
    concat!(env!("CARGO_MANIFEST_DIR"), "/recorded.txt")
};

type Counts = BTreeMap<(String, String), u64>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["run", shape, phases] => {
            run(shape, phases.parse().unwrap_or(0));
            ExitCode::SUCCESS
        }
        ["--record"] => match count(names(), REPETITIONS) {
            Some(counts) => record(&counts),
            None => ExitCode::FAILURE,
        },
        ["growth", ref names @ ..] => compare_growth(names),
        ["work", name, number] => {
            work(name, usize::from(number != "0"));
            ExitCode::SUCCESS
        }
        [] => compare(),
        _ => {
            eprintln!("usage: counts [--record | run SHAPE PHASES | growth [NAME…] | work NAME 0|1]");
            ExitCode::FAILURE
        }
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    std::iter::once("wide").chain(SHAPES.iter().map(|(name, _)| *name))
}

fn files(shape: &str) -> Files {
    match SHAPES.iter().find(|(name, _)| *name == shape) {
        Some((_, make)) => make(SIZE),
        None => entry(wide::template(SIZE)),
    }
}

/// Generates a shape and runs the first `phases` phases; with 0 it only generates the shape.
fn run(shape: &str, phases: usize) {
    let files = files(shape);
    let Some(last) = phases.checked_sub(1).and_then(|last| Phase::ALL.get(last)) else { return };
    let memory = MemoryProvider::new();
    let address = |path: &str| Address::parse(&format!("memory:{path}")).expect("the path is valid");
    let first = address(&files[0].0);
    for (path, text) in files {
        memory.insert(address(&path), text);
    }
    let parser = Parser::builder(&TOSCA).provider(Arc::new(memory)).threads(1).build().expect("there is a thread");
    let progress = parser.parse_until(Entry::at(first), *last);
    assert!(progress.diagnostics.is_empty(), "{shape} is valid: {:?}", progress.diagnostics.first());
    // Dropping would be counted for the last phase.
    std::mem::forget((progress, parser));
}

/// Returns the instructions of each phase of some shapes; `None` if they can't be counted.
fn count(shapes: impl Iterator<Item = &'static str>, repetitions: usize) -> Option<Counts> {
    let of_shapes: Vec<Option<Counts>> = std::thread::scope(|scope| {
        let running: Vec<_> = shapes.map(|shape| scope.spawn(move || count_phases(shape, repetitions))).collect();
        running.into_iter().map(|shape| shape.join().unwrap_or_default()).collect()
    });
    of_shapes.into_iter().collect::<Option<Vec<Counts>>>().map(|shapes| shapes.into_iter().flatten().collect())
}

fn count_phases(shape: &str, repetitions: usize) -> Option<Counts> {
    let mut counts = Counts::new();
    let mut before = typical(shape, 0, repetitions)?;
    let made = before;
    for (number, phase) in Phase::ALL.iter().enumerate() {
        let until = typical(shape, number + 1, repetitions)?;
        counts.insert((shape.to_owned(), phase.name().to_owned()), until.saturating_sub(before));
        before = until;
    }
    counts.insert((shape.to_owned(), "whole".to_owned()), before.saturating_sub(made));
    Some(counts)
}

/// Returns the median of several counts if the work is so small that waiting threads distort it. The minimum would be that
/// of a rare run in which a thread hardly waits.
fn typical(shape: &str, phases: usize, repetitions: usize) -> Option<u64> {
    const SMALL: u64 = 60_000_000;
    let count = || instructions(&["run", shape, &phases.to_string()]);
    let first = count()?;
    let more = if first < SMALL { repetitions - 1 } else { 0 };
    let mut counts = (0..more).map(|_| count()).collect::<Option<Vec<u64>>>()?;
    counts.push(first);
    counts.sort_unstable();
    Some(counts[counts.len() / 2])
}

/// Returns the instructions of this program with some arguments; `None` if they can't be counted.
fn instructions(arguments: &[&str]) -> Option<u64> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(program)
        .args(arguments)
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) => {
            eprintln!("can't run valgrind: {error}");
            return None;
        }
    };
    let text = String::from_utf8_lossy(&output.stderr);
    let counted = text.lines().find_map(|line| line.split_once("refs:")?.1.trim().replace(',', "").parse().ok());
    if counted.is_none() || !output.status.success() {
        eprintln!("valgrind failed for {arguments:?}:\n{text}");
        return None;
    }
    counted
}

/// Runs one of the two pieces of work of a comparison.
fn work(name: &str, number: usize) {
    let comparison = growth::all().into_iter().find(|comparison| comparison.name == name);
    // Freeing is counted too: it must not grow faster either.
    comparison.expect("the name is that of a comparison").work[number]();
}

/// Runs all comparisons, or some.
fn compare_growth(names: &[&str]) -> ExitCode {
    let mut all = growth::all();
    all.retain(|comparison| names.is_empty() || names.contains(&&*comparison.name));
    let is_bounded = AtomicBool::new(true);
    on_all_processors(&all, |Comparison { name, most, .. }| {
        let counted = instructions(&["work", name, "0"]).zip(instructions(&["work", name, "1"]));
        let ratio = counted.map_or(f64::NAN, |(less, more)| more as f64 / less as f64);
        let is_good = ratio <= *most;
        is_bounded.fetch_and(is_good, Ordering::Relaxed);
        let (less, more) = counted.unwrap_or_default();
        let verdict = if is_good { "" } else { "  too much" };
        println!("{name:<62} {less:>12} {more:>12}  × {ratio:.2} of {most}{verdict}");
    });
    if is_bounded.into_inner() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn on_all_processors<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let take = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(item);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(take))));
}

fn record(counts: &Counts) -> ExitCode {
    let mut text = format!(
        "# Instructions of each phase, for shapes of {SIZE} nodes or types; `counts --record` writes them.\n\
         compiler {}\n",
        compiler()
    );
    for ((shape, phase), count) in counts {
        text += &format!("{shape} {phase} {count}\n");
    }
    match std::fs::write(RECORD, text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("can't write {RECORD}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the version of the compiler, because another one generates other instructions.
fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").output();
    output.map_or_else(|_| String::new(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn compare() -> ExitCode {
    let text = std::fs::read_to_string(RECORD).unwrap_or_default();
    let recorded_with = text.lines().find_map(|line| line.strip_prefix("compiler ")).unwrap_or_default();
    if recorded_with != compiler() {
        println!("skipped: recorded with `{recorded_with}`, and this is `{}`", compiler());
        return ExitCode::SUCCESS;
    }
    let recorded: Counts = text.lines().filter_map(parsed).collect();
    let Some(mut counts) = count(names(), 1) else { return ExitCode::FAILURE };
    let worse = |counts: &Counts| -> BTreeSet<String> {
        let is_worse = |((shape, phase), now): &(&(String, String), &u64)| is_too_much(&recorded, shape, phase, **now);
        counts.iter().filter(is_worse).map(|((shape, _), _)| shape.clone()).collect()
    };
    // Most counts are good at once, and repetitions take most of the time.
    let doubtful = worse(&counts);
    let Some(again) = count(names().filter(|name| doubtful.contains(*name)), REPETITIONS) else {
        return ExitCode::FAILURE;
    };
    counts.extend(again);
    println!("{:<10} {:<12} {:>12} {:>12} {:>8}", "shape", "phase", "recorded", "now", "change");
    for ((shape, phase), now) in &counts {
        let before = recorded_count(&recorded, shape, phase);
        let change = if before == 0 { 0.0 } else { (*now as f64 / before as f64 - 1.0) * 100.0 };
        let verdict = if is_too_much(&recorded, shape, phase, *now) { "  too much" } else { "" };
        println!("{shape:<10} {phase:<12} {before:>12} {now:>12} {change:>+7.1}%{verdict}");
    }
    if !worse(&counts).is_empty() {
        println!(
            "\nFind out why with callgrind, as benches/README.md describes. If this is intended, record it: `counts --record`."
        );
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn recorded_count(recorded: &Counts, shape: &str, phase: &str) -> u64 {
    recorded.get(&(shape.to_owned(), phase.to_owned())).copied().unwrap_or(0)
}

/// Returns whether a count exceeds the recorded one by too much.
fn is_too_much(recorded: &Counts, shape: &str, phase: &str, now: u64) -> bool {
    let (before, whole) = (recorded_count(recorded, shape, phase), recorded_count(recorded, shape, "whole"));
    let added = now as f64 - before as f64;
    added > before as f64 * MAX / 100.0 && added > whole as f64 * NOISE / 100.0
}

fn parsed(line: &str) -> Option<((String, String), u64)> {
    let mut words = line.split(' ');
    let (shape, phase, count) = (words.next()?, words.next()?, words.next()?);
    Some(((shape.to_owned(), phase.to_owned()), count.parse().ok()?))
}
