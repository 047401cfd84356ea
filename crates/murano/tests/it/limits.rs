//! Methods that never end, or want too much, end with a problem.

use tosca_parse_murano::{Access, Arguments, PackageSource, Runtime, category};
use tosca_parse_yaql::{Limits, Value};

const CLASSES: &str = "\
Namespaces: {=: t}
Name: Greedy
Methods:
  loop:
    Body:
      - While: 1 = 1
        Do: []
  recurse:
    Body:
      Return: $.recurse()
  list:
    Body:
      - $list: [1]
      - While: 1 = 1
        Do:
          - $list: $list + $list
  text:
    Body:
      Return: a * 100000000
  number:
    Body:
      Return: pow(9, 999999999)
  nest:
    Body:
      - $value: []
      - While: 1 = 1
        Do:
          - $value: [$value]
  grow:
    Body:
      - $text: a
      - While: 1 = 1
        Do:
          - $text: $text + a
  enter:
    Body:
      - $count: 0
      - $entries: {}
      - While: 1 = 1
        Do:
          - $count: $count + 1
          - $entries: $entries + {$count => $count}
  match:
    Body:
      - While: 1 = 1
        Do:
          - $found: regex('(a+)+$').matches('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')
  make:
    Body:
      - While: 1 = 1
        Do:
          - $object: new(Greedy)
  square:
    Body:
      - $number: 3
      - While: 1 = 1
        Do:
          - $number: $number * 3
          - $other: $number * $number
  copy:
    Body:
      - $list: range(1900).toList()
      - While: 1 = 1
        Do:
          - $list[5]: 1
  compare:
    Body:
      - $one: range(1900).toList()
      - $other: range(1900).toList()
      - While: 1 = 1
        Do:
          - $same: $one = $other
  lookAround:
    Body:
      - While: 1 = 1
        Do:
          - $found: regex('(?!x)([ab]{1,40}){1,40}c').matches('ab' * 20)
  searchAll:
    Body:
      - $text: a * 100000
      - While: 1 = 1
        Do:
          - $found: regex('.*[^a-z]|[a-z]').replace($text, b)
  split:
    Body:
      - $text: !yaql \"'a ' * 50000\"
      - While: 1 = 1
        Do:
          - $words: $text.split(' ').len()
  throw:
    Body:
      - While: 1 = 1
        Do:
          - Try:
              - Throw: [a, b]
                Message: x
            Catch:
              Do: []
  shared:
    Body:
      - $value: [1]
      - While: 1 = 1
        Do:
          - $value: [$value, $value]
  sharedByKey:
    Body:
      - $value: {}
      - While: 1 = 1
        Do:
          - $value.a: $value
          - $value.b: $value
  sharedByCall:
    Body:
      - $value: [1]
      - While: 1 = 1
        Do:
          - $value: list($value, $value)
  caught:
    Body:
      - Try:
          - While: 1 = 1
            Do: []
        Catch:
          Do:
            - Return: caught
";

#[track_caller]
fn ends_with(method: &str, expected: &str) {
    let limits = Limits { depth: 100, ..Limits::murano() }.with_steps(100_000);
    let package = PackageSource::from_text("t", "1.4", &[], CLASSES).unwrap();
    let runtime = Runtime::builder().package(package).limits(limits).build().unwrap();
    let header = Value::dict([("type".into(), "t.Greedy".into()), ("id".into(), "g".into())]);
    runtime.load_object(&Value::dict([("?".into(), header)])).unwrap();
    let error = runtime.call_object("g", method, Arguments::default(), Access::Session).unwrap_err();
    assert_eq!(category(&error), expected, "{error}");
}

#[test]
fn endless_loops_end() {
    ends_with("loop", "Steps");
    // Who could catch that would go on for ever.
    ends_with("caught", "Steps");
}

#[test]
fn endless_recursion_ends() {
    ends_with("recurse", "Depth");
}

#[test]
fn values_have_a_size() {
    ends_with("list", "YaqlMemoryQuota");
    ends_with("text", "YaqlMemoryQuota");
    ends_with("number", "YaqlMemoryQuota");
    ends_with("nest", "Depth");
}

/// What is in many places counts each time: whoever writes or compares it goes through it as often.
#[test]
fn shared_values_have_a_size() {
    ends_with("shared", "YaqlMemoryQuota");
    ends_with("sharedByKey", "YaqlMemoryQuota");
    // Functions may go through what they are given, which takes its steps.
    ends_with("sharedByCall", "Steps");
}

/// What a step takes is about the same, whatever it makes: with all the steps that there are by default, each of these
/// ends within a second if it is optimised.
#[test]
fn what_takes_long_takes_many_steps() {
    const STEPS: u64 = 200_000;
    let methods = ["loop", "grow", "enter", "match", "make", "square", "throw"];
    for method in methods.into_iter().chain(["copy", "compare", "lookAround", "searchAll", "split"]) {
        let limits = Limits { depth: 100, ..Limits::murano() }.with_steps(STEPS);
        let package = PackageSource::from_text("t", "1.4", &[], CLASSES).unwrap();
        let runtime = Runtime::builder().package(package).limits(limits).build().unwrap();
        let header = Value::dict([("type".into(), "t.Greedy".into()), ("id".into(), "g".into())]);
        runtime.load_object(&Value::dict([("?".into(), header)])).unwrap();
        let start = std::time::Instant::now();
        let error = runtime.call_object("g", method, Arguments::default(), Access::Session).unwrap_err();
        println!("{method}: {:?}", start.elapsed());
        let expected = if method == "grow" { "Bytes" } else { "Steps" };
        assert_eq!(category(&error), expected, "{method}: {error}");
        assert!(start.elapsed() < std::time::Duration::from_secs(20), "{method}: {:?}", start.elapsed());
    }
}

/// Declarations that lead to themselves end, wherever in a class they are.
#[test]
fn endless_declarations_end() {
    let method = |method: &str| format!("Methods:\n  m: {method}\n");
    let property = |property: &str| {
        format!("Properties:\n  p: {property}\nMethods:\n  m: {{ Scope: Public, Body: [ Return: $.p ] }}\n")
    };
    let cases = [
        (property("{ Contract: $, Usage: Static, Default: $.p }"), "CircularDependency"),
        (property("{ Contract: $.check($this.p), Usage: Static, Default: 1 }"), "CircularDependency"),
        (
            method("{ Scope: Public, Arguments: [ x: { Contract: $.check($this.m($)) } ], Body: [ Return: 1 ] }"),
            "Depth",
        ),
        (method("{ Scope: Public, Arguments: [ x: { Contract: $, Default: $.m() } ], Body: [ Return: 1 ] }"), "Depth"),
    ];
    for (members, expected) in cases {
        let class = format!("Namespaces: {{ =: t }}\nName: A\n{members}");
        let package = PackageSource::from_text("t", "1.4", &[], &class).unwrap();
        let runtime = Runtime::builder().package(package).build().unwrap();
        let header = Value::dict([("type".into(), "t.A".into()), ("id".into(), "a".into())]);
        runtime.load_object(&Value::dict([("?".into(), header)])).unwrap();
        let error = runtime.call_object("a", "m", Arguments::default(), Access::Session).unwrap_err();
        assert_eq!(category(&error), expected, "{members}: {error}");
    }
}
