//! Folding keeps the meaning of random documents, whatever the unknown names turn out to be.

use std::fmt::Write;

use tosca_parse_yay::{Config, Data, Memory};

/// Creates random documents from a seed.
struct Random {
    state: u64,
    text: String,
}

const KEYS: [&str; 4] = ["a", "b", "c", "d"];

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % count
    }

    fn of<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len())]
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * depth);
    }

    fn name(&mut self) -> String {
        let own = ["u", "u", "v", "s", "t", "n", "here.a", "here.b", "here.c", "a.b", "b.c"];
        if self.below(3) == 0 { self.of(&own).to_owned() } else { self.of(&KEYS).to_owned() }
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(4) == 0 {
            return match self.below(5) {
                0 => self.below(4).to_string(),
                1 => self.of(&["'x'", "'5'", "1.50", "True", "[]", "{}", "'a b'"]).to_owned(),
                _ => self.name(),
            };
        }
        let (x, y) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.below(16) {
            0 => format!("({x} + {y})"),
            1 => format!("({x} - {y})"),
            2 => format!("({x} == {y})"),
            3 => format!("({x} and {y})"),
            4 => format!("({x} or {y})"),
            5 => format!("({x} else {y})"),
            6 => format!("({x} if {y} else 3)"),
            7 => format!("[{x}, {y}]"),
            8 => format!("len({x})"),
            9 => format!("str({x})"),
            10 => format!("not {x}"),
            11 => format!("{{'k': {x}, 'b': {y}}}"),
            12 => format!("[i + {y} for i in [{x}, 1]]"),
            13 => format!("({x} < {y})"),
            14 => format!("f(b={x})"),
            _ => format!("{x}[0]"),
        }
    }

    fn value(&mut self, depth: usize, head: &str) {
        match self.below(9) {
            0 | 1 if depth < 3 => {
                self.line(depth, head);
                self.stanzas(depth + 1, 2);
            }
            2 if depth < 3 => {
                self.line(depth, head);
                self.items(depth + 1);
            }
            3 => {
                let text = format!("{head} {}", self.of(&["1", "2", "1.50", "x", "true", "", "{}", "[]", "\"5\""]));
                self.line(depth, text.trim_end());
            }
            4 => {
                let (x, y) = (self.expr(1), self.expr(1));
                self.line(depth, &format!("{head} x{{{{ {x} }}}} {{{{ {y} }}}}"));
            }
            _ => {
                let expr = self.expr(2);
                self.line(depth, &format!("{head} {{{{ {expr} }}}}"));
            }
        }
    }

    fn items(&mut self, depth: usize) {
        for _ in 0..=self.below(2) {
            let expr = self.expr(1);
            match self.below(6) {
                0 if depth < 4 => {
                    self.line(depth, &format!("if {expr}:"));
                    self.items(depth + 1);
                }
                1 if depth < 4 => {
                    self.line(depth, &format!("for i in [{expr}, 1]:"));
                    self.line(depth + 1, "- {{ i }}");
                }
                2 => {
                    self.line(depth, &format!("- b: {{{{ {expr} }}}}"));
                    self.line(depth, "  c: {{ here.b }}");
                }
                _ => self.line(depth, &format!("- {{{{ {expr} }}}}")),
            }
        }
    }

    fn stanzas(&mut self, depth: usize, most: usize) {
        for _ in 0..=self.below(most) {
            let (key, expr) = (self.of(&KEYS), self.expr(1));
            match self.below(14) {
                0 | 1 if depth < 3 => {
                    self.line(depth, &format!("if {expr}:"));
                    self.stanzas(depth + 1, 2);
                    if self.below(3) == 0 {
                        let expr = self.expr(1);
                        self.line(depth, &format!("elif {expr}:"));
                        self.stanzas(depth + 1, 1);
                    }
                    if self.below(3) == 0 {
                        self.line(depth, "else:");
                        self.stanzas(depth + 1, 1);
                    }
                }
                2 if depth < 3 => {
                    self.line(depth, &format!("select {expr}:"));
                    for case in ["x", "0", "1", "3", "True"] {
                        self.line(depth + 1, &format!("{case}:"));
                        self.stanzas(depth + 2, 1);
                    }
                }
                3 if depth < 3 => {
                    self.line(depth, &format!("for i in [{expr}, 2]:"));
                    let value = self.of(&["{{ i }}", "{{ [i, u] }}", "{{ [j + i for j in [u]] }}", "x{{ i }}"]);
                    self.line(depth + 1, &format!("{key}: {value}"));
                    self.line(depth + 1, "extend d:");
                    self.line(depth + 2, "- {{ i }}");
                }
                4 => {
                    self.line(depth, &format!("extend {key}:"));
                    self.items(depth + 1);
                }
                5 => {
                    let text = format!("set {} = {expr}", self.of(&["s", "t"]));
                    self.line(depth, &text);
                }
                6 => {
                    self.line(depth, "call m:");
                    self.line(depth + 1, &format!("n: {{{{ {expr} }}}}"));
                }
                7 => {
                    let include = self.of(&["\"x.yay\"", "\"y.yay\"", "\"x.yay\" if u else []"]);
                    self.line(depth, &format!("include {include}"));
                }
                8 => {
                    let text = self.of(&["new P:", "new P as a:"]);
                    self.line(depth, text);
                    self.line(depth + 1, &format!("b: {{{{ {expr} }}}}"));
                }
                _ => self.value(depth, &format!("{key}:")),
            }
        }
    }

    fn document(seed: u64) -> String {
        let mut random = Random { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15), text: String::new() };
        random.text.push_str(
            "macro m:\n  b: {{ n }}\n  c: x{{ a }}\nmacro f:\n  - {{ b }}\nprototype P:\n  b: 1\n  c: {{ self.b }}\n",
        );
        random.stanzas(0, 5);
        random.text
    }
}

