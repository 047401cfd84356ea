//! Versions of packages and requirements on versions.

use std::cmp::Ordering;
use std::fmt;

use tosca_parse_yaql::Result;

use crate::error::value_error;

/// A semantic version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    numbers: [u64; 3],
    /// The identifiers after `-`. They make a version earlier than the same version without them.
    prerelease: Vec<String>,
    build: Vec<String>,
}

impl Version {
    /// The default version.
    pub(crate) const ZERO: Self = Self { numbers: [0; 3], prerelease: Vec::new(), build: Vec::new() };

    /// Reads a version; missing numbers are 0, and nothing at all is 0.0.0.
    ///
    /// # Errors
    ///
    /// Returns a value error for an invalid version.
    pub fn parse(text: &str) -> Result<Self> {
        let invalid = || value_error(format!("Invalid version string: '{text}'"));
        let (rest, build) = text.trim().split_once('+').unwrap_or((text.trim(), ""));
        let (rest, prerelease) = rest.split_once('-').unwrap_or((rest, ""));
        let parts: Vec<&str> = if rest.is_empty() { Vec::new() } else { rest.split('.').collect() };
        let mut numbers = [0; 3];
        for (number, part) in numbers.iter_mut().zip(&parts) {
            *number = part.parse().map_err(|_| invalid())?;
        }
        let identifiers = |text: &str| text.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let mut build: Vec<String> = identifiers(build);
        // Parts after the third are build identifiers.
        build.splice(0..0, parts.iter().skip(3).map(|part| (*part).to_owned()));
        Ok(Self { numbers, prerelease: identifiers(prerelease), build })
    }

    /// Returns one of its three numbers.
    pub(crate) fn number(&self, index: usize) -> i64 {
        self.numbers.get(index).and_then(|number| i64::try_from(*number).ok()).unwrap_or(0)
    }

    fn of(numbers: [u64; 3]) -> Self {
        Self { numbers, prerelease: Vec::new(), build: Vec::new() }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.numbers;
        write!(f, "{major}.{minor}.{patch}")?;
        if !self.prerelease.is_empty() {
            write!(f, "-{}", self.prerelease.join("."))?;
        }
        if !self.build.is_empty() {
            write!(f, "+{}", self.build.join("."))?;
        }
        Ok(())
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.numbers.cmp(&other.numbers).then_with(|| match (self.prerelease.is_empty(), other.prerelease.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => compare_identifiers(&self.prerelease, &other.prerelease),
        })
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn compare_identifiers(left: &[String], right: &[String]) -> Ordering {
    for (left, right) in left.iter().zip(right) {
        let ordering = match (left.parse::<u64>(), right.parse::<u64>()) {
            (Ok(left), Ok(right)) => left.cmp(&right),
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => left.cmp(right),
        };
        if ordering.is_ne() {
            return ordering;
        }
    }
    left.len().cmp(&right.len())
}

/// A requirement on versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement(Vec<Bound>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Bound {
    operator: &'static str,
    version: Version,
}

impl Requirement {
    /// Reads a requirement: versions with operators before them and commas between them. A version of one or two
    /// numbers stands for all versions that begin with it. Nothing at all is `0`.
    ///
    /// # Errors
    ///
    /// Returns a value error for an invalid requirement.
    pub fn parse(text: &str) -> Result<Self> {
        let text = text.trim();
        let mut bounds = Vec::new();
        for block in if text.is_empty() { "0" } else { text }.split(',') {
            add_bounds(block.trim(), &mut bounds)?;
        }
        Ok(Self(bounds))
    }

    /// Returns whether a version is accepted. A prerelease does not count as its release.
    pub fn allows(&self, version: &Version) -> bool {
        self.0.iter().all(|bound| match bound.operator {
            "==" => *version == bound.version,
            "!=" => *version != bound.version,
            ">=" => *version >= bound.version,
            ">" => *version > bound.version,
            "<" => {
                *version < bound.version && (version.prerelease.is_empty() || version.numbers != bound.version.numbers)
            }
            _ => *version <= bound.version,
        })
    }

    /// Returns the conditions that every version must fulfill, in no particular order.
    pub fn conditions(&self) -> Vec<String> {
        self.0.iter().map(|bound| format!("{}{}", bound.operator, bound.version)).collect()
    }
}

fn add_bounds(block: &str, bounds: &mut Vec<Bound>) -> Result<()> {
    const OPERATORS: [&str; 7] = [">=", "<=", "==", "!=", "=", ">", "<"];
    let operator = OPERATORS.into_iter().find(|operator| block.starts_with(operator));
    let text = block[operator.map_or(0, str::len)..].trim();
    if text == "*" {
        bounds.push(Bound { operator: ">=", version: Version::of([0; 3]) });
        return Ok(());
    }
    let version = Version::parse(text)
        .map_err(|_| value_error(format!("Invalid version or requirement on versions: '{block}'")))?;
    let count = text.split(['-', '+']).next().unwrap_or_default().split('.').count();
    let mut add = |operator, version| bounds.push(Bound { operator, version });
    let mut next = version.numbers;
    if count >= 3 {
        let operator = match operator {
            None | Some("=") => "==",
            Some(operator) => operator,
        };
        add(operator, version);
        return Ok(());
    }
    next[count - 1] = next[count - 1].saturating_add(1);
    let next = Version::of(next);
    match operator {
        None | Some("=" | "==") => {
            add(">=", version);
            add("<", next);
        }
        Some(">") => add(">=", next),
        Some("<=") => add("<", next),
        Some(operator) => add(operator, version),
    }
    Ok(())
}
