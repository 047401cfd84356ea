//! The checks of declarations, contracts and bodies.

use super::*;

/// Contradictory limits are reported in any notation.
#[test]
fn unsatisfiable_contracts_are_reported() {
    let found = |contract: &str| of_class(&format!("Properties:\n  p:\n    Contract: {contract}\n"));
    for right in [
        "$.int().check($ > 1 and $ < 3)",
        "$.int().check($ >= 3 and $ <= 3)",
        "$.int().check($ > 5 or $ < 3)",
        "$.int().check(1 < $ and 3 > $)",
        "[ $.int(), 1, 1 ]",
        "[ $.int(), 2 ]",
        "$.string().check(len($) > 5 and $ < 3)",
    ] {
        assert_eq!(found(right), [""; 0], "{right}");
    }
    for (wrong, expected) in [
        (
            "$.int().notNull().check($ > 5 and $ < 3).check($)",
            "M4107 `$ > 5 and $ < 3`: no number is more than 5 and less than 3",
        ),
        ("$.int().check(5 <= $ and 5 > $)", "M4107 `5 <= $ and 5 > $`: no number is at least 5 and less than 5"),
        (
            "$.int().check($ > 2 and $ < 9 and $ > 9)",
            "M4107 `$ > 2 and $ < 9 and $ > 9`: no number is more than 9 and less than 9",
        ),
        ("[ $.int(), 3, 2 ]", "M4107 `2`: no list has at least 3 and at most 2 items"),
        ("{ a: [ $, 3, 2 ] }", "M4107 `2`: no list has at least 3 and at most 2 items"),
    ] {
        assert_eq!(found(wrong), [expected], "{wrong}");
    }
}

/// Overriding methods must accept the calls that the overridden ones accept.
#[test]
fn methods_are_called_as_those_that_they_override() {
    const DEMANDED: &str = "Contract: $.int().notNull()";
    let found = |theirs: &str, mine: &str| {
        of_class(&format!(
            "Methods:\n  m: {{ Arguments: [ {theirs} ] }}\n---\nName: B\nExtends: A\nMethods:\n  m: {{ Arguments: [ {mine} ] }}\n"
        ))
    };
    for (theirs, mine) in [
        (String::new(), "a: { Contract: $.int() }".to_owned()),
        (String::new(), format!("a: {{ {DEMANDED}, Default: 1 }}")),
        (format!("a: {{ {DEMANDED} }}"), format!("b: {{ {DEMANDED} }}")),
        (format!("a: {{ {DEMANDED} }}"), "rest: { Contract: $, Usage: VarArgs }".to_owned()),
        ("rest: { Contract: $, Usage: VarArgs }".to_owned(), format!("a: {{ {DEMANDED} }}")),
        ("a: { Contract: $.int() }".to_owned(), String::new()),
    ] {
        assert_eq!(found(&theirs, &mine), [""; 0], "{theirs} {mine}");
    }
    let wrong = found("", &format!("a: {{ {DEMANDED} }}"));
    assert_eq!(wrong, ["M4004 `a`: method `m` requires the argument `a`, which the overridden method does not have"]);
    let wrong = found(&format!("a: {{ {DEMANDED} }}"), "");
    assert_eq!(wrong, ["M4004 `m`: method `m` does not take the argument `a`, which the overridden method requires"]);
}

/// Names in inherited members are resolved in the namespaces of the class that declares them.
#[test]
fn inherited_names_keep_their_meaning() {
    let base = "Namespaces: { =: one, x: one }\nName: Base\nProperties: { p: { Contract: $.class(x:Part), Default: null } }\nMethods: { m: { Body: [ new(Part) ] } }\n---\nName: Part\n";
    let heir = "---\nNamespaces: { =: two, x: two }\nName: Heir\nExtends: one.Base\nMethods: { n: { Body: [ $.p, $.m() ] } }\n";
    assert_eq!(all(&parse(&[("a.yaml", &format!("{base}{heir}"))], "a.yaml")), [""; 0]);
    let wrong = heir.replace("$.m()", "new(Part)");
    let found = all(&parse(&[("a.yaml", &format!("{base}{wrong}"))], "a.yaml"));
    assert_eq!(found, ["M2002 `Part`: there is no class `two.Part`"]);
}

