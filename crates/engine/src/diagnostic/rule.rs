//! The declaration of rules.

use std::borrow::Cow;

use super::Severity;

/// The default treatment of a rule's problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// An error, in strict mode or not.
    Error,
    /// A warning.
    Warning,
    /// A warning about the text of the standard, which strict mode turns into an error: the standard forbids or omits
    /// it, but many authors (and the standard's own examples) write it, so rejecting it would not help.
    StrictError,
    /// Off by default: a matter of taste, or of the purpose of a template.
    Optional,
}

impl Level {
    /// Returns the severity of a problem outside strict mode, if it is reported.
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
    /// The stable code, such as `T1201`; its first digit is the phase that finds the problem. For a custom rule, it
    /// may be the name.
    pub code: &'static str,
    /// The name in kebab case, such as `unknown-keyname`.
    pub name: &'static str,
    /// The default level.
    pub level: Level,
    /// One line that describes the problem.
    pub summary: &'static str,
}

impl Rule {
    /// Returns whether it has a code besides its name. Custom rules need none.
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
    let (page, code) = (env!("CARGO_PKG_REPOSITORY"), rule.code.to_lowercase());
    rule.has_code().then(|| format!("{page}/blob/main/docs/rules.md#{code}-{}", rule.name))
}

/// A rule with its documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleDocs {
    /// The rule.
    pub rule: &'static Rule,
    /// Markdown without headings: why it is a problem and what to do, then a wrong and a right example in fenced
    /// blocks with the info strings `yaml wrong` and `yaml right` (further files of an example: `yaml wrong
    /// lib.yaml`). See [`RuleDocs::examples`].
    pub text: Cow<'static, str>,
}
