//! The cache of a parser, and its limits.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use tosca_parse::diagnostic::SourceId;
use tosca_parse::source::{Address, MemoryProvider, Provider, ReadError, Stamp};
use tosca_parse::{Entry, Outcome, Parser};

use kitchen::KITCHEN;

const PANTRY: &str = "kitchen: 2\nstuffs: { Salt: {} }\nrecipes: { Brine: { ingredients: { salt: Salt } } }\n";

/// Returns a parser with a limit on unused cached bytes, and the sources that it reads.
fn parser(remembered: u64) -> (Parser, MemoryProvider) {
    let memory = MemoryProvider::new();
    let provider = Arc::new(memory.clone());
    let parser = Parser::builder(&KITCHEN).provider(provider).remembered_bytes(remembered);
    (parser.build().unwrap(), memory)
}

fn address(name: &str) -> Address {
    Address::parse(&format!("memory:{name}")).unwrap()
}

fn parse(parser: &Parser, text: &str) -> Outcome {
    parser.parse_entry(Entry::text(address("book.yaml"), text))
}

fn book(number: usize) -> String {
    format!(
        "kitchen: 2
imports: [ pantry.yaml ]
recipes: {{ R{number}: {{ like: [ Brine ] }}, Wrong: {{ like: [ Unheard{number} ] }} }}
dishes: {{ dish: {{ recipe: R{number}, ingredients: {{ salt: {number} }} }} }}
"
    )
}

fn messages(outcome: &Outcome) -> Vec<&str> {
    outcome.diagnostics.iter().map(|problem| problem.message.as_str()).collect()
}

/// Returns the source numbers of an outcome: a source that is read again has a new one.
fn numbers(outcome: &Outcome) -> Vec<SourceId> {
    outcome.program.list.iter().map(|unit| unit.id).collect()
}

#[test]
fn what_is_of_use_is_remembered() {
    let (parser, memory) = parser(1 << 20);
    memory.insert(address("pantry.yaml"), PANTRY);
    let first = parse(&parser, &book(1));
    let again = parse(&parser, &book(1));
    let other = parse(&parser, &book(2));
    assert_eq!(numbers(&first), numbers(&again));
    assert_ne!(numbers(&first)[0], numbers(&other)[0]);
    assert_eq!(numbers(&first)[1], numbers(&other)[1]);
    assert!(Arc::ptr_eq(&first.program.stage.units[1], &other.program.stage.units[1]), "compiled again");
}

#[test]
fn what_has_changed_is_read_and_compiled_anew() {
    let (parser, memory) = parser(1 << 20);
    memory.insert(address("pantry.yaml"), "kitchen: 2\nimports: [ shelf.yaml ]\n");
    memory.insert(address("shelf.yaml"), PANTRY);
    let text = "kitchen: 2\nimports: [ pantry.yaml ]\nrecipes: { Soup: { like: [ Brine ] } }\n";
    let first = parse(&parser, text);
    assert!(first.diagnostics.is_empty());
    memory.insert(address("shelf.yaml"), PANTRY.replace("Brine", "Broth"));
    let second = parse(&parser, text);
    assert_eq!(messages(&second), ["there is no recipe `Brine`"]);
    // The text of its importers is unchanged, but its meaning is not.
    assert_eq!(numbers(&first)[..2], numbers(&second)[..2]);
    assert_ne!(numbers(&first)[2], numbers(&second)[2]);
    memory.insert(address("shelf.yaml"), PANTRY);
    assert!(parse(&parser, text).diagnostics.is_empty());
}

#[test]
fn memory_is_bounded() {
    let (parser, memory) = parser(270 << 10);
    memory.insert(address("pantry.yaml"), PANTRY);
    let mut names = Vec::new();
    for number in 0..200 {
        let outcome = parse(&parser, &book(number));
        assert_eq!(messages(&outcome), [format!("there is no recipe `Unheard{number}`")]);
        let name = outcome.program.interner.get("Unheard0");
        assert!(number == 0 || number > 10 || name.is_some(), "forgotten too early");
        names.push(Arc::downgrade(&outcome.program.interner));
    }
    let alive = names.iter().filter_map(std::sync::Weak::upgrade).collect::<Vec<_>>();
    assert!(!alive.is_empty() && alive.len() <= 20, "{} of 200 parsings are remembered", alive.len());
    assert!(alive.iter().all(|interner| Arc::ptr_eq(interner, &alive[0])));
    assert!(alive[0].get("Unheard0").is_none());
}

#[test]
fn what_is_in_use_is_not_too_much() {
    let (parser, memory) = parser(64 << 10);
    let mut large = PANTRY.to_owned();
    large += &"# Salt is what it is all about.\n".repeat(10_000);
    memory.insert(address("pantry.yaml"), large);
    let first = parse(&parser, &book(0));
    for _ in 0..20 {
        assert_eq!(numbers(&parse(&parser, &book(0))), numbers(&first));
    }
}

#[test]
fn outcomes_outlive_what_the_parser_forgets() {
    let (parser, memory) = parser(0);
    memory.insert(address("pantry.yaml"), PANTRY);
    let first = parse(&parser, &book(1));
    let mut others: Vec<Outcome> = (2..50).map(|number| parse(&parser, &book(number))).collect();
    others.insert(0, first);
    drop(parser);
    for (outcome, number) in others.iter().zip(1..) {
        let recipe = super::find::<super::Recipe>(outcome, super::RECIPES, &format!("R{number}"));
        let members = &outcome.program.get(recipe).unwrap().ingredients;
        assert_eq!(super::names(outcome, members), ["salt"]);
        assert_eq!(outcome.sources.get(outcome.entry().unwrap()).unwrap().text().as_ref(), book(number));
    }
}