/// Checks that the classes in a file have the expected problems. Each problem contains the expected text.
fn expect(text: &str, expected: &[&str]) {
    let text = format!("Namespaces: {{ =: a, std: io.murano, sys: io.murano.system, test: io.murano.test }}\n{text}");
    let found = all(&parse(&[("a.yaml", &text)], "a.yaml"));
    let agrees =
        found.len() == expected.len() && found.iter().zip(expected).all(|(found, expected)| found.contains(expected));
    assert!(agrees, "{text}: {found:#?} instead of {expected:#?}");
}

const PART: &str =
    "---\nName: Part\nProperties:\n  n: { Contract: $.int().notNull() }\n  note: { Contract: $.string() }\n";

#[test]
fn contracts_are_checked_like_code() {
    for (contract, expected) in [
        ("$.class(Part).check($.n > 3 and $this.q = 1)", &[][..]),
        ("$.class(Part).check($.number > 3)", &["M4101 `number`"]),
        ("$.string().check($this.nothing = 1)", &["M4101 `nothing`"]),
        ("$.string().check($ in $this.choices())", &[]),
        ("$.string().check($ in :A.choices())", &[]),
        ("$.string().check($ in $this.chioces())", &["M4102 `chioces`"]),
        ("$.string().check(lenn($) > 3)", &["M4102 `lenn`"]),
        ("$.class('a.Nothing')", &["M2002 `'a.Nothing'`"]),
        ("$.string().notNull", &["M4107 `notNull`"]),
        ("$.string().check($ =~ '^[[:a:]]$')", &[]),
        ("$.string().check($ =~ '[')", &["M4103 `'['`: `[` is not a regular expression: a `]` is missing"]),
        ("$.string().check($.matches('(?<x>a)'))", &["write `(?P<x>` for a named group"]),
        ("$.string().check(regex(a).matches('['))", &[]),
        ("$.string().check(regex('a**').matches($))", &["a quantifier follows another quantifier"]),
        ("string", &["M4107 `string`"]),
        ("$.int(5).notNull()", &["M4103 `int`"]),
        ("$.check()", &["M4103 `check`"]),
        ("$.class()", &["M4103 `class`"]),
        ("[ $.class(Part).check($.number > 3) ]", &["M4101 `number`"]),
    ] {
        let class = "Methods:\n  choices: { Usage: Static, Body: [ Return: [ a ] ] }\n";
        let contract =
            format!("Name: A\nProperties:\n  q: {{ Contract: $ }}\n  p:\n    Contract: {contract}\n{class}{PART}");
        expect(&contract, expected);
    }
}

#[test]
fn defaults_fulfill_contracts_with_functions_and_objects() {
    for (contract, default, is_broken) in [
        ("$.string().check($ in list(public, internal))", "private", true),
        ("$.string().check($ in list(public, internal))", "public", false),
        ("$.string().check(len($) > 2)", "x", true),
        ("$.string().check(len($) > 2)", "xyz", false),
        ("$.int().check($ < random())", "5", false),
        ("$.class(Part)", "{ n: x }", true),
        ("$.class(Part)", "{ note: x }", true),
        ("$.class(Part)", "{ n: 3 }", false),
        ("$.class(Part)", "{ n: $.q }", false),
        ("$.class(Part)", "{ '?': { type: a.Part }, n: 3 }", false),
    ] {
        let text = format!(
            "Name: A\nProperties:\n  q: {{ Contract: $ }}\n  p:\n    Contract: {contract}\n    Default: {default}\n{PART}"
        );
        expect(&text, if is_broken { &["M4108 "] } else { &[] });
    }
}

