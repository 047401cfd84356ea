//! Tests of the types of values.

use super::Table;
use crate::function::Type;
use crate::value::Value;

pub(super) const TABLE: Table = &[
    ("isBoolean(value: any)", |call| Ok(matches!(call.value(0), Value::Boolean(_)).into())),
    ("isDatetime(value: any)", |call| Ok(matches!(call.value(0), Value::Timestamp(_)).into())),
    ("isDict(arg: any)", |call| Ok(matches!(call.value(0), Value::Dict(_)).into())),
    ("isInteger(value: any)", |call| Ok(matches!(call.value(0), Value::Integer(_)).into())),
    ("isIterable(value: any)", |call| {
        let value = call.value(0);
        Ok((!matches!(value, Value::Dict(_)) && Type::Iterable.accepts(&value, call.context)).into())
    }),
    ("isList(arg: any)", |call| Ok(matches!(call.value(0), Value::List(_)).into())),
    ("isNumber(value: any)", |call| Ok(matches!(call.value(0), Value::Integer(_) | Value::Float(_)).into())),
    ("isRegex(value: any)", |call| Ok(matches!(call.value(0), Value::Pattern(_)).into())),
    ("isSet(arg: any)", |call| Ok(Type::Set.accepts(&call.value(0), call.context).into())),
    ("isString(arg: any)", |call| Ok(matches!(call.value(0), Value::String(_)).into())),
    ("isTimespan(value: any)", |call| Ok(matches!(call.value(0), Value::Span(_)).into())),
];
