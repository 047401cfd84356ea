//! Primitive values that have several parts: numbers with units, versions, timestamps and ranges.

use jiff::civil::Date;
use jiff::tz::Offset;
use serde_json::{Number, Value, json};
use tosca_parse::normal::{Scalar, Value as Data};

/// The upper bound of a range without one.
const UNBOUNDED: u64 = u64::MAX;

/// Returns a number with a unit. The number in the canonical unit makes values comparable.
pub(super) fn scalar(text: &str, canonical: &Scalar) -> Option<Value> {
    let start = text.find(|letter: char| letter.is_alphabetic() && !is_exponent(text, letter))?;
    let (number, unit) = text.split_at(start);
    Some(json!({
        "$string": format!("{} {}", canonical.number, canonical.unit),
        "$number": number_of(&canonical.number)?,
        "$originalString": text,
        "scalar": number.trim().parse::<f64>().ok()?,
        "unit": unit,
    }))
}

/// Returns whether the first letter of a text belongs to a number, as in `1e3 MB`.
fn is_exponent(text: &str, letter: char) -> bool {
    let mut parts = text.splitn(2, letter);
    let is_digit = |text: &str| text.ends_with(|last: char| last.is_ascii_digit() || last == '.');
    letter.eq_ignore_ascii_case(&'e')
        && parts.next().is_some_and(is_digit)
        && parts.next().is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit() || "+-".contains(next)))
}

fn number_of(text: &str) -> Option<Number> {
    match text.parse::<i64>() {
        Ok(number) => Some(number.into()),
        Err(_) => Number::from_f64(text.parse().ok()?),
    }
}

/// Returns a version, such as `1.2.3.beta-4`.
pub(super) fn version(text: &str) -> Option<Value> {
    let (release, build) = text.rsplit_once('-').unwrap_or((text, "0"));
    let mut parts = release.splitn(4, '.');
    let mut number = |default: Option<u64>| parts.next().map_or(default, |part| part.parse().ok());
    let (major, minor, fix) = (number(None)?, number(None)?, number(Some(0))?);
    Some(json!({
        "$string": text,
        "$originalString": text,
        "$comparer": "tosca.comparer.version",
        "major": major,
        "minor": minor,
        "fix": fix,
        "qualifier": parts.next().unwrap_or_default(),
        "build": build.parse::<u64>().ok()?,
    }))
}

/// Returns a timestamp: a date, or a date with a time, which is in UTC if it names no time zone.
pub(super) fn timestamp(text: &str) -> Option<Value> {
    let (date, rest) = text.split_at(text.find(['T', 't', ' ', '\t']).unwrap_or(text.len()));
    let rest = rest.trim_start_matches(['T', 't', ' ', '\t']);
    let mut parts = date.splitn(3, '-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let date = Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()?;
    let (time, zone) = rest.split_at(rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len()));
    let mut parts = time.trim().splitn(3, ':').filter(|part| !part.is_empty());
    let mut part = || parts.next().unwrap_or("0");
    let (hour, minute, seconds) = (part().parse().ok()?, part().parse().ok()?, part());
    let (second, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
    let (second, nanoseconds) = (second.parse().ok()?, format!("{fraction:0<9}").get(..9)?.parse().ok()?);
    let (sign, zone) = zone.trim_end_matches(['Z', 'z']).split_at(zone.trim_end_matches(['Z', 'z']).len().min(1));
    let (zone_hour, zone_minute) = zone.split_once(':').unwrap_or((zone, "0"));
    let digits = |text: &str| if text.is_empty() { Some(0) } else { text.trim().parse::<i32>().ok() };
    let (zone_hour, zone_minute) = (digits(zone_hour)?, digits(zone_minute)?);
    let seconds_east = (zone_hour * 60 + zone_minute) * 60 * if sign == "-" { -1 } else { 1 };
    let moment = Offset::from_seconds(seconds_east).ok()?;
    let moment = moment.to_timestamp(date.to_datetime(jiff::civil::Time::new(hour, minute, second, nanoseconds).ok()?));
    let moment = moment.ok()?;
    Some(json!({
        "$string": moment.to_string(),
        "$number": i64::try_from(moment.as_nanosecond()).ok()?,
        "$originalString": text,
        "year": date.year(),
        "month": date.month(),
        "day": date.day(),
        "hour": hour,
        "minute": minute,
        "second": second,
        "fraction": format!("0.{fraction}").parse::<f64>().unwrap_or_default(),
        "tzSign": sign,
        "tzHour": zone_hour,
        "tzMinute": zone_minute,
    }))
}

/// Returns a range.
pub(super) fn range(bounds: &[Data]) -> Option<Value> {
    let [lower, upper] = bounds else { return None };
    let bound = |bound: &Data| match bound {
        Data::Integer(number) => Some(json!(number)),
        Data::String(word) if &**word == "UNBOUNDED" => Some(json!(UNBOUNDED)),
        _ => None,
    };
    Some(json!({ "lower": bound(lower)?, "upper": bound(upper)? }))
}
