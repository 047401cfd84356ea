//! Results that were measured with the reference (`yaql` 3.2.0), and random expressions that are compared with it.

#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value as Json, json};
use tosca_parse_yaql::{Engine, Value};

fn evaluate(expression: &str) -> Result<Json, String> {
    let value = Engine::default().evaluate(expression, Value::Null).map_err(|error| error.message().to_owned())?;
    serde_json::to_value(&value).map_err(|error| error.to_string())
}

fn check(cases: &[(&str, Json)]) {
    let mut wrong = Vec::new();
    for (expression, wanted) in cases {
        let found = evaluate(expression);
        if found.as_ref() != Ok(wanted) {
            wrong.push(format!("{expression}\n gives {found:?}\n instead of {wanted}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn definitions_know_themselves() {
    check(&[
        ("def(f, switch($ = 0 => 1, true => $ * f($ - 1))) -> f(3)", json!(6)),
        ("def(f, switch($n = 0 => 1, true => $n * f(n => $n - 1))) -> f(n => 4)", json!(24)),
        ("def(f, switch($1 < 2 => $1, true => f($1 - 1) + f($1 - 2))) -> f(10)", json!(55)),
        ("let(a => 1) -> def(f, $a) -> let(a => 2) -> f()", json!(1)),
        ("def(f, 1) -> def(f, f() + 1) -> 2", json!(2)),
    ]);
    assert!(evaluate("def(f, f($)) -> f(1)").is_err());
    let message = evaluate("def(f, $ + g($)) -> def(g, $ * 2) -> f(3)").unwrap_err();
    assert!(message.contains('g'), "{message}");
}

#[test]
fn positions_in_lists() {
    check(&[
        ("[1,2,3].insert(-1, 9)", json!([1, 2, 9, 3])),
        ("[1,2,3].insert(4, 9)", json!([1, 2, 3, 9])),
        ("[1,2,3].where($ > 0).insert(-1, 9)", json!([1, 2, 3])),
        ("[1,2,3].where($ > 0).insert(5, 9)", json!([1, 2, 3, 9])),
        ("[1,2,3].insertMany(-1, [8,9])", json!([8, 9, 1, 2, 3])),
        ("[1,2,3].insertMany(3, [8,9])", json!([1, 2, 3, 8, 9])),
        ("[].insertMany(-1, [9])", json!([9])),
        ("[1,2,3].delete(-1)", json!([1, 2, 3])),
        ("[1,2,3].delete(-2, 3)", json!([2, 3])),
        ("[1,2,3].delete(-1, -1)", json!([])),
        ("[1,2,3].delete(1, -1)", json!([1])),
        ("[1,2,3].delete(3)", json!([1, 2, 3])),
        ("[1,2,3].delete(1, 0)", json!([1, 2, 3])),
        ("[1,2,3].replace(3, 9)", json!([1, 2, 3])),
        ("[1,2,3].replace(2, 9)", json!([1, 2, 9])),
        ("[1,2,3].replace(-2, 9, 3)", json!([9, 2, 3])),
        ("[1,2,3].replace(-1, 9, -1)", json!([9])),
        ("[1,2,3].replace(1, 9, 0)", json!([1, 2, 3])),
        ("[].replace(0, 9, -1)", json!([])),
        ("[1,2,3].replaceMany(-2, [8,9], 3)", json!([8, 9, 2, 3])),
        ("[1,2,3].replaceMany(3, [8,9])", json!([1, 2, 3])),
        ("[1,2,3].splitAt(-1)", json!([[1, 2], [3]])),
        ("[].where($ > 0).defaultIfEmpty([7])", json!([7])),
        ("[1,2].defaultIfEmpty([7])", json!([1, 2])),
        ("[1,2].defaultIfEmpty([7]).insert(-1, 9)", json!([1, 9, 2])),
        ("[].where($ > 0).defaultIfEmpty([7]).insert(-1, 9)", json!([9, 7])),
        ("[1].where($ > 0).defaultIfEmpty([7]).insert(-1, 9)", json!([1])),
        ("[].defaultIfEmpty([7].select($)).insert(-1, 9)", json!([7])),
        ("range(3).select([range($)]).flatten()", json!([0, 0, 1])),
        ("set([1, 2].select($)).len()", json!(2)),
        ("set([1, 2]).len()", json!(1)),
    ]);
}

#[test]
fn functions_of_the_reference() {
    check(&[
        ("{a => 1}.mergeWith({a => [1]}, maxLevels => 1)", json!({"a": [1]})),
        ("{a => [1], b => {c => 1}}.mergeWith({a => 1, b => 2})", json!({"a": 1, "b": 2})),
        ("[5].orderBy($.foo).thenBy($.bar)", json!([5])),
        ("regex('[a-z]').searchAll('ab').insert(-1, 9)", json!(["a", "b"])),
        ("bool(regex('[a-z]').searchAll(''))", json!(true)),
        ("7.repeat(0).zipLongest([1, 2])", json!([[null, 1], [null, 2]])),
        ("7.repeat(1).zipLongest([1, 2], default => 0)", json!([[7, 1], [0, 2]])),
        ("[].accumulate($1 + $2, 1).zipLongest([5, 6])", json!([[1, 5], [null, 6]])),
        ("str(max(1, 1.0)) + str([1.0, 1].max()) + str(min(1, 1.0))", json!("11.01.0")),
        ("str(-7.0 mod 7) + str(1 mod -0.5)", json!("0.0-0.0")),
        ("let(s => [2, 1].orderBy($)) -> [$s.first(), $s.last(), $s.len()]", json!([1, 2, 2])),
        ("list([1, 2].orderBy($), 3)", json!([[1, 2], 3])),
        ("list([[3].select($)].select($), 1)", json!([3, 1])),
        ("list([[1]], [2])", json!([[[1]], [2]])),
    ]);
    for wrong in ["{a => 1}.mergeWith({a => [1]})", "{a => [1]}.mergeWith({a => {b => 1}})", "[1, 'a'].orderBy($)"] {
        assert!(evaluate(wrong).is_err(), "{wrong}");
    }
    assert_eq!(evaluate("{a => 1}.mergeWith({a => [1]})").unwrap_err(), "can't merge a list into an integer");
}

#[test]
fn dates_in_the_usual_forms() {
    let date = |text: &str, wanted: &str| {
        let expression = format!("str({text})");
        assert_eq!(evaluate(&expression), Ok(json!(wanted)), "{text}");
    };
    for (text, wanted) in [
        ("20150102", "2015-01-02 00:00:00+00:00"),
        ("20150102T030405", "2015-01-02 03:04:05+00:00"),
        ("20150102T030405Z", "2015-01-02 03:04:05+00:00"),
        ("20150102T0304", "2015-01-02 03:04:00+00:00"),
        ("2015-01-02T03:04:05.678", "2015-01-02 03:04:05.678000+00:00"),
        ("2015-01-02T03:04:05,678", "2015-01-02 03:04:05.678000+00:00"),
        ("2015-01-02 03:04:05+02:00", "2015-01-02 03:04:05+02:00"),
        ("Fri, 02 Jan 2015 03:04:05 +0100", "2015-01-02 03:04:05+01:00"),
        ("Fri, 02 Jan 2015 03:04:05 GMT", "2015-01-02 03:04:05+00:00"),
        ("02 Jan 2015 03:04", "2015-01-02 03:04:00+00:00"),
        ("Jan 2 2015", "2015-01-02 00:00:00+00:00"),
        ("January 2, 2015", "2015-01-02 00:00:00+00:00"),
        ("2 January 2015 3:04 pm", "2015-01-02 15:04:00+00:00"),
    ] {
        date(&format!("datetime('{text}')"), wanted);
    }
    for (text, format, wanted) in [
        ("03:04", "%H:%M", "1900-01-01 03:04:00+00:00"),
        ("5", "%d", "1900-01-05 00:00:00+00:00"),
        ("2015", "%Y", "2015-01-01 00:00:00+00:00"),
        ("2015-01", "%Y-%m", "2015-01-01 00:00:00+00:00"),
        ("15 Jan", "%d %b", "1900-01-15 00:00:00+00:00"),
        ("Friday", "%A", "1900-01-01 00:00:00+00:00"),
        ("Fri Jan  2 03:04:05 2015", "%c", "2015-01-02 03:04:05+00:00"),
        ("01/02/15", "%x", "2015-01-02 00:00:00+00:00"),
        ("03:04:05", "%X", "1900-01-01 03:04:05+00:00"),
        ("2015-01-02 03:04:05.5", "%Y-%m-%d %H:%M:%S.%f", "2015-01-02 03:04:05.500000+00:00"),
        ("2015-033", "%Y-%j", "2015-02-02 00:00:00+00:00"),
    ] {
        date(&format!("datetime('{text}', '{format}')"), wanted);
    }
    check(&[
        ("datetime(2015,1,2,3,4,5,600).format('%f')", json!("000600")),
        ("datetime(2015,1,2,3,4,5).format('%c')", json!("Fri Jan  2 03:04:05 2015")),
        ("datetime(2015,1,2,3,4,5).format('%x %X')", json!("01/02/15 03:04:05")),
        ("datetime(2015,1,2).format('%Q %%c %Y%')", json!("%Q %c 2015%")),
        ("datetime(2015,1,2).format('%z %Z')", json!("+0000 UTC")),
        ("datetime(2015,1,2, offset => timespan(hours => -1)).format('%z%Z')", json!("-0100")),
        ("datetime('2015-01-02 GMT', '%Y-%m-%d %Z') = datetime(2015,1,2)", json!(true)),
        ("datetime('2015-01-02 utc', '%Y-%m-%d %Z') = datetime(2015,1,2)", json!(true)),
    ]);
    for wrong in [
        "datetime('2015-13-01')",
        "datetime('x')",
        "datetime('x', '%Y')",
        "datetime('2015 CET', '%Y %Z')",
        "datetime('25:00', '%H:%M')",
    ] {
        assert!(evaluate(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn messages_are_in_words() {
    for (expression, wanted) in [
        ("1 + 'abc'", "can't add a string to an integer"),
        ("null + 1", "can't add an integer to null"),
        ("1 - 'a'", "can't subtract a string from an integer"),
        ("'a' * 'b'", "can't multiply a string by a string"),
        ("[1] / 2", "can't divide a list by an integer"),
        ("1 < 'a'", "can't compare an integer with a string"),
        ("1 in 2", "can't look for an integer in an integer"),
        ("-'a'", "can't negate a string"),
        ("'%s' % 'b'", "the character `%` has no meaning here; use `mod` for a remainder, and the function `format`"),
        ("1 ~ 2", "the character `~` has no meaning here"),
        ("'a' mod 2", "can't take the remainder of a string divided by an integer"),
        ("lenn([1])", "there is no function `lenn`; did you mean `len`?"),
        ("unheardOf(1)", "there is no function `unheardOf`"),
        ("'a'.toupper()", "a string has no method `toupper`; did you mean `toUpper`?"),
        // Only dictionaries have keys, and only strings are in upper case.
        ("'a'.keyz()", "a string has no method `keyz`"),
        ("{a => 1}.keyz()", "a dictionary has no method `keyz`; did you mean `keys`?"),
        ("5.toUper()", "an integer has no method `toUper`"),
        ("toUpper(a)", "there is no function `toUpper`; it is a method: write `value.toUpper()`"),
        ("5.str()", "an integer has no method `str`; it is a function: write `str(value)`"),
        ("(1).unheardOf()", "an integer has no method `unheardOf`"),
        ("len(1, 2, 3)", "the function `len` does not accept these arguments"),
        ("(1).toUpper()", "the method `toUpper` does not accept these arguments for an integer"),
        ("1 -> 2", "`->` needs a context on its left, not an integer"),
        ("null.name", "null has no attribute `name`"),
        ("[1].select($.name).toList()", "an integer has no attribute `name`"),
        ("datetime(0).name", "a datetime has no attribute `name`"),
        ("{a => 1}.b", "the dictionary has no key 'b'"),
        ("{a => 1}[b]", "the dictionary has no key 'b'"),
        ("[1][3]", "index 3 is out of range: the length of the list is 1"),
        ("[1, 2][-3]", "index -3 is out of range: the length of the list is 2"),
        ("[1][a]", "the index of a list is an integer, not a string"),
        ("5[0]", "an integer can't be indexed"),
        ("[1].select($)[0]", "an iterator can't be indexed; make it a list with `toList()`"),
        ("{a => 1}[a, b, c]", "an index is one value"),
        ("[1][0, 1]", "an index is one value"),
        ("{1}", "`{…}` contains `key => value`"),
        ("[1, 'a'].sum()", "can't add a string to an integer"),
        ("[1, 'a'].max()", "can't compare an integer with a string"),
        ("[1, 'a'].orderBy($).toList()", "can't compare"),
    ] {
        let message = evaluate(expression).unwrap_err();
        assert!(message.starts_with(wanted) && !message.contains('#'), "{expression}: {message}");
    }
}

/// Reads one expression per line, and writes its result as JSON, or the name of its error. Sets are sorted lists.
const SCRIPT: &str = "
import collections.abc, json, sys
import yaql
engine = yaql.factory.YaqlFactory().create()
base = yaql.create_context()
def plain(value):
    if isinstance(value, (set, frozenset)):
        return sorted(map(plain, value), key=json.dumps)
    if isinstance(value, dict):
        return {'dict': sorted(([plain(key), plain(item)] for key, item in value.items()), key=json.dumps)}
    if isinstance(value, float):
        return {'float': repr(value)}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value
for line in sys.stdin:
    try:
        print(json.dumps(plain(engine(line.strip()).evaluate(context=base.create_child_context()))))
    except Exception as error:
        print(json.dumps({'error': type(error).__name__}))
";

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn number(&mut self, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return self.of(&["0", "1", "2", "-3", "7", "10", "25", "2.5", "-0.5"]).to_owned();
        };
        match self.below(22) {
            0..6 => {
                let operator = self.of(&["+", "-", "*", "/", "mod"]);
                format!("({} {operator} {})", self.number(depth), self.number(depth))
            }
            6 => format!("{}.len()", self.text(depth)),
            7 => format!("{}.sum(0)", self.list(depth)),
            8 => format!("{}.{}({})", self.list(depth), self.of(&["indexOf", "lastIndexOf"]), self.number(0)),
            9 => format!("switch({} => {}, true => 5)", self.truth(depth), self.number(depth)),
            10 => {
                format!("{}.{}({})", self.list(depth), self.of(&["first", "last", "max", "min"]), self.of(&["", "4"]))
            }
            11 => format!("{}.{}($ > 2)", self.list(depth), self.of(&["indexWhere", "lastIndexWhere"])),
            12 => format!("{}({})", self.of(&["abs", "sign", "round", "int", "float"]), self.number(depth)),
            13 => format!("{}({}, {})", self.of(&["max", "min", "pow"]), self.number(depth), self.of(&["0", "1", "3"])),
            14 => {
                let function = self.of(&["bitwiseAnd", "bitwiseOr", "bitwiseXor", "shiftBitsLeft", "shiftBitsRight"]);
                format!("{function}({}, {})", self.number(depth), self.of(&["0", "1", "6"]))
            }
            15 => format!(
                "{}.{}($1 + $2 * 2{})",
                self.list(depth),
                self.of(&["aggregate", "reduce"]),
                self.of(&["", ", 3"])
            ),
            16 => format!("len({})", self.of(&["'ab'", "{a => 1}", "[1, 2]", "range(3)", "set(1, 1)"])),
            17 => format!("{}.get({}, 6)", self.dict(depth), self.of(&["a", "b", "'x y'"])),
            18 => format!("int('{}')", self.of(&["5", " 7 ", "-3", "x", "1.5", ""])),
            19 => format!(
                "{}.{}({}{})",
                self.text(depth),
                self.of(&["indexOf", "lastIndexOf"]),
                self.of(&["a", "' '", "''"]),
                self.of(&["", ", 1", ", -1", ", 0, 2"])
            ),
            20 => format!("coalesce({}, {})", self.of(&["null", "{a => null}.a", "3"]), self.number(depth)),
            _ => format!("selectCase({}, {})", self.truth(depth), self.truth(0)),
        }
    }

    fn text(&mut self, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return self.of(&["'a'", "''", "'x y z'", "'Abc'", "'11'", "' b '", "a"]).to_owned();
        };
        match self.below(18) {
            0 => format!("({} + {})", self.text(depth), self.text(depth)),
            1 => {
                let function = self.of(&["toUpper", "toLower", "trim", "trimLeft", "trimRight", "norm"]);
                format!("{}.{function}()", self.text(depth))
            }
            2 => format!("str({})", self.number(depth)),
            3 => format!("{}.replace({}, 'q'{})", self.text(depth), self.of(&["a", "x", "''"]), self.of(&["", ", 1"])),
            4 => format!("{}.substring({}, {})", self.text(0), self.of(&["0", "1", "-1"]), self.of(&["0", "2", "-1"])),
            5 => format!("','.join({}.select(str($)))", self.list(depth)),
            6 => format!("str({}.toList())", self.list(depth)),
            7 => format!("str({})", self.truth(depth)),
            8 => format!(
                "{}.{}({})",
                self.text(depth),
                self.of(&["trim", "trimLeft", "trimRight", "norm"]),
                self.of(&["a", "'x z'"])
            ),
            9 => format!("({} * {})", self.text(depth), self.of(&["0", "2", "-1"])),
            10 => format!("{}.replace({{a => 1, x => yy}})", self.text(depth)),
            11 => format!("regex('[a-c]+').replace({}, '<$>'{})", self.text(depth), self.of(&["", ", 1"])),
            12 => format!("{}.replaceBy(regex('(.)b'), $.value + '!')", self.text(depth)),
            13 => format!("concat({}, {})", self.text(depth), self.text(0)),
            14 => format!("hex({})", self.of(&["0", "255", "-16"])),
            15 => format!("escapeRegex({})", self.text(depth)),
            16 => format!("{}[{}]", self.list(depth), self.of(&["0", "-1", "9"])),
            _ => format!("{}.select(str($)).first('')", self.list(depth)),
        }
    }

    fn dict(&mut self, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return self
                .of(&["{}", "{a => 1}", "{a => 1, b => 2}", "dict(b => 5)", "{a => [1], b => {c => 2}}"])
                .to_owned();
        };
        match self.below(12) {
            0 => format!("({} + {})", self.dict(depth), self.dict(depth)),
            1 => format!("{}.set({}, {})", self.dict(depth), self.of(&["a", "c", "1"]), self.number(depth)),
            2 => format!("{}.set({})", self.dict(depth), self.of(&["a => 7, z => 8", "{b => 0}"])),
            3 => format!("{}.delete({})", self.dict(depth), self.of(&["a", "a, b", "z", ""])),
            4 => format!("{}.deleteAll({})", self.dict(depth), self.of(&["[a]", "[]", "[b, z]"])),
            5 => format!("{}.mergeWith({})", self.dict(depth), self.dict(depth)),
            6 => format!("{}.mergeWith({}, $1 + $2, $1)", self.dict(depth), self.dict(depth)),
            7 => format!("{}.mergeWith({}, maxLevels => 1)", self.dict(depth), self.dict(depth)),
            8 => format!("{}.toDict($, $ + 1)", self.list(depth)),
            9 => format!("dict({}.select([$, str($)]))", self.list(depth)),
            10 => format!("{{x => {}, {} => {}}}", self.list(depth), self.text(0), self.number(depth)),
            _ => format!("{}.toDict(str($))", self.list(depth)),
        }
    }

    fn list(&mut self, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return self.of(&["[]", "[1, 2, 3]", "[3, 1, 2]", "[5, 5]", "range(4)", "[1, 2].select($)"]).to_owned();
        };
        let (inner, at) = (self.list(depth), self.of(&["0", "1", "2", "3", "5", "-1", "-2"]));
        match self.below(46) {
            0 => format!("{inner}.select($ + 1)"),
            1 => format!(
                "{inner}.{}($ > 1)",
                self.of(&["where", "filter", "takeWhile", "skipWhile", "splitWhere", "sliceWhere"])
            ),
            2 => format!("{inner}.insert({at}, 9)"),
            3 => format!("{inner}.insertMany({at}, [8, 9])"),
            4 => format!("{inner}.delete({at}, {})", self.of(&["0", "1", "2", "-1"])),
            5 => format!("{inner}.replace({at}, 9, {})", self.of(&["0", "1", "2", "-1"])),
            6 => format!("{inner}.replaceMany({at}, [8], {})", self.of(&["0", "1", "2", "-1"])),
            7 => format!("{inner}.defaultIfEmpty([7])"),
            8 => format!("[{inner}, [{}]].flatten()", self.number(0)),
            9 => format!("{inner}.{}($)", self.of(&["orderBy", "orderByDescending"])),
            10 => format!("{inner}.distinct({})", self.of(&["", "$ mod 2"])),
            11 => format!("{inner}.{}({})", self.of(&["take", "limit"]), self.of(&["0", "1", "2"])),
            12 => format!("{inner}.skip({})", self.of(&["0", "1", "2"])),
            13 => format!("{inner}.append({})", self.number(depth)),
            14 => format!("{inner}.reverse()"),
            15 => format!("({inner}.toList() + [{}])", self.number(0)),
            16 => format!("{inner}.zip({})", self.list(depth)),
            17 => format!("{inner}.zipLongest({}{})", self.list(depth), self.of(&["", ", default => 0"])),
            18 => format!("{inner}.enumerate({})", self.of(&["", "2"])),
            19 => format!("{inner}.selectMany([$, $])"),
            20 => format!(
                "{inner}.groupBy($ > 1{})",
                self.of(&["", ", $ * 2", ", $, $.sum()", ", aggregator => $.len()"])
            ),
            21 => format!("{inner}.slice({})", self.of(&["1", "2", "3"])),
            22 => format!("{inner}.splitAt({at})"),
            23 => format!("{inner}.accumulate($1 + $2{})", self.of(&["", ", 1"])),
            24 => format!("{}.orderBy($)", self.set(depth)),
            25 => format!("{}.items().toList()", self.dict(depth)),
            26 => format!("{}.{}().toList()", self.dict(depth), self.of(&["keys", "values"])),
            27 => format!("{inner}.orderBy($ mod 2).{}($)", self.of(&["thenBy", "thenByDescending"])),
            28 => format!("{}.repeat({})", self.number(0), self.of(&["0", "2"])),
            29 => format!("{inner}.cycle().take(5)"),
            30 => format!(
                "generateMany({}, [$ / 2, $ - 3].where($ > 0){})",
                self.of(&["7", "0", "4"]),
                self.of(&["", ", $ * 10", ", decycle => true", ", depthFirst => true"])
            ),
            31 => format!("{inner}.join({}, $1 > $2, [$1, $2])", self.list(depth)),
            32 => format!("sequence({}).take(3)", self.of(&["", "2", "0, -2"])),
            33 => format!("range({})", self.of(&["2", "1, 4", "5, 0, -2", "0", "3, 1"])),
            34 => format!(
                "{}.{}({})",
                self.text(depth),
                self.of(&["split", "rightSplit"]),
                self.of(&["", "' '", "' ', 1", "a"])
            ),
            35 => format!("{}.toCharArray()", self.text(depth)),
            36 => format!("regex('[a-z]').searchAll({})", self.text(depth)),
            37 => format!("{}.split(regex(' +'))", self.text(depth)),
            38 => format!("regex('(.)(b)').search({}, [$1.value, $2.start, $.end])", self.text(depth)),
            39 => format!("concat({inner}, {})", self.list(depth)),
            40 => format!("list({inner}, {})", self.number(depth)),
            41 => format!("{inner}.memorize()"),
            42 => format!("{}.orderByDescending($)", self.set(depth)),
            43 => format!("{inner}.enumerate().select($[0])"),
            44 => format!("{inner}.toDict($, 1).keys().toList()"),
            _ => format!("({inner}.toList() * {})", self.of(&["0", "1", "2"])),
        }
    }

    fn set(&mut self, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return self.of(&["set()", "set(1, 2)", "[3, 1, 3].toSet()", "range(3).toSet()"]).to_owned();
        };
        match self.below(4) {
            0 => {
                let operation = self.of(&["union", "intersect", "difference", "symmetricDifference"]);
                format!("{}.{operation}({})", self.set(depth), self.set(depth))
            }
            1 => format!("{}.{}({})", self.set(depth), self.of(&["add", "remove"]), self.of(&["1", "1, 9", "2.5"])),
            2 => format!("({} - {})", self.set(depth), self.set(depth)),
            _ => format!("{}.select($ mod 3).toSet()", self.list(0)),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        match self.below(20) {
            0 => format!("({} {} {})", self.number(depth), self.of(&["<", "<=", "=", "!=", ">"]), self.number(0)),
            1 => format!("({} in {})", self.number(0), self.list(depth)),
            2 => format!("{}.{}({})", self.list(depth), self.of(&["any", "all"]), self.of(&["", "$ > 1"])),
            3 => format!("{}.{}('a', 'z')", self.text(depth), self.of(&["startsWith", "endsWith"])),
            4 => format!("(not {})", self.text(depth)),
            5 => format!("({} {} {})", self.text(depth), self.of(&["<", ">=", "=", "!="]), self.text(depth)),
            6 => format!("({} {} {})", self.list(depth), self.of(&["=", "!="]), self.list(depth)),
            7 => format!("({} = {})", self.dict(depth), self.dict(depth)),
            8 => format!("{}.containsKey({})", self.dict(depth), self.of(&["a", "z"])),
            9 => format!("{}.containsValue({})", self.dict(depth), self.number(0)),
            10 => format!("{}.contains({})", self.list(depth), self.number(0)),
            11 => format!("({} {} '[a-b]')", self.text(depth), self.of(&["=~", "!~"])),
            12 => format!("{}.matches({})", self.text(depth), self.of(&["'^a'", "'b.*'", "'['"])),
            13 => format!("{}({})", self.of(&["isInteger", "isNumber", "isString", "bool"]), self.number(depth)),
            14 => format!("{}({})", self.of(&["isList", "isIterable", "isSet", "isDict", "bool"]), self.list(depth)),
            18 => format!("({} {} {})", self.set(depth), self.of(&["=", "<", "<=", ">", "!="]), self.set(depth)),
            19 => format!("({} in {})", self.number(0), self.set(depth)),
            15 => format!("{}.isEmpty({})", self.text(depth), self.of(&["", "false", "true, ' a'"])),
            16 => format!("({} {} {})", self.number(0), self.of(&["and", "or"]), self.number(depth)),
            _ => format!("({} in {})", self.text(0), self.text(depth)),
        }
    }

    fn expression(&mut self) -> String {
        let depth = 1 + self.below(3);
        match self.below(8) {
            7 => self.set(depth),
            0 => self.number(depth),
            1 => self.text(depth),
            2 => self.truth(depth),
            3 => self.dict(depth),
            _ => self.list(depth),
        }
    }
}

/// Converts a result as the script writes it.
fn written(value: &Value) -> Json {
    fn sorted(mut items: Vec<Json>) -> Json {
        items.sort_by_key(Json::to_string);
        items.into()
    }
    match value {
        Value::Set(elements) => sorted(elements.iter().map(written).collect()),
        Value::List(items) => items.iter().map(written).collect(),
        Value::Float(_) => json!({"float": value.to_python()}),
        Value::Dict(entries) => {
            json!({"dict": sorted(entries.iter().map(|(key, item)| json!([written(key), written(item)])).collect())})
        }
        _ => serde_json::to_value(value).unwrap(),
    }
}

/// Returns whether a result, as the script writes it, has a dictionary with lists as keys.
fn has_list_as_key(value: &Json) -> bool {
    let pairs = value["dict"].as_array().into_iter().flatten();
    let in_pairs = pairs.into_iter().any(|pair| pair[0].is_array() || has_list_as_key(&pair[1]));
    in_pairs || value.as_array().into_iter().flatten().any(has_list_as_key)
}

/// Returns why a result may differ from the reference; `None` if it must not.
fn reason(expression: &str, found: &Result<Json, String>, wanted: &Json) -> Option<&'static str> {
    const MUTABLE: [&str; 6] = ["enumerate", "groupBy", "plit", "slice", "list(", "items()"];
    let is_mutable = MUTABLE.iter().any(|function| expression.contains(function));
    let text = wanted.to_string();
    if wanted["error"] == "TypeError" && found.as_ref().is_ok_and(has_list_as_key) {
        return Some("a result can have lists as keys");
    }
    let is_matched = expression.contains("str(") && expression.contains("matches(");
    if text.contains(" object at 0x") || is_matched {
        return Some("the text of an iterator has its items instead of an address");
    }
    if wanted["error"] == "TypeError" && found.is_ok() && is_mutable {
        return Some(
            "lists can be keys and elements of sets; some lists of the reference can be changed, so they can't",
        );
    }
    let has_text = expression.contains("str(") || expression.contains("=)") && text.contains('[');
    if is_mutable && has_text {
        return Some("there is only one kind of list, whose text has parentheses");
    }
    if ["orderBy", ".join(", "splitWhere"].iter().any(|function| expression.contains(function)) && found.is_err() {
        return Some("some collections are computed at once, so one that is not used can fail");
    }
    if expression.contains("memorize()") {
        return Some("`memorize` returns a list");
    }
    if expression.contains("accumulate") && is_mutable {
        return Some("sums of lists can be used more than once");
    }
    None
}

/// Returns the number in an environment variable.
fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|number| number.parse().ok())
}