#[test]
fn defaults_of_objects_have_known_properties() {
    let whole = "Name: Whole\nProperties:\n  part: { Contract: $.class(Part) }\n";
    for (contract, default, unknown) in [
        ("$.class(Part)", "{ n: 3, m: 4 }", &["M5004 `m`"][..]),
        ("$.class(Whole).notNull()", "{ part: { n: 3, x: 1 } }", &["M5004 `x`"]),
        ("$.class(Whole)", "{ part: { n: 3 } }", &[]),
        ("$.class(Part)", "{ a.Part: { n: 3 } }", &[]),
        ("$", "{ m: 4 }", &[]),
    ] {
        let text =
            format!("Name: A\nProperties:\n  p:\n    Contract: {contract}\n    Default: {default}\n{PART}---\n{whole}");
        expect(&text, unknown);
    }
}

#[test]
fn classes_have_static_members_alone() {
    for (body, usage, expected) in [
        ("$.p", "Static", &["M4101 `p`: property `p` needs an object"][..]),
        ("$.nothing", "Static", &["M4101 `nothing`"]),
        ("$.s", "Static", &[]),
        ("$.m()", "Static", &["M4102 `m`: method `m` needs an object"]),
        ("$.t()", "Static", &[]),
        ("list(1).select($.p)", "Static", &[]),
        (":A.m()", "Runtime", &["M4102 `m`"]),
        (":A.t()", "Runtime", &[]),
        (":A.p", "Runtime", &["M4101 `p`"]),
        (":A.s", "Runtime", &[]),
        ("sys:Resources.yaml(x)", "Static", &[]),
    ] {
        let text = format!(
            "Name: A\nProperties:\n  p: {{ Contract: $ }}\n  s: {{ Contract: $, Usage: Static }}\nMethods:\n  m: {{}}\n  t: {{ Usage: Static }}\n  x:\n    Usage: {usage}\n    Body:\n      - Return: {body}\n"
        );
        expect(&text, expected);
    }
    let set =
        "Name: A\nProperties:\n  p: { Contract: $ }\nMethods:\n  x:\n    Usage: Static\n    Body:\n      - $.p: 1\n";
    expect(set, &["M4101 `p`"]);
}

#[test]
fn writes_are_to_the_last_object() {
    for (target, expected) in [
        ("$.next.count", &[][..]),
        ("$.next.fixed", &["M4105 `fixed`"]),
        ("$.fixed", &["M4105 `fixed`"]),
        ("$.data.x", &["M4105 `data`"]),
        ("$.any.x", &[]),
        ("$.parts[0].count", &[]),
        ("$.open.x.y", &[]),
    ] {
        let text = format!(
            "Name: A\nProperties:\n  next: {{ Contract: $.class(A) }}\n  count: {{ Contract: $.int(), Usage: InOut }}\n  fixed: {{ Contract: $.int() }}\n  data: {{ Contract: {{ x: $.int() }} }}\n  any: {{ Contract: $ }}\n  parts: {{ Contract: [ $.class(A) ] }}\n  open: {{ Contract: {{}} }}\nMethods:\n  m:\n    Body:\n      - {target}: 5\n"
        );
        expect(&text, expected);
    }
}

