//! The speed of reading sources, compared with the YAML library alone: the cost of building a document from the
//! events.
//!
//! `cargo bench --bench ard` prints both for three sizes of similar text; the largest takes about a minute.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use granit_parser::Parser;
use tosca_parse::ard::{self, Options};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::source::SharedText;
use tosca_parse::symbol::Interner;

mod wide;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn read(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read");
    group.sampling_mode(SamplingMode::Flat).sample_size(10).warm_up_time(Duration::from_secs(1));
    for nodes in [100, 5_000, 80_000] {
        let text: SharedText = wide::template(nodes).into();
        let size = format!("{} KB", text.len() / 1000);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::new("library", &size), &*text, |bencher, text| {
            bencher.iter(|| {
                let events = Parser::new_from_str(text).try_fold(0, |count, event| event.map(|_| count + 1));
                events.expect("the text is valid")
            });
        });
        group.bench_with_input(BenchmarkId::new("document", &size), &text, |bencher, text| {
            bencher.iter_with_large_drop(|| {
                let interner = Interner::new();
                let (document, problems) = ard::read(SourceId(0), text.clone(), &interner, &Options::default());
                assert!(problems.is_empty());
                (document, interner)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);
