//! Expressions that need too much time or memory end with an error, whatever they contain.

use tosca_parse_yaql::{Dialect, Engine, ErrorKind, Limits, Value};

/// Fewer steps than by default, because tests are not optimized.
const STEPS: u64 = 200_000;

fn evaluate(expression: &str) -> Result<Value, ErrorKind> {
    let limits = Limits::default().with_steps(STEPS);
    Engine::new(Dialect::Standard, limits).evaluate(expression, Value::Null).map_err(|error| error.kind())
}

/// Checks that the expressions exceed the budget: steps or bytes, whichever is exhausted first.
#[track_caller]
fn are_refused(expressions: &[&str]) {
    for expression in expressions {
        let result = evaluate(expression);
        assert!(matches!(result, Err(ErrorKind::Steps | ErrorKind::Bytes)), "{expression}: {result:?}");
    }
}

#[track_caller]
fn are_too_large(expressions: &[&str]) {
    for expression in expressions {
        assert_eq!(evaluate(expression), Err(ErrorKind::MemoryQuota), "{expression}");
    }
}

#[test]
fn large_integers_cost_what_they_take() {
    are_too_large(&[
        "shiftBitsLeft(1, 100000000)",
        "pow(10, pow(10, 8))",
        "pow(2, 70000)",
        "shiftBitsLeft(1, 60000) * shiftBitsLeft(1, 60000)",
        "range(30).aggregate($1 * $1, 3)",
    ]);
    are_refused(&[
        "pow(shiftBitsLeft(1,40000)-1, shiftBitsLeft(1,40000)-1, shiftBitsLeft(1,40000)-3)",
        "let(x => shiftBitsLeft(1,32000)-1) -> range(1000000).select($x * $x).len()",
        "let(x => shiftBitsLeft(1,65000)-1) -> range(1000000).select($x / 3).len()",
        "let(x => shiftBitsLeft(1,65000)-1) -> range(1000000).select(str($x)).len()",
        "let(x => '9' * 19000) -> range(1000000).select(int($x)).len()",
    ]);
    assert_eq!(evaluate("pow(2, 65000) mod 7919"), evaluate("pow(2, 65000, 7919)"));
    assert_eq!(evaluate("shiftBitsRight(shiftBitsLeft(1, 65000), 65000)"), Ok(Value::from(1)));
}

#[test]
fn all_values_together_are_bounded() {
    are_refused(&[
        "range(1000000).select(let($)).toList()",
        "('a' * 20000000) + ('b' * 20000000)",
        "let(x => 'a' * 1000000) -> range(1000).select($x + str($)).toList()",
        "let(x => range(10000).toList()) -> range(1000).select($x + [$]).toList()",
        "range(100000).toDict($, range(1000).toList())",
    ]);
}

#[test]
fn items_that_iterators_keep_are_bounded() {
    for kept in [
        "slice(1)",
        "reverse()",
        "replace(1, 2)",
        "replaceMany(1, [2])",
        "delete(1)",
        "insert(1, 2)",
        "insertMany(1, [2])",
        "append(1).reverse()",
        "groupBy($)",
        "orderBy($)",
        "orderBy($).thenBy($)",
        "splitWhere($ mod 2 = 0)",
        "sliceWhere($ mod 2)",
        "join($a, true, 1)",
    ] {
        let expression = |count| {
            format!("let(a => range(1000).toList()) -> range({count}).select($a.select($).{kept}).toList().len()")
        };
        let mut limits = Limits::default();
        limits.budget.bytes = 1 << 20;
        let engine = Engine::new(Dialect::Standard, limits);
        assert_eq!(engine.evaluate(&expression(2), Value::Null).ok(), Some(Value::from(2)), "{kept}");
        let result = engine.evaluate(&expression(100), Value::Null).map_err(|error| error.kind());
        assert_eq!(result, Err(ErrorKind::Bytes), "{kept}");
    }
}

#[test]
fn entries_of_copied_dictionaries_are_steps() {
    are_refused(&[
        "range(5000).aggregate($1.set($2, 1), {}).len()",
        "range(5000).aggregate($1.set({$2 => 1}), {}).len()",
        "range(5000).aggregate($1 + {$2 => 1}, {}).len()",
        "range(5000).aggregate($1.mergeWith(dict(str($2) => $2)), {}).len()",
        "range(5000).aggregate($1.add($2), set()).len()",
        "let(a => range(5000).toDict($)) -> range(5000).select($a.delete($).len()).sum()",
    ]);
    assert_eq!(evaluate("range(50).aggregate($1.set($2, 1), {}).len()"), Ok(Value::from(50)));
}

#[test]
fn values_that_are_dropped_are_given_back() {
    // All lists together take more than the limit.
    let expression = "let(x => range(2000).toList()) -> range(1000).select(($x + [$]).len()).max()";
    assert_eq!(Engine::default().evaluate(expression, Value::Null).ok(), Some(Value::from(2001)));
}

#[test]
fn each_item_of_any_collection_is_a_step() {
    are_refused(&[
        "sequence().skip(999999).first()",
        "range(1000000).indexOf(-1)",
        "range(1000000).cycle().take(999999).len()",
        "sequence().where(false).first()",
        "range(1000000).distinct().len()",
        "let(x => 'a' * 10000000) -> range(100).select($x.len()).sum()",
        "let(x => range(100000).select(dict(a => $)).toList()) -> $x.distinct().len()",
        "call(let, [], range(10000).toDict('a' + str($), $))",
    ]);
}

#[test]
fn patterns_cost_what_they_take() {
    are_refused(&[
        "range(1, 1000000).select('a' =~ ('x{' + str($) + '}')).len()",
        r"let(x => 'ab' * 1000000) -> $x =~ '\\w{250}c'",
        "regex('').searchAll('a' * 1000000).len()",
    ]);
    // A pattern is compiled once.
    assert_eq!(evaluate(r"range(1000).select('a' =~ '\\w{1,9}').all($)"), Ok(true.into()));
}

#[test]
fn equal_collections_have_equal_hashes() {
    assert_eq!(evaluate("[{a => 1, b => 2}, {b => 2, a => 1}, set(1, 2), set(2, 1)].distinct().len()"), Ok(2.into()));
}
