//! The savings of a long-lived parser, and the cost of many small files.
//!
//! `cargo bench --bench sessions` prints the times for a small template that imports a large profile, parsed
//! repeatedly by one parser; for a small template without imports, which stays on the calling thread; and for a
//! thousand small templates, on one thread and on all threads.

use std::sync::Arc;
use std::thread;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tosca_parse::source::{Address, MemoryProvider};
use tosca_parse::{Entry, Parser, TOSCA};

#[path = "counts/src/shapes.rs"]
mod shapes;
mod wide;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The number of types in the profile.
const TYPES: usize = 10_000;

/// The number of small files.
const FILES: usize = 1_000;

fn address(path: &str) -> Address {
    Address::parse(&format!("memory:{path}")).expect("the path is valid")
}

fn warm(criterion: &mut Criterion) {
    let memory = MemoryProvider::new();
    let (_, types) = shapes::SHAPES[0];
    for (_, text) in types(TYPES) {
        memory.insert(address("profile.yaml"), text);
    }
    let parser = Parser::builder(&TOSCA).provider(Arc::new(memory)).build().expect("there are threads");
    let template = "tosca_definitions_version: tosca_2_0\nimports: [ profile.yaml ]\nservice_template:\n  \
                    node_templates:\n    node:\n      type: T0.0\n      properties: { name0: n }\n";
    let parse = || {
        let outcome = parser.parse_entry(Entry::text(address("service.yaml"), template));
        assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics.first());
        outcome
    };
    parse();
    criterion.bench_function("warm", |bencher| bencher.iter(parse));
}

fn alone(criterion: &mut Criterion) {
    let parser = Parser::builder(&TOSCA).build().expect("there are threads");
    let mut number = 0;
    let mut parse = || {
        number += 1;
        let text = format!(
            "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n    server_{number}:\n      \
             type: tosca.nodes.Compute\n    database_{number}:\n      type: tosca.nodes.DBMS\n      properties: {{ port: \
             3306 }}\n      requirements:\n      - host: server_{number}\n"
        );
        let outcome = parser.parse_entry(Entry::text(address("service.yaml"), text));
        assert!(outcome.is_valid(), "{:?}", outcome.diagnostics.first());
        outcome
    };
    parse();
    criterion.bench_function("alone", |bencher| bencher.iter(&mut parse));
}

fn batch(criterion: &mut Criterion) {
    let texts: Vec<String> = (0..FILES).map(|number| wide::template(5) + &format!("# {number}\n")).collect();
    let mut group = criterion.benchmark_group("batch");
    group.sample_size(10).throughput(Throughput::Elements(FILES as u64));
    let all = thread::available_parallelism().map_or(1, usize::from);
    for threads in [1, all] {
        group.bench_function(format!("{threads} threads"), |bencher| {
            bencher.iter(|| {
                let parser = Parser::builder(&TOSCA).threads(threads).build().expect("there are threads");
                thread::scope(|scope| {
                    for share in texts.chunks(FILES.div_ceil(threads)) {
                        let parser = &parser;
                        scope.spawn(move || {
                            for (number, text) in share.iter().enumerate() {
                                let entry = Entry::text(address(&format!("{number}.yaml")), text.as_str());
                                assert!(parser.parse_entry(entry).diagnostics.is_empty());
                            }
                        });
                    }
                });
            });
        });
    }
    group.finish();
}

criterion_group!(benches, warm, alone, batch);
criterion_main!(benches);
