//! Expressions that would take all time or memory end with an error, whatever they consist of.

use tosca_parse_yaql::{Dialect, Engine, ErrorKind, Limits, Value};

/// Fewer steps than by default, since tests are not optimized.
const STEPS: u64 = 200_000;

fn evaluate(expression: &str) -> Result<Value, ErrorKind> {
    let limits = Limits::default().with_steps(STEPS);
    Engine::new(Dialect::Standard, limits).evaluate(expression, Value::Null).map_err(|error| error.kind())
}

#[track_caller]
fn ends_with(kind: ErrorKind, expressions: &[&str]) {
    for expression in expressions {
        assert_eq!(evaluate(expression), Err(kind), "{expression}");
    }
}

#[test]
fn large_integers_cost_what_they_take() {
    ends_with(
        ErrorKind::MemoryQuota,
        &[
            "shiftBitsLeft(1, 100000000)",
            "pow(10, pow(10, 8))",
            "pow(2, 70000)",
            "shiftBitsLeft(1, 60000) * shiftBitsLeft(1, 60000)",
            "range(30).aggregate($1 * $1, 3)",
        ],
    );
    ends_with(
        ErrorKind::Steps,
        &[
            "pow(shiftBitsLeft(1,40000)-1, shiftBitsLeft(1,40000)-1, shiftBitsLeft(1,40000)-3)",
            "let(x => shiftBitsLeft(1,32000)-1) -> range(1000000).select($x * $x).len()",
            "let(x => shiftBitsLeft(1,65000)-1) -> range(1000000).select($x / 3).len()",
            "let(x => shiftBitsLeft(1,65000)-1) -> range(1000000).select(str($x)).len()",
            "let(x => '9' * 19000) -> range(1000000).select(int($x)).len()",
        ],
    );
    assert_eq!(evaluate("pow(2, 65000) mod 7919"), evaluate("pow(2, 65000, 7919)"));
    assert_eq!(evaluate("shiftBitsRight(shiftBitsLeft(1, 65000), 65000)"), Ok(Value::from(1)));
}

#[test]
fn all_values_together_are_bounded() {
    ends_with(
        ErrorKind::Bytes,
        &[
            "range(1000000).select(let($)).toList()",
            "('a' * 20000000) + ('b' * 20000000)",
            "let(x => 'a' * 1000000) -> range(1000).select($x + str($)).toList()",
            "let(x => range(10000).toList()) -> range(1000).select($x + [$]).toList()",
            "range(100000).toDict($, range(1000).toList())",
        ],
    );
}

#[test]
fn values_that_are_dropped_are_given_back() {
    // Each list takes 24 bytes an item, all of them more than the limit.
    assert_eq!(
        evaluate("let(x => range(2000).toList()) -> range(1500).select(($x + [$]).len()).max()"),
        Ok(2001.into())
    );
}

#[test]
fn each_item_of_any_collection_is_a_step() {
    ends_with(
        ErrorKind::Steps,
        &[
            "sequence().skip(999999).first()",
            "range(1000000).indexOf(-1)",
            "range(1000000).cycle().take(999999).len()",
            "sequence().where(false).first()",
            "range(1000000).distinct().len()",
            "let(x => 'a' * 10000000) -> range(100).select($x.len()).sum()",
            "let(x => range(100000).select(dict(a => $)).toList()) -> $x.distinct().len()",
            "call(let, [], range(10000).toDict('a' + str($), $))",
        ],
    );
}

#[test]
fn endless_recursion_ends() {
    ends_with(ErrorKind::Depth, &["def(f, f($ + 1)) -> f(1)", "def(f, [f($)]) -> f(1)"]);
}

#[test]
fn patterns_cost_what_they_take() {
    ends_with(
        ErrorKind::Steps,
        &[
            r"range(1, 1000000).select('a' =~ ('\\w{' + str($) + '}')).len()",
            r"let(x => 'ab' * 1000000) -> $x =~ '\\w{250}c'",
            "regex('').searchAll('a' * 1000000).len()",
        ],
    );
    // A pattern is compiled once.
    assert_eq!(evaluate(r"range(1000).select('a' =~ '\\w{1,40}').all($)"), Ok(true.into()));
}

#[test]
fn equal_collections_have_equal_hashes() {
    assert_eq!(evaluate("[{a => 1, b => 2}, {b => 2, a => 1}, set(1, 2), set(2, 1)].distinct().len()"), Ok(2.into()));
}
