//! No output shows a secret, or a value computed from one.

#![allow(clippy::unwrap_used)]

use tosca_parse_engine::ard::{Node, Options};
use tosca_parse_engine::diagnostic::render::Terminal;
use tosca_parse_engine::diagnostic::{Secrets, Severity};
use tosca_parse_engine::symbol::Interner;
use tosca_parse_yay::host::{diagnostics, document, shown};
use tosca_parse_yay::{Class, Config, Data, Memory, Params, Result, Stage};

use crate::conformance::json;

/// A document with secrets: `k` is text, `n` and `f` are numbers, `l` is a list, `m` is a mapping.
const SECRET: &str =
    "k: topsecret\nn: 31337\nf: 4711.25\nl:\n  - topsecret\n  - zweites\nm:\n  pw: topsecret\n  pin: 31337\n";

/// The strings that no output may contain.
const TEXTS: &[&str] = &["topsecret", "TOPSECRET", "terces", "psecr", "opsecre", "zweites", "31337", "4711"];

/// Every operator and function, with a secret as each operand or argument.
const EXPRESSIONS: &str = include_str!("secret_expressions.txt");

fn expressions() -> impl Iterator<Item = &'static str> {
    EXPRESSIONS.lines().filter(|line| !line.starts_with("# "))
}

/// Values that are computed by directives.
const DOCUMENTS: &[&str] = &[
    "x: text {{ k }} and {{ n }}\n",
    "x: |\n  {{ k }}\n  more\n",
    "x: >\n  {{ k }}\n  more\n",
    "x: \"{{ k }}{{ n }}\"\n",
    "set a = k\nx: {{ a }}\n",
    "set a, b = l\nx: {{ a }}\ny: {{ b }}\n",
    "set a, *b = k\nx: {{ a }}\ny: {{ b }}\n",
    "x:\n  for c in list(k):\n    - {{ c }}\n",
    "x:\n  for a, b in {k: 1} if 0 else [l]:\n    - {{ a }}\n",
    "x:\n  for i in range(n, n + 1):\n    - {{ i }}\n",
    "macro a:\n  y: {{ b }}\nx:\n  call a:\n    b: {{ k }}\n",
    "macro a:\n  y: {{ b }}\nx: {{ a(b=k) }}\n",
    "macro a:\n  y: {{ topsecre }}\nx: {{ a(**{k[:8]: k}) }}\n",
    "prototype P:\n  y: {{ self.z }}\nnew P as x:\n  z: {{ k }}\n",
    "x:\n  new Echo:\n    a: {{ k }}\n",
    "x: {{ {k: {k: n}} }}\n",
    "x: {{ {k: 1} }}\nx:\n  y: 2\n",
    "y: {{ {k: 1} if n else {} }}\nx: {{ [z for z in {**y}] }}\n",
    "y: {{ {k: 1} }}\nx:\n  for a in y:\n    - {{ a }}\n",
    "extend x: {{ {k: 1} }}\n",
    "extend x: {{ split(k, 'e') }}\nextend x:\n  - 1\n",
    "x:\n  select 'a':\n    a: {{ {k: k} }}\n",
    "x: {{ m }}\n",
    "x: {{ l }}\n",
    "x: {{ here.l }}\n",
];

