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
    ]);
    for wrong in ["datetime('2015-13-01')", "datetime('x')", "datetime('x', '%Y')", "datetime('25:00', '%H:%M')"] {
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
        ("1 -> 2", "`->` needs a context on its left, not an integer"),
        ("[1, 'a'].sum()", "can't add a string to an integer"),
        ("[1, 'a'].max()", "can't compare an integer with a string"),
        ("[1, 'a'].orderBy($).toList()", "can't compare"),
    ] {
        let message = evaluate(expression).unwrap_err();
        assert!(message.starts_with(wanted) && !message.contains('#'), "{expression}: {message}");
    }
}

/// Reads one expression per line, and writes its result as JSON, or the name of its error.
const SCRIPT: &str = "
import collections.abc, json, sys
import yaql
engine = yaql.factory.YaqlFactory().create()
base = yaql.create_context()
for line in sys.stdin:
    try:
        print(json.dumps(engine(line.strip()).evaluate(context=base.create_child_context())))
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
        if depth == 0 {
            return self.of(&["0", "1", "2", "-3", "7", "10", "25"]).to_owned();
        }
        match self.below(7) {
            0..3 => {
                let operator = self.of(&["+", "-", "*", "/", "mod"]);
                format!("({} {operator} {})", self.number(depth - 1), self.number(depth - 1))
            }
            3 => format!("{}.len()", self.text(depth - 1)),
            4 => format!("{}.sum(0)", self.list(depth - 1)),
            5 => format!("{}.indexOf({})", self.list(depth - 1), self.number(0)),
            _ => format!("switch({} => {}, true => 5)", self.truth(depth - 1), self.number(depth - 1)),
        }
    }

    fn text(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.of(&["'a'", "''", "'x y z'", "'Abc'", "'11'"]).to_owned();
        }
        match self.below(6) {
            0 => format!("({} + {})", self.text(depth - 1), self.text(depth - 1)),
            1 => format!("{}.{}()", self.text(depth - 1), self.of(&["toUpper", "toLower", "trim", "trimLeft"])),
            2 => format!("str({})", self.number(depth - 1)),
            3 => format!("{}.replace({}, 'q')", self.text(depth - 1), self.of(&["'a'", "'x'"])),
            4 => format!("{}.substring({}, {})", self.text(0), self.of(&["0", "1", "-1"]), self.of(&["0", "2", "-1"])),
            _ => format!("','.join({}.select(str($)))", self.list(depth - 1)),
        }
    }

    fn list(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.of(&["[]", "[1, 2, 3]", "[3, 1, 2]", "[5, 5]", "range(4)", "[1, 2].select($)"]).to_owned();
        }
        let (inner, at) = (self.list(depth - 1), self.of(&["0", "1", "2", "3", "5", "-1", "-2"]));
        match self.below(16) {
            0 => format!("{inner}.select($ + 1)"),
            1 => format!("{inner}.where($ > 1)"),
            2 => format!("{inner}.insert({at}, 9)"),
            3 => format!("{inner}.insertMany({at}, [8, 9])"),
            4 => format!("{inner}.delete({at}, {})", self.of(&["0", "1", "2", "-1"])),
            5 => format!("{inner}.replace({at}, 9, {})", self.of(&["0", "1", "2", "-1"])),
            6 => format!("{inner}.replaceMany({at}, [8], {})", self.of(&["0", "1", "2", "-1"])),
            7 => format!("{inner}.defaultIfEmpty([7])"),
            8 => format!("[{inner}, [{}]].flatten()", self.number(0)),
            9 => format!("{inner}.orderBy($)"),
            10 => format!("{inner}.distinct()"),
            11 => format!("{inner}.take({})", self.of(&["0", "1", "2"])),
            12 => format!("{inner}.skip({})", self.of(&["0", "1", "2"])),
            13 => format!("{inner}.append({})", self.number(depth - 1)),
            14 => format!("{inner}.reverse()"),
            _ => format!("({inner}.toList() + [{}])", self.number(0)),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        match self.below(5) {
            0 => format!("({} {} {})", self.number(depth), self.of(&["<", "<=", "=", "!=", ">"]), self.number(0)),
            1 => format!("({} in {})", self.number(0), self.list(depth)),
            2 => format!("{}.any()", self.list(depth)),
            3 => format!("{}.startsWith('a')", self.text(depth)),
            _ => format!("(not {})", self.text(depth)),
        }
    }

    fn expression(&mut self) -> String {
        let depth = 1 + self.below(3);
        match self.below(5) {
            0 => self.number(depth),
            1 => self.text(depth),
            2 => self.truth(depth),
            _ => self.list(depth),
        }
    }
}

#[test]
fn random_expressions_are_those_of_the_reference() {
    const COUNT: usize = 10_000;
    let Some(python) = std::env::var_os("TOSCA_PARSE_YAQL_PYTHON") else {
        return println!("skipped: TOSCA_PARSE_YAQL_PYTHON names no Python that has `yaql`");
    };
    let mut random = Random(37);
    let expressions: Vec<String> = (0..COUNT).map(|_| random.expression()).collect();
    let mut command = Command::new(python);
    command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let text = expressions.join("\n") + "\n";
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    writer.join().unwrap().unwrap();
    let answers: Vec<Json> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), COUNT);
    let mut wrong = Vec::new();
    for (expression, wanted) in expressions.iter().zip(&answers) {
        let found = evaluate(expression);
        let is_error = wanted.get("error").is_some();
        if is_error != found.is_err() || !is_error && found.as_ref() != Ok(wanted) {
            wrong.push(format!("{expression}\n gives {found:?}\n instead of {wanted}\n"));
        }
    }
    assert!(wrong.is_empty(), "{} of {COUNT} differ:\n{}", wrong.len(), wrong[..wrong.len().min(20)].concat());
}
