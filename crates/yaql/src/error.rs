//! Errors in expressions.

use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

/// The result of parsing or evaluating an expression.
pub type Result<T> = std::result::Result<T, Error>;

/// A problem with an expression: its kind, a message, and its position.
#[derive(Clone)]
pub struct Error(Box<Content>);

#[derive(Clone)]
struct Content {
    kind: ErrorKind,
    message: String,
    span: Option<Range<u32>>,
    payload: Option<Rc<dyn Any>>,
    trace: Option<Rc<dyn Any>>,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)+) => {
        /// Kinds of problems.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $($(#[$doc])* $name,)+
        }

        impl ErrorKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// Returns the name of the kind in words, such as `no matching function`.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }
    };
}

kinds! {
    /// Characters that begin no token.
    Lexical = "lexical error",
    /// Tokens in an order that the grammar does not allow.
    Grammar = "syntax error",
    /// There is no function with that name.
    NoFunction = "unknown function",
    /// There is no method with that name.
    NoMethod = "unknown method",
    /// There are functions with that name, but none accepts these arguments.
    NoMatchingFunction = "no matching function",
    /// There are methods with that name, but none accepts this receiver and these arguments.
    NoMatchingMethod = "no matching method",
    /// Several functions accept the arguments, and none is more specific than the others.
    AmbiguousFunction = "ambiguous function",
    /// Several methods accept the arguments, and none is more specific than the others.
    AmbiguousMethod = "ambiguous method",
    /// The name of an argument is not a plain word.
    MappingTranslation = "mapping instead of a named argument",
    /// An iterator gave more items than the limit allows.
    CollectionTooLarge = "collection too large",
    /// A value would take more memory than the limit allows.
    MemoryQuota = "memory quota exceeded",
    /// The values of the evaluation would take more memory than the limit allows.
    Bytes = "out of memory",
    /// The evaluation took more steps than the limit allows.
    Steps = "too many steps",
    /// The evaluation took longer than the limit allows.
    Time = "out of time",
    /// Calls are nested deeper than the limit allows.
    Depth = "nested too deeply",
    /// A value has the right type but is not allowed.
    Value = "invalid value",
    /// A value has a type that is not allowed.
    Type = "invalid type",
    /// A dictionary has no such key.
    Key = "unknown key",
    /// A list has no such index.
    Index = "index out of range",
    /// Division by zero.
    ZeroDivision = "division by zero",
    /// A value has no such attribute.
    Attribute = "unknown attribute",
    /// A regular expression that is invalid or takes too long.
    Regex = "invalid regular expression",
    /// An item was requested from a collection that has none.
    EmptyCollection = "empty collection",
    /// An asserted condition does not hold.
    Assertion = "assertion failed",
    /// A limitation of the implementation.
    Runtime = "runtime error",
    /// An error of the host; see [`Error::payload`].
    Host = "error of the host",
}

impl Error {
    /// Creates a problem without a position. Evaluation adds the position of the innermost call.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Content { kind, message: message.into(), span: None, payload: None, trace: None }))
    }

    /// Creates a problem that only the host of the expression understands.
    pub fn host(message: impl Into<String>, payload: Rc<dyn Any>) -> Self {
        let mut error = Self::new(ErrorKind::Host, message);
        error.0.payload = Some(payload);
        error
    }

    /// Returns the kind of problem.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the message: one sentence.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the position, in bytes of the expression.
    pub fn span(&self) -> Option<Range<u32>> {
        self.0.span.clone()
    }

    /// Returns the data that the host attached to the problem.
    pub fn payload(&self) -> Option<&Rc<dyn Any>> {
        self.0.payload.as_ref()
    }

    /// Returns the host's trace of the problem.
    pub fn trace(&self) -> Option<&Rc<dyn Any>> {
        self.0.trace.as_ref()
    }

    /// Returns the same problem with the host's trace of where it came from.
    #[must_use]
    pub fn with_trace(mut self, trace: Rc<dyn Any>) -> Self {
        self.0.trace = Some(trace);
        self
    }

    /// Returns the same problem with a new message and payload from the host; its position and trace are kept.
    #[must_use]
    pub fn retold(mut self, message: impl Into<String>, payload: Rc<dyn Any>) -> Self {
        self.0.message = message.into();
        self.0.payload = Some(payload);
        self
    }

    /// Returns the same problem, at the given position unless it has one.
    pub fn at(mut self, span: &Range<u32>) -> Self {
        self.0.span.get_or_insert_with(|| span.clone());
        self
    }

    /// Returns the same problem with a suggestion after its message.
    #[must_use]
    pub fn with_hint(mut self, hint: &str) -> Self {
        let message = &mut self.0.message;
        message.push_str(if message.is_empty() { "" } else { "; " });
        message.push_str(hint);
        self
    }

    /// Returns the same problem without a position, because a position in a different text is meaningless.
    pub fn elsewhere(mut self) -> Self {
        self.0.span = None;
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.message.is_empty() { self.0.kind.as_str() } else { &self.0.message })
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.0.kind, self.0.message)
    }
}

impl std::error::Error for Error {}

macro_rules! shorthands {
    ($($name:ident $kind:ident),+) => {
        $(pub(crate) fn $name(message: impl Into<String>) -> Error {
            Error::new(ErrorKind::$kind, message)
        })+
    };
}

shorthands!(value_error Value, type_error Type, key_error Key, index_error Index, zero_division ZeroDivision, regex_error Regex);
