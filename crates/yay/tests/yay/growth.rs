//! What is larger takes longer in proportion, and no more.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use tosca_parse_yay::{Config, Memory};

/// How long it takes to evaluate a document made of so many items; the least of several tries.
fn time(count: usize, make: fn(usize) -> (String, Memory, Vec<String>)) -> Duration {
    const TRIES: usize = 3;
    let once = || {
        let (text, documents, layers) = make(count);
        let mut config = Config::new(documents);
        let start = Instant::now();
        config.load("main.yay", &text);
        for layer in &layers {
            config.load("layer.yay", layer);
        }
        let data = config.resolve().unwrap_or_else(|error| panic!("{}", config.describe(&error)));
        let taken = start.elapsed();
        drop(data);
        taken
    };
    (0..TRIES).map(|_| once()).min().unwrap_or_default()
}

/// Ten times as much takes at most twice as long for each item. Without optimisation a fifth of it has to do.
fn check(count: usize, make: fn(usize) -> (String, Memory, Vec<String>)) {
    let count = if cfg!(debug_assertions) { count / 5 } else { count };
    let slack = Duration::from_millis(if cfg!(debug_assertions) { 50 } else { 20 });
    let mut figures = Vec::new();
    // Other tests run beside this one; a bound on time is broken only if it is broken each time.
    for _ in 0..5 {
        let (small, large) = (time(count / 10, make), time(count, make));
        if large <= small * 20 + slack {
            println!("{count}: {large:?}, a tenth: {small:?}");
            return;
        }
        figures.push((small, large));
    }
    panic!("more than in proportion: {figures:?}");
}

#[test]
fn loops() {
    check(100_000, |count| {
        (format!("a:\n  for i in range({count}):\n    - n{{{{ i }}}}\n"), Memory::default(), Vec::new())
    });
}

#[test]
fn includes() {
    check(10_000, |count| {
        let mut text = String::new();
        let mut documents = Memory::default();
        for at in 0..count {
            let _ = writeln!(text, "include \"{at}.yay\"");
            let refers = if at == 0 { "0".to_owned() } else { format!("{{{{ k{} }}}}", at / 2) };
            documents = documents.with(&format!("{at}.yay"), &format!("k{at}: {refers}\n"));
        }
        (text, documents, Vec::new())
    });
}

#[test]
fn layers() {
    check(10_000, |count| {
        let layers = (0..count).map(|at| format!("k{at}: {at}\nm:\n  n{at}: 1\nextend l:\n  - {at}\n")).collect();
        ("a: 1\n".to_owned(), Memory::default(), layers)
    });
}

#[test]
fn chains_of_names() {
    check(10_000, |count| {
        let mut text = String::new();
        for at in 0..count {
            let _ = writeln!(text, "a{at}: {{{{ a{} + 1 }}}}", at + 1);
        }
        let _ = writeln!(text, "a{count}: 0");
        (text, Memory::default(), Vec::new())
    });
}

#[test]
fn computed_includes() {
    check(10_000, |count| {
        let mut text = "base: dir\n".to_owned();
        let mut documents = Memory::default();
        for at in 0..count {
            let _ = writeln!(text, "include base + \"/{at}.yay\"");
            documents = documents.with(&format!("dir/{at}.yay"), &format!("k{at}: 1\n"));
        }
        (text, documents, Vec::new())
    });
}

#[test]
fn calls() {
    check(10_000, |count| {
        let mut text = "macro server:\n  a:\n    b: {{ i }}\n    c: 1\n  d: 2\n".to_owned();
        for at in 0..count {
            let _ = writeln!(text, "n{at}:\n  call server:\n    i: {at}");
        }
        (text, Memory::default(), Vec::new())
    });
}

#[test]
fn instances() {
    check(10_000, |count| {
        let mut text = "prototype Server:\n  a:\n    b: {{ self.i }}\n    c: 1\n  d: 2\n".to_owned();
        for at in 0..count {
            let _ = writeln!(text, "new Server as n{at}:\n  i: {at}");
        }
        (text, Memory::default(), Vec::new())
    });
}

#[test]
fn keys_that_are_computed() {
    check(10_000, |count| {
        (format!("a: {{{{ {{'k': i for i in range({count})}} }}}}\n"), Memory::default(), Vec::new())
    });
}
