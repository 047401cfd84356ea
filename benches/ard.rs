//! How fast texts are read, next to the YAML library alone: what it costs to make a document of the events.
//!
//! `cargo bench --bench ard` prints both for three sizes of the same kind of text; the largest takes about a minute.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use granit_parser::Parser;
use tosca_parse::ard::{self, Options};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::symbol::Interner;

/// A template with the given number of node templates, each of which has the usual mixture of block maps and lists,
/// short flow collections, quoted texts and numbers.
fn template(nodes: usize) -> String {
    let mut text = String::from("tosca_definitions_version: tosca_2_0\n\nservice_template:\n  node_templates:\n");
    for node in 0..nodes {
        let other = node / 2;
        write!(
            text,
            "    app_{node:06}:\n\
             \x20     type: example.nodes.App\n\
             \x20     description: application {node} of {nodes}\n\
             \x20     metadata: {{ owner: team{}, tier: \"{}\" }}\n\
             \x20     properties:\n\
             \x20       replicas: {}\n\
             \x20       labels:\n\
             \x20         app: app{node}\n\
             \x20         region: {{ $get_input: region }}\n\
             \x20       tags: [ a, b{node}, c ]\n\
             \x20       limits:\n\
             \x20         soft: {}\n\
             \x20         hard: 100\n\
             \x20       weight: 0.{}\n\
             \x20     requirements:\n\
             \x20     - host: server_{other:06}\n\
             \x20     - queue:\n\
             \x20         node: broker_{other:06}\n\
             \x20         relationship: example.relationships.UsesQueue\n\
             \x20     interfaces:\n\
             \x20       Standard:\n\
             \x20         operations:\n\
             \x20           create: scripts/create.sh\n\
             \x20           configure: scripts/configure.sh\n",
            node % 7,
            node % 3,
            1 + node % 9,
            node % 100,
            1 + node % 9,
        )
        .expect("writing to a string does not fail");
    }
    text
}

fn read(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read");
    group.sampling_mode(SamplingMode::Flat).sample_size(10).warm_up_time(Duration::from_secs(1));
    for nodes in [100, 5_000, 80_000] {
        let text: Arc<str> = template(nodes).into();
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
                let (document, problems) = ard::read(SourceId(0), Arc::clone(text), &interner, &Options::default());
                assert!(problems.is_empty());
                (document, interner)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);
