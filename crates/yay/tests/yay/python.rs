//! Expressions as Python evaluates them. Random ones are compared with Python itself, if it is installed. They avoid
//! the known differences: text that looks like a number counts as one, and tuples and ranges are lists.

#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;
use tosca_parse_yay::{Config, Data, Memory};

use crate::conformance::json;
use crate::sections::check;

/// Reads one expression per line, and writes its value as JSON, with floats marked as such, or the kind of error.
const SCRIPT: &str = r#"
import json, sys, warnings
warnings.simplefilter('ignore')
names = 'range sum len min max abs round sorted int float str bool list any all bin chr divmod hex oct ord pow repr'
built = {name: __builtins__.__dict__[name] for name in names.split()}
built.update(true=True, false=False, none=None)
built['reversed'] = lambda x: list(reversed(x))
built['enumerate'] = lambda *x: list(enumerate(*x))
built['zip'] = lambda *x: list(zip(*x))
built['tuple'] = tuple
built['lower'] = str.lower
built['upper'] = str.upper
built['replace'] = str.replace
built['split'] = str.split
built['join'] = str.join
def plain(value):
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        if not -2**63 <= value < 2**63:
            raise OverflowError
        return value
    if isinstance(value, float):
        if value != value or value in (float('inf'), float('-inf')):
            raise OverflowError
        return {'float': repr(value)}
    if isinstance(value, (list, tuple, range)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {'dict': [[str(key), plain(item)] for key, item in value.items()]}
    raise TypeError(type(value))
for line in sys.stdin:
    try:
        print(json.dumps(plain(eval(line, {'__builtins__': built}))))
    except ZeroDivisionError:
        print('"ZeroDivisionError"')
    except Exception as error:
        print(json.dumps({'error': type(error).__name__}))
"#;

/// Pseudorandom small numbers, the same in each run.
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
            return self.of(&["0", "1", "2", "-3", "7", "2.5", "-0.5", "10", "True", "0.1", "100"]).to_owned();
        }
        match self.below(12) {
            0..6 => {
                let operator = self.of(&["+", "-", "*", "/", "//", "%"]);
                format!("({} {operator} {})", self.number(depth - 1), self.number(depth - 1))
            }
            6 => format!("(-{})", self.number(depth - 1)),
            7 => format!("len({})", self.list(depth - 1)),
            8 => format!("abs({})", self.number(depth - 1)),
            9 => format!("{}({}, {})", self.of(&["min", "max"]), self.number(depth - 1), self.number(depth - 1)),
            10 => format!("({} ** {})", self.number(0), self.of(&["0", "1", "2", "3", "-1", "0.5"])),
            _ => format!("({} if {} else {})", self.number(depth - 1), self.truth(depth - 1), self.number(depth - 1)),
        }
    }

    fn text(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.of(&["'a'", "'xyz'", "''", "'it\\'s'", "'a b c'", "'Zoo'", "\"q\\n\""]).to_owned();
        }
        match self.below(13) {
            0 | 1 => format!("({} + {})", self.text(depth - 1), self.text(depth - 1)),
            2 => format!("({} * {})", self.text(depth - 1), self.of(&["0", "1", "2", "3", "-1"])),
            3 => format!("({} * {})", self.of(&["0", "2"]), self.text(depth - 1)),
            4 => format!("{}[{}:{}]", self.text(depth - 1), self.of(&["", "0", "1", "-2"]), self.of(&["", "2", "-1"])),
            5 => format!("{}({})", self.of(&["upper", "lower", "repr", "str"]), self.text(depth - 1)),
            6 => {
                let place = self.of(&["%s", "%5s", "%-4s|", "%r", "%.1s"]);
                format!("('<{place}>' % ({},))", self.text(depth - 1))
            }
            7 => {
                let place = self.of(&["n%d", "n%05d", "n%+d", "n%x", "%#x", "n% d", "n%.3d", "%-6d|", "n%i"]);
                format!("('{place}' % int({}))", self.number(depth - 1))
            }
            8 => {
                let place =
                    self.of(&["n%f", "n%.2f", "n%e", "n%g", "n%10.3f", "n%+.1e", "n%G", "n%08.2f", "n%#.0f", "n%.3g"]);
                format!("('{place}' % {})", self.number(depth - 1))
            }
            9 => format!("('%s=%s' % ({}, {}))", self.number(depth - 1), self.text(depth - 1)),
            10 => format!("('%(a)s%(b)r' % {{'a': {}, 'b': {}}})", self.text(depth - 1), self.list(depth - 1)),
            11 => format!("join({}, [c for c in {}])", self.text(0), self.text(depth - 1)),
            _ => format!("('n' + str({}))", self.number(depth - 1)),
        }
    }

    fn list(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.of(&["[]", "[1, 2]", "['a']", "[3, 1, 2]", "[[1], [2]]", "list(range(3))"]).to_owned();
        }
        match self.below(14) {
            0 => format!("[{}, {}]", self.number(depth - 1), self.text(depth - 1)),
            1 => format!("(list({}) * {})", self.list(depth - 1), self.of(&["0", "1", "2"])),
            2 => format!("(list({}) + list({}))", self.list(depth - 1), self.list(depth - 1)),
            3 => format!("[x for x in {}]", self.list(depth - 1)),
            4 => format!("[c for c in {}]", self.text(depth - 1)),
            5 => format!("[*{}, *{}]", self.list(depth - 1), self.text(depth - 1)),
            6 => format!("[a for a, b in zip({}, {})]", self.list(depth - 1), self.text(depth - 1)),
            7 => format!("[b for a, *b in [{}] if a]", self.list(depth - 1)),
            8 => format!("list({})[{}:{}]", self.list(depth - 1), self.of(&["", "1", "-1"]), self.of(&["", "2"])),
            9 => format!("sorted({})", self.text(depth - 1)),
            10 => format!("reversed(list({}))", self.list(depth - 1)),
            11 => format!("[list(pair) for pair in enumerate({})]", self.text(depth - 1)),
            12 => format!("list(divmod({}, {}))", self.number(depth - 1), self.number(0)),
            _ => format!("[x for x in range({}) if x % 2]", self.of(&["0", "4", "7"])),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        match self.below(8) {
            0 => {
                format!("({} {} {})", self.number(depth), self.of(&["<", "<=", "==", "!=", ">", ">="]), self.number(0))
            }
            1 => format!("({} {} {})", self.text(depth), self.of(&["<", "==", "!=", ">="]), self.text(depth)),
            2 => format!("({} in {})", self.text(0), self.text(depth)),
            3 => format!("({} in list({}))", self.number(0), self.list(depth)),
            4 => format!("(not {})", self.text(depth)),
            5 => format!("(list({}) {} list({}))", self.list(depth), self.of(&["==", "!="]), self.list(depth)),
            6 => format!("({} < {} <= {})", self.number(0), self.number(depth), self.number(0)),
            _ => format!("{}({})", self.of(&["bool", "any", "all"]), self.list(depth)),
        }
    }

    fn expression(&mut self) -> String {
        let depth = 1 + self.below(3);
        match self.below(5) {
            0 => self.number(depth),
            1 => self.truth(depth),
            2 => format!("{{'k': {}, {}: {}}}", self.number(depth), self.text(1), self.list(depth)),
            3 => self.list(depth),
            _ => self.text(depth),
        }
    }
}