#[test]
fn clauses_that_never_run_are_reported() {
    for (body, expected) in [
        ("[ { Try: [ $.m() ], Catch: [ { Do: [] }, { With: X, Do: [] } ] } ]", &["M4106 "][..]),
        ("[ { Try: [ $.m() ], Catch: [ { With: X, Do: [] }, { With: [ X ], Do: [] } ] } ]", &["M4106 "]),
        ("[ { Try: [ $.m() ], Catch: [ { With: X, Do: [] }, { With: [ X, Y ], Do: [] }, { Do: [] } ] } ]", &[]),
        ("[ { Try: [ Return: 1 ], Else: [ $.m() ] } ]", &["M4106 "]),
        ("[ { If: $.m(), Then: [ Return: 1 ], Else: [ Throw: X ] }, $.m() ]", &["M4106 "]),
        ("[ { If: $.m(), Then: [ Return: 1 ] }, $.m() ]", &[]),
        ("[ { Try: [ Return: 1 ], Catch: { Do: [ $.m() ] } }, $.m() ]", &[]),
        ("[ Rethrow: ]", &["M4106 "]),
        ("[ { Try: [ $.m() ], Catch: { Do: [ { If: $.m(), Then: [ Rethrow: ] } ] } } ]", &[]),
    ] {
        let text = format!("Name: A\nMethods:\n  m:\n    Body: {body}\n");
        expect(&text, expected);
    }
}

#[test]
fn test_functions_are_known() {
    expect(
        "Name: T\nExtends: test:TestFixture\nMethods:\n  testIt:\n    Body:\n      - inject(sys:Agent, call, withOriginal(t => $template) -> logger(a).info('{0}', $t))\n      - inject(sys:Agent, call, $this, mock)\n  mock:\n    Body:\n      - Return: originalMethod()\n",
        &[],
    );
    expect(
        "Name: A\nMethods:\n  m:\n    Arguments:\n      - a: { Contract: $ }\n      - b: { Contract: $ }\n      - a: { Contract: $ }\n    Body:\n      - config(rabbitmq, password)\n",
        &["M1108 `a`", "M4102 `config`"],
    );
}

#[test]
fn keywords_fit_the_format() {
    let manifest = |format: &str| format!("Format: {format}\nType: Library\nFullName: a\nClasses: {{ a.A: A.yaml }}\n");
    let class = "Namespaces: { =: a }\nName: A\nProperties:\n  p: { Contract: $, Usage: Static }\nMethods:\n  m: { Usage: Action }\n  s: { Usage: Static, Scope: Public }\n";
    for (format, count) in [("1.0", 3), ("1.3", 1), ("MuranoPL/1.4", 1), ("Heat.HOT/1.0", 0)] {
        let manifest = manifest(format);
        let files = [("p/manifest.yaml", &*manifest), ("p/Classes/A.yaml", class)];
        let found = all(&parse(&files, "p/manifest.yaml"));
        let is_it = |problem: &String| problem.starts_with("M4109 ");
        assert!(found.len() == count && found.iter().all(is_it), "{format}: {found:#?}");
    }
}

/// Warnings about public packages are mistakes in them; the core library has all members that they use.
#[test]
fn public_packages_have_few_problems() {
    let Some(folder) = folder() else { return };
    let meta = folder.join("packages/openstack-archive");
    let mut found = Vec::new();
    let core = std::path::Path::new("io.murano");
    for entry in walk(&meta).into_iter().filter(|path| path.ends_with("manifest.yaml")) {
        if entry.parent().is_some_and(|parent| parent.ends_with(core)) {
            continue;
        }
        let parser = Parser::builder(&MURANO).threads(1).build().unwrap();
        let outcome = parser.parse(&entry.to_string_lossy()).unwrap();
        found.extend(all(&outcome).into_iter().map(|problem| format!("{}: {problem}", entry.display())));
    }
    println!("{found:#?}");
    assert!(found.iter().all(|problem| !problem.contains(": M5") && !problem.contains(": M1")), "{found:#?}");
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut all = Vec::new();
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() { all.extend(walk(&path)) } else { all.push(path) }
    }
    all.sort();
    all
}

