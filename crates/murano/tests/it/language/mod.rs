//! The language on the engine: problems of classes are reported without running code, and nothing that the reference
//! loads is an error.

mod ancestors;
mod checks;
mod models;

use std::sync::Arc;

use serde_json::Value as Json;
use tosca_parse::diagnostic::{Diagnostic, ExampleKind, Severity};
use tosca_parse::source::{Address, MemoryProvider};
use tosca_parse::{Entry, Outcome, Parser};
use tosca_parse_engine as tosca_parse;
use tosca_parse_murano::language::MURANO;

use crate::cases::{Tally, folder, read};

/// Parses one of the given files. Each file is a path and its text.
fn parse(files: &[(&str, &str)], entry: &str) -> Outcome {
    let memory = MemoryProvider::new();
    let address = |path: &str| Address::parse(&format!("memory:/{path}")).unwrap();
    for (path, text) in files {
        memory.insert(address(path), text.as_bytes().to_vec());
    }
    let parser = Parser::builder(&MURANO).provider(Arc::new(memory)).threads(1).build().unwrap();
    parser.parse_entry(Entry::at(address(entry)))
}

fn errors(outcome: &Outcome) -> Vec<String> {
    let errors = outcome.diagnostics.iter().filter(|problem| problem.severity == Severity::Error);
    errors.map(|problem| format!("{} {}", problem.rule.code, problem.message)).collect()
}

fn shown(problem: &Diagnostic, outcome: &Outcome) -> String {
    let text = outcome.sources.get(problem.span.source).unwrap().text();
    let place = &text[problem.span.start as usize..problem.span.end as usize];
    format!("{} `{place}`: {}", problem.rule.code, problem.message)
}

fn all(outcome: &Outcome) -> Vec<String> {
    outcome.diagnostics.iter().map(|problem| shown(problem, outcome)).collect()
}

fn all_with_help(outcome: &Outcome) -> Vec<String> {
    let help = |problem: &Diagnostic| problem.help.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    outcome.diagnostics.iter().map(|problem| format!("{}; {}", shown(problem, outcome), help(problem))).collect()
}

#[test]
fn the_core_library_has_nothing_wrong() {
    let outcome = parse(&[("a.yaml", "Name: a.A\nExtends: io.murano.Application\n")], "a.yaml");
    assert_eq!(all(&outcome), [""; 0]);
    assert_eq!(outcome.program.list.len(), 2, "the core library is read");
}

#[test]
fn a_package_has_all_its_classes() {
    let manifest = "Format: 1.4\nType: Library\nFullName: a\nClasses: { a.A: A.yaml, a.B: B.yaml, a.C: B.yaml }\n";
    let first = "Namespaces: { =: a }\nName: A\nExtends: B\nProperties: { p: { Contract: $.class(C) } }\n";
    let second = "Namespaces: { =: a }\nName: B\n---\nName: C\n";
    let files = [("p/manifest.yaml", manifest), ("p/Classes/A.yaml", first), ("p/Classes/B.yaml", second)];
    assert_eq!(all(&parse(&files, "p/manifest.yaml")), [""; 0]);
    assert_eq!(all(&parse(&files, "p/Classes/A.yaml")), [""; 0]);
    let lost = second.replace("Name: C", "Name: D");
    let files = [("p/manifest.yaml", manifest), ("p/Classes/A.yaml", first), ("p/Classes/B.yaml", &lost)];
    let expected = ["M2002 `C`: there is no class `a.C`", "M2004 `a.C`: `memory:/p/Classes/B.yaml` has no class `a.C`"];
    let mut found = all(&parse(&files, "p/manifest.yaml"));
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn problems_are_where_expressions_are() {
    let text = "Namespaces: { =: a }
Name: A
Properties:
  p:
    Contract: $.class(B).notNull()
  q: { Contract: \"$.class(x:C)\" }
Methods:
  m:
    Body:
      - $x: !yaql \"1 + * 2\"
      - new(
          Missing)
  n:
    Body:
      - Iff: true
";
    let expected = [
        "M2002 `B`: there is no class `a.B`",
        "M1102 `\"$.class(x:C)\"`: contract is quoted",
        "M1101 `*`: invalid expression",
        "M2002 `Missing`: there is no class `a.Missing`",
        "M1103 `Iff`: unknown keyword `Iff` of a statement",
    ];
    let found = all(&parse(&[("a.yaml", text)], "a.yaml"));
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found} instead of {expected}");
    }
}

