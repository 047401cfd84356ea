//! The declaration of rules.

use std::borrow::Cow;

use super::Severity;

/// How a rule is treated unless the user says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// An error, in strict mode or not.
    Error,
    /// A warning.
    Warning,
    /// A warning about the text of the standard, which strict mode turns into an error: the standard forbids or omits
    /// what so many authors (and its own examples) write that refusing it would help nobody.
    StrictError,
    /// Nothing, unless somebody asks for it: what is a matter of taste, or of what a template is for.
    Optional,
}

impl Level {
    /// The severity of a problem outside strict mode, if it is reported.
    pub const fn severity(self) -> Severity {
        match self {
            Level::Error => Severity::Error,
            Level::Warning | Level::StrictError | Level::Optional => Severity::Warning,
        }
    }

    /// The level in words.
    pub const fn describe(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::StrictError => "warning, error in strict mode",
            Level::Optional => "reported if asked for",
        }
    }
}

/// One kind of problem.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable code, such as `T1201`; its first digit is the phase that finds the problem. A rule of a user may have its
    /// name here.
    pub code: &'static str,
    /// The name in kebab case, such as `unknown-keyname`.
    pub name: &'static str,
    /// What happens by default.
    pub level: Level,
    /// One line: what is wrong.
    pub summary: &'static str,
}

impl Rule {
    /// Whether it has a code besides its name. Rules of users need none.
    pub fn has_code(&self) -> bool {
        self.code != self.name
    }

    /// Code and name.
    pub fn title(&self) -> String {
        if self.has_code() { format!("{} {}", self.code, self.name) } else { self.name.to_owned() }
    }
}

/// The address of the explanation of a rule; `None` for a custom rule.
pub fn rule_url(rule: &Rule) -> Option<String> {
    let (page, code) = (env!("CARGO_PKG_REPOSITORY"), rule.code.to_lowercase());
    rule.has_code().then(|| format!("{page}/blob/main/docs/rules.md#{code}-{}", rule.name))
}

/// A rule with its explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The rule.
    pub rule: &'static Rule,
    /// Markdown without headings: why it is a problem and what to do, then a wrong and a right example in fenced
    /// blocks whose info strings say `yaml wrong` and `yaml right` (further files of an example: `yaml wrong
    /// lib.yaml`). See [`Explained::examples`].
    pub text: Cow<'static, str>,
}