#[test]
fn contracts_know_their_variables_and_scalars() {
    let property = |contract: &str| {
        format!("Name: A\nProperties:\n  n: {{ Contract: $.int() }}\n  p:\n    Contract: {contract}\n")
    };
    for fine in [
        "$.string().check($.len() > 3 and len($) < 9)",
        "$.int().check($this.n = $)",
        "$.int().check(let(x => $) -> $x > 3)",
        "$.check(def(f, $ + 1) -> f(1) > 1)",
        "$.check($.len > 3)",
        "$.check($.len > 3).string()",
        "$.check($.a = 1).string().check($.len() > 0)",
        "$.class(A).check($.n > 0)",
        "$.int() or $.string()",
        "$.string().check($.select($.x).any())",
    ] {
        expect(&property(fine), &[]);
    }
    for (wrong, expected) in [
        ("$.string().check($.len > 3)", "a string has no property `len`"),
        ("$.int().notNull().check($ > 0 and $.size > 3)", "an integer has no property `size`"),
        ("$.string().check($.lenn() > 3)", "a string has no method `lenn`"),
        ("$.int().check($this.n.x = 1)", "an integer has no property `x`"),
        ("$.int().check($this.n.foo())", "an integer has no method `foo`"),
        ("$.int().check($x > 0)", "nothing sets the variable `$x`"),
        ("$.string() or $.nope()", "there is no contract `nope`"),
        ("$.int or $.string()", "`int` reads a property of the value"),
        ("$.check(def(f, $ + 1) -> g(1) > 1)", "there is no function `g`"),
    ] {
        expect(&property(wrong), &[expected]);
    }
    let body = |code: &str| {
        format!("Name: A\nProperties:\n  n: {{ Contract: $.string() }}\nMethods:\n  m:\n    Body:\n      - {code}\n")
    };
    for fine in ["$.n.len()", "$.n?.len()", "$.n.split().x", "$this.n.toUpper()", "def(f, 1) -> f(1)"] {
        expect(&body(fine), &[]);
    }
    expect(&body("$.n.len > 1"), &["a string has no property `len`"]);
    expect(&body("$.n.foo()"), &["a string has no method `foo`"]);
}

#[test]
fn defaults_of_objects_are_objects() {
    let property = |contract: &str, default: &str| {
        format!("Name: A\nProperties:\n  p:\n    Contract: {contract}\n    Default: {default}\n")
    };
    for fine in ["null", "id", "{}", "$.find(A)"] {
        expect(&property("$.class(A)", fine), &[]);
    }
    for wrong in ["[ 1 ]", "1", "true", "1.5"] {
        expect(&property("$.class(A)", wrong), &["the default breaks its contract: it is not an object"]);
    }
    expect(&property("$.class(A).notNull()", "null"), &["the default breaks its contract: null value"]);
    expect(&property("$.class(A).notNull()", "{}"), &[]);
    for (contract, fine) in [("[ $.class(A) ]", "[ {}, null, id ]"), ("[ $.class(A), $.int() ]", "[ {}, 5 ]")] {
        expect(&property(contract, fine), &[]);
    }
    expect(&property("{ a: $.class(A), b: $.int() }", "{ a: {}, b: 5 }"), &[]);
    expect(&property("[ $.class(A), 1 ]", "[ {}, 5 ]"), &["in its list, it is not an object"]);
    expect(&property("{ a: $.class(A) }", "{ a: 5 }"), &["at `a`, it is not an object"]);
}

