//! Declarations of rules.

use std::borrow::Cow;

use super::Severity;

/// The default treatment of a rule's problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// An error, regardless of strict mode.
    Error,
    /// A warning.
    Warning,
    /// A warning about a deviation from the standard, which strict mode turns into an error: the standard forbids the
    /// construct or does not define it, but many authors (and the standard's own examples) use it, so rejecting it by
    /// default would not help.
    StrictError,
    /// Off by default, because it is a matter of taste or depends on the purpose of a template.
    Optional,
}

impl Level {
    /// Returns the severity of a reported problem outside strict mode.
    pub const fn severity(self) -> Severity {
        match self {
            Level::Error => Severity::Error,
            Level::Warning | Level::StrictError | Level::Optional => Severity::Warning,
        }
    }

    /// Returns the level as text.
    pub const fn describe(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::StrictError => "warning, error in strict mode",
            Level::Optional => "optional, off by default",
        }
    }
}

/// A kind of problem.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable code, such as `T1201`; its first digit denotes the phase that finds the problem. For a custom rule,
    /// the code may be the same as the name.
    pub code: &'static str,
    /// The name in kebab case, such as `unknown-keyname`.
    pub name: &'static str,
    /// The default level.
    pub level: Level,
    /// One line that describes the problem.
    pub summary: &'static str,
}

impl Rule {
    /// Returns whether the rule has a code that differs from its name. Custom rules need no code.
    pub fn has_code(&self) -> bool {
        self.code != self.name
    }

    /// Returns the code and the name of the rule.
    pub fn title(&self) -> String {
        if self.has_code() { format!("{} {}", self.code, self.name) } else { self.name.to_owned() }
    }
}

/// Returns the URL of the rule's documentation; `None` for a custom rule.
pub fn rule_url(rule: &Rule) -> Option<String> {
    // The site has a folder for each version, so that the URL stays valid.
    let version = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));
    rule.has_code().then(|| format!("{}/{version}/rules/{}.html", env!("CARGO_PKG_HOMEPAGE"), rule.code))
}

/// A rule with its documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleDocs {
    /// The rule.
    pub rule: &'static Rule,
    /// Markdown without headings that explains the problem and what to do about it. A wrong and a right example follow,
    /// in fenced blocks with the info strings `yaml wrong` and `yaml right` (for further files in an example: `yaml
    /// wrong lib.yaml`). See [`RuleDocs::examples`].
    pub text: Cow<'static, str>,
}
