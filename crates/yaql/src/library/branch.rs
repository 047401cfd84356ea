//! Conditions and assertions.

use super::Table;
use crate::error::{Error, ErrorKind};
use crate::value::Value;

pub(super) const TABLE: Table = &[
    ("switch(*args: MappingRule)", |call| {
        for (condition, value) in call.rest_mappings() {
            if condition.evaluate()?.is_truthy() {
                return value.evaluate();
            }
        }
        Ok(Value::Null)
    }),
    ("coalesce(*args: Lambda)", |call| {
        for lambda in call.rest_lambdas() {
            let value = lambda.evaluate()?;
            if !value.is_null() {
                return Ok(value);
            }
        }
        Ok(Value::Null)
    }),
    ("examine(*args: Lambda)", |call| {
        let conditions = call.rest_lambdas().into_iter().map(|lambda| Ok(lambda.evaluate()?.is_truthy().into()));
        conditions.collect::<crate::Result<Vec<_>>>().map(Value::list)
    }),
    ("selectCase(*args: Lambda)", |call| {
        let conditions = call.rest_lambdas();
        for (number, condition) in conditions.iter().enumerate() {
            if condition.evaluate()?.is_truthy() {
                return Ok(Value::integer(number));
            }
        }
        Ok(Value::integer(conditions.len()))
    }),
    ("selectAllCases(*args: Lambda)", |call| {
        let mut truthy = Vec::new();
        for (number, condition) in call.rest_lambdas().iter().enumerate() {
            if condition.evaluate()?.is_truthy() {
                truthy.push(Value::integer(number));
            }
        }
        Ok(Value::list(truthy))
    }),
    (".switchCase(case: int, *args: Lambda)", |call| {
        let cases = call.rest_lambdas();
        let case = usize::try_from(call.number(0)).ok().and_then(|case| cases.get(case));
        case.or(cases.last()).map_or(Ok(Value::Null), crate::Lambda::evaluate)
    }),
    (".assert(obj: any, condition: Lambda, message: String=\"Assertion failed\")", |call| {
        let value = call.value(0);
        if !call.demanded_lambda(1)?.call([value.clone()])?.is_truthy() {
            return Err(Error::new(ErrorKind::Assertion, &*call.text(2)));
        }
        Ok(value)
    }),
];
