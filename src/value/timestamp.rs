//! Timestamps.

use std::cmp::Ordering;
use std::fmt;

/// An instant in time, in the format of RFC 3339 (TOSCA 2.0, 9.1.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamp {
    instant: jiff::Timestamp,
    /// The form in which the timestamp was written.
    pub form: TimestampForm,
}

/// The form of a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimestampForm {
    /// With date, time and offset.
    Full,
    /// Only a date, which RFC 3339 does not allow.
    DateOnly,
    /// Other forms of YAML 1.1: with spaces, with short numbers, or without an offset, which means UTC.
    Yaml,
}

impl Timestamp {
    /// Parses a timestamp in any form of YAML 1.1, which TOSCA 1.x uses.
    pub fn parse_yaml(text: &str) -> Option<Self> {
        if let Some(timestamp) = Self::parse(text) {
            return Some(timestamp);
        }
        let instant = Self::parse(&canonical(text)?)?.instant;
        Some(Self { instant, form: TimestampForm::Yaml })
    }

    /// Parses a timestamp. Returns `None` if the text is not a timestamp, or if there is no such day.
    pub fn parse(text: &str) -> Option<Self> {
        let form = form(text.as_bytes())?;
        let instant = match form {
            TimestampForm::Full | TimestampForm::Yaml => text.parse().ok()?,
            TimestampForm::DateOnly => {
                let date: jiff::civil::Date = text.parse().ok()?;
                date.to_datetime(jiff::civil::Time::midnight()).to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp()
            }
        };
        Some(Self { instant, form })
    }
}

/// Converts a timestamp of YAML 1.1 to the format of RFC 3339: `2001-1-4 2:59:43.1 -5` to
/// `2001-01-04T02:59:43.1-05:00`.
fn canonical(text: &str) -> Option<String> {
    let digits = |text: &str, most: usize| {
        let fits = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| text.parse::<u32>().ok()).flatten()
    };
    let (date, rest) = text.split_once(['T', 't', ' ', '\t'])?;
    let mut parts = date.splitn(3, '-');
    let (year, month, day) = (parts.next()?, digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    if year.len() != 4 {
        return None;
    }
    let rest = rest.trim_start();
    let end = rest.find(|letter: char| !matches!(letter, '0'..='9' | ':' | '.')).unwrap_or(rest.len());
    let (time, offset) = (&rest[..end], rest[end..].trim());
    let (hour, rest) = time.split_once(':')?;
    let rest = rest.strip_suffix('.').unwrap_or(rest);
    let hour = digits(hour, 2)?;
    let offset = match offset {
        "" | "Z" | "z" => "Z".to_owned(),
        offset => {
            let sign = offset.chars().next().filter(|sign| matches!(sign, '+' | '-'))?;
            let (hours, minutes) = offset[1..].split_once(':').unwrap_or((&offset[1..], "00"));
            format!("{sign}{:02}:{:02}", digits(hours, 2)?, digits(minutes, 2)?)
        }
    };
    Some(format!("{year}-{month:02}-{day:02}T{hour:02}:{rest}{offset}"))
}

/// Returns the form of a timestamp. It is checked first, because the library accepts more than RFC 3339.
fn form(text: &[u8]) -> Option<TimestampForm> {
    let fits = |text: &[u8], shape: &[u8]| {
        text.len() == shape.len()
            && text.iter().zip(shape).all(|(byte, shape)| match shape {
                b'0' => byte.is_ascii_digit(),
                b'T' => matches!(byte, b'T' | b't'),
                b'+' => matches!(byte, b'+' | b'-'),
                _ => byte == shape,
            })
    };
    if fits(text, b"0000-00-00") {
        return Some(TimestampForm::DateOnly);
    }
    let (start, rest) = text.split_at_checked(b"0000-00-00T00:00:00".len())?;
    let fraction = match rest.strip_prefix(b".") {
        Some(rest) => match rest.iter().take_while(|byte| byte.is_ascii_digit()).count() {
            0 => return None,
            digits => &rest[digits..],
        },
        None => rest,
    };
    let has_offset = matches!(fraction, b"Z" | b"z") || fits(fraction, b"+00:00") && is_offset(fraction);
    (fits(start, b"0000-00-00T00:00:00") && has_offset).then_some(TimestampForm::Full)
}

/// Returns whether the hours and minutes of an offset are valid (RFC 3339, 5.6: at most `23:59`).
fn is_offset(text: &[u8]) -> bool {
    matches!(text, [_, hours @ .., b':', minutes, _] if hours < b"24".as_slice() && *minutes < b'6')
}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.instant.cmp(&other.instant))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.instant.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn reads_rfc_3339_and_bare_dates() {
        for text in [
            "2001-12-15T02:59:43.1Z",
            "2001-12-14t21:59:43.10-05:00",
            "2016-12-31T23:59:60Z",
            "2000-02-29T00:00:00-00:00",
        ] {
            assert_eq!(Timestamp::parse(text).map(|timestamp| timestamp.form), Some(TimestampForm::Full), "{text}");
        }
        assert_eq!(Timestamp::parse("2000-02-29").map(|timestamp| timestamp.form), Some(TimestampForm::DateOnly));
    }

    #[test]
    fn rejects_everything_else() {
        for text in [
            "2001-12-14 21:59:43.10",
            "2001-12-14T21:59:43",
            "2001-12-14 21:59:43.10 -5",
            "2001-02-29",
            "2001-13-01T00:00:00Z",
            "2001-12-14T25:00:00Z",
            "2001-12-14T21:59:43+24:00",
            "2001-12-14T21:59:43-05:60",
            "2001-12-14T21:59:43.Z",
            "yesterday",
            "",
            "é000-00-00T00:00:00Z",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    #[test]
    fn reads_the_forms_of_yaml_1_1() {
        for (text, same) in [
            ("1975-09-15 12:34:56.7 +2", "1975-09-15T12:34:56.7+02:00"),
            ("2001-1-4 2:59:43", "2001-01-04T02:59:43Z"),
            ("2001-12-14\t21:59:43.10 -05:30", "2001-12-14T21:59:43.1-05:30"),
            ("2001-12-14T21:59:43.", "2001-12-14T21:59:43Z"),
        ] {
            let read = Timestamp::parse_yaml(text).unwrap();
            assert_eq!(read.form, TimestampForm::Yaml, "{text}");
            assert_eq!(read.instant, Timestamp::parse(same).unwrap().instant, "{text}");
        }
        for text in
            ["2001-12-14 21:59", "01-12-14 21:59:43", "2001-12-14 21:59:43 5", "2001-12-14", "2001-13-14 1:00:00"]
        {
            assert_eq!(Timestamp::parse_yaml(text).filter(|read| read.form == TimestampForm::Yaml), None, "{text}");
        }
    }

    #[test]
    fn compares_instants_not_texts() {
        assert!(Timestamp::parse("2001-12-14T21:59:43-05:00") > Timestamp::parse("2001-12-15T02:59:42Z"));
    }
}
