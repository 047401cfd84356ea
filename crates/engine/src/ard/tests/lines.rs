//! The line reader and the library return the same result.

#![allow(clippy::print_stderr)] // A skipped test must say so.

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::ard::document::{Document, Kind, Style};
use crate::ard::{Dialect, Documents, Node, Options, Schema, decode, line_reader, pack, read_by_library, unpack};
use crate::diagnostic::SourceId;
use crate::symbol::Interner;
use crate::text::SharedText;

/// The whole content of a document.
#[derive(PartialEq, Debug)]
struct Content<'a> {
    nodes: Vec<NodeContent<'a>>,
    keys: Vec<&'a str>,
    comments: &'a [std::ops::Range<u32>],
    has_more: bool,
}

impl<'a> Content<'a> {
    fn of(document: &'a Document, interner: &'a Interner) -> Self {
        Self {
            nodes: document.nodes().map(|node| node_content(document, node)).collect(),
            keys: document.keys.iter().map(|key| interner.text(*key)).collect(),
            comments: document.comments(),
            has_more: !(document.tags.is_empty() && document.merged.is_empty() && document.complete),
        }
    }
}

/// The whole content of a node.
#[derive(PartialEq, Debug)]
struct NodeContent<'a> {
    form: (Kind, Style),
    flags: u8,
    place: std::ops::Range<u32>,
    /// The node's number among the keys.
    key: Option<u32>,
    text: &'a str,
    len: usize,
    /// The index of the node after its content.
    after: u32,
}

fn node_content<'a>(document: &Document, node: Node<'a>) -> NodeContent<'a> {
    let (nodes, id) = (&document.nodes, node.id());
    NodeContent {
        form: (node.kind(), node.style()),
        flags: nodes.flags(id),
        place: nodes.range(id),
        key: node.symbol().map(|_| nodes.number_of_key(id)),
        text: node.text(),
        len: node.len(),
        after: nodes.after(id).number(),
    }
}

/// Reads a source with the line reader and returns whether that was possible. The error describes the difference from
/// the library's result.
fn compare(text: &str) -> Result<bool, String> {
    compare_with(text, &Options::default())
}

/// Returns the options for reading all documents in a source.
fn all_documents() -> Options {
    let dialect = Dialect { documents: Documents::All, schema: Schema::Yaml11, ..Dialect::CORE };
    Options { dialect, ..Options::default() }
}

fn compare_with(text: &str, options: &Options) -> Result<bool, String> {
    let interner = Interner::new();
    let shared: SharedText = text.into();
    let empty = Document::new(SourceId(0), shared.clone());
    let by_lines = line_reader::read(empty, text, &interner, options);
    let at_once = by_lines.as_ref().map(|document| Content::of(document, &interner));
    for length in [8, 50] {
        let (interner, empty) = (Interner::new(), Document::new(SourceId(0), shared.clone()));
        let in_pieces = line_reader::read_in_pieces(empty, text, &interner, options, length);
        let in_pieces = in_pieces.as_ref().map(|document| Content::of(document, &interner));
        if in_pieces != at_once {
            return Err(format!("{text:?} has, in pieces of {length}, {in_pieces:?} instead of {at_once:?}"));
        }
    }
    let Some(by_lines) = by_lines else { return Ok(false) };
    let (by_library, problems) = read_by_library(SourceId(0), shared, &interner, options);
    if let Some(problem) = problems.first() {
        return Err(format!("{text:?} is accepted, but {} at {}", problem.message, problem.span.start));
    }
    let (found, expected) = (Content::of(&by_lines, &interner), Content::of(&by_library, &interner));
    if found == expected {
        return if is_unpacked_as_it_was(&by_lines, &interner) { Ok(true) } else { Err(format!("{text:?} as packed")) };
    }
    let differing = found.nodes.iter().zip(&expected.nodes).find(|(found, expected)| found != expected);
    Err(differing.map_or_else(
        || format!("{text:?} has {found:?} instead of {expected:?}"),
        |(found, expected)| format!("{text:?} has {found:?} instead of {expected:?}"),
    ))
}

