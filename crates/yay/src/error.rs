//! Errors in documents: a category, a message and positions.

use tosca_parse_engine::budget::Exceeded;
use tosca_parse_engine::diagnostic::without_quoted;

use crate::source::{Sources, Span};
use crate::value::MASK;

macro_rules! categories {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)+) => {
        /// The kinds of errors.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Category {
            $($(#[$doc])* $name,)+
        }

        impl Category {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// Returns the name that the language description gives to the category.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }
    };
}

categories! {
    /// The source is not valid Yay.
    Syntax = "SyntaxError",
    /// A name, a key, a case or a function does not exist.
    NoMatching = "NoMatching",
    /// A value has a different type than its use requires.
    Type = "TypeError",
    /// A division by zero.
    ZeroDivision = "ZeroDivisionError",
    /// A value depends on itself.
    Cycle = "CycleError",
    /// A condition changes the values that it depends on.
    Paradox = "ParadoxError",
    /// A document to include can't be found or read.
    NotFound = "NotFound",
    /// A limit is exceeded.
    Limit = "LimitError",
    /// The document reads an environment variable that it has no access to.
    Denied = "Denied",
}

/// A step in the provenance of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The kind of step: "in this loop", "called here".
    pub what: &'static str,
    /// The position.
    pub at: Span,
}

#[derive(Clone, Debug)]
struct Detail {
    category: Category,
    message: String,
    help: Option<String>,
    /// The name that the help offers as a replacement.
    meant: Option<String>,
    places: Vec<Span>,
    trail: Vec<Step>,
    /// The labels of the missing value.
    labels: u64,
    /// Whether the name is undefined.
    unknown_name: bool,
    others: Vec<Error>,
}

/// An error in a Yay document.
#[derive(Clone, Debug)]
pub struct Error(Box<Detail>);

impl Error {
    pub(crate) fn new(category: Category, at: Span, message: impl Into<String>) -> Self {
        Error(Box::new(Detail {
            category,
            message: message.into(),
            help: None,
            meant: None,
            places: vec![at],
            trail: Vec::new(),
            labels: 0,
            unknown_name: false,
            others: Vec::new(),
        }))
    }

    /// Returns the error for an exceeded budget.
    pub(crate) fn exceeded(exceeded: &Exceeded, at: Span) -> Self {
        Error::new(Category::Limit, at, exceeded.to_string()).help(exceeded.help())
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Adds help with the name that was probably meant.
    pub(crate) fn meant(mut self, name: &str) -> Self {
        self.0.meant = Some(name.to_owned());
        self.help(format!("did you mean `{name}`?"))
    }

    /// Adds another position that uses the faulty value.
    pub(crate) fn used(mut self, at: Span) -> Self {
        if !self.0.places.contains(&at) {
            self.0.places.push(at);
        }
        self
    }

    pub(crate) fn trail(mut self, trail: Vec<Step>) -> Self {
        if self.0.trail.is_empty() {
            self.0.trail = trail;
        }
        self
    }

    /// Masks the text in back-quotes for which `is_hidden` returns true.
    pub(crate) fn without(mut self, is_hidden: &dyn Fn(&str) -> bool) -> Self {
        let detail = &mut *self.0;
        detail.meant = detail.meant.take().filter(|name| !is_hidden(name));
        for text in std::iter::once(&mut detail.message).chain(&mut detail.help) {
            let parts = text.split('`').enumerate();
            let shown = |(n, part): (usize, &str)| if n % 2 == 1 && is_hidden(part) { MASK } else { part }.to_owned();
            *text = parts.map(shown).collect::<Vec<_>>().join("`");
        }
        let others = std::mem::take(&mut detail.others);
        detail.others = others.into_iter().map(|other| other.without(is_hidden)).collect();
        self
    }

    /// Records the labels of the missing value. The value that takes its place has them too.
    pub(crate) fn labeled(mut self, labels: u64) -> Self {
        self.0.labels |= labels;
        self
    }

    pub(crate) fn of_unknown_name(mut self) -> Self {
        self.0.unknown_name = true;
        self
    }

    pub(crate) fn has_unknown_name(&self) -> bool {
        self.0.unknown_name
    }

    pub(crate) fn labels(&self) -> u64 {
        self.0.labels
    }

    pub(crate) fn with(mut self, others: impl IntoIterator<Item = Error>) -> Self {
        self.0.others.extend(others);
        self
    }

    /// Returns the first of several errors, which carries the others.
    pub(crate) fn all(errors: Vec<Error>) -> Option<Self> {
        let mut errors = errors.into_iter();
        Some(errors.next()?.with(errors))
    }

    /// Returns the kind of error.
    pub fn category(&self) -> Category {
        self.0.category
    }

    /// Returns the message: one sentence without the position. Secrets are masked.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns a suggestion, if there is one.
    pub fn advice(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// Returns the name that was probably meant.
    pub(crate) fn likely_name(&self) -> Option<&str> {
        self.0.meant.as_deref()
    }

    /// Returns the position of the faulty value, followed by those of its uses.
    pub fn places(&self) -> &[Span] {
        &self.0.places
    }

    /// Returns the loops, calls and includes that enclose the value, innermost first.
    pub fn steps(&self) -> &[Step] {
        &self.0.trail
    }

    /// Returns this error and those that were found with it.
    pub fn each(&self) -> Vec<&Error> {
        let mut all = vec![self];
        let mut next = 0;
        while let Some(error) = all.get(next).copied() {
            all.extend(&error.0.others);
            next += 1;
        }
        all
    }

    /// Returns the error with its positions, one per line. Text of hidden sources is not quoted.
    pub fn describe(&self, sources: &Sources) -> String {
        let is_hidden = self.places().iter().any(|at| sources.get(at.source).hidden);
        let message = if is_hidden { without_quoted(self.message()) } else { self.message().to_owned() };
        let mut text = format!("{}: {message}", self.category().name());
        for at in self.places() {
            text.extend(["\n  at ", &sources.place(*at).to_string()]);
        }
        for step in self.steps() {
            text.extend(["\n  ", step.what, " ", &sources.place(step.at).to_string()]);
        }
        text
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.category().name(), self.message())
    }
}

impl std::error::Error for Error {}

/// The result of an evaluation.
pub type Result<T> = std::result::Result<T, Error>;
