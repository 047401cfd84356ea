//! The time of each phase and of all phases, compared with the YAML library alone on the same bytes.
//!
//! `cargo bench --bench phases` prints the times for three sizes of one kind of template, and finally each time as a
//! multiple of the library's time. The largest size takes about a minute.

use std::fmt::Write;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use tosca_parse::normal::Service;
use tosca_parse::source::{Address, SharedText};
use tosca_parse::{Entry, Outcome, Parser, Phase, TOSCA};

mod wide;

/// The numbers of node templates.
const SIZES: [usize; 3] = [100, 1_000, 10_000];

/// The shortest time of each bench.
type Best = Vec<(&'static str, Duration)>;

/// A bench of one size of template.
struct Bench<'g, 'c> {
    group: &'g mut BenchmarkGroup<'c, WallTime>,
    text: SharedText,
    best: Best,
}

impl Bench<'_, '_> {
    /// Measures a function that returns its own time.
    fn measure(&mut self, name: &'static str, run: impl Fn(&str) -> Duration) {
        let Self { group, text, best } = self;
        let mut shortest = Duration::MAX;
        let id = BenchmarkId::new(name, format!("{} KB", text.len() / 1000));
        group.bench_function(id, |bencher| {
            bencher.iter_custom(|iterations| {
                (0..iterations)
                    .map(|_| {
                        let time = run(text);
                        shortest = time.min(shortest);
                        time
                    })
                    .sum()
            });
        });
        // A bench that the command line filters out has not run.
        if shortest < Duration::MAX {
            best.push((name, shortest));
        }
    }
}

/// Returns the time of a function, without dropping its result.
fn timed<T>(run: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let result = run();
    let time = start.elapsed();
    drop(result);
    time
}

/// Parses a source with a new parser.
fn parse(text: &str, threads: Option<usize>) -> Outcome {
    let builder = Parser::builder(&TOSCA);
    let builder = if let Some(threads) = threads { builder.threads(threads) } else { builder };
    let parser = builder.build().expect("there are threads");
    let address = Address::parse("memory:service.yaml").expect("the address is valid");
    let outcome = parser.parse_entry(Entry::text(address, text));
    assert!(outcome.diagnostics.is_empty(), "the template is valid");
    outcome
}

fn phase_of(outcome: &Outcome, phase: Phase) -> Duration {
    outcome.times.iter().filter(|time| time.phase == phase).map(|time| time.duration).sum()
}

fn phases(criterion: &mut Criterion) {
    let mut ratios = String::new();
    let mut group = criterion.benchmark_group("phases");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    for nodes in SIZES {
        let text: SharedText = wide::template(nodes).into();
        group.throughput(Throughput::Bytes(text.len() as u64));
        let mut bench = Bench { group: &mut group, text, best: Best::new() };
        bench.measure("library", |text| {
            timed(|| {
                let events = granit_parser::Parser::new_from_str(text);
                events.into_iter().try_fold(0, |count, event| event.map(|_| count + 1)).expect("the text is valid")
            })
        });
        for phase in Phase::ALL {
            bench.measure(phase.name(), |text| phase_of(&parse(text, Some(1)), phase));
        }
        bench.measure("all on one thread", |text| timed(|| parse(text, Some(1))));
        bench.measure("all on all threads", |text| timed(|| parse(text, None)));
        bench.measure("model", |text| {
            let outcome = parse(text, None);
            timed(|| Service::of(&outcome.program))
        });
        ratios += &ratios_of(&bench);
    }
    group.finish();
    #[allow(clippy::print_stdout, reason = "a bench reports")]
    {
        println!("{ratios}");
    }
}

/// Returns the shortest times as multiples of the library's time, if that was measured.
fn ratios_of(bench: &Bench<'_, '_>) -> String {
    let Some((_, library)) = bench.best.iter().find(|(name, _)| *name == "library") else { return String::new() };
    let library = library.as_secs_f64();
    let mut text = format!("{} KB, compared with the library\n", bench.text.len() / 1000);
    for (name, time) in &bench.best {
        let (time, ratio) = (time.as_secs_f64() * 1e3, time.as_secs_f64() / library);
        writeln!(text, "  {name:<20}{time:>8.2} ms{ratio:>7.2} x").expect("writing to a string does not fail");
    }
    text
}

criterion_group!(benches, phases);
criterion_main!(benches);
