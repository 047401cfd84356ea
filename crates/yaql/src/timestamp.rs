//! Points in time and lengths of time.

use std::fmt;

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::strtime;

use crate::error::{Error, Result, value_error};
use crate::value::Value;

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const SECOND_AS_FLOAT: f64 = 1_000_000.0;

/// A point in time, as shown by a clock with an offset from UTC.
#[derive(Clone, Copy, Debug)]
pub struct Timestamp {
    /// The microseconds since the start of 1970, by that clock.
    local: i64,
    /// The microseconds that the clock is ahead of UTC.
    offset: i64,
}

/// A length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The length in microseconds, which is negative if it leads into the past.
    pub microseconds: i64,
}

/// The parts of a point in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    pub(crate) year: i64,
    pub(crate) month: i64,
    pub(crate) day: i64,
    pub(crate) hour: i64,
    pub(crate) minute: i64,
    pub(crate) second: i64,
    pub(crate) microsecond: i64,
}

/// Timestamps are equal if they are the same point in time.
impl PartialEq for Timestamp {
    fn eq(&self, other: &Self) -> bool {
        self.instant() == other.instant()
    }
}

/// Returns whether a word is the name of a day or its beginning.
fn is_day(word: &str) -> bool {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    word.len() >= 3 && DAYS.iter().any(|day| day.starts_with(&word.to_ascii_lowercase()))
}

/// Translates the directives of a Python format that the library interprets differently. `%Z` becomes the name of the
/// given time zone.
fn of_python(format: &str, zone: &str) -> String {
    let mut made = String::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        made.push_str(before);
        let directive = after.chars().next();
        let length = directive.map_or(0, char::len_utf8);
        match directive {
            Some('c') => made.push_str("%a %b %e %H:%M:%S %Y"),
            Some('x') => made.push_str("%m/%d/%y"),
            Some('X') => made.push_str("%H:%M:%S"),
            Some('f') => made.push_str("%6f"),
            // A fixed offset has no name.
            Some('Z') => made.push_str(zone),
            Some('N') => made.push_str("%%N"),
            Some('Q') => made.push_str("%%Q"),
            None => made.push_str("%%"),
            Some(_) => made.extend(["%", &after[..length]]),
        }
        rest = &after[length..];
    }
    made + rest
}

fn out_of_range() -> Error {
    value_error("date value out of range")
}

impl Timestamp {
    pub(crate) fn from_parts(parts: &Parts, offset: Span) -> Result<Self> {
        let small = |number: i64| i8::try_from(number).unwrap_or(-1);
        let year = i16::try_from(parts.year).ok().filter(|year| (1..=9999).contains(year)).ok_or_else(out_of_range)?;
        let date = Date::new(year, small(parts.month), small(parts.day)).map_err(|_| out_of_range())?;
        let nanoseconds = i32::try_from(parts.microsecond).ok().and_then(|micro| micro.checked_mul(1000)).unwrap_or(-1);
        let time = Time::new(small(parts.hour), small(parts.minute), small(parts.second), nanoseconds);
        Ok(Self::from_civil(date.to_datetime(time.map_err(|_| out_of_range())?), offset.microseconds))
    }

    fn from_civil(civil: DateTime, offset: i64) -> Self {
        let epoch = Date::constant(1970, 1, 1);
        let days = epoch.until(civil.date()).map_or(0, |span| i64::from(span.get_days()));
        let time = civil.time();
        let local = days * DAY
            + i64::from(time.hour()) * HOUR
            + i64::from(time.minute()) * MINUTE
            + i64::from(time.second()) * SECOND
            + i64::from(time.subsec_nanosecond()) / 1000;
        Self { local, offset }
    }

    #[expect(clippy::cast_possible_truncation, reason = "floats are as exact as the timestamps they are read from")]
    pub(crate) fn from_unix_time(seconds: f64, offset: Span) -> Result<Self> {
        let instant = (seconds * SECOND_AS_FLOAT).round();
        if instant.abs() > 9e18 {
            return Err(out_of_range());
        }
        let local = (instant as i64).checked_add(offset.microseconds).ok_or_else(out_of_range)?;
        Self { local, offset: offset.microseconds }.checked()
    }

    pub(crate) fn now(offset: Span) -> Result<Self> {
        Self::from_unix_time(
            Span { microseconds: jiff::Timestamp::now().as_microsecond() }.in_microseconds() / SECOND_AS_FLOAT,
            offset,
        )
    }

