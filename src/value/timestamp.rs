//! Instants of time.

use std::cmp::Ordering;
use std::fmt;

/// An instant, written as RFC 3339 wants it (TOSCA 2.0, 9.1.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamp {
    instant: jiff::Timestamp,
    /// How it was written.
    pub form: TimestampForm,
}

/// How an instant was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimestampForm {
    /// With date, time and offset.
    Full,
    /// As a date alone, which RFC 3339 does not allow.
    DateOnly,
}

impl Timestamp {
    /// Reads an instant; nothing if the text is not one, or the calendar has no such day.
    pub fn parse(text: &str) -> Option<Self> {
        let form = form(text.as_bytes())?;
        let instant = match form {
            TimestampForm::Full => text.parse().ok()?,
            TimestampForm::DateOnly => {
                let date: jiff::civil::Date = text.parse().ok()?;
                date.to_datetime(jiff::civil::Time::midnight()).to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp()
            }
        };
        Some(Self { instant, form })
    }
}

/// The library accepts much that RFC 3339 does not: the shape is checked first.
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
    let has_offset = matches!(fraction, b"Z" | b"z") || fits(fraction, b"+00:00");
    (fits(start, b"0000-00-00T00:00:00") && has_offset).then_some(TimestampForm::Full)
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
    fn refuses_everything_else() {
        for text in [
            "2001-12-14 21:59:43.10",
            "2001-12-14T21:59:43",
            "2001-12-14 21:59:43.10 -5",
            "2001-02-29",
            "2001-13-01T00:00:00Z",
            "2001-12-14T25:00:00Z",
            "2001-12-14T21:59:43.Z",
            "yesterday",
            "",
            "é000-00-00T00:00:00Z",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    #[test]
    fn compares_instants_not_texts() {
        assert!(Timestamp::parse("2001-12-14T21:59:43-05:00") > Timestamp::parse("2001-12-15T02:59:42Z"));
    }
}
