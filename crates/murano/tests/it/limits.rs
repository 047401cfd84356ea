//! Methods that never end, or use too much memory, end with an error.

use tosca_parse_murano::{Access, Arguments, PackageSource, Runtime, category};
use tosca_parse_yaql::{Limits, Value};

const CLASSES: &str = include_str!("greedy.yaml");

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
    // If code could catch this error, it would continue forever.
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

/// Shared values count each time they occur, because they are written and compared each time.
#[test]
fn shared_values_have_a_size() {
    ends_with("shared", "YaqlMemoryQuota");
    ends_with("sharedByKey", "YaqlMemoryQuota");
    // Functions may iterate over their arguments, which takes steps.
    ends_with("sharedByCall", "Steps");
}

/// All work takes steps; `cargo run -p counts -- growth` checks that all steps are about the same amount of work.
#[test]
fn methods_that_never_end_run_out_of_steps() {
    for method in
        ["grow", "enter", "match", "make", "square", "throw", "copy", "compare", "lookAround", "searchAll", "split"]
    {
        ends_with(method, "Steps");
    }
}

/// Declarations that refer to themselves end with an error, wherever they are in a class.
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

#[test]
fn recorded_effects_have_a_size() {
    let text = "\
Name: t.Stack
Extends: io.murano.system.HeatStack
Methods:
  clear:
    Body:
      - While: 1 = 1
        Do: [$.delete()]
";
    let mut limits = Limits::murano().with_steps(1_000_000);
    limits.budget.bytes = 1 << 20;
    let package = PackageSource::from_text("t", "1.4", &[], text).unwrap();
    let runtime = Runtime::builder().package(package).limits(limits).record().build().unwrap();
    let header = Value::dict([("type".into(), "t.Stack".into()), ("id".into(), "s".into())]);
    runtime.load_object(&Value::dict([("?".into(), header), ("name".into(), "web".into())])).unwrap();
    let error = runtime.call_object("s", "clear", Arguments::default(), Access::Session).unwrap_err();
    assert_eq!(category(&error), "Bytes", "{error}");
}
