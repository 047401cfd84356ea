//! Classes with many ancestors.

use std::fmt::Write as _;

use tosca_parse::budget;
use tosca_parse::entity::ModelLimits;

use super::*;
use tosca_parse_murano::{Access, Arguments, PackageSource, Runtime, category};
use tosca_parse_yaql::{Limits, Value};

/// Returns classes each of which extends the one before, with the given members.
fn line(name: &str, length: usize, members: impl Fn(usize) -> String) -> Vec<String> {
    let class = |i: usize| {
        let parent = if i == 0 { "io.murano.Object".to_owned() } else { format!("{name}{}", i - 1) };
        format!("---\nName: {name}{i}\nExtends: {parent}\n{}\n", members(i))
    };
    (0..length).map(class).collect()
}

fn chain(name: &str, length: usize, members: impl Fn(usize) -> String) -> String {
    line(name, length, members).concat()
}

fn method(name: &str) -> String {
    format!("Methods: {{ {name}: {{}} }}")
}

fn init(argument: usize) -> String {
    format!("Methods: {{ .init: {{ Arguments: [ a{argument}: {{ Contract: $ }} ] }} }}")
}

fn problems_of(classes: &str) -> Vec<String> {
    let text = format!("Namespaces: {{ =: t }}\n{classes}");
    all(&parse(&[("c.yaml", &text)], "c.yaml"))
}