/// Documents with an error that involves a secret.
const ERRORS: &[&str] = &[
    "x: {{ {'a': 1}[k] }}\n",
    "x: {{ {'a': 1}[k + 'x'] }}\n",
    "x: {{ {'topzecret': 1}[k] }}\n",
    "x: {{ {k: 1}.topzecret }}\n",
    "x: {{ [1][n] }}\n",
    "x: {{ 'abc'[n] }}\n",
    "x: {{ k - 1 }}\n",
    "x: {{ -k }}\n",
    "x: {{ k.a }}\n",
    "x: {{ n.a }}\n",
    "x: {{ n[0] }}\n",
    "x: {{ 1 in n }}\n",
    "x: {{ k() }}\n",
    "x: {{ len(n) }}\n",
    "x: {{ int(k) }}\n",
    "x: {{ range(k) }}\n",
    "x: {{ sub('(' + k, '', '') }}\n",
    "x: {{ '%d' % k }}\n",
    "x: {{ ('%(' + k + ')s') % {} }}\n",
    "x: {{ (k + '%q') % 1 }}\n",
    "x: {{ '%(topzecret)s' % {k: 1} }}\n",
    "x: {{ k * k }}\n",
    "x: {{ n << 99 }}\n",
    "x: {{ min([k, 1]) }}\n",
    "x: {{ sorted([k, 1]) }}\n",
    "x: {{ chr(n * n) }}\n",
    "x: {{ ord(k) }}\n",
    "set a, b = k\nx: {{ a }}\n",
    "set a, b = n\nx: {{ a }}\n",
    "x:\n  for a in n:\n    - 1\n",
    "x:\n  select k:\n    topzecret: 1\n",
    "x:\n  new k:\n    a: 1\n",
    "x:\n  call k:\n    a: 1\n",
    "include k\n",
    "include 'http://' + k\n",
    "include 'bad:' + k\n",
    "include [k, 'a']\n",
    "configure openers:\n  topsecret: false\ninclude k + ':a'\n",
    "configure openers:\n  a: {{ k }}\ninclude 'a:b'\n",
    "search k\ninclude 'none'\n",
    "x: {{ k }}\nx:\n  a: 1\n",
    "x: {{ n }}\nextend x:\n  - 1\n",
    "x:\n  new Fail:\n    a: {{ k }}\n",
];

/// A class that returns its argument and the length of the argument.
struct Echo;

impl Class for Echo {
    fn members(&self, params: &mut Params<'_, '_>) -> Result<Data> {
        let text = params.get("a")?.unwrap();
        let Data::Text(key) = &text else { return Ok(Data::Null) };
        Ok(Data::Map(vec![
            ("said".to_owned(), text.clone()),
            ("length".to_owned(), Data::Int(i64::try_from(key.len()).unwrap())),
        ]))
    }
}

/// An opener that can't open addresses with a colon, and quotes them in its errors.
struct Talking(Memory);

impl tosca_parse_yay::Opener for Talking {
    fn locate(&self, name: &str, base: &str) -> Option<String> {
        if name.contains(':') { Some(name.to_owned()) } else { self.0.locate(name, base) }
    }

    fn is_local(&self, _address: &str) -> bool {
        true
    }

    fn open(
        &mut self,
        address: &str,
    ) -> std::result::Result<tosca_parse_yay::LoadedDocument, tosca_parse_yay::OpenError> {
        if address.contains(':') {
            return Err(tosca_parse_yay::OpenError::Failed(format!("can't read `{address}`")));
        }
        self.0.open(address)
    }
}

fn configuration(text: &str) -> Config<'static> {
    let documents = Memory::default().with("topsecret", "opened: 1\nbroken: {{ nope }}\n");
    let mut config = Config::new(Talking(documents));
    config.class("Echo", Echo);
    config.load_labeled("secret.yay", SECRET, &["secret".to_owned()]);
    config.load("main.yay", text);
    config
}

/// Returns everything that can be shown about a document.
fn outputs(config: &Config<'_>) -> Vec<String> {
    let mut all = Vec::new();
    let mut errors = Vec::new();
    match config.root().resolve_safe() {
        Ok(data) => all.push(json(&data).to_string()),
        Err(error) => errors.push(error),
    }
    for stage in [Stage::Initial, Stage::Normalized, Stage::Folded] {
        match config.diagram(stage) {
            // The other stages show the text of the document, which is not secret.
            Ok(diagram) if stage == Stage::Folded => all.push(diagram.dot()),
            Ok(_) => {}
            Err(error) => errors.push(error),
        }
    }
    for name in config.root().keys().unwrap_or_default() {
        if !["k", "n", "f", "l", "m"].contains(&&*name) {
            errors.extend(config.root().get(&name).resolve_safe().err());
        }
    }
    let sources = config.sources();
    let (texts, numbers) = shown(&sources);
    let problems = diagnostics(&errors, &sources, &numbers);
    let shown = Terminal::new(&problems, &texts).to_string();
    // Problems also quote lines of the document itself.
    let is_quoted = |line: &&str| !line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    all.push(shown.lines().filter(is_quoted).collect::<Vec<_>>().join("\n"));
    all.extend(errors.iter().flat_map(|error| error.each()).map(|error| config.describe(error)));
    all.extend(errors.iter().flat_map(|error| error.each()).filter_map(|error| error.advice().map(str::to_owned)));
    all
}