/// Returns whether a document is unchanged after packing and can't be unpacked for a different text.
fn is_unpacked_as_it_was(document: &Document, interner: &Interner) -> bool {
    let packed = pack(document).expect("it has no anchors, aliases, tags or merges");
    let (text, schema) = (&document.text, document.schema);
    let of = |text: &SharedText, packed, schema| unpack(SourceId(0), text, packed, interner, schema);
    let other_schema = if schema == Schema::Core { Schema::Yaml11 } else { Schema::Core };
    let unpacked = of(text, &packed, schema).expect("it is that of the text");
    Content::of(&unpacked, interner) == Content::of(document, interner)
        && of(&format!("{}\n", &**text).into(), &packed, schema).is_none()
        && of(text, &packed, other_schema).is_none()
        && (0..packed.len().min(64)).all(|length| of(text, &packed[..length], schema).is_none())
}

/// Counts the sources that the line reader accepts.
///
/// # Panics
///
/// Panics if the library reads any source differently.
fn compare_all(texts: impl Iterator<Item = String>) -> usize {
    let (mut count, mut wrong) = (0, Vec::new());
    for text in texts {
        match compare(&text).and_then(|by_lines| compare_with(&text, &all_documents()).map(|_| by_lines)) {
            Ok(by_lines) => count += usize::from(by_lines),
            Err(difference) => wrong.push(difference),
        }
    }
    wrong.sort_by_key(String::len);
    assert!(
        wrong.is_empty(),
        "{} sources are read differently:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
    count
}

#[test]
fn common_notation_is_read_by_lines() {
    let texts = [
        "a: 1\n",
        "---\na: 1",
        "# x\n\n--- # y\n# z\na: b # c\n",
        "  a: 1\n  b:\n",
        "a:\n  b:\n    - c\n    - d: 1\n      e: 2\n    -\n    - - f\n      - g\nh:\n- i\n-\n",
        "- 1\n- a: b\n- - - x\n    - y\n",
        "a : b\nc d: e f\n-x: ?y\n:z: -\u{e4}\n",
        "a: one\n  two # x\nb:\n  one\n\n\n  two\n  - three\nc: |\n  x\n",
        "a: 'it''s'\n'b': \"x\\ty\\\\\\u00e4\\n\"\n\"c\": ''\n",
        "a: 'one\n\n  two  \n  three '\nb: \" one  \n  two\\tx\n  \"\n",
        "a: |\n  one\n   two\n\n  three\n\nb: >-\n  one\n  two\n\n  three\n    more\n  four\n# x\nc: |+\n  x\n\n\nd: 1\n",
        "a: [1, 'b', \"c\", [d, {e: f, g}], h: i, {j: , k: l}, ] # m\nb: {}\nc: []\nd: {a: [\n  1, # x\n  2\n], b: 3}\n",
        "{\"a\": [1, 2], \"b\": {\"c\": null}}\n",
        "[a, b]\n",
        "1: a\ntrue: b\n~: c\n2: d\n\"1\": e\n",
        "a: 1\r\nb:\r\n  - x # y\r\n  - z\r\nc: |\r\n  one\r\n  two\r\nd: one\r\n  two\r\n",
        "größe: 10 €\n",
        "http://x.y: http://x.y/#z\n",
        "a: b#c\nd: e:f\n",
    ];
    for text in texts {
        assert_eq!(compare(text), Ok(true), "{text:?}");
    }
}

#[test]
fn large_maps_and_lists_know_their_length() {
    for count in [62, 63, 64, 65, 4095, 4096, 8190, 8191, 8192] {
        let map = (0..count).map(|number| format!("  k{number}: \"a\\tb\"\n")).collect::<Vec<_>>().concat();
        let list = (0..count).map(|number| format!("  - {number}\n")).collect::<Vec<_>>().concat();
        let text = format!("map:\n{map}list:\n{list}none: []\n");
        assert_eq!(compare(&text), Ok(true));
        let interner = Interner::new();
        let (document, _) = read_by_library(SourceId(0), text.as_str().into(), &interner, &Options::default());
        let root = document.root().expect("there is something");
        let value = |key: &str| root.find(key).expect("there is such a key").value;
        assert_eq!((value("map").len(), value("list").len(), value("none").len()), (count, count, 0));
        assert_eq!(value("list").items().count(), count);
        let last = value("map").get(interner.intern(&format!("k{}", count - 1)));
        assert_eq!(last.map(|entry| entry.value.text()), Some("a\tb"));
    }
}

#[test]
fn everything_else_is_left_to_the_library() {
    let texts = [
        "",
        "# x\n",
        "---\n",
        "a",
        "'a'\n",
        "|\n  a\n",
        "a: &b c\n",
        "a: *b\n",
        "a: !!str b\n",
        "? a\n: b\n",
        "a: 1\na: 2\n",
        "<<: {a: 1}\n",
        "1: a\n0x1: b\n",
        "a: b: c\n",
        "a: - b\n",
        "a: \"\\q\"\n",
        "a: 'b\n",
        "a: [b\n",
        "a: {b]\n",
        "a:\n    b: 1\n  c: 2\n",
        "a: b\n c: d\n",
        "a:\tb\n",
        "\ta: b\n",
        "a: b\n---\nc: d\n",
        "a: b\n...\n",
        "%YAML 1.2\n---\na: b\n",
        "a: |2\n   b\n",
        "- |+\n  a\n  ",
        "a: |\nb: c\n",
        "a: @b\n",
        "a: 'b' c\n",
        "a: b\n\u{feff}c: d\n",
        "a: \u{7}\n",
        "a: b\rc: d\n",
    ];
    for text in texts {
        assert_eq!(compare(text), Ok(false), "{text:?}");
    }
    assert_eq!(compare(&format!("{}: a\n", "x".repeat(1100))), Ok(false));
    assert_eq!(compare(&format!("a: {}{}\n", "[".repeat(300), "]".repeat(300))), Ok(false));
}

#[test]
fn dialects_are_supported() {
    let text = "a: yes\non: 010\nb: 1_000\nc: 1:30\n";
    let older = Dialect { schema: Schema::Yaml11, ..Dialect::CORE };
    assert_eq!(compare_with(text, &Options { dialect: older, ..Options::default() }), Ok(true));
    for (text, by_lines) in [(text, true), ("---\n- a\n- {b: c}\n", true), ("a: b\n---\nc: d\n", false), ("a", false)] {
        assert_eq!(compare_with(text, &all_documents()), Ok(by_lines), "{text:?}");
    }
}

/// Collects all files in a folder and its subfolders, in order.
fn files_in(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            files_in(&entry, files);
        } else if entry
            .extension()
            .is_some_and(|extension| ["yaml", "yml", "json"].iter().any(|known| extension == *known))
        {
            files.push(entry);
        }
    }
}

