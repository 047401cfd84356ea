//! The test suite of the YAML project: invalid sources are rejected, and valid ones result in the expected data.
//!
//! The suite is not part of this repository. The environment variable `TOSCA_PARSE_SHARED` names a folder that
//! contains it as `conformance/yaml-test-suite`; without the variable, the test is skipped with a message.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::{Deserializer, Value};
use tosca_parse::ard::{self, Dialect, Document, Kind, Node, Options, Style, Tags};
use tosca_parse::diagnostic::{Diagnostic, SourceId};
use tosca_parse::rules;
use tosca_parse::symbol::Interner;

/// Cases in which the verdict of the suite is not followed, with the reason. A case that is listed here but passes is
/// also a failure.
const KNOWN_DIFFERENCES: &[(&str, &str)] = &[
    ("9C9N", "lines inside of brackets that are not indented are so common that they are accepted"),
    ("QLJ7", "the mistake is in the second document, which is not read"),
];

#[test]
fn texts_are_read_as_in_the_suite() {
    let Some(shared) = env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("skipped: the YAML test suite, as TOSCA_PARSE_SHARED does not name the folder that holds it");
        return;
    };
    let suite = Path::new(&shared).join("conformance/yaml-test-suite");
    let cases = cases(&suite);
    assert!(cases.len() > 400, "{} holds only {} cases", suite.display(), cases.len());

    let known: BTreeMap<_, _> = KNOWN_DIFFERENCES.iter().copied().collect();
    let mut failures = Vec::new();
    for (name, folder) in &cases {
        match (run(folder), known.get(name.as_str())) {
            (Ok(()), Some(reason)) => failures.push(format!("{name}: passes, though it is listed: {reason}")),
            (Err(difference), None) => failures.push(format!("{name}: {difference}")),
            _ => {}
        }
    }
    for name in known.keys() {
        assert!(cases.iter().any(|(case, _)| case == name), "{name} is listed, but there is no such case");
    }
    assert!(failures.is_empty(), "{} of {} cases:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

/// Returns the folders with a case, and their names (`2G84/03` if a test has several cases).
fn cases(suite: &Path) -> Vec<(String, PathBuf)> {
    let mut cases = Vec::new();
    for test in folders(suite) {
        let folders = if test.join("in.yaml").exists() { vec![test] } else { folders(&test) };
        for folder in folders {
            let name = folder.strip_prefix(suite).unwrap().to_string_lossy().replace('\\', "/");
            cases.push((name, folder));
        }
    }
    cases
}

fn folders(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
    let mut folders: Vec<_> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// Reads a case; the error describes how the result differs from the suite.
fn run(folder: &Path) -> Result<(), String> {
    let (text, invalid) = ard::decode(SourceId(0), fs::read(folder.join("in.yaml")).unwrap());
    if invalid.is_some() {
        return Err("the bytes are refused".into());
    }
    let options = Options { dialect: Dialect { tags: Tags::Any, ..Dialect::CORE }, ..Options::default() };
    let (document, problems) = ard::read(SourceId(0), text.clone(), &Interner::new(), &options);
    let problems: Vec<_> = problems.into_iter().filter(concerns_syntax).collect();
    // Only the first document is read; problems in later ones are not reported.
    let is_refused = !problems.is_empty();
    match (folder.join("error").exists(), is_refused) {
        (true, true) => return Ok(()),
        (true, false) => return Err("is accepted, but not valid".into()),
        (false, true) => return Err(format!("is refused, but valid: {}", problems[0].message)),
        (false, false) => {}
    }
    compare_events(folder, &document)?;
    compare_values(folder, &document)
}

/// Compares the nodes with the events of the suite: structure, styles, tags, and the positions of anchors and aliases.
fn compare_events(folder: &Path, document: &Document) -> Result<(), String> {
    let listed = fs::read_to_string(folder.join("test.event")).unwrap();
    let first_document = listed.lines().skip_while(|line| !line.starts_with("+DOC")).skip(1);
    let expected: Vec<String> =
        first_document.take_while(|line| !line.starts_with("-DOC")).map(without_anchor_name).collect();
    let mut found = Vec::new();
    if let Some(root) = document.root() {
        add_events(root, &mut found);
    }
    if expected == found { Ok(()) } else { Err(format!("has events {expected:?}, but is read as {found:?}")) }
}

/// Removes the name of an anchor or alias from an event, because a document does not keep it.
fn without_anchor_name(event: &str) -> String {
    let mut words: Vec<&str> = event.splitn(4, ' ').collect();
    // The text of a scalar, which may contain anything, comes after the name of the event and the properties.
    for word in words.iter_mut().skip(1).take_while(|word| !word.starts_with([':', '\'', '"', '|', '>'])) {
        if word.starts_with(['&', '*']) {
            *word = &word[..1];
        }
    }
    words.join(" ")
}

fn add_events(node: Node<'_>, events: &mut Vec<String>) {
    if node.is_alias() {
        events.push("=ALI *".into());
        return;
    }
    let brackets = match (node.kind(), node.style()) {
        (Kind::Map, Style::Flow) => " {}",
        (Kind::List, Style::Flow) => " []",
        _ => "",
    };
    let anchor = if node.has_anchor() { " &" } else { "" };
    let tag = node.tag().map(|tag| format!(" <{tag}>")).unwrap_or_default();
    let properties = format!("{brackets}{anchor}{tag}");
    match node.kind() {
        Kind::Map => {
            events.push(format!("+MAP{properties}"));
            for entry in node.entries() {
                add_events(entry.key, events);
                add_events(entry.value, events);
            }
            events.push("-MAP".into());
        }
        Kind::List => {
            events.push(format!("+SEQ{properties}"));
            for item in node.items() {
                add_events(item, events);
            }
            events.push("-SEQ".into());
        }
        _ => {
            let style = match node.style() {
                Style::SingleQuoted => '\'',
                Style::DoubleQuoted => '"',
                Style::Literal => '|',
                Style::Folded => '>',
                _ => ':',
            };
            let mut text = String::new();
            for character in node.text().chars() {
                match character {
                    '\\' => text.push_str("\\\\"),
                    '\n' => text.push_str("\\n"),
                    '\t' => text.push_str("\\t"),
                    '\r' => text.push_str("\\r"),
                    '\u{8}' => text.push_str("\\b"),
                    other => text.push(other),
                }
            }
            events.push(format!("=VAL{properties} {style}{text}"));
        }
    }
}

fn compare_values(folder: &Path, document: &Document) -> Result<(), String> {
    let Ok(json) = fs::read_to_string(folder.join("in.json")) else { return Ok(()) };
    let expected = Deserializer::from_str(&json).into_iter().next().transpose().unwrap();
    let found = document.root().map(|root| serde_json::to_value(root).unwrap());
    if same(expected.as_ref(), found.as_ref()) {
        Ok(())
    } else {
        Err(format!("means {}, but is read as {}", shown(expected.as_ref()), shown(found.as_ref())))
    }
}

/// Returns whether a problem makes a source invalid for the suite. The tests of the suite are only about syntax, and
/// include sources with several documents and maps with duplicate keys.
fn concerns_syntax(problem: &Diagnostic) -> bool {
    ![&rules::SEVERAL_DOCUMENTS, &rules::DUPLICATE_KEY].contains(&problem.rule)
}

/// Compares values with only one kind of number.
fn same(left: Option<&Value>, right: Option<&Value>) -> bool {
    match (left, right) {
        (Some(Value::Number(left)), Some(Value::Number(right))) => left.as_f64() == right.as_f64(),
        (Some(Value::Array(left)), Some(Value::Array(right))) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(Some(left), Some(right)))
        }
        (Some(Value::Object(left)), Some(Value::Object(right))) => {
            left.len() == right.len() && left.iter().all(|(key, value)| same(Some(value), right.get(key)))
        }
        (left, right) => left == right,
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".into(), Value::to_string)
}
