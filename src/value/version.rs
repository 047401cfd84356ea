//! Version strings.

use std::cmp::Ordering;
use std::fmt;

/// A version: `major.minor[.fix[.qualifier[-build]]]` (TOSCA 2.0, 9.1.2.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The first number.
    pub major: u64,
    /// The second number.
    pub minor: u64,
    /// The third number.
    pub fix: Option<u64>,
    /// A word for a stage before the release.
    pub qualifier: Option<String>,
    /// The build number of the qualifier.
    pub build: Option<u64>,
}

impl Version {
    /// Parses a version. Returns `None` if the text is not a version.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(4, '.');
        let major = number(parts.next()?)?;
        let minor = number(parts.next()?)?;
        let fix = parts.next().map(number).map_or(Some(None), |fix| fix.map(Some))?;
        let (qualifier, build) = match parts.next() {
            None => (None, None),
            Some(rest) => {
                let (word, build) = match rest.split_once('-') {
                    Some((word, build)) => (word, Some(number(build)?)),
                    None => (rest, None),
                };
                let is_word = !word.is_empty() && word.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
                if !is_word {
                    return None;
                }
                (Some(word.to_owned()), build)
            }
        };
        Some(Self { major, minor, fix, qualifier, build })
    }
}

fn number(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Versions with different qualifiers are branches that can't be compared. A version with a qualifier is older than
/// the same version without one.
impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let numbers = |version: &Self| (version.major, version.minor, version.fix.unwrap_or_default());
        match numbers(self).cmp(&numbers(other)) {
            Ordering::Equal => match (&self.qualifier, &other.qualifier) {
                (None, None) => Some(Ordering::Equal),
                (Some(_), None) => Some(Ordering::Less),
                (None, Some(_)) => Some(Ordering::Greater),
                (Some(mine), Some(theirs)) if mine == theirs => Some(self.build.cmp(&other.build)),
                _ => None,
            },
            order => Some(order),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)?;
        if let Some(fix) = self.fix {
            write!(f, ".{fix}")?;
        }
        if let Some(qualifier) = &self.qualifier {
            write!(f, ".{qualifier}")?;
        }
        if let Some(build) = self.build {
            write!(f, "-{build}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn reads_the_examples_of_the_standard() {
        for text in ["6.1", "2.0.1", "3.1.0.beta", "1.0.0.alpha-10", "0.0"] {
            assert!(Version::parse(text).is_some(), "{text}");
        }
        let version = Version::parse("1.0.0.alpha-10").unwrap();
        assert_eq!((version.qualifier.as_deref(), version.build), (Some("alpha"), Some(10)));
        for text in ["", "1", "1.", "1..0.abc", "v1.0", "1.0.0.", "1.0.0.a-b", "1.0-5", "1.0.x", "-1.0", "1.0.0.a.b"] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
    }

    #[test]
    fn compares_as_in_the_standard() {
        let compare = |a, b| Version::parse(a).unwrap().partial_cmp(&Version::parse(b).unwrap());
        assert_eq!(compare("1.2", "1.10"), Some(Ordering::Less));
        assert_eq!(compare("2.0", "2.0.0"), Some(Ordering::Equal));
        assert_eq!(compare("2.0.0.beta", "2.0.0"), Some(Ordering::Less));
        assert_eq!(compare("2.0.0.beta-2", "2.0.0.beta-10"), Some(Ordering::Less));
        assert_eq!(compare("2.0.0.beta", "2.0.0.alpha"), None);
    }
}
