//! Checks that every decision that a comment gives as its reason has an entry in `docs/decisions.md`.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// The folders with references to decisions.
const ROOTS: &[&str] = &["src", "tests", "docs", "crates", "examples"];

/// The number of a decision, such as `A 8b`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Decision {
    part: char,
    number: u32,
    letter: Option<char>,
}

impl Decision {
    /// Reads a part of a reference and the text after it, and returns the rest.
    fn parse<'a>(part: &str, number: &'a str) -> Option<(Self, &'a str)> {
        let part = part.parse().ok().filter(|part: &char| matches!(part, 'A' | 'B'))?;
        let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        let (digits, rest) = number.split_at(end);
        let letter = rest.chars().next().filter(char::is_ascii_lowercase);
        Some((Self { part, number: digits.parse().ok()?, letter }, &rest[usize::from(letter.is_some())..]))
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.part, self.number)?;
        self.letter.map_or(Ok(()), |letter| write!(f, "{letter}"))
    }
}

/// Returns the decisions that a text refers to, and the words that look like a decision but lack the space.
fn references(text: &str) -> (Vec<Decision>, Vec<&str>) {
    // A reference may continue on the next line of a comment or of a text.
    let is_mark = |word: &&str| matches!(*word, "//" | "///" | "//!" | "#" | "\\");
    let words: Vec<&str> = text.split_whitespace().filter(|word| !is_mark(word)).collect();
    let (mut found, mut misspelt) = (Vec::new(), Vec::new());
    for (index, word) in words.iter().enumerate() {
        let word = word.trim_start_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
        if !matches!(&*word, "decision" | "decisions") {
            continue;
        }
        let mut rest = &words[index + 1..];
        loop {
            if let ["and", more @ ..] = rest {
                rest = more;
            }
            let number = rest.first().and_then(|word| word.strip_prefix(['A', 'B']));
            if number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit())) {
                misspelt.push(rest[0]);
            }
            let [part, number, more @ ..] = rest else { break };
            let Some((decision, end)) = Decision::parse(part, number) else { break };
            found.push(decision);
            if !matches!(end, "" | ",") {
                break;
            }
            rest = more;
        }
    }
    (found, misspelt)
}

/// Returns the files below a folder with their contents.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| ["rs", "md", "yaml"].iter().any(|of| extension == *of)) {
            found.push(path);
        }
    }
}

fn document(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)).unwrap()
}

/// Returns the decisions with an entry, in order.
fn entries() -> Vec<Decision> {
    let document = document("decisions.md");
    let headings = document.lines().filter_map(|line| line.strip_prefix("### "));
    let parse = |heading: &str| {
        let (part, number) = heading.split_once(' ').unwrap_or_default();
        let decision = Decision::parse(part, number).filter(|(_, rest)| rest.is_empty());
        decision.unwrap_or_else(|| panic!("`{heading}` is not the number of a decision")).0
    };
    headings.map(parse).collect()
}

#[test]
fn references_are_found() {
    let glued = format!("decision {}{}).", 'B', 3);
    let text =
        format!("(decisions A 18,\n/// A 20b and B 3). A 99 is none; nor is the decision. Decision A 4: {glued}");
    let (found, misspelt) = references(&text);
    let found: Vec<String> = found.iter().map(Decision::to_string).collect();
    assert_eq!(found, ["A 18", "A 20b", "B 3", "A 4"]);
    assert_eq!(misspelt, ["B3)."]);
}

#[test]
fn entries_are_in_order_and_unique() {
    let entries = entries();
    let disorder = entries.windows(2).find(|pair| pair[0] >= pair[1]);
    assert!(disorder.is_none(), "these follow upon each other: {disorder:?}");
}

#[test]
fn every_reference_has_an_entry() {
    let entries: BTreeSet<Decision> = entries().into_iter().collect();
    let mut paths = Vec::new();
    for root in ROOTS {
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(root), &mut paths);
    }
    let (mut all, mut failures) = (BTreeSet::new(), Vec::new());
    for path in &paths {
        // Some files are intentionally not text.
        let text = std::fs::read(path).unwrap();
        let text = String::from_utf8_lossy(&text);
        let (found, misspelt) = references(&text);
        failures.extend(misspelt.iter().map(|word| format!("{}: `{word}` lacks a blank", path.display())));
        let missing = found.iter().filter(|decision| !entries.contains(decision));
        failures.extend(missing.map(|decision| format!("{}: there is no decision {decision}", path.display())));
        all.extend(found);
    }
    assert!(all.len() > 50, "only {} decisions are referred to", all.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn codes_are_those_of_rules() {
    let (decisions, rules) = (document("decisions.md"), document("rules.md"));
    let links: Vec<(&str, &str)> = decisions.lines().filter_map(|line| line.split_once(": rules.md")).collect();
    for (code, anchor) in &links {
        assert!(rules.contains(&format!("{code}({anchor})")), "docs/rules.md has no {code} at `{anchor}`");
    }
    for (code, _) in decisions.split("[T").skip(1).filter_map(|rest| rest.split_once(']')) {
        let is_link = links.iter().any(|(link, _)| *link == format!("[T{code}]"));
        assert!(is_link, "[T{code}] leads nowhere");
    }
}