/// Returns the sources of the conformance suites; empty if they are missing.
fn texts() -> Vec<String> {
    let Some(shared) = env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("skipped: the conformance suites, as TOSCA_PARSE_SHARED does not name the folder that holds them");
        return Vec::new();
    };
    let mut files = Vec::new();
    files_in(&Path::new(&shared).join("conformance"), &mut files);
    assert!(files.len() > 4000, "there are only {} files", files.len());
    // Every third file is enough to notice a difference.
    files.iter().step_by(3).map(|file| decode(SourceId(0), fs::read(file).unwrap()).0.to_string()).collect()
}

#[test]
fn conformance_suites_are_read_alike() {
    let texts: Vec<_> = texts().into_iter().filter(|text| text.len() < 20_000).collect();
    let count = texts.len();
    let by_lines = compare_all(texts.into_iter());
    assert!(by_lines * 10 >= count * 7, "only {by_lines} of {count} are read by lines");
}

/// A pseudo-random number generator with reproducible results.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Changes `text` at one position.
fn mutate(text: &str, numbers: &mut Numbers) -> String {
    const PIECES: &[&str] = &[
        " ", "  ", "\n", "\n\n", "\t", ":", ": ", "-", "- ", "#", " #", "\"", "'", "[", "]", "{", "}", ",", "|", ">",
        "|-\n", ">\n", "\\", "x", "1", "&a ", "*a", "!", "?", "? ", "---\n", "...\n", "%", "@", "\r\n", "\r", "ä",
        "<<: ", "''", "\u{feff}", "~", "[a: b]", "{a}", "\n  ", "\n    x", "# c\n", "\0",
    ];
    let characters: Vec<char> = text.chars().collect();
    let at = numbers.below(characters.len() + 1);
    let until = (at + numbers.below(4)).min(characters.len());
    let piece = match numbers.below(4) {
        0 => "",
        1 => {
            let from = numbers.below(text.len() + 1);
            let line = text.get(from..).unwrap_or_default().lines().next().unwrap_or_default();
            return [&characters[..at].iter().collect::<String>(), line, &characters[at..].iter().collect::<String>()]
                .concat();
        }
        _ => PIECES[numbers.below(PIECES.len())],
    };
    [&characters[..at].iter().collect::<String>(), piece, &characters[until..].iter().collect::<String>()].concat()
}

