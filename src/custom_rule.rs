//! Conventions: custom rules whose conditions for entities are written in TOSCA itself.
//!
//! The conventions of a project are a [`Lint`] for `ParserBuilder::lint`. The condition of each is a function call (2.0,
//! 9.10) about `$value`, the checked item: a map with the keynames of an entity as they are written, and its `name`. A
//! missing value has no entries, has the length 0 and is not equal to anything. If the result of a condition is unknown
//! because it depends on the results of functions, nothing is reported.
//!
//! The rules of untrusted projects may be many and complex, so there is a limit on their effort for each file: 5 000
//! steps, 150 for each node of the file and 40 for each node of its imports. A step takes 20 to 60 ns.
//!
//! ```
//! use tosca_parse::diagnostic::{Level, Rule};
//! use tosca_parse::custom_rule::{CustomRule, CustomRules};
//! use tosca_parse::{Entry, Parser, TOSCA};
//!
//! static OWNED: Rule =
//!     Rule { code: "node-has-owner", name: "node-has-owner", level: Level::Warning, summary: "a node has no owner" };
//!
//! let convention = CustomRule::new(&OWNED, "{ $has_key: [ { $value: [ metadata ] }, owner ] }")?
//!     .kind("node template")?
//!     .message("`{name}` has no owner");
//! let parser = Parser::builder(&TOSCA).lint(CustomRules::new(vec![convention])?).build()?;
//! let text = "\
//! tosca_definitions_version: tosca_2_0
//! node_types: { A: {} }
//! service_template:
//!   node_templates: { a: { type: A }, b: { type: A, metadata: { owner: me } } }
//! ";
//! let outcome = parser.parse_entry(Entry::text(parser.address("a.yaml")?, text));
//! let messages: Vec<&str> = outcome.diagnostics.iter().map(|problem| &*problem.message).collect();
//! assert_eq!(messages, ["`a` has no owner"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod condition;
mod rule;
mod run;

use std::fmt;

use crate::diagnostic::Rule;
use crate::phase::{Context, Lint};

pub use rule::{CustomRule, kinds};

/// A function that returns whether an imported source is checked, given its display name.
type Imports = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// Custom rules that are checked together, with a common limit on their effort.
pub struct CustomRules {
    list: Vec<CustomRule>,
    imports: Option<Imports>,
}

impl fmt::Debug for CustomRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.list).finish()
    }
}

impl CustomRules {
    /// The maximum [effort](crate::data::effort_of_compiling) to compile all regular expressions.
    const MAX_PATTERNS: u64 = 20_000_000;

    /// Creates a set of rules.
    ///
    /// # Errors
    ///
    /// Returns a one-line error message if the regular expressions in the conditions are too large to be compiled.
    pub fn new(list: Vec<CustomRule>) -> Result<Self, String> {
        let roots = list.iter().filter_map(|rule| rule.condition.root());
        let effort = roots.map(condition::effort_of_patterns).fold(0, u64::saturating_add);
        if effort > Self::MAX_PATTERNS {
            return Err("the regular expressions of the custom rules are too large".to_owned());
        }
        Ok(Self { list, imports: None })
    }

    /// Extends the checks to files that are directly or indirectly imported, if their display names are selected.
    #[must_use]
    pub fn imports(mut self, are_meant: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.imports = Some(Box::new(are_meant));
        self
    }
}

impl Lint for CustomRules {
    fn rules(&self) -> Vec<&'static Rule> {
        self.list.iter().map(|rule| rule.rule).collect()
    }

    fn look(&self, context: &mut Context<'_>) {
        run::look(&self.list, |name| self.imports.as_ref().is_some_and(|are_meant| are_meant(name)), context);
    }
}