#[test]
fn one_parser_serves_many_threads_while_it_forgets() {
    for remembered in [0, 32 << 10, 1 << 30] {
        let (parser, memory) = parser(remembered);
        memory.insert(address("pantry.yaml"), PANTRY);
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let parser = parser.clone();
                scope.spawn(move || {
                    for round in 0..25 {
                        let number = thread * 7 + round % 5;
                        let outcome = parse(&parser, &book(number));
                        assert_eq!(messages(&outcome), [format!("there is no recipe `Unheard{number}`")]);
                        assert_eq!(outcome.program.list.len(), 2);
                    }
                });
            }
        });
    }
}

#[test]
fn what_comes_out_depends_neither_on_threads_nor_on_what_was_parsed_before() {
    // Many books that import each other, with problems of every phase.
    let count = 60;
    let mut others = Vec::new();
    for number in 0..count {
        let mut text = "kitchen: 2\nimports:\n".to_owned();
        for step in [1, 7, 11] {
            if number + step < count {
                writeln!(text, "  - {{ book: b{}.yaml, prefix: p{step} }}", number + step).unwrap();
            }
        }
        writeln!(text, "stuffs: {{ S: {{ most: {} }}, Loop: {{ like: [ Loop ] }} }}\nrecipes:", 100 - number).unwrap();
        for member in 0..40 {
            let parent = if number + 7 < count { "p1:R0, p7:R1" } else { "" };
            writeln!(
                text,
                "  R{member}: {{ like: [ {parent} ], ingredients: {{ i{member}: {{ stuff: S, grams: {number} }} }}, sides: {{ s: R{} }} }}",
                (member + number) % 40
            )
            .unwrap();
        }
        writeln!(text, "dishes: {{ d: {{ recipe: R3, ingredients: {{ i3: 99, x: 1 }} }} }}").unwrap();
        others.push((format!("b{number}.yaml"), text));
    }
    let parser = |threads: usize| {
        let memory = MemoryProvider::new();
        others.iter().for_each(|(name, text)| memory.insert(address(name), text.as_str()));
        Parser::builder(&KITCHEN).provider(Arc::new(memory)).threads(threads).build().unwrap()
    };
    let parse = |parser: &Parser, number: usize| {
        let outcome = parser.parse_entry(Entry::at(address(&format!("b{number}.yaml"))));
        let shown = tosca_parse::diagnostic::render::Terminal::new(&outcome.diagnostics, &outcome.sources).to_string();
        let recipes: Vec<String> = (0..40)
            .map(|member| {
                let recipe = super::recipe(&outcome, &format!("R{member}"));
                let names = super::names(&outcome, &recipe.ingredients).join(" ");
                format!("{names} / {} / {}", super::names(&outcome, &recipe.sides).join(" "), recipe.warnings.len())
            })
            .collect();
        (shown, recipes)
    };
    let expected: Vec<_> = [0, 30].map(|number| parse(&parser(1), number)).into();
    assert!(expected[0].0.len() > 10_000 && expected[0].1[0].len() > 5);
    for _ in 0..2 {
        for threads in [1, 2, 8] {
            let parser = parser(threads);
            // The second time, the imports of the other entry are known.
            for (number, expected) in [(0, &expected[0]), (30, &expected[1]), (0, &expected[0])] {
                assert!(parse(&parser, number) == *expected, "{threads} threads, entry {number}");
            }
        }
    }
}

/// A source that has a stamp, and counts how often it is read.
struct Stamped {
    text: Mutex<String>,
    changed: Mutex<SystemTime>,
    readings: AtomicU64,
}

impl Provider for Stamped {
    fn serves(&self, address: &Address) -> bool {
        address.scheme() == "memory"
    }

    fn read(&self, _: &Address, _: u64) -> Result<Vec<u8>, ReadError> {
        self.readings.fetch_add(1, Ordering::Relaxed);
        Ok(self.text.lock().unwrap().clone().into_bytes())
    }

    fn stamp(&self, _: &Address) -> Option<Stamp> {
        let (bytes, changed) = (self.text.lock().unwrap().len() as u64, *self.changed.lock().unwrap());
        Some(Stamp { bytes, identity: (0, 0), changed: (changed, changed) })
    }

    fn exists(&self, _: &Address) -> bool {
        true
    }
}

#[test]
fn a_source_is_read_again_only_if_it_looks_different() {
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    let source = Arc::new(Stamped {
        text: Mutex::new(PANTRY.to_owned()),
        changed: Mutex::new(long_ago),
        readings: AtomicU64::new(0),
    });
    let parser = Parser::builder(&KITCHEN).provider(source.clone()).build().unwrap();
    let readings = || source.readings.swap(0, Ordering::Relaxed);
    let first = parse(&parser, &book(1));
    assert_eq!(readings(), 1);
    let again = parse(&parser, &book(1));
    assert_eq!((readings(), numbers(&first) == numbers(&again)), (0, true));

    // A change that keeps the length.
    *source.text.lock().unwrap() = PANTRY.replace("Brine", "Broth");
    *source.changed.lock().unwrap() = SystemTime::now();
    let changed = parse(&parser, &book(1));
    assert_eq!((readings(), numbers(&first)[1] == numbers(&changed)[1]), (1, false));
    assert!(messages(&changed).iter().any(|message| message.contains("Brine")), "{:?}", messages(&changed));

    // A change within the same clock tick can be detected only by reading.
    *source.text.lock().unwrap() = PANTRY.to_owned();
    let back = parse(&parser, &book(1));
    assert_eq!((readings(), messages(&back)), (1, messages(&first)));
}