/// Commas in a flow list may split an expression into several strings.
#[test]
fn expressions_in_pieces_are_doubtful() {
    let text = |body: &str| format!("Name: a.A\nMethods:\n  m:\n    Body:\n      - Return: {body}\n");
    for (wrong, part) in [("[ len($.name, $.b) ]", "len($.name"), ("[ a, $.where($.a, 2) ]", "$.where($.a")] {
        let found = all(&parse(&[("a.yaml", &text(wrong))], "a.yaml"));
        let is_told = |problem: &String| problem.starts_with("M1102 ") && problem.contains("looks like an expression");
        assert!(found.iter().filter(|problem| is_told(problem)).count() == 1, "{wrong}, {part}: {found:#?}");
    }
    for (wrong, told) in [
        // The part after the comma is neither a keyname nor a statement.
        ("{ Properties: { p: { Contract: $.class(A, B) } } }", "M1102 "),
        ("{ Properties: { p: { Contract: $.check(max($, 3, 4) = 4), Usage: In } } }", "M1102 "),
        ("{ Methods: { m: { Body: [ $x: max($.p, 3), Return: $x ] } } }", "M1103 "),
        ("{ Methods: { m: { Body: { Return: foo($x, 1) } } } }", "M1103 "),
        ("{ Methods: { m: { Body: [ foo($x, 1, $y), $.m() ] } } }", "M1103 "),
        ("{ Methods: { m: { Arguments: { a: { Contract: $.int(.notNull(), Usage: Standard } } } } }", "M1102 "),
        ("{ Properties: { p: { Contract: [$.int(, 1] } } }", "M1102 "),
        // Text that is not valid YAML in a flow map is read as if it were outside of the map.
        ("{ Properties: { p: { Contract: $.check($ in list(1, [2])), Usage: In } } }", "T1101 "),
        ("{ Methods: { m: { Body: { Return: list($.where($ > 1)[0], 2) } } } }", "T1101 "),
    ] {
        let text = format!("{{ Name: a.A, {}", &wrong[2..]);
        let found = all(&parse(&[("a.yaml", &text)], "a.yaml"));
        assert!(found.len() == 1 && found[0].starts_with(told), "{text}: {found:#?}");
    }
    for right in ["some (text", "'len($x'", "a ($x", "f(x"] {
        assert_eq!(all(&parse(&[("a.yaml", &text(right))], "a.yaml")), [""; 0], "{right}");
    }
}

/// Text in quotes is a string, so help for text that YAML can't read names the tag of expressions.
#[test]
fn help_for_expressions_that_are_not_yaml_names_the_tag() {
    let text = |value: &str| format!("Name: a.A\nMethods:\n  m:\n    Body:\n      - Return: {value}\n");
    for (value, expected) in [
        ("$.format('a: b')", Some("write `!yaql '$.format(''a: b'')'` if it is an expression")),
        ("\"a\" + $.b", Some("write `!yaql \"…\"` if it is an expression")),
        ("[$, 'x' + $y]", Some("write `!yaql \"…\"` if it is an expression")),
        ("[1, 2", None),
    ] {
        let outcome = parse(&[("a.yaml", &text(value))], "a.yaml");
        let error = outcome.diagnostics.iter().find(|problem| problem.rule.code == "T1101").unwrap();
        assert_eq!(error.help.iter().find(|help| help.contains("!yaql")).map(String::as_str), expected, "{error:#?}");
    }
    let right = text("!yaql '$.format(''a: b'')'").replace("$.format", "format");
    assert_eq!(all(&parse(&[("a.yaml", &right)], "a.yaml")), [""; 0]);
}