fn leaks(config: &Config<'_>) -> Option<String> {
    let outputs = outputs(config);
    outputs.into_iter().find(|output| TEXTS.iter().any(|text| output.contains(text)))
}

#[test]
fn values_that_are_computed_from_secrets_are_hidden() {
    let mut wrong = Vec::new();
    for expression in expressions() {
        let config = configuration(&format!("x: {{{{ {expression} }}}}\n"));
        let shown = config.root().get("x").resolve_safe();
        let has_mask = shown.as_ref().is_ok_and(|data| json(data).to_string().contains("*****"));
        if let (Some(leak), _) | (None, Some(leak)) =
            (leaks(&config), (!has_mask).then(|| format!("{:?}", shown.map(|data| json(&data).to_string()))))
        {
            wrong.push(format!("{expression}: {leak}\n"));
        }
        // Templates receive the values; problems about them hide their strings.
        let converted = document(&config, &Interner::new(), &Options::default());
        if converted.document.secrets().next().is_none() {
            wrong.push(format!("{expression}: no secret in the document\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Dumps and hovers replace the secrets of a document in their text.
#[test]
fn outputs_of_templates_replace_all_derived_secrets() {
    let texts: Vec<_> = expressions().map(|expression| format!("  - is {{{{ str({expression}) }}}}\n")).collect();
    let values: Vec<_> = expressions().map(|expression| format!("  - {{{{ {expression} }}}}\n")).collect();
    let config = configuration(&format!("x:\n{}y:\n{}", texts.concat(), values.concat()));
    let converted = document(&config, &Interner::new(), &Options::default());
    assert!(converted.diagnostics.iter().all(|problem| problem.severity == Severity::Warning));
    let mut text = String::new();
    let mut waiting: Vec<Node<'_>> = converted.document.root().into_iter().collect();
    while let Some(node) = waiting.pop() {
        text.extend([node.text(), "\n"]);
        waiting.extend(node.items());
        for entry in node.entries() {
            text.extend([entry.key.text(), ": \n"]);
            waiting.push(entry.value);
        }
    }
    assert!(text.contains("topsecret"));
    let shown = Secrets::of(converted.document.secrets()).masked(&text);
    let leak = shown.lines().find(|line| TEXTS.iter().any(|secret| line.contains(secret)));
    assert_eq!(leak, None);
}

#[test]
fn every_function_and_operator_meets_a_secret() {
    let page = include_str!("../../../../docs/yay.md");
    let row = page.lines().find(|line| line.starts_with("| functions |")).unwrap();
    let names = row.split('`').nth(1).unwrap().split(' ');
    for name in names {
        let call = format!("{name}(");
        assert!(expressions().any(|expression| expression.contains(&call)), "{name}");
    }
    for operator in [
        "+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "~", "<", "<=", ">", ">=", "==", "!=", "is",
        "in", "not", "and", "or", "if", "else",
    ] {
        assert!(expressions().any(|expression| expression.contains(operator)), "{operator}");
    }
}

#[test]
fn directives_hide_secrets() {
    let mut wrong = Vec::new();
    for text in DOCUMENTS {
        let config = configuration(text);
        if let Err(error) = config.resolve() {
            wrong.push(format!("{text}: {}\n", config.describe(&error)));
        }
        if let Some(leak) = leaks(&config) {
            wrong.push(format!("{text}: {leak}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn problems_quote_no_secrets() {
    let mut wrong = Vec::new();
    for text in ERRORS {
        let config = configuration(text);
        if config.resolve().is_ok() {
            wrong.push(format!("nothing is wrong with {text}"));
        }
        if let Some(leak) = leaks(&config) {
            wrong.push(format!("{text}: {leak}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn syntax_errors_of_secret_documents_quote_nothing() {
    let texts = [
        "topsecret x: 1\n",
        "topsecret\n",
        "a: {{ 31337 topsecret }}\n",
        "a: {{ 031337 }}\n",
        "a: {{ 31337313373133731337 }}\n",
        "a: {{ 31337x }}\n",
        "topsecret = 5\n",
        "include topsecret x\n",
        "a: 'topsecret: 1\n",
        "if topsecret\n",
        "extend topsecret\n",
    ];
    for text in texts {
        let mut config = Config::new(Memory::default());
        config.load_labeled("one.yay", &format!("a: 1\n{text}"), &["secret".to_owned()]);
        let error = config.resolve().unwrap_err();
        let sources = config.sources();
        let (shown, numbers) = shown(&sources);
        let problems = diagnostics([&error], &sources, &numbers);
        let told = Terminal::new(&problems, &shown).to_string();
        assert!(TEXTS.iter().all(|secret| !told.contains(secret)), "{told}");
        assert!(told.contains("one.yay:2:"), "{told}");
    }
}

#[test]
fn problems_of_secret_documents_have_places() {
    let mut config = Config::new(Memory::default());
    config.load_labeled("é.yay", "a: é{{ 1 }}{{ b }}\n", &["secret".to_owned()]);
    let error = config.resolve().unwrap_err();
    let sources = config.sources();
    let (texts, numbers) = shown(&sources);
    let told = Terminal::new(&diagnostics([&error], &sources, &numbers), &texts).to_string();
    assert!(told.contains("é.yay:1:15"), "{told}");
}

#[test]
fn keys_that_are_secret_are_told_apart() {
    let config = configuration("x: {{ {k: 1, n: 2, 'b': 3} }}\n");
    let shown = json(&config.root().get("x").resolve_safe().unwrap()).to_string();
    assert_eq!(shown, r#"{"*****":1,"***** 2":2,"b":3}"#);
    let whole = json(&config.root().get("x").resolve().unwrap()).to_string();
    assert_eq!(whole, r#"{"topsecret":1,"31337":2,"b":3}"#);
}

#[test]
fn number_of_keys_is_secret_if_a_secret_decides_it() {
    let shown = |text: &str| json(&configuration(text).root().get("x").resolve_safe().unwrap()).to_string();
    assert_eq!(shown("y: {{ {} if k else {'b': 2} }}\ny:\n  a: 1\nx: {{ len(y) }}\n"), r#""*****""#);
    assert_eq!(shown("y: {{ {} if k else {'b': 2} }}\ny:\n  a: 1\nx: {{ y }}\n"), r#""*****""#);
    assert_eq!(shown("y:\n  select 'c':\n    c: {{ {} if k else {'b': 2} }}\nx: {{ len(y) }}\n"), r#""*****""#);
    assert_eq!(shown("extend x: {{ {**({} if k else {'b': 2})} }}\n"), r#""*****""#);
    assert_eq!(shown("y: {{ {'b': 2} }}\ny:\n  a: 1\nx: {{ len(y) }}\n"), "2");
}

#[test]
fn public_values_are_shown() {
    let config = configuration("x: {{ ['a', 'b'] + [k] }}\ny: {{ {'a': k, 'b': 1} }}\nz: {{ y.b }}{{ x[0] }}\n");
    let shown = |name: &str| json(&config.root().get(name).resolve_safe().unwrap()).to_string();
    assert_eq!(shown("x"), r#"["a","b","*****"]"#);
    assert_eq!(shown("y"), r#"{"a":"*****","b":1}"#);
    assert_eq!(shown("z"), r#""1a""#);
}