/// Returns the results of Python; `None` if Python is not installed.
fn python(expressions: &[String]) -> Option<Vec<Value>> {
    let mut command = Command::new("python3");
    command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let text = expressions.join("\n") + "\n";
    let mut input = child.stdin.take()?;
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().unwrap().ok()?;
    let lines = String::from_utf8(output.stdout).ok()?;
    lines.lines().map(|line| serde_json::from_str(line).ok()).collect()
}

/// Converts data to JSON as the script writes it.
fn written(data: &Data) -> Value {
    match data {
        Data::Float(number) => {
            let text = Config::new(Memory::default()).expression(&format!("str({number:?})")).as_string();
            serde_json::json!({"float": text.unwrap_or_default()})
        }
        Data::List(items) => items.iter().map(written).collect(),
        Data::Map(entries) => {
            let entries: Vec<Value> =
                entries.iter().map(|(key, value)| serde_json::json!([key, written(value)])).collect();
            serde_json::json!({"dict": entries})
        }
        other => json(other),
    }
}

/// Returns why a result may differ from Python's; `None` if it must not.
fn reason(expression: &str, found: &Value, wanted: &Value) -> Option<&'static str> {
    let error = wanted["error"].as_str().unwrap_or_default();
    let is_error = wanted == "ZeroDivisionError" || !error.is_empty();
    match error {
        "OverflowError" => Some("integers have 64 bits, and numbers are finite"),
        _ if is_error && expression.contains(['[', '{']) => {
            Some("items and values are computed only if they are needed")
        }
        _ if wanted.is_string() && (found.is_number() || found.get("float").is_some()) => {
            Some("text that looks like a number counts as one")
        }
        _ if expression.contains("** 0.5") && expression.contains('-') => Some("there are no complex numbers"),
        "TypeError" if expression.contains('+') => Some("text is joined with what is no text"),
        "TypeError" if wanted["error"] == "TypeError" && expression.contains("complex") => Some("complex numbers"),
        _ => None,
    }
}

