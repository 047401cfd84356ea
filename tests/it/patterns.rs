//! Regular expressions: features of dialects that are supported, accepted with a warning, or rejected.

use std::fmt::Write;

use tosca_parse::normal::{Map, Options, Service, Value};
use tosca_parse::{Outcome, Parser, TOSCA};

use crate::support::is_up_to_date;

/// The verdict on a pattern.
enum Verdict {
    /// Supported: strings that it matches as a whole, and one that it does not match.
    Runs(&'static [&'static str], &'static str),
    /// Valid in some dialect, but not supported.
    Warns,
    /// Invalid in all dialects.
    Wrong,
}
use Verdict::{Runs, Warns, Wrong};

/// The features by group: a name, the dialects that support it, patterns and their verdicts.
type Feature = (&'static str, &'static str, &'static [(&'static str, Verdict)]);

const ALL: &str = "all";

const FEATURES: &[(&str, &[Feature])] = &[
    (
        "Characters",
        &[
            ("any character", ALL, &[("a.c", Runs(&["abc", "aüc"], "a\nc"))]),
            (
                "escaped punctuation",
                ALL,
                &[
                    (r"\.\-\/\_\<\>\@\ \#\'", Runs(&[".-/_<>@ #'"], "x")),
                    (r"a\.b", Runs(&["a.b"], "axb")),
                    (r"\ü", Runs(&["ü"], "u")),
                ],
            ),
            (
                "control characters",
                ALL,
                &[(r"\t\n\r\f\v", Runs(&["\t\n\r\u{C}\u{B}"], "tnrfv")), (r"\0", Runs(&["\0"], "0"))],
            ),
            ("bell, escape", "PCRE, Python (`\\a`)", &[(r"\a\e", Runs(&["\u{7}\u{1B}"], "ae"))]),
            ("control by letter", "ECMAScript, PCRE", &[(r"\cA\cz", Runs(&["\u{1}\u{1A}"], "cA")), (r"\c", Warns)]),
            (
                "code points",
                ALL,
                &[
                    (r"\x41\u0042", Runs(&["AB"], "x41")),
                    (r"\x{1F600}", Runs(&["\u{1F600}"], "x")),
                    (r"\u{1F600}", Runs(&["\u{1F600}"], "u")),
                    (r"\U0001F600", Runs(&["\u{1F600}"], "U")),
                    (r"\uD83D\uDE00", Runs(&["\u{1F600}"], "u")),
                    (r"\012\o{101}", Runs(&["\nA"], "12")),
                    (r"\x4", Warns),
                    (r"\uD83D", Warns),
                ],
            ),
            (
                "literal text",
                "PCRE, Java",
                &[(r"\Qa.b*\E+", Runs(&["a.b*", "a.b**"], "axb")), (r"\Qa[", Runs(&["a["], "a"))],
            ),
            (
                "braces and brackets as text",
                ALL,
                &[
                    ("{", Runs(&["{"], "")),
                    ("{2}", Runs(&["{2}"], "22")),
                    ("a{", Runs(&["a{"], "a")),
                    ("a{b}", Runs(&["a{b}"], "ab")),
                    ("a{,b}", Runs(&["a{,b}"], "a")),
                    (r"^a\{[a-z]+}$", Runs(&["a{ab}"], "{ab}")),
                    ("a]b}", Runs(&["a]b}"], "ab")),
                ],
            ),
            ("unknown letters", "ECMAScript", &[(r"\y", Warns), (r"\i\c*", Warns)]),
            ("incomplete escape", "none", &[(r"a\", Wrong)]),
        ],
    ),
    (
        "Classes",
        &[
            ("members and ranges", ALL, &[("[a-cx]", Runs(&["b", "x"], "d")), ("[^a-c]", Runs(&["d"], "a"))]),
            ("digits, words, space", ALL, &[(r"\d\w\s", Runs(&["1_ "], "a_ ")), (r"\D\W\S", Runs(&["a-b"], "1-b"))]),
            ("the same in a class", ALL, &[(r"[\d\s]", Runs(&["1", " "], "a")), (r"[^\w.]", Runs(&["-"], "."))]),
            (
                "opening bracket as text",
                ALL,
                &[
                    ("[!#[-~]+", Runs(&["abc", "#["], "$")),
                    ("[[]x]", Runs(&["[x]"], "x")),
                    ("[a[b]", Runs(&["["], "]")),
                    ("[[:alpha:]", Runs(&["[", "l"], "b")),
                ],
            ),
            (
                "closing bracket first",
                "PCRE, Python",
                &[("[]a]", Runs(&["]", "a"], "b")), ("[^]a]", Runs(&["b"], "]"))],
            ),
            ("empty class", "ECMAScript", &[("a[]?", Runs(&["a"], "b")), ("a[^]", Runs(&["a\n"], "a"))]),
            (
                "doubled operators as text",
                ALL,
                &[
                    ("[a&&b]+", Runs(&["a&b"], "~")),
                    ("[a~~b]+", Runs(&["a~b"], "&")),
                    ("[+--]+", Runs(&["+,-"], ".")),
                    ("[a||b]", Runs(&["|"], "-")),
                ],
            ),
            (
                "hyphen beside a class or a range",
                "ECMAScript, Perl",
                &[
                    (r"[\w-.]+", Runs(&["a-."], "+")),
                    (r"[\w--.]+", Runs(&["a-."], "+")),
                    (r"[a-\d]+", Runs(&["a-1"], "b")),
                    ("[a-c-e]+", Runs(&["b-e"], "d")),
                    ("[-a]+", Runs(&["-a"], "b")),
                    ("[a-]+", Runs(&["a-"], "b")),
                    (r"[[:alpha:]-.]+", Runs(&["a-."], "+")),
                ],
            ),
            (
                "escapes in a class",
                ALL,
                &[
                    (r"[\b]", Runs(&["\u{8}"], "b")),
                    (r"[\]\[\\\^-]+", Runs(&["][\\^-"], "a")),
                    (r"[\x41-\x43]", Runs(&["B"], "x")),
                    (r"[\1\12]", Runs(&["\u{1}", "\n"], "1")),
                    (r"[\Q^]\E]+", Runs(&["^]"], "Q")),
                    (r"[\cA]", Runs(&["\u{1}"], "A")),
                    (r"[\y]", Warns),
                ],
            ),
            (
                "POSIX classes",
                "PCRE",
                &[
                    ("[[:alpha:][:digit:]_]", Runs(&["a", "1", "_"], ":")),
                    ("[[:^alpha:]]", Runs(&["1"], "a")),
                    ("[[.a.]]", Warns),
                    ("[[:alph:]]", Warns),
                ],
            ),
            (
                "properties",
                "ECMAScript, PCRE",
                &[
                    (r"\p{L}\pN", Runs(&["ü1"], "1ü")),
                    (r"\P{L}", Runs(&["1"], "a")),
                    (r"[\p{Lu}\p{Script=Greek}]", Runs(&["Ü", "α"], "a")),
                    (r"\p{^L}", Runs(&["1"], "a")),
                    (r"\p{IsBasicLatin}", Warns),
                ],
            ),
            (
                "horizontal space, no line break",
                "PCRE",
                &[(r"\h[\h]\H", Runs(&[" \ta"], "a b")), (r"\V\N", Runs(&["ab"], "\n\n")), (r"\R", Warns)],
            ),
            (
                "set operations",
                "Java, ECMAScript (`v`), .NET",
                &[("[a-z&&[^aeiou]]", Warns), ("[a-z-[aeiou]]", Warns), (r"[\w--[\d]]", Warns), ("[a--b]", Warns)],
            ),
            ("reversed range", "none", &[("[z-a]", Wrong), (r"[\x43-\x41]", Wrong)]),
            ("unclosed class", "none", &[("[a-z", Wrong), ("[", Wrong), (r"[\]", Wrong), ("[[:alpha:", Wrong)]),
        ],
    ),
    (
        "Repetition",
        &[
            ("greedy, lazy", ALL, &[("a*b+c?", Runs(&["b", "aabbc"], "a")), ("a*?b+?c??", Runs(&["b", "aabbc"], "a"))]),
            (
                "counts",
                ALL,
                &[("a{2}", Runs(&["aa"], "a")), ("a{2,}", Runs(&["aaa"], "a")), ("a{1,2}?", Runs(&["aa"], "aaa"))],
            ),
            ("repeated repetition", "PCRE", &[("a{2}{3}", Runs(&["aaaaaa"], "aaaaa"))]),
            ("count without a start, with spaces", "Python, PCRE 10.43", &[("a{,2}", Warns), ("a{1, 2}", Warns)]),
            (
                "possessive",
                "PCRE, Python 3.11, Java",
                &[("a*+", Warns), ("a++", Warns), ("a?+", Warns), ("a{2}+", Warns)],
            ),
            ("large counts", ALL, &[(r"(\w{1000}){1000}", Warns), ("a{9999999999}", Warns)]),
            ("nothing to repeat", "none", &[("*a", Wrong), ("a|+", Wrong), ("(?)", Wrong), ("(*a)", Wrong)]),
            ("reversed count", "none", &[("a{2,1}", Wrong)]),
        ],
    ),
    (
        "Groups",
        &[
            ("alternatives", ALL, &[("a|b|", Runs(&["a", "b", ""], "c"))]),
            (
                "groups",
                ALL,
                &[("(a|b)+", Runs(&["ab"], "c")), ("(?:a|b)+", Runs(&["ab"], "c")), ("()", Runs(&[""], "a"))],
            ),
            (
                "names",
                ALL,
                &[
                    ("(?<year>a)", Runs(&["a"], "b")),
                    ("(?P<year>a)", Runs(&["a"], "b")),
                    ("(?'year'a)", Runs(&["a"], "b")),
                    ("(?<x>a)|(?<x>b)", Runs(&["a", "b"], "c")),
                ],
            ),
            (
                "flags",
                "PCRE, Python, ECMAScript 2025",
                &[
                    ("(?i)ab", Runs(&["aB"], "c")),
                    ("(?i:a)b", Runs(&["Ab"], "AB")),
                    ("(?s).", Runs(&["\n"], "")),
                    ("(?s-i:.)", Runs(&["\n"], "")),
                    ("(?x) a b # c )\n d", Runs(&["abd"], "a b")),
                    ("(?x) a +", Runs(&["aa"], "a ")),
                    ("(?x)a # b", Runs(&["a"], "a # b")),
                    ("(?u)a", Runs(&["a"], "b")),
                    ("(?a)a", Warns),
                    ("(?w)a", Warns),
                ],
            ),
            ("branch reset", "PCRE", &[("(?|(a)|(b))", Runs(&["a", "b"], "c"))]),
            ("comments", "PCRE, Python", &[("a(?# b)c", Runs(&["ac"], "abc"))]),
            (
                "unbalanced",
                "none",
                &[("(a", Wrong), ("a)", Wrong), ("(?=a", Wrong), ("(?<1>a)", Wrong), ("(?Y)", Wrong)],
            ),
        ],
    ),
    (
        "Positions",
        &[
            ("start, end", ALL, &[("^a$", Runs(&["a"], "a\n")), ("(?m)^a$\n^b$", Runs(&["a\nb"], "ab"))]),
            (
                "start, end of the string",
                "PCRE, Python",
                &[(r"\Aa\z", Runs(&["a"], "b")), (r"\Aa\Z", Runs(&["a"], "b"))],
            ),
            ("word boundary", ALL, &[(r"a\b.", Runs(&["a-"], "ab")), (r"a\Bb", Runs(&["ab"], "a-"))]),
            ("looking ahead", ALL, &[("(?=a)a", Warns), ("(?!a)b", Warns)]),
            ("looking behind", ALL, &[("a(?<=a)", Warns), ("a(?<!b)", Warns)]),
            ("match reset, last match", "PCRE", &[(r"a\Kb", Warns), (r"\Ga", Warns)]),
        ],
    ),
    (
        "References and control",
        &[
            (
                "back-references",
                ALL,
                &[
                    (r"(a)\1", Warns),
                    (r"(?<n>a)\k<n>", Warns),
                    (r"(?<n>a)\k'n'", Warns),
                    (r"(?P<n>a)(?P=n)", Warns),
                    (r"(a)\g{1}", Warns),
                ],
            ),
            (
                "recursion, calls",
                "PCRE",
                &[("a(?R)?", Warns), ("(a)(?1)*", Warns), ("(?<n>a)(?&n)", Warns), ("(a)(?-1)", Warns)],
            ),
            ("atomic groups", "PCRE, Python 3.11, Java", &[("(?>a*)b", Warns)]),
            ("conditions", "PCRE, Python", &[("(a)?(?(1)b|c)", Warns)]),
            ("verbs", "PCRE", &[("(*UTF8)a", Warns), ("a(*FAIL)", Warns)]),
            ("grapheme clusters", "PCRE", &[(r"\X", Warns)]),
        ],
    ),
];

fn cases() -> impl Iterator<Item = &'static (&'static str, Verdict)> {
    FEATURES.iter().flat_map(|(_, features)| *features).flat_map(|(_, _, patterns)| *patterns)
}

/// Returns one of several different expressions. A program may have three of them.
fn large(number: usize) -> String {
    format!("^.{number}\\w{{1,160}}$")
}

#[test]
fn expressions_have_a_common_limit_over_all_files() {
    let parse = |patterns: [Vec<usize>; 2]| {
        let folder = tempfile::tempdir().unwrap();
        let head = "tosca_definitions_version: tosca_2_0";
        let types = patterns[0].iter().map(|number| {
            format!(
                "  T{number}: {{ derived_from: string, validation: {{ $matches: [ $value, '{}' ] }} }}\n",
                large(*number)
            )
        });
        let types = format!("{head}\ndata_types:\n  T: {{ derived_from: string }}\n{}", types.collect::<String>());
        std::fs::write(folder.path().join("types.yaml"), types).unwrap();
        let inputs = patterns[1].iter().map(|number| {
            format!(
                "    i{number}: {{ type: string, default: '', validation: {{ $matches: [ $value, '{}' ] }} }}\n",
                large(*number)
            )
        });
        let service = format!(
            "{head}\nimports: [ types.yaml ]\nservice_template:\n  node_templates: {{}}\n  inputs:\n{}",
            inputs.collect::<String>()
        );
        std::fs::write(folder.path().join("service.yaml"), service).unwrap();
        let parser = Parser::builder(&TOSCA).directory(folder.path()).build().unwrap();
        let outcome = parser.parse("service.yaml").unwrap();
        let codes = outcome.diagnostics.iter().map(|problem| problem.rule.code).collect::<Vec<_>>();
        (codes, outcome.import_cost)
    };
    let (codes, cost) = parse([vec![1], vec![2]]);
    assert_eq!(codes, ["T5108"]);
    // An expression takes about 0.15 s to compile. Only those of the entry count.
    assert!((11_000..22_000).contains(&cost), "{cost}");
    // The expressions of the entry come first.
    let (codes, cost) = parse([vec![3, 4, 5], vec![1, 2]]);
    assert_eq!(codes, ["T5108", "T5108", "T5221", "T5221"]);
    assert!((22_000..44_000).contains(&cost), "{cost}");
    // Equal expressions count once.
    let (codes, cost) = parse([vec![1, 2], vec![1, 2]]);
    assert_eq!(codes, ["T5108", "T5108"]);
    assert!((22_000..44_000).contains(&cost), "{cost}");
}

#[test]
fn computed_expressions_are_only_run_when_values_are_computed() {
    let text = "tosca_definitions_version: tosca_2_0
service_template:
  node_templates: {}
  inputs:
    i: { type: string, default: b, validation: { $matches: [ $value, { $concat: [ a, '$$' ] } ] } }
  outputs:
    o: { value: { $matches: [ b, { $concat: [ a, '$$' ] } ] } }
";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("service.yaml"), text).unwrap();
    let outcome = Parser::builder(&TOSCA).directory(folder.path()).build().unwrap().parse("service.yaml").unwrap();
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
    let service = Service::with(&outcome.program, Options::default()).unwrap().evaluate(&Map::new()).service;
    assert_eq!(service.outputs["o"].value, Some(Value::Boolean(false)));
}

/// Returns a template with an input for each pattern and value, each on its own line after the head.
fn parse(version: &str, inputs: &[(&str, &str)]) -> Outcome {
    let is_simple = version != "tosca_2_0";
    let section = if is_simple { "topology_template" } else { "service_template" };
    let mut text = format!("tosca_definitions_version: {version}\n{section}:\n  node_templates: {{}}\n  inputs:\n");
    for (number, (pattern, value)) in inputs.iter().enumerate() {
        let (pattern, value) = (serde_json::json!(pattern), serde_json::json!(value));
        let clause = if is_simple {
            format!("constraints: [ pattern: {pattern} ]")
        } else {
            format!("validation: {{ $matches: [ $value, {pattern} ] }}")
        };
        writeln!(text, "    i{number}: {{ type: string, {clause}, default: {value} }}").unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("service.yaml"), text).unwrap();
    Parser::builder(&TOSCA).directory(folder.path()).threads(1).build().unwrap().parse("service.yaml").unwrap()
}

/// Checks that each input has the expected problems.
fn check(version: &str, wrong: &str) {
    let cases = cases().flat_map(|(pattern, verdict)| match verdict {
        // Before 2.0, a pattern must match the whole string; since then, any part.
        Runs(good, bad) => {
            let bad = (version != "tosca_2_0").then_some((*pattern, *bad, "T5108"));
            good.iter().map(|value| (*pattern, *value, "")).chain(bad).collect()
        }
        Warns => vec![(*pattern, "a", "T5221")],
        Wrong => vec![(*pattern, "a", wrong)],
    });
    let cases: Vec<(&str, &str, &str)> = cases.collect();
    let inputs: Vec<(&str, &str)> = cases.iter().map(|(pattern, value, _)| (*pattern, *value)).collect();
    let outcome = parse(version, &inputs);
    let mut codes = vec![String::new(); cases.len()];
    for problem in &outcome.diagnostics {
        let source = outcome.sources.get(problem.span.source).unwrap();
        let line = source.text()[..problem.span.start as usize].matches('\n').count();
        codes[line - 4].push_str(problem.rule.code);
    }
    let failures: Vec<String> = std::iter::zip(cases, codes)
        .filter(|((_, _, expected), code)| expected != code)
        .map(|((pattern, value, expected), code)| format!("{pattern:?} {value:?}: {code:?}, not {expected:?}"))
        .collect();
    assert!(failures.is_empty(), "{version}\n{}", failures.join("\n"));
}

#[test]
fn features_run_or_warn_before_2_0() {
    check("tosca_simple_yaml_1_3", "T4201");
}

#[test]
fn features_run_or_warn_in_2_0() {
    check("tosca_2_0", "T5205");
}

#[test]
fn table_of_features_is_up_to_date() {
    let mut page = HEAD.to_owned();
    for (group, features) in FEATURES {
        write!(page, "\n### {group}\n\n| feature | known to | runs | warns | error |\n|---|---|---|---|---|\n")
            .unwrap();
        for (feature, known, patterns) in *features {
            let column = |is_wanted: fn(&Verdict) -> bool| {
                let wanted = patterns.iter().filter(|(_, verdict)| is_wanted(verdict));
                let cells: Vec<String> = wanted.map(|(pattern, _)| cell(pattern)).collect();
                cells.join(" ")
            };
            let (runs, warns, wrong) = (
                column(|verdict| matches!(verdict, Runs(..))),
                column(|verdict| matches!(verdict, Warns)),
                column(|verdict| matches!(verdict, Wrong)),
            );
            writeln!(page, "| {feature} | {known} | {runs} | {warns} | {wrong} |").unwrap();
        }
    }
    is_up_to_date("patterns.md", &page);
}

/// Returns a pattern as code in a table.
fn cell(pattern: &str) -> String {
    let text = pattern.replace('\n', "⏎").replace('|', "\\|");
    format!("`{text}`")
}

const HEAD: &str = "<!-- Generated from tests/it/patterns.rs by the tests, which fail if it is outdated. Update it with `cargo xtask renew reference`. -->

# Regular expressions

The standard names no dialect of regular expressions. The constraint `pattern` and the condition `$matches` read the
dialects of ECMAScript, PCRE and Python:

- A pattern *runs* if these dialects interpret it in the same way, or if only some of them have it. Values are matched
  against it.
- A pattern that the dialects interpret differently, or that needs more than one pass over the string, *warns*
  ([T5221](rules.md#t5221-unused-pattern)). No value is matched against it.
- A pattern that is invalid in all of them is an *error*: [T4201](rules.md#t4201-invalid-constraint),
  [T5205](rules.md#t5205-argument-type).

Matching takes time that is linear in the length of the string, whatever the pattern. A pattern can have at most 32 KiB,
or 10 MiB when it is compiled.

The constraint `pattern` matches the whole string, `$matches` any part of it. `\\d`, `\\w`, `\\s`, `\\b` and flags cover all of
Unicode. `.` is any character except a line feed. `$` and `\\Z` are the very end of the string.

## Features

The tests match values against every pattern below.
";
