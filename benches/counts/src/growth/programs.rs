//! `MuranoPL` methods that never end: a step must cost about the same in all of them.

use tosca_parse::murano::{Access, Arguments, PackageSource, Runtime, category};
use tosca_parse::yaql::{Limits, Value};

use super::Comparison;

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

pub(super) fn comparisons() -> impl Iterator<Item = Comparison> {
    METHODS.iter().map(|method| {
        Comparison::growth(&format!("steps of {method}"), 10_000, |steps| {
            run(method, steps);
            0
        })
    })
}