fn config() -> Config<'static> {
    let x = "set s = u\nb: {{ s }}\na:\n  b: {{ here.c else s }}\n";
    let y = "set t = 1\ninclude \"x.yay\" if v else []\nc: {{ [s, t] }}\n";
    Config::new(Memory::default().with("x.yay", x).with("y.yay", y))
}

fn resolved(text: &str, given: &[(&str, Data)], after: &str) -> Result<Data, String> {
    let mut config = config();
    for (name, value) in given {
        config.input(name, value);
    }
    config.load("main.yay", &format!("{text}{after}"));
    config.resolve().map_err(|error| config.describe(&error))
}

/// Compares the results of a document and of its folded form.
fn compare(text: &str) -> Result<usize, String> {
    let mut config = config();
    config.load("main.yay", text);
    let folded = config.fold(true).map_err(|error| config.describe(&error));
    let unfolded = config.resolve().ok();
    let mut compared = 0;
    let list = |items: Vec<Data>| Data::List(items);
    let values = [
        Data::Int(0),
        Data::Int(1),
        Data::Text("x".to_owned()),
        list(vec![Data::Int(2), Data::Text("q".to_owned())]),
        Data::Map(vec![("b".to_owned(), Data::Int(3))]),
    ];
    let mut settings: Vec<(Vec<(&str, Data)>, &str)> =
        vec![(vec![], "set u = 1\n"), (vec![], "set u = []\nset v = 'x'\n")];
    for (n, value) in values.iter().enumerate() {
        settings.push((vec![("u", value.clone())], ""));
        settings.push((vec![("u", value.clone()), ("v", values[(n + 2) % values.len()].clone())], ""));
    }
    settings.push((vec![], ""));
    for (given, after) in settings {
        let Ok(wanted) = resolved(text, &given, after) else { continue };
        compared += 1;
        let folded = folded.as_ref().map_err(|error| format!("{error}\nfor {given:?}{after}: {wanted:?}"))?;
        let made = resolved(folded, &given, after);
        if made.as_ref() != Ok(&wanted) {
            return Err(format!("{folded}--- with {given:?}{after}:\n{wanted:?}\nbecomes\n{made:?}"));
        }
        if given.is_empty() && after.is_empty() && unfolded != Some(wanted) {
            return Err("folding changes the results of the same configuration".to_owned());
        }
    }
    Ok(compared)
}

#[test]
fn folding_keeps_the_meaning_of_random_documents() {
    let count = std::env::var("FOLD_DOCUMENTS").ok().and_then(|count| count.parse().ok()).unwrap_or(40);
    let (mut compared, mut wrong) = (0, Vec::new());
    for seed in 1..=count {
        let text = Random::document(seed);
        match compare(&text) {
            Ok(count) => compared += count,
            Err(difference) => wrong.push(format!("{seed}:\n{text}--- folds to\n{difference}")),
        }
    }
    wrong.sort_by_key(String::len);
    let few = wrong[..wrong.len().min(3)].join("\n=====\n");
    assert!(wrong.is_empty(), "{} of {count}\n{few}", wrong.len());
    assert!(compared as u64 > count, "only {compared} results were compared");
}
