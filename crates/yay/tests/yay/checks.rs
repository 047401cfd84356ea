//! Checks beyond evaluation: each finds its mistakes, and reports nothing that is right.

use tosca_parse_yay::host::{rules, shown, warnings};
use tosca_parse_yay::{Config, Limits, Memory, WarningKind};

const OTHERS: &[(&str, &str)] =
    &[("lib.yay", "set helper = 1\nmacro wrap:\n  v: {{ inner }}\nshared: 2\n"), ("uses.yay", "u: {{ given }}\n")];

fn configuration(text: &str) -> Config<'static> {
    let memory = OTHERS.iter().fold(Memory::default(), |memory, (name, text)| memory.with(name, text));
    let mut config = Config::new(memory);
    config.load("main.yay", text);
    config
}

/// Returns the kinds, lines and messages of all warnings.
fn checked(text: &str) -> Vec<(WarningKind, usize, String)> {
    let config = configuration(text);
    let _ = config.resolve();
    let sources = config.sources();
    let line = |warning: &tosca_parse_yay::Warning| sources.place(warning.at).line;
    config.check().iter().map(|warning| (warning.kind, line(warning), warning.message.clone())).collect()
}

#[track_caller]
fn finds(kind: WarningKind, cases: &[(&str, usize, &str)]) {
    for (text, line, quoted) in cases {
        let found = checked(text);
        assert_eq!(found.len(), 1, "{text}{found:?}");
        assert_eq!((found[0].0, found[0].1), (kind, *line), "{text}{found:?}");
        assert!(found[0].2.contains(&format!("`{quoted}`")), "{text}{found:?}");
    }
}

#[track_caller]
fn accepts(texts: &[&str]) {
    for text in texts {
        assert_eq!(checked(text), [], "{text}");
    }
}

#[test]
fn unknown_names_are_found_in_branches_that_are_not_taken() {
    finds(
        WarningKind::UnknownName,
        &[
            ("if 0:\n  a: {{ nope }}\n", 2, "nope"),
            ("a: 1\nif a:\n  b: 1\nelse:\n  c: x{{ nope }}y\n", 5, "nope"),
            ("a: x\nselect a:\n  x:\n    b: 1\n  y:\n    c: {{ [nope] }}\n", 6, "nope"),
            ("a: {{ 1 if 1 else nope }}\n", 1, "nope"),
            ("a: {{ 0 and f(1) }}\n", 1, "f"),
            ("a: {{ 1 or {'k': nope}['k'] }}\n", 1, "nope"),
            ("set x = nope\na: 1\n", 1, "nope"),
            ("a: {{ nope }}\nif 1:\n  a: 1\n", 1, "nope"),
            ("a:\n  for i in []:\n    - {{ j }}\n", 3, "j"),
            ("a: {{ [[j for k in i] for i in []] }}\n", 1, "j"),
            ("if 0:\n  a: {{ [y for y in nope] if 1 else [y for y in []] }}\n", 2, "nope"),
            ("macro m:\n  a: {{ 1 if b else c }}\nx:\n  call m:\n    b: 1\n", 2, "c"),
            ("prototype P:\n  a: {{ 1 or c }}\nnew P as x:\n  b: 1\n", 2, "c"),
            ("if 0:\n  call nothing:\n    a: 1\n", 2, "nothing"),
            ("macro m:\n  k: {{ a }}\nif 0:\n  call m:\n    a: {{ k + nope }}\n", 5, "nope"),
            ("if 0:\n  x:\n    new None1:\n      a: 1\n", 3, "None1"),
            ("if 0:\n  include \"lib.yay\"\n  a: {{ helper + nope }}\n", 3, "nope"),
        ],
    );
}

