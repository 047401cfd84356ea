//! Checks that little work runs on the calling thread, and more work in a pool.

use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::diagnostic::{Level, Rule};
use tosca_parse::phase::{Context, Lint};
use tosca_parse::source::{Address, MemoryProvider};
use tosca_parse::{Entry, Outcome, Parser, ParserBuilder, TOSCA};

const HEAD: &str = "tosca_definitions_version: tosca_simple_yaml_1_3\n";

/// A rule that is always enabled, so that the lint runs.
static NOTED: Rule = Rule { code: "OWN2", name: "noted", level: Level::Warning, summary: "a thread was noted" };

/// A lint that records the thread on which the rest of a parse runs.
#[derive(Clone, Default)]
struct Where(Arc<Mutex<Option<ThreadId>>>);

impl Lint for Where {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![&NOTED]
    }

    fn look(&self, _: &mut Context<'_>) {
        *self.0.lock().unwrap() = Some(thread::current().id());
    }
}

impl Where {
    /// Returns whether a text is parsed on this thread.
    fn is_here(&self, parser: &Parser, text: &str) -> bool {
        let outcome = parse(parser, text);
        assert!(outcome.is_valid(), "{:?}", outcome.diagnostics.first());
        self.0.lock().unwrap().take() == Some(thread::current().id())
    }
}

fn address(name: &str) -> Address {
    Address::parse(&format!("memory:{name}")).unwrap()
}

fn parse(parser: &Parser, text: &str) -> Outcome {
    parser.parse_entry(Entry::text(address("service.yaml"), text))
}

fn shown(outcome: &Outcome) -> String {
    let sources: Vec<&str> = outcome.sources.iter().map(|source| source.name()).collect();
    format!("{}\n{sources:?}", Terminal::new(&outcome.diagnostics, &outcome.sources))
}

/// Returns a service with this many nodes.
fn service(nodes: usize, imports: &str) -> String {
    let nodes: Vec<String> = (0..nodes)
        .map(|number| {
            format!(
                "    n{number}:\n      type: tosca.nodes.DBMS\n      properties: {{ port: {number} }}\n      requirements: \
                 [ {{ host: {{ node: tosca.nodes.Compute }} }} ]\n"
            )
        })
        .collect();
    format!("{HEAD}{imports}topology_template:\n  node_templates:\n{}", nodes.concat())
}

/// Returns a profile with this many types.
fn profile(types: usize) -> String {
    let types: Vec<String> =
        (0..types).map(|number| format!("  T{number}: {{ derived_from: tosca.nodes.Root }}\n")).collect();
    format!("{HEAD}node_types:\n{}", types.concat())
}

fn with_profiles(builder: ParserBuilder) -> Parser {
    let memory = MemoryProvider::new();
    memory.insert(address("small.yaml"), profile(10));
    memory.insert(address("large.yaml"), profile(2000));
    builder.provider(Arc::new(memory)).build().unwrap()
}

#[test]
fn little_work_runs_on_the_calling_thread() {
    for threads in [None, Some(3)] {
        let seen = Where::default();
        let builder = Parser::builder(&TOSCA).lint(seen.clone());
        let parser = with_profiles(match threads {
            Some(threads) => builder.threads(threads),
            None => builder,
        });
        let small = service(2, "");
        assert!(seen.is_here(&parser, &small), "the types of the version were read ahead");
        assert!(seen.is_here(&parser, &small));
        let profile = "tosca_definitions_version: tosca_2_0\nimports: [ { profile: 'org.oasis-open.simple:2.0' } ]\n";
        assert!(seen.is_here(&parser, profile), "it was read ahead");
        assert!(seen.is_here(&parser, &service(3, "")), "another text");
        assert!(!seen.is_here(&parser, &service(2000, "")), "it is long");
        assert!(seen.is_here(&parser, &service(2, "imports: [ small.yaml ]\n")), "both are short");
        let imports = "imports: [ large.yaml ]\n";
        assert!(!seen.is_here(&parser, &service(2, imports)), "what it imports is long");
        assert!(seen.is_here(&parser, &service(2, imports)), "what it imports is known");
        let deep = format!("{}metadata: {{ a: b }}\ndsl_definitions: {}x{}\n", small, "[".repeat(60), "]".repeat(60));
        assert!(!seen.is_here(&parser, &deep), "it may need more stack than there is");
        let many = format!("{}dsl_definitions:\n{}", small, "  - a: { b: [ { c: d } ] }\n".repeat(100));
        assert!(seen.is_here(&parser, &many), "nothing of it is deep");
    }
}