#[test]
fn arguments_of_functions_and_new_objects_are_checked() {
    let found = |call: &str| {
        of_class(&format!(
            "Properties:
  size: {{ Contract: $.int(), Default: 1 }}
  items: {{ Contract: [ $.string() ], Default: [] }}
  cfg: {{ Contract: $.string(), Usage: Config }}
  all: {{ Contract: $.int(), Usage: Static }}
  now: {{ Contract: $.int(), Usage: Runtime }}
  out: {{ Contract: $.int(), Usage: Out }}
Methods:
  .init:
    Arguments:
      - seed: {{ Contract: $.int() }}
  first:
    Arguments:
      - a: {{ Contract: $.int() }}
  own:
    Body:
      - def(twice, $ * 2)
      - Return: {call}
"
        ))
    };
    for (call, expected) in [
        ("new(A, sise => 1)", &["M5004 `sise`"][..]),
        ("new(A, {sise => 1, size => 2}, $this)", &["M5004 `sise`"]),
        ("new(A, cfg => a, all => 1, now => 2, size => 3)", &["M5004 `cfg`", "M5004 `all`", "M5004 `now`"]),
        ("new(A, {now => 1}, $this)", &["M5004 `now`"]),
        ("new(A, out => 1)", &[]),
        ("new(':A', seed => 1, unknown => 2, name => x, owner => $this)", &["M5004 `unknown`"]),
        ("new('io.murano.resources.NeutronNetwork', nme => x)", &["M5004 `nme`"]),
        ("new('io.murano.system.HeatStack', anything => x)", &[]),
        ("new(A, $this, size => 2, extra => {x => 1})", &[]),
        ("new($.items.first(), unknown => 2)", &[]),
        ("new({A => {}}, $this)", &[]),
        ("len($.items, 2)", &["M4103 `len`"]),
        ("$.items.select()", &["M4103 `select`"]),
        ("$.items.toDict($, valueSelektor => $)", &["M4103 `valueSelektor`"]),
        ("$.items.toDict($, valueSelector => $)", &[]),
        ("$.items.join(',', x)", &["M4103 `join`"]),
        ("$.items.first(1)", &[]),
        ("$.items.where($ = a).select($ + b).toDict($, $)", &[]),
        ("dict(a => 1, b => 2).set(c, 3).set({d => 4})", &[]),
        ("switch($.size > 1 => a, true => b)", &[]),
        ("format('{0} {x}', 1, x => 2)", &[]),
        ("format(a).len()", &[]),
        ("coalesce($.size, 1, 2)", &[]),
        ("twice(1, 2)", &[]),
        ("range(1, 2, 3, 4)", &["M4103 `range`"]),
        ("max(1, 2, 3)", &["M4103 `max`"]),
        ("random()", &[]),
        ("regex('a', ignoreCase => true).matches(b)", &[]),
    ] {
        let found = found(call);
        let places: Vec<_> = found.iter().map(|problem| problem.split(": ").next().unwrap()).collect();
        assert_eq!(places, expected, "{call}: {found:?}");
    }
}