#[test]
fn mutations_are_read_alike() {
    const MUTATIONS: usize = 3_000;
    let mut numbers = Numbers(1);
    let texts: Vec<_> = texts().into_iter().filter(|text| text.len() < 3000).collect();
    if texts.is_empty() {
        return;
    }
    let mutated = (0..MUTATIONS).map(|_| {
        let mut text = texts[numbers.below(texts.len())].clone();
        for _ in 0..=numbers.below(3) {
            text = mutate(&text, &mut numbers);
        }
        text
    });
    assert!(compare_all(mutated) > 0);
}

/// Checks lengths and counts around the largest number that fits into a node.
#[test]
fn large_lengths_and_counts_are_kept() {
    let words = |length: usize| format!("a: {}\nb: '{}'\n", "x".repeat(length), "y".repeat(length - 2));
    let items = |count: usize, blanks: usize| {
        let list = (0..count).map(|number| format!("- {number}\n")).collect::<Vec<_>>().concat();
        format!("list:\n{list}last: [{}{}]\n", "1, ".repeat(count), " ".repeat(blanks))
    };
    let lengths = [2, 1022, 1023, 1024, 1025, 1026, 70_000];
    let texts = lengths.into_iter().map(words).collect::<Vec<_>>();
    let counts = [0, 1, 62, 63, 64, 65, 1024, 1025];
    let lists = counts.into_iter().flat_map(|count| [0, 28, 29, 30, 31, 32, 33].map(|blanks| items(count, blanks)));
    for text in texts.into_iter().chain(lists) {
        assert_eq!(compare(&text), Ok(true), "{:.20} … of {} bytes", text, text.len());
        let (interner, shared) = (Interner::new(), SharedText::from(text.as_str()));
        let (document, _) = read_by_library(SourceId(0), shared, &interner, &Options::default());
        let root = document.root().unwrap();
        assert_eq!((root.span().start, root.span().end as usize), (0, text.trim_end().len()));
        if let Some(list) = root.find("list") {
            let last = root.find("last").unwrap().value;
            assert_eq!(last.len(), last.items().count());
            assert_eq!(list.value.len(), last.len());
            assert_eq!(list.value.items().count(), last.len());
        }
        for name in ["a", "b"] {
            let Some(entry) = root.find(name) else { continue };
            let written = entry.value.written().unwrap();
            assert_eq!(entry.value.text(), written.trim_matches('\''));
            assert_eq!(written.len(), lengths.into_iter().find(|length| *length == written.len()).unwrap());
        }
    }
}