#[test]
fn names_with_a_meaning_are_accepted() {
    accepts(&[
        "if 0:\n  a: 1\n  b: {{ a }}\n",
        "if 0:\n  set a = 1\n  b:\n    c: {{ a }}\n",
        "a: 1\nif 0:\n  b: {{ a + here.a + len('x') }}\n  c: {{ True and none }}\n",
        "if 0:\n  a: {{ nope else 1 }}\n  b: {{ nope.x[0] else other else 2 }}\n",
        "if 0:\n  a: {{ [x + y for x in [1] for y in [x] if y] }}\n  for z in [1]:\n    - {{ z }}\n",
        // Unused bodies, and arguments of used ones.
        "macro m:\n  a: {{ anything }}\nprototype P:\n  b: {{ self.x + anything }}\n",
        "macro m:\n  a: {{ 1 if b else c }}\nx:\n  call m:\n    b: 1\ny: {{ m(c=2, b=0) }}\n",
        "macro i:\n  a: {{ anything }}\nmacro m:\n  a: {{ i(b=1) }}\n  c: {{ i() }}\nmacro i:\n  b: {{ b }}\n",
        "macro m:\n  a: {{ 0 and b }}\nset n = m\nx:\n  call n:\n    c: 1\n",
        "macro m:\n  a: {{ 1 or c }}\nx: {{ m(**{'b': 1}) }}\n",
        "macro m:\n  a: {{ 1 or c }}\nx:\n  call m:\n    if 1:\n      c: 1\n",
        "macro m:\n  a: {{ 1 or c }}\nx:\n  for c in [1]:\n    - {{ m() }}\n",
        // Included documents may bind names, even if they are not read.
        "include \"lib.yay\"\nif 0:\n  a: {{ helper + shared }}\n",
        "if 0:\n  include \"lib.yay\"\n  a: {{ helper }}\nb: {{ shared else 1 }}\n",
        "if 0:\n  include \"none.yay\"\n  a: {{ helper }}\n",
        "if 0:\n  a: {{ anything }}\n  include \"http://example.com/x.yay\"\n",
        "b:\n  if 0:\n    include \"lib\" + str(1)\n    a: {{ helper }}\n",
        "b:\n  set given = 1\n  if 0:\n    include \"uses.yay\"\n",
        "set a = b\nc: {{ a else 1 }}\n",
    ]);
}

#[test]
fn evaluated_names_are_reported_once() {
    assert_eq!(checked("a: {{ nope }}\nb: {{ 1 or a }}\n"), []);
}

#[test]
fn unused_arguments_are_found() {
    finds(
        WarningKind::UnusedArgument,
        &[
            ("macro m:\n  a: {{ b }}\nx:\n  call m:\n    b: 1\n    c: 2\n", 6, "c"),
            ("macro m:\n  a: {{ b }}\nx: {{ m(b=1, c=2) }}\n", 3, "c"),
            ("macro o:\n  p: {{ q }}\nmacro m:\n  a: {{ o(q=b) }}\nx:\n  call m:\n    b: 1\n    c: 2\n", 8, "c"),
            ("include \"lib.yay\"\nx:\n  call wrap:\n    inner: 1\n    outer: 2\n", 5, "outer"),
        ],
    );
}

#[test]
fn used_arguments_are_accepted() {
    accepts(&[
        "macro m:\n  a: {{ b }}\nx:\n  call m:\n    b: 1\n",
        // A macro that is called in the body can use the arguments, too.
        "macro o:\n  p: {{ q }}\nmacro m:\n  a:\n    call o:\n      r: 1\nx: {{ m(q=1) }}\nmacro o:\n  p: {{ q + r }}\n",
        "prototype P:\n  a: {{ q }}\nmacro m:\n  new P:\n    b: 1\nx:\n  call m:\n    q: 1\n",
        "macro m:\n  a: 1\n  include \"uses.yay\"\nx:\n  call m:\n    given: 1\n",
        "macro m:\n  a: {{ f() }}\nmacro n:\n  b: {{ c }}\nx:\n  call m:\n    c: 1\n    f: {{ n }}\n",
        "macro m:\n  a: {{ b }}\nx:\n  call m:\n    c: 1\n    b: {{ here.c }}\n",
        "macro m:\n  a: {{ b }}\nmacro n:\n  a: {{ c }}\nset m = n\nx: {{ m(c=1) }}\n",
    ]);
}

#[test]
fn duplicate_keys_are_found() {
    finds(
        WarningKind::DuplicateKey,
        &[
            ("a: 1\nb: 2\na: 3\n", 3, "a"),
            ("a:\n  b: 1\n  set c = 1\n  b: 2\n", 4, "b"),
            ("a: {{ 1 }}\na: {{ 2 }}\n", 2, "a"),
            ("if 0:\n  a: 1\n  a: 2\n", 3, "a"),
            ("a: {{ {'b': 1, 'b': 2} }}\n", 1, "b"),
            ("select 'x':\n  x:\n    a: 1\n  x:\n    a: 2\n", 4, "x"),
            ("macro m:\n  a: {{ b }}\nx:\n  call m:\n    b: 1\n    b: 2\n", 6, "b"),
        ],
    );
}

