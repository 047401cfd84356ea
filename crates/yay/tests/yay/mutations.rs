//! Random documents: every evaluation ends, with a value or an error.
//!
//! There are a few thousand by default; `TOSCA_PARSE_FUZZ_DOCUMENTS` sets another number.

use tosca_parse_yay::{Config, Limits, Memory};

use crate::pieces::PIECES;

struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

fn document(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..=random.next(8) {
        let piece = PIECES[random.next(PIECES.len())];
        match random.next(4) {
            0 => text.extend(piece.lines().map(|line| format!("  {line}\n"))),
            _ => text.push_str(piece),
        }
    }
    for _ in 0..random.next(4) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let Some(at) = places.get(random.next(places.len())).copied() else { break };
        match random.next(3) {
            0 => {
                text.remove(at);
            }
            1 => text.insert_str(at, PIECES[random.next(PIECES.len())]),
            _ => text.truncate(at),
        }
    }
    text
}

fn evaluate(random: &mut Random) -> String {
    let text = document(random);
    let other = document(random);
    let limits = Limits { depth: 5_000, list: 10_000, text: 1 << 20, ..Limits::default() }.with_steps(200_000);
    let mut config = Config::with_limits(Memory::default().with("one", &other).with("12", "a: 5\n"), limits);
    config.load("main", &text);
    let outcome = config.resolve();
    let _ = config.check();
    let described = outcome
        .map_or_else(|error| error.each().iter().map(|error| config.describe(error)).collect(), |_| String::new());
    assert!(!described.contains("internal"), "{described}");
    text
}

#[test]
fn whatever_the_text_there_is_an_answer() {
    const DEFAULT: usize = 3_000;
    let documents = std::env::var("TOSCA_PARSE_FUZZ_DOCUMENTS").ok().and_then(|documents| documents.parse().ok());
    let count = documents.unwrap_or(DEFAULT);
    let mut random = Random(0x5eed_5eed_5eed);
    for _ in 0..count {
        let before = random.0;
        let run = std::panic::catch_unwind(move || {
            let mut random = Random(before);
            evaluate(&mut random);
            random.0
        });
        match run {
            Ok(after) => random.0 = after,
            Err(_) => {
                let mut random = Random(before);
                panic!("the document\n{}\n--- one\n{}", document(&mut random), document(&mut random));
            }
        }
    }
}

#[test]
fn depth_is_no_danger() {
    let deep = |open: &str, close: &str| format!("a: {{{{ {}1{} }}}}\n", open.repeat(100_000), close.repeat(100_000));
    let mut texts = vec![
        deep("[", "]"),
        deep("[i for i in ", "]"),
        deep("[i for i in [1] if ", "]"),
        deep("{i: 1 for i in ", "}"),
        deep("(", ")"),
        deep("-", ""),
        deep("not ", ""),
        deep("{'a':", "}"),
        deep("1 + ", ""),
        deep("x[", "]"),
    ];
    texts.push((0..5_000).flat_map(|level| [" ".repeat(level), "a:\n".to_owned()]).collect());
    texts.push(format!("a: {{{{ a{} }}}}\n", ".b".repeat(100_000)));
    texts.push("macro m:\n  k:\n    call m:\n      v: 1\na: {{ m() }}\n".to_owned());
    texts.push("set f = [f]\na: {{ f }}\n".to_owned());
    texts.push("macro m:\n  - {{ m() }}\na: {{ m() }}\n".to_owned());
    texts.push("a: {{ 1 else ".to_owned() + &"1 else ".repeat(100_000) + "1 }}\n");
    for text in texts {
        let mut config = Config::new(Memory::default());
        config.load("deep", &text);
        let _ = config.resolve();
        let _ = config.check();
    }
}
