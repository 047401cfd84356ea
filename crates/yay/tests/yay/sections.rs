//! The rules of the language description, section by section.

use serde_json::Value;
use tosca_parse_yay::{Config, Memory};

use crate::conformance::json;

/// A document, and its value as JSON or the name of its error.
pub(crate) type Case = (&'static str, &'static str);

pub(crate) fn check(cases: &[Case]) {
    let mut wrong = Vec::new();
    for (text, expected) in cases {
        let found = outcome(text);
        let wanted =
            serde_json::from_str::<Value>(expected).map_or_else(|_| (*expected).to_owned(), |value| value.to_string());
        if found != wanted {
            wrong.push(format!("{text}\n gives {found}\n instead of {wanted}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn outcome(text: &str) -> String {
    let documents = Memory::default().with("one.yay", "one: 1\nset own = 5\n").with("items", "- 7\n- 8\n");
    let mut config = Config::new(documents);
    config.load("main.yay", text);
    match config.resolve() {
        Ok(data) => json(&data).to_string(),
        Err(error) => error.category().name().to_owned(),
    }
}

#[test]
fn lines_and_indentation() {
    check(&[
        ("", "{}"),
        ("\n\n# nothing\n", "{}"),
        ("a: 1\r\nb: 2\r\n", r#"{"a":1,"b":2}"#),
        ("a: 1", r#"{"a":1}"#),
        ("\u{feff}a: 1\n", r#"{"a":1}"#),
        ("a:\t1\n", r#"{"a":1}"#),
        ("a : b\n", r#"{"a":"b"}"#),
        ("a: 1\n\t\nb: 2\n", r#"{"a":1,"b":2}"#),
        ("a:\n    b: 1\n  c: 2\n", "SyntaxError"),
        ("a:\n  b:\n    c: 1\n d: 1\n", "SyntaxError"),
        ("a: 1\n  # indented comment\nb: 2\n", r#"{"a":1,"b":2}"#),
        ("-\n", "SyntaxError"),
        ("- # c\n", "SyntaxError"),
        ("- if: x\n- set: y\n", r#"[{"if":"x"},{"set":"y"}]"#),
        ("- a: 1\n    b: 2\n", r#"[{"a":1,"b":2}]"#),
        ("- a:\n    b: 1\n  c: 2\n- d\n", r#"[{"a":{"b":1},"c":2},"d"]"#),
        ("- a:\n  b: 1\n  c: 2\n", r#"[{"a":{"b":1,"c":2}}]"#),
        ("a:\n- 1\n- b: 2\n  c: 3\nd: 4\n", r#"{"a":[1,{"b":2,"c":3}],"d":4}"#),
        ("k:\n  text one\n  {{ 1 + 1 }}\n", r#"{"k":["text one",2]}"#),
        ("k:\n  text\n  - item\n", "SyntaxError"),
        ("k:\n  - item\n  text\n", "SyntaxError"),
    ]);
}

#[test]
fn scalars() {
    check(&[
        ("a: 1.10\nb: v{{ a }}\n", r#"{"a":1.1,"b":"v1.10"}"#),
        ("a: 99999999999999999999\n", r#"{"a":"99999999999999999999"}"#),
        (
            "a: 1_000\nb: .5\nc: 5.\nd: 1e5\ne: -.5e-1\nf: .\ng: e5\n",
            r#"{"a":"1_000","b":0.5,"c":5.0,"d":100000.0,"e":-0.05,"f":".","g":"e5"}"#,
        ),
        ("a: \"5\"\nb: {{ a + 1 }}\n", r#"{"a":"5","b":6}"#),
        ("a: \"x\" y\n", r#"{"a":"x y"}"#),
        ("a: \"x # y\" # z\n", r#"{"a":"x # y"}"#),
        ("a: it's \"so\"\n", r#"{"a":"it's \"so\""}"#),
        ("a: TRUE\nb: no\nc: \"true\"\n", r#"{"a":true,"b":"no","c":"true"}"#),
        ("a: b: c\n", "SyntaxError"),
        ("a: http://x:80/y\n", r#"{"a":"http://x:80/y"}"#),
        ("a: {a: 1}\n", "SyntaxError"),
        ("a: {{ 1 }}{{ 2 }}\n", r#"{"a":"12"}"#),
        ("a: x{{ [1] }}\n", "TypeError"),
        ("a: {{ 1 + 1 }} # c\n", r#"{"a":2}"#),
        ("a: {{ 2 / 2 }}s\n", r#"{"a":"1.0s"}"#),
        ("a: {{ 10.0 ** 20 }}x\nb: {{ 1 == 1 }}x\n", r#"{"a":"1e+20x","b":"Truex"}"#),
        ("a: }} b\n", r#"{"a":"}} b"}"#),
        ("a: {{ {\"a\": {\"b\": 1}} }}\n", r#"{"a":{"a":{"b":1}}}"#),
        ("a: {{ {\"a\": 1}}}\n", r#"{"a":{"a":1}}"#),
        ("a: {{ \"{{ x }}\" }}\n", r#"{"a":"{{ x }}"}"#),
    ]);
}

#[test]
fn blocks_of_text() {
    check(&[
        ("a: |\n", r#"{"a":""}"#),
        ("a: |\nb: 1\n", r#"{"a":"","b":1}"#),
        ("a: |\n  x\n\n\nb: 1\n", r#"{"a":"x\n","b":1}"#),
        ("a: |+\n  x\n\n", r#"{"a":"x\n\n"}"#),
        ("a: >\n  x {{ 1 }}\n  y\n", r#"{"a":"x 1 y"}"#),
        ("a: >\n  x\n  {{ \"y  \" }}\n", r#"{"a":"x y"}"#),
        ("a: |-\n  {{ 1 }}\n", r#"{"a":"1"}"#),
        ("- |\n  x: y\n  # z\n- b\n", r#"["x: y\n# z\n","b"]"#),
        ("- a: |\n    x\n  b: 1\n", r#"[{"a":"x\n","b":1}]"#),
        ("a: |\n    x\n  y\n", "SyntaxError"),
        ("a: |  # comment\n  x\n", r#"{"a":"x\n"}"#),
    ]);
}

#[test]
fn expressions() {
    check(&[
        ("a: {{ -2 ** 2 }}\n", r#"{"a":-4}"#),
        ("a: {{ 2 ** -1 }}\n", r#"{"a":0.5}"#),
        ("a: {{ -7 // 2 }}\nb: {{ -7 % 3 }}\nc: {{ 7 % -3 }}\n", r#"{"a":-4,"b":2,"c":-2}"#),
        ("a: {{ 1 << 62 }}\nb: {{ 1 << 64 }}\n", "TypeError"),
        ("a: {{ 9223372036854775807 + 1 }}\n", "TypeError"),
        ("a: {{ 9223372036854775808 }}\n", "SyntaxError"),
        ("a: {{ 5 % 0 }}\n", "ZeroDivisionError"),
        ("a: {{ 017 }}\n", "SyntaxError"),
        ("a: {{ 1L }}\n", "SyntaxError"),
        ("a: {{ 0b11 + 0O7 }}\n", r#"{"a":10}"#),
        ("a: {{ u'x' r'\\n' \"y\" }}\n", r#"{"a":"x\\ny"}"#),
        ("a: {{ 'it\\'s' }}\n", r#"{"a":"it's"}"#),
        ("a: {{ 1 < 2 < 2 }}\nb: {{ 1 <> 2 }}\nc: {{ 'a' < 'b' <= 'b' }}\n", r#"{"a":false,"b":true,"c":true}"#),
        (
            "a: {{ 1 == 1.0 }}\nb: {{ \"1\" == 1 }}\nc: {{ 1 is 1.0 }}\nd: {{ [1, {\"a\": 2}] == [1, {\"a\": 2}] }}\n",
            r#"{"a":true,"b":false,"c":false,"d":true}"#,
        ),
        ("a: {{ 1 in [1, 2] }}\nb: {{ 'k' in {'k': 1} }}\nc: {{ 'b' in 'abc' }}\nd: {{ 1 in 5 }}\n", "TypeError"),
        ("a: {{ 0 or [] or 'x' }}\nb: {{ 1 and nope else 3 }}\n", r#"{"a":"x","b":3}"#),
        ("a: {{ 1 or nope }}\nb: {{ 0 and nope }}\n", r#"{"a":1,"b":0}"#),
        ("a: {{ 1 + (x else 2) }}\nb: {{ x else y else 3 }}\n", r#"{"a":3,"b":3}"#),
        ("a: {{ [x.no for x in [{}]] else 3 }}\n", "NoMatching"),
        ("a: {{ (1,) }}\nb: {{ 1, }}\nc: {{ [] }}\n", r#"{"a":[1],"b":[1],"c":[]}"#),
        ("a: {{ [x * y for x in range(3) if x for y in [1, 10]] }}\n", r#"{"a":[1,10,2,20]}"#),
        ("a: {{ {x: x * 2 for x in ['1', '2']} }}\n", r#"{"a":{"1":2,"2":4}}"#),
        ("a: {{ {1, 2, 1} }}\nb: {{ sum(x for x in range(4)) }}\n", r#"{"a":[1,2],"b":6}"#),
        ("a: {{ lambda x: x }}\n", "TypeError"),
        ("a: {{ `1` }}\n", "TypeError"),
        (
            "l: {{ [1, 2, 3, 4] }}\na: {{ l[1:] }}\nb: {{ l[:-1] }}\nc: {{ l[::-1] }}\nd: {{ l[::2] }}\ne: {{ 'abc'[-1] }}\n",
            r#"{"l":[1,2,3,4],"a":[2,3,4],"b":[1,2,3],"c":[4,3,2,1],"d":[1,3],"e":"c"}"#,
        ),
        ("l: {{ [1] }}\na: {{ l[3] }}\n", "NoMatching"),
        ("m:\n  1: x\na: {{ m[1] }}\n", r#"{"m":{"1":"x"},"a":"x"}"#),
        ("a: {{ True }}\nb: {{ none }}\n", r#"{"a":true,"b":null}"#),
        ("a: {{ nope() }}\n", "NoMatching"),
        ("b: 1\na: {{ b() }}\n", "TypeError"),
        ("a: {{ 1 if x else 2 }}\nx: \"\"\n", r#"{"a":2,"x":""}"#),
        ("a: {{ 1 }} + {{ 2 }}\n", r#"{"a":"1 + 2"}"#),
    ]);
}

#[test]
fn functions() {
    check(&[
        ("a: {{ range(5, 0, -2) }}\n", r#"{"a":[5,3,1]}"#),
        ("a: {{ range(1, 2, 0) }}\n", "TypeError"),
        ("a: {{ sub('(a)(b)', '\\\\2\\\\1$', 'xab') }}\n", r#"{"a":"xba$"}"#),
        ("a: {{ sub('(', '', 'x') }}\n", "TypeError"),
        ("a: {{ sub('a*', '-', 'abc') }}\nb: {{ sub('x*', '-', 'é') }}\n", r#"{"a":"--b-c-","b":"-é-"}"#),
        ("a: {{ sub('(b)', '\\\\101\\\\1\\\\g<0>', 'ab') }}\n", r#"{"a":"aAbb"}"#),
        ("a: {{ sub('(?=a)', '', 'a') }}\n", "TypeError"),
        ("a: {{ len({'a': 1}) + len([1, 2]) + len('abc') }}\n", r#"{"a":6}"#),
        ("a: {{ min([3, 1, 2]) }}\nb: {{ max(1, 2.5) }}\nc: {{ max([]) }}\n", "TypeError"),
        ("a: {{ round(2.5) }}\nb: {{ round(2.675, 2) }}\nc: {{ abs(-3) }}\n", r#"{"a":2,"b":2.67,"c":3}"#),
        ("a: {{ sorted(['b', 'a']) }}\nb: {{ reversed([1, 2]) }}\n", r#"{"a":["a","b"],"b":[2,1]}"#),
        (
            "a: {{ int('12') + int(1.9) }}\nb: {{ float('1.5') }}\nc: {{ str(1.50) }}\nd: {{ bool([]) }}\n",
            r#"{"a":13,"b":1.5,"c":"1.5","d":false}"#,
        ),
        (
            "a: {{ join(', ', ['x', 1]) }}\nb: {{ split('a b') }}\nc: {{ split('a,b', ',') }}\n",
            r#"{"a":"x, 1","b":["a","b"],"c":["a","b"]}"#,
        ),
        (
            "a: {{ upper('x') + lower('Y') }}\nb: {{ any([0, 1]) }}\nc: {{ all([]) }}\n",
            r#"{"a":"Xy","b":true,"c":true}"#,
        ),
        ("a: {{ len() }}\n", "TypeError"),
        ("a: {{ len(x=1) }}\n", "TypeError"),
        ("a: {{ range(10000000) }}\n", "LimitError"),
        ("a: {{ list('ab') }}\nb: {{ sum([1, 'x']) }}\n", "TypeError"),
    ]);
}

#[test]
fn names() {
    check(&[
        ("foo:\n  a: {{ b }}\n  b: 1\n", "NoMatching"),
        ("set b = 1\nb: 2\na: {{ b }}\n", r#"{"b":2,"a":1}"#),
        ("a: {{ self }}\n", "NoMatching"),
        ("set x, y = 1, 2\na: {{ x + y }}\n", r#"{"a":3}"#),
        ("set x, (y, z) = 1, [2, 3]\na: {{ x + y + z }}\n", r#"{"a":6}"#),
        ("set x, y = [1]\na: {{ x }}\n", "TypeError"),
        ("include \"one.yay\"\na: {{ own }}\n", r#"{"one":1,"a":5}"#),
        ("include \"one.yay\"\nset own = 6\na: {{ own }}\n", r#"{"one":1,"a":6}"#),
        ("set own = 6\ninclude \"one.yay\"\na: {{ own }}\n", r#"{"one":1,"a":5}"#),
        (
            "macro m:\n  v: {{ q }}\nfor_: 1\nx:\n  set q = 3\n  y:\n    call m:\n      z: 1\n",
            r#"{"for_":1,"x":{"y":{"v":3}}}"#,
        ),
        ("m: {{ mm(a=1) }}\nmacro mm:\n  - {{ a }}\n  - {{ b else 2 }}\n", r#"{"m":[1,2]}"#),
        ("macro m:\n  - 1\na: {{ m }}\n", "TypeError"),
        ("len: 3\na: {{ len }}\n", r#"{"len":3,"a":3}"#),
    ]);
}

#[test]
fn layers() {
    check(&[
        ("a: 1\na:\n  b: 2\n", "TypeError"),
        ("a: []\na: {}\n", "TypeError"),
        ("a:\n  x: 1\na: {}\n", r#"{"a":{"x":1}}"#),
        ("a:\n  x: 1\na: {{ {} }}\n", r#"{"a":{}}"#),
        ("a: {{ f }}\nf:\n  x:\n    p: 1\na:\n  x:\n    q: 2\n", r#"{"a":{"x":{"p":1,"q":2}},"f":{"x":{"p":1}}}"#),
        ("extend a: {{ [1] }}\nextend a:\n  - 2\n", r#"{"a":[1,2]}"#),
        ("a:\n  x: 1\nextend a:\n  - 2\n", "TypeError"),
        ("a:\n  - 1\nextend a:\n  x: 1\n", "TypeError"),
        ("a:\n  x:\n    p: 1\nextend a:\n  x:\n    q: 2\n", r#"{"a":{"x":{"p":1,"q":2}}}"#),
        ("a:\n  extend b:\n    - 1\na:\n  extend b:\n    - 2\n", r#"{"a":{"b":[1,2]}}"#),
        ("a:\n  - 1\n  if 0:\n    - 2\n  - 3\n", r#"{"a":[1,3]}"#),
        ("a:\n  - 1\na:\n  if 0:\n    - 2\n", r#"{"a":[1]}"#),
        ("a:\n  x: 1\na:\n  if 0:\n    x: 2\n", r#"{"a":{"x":1}}"#),
        ("a:\n  include \"items\"\n  - 9\n", r#"{"a":[7,8,9]}"#),
        ("include \"items\"\n", "[7,8]"),
        ("a:\n  include \"items\"\nb: {{ a[1] }}\n", r#"{"a":[7,8],"b":8}"#),
        ("include [\"one.yay\"]\n", r#"{"one":1}"#),
        ("a:\n  x: {{ here.y }}\n  if 1:\n    y: {{ here.z }}\na:\n  z: 1\n", r#"{"a":{"x":1,"y":1,"z":1}}"#),
        ("a: {{ b }}\nb: {{ a }}\n", "CycleError"),
        ("a:\n  - {{ a[1] }}\n  - 2\n", r#"{"a":[2,2]}"#),
        ("a:\n  for x in a:\n    - {{ x }}\n", "CycleError"),
    ]);
}

#[test]
fn directives() {
    check(&[
        ("a:\n  for k in {'b': 1, 'a': 2}:\n    - {{ k }}\n", r#"{"a":["a","b"]}"#),
        ("a:\n  for x in [1, 2]:\n    k: {{ x }}\n", r#"{"a":[{"k":1},{"k":2}]}"#),
        // Next to keys, where a list is an error, the turns are layers.
        ("a: 1\nfor x in range(3) if x != 1:\n  b: {{ x }}\n", r#"{"a":1,"b":2}"#),
        ("for x in [2, 3]:\n  extend b:\n    - {{ x + here.a }}\na: 1\nextend b:\n  - 0\n", r#"{"b":[3,4,0],"a":1}"#),
        (
            "prototype P:\n  a: 1\n  b: 2\nw:\n  new P:\n    c: 3\n    for x in range(4):\n      b: {{ x + self.c }}\n",
            r#"{"w":{"a":1,"b":6,"c":3}}"#,
        ),
        ("a: 1\nfor x in range(a):\n  a: 5\n", "ParadoxError"),
        ("a: 1\nfor x in []:\n  a: 5\n", r#"{"a":1}"#),
        ("a: 1\nfor x in range(2):\n  - b: 1\n", "TypeError"),
        ("a:\n  for x in [[1, 2]]:\n    for y in x if y > 1:\n      - {{ y }}\n", r#"{"a":[2]}"#),
        ("for x in range(2):\n  - {{ x }}\n", "[0,1]"),
        ("set c = 2\nfor x in range(c):\n  set d = x + c\n  - {{ d }}\n", "[2,3]"),
        ("a:\n  for x in [1] if 0 else [2, 3]:\n    - {{ x }}\n", r#"{"a":[2,3]}"#),
        ("a:\n  for x in nope else []:\n    - {{ x }}\n", r#"{"a":[]}"#),
        ("select 'x':\n  y: 1\n", "NoMatching"),
        ("select 'x':\n  - 1\n", "SyntaxError"),
        ("a:\n  select 'x':\n    y: 1\n", "NoMatching"),
        ("a:\n  k: 1\n  select 'x':\n    x:\n      j: 2\n", r#"{"a":{"k":1,"j":2}}"#),
        ("a:\n  select 'x':\n    x: {{ [1] }}\n", r#"{"a":[1]}"#),
        (
            "prototype P:\n  l:\n    - 1\n  n: {{ self.m }}\nnew P as a:\n  m: 2\n  extend l:\n    - 3\n",
            r#"{"a":{"l":[1,3],"n":2,"m":2}}"#,
        ),
        ("prototype P:\n  a: 1\nset Q = P\nb:\n  new Q:\n    c: 2\n", r#"{"b":{"a":1,"c":2}}"#),
        ("new 5 as x:\n  a: 1\n", "TypeError"),
        ("create \"no:Class\":\n  a: 1\n", "NoMatching"),
        ("% set x = 1\n% if x == 1\n    a: {{ x }}\n% else\n    a: 2\n", r#"{"a":1}"#),
        ("% let x = 1\n% import \"one.yay\"\na: {{ x }}\n", r#"{"one":1,"a":1}"#),
        ("%m: 1\n", r#"{"%m":1}"#),
        ("configure openers:\n  a: 1\nconfigure: 1\n", r#"{"configure":1}"#),
        ("if 1: a\n", "SyntaxError"),
        ("if 1:\n  a: 1\nelse:\n  a: 2\nelse:\n  a: 3\n", "SyntaxError"),
        ("if x and \\\n   y:\n  a: 1\nx: 1\ny: 1\n", r#"{"a":1,"x":1,"y":1}"#),
        ("search\n", "SyntaxError"),
        ("and: 1\nlambda: 2\nnot: 3\n", r#"{"and":1,"lambda":2,"not":3}"#),
        ("include: 1\n", "SyntaxError"),
        ("a:\n  call nope:\n    b: 1\n", "NoMatching"),
        (
            "macro m:\n  if d > 0:\n    x:\n      call m:\n        d: {{ up - 1 }}\nset up = 1\na:\n  call m:\n    d: 1\n",
            r#"{"a":{"x":{}}}"#,
        ),
        ("macro m:\n  a:\n    call m:\n      b: 1\nx: {{ m() }}\n", "LimitError"),
    ]);
}

#[test]
fn decisions_about_themselves() {
    check(&[
        ("a: 1\nif a:\n  a: 0\n", "ParadoxError"),
        ("a: 1\nif a:\n  a: 2\n", r#"{"a":2}"#),
        ("f: one.yay\ninclude f\n", r#"{"f":"one.yay","one":1}"#),
        ("if a else 0:\n  a: 1\nelse:\n  b: 1\n", r#"{"b":1}"#),
        ("if not (a else 0):\n  a: 1\n", "ParadoxError"),
        ("x: 1\nif y else 0:\n  x: 2\nif x == 1:\n  z: 1\n", r#"{"x":1,"z":1}"#),
        ("l:\n  - 1\n  if len(l) == 1:\n    - 2\n", "ParadoxError"),
        ("l:\n  - 1\n  if len(l):\n    - 2\n", r#"{"l":[1,2]}"#),
    ]);
}