    /// Reads the usual ways to write a date, with or without a time and an offset.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        const DATES: [&str; 10] = [
            "%Y-%m-%d",
            "%Y%m%d",
            "%Y/%m/%d",
            "%m/%d/%Y",
            "%d %b %Y",
            "%d %B %Y",
            "%b %d, %Y",
            "%B %d, %Y",
            "%b %d %Y",
            "%B %d %Y",
        ];
        const TIMES: [&str; 6] = ["%H:%M:%S%.f", "%H:%M", "%H%M%S%.f", "%H%M", "%I:%M %p", "%I:%M:%S %p"];
        const OFFSETS: [&str; 4] = ["", "%:z", "%z", " %z"];
        const LONGEST: usize = 64;
        let unknown = || value_error(format!("Unknown string format: {text}"));
        if text.len() > LONGEST {
            return Err(unknown());
        }
        let whole = text.trim().replace(',', ".").replace(". ", ", ");
        // The name of a day is redundant.
        let whole = whole.split_once(", ").filter(|(day, _)| is_day(day)).map_or(&*whole, |(_, rest)| rest);
        let utc = ["Z", "z", " GMT", " UTC"].iter().find_map(|zone| whole.strip_suffix(zone)).unwrap_or(whole);
        for date in DATES {
            if let Ok(timestamp) = Self::parse_as(utc, date) {
                return Ok(timestamp);
            }
            // If the text does not even begin with such a date, it is not tried with all formats for times.
            if strtime::BrokenDownTime::parse_prefix(date, utc).is_err() {
                continue;
            }
            for (separator, time, offset) in TIMES.iter().flat_map(|time| {
                OFFSETS.iter().flat_map(move |offset| ["T", " "].map(|separator| (separator, time, offset)))
            }) {
                if let Ok(timestamp) = Self::parse_as(utc, &format!("{date}{separator}{time}{offset}")) {
                    return Ok(timestamp);
                }
            }
        }
        Err(unknown())
    }

    /// Parses a timestamp in the given format. Fields that the format leaves out are those of midnight on January 1,
    /// 1900.
    pub(crate) fn parse_as(text: &str, format: &str) -> Result<Self> {
        let failed = || value_error(format!("time data {text:?} does not match format {format:?}"));
        let zones = if format.contains("%Z") { &["UTC", "GMT", "utc", "gmt", ""][..] } else { &[""] };
        let time = zones.iter().find_map(|zone| strtime::parse(of_python(format, zone), text).ok());
        let time = time.ok_or_else(failed)?;
        let offset = time.offset().map_or(0, |offset| i64::from(offset.seconds()) * SECOND);
        let date = time.to_date().or_else(|_| {
            Date::new(time.year().unwrap_or(1900), time.month().unwrap_or(1), time.day().unwrap_or(1))
                .map_err(|_| failed())
        })?;
        let clock = if time.hour().is_some() {
            time.to_time().map_err(|_| failed())?
        } else {
            let (minute, second) = (time.minute().unwrap_or(0), time.second().unwrap_or(0));
            Time::new(0, minute, second, time.subsec_nanosecond().unwrap_or(0)).map_err(|_| failed())?
        };
        Ok(Self::from_civil(date.to_datetime(clock), offset))
    }

    pub(crate) fn format(self, format: &str) -> Result<String> {
        let civil = self.civil();
        let offset = jiff::tz::Offset::from_seconds(i32::try_from(self.offset / SECOND).unwrap_or(0));
        let zoned = offset.ok().and_then(|offset| civil.to_zoned(jiff::tz::TimeZone::fixed(offset)).ok());
        let zoned = zoned.ok_or_else(out_of_range)?;
        let zone = if self.offset == 0 { "UTC" } else { "" };
        strtime::format(of_python(format, zone), &zoned).map_err(|_| value_error(format!("invalid format {format:?}")))
    }

    /// Returns the microseconds since the start of 1970 in UTC.
    pub fn instant(self) -> i64 {
        self.local - self.offset
    }

    fn checked(self) -> Result<Self> {
        // From the beginning of year 1 to the end of year 9999.
        let range = -62_135_596_800 * SECOND..253_402_300_800 * SECOND;
        if range.contains(&self.local) { Ok(self) } else { Err(out_of_range()) }
    }

    pub(crate) fn plus(self, microseconds: i64) -> Result<Self> {
        let local = self.local.checked_add(microseconds).ok_or_else(out_of_range)?;
        Self { local, ..self }.checked()
    }

    pub(crate) fn since(self, other: Self) -> Span {
        Span { microseconds: self.instant() - other.instant() }
    }

    pub(crate) fn offset(self) -> Span {
        Span { microseconds: self.offset }
    }

    fn civil(self) -> DateTime {
        let (days, time) = (self.local.div_euclid(DAY), self.local.rem_euclid(DAY));
        let date = jiff::Span::new().try_days(days).and_then(|days| Date::constant(1970, 1, 1).checked_add(days));
        let time = jiff::Span::new().try_microseconds(time).and_then(|span| Time::midnight().checked_add(span));
        date.unwrap_or(Date::constant(1970, 1, 1)).to_datetime(time.unwrap_or(Time::midnight()))
    }

    pub(crate) fn parts(self) -> Parts {
        let civil = self.civil();
        Parts {
            year: civil.year().into(),
            month: civil.month().into(),
            day: civil.day().into(),
            hour: civil.hour().into(),
            minute: civil.minute().into(),
            second: civil.second().into(),
            microsecond: i64::from(civil.subsec_nanosecond()) / 1000,
        }
    }

    pub(crate) fn attribute(self, name: &str) -> Option<Value> {
        let parts = self.parts();
        Some(Value::from(match name {
            "year" => parts.year,
            "month" => parts.month,
            "day" => parts.day,
            "hour" => parts.hour,
            "minute" => parts.minute,
            "second" => parts.second,
            "microsecond" => parts.microsecond,
            "weekday" => i64::from(self.civil().weekday().to_monday_zero_offset()),
            "date" => return Some(Value::Timestamp(Self { local: self.local - self.local.rem_euclid(DAY), ..self })),
            "time" => return Some(Value::Span(Span { microseconds: self.local.rem_euclid(DAY) })),
            "utc" => return Some(Value::Timestamp(Self { local: self.instant(), offset: 0 })),
            "offset" => return Some(Value::Span(self.offset())),
            "timestamp" => {
                return Some(Value::Float(Span { microseconds: self.instant() }.in_microseconds() / SECOND_AS_FLOAT));
            }
            _ => return None,
        }))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.parts();
        write!(f, "{:04}-{:02}-{:02} ", parts.year, parts.month, parts.day)?;
        write!(f, "{:02}:{:02}:{:02}", parts.hour, parts.minute, parts.second)?;
        if parts.microsecond != 0 {
            write!(f, ".{:06}", parts.microsecond)?;
        }
        let (sign, minutes) = (if self.offset < 0 { '-' } else { '+' }, self.offset.abs() / MINUTE);
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

impl Span {
    pub(crate) fn plus(self, other: Self) -> Result<Self> {
        let sum = self.microseconds.checked_add(other.microseconds).ok_or_else(out_of_range)?;
        Ok(Self { microseconds: sum })
    }

    #[expect(clippy::cast_possible_truncation, reason = "what is out of range is none")]
    pub(crate) fn scaled(self, factor: f64) -> Option<Self> {
        let product = (self.in_microseconds() * factor).round();
        (product.abs() < 9e18).then_some(Self { microseconds: product as i64 })
    }

    #[expect(clippy::cast_precision_loss, reason = "that is what floats are")]
    pub(crate) fn in_microseconds(self) -> f64 {
        self.microseconds as f64
    }

    pub(crate) fn attribute(self, name: &str) -> Option<Value> {
        let unit = match name {
            "days" => DAY,
            "hours" => HOUR,
            "minutes" => MINUTE,
            "seconds" => SECOND,
            "milliseconds" => 1000,
            "microseconds" => return Some(Value::from(self.microseconds)),
            _ => return None,
        };
        Some(Value::Float(self.in_microseconds() / Self { microseconds: unit }.in_microseconds()))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, time) = (self.microseconds.div_euclid(DAY), self.microseconds.rem_euclid(DAY));
        if days != 0 {
            write!(f, "{days} day{}, ", if days.abs() == 1 { "" } else { "s" })?;
        }
        write!(f, "{}:{:02}:{:02}", time / HOUR, time / MINUTE % 60, time / SECOND % 60)?;
        if time % SECOND != 0 {
            write!(f, ".{:06}", time % SECOND)?;
        }
        Ok(())
    }
}
