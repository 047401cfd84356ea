//! Checks that strings with a grammar are read as they are written.

use proptest::prelude::*;
use tosca_parse::value::{Timestamp, TimestampForm, Version, parse_number};

use super::cases;

fn version() -> impl Strategy<Value = Version> {
    let suffix = prop::option::of(("[a-z_][a-z0-9_]{0,8}", prop::option::of(any::<u64>())));
    let rest = prop::option::of((any::<u64>(), suffix));
    (any::<u64>(), any::<u64>(), rest).prop_map(|(major, minor, rest)| {
        let (fix, suffix) = rest.map_or((None, None), |(fix, suffix)| (Some(fix), suffix));
        let (qualifier, build) = suffix.map_or((None, None), |(word, build)| (Some(word), build));
        Version { major, minor, fix, qualifier, build }
    })
}

/// Returns a number in any valid notation: digits, optionally with a point and an exponent.
fn number() -> impl Strategy<Value = String> {
    "[-+]?(0|[1-9][0-9]{0,40})(\\.[0-9]{1,40})?([eE][-+]?[0-9]{1,3})?"
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn versions_are_read_as_they_are_written(version in version()) {
        let text = version.to_string();
        prop_assert_eq!(Version::parse(&text), Some(version.clone()), "{}", text);
        prop_assert!(version.partial_cmp(&version).is_some_and(std::cmp::Ordering::is_eq));
    }

    #[test]
    fn versions_have_an_order((one, other) in (version(), version())) {
        prop_assert_eq!(one.partial_cmp(&other), other.partial_cmp(&one).map(std::cmp::Ordering::reverse));
    }

    #[test]
    fn timestamps_are_read_as_they_are_written(
        (year, month, day) in (1900..2100, 1..=12, 1..=28),
        (hour, minute, second) in (0..24, 0..60, 0..60),
        fraction in "(\\.[0-9]{1,9})?",
        offset in "(Z|z|[-+](0[0-9]|1[0-4]):[0-5][0-9])",
    ) {
        let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}{offset}");
        let timestamp = Timestamp::parse(&text);
        prop_assert!(timestamp.is_some_and(|timestamp| timestamp.form == TimestampForm::Full), "{}", text);
        let written = timestamp.unwrap().to_string();
        prop_assert_eq!(Timestamp::parse(&written), timestamp, "{} is written as {}", text, written);
    }

    #[test]
    fn numbers_are_read_as_they_are_written(text in number()) {
        let number = parse_number(&text);
        prop_assert!(number.is_some(), "{}", text);
        let written = number.as_ref().unwrap().to_string();
        prop_assert_eq!(parse_number(&written), number, "{} is written as {}", text, written);
    }

    #[test]
    fn integers_are_exact(integer in any::<i128>()) {
        let magnitude = integer.unsigned_abs();
        let sign = if integer < 0 { "-" } else { "" };
        let number = parse_number(&integer.to_string());
        prop_assert_eq!(number.clone().map(|number| number.to_plain_string()), Some(integer.to_string()));
        prop_assert_eq!(parse_number(&format!("{sign}0x{magnitude:x}")), number.clone());
        prop_assert_eq!(parse_number(&format!("{sign}0o{magnitude:o}")), number);
    }

    #[test]
    fn any_text_is_read_or_rejected(text in "[-+0-9.eExoa-fTZ: ]{0,24}|.*") {
        if let Some(number) = parse_number(&text) {
            prop_assert_eq!(parse_number(&number.to_string()), Some(number));
        }
        if let Some(version) = Version::parse(&text) {
            prop_assert_eq!(Version::parse(&version.to_string()), Some(version));
        }
        if let Some(timestamp) = Timestamp::parse(&text) {
            prop_assert_eq!(Timestamp::parse(&timestamp.to_string()), Some(timestamp));
        }
    }
}