/// Returns the number in an environment variable.
fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|number| number.parse().ok())
}

#[test]
fn random_expressions_are_those_of_python() {
    let count = number("TOSCA_PARSE_RANDOM_CASES").unwrap_or(3_000) as usize;
    let mut random = Random(number("TOSCA_PARSE_RANDOM_SEED").unwrap_or(37));
    let expressions: Vec<String> = (0..count).map(|_| random.expression()).collect();
    let Some(answers) = python(&expressions).filter(|answers| answers.len() == count) else {
        return println!("skipped: there is no program python3");
    };
    let mut wrong = Vec::new();
    for (expression, wanted) in expressions.iter().zip(&answers) {
        let found = match Config::new(Memory::default()).expression(expression).resolve() {
            Ok(data) => written(&data),
            Err(error) if error.category().name() == "ZeroDivisionError" => "ZeroDivisionError".into(),
            Err(error) => serde_json::json!({"error": error.to_string()}),
        };
        let both_fail = wanted.get("error").is_some() && found.get("error").is_some();
        if found != *wanted && !both_fail && reason(expression, &found, wanted).is_none() {
            wrong.push(format!("{expression}\n  gives {found}\n  instead of {wanted}\n"));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong[..wrong.len().min(20)].concat());
}

#[test]
fn text_and_lists_are_those_of_python() {
    check(&[
        ("a: {{ 'ab' * 2 }}\nb: {{ 3 * 'x' }}\nc: {{ 'x' * -1 }}\n", r#"{"a":"abab","b":"xxx","c":""}"#),
        ("a: {{ [1, 2] * 2 }}\nb: {{ 2 * [[]] }}\n", r#"{"a":[1,2,1,2],"b":[[],[]]}"#),
        ("a: {{ 'x' * 1.5 }}\n", "TypeError"),
        ("a: {{ 'x' * 99999999999 }}\n", "LimitError"),
        ("a: {{ [1] * 99999999999 }}\n", "LimitError"),
        ("a: {{ '5' * 3 }}\n", r#"{"a":15}"#),
        ("a: {{ '%s is %d' % ('x', 5) }}\nb: {{ '%5.1f%%' % 2.25 }}\n", r#"{"a":"x is 5","b":"  2.2%"}"#),
        ("n: web\na: {{ 'host-%s' % n }}\nb: {{ '%(k)03d' % {'k': 7} }}\n", r#"{"n":"web","a":"host-web","b":"007"}"#),
        (
            "a: {{ '%s' % ('x',) }}\nb: {{ '%r' % [[1, 'a', {'k': None}]] }}\n",
            r#"{"a":"x","b":"[1, 'a', {'k': None}]"}"#,
        ),
        ("a: {{ '%s %s' % 'x' }}\n", "TypeError"),
        ("a: {{ 'no place' % 1 }}\n", "TypeError"),
        ("a: {{ '%y' % 1 }}\n", "TypeError"),
        ("a: {{ '%(k)s' % {} }}\n", "NoMatching"),
        ("a: {{ '%*d|%-*d' % (4, 1, 3, 2) }}\n", r#"{"a":"   1|2  "}"#),
        ("a: {{ '%99999999d' % 1 }}\n", "LimitError"),
        ("a: {{ len('%.1400f' % 1) }}\nb: {{ len('%.9e' % 1) }}\n", r#"{"a":1402,"b":15}"#),
        ("a: {{ [c for c in 'abc' if c != 'b'] }}\n", r#"{"a":["a","c"]}"#),
        ("a:\n  for c in 'ab':\n    - {{ c }}\n", "TypeError"),
        ("set a, b = 'xy'\nc: {{ a + b }}\n", r#"{"c":"xy"}"#),
        ("set a, *b, c = [1, 2, 3, 4]\nd: {{ b }}\ne: {{ a + c }}\n", r#"{"d":[2,3],"e":5}"#),
        ("set *a, b = [1]\nc: {{ a }}\n", r#"{"c":[]}"#),
        ("set a, *b, c = [1]\nd: {{ a }}\n", "TypeError"),
        ("set *a, *b = [1]\n", "SyntaxError"),
        ("set *a = [1]\n", "SyntaxError"),
        ("l: [] \na: {{ [*[1, 2], 3, *'ab'] }}\nb: {{ *[1], 2 }}\n", r#"{"l":[],"a":[1,2,3,"a","b"],"b":[1,2]}"#),
        ("a: {{ {*[1, 1], 2} }}\nb: {{ max(*[1, 3], 2) }}\n", r#"{"a":[1,2],"b":3}"#),
        ("m:\n  x: 1\na: {{ {'y': 0, **m, 'z': 2} }}\n", r#"{"m":{"x":1},"a":{"y":0,"x":1,"z":2}}"#),
        ("macro s:\n  - {{ a }}{{ b }}\nc: {{ s(a=1, **{'b': 2}) }}\n", r#"{"c":["12"]}"#),
        ("a: {{ *[1] }}\n", r#"{"a":[1]}"#),
        ("a: {{ (*[1]) }}\n", "SyntaxError"),
        ("a: {{ [*x for x in []] }}\n", "SyntaxError"),
        ("a: {{ {**5} }}\n", "TypeError"),
        ("a: {{ [1, 2] < [1, 3] }}\nb: {{ sorted([[2, 1], [1, 2]]) }}\n", r#"{"a":true,"b":[[1,2],[2,1]]}"#),
        ("a: {{ 1 // 0.1 }}\nb: {{ -7 % 3.0 }}\n", r#"{"a":9.0,"b":2.0}"#),
        ("a: {{ 10.0 ** 400 }}\n", "TypeError"),
        ("a: {{ (-8.0) ** 0.5 }}\n", "TypeError"),
        (
            "as:\n  ew:\n    qw: 1\nset e = as.ew.qw\na: {{ e }}\nb: {{ as['ew'].qw }}\n",
            r#"{"as":{"ew":{"qw":1}},"a":1,"b":1}"#,
        ),
        ("not: 1\nin:\n  x: 2\na: {{ in.x }}\nb: {{ not in.x }}\n", r#"{"not":1,"in":{"x":2},"a":2,"b":false}"#),
    ]);
}

#[test]
fn functions_take_the_arguments_that_they_take_in_python() {
    check(&[
        (
            "a: {{ [round(15, -1), round(25, -1), round(-15, -1), round(-26, -1), round(149, -2), round(5, -30)] }}\n",
            r#"{"a":[20,20,-20,-30,100,0]}"#,
        ),
        ("a: {{ [round(2.5, none), round(1.25, 1), round(25.0, -1), round(7, 3)] }}\n", r#"{"a":[2,1.2,20.0,7]}"#),
        ("a: {{ round(9223372036854775807, -1) }}\n", "TypeError"),
        (
            "a: {{ [int('ff', 16), int('-0x1f', 16), int('0b101', 0), int(' 1_0 ', 8), int('z', 36), int()] }}\n",
            r#"{"a":[255,-31,5,8,35,0]}"#,
        ),
        ("a: {{ int('12', 2) }}\n", "TypeError"),
        ("a: {{ int('9223372036854775808', 10) }}\n", "TypeError"),
        ("a: {{ len(sum([[i] for i in range(20_000)], [])) }}\n", r#"{"a":20000}"#),
        ("a: {{ sum([[1], 2], []) }}\n", "TypeError"),
        ("a: {{ int(5, 10) }}\n", "TypeError"),
        ("a: {{ int('5', 1) }}\n", "TypeError"),
        ("a: {{ int('1__0', 10) }}\n", "TypeError"),
        ("a: {{ [pow(3, 4, 5), pow(2, -1, 7), pow(2, 5, -7), pow(5, 0, 1)] }}\n", r#"{"a":[1,4,-3,0]}"#),
        ("a: {{ pow(2, -1, 4) }}\n", "TypeError"),
        ("a: {{ pow(2, 2, 0) }}\n", "TypeError"),
        (
            "a: {{ split('a b  c d', none, 2) }}\nb: {{ split('a,b,c', ',', 1) }}\nc: {{ split('a,b', ',', -1) }}\n",
            r#"{"a":["a","b","c d"],"b":["a","b,c"],"c":["a","b"]}"#,
        ),
        ("a: {{ sum([1, 2], 3) }}\nb: {{ sum([[1], [2]], []) }}\n", r#"{"a":6,"b":[1,2]}"#),
        ("a: {{ sum([[1]]) }}\n", "TypeError"),
        ("a: {{ {1, 2} | {2, 3} }}\nb: {{ {'x': 1} | {'y': 2, 'x': 3} }}\n", r#"{"a":[1,2,3],"b":{"x":3,"y":2}}"#),
        ("a: {{ {1} | 2 }}\n", "TypeError"),
        ("a: {{ [str(), list(), tuple(), float(), bool()] }}\n", r#"{"a":["",[],[],0.0,false]}"#),
        ("a: {{ [1_000, 0x_ff, 1_0.5_0] }}\n", r#"{"a":[1000,255,10.5]}"#),
        ("a: {{ 1__0 }}\n", "SyntaxError"),
        ("a: {{ 1_ }}\n", "SyntaxError"),
    ]);
}

#[test]
fn numbers_are_finite() {
    check(&[
        ("a: {{ 1e400 }}\n", "SyntaxError"),
        ("a: {{ 1e308 * 10 }}\n", "TypeError"),
        ("a: {{ -1e308 - 1e308 }}\n", "TypeError"),
        ("a: {{ 1e308 / 0.1 }}\n", "TypeError"),
        ("a: {{ sum([1e308, 1e308]) }}\n", "TypeError"),
        ("a: {{ round(1.7e308, -308) }}\n", "TypeError"),
        ("a: {{ float('1e400') }}\n", "TypeError"),
        ("a: 1e400\nb: 1e300\n", r#"{"a":"1e400","b":1e300}"#),
    ]);
}