#[test]
fn random_expressions_are_those_of_the_reference() {
    let count = number("TOSCA_PARSE_RANDOM_CASES").unwrap_or(10_000) as usize;
    let Some(python) = std::env::var_os("TOSCA_PARSE_YAQL_PYTHON") else {
        return println!("skipped: TOSCA_PARSE_YAQL_PYTHON names no Python that has `yaql`");
    };
    let mut random = Random(number("TOSCA_PARSE_RANDOM_SEED").unwrap_or(37));
    let expressions: Vec<String> = (0..count).map(|_| random.expression()).collect();
    let mut command = Command::new(python);
    command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let text = expressions.join("\n") + "\n";
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    writer.join().unwrap().unwrap();
    let answers: Vec<Json> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), count);
    let mut wrong = Vec::new();
    for (expression, wanted) in expressions.iter().zip(&answers) {
        let found = Engine::default().evaluate(expression, Value::Null);
        let found = found.map(|value| written(&value)).map_err(|error| error.message().to_owned());
        let is_error = wanted.get("error").is_some();
        let is_same = if is_error { found.is_err() } else { found.as_ref() == Ok(wanted) };
        if !is_same && reason(expression, &found, wanted).is_none() {
            wrong.push(format!("{expression}\n gives {found:?}\n instead of {wanted}\n"));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong[..wrong.len().min(20)].concat());
}

#[test]
fn strings_that_are_not_closed_are_explained() {
    for (expression, quote) in [("'abc", "`'`"), ("len(\"a', 'b')", "`\"`"), ("1 + `a'", "backtick"), ("'a\\'", "`'`")]
    {
        let message = format!("the string is not closed: there is no second {quote}");
        assert_eq!(evaluate(expression), Err(message), "{expression}");
    }
    check(&[("'it\\'s'", json!("it's"))]);
}