#[test]
fn keywords_of_statements_are_told_apart() {
    let text = |body: &str| format!("Name: a.A\nMethods:\n  m:\n    Body:\n      - {body}\n");
    for right in ["Return: 1", "{ If: true, Then: [] }", "{ Try: [], Finally: [] }", "{ Do: [] }"] {
        assert_eq!(all(&parse(&[("a.yaml", &text(right))], "a.yaml")), [""; 0]);
    }
    for (wrong, at, help) in [
        ("Retrun: 1", "M1103 `Retrun`: unknown keyword `Retrun` of a statement", "did you mean `Return`?"),
        ("{ If: true, Than: [] }", "M1103 `Than`: unknown keyword `Than` of a statement", "did you mean `Then`?"),
        ("{ If: true }", "M1103 `{ If: true }`: the statement has `If`, but not `Then`", "add `Then: …`"),
        ("{ While: 1 = 1, Do: [], Else: [] }", "M1103 `Else`: `Else` does not belong to `While`", "remove the keyword"),
        ("{ Anything: 1 }", "M1103 `Anything`: unknown keyword `Anything` of a statement", "write an expression"),
        (
            "{ While: true, Do: [] }",
            "M1103 `true`: the condition of `While` must be an expression",
            "write an expression, such as `$done = false`",
        ),
        ("text", "M1103 `text`: invalid statement", "write an expression"),
    ] {
        let outcome = parse(&[("a.yaml", &text(wrong))], "a.yaml");
        let found = all(&outcome);
        assert!(found.len() == 1 && found[0].starts_with(at), "{wrong}: {found:#?}");
        assert!(outcome.diagnostics[0].help[0].starts_with(help), "{:?}", outcome.diagnostics[0].help);
    }
}

/// Classes that the reference does not load are errors; all others are valid.
#[test]
fn declarations_are_judged_as_by_the_reference() {
    let Some(folder) = folder() else { return };
    let mut tally = Tally::new("declaration, statically");
    for case in read(&folder, "public/declarations.json") {
        let packages = case["packages"].as_array().cloned().unwrap_or_default();
        let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
        let texts: Vec<_> = packages.iter().map(|package| text(&package["text"])).collect();
        let outcome = parse(&[("a.yaml", &texts[0])], "a.yaml");
        let (errors, is_loaded) = (errors(&outcome), case["expected"].get("ok").is_some());
        let agrees = errors.is_empty() == is_loaded;
        let id = text(&case["id"]);
        tally.add(&id, if agrees { Ok(()) } else { Err(format!("{errors:?} instead of {}", case["expected"])) });
    }
    tally.finish(1.0);
}

/// Only the rule itself reports the wrong example on its page, and nothing reports the right one.
#[test]
fn examples_of_rules_are_what_they_say() {
    for explained in MURANO.rules.iter().copied().flatten() {
        for example in explained.examples() {
            let files: Vec<_> = example.files.iter().map(|file| (file.name, file.text)).collect();
            let outcome = parse(&files, "service.yaml");
            let codes: Vec<_> = outcome.diagnostics.iter().map(|problem| problem.rule.code).collect();
            let expected = if example.verdict == ExampleKind::Wrong { vec![explained.rule.code] } else { Vec::new() };
            assert_eq!(codes, expected, "{}: {:#?}", explained.rule.code, all(&outcome));
            for problem in &outcome.diagnostics {
                let is_sentence = !problem.message.starts_with(char::is_uppercase) && !problem.help.is_empty();
                assert!(is_sentence, "{}: {}", explained.rule.code, problem.message);
            }
        }
    }
}

