//! A custom rule.

use std::fmt;

use super::condition;
use crate::ard::{self, Document, Kind, Options};
use crate::data::{Call, CallShape};
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{Rule, SourceId};
use crate::grammar::version::V2_0;
use crate::symbol::Interner;
use crate::{TOSCA, entity};

/// A function that returns whether a path is selected.
pub(super) type Places = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// A custom rule.
pub struct CustomRule {
    pub(super) rule: &'static Rule,
    pub(super) condition: Document,
    pub(super) kind: Option<entity::Kind>,
    pub(super) of_type: Option<String>,
    pub(super) places: Option<Places>,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl fmt::Debug for CustomRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomRule").field("rule", &self.rule.name).finish_non_exhaustive()
    }
}

impl CustomRule {
    /// Creates a convention with a condition, in YAML: a function call, or `false` for entities that must not exist.
    ///
    /// # Errors
    ///
    /// Returns a one-line error message if the condition is invalid.
    pub fn new(rule: &'static Rule, condition: &str) -> Result<Self, String> {
        let (document, problems) =
            ard::read(SourceId(u32::MAX), condition.into(), &Interner::new(), &Options::default());
        if let Some(problem) = problems.first() {
            return Err(format!("the condition can't be read: {}", problem.message));
        }
        let root = document.root().ok_or("there is no condition")?;
        match Call::shape(root, V2_0) {
            CallShape::Call(_) => condition::check(root)?,
            _ if root.kind() == Kind::Boolean => {}
            _ => {
                return Err("a condition is a function call, such as `{ $has_key: [ $value, owner ] }`".to_owned());
            }
        }
        let message = "`{name}` violates a rule of the project".to_owned();
        Ok(Self { rule, condition: document, kind: None, of_type: None, places: None, message, help: None })
    }

    /// Checks entities of one kind, given by its title: `node template`.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such kind.
    pub fn kind(mut self, title: &str) -> Result<Self, String> {
        let found = TOSCA.kinds.iter().position(|kind| kind.description().title == title);
        let Some(found) = found else {
            let help = nearest(title, kinds()).map(|near| format!("; did you mean `{near}`?"));
            return Err(format!("no kind of entity is called `{title}`{}", help.unwrap_or_default()));
        };
        self.kind = u8::try_from(found).ok().map(entity::Kind);
        Ok(self)
    }

    /// Restricts the checks to entities of the given type or of types derived from it; for kinds of types, to the type
    /// itself and its derived types.
    #[must_use]
    pub fn of_type(mut self, name: impl Into<String>) -> Self {
        self.of_type = Some(name.into());
        self
    }

    /// Restricts the checks to certain positions: paths of keys and indexes from the top of the file, separated by
    /// slashes. Without a kind, everything at these positions is checked.
    #[must_use]
    pub fn places(mut self, are_meant: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.places = Some(Box::new(are_meant));
        self
    }

    /// Sets the message for items that do not fulfill the condition; `{name}` is replaced with the name.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Returns the titles of the kinds of entities.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    TOSCA.kinds.iter().map(|kind| kind.description().title)
}
