//! `MuranoPL` methods that never end: a step must cost about the same in all of them. And chains of classes.

use tosca_parse::murano::{Access, Arguments, PackageSource, Runtime, category};
use tosca_parse::yaql::{Engine, Limits, Value};

use super::{Comparison, lines};

const METHODS: &[&str] = &[
    "loop",
    "grow",
    "enter",
    "match",
    "make",
    "square",
    "throw",
    "copy",
    "compare",
    "lookAround",
    "searchAll",
    "split",
];

/// Runs a method for a number of steps.
fn run(method: &str, steps: usize) {
    let limits = Limits { depth: 100, ..Limits::murano() }.with_steps(steps as u64);
    let classes = include_str!("../../../../crates/murano/tests/it/greedy.yaml");
    let package = PackageSource::from_text("t", "1.4", &[], classes).expect("the package is valid");
    let runtime = Runtime::builder().package(package).limits(limits).build().expect("the package is valid");
    let header = Value::dict([("type".into(), "t.Greedy".into()), ("id".into(), "g".into())]);
    runtime.load_object(&Value::dict([("?".into(), header)])).expect("the object is valid");
    let error = runtime.call_object("g", method, Arguments::default(), Access::Session).expect_err("it never ends");
    assert!(["Steps", "Bytes"].contains(&category(&error)), "{method}: {error}");
}

/// Loads classes each of which extends the next, and calls a method that all of them declare.
fn load(classes: usize) {
    let text = lines(classes, |i| {
        let parent = if i + 1 == classes { "io.murano.Object".to_owned() } else { format!("C{}", i + 1) };
        format!(
            "---\nNamespaces: {{ =: t }}\nName: C{i}\nExtends: {parent}\nMethods: {{ m: {{ Body: {{ Return: {i} }} }} }}"
        )
    });
    let package = PackageSource::from_text("t", "1.4", &[], &text).expect("the package is valid");
    let runtime = Runtime::builder().package(package).build().expect("the package is valid");
    assert!(runtime.check_classes().is_empty());
    let header = Value::dict([("type".into(), "t.C0".into()), ("id".into(), "c".into())]);
    runtime.load_object(&Value::dict([("?".into(), header)])).expect("the object is valid");
    let result = runtime.call_object("c", "m", Arguments::default(), Access::Session);
    assert_eq!(result.expect("the method is valid"), Value::integer(0));
}

/// Adds values that do not equal themselves to a set.
fn set_of_nan(size: usize) -> usize {
    let data = Value::list(vec![Value::Float(f64::NAN); size]);
    let length = Engine::default().evaluate("$.toSet().len()", data).expect("the expression is valid");
    assert_eq!(length.as_float(), Some(size as f64));
    0
}

pub(super) fn comparisons() -> impl Iterator<Item = Comparison> {
    let steps = METHODS.iter().map(|method| {
        Comparison::growth(&format!("steps of {method}"), 10_000, |steps| {
            run(method, steps);
            0
        })
    });
    let classes = Comparison::growth("MuranoPL: loaded classes that extend the next", 200, |classes| {
        load(classes);
        0
    });
    steps.chain([classes, Comparison::growth("YAQL: a set of NaN", 1_000, set_of_nan)])
}