/// Returns the problems of a class with the given members.
fn of_class(members: &str) -> Vec<String> {
    let text = format!("Namespaces: {{ =: a, std: io.murano, sys: io.murano.system }}\nName: A\n{members}");
    all(&parse(&[("a.yaml", &text)], "a.yaml"))
}

#[test]
fn bodies_that_work_have_no_problems() {
    let found = of_class(
        "Import: Extended
Properties:
  size: { Contract: $.int().notNull(), Default: 3 }
  names: { Contract: [ $.string() ], Usage: InOut }
  log: { Contract: $.class(sys:Logger), Usage: Runtime }
Methods:
  .init:
    Body:
      - $.size: 4
      - $.prepare()
  prepare:
    Body: [ { $.size: 5 } ]
  sell:
    Arguments:
      - price: { Contract: $.int().notNull() }
      - rest: { Contract: $, Usage: VarArgs }
      - more: { Contract: $, Usage: KwArgs }
    Body:
      - $._private: $price
      - $.names: $.names.where($.length > 2).select($x.foo)
      - $x.y[0]: $._private
      - For: name
        In: $.names
        Do:
          - If: $name = a
            Then: { Break: }
      - Try:
          - $.sell(1, 2, 3, other => 4)
          - $.extra(1)
          - sys:Resources.string('a')
        Catch:
          With: KeyError
          As: e
          Do: [ { Return: $e.message } ]
      - let(z => 1) -> $z
      - $.names.select($.unpack(p, q) -> [ $p, $q ])
      - new(Extended, $this).extra(1)
      - $.find(std:Environment).reporter.report($this, 'text')
      - $.setAttr(a, $.getAttr(a, 1))
      - Return: $this.names.select($.toUpper())
---
Name: Extended
Methods:
  extra:
    Usage: Extension
    Arguments:
      - object: { Contract: $ }
      - number: { Contract: $.int() }
",
    );
    assert_eq!(found, [""; 0]);
}

