//! Expressions with the results of the reference. They are not part of the project: `TOSCA_PARSE_MURANO_CASES` names
//! their folder. Without it, they are in `conformance/murano` below the folder that `TOSCA_PARSE_SHARED` names.

use std::path::PathBuf;
use std::rc::Rc;

use serde_json::Value as Json;
use tosca_parse_yaql::{
    Context, Dialect, Error, ErrorKind, Expression, Limits, Meter, Syntax, Value, View, formatting, legacy, standard,
};

/// The minimum share of the cases that must pass.
const GOAL: f64 = 0.98;

fn cases() -> Option<Vec<Json>> {
    let shared =
        || std::env::var_os("TOSCA_PARSE_SHARED").map(|shared| PathBuf::from(shared).join("conformance/murano"));
    let folder = std::env::var_os("TOSCA_PARSE_MURANO_CASES").map(PathBuf::from).or_else(shared)?;
    let file = [folder.join("public/yaql.json"), folder.join("yaql.json")].into_iter().find(|file| file.exists())?;
    serde_json::from_slice(&std::fs::read(file).ok()?).ok()
}

#[test]
fn expressions_evaluate_as_in_the_reference() {
    let Some(cases) = cases() else {
        eprintln!("skipped: neither TOSCA_PARSE_MURANO_CASES nor TOSCA_PARSE_SHARED names the cases");
        return;
    };
    let (mut passed, mut failed) = (0, 0);
    for case in &cases {
        let modern = match case["engine"].as_str() {
            Some("std") => Some((Variant::Standard, &case["expected"])),
            Some("yaql2") => Some((Variant::Formatting, &case["expected"])),
            _ => None,
        };
        let legacy =
            case.get("expected_mpl_1_0").filter(|_| modern.is_some()).map(|expected| (Variant::Legacy, expected));
        for (variant, expected) in modern.into_iter().chain(legacy) {
            let actual = evaluate(case, variant);
            if agrees(&actual, expected, case["unordered"] == true) {
                passed += 1;
            } else {
                failed += 1;
                println!("{} {variant:?} `{}`: {actual:?} instead of {expected}", case["id"], case["expr"]);
            }
        }
    }
    println!("yaql: {passed} passed, {failed} failed");
    assert!(f64::from(passed) >= GOAL * f64::from(passed + failed), "{failed} cases failed");
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Variant {
    Standard,
    Formatting,
    Legacy,
}

fn evaluate(case: &Json, variant: Variant) -> Result<Value, Error> {
    let expression = Expression::parse(case["expr"].as_str().unwrap_or_default(), Syntax::Standard)?;
    let (dialect, limits) = match variant {
        Variant::Legacy => (Dialect::Legacy, Limits::murano()),
        _ => (Dialect::Standard, Limits::default()),
    };
    let mut context = Context::new(Rc::new(Meter::new(limits)), dialect, standard());
    if variant != Variant::Standard {
        context = context.with_library(formatting());
    }
    if variant == Variant::Legacy {
        context = context.with_library(legacy());
    }
    context.set_data(Value::from(&case["data"]));
    context.evaluate(expression.root())
}

fn agrees(actual: &Result<Value, Error>, expected: &Json, unordered: bool) -> bool {
    match (actual, expected.get("ok")) {
        (Ok(value), Some(expected)) if unordered => sorted(value) == sorted(&Value::from(expected)),
        (Ok(value), Some(expected)) => same(value, expected),
        (Err(error), None) => category(error.kind()) == expected["error"]["category"],
        _ => false,
    }
}

fn sorted(value: &Value) -> Vec<String> {
    let mut items: Vec<_> = match value {
        Value::Set(elements) => elements.iter().map(Value::repr).collect(),
        _ => value.as_list().into_iter().flatten().map(Value::repr).collect(),
    };
    items.sort();
    items
}

fn same(value: &Value, expected: &Json) -> bool {
    match (value, expected) {
        (Value::Null, Json::Null) => true,
        (Value::Boolean(truth), Json::Bool(expected)) => truth == expected,
        (Value::Integer(number), Json::Number(expected)) => match expected.as_i64() {
            Some(expected) => number.to_i64() == Some(expected),
            None => number.to_i64().is_none() && Some(number.to_f64()) == expected.as_f64(),
        },
        (Value::Float(number), Json::Number(expected)) => expected.is_f64() && expected.as_f64() == Some(*number),
        (Value::String(text), Json::String(expected)) => **text == **expected,
        (Value::List(items), Json::Array(expected)) => {
            items.len() == expected.len() && items.iter().zip(expected).all(|(value, expected)| same(value, expected))
        }
        (Value::Set(_), Json::Array(_)) => sorted(value) == sorted(&Value::from(expected)),
        (Value::View(View::Keys | View::Values | View::Items, _), _) => false,
        (Value::Dict(entries), Json::Object(expected)) => match expected.get("@dict").and_then(Json::as_array) {
            Some(pairs) => {
                let found =
                    |pair: &Json| entries.iter().any(|(key, value)| same(key, &pair[0]) && same(value, &pair[1]));
                pairs.len() == entries.len() && pairs.iter().all(found)
            }
            None => {
                let found =
                    |(key, expected): (&String, &Json)| value.get(key).is_some_and(|value| same(value, expected));
                expected.len() == entries.len() && expected.iter().all(found)
            }
        },
        (_, Json::Object(expected)) => expected.contains_key("@repr"),
        _ => false,
    }
}

fn category(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Lexical => "YaqlLexical",
        ErrorKind::Grammar => "YaqlGrammar",
        ErrorKind::NoFunction => "YaqlNoFunction",
        ErrorKind::NoMethod => "YaqlNoMethod",
        ErrorKind::NoMatchingFunction => "YaqlNoMatchingFunction",
        ErrorKind::NoMatchingMethod => "YaqlNoMatchingMethod",
        ErrorKind::AmbiguousFunction => "YaqlAmbiguousFunction",
        ErrorKind::AmbiguousMethod => "YaqlAmbiguousMethod",
        ErrorKind::MappingTranslation => "YaqlMappingTranslation",
        ErrorKind::CollectionTooLarge => "YaqlCollectionTooLarge",
        ErrorKind::MemoryQuota => "YaqlMemoryQuota",
        ErrorKind::Value => "Value",
        ErrorKind::Type => "Type",
        ErrorKind::Key => "Key",
        ErrorKind::Index => "Index",
        ErrorKind::ZeroDivision => "ZeroDivision",
        ErrorKind::Attribute => "Attribute",
        ErrorKind::Regex => "Regex",
        ErrorKind::EmptyCollection => "EmptyCollection",
        ErrorKind::Assertion => "Assertion",
        ErrorKind::Runtime => "Runtime",
        _ => "",
    }
}
