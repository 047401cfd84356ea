//! Clauses of the language description that `sections` does not cover: kinds of lines and values, layers of every kind
//! over every other, values that must not be evaluated, and conversions that programs can request.

#![allow(clippy::unwrap_used)]

use tosca_parse_yay::{Category, Class, Config, Data, Error, Memory, Node, Params};

use crate::sections::check;

#[test]
fn keys_and_lines() {
    check(&[
        ("b: 1\na: 2\nb: 3\n", r#"{"b":3,"a":2}"#),
        ("  a: 1\n  b: 2\n", r#"{"a":1,"b":2}"#),
        ("a:b: c\n", r#"{"a:b":"c"}"#),
        (
            "a.b: 1\na/b: 2\n1.5: 3\n$x: 4\n{a}: 5\n<<: 6\n@y: 7\n\"q\": 8\n",
            r#"{"a.b":1,"a/b":2,"1.5":3,"$x":4,"{a}":5,"<<":6,"@y":7,"\"q\"":8}"#,
        ),
        (
            "here: 1\nself: 2\ntrue: 3\nconfigure: 4\ncreate: 5\nlet: 6\nimport: 7\n",
            r#"{"here":1,"self":2,"true":3,"configure":4,"create":5,"let":6,"import":7}"#,
        ),
        ("for: 1\n", "SyntaxError"),
        ("prototype: 1\n", "SyntaxError"),
        ("a: # c\nb: 1\n", r#"{"a":"","b":1}"#),
        ("set x = 1 # c\na: {{ x }}\n", r#"{"a":1}"#),
        ("a: 1\n\tb: 2\n", "SyntaxError"),
        ("else:\n  a: 1\n", "SyntaxError"),
        ("elif 1:\n  a: 1\n", "SyntaxError"),
    ]);
}

#[test]
fn plain_values() {
    check(&[
        ("a: 007\nb: +5\nc: -1\nd: +.5\n", r#"{"a":7,"b":5,"c":-1,"d":0.5}"#),
        (
            "a: yes\nb: null\nc: ~\nd: 0x10\ne: 2014-05-01\nf: 12:30\ng: [1,2]\nh: &a\ni: *b\nj: !!t\nk: nan\nl: inf\n",
            r#"{"a":"yes","b":"null","c":"~","d":"0x10","e":"2014-05-01","f":"12:30","g":"[1,2]","h":"&a","i":"*b",
                "j":"!!t","k":"nan","l":"inf"}"#,
        ),
        ("a: 'x'\nb: x\\\nc: a#b\nd: {x\n", r#"{"a":"'x'","b":"x\\","c":"a#b","d":"{x"}"#),
        ("a: true\nb: False\nc: v{{ a }}\n", r#"{"a":true,"b":false,"c":"vtrue"}"#),
        ("a: >\n  x\n\n  y\nb: |-\n  x\n\nc: |+\n  x\n\nd: 1\n", r#"{"a":"x  y","b":"x","c":"x\n\n","d":1}"#),
        ("a: |\n    x\n      y\n", r#"{"a":"x\n  y\n"}"#),
        ("a: |\n  5\n", r#"{"a":"5\n"}"#),
        ("a: {{ 0x1F }} {{ .5 }} {{ 5. }} {{ 1e5 }}\n", r#"{"a":"31 0.5 5.0 100000.0"}"#),
        ("a: {{ '\\x41\\t\\\\' }}\nb: {{ '''it's''' }}\n", r#"{"a":"A\t\\","b":"it's"}"#),
    ]);
}

#[test]
fn operators() {
    check(&[
        ("a: {{ \"1\" + 2 }}\nb: {{ \"a\" + 2 }}\nc: {{ 8 / 2 }}\n", r#"{"a":3,"b":"a2","c":4.0}"#),
        ("a: {{ [1] + [2] }}\n", r#"{"a":[1,2]}"#),
        ("a: {{ {} + 1 }}\n", "TypeError"),
        (
            "a: {{ 6 & 3 }}\nb: {{ 6 | 3 }}\nc: {{ 6 ^ 3 }}\nd: {{ ~6 }}\ne: {{ 1 << 3 >> 1 }}\n",
            r#"{"a":2,"b":7,"c":5,"d":-7,"e":4}"#,
        ),
        ("a: {{ 1 not in [2] }}\nb: {{ 1 is not 2 }}\nc: {{ not 0 }}\n", r#"{"a":true,"b":true,"c":true}"#),
        ("a: {{ 'a' < 1 }}\n", "TypeError"),
        ("a: {{ 1 % 0 }}\n", "ZeroDivisionError"),
        ("a: {{ 1 // 0 }}\n", "ZeroDivisionError"),
        ("l:\n  - 5\na: {{ l[\"0\"] }}\n", r#"{"l":[5],"a":5}"#),
        ("l:\n  - 5\na: {{ l.x }}\n", "TypeError"),
        ("s: 5\na: {{ s.x }}\n", "TypeError"),
        ("m:\n  k: 5\na: {{ m.x }}\n", "NoMatching"),
        ("a: {{ range(3,) }}\n", r#"{"a":[0,1,2]}"#),
        ("macro m:\n  - 1\na: {{ m(1) }}\n", "TypeError"),
        ("a: {{ replace('a-b', '-', '+') }}\n", r#"{"a":"a+b"}"#),
    ]);
}

#[test]
fn layers_of_every_kind() {
    check(&[
        ("a:\n  x: 1\na: 2\n", r#"{"a":2}"#),
        ("a:\n  - 1\na: x\n", r#"{"a":"x"}"#),
        ("a: 1\na:\n  - 2\n", r#"{"a":[2]}"#),
        ("a:\n  - 1\na:\n  - 2\n", r#"{"a":[2]}"#),
        ("a:\n  x: 1\na: []\n", r#"{"a":[]}"#),
        ("a:\n  x: 1\na:\nb: 1\n", r#"{"a":"","b":1}"#),
        ("a:\n  - 1\na:\n  x: 1\n", "TypeError"),
        ("a: 1\nextend a:\n  - 2\n", "TypeError"),
        ("extend a: 5\n", "TypeError"),
        ("extend a.b:\n  - 1\n", r#"{"a.b":[1]}"#),
        ("a:\n  - 1\nextend a:\n  for x in [2, 3]:\n    - {{ x }}\n", r#"{"a":[1,2,3]}"#),
        ("a:\n  b:\n    - 1\na:\n  extend b:\n    - 2\n", r#"{"a":{"b":[1,2]}}"#),
        ("a: b\nb: {{ a }}\na: c\n", r#"{"a":"c","b":"c"}"#),
        ("a: x\na: {{ a }}y\n", "CycleError"),
        ("foo:\n  a: {{ here.b }}\n  set x = 1\n  b: {{ x }}\nfoo:\n  b: 2\n", r#"{"foo":{"a":2,"b":2}}"#),
        ("a:\n  set self = here\n  b:\n    c: {{ self.d }}\n  d: 4\n", r#"{"a":{"b":{"c":4},"d":4}}"#),
    ]);
}

#[test]
fn directives_among_keys() {
    check(&[
        ("if 0:\n  a: 1\n", "{}"),
        ("a:\n  if 0:\n    - 1\n", r#"{"a":[]}"#),
        ("set x = 1\n", "{}"),
        ("if 0:\n  a: 1\nelif 1:\n  a: 2\nelse:\n  a: 3\n", r#"{"a":2}"#),
        ("a: 1\nif 0:\n  a: 2\nelif 0:\n  a: 3\nelse:\n  b: {{ a }}\n", r#"{"a":1,"b":1}"#),
        ("v: 1.50\nselect v:\n  1.5:\n    a: 2\n  1.50:\n    a: 1\n", r#"{"v":1.5,"a":1}"#),
        ("b: 1\na:\n  call b:\n    c: 1\n", "TypeError"),
        ("set n = 7\nmacro m:\n  v: {{ n }}\na:\n  call m:\n    extra: 1\n", r#"{"a":{"v":7}}"#),
        ("macro m:\n  v: {{ n }}\na:\n  call m:\n    extra: 1\n", "NoMatching"),
        ("a:\n  k: 1\n  call m:\n    n: 2\n  j: 3\nmacro m:\n  v: {{ n }}\n", r#"{"a":{"k":1,"v":2,"j":3}}"#),
        ("new Nope as x:\n  a: 1\n", "NoMatching"),
        ("prototype P:\n  a: 1\n  b: {{ self.a }}\nx:\n  new P:\n    a: 2\n  c: 3\n", r#"{"x":{"a":2,"b":2,"c":3}}"#),
        (
            "prototype P:\n  a: 1\nprototype Q:\n  new P:\n    b: {{ self.a }}\nnew Q as x:\n  a: 5\n",
            r#"{"x":{"a":5,"b":5}}"#,
        ),
        ("x:\n  old: 1\nprototype P:\n  a: 1\nnew P as x:\n  b: 2\n", r#"{"x":{"old":1,"a":1,"b":2}}"#),
        ("a:\n  include [\"one.yay\", \"items\"]\n", "TypeError"),
        ("include \"nope.yay\"\na: 1\n", "NotFound"),
        ("include 5\n", "NotFound"),
        ("a:\n  for x in 5:\n    - 1\n", "TypeError"),
        ("a:\n  for x, y in [[1, 2]]:\n    - {{ x + y }}\n", r#"{"a":[3]}"#),
    ]);
}

/// Each case is a document, the path to a value, the value, and whether the whole document can be evaluated.
#[test]
fn what_is_not_asked_for_is_not_evaluated() {
    let cases: &[(&str, &[&str], &str, bool)] = &[
        ("a: {{ nope }}\nb: 1\n", &["b"], "1", false),
        ("a:\n  - {{ nope }}\n  - 2\n", &["a", "1"], "2", false),
        ("a:\n  for x in [0, 1]:\n    - {{ 4 / x }}\n", &["a", "1"], "4.0", false),
        ("a: {{ [4 / x for x in [0, 1]] }}\n", &["a", "1"], "4.0", false),
        ("a: {{ [nope, 2, nope][1:2] }}\n", &["a", "0"], "2", true),
        ("if 1:\n  a: 1\nelse:\n  a: {{ nope }}\n", &["a"], "1", true),
        ("if 1:\n  a: 1\n  b: {{ nope }}\n", &["a"], "1", false),
        ("a:\n  select 'x':\n    x: 1\n    y: {{ nope }}\n", &["a"], "1", true),
        ("a: {{ 1 if 1 else nope }}\n", &["a"], "1", true),
        ("set x = nope\na: 1\n", &["a"], "1", true),
        ("macro m:\n  v: 1\na:\n  call m:\n    p: {{ nope }}\n", &["a", "v"], "1", true),
        ("a: {{ nope }}\na: 2\n", &["a"], "2", true),
        ("a:\n  - {{ nope }}\na:\n  - 2\n", &["a", "0"], "2", true),
        ("include \"nope.yay\"\na: 1\n", &["a"], "1", false),
        ("if nope:\n  b: 1\na: 1\n", &["a"], "1", false),
        ("prototype P:\n  a: {{ nope }}\n  b: 1\nnew P as x:\n  c: 1\n", &["x", "b"], "1", false),
    ];
    for (text, way, expected, is_whole) in cases {
        let mut config = Config::new(Memory::default());
        config.load("main.yay", text);
        let step = |node: Node<'static>, step: &&str| step.parse().map_or_else(|_| node.get(step), |at| node.index(at));
        let found = way.iter().fold(config.root(), step).as_string().map_err(|error| config.describe(&error));
        assert_eq!(found.as_deref(), Ok(*expected), "{text}");
        assert_eq!(config.resolve().is_ok(), *is_whole, "{text}");
    }
    // An `if` after the last definition of a key may define the key, too.
    let mut config = Config::new(Memory::default());
    config.load("main.yay", "a: 1\nif nope:\n  b: 1\n");
    assert!(config.root().get("a").as_int().is_err());
}

#[test]
fn values_are_converted_and_have_defaults() {
    let mut config = Config::new(Memory::default());
    let text = "text: \"12\"\nfraction: 1.90\nword: x\non: true\nlist:\n  - 1\n  - b: 2\nmap:\n  k: v\n  j: w\n";
    config.load("main.yay", text);
    config.load_labeled("key.yay", "key: hunter2\n", &["secret".to_owned()]);
    let root = config.root();
    let get = |key| root.get(key);
    assert_eq!((get("text").as_int().ok(), get("fraction").as_int().ok()), (Some(12), Some(1)));
    assert_eq!((get("text").as_float().ok(), get("fraction").as_number().ok()), (Some(12.0), Some(Data::Float(1.9))));
    assert_eq!((get("on").as_bool().ok(), get("word").as_bool().ok()), (Some(true), Some(true)));
    assert_eq!(get("fraction").as_string().unwrap(), "1.90");
    let shown = config.expression("'the key is ' + key");
    assert_eq!(
        (shown.as_safe_string().unwrap(), shown.as_string().unwrap()),
        ("the key is *****".into(), "the key is hunter2".into())
    );
    assert_eq!(get("list").as_list().unwrap().len(), 2);
    assert_eq!(get("map").as_dict().unwrap()[1], ("j".to_owned(), Data::Text("w".to_owned())));
    assert_eq!(get("map").keys().unwrap(), ["k", "j"]);
    assert_eq!(get("list").items().unwrap()[1].get("b").as_int().unwrap(), 2);
    assert_eq!(get("list").index(-1).get("b").resolve().unwrap(), Data::Int(2));
    assert!(get("list").is_list() && !get("map").is_list());
    let anchor = get("map").get("j").anchor().unwrap();
    assert_eq!((&*anchor.source, anchor.line, anchor.column), ("main.yay", 10, 6));
    // A default replaces a missing value, wherever the path ends, and nothing else.
    let none = get("map").get("none").get("further");
    assert_eq!(
        (none.as_int_or(1).ok(), none.as_float_or(1.5).ok(), none.as_bool_or(true).ok()),
        (Some(1), Some(1.5), Some(true))
    );
    assert_eq!(none.as_number_or(Data::Int(3)).ok(), Some(Data::Int(3)));
    assert_eq!(
        (none.as_string_or("d".into()).ok(), none.as_safe_string_or("e".into()).ok()),
        (Some("d".into()), Some("e".into()))
    );
    assert_eq!(
        (none.as_list_or(Vec::new()).ok(), none.as_dict_or(Vec::new()).ok()),
        (Some(Vec::new()), Some(Vec::new()))
    );
    for wrong in [
        get("word").as_int_or(1).unwrap_err(),
        get("list").as_string().unwrap_err(),
        get("map").as_list().unwrap_err(),
        get("text").as_dict().unwrap_err(),
    ] {
        assert_eq!(wrong.category(), Category::Type);
    }
}

/// A class whose member `last` depends on the parameter `count`.
struct Names;

impl Class for Names {
    fn members(&self, params: &mut Params<'_, '_>) -> Result<Data, Error> {
        let Some(Data::Int(count)) = params.get("count")? else { return Err(params.fail("it needs a `count`")) };
        Ok(Data::Map(vec![("last".to_owned(), Data::Text(format!("n{count}")))]))
    }
}

#[test]
fn classes_of_the_host_are_asked_for_what_is_no_parameter() {
    let mut config = Config::new(Memory::default());
    config.class("Names", Names);
    config.load("main.yay", "set n = 2\nnew Names as a:\n  count: {{ n + 1 }}\nnew Names as b:\n  other: 1\n");
    config.load("more.yay", "c:\n  create \"Names\":\n    count: 5\n");
    let root = config.root();
    assert_eq!(root.get("a").get("last").as_string().unwrap(), "n3");
    assert_eq!(root.get("c").get("last").as_string().unwrap(), "n5");
    assert_eq!(root.get("b").get("other").as_int().unwrap(), 1);
    let error = root.get("b").get("last").as_string().unwrap_err();
    assert!(config.describe(&error).contains("it needs a `count`"), "{}", config.describe(&error));
}

#[test]
fn included_documents_extend_the_search_path_of_later_includes() {
    let documents = |main: &str| {
        Memory::default()
            .with("main.yay", main)
            .with("paths.yay", "search \"lib\"\n")
            .with("deep.yay", "include \"paths.yay\"\ninclude \"more.yay\"\n")
            .with("lib/more.yay", "search \"other\"\nb: 1\n")
            .with("lib/other/last.yay", "c: {{ b + 1 }}\n")
            .with("lib/moving.yay", "d: elsewhere\n")
            .with("lib/growing.yay", "extend d:\n  - other\n")
            .with("lib/where.yay", "where: lib\n")
            .with("lib/other/where.yay", "where: other\n")
    };
    for (main, expected) in [
        ("include \"paths.yay\"\ninclude \"more.yay\"\n", Ok(r#"{"b":1}"#)),
        ("include \"paths.yay\"\ninclude \"more.yay\"\ninclude \"last.yay\"\n", Ok(r#"{"b":1,"c":2}"#)),
        ("include \"deep.yay\"\ninclude \"last.yay\"\n", Ok(r#"{"b":1,"c":2}"#)),
        ("include \"paths.yay\"\na:\n  include \"more.yay\"\n", Ok(r#"{"a":{"b":1}}"#)),
        ("include \"paths.yay\"\ninclude \"absent.yay\"\n", Err("`absent.yay`")),
        ("set x = 1\nif x:\n  search \"lib\"\ninclude \"more.yay\"\n", Ok(r#"{"b":1}"#)),
        ("x: a\nselect x:\n  a:\n    search \"lib\"\n  b:\n    y: 1\ninclude \"more.yay\"\n", Ok(r#"{"x":"a","b":1}"#)),
        ("set x = 1\nif x:\n  if x:\n    include \"paths.yay\"\ninclude \"more.yay\"\n", Ok(r#"{"b":1}"#)),
        ("set x = 0\nif x:\n  search \"lib\"\ninclude \"more.yay\"\n", Err("`more.yay`")),
        ("if b:\n  search \"lib\"\ninclude \"more.yay\"\n", Err("")),
        ("set x = 1\nif x:\n  configure openers:\n    m: \"lib\"\ninclude \"m:more.yay\"\n", Ok(r#"{"b":1}"#)),
        ("set x = 0\nif x:\n  configure openers:\n    m: \"lib\"\ninclude \"m:more.yay\"\n", Err("`m:more.yay`")),
        ("set x = 1\nif x:\n  configure openers:\n    m: false\ninclude \"m:more.yay\"\n", Err("forbids")),
        // The folders must not depend on the documents that are found in them, but may on decisions before.
        ("d: \"lib\"\nsearch d\ninclude \"moving.yay\"\n", Err("depends on")),
        ("d: \"lib\"\nsearch d\ninclude \"more.yay\"\ninclude \"moving.yay\"\n", Err("depends on")),
        (
            "d: {{ [\"lib\"] }}\nsearch d\ninclude \"growing.yay\"\ninclude \"last.yay\"\nb: 1\n",
            Ok(r#"{"d":["lib","other"],"c":2,"b":1}"#),
        ),
        (
            "d: \"lib\"\nsearch d\ninclude \"where.yay\"\nif where:\n  d: \"lib/other\"\n",
            Ok(r#"{"d":"lib/other","where":"other"}"#),
        ),
        ("d: lib\nconfigure openers:\n  m: {{ d }}\ninclude \"m:moving.yay\"\n", Err("depends on")),
        (
            "d: lib\nconfigure openers:\n  m: {{ d }}\ninclude \"m:where.yay\"\nif where:\n  d: lib/other\n",
            Ok(r#"{"d":"lib/other","where":"other"}"#),
        ),
        // An opener that is defined already is replaced.
        (
            "set x = 1\nconfigure openers:\n  m: \"lib\"\nif x:\n  configure openers:\n    m: \"lib/other\"\ninclude \"m:last.yay\"\nb: 4\n",
            Ok(r#"{"c":5,"b":4}"#),
        ),
        ("include \"more.yay\"\n", Err("`more.yay`")),
        ("include \"more.yay\"\ninclude \"last.yay\"\n", Err("`last.yay`")),
    ] {
        let mut config = Config::new(documents(main));
        config.load_address("main.yay");
        let found = config.resolve().map(|data| serde_json::to_string(&data).unwrap());
        match (found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{main}"),
            (Err(errors), Err(part)) => {
                let texts: Vec<String> = errors.each().into_iter().map(|error| config.describe(error)).collect();
                assert!(texts.iter().any(|text| text.contains(part)), "{main}: {texts:?}");
            }
            (found, _) => panic!("{main}: {:?}", found.map_err(|errors| config.describe(&errors))),
        }
    }
    // The first of several given documents counts, too.
    let mut config = Config::new(documents("include \"paths.yay\"\n"));
    config.load_address("main.yay").load("second.yay", "include \"last.yay\"\ninclude \"more.yay\"\nb: 4\n");
    assert_eq!(config.root().get("b").as_int().ok(), Some(4));
}