#[test]
fn a_pool_changes_nothing() {
    let texts = [
        service(2, ""),
        service(2, "imports: [ small.yaml, large.yaml ]\n"),
        service(200, "imports: [ large.yaml, nowhere.yaml ]\n").replace("port: 7 ", "port: seven "),
        service(3, "imports: [ nowhere.yaml ]\n").replace("port: 1 ", "prot: 1 "),
        format!("{HEAD}imports: [ service.yaml, small.yaml ]\nnode_types: {{ A: {{ derived_from: B }}, T1: {{}} }}\n"),
        "no: template".to_owned(),
        String::new(),
        "{".repeat(300),
    ];
    let alone = with_profiles(Parser::builder(&TOSCA).threads(1));
    let expected: Vec<String> = texts.iter().map(|text| shown(&parse(&alone, text))).collect();
    assert!(expected.iter().filter(|shown| shown.contains("error[")).count() >= 5);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for threads in [None, Some(1), Some(4)] {
        let builder = || match threads {
            Some(threads) => Parser::builder(&TOSCA).threads(threads),
            None => Parser::builder(&TOSCA),
        };
        let (outside, inside) = (with_profiles(builder()), with_profiles(builder()));
        for _ in 0..2 {
            for (text, expected) in texts.iter().zip(&expected) {
                assert_eq!(shown(&parse(&outside, text)), *expected, "{threads:?}");
                assert_eq!(pool.install(|| shown(&parse(&inside, text))), *expected, "{threads:?}, in a pool");
            }
        }
    }
}

#[test]
fn many_threads_parse_in_parallel() {
    let text = |number: usize| {
        let imports = ["", "imports: [ small.yaml ]\n", "imports: [ large.yaml ]\n"][number % 3];
        service(1 + number % 40, imports).replace("port: 5 ", &format!("port: wrong{number} "))
    };
    let alone = with_profiles(Parser::builder(&TOSCA).threads(1));
    let expected: Vec<String> = (0..120).map(|number| shown(&parse(&alone, &text(number)))).collect();
    let parser = with_profiles(Parser::builder(&TOSCA));
    thread::scope(|scope| {
        for first in 0..6 {
            let (parser, expected) = (&parser, &expected);
            scope.spawn(move || {
                for number in (first..120).step_by(6) {
                    assert_eq!(shown(&parse(parser, &text(number))), expected[number]);
                }
            });
        }
    });
}

/// Shallow data may still contain long chains of values, and following them must not overflow the stack of any thread.
#[test]
fn chains_of_values_need_little_stack() {
    let nodes: Vec<String> = (0..40)
        .map(|number| {
            let call = format!("{{ get_property: [ n{}, name ] }}", number + 1);
            let value = if number == 39 { "end".to_owned() } else { call };
            let (open, close) = ("{ concat: [ a, ".repeat(11), " ] }".repeat(11));
            format!("    n{number}: {{ type: N, properties: {{ name: {open}{value}{close} }} }}\n")
        })
        .collect();
    let types = "node_types: { N: { derived_from: tosca.nodes.Root, properties: { name: { type: string } } } }\n";
    let text = format!("{HEAD}{types}topology_template:\n  node_templates:\n{}", nodes.concat());
    let newer = text
        .replace("tosca_simple_yaml_1_3", "tosca_2_0")
        .replace("topology_template", "service_template")
        .replace("derived_from: tosca.nodes.Root, ", "")
        .replace("concat:", "$concat:")
        .replace("get_property: [ n", "$get_property: [ n");
    let seen = Where::default();
    let parser = Parser::builder(&TOSCA).lint(seen.clone()).build().unwrap();
    for text in [text, newer] {
        assert!(text.len() < 16 << 10, "{}", text.len());
        parse(&parser, &text);
        let (parser, seen) = (parser.clone(), seen.clone());
        let parse = move || assert!(seen.is_here(&parser, &text));
        thread::Builder::new().stack_size(512 << 10).spawn(parse).unwrap().join().unwrap();
    }
}