#[test]
fn failing_code_is_reported() {
    let found = of_class(
        "Properties:
  size: { Contract: $.int().notNull(), Default: none }
Methods:
  sell:
    Arguments:
      - price: { Contract: $.int().notNull() }
    Body:
      - $.sell(cost => $prize)
      - $.sell(1, price => 2)
      - $.sale(1)
      - $.size.foo.bar: lenght($.siez)
      - $this: 1
      - Break:
      - Return: $.names.select($.anything)
",
    );
    let expected = [
        "M4108 `none`",
        "M4103 `cost`",
        "M4104 `$prize`",
        "M4103 `price`",
        "M4102 `sale`",
        "M4105 `size`",
        "M4102 `lenght`",
        "M4101 `siez`",
        "M4105 `$this`",
        "M4106 `Break`",
        "M4106 `Return: $.names.select($.anything)`",
        "M4101 `names`",
    ];
    let found: Vec<_> = found.iter().map(|problem| problem.split(": ").next().unwrap().to_owned()).collect();
    for wanted in expected {
        assert!(found.iter().any(|problem| wanted.starts_with(&**problem)), "{wanted} is missing in {found:#?}");
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

#[test]
fn classes_like_those_of_applications_have_no_problems() {
    let text = include_str!("shop.yaml");
    assert_eq!(all(&parse(&[("shop.yaml", text)], "shop.yaml")), [""; 0]);
    // The checks look at these classes.
    let misspelt = text.replace("$.reportDeployed()", "$.reportDeploid()").replace("$user.grants", "$usr.grants");
    let found = all(&parse(&[("shop.yaml", &misspelt)], "shop.yaml"));
    assert_eq!(found.len(), 2, "{found:#?}");
}

#[test]
fn text_without_quotes_may_be_arithmetic() {
    let found = of_class(
        "Properties:
  type: { Contract: $.string(), Default: application/octet-stream }
  zone:
    Contract: $.string().check($ in [us-east, 'us-west', eu_west])
Methods:
  deploy:
    Body:
      - $policies: [ anti-affinity ]
      - Return: { name: some-name-2, date: 2026-11-27, text: $.type - 1 }
",
    );
    let places: Vec<_> = found.iter().map(|problem| problem.split(": ").next().unwrap()).collect();
    for wanted in ["application/octet", "us-east", "anti-affinity", "some-name"] {
        assert!(places.contains(&&*format!("M4103 `{wanted}`")), "{wanted} is missing in {found:#?}");
    }
    assert!(found.iter().all(|problem| !problem.contains("west") && !problem.contains("2026")), "{found:#?}");
}

#[test]
fn values_of_new_objects_fulfill_their_contracts() {
    let found = |code: &str| {
        let text = format!(
            "Namespaces: {{ =: a }}
Name: A
Properties:
  size: {{ Contract: $.int().notNull() }}
  word: {{ Contract: $.string() }}
  count: {{ Contract: $.int(), Usage: Runtime }}
Methods:
  m:
    Body:
      - Return: !yaql \"{code}\"
"
        );
        all(&parse(&[("a.yaml", &text)], "a.yaml"))
    };
    for right in ["new(A, size => '5')", "new(A, size => $.size, word => abc)", "new(A, word => 5)"] {
        assert_eq!(found(right), [""; 0], "{right}");
    }
    for wrong in ["new(A, size => abc)", "new(A, {size => abc})"] {
        let expected = "M4103 `abc`: the value of `size` violates its contract: value 'abc' violates int() contract";
        assert_eq!(found(wrong), [expected], "{wrong}");
    }
    let ignored = found("new(A, count => abc)");
    assert!(ignored.len() == 1 && ignored[0].starts_with("M5004 `count`"), "{ignored:?}");
}

#[test]
fn excluded_properties_exist() {
    let found = |excluded: &str| {
        let text = format!(
            "Namespaces: {{ =: a }}
Name: A
Properties:
  size: {{ Contract: $.int() }}
  part: {{ Contract: $.class(Part) }}
  other:
    Contract: $.template(A, excludeProperties => [{excluded}]).notNull()
---
Name: Part
Properties:
  length: {{ Contract: $.int() }}
  part: {{ Contract: $.class(Part) }}
"
        );
        all_with_help(&parse(&[("a.yaml", &text)], "a.yaml"))
    };
    assert_eq!(found("size, 'other'"), [""; 0]);
    assert_eq!(
        found("other, siez"),
        ["M4103 `siez`: class `a.A` has no property `siez` to exclude; did you mean `size`?"]
    );
    assert_eq!(found("'part.length', 'part.part.part'"), [""; 0]);
    assert_eq!(
        found("'part.lenght'"),
        ["M4103 `'part.lenght'`: class `a.Part` has no property `lenght` to exclude; did you mean `length`?"]
    );
    assert_eq!(
        found("part.length"),
        [
            "M4101 `part.length`: `part.length` lacks quotes, so it is read as properties of a string; write `'part.length'`"
        ]
    );
}

/// Functions that return an object of a class that they name, and variables that are set once.
#[test]
fn results_of_functions_have_classes() {
    let found = |code: &str| {
        let text = format!(
            "Namespaces: {{ =: a }}
Name: A
Properties:
  size: {{ Contract: $.int() }}
Methods:
  run: {{}}
  m:
    Arguments:
      - x: {{ Contract: $ }}
    Body:
      - If: $x
        Then:
          $twice: new(A)
      - $twice: $x
      - $a: $.find(A)
      - $b: $a.require()
      - $log: logger('a.A')
      - For: i
        In: [$x]
        Do: [$x.run()]
      - {code}
"
        );
        all(&parse(&[("a.yaml", &text)], "a.yaml"))
    };
    for right in [
        "$a.run()",
        "$b.size",
        "$.find(A).require().size",
        "new(':A').size",
        "cast($x, A).run()",
        "$twice.siez",
        "$x.siez",
        "$.find(A).toString",
    ] {
        let found = found(right);
        assert!(found.is_empty() || right.ends_with("toString"), "{right}: {found:?}");
    }
    for wrong in [
        "$a.siez",
        "$b.siez",
        "$.find(A).siez",
        "$this.find(':A').siez",
        "require($.find(A)).siez",
        "new(A).siez",
        "new(A, size => 1).siez",
        "cast($x, A).siez",
        "$b.require().siez",
    ] {
        let expected = "M4101 `siez`: class `a.A` has no property `siez`, nor does any class that descends from it";
        assert_eq!(found(wrong), [expected], "{wrong}");
    }
    for right in ["logger(a).info('{0} {b}', 1, b => 2)", "$log.exception($x, a, b => 1)"] {
        assert_eq!(found(right), [""; 0], "{right}");
    }
    for wrong in ["logger(a).warn(b)", "$log.warn(b)"] {
        assert_eq!(found(wrong), ["M4102 `warn`: a logger has no method `warn`"], "{wrong}");
    }
    let expected = "M4102 `rnu`: class `a.A` has no method `rnu`, nor does any class that descends from it";
    assert_eq!(found("$b.rnu()"), [expected]);
}

#[test]
fn methods_of_tests_are_known() {
    let classes = |call: &str| {
        let text = format!(
            "Namespaces: {{ =: a, test: io.murano.test }}\nName: A\nExtends: test:TestFixture\n\
             Methods:\n  testIt:\n    Body:\n      - $.{call}\n"
        );
        all(&parse(&[("a.yaml", &text)], "a.yaml"))
    };
    assert_eq!(classes("assertNotEqual(1, 2)"), ["M4102 `assertNotEqual`: class `a.A` has no method `assertNotEqual`"]);
    assert_eq!(classes("assertEqual(1, 2, message => unequal)"), [""; 0]);
    assert_eq!(classes("getAttr(a)"), [""; 0]);
}

#[test]
fn tags_are_those_of_the_loader() {
    let found = of_class(
        "Properties:
  a: { Contract: $, Default: !!python/object:os.system {} }
  b: { Contract: $, Default: !yaql '1 + 1' }
  c: { Contract: $, Default: !!set { x } }
  d: { Contract: $, Default: !include a.yaml }
",
    );
    assert_eq!(
        found,
        [
            "T1106 `!!python/object:os.system`: unknown tag `!!python/object:os.system`",
            "T1106 `!include`: unknown tag `!include`"
        ]
    );
}

/// The value of a property is an object of the class that its contract names, or of a descendant.
#[test]
fn chains_of_properties_are_followed() {
    let classes = |body: &str| {
        format!(
            "Properties:
  next: {{ Contract: $.class(A) }}
  shop: {{ Contract: $.class(Shop).notNull() }}
  any: {{ Contract: $.notNull() }}
Methods:
  m:
    Body:
      - $._own: 1
      - {body}
---
Name: Shop
Properties:
  owner: {{ Contract: $.class(Owner).notNull().check($.name) }}
Methods:
  open: {{}}
---
Name: Owner
Properties:
  name: {{ Contract: $.string() }}
---
Name: Keeper
Extends: Owner
Properties:
  key: {{ Contract: $.string() }}
"
        )
    };
    for right in [
        "$.shop.owner.name",
        "$.shop.owner.key",
        "$.next.next.shop.open()",
        "$.next._own",
        "$.any.anything.foo()",
        "$.shop.owner.getAttr(a, 1)",
        "$.shop.owner.select($.name)",
        "$.next.next.shop.owner.name.len()",
    ] {
        assert_eq!(of_class(&classes(right)), [""; 0], "{right}");
    }
    for (wrong, expected) in [
        (
            "$.shop.owner.nmae",
            "M4101 `nmae`: class `a.Owner` has no property `nmae`, nor does any class that descends from it",
        ),
        ("$.next.next.shop.opne()", "M4102 `opne`: class `a.Shop` has no method `opne`"),
        ("$.select($this.shop.ownr)", "M4101 `ownr`: class `a.Shop` has no property `ownr`"),
    ] {
        let found = of_class(&classes(wrong));
        assert!(found.len() == 1 && found[0].starts_with(expected), "{wrong}: {found:#?}");
    }
}

/// An argument whose contract names a class is an object of that class, unless the body reassigns it.
#[test]
fn members_of_arguments_are_checked() {
    let class = |usage: &str, rest: &str, body: &str| {
        format!(
            "Methods:
  m:
    Usage: {usage}
    Arguments:
      - shop: {{ Contract: $.class(Shop).notNull(){rest} }}
      - number: {{ Contract: $.int() }}
    Body:
      - {body}
---
Name: Shop
Properties:
  owner: {{ Contract: $.class(Owner) }}
Methods:
  open: {{}}
---
Name: Owner
Properties:
  name: {{ Contract: $.string() }}
"
        )
    };
    for (usage, rest, right) in [
        ("Runtime", "", "Return: [ $shop.owner.name, $shop.open(), $number.anything ]"),
        ("Runtime", ", Usage: VarArgs", "$shop.foo"),
        ("Runtime", "", "Do: [ { $shop: $.find(Owner) }, { Return: $shop.foo } ]"),
        ("Runtime", "", "Do: [ { $shop._mine: 1 }, { Return: $shop._mine } ]"),
        ("Static", "", "$shop.owner.name"),
    ] {
        let class = if rest.is_empty() {
            class(usage, rest, right)
        } else {
            class(usage, rest, right).replace("      - number: { Contract: $.int() }\n", "")
        };
        assert_eq!(of_class(&class), [""; 0], "{right}");
    }
    for (usage, wrong, expected) in [
        ("Runtime", "$shop.ownr", "M4101 `ownr`: class `a.Shop` has no property `ownr`"),
        ("Runtime", "$.select($shop.owner.nmae)", "M4101 `nmae`: class `a.Owner` has no property `nmae`"),
        ("Static", "$shop.opne()", "M4102 `opne`: class `a.Shop` has no method `opne`"),
        ("Extension", "Return: $shop.owner.nmae", "M4101 `nmae`: class `a.Owner` has no property `nmae`"),
    ] {
        let found = of_class(&class(usage, "", wrong));
        assert!(found.len() == 1 && found[0].starts_with(expected), "{wrong}: {found:#?}");
    }
}

/// Metadata of packages is checked like that of classes.
#[test]
fn metadata_of_packages_is_checked() {
    let manifest = |meta: &str| {
        format!(
            "Format: 1.4\nType: Library\nFullName: a\nClasses: {{ a.OfPackages: A.yaml, a.OfTypes: A.yaml, a.None: A.yaml }}\nMeta: {meta}\n"
        )
    };
    let classes = "Namespaces: { =: a }\nName: OfPackages\nUsage: Meta\nApplies: Package\n---\nName: OfTypes\nUsage: Meta\nApplies: Type\n---\nName: None\n";
    for (meta, expected) in [
        ("a.OfPackages", None),
        ("a.OfTypes", Some("M4002 `a.OfTypes`: `a.OfTypes` can't be attached to a package")),
        ("a.None", Some("M4002 `a.None`: only meta classes can be attached")),
        ("[ a.OfPackages, a.OfPackages ]", Some("M4002 `a.OfPackages`: `a.OfPackages` is attached twice")),
    ] {
        let files = [("p/manifest.yaml", &*manifest(meta)), ("p/Classes/A.yaml", classes)];
        let found = all(&parse(&files, "p/manifest.yaml"));
        assert!(found.len() == usize::from(expected.is_some()), "{meta}: {found:#?}");
        assert!(expected.is_none_or(|expected| found[0].starts_with(expected)), "{meta}: {found:#?}");
    }
}
