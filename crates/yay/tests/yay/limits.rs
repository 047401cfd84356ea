//! Documents that need too much time or memory end with an error, whatever they contain.

use std::cell::Cell;
use std::fmt::Write as _;
use std::rc::Rc;

use tosca_parse_yay::{Category, Config, Data, Limits, LoadedDocument, Memory, OpenError, Opener, Result};

fn resolve(text: &str) -> Result<Data> {
    let mut limits = Limits::default().with_steps(500_000);
    limits.budget.bytes = 4 << 20;
    let mut config = Config::with_limits(Memory::default(), limits);
    config.load("x.yay", text);
    config.resolve()
}

#[track_caller]
fn is_refused(text: &str) {
    let error = resolve(text).expect_err(text);
    assert_eq!(error.category(), Category::Limit, "{text}: {error}");
    assert!(error.each().len() < 10, "{text}: {error}");
}

/// Returns a document with one line per number. Each line can use the value of the line before it.
fn chain(first: &str, count: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = format!("a0: {first}\n");
    for number in 1..count {
        let _ = writeln!(text, "{}", line(number));
    }
    text
}

#[test]
fn all_values_together_are_bounded() {
    is_refused("a: {{ [ [ j for j in range(10000) ] for i in range(10000) ] }}\n");
    is_refused("a: {{ [ range(1000)[0:1000] for i in range(10000) ] }}\n");
    is_refused("a: {{ len([ i for i in range(100000) if i in range(100000) ]) }}\n");
    is_refused("a: {{ [i for i in range(20000)] }}\nb: {{ [a + a for i in range(50)] }}\n");
    is_refused("a: {{ {str(i): {str(j): 1 for j in range(1000)} for i in range(1000)} }}\n");
    is_refused("a:\n  for i in range(100000):\n    - x: {{ i }}\n");
    is_refused("a: {{ list(join('x', range(1000000))) }}\n");
}

#[test]
fn shared_values_count_each_time() {
    is_refused(&chain("1", 40, |n| format!("a{n}:\n  x: {{{{ a{0} }}}}\n  y: {{{{ a{0} }}}}", n - 1)));
    is_refused(&chain("1", 40, |n| format!("a{n}: {{{{ [a{0}, a{0}] }}}}", n - 1)));
    is_refused(&chain("xxxxxxxx", 40, |n| format!("a{n}: {{{{ a{0} + a{0} }}}}", n - 1)));
}

#[test]
fn work_without_values_takes_steps() {
    is_refused("r: {{ [i for i in range(5000)] }}\na: {{ [sum(r) for i in range(100000)] }}\n");
    is_refused("r: {{ [i for i in range(5000)] }}\na: {{ [r == r for i in range(10000)] }}\n");
    is_refused("a: {{ [sub('a{' + str(i) + '}', 'x', 'aaaa') for i in range(100000)] }}\n");
}

/// Counts the lookups of documents.
#[derive(Clone)]
struct Lookups(Memory, Rc<Cell<usize>>);

impl Opener for Lookups {
    fn locate(&self, name: &str, base: &str) -> Option<String> {
        self.1.set(self.1.get() + 1);
        self.0.locate(name, base)
    }

    fn is_local(&self, address: &str) -> bool {
        self.0.is_local(address)
    }

    fn open(&mut self, address: &str) -> std::result::Result<LoadedDocument, OpenError> {
        self.0.open(address)
    }
}

#[test]
fn folders_of_documents_that_include_themselves_are_searched_once() {
    const STEPS: u64 = 50_000;
    let text = "search 'sub'\nmacro m:\n  k: {{ v }}\n  include 'one'\nc:\n  call m:\n    v: 1\nd: {{ m(v=1) }}\n";
    let lookups = Rc::new(Cell::new(0));
    let documents = Lookups(Memory::default().with("one", text), lookups.clone());
    let mut config = Config::with_limits(documents, Limits::default().with_steps(STEPS));
    config.load("main", "include 'one'\n");
    assert_eq!(config.resolve().expect_err("endless").category(), Category::Limit);
    assert!((1..STEPS as usize).contains(&lookups.get()), "{} lookups", lookups.get());
}

#[test]
fn what_is_allowed_grows_with_the_text() {
    let line = |number: usize| format!("a{number}: {{{{ [1, 2] }}}}");
    assert!(resolve(&chain("1", 10_000, line)).is_ok());
}

#[test]
fn layers_of_loops_are_charged() {
    is_refused("a: 1\nfor x in range(1600):\n  b: 1\n  for y in range(2):\n    c: 1\n");
    assert!(resolve("a: 1\nfor x in range(10):\n  b: 1\n  for y in range(2):\n    c: 1\n").is_ok());
}
