//! Points in time and lengths of time.

use super::Table;
use crate::error::value_error;
use crate::function::Call;
use crate::timestamp::{Parts, Span, Timestamp};
use crate::value::Value;

pub(super) const TABLE: Table = &[
    (
        "datetime(year: int, month: int, day: int, hour: int=0, minute: int=0, second: int=0, microsecond: int=0, offset: timedelta=∅)",
        |call| Timestamp::from_parts(&parts(|index| call.number(index)), span(call, 7)).map(Value::Timestamp),
    ),
    ("datetime(string: String, format: String?=null)", |call| {
        let text = call.text(0);
        let timestamp = match call.optional_text(1) {
            Some(format) => Timestamp::parse_as(&text, &format),
            None => Timestamp::parse(&text),
        };
        timestamp.map(Value::Timestamp)
    }),
    ("datetime(timestamp: Number, offset: timedelta=∅)", |call| {
        Timestamp::from_unix_time(call.value(0).as_float().unwrap_or(0.0), span(call, 1)).map(Value::Timestamp)
    }),
    ("now(offset: timedelta?=∅)", |call| Timestamp::now(span(call, 0)).map(Value::Timestamp)),
    ("utctz()", |_| Ok(Value::Span(Span { microseconds: 0 }))),
    ("localtz()", |_| {
        let offset = jiff::Zoned::now().offset().seconds();
        Ok(Value::Span(Span { microseconds: i64::from(offset) * 1_000_000 }))
    }),
    (
        "timespan(days: int=0, hours: int=0, minutes: int=0, seconds: Integer=0, milliseconds: Integer=0, microseconds: Integer=0)",
        |call| {
            let units = [86_400_000_000, 3_600_000_000, 60_000_000, 1_000_000, 1000, 1];
            let total = units.iter().enumerate().try_fold(0_i64, |total, (index, unit)| {
                call.whole(index).to_i64()?.checked_mul(*unit)?.checked_add(total)
            });
            let microseconds = total.ok_or_else(|| value_error("the timespan is out of range"))?;
            Ok(Value::Span(Span { microseconds }))
        },
    ),
    (
        ".replace(dt: DateTime, year: int?=null, month: int?=null, day: int?=null, hour: int?=null, minute: int?=null, second: int?=null, microsecond: int?=null, offset: timedelta?=null)",
        |call| {
            let Value::Timestamp(timestamp) = call.value(0) else { return Ok(Value::Null) };
            let old = timestamp.parts();
            let all = [old.year, old.month, old.day, old.hour, old.minute, old.second, old.microsecond];
            let part = |index: usize| if call.value(index + 1).is_null() { all[index] } else { call.number(index + 1) };
            let offset = if call.value(8).is_null() { timestamp.offset() } else { span(call, 8) };
            Timestamp::from_parts(&parts(part), offset).map(Value::Timestamp)
        },
    ),
    (".format(dt: DateTime, format: String)", |call| match call.value(0) {
        Value::Timestamp(timestamp) => timestamp.format(&call.text(1)).map(Value::from),
        _ => Ok(Value::Null),
    }),
];

fn parts(part: impl Fn(usize) -> i64) -> Parts {
    Parts {
        year: part(0),
        month: part(1),
        day: part(2),
        hour: part(3),
        minute: part(4),
        second: part(5),
        microsecond: part(6),
    }
}

fn span(call: &Call<'_>, index: usize) -> Span {
    match call.value(index) {
        Value::Span(span) => span,
        _ => Span { microseconds: 0 },
    }
}
