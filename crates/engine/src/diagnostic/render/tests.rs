#![allow(clippy::unwrap_used)]

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;
use crate::diagnostic::{Diagnostic, Diagnostics, Level, Rule, Span};
use crate::text::Source;

static UNREADABLE: Rule = rule("T1001", "unreadable", Level::Error);
static WRONG_TYPE: Rule = rule("T1201", "wrong-type", Level::Error);
static UNKNOWN: Rule = rule("T1202", "unknown-keyname", Level::Error);
static DOUBTFUL: Rule = rule("T2003", "doubtful", Level::Warning);

const fn rule(code: &'static str, name: &'static str, level: Level) -> Rule {
    Rule { code, name, level, summary: "" }
}

const SERVICE: &str = "\
version: 2.0
imports: [ lib/base.yaml, missing.yaml ]
nodes:
  web:
    tpye: Server
    ports: { http: many, https: none }   # both are wrong
    description: the first
  db:
    type: Server
    größe: '漢字', \tcaption: 😀
\thost:
    requirements:
      - host: web
        relationship: Conects
  cache:
    type: Server
";

const BASE: &str = "\
types:
  Root:
    ports: map
  Server:
    parent: Root
    ports: map of integer
";

/// Returns sources and their problems, in an arbitrary order as when several threads find them.
fn problems() -> (Vec<Diagnostic>, Sources) {
    let long = format!(r#"{{"first": 1, {}, "last": "x"}}"#, r#""name": "value""#.repeat(500));
    let sources: Sources = [
        Source::new(SourceId(3), "service.yaml", SERVICE),
        Source::new(SourceId(1), "lib/base.yaml", BASE),
        Source::new(SourceId(2), "missing.yaml", ""),
        Source::new(SourceId(0), "long.json", long.as_str()),
    ]
    .into_iter()
    .collect();

    let at = |id: u32, wanted: &str| {
        let text = sources.get(SourceId(id)).unwrap().text();
        let start = text.find(wanted).unwrap() as u32;
        Span { source: SourceId(id), start, end: start + wanted.len() as u32 }
    };
    let end = SERVICE.len() as u32;
    let colon = at(3, ": many").start;
    let problems = Diagnostics::from_iter([
        Diagnostic::new(&WRONG_TYPE, at(0, r#""last""#), "key `last` is wrong in a very long line")
            .with_related(at(0, r#""first""#), "the first one"),
        Diagnostic::new(&WRONG_TYPE, at(3, "none"), "`none` is not an integer"),
        Diagnostic::new(&WRONG_TYPE, at(3, "many"), "`many` is not an integer")
            .with_related(at(1, "map of integer"), "defined here")
            .with_related(at(1, "ports: map\n"), "and first here")
            .with_related(at(3, "type: Server\n    größe"), "the type of `db`")
            .with_help("write a number")
            .with_help("or remove the port:\n\n    ports: {}"),
        Diagnostic::new(&UNKNOWN, at(3, "tpye"), "keyname `tpye` is not known").with_help("did you mean `type`?"),
        Diagnostic::new(&WRONG_TYPE, at(3, "web:\n    tpye: Server\n    ports"), "a node over several lines"),
        Diagnostic::new(&UNREADABLE, at(2, ""), "`missing.yaml` could not be read: no such file")
            .with_related(at(3, "missing.yaml"), "imported here")
            .with_help("check the path"),
        Diagnostic::new(&UNREADABLE, Span { source: SourceId(77), start: 5, end: 9 }, "a source that nobody knows")
            .with_related(at(2, ""), "imported from"),
        Diagnostic::new(&UNKNOWN, at(3, "größe"), "keyname `größe` is not known"),
        Diagnostic::new(&DOUBTFUL, at(3, "漢字', \tcaption"), "`漢字`\tis wide"),
        Diagnostic::new(&DOUBTFUL, at(3, "😀"), "`😀` is wide too").with_related(at(3, "\thost"), "after a tab"),
        Diagnostic::new(&UNKNOWN, at(3, "host"), "keyname `host` is\n\u{1b}[31mnot\u{1b}[0m known"),
        Diagnostic::new(&UNKNOWN, Span { source: SourceId(3), start: end, end }, "the end comes too early"),
        Diagnostic::new(&UNKNOWN, Span { source: SourceId(3), start: colon, end: colon }, "between two characters"),
    ]);
    (problems.into_sorted(&sources), sources)
}

#[test]
fn terminal() {
    let (problems, sources) = problems();
    assert_snapshot!(Terminal::new(&problems, &sources).to_string());
}

#[test]
fn terminal_in_colour() {
    let (problems, sources) = problems();
    let text = Terminal::new(&problems, &sources).color(true).to_string();
    assert_snapshot!(text.replace('\u{1b}', "␛"));
}

#[test]
fn terminal_that_is_narrow() {
    let (problems, sources) = problems();
    assert_snapshot!(Terminal::new(&problems, &sources).width(0).to_string());
}

#[test]
fn concise() {
    let (problems, sources) = problems();
    assert_snapshot!(Concise::new(&problems, &sources).to_string());
}

#[test]
fn json() {
    let (problems, sources) = problems();
    assert_snapshot!(Document::new(&problems, &sources).to_string());
}

#[test]
fn json_lines() {
    let (problems, sources) = problems();
    let lines = JsonLines::new(&problems, &sources).to_string();
    let document = Document::new(&problems, &sources);
    let read: Vec<Problem<'_>> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read, document.diagnostics);
}

#[test]
fn sarif() {
    let (problems, sources) = problems();
    assert_snapshot!(Sarif::new(&problems, &sources).to_string());
}

#[test]
fn github() {
    let (problems, sources) = problems();
    assert_snapshot!(GitHub::new(&problems, &sources).to_string());
}

#[test]
fn gitlab() {
    let (problems, sources) = problems();
    let report = GitLab::new(&problems, &sources).to_string();
    assert_snapshot!(report);
    let twice: Vec<Diagnostic> = problems.iter().chain(&problems).cloned().collect();
    let report = GitLab::new(&twice, &sources).to_string();
    let issues: Vec<serde_json::Value> = serde_json::from_str(&report).unwrap();
    let fingerprints: std::collections::BTreeSet<&str> =
        issues.iter().map(|issue| issue["fingerprint"].as_str().unwrap()).collect();
    assert_eq!(fingerprints.len(), twice.len());
}

#[test]
fn azure() {
    let (problems, sources) = problems();
    assert_snapshot!(Azure::new(&problems, &sources));
}

#[test]
fn checkstyle() {
    let (problems, sources) = problems();
    assert_snapshot!(Checkstyle::new(&problems, &sources));
}

#[test]
fn rdjson() {
    let (problems, sources) = problems();
    assert_snapshot!(RdJson::new(&problems, &sources));
}

#[test]
fn sonarqube() {
    let (problems, sources) = problems();
    assert_snapshot!(SonarQube::new(&problems, &sources));
}

#[test]
fn junit() {
    let (problems, sources) = problems();
    assert_snapshot!(JUnit::new(&problems, &sources).to_string());
}

#[test]
fn statistics() {
    let (problems, _) = problems();
    let statistics = Statistics::of(&problems);
    assert_snapshot!(statistics.to_string());
    assert_eq!(statistics.counts.iter().map(|row| row.count).sum::<usize>(), problems.len());
    assert_eq!(serde_json::to_value(&statistics).unwrap()[0]["count"], statistics.counts[0].count);
}

#[test]
fn without_problems_the_summary_remains() {
    let sources = Sources::new();
    assert_eq!(Terminal::new(&[], &sources).to_string(), "no problems\n");
    assert_eq!(Concise::new(&[], &sources).to_string(), "");
    let document = Document::new(&[], &sources);
    assert_eq!((document.version, document.diagnostics.len()), (1, 0));
    assert_eq!(JsonLines::new(&[], &sources).to_string() + &GitHub::new(&[], &sources).to_string(), "");
    assert_eq!(GitLab::new(&[], &sources).to_string(), "[]\n");
    assert!(Sarif::new(&[], &sources).to_string().contains("\"results\": []"));
    assert_eq!(Statistics::of(&[]).to_string(), "");
}

#[test]
fn a_problem_without_text_shows_its_position() {
    let sources: Sources = [Source::new(SourceId(0), "missing.yaml", "")].into_iter().collect();
    let span = Span { source: SourceId(0), start: 0, end: 0 };
    let problem = Diagnostic::new(&UNREADABLE, span, "no such file").with_help("check the path");
    let shown = Terminal::new(&[problem], &sources).to_string();
    let expected = "error[T1001]: no such file\n --> missing.yaml\n  = help: check the path\n\n1 error in 1 file\n";
    assert_eq!(shown, expected);
}

#[test]
fn many_related_spans_are_counted() {
    let sources: Sources = [Source::new(SourceId(0), "a.yaml", "a\n".repeat(40))].into_iter().collect();
    let span = |line: u32| Span { source: SourceId(0), start: 2 * line, end: 2 * line + 1 };
    let shown = |related: u32| {
        let problem = Diagnostic::new(&WRONG_TYPE, span(0), "`a` is defined too often");
        let problem = (1..=related).fold(problem, |problem, line| problem.with_related(span(line), "defined here"));
        Terminal::new(&[problem], &sources).to_string()
    };
    assert!(!shown(8).contains("shown"));
    assert!(shown(9).contains("= note: 1 more place is not shown\n"));
    assert!(shown(30).contains("= note: 22 more places are not shown\n"));
    assert_eq!(shown(30).matches("- defined here").count(), 8);
}

#[test]
fn names_cannot_command_the_terminal() {
    let sources: Sources = [Source::new(SourceId(0), "\u{1b}[2Ja\n.yaml", "a: 1")].into_iter().collect();
    let span = Span { source: SourceId(0), start: 0, end: 1 };
    let problems = [Diagnostic::new(&WRONG_TYPE, span, "wrong")];
    assert!(Terminal::new(&problems, &sources).to_string().contains("--> ␛[2Ja␊.yaml:1:1\n"));
    assert_eq!(Concise::new(&problems, &sources).to_string(), "␛[2Ja␊.yaml:1:1: error[T1201]: wrong\n");
    assert_eq!(Document::new(&problems, &sources).diagnostics[0].file, "\u{1b}[2Ja\n.yaml");
}

#[test]
fn source_lines_cannot_command_a_runner() {
    let text = "a: '##[add-mask]x ##vso[y]' # ##\n";
    let sources: Sources = [Source::new(SourceId(0), "a.yaml", text)].into_iter().collect();
    let start = text.find("##vso").unwrap() as u32;
    let problems = [Diagnostic::new(&WRONG_TYPE, Span { source: SourceId(0), start, end: start + 8 }, "wrong")];
    let shown = Terminal::new(&problems, &sources).to_string();
    let expected = "1 | a: '#＃[add-mask]x #＃vso[y]' # ##\n  |                    ^^^^^^^^^\n";
    assert!(shown.contains(expected), "{shown}");
    assert!(!is_command(&shown));
}

#[test]
fn the_document_can_be_read_again() {
    let (problems, sources) = problems();
    let document = Document::new(&problems, &sources);
    let text = document.to_string();
    assert_eq!(serde_json::from_str::<Document>(&text).unwrap(), document);
}

#[test]
fn carets_are_below_their_spans() {
    let text = "first: 1\n  second: two # why\n\n   third\n";
    let sources: Sources = [Source::new(SourceId(0), "a.yaml", text)].into_iter().collect();
    for (start, end) in (0..text.len()).flat_map(|start| (start..=text.len()).map(move |end| (start, end))) {
        let span = Span { source: SourceId(0), start: start as u32, end: end as u32 };
        let shown = Terminal::new(&[Diagnostic::new(&WRONG_TYPE, span, "wrong")], &sources).to_string();
        let meant = text[start..end].split_once('\n').map_or(&text[start..end], |(line, _)| line.trim_end());
        let before = start - text[..start].rfind('\n').map_or(0, |last| last + 1);
        let carets = "^".repeat(meant.len().max(1));
        assert_eq!(shown.lines().nth(4), Some(&*format!("  | {}{carets}", " ".repeat(before))), "{start}..{end}");
    }
}

#[test]
fn equal_problems_are_folded_but_counted() {
    let sources: Sources = [Source::new(SourceId(0), "a.yaml", "abcdef\n")].into_iter().collect();
    let at = |start: u32| Span { source: SourceId(0), start, end: start + 1 };
    let same = |start| Diagnostic::new(&WRONG_TYPE, at(start), "the same");
    let problems = [same(0), same(1), Diagnostic::new(&WRONG_TYPE, at(2), "another"), same(3), same(4)];
    let remarks = ["1 of 2 files is valid".to_owned()];
    let terminal = Terminal::new(&problems, &sources).max_same(2).remarks(&remarks);
    let text = terminal.to_string();
    assert_eq!(text.matches("the same").count(), 2);
    assert!(text.contains("\n2 more problems like this\n\nerror[T"), "{text}");
    assert!(text.ends_with("\n1 of 2 files is valid\n5 errors in 1 file\n"), "{text}");
    let text = terminal.max_same(3).command("x").to_string();
    assert!(text.contains("1 more problem like this; `--max-same 0` shows it\n"), "{text}");
    assert!(!terminal.max_same(4).to_string().contains("more"));
}

#[test]
fn terminal_with_marks_that_meet() {
    let text = "shop:\n  shelf: { type: Shelf, size: huge, room: hall }\n  window:\n    type: Window\n";
    let sources: Sources = [Source::new(SourceId(0), "a.yaml", text)].into_iter().collect();
    let at = |wanted: &str| {
        let start = text.find(wanted).unwrap() as u32;
        Span { source: SourceId(0), start, end: start + wanted.len() as u32 }
    };
    let size = |message: &str| Diagnostic::new(&WRONG_TYPE, at("size"), message);
    let problems = [
        size("the same place").with_related(at("size"), "also here"),
        size("a place inside").with_related(at("size: huge"), "in this"),
        size("places beside").with_related(at("shelf"), "in this").with_related(at("hall"), "because of this"),
        size("a place around").with_related(at("{ type: Shelf, size: huge, room: hall }"), "in this"),
        size("a line before").with_related(at("shop"), "in this"),
        Diagnostic::new(&DOUBTFUL, at("type: Window"), "a line between").with_related(at("shelf"), "because of this"),
    ];
    assert_snapshot!(Terminal::new(&problems, &sources).to_string());
}

#[test]
fn carets_are_correct_in_shortened_lines() {
    let words: Vec<String> = (0..400).map(|number| format!("w{number:03}")).collect();
    let text = words.join(" ");
    let sources: Sources = [Source::new(SourceId(0), "a.yaml", &*text)].into_iter().collect();
    for (word, start) in words.iter().zip((0..).step_by(5)) {
        let span = Span { source: SourceId(0), start, end: start + 4 };
        let shown = Terminal::new(&[Diagnostic::new(&WRONG_TYPE, span, "wrong")], &sources).width(60).to_string();
        let [code, carets] = [3, 4].map(|line| shown.lines().nth(line).unwrap());
        let from = carets.find('^').unwrap();
        assert_eq!((&code[from..from + 4], &carets[from..]), (&**word, "^^^^"));
        assert!(code.len() <= 60 && (code.starts_with("1 | ...") || start < 60), "{code}");
        assert!(shown.contains(&format!("--> a.yaml:1:{}\n", start + 1)));
    }
}

fn arbitrary_span() -> impl Strategy<Value = Span> {
    (0_u32..4, 0_u32..300, 0_u32..300).prop_map(|(source, start, end)| Span { source: SourceId(source), start, end })
}

/// Generates strings with everything that is difficult to show: control characters, wide and combining characters, and
/// all kinds of line breaks.
fn arbitrary_text() -> impl Strategy<Value = String> {
    let difficult =
        "\u{feff}?([ab: ]{0,9}|[\r\n\t]|[ä漢😀\u{301}\u{200d}\u{1b}\u{85}\u{202e}\u{fdd0}]|[x ]{30,60}){0,12}";
    prop_oneof![9 => difficult, 1 => any::<String>()]
}

/// Returns the text without color codes.
fn without_escapes(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let first = pieces.next().unwrap_or_default();
    let rest = pieces.map(|piece| piece.split_once('m').map_or("", |(_, text)| text));
    [first].into_iter().chain(rest).collect()
}

proptest! {
    #[test]
    fn every_text_and_every_span_can_be_shown(
        texts in proptest::collection::vec(arbitrary_text(), 1..4),
        spans in proptest::collection::vec(arbitrary_span(), 1..5),
        message in any::<String>(),
        width in 0_usize..200,
    ) {
        let sources: Sources = (0..).zip(&texts).map(|(id, text)| Source::new(SourceId(id), "a.yaml", &**text)).collect();
        let problem = Diagnostic::new(&WRONG_TYPE, spans[0], message.as_str()).with_help(message.as_str());
        let problem = spans[1..].iter().fold(problem, |problem, span| problem.with_related(*span, message.as_str()));
        let problems = [problem];

        let shown = Terminal::new(&problems, &sources).width(width).to_string();
        prop_assert!(shown.chars().all(|character| character == '\n' || !character.is_control()), "{:?}", shown);
        prop_assert!(shown.starts_with("error[T1201]: ") && shown.ends_with("\n\n1 error in 1 file\n"));
        let colored = Terminal::new(&problems, &sources).width(width).color(true).to_string();
        prop_assert_eq!(without_escapes(&colored), &*shown);

        let concise = Concise::new(&problems, &sources).to_string();
        prop_assert_eq!(concise.lines().count(), 1);
        prop_assert_eq!(concise.matches('\n').count(), 1);

        let azure = Azure::new(&problems, &sources).to_string();
        prop_assert_eq!(azure.matches('\n').count(), 1);
        let checkstyle = Checkstyle::new(&problems, &sources).to_string();
        prop_assert_eq!(checkstyle.lines().count(), 6);
        for json in [RdJson::new(&problems, &sources).to_string(), SonarQube::new(&problems, &sources).to_string()] {
            prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
        }

        let document = Document::new(&problems, &sources);
        let problem = &document.diagnostics[0];
        prop_assert!(problem.start.offset <= problem.end.offset);
        prop_assert!((problem.start.line, problem.start.column) <= (problem.end.line, problem.end.column));
        let place = format!("{}:{}:{}", problem.file, problem.start.line, problem.start.column);
        prop_assert!(concise.starts_with(&place));
        let text = sources.get(spans[0].source).is_some_and(|source| !source.text().is_empty());
        prop_assert_eq!(shown.contains(&format!("--> {place}\n")), text);
        prop_assert_eq!(serde_json::from_str::<Document>(&document.to_string()).unwrap(), document);
    }
}