#[test]
fn layers_are_no_duplicates() {
    accepts(&[
        "a:\n  b: 1\na:\n  c: 2\n",
        "a:\n  - 1\nextend a:\n  - 2\n",
        "prototype P:\n  b: 1\nnew P as a:\n  b: 2\na:\n  c: 1\n",
        "a: 1\nif 1:\n  a: 2\n",
        "shared: 1\ninclude \"lib.yay\"\n",
        "a: {{ {'b': 1, **{'b': 2}} }}\n",
    ]);
}

#[test]
fn changed_types_are_found() {
    finds(
        WarningKind::ChangedType,
        &[
            ("a:\n  - 1\na: 2\n", 3, "a"),
            ("a: 1\nif 1:\n  a:\n    - 1\n", 3, "a"),
            ("a:\n  b: 1\nif 1:\n  a: []\n", 4, "a"),
            ("a:\n  b:\n    c: 1\na:\n  b: 1\n", 5, "b"),
            ("shared:\n  - 1\ninclude \"lib.yay\"\n", 4, "shared"),
            ("a: {{ [1] }}\nif 1:\n  a: 1\n", 3, "a"),
            ("a: {{ {'b': 1} if 1 else {} }}\nif 1:\n  a: {{ 1 + 2 }}\n", 3, "a"),
            ("a: {{ not 1 }}\nif 1:\n  a: {{ [x for x in [1]] }}\n", 3, "a"),
            ("a:\n  extend b:\n    - 1\n  b: 5\n", 4, "b"),
            ("extend a:\n  - 1\nif 1:\n  a: 5\n", 4, "a"),
        ],
    );
}

#[test]
fn same_types_are_accepted() {
    accepts(&[
        "a:\n  - 1\nif 1:\n  a:\n    - 2\n",
        "a: 1\nif 1:\n  a: text\n",
        "a:\nif 1:\n  a:\n    - 1\n",
        "a: {{ [1] }}\nif 1:\n  a: {{ [x for x in [1]] }}\n",
        "set x = [1]\na: {{ x }}\nif 1:\n  a: 1\n",
        "a:\n  - 1\nif 1:\n  extend a:\n    - 1\n",
        "extend a:\n  - 1\nif 1:\n  a:\n    - 2\n",
        "a: {}\nif 1:\n  a:\n    b: 1\n",
    ]);
}

#[test]
fn rule_pages_have_a_wrong_and_a_right_example() {
    for (rule, kind) in [
        (&rules::YAY_UNKNOWN_NAME, WarningKind::UnknownName),
        (&rules::YAY_UNUSED_ARGUMENT, WarningKind::UnusedArgument),
        (&rules::YAY_DUPLICATE_KEY, WarningKind::DuplicateKey),
        (&rules::YAY_CHANGED_TYPE, WarningKind::ChangedType),
    ] {
        let page = &rules::EXPLAINED.iter().find(|explained| explained.rule == rule).expect(rule.code).text;
        let examples: Vec<&str> =
            page.split("```yay\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
        assert_eq!(examples.len(), 2, "{}", rule.code);
        assert_eq!(checked(examples[0]).iter().map(|found| found.0).collect::<Vec<_>>(), [kind], "{}", rule.code);
        assert_eq!(checked(examples[1]), [], "{}", rule.code);
    }
}

#[test]
fn warnings_become_diagnostics() {
    let config = configuration("roles:\n  - a\nroles: b\nif 0:\n  x: {{ rolse }}\n");
    let _ = config.resolve();
    let sources = config.sources();
    let (_, numbers) = shown(&sources);
    let made = warnings(&config.check(), &sources, &numbers);
    let codes: Vec<_> = made.iter().map(|problem| (problem.rule.code, problem.help.join(""))).collect();
    let wanted = [("Y3003", "give the key a list in all layers, or rename it"), ("Y2002", "did you mean `roles`?")];
    assert_eq!(codes, wanted.map(|(code, help)| (code, help.to_owned())));
}

#[test]
fn large_documents_are_checked_in_linear_steps() {
    let head = "macro m0:\n  a: {{ b else 1 }}\nx: {{ m499() }}\n".to_owned();
    let each =
        (1..500).map(|n| format!("macro m{n}:\n  a: {{{{ m{}(c=1) }}}}\nif 0:\n  k{n}: {{{{ nope{n} }}}}\n", n - 1));
    let text: String = std::iter::once(head).chain(each).collect();
    let mut config = Config::with_limits(Memory::default(), Limits::default());
    config.load("main.yay", &text);
    let _ = config.resolve();
    let found = config.check();
    assert_eq!(found.iter().filter(|warning| warning.kind == WarningKind::UnknownName).count(), 499);
}