/// Two lines of classes, classes that extend the last class of both, and one that uses members from both lines.
fn joined(members: impl Fn(&'static str, usize) -> String, length: usize, count: usize) -> String {
    // In turn, so that neither the classes nor their members are in one range of IDs.
    let [a, b] = ["A", "B"].map(|name| line(name, length, |i| members(name, i)));
    let mut text: String = a.into_iter().zip(b).flat_map(|(a, b)| [a, b]).collect();
    for i in 0..count {
        let _ = write!(text, "---\nName: X{i}\nExtends: [ A{0}, B{0} ]\n", length - 1);
    }
    text + "---\nName: Y\nExtends: X0\nMethods: { m: { Body: [ $.A0(), $.B0() ] } }\n"
}

#[test]
fn further_parents_of_many_types_have_a_limit() {
    let report =
        "T3003 `X0`: the types inherit too much from several parents: each inherits only from its first parent";
    let few = joined(|name, i| method(&format!("{name}{i}")), 60, 100);
    assert_eq!(problems_of(&few), [""; 0]);
    // The ancestors, without members.
    assert_eq!(problems_of(&joined(|_, _| String::new(), 1_200, 1_000)), [report]);
}

/// The same files have the same problems, however many threads there are, and whether they are read again or not.
#[test]
fn the_limit_on_further_parents_does_not_depend_on_threads() {
    let methods = |name: &str| (0..1_200).fold(String::new(), |text, i| format!("{text}  {name}{i}: {{}}\n"));
    let classes = joined(|name, _| format!("Methods:\n{}", methods(name)), 1, 1_000);
    let memory = MemoryProvider::new();
    let entry = Address::parse("memory:/c.yaml").unwrap();
    memory.insert(entry.clone(), format!("Namespaces: {{ =: t }}\n{classes}").into_bytes());
    let memory = Arc::new(memory);
    let mut found = Vec::new();
    for threads in [1, 2, 5] {
        let parser = Parser::builder(&MURANO).provider(memory.clone()).threads(threads).build().unwrap();
        for _ in 0..2 {
            found.push(all_with_help(&parser.parse_entry(Entry::at(entry.clone()))));
        }
    }
    assert!(found[0].len() == 1 && found[0][0].starts_with("T3003"), "{:.400?}", found[0]);
    assert!(found.iter().all(|problems| *problems == found[0]), "the problems differ");
}

#[test]
fn values_for_initializers_of_all_ancestors_are_known() {
    let joint =
        format!("{}{}---\nName: X\nExtends: [ A2, B2 ]\n", chain("A", 3, init), chain("B", 3, |i| init(10 + i)));
    let made = "---\nName: Y\nExtends: X\n---\nName: Z\nMethods:\n  m:\n    Body:\n      - new(Y, a0 => 1, a2 => 1, a10 => 1, a12 => 1, b => 1)\n";
    assert_eq!(
        problems_of(&format!("Name: First\n{joint}{made}")),
        ["M5004 `b`: class `t.Y` has no property `b`: the value is ignored"]
    );
}

#[test]
fn ancestors_are_followed_for_a_limited_number_of_uses() {
    let unchecked = |class: &str| format!("T5803 `{class}`: class `t.{class}` is not checked for all of its uses");
    // Values for `.init` of many ancestors.
    let body = (0..40).fold(String::new(), |text, _| format!("{text}      - new(C299, a0 => 1)\n"));
    let made = format!("Name: Z\nMethods:\n  m:\n    Body:\n{body}{}", chain("C", 300, init));
    assert_eq!(problems_of(&made), [unchecked("C299")]);
    let body = (0..40).fold(String::new(), |text, _| format!("{text}      - new(C299)\n"));
    let made = format!("Name: Z\nMethods:\n  m:\n    Body:\n{body}{}", chain("C", 300, |_| String::new()));
    assert_eq!(problems_of(&made), [""; 0]);
    // Methods that `.init` calls, which any ancestor may declare.
    let calls = (0..100).fold(String::new(), |text, i| format!("{text}$.m{i}(), "));
    let writing = format!(
        "Name: Z\nExtends: C299\nProperties: {{ p: {{ Contract: $ }} }}\nMethods:\n  .init: {{ Body: [ {calls}$.m() ] }}\n  m: {{ Body: [ $.p: 1 ] }}\n{}",
        chain("C", 300, |i| method(&format!("m{i}")))
    );
    assert_eq!(problems_of(&writing), [unchecked("Z")]);
    // Metadata of ancestors.
    let meta = |_| "Meta: [ M: {} ]".to_owned();
    let twice = format!(
        "Name: M\nUsage: Meta\nInherited: true\n{}{}---\nName: Z\nExtends: [ A99, B99 ]\n",
        chain("A", 100, meta),
        chain("B", 100, meta)
    );
    assert_eq!(problems_of(&twice), [unchecked("Z")]);
}

/// Returns a class with properties and a method.
fn properties(count: usize) -> String {
    let all = (0..count).fold(String::new(), |text, i| format!("{text}  p{i}: {{ Contract: $ }}\n"));
    format!("Name: A\nProperties:\n{all}Methods: {{ m: {{ Scope: Public, Body: [ Return: 1 ] }} }}\n")
}

/// Ancestors and properties count toward the limits of an evaluation, because each object has all of them.
#[test]
fn objects_of_large_classes_take_steps() {
    let ends = |classes: &str, class: &str, expected: &str| {
        let classes = format!("Namespaces: {{ =: t }}\n{classes}");
        let package = PackageSource::from_text("t", "1.4", &[], &classes).unwrap();
        let limits =
            Limits { budget: budget::Limits { steps: 20_000, bytes: 100_000, stack: 1 << 20 }, ..Limits::murano() };
        let runtime = Runtime::builder().package(package).limits(limits).build().unwrap();
        let object = Value::dict([("type".into(), format!("t.{class}").as_str().into()), ("id".into(), "o".into())]);
        let model = Value::dict([("?".into(), object)]);
        let result = runtime.load_object(&model).and_then(|_| {
            (0..10).try_fold(Value::Null, |_, _| runtime.call_object("o", "m", Arguments::default(), Access::Session))
        });
        assert_eq!(result.as_ref().map_or_else(category, |_| "none"), expected, "{class}: {result:?}");
    };
    let called = |i: usize| {
        if i == 0 { "Methods: { m: { Scope: Public, Body: [ Return: 1 ] } }".to_owned() } else { String::new() }
    };
    ends(&chain("C", 20, called), "C19", "none");
    ends(&chain("C", 2_000, called), "C1999", "Steps");
    ends(&properties(20), "A", "none");
    ends(&properties(2_500), "A", "Steps");
}

/// The user can raise the limits of the evaluation that checks a model.
#[test]
fn models_have_the_limits_of_the_parser() {
    let memory = MemoryProvider::new();
    let address = |path: &str| Address::parse(&format!("memory:/p/{path}")).unwrap();
    let manifest = "Format: 1.4\nType: Library\nFullName: t\nClasses: { t.A: A.yaml }\n";
    let class = format!("Namespaces: {{ =: t }}\n{}", properties(40));
    let model = r#"{ "?": { "type": "t.A", "id": "root" } }"#;
    for (path, text) in [("manifest.yaml", manifest), ("Classes/A.yaml", &class), ("model.json", model)] {
        memory.insert(address(path), text.as_bytes().to_vec());
    }
    let memory = Arc::new(memory);
    let problems = |steps| {
        let mut limits = ModelLimits::default();
        limits.evaluation.steps = steps;
        let parser = Parser::builder(&MURANO).provider(memory.clone()).model_limits(limits).build().unwrap();
        all(&parser.parse_entry(Entry::at(address("model.json"))))
    };
    assert_eq!(problems(10_000), [""; 0]);
    let few = problems(0);
    assert!(few.len() == 1 && few[0].contains("the evaluation takes more than"), "{few:?}");
}