/// The checks say how to call a function that is called in the wrong way.
#[test]
fn methods_and_functions_are_told_apart() {
    let found = |format: &str, call: &str| {
        let manifest = format!("Format: {format}\nType: Library\nFullName: a\nName: a\nClasses: {{ a.A: a.yaml }}\n");
        let class = format!(
            "Namespaces: {{ =: a }}\nName: A\nProperties:\n  text: {{ Contract: $.string() }}\n\
             Methods:\n  m:\n    Arguments: [ x: {{ Contract: $ }} ]\n    Body:\n      - Return: !yaql \"{call}\"\n  own: {{}}\n"
        );
        let outcome = parse(&[("p/manifest.yaml", &manifest), ("p/Classes/a.yaml", &class)], "p/manifest.yaml");
        all_with_help(&outcome)
    };
    for (call, expected) in [
        ("toUpper(abc)", "`toUpper` is a function only in the formats 1.0 and 1.1; write `abc.toUpper()`"),
        ("where($x, $ > 1)", "`where` is a function only in the formats 1.0 and 1.1; write `$x.where($ > 1)`"),
        ("startsWith($x + b, a, c)", "only in the formats 1.0 and 1.1; write `($x + b).startsWith(a, c)`"),
        ("select($x)", "`select` is a function only in the formats 1.0 and 1.1; write `$x.select(…)`"),
        ("orderBy($x, $)", "there is no function `orderBy`; write `$x.orderBy($)`"),
        ("$.super($.own())", "`super` is a function, not a method; write `super($, $.own())`"),
        ("$.coalesce(a)", "`coalesce` is a function, not a method; write `coalesce($, a)`"),
        ("own()", "there is no function `own`; call it as a method: `$.own(…)`"),
        ("$x.str()", "`str` is a function, not a method; write `str($x)`"),
        ("$x.where(isString($)).isString()", "write `isString($x.where(isString($)))`"),
        ("$.text.coalesce(a)", "a string has no method `coalesce`; write `coalesce($.text, a)`"),
        ("$.text.int()", "a string has no method `int`; write `int($.text)`"),
        ("$.text.toUper()", "a string has no method `toUper`; did you mean `toUpper`?"),
        // Only dictionaries have `keys`.
        ("$.text.keyz()", "a string has no method `keyz`; correct the name"),
    ] {
        let all = found("1.3", call);
        assert!(all.len() == 1 && all[0].contains(expected), "{call}: {all:#?}");
    }
    for call in
        ["len(abc)", "$x.len()", "$x.select($)", "str($x)", "$x.list()", "flatten($x)", "$x.get(a)", "isString($x)"]
    {
        let expected = usize::from(call == "flatten($x)");
        assert_eq!(found("1.3", call).len(), expected, "{call}: {:#?}", found("1.3", call));
    }
    for call in ["toUpper(abc)", "where($x, $ > 1)", "$.text.int()", "flatten($x)", "$.super($.own())"] {
        assert_eq!(found("1.1", call), [""; 0], "{call}");
    }
    // The format is unknown if only the file with the class is read.
    let class = "Name: a.A\nProperties: { p: { Contract: $.check(toUpper($) = A) } }\n";
    assert_eq!(all(&parse(&[("p/Classes/a.yaml", class)], "p/Classes/a.yaml")), [""; 0]);
    assert_eq!(all(&parse(&[("a.yaml", class)], "a.yaml")).len(), 1);
    assert!(found("1.0", "select($x)")[0].contains("function `select` takes 2 arguments"));
}

/// A name without quotes is read as properties of a string, but means a class.
#[test]
fn names_of_classes_without_quotes_are_checked() {
    for (contract, expected) in [
        ("$.class(io.murano.Objekt)", &["M2002 `io.murano.Objekt`"][..]),
        ("$.class(io.murano.Object)", &["M4101 `io.murano.Object`: the name of class `io.murano.Object` lacks quotes"]),
        ("$.class('io.murano.Object')", &[]),
        ("$.class(std:Object)", &[]),
        ("$.check($ is io.murano.Usr)", &["M2002 `io.murano.Usr`"]),
        ("$.check(new(io.murano.resources.Nope, a => 1) = null)", &["M2002 `io.murano.resources.Nope`"]),
    ] {
        let text = format!("Namespaces: {{ std: io.murano }}\nName: A\nProperties:\n  p:\n    Contract: {contract}\n");
        let outcome = parse(&[("a.yaml", &text)], "a.yaml");
        let found = all(&outcome);
        let agrees = found.len() == expected.len()
            && found.iter().zip(expected).all(|(found, expected)| found.starts_with(expected));
        assert!(agrees, "{contract}: {found:#?}");
    }
    let text = "Name: A\nProperties:\n  p: { Contract: $.class(io.murano.Objekt) }\n";
    let found = all_with_help(&parse(&[("a.yaml", text)], "a.yaml"));
    assert_eq!(
        found,
        ["M2002 `io.murano.Objekt`: there is no class `io.murano.Objekt`; did you mean `io.murano.Object`?"]
    );
}

#[test]
fn definitions_of_forms_are_no_classes() {
    let form =
        "Version: 2\nApplication:\n  ?:\n    type: a.Shop\n  name: $.first.name\nForms:\n- first: { fields: [] }\n";
    assert!(!(MURANO.claims)("ui.yaml", form));
    let model = "Application:\n  ?:\n    type: a.Shop\n";
    assert!((MURANO.claims)("model.yaml", model));
}
